//! What comes in from beside the window: levels, reports, saved files, answers; and what is said about them.

use super::asked::Asked;
use super::compare::{Against, Prepared};
use super::document::Document;
use super::job::{JobContext, JobDone, JobKind};
use super::messages::{Deed, Severity};
use super::playback::Playback;
use super::what_if::WhatIf;
use super::{Effect, Model, Session};
use crate::app::dock::Pane;
use crate::app::source::{Loaded, Source};
use crate::app::text;
use crate::core::diagnose::{self, Finding, Report};
use crate::core::edit::EditableScene;
use crate::core::level::Level;
use crate::core::problem::{Problem, Problems};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Notices of one input that are shown one by one; the rest is counted.
const NOTICES: usize = 20;

/// How long a scene must be left alone before its findings are looked for.
const PAUSE: Duration = Duration::from_millis(120);

/// The threads that diagnose: one core is left to the window. `None` where the system refuses them.
fn diagnosis_threads() -> Option<&'static ThreadPool> {
    static THREADS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let threads = THREADS.get_or_init(|| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let count = cores.saturating_sub(1).max(1);
        ThreadPoolBuilder::new().num_threads(count).build().ok()
    });
    threads.as_ref()
}

/// Looks for findings; `None` when stopped.
fn diagnose(level: &Level, job: &JobContext) -> Option<Report> {
    let work = || {
        let begun = Instant::now();
        let report = diagnose::diagnose(level, &diagnose::Options::default(), job)?;
        Some(Report {
            seconds: Some(begun.elapsed().as_secs_f64()),
            ..report
        })
    };
    match diagnosis_threads() {
        Some(threads) => threads.install(work),
        None => work(),
    }
}

impl Model {
    /// Uses the results of background jobs, and takes the frame at the playhead.
    pub fn poll(&mut self) {
        self.take_results();
        self.rewrite_text();
        self.watch_scene_file();
        self.watch_mesh_files();
        self.autosave();
        self.write_settings();
        self.begin_diagnosis();
        self.ask_finding();
        self.try_finding();
        self.show_frame();
        self.look_with_probe();
        self.follow_compare();
    }

    /// Compares what is missing, and takes the other level's frame at the playhead.
    fn follow_compare(&mut self) {
        if let Some(session) = &mut self.session {
            let selected = self.selection.objects().first().copied();
            let playhead = self.playback.playhead();
            let replay = session.document.replay();
            let compare = &mut session.compare;
            compare.follow(selected, replay, playhead, &mut self.jobs);
        }
    }

    /// Uses the level to compare with.
    pub(super) fn take_other(&mut self, prepared: Result<Prepared, Problems>, cancelled: bool) {
        let Some(session) = &mut self.session else {
            return;
        };
        match prepared {
            Ok(prepared) => {
                let replay = session.document.replay();
                let compare = &mut session.compare;
                let notices = compare.take_other(prepared, replay, &mut self.jobs);
                self.announce(notices);
            }
            Err(problems) => {
                session.compare.stop(&mut self.jobs);
                if !cancelled {
                    self.complain(problems);
                }
            }
        }
    }

    /// Searches the limits of the selected finding. While findings are looked for again, those that are listed are of the scene
    /// before, and have no limits.
    fn ask_finding(&mut self) {
        let diagnosing = self.diagnosing().is_some();
        let Some(session) = &mut self.session else {
            return;
        };
        let asked = &mut session.derived.asked;
        if diagnosing || asked.as_ref().map(|asked| asked.finding) == session.finding {
            return;
        }
        self.jobs.drop(JobKind::SearchWhatIf);
        *asked = session.finding.and_then(|index| {
            let finding = session.document.findings().get(index)?;
            let replay = session.document.replay();
            Asked::start(index, finding, replay, &mut self.jobs)
        });
    }

