//! Writes a camera walk through a level as a log: the camera's path, with the objects as they were at each step.

use super::recorder::{RecordError, Recorder};
use super::write_json::{Header, Snapshot};
use crate::core::progress::Progress;
use crate::core::replay::{Body, LoggedCamera, ObjectId, Replay};
use crate::core::scene::Movement;
use crate::core::shape::Pose;
use glam::DVec3;
use std::io::Write;

/// Most bodies that a recorded walk may hold: its steps times the objects that move.
///
/// About 200 MB of log. More, and a walk through a large level fills memory before it is saved.
const WALK_BODIES: usize = 2_000_000;

/// One step of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkStep {
    /// Frame of the level.
    pub frame: u32,
    /// Fraction of that frame, in [0, 1].
    pub fraction: f64,
    /// The camera after the step, and after its probe; looks along local -Z.
    pub pose: Pose,
    /// What its probe moved it by, world, metres.
    pub push: DVec3,
}

/// Writes a walk whose steps are `dt` seconds long; objects that the level does not hold at a step's time have no body there.
/// `None` when cancelled.
///
/// # Errors
/// When there is no step, when it is too long for its moving objects, when an object cannot be written, and those of the output.
pub fn write_walk<W: Write>(
    replay: &Replay,
    steps: &[WalkStep],
    dt: f64,
    output: W,
    progress: &dyn Progress,
) -> Result<Option<W>, RecordError> {
    let moving: Vec<ObjectId> = (0..)
        .zip(replay.objects())
        .filter(|(_, object)| object.movement != Movement::Fixed)
        .map(|(id, _)| id)
        .collect();
    if steps.is_empty() {
        return Err(RecordError::Invalid(
            "no step of a walk was recorded".into(),
        ));
    }
    if steps.len().saturating_mul(moving.len()) > WALK_BODIES {
        let what = format!(
            "{} steps of {} moving objects are too many for one log; walk for a shorter time",
            steps.len(),
            moving.len()
        );
        return Err(RecordError::Invalid(what));
    }
    let scene = replay.scene();
    let header = Header {
        name: format!("Walk in {}", scene.name),
        dt,
        gravity: Some(scene.gravity),
        engine: replay.engine(),
        ..Header::default()
    };
    let mut recorder = Recorder::new(output, header)?;
    for object in replay.objects() {
        let mut object = object.clone();
        // Logs have no keyframes; bodies give the poses.
        if matches!(object.movement, Movement::Keyframes(_)) {
            object.movement = Movement::Kinematic;
        }
        recorder.add_object(object)?;
    }
    for (number, step) in steps.iter().enumerate() {
        progress.report(number as u64, steps.len() as u64);
        if progress.cancelled() {
            return Ok(None);
        }
        let frame = replay.frame(step.frame);
        let body = |&id: &ObjectId| Some(Body::new(id, frame.pose(id, step.fraction)?));
        let bodies: Vec<Body> = moving.iter().filter_map(body).collect();
        let push = Some(step.push).filter(|push| *push != DVec3::ZERO);
        recorder.snapshot(&Snapshot {
            time: Some(number as f64 * dt),
            bodies: &bodies,
            camera: Some(LoggedCamera {
                pose: step.pose,
                push,
                teleported: false,
            }),
            ..Snapshot::default()
        })?;
    }
    recorder.finish().map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::log::{self, Format};
    use crate::core::scene::{MemoryFolder, parse};
    use std::sync::Arc;

    const LEVEL: &str = r#"Scene(
        version: 1,
        name: "Hall",
        dt: 0.5,
        frames: 4,
        response: Ignore,
        objects: [
            (name: "wall", shape: Box(half_extents: (0.1, 2.0, 2.0)), position: (3.0, 0.0, 0.0), motion: Fixed),
            (name: "ball", shape: Sphere(radius: 0.5), velocity: (2.0, 0.0, 0.0)),
        ],
    )"#;

    fn replay() -> Replay {
        let scene = parse(LEVEL, "hall.ron", &MemoryFolder::default()).unwrap();
        Replay::stepped(Arc::new(scene))
    }

    fn step(frame: u32, fraction: f64, x: f64, push: f64) -> WalkStep {
        WalkStep {
            frame,
            fraction,
            pose: Pose::at(DVec3::new(x, 1.5, 0.0)),
            push: DVec3::X * push,
        }
    }

    #[test]
    fn a_walk_reads_back_as_it_was() {
        let steps = [
            step(0, 0.0, 0.0, 0.0),
            step(0, 0.5, 1.0, 0.0),
            step(1, 0.25, 2.5, -0.25),
        ];
        let bytes = write_walk(&replay(), &steps, 0.125, Vec::new(), &());
        let bytes = bytes.unwrap().expect("nobody cancels");
        let folder = MemoryFolder::default();
        let length = bytes.len() as u64;
        let format = Format::JsonLines;
        let read = log::read(format, &bytes[..], length, "walk.jsonl", None, &folder, &()).unwrap();
        assert!(read.notices.is_empty(), "{:?}", read.notices);
        assert_eq!((read.name.as_str(), read.dt), ("Walk in Hall", 0.125));
        assert_eq!(read.objects.len(), 2);
        let cameras = read.frames.iter().map(|frame| frame.camera.unwrap());
        let cameras: Vec<(f64, Option<DVec3>)> = cameras
            .map(|camera| (camera.pose.position.x, camera.push))
            .collect();
        assert_eq!(
            cameras,
            [(0.0, None), (1.0, None), (2.5, Some(DVec3::X * -0.25))]
        );
        // The ball moves 1 m a frame.
        let ball: Vec<f64> = read
            .data
            .iter()
            .map(|data| data.bodies[0].pose.position.x)
            .collect();
        assert_eq!(ball, [0.0, 0.5, 1.25]);
        assert_eq!(read.static_bodies.len(), 1, "the wall is written once");
    }

    #[test]
    fn an_empty_walk_is_an_error() {
        let error = write_walk(&replay(), &[], 0.1, Vec::new(), &()).unwrap_err();
        assert!(error.to_string().contains("no step of a walk"));
    }

    #[test]
    fn a_walk_that_is_too_long_is_refused() {
        let steps = vec![step(0, 0.0, 0.0, 0.0); WALK_BODIES + 1];
        let error = write_walk(&replay(), &steps, 0.1, Vec::new(), &()).unwrap_err();
        assert!(error.to_string().contains("too many"));
    }
}
