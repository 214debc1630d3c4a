//! A report for people.

use super::FailOn;
use crate::core::diagnose::{Finding, Report};
use crate::core::number::number;
use anstyle::{AnsiColor, Style};
use std::fmt::Write as _;
use std::io::IsTerminal as _;

const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const CALM: Style = AnsiColor::Yellow.on_default().bold();
const TITLE: Style = Style::new().bold();
const WEAK: Style = Style::new().dimmed();

/// Columns of a report that goes to a file or another program.
const COLUMNS: usize = 100;
/// Columns of a report on a terminal, whatever its size: below, nothing fits; above, nobody reads lines.
const NARROWEST: usize = 40;
const WIDEST: usize = 120;
/// Holds words together on a line; written as a blank.
const TIE: &str = "\u{a0}";

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
    let columns = columns();
    *out += &wrapped(&finding.text, "    ", "", columns);
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
                .map(|(name, value)| format!("{name} {}", number(*value)))
                .collect(),
        ),
        (
            "mend ",
            finding
                .fixes
                .iter()
                .map(|fix| format!("{} {} {}", fix.what, number(fix.value), fix.unit))
                .collect(),
        ),
    ] {
        if !list.is_empty() {
            let items: Vec<_> = list
                .iter()
                .map(|item| item.trim_end().replace(' ', TIE))
                .collect();
            *out += &wrapped(&items.join(" · "), "    ", label, columns);
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

/// Columns to write in: the terminal's, or a fixed number where there is none.
fn columns() -> usize {
    if std::io::stdout().is_terminal() {
        textwrap::termwidth().clamp(NARROWEST, WIDEST)
    } else {
        COLUMNS
    }
}

/// Breaks text into lines behind an indent; `label` stands before the first, and every next one begins where the first one's
/// text does.
fn wrapped(text: &str, indent: &str, label: &str, columns: usize) -> String {
    let hanging = match label {
        "" => indent.to_owned(),
        label => " ".repeat(indent.len() + label.len() + 2),
    };
    let options = textwrap::Options::new(columns.saturating_sub(hanging.len()))
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    let lines = textwrap::wrap(text, options);
    let mut out = String::new();
    for (index, line) in lines.iter().enumerate() {
        let line = line.replace(TIE, " ");
        if index > 0 {
            let _ = writeln!(out, "{hanging}{line}");
        } else if label.is_empty() {
            let _ = writeln!(out, "{indent}{line}");
        } else {
            let _ = writeln!(out, "{indent}{WEAK}{label}{WEAK:#}  {line}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_hangs_below_its_beginning_and_keeps_its_words() {
        let text = "one two three four five";
        assert_eq!(
            wrapped(text, "  ", "", 12),
            "  one two\n  three four\n  five\n"
        );
        let list = format!("a{TIE}1 · b{TIE}22 · c{TIE}333");
        let plain = anstream::adapter::strip_str(&wrapped(&list, " ", "mend", 16)).to_string();
        assert_eq!(plain, " mend  a 1 ·\n       b 22 ·\n       c 333\n");
        assert_eq!(
            wrapped("unbreakable-however-long", "", "", 8),
            "unbreakable-however-long\n"
        );
    }
}
