//! What is right for a cell, and whether a report says it.

use hitstop::core::diagnose::{Finding, Report};
use std::ops::RangeInclusive;

/// What has to be said: one finding, or nothing.
#[derive(Clone, Debug)]
pub struct Truth {
    /// Nothing may be said.
    pub nothing: bool,
    pub kinds: Vec<&'static str>,
    /// Those that may come first.
    pub causes: Vec<&'static str>,
    pub frames: RangeInclusive<u32>,
    /// The names of the obstacles that may be named.
    pub others: Vec<String>,
}

impl Truth {
    pub fn nothing() -> Self {
        Self {
            nothing: true,
            kinds: Vec::new(),
            causes: Vec::new(),
            frames: 0..=0,
            others: Vec::new(),
        }
    }

    pub fn one(kind: &'static str, causes: &[&'static str], frames: RangeInclusive<u32>) -> Self {
        Self {
            nothing: false,
            kinds: vec![kind],
            causes: causes.to_vec(),
            frames,
            others: Vec::new(),
        }
    }

    /// The same, with one of these obstacles.
    pub fn of(self, others: Vec<String>) -> Self {
        Self { others, ..self }
    }

    /// The same, or nothing.
    pub fn or_nothing(self) -> Self {
        Self {
            nothing: true,
            ..self
        }
    }

    pub fn or(mut self, kind: &'static str) -> Self {
        self.kinds.push(kind);
        self
    }

    /// Whether a report says it: once of each obstacle at most.
    pub fn is_right(&self, report: &Report) -> bool {
        let found = &report.findings;
        let is_one = |finding: &Finding| {
            self.kinds.contains(&finding.kind.name())
                && self.causes.contains(&finding.cause.id())
                && self.frames.contains(&finding.frame)
                && finding.a == "mover"
                && self.others.contains(&finding.b)
        };
        let mut others: Vec<&str> = found.iter().map(|finding| finding.b.as_str()).collect();
        others.sort_unstable();
        others.dedup();
        let is_enough = self.nothing || !found.is_empty();
        is_enough && others.len() == found.len() && found.iter().all(is_one)
    }
}

impl std::fmt::Display for Truth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.kinds.is_empty() {
            let kinds = self.kinds.join(" or ");
            let causes = self.causes.join(" or ");
            let others = self.others.join(" or ");
            let (first, last) = self.frames.clone().into_inner();
            write!(
                f,
                "{kinds} {causes} of mover and {others} in frame {first} to {last}"
            )?;
        }
        match (self.nothing, self.kinds.is_empty()) {
            (true, true) => write!(f, "nothing"),
            (true, false) => write!(f, ", or nothing"),
            (false, _) => Ok(()),
        }
    }
}

/// The findings of a report in short.
pub fn said(report: &Report) -> String {
    let one = |finding: &Finding| {
        let Finding {
            kind,
            cause,
            frame,
            a,
            b,
            ..
        } = finding;
        format!(
            "{} {} of {a} and {b} in frame {frame}",
            kind.name(),
            cause.id()
        )
    };
    let all: Vec<String> = report.findings.iter().map(one).collect();
    if all.is_empty() {
        return "nothing".to_owned();
    }
    all.join("; ")
}
