//! Every field of the scene itself, and what it expects, to be changed.

use super::change::Change;
use super::forms::{self, Kind, form, row, tall_row};
use super::object_form::rotation;
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::theme::Palette;
use crate::app::widget;
use crate::core::query::probe::ProbeMode;
use crate::core::scene::{
    Axis, Camera, CameraMovement, Detection, Expectation, Expected, Probe, Response, Scene,
};
use crate::core::shape::Pose;
use egui::{CollapsingHeader, RichText, Ui};
use egui_material_icons::icons;
use glam::DVec3;

/// Draws the fields of the scene, and pushes what was changed.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(authored) = model.authored() else {
        return;
    };
    let scene = &*authored.scene;
    // The lists are changed elsewhere, and may be long.
    let mut draft = Scene {
        objects: Vec::new(),
        bookmarks: Vec::new(),
        expect: Vec::new(),
        name: scene.name.clone(),
        notes: scene.notes.clone(),
        units: scene.units,
        dt: scene.dt,
        frames: scene.frames,
        gravity: scene.gravity,
        detection: scene.detection,
        response: scene.response,
        engine: scene.engine.clone(),
        camera: scene.camera.clone(),
        recording: scene.recording.clone(),
    };
    let before = draft.clone();
    section(ui, "Scene", true, |ui| {
        form(ui, "scene", |ui| head(ui, &mut draft));
    });
    section(ui, "Camera", draft.camera.is_some(), |ui| {
        camera(ui, &mut draft.camera);
    });
    section(ui, "Engine and units", false, |ui| {
        form(ui, "engine", |ui| engine(ui, &mut draft));
    });
    if draft != before {
        commands.push(Command::Edit(Change::Head(Box::new(draft))));
    }
    section(ui, "Expectations", true, |ui| {
        expectations(ui, model, scene, commands)
    });
}

fn section(ui: &mut Ui, title: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(RichText::new(title).strong())
        .id_salt(("scene section", title))
        .default_open(open)
        .show_unindented(ui, add);
    ui.add_space(4.0);
}

fn head(ui: &mut Ui, draft: &mut Scene) {
    row(
        ui,
        "title",
        "Shown in lists and as the window's title",
        |ui| {
            forms::text(ui, "title", &mut draft.name, false);
        },
    );
    tall_row(ui, "notes", "Free text, shown when the scene opens", |ui| {
        forms::text(ui, "notes", &mut draft.notes, true);
    });
    if draft.recording.is_none() {
        row(ui, "frame length", "Seconds; 1/60 is a number, too", |ui| {
            let seconds = Kind {
                speed: 1e-4,
                ..Kind::positive("s")
            };
            forms::number(ui, "frame length", &mut draft.dt, seconds);
        });
        row(ui, "frames", "Length of the timeline", |ui| {
            forms::whole(ui, "frames", &mut draft.frames, 1, 1_000_000);
        });
    }
    row(
        ui,
        "gravity",
        "Pulls everything that moves by velocity",
        |ui| {
            forms::vector(ui, "gravity", &mut draft.gravity, Kind::any("m/s²"));
        },
    );
    row(
        ui,
        "detection",
        "How the stepped world finds collisions",
        |ui| {
            let choices = [
                (Detection::Overlap, "overlap", "At the ends of frames only"),
                (Detection::Sweep, "sweep", "Inside the frame, too"),
            ];
            forms::choice(ui, "detection", &mut draft.detection, &choices);
        },
    );
    response(ui, &mut draft.response);
}

fn response(ui: &mut Ui, value: &mut Response) {
    let bounce = match value {
        Response::Bounce { restitution } => *restitution,
        _ => 1.0,
    };
    row(
        ui,
        "response",
        "What the stepped world does about a collision",
        |ui| {
            let choices = [
                (Response::Ignore, "ignore", "Nothing"),
                (Response::Push, "push", "Move out; velocity is kept"),
                (
                    Response::Slide,
                    "slide",
                    "Move out, and lose the velocity into the surface",
                ),
                (Response::Stop, "stop", "Move out, and lose all velocity"),
                (
                    Response::Bounce {
                        restitution: bounce,
                    },
                    "bounce",
                    "Move out, and reflect the velocity",
                ),
            ];
            forms::choice(ui, "response", value, &choices);
        },
    );
    if let Response::Bounce { restitution } = value {
        row(
            ui,
            "restitution",
            "0 loses the speed into the surface, 1 keeps it",
            |ui| {
                forms::number(ui, "restitution", restitution, Kind::between(0.0, 1.0));
            },
        );
    }
}

