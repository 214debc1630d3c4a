//! The map from frames to the screen and its mouse input, shared by the ruler, the lanes and the plots.

use super::command::Command;
use super::model::Model;
use egui::{PointerButton, Rect, Response, Ui};

/// The map from frames (with fraction) to x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeMap {
    /// The rectangle of the time axis on the screen, points.
    pub rect: Rect,
    /// The position at the left edge, frames.
    pub from: f64,
    /// The length of the visible range, frames, > 0.
    pub span: f64,
}

impl TimeMap {
    /// The map of the range that the model shows.
    pub fn of(model: &Model, rect: Rect) -> Self {
        let (from, span) = model.time.shown(model.playback.frames());
        Self { rect, from, span }
    }

    /// The x of a position in frames.
    pub fn x(&self, position: f64) -> f32 {
        let fraction = (position - self.from) / self.span;
        (f64::from(self.rect.left()) + fraction * f64::from(self.rect.width())) as f32
    }

    /// The position in frames of an x.
    pub fn position(&self, x: f32) -> f64 {
        let fraction = f64::from(x - self.rect.left()) / f64::from(self.rect.width().max(1.0));
        self.from + fraction * self.span
    }

    /// The position at the right edge, frames.
    pub fn to(&self) -> f64 {
        self.from + self.span
    }

    /// Handles zoom (the wheel) and pan (the wheel sideways or with Shift, the middle button); a double click shows all frames.
    pub fn zoom_and_pan(&self, ui: &Ui, response: &Response, commands: &mut Vec<Command>) {
        let frames_of = |points: f32| f64::from(points / self.rect.width().max(1.0)) * self.span;
        let (mut from, mut span) = (self.from, self.span);
        if let Some(at) = response.hover_pos() {
            let (scroll, zoom) = ui.input(|i| (i.smooth_scroll_delta(), i.zoom_delta()));
            let factor = (f64::from(-scroll.y) * 0.004).exp() / f64::from(zoom);
            let center = self.position(at.x);
            from = center - (center - from) * factor - frames_of(scroll.x);
            span *= factor;
        }
        if response.dragged_by(PointerButton::Middle) {
            from -= frames_of(response.drag_delta().x);
        }
        if (from, span) != (self.from, self.span) && from.is_finite() && span.is_finite() {
            commands.push(Command::ShowTime { from, span });
        }
        if response.double_clicked() {
            commands.push(Command::FitTime);
        }
    }

    /// Moves the playhead to the pointer on a click or a drag with the primary button.
    pub fn seek(
        &self,
        ui: &Ui,
        response: &Response,
        model: &Model,
        on_press: bool,
        commands: &mut Vec<Command>,
    ) {
        let primary = ui.input(|input| input.pointer.primary_down());
        // The release counts too: a quick drag has no pass in between.
        let dragged = response.dragged_by(PointerButton::Primary)
            || response.drag_stopped_by(PointerButton::Primary)
            || (on_press && primary && response.is_pointer_button_down_on());
        let pointer = response.interact_pointer_pos();
        if let Some(at) = pointer.filter(|_| dragged || response.clicked()) {
            let position = self.position(at.x);
            if position != model.playback.playhead().position() {
                commands.push(seek_to(position, model.playback.frames()));
            }
        }
    }
}

/// The command that moves the playhead to a position in frames, clamped to the level.
pub fn seek_to(position: f64, frames: u32) -> Command {
    let position = position.clamp(0.0, f64::from(frames));
    let frame = (position.floor() as u32).min(frames.saturating_sub(1));
    Command::Seek {
        frame,
        fraction: position - f64::from(frame),
    }
}

/// Pushes the time under the pointer, and `None` once when the pointer has left; `was_hovered` is that of the pass before.
pub fn report_hover(
    was_hovered: &mut bool,
    pointed: Option<f64>,
    model: &Model,
    commands: &mut Vec<Command>,
) {
    let was = std::mem::replace(was_hovered, pointed.is_some());
    if (pointed.is_some() || was) && pointed != model.time.pointed {
        commands.push(Command::PointAtTime(pointed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    #[test]
    fn the_map_and_its_inverse_agree() {
        let map = TimeMap {
            rect: Rect::from_min_size(pos2(10.0, 0.0), vec2(400.0, 50.0)),
            from: 20.0,
            span: 8.0,
        };
        assert_eq!(map.x(20.0), 10.0);
        assert_eq!(map.x(24.0), 210.0);
        assert_eq!(map.position(410.0), 28.0);
        assert_eq!(map.position(map.x(23.25)), 23.25);
    }

    #[test]
    fn the_end_of_the_level_is_the_end_of_the_last_frame() {
        let end = Command::Seek {
            frame: 5,
            fraction: 1.0,
        };
        assert_eq!(seek_to(6.0, 6), end);
        assert_eq!(seek_to(9.0, 6), end);
    }
}
