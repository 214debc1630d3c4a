//! The Inspector panel: values and fields of the selected finding, pair and objects.

mod relevant_fields;
mod what_if;

use crate::app::authoring::array_form::ArrayForm;
use crate::app::authoring::marks::Marks;
use crate::app::authoring::object_form::{self, Now};
use crate::app::authoring::scene_form;
use crate::app::command::Command;
use crate::app::model::document::Document;
use crate::app::model::{JobKind, Model, Session};
use crate::app::theme::Palette;
use crate::app::{text, widget};
use crate::core::diagnose::explain::Outcome;
use crate::core::diagnose::explain::{OverlapTest, SweptInterval};
use crate::core::diagnose::{Finding, Fix, expected_hit, expected_position, expected_push};
use crate::core::edit::ArrayLayout;
use crate::core::query::Feature;
use crate::core::replay::{ObjectId, Phase};
use crate::core::scene::{Movement, Object};
use crate::core::shape::{Facing, Shape};
use crate::view::pair_view::{Mark, MarkKind, PairView};
use egui::{CollapsingHeader, RichText, ScrollArea, Ui};
use egui_material_icons::icons;

/// Scale for the precision of positions that belong to no object, metres.
const METRE: f64 = 1.0;

/// The inspector, of the selected objects and finding, or of the scene.
#[derive(Default)]
pub struct Inspector {
    array: ArrayForm,
    /// The document, finding and objects of the last pass.
    shown: Option<(String, Option<usize>, Vec<ObjectId>)>,
}

impl Inspector {
    /// Shows the form of an array of the selected objects.
    pub fn show_array_form(&mut self, layout: ArrayLayout) {
        self.array.begin(layout);
    }

