//! The gap of the selected pair in the other replay of a comparison, over the frame of the open level.

use crate::core::replay::{Frame, ObjectId, Replay};
use crate::view::pair_view::PairView;

/// The gap of a pair in the other replay.
pub struct OtherGap {
    /// What it is of.
    pub of: GapKey,
    /// Fractions of the frame of the open level, with the gap in the other replay, metres; empty where the two have no distance.
    pub samples: Vec<[f64; 2]>,
}

/// What the gap of a pair in the other replay depends on.
#[derive(Clone, Copy, PartialEq)]
pub struct GapKey {
    /// In the other replay.
    pub pair: [ObjectId; 2],
    /// The frame of the open level.
    pub frame: u32,
    /// The ends of that frame, in frames of the other replay.
    pub ends: [f64; 2],
    /// The shown frame of the other replay.
    pub shown: u32,
}

impl OtherGap {
    /// Over the shown frame of the other replay; `None` while it is being swept.
    pub fn of(key: GapKey, other: &Replay, shown: &Frame) -> Option<Self> {
        if !shown.is_swept() {
            return None;
        }
        let ([a, b], [from, to]) = (key.pair, key.ends);
        let view = PairView::of(other, shown, a, b);
        let samples = view.curve.samples.iter().map(|[at, gap]| {
            let position = f64::from(shown.number) + at;
            [(position - from) / (to - from), *gap]
        });
        let samples = samples.filter(|[at, _]| (0.0..=1.0).contains(at));
        Some(Self {
            of: key,
            samples: samples.collect(),
        })
    }
}
