//! C04: a shape turns. Swept with its rotation held as it is at the start it misses; followed as it turns, it hits.

use super::{Case, Claim};
use crate::core::diagnose::causes::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::turning;
use crate::core::number::{metres, number};
use glam::DVec3;

pub(super) fn claim(case: &Case<'_>) -> Option<Claim> {
    case.event.turned.filter(|turned| turned.held_misses)?;
    let pair = case.pair;
    let (swing_a, swing_b) = turning::rims(pair)?;
    // The one whose rim swings farther.
    let (turner, met, turn, swing) = if swing_a >= swing_b {
        (case.mover, case.other, pair.turn_a.length(), swing_a)
    } else {
        (case.other, case.mover, pair.turn_b.length(), swing_b)
    };
    let reach = swing / turn;
    let mut fixes = case.step_fixes();
    // A slower turn alone is a shorter step where nothing else moves.
    if pair.travel() == DVec3::ZERO && swing_a.min(swing_b) == 0.0 && !fixes.is_empty() {
        let m = &case.measures;
        let spin = |limit: f64| (limit > 0.0).then(|| turn / m.dt * limit / m.displacement);
        fixes.extend(Fix::limit(
            Quantity::MaxSpin,
            spin(m.limit_side),
            spin(m.limit_seen),
        ));
    }
    let spin = fixes.iter().find(|fix| fix.what == Quantity::MaxSpin);
    let spin = spin.and_then(|fix| Some(format!("at most {} rad/s", number(fix.holds?))));
    let others: Vec<&str> = spin
        .as_deref()
        .into_iter()
        .chain(["a sweep that turns"])
        .collect();
    let advice = case.advice(&others);
    let turns = format!(
        "{} turns by {} rad in this frame, which swings its rim by {}",
        turner.name,
        number(turn),
        metres(swing),
    );
    let text = match case.event.start() {
        Some(_) => format!(
            "{turns}: they touch when the frame begins. Without the turn nothing would come of it; with the turn it leads out on the far side \
             of {}. Its push leads back only up to {}. {advice}",
            met.name,
            metres(case.measures.limit_side),
        ),
        None => format!(
            "{turns}: an overlap test is sure to detect {} only up to {}, and a sweep with the rotation of the start misses {}. Followed \
             as it turns, they touch at {}. {advice}",
            met.name,
            metres(case.measures.limit_seen),
            met.name,
            number(case.event.fraction),
        ),
    };
    Some(Claim {
        cause: Cause::Rotation,
        evidence: vec![(Key::Turn, turn), (Key::Reach, reach), (Key::Swing, swing)],
        fixes,
        text,
    })
}
