//! Objects and their shapes.

use super::super::folder::Folder;
use super::super::mesh_file::MeshFiles;
use super::super::places::Path;
use super::super::raw;
use super::super::raw_value::{Triple, Vec3};
use super::super::types::{MeshSource, Object, Units};
use super::check::Check;
use super::{is_zero, moving};
use crate::core::shape::{Capsule, Facing, Mesh, Plane, Segment, Shape, Triangle};
use std::collections::HashMap;
use std::sync::Arc;

/// Every object; `None` where there is no usable shape, which is then among the problems.
pub(super) fn objects(
    check: &mut Check,
    raw: &[Option<raw::Object>],
    units: Units,
    folder: &dyn Folder,
) -> Vec<Option<Object>> {
    let root = Path::ROOT;
    let list = root.field("objects");
    let mut names: HashMap<&str, usize> = HashMap::new();
    let mut files = MeshFiles::new(folder, units);
    let mut objects = Vec::with_capacity(raw.len());
    for (index, raw) in raw.iter().enumerate() {
        let Some(raw) = raw else { continue };
        let at = list.index(index);
        let name_at = at.field("name");
        if raw.name.trim().is_empty() {
            check.problem(
                &name_at,
                "the object has no name",
                "give it a name of its own",
            );
        } else if let Some(first) = names.get(raw.name.as_str()) {
            let first = list.index(*first);
            let what = format!("`{}` is already the name of the object", raw.name);
            check.clash(&name_at, &first.field("name"), what, "rename one of them");
        } else {
            names.insert(&raw.name, index);
        }
        objects.push(object(check, &at, raw, units, &mut files));
    }
    objects
}

fn object(
    check: &mut Check,
    at: &Path<'_>,
    raw: &raw::Object,
    units: Units,
    files: &mut MeshFiles<'_>,
) -> Option<Object> {
    let (movement, pose) = moving::movement(check, at, raw, units);
    let velocity = check.vector(&at.field("velocity"), raw.velocity, "the velocity");
    let spin = check.vector(&at.field("spin"), raw.spin, "the spin");
    check.positive(
        &at.field("mass"),
        raw.mass,
        "the mass",
        "what cannot be moved is motion: Fixed",
    );
    let scale = raw
        .scale
        .map(|scale| check.vector(&at.field("scale"), scale, "the scale"));
    let (shape, mesh) = shape(check, &at.field("shape"), &raw.shape, units, files)?;
    Some(Object {
        name: raw.name.clone(),
        shape,
        mesh,
        pose,
        velocity: units.vector(velocity),
        spin: units.direction(spin),
        movement,
        mass: raw.mass,
        layer: raw.layer.0,
        mask: raw.mask.0,
        sensor: raw.sensor,
        ccd: raw.ccd,
        scale,
        color: raw.color.map(|color| color.0),
        tags: raw.tags.clone(),
    })
}

fn shape(
    check: &mut Check,
    at: &Path<'_>,
    raw: &raw::Shape,
    units: Units,
    files: &mut MeshFiles<'_>,
) -> Option<(Shape, Option<MeshSource>)> {
    let point = |check: &mut Check, name: &'static str, value: Vec3| {
        units.vector(check.vector(&at.field(name), value, name))
    };
    let shape = match raw {
        raw::Shape::Sphere { radius } => {
            check.positive(
                &at.field("radius"),
                *radius,
                "the radius",
                "a point is a tiny radius",
            );
            Shape::Sphere {
                radius: radius * units.length,
            }
        }
        raw::Shape::Box { half_extents } => Shape::Box {
            half_extents: half_extents_of(check, &at.field("half_extents"), *half_extents, units),
        },
        raw::Shape::Segment { a, b } => Shape::Segment(Segment {
            a: point(check, "a", *a),
            b: point(check, "b", *b),
        }),
        raw::Shape::Capsule { a, b, radius } => {
            check.positive(
                &at.field("radius"),
                *radius,
                "the radius",
                "without one, write Segment",
            );
            Shape::Capsule(Capsule {
                segment: Segment {
                    a: point(check, "a", *a),
                    b: point(check, "b", *b),
                },
                radius: radius * units.length,
            })
        }
        raw::Shape::Triangle { a, b, c, facing } => Shape::Triangle(Triangle {
            a: point(check, "a", *a),
            b: point(check, "b", *b),
            c: point(check, "c", *c),
            facing: *facing,
        }),
        raw::Shape::Plane { normal, offset } => {
            let normal = check.unit_vector(&at.field("normal"), *normal, "the normal");
            check.number(&at.field("offset"), *offset, "the offset");
            Shape::Plane(Plane {
                normal: units.direction(normal),
                offset: offset * units.length,
            })
        }
        raw::Shape::Mesh {
            file,
            vertices,
            triangles,
            facing,
        } => {
            return mesh(
                check,
                at,
                (file, vertices, triangles),
                *facing,
                units,
                files,
            );
        }
    };
    Some((shape, None))
}

