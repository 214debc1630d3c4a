//! Conversion: between the log formats, from a log to a scene that names it, from one frame to a small scene,
//! and from a mesh file to a scene of its objects.

mod gltf;
mod line_limit;

use self::gltf::save_gltf;
use self::line_limit::LineLimit;
use crate::core::diagnose::{
    Finding, FindingList, Options, SceneSelection, diagnose, inline_meshes, minimal_scene,
};
use crate::core::file::{folder_of, open_file};
use crate::core::level::{self, Level, ReadOptions, scene_of_mesh};
use crate::core::log::{self, Compression, Compressor, Format};
use crate::core::number::count;
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::{ObjectId, Recording, StaticBody};
use crate::core::scene::{self, MeshSource, Movement, Objects, Scene};
use crate::core::shape::{Pose, Shape};
use crate::save::{save_atomic, save_stream};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The selected part of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// One frame, counted as the window and findings do.
    Frame(u32),
    /// Two objects, "A,B", in a frame: the given one, or that of their first finding.
    Pair(String, Option<u32>),
    /// The finding of this number, from 1.
    Finding(usize),
}

/// What was written.
#[derive(Debug)]
pub struct Converted {
    /// About the input, and losses of the output.
    pub notices: Vec<Problem>,
    /// Its content, in words.
    pub what: String,
}

/// Reads `input` and writes `output` by their extensions; a part of a level becomes a scene.
///
/// The output is replaced atomically.
///
/// # Errors
/// When the input cannot be read, input and output are the same file, the pair of formats makes no sense, or writing fails.
pub fn convert(
    input: &Path,
    output: &Path,
    part: &Part,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Converted, Problems> {
    let is_scene = !is_gltf(output) && output_format(output)?.is_none();
    if *part != Part::Whole && !is_scene {
        let help = "name the output .ron, or leave --frame, --pair and --finding out";
        return Err(problem(output, "a frame can only be converted to a scene", help).into());
    }
    if is_scene && let Some(made) = scene_of_geometry(input, options) {
        let (mut scene, notices) = made?;
        if *part != Part::Whole {
            let help = "leave --frame, --pair and --finding out";
            return Err(problem(input, "a mesh file has no frames", help).into());
        }
        let mut what = content(&scene);
        if let Some(file) = refer_to_mesh(&mut scene, input, output) {
            what += &format!(", whose mesh stays in {file}");
        }
        save_atomic(output, &scene_bytes(&scene, output)?)?;
        return Ok(Converted { notices, what });
    }
    let level = level::open_with(input, options, &scene::DiskFolder::of(input), progress)?;
    convert_level(&level, output, part, progress)
}

/// The format of a log to be written; `None` for a scene.
///
/// # Errors
/// When it is neither.
pub fn output_format(output: &Path) -> Result<Option<Format>, Problem> {
    let format = Format::of_output(output);
    let ending = output.extension();
    if format.is_none() && ending.is_none_or(|ending| !ending.eq_ignore_ascii_case("ron")) {
        let help = "name the output .jsonl, .csv, .parquet, .glb or .ron; a log also .jsonl.zst or .jsonl.gz";
        return Err(problem(output, "unsupported output format", help));
    }
    Ok(format)
}

/// Writes an open level, or a part of it, as [`convert`] does.
///
/// # Errors
/// As [`convert`].
pub fn convert_level(
    level: &Level,
    output: &Path,
    part: &Part,
    progress: &dyn Progress,
) -> Result<Converted, Problems> {
    let input = level.file.as_path();
    refuse_own_input(input, output)?;
    let mut notices = level.notices.clone();
    if is_gltf(output) {
        if *part != Part::Whole {
            let help = "leave --frame, --pair and --finding out";
            let what = "glTF holds a whole level, not a part of it";
            return Err(problem(output, what, help).into());
        }
        let (losses, what) = save_gltf(level, output, progress)?;
        notices.extend(losses);
        return Ok(Converted { notices, what });
    }
    let (bytes, what) = match (Format::of_output(output), part) {
        (Some(format), _) => {
            let (losses, what) = save_log(level, format, input, output)?;
            notices.extend(losses);
            return Ok(Converted { notices, what });
        }
        (None, Part::Whole) => {
            let scene = scene_of_log(level, input, output)?;
            let what = format!("a scene over {}", input.display());
            (scene_bytes(&scene, output)?, what)
        }
        (None, part) => {
            let (bytes, left_out, what) = scene_text(level, part, output, progress)?;
            notices.extend(left_out);
            (bytes, what)
        }
    };
    save_atomic(output, &bytes)?;
    Ok(Converted { notices, what })
}

/// Whether a file is one of glTF with everything in it.
fn is_gltf(output: &Path) -> bool {
    let ending = output.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("glb"))
}

