//! Objects moved, rotated, scaled and reshaped by handles. Results are rounded to few digits, as they are written in a scene.

use crate::core::scene::{MeshSource, Movement, Object};
use crate::core::shape::{
    Capsule, Compound, CompoundPart, ConvexHull, Facing, Mesh, Pose, Segment, Shape, Solid,
    SolidShape, Triangle,
};
use glam::{DMat3, DQuat, DVec3};
use std::sync::Arc;

/// Meshes with more corners have no handles for them.
const MAX_CORNERS: usize = 64;
/// Least size after scaling, metres.
const MIN_SIZE: f64 = 1e-6;

/// A number rounded to this many decimals, which may be negative.
pub fn rounded(value: f64, digits: i32) -> f64 {
    if !value.is_finite() || digits > 15 {
        return value;
    }
    let scale = 10_f64.powi(digits.abs());
    let round = match digits >= 0 {
        true => (value * scale).round() / scale,
        false => (value / scale).round() * scale,
    };
    // Not -0.
    if round == 0.0 { 0.0 } else { round }
}

/// The number of decimals with which a length is not rounded to zero.
pub fn decimals_of(metres: f64) -> i32 {
    if metres > 0.0 && metres.is_finite() {
        (-metres.log10()).ceil().clamp(-6.0, 15.0) as i32
    } else {
        15
    }
}

/// A point plus a displacement. Components that do not change keep their bits, the others are rounded.
fn shifted(from: DVec3, by: DVec3, digits: Option<i32>) -> DVec3 {
    let part = |from: f64, by: f64| match (by == 0.0, digits) {
        (true, _) => from,
        (false, Some(digits)) => rounded(from + by, digits),
        (false, None) => from + by,
    };
    DVec3::new(part(from.x, by.x), part(from.y, by.y), part(from.z, by.z))
}

/// The object with changed poses: only the keyframe at frame `at`, if there is one, else the pose and all keyframes.
fn with_poses(object: &Object, at: Option<u32>, change: impl Fn(&Pose) -> Pose) -> Object {
    let mut object = object.clone();
    let old = object.pose;
    if let Movement::Keyframes(keyframes) = &mut object.movement {
        let one = keyframes.iter().position(|key| Some(key.frame) == at);
        // An object at its first keyframe stays at it.
        let is_at_first = keyframes
            .first()
            .is_some_and(|first| first.position == old.position);
        for (index, key) in keyframes.iter_mut().enumerate() {
            if one.is_none_or(|one| one == index) {
                let pose = change(&Pose {
                    position: key.position,
                    rotation: key.rotation,
                });
                (key.position, key.rotation) = (pose.position, pose.rotation);
            }
        }
        match (is_at_first, keyframes.first()) {
            (true, Some(first)) => object.pose.position = first.position,
            (false, _) if one.is_none() => object.pose = change(&old),
            _ => {}
        }
        return object;
    }
    object.pose = change(&old);
    object
}

/// The object moved by a displacement, metres, world space; of a keyframed one only the keyframe at frame `at`, if there is one.
pub fn moved(object: &Object, by: DVec3, at: Option<u32>, digits: Option<i32>) -> Object {
    with_poses(object, at, |pose| Pose {
        position: shifted(pose.position, by, digits),
        rotation: pose.rotation,
    })
}

/// A rotation around a point, world space.
#[derive(Clone, Copy, Debug)]
pub struct Rotation {
    /// The rotation.
    pub by: DQuat,
    /// The fixed point, metres.
    pub pivot: DVec3,
    /// Decimals of positions that change.
    pub digits: i32,
}

/// The object rotated, as seen at its pose `shown`. A spinning one is rotated at frame 0 such that `shown` is rotated by as much.
pub fn rotated(object: &Object, shown: &Pose, rotation: &Rotation, at: Option<u32>) -> Object {
    let arm = shown.position - rotation.pivot;
    let travel = rotation.by * arm - arm;
    // Less is rounding, of an object at the pivot.
    let is_at_pivot = travel.length() <= 1e-12 * (1.0 + shown.position.length());
    let travel = if is_at_pivot { DVec3::ZERO } else { travel };
    let spun = match object.movement {
        Movement::Keyframes(_) => DQuat::IDENTITY,
        _ if shown.rotation == object.pose.rotation => DQuat::IDENTITY,
        _ => shown.rotation * object.pose.rotation.conjugate(),
    };
    with_poses(object, at, |pose| Pose {
        position: shifted(pose.position, travel, Some(rotation.digits)),
        rotation: (spun.conjugate() * rotation.by * spun * pose.rotation).normalize(),
    })
}

