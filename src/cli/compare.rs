//! `hitstop compare`: compares two levels.

use super::print::write_out;
use super::progress::Bar;
use super::{Alignment, CompareArguments, PlainFormat, Status, report_problems};
use crate::core::escape::{escaped, for_log};
use crate::core::level::{self, Level};
use crate::core::problem::{Problem, Problems};
use crate::core::replay::Replay;
use crate::core::replay::compare::{
    Comparison, FirstField, ObjectDifference, Settings, Tolerance, compare, with_other_detection,
};
use crate::report::safe_json;
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const TITLE: Style = Style::new().bold();
const WEAK: Style = Style::new().dimmed();

/// Limit of objects that are written out.
const LONGEST_LIST: usize = 200;
/// Version of what `--format json` prints.
const JSON_VERSION: u32 = 1;

/// What `--format json` prints.
#[derive(Serialize)]
struct Printed<'c> {
    version: u32,
    text: String,
    /// The first difference as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_text: Option<String>,
    notes: Vec<String>,
    #[serde(flatten)]
    comparison: &'c Comparison,
}

impl<'c> Printed<'c> {
    fn of(comparison: &'c Comparison) -> Self {
        Self {
            version: JSON_VERSION,
            text: comparison.verdict(),
            first_text: comparison.first.as_ref().map(FirstField::sentence),
            notes: comparison.notes(),
            comparison,
        }
    }
}

/// A comparison as `--format json` prints it.
#[cfg(feature = "mcp")]
pub(super) fn value(comparison: &Comparison) -> serde_json::Result<serde_json::Value> {
    serde_json::to_value(Printed::of(comparison))
}

/// Runs the command: 0 when nothing differs, 1 when something does, 2 when a level could not be read.
pub fn run(arguments: &CompareArguments) -> Status {
    let bar = Bar::new(!arguments.no_progress);
    let outcome = compared(arguments, &bar);
    bar.clear();
    let comparison = match outcome {
        Ok(comparison) => comparison,
        Err(problems) => {
            report_problems(&problems.0, false);
            return Status::BadInput;
        }
    };
    let printed = match arguments.format {
        PlainFormat::Text => for_log(&text(&comparison)).into_owned(),
        PlainFormat::Json => match serde_json::to_string(&Printed::of(&comparison)) {
            Ok(json) => safe_json(&json).into_owned() + "\n",
            Err(_) => return Status::Fault,
        },
    };
    let status = if comparison.equal {
        Status::Clean
    } else {
        Status::Findings
    };
    status.max(write_out(&printed))
}

fn compared(arguments: &CompareArguments, bar: &Bar) -> Result<Comparison, Problems> {
    let a = read(&arguments.a, bar)?;
    let name_a = arguments.a.display().to_string();
    let (name_b, b) = match &arguments.b {
        Some(path) => (path.display().to_string(), read(path, bar)?.replay),
        None => other_detection(&a, &name_a)?,
    };
    let settings = Settings {
        tolerance: Tolerance {
            position: arguments.tolerance,
            rotation: arguments.angle,
        },
        alignment: arguments.by.map(|by| match by {
            Alignment::Frame => crate::core::replay::compare::Alignment::Frame,
            Alignment::Time => crate::core::replay::compare::Alignment::Time,
            Alignment::Tick => crate::core::replay::compare::Alignment::Tick,
        }),
        offset: arguments.offset,
    };
    bar.say("comparing");
    let (one, other) = ((name_a.as_str(), &*a.replay), (name_b.as_str(), &*b));
    let Some(comparison) = compare(one, other, &settings, bar) else {
        unreachable!("nothing here cancels");
    };
    Ok(comparison)
}

fn read(path: &Path, bar: &Bar) -> Result<Level, Problems> {
    bar.say("reading");
    let level = level::open(path, bar)?;
    report_problems(&level.notices, true);
    Ok(level)
}

fn other_detection(level: &Level, name: &str) -> Result<(String, Arc<Replay>), Problem> {
    let Some((replay, detection)) = with_other_detection(&level.replay) else {
        let what = "a recording cannot be re-run; only scenes have a detection mode";
        return Err(Problem::new(name, what, "name a second file"));
    };
    Ok((format!("{name} with {detection:?}"), Arc::new(replay)))
}

/// The comparison as text, with colours (the stream removes them where needed).
fn text(comparison: &Comparison) -> String {
    let mut out = String::new();
    let verdict = if comparison.equal { GOOD } else { BAD };
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{TITLE}A  {}{TITLE:#}", escaped(&comparison.a.name));
    let _ = writeln!(out, "{TITLE}B  {}{TITLE:#}\n", escaped(&comparison.b.name));
    let shown = &comparison.objects[..comparison.objects.len().min(LONGEST_LIST)];
    let width = |of: &dyn Fn(&ObjectDifference) -> String| {
        let widths = shown.iter().map(|row| of(row).chars().count());
        widths.max().unwrap_or(0).min(48)
    };
    let name = width(&|row| escaped(&row.name).into_owned());
    let first = width(&|row| row.first_text(comparison.units));
    for row in shown {
        let mut more = Vec::new();
        let largest = row.largest_text(comparison.units);
        if !largest.is_empty() {
            more.push(format!("largest {largest}"));
        }
        if row.other_shape && (row.first.is_some() || row.motion_from.is_some()) {
            more.push("another shape".to_owned());
        }
        let _ = writeln!(
            out,
            "  {:name$}  {:first$}  {WEAK}{}{WEAK:#}",
            escaped(&row.name),
            escaped(&row.first_text(comparison.units)),
            escaped(&more.join("; "))
        );
    }
    let more = comparison.objects.len() - shown.len();
    if more > 0 {
        let _ = writeln!(out, "  … and {more} more; --format json lists them all");
    }
    if !shown.is_empty() {
        let _ = writeln!(out);
    }
    let _ = writeln!(
        out,
        "{verdict}{}{verdict:#}",
        escaped(&comparison.verdict())
    );
    if let Some(first) = &comparison.first {
        let _ = writeln!(out, "{}", escaped(&first.sentence()));
    }
    for note in comparison.notes() {
        let _ = writeln!(out, "{WEAK}{}{WEAK:#}", escaped(&note));
    }
    out
}
