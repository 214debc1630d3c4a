//! The lanes: one for each pinned or selected object and pair, with its presence, contacts, impacts, pushes and teleports.

mod differences;
mod engine_log;
mod paint;

use super::{GUTTER, MARGIN, caption};
use crate::app::command::Command;
use crate::app::dock::Pane;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::style;
use crate::app::text;
use crate::app::text::moment_text;
use crate::app::theme::Palette;
use crate::app::time_map::{TimeMap, seek_to};
use crate::app::widget;
use crate::core::diagnose::Kind;
use crate::core::replay::Subject;
use crate::core::replay::history::{History, Quantity, Span};
use egui::accesskit::Role;
use egui::scroll_area::ScrollSource;
use egui::{Align2, Rect, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};
use egui_material_icons::icons;

/// Height of a lane, points.
pub const LANE: f32 = 20.0;
/// The pick radius of a mark, points.
const PICK_RADIUS: f32 = 5.0;

/// Draws the lanes in the given height. Returns the time under the pointer.
pub fn show(
    ui: &mut Ui,
    ruler: &TimeMap,
    height: f32,
    model: &Model,
    document: &Document,
    commands: &mut Vec<Command>,
) -> Option<f64> {
    let mut subjects = model.lanes();
    if document.replay().recording().is_some() {
        // Only in a log can frames differ in length or be missing.
        subjects.push(Subject::Level);
    }
    let listed = model
        .derived()
        .filter(|_| model.shows(Pane::EngineLog))
        .and_then(|derived| derived.engine_log.list())
        .filter(|list| !list.kinds.is_empty());
    let compared = model.session.as_ref().map(|session| &session.compare);
    let compared = compared.filter(|_| model.shows(Pane::Compare));
    let differences = compared.map_or_else(Vec::new, |compare| compare.differences());
    let log = usize::from(listed.is_some());
    let named = log + differences.len();
    let count = subjects.len() + named;
    let height = height.max(0.0);
    let mut pointed = None;
    let size = vec2(ui.available_width(), height);
    ui.allocate_ui(size, |ui| {
        ui.set_min_size(size);
        if count == 0 {
            if height > LANE {
                let text = "Select or pin an object or a pair to show its contacts, impacts, findings and teleports.";
                ui.horizontal(|ui| {
                    ui.add_space(GUTTER + MARGIN);
                    caption(ui, text);
                });
            }
            return;
        }
        ui.spacing_mut().item_spacing.y = 2.0;
        // The wheel zooms the time axis.
        let source = ScrollSource {
            scroll_bar: true,
            ..ScrollSource::NONE
        };
        ScrollArea::vertical()
            .id_salt("lanes")
            .scroll_source(source)
            .max_height(height)
            .min_scrolled_height(0.0)
            .auto_shrink(false)
            .show_rows(ui, LANE, count, |ui, range| {
                for index in range {
                    // What the panels list are the first lanes.
                    let at = match (listed, index.checked_sub(log), index.checked_sub(named)) {
                        (_, _, Some(index)) => {
                            lane(ui, ruler, model, document, (subjects[index], index), commands)
                        }
                        (Some(list), None, _) => {
                            engine_log::lane(ui, ruler, model, list, commands)
                        }
                        (_, Some(index), _) => {
                            differences::lane(ui, ruler, model, &differences[index], commands)
                        }
                        (None, None, _) => None,
                    };
                    pointed = pointed.or(at);
                }
            });
    });
    pointed
}

/// A lane that has a name and no object.
struct NamedLane {
    rect: Rect,
    map: TimeMap,
    response: egui::Response,
}

impl NamedLane {
    fn show(
        ui: &mut Ui,
        ruler: &TimeMap,
        model: &Model,
        (name, label): (&str, &str),
        help: &str,
    ) -> Self {
        let size = vec2(ui.available_width(), LANE);
        let (row, _) = ui.allocate_exact_size(size, Sense::hover());
        let weak = Palette::of(ui.visuals()).text_weak;
        let left = pos2(row.left() + 34.0, row.center().y);
        let width = GUTTER - 34.0 - 6.0;
        widget::line(ui.painter(), left, width, name, style::small(), weak);
        let (rect, map) = time_part(ruler, row);
        let id = ui.scope_id().with(("named lane", label));
        let response = ui.interact(rect, id, Sense::click_and_drag());
        response.widget_info(|| {
            let at = model.playback.playhead().position();
            WidgetInfo::slider(true, at, label)
        });
        widget::describe(&response, help);
        Self {
            rect,
            map,
            response,
        }
    }
}