/// The object scaled by factors along its own axes, sizes rounded by `size`; `None` for a plane and a mesh from a file.
pub fn scaled(object: &Object, factors: DVec3, size: impl Fn(f64) -> f64) -> Option<Object> {
    let inline = object.mesh == Some(MeshSource::Inline);
    Some(Object {
        shape: scaled_shape(&object.shape, inline, factors, &size)?,
        ..object.clone()
    })
}

fn scaled_shape(
    shape: &Shape,
    inline: bool,
    factors: DVec3,
    size: &dyn Fn(f64) -> f64,
) -> Option<Shape> {
    let center = shape.centroid();
    let point = |p: DVec3| {
        let arm = (p - center) * factors;
        let part = |middle: f64, arm: f64, was: f64| match middle + arm == was {
            true => was,
            false => middle + arm.signum() * size(arm.abs()),
        };
        DVec3::new(
            part(center.x, arm.x, p.x),
            part(center.y, arm.y, p.y),
            part(center.z, arm.z, p.z),
        )
    };
    let length = |was: f64, factor: f64| match factor == 1.0 {
        true => was,
        false => size(was * factor).max(MIN_SIZE),
    };
    let all = most_different(factors);
    Some(match shape {
        Shape::Sphere { radius } => Shape::Sphere {
            radius: length(*radius, all),
        },
        Shape::Box { half_extents } => Shape::Box {
            half_extents: DVec3::new(
                length(half_extents.x, factors.x),
                length(half_extents.y, factors.y),
                length(half_extents.z, factors.z),
            ),
        },
        Shape::Segment(line) => Shape::Segment(Segment {
            a: point(line.a),
            b: point(line.b),
        }),
        Shape::Capsule(capsule) => {
            let along = (capsule.segment.b - capsule.segment.a).abs();
            let axis = (0..3).max_by(|&i, &j| along[i].total_cmp(&along[j]))?;
            let across = (0..3).filter(|&other| other != axis).map(|i| factors[i]);
            let across = across.fold(1.0, |a: f64, b| if b == 1.0 { a } else { b });
            Shape::Capsule(Capsule {
                segment: Segment {
                    a: point(capsule.segment.a),
                    b: point(capsule.segment.b),
                },
                radius: length(capsule.radius, across),
            })
        }
        Shape::Solid(SolidShape::Hull(hull)) => {
            let points = hull.points().iter().map(|&corner| point(corner)).collect();
            let radius = match hull.radius() {
                0.0 => 0.0,
                radius => length(radius, all),
            };
            let hull = ConvexHull::new(points, radius).ok()?;
            Shape::Solid(SolidShape::Hull(Arc::new(hull)))
        }
        Shape::Compound(compound) => {
            let part = |part: &CompoundPart| {
                // A rotated part has other axes than the whole.
                let own = match part.pose.rotation == DQuat::IDENTITY {
                    true => factors,
                    false => DVec3::splat(all),
                };
                Some(CompoundPart {
                    shape: scaled_shape(&part.shape, false, own, size)?,
                    pose: Pose {
                        position: point(part.pose.position),
                        ..part.pose
                    },
                })
            };
            let parts: Option<Vec<_>> = compound.parts().iter().map(part).collect();
            Shape::Compound(Arc::new(Compound::new(parts?).ok()?))
        }
        Shape::Solid(solid) => {
            let mut solid = solid.clone();
            for (name, value) in solid.measures_mut() {
                let factor = match name {
                    "half height" | "half extent y" => factors.y,
                    "half extent x" => factors.x,
                    "half extent z" => factors.z,
                    _ => most_different(DVec3::new(factors.x, 1.0, factors.z)),
                };
                *value = length(*value, factor);
            }
            Shape::Solid(solid)
        }
        Shape::Triangle(triangle) => Shape::Triangle(Triangle {
            a: point(triangle.a),
            b: point(triangle.b),
            c: point(triangle.c),
            ..*triangle
        }),
        Shape::Mesh(mesh) if inline => {
            let corners = mesh.vertices().map(point);
            with_vertices(mesh, corners.collect())?
        }
        Shape::Plane(_) | Shape::Mesh(_) => return None,
    })
}

