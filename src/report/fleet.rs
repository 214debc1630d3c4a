//! The page of many files: which builds got worse, which levels have most findings, which fix would remove most.

use super::html::{escaped, tag};
use super::page;
use crate::core::fleet::{Count, Fleet, in_order, most_first};
use crate::core::number::{count, grouped, number, percent, words};
use std::fmt::Write as _;

/// Most rows of a table.
const ROWS: usize = 40;

/// Most builds that are the columns of a table, the last ones.
const COLUMNS: usize = 8;

/// The page over all files. All text of files is escaped.
pub fn fleet_page(fleet: &Fleet) -> String {
    let mut body = header(fleet);
    body += "<main>\n";
    body += &verdict(fleet);
    body += &builds(fleet);
    let levels = most_first(&fleet.levels);
    let levels = levels.into_iter().map(|(name, it)| (name.clone(), it));
    body += &counts("Levels with most findings", "Level", levels.collect());
    body += &levels_of_builds(fleet);
    body += &fixes(fleet);
    let causes = most_first(&fleet.causes).into_iter();
    let causes = causes.map(|(cause, it)| (format!("{} {}", cause.id(), cause.title()), it));
    body += &counts("Causes", "Cause", causes.collect());
    let objects = most_first(&fleet.objects);
    let objects = objects.into_iter().map(|(name, it)| (name.clone(), it));
    body += &counts("Objects, both of each pair", "Object", objects.collect());
    body += &errors(fleet);
    // Writing to a String cannot fail, here and below.
    let _ = write!(
        body,
        "</main>\n<footer>Made by Hitstop {}.</footer>\n",
        env!("CARGO_PKG_VERSION")
    );
    page::page("Fleet · Hitstop report", &body)
}

fn header(fleet: &Fleet) -> String {
    let mut out = String::from("<header><h1>Fleet</h1><dl class=\"identity\">");
    let builds = fleet.builds.keys().filter(|build| !build.is_empty());
    let mut facts = vec![
        ("Files", fleet.files),
        ("Not usable", fleet.unusable),
        ("Levels", fleet.levels.len()),
        ("Builds", builds.count()),
        ("Findings", fleet.findings),
        ("Expected or known", fleet.expected + fleet.known),
    ];
    if let Some(earlier) = &fleet.earlier {
        facts.push(("Fixed", earlier.fixed));
        facts.push(("Files without an earlier result", earlier.new_files));
        facts.push(("Files with only an earlier result", earlier.missing_files));
    }
    for (name, value) in facts {
        let _ = write!(out, "<div><dt>{name}</dt><dd>{}</dd></div>", grouped(value));
    }
    out + "</dl></header>\n"
}

fn verdict(fleet: &Fleet) -> String {
    let parts = [
        (fleet.new_findings(), "new finding"),
        (fleet.failed, "failed expectation"),
        (fleet.unusable, "unusable file"),
    ];
    let bad = parts.into_iter().filter(|(number, _)| *number > 0);
    let bad: Vec<String> = bad.map(|(number, what)| count(number, what)).collect();
    match bad.is_empty() {
        true => "<p class=\"verdict good\">No new finding.</p>".to_owned(),
        false => format!("<p class=\"verdict bad\">{}.</p>", bad.join(", ")),
    }
}

/// A bar of a share of the largest value, 0 to 1.
fn bar(class: &str, share: f64) -> String {
    let width = number(100.0 * share.clamp(0.0, 1.0));
    format!("<td class=\"chart\"><span class=\"{class}\" style=\"width:{width}%\"></span></td>")
}

fn shown(name: &str) -> String {
    match name {
        "" => "<td class=\"weak\">unknown</td>".to_owned(),
        name => tag("td", name),
    }
}

/// The head of a table.
fn head(columns: &[&str]) -> String {
    let mut out = String::from("<table class=\"counts\"><thead><tr>");
    for (index, column) in columns.iter().enumerate() {
        let class = match (index, *column) {
            (0, _) => "",
            // Above the bars.
            (_, "") => "chart",
            _ => "n",
        };
        let _ = write!(out, "<th class=\"{class}\">{column}</th>");
    }
    out + "</tr></thead><tbody>"
}

/// Builds in their order, each against the one before it.
fn builds(fleet: &Fleet) -> String {
    let all = in_order(&fleet.builds);
    if all.iter().all(|(build, _)| build.is_empty()) {
        return String::new();
    }
    let most = all.iter().map(|(_, it)| it.per_file()).fold(0.0, f64::max);
    let mut out = String::from("<section><h2>Builds</h2>");
    out += &head(&[
        "Build",
        "Files",
        "Findings",
        "Findings per file",
        "Change",
        "",
    ]);
    let first = all.len().saturating_sub(ROWS);
    for (index, (build, it)) in all.iter().enumerate().skip(first) {
        let before = index.checked_sub(1).map(|before| all[before]);
        let before = before.filter(|(name, _)| !name.is_empty());
        let rate = it.per_file();
        let _ = write!(
            out,
            "<tr>{}<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>{}{}</tr>",
            shown(build),
            grouped(it.files),
            grouped(it.findings),
            number(rate),
            change(before.map(|(_, before)| before.per_file()), rate),
            bar("all", if most > 0.0 { rate / most } else { 0.0 }),
        );
    }
    out += "</tbody></table>";
    if first > 0 {
        let _ = write!(
            out,
            "<p class=\"weak\">{} are left out.</p>",
            count(first, "earlier build")
        );
    }
    out += &tag(
        "p",
        "Change: of the findings per file, since the build before. Two builds are comparable if they ran the same levels.",
    );
    out + "</section>\n"
}

