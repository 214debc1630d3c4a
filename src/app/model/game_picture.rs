//! The picture of the game at the playhead: a file beside the log, read by a background job.

use super::job::{JobKind, Jobs, SessionDone};
use crate::app::image_file;
use crate::core::problem::Problem;
use crate::core::replay::Replay;
use crate::core::scene::Folder;
use egui::ColorImage;
use std::io::Read as _;
use std::sync::Arc;

/// Bytes of a file at most.
const MOST_BYTES: u64 = 32 << 20;

/// The latest picture of the game.
#[derive(Default)]
pub struct GamePictureView {
    /// The file, and the picture or what is wrong with it.
    shown: Option<(String, Result<Arc<ColorImage>, Problem>)>,
    /// The state that it is of.
    state: u32,
    /// True after a failure: no other is read for this level.
    has_failed: bool,
}

impl GamePictureView {
    /// The file of the latest picture, and the picture or what is wrong with it.
    pub fn shown(&self) -> Option<&(String, Result<Arc<ColorImage>, Problem>)> {
        self.shown.as_ref()
    }

    /// The state that it is of.
    pub fn state(&self) -> u32 {
        self.state
    }

    /// Stores a picture that was read.
    pub(super) fn take(&mut self, file: String, picture: Result<Arc<ColorImage>, Problem>) {
        self.shown = Some((file, picture));
    }

    /// Stores that the job failed.
    pub(super) fn failed(&mut self) {
        self.has_failed = true;
    }

    /// Starts reading the latest picture up to a state, unless it is shown. One is read at a time.
    pub(super) fn request(
        &mut self,
        replay: &Replay,
        state: u32,
        folder: impl FnOnce() -> Box<dyn Folder>,
        jobs: &mut Jobs,
    ) {
        let images = replay.recording().map_or(&[][..], |log| &log.images);
        let count = images.partition_point(|image| image.state <= state);
        let Some(image) = count.checked_sub(1).map(|at| &images[at]) else {
            self.shown = None;
            return;
        };
        self.state = image.state;
        let is_shown = self
            .shown
            .as_ref()
            .is_some_and(|(file, _)| *file == image.file);
        if is_shown || self.has_failed || jobs.is_running(JobKind::GamePicture) {
            return;
        }
        let (file, folder) = (image.file.clone(), folder());
        jobs.start(JobKind::GamePicture, move |_| {
            let picture = read(&*folder, &file).map(Arc::new);
            SessionDone::GamePicture(file, picture)
        });
    }
}

fn read(folder: &dyn Folder, file: &str) -> Result<ColorImage, Problem> {
    let problem = |what: String| {
        let help = "save the pictures of the game as PNG or JPEG files of at most 32 MiB, with up to 4096 x 4096 pixels";
        Problem::new(folder.shown(file), what, help)
    };
    let mut bytes = Vec::new();
    let input = folder.open(file)?.input;
    let read = input.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| problem(error.to_string()))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(problem("the file is larger than 32 MiB".to_owned()));
    }
    image_file::read(&bytes).map_err(problem)
}
