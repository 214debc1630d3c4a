//! The report of a level: plain data, serialisable.

use super::finding_list::FindingList;
use super::level_fix::LevelFix;
use super::margins::Margins;
use super::outside::Outside;
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::kind::Kind;
use crate::core::problem::{Problem, Problems};
use crate::core::schema::UserUnits;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Version of the report's form, `docs/report.schema.json`. 2: `fixes` and `what_if.changes` have `holds` and `detects`. 3: the cause of what was
/// not judged may be null. 4: `level_fixes`. 5: a file that cannot be used has a report with `error`; `build` and `engine`. 6:
/// `units`, in which all numbers are, and `order`.
pub const SCHEMA: u32 = 6;

/// Result of an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It holds.
    Held,
    /// It does not hold.
    Failed,
    /// It does not hold, as the scene says: a known bug.
    FailedAsExpected,
    /// It holds, but the scene lists it as a known bug: the entry can go.
    HeldUnexpectedly,
    /// Not checked: it is about frames that were not diagnosed.
    NotJudged,
}

impl Verdict {
    /// From whether it holds and whether it is `known` not to.
    pub fn of(holds: bool, known: bool) -> Self {
        match (holds, known) {
            (true, false) => Self::Held,
            (false, false) => Self::Failed,
            (false, true) => Self::FailedAsExpected,
            (true, true) => Self::HeldUnexpectedly,
        }
    }

    /// Its words in the window and in the HTML report.
    pub fn words(self) -> &'static str {
        match self {
            Self::Held => "holds",
            Self::Failed => "failed",
            Self::FailedAsExpected => "fails as expected",
            Self::HeldUnexpectedly => "holds unexpectedly",
            Self::NotJudged => "not judged",
        }
    }

    /// Whether the expectation passes.
    pub fn passes(self) -> bool {
        !matches!(self, Self::Failed | Self::HeldUnexpectedly)
    }
}

/// Result of one expectation, with text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExpectationResult {
    /// As the scene writes it.
    pub text: String,
    /// Whether it passes: it holds, or fails where that is expected.
    pub passed: bool,
    /// The detailed result.
    pub verdict: Verdict,
    /// The expected result.
    pub wanted: String,
    /// The actual result.
    pub got: String,
    /// The scene's reason for a known failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_to_fail: Option<String>,
    /// The objects it names.
    #[serde(skip)]
    pub objects: Vec<String>,
}

/// Result of diagnosing a level: what `hitstop check` prints and the window lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// Version of this format.
    pub schema: u32,
    /// The path as given by the user.
    pub file: String,
    /// Name of the level.
    pub name: String,
    /// Version of the recorded program, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// Name of the recorded engine, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Units and axes of the texts and, as JSON, of all numbers: those of the level's file.
    #[serde(default)]
    pub units: UserUnits,
    /// Number of frames judged.
    pub frames: u32,
    /// Objects in the level.
    pub objects: usize,
    /// Narrow-phase sweeps made.
    pub pairs_swept: u64,
    /// Wall-clock time, set by the caller; `None` keeps runs identical.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Sorted by frame, fraction, a, b, kind.
    pub findings: FindingList,
    /// Indices of the listed findings, those that do the most harm first.
    #[serde(default)]
    pub order: Vec<usize>,
    /// Groups of similar findings, sorted by their first member.
    pub groups: Vec<Group>,
    /// Single changes that fix most findings, the best first; computed by [`level_fixes`](crate::core::diagnose::level_fixes()), empty before.
    pub level_fixes: Vec<LevelFix>,
    /// In the scene's order.
    pub expectations: Vec<ExpectationResult>,
    /// Causes that were not checked because the log lacks data, and pairs that were not judged.
    pub not_judged: Vec<NotJudged>,
    /// The closest calls of pairs without a finding, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margins: Option<Margins>,
    /// Bodies that ended outside of the fixed world, by their number; of a report of all frames.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<Outside>,
    /// Notices about the input, one line each.
    pub notices: Vec<String>,
    /// Why the file could not be used; empty for one that was judged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub error: Vec<Problem>,
}

impl Report {
    /// The report of a file that could not be used: all fields but the file and the error are empty.
    pub fn failed(file: String, problems: Problems) -> Self {
        Self {
            schema: SCHEMA,
            file,
            error: problems.0,
            ..Self::default()
        }
    }

    /// Lists its findings with the most harm first; those of equal harm in their own order.
    pub fn put_in_order(&mut self) {
        let findings = &self.findings;
        let mut order: Vec<usize> = (0..findings.len()).collect();
        order.sort_by(|one, other| findings[*one].by_harm(&findings[*other]));
        self.order = order;
    }

    /// Whether its frames and indices fit together, for one that was read from a file.
    pub fn is_consistent(&self) -> bool {
        let all = self.findings.len();
        let are_indices = |list: &[usize]| list.iter().all(|index| *index < all);
        self.findings.iter().all(|one| one.frame <= one.last_frame)
            && are_indices(&self.order)
            && self
                .groups
                .iter()
                .all(|group| group.frame <= group.last_frame && are_indices(&group.members))
            && self
                .outside
                .iter()
                .all(|body| body.finding.is_none_or(|index| index < all))
            && self
                .level_fixes
                .iter()
                .all(|fix| are_indices(&fix.fixed) && are_indices(&fix.stays))
    }
}

/// Findings of one kind and cause with the same other object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// What happened.
    pub kind: Kind,
    /// Why.
    pub cause: Cause,
    /// The other object; empty for findings without one (BadNumber).
    pub b: String,
    /// How many findings.
    pub count: usize,
    /// How many movers.
    pub movers: usize,
    /// The first frame of any of them.
    pub frame: u32,
    /// The last frame of any of them.
    pub last_frame: u32,
    /// Their indices in the report, ascending.
    pub members: Vec<usize>,
}

/// What was not checked, and what to log for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotJudged {
    /// The cause; `None` for pairs that were not judged.
    pub cause: Option<Cause>,
    /// What is missing, or which pairs were left out and why; without a full stop.
    pub why: Cow<'static, str>,
    /// What to log.
    pub log: Cow<'static, str>,
    /// Objects that pass others and are judged once they are marked as characters.
    #[serde(skip)]
    pub passing: Vec<String>,
}

impl NotJudged {
    /// `C22 the engine's own query is wrong: the log carries no queries; log ..`.
    pub fn sentence(&self) -> String {
        let rest = format!("{}; log {}", self.why, self.log);
        match self.cause {
            Some(cause) => format!("{} {}: {rest}", cause.id(), cause.title()),
            None => rest,
        }
    }
}
