//! Reading findings.

use hitstop::core::diagnose::{Cause, Finding, Fix, Report};

/// A number of the evidence.
#[track_caller]
pub fn evidence(finding: &Finding, name: &str) -> f64 {
    let found = finding.evidence.iter().find(|(key, _)| key.name() == name);
    found
        .unwrap_or_else(|| panic!("no {name} in {:?}", finding.evidence))
        .1
}

/// Suggested values stay a thousandth below a limit.
pub const SAFE: f64 = 0.999;

/// The value from which a fix holds.
#[track_caller]
pub fn fix(finding: &Finding, what: &str) -> f64 {
    fix_of(finding, what).holds.expect("a value holds")
}

/// The value from which it is only detected.
#[track_caller]
pub fn detected(finding: &Finding, what: &str) -> f64 {
    fix_of(finding, what).detects.expect("a value detects it")
}

#[track_caller]
fn fix_of<'f>(finding: &'f Finding, what: &str) -> &'f Fix {
    let found = finding.fixes.iter().find(|fix| fix.what.name() == what);
    found.unwrap_or_else(|| panic!("no {what} in {:?}", finding.fixes))
}

/// The only finding with this first cause.
#[track_caller]
pub fn headline(report: &Report, cause: Cause) -> &Finding {
    let findings = report.findings.iter();
    let mut headed = findings.filter(|finding| finding.cause == cause);
    let found = headed.next();
    let found = found.unwrap_or_else(|| panic!("no {} in {:#?}", cause.id(), report.findings));
    assert_eq!(headed.count(), 0, "{:#?}", report.findings);
    found
}

#[track_caller]
pub fn close(got: f64, want: f64, tolerance: f64) {
    assert!(
        (got - want).abs() <= tolerance,
        "got {got}, expected {want} within {tolerance}"
    );
}
