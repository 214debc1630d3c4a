//! Every field of the scene itself, to be changed.

use super::forms::{self, Kind, field_row, form, row, tall_row};
use super::marks::Marks;
use super::object_form::{Now, rotation};
use super::{expect_form, table};
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::widget;
use crate::core::diagnose::SceneField;
use crate::core::edit::{BookmarkEdit, Edit, new_camera, properties_of};
use crate::core::query::probe::{ProbeMode, STANDARD_PROBE};
use crate::core::scene::{
    Axis, Bookmark, Camera, CameraMovement, Detection, Keyframe, Probe, Response, Scene,
};
use crate::core::shape::Pose;
use egui::{CollapsingHeader, RichText, Ui};
use egui_material_icons::icons;
use glam::DVec3;

/// Draws the fields of the scene, and pushes what was changed.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(scene_doc) = model.scene_doc() else {
        return;
    };
    let scene = &*scene_doc.scene;
    let before = properties_of(scene);
    let mut draft = before.clone();
    section(ui, "Scene", true, |ui| {
        form(ui, "scene", |ui| head(ui, &mut draft));
    });
    section(ui, "Camera", true, |ui| {
        camera(ui, &mut draft.camera, now(model));
    });
    section(ui, "Engine and units", false, |ui| {
        form(ui, "engine", |ui| engine(ui, &mut draft));
    });
    if draft != before {
        commands.push(Command::Edit(Edit::Properties(Box::new(draft))));
    }
    section(ui, "Expectations", true, |ui| {
        expect_form::show(ui, model, scene, commands);
    });
    section(ui, "Ignored pairs", !scene.ignore.is_empty(), |ui| {
        ignored_pairs(ui, scene, commands);
    });
    section(ui, "Bookmarks", true, |ui| {
        bookmarks(ui, model, &scene.bookmarks, commands);
    });
}

/// Draws the fields of the scene that matter for the selected finding, and pushes what was changed.
pub fn show_marked(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let marks = Marks::of_scene(model.selected_finding());
    let Some(scene_doc) = model.scene_doc().filter(|_| marks.any()) else {
        return;
    };
    let before = properties_of(&scene_doc.scene);
    let mut draft = before.clone();
    ui.label(RichText::new("The scene").strong());
    marks.over(ui, |ui| {
        form(ui, "marked", |ui| {
            head(ui, &mut draft);
            engine(ui, &mut draft);
            if let Some(camera) = &mut draft.camera {
                camera_fields(ui, camera);
            }
        });
    });
    if draft != before {
        commands.push(Command::Edit(Edit::Properties(Box::new(draft))));
    }
}

