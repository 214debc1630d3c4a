//! The opened level, its report when there is one, and the frame at the playhead.

use crate::app::authoring::Authored;
use crate::app::jobs::{Source, Wake};
use crate::core::diagnose::{Finding, Report};
use crate::core::level::Level;
use crate::core::replay::{Frame, Replay};
use crate::core::scene::{CachedFolder, Folder, Scene};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// How long the window waits for a frame before it shows the one before meanwhile.
const PATIENCE: Duration = Duration::from_millis(8);

/// A number that was never given before: of a level as it is shown, or of what was made from it.
pub(super) fn new_revision() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

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
    /// Another number after every change of the level, and for every level: what was made of one is old with the next.
    pub revision: u64,
    frames: Frames,
    /// Of its meshes; what was read from it once is kept.
    folder: Arc<CachedFolder>,
}

impl Document {
    /// A level that was read, with its first frame.
    pub fn new(level: Level, source: Source, first: Arc<Frame>, wake: Wake) -> Self {
        let frames = Frames::new(Arc::clone(&level.replay), first, wake);
        let folder = Arc::new(CachedFolder::new(source.folder()));
        Self {
            level,
            source,
            report: None,
            authored: None,
            revision: new_revision(),
            frames,
            folder,
        }
    }

    /// Another scene stands in its place: stepped anew, its findings still those of the one before, and its frame, too, until
    /// the same one of the new scene is there.
    pub fn replace(&mut self, scene: Arc<Scene>) {
        self.level = self.level.with_scene(scene);
        self.revision = new_revision();
        self.frames.follow(Arc::clone(&self.level.replay));
    }

    /// Its mesh files are read anew from now on.
    pub fn forget_meshes(&mut self) {
        self.folder = Arc::new(CachedFolder::new(self.source.folder()));
    }

    /// Is the shown frame still one of the scene before?
    pub fn is_behind(&self) -> bool {
        self.frames.is_behind()
    }

    /// It is another file's from now on.
    pub fn move_to(&mut self, path: PathBuf) {
        self.level.file.clone_from(&path);
        self.source = Source::File(path);
        self.folder = Arc::new(CachedFolder::new(self.source.folder()));
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
    /// When stepping the frame failed, which is internal error.
    pub fn show_frame(&mut self, number: u32) -> Result<(), String> {
        self.frames.show(number)
    }
}

/// A frame that is asked for: of which replay, counted from the first, and its number.
type Asked = (u64, u32);

/// Steps frames beside the window, so that a large level never holds it up. One after the other: while something is dragged
/// in a slow level, what comes in between is left out.
pub(super) struct Frames {
    shown: Arc<Frame>,
    /// The replay that it is of.
    shown_of: u64,
    replay: Arc<Replay>,
    /// Which one it is, counted from the first.
    of: u64,
    /// What was stepped of a replay before this one has other objects.
    least: u64,
    asked: Option<Asked>,
    requests: Sender<(Asked, Arc<Replay>)>,
    answers: Receiver<(Asked, Result<Arc<Frame>, String>)>,
}

impl Frames {
    pub(super) fn new(replay: Arc<Replay>, first: Arc<Frame>, wake: Wake) -> Self {
        let (requests, inbox) = mpsc::channel::<(Asked, Arc<Replay>)>();
        let (outbox, answers) = mpsc::channel();
        std::thread::spawn(move || {
            while let Ok(mut request) = inbox.recv() {
                while let Ok(later) = inbox.try_recv() {
                    request = later;
                }
                let (asked, replay) = request;
                let number = asked.1;
                let frame = catch_unwind(AssertUnwindSafe(|| replay.frame(number)))
                    .map_err(|_| format!("stepping frame {number} failed"));
                if outbox.send((asked, frame)).is_err() {
                    return;
                }
                wake();
            }
        });
        Self {
            shown: first,
            shown_of: 0,
            replay,
            of: 0,
            least: 0,
            asked: None,
            requests,
            answers,
        }
    }

    /// The frame that was asked for, or one shown shortly before while that is being stepped.
    pub(super) fn shown(&self) -> &Arc<Frame> {
        &self.shown
    }

    /// Frames of another replay from now on. What is shown stays until the same frame of that one is there, where both have as
    /// many objects.
    fn follow(&mut self, replay: Arc<Replay>) {
        self.of += 1;
        if replay.objects().len() != self.replay.objects().len() {
            self.shown = replay.frame(0);
            (self.shown_of, self.least) = (self.of, self.of);
        }
        self.replay = replay;
    }

    /// Is what is shown of a replay before this one?
    fn is_behind(&self) -> bool {
        self.shown_of != self.of
    }

    /// Asks for a frame and takes it when it is there.
    pub(super) fn show(&mut self, number: u32) -> Result<(), String> {
        while let Ok((of, answer)) = self.answers.try_recv() {
            self.take(of, answer)?;
        }
        if (self.shown_of, self.shown.number) == (self.of, number) {
            return Ok(());
        }
        if self.asked != Some((self.of, number)) {
            self.asked = Some((self.of, number));
            // The thread lives as long as this sender does.
            let _ = self
                .requests
                .send(((self.of, number), Arc::clone(&self.replay)));
            if let Ok((of, answer)) = self.answers.recv_timeout(PATIENCE) {
                self.take(of, answer)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, asked: Asked, answer: Result<Arc<Frame>, String>) -> Result<(), String> {
        if self.asked == Some(asked) && answer.is_ok() {
            self.asked = None;
        }
        let frame = answer?;
        if asked.0 >= self.least {
            (self.shown, self.shown_of) = (frame, asked.0);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_levels::{level, sphere, wall};
    use glam::DVec3;

    fn shot(speed: f64, more: usize) -> Arc<Replay> {
        let ball = sphere("ball", 0.5, DVec3::ZERO, DVec3::X * speed);
        let walls = (0..=more).map(|index| {
            let at = DVec3::new(1e6, 0.0, 10.0 * index as f64);
            wall(&format!("wall {index}"), DVec3::ONE, at)
        });
        level(1.0, std::iter::once(ball).chain(walls))
    }

    fn x(frame: &Frame) -> f64 {
        frame.pose(0, 0.0).unwrap().position.x
    }

    #[test]
    fn another_scene_shows_the_frame_before_until_its_own_is_there() {
        let (one, two, three) = (shot(1.0, 0), shot(10.0, 0), shot(100.0, 1));
        let (wake, woken) = mpsc::channel();
        let wake: Wake = Arc::new(move || wake.send(()).unwrap());
        let mut frames = Frames::new(Arc::clone(&one), one.frame(0), wake);
        let until = |frames: &mut Frames| {
            frames.show(1).unwrap();
            while frames.is_behind() || frames.shown().number != 1 {
                woken.recv().unwrap();
                frames.show(1).unwrap();
            }
        };
        until(&mut frames);
        assert_eq!(x(frames.shown()), 1.0);
        frames.follow(two);
        assert!(frames.is_behind());
        assert_eq!((frames.shown().number, x(frames.shown())), (1, 1.0));
        until(&mut frames);
        assert_eq!(x(frames.shown()), 10.0);
        frames.follow(three);
        assert_eq!(frames.shown().number, 0, "it has more objects");
        until(&mut frames);
        assert_eq!(x(frames.shown()), 100.0);
    }
}
