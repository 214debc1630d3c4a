//! A level that is shown while the rest of it is read, or while it is received from a running game.

use super::asking::Asks;
use super::diagnosing::{GivesWay, on_diagnosis_threads};
use super::document::Document;
use super::job::{JobContext, JobDone, JobKind, SessionDone};
use super::part::Part;
use super::{Model, Session};
use crate::app::source::{self, FileStamp, Loaded, Source};
use crate::app::text;
use crate::core::diagnose::{Diagnosis, Report};
use crate::core::file::{CacheFolder, open_growing};
use crate::core::level::{self, FileChoice, Level, LevelParts, ReadOptions};
use crate::core::live::{Listener, refused};
use crate::core::log::Format;
use crate::core::log::LIVE_PORT;
use crate::core::problem::{Problem, Problems};
use crate::core::replay::Replay;
use crate::core::scene::DiskFolder;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Time after which the first part of a file is shown, and least time to the next.
const PART: Duration = Duration::from_millis(500);
/// The same of what a running game writes or sends.
const LIVE: Duration = Duration::from_millis(100);

/// A level that has more frames from time to time.
pub struct Growing {
    /// The diagnosis of a level that is written by a running game. A file that is only read is diagnosed as a whole.
    diagnosis: Option<Arc<Mutex<Diagnosis>>>,
    /// The number of frames that the last report is about.
    judged: u32,
}

impl Growing {
    fn of_file() -> Self {
        Self {
            diagnosis: None,
            judged: 0,
        }
    }

    fn of_game() -> Self {
        let diagnosis = Diagnosis::starting_at(0).with_margins();
        Self {
            diagnosis: Some(Arc::new(Mutex::new(diagnosis))),
            judged: 0,
        }
    }

    /// Returns true for a level that is written by a running game.
    pub fn is_live(&self) -> bool {
        self.diagnosis.is_some()
    }
}

/// Sends parts of a recording, unless the part before is not handled yet.
struct Sender<'j> {
    source: &'j Source,
    job: &'j JobContext,
    is_first: bool,
    taken: Arc<AtomicBool>,
}

impl<'j> Sender<'j> {
    fn new(source: &'j Source, job: &'j JobContext, is_first: bool) -> Self {
        let taken = Arc::new(AtomicBool::new(true));
        Self {
            source,
            job,
            is_first,
            taken,
        }
    }

    fn send(&mut self, level: Level) {
        if self.taken.swap(false, Ordering::Relaxed) {
            let part = Part {
                loaded: Box::new(Loaded::new(level, None)),
                is_first: std::mem::take(&mut self.is_first),
                taken: Arc::clone(&self.taken),
            };
            self.job.send(JobDone::Part(self.source.clone(), part));
        }
    }
}

/// Reads a level; sends parts of a recording meanwhile. A file that needs an answer is not read, unless there is one.
pub(super) fn open(
    source: Source,
    (asks, answer): (Asks, Option<ReadOptions>),
    cache: Option<&CacheFolder>,
    job: &JobContext,
) -> JobDone {
    match &source {
        Source::Live(address) => return receive(*address, job),
        Source::File(path) if asks != Asks::Never => {
            let choice = FileChoice::of(path);
            let is_open =
                |choice: &FileChoice| asks == Asks::Always || !choice.is_settled(answer.as_ref());
            if let Some(choice) = choice.filter(is_open) {
                return JobDone::Ask(path.clone(), Box::new(choice));
            }
        }
        _ => {}
    }
    let options = answer.unwrap_or_default();
    let mut sender = Sender::new(&source, job, true);
    let mut take = |level| sender.send(level);
    let parts = LevelParts {
        every: PART,
        take: &mut take,
    };
    let loaded = source::load(&source, &options, job, Some(parts), cache);
    JobDone::Open(source, loaded.map(Box::new))
}

/// Receives recordings, one after the other, until it is cancelled.
fn receive(address: SocketAddr, job: &JobContext) -> JobDone {
    let source = Source::Live(address);
    let failed = |problems: Problems| JobDone::Open(Source::Live(address), Err(problems));
    let listener = match Listener::new(address.ip(), address.port()) {
        Ok(listener) => listener,
        Err(problem) => return failed(problem.into()),
    };
    loop {
        let client = match listener.accept(job) {
            Ok(Some(client)) => client,
            Ok(None) => return failed(Problems(Vec::new())),
            Err(problem) => return failed(problem.into()),
        };
        let mut sender = Sender::new(&source, job, true);
        let mut take = |level| sender.send(level);
        let parts = LevelParts {
            every: LIVE,
            take: &mut take,
        };
        let received = client.receive(parts, &mut |from| {
            job.send(JobDone::Notice(Problem::new(
                source.name(),
                refused(from),
                "end the first program, or wait for its recording to end",
            )));
        });
        let loaded = received.map(|level| Box::new(Loaded::new(level, None)));
        job.send(JobDone::Open(source.clone(), loaded));
    }
}

