//! C06: another body pushes the mover into the obstacle.
//!
//! Only for logs. The pusher touches the mover on the side away from the obstacle and moves toward it. A pusher that nothing pushes back (a
//! door, a player moved by its position) leaves no room between itself and the obstacle, and may be the one that the mover passes; one that can
//! be pushed has to overlap the mover, and the overlap with the obstacle has to be new: it is a load on an older one.

use super::touch::{self, Touch};
use super::{CauseInput, CauseMatch, alternatives, teleport};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::Quantity;
use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::kind::Kind;
use crate::core::number::count;
use crate::core::replay::ObjectId;
use crate::core::scene::Movement;
use glam::DVec3;

/// Cosine to the direction into the obstacle above which a contact pushes the mover there (no unit): 60 degrees.
const TOWARD: f64 = 0.5;

/// Share of the mover's way into the obstacle that a push explains (no unit): more than its own velocity does.
const MOST: f64 = 0.5;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let passes = matches!(
        input.event.kind,
        Kind::Sinks | Kind::WrongSide | Kind::Tunnels
    );
    if !input.facts.recorded || !passes || input.pair.sensor {
        return None;
    }
    let squeeze = from_behind(input)
        .or_else(|| against_another(input))
        .or_else(|| between(input))?;
    let advance = squeeze.advance;
    let [body, obstacle, pusher] = [squeeze.body, squeeze.obstacle, squeeze.pusher]
        .map(|id| &input.replay.objects()[id as usize]);
    let by_position = is_driven(input, squeeze.pusher);
    let (mover, obstacle) = (&body.name, &obstacle.name);
    let (moved, stop) = match by_position {
        true => (
            " by its position",
            format!(
                "Move it by a velocity, or sweep it and stop it where {mover} is against {obstacle}"
            ),
        ),
        false => ("", format!("Stop it where {mover} is against {obstacle}")),
    };
    let (fixes, ways) = match by_position {
        true => (Vec::new(), String::new()),
        false => (
            input
                .step_fixes()
                .into_iter()
                .filter(|fix| matches!(fix.what, Quantity::Substeps | Quantity::MaxDt))
                .collect(),
            alternatives(&input.held_substeps()),
        ),
    };
    let time = match squeeze.frames {
        1 => "this frame".to_owned(),
        frames => count(frames as usize, "frame"),
    };
    let pushes = advance > 0.0;
    let comes = match pushes {
        true => format!(
            "which is moved{moved} {} toward it in {time}",
            input.units().length(advance)
        ),
        false => "which has come to a stop there".to_owned(),
    };
    let ways = match ways.is_empty() {
        true => String::new(),
        false => format!(", or use {ways}"),
    };
    Some(CauseMatch {
        cause: Cause::NextWall,
        evidence: pushes.then_some((Key::Push, advance)).into_iter().collect(),
        fixes,
        text: format!(
            "{mover} is pushed into {obstacle} by {}, {comes} and leaves no room for it. {stop}{ways}.",
            pusher.name,
        ),
    })
}

/// A body between an obstacle and another that comes on.
struct Squeeze {
    body: ObjectId,
    obstacle: ObjectId,
    pusher: ObjectId,
    /// How far the pusher moves toward the body, metres, in how many frames.
    advance: f64,
    frames: u32,
}

/// The pair is the body and the obstacle: what pushes it from behind.
fn from_behind(input: &CauseInput<'_>) -> Option<Squeeze> {
    let (body, obstacle) = (input.pair.mover.id, input.pair.obstacle.id);
    if !input.mover.is_pushable() || input.other.is_pushable() {
        return None;
    }
    let touches = touch::of(input, body, 0.0).into_iter();
    let pushes = touches.filter_map(|touch| {
        Some(Squeeze {
            body,
            obstacle,
            pusher: touch.other,
            advance: advance(input, &touch)?,
            frames: 1,
        })
    });
    pushes.max_by(|one, other| one.advance.total_cmp(&other.advance))
}

/// Of a pair of which one can be pushed: that one, the other, and the normal toward it.
fn one_pushable(pair: &Pair<'_>, normal: DVec3) -> Option<(ObjectId, ObjectId, DVec3)> {
    match (pair.mover.pushable, pair.obstacle.pushable) {
        (true, false) => Some((pair.mover.id, pair.obstacle.id, normal)),
        (false, true) => Some((pair.obstacle.id, pair.mover.id, -normal)),
        _ => None,
    }
}

