//! An object of a log, validated: the same rules as a scene's.

use super::json::{FacingWord, MotionWord, Number, ObjectLine, ShapeLine, Vec3};
use super::space::Space;
use crate::core::scene::{Bits, Folder, MeshSource, Movement, Object, read_mesh};
use crate::core::shape::{Capsule, Facing, Mesh, Plane, Pose, Segment, Shape, Triangle};
use crate::core::tolerance::UNIT_QUATERNION;
use glam::DVec3;
use std::sync::Arc;

/// The object a line describes, with an oddity that does not stop it.
///
/// # Errors
/// Every fault of it, a sentence each.
pub(super) fn object(
    line: ObjectLine,
    space: &Space,
    folder: &dyn Folder,
) -> Result<(Object, Option<&'static str>), Vec<String>> {
    let mut faults = Vec::new();
    let position = line
        .position
        .map_or(DVec3::ZERO, |position| space.vector(position));
    let (rotation, odd) = line
        .rotation
        .map_or((Pose::IDENTITY.rotation, None), |rotation| {
            space.rotation(rotation)
        });
    if !position.is_finite() || !rotation.is_finite() {
        faults.push("its pose is not finite".to_string());
    }
    let mass = line.mass.map_or(1.0, |mass| space.number(mass));
    if !(mass > 0.0 && mass.is_finite()) {
        faults.push(format!("its mass is {mass}, and must be above 0"));
    }
    let name = match line.name {
        Some(name) if name.trim().is_empty() => format!("object {}", line.id),
        Some(name) => name,
        None => format!("object {}", line.id),
    };
    let shape = shape(line.shape, space, folder);
    match shape {
        Ok((shape, mesh)) if faults.is_empty() => {
            let object = Object {
                mesh,
                pose: Pose { position, rotation },
                movement: movement(line.motion),
                mass,
                layer: line.layer.map_or(1, |Bits(bits)| bits),
                mask: line.mask.map_or(u32::MAX, |Bits(bits)| bits),
                sensor: line.sensor,
                ccd: line.ccd,
                scale: line
                    .scale
                    .map(|scale| DVec3::from_array(scale.map(|Number(part)| part))),
                color: line.color,
                tags: line.tags,
                ..Object::new(name, shape, position)
            };
            Ok((object, odd))
        }
        Ok(_) => Err(faults),
        Err(fault) => {
            faults.push(fault);
            Err(faults)
        }
    }
}

/// What is wrong with an object that a program wants to record: what would be refused on the way back in.
pub(super) fn fault(object: &Object) -> Option<String> {
    if !object.pose.is_finite() {
        return Some("its pose is not finite".into());
    }
    if !(object.mass > 0.0 && object.mass.is_finite()) {
        return Some(format!("its mass is {}, and must be above 0", object.mass));
    }
    let finite = |points: &[DVec3]| match points.iter().all(|point| point.is_finite()) {
        true => Ok(()),
        false => Err("one of its points is not finite".to_string()),
    };
    let checked = match &object.shape {
        Shape::Sphere { radius } => above_zero(*radius, "radius").map(|_| ()),
        Shape::Box { half_extents } => box_extents(*half_extents).map(|_| ()),
        Shape::Segment(segment) => finite(&[segment.a, segment.b]),
        Shape::Capsule(capsule) => finite(&[capsule.segment.a, capsule.segment.b])
            .and_then(|()| above_zero(capsule.radius, "radius").map(|_| ())),
        Shape::Solid(_) => Ok(()),
        Shape::Triangle(triangle) => finite(&[triangle.a, triangle.b, triangle.c]),
        Shape::Plane(plane) if plane.normal.try_normalize().is_none() => {
            Err("its normal has no direction".into())
        }
        Shape::Plane(plane) if !plane.offset.is_finite() => Err("its offset is not finite".into()),
        // A mesh was checked when it was made.
        Shape::Plane(_) | Shape::Mesh(_) => Ok(()),
    };
    checked.err()
}

fn movement(word: Option<MotionWord>) -> Movement {
    match word {
        None | Some(MotionWord::Dynamic) => Movement::Velocity,
        Some(MotionWord::Fixed) => Movement::Fixed,
        Some(MotionWord::Kinematic) => Movement::Kinematic,
    }
}

