//! The control that has the keyboard's focus: its outline, and the scroll areas that follow it.

use egui::style::ScrollAnimation;
use egui::{Id, Memory, Plugin, Response, Stroke, StrokeKind, Ui};

/// The focus as it was in the pass before; a plugin, because all panels share it.
#[derive(Default)]
pub struct KeyboardFocus {
    focused: Option<Id>,
    /// The control that got the focus in the pass before.
    moved_to: Option<Id>,
}

impl Plugin for KeyboardFocus {
    fn debug_name(&self) -> &'static str {
        "hitstop keyboard focus"
    }

    /// Outlines the control with the focus.
    fn on_end_pass(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx();
        let focused = ctx.memory(Memory::focused);
        self.moved_to = focused.filter(|_| focused != self.focused);
        self.focused = focused;
        if self.moved_to.is_some() {
            ctx.request_repaint();
        }
        let Some(response) = focused.and_then(|id| ctx.read_response(id)) else {
            return;
        };
        // A text field has its cursor.
        if ctx.text_edit_focused() {
            return;
        }
        let stroke = Stroke::new(1.0, ui.visuals().selection.stroke.color);
        let painter = ctx.layer_painter(response.layer_id);
        let painter = painter.with_clip_rect(response.interact_rect);
        painter.rect_stroke(response.rect, 4.0, stroke, StrokeKind::Inside);
    }
}

/// Scrolls to the control that just got the focus, if it is in this content of a scroll area and not in view.
pub fn follow(ui: &Ui) {
    let moved_to = |focus: &mut KeyboardFocus| focus.moved_to;
    let moved_to = ui.ctx().with_plugin(moved_to).flatten();
    let response = moved_to.and_then(|id| ui.ctx().read_response(id));
    let hidden = response.filter(|it| !it.interact_rect.contains_rect(it.rect));
    // Of this area, and not of another one where its hidden part would be.
    let is_here = |it: &Response| {
        it.layer_id == ui.layer_id()
            && it.interact_rect == it.rect.intersect(ui.clip_rect())
            && ui.min_rect().contains_rect(it.rect)
    };
    if let Some(control) = hidden.filter(is_here) {
        ui.scroll_to_rect_animation(control.rect, None, ScrollAnimation::none());
    }
}
