//! What happens in the cells of the matrix.

mod beside;
mod inside;
mod over;
mod through;

use super::log::Detail;
use super::motions::State;
use super::movers::Mover;
use super::obstacles::{Facing, Obstacle, Place};
use super::truth::Truth;

/// A body and an obstacle.
#[derive(Clone, Copy)]
pub struct Pair<'p> {
    pub mover: &'p Mover,
    pub obstacle: &'p Obstacle,
}

impl Pair<'_> {
    /// The smaller inner radius, metres; at most that of a tile.
    fn inner(&self) -> f64 {
        self.mover.inner.min(0.5 * super::obstacles::THICKNESS)
    }

    /// Whether a body from this side meets the back of a one-sided surface.
    fn is_behind(&self, comes_from_above: bool) -> bool {
        match self.obstacle.facing {
            Facing::Both => false,
            Facing::Up => !comes_from_above,
            Facing::Down => comes_from_above,
        }
    }

    /// The cause of an event that a body from this side has with these causes otherwise.
    fn cause(&self, comes_from_above: bool, otherwise: &[&'static str]) -> Vec<&'static str> {
        if self.is_behind(comes_from_above) {
            return vec!["C08"];
        }
        otherwise.to_vec()
    }

    /// The names of the objects within the mover's reach of an x.
    fn others(&self, x: f64) -> Vec<String> {
        let below = self
            .obstacle
            .below(x - self.mover.side, x + self.mover.side);
        below.iter().map(|(id, _)| format!("o{id}")).collect()
    }
}

/// What happens: a column of the table.
pub struct Happens {
    pub name: &'static str,
    /// The logs of a pair, or why there are none.
    pub logs: fn(Pair<'_>) -> Result<Vec<Log>, &'static str>,
    /// Whether the same stays true while the mover turns about the normal.
    pub turns: Turns,
    /// Whether it is at the border, which a flat level shows along x in place of z.
    pub is_across: bool,
}

/// Which movers may turn about the normal without a change of what is right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Turns {
    All,
    Round,
}

/// A path, the places of the obstacle, and what is right.
#[derive(Clone)]
pub struct Log {
    pub states: Vec<State>,
    pub places: Vec<Place>,
    pub truths: Vec<(Detail, Truth)>,
}

impl Log {
    /// Of one obstacle at its usual place, with the same truth at every detail.
    fn new(states: Vec<State>, truth: &Truth) -> Self {
        Self {
            states,
            places: vec![Place::default()],
            truths: Detail::ALL.map(|detail| (detail, truth.clone())).to_vec(),
        }
    }

    /// With another truth from a detail on.
    fn from(mut self, first: Detail, truth: &Truth) -> Self {
        for (detail, known) in &mut self.truths {
            if *detail >= first {
                *known = truth.clone();
            }
        }
        self
    }

    /// Without the details from one on.
    fn only_below(mut self, end: Detail) -> Self {
        self.truths.retain(|(detail, _)| *detail < end);
        self
    }

    /// Without the details below one.
    fn only_from(mut self, first: Detail) -> Self {
        self.truths.retain(|(detail, _)| *detail >= first);
        self
    }
}

pub fn all() -> Vec<Happens> {
    let groups = [through::all(), over::all(), beside::all(), inside::all()];
    groups.into_iter().flatten().collect()
}