fn lane(
    ui: &mut Ui,
    ruler: &TimeMap,
    model: &Model,
    document: &Document,
    (subject, index): (Subject, usize),
    commands: &mut Vec<Command>,
) -> Option<f64> {
    let size = vec2(ui.available_width(), LANE);
    let (row, _) = ui.allocate_exact_size(size, Sense::hover());
    let name = model.subject_name(subject);
    let id = ui.scope_id().with(("lane", subject));
    gutter(ui, row, model, (subject, index), &name, commands);
    let (rect, map) = time_part(ruler, row);
    let response = ui.interact(rect, id, Sense::click_and_drag());
    let track = model.track(subject);
    let history = track.map(|track| &*track.history);
    response.widget_info(|| {
        let at = model.playback.playhead().position();
        WidgetInfo::slider(true, at, format!("Lane of {name}"))
    });
    widget::describe(
        &response,
        "Contacts, impacts, findings and teleports over time; drag to move the playhead",
    );
    map.zoom_and_pan(ui, &response, commands);
    let dots = dots_of(model, document, subject);
    let mark = response
        .hover_pos()
        .and_then(|at| nearest(&map, at.x, history, &dots));
    match mark {
        Some(Mark::Finding(index)) if response.clicked() => {
            commands.push(Command::SelectFinding(index));
        }
        Some(Mark::Event(at)) if response.clicked() => {
            commands.push(seek_to(at, model.playback.frames()));
        }
        _ => map.seek(ui, &response, model, mark.is_none(), commands),
    }
    if ui.is_rect_visible(rect) {
        let known_frames = track.map_or(0, |track| track.upto);
        paint::lane(ui, rect, &map, model, (history, known_frames), &dots);
    }
    let pointed = response.hover_pos().map(|at| map.position(at.x));
    if let Some(at) = pointed {
        let tip = tip(at, mark, document, history, &name);
        response.on_hover_text_at_pointer(tip);
    }
    pointed
}

/// The part of a lane's row with the time axis: what the pointer acts on, and its map.
fn time_part(ruler: &TimeMap, row: Rect) -> (Rect, TimeMap) {
    let rect = Rect::from_x_y_ranges(
        ruler.rect.left() - MARGIN..=ruler.rect.right() + MARGIN,
        row.y_range(),
    );
    let map = TimeMap {
        rect: ruler.rect.with_min_y(row.top()).with_max_y(row.bottom()),
        ..*ruler
    };
    (rect, map)
}

/// Draws the pin of a lane, and its name, which selects its subject.
fn gutter(
    ui: &mut Ui,
    row: Rect,
    model: &Model,
    (subject, index): (Subject, usize),
    name: &str,
    commands: &mut Vec<Command>,
) {
    let palette = Palette::of(ui.visuals());
    let area = row.with_max_x(row.left() + GUTTER);
    let pin = Rect::from_center_size(pos2(area.left() + 9.0, area.center().y), vec2(18.0, LANE));
    if subject == Subject::Level {
        let left = pos2(area.left() + 34.0, area.center().y);
        let (font, color) = (style::small(), palette.text_weak);
        ui.painter()
            .text(left, Align2::LEFT_CENTER, "dt of the log", font, color);
        return;
    }
    let session = model.session.as_ref();
    let pinned = session.is_some_and(|session| session.pins.contains(subject));
    let id = ui.scope_id().with(("lane pin", subject));
    let response = ui.interact(pin, id, Sense::click());
    let what = if pinned { "Unpin" } else { "Pin" };
    response.widget_info(|| {
        WidgetInfo::selected(
            Role::Button,
            true,
            pinned,
            format!("{what} the lane of {name}"),
        )
    });
    let icon = icons::ICON_KEEP;
    let color = match (pinned, response.hovered()) {
        (true, _) => palette.selected,
        (false, true) => palette.text,
        (false, false) => palette.text_weak.gamma_multiply(0.5),
    };
    let font = egui::FontId::new(13.0, icon.font_family());
    ui.painter().text(
        pin.center(),
        Align2::CENTER_CENTER,
        icon.codepoint,
        font,
        color,
    );
    let help = if pinned {
        "Unpin"
    } else {
        "Keep its lane and its numbers visible"
    };
    if response.on_hover_text(help).clicked() {
        commands.push(Command::PinSubject(subject));
    }
    let label = area.with_min_x(pin.right()).with_max_x(area.right() - 6.0);
    let id = ui.scope_id().with(("lane name", subject));
    let response = ui.interact(label, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Select {name}")));
    let dot = pos2(label.left() + 6.0, label.center().y);
    ui.painter().circle_filled(dot, 4.0, palette.line(index));
    let left = pos2(label.left() + 15.0, label.center().y);
    let color = if response.hovered() {
        palette.text
    } else {
        palette.text_weak
    };
    let width = label.right() - left.x;
    widget::name_line(ui.painter(), left, width, name, style::small(), color);
    if response
        .on_hover_text(format!("{name}\nClick to select"))
        .clicked()
    {
        commands.push(match subject {
            Subject::Pair(a, b) => Command::SelectPair(a, b),
            Subject::Object(id) => Command::Select(Some(id)),
            Subject::Level => return,
        });
    }
}

/// A mark on a lane that can be clicked.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    /// A finding, by its index in the report.
    Finding(usize),
    /// The time of an impact, a teleport, or the start or end of a contact, frames.
    Event(f64),
}