/// Reads a file that another program goes on writing, until it is replaced or this is cancelled.
fn follow(path: &Path, format: Format, job: &JobContext) -> JobDone {
    let source = Source::File(path.to_owned());
    let file = path.display().to_string();
    let root = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let read = AtomicU64::new(0);
    let loaded = open_growing(path, &read, job)
        .map_err(Problems::from)
        .and_then(|opened| {
            let mut sender = Sender::new(&source, job, false);
            let mut take = |level| sender.send(level);
            let parts = Some(LevelParts {
                every: LIVE,
                take: &mut take,
            });
            level::open_log(format, opened, &file, &DiskFolder { root }, &(), parts)
        });
    let loaded = loaded.map(|level| {
        let stamp = FileStamp::of(path).map(|stamp| FileStamp {
            length: read.into_inner(),
            ..stamp
        });
        Box::new(Loaded {
            stamp,
            ..Loaded::new(level, None)
        })
    });
    JobDone::Open(source, loaded)
}

impl Model {
    /// Reads the open file again and then follows it, as another program goes on writing it.
    pub(super) fn follow_file(&mut self, path: &Path, format: Format) {
        let source = Source::File(path.to_owned());
        let Some(session) = &mut self.session else {
            return;
        };
        session.growing = Some(Growing::of_game());
        session.compare.begin_reload();
        self.opening = Some(source);
        let path = path.to_owned();
        self.jobs
            .start(JobKind::Open, move |job| follow(&path, format, job));
    }

    /// Listens for recordings from games on this machine.
    pub(in crate::app) fn listen(&mut self) {
        let host = Ipv4Addr::LOCALHOST.into();
        self.open(Source::Live(SocketAddr::new(host, LIVE_PORT)));
    }

    /// Returns true while recordings are received or waited for.
    pub fn is_listening(&self) -> bool {
        self.jobs.is_running(JobKind::Open) && matches!(self.opening, Some(Source::Live(_)))
    }

    /// Returns true while frames are received, or read from a file that another program writes.
    pub fn is_live(&self) -> bool {
        let growing = self.session.as_ref().and_then(|one| one.growing.as_ref());
        growing.is_some_and(Growing::is_live)
    }

    /// Returns true while a part of a file is shown and the rest is read.
    pub fn is_reading(&self) -> bool {
        let growing = self.session.as_ref().and_then(|one| one.growing.as_ref());
        growing.is_some_and(|growing| !growing.is_live())
    }

    /// What is received: the number of frames, and of those that the recorder left out.
    pub(super) fn live_text(&self) -> Option<String> {
        let address = match &self.opening {
            Some(Source::Live(address)) if self.is_listening() => Some(address),
            _ => None,
        };
        if !self.is_live() {
            return address.map(|address| format!("Listening on {address}"));
        }
        let recording = self.document()?.replay().recording()?;
        let frames = text::count(recording.frames.len(), "frame");
        let verb = address.map_or("Following", |_| "Receiving");
        Some(match recording.missing_frames() {
            0 => format!("{verb}: {frames}"),
            missing => format!("{verb}: {frames}, {missing} missing"),
        })
    }

    /// Handles a part of a recording.
    pub(super) fn take_part(&mut self, source: Source, part: Part) {
        part.taken.store(true, Ordering::Relaxed);
        let session = self.session.as_mut();
        let same = session.filter(|session| session.document.source == source);
        let is_live = matches!(source, Source::Live(_));
        match same {
            Some(session)
                if session.growing.is_some()
                    && !part.is_first
                    && is_continued(session.document.replay(), &part.loaded.level.replay) =>
            {
                self.grow(part.loaded.level);
            }
            // A file that is read again is shown once it is read.
            Some(_) if part.is_first && !is_live => {}
            same => {
                if let Some(session) = same {
                    session.compare.begin_reload();
                }
                let growing = match is_live || !part.is_first {
                    true => Growing::of_game(),
                    false => Growing::of_file(),
                };
                self.show_level(*part.loaded, source, Some(growing));
            }
        }
    }

