//! The greatest depth of a pair over an interval.
//!
//! The depth of two convex shapes in straight relative motion is a concave function of time with one maximum; the depth of a mesh
//! is the greatest of its triangles. Evenly spread samples find the interval with the maximum, ternary search narrows it down.

use super::pair::Pair;
use crate::core::query;

/// How often the stretch around the deepest of those moments is cut to two thirds (a count).
///
/// 40 times leave less than a ten-millionth of it, over which a depth changes by less than the slop it is held against.
const DEPTH_THIRDS: u32 = 40;

/// Moments at which the depth of a cut corner is looked at first (a count).
///
/// One is enough between two convex shapes; a mesh shows a triangle at a time. Fewer, and a deep cut between two shallow ones of a mesh
/// is not reported; more only costs time.
const DEPTH_SAMPLES: u32 = 16;

/// Whether the overlap is deeper than `slop` metres between two fractions of the interval.
pub(super) fn exceeds(pair: &Pair<'_>, (from, to): (f64, f64), slop: f64) -> bool {
    let width = (to - from) / f64::from(DEPTH_SAMPLES);
    let mut deepest = (0.0, from);
    for sample in 0..DEPTH_SAMPLES {
        let share = from + width * (f64::from(sample) + 0.5);
        let depth = at(pair, share);
        if depth > slop {
            return true;
        }
        if depth > deepest.0 {
            deepest = (depth, share);
        }
    }
    let (mut low, mut high) = ((deepest.1 - width).max(from), (deepest.1 + width).min(to));
    for _ in 0..DEPTH_THIRDS {
        let third = (high - low) / 3.0;
        let (left, right) = (at(pair, low + third), at(pair, high - third));
        if left.max(right) > slop {
            return true;
        }
        if left < right {
            low += third;
        } else {
            high -= third;
        }
    }
    false
}

/// Depth of the overlap at a fraction of the interval, rotations included, metres; 0 where there is none.
fn at(pair: &Pair<'_>, share: f64) -> f64 {
    let (a, b) = pair.turnings();
    let a = pair.shape_a.placed(&a.pose(share));
    let b = pair.shape_b.placed(&b.pose(share));
    query::contact(&a, &b, &mut ()).map_or(0.0, |contact| contact.depth)
}
