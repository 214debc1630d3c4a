//! The Plots panel: one plot for each quantity, one line for each pinned or selected object and pair.

mod thin;

use crate::app::axis_ticks::AxisTicks;
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::model::history::Histories;
use crate::app::style;
use crate::app::text::moment_text;
use crate::app::theme::Palette;
use crate::app::time_map::{TimeMap, report_hover};
use crate::app::{text, widget};
use crate::core::escape::escaped;
use crate::core::replay::Replay;
use crate::core::replay::Subject;
use crate::core::replay::history::Quantity;
use egui::accesskit::Role;
use egui::scroll_area::ScrollSource;
use egui::{
    Align, Button, Color32, Layout, Rangef, Rect, RichText, ScrollArea, Ui, WidgetInfo, vec2,
};
use egui_material_icons::icons;
use egui_plot::{GridMark, HLine, HoverPosition, Line, Plot, PlotPoints, VLine};
use std::sync::Arc;
use thin::{Runs, Thinned};

/// The least height of a plot, points.
const MIN_HEIGHT: f32 = 84.0;
/// The least width of plots side by side, points.
const MIN_WIDTH: f32 = 300.0;
/// The least width of the labels of values, points.
const LABELS: f32 = 64.0;
/// The height of a quantity without lines, points.
const EMPTY_HEIGHT: f32 = 22.0;

/// The state of the panel: the cached lines and the rectangle.
#[derive(Default)]
pub struct Plots {
    lines: Thinned,
    rect: Option<Rect>,
    /// The pointer was on a plot in the last pass.
    was_hovered: bool,
}

impl Plots {
    /// The rectangle of the plots, if they were drawn since [`Self::forget_rect`].
    pub fn rect(&self) -> Option<Rect> {
        self.rect
    }

    /// Clears the rectangle: the panel may be hidden in the next pass.
    pub fn forget_rect(&mut self) {
        self.rect = None;
    }

