//! The replay page: one HTML file that plays a recording, with its findings; no network and no library.

mod data;

use super::finding::article;
use super::html::{escaped, tag};
use super::{ROWS, expectations, header, level_fixes, not_judged, notices, page, summary};
use crate::core::diagnose::{Finding, Report};
use crate::core::level::Level;
use crate::core::number::count;
use crate::core::problem::Problem;
use crate::view::drawing::view_of;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// Findings in the list, those of most harm, and those with an article and a drawing of their own.
const LISTED: usize = 2000;
const IN_FULL: usize = 200;
const DRAWN: usize = 60;
/// Bytes of articles from which drawings are left out.
const DRAWN_BYTES: usize = 4 << 20;

const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");

/// A replay page.
pub struct ReplayPage {
    /// Its text.
    pub html: String,
    /// Bytes of the recording in it.
    pub recording: usize,
    /// What it leaves out or draws otherwise, in sentences.
    pub left_out: Vec<String>,
}

/// The page of some frames of a level, both ends included.
///
/// # Errors
/// When there are no frames, or too many objects and frames for a page.
pub fn replay_page(
    level: &Level,
    report: &Report,
    frames: RangeInclusive<u32>,
) -> Result<ReplayPage, Problem> {
    let replay = &level.replay;
    let poses = replay.objects().len() * (frames.clone().count() + 1);
    if frames.is_empty() || replay.frames() == 0 {
        let help = "record at least two states";
        return Err(Problem::new(
            report.file.clone(),
            "there is nothing to play: the level has no frames",
            help,
        ));
    }
    if poses > data::POSES {
        let what = format!(
            "the page would hold {} poses, at most {} are possible",
            poses,
            data::POSES
        );
        return Err(Problem::new(
            report.file.clone(),
            what,
            "play a part: --frames A..B or --finding K; in the window, set a loop",
        ));
    }
    let inside: Vec<usize> = report
        .order
        .iter()
        .copied()
        .filter(|&index| frames.contains(&report.findings[index].frame))
        .collect();
    let recorded = data::recorded(replay, &frames, text(level, report, &frames, &inside));
    let recorded = recorded.map_err(|error| {
        Problem::new(
            report.file.clone(),
            format!("the recording cannot be packed: {error}"),
            "",
        )
    })?;
    let mut left_out = Vec::new();
    let outside = report.findings.total() - inside.len();
    if outside > 0 {
        left_out.push(format!(
            "{} are outside of the frames of this page or not listed.",
            count(outside, "finding")
        ));
    }
    if inside.len() > LISTED {
        left_out.push(format!(
            "{} of less harm are left out of the list.",
            count(inside.len() - LISTED, "finding")
        ));
    }
    if inside.len() > DRAWN {
        left_out.push(format!(
            "Drawings are made of {DRAWN} findings, numbers of {}.",
            IN_FULL.min(inside.len())
        ));
    }
    if recorded.boxes > 0 {
        left_out.push(format!(
            "{} with too many triangles for a page are drawn as boxes.",
            count(recorded.boxes, "mesh object")
        ));
    }
    let rounded = report.units.length(recorded.quantum);
    let mut body = header(level, report);
    body += "<main>\n";
    body += &summary(report);
    body += &stage(level, report, &inside);
    body += &level_fixes(report);
    body += &not_judged(report);
    body += &expectations(&report.expectations);
    body += &notices(level, &report.notices);
    if !left_out.is_empty() {
        body += "<section><h2>Left out</h2><ul>";
        left_out
            .iter()
            .take(ROWS)
            .for_each(|text| body += &tag("li", text));
        body += "</ul></section>\n";
    }
    let base64 = STANDARD.encode(&recorded.bytes);
    let _ = write!(
        body,
        "</main>\n<footer>Made by Hitstop {}. Positions are rounded to {}; between two states bodies move as the log or the scene says. \
         The recording is {} kB of this page, its program {} kB.</footer>\n\
         <script type=\"text/plain\" id=\"data\">{base64}</script>\n<script>{SCRIPT}</script>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(&rounded),
        base64.len().div_ceil(1000),
        SCRIPT.len().div_ceil(1000),
    );
    let title = format!("{} · Hitstop replay", report.name);
    Ok(ReplayPage {
        html: page::page_with(&title, &body, STYLE, "script-src 'unsafe-inline'"),
        recording: base64.len(),
        left_out,
    })
}

