//! The panel of the camera's line probe: its editable lines, their hits in the shown frame, and the effect of the order of
//! the triangles.

use crate::app::command::Command;
use crate::app::command::arguments::Preset;
use crate::app::model::document::Document;
use crate::app::model::probe::Probe;
use crate::app::model::probe_test::ProbeTest;
use crate::app::model::walk::Walk;
use crate::app::model::{Model, Session};
use crate::app::number_field::{Kind, number_field, short};
use crate::app::style;
use crate::app::theme::{Palette, readable};
use crate::app::{keyboard_focus, text, widget};
use crate::core::query::SweepOutcome;
use crate::core::query::probe::{ProbeHit, ProbeMode};
use egui::accesskit::Role;
use egui::{Grid, RichText, ScrollArea, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;
use glam::DVec3;

/// Height of a line's row, points: that of its button.
const LINE: f32 = 26.0;

/// Name and help text of a mode.
fn mode_text(mode: ProbeMode) -> (&'static str, &'static str) {
    match mode {
        ProbeMode::InOrder => (
            "in order",
            "As published: the camera moves with every hit, so the order of the triangles matters",
        ),
        ProbeMode::Deepest => (
            "deepest first",
            "The longest push first, again until none is left: the order of the triangles does not matter",
        ),
    }
}

/// Draws the panel.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(Session {
        document,
        probe,
        walk,
        ..
    }) = &model.session
    else {
        return;
    };
    widget::heading(ui, "Line probe", |ui| {
        widget::command_button(ui, &Command::CopyProbe, model, commands);
        widget::command_button(ui, &Command::ResetProbe, model, commands);
        widget::command_button(ui, &Command::SaveWalkAs, model, commands);
        widget::command_button(ui, &Command::ToggleWalk, model, commands);
    });
    ScrollArea::vertical()
        .id_salt("camera probe")
        .auto_shrink(false)
        .show(ui, |ui| {
            if let Some(walk) = walk {
                walk_summary(ui, walk);
            }
            mode_row(ui, probe, commands);
            ui.add_space(4.0);
            lines(ui, probe, commands);
            ui.add_space(6.0);
            match model.probe_test() {
                Some(test) => {
                    results(ui, document, test);
                    ui.add_space(6.0);
                    order(ui, model, (probe, test), commands);
                }
                None => no_camera(ui, model, commands),
            }
            keyboard_focus::follow(ui);
        });
}

fn no_camera(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let scene_doc = model.scene_doc().map(|scene_doc| &scene_doc.scene);
    if scene_doc.is_some_and(|scene| scene.recording.is_none() && scene.camera.is_none()) {
        let help = "Add a camera here, in the menu Add, or in the Inspector while nothing is selected. Or walk (Alt+W) to test the probe.";
        ui.vertical_centered(|ui| {
            let button = ui.button("Add a camera");
            let help = "At eye height, with the standard probe";
            if button.on_hover_text(help).clicked() {
                commands.push(Command::AddCamera);
            }
        });
        widget::empty_state(ui, icons::ICON_VIDEOCAM_OFF, "No camera", help);
        return;
    }
    let help = "There is no camera at this frame. Walk (Alt+W) to test the probe; a saved walk is a recording with a camera.";
    widget::empty_state(ui, icons::ICON_VIDEOCAM_OFF, "No camera", help);
}

/// Draws the length of the walk.
fn walk_summary(ui: &mut Ui, walk: &Walk) {
    let steps = walk.steps().len();
    let pushed = walk
        .steps()
        .iter()
        .filter(|step| step.push != DVec3::ZERO)
        .count();
    let text = format!(
        "{}: {}, {} s; the probe pushed in {}",
        if walk.is_active() {
            "Walking"
        } else {
            "Walked"
        },
        text::count(steps, "step"),
        text::number(steps as f64 * walk.dt()),
        text::grouped(pushed),
    );
    ui.label(RichText::new(text).weak());
}

/// Draws the choice of the mode and the presets.
fn mode_row(ui: &mut Ui, probe: &Probe, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        for mode in [ProbeMode::InOrder, ProbeMode::Deepest] {
            let (name, help) = mode_text(mode);
            let on = probe.mode() == mode;
            let response = ui.selectable_label(on, name);
            let name = format!("Acts {name}");
            response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, &name));
            if response.on_hover_text(help).clicked() && !on {
                commands.push(Command::SetProbeMode(mode));
            }
        }
        ui.menu_button(
            "Lines…",
            widget::content(|ui| {
                for preset in Preset::ALL {
                    if ui.button(preset.title()).clicked() {
                        commands.push(Command::SetProbePreset(preset));
                        ui.close();
                    }
                }
            }),
        )
        .response
        .on_hover_text("Replace the lines by a preset");
    });
}

