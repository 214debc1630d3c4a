//! The least distance of two convex shapes that move straight.
//!
//! The distance is convex in time, so that the planes through the closest points at two times bound it from below between them.

use super::super::closed_form::axes;
use super::super::operand::Operand;
use super::super::outcome::ClosestApproach;
use super::separation::separation_within;
use crate::core::tolerance::APPROACH_SHARE;
use glam::DVec3;

/// The least distance of a, which moves by `displacement` relative to b, and when; 0 from where they touch. Distances that are surely
/// `limit` or more are not refined, and of those up to `enough` the first one found is the answer.
pub(crate) fn closest(
    a: &Operand<'_>,
    b: &Operand<'_>,
    displacement: DVec3,
    [enough, limit]: [f64; 2],
) -> ClosestApproach {
    // Farther away at a time they come no nearer than the limit at any.
    let far = limit + displacement.length();
    let at = |fraction: f64| {
        let a = a.moved(displacement * fraction);
        // Where flat shapes touch is found without their contact points.
        if axes::decide(&a, b) && axes::overlap(&a, b, 0.0, &mut ()).is_some() {
            return Tangent {
                fraction,
                distance: 0.0,
                slope: 0.0,
            };
        }
        let found = separation_within(&a, b, DVec3::ZERO, [enough, far], &mut ());
        Tangent {
            fraction,
            distance: found.distance,
            slope: found.normal.dot(displacement),
        }
    };
    let touching = |at: &Tangent| at.distance <= 0.0;
    let decides = |at: &Tangent| at.distance <= enough || at.distance > far;
    let mut left = at(0.0);
    if touching(&left) || left.slope >= 0.0 || decides(&left) {
        return left.approach();
    }
    let mut right = at(1.0);
    if right.slope <= 0.0 && !touching(&right) || decides(&right) {
        return right.approach();
    }
    let accuracy = APPROACH_SHARE * (left.distance + displacement.length());
    for _ in 0..MOST_TANGENTS {
        if touching(&right) {
            // Newton's method from the side that is apart, to the first touch.
            let next = left.fraction - left.distance / left.slope;
            let ended = left.distance <= accuracy || next <= left.fraction;
            if ended || next >= right.fraction {
                let touch = if ended { &left } else { &right };
                return ClosestApproach {
                    distance: 0.0,
                    fraction: touch.fraction,
                };
            }
            let middle = at(next);
            if decides(&middle) {
                return middle.approach();
            }
            if touching(&middle) {
                right = middle;
            } else if middle.slope < 0.0 {
                left = middle;
            } else {
                return middle.approach();
            }
            continue;
        }
        let best = nearer(&left, &right);
        // Where both tangents cross is the least the distance can be.
        let cross = (right.distance - left.distance + left.slope * left.fraction
            - right.slope * right.fraction)
            / (left.slope - right.slope);
        let lower = left.distance + left.slope * (cross - left.fraction);
        let inside = cross > left.fraction && cross < right.fraction;
        if best.distance - lower.max(0.0) <= accuracy || lower >= limit || !inside {
            return best.approach();
        }
        let middle = at(cross);
        if decides(&middle) {
            return middle.approach();
        }
        if touching(&middle) || middle.slope >= 0.0 {
            right = middle;
        } else {
            left = middle;
        }
    }
    nearer(&left, &right).approach()
}

fn nearer<'t>(left: &'t Tangent, right: &'t Tangent) -> &'t Tangent {
    if left.distance <= right.distance {
        left
    } else {
        right
    }
}

/// Tangents after which the least distance found so far is taken; they halve what is left of the motion at worst.
const MOST_TANGENTS: u32 = 200;

/// The distance at a time, and how it changes there over the motion.
#[derive(Clone, Copy)]
struct Tangent {
    fraction: f64,
    distance: f64,
    slope: f64,
}

impl Tangent {
    fn approach(&self) -> ClosestApproach {
        ClosestApproach {
            distance: self.distance.max(0.0),
            fraction: self.fraction,
        }
    }
}
