//! States of a body along a known path, with what an engine that supports it would log.

use super::log::DT;
use super::movers::Mover;
use super::obstacles::{Extent, Obstacle};

#[derive(Clone, Debug)]
pub struct Contact {
    pub other: usize,
    pub point: [f64; 3],
    pub normal: [f64; 3],
    pub depth: f64,
}

/// What a line of the log gives of the body.
#[derive(Clone, Debug, Default)]
pub struct State {
    pub p: [f64; 3],
    pub v: [f64; 3],
    /// Radians a frame about the vertical axis, in a flat level about the axis out of it.
    pub turn: f64,
    pub contacts: Vec<Contact>,
    pub push: Option<[f64; 3]>,
}

/// Where a path crosses the obstacle, beside the origin, so that no edge of a cell is exactly below.
pub const X: f64 = 0.3;
pub const Z: f64 = 0.3;

/// Part of the travel of a frame that a push takes back.
const SOFT: f64 = 0.1;

/// States at these positions, with the velocity that led to each.
pub fn along(positions: impl IntoIterator<Item = [f64; 3]>) -> Vec<State> {
    let positions: Vec<[f64; 3]> = positions.into_iter().collect();
    let velocity = |index: usize| {
        let to = index.max(1);
        std::array::from_fn(|axis| (positions[to][axis] - positions[to - 1][axis]) / DT)
    };
    let state = |index: usize| State {
        p: positions[index],
        v: velocity(index),
        ..State::default()
    };
    (0..positions.len()).map(state).collect()
}

/// States at these heights above one place.
pub fn at_heights([x, z]: [f64; 2], heights: impl IntoIterator<Item = f64>) -> Vec<State> {
    along(heights.into_iter().map(|y| [x, y, z]))
}

/// Heights from `start` on, equally far apart, until one is past `end`; and one more.
pub fn steps(start: f64, step: f64, end: f64) -> Vec<f64> {
    let count = ((end - start) / step).ceil() as i32 + 1;
    (0..=count)
        .map(|index| start + step * f64::from(index))
        .collect()
}

/// Adds the contacts of an engine that finds every overlap, with the normal of the least push.
pub fn touch(states: &mut [State], mover: &Mover, obstacle: &Obstacle) {
    for state in states {
        state.contacts = contacts(state, mover, obstacle);
    }
}

/// Adds pushes along the contacts to a motion of constant velocity: each moves the body, and does not stop it.
pub fn push(states: &mut [State], mover: &Mover, obstacle: &Obstacle) {
    let mut moved = 0.0;
    for state in &mut states[1..] {
        state.p[1] += moved;
        let step = state.v[1].abs() * DT;
        let contacts = contacts(state, mover, obstacle);
        // Where the push would end on the other side of the middle, there is none.
        let middle = (2.0 * state.p[1] + obstacle.thickness()).abs() < step;
        let deep = contacts
            .iter()
            .find(|contact| contact.depth > step * SOFT && !middle);
        if let Some(contact) = deep {
            let push = contact.normal.map(|axis| axis * step * SOFT);
            state.p[1] += push[1];
            moved += push[1];
            state.push = Some(push);
        }
        state.contacts = self::contacts(state, mover, obstacle);
    }
}

fn contacts(state: &State, mover: &Mover, obstacle: &Obstacle) -> Vec<Contact> {
    let [x, y, z] = state.p;
    let up = mover.height - y;
    let down = mover.height + y + obstacle.thickness();
    // An engine's contact may be off by rounding.
    if up < -1e-9 || down < -1e-9 {
        return Vec::new();
    }
    let is_up = obstacle.extent == Extent::HalfSpace || up <= down;
    let (normal, depth, height) = if is_up {
        ([0.0, 1.0, 0.0], up, 0.0)
    } else {
        ([0.0, -1.0, 0.0], down, -obstacle.thickness())
    };
    let contact = |(other, [low, high]): (usize, [f64; 2])| Contact {
        other,
        point: [0.5 * (low + high), height, z],
        normal,
        depth,
    };
    let below = obstacle.below(x - mover.foot, x + mover.foot);
    below.into_iter().map(contact).collect()
}
