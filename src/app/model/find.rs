//! State of the search for the next frame that meets a condition.

use crate::core::replay::ObjectId;
use crate::core::replay::search::{SearchCondition, SearchDirection, SearchHit};
use crate::core::replay::search_query::SearchQuery;

/// Outcome of the last search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Outcome {
    /// No search was made.
    #[default]
    None,
    /// The frame that was found.
    Found(SearchHit),
    /// There is no such frame in this direction.
    NotFound {
        /// Frame and fraction where the search began.
        from: (u32, f64),
        /// Direction of the search.
        direction: SearchDirection,
    },
    /// The search was stopped.
    Stopped,
}

/// State of the panel: the query and its outcome.
#[derive(Default)]
pub struct Find {
    /// The query.
    pub query: SearchQuery,
    /// Outcome of the last search for it.
    pub outcome: Outcome,
}

/// A search for a frame.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// The condition.
    pub wanted: SearchCondition,
    /// Frame and fraction where it begins.
    pub from: (u32, f64),
    /// The direction.
    pub direction: SearchDirection,
    /// True if started in the panel, false for "next impact".
    pub by_panel: bool,
}

impl Find {
    /// Maps object ids to those of an edited scene.
    pub(super) fn remap_objects(&mut self, ordinal: impl Fn(ObjectId) -> Option<ObjectId>) {
        self.query.a = self.query.a.and_then(&ordinal);
        self.query.b = self.query.b.and_then(&ordinal);
        self.outcome = Outcome::None;
    }
}
