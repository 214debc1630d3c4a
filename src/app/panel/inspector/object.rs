//! The fields and values of a selected object.

use crate::app::authoring::marks::Marks;
use crate::app::authoring::object_form;
use crate::app::authoring::table::PlayheadPose;
use crate::app::command::Command;
use crate::app::logged_moves::logged_moves;
use crate::app::logged_values::logged_values;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::view_options::drawn_step;
use crate::app::{text, widget};
use crate::core::diagnose::{expected_position, expected_push};
use crate::core::replay::{ObjectId, Phase};
use crate::core::scene::{Movement, Object, UserUnits};
use crate::core::shape::{Facing, Shape, Solid};
use egui::{Link, RichText, TextWrapMode, Ui};

/// Draws the editable fields of the object, its values at the playhead, and its expectations.
pub fn show(
    ui: &mut Ui,
    model: &Model,
    document: &Document,
    (id, object): (ObjectId, &Object),
    commands: &mut Vec<Command>,
) {
    fields(ui, model, document, id, commands);
    values(ui, model, document, (id, object), commands);
    if let (Some(derived), [selected]) = (model.derived(), model.selection.objects())
        && *selected == id
        && !derived.moves.list().is_empty()
    {
        ui.label(RichText::new("Moves in this frame").strong());
        logged_moves(ui, document.replay(), derived.moves.list());
    }
    expectations(ui, document, id, object, commands);
}

/// Draws the editable fields of an object.
fn fields(
    ui: &mut Ui,
    model: &Model,
    document: &Document,
    id: ObjectId,
    commands: &mut Vec<Command>,
) {
    let scene = model.scene_doc().map(|scene_doc| &scene_doc.scene);
    let scene = scene.filter(|scene| scene.recording.is_none());
    let Some(object) = scene.and_then(|scene| scene.objects.get(id as usize)) else {
        return;
    };
    let frame = document.frame();
    let now = PlayheadPose {
        frame: frame.number,
        pose: frame.pose(id, 0.0),
    };
    let marks = Marks::of_object(model.selected_finding(), id, object);
    object_form::show(ui, &marks, id, object, now, commands);
    ui.add_space(4.0);
    ui.label(RichText::new("At the playhead").weak());
}

/// Draws the expectations on an object, with buttons to add some.
fn expectations(
    ui: &mut Ui,
    document: &Document,
    id: ObjectId,
    object: &Object,
    commands: &mut Vec<Command>,
) {
    let report = document.report.iter();
    let results = report.flat_map(|report| &report.expectations);
    for result in results.filter(|result| result.objects.contains(&object.name)) {
        widget::expectation(ui, result);
    }
    let frame = document.frame();
    ui.horizontal_wrapped(|ui| {
        if let Some(pose) = frame.pose(id, 0.0) {
            let wanted = || expected_position(&object.name, frame.number, pose.position);
            widget::expect_button(ui, "Expect this position", wanted, commands);
        }
        let mut pushes = frame.phases.iter().filter_map(|phase| match phase {
            Phase::Push { object, push, .. } if *object == id => Some(*push),
            _ => None,
        });
        if let Some(first) = pushes.next() {
            let sum = pushes.fold(first, |sum, push| sum + push);
            let wanted = || expected_push(&object.name, frame.number, sum);
            widget::expect_button(ui, "Expect this push", wanted, commands);
        }
    });
}

fn values(
    ui: &mut Ui,
    model: &Model,
    document: &Document,
    (id, object): (ObjectId, &Object),
    commands: &mut Vec<Command>,
) {
    let (frame, units) = (document.frame(), document.units());
    let playhead = model.playback.playhead();
    let fraction = if frame.number == playhead.frame {
        playhead.fraction
    } else {
        0.0
    };
    ui.push_id(id, |ui| {
        widget::facts(ui, "object", |ui| {
            widget::fact(ui, "shape", shape_text(&object.shape, units));
            widget::fact(ui, "motion", movement_text(&object.movement));
            match frame.pose(id, fraction) {
                None => widget::fact(ui, "", "not present at this moment"),
                Some(pose) => {
                    let bounds = object.shape.placed(&pose).aabb();
                    let size = bounds.map_or(0.0, |bounds| (bounds.max - bounds.min).max_element());
                    widget::fact(ui, "position", units.place(pose.position, size));
                    let (axis, angle) = pose.rotation.to_axis_angle();
                    if angle != 0.0 {
                        let degrees = text::number(angle.to_degrees());
                        let about = text::vector(units.spin(axis));
                        widget::fact(ui, "rotation", format!("{degrees} degrees about {about}"));
                    }
                    if let Some(bounds) = bounds {
                        let [from, to] = units.corners([bounds.min, bounds.max]);
                        widget::fact(ui, "bounds from", units.place(from, size));
                        widget::fact(ui, "bounds to", units.place(to, size));
                    }
                }
            }
            travel(ui, document, id);
            logged_values(ui, document, Some(id));
            if *model.selection.objects() == [id] && object.movement != Movement::Fixed {
                last_change(ui, model, document, id, commands);
            }
            flags(ui, object);
        });
    });
}

