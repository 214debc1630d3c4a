//! Diagnosis of whole levels: the levels that each kind and cause is reported for, with numbers by hand, and those without findings.

mod camera;
mod expectations;
mod meshes;
mod moving_pairs;
mod pushed_bodies;
mod recordings;
mod solids;
mod special_cases;
mod staying;
mod whole_report;

use crate::common::findings::{SAFE, close, detected, evidence, fix};
use crate::common::levels::{
    add_frame, ball, diagnosed, fixed, fixed_box as wall, level_of as level, log_of, opened,
    recording_of,
};
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Finding, Kind, Options, Quantity, Report, diagnose};
use hitstop::core::query::probe::ProbeMode;
use hitstop::core::replay::{
    Body, LoggedCamera, LoggedContact, LoggedHit, LoggedPush, LoggedQuery, QueryKind, Recording,
    Replay,
};
use hitstop::core::scene::{
    Camera, CameraMovement, Detection, Expectation, Expected, Movement, Object, Probe, Response,
    Scene,
};
use hitstop::core::shape::{Facing, Mesh, Plane, Pose, Shape, Triangle};
use std::sync::Arc;

const DT: f64 = 1.0 / 60.0;

fn scene(frames: u32, objects: Vec<Object>) -> Scene {
    Scene {
        frames,
        ..Scene::new("test", objects)
    }
}

fn report_of(replay: Replay) -> Report {
    diagnosed(&level(replay))
}

fn report(scene: Scene) -> Report {
    report_of(Replay::stepped(Arc::new(scene)))
}

fn causes(finding: &Finding) -> Vec<Cause> {
    std::iter::once(finding.cause)
        .chain(finding.also.iter().copied())
        .collect()
}

/// The only finding of a report.
fn single(report: &Report) -> &Finding {
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    &report.findings[0]
}

fn bullet(radius: f64, speed: f64, half_thickness: f64, dt: f64) -> Scene {
    let objects = vec![
        ball("bullet", radius, [-5.0, 1.0, 0.0], [speed, 0.0, 0.0]),
        // Too wide to be pushed out of sideways.
        wall("paper", [half_thickness, 9.0, 9.0], [0.0, 1.0, 0.0]),
    ];
    let frames = (7.0 / (speed * dt)).ceil() as u32;
    Scene {
        dt,
        ..scene(frames, objects)
    }
}

fn triangle(facing: Facing) -> Shape {
    // Its front faces +z.
    Shape::Triangle(Triangle {
        a: DVec3::new(-2.0, -2.0, 0.0),
        b: DVec3::new(2.0, -2.0, 0.0),
        c: DVec3::new(0.0, 4.0, 0.0),
        facing,
    })
}

/// A log of bodies by frame: position and velocity of each object; `None` is absent.
struct Log {
    recording: Recording,
}

type State = Option<([f64; 3], Option<[f64; 3]>)>;

impl Log {
    fn new(objects: Vec<Object>) -> Self {
        let recording = recording_of(DT, objects);
        Self { recording }
    }

    fn frame(mut self, dt: f64, states: &[State]) -> Self {
        let body = |(object, state): (u32, &State)| {
            let (position, velocity) = (*state)?;
            Some(Body {
                velocity: velocity.map(DVec3::from_array),
                ..Body::new(object, Pose::at(DVec3::from_array(position)))
            })
        };
        add_frame(&mut self.recording, dt, (0..).zip(states).filter_map(body));
        self
    }

    fn replay(self) -> Replay {
        let scene = scene(1, Vec::new());
        Replay::recorded(Arc::new(scene), Arc::new(self.recording))
    }
}

fn at(position: [f64; 3]) -> State {
    Some((position, None))
}

fn moving(position: [f64; 3], velocity: [f64; 3]) -> State {
    Some((position, Some(velocity)))
}

fn outcomes(mut scene: Scene, expect: Vec<Expectation>) -> (Report, Vec<bool>) {
    scene.expect = expect.into_iter().map(Into::into).collect();
    let report = report(scene);
    let passed = report
        .expectations
        .iter()
        .map(|result| result.passed)
        .collect();
    (report, passed)
}

fn name(text: &str) -> String {
    text.to_owned()
}
