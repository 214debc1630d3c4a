//! The tools: their names, their arguments, and what each answers.

use super::levels::{
    CompareArguments, FindingArguments, FindingsArguments, Levels, MOST, ObjectArguments,
    OpenArguments, Opened, PageArguments, PairArguments, ReproArguments, SceneArguments,
    WhyArguments, WriteArguments,
};
use super::{Failure, listed, scenes};
use crate::cli::{compare as printed, why};
use crate::core::diagnose::explain::{Candidate, Ending, candidates_of, explain};
use crate::core::diagnose::what_if::what_if;
use crate::core::diagnose::{
    Finding, FindingList, Margins, Report, SceneSelection, inline_meshes, minimal_scene,
};
use crate::core::file::from_json;
use crate::core::progress::Progress;
use crate::core::replay::compare::{Settings, Tolerance, compare};
use crate::core::repro::{engine_of, engines_for, program_of};
use crate::core::scene;
use crate::report::json;
use rmcp::model::{Tool, ToolAnnotations};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Entries of a page, and the most of them.
const PAGE: usize = 20;
const LONGEST_PAGE: usize = 100;

/// Result of a tool.
type Answer = Result<Value, Failure>;

/// What a client has opened, and where it may write.
pub struct Tools {
    /// One call at a time works on them.
    levels: Mutex<Levels>,
    folder: Option<PathBuf>,
}

/// Name, what it does, and its arguments: name, type, what, whether it is required.
type Row = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str, &'static str, bool)],
);

const LEVEL: (&str, &str, &str, bool) = ("level", "integer", "number that `open` gave", true);
const FINDING: (&str, &str, &str, bool) = ("finding", "integer", "`number` of a finding", true);
const FRAME: (&str, &str, &str, bool) = (
    "frame",
    "integer",
    "frame, counted from 0 as findings do",
    true,
);
const SCENE: (&str, &str, &str, bool) = ("scene", "string", "text of a scene (.ron)", true);
const OFFSET: (&str, &str, &str, bool) = ("offset", "integer", "entries to skip", false);
const LIMIT: (&str, &str, &str, bool) = ("limit", "integer", "entries to give, up to 100", false);

const ROWS: &[Row] = &[
    (
        "open",
        "Open a log or scene and diagnose it: its report without the findings, as `hitstop check --format json` prints it, and the level's number",
        &[(
            "path",
            "string",
            "file: .jsonl, .csv, .parquet, .ovd, .ron, .gltf, .glb",
            true,
        )],
    ),
    (
        "findings",
        "List findings of a level with cause, evidence and fixes; those that do the most harm first",
        &[
            LEVEL,
            ("kind", "string", "only this kind, e.g. Tunnels", false),
            ("cause", "string", "only this cause, e.g. C01", false),
            (
                "object",
                "string",
                "only findings about the object of this name",
                false,
            ),
            OFFSET,
            LIMIT,
        ],
    ),
    (
        "explain",
        "Every step of the test of two objects in a frame, with the results",
        &[
            LEVEL,
            FRAME,
            ("a", "string", "name of one object", true),
            ("b", "string", "name of the other", true),
        ],
    ),
    (
        "why_not",
        "Every other object of a frame, nearest first, and whether and why it is hit or not",
        &[
            LEVEL,
            FRAME,
            ("object", "string", "name of the object", true),
            OFFSET,
            LIMIT,
        ],
    ),
    (
        "why",
        "What changed the motion of an object, step by step, back to where it begins: gravity, contacts, pushes, joints, and its findings",
        &[
            LEVEL,
            ("object", "string", "name of the object", true),
            (
                "frame",
                "integer",
                "frame, counted from 0; the end of the level without it",
                false,
            ),
        ],
    ),
    (
        "what_if",
        "The smallest change of each setting that removes a finding",
        &[LEVEL, FINDING],
    ),
    (
        "margins",
        "The closest calls of a level: pairs that stayed below the limit of an overlap test, the closest first",
        &[LEVEL, OFFSET, LIMIT],
    ),
    (
        "compare",
        "Compare two open levels: where each object first differs",
        &[
            ("a", "integer", "number of a level", true),
            ("b", "integer", "number of the other", true),
            ("tolerance", "number", "metres that count as equal", false),
            ("angle", "number", "radians that count as equal", false),
        ],
    ),
    (
        "minimal_scene",
        "The two objects of a finding as a small scene that reproduces it",
        &[LEVEL, FINDING],
    ),
    (
        "repro",
        "A finding as a program of an engine that fails before its fix and passes after it",
        &[
            LEVEL,
            FINDING,
            (
                "engine",
                "string",
                "name of an engine with a template",
                true,
            ),
        ],
    ),
    (
        "check_scene",
        "Diagnose the text of a scene; it reads no other file",
        &[SCENE],
    ),
    (
        "write_scene",
        "Write a scene into the folder that the user allowed",
        &[
            (
                "name",
                "string",
                "path below the folder, ending in .ron",
                true,
            ),
            SCENE,
        ],
    ),
];

