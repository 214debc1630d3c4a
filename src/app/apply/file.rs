//! The file that is open, and what is made of its picture.

use crate::app::command::arguments::Export;
use crate::app::model::Dialog;
use crate::app::model::document::Document;
use crate::app::model::{Effect, Model};

/// Asks where a picture or a clip of the view goes.
pub(super) fn ask_where_to_export(model: &mut Model, what: Export) {
    if model.session.is_some() {
        let dialog = Dialog::View(what, picture_name(model));
        model.effects.push(Effect::Ask(dialog));
    }
}

/// What a picture of the view is called: the level and the moment.
fn picture_name(model: &Model) -> String {
    let title = model.document().map(Document::title);
    let frame = model.playback.playhead().frame;
    format!("{} frame {frame}", title.unwrap_or_default())
}

/// Reads the file again; a scene with changes that no file holds is only looked through again.
pub(super) fn check_again(model: &mut Model) {
    if model.has_unsaved() {
        model.follow_again();
        return;
    }
    if let Some(session) = &mut model.session {
        let source = session.document.source.clone();
        session.compare.check_again();
        model.open(source);
    }
}
