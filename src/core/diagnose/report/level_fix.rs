//! A single change to a whole level, and the findings that it fixes.

use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::fix::{self, Quantity};
use crate::core::number::{count, grouped, percent, seconds};
use crate::core::schema::UserUnits;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The `object` of a change to every moving body.
pub(in crate::core::diagnose) const ALL: &str = "*";

/// A change to the whole level, and what it does to each finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelFix {
    /// What to change.
    pub what: Quantity,
    /// The value to set; `None` for what is switched on.
    #[serde(serialize_with = "fix::serialize_value")]
    pub value: Option<f64>,
    /// Unit of the value; empty for a count.
    pub unit: Cow<'static, str>,
    /// Of which objects: a name, a pattern such as `ball *` with any number in place of the star, or `*` for every moving body. Empty for a
    /// setting of the level.
    pub object: String,
    /// The engine's own setting, as code; `None` where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
    /// Indices of the findings that it fixes, ascending.
    pub fixed: Vec<usize>,
    /// Indices of all others, ascending.
    pub stays: Vec<usize>,
    /// One sentence.
    pub text: String,
}

impl LevelFix {
    /// Of a change that fixes some of a report's findings.
    pub(in crate::core::diagnose) fn new(
        (what, value): (Quantity, Option<f64>),
        object: String,
        fixed: Vec<usize>,
        findings: &[Finding],
        units: UserUnits,
    ) -> Self {
        let own = |index: &usize| {
            let mut fixes = findings[*index].fixes.iter();
            fixes.find(|fix| fix.what == what)?.setting.clone()
        };
        // Those with a value have it in their own frame.
        let setting = fixed.iter().find_map(own).filter(|_| value.is_none());
        let findings = findings.len();
        let mut stays: Vec<usize> = (0..findings).collect();
        stays.retain(|index| fixed.binary_search(index).is_err());
        let mut row = Self {
            what,
            value,
            unit: what.unit().into(),
            object,
            setting,
            fixed,
            stays,
            text: String::new(),
        };
        let (fixed, share) = (grouped(row.fixed.len()), row.share());
        let (change, verb, all) = (row.change(units), row.verb(), count(findings, "finding"));
        row.text = format!("{change} {verb} {fixed} of {all} ({share}).");
        if let Some(first) = row.text.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        row
    }

    /// The change without its effect: `9 substeps`, `continuous detection on ball *`.
    pub fn change(&self, units: UserUnits) -> String {
        let value = self.value.unwrap_or(0.0);
        let amount = match self.what {
            Quantity::MaxDt => seconds(value),
            what => units.text(value, what.unit()),
        };
        let on = match self.object.as_str() {
            ALL => "every moving body",
            name => name,
        };
        match self.what {
            Quantity::ContinuousDetection => match &self.setting {
                Some(setting) => format!("continuous detection (`{setting}`) on {on}"),
                None => format!("continuous detection on {on}"),
            },
            Quantity::Substeps => format!("{amount} substeps"),
            Quantity::MaxDt => format!("a time step of at most {amount}"),
            Quantity::MinThickness => format!("a thickness of {amount} for {on}"),
            Quantity::MinRadius => format!("a radius of {amount} for {on}"),
            Quantity::MaxClosingSpeed => format!("a closing speed of at most {amount} for {on}"),
            what => format!("a {} of at most {amount} for {on}", what.short_name()),
        }
    }

    /// "fix" or "fixes", after [`LevelFix::change`].
    pub fn verb(&self) -> &'static str {
        match self.what {
            Quantity::Substeps => "fix",
            _ => "fixes",
        }
    }

    /// `46 of 48 (95.8 %)`.
    pub fn count(&self) -> String {
        let all = grouped(self.fixed.len() + self.stays.len());
        format!("{} of {all} ({})", grouped(self.fixed.len()), self.share())
    }

    /// The part of the findings that it fixes, in percent.
    pub fn share(&self) -> String {
        let (fixed, stays) = (self.fixed.len() as f64, self.stays.len() as f64);
        percent(fixed / (fixed + stays))
    }
}
