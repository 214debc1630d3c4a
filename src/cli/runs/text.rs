//! The results of runs as text.

use super::super::text::{BAD, GOOD, TITLE, WEAK, columns, wrapped};
use crate::core::escape::escaped;
use crate::core::number::{count_of, seconds};
use crate::core::replay::compare::FirstField;
use crate::run::{
    Batch, Bisected, Determined, Failure, Revision, Row, Search, Sighting, Tuned, Verdict,
};
use std::fmt::Write as _;

// Writing to a String cannot fail.

/// The result of `tune`.
pub fn tuned(tuned: &Tuned, want: usize) -> String {
    let mut out = String::new();
    let Some(first) = &tuned.first else {
        let base = tuned.base.iter().filter(|base| base.batch.errors > 0);
        base.for_each(|base| write_rows(&mut out, "", std::slice::from_ref(base)));
        if let Some(what) = tuned.nothing_to_tune(want) {
            out += &wrapped(&what, "", "", columns());
        }
        write_notes(&mut out, &tuned.notes);
        return cancelled(out, tuned.cancelled);
    };
    write_looked_for(&mut out, &tuned.looked_for, first);
    if tuned.searches.is_empty()
        && let Some(base) = &tuned.base
    {
        write_rows(&mut out, "", std::slice::from_ref(base));
        let style = if base.is_confirmed() { GOOD } else { BAD };
        let _ = writeln!(out, "{style}{}{style:#}", base.batch.text());
        if let Some(what) = tuned.nothing_to_tune(want) {
            let _ = writeln!(out, "{what}");
        }
        if !base.holds && !first.fixes.is_empty() {
            let text = format!("Diagnosis names: {}", first.fixes.join(" · "));
            out += &wrapped(&text, "", "", columns());
        }
    }
    for search in &tuned.searches {
        write_search(&mut out, search, want);
    }
    write_notes(&mut out, &tuned.notes);
    cancelled(out, tuned.cancelled)
}

fn write_looked_for(out: &mut String, looked_for: &[String], first: &Sighting) {
    const SHOWN: usize = 5;
    let shown = looked_for.iter().take(SHOWN).map(|text| escaped(text));
    let mut text = shown.collect::<Vec<_>>().join("; ");
    if looked_for.len() > SHOWN {
        text += &format!(" and {} more", looked_for.len() - SHOWN);
    }
    let _ = writeln!(out, "{TITLE}Looked for{TITLE:#}  {text}");
    write_sighting(out, first);
    out.push('\n');
}

fn write_sighting(out: &mut String, sighting: &Sighting) {
    let _ = writeln!(out, "  {}", escaped(&sighting.line));
    *out += &wrapped(&sighting.text, "    ", "", columns());
}

fn write_search(out: &mut String, search: &Search, want: usize) {
    let name = escaped(&search.parameter).into_owned();
    let with = search.with.iter();
    let with = with.map(|(name, value)| format!(" with {} {}", escaped(name), escaped(value)));
    let _ = write!(out, "{TITLE}{name}{}{TITLE:#}", with.collect::<String>());
    if let Some(suggestion) = &search.suggested {
        let _ = write!(out, "  {WEAK}{}{WEAK:#}", suggestion.text());
    }
    out.push('\n');
    write_rows(out, &name, &search.rows);
    if search.monotone == Some(false) {
        out.push_str(&wrapped(Search::NOT_MONOTONE, "", "", columns()));
    }
    let found = search.found_row();
    if let Some(text) = search.text(want) {
        let is_good = found.is_some_and(Row::is_confirmed);
        let style = if is_good { GOOD } else { BAD };
        let _ = writeln!(out, "{style}{}{style:#}", escaped(&text));
    }
    if let Some(text) = search.hung_text() {
        out.push_str(&wrapped(&text, "", "", columns()));
    }
    if found.is_some_and(|found| !found.batch.new_kinds.is_empty()) {
        let _ = writeln!(out, "{BAD}{}{BAD:#}", Search::NEW_KINDS);
    }
    out.push('\n');
}

fn write_notes(out: &mut String, notes: &[String]) {
    let notes = notes.iter();
    notes.for_each(|note| *out += &wrapped(note, "", "", columns()));
}

