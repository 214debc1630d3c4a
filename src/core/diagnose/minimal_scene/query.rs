//! An engine's wrong query as a scene: an object that travels the query's path in one frame.

use super::{Notices, expect_answer};
use crate::core::diagnose::finding::Finding;
use crate::core::problem::Problem;
use crate::core::replay::{Frame, LoggedQuery, Replay, SweptShape};
use crate::core::scene::{Movement, Object, Scene};
use crate::core::shape::{Segment, Shape};
use glam::{DQuat, DVec3};

/// The scene of a query and the object it is about, fixed at its logged pose.
pub(in crate::core::diagnose) fn scene(
    empty: Scene,
    replay: &Replay,
    frame: &Frame,
    finding: &Finding,
    query: &LoggedQuery,
    mut notices: Notices,
) -> (Scene, Vec<Problem>) {
    let name = ["query", "the query", "the engine's query"]
        .into_iter()
        .find(|name| *name != finding.b)
        .unwrap_or("query");
    let point = Segment {
        a: DVec3::ZERO,
        b: DVec3::ZERO,
    };
    let swept = query.swept_shape().unwrap_or(SweptShape {
        shape: Shape::Segment(point),
        rotation: DQuat::IDENTITY,
    });
    let mut asked = Object {
        movement: Movement::Kinematic,
        velocity: (query.to - query.from) / frame.dt,
        // The path is a query and not a body: two sensors are never a finding.
        sensor: true,
        ..Object::new(name, swept.shape, query.from)
    };
    asked.pose.rotation = swept.rotation;
    let state = if finding.fraction > 0.0 {
        &frame.end
    } else {
        &frame.start
    };
    let hit = finding.object_b.and_then(|id| {
        let pose = state.body(id)?.pose;
        Some(Object {
            pose,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            movement: Movement::Kinematic,
            sensor: true,
            ..replay.objects()[id as usize].clone()
        })
    });
    let mut scene = Scene {
        objects: [Some(asked), hit].into_iter().flatten().collect(),
        ..empty
    };
    scene.notes += &format!("\nThe engine's log differs: {}", finding.text);
    expect_answer(&mut scene, name, &finding.b, &mut notices);
    (scene, notices.list)
}
