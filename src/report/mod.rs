//! Reports as files: pages to read, and findings for other programs.
//!
//! The HTML report is for a bug tracker: one page with style and drawings inside, without external resources or scripts.
//!
//! Drawings are orthographic views along a world axis. The size of a page is bounded; omissions are counted.

mod finding;
mod findings;
mod fleet;
mod gap_plot;
mod html;
mod page;
#[cfg(feature = "pictures")]
mod png;
mod replay;
mod svg;

#[cfg(feature = "parquet")]
pub use self::findings::table as findings_table;
pub use self::findings::{
    Checked, FailOn, FindingsFormat, LineIndex, json, junit, safe_json, sarif, write_findings,
};
pub use self::fleet::fleet_page;
pub use self::replay::{ReplayPage, replay_page};

use self::finding::{article, frames};
use self::html::{escaped, tag};
use crate::core::diagnose::{
    ExpectationResult, Finding, Kind, Report, Verdict, outside_sentence, stay_with_each,
};
use crate::core::level::Level;
use crate::core::number::{count, number};
use crate::core::replay::Replay;
use glam::DVec3;
use std::fmt::Write as _;
use std::path::Path;

/// Limits of findings of a kind in full, and with drawings.
const FULL: usize = 60;
const DRAWN: usize = 25;
/// Limit of findings of a kind listed in one row after those.
const LISTED: usize = 300;
/// Expectations and notices that are listed.
const ROWS: usize = 500;
/// Page size from which drawings are left out, bytes.
const DRAWN_BYTES: usize = 6 << 20;

/// The page of a level's report. All text of the level is escaped.
pub fn html(level: &Level, report: &Report) -> String {
    let mut body = header(level, report);
    body += "<main>\n";
    body += &summary(report);
    body += &level_fixes(report);
    if let Some(sentence) = outside_sentence(&report.outside) {
        let _ = writeln!(body, "<section><p>{}.</p></section>", escaped(&sentence));
    }
    for kind in Kind::ALL {
        of_kind(&mut body, level, report, kind);
    }
    body += &expectations(&report.expectations);
    body += &not_judged(report);
    body += &notices(level, &report.notices);
    let _ = write!(
        body,
        "</main>\n<footer>Made by Hitstop {}. Lengths are in {}, times in seconds.</footer>\n",
        env!("CARGO_PKG_VERSION"),
        report.units.unit("m")
    );
    page::page(&format!("{} · Hitstop report", report.name), &body)
}

/// The drawing of a finding as files: their endings and bytes, SVG first, then PNG where the program is built with it. `None` without geometry.
pub fn pictures(replay: &Replay, finding: &Finding) -> Option<Vec<(&'static str, Vec<u8>)>> {
    let drawing = finding::drawing(replay, finding)?;
    let svg = ("svg", svg::file(&drawing).into_bytes());
    #[cfg(feature = "pictures")]
    let more = png::png(&drawing).map(|bytes| ("png", bytes));
    #[cfg(not(feature = "pictures"))]
    let more = None;
    Some([svg].into_iter().chain(more).collect())
}

/// Name, file, engine, units and sizes. Of the file only its name: the page may become public.
fn header(level: &Level, report: &Report) -> String {
    let replay = &level.replay;
    let scene = replay.scene();
    let units = report.units;
    let file = Path::new(&report.file).file_name().unwrap_or_default();
    let mut out = format!(
        "<header><h1>{}</h1><p class=\"file\">{}</p><dl class=\"identity\">",
        escaped(&report.name),
        escaped(&file.to_string_lossy())
    );
    let dt = (replay.frames() > 0).then(|| format!("{} s", number(replay.dt(0))));
    let up = units.axis_name(DVec3::Y);
    let up = if units.direction(DVec3::Y).element_sum() < 0.0 {
        format!("-{up}")
    } else {
        up.to_owned()
    };
    for (name, value) in [
        ("Frames", Some(report.frames.to_string())),
        ("Step of the first", dt),
        ("Objects", Some(report.objects.to_string())),
        ("Sweeps made", Some(report.pairs_swept.to_string())),
        ("Engine", report.engine.clone()),
        ("Build", report.build.clone()),
        ("Unit", Some(units.unit("m").to_owned())),
        ("Up axis", Some(up)),
        (
            "Gravity",
            Some(format!(
                "{} {}",
                units.point(scene.gravity),
                units.unit("m/s²")
            )),
        ),
    ] {
        let Some(value) = value else {
            continue;
        };
        // Writing to a String cannot fail, here and below.
        let _ = write!(
            out,
            "<div><dt>{name}</dt><dd>{}</dd></div>",
            escaped(&value)
        );
    }
    out + "</dl></header>\n"
}

