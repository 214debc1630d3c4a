//! Shapes, rotations and numbers as templates are given them: numbers are text, which every language reads.

use crate::core::number::without_noise;
use crate::core::shape::{ChainFacing, Facing, Mesh, Pose, Shape, Solid as _, SolidShape};
use glam::{DQuat, DVec2, DVec3};
use minijinja::{Value, context};

/// Digits of a number, as many as single precision keeps (no unit).
const DIGITS: usize = 7;

/// A rotation as engines write it.
pub fn rotation(rotation: DQuat) -> Value {
    let DQuat { x, y, z, w } = rotation;
    let list = |parts: [f64; 4]| parts.map(number).join(", ");
    context! {
        xyzw => list([x, y, z, w]),
        wxyz => list([w, x, y, z]),
        angle => number(2.0 * z.atan2(w)),
    }
}

/// A shape by its kind and numbers.
pub fn shape(shape: &Shape, is_flat: bool) -> Result<Value, String> {
    if is_flat {
        flat_shape(shape)
    } else {
        solid_shape(shape)
    }
}

fn solid_shape(shape: &Shape) -> Result<Value, String> {
    let three = |point: DVec3| vector(point, false);
    Ok(match shape {
        Shape::Sphere { radius } => context! { kind => "sphere", radius => number(*radius) },
        Shape::Box { half_extents } => {
            context! { kind => "box", half => parts(*half_extents, 3), radius => number(0.0), rounded => false }
        }
        Shape::Solid(SolidShape::RoundedBox(rounded)) => context! {
            kind => "box", half => parts(rounded.half_extents, 3), radius => number(rounded.radius), rounded => true,
        },
        Shape::Capsule(capsule) => {
            let (a, b) = (capsule.segment.a, capsule.segment.b);
            let along = (b - a).normalize_or(DVec3::Y);
            let turned_from = |axis: DVec3| rotation(DQuat::from_rotation_arc(axis, along));
            context! {
                kind => "capsule", radius => number(capsule.radius), a => three(a), b => three(b),
                half_height => number(0.5 * a.distance(b)), height => number(a.distance(b)), centre => three(a.midpoint(b)),
                from_x => turned_from(DVec3::X), from_y => turned_from(DVec3::Y), from_z => turned_from(DVec3::Z),
            }
        }
        Shape::Solid(SolidShape::Cylinder(cylinder)) => context! {
            kind => "cylinder", radius => number(cylinder.radius), half_height => number(cylinder.half_height),
            height => number(2.0 * cylinder.half_height), from_z => rotation(DQuat::from_rotation_arc(DVec3::Z, DVec3::Y)),
            from_x => rotation(DQuat::from_rotation_arc(DVec3::X, DVec3::Y)),
        },
        Shape::Solid(SolidShape::Cone(cone)) => context! {
            kind => "cone", radius => number(cone.radius), half_height => number(cone.half_height), height => number(2.0 * cone.half_height),
        },
        Shape::Solid(SolidShape::Hull(hull)) => context! {
            kind => "hull", points => hull.points().iter().map(|point| three(*point)).collect::<Vec<_>>(),
            radius => number(hull.radius()), rounded => hull.radius() > 0.0,
        },
        Shape::Mesh(mesh) => mesh_value(mesh),
        Shape::Triangle(triangle) => context! {
            kind => "mesh", points => [triangle.a, triangle.b, triangle.c].map(three).to_vec(), triangles => vec!["0, 1, 2"],
            one_sided => triangle.facing == Facing::Front,
        },
        Shape::Plane(plane) => {
            context! { kind => "plane", normal => three(plane.normal), offset => number(plane.offset) }
        }
        Shape::Segment(_) => {
            return Err(
                "is a segment, which no engine has in three dimensions; take --for log".to_owned(),
            );
        }
        Shape::Compound(compound) => {
            let placed = compound
                .parts()
                .iter()
                .map(|part| placed(&part.shape, part.pose, false));
            context! { kind => "compound", parts => placed.collect::<Result<Vec<_>, String>>()? }
        }
    })
}

