//! Every other object of a frame, and whether and why it is hit, nearest first.

use super::{Ending, Explanation, Filter, Outcome, Presence, entry_of, swept};
use crate::core::broad_phase::{self, Verdict};
use crate::core::number::{metres, number};
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

impl Candidate {
    /// The reason in a few words: "culled on y by 0.3 m", "masked", "misses by 0.02 m", "hits at 0.31".
    pub fn reason(&self) -> String {
        match (self.ending, self.broad) {
            (Ending::NoPair, _) => "is the same object".to_owned(),
            (Ending::Absent(..), _) => "absent in this frame".to_owned(),
            (Ending::Masked, _) => match self.filter.exemption {
                Some(exemption) => exemption.reason().to_owned(),
                None => "masked".to_owned(),
            },
            (Ending::LeftOut, Some(Verdict::Culled { axis, by })) => {
                format!(
                    "culled on {} by {}",
                    super::sentences::AXES[axis],
                    metres(by)
                )
            }
            (Ending::LeftOut, Some(Verdict::BothRest)) => "both at rest".to_owned(),
            (Ending::LeftOut, Some(Verdict::NotFinite)) => "not a number".to_owned(),
            (Ending::LeftOut, _) => "left out".to_owned(),
            (Ending::Swept(outcome), _) => match (outcome, self.turning) {
                (Outcome::Overlapping { depth }, _) => {
                    format!("overlaps by {}", metres(depth))
                }
                (_, Some(at)) => format!("hits at {} while rotating", number(at)),
                (Outcome::Receding, _) => format!("receding, {} away", metres(self.distance)),
                (Outcome::Later, _) => format!("later, {} to go", metres(self.distance)),
                (Outcome::Misses { by, .. }, _) => format!("misses by {}", metres(by)),
                (Outcome::Grazes { fraction }, _) => format!("grazes at {}", number(fraction)),
                (Outcome::Hits(impact), _) => format!("hits at {}", number(impact.fraction)),
            },
        }
    }
}
