//! Opens a scene, a log, or a scene that names a log.

use super::file::{Opened, open_file};
use super::log::{self, Format, Parts, ReadContext};
use super::number::count;
use super::problem::{Problem, Problems};
use super::progress::Progress;
use super::replay::{Recording, Replay};
use super::scene::{self, Camera, DiskFolder, Folder, Object, Objects, Probe, Scene};
use super::shape::Shape;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

mod choice;
mod content;
mod doubts;
mod ending;
mod kept;
mod mesh;

pub use super::log::ReadOptions;
pub use choice::FileChoice;
use doubts::doubts;
use ending::Ending;
pub use kept::KeptLog;
pub use mesh::scene_of_mesh;

/// An opened level.
#[derive(Clone, Debug)]
pub struct Level {
    /// The path as given by the user; for a bundled level its name in the bundle.
    pub file: PathBuf,
    /// The motion of its objects.
    pub replay: Arc<Replay>,
    /// Problems that did not stop loading: bad lines, assumed defaults, dirty meshes.
    pub notices: Vec<Problem>,
}

/// Receives a level again and again while it is read, each time with more frames. The notices of a part are those of the whole as far as
/// they are known.
pub struct LevelParts<'p> {
    /// Least time between two parts.
    pub every: Duration,
    /// Is called with each part.
    pub take: &'p mut dyn FnMut(Level),
}

/// Opens a scene (`.ron`), a log (`.jsonl`, `.csv`, `.parquet`, `.ovd`, also compressed), an animation (`.gltf`, `.glb`) or a mesh (`.obj`) from disk. `&()` is a progress that is not shown and not cancelled.
///
/// ```
/// let level = hitstop::core::level::open("scenes/warehouse.ron".as_ref(), &())?;
/// println!("{} objects, {} frames", level.replay.objects().len(), level.replay.frames());
/// level.notices.iter().for_each(|notice| eprintln!("{notice}"));
/// # assert!(level.replay.frames() > 0);
/// # Ok::<(), hitstop::core::problem::Problems>(())
/// ```
///
/// # Errors
/// Everything that is wrong with the file: what, where, and how to fix it.
pub fn open(path: &Path, progress: &dyn Progress) -> Result<Level, Problems> {
    open_in_parts(path, &ReadOptions::default(), progress, None)
}

/// The same, with what the user says about the file; hands on the level of a log so far while the rest is read.
///
/// # Errors
/// As [`open`].
pub fn open_in_parts(
    path: &Path,
    options: &ReadOptions,
    progress: &dyn Progress,
    parts: Option<LevelParts<'_>>,
) -> Result<Level, Problems> {
    open_on_disk(path, options, &DiskFolder::of(path), progress, parts)
}

/// The same as [`open`], with what the user says about the file, and with the files beside it from a folder: that of the file on disk, which
/// may be observed.
///
/// # Errors
/// As [`open`].
pub fn open_with(
    path: &Path,
    options: &ReadOptions,
    folder: &dyn Folder,
    progress: &dyn Progress,
) -> Result<Level, Problems> {
    open_on_disk(path, options, folder, progress, None)
}

fn open_on_disk(
    path: &Path,
    options: &ReadOptions,
    folder: &dyn Folder,
    progress: &dyn Progress,
    parts: Option<LevelParts<'_>>,
) -> Result<Level, Problems> {
    let file = path.display().to_string();
    let opened = open_file(path)?;
    let ending = Ending::of(path)?;
    open_stream(ending, opened, &file, options, folder, progress, parts)
}

/// Opens a file of a folder, such as the bundled levels.
///
/// # Errors
/// As [`open`].
pub fn open_in(
    folder: &dyn Folder,
    file: &str,
    progress: &dyn Progress,
) -> Result<Level, Problems> {
    let ending = Ending::of(Path::new(file))?;
    let opened = folder.open(file)?;
    let beside = Beside::new(folder, file);
    let options = ReadOptions::default();
    open_stream(ending, opened, file, &options, &beside, progress, None)
}