/// Draws the lines, each edited by its start point.
fn lines(ui: &mut Ui, probe: &Probe, commands: &mut Vec<Command>) {
    let count = probe.lines().len();
    let mut edited: Option<Vec<DVec3>> = None;
    let mut pointed = None;
    widget::heading(ui, &text::count(count, "line"), |ui| {
        let help = "Another line, half a metre straight ahead and back";
        if widget::icon_button(ui, icons::ICON_ADD, "Add a line", help, false).clicked() {
            let mut lines = probe.lines().to_vec();
            lines.push(DVec3::Z * 0.5);
            edited = Some(lines);
        }
    });
    if count > 0 {
        let note = "Start of each line relative to the camera, metres; it ends opposite";
        ui.label(RichText::new(note).font(style::small()).weak());
    }
    let shown = count.min(6) as f32 * (LINE + ui.spacing().item_spacing.y);
    ScrollArea::vertical()
        .id_salt("probe lines")
        .max_height(shown.max(1.0))
        .auto_shrink([false, true])
        .show_rows(ui, LINE, count, |ui, range| {
            for index in range {
                let line = probe.lines()[index];
                let (changed, remove, hovered) = row(ui, index, line);
                if hovered {
                    pointed = Some(index as u32);
                }
                if changed != Some(line) || remove {
                    let mut lines = probe.lines().to_vec();
                    match changed.filter(|_| !remove) {
                        Some(line) => lines[index] = line,
                        None => {
                            lines.remove(index);
                        }
                    }
                    edited = Some(lines);
                }
            }
        });
    if pointed != probe.pointed {
        commands.push(Command::PointAtLine(pointed));
    }
    commands.extend(edited.map(Command::SetProbeLines));
}

/// Draws one line. Returns its value, whether it is removed, and whether the pointer is on it.
fn row(ui: &mut Ui, index: usize, line: DVec3) -> (Option<DVec3>, bool, bool) {
    let mut start = line;
    let mut remove = false;
    let mut active = false;
    let response = ui.horizontal(|ui| {
        let number = RichText::new(format!("{}", index + 1)).monospace().weak();
        ui.add_sized(vec2(18.0, LINE), egui::Label::new(number).selectable(false));
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let at_rest = |metres| format!("{name} {}", short(metres, 7));
            let kind = Kind::between(-1e3, 1e3).with_unit("m");
            let title = format!("Line {} start {name}", index + 1);
            let response = ui.add_sized(vec2(66.0, LINE - 4.0), |ui: &mut Ui| {
                number_field(ui, &title, &mut start[axis], kind, at_rest)
            });
            active |= response.dragged() || response.has_focus();
            response.on_hover_text(format!(
                "{name}, metres; it ends at {}",
                text::vector(-line)
            ));
        }
        let name = format!("Remove line {}", index + 1);
        remove = widget::icon_button(ui, icons::ICON_DELETE, &name, "", false).clicked();
    });
    let hovered = response.response.contains_pointer() || active;
    (Some(start), remove, hovered)
}

/// Draws the hits of each line and the result of the sweep.
fn results(ui: &mut Ui, document: &Document, test: &ProbeTest) {
    let (push, units) = (test.answer.push, document.units());
    widget::heading(
        ui,
        &format!(
            "At the end of frame {}",
            document.replay().number(test.frame)
        ),
        |_| {},
    );
    let text = if test.answer.hits.is_empty() {
        "no line hits anything".to_owned()
    } else {
        let length = units.length(push.length());
        format!("pushes the camera {length}: {}", units.point(push))
    };
    let label = ui.label(RichText::new(&text).strong());
    let name = format!("The probe: {text}");
    label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
    swept(ui, document, test);
    ui.add_space(2.0);
    ScrollArea::horizontal().id_salt("hits").show(ui, |ui| {
        Grid::new("probe hits")
            .num_columns(5)
            .spacing(vec2(10.0, 3.0))
            .striped(true)
            .show(ui, |ui| {
                for (head, help) in [
                    (
                        "line",
                        "Number of the line, and in brackets the order of the hit",
                    ),
                    ("hits", "Object and triangle"),
                    ("at", "Fraction of the line, from its start to its end"),
                    ("push", "Push of the camera by this hit, metres"),
                    (
                        "weights",
                        "Barycentric weights of the triangle's three corners",
                    ),
                ] {
                    ui.label(RichText::new(head).weak()).on_hover_text(help);
                }
                ui.end_row();
                for line in 0..test.lines.len() as u32 {
                    let mut any = false;
                    for (order, hit) in (1..).zip(&test.answer.hits) {
                        if hit.line == line {
                            any = true;
                            hit_row(ui, document, test, (order, hit));
                        }
                    }
                    if !any {
                        ui.label(RichText::new(format!("{}", line + 1)).monospace());
                        ui.label(RichText::new("nothing").weak());
                        ui.end_row();
                    }
                }
            });
    });
}

