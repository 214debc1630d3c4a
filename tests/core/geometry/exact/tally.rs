//! What a table has seen, and what it held against the oracle.

use super::oracle::{Way, dot, minus, power_of, whole, whole_vector};
use super::random::Case;
use crate::common::rounds;
use glam::DVec3;
use hitstop::core::query::{Contact, SweepOutcome};
use hitstop::core::shape::Sphere;
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How often each outcome was seen, and how many times of impact were held to 1e-9.
#[derive(Default)]
pub struct Tally {
    pub outcomes: BTreeMap<&'static str, u32>,
    pub times: u32,
    pub wrong: Vec<String>,
}

impl Tally {
    pub fn outcome(&mut self, what: &str, got: &SweepOutcome, expected: &'static str) {
        *self.outcomes.entry(expected).or_default() += 1;
        if got.name() != expected {
            self.wrong
                .push(format!("{what}: {got:?}, but it {expected}"));
        }
        match *got {
            SweepOutcome::Overlapping { depth } => assert!(depth > 0.0, "{what}: {depth}"),
            SweepOutcome::Misses { by, .. } => assert!(by > 0.0, "{what}: {by}"),
            _ => {}
        }
    }

    pub fn yes(&mut self, what: &str, got: bool, expected: bool) {
        if got != expected {
            self.wrong.push(format!("{what}: {got}, but {expected}"));
        }
    }

    pub fn contact(&mut self, what: &str, got: Option<Contact>, distance: Ordering) {
        let right = match got {
            None => distance == Ordering::Greater,
            Some(contact) if contact.depth == 0.0 => distance == Ordering::Equal,
            Some(contact) => contact.depth > 0.0 && distance == Ordering::Less,
        };
        if !right {
            let depth = got.map(|contact| contact.depth);
            self.wrong.push(format!(
                "{what}: contact {depth:?}, but the distance is {distance:?}"
            ));
        }
    }

    /// `size` is the pair's largest length, `gap` the gap at the start, both in metres.
    pub fn time(
        &mut self,
        what: &str,
        got: &SweepOutcome,
        step: DVec3,
        gap: f64,
        size: f64,
        exact: Option<f64>,
    ) {
        let (Some(impact), Some(exact)) = (got.impact(), exact) else {
            return;
        };
        let closing = -impact.normal.dot(step);
        if gap < 1e-5 * size || closing < 1e-3 * step.length() || exact < 1e-6 {
            return;
        }
        self.times += 1;
        let off = (impact.fraction - exact).abs();
        if off > 1e-9 * exact {
            self.wrong
                .push(format!("{what}: at {}, but it is {exact}", impact.fraction));
        }
    }

    /// The same of a way past corners, whose gap at the start comes from the oracle too.
    pub fn way_time(
        &mut self,
        what: &str,
        got: &SweepOutcome,
        way: &Way,
        step: DVec3,
        sizes: [f64; 2],
    ) {
        let [radii, size] = sizes;
        let nearest = super::oracle::nearest(&way.corners);
        let over = dot(&nearest.over, &nearest.over);
        let under = &nearest.under * &nearest.under;
        // A well conditioned gap survives this division; one that does not is nearly nothing.
        let gap = (to_f64(&over) / to_f64(&under)).sqrt() / to_f64(&way.reach) - 1.0;
        self.time(what, got, step, gap * radii, size, way.time());
    }

    #[track_caller]
    pub fn check(self, least: &[(&str, u32)], times: u32) {
        let wrong = self.wrong.len();
        assert!(
            wrong == 0,
            "{wrong} wrong, as {:#?}",
            &self.wrong[..wrong.min(12)]
        );
        for (name, count) in least {
            let seen = self.outcomes.get(name).copied().unwrap_or(0);
            assert!(
                seen >= rounds(*count),
                "{name} seen {seen} times: {:?}",
                self.outcomes
            );
        }
        assert!(self.times >= rounds(times), "{} times", self.times);
    }
}

/// How often a full run of a table must see each outcome at least.
pub const MIX: [(&str, u32); 6] = [
    ("Overlapping", 100),
    ("Receding", 100),
    ("Later", 20),
    ("Misses", 100),
    ("Grazes", 20),
    ("Hits", 200),
];

pub fn way_of(case: &Case) -> Way {
    let all = case
        .corners
        .iter()
        .chain([&case.center, &case.displacement, &case.other]);
    let power = power_of(all.flat_map(|v| v.to_array()).chain(case.radii));
    let vector = |v: DVec3| whole_vector(v, power);
    Way {
        corners: case
            .corners
            .iter()
            .map(|&c| minus(&vector(c), &vector(case.center)))
            .collect(),
        step: minus(&vector(case.displacement), &vector(case.other)),
        reach: whole(case.radii[0], power) + whole(case.radii[1], power),
    }
}

pub fn sphere_of(case: &Case) -> Sphere {
    Sphere {
        center: case.center,
        radius: case.radii[0],
    }
}

pub fn size_of(case: &Case) -> f64 {
    let step = case.displacement - case.other;
    let corners = case.corners.iter().map(|&c| (c - case.center).length());
    corners.fold(step.length().max(case.radii[0] + case.radii[1]), f64::max)
}

/// Good to about 1e-15; beyond the range of `f64` infinite, which no well conditioned case is.
pub fn to_f64(value: &BigInt) -> f64 {
    value.to_string().parse().unwrap_or(f64::INFINITY)
}