/// The pair is the pusher and the body: what holds the body on its other side.
fn against_another(input: &CauseInput<'_>) -> Option<Squeeze> {
    let (pair, normal) = (input.pair, input.event.normal);
    let (body, pusher, toward) = one_pushable(pair, normal)?;
    input.event.start()?;
    let advance = input.frame.whole_motion(pusher)?.displacement().dot(toward);
    let holds = |touch: &Touch| {
        let other = &input.replay.objects()[touch.other as usize];
        !other.is_pushable() && touch.normal.dot(toward) <= -TOWARD
    };
    let comes_on = advance > 0.0 && advance >= MOST * input.metrics.displacement;
    let touches = touch::of(input, body, pair.slop).into_iter();
    let mut touches = touches.filter(|_| comes_on);
    let obstacle = touches.find(|touch| touch.other != pusher && holds(touch))?;
    Some(Squeeze {
        body,
        obstacle: obstacle.other,
        pusher,
        advance,
        frames: 1,
    })
}

/// The pair is a body and one of two things that nothing pushes, which hold it from both sides and of which one is moved on purpose.
fn between(input: &CauseInput<'_>) -> Option<Squeeze> {
    let (pair, normal) = (input.pair, input.event.normal);
    let (body, one, toward) = one_pushable(pair, normal)?;
    input.event.start()?;
    let first = input.frame.number.saturating_sub(input.contact_frames);
    let advance = |id: ObjectId, toward: DVec3| {
        let at = |state: u32| Some(input.replay.body(state, id)?.pose.position);
        Some((at(input.frame.number + 1)? - at(first)?).dot(toward))
    };
    let slop = pair.slop;
    let squeezes = touch::of(input, body, slop)
        .into_iter()
        .filter_map(|touch| {
            let other = &input.replay.objects()[touch.other as usize];
            let holds = touch.other != one && !other.is_pushable();
            if !holds || touch.normal.dot(toward) > -TOWARD {
                return None;
            }
            let ways = [(one, toward, touch.other), (touch.other, touch.normal, one)];
            let ways = ways.map(|(pusher, toward, obstacle)| Squeeze {
                body,
                obstacle,
                pusher,
                advance: advance(pusher, toward).unwrap_or(0.0),
                frames: input.frame.number + 1 - first,
            });
            let is_moved = |squeeze: &Squeeze| {
                input.replay.objects()[squeeze.pusher as usize].movement != Movement::Fixed
            };
            ways.into_iter()
                .filter(is_moved)
                .max_by(|one, other| one.advance.total_cmp(&other.advance))
        });
    squeezes.max_by(|one, other| one.advance.total_cmp(&other.advance))
}

/// Whether a body is moved by its position.
fn is_driven(input: &CauseInput<'_>, id: ObjectId) -> bool {
    let motion = input.frame.whole_motion(id);
    motion.is_some_and(|motion| teleport::unexplained(input, id, &motion).is_some())
}

/// How far a body that touches the mover moves toward it, metres, where that pushes the mover into the obstacle.
fn advance(input: &CauseInput<'_>, touch: &Touch) -> Option<f64> {
    let into = -input.event.normal;
    let toward = touch.normal.dot(into);
    if touch.other == input.pair.obstacle.id || toward < TOWARD {
        return None;
    }
    let pusher = &input.replay.objects()[touch.other as usize];
    let motion = input.frame.whole_motion(touch.other)?;
    let advance = motion.displacement().dot(touch.normal);
    let slop = input.pair.slop;
    let is_old = input.event.start().is_some_and(|start| start.depth > slop);
    if advance <= 0.0 || pusher.is_pushable() && (is_old || touch.depth <= slop) {
        return None;
    }
    let way = input.metrics.displacement;
    let own = input
        .frame
        .start
        .body(input.pair.mover.id)
        .and_then(|body| body.velocity)
        .map(|velocity: DVec3| velocity.dot(into) * input.metrics.dt);
    let carried = advance * toward >= MOST * way;
    let corrected = own.is_some_and(|own| own < MOST * way);
    (carried || corrected).then_some(advance)
}