fn camera(ui: &mut Ui, value: &mut Option<Camera>) {
    let mut has = value.is_some();
    let text = "A camera plays in this scene";
    let switch = ui.checkbox(&mut has, text);
    let help = "With a probe that holds it off surfaces; the panel Camera shows what it meets";
    if switch.on_hover_text(help).changed() {
        *value = has.then(|| Camera {
            pose: Pose::at(DVec3::new(0.0, 1.6, 4.0)),
            movement: CameraMovement::Fixed,
            probe: Probe::Standard,
            probe_mode: ProbeMode::InOrder,
            near: 0.1,
            fov: 60_f64.to_radians(),
            aspect: 16.0 / 9.0,
        });
    }
    let Some(camera) = value else {
        return;
    };
    form(ui, "camera", |ui| {
        row(ui, "position", "At frame 0", |ui| {
            forms::vector(
                ui,
                "camera position",
                &mut camera.pose.position,
                Kind::any("m"),
            );
        });
        rotation(ui, &mut camera.pose.rotation);
        camera_motion(ui, &mut camera.movement);
        row(ui, "probe", "The lines that hold it off surfaces", |ui| {
            let mut choices = vec![
                (Probe::Standard, "the standard five", "As published"),
                (Probe::Off, "none", "Nothing holds it"),
            ];
            if let Probe::Lines(_) = camera.probe {
                choices.push((
                    camera.probe.clone(),
                    "its own lines",
                    "As the text says them",
                ));
            }
            forms::choice(ui, "probe", &mut camera.probe, &choices);
        });
        row(ui, "near plane", "Nothing nearer is drawn", |ui| {
            forms::number(ui, "near plane", &mut camera.near, Kind::positive("m"));
        });
        let mut degrees = (camera.fov.to_degrees() * 1e9).round() / 1e9;
        let was = degrees;
        row(ui, "field of view", "From top to bottom", |ui| {
            let kind = Kind {
                least: 1.0,
                most: 179.0,
                ..Kind::degrees()
            };
            forms::number(ui, "field of view", &mut degrees, kind);
        });
        if degrees != was {
            camera.fov = degrees.to_radians();
        }
        row(ui, "aspect", "Width over height", |ui| {
            forms::number(ui, "aspect", &mut camera.aspect, Kind::positive(""));
        });
    });
}

fn camera_motion(ui: &mut Ui, movement: &mut CameraMovement) {
    let speed = match movement {
        CameraMovement::Velocity(velocity) => *velocity,
        _ => DVec3::NEG_Z,
    };
    row(ui, "motion", "What moves the camera", |ui| {
        let mut choices = vec![
            (CameraMovement::Fixed, "fixed", "Stands still"),
            (
                CameraMovement::Velocity(speed),
                "by velocity",
                "Walks on; the probe's pushes act on top",
            ),
        ];
        if let CameraMovement::Keyframes(_) = movement {
            choices.push((movement.clone(), "keyframes", "As the text says them"));
        }
        forms::choice(ui, "camera motion", movement, &choices);
    });
    if let CameraMovement::Velocity(velocity) = movement {
        row(ui, "velocity", "Metres per second", |ui| {
            forms::vector(ui, "camera velocity", velocity, Kind::any("m/s"));
        });
    }
}

fn engine(ui: &mut Ui, draft: &mut Scene) {
    row(
        ui,
        "unit",
        "Metres for a unit of the text; its numbers are converted",
        |ui| {
            forms::number(ui, "unit", &mut draft.units.length, Kind::positive("m"));
        },
    );
    row(ui, "up", "The axis that points up in the text", |ui| {
        let choices = [(Axis::X, "x", ""), (Axis::Y, "y", ""), (Axis::Z, "z", "")];
        forms::choice(ui, "up", &mut draft.units.up, &choices);
    });
    row(
        ui,
        "engine",
        "Whose level it is: jolt, physx, godot, or any other",
        |ui| {
            let mut name = draft.engine.name.clone().unwrap_or_default();
            forms::text(ui, "engine", &mut name, false);
            draft.engine.name = (!name.is_empty()).then_some(name);
        },
    );
    optional(
        ui,
        "CCD threshold",
        &mut draft.engine.ccd_threshold,
        0.75,
        Kind::positive(""),
    );
    optional(
        ui,
        "margin",
        &mut draft.engine.margin,
        0.01,
        Kind::positive("m"),
    );
}

