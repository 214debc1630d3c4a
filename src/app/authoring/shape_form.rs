//! The fields of a shape.

use super::forms::{self, Kind, Rows};
use crate::core::diagnose::SceneField;
use crate::core::edit::NewShape;
use crate::core::scene::{MeshSource, Object};
use crate::core::shape::{Facing, Shape, Triangle};
use glam::DVec3;
use std::sync::Arc;

/// The shape of an object: its kind and sizes, or its mesh file.
pub(super) fn shape(rows: &mut Rows<'_>, draft: &mut Object) {
    let mut kind = NewShape::of(&draft.shape);
    let choices = NewShape::ALL.map(|shape| (shape, shape.name(), "Use this shape"));
    let help = "The shape, in the object's own space";
    rows.choice("shape", help, &mut kind, &choices);
    if kind != NewShape::of(&draft.shape) {
        (draft.shape, draft.mesh) = kind.shape();
    }
    if let Shape::Mesh(mesh) = &mut draft.shape {
        mesh_file(rows, &mut draft.mesh);
        // A height field collides from both sides.
        if mesh.grid().is_some() {
            return;
        }
        let mut side = mesh.facing();
        facing(rows, &mut side);
        if side != mesh.facing() {
            *mesh = Arc::new(mesh.with_facing(side));
        }
    } else {
        measures(rows, &mut draft.shape);
    }
}

/// The sizes of a shape.
pub(super) fn measures(rows: &mut Rows<'_>, shape: &mut Shape) {
    let (metres, length) = (Kind::any("m"), Kind::positive("m"));
    let points = |rows: &mut Rows<'_>, points: &mut [(&str, &mut DVec3)]| {
        let help = "A corner or end, from the object's position";
        for (name, point) in points {
            rows.vector(name, help, point, metres);
        }
    };
    let size = |rows: &mut Rows<'_>, name: &str, value: &mut f64| {
        rows.of(SceneField::Size)
            .number(name, "Above zero", value, length);
    };
    match shape {
        Shape::Sphere { radius } => size(rows, "radius", radius),
        Shape::Box { half_extents } => {
            let help = "Half of its length along each axis";
            rows.of(SceneField::Size)
                .vector("half extents", help, half_extents, length);
        }
        Shape::Segment(segment) => {
            points(rows, &mut [("a", &mut segment.a), ("b", &mut segment.b)]);
        }
        Shape::Capsule(capsule) => {
            let segment = &mut capsule.segment;
            points(rows, &mut [("a", &mut segment.a), ("b", &mut segment.b)]);
            size(rows, "radius", &mut capsule.radius);
        }
        Shape::Solid(solid) => {
            for (name, value) in solid.measures_mut() {
                size(rows, name, value);
            }
        }
        Shape::Triangle(triangle) => {
            let Triangle { a, b, c, .. } = triangle;
            points(rows, &mut [("a", a), ("b", b), ("c", c)]);
            facing(rows, &mut triangle.facing);
        }
        Shape::Plane(plane) => {
            let mut normal = plane.normal;
            let help = "Out of the solid; its length does not matter";
            rows.vector("normal", help, &mut normal, Kind::any(""));
            if normal != plane.normal
                && let Some(unit) = normal.try_normalize()
            {
                plane.normal = unit;
            }
            let help = "From the position along the normal";
            rows.number("offset", help, &mut plane.offset, metres);
        }
        // Parts and triangles have their own tables.
        Shape::Compound(_) | Shape::Mesh(_) => {}
    }
}

/// The file of a mesh; without one, its triangles are in the scene's text.
fn mesh_file(rows: &mut Rows<'_>, source: &mut Option<MeshSource>) {
    let help = "OBJ or glTF, in the scene's folder; empty: the triangles are in the scene";
    rows.of(SceneField::MeshFile).row("file", help, |ui, _| {
        let was = match source {
            Some(MeshSource::File(file)) => file.clone(),
            _ => String::new(),
        };
        let mut file = was.clone();
        let hint = "none: embedded in the scene";
        forms::text_or(ui, "mesh file", &mut file, hint, false);
        if file.trim() != was {
            *source = Some(match file.trim() {
                "" => MeshSource::Inline,
                file => MeshSource::File(file.to_owned()),
            });
        }
    });
}

fn facing(rows: &mut Rows<'_>, value: &mut Facing) {
    let behind = "Objects pass through from behind";
    let choices = [
        (Facing::Both, "both sides", "Solid from either side"),
        (Facing::Front, "front only", behind),
    ];
    let help = "From which side it is solid";
    rows.of(SceneField::Facing)
        .choice("facing", help, value, &choices);
}
