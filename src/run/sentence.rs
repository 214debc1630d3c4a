//! What runs say, in sentences: one text for the command line and for the window.

use super::program::Failure;
use super::question::seen_text;
use super::trial::Batch;
use super::tune::{Row, Search, Suggestion, Tuned};
use crate::core::number::{count, count_of, number};

impl Suggestion {
    /// `diagnosis names 5 to 9 for 3 of 4 findings: 9 is enough for each`.
    pub fn text(&self) -> String {
        let Self {
            value,
            least,
            findings,
            of,
        } = self;
        let is_one = least == value;
        let values = match is_one {
            true => value.clone(),
            false => format!("{least} to {value}"),
        };
        let mut text = format!("diagnosis names {values}");
        text += &match (*findings, *of) {
            (_, 1) => return text,
            (some, all) if some == all => format!(" for {}", count(all, "finding")),
            (some, all) => format!(" for {some} of {}", count(all, "finding")),
        };
        if !is_one {
            text += &format!(": {value} is enough for each");
        }
        text
    }
}

impl Batch {
    /// `0 of 16 runs have the finding (below 17.1 % at 95 %)`.
    pub fn text(&self) -> String {
        if self.runs == 0 {
            return format!("{} without a result", count(self.errors, "run"));
        }
        let have = match (self.with_finding, self.met()) {
            (1, _) | (_, 1) => "has",
            _ => "have",
        };
        if self.met() == 0 {
            let runs = count(self.runs, "run");
            return format!("in {runs} the two never come near each other: they prove nothing");
        }
        let runs = count(self.met(), "run");
        let mut text = format!("{} of {runs} {have} the finding", self.with_finding);
        if self.equal {
            text += ", and they are equal: one run";
        } else if self.with_finding < self.met() {
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
    pub const NEW_KINDS: &str =
        "This value brings findings that the runs of the first value do not have.";

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
        let Row { value, batch, .. } = found;
        Some(match batch.equal && batch.with_finding == 0 {
            true => format!(
                "{name} {value} removes it in this run, which is the same each time{below}; other starts were not tried"
            ),
            false => format!("{name} {}{below}", found.text()),
        })
    }

    /// From which value on none was tried.
    pub fn hung_text(&self) -> Option<String> {
        let value = self.hung.as_ref()?;
        Some(format!(
            "{} {value}: its runs reach the time limit, so that no value from it on was tried; --timeout gives them more.",
            self.parameter
        ))
    }
}

impl Tuned {
    /// Why there was nothing to search; `None` where something was, or the work was cancelled before that is known.
    pub fn nothing_to_tune(&self, want: usize) -> Option<String> {
        let base = self.base.as_ref()?;
        let errors = base.batch.errors;
        let what = match self.first {
            None if self.cancelled => return None,
            None if errors > 0 => {
                let runs = count_of(errors, "run has no result", "runs have no result");
                format!(
                    "No run with a result has a finding that is looked for, and {runs}: there is nothing to tune."
                )
            }
            None => format!(
                "No run has a finding that is looked for: there is nothing to tune. Of the first run: {}.",
                seen_text(&self.seen)
            ),
            Some(_) if self.searches.is_empty() && base.holds && want == 0 => {
                "The finding came in the first run and not again: make more runs of each value."
                    .to_owned()
            }
            Some(_) => return None,
        };
        Some(what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_diagnosis_names_is_said_with_its_findings() {
        let text = |value: &str, least: &str, findings, of| {
            let [value, least] = [value, least].map(str::to_owned);
            Suggestion {
                value,
                least,
                findings,
                of,
            }
            .text()
        };
        assert_eq!(text("9", "9", 1, 1), "diagnosis names 9");
        assert_eq!(text("9", "9", 4, 4), "diagnosis names 9 for 4 findings");
        assert_eq!(
            text("9", "9", 1, 4),
            "diagnosis names 9 for 1 of 4 findings"
        );
        assert_eq!(
            text("9", "5", 4, 4),
            "diagnosis names 5 to 9 for 4 findings: 9 is enough for each"
        );
    }
}
