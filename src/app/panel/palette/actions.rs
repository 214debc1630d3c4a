//! The actions of the panels' buttons as lines of the palette.

use super::{Line, LineKind};
use crate::app::command::Command;
use crate::app::command::arguments::Preset;
use crate::app::model::document::Document;
use crate::app::model::playback::SPEEDS;
use crate::app::model::{Model, Session};
use crate::app::view_state::{FreezeOn, GroupBy, Layer, Show, SortBy};
use crate::core::diagnose::Kind;
use crate::core::edit::toggle_camera;
use crate::core::query::probe::ProbeMode;
use crate::core::scene::Expectation;
use egui_material_icons::{MaterialIcon, icons};
use glam::DVec3;

/// The lines for the actions of the panels.
pub fn lines(model: &Model) -> Vec<Line> {
    let mut lines = Vec::new();
    if model.session.is_some() {
        of_probe(model, &mut lines);
        of_scene(model, &mut lines);
        of_view(model, &mut lines);
    }
    lines
}

fn line(
    text: String,
    synonyms: &'static str,
    help: &str,
    icon: MaterialIcon,
    command: Command,
) -> Line {
    Line {
        kind: LineKind::Command,
        text,
        synonyms,
        is_available: true,
        aside: String::new(),
        help: help.to_owned(),
        icon,
        command,
    }
}

/// The presets and modes of the camera's probe.
fn of_probe(model: &Model, list: &mut Vec<Line>) {
    let Some(Session { probe, .. }) = &model.session else {
        return;
    };
    for preset in Preset::ALL {
        let text = format!("Camera: Probe lines, {}", lower(preset.title()));
        let help = "Set the lines of the probe in the Camera panel";
        let command = Command::SetProbePreset(preset);
        let icon = icons::ICON_VIDEOCAM;
        list.push(line(text, "preset set standard rays", help, icon, command));
    }
    for (mode, name) in [
        (ProbeMode::InOrder, "in order"),
        (ProbeMode::Deepest, "deepest first"),
    ] {
        let text = format!("Camera: Probe mode, {name}");
        let help = "The order of the pushes where the probe hits several triangles";
        let command = Command::SetProbeMode(mode);
        list.push(line(text, "act push", help, icons::ICON_VIDEOCAM, command));
    }
    let mut lines = probe.lines().to_vec();
    lines.push(DVec3::Z * 0.5);
    let text = "Camera: Add a line to the probe".to_owned();
    let help = "Add a line of half a metre, forward and backward";
    let command = Command::SetProbeLines(lines);
    list.push(line(text, "new ray", help, icons::ICON_ADD, command));
}

/// The actions of the scene's forms.
fn of_scene(model: &Model, list: &mut Vec<Line>) {
    let Some(scene_doc) = model.scene_doc() else {
        return;
    };
    let scene = &scene_doc.scene;
    let (text, change) = toggle_camera(scene);
    let help = "A camera with a probe that keeps it away from surfaces";
    let command = Command::Edit(change);
    let text = format!("Camera: {text}");
    list.push(line(
        text,
        "viewer eye",
        help,
        icons::ICON_VIDEOCAM,
        command,
    ));
    let help = "Add an expectation to the scene, so that hitstop check fails when this changes";
    let mut expect = |text: &str, wanted: Expectation| {
        let known = scene.expect.iter().any(|one| one.expectation == wanted);
        if !known {
            let text = format!("Findings: {text}");
            let command = Command::Expect(wanted);
            let synonyms = "expectation claim assert test";
            list.push(line(text, synonyms, help, icons::ICON_FACT_CHECK, command));
        }
    };
    expect("Expect no findings", Expectation::NoFindings { kind: None });
    let name = |id: u32| scene.objects.get(id as usize).map(|one| one.name.clone());
    let pair = model.selection.pair();
    if let Some((a, b)) = pair.and_then(|(a, b)| Some((name(a)?, name(b)?))) {
        expect(
            "Expect that the pair touches",
            Expectation::Touches { a, b },
        );
    }
}

/// Layers, plots, kinds of findings, playback speeds and freeze events.
fn of_view(model: &Model, list: &mut Vec<Line>) {
    for layer in Layer::ALL {
        for (show, option) in [
            (Show::None, "none"),
            (Show::Selected, "selected"),
            (Show::All, "all"),
        ] {
            if model.layers.get(layer) != show {
                let text = format!("View: {}, {option}", layer.label());
                let command = Command::ShowLayer(layer, show);
                let synonyms = "layer draw show hide overlay";
                list.push(line(
                    text,
                    synonyms,
                    layer.help(),
                    icons::ICON_LAYERS,
                    command,
                ));
            }
        }
    }
    for level in model
        .deepest_sphere_level()
        .into_iter()
        .flat_map(|deepest| 0..=deepest)
    {
        let text = format!("View: Sphere trees, level {level}");
        let command = Command::SphereLevel(level);
        let (synonyms, help) = ("bounding sphere hierarchy layer", Layer::SphereTrees.help());
        list.push(line(text, synonyms, help, icons::ICON_LAYERS, command));
    }
    let replay = model.document().map(Document::replay);
    for quantity in replay.iter().flat_map(|replay| replay.quantities()) {
        let on = model.plotted.quantities.contains(&quantity);
        let verb = if on { "Hide plot of" } else { "Plot" };
        let text = format!(
            "View: {verb} {}",
            replay.map_or("", |it| it.quantity_name(quantity))
        );
        let command = Command::Plot(quantity, !on);
        let icon = icons::ICON_MULTILINE_CHART;
        list.push(line(text, "graph curve", quantity.help(), icon, command));
    }
    for kind in Kind::ALL {
        let hidden = model.ui_state.findings.hidden_kinds.contains(&kind);
        let verb = if hidden { "List" } else { "Hide" };
        let text = format!("Findings: {verb} {}", kind.name());
        let command = Command::ShowKind(kind, hidden);
        let icon = icons::ICON_FILTER_LIST;
        list.push(line(text, "filter show hide kind", "", icon, command));
    }
    let options = &model.ui_state.findings;
    for group in GroupBy::ALL
        .into_iter()
        .filter(|group| *group != options.group)
    {
        let text = format!("Findings: Group by {}", lower(group.name()));
        let command = Command::GroupFindings(group);
        list.push(line(
            text,
            "tree list",
            "",
            icons::ICON_ACCOUNT_TREE,
            command,
        ));
    }
    for sort in SortBy::ALL.into_iter().filter(|sort| *sort != options.sort) {
        let text = format!("Findings: Sort by {}", lower(sort.name()));
        let command = Command::SortFindings(sort);
        list.push(line(text, "order list", "", icons::ICON_SORT, command));
    }
    for speed in SPEEDS {
        let text = match speed < 1.0 {
            true => format!("Time: Speed 1/{:.0}", 1.0 / speed),
            false => format!("Time: Speed {speed:.0}"),
        };
        let help = "Level seconds per real second";
        let command = Command::SetSpeed(speed);
        list.push(line(text, "slow motion", help, icons::ICON_SPEED, command));
    }
    for event in FreezeOn::all() {
        let on = model.ui_state.freeze_on.contains(&event);
        let verb = if on { "No hitstop at" } else { "Hitstop at" };
        let text = format!("Time: {verb} {}", lower(event.label()));
        let command = Command::FreezeAt(event, !on);
        let icon = icons::ICON_TIMER_PAUSE;
        list.push(line(text, "freeze pause break", "", icon, command));
    }
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(letters).collect()
}
