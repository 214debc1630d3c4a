//! Replay: stepping against closed forms and invariants, seeking in every order, recordings with every defect.

mod camera;
mod detection;
mod long_runs;
mod motion;
mod recordings;
mod seeking;

use crate::common::levels::{add_frame, ball, fixed, fixed_box, recording_of};
use crate::common::random::Random;
use glam::{DQuat, DVec3};
use hitstop::core::query::{contact, gap};
use hitstop::core::replay::unswept::unswept_impacts;
use hitstop::core::replay::{Body, FrameState, Phase, Recording, Replay};
use hitstop::core::replay::{LoggedCamera, LoggedPush, StaticBody};
use hitstop::core::scene::{Camera, CameraMovement, Detection, Keyframe, Movement, Object, Probe};
use hitstop::core::scene::{Response, Scene};
use hitstop::core::shape::{Facing, Mesh, Plane, Pose, Shape, Triangle};
use std::sync::Arc;

const DT: f64 = 1.0 / 60.0;
const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

fn scene(detection: Detection, response: Response, objects: Vec<Object>) -> Scene {
    Scene {
        frames: 60,
        detection,
        response,
        ..Scene::new("test", objects)
    }
}

fn stepped(scene: Scene) -> Replay {
    Replay::stepped(Arc::new(scene))
}

fn floor() -> Object {
    let plane = Plane {
        normal: DVec3::Y,
        offset: 0.0,
    };
    fixed("floor", Shape::Plane(plane), DVec3::ZERO)
}

fn position(replay: &Replay, frame: u32, object: u32) -> DVec3 {
    replay.state(frame).body(object).unwrap().pose.position
}

fn velocity(replay: &Replay, frame: u32, object: u32) -> DVec3 {
    replay.state(frame).body(object).unwrap().velocity.unwrap()
}

/// The deepest overlap of any pair that may collide, metres; 0 when none overlaps.
fn deepest(replay: &Replay, poses: impl Fn(u32) -> Option<Pose>) -> f64 {
    let objects = replay.objects();
    let mut deepest: f64 = 0.0;
    for a in 0..objects.len() as u32 {
        for b in a + 1..objects.len() as u32 {
            let (Some(pose_a), Some(pose_b)) = (poses(a), poses(b)) else {
                continue;
            };
            let (one, other) = (&objects[a as usize], &objects[b as usize]);
            if one.movement == Movement::Fixed && other.movement == Movement::Fixed {
                continue;
            }
            let found = contact(
                &one.shape.placed(&pose_a),
                &other.shape.placed(&pose_b),
                &mut (),
            );
            deepest = deepest.max(found.map_or(0.0, |contact| contact.depth));
        }
    }
    deepest
}

fn pushes(replay: &Replay, frame: u32) -> Vec<(u32, DVec3)> {
    let frame = replay.frame(frame);
    let of = |phase: &Phase| match phase {
        Phase::Push { object, push, .. } => Some((*object, *push)),
        _ => None,
    };
    frame.phases.iter().filter_map(of).collect()
}

fn impacts(replay: &Replay, frame: u32) -> Vec<(u32, u32, f64)> {
    let frame = replay.frame(frame);
    let of = |phase: &Phase| match phase {
        Phase::Advance {
            impact: Some((a, b, impact)),
            ..
        } => Some((*a, *b, impact.fraction)),
        _ => None,
    };
    frame.phases.iter().filter_map(of).collect()
}

/// A small generator (SplitMix64, Steele et al. 2014): the same numbers on every machine.
struct Numbers(Random);

impl Numbers {
    fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    fn within(&mut self, reach: f64) -> f64 {
        (self.unit() * 2.0 - 1.0) * reach
    }

    fn vector(&mut self, reach: f64) -> DVec3 {
        DVec3::new(self.within(reach), self.within(reach), self.within(reach))
    }
}

fn corridor(speed: f64) -> Replay {
    let corner = |x, y, z| DVec3::new(x, y, z);
    let wall = Triangle {
        a: corner(1.0, -20.0, -20.0),
        b: corner(1.0, 20.0, -20.0),
        c: corner(1.0, 0.0, 40.0),
        facing: Facing::Both,
    };
    let wall = Object {
        movement: Movement::Fixed,
        ..Object::new("wall", Shape::Triangle(wall), DVec3::ZERO)
    };
    let camera = Camera {
        pose: Pose::IDENTITY,
        movement: CameraMovement::Velocity(DVec3::X * speed),
        probe: Probe::Standard,
        probe_mode: Default::default(),
        near: 0.1,
        fov: 1.0,
        aspect: 1.5,
    };
    stepped(Scene {
        camera: Some(camera),
        ..scene(Detection::Overlap, Response::Push, vec![wall])
    })
}
