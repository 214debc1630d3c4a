//! Bounding boxes and spheres of shapes and motions.

mod sphere_tree;
mod spheres;

pub use sphere_tree::{SkippedNode, TreeSweep, sphere_tree, sweep_tree};
pub use spheres::{bounding_sphere_centroid, bounding_sphere_ritter, bounding_sphere_smallest};

use super::shape::{Aabb, Motion, Pose, Shape, Solid, Sphere};
use super::tolerance;
use glam::DVec3;

/// The box around a shape over a whole motion, rotation included; `None` for a plane, which has no bounds.
///
/// A motion that turns is boxed by the shape's reach around the object's origin, which no rotation leaves; otherwise
/// by the boxes of both ends. It contains the shape at every fraction, rounding included.
/// Numbers must be finite: with one that is none, the box may leave points out.
#[inline]
pub fn swept_aabb(shape: &Shape, motion: &Motion) -> Option<Aabb> {
    let bounds = if let Shape::Sphere { radius } = shape
        && !motion.turns()
    {
        path(motion).grown(*radius)
    } else if motion.turns() {
        in_any_rotation(shape, motion)?
    } else {
        at_both_ends(shape, motion)?
    };
    Some(bounds.grown_for_rounding())
}

/// As [`swept_aabb`], for a known turn, world axis times radians.
///
/// A point of the shape turns on an arc, which lies off the chord between its ends by at most its second derivative, the square of the turn
/// times the reach, over 8.
pub fn turning_aabb(shape: &Shape, motion: &Motion, turn: DVec3) -> Option<Aabb> {
    if turn == DVec3::ZERO {
        return swept_aabb(shape, motion);
    }
    let whole = in_any_rotation(shape, motion)?;
    let near = at_both_ends(shape, motion)?.grown(turn.length_squared() * shape.reach()? / 8.0);
    let both = Aabb {
        min: near.min.max(whole.min),
        max: near.max.min(whole.max),
    };
    Some(both.grown_for_rounding())
}

/// The box around the position on its way.
#[inline]
fn path(motion: &Motion) -> Aabb {
    Aabb {
        min: motion.start.position.min(motion.end.position),
        max: motion.start.position.max(motion.end.position),
    }
}

/// The box around a shape on its way, however it turns.
#[inline]
fn in_any_rotation(shape: &Shape, motion: &Motion) -> Option<Aabb> {
    // A quaternion that is not quite unit scales by its squared length.
    let stretch = motion.start.rotation.length_squared();
    let stretch = stretch.max(motion.end.rotation.length_squared()).max(1.0);
    Some(path(motion).grown(shape.reach()? * stretch))
}

#[inline]
fn at_both_ends(shape: &Shape, motion: &Motion) -> Option<Aabb> {
    let at = |pose| shape.placed(pose).aabb();
    Some(at(&motion.start)?.union(&at(&motion.end)?))
}

/// A sphere around a shape, in the shape's local space; `None` for a plane.
///
/// Its centre is the local origin wherever that is no looser, so that rotation does not move it. Points get the smallest
/// sphere; a mesh of more than 100,000 vertices gets Ritter's. A mesh remembers its sphere.
/// Numbers must be finite.
pub fn bounding_sphere(shape: &Shape) -> Option<Sphere> {
    let sphere = match shape {
        Shape::Sphere { .. } | Shape::Box { .. } => around(DVec3::ZERO, shape.reach()?),
        Shape::Segment(segment) => around_points(&[segment.a, segment.b]),
        Shape::Capsule(capsule) => {
            let inner = around_points(&[capsule.segment.a, capsule.segment.b]);
            around(inner.center, inner.radius + capsule.radius)
        }
        Shape::Solid(solid) => around(DVec3::ZERO, solid.bounding_radius()),
        Shape::Triangle(triangle) => around_points(&[triangle.a, triangle.b, triangle.c]),
        Shape::Plane(_) => return None,
        Shape::Compound(compound) => {
            let bounds = compound.aabb();
            around(bounds.center(), bounds.half_extents().length())
        }
        Shape::Mesh(mesh) => mesh.bounding_sphere_or(around_points),
    };
    let from_origin = shape.reach()?;
    if from_origin <= sphere.radius {
        return Some(around(DVec3::ZERO, from_origin));
    }
    Some(sphere)
}

/// A circle around the outline of a shape of a flat level, in the shape's local space; `None` for a plane.
///
/// The smallest one around corners, grown by the largest radius among the parts of a compound.
pub fn bounding_circle(shape: &Shape) -> Option<Sphere> {
    let (mut corners, mut radius) = (Vec::new(), 0.0);
    let mut add = |shape: &Shape, pose: &Pose| -> Option<()> {
        let (points, own) = shape.outline_corners()?;
        let placed = points.into_iter().map(|at| pose.point(at.extend(0.0)));
        corners.extend(placed);
        radius = f64::max(radius, own);
        Some(())
    };
    match shape {
        Shape::Compound(compound) => {
            let mut parts = compound.parts().iter();
            parts.try_for_each(|part| add(&part.shape, &part.pose))?;
        }
        one => add(one, &Pose::IDENTITY)?,
    }
    let inner = around_points(&corners);
    Some(around(inner.center, inner.radius + radius))
}

