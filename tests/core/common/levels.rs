//! Levels without a file: of text, of objects, of recorded bodies.

use super::sentences::check_report;
use glam::DVec3;
use hitstop::core::diagnose::{Options, Report, diagnose};
use hitstop::core::level::{self, Level};
use hitstop::core::replay::{Body, FrameData, RecordedFrame, Recording, Replay};
use hitstop::core::scene::{MemoryFolder, Movement, Object};
use hitstop::core::shape::Shape;
use std::sync::Arc;

/// A level of one file.
#[track_caller]
pub fn opened(file: &str, text: String) -> Level {
    let folder = MemoryFolder {
        files: [(file.to_owned(), text.into_bytes())].into(),
    };
    level::open_in(&folder, file, &()).unwrap_or_else(|problems| panic!("{problems}"))
}

pub fn diagnosed(level: &Level) -> Report {
    let report = diagnose(level, &Options::default(), &()).expect("not cancelled");
    check_report(&report);
    report
}

/// The level of a replay.
pub fn level_of(replay: impl Into<Arc<Replay>>) -> Level {
    Level {
        file: "test.ron".into(),
        replay: replay.into(),
        notices: Vec::new(),
    }
}

pub fn ball(
    name: &str,
    radius: f64,
    position: impl Into<DVec3>,
    velocity: impl Into<DVec3>,
) -> Object {
    Object {
        velocity: velocity.into(),
        ..Object::new(name, Shape::Sphere { radius }, position.into())
    }
}

/// A fixed object.
pub fn fixed(name: &str, shape: Shape, position: impl Into<DVec3>) -> Object {
    Object {
        movement: Movement::Fixed,
        ..Object::new(name, shape, position.into())
    }
}

/// A fixed box.
pub fn fixed_box(name: &str, half_extents: impl Into<DVec3>, position: impl Into<DVec3>) -> Object {
    let half_extents = half_extents.into();
    fixed(name, Shape::Box { half_extents }, position)
}

/// A recording of objects, without a frame.
pub fn recording_of(dt: f64, objects: Vec<Object>) -> Recording {
    Recording {
        name: "log".into(),
        dt,
        objects,
        ..Recording::default()
    }
}

/// Adds a frame, `dt` after the one before.
pub fn add_frame(
    recording: &mut Recording,
    dt: f64,
    bodies: impl IntoIterator<Item = Body>,
) -> &mut RecordedFrame {
    let frame = RecordedFrame {
        number: recording.frames.len() as u64,
        dt,
        ..RecordedFrame::default()
    };
    let data = FrameData {
        bodies: bodies.into_iter().collect(),
        ..FrameData::default()
    };
    recording.push(frame, data);
    recording.frames.last_mut().unwrap()
}

/// Changes what a recording gives for each frame, by its index.
pub fn change_frames(recording: &mut Recording, mut change: impl FnMut(usize, &mut FrameData)) {
    let before = std::mem::take(&mut recording.data);
    let frames = std::mem::take(&mut recording.frames);
    for (index, frame) in frames.into_iter().enumerate() {
        let mut data = FrameData::clone(&before.at(index));
        change(index, &mut data);
        recording.push(frame, data);
    }
}

/// The bodies present at a frame of a recording.
pub fn bodies_at(recording: &Recording, frame: usize) -> Vec<Body> {
    let mut bodies = Vec::new();
    recording.visit_bodies(frame, |body| bodies.push(*body));
    bodies
}

/// The bodies of all frames.
pub fn bodies_of(recording: &Recording) -> Vec<Body> {
    let frames = recording.data.iter();
    frames.flat_map(|data| data.bodies.clone()).collect()
}

/// A log of 60 frames a second: the header's other fields, its objects, and one line a frame, numbered from 0.
pub fn log_of(header: &str, objects: &[&str], frames: &[impl AsRef<str>]) -> String {
    let objects = objects.join(",");
    let mut log =
        format!("{{\"hitstop\":1,\"dt\":0.016666666666666666{header},\"objects\":[{objects}]}}\n");
    for (number, frame) in frames.iter().enumerate() {
        log += &format!("{{\"frame\":{number},{}}}\n", frame.as_ref());
    }
    log
}

/// A scene of objects, each a line of RON.
pub fn scene_of(fields: &str, objects: &[&str]) -> String {
    let objects = objects.join(", ");
    format!("Scene(version: 1, name: \"x\", {fields}, objects: [{objects}])")
}