fn summary(report: &Report) -> String {
    let listed = report.findings.iter();
    let new = listed.filter(|one| !one.is_accepted()).count() + report.findings.beyond().count();
    let failed = report.expectations.iter().filter(|one| !one.passed).count();
    let (class, text) = match (new, failed) {
        (0, 0) if report.findings.is_empty() => ("good", "Nothing was missed.".to_owned()),
        (0, 0) => (
            "good",
            format!(
                "{}, all expected or known.",
                count(report.findings.len(), "finding")
            ),
        ),
        (_, 0) => ("bad", format!("{}.", count(new, "finding"))),
        (0, _) => ("bad", format!("{} failed.", count(failed, "expectation"))),
        _ => (
            "bad",
            format!(
                "{}, and {} failed.",
                count(new, "finding"),
                count(failed, "expectation")
            ),
        ),
    };
    let mut out = format!("<p class=\"verdict {class}\">{text}</p>");
    if report.findings.is_empty() {
        return out;
    }
    out += "<nav aria-label=\"Kinds of finding\"><table><thead><tr><th>Kind</th><th>What happened</th><th class=\"n\">Findings</th>\
            <th class=\"n\">Expected or known</th></tr></thead><tbody>";
    for kind in Kind::ALL {
        let of_kind = || report.findings.iter().filter(|one| one.kind == kind);
        let (all, accepted) = (
            report.findings.of_kind(kind),
            of_kind().filter(|one| one.is_accepted()).count(),
        );
        if all > 0 {
            let name = kind.name();
            let _ = write!(
                out,
                "<tr><td class=\"k\"><a href=\"#{name}\">{name}</a></td><td>{}</td><td class=\"n\">{all}</td><td class=\"n\">{accepted}</td></tr>",
                escaped(kind.meaning())
            );
        }
    }
    out + "</tbody></table></nav>\n"
}

/// The changes that fix most findings, and what stays with each.
fn level_fixes(report: &Report) -> String {
    let rows = &report.level_fixes;
    if rows.is_empty() {
        return String::new();
    }
    let mut out = String::from("<section><h2>What would fix most</h2><ul>");
    for row in rows {
        out += &tag("li", &row.text);
    }
    out += "</ul>";
    if let Some(stay) = stay_with_each(rows, &report.findings) {
        let _ = write!(out, "<p class=\"weak\">{}</p>", escaped(&stay));
    }
    out + "</section>\n"
}

/// New findings first, expected and known ones last.
fn of_kind(body: &mut String, level: &Level, report: &Report, kind: Kind) {
    let all = report.order.iter();
    let all = all.map(|&index| (index, &report.findings[index]));
    let mut found: Vec<(usize, &Finding)> = all.filter(|(_, one)| one.kind == kind).collect();
    if found.is_empty() {
        return;
    }
    found.sort_by_key(|(_, one)| one.is_accepted());
    let name = kind.name();
    let _ = writeln!(
        body,
        "<section><h2 id=\"{name}\">{name}</h2>{}",
        tag("p", kind.meaning())
    );
    for (place, (index, finding)) in found.iter().take(FULL).enumerate() {
        let drawn = place < DRAWN && body.len() < DRAWN_BYTES;
        *body += &article(&level.replay, finding, *index, drawn);
    }
    let rest = &found[found.len().min(FULL)..];
    if !rest.is_empty() {
        *body += "<table><thead><tr><th>When</th><th>Who</th><th>Cause</th><th>What</th></tr></thead><tbody>";
        for (_, finding) in rest.iter().take(LISTED) {
            let _ = write!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                frames(finding),
                escaped(&finding.title()),
                finding.cause.id(),
                escaped(&finding.text)
            );
        }
        *body += "</tbody></table>";
    }
    left_out(body, found.len());
    *body += "</section>\n";
}