/// The text of the scene of a part of a level, what it leaves out, and its content in words.
pub fn scene_text(
    level: &Level,
    part: &Part,
    output: &Path,
    progress: &dyn Progress,
) -> Result<(Vec<u8>, Vec<Problem>, String), Problems> {
    let input = level.file.as_path();
    let made = scene_of(level, part, progress).map_err(|what| problem(input, what, ""))?;
    let (mut scene, left_out) = made;
    if full_folder(input) != full_folder(output) {
        inline_meshes(&mut scene);
    }
    // What was left out may be why the rest is no scene.
    let bytes = scene_bytes(&scene, output).map_err(|Problems(mut problems)| {
        problems.extend(left_out.iter().cloned());
        Problems(problems)
    })?;
    let mut what = content(&scene);
    if scene.expect.is_empty() {
        what += ", which expects nothing";
    }
    Ok((bytes, left_out, what))
}

/// `a scene of 3 objects`
fn content(scene: &Scene) -> String {
    format!("a scene of {}", count(scene.objects.len(), "object"))
}

/// The text of a scene for the output, verified by parsing it.
fn scene_bytes(scene: &Scene, output: &Path) -> Result<Vec<u8>, Problems> {
    let text = scene::write_valid(
        scene,
        &output.display().to_string(),
        &scene::DiskFolder::of(output),
    )?;
    Ok(text.into_bytes())
}

/// The scene of a mesh file, with notices; `None` for another type of file.
fn scene_of_geometry(
    input: &Path,
    options: &ReadOptions,
) -> Option<Result<(Scene, Vec<Problem>), Problem>> {
    let ending = input.extension()?.to_str()?.to_ascii_lowercase();
    if !["obj", "gltf", "glb"].contains(&ending.as_str()) {
        return None;
    }
    let name = input.file_name()?.to_str()?;
    Some(scene_of_mesh(&scene::DiskFolder::of(input), name, options))
}

/// Names the mesh file in place of a copy of its triangles, where the scene's only object is the whole file, unmoved in its own units. Returns
/// the name in the scene.
///
/// Such a scene is small, and a large mesh is read from its own file in a fraction of the time.
fn refer_to_mesh(scene: &mut Scene, input: &Path, output: &Path) -> Option<String> {
    let units = scene.units;
    if scene.objects.len() > 1 {
        return None;
    }
    let object = scene.objects.get_mut(0)?;
    let Shape::Mesh(mesh) = &object.shape else {
        return None;
    };
    let name = name_from(output, input)?;
    // The scene's own reader decides what the name means.
    let file =
        scene::read_mesh(&scene::DiskFolder::of(output), &name, mesh.facing(), units).ok()?;
    if object.pose != Pose::IDENTITY || file != **mesh {
        return None;
    }
    object.mesh = Some(MeshSource::File(name.clone()));
    Some(name)
}

/// The finding of a number, from 1, in the order of `check`.
pub fn finding(level: &Level, number: usize, progress: &dyn Progress) -> Result<Finding, String> {
    let findings = all_findings(level, progress)?;
    findings.get(number - 1).cloned().ok_or_else(|| {
        format!(
            "there is no finding {number}; `hitstop check` lists {}",
            findings.len()
        )
    })
}