fn open_stream(
    ending: Ending,
    mut opened: Opened<'_>,
    file: &str,
    options: &ReadOptions,
    folder: &dyn Folder,
    progress: &dyn Progress,
    parts: Option<LevelParts<'_>>,
) -> Result<Level, Problems> {
    let start = opened.input.fill_buf().unwrap_or_default();
    let start = start[..start.len().min(16)].to_vec();
    let read = open_as(ending, opened, file, options, folder, progress, parts);
    read.map_err(|problems| ending.other(&start, file).map_or(problems, Problems::from))
}

fn open_as(
    ending: Ending,
    opened: Opened<'_>,
    file: &str,
    options: &ReadOptions,
    folder: &dyn Folder,
    progress: &dyn Progress,
    parts: Option<LevelParts<'_>>,
) -> Result<Level, Problems> {
    let path = Path::new(file).file_name().and_then(|name| name.to_str());
    let name = path.unwrap_or(file);
    let mut read = match ending {
        Ending::Log(format) => {
            return open_log_with(format, opened, file, options, folder, progress, parts);
        }
        Ending::Animation => match log::read_animation(folder, name, options, progress)? {
            Some(recording) => recorded(file, recording),
            None => of_mesh(file, folder, name, options)?,
        },
        Ending::Mesh => of_mesh(file, folder, name, options)?,
        Ending::Scene => {
            let text = scene::scene_text(opened.input, file)?;
            return open_scene(&text, file, options, folder, progress);
        }
    };
    read.notices.extend(ending.unused(options, file));
    Ok(read)
}

/// The objects of a file without motion.
fn of_mesh(
    file: &str,
    folder: &dyn Folder,
    name: &str,
    options: &ReadOptions,
) -> Result<Level, Problem> {
    let (scene, mut notices) = scene_of_mesh(folder, name, options)?;
    let mut movements = scene.objects.iter().map(|object| &object.movement);
    if movements.all(|movement| *movement == scene::Movement::Fixed) {
        let objects = count(scene.objects.len(), "object");
        let what = format!("nothing moves in this file, so nothing can be found: {objects}, fixed");
        let help = "record a run, or add what moves to its scene: hitstop convert FILE LEVEL.ron";
        notices.insert(0, Problem::new(file, what, help));
    }
    Ok(level(file, Replay::stepped(Arc::new(scene)), notices))
}

/// Opens a log as a stream, which may have more to come: see [`log::read_in_parts`]. `file` is its name in errors, and meshes come from
/// `folder`.
///
/// # Errors
/// As [`open`].
pub fn open_log(
    format: Format,
    opened: Opened<'_>,
    file: &str,
    folder: &dyn Folder,
    progress: &dyn Progress,
    parts: Option<LevelParts<'_>>,
) -> Result<Level, Problems> {
    let options = ReadOptions::default();
    open_log_with(format, opened, file, &options, folder, progress, parts)
}

/// The same as [`open_log`], with what the user says about the log.
///
/// # Errors
/// As [`open`].
pub fn open_log_with(
    format: Format,
    opened: Opened<'_>,
    file: &str,
    options: &ReadOptions,
    folder: &dyn Folder,
    progress: &dyn Progress,
    parts: Option<LevelParts<'_>>,
) -> Result<Level, Problems> {
    let mut parts = parts;
    let every = parts.as_ref().map(|parts| parts.every);
    let mut take = |recording| {
        if let Some(parts) = &mut parts {
            (parts.take)(recorded(file, recording));
        }
    };
    let context = ReadContext {
        file,
        scene: None,
        options,
        folder,
        parts: every.map_or_else(Parts::none, |every| Parts::every(every, &mut take)),
    };
    let read = log::read_in_parts(format, opened, context, progress)?;
    let mut level = recorded(file, read);
    let unused = Ending::Log(format).unused(options, file);
    level.notices.extend(unused);
    Ok(level)
}

