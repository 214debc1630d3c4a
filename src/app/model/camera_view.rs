//! The camera and the selected object in the shown frame.

use super::document::Document;
use crate::core::replay::ObjectId;
use crate::view::camera_view::CameraView;

/// Updates the view of the camera and the one selected object; unchanged while frame and object are the same.
pub fn update(view: &mut Option<CameraView>, document: &Document, selected: Option<&[ObjectId]>) {
    let (replay, frame) = (document.replay(), document.frame());
    let [object] = *selected.unwrap_or_default() else {
        *view = None;
        return;
    };
    if frame.camera.is_none() {
        *view = None;
        return;
    }
    let explanation = view.as_ref().map(|view| &view.explanation);
    let known = explanation.map(|explanation| (explanation.object, explanation.frame));
    if known != Some((object, frame.number)) {
        *view = Some(CameraView::of(replay, frame, object));
    }
}
