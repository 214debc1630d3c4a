//! The form with the fields of an object.

use super::forms::{self, Kind, Rows, marked_form};
use super::marks::Marks;
use super::table;
use crate::app::command::Command;
use crate::core::diagnose::SceneField;
use crate::core::edit::{Edit, NewShape};
use crate::core::replay::ObjectId;
use crate::core::scene::{
    Keyframe, MeshSource, Movement, Object, euler_from_rotation, rotation_from_euler,
};
use crate::core::shape::{Facing, Mesh, Pose, Shape, Triangle};
use egui::{CollapsingHeader, RichText, Ui};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// The frame at the playhead and the object's pose there, for keyframes.
#[derive(Clone, Copy)]
pub struct Now {
    /// The frame.
    pub frame: u32,
    /// The object's pose in it.
    pub pose: Option<Pose>,
}

/// Draws the fields of an object and pushes the edits.
pub fn show(
    ui: &mut Ui,
    marks: &Marks,
    id: ObjectId,
    object: &Object,
    now: Now,
    commands: &mut Vec<Command>,
) {
    let mut draft = object.clone();
    ui.push_id(("object form", id), |ui| {
        marked_form(ui, "first fields", marks, |rows| {
            let help = "Unique in the scene; expectations follow it";
            rows.text("name", help, &mut draft.name);
            shape(rows, &mut draft);
            place(rows, &mut draft);
            motion(rows, &mut draft);
        });
        if let Movement::Keyframes(frames) = &mut draft.movement {
            table::keyframes(ui, frames, now);
        }
        table::mesh(ui, &mut draft);
        if let Shape::Compound(compound) = &mut draft.shape {
            table::parts(ui, marks, compound);
        }
        CollapsingHeader::new(RichText::new("More fields").weak())
            .id_salt("more fields")
            .show_unindented(ui, |ui| {
                marked_form(ui, "more", marks, |rows| more(rows, &mut draft))
            });
    });
    if draft != *object {
        commands.push(Command::Edit(Edit::Object(id, Box::new(draft))));
    }
}

/// Draws only the marked fields of an object and pushes the edits.
pub fn show_marked(
    ui: &mut Ui,
    marks: &Marks,
    id: ObjectId,
    object: &Object,
    commands: &mut Vec<Command>,
) {
    let mut draft = object.clone();
    ui.push_id(("marked fields", id), |ui| {
        marked_form(ui, "marked", marks, |rows| {
            shape(rows, &mut draft);
            place(rows, &mut draft);
            motion(rows, &mut draft);
            more(rows, &mut draft);
        });
    });
    if draft != *object {
        commands.push(Command::Edit(Edit::Object(id, Box::new(draft))));
    }
}