    /// Prepares the selected finding for other values, while its panel is open.
    fn try_finding(&mut self) {
        let diagnosing = self.diagnosing().is_some();
        let shown = self.shows(Pane::WhatIf);
        let Some(session) = self.session.as_mut().filter(|_| shown) else {
            return;
        };
        let what_if = &mut session.derived.what_if;
        if !diagnosing && what_if.as_ref().map(|known| known.finding) != session.finding {
            *what_if = session.finding.and_then(|index| {
                let finding = session.document.findings().get(index)?;
                let replay = session.document.replay();
                Some(WhatIf::start(index, finding, replay, &mut self.jobs))
            });
        }
        if let Some(what_if) = what_if {
            what_if.draw_map(&mut self.jobs);
        }
    }

    fn look_with_probe(&mut self) {
        let shown = self.shows(Pane::Camera);
        if let Some(Session {
            document, probe, ..
        }) = self.session.as_mut().filter(|_| shown)
        {
            probe.refresh(document.replay(), document.frame());
        }
    }

    /// Shows a level that was read.
    pub(super) fn take_level(
        &mut self,
        source: Source,
        loaded: Result<Box<Loaded>, Problems>,
        cancelled: bool,
    ) {
        match loaded {
            Ok(loaded) => self.show_level(*loaded, source),
            Err(_) if cancelled => {}
            Err(problems) => {
                self.complain(problems);
                self.recover_without_file(source);
            }
        }
    }

    fn show_level(&mut self, loaded: Loaded, source: Source) {
        let Loaded { level, first, text } = loaded;
        if let Source::File(path) = &source {
            self.settings.remember(path);
            self.save_settings();
        }
        self.messages.succeeded(Deed::Read);
        self.messages.succeeded(Deed::Reread);
        let objects = text::count(level.replay.objects().len(), "object");
        let frames = text::count(level.replay.frames() as usize, "frame");
        let opened = format!("opened: {objects}, {frames}");
        self.messages.note(&source.name(), opened);
        self.announce(level.notices.clone());
        let old = self.end_session();
        let again = old
            .as_ref()
            .is_some_and(|old| old.document.source == source);
        // A new scene is another one, also after one of the same template.
        let again = again && !matches!(source, Source::New(_));
        let (frames, objects) = (level.replay.frames(), level.replay.objects().len());
        let scene = Arc::clone(level.replay.scene());
        let in_a_file = matches!(source, Source::File(_) | Source::Bundled(_));
        let mut document = Document::new(level, source, first);
        document.authored = text.map(|text| EditableScene::new(text, scene, in_a_file));
        let mut session = Session::new(document);
        if let Some(old) = old {
            session.compare = old.compare;
            let (before, now) = (old.document.replay(), session.document.replay());
            let compare = &mut session.compare;
            compare.level_changed(before, now, again, &mut self.jobs);
            if again {
                session.find = old.find;
                session.touched = old.touched;
                session.probe.keep_changes(old.probe);
            }
        }
        if let Some((of, lines, mode)) = self.kept_probe.take()
            && of == session.document.source
        {
            session.probe.take_over(lines, mode);
        }
        self.time.pointed = None;
        let playhead = self.playback.playhead();
        self.playback = Playback::new(frames);
        if again {
            self.playback.seek(playhead.frame, playhead.fraction);
            let kept: Vec<_> = self.selection.objects().to_vec();
            self.selection
                .set(kept.into_iter().filter(|&id| (id as usize) < objects));
        } else {
            self.selection.clear();
            self.time.fit();
            self.effects.push(Effect::LookAtLevel { softly: false });
        }
        self.session = Some(session);
        self.diagnose_now();
        self.recall_pins();
        self.recall_bookmarks();
        if let Some(other) = self.beside.take() {
            self.compare_with(Against::File(other));
        }
        self.show_recovered();
        self.show_hints_once();
    }