/// What the script is given besides the recording. It writes names as text only.
fn text(level: &Level, report: &Report, frames: &RangeInclusive<u32>, inside: &[usize]) -> Value {
    let replay = &level.replay;
    let states = *frames.start()..=*frames.end() + 1;
    let numbers: Vec<u64> = states.clone().map(|state| replay.number(state)).collect();
    let is_even = numbers.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let units = report.units;
    let (left, right, top, bottom) = super::gap_plot::inner();
    let findings = inside
        .iter()
        .take(LISTED)
        .map(|&index| listed(level, &report.findings[index], index, *frames.start()));
    json!({
        "numbers": if is_even { &numbers[..1] } else { &numbers[..] },
        "times": states.map(|state| replay.start_time() + replay.time(state)).collect::<Vec<_>>(),
        "flat": units.dimensions() == 2,
        "axes": units.axes().map(|axis| axis.to_array())[..units.dimensions()],
        "metres": units.metres(),
        "unit": units.unit("m"),
        "ground": 0.0,
        "plot": [left, right, top, bottom],
        "findings": findings.collect::<Vec<_>>(),
    })
}

fn listed(level: &Level, finding: &Finding, index: usize, first: u32) -> Value {
    let replay = &level.replay;
    let view = view_of(replay, &replay.frame(finding.frame), finding);
    let [right, up] = view.map_or([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], |view| {
        view.map(|axis| axis.to_array())
    });
    let finite =
        |numbers: [f64; 3]| numbers.map(|number| if number.is_finite() { number } else { 0.0 });
    json!({
        "i": index,
        "f": finding.frame - first,
        "l": finding.last_frame - first,
        "t": if finding.fraction.is_finite() { finding.fraction } else { 0.0 },
        "a": finding.object_a,
        "b": finding.object_b,
        "at": finite(finding.point),
        "n": finite(finding.normal),
        "r": right,
        "u": up,
        "kind": finding.kind.name(),
        "cause": finding.cause.id(),
        "title": finding.title(),
        "when": finding.frames(),
        "text": finding.text,
        "known": finding.is_accepted(),
    })
}

/// The view with its controls, the list, and the findings in full.
fn stage(level: &Level, report: &Report, inside: &[usize]) -> String {
    let mut out = String::from(
        "<div class=\"replay\"><section class=\"stage\" aria-label=\"Replay\">\
         <canvas id=\"view\" tabindex=\"0\" aria-label=\"The level; drag to orbit, shift and drag to move, wheel to zoom\"></canvas>\
         <div class=\"tag\" id=\"name-a\" hidden=\"\"></div><div class=\"tag\" id=\"name-b\" hidden=\"\"></div>\
         <div class=\"bar\"><button id=\"play\">Play</button><select id=\"speed\" aria-label=\"Speed\">\
         <option value=\"1\">1×</option><option value=\"0.25\">1/4×</option><option value=\"0.0625\">1/16×</option>\
         <option value=\"0.015625\">1/64×</option></select>\
         <label>Level <input type=\"range\" id=\"time\" min=\"0\" step=\"any\"/></label>\
         <label>In the frame <input type=\"range\" id=\"inside\" min=\"0\" max=\"1\" step=\"any\"/></label>\
         <button id=\"side\">Side view</button><button id=\"all\">Whole level</button></div>\
         <output id=\"state\">This page plays the recording with JavaScript and WebGL 2. The findings are below.</output>\
         <p class=\"keys\">Space plays, arrows step frames, comma and period move inside the frame, 1 to 9, n and p choose findings, f returns to the \
         side view, Escape shows the whole level.</p></section>\n\
         <nav id=\"list\" aria-label=\"Findings\"></nav>\n<section id=\"card\" aria-label=\"Finding\">\
         <article id=\"short\" hidden=\"\"><h3 id=\"short-title\"></h3><p id=\"short-text\"></p></article>",
    );
    for (place, &index) in inside.iter().take(IN_FULL).enumerate() {
        let is_drawn = place < DRAWN && out.len() < DRAWN_BYTES;
        out += &article(&level.replay, &report.findings[index], index, is_drawn);
    }
    out + "</section></div>\n"
}
