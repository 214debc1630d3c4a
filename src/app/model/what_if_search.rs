//! The background search for the limits of the selected finding: the smallest changes that make it vanish.

use super::job::{JobKind, Jobs, SessionDone};
use crate::core::diagnose::Finding;
use crate::core::diagnose::what_if::{WhatIf, applies_to, what_if};
use crate::core::replay::Replay;
use std::sync::Arc;

/// State of the search.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchState {
    /// It is running; its progress is that of [`JobKind::SearchWhatIf`].
    Working,
    /// The limits.
    Known(Box<WhatIf>),
    /// The pair overlaps from the start, and no earlier frame separates it.
    NoStart,
    /// The search failed: an internal error.
    Fault(String),
}

/// The search for the limits of one finding.
pub struct WhatIfSearch {
    /// The index of the finding in the report.
    pub finding: usize,
    state: SearchState,
}

impl WhatIfSearch {
    /// Starts the search; `None` for a finding without limits.
    pub fn start(
        index: usize,
        finding: &Finding,
        replay: &Arc<Replay>,
        jobs: &mut Jobs,
    ) -> Option<Self> {
        if !applies_to(finding) {
            return None;
        }
        let (finding, replay) = (finding.clone(), Arc::clone(replay));
        jobs.start(JobKind::SearchWhatIf, move |job| {
            SessionDone::SearchWhatIf(what_if(&replay, &finding, job))
        });
        Some(Self {
            finding: index,
            state: SearchState::Working,
        })
    }

    /// Stores the result of the search.
    pub(super) fn take(&mut self, found: Option<WhatIf>) {
        self.state = found.map_or(SearchState::NoStart, |found| {
            SearchState::Known(Box::new(found))
        });
    }

    /// Stores that the search failed.
    pub(super) fn failed(&mut self, fault: String) {
        self.state = SearchState::Fault(fault);
    }

    /// State of the search.
    pub fn state(&self) -> &SearchState {
        &self.state
    }
}
