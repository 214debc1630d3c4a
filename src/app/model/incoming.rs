//! What comes in from beside the window: levels, reports, saved files, answers; and what is said about them.

use super::asked::Asked;
use super::compare::{Against, Prepared};
use super::document::Document;
use super::job::{JobContext, JobDone, JobKind};
use super::messages::{Deed, Severity};
use super::playback::Playback;
use super::probe::Probe;
use super::what_if::WhatIf;
use super::{Effect, Model};
use crate::app::authoring::Authored;
use crate::app::dock::Pane;
use crate::app::source::{Loaded, Source};
use crate::app::text;
use crate::core::diagnose::{self, Finding, Report};
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
        self.watch_file();
        self.watch_meshes();
        self.keep_changes();
        self.begin_diagnosis();
        self.ask_finding();
        self.try_finding();
        self.show_frame();
        self.look_with_probe();
        self.follow_compare();
    }

    /// Compares what is missing, and takes the other level's frame at the playhead.
    fn follow_compare(&mut self) {
        let Some(document) = &self.document else {
            return;
        };
        let selected = self.selection.objects().first().copied();
        let playhead = self.playback.playhead();
        let compare = &mut self.compare;
        compare.follow(selected, document.replay(), playhead, &mut self.jobs);
    }

    /// Uses the level to compare with.
    pub(super) fn take_other(&mut self, prepared: Result<Prepared, Problems>, cancelled: bool) {
        let Some(document) = &self.document else {
            return;
        };
        match prepared {
            Ok(prepared) => {
                let replay = document.replay();
                let notices = self.compare.take_other(prepared, replay, &mut self.jobs);
                self.announce(notices);
            }
            Err(problems) => {
                self.compare.stop(&mut self.jobs);
                if !cancelled {
                    self.complain(problems);
                }
            }
        }
    }

    /// Asks the selected finding, once; the question about another is dropped. While findings are looked for again, those that
    /// stand are of the scene before, and are not asked.
    fn ask_finding(&mut self) {
        if self.diagnosing().is_none()
            && self.asked.as_ref().map(|asked| asked.finding) != self.finding
        {
            let document = self.document.as_ref();
            let jobs = &mut self.jobs;
            jobs.drop(JobKind::SearchWhatIf);
            self.asked = self.finding.zip(document).and_then(|(index, document)| {
                let finding = document.findings().get(index)?;
                Asked::start(index, finding, document.replay(), jobs)
            });
        }
    }

    /// Puts the selected finding on the bench, while its panel is open.
    fn try_finding(&mut self) {
        if !self.shows(Pane::WhatIf) {
            return;
        }
        if self.diagnosing().is_none()
            && self.what_if.as_ref().map(|known| known.finding) != self.finding
        {
            let document = self.document.as_ref();
            let jobs = &mut self.jobs;
            self.what_if = self.finding.zip(document).and_then(|(index, document)| {
                let finding = document.findings().get(index)?;
                Some(WhatIf::start(index, finding, document.replay(), jobs))
            });
        }
        if let Some(what_if) = &mut self.what_if {
            what_if.draw_map(&mut self.jobs);
        }
    }

    fn look_with_probe(&mut self) {
        let seen = self.shows(Pane::Camera);
        if let (Some(probe), Some(document), true) = (&mut self.probe, &self.document, seen) {
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
        let again = self
            .document
            .as_ref()
            .is_some_and(|document| document.source == source);
        // A new scene is another one, also after one of the same template.
        let again = again && !matches!(source, Source::New(_));
        self.diagnose_now(level.clone());
        let frames = level.replay.frames();
        let scene = Arc::clone(level.replay.scene());
        let in_a_file = matches!(source, Source::File(_) | Source::Bundled(_));
        let mut document = Document::new(level, source, first);
        document.authored = text.map(|text| Authored::new(text, scene, in_a_file));
        self.finding = None;
        self.forget_worked_out();
        self.walk = None;
        self.save_next = None;
        let mut probe = Probe::of(document.replay());
        let kept = self.probe.take().filter(|_| again);
        match (self.kept_probe.take(), kept) {
            (Some((of, lines, mode)), _) if of == document.source => probe.take_over(lines, mode),
            (_, kept) => probe = probe.after(kept),
        }
        self.probe = Some(probe);
        self.time.pointed = None;
        if again {
            let playhead = self.playback.playhead();
            self.playback = Playback::new(frames);
            self.playback.seek(playhead.frame, playhead.fraction);
            let objects = document.replay().objects().len();
            let kept: Vec<_> = self.selection.objects().to_vec();
            self.selection
                .set(kept.into_iter().filter(|&id| (id as usize) < objects));
        } else {
            self.playback = Playback::new(frames);
            self.selection.clear();
            self.find.clear();
            self.time.fit();
            self.touched = false;
            self.effects.push(Effect::LookAtLevel { softly: false });
        }
        let old = self.document.as_ref().map(Document::replay);
        self.compare
            .level_changed(old, document.replay(), again, &mut self.jobs);
        self.document = Some(document);
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

    /// Looks for findings in a level, in place of the one before.
    fn diagnose_now(&mut self, level: Level) {
        self.diagnose_at = None;
        self.jobs.start(JobKind::Diagnose, move |job| {
            JobDone::Diagnose(diagnose(&level, job))
        });
    }

    /// Looks for findings once the scene has been left alone for a moment.
    pub(super) fn diagnose_soon(&mut self) {
        self.jobs.drop(JobKind::Diagnose);
        self.diagnose_at = Some(Instant::now() + PAUSE);
    }

    /// Starts the diagnosis that is due.
    fn begin_diagnosis(&mut self) {
        if self.diagnose_at.is_some_and(|at| at <= Instant::now())
            && let Some(document) = &self.document
        {
            let level = document.level.clone();
            self.diagnose_now(level);
        }
    }

    /// Shows the findings of the open level; `None` when the diagnosis was stopped.
    pub(super) fn take_report(&mut self, report: Option<Report>) {
        let Some(document) = &mut self.document else {
            return;
        };
        let name = document.source.name();
        let Some(report) = report else {
            self.look_again = false;
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
        let selected = self.finding.and_then(|index| {
            let known = document.findings().get(index)?;
            let same = |other: &Finding| {
                (other.kind, &other.a, &other.b) == (known.kind, &known.a, &known.b)
            };
            report.findings.iter().position(same)
        });
        document.report = Some(report);
        self.finding = selected;
        // Even in the same place it may be another: other numbers, another frame.
        self.asked = None;
        self.what_if = None;
        self.announce(notices);
        if std::mem::take(&mut self.look_again) {
            self.diagnose_soon();
        }
        if any && !self.touched {
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
