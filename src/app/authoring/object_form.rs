//! Every field of an object, to be changed.

use super::forms::{self, Kind, field_row, form, row};
use super::table;
use crate::app::command::Command;
use crate::core::diagnose::SceneField;
use crate::core::edit::{Edit, NewShape};
use crate::core::replay::ObjectId;
use crate::core::scene::{
    Keyframe, MeshSource, Movement, Object, euler_from_rotation, rotation_from_euler,
};
use crate::core::shape::{Facing, Mesh, Pose, Shape};
use egui::{CollapsingHeader, RichText, Ui};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// Where and when the playhead stands: for keyframes.
#[derive(Clone, Copy)]
pub struct Now {
    /// The frame.
    pub frame: u32,
    /// Where the object stands there.
    pub pose: Option<Pose>,
}

/// Draws the fields of an object, and pushes what was changed.
pub fn show(ui: &mut Ui, id: ObjectId, object: &Object, now: Now, commands: &mut Vec<Command>) {
    let mut draft = object.clone();
    ui.push_id(("object form", id), |ui| {
        form(ui, "first fields", |ui| {
            row(
                ui,
                "name",
                "Unique in the scene; expectations follow it",
                |ui| {
                    forms::text(ui, "name", &mut draft.name, false);
                },
            );
            shape(ui, &mut draft);
            place(ui, &mut draft);
            motion(ui, &mut draft);
        });
        if let Movement::Keyframes(frames) = &mut draft.movement {
            table::keyframes(ui, frames, now);
        }
        table::mesh(ui, &mut draft);
        if let Shape::Compound(compound) = &mut draft.shape {
            table::parts(ui, compound);
        }
        CollapsingHeader::new(RichText::new("More fields").weak())
            .id_salt("more fields")
            .show_unindented(ui, |ui| form(ui, "more", |ui| more(ui, &mut draft)));
    });
    if draft != *object {
        commands.push(Command::Edit(Edit::Object(id, Box::new(draft))));
    }
}

/// Draws the marked fields of an object alone, and pushes what was changed.
pub fn show_marked(ui: &mut Ui, id: ObjectId, object: &Object, commands: &mut Vec<Command>) {
    let mut draft = object.clone();
    ui.push_id(("marked fields", id), |ui| {
        form(ui, "marked", |ui| {
            shape(ui, &mut draft);
            place(ui, &mut draft);
            motion(ui, &mut draft);
            more(ui, &mut draft);
        });
    });
    if draft != *object {
        commands.push(Command::Edit(Edit::Object(id, Box::new(draft))));
    }
}

fn shape(ui: &mut Ui, draft: &mut Object) {
    let mut kind = NewShape::of(&draft.shape);
    row(ui, "shape", "What it is made of, in its own space", |ui| {
        let choices = NewShape::ALL.map(|shape| (shape, shape.name(), "Take this shape"));
        forms::choice(ui, "shape", &mut kind, &choices);
    });
    if kind != NewShape::of(&draft.shape) {
        (draft.shape, draft.mesh) = kind.shape();
    }
    if let Shape::Mesh(mesh) = &mut draft.shape {
        mesh_file(ui, &mut draft.mesh);
        let mut side = mesh.facing();
        facing(ui, &mut side);
        if side != mesh.facing()
            && let Ok(turned) = Mesh::new(mesh.vertices().to_vec(), mesh.triangles().to_vec(), side)
        {
            *mesh = Arc::new(turned);
        }
    } else {
        measures(ui, "", &mut draft.shape);
    }
}

