//! The fields of a shape.

use super::forms::{self, Kind, Rows};
use super::point_list;
use crate::core::diagnose::SceneField;
use crate::core::edit::NewShape;
use crate::core::scene::{MeshSource, Object};
use crate::core::shape::{ChainFacing, Facing, Shape, SolidShape, Triangle};
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// The shape of an object: its kind and sizes, or its mesh file.
pub(super) fn shape(rows: &mut Rows<'_>, draft: &mut Object) {
    if rows.is_flat() {
        return flat_shape(rows, draft);
    }
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

/// The shape of an object of a flat level.
fn flat_shape(rows: &mut Rows<'_>, draft: &mut Object) {
    let was = NewShape::of_flat(&draft.shape);
    let mut kind = was;
    let choices = NewShape::FLAT.map(|(shape, name)| (shape, name, "Use this shape"));
    let help = "The shape, in the object's own axes";
    rows.choice("shape", help, &mut kind, &choices);
    if let Some(new) = kind.flat_shape().filter(|_| kind != was) {
        (draft.shape, draft.mesh) = new;
    }
    flat_measures(rows, &mut draft.shape);
}

/// The sizes of a shape of a flat level; one that cannot be is not taken.
fn flat_measures(rows: &mut Rows<'_>, shape: &mut Shape) {
    let length = Kind::positive("m");
    let mut changed = None;
    let radius = |rows: &mut Rows<'_>, value: &mut f64, kind| {
        let help = "Added outside";
        rows.of(SceneField::Size)
            .number("radius", help, value, kind);
    };
    if let Some(([mut a, mut b], was)) = shape.as_stadium() {
        let (old, mut new) = (([a, b], was), was);
        ends(rows, &mut a, &mut b);
        radius(rows, &mut new, length);
        if ([a, b], new) != old {
            changed = Some(Shape::stadium(a, b, new));
        }
    } else if let Some((was, is_closed, facing)) = shape.as_chain() {
        let mut points: Vec<DVec3> = was.iter().map(|point| point.extend(0.0)).collect();
        let (mut closed, mut side) = (is_closed, facing);
        point_list::points(rows, ("point", "In order along it"), &mut points, 2);
        rows.flag("loop", "The last point is joined to the first", &mut closed);
        let choices = [
            (ChainFacing::Both, "both sides", "Solid from either side"),
            (
                ChainFacing::Left,
                "left only",
                "Seen from its first point toward its last",
            ),
            (ChainFacing::Right, "right only", "As the chains of Box2D"),
        ];
        let help = "From which side it is solid";
        rows.of(SceneField::Facing)
            .choice("facing", help, &mut side, &choices);
        let points: Vec<DVec2> = points.into_iter().map(DVec3::truncate).collect();
        if (&points, closed, side) != (&was, is_closed, facing) {
            changed = Shape::chain(&points, closed, side).ok();
        }
    } else if let Some((was, rounding)) = shape.as_polygon() {
        let mut points: Vec<DVec3> = was.iter().map(|point| point.extend(0.0)).collect();
        let mut new = rounding;
        point_list::points(rows, ("corner", "In order around it"), &mut points, 3);
        radius(rows, &mut new, Kind::any("m"));
        let points: Vec<DVec2> = points.into_iter().map(DVec3::truncate).collect();
        if (&points, new) != (&was, rounding) && new >= 0.0 {
            changed = Shape::polygon(&points, new).ok().map(|(shape, _)| shape);
        }
    } else {
        match shape {
            Shape::Box { half_extents } => {
                let mut half = *half_extents;
                rows.of(SceneField::Size).vector(
                    "half extents",
                    "Half of its width and height",
                    &mut half,
                    length.along_axes(),
                );
                if half != *half_extents {
                    changed = Some(Shape::rectangle(half.truncate(), 0.0));
                }
            }
            Shape::Solid(SolidShape::RoundedBox(rounded)) => {
                let (mut half, mut new) = (rounded.half_extents, rounded.radius);
                let help = "Half of its width and height without the radius";
                rows.of(SceneField::Size).vector(
                    "half extents",
                    help,
                    &mut half,
                    length.along_axes(),
                );
                radius(rows, &mut new, length);
                if (half, new) != (rounded.half_extents, rounded.radius) {
                    changed = Some(Shape::rectangle(half.truncate(), new));
                }
            }
            Shape::Sphere { .. } | Shape::Plane(_) => measures(rows, shape),
            // Parts have their own table.
            _ => {}
        }
    }
    if let Some(changed) = changed {
        *shape = changed;
    }
}

/// The ends of a capsule.
fn ends(rows: &mut Rows<'_>, a: &mut DVec2, b: &mut DVec2) {
    for (name, end) in [("a", a), ("b", b)] {
        let mut point = end.extend(0.0);
        rows.vector(
            name,
            "An end, from the object's position",
            &mut point,
            Kind::any("m"),
        );
        *end = point.truncate();
    }
}

/// The sizes of a shape.
pub(super) fn measures(rows: &mut Rows<'_>, shape: &mut Shape) {
    if rows.is_flat() && !matches!(shape, Shape::Sphere { .. } | Shape::Plane(_)) {
        return flat_measures(rows, shape);
    }
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
            rows.of(SceneField::Size).vector(
                "half extents",
                help,
                half_extents,
                length.along_axes(),
            );
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
