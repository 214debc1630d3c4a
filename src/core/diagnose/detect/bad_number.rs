//! `BadNumber` (C24): a value that is not finite, or a contact whose normal the geometry does not define.

use super::logged_bad_number::{self, what_it_is};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::facts::f32_recheck::{SINGLE_SHARE, farthest, lost_step, spacing};
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::{Context, name_of};
use crate::core::diagnose::shape_metrics::pair_size;
use crate::core::number::number;
use crate::core::query::Contact;
use crate::core::replay::{BodyState, Frame, FrameState, ObjectId, Phase};
use glam::DVec3;

/// Reports values that are not finite at the frame's start (of the last frame, at its end too), in the log lines of the
/// frame, and pushes along a fallback axis.
pub fn judge(context: &Context<'_>, frame: &Frame, findings: &mut Vec<Finding>) {
    scan(context, frame, &frame.start, 0.0, findings);
    if frame.number + 1 >= context.replay.frames() {
        scan(context, frame, &frame.end, 1.0, findings);
    }
    logged_bad_number::judge(context, frame, findings);
    frozen(context, frame, findings);
    for phase in &frame.phases {
        if let Phase::Push {
            object,
            against: Some(against),
            at,
            contact: Some(contact),
            ..
        } = phase
            && contact.fallback
        {
            findings.push(undefined_normal(
                context,
                frame,
                (*object, *against),
                *at,
                contact,
            ));
        }
    }
}

fn scan(
    context: &Context<'_>,
    frame: &Frame,
    state: &FrameState,
    fraction: f64,
    findings: &mut Vec<Finding>,
) {
    for (id, body) in state.present() {
        if let Some(bad) = first_bad(body) {
            findings.push(not_finite(context, frame, id, bad, fraction));
        }
    }
}

/// Bodies of a log so far out that rounding takes their step (C17).
fn frozen(context: &Context<'_>, frame: &Frame, findings: &mut Vec<Finding>) {
    if context.replay.recording().is_none() {
        return;
    }
    let objects = context.replay.objects();
    for (id, start) in frame.start.present() {
        let (object, Some(end)) = (&objects[id as usize], frame.end.body(id)) else {
            continue;
        };
        let Some(lost) = lost_step(object, (start, end), frame.dt) else {
            continue;
        };
        let safe = farthest(SINGLE_SHARE * object.shape.inner_radius());
        let units = context.replay.units();
        let text = format!(
            "{} has a velocity of {} and does not move along it: {} from the origin neighbouring f32 numbers are {} apart, and its step of {} is lost in rounding. Move the origin to within {} of it, or keep positions in f64.",
            object.name,
            units.speed(lost.speed),
            units.length(lost.coordinate),
            units.length(lost.spacing),
            units.length(lost.step),
            units.length(safe),
        );
        findings.push(Finding {
            a: object.name.clone(),
            object_a: Some(id),
            point: end.pose.position.to_array(),
            evidence: vec![
                (Key::Coordinate, lost.coordinate),
                (Key::F32Step, lost.spacing),
                (Key::OwnStep, lost.step),
            ],
            fixes: Fix::set(Quantity::MaxCoordinate, safe)
                .into_iter()
                .collect(),
            text,
            ..context.blank(Kind::BadNumber, Cause::FarFromOrigin, frame.number, 0.0)
        });
    }
}

/// The first field of a body that is not finite, by the log's names.
fn first_bad(body: &BodyState) -> Option<(&'static str, f64)> {
    const NAMES: [[&str; 3]; 3] = [
        ["position x", "position y", "position z"],
        ["velocity x", "velocity y", "velocity z"],
        ["spin x", "spin y", "spin z"],
    ];
    const ROTATION: [&str; 4] = ["rotation x", "rotation y", "rotation z", "rotation w"];
    let in_vector = |names: &[&'static str; 3], vector: DVec3| {
        let bad = |(_, value): &(&&'static str, f64)| !value.is_finite();
        names
            .iter()
            .zip(vector.to_array())
            .find(bad)
            .map(|(name, value)| (*name, value))
    };
    in_vector(&NAMES[0], body.pose.position)
        .or_else(|| {
            let values = body.pose.rotation.to_array();
            ROTATION
                .into_iter()
                .zip(values)
                .find(|(_, value)| !value.is_finite())
        })
        .or_else(|| in_vector(&NAMES[1], body.velocity?))
        .or_else(|| in_vector(&NAMES[2], body.spin?))
}

fn not_finite(
    context: &Context<'_>,
    frame: &Frame,
    id: ObjectId,
    (field, value): (&'static str, f64),
    fraction: f64,
) -> Finding {
    let name = name_of(context, id);
    let what = what_it_is(value);
    let state = if fraction == 0.0 {
        frame.number
    } else {
        frame.number + 1
    };
    let text = format!(
        "{name}: {field} is {what}, first in state {state}. Look one frame earlier for a division by zero (a direction between \
         coincident points) or an overflow, and give that case a fixed axis."
    );
    let before = frame.start.body(id).map(|body| body.pose.position);
    let before = before.filter(|at| at.is_finite());
    Finding {
        a: name,
        object_a: Some(id),
        point: before.unwrap_or(DVec3::ZERO).to_array(),
        evidence: vec![(Key::State, f64::from(state))],
        text,
        ..context.blank(Kind::BadNumber, Cause::NotANumber, frame.number, fraction)
    }
}

/// The finding of a contact between two bodies whose direction is not defined.
pub fn undefined_normal(
    context: &Context<'_>,
    frame: &Frame,
    (a, b): (ObjectId, ObjectId),
    fraction: f64,
    contact: &Contact,
) -> Finding {
    let (name_a, name_b) = (name_of(context, a), name_of(context, b));
    let objects = context.replay.objects();
    let size = pair_size(&objects[a as usize].shape, &objects[b as usize].shape);
    let coordinate = contact.point.abs().max_element();
    let gap = spacing(coordinate);
    let units = context.replay.units();
    let (cause, evidence, separation, text) = if gap > SINGLE_SHARE * size {
        let text = format!(
            "{name_a} and {name_b} have the same centre, {} from the origin, where neighbouring f32 numbers are {} apart: positions that close are rounded to the same number. Move the origin to within {} of the objects, or keep positions in f64.",
            units.length(coordinate),
            units.length(gap),
            units.length(farthest(SINGLE_SHARE * size)),
        );
        let evidence = vec![(Key::Coordinate, coordinate), (Key::F32Step, gap)];
        (Cause::FarFromOrigin, evidence, None, text)
    } else {
        let text = format!(
            "{name_a} and {name_b} overlap by {} without a push direction: their centres coincide, and code that divides by that distance gets no valid number. Hitstop uses the fixed axis ({}); use one in the engine too.",
            units.length(contact.depth),
            units
                .direction(contact.normal)
                .to_array()
                .map(number)
                .join(", "),
        );
        let separation = Fix::set(Quantity::Separation, contact.depth);
        let evidence = vec![(Key::Depth, contact.depth)];
        (Cause::NotANumber, evidence, separation, text)
    };
    Finding {
        a: name_a,
        b: name_b,
        object_a: Some(a),
        object_b: Some(b),
        point: contact.point.to_array(),
        normal: contact.normal.to_array(),
        evidence,
        fixes: separation.into_iter().collect(),
        text,
        ..context.blank(Kind::BadNumber, cause, frame.number, fraction)
    }
}
