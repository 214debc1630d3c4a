//! The form with the fields of an object.

use super::forms::{self, Kind, Rows, marked_form};
use super::marks::Marks;
use super::shape_form::shape;
use super::table::{self, PlayheadPose};
use crate::app::command::Command;
use crate::app::edited_fields::EditedFields;
use crate::core::diagnose::SceneField;
use crate::core::edit::Edit;
use crate::core::replay::ObjectId;
use crate::core::scene::{Keyframe, Movement, Object};
use crate::core::shape::Shape;
use egui::{CollapsingHeader, RichText, Ui};
use glam::DVec3;
use std::mem::take;

/// Draws the fields of an object and pushes the edits.
pub fn show(
    ui: &mut Ui,
    marks: &Marks,
    id: ObjectId,
    object: &Object,
    now: PlayheadPose,
    commands: &mut Vec<Command>,
) {
    let mut draft = object.clone();
    ui.push_id(("object form", id), |ui| {
        marked_form(ui, "first fields", marks, |rows| {
            let help = "Unique in the scene; expectations follow it";
            rows.row("name", help, |ui, name| {
                let response = forms::text_or(ui, name, &mut draft.name, "", false);
                let is_wanted = |fields: &mut EditedFields| take(&mut fields.focus_name);
                if EditedFields::with(ui.ctx(), is_wanted) {
                    response.request_focus();
                }
            });
            shape(rows, &mut draft);
            place(rows, &mut draft);
            motion(rows, &mut draft);
        });
        if let Movement::Keyframes(frames) = &mut draft.movement {
            table::keyframes(ui, frames, now);
        }
        let is_flat = EditedFields::with(ui.ctx(), |fields| fields.units.units.flat);
        if !is_flat {
            table::mesh(ui, &mut draft);
        }
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

fn place(rows: &mut Rows<'_>, draft: &mut Object) {
    let (position, velocity) = (&mut draft.pose.position, &mut draft.velocity);
    rows.of(SceneField::Position)
        .vector("position", "At frame 0", position, Kind::any("m"));
    rows.rotation(&mut draft.pose.rotation);
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
    let help = match rows.is_flat() {
        true => "Radians per second, counter-clockwise",
        false => "Radians per second about the world's axes",
    };
    rows.of(SceneField::Spin)
        .vector("spin", help, &mut draft.spin, Kind::spin());
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
            forms::vector(ui, name, scale, Kind::any("").unturned());
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
