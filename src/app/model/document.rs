//! The open level, its report, and the frame at the playhead.

use super::job::{FrameKey, JobContext, JobKind, Jobs, SessionDone, Stepped};
use crate::app::source::Source;
use crate::core::diagnose::{Finding, Report};
use crate::core::edit::EditableScene;
use crate::core::level::Level;
use crate::core::progress::Progress as _;
use crate::core::replay::{Frame, Replay};
use crate::core::scene::{CachedFolder, Folder, Movement, Scene, UserUnits};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Frames that step faster than this are stepped on the UI thread, so that the viewport shows them at once.
const QUICK: Duration = Duration::from_millis(2);

/// A spinner is shown for a frame that takes longer to step than this.
const SLOW: Duration = Duration::from_millis(150);

/// A unique number for a version of a level or of derived data.
pub(super) fn new_revision() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

/// Objects of a level from which its states and frames take milliseconds to free.
const SLOW_TO_FREE: usize = 16_384;

/// Drops what holds states and frames of a level of so many objects, on another thread if it takes long.
fn free(old: impl Send + 'static, objects: usize) {
    if objects >= SLOW_TO_FREE {
        std::thread::spawn(move || drop(old));
    }
}

/// The open level.
pub struct Document {
    /// The level.
    pub level: Level,
    /// Its source, to read it again.
    pub source: Source,
    /// The report of the diagnosis; `None` until it is done.
    pub report: Option<Arc<Report>>,
    /// The scene with its text and undo history; `None` for a recording.
    pub scene_doc: Option<EditableScene>,
    /// Unique for every version of every level: a key for caches.
    pub revision: u64,
    pub(super) frames: FrameLoader,
    /// The folder of its mesh files; caches what was read.
    folder: Arc<CachedFolder>,
}

impl Document {
    /// Creates the document of a level and its first frame.
    pub fn new(level: Level, source: Source, first: Arc<Frame>) -> Self {
        let frames = FrameLoader::new(JobKind::Frame, Arc::clone(&level.replay), first);
        let folder = Arc::new(CachedFolder::new(source.folder()));
        Self {
            level,
            source,
            report: None,
            scene_doc: None,
            revision: new_revision(),
            frames,
            folder,
        }
    }

    /// Replaces the scene by an edited one. The report stays that of the scene before, and so does the shown frame until the
    /// same frame of the new scene is stepped.
    pub fn replace(&mut self, scene: Arc<Scene>) {
        let next = self.level.with_scene(scene);
        let objects = next.replay.objects().len();
        free(std::mem::replace(&mut self.level, next), objects);
        self.revision = new_revision();
        self.frames.set_replay(Arc::clone(&self.level.replay));
    }

    /// Replaces the level by one with the same frames and more after them.
    pub(super) fn grow(&mut self, level: Level) {
        if level.replay.objects().len() != self.replay().objects().len() {
            self.revision = new_revision();
        }
        self.frames.grow(Arc::clone(&level.replay));
        self.level = level;
    }

    /// Clears the cache of mesh files.
    pub fn clear_mesh_cache(&mut self) {
        self.folder = Arc::new(CachedFolder::new(self.source.folder()));
    }

    /// Returns true if the shown frame is of the scene before the last edit.
    pub fn is_behind(&self) -> bool {
        self.frames.is_behind()
    }

    /// Makes this file the source of the document.
    pub fn move_to(&mut self, path: PathBuf) {
        self.level.file.clone_from(&path);
        self.source = Source::File(path);
        self.folder = Arc::new(CachedFolder::new(self.source.folder()));
    }

    /// The file's name; a default one for a new scene.
    pub fn file_name(&self) -> String {
        let own = match &self.source {
            Source::File(path) => path.file_name().map(|name| name.display().to_string()),
            Source::Bundled(name) => name.rsplit('/').next().map(str::to_owned),
            Source::New(_) => None,
            Source::Live(_) => Some("recording.jsonl".to_owned()),
        };
        own.unwrap_or_else(|| "scene.ron".to_owned())
    }

    /// The replay of the level.
    pub fn replay(&self) -> &Arc<Replay> {
        &self.level.replay
    }

    /// The units and axes in which its values are shown.
    pub fn units(&self) -> UserUnits {
        self.level.replay.units()
    }

    /// The cached folder of the scene's mesh files: an edit does not read from the disk.
    pub fn meshes(&self) -> Arc<dyn Folder> {
        Arc::clone(&self.folder) as Arc<dyn Folder>
    }