fn facing(word: FacingWord) -> Facing {
    match word {
        FacingWord::Both => Facing::Both,
        FacingWord::Front => Facing::Front,
    }
}

type ShapeAndSource = (Shape, Option<MeshSource>);

fn shape(line: ShapeLine, space: &Space, folder: &dyn Folder) -> Result<ShapeAndSource, String> {
    let shape = match line {
        ShapeLine::Sphere { radius } => Shape::Sphere {
            radius: above_zero(space.length(radius), "radius")?,
        },
        ShapeLine::Box { half_extents } => Shape::Box {
            half_extents: box_extents(space.half_extents(half_extents))?,
        },
        ShapeLine::Segment { a, b } => Shape::Segment(Segment {
            a: point(space, a)?,
            b: point(space, b)?,
        }),
        ShapeLine::Capsule { a, b, radius } => Shape::Capsule(Capsule {
            segment: Segment {
                a: point(space, a)?,
                b: point(space, b)?,
            },
            radius: above_zero(space.length(radius), "radius")?,
        }),
        ShapeLine::Triangle {
            a,
            b,
            c,
            facing: word,
        } => Shape::Triangle(Triangle {
            a: point(space, a)?,
            b: point(space, b)?,
            c: point(space, c)?,
            facing: facing(word),
        }),
        ShapeLine::Plane { normal, offset } => plane(space, normal, offset)?,
        ShapeLine::Mesh {
            file,
            vertices,
            triangles,
            facing: word,
        } => return mesh(file, vertices, triangles, facing(word), space, folder),
    };
    Ok((shape, None))
}

fn above_zero(value: f64, what: &str) -> Result<f64, String> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(format!("its {what} is {value} m, and must be above 0"))
    }
}

fn box_extents(half_extents: DVec3) -> Result<DVec3, String> {
    if half_extents.is_finite() && half_extents.min_element() >= 0.0 {
        Ok(half_extents)
    } else {
        Err(format!(
            "its half_extents are {half_extents} m, and none may be below 0"
        ))
    }
}

fn point(space: &Space, written: Vec3) -> Result<DVec3, String> {
    let point = space.vector(written);
    if point.is_finite() {
        Ok(point)
    } else {
        Err("one of its points is not finite".into())
    }
}

/// A normal within rounding of unit length keeps its bits; another scales the plane, whose equation it is a factor of.
fn plane(space: &Space, normal: Vec3, offset: Number) -> Result<Shape, String> {
    let normal = space.direction(normal);
    let offset = space.length(offset);
    if !offset.is_finite() {
        return Err("its offset is not finite".into());
    }
    if (normal.length_squared() - 1.0).abs() <= UNIT_QUATERNION {
        return Ok(Shape::Plane(Plane { normal, offset }));
    }
    let normal = normal
        .try_normalize()
        .ok_or("its normal has no direction")?;
    Ok(Shape::Plane(Plane { normal, offset }))
}

fn mesh(
    file: Option<String>,
    vertices: Option<Vec<Vec3>>,
    triangles: Option<Vec<[u32; 3]>>,
    facing: Facing,
    space: &Space,
    folder: &dyn Folder,
) -> Result<ShapeAndSource, String> {
    match (file, vertices, triangles) {
        (Some(file), None, None) => {
            let mesh = mesh_file(&file, facing, space, folder)?;
            Ok((Shape::Mesh(mesh), Some(MeshSource::File(file))))
        }
        (None, Some(vertices), Some(triangles)) => {
            let vertices = vertices.into_iter().map(|v| space.vector(v)).collect();
            let mesh = Mesh::new(vertices, triangles, facing)?;
            Ok((Shape::Mesh(Arc::new(mesh)), Some(MeshSource::Inline)))
        }
        _ => Err("a mesh has either `file` or both `vertices` and `triangles`".into()),
    }
}

fn mesh_file(
    file: &str,
    facing: Facing,
    space: &Space,
    folder: &dyn Folder,
) -> Result<Arc<Mesh>, String> {
    read_mesh(folder, file, facing, space.units)
        .map(Arc::new)
        .map_err(|problem| problem.to_string())
}
