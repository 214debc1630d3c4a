//! Diagnosis on whole levels: what each kind and cause is reported for, with numbers by hand, and what is never reported.

mod camera;
mod claims;
mod expectations;
mod meshes;
mod moving_pairs;
mod recordings;
mod whole_report;

use crate::common::findings::{close, detected, evidence, fix};
use crate::common::sentences::check_report;
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Finding, Kind, Options, Quantity, Report, diagnose};
use hitstop::core::level::Level;
use hitstop::core::query::probe::ProbeMode;
use hitstop::core::replay::{
    Body, LoggedCamera, LoggedContact, LoggedHit, LoggedPush, LoggedQuery, QueryKind,
    RecordedFrame, Recording, Replay,
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

fn ball(name: &str, radius: f64, at: [f64; 3], velocity: [f64; 3]) -> Object {
    let mut object = Object::new(name, Shape::Sphere { radius }, DVec3::from_array(at));
    object.velocity = DVec3::from_array(velocity);
    object
}

fn fixed(name: &str, shape: Shape, at: [f64; 3]) -> Object {
    let mut object = Object::new(name, shape, DVec3::from_array(at));
    object.movement = Movement::Fixed;
    object
}

fn wall(name: &str, half: [f64; 3], at: [f64; 3]) -> Object {
    let half_extents = DVec3::from_array(half);
    fixed(name, Shape::Box { half_extents }, at)
}

fn level(replay: Replay) -> Level {
    Level {
        file: "test.ron".into(),
        replay: Arc::new(replay),
        notices: Vec::new(),
    }
}

fn report_of(replay: Replay) -> Report {
    let report = diagnose(&level(replay), &Options::default(), &()).expect("nobody cancels");
    check_report(&report);
    report
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
        wall("paper", [half_thickness, 1.0, 1.0], [0.0, 1.0, 0.0]),
    ];
    let frames = (7.0 / (speed * dt)).ceil() as u32;
    Scene {
        dt,
        ..scene(frames, objects)
    }
}

fn triangle(facing: Facing) -> Shape {
    // Its front looks toward +z.
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
        let recording = Recording {
            name: "log".into(),
            dt: DT,
            objects,
            ..Recording::default()
        };
        Self { recording }
    }

    fn frame(mut self, dt: f64, states: &[State]) -> Self {
        let recording = &mut self.recording;
        let first = recording.bodies.len();
        for (object, state) in states.iter().enumerate() {
            if let Some((position, velocity)) = state {
                recording.bodies.push(Body {
                    object: object as u32,
                    pose: Pose::at(DVec3::from_array(*position)),
                    velocity: velocity.map(DVec3::from_array),
                    spin: None,
                    teleported: false,
                    asleep: false,
                });
            }
        }
        recording.frames.push(RecordedFrame {
            number: recording.frames.len() as u64,
            time: None,
            dt,
            gap: false,
            bodies: first..recording.bodies.len(),
            contacts: 0..0,
            pushes: 0..0,
            queries: 0..0,
            camera: None,
        });
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