fn around(center: DVec3, radius: f64) -> Sphere {
    Sphere { center, radius }
}

fn around_points(points: &[DVec3]) -> Sphere {
    let sphere = if points.len() <= tolerance::SMALLEST_SPHERE_POINTS {
        bounding_sphere_smallest(points)
    } else {
        bounding_sphere_ritter(points)
    };
    sphere.unwrap_or(around(DVec3::ZERO, 0.0))
}

#[cfg(test)]
mod tests {
    use super::super::shape::{
        Capsule, Compound, CompoundPart, Facing, Mesh, Obb, Placed, Plane, Segment, Solid, Triangle,
    };
    use super::*;
    use crate::random::{Random, rounds};
    use glam::{DQuat, DVec2};
    use std::sync::Arc;

    /// Half the diagonal of a rectangle of 6 by 8 is 5; a capsule is as long as its ends are apart and twice its radius.
    #[test]
    fn the_circle_around_an_outline_does_not_see_its_depth() {
        let half = DVec2::new(3.0, 4.0);
        let ends = [DVec2::new(1.0, 1.0), DVec2::new(4.0, 5.0)];
        for (shape, radius) in [
            (Shape::circle(2.0), 2.0),
            (Shape::rectangle(half, 0.0), 5.0),
            (Shape::rectangle(half, 0.5), 5.5),
            (Shape::stadium(ends[0], ends[1], 0.25), 2.75),
        ] {
            let circle = bounding_circle(&shape).expect("it is bounded");
            assert!((circle.radius - radius).abs() < 1e-9, "{circle:?} {radius}");
            assert_eq!(circle.center.z, 0.0);
        }
    }

    /// Every corner of what has corners; six points of what is round.
    fn outline(placed: &Placed<'_>) -> Vec<DVec3> {
        if let Placed::Compound(compound, pose) = placed {
            let parts = compound.placed(pose);
            return parts.flat_map(|part| outline(&part)).collect();
        }
        let round = |center: DVec3, radius: f64| {
            DVec3::AXES
                .into_iter()
                .flat_map(move |axis| [center + axis * radius, center - axis * radius])
        };
        match placed {
            Placed::Sphere(sphere) => round(sphere.center, sphere.radius).collect(),
            Placed::Obb(obb) => Obb::corners(obb).to_vec(),
            Placed::Segment(segment) => vec![segment.a, segment.b],
            Placed::Capsule(capsule) => round(capsule.segment.a, capsule.radius)
                .chain(round(capsule.segment.b, capsule.radius))
                .collect(),
            Placed::Triangle(triangle) => vec![triangle.a, triangle.b, triangle.c],
            Placed::Solid(solid, pose) => DVec3::AXES
                .into_iter()
                .flat_map(|axis| [axis, -axis])
                .map(|axis| {
                    pose.point(solid.support(pose.vector_to_local(axis))) + axis * solid.radius()
                })
                .collect(),
            Placed::Plane(_) | Placed::Compound(..) => vec![],
            Placed::Mesh(mesh, pose) => mesh.vertices().map(|v| pose.point(v)).collect(),
        }
    }

    fn shapes(points: [DVec3; 3], radius: f64) -> Vec<Shape> {
        let [a, b, c] = points;
        let facing = Facing::Both;
        let segment = Segment { a, b };
        let mesh = Mesh::new(points.to_vec(), vec![[0, 1, 2]], facing).unwrap();
        let part = |shape, at| CompoundPart {
            shape,
            pose: Pose::at(at),
        };
        let compound = Compound::new(vec![
            part(Shape::Sphere { radius }, b),
            part(
                Shape::Box {
                    half_extents: a.abs(),
                },
                c,
            ),
        ]);
        vec![
            Shape::Sphere { radius },
            Shape::Box {
                half_extents: a.abs(),
            },
            Shape::Segment(segment),
            Shape::Capsule(Capsule { segment, radius }),
            Shape::Triangle(Triangle { a, b, c, facing }),
            Shape::Mesh(Arc::new(mesh)),
            Shape::Compound(Arc::new(compound.unwrap())),
        ]
    }

    fn pose(random: &mut Random) -> Pose {
        let reach = random.pick(&[10.0, 1e7]);
        let mut pose = random.pose(reach);
        if random.yes() {
            pose.rotation = DQuat::IDENTITY;
        }
        pose
    }

