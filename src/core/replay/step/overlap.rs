//! `Detection::Overlap`: everything moves to the frame's end; overlaps there are pushed apart.

use super::narrow::whole_step;
use super::plan::{PlannedMotion, body_at};
use super::push_out::{PushRule, Pushes, phases, push_out};
use super::respond::VelocityPair;
use super::{Stepped, rest_speed};
use crate::core::query::Contact;
use crate::core::replay::frame::whole_segment;
use crate::core::replay::{FrameState, ObjectId};
use crate::core::scene::{Response, Scene};
use crate::core::shape::Pose;
use crate::core::tolerance::OVERLAP_SLOP;
use glam::DVec3;

/// Rounds over all contacts that `Detection::Overlap` makes in a frame.
///
/// As games do: a few, and what is left is pushed in the next frame. More makes stacks stiffer and hides what a real
/// game would show.
const OVERLAP_ROUNDS: u32 = 4;

/// One frame. `detail` adds segments, candidates and sweeps.
pub fn step(scene: &Scene, travels: &[PlannedMotion], detail: bool) -> Stepped {
    let mut poses: Vec<Pose> = travels.iter().map(|travel| travel.motion.end).collect();
    let mut velocities: Vec<DVec3> = travels.iter().map(|travel| travel.velocity).collect();
    let pushes = if scene.response == Response::Ignore {
        Pushes::default()
    } else {
        let rule = PushRule {
            rounds: OVERLAP_ROUNDS,
            slop: Some(OVERLAP_SLOP),
        };
        push_out(scene, travels, &mut poses, rule, |a, b, contact, pushed| {
            respond(scene, travels, &mut velocities, (a, b), contact, pushed);
        })
    };
    let mut stepped = Stepped {
        end: end_state(travels, &poses, &velocities),
        segments: Vec::new(),
        phases: Vec::new(),
        gave_up: false,
    };
    if detail {
        stepped.segments = travels.iter().map(|t| whole_segment(t.motion)).collect();
        let ids: Vec<ObjectId> = (0..scene.objects.len() as ObjectId).collect();
        stepped.phases = whole_step(
            &scene.objects,
            &ids,
            |id| Some(travels[id as usize].motion),
            |_, _| false,
        );
        stepped.phases.extend(phases(&pushes, 1.0));
    }
    stepped
}

fn respond(
    scene: &Scene,
    travels: &[PlannedMotion],
    velocities: &mut [DVec3],
    (a, b): (ObjectId, ObjectId),
    contact: &Contact,
    pushed: bool,
) {
    let (a, b) = (a as usize, b as usize);
    let mut pair = VelocityPair {
        a: velocities[a],
        b: velocities[b],
        inverse_a: travels[a].inverse_mass,
        inverse_b: travels[b].inverse_mass,
    };
    if pushed || pair.closes(contact.normal) {
        pair.respond(scene.response, contact.normal, rest_speed(scene));
        velocities[a] = pair.a;
        velocities[b] = pair.b;
    }
}

/// The state after a frame.
pub fn end_state(travels: &[PlannedMotion], poses: &[Pose], velocities: &[DVec3]) -> FrameState {
    let bodies = travels.iter().zip(poses).zip(velocities);
    let bodies = bodies.map(|((travel, pose), velocity)| body_at(*pose, *velocity, travel.spin));
    (0..).zip(bodies).collect()
}
