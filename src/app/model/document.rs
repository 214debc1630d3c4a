//! The opened level, its report when there is one, and the frame at the playhead.

use crate::app::authoring::Authored;
use crate::app::jobs::{Source, Wake};
use crate::core::diagnose::{Finding, Report};
use crate::core::level::Level;
use crate::core::replay::{Frame, Replay};
use crate::core::scene::{Folder, KeptFolder, Scene};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// How long the window waits for a frame before it shows the one before meanwhile.
const PATIENCE: Duration = Duration::from_millis(25);

/// An opened level.
pub struct Document {
    /// What was opened.
    pub level: Level,
    /// Where it came from, to read it again.
    pub source: Source,
    /// What diagnosis found; `None` until it is done.
    pub report: Option<Report>,
    /// The scene as it is written, to be changed; `None` for a recording.
    pub authored: Option<Authored>,
    frames: Frames,
    /// Of its meshes; what was read from it once is kept.
    folder: Arc<KeptFolder>,
}

impl Document {
    /// A level that was read, with its first frame.
    pub fn new(level: Level, source: Source, first: Arc<Frame>, wake: Wake) -> Self {
        let frames = Frames::new(Arc::clone(&level.replay), first, wake);
        let folder = Arc::new(KeptFolder::new(source.folder()));
        Self {
            level,
            source,
            report: None,
            authored: None,
            frames,
            folder,
        }
    }

    /// Another scene stands in its place: stepped anew, its findings still those of the one before.
    pub fn replace(&mut self, scene: Arc<Scene>, wake: Wake) {
        self.level = self.level.with_scene(scene);
        let first = self.level.replay.frame(0);
        self.frames = Frames::new(Arc::clone(&self.level.replay), first, wake);
    }

    /// It is another file's from now on.
    pub fn move_to(&mut self, path: PathBuf) {
        self.level.file.clone_from(&path);
        self.source = Source::File(path);
        self.folder = Arc::new(KeptFolder::new(self.source.folder()));
    }

    /// The name that its file has, or should have.
    pub fn file_name(&self) -> String {
        let own = match &self.source {
            Source::File(path) => path.file_name().map(|name| name.display().to_string()),
            Source::Bundled(name) => name.rsplit('/').next().map(str::to_owned),
            Source::New(_) => None,
        };
        own.unwrap_or_else(|| "scene.ron".to_owned())
    }

    /// What happens in it.
    pub fn replay(&self) -> &Arc<Replay> {
        &self.level.replay
    }

    /// Where the scene's meshes are read from, each once: a scene that is dragged about does not wait for the disk.
    pub fn meshes(&self) -> Arc<dyn Folder> {
        Arc::clone(&self.folder) as Arc<dyn Folder>
    }

    /// The folder of its file; `None` for a bundled level.
    pub fn folder(&self) -> Option<PathBuf> {
        match &self.source {
            Source::File(path) => path.parent().map(Path::to_owned),
            Source::Bundled(_) | Source::New(_) => None,
        }
    }

    /// The level's name, else its file's.
    pub fn title(&self) -> String {
        let name = &self.level.replay.scene().name;
        if name.is_empty() {
            self.level.file.display().to_string()
        } else {
            name.clone()
        }
    }

    /// The findings so far.
    pub fn findings(&self) -> &[Finding] {
        self.report
            .as_ref()
            .map_or(&[], |report| report.findings.as_slice())
    }

    /// The inside of the frame at the playhead, or of one shown shortly before while that is being stepped.
    pub fn frame(&self) -> &Arc<Frame> {
        &self.frames.shown
    }

    /// Asks for the frame at the playhead and takes it when it is there.
    ///
    /// # Errors
    /// When stepping the frame failed, which is a fault of the program.
    pub fn show_frame(&mut self, number: u32) -> Result<(), String> {
        self.frames.show(number)
    }
}

/// Steps frames beside the window, so that a large level never holds it up.
pub(super) struct Frames {
    shown: Arc<Frame>,
    asked: Option<u32>,
    requests: Sender<u32>,
    answers: Receiver<(u32, Result<Arc<Frame>, String>)>,
}

impl Frames {
    pub(super) fn new(replay: Arc<Replay>, first: Arc<Frame>, wake: Wake) -> Self {
        let (requests, inbox) = mpsc::channel::<u32>();
        let (outbox, answers) = mpsc::channel();
        std::thread::spawn(move || {
            while let Ok(mut number) = inbox.recv() {
                while let Ok(later) = inbox.try_recv() {
                    number = later;
                }
                let frame = catch_unwind(AssertUnwindSafe(|| replay.frame(number)))
                    .map_err(|_| format!("stepping frame {number} failed"));
                if outbox.send((number, frame)).is_err() {
                    return;
                }
                wake();
            }
        });
        Self {
            shown: first,
            asked: None,
            requests,
            answers,
        }
    }

    /// The frame that was asked for, or one shown shortly before while that is being stepped.
    pub(super) fn shown(&self) -> &Arc<Frame> {
        &self.shown
    }

    /// Asks for a frame and takes it when it is there.
    pub(super) fn show(&mut self, number: u32) -> Result<(), String> {
        while let Ok((of, answer)) = self.answers.try_recv() {
            self.take(of, answer)?;
        }
        if self.shown.number == number {
            return Ok(());
        }
        if self.asked != Some(number) {
            self.asked = Some(number);
            // The thread lives as long as this sender does.
            let _ = self.requests.send(number);
            if let Ok((of, answer)) = self.answers.recv_timeout(PATIENCE) {
                self.take(of, answer)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, number: u32, answer: Result<Arc<Frame>, String>) -> Result<(), String> {
        if self.asked == Some(number) && answer.is_ok() {
            self.asked = None;
        }
        self.shown = answer?;
        Ok(())
    }
}
