//! What the panels do at a button that needs nothing said, and the words that other programs have for the commands.

use super::Line;
use crate::app::command::Command;
use crate::app::command::arguments::Export;
use crate::app::command::arguments::Preset;
use crate::app::dock::Pane;
use crate::app::model::playback::SPEEDS;
use crate::app::model::{Model, Session};
use crate::app::view_state::{Hold, Layer, Show};
use crate::core::diagnose::Kind;
use crate::core::edit::toggle_camera;
use crate::core::query::probe::ProbeMode;
use crate::core::replay::history::Quantity;
use crate::core::scene::Expectation;
use egui_material_icons::{MaterialIcon, icons};
use glam::DVec3;

/// Everything that a panel would do now.
pub fn offers(model: &Model) -> Vec<Line> {
    let mut offers = Vec::new();
    if model.session.is_some() {
        of_probe(model, &mut offers);
        of_scene(model, &mut offers);
        of_view(model, &mut offers);
    }
    offers
}

fn line(
    text: String,
    also: &'static str,
    help: &str,
    icon: MaterialIcon,
    command: Command,
) -> Line {
    Line {
        text,
        also,
        aside: String::new(),
        help: help.to_owned(),
        icon,
        command,
    }
}

/// The lines of the camera's probe, and how it acts.
fn of_probe(model: &Model, offers: &mut Vec<Line>) {
    let Some(Session { probe, .. }) = &model.session else {
        return;
    };
    for preset in Preset::ALL {
        let text = format!("Camera: Probe lines, {}", lower(preset.title()));
        let help = "The probe of the panel Camera has these lines";
        let command = Command::ProbePreset(preset);
        let icon = icons::ICON_VIDEOCAM;
        offers.push(line(text, "preset set standard rays", help, icon, command));
    }
    for (mode, word) in [
        (ProbeMode::InOrder, "in order"),
        (ProbeMode::Deepest, "deepest first"),
    ] {
        let text = format!("Camera: Probe acts {word}");
        let help = "What it does where several triangles are met";
        let command = Command::ProbeActs(mode);
        offers.push(line(text, "mode push", help, icons::ICON_VIDEOCAM, command));
    }
    let mut lines = probe.lines().to_vec();
    lines.push(DVec3::Z * 0.5);
    let text = "Camera: Add a line to the probe".to_owned();
    let help = "Another line, half a metre straight ahead and back";
    let command = Command::ProbeLines(lines);
    offers.push(line(text, "new ray", help, icons::ICON_ADD, command));
}

/// What the forms of the scene do at a click.
fn of_scene(model: &Model, offers: &mut Vec<Line>) {
    let Some(authored) = model.authored() else {
        return;
    };
    let scene = &authored.scene;
    let (text, change) = toggle_camera(scene);
    let help = "With a probe that holds it off surfaces";
    let command = Command::Edit(change);
    let text = format!("Camera: {text}");
    offers.push(line(
        text,
        "viewer eye",
        help,
        icons::ICON_VIDEOCAM,
        command,
    ));
    let help = "Add it to what the scene expects: then check says when it changes";
    let mut expect = |text: &str, wanted: Expectation| {
        let known = scene.expect.iter().any(|one| one.expectation == wanted);
        if !known {
            let text = format!("Findings: {text}");
            let command = Command::Expect(wanted);
            let also = "expectation claim assert test";
            offers.push(line(text, also, help, icons::ICON_FACT_CHECK, command));
        }
    };
    expect("Expect no findings", Expectation::NoFindings { kind: None });
    let name = |id: u32| scene.objects.get(id as usize).map(|one| one.name.clone());
    let pair = model.selection.pair();
    if let Some((a, b)) = pair.and_then(|(a, b)| Some((name(a)?, name(b)?))) {
        expect("Expect that they touch", Expectation::Touches { a, b });
    }
}