fn hit_row(ui: &mut Ui, document: &Document, test: &ProbeTest, (order, hit): (usize, &ProbeHit)) {
    let units = document.units();
    let mono = |text: String| RichText::new(text).monospace();
    let place = mono(format!("{} ({order})", hit.line + 1));
    let owner = owner(document, test.owner(hit));
    let label = ui.label(place);
    let name = format!("Line {} hits {owner}", hit.line + 1);
    label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
    ui.label(owner);
    ui.label(mono(format!("{:.4}", hit.fraction)));
    let length = text::number(units.value(hit.push.length(), "m"));
    ui.label(mono(length)).on_hover_text(units.point(hit.push));
    let [a, b, c] = hit.weights.to_array();
    ui.label(mono(format!("{a:.3} {b:.3} {c:.3}")));
    ui.end_row();
}

fn owner(document: &Document, owner: Option<(u32, u32)>) -> String {
    let Some((object, triangle)) = owner else {
        return "?".to_owned();
    };
    let object = document.replay().objects().get(object as usize);
    let name = object.map_or("?", |object| object.name.as_str());
    format!("{name}, triangle {triangle}")
}

/// Draws what a sweep of the camera's path hits and the lines miss.
fn swept(ui: &mut Ui, document: &Document, test: &ProbeTest) {
    let palette = Palette::of(ui.visuals());
    let ground = ui.visuals().panel_fill;
    let (sweep, units) = (&test.sweep, document.units());
    if let Some(path) = sweep.path {
        let undetected = if sweep.probe_sees {
            ""
        } else {
            ", and no line hits it at the end"
        };
        let text = format!(
            "The camera's path crosses {} at {:.4} of the frame{undetected}.",
            owner(document, test.path_owner),
            path.fraction
        );
        ui.colored_label(readable(palette.bad, ground), text);
    }
    let ball = match sweep.ball {
        Some(SweepOutcome::Overlapping { depth }) => Some(format!(
            "overlaps a surface by {} at the start of the frame",
            units.length(depth)
        )),
        Some(SweepOutcome::Hits(impact)) => {
            Some(format!("first hits a surface at {:.4}", impact.fraction))
        }
        _ => None,
    };
    if let Some(ball) = ball {
        let radius = units.length(sweep.reach);
        let text = format!("A ball with the probe's radius, {radius}, {ball}.");
        ui.label(RichText::new(text).weak());
    }
}

/// Draws the test with shuffled triangles.
fn order(
    ui: &mut Ui,
    model: &Model,
    (probe, test): (&Probe, &ProbeTest),
    commands: &mut Vec<Command>,
) {
    widget::heading(ui, "Order of the triangles", |ui| {
        widget::command_button(ui, &Command::ShuffleProbe, model, commands);
    });
    let near = text::count(test.near.triangles.len(), "triangle");
    if probe.shuffled().is_empty() {
        let text = format!(
            "{near} within reach. Shuffle them: the result depends on their order only in the mode \"in order\"."
        );
        ui.label(RichText::new(text).weak());
        return;
    }
    let palette = Palette::of(ui.visuals());
    let ground = ui.visuals().panel_fill;
    for (mode, shuffled) in probe.shuffled() {
        let (name, help) = mode_text(*mode);
        let same = shuffled.lines.is_empty() && shuffled.distance == 0.0;
        let text = if same {
            format!("{name}: nothing changes")
        } else {
            let lines: Vec<String> = shuffled
                .lines
                .iter()
                .map(|line| (line + 1).to_string())
                .collect();
            let distance = model.units().length(shuffled.distance);
            format!(
                "{name}: line {} differs, the camera ends {distance} away",
                lines.join(", ")
            )
        };
        let color = if same { palette.good } else { palette.bad };
        ui.colored_label(readable(color, ground), text)
            .on_hover_text(help);
    }
    let seed = probe
        .shuffled()
        .first()
        .map_or(0, |(_, shuffled)| shuffled.seed);
    let text = format!("{near}, order {seed}");
    ui.label(RichText::new(text).font(style::small()).weak());
}
