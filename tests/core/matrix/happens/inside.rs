//! Bodies that overlap from the start, and bodies that stay inside.

use super::{Happens, Log, Pair, Turns};
use crate::matrix::motions::{X, Z, at_heights, touch};
use crate::matrix::truth::Truth;

/// States in half a second.
const HALF_SECOND: u32 = 30;

pub fn all() -> Vec<Happens> {
    let happens = |name, logs| Happens {
        name,
        logs,
        turns: Turns::All,
        is_across: false,
    };
    vec![
        happens("starts inside", |pair| Ok(starts(pair))),
        happens("stays inside", |pair| Ok(stays(pair))),
    ]
}

fn height_inside(pair: Pair<'_>) -> f64 {
    0.7 * pair.mover.height
}

/// Deep in the first state, rests there, or leaves.
fn starts(pair: Pair<'_>) -> Vec<Log> {
    let inside = height_inside(pair);
    let at = |step: f64| {
        // At most until it is clear.
        let count = if step > 0.0 {
            (0.3 * pair.mover.height / step).floor() as u32 + 1
        } else {
            10
        };
        let heights = (0..count).map(|index| inside + step * f64::from(index));
        let mut states = at_heights([X, Z], heights);
        if !pair.is_behind(true) {
            touch(&mut states, pair.mover, pair.obstacle);
            for state in &mut states[1..] {
                // It leaves by pushes.
                state.v = [0.0; 3];
                state.push = (step > 0.0).then_some([0.0, step, 0.0]);
            }
            states[0].v = [0.0; 3];
        }
        let mut truth = Truth::one("StartsInside", &["C12"], 0..=0);
        if pair.is_behind(true) {
            // The surface does not exist from there.
            truth = Truth::one("StartsInside", &["C12", "C08"], 0..=0).or_nothing();
        }
        Log::new(states, &truth.of(pair.others(X)))
    };
    vec![at(0.0), at(0.02)]
}

/// Comes to rest inside, its centre in front.
fn stays(pair: Pair<'_>) -> Vec<Log> {
    let inside = height_inside(pair);
    let heights = [0.5, 0.3, 0.1].map(|above| inside + above).into_iter();
    let lasting = (0..HALF_SECOND + 15).map(|_| inside);
    let mut states = at_heights([X, Z], heights.chain(lasting));
    if !pair.is_behind(true) {
        touch(&mut states, pair.mover, pair.obstacle);
    }
    let mut truth = Truth::one("Sinks", &pair.cause(true, &["C21"]), 1..=HALF_SECOND + 6);
    if pair.is_behind(true) {
        truth = truth.or_nothing();
    }
    vec![Log::new(states, &truth.of(pair.others(X)))]
}