    /// The folder of its file; `None` for a bundled level.
    pub fn folder(&self) -> Option<PathBuf> {
        match &self.source {
            Source::File(path) => path.parent().map(Path::to_owned),
            Source::Bundled(_) | Source::New(_) | Source::Live(_) => None,
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

    /// Whether an object or the camera may move.
    pub fn has_motion(&self) -> bool {
        let replay = self.replay();
        let has_camera = replay.scene().camera.is_some() || self.frame().camera.is_some();
        let mut objects = replay.objects().iter();
        has_camera || objects.any(|object| object.movement != Movement::Fixed)
    }

    /// Returns true if the report is about all frames.
    pub fn is_diagnosed(&self) -> bool {
        let frames = self.replay().frames();
        self.report
            .as_ref()
            .is_some_and(|report| report.frames >= frames)
    }

    /// The findings of the report; empty without one.
    pub fn findings(&self) -> &[Finding] {
        self.report.as_ref().map_or(&[], |report| &report.findings)
    }

    /// The frame at the playhead, or the one shown before while that is being stepped. Large frames of recordings are shown before
    /// they are swept.
    pub fn frame(&self) -> &Arc<Frame> {
        &self.frames.shown
    }

    /// Returns true if the frame at the playhead takes long to step.
    pub fn is_stepping_slowly(&self) -> bool {
        let since = self.frames.waiting_since;
        since.is_some_and(|since| since.elapsed() > SLOW)
    }

    /// Shows the frame at the playhead once it is stepped; with `ahead` also steps the next one.
    pub(super) fn show_frame(&mut self, number: u32, ahead: bool, jobs: &mut Jobs) {
        self.frames.show(number, ahead, jobs);
    }
}

/// Steps frames in the background, one at a time; while the user drags in a slow level, requests in between are skipped.
pub struct FrameLoader {
    kind: JobKind,
    shown: Arc<Frame>,
    /// The number of the shown frame's replay.
    shown_of: u64,
    /// A frame that was stepped ahead and is not shown yet.
    ready: Option<(FrameKey, Arc<Frame>)>,
    replay: Arc<Replay>,
    /// The number of the replay.
    of: u64,
    /// The first replay with the same objects as the present one.
    least: u64,
    /// The frame that is being stepped.
    wanted: Option<FrameKey>,
    /// The frame that could not be stepped.
    has_failed: Option<FrameKey>,
    /// Time since when the frame at the playhead is missing.
    waiting_since: Option<Instant>,
    /// Time that the latest frame took to step.
    cost: Option<Duration>,
}

impl FrameLoader {
    /// Creates a loader that shows the first frame; `kind` is that of its jobs.
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

    /// The frame at the playhead, or the one shown before while that is being stepped.
    pub(super) fn shown(&self) -> &Arc<Frame> {
        &self.shown
    }

    /// Loads frames of another replay from now on. The shown frame stays until the same frame of that replay is stepped, if
    /// both have the same number of objects.
    fn set_replay(&mut self, replay: Arc<Replay>) {
        self.of += 1;
        if replay.objects().len() != self.replay.objects().len() {
            self.shown = replay.frame(0);
            (self.shown_of, self.least) = (self.of, self.of);
        }
        let objects = replay.objects().len();
        free(std::mem::replace(&mut self.replay, replay), objects);
    }

    /// Loads frames of a replay with the same frames and more after them.
    fn grow(&mut self, replay: Arc<Replay>) {
        if replay.objects().len() != self.replay.objects().len() {
            self.shown = replay.frame(self.shown.number);
            self.ready = None;
        }
        self.replay = replay;
    }

    /// Returns true while the shown frame is of an earlier replay.
    fn is_behind(&self) -> bool {
        self.shown_of != self.of
    }

    /// Shows a frame if it is stepped, else steps it; with `ahead` also the next one.
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
        // A frame whose sweep is still to come gives way to the next one that is wanted.
        let is_part_shown = self.wanted == Some((self.shown_of, self.shown.number));
        let is_free = !jobs.is_running(self.kind) || (is_part_shown && wanted == key);
        if !is_free || self.has_failed == Some(wanted) {
            return;
        }
        self.wanted = Some(wanted);
        let (replay, kind) = (Arc::clone(&self.replay), self.kind);
        let step = move |job: &JobContext| {
            let begun = Instant::now();
            let done = |frame: Arc<Frame>| {
                let stepped = Stepped {
                    key: wanted,
                    frame,
                    cost: begun.elapsed(),
                };
                match kind {
                    JobKind::OtherFrame => SessionDone::OtherFrame(stepped),
                    _ => SessionDone::Frame(stepped),
                }
            };
            if !is_shown && let Some(part) = replay.frame_without_sweep(wanted.1) {
                let part = Arc::new(part);
                job.send(done(Arc::clone(&part)));
                if job.cancelled() {
                    return done(part);
                }
            }
            done(replay.frame(wanted.1))
        };
        match is_shown {
            true => jobs.start(kind, step),
            false => jobs.start_urgent(kind, step),
        }
    }

    /// Steps a frame on this thread and shows it; one that panics is left to a job, which reports it.
    fn step(&mut self, number: u32) {
        let begun = Instant::now();
        let frame = catch_unwind(AssertUnwindSafe(|| self.replay.frame(number)));
        self.cost = frame.is_ok().then(|| begun.elapsed());
        if let Ok(frame) = frame {
            (self.shown, self.shown_of) = (frame, self.of);
        }
    }

    /// Stores a stepped frame: the one after the shown frame is stored for later, any other is shown.
    pub(super) fn take(&mut self, stepped: Stepped) {
        let Stepped { key, frame, cost } = stepped;
        if frame.is_swept() {
            self.cost = Some(cost);
        }
        let is_ahead = self.shown_of == key.0 && key.1 == self.shown.number + 1;
        if is_ahead {
            self.ready = Some((key, frame));
        } else if key.0 >= self.least {
            let objects = self.replay.objects().len();
            free(std::mem::replace(&mut self.shown, frame), objects);
            self.shown_of = key.0;
        }
    }

    /// Stores that stepping the wanted frame failed.
    pub(super) fn failed(&mut self) {
        self.has_failed = self.wanted;
    }
}

#[cfg(test)]
mod tests {
    use super::super::job::JobDone;
    use super::*;
    use crate::app::test_levels::{level, sphere, wall};
    use crate::core::replay::{Body, FrameData, RecordedFrame, Recording};
    use crate::core::scene::Scene;
    use crate::core::shape::Pose;
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
    fn an_edited_scene_shows_the_old_frame_until_its_own_is_stepped() {
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
        frames.set_replay(two);
        assert!(frames.is_behind());
        assert_eq!((frames.shown().number, x(frames.shown())), (1, 1.0));
        until(&mut frames);
        assert_eq!(x(frames.shown()), 10.0);
        frames.set_replay(three);
        assert_eq!(frames.shown().number, 0, "it has more objects");
        until(&mut frames);
        assert_eq!(x(frames.shown()), 100.0);
    }

