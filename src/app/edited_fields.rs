//! Fields that are being edited: their undo history, the text that Escape restores, and input that is not applied.

use super::widget;
use crate::core::scene::UserUnits;
use egui::text_edit::TextEditState;
use egui::{Context, Id, IdMap, Key, Plugin, Response, TextEdit, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;

/// The edited fields; a plugin, because fields of all panels share the focus.
#[derive(Default)]
pub struct EditedFields {
    focused: Option<Id>,
    /// The texts that fields had when they got the focus.
    before: IdMap<String>,
    /// Typed texts that are not applied yet, each with the value that it replaces.
    pub typed: IdMap<[String; 2]>,
    /// The name of the inspected object gets the focus.
    pub focus_name: bool,
    /// The units and axes of the level, in which lengths and points are shown and typed; in a flat one points have two fields, and a
    /// rotation one.
    pub units: UserUnits,
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
        if let Some(id) = focused.filter(|id| *id != scene_text()) {
            clear_undo(ui.ctx(), id);
        }
    }
}

/// The id of the field with the text of the scene.
pub fn scene_text() -> Id {
    Id::unique("the scene as text")
}

/// Clears the undo history of a text field.
pub fn clear_undo(ctx: &Context, id: Id) {
    if let Some(mut state) = TextEditState::load(ctx, id) {
        state.clear_undoer();
        state.store(ctx, id);
    }
}

/// A field for one line of text. Escape restores the text that it had when it got the focus.
pub fn line(ui: &mut Ui, text: &mut String, name: &str, hint: &str, width: f32) -> Response {
    let field = TextEdit::singleline(text)
        .hint_text(hint)
        .desired_width(width)
        .margin(vec2(8.0, 4.0));
    let response = ui.add(field);
    finish(&response, text, name, hint);
    response
}

/// A field for several lines of text, this high.
pub fn lines(ui: &mut Ui, text: &mut String, name: &str, hint: &str, rows: usize) -> Response {
    let field = TextEdit::multiline(text)
        .hint_text(hint)
        .desired_width(f32::INFINITY)
        .desired_rows(rows)
        .margin(vec2(8.0, 4.0));
    let response = ui.add(field);
    finish(&response, text, name, hint);
    response
}

/// Names a field for assistive technology and tests, and restores its text at Escape.
fn finish(response: &Response, text: &mut String, name: &str, hint: &str) {
    response.widget_info(|| {
        let mut info = WidgetInfo::text_edit(true, "", &*text, hint);
        info.label = Some(name.to_owned());
        info
    });
    restore_at_escape(response, text);
}

/// The filter of a list, with a button that clears it.
pub fn filter(ui: &mut Ui, text: &mut String, name: &str, hint: &str) -> Response {
    ui.horizontal(|ui| {
        let clear = !text.is_empty();
        let width = ui.available_width() - if clear { 32.0 } else { 0.0 };
        let response = line(ui, text, name, hint, width);
        let name = "Clear the filter";
        if clear && widget::icon_button(ui, icons::ICON_CLOSE, name, "", false).clicked() {
            text.clear();
        }
        response
    })
    .inner
}

/// Restores the text that a field had when it got the focus, if Escape is pressed.
fn restore_at_escape(response: &Response, text: &mut String) {
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