impl Tools {
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self {
            levels: Mutex::default(),
            folder,
        }
    }

    /// The tools that a client may call.
    pub fn list(&self) -> Vec<Tool> {
        let allowed = |row: &&Row| row.0 != "write_scene" || self.folder.is_some();
        ROWS.iter().filter(allowed).map(tool).collect()
    }

    /// Calls a tool; `None` if there is none of this name.
    pub fn call(&self, name: &str, arguments: Value, progress: &dyn Progress) -> Option<Answer> {
        self.list().iter().find(|tool| tool.name == name)?;
        let mut levels = self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        Some(match name {
            "open" => open(&mut levels, arguments, progress),
            "findings" => findings(&levels, arguments),
            "explain" => explained(&levels, arguments),
            "why_not" => why_not(&levels, arguments),
            "why" => why_of(&levels, arguments, progress),
            "what_if" => what_if_of(&levels, arguments, progress),
            "margins" => margins(&levels, arguments),
            "compare" => compared(&levels, arguments, progress),
            "minimal_scene" => scene_of(&levels, arguments, progress),
            "repro" => repro(&levels, arguments, progress),
            "check_scene" => check_scene(arguments, progress),
            "write_scene" => write_scene(self.folder.as_deref()?, arguments, progress),
            _ => return None,
        })
    }
}

fn open(levels: &mut Levels, arguments: Value, progress: &dyn Progress) -> Answer {
    let OpenArguments { path } = read(arguments)?;
    let opened = levels.open(&path, progress)?;
    let findings = opened.report.findings.total();
    Ok(json!({
        "level": opened.id, "findings": findings, "open_at_most": MOST, "notices": listed(&opened.level.notices),
        "report": written(without_lists(&opened.report))?,
    }))
}

/// A report without what has a tool of its own.
fn without_lists(report: &Report) -> Report {
    Report {
        findings: FindingList::default(),
        order: Vec::new(),
        margins: None,
        ..report.clone()
    }
}

fn findings(levels: &Levels, arguments: Value) -> Answer {
    let asked: FindingsArguments = read(arguments)?;
    let opened = levels.get(asked.level)?;
    let object = asked.object.as_deref();
    let object = object.map(|name| opened.object(name)).transpose()?;
    let fits = |finding: &Finding| {
        asked
            .kind
            .as_ref()
            .is_none_or(|kind| kind == finding.kind.name())
            && asked
                .cause
                .as_ref()
                .is_none_or(|cause| cause == finding.cause.id())
            && object.is_none_or(|object| finding.is_about(object))
    };
    let in_order = opened.report.order.iter();
    let all: Vec<(usize, &Finding)> = in_order
        .filter_map(|index| Some((index + 1, opened.report.findings.get(*index)?)))
        .filter(|(_, finding)| fits(finding))
        .collect();
    let page = page(&all, asked.offset, asked.limit).iter();
    let page: Result<Vec<Value>, Failure> = page
        .map(|(number, finding)| of_finding(opened, *number, finding))
        .collect();
    Ok(json!({ "total": all.len(), "offset": asked.offset, "findings": page? }))
}