/// The sizes of a shape; `of` goes before their names, for the part of a compound.
pub(super) fn measures(ui: &mut Ui, of: &str, shape: &mut Shape) {
    let metres = Kind::any("m");
    let point = |ui: &mut Ui, name: &str, value: &mut DVec3| {
        row(
            ui,
            name,
            "A corner or end, from the object's position",
            |ui| {
                forms::vector(ui, &format!("{of}{name}"), value, metres);
            },
        );
    };
    let radius = |ui: &mut Ui, value: &mut f64| {
        field_row(ui, SceneField::Size, "radius", "Above zero", |ui| {
            forms::number(ui, &format!("{of}radius"), value, Kind::positive("m"));
        });
    };
    match shape {
        Shape::Sphere { radius: value } => radius(ui, value),
        Shape::Box { half_extents } => {
            field_row(
                ui,
                SceneField::Size,
                "half extents",
                "Half of its length along each axis",
                |ui| {
                    forms::vector(
                        ui,
                        &format!("{of}half extents"),
                        half_extents,
                        Kind::positive("m"),
                    );
                },
            );
        }
        Shape::Segment(segment) => {
            point(ui, "a", &mut segment.a);
            point(ui, "b", &mut segment.b);
        }
        Shape::Capsule(capsule) => {
            point(ui, "a", &mut capsule.segment.a);
            point(ui, "b", &mut capsule.segment.b);
            radius(ui, &mut capsule.radius);
        }
        Shape::Solid(solid) => {
            for (name, value) in solid.measures_mut() {
                field_row(ui, SceneField::Size, name, "Above zero", |ui| {
                    forms::number(ui, &format!("{of}{name}"), value, Kind::positive("m"));
                });
            }
        }
        Shape::Triangle(triangle) => {
            point(ui, "a", &mut triangle.a);
            point(ui, "b", &mut triangle.b);
            point(ui, "c", &mut triangle.c);
            facing(ui, &mut triangle.facing);
        }
        Shape::Plane(plane) => {
            let mut normal = plane.normal;
            row(
                ui,
                "normal",
                "Out of the solid; its length does not matter",
                |ui| {
                    forms::vector(ui, "normal", &mut normal, Kind::any(""));
                },
            );
            if normal != plane.normal
                && let Some(unit) = normal.try_normalize()
            {
                plane.normal = unit;
            }
            row(ui, "offset", "From the position along the normal", |ui| {
                forms::number(ui, "offset", &mut plane.offset, metres);
            });
        }
        // Their parts and triangles are lists of their own.
        Shape::Compound(_) | Shape::Mesh(_) => {}
    }
}

/// A mesh names a file, or has its triangles in the scene.
fn mesh_file(ui: &mut Ui, source: &mut Option<MeshSource>) {
    let help = "OBJ or glTF, in the scene's folder; empty, its triangles stand in the scene";
    field_row(ui, SceneField::MeshFile, "file", help, |ui| {
        let was = match source {
            Some(MeshSource::File(file)) => file.clone(),
            _ => String::new(),
        };
        let mut file = was.clone();
        forms::text_or(
            ui,
            "mesh file",
            &mut file,
            "none: it stands in the scene",
            false,
        );
        if file.trim() != was {
            *source = Some(match file.trim() {
                "" => MeshSource::Inline,
                file => MeshSource::File(file.to_owned()),
            });
        }
    });
}

fn facing(ui: &mut Ui, value: &mut Facing) {
    field_row(
        ui,
        SceneField::Facing,
        "facing",
        "From which side it is solid",
        |ui| {
            let choices = [
                (Facing::Both, "both sides", "Solid from either side"),
                (
                    Facing::Front,
                    "front only",
                    "From behind, things pass through",
                ),
            ];
            forms::choice(ui, "facing", value, &choices);
        },
    );
}

fn place(ui: &mut Ui, draft: &mut Object) {
    field_row(ui, SceneField::Position, "position", "At frame 0", |ui| {
        forms::vector(ui, "position", &mut draft.pose.position, Kind::any("m"));
    });
    rotation(ui, "rotation", &mut draft.pose.rotation);
    field_row(ui, SceneField::Velocity, "velocity", "At frame 0", |ui| {
        forms::vector(ui, "velocity", &mut draft.velocity, Kind::any("m/s"));
    });
    if let Some(direction) = draft.velocity.try_normalize() {
        let was = draft.velocity.length();
        let mut speed = was;
        field_row(
            ui,
            SceneField::Velocity,
            "speed",
            "The length of the velocity",
            |ui| {
                forms::number(ui, "speed", &mut speed, Kind::positive("m/s"));
            },
        );
        if speed != was {
            draft.velocity = direction * speed;
        }
    }
    field_row(
        ui,
        SceneField::Spin,
        "spin",
        "Radians per second about the world's axes",
        |ui| {
            forms::vector(ui, "spin", &mut draft.spin, Kind::any("rad/s"));
        },
    );
}

/// Angles; `name` is what the fields are called.
pub(super) fn rotation(ui: &mut Ui, name: &str, value: &mut DQuat) {
    // Without the noise of the way from a rotation to angles, where angles as short give the same.
    let exact = euler_from_rotation(*value);
    let short = (exact * 1e6).round() / 1e6 + DVec3::ZERO;
    let was = if rotation_from_euler(short).abs_diff_eq(*value, 1e-12) {
        short
    } else {
        exact
    };
    let mut angles = was;
    field_row(
        ui,
        SceneField::Rotation,
        "rotation",
        "About y, then the turned x, then the turned z",
        |ui| {
            forms::vector(ui, name, &mut angles, Kind::degrees());
        },
    );
    if angles != was {
        *value = rotation_from_euler(angles);
    }
}

