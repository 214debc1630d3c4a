//! The timeline: the playback controls, the ruler with the playhead and the findings, the lanes, and the phases of the current
//! frame.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::model::playback::{Direction, SPEEDS};
use crate::app::number_field::{Kind, number_field};
use crate::app::theme::Palette;
use crate::app::time_map::report_hover;
use crate::app::widget;
use egui::{Align, ComboBox, DragValue, Layout, Rangef, RichText, Ui, WidgetInfo};
use egui_material_icons::icons;

mod keyframes;
mod lanes;
mod loop_range;
mod marks;
mod phases;
mod ruler;

/// The width left of the time axis, with the names of the lanes, points.
const GUTTER: f32 = 150.0;
/// The margin at both ends of the time axis, points.
const MARGIN: f32 = 10.0;

/// The state of the timeline.
#[derive(Default)]
pub struct Timeline {
    focus: bool,
    /// The pointer was on the time axis in the last pass.
    was_hovered: bool,
    /// While the loop is dragged as a whole: the frames from its start to the pointer.
    grabbed: f64,
    /// The left and right ends of the time axis on the screen, points.
    axis: Option<Rangef>,
}

impl Timeline {
    /// Focuses the field with the frame number.
    pub fn focus_frame_field(&mut self) {
        self.focus = true;
    }

    /// The left and right ends of the time axis on the screen, points, as last drawn.
    pub fn axis(&self) -> Option<Rangef> {
        self.axis
    }

    /// Draws the timeline.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(document) = model.document() else {
            return;
        };
        ui.horizontal(|ui| {
            ui.set_min_height(28.0);
            ui.spacing_mut().item_spacing.x = 2.0;
            transport(ui, model, commands);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                self.time_fields(ui, model, document, commands);
            });
        });
        let mut pointed = None;
        ui.spacing_mut().item_spacing.y = 3.0;
        // In a low panel the ruler leaves the room for a lane and the phases.
        let spacing = ui.spacing().item_spacing.y;
        let below = lanes::LANE + phases::TOTAL_HEIGHT + 2.0 * spacing;
        let height = ui.available_height() - below;
        let map = with_gutter(ui, caption_of_ruler, |ui| {
            let grabbed = &mut self.grabbed;
            let (map, response) = ruler::show(ui, height, model, document, grabbed, commands);
            pointed = response.hover_pos().map(|at| map.position(at.x));
            map
        });
        self.axis = Some(map.rect.x_range());
        let height = ui.available_height() - phases::TOTAL_HEIGHT - spacing;
        let on_lane = lanes::show(ui, &map, height, model, document, commands);
        with_gutter(
            ui,
            |ui| caption(ui, "Inside frame"),
            |ui| {
                phases::show(ui, &map, model, document, commands);
            },
        );
        report_hover(&mut self.was_hovered, pointed.or(on_lane), model, commands);
    }

    /// The fields for frame, fraction and time, from right to left.
    fn time_fields(
        &mut self,
        ui: &mut Ui,
        model: &Model,
        document: &Document,
        commands: &mut Vec<Command>,
    ) {
        ui.spacing_mut().item_spacing.x = 6.0;
        let playhead = model.playback.playhead();
        let replay = document.replay();
        let dt = replay.dt(playhead.frame);
        let start = replay.time(playhead.frame);
        let first = replay.start_time();
        let mut time = first + start + playhead.fraction * dt;
        let total = replay.time(model.playback.frames());
        let kind = Kind::between(first, first + total).with_unit("s");
        let at_rest = |time| format!("{time:.4} s");
        let field = number_field(ui, "Time", &mut time, kind.with_speed(dt * 0.05), at_rest);
        if field.on_hover_text("Time").changed() {
            let (frame, fraction) = frame_at(document, model.playback.frames(), time - first);
            commands.push(Command::Seek { frame, fraction });
        }
        let mut fraction = playhead.fraction;
        let at_rest = |fraction| format!("{fraction:.4}");
        let kind = Kind::between(0.0, 1.0).with_speed(0.002);
        let field = number_field(ui, "Fraction", &mut fraction, kind, at_rest);
        if field.on_hover_text("Fraction").changed() {
            let frame = playhead.frame;
            commands.push(Command::Seek { frame, fraction });
        }
        ui.label(RichText::new("+").weak());
        let [first, last] = [0, model.playback.frames() - 1].map(|frame| replay.number(frame));
        ui.label(RichText::new(format!("/ {last}")).weak());
        let mut number = replay.number(playhead.frame);
        if std::mem::take(&mut self.focus) {
            // Before the field is drawn, so that it selects all of its text.
            let id = ui.next_auto_id();
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let response = ui.add(DragValue::new(&mut number).range(first..=last).speed(0.2));
        if named(response, "Frame", number as f64).changed() {
            let (frame, fraction) = (replay.frame_of_number(number), 0.0);
            commands.push(Command::Seek { frame, fraction });
        }
        ui.label(RichText::new("frame").weak());
    }
}

