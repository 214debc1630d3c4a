//! The list of what the program and its engine logged, made by a background job.

use super::finding_list::Words;
use super::job::{JobKind, Jobs, SessionDone};
use super::{Effect, Model, Session};
use crate::app::dock::Pane;
use crate::core::diagnose::Source;
use crate::core::explain_query::explain_miss;
use crate::core::replay::engine_log::{EngineLog, EngineLogKind, EngineLogRow, engine_log};
use crate::core::replay::{NoteLevel, ObjectId, Replay};
use crate::core::shape::Aabb;
use std::sync::Arc;

/// What a list was made of: the filter, and how many states the recording had.
type Key = (String, u32);

/// Half the size that the view shows of a point, metres.
const POINT: f64 = 1.0;

/// The latest list.
#[derive(Default)]
pub struct EngineLogView {
    found: Option<(Key, EngineLog)>,
    /// True after a failure: the job is not started again for this level.
    has_failed: bool,
    /// The chosen row.
    pub chosen: Option<usize>,
    /// Why its query met nothing, each a sentence.
    pub reasons: Vec<String>,
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
            self.reasons.clear();
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
        let replay = document.replay();
        derived.engine_log.reasons = reasons(replay, &row);
        let place = place(replay, &row);
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
        if !self.selection.objects().is_empty() {
            self.show_pane(Pane::Inspector);
        }
        self.effects.extend(place.map(Effect::LookAt));
        self.show_frame();
    }
}

/// Why the query of a row met nothing.
fn reasons(replay: &Replay, row: &EngineLogRow) -> Vec<String> {
    let (EngineLogKind::Query(number), Some(log)) = (row.kind, replay.recording()) else {
        return Vec::new();
    };
    let query = log.query(number);
    let found = query.map(|query| explain_miss(replay, row.state, &query));
    let found = found.into_iter().flatten();
    found.map(|reason| reason.text(replay)).collect()
}

/// What the view shows of a row: its query or mark, else its first object.
fn place(replay: &Replay, row: &EngineLogRow) -> Option<Aabb> {
    let id = row.objects.into_iter().flatten().next();
    let object = id.and_then(|id| {
        let shape = &replay.objects().get(id as usize)?.shape;
        shape.placed(&replay.body(row.state, id)?.pose).aabb()
    });
    let Some(ends) = row.place else {
        return object;
    };
    // A point has a place, but no size.
    let place = Aabb::of_points(ends)?;
    let size = (place.max - place.min).max_element();
    Some(place.grown(if size > 0.0 { 0.0 } else { POINT }))
}