    /// Draws the inspector.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(Session {
            document, derived, ..
        }) = &model.session
        else {
            return;
        };
        if model.selection.objects().is_empty()
            && model.finding().is_none()
            && model.scene_doc().is_some()
        {
            let area = ScrollArea::vertical().id_salt("scene").auto_shrink(false);
            area.show(ui, |ui| scene_form::show(ui, model, commands));
            return;
        }
        if model.selection.objects().is_empty() && model.finding().is_none() {
            let help = "Click a finding, or an object in the list or in the viewport. Ctrl+click a second one to see the pair.";
            widget::empty_state(
                ui,
                icons::ICON_ARROW_SELECTOR_TOOL,
                "Nothing selected",
                help,
            );
            return;
        }
        let mut area = ScrollArea::vertical()
            .id_salt("inspector")
            .auto_shrink(false);
        if self.is_changed(model) {
            area = area.vertical_scroll_offset(0.0);
        }
        area.show(ui, |ui| {
            if let Some(finding) = model.selected_finding() {
                of_finding(ui, model, finding, commands);
                if relevant_fields::any(model) {
                    section(ui, "Relevant fields", true, |ui| {
                        relevant_fields::show(ui, model, commands);
                    });
                }
                if let Some(search) = &derived.what_if_search {
                    let share = model.jobs.progress(JobKind::SearchWhatIf).flatten();
                    section(ui, "What if", true, |ui| {
                        what_if::show(ui, search.state(), share)
                    });
                }
                ui.add_space(6.0);
            }
            if let Some(pair) = &derived.pair {
                section(ui, "Pair in this frame", true, |ui| {
                    of_pair(ui, document, pair, commands);
                });
            }
            let alone = derived.pair.is_none();
            for &id in model.selection.objects().iter().rev().take(8) {
                if let Some(object) = document.replay().objects().get(id as usize) {
                    section(ui, &object.name, alone, |ui| {
                        fields(ui, model, document, id, commands);
                        of_object(ui, model, document, id, object);
                        expectations(ui, document, id, object, commands);
                    });
                }
            }
            let scene = model.scene_doc().map(|scene_doc| &scene_doc.scene);
            let selected = model.selection.objects();
            if !selected.is_empty() && scene.is_some_and(|scene| scene.recording.is_none()) {
                self.array.ui(ui, selected, commands);
            }
        });
    }

    /// Returns true if the inspected finding or selection has changed since the last pass.
    fn is_changed(&mut self, model: &Model) -> bool {
        let name = model.document().map(|one| one.source.name());
        let objects = model.selection.objects().to_vec();
        let shown = name.map(|name| (name, model.finding(), objects));
        let before = std::mem::replace(&mut self.shown, shown);
        before != self.shown
    }
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
    let now = Now {
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

fn section(ui: &mut Ui, title: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(RichText::new(title).strong())
        // An object that was collapsed among others opens when it is selected alone.
        .id_salt(("section", title, open))
        .default_open(open)
        .show_unindented(ui, add);
    ui.add_space(4.0);
}

fn of_finding(ui: &mut Ui, model: &Model, finding: &Finding, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    widget::heading(ui, "Finding", |ui| {
        widget::command_button(ui, &Command::ExpectFinding, model, commands);
        widget::command_button(ui, &Command::CopyFinding, model, commands);
        widget::command_button(ui, &Command::SaveFrameAs, model, commands);
    });
    widget::card(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            let kind = RichText::new(finding.kind.name()).strong();
            ui.label(kind.color(palette.kind(finding.kind)));
            ui.label(RichText::new(finding.cause.title()).strong());
            ui.label(RichText::new(finding.cause.id()).weak());
            if finding.expected {
                ui.colored_label(palette.good, "expected")
                    .on_hover_text("The scene expects this finding");
            }
        });
        ui.add_space(2.0);
        ui.label(&finding.text);
        if !finding.also.is_empty() {
            let also: Vec<String> = finding
                .also
                .iter()
                .map(|cause| format!("{} {}", cause.id(), cause.title()))
                .collect();
            let label = ui.label(RichText::new(format!("Also: {}", also.join(", "))).weak());
            let reasons: Vec<&str> = finding
                .reasons
                .iter()
                .map(|why| why.text.as_str())
                .collect();
            if !reasons.is_empty() {
                label.on_hover_text(reasons.join("\n\n"));
            }
        }
    });
    if !finding.fixes.is_empty() {
        section(ui, "Suggested fixes", true, |ui| {
            fixes(ui, finding, commands)
        });
    }
    if !finding.evidence.is_empty() {
        section(ui, "Evidence", true, |ui| {
            widget::facts(ui, "evidence", |ui| {
                for (key, value) in &finding.evidence {
                    widget::fact(ui, &text::words(key.name()), key.text(*value));
                }
            });
        });
    }
}

/// Draws the values of the fixes, each with a copy button, and in weak text the values that only detect.
fn fixes(ui: &mut Ui, finding: &Finding, commands: &mut Vec<Command>) {
    for fix in &finding.fixes {
        one_fix(ui, fix, commands);
        if let Some(with) = &fix.with {
            ui.label(RichText::new("Together with").weak());
            one_fix(ui, with, commands);
        }
    }
}

fn one_fix(ui: &mut Ui, fix: &Fix, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        let label = text::words(fix.what.name());
        if let Some(value) = fix.holds {
            let name = format!("Copy {label}");
            let help = format!("{} = {value}", fix.what.name());
            if widget::icon_button(ui, icons::ICON_CONTENT_COPY, &name, &help, false).clicked() {
                commands.push(Command::CopyText(value.to_string()));
            }
        }
        ui.label(RichText::new(label).weak());
        let holds = fix
            .held_text()
            .unwrap_or_else(|| "no value holds".to_owned());
        ui.label(RichText::new(holds).monospace());
        if let Some(detected) = fix.detected_text() {
            let help =
                "From this value on the hit is detected, but the push-out may be on the far side";
            ui.label(RichText::new(detected).weak()).on_hover_text(help);
        }
    });
}