fn explained(levels: &Levels, arguments: Value) -> Answer {
    let asked: PairArguments = read(arguments)?;
    let opened = levels.get(asked.level)?;
    let (a, b) = (opened.object(&asked.a)?, opened.object(&asked.b)?);
    let explanation = explain(&opened.level.replay, &*opened.frame(asked.frame)?, a, b);
    Ok(json!({
        "a": asked.a, "b": asked.b, "frame": asked.frame, "result": explanation.summary().1,
        "steps": explanation.sentences(),
    }))
}

fn why_not(levels: &Levels, arguments: Value) -> Answer {
    let asked: ObjectArguments = read(arguments)?;
    let opened = levels.get(asked.level)?;
    let object = opened.object(&asked.object)?;
    let frame = opened.frame(asked.frame)?;
    let all = candidates_of(&opened.level.replay, &frame, object);
    let units = opened.level.replay.units();
    let one = |candidate: &Candidate| {
        let ending = match candidate.ending {
            Ending::NoPair => "no pair",
            Ending::Absent(..) => "absent",
            Ending::Masked => "excluded",
            Ending::LeftOut => "left out by the broad phase",
            Ending::Swept(outcome) => outcome.name(),
        };
        let distance = Some(units.value(candidate.distance, "m"));
        json!({
            "name": candidate.name, "ending": ending, "text": candidate.summary(units).1,
            "distance": distance.filter(|distance| distance.is_finite()), "excluded": !candidate.filter.lets_pass(),
        })
    };
    let page: Vec<Value> = page(&all, asked.offset, asked.limit)
        .iter()
        .map(one)
        .collect();
    Ok(json!({ "total": all.len(), "offset": asked.offset, "objects": page }))
}

fn why_of(levels: &Levels, arguments: Value, progress: &dyn Progress) -> Answer {
    let asked: WhyArguments = read(arguments)?;
    let opened = levels.get(asked.level)?;
    let (replay, object) = (&opened.level.replay, opened.object(&asked.object)?);
    let found = why::explained(replay, object, asked.frame, progress);
    let found = found.map_err(|(what, help)| Failure::new(what, help))?;
    let found = found.with_findings(&opened.report.findings);
    why::value(&found, replay).map_err(Failure::fault)
}

fn what_if_of(levels: &Levels, arguments: Value, progress: &dyn Progress) -> Answer {
    let asked: FindingArguments = read(arguments)?;
    let opened = levels.get(asked.level)?;
    let mut finding = opened.finding(asked.finding)?.clone();
    finding.what_if = what_if(&opened.level.replay, &finding, progress);
    if finding.what_if.is_none() {
        let what = "no other numbers can be tried on this finding";
        return Err(Failure::new(what, "its `fixes` are in `findings`"));
    }
    of_finding(opened, asked.finding, &finding)
}

fn margins(levels: &Levels, arguments: Value) -> Answer {
    let asked: PageArguments = read(arguments)?;
    let opened = levels.get(asked.level)?;
    let Some(closest) = &opened.report.margins else {
        return Err(Failure::new(
            "the level has no closest calls",
            "see `findings`",
        ));
    };
    let text = closest.sentence(opened.level.replay.units());
    let (total, shown) = (
        closest.pairs.len(),
        page(&closest.pairs, asked.offset, asked.limit),
    );
    let some = Margins {
        pairs: shown.to_vec(),
        ..closest.clone()
    };
    let mut report = written(Report {
        margins: Some(some),
        ..without_lists(&opened.report)
    })?;
    Ok(
        json!({ "total": total, "offset": asked.offset, "text": text, "margins": report["margins"].take() }),
    )
}

fn compared(levels: &Levels, arguments: Value, progress: &dyn Progress) -> Answer {
    let asked: CompareArguments = read(arguments)?;
    let (a, b) = (levels.get(asked.a)?, levels.get(asked.b)?);
    let good = |value: f64| value >= 0.0 && value.is_finite();
    if !good(asked.tolerance) || !good(asked.angle) {
        return Err(Failure::new(
            "a tolerance is a number >= 0",
            "leave it out for equal bits",
        ));
    }
    let settings = Settings {
        tolerance: Tolerance {
            position: asked.tolerance,
            rotation: asked.angle,
        },
        ..Settings::default()
    };
    let sides = (
        (&*a.report.file, &*a.level.replay),
        (&*b.report.file, &*b.level.replay),
    );
    let comparison =
        compare(sides.0, sides.1, &settings, progress).ok_or_else(Failure::cancelled)?;
    printed::value(&comparison).map_err(Failure::fault)
}

