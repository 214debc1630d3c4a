//! Where a straight motion brings two convex shapes together: the line of the motion against their Minkowski difference.
//!
//! Moved by `fraction * displacement`, the first touches the second when the point `-fraction * displacement` lies in the difference. Seen along
//! the motion, three support points around the line prove that it passes through; else a plane along the motion separates. One of the
//! three is then replaced by a support point beyond their plane, until there is none (portal refinement, Snethen 2008): a finite search for
//! sharp shapes. At a round part, Newton's method takes over on the vertices and rims that the three points lie on.
//!
//! What it answers is proven: a time is late enough by a point of the difference, and early enough by a plane that supports it.

use super::super::operand::Operand;
use super::line::{AGREES, Corner, Line};
use super::round::{self, LESS_NEARLY, NEARLY_ROUND, Rims};
use glam::{DVec2, DVec3};
use smallvec::SmallVec;

/// What is known of a motion.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// They stay apart by more than the bound.
    Misses,
    Touches(Arrival),
    /// Touching or overlapping at the start, or too near to tell.
    Unclear,
}

/// A touch, within the bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub fraction: f64,
    /// Unit, from b toward a.
    pub normal: DVec3,
    /// True when they surely overlap later, by more than the bound.
    pub deep: bool,
}

impl Arrival {
    pub fn new(fraction: f64, normal: DVec3) -> Self {
        Self {
            fraction,
            normal,
            deep: false,
        }
    }
}

/// Support points around the line up to which it is followed, and beyond which rounding leads in circles.
const MOST_AROUND: u32 = 12;
const MOST_BEYOND: u32 = 40;
/// The first touch of two shapes apart at the start; `displacement` is that of a relative to b. Touches later than a fraction may be missed.
pub(crate) fn of(
    a: &Operand<'_>,
    b: &Operand<'_>,
    (displacement, until): (DVec3, f64),
    bound: f64,
) -> Entry {
    let Some(line) = Line::new(a, b, (displacement, until), bound) else {
        return Entry::Unclear;
    };
    let center = a.center() - b.center();
    let first = line.farthest(-center);
    if line.stays_outside(-center, first.at) {
        return Entry::Misses;
    }
    match line.around(first) {
        Ok(corners) => line.enter(corners, center),
        Err(entry) => entry,
    }
}

