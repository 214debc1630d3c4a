//! The list of what the program and its engine logged, made by a background job.

use super::finding_list::Words;
use super::job::{JobKind, Jobs, SessionDone};
use super::{Model, Session};
use crate::core::diagnose::Source;
use crate::core::replay::engine_log::{EngineLog, EngineLogKind, EngineLogRow, engine_log};
use crate::core::replay::{NoteLevel, ObjectId, Replay};
use std::sync::Arc;

/// What a list was made of: the filter, and how many states the recording had.
type Key = (String, u32);

/// The latest list.
#[derive(Default)]
pub struct EngineLogView {
    found: Option<(Key, EngineLog)>,
    /// True after a failure: the job is not started again for this level.
    has_failed: bool,
    /// The chosen row.
    pub chosen: Option<usize>,
}

impl EngineLogView {
    /// The latest list; the one before while another is made.
    pub fn list(&self) -> Option<&EngineLog> {
        self.found.as_ref().map(|(_, found)| found)
    }

    /// Stores a list; `None` of a job that was stopped.
    pub(super) fn take(&mut self, key: Key, found: Option<EngineLog>) {
        if self
            .found
            .as_ref()
            .is_none_or(|(known, _)| known.0 != key.0)
        {
            self.chosen = None;
        }
        self.found = found.map(|found| (key, found)).or(self.found.take());
    }

    /// Stores that the job failed.
    pub(super) fn failed(&mut self) {
        self.has_failed = true;
    }

    /// Starts listing what fits a filter, unless it is listed.
    pub(super) fn request(&self, replay: &Arc<Replay>, filter: &str, jobs: &mut Jobs) {
        let key = (filter.to_owned(), replay.frames());
        let is_known = self.found.as_ref().is_some_and(|(known, _)| *known == key);
        // One job at a time; the latest request comes next.
        if is_known || self.has_failed || jobs.is_running(JobKind::EngineLog) {
            return;
        }
        let replay = Arc::clone(replay);
        jobs.start(JobKind::EngineLog, move |job| {
            let words = Words::parse(&key.0);
            let fits = |row: &EngineLogRow| words.fit(&searched(row));
            let found = engine_log(&replay, fits, job);
            SessionDone::EngineLog(key, found)
        });
    }
}

/// What the filter looks at.
fn searched(row: &EngineLogRow) -> String {
    let word = match row.kind {
        EngineLogKind::Query(_) => "query",
        EngineLogKind::Line(NoteLevel::Debug) => "log debug",
        EngineLogKind::Line(NoteLevel::Info) => "log info",
        EngineLogKind::Line(NoteLevel::Warning) => "log warning",
        EngineLogKind::Line(NoteLevel::Error) => "log error",
        EngineLogKind::State => "state",
        EngineLogKind::Mark => "mark",
        EngineLogKind::Move => "move",
    };
    format!("{word} {}", row.text).to_lowercase()
}

impl Model {
    /// Chooses a row: goes to its frame and selects its objects; that of a wrong query selects the finding.
    pub(in crate::app) fn show_engine_log_row(&mut self, index: usize) {
        let Some(Session {
            document, derived, ..
        }) = &mut self.session
        else {
            return;
        };
        let row = derived
            .engine_log
            .list()
            .and_then(|list| list.rows.get(index));
        let Some(row) = row.cloned() else {
            return;
        };
        derived.engine_log.chosen = Some(index);
        let finding = match row.kind {
            EngineLogKind::Query(number) => {
                let mut findings = document.findings().iter();
                findings.position(|finding| finding.source == Source::Query(number))
            }
            _ => None,
        };
        if let Some(finding) = finding {
            return self.go_to_finding(finding);
        }
        let objects: Vec<ObjectId> = row.objects.into_iter().flatten().collect();
        if !objects.is_empty() {
            self.selection.set(objects);
        }
        if let Some(session) = &mut self.session {
            session.deselect_finding();
        }
        self.mark_navigated();
        self.playback.seek_state(row.state);
        self.show_frame();
    }
}
