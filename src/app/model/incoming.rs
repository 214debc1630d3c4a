//! Results of the background jobs: opened levels, reports, and the messages about them.

use super::diagnosing::{diagnose, part_reports};
use super::document::Document;
use super::growing::Growing;
use super::job::{JobDone, JobKind, SessionDone};
use super::messages::{Operation, Severity};
use super::opened::Opened;
use super::playback::Playback;
use super::what_if::WhatIf;
use super::what_if_search::WhatIfSearch;
use super::{Effect, Model, Session};
use crate::app::dock::Pane;
use crate::app::source::{Loaded, Source};
use crate::app::text;
use crate::core::diagnose::{Changes, Report, level_fixes};
use crate::core::edit::{EditableScene, ObjectMatching};
use crate::core::problem::{Problem, Problems};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of notices of one input that are shown one by one; the rest is counted.
const NOTICES: usize = 20;

/// Time without edits before a scene is diagnosed.
const PAUSE: Duration = Duration::from_millis(120);

impl Model {
    /// Handles the results of background jobs, starts those that are due, and shows the frame at the playhead.
    pub fn poll(&mut self) {
        self.take_results();
        self.rewrite_text();
        self.watch_scene_file();
        self.watch_mesh_files();
        self.autosave();
        self.write_settings();
        self.write_received();
        self.begin_diagnosis();
        self.diagnose_growing();
        self.search_what_if();
        self.prepare_what_if();
        self.update_finding_list();
        self.show_frame();
        self.test_probe();
        self.update_compare();
        self.draw_cause();
    }

    /// Starts the search for the limits of the selected finding; not during a diagnosis, while the listed findings are of the
    /// scene before.
    fn search_what_if(&mut self) {
        let diagnosing = self.diagnosing().is_some();
        let Some(session) = &mut self.session else {
            return;
        };
        let search = &mut session.derived.what_if_search;
        if diagnosing || search.as_ref().map(|search| search.finding) == session.finding {
            return;
        }
        self.jobs.drop(JobKind::SearchWhatIf);
        *search = session.finding.and_then(|index| {
            let finding = session.document.findings().get(index)?;
            let replay = session.document.replay();
            WhatIfSearch::start(index, finding, replay, &mut self.jobs)
        });
    }

