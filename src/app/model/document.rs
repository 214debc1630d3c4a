//! The opened level, its report when there is one, and the frame at the playhead.

use super::job::{JobKind, Jobs, SessionDone};
use crate::app::source::Source;
use crate::core::diagnose::{Finding, Report};
use crate::core::edit::EditableScene;
use crate::core::level::Level;
use crate::core::replay::{Frame, Replay};
use crate::core::scene::{CachedFolder, Folder, Scene};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Frames that took no longer to step than this are stepped within a pass: the picture is never a pass behind.
const QUICK: Duration = Duration::from_millis(2);

/// A frame that takes longer to step than this is announced.
const SLOW: Duration = Duration::from_millis(150);

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
    pub authored: Option<EditableScene>,
    /// Another number after every change of the level, and for every level: what was made of one is old with the next.
    pub revision: u64,
    pub(super) frames: FrameLoader,
    /// Of its meshes; what was read from it once is kept.
    folder: Arc<CachedFolder>,
}

impl Document {
    /// A level that was read, with its first frame.
    pub fn new(level: Level, source: Source, first: Arc<Frame>) -> Self {
        let frames = FrameLoader::new(JobKind::Frame, Arc::clone(&level.replay), first);
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

    /// Returns true where the frame at the playhead takes long to step.
    pub fn is_stepping_slowly(&self) -> bool {
        let since = self.frames.waiting_since;
        since.is_some_and(|since| since.elapsed() > SLOW)
    }

    /// Shows the frame at the playhead once it is stepped; with `ahead` the next one is stepped, too.
    pub(super) fn show_frame(&mut self, number: u32, ahead: bool, jobs: &mut Jobs) {
        self.frames.show(number, ahead, jobs);
    }
}

/// A frame of one of several replays: the number of the replay, counted from the first, and of the frame.
pub type FrameKey = (u64, u32);

/// A frame that was stepped.
pub struct Stepped {
    key: FrameKey,
    frame: Arc<Frame>,
    /// How long it took.
    cost: Duration,
}

/// Steps frames in the background, one after the other: while something is dragged in a slow level, those in between are left out.
pub struct FrameLoader {
    kind: JobKind,
    shown: Arc<Frame>,
    /// The replay that it is of.
    shown_of: u64,
    /// A frame that is stepped and not yet shown.
    ready: Option<(FrameKey, Arc<Frame>)>,
    replay: Arc<Replay>,
    /// The number of the replay.
    of: u64,
    /// Frames of a replay before this one have other objects.
    least: u64,
    /// The frame that is being stepped.
    wanted: Option<FrameKey>,
    /// Stepping this one failed.
    has_failed: Option<FrameKey>,
    /// When the frame at the playhead was first missing.
    waiting_since: Option<Instant>,
    /// How long the latest frame took to step.
    cost: Option<Duration>,
}

impl FrameLoader {
    /// Shows the first frame; its jobs are of this kind.
    pub(super) fn new(kind: JobKind, replay: Arc<Replay>, first: Arc<Frame>) -> Self {
        Self {
            kind,
            shown: first,
            shown_of: 0,
            ready: None,
            replay,
            of: 0,
            least: 0,
            wanted: None,
            has_failed: None,
            waiting_since: None,
            cost: None,
        }
    }

    /// The frame at the playhead, or one shown shortly before while that is being stepped.
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

    /// Returns true while what is shown is of a replay before this one.
    fn is_behind(&self) -> bool {
        self.shown_of != self.of
    }

    /// Shows a frame if it is stepped, else steps it; with `ahead` the one after it, too.
    pub(super) fn show(&mut self, number: u32, ahead: bool, jobs: &mut Jobs) {
        let key = (self.of, number);
        if let Some((_, frame)) = self.ready.take_if(|(ready, _)| *ready == key) {
            (self.shown, self.shown_of) = (frame, self.of);
        }
        let next = (self.of, number + 1);
        let is_shown = |loader: &Self| (loader.shown_of, loader.shown.number) == key;
        let quick = self.cost.is_some_and(|cost| cost <= QUICK);
        if !is_shown(self) && quick {
            self.step(number);
        }
        let is_shown = is_shown(self);
        self.waiting_since = match is_shown {
            true => None,
            false => self.waiting_since.or_else(|| Some(Instant::now())),
        };
        let wanted = if !is_shown {
            key
        } else if ahead
            && !quick
            && next.1 < self.replay.frames()
            && self.ready.as_ref().is_none_or(|(ready, _)| *ready != next)
        {
            next
        } else {
            return;
        };
        if jobs.is_running(self.kind) || self.has_failed == Some(wanted) {
            return;
        }
        self.wanted = Some(wanted);
        let (replay, kind) = (Arc::clone(&self.replay), self.kind);
        jobs.start(kind, move |_| {
            let begun = Instant::now();
            let frame = replay.frame(wanted.1);
            let stepped = Stepped {
                key: wanted,
                frame,
                cost: begun.elapsed(),
            };
            match kind {
                JobKind::OtherFrame => SessionDone::OtherFrame(stepped),
                _ => SessionDone::Frame(stepped),
            }
        });
    }

    /// Steps a frame here and shows it; one that panics is left to a job, which reports it.
    fn step(&mut self, number: u32) {
        let begun = Instant::now();
        let frame = catch_unwind(AssertUnwindSafe(|| self.replay.frame(number)));
        self.cost = frame.is_ok().then(|| begun.elapsed());
        if let Ok(frame) = frame {
            (self.shown, self.shown_of) = (frame, self.of);
        }
    }

    /// Takes a frame: one ahead of what is shown waits, any other is shown meanwhile.
    pub(super) fn take(&mut self, stepped: Stepped) {
        let Stepped { key, frame, cost } = stepped;
        self.cost = Some(cost);
        let is_ahead = self.shown_of == key.0 && key.1 == self.shown.number + 1;
        if is_ahead {
            self.ready = Some((key, frame));
        } else if key.0 >= self.least {
            (self.shown, self.shown_of) = (frame, key.0);
        }
    }

    /// Stepping the wanted frame failed.
    pub(super) fn failed(&mut self) {
        self.has_failed = self.wanted;
    }
}

#[cfg(test)]
mod tests {
    use super::super::job::JobDone;
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
        let mut jobs = Jobs::new(Arc::new(|| ()));
        let mut frames = FrameLoader::new(JobKind::Frame, Arc::clone(&one), one.frame(0));
        let mut until = |frames: &mut FrameLoader| {
            frames.show(1, false, &mut jobs);
            while frames.is_behind() || frames.shown().number != 1 {
                if let Some(JobDone::OfSession(SessionDone::Frame(stepped))) =
                    jobs.receive().and_then(|one| one.result.ok())
                {
                    frames.take(stepped);
                }
                frames.show(1, false, &mut jobs);
                std::thread::yield_now();
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
