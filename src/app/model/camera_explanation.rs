//! The explanation of the camera and the selected object in the shown frame.

use super::document::Document;
use crate::core::diagnose::explain::{CameraExplanation, explain_camera};
use crate::core::replay::ObjectId;

/// Updates the explanation of the camera and the one selected object; unchanged while frame and object are the same.
pub fn update(
    explanation: &mut Option<CameraExplanation>,
    document: &Document,
    selected: Option<&[ObjectId]>,
) {
    let (replay, frame) = (document.replay(), document.frame());
    let [object] = *selected.unwrap_or_default() else {
        *explanation = None;
        return;
    };
    if frame.camera.is_none() {
        *explanation = None;
        return;
    }
    let known = explanation
        .as_ref()
        .map(|explanation| (explanation.object, explanation.frame));
    if known != Some((object, frame.number)) {
        *explanation = Some(explain_camera(replay, frame, object));
    }
}
