//! Shapes as plain structs, poses and motions.
//!
//! The primitive structs ([`Sphere`], [`Triangle`], ..) are in any one space. [`Shape`] is in its object's local space;
//! [`Shape::placed`] transforms it to world space.

mod aabb;
mod canonical;
mod capsule;
mod columns;
mod compound;
mod cone;
mod convex_parts;
mod cylinder;
mod feature;
mod flat;
mod height_field;
mod hull;
mod joined;
mod mesh;
mod obb;
mod plane;
mod pose;
mod rounded_box;
mod segment;
mod solid;
mod sphere;
mod triangle;

pub use aabb::Aabb;
pub(in crate::core) use canonical::{is_one_sided, shell};
pub use capsule::Capsule;
pub use compound::{COMPOUND_PARTS, Compound, CompoundPart};
pub use cone::Cone;
pub use cylinder::Cylinder;
pub use feature::Feature;
pub(in crate::core) use feature::box_feature;
pub use flat::ChainFacing;
pub(in crate::core) use flat::{canonical_in, joined_in};
pub(in crate::core) use height_field::mesh_of_rows;
pub use height_field::{Diagonal, HeightField};
pub use hull::{ConvexHull, HULL_POINTS, HullFace};
pub(in crate::core) use joined::Joined;
pub(in crate::core) use mesh::BoxTree;
pub use mesh::{HeightGrid, Mesh, MeshDirt, MeshEdges, SphereNode, SphereTree};
pub use obb::Obb;
pub use plane::Plane;
pub use pose::{Motion, Pose};
pub(in crate::core) use pose::{UnitOrZero, direction_and_length};
pub use rounded_box::RoundedBox;
pub use segment::Segment;
pub(in crate::core) use solid::core_aabb;
pub use solid::{Solid, SolidFeature, SolidShape, SurfacePoint, thickness};
pub use sphere::Sphere;
pub use triangle::{Facing, Triangle};

use glam::DVec3;
use std::sync::Arc;

/// A shape in its object's local space, metres.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// A ball around the object's position.
    Sphere {
        /// Metres, > 0.
        radius: f64,
    },
    /// A box around the object's position, axis-aligned until the object is rotated.
    Box {
        /// Half the edge lengths, metres, each >= 0.
        half_extents: DVec3,
    },
    /// A line segment.
    Segment(Segment),
    /// A segment with a radius.
    Capsule(Capsule),
    /// Any other convex shape.
    Solid(SolidShape),
    /// One triangle.
    Triangle(Triangle),
    /// An unbounded half space: all points on or behind the plane are solid.
    Plane(Plane),
    /// Triangles that share vertices; shared, as levels are large.
    Mesh(Arc<Mesh>),
    /// Convex shapes that are one; shared, as it may have many.
    Compound(Arc<Compound>),
}

