//! Search for the next frame that meets a condition, as a background job.

use super::find::{Outcome, Search};
use super::job::{JobDone, JobKind};
use super::messages::Severity;
use super::{Model, Session};
use crate::app::dock::Pane;
use crate::core::problem::Problem;
use crate::core::replay::search::{SearchCondition, SearchDirection, SearchHit, search};
use crate::core::replay::search_query::not_found;
use std::sync::Arc;

impl Model {
    /// Opens the panel with the selected objects in its fields.
    pub(in crate::app) fn open_find(&mut self) {
        self.show_pane(Pane::Find);
        let Some(Session { find, .. }) = &mut self.session else {
            return;
        };
        if let Some((a, b)) = self.selection.pair() {
            (find.query.a, find.query.b) = (Some(a), Some(b));
        } else if let [one] = self.selection.objects() {
            find.query.a = Some(*one);
        }
        find.outcome = Outcome::None;
    }

    /// Starts the panel's query; opens the panel if the query is incomplete.
    pub(in crate::app) fn find(&mut self, direction: SearchDirection) {
        let Some(session) = &self.session else {
            return;
        };
        match session.find.query.condition() {
            Ok(wanted) => self.start_search(wanted, direction, true),
            Err(_) => self.open_find(),
        }
    }

    /// Searches the next impact of the selected pair, of the selected object, or of any.
    pub(in crate::app) fn find_impact(&mut self, direction: SearchDirection) {
        let of = match (self.selection.pair(), self.selection.objects()) {
            (Some((a, b)), _) => SearchCondition::Impact(Some(a), Some(b)),
            (None, [one]) => SearchCondition::Impact(Some(*one), None),
            _ => SearchCondition::Impact(None, None),
        };
        self.start_search(of, direction, false);
    }

    fn start_search(
        &mut self,
        wanted: SearchCondition,
        direction: SearchDirection,
        by_panel: bool,
    ) {
        let Some(Session { document, find, .. }) = &mut self.session else {
            return;
        };
        let playhead = self.playback.playhead();
        let from = (playhead.frame, playhead.fraction);
        self.playback.pause();
        if by_panel {
            find.outcome = Outcome::None;
        }
        let search_for = Search {
            wanted,
            from,
            direction,
            by_panel,
        };
        let replay = Arc::clone(document.replay());
        self.jobs.start(JobKind::Find, move |job| {
            let found = search(&replay, &wanted, from, direction, job);
            JobDone::Find(search_for, found)
        });
    }

    /// Handles the outcome of a search.
    pub(super) fn take_found(&mut self, work: Search, found: Option<SearchHit>, cancelled: bool) {
        let outcome = match found {
            Some(found) => Outcome::Found(found),
            None if cancelled => Outcome::Stopped,
            None => Outcome::NotFound {
                from: work.from,
                direction: work.direction,
            },
        };
        if let Some(session) = self.session.as_mut().filter(|_| work.by_panel) {
            session.find.outcome = outcome;
        }
        match outcome {
            Outcome::Found(found) => self.go_to_found(found, work.wanted),
            // The panel shows this itself where it is visible.
            Outcome::NotFound { .. } if !(work.by_panel && self.shows(Pane::Find)) => {
                let what = if work.by_panel { "frame" } else { "impact" };
                let (frame, fraction) = work.from;
                let number = self.document().map(|it| it.replay().number(frame));
                let from = (number.unwrap_or_default(), fraction);
                let text = not_found(what, from, work.direction);
                let help = "the search begins at the playhead";
                let problem = Problem::new("search", text, help);
                self.messages.add(Severity::Notice, problem);
            }
            _ => {}
        }
    }

    fn go_to_found(&mut self, found: SearchHit, wanted: SearchCondition) {
        let Some(session) = &mut self.session else {
            return;
        };
        match (wanted, found.object) {
            (
                SearchCondition::Touch(a, b)
                | SearchCondition::Impact(Some(a), Some(b))
                | SearchCondition::HitBefore(a, b, _)
                | SearchCondition::Deeper(a, b, _)
                | SearchCondition::Nearer(a, b, _),
                _,
            ) => {
                // A selected pair keeps its order.
                let selected = self.selection.pair();
                if selected != Some((a, b)) && selected != Some((b, a)) {
                    self.selection.set([a, b]);
                    session.deselect_finding();
                }
            }
            (_, Some(object)) if !self.selection.contains(object) => {
                self.selection.set([object]);
                session.deselect_finding();
            }
            _ => {}
        }
        session.user_navigated = true;
        self.playback.seek(found.frame, found.fraction);
        self.show_frame();
    }
}