    #[test]
    fn a_swept_box_holds_the_shape_at_every_fraction() {
        for seed in 0..rounds(2560) {
            let mut random = Random(seed);
            let points = [(); 3].map(|()| random.point(5.0));
            let shapes = shapes(points, random.range(0.0, 3.0));
            let (start, mut end) = (pose(&mut random), pose(&mut random));
            if random.yes() {
                end.rotation = start.rotation;
            }
            let motion = Motion { start, end };
            for shape in shapes {
                let swept = swept_aabb(&shape, &motion).unwrap();
                for step in 0..=32 {
                    let placed = shape.placed(&motion.pose(f64::from(step) / 32.0));
                    let inside = outline(&placed).iter().all(|&point| swept.contains(point));
                    assert!(inside, "seed {seed}: {} at {step}/32", shape.kind_name());
                }
            }
        }
    }

    /// Turns of up to 20 radians about any axis.
    #[test]
    fn a_turning_box_holds_the_shape_at_every_fraction() {
        for seed in 0..rounds(2560) {
            let mut random = Random(seed);
            let points = [(); 3].map(|()| random.point(5.0));
            let shapes = shapes(points, random.range(0.0, 3.0));
            let (start, to) = (pose(&mut random), random.point(3.0));
            let turn = random.point(1.0) * [0.1, 1.0, 10.0][random.index(3)];
            let at = |share: f64| Pose {
                position: start.position + to * share,
                rotation: DQuat::from_scaled_axis(turn * share) * start.rotation,
            };
            let motion = Motion {
                start,
                end: at(1.0),
            };
            for shape in shapes {
                let swept = turning_aabb(&shape, &motion, turn).unwrap();
                for step in 0..=32 {
                    let placed = shape.placed(&at(f64::from(step) / 32.0));
                    let inside = outline(&placed).iter().all(|&point| swept.contains(point));
                    assert!(inside, "seed {seed}: {} at {step}/32", shape.kind_name());
                }
            }
        }
    }

    /// A small part 5 m from the origin that turns by 0.1 goes 0.5 m along z, and at most 0.1^2 x 5.1 / 8 m off the chord.
    #[test]
    fn a_part_that_turns_a_little_stays_in_a_small_box() {
        let part = CompoundPart {
            shape: Shape::Sphere { radius: 0.1 },
            pose: Pose::at(DVec3::X * 5.0),
        };
        let shape = Shape::Compound(Arc::new(Compound::new(vec![part]).unwrap()));
        let turn = DVec3::Y * -0.1;
        let mut motion = Motion::still(Pose::IDENTITY);
        motion.end.rotation = DQuat::from_scaled_axis(turn);
        let swept = turning_aabb(&shape, &motion, turn).unwrap();
        let off = 0.1 * 0.1 * 5.1 / 8.0;
        let (min, max) = (
            DVec3::new(5.0 * 0.1_f64.cos() - 0.1 - off, -0.1 - off, -0.1 - off),
            DVec3::new(5.1, 0.1 + off, 5.0 * 0.1_f64.sin() + 0.1 + off),
        );
        assert!((swept.min - min).abs().max_element() < 1e-9, "{swept:?}");
        assert!((swept.max - max).abs().max_element() < 1e-9, "{swept:?}");
    }

    #[test]
    fn a_sphere_holds_its_shape() {
        for seed in 0..rounds(2560) {
            let mut random = Random(seed);
            let points = [(); 3].map(|()| random.point(5.0));
            for shape in shapes(points, random.range(0.0, 3.0)) {
                let sphere = bounding_sphere(&shape).unwrap();
                for point in outline(&shape.placed(&Pose::IDENTITY)) {
                    let away = point.distance(sphere.center);
                    let limit = sphere.radius * (1.0 + 1e-12);
                    assert!(away <= limit, "seed {seed}: {}", shape.kind_name());
                }
            }
        }
    }

    #[test]
    fn still_shapes_are_hardly_grown() {
        let shape = Shape::Box {
            half_extents: DVec3::ONE,
        };
        let swept = swept_aabb(&shape, &Motion::still(Pose::at(DVec3::X * 4.0))).unwrap();
        assert!((swept.max - DVec3::new(5.0, 1.0, 1.0)).length() < 1e-12);
    }

    #[test]
    fn planes_have_no_hull() {
        let plane = Shape::Plane(Plane {
            normal: DVec3::Y,
            offset: 0.0,
        });
        assert_eq!(swept_aabb(&plane, &Motion::still(Pose::IDENTITY)), None);
        assert_eq!(bounding_sphere(&plane), None);
    }

    #[test]
    fn the_origin_is_the_centre_where_that_is_no_looser() {
        let segment = Segment {
            a: DVec3::new(-1.0, -2.0, 0.3),
            b: DVec3::new(1.0, 2.0, -0.3),
        };
        let sphere = bounding_sphere(&Shape::Segment(segment)).unwrap();
        assert_eq!(sphere.center, DVec3::ZERO);
        let off = Segment {
            a: DVec3::X,
            b: DVec3::X * 3.0,
        };
        let sphere = bounding_sphere(&Shape::Segment(off)).unwrap();
        assert_eq!(sphere.center, DVec3::X * 2.0);
    }
}
