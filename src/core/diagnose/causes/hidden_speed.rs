//! C07: a blocked body stays at the surface while its velocity into it grows frame by frame, as the response corrects
//! the position and not the velocity, until a step is longer than a push can undo.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::{Fix, Quantity};

use crate::core::query;
use crate::core::replay::{ObjectId, StateAt};
use crate::core::scene::Movement;
use crate::core::tolerance::CONTACT_FRAMES;
use glam::DVec3;

/// Growth of a velocity from frame to frame, as a share of it, that is no rounding (no unit).
///
/// Above the 1e-7 of a log in `f32`; gravity adds more than this for the first hundred thousand frames.
const HIDDEN_GROWTH: f64 = 1e-5;

/// Frames in a row in which a blocked body's velocity into the surface grows, from which on it counts as hidden.
///
/// One or two are the ripple of any solver; three are a response that never takes it away.
const HIDDEN_FRAMES: u32 = 3;

/// A pair at one state.
struct ClosingContact {
    /// From b to a, metres.
    way: DVec3,
    /// How fast they close along the normal, m/s.
    closing: f64,
}

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let (slop, normal) = (input.pair.slop, input.event.normal);
    let now = closing_contact(input, input.replay.at(input.frame.number), slop)?;
    // A speed without effect in a frame hides nothing.
    if input.event.is_from_behind() || now.closing * input.frame.dt <= slop {
        return None;
    }
    let (mut later, mut frames) = (now.closing, 0);
    let mut last = now.way;
    let earliest = input.frame.number.saturating_sub(CONTACT_FRAMES);
    for number in (earliest..input.frame.number).rev() {
        let state = input.replay.at(number);
        let Some(before) = closing_contact(input, state, slop) else {
            break;
        };
        let stood = (last - before.way).dot(normal).abs() <= slop;
        let grew = later - before.closing > HIDDEN_GROWTH * later.abs();
        if !stood || !grew || before.closing < 0.0 {
            break;
        }
        (later, last, frames) = (before.closing, before.way, frames + 1);
    }
    if frames < HIDDEN_FRAMES {
        return None;
    }
    let depth = input.event.start().map(|start| start.depth);
    let deep = match depth.filter(|depth| *depth > 0.0) {
        Some(depth) => format!(", {} deep by now,", input.units().length(depth)),
        None => String::new(),
    };
    let text = format!(
        "{} has been in contact with {}{deep} for {frames} frames while its velocity into it grew from {} to {}: only its position is corrected. In this frame that speed gives {} of travel, more than a push can undo. Remove the velocity into the surface on contact.",
        input.mover.name,
        input.other.name,
        input.units().speed(later),
        input.units().speed(now.closing),
        input.units().length(now.closing * input.frame.dt),
    );
    Some(CauseMatch {
        cause: Cause::HiddenSpeed,
        evidence: vec![
            (Key::BlockedFrames, f64::from(frames)),
            (Key::HiddenSpeed, now.closing),
            (Key::HiddenSpeedBefore, later),
        ],
        fixes: Fix::set(Quantity::SpeedOnContact, 0.0)
            .into_iter()
            .collect(),
        text,
    })
}

/// The pair at a state, if it touches there and both velocities are known.
fn closing_contact(
    input: &CauseInput<'_>,
    state: StateAt<'_>,
    slop: f64,
) -> Option<ClosingContact> {
    let body = |id: ObjectId| state.body(id);
    let velocity = |id: ObjectId| {
        let fixed = input.replay.objects()[id as usize].movement == Movement::Fixed;
        body(id)?.velocity.or(fixed.then_some(DVec3::ZERO))
    };
    let (a, b) = (
        body(input.pair.mover.id)?.pose,
        body(input.pair.obstacle.id)?.pose,
    );
    let gap = query::gap(
        &input.pair.mover.shape.placed(&a),
        &input.pair.obstacle.shape.placed(&b),
    )?;
    let closing = -(velocity(input.pair.mover.id)? - velocity(input.pair.obstacle.id)?)
        .dot(input.event.normal);
    (gap.distance <= slop && closing.is_finite()).then(|| ClosingContact {
        way: a.position - b.position,
        closing,
    })
}
