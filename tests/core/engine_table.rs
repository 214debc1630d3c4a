//! docs/engines.md as generated from the table of engines.

use hitstop::core::diagnose::engines::{
    self, BothMove, Continuous, Coverage, MaskRule, Measure, Preset, Switch,
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

/// A column of the tables.
#[derive(Clone, Copy)]
pub enum Column {
    Fixed,
    Kinematic,
    BothMove,
    Rotation,
    Sensors,
    Threshold,
    Margin,
    Rests,
    Stiffer,
    SmallerSteps,
    Mask,
    OneSided,
    SpeedCap,
}

impl Column {
    /// The section of docs/engines.md that has it.
    pub fn section(self) -> &'static str {
        match self {
            Self::Fixed | Self::Kinematic | Self::BothMove => "continuous-detection",
            Self::Rotation | Self::Sensors | Self::Threshold => "continuous-detection",
            Self::Margin | Self::Rests | Self::Stiffer | Self::SmallerSteps => "contacts",
            Self::Mask | Self::OneSided | Self::SpeedCap => "rules-and-units",
        }
    }

    /// What its cells are about, before a list of them.
    pub fn lead(self) -> &'static str {
        match self {
            Self::Fixed => "Continuous detection against fixed bodies. ",
            Self::Kinematic => "Continuous detection against kinematic bodies. ",
            Self::BothMove => "Continuous detection of two moving bodies. ",
            Self::Rotation => "Whether continuous detection follows the rotation. ",
            Self::Sensors => "Whether continuous detection includes sensors. ",
            Self::Threshold => "The travel in a step from which on a body is swept. ",
            Self::Margin => "The margin. ",
            Self::Rests => "The overlap that is left alone. ",
            Self::Stiffer => "Stiffer contacts. ",
            Self::SmallerSteps => "Smaller steps. ",
            Self::Mask => "A pair collides by the masks of both, by one of them, or otherwise. ",
            Self::OneSided => "What collides from one side. ",
            Self::SpeedCap => "The limit of the speed. ",
        }
    }
}

/// The cell of a row; empty where it is not known.
pub fn cell(row: &Preset, column: Column) -> String {
    let text = |known: &Option<String>| known.clone().unwrap_or_default();
    let swept = match &row.continuous {
        Continuous::Absent => None,
        Continuous::Swept(coverage) => Some(coverage),
    };
    let of_sweep = |cell: &dyn Fn(&Coverage) -> String| swept.map_or("none".to_owned(), cell);
    match column {
        Column::Fixed => of_sweep(&|swept| switch(swept.fixed.as_ref()) + &note(swept)),
        Column::Kinematic => of_sweep(&|swept| switch(swept.kinematic.as_ref())),
        Column::BothMove => of_sweep(&both_move),
        Column::Rotation => of_sweep(&|swept| yes(swept.rotation).to_owned()),
        Column::Sensors => of_sweep(&|swept| yes(swept.sensors).to_owned()),
        Column::Threshold => threshold(row),
        Column::Margin => {
            let margin = row.margin.as_ref();
            margin.map_or_else(String::new, |margin| margin.is.clone())
        }
        Column::Rests => rests(row),
        Column::Stiffer => row.stiffer_text(),
        Column::SmallerSteps => {
            let steps = row.smaller_steps.as_ref();
            steps.map_or_else(String::new, |steps| steps.say.clone())
        }
        Column::Mask => mask(row).to_owned(),
        Column::OneSided => text(&row.one_sided),
        Column::SpeedCap => text(&row.speed_cap),
    }
}

fn note(swept: &Coverage) -> String {
    let note = swept.note.as_ref();
    note.map_or_else(String::new, |note| format!(" ({note})"))
}

fn both_move(swept: &Coverage) -> String {
    let kinematic = match swept.kinematic_rests {
        true => "; a kinematic one is swept against where it is",
        false => "",
    };
    let both = match swept.both_move {
        Some(BothMove::OneIsEnough) => "the setting of one is enough",
        Some(BothMove::BothNeeded) => "both need it",
        Some(BothMove::Misses) => "each against the other at rest: some are missed",
        None => "",
    };
    format!("{both}{kinematic}")
}

fn threshold(row: &Preset) -> String {
    row.threshold.as_ref().map_or_else(String::new, |it| {
        let of = match it.of {
            Measure::InnerRadius => "inner radius",
            Measure::Extent => "width",
        };
        format!("{} of its {of}", it.share)
    })
}

fn rests(row: &Preset) -> String {
    let slop = row.slop.as_ref();
    slop.map_or_else(String::new, |slop| format!("{}: {}", slop.name, slop.usual))
}

fn mask(row: &Preset) -> &'static str {
    match &row.mask {
        Some(MaskRule::Both) => "both",
        Some(MaskRule::Either) => "either",
        Some(MaskRule::Table) => "by a table of layers",
        Some(MaskRule::Callback) => "by code of the game",
        Some(MaskRule::Pairs(_)) => "pairs that the game names",
        None => "",
    }
}

fn detection(row: &Preset) -> String {
    let substeps = row.substeps.as_ref();
    let threshold = threshold(row);
    let substeps = substeps.map_or_else(String::new, |substeps| {
        let what = match substeps.detect {
            true => "test for contacts",
            false => "only solve",
        };
        format!("{} {what}", substeps.name)
    });
    let cells = match &row.continuous {
        Continuous::Absent => ["none", "none", "none", "", "", ""].map(str::to_owned),
        Continuous::Swept(coverage) => [
            switch(coverage.fixed.as_ref()) + &note(coverage),
            switch(coverage.kinematic.as_ref()),
            switch(coverage.dynamic.as_ref()),
            both_move(coverage),
            yes(coverage.rotation).to_owned(),
            yes(coverage.sensors).to_owned(),
        ],
    };
    format!("{} | {threshold} | {substeps}", cells.join(" | "))
}

fn contacts(row: &Preset) -> String {
    let margin = row.margin.as_ref();
    let text = |known: Option<String>| known.unwrap_or_default();
    let cells = [
        text(margin.map(|margin| margin.usual.to_string())),
        text(margin.map(|margin| margin.is.clone())),
        rests(row),
        text(row.skin.map(|skin| skin.to_string())),
        row.stiffer_text(),
        text(row.smaller_steps.as_ref().map(|steps| steps.say.clone())),
    ];
    cells.join(" | ")
}

fn rules(row: &Preset) -> String {
    let text = |known: &Option<String>| known.clone().unwrap_or_default();
    let cells = [
        mask(row).to_owned(),
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
