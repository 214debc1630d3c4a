//! The changes that fix a finding, and their proof.

use super::phase_sweep::{Counts, PhaseSweep};
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::number::{number, seconds, words};
use crate::core::schema::UserUnits;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A number that is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// Seconds of a frame.
    Dt,
    /// Substeps of a frame.
    Substeps,
    /// Relative speed of the two, metres per second.
    Speed,
    /// Radius of the body; of a box and the like half its width along the contact normal. Metres.
    Radius,
    /// Thickness of the solid, metres; its near side stays where it is.
    Thickness,
}

impl Parameter {
    /// In order of evaluation.
    pub const ALL: [Self; 5] = [
        Self::Dt,
        Self::Substeps,
        Self::Speed,
        Self::Radius,
        Self::Thickness,
    ];

    /// The quantity of a limit on it. `both_move`: the speed is that of two moving bodies.
    pub fn limit(self, both_move: bool) -> Quantity {
        match self {
            Self::Dt => Quantity::MaxDt,
            Self::Substeps => Quantity::Substeps,
            Self::Speed if both_move => Quantity::MaxClosingSpeed,
            Self::Speed => Quantity::MaxSpeed,
            Self::Radius => Quantity::MinRadius,
            Self::Thickness => Quantity::MinThickness,
        }
    }

    /// The parameter that a quantity limits, if any.
    pub fn of_limit(what: Quantity) -> Option<Self> {
        let limits = |known: &Self| [false, true].iter().any(|&both| known.limit(both) == what);
        Self::ALL.into_iter().find(limits)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.limit(false).short_name()
    }

    /// Unit of its values; empty for a count.
    pub fn unit(self) -> &'static str {
        self.limit(false).unit()
    }
}

/// A sufficient value, with its proof.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Threshold {
    /// The smallest sufficient change.
    pub after: f64,
    /// Counts of the phases at that value.
    pub at_after: Counts,
    /// A value just short of it; `None` when no change is needed.
    pub below: Option<f64>,
    /// Counts of the phases there; at least one fails.
    pub at_below: Option<Counts>,
    /// Whether the scene, run with the value, loses the finding; `None` where it cannot be run so, or not within the bound.
    pub replayed: Option<bool>,
    /// The scene was not run, as that takes more steps than the bound leaves.
    pub too_long: bool,
}

/// One parameter, varied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The parameter, named as in fixes.
    pub what: Quantity,
    /// Unit of the values.
    pub unit: Cow<'static, str>,
    /// The current value.
    pub before: f64,
    /// The value that holds at every phase; `None` when no value does.
    pub holds: Option<Threshold>,
    /// The value that detects at every phase; `None` when no value does.
    pub detects: Option<Threshold>,
    /// Why no value helps; else empty.
    pub why_not: Cow<'static, str>,
}

/// The smallest changes that fix a finding, each by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WhatIf {
    /// The current event at every starting phase.
    pub phases: PhaseSweep,
    /// A change that each of these also needs: the velocity of a body that is driven by position.
    pub with: Option<Fix>,
    /// In the order of [`Parameter::ALL`].
    pub changes: Vec<Change>,
}

impl WhatIf {
    /// The change of one parameter.
    pub fn change(&self, what: Parameter) -> Option<&Change> {
        let place = Parameter::ALL.iter().position(|known| *known == what)?;
        self.changes.get(place)
    }

    /// One line per parameter, `substeps 1: held from 122, detected from 61`; a single line where no change is needed.
    pub fn sentences(&self, units: UserUnits) -> Vec<String> {
        let phases = self.phases.counts.phases;
        let unchanged = |threshold: &Option<Threshold>| {
            threshold.is_some_and(|threshold| threshold.below.is_none())
        };
        let possible = |change: &&Change| change.detects.is_some();
        let mut tried = self.changes.iter().filter(possible).peekable();
        if tried.peek().is_some() && tried.all(|change| unchanged(&change.holds)) {
            return vec![format!(
                "Every one of {phases} starting phases holds already: dt, substeps, speed and size do not decide this finding"
            )];
        }
        let with = self.with.iter();
        let with = with.map(|with| format!("{} together with each of these", with.text(units)));
        with.chain(self.changes.iter().map(|change| change.sentence(units)))
            .collect()
    }
}

impl Change {
    /// `dt 16.7 ms: held up to 0.138 ms, detected up to 0.275 ms`.
    pub fn sentence(&self, units: UserUnits) -> String {
        let (name, before) = (
            words(self.what.short_name()),
            self.value(self.before, units),
        );
        let Some(detects) = &self.detects else {
            return format!("{name}: no change helps, {}", self.why_not);
        };
        let one = |word: &str, threshold: &Threshold| {
            let at = match threshold.below {
                None => "already".to_owned(),
                Some(_) => format!(
                    "{} {}",
                    self.what.bound(),
                    self.value(threshold.after, units)
                ),
            };
            let not_here = match threshold.replayed {
                Some(false) => " (but not in this scene)",
                _ if threshold.too_long => " (not run on the scene: too many steps)",
                _ => "",
            };
            format!("{word} {at}{not_here}")
        };
        let held = match &self.holds {
            Some(holds) => one("held", holds),
            None => "held by no value".to_owned(),
        };
        format!("{name} {before}: {held}, {}", one("detected", detects))
    }

    /// A value of this parameter with its unit, as text.
    pub fn value(&self, value: f64, units: UserUnits) -> String {
        match &*self.unit {
            "s" => seconds(value),
            "m/s" => units.speed(value),
            "m" => units.length(value),
            _ => number(value),
        }
    }
}