impl Line<'_> {
    /// Three support points that surround the line, counter-clockwise as seen against the motion; else what is known without.
    fn around(&self, first: Corner) -> Result<[Corner; 3], Entry> {
        let lifted = |direction: DVec2| self.across[0] * direction.x + self.across[1] * direction.y;
        let mut direction = if first.seen == DVec2::ZERO {
            DVec2::X
        } else {
            -first.seen
        };
        let mut corners: SmallVec<[Corner; 2]> = SmallVec::from_slice(&[first]);
        for _ in 0..MOST_AROUND {
            let next = self.farthest(lifted(direction));
            let beyond = next.seen.dot(direction);
            let limit = self.bound * direction.length();
            if beyond < -limit {
                return Err(Entry::Misses);
            }
            if beyond <= limit {
                return Err(Entry::Unclear);
            }
            // The line is on the new corner's side of the edge between the other two, which are counter-clockwise with it.
            let outside = |from: &Corner, to: &Corner| from.seen.perp_dot(to.seen) < 0.0;
            match corners[..] {
                [_, other] if outside(&other, &next) => corners[0] = next,
                [one, _] if outside(&next, &one) => corners[1] = next,
                [one, other] => return Ok([one, other, next]),
                _ => corners.push(next),
            }
            // Counter-clockwise with the line on their left.
            if outside(&corners[0], &corners[1]) {
                corners.swap(0, 1);
            }
            direction = (corners[1].seen - corners[0].seen).perp();
        }
        Err(Entry::Unclear)
    }

    fn enter(&self, mut corners: [Corner; 3], center: DVec3) -> Entry {
        let rims = [self.a, self.b].map(Rims::of);
        let is_round = self.radii > 0.0 || rims.iter().any(Option::is_some);
        let mut nearly = NEARLY_ROUND;
        for _ in 0..MOST_BEYOND {
            let [p, q, r] = corners.map(|corner| corner.at);
            let outward = (q - p).cross(r - p);
            let (length, approach) = (outward.length(), outward.dot(self.displacement));
            let fraction = -outward.dot(p) / approach;
            if approach <= 0.0 || !fraction.is_finite() {
                return Entry::Unclear;
            }
            if fraction <= 0.0 {
                return self.leave(corners);
            }
            let next = self.farthest(outward);
            if self.stays_outside(outward, next.at) {
                return Entry::Misses;
            }
            let beyond = outward.dot(next.at - p);
            let found = if beyond <= self.bound * length {
                Some((fraction, outward / length))
            } else if is_round && beyond * beyond <= nearly * nearly * length * length * length {
                nearly *= LESS_NEARLY;
                round::entry(self, &rims, &corners, outward / length)
            } else {
                None
            };
            if let Some((fraction, outward)) = found {
                let start = fraction * outward.dot(self.displacement);
                if start <= AGREES * self.bound {
                    return Entry::Unclear;
                }
                return Entry::Touches(Arrival {
                    fraction,
                    normal: -outward,
                    deep: self.goes_deep(&corners, center),
                });
            }
            if !replace(&mut corners, next) {
                return Entry::Unclear;
            }
        }
        Entry::Unclear
    }

    /// The end of the difference that the line leaves last, for a start beyond its other end.
    fn leave(&self, mut corners: [Corner; 3]) -> Entry {
        for _ in 0..MOST_BEYOND {
            let [p, q, r] = corners.map(|corner| corner.at);
            let outward = (r - p).cross(q - p);
            // A point of the difference still ahead: the start is inside.
            if outward.dot(p) >= 0.0 {
                break;
            }
            let next = self.farthest(outward);
            if self.stays_outside(outward, next.at) {
                return Entry::Misses;
            }
            let ended = outward.dot(next.at - p) <= self.bound * outward.length();
            if ended || !replace(&mut corners, next) {
                break;
            }
        }
        Entry::Unclear
    }

    /// True when behind three corners, in the tetrahedron of them and the difference of the centres, the motion comes deeper than the bound.
    fn goes_deep(&self, corners: &[Corner; 3], center: DVec3) -> bool {
        let [p, q, r] = corners.map(|corner| corner.at - center);
        let outward = (q - p).cross(r - p);
        let volume = outward.dot(p);
        let approach = outward.dot(self.along);
        let reach = self.displacement.length() + outward.dot(p + center) / approach;
        // Along the motion the weight of each corner changes at a rate.
        let sides = [q.cross(r), r.cross(p), p.cross(q)];
        let weights = self.weights(corners);
        let mut step = reach.min(0.5 * volume / approach);
        for (side, weight) in sides.iter().zip(weights) {
            let loss = side.dot(self.along) / volume;
            if loss > 0.0 {
                step = step.min(0.5 * weight / loss);
            }
        }
        let depths = sides
            .iter()
            .zip(weights)
            .map(|(side, weight)| 0.5 * weight * volume / side.length());
        let least = depths.fold(step * approach / outward.length(), f64::min);
        volume > 0.0 && least > AGREES * self.bound
    }
}

/// Replaces one of three corners around the line, which passes through one of the triangles of a new corner and two of them; false where rounding
/// leaves none.
fn replace(corners: &mut [Corner; 3], new: Corner) -> bool {
    let sides = corners.map(|corner| new.seen.perp_dot(corner.seen));
    let edge = (0..3).find(|&k| sides[k] >= 0.0 && sides[(k + 1) % 3] <= 0.0);
    if let Some(edge) = edge {
        corners[(edge + 2) % 3] = new;
    }
    edge.is_some()
}