fn travel(ui: &mut Ui, document: &Document, id: ObjectId) {
    let (frame, units) = (document.frame(), document.units());
    let (start, end) = (frame.start.body(id), frame.end.body(id));
    if let Some(velocity) = start.and_then(|start| start.velocity) {
        widget::fact(
            ui,
            "velocity",
            format!("{} {}", units.point(velocity), units.unit("m/s")),
        );
        widget::fact(ui, "speed", units.speed(velocity.length()));
    }
    if let (Some(start), Some(end)) = (start, end) {
        let moved = end.pose.position - start.pose.position;
        widget::fact(ui, "this frame", units.displacement(moved));
        widget::fact(ui, "distance", units.length(moved.length()));
    }
    let marks = [
        (start.is_some_and(|body| body.asleep), "asleep"),
        (
            end.is_some_and(|body| body.teleported),
            "teleported at the end",
        ),
    ];
    for (_, word) in marks.into_iter().filter(|(is, _)| *is) {
        widget::fact(ui, "", word);
    }
}

/// Draws since when the object moves as it does, as a link to that frame.
fn last_change(
    ui: &mut Ui,
    model: &Model,
    document: &Document,
    id: ObjectId,
    commands: &mut Vec<Command>,
) {
    let at = (id, model.playback.playhead().state());
    let change = model
        .derived()
        .and_then(|derived| derived.motion.change(at));
    let Some(Some(change)) = change else {
        let none = change.map_or("…", |_| "none before");
        return widget::fact(ui, "last change", none);
    };
    ui.label(RichText::new("last change").weak());
    let replay = document.replay();
    let (frame, reason) = (replay.number(change.frame), change.reason.sentence(replay));
    let text = RichText::new(format!("frame {frame}: {reason}")).monospace();
    // Not wider than the panel, as the texts below would be then.
    let wrapped = |ui: &mut Ui| {
        ui.style_mut().wrap_mode = Some(TextWrapMode::Wrap);
        ui.add(Link::new(text)).on_hover_text("Go there")
    };
    if ui.scope(wrapped).inner.clicked() {
        commands.push(Command::Seek {
            frame: change.frame,
            fraction: 0.0,
        });
    }
    ui.end_row();
}

fn flags(ui: &mut Ui, object: &Object) {
    if object.movement == Movement::Velocity {
        widget::fact(ui, "mass", text::with_unit(object.mass, "kg"));
    }
    if let Some(ccd) = object.ccd {
        widget::fact(ui, "engine's CCD", if ccd { "on" } else { "off" });
    }
    if object.sensor {
        widget::fact(ui, "sensor", "reports, does not push");
    }
    if object.layer != 1 || object.mask != u32::MAX {
        widget::fact(ui, "layer", format!("{:#x}", object.layer));
        widget::fact(ui, "mask", format!("{:#x}", object.mask));
    }
    if !object.tags.is_empty() {
        widget::fact(ui, "tags", object.tags.join(", "));
    }
}

fn movement_text(movement: &Movement) -> String {
    match movement {
        Movement::Velocity => "by velocity".into(),
        Movement::Kinematic => "kinematic, never pushed".into(),
        Movement::Fixed => "fixed".into(),
        Movement::Keyframes(frames) => text::count(frames.len(), "keyframe"),
    }
}

fn shape_text(shape: &Shape, units: UserUnits) -> String {
    let length = |metres: f64| units.length(metres);
    let side = |facing: Facing| match facing {
        Facing::Both => "two-sided",
        Facing::Front => "one-sided",
    };
    match shape {
        Shape::Sphere { radius } => format!("sphere, radius {}", length(*radius)),
        Shape::Box { half_extents } => {
            // A flat box is as deep as it is wide, for queries alone.
            let sizes = units.extents(2.0 * *half_extents).to_array();
            let sizes = sizes[..units.dimensions()].iter().copied();
            let sizes: Vec<String> = sizes.map(text::number).collect();
            format!("box, {} {}", sizes.join(" x "), units.unit("m"))
        }
        Shape::Segment(segment) => {
            format!("segment, {} long", length((segment.b - segment.a).length()))
        }
        Shape::Capsule(capsule) => format!("capsule, radius {}", length(capsule.radius)),
        Shape::Solid(solid) => {
            let mut solid = solid.clone();
            let mut text = solid.kind_name().to_lowercase();
            for (name, value) in solid.measures_mut() {
                text.push_str(&format!(", {name} {}", length(*value)));
            }
            text
        }
        Shape::Compound(compound) => {
            let parts = compound.parts().iter();
            let parts: Vec<String> = parts.map(|part| shape_text(&part.shape, units)).collect();
            let count = text::count(parts.len(), "part");
            format!("compound, {count}: {}", parts.join("; "))
        }
        Shape::Triangle(triangle) => format!("triangle, {}", side(triangle.facing)),
        Shape::Plane(_) => "plane, solid behind".into(),
        Shape::Mesh(mesh) => {
            if let Some(grid) = mesh.grid() {
                let [columns, rows] = grid.size();
                let side = side(mesh.facing());
                let drawn = match drawn_step(mesh) {
                    1 => String::new(),
                    step => format!(", of which one of {step} rows and columns is drawn"),
                };
                return format!("height field, {columns} by {rows} heights, {side}{drawn}");
            }
            let dirt = mesh.dirt();
            let mut text = format!(
                "mesh, {}, {}",
                text::count(mesh.count(), "triangle"),
                side(mesh.facing())
            );
            for (number, word) in [
                (dirt.degenerate, "degenerate"),
                (dirt.duplicate, "duplicate"),
            ] {
                if number > 0 {
                    text.push_str(&format!(", {number} {word}"));
                }
            }
            text
        }
    }
}
