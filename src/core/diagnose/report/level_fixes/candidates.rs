//! Changes that are worth a test on all findings, chosen by the values that the findings carry.

use super::{LEAST, TESTED};
use crate::core::diagnose::fix::Quantity;
use crate::core::diagnose::report::level_fix::ALL;
use crate::core::replay::ObjectId;
use crate::core::scene::Objects;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The quantities of rows, the first before the others where they fix as many: from what costs nothing but time to what changes the game.
pub(in crate::core::diagnose) const QUANTITIES: [Quantity; 7] = [
    Quantity::ContinuousDetection,
    Quantity::Substeps,
    Quantity::MaxDt,
    Quantity::MinThickness,
    Quantity::MaxSpeed,
    Quantity::MaxClosingSpeed,
    Quantity::MinRadius,
];

/// Share of the findings that a doubling of a change must fix in addition to be worth it (no unit).
///
/// Larger, and a few more substeps for a quarter of the findings are not offered; smaller, and one extreme finding sets the value.
const WORTH: f64 = 0.1;

/// Share of the findings that a row must fix more than the smaller change of the same quantity (no unit).
///
/// Larger, and the last few are not offered; smaller, and two rows are nearly one.
const MORE: f64 = 0.05;

/// Objects by group: those whose names differ in their last number alone.
pub(in crate::core::diagnose) struct Scopes {
    /// By object.
    groups: Vec<usize>,
    /// By group: the pattern.
    patterns: Vec<String>,
    names: Vec<String>,
}

impl Scopes {
    pub fn of(objects: &Objects) -> Self {
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let mut patterns = Vec::new();
        let groups = objects.iter().map(|object| {
            let pattern = name_pattern(&object.name);
            *known.entry(pattern).or_insert_with_key(|pattern| {
                patterns.push(pattern.clone());
                patterns.len() - 1
            })
        });
        Self {
            groups: groups.collect(),
            patterns,
            names: objects.iter().map(|object| object.name.clone()).collect(),
        }
    }

    pub fn group(&self, object: ObjectId) -> Option<usize> {
        self.groups.get(object as usize).copied()
    }

    /// The objects of a candidate, as a name or a pattern.
    pub fn name(&self, candidate: &Candidate) -> String {
        match candidate.scope {
            Scope::Level => String::new(),
            Scope::All => ALL.to_owned(),
            Scope::Group(group) => match candidate.only {
                Some(object) => self.names.get(object as usize),
                None => self.patterns.get(group),
            }
            .cloned()
            .unwrap_or_default(),
        }
    }
}

/// A name with a star in place of its last number: `ball *` for `ball 12`, `crate (*)` for `crate (3)`. A bare number is no group.
pub fn name_pattern(name: &str) -> String {
    let is_digit = |c: char| c.is_ascii_digit();
    let Some(last) = name.rfind(is_digit) else {
        return name.to_owned();
    };
    let (stem, rest) = (name[..last].trim_end_matches(is_digit), &name[last + 1..]);
    match stem.is_empty() && rest.is_empty() {
        true => name.to_owned(),
        false => format!("{stem}*{rest}"),
    }
}

/// Objects that a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::core::diagnose) enum Scope {
    Level,
    Group(usize),
    /// Every moving body.
    All,
}

/// A change that may fix a finding, by the finding's own numbers.
#[derive(Clone, Copy, Debug)]
pub(in crate::core::diagnose) struct PossibleFix {
    pub what: Quantity,
    /// The object to change; `None` for a setting of the level.
    pub object: Option<(ObjectId, usize)>,
    /// The value from which on the finding is held; `None` for what is switched on.
    pub value: Option<f64>,
}

impl PossibleFix {
    pub fn scope(&self) -> Scope {
        self.object
            .map_or(Scope::Level, |(_, group)| Scope::Group(group))
    }
}

/// A change to test on all findings.
#[derive(Clone, Copy, Debug)]
pub(in crate::core::diagnose) struct Candidate {
    pub what: Quantity,
    pub value: Option<f64>,
    pub scope: Scope,
    /// The one object of the scope with a finding.
    only: Option<ObjectId>,
}

impl Candidate {
    pub fn is_about(&self, fix: &PossibleFix) -> bool {
        self.what == fix.what && (self.scope == Scope::All || self.scope == fix.scope())
    }
}

/// The possible of one quantity and scope.
#[derive(Default)]
struct Pool {
    /// One for each finding.
    values: Vec<Option<f64>>,
    object: Option<ObjectId>,
    has_several: bool,
}

impl Pool {
    fn add(&mut self, fix: &PossibleFix) {
        self.values.push(fix.value);
        let object = fix.object.map(|(object, _)| object);
        self.has_several |= self.values.len() > 1 && self.object != object;
        self.object = object;
    }

    fn only(&self) -> Option<ObjectId> {
        self.object.filter(|_| !self.has_several)
    }
}

