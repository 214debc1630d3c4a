//! Why the broad phase keeps or culls a pair, with its numbers.

use super::Entry;
use glam::DVec3;

/// What the broad phase says of one pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The boxes overlap or touch.
    Kept {
        /// Metres by which they overlap on x, y and z, each >= 0.
        overlap: DVec3,
    },
    /// Kept, as one of the two has no bounds.
    Unbounded,
    /// The boxes are apart.
    Culled {
        /// The axis on which they are farthest apart: 0, 1, 2 for x, y, z; the first of equals.
        axis: usize,
        /// Metres between them on that axis, > 0.
        by: f64,
    },
    /// Neither moves.
    BothRest,
    /// A number of one of them is not finite; it meets nothing.
    NotFinite,
}

impl Verdict {
    /// Is the pair worth a query?
    pub fn is_kept(&self) -> bool {
        matches!(self, Self::Kept { .. } | Self::Unbounded)
    }
}

/// Judges one pair by the rule of [`super::candidate_pairs`]; [`super::brute_force`] is this, asked of every pair.
pub fn judge(a: &Entry, b: &Entry) -> Verdict {
    if !(a.can_meet() && b.can_meet()) {
        return Verdict::NotFinite;
    }
    if !(a.moves || b.moves) {
        return Verdict::BothRest;
    }
    let (Some(a), Some(b)) = (a.bounds, b.bounds) else {
        return Verdict::Unbounded;
    };
    if a.overlaps(&b) {
        let overlap = a.max.min(b.max) - a.min.max(b.min);
        return Verdict::Kept { overlap };
    }
    let apart = a.min.max(b.min) - a.max.min(b.max);
    let axis = (1..3).fold(0, |best, axis| {
        if apart[axis] > apart[best] {
            axis
        } else {
            best
        }
    });
    let by = apart[axis];
    Verdict::Culled { axis, by }
}

#[cfg(test)]
mod tests {
    use super::super::super::shape::Aabb;
    use super::*;

    fn entry(min: DVec3, size: f64, moves: bool) -> Entry {
        Entry {
            bounds: Some(Aabb {
                min,
                max: min + DVec3::splat(size),
            }),
            moves,
        }
    }

    #[test]
    fn each_verdict_has_its_numbers() {
        let unit = entry(DVec3::ZERO, 1.0, true);
        let still = entry(DVec3::ZERO, 1.0, false);
        let beside = entry(DVec3::new(0.5, 1.25, 1.125), 1.0, false);
        let plane = Entry {
            bounds: None,
            moves: false,
        };
        assert_eq!(judge(&unit, &beside), Verdict::Culled { axis: 1, by: 0.25 });
        let touching = entry(DVec3::new(0.5, 0.75, 1.0), 1.0, false);
        let overlap = DVec3::new(0.5, 0.25, 0.0);
        assert_eq!(judge(&unit, &touching), Verdict::Kept { overlap });
        assert_eq!(judge(&still, &touching), Verdict::BothRest);
        assert_eq!(judge(&unit, &plane), Verdict::Unbounded);
        assert_eq!(judge(&still, &plane), Verdict::BothRest);
        let lost = entry(DVec3::NAN, 1.0, true);
        assert_eq!(judge(&unit, &lost), Verdict::NotFinite);
        assert_eq!(judge(&plane, &lost), Verdict::NotFinite);
    }
}