/// The level of a log without a scene.
pub(in crate::core) fn recorded(file: &str, mut recording: Recording) -> Level {
    let mut notices = std::mem::take(&mut recording.notices);
    notices.splice(0..0, doubts(&recording, file));
    let scene = Arc::new(scene_of(&recording));
    level(file, Replay::recorded(scene, Arc::new(recording)), notices)
}

/// Opens a scene from its text. `file` is its name in errors; meshes and recordings come from `folder`.
///
/// # Errors
/// As [`open`].
pub fn open_text(
    text: &str,
    file: &str,
    folder: &dyn Folder,
    progress: &dyn Progress,
) -> Result<Level, Problems> {
    open_scene(text, file, &ReadOptions::default(), folder, progress)
}

fn open_scene(
    text: &str,
    file: &str,
    options: &ReadOptions,
    folder: &dyn Folder,
    progress: &dyn Progress,
) -> Result<Level, Problems> {
    let scene = Arc::new(scene::parse(text, file, folder)?);
    match scene.recording.clone() {
        None => {
            let unused = Ending::Scene.unused(options, file);
            Ok(level(file, Replay::stepped(scene), Vec::from_iter(unused)))
        }
        Some(log) => open_recorded(scene, (&log, options), file, folder, progress),
    }
}

impl Level {
    /// The problem of a recording whose frames could not be read back from its temporary file. It shows once they were read.
    pub fn lost_frames(&self) -> Option<Problem> {
        let is_lost = |recording: &Arc<Recording>| recording.data.has_failed();
        self.replay.recording().filter(|one| is_lost(one)).map(|_| {
            let what = "frames of this long recording cannot be read back from its temporary file";
            let help = "check the disk of /var/tmp or TMPDIR, then run it again";
            Problem::new(self.file.display().to_string(), what, help)
        })
    }

    /// The level with another scene: stepped anew, or over the same recording.
    #[must_use]
    pub fn with_scene(&self, scene: Arc<Scene>) -> Self {
        let (file, before) = (self.file.display().to_string(), self.replay.objects());
        if let Some(recording) = self.replay.recording() {
            let replay = Replay::recorded(scene, Arc::clone(recording));
            return level(&file, replay, Vec::new());
        }
        let is_mesh = |objects: &Objects, id: u32| {
            let object = objects.get(id as usize);
            object.is_some_and(|object| matches!(object.shape, Shape::Mesh(_)))
        };
        let mut changed = scene.objects.changed_from(before).into_iter();
        let same_meshes = scene.objects.len() == before.len()
            && changed.all(|id| !is_mesh(&scene.objects, id) && !is_mesh(before, id));
        let replay = Replay::stepped(scene);
        match same_meshes {
            true => Self {
                file: self.file.clone(),
                replay: Arc::new(replay),
                notices: self.notices.clone(),
            },
            false => level(&file, replay, Vec::new()),
        }
    }
}

/// A scene whose poses come from a log in its folder.
fn open_recorded(
    scene: Arc<Scene>,
    (log, options): (&str, &ReadOptions),
    file: &str,
    folder: &dyn Folder,
    progress: &dyn Progress,
) -> Result<Level, Problems> {
    let ending = Ending::of(Path::new(log));
    let read = match ending {
        Ok(Ending::Log(format)) => {
            let context = ReadContext {
                file: &folder.shown(log),
                scene: Some(&*scene),
                options,
                folder: &Beside::new(folder, log),
                parts: Parts::none(),
            };
            log::read_in_parts(format, folder.open(log)?, context, progress)
        }
        Ok(Ending::Animation) => {
            let read = log::read_animation(folder, log, options, progress)?;
            read.ok_or_else(|| {
                let what = "the file has no animation, so it has no poses for the scene";
                let help = "export it with its animation, or name a log";
                Problem::new(folder.shown(log), what, help).into()
            })
        }
        Ok(Ending::Scene | Ending::Mesh) | Err(_) => {
            let what = format!("the recording {log} is not a log");
            Err(Problem::new(
                file,
                what,
                "name a .jsonl, .csv, .parquet, .ovd or .glb file",
            )
            .into())
        }
    };
    let mut recording = read?;
    let mut notices = std::mem::take(&mut recording.notices);
    notices.splice(0..0, doubts(&recording, &folder.shown(log)));
    notices.extend(
        ending
            .ok()
            .and_then(|it| it.unused(options, &folder.shown(log))),
    );
    notices.extend(objects_without_poses(&scene, &recording, file));
    let replay = Replay::recorded(scene, Arc::new(recording));
    Ok(level(file, replay, notices))
}

