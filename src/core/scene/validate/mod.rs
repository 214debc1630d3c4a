//! Validation of a raw scene: every value checked, all problems reported at once, units and axes converted.

mod expect;
mod moving;
mod object;

use super::folder::{Folder, relative_path};
use super::parse::RawScene;
use super::raw;
use super::spans::Spans;
use super::types::{Bookmark, Camera, Engine, Object, Probe, Response, Scene, ignore_pairs};
use crate::core::problem::{Place, Problem, Problems};
use crate::core::schema::{Axis, Check, LengthName, Path, Units, looking_along};
use crate::core::shape::Pose;
use crate::core::tolerance::{MAX_MAGNITUDE, MAX_PROBLEMS};
pub use expect::{CAMERA, FINDING_KINDS};
use expect::{KnownObjects, Timeline};

/// Frames of a scene's timeline: two days at 60 a second. Larger numbers are slips, and would cost hours.
const MAX_SCENE_FRAMES: u32 = 10_000_000;

/// Validates and converts; `problems` are those of parsing.
pub(super) fn scene(
    raw: RawScene<'_>,
    problems: Vec<Problem>,
    text: &str,
    file: &str,
    folder: &dyn Folder,
) -> Result<Scene, Problems> {
    let mut check = Check::new(MAX_MAGNITUDE);
    let root = Path::ROOT;
    let head = raw.head;
    let units = units(&mut check, &head);
    check.units = units;
    let recorded = head.recording.is_some();
    if let Some(path) = &head.recording
        && let Err(problem) = relative_path(path)
    {
        check.problem(&root.field("recording"), problem.what, problem.help);
    }
    let engine = engine(&mut check, &head, units);
    let name = title(&mut check, head.name, recorded, file);
    let (dt, frames) = clock(&mut check, head.dt, head.frames, recorded);
    let gravity = check.vector(&root.field("gravity"), head.gravity, "gravity");
    if let Response::Bounce { restitution } = head.response
        && !(0.0..=1.0).contains(&restitution)
    {
        check.problem(
            &root.field("response").field("restitution"),
            format!("restitution must be within 0 to 1, here it is {restitution}"),
            "0 loses the speed along the normal, 1 keeps all of it",
        );
    }
    if head.objects.is_none() && !recorded {
        check.problem(
            &root,
            "the field `objects` of Scene is missing",
            "add `objects: [..]`, or name a `recording` that has some",
        );
    }
    let mut objects = object::objects(&mut check, &raw.objects, units, folder);
    let camera = head
        .camera
        .map(|camera| self::camera(&mut check, &camera, units));
    let timeline = Timeline {
        frames: (!recorded).then_some(frames),
    };
    let bookmarks = bookmarks(&mut check, raw.bookmarks, timeline);
    let known_objects = KnownObjects::new(&raw.objects, recorded, camera.is_some());
    known_objects.camera_name_is_free(&mut check);
    ignored_pairs(&mut check, &head.ignore, &known_objects, &mut objects);
    let expect = expect::expectations(&mut check, raw.expect, &known_objects, timeline, units);
    finish(check, problems, text, file)?;
    Ok(Scene {
        name,
        notes: head.notes,
        units,
        dt,
        frames,
        gravity: units.vector(gravity),
        detection: head.detection,
        response: head.response,
        engine,
        ignore: head.ignore,
        objects: objects.into_iter().flatten().collect(),
        camera,
        recording: head.recording,
        bookmarks,
        expect,
    })
}

/// Stores the ignored pairs in objects; those that only a recording has are stored when it is read.
fn ignored_pairs(
    check: &mut Check,
    pairs: &[(String, String)],
    known_objects: &KnownObjects<'_>,
    objects: &mut [Option<Object>],
) {
    let root = Path::ROOT;
    let list = root.field("ignore");
    for (index, (a, b)) in pairs.iter().enumerate() {
        let at = list.index(index);
        known_objects.object(check, &at.index(0), a);
        known_objects.object(check, &at.index(1), b);
        if a == b {
            let what = format!("`{a}` is paired with itself");
            check.problem(&at.index(1), what, "name two objects");
        }
    }
    if !pairs.is_empty() {
        ignore_pairs(objects.iter_mut().flatten(), pairs);
    }
}

fn engine(check: &mut Check, head: &raw::SceneText<'_>, units: Units) -> Engine {
    let root = Path::ROOT;
    if let Some(threshold) = head.ccd_threshold {
        check.positive(
            &root.field("ccd_threshold"),
            threshold,
            "ccd_threshold",
            "the fraction of a body's size above which the engine sweeps: 0.75",
        );
    }
    if let Some(margin) = head.margin {
        check.not_negative(&root.field("margin"), margin, "margin");
    }
    Engine {
        name: head.engine.clone(),
        version: head.engine_version.clone(),
        ccd_threshold: head.ccd_threshold,
        margin: head.margin.map(|margin| margin * units.length),
    }
}

fn units(check: &mut Check, head: &raw::SceneText<'_>) -> Units {
    let raw = &head.units;
    let at = Path::ROOT.field("units");
    let name = raw.name.map(|word| word.0);
    let length = raw.length.unwrap_or(name.map_or(1.0, LengthName::metres));
    let good = check.positive(
        &at.field("length"),
        length,
        "the length of a unit",
        "write metres per unit: 1.0, or 0.01 for centimetres",
    );
    if head.flat && raw.up == Axis::Z {
        let help = "write Y, or MinusY where y grows downward";
        check.problem(
            &at.field("up"),
            "a flat level does not have an axis z",
            help,
        );
    }
    Units {
        length: if good { length } else { 1.0 },
        up: raw.up,
        name,
        flat: head.flat,
    }
}

