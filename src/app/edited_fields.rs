//! Fields that are being edited: their undo history, the text that Escape restores, and input that is not applied.

use super::authoring::text_panel;
use egui::text_edit::TextEditState;
use egui::{Context, Id, IdMap, Key, Plugin, Response, Ui};

/// The edited fields; a plugin, because fields of all panels share the focus.
#[derive(Default)]
pub struct EditedFields {
    focused: Option<Id>,
    /// The texts that fields had when they got the focus.
    before: IdMap<String>,
    /// Typed texts that are not applied yet, each with the value that it replaces.
    pub typed: IdMap<[String; 2]>,
    /// The latest input that was refused.
    pub refused: Option<Refused>,
}

/// An input that was refused.
#[derive(Clone)]
pub struct Refused {
    /// The field.
    pub field: Id,
    /// The reason.
    pub why: String,
    /// Time of the input, seconds.
    pub since: f64,
}

impl EditedFields {
    /// Calls a function with the edited fields.
    pub fn with<R: Default>(ctx: &Context, call: impl FnOnce(&mut Self) -> R) -> R {
        ctx.with_plugin(call).unwrap_or_default()
    }
}

impl Plugin for EditedFields {
    fn debug_name(&self) -> &'static str {
        "hitstop edited fields"
    }

    /// Clears the undo history of a text field that got the focus: egui keeps it by the field's id, which may show the text of
    /// another object or file by now.
    fn on_begin_pass(&mut self, ui: &mut Ui) {
        let focused = ui.memory(egui::Memory::focused);
        if focused == self.focused {
            return;
        }
        self.focused = focused;
        // The Text panel has its own undo history.
        if let Some(id) = focused.filter(|id| *id != text_panel::field()) {
            clear_undo(ui.ctx(), id);
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
    let ctx = &response.ctx;
    if response.gained_focus() {
        EditedFields::with(ctx, |fields| {
            fields.before.insert(response.id, text.clone());
        });
    } else if response.lost_focus() {
        let before = EditedFields::with(ctx, |fields| fields.before.remove(&response.id));
        if let Some(before) = before
            && ctx.input(|input| input.key_pressed(Key::Escape))
        {
            *text = before;
        }
    }
}