/// At most [`MOST`](super::MOST) changes, those of the quantities that can fix most; of a quantity the smaller change comes first.
pub(in crate::core::diagnose) fn choose<'t>(
    possible: impl Iterator<Item = &'t PossibleFix>,
) -> Vec<Candidate> {
    let mut pools: BTreeMap<(Quantity, Scope), Pool> = BTreeMap::new();
    for fix in possible {
        let mut add = |scope| pools.entry((fix.what, scope)).or_default().add(fix);
        add(fix.scope());
        if fix.what == Quantity::ContinuousDetection {
            add(Scope::All);
        }
    }
    let mut of_quantities: Vec<Vec<(usize, Candidate)>> = QUANTITIES
        .iter()
        .map(|what| of_quantity(*what, &pools))
        .collect();
    // Stable: equals stay in the order of the quantities.
    of_quantities.sort_by_key(|rows| Reverse(rows.iter().map(|(fixed, _)| *fixed).max()));
    let (mut chosen, mut tested) = (Vec::new(), 0);
    for (_, candidate) in of_quantities.into_iter().flatten() {
        tested += usize::from(candidate.value.is_some());
        if candidate.value.is_none() || tested <= TESTED {
            chosen.push(candidate);
        }
    }
    chosen
}

/// The rows of a quantity, each with the number of findings that it fixes by their own account: those of the group with the most
/// findings, and of all moving bodies.
fn of_quantity(
    what: Quantity,
    pools: &BTreeMap<(Quantity, Scope), Pool>,
) -> Vec<(usize, Candidate)> {
    let of_quantity = pools.iter().filter(|((other, _), _)| *other == what);
    let (all, groups): (Vec<_>, Vec<_>) =
        of_quantity.partition(|((_, scope), _)| *scope == Scope::All);
    // The first of equals.
    let largest = groups
        .into_iter()
        .rev()
        .max_by_key(|(_, pool)| pool.values.len());
    let mut rows = Vec::new();
    for ((_, scope), pool) in largest.into_iter().chain(all) {
        for (fixed, value) in steps(what, pool) {
            let candidate = Candidate {
                what,
                value,
                scope: *scope,
                only: pool.only(),
            };
            rows.push((fixed, candidate));
        }
    }
    rows.retain(|(fixed, _)| *fixed >= LEAST);
    rows
}

/// The values of a pool that are worth a row, rising, each with the number of its findings that are held by their own account.
///
/// One value: from where on a doubling fixes too little more. Of substeps also the least that hold half, and those that hold all.
fn steps(what: Quantity, pool: &Pool) -> Vec<(usize, Option<f64>)> {
    // As the factor by which the quantity changes.
    let factor = |value: f64| if what.is_most() { 1.0 / value } else { value };
    let mut values: Vec<f64> = pool.values.iter().copied().flatten().collect();
    values.sort_by(|x, y| factor(*x).total_cmp(&factor(*y)));
    let Some((&weakest, &strongest)) = values.first().zip(values.last()) else {
        return vec![(pool.values.len(), None)];
    };
    let held = |value: f64| values.partition_point(|other| factor(*other) <= factor(value));
    let score = |value: &f64| {
        let doublings = (factor(*value) / factor(weakest)).log2();
        held(*value) as f64 / values.len() as f64 - WORTH * doublings
    };
    let knee = values.iter().copied().reduce(|best, next| {
        if score(&next) > score(&best) {
            next
        } else {
            best
        }
    });
    let knee = knee.unwrap_or(weakest);
    let half = values[(values.len() - 1) / 2];
    let mut steps = vec![(held(knee), knee)];
    if what == Quantity::Substeps {
        steps.insert(0, (held(half), half));
        steps.push((held(strongest), strongest));
        // The knee may be below the half.
        steps.sort_by_key(|(fixed, _)| *fixed);
        let few = MORE * values.len() as f64;
        steps.dedup_by(|next, step| ((next.0 - step.0) as f64) < few);
    }
    let steps = steps.into_iter();
    steps.map(|(fixed, value)| (fixed, Some(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_their_last_number_are_one_pattern() {
        for (name, wanted) in [
            ("ball 12", "ball *"),
            ("ball_07", "ball_*"),
            ("crate (3)", "crate (*)"),
            ("level 2 ball 12", "level 2 ball *"),
            ("wall", "wall"),
            ("7", "7"),
            ("größe 3 é", "größe * é"),
        ] {
            assert_eq!(name_pattern(name), wanted);
        }
    }

    fn pool(counts: &[(f64, usize)]) -> Pool {
        let values = counts
            .iter()
            .flat_map(|(value, count)| vec![Some(*value); *count]);
        Pool {
            values: values.collect(),
            ..Pool::default()
        }
    }

    /// 41 of 80 are held by 4 substeps or fewer; 9 hold 35 more, 1.2 doublings later; 122 hold four more.
    #[test]
    fn substeps_that_hold_half_nearly_all_and_all() {
        let pool = pool(&[(122.0, 4), (4.0, 31), (2.0, 10), (9.0, 35)]);
        assert_eq!(
            steps(Quantity::Substeps, &pool),
            [(41, Some(4.0)), (76, Some(9.0)), (80, Some(122.0))]
        );
    }

    /// From 20 to 18 m/s is no doubling; from 18 to 1 m/s are four, for one more.
    #[test]
    fn one_slow_finding_does_not_set_the_speed_of_all() {
        let pool = pool(&[(20.0, 5), (1.0, 1), (18.0, 5)]);
        assert_eq!(steps(Quantity::MaxSpeed, &pool), [(10, Some(18.0))]);
    }
}
