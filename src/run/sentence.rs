//! What runs say, in sentences: one text for the command line and for the window.

use super::program::Failure;
use super::trial::Batch;
use super::tune::{Row, Search, Tuned};
use crate::core::number::{count, number};

impl Batch {
    /// `0 of 16 runs have the finding (below 17.1 % at 95 %)`.
    pub fn text(&self) -> String {
        if self.runs == 0 {
            return format!("{} without a result", count(self.errors, "run"));
        }
        let have = match self.with_finding {
            1 => "has",
            _ => "have",
        };
        if self.met() == 0 {
            let runs = count(self.runs, "run");
            return format!("in {runs} the two never come near each other: they prove nothing");
        }
        let runs = count(self.met(), "run");
        let mut text = format!("{} of {runs} {have} the finding", self.with_finding);
        if self.with_finding < self.met() {
            text += &format!(" (below {} % at 95 %)", number(self.bound() * 100.0));
        }
        if self.apart > 0 {
            text += &format!(
                "; in {} more the two never come near each other",
                self.apart
            );
        }
        if self.errors > 0 {
            text += &format!(", {} without a result", self.errors);
        }
        text
    }

    /// The failures that are kept, of equal ones the first.
    pub fn distinct_failures(&self) -> impl Iterator<Item = &Failure> {
        let all = self.failures.iter().enumerate();
        let is_first = |(index, failure): &(usize, &Failure)| {
            let before = &self.failures[..*index];
            before.iter().all(|other| other.what != failure.what)
        };
        all.filter(is_first).map(|(_, failure)| failure)
    }
}

impl Row {
    /// `7: 0 of 16 runs have the finding`.
    pub fn text(&self) -> String {
        format!("{}: {}", self.value, self.batch.text())
    }
}

impl Search {
    /// What a response says that is not monotone.
    pub const NOT_MONOTONE: &str = "The response is not monotone over the values tried; values over the whole range were tried, and the widest part that holds counts.";
    /// What is said of a value that brings kinds of finding.
    pub const NEW_KINDS: &str = "This value brings findings that the first run did not have.";

    /// The row of the value that was found.
    pub fn found_row(&self) -> Option<&Row> {
        self.rows.get(self.found?)
    }

    /// The value that was found, and one notch less; that there is none; `None` where the search was cancelled before.
    pub fn text(&self, want: usize) -> Option<String> {
        let Some(found) = self.found_row() else {
            return self.monotone.map(|_| match want {
                0 => "No value that was tried is without the finding in every run.".to_owned(),
                _ => format!(
                    "No value that was tried is with it in at most {}.",
                    count(want, "run")
                ),
            });
        };
        let below = self.below.and_then(|below| self.rows.get(below));
        let below = below.map(|row| format!("; one notch less, {}", row.text()));
        let (name, below) = (&self.parameter, below.unwrap_or_default());
        Some(format!("{name} {}{below}", found.text()))
    }
}

impl Tuned {
    /// Why there was nothing to search; `None` where something was, or the work was cancelled before that is known.
    pub fn nothing_to_tune(&self, want: usize) -> Option<&'static str> {
        if self.first.is_none() {
            let what = "No run has a finding that is looked for: there is nothing to tune.";
            return (!self.cancelled).then_some(what);
        }
        let base = self.base.as_ref()?;
        (self.searches.is_empty() && base.holds && want == 0).then_some(
            "The finding came in the first run and not again: make more runs of each value.",
        )
    }
}