fn half_extents_of(check: &mut Check, at: &Path<'_>, raw: Vec3, units: Units) -> glam::DVec3 {
    let extents = check.vector(at, raw, "the half extents");
    if extents.min_element() < 0.0 {
        check.problem(
            at,
            "half extents must not be negative",
            "write half the length of each edge",
        );
    } else if is_zero(extents) && raw.0 == [0.0; 3] {
        check.problem(
            at,
            "half extents are all zero",
            "at least one must be above zero",
        );
    }
    units.half_extents(extents)
}

type MeshParts<'r> = (
    &'r Option<String>,
    &'r Option<Vec<Vec3>>,
    &'r Option<Vec<Triple>>,
);

fn mesh(
    check: &mut Check,
    at: &Path<'_>,
    parts: MeshParts<'_>,
    facing: Facing,
    units: Units,
    files: &mut MeshFiles<'_>,
) -> Option<(Shape, Option<MeshSource>)> {
    match parts {
        (Some(file), None, None) => match files.mesh(file, facing) {
            Ok(mesh) => Some((Shape::Mesh(mesh), Some(MeshSource::File(file.clone())))),
            Err(problem) if problem.at.is_some() => {
                check.elsewhere(problem);
                None
            }
            Err(problem) => {
                let what = format!("{file}: {}", problem.what);
                check.problem(&at.field("file"), what, problem.mend);
                None
            }
        },
        (None, Some(vertices), Some(triangles)) => {
            let mesh = inline_mesh(check, at, vertices, triangles, facing, units)?;
            Some((Shape::Mesh(Arc::new(mesh)), Some(MeshSource::Inline)))
        }
        _ => {
            check.problem(
                at,
                "a mesh is a file, or vertices and triangles",
                "write Mesh(file: \"..\") or Mesh(vertices: [..], triangles: [..])",
            );
            None
        }
    }
}

fn inline_mesh(
    check: &mut Check,
    at: &Path<'_>,
    vertices: &[Vec3],
    triangles: &[Triple],
    facing: Facing,
    units: Units,
) -> Option<Mesh> {
    let vertices_at = at.field("vertices");
    let triangles_at = at.field("triangles");
    let mut good = true;
    let mut points = Vec::with_capacity(vertices.len());
    for (index, vertex) in vertices.iter().enumerate() {
        good &= vertex.0.iter().all(|part| part.is_finite());
        let vertex = check.vector(&vertices_at.index(index), *vertex, "a vertex");
        points.push(units.vector(vertex));
    }
    for (index, triangle) in triangles.iter().enumerate() {
        let beyond = triangle
            .0
            .iter()
            .find(|vertex| **vertex as usize >= vertices.len());
        if let Some(vertex) = beyond {
            good = false;
            check.problem(
                &triangles_at.index(index),
                format!(
                    "the triangle uses vertex {vertex}, there are {}",
                    vertices.len()
                ),
                "vertices are counted from 0",
            );
        }
    }
    if triangles.is_empty() {
        good = false;
        check.problem(
            &triangles_at,
            "the mesh has no triangle",
            "add one, or remove the object",
        );
    }
    if !good {
        return None;
    }
    let triangles = triangles.iter().map(|triangle| triangle.0).collect();
    match Mesh::new(points, triangles, facing) {
        Ok(mesh) => Some(mesh),
        Err(what) => {
            check.problem(at, what, "");
            None
        }
    }
}
