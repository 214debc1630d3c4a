//! Round shapes that no formula is implemented for, tapered or stretched, as convex hulls within a stated error.

use super::colliders::NO_SIZE;
use super::world::World;
use crate::core::import::hull_points::sort_distinct;
use crate::core::shape::{Capsule, ConvexHull, Shape, SolidShape};
use glam::DVec3;
use std::f64::consts::PI;
use std::sync::Arc;

/// Points around the axis of a sphere, and half as many from pole to pole.
const AROUND_SPHERE: u32 = 32;

/// Points around each end of a cylinder or cone.
const AROUND_END: u32 = 64;

/// A solid between two circles or two spheres around the Y axis, metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub(super) half_height: f64,
    /// Radius at the lower end, and at the upper.
    pub(super) radii: [f64; 2],
    /// Between spheres.
    pub(super) has_round_ends: bool,
}

impl Round {
    /// A shape of the extensions as such a solid; `None` for a box.
    pub(super) fn of(shape: &Shape) -> Option<Self> {
        let (half_height, radii, has_round_ends) = match shape {
            Shape::Sphere { radius } => (0.0, [*radius; 2], true),
            Shape::Capsule(Capsule { segment, radius }) => (segment.b.y, [*radius; 2], true),
            Shape::Solid(SolidShape::Cylinder(it)) => (it.half_height, [it.radius; 2], false),
            Shape::Solid(SolidShape::Cone(it)) => (it.half_height, [it.radius, 0.0], false),
            _ => return None,
        };
        Some(Self {
            half_height,
            radii,
            has_round_ends,
        })
    }

    /// The hull of points of its surface in a node's space, and by how much the surface is outside it at most, metres.
    ///
    /// # Errors
    /// When it has no volume.
    pub(super) fn hull(&self, world: &World) -> Result<(Shape, f64), &'static str> {
        let [bottom, top] = self.radii;
        let mut points = Vec::new();
        for (y, radius) in [(-self.half_height, bottom), (self.half_height, top)] {
            let end = DVec3::Y * y;
            if radius <= 0.0 {
                points.push(end);
            } else if self.has_round_ends {
                points.extend([end - DVec3::Y * radius, end + DVec3::Y * radius]);
                for latitude in 1..AROUND_SPHERE / 2 {
                    let (sin, cos) = angle(latitude, AROUND_SPHERE).sin_cos();
                    points.extend(circle(
                        end + DVec3::Y * (cos * radius),
                        sin * radius,
                        AROUND_SPHERE,
                    ));
                }
            } else {
                points.extend(circle(end, radius, AROUND_END));
            }
        }
        let mut points: Vec<DVec3> = points.into_iter().map(|point| world.local(point)).collect();
        sort_distinct(&mut points);
        let hull = ConvexHull::new(points, 0.0).map_err(|_| NO_SIZE)?;
        // Between two points half an angle away, along both circles of a sphere.
        let sagitta = match self.has_round_ends {
            true => 1.0 - (PI / f64::from(AROUND_SPHERE)).cos().powi(2),
            false => 1.0 - (PI / f64::from(AROUND_END)).cos(),
        };
        let columns = world.matrix().to_cols_array();
        let stretch = match world.linear {
            Some(_) => columns.iter().map(|one| one * one).sum::<f64>().sqrt(),
            None => world.scale.abs().max_element(),
        };
        let error = sagitta * bottom.max(top) * stretch;
        Ok((Shape::Solid(SolidShape::Hull(Arc::new(hull))), error))
    }
}

fn angle(index: u32, count: u32) -> f64 {
    2.0 * PI * f64::from(index) / f64::from(count)
}

fn circle(centre: DVec3, radius: f64, count: u32) -> impl Iterator<Item = DVec3> {
    (0..count).map(move |index| {
        let (sin, cos) = angle(index, count).sin_cos();
        centre + DVec3::new(cos, 0.0, sin) * radius
    })
}
