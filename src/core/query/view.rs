//! A shape in the world as queries work on it.

use super::composite::{Composite, Extent};
use super::operand::Operand;
use crate::core::shape::{Placed, Plane};
use glam::DVec3;

/// A shape as queries take it apart.
#[derive(Clone, Copy, Debug)]
pub(crate) enum View<'s> {
    Convex(Operand<'s>),
    Plane(Plane),
    Composite(Composite<'s>),
}

impl<'s> View<'s> {
    #[inline(always)]
    pub fn of(placed: &Placed<'s>) -> Self {
        match placed {
            Placed::Plane(plane) => Self::Plane(*plane),
            Placed::Mesh(mesh, pose) => Self::Composite(Composite::Mesh(mesh, *pose)),
            Placed::Compound(compound, pose) => {
                Self::Composite(Composite::Compound(compound, *pose))
            }
            Placed::Sphere(_)
            | Placed::Obb(_)
            | Placed::Segment(_)
            | Placed::Capsule(_)
            | Placed::Triangle(_)
            | Placed::Solid(..) => Self::Convex(Operand::of_placed(placed)),
        }
    }

    /// True for a compound beside a mesh.
    pub fn goes_second_to(&self, other: &Composite<'_>) -> bool {
        matches!(self, Self::Composite(parts) if parts.is_compound() && !other.is_compound())
    }

    /// Its parts, if it has many.
    pub fn composite(&self) -> Option<&Composite<'s>> {
        match self {
            Self::Composite(parts) => Some(parts),
            _ => None,
        }
    }

    /// The centre and radius of a sphere around it.
    #[inline]
    pub fn sphere(&self) -> Option<(DVec3, f64)> {
        match self {
            Self::Convex(operand) => Some((operand.center(), operand.bounding_radius())),
            Self::Composite(composite) => {
                let Extent { center, radius, .. } = Extent::of(composite.aabb());
                Some((center, radius))
            }
            Self::Plane(_) => None,
        }
    }

    /// What encloses it; `None` for a plane.
    pub fn extent(&self) -> Option<Extent> {
        match self {
            Self::Convex(operand) => Some(Extent {
                bounds: operand.aabb(),
                center: operand.center(),
                radius: operand.bounding_radius(),
            }),
            Self::Composite(composite) => Some(Extent::of(composite.aabb())),
            Self::Plane(_) => None,
        }
    }
}
