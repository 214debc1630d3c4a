//! Convex shapes that queries know by their support points alone: adding one is a file that implements [`Solid`].

use super::{Aabb, Cone, ConvexHull, Cylinder, Feature, RoundedBox};
use glam::{DMat3, DVec3};
use smallvec::SmallVec;
use std::fmt;
use std::sync::Arc;

/// A bounded convex shape in its own local space, metres: a core, given by its support points, grown by a radius.
pub trait Solid: fmt::Debug + Send + Sync {
    /// The name of the kind of shape, as files and the window write it.
    fn kind_name(&self) -> &'static str;

    /// A point of the core that is farthest along a direction of any length but zero.
    fn support(&self, direction: DVec3) -> DVec3;

    /// The part of the core that touches a plane coming from a unit direction, within
    /// `FEATURE_ANGLE`. Curved edges and round faces are given by some of their points.
    fn feature(&self, direction: DVec3) -> SolidFeature;

    /// The surface of the core that is nearest to a local point; `None` without a formula.
    fn nearest(&self, _point: DVec3) -> Option<SurfacePoint> {
        None
    }

    /// A point inside the core, or on it where it is flat.
    fn centroid(&self) -> DVec3;

    /// The unit axis, through the centroid, about which the core may be turned by any angle and stays the same.
    fn axis(&self) -> Option<DVec3> {
        None
    }

    /// Metres by which the core is grown on all sides.
    fn radius(&self) -> f64 {
        0.0
    }

    /// Radius of the largest ball around the centroid that fits inside, radius included, metres.
    fn inner_radius(&self) -> f64;

    /// Radius of the smallest ball around the centroid that holds the shape, radius included, metres.
    fn outer_radius(&self) -> f64;

    /// Distance of the farthest point from the local origin, radius included, metres: turning never takes it farther.
    fn bounding_radius(&self) -> f64;

    /// Sharp edges, and enough lines to show the round ones, of the core, local.
    fn outline(&self) -> Vec<[DVec3; 2]>;

    /// The surface of the core as triangles, local, counter-clockwise seen from outside, for drawing.
    fn surface(&self) -> Vec<[DVec3; 3]>;

    /// True when every number is finite and small enough to compute with.
    fn is_in_range(&self) -> bool {
        self.bounding_radius().abs() <= crate::core::tolerance::LARGEST_NUMBER
    }
}

/// The surface of a core as a point has it nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// On the surface.
    pub point: DVec3,
    /// Unit, out of the surface toward the point (inside a solid: the shortest way out).
    pub normal: DVec3,
    /// Metres; negative inside a solid.
    pub distance: f64,
    /// Where on the core.
    pub feature: Feature,
    /// True when a continuum of directions is equally short and a fixed one was taken.
    pub fallback: bool,
}

/// Every kind of solid. A new one is a file with its [`Solid`], and a line in each of the two lists here.
#[derive(Clone, Debug, PartialEq)]
pub enum SolidShape {
    /// A cylinder along Y.
    Cylinder(Cylinder),
    /// A cone along Y.
    Cone(Cone),
    /// A box with a radius added outside.
    RoundedBox(RoundedBox),
    /// The convex hull of points; shared, as it may have many.
    Hull(Arc<ConvexHull>),
}

impl SolidShape {
    /// Its measures by name, metres, each above 0.
    pub fn measures_mut(&mut self) -> Vec<(&'static str, &mut f64)> {
        match self {
            Self::Cylinder(Cylinder {
                half_height,
                radius,
            })
            | Self::Cone(Cone {
                half_height,
                radius,
            }) => vec![("half height", half_height), ("radius", radius)],
            Self::RoundedBox(RoundedBox {
                half_extents: DVec3 { x, y, z },
                radius,
            }) => vec![
                ("half extent x", x),
                ("half extent y", y),
                ("half extent z", z),
                ("radius", radius),
            ],
            // Its points are written in the text.
            Self::Hull(_) => Vec::new(),
        }
    }
}

/// Answers as the shape does, without a call through a table in the loops of queries.
macro_rules! each {
    ($($(#[$inline:meta])? fn $name:ident(&self $(, $argument:ident: $kind:ty)?) -> $result:ty;)*) => {
        impl Solid for SolidShape {
            $($(#[$inline])?
            fn $name(&self $(, $argument: $kind)?) -> $result {
                match self {
                    Self::Cylinder(solid) => solid.$name($($argument)?),
                    Self::Cone(solid) => solid.$name($($argument)?),
                    Self::RoundedBox(solid) => solid.$name($($argument)?),
                    Self::Hull(solid) => solid.$name($($argument)?),
                }
            })*
        }
    };
}

each! {
    fn kind_name(&self) -> &'static str;
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3;
    fn feature(&self, direction: DVec3) -> SolidFeature;
    fn nearest(&self, point: DVec3) -> Option<SurfacePoint>;
    #[inline]
    fn centroid(&self) -> DVec3;
    #[inline]
    fn axis(&self) -> Option<DVec3>;
    #[inline]
    fn radius(&self) -> f64;
    fn inner_radius(&self) -> f64;
    #[inline]
    fn outer_radius(&self) -> f64;
    #[inline]
    fn bounding_radius(&self) -> f64;
    fn outline(&self) -> Vec<[DVec3; 2]>;
    fn surface(&self) -> Vec<[DVec3; 3]>;
    #[inline]
    fn is_in_range(&self) -> bool;
}

/// A vertex, edge or face of a solid's core.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidFeature {
    /// Its name.
    pub feature: Feature,
    /// One point, both ends of an edge, or a loop around a face; local, metres.
    pub points: SmallVec<[DVec3; 8]>,
    /// Of a face: its outward unit normal, exact up to rounding.
    pub normal: Option<DVec3>,
}

impl SolidFeature {
    /// A vertex.
    pub fn vertex(number: u32, at: DVec3) -> Self {
        Self {
            feature: Feature::Vertex(number),
            points: SmallVec::from_slice(&[at]),
            normal: None,
        }
    }

    /// A straight edge, or the straight line along which a round surface touches a plane.
    pub fn edge(feature: Feature, ends: [DVec3; 2]) -> Self {
        Self {
            feature,
            points: SmallVec::from_slice(&ends),
            normal: None,
        }
    }

    /// A flat face.
    pub fn face(number: u32, points: impl IntoIterator<Item = DVec3>, normal: DVec3) -> Self {
        Self {
            feature: Feature::Face(number),
            points: points.into_iter().collect(),
            normal: Some(normal),
        }
    }
}

/// Size along a unit direction, radius included, metres.
pub fn thickness(solid: &dyn Solid, direction: DVec3) -> f64 {
    let along = |direction: DVec3| solid.support(direction).dot(direction);
    along(direction) + along(-direction) + 2.0 * solid.radius()
}

/// The tight box around a solid's core, whose local axes are the columns of `axes`.
pub(in crate::core) fn core_aabb(solid: &SolidShape, axes: &DMat3, position: DVec3) -> Aabb {
    let to_local = axes.transpose();
    let farthest = |direction: DVec3| (*axes * solid.support(to_local * direction)).dot(direction);
    let max = DVec3::AXES.map(farthest);
    let min = DVec3::AXES.map(|axis| -farthest(-axis));
    Aabb {
        min: position + DVec3::from(min),
        max: position + DVec3::from(max),
    }
}
