//! Convex pieces of obstacles near a contact: their surfaces there, and which of these others cover.

use crate::core::query;
use crate::core::replay::ObjectId;
use crate::core::shape::{
    Aabb, Facing, Placed, Pose, Segment, Shape, SolidShape, Triangle, UnitOrZero,
};
use glam::DVec3;
use smallvec::SmallVec;

/// A half space: unit outward normal, and how far the contact's point is in front of its plane, metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub normal: DVec3,
    distance: f64,
}

impl Side {
    /// Distance of a point in front of it, metres; the point is given from the contact's.
    fn of(&self, at: DVec3) -> f64 {
        self.normal.dot(at) + self.distance
    }
}

/// A surface of a block, by the block's index.
pub(super) type Surface = (usize, Side);

/// What the blocks near a contact are tested with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearness {
    /// Of the contact, world.
    pub point: DVec3,
    /// Centre of the body, world: sheets face it.
    pub body: DVec3,
    /// Distance from the point within which a surface is there, metres.
    pub reach: f64,
    /// Gap between two obstacles that is none, metres.
    pub skin: f64,
    /// Height of a step that is none, metres.
    pub step: f64,
}

/// A convex piece of an obstacle: a box, hull or other solid, the part of a compound, or a triangle, which is solid behind its front unless it is a sheet.
///
/// Rounded edges are sharp here: the rounding is no gap between two pieces side by side.
pub(super) struct Block<'r> {
    pub id: ObjectId,
    /// What is behind all of them is inside; the surfaces come first. Round shapes have the tangent planes nearest to the point.
    sides: SmallVec<[Side; 6]>,
    surfaces: usize,
    /// The first surface is its front, the others are its rims.
    is_triangle: bool,
    round: Option<Placed<'r>>,
    /// Rounding of its edges, metres.
    radius: f64,
}

