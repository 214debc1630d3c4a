//! Reports as JUnit XML: a suite per file, a case per check.
//!
//! The checks: the file can be read, it has no finding of each kind, and each expectation of the scene. Expected and
//! known findings do not fail their case; a check that was not run is skipped.

use super::safe::safe_xml;
use super::{Checked, FailOn};
use crate::core::diagnose::{ExpectationResult, Finding, Kind, Report, Verdict};
use crate::core::number::number;
use crate::core::problem::Problems;
use crate::core::scene::UserUnits;
use quick_junit::{NonSuccessKind, Report as Xml, TestCase, TestCaseStatus, TestSuite, XmlString};
use std::fmt::Write as _;
use std::time::Duration;

/// Limit of findings written in one case.
const LONGEST_LIST: usize = 50;

/// The document; `None` when it cannot be written.
pub fn junit(results: &[Checked], fail_on: &FailOn) -> Option<String> {
    let mut document = Xml::new("hitstop");
    for result in results {
        let file = result.file.display().to_string();
        document.add_test_suite(match &result.outcome {
            Ok(report) => suite(&file, report, fail_on),
            Err(problems) => unreadable(&file, problems),
        });
    }
    // The sum of skipped cases is an extension that common schemas do not have.
    let extension = format!(" skipped=\"{}\"", document.skipped);
    let text = document.to_string().ok()?.replacen(&extension, "", 1);
    Some(safe_xml(&text).into_owned())
}

fn suite(file: &str, report: &Report, fail_on: &FailOn) -> TestSuite {
    let mut suite = TestSuite::new(xml(file));
    if let Some(seconds) = report.seconds.filter(|seconds| seconds.is_finite()) {
        suite.set_time(Duration::from_secs_f64(seconds.max(0.0)));
    }
    for kind in Kind::ALL {
        suite.add_test_case(of_kind(file, kind, report, fail_on));
    }
    for expectation in &report.expectations {
        suite.add_test_case(of_expectation(file, expectation));
    }
    if !report.notices.is_empty() {
        suite.set_system_err(xml(&report.notices.join("\n")));
    }
    suite
}

fn unreadable(file: &str, problems: &Problems) -> TestSuite {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    let first = problems.0.first().map(ToString::to_string);
    status
        .set_type("input")
        .set_message(xml(&first.unwrap_or_default()))
        .set_description(xml(&problems.to_string()));
    let mut suite = TestSuite::new(xml(file));
    suite.add_test_case(case(file, "it can be read", status));
    suite
}

fn case(file: &str, name: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(xml(name), status);
    case.set_classname(xml(file));
    case.extra.insert(xml("file"), xml(file));
    case
}

/// The case for a kind of finding.
fn of_kind(file: &str, kind: Kind, report: &Report, fail_on: &FailOn) -> TestCase {
    let name = format!("no {}", kind.name());
    let of_kind = || report.findings.iter().filter(|one| one.kind == kind);
    let new: Vec<&Finding> = of_kind().filter(|one| !one.is_accepted()).collect();
    // None of those that are not listed is expected or known.
    let beyond = report.findings.of_kind(kind) - of_kind().count();
    if new.is_empty() && beyond == 0 {
        let accepted: Vec<&Finding> = of_kind().collect();
        let mut case = case(file, &name, TestCaseStatus::success());
        if !accepted.is_empty() {
            case.set_system_out(xml(&list(&accepted, report.units)));
        }
        return case;
    }
    let headline = match &new[..] {
        [one] if beyond == 0 => one.text.clone(),
        [one, more @ ..] => format!("{} (and {} more)", one.text, more.len() + beyond),
        [] => format!("{beyond} findings that are not listed"),
    };
    if fail_on.kinds.contains(&kind) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status
            .set_type(kind.name())
            .set_message(xml(&headline))
            .set_description(xml(&list(&new, report.units)));
        return case(file, &name, status);
    }
    // Found, but the kind does not fail the run.
    let mut status = TestCaseStatus::skipped();
    let text = format!(
        "--fail-on leaves this kind out\n{}",
        list(&new, report.units)
    );
    status.set_description(xml(&text));
    case(file, &name, status)
}

fn of_expectation(file: &str, expectation: &ExpectationResult) -> TestCase {
    let ExpectationResult {
        text, wanted, got, ..
    } = expectation;
    let why = expectation.expected_to_fail.as_deref().unwrap_or_default();
    let failure = |kind: &str, message: String| {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status
            .set_type(kind)
            .set_message(xml(&message))
            .set_description(xml(&format!("expected: {wanted}\ngot:      {got}")));
        status
    };
    let skipped = |text: String| {
        let mut status = TestCaseStatus::skipped();
        status.set_description(xml(&text));
        status
    };
    let status = match expectation.verdict {
        Verdict::Held => TestCaseStatus::success(),
        Verdict::Failed => failure("expectation", format!("expected: {wanted}; got: {got}")),
        Verdict::HeldUnexpectedly => failure(
            "held-unexpectedly",
            format!("it holds, but was expected to fail: {why}"),
        ),
        Verdict::FailedAsExpected => skipped(format!(
            "expected to fail: {why}\nexpected: {wanted}\ngot:      {got}"
        )),
        Verdict::NotJudged => skipped(got.clone()),
    };
    case(file, text, status)
}

/// Findings with their numbers.
fn list(findings: &[&Finding], units: UserUnits) -> String {
    let mut text = String::new();
    for finding in findings.iter().take(LONGEST_LIST) {
        let accepted = match (finding.expected, finding.known) {
            (true, _) => " (expected)",
            (_, true) => " (known)",
            _ => "",
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{} at {}, {:.4} s: {} {}{accepted}: {}",
            finding.frames(),
            number(finding.fraction),
            finding.time,
            finding.cause.id(),
            finding.cause.title(),
            finding.text
        );
        let fixes: Vec<String> = finding.fixes.iter().map(|fix| fix.text(units)).collect();
        if !fixes.is_empty() {
            let _ = writeln!(text, "  fix: {}", fixes.join(" · "));
        }
    }
    if let Some(more) = findings.len().checked_sub(LONGEST_LIST + 1) {
        let _ = writeln!(text, "and {} more", more + 1);
    }
    text
}

/// Text without the characters that XML cannot hold.
fn xml(text: &str) -> XmlString {
    let allowed = |c: char| {
        let control = c < ' ' && !matches!(c, '\t' | '\n' | '\r');
        !control && !matches!(c, '\u{FFFE}' | '\u{FFFF}')
    };
    let text: String = text
        .chars()
        .map(|c| if allowed(c) { c } else { '\u{FFFD}' })
        .collect();
    XmlString::new(text)
}
