//! The scene's file while it is open: changed by others, and what is kept of changes that no file holds.

use super::author::Ask;
use super::messages::Deed;
use super::watcher::watcher;
use super::{Job, Model};
use crate::app::authoring::{Kept, Recovery};
use crate::app::jobs::{Source, Wake};
use crate::core::problem::Problem;
use crate::core::scene;
use notify::RecommendedWatcher;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// How often the file is looked at where the system does not tell of changes.
const LOOK: Duration = Duration::from_secs(1);
/// How long changes stand before they are kept.
const KEEP: Duration = Duration::from_secs(3);

/// When a file was written, and its length.
type Stamp = (Option<SystemTime>, u64);
/// What a look found; `None` where nothing changed since the last one.
type Look = Job<Option<(Stamp, String)>>;

/// The looks at the scene's file.
#[derive(Default)]
pub(super) struct Watching {
    watch: Option<Watch>,
    looked: Option<Instant>,
    seen: Option<(PathBuf, Stamp)>,
    /// The look under way, and at which file.
    job: Option<(PathBuf, Look)>,
}

/// The system's word on a file.
struct Watch {
    path: PathBuf,
    /// Something happened that was not looked at yet.
    told: Arc<AtomicBool>,
    /// `None` where the system does not tell: then the file is looked at now and then.
    watcher: Option<RecommendedWatcher>,
}

impl Watch {
    fn start(path: PathBuf, wake: Wake) -> Self {
        let told = Arc::new(AtomicBool::new(true));
        let watcher = watcher(&BTreeSet::from([path.clone()]), &told, wake);
        Self {
            path,
            told,
            watcher,
        }
    }
}

impl Watching {
    /// Is there something to look at?
    fn is_due(&self) -> bool {
        let Some(watch) = &self.watch else {
            return false;
        };
        let now_and_then =
            || watch.watcher.is_none() && self.looked.is_none_or(|at| at.elapsed() >= LOOK);
        watch.told.load(Ordering::Relaxed) || now_and_then()
    }

    fn begin_look(&mut self) {
        if let Some(watch) = &self.watch {
            watch.told.store(false, Ordering::Relaxed);
        }
        self.looked = Some(Instant::now());
    }

    /// The file is about to be written here: what a look under way finds may be older than that.
    pub(super) fn forget_look(&mut self) {
        self.job = None;
    }
}

/// What was kept last.
#[derive(Default)]
pub(super) struct Keeping {
    recovery: Option<Recovery>,
    kept: Option<Arc<str>>,
    looked: Option<Instant>,
    job: Option<Job<Result<(), Problem>>>,
}

impl Keeping {
    pub(super) fn new(recovery: Option<Recovery>) -> Self {
        Self {
            recovery,
            ..Self::default()
        }
    }
}

impl Model {
    /// Looks whether another program changed the scene's file: then it is read again, or asked about.
    pub(super) fn watch_file(&mut self) {
        let Some(document) = &self.document else {
            return;
        };
        let (Source::File(path), Some(_)) = (&document.source, &document.authored) else {
            return;
        };
        let path = path.clone();
        if self
            .watching
            .watch
            .as_ref()
            .is_none_or(|watch| watch.path != path)
        {
            self.watching.watch = Some(Watch::start(path.clone(), self.wake.clone()));
        }
        // Another file's text is none of this scene's business.
        self.watching.job.take_if(|(of, _)| *of != path);
        if let Some((_, job)) = &self.watching.job {
            let Some(outcome) = job.poll() else {
                return;
            };
            self.watching.job = None;
            if let Ok(Some((stamp, text))) = outcome {
                self.watching.seen = Some((path, stamp));
                self.file_says(text);
            }
            return;
        }
        if !self.watching.is_due()
            || self.writing.is_some()
            || self.ask.is_some()
            || self.loading.is_some()
        {
            return;
        }
        self.watching.begin_look();
        let seen = self.watching.seen.as_ref();
        let seen = seen.filter(|(of, _)| *of == path).map(|(_, stamp)| *stamp);
        let looked_at = path.clone();
        let look = Job::start(self.wake.clone(), move |_| {
            let data = std::fs::metadata(&path).ok()?;
            let stamp = (data.modified().ok(), data.len());
            if seen == Some(stamp) {
                return None;
            }
            Some((stamp, scene::open_scene_text(&path).ok()?))
        });
        self.watching.job = Some((looked_at, look));
    }

    /// The file is looked at, whatever the system told: not every file system tells.
    pub(in crate::app) fn look_at_file(&mut self) {
        if let Some(watch) = &self.watching.watch {
            watch.told.store(true, Ordering::Relaxed);
        }
    }

    /// After how long something is to be done though nothing happens: looking at the file, keeping changes.
    pub(in crate::app) fn is_due_in(&self) -> Option<Duration> {
        let authored = self.authored()?;
        let kept = self.keeping.kept.as_ref() == Some(&authored.text);
        let keeps = self.keeping.recovery.is_some() && authored.is_changed() && !kept;
        let watch = self.watching.watch.as_ref();
        let looks = watch.is_some_and(|watch| watch.watcher.is_none());
        (keeps || looks).then_some(LOOK)
    }

