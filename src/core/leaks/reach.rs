//! Which places a mover comes to: a flood fill of the free space around a start.

use super::crossing::Crossing;
use super::fixed::Fixed;
use super::mover::Mover;
use crate::core::progress::Progress;
use crate::core::shape::{Aabb, Pose};
use glam::DVec3;
use std::collections::VecDeque;

/// Cells of the fill at most; of a larger level they are larger.
const CELLS: f64 = 3e7;

/// How a place lies to the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reachability {
    /// The mover comes here, and through it to where it cannot come otherwise.
    LeadsOut,
    /// The mover comes here; it could also go round.
    Reached,
    /// The mover does not come here.
    Apart,
}

impl Reachability {
    /// Its words behind a place; none where the mover could also go round.
    pub fn words(self) -> Option<&'static str> {
        match self {
            Self::LeadsOut => Some("leads out"),
            Self::Apart => Some("not reached from the start"),
            Self::Reached => None,
        }
    }
}

/// The number of a cell along each axis.
type Cell = [i64; 3];

/// The cells that a mover reaches.
pub struct Reached {
    bounds: Aabb,
    cell: f64,
    count: Cell,
    reached: Vec<bool>,
}

impl Reached {
    /// Fills the free space of a mover around a start.
    ///
    /// # Errors
    /// A sentence, when the start is not free, nothing has bounds, or the level is too large for the mover.
    pub fn from(
        fixed: &Fixed<'_>,
        mover: &Mover,
        start: DVec3,
        progress: &dyn Progress,
    ) -> Result<Self, String> {
        let place = |position: DVec3| Pose {
            position,
            ..mover.pose()
        };
        let is_free = |position: DVec3| fixed.is_free(&mover.shape, &place(position));
        if !is_free(start) {
            let name = &mover.name;
            return Err(format!(
                "{name} is not free at the start: it touches something there"
            ));
        }
        let width = 2.0 * mover.shape.inner_radius();
        let bounds = fixed
            .bounds()
            .ok_or("nothing has bounds, so there is nothing to fill")?;
        let around = Aabb::of_points([start]).map_or(bounds, |start| bounds.union(&start));
        let bounds = around.grown(2.0 * width.max(1e-9));
        let size = 2.0 * bounds.half_extents();
        // Half of the width, so that no wall lies between two neighbouring cells.
        let cell = (0.5 * width).max((size.x * size.y * size.z / CELLS).cbrt());
        if cell > width {
            let name = &mover.name;
            return Err(format!(
                "the level is too large to follow {name} through it: leave the start out, or cut the level"
            ));
        }
        let count = (size / cell)
            .to_array()
            .map(|cells| (cells.ceil() as i64).max(1));
        let total = count.iter().product::<i64>() as usize;
        let mut filled = Self {
            bounds,
            cell,
            count,
            reached: vec![false; total],
        };
        let first = filled.cell_of(start);
        let mut next = VecDeque::from([first]);
        let mut done = 0_u64;
        while let Some(cell) = next.pop_front() {
            let Some(index) = filled.index(cell) else {
                continue;
            };
            let is_start = cell == first;
            if filled.reached[index] || !(is_start || is_free(filled.center(cell))) {
                continue;
            }
            filled.reached[index] = true;
            let sides = (0..3).flat_map(|axis| [-1, 1].map(|by| (axis, by)));
            next.extend(sides.map(|(axis, by)| {
                let mut beside = cell;
                beside[axis] += by;
                beside
            }));
            done += 1;
            if done.is_multiple_of(65_536) {
                progress.report(done, total as u64);
                if progress.cancelled() {
                    break;
                }
            }
        }
        Ok(filled)
    }

    fn cell_of(&self, at: DVec3) -> Cell {
        let cells = (at - self.bounds.min) / self.cell;
        cells.to_array().map(|cell| cell.floor() as i64)
    }

    fn center(&self, cell: Cell) -> DVec3 {
        let middle = DVec3::from_array(cell.map(|number| number as f64 + 0.5));
        self.bounds.min + middle * self.cell
    }

    fn index(&self, [x, y, z]: Cell) -> Option<usize> {
        let [across, up, deep] = self.count;
        let inside = (0..across).contains(&x) && (0..up).contains(&y) && (0..deep).contains(&z);
        inside.then_some((x + across * (y + up * z)) as usize)
    }

    /// Whether a cell at a place, or one beside it, is reached.
    fn has(&self, at: DVec3) -> bool {
        let cell = self.cell_of(at);
        let sides = [-1, 0, 1];
        sides.iter().any(|x| {
            sides.iter().any(|y| {
                sides.iter().any(|z| {
                    let beside = [cell[0] + x, cell[1] + y, cell[2] + z];
                    self.index(beside).is_some_and(|index| self.reached[index])
                })
            })
        })
    }

    /// How the two ends of a crossing lie.
    pub fn of(&self, crossing: &Crossing) -> Reachability {
        let [from, to] =
            [-self.cell, crossing.length + self.cell].map(|way| crossing.pose(way).position);
        match (self.has(from), self.has(to)) {
            (true, false) => Reachability::LeadsOut,
            (true, true) => Reachability::Reached,
            (false, _) => Reachability::Apart,
        }
    }
}