/// A row of the timeline: a label in the gutter, and the time axis right of it.
fn with_gutter<R>(ui: &mut Ui, label: impl FnOnce(&mut Ui), time: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let height = ui.available_height().min(24.0);
        let size = egui::vec2(GUTTER, height);
        let layout = Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(GUTTER);
            label(ui);
        });
        ui.vertical(time).inner
    })
    .inner
}

fn caption(ui: &mut Ui, text: &str) {
    let text = RichText::new(text).font(crate::app::style::small()).weak();
    ui.add(egui::Label::new(text).truncate());
}

fn caption_of_ruler(ui: &mut Ui) {
    caption(ui, "Frames");
}

/// The response of a field, with an accessible label and a tooltip.
fn named(response: egui::Response, name: &str, value: f64) -> egui::Response {
    response.widget_info(|| {
        let mut info = WidgetInfo::drag_value(true, value);
        info.label = Some(name.to_owned());
        info
    });
    response.on_hover_text(name)
}

/// The frame and fraction at a time, seconds.
fn frame_at(document: &Document, frames: u32, time: f64) -> (u32, f64) {
    let replay = document.replay();
    let (mut low, mut high) = (0, frames);
    // The last frame that starts at or before this time.
    while low + 1 < high {
        let center = low + (high - low) / 2;
        if replay.time(center) <= time {
            low = center;
        } else {
            high = center;
        }
    }
    let dt = replay.dt(low);
    let fraction = if dt > 0.0 {
        (time - replay.time(low)) / dt
    } else {
        0.0
    };
    (low, fraction.clamp(0.0, 1.0))
}

fn transport(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    for command in [
        Command::GoToStart,
        Command::PreviousFrame,
        Command::PreviousPhase,
    ] {
        widget::command_button(ui, &command, model, commands);
    }
    let playing = model.playback.playing();
    if let Some(entry) = Command::TogglePlay.entry() {
        let icon = match playing {
            Some(_) => icons::ICON_PAUSE,
            None => icons::ICON_PLAY_ARROW,
        };
        widget::command_button_as(ui, entry, icon, true, model, commands);
    }
    for command in [Command::NextPhase, Command::NextFrame, Command::GoToEnd] {
        widget::command_button(ui, &command, model, commands);
    }
    ui.add_space(8.0);
    widget::command_button(ui, &Command::ToggleLoop, model, commands);
    widget::command_button(ui, &Command::ToggleHitstop, model, commands);
    ui.add_space(4.0);
    speeds(ui, model, commands);
    if model.playback.is_frozen() {
        let color = Palette::of(ui.visuals()).ghost_impact;
        ui.label(RichText::new("hitstop").strong().color(color));
    }
    if playing == Some(Direction::Backward) {
        ui.label(RichText::new("backward").weak());
    }
}

fn speeds(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let speed = model.playback.speed();
    let response = ComboBox::from_id_salt("speed")
        .selected_text(speed_text(speed))
        .width(64.0)
        .show_ui(ui, |ui| {
            for offered in SPEEDS {
                let on = offered == speed;
                if ui.selectable_label(on, speed_text(offered)).clicked() {
                    commands.push(Command::SetSpeed(offered));
                }
            }
        })
        .response;
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(egui::accesskit::Role::ComboBox, true, "Speed");
        info.current_text_value = Some(speed_text(speed));
        info
    });
    response.on_hover_text("Level seconds per real second");
}

fn speed_text(speed: f64) -> String {
    if speed < 1.0 {
        format!("1/{:.0} x", 1.0 / speed)
    } else {
        format!("{speed:.0} x")
    }
}
