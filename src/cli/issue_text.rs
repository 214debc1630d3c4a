//! `hitstop report --format md`: the text of an issue, with pictures and scenes beside it.

use super::pictures::{draw, make_folder};
use crate::convert::{Part, scene_text};
use crate::core::diagnose::{Finding, Fix, Report, outside_sentence};
use crate::core::level::Level;
use crate::core::number::{count, words};
use crate::core::problem::Problems;
use crate::core::progress::Progress;
use crate::save::save_atomic;
use std::fmt::Write as _;
use std::path::Path;

/// Findings in the text, those of most harm.
const LISTED: usize = 10;
/// Name of the text in its folder.
const NAME: &str = "issue.md";

/// Writes the text of an issue into a folder, with a picture and a small scene of each finding; returns what was written.
///
/// # Errors
/// If the folder cannot be made or a file cannot be written.
pub fn write_issue(
    level: &Level,
    report: &Report,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<String, Problems> {
    make_folder(folder)?;
    let mut text = head(level, report);
    for &index in report.order.iter().take(LISTED) {
        text += &of_finding(level, report, index, folder, progress)?;
    }
    let more = report.findings.total().saturating_sub(LISTED);
    if more > 0 {
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(
            text,
            "{} more are left out here; `hitstop check` lists them.\n",
            count(more, "finding")
        );
    }
    text += &list(
        "What would fix most",
        report.level_fixes.iter().map(|fix| fix.text.clone()),
    );
    text += &list("Outside", outside_sentence(&report.outside).into_iter());
    text += &list(
        "Not judged",
        report.not_judged.iter().map(|one| one.sentence()),
    );
    save_atomic(&folder.join(NAME), text.as_bytes())?;
    let drawn = count(report.order.len().min(LISTED), "finding");
    Ok(format!(
        "wrote {}: {drawn} with pictures and scenes",
        folder.join(NAME).display()
    ))
}

fn head(level: &Level, report: &Report) -> String {
    let replay = &level.replay;
    let mut text = format!(
        "# {}\n\n{}.\n\n",
        plain(&report.name),
        count(report.findings.total(), "finding")
    );
    let engine = replay.engine();
    let parts: Vec<String> = [engine.name, engine.version]
        .into_iter()
        .flatten()
        .collect();
    let engine = (!parts.is_empty()).then(|| parts.join(" "));
    let dt =
        (replay.frames() > 0).then(|| format!("{} s", crate::core::number::number(replay.dt(0))));
    for (name, value) in [
        ("engine", engine),
        ("build", report.build.clone()),
        ("frames", Some(report.frames.to_string())),
        ("time step", dt),
        ("objects", Some(report.objects.to_string())),
        ("unit of length", Some(report.units.unit("m").to_owned())),
        (
            "judged by",
            Some(format!("Hitstop {}", env!("CARGO_PKG_VERSION"))),
        ),
    ] {
        if let Some(value) = value {
            let _ = writeln!(text, "- {name}: {}", plain(&value));
        }
    }
    text + "\n"
}

fn of_finding(
    level: &Level,
    report: &Report,
    index: usize,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<String, Problems> {
    let finding = &report.findings[index];
    let number = index + 1;
    let mut text = format!(
        "## {number}. {} {}: {}\n\n{}, at {:.4} of the frame.\n\n{}\n\n**{} {}.** {}\n\n",
        finding.kind.name(),
        finding.cause.id(),
        plain(&finding.title()),
        finding.frames().replacen('f', "F", 1),
        finding.fraction,
        plain(&finding.text),
        finding.cause.id(),
        finding.cause.title(),
        finding.cause.help().meaning,
    );
    text += &fixes(finding, report);
    if let Some(names) = draw(&level.replay, finding, folder, &format!("finding-{number}"))? {
        let picture = names.last().map_or("", String::as_str);
        let _ = writeln!(text, "![The frame to scale]({picture})\n");
    }
    let scene = format!("finding-{number}.ron");
    let path = folder.join(&scene);
    match scene_text(level, &Part::Finding(number), &path, progress) {
        Ok((bytes, left_out, _)) => {
            save_atomic(&path, &bytes)?;
            let _ = writeln!(
                text,
                "Scene that shows it: [{scene}]({scene}); `hitstop check {scene}` judges it.\n"
            );
            for one in left_out {
                let _ = writeln!(text, "- {}", plain(&one.what));
            }
        }
        Err(problems) => {
            let why: Vec<String> = problems
                .0
                .iter()
                .map(|problem| plain(&problem.what))
                .collect();
            let _ = writeln!(text, "There is no small scene of it: {}.\n", why.join("; "));
        }
    }
    Ok(text)
}

/// The changes that fix a finding, each by itself.
fn fixes(finding: &Finding, report: &Report) -> String {
    let row = |fix: &Fix| {
        let own = fix
            .setting
            .as_ref()
            .map(|setting| format!("`{}`", setting.replace('`', "'")));
        let value = match (fix.held_text(report.units), fix.detected_text(report.units)) {
            (Some(held), Some(detected)) => format!("{held} ({detected})"),
            (Some(held), None) => held,
            (None, Some(detected)) => detected,
            (None, None) => "switch on".to_owned(),
        };
        let what = format!("{}: {value}", words(fix.what.name()));
        own.map_or(plain(&what), |own| format!("{}, {own}", plain(&what)))
    };
    list("", finding.fixes.iter().map(row))
}

/// A list with its heading, if it has any lines.
fn list(heading: &str, lines: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return String::new();
    }
    let heading = if heading.is_empty() {
        "Suggested fixes:\n\n".to_owned()
    } else {
        format!("## {heading}\n\n")
    };
    let lines: String = lines.iter().map(|line| format!("- {line}\n")).collect();
    heading + &lines + "\n"
}

/// Text of a level as plain text in Markdown: nothing in it is a link, an image, a tag, a mention or a heading.
fn plain(text: &str) -> String {
    let is_markup = |c: char| "\\`*_{}[]<>#|!@~&".contains(c);
    crate::core::escape::escaped_with(
        &crate::core::escape::escaped(text),
        is_markup,
        |c| match c {
            '@' => "@\u{2060}".to_owned(),
            '<' => "&lt;".to_owned(),
            '&' => "&amp;".to_owned(),
            c => format!("\\{c}"),
        },
    )
    .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_markup() {
        let hostile = "![x](http://y) <img src=x> **b** `c` @all\n# h";
        let text = plain(hostile);
        assert_eq!(
            text,
            "\\!\\[x\\](http://y) &lt;img src=x\\> \\*\\*b\\*\\* \\`c\\` @\u{2060}all\\\\n\\# h"
        );
    }
}
