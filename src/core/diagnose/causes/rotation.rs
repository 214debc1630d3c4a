//! C04: a shape rotates. Swept with its rotation fixed it misses; swept with the rotation it hits.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::facts::limits;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::judge::rotating_pair;
use crate::core::number::{degrees, number};
use glam::DVec3;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    input.event.turned.filter(|turned| turned.held_misses)?;
    let pair = input.pair;
    let rims = [pair.mover, pair.obstacle].map(|side| rotating_pair::rim(&side));
    let [swing_a, swing_b] = [rims[0]?, rims[1]?];
    // The shape whose rim travels farther.
    let (turner, obstacle, turn, swing) = if swing_a >= swing_b {
        (input.mover, input.other, pair.mover.turn.length(), swing_a)
    } else {
        (
            input.other,
            input.mover,
            pair.obstacle.turn.length(),
            swing_b,
        )
    };
    let reach = swing / turn;
    let mut fixes = input.step_fixes();
    // A slower turn alone is a shorter step where nothing else moves.
    let turns_only = pair.travel() == DVec3::ZERO && swing_a.min(swing_b) == 0.0;
    if turns_only && !fixes.is_empty() && input.drive().is_none() {
        let m = &input.metrics;
        let spin =
            |limit: f64| (limit > 0.0).then(|| turn / m.dt * limits::safe(limit) / m.displacement);
        fixes.extend(Fix::limit(
            Quantity::MaxSpin,
            spin(m.limit_side),
            spin(m.limit_seen),
        ));
    }
    let spin = fixes.iter().find(|fix| fix.what == Quantity::MaxSpin);
    let spin = spin.and_then(|fix| Some(format!("at most {} rad/s", number(fix.held()?))));
    let others: Vec<&str> = spin
        .as_deref()
        .into_iter()
        .chain(["a sweep with rotation"])
        .collect();
    let advice = input.advice(&[], &others);
    let turns = format!(
        "{} turns by {} in this {}, which moves its rim by {}",
        turner.name,
        degrees(turn),
        input.step(),
        input.units().length(swing),
    );
    let text = match input.event.start() {
        Some(_) => format!(
            "{turns}: they touch when the frame begins. Without the rotation there would be no event; with it, the mover leaves on the far side of {}. A push moves it back only up to {}. {advice}",
            obstacle.name,
            input.units().length(input.metrics.limit_side),
        ),
        None => format!(
            "{turns}: an overlap test reliably detects {} only up to {}, and {}. Swept with the rotation, they touch at {}. {advice}",
            obstacle.name,
            input.units().length(input.metrics.limit_seen),
            match pair.with_rotation_held().sweep().outcome.impact() {
                Some(_) => "without the rotation there would be no event".to_owned(),
                None => format!(
                    "a sweep with the rotation of the start misses {}",
                    obstacle.name
                ),
            },
            number(input.event.fraction),
        ),
    };
    Some(CauseMatch {
        cause: Cause::Rotation,
        evidence: vec![(Key::Turn, turn), (Key::Reach, reach), (Key::Swing, swing)],
        fixes,
        text,
    })
}
