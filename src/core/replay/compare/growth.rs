//! Distance of one object in two replays over all frames.

use super::super::Replay;
use super::align::{Matching, Sample, beside};
use super::difference::{PoseDifference, apart};
use super::matching::Subject;
use crate::core::progress::Progress;

/// Limit of points of a curve; each covers several frames where there are more, by the largest value.
const MOST_POINTS: u32 = 4096;

/// Distance of an object in two replays at a frame's start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrowthPoint {
    /// Of the first replay.
    pub frame: u32,
    /// `None` when one side does not have the object then.
    pub apart: Option<PoseDifference>,
}

/// The distance of one object over the frames that both replays have; `None` when cancelled.
pub fn growth(
    a: &Replay,
    b: &Replay,
    matching: Matching,
    subject: Subject,
    progress: &(impl Progress + ?Sized),
) -> Option<Vec<GrowthPoint>> {
    let states = a.frames().saturating_add(1);
    let interval = states.div_ceil(MOST_POINTS).max(1);
    let mut points: Vec<GrowthPoint> = Vec::new();
    for frame in 0..states {
        if progress.cancelled() {
            return None;
        }
        progress.report(u64::from(frame), u64::from(states));
        let Some(at) = beside(a, b, matching, (frame, 0.0)) else {
            // The second has not begun, or has ended.
            match points.is_empty() {
                true => continue,
                false => break,
            }
        };
        let (left, right) = (Sample::of(a, (frame, 0.0)), Sample::of(b, at));
        let poses = match subject {
            Subject::Camera => (left.camera(a, frame), right.camera(b, at.0)),
            _ => (
                subject.a().and_then(|id| left.pose(id)),
                subject.b().and_then(|id| right.pose(id)),
            ),
        };
        let apart = poses.0.zip(poses.1).map(|(one, other)| apart(&one, &other));
        let point = GrowthPoint { frame, apart };
        match points.last_mut() {
            Some(last) if frame % interval != 0 => {
                if size(&point) > size(last) {
                    *last = point;
                }
            }
            _ => points.push(point),
        }
    }
    Some(points)
}

/// A point covers an interval by its largest distance; NaN counts as larger than any.
fn size(point: &GrowthPoint) -> (f64, f64) {
    let part = |part: Option<f64>| part.unwrap_or(f64::INFINITY);
    point.apart.map_or((-1.0, -1.0), |apart| {
        (part(apart.position), part(apart.rotation))
    })
}
