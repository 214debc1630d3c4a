//! Numbers over time: one plot for each quantity, one line for each pinned or selected object and pair.

mod thin;

use crate::app::command::Command;
use crate::app::levels::Levels;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::model::history::Histories;
use crate::app::style;
use crate::app::text::moment_text;
use crate::app::theme::Palette;
use crate::app::time_map::Map;
use crate::app::{text, widget};
use crate::core::replay::Subject;
use crate::core::replay::history::Quantity;
use egui::accesskit::Role;
use egui::scroll_area::ScrollSource;
use egui::{Align, Button, Color32, Layout, Rect, RichText, ScrollArea, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;
use egui_plot::{GridMark, HLine, HoverPosition, Line, Plot, PlotPoints, VLine};
use thin::{Runs, Thinned};

/// A plot is never lower than this, points.
const LOWEST: f32 = 84.0;
/// Nor narrower than this beside another.
const NARROWEST: f32 = 300.0;
/// Height of a quantity that has no line.
const IDLE: f32 = 22.0;

/// The panel's own state: lines thinned to what can be seen, and where they were drawn.
#[derive(Default)]
pub struct Plots {
    lines: Thinned,
    rect: Option<Rect>,
    /// The pointer was on time in the last pass.
    pointing: bool,
}

impl Plots {
    /// Where the plots were drawn since [`Self::forget_rect`].
    pub fn rect(&self) -> Option<Rect> {
        self.rect
    }

    /// They may be behind another panel in the next pass.
    pub fn forget_rect(&mut self) {
        self.rect = None;
    }

    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(document) = model.document() else {
            return;
        };
        toolbar(ui, model, document, commands);
        let chosen = &model.plotted.quantities;
        self.rect = Some(ui.available_rect_before_wrap().expand(2.0));
        if chosen.is_empty() {
            let help = "Choose above what to plot: gap, depth, speed ..";
            widget::empty_state(ui, icons::ICON_MULTILINE_CHART, "Nothing is plotted", help);
            return;
        }
        let nobody = |quantity: &Quantity| model.plotted_subjects(*quantity).is_empty();
        if chosen.iter().all(nobody) {
            let help =
                "Select an object or a pair, or pin some: their numbers over time are drawn here.";
            widget::empty_state(ui, icons::ICON_MULTILINE_CHART, "Numbers over time", help);
            return;
        }
        let mut pointed = None;
        // The wheel is time's.
        let source = ScrollSource {
            scroll_bar: true,
            ..ScrollSource::NONE
        };
        let (idle, drawn): (Vec<Quantity>, Vec<Quantity>) =
            chosen.iter().partition(|one| nobody(one));
        let gap = ui.spacing().item_spacing;
        let idle_room = idle.len() as f32 * (IDLE + gap.y);
        let room = vec2(ui.available_width(), ui.available_height() - idle_room);
        let (columns, height) = grid(drawn.len(), room, gap.y);
        let size = vec2(room.x / columns as f32 - gap.x, height);
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
                                let at = self.one(ui, model, document, quantity, commands);
                                pointed = pointed.or(at);
                            });
                        }
                    });
                }
                // What has no line has no plot, only a word on what to do.
                for quantity in idle {
                    header(ui, model, quantity, &[], &|_| Color32::TRANSPARENT);
                }
            });
        let was = std::mem::replace(&mut self.pointing, pointed.is_some());
        if (pointed.is_some() || was) && pointed != model.time.pointed {
            commands.push(Command::PointAtTime(pointed));
        }
    }

    /// One plot; says which moment the pointer is on.
    fn one(
        &mut self,
        ui: &mut Ui,
        model: &Model,
        document: &Document,
        quantity: Quantity,
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
        let width = ui.available_width();
        let histories = model.derived().map(|derived| &derived.histories);
        let version = histories.map_or(0, Histories::version);
        let mut lines: Vec<(String, Color32, Runs)> = Vec::new();
        for subject in subjects {
            let track = model.track(subject);
            let series = track.and_then(|track| track.history.series(quantity));
            if let Some(series) = series {
                let key = (version, from, span, width);
                let runs = self.lines.get((subject, quantity), key, series);
                lines.push((model.subject_name(subject), color(subject), runs.clone()));
            }
        }
        let values = lines.iter().flat_map(|(_, _, runs)| runs.iter().flatten());
        // Where something is says little about zero; how fast, how deep and how far apart says much.
        let with_zero = !matches!(
            quantity,
            Quantity::PositionX | Quantity::PositionY | Quantity::PositionZ
        );
        let levels = Levels::of(values.map(|[_, value]| *value), with_zero);
        let plot = levels.on(plot(ui, quantity), "").y_axis_min_width(64.0);
        let playhead = model.playback.playhead().position();
        let pointed = model.time.pointed;
        let response = plot.show(ui, |plot| {
            plot.set_plot_bounds_x(from..=from + span);
            plot.set_plot_bounds_y(levels.bounds());
            let zero = HLine::new("", 0.0).color(palette.grid_major).width(1.0);
            plot.hline(zero.allow_hover(false));
            for (name, color, runs) in lines {
                for run in runs {
                    // As a band a step would be drawn as a slope as wide as a frame.
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
        let name = format!("Plot of {}", quantity.name());
        let (response, transform) = (response.response, response.transform);
        response.widget_info(|| WidgetInfo::slider(true, playhead, &name));
        widget::describe(&response, quantity.help());
        let rect = *transform.frame();
        let map = Map { rect, from, span };
        map.zoom_and_pan(ui, &response, commands);
        map.seek(ui, &response, model, true, commands);
        let working = document.replay().frames() > 0
            && histories.is_some_and(|histories| histories.working().is_some());
        if working {
            ui.painter().text(
                rect.right_top() + vec2(-6.0, 4.0),
                egui::Align2::RIGHT_TOP,
                "being worked out",
                style::small(),
                palette.text_weak,
            );
        }
        response.hover_pos().map(|at| map.position(at.x))
    }
}

/// Columns, and the height of each plot: one below the other as long as each is high enough, then beside each other.
fn grid(count: usize, room: egui::Vec2, gap: f32) -> (usize, f32) {
    let stacked = (((room.y + gap) / (LOWEST + gap)).floor() as usize).clamp(1, count.max(1));
    let most = ((room.x / NARROWEST).floor() as usize).max(1);
    let columns = count.max(1).div_ceil(stacked).min(most);
    let rows = count.max(1).div_ceil(columns);
    (columns, (room.y / rows as f32 - gap).max(LOWEST))
}

/// What can be plotted, and the ways out.
fn toolbar(ui: &mut Ui, model: &Model, document: &Document, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            widget::command_button(ui, &Command::ExportPng, true, false, commands);
            widget::command_button(ui, &Command::ExportCsv, true, false, commands);
            let zoomed = model.time.is_zoomed();
            widget::command_button(ui, &Command::FitTime, zoomed, false, commands);
            ui.with_layout(
                Layout::left_to_right(Align::Center).with_main_wrap(true),
                |ui| {
                    let logged = document.replay().recording().is_some();
                    for quantity in Quantity::ALL {
                        let of_log =
                            matches!(quantity, Quantity::LoggedDepth | Quantity::LoggedPush);
                        if of_log && !logged {
                            continue;
                        }
                        let on = model.plotted.quantities.contains(&quantity);
                        let label = RichText::new(quantity.name()).font(style::small());
                        let response = ui.add(Button::selectable(on, label));
                        let name = format!("Plot {}", quantity.name());
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

/// The quantity, and whose lines are which.
fn header(
    ui: &mut Ui,
    model: &Model,
    quantity: Quantity,
    subjects: &[Subject],
    color: &dyn Fn(Subject) -> Color32,
) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 10.0;
        let title = format!("{} ({})", quantity.name(), quantity.unit());
        ui.label(RichText::new(title).strong().font(style::small()));
        if subjects.is_empty() {
            let what = match quantity {
                Quantity::Gap | Quantity::Depth => "select or pin a pair",
                _ => "select or pin an object",
            };
            ui.label(RichText::new(what).weak().font(style::small()));
        }
        for subject in subjects.iter().filter(|one| **one != Subject::Level) {
            let name = model.subject_name(*subject);
            let known = model.track(*subject).is_some_and(|track| {
                let begun = track.history.series(quantity).is_some();
                begun || track.upto < model.playback.frames()
            });
            let mut label = RichText::new(format!("\u{25CF} {name}")).font(style::small());
            label = label.color(color(*subject));
            let label = ui.add(egui::Label::new(label).truncate());
            if !known {
                ui.label(RichText::new("no such number").weak().font(style::small()));
            }
            label.on_hover_text(format!("{} of {name}", quantity.name()));
        }
    });
}

fn plot<'p>(ui: &Ui, quantity: Quantity) -> Plot<'p> {
    let unit = quantity.unit();
    widget::still_plot(ui, ("over time", quantity))
        .show_axes(true)
        .show_crosshair(false)
        .x_axis_formatter(|mark: GridMark, _| text::significant(mark.value, 6))
        .label_formatter(move |at| match at {
            HoverPosition::NearDataPoint {
                plot_name,
                position,
                ..
            } => {
                let value = text::with_unit(position.y, unit);
                Some(format!("{plot_name}\n{}\n{value}", moment_text(position.x)))
            }
            HoverPosition::Elsewhere { .. } => None,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_stand_below_each_other_and_then_beside_each_other() {
        assert_eq!(grid(1, vec2(900.0, 400.0), 4.0), (1, 396.0));
        assert_eq!(grid(2, vec2(900.0, 400.0), 4.0), (1, 196.0));
        assert_eq!(grid(2, vec2(900.0, 120.0), 4.0), (2, 116.0));
        assert_eq!(grid(4, vec2(900.0, 204.0), 4.0), (2, 98.0));
        // Where there is no room for either, they are scrolled.
        assert_eq!(grid(5, vec2(320.0, 120.0), 4.0), (1, LOWEST));
        assert_eq!(grid(0, vec2(0.0, -5.0), 4.0), (1, LOWEST));
    }
}