    /// The first level that somebody ever opens comes with hints.
    fn show_hints_once(&mut self) {
        if !self.settings.hints_seen {
            self.settings.hints_seen = true;
            self.save_settings();
            self.look.hint = Some(0);
        }
    }

    /// Looks for findings in the open level, in place of a diagnosis under way.
    fn diagnose_now(&mut self) {
        if let Some(session) = &mut self.session {
            session.diagnose_at = None;
            let level = session.document.level.clone();
            self.jobs.start(JobKind::Diagnose, move |job| {
                JobDone::Diagnose(diagnose(&level, job))
            });
        }
    }

    /// Looks for findings once the scene has been left alone for a moment.
    pub(super) fn diagnose_soon(&mut self) {
        if let Some(session) = &mut self.session {
            self.jobs.drop(JobKind::Diagnose);
            session.diagnose_at = Some(Instant::now() + PAUSE);
        }
    }

    /// Starts the diagnosis that is due.
    fn begin_diagnosis(&mut self) {
        let at = self
            .session
            .as_ref()
            .and_then(|session| session.diagnose_at);
        if at.is_some_and(|at| at <= Instant::now()) {
            self.diagnose_now();
        }
    }

    /// Shows the findings of the open level; `None` when the diagnosis was stopped.
    pub(super) fn take_report(&mut self, report: Option<Report>) {
        let Some(session) = &mut self.session else {
            return;
        };
        let document = &mut session.document;
        let name = document.source.name();
        let Some(report) = report else {
            session.look_again = false;
            return self.messages.note(&name, "the check was stopped");
        };
        let file = document.level.file.display().to_string();
        // The level's own notices were shown when it opened.
        let known = &document.level.notices;
        let notices = report
            .notices
            .iter()
            .filter(|text| !known.iter().any(|known| text.contains(&known.what)))
            .map(|text| Problem::new(file.clone(), text.clone(), ""))
            .collect();
        let any = !report.findings.is_empty();
        let findings = text::count(report.findings.len(), "finding");
        let seconds = text::number(report.seconds.unwrap_or_default());
        self.messages
            .note(&file, format!("checked: {findings}, in {seconds} s"));
        // The finding that was selected is selected again, wherever it is in the list now.
        let selected = session.finding.and_then(|index| {
            let known = document.findings().get(index)?;
            let same = |other: &Finding| {
                (other.kind, &other.a, &other.b) == (known.kind, &known.a, &known.b)
            };
            report.findings.iter().position(same)
        });
        document.report = Some(report);
        session.finding = selected;
        // Even in the same place it may be another: other numbers, another frame.
        session.derived.asked = None;
        session.derived.what_if = None;
        let again = std::mem::take(&mut session.look_again);
        let touched = session.touched;
        self.announce(notices);
        if again {
            self.diagnose_soon();
        }
        if any && !touched {
            self.go_to_finding(0);
        }
    }

    /// Shows every problem of a file that could not be read.
    pub(super) fn complain(&mut self, problems: Problems) {
        self.messages.succeeded(Deed::Read);
        for problem in problems.0 {
            self.messages.failed(Deed::Read, problem);
        }
    }

    pub(super) fn announce(&mut self, notices: Vec<Problem>) {
        let left_out = notices.len().saturating_sub(NOTICES);
        let file = notices.first().map(|notice| notice.file.clone());
        for notice in notices.into_iter().take(NOTICES) {
            self.messages.add(Severity::Notice, notice);
        }
        if let (Some(file), 1..) = (file, left_out) {
            let text = format!("{left_out} more notices of this kind");
            let help = "`hitstop check` prints all of them";
            self.messages
                .add(Severity::Notice, Problem::new(file, text, help));
        }
    }

    pub(super) fn own_fault(&mut self, file: &str, fault: &str) {
        let text = format!("this is internal error: {fault}");
        let help = "please report it, with the file";
        self.messages
            .add(Severity::Error, Problem::new(file, text, help));
    }
}
