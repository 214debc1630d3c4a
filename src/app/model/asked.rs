//! The selected finding, asked what would have to be otherwise; the answer is worked out beside the window.

use super::job::{JobKind, Jobs, SessionDone};
use crate::core::diagnose::Finding;
use crate::core::diagnose::what_if::{WhatIf, applies_to, what_if};
use crate::core::replay::Replay;
use std::sync::Arc;

/// How far the search has come.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It runs; its progress is that of [`JobKind::SearchWhatIf`].
    Working,
    /// The limits.
    Known(Box<WhatIf>),
    /// It began in an overlap that leads back to no clear start.
    NoStart,
    /// The search failed, which is an error of the program.
    Fault(String),
}

/// The search for the limits of one finding.
pub struct Asked {
    /// The index of the finding in the report.
    pub finding: usize,
    answer: Answer,
}

impl Asked {
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
            answer: Answer::Working,
        })
    }

    /// Takes the result of the search.
    pub(super) fn take(&mut self, found: Option<WhatIf>) {
        self.answer = found.map_or(Answer::NoStart, |found| Answer::Known(Box::new(found)));
    }

    /// The search failed.
    pub(super) fn failed(&mut self, fault: String) {
        self.answer = Answer::Fault(fault);
    }

    /// How far the search has come.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }
}
