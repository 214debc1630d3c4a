//! Reports as text.

use crate::core::diagnose::{
    ExpectationResult, Finding, Group, Key, Report, Verdict, group_of_each, outside_sentence,
    stay_with_each,
};
use crate::core::escape::escaped;
use crate::core::number::count;
use crate::core::replay::as_logged::frames_text;
use crate::core::scene::UserUnits;
use crate::report::FailOn;
use anstyle::{AnsiColor, Style};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::IsTerminal as _;

pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
const CALM: Style = AnsiColor::Yellow.on_default().bold();
pub(super) const TITLE: Style = Style::new().bold();
pub(super) const WEAK: Style = Style::new().dimmed();

/// Columns of a report that goes to a file or another program.
pub const COLUMNS: usize = 100;
/// Limits of the columns on a terminal.
const NARROWEST: usize = 40;
const WIDEST: usize = 120;
/// Non-breaking blank.
const TIE: &str = "\u{a0}";

/// Closest calls that are written.
const CLOSEST: usize = 10;

/// Limit of findings written in full.
const LONGEST_LIST: usize = 200;

/// The report of one file, with colours (the stream removes them where needed), wrapped to a number of columns; `verbose` adds the evidence.
pub fn text(report: &Report, fail_on: &FailOn, (columns, verbose): (usize, bool)) -> String {
    let mut out = String::new();
    let Report {
        frames, objects, ..
    } = report;
    let (file, name) = (escaped(&report.file), escaped(&report.name));
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{TITLE}{file}{TITLE:#}  {WEAK}{name}: {} of {}{WEAK:#}",
        count(*frames as usize, "frame"),
        count(*objects, "object")
    );
    let rows = rows(report);
    for (index, group) in rows.iter().take(LONGEST_LIST) {
        let finding = &report.findings[*index];
        // Of several, as `convert --finding` takes it.
        let number = (report.findings.len() > 1).then_some(index + 1);
        let fails = fail_on.kinds.contains(&finding.kind);
        let units = report.units;
        write_finding(
            &mut out,
            (number, finding),
            fails,
            (columns, verbose),
            units,
        );
        if let Some(group) = group {
            write_group(&mut out, report, group);
        }
    }
    let left = rows.get(LONGEST_LIST..).unwrap_or_default();
    let more: usize = left
        .iter()
        .map(|(_, group)| group.map_or(1, |group| group.count))
        .sum();
    if more > 0 {
        let _ = writeln!(
            out,
            "\n  … and {} more; --format json lists them all",
            count(more, "finding")
        );
    }
    write_level_fixes(&mut out, report, columns);
    if let Some(text) = outside_sentence(&report.outside) {
        let _ = write!(out, "\n{}", wrapped(&text, "  ", "", columns));
    }
    if !report.expectations.is_empty() {
        let _ = writeln!(out);
    }
    for expectation in &report.expectations {
        write_expectation(&mut out, expectation);
    }
    write_margins(&mut out, report, columns);
    write_not_judged(&mut out, report, columns);
    let _ = writeln!(out, "{}", summary(report));
    out
}

/// The changes that fix most findings, and the causes of what stays with each.
fn write_level_fixes(out: &mut String, report: &Report, columns: usize) {
    let rows = &report.level_fixes;
    let changes: Vec<_> = rows.iter().map(|row| row.change(report.units)).collect();
    let changes: Vec<_> = changes.iter().map(|change| escaped(change)).collect();
    let width = changes
        .iter()
        .map(|change| textwrap::core::display_width(change));
    let Some(width) = width.max() else {
        return;
    };
    let _ = writeln!(out, "\n  {TITLE}What would fix most{TITLE:#}");
    for (row, change) in rows.iter().zip(&changes) {
        let blank = " ".repeat(width - textwrap::core::display_width(change));
        let _ = writeln!(
            out,
            "    {change}{blank}  {:5}  {}",
            row.verb(),
            row.count()
        );
    }
    if let Some(text) = stay_with_each(rows, &report.findings) {
        for line in wrapped(&text, "    ", "", columns).lines() {
            let _ = writeln!(out, "{WEAK}{line}{WEAK:#}");
        }
    }
}

/// A line for the level, with its closest call, and the calls after that.
fn write_margins(out: &mut String, report: &Report, columns: usize) {
    let Some(margins) = &report.margins else {
        return;
    };
    let _ = writeln!(out, "\n  {TITLE}Closest calls{TITLE:#}");
    out.push_str(&wrapped(
        &margins.sentence(report.units),
        "    ",
        "",
        columns,
    ));
    for margin in margins.pairs.iter().take(CLOSEST).skip(1) {
        let text = margin.sentence(report.units);
        for line in wrapped(&text, "    ", "", columns).lines() {
            let _ = writeln!(out, "{WEAK}{line}{WEAK:#}");
        }
    }
}

