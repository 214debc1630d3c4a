//! The drawings of findings as files (`check --pictures`, `report --format md`).

use super::print::print_note;
use crate::core::diagnose::{Finding, Report};
use crate::core::number::count;
use crate::core::problem::{Problem, Problems};
use crate::core::replay::Replay;
use crate::report;
use crate::save::save_atomic;
use std::path::Path;

/// Findings of a file that are drawn, those of the most harm.
const DRAWN: usize = 50;
/// Characters of a file's name in those of its pictures.
const LONGEST: usize = 80;

/// Draws the findings of a report into a folder, as SVG and as PNG. What is left out is counted.
///
/// # Errors
/// If the folder cannot be made or a file cannot be written.
pub fn draw_findings(replay: &Replay, report: &Report, folder: &Path) -> Result<(), Problems> {
    let name = safe_name(&report.file);
    let (mut drawn, mut without) = (0, 0);
    for &index in report.order.iter().take(DRAWN) {
        let finding = &report.findings[index];
        match draw(replay, finding, folder, &format!("{name}-{}", index + 1))? {
            Some(_) => drawn += 1,
            None => without += 1,
        }
    }
    let (more, total) = (
        report.order.len().saturating_sub(DRAWN) + report.findings.beyond().count(),
        report.findings.total(),
    );
    if total > 0 {
        let mut text = format!(
            "{}: {} drawn in {}",
            report.file,
            count(drawn, "finding"),
            folder.display()
        );
        if without > 0 {
            text += &format!("; {} without two bodies to draw", count(without, "finding"));
        }
        if more > 0 {
            text += &format!("; {more} left out, as the {DRAWN} of most harm are drawn");
        }
        print_note(&text);
    }
    Ok(())
}

/// Draws a finding; the names of the files, SVG first. `None` without geometry.
///
/// # Errors
/// If the folder cannot be made or a file cannot be written.
pub fn draw(
    replay: &Replay,
    finding: &Finding,
    folder: &Path,
    name: &str,
) -> Result<Option<Vec<String>>, Problems> {
    let Some(pictures) = report::pictures(replay, finding) else {
        return Ok(None);
    };
    make_folder(folder)?;
    let mut names = Vec::new();
    for (ending, bytes) in pictures {
        let file = format!("{name}-{}.{ending}", finding.kind.name().to_lowercase());
        save_atomic(&folder.join(&file), &bytes)?;
        names.push(file);
    }
    Ok(Some(names))
}

/// Makes a folder, if there is none.
///
/// # Errors
/// If it cannot be made.
pub fn make_folder(folder: &Path) -> Result<(), Problem> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let what = format!("the folder cannot be made: {error}");
        Problem::new(
            folder.display().to_string(),
            what,
            "name a folder that can be written to",
        )
    })
}

/// A file's path as the start of a name: letters, digits, `-` and `_` only. Where that is not the whole path, with a hash of it, so that different
/// files have different names.
fn safe_name(path: &str) -> String {
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    let name: String = path.chars().map(safe).collect();
    let hash = blake3::hash(path.as_bytes()).to_hex();
    let start = name.trim_start_matches('_');
    let kept: String = start
        .chars()
        .skip(start.chars().count().saturating_sub(LONGEST))
        .collect();
    format!("{kept}-{}", &hash[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_short_and_of_one_file() {
        let names = [
            "a/b.ron",
            "a_b.ron",
            "../a/b.ron",
            "/tmp/\u{202e}<b>.ron",
            "-rf",
            &"x/".repeat(500),
        ]
        .map(safe_name);
        for (index, name) in names.iter().enumerate() {
            assert!(name.len() <= LONGEST + 9, "{name}");
            assert!(
                name.chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'),
                "{name}"
            );
            assert!(!names[..index].contains(name), "{names:?}");
        }
    }
}
