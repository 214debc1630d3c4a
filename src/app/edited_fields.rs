//! The undo history of a text field, and the text that Escape restores.

use super::authoring::text_panel;
use egui::text_edit::TextEditState;
use egui::{Context, Id, Key, Response};

/// Clears the undo history of a text field when it gets the focus.
#[derive(Default)]
pub struct TextFocus {
    last: Option<Id>,
}

impl TextFocus {
    /// Called once a pass. egui keeps the undo history by the field's id, which may show the text of another object or file by
    /// now.
    pub fn update(&mut self, ctx: &Context) {
        let focused = ctx.memory(egui::Memory::focused);
        if focused == self.last {
            return;
        }
        self.last = focused;
        // The Text panel has its own undo history.
        if let Some(id) = focused.filter(|id| *id != text_panel::field()) {
            clear_undo(ctx, id);
        }
    }
}

/// Clears the undo history of a text field.
pub fn clear_undo(ctx: &Context, id: Id) {
    if let Some(mut state) = TextEditState::load(ctx, id) {
        state.clear_undoer();
        state.store(ctx, id);
    }
}

/// Restores the text that a field had when it got the focus, if Escape is pressed.
pub fn restore_at_escape(response: &Response, text: &mut String) {
    let (ctx, key) = (&response.ctx, response.id.with("before"));
    if response.gained_focus() {
        ctx.data_mut(|data| data.insert_temp(key, text.clone()));
    } else if response.lost_focus() {
        let before = ctx.data_mut(|data| data.remove_temp::<String>(key));
        if let Some(before) = before
            && ctx.input(|input| input.key_pressed(Key::Escape))
        {
            *text = before;
        }
    }
}
