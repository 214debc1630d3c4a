//! The phases of the current frame and the playhead's fraction, as a strip below the lanes.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::model::playback::Inside;
use crate::app::model::playback::stops::Stop;
use crate::app::theme::{Palette, Surfaces};
use crate::app::time_map::TimeMap;
use crate::app::{style, text, widget};
use crate::core::query::Impact;
use crate::core::replay::unswept::UnsweptImpact;
use crate::core::replay::{ObjectId, Phase};
use egui::accesskit::Role;
use egui::{
    Align, Align2, Color32, FontId, Label, Layout, Pos2, Rect, RichText, Sense, Shape, Stroke, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};
use egui_material_icons::{MaterialIcon, icons};

/// Height of the wedge that connects the frame on the ruler with the strip, points.
const WEDGE: f32 = 7.0;
const HEIGHT: f32 = 20.0;
/// Height of the strip with the wedge, points.
pub const TOTAL_HEIGHT: f32 = WEDGE + HEIGHT;
/// Distance between the marks of phases at the same time, points.
const MARK_DISTANCE: f32 = 16.0;
/// The number of stops shown; a frame may have thousands of pushes.
const MAX_STOPS: usize = 60;
/// The least width for the name of a stop, points.
const MIN_NAME_WIDTH: f32 = 80.0;

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
    let stops = model.stops();
    let unswept = model
        .derived()
        .map_or(&[][..], |derived| derived.unswept.of(document.frame()));
    let current = model.playback.stop(&stops);
    let shown = &stops[..stops.len().min(MAX_STOPS)];
    let centers = mark_centers(shown, &x, strip.center().y);
    if let Some(stop) = current.and_then(|index| stops.get(index)) {
        let text = describe(stop, document, unswept);
        name(ui, inner, x(stop.fraction), &centers, text);
    }
    for (index, center) in centers.into_iter().enumerate() {
        let stop = &shown[index];
        let area = Rect::from_center_size(center, vec2(MARK_DISTANCE - 1.0, HEIGHT));
        let response = ui.interact(area, id.with(index), Sense::click());
        let text = describe(stop, document, unswept);
        let on = current == Some(index);
        response.widget_info(|| {
            let name = format!("Phase {index}: {text}");
            WidgetInfo::selected(Role::Button, true, on, name)
        });
        mark(
            ui,
            center,
            icon(stop, phases, palette),
            on || response.hovered(),
        );
        if response.on_hover_text(text).clicked() {
            commands.push(Command::GoToStop(index));
        }
    }
}

/// Shows the name of the stop at the playhead, in the widest space beside it that has no marks.
fn name(ui: &mut Ui, strip: Rect, at: f32, marks: &[Pos2], text: String) {
    let reach = 0.5 * MARK_DISTANCE + 3.0;
    let mut edges: Vec<f32> = marks.iter().map(|mark| mark.x).chain([at]).collect();
    edges.extend([strip.left(), strip.right()]);
    edges.sort_by(f32::total_cmp);
    let spaces = edges
        .windows(2)
        .map(|ends| (ends[0] + reach, ends[1] - reach));
    // The nearest one that is wide enough.
    let distance = |(from, to): &(f32, f32)| (from - at).max(at - to).max(0.0);
    let wide = spaces.filter(|(from, to)| to - from >= MIN_NAME_WIDTH);
    let nearest = wide.min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let Some((from, to)) = nearest else {
        return;
    };
    let layout = match from < at {
        true => Layout::right_to_left(Align::Center),
        false => Layout::left_to_right(Align::Center),
    };
    let rect = Rect::from_x_y_ranges(from..=to, strip.y_range());
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).layout(layout));
    let text = RichText::new(text).font(style::small());
    child.add(Label::new(text).truncate().selectable(false));
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

/// The centre of each stop's mark; marks at the same time are side by side.
fn mark_centers(stops: &[Stop], x: &dyn Fn(f64) -> f32, y: f32) -> Vec<Pos2> {
    let groups = stops.chunk_by(|one, next| one.fraction == next.fraction);
    let centers = groups.flat_map(|group| {
        let fraction = group[0].fraction;
        // The last mark of the second half is at the time itself.
        let ranks = 0..group.len();
        ranks.map(move |rank| {
            let offset = match fraction > 0.5 {
                true => -((group.len() - 1 - rank) as f32),
                false => rank as f32,
            };
            (fraction, offset)
        })
    });
    let inward = |fraction: f64| match fraction {
        0.0 => 6.0,
        1.0 => -6.0,
        _ => 0.0,
    };
    centers
        .map(|(fraction, offset)| pos2(x(fraction) + inward(fraction) + offset * MARK_DISTANCE, y))
        .collect()
}

