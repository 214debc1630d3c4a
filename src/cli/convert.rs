//! `hitstop convert`: between the log formats, from a log to a scene that names it, and from one frame to a small scene.

use super::excerpt::excerpt;
use super::progress::Bar;
use super::{ConvertArguments, Status, complain};
use crate::core::level::{self, Level};
use crate::core::log::{self, Format};
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::{Recording, Still};
use crate::core::scene::{self, MeshSource, Movement, Scene};
use std::path::{Path, PathBuf};

/// Runs the command; what the output does not hold is said on standard error.
pub fn run(arguments: &ConvertArguments) -> Status {
    let bar = Bar::new(true);
    bar.say("converting");
    let outcome = convert(&arguments.input, &arguments.output, arguments.frame, &bar);
    bar.clear();
    match outcome {
        Ok(notices) => {
            complain(&notices, true);
            Status::Clean
        }
        Err(problems) => {
            complain(&problems.0, false);
            Status::BadInput
        }
    }
}

/// Reads `input` and writes `output`, in the formats of their endings. With `frame` (counted as the window and findings do),
/// a scene of that frame alone. Returns what was odd about the input and what the output does not hold.
///
/// The output is replaced in one step: there is never half a file.
///
/// # Errors
/// When the input cannot be read, the output is the input, the pair of formats makes no sense, or writing fails.
pub fn convert(
    input: &Path,
    output: &Path,
    frame: Option<u32>,
    progress: &dyn Progress,
) -> Result<Vec<Problem>, Problems> {
    refuse_own_input(input, output)?;
    let format = Format::of_path(output);
    let is_scene = output
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("ron"));
    if format.is_none() && !is_scene {
        let mend = "name the output .jsonl, .csv or .ron";
        return Err(problem(output, "an output with this ending is not known", mend).into());
    }
    if frame.is_some() && !is_scene {
        let mend = "name the output .ron, or leave --frame out";
        return Err(problem(output, "one frame makes a scene, not a log", mend).into());
    }
    let level = level::open(input, progress)?;
    let mut notices = level.notices.clone();
    let bytes = match (format, frame) {
        (Some(format), _) => log_bytes(&level, format, input, &mut notices)?,
        (None, Some(frame)) => {
            let made = excerpt(&level, frame, progress).map_err(|what| problem(input, what, ""))?;
            notices.extend(made.1);
            let mut scene = made.0;
            if folder_of(input) != folder_of(output) {
                write_meshes_out(&mut scene);
            }
            scene::write(&scene).into_bytes()
        }
        (None, None) => scene::write(&scene_of_log(&level, input, output)?).into_bytes(),
    };
    scene::save_atomic(output, &bytes)?;
    Ok(notices)
}

fn problem(path: &Path, what: impl Into<String>, mend: &str) -> Problem {
    Problem::new(path.display().to_string(), what, mend)
}

fn refuse_own_input(input: &Path, output: &Path) -> Result<(), Problem> {
    match (input.canonicalize(), output.canonicalize()) {
        (Ok(input), Ok(same)) if input == same => {
            let what = "the output is the input";
            Err(problem(output, what, "name another output"))
        }
        _ => Ok(()),
    }
}

fn folder_of(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    if folder.as_os_str().is_empty() {
        return Path::new(".").canonicalize().ok();
    }
    folder.canonicalize().ok()
}

fn log_bytes(
    level: &Level,
    format: Format,
    input: &Path,
    notices: &mut Vec<Problem>,
) -> Result<Vec<u8>, Problem> {
    let recording = level.replay.recording().ok_or_else(|| {
        let mend = "a stepped scene holds no log; record the program, or convert its log";
        problem(input, "this is a scene, not a log", mend)
    })?;
    let scene = level.replay.scene();
    let mut bytes = Vec::new();
    // A scene that names the log knows more of its objects than a CSV does.
    let losses = if scene.recording.is_some() {
        log::write(format, &with_scene(recording, scene), &mut bytes)
    } else {
        log::write(format, recording, &mut bytes)
    };
    notices.extend(losses.map_err(|error| problem(input, error.to_string(), ""))?);
    Ok(bytes)
}

/// The recording with the scene's shapes, and the scene's fixed objects that the log leaves out.
fn with_scene(recording: &Recording, scene: &Scene) -> Recording {
    let mut recording = recording.clone();
    for known in &scene.objects {
        let found = recording
            .objects
            .iter_mut()
            .find(|object| object.name == known.name);
        match found {
            Some(object) => {
                let (pose, velocity, spin) = (object.pose, object.velocity, object.spin);
                *object = known.clone();
                (object.pose, object.velocity, object.spin) = (pose, velocity, spin);
            }
            None if known.movement == Movement::Fixed => {
                recording.still.push(Still {
                    object: recording.objects.len() as u32,
                    from: 0,
                });
                recording.objects.push(known.clone());
            }
            None => {}
        }
    }
    recording
}

fn write_meshes_out(scene: &mut Scene) {
    for object in &mut scene.objects {
        if object.mesh.is_some() {
            object.mesh = Some(MeshSource::Inline);
        }
    }
}

/// A scene that names the log, to give it expectations, bookmarks and a camera.
fn scene_of_log(level: &Level, input: &Path, output: &Path) -> Result<Scene, Problem> {
    let bare = level.replay.recording().is_some() && level.replay.scene().recording.is_none();
    if !bare {
        let mend = "it is one already; with --frame N, one frame of it becomes a scene";
        return Err(problem(input, "only a log becomes a scene", mend));
    }
    let inside = || {
        let (from, to) = (folder_of(output)?, folder_of(input)?);
        let mut path = to.strip_prefix(from).ok()?.to_path_buf();
        path.push(input.file_name()?);
        let names: Option<Vec<&str>> = path.iter().map(|name| name.to_str()).collect();
        Some(names?.join("/"))
    };
    let recording = inside().ok_or_else(|| {
        let mend = "write the scene beside the log or above it, or use --frame N for a scene that needs no log";
        problem(output, "a scene can only name a log in its own folder", mend)
    })?;
    Ok(Scene {
        recording: Some(recording),
        objects: Vec::new(),
        camera: None,
        ..Scene::clone(level.replay.scene())
    })
}
