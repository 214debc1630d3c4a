//! Groups changes into undo steps.

use egui::Context;

/// Numbers the gestures. All changes of one gesture are one undo step: a gesture is the time between a press and its release, or
/// while a text field has the focus.
#[derive(Default)]
pub struct Gestures {
    number: u64,
    active: bool,
}

impl Gestures {
    /// The number of the current gesture, if there is one.
    pub fn current(&mut self, ctx: &Context) -> Option<u64> {
        let released = ctx.input(|input| input.pointer.any_released());
        let down = ctx.input(|input| input.pointer.any_down()) || released;
        let active = down || ctx.text_edit_focused();
        if active && !self.active || ctx.input(|input| input.pointer.any_pressed()) {
            self.number += 1;
        }
        self.active = active;
        active.then_some(self.number)
    }
}
