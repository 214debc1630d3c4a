//! "The next frame where": what is looked for, and how far the search beside the window has come.

use super::job::{JobDone, JobKind};
use super::messages::Severity;
use super::{Model, Session};
use crate::app::dock::Pane;
use crate::core::problem::Problem;
use crate::core::replay::ObjectId;
use crate::core::replay::search::{SearchCondition, SearchDirection, SearchHit, search};
use crate::core::replay::search_query::{SearchQuery, not_found};
use std::sync::Arc;

/// What became of the last search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Outcome {
    /// None was made.
    #[default]
    None,
    /// Here it is.
    SearchHit(SearchHit),
    /// There is no such frame after (before) this moment.
    Nowhere {
        /// Where the search began.
        from: (u32, f64),
        /// Which way it went.
        way: SearchDirection,
    },
    /// It was stopped.
    Stopped,
}

/// The question, and the search at work.
#[derive(Default)]
pub struct Find {
    /// What the panel asks for.
    pub query: SearchQuery,
    /// What became of the last search of that.
    pub outcome: Outcome,
}

/// A search for a frame.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    wanted: SearchCondition,
    from: (u32, f64),
    way: SearchDirection,
    /// Started in the panel, and not by "next impact".
    by_panel: bool,
}

impl Find {
    /// The scene was changed: its objects have other ordinals, or none any more.
    pub(super) fn follow(&mut self, ordinal: impl Fn(ObjectId) -> Option<ObjectId>) {
        self.query.a = self.query.a.and_then(&ordinal);
        self.query.b = self.query.b.and_then(&ordinal);
        self.outcome = Outcome::None;
    }
}

impl Model {
    /// Opens the panel, with the selected objects in its fields.
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

    /// Looks for what the panel asks for; opens the panel where something is still to be said.
    pub(in crate::app) fn find(&mut self, way: SearchDirection) {
        let Some(session) = &self.session else {
            return;
        };
        match session.find.query.condition() {
            Ok(wanted) => self.look_for(wanted, way, true),
            Err(_) => self.open_find(),
        }
    }

    /// Looks for the next impact: of the selected pair, of the selected object, of any.
    pub(in crate::app) fn find_impact(&mut self, way: SearchDirection) {
        let of = match (self.selection.pair(), self.selection.objects()) {
            (Some((a, b)), _) => SearchCondition::Impact(Some(a), Some(b)),
            (None, [one]) => SearchCondition::Impact(Some(*one), None),
            _ => SearchCondition::Impact(None, None),
        };
        self.look_for(of, way, false);
    }

    fn look_for(&mut self, wanted: SearchCondition, way: SearchDirection, by_panel: bool) {
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
            way,
            by_panel,
        };
        let replay = Arc::clone(document.replay());
        self.jobs.start(JobKind::Find, move |job| {
            let found = search(&replay, &wanted, from, way, job);
            JobDone::Find(search_for, found)
        });
    }

    /// Goes to what was found.
    pub(super) fn take_found(&mut self, work: Search, found: Option<SearchHit>, cancelled: bool) {
        let outcome = match found {
            Some(found) => Outcome::SearchHit(found),
            None if cancelled => Outcome::Stopped,
            None => Outcome::Nowhere {
                from: work.from,
                way: work.way,
            },
        };
        if let Some(session) = self.session.as_mut().filter(|_| work.by_panel) {
            session.find.outcome = outcome;
        }
        match outcome {
            Outcome::SearchHit(found) => self.go_to_found(found, work.wanted),
            // Where the panel is seen, it says so itself.
            Outcome::Nowhere { .. } if !(work.by_panel && self.shows(Pane::Find)) => {
                let what = if work.by_panel { "frame" } else { "impact" };
                let text = not_found(what, work.from, work.way);
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
                // The same pair in the order that it was selected in stays as it is.
                let selected = self.selection.pair();
                if selected != Some((a, b)) && selected != Some((b, a)) {
                    self.selection.set([a, b]);
                    session.finding = None;
                }
            }
            (_, Some(object)) if !self.selection.contains(object) => {
                self.selection.set([object]);
                session.finding = None;
            }
            _ => {}
        }
        session.touched = true;
        self.playback.seek(found.frame, found.fraction);
        self.show_frame();
    }
}