    fn file_says(&mut self, text: String) {
        let Some(document) = &self.document else {
            return;
        };
        let Some(authored) = &document.authored else {
            return;
        };
        if authored.saved.as_deref() == Some(&*text) {
            return;
        }
        if *authored.text == *text {
            self.mark_saved(text);
        } else if authored.is_changed() {
            self.ask = Some(Ask::ChangedOutside(text));
        } else if authored.scene.recording.is_some() {
            let source = document.source.clone();
            self.open(source);
        } else {
            self.take_outside(text);
        }
    }

    /// The file's text is the scene from now on; a text that is none is said, and the scene stays.
    pub(super) fn take_outside(&mut self, text: String) {
        let Some(document) = &self.document else {
            return;
        };
        let (name, folder) = (document.source.name(), document.source.folder());
        self.messages.succeeded(Deed::Read);
        match scene::parse(&text, &name, &*folder) {
            Ok(scene) => {
                self.stand("Change in the file".to_owned(), text.clone(), scene, None);
                self.mark_saved(text);
            }
            Err(problems) => {
                self.mark_saved(text);
                for problem in problems.0.into_iter().take(1) {
                    self.messages.failed(Deed::Read, problem);
                }
            }
        }
    }

    /// This is what the file holds.
    pub(super) fn mark_saved(&mut self, text: String) {
        if let Some(document) = &mut self.document
            && let Some(authored) = &mut document.authored
        {
            authored.saved = Some(text.into());
        }
    }

    /// Keeps changes that no file holds, once they have stood for a moment.
    pub(super) fn keep_changes(&mut self) {
        if self
            .keeping
            .job
            .as_ref()
            .is_some_and(|job| job.poll().is_some())
        {
            self.keeping.job = None;
        }
        let changed = self.has_unsaved();
        let Some(recovery) = &self.keeping.recovery else {
            return;
        };
        if !changed {
            if self.keeping.kept.take().is_some() {
                recovery.forget();
            }
            self.keeping.looked = None;
            return;
        }
        let since = *self.keeping.looked.get_or_insert_with(Instant::now);
        let Some(document) = &self.document else {
            return;
        };
        let Some(authored) = &document.authored else {
            return;
        };
        let same = self.keeping.kept.as_ref() == Some(&authored.text);
        if same || since.elapsed() < KEEP || self.keeping.job.is_some() {
            return;
        }
        let kept = Kept {
            file: match &document.source {
                Source::File(path) => Some(path.clone()),
                _ => None,
            },
            bundled: match &document.source {
                Source::Bundled(name) => Some(name.clone()),
                _ => None,
            },
            text: authored.text.to_string(),
        };
        let place = recovery.place().to_owned();
        self.keeping.kept = Some(Arc::clone(&authored.text));
        self.keeping.looked = Some(Instant::now());
        let job = Job::start(self.wake.clone(), move |_| Recovery::keep(&place, &kept));
        self.keeping.job = Some(job);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::files::Settings;
    use crate::app::jobs::Source;
    use std::path::Path;
    use std::sync::mpsc;

    const BEFORE: &str = "Scene(version: 1, name: \"before\", dt: 0.1, frames: 2, objects: [])";
    const AFTER: &str = "Scene(version: 1, name: \"after\", dt: 0.1, frames: 2, objects: [])";

    fn until(model: &mut Model, is: impl Fn(&Model) -> bool) {
        let begun = Instant::now();
        while !is(model) {
            assert!(begun.elapsed() < Duration::from_secs(60));
            model.poll();
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn opened(path: &Path) -> Model {
        std::fs::write(path, BEFORE).unwrap();
        let mut model = Model::new(Settings::default(), Arc::new(|| ()));
        model.open(Source::File(path.to_owned()));
        until(&mut model, |model| model.authored().is_some());
        model
    }

    /// A look that has read the file as it was, and is not taken yet.
    fn looked(model: &mut Model, path: &Path) {
        let (done, is_done) = mpsc::sync_channel(1);
        let wake = Arc::new(move || done.send(()).unwrap());
        let job = Job::start(wake, |_| Some(((None, 0), BEFORE.to_owned())));
        is_done.recv().unwrap();
        model.watching.job = Some((path.to_owned(), job));
    }

    #[test]
    fn what_was_read_before_a_save_never_undoes_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.ron");
        let mut model = opened(&path);
        model.edit_text(AFTER.to_owned());
        until(&mut model, |model| model.diagnosing.is_none());
        let (done, is_done) = mpsc::sync_channel(1);
        model.wake = Arc::new(move || done.send(()).unwrap());
        looked(&mut model, &path);
        model.save();
        // Both are done before the window looks at either.
        is_done.recv().unwrap();
        model.wake = Arc::new(|| ());
        until(&mut model, |model| !model.writing());
        assert_eq!(&*model.authored().unwrap().text, AFTER);
        assert!(model.ask.is_none());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), AFTER);
    }

    #[test]
    fn the_text_that_was_saved_last_is_what_the_file_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.ron");
        let mut model = opened(&path);
        model.edit_text(AFTER.replace("after", "between"));
        model.save();
        model.edit_text(AFTER.to_owned());
        model.save();
        until(&mut model, |model| !model.writing() && !model.has_unsaved());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), AFTER);
    }

    #[test]
    fn what_was_read_of_another_file_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let mut model = opened(&folder.path().join("scene.ron"));
        std::fs::write(folder.path().join("scene.ron"), AFTER).unwrap();
        until(&mut model, |model| {
            &*model.authored().unwrap().text == AFTER
        });
        looked(&mut model, &folder.path().join("other.ron"));
        model.poll();
        assert_eq!(&*model.authored().unwrap().text, AFTER);
    }
}
