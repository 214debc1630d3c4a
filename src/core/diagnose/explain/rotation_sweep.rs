//! What a pair does as it turns, where the sweep held its rotations.

use super::super::pair::Pair;
use super::super::rotating_pair::{can_follow, turnings};
use crate::core::query::turning::sweep_turning;
use crate::core::query::{Impact, Steps, Sweep, SweepOutcome};
use crate::core::replay::ObjectId;

/// A stretch followed as it turns, as the diagnosis follows it.
#[derive(Clone, Debug, PartialEq)]
pub struct RotationSweep {
    /// The first touch on the way to an overlap deeper than `slop`, of the first on the second; its fraction is a share of the
    /// frame.
    pub touch: Option<Impact>,
    /// When they part after it, share of the frame; `None` when they overlap until the stretch ends.
    pub parts: Option<f64>,
    /// Metres: overlaps up to this count as none.
    pub slop: f64,
    /// How it was found; fractions in here are shares of the stretch.
    pub steps: Steps,
}

impl RotationSweep {
    /// Follows a pair of which `first` is the first. `None` where the sweep saw all there is, where they overlap as the stretch
    /// begins, and where nothing can be followed.
    pub(super) fn of(pair: &Pair<'_>, first: ObjectId, sweep: &Sweep) -> Option<Self> {
        if matches!(sweep.outcome, SweepOutcome::Overlapping { .. }) || !can_follow(pair, sweep) {
            return None;
        }
        let slop = pair.slop();
        let (a, b) = turnings(pair);
        let mut steps = Steps::default();
        let hit = sweep_turning(pair.shape_a, &a, pair.shape_b, &b, slop, &mut steps);
        let in_frame = |share: f64| pair.from + share * (pair.to - pair.from);
        let touch = hit.map(|hit| {
            let contact = if pair.a == first {
                hit.contact
            } else {
                hit.contact.swapped()
            };
            Impact {
                fraction: in_frame(hit.fraction),
                point: contact.point,
                normal: contact.normal,
                feature_a: contact.feature_a,
                feature_b: contact.feature_b,
                triangle: contact.triangle,
            }
        });
        let parts = hit.and_then(|hit| hit.exit).map(in_frame);
        Some(Self {
            touch,
            parts,
            slop,
            steps,
        })
    }
}
