//! What comes in from beside the window: levels, reports, saved files, answers; and what is said about them.

use super::asked::Asked;
use super::compare::{Against, Failure};
use super::document::Document;
use super::messages::{Deed, Severity};
use super::playback::Playback;
use super::probe::Probe;
use super::what_if::WhatIf;
use super::{Effect, Model};
use crate::app::authoring::Authored;
use crate::app::dock::Pane;
use crate::app::jobs::{self, Job, Loaded, Saved, Source};
use crate::app::text;
use crate::core::diagnose::Finding;
use crate::core::problem::{Problem, Problems};
use std::sync::Arc;

/// Notices of one input that are shown one by one; the rest is counted.
const NOTICES: usize = 20;

impl Model {
    /// Takes what finished beside the window, and the frame at the playhead.
    pub fn poll(&mut self) {
        self.take_bundle();
        self.take_written();
        self.watch_file();
        self.watch_meshes();
        self.keep_changes();
        self.take_level();
        self.take_report();
        self.take_saved();
        self.take_import();
        self.take_found();
        self.take_exported();
        self.take_export();
        self.ask_finding();
        self.try_finding();
        self.take_walk();
        self.show_frame();
        self.look_with_probe();
        self.poll_compare();
    }

    /// What comes of comparing with another replay.
    fn poll_compare(&mut self) {
        let Some(document) = &self.document else {
            return;
        };
        self.compare
            .follow(self.selection.objects().first().copied());
        let playhead = self.playback.playhead();
        match self.compare.poll(document.replay(), playhead, &self.wake) {
            Ok(notices) => self.announce(notices),
            Err(Failure::Input(problems)) => self.complain(problems),
            Err(Failure::Fault(fault)) => self.own_fault("comparing", &fault),
        }
    }

    /// Asks the selected finding, once; the question about another is dropped. While findings are looked for again, those that
    /// stand are of the scene before, and are not asked.
    fn ask_finding(&mut self) {
        if self.diagnosing.is_none()
            && self.asked.as_ref().map(|asked| asked.finding) != self.finding
        {
            let wake = self.wake.clone();
            let document = self.document.as_ref();
            self.asked = self.finding.zip(document).and_then(|(index, document)| {
                let finding = document.findings().get(index)?;
                Asked::start(index, finding, document.replay(), wake)
            });
        }
        if let Some(asked) = &mut self.asked {
            asked.poll();
        }
    }

    /// Puts the selected finding on the bench, while its panel is open.
    fn try_finding(&mut self) {
        if !self.shows(Pane::WhatIf) {
            return;
        }
        if self.diagnosing.is_none()
            && self.what_if.as_ref().map(|known| known.finding) != self.finding
        {
            let wake = self.wake.clone();
            let document = self.document.as_ref();
            self.what_if = self.finding.zip(document).and_then(|(index, document)| {
                let finding = document.findings().get(index)?;
                Some(WhatIf::start(index, finding, document.replay(), wake))
            });
        }
        if let Some(what_if) = &mut self.what_if {
            what_if.poll();
        }
    }

    fn look_with_probe(&mut self) {
        let seen = self.shows(Pane::Camera);
        if let (Some(probe), Some(document), true) = (&mut self.probe, &self.document, seen) {
            probe.refresh(document.replay(), document.frame());
        }
    }

    fn take_bundle(&mut self) {
        let Some(outcome) = self.listing.as_ref().and_then(Job::poll) else {
            return;
        };
        self.listing = None;
        match outcome {
            Ok(Ok(entries)) => self.bundle = entries,
            Ok(Err(problems)) => self.complain(problems),
            Err(fault) => self.own_fault("the bundled levels", &fault),
        }
    }

    fn take_level(&mut self) {
        let Some(outcome) = self.loading.as_ref().and_then(|(_, job)| job.poll()) else {
            return;
        };
        let Some((source, job)) = self.loading.take() else {
            return;
        };
        match outcome {
            Ok(Ok(loaded)) => self.show_level(loaded, source),
            Ok(Err(_)) if job.stopped() => {}
            Ok(Err(problems)) => {
                self.complain(problems);
                self.recover_without_file(source);
            }
            Err(fault) => self.own_fault(&source.name(), &fault),
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
        self.diagnosing = Some(jobs::diagnose(level.clone(), self.wake.clone()));
        let frames = level.replay.frames();
        let scene = Arc::clone(level.replay.scene());
        let in_a_file = matches!(source, Source::File(_) | Source::Bundled(_));
        let mut document = Document::new(level, source, first, self.wake.clone());
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
            .level_changed(old, document.replay(), again, &self.wake);
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

    fn take_report(&mut self) {
        let Some(outcome) = self.diagnosing.as_ref().and_then(Job::poll) else {
            return;
        };
        self.diagnosing = None;
        let Some(document) = &mut self.document else {
            return;
        };
        if std::mem::take(&mut self.look_again) && matches!(outcome, Ok(Some(_))) {
            let level = document.level.clone();
            self.diagnosing = Some(jobs::diagnose_soon(level, self.wake.clone()));
        }
        match outcome {
            Ok(Some(report)) => {
                let file = document.level.file.display().to_string();
                let notices = report
                    .notices
                    .iter()
                    .filter(|text| {
                        // The level's own notices were shown when it opened.
                        !document
                            .level
                            .notices
                            .iter()
                            .any(|known| text.contains(&known.what))
                    })
                    .map(|text| Problem::new(file.clone(), text.clone(), ""))
                    .collect();
                let any = !report.findings.is_empty();
                let findings = text::count(report.findings.len(), "finding");
                let seconds = text::number(report.seconds.unwrap_or_default());
                self.messages
                    .note(&file, format!("checked: {findings}, in {seconds} s"));
                // The finding that was selected is selected again, wherever it stands now.
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
                if any && !self.touched {
                    self.go_to_finding(0);
                }
            }
            Ok(None) => self
                .messages
                .note(&document.source.name(), "the check was stopped"),
            Err(fault) => {
                let name = document.source.name();
                self.own_fault(&name, &fault);
            }
        }
    }

    fn take_saved(&mut self) {
        let Some(outcome) = self.saving.as_ref().and_then(Job::poll) else {
            return;
        };
        self.saving = None;
        match outcome {
            Ok(Ok(Saved { path, notices })) => {
                let file = path.display().to_string();
                let said = Problem::new(
                    file,
                    "the scene is saved",
                    "open it to see the frame by itself",
                );
                self.messages.succeeded(Deed::Export);
                self.messages.add(Severity::Done, said);
                self.announce(notices);
            }
            Ok(Err(problem)) => self.messages.failed(Deed::Export, problem),
            Err(fault) => self.own_fault("the scene", &fault),
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