fn scene_of(levels: &Levels, arguments: Value, progress: &dyn Progress) -> Answer {
    let asked: FindingArguments = read(arguments)?;
    let opened = levels.get(asked.level)?;
    let finding = opened.finding(asked.finding)?;
    let selection = SceneSelection::Finding(finding);
    let made = minimal_scene(&opened.level, finding.frame, selection, progress);
    let (mut scene, left_out) = made.map_err(|what| Failure::new(what, "take another finding"))?;
    inline_meshes(&mut scene);
    Ok(json!({ "scene": scene::write(&scene), "notices": listed(&left_out) }))
}

fn repro(levels: &Levels, arguments: Value, progress: &dyn Progress) -> Answer {
    let asked: ReproArguments = read(arguments)?;
    let opened = levels.get(asked.level)?;
    let finding = opened.finding(asked.finding)?;
    let flat = opened.level.replay.units().units.flat;
    let engine = engine_of(&asked.engine, flat).ok_or_else(|| {
        let names: Vec<&str> = engines_for(flat).map(|engine| engine.name).collect();
        let what = "there is no template of this engine for the level";
        Failure::new(what, format!("take one of {}", names.join(", ")))
    })?;
    let program = program_of(&opened.level, finding, engine, progress);
    let program = program.map_err(|what| Failure::new(what, "take `minimal_scene`"))?;
    Ok(json!({ "program": program.text, "file": format!("repro.{}", engine.ending()) }))
}

fn write_scene(folder: &Path, arguments: Value, progress: &dyn Progress) -> Answer {
    let asked: WriteArguments = read(arguments)?;
    let path = scenes::write(folder, &asked.name, &asked.scene, progress)?;
    Ok(json!({ "written": path.display().to_string() }))
}

fn check_scene(arguments: Value, progress: &dyn Progress) -> Answer {
    let SceneArguments { scene } = read(arguments)?;
    let report = Report {
        margins: None,
        ..scenes::check(&scene, "scene.ron", progress)?
    };
    Ok(json!({ "report": written(report)? }))
}

/// Arguments by their fields.
fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, Failure> {
    serde_json::from_value(arguments).map_err(|error| {
        Failure::new(
            format!("the arguments cannot be used: {error}"),
            "see the tool's input schema",
        )
    })
}

/// A report as `check` prints it.
fn written(report: Report) -> Answer {
    let mut text = Vec::new();
    json::write(report, &mut text)
        .and_then(|()| from_json(&text))
        .map_err(Failure::fault)
}

fn of_finding(opened: &Opened, number: usize, finding: &Finding) -> Answer {
    let value = json::finding(finding, opened.level.replay.units());
    let mut value = value.map_err(Failure::fault)?;
    if let Value::Object(fields) = &mut value {
        fields.insert("number".to_owned(), number.into());
    }
    Ok(value)
}

fn page<T>(all: &[T], offset: usize, limit: Option<usize>) -> &[T] {
    let from = offset.min(all.len());
    let limit = limit.unwrap_or(PAGE).min(LONGEST_PAGE);
    &all[from..all.len().min(from.saturating_add(limit))]
}

fn tool((name, what, fields): &Row) -> Tool {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|(field, kind, about, _)| {
            (
                (*field).to_owned(),
                json!({ "type": kind, "description": about }),
            )
        })
        .collect();
    let required: Vec<&str> = fields
        .iter()
        .filter(|field| field.3)
        .map(|field| field.0)
        .collect();
    let schema = json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    let Value::Object(schema) = schema else {
        unreachable!("it is written as an object");
    };
    let reads_only = *name != "write_scene";
    Tool::new(*name, *what, Arc::new(schema)).annotate(ToolAnnotations::new().read_only(reads_only))
}