fn all_findings(level: &Level, progress: &dyn Progress) -> Result<FindingList, String> {
    let options = Options {
        list_all: true,
        ..Options::default()
    };
    let report = diagnose(level, &options, progress).ok_or("the work was cancelled")?;
    Ok(report.findings)
}

/// The small scene of a part of a level.
fn scene_of(
    level: &Level,
    part: &Part,
    progress: &dyn Progress,
) -> Result<(Scene, Vec<Problem>), String> {
    match part {
        Part::Whole => Err("the whole level is no part of it".to_owned()),
        Part::Frame(frame) => minimal_scene(level, *frame, SceneSelection::Neighbourhood, progress),
        Part::Finding(number) => {
            let finding = finding(level, *number, progress)?;
            minimal_scene(
                level,
                finding.frame,
                SceneSelection::Finding(&finding),
                progress,
            )
        }
        Part::Pair(names, frame) => {
            let (a, b) = pair_of(level, names)?;
            let frame = match frame {
                Some(frame) => *frame,
                None => {
                    let is_of = |id| [Some(a), Some(b)].contains(&id);
                    let findings = all_findings(level, progress)?;
                    let first = findings
                        .iter()
                        .find(|finding| is_of(finding.object_a) && is_of(finding.object_b));
                    let first = first
                        .ok_or("these two objects have no finding; name a frame with --frame")?;
                    return minimal_scene(
                        level,
                        first.frame,
                        SceneSelection::Finding(first),
                        progress,
                    );
                }
            };
            minimal_scene(level, frame, SceneSelection::Pair(a, b), progress)
        }
    }
}

/// Two objects by "A,B"; a name may hold a comma itself.
fn pair_of(level: &Level, names: &str) -> Result<(ObjectId, ObjectId), String> {
    let named = |name: &str| level.replay.object_named(name.trim());
    names
        .match_indices(',')
        .find_map(|(at, _)| Some((named(&names[..at])?, named(&names[at + 1..])?)))
        .filter(|(a, b)| a != b)
        .ok_or_else(|| {
            format!("\"{names}\" does not name two objects of the level; write --pair \"A,B\"")
        })
}

fn problem(path: &Path, what: impl Into<String>, help: &str) -> Problem {
    Problem::new(path.display().to_string(), what, help)
}

fn refuse_own_input(input: &Path, output: &Path) -> Result<(), Problem> {
    match (input.canonicalize(), output.canonicalize()) {
        (Ok(input), Ok(same)) if input == same => {
            let what = "input and output are the same file";
            Err(problem(output, what, "name another output"))
        }
        _ => Ok(()),
    }
}

fn full_folder(path: &Path) -> Option<PathBuf> {
    folder_of(path).canonicalize().ok()
}

/// How a scene names a file beside or below it; `None` for another place.
fn name_from(scene: &Path, file: &Path) -> Option<String> {
    let (from, to) = (full_folder(scene)?, full_folder(file)?);
    let mut path = to.strip_prefix(from).ok()?.to_path_buf();
    path.push(file.file_name()?);
    let names: Option<Vec<&str>> = path.iter().map(|name| name.to_str()).collect();
    Some(names?.join("/"))
}

/// Whether a log can be copied line by line: from JSON Lines to JSON Lines, where what its lines name stays where it is.
fn is_copied(level: &Level, format: Format, input: &Path, output: &Path) -> bool {
    let is_lines = [Some(format), Format::of_path(input)] == [Some(Format::JsonLines); 2];
    let is_bare = level.replay.scene().recording.is_none();
    let mut objects = level.replay.objects().iter();
    let names_files = objects.any(|object| matches!(object.mesh, Some(MeshSource::File { .. })));
    let stays = !names_files || full_folder(input) == full_folder(output);
    is_lines && is_bare && stays && input.is_file()
}

