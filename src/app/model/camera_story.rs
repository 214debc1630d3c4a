//! The camera against the one object that is selected, in the shown frame.

use super::document::Document;
use crate::core::diagnose::explain::{CameraExplanation, explain_camera};
use crate::core::replay::ObjectId;

/// The story of a level's camera with the one object that is selected; kept while neither changes.
pub fn tell(
    story: &mut Option<CameraExplanation>,
    document: &Document,
    selected: Option<&[ObjectId]>,
) {
    let (replay, frame) = (document.replay(), document.frame());
    let [object] = *selected.unwrap_or_default() else {
        *story = None;
        return;
    };
    if frame.camera.is_none() {
        *story = None;
        return;
    }
    let told = story.as_ref().map(|story| (story.object, story.frame));
    if told != Some((object, frame.number)) {
        *story = Some(explain_camera(replay, frame, object));
    }
}
