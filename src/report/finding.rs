//! One finding on the page: sentence, cause, evidence, plot and drawings.

use super::gap_plot::gap_plot;
use super::html::{escaped, sentence, tag};
use super::svg;
use crate::core::diagnose::Finding;
use crate::core::number::words;
use crate::core::replay::Replay;
use crate::core::scene::UserUnits;
use crate::view::drawing::Drawing;
use crate::view::pair_view::PairView;
use std::fmt::Write as _;

/// Limit of rows; only reports from elsewhere have more.
const ROWS: usize = 40;
/// Width of drawings, points.
const WIDTH: f64 = 880.0;

/// The finding as an article; its drawings only where asked for. `index` is its place among all.
pub fn article(replay: &Replay, finding: &Finding, index: usize, drawn: bool) -> String {
    let class = if finding.is_accepted() {
        " class=\"foreseen\""
    } else {
        ""
    };
    // Writing to a String cannot fail, here and below.
    let mut out = format!(
        "<article{class} id=\"f{index}\"><h3><a class=\"number\" href=\"#f{index}\">{}</a> {}{}</h3>",
        index + 1,
        escaped(&finding.title()),
        badges(finding)
    );
    let _ = write!(
        out,
        "<p class=\"when\">{} at {:.4} of the frame · {:.4} s</p>",
        frames(finding),
        finding.fraction,
        finding.time
    );
    out += &tag("p", &finding.text);
    if drawn {
        out += &pictures(replay, finding, index);
    }
    let _ = write!(
        out,
        "<div class=\"cause\"><b>{} {}.</b> {}",
        finding.cause.id(),
        escaped(finding.cause.title()),
        sentence(finding.cause.help().meaning)
    );
    if !finding.also.is_empty() {
        let also: Vec<String> = finding
            .also
            .iter()
            .take(ROWS)
            .map(|cause| format!("{} {}", cause.id(), escaped(cause.title())))
            .collect();
        let _ = write!(
            out,
            "<br/><span class=\"weak\">Also: {}</span>",
            also.join(" · ")
        );
    }
    out += "</div><div class=\"columns\">";
    out += &evidence(finding, replay.units());
    out += &fixes(finding, replay.units());
    out += "</div>";
    out + "</article>\n"
}

/// "Frames 3 to 7": its frames at the start of a line.
pub fn frames(finding: &Finding) -> String {
    finding.frames().replacen('f', "F", 1)
}

fn badges(finding: &Finding) -> String {
    let mut out = format!(
        "<span class=\"badge {}\">{}</span>",
        if finding.is_accepted() { "calm" } else { "bad" },
        finding.kind.name()
    );
    for (holds, word) in [(finding.expected, "expected"), (finding.known, "known")] {
        if holds {
            let _ = write!(out, "<span class=\"badge weak\">{word}</span>");
        }
    }
    out
}

fn evidence(finding: &Finding, units: UserUnits) -> String {
    if finding.evidence.is_empty() {
        return String::new();
    }
    let mut out = String::from("<div><h4>Evidence</h4><div class=\"evidence\"><table>");
    for (key, value) in finding.evidence.iter().take(ROWS) {
        let _ = write!(
            out,
            "<tr><td>{}</td><td class=\"n\">{}</td></tr>",
            escaped(&words(key.name())),
            escaped(&key.text(*value, units))
        );
    }
    out + "</table></div></div>"
}

fn fixes(finding: &Finding, units: UserUnits) -> String {
    if finding.fixes.is_empty() {
        return format!(
            "<div><h4>Suggested fixes</h4>{}</div>",
            tag("p", finding.cause.help().fix)
        );
    }
    let mut out = String::from("<div><h4>Suggested fixes</h4><table>");
    for fix in finding.fixes.iter().take(ROWS) {
        for (index, fix) in fix.together().enumerate() {
            let pair_motion = if index > 0 { "together with " } else { "" };
            let own = fix.setting.as_ref().map_or_else(String::new, |setting| {
                let of = fix
                    .object
                    .as_ref()
                    .map(|object| format!(" of {}", escaped(object)));
                format!(
                    "<br/><code>{}</code>{}",
                    escaped(setting),
                    of.unwrap_or_default()
                )
            });
            let _ = write!(
                out,
                "<tr><td>{pair_motion}{}{own}</td><td class=\"n\">{}</td><td class=\"weak\">{}</td></tr>",
                escaped(&words(fix.what.name())),
                escaped(&match (fix.held_text(units), fix.detects) {
                    (Some(held), _) => held,
                    (None, Some(_)) => "held by no value".to_owned(),
                    (None, None) => "switch on".to_owned(),
                }),
                escaped(&fix.detected_text(units).unwrap_or_default())
            );
        }
    }
    out + "</table></div>"
}

fn pictures(replay: &Replay, finding: &Finding, index: usize) -> String {
    let Some((frame, pair)) = PairView::of_finding(replay, finding) else {
        return String::new();
    };
    let mut out = String::new();
    if let Some(drawing) = Drawing::of(replay, &frame, finding, pair.as_ref(), WIDTH) {
        let (svg, text) = (
            svg::element(&drawing, &format!("d{index}")),
            escaped(&drawing.text),
        );
        let _ = write!(out, "<figure>{svg}<figcaption>{text}</figcaption></figure>");
    }
    if let Some(pair) = &pair {
        let names = (finding.a.as_str(), finding.b.as_str());
        let frame_name = replay.frame_name(finding.frame);
        out += &gap_plot(pair, names, &frame_name, &format!("g{index}"));
    }
    out
}

/// The drawing of a finding; `None` without geometry.
pub fn drawing(replay: &Replay, finding: &Finding) -> Option<Drawing> {
    let (frame, pair) = PairView::of_finding(replay, finding)?;
    Drawing::of(replay, &frame, finding, pair.as_ref(), WIDTH)
}