fn with_vertices(mesh: &Mesh, corners: Vec<DVec3>) -> Option<Shape> {
    let (faces, facing): (_, Facing) = (mesh.triangles().collect(), mesh.facing());
    Some(Shape::Mesh(Arc::new(
        Mesh::new(corners, faces, facing).ok()?,
    )))
}

/// The factor for a shape with a single size.
fn most_different(factors: DVec3) -> f64 {
    let parts = factors.to_array().into_iter();
    parts.fold(1.0, |most: f64, factor| {
        if (factor - 1.0).abs() > (most - 1.0).abs() {
            factor
        } else {
            most
        }
    })
}

/// The points of a shape that have handles, local space, metres; none for a mesh with many.
pub fn corners(object: &Object) -> Vec<DVec3> {
    match &object.shape {
        Shape::Segment(segment) => vec![segment.a, segment.b],
        Shape::Capsule(capsule) => vec![capsule.segment.a, capsule.segment.b],
        Shape::Triangle(triangle) => vec![triangle.a, triangle.b, triangle.c],
        Shape::Mesh(mesh)
            if object.mesh == Some(MeshSource::Inline) && mesh.vertices().len() <= MAX_CORNERS =>
        {
            mesh.vertices().collect()
        }
        Shape::Sphere { .. }
        | Shape::Box { .. }
        | Shape::Solid(_)
        | Shape::Plane(_)
        | Shape::Compound(_)
        | Shape::Mesh(_) => Vec::new(),
    }
}

/// The object with one of its [`corners`] moved to a position, local space.
pub fn with_corner(object: &Object, index: usize, position: DVec3) -> Option<Object> {
    let mut points = corners(object);
    *points.get_mut(index)? = position;
    let shape = match (&object.shape, &points[..]) {
        (Shape::Segment(_), &[a, b]) => Shape::Segment(Segment { a, b }),
        (Shape::Capsule(capsule), &[a, b]) => Shape::Capsule(Capsule {
            segment: Segment { a, b },
            ..*capsule
        }),
        (Shape::Triangle(triangle), &[a, b, c]) => Shape::Triangle(Triangle {
            a,
            b,
            c,
            ..*triangle
        }),
        (Shape::Mesh(mesh), _) => with_vertices(mesh, points)?,
        _ => return None,
    };
    Some(Object {
        shape,
        ..object.clone()
    })
}