    #[test]
    fn a_large_recorded_frame_is_shown_before_it_is_swept() {
        let position = |id: u32, frame: usize| DVec3::new(frame as f64, 3.0 * f64::from(id), 0.0);
        let ids = 0..20_000;
        let balls = ids
            .clone()
            .map(|id| sphere("", 1.0, position(id, 0), DVec3::ZERO));
        let mut recording = Recording {
            dt: 1.0,
            objects: balls.collect(),
            ..Recording::default()
        };
        for frame in 0..4 {
            let body = |id| Body::new(id, Pose::at(position(id, frame)));
            let data = FrameData {
                bodies: ids.clone().map(body).collect(),
                ..FrameData::default()
            };
            recording.push(RecordedFrame::default(), data);
        }
        let scene = Scene::clone(level(1.0, []).scene());
        let replay = Arc::new(Replay::recorded(Arc::new(scene), Arc::new(recording)));
        let mut jobs = Jobs::new(Arc::new(|| ()));
        let mut frames = FrameLoader::new(JobKind::Frame, Arc::clone(&replay), replay.frame(0));
        let mut shown = Vec::new();
        while shown.last() != Some(&(2, true)) {
            frames.show(2, false, &mut jobs);
            if let Some(JobDone::OfSession(SessionDone::Frame(stepped))) =
                jobs.receive().and_then(|one| one.result.ok())
            {
                frames.take(stepped);
                shown.push((frames.shown().number, frames.shown().is_swept()));
                assert_eq!(x(frames.shown()), 2.0);
            }
        }
        assert_eq!(shown, [(2, false), (2, true)]);
    }
}