impl<'r> Block<'r> {
    /// Adds the pieces of a shape that are near.
    pub(super) fn collect(
        id: ObjectId,
        (shape, pose): (&'r Shape, &Pose),
        near: &Nearness,
        blocks: &mut Vec<Self>,
    ) {
        let mut add = |block: Option<Self>| {
            let is_near = |block: &Self| {
                let most = near.reach + near.skin + block.radius;
                (block.sides.iter()).all(|side| side.distance <= most)
            };
            blocks.extend(block.filter(is_near));
        };
        match shape {
            Shape::Compound(compound) => {
                for part in compound.parts() {
                    Self::collect(id, (&part.shape, &pose.then(&part.pose)), near, blocks);
                }
            }
            Shape::Mesh(mesh) => {
                let at = pose.point_to_local(near.point);
                let region = Aabb { min: at, max: at }.grown(near.reach + near.skin);
                let outward = match mesh.facing() {
                    Facing::Front => Some(1.0),
                    Facing::Both => mesh.winding(),
                };
                mesh.for_each_in(&region.grown_for_rounding(), &mut |index| {
                    let triangle = mesh.triangle(index).transformed(pose);
                    add(Self::triangle(id, &triangle, outward, near));
                });
            }
            Shape::Triangle(triangle) => {
                let outward = (triangle.facing == Facing::Front).then_some(1.0);
                add(Self::triangle(
                    id,
                    &triangle.transformed(pose),
                    outward,
                    near,
                ));
            }
            _ => add(Self::convex(id, shape, pose, near)),
        }
    }

    /// `outward` is the sign of its normal that leads out of what is solid behind it; `None` for a sheet.
    fn triangle(
        id: ObjectId,
        triangle: &Triangle,
        outward: Option<f64>,
        near: &Nearness,
    ) -> Option<Self> {
        let Triangle { a, b, c, .. } = *triangle;
        let normal = triangle.normal()?;
        let front = normal * outward.unwrap_or((near.body - a).dot(normal).signum());
        let side = |normal: DVec3, at: DVec3| Side {
            normal,
            distance: normal.dot(near.point - at),
        };
        let rim = |(from, to): (DVec3, DVec3)| {
            Some(side((to - from).cross(normal).try_normalize()?, from))
        };
        let mut sides: SmallVec<[Side; 6]> = SmallVec::new();
        sides.push(side(front, a));
        for edge in [(a, b), (b, c), (c, a)] {
            sides.push(rim(edge)?);
        }
        let thickness = match outward {
            // As deep as the contact may be.
            Some(_) => near.reach + near.skin,
            None => 0.5 * near.step,
        };
        sides.push(side(-front, a - front * thickness));
        Some(Self {
            id,
            sides,
            surfaces: 4,
            is_triangle: true,
            round: None,
            radius: 0.0,
        })
    }

    fn convex(id: ObjectId, shape: &'r Shape, pose: &Pose, near: &Nearness) -> Option<Self> {
        let at = pose.point_to_local(near.point);
        let (sides, radius) = sides(shape, at)?;
        let is_polyhedron = matches!(
            shape,
            Shape::Box { .. }
                | Shape::Plane(_)
                | Shape::Solid(SolidShape::RoundedBox(_) | SolidShape::Hull(_))
        );
        let sides: SmallVec<[Side; 6]> = (sides.into_iter())
            .map(|(normal, distance)| Side {
                normal: pose.vector(normal),
                distance: distance - radius,
            })
            .collect();
        Some(Self {
            id,
            surfaces: sides.len(),
            is_triangle: false,
            sides,
            round: (!is_polyhedron).then(|| shape.placed(pose)),
            radius,
        })
    }

    /// Its surfaces at the point.
    pub(super) fn surfaces(&self, near: &Nearness) -> impl Iterator<Item = Side> {
        let reach = near.reach + self.radius;
        let is_near = self.sides.iter().all(|side| side.distance <= reach);
        let surfaces = self.sides[..self.surfaces].iter();
        surfaces
            .filter(move |side| is_near && side.distance.abs() <= reach)
            .copied()
    }

    /// Whether others cover a surface of it wherever it may be at the point. `edges` are the surfaces of all there.
    pub(super) fn is_covered(
        &self,
        surface: Side,
        (blocks, edges): (&[Self], &[Surface]),
        near: &Nearness,
    ) -> bool {
        let mut at = surface.normal * -surface.distance;
        // Off the edges of its own, where more than one surface touches.
        for _ in 0..2 {
            for (index, side) in self.sides[..self.surfaces].iter().enumerate() {
                let is_front = self.is_triangle && index == 0;
                let inside = if is_front { 0.0 } else { 2.0 * near.step };
                let beyond = side.of(at) + inside;
                // A rim has no depth.
                if beyond > 0.0 || is_front {
                    at = along(at, surface, *side, beyond).unwrap_or(at);
                }
            }
        }
        let others = edges
            .iter()
            .filter(|(block, _)| !std::ptr::eq(&blocks[*block], self));
        let beside = others.flat_map(|(_, side)| {
            let beyond = side.of(at);
            [-2.0, 2.0].map(|steps| along(at, surface, *side, beyond + steps * near.step))
        });
        let on_it = |at: &DVec3| self.sides.iter().all(|side| side.of(*at) <= near.step);
        let mut all = std::iter::once(at)
            .chain(beside.flatten())
            .filter(on_it)
            .peekable();
        all.peek().is_some()
            && all.all(|at| {
                blocks.iter().any(|other| {
                    !std::ptr::eq(other, self) && other.is_before((at, surface.normal), near)
                })
            })
    }

    /// Whether it is within the skin before a point of a surface. A surface in the same plane only goes on.
    fn is_before(&self, (at, normal): (DVec3, DVec3), near: &Nearness) -> bool {
        let (mut from, mut to) = (2.0 * near.step, near.skin + 3.0 * near.step);
        for side in &self.sides {
            let (steep, room) = (side.normal.dot(normal), near.step - side.of(at));
            if steep > 0.0 {
                to = to.min(room / steep);
            } else if steep < 0.0 {
                from = from.max(room / steep);
            } else if room < 0.0 {
                return false;
            }
        }
        from <= to
            && self.round.as_ref().is_none_or(|round| {
                let [a, b] = [from, to].map(|t| near.point + at + normal * t);
                let gap = query::gap(&Placed::Segment(Segment { a, b }), round);
                gap.is_none_or(|gap| gap.distance <= near.step)
            })
    }
}

/// A point of a surface moved within its plane, so that it is `by` metres less in front of another; `None` for parallel ones.
fn along(at: DVec3, surface: Side, other: Side, by: f64) -> Option<DVec3> {
    let across = other.normal.reject_from_normalized(surface.normal);
    let share = across.length_squared();
    (share > SQUARED_SINE).then(|| at - across * (by / share))
}

/// Squared sine of the angle between two planes below which they are parallel (no unit): 5 degrees.
const SQUARED_SINE: f64 = 0.007_596_123_493_895_969;

type Sides = SmallVec<[(DVec3, f64); 6]>;

/// The planes that bound the core of a convex shape, local: unit outward normal, and distance of a point in front of it; and the rounding
/// of its edges. `None` for a shape without a surface, and where the point is at its centre.
fn sides(shape: &Shape, at: DVec3) -> Option<(Sides, f64)> {
    let around = |center: DVec3, radius: f64| {
        let out = at - center;
        let normal = out.try_normalize()?;
        Some(SmallVec::from_slice(&[(normal, out.length() - radius)]))
    };
    let of_box = |half_extents: DVec3| {
        let sides = (0..3).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]);
        let side = |(axis, sign): (usize, f64)| {
            (
                DVec3::AXES[axis] * sign,
                sign * at[axis] - half_extents[axis],
            )
        };
        sides.map(side).collect()
    };
    let outward = DVec3::new(at.x, 0.0, at.z).unit_or_zero();
    let caps = |lowest: f64, most: &[f64]| {
        let cap = |sign: &f64| (DVec3::Y * *sign, sign * at.y - lowest);
        most.iter().map(cap).collect::<Sides>()
    };
    let with_side = |mut sides: Sides, normal: DVec3, distance: f64| {
        let known = outward != DVec3::ZERO;
        sides.extend(known.then_some((normal, distance)));
        sides
    };
    Some(match shape {
        Shape::Sphere { radius } => (around(DVec3::ZERO, *radius)?, 0.0),
        Shape::Capsule(capsule) => {
            let center = query::closest_point::closest_point_on_segment(at, &capsule.segment).0;
            (around(center, capsule.radius)?, 0.0)
        }
        Shape::Box { half_extents } => (of_box(*half_extents), 0.0),
        Shape::Plane(plane) => (
            SmallVec::from_slice(&[(plane.normal, plane.distance(at))]),
            0.0,
        ),
        Shape::Solid(SolidShape::RoundedBox(rounded)) => {
            (of_box(rounded.half_extents), rounded.radius)
        }
        Shape::Solid(SolidShape::Hull(hull)) => {
            let side = |face: &crate::core::shape::HullFace| {
                let on = hull.points()[face.corners[0] as usize];
                (face.normal, face.normal.dot(at - on))
            };
            use crate::core::shape::Solid;
            (hull.faces().iter().map(side).collect(), hull.radius())
        }
        Shape::Solid(SolidShape::Cylinder(cylinder)) => {
            let distance = at.dot(outward) - cylinder.radius;
            let caps = caps(cylinder.half_height, &[1.0, -1.0]);
            (with_side(caps, outward, distance), 0.0)
        }
        Shape::Solid(SolidShape::Cone(cone)) => {
            let height = 2.0 * cone.half_height;
            let normal = (outward * height + DVec3::Y * cone.radius).unit_or_zero();
            let distance = normal.dot(at - DVec3::Y * cone.half_height);
            (
                with_side(caps(cone.half_height, &[-1.0]), normal, distance),
                0.0,
            )
        }
        Shape::Segment(_) | Shape::Triangle(_) | Shape::Mesh(_) | Shape::Compound(_) => {
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::{Cone, Cylinder};

    /// A ball of 1 m lies on the point of a surface that faces up, or 0.1 m above it.
    #[test]
    fn what_lies_on_a_surface_is_before_it() {
        let near = Nearness {
            point: DVec3::ZERO,
            body: DVec3::Y,
            reach: 0.2,
            skin: 0.01,
            step: 0.001,
        };
        for (height, expected) in [(1.0, true), (1.1, false)] {
            let pose = Pose::at(DVec3::Y * height);
            let mut blocks = Vec::new();
            let ball = Shape::Sphere { radius: 1.0 };
            Block::collect(0, (&ball, &pose), &near, &mut blocks);
            let [block] = &blocks[..] else {
                panic!("{} blocks", blocks.len());
            };
            let is_before = block.is_before((DVec3::ZERO, DVec3::Y), &near);
            assert_eq!(is_before, expected, "{height}");
        }
    }

    /// The plane along the side of a cone goes through its tip and the edge of its base; a cylinder has two caps and a side.
    #[test]
    fn round_solids_have_the_planes_next_to_the_point() {
        let at = DVec3::new(2.0, 0.25, 0.0);
        let planes = |solid: SolidShape| {
            let (sides, radius) = sides(&Shape::Solid(solid), at).unwrap();
            assert_eq!(radius, 0.0);
            move |point: DVec3| {
                let distance =
                    |(normal, distance): &(DVec3, f64)| normal.dot(point - at) + distance;
                sides.iter().map(distance).collect::<Vec<f64>>()
            }
        };
        let (half_height, radius) = (1.0, 0.5);
        let of_cone = planes(SolidShape::Cone(Cone {
            half_height,
            radius,
        }));
        let of_cylinder = planes(SolidShape::Cylinder(Cylinder {
            half_height,
            radius,
        }));
        let close = |got: Vec<f64>, expected: &[f64]| {
            let all = got.iter().zip(expected);
            let is_same = |(got, want): (&f64, &f64)| (got - want).abs() < 1e-12;
            assert!(
                got.len() == expected.len() && all.into_iter().all(is_same),
                "{got:?} {expected:?}"
            );
        };
        // The base, and the side.
        close(of_cone(DVec3::Y), &[-2.0, 0.0]);
        close(of_cone(DVec3::new(0.5, -1.0, 0.0)), &[0.0, 0.0]);
        // The top, the base, and the side.
        close(of_cylinder(DVec3::new(0.5, 1.0, 0.0)), &[0.0, -2.0, 0.0]);
        close(
            of_cylinder(DVec3::new(0.25, -1.0, 0.0)),
            &[-2.0, 0.0, -0.25],
        );
    }
}