fn shape(rows: &mut Rows<'_>, draft: &mut Object) {
    let mut kind = NewShape::of(&draft.shape);
    let choices = NewShape::ALL.map(|shape| (shape, shape.name(), "Use this shape"));
    let help = "The shape, in the object's own space";
    rows.choice("shape", help, &mut kind, &choices);
    if kind != NewShape::of(&draft.shape) {
        (draft.shape, draft.mesh) = kind.shape();
    }
    if let Shape::Mesh(mesh) = &mut draft.shape {
        mesh_file(rows, &mut draft.mesh);
        let mut side = mesh.facing();
        facing(rows, &mut side);
        if side != mesh.facing()
            && let Ok(turned) = Mesh::new(mesh.vertices().to_vec(), mesh.triangles().to_vec(), side)
        {
            *mesh = Arc::new(turned);
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

fn place(rows: &mut Rows<'_>, draft: &mut Object) {
    let (position, velocity) = (&mut draft.pose.position, &mut draft.velocity);
    rows.of(SceneField::Position)
        .vector("position", "At frame 0", position, Kind::any("m"));
    rotation(rows, &mut draft.pose.rotation);
    rows.of(SceneField::Velocity)
        .vector("velocity", "At frame 0", velocity, Kind::any("m/s"));
    if let Some(direction) = velocity.try_normalize() {
        let was = velocity.length();
        let mut speed = was;
        let help = "The length of the velocity";
        rows.of(SceneField::Velocity)
            .number("speed", help, &mut speed, Kind::positive("m/s"));
        if speed != was {
            *velocity = direction * speed;
        }
    }
    let help = "Radians per second about the world's axes";
    rows.of(SceneField::Spin)
        .vector("spin", help, &mut draft.spin, Kind::any("rad/s"));
}

/// A rotation as three angles.
pub(super) fn rotation(rows: &mut Rows<'_>, value: &mut DQuat) {
    // Angles rounded to six decimals where they give the same rotation: without rounding errors of the conversion.
    let exact = euler_from_rotation(*value);
    let short = (exact * 1e6).round() / 1e6 + DVec3::ZERO;
    let was = if rotation_from_euler(short).abs_diff_eq(*value, 1e-12) {
        short
    } else {
        exact
    };
    let mut angles = was;
    let help = "About y, then the turned x, then the turned z";
    rows.of(SceneField::Rotation)
        .vector("rotation", help, &mut angles, Kind::degrees());
    if angles != was {
        *value = rotation_from_euler(angles);
    }
}

/// How an object moves, without the poses of keyframes.
#[derive(Clone, Copy, PartialEq)]
enum Moves {
    Velocity,
    Kinematic,
    Fixed,
    Keyframes,
}

fn motion(rows: &mut Rows<'_>, draft: &mut Object) {
    let was = match draft.movement {
        Movement::Velocity => Moves::Velocity,
        Movement::Kinematic => Moves::Kinematic,
        Movement::Fixed => Moves::Fixed,
        Movement::Keyframes(_) => Moves::Keyframes,
    };
    let mut moves = was;
    let by_velocity = "Moved by velocity, gravity and response";
    let kinematic = "Moved by its velocity, never pushed";
    let keyframes = "Poses at frames, straight in between";
    let choices = [
        (Moves::Velocity, "by velocity", by_velocity),
        (Moves::Kinematic, "kinematic", kinematic),
        (Moves::Fixed, "fixed", "Never moves"),
        (Moves::Keyframes, "keyframes", keyframes),
    ];
    rows.of(SceneField::Motion)
        .choice("motion", "What moves it", &mut moves, &choices);
    if moves != was {
        draft.movement = match moves {
            Moves::Velocity => Movement::Velocity,
            Moves::Kinematic => Movement::Kinematic,
            Moves::Fixed => Movement::Fixed,
            Moves::Keyframes => Movement::Keyframes(vec![Keyframe {
                frame: 0,
                position: draft.pose.position,
                rotation: draft.pose.rotation,
            }]),
        };
    }
}

fn more(rows: &mut Rows<'_>, draft: &mut Object) {
    let help = "Kilograms; used by the collision response";
    rows.number("mass", help, &mut draft.mass, Kind::positive("kg"));
    let help = "Contacts are reported, but push nothing";
    rows.flag("sensor", help, &mut draft.sensor);
    let help = "Continuous detection of this object in the recorded engine";
    rows.of(SceneField::EngineCcd)
        .row("engine's CCD", help, |ui, _| {
            let choices = [
                (None, "unknown", "Not in the scene"),
                (Some(true), "on", "Continuous detection is on"),
                (Some(false), "off", "Continuous detection is off"),
            ];
            forms::choice(ui, "ccd", &mut draft.ccd, &choices);
        });
    let help = "Objects of one body are never tested against each other";
    rows.row("body", help, |ui, name| {
        let was = draft.body.clone().unwrap_or_default();
        let mut body = was.clone();
        forms::text_or(ui, name, &mut body, "its own", false);
        if body.trim() != was {
            draft.body = (!body.trim().is_empty()).then(|| body.trim().to_owned());
        }
    });
    let (layer, mask) = (&mut draft.layer, &mut draft.mask);
    rows.of(SceneField::Layer);
    bits(rows, "layer", "Bits this object is in", layer);
    rows.of(SceneField::Mask);
    bits(rows, "mask", "Bits it collides with", mask);
    let help = "Its own, else by its kind of motion";
    rows.row("colour", help, |ui, _| {
        let color = &mut draft.color;
        forms::optional(ui, "own colour", color, [232, 190, 110], |ui, color| {
            ui.color_edit_button_srgb(color);
        });
    });
    let help = "Groups of the object, separated by commas";
    rows.row("tags", help, |ui, name| {
        let was = draft.tags.join(", ");
        let mut tags = was.clone();
        forms::text_or(ui, name, &mut tags, "none", false);
        if tags != was {
            let words = tags.split(',').map(str::trim);
            let words = words.filter(|word| !word.is_empty());
            draft.tags = words.map(str::to_owned).collect();
        }
    });
    let help = "Factors by which the engine scales the file's shape";
    rows.of(SceneField::Scale).row("scale", help, |ui, name| {
        let scale = &mut draft.scale;
        forms::optional(ui, "has a scale", scale, DVec3::ONE, |ui, scale| {
            forms::vector(ui, name, scale, Kind::any(""));
        });
    });
}

fn bits(rows: &mut Rows<'_>, name: &str, help: &str, value: &mut u32) {
    rows.row(name, help, |ui, name| {
        let was = format!("{value:#x}");
        let mut text = was.clone();
        forms::text(ui, name, &mut text);
        let digits = text.trim().to_lowercase();
        let read = match (digits.strip_prefix("0x"), digits.strip_prefix("0b")) {
            (Some(hex), _) => u32::from_str_radix(hex, 16),
            (_, Some(binary)) => u32::from_str_radix(binary, 2),
            _ => digits.parse(),
        };
        if let (true, Ok(read)) = (text != was, read) {
            *value = read;
        }
    });
}