    /// Prepares the What-if of the selected finding while its panel is open.
    fn prepare_what_if(&mut self) {
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
            if let Some((parameter, value)) = session.derived.try_next
                && let Some(ready) = what_if.ready()
            {
                let values = ready.recorded().values.with(parameter, value);
                what_if.set(values);
                session.derived.try_next = None;
            }
            what_if.draw_map(&mut self.jobs);
        }
    }

    fn test_probe(&mut self) {
        let shown = self.shows(Pane::Camera);
        if let Some(Session {
            document, probe, ..
        }) = self.session.as_mut().filter(|_| shown)
        {
            probe.refresh(document.replay(), document.frame());
        }
    }

    /// Handles a level that was read.
    pub(super) fn take_level(
        &mut self,
        source: Source,
        loaded: Result<Box<Loaded>, Problems>,
        cancelled: bool,
    ) {
        match &loaded {
            Ok(loaded) => self.keep(&source, loaded),
            Err(_) => self.stop_waiting_for(&source),
        }
        match loaded {
            Ok(loaded) if self.complete(&source, &loaded) => {}
            Ok(loaded) => self.show_level(*loaded, source, None),
            Err(_) if cancelled => self.stop_growing(),
            Err(problems) => {
                self.show_errors(problems);
                self.recover_without_file(source);
            }
        }
    }

    /// Starts keeping a large log.
    fn keep(&mut self, source: &Source, loaded: &Loaded) {
        let (Some(log), Some(cache)) = (loaded.keep.clone(), self.settings.cache.clone()) else {
            return;
        };
        let recording = loaded.level.replay.recording();
        if !recording.is_some_and(|recording| recording.data.is_large()) {
            return;
        }
        let (level, source) = (loaded.level.clone(), source.clone());
        self.jobs.start(JobKind::Keep, move |job| {
            JobDone::Keep(source, log.keep(&level, &cache, job))
        });
    }

    /// Adds the messages about a level that was read.
    pub(super) fn note_opened(&mut self) {
        let Some(document) = self.document() else {
            return;
        };
        let replay = document.replay();
        let objects = text::count(replay.objects().len(), "object");
        let frames = text::count(replay.frames() as usize, "frame");
        let (name, notices) = (document.source.name(), document.level.notices.clone());
        self.messages
            .note(&name, format!("opened: {objects}, {frames}"));
        self.show_warnings(notices);
    }

    /// Shows a level that was read; one that is `growing` has more frames to come.
    ///
    /// The only place where an open scene is replaced by another one, so it asks for unsaved changes first.
    pub(super) fn show_level(&mut self, loaded: Loaded, source: Source, growing: Option<Growing>) {
        let again = self.is_open(&source);
        let opened = Opened {
            loaded,
            source,
            growing,
        };
        let Some(opened) = self.confirm_opened(opened) else {
            return;
        };
        let Opened {
            loaded,
            source,
            growing,
        } = opened;
        let Loaded {
            level,
            first,
            text,
            stamp,
            ..
        } = loaded;
        if let Source::File(path) = &source {
            self.settings.remember(path);
            self.save_settings();
        }
        self.messages.succeeded(Operation::Read);
        self.messages.succeeded(Operation::Reread);
        let old = self.end_session();
        let before = old.as_ref().map(|old| Arc::clone(old.document.replay()));
        let frames = level.replay.frames();
        let scene = Arc::clone(level.replay.scene());
        let in_a_file = matches!(source, Source::File(_) | Source::Bundled(_));
        let mut document = Document::new(level, source, first);
        document.scene_doc = text.map(|text| EditableScene::new(text, scene, in_a_file));
        let mut session = match old {
            Some(mut old) if again => {
                old.replace_document(document);
                old
            }
            old => Session {
                compare: old.map(|old| old.compare).unwrap_or_default(),
                ..Session::new(document)
            },
        };
        session.scene_file.take_stamp(stamp);
        if let Some(before) = &before {
            let now = session.document.replay();
            let compare = &mut session.compare;
            compare.level_changed(before, now, again, &mut self.jobs);
        }
        if let Some((of, lines, mode)) = self.walk_probe.take()
            && of == session.document.source
        {
            session.probe.set(lines, mode);
        }
        self.time.pointed = None;
        match before.filter(|_| again) {
            Some(before) => {
                self.playback.resize(frames);
                let now = session.document.replay().objects();
                let matching = ObjectMatching::new(before.objects(), now);
                let selected = self.selection.objects().iter();
                let selected: Vec<_> = selected.filter_map(|&id| matching.after(id)).collect();
                self.selection.set(selected);
            }
            None => {
                self.playback = Playback::new(frames);
                self.selection.clear();
                self.time.fit();
                self.effects.push(Effect::LookAtLevel { softly: false });
            }
        }
        if matches!(session.document.source, Source::Live(_)) && growing.is_some() {
            self.playback.seek(u32::MAX, 1.0);
        }
        let is_whole = growing.is_none();
        session.growing = growing;
        self.session = Some(session);
        if is_whole {
            self.note_opened();
            self.diagnose_now();
        }
        self.load_pins();
        self.load_bookmarks();
        let others = std::mem::take(&mut self.pending_comparison);
        self.compare_with_files(others);
        self.show_recovered();
        self.show_hints_once();
    }

    /// Shows the hints with the first level that a user opens.
    fn show_hints_once(&mut self) {
        if !self.settings.hints_seen {
            self.settings.hints_seen = true;
            self.save_settings();
            self.ui_state.hint = Some(0);
        }
    }

    /// Starts the diagnosis of the open level in place of a running one.
    pub(super) fn diagnose_now(&mut self) {
        if let Some(session) = &mut self.session {
            session.diagnose_at = None;
            let level = session.document.level.clone();
            let is_first = session.document.report.is_none();
            self.jobs.start(JobKind::Diagnose, move |job| {
                JobDone::Diagnose(match is_first {
                    true => diagnose(&level, job, &mut part_reports(&level, job)),
                    false => diagnose(&level, job, &mut |_| ()),
                })
            });
        }
    }

    /// Schedules a diagnosis after a pause without edits.
    pub(super) fn diagnose_soon(&mut self) {
        if let Some(session) = &mut self.session {
            self.jobs.drop(JobKind::Diagnose);
            session.diagnose_at = Some(Instant::now() + PAUSE);
        }
    }

    /// Starts a scheduled diagnosis that is due.
    fn begin_diagnosis(&mut self) {
        let at = self
            .session
            .as_ref()
            .and_then(|session| session.diagnose_at);
        if at.is_some_and(|at| at <= Instant::now()) {
            self.diagnose_now();
        }
    }

    /// Handles the report of the open level; `None` when the diagnosis was stopped.
    pub(super) fn take_report(&mut self, report: Option<Report>) {
        let Some(session) = &mut self.session else {
            return;
        };
        let document = &mut session.document;
        let name = document.source.name();
        let Some(report) = report else {
            session.diagnose_again = false;
            return self.messages.note(&name, "the diagnosis was stopped");
        };
        let file = document.level.file.display().to_string();
        // Notices of the level were shown when it was opened.
        let known = &document.level.notices;
        let notices = report
            .notices
            .iter()
            .filter(|text| !known.iter().any(|known| text.contains(&known.what)))
            .map(|text| Problem::new(file.clone(), text.clone(), ""))
            .collect();
        let findings = text::count(report.findings.total(), "finding");
        let seconds = text::number(report.seconds.unwrap_or_default());
        self.messages
            .note(&file, format!("checked: {findings}, in {seconds} s"));
        let report = Arc::new(report);
        let replay = Arc::clone(document.replay());
        document.report = Some(Arc::clone(&report));
        session.find_selected(true);
        let before = session
            .report_before
            .get_or_insert_with(|| Arc::clone(&report));
        session.changes = (!Arc::ptr_eq(before, &report))
            .then(|| Changes::between(&before.findings, &report.findings));
        session.derived.level_fixes = Vec::new();
        session.derived.stays_with = None;
        let judged = Arc::clone(&report);
        self.jobs.start(JobKind::LevelFixes, move |job| {
            SessionDone::LevelFixes(level_fixes(&replay, &report, job))
        });
        // The finding at the same index may have changed.
        session.derived.what_if_search = None;
        session.derived.what_if = None;
        let diagnose_again = std::mem::take(&mut session.diagnose_again);
        let stays = session.user_navigated || session.finding.is_some();
        self.show_warnings(notices);
        self.judge_tour(&judged);
        if diagnose_again {
            self.diagnose_soon();
        }
        self.update_finding_list();
        let first = self.finding_list().and_then(|list| list.order.first());
        if let Some(&first) = first.filter(|_| !stays) {
            // What was in front for another level says nothing about this one.
            if self.dock.is_shown(Pane::WhatIf) {
                self.dock.show(Pane::Inspector);
            }
            self.go_to_finding(first);
        }
    }

    /// Shows the problems of a file that could not be read.
    pub(super) fn show_errors(&mut self, problems: Problems) {
        self.messages.succeeded(Operation::Read);
        for problem in problems.0 {
            self.messages.failed(Operation::Read, problem);
        }
    }

    pub(super) fn show_warnings(&mut self, notices: Vec<Problem>) {
        let left_out = notices.len().saturating_sub(NOTICES);
        let file = notices.first().map(|notice| notice.file.clone());
        for notice in notices.into_iter().take(NOTICES) {
            self.messages.add(Severity::Notice, notice);
        }
        if let (Some(file), 1..) = (file, left_out) {
            let text = format!("{left_out} more notices");
            let help = "run `hitstop check` to print all of them";
            self.messages
                .add(Severity::Notice, Problem::new(file, text, help));
        }
    }

    pub(super) fn internal_error(&mut self, file: &str, fault: &str) {
        let text = format!("internal error: {fault}");
        let help = "please report it and attach the file";
        self.messages
            .add(Severity::Error, Problem::new(file, text, help));
    }
}
