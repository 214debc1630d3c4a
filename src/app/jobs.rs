//! Long work beside the window: reading a level and looking for findings, with progress and a stop.

use super::authoring::Template;
use super::export::{self, Column};
use crate::bundled;
use crate::core::bounds::sphere_tree;
use crate::core::diagnose::what_if::{WhatIf, what_if};
use crate::core::diagnose::{self, Finding, Report, SceneSelection};
use crate::core::level::{self, Level};
use crate::core::log::{WalkStep, write_walk};
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::{Frame, ObjectId, Replay};
use crate::core::scene;
use crate::core::shape::Shape;
use crate::save::save_atomic;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::{Duration, Instant};

/// Tells the window that there is something to show.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Where a level is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file on disk.
    File(PathBuf),
    /// A bundled file, by its name.
    Bundled(String),
    /// A new scene, that has no file yet.
    New(Template),
}

impl Source {
    /// As messages name it.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Bundled(name) => name.clone(),
            Self::New(_) => "new scene".to_owned(),
        }
    }

    /// By what settings know it, from wherever it is opened.
    pub fn key(&self) -> String {
        match self {
            Self::File(path) => {
                let whole = std::path::absolute(path);
                whole.unwrap_or_else(|_| path.clone()).display().to_string()
            }
            Self::Bundled(name) => format!("bundled {name}"),
            Self::New(template) => format!("new {template:?}"),
        }
    }
}

/// How far work has come, and whether to stop it.
#[derive(Debug, Default)]
pub struct Watch {
    done: AtomicU64,
    total: AtomicU64,
    stopped: AtomicBool,
}

impl Progress for Watch {
    fn report(&self, done: u64, total: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// Work on a thread of its own; dropping it stops it.
pub struct Job<T> {
    watch: Arc<Watch>,
    result: Receiver<Result<T, String>>,
}

impl<T: Send + 'static> Job<T> {
    /// Starts work; a panic in it becomes an error instead of the end of the program.
    pub fn start(wake: Wake, work: impl FnOnce(&Watch) -> T + Send + 'static) -> Self {
        let watch = Arc::new(Watch::default());
        let (sender, result) = mpsc::channel();
        let watched = Arc::clone(&watch);
        std::thread::spawn(move || {
            let outcome = catch_unwind(AssertUnwindSafe(|| work(&watched))).map_err(panic_text);
            // Nobody listens when the job was dropped.
            let _ = sender.send(outcome);
            wake();
        });
        Self { watch, result }
    }

    /// The result, once; an error is internal error.
    pub fn poll(&self) -> Option<Result<T, String>> {
        match self.result.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("the work ended without a result".into())),
        }
    }

    /// Share done, 0 to 1; `None` while unknown.
    pub fn share(&self) -> Option<f32> {
        let total = self.watch.total.load(Ordering::Relaxed);
        let done = self.watch.done.load(Ordering::Relaxed);
        (total > 0).then(|| (done as f64 / total as f64).min(1.0) as f32)
    }

    /// Asks it to stop at the next chance.
    pub fn stop(&self) {
        self.watch.stopped.store(true, Ordering::Relaxed);
    }

    /// Was it asked to stop?
    pub fn stopped(&self) -> bool {
        self.watch.cancelled()
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.watch.stopped.store(true, Ordering::Relaxed);
    }
}

/// A level that was read, with its first frame.
pub struct Loaded {
    /// The level.
    pub level: Level,
    /// The inside of frame 0.
    pub first: Arc<Frame>,
    /// The text of a scene; `None` for a recording.
    pub text: Option<String>,
}

impl Loaded {
    fn new(level: Level, text: Option<String>) -> Self {
        let first = level.replay.frame(0);
        // A mesh keeps its tree of spheres: built here, the window does not wait for it.
        for object in level.replay.objects() {
            if let Shape::Mesh(mesh) = &object.shape {
                sphere_tree(mesh);
            }
        }
        Self { level, first, text }
    }
}

/// Reads a level.
pub fn load(source: Source, wake: Wake) -> Job<Result<Loaded, Problems>> {
    Job::start(wake, move |watch| {
        let level = match (&source, text_of(&source)) {
            (_, Some(text)) => return load_scene(&source, text, watch),
            (Source::File(path), None) => level::open(path, watch)?,
            (Source::Bundled(name), None) => level::open_in(&bundled::folder(), name, watch)?,
            (Source::New(template), None) => {
                return load_scene(&source, template.text().to_owned(), watch);
            }
        };
        Ok(Loaded::new(level, None))
    })
}

/// Opens a scene by its text, as if it were read from `source`.
pub fn load_text(source: Source, text: String, wake: Wake) -> Job<Result<Loaded, Problems>> {
    Job::start(wake, move |watch| load_scene(&source, text, watch))
}

fn load_scene(source: &Source, text: String, watch: &Watch) -> Result<Loaded, Problems> {
    let level = level::open_text(&text, &source.name(), &*source.folder(), watch)?;
    Ok(Loaded::new(level, Some(text)))
}

/// The text of a scene; `None` for a recording, and for what cannot be read, of which opening it says why.
fn text_of(source: &Source) -> Option<String> {
    match source {
        Source::File(path) => {
            let is_scene = path
                .extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case("ron"));
            let read = || scene::open_scene_text(path).ok();
            is_scene.then(read).flatten()
        }
        Source::Bundled(name) if name.ends_with(".ron") => {
            let bytes = bundled::folder().files.remove(name)?;
            String::from_utf8(bytes).ok()
        }
        Source::Bundled(_) => None,
        Source::New(template) => Some(template.text().to_owned()),
    }
}

