//! A report for people.

use super::FailOn;
use crate::core::diagnose::{Finding, Report};
use anstyle::{AnsiColor, Style};
use std::fmt::Write as _;

const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const CALM: Style = AnsiColor::Yellow.on_default().bold();
const TITLE: Style = Style::new().bold();
const WEAK: Style = Style::new().dimmed();

/// Findings written in full before the rest is counted: a level that is wrong everywhere needs no ten thousand rows.
const LONGEST_LIST: usize = 200;

/// The report of one file, colours included (the stream takes them out where they do not belong).
pub fn text(report: &Report, fail_on: &FailOn) -> String {
    let mut out = String::new();
    let Report {
        file,
        name,
        frames,
        objects,
        ..
    } = report;
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{TITLE}{file}{TITLE:#}  {WEAK}{name}: {} of {}{WEAK:#}",
        count(u64::from(*frames), "frame"),
        count(*objects as u64, "object")
    );
    for finding in report.findings.iter().take(LONGEST_LIST) {
        write_finding(&mut out, finding, fail_on.0.contains(&finding.kind));
    }
    if let Some(more) = report
        .findings
        .len()
        .checked_sub(LONGEST_LIST)
        .filter(|&more| more > 0)
    {
        let _ = writeln!(
            out,
            "\n  … and {} more; --format json lists them all",
            count(more as u64, "finding")
        );
    }
    if !report.expectations.is_empty() {
        let _ = writeln!(out);
    }
    for expectation in &report.expectations {
        if expectation.passed {
            let _ = writeln!(out, "  {GOOD}ok{GOOD:#}    {}", expectation.text);
        } else {
            let _ = writeln!(out, "  {BAD}FAIL{BAD:#}  {}", expectation.text);
            let _ = writeln!(out, "        wanted: {}", expectation.text);
            let _ = writeln!(out, "        got:    {}", expectation.got);
        }
    }
    let _ = writeln!(out, "{}", summary(report));
    out
}

fn write_finding(out: &mut String, finding: &Finding, fails: bool) {
    let style = if finding.expected || !fails {
        CALM
    } else {
        BAD
    };
    let pair = match finding.b.as_str() {
        "" => finding.a.clone(),
        b => format!("{} → {b}", finding.a),
    };
    let frames = match finding.last_frame - finding.frame {
        0 => format!("frame {}", finding.frame),
        _ => format!("frames {} to {}", finding.frame, finding.last_frame),
    };
    let expected = if finding.expected { "  (expected)" } else { "" };
    let _ = writeln!(
        out,
        "\n  {style}{}{style:#}  {TITLE}{pair}{TITLE:#}{expected}",
        finding.kind.name()
    );
    let _ = writeln!(
        out,
        "    {WEAK}{frames} at {:.4}, {:.4} s · {} {}{WEAK:#}",
        finding.fraction,
        finding.time,
        finding.cause.id(),
        finding.cause.title()
    );
    let _ = writeln!(out, "    {}", finding.text);
    let also: Vec<_> = finding
        .also
        .iter()
        .map(|cause| format!("{} {}", cause.id(), cause.title()))
        .collect();
    for (label, list) in [
        ("also ", also),
        (
            "proof",
            finding
                .evidence
                .iter()
                .map(|(name, value)| format!("{name} {}", short(*value)))
                .collect(),
        ),
        (
            "mend ",
            finding
                .fixes
                .iter()
                .map(|fix| format!("{} {} {}", fix.what, short(fix.value), fix.unit))
                .collect(),
        ),
    ] {
        if !list.is_empty() {
            let items: Vec<_> = list.iter().map(|item| item.trim_end()).collect();
            let _ = writeln!(out, "    {WEAK}{label}{WEAK:#}  {}", items.join(" · "));
        }
    }
    if finding.via_bounding_sphere {
        let _ = writeln!(
            out,
            "    {WEAK}via bounding sphere: one of the shapes has no exact sweep{WEAK:#}"
        );
    }
}

fn summary(report: &Report) -> String {
    let findings = report.findings.len();
    let expected = report
        .findings
        .iter()
        .filter(|finding| finding.expected)
        .count();
    let failed = report
        .expectations
        .iter()
        .filter(|expectation| !expectation.passed)
        .count();
    let mut parts = vec![match (findings, expected) {
        (0, _) => "nothing found".to_owned(),
        (_, 0) => count(findings as u64, "finding"),
        _ => format!("{}, {expected} expected", count(findings as u64, "finding")),
    }];
    if failed > 0 {
        parts.push(format!(
            "{} of {} failed",
            failed,
            count(report.expectations.len() as u64, "expectation")
        ));
    } else if !report.expectations.is_empty() {
        parts.push(format!(
            "{} held",
            count(report.expectations.len() as u64, "expectation")
        ));
    }
    let style = if failed > 0 || findings > expected {
        BAD
    } else {
        GOOD
    };
    let swept = count(report.pairs_swept, "sweep");
    format!(
        "\n  {style}{}{style:#}  {WEAK}{swept}, {:.2} s{WEAK:#}\n",
        parts.join("; "),
        report.seconds
    )
}

fn count(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

/// Four significant digits, without the zeros behind.
fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let exponent = value.abs().log10().floor();
    if !(-4.0..6.0).contains(&exponent) {
        return format!("{value:.3e}");
    }
    let decimals = (3.0 - exponent).max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_short_and_keep_four_digits() {
        for (value, wanted) in [
            (0.0, "0"),
            (6.666_666, "6.667"),
            (0.11, "0.11"),
            (61.0, "61"),
            (-0.000_5, "-0.0005"),
            (123_456.7, "123457"),
            (1e7, "1.000e7"),
            (2e-9, "2.000e-9"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(short(value), wanted, "{value}");
        }
    }
}
