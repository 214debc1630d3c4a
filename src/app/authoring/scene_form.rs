//! The form with the fields of the scene.

use super::expect_form;
use super::forms::{self, Kind, Rows, form, marked_form};
use super::marks::Marks;
use super::point_list;
use super::table::{self, PlayheadPose};
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

/// Draws the fields of the scene and pushes the edits.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(scene_doc) = model.scene_doc() else {
        return;
    };
    let scene = &*scene_doc.scene;
    let before = properties_of(scene);
    let mut draft = before.clone();
    section(ui, "Scene", true, |ui| {
        form(ui, "scene", |rows| head(rows, &mut draft));
    });
    section(ui, "Camera", true, |ui| {
        camera(ui, &mut draft.camera, now(model));
    });
    section(ui, "Engine and units", false, |ui| {
        form(ui, "engine", |rows| engine(rows, &mut draft));
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

/// Draws the fields of the scene that matter for the selected finding and pushes the edits.
pub fn show_marked(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let marks = Marks::of_scene(model.selected_finding());
    let Some(scene_doc) = model.scene_doc().filter(|_| marks.any()) else {
        return;
    };
    let before = properties_of(&scene_doc.scene);
    let mut draft = before.clone();
    ui.label(RichText::new("The scene").strong());
    marked_form(ui, "marked", &marks, |rows| {
        head(rows, &mut draft);
        engine(rows, &mut draft);
        if let Some(camera) = &mut draft.camera {
            camera_fields(rows, camera);
        }
    });
    if draft != before {
        commands.push(Command::Edit(Edit::Properties(Box::new(draft))));
    }
}

/// The playhead, and the camera's pose there.
fn now(model: &Model) -> PlayheadPose {
    let frame = model.document().map(|document| document.frame());
    PlayheadPose {
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

fn head(rows: &mut Rows<'_>, draft: &mut Scene) {
    let help = "Shown in lists and as the window's title";
    rows.text("title", help, &mut draft.name);
    let help = "Free text, shown when the scene opens";
    rows.long_text("notes", help, &mut draft.notes);
    if let Some(recording) = &draft.recording {
        let help = "Poses come from this log. Another one is named in the text, and read when the scene is opened again";
        rows.row("recording", help, |ui, _| {
            ui.add(egui::Label::new(recording.as_str()).truncate());
        });
    } else {
        let seconds = Kind::positive("s").with_speed(1e-4);
        let help = "Seconds; 1/60 is a number, too";
        rows.of(SceneField::FrameLength)
            .number("frame length", help, &mut draft.dt, seconds);
        let help = "Length of the timeline";
        rows.whole("frames", help, &mut draft.frames, 1, 1_000_000);
    }
    let help = "Accelerates objects that move by velocity";
    rows.of(SceneField::Gravity)
        .vector("gravity", help, &mut draft.gravity, Kind::any("m/s²"));
    let choices = [
        (Detection::Overlap, "overlap", "At the ends of frames only"),
        (Detection::Sweep, "sweep", "Inside the frame, too"),
    ];
    let help = "How collisions are detected when the scene is stepped";
    rows.of(SceneField::Detection)
        .choice("detection", help, &mut draft.detection, &choices);
    response(rows, &mut draft.response);
}

fn response(rows: &mut Rows<'_>, value: &mut Response) {
    let restitution = match value {
        Response::Bounce { restitution } => *restitution,
        _ => 1.0,
    };
    let bounce = Response::Bounce { restitution };
    let slide = "Move out; remove the velocity into the surface";
    let choices = [
        (Response::Ignore, "ignore", "Nothing"),
        (Response::Push, "push", "Move out; velocity is kept"),
        (Response::Slide, "slide", slide),
        (Response::Stop, "stop", "Move out; remove all velocity"),
        (bounce, "bounce", "Move out; reflect the velocity"),
    ];
    let help = "The response to a collision when the scene is stepped";
    rows.of(SceneField::Response)
        .choice("response", help, value, &choices);
    if let Response::Bounce { restitution } = value {
        let help = "0 removes the speed into the surface, 1 keeps it";
        rows.number("restitution", help, restitution, Kind::between(0.0, 1.0));
    }
}

fn camera(ui: &mut Ui, value: &mut Option<Camera>, now: PlayheadPose) {
    let mut has = value.is_some();
    let text = "Has camera";
    let switch = widget::outlined(ui, |ui| ui.checkbox(&mut has, text));
    let help = "With a probe that keeps it off surfaces; the Camera panel shows its contacts";
    if switch.on_hover_text(help).changed() {
        *value = has.then(new_camera);
    }
    let Some(camera) = value else {
        return;
    };
    form(ui, "camera", |rows| camera_fields(rows, camera));
    if let CameraMovement::Keyframes(frames) = &mut camera.movement {
        table::keyframes(ui, frames, now);
    }
}

fn camera_fields(rows: &mut Rows<'_>, camera: &mut Camera) {
    let position = &mut camera.pose.position;
    rows.prefix = "camera ".to_owned();
    rows.vector("position", "At frame 0", position, Kind::any("m"));
    rows.rotation(&mut camera.pose.rotation);
    camera_motion(rows, &mut camera.movement, camera.pose);
    let own = match &camera.probe {
        Probe::Lines(lines) => lines.clone(),
        _ => STANDARD_PROBE.to_vec(),
    };
    let own = Probe::Lines(own);
    let choices = [
        (Probe::Standard, "the standard five", "As published"),
        (Probe::Off, "none", "No probe"),
        (own, "its own lines", "Lines around the camera"),
    ];
    let help = "The lines that keep the camera off surfaces";
    rows.prefix.clear();
    rows.of(SceneField::Probe)
        .choice("probe", help, &mut camera.probe, &choices);
    if let Probe::Lines(lines) = &mut camera.probe {
        let help = "From +offset to -offset around the camera";
        point_list::points(rows, ("line", help), lines, 1);
    }
    let in_order = "As published: every hit moves the camera";
    let deepest = "The longest push first, again until none is left";
    let choices = [
        (ProbeMode::InOrder, "in order", in_order),
        (ProbeMode::Deepest, "deepest first", deepest),
    ];
    let help = "The order of pushes where lines touch several triangles";
    rows.choice("probe acts", help, &mut camera.probe_mode, &choices);
    let help = "Nothing nearer is drawn";
    rows.of(SceneField::NearPlane).number(
        "near plane",
        help,
        &mut camera.near,
        Kind::positive("m"),
    );
    let mut degrees = (camera.fov.to_degrees() * 1e9).round() / 1e9;
    let was = degrees;
    let kind = Kind::between(1.0, 179.0).with_unit("°").with_speed(0.5);
    rows.of(SceneField::FieldOfView).number(
        "field of view",
        "From top to bottom",
        &mut degrees,
        kind,
    );
    if degrees != was {
        camera.fov = degrees.to_radians();
    }
    let aspect = &mut camera.aspect;
    rows.number("aspect", "Width over height", aspect, Kind::positive(""));
}

fn camera_motion(rows: &mut Rows<'_>, movement: &mut CameraMovement, pose: Pose) {
    let velocity = match movement {
        CameraMovement::Velocity(velocity) => *velocity,
        _ => DVec3::NEG_Z,
    };
    let frames = match movement {
        CameraMovement::Keyframes(frames) => frames.clone(),
        _ => vec![Keyframe {
            frame: 0,
            position: pose.position,
            rotation: pose.rotation,
        }],
    };
    let (velocity, frames) = (
        CameraMovement::Velocity(velocity),
        CameraMovement::Keyframes(frames),
    );
    let by_velocity = "Moves on; the probe's pushes are added";
    let keyframes = "Poses at frames, straight in between";
    let choices = [
        (CameraMovement::Fixed, "fixed", "Never moves"),
        (velocity, "by velocity", by_velocity),
        (frames, "keyframes", keyframes),
    ];
    rows.choice("motion", "What moves the camera", movement, &choices);
    if let CameraMovement::Velocity(velocity) = movement {
        let help = "Metres per second";
        rows.of(SceneField::CameraVelocity)
            .vector("velocity", help, velocity, Kind::any("m/s"));
    }
}

fn engine(rows: &mut Rows<'_>, draft: &mut Scene) {
    let (units, engine) = (&mut draft.units, &mut draft.engine);
    let help = "Metres per unit of length in the text";
    rows.of(SceneField::UnitLength)
        .number("unit", help, &mut units.length, Kind::positive("m"));
    let third = match units.flat {
        true => (Axis::MinusY, "-y", "y grows downward, as on screens"),
        false => (Axis::Z, "z", ""),
    };
    let choices = [(Axis::X, "x", ""), (Axis::Y, "y", ""), third];
    let help = "The axis that points up in the text";
    rows.choice("up", help, &mut units.up, &choices);
    let help = "The engine of the level: jolt, physx, godot, or another";
    let mut name = engine.name.clone().unwrap_or_default();
    rows.text("engine", help, &mut name);
    engine.name = (!name.is_empty()).then_some(name);
    let help = "Its version, as settings differ: 4.0";
    let mut version = engine.version.clone().unwrap_or_default();
    rows.text("engine version", help, &mut version);
    engine.version = (!version.is_empty()).then_some(version);
    let help = "Of the engine; its default if absent";
    let optional = |rows: &mut Rows<'_>, title: &str, value: &mut Option<f64>, usual, kind| {
        rows.row(title, help, |ui, name| {
            let flag = format!("{name} is given");
            forms::optional(ui, &flag, value, usual, |ui, value| {
                forms::number(ui, name, value, kind);
            });
        });
    };
    let (ccd, margin) = (&mut engine.ccd_threshold, &mut engine.margin);
    rows.of(SceneField::CcdThreshold);
    optional(rows, "CCD threshold", ccd, 0.75, Kind::positive(""));
    rows.of(SceneField::Margin);
    optional(rows, "margin", margin, 0.01, Kind::positive("m"));
}

/// Pairs of objects that are never tested against each other.
fn ignored_pairs(ui: &mut Ui, scene: &Scene, commands: &mut Vec<Command>) {
    let mut pairs = scene.ignore.clone();
    let mut gone = None;
    let names: Vec<&str> = scene.objects.iter().map(|it| it.name.as_str()).collect();
    form(ui, "ignored pairs", |rows| {
        for (index, (a, b)) in pairs.iter_mut().enumerate() {
            let name = format!("pair {}", index + 1);
            rows.row(&name, "Never tested against each other", |ui, name| {
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
        .on_hover_text("Two objects that may overlap without a finding")
        .clicked()
        && let Some((a, b)) = next
    {
        pairs.push((a.to_owned(), b.to_owned()));
    }
    if pairs != scene.ignore {
        commands.push(Command::Edit(Edit::IgnorePairs(pairs)));
    }
}

/// A choice of an object, without the other one of the pair; a name that occurs only in the recording stays.
fn object_choice(ui: &mut Ui, name: &str, value: &mut String, other: &str, names: &[&str]) {
    let was = value.clone();
    let mut chosen = was.as_str();
    let own = (!names.contains(&chosen)).then_some(chosen);
    let all = own.into_iter().chain(names.iter().copied());
    let choices: Vec<(&str, &str, &str)> = all
        .filter(|name| *name != other)
        .map(|name| (name, name, "Use this object"))
        .collect();
    forms::choice(ui, name, &mut chosen, &choices);
    *value = chosen.to_owned();
}

/// The bookmarks, each with its note.
fn bookmarks(ui: &mut Ui, model: &Model, list: &[Bookmark], commands: &mut Vec<Command>) {
    for (index, bookmark) in list.iter().enumerate() {
        let mut draft = bookmark.clone();
        ui.push_id(("bookmark", index), |ui| {
            form(ui, "bookmark", |rows| {
                rows.prefix = format!("bookmark {} ", index + 1);
                rows.row(
                    "frame",
                    "The frame, and the fraction inside it",
                    |ui, name| {
                        let remove = format!("Remove bookmark {}", index + 1);
                        if widget::icon_button(ui, icons::ICON_DELETE, &remove, "", false).clicked()
                        {
                            let change = BookmarkEdit::Remove(bookmark.clone());
                            commands.push(Command::Edit(Edit::Bookmark(change)));
                        }
                        let frames = model.playback.frames();
                        forms::whole(ui, name, &mut draft.frame, 0, frames);
                        let name = format!("bookmark {} fraction", index + 1);
                        let kind = Kind::between(0.0, 1.0);
                        forms::number(ui, &name, &mut draft.fraction, kind);
                    },
                );
                rows.text("note", "A note for the bookmark", &mut draft.note);
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
        .on_hover_text("Add a bookmark at the playhead")
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