/// A listed finding on a lane.
#[derive(Clone, Copy)]
struct Dot {
    /// Its index in the report.
    index: usize,
    /// Frames.
    at: f64,
    kind: Kind,
}

/// The listed findings of a subject, in the order of time.
fn dots_of(model: &Model, document: &Document, subject: Subject) -> Vec<Dot> {
    let Some(list) = model.finding_list().filter(|_| subject != Subject::Level) else {
        return Vec::new();
    };
    let of_report = &list.of_report;
    let about = of_report.about(subject, document.findings());
    let listed = about.filter(|index| list.contains(*index));
    let dots = listed.map(|index| {
        let (at, kind) = of_report.moments[index];
        Dot { index, at, kind }
    });
    dots.collect()
}

fn nearest(map: &TimeMap, x: f32, history: Option<&History>, dots: &[Dot]) -> Option<Mark> {
    let distance = |at: f64| (map.x(at) - x).abs();
    let found = dots
        .iter()
        .map(|dot| (Mark::Finding(dot.index), distance(dot.at)));
    let closest = |times: &[f64]| {
        let right = times.partition_point(|at| map.x(*at) < x);
        let near = times[right.saturating_sub(1)..].iter().take(2);
        near.copied()
            .min_by(|a, b| distance(*a).total_cmp(&distance(*b)))
    };
    let events = history.into_iter().flat_map(|history| {
        let events = [&history.impacts, &history.teleports];
        let spans = history
            .contacts
            .iter()
            .flat_map(|span| [span.from, span.to]);
        let ends: Vec<f64> = spans.collect();
        let [one, two] = events.map(|times| closest(times));
        [one, two, closest(&ends)].into_iter().flatten()
    });
    found
        .chain(events.map(|at| (Mark::Event(at), distance(at))))
        .filter(|(_, distance)| *distance <= PICK_RADIUS)
        .min_by(|one, other| one.1.total_cmp(&other.1))
        .map(|(mark, _)| mark)
}

/// The span that contains a time.
fn around(spans: &[Span], at: f64) -> Option<&Span> {
    let after = spans.partition_point(|span| span.from <= at);
    spans[..after].last().filter(|span| at <= span.to)
}

fn tip(
    at: f64,
    mark: Option<Mark>,
    document: &Document,
    history: Option<&History>,
    name: &str,
) -> String {
    let replay = document.replay();
    let mut tip = format!("{name}, {}", moment_text(replay, at));
    let mut add = |line: String| {
        tip.push('\n');
        tip.push_str(&line);
    };
    let Some(history) = history else {
        let single = document.replay().frames() == 0;
        let why = if single {
            "The level has a single state"
        } else {
            "Computing…"
        };
        add(why.to_owned());
        return tip;
    };
    let is_in = |times: &[f64], at: f64| times.contains(&at);
    match mark {
        Some(Mark::Finding(index)) => {
            if let Some(finding) = document.findings().get(index) {
                add(format!(
                    "{}: {}",
                    finding.kind.name(),
                    text::prose(&finding.text)
                ));
            }
        }
        Some(Mark::Event(event)) if is_in(&history.impacts, event) => {
            add(format!("Impact at {}", moment_text(replay, event)));
        }
        Some(Mark::Event(event)) if is_in(&history.teleports, event) => {
            add(format!("Teleported at {}", moment_text(replay, event)));
        }
        _ => {}
    }
    if history.subject == Subject::Level {
        let dt = document.replay().dt(at.max(0.0) as u32);
        add(format!(
            "This frame: {}",
            text::with_unit(dt, Quantity::Dt.unit())
        ));
        if around(&history.missing, at).is_some() {
            add("Frames are missing from the log here".to_owned());
        }
        return tip;
    }
    if around(&history.present, at).is_none() {
        add("Not present at this frame".to_owned());
    }
    if let Some(span) = around(&history.contacts, at) {
        // A range that ends with a frame, which may be the last.
        let to = match span.to.fract() == 0.0 && span.to > span.from {
            true => format!("the end of frame {}", replay.number(span.to as u32 - 1)),
            false => moment_text(replay, span.to),
        };
        let from = moment_text(replay, span.from);
        add(format!("In contact from {from} to {to}"));
    }
    tip
}