/// The table of some values, and what went wrong in their runs.
fn write_rows(out: &mut String, name: &str, rows: &[Row]) {
    let heading = match name {
        "" => "",
        _ => "value",
    };
    let rows = rows
        .iter()
        .map(|row| (escaped(&row.value).into_owned(), &row.batch));
    write_batches(out, heading, &rows.collect::<Vec<_>>());
}

fn write_batches(out: &mut String, heading: &str, rows: &[(String, &Batch)]) {
    let cells = |(value, batch): &(String, &Batch)| {
        let kinds = batch.new_kinds.iter();
        let kinds = kinds.map(|(kind, runs)| format!("{} in {runs}", kind.name()));
        let kinds: Vec<String> = kinds.collect();
        [
            value.clone(),
            batch.runs.to_string(),
            batch.with_finding.to_string(),
            batch.errors.to_string(),
            batch.seconds.map_or_else(|| "-".to_owned(), seconds),
            kinds.join(", "),
        ]
    };
    let headings = [
        heading,
        "runs",
        "with finding",
        "without result",
        "time",
        "new findings",
    ];
    let has_new = rows.iter().any(|(_, batch)| !batch.new_kinds.is_empty());
    let shown = if has_new { 6 } else { 5 };
    let mut lines = vec![headings.map(str::to_owned)];
    lines.extend(rows.iter().map(cells));
    let widths: Vec<usize> = (0..shown)
        .map(|column| {
            let widths = lines
                .iter()
                .map(|line| textwrap::core::display_width(&line[column]));
            widths.max().unwrap_or(0)
        })
        .collect();
    for (index, line) in lines.iter().enumerate() {
        let mut text = String::from(" ");
        for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
            let blank = " ".repeat(width - textwrap::core::display_width(cell));
            // The first column is a name or a number, the last a list.
            text += &match column {
                0 | 5 => format!(" {cell}{blank} "),
                _ => format!(" {blank}{cell} "),
            };
        }
        let text = text.trim_end();
        let _ = match index {
            0 => writeln!(out, "{WEAK}{text}{WEAK:#}"),
            _ => writeln!(out, "{text}"),
        };
    }
    for (value, batch) in rows.iter().filter(|(_, batch)| batch.apart > 0) {
        let colon = if value.is_empty() { "" } else { ": " };
        let runs = count_of(batch.apart, "run", "runs");
        let text = format!(
            "{value}{colon}in {runs} the objects that are looked for never come near each other, so that there is nothing to find"
        );
        out.push_str(&wrapped(&text, "  ", "  ", columns()));
    }
    for (value, batch) in rows {
        for failure in batch.distinct_failures() {
            write_failure(out, value, failure);
        }
    }
}

fn write_failure(out: &mut String, value: &str, failure: &Failure) {
    let colon = if value.is_empty() { "" } else { ": " };
    let _ = writeln!(
        out,
        "  {BAD}{value}{colon}{}{BAD:#}",
        escaped(&failure.what)
    );
    for line in &failure.last_lines {
        let _ = writeln!(out, "    {WEAK}| {}{WEAK:#}", escaped(line));
    }
}

fn cancelled(mut out: String, is_cancelled: bool) -> String {
    if is_cancelled {
        let _ = writeln!(out, "{BAD}Cancelled: the rest is not known.{BAD:#}");
    }
    out
}

/// The result of `determinism`.
pub fn determined(determined: &Determined) -> String {
    let mut out = String::new();
    for one in &determined.differences {
        let _ = writeln!(
            out,
            "{TITLE}Run {}{}{TITLE:#}",
            one.run,
            values_text(&one.values)
        );
        match &one.first {
            Some(first) => write_field(&mut out, first, &format!("run {}", one.run)),
            None => {
                let _ = writeln!(out, "  {}", escaped(&one.verdict));
            }
        }
    }
    for failure in &determined.failures {
        write_failure(&mut out, "", failure);
    }
    let values = values_text(&determined.values);
    let others = determined.runs.saturating_sub(1);
    let line = match determined.differences.len() {
        _ if others == 0 => "There is no second run with a result.".to_owned(),
        0 => format!("{} runs are equal to the bit{values}.", others + 1),
        some => format!(
            "{some} of {} from run 1{values}.",
            count_of(others, "run differs", "runs differ")
        ),
    };
    let style = match determined.differences.is_empty() && others > 0 && determined.errors == 0 {
        true => GOOD,
        false => BAD,
    };
    let _ = writeln!(out, "{style}{line}{style:#}");
    if determined.errors > 0 {
        let runs = count_of(determined.errors, "run has", "runs have");
        let _ = writeln!(out, "{runs} no result and is not compared.");
    }
    write_notes(&mut out, &determined.notes);
    cancelled(out, determined.cancelled)
}

