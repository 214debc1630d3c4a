//! When a signed gap that changes at a bounded rate is first below a value, and when it is above zero again.

use crate::core::query::outcome::Gap;
use crate::core::tolerance::{PARTING_SHARE, TURNING_LEAF};

/// A signed gap over a motion, by fractions of it.
pub(super) struct Search<G, C, O> {
    /// The gap at a fraction, or any below a value that is enough.
    pub gap_at: G,
    /// True when the gap is surely nowhere below minus a depth between two fractions; is given the gap in the middle.
    pub is_clear: C,
    /// For which fraction after a moment the gap surely stays negative.
    pub overlaps_for: O,
    /// Metres per motion by which the gap changes at most.
    pub rate: f64,
}

impl<G, C, O> Search<G, C, O>
where
    G: Fn(f64, f64) -> Option<Gap>,
    C: Fn([f64; 2], &Gap, f64) -> bool,
    O: Fn(f64, &Gap) -> f64,
{
    /// Fractions up to `end` just before and at the first moment found at which the gap is below `value`, which is not positive.
    ///
    /// Between two gaps the least one possible is their mean less half of what can change in between.
    pub fn first_below(&self, value: f64, end: f64) -> Option<[f64; 2]> {
        let distance = |at: f64| (self.gap_at)(at, value).map(|gap| gap.distance);
        let mut open = vec![(0.0, end, distance(0.0)?, distance(end)?)];
        while let Some((from, to, gap_from, gap_to)) = open.pop() {
            let span = to - from;
            let least = 0.5 * (gap_from + gap_to - self.rate * span);
            if least >= value || span <= TURNING_LEAF {
                if gap_to < value {
                    return Some([from, to]);
                }
                continue;
            }
            let middle = from.midpoint(to);
            let gap = (self.gap_at)(middle, value)?;
            if gap.distance < value {
                // Nothing later is asked for; what is earlier still is.
                open.clear();
            } else if (self.is_clear)([from, to], &gap, -value) {
                continue;
            } else {
                open.push((middle, to, gap.distance, gap_to));
            }
            open.push((from, middle, gap_from, gap.distance));
        }
        None
    }

    /// Fractions just outside and just inside of the first touch before `deep`.
    pub fn first_touch(&self, deep: f64) -> Option<(f64, f64)> {
        let [outside, inside] = self.first_below(0.0, deep)?;
        self.boundary(outside, inside)
    }

    /// When they part after `deep`, if they do. A parting that is shorter than a share of the overlap before it may be passed over.
    pub fn exit(&self, deep: f64) -> Option<f64> {
        let mut at = deep;
        loop {
            let gap = (self.gap_at)(at, 0.0)?;
            if gap.distance > 0.0 {
                return self.boundary(at, deep).map(|(outside, _)| outside);
            }
            if at >= 1.0 {
                return None;
            }
            let least = TURNING_LEAF.max(PARTING_SHARE * (at - deep));
            let stays = (-gap.distance / self.rate).max((self.overlaps_for)(at, &gap));
            at = (at + stays.max(least)).min(1.0);
        }
    }

    /// Narrows the stretch between a moment apart and one in overlap until nothing is between them (ITP, Oliveira and Takahashi 2020: a
    /// chord, kept near enough to the middle that it never takes much longer than halving).
    fn boundary(&self, mut outside: f64, mut inside: f64) -> Option<(f64, f64)> {
        let distance = |at: f64| (self.gap_at)(at, 0.0).map(|gap| gap.distance);
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
}