fn optional(ui: &mut Ui, name: &str, value: &mut Option<f64>, usual: f64, kind: Kind) {
    row(
        ui,
        name,
        "Of the engine; where it is not given, its usual one",
        |ui| {
            let mut has = value.is_some();
            forms::flag(ui, &format!("{name} is given"), &mut has);
            *value = has.then(|| value.unwrap_or(usual));
            if let Some(value) = value {
                forms::number(ui, name, value, kind);
            }
        },
    );
}

/// What the scene expects, each green or red, to be changed or taken out.
fn expectations(ui: &mut Ui, model: &Model, scene: &Scene, commands: &mut Vec<Command>) {
    if scene.expect.is_empty() {
        let help = "None yet. A finding, a hit, a position or a push becomes one where it is seen, with its button.";
        ui.add(egui::Label::new(RichText::new(help).weak()).wrap());
    }
    ui.horizontal_wrapped(|ui| {
        let nothing = Expectation::NoFindings { kind: None };
        if !scene.expect.iter().any(|one| one.claim == nothing) {
            widget::expect_button(ui, "Expect no findings", || nothing, commands);
        }
        if let Some((a, b)) = model.selection.pair() {
            let name = |id: u32| {
                scene
                    .objects
                    .get(id as usize)
                    .map(|object| object.name.clone())
            };
            if let (Some(a), Some(b)) = (name(a), name(b)) {
                let claim = || Expectation::Touches { a, b };
                widget::expect_button(ui, "Expect that they touch", claim, commands);
            }
        }
    });
    let report = model
        .document
        .as_ref()
        .and_then(|document| document.report.as_ref());
    let results = report.map_or(&[][..], |report| &report.expectations);
    for (index, expected) in scene.expect.iter().enumerate() {
        ui.push_id(("expectation", index), |ui| {
            ui.horizontal(|ui| {
                let remove = format!("Remove expectation {}", index + 1);
                if widget::icon_button(ui, icons::ICON_DELETE, &remove, "", false).clicked() {
                    commands.push(Command::Edit(Change::Unexpect(index)));
                }
                match results
                    .get(index)
                    .filter(|_| results.len() == scene.expect.len())
                {
                    Some(result) => widget::expectation(ui, result),
                    None => {
                        let palette = Palette::of(ui.visuals());
                        ui.colored_label(palette.text_weak, "being judged");
                    }
                }
            });
            let mut draft = expected.clone();
            numbers(ui, index, &mut draft);
            if draft != *expected {
                commands.push(Command::Edit(Change::Expected(index, Box::new(draft))));
            }
        });
    }
}

/// The numbers of an expectation.
fn numbers(ui: &mut Ui, index: usize, draft: &mut Expected) {
    let name = |what: &str| format!("expectation {} {what}", index + 1);
    form(ui, "numbers", |ui| match &mut draft.claim {
        Expectation::Hit {
            frame,
            fraction,
            tolerance,
            ..
        } => {
            row(ui, "frame", "In which frame", |ui| {
                forms::whole(ui, &name("frame"), frame, 0, u32::MAX);
                forms::number(ui, &name("fraction"), fraction, Kind::between(0.0, 1.0));
            });
            row(ui, "tolerance", "How far off it may be", |ui| {
                forms::number(ui, &name("tolerance"), tolerance, Kind::positive(""));
            });
        }
        Expectation::Position {
            frame,
            is,
            tolerance,
            ..
        }
        | Expectation::Push {
            frame,
            is,
            tolerance,
            ..
        }
        | Expectation::CameraPush {
            frame,
            is,
            tolerance,
        } => {
            row(ui, "frame", "In which frame", |ui| {
                forms::whole(ui, &name("frame"), frame, 0, u32::MAX);
            });
            row(ui, "is", "What it must be", |ui| {
                forms::vector(ui, &name("is"), is, Kind::any("m"));
            });
            row(ui, "tolerance", "How far off it may be", |ui| {
                forms::number(ui, &name("tolerance"), tolerance, Kind::positive("m"));
            });
        }
        _ => {}
    });
}
