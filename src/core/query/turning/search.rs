//! When a signed gap that changes at a bounded rate is first below a value, and when it is above zero again.

use crate::core::query::outcome::Gap;
use crate::core::tolerance::{PARTING_SHARE, TURNING_LEAF};
use std::rc::Rc;

/// Which parts of two shapes are asked about.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Near {
    /// All; they are not told apart.
    All,
    /// Pairs of parts of the first shape and of the second.
    Pairs(Rc<[[u32; 2]]>),
}

impl Near {
    pub fn is_none(&self) -> bool {
        match self {
            Self::All => false,
            Self::Pairs(pairs) => pairs.is_empty(),
        }
    }
}

/// A stretch of the motion, seen from its middle.
pub(super) struct Look {
    /// The gap in the middle, or any below a value that is enough.
    pub distance: f64,
    /// Of the parts asked about, those whose gap may be below that value within the stretch.
    pub near: Near,
}

/// The signed gap of two shapes over a motion, by fractions of it.
pub(super) trait Gaps {
    /// Metres per motion by which the gap changes at most.
    fn rate(&self) -> f64;

    /// The gap of some parts at a fraction, or any below a value that is enough.
    fn gap(&self, at: f64, enough: f64, near: &Near) -> Option<Gap>;

    /// The parts that overlap at a fraction.
    fn overlapping(&self, at: f64) -> Near;

    /// The stretch between two fractions, for a value that is not positive.
    fn look(&self, span: [f64; 2], value: f64, near: &Near) -> Option<Look>;

    /// For which fraction after a moment the gap surely stays negative.
    fn overlaps_for(&self, at: f64, gap: &Gap) -> f64;
}

/// Fractions up to `end` just before and at the first moment found at which the gap is below `value`, which is not positive, and the parts
/// by which it can be.
///
/// Between two gaps the least one possible is their mean less half of what can change in between. What is clear of the other shape over
/// a stretch is so over each half of it, and is not asked about again there.
pub(super) fn first_below(gaps: &impl Gaps, value: f64, end: f64) -> Option<([f64; 2], Near)> {
    let distance = |at: f64| Some(gaps.gap(at, value, &Near::All)?.distance);
    let mut open = vec![(0.0, end, distance(0.0)?, distance(end)?, Near::All)];
    while let Some((from, to, gap_from, gap_to, near)) = open.pop() {
        let span = to - from;
        let least = 0.5 * (gap_from + gap_to - gaps.rate() * span);
        if least >= value || span <= TURNING_LEAF {
            if gap_to < value {
                return Some(([from, to], near));
            }
            continue;
        }
        let middle = from.midpoint(to);
        let Look { distance, near } = gaps.look([from, to], value, &near)?;
        if distance < value {
            // Nothing later is asked for; what is earlier still is.
            open.clear();
        } else if near.is_none() {
            continue;
        } else {
            open.push((middle, to, distance, gap_to, near.clone()));
        }
        open.push((from, middle, gap_from, distance, near));
    }
    None
}

/// Fractions just outside and just inside of the first touch before `deep`.
pub(super) fn first_touch(gaps: &impl Gaps, deep: f64) -> Option<(f64, f64)> {
    let ([outside, inside], near) = first_below(gaps, 0.0, deep)?;
    boundary(gaps, outside, inside, &near)
}

/// When they part after `deep`, if they do. A parting that is shorter than a share of the overlap before it may be passed over.
pub(super) fn exit(gaps: &impl Gaps, deep: f64) -> Option<f64> {
    let mut at = deep;
    // What overlaps now mostly still does a little later.
    let mut near = gaps.overlapping(at);
    loop {
        let known = gaps.gap(at, 0.0, &near).filter(|gap| gap.distance <= 0.0);
        let gap = match known {
            Some(gap) => gap,
            None => {
                near = gaps.overlapping(at);
                gaps.gap(at, 0.0, &Near::All)?
            }
        };
        if gap.distance > 0.0 {
            return boundary(gaps, at, deep, &Near::All).map(|(outside, _)| outside);
        }
        if at >= 1.0 {
            return None;
        }
        let least = TURNING_LEAF.max(PARTING_SHARE * (at - deep));
        let stays = (-gap.distance / gaps.rate()).max(gaps.overlaps_for(at, &gap));
        at = (at + stays.max(least)).min(1.0);
    }
}

/// Narrows the stretch between a moment apart and one in overlap until nothing is between them (ITP, Oliveira and Takahashi 2020: a
/// chord, kept near enough to the middle that it never takes much longer than halving).
fn boundary(
    gaps: &impl Gaps,
    mut outside: f64,
    mut inside: f64,
    near: &Near,
) -> Option<(f64, f64)> {
    let distance = |at: f64| Some(gaps.gap(at, 0.0, near)?.distance);
    let (mut gap_outside, mut gap_inside) = (distance(outside)?, distance(inside)?);
    let width = (inside - outside).abs();
    let mut halved = 2.0 * width;
    loop {
        let (stretch, middle) = (inside - outside, outside.midpoint(inside));
        if stretch.abs() <= f64::EPSILON {
            return Some((outside, inside));
        }
        let chord = outside + stretch * gap_outside / (gap_outside - gap_inside);
        let inward = if middle < chord { -1.0 } else { 1.0 };
        let nudge = (0.2 * stretch * stretch / width).max(0.25 * f64::EPSILON);
        let moved = chord + inward * nudge.min((middle - chord).abs());
        // After as many halvings the stretch would be this long.
        let allowed = halved - 0.5 * stretch.abs();
        let near = moved.clamp(middle - allowed.max(0.0), middle + allowed.max(0.0));
        let between = near > outside.min(inside) && near < outside.max(inside);
        let at = if between { near } else { middle };
        let gap = distance(at)?;
        if gap > 0.0 {
            (outside, gap_outside) = (at, gap);
        } else {
            (inside, gap_inside) = (at, gap);
        }
        halved *= 0.5;
    }
}