fn mesh_value(mesh: &Mesh) -> Value {
    let triangles = mesh
        .triangles()
        .map(|corners| corners.map(|corner| corner.to_string()).join(", "));
    context! {
        kind => "mesh", points => mesh.vertices().map(|vertex| vector(vertex, false)).collect::<Vec<_>>(),
        triangles => triangles.collect::<Vec<_>>(), one_sided => mesh.facing() == Facing::Front,
    }
}

/// A shape of a flat level.
fn flat_shape(shape: &Shape) -> Result<Value, String> {
    let two = |point: DVec2| vector(point.extend(0.0), true);
    if let Some(([a, b], radius)) = shape.as_stadium() {
        return Ok(context! {
            kind => "capsule", a => two(a), b => two(b), radius => number(radius), half_height => number(0.5 * a.distance(b)),
            height => number(a.distance(b)), centre => two(a.midpoint(b)), angle => number((b - a).to_angle()),
        });
    }
    if let Some((points, radius)) = shape.as_polygon() {
        let points: Vec<String> = points.into_iter().map(two).collect();
        return Ok(
            context! { kind => "polygon", points => points, radius => number(radius), rounded => radius > 0.0 },
        );
    }
    let chain = |points: Vec<DVec2>, is_closed: bool, facing: ChainFacing| {
        // Box2D smooths corners with the points before the first and after the last segment.
        let mut ghosted = points.clone();
        if let ([a, b, ..], [.., y, z], false) = (&points[..], &points[..], is_closed) {
            ghosted.insert(0, 2.0 * *a - *b);
            ghosted.push(2.0 * *z - *y);
        }
        let texts = |points: Vec<DVec2>| points.into_iter().map(two).collect::<Vec<_>>();
        context! {
            kind => "chain", ghosted => texts(ghosted), points => texts(points), closed => is_closed,
            one_sided => facing != ChainFacing::Both,
        }
    };
    if let Some((mut points, is_closed, facing)) = shape.as_chain() {
        // The solid side of an engine's chain is the right one.
        if facing == ChainFacing::Left {
            points.reverse();
        }
        return Ok(chain(points, is_closed, facing));
    }
    Ok(match shape {
        Shape::Sphere { radius } => context! { kind => "circle", radius => number(*radius) },
        Shape::Box { half_extents } => {
            context! { kind => "box", half => parts(*half_extents, 2), radius => number(0.0), rounded => false }
        }
        Shape::Solid(SolidShape::RoundedBox(rounded)) => context! {
            kind => "box", half => parts(rounded.half_extents, 2), radius => number(rounded.radius), rounded => true,
        },
        Shape::Segment(segment) => chain(
            vec![segment.a.truncate(), segment.b.truncate()],
            false,
            ChainFacing::Both,
        ),
        Shape::Plane(plane) => {
            context! { kind => "plane", normal => vector(plane.normal, true), offset => number(plane.offset) }
        }
        Shape::Compound(compound) => {
            let placed = compound
                .parts()
                .iter()
                .map(|part| placed(&part.shape, part.pose, true));
            context! { kind => "compound", parts => placed.collect::<Result<Vec<_>, String>>()? }
        }
        other => {
            return Err(format!(
                "is a {} of a flat level, which templates do not have; take --for log",
                other.kind_name()
            ));
        }
    })
}

fn placed(part: &Shape, pose: Pose, is_flat: bool) -> Result<Value, String> {
    Ok(context! {
        shape => shape(part, is_flat)?,
        p => vector(pose.position, is_flat),
        ..rotation(pose.rotation)
    })
}

/// `1.5`, `1e-7`.
pub fn number(value: f64) -> String {
    let short: f64 = format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value);
    // Without the sign of a zero.
    format!("{:?}", short + 0.0)
}

fn parts(vector: DVec3, count: usize) -> Vec<String> {
    vector.to_array()[..count]
        .iter()
        .map(|part| number(*part))
        .collect()
}

/// `1.0, 0.0, -2.5`
pub fn vector(vector: DVec3, is_flat: bool) -> String {
    parts(without_noise(vector), if is_flat { 2 } else { 3 }).join(", ")
}
