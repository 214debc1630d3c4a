//! The scene's file while it is open: changed by others, and what is kept of changes that no file holds.

use super::author::Ask;
use super::job::{JobDone, JobKind};
use super::messages::Deed;
use super::watcher::{at_rest, watcher};
use super::{Model, Session};
use crate::app::authoring::{Kept, Recovery};
use crate::app::jobs::RequestRepaint;
use crate::app::source::Source;
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::scene::{self, Scene};
use notify::RecommendedWatcher;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// How often the file is looked at where the system does not tell of changes.
const LOOK: Duration = Duration::from_secs(1);
/// How long changes stand before they are kept, unless the settings say otherwise.
const KEEP: Duration = Duration::from_secs(3);

/// When a file was written, and its length; `None` for one that is not there.
pub type Stamp = Option<(Option<SystemTime>, u64)>;

/// What the file holds.
pub enum Content {
    /// Text.
    Text(String),
    /// The file was deleted or renamed.
    Gone,
    /// It cannot be read.
    Unreadable(Problem),
}

fn stamp(path: &Path) -> Stamp {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok(), data.len()))
}

/// The file's content where its stamp is another than `seen`, once it is not being written any more.
fn look(path: &Path, seen: Option<Stamp>, progress: &dyn Progress) -> Option<(Stamp, Content)> {
    if seen == Some(stamp(path)) {
        return None;
    }
    let now = at_rest(|| stamp(path), progress)?;
    let content = match scene::open_scene_text(path) {
        Ok(text) => Content::Text(text),
        Err(_) if path.try_exists().is_ok_and(|exists| !exists) => Content::Gone,
        Err(problem) => Content::Unreadable(problem),
    };
    Some((now, content))
}

/// The looks at the scene's file.
#[derive(Default)]
pub(super) struct Watching {
    watch: Option<Watch>,
    looked: Option<Instant>,
    seen: Option<(PathBuf, Stamp)>,
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
    fn start(path: PathBuf, request_repaint: RequestRepaint) -> Self {
        let told = Arc::new(AtomicBool::new(true));
        let watcher = watcher(&BTreeSet::from([path.clone()]), &told, request_repaint);
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
}

/// What was kept last.
pub(super) struct Keeping {
    /// Where changes are kept; `None` where they are not to be kept.
    folder: Option<PathBuf>,
    /// How long changes stand before they are kept.
    after: Duration,
    /// `None` where no file can be made in the folder.
    recovery: Option<Recovery>,
    /// The text that is in the recovery file.
    kept: Option<Arc<str>>,
    looked: Option<Instant>,
    /// The last attempt failed, which is shown already.
    failed: bool,
}

impl Keeping {
    pub(super) fn new(folder: Option<PathBuf>, after: Option<Duration>) -> Self {
        Self {
            after: after.unwrap_or(KEEP),
            recovery: folder.as_deref().and_then(Recovery::begin),
            folder,
            kept: None,
            looked: None,
            failed: false,
        }
    }

    /// Takes over what another run left there: its text is open in this one.
    pub(super) fn take_over(&mut self, place: PathBuf) {
        if let Some(recovery) = &mut self.recovery {
            recovery.take_over(place);
        }
    }
}

impl Model {
    /// Looks whether another program changed the scene's file: then it is read again, or asked about.
    pub(super) fn watch_file(&mut self) {
        let Some(Session {
            document, watching, ..
        }) = &mut self.session
        else {
            return;
        };
        let (Source::File(path), Some(_)) = (&document.source, &document.authored) else {
            return;
        };
        let path = path.clone();
        let watch = watching.watch.as_ref();
        if watch.is_none_or(|watch| watch.path != path) {
            self.jobs.drop(JobKind::CheckFile);
            let request_repaint = self.jobs.request_repaint();
            watching.watch = Some(Watch::start(path.clone(), request_repaint));
        }
        let busy = [JobKind::CheckFile, JobKind::Save, JobKind::Open];
        if !watching.is_due() || self.jobs.is_any_running(busy) || self.ask.is_some() {
            return;
        }
        watching.begin_look();
        let seen = watching.seen.as_ref();
        let seen = seen.filter(|(of, _)| *of == path).map(|(_, stamp)| *stamp);
        self.jobs.start(JobKind::CheckFile, move |job| {
            let found = look(&path, seen, job);
            JobDone::CheckFile(path, found)
        });
    }

    /// Uses a check of the scene's file.
    pub(super) fn take_file_check(&mut self, path: PathBuf, found: Option<(Stamp, Content)>) {
        if let Some((stamp, content)) = found
            && let Some(session) = &mut self.session
        {
            session.watching.seen = Some((path, stamp));
            self.take_content(content);
        }
    }