/// What moves an object, without the poses.
#[derive(Clone, Copy, PartialEq)]
enum Moves {
    Velocity,
    Kinematic,
    Fixed,
    Keyframes,
}

fn motion(ui: &mut Ui, draft: &mut Object) {
    let was = match draft.movement {
        Movement::Velocity => Moves::Velocity,
        Movement::Kinematic => Moves::Kinematic,
        Movement::Fixed => Moves::Fixed,
        Movement::Keyframes(_) => Moves::Keyframes,
    };
    let mut moves = was;
    field_row(ui, SceneField::Motion, "motion", "What moves it", |ui| {
        let choices = [
            (
                Moves::Velocity,
                "by velocity",
                "Moved by velocity, gravity and response",
            ),
            (
                Moves::Kinematic,
                "kinematic",
                "Moved by its velocity, never pushed",
            ),
            (Moves::Fixed, "fixed", "Stands still"),
            (
                Moves::Keyframes,
                "keyframes",
                "Poses at frames, straight in between",
            ),
        ];
        forms::choice(ui, "motion", &mut moves, &choices);
    });
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

fn more(ui: &mut Ui, draft: &mut Object) {
    row(ui, "mass", "Kilograms: how a bounce is shared", |ui| {
        forms::number(ui, "mass", &mut draft.mass, Kind::positive("kg"));
    });
    row(
        ui,
        "sensor",
        "Reports, but is not pushed and does not push",
        |ui| {
            forms::flag(ui, "sensor", &mut draft.sensor);
        },
    );
    field_row(
        ui,
        SceneField::EngineCcd,
        "engine's CCD",
        "What the recorded engine was told",
        |ui| {
            let choices = [
                (None, "unknown", "The scene does not say"),
                (Some(true), "on", "Continuous detection is on"),
                (Some(false), "off", "Continuous detection is off"),
            ];
            forms::choice(ui, "ccd", &mut draft.ccd, &choices);
        },
    );
    row(
        ui,
        "body",
        "Objects of one body are never tested against each other",
        |ui| {
            let was = draft.body.clone().unwrap_or_default();
            let mut body = was.clone();
            forms::text_or(ui, "body", &mut body, "its own", false);
            if body.trim() != was {
                draft.body = (!body.trim().is_empty()).then(|| body.trim().to_owned());
            }
        },
    );
    let (layer, mask) = (SceneField::Layer, SceneField::Mask);
    bits(
        ui,
        layer,
        "layer",
        "Bits this object is in",
        &mut draft.layer,
    );
    bits(ui, mask, "mask", "Bits it collides with", &mut draft.mask);
    row(ui, "colour", "Its own, or that of how it moves", |ui| {
        let mut own = draft.color.is_some();
        forms::flag(ui, "own colour", &mut own);
        draft.color = own.then(|| draft.color.unwrap_or([232, 190, 110]));
        if let Some(color) = &mut draft.color {
            ui.color_edit_button_srgb(color);
        }
    });
    row(ui, "tags", "Words for groups, with commas between", |ui| {
        let was = draft.tags.join(", ");
        let mut tags = was.clone();
        forms::text_or(ui, "tags", &mut tags, "none", false);
        if tags != was {
            let words = tags
                .split(',')
                .map(str::trim)
                .filter(|word| !word.is_empty());
            draft.tags = words.map(str::to_owned).collect();
        }
    });
    field_row(
        ui,
        SceneField::Scale,
        "scale",
        "What the engine scales the file's shape by",
        |ui| {
            let mut has = draft.scale.is_some();
            forms::flag(ui, "has a scale", &mut has);
            draft.scale = has.then(|| draft.scale.unwrap_or(DVec3::ONE));
            if let Some(scale) = &mut draft.scale {
                forms::vector(ui, "scale", scale, Kind::any(""));
            }
        },
    );
}

fn bits(ui: &mut Ui, field: SceneField, name: &str, help: &str, value: &mut u32) {
    field_row(ui, field, name, help, |ui| {
        let was = format!("{value:#x}");
        let mut text = was.clone();
        forms::text(ui, name, &mut text, false);
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
