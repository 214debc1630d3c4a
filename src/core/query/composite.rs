//! Shapes of many convex parts: the deepest contact, the earliest hit and the nearest of their parts. Ties go to the lowest index.

use super::operand::Operand;
use super::{Role, Step, View};
use crate::core::shape::{Aabb, Compound, Mesh, Obb, Pose, Triangle};
use glam::DVec3;

/// A shape of many convex parts, in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Composite<'s> {
    Mesh(&'s Mesh, Pose),
    Compound(&'s Compound, Pose),
}

impl<'s> Composite<'s> {
    /// True for a compound: beside a mesh, its few parts are gone through, not the triangles.
    pub fn is_compound(&self) -> bool {
        matches!(self, Self::Compound(..))
    }

    /// World bounds.
    pub fn aabb(&self) -> Aabb {
        match self {
            Self::Mesh(mesh, pose) => mesh.aabb_at(pose),
            Self::Compound(compound, pose) => compound.aabb_at(pose),
        }
    }

    /// Parts, roughly what a query against all of them costs.
    pub fn count(&self) -> usize {
        match self {
            Self::Mesh(mesh, _) => mesh.triangles().len(),
            Self::Compound(compound, _) => compound.parts().len(),
        }
    }

    /// One part in the world.
    pub fn part(&self, index: u32) -> Operand<'s> {
        match self {
            Self::Mesh(mesh, pose) => Operand::triangle(mesh.triangle(index).transformed(pose)),
            Self::Compound(compound, pose) => {
                let part = &compound.parts()[index as usize];
                match View::of(&part.shape.placed(&pose.then(&part.pose))) {
                    View::Convex(operand) => operand,
                    View::Plane(_) | View::Composite(_) => unreachable!("parts are convex"),
                }
            }
        }
    }

    /// The number of a mesh's triangle; parts of a compound have none.
    pub fn triangle(&self, index: u32) -> Option<u32> {
        matches!(self, Self::Mesh(..)).then_some(index)
    }

    /// The step that names the part that decides.
    pub fn decided_by(&self, index: u32, role: Role) -> Step {
        let kind = match self {
            Self::Mesh(..) => "Triangle",
            Self::Compound(compound, _) => compound.parts()[index as usize].shape.kind_name(),
        };
        Step::Part { index, kind, role }
    }

    /// World bounds of one part.
    #[inline]
    pub fn bounds_of(&self, index: u32) -> Aabb {
        match self {
            Self::Mesh(mesh, pose) => mesh.triangle(index).transformed(pose).aabb(),
            Self::Compound(..) => self.part(index).aabb(),
        }
    }

    /// True when a part surely lies apart from a sphere.
    #[inline]
    pub fn is_apart(&self, index: u32, (center, radius): (DVec3, f64)) -> bool {
        match self {
            Self::Mesh(mesh, pose) => {
                let Triangle { a, b, c, .. } = mesh.triangle(index).transformed(pose);
                let (ab, ac) = (b - a, c - a);
                let normal = ab.cross(ac);
                let height = (center - a).dot(normal);
                let size = largest([center, a]) + largest([ab, ac]);
                // Far more than rounding, but for slivers, which are left to the query.
                let reach = radius + 1e-9 * (radius + size);
                let square = normal.length_squared();
                square > 1e-8 * ab.length_squared() * ac.length_squared()
                    && height * height > reach * reach * square * (1.0 + 1e-9)
            }
            // Its box has been looked at.
            Self::Compound(..) => false,
        }
    }

    /// Visits the index of every part whose box overlaps a world region, and may be of a few more.
    pub fn for_each_in(&self, region: &Aabb, visit: &mut impl FnMut(u32)) {
        match self {
            Self::Mesh(mesh, pose) => mesh.for_each_in(&to_local(region, pose), visit),
            Self::Compound(..) => (0..self.count() as u32)
                .filter(|&index| self.bounds_of(index).overlaps(region))
                .for_each(visit),
        }
    }

    /// Visits the index of every part that may come within `radius` of a straight world path, and a few more.
    pub fn for_each_along(&self, from: DVec3, to: DVec3, radius: f64, visit: &mut impl FnMut(u32)) {
        match self {
            Self::Mesh(mesh, pose) => {
                let ends = [from, to].map(|end| pose.point_to_local(end));
                let rounding =
                    16.0 * f64::EPSILON * (largest(ends) + largest([from, pose.position]));
                mesh.for_each_along(ends[0], ends[1], radius + rounding, &mut |index, _| {
                    visit(index)
                });
            }
            Self::Compound(..) => self.for_each_in(&around(from, to, radius), visit),
        }
    }

    /// Visits parts roughly from near to far around a straight world path, leaving out what lies farther away than the
    /// limit, metres. `visit` answers with the limit from there on.
    pub fn for_each_near(
        &self,
        from: DVec3,
        to: DVec3,
        limit: f64,
        visit: &mut impl FnMut(u32) -> f64,
    ) {
        match self {
            Self::Mesh(mesh, pose) => {
                let ends = [from, to].map(|end| pose.point_to_local(end));
                let rounding =
                    16.0 * f64::EPSILON * (largest(ends) + largest([from, pose.position]));
                mesh.for_each_near_way(ends[0], ends[1], limit + rounding, &mut |index| {
                    visit(index) + rounding
                });
            }
            Self::Compound(..) => {
                let mut limit = limit;
                for index in 0..self.count() as u32 {
                    if around(from, to, limit).overlaps(&self.bounds_of(index)) {
                        limit = visit(index);
                    }
                }
            }
        }
    }
}

/// A box around all that is within `radius` of a straight path, rounding included.
fn around(from: DVec3, to: DVec3, radius: f64) -> Aabb {
    let path = Aabb {
        min: from.min(to),
        max: from.max(to),
    };
    path.grown_for_rounding().grown(radius)
}

fn largest(points: [DVec3; 2]) -> f64 {
    points[0].abs().max(points[1].abs()).max_element()
}

/// A box in the local space of a pose that holds a world region, rounding included.
fn to_local(region: &Aabb, pose: &Pose) -> Aabb {
    let region = region.grown_for_rounding();
    let local = Obb {
        center: pose.point_to_local(region.center()),
        half_extents: region.half_extents(),
        rotation: pose.rotation.conjugate(),
    };
    let rounding = largest([region.min, region.max]).max(largest([pose.position, DVec3::ZERO]));
    local.aabb().grown(16.0 * f64::EPSILON * rounding)
}
