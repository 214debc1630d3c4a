//! C13 of a body whose angle is set: it turns while its angular velocity is 0.

use super::touch;
use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::judge::pair::Side;
use crate::core::diagnose::judge::rotating_pair;
use crate::core::number::{degrees, number};
use crate::core::replay::{FrameState, ObjectId};
use crate::core::scene::Object;
use glam::DVec3;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let (object, turn) = turned(input)?;
    let (needed, advice) = (turn / input.metrics.dt, input.advice(&[], &[]));
    let advice = match advice.is_empty() {
        true => format!(
            "Give it an angular velocity ({} rad/s here).",
            number(needed)
        ),
        false => advice,
    };
    Some(CauseMatch {
        cause: Cause::Teleport,
        evidence: vec![(Key::Turn, turn)],
        fixes: input.step_fixes(),
        text: format!(
            "{} turns by {} in this {}, but its angular velocity is 0: its angle is set, so that nothing that uses velocities detects it. {advice}",
            object.name,
            degrees(turn),
            input.step(),
        ),
    })
}

/// The angular velocity for a body whose angle is set, where its rotation makes the event. A sensor pushes nothing, and needs none.
pub(super) fn drive(input: &CauseInput<'_>) -> Option<Fix> {
    let (_, turn) = turned(input).filter(|_| !input.pair.sensor)?;
    Fix::set(Quantity::DriveSpin, turn / input.metrics.dt)
}

/// The body of the event that turns without an angular velocity, and by how much, radians.
fn turned<'r>(input: &CauseInput<'r>) -> Option<(&'r Object, f64)> {
    let pair = input.pair;
    input.event.turned.filter(|turned| turned.held_misses)?;
    let rests = |id: ObjectId, state: &FrameState| state.body(id)?.spin;
    let is_set = |(side, object): &(Side<'_>, &Object)| {
        let ends = [&input.frame.start, &input.frame.end];
        let is_still = ends
            .iter()
            .all(|end| rests(side.id, end) == Some(DVec3::ZERO));
        // A contact may turn a body by its position.
        let is_pushed = || object.is_pushable() && !touch::of(input, side.id, 0.0).is_empty();
        rotating_pair::rim(side).is_some_and(|rim| rim > pair.slop) && is_still && !is_pushed()
    };
    let bodies = [(pair.mover, input.mover), (pair.obstacle, input.other)];
    let (side, object) = bodies
        .into_iter()
        .find(is_set)
        .filter(|_| input.facts.recorded)?;
    Some((object, side.turn.length()))
}
