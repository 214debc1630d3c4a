//! Paths at the border of the obstacle, and through an opening.

use super::through;
use super::{Happens, Log, Pair, Turns};
use crate::matrix::motions::{X, along, at_heights, steps};
use crate::matrix::obstacles::{BORDER, Extent, Place};
use crate::matrix::truth::Truth;

/// Metres a frame of a body that passes an opening slowly.
const SLOW: f64 = 0.05;
/// Half the millimetre by which an opening is wider than the body.
const HALF_GAP: f64 = 0.0005;
/// Metres by which a body reaches over the border that it cuts.
const CUT: f64 = 0.08;

pub fn all() -> Vec<Happens> {
    let happens = |name, logs, turns| Happens {
        name,
        logs,
        turns,
        is_across: true,
    };
    vec![
        happens("enters by a rim", rim, Turns::All),
        happens("grazes", grazes, Turns::Round),
        happens("cuts a corner", cuts, Turns::Round),
        happens("passes an opening", opening, Turns::Round),
    ]
}

const UNBOUNDED: &str = "it has no border";

fn is_bounded(pair: Pair<'_>) -> Result<(), &'static str> {
    match pair.obstacle.extent {
        Extent::HalfSpace => Err(UNBOUNDED),
        Extent::Solid | Extent::Sheet => Ok(()),
    }
}

/// The centre is over the obstacle, 5 cm from its border.
fn rim(pair: Pair<'_>) -> Result<Vec<Log>, &'static str> {
    is_bounded(pair)?;
    let at = [X, BORDER - 0.05];
    let mut logs = through::passes(pair, at, SLOW, true);
    logs.push(through::crosses(pair, at, true));
    // With its centre beside the obstacle: it is not said which surface that enters.
    let over = Truth::one("Clips", &pair.cause(true, &["C01"]), 1..=1).or("Tunnels");
    if pair.mover.is_round {
        logs.push(beside(
            pair,
            CUT,
            if pair.is_behind(true) {
                over.or_nothing()
            } else {
                over
            },
        ));
    }
    Ok(logs)
}

/// Crosses beside the border, over which it reaches by this length.
fn beside(pair: Pair<'_>, over: f64, truth: Truth) -> Log {
    let z = BORDER + pair.mover.side - over;
    let log = through::crosses(pair, [X, z], true);
    let states = log.states.into_iter();
    let bare = states.map(|state| crate::matrix::motions::State {
        contacts: Vec::new(),
        push: None,
        ..state
    });
    Log::new(bare.collect(), &truth.of(pair.others(X)))
}

/// Over the border by less than the slop.
fn grazes(pair: Pair<'_>) -> Result<Vec<Log>, &'static str> {
    is_bounded(pair)?;
    let slop = 0.02 * pair.inner();
    let over = [0.0, 0.4 * slop];
    Ok(over.map(|over| beside(pair, over, Truth::nothing())).into())
}

/// From above the surface to beside the border: the centre meets no surface, and passes the edge at half of the body's width.
fn cuts(pair: Pair<'_>) -> Result<Vec<Log>, &'static str> {
    is_bounded(pair)?;
    let mut truth = Truth::one("Clips", &pair.cause(true, &["C01"]), 1..=1);
    if pair.obstacle.is_sheet() {
        // The edge of a surface has no flank that it could stay in front of.
        truth = truth.or("Tunnels");
    }
    if pair.is_behind(true) {
        truth = truth.or_nothing();
    }
    let out = 0.5f64.sqrt() * 0.5 * pair.mover.side;
    let at = |frame: i32| {
        let along = 0.5f64.sqrt() * 0.8 * f64::from(2 * frame - 3);
        [X, out - along, BORDER + out + along]
    };
    let states = along((0..4).map(at));
    Ok(vec![Log::new(states, &truth.of(pair.others(X)))])
}

/// Between two obstacles, half a millimetre from each.
fn opening(pair: Pair<'_>) -> Result<Vec<Log>, &'static str> {
    is_bounded(pair)?;
    let apart = BORDER + pair.mover.side + HALF_GAP;
    let places = vec![
        Place {
            turned: false,
            z: -apart,
        },
        Place {
            turned: true,
            z: apart,
        },
    ];
    let far = pair.mover.height + pair.obstacle.thickness() + 0.1;
    let at = |step: f64| {
        let heights = steps(-pair.mover.height - 0.1, step, far);
        let states = at_heights([X, 0.0], heights.into_iter().map(|y| -y));
        Log {
            places: places.clone(),
            ..Log::new(states, &Truth::nothing())
        }
    };
    Ok(vec![at(SLOW), at(far + pair.mover.height + 0.1)])
}
