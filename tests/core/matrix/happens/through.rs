//! Paths through the obstacle, along its normal.

use super::{Happens, Log, Pair, Turns};
use crate::matrix::log::{DT, Detail};
use crate::matrix::motions::{State, X, Z, at_heights, push, steps, touch};
use crate::matrix::obstacles::Extent;
use crate::matrix::truth::Truth;

/// Metres between the body and the obstacle before and after a frame that crosses it.
const CLEAR: f64 = 0.5;
/// Metres a frame of a slow and of a fast body that overlaps for several states.
const SLOW: f64 = 0.05;
const FAST: f64 = 0.22;

pub fn all() -> Vec<Happens> {
    let happens = |name, logs| Happens {
        name,
        logs,
        turns: Turns::All,
        is_across: false,
    };
    vec![
        happens("crosses in one frame", |pair| {
            Ok(vec![crosses(pair, [X, Z], true)])
        }),
        happens("crosses a seam in one frame", |pair| {
            on_seam(pair, |pair, at| vec![crosses(pair, at, true)])
        }),
        happens("ends past the middle", |pair| past_the_middle(pair, true)),
        happens("overlaps once and passes", once),
        happens("passes slowly", |pair| Ok(passes(pair, [X, Z], SLOW, true))),
        happens("passes fast", |pair| Ok(passes(pair, [X, Z], FAST, true))),
        happens("passes at a seam", |pair| {
            on_seam(pair, |pair, at| passes(pair, at, SLOW, true))
        }),
        happens("passes without contacts", |pair| Ok(vec![untested(pair)])),
        happens("falls through freely", |pair| Ok(vec![falls(pair)])),
        happens("comes from behind", from_behind),
    ]
}

/// Exactly above the middle of a seam.
fn on_seam(
    pair: Pair<'_>,
    logs: fn(Pair<'_>, [f64; 2]) -> Vec<Log>,
) -> Result<Vec<Log>, &'static str> {
    use crate::matrix::obstacles::Seams;
    match pair.obstacle.seams {
        Seams::None => Err("it has no seams"),
        Seams::Inside | Seams::Between => Ok(logs(pair, [1.0, Z])),
    }
}

/// The same path from the other side: the obstacle's middle stays where it is.
fn turned(pair: Pair<'_>, heights: Vec<f64>, from_above: bool) -> Vec<f64> {
    if from_above {
        return heights;
    }
    let middle = -0.5 * pair.obstacle.thickness();
    heights.into_iter().map(|y| 2.0 * middle - y).collect()
}

/// From one side to the other between two states, and clear at both.
pub fn crosses(pair: Pair<'_>, [x, z]: [f64; 2], from_above: bool) -> Log {
    let height = pair.mover.height;
    let thickness = match pair.obstacle.extent {
        Extent::HalfSpace => 0.0,
        Extent::Solid | Extent::Sheet => pair.obstacle.thickness(),
    };
    let step = 2.0 * (height + CLEAR) + thickness;
    let start = height + CLEAR + step;
    let heights = (0..6).map(|index| start - step * f64::from(index));
    let heights = turned(pair, heights.collect(), from_above);
    let mut states = at_heights([x, z], heights);
    touch(&mut states, pair.mover, pair.obstacle);
    let truth = if pair.obstacle.extent == Extent::HalfSpace {
        // There is no far side: it is inside from then on.
        Truth::one("Sinks", &["C01", "C05", "C21"], 1..=3)
    } else {
        Truth::one("Tunnels", &pair.cause(from_above, &["C01"]), 1..=1)
    };
    Log::new(states, &truth.of(pair.others(x)))
}