fn values_text(values: &[(String, String)]) -> String {
    let all = values
        .iter()
        .map(|(name, value)| format!("{} {}", escaped(name), escaped(value)));
    let all: Vec<String> = all.collect();
    match all.is_empty() {
        true => String::new(),
        false => format!(" ({})", all.join(", ")),
    }
}

/// `frame 31: position of ball, 1e-7 m apart`, and the contact.
fn write_field(out: &mut String, first: &FirstField, other: &str) {
    let (frame, field, object) = (first.frame, first.field, escaped(&first.object));
    let _ = writeln!(
        out,
        "  frame {frame}: {field} of {object}, {}",
        escaped(&first.text)
    );
    if let Some(contact) = &first.contact {
        let [a, b] = &contact.pair;
        let has = if contact.in_a { "the first log" } else { other };
        let _ = writeln!(
            out,
            "  frame {}: a contact of {} and {} that only {has} has",
            contact.frame,
            escaped(a),
            escaped(b)
        );
    }
}

/// The result of `bisect`.
pub fn bisected(bisected: &Bisected) -> String {
    let mut out = String::new();
    if let (Some(finding), None) = (&bisected.finding, bisected.first_bad) {
        write_looked_for(&mut out, &bisected.looked_for, finding);
    }
    let name = |revision: &Revision| {
        let verdict = match revision.verdict {
            Verdict::Good => "good",
            Verdict::Bad => "bad",
            Verdict::Skipped => "skipped",
            Verdict::CannotTell => "cannot tell",
        };
        format!("{verdict}  {}", escaped(&revision.title))
    };
    let tested: Vec<_> = bisected
        .tested
        .iter()
        .map(|it| (name(it), &it.batch))
        .collect();
    if !tested.is_empty() {
        write_batches(&mut out, "revision", &tested);
    }
    let skipped = bisected.tested.iter();
    for (revision, failure) in skipped.filter_map(|it| Some((it, it.skipped.as_ref()?))) {
        if !revision.batch.failures.contains(failure) {
            write_failure(&mut out, &escaped(&revision.title), failure);
        }
    }
    if !tested.is_empty() {
        out.push('\n');
    }
    if let Some(first_bad) = bisected.first_bad {
        let title = escaped(&bisected.tested[first_bad].title);
        let _ = writeln!(out, "{GOOD}The first bad revision is {title}{GOOD:#}");
        if let Some(finding) = &bisected.finding {
            write_sighting(&mut out, finding);
        }
        if let Some(last_good) = bisected.last_good {
            let last = &bisected.tested[last_good];
            let title = escaped(&last.title);
            if last.batch.met() == 0 {
                let what = "In the last good one the two never come near each other: it may be good for another reason.";
                let _ = writeln!(out, "{WEAK}{what}{WEAK:#}");
            }
            let _ = writeln!(
                out,
                "{TITLE}Compared with the last good one{TITLE:#}, {title}"
            );
        }
        match (&bisected.difference, &bisected.verdict) {
            (Some(first), _) => write_field(&mut out, first, "the bad one"),
            (None, Some(verdict)) => {
                let _ = writeln!(out, "  {}", escaped(verdict));
            }
            (None, None) => {}
        }
    }
    if let Some(unknown) = &bisected.unknown {
        out += &wrapped(&format!("Cannot tell: {unknown}."), "", "", columns());
    }
    for candidate in &bisected.candidates {
        let _ = writeln!(out, "  {}", escaped(candidate));
    }
    write_notes(&mut out, &bisected.notes);
    cancelled(out, bisected.cancelled)
}
