//! Sweep of a rotating pair, where the exact sweep ignored rotation.

use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::judge::rotating_pair::rims;
use crate::core::query::turning::sweep_turning;
use crate::core::query::{Impact, Steps, Sweep, SweepOutcome};
use crate::core::replay::ObjectId;

/// A sweep with rotation over one interval, as diagnosis runs it.
#[derive(Clone, Debug, PartialEq)]
pub struct RotationSweep {
    /// The first touch before an overlap deeper than `slop`; its fraction is of the frame.
    pub touch: Option<Impact>,
    /// When they separate after it, fraction of the frame; `None` when they overlap until the interval ends.
    pub parts: Option<f64>,
    /// Overlaps up to this depth do not count, metres.
    pub slop: f64,
    /// Trace of the sweep; its fractions are of the interval.
    pub steps: Steps,
}

impl RotationSweep {
    /// Sweeps a pair with rotation. `None` where the exact sweep was enough, where the pair overlaps as the interval
    /// begins, and where there is no bound on the motion.
    pub(in crate::core::diagnose) fn of(
        pair: &Pair<'_>,
        first: ObjectId,
        sweep: &Sweep,
    ) -> Option<Self> {
        let can_follow = sweep.rotation_ignored && rims(pair).is_some();
        if matches!(sweep.outcome, SweepOutcome::Overlapping { .. }) || !can_follow {
            return None;
        }
        let slop = pair.slop;
        let (a, b) = (pair.mover.turning(), pair.obstacle.turning());
        let mut steps = Steps::default();
        let hit = sweep_turning(
            pair.mover.shape,
            &a,
            pair.obstacle.shape,
            &b,
            slop,
            &mut steps,
        );
        let in_frame = |share: f64| pair.from + share * (pair.to - pair.from);
        let touch = hit.map(|hit| {
            let contact = if pair.mover.id == first {
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