/// How long a scene must stand before findings are looked for in it.
const PAUSE: Duration = Duration::from_millis(120);

/// Looks for findings once nobody has changed the scene for a moment; dropping it before costs nothing.
pub fn diagnose_soon(level: Level, wake: Wake) -> Job<Option<Report>> {
    Job::start(wake, move |watch| {
        std::thread::sleep(PAUSE);
        if watch.cancelled() {
            return None;
        }
        look_for_findings(&level, watch)
    })
}

/// Looks for findings; `None` when stopped. One core is left to the window.
pub fn diagnose(level: Level, wake: Wake) -> Job<Option<Report>> {
    Job::start(wake, move |watch| look_for_findings(&level, watch))
}

fn look_for_findings(level: &Level, watch: &Watch) -> Option<Report> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let begun = Instant::now();
        let report = diagnose::diagnose(level, &diagnose::Options::default(), watch);
        report.map(|report| Report {
            seconds: Some(begun.elapsed().as_secs_f64()),
            ..report
        })
    };
    match rayon::ThreadPoolBuilder::new()
        .num_threads(cores.saturating_sub(1).max(1))
        .build()
    {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

/// What of a level becomes a scene.
#[derive(Clone, Debug)]
pub enum Part {
    /// The objects of a finding.
    Finding(Box<Finding>),
    /// Two objects in a frame.
    Pair(ObjectId, ObjectId, u32),
    /// Everything near a frame's findings.
    Frame(u32),
}

/// A scene that was saved.
#[derive(Debug)]
pub struct Saved {
    /// Where.
    pub path: PathBuf,
    /// What it does not hold.
    pub notices: Vec<Problem>,
}

/// Makes a scene of a part of a level and saves it; meshes stay files only beside the level itself, in `folder`.
pub fn save_scene(
    level: Level,
    part: Part,
    folder: Option<PathBuf>,
    path: PathBuf,
    wake: Wake,
) -> Job<Result<Saved, Problem>> {
    Job::start(wake, move |watch| {
        let (frame, choice) = match &part {
            Part::Finding(finding) => (finding.frame, SceneSelection::Finding(finding)),
            Part::Pair(a, b, frame) => (*frame, SceneSelection::Pair(*a, *b)),
            Part::Frame(frame) => (*frame, SceneSelection::Neighbourhood),
        };
        let file = path.display().to_string();
        let made = diagnose::minimal_scene(&level, frame, choice, watch);
        let (mut scene, notices) =
            made.map_err(|what| Problem::new(file, what, "choose another frame"))?;
        if folder.is_none() || folder.as_deref() != path.parent() {
            diagnose::inline_meshes(&mut scene);
        }
        save_atomic(&path, scene::write(&scene).as_bytes())?;
        Ok(Saved { path, notices })
    })
}

/// Writes a walk as a recording, whole or not at all; false when stopped.
pub fn save_walk(
    replay: Arc<Replay>,
    steps: Vec<WalkStep>,
    dt: f64,
    path: PathBuf,
    wake: Wake,
) -> Job<Result<bool, Problem>> {
    Job::start(wake, move |watch| {
        let written = write_walk(&replay, &steps, dt, Vec::new(), watch);
        let bytes = written.map_err(|error| {
            let help = "walk again, or save under another name";
            Problem::new(path.display().to_string(), error.to_string(), help)
        })?;
        let Some(bytes) = bytes else {
            return Ok(false);
        };
        save_atomic(&path, &bytes)?;
        Ok(true)
    })
}

/// Saves the lines of plots as a table.
pub fn save_csv(
    replay: Arc<Replay>,
    columns: Vec<Column>,
    path: PathBuf,
    wake: Wake,
) -> Job<Result<(), Problem>> {
    Job::start(wake, move |_| {
        let bytes = export::csv_of(&replay, &columns, &path)?;
        save_atomic(&path, &bytes)
    })
}

/// Asks a finding what would have to be otherwise; `None` when stopped, and when it cannot be told.
pub fn ask(finding: Finding, replay: Arc<Replay>, wake: Wake) -> Job<Option<WhatIf>> {
    Job::start(wake, move |watch| what_if(&replay, &finding, watch))
}

pub(super) fn panic_text(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("an unknown fault")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nobody() -> Wake {
        Arc::new(|| {})
    }

    fn wait<T: Send + 'static>(job: &Job<T>) -> Result<T, String> {
        loop {
            if let Some(outcome) = job.poll() {
                return outcome;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_job_answers_once_and_tells_its_progress() {
        let job = Job::start(nobody(), |watch| {
            watch.report(3, 4);
            "done"
        });
        assert_eq!(wait(&job), Ok("done"));
        assert_eq!(job.share(), Some(0.75));
    }

    #[test]
    fn a_stop_reaches_the_work() {
        let job = Job::start(nobody(), |watch| {
            while !watch.cancelled() {
                std::thread::yield_now();
            }
            "stopped"
        });
        assert_eq!(job.poll(), None);
        assert_eq!(job.share(), None);
        job.stop();
        assert_eq!(wait(&job), Ok("stopped"));
    }

    #[test]
    fn a_panic_is_an_error_with_its_text() {
        let job: Job<()> = Job::start(nobody(), |_| panic!("a wheel came off"));
        assert_eq!(wait(&job), Err("a wheel came off".to_owned()));
    }
}