/// The icon of a stop and its colour.
fn icon(stop: &Stop, phases: &[Phase], palette: &Palette) -> (MaterialIcon, Color32) {
    let impact = (icons::ICON_ADJUST, palette.ghost_impact);
    let Inside::Phase(index) = stop.inside else {
        return impact;
    };
    match phases.get(index) {
        Some(Phase::Candidates { .. }) => (icons::ICON_GRID_VIEW, palette.bounds),
        Some(Phase::Sweep { .. }) => (icons::ICON_RADAR, palette.swept),
        Some(Phase::Advance {
            impact: Some(_), ..
        }) => impact,
        Some(Phase::Advance { impact: None, .. }) => (icons::ICON_EAST, palette.text_weak),
        Some(Phase::Push { .. }) => (icons::ICON_OUTPUT, palette.push),
        Some(Phase::CameraPush { .. }) => (icons::ICON_VIDEOCAM, palette.camera),
        Some(Phase::Start) => (icons::ICON_FIRST_PAGE, palette.text_weak),
        Some(Phase::End) | None => (icons::ICON_LAST_PAGE, palette.text_weak),
    }
}

/// Draws the icon of a stop, in a disk if it is lit.
fn mark(ui: &Ui, center: Pos2, (icon, color): (MaterialIcon, Color32), lit: bool) {
    let painter = ui.painter();
    let mut text = color;
    if lit {
        painter.circle_filled(center, 0.5 * MARK_DISTANCE, color);
        text = ui.visuals().extreme_bg_color;
    }
    let font = FontId::new(12.0, icon.font_family());
    painter.text(center, Align2::CENTER_CENTER, icon.codepoint, font, text);
}

/// The name of a stop.
fn describe(stop: &Stop, document: &Document, unswept: &[UnsweptImpact]) -> String {
    let phases = &document.frame().phases;
    let phase = match stop.inside {
        Inside::Phase(index) => phases.get(index),
        Inside::Impact(index) => {
            let impacts = phases.iter().find_map(|phase| match phase {
                Phase::Sweep { impacts, .. } => impacts.get(index),
                _ => None,
            });
            return impacts.map_or_else(String::new, |impact| describe_impact(impact, document));
        }
        Inside::Unswept(index) => {
            let impact = unswept.get(index);
            return impact.map_or_else(String::new, |impact| describe_unswept(impact, document));
        }
        Inside::Free | Inside::Last => None,
    };
    phase.map_or_else(String::new, |phase| describe_phase(phase, document))
}

fn describe_impact((a, b, impact): &(ObjectId, ObjectId, Impact), document: &Document) -> String {
    let pair = moving_first(*a, *b, document);
    format!("Impact at {:.4}: {pair}", impact.fraction)
}

fn describe_unswept(impact: &UnsweptImpact, document: &Document) -> String {
    let (at, b) = (impact.fraction, impact.b);
    match impact.a {
        Some(a) => {
            let pair = moving_first(a, b, document);
            format!("Impact at {at:.4}: {pair} by rotation")
        }
        None => {
            let surface = name_of(b, document);
            format!("Impact at {at:.4}: camera crosses {surface}")
        }
    }
}

/// The sentence that two objects hit; the one that moves comes first.
fn moving_first(a: ObjectId, b: ObjectId, document: &Document) -> String {
    let frame = document.frame();
    let stays = |id: ObjectId| frame.pose(id, 0.0) == frame.pose(id, 1.0);
    let [a, b] = if stays(a) { [b, a] } else { [a, b] };
    format!("{} hits {}", name_of(a, document), name_of(b, document))
}

fn name_of(id: ObjectId, document: &Document) -> &str {
    let object = document.replay().objects().get(id as usize);
    object.map_or("?", |object| object.name.as_str())
}

fn describe_phase(phase: &Phase, document: &Document) -> String {
    let name = |id: ObjectId| name_of(id, document);
    match phase {
        Phase::Start => "Start of the frame".into(),
        Phase::Candidates { pairs } => {
            format!(
                "Broad phase: {}",
                text::count(pairs.len(), "candidate pair")
            )
        }
        Phase::Sweep { impacts, .. } if impacts.is_empty() => "Sweep: no hits".into(),
        Phase::Sweep { impacts, .. } => format!("Sweep: {}", text::count(impacts.len(), "hit")),
        Phase::Advance {
            impact: Some(impact),
            ..
        } => describe_impact(impact, document),
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
            let units = document.units();
            let length = units.length(push.length());
            let (before, after) = (units.point(*before), units.point(*after));
            format!(
                "Push {number} of {of}: {}{from} by {length}, {before} \u{2192} {after}",
                name(*object)
            )
        }
        Phase::CameraPush { .. } => "Push of the camera's probe".into(),
        Phase::End => "End of the frame".into(),
    }
}
