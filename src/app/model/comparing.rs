//! The comparison of the open level with another replay.

use super::compare::tracks::MOST_TRACKS;
use super::messages::Severity;
use super::other_level::{Against, OtherLevel};
use super::{Effect, Model};
use crate::app::dock::Pane;
use crate::core::problem::{Problem, Problems};
use crate::core::replay::compare::Settings as CompareSettings;
use std::path::PathBuf;
use std::sync::Arc;

impl Model {
    /// Compares the open level with another replay.
    pub(in crate::app) fn compare_with(&mut self, against: Against) {
        let Some(session) = &mut self.session else {
            return;
        };
        let replay = session.document.replay();
        let started = session.compare.start(against, replay, &mut self.jobs);
        self.show_pane(Pane::Compare);
        if started.is_err() {
            let what = format!("the level is compared with {MOST_TRACKS} files already");
            let help = "close the comparison to begin another one";
            self.messages
                .add(Severity::Notice, Problem::new("", what, help));
        }
    }

    /// Shows another of the files that the level is compared with.
    pub(in crate::app) fn show_track(&mut self, index: usize) {
        if let Some(session) = &mut self.session {
            let replay = session.document.replay();
            session.compare.show_track(index, replay, &mut self.jobs);
        }
    }

    /// Compares the open level with another file.
    pub(in crate::app) fn compare_with_file(&mut self, path: PathBuf) {
        let options = self.answer(&path).unwrap_or_default();
        self.compare_with(Against::File(path, options));
    }

    /// Compares the open level with files, of which the first is shown.
    pub(super) fn compare_with_files(&mut self, paths: Vec<PathBuf>) {
        let several = paths.len() > 1;
        for path in paths {
            self.compare_with_file(path);
        }
        if several {
            self.show_track(0);
        }
    }

    /// Closes the comparison; the previous run is kept.
    pub(in crate::app) fn stop_comparing(&mut self) {
        if let Some(session) = &mut self.session {
            session.compare.stop(&mut self.jobs);
        }
    }

    /// Compares with other settings.
    pub(in crate::app) fn compare_with_settings(&mut self, settings: CompareSettings) {
        if let Some(session) = &mut self.session {
            let replay = session.document.replay();
            session.compare.set(settings, replay, &mut self.jobs);
        }
    }

    /// Selects a row of the differences and moves the playhead to its first difference.
    pub(in crate::app) fn go_to_difference(&mut self, index: usize) {
        let Some(session) = &mut self.session else {
            return;
        };
        let found = session.compare.result().map(Arc::clone);
        let Some(row) = found.as_ref().and_then(|found| found.objects.get(index)) else {
            return;
        };
        session.deselect_finding();
        session.user_navigated = true;
        session.compare.choose(row.subject);
        self.selection.set(row.subject.a());
        let first = row.first.map(|first| first.frame).or(row.motion_from);
        self.playback.seek_state(first.unwrap_or(0));
        if row.subject.a().is_some() {
            self.effects.push(Effect::LookAtSelection);
        }
        self.show_frame();
    }

    /// Updates the comparison to the selection and the playhead.
    pub(super) fn update_compare(&mut self) {
        let shows_gap = self.shows(Pane::GapPlot);
        if let Some(session) = &mut self.session {
            let selected = self.selection.objects().first().copied();
            let playhead = self.playback.playhead();
            let replay = session.document.replay();
            let compare = &mut session.compare;
            compare.compare_findings(session.document.report.as_ref());
            compare.follow(selected, replay, playhead, &mut self.jobs);
            let pair = self.selection.pair().filter(|_| shows_gap);
            compare.update_gap(pair, replay, playhead);
        }
    }

    /// Handles the level to compare with.
    pub(super) fn take_other(&mut self, other: Result<OtherLevel, Problems>, cancelled: bool) {
        let Some(session) = &mut self.session else {
            return;
        };
        match other {
            Ok(other) => {
                let replay = session.document.replay();
                let compare = &mut session.compare;
                let notices = compare.take_other(other, replay, &mut self.jobs);
                self.show_warnings(notices);
            }
            Err(problems) => {
                let replay = session.document.replay();
                session.compare.drop_track(replay, &mut self.jobs);
                if !cancelled {
                    self.show_errors(problems);
                }
            }
        }
    }
}