fn of_pair(ui: &mut Ui, document: &Document, pair: &PairView, commands: &mut Vec<Command>) {
    let name = |id: ObjectId| {
        let object = document.replay().objects().get(id as usize);
        object.map_or_else(String::new, |object| object.name.clone())
    };
    widget::facts(ui, "pair", |ui| {
        widget::fact(ui, "first", name(pair.a));
        widget::fact(ui, "second", name(pair.b));
        widget::fact(
            ui,
            "overlap test at start",
            OverlapTest::summary(pair.explanation.end_tests[0].as_ref()).1,
        );
        widget::fact(
            ui,
            "overlap test at end",
            OverlapTest::summary(pair.explanation.end_tests[1].as_ref()).1,
        );
        if let Some(gap) = pair.explanation.after_pushes {
            widget::fact(ui, "after the pushes", text::with_unit(gap, "m apart"));
        }
    });
    // A contact at exactly 1 is the next frame's.
    let is_hit = |mark: &&Mark| mark.kind == MarkKind::Impact && mark.fraction < 1.0;
    if let Some(mark) = pair.marks.iter().find(is_hit) {
        let wanted = || expected_hit(&name(pair.a), &name(pair.b), pair.frame, mark.fraction);
        widget::expect_button(ui, "Expect this hit", wanted, commands);
    }
    let intervals = &pair.explanation.intervals;
    for (index, interval) in intervals.iter().enumerate() {
        ui.push_id(index, |ui| of_sweep(ui, intervals.len(), interval));
    }
    if intervals.is_empty() {
        let why =
            "Not swept: one of them is not present at both ends of the frame, or was teleported.";
        ui.label(RichText::new(why).weak());
    }
}

fn of_sweep(ui: &mut Ui, intervals: usize, swept: &SweptInterval) {
    let palette = Palette::of(ui.visuals());
    let (severity, summary) = swept.outcome_in_frame().summary();
    let color = palette.severity(severity);
    ui.add_space(2.0);
    ui.horizontal(|ui| {
        ui.label("Sweep:");
        ui.label(RichText::new(summary).strong().color(color));
        if intervals > 1 {
            let part = format!("from {:.3} to {:.3}", swept.from, swept.to);
            ui.label(RichText::new(part).weak());
        }
    });
    widget::facts(ui, "sweep", |ui| outcome_facts(ui, swept));
    if swept.sweep.rotation_ignored {
        ui.label(RichText::new("The sweep ignores its rotation").weak());
    }
    if let Some(followed) = &swept.followed {
        let text = match &followed.touch {
            Some(touch) => format!("With its rotation they touch at {:.6}", touch.fraction),
            None => "With its rotation they do not overlap".to_owned(),
        };
        ui.label(RichText::new(text).weak());
    }
}

fn outcome_facts(ui: &mut Ui, swept: &SweptInterval) {
    let fraction = |fraction: f64| format!("{fraction:.6}");
    match swept.outcome_in_frame() {
        Outcome::Hits(impact) => {
            widget::fact(ui, "time of impact", fraction(impact.fraction));
            widget::fact(ui, "point", text::place(impact.point, METRE));
            widget::fact(ui, "normal", text::vector(impact.normal));
            widget::fact(ui, "feature of first", feature(impact.feature_a));
            widget::fact(ui, "feature of second", feature(impact.feature_b));
            if let Some(triangle) = impact.triangle {
                widget::fact(ui, "triangle", triangle.to_string());
            }
        }
        Outcome::Misses { fraction: at, .. } => widget::fact(ui, "closest at", fraction(at)),
        Outcome::Grazes { fraction: at } => widget::fact(ui, "grazes at", fraction(at)),
        Outcome::Overlapping { .. } | Outcome::Receding | Outcome::Later => {}
    }
}

fn feature(feature: Feature) -> String {
    match feature {
        Feature::Vertex(index) => format!("vertex {index}"),
        Feature::Edge(index) => format!("edge {index}"),
        Feature::Face(index) => format!("face {index}"),
        Feature::Round => "round".into(),
    }
}