/// Findings per file of each level in the last builds.
fn levels_of_builds(fleet: &Fleet) -> String {
    let all = in_order(&fleet.builds);
    let builds = &all[all.len().saturating_sub(COLUMNS)..];
    let mut levels = most_first(&fleet.levels);
    levels.truncate(ROWS);
    if builds.len() < 2 || levels.is_empty() {
        return String::new();
    }
    let rate = |level: &String, build: &String| {
        let key = (level.clone(), build.clone());
        fleet.levels_of_builds.get(&key).map(Count::per_file)
    };
    let rates = levels.iter().map(|(level, _)| {
        let rates = builds.iter().map(|(build, _)| rate(level, build));
        rates.collect::<Vec<_>>()
    });
    let rates: Vec<Vec<Option<f64>>> = rates.collect();
    let most = rates
        .iter()
        .flatten()
        .flatten()
        .copied()
        .fold(0.0, f64::max);
    let mut columns = vec!["Level".to_owned()];
    columns.extend(builds.iter().map(|(build, _)| match build.as_str() {
        "" => "unknown".to_owned(),
        build => escaped(build),
    }));
    let mut out = String::from("<section><h2>Findings per file by level and build</h2>");
    out += &head(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    for ((level, _), rates) in levels.iter().zip(&rates) {
        let _ = write!(out, "<tr>{}", shown(level));
        for rate in rates {
            out += &match rate {
                None => "<td class=\"n weak\">–</td>".to_owned(),
                Some(rate) => tinted(*rate, most),
            };
        }
        out += "</tr>";
    }
    out + "</tbody></table></section>\n"
}

/// A cell with a number, the redder the nearer to the largest.
fn tinted(value: f64, most: f64) -> String {
    let tint = number(if most > 0.0 { 45.0 * value / most } else { 0.0 });
    format!(
        "<td class=\"n\" style=\"background:color-mix(in srgb,var(--bad) {tint}%,transparent)\">{}</td>",
        number(value)
    )
}

/// A cell with the change from one number to the next.
fn change(before: Option<f64>, now: f64) -> String {
    let (class, text) = match before {
        None => ("", String::new()),
        Some(before) if now == before => ("", "same".to_owned()),
        Some(0.0) => ("bad", "worse".to_owned()),
        Some(before) if now > before => ("bad", format!("+{}", percent(now / before - 1.0))),
        Some(before) => ("good", format!("−{}", percent(1.0 - now / before))),
    };
    format!("<td class=\"n {class}\">{text}</td>")
}

/// A table of counts, with bars of the new and the accepted findings.
fn counts(title: &str, what: &str, rows: Vec<(String, &Count)>) -> String {
    let Some(most) = rows.iter().map(|(_, it)| it.findings).max() else {
        return String::new();
    };
    let mut out = format!("<section><h2>{title}</h2>");
    out += &head(&[what, "Files", "Findings", "New", ""]);
    for (name, it) in rows.iter().take(ROWS) {
        let _ = write!(
            out,
            "<tr>{}<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>{}</tr>",
            shown(name),
            grouped(it.files),
            grouped(it.findings),
            grouped(it.new),
            bar("all", it.findings as f64 / most as f64),
        );
    }
    out += "</tbody></table>";
    if rows.len() > ROWS {
        let _ = write!(
            out,
            "<p class=\"weak\">{} more with fewer findings.</p>",
            grouped(rows.len() - ROWS)
        );
    }
    out + "</section>\n"
}

fn fixes(fleet: &Fleet) -> String {
    let best = fleet.best_fixes();
    if best.is_empty() {
        return String::new();
    }
    let mut out = String::from("<section><h2>Fixes that would remove most findings</h2>");
    out += &head(&[
        "Change",
        "Findings",
        "Value for half",
        "For 90 %",
        "For all",
        "",
    ]);
    for (what, values) in best {
        let share = values.findings as f64 / fleet.findings as f64;
        let _ = write!(
            out,
            "<tr>{}<td class=\"n\">{} ({})</td>",
            tag("td", &words(what.name())),
            grouped(values.findings),
            percent(share)
        );
        for part in [0.5, 0.9, 1.0] {
            let value = values.enough_for(part, what);
            let _ = write!(
                out,
                "<td class=\"n\">{} {}</td>",
                what.bound(),
                escaped(&value)
            );
        }
        out += &bar("good", share);
        out += "</tr>";
    }
    out += "</tbody></table>";
    out += &tag(
        "p",
        "Each finding names the values that fix it by itself; the values here are enough for that part of the findings. The change was not tested on whole levels.",
    );
    out + "</section>\n"
}

fn errors(fleet: &Fleet) -> String {
    if fleet.errors.is_empty() {
        return String::new();
    }
    let mut out = String::from("<section><h2>Files that could not be used</h2><ul>");
    for problem in &fleet.errors {
        out += &tag("li", &problem.to_string());
    }
    out += "</ul>";
    let more = fleet.unusable - fleet.errors.len();
    if more > 0 {
        let _ = write!(out, "<p class=\"weak\">{} more.</p>", grouped(more));
    }
    out + "</section>\n"
}
