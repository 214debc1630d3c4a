//! Every other object of a frame, and whether and why it is hit, nearest first.

use super::presence::Presence;
use super::{Ending, Explanation, Filter, Outcome, entry_of, swept};
use crate::core::broad_phase::{self, Verdict};
use crate::core::replay::{Frame, ObjectId, Replay};

/// Another object, relative to the selected one.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Which.
    pub object: ObjectId,
    /// Its name.
    pub name: String,
    /// Result for the pair.
    pub ending: Ending,
    /// The broad phase's verdict; `None` where it was not run.
    pub broad: Option<Verdict>,
    /// The filter that excludes the pair.
    pub filter: Filter,
    /// When they touch while rotating, fraction of the frame, where the sweep ignored rotation.
    pub turning: Option<f64>,
    /// Least known distance over the frame, metres: 0 for a hit, minus the depth for an overlap at the start, the closest approach
    /// of a miss, the gap at the nearer end, the distance of their boxes when culled. Infinite for absent objects.
    pub distance: f64,
}

/// Every other object of a frame, nearest first, then by ordinal; empty for an unknown object.
pub fn candidates_of(replay: &Replay, frame: &Frame, a: ObjectId) -> Vec<Candidate> {
    if replay.objects().get(a as usize).is_none() {
        return Vec::new();
    }
    let others = (0..replay.objects().len() as ObjectId).filter(|&b| b != a);
    let mut found: Vec<Candidate> = others.map(|b| candidate(replay, frame, a, b)).collect();
    found.sort_by(|one, other| one.distance.total_cmp(&other.distance));
    found
}

/// As [`super::explain`], without what only the whole explanation needs.
fn candidate(replay: &Replay, frame: &Frame, a: ObjectId, b: ObjectId) -> Candidate {
    let objects = replay.objects();
    let (one, other) = (&objects[a as usize], &objects[b as usize]);
    let mut explanation = Explanation::empty(replay, frame, a, b);
    explanation.filter = Filter::of(replay, frame, (a, b));
    let [absent_a, absent_b] = explanation
        .presence
        .map(|presence| presence != Presence::Travels);
    let mut distance = f64::INFINITY;
    let mut turning = None;
    explanation.ending = Ending::Absent(absent_a, absent_b);
    if !(absent_a || absent_b) {
        let verdict = broad_phase::judge(&entry_of(frame, a, one), &entry_of(frame, b, other));
        explanation.broad = Some(verdict);
        let segments = frame.straight_intervals(a, b);
        if let Verdict::Culled { by, .. } = verdict {
            distance = by;
        } else {
            explanation.intervals = segments
                .iter()
                .map(|segment| swept(replay, frame, (a, b), segment))
                .collect();
            explanation.add_phases(frame);
            let least = explanation
                .intervals
                .iter()
                .filter_map(|interval| interval.nearest);
            let least = least
                .map(|nearest| nearest.distance)
                .fold(f64::INFINITY, f64::min);
            distance = match explanation.swept() {
                Some(Outcome::Hits(_) | Outcome::Grazes { .. }) => 0.0,
                Some(Outcome::Overlapping { depth }) => -depth,
                Some(Outcome::Misses { by, .. }) => by,
                Some(Outcome::Later | Outcome::Receding) | None => least,
            };
            let touch = explanation
                .rotation_touch()
                .and_then(|followed| followed.touch);
            turning = touch.map(|impact| impact.fraction);
            if turning.is_some() {
                distance = distance.min(0.0);
            }
        }
        explanation.ending = explanation.end(verdict);
    }
    Candidate {
        object: b,
        name: other.name.clone(),
        ending: explanation.ending,
        broad: explanation.broad,
        filter: explanation.filter,
        turning,
        distance,
    }
}
