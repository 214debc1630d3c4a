//! Logged pushes: whether there was an overlap to push out of, in that direction and depth.
//!
//! A push is supported by any overlap that it ends or reduces: moving back along it, the body hits that surface at
//! once. A correction after a sweep may move a body back over its travel; that is supported by anything touched on the
//! path. Every other push is out of nothing, or too long.

use super::LogLine;
use crate::core::diagnose::detect::ghost::GhostPush;
use crate::core::diagnose::finding::Finding;
use crate::core::query::{self, SweepOutcome};
use crate::core::replay::{LoggedPush, ObjectId};
use crate::core::shape::{Motion, Pose, Shape};
use glam::DVec3;
use std::collections::HashMap;

/// Share of a push by which it must lessen an overlap that it leaves, to count as a push out of it (no unit).
///
/// A push square to the way out lessens nothing but by curvature. Larger, and the partial pushes of soft solvers are called ghosts.
const PUSH_SHARE: f64 = 0.1;

/// The finding of each push of a line, in order.
pub(super) fn judge(log: &LogLine<'_>, pushes: &[LoggedPush]) -> Vec<Option<Finding>> {
    let mut of_object: HashMap<ObjectId, Vec<usize>> = HashMap::new();
    for (index, push) in pushes.iter().enumerate() {
        if push.push.is_finite() {
            of_object.entry(push.object).or_default().push(index);
        }
    }
    let judge = |(index, push): (usize, &LoggedPush)| {
        let end = log
            .paths
            .end(push.object)
            .filter(|_| push.push.is_finite())?;
        // Later pushes of the line moved it on from there.
        let same = &of_object[&push.object];
        let later = &same[same.partition_point(|other| *other < index)..];
        let rest: DVec3 = later.iter().map(|other| pushes[*other].push).sum();
        let before = Pose {
            position: end.pose.position - rest,
            ..end.pose
        };
        unsupported(log, push, before)
    };
    pushes.iter().enumerate().map(judge).collect()
}

fn unsupported(log: &LogLine<'_>, push: &LoggedPush, before: Pose) -> Option<Finding> {
    let objects = log.paths.objects;
    let object = &objects[push.object as usize];
    let length = push.push.length();
    let after = Pose {
        position: before.position + push.push,
        ..before
    };
    let back = Motion {
        start: after,
        end: before,
    };
    let around = log.paths.bounds_with(push.object, &back);
    let tolerance = |id: ObjectId| log.slack(push.object, id) + log.margin();
    let is_far = |id: ObjectId| {
        let bounds = around.zip(log.paths.bounds(id));
        bounds.is_some_and(|(a, b)| !a.grown(tolerance(id)).overlaps(&b))
    };
    let place = |id: ObjectId| log.paths.end(id).or_else(|| log.paths.start(id));
    let here = |id: ObjectId| Some(Motion::still(place(id)?.pose));
    // Nothing pushes out of a sensor.
    let region = around.map(|around| around.grown(log.object_slack(push.object) + log.margin()));
    let near = if object.sensor {
        Vec::new()
    } else {
        log.nearby().all_in(region.as_ref())
    };
    let mut touched = false;
    for id in near {
        if id == push.object || is_far(id) {
            continue;
        }
        // Where the distance is unknown, the push is accepted.
        let slack = log.slack(push.object, id);
        let gap = log.paths.distance(push.object, id, slack)?;
        let touches = gap <= slack;
        let travel = log.paths.relative_travel(push.object, id);
        if (length <= tolerance(id) && gap <= tolerance(id))
            || (touches && length <= 2.0 * travel)
            || ends_overlap(
                object,
                &back,
                &objects[id as usize],
                &here(id)?,
                tolerance(id),
            )
        {
            return None;
        }
        touched |= touches;
    }
    let gap = |id: ObjectId| {
        let gap = || log.paths.distance(push.object, id, 0.0);
        (id != push.object).then(|| gap().unwrap_or(f64::INFINITY))
    };
    let nearest = match object.sensor {
        true => None,
        false => log.nearby().nearest(around.as_ref(), gap),
    };
    // Of what is seen from behind there is no distance.
    let nearest = nearest.filter(|(_, gap)| gap.is_finite());
    // Too short to count.
    if nearest.is_some_and(|(id, _)| length <= tolerance(id)) {
        return None;
    }
    let needed = nearest.filter(|_| touched).and_then(|(id, _)| {
        let place = log.paths.end(id)?.pose;
        let contact = query::contact(
            &object.shape.placed(&before),
            &objects[id as usize].shape.placed(&place),
            &mut (),
        );
        Some(contact.map_or(0.0, |contact| contact.depth))
    });
    let ghost = GhostPush {
        object: push.object,
        push: push.push,
        at: before.position,
        nearest,
        needed,
    };
    Some(ghost.finding(log.context, log.frame.number, log.fraction()))
}

/// Whether the reversed push leads into a surface within `tolerance`, or the remaining overlap is smaller than before.
fn ends_overlap(
    object: &crate::core::scene::Object,
    back: &Motion,
    other: &crate::core::scene::Object,
    here: &Motion,
    tolerance: f64,
) -> bool {
    let length = back.displacement().length();
    match query::sweep(&object.shape, back, &other.shape, here, &mut ()).outcome {
        SweepOutcome::Hits(impact) => impact.fraction * length <= tolerance,
        SweepOutcome::Overlapping { depth } => {
            let place = other.shape.placed(&here.start);
            let before = query::contact(&object.shape.placed(&back.end), &place, &mut ());
            // The deepest point of a mesh may be another than the one that was pushed out of.
            matches!(other.shape, Shape::Mesh(_))
                || before.is_some_and(|before| before.depth - depth >= PUSH_SHARE * length)
        }
        _ => false,
    }
}