/// Lists the causes that were not checked and the data that the log lacks.
fn write_not_judged(out: &mut String, report: &Report, columns: usize) {
    let groups = report.not_judged.chunk_by(|one, next| one.log == next.log);
    let items: Vec<String> = groups
        .map(|group| {
            let causes: Vec<_> = group
                .iter()
                .filter_map(|one| Some(one.cause?.id()))
                .collect();
            let first = &group[0];
            match causes.is_empty() {
                true => format!("{} (log {})", first.why, first.log),
                false => format!("{} (log {})", causes.join(", "), first.log).replace(' ', TIE),
            }
        })
        .collect();
    if items.is_empty() {
        return;
    }
    let text = format!("Not judged: {}", items.join("; "));
    let _ = writeln!(out);
    for line in wrapped(&text, "  ", "", columns).lines() {
        let _ = writeln!(out, "{WEAK}{line}{WEAK:#}");
    }
}

/// Rows to write, the most harm first and what is accepted last: the index of each finding, or of the worst of a group with the group.
fn rows(report: &Report) -> Vec<(usize, Option<&Group>)> {
    let group_of = group_of_each(&report.groups, report.findings.len());
    let mut order = report.order.clone();
    order.sort_by_key(|index| report.findings[*index].is_accepted());
    // By their first members.
    let mut groups = BTreeSet::new();
    order.retain(|index| group_of[*index].is_none_or(|group| groups.insert(group.members[0])));
    let row = |index: usize| (index, group_of[index]);
    order.into_iter().map(row).collect()
}

/// "and 9999 more findings like it, of 9999 others, in frames 3 to 90".
fn write_group(out: &mut String, report: &Report, group: &Group) {
    let more = count(group.count.saturating_sub(1), "more finding");
    let met = match group.b.as_str() {
        "" => String::new(),
        b => format!(" with {}", escaped(b)),
    };
    let movers = count(group.movers, "object");
    let expected = group.members.iter();
    let expected =
        expected.filter(|&&index| report.findings.get(index).is_some_and(|one| one.expected));
    let expected = match expected.count() {
        0 => String::new(),
        some => format!(", {some} expected"),
    };
    let first = group.members.first();
    let in_log = first.and_then(|first| report.findings.get(*first)?.log_frame);
    let frames = frames_text(group.frame, group.last_frame, in_log);
    let _ = writeln!(
        out,
        "    {TITLE}and {more} like it{TITLE:#}: {} {}{met}, {movers} in {frames}{expected}",
        group.kind.name(),
        group.cause.id(),
    );
}

fn write_expectation(out: &mut String, expectation: &ExpectationResult) {
    let text = escaped(&expectation.text);
    let (wanted, got) = (escaped(&expectation.wanted), escaped(&expectation.got));
    let why = escaped(expectation.expected_to_fail.as_deref().unwrap_or_default());
    let (style, mark, why) = match expectation.verdict {
        Verdict::Held => (GOOD, "ok   ", String::new()),
        Verdict::Failed => (BAD, "FAIL ", String::new()),
        Verdict::FailedAsExpected => (CALM, "known", format!("expected to fail: {why}")),
        Verdict::HeldUnexpectedly => (
            BAD,
            "FIXED",
            format!("it holds, but was expected to fail ({why}): remove `expected_to_fail`"),
        ),
        Verdict::NotJudged => (WEAK, "-    ", String::new()),
    };
    let _ = writeln!(out, "  {style}{mark}{style:#} {text}");
    if expectation.verdict == Verdict::NotJudged {
        let _ = writeln!(out, "        {got}");
    } else if expectation.verdict != Verdict::Held {
        let _ = writeln!(out, "        expected: {wanted}");
        let _ = writeln!(out, "        got:      {got}");
    }
    if !why.is_empty() {
        let _ = writeln!(out, "        {why}");
    }
}

