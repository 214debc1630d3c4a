//! The values that the program logged, as rows of a table of facts.

use super::model::document::Document;
use super::widget;
use crate::core::escape::escaped;
use crate::core::replay::{NoteKind, ObjectId};
use egui::Ui;

/// The values that the program logged of an object, or of the level, at the end of the frame.
pub fn logged_values(ui: &mut Ui, document: &Document, of: Option<ObjectId>) {
    let Some(recording) = document.replay().recording() else {
        return;
    };
    if recording.data.totals().notes == 0 {
        return;
    }
    let line = document.frame().number as usize + 1;
    for note in recording.data.notes(line) {
        if let (true, NoteKind::Value(value)) = (note.object == of, &note.kind) {
            widget::fact(ui, &escaped(&note.text), value.to_string());
        }
    }
}