fn title(check: &mut Check, name: Option<String>, recorded: bool, file: &str) -> String {
    match name {
        Some(name) if !name.trim().is_empty() => name,
        None if recorded => file.to_owned(),
        _ => {
            check.problem(
                &Path::ROOT.field("name"),
                "the scene has no name",
                "add `name: \"..\",`",
            );
            String::new()
        }
    }
}

/// Seconds per frame and number of frames; optional beside a recording, which has its own.
fn clock(check: &mut Check, dt: Option<f64>, frames: Option<u32>, recorded: bool) -> (f64, u32) {
    let root = Path::ROOT;
    let dt = dt.unwrap_or_else(|| {
        if !recorded {
            check.problem(
                &root,
                "the scene has no `dt`",
                "add `dt: 0.016666666666666666,`",
            );
        }
        1.0 / 60.0
    });
    check.positive(
        &root.field("dt"),
        dt,
        "dt",
        "60 frames a second are 0.016666666666666666",
    );
    let frames = frames.unwrap_or_else(|| {
        if !recorded {
            check.problem(&root, "the scene has no `frames`", "add `frames: 60,`");
        }
        1
    });
    if frames == 0 || frames > MAX_SCENE_FRAMES {
        check.problem(
            &root.field("frames"),
            format!("frames must be 1 to {MAX_SCENE_FRAMES}, here it is {frames}"),
            "write the number of steps",
        );
    }
    (dt, frames)
}

fn camera(check: &mut Check, raw: &raw::Camera, units: Units) -> Camera {
    let root = Path::ROOT;
    let at = root.field("camera");
    let pose = camera_pose(check, &at, raw, units);
    check.positive(
        &at.field("near"),
        raw.near,
        "the near plane",
        "0.1 is usual",
    );
    let fov_at = at.field("fov");
    if check.positive(
        &fov_at,
        raw.fov,
        "the field of view",
        "60 degrees are usual",
    ) && raw.fov >= 180.0
    {
        let what = format!(
            "the field of view must be below 180 degrees, here it is {}",
            raw.fov
        );
        check.problem(&fov_at, what, "60 degrees are usual");
    }
    check.positive(
        &at.field("aspect"),
        raw.aspect,
        "the aspect",
        "it is width over height",
    );
    let probe = match &raw.probe {
        raw::Probe::Standard => Probe::Standard,
        raw::Probe::Off => Probe::Off,
        raw::Probe::Lines(lines) => {
            let probe_at = at.field("probe");
            let lines_at = probe_at.index(0);
            let lines = lines.iter().enumerate().map(|(index, line)| {
                let line = check.vector(&lines_at.index(index), *line, "a probe line");
                units.vector(line)
            });
            Probe::Lines(lines.collect())
        }
    };
    Camera {
        pose,
        movement: moving::camera_movement(check, &at, &raw.motion, &pose, units),
        probe,
        probe_mode: raw.probe_mode,
        near: raw.near * units.length,
        fov: raw.fov.to_radians(),
        aspect: raw.aspect,
    }
}

fn camera_pose(check: &mut Check, at: &Path<'_>, raw: &raw::Camera, units: Units) -> Pose {
    let position = check.vector(&at.field("position"), raw.position, "the camera's position");
    let position = units.vector(position);
    let look_at = at.field("look_at");
    let rotation = match (raw.look_at, raw.rotation) {
        (Some(_), Some(_)) => {
            check.problem(
                &look_at,
                "the camera has both look_at and rotation",
                "keep one of them",
            );
            glam::DQuat::IDENTITY
        }
        (None, rotation) => moving::rotation(check, &at.field("rotation"), rotation, units),
        (Some(target), None) => {
            let target = units.vector(check.vector(&look_at, target, "the point looked at"));
            looking_along(target - position).unwrap_or_else(|| {
                check.problem(
                    &look_at,
                    "the camera looks at its own position",
                    "choose another point, or leave look_at out",
                );
                glam::DQuat::IDENTITY
            })
        }
    };
    Pose { position, rotation }
}

fn bookmarks(
    check: &mut Check,
    raw: Vec<Option<raw::Bookmark>>,
    timeline: Timeline,
) -> Vec<Bookmark> {
    let root = Path::ROOT;
    let list = root.field("bookmarks");
    let mut bookmarks = Vec::new();
    for (index, raw) in raw.into_iter().enumerate() {
        let Some(raw) = raw else { continue };
        let at = list.index(index);
        timeline.state(check, &at.field("frame"), raw.frame);
        if !(0.0..=1.0).contains(&raw.fraction) {
            let what = format!(
                "the fraction must be within 0 to 1, here it is {}",
                raw.fraction
            );
            check.problem(
                &at.field("fraction"),
                what,
                "it is the fraction of the frame's motion",
            );
        }
        bookmarks.push(Bookmark {
            frame: raw.frame,
            fraction: raw.fraction,
            note: raw.note,
        });
    }
    bookmarks
}

/// All problems in the order of the text; `Ok` when there are none.
fn finish(
    check: Check,
    mut problems: Vec<Problem>,
    text: &str,
    file: &str,
) -> Result<(), Problems> {
    if !check.found.is_empty() {
        let spans = Spans::new(text);
        for found in check.found {
            let Place { line, column } = spans.of(&found.at);
            let mut what = found.what;
            if let Some(first) = found.first {
                what = format!("{what} in line {}", spans.of(&first).line);
            }
            problems.push(Problem::new(file, what, found.help).at(line, column));
        }
    }
    problems.sort_by_key(|problem| problem.at);
    problems.extend(check.elsewhere);
    if problems.len() > MAX_PROBLEMS {
        problems.truncate(MAX_PROBLEMS);
        problems.push(Problem::new(file, "there are more problems", "fix these first").at(1, 1));
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(Problems(problems)),
    }
}
