//! The rows of a table, and their comparison with the oracle.

use super::oracle::{SpherePath, Truth, minus, power_of, unit, whole, whole_vector};
use super::random::Case;
use crate::common::rounds;
use glam::DVec3;
use hitstop::core::query::{BOUND_ULPS, Contact, SweepOutcome};
use hitstop::core::shape::Sphere;
use std::collections::BTreeMap;

/// Number of rows of each verdict, and of times of impact compared to 1e-9.
#[derive(Default)]
pub struct Stats {
    verdicts: BTreeMap<&'static str, u32>,
    rows: u32,
    times: u32,
    wrong: Vec<String>,
}

/// The error bound of a query on numbers of a size, metres.
pub fn bound_of(largest: f64) -> f64 {
    BOUND_ULPS * f64::EPSILON * largest
}

/// Metres on both sides of zero within which the oracle does not decide: four bounds of the largest number.
pub fn tolerance_of(points: impl IntoIterator<Item = DVec3>, radii: f64) -> f64 {
    let largest = points
        .into_iter()
        .map(|point| point.abs().max_element())
        .fold(0.0, f64::max);
    4.0 * bound_of(largest + radii)
}

impl Stats {
    fn hold(&mut self, right: bool, what: impl FnOnce() -> String) {
        if !right {
            self.wrong.push(what());
        }
    }

    /// A sweep; `step` is the displacement of the first relative to the second.
    pub fn sweep(
        &mut self,
        what: &str,
        got: &SweepOutcome,
        truth: &Truth,
        tolerance: f64,
        (step, time): (DVec3, impl FnOnce() -> Option<f64>),
    ) {
        let verdict = truth.verdict(tolerance);
        self.rows += 1;
        *self.verdicts.entry(verdict).or_default() += 1;
        let right = match (verdict, got) {
            ("Overlapping", SweepOutcome::Overlapping { depth }) => {
                *depth >= -truth.start - tolerance
            }
            ("Hits", SweepOutcome::Hits(_)) | ("Misses", SweepOutcome::Misses) => true,
            ("Touches", got) => got.touches(),
            ("Near", SweepOutcome::Overlapping { .. }) => truth.start <= tolerance,
            ("Near", _) => true,
            _ => false,
        };
        self.hold(right, || {
            format!("{what}: {got:?}, but it {verdict}: {truth:?} within {tolerance}")
        });
        let (SweepOutcome::Hits(impact), "Hits") = (got, verdict) else {
            return;
        };
        let Some(exact) = time() else { return };
        self.times += 1;
        let closing = -impact.normal.dot(step);
        let off = (impact.fraction - exact).abs();
        self.hold(off <= 1e-9 + 4.0 * tolerance / closing.abs(), || {
            format!(
                "{what}: at {}, but it is {exact}, closing by {closing}, {truth:?}",
                impact.fraction
            )
        });
    }

    /// `distance` is signed, metres.
    pub fn contact(&mut self, what: &str, got: Option<Contact>, distance: f64, tolerance: f64) {
        let right = match got {
            None => distance >= -tolerance,
            Some(contact) => distance <= tolerance && contact.depth >= -distance - tolerance,
        };
        self.hold(right, || {
            let depth = got.map(|contact| contact.depth);
            format!("{what}: contact {depth:?}, but the distance is {distance}")
        });
    }

    /// `near` is the allowed fraction of rows too close to call.
    #[track_caller]
    pub fn check(self, least: &[(&str, u32)], times: u32, near: f64) {
        let wrong = self.wrong.len();
        assert!(
            wrong == 0,
            "{wrong} of {} wrong, as {:#?}",
            self.rows,
            &self.wrong[..wrong.min(12)]
        );
        let count = |name: &str| self.verdicts.get(name).copied().unwrap_or(0);
        for (name, least) in least {
            assert!(count(name) >= rounds(*least), "{name}: {:?}", self.verdicts);
        }
        assert!(self.times >= rounds(times), "{} times", self.times);
        let fraction = f64::from(count("Near")) / f64::from(self.rows);
        assert!(fraction <= near, "too close to call: {:?}", self.verdicts);
    }
}

/// How many rows of each verdict a full run of a table must have at least.
pub const MIX: [(&str, u32); 3] = [("Overlapping", 100), ("Misses", 100), ("Hits", 200)];

pub fn path_of(case: &Case) -> SpherePath {
    let all = case
        .corners
        .iter()
        .chain([&case.center, &case.displacement, &case.other]);
    let power = power_of(all.flat_map(|v| v.to_array()).chain(case.radii));
    let vector = |v: DVec3| whole_vector(v, power);
    SpherePath {
        corners: case
            .corners
            .iter()
            .map(|&c| minus(&vector(c), &vector(case.center)))
            .collect(),
        step: minus(&vector(case.displacement), &vector(case.other)),
        radius_sum: whole(case.radii[0], power) + whole(case.radii[1], power),
        unit: unit(power),
    }
}

pub fn sphere_of(case: &Case) -> Sphere {
    Sphere {
        center: case.center,
        radius: case.radii[0],
    }
}

pub fn tolerance_of_case(case: &Case) -> f64 {
    let points = case.corners.iter().copied();
    let points = points.chain([case.center, case.displacement, case.other]);
    tolerance_of(points, case.radii[0] + case.radii[1])
}
