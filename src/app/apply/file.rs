//! Commands of the open file and of the export of the viewport.

use crate::app::command::arguments::{Export, Output};
use crate::app::model::Dialog;
use crate::app::model::document::Document;
use crate::app::model::{Effect, Model};

/// Shows the dialog for saving an image or a clip of the viewport.
pub(super) fn show_export_dialog(model: &mut Model, what: Export) {
    if model.session.is_some() {
        let dialog = Dialog::View(what, image_name(model));
        model.effects.push(Effect::OpenDialog(dialog));
    }
}

/// Shows the dialog for writing the report, the findings or the recording.
pub(super) fn show_output_dialog(model: &mut Model, output: Output) {
    if let Some(document) = model.document() {
        let dialog = Dialog::Output(output, document.folder(), document.title());
        model.effects.push(Effect::OpenDialog(dialog));
    }
}

/// The suggested name of an image: the level and the frame.
fn image_name(model: &Model) -> String {
    let title = model.document().map(Document::title);
    let frame = model.playback.playhead().frame;
    let frame = model.document().map_or(0, |it| it.replay().number(frame));
    format!("{} frame {frame}", title.unwrap_or_default())
}

/// Reads the file again. A scene with unsaved changes is only diagnosed again.
pub(super) fn reload(model: &mut Model) {
    if model.has_unsaved() {
        model.restep();
    } else {
        model.reload();
    }
}