fn objects_without_poses<'s>(
    scene: &'s Scene,
    recording: &'s Recording,
    file: &'s str,
) -> impl Iterator<Item = Problem> + 's {
    let names = recording.objects.iter().map(|object| object.name.as_str());
    let names: HashSet<&str> = names.collect();
    let recorded = move |object: &Object| names.contains(object.name.as_str());
    let moves = |object: &&Object| object.movement != scene::Movement::Fixed;
    let lost = scene
        .objects
        .iter()
        .filter(moves)
        .filter(move |o| !recorded(o));
    lost.map(move |object| {
        let what = format!("the recording has no poses of \"{}\"", object.name);
        let help = "names must be the same in scene and recording, or its motion Fixed";
        Problem::new(file, what, help)
    })
}

fn level(file: &str, replay: Replay, mut notices: Vec<Problem>) -> Level {
    notices.extend(dirty_meshes(replay.objects(), file));
    Level {
        file: PathBuf::from(file),
        replay: Arc::new(replay),
        notices,
    }
}

/// Notices about degenerate and duplicate triangles.
fn dirty_meshes<'o>(objects: &'o Objects, file: &'o str) -> impl Iterator<Item = Problem> + 'o {
    objects.iter().filter_map(move |object| {
        let Shape::Mesh(mesh) = &object.shape else {
            return None;
        };
        let (dirt, all) = (mesh.dirt(), mesh.count());
        let mut faults = Vec::new();
        if dirt.degenerate > 0 {
            faults.push(format!(
                "{} of {all} triangles have no area",
                dirt.degenerate
            ));
        }
        if dirt.duplicate > 0 {
            faults.push(format!(
                "{} of {all} triangles are duplicates",
                dirt.duplicate
            ));
        }
        let what = format!("mesh \"{}\": {}", object.name, faults.join(", "));
        (!faults.is_empty()).then(|| Problem::new(file, what, "harmless here; clean the mesh"))
    })
}

/// The scene of a log without one: from its header, without expectations.
fn scene_of(recording: &Recording) -> Scene {
    let intervals = recording.frames.len().saturating_sub(1).max(1);
    let camera = recording.frames.iter().find_map(|frame| frame.camera);
    Scene {
        dt: recording.dt,
        frames: u32::try_from(intervals).unwrap_or(u32::MAX),
        gravity: recording.gravity.unwrap_or_default(),
        camera: camera.map(|camera| {
            Camera::with_lens(camera.pose, Probe::Off, recording.lens.unwrap_or_default())
        }),
        engine: recording.engine.clone(),
        ..Scene::new(recording.name.clone(), recording.objects.clone())
    }
}

/// The folder a file of a folder lies in: paths in that file start there.
struct Beside<'f> {
    folder: &'f dyn Folder,
    /// Ends in `/` unless empty.
    prefix: &'f str,
}

impl<'f> Beside<'f> {
    fn new(folder: &'f dyn Folder, file: &'f str) -> Self {
        let end = file.rfind('/').map_or(0, |at| at + 1);
        Self {
            folder,
            prefix: &file[..end],
        }
    }

    fn inside(&self, path: &str) -> String {
        // An absolute path is refused by the folder.
        if path.starts_with(['/', '\\']) {
            return path.to_owned();
        }
        format!("{}{path}", self.prefix)
    }
}

impl Folder for Beside<'_> {
    fn open(&self, path: &str) -> Result<Opened<'_>, Problem> {
        self.folder.open(&self.inside(path))
    }

    fn shown(&self, path: &str) -> String {
        self.folder.shown(&self.inside(path))
    }
}