/// Writes the recording of a level; returns what the format does not hold, and what was written.
fn save_log(
    level: &Level,
    format: Format,
    input: &Path,
    output: &Path,
) -> Result<(Vec<Problem>, String), Problem> {
    let recording = level.replay.recording().ok_or_else(|| {
        let is_scene = input
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("ron"));
        let (what, help) = match is_scene {
            true => (
                "this is a scene, not a log",
                "a stepped scene holds no log; record the program, or convert its log",
            ),
            false => (
                "nothing moves in this file, so there is no log to write",
                "convert it to a scene: name the output .ron",
            ),
        };
        problem(input, what, help)
    })?;
    let scene = level.replay.scene();
    let has_lines = matches!(format, Format::JsonLines | Format::Csv);
    let frames = count(level.replay.frames() as usize, "frame");
    let objects = count(level.replay.objects().len(), "object");
    if is_copied(level, format, input, output) {
        let mut lines = open_file(input)?;
        save_stream(output, |file| {
            let file = BufWriter::with_capacity(1 << 16, file);
            let mut compressor = Compressor::new(file, Compression::of_path(output))?;
            log::copy_log(&mut lines.input, lines.length, &mut compressor)?;
            compressor.finish()?.flush()
        })?;
        let what = format!("the same lines, {frames} of {objects}");
        return Ok((Vec::new(), what));
    }
    let (mut losses, mut too_long) = (Vec::new(), false);
    let saved = save_stream(output, |file| {
        let file = BufWriter::with_capacity(1 << 16, file);
        let compressor = Compressor::new(file, Compression::of_path(output))?;
        let mut lines = LineLimit {
            output: compressor,
            limit: if has_lines {
                log::LINE_LIMIT
            } else {
                usize::MAX
            },
            length: 0,
            is_exceeded: false,
        };
        // A scene that names the log has more of its objects than a CSV.
        let written = match scene.recording.is_some() {
            true => log::write(format, &with_scene(recording, scene), &mut lines),
            false => log::write(format, recording, &mut lines),
        };
        too_long = lines.is_exceeded;
        losses = written?;
        if level.lost_frames().is_some() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        lines.output.finish()?.flush()
    });
    if too_long {
        let help = "keep large meshes in files beside the log";
        let what = "a line of the log would be longer than 256 MiB";
        return Err(problem(input, what, help));
    }
    if let Some(problem) = level.lost_frames() {
        return Err(problem);
    }
    saved?;
    let what = format!("{frames} of {objects}, in metres with Y up; ids count from 0");
    Ok((losses, what))
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
                let (body, ignores) = (object.body.take(), std::mem::take(&mut object.ignores));
                *object = known.clone();
                object.body = object.body.take().or(body);
                object.ignores.extend(ignores);
                (object.pose, object.velocity, object.spin) = (pose, velocity, spin);
            }
            None if known.movement == Movement::Fixed => {
                recording.static_bodies.push(StaticBody {
                    object: recording.objects.len() as u32,
                    from: 0,
                    until: None,
                });
                recording.objects.push(known.clone());
            }
            None => {}
        }
    }
    recording
}

/// A scene that names the log, to give it expectations, bookmarks and a camera.
fn scene_of_log(level: &Level, input: &Path, output: &Path) -> Result<Scene, Problem> {
    let bare = level.replay.recording().is_some() && level.replay.scene().recording.is_none();
    if !bare {
        let help = "it is already a scene; use --frame N to extract a frame";
        return Err(problem(
            input,
            "only a log can be converted to a scene",
            help,
        ));
    }
    let recording = name_from(output, input).ok_or_else(|| {
        let help = "write the scene beside the log or above it, or use --frame N for a scene that needs no log";
        problem(output, "a scene can only name a log in its own folder", help)
    })?;
    Ok(Scene {
        recording: Some(recording),
        objects: Objects::default(),
        camera: None,
        ..Scene::clone(level.replay.scene())
    })
}