    /// Checks the file, whatever the system reported: not every file system reports changes.
    pub(in crate::app) fn look_at_file(&mut self) {
        let session = self.session.as_ref();
        if let Some(watch) = session.and_then(|session| session.watching.watch.as_ref()) {
            watch.told.store(true, Ordering::Relaxed);
        }
    }

    /// After how long something is to be done though nothing happens: looking at the file, keeping changes.
    pub(in crate::app) fn is_due_in(&self) -> Option<Duration> {
        let session = self.session.as_ref()?;
        let authored = session.document.authored.as_ref()?;
        let kept = authored.text().is_some() && self.keeping.kept.as_ref() == authored.text();
        let keeps = self.keeping.folder.is_some() && authored.is_changed() && !kept;
        let watch = session.watching.watch.as_ref();
        let looks = watch.is_some_and(|watch| watch.watcher.is_none());
        let now = Instant::now();
        let diagnosis = session
            .diagnose_at
            .map(|at| at.saturating_duration_since(now));
        diagnosis.or((keeps || looks).then_some(LOOK))
    }

    /// Takes what the file holds after another program changed it.
    fn take_content(&mut self, content: Content) {
        let Some(Session { document, .. }) = &mut self.session else {
            return;
        };
        let Some(authored) = &mut document.authored else {
            return;
        };
        match content {
            Content::Gone => {
                authored.is_gone = true;
                let what = "the file was deleted or renamed";
                let help = "save the scene to write the file again";
                let problem = Problem::new(document.source.name(), what, help);
                self.messages.failed(Deed::Reread, problem);
            }
            Content::Unreadable(problem) => self.messages.failed(Deed::Reread, problem),
            Content::Text(text) => {
                authored.is_gone = false;
                self.file_says(text);
            }
        }
    }

    fn file_says(&mut self, text: String) {
        self.finish_text();
        let Some(Session { document, .. }) = &self.session else {
            return;
        };
        let Some(authored) = &document.authored else {
            return;
        };
        if authored.saved.as_deref() == Some(&*text)
            || authored.text().is_some_and(|own| **own == *text)
        {
            self.messages.succeeded(Deed::Reread);
            self.mark_saved(text);
            return;
        }
        let (changed, recorded) = (authored.is_changed(), authored.scene.recording.is_some());
        match scene::parse(&text, &document.source.name(), &*document.source.folder()) {
            // It may be written in part only: the scene stays, and so does what is known to be saved.
            Err(problems) => self.reread_failed(problems),
            Ok(_) if changed => {
                self.messages.succeeded(Deed::Reread);
                self.ask = Some(Ask::ChangedOutside(text));
            }
            Ok(_) if recorded => {
                let source = document.source.clone();
                self.open(source);
            }
            Ok(scene) => self.show_outside(text, scene),
        }
    }

    fn reread_failed(&mut self, problems: Problems) {
        for problem in problems.0.into_iter().take(1) {
            self.messages.failed(Deed::Reread, problem);
        }
    }

    /// The file's text is the scene from now on; of a text that cannot be read the problem is shown, and the scene stays.
    pub(super) fn take_outside(&mut self, text: String) {
        self.finish_text();
        let Some(Session { document, .. }) = &self.session else {
            return;
        };
        match scene::parse(&text, &document.source.name(), &*document.source.folder()) {
            Ok(scene) => self.show_outside(text, scene),
            Err(problems) => self.reread_failed(problems),
        }
    }

    fn show_outside(&mut self, text: String, scene: Scene) {
        self.messages.succeeded(Deed::Reread);
        self.record("Change in the file".to_owned(), text.clone(), scene, None);
        self.mark_saved(text);
    }

    /// This is what the file holds.
    pub(super) fn mark_saved(&mut self, text: String) {
        if let Some(Session { document, .. }) = &mut self.session
            && let Some(authored) = &mut document.authored
        {
            authored.mark_saved(text.into());
        }
    }

