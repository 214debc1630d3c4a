//! docs/engines.md as generated from the table of engines.

use hitstop::core::diagnose::engines::{
    self, BothMove, Continuous, MaskRule, Measure, Preset, Switch,
};
use std::fmt::Write as _;

const HEAD: &str = "# Engines

Settings and defaults of physics engines. The `engine` (and `engine_version`) of a log or a scene selects a row, by its name in any spelling, with or without a
version, and findings then use the engine's own settings. Without a version the newest row is used, and findings write *version assumed*. An empty cell is not known.

This page is made from `src/core/diagnose/level_facts/engines.ron`. `.ci/engines` tries its values in the engines that can be installed.

## Continuous detection

What sweeps a dynamic body against others, off by default unless marked. *Substeps* are those inside one step of the engine. Where they only solve, more of them do not
stop a body that passes another between two steps, and they are not the `substeps` of a log.

| engine | against fixed bodies | against kinematic | against dynamic | of two moving bodies | follows rotation | sensors | from a step of | substeps |
|---|---|---|---|---|---|---|---|---|
";

const CONTACTS: &str = "
## Contacts

`margin` is the value to log: the overlap that the engine leaves alone, or the distance at which it makes contacts; where it has both, the larger one. *Rests*:
the overlap that its solver leaves alone. *Skin*: a radius around its shapes. Lengths are in the engine's unit, with the defaults of the engine; for another length of a unit, log what you set.

| engine | `margin` | it is | rests | skin | stiffer contacts | smaller steps |
|---|---|---|---|---|---|---|
";

const RULES: &str = "
## Rules and units

*A pair collides*: with *both*, each one's layer is in the other's mask, as in a log; with *either*, one of the two is enough.

| engine | a pair collides | one-sided | up | unit | speed is limited by |
|---|---|---|---|---|---|
";

const SOURCES: &str = "
## Sources

| engine | read in | on | tried |
|---|---|---|---|
";

fn yes(known: Option<bool>) -> &'static str {
    match known {
        Some(true) => "yes",
        Some(false) => "no",
        None => "",
    }
}

fn switch(known: Option<&Switch>) -> String {
    match known {
        None => String::new(),
        Some(Switch::Always) => "always".to_owned(),
        Some(Switch::World { set, on }) => format!("world: `{set}`{}", default(*on)),
        Some(Switch::Body { set, on }) => format!("`{set}`{}", default(*on)),
    }
}

fn default(on: bool) -> &'static str {
    if on { ", on by default" } else { "" }
}

fn detection(row: &Preset) -> String {
    let (threshold, substeps) = (row.threshold.as_ref(), row.substeps.as_ref());
    let threshold = threshold.map_or_else(String::new, |threshold| {
        let of = match threshold.of {
            Measure::InnerRadius => "inner radius",
            Measure::Extent => "width",
        };
        format!("{} of its {of}", threshold.share)
    });
    let substeps = substeps.map_or_else(String::new, |substeps| {
        let what = match substeps.detect {
            true => "test for contacts",
            false => "only solve",
        };
        format!("{} {what}", substeps.name)
    });
    let cells = match &row.continuous {
        Continuous::Absent => ["none", "none", "none", "", "", ""].map(str::to_owned),
        Continuous::Swept(coverage) => {
            let note = coverage.note.as_ref();
            let note = note.map_or_else(String::new, |note| format!(" ({note})"));
            [
                switch(coverage.fixed.as_ref()) + &note,
                switch(coverage.kinematic.as_ref()),
                switch(coverage.dynamic.as_ref()),
                match coverage.both_move {
                    Some(BothMove::OneIsEnough) => "the setting of one is enough",
                    Some(BothMove::BothNeeded) => "both need it",
                    Some(BothMove::Misses) => "each against the other at rest: some are missed",
                    None => "",
                }
                .to_owned(),
                yes(coverage.rotation).to_owned(),
                yes(coverage.sensors).to_owned(),
            ]
        }
    };
    format!("{} | {threshold} | {substeps}", cells.join(" | "))
}

fn contacts(row: &Preset) -> String {
    let (margin, slop) = (row.margin.as_ref(), row.slop.as_ref());
    let text = |known: Option<String>| known.unwrap_or_default();
    let cells = [
        text(margin.map(|margin| margin.usual.to_string())),
        text(margin.map(|margin| margin.is.clone())),
        text(slop.map(|slop| format!("{}: {}", slop.name, slop.usual))),
        text(row.skin.map(|skin| skin.to_string())),
        row.stiffer_text(),
        text(row.smaller_steps.as_ref().map(|steps| steps.say.clone())),
    ];
    cells.join(" | ")
}

fn rules(row: &Preset) -> String {
    let mask = match &row.mask {
        Some(MaskRule::Both) => "both",
        Some(MaskRule::Either) => "either",
        Some(MaskRule::Table) => "by a table of layers",
        Some(MaskRule::Callback) => "by code of the game",
        Some(MaskRule::Pairs(_)) => "pairs that the game names",
        None => "",
    };
    let text = |known: &Option<String>| known.clone().unwrap_or_default();
    let cells = [
        mask.to_owned(),
        text(&row.one_sided),
        text(&row.up),
        text(&row.unit),
        text(&row.speed_cap),
    ];
    cells.join(" | ")
}

pub fn engines() -> String {
    let mut text = String::new();
    let mut add = |head: &str, cells: &dyn Fn(&Preset) -> String| {
        text += head;
        for row in engines::table() {
            let line = format!("| {} | {} |", row.title(), cells(row));
            // A cell may have a bar of its own.
            let line = line.replace("|=", "\\|=").replace("  ", " ");
            writeln!(text, "{line}").unwrap();
        }
    };
    add(HEAD, &detection);
    add(CONTACTS, &contacts);
    add(RULES, &rules);
    let source = |row: &Preset| {
        let tried = row.tried.clone().unwrap_or_default();
        format!("{} | {} | {tried}", row.source, row.read)
    };
    add(SOURCES, &source);
    text
}
