//! How two reports of the same level differ.

use super::changes::Same;
use hitstop::core::diagnose::{Finding, Kind, Report};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers are equal up to this part of the larger one, or this much near 0: what rounding at 1e5 m leaves of millimetres.
const RELATIVE: f64 = 1e-4;
const ABSOLUTE: f64 = 1e-6;

/// A share of 64 phases may differ by the one that is at a limit.
const SHARE: f64 = 0.02;

/// Numbers of one parameter of a shape: a mesh has no radius, and a hull no half width to try other values of.
const OF_SHAPE: [&str; 4] = ["min_thickness", "min_radius", "radius", "half_width"];

/// How much two reports differ: the first of these that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Differs {
    Findings,
    Causes,
    Evidence,
    Fixes,
}

/// Where and what.
type Place = (String, String, u32, &'static str);

/// The name of an object without the number of its part.
fn whole(name: &str) -> String {
    name.split('#').next().unwrap_or(name).to_owned()
}

/// The findings by place: several for the parts of one body.
fn places(report: &Report, same: Same) -> BTreeMap<Place, Vec<&Finding>> {
    let mut places: BTreeMap<Place, Vec<&Finding>> = BTreeMap::new();
    let counts = |finding: &&Finding| same != Same::ButOfLog || finding.kind != Kind::Phantom;
    for finding in report.findings.iter().filter(counts) {
        let (a, b) = (whole(&finding.a), whole(&finding.b));
        let place = (a, b, finding.frame, finding.kind.name());
        places.entry(place).or_default().push(finding);
    }
    places
}

/// The first difference, in words.
pub fn difference(before: &Report, after: &Report, same: Same) -> Option<(Differs, String)> {
    if same == Same::Events {
        return events(before, after);
    }
    let (before, after) = (places(before, same), places(after, same));
    if !before.keys().eq(after.keys()) {
        let keys = |all: &BTreeMap<Place, Vec<&Finding>>| {
            format!("{:?}", all.keys().collect::<Vec<&Place>>())
        };
        return Some((
            Differs::Findings,
            format!("{} became {}", keys(&before), keys(&after)),
        ));
    }
    let differs = |(place, before): (&Place, &Vec<&Finding>)| {
        // Each part has its own numbers: one of them has those of the whole.
        let pairs = before
            .iter()
            .flat_map(|one| after[place].iter().map(move |other| (*one, *other)));
        let differences: Option<Vec<(Differs, String)>> = pairs
            .map(|(one, other)| of_finding(one, other, same))
            .collect();
        let (differs, text) = differences?.into_iter().max()?;
        Some((differs, format!("{place:?}: {text}")))
    };
    before.iter().filter_map(differs).min()
}

/// A pair that passes in a frame passes in one of its halves, or later. What lasts for some states (`Sinks`, `Phantom`) may be found in one of the
/// two only, and an overlap in the middle of a frame is no `Clips`.
fn events(before: &Report, after: &Report) -> Option<(Differs, String)> {
    let pairs = |report: &Report, kinds: &[Kind]| -> BTreeSet<[String; 2]> {
        let of_kind = report
            .findings
            .iter()
            .filter(|one| kinds.contains(&one.kind));
        of_kind.map(|one| [whole(&one.a), whole(&one.b)]).collect()
    };
    let all = |report: &Report| pairs(report, &Kind::ALL);
    let sure = [Kind::Tunnels, Kind::WrongSide, Kind::StartsInside];
    let is_kept = pairs(before, &sure).is_subset(&all(after));
    let sure = [&sure[..], &[Kind::Clips]].concat();
    let is_known = pairs(after, &sure).is_subset(&all(before));
    let (before, after) = (all(before), all(after));
    (!is_kept || !is_known).then(|| (Differs::Findings, format!("{before:?} became {after:?}")))
}

fn of_finding(before: &Finding, after: &Finding, same: Same) -> Option<(Differs, String)> {
    let causes = |finding: &Finding| -> Vec<&'static str> {
        let also = finding.also.iter().copied();
        let causes = std::iter::once(finding.cause).chain(also);
        causes.map(|cause| cause.id()).collect()
    };
    if causes(before) != causes(after) {
        let text = format!("{:?} became {:?}", causes(before), causes(after));
        return Some((Differs::Causes, text));
    }
    let different = |before, after| first_different(before, after, same);
    let text = different(evidence(before), evidence(after)).map(|text| (Differs::Evidence, text));
    text.or_else(|| different(fixes(before), fixes(after)).map(|text| (Differs::Fixes, text)))
}

type Numbers = BTreeMap<String, f64>;

fn evidence(finding: &Finding) -> Numbers {
    let value =
        |(key, value): &(hitstop::core::diagnose::Key, f64)| (key.name().to_owned(), *value);
    finding.evidence.iter().map(value).collect()
}

/// Both values of each fix; one without a value is 0.
fn fixes(finding: &Finding) -> Numbers {
    let values = finding.fixes.iter().flat_map(|fix| {
        let name = fix.what.name();
        let one = (name.to_owned(), fix.holds.unwrap_or(0.0));
        [
            one,
            (format!("{name} detected"), fix.detects.unwrap_or(0.0)),
        ]
    });
    values.collect()
}

fn first_different(before: Numbers, after: Numbers, same: Same) -> Option<String> {
    let differs = |name: &&String| {
        let values = [before.get(*name), after.get(*name)].map(Option::<&f64>::copied);
        let shape = OF_SHAPE.contains(&name.trim_end_matches(" detected"));
        let is_left_out = same == Same::ButOfShape && shape && values.contains(&None);
        !is_left_out && !are_close(name, values[0], values[1])
    };
    let name = before.keys().chain(after.keys()).find(differs)?;
    Some(format!(
        "{name} {:?} became {:?}",
        before.get(name),
        after.get(name)
    ))
}

fn are_close(name: &str, one: Option<f64>, other: Option<f64>) -> bool {
    let (one, other) = match (one, other) {
        (Some(one), Some(other)) => (one, other),
        (one, other) => return one == other,
    };
    let absolute = if name.contains("share") {
        SHARE
    } else {
        ABSOLUTE
    };
    one == other || (one - other).abs() <= absolute.max(RELATIVE * one.abs().max(other.abs()))
}
