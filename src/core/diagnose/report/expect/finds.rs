//! Expectations about findings.

use super::judge::at;
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::report::margins::Margins;
use crate::core::replay::Replay;
use crate::core::scene::Expectation;
use crate::core::scene::UserUnits;

/// Whether a finding matches a `Finds`; all matching findings are marked.
pub(in crate::core::diagnose) fn finds(
    replay: &Replay,
    expectation: &Expectation,
    findings: &mut [Finding],
) -> (bool, String) {
    let agreements = |finding: &Finding| agreements(replay, expectation, finding);
    let mut matched: Option<String> = None;
    let mut count = 0;
    for finding in findings
        .iter_mut()
        .filter(|finding| agreements(finding).into_iter().all(|agrees| agrees))
    {
        finding.expected = true;
        count += 1;
        matched.get_or_insert_with(|| brief(finding));
    }
    match matched {
        Some(first) if count > 1 => (true, format!("{first}, and {} more", count - 1)),
        Some(first) => (true, first),
        None => {
            let nearest = findings
                .iter()
                .max_by_key(|finding| likeness(agreements(finding), finding));
            (
                false,
                nearest.map_or("no findings".to_owned(), |near| {
                    format!("nearest is {}", brief(near))
                }),
            )
        }
    }
}

/// Which parts of a `Finds` match a finding: kind, cause (any of its causes), objects in either order, frame.
fn agreements(replay: &Replay, expectation: &Expectation, finding: &Finding) -> [bool; 4] {
    let Expectation::Finds {
        kind,
        cause,
        a,
        b,
        frame,
    } = expectation
    else {
        return [false; 4];
    };
    let has_cause =
        |id: &str| finding.cause.id() == id || finding.also.iter().any(|also| also.id() == id);
    let is =
        |wanted: &Option<String>, name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    // For a pile any two members match.
    let in_pile = |wanted: &Option<String>| {
        let id = wanted.as_deref().map(|name| replay.object_named(name));
        finding.pile.is_some() && id.is_none_or(|id| id.is_some_and(|id| finding.is_about(id)))
    };
    [
        finding.kind.name() == kind,
        cause.as_deref().is_none_or(has_cause),
        (is(a, &finding.a) && is(b, &finding.b))
            || (is(a, &finding.b) && is(b, &finding.a))
            || (in_pile(a) && in_pile(b)),
        frame.is_none_or(|frame| (finding.frame..=finding.last_frame).contains(&frame)),
    ]
}

/// Orders findings by similarity; earlier ones win ties.
fn likeness(agreements: [bool; 4], finding: &Finding) -> (usize, std::cmp::Reverse<u32>) {
    let agrees = agreements.into_iter().filter(|agrees| *agrees).count();
    (agrees, std::cmp::Reverse(finding.frame))
}

fn brief(finding: &Finding) -> String {
    let causes: Vec<&str> = std::iter::once(&finding.cause)
        .chain(&finding.also)
        .map(|cause| cause.id())
        .collect();
    let other = if finding.b.is_empty() {
        String::new()
    } else {
        format!(" and {}", finding.b)
    };
    format!(
        "{} ({}) of {}{other} in {}",
        finding.kind.name(),
        causes.join(", "),
        finding.a,
        at(finding.frame, finding.fraction)
    )
}

/// Whether there are no findings (of a kind). With `known`, existing ones are marked as expected.
pub(in crate::core::diagnose) fn no_findings(
    kind: Option<&str>,
    known: bool,
    findings: &mut [Finding],
) -> (bool, String) {
    let wanted = kind.and_then(Kind::from_name);
    let mut found = Vec::new();
    for finding in findings {
        if kind.is_none() || Some(finding.kind) == wanted {
            finding.expected |= known;
            found.push(&*finding);
        }
    }
    match found.split_first() {
        None => (true, "none".to_owned()),
        Some((first, more)) => {
            let more = more.len();
            let rest = if more > 0 {
                format!(", and {more} more")
            } else {
                String::new()
            };
            (false, format!("{}{rest}", brief(first)))
        }
    }
}

/// Whether every step stays below a share of its limit. A body that gets through took more, and is a finding.
pub(in crate::core::diagnose) fn margin(
    below: f64,
    findings: &[Finding],
    margins: Option<&Margins>,
    units: UserUnits,
) -> (bool, String) {
    if let Some(finding) = findings.iter().find(|one| one.kind.depends_on_phase()) {
        return (false, brief(finding));
    }
    let Some(margins) = margins else {
        return (false, "the steps were not measured".to_owned());
    };
    let got = match margins.pairs.first() {
        Some(closest) => closest.sentence(units),
        None => margins.sentence(units),
    };
    (margins.closest() < below, got)
}