/// The local axes at a pose.
pub fn axes(pose: &Pose) -> [DVec3; 3] {
    let axes = DMat3::from_quat(pose.rotation);
    [axes.x_axis, axes.y_axis, axes.z_axis]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::scene::Keyframe;
    use std::f64::consts::FRAC_PI_2;

    fn ball() -> Object {
        let at = DVec3::new(1.0, 0.1, -3.0);
        Object::new("ball", Shape::Sphere { radius: 0.5 }, at)
    }

    #[test]
    fn moves_are_written_in_few_digits_and_other_axes_keep_their_bits() {
        let by = DVec3::new(0.123_456, 0.0, 0.0);
        let place = moved(&ball(), by, None, Some(3)).pose.position;
        assert_eq!(place, DVec3::new(1.123, 0.1, -3.0));
        let exact = moved(&ball(), by, None, None).pose.position;
        assert_eq!(exact, DVec3::new(1.0 + 0.123_456, 0.1, -3.0));
        assert_eq!(rounded(-0.000_1, 3).to_bits(), 0.0_f64.to_bits());
        assert_eq!(rounded(1234.5, -2), 1200.0);
        assert_eq!((decimals_of(0.004), decimals_of(30.0)), (3, -1));
    }

    #[test]
    fn a_turn_goes_around_its_pivot_and_what_spins_is_seen_turned() {
        let turn = Rotation {
            by: DQuat::from_rotation_y(FRAC_PI_2),
            pivot: DVec3::new(0.0, 0.1, -3.0),
            digits: 9,
        };
        let still = rotated(&ball(), &ball().pose, &turn, None);
        assert_eq!(still.pose.position, DVec3::new(0.0, 0.1, -4.0));
        // Seen after a spin around x: its start is turned so that the spin takes it there.
        let spin = DQuat::from_rotation_x(0.7);
        let shown = Pose {
            rotation: spin * ball().pose.rotation,
            ..ball().pose
        };
        let spun = rotated(&ball(), &shown, &turn, None);
        let seen = spin * spun.pose.rotation;
        assert!(seen.dot(turn.by * shown.rotation).abs() > 1.0 - 1e-12);
    }

    #[test]
    fn scaling_changes_the_sizes_exactly() {
        let keep = |size: f64| size;
        let twice = scaled(&ball(), DVec3::new(1.0, 2.0, 1.0), keep).unwrap();
        assert_eq!(twice.shape, Shape::Sphere { radius: 1.0 });
        let mut plank = ball();
        plank.shape = Shape::Box {
            half_extents: DVec3::new(0.25, 1.0, 3.0),
        };
        let longer = scaled(&plank, DVec3::new(1.0, 1.0, 1.5), keep).unwrap();
        let half_extents = DVec3::new(0.25, 1.0, 4.5);
        assert_eq!(longer.shape, Shape::Box { half_extents });
        let mut flat = ball();
        flat.shape = Shape::Triangle(Triangle {
            a: DVec3::new(3.0, 0.0, 0.0),
            b: DVec3::new(6.0, 0.0, 0.0),
            c: DVec3::new(3.0, 3.0, 0.0),
            facing: Facing::Front,
        });
        let Shape::Triangle(larger) = scaled(&flat, DVec3::splat(2.0), keep).unwrap().shape else {
            panic!("it stays a triangle");
        };
        // Around its middle at (4, 1, 0).
        assert_eq!(larger.a, DVec3::new(2.0, -1.0, 0.0));
        assert_eq!(larger.b, DVec3::new(8.0, -1.0, 0.0));
        assert_eq!(larger.c, DVec3::new(2.0, 5.0, 0.0));
        let none = scaled(&ball(), DVec3::ZERO, keep).unwrap();
        assert_eq!(none.shape, Shape::Sphere { radius: MIN_SIZE });
    }

    #[test]
    fn a_keyframe_is_moved_where_the_playhead_stands_on_it_else_all_of_them() {
        let mut lift = ball();
        let key = |frame, y| Keyframe {
            frame,
            position: DVec3::new(0.0, y, 0.0),
            rotation: DQuat::IDENTITY,
        };
        lift.pose.position = DVec3::ZERO;
        lift.movement = Movement::Keyframes(vec![key(0, 0.0), key(8, 4.0)]);
        let places = |object: &Object| match &object.movement {
            Movement::Keyframes(keys) => keys.iter().map(|key| key.position.y).collect(),
            _ => Vec::new(),
        };
        let one = moved(&lift, DVec3::Y, Some(8), None);
        assert_eq!(places(&one), [0.0, 5.0]);
        assert_eq!(one.pose.position, DVec3::ZERO);
        let first = moved(&lift, DVec3::Y, Some(0), None);
        assert_eq!(places(&first), [1.0, 4.0]);
        assert_eq!(first.pose.position, DVec3::Y, "it still stands there");
        let all = moved(&lift, DVec3::Y, Some(3), None);
        assert_eq!(places(&all), [1.0, 5.0]);
    }

    #[test]
    fn corners_are_moved_one_by_one() {
        let mut line = ball();
        line.shape = Shape::Segment(Segment {
            a: DVec3::ZERO,
            b: DVec3::X,
        });
        let bent = with_corner(&line, 1, DVec3::Y).unwrap();
        assert_eq!(corners(&bent), [DVec3::ZERO, DVec3::Y]);
        assert_eq!(with_corner(&line, 2, DVec3::Y), None);
        assert_eq!(corners(&ball()), []);
    }
}
