//! A swept sphere against a triangle that collides on its front only: what of the two-sided answer happens in front.

use super::{Convex, Doubt, Path};
use crate::core::query::exact::{Front, Verdict};
use crate::core::query::nearest::nearest_on_triangle;
use crate::core::query::{Feature, SweepOutcome, Trace};
use crate::core::shape::Triangle;
use glam::DVec3;

/// The centre over a triangle's plane, metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heights {
    /// At the start.
    pub height: f64,
    /// Over the frame.
    pub rate: f64,
}

impl Heights {
    pub fn of(path: &Path, triangle: &Triangle, normal: DVec3) -> Self {
        Self {
            height: (path.start - triangle.a).dot(normal),
            rate: path.step.dot(normal),
        }
    }

    /// Is the centre behind all the time, by more than rounding?
    pub fn stays_behind(&self, doubt: &Doubt<'_>) -> bool {
        self.height < -doubt.noise && self.height + self.rate < -doubt.noise
    }
}

/// Keeps of the two-sided `outcome` what happens while the centre is in front of the plane or in it.
///
/// A sphere that starts behind and meets nothing in front is `Receding`; one that falls behind before it meets anything
/// `Misses` by what is between them at that moment.
pub(super) fn in_front(
    outcome: SweepOutcome,
    path: &Path,
    radius: f64,
    triangle: &Triangle,
    plane: Heights,
    doubt: &Doubt<'_>,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let front = quick_front(&outcome, path, radius, triangle, plane, doubt);
    let front = front.unwrap_or_else(|| {
        trace.step("DecidedExactly", &[("noise", doubt.noise)]);
        (doubt.exact)().front(&verdict_of(&outcome))
    });
    match front {
        Front::Holds => outcome,
        Front::Behind => {
            trace.step("BehindOneSided", &[("distance", plane.height)]);
            SweepOutcome::Receding
        }
        Front::Falls(fraction) => {
            let by = nearest_on_triangle(path.at(fraction), triangle).distance - radius;
            let by = by.max(f64::MIN_POSITIVE);
            trace.step("FallsBehindOneSided", &[("fraction", fraction), ("by", by)]);
            SweepOutcome::Misses { by, fraction }
        }
    }
}

fn verdict_of(outcome: &SweepOutcome) -> Verdict {
    match *outcome {
        SweepOutcome::Overlapping { .. } => Verdict::Overlapping,
        SweepOutcome::Receding => Verdict::Receding,
        SweepOutcome::Later => Verdict::Later,
        SweepOutcome::Misses { by, .. } => Verdict::Misses(by),
        SweepOutcome::Grazes { .. } => Verdict::Grazes,
        SweepOutcome::Hits(impact) => Verdict::Hits(impact.fraction),
    }
}

/// As [`ExactSweep::front`](crate::core::query::exact::ExactSweep::front), in the same cases; `None` where rounding could decide.
fn quick_front(
    outcome: &SweepOutcome,
    path: &Path,
    radius: f64,
    triangle: &Triangle,
    Heights { height, rate }: Heights,
    doubt: &Doubt<'_>,
) -> Option<Front> {
    let behind = |height: f64| (height.abs() > doubt.noise).then_some(height < 0.0);
    let starts_behind = behind(height)?;
    let stays = match outcome {
        SweepOutcome::Overlapping { .. } | SweepOutcome::Receding => true,
        // Onto the face from in front: the centre is in front by the radius then.
        SweepOutcome::Hits(impact) => {
            matches!(impact.feature_b, Feature::Face(_)) && !starts_behind && radius > doubt.noise
        }
        _ => false,
    };
    if stays && !starts_behind {
        return Some(Front::Holds);
    }
    let ends_behind = behind(height + rate)?;
    match (starts_behind, ends_behind) {
        (true, true) => return Some(Front::Behind),
        (false, false) => return Some(Front::Holds),
        (true, false) if stays => return Some(Front::Behind),
        _ => {}
    }
    // Where it crosses the plane, how far that may be off, and whether it has come nearest by then.
    let fraction = height / -rate;
    let crossing = triangle.nearest(path.at(fraction));
    let off = doubt.noise * (1.0 + path.step.length() / rate.abs());
    let gap = crossing.distance - radius;
    let before = match outcome {
        SweepOutcome::Hits(_) if gap < -off => true,
        SweepOutcome::Hits(_) if gap <= off => return None,
        SweepOutcome::Later => false,
        _ => {
            let turning = crossing.normal.dot(path.step);
            let turn = off / crossing.distance.max(off) * path.step.length();
            if turning.abs() <= 2.0 * turn + doubt.noise {
                return None;
            }
            turning >= 0.0
        }
    };
    Some(match (starts_behind, before) {
        (true, true) => Front::Behind,
        (true, false) | (false, true) => Front::Holds,
        (false, false) => Front::Falls(fraction.clamp(0.0, 1.0)),
    })
}