/// A shape in world space, ready for a query.
#[derive(Clone, Copy, Debug)]
pub enum Placed<'s> {
    /// See [`Shape::Sphere`].
    Sphere(Sphere),
    /// See [`Shape::Box`].
    Obb(Obb),
    /// See [`Shape::Segment`].
    Segment(Segment),
    /// See [`Shape::Capsule`].
    Capsule(Capsule),
    /// See [`Shape::Triangle`].
    Triangle(Triangle),
    /// See [`Shape::Plane`].
    Plane(Plane),
    /// A solid keeps its local form; queries go through its support points.
    Solid(&'s SolidShape, Pose),
    /// A mesh keeps its local vertices; queries go into its space and back.
    Mesh(&'s Mesh, Pose),
    /// A compound keeps its parts; queries place them one by one.
    Compound(&'s Compound, Pose),
}

impl Shape {
    /// The shape in world space, by its object's pose.
    #[inline]
    pub fn placed(&self, pose: &Pose) -> Placed<'_> {
        match self {
            Self::Sphere { radius } => Placed::Sphere(Sphere {
                center: pose.position,
                radius: *radius,
            }),
            Self::Box { half_extents } => Placed::Obb(Obb {
                center: pose.position,
                half_extents: *half_extents,
                rotation: pose.rotation,
            }),
            Self::Segment(segment) => Placed::Segment(segment.transformed(pose)),
            Self::Capsule(capsule) => Placed::Capsule(capsule.transformed(pose)),
            Self::Solid(solid) => Placed::Solid(solid, *pose),
            Self::Triangle(triangle) => Placed::Triangle(triangle.transformed(pose)),
            Self::Plane(plane) => Placed::Plane(plane.transformed(pose)),
            Self::Mesh(mesh) => Placed::Mesh(mesh, *pose),
            Self::Compound(compound) => match compound.single() {
                Some(part) => part.shape.placed(&pose.then(&part.pose)),
                None => Placed::Compound(compound, *pose),
            },
        }
    }

    /// Distance of the farthest point from the object's origin, metres: turning never takes it farther. `None` for a plane.
    pub fn reach(&self) -> Option<f64> {
        let farthest = |points: &[DVec3]| {
            points
                .iter()
                .fold(0.0, |most, p| f64::max(most, p.length()))
        };
        match self {
            Self::Sphere { radius } => Some(*radius),
            Self::Box { half_extents } => Some(half_extents.length()),
            Self::Segment(segment) => Some(farthest(&[segment.a, segment.b])),
            Self::Capsule(capsule) => {
                Some(farthest(&[capsule.segment.a, capsule.segment.b]) + capsule.radius)
            }
            Self::Solid(solid) => Some(solid.bounding_radius()),
            Self::Triangle(triangle) => Some(farthest(&[triangle.a, triangle.b, triangle.c])),
            Self::Plane(_) => None,
            Self::Mesh(mesh) => Some(mesh.reach()),
            Self::Compound(compound) => Some(compound.reach()),
        }
    }

    /// Radius of a sphere that fits inside, metres: with less travel no body can pass another's surface. 0 for shapes
    /// without volume and for meshes, which are hollow; for a compound the value of its smallest part.
    pub fn inner_radius(&self) -> f64 {
        match self {
            Self::Sphere { radius } => *radius,
            Self::Box { half_extents } => half_extents.min_element(),
            Self::Capsule(capsule) => capsule.radius,
            Self::Solid(solid) => solid.inner_radius(),
            Self::Compound(compound) => compound.inner_radius(),
            Self::Plane(_) => f64::INFINITY,
            Self::Segment(_) | Self::Triangle(_) | Self::Mesh(_) => 0.0,
        }
    }

    /// Distance of the farthest point from an axis through the object's origin, metres, or a little more for round and hollow shapes: a turn
    /// about it moves no point farther than by its angle times this. `None` for a plane. The axis is local, of any length.
    pub fn reach_about(&self, axis: DVec3) -> Option<f64> {
        let reach = self.reach()?;
        let Some(axis) = axis.try_normalize() else {
            return Some(reach);
        };
        Some(self.reach_about_at(&Pose::IDENTITY, axis)?.min(reach))
    }

    /// The same of the shape at a pose, about a unit axis through the origin.
    fn reach_about_at(&self, pose: &Pose, axis: DVec3) -> Option<f64> {
        let off = |at: DVec3| pose.point(at).reject_from_normalized(axis).length();
        let farthest = |points: &[DVec3]| points.iter().map(|at| off(*at)).fold(0.0, f64::max);
        let of_box = |half_extents: DVec3| {
            let [min, max] = [-half_extents, half_extents];
            farthest(&Aabb { min, max }.corners())
        };
        Some(match self {
            Self::Sphere { radius } => off(DVec3::ZERO) + radius,
            Self::Box { half_extents } => of_box(*half_extents),
            Self::Segment(segment) => farthest(&[segment.a, segment.b]),
            Self::Capsule(capsule) => {
                farthest(&[capsule.segment.a, capsule.segment.b]) + capsule.radius
            }
            Self::Triangle(triangle) => farthest(&[triangle.a, triangle.b, triangle.c]),
            Self::Plane(_) => return None,
            Self::Mesh(mesh) => farthest(&mesh.aabb().corners()),
            Self::Solid(SolidShape::Hull(hull)) => farthest(hull.points()) + hull.radius(),
            Self::Solid(SolidShape::RoundedBox(rounded)) => {
                of_box(rounded.half_extents) + rounded.radius
            }
            // Within the balls around the middles of its ends.
            Self::Solid(
                SolidShape::Cylinder(Cylinder {
                    half_height,
                    radius,
                })
                | SolidShape::Cone(Cone {
                    half_height,
                    radius,
                }),
            ) => farthest(&[DVec3::Y * *half_height, DVec3::NEG_Y * *half_height]) + radius,
            Self::Compound(compound) => {
                let of_part = |part: &CompoundPart| {
                    let at = pose.then(&part.pose);
                    part.shape
                        .reach_about_at(&at, axis)
                        .unwrap_or(f64::INFINITY)
                };
                compound.parts().iter().map(of_part).fold(0.0, f64::max)
            }
        })
    }

    /// A point amid the shape, local: of a plane the one nearest to the origin, of a mesh or compound the middle of its box.
    pub fn centroid(&self) -> DVec3 {
        match self {
            Self::Sphere { .. } | Self::Box { .. } => DVec3::ZERO,
            Self::Segment(segment) => segment.a.midpoint(segment.b),
            Self::Capsule(capsule) => capsule.segment.a.midpoint(capsule.segment.b),
            Self::Triangle(triangle) => triangle.centroid(),
            Self::Plane(plane) => plane.normal * plane.offset,
            Self::Solid(solid) => solid.centroid(),
            Self::Mesh(mesh) => mesh.aabb().center(),
            Self::Compound(compound) => compound.centroid(),
        }
    }

    /// True for a ball around the object's position, which turning does not change.
    pub fn is_ball(&self) -> bool {
        match self {
            Self::Sphere { .. } => true,
            Self::Compound(compound) => compound
                .single()
                .is_some_and(|part| part.pose.position == DVec3::ZERO && part.shape.is_ball()),
            _ => false,
        }
    }

    /// The word for this kind of shape, as files and the window write it.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Sphere { .. } => "Sphere",
            Self::Box { .. } => "Box",
            Self::Segment(_) => "Segment",
            Self::Capsule(_) => "Capsule",
            Self::Solid(solid) => solid.kind_name(),
            Self::Triangle(_) => "Triangle",
            Self::Plane(_) => "Plane",
            Self::Mesh(_) => "Mesh",
            Self::Compound(_) => "Compound",
        }
    }
}

impl Placed<'_> {
    /// The tight box around the shape; `None` for a plane, which has no bounds.
    pub fn aabb(&self) -> Option<Aabb> {
        match self {
            Self::Sphere(sphere) => Some(sphere.aabb()),
            Self::Obb(obb) => Some(obb.aabb()),
            Self::Segment(segment) => Some(segment.aabb()),
            Self::Capsule(capsule) => Some(capsule.aabb()),
            Self::Solid(solid, pose) => {
                let core = core_aabb(solid, &pose.axes(), pose.position);
                Some(core.grown(solid.radius()))
            }
            Self::Triangle(triangle) => Some(triangle.aabb()),
            Self::Plane(_) => None,
            Self::Mesh(mesh, pose) => Some(mesh.aabb_at(pose)),
            Self::Compound(compound, pose) => Some(compound.aabb_at(pose)),
        }
    }
}