    /// Shows the level with the frames that were added. A playhead at the end stays there.
    fn grow(&mut self, level: Level) {
        let Some(session) = &mut self.session else {
            return;
        };
        let frames = level.replay.frames();
        if frames < session.document.replay().frames() {
            return;
        }
        let scene = session.with_characters(&level);
        let level = scene.map_or(level.clone(), |scene| level.with_scene(scene));
        session.document.grow(level);
        self.playback.grow(frames);
    }

    /// Shows the whole of a level of which parts were shown; false if there were none.
    pub(super) fn complete(&mut self, source: &Source, loaded: &Loaded) -> bool {
        let level = &loaded.level;
        let is_of = |session: &&mut Session| {
            session.document.source == *source && session.growing.is_some()
        };
        let Some(session) = self.session.as_mut().filter(is_of) else {
            return false;
        };
        let before = Arc::clone(session.document.replay());
        if level.replay.frames() < before.frames() || !is_continued(&before, &level.replay) {
            // The file was replaced by another one.
            session.growing = None;
            return false;
        }
        session.scene_file.take_stamp(loaded.stamp);
        self.grow(level.clone());
        self.finish_growing(&before);
        true
    }

    /// Takes what is shown of a level as the whole, as the rest is not read.
    pub(super) fn stop_growing(&mut self) {
        let Some(session) = &self.session else {
            return;
        };
        if session.growing.is_some() {
            let before = Arc::clone(session.document.replay());
            let name = session.document.source.name();
            let frames = text::count(before.frames() as usize, "frame");
            let text = format!("reading was stopped after {frames}");
            self.messages.note(&name, text);
            self.finish_growing(&before);
        }
    }

    fn finish_growing(&mut self, before: &Arc<Replay>) {
        let Some(session) = &mut self.session else {
            return;
        };
        let is_live = session.growing.take().is_some_and(|one| one.is_live());
        // The newest frame stays, or the one that the user looks at.
        session.user_navigated |= is_live;
        let replay = session.document.replay();
        let compare = &mut session.compare;
        compare.level_changed(before, replay, true, &mut self.jobs);
        self.note_opened();
        self.keep_received();
        self.diagnose_now();
    }

    /// Judges the frames that were added to a level since the last report.
    pub(super) fn diagnose_growing(&mut self) {
        let Some(session) = &self.session else {
            return;
        };
        let Some(growing) = &session.growing else {
            return;
        };
        let level = session.document.level.clone();
        let frames = level.replay.frames();
        let Some(diagnosis) = growing.diagnosis.clone() else {
            return;
        };
        if growing.judged >= frames || self.jobs.is_running(JobKind::Diagnose) {
            return;
        }
        self.jobs.start(JobKind::Diagnose, move |job| {
            let mut diagnosis = diagnosis.lock().unwrap_or_else(PoisonError::into_inner);
            // A cancelled one goes on with the next part.
            let this = &mut *diagnosis;
            let advance = || this.advance(&level.replay, frames - 1, &GivesWay(job), &mut |_| ());
            let _ = on_diagnosis_threads(advance);
            SessionDone::PartReport(diagnosis.report(&level.replay, &level.file))
        });
    }
}

/// Returns true if one of two recordings begins with the other, judged by the first frame and the last that both have.
fn is_continued(one: &Replay, other: &Replay) -> bool {
    let (Some(one), Some(other)) = (one.recording(), other.recording()) else {
        return false;
    };
    let frames = one.frames.len().min(other.frames.len());
    [0, frames.saturating_sub(1)].into_iter().all(|index| {
        let [a, b] = [one, other].map(|recording| recording.frames.get(index));
        a == b && one.data.at(index) == other.data.at(index)
    })
}

impl Session {
    /// Stores the report about the first frames of the level.
    pub(super) fn take_part_report(&mut self, report: Report) {
        if let Some(growing) = &mut self.growing {
            growing.judged = report.frames;
        }
        let Document {
            report: known_report,
            ..
        } = &mut self.document;
        if let Some(known) = known_report
            && *known.findings == *report.findings
        {
            // Pairs may have been left out since, without a finding.
            if known.not_judged != report.not_judged {
                Arc::make_mut(known).not_judged = report.not_judged;
            }
            return;
        }
        *known_report = Some(Arc::new(report));
        let before = self.finding;
        self.find_selected(false);
        if self.finding != before {
            self.derived.what_if_search = None;
            self.derived.what_if = None;
        }
    }
}
