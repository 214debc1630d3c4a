//! Logged pushes: was there something to push out of, that way and so far?
//!
//! A push is supported by anything whose overlap it ends or lessens: going back along it, the body meets that surface at once.
//! A correction after a sweep may take a body back over its travel; so long a push is supported by whatever was touched on
//! the way. All else is a push out of nothing, or a longer one than anything asks for.

use super::View;
use super::near::apart;
use crate::core::diagnose::cause::ghost::GhostPush;
use crate::core::diagnose::finding::Finding;
use crate::core::query::{self, SweepOutcome};
use crate::core::replay::{LoggedPush, ObjectId};
use crate::core::shape::{Motion, Pose, Shape};
use crate::core::tolerance::PUSH_SHARE;
use glam::DVec3;

/// The pushes of one line, in its order.
pub(super) fn judge(view: &View<'_>, pushes: &[LoggedPush], findings: &mut Vec<Finding>) {
    for (index, push) in pushes.iter().enumerate() {
        let of_object = |other: &&LoggedPush| other.object == push.object && other.push.is_finite();
        // What follows in the line moved it on from where this push left it.
        let rest: DVec3 = pushes[index..]
            .iter()
            .filter(of_object)
            .map(|push| push.push)
            .sum();
        let Some(end) = view.way.end(push.object).filter(|_| push.push.is_finite()) else {
            continue;
        };
        let before = Pose {
            position: end.pose.position - rest,
            ..end.pose
        };
        findings.extend(unsupported(view, push, before));
    }
}

fn unsupported(view: &View<'_>, push: &LoggedPush, before: Pose) -> Option<Finding> {
    let objects = view.way.objects;
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
    let around = view.way.bounds_with(push.object, &back);
    let mut nearest: Option<(ObjectId, f64)> = None;
    let mut touched = false;
    for (other, id) in objects.iter().zip(0..) {
        if id == push.object || other.sensor || object.sensor {
            continue;
        }
        let Some(place) = view.way.end(id).or_else(|| view.way.start(id)) else {
            continue;
        };
        let tolerance = view.slack(push.object, id) + view.margin();
        if length <= tolerance {
            return None;
        }
        let bounds = view.way.bounds(id);
        let far = (around.zip(bounds)).is_some_and(|(a, b)| !a.grown(tolerance).overlaps(&b));
        let here = Motion::still(place.pose);
        if !far {
            let travel = view.way.relative_travel(push.object, id);
            // Where nothing can be said, the engine is believed.
            let gap = view.way.distance(push.object, id)?;
            let meets = gap <= view.slack(push.object, id);
            if (meets && length <= 2.0 * travel)
                || ends_overlap(object, &back, other, &here, tolerance)
            {
                return None;
            }
            touched |= meets;
        }
        let gap = match far {
            true => apart(&object.shape, &back, &other.shape, &here).unwrap_or(f64::INFINITY),
            false => view.way.distance(push.object, id).unwrap_or(f64::INFINITY),
        };
        if nearest.is_none_or(|(_, least)| gap < least) {
            nearest = Some((id, gap));
        }
    }
    let needed = nearest.filter(|_| touched).and_then(|(id, _)| {
        let place = view.way.end(id)?.pose;
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
    Some(ghost.finding(view.context, view.frame.number, view.fraction()))
}

/// Does going back along a push lead into a surface within `tolerance`, or is an overlap that is left smaller than before?
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
            // The deepest place of a mesh may be another than the one that was pushed out of.
            matches!(other.shape, Shape::Mesh(_))
                || before.is_some_and(|before| before.depth - depth >= PUSH_SHARE * length)
        }
        _ => false,
    }
}
