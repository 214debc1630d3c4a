//! A cylinder: truly round, not a polygon.

use super::feature::Feature;
use super::pose::direction_and_length;
use super::solid::{Solid, SolidFeature, SurfacePoint};
use crate::core::shape::UnitOrZero;
use crate::core::tolerance::{FEATURE_ANGLE, ON_AXIS};
use glam::DVec3;
use std::f64::consts::TAU;

/// All points within `radius` of the Y axis and within `half_height` of the plane y = 0.
///
/// Faces: 0 is the lower cap, 1 the upper; edges: 0 is the lower rim, 1 the upper; the side is round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Metres, > 0.
    pub half_height: f64,
    /// Metres, > 0.
    pub radius: f64,
}

/// Points that stand for a rim where only its extent counts.
pub(super) const RIM_POINTS: usize = 8;
/// Points of a rim that is drawn.
pub(super) const DRAWN_POINTS: usize = 32;

impl Solid for Cylinder {
    fn kind_name(&self) -> &'static str {
        "Cylinder"
    }

    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        on_rim(direction, self.radius) + DVec3::Y * self.half_height.copysign(direction.y)
    }

    fn feature(&self, direction: DVec3) -> SolidFeature {
        let across = sideways(direction);
        let upper = direction.y > 0.0;
        let height = DVec3::Y * self.half_height.copysign(direction.y);
        if across <= FEATURE_ANGLE {
            let normal = DVec3::Y * 1.0_f64.copysign(direction.y);
            return SolidFeature::face(
                u32::from(upper),
                rim(height, self.radius, RIM_POINTS),
                normal,
            );
        }
        let side = on_rim(direction, self.radius);
        if direction.y.abs() <= FEATURE_ANGLE {
            let up = DVec3::Y * self.half_height;
            return SolidFeature::edge(Feature::Round, [side - up, side + up]);
        }
        SolidFeature {
            feature: Feature::Edge(u32::from(upper)),
            ..SolidFeature::vertex(0, side + height)
        }
    }

    fn nearest(&self, point: DVec3) -> Option<SurfacePoint> {
        let (radial, axial) = radial(point, self.radius);
        let on_axis = axial <= ON_AXIS * self.radius;
        let upper = point.y >= 0.0;
        let up = DVec3::Y * if upper { 1.0 } else { -1.0 };
        let (beyond_side, beyond_cap) = (axial - self.radius, point.y.abs() - self.half_height);
        Some(if beyond_side > 0.0 && beyond_cap > 0.0 {
            let distance = beyond_side.hypot(beyond_cap);
            SurfacePoint {
                point: radial * self.radius + up * self.half_height,
                normal: (radial * beyond_side + up * beyond_cap) / distance,
                distance,
                feature: Feature::Edge(u32::from(upper)),
                fallback: false,
            }
        } else if beyond_cap >= beyond_side {
            SurfacePoint {
                point: point - up * beyond_cap,
                normal: up,
                distance: beyond_cap,
                feature: Feature::Face(u32::from(upper)),
                fallback: beyond_cap == beyond_side && on_axis,
            }
        } else {
            SurfacePoint {
                point: radial * self.radius + DVec3::Y * point.y,
                normal: radial,
                distance: beyond_side,
                feature: Feature::Round,
                fallback: on_axis,
            }
        })
    }

    #[inline]
    fn centroid(&self) -> DVec3 {
        DVec3::ZERO
    }

    #[inline]
    fn axis(&self) -> Option<DVec3> {
        Some(DVec3::Y)
    }

    fn inner_radius(&self) -> f64 {
        self.radius.min(self.half_height)
    }

    #[inline]
    fn outer_radius(&self) -> f64 {
        self.bounding_radius()
    }

    #[inline]
    fn bounding_radius(&self) -> f64 {
        (self.radius * self.radius + self.half_height * self.half_height).sqrt()
    }

    fn outline(&self) -> Vec<[DVec3; 2]> {
        let up = DVec3::Y * self.half_height;
        let [lower, upper]: [Vec<DVec3>; 2] =
            [-up, up].map(|at| rim(at, self.radius, DRAWN_POINTS).collect());
        let sides = (0..DRAWN_POINTS).step_by(DRAWN_POINTS / 4);
        let sides = sides.map(|index| [lower[index], upper[index]]);
        sides.chain(around(&lower)).chain(around(&upper)).collect()
    }

    fn surface(&self) -> Vec<[DVec3; 3]> {
        let up = DVec3::Y * self.half_height;
        let [lower, upper]: [Vec<DVec3>; 2] =
            [-up, up].map(|at| rim(at, self.radius, DRAWN_POINTS).collect());
        let next = |index: usize| (index + 1) % DRAWN_POINTS;
        (0..DRAWN_POINTS)
            .flat_map(|index| {
                let [a, b] = [lower[index], lower[next(index)]];
                let [c, d] = [upper[index], upper[next(index)]];
                [[a, b, c], [b, d, c], [-up, b, a], [up, c, d]]
            })
            .collect()
    }
}

/// The unit direction from the Y axis to a point, +X on the axis, to rounding of a radius; and the point's distance from the axis.
pub(super) fn radial(point: DVec3, radius: f64) -> (DVec3, f64) {
    match direction_and_length(DVec3::new(point.x, 0.0, point.z)) {
        Some((direction, length)) if length > ON_AXIS * radius => (direction, length),
        near => (DVec3::X, near.map_or(0.0, |(_, length)| length)),
    }
}

/// Length of a direction square to the Y axis.
#[inline]
pub(super) fn sideways(direction: DVec3) -> f64 {
    (direction.x * direction.x + direction.z * direction.z).sqrt()
}

/// The point of a rim in the plane y = 0 that is farthest along a direction; its centre where the direction is vertical.
#[inline]
pub(super) fn on_rim(direction: DVec3, radius: f64) -> DVec3 {
    let sideways = DVec3::new(direction.x, 0.0, direction.z);
    sideways.unit_or_zero() * radius
}

/// Points around a rim, from +X toward -Z: counter-clockwise seen from above.
pub(super) fn rim(center: DVec3, radius: f64, points: usize) -> impl Iterator<Item = DVec3> {
    (0..points).map(move |index| {
        let (sine, cosine) = (TAU * index as f64 / points as f64).sin_cos();
        center + DVec3::new(cosine * radius, 0.0, -sine * radius)
    })
}

/// The lines of a closed loop.
pub(super) fn around(points: &[DVec3]) -> impl Iterator<Item = [DVec3; 2]> + '_ {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(&a, &b)| [a, b])
}