/// Layers, plots, speeds, kinds of findings and where time stands still.
fn of_view(model: &Model, offers: &mut Vec<Line>) {
    for layer in Layer::ALL {
        for (show, whom) in [
            (Show::None, "for nobody"),
            (Show::Selected, "for the selected"),
            (Show::All, "for all"),
        ] {
            if model.layers.get(layer) != show {
                let text = format!("View: {} {whom}", layer.label());
                let command = Command::ShowLayer(layer, show);
                let also = "layer draw show hide overlay";
                offers.push(line(text, also, layer.help(), icons::ICON_LAYERS, command));
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
        let (also, help) = ("bounding sphere hierarchy layer", Layer::SphereTrees.help());
        offers.push(line(text, also, help, icons::ICON_LAYERS, command));
    }
    for quantity in Quantity::ALL {
        let on = model.plotted.quantities.contains(&quantity);
        let verb = if on { "Do not plot" } else { "Plot" };
        let text = format!("View: {verb} {}", quantity.name());
        let command = Command::Plot(quantity, !on);
        let icon = icons::ICON_MULTILINE_CHART;
        offers.push(line(text, "graph curve", quantity.help(), icon, command));
    }
    for kind in Kind::ALL {
        let hidden = model.look.hidden_kinds.contains(&kind);
        let verb = if hidden { "List" } else { "Do not list" };
        let text = format!("Findings: {verb} {}", kind.name());
        let command = Command::ShowKind(kind, hidden);
        let icon = icons::ICON_FILTER_LIST;
        offers.push(line(text, "filter show hide kind", "", icon, command));
    }
    for speed in SPEEDS {
        let text = match speed < 1.0 {
            true => format!("Time: Speed 1/{:.0}", 1.0 / speed),
            false => format!("Time: Speed {speed:.0}"),
        };
        let help = "Level seconds per real second";
        let command = Command::SetSpeed(speed);
        offers.push(line(text, "slow motion", help, icons::ICON_SPEED, command));
    }
    for hold in Hold::all() {
        let on = model.look.holds.contains(&hold);
        let verb = if on { "No hitstop at" } else { "Hitstop at" };
        let text = format!("Time: {verb} {}", lower(hold.label()));
        let command = Command::HoldAt(hold, !on);
        let icon = icons::ICON_TIMER_PAUSE;
        offers.push(line(text, "freeze pause break", "", icon, command));
    }
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Words that people have for a command and that do not stand in its text.
pub fn also(command: &Command) -> &'static str {
    use Command as C;
    match command {
        C::OpenDialog => "load file",
        C::ImportDialog => "mesh model obj gltf glb load",
        C::CheckAgain => "reload refresh diagnose rerun",
        C::ExportDialog(Export::Picture) => "screenshot image png",
        C::ExportDialog(_) => "gif video record animation",
        C::CloseLevel => "home welcome close",
        C::Quit => "exit",
        C::Undo => "back revert",
        C::Redo => "again repeat",
        C::Duplicate => "copy clone",
        C::Delete => "remove erase",
        C::SetOut(_) => "copies repeat pattern many clone duplicate scatter circle",
        C::PutTouching => "drop place rest contact",
        C::AskTag(_) => "label group name",
        C::SetKeyframe => "animate key path",
        C::AddShape(_) => "new object create insert",
        C::New(_) => "template create example",
        C::ToggleLocal => "local world space gizmo",
        C::SnapTo(_) => "magnet align grid",
        C::ToggleHitstop => "freeze pause impact break",
        C::ToggleLoop => "repeat cycle",
        C::LoopIn => "in point begin",
        C::LoopOut => "out point end",
        C::NextImpact | C::PreviousImpact => "hit contact collision touch",
        C::AddBookmark | C::AddBookmarkWithNote => "marker mark note",
        C::OpenFind => "search query",
        C::MakeScene => "extract repro reproduce bug report",
        C::ExpectFinding => "assert test claim",
        C::ToggleWalk => "fly first person camera",
        C::ShuffleProbe => "random order triangles probe line",
        C::CopyProbe | C::ResetProbe => "camera probe line",
        C::CompareDetection | C::CompareFile | C::CompareRunBefore => "diff difference",
        C::TogglePin | C::UnpinAll => "watch keep",
        C::ToggleRuler => "measure distance gap depth length nearest",
        C::SelectNothing => "deselect clear none",
        C::FrameSelection | C::FrameAll => "focus zoom center view fit",
        C::TogglePane(Pane::Text) => "source ron editor",
        C::TogglePane(Pane::Outliner) => "outliner hierarchy tree list",
        C::TogglePane(Pane::Inspector) => "properties form fields",
        C::TogglePane(Pane::Camera) => "line probe rays",
        C::TogglePane(Pane::Messages) => "log console output",
        C::TogglePane(_) => "panel",
        C::TogglePanels => "zen hide panels",
        C::ResetPanels => "layout",
        C::UseTheme(_) => "theme color mode",
        C::ZoomIn | C::ZoomOut | C::ZoomReset => "scale font size zoom",
        C::ToggleCheatSheet => "shortcuts keys help bindings",
        _ => "",
    }
}
