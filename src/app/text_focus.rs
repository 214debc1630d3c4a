//! What a text field keeps while it has the focus: steps back of its own, and what it held before.

use super::authoring::text_pane;
use egui::text_edit::TextEditState;
use egui::{Context, Id, Key, Response};

/// Whose field has the focus.
#[derive(Default)]
pub struct TextFocus {
    had: Option<Id>,
}

impl TextFocus {
    /// Once a pass: a field that gets the focus begins without steps back. The toolkit keeps them by the field's place, where
    /// the text of another object, or of another file, may stand by now.
    pub fn watch(&mut self, ctx: &Context) {
        let focused = ctx.memory(egui::Memory::focused);
        if focused == self.had {
            return;
        }
        self.had = focused;
        // The text of the scene looks after itself.
        if let Some(id) = focused.filter(|id| *id != text_pane::field()) {
            forget_steps(ctx, id);
        }
    }
}

/// The field's own undo begins anew.
pub fn forget_steps(ctx: &Context, id: Id) {
    if let Some(mut state) = TextEditState::load(ctx, id) {
        state.clear_undoer();
        state.store(ctx, id);
    }
}

/// Escape gives a field that is taken letter by letter back what it held when it got the focus.
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
