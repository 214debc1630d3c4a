//! What of a level can be judged.

use super::Level;
use crate::core::number::count;
use crate::core::problem::{Problem, Problems};
use crate::core::replay::Recording;

impl Level {
    /// An error for a level without content, which must not pass as clean.
    ///
    /// # Errors
    /// With the notices about the file, which may say why there is none.
    pub fn require_content(&self) -> Result<(), Problems> {
        let replay = &self.replay;
        let recording = replay.recording();
        let is_bare = |recording: &Recording| {
            recording.data.totals().bodies == 0
                && recording.frames.iter().all(|one| one.camera.is_none())
        };
        let (what, help) = if replay.objects().is_empty() && recording.is_some() {
            (
                "the log names no object, so nothing can be judged",
                "list the objects in the header: {\"id\": 0, \"shape\": {..}}",
            )
        } else if replay.objects().is_empty() {
            (
                "the scene has no objects, so nothing can be judged",
                "add objects, or name a `recording` that has some",
            )
        } else if replay.frames() == 0 {
            (
                "no frame can be judged: the log has a single state",
                "write a line for every frame, with the bodies that the header names",
            )
        } else if recording.is_some_and(|recording| is_bare(recording)) {
            (
                "no frame of the log has a body or a camera, so nothing can be judged",
                "write the bodies into each frame: \"bodies\": [{\"id\": 0, \"p\": [0, 0, 0]}]",
            )
        } else {
            return Ok(());
        };
        let mut problems: Vec<Problem> = self.notices.clone();
        problems.push(Problem::new(self.file.display().to_string(), what, help));
        Err(Problems(problems))
    }

    /// The part of its recording that was not judged: lines that could not be read, an end that is cut off, missing frames. `None` where all was.
    pub fn unjudged(&self) -> Option<String> {
        let recording = self.replay.recording()?;
        let gaps = recording.frames.iter().skip(1).filter(|frame| frame.gap);
        let gaps = gaps.count();
        let unread = (recording.unread > 0).then(|| {
            let lines = count(recording.unread, "line");
            format!("{lines} could not be read")
        });
        let gaps = (gaps > 0).then(|| {
            let places = count(gaps, "place");
            format!("frames are missing at {places}")
        });
        let parts: Vec<String> = unread.into_iter().chain(gaps).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