fn of_object(ui: &mut Ui, model: &Model, document: &Document, id: ObjectId, object: &Object) {
    let frame = document.frame();
    let playhead = model.playback.playhead();
    let fraction = if frame.number == playhead.frame {
        playhead.fraction
    } else {
        0.0
    };
    ui.push_id(id, |ui| {
        widget::facts(ui, "object", |ui| {
            widget::fact(ui, "shape", shape_text(&object.shape));
            widget::fact(ui, "motion", movement_text(&object.movement));
            match frame.pose(id, fraction) {
                None => widget::fact(ui, "", "not present at this moment"),
                Some(pose) => {
                    let bounds = object.shape.placed(&pose).aabb();
                    let size = bounds.map_or(0.0, |bounds| (bounds.max - bounds.min).max_element());
                    widget::fact(ui, "position", text::place(pose.position, size));
                    let (axis, angle) = pose.rotation.to_axis_angle();
                    if angle != 0.0 {
                        let degrees = text::number(angle.to_degrees());
                        let about = text::vector(axis);
                        widget::fact(ui, "rotation", format!("{degrees} degrees about {about}"));
                    }
                    if let Some(bounds) = bounds {
                        widget::fact(ui, "bounds from", text::place(bounds.min, size));
                        widget::fact(ui, "bounds to", text::place(bounds.max, size));
                    }
                }
            }
            travel(ui, document, id);
            flags(ui, object);
        });
    });
}

fn travel(ui: &mut Ui, document: &Document, id: ObjectId) {
    let frame = document.frame();
    let body =
        |state: &crate::core::replay::FrameState| state.bodies.get(id as usize).copied().flatten();
    let (start, end) = (body(&frame.start), body(&frame.end));
    if let Some(velocity) = start.and_then(|start| start.velocity) {
        widget::fact(ui, "velocity", format!("{} m/s", text::vector(velocity)));
        widget::fact(ui, "speed", text::with_unit(velocity.length(), "m/s"));
    }
    if let (Some(start), Some(end)) = (start, end) {
        let moved = end.pose.position - start.pose.position;
        widget::fact(ui, "this frame", format!("{} m", text::vector(moved)));
        widget::fact(ui, "distance", text::metres(moved.length()));
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

fn shape_text(shape: &Shape) -> String {
    let metres = text::number;
    let side = |facing: Facing| match facing {
        Facing::Both => "two-sided",
        Facing::Front => "one-sided",
    };
    match shape {
        Shape::Sphere { radius } => format!("sphere, radius {} m", metres(*radius)),
        Shape::Box { half_extents } => format!(
            "box, {} x {} x {} m",
            metres(2.0 * half_extents.x),
            metres(2.0 * half_extents.y),
            metres(2.0 * half_extents.z)
        ),
        Shape::Segment(segment) => {
            format!(
                "segment, {} m long",
                metres((segment.b - segment.a).length())
            )
        }
        Shape::Capsule(capsule) => format!("capsule, radius {} m", metres(capsule.radius)),
        Shape::Solid(solid) => {
            let mut solid = solid.clone();
            let mut text = solid.as_solid().kind_name().to_lowercase();
            for (name, value) in solid.measures_mut() {
                text.push_str(&format!(", {name} {} m", metres(*value)));
            }
            text
        }
        Shape::Compound(compound) => {
            let parts = compound.parts().iter();
            let parts: Vec<String> = parts.map(|part| shape_text(&part.shape)).collect();
            let count = text::count(parts.len(), "part");
            format!("compound, {count}: {}", parts.join("; "))
        }
        Shape::Triangle(triangle) => format!("triangle, {}", side(triangle.facing)),
        Shape::Plane(_) => "plane, solid behind".into(),
        Shape::Mesh(mesh) => {
            let dirt = mesh.dirt();
            let mut text = format!(
                "mesh, {}, {}",
                text::count(mesh.triangles().len(), "triangle"),
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
