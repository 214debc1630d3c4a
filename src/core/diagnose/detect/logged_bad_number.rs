//! `BadNumber` in a log's contacts, pushes, queries and camera.

use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::{Context, name_of};
use crate::core::replay::{Frame, FrameData, ObjectId};
use crate::core::scene::CAMERA;
use glam::DVec3;

/// The owner of a bad value: its names, its objects, its position.
struct Owner {
    a: String,
    b: String,
    object_a: Option<ObjectId>,
    object_b: Option<ObjectId>,
    point: DVec3,
}

/// Tests the log lines of a frame: the one of the state it leads to and, for the first frame, the one of its start.
pub(super) fn judge(context: &Context<'_>, frame: &Frame, findings: &mut Vec<Finding>) {
    let Some(recording) = context.replay.recording() else {
        return;
    };
    let first = if frame.number == 0 {
        0
    } else {
        frame.number + 1
    };
    for state in first..=frame.number + 1 {
        let Some(line) = recording.frames.get(state as usize) else {
            continue;
        };
        let mut report = |owner: Owner, what: Option<String>| {
            findings.extend(what.map(|what| finding(context, frame, state, owner, &what)));
        };
        let data = recording.data.events(state as usize);
        contacts(context, &data, &mut report);
        pushes(context, &data, &mut report);
        queries(context, &data, &mut report);
        if let Some(camera) = line.camera {
            let owner = Owner {
                a: CAMERA.to_owned(),
                b: String::new(),
                object_a: None,
                object_b: None,
                point: camera.pose.position,
            };
            let rotation = camera.pose.rotation.to_array();
            let what = not_finite("position", &camera.pose.position.to_array())
                .or_else(|| not_finite("rotation", &rotation))
                .or_else(|| not_finite("push", &camera.push?.to_array()));
            report(owner, what);
        }
    }
}

fn contacts(
    context: &Context<'_>,
    data: &FrameData,
    report: &mut impl FnMut(Owner, Option<String>),
) {
    for contact in &data.contacts {
        let what = no_direction("normal of the logged contact", contact.normal)
            .or_else(|| not_finite("point of the logged contact", &contact.point.to_array()))
            .or_else(|| not_finite("depth of the logged contact", &[contact.depth]));
        if what.is_none() {
            continue;
        }
        let owner = Owner {
            a: name_of(context, contact.a),
            b: name_of(context, contact.b),
            object_a: Some(contact.a),
            object_b: Some(contact.b),
            point: contact.point,
        };
        report(owner, what);
    }
}

fn pushes(context: &Context<'_>, data: &FrameData, report: &mut impl FnMut(Owner, Option<String>)) {
    for push in &data.pushes {
        let owner = Owner {
            a: name_of(context, push.object),
            b: String::new(),
            object_a: Some(push.object),
            object_b: None,
            point: DVec3::ZERO,
        };
        report(owner, not_finite("logged push", &push.push.to_array()));
    }
}

fn queries(
    context: &Context<'_>,
    data: &FrameData,
    report: &mut impl FnMut(Owner, Option<String>),
) {
    for query in &data.queries {
        let owner = Owner {
            a: query
                .object
                .map_or_else(|| "query".to_owned(), |id| name_of(context, id)),
            b: String::new(),
            object_a: query.object,
            object_b: None,
            point: query.from,
        };
        let what = not_finite("start of a logged query", &query.from.to_array())
            .or_else(|| not_finite("end of a logged query", &query.to.to_array()))
            .or_else(|| not_finite("radius of a logged query", &[query.radius]))
            .or_else(|| not_finite("fraction of a logged query", &[query.hit?.fraction]))
            .or_else(|| {
                let hit = query.hit?;
                // Of a start in contact engines document a normal of zero.
                let normal = hit
                    .normal
                    .filter(|normal| hit.fraction > 0.0 || !normal.is_finite());
                no_direction("normal of a logged query", normal?)
            });
        report(owner, what);
    }
}

fn not_finite(field: &str, values: &[f64]) -> Option<String> {
    let bad = values.iter().find(|value| !value.is_finite())?;
    Some(format!("the {field} is {}", what_it_is(*bad)))
}

fn no_direction(field: &str, normal: DVec3) -> Option<String> {
    let zero = || (normal == DVec3::ZERO).then(|| format!("the {field} is zero"));
    not_finite(field, &normal.to_array()).or_else(zero)
}

fn finding(context: &Context<'_>, frame: &Frame, state: u32, owner: Owner, what: &str) -> Finding {
    let fraction = f64::from(state - frame.number);
    let between = if owner.b.is_empty() {
        String::new()
    } else {
        format!(" and {}", owner.b)
    };
    let text = format!(
        "{}{between}: {what} in state {state}. Look there for a division by zero (a direction between coincident points) or \
         an overflow, and give that case a fixed axis.",
        owner.a
    );
    let point = if owner.point.is_finite() {
        owner.point
    } else {
        DVec3::ZERO
    };
    Finding {
        a: owner.a,
        b: owner.b,
        object_a: owner.object_a,
        object_b: owner.object_b,
        point: point.to_array(),
        evidence: vec![(Key::State, f64::from(state))],
        text,
        ..context.blank(Kind::BadNumber, Cause::NotANumber, frame.number, fraction)
    }
}

/// A number that is not finite, in words.
pub(super) fn what_it_is(value: f64) -> &'static str {
    if value.is_nan() {
        "not a number"
    } else {
        "infinite"
    }
}
