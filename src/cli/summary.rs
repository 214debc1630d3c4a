//! The summary of many files as text: one table for each kind of count, the largest first.

use super::text::{BAD, GOOD, TITLE, WEAK};
use crate::core::escape::escaped;
use crate::core::fleet::{Count, Fleet, in_order, most_first};
use crate::core::number::{count, grouped, number, percent, words};
use std::fmt::Write as _;
use textwrap::core::display_width;

/// Most rows of a table.
const ROWS: usize = 8;

/// All tables, and the last line.
pub fn summary(fleet: &Fleet) -> String {
    let mut out = String::new();
    let causes = most_first(&fleet.causes).into_iter();
    let causes = causes.map(|(cause, it)| (format!("{} {}", cause.id(), cause.title()), it));
    let named = |all: Vec<(&String, &Count)>| -> Vec<(String, Vec<String>)> {
        let rows = all.into_iter();
        rows.map(|(name, it)| (shown(name), in_files(it))).collect()
    };
    table(
        &mut out,
        "Findings by cause",
        causes.map(|(name, it)| (name, in_files(it))).collect(),
    );
    table(
        &mut out,
        "Findings by level",
        named(most_first(&fleet.levels)),
    );
    table(
        &mut out,
        "Findings by object, of both in a pair",
        named(most_first(&fleet.objects)),
    );
    if fleet.builds.keys().any(|build| !build.is_empty()) {
        table(&mut out, "Findings by build", builds(fleet));
    }
    table(&mut out, "Fixes that most findings name", fixes(fleet));
    if let Some(earlier) = &fleet.earlier {
        let rows = [
            ("new", fleet.new_findings()),
            ("fixed", earlier.fixed),
            ("unchanged", earlier.unchanged),
            ("files without an earlier result", earlier.new_files),
            ("files with only an earlier result", earlier.missing_files),
        ];
        let rows = rows.map(|(name, number)| (name.to_owned(), vec![grouped(number)]));
        table(&mut out, "Against the earlier results", rows.into());
    }
    out + &total(fleet)
}

/// The last line of several files: `6 files, 5 findings, 4 known, 1 new`.
pub fn total(fleet: &Fleet) -> String {
    let new = fleet.new_findings();
    let mut parts = vec![
        count(fleet.files, "file"),
        match fleet.findings {
            0 => "nothing found".to_owned(),
            all => count(all, "finding"),
        },
    ];
    if new < fleet.findings {
        let parts_of = [
            (fleet.expected, "expected"),
            (fleet.known, "known"),
            (new, "new"),
        ];
        let parts_of = parts_of.into_iter().filter(|(number, _)| *number > 0);
        parts.extend(parts_of.map(|(number, word)| format!("{number} {word}")));
    }
    if fleet.failed > 0 {
        parts.push(format!("{} failed", count(fleet.failed, "expectation")));
    }
    if fleet.unusable > 0 {
        parts.push(format!("{} unusable", count(fleet.unusable, "file")));
    }
    let style = match new + fleet.failed + fleet.unusable {
        0 => GOOD,
        _ => BAD,
    };
    format!("{style}{}{style:#}\n", parts.join(", "))
}

/// A name as a row has it.
fn shown(name: &str) -> String {
    match name {
        "" => "unknown".to_owned(),
        name => escaped(name).into_owned(),
    }
}

/// `8`, `in 3 files`, `2 new`.
fn in_files(it: &Count) -> Vec<String> {
    let mut cells = vec![
        grouped(it.findings),
        format!("in {}", count(it.files, "file")),
    ];
    if it.new < it.findings {
        cells.push(format!("{} new", grouped(it.new)));
    }
    cells
}

/// In their natural order, the last ones.
fn builds(fleet: &Fleet) -> Vec<(String, Vec<String>)> {
    let all = in_order(&fleet.builds);
    let first = all.len().saturating_sub(ROWS);
    let rows = all[first..].iter().map(|(build, it)| {
        let mut cells = in_files(it);
        cells.insert(2, format!("{} a file", number(it.per_file())));
        (shown(build), cells)
    });
    rows.collect()
}

fn fixes(fleet: &Fleet) -> Vec<(String, Vec<String>)> {
    let rows = fleet.best_fixes().into_iter().map(|(what, values)| {
        let share = values.findings as f64 / fleet.findings.max(1) as f64;
        let [half, most, all] = [0.5, 0.9, 1.0].map(|share| values.enough_for(share, what));
        let bound = what.bound();
        let enough = format!("{bound} {half} for half of them, {most} for 90 %, {all} for all");
        let cells = vec![grouped(values.findings), percent(share), enough];
        (words(what.name()), cells)
    });
    rows.collect()
}

/// Writes a table; nothing without rows.
fn table(out: &mut String, title: &str, rows: Vec<(String, Vec<String>)>) {
    if rows.is_empty() {
        return;
    }
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(out, "{TITLE}{title}{TITLE:#}");
    let width = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|text| display_width(text)).max().unwrap_or(0)
    };
    let shown = &rows[..rows.len().min(ROWS)];
    let names = width(&mut shown.iter().map(|(name, _)| name));
    let columns = shown
        .iter()
        .map(|(_, cells)| cells.len())
        .max()
        .unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|at| width(&mut shown.iter().filter_map(|(_, cells)| cells.get(at))))
        .collect();
    for (name, cells) in shown {
        let mut line = format!("  {name}{}", " ".repeat(names - display_width(name)));
        for (at, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let blank = " ".repeat(width - display_width(cell));
            // The first column is a number.
            line += &match at {
                0 => format!("  {blank}{cell}"),
                _ => format!("  {cell}{blank}"),
            };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if rows.len() > ROWS {
        let more = grouped(rows.len() - ROWS);
        let _ = writeln!(out, "  {WEAK}and {more} more{WEAK:#}");
    }
    out.push('\n');
}
