//! A what-if outcome beside that of the level's own values, as text.

use super::session_values::{FixValues, Values, WhatIfOutcome};
use crate::core::number::percent;
use crate::core::schema::UserUnits;
use std::fmt::Write as _;

/// A row of the comparison.
pub struct ComparisonRow {
    /// Its label.
    pub name: &'static str,
    /// Its explanation.
    pub help: &'static str,
    value: fn(&WhatIfOutcome, UserUnits) -> String,
}

impl ComparisonRow {
    /// The value of an outcome, with its unit.
    pub fn value(&self, outcome: &WhatIfOutcome, units: UserUnits) -> String {
        (self.value)(outcome, units)
    }
}

fn limit(
    limit: &FixValues,
    which: fn(&FixValues) -> Option<f64>,
    (unit, units): (&'static str, UserUnits),
) -> String {
    which(limit).map_or_else(|| "none".to_owned(), |value| units.text(value, unit))
}

/// The rows of the comparison.
pub const ROWS: &[ComparisonRow] = &[
    ComparisonRow {
        name: "verdict",
        help: "Result of the overlap test at this phase",
        value: |outcome, _| outcome.outcome.name().to_owned(),
    },
    ComparisonRow {
        name: "moves in a step",
        help: "Along the contact normal, from one test to the next",
        value: |outcome, units| units.length(outcome.numbers.step),
    },
    ComparisonRow {
        name: "limit, detected",
        help: "Longest step that an overlap test always detects",
        value: |outcome, units| units.length(outcome.numbers.limit_seen),
    },
    ComparisonRow {
        name: "limit, right side",
        help: "Longest step after which the push always moves the body back",
        value: |outcome, units| units.length(outcome.numbers.limit_side),
    },
    ComparisonRow {
        name: "phases missed",
        help: "Fraction of all starting phases without detection, from the limits",
        value: |outcome, _| percent(outcome.numbers.missed_share),
    },
    ComparisonRow {
        name: "phases, wrong side",
        help: "Fraction of all starting phases that are pushed out on the far side, from the limits",
        value: |outcome, _| percent(outcome.numbers.wrong_share),
    },
    ComparisonRow {
        name: "counted",
        help: "The real overlap test at 64 starting phases: not detected, wrong side, held",
        value: |outcome, _| {
            let counts = &outcome.counts;
            let (undetected, held) = (counts.undetected(), counts.resolved());
            format!("{undetected}/{}/{held}", counts.wrong_side)
        },
    },
    ComparisonRow {
        name: "substeps to be held",
        help: "Number of steps per frame with which every push moves the body back",
        value: |outcome, units| {
            limit(
                &outcome.numbers.to_resolve,
                |limit| limit.substeps,
                ("", units),
            )
        },
    },
    ComparisonRow {
        name: "substeps to be detected",
        help: "Number of steps per frame with which every phase is detected",
        value: |outcome, units| {
            limit(
                &outcome.numbers.to_detect,
                |limit| limit.substeps,
                ("", units),
            )
        },
    },
    ComparisonRow {
        name: "speed to be held",
        help: "Greatest with this dt and these substeps",
        value: |outcome, units| {
            limit(
                &outcome.numbers.to_resolve,
                |limit| limit.speed,
                ("m/s", units),
            )
        },
    },
    ComparisonRow {
        name: "speed to be detected",
        help: "Greatest with this dt and these substeps",
        value: |outcome, units| {
            limit(
                &outcome.numbers.to_detect,
                |limit| limit.speed,
                ("m/s", units),
            )
        },
    },
    ComparisonRow {
        name: "dt to be held",
        help: "Longest at this speed and with these substeps",
        value: |outcome, units| limit(&outcome.numbers.to_resolve, |limit| limit.dt, ("s", units)),
    },
    ComparisonRow {
        name: "dt to be detected",
        help: "Longest at this speed and with these substeps",
        value: |outcome, units| limit(&outcome.numbers.to_detect, |limit| limit.dt, ("s", units)),
    },
    ComparisonRow {
        name: "thickness to be held",
        help: "Least for a step of this length",
        value: |outcome, units| {
            limit(
                &outcome.numbers.to_resolve,
                |limit| limit.thickness,
                ("m", units),
            )
        },
    },
    ComparisonRow {
        name: "thickness to be detected",
        help: "Least for a step of this length",
        value: |outcome, units| {
            limit(
                &outcome.numbers.to_detect,
                |limit| limit.thickness,
                ("m", units),
            )
        },
    },
];

/// The values and every row, before and after. `after` is `None` where the changed shapes overlap from the start.
pub fn comparison_text(
    title: &str,
    before: &WhatIfOutcome,
    values: &Values,
    after: Option<&WhatIfOutcome>,
    units: UserUnits,
) -> String {
    let mut text = format!("What if: {title}\n");
    let rows = [
        ("dt", "s", |values: &Values| values.dt),
        ("substeps", "", |values: &Values| f64::from(values.substeps)),
        ("speed", "m/s", |values: &Values| values.speed),
        ("radius", "m", |values: &Values| values.radius),
        ("thickness", "m", |values: &Values| values.thickness),
        ("phase", "", |values: &Values| values.phase),
    ] as [(&str, &'static str, fn(&Values) -> f64); 6];
    for (name, unit, of) in rows {
        let [old, new] = [&before.values, values].map(|one| units.text(of(one), unit));
        let _ = writeln!(text, "  {name}: {old} -> {new}");
    }
    for row in ROWS {
        let new = after.map_or_else(
            || "does not fit".to_owned(),
            |after| row.value(after, units),
        );
        let _ = writeln!(
            text,
            "  {}: {} -> {new}",
            row.name,
            row.value(before, units)
        );
    }
    text
}
