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
    // The line that the frame at the playhead leads to.
    let state = document.frame().number + 1;
    let notes = recording.data.notes(state as usize);
    let values = notes.iter().filter_map(|note| match &note.kind {
        NoteKind::Value(value) if note.object == of => Some((&note.text, value)),
        _ => None,
    });
    let mut values = values.peekable();
    if values.peek().is_some() {
        let line = format!("frame {}", document.replay().number(state));
        widget::fact(ui, "values of", line);
    }
    for (name, value) in values {
        widget::fact(ui, &escaped(name), value.to_string());
    }
}