fn write_finding(
    out: &mut String,
    (number, finding): (Option<usize>, &Finding),
    fails: bool,
    (columns, verbose): (usize, bool),
    units: UserUnits,
) {
    let style = if finding.is_accepted() || !fails {
        CALM
    } else {
        BAD
    };
    let title = finding.title();
    let pair = escaped(&title);
    let expected = match (finding.expected, finding.known) {
        (true, _) => "  (expected)",
        (false, true) => "  (known)",
        (false, false) => "",
    };
    let _ = writeln!(
        out,
        "\n  {style}{}{style:#}  {TITLE}{pair}{TITLE:#}{expected}",
        finding.kind.name()
    );
    let number = number.map_or_else(String::new, |number| format!(" · finding {number}"));
    let _ = writeln!(
        out,
        "    {WEAK}{} at {:.4}, {:.4} s · {} {}{number}{WEAK:#}",
        finding.frames(),
        finding.fraction,
        finding.time,
        finding.cause.id(),
        finding.cause.title()
    );
    *out += &wrapped(&finding.text, "    ", "", columns);
    // Names of evidence are those of files, and no words of a sentence.
    let numbers = |evidence: &[(Key, f64)]| -> Vec<String> {
        let shown = evidence.iter().filter(|_| verbose);
        shown
            .map(|(key, value)| format!("{} {}", key.name(), key.number(*value, units)))
            .collect()
    };
    let also = finding.also.iter().map(|cause| {
        let reason = finding.reasons.iter().find(|known| known.cause == *cause);
        let proof = reason.map_or_else(Vec::new, |reason| numbers(&reason.evidence));
        match proof.is_empty() {
            true => format!("{} {}", cause.id(), cause.title()),
            false => format!("{} {} ({})", cause.id(), cause.title(), proof.join(", ")),
        }
    });
    let tied = |items: Vec<String>| -> Vec<String> {
        let items = items.into_iter();
        items
            .map(|item| item.trim_end().replace(' ', TIE))
            .collect()
    };
    let fixes = finding.fixes.iter().map(|fix| fix.text(units)).collect();
    for (label, items) in [
        ("also ", also.collect()),
        ("proof", tied(numbers(&finding.evidence))),
        ("fix  ", tied(fixes)),
    ] {
        if !items.is_empty() {
            *out += &wrapped(&items.join(" · "), "    ", label, columns);
        }
    }
    if let Some(answer) = &finding.what_if {
        let items: Vec<_> = answer
            .sentences(units)
            .iter()
            .map(|item| item.replace(' ', TIE))
            .collect();
        *out += &wrapped(&items.join(" · "), "    ", "if   ", columns);
    }
}

fn summary(report: &Report) -> String {
    let findings = report.findings.total();
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
    let known = report
        .findings
        .iter()
        .filter(|finding| finding.known && !finding.expected)
        .count();
    let mut found = match findings {
        0 => "nothing found".to_owned(),
        _ => count(findings, "finding"),
    };
    for (number, word) in [(expected, "expected"), (known, "known")] {
        if number > 0 {
            found += &format!(", {number} {word}");
        }
    }
    let mut parts = vec![found];
    if failed > 0 {
        parts.push(format!(
            "{} of {} failed",
            failed,
            count(report.expectations.len(), "expectation")
        ));
    } else if !report.expectations.is_empty() {
        parts.push(expectations_line(report));
    }
    let style = if failed > 0 || findings > expected + known {
        BAD
    } else {
        GOOD
    };
    let mut work = count(report.pairs_swept as usize, "sweep");
    if let Some(seconds) = report.seconds {
        work += &format!(", {seconds:.2} s");
    }
    format!(
        "\n  {style}{}{style:#}  {WEAK}{work}{WEAK:#}\n",
        parts.join("; ")
    )
}

/// Summary of expectations without failures.
fn expectations_line(report: &Report) -> String {
    let of = |verdict: Verdict| {
        let results = report.expectations.iter();
        results.filter(|result| result.verdict == verdict).count()
    };
    let mut text = format!("{} held", count(of(Verdict::Held), "expectation"));
    for (number, what) in [
        (of(Verdict::FailedAsExpected), "failed as expected"),
        (of(Verdict::NotJudged), "not judged"),
    ] {
        if number > 0 {
            text += &format!(", {number} {what}");
        }
    }
    text
}

/// Columns of standard output: the terminal's, or a fixed number.
pub fn columns() -> usize {
    if std::io::stdout().is_terminal() {
        textwrap::termwidth().clamp(NARROWEST, WIDEST)
    } else {
        COLUMNS
    }
}

/// Wraps text that is [`escaped`] into lines behind an indent; `label` precedes the first line, and the others align with its text.
pub(super) fn wrapped(text: &str, indent: &str, label: &str, columns: usize) -> String {
    let hanging = match label {
        "" => indent.to_owned(),
        label => " ".repeat(indent.len() + label.len() + 2),
    };
    let options = textwrap::Options::new(columns.saturating_sub(hanging.len()))
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    let text = escaped(text);
    let lines = textwrap::wrap(&text, options);
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
        let plain = anstream::adapter::strip_str(&wrapped(&list, " ", "help", 16)).to_string();
        assert_eq!(plain, " help  a 1 ·\n       b 22 ·\n       c 333\n");
        assert_eq!(
            wrapped("unbreakable-however-long", "", "", 8),
            "unbreakable-however-long\n"
        );
    }
}
