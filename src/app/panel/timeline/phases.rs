//! The phases of the current frame and the playhead's fraction, as a strip below the lanes.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::model::playback::Inside;
use crate::app::text;
use crate::app::theme::{Palette, Surfaces};
use crate::app::time_map::TimeMap;
use crate::app::widget;
use crate::core::replay::{ObjectId, Phase};
use egui::accesskit::Role;
use egui::{
    Align2, FontId, Pos2, Rect, RichText, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;

/// Height of the wedge that connects the frame on the ruler with the strip, points.
const WEDGE: f32 = 7.0;
const HEIGHT: f32 = 20.0;
/// Height of the strip with the wedge, points.
pub const TOTAL_HEIGHT: f32 = WEDGE + HEIGHT;
/// Distance between the marks of phases at the same time, points.
const MARK_DISTANCE: f32 = 16.0;
/// The number of phases shown; a frame may have thousands of pushes.
const MAX_PHASES: usize = 60;

/// Draws the strip and handles clicks and drags.
pub fn show(
    ui: &mut Ui,
    ruler: &TimeMap,
    model: &Model,
    document: &Document,
    commands: &mut Vec<Command>,
) {
    let size = vec2(ui.available_width(), TOTAL_HEIGHT);
    let top = ui.cursor().top() - ui.spacing().item_spacing.y;
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let strip = rect.with_min_y(rect.bottom() - HEIGHT);
    let playhead = model.playback.playhead();
    response.widget_info(|| WidgetInfo::slider(true, playhead.fraction, "Inside the frame"));
    widget::describe(
        &response,
        "The frame from start to end; drag to move inside it",
    );
    let inner = strip.shrink2(vec2(10.0, 0.0));
    let x = |fraction: f64| inner.left() + fraction as f32 * inner.width();
    wedge(ui, ruler, rect, top, playhead.frame);
    let painter = ui.painter();
    let (palette, surfaces) = (Palette::of(ui.visuals()), Surfaces::of(ui.visuals()));
    painter.rect_filled(strip, 4.0, surfaces.stripe);
    let passed = strip.with_max_x(x(playhead.fraction));
    painter.rect_filled(passed, 4.0, palette.playhead.gamma_multiply(0.12));
    let at = x(playhead.fraction);
    painter.vline(at, strip.y_range(), Stroke::new(1.5, palette.playhead));
    if let Some(pointer) = widget::dragged_to(&response) {
        let fraction = f64::from((pointer.x - inner.left()) / inner.width()).clamp(0.0, 1.0);
        if fraction != playhead.fraction {
            let frame = playhead.frame;
            commands.push(Command::Seek { frame, fraction });
        }
    }
    let response = response.on_hover_cursor(egui::CursorIcon::ResizeHorizontal);
    let id = response.id;
    let phases = &document.frame().phases;
    let current = current(model, phases.len());
    let phases = &phases[..phases.len().min(MAX_PHASES)];
    let centers = mark_centers(phases, &x, strip.center().y);
    for (index, center) in centers.into_iter().enumerate() {
        let area = Rect::from_center_size(center, vec2(MARK_DISTANCE - 1.0, HEIGHT));
        let response = ui.interact(area, id.with(index), Sense::click());
        let text = describe(&phases[index], document);
        let on = current == Some(index);
        response.widget_info(|| {
            let name = format!("Phase {index}: {text}");
            WidgetInfo::selected(Role::Button, true, on, name)
        });
        mark(ui, center, &phases[index], on || response.hovered());
        if response.on_hover_text(text).clicked() {
            commands.push(Command::GoToPhase(index));
        }
    }
}

/// Shows the name of the phase at the playhead.
pub fn name(ui: &mut Ui, model: &Model, document: &Document) {
    let phases = &document.frame().phases;
    if let Some(phase) = current(model, phases.len()).and_then(|index| phases.get(index)) {
        let text = describe(phase, document);
        ui.add(egui::Label::new(RichText::new(text).weak()).truncate());
    }
}

/// The index of the phase at the playhead.
fn current(model: &Model, count: usize) -> Option<usize> {
    match model.playback.inside() {
        Inside::Free => None,
        Inside::Phase(index) => Some(index),
        Inside::Last => count.checked_sub(1),
    }
}

/// Draws the wedge from the frame on the ruler to the strip.
fn wedge(ui: &Ui, ruler: &TimeMap, rect: Rect, top: f32, frame: u32) {
    let fill = Surfaces::of(ui.visuals()).stripe;
    let edge = rect.x_range();
    let left = ruler.x(f64::from(frame)).clamp(edge.min, edge.max);
    let right = ruler.x(f64::from(frame) + 1.0).clamp(edge.min, edge.max);
    let bottom = rect.bottom() - HEIGHT + 2.0;
    let corners = vec![
        pos2(left, top),
        pos2(right.max(left + 1.0), top),
        pos2(edge.max, bottom),
        pos2(edge.min, bottom),
    ];
    let shape = Shape::convex_polygon(corners, fill.gamma_multiply(0.7), Stroke::NONE);
    ui.painter().add(shape);
}

/// The centre of each phase's mark; marks at the same time are side by side.
fn mark_centers(phases: &[Phase], x: &dyn Fn(f64) -> f32, y: f32) -> Vec<Pos2> {
    let count_at = |fraction: f64| {
        phases
            .iter()
            .filter(|phase| phase.fraction() == fraction)
            .count()
    };
    let mut centers = Vec::with_capacity(phases.len());
    let mut rank = 0_usize;
    for (index, phase) in phases.iter().enumerate() {
        let fraction = phase.fraction();
        let first = index == 0 || phases[index - 1].fraction() != fraction;
        rank = if first { 0 } else { rank + 1 };
        let offset = if fraction > 0.5 {
            -((count_at(fraction) - 1).saturating_sub(rank) as f32)
        } else {
            rank as f32
        };
        let inward = if fraction > 0.5 { -6.0 } else { 6.0 };
        let inward = if fraction == 0.0 || fraction == 1.0 {
            inward
        } else {
            0.0
        };
        centers.push(pos2(x(fraction) + inward + offset * MARK_DISTANCE, y));
    }
    centers
}

/// Draws the icon of a phase, in a disk if it is lit.
fn mark(ui: &Ui, center: Pos2, phase: &Phase, lit: bool) {
    let palette = Palette::of(ui.visuals());
    let (icon, color) = match phase {
        Phase::Start => (icons::ICON_FIRST_PAGE, palette.text_weak),
        Phase::Candidates { .. } => (icons::ICON_GRID_VIEW, palette.bounds),
        Phase::Sweep { .. } => (icons::ICON_RADAR, palette.swept),
        Phase::Advance { .. } => (icons::ICON_EAST, palette.ghost_impact),
        Phase::Push { .. } => (icons::ICON_OUTPUT, palette.push),
        Phase::CameraPush { .. } => (icons::ICON_VIDEOCAM, palette.camera),
        Phase::End => (icons::ICON_LAST_PAGE, palette.text_weak),
    };
    let painter = ui.painter();
    let mut text = color;
    if lit {
        painter.circle_filled(center, 0.5 * MARK_DISTANCE, color);
        text = ui.visuals().extreme_bg_color;
    }
    let font = FontId::new(12.0, icon.font_family());
    painter.text(center, Align2::CENTER_CENTER, icon.codepoint, font, text);
}

fn describe(phase: &Phase, document: &Document) -> String {
    let name = |id: ObjectId| {
        let object = document.replay().objects().get(id as usize);
        object.map_or("?", |object| object.name.as_str())
    };
    match phase {
        Phase::Start => "Start of the frame".into(),
        Phase::Candidates { pairs } => {
            format!(
                "Broad phase: {}",
                text::count(pairs.len(), "candidate pair")
            )
        }
        Phase::Sweep { impacts, .. } => match impacts.first() {
            None => "Sweep: no hits".into(),
            Some((a, b, impact)) => format!(
                "Sweep: {}, the first of {} with {} at {:.4}",
                text::count(impacts.len(), "hit"),
                name(*a),
                name(*b),
                impact.fraction
            ),
        },
        Phase::Advance {
            to,
            impact: Some((a, b, _)),
        } => format!("Advance to {to:.4}: {} hits {}", name(*a), name(*b)),
        Phase::Advance { to, impact: None } => format!("Advance to {to:.4}"),
        Phase::Push {
            number,
            of,
            object,
            against,
            push,
            before,
            after,
            ..
        } => {
            let from = against.map_or(String::new(), |id| format!(" out of {}", name(id)));
            let length = text::number(push.length());
            let (before, after) = (text::vector(*before), text::vector(*after));
            format!(
                "Push {number} of {of}: {}{from} by {length} m, {before} \u{2192} {after}",
                name(*object)
            )
        }
        Phase::CameraPush { .. } => "Push of the camera's probe".into(),
        Phase::End => "End of the frame".into(),
    }
}