    /// Keeps changes that no file holds, once they are a few seconds old. What fails is tried again.
    pub(super) fn keep_changes(&mut self) {
        let Some(folder) = &self.keeping.folder else {
            return;
        };
        let changed = self.session.as_ref().and_then(|session| {
            let authored = session.document.authored.as_ref()?;
            authored
                .is_changed()
                .then_some((&session.document, authored))
        });
        let Some((document, authored)) = changed else {
            let kept = self.keeping.kept.take().is_some();
            if let Some(recovery) = &mut self.keeping.recovery {
                recovery.forget_taken_over();
                if kept {
                    recovery.forget();
                }
            }
            self.keeping.looked = None;
            return;
        };
        let since = *self.keeping.looked.get_or_insert_with(Instant::now);
        // It is rewritten in the background first.
        let Some(text) = authored.text() else {
            return;
        };
        let same = self.keeping.kept.as_ref() == Some(text);
        if same || since.elapsed() < self.keeping.after || self.jobs.is_running(JobKind::Autosave) {
            return;
        }
        self.keeping.looked = Some(Instant::now());
        if self.keeping.recovery.is_none() {
            self.keeping.recovery = Recovery::begin(folder);
        }
        let Some(recovery) = &self.keeping.recovery else {
            let what = "no file can be made in this folder";
            let problem = Problem::new(folder.display().to_string(), what, "");
            self.autosave_failed(&problem);
            return;
        };
        let kept = Kept::new(&document.source, text);
        let (place, text) = (recovery.place().to_owned(), Arc::clone(text));
        self.jobs.start(JobKind::Autosave, move |_| {
            JobDone::Autosave(text, Recovery::keep(&place, &kept))
        });
    }

    /// Uses the result of an autosave of this text.
    pub(super) fn take_autosave(&mut self, text: Arc<str>, outcome: Result<(), Problem>) {
        match outcome {
            Ok(()) => {
                self.keeping.kept = Some(text);
                self.keeping.failed = false;
                if let Some(recovery) = &mut self.keeping.recovery {
                    recovery.forget_taken_over();
                }
                self.messages.succeeded(Deed::Autosave);
            }
            Err(problem) => self.autosave_failed(&problem),
        }
    }

    /// Shows once that changes are not kept, until they are.
    pub(super) fn autosave_failed(&mut self, problem: &Problem) {
        if std::mem::replace(&mut self.keeping.failed, true) {
            return;
        }
        let what = format!("unsaved changes are not kept for a crash: {}", problem.what);
        let help = "save the scene; keeping is tried again every few seconds";
        let problem = Problem::new(problem.file.clone(), what, help);
        self.messages.failed(Deed::Autosave, problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::files::Settings;
    use crate::app::source::Source;
    use std::path::Path;
    use std::sync::mpsc::{self, Receiver};

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

    fn opened(path: &Path) -> (Model, Receiver<()>) {
        std::fs::write(path, BEFORE).unwrap();
        let (done, is_done) = mpsc::channel();
        let request_repaint = Arc::new(move || {
            let _ = done.send(());
        });
        let mut model = Model::new(Settings::default(), request_repaint);
        model.open(Source::File(path.to_owned()));
        until(&mut model, |model| model.authored().is_some());
        until(&mut model, |model| model.diagnosing().is_none());
        (model, is_done)
    }

    /// Puts a check into the inbox that has read the file as it was.
    fn checked(model: &mut Model, path: &Path, is_done: &Receiver<()>) {
        while is_done.try_recv().is_ok() {}
        let path = path.to_owned();
        model.jobs.start(JobKind::CheckFile, |_| {
            let found = (None, Content::Text(BEFORE.to_owned()));
            JobDone::CheckFile(path, Some(found))
        });
        is_done.recv().unwrap();
    }

    #[test]
    fn what_was_read_before_a_save_never_undoes_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.ron");
        let (mut model, is_done) = opened(&path);
        model.edit_text(AFTER.to_owned());
        until(&mut model, |model| model.diagnosing().is_none());
        checked(&mut model, &path, &is_done);
        model.save();
        // Both are in the inbox before the window uses either.
        is_done.recv().unwrap();
        until(&mut model, |model| !model.writing());
        assert_eq!(&**model.authored().unwrap().text().unwrap(), AFTER);
        assert!(model.ask.is_none());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), AFTER);
    }

    #[test]
    fn the_text_that_was_saved_last_is_what_the_file_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.ron");
        let (mut model, _) = opened(&path);
        model.edit_text(AFTER.replace("after", "between"));
        model.save();
        model.edit_text(AFTER.to_owned());
        model.save();
        until(&mut model, |model| !model.writing() && !model.has_unsaved());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), AFTER);
    }

    #[test]
    fn what_was_read_of_another_file_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["scene.ron", "other.ron"].map(|name| folder.path().join(name));
        let (mut model, is_done) = opened(&path);
        std::fs::write(&other, AFTER).unwrap();
        checked(&mut model, &path, &is_done);
        model.open(Source::File(other.clone()));
        until(&mut model, |model| {
            model.document().unwrap().source == Source::File(other.clone())
        });
        model.poll();
        assert_eq!(&**model.authored().unwrap().text().unwrap(), AFTER);
    }
}