/// The playhead, and the camera's pose there.
fn now(model: &Model) -> Now {
    let frame = model.document().map(|document| document.frame());
    Now {
        frame: frame.map_or(0, |frame| frame.number),
        pose: frame.and_then(|frame| Some(frame.camera?.0.start)),
    }
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
    if let Some(recording) = &draft.recording {
        let help = "Poses come from this log. Another one is named in the text, and read when the scene is opened again";
        row(ui, "recording", help, |ui| {
            ui.add(egui::Label::new(recording.as_str()).truncate());
        });
    } else {
        field_row(
            ui,
            SceneField::FrameLength,
            "frame length",
            "Seconds; 1/60 is a number, too",
            |ui| {
                let seconds = Kind::positive("s").with_speed(1e-4);
                forms::number(ui, "frame length", &mut draft.dt, seconds);
            },
        );
        row(ui, "frames", "Length of the timeline", |ui| {
            forms::whole(ui, "frames", &mut draft.frames, 1, 1_000_000);
        });
    }
    field_row(
        ui,
        SceneField::Gravity,
        "gravity",
        "Pulls everything that moves by velocity",
        |ui| {
            forms::vector(ui, "gravity", &mut draft.gravity, Kind::any("m/s²"));
        },
    );
    field_row(
        ui,
        SceneField::Detection,
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
    field_row(
        ui,
        SceneField::Response,
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

fn camera(ui: &mut Ui, value: &mut Option<Camera>, now: Now) {
    let mut has = value.is_some();
    let text = "A camera plays in this scene";
    let switch = ui.checkbox(&mut has, text);
    let help = "With a probe that holds it off surfaces; the panel Camera shows what it meets";
    if switch.on_hover_text(help).changed() {
        *value = has.then(new_camera);
    }
    let Some(camera) = value else {
        return;
    };
    form(ui, "camera", |ui| camera_fields(ui, camera));
    if let CameraMovement::Keyframes(frames) = &mut camera.movement {
        table::keyframes(ui, frames, now);
    }
}

fn camera_fields(ui: &mut Ui, camera: &mut Camera) {
    row(ui, "position", "At frame 0", |ui| {
        forms::vector(
            ui,
            "camera position",
            &mut camera.pose.position,
            Kind::any("m"),
        );
    });
    rotation(ui, "camera rotation", &mut camera.pose.rotation);
    camera_motion(ui, &mut camera.movement, camera.pose);
    field_row(
        ui,
        SceneField::Probe,
        "probe",
        "The lines that hold it off surfaces",
        |ui| {
            let own = match &camera.probe {
                Probe::Lines(lines) => lines.clone(),
                _ => STANDARD_PROBE.to_vec(),
            };
            let choices = [
                (Probe::Standard, "the standard five", "As published"),
                (Probe::Off, "none", "Nothing holds it"),
                (
                    Probe::Lines(own),
                    "its own lines",
                    "Lines around the camera",
                ),
            ];
            forms::choice(ui, "probe", &mut camera.probe, &choices);
        },
    );
    if let Probe::Lines(lines) = &mut camera.probe {
        table::points(ui, "line", lines);
    }
    row(
        ui,
        "probe acts",
        "What it does where several triangles are met",
        |ui| {
            let choices = [
                (
                    ProbeMode::InOrder,
                    "in order",
                    "As published: the camera moves with every hit",
                ),
                (
                    ProbeMode::Deepest,
                    "deepest first",
                    "The longest push first, again until none is left",
                ),
            ];
            forms::choice(ui, "probe acts", &mut camera.probe_mode, &choices);
        },
    );
    field_row(
        ui,
        SceneField::NearPlane,
        "near plane",
        "Nothing nearer is drawn",
        |ui| {
            forms::number(ui, "near plane", &mut camera.near, Kind::positive("m"));
        },
    );
    let mut degrees = (camera.fov.to_degrees() * 1e9).round() / 1e9;
    let was = degrees;
    field_row(
        ui,
        SceneField::FieldOfView,
        "field of view",
        "From top to bottom",
        |ui| {
            let kind = Kind::between(1.0, 179.0).with_unit("°").with_speed(0.5);
            forms::number(ui, "field of view", &mut degrees, kind);
        },
    );
    if degrees != was {
        camera.fov = degrees.to_radians();
    }
    row(ui, "aspect", "Width over height", |ui| {
        forms::number(ui, "aspect", &mut camera.aspect, Kind::positive(""));
    });
}

fn camera_motion(ui: &mut Ui, movement: &mut CameraMovement, pose: Pose) {
    let speed = match movement {
        CameraMovement::Velocity(velocity) => *velocity,
        _ => DVec3::NEG_Z,
    };
    row(ui, "motion", "What moves the camera", |ui| {
        let frames = match movement {
            CameraMovement::Keyframes(frames) => frames.clone(),
            _ => vec![Keyframe {
                frame: 0,
                position: pose.position,
                rotation: pose.rotation,
            }],
        };
        let choices = [
            (CameraMovement::Fixed, "fixed", "Stands still"),
            (
                CameraMovement::Velocity(speed),
                "by velocity",
                "Walks on; the probe's pushes act on top",
            ),
            (
                CameraMovement::Keyframes(frames),
                "keyframes",
                "Poses at frames, straight in between",
            ),
        ];
        forms::choice(ui, "camera motion", movement, &choices);
    });
    if let CameraMovement::Velocity(velocity) = movement {
        field_row(
            ui,
            SceneField::CameraVelocity,
            "velocity",
            "Metres per second",
            |ui| {
                forms::vector(ui, "camera velocity", velocity, Kind::any("m/s"));
            },
        );
    }
}

fn engine(ui: &mut Ui, draft: &mut Scene) {
    field_row(
        ui,
        SceneField::UnitLength,
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
        SceneField::CcdThreshold,
        "CCD threshold",
        &mut draft.engine.ccd_threshold,
        0.75,
        Kind::positive(""),
    );
    optional(
        ui,
        SceneField::Margin,
        "margin",
        &mut draft.engine.margin,
        0.01,
        Kind::positive("m"),
    );
}

fn optional(
    ui: &mut Ui,
    field: SceneField,
    name: &str,
    value: &mut Option<f64>,
    usual: f64,
    kind: Kind,
) {
    field_row(
        ui,
        field,
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

/// Pairs of objects that never meet.
fn ignored_pairs(ui: &mut Ui, scene: &Scene, commands: &mut Vec<Command>) {
    let mut pairs = scene.ignore.clone();
    let mut gone = None;
    let names: Vec<&str> = scene.objects.iter().map(|it| it.name.as_str()).collect();
    form(ui, "ignored pairs", |ui| {
        for (index, (a, b)) in pairs.iter_mut().enumerate() {
            let name = format!("pair {}", index + 1);
            row(ui, &name, "Never tested against each other", |ui| {
                let remove = format!("Remove {name}");
                if widget::icon_button(ui, icons::ICON_DELETE, &remove, "", false).clicked() {
                    gone = Some(index);
                }
                object_choice(ui, &format!("{name} first"), a, b, &names);
                object_choice(ui, &format!("{name} second"), b, a, &names);
            });
        }
    });
    if let Some(index) = gone {
        pairs.remove(index);
    }
    let is_listed = |a: &str, b: &str| {
        let mut listed = scene.ignore.iter();
        listed.any(|(one, other)| (one == a && other == b) || (one == b && other == a))
    };
    let next = names.iter().enumerate().find_map(|(index, a)| {
        let mut others = names[index + 1..].iter();
        others.find(|b| !is_listed(a, b)).map(|b| (*a, *b))
    });
    let button = ui.add_enabled(next.is_some(), egui::Button::new("Add a pair").small());
    if button
        .on_hover_text("Two objects that may overlap without a word")
        .clicked()
        && let Some((a, b)) = next
    {
        pairs.push((a.to_owned(), b.to_owned()));
    }
    if pairs != scene.ignore {
        commands.push(Command::Edit(Edit::IgnorePairs(pairs)));
    }
}

/// An object by its name, any but the other of the pair; a name that only the recording has stays.
fn object_choice(ui: &mut Ui, name: &str, value: &mut String, other: &str, names: &[&str]) {
    let was = value.clone();
    let mut chosen = was.as_str();
    let own = (!names.contains(&chosen)).then_some(chosen);
    let all = own.into_iter().chain(names.iter().copied());
    let choices: Vec<(&str, &str, &str)> = all
        .filter(|name| *name != other)
        .map(|name| (name, name, "Take this object"))
        .collect();
    forms::choice(ui, name, &mut chosen, &choices);
    *value = chosen.to_owned();
}

/// Moments worth coming back to, each with its note.
fn bookmarks(ui: &mut Ui, model: &Model, list: &[Bookmark], commands: &mut Vec<Command>) {
    for (index, bookmark) in list.iter().enumerate() {
        let mut draft = bookmark.clone();
        let name = |what: &str| format!("bookmark {} {what}", index + 1);
        ui.push_id(("bookmark", index), |ui| {
            form(ui, "bookmark", |ui| {
                row(ui, "frame", "Which frame, and where inside it", |ui| {
                    let remove = format!("Remove bookmark {}", index + 1);
                    if widget::icon_button(ui, icons::ICON_DELETE, &remove, "", false).clicked() {
                        let change = BookmarkEdit::Remove(bookmark.clone());
                        commands.push(Command::Edit(Edit::Bookmark(change)));
                    }
                    let frames = model.playback.frames();
                    forms::whole(ui, &name("frame"), &mut draft.frame, 0, frames);
                    forms::number(
                        ui,
                        &name("fraction"),
                        &mut draft.fraction,
                        Kind::between(0.0, 1.0),
                    );
                });
                row(ui, "note", "Why this moment", |ui| {
                    forms::text(ui, &name("note"), &mut draft.note, false);
                });
            });
        });
        if draft != *bookmark {
            let change = BookmarkEdit::Replace(bookmark.clone(), draft);
            commands.push(Command::Edit(Edit::Bookmark(change)));
        }
    }
    let moment = model.playback.playhead();
    let button = ui.add(egui::Button::new("Bookmark the playhead").small());
    if button
        .on_hover_text("This moment, to come back to")
        .clicked()
    {
        let bookmark = Bookmark {
            frame: moment.frame,
            fraction: moment.fraction,
            note: String::new(),
        };
        commands.push(Command::Edit(Edit::Bookmark(BookmarkEdit::Add(bookmark))));
    }
}