    /// Draws the panel. `axis` is that of the timeline on the screen: plots below or above all of it are aligned with it.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        model: &Model,
        axis: Option<Rangef>,
        commands: &mut Vec<Command>,
    ) {
        let Some(document) = model.document() else {
            return;
        };
        toolbar(ui, model, document, commands);
        let chosen = &model.plotted.quantities;
        self.rect = Some(ui.available_rect_before_wrap().expand(2.0));
        // A value of another level is none of this one.
        let known = || {
            let replay = document.replay();
            let chosen = chosen.iter().copied();
            chosen.filter(|quantity| !replay.quantity_name(*quantity).is_empty())
        };
        if known().next().is_none() {
            let help = "Select quantities above: gap, depth, speed and others.";
            widget::empty_state(ui, icons::ICON_MULTILINE_CHART, "No plots", help);
            return;
        }
        let is_empty = |quantity: &Quantity| model.plotted_subjects(*quantity).is_empty();
        if known().all(|quantity| is_empty(&quantity)) {
            let help = "Select or pin an object or a pair to plot its numbers over time.";
            widget::empty_state(ui, icons::ICON_MULTILINE_CHART, "Plots over time", help);
            return;
        }
        let mut pointed = None;
        // The wheel zooms the time axis.
        let source = ScrollSource {
            scroll_bar: true,
            ..ScrollSource::NONE
        };
        let (empty, drawn): (Vec<Quantity>, Vec<Quantity>) = known().partition(|one| is_empty(one));
        let gap = ui.spacing().item_spacing;
        let empty_height = empty.len() as f32 * (EMPTY_HEIGHT + gap.y);
        let area = vec2(ui.available_width(), ui.available_height() - empty_height);
        let axis = axis.filter(|axis| fits(*axis, ui.available_rect_before_wrap().x_range()));
        // Plots side by side cannot all be aligned with the timeline.
        let width = axis.map_or(area.x, |_| MIN_WIDTH);
        let (columns, height) = grid(drawn.len(), vec2(width, area.y), gap.y);
        let size = vec2(area.x / columns as f32 - gap.x, height);
        ScrollArea::vertical()
            .id_salt("plots")
            .scroll_source(source)
            .auto_shrink(false)
            .show(ui, |ui| {
                for row in drawn.chunks(columns) {
                    ui.horizontal(|ui| {
                        for &quantity in row {
                            ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
                                ui.set_min_size(size);
                                let at = self.one(ui, model, document, quantity, axis, commands);
                                pointed = pointed.or(at);
                            });
                        }
                    });
                }
                // A quantity without lines has only a header that says what to do.
                for quantity in empty {
                    header(ui, model, quantity, &[], &|_| Color32::TRANSPARENT);
                }
            });
        report_hover(&mut self.was_hovered, pointed, model, commands);
    }

    /// Draws a plot. Returns the time under the pointer.
    fn one(
        &mut self,
        ui: &mut Ui,
        model: &Model,
        document: &Document,
        quantity: Quantity,
        axis: Option<Rangef>,
        commands: &mut Vec<Command>,
    ) -> Option<f64> {
        let subjects = model.plotted_subjects(quantity);
        let palette = Palette::of(ui.visuals());
        let lanes = model.lanes();
        let color = |subject: Subject| {
            let lane = lanes.iter().position(|one| *one == subject);
            lane.map_or(palette.velocity, |lane| palette.line(lane))
        };
        header(ui, model, quantity, &subjects, &color);
        let (from, span) = model.time.shown(model.playback.frames());
        let (labels, width) = aligned(axis, ui.available_rect_before_wrap().x_range());
        let histories = model.derived().map(|derived| &derived.histories);
        let version = histories.map_or(0, Histories::version);
        let units = document.units();
        // Along one of the user's axes, which is one of ours.
        let (kept, sign) = quantity.along(|axis| units.our_direction(axis));
        let mut lines: Vec<(String, Color32, Runs)> = Vec::new();
        for subject in subjects {
            let track = model.track(subject);
            let series = track.and_then(|track| track.history.series(kept));
            if let Some(series) = series {
                let key = (version, from, span, width);
                let mut runs = self.lines.get((subject, kept), key, series).clone();
                for [_, value] in runs.iter_mut().flatten() {
                    *value *= sign;
                }
                lines.push((model.subject_name(subject), color(subject), runs));
            }
        }
        let values = lines.iter().flat_map(|(_, _, runs)| runs.iter().flatten());
        // Zero has a meaning for all quantities except positions.
        let with_zero = !matches!(
            quantity,
            Quantity::PositionX | Quantity::PositionY | Quantity::PositionZ
        );
        let ticks = AxisTicks::of(
            values.map(|[_, value]| *value),
            with_zero,
            units.value(1.0, quantity.unit()).recip(),
        );
        let plot = ticks.apply_to(plot(ui, quantity, document.replay()), "");
        let plot = plot.y_axis_min_width(labels).width(width);
        let playhead = model.playback.playhead().position();
        let pointed = model.time.pointed;
        let response = plot.show(ui, |plot| {
            plot.set_plot_bounds_x(from..=from + span);
            plot.set_plot_bounds_y(ticks.bounds());
            let zero = HLine::new("", 0.0).color(palette.grid_major).width(1.0);
            plot.hline(zero.allow_hover(false));
            for (name, color, runs) in lines {
                for run in runs {
                    // Band mode would draw a step as a slope as wide as a frame.
                    let line = Line::new(name.clone(), PlotPoints::from(run)).allow_band(false);
                    plot.line(line.color(color).width(1.6));
                }
            }
            if let Some(pointed) = pointed {
                let line = VLine::new("", pointed).color(palette.text_weak).width(1.0);
                plot.vline(line.allow_hover(false));
            }
            let line = VLine::new("", playhead).color(palette.playhead).width(1.8);
            plot.vline(line.allow_hover(false));
        });
        let name = format!("Plot of {}", document.replay().quantity_name(quantity));
        let (response, transform) = (response.response, response.transform);
        response.widget_info(|| WidgetInfo::slider(true, playhead, &name));
        widget::describe(&response, quantity.help());
        let rect = *transform.frame();
        let map = TimeMap { rect, from, span };
        map.zoom_and_pan(ui, &response, commands);
        map.seek(ui, &response, model, true, commands);
        let working = document.replay().frames() > 0
            && histories.is_some_and(|histories| histories.progress().is_some());
        if working {
            ui.painter().text(
                rect.right_top() + vec2(-6.0, 4.0),
                egui::Align2::RIGHT_TOP,
                "Computing…",
                style::small(),
                palette.text_weak,
            );
        }
        response.hover_pos().map(|at| map.position(at.x))
    }
}

/// Returns true if a plot in this space can have its time axis where that of the timeline is.
fn fits(axis: Rangef, space: Rangef) -> bool {
    axis.min - space.min >= LABELS && axis.max <= space.max
}

/// The width of the labels of a plot, and of the plot with them, so that its time axis is where that of the timeline is; all of
/// the space where that is not possible.
fn aligned(axis: Option<Rangef>, space: Rangef) -> (f32, f32) {
    match axis.filter(|axis| fits(*axis, space)) {
        Some(axis) => (axis.min - space.min, axis.max - space.min),
        None => (LABELS, space.span()),
    }
}

/// The number of columns and the height of each plot. More columns are used only if the plots would be lower than `MIN_HEIGHT`.
fn grid(count: usize, area: egui::Vec2, gap: f32) -> (usize, f32) {
    let stacked = (((area.y + gap) / (MIN_HEIGHT + gap)).floor() as usize).clamp(1, count.max(1));
    let most = ((area.x / MIN_WIDTH).floor() as usize).max(1);
    let columns = count.max(1).div_ceil(stacked).min(most);
    let rows = count.max(1).div_ceil(columns);
    (columns, (area.y / rows as f32 - gap).max(MIN_HEIGHT))
}

