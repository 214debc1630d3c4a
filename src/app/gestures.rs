//! Which changes are one step of the history.

use egui::Context;

/// What belongs together when it is taken back: everything between a press and its release, or while a text has the focus.
#[derive(Default)]
pub struct Gestures {
    number: u64,
    going_on: bool,
}

impl Gestures {
    /// The number of the one going on, if one is.
    pub fn at(&mut self, ctx: &Context) -> Option<u64> {
        let released = ctx.input(|input| input.pointer.any_released());
        let down = ctx.input(|input| input.pointer.any_down()) || released;
        let on = down || ctx.text_edit_focused();
        if on && !self.going_on || ctx.input(|input| input.pointer.any_pressed()) {
            self.number += 1;
        }
        self.going_on = on;
        on.then_some(self.number)
    }
}