/// What the page leaves out of the findings of a kind.
fn left_out(body: &mut String, found: usize) {
    let mut parts = Vec::new();
    if found > DRAWN {
        parts.push(format!("drawings of {}", count(found - DRAWN, "finding")));
    }
    if found > FULL {
        parts.push(format!("the numbers of {}", count(found - FULL, "finding")));
    }
    if let Some(more) = found.checked_sub(FULL + LISTED).filter(|more| *more > 0) {
        parts.push(format!("{} altogether", count(more, "finding")));
    }
    if !parts.is_empty() {
        let text = format!(
            "Left out to keep this page small: {}. `hitstop check --format json` lists everything.",
            parts.join(", ")
        );
        let _ = write!(body, "<p class=\"weak\">{}</p>", escaped(&text));
    }
}

fn expectations(results: &[ExpectationResult]) -> String {
    if results.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<section><h2>Expectations</h2><table><thead><tr><th>Result</th><th>Wanted</th><th>Got</th></tr></thead><tbody>",
    );
    // Failures first, else in the scene's order.
    let mut sorted: Vec<&ExpectationResult> = results.iter().collect();
    sorted.sort_by_key(|result| result.passed);
    for result in sorted.into_iter().take(ROWS) {
        let class = match result.verdict {
            Verdict::Held => "good",
            Verdict::Failed | Verdict::HeldUnexpectedly => "bad",
            Verdict::FailedAsExpected => "calm",
            Verdict::NotJudged => "weak",
        };
        let word = result.verdict.words();
        let why = result
            .expected_to_fail
            .as_ref()
            .map_or(String::new(), |why| {
                format!(
                    "<br/><span class=\"weak\">expected to fail: {}</span>",
                    escaped(why)
                )
            });
        let _ = write!(
            out,
            "<tr><td class=\"k {class}\">{word}</td><td>{}{why}</td><td>{}</td></tr>",
            escaped(&result.wanted),
            escaped(&result.got)
        );
    }
    out += "</tbody></table>";
    if results.len() > ROWS {
        let _ = write!(
            out,
            "<p class=\"weak\">{} more are left out.</p>",
            results.len() - ROWS
        );
    }
    out + "</section>\n"
}

/// What was not checked, and what to log for it.
fn not_judged(report: &Report) -> String {
    if report.not_judged.is_empty() {
        return String::new();
    }
    let mut out = String::from("<section><h2>Not judged</h2><ul>");
    report
        .not_judged
        .iter()
        .take(ROWS)
        .for_each(|one| out += &tag("li", &one.sentence()));
    if report.not_judged.len() > ROWS {
        let _ = write!(
            out,
            "<li>{} more are left out.</li>",
            report.not_judged.len() - ROWS
        );
    }
    out + "</ul></section>\n"
}

/// Notices without the folder of the file.
fn notices(level: &Level, notices: &[String]) -> String {
    if notices.is_empty() {
        return String::new();
    }
    let folder = level
        .file
        .parent()
        .map(|folder| folder.display().to_string())
        .filter(|folder| !folder.is_empty());
    let mut out = String::from("<section><h2>Notes on the input</h2><ul>");
    for notice in notices.iter().take(ROWS) {
        let text = folder.as_ref().map_or_else(
            || notice.clone(),
            |folder| notice.replace(&format!("{folder}/"), ""),
        );
        out += &tag("li", &text);
    }
    if notices.len() > ROWS {
        let _ = write!(out, "<li>{} more are left out.</li>", notices.len() - ROWS);
    }
    out + "</ul></section>\n"
}