/// The quantities to plot, and the export buttons.
fn toolbar(ui: &mut Ui, model: &Model, document: &Document, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            widget::command_button(ui, &Command::ExportPng, model, commands);
            widget::command_button(ui, &Command::ExportCsv, model, commands);
            widget::command_button(ui, &Command::FitTime, model, commands);
            ui.with_layout(
                Layout::left_to_right(Align::Center).with_main_wrap(true),
                |ui| {
                    let replay = document.replay();
                    for quantity in replay.quantities() {
                        let on = model.plotted.quantities.contains(&quantity);
                        let label = escaped(replay.quantity_name(quantity));
                        let name = format!("Plot {label}");
                        let label = RichText::new(label).font(style::small());
                        let response = ui.add(Button::selectable(on, label));
                        response
                            .widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, &name));
                        if response.on_hover_text(quantity.help()).clicked() {
                            commands.push(Command::Plot(quantity, !on));
                        }
                    }
                },
            );
        });
    });
}

/// The header of a plot: the quantity, and the colours of the subjects.
fn header(
    ui: &mut Ui,
    model: &Model,
    quantity: Quantity,
    subjects: &[Subject],
    color: &dyn Fn(Subject) -> Color32,
) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 10.0;
        let of_level = model
            .document()
            .map_or("", |document| document.replay().quantity_name(quantity));
        let title = match quantity.unit() {
            "" => escaped(of_level).into_owned(),
            unit => format!("{of_level} ({})", model.units().unit(unit)),
        };
        ui.label(RichText::new(title).strong().font(style::small()));
        if subjects.is_empty() {
            let what = match quantity {
                Quantity::Gap | Quantity::Depth => "Select or pin a pair",
                _ => "Select or pin an object",
            };
            ui.label(RichText::new(what).weak().font(style::small()));
        }
        for subject in subjects.iter().filter(|one| **one != Subject::Level) {
            let name = model.subject_name(*subject);
            let known = model.track(*subject).is_some_and(|track| {
                let has_data = track.history.series(quantity).is_some();
                has_data || track.upto < model.playback.frames()
            });
            let mut label = RichText::new(format!("\u{25CF} {name}")).font(style::small());
            label = label.color(color(*subject));
            let label = ui.add(egui::Label::new(label).truncate());
            if !known {
                ui.label(RichText::new("(no data)").weak().font(style::small()));
            }
            label.on_hover_text(format!("{} of {name}", escaped(of_level)));
        }
    });
}

fn plot<'p>(ui: &Ui, quantity: Quantity, replay: &Arc<Replay>) -> Plot<'p> {
    let unit = quantity.unit();
    let (replay, units) = (Arc::clone(replay), replay.units());
    let numbers = Arc::clone(&replay);
    widget::fixed_plot(ui, ("over time", quantity))
        .show_axes(true)
        .show_crosshair(false)
        .x_axis_formatter(move |mark: GridMark, _| text::frame_mark(&numbers, mark.value))
        .label_formatter(move |at| match at {
            HoverPosition::NearDataPoint {
                plot_name,
                position,
                ..
            } => {
                let value = units.text(position.y, unit);
                Some(format!(
                    "{plot_name}\n{}\n{value}",
                    moment_text(&replay, position.x)
                ))
            }
            HoverPosition::Elsewhere { .. } => None,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_under_the_whole_timeline_are_aligned_with_it() {
        let axis = Some(Rangef::new(160.0, 990.0));
        assert_eq!(aligned(axis, Rangef::new(10.0, 1000.0)), (150.0, 980.0));
        assert_eq!(aligned(axis, Rangef::new(120.0, 1000.0)), (LABELS, 880.0));
        assert_eq!(aligned(axis, Rangef::new(10.0, 700.0)), (LABELS, 690.0));
        assert_eq!(aligned(None, Rangef::new(10.0, 700.0)), (LABELS, 690.0));
    }

    #[test]
    fn plots_are_stacked_first_and_then_placed_side_by_side() {
        assert_eq!(grid(1, vec2(900.0, 400.0), 4.0), (1, 396.0));
        assert_eq!(grid(2, vec2(900.0, 400.0), 4.0), (1, 196.0));
        assert_eq!(grid(2, vec2(900.0, 120.0), 4.0), (2, 116.0));
        assert_eq!(grid(4, vec2(900.0, 204.0), 4.0), (2, 98.0));
        // Otherwise they are scrolled.
        assert_eq!(grid(5, vec2(320.0, 120.0), 4.0), (1, MIN_HEIGHT));
        assert_eq!(grid(0, vec2(0.0, -5.0), 4.0), (1, MIN_HEIGHT));
    }
}