fn past_the_middle(pair: Pair<'_>, from_above: bool) -> Result<Vec<Log>, &'static str> {
    let height = pair.mover.height;
    let thickness = pair.obstacle.thickness();
    let end = match pair.obstacle.extent {
        Extent::HalfSpace => return Err("it has no middle"),
        Extent::Solid => -0.75 * thickness,
        Extent::Sheet => -0.3 * height,
    };
    let start = height + CLEAR;
    let step = start - end;
    let heights = vec![start + step, start, end, end - step];
    let states = at_heights([X, Z], turned(pair, heights, from_above));
    let truth = Truth::one("WrongSide", &pair.cause(from_above, &["C05"]), 1..=1);
    let truth = behind(pair, from_above, truth.of(pair.others(X)));
    Ok(with_pushes(pair, &states, from_above, &truth))
}

/// Logs with the contacts of an engine, and one that is pushed by them as well.
fn with_pushes(pair: Pair<'_>, states: &[State], from_above: bool, truth: &Truth) -> Vec<Log> {
    let (mut touched, mut pushed) = (states.to_vec(), states.to_vec());
    if !pair.is_behind(from_above) {
        touch(&mut touched, pair.mover, pair.obstacle);
        push(&mut pushed, pair.mover, pair.obstacle);
    }
    vec![
        Log::new(touched, truth).only_below(Detail::Pushes),
        Log::new(pushed, truth).only_from(Detail::Pushes),
    ]
}

/// Overlaps in one state, its centre in front, and is clear behind at the next.
fn once(pair: Pair<'_>) -> Result<Vec<Log>, &'static str> {
    let height = pair.mover.height;
    let far = match pair.obstacle.extent {
        Extent::HalfSpace => return Err("it has no far side"),
        Extent::Solid | Extent::Sheet => pair.obstacle.thickness(),
    };
    let depth = 0.3 * height;
    let step = 2.0 * height + far + CLEAR;
    let heights = (0..4).map(|index| height - depth + step * f64::from(1 - index));
    let mut states = at_heights([X, Z], heights);
    if !pair.is_behind(true) {
        touch(&mut states, pair.mover, pair.obstacle);
    }
    // The contact existed, and the body is too fast for the next step: either explains it.
    let causes = pair.cause(true, &["C21", "C01", "C05"]);
    let truth = Truth::one("Sinks", &causes, 0..=1).of(pair.others(X));
    Ok(vec![Log::new(states, &behind(pair, true, truth))])
}

/// Frames from the second state in overlap to the state after the last.
fn lasting(pair: Pair<'_>, states: &[State]) -> std::ops::RangeInclusive<u32> {
    let far = pair.obstacle.thickness() + pair.mover.height;
    let is_inside = |state: &State| state.p[1] < pair.mover.height && state.p[1] > -far;
    let first = states.iter().position(is_inside).unwrap();
    let last = states.iter().rposition(is_inside).unwrap();
    first as u32..=last as u32
}

/// Heights that end clear of the far side, or wholly inside of one without.
fn heights_of(pair: Pair<'_>, step: f64) -> Vec<f64> {
    let height = pair.mover.height;
    let end = match pair.obstacle.extent {
        Extent::HalfSpace => height + 2.0 * step,
        Extent::Solid | Extent::Sheet => height + pair.obstacle.thickness(),
    };
    // The first overlap is 0.05 deep, or half of a slow step.
    let start = height - 0.05f64.min(0.5 * step) + 2.0 * step;
    steps(-start, step, end)
        .into_iter()
        .map(|depth| -depth)
        .collect()
}

/// From behind, a one-sided surface does not exist until the centre is past: the cause decides, and any kind of a pass is right.
fn behind(pair: Pair<'_>, from_above: bool, truth: Truth) -> Truth {
    if pair.is_behind(from_above) {
        let kinds = vec!["Tunnels", "WrongSide", "Sinks"];
        // The centre of a cone is not in its middle, and passes a state later.
        let frames = *truth.frames.start()..=truth.frames.end() + 1;
        Truth {
            kinds,
            frames,
            ..truth
        }
    } else {
        truth
    }
}

/// Overlaps in several states, and comes out on the far side.
pub fn passes(pair: Pair<'_>, [x, z]: [f64; 2], step: f64, from_above: bool) -> Vec<Log> {
    let heights = turned(pair, heights_of(pair, step), from_above);
    let states = at_heights([x, z], heights);
    let frames = lasting(pair, &states);
    let causes = pair.cause(from_above, &["C21"]);
    let truth = Truth::one("Sinks", &causes, frames).of(pair.others(x));
    let truth = behind(pair, from_above, truth);
    with_pushes(pair, &states, from_above, &truth)
}

/// The same, and the log lists contacts, but none of the pair.
fn untested(pair: Pair<'_>) -> Log {
    let states = at_heights([X, Z], heights_of(pair, SLOW));
    let frames = lasting(pair, &states);
    let truth = Truth::one("Sinks", &pair.cause(true, &["C18"]), frames);
    let truth = behind(pair, true, truth.of(pair.others(X)));
    Log::new(states, &truth).only_from(Detail::Contacts)
}

/// Its velocity changes by gravity alone.
fn falls(pair: Pair<'_>) -> Log {
    let (mut y, mut v) = (pair.mover.height + 0.1, -3.0);
    let far = match pair.obstacle.extent {
        Extent::HalfSpace => 0.5,
        Extent::Solid | Extent::Sheet => pair.obstacle.thickness(),
    };
    let (mut heights, mut speeds) = (vec![y], vec![v]);
    while y > -far - pair.mover.height - 0.1 {
        v -= 9.81 * DT;
        y += v * DT;
        heights.push(y);
        speeds.push(v);
    }
    let mut states = at_heights([X, Z], heights);
    for (state, speed) in states.iter_mut().zip(speeds) {
        state.v = [0.0, speed, 0.0];
    }
    let frames = lasting(pair, &states);
    let truth = |causes: &[&'static str]| {
        let truth = Truth::one("Sinks", &pair.cause(true, causes), frames.clone());
        behind(pair, true, truth.of(pair.others(X)))
    };
    Log::new(states, &truth(&["C18", "C21"])).from(Detail::Velocities, &truth(&["C18"]))
}

fn from_behind(pair: Pair<'_>) -> Result<Vec<Log>, &'static str> {
    if pair.obstacle.extent == Extent::HalfSpace {
        return Ok(vec![out_of_the_plane(pair)]);
    }
    let at = [X, Z];
    let slow = passes(pair, at, SLOW, false);
    let fast = passes(pair, at, FAST, false);
    let middle = past_the_middle(pair, false)?;
    Ok([vec![crosses(pair, at, false)], slow, fast, middle].concat())
}

/// Behind the surface of a plane is its inside.
fn out_of_the_plane(pair: Pair<'_>) -> Log {
    let heights = [-2.0, -1.0, 1.0, 2.0];
    let mut states = at_heights([X, Z], heights);
    touch(&mut states, pair.mover, pair.obstacle);
    Log::new(
        states,
        &Truth::one("StartsInside", &["C12"], 0..=0).of(pair.others(X)),
    )
}
