//! What comes in from beside the window: levels, reports, saved files, answers; and what is said about them.

use super::asked::Asked;
use super::document::Document;
use super::messages::Severity;
use super::playback::Playback;
use super::{Effect, Model};
use crate::app::jobs::{self, Job, Loaded, Saved, Source};
use crate::core::problem::{Problem, Problems};

/// Notices of one input that are shown one by one; the rest is counted.
const NOTICES: usize = 20;

impl Model {
    /// Takes what finished beside the window, and the frame at the playhead.
    pub fn poll(&mut self) {
        self.take_bundle();
        self.take_expectation();
        self.take_level();
        self.take_report();
        self.take_saved();
        self.ask_finding();
        self.show_frame();
    }

    /// Asks the selected finding, once; the question about another is dropped.
    fn ask_finding(&mut self) {
        if self.asked.as_ref().map(|asked| asked.finding) != self.finding {
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
            Ok(Err(problems)) => self.complain(problems),
            Err(fault) => self.own_fault(&source.name(), &fault),
        }
    }

    fn show_level(&mut self, loaded: Loaded, source: Source) {
        let Loaded { level, first } = loaded;
        if let Source::File(path) = &source {
            self.settings.remember(path);
            self.save_settings();
        }
        self.announce(level.notices.clone());
        let again = self
            .document
            .as_ref()
            .is_some_and(|document| document.source == source);
        self.diagnosing = Some(jobs::diagnose(level.clone(), self.wake.clone()));
        let frames = level.replay.frames();
        let document = Document::new(level, source, first, self.wake.clone());
        self.finding = None;
        self.asked = None;
        self.pair = None;
        self.candidates.clear();
        self.pointed = None;
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
            self.touched = false;
            self.effects.push(Effect::LookAtLevel { softly: false });
        }
        self.document = Some(document);
    }

    fn take_report(&mut self) {
        let Some(outcome) = self.diagnosing.as_ref().and_then(Job::poll) else {
            return;
        };
        self.diagnosing = None;
        let Some(document) = &mut self.document else {
            return;
        };
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
                document.report = Some(report);
                self.announce(notices);
                if any && !self.touched {
                    self.go_to_finding(0);
                }
            }
            Ok(None) => {}
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
                self.announce(std::iter::once(said).chain(notices).collect());
            }
            Ok(Err(problem)) => self.messages.add(Severity::Error, problem),
            Err(fault) => self.own_fault("the scene", &fault),
        }
    }

    /// Shows every problem as an error.
    pub(super) fn complain(&mut self, problems: Problems) {
        for problem in problems.0 {
            self.messages.add(Severity::Error, problem);
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
            let mend = "`hitstop check` prints all of them";
            self.messages
                .add(Severity::Notice, Problem::new(file, text, mend));
        }
    }

    pub(super) fn own_fault(&mut self, file: &str, fault: &str) {
        let text = format!("this is a fault of the program: {fault}");
        let mend = "please report it, with the file";
        self.messages
            .add(Severity::Error, Problem::new(file, text, mend));
    }
}
