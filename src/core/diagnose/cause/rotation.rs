//! C04: a shape turns. Swept with its rotation held as it is at the start it misses; followed as it turns, it hits.

use super::{Case, Claim, fix};
use crate::core::diagnose::finding::Cause;
use crate::core::diagnose::limits;
use crate::core::diagnose::turning;
use crate::core::diagnose::words::{metres, number};

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
    let limit = case.limit();
    let reach = swing / turn;
    // Nothing of the pair moves faster than this along any normal.
    let fastest = pair.travel().length() + swing_a + swing_b;
    let fixes: Vec<_> = [
        fix("substeps", limits::substeps(fastest, limit), ""),
        fix(
            "max_spin",
            max_spin(case, limit, reach, fastest - swing),
            "rad/s",
        ),
    ]
    .into_iter()
    .flatten()
    .collect();
    let mend: Vec<String> = fixes
        .iter()
        .map(|fix| match fix.what {
            "substeps" => format!("{} substeps", number(fix.value)),
            _ => format!("at most {} rad/s", number(fix.value)),
        })
        .chain(["a sweep that turns".to_owned()])
        .collect();
    let turns = format!(
        "{} turns by {} rad in this frame, which swings its rim by {}",
        turner.name,
        number(turn),
        metres(swing),
    );
    let text = match case.event.start {
        Some(_) => format!(
            "{turns}: they touch when the frame begins, and held as it stands then it would come to nothing; as it turns it leads \
             out on the far side of {}. Its push leads back only up to {}. Take {}.",
            met.name,
            metres(limit),
            mend.join(", or "),
        ),
        None => format!(
            "{turns}: an overlap test is sure to see {} only up to {}, and swept as it stands at the start it misses {}. Followed \
             as it turns, they meet at {}. Take {}.",
            met.name,
            metres(limit),
            met.name,
            number(case.event.fraction),
            mend.join(", or "),
        ),
    };
    Some(Claim {
        cause: Cause::ROTATION,
        evidence: vec![("turn", turn), ("reach", reach), ("swing", swing)],
        fixes,
        text,
    })
}

/// The greatest spin at which rim and travel together keep within a limit, rad/s.
fn max_spin(case: &Case<'_>, limit: f64, reach: f64, rest: f64) -> Option<f64> {
    let most = (limit - rest) / (reach * case.measures.dt);
    (most > 0.0).then_some(most)
}
