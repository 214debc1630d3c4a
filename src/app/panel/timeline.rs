//! Time: transport, the ruler with its playhead and findings, and the inside of the current frame.

use crate::app::command::Command;
use crate::app::exact_field::exact_field;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::model::playback::{Direction, SPEEDS};
use crate::app::theme::Palette;
use crate::app::widget;
use egui::{Align, ComboBox, DragValue, Layout, RichText, Ui, WidgetInfo};
use egui_material_icons::icons;

mod keyframes;
mod lanes;
mod loop_range;
mod phases;
mod ruler;

/// Room left of time: the names of the lanes.
const GUTTER: f32 = 150.0;
/// Time begins and ends a little inside its place.
const MARGIN: f32 = 10.0;

/// The timeline's own state.
#[derive(Default)]
pub struct Timeline {
    focus: bool,
    /// The pointer was on time in the last pass.
    pointing: bool,
}

impl Timeline {
    /// Puts the cursor into the frame number.
    pub fn focus_frame_field(&mut self) {
        self.focus = true;
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
                self.moment(ui, model, document, commands);
            });
        });
        let mut pointed = None;
        ui.spacing_mut().item_spacing.y = 3.0;
        let map = beside(ui, caption_of_ruler, |ui| {
            let (map, response) = ruler::show(ui, model, document, commands);
            pointed = response.hover_pos().map(|at| map.position(at.x));
            map
        });
        let room = ui.available_height() - phases::TALL - ui.spacing().item_spacing.y;
        let on_lane = lanes::show(ui, &map, room, model, document, commands);
        beside(
            ui,
            |ui| caption(ui, "Inside frame"),
            |ui| {
                phases::show(ui, &map, model, document, commands);
            },
        );
        self.point(pointed.or(on_lane), model, commands);
    }

    /// Tells where on time the pointer is; once more when it has gone.
    fn point(&mut self, pointed: Option<f64>, model: &Model, commands: &mut Vec<Command>) {
        let was = std::mem::replace(&mut self.pointing, pointed.is_some());
        if (pointed.is_some() || was) && pointed != model.time.pointed {
            commands.push(Command::PointAtTime(pointed));
        }
    }

    /// Frame, fraction and time, to read and to type; right to left.
    fn moment(
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
        let mut time = start + playhead.fraction * dt;
        let total = replay.time(model.playback.frames());
        let at_rest = |time| format!("{time:.4}");
        let response = exact_field(ui, None, &mut time, at_rest, |field| {
            field.range(0.0..=total).speed(dt * 0.05).suffix(" s")
        });
        if named(response, "Time", time).changed() {
            let (frame, fraction) = moment_of(document, model.playback.frames(), time);
            commands.push(Command::Seek { frame, fraction });
        }
        let mut fraction = playhead.fraction;
        let at_rest = |fraction| format!("{fraction:.4}");
        let response = exact_field(ui, None, &mut fraction, at_rest, |field| {
            field.range(0.0..=1.0).speed(0.002)
        });
        if named(response, "Fraction", fraction).changed() {
            let frame = playhead.frame;
            commands.push(Command::Seek { frame, fraction });
        }
        ui.label(RichText::new("+").weak());
        let last = model.playback.frames() - 1;
        ui.label(RichText::new(format!("/ {last}")).weak());
        let mut frame = playhead.frame;
        if std::mem::take(&mut self.focus) {
            // Before it is drawn: a number that gets the focus as it is drawn selects all of itself.
            let id = ui.next_auto_id();
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let response = ui.add(DragValue::new(&mut frame).range(0..=last).speed(0.2));
        if named(response, "Frame", f64::from(frame)).changed() {
            let fraction = 0.0;
            commands.push(Command::Seek { frame, fraction });
        }
        ui.label(RichText::new("frame").weak());
        ui.add_space(12.0);
        phases::name(ui, model, document);
    }
}

/// A piece of the timeline: words in the gutter, time right of it.
fn beside<R>(ui: &mut Ui, words: impl FnOnce(&mut Ui), time: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let height = ui.available_height().min(24.0);
        let size = egui::vec2(GUTTER, height);
        let layout = Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(GUTTER);
            words(ui);
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

/// The field's response, under a name that a screen reader can say.
fn named(response: egui::Response, name: &str, value: f64) -> egui::Response {
    response.widget_info(|| {
        let mut info = WidgetInfo::drag_value(true, value);
        info.label = Some(name.to_owned());
        info
    });
    response.on_hover_text(name)
}

/// The frame and fraction of a time in seconds.
fn moment_of(document: &Document, frames: u32, time: f64) -> (u32, f64) {
    let replay = document.replay();
    let (mut low, mut high) = (0, frames);
    // The last frame that begins no later.
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if replay.time(middle) <= time {
            low = middle;
        } else {
            high = middle;
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
        widget::command_button(ui, &command, true, false, commands);
    }
    let playing = model.playback.playing();
    if let Some(entry) = Command::TogglePlay.entry() {
        let icon = match playing {
            Some(_) => icons::ICON_PAUSE,
            None => icons::ICON_PLAY_ARROW,
        };
        widget::command_button_as(ui, entry, icon, true, true, commands);
    }
    for command in [Command::NextPhase, Command::NextFrame, Command::GoToEnd] {
        widget::command_button(ui, &command, true, false, commands);
    }
    ui.add_space(8.0);
    let looping = model.playback.looping();
    widget::command_button(ui, &Command::ToggleLoop, true, looping, commands);
    let hitstop = model.look.hitstop;
    widget::command_button(ui, &Command::ToggleHitstop, true, hitstop, commands);
    ui.add_space(4.0);
    speeds(ui, model, commands);
    if model.playback.is_held() {
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
