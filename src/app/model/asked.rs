//! The selected finding, asked what would have to be otherwise; the answer is worked out beside the window.

use crate::app::jobs::{self, Job, Wake};
use crate::core::diagnose::Finding;
use crate::core::diagnose::what_if::{WhatIf, applies_to};
use crate::core::replay::Replay;
use std::sync::Arc;

/// How far the question has come.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Still at work, with the share done.
    Working(Option<f32>),
    /// Here it is.
    Known(Box<WhatIf>),
    /// It began in an overlap that leads back to no clear start.
    NoStart,
    /// The work failed, which is internal error.
    Fault(String),
}

/// A question about one finding.
pub struct Asked {
    /// The finding's place in the report.
    pub finding: usize,
    job: Option<Job<Option<WhatIf>>>,
    answer: Answer,
}

impl Asked {
    /// Begins to ask; `None` for a finding that luck does not decide.
    pub fn start(
        index: usize,
        finding: &Finding,
        replay: &Arc<Replay>,
        wake: Wake,
    ) -> Option<Self> {
        applies_to(finding).then(|| Self {
            finding: index,
            job: Some(jobs::ask(finding.clone(), Arc::clone(replay), wake)),
            answer: Answer::Working(None),
        })
    }

    /// Takes the answer when it is there.
    pub fn poll(&mut self) {
        let Some(job) = &self.job else {
            return;
        };
        match job.poll() {
            None => {
                self.answer = Answer::Working(job.share());
                return;
            }
            Some(Ok(Some(found))) => self.answer = Answer::Known(Box::new(found)),
            Some(Ok(None)) => self.answer = Answer::NoStart,
            Some(Err(fault)) => self.answer = Answer::Fault(fault),
        }
        self.job = None;
    }

    /// How far it has come.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }
}
