//! Bodies that rest on the obstacle and slide over its seams.

use super::{Happens, Log, Pair, Turns};
use crate::matrix::log::{DT, Detail};
use crate::matrix::motions::{Contact, X, Z, along, touch};
use crate::matrix::obstacles::Seams;
use crate::matrix::truth::Truth;

/// Depths at which bodies rest and slide, as parts of the smaller inner radius: all within the slop of 0.02.
const DEPTHS: [f64; 3] = [0.0, 0.005, 0.019];
/// Metres per second.
const SPEEDS: [f64; 4] = [1.0, 10.0, 40.0, 100.0];
const FRAMES: u32 = 12;
/// Speed of the bodies that are stopped at a seam, metres per second, and their depth in metres.
const STOPPED: f64 = 10.0;
const SHALLOW: f64 = 1e-3;
/// A seam.
const SEAM: f64 = 3.0;

pub fn all() -> Vec<Happens> {
    let happens = |name, logs, turns| Happens {
        name,
        logs,
        turns,
        is_across: false,
    };
    vec![
        happens("rests", |pair| Ok(rests(pair)), Turns::All),
        happens("slides over seams", |pair| Ok(slides(pair)), Turns::All),
        happens(
            "stops dead at a covered face",
            |pair| stopped(pair, [-1.0, 0.0], [0.0, 0.0]),
            Turns::Round,
        ),
        happens(
            "stumbles on a tilted normal",
            |pair| stopped(pair, [-0.5f64.sqrt(), 0.5f64.sqrt()], [0.5, 0.5]),
            Turns::Round,
        ),
    ]
}

fn rests(pair: Pair<'_>) -> Vec<Log> {
    let at = |depth: f64| {
        let y = pair.mover.height - depth * pair.inner();
        let mut states = along((0..20).map(|_| [X, y, Z]));
        if !pair.is_behind(true) {
            touch(&mut states, pair.mover, pair.obstacle);
        }
        Log::new(states, &Truth::nothing())
    };
    DEPTHS.map(at).into()
}

fn slides(pair: Pair<'_>) -> Vec<Log> {
    let at = |speed: f64, depth: f64| {
        let y = pair.mover.height - depth * pair.inner();
        let at = |frame: u32| [-10.3 + speed * DT * f64::from(frame), y, Z];
        let mut states = along((0..FRAMES).map(at));
        if !pair.is_behind(true) {
            touch(&mut states, pair.mover, pair.obstacle);
        }
        Log::new(states, &Truth::nothing())
    };
    let depths = |speed: f64| DEPTHS.map(|depth| at(speed, depth));
    SPEEDS.into_iter().flat_map(depths).collect()
}

/// A contact at the seam with a normal that no uncovered surface there has, and the velocity after it, as parts of the speed.
fn stopped(pair: Pair<'_>, normal: [f64; 2], after: [f64; 2]) -> Result<Vec<Log>, &'static str> {
    if pair.is_behind(true) {
        return Err("an engine has no contact with the back of a one-sided surface");
    }
    let y = pair.mover.height - SHALLOW;
    // The front of the foot is a millimetre past the seam.
    let x = SEAM - pair.mover.foot + 1e-3;
    let before = (0..4).map(|frame| [x - STOPPED * DT * f64::from(4 - frame), y, Z]);
    let after = after.map(|part| part * STOPPED * DT);
    let then = (0..4)
        .map(f64::from)
        .map(|f| [x + after[0] * f, y + after[1] * f, Z]);
    let mut states = along(before.chain(then));
    touch(&mut states, pair.mover, pair.obstacle);
    let next = pair.obstacle.below(SEAM + 1e-3, SEAM + 1e-3)[0].0;
    // The engine's step to this state has the contact, and its new velocity.
    let kicked = &mut states[4];
    kicked.v = [after[0] / DT, after[1] / DT, 0.0];
    kicked.contacts.push(Contact {
        other: next,
        point: [SEAM, -0.5 * SHALLOW, Z],
        normal: [normal[0], normal[1], 0.0],
        depth: SHALLOW,
    });
    let cause = match pair.obstacle.seams {
        // The middle of a face.
        Seams::None => "C22",
        Seams::Inside | Seams::Between => "C10",
    };
    let found = Truth::one("Phantom", &[cause], 3..=4).of(vec![format!("o{next}")]);
    Ok(vec![
        Log::new(states, &Truth::nothing()).from(Detail::Contacts, &found),
    ])
}
