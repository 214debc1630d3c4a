//! The gap of the selected pair in the other replay of a comparison, over the frame of the open level.

use super::compare::Compare;
use crate::app::view_state::Playhead;
use crate::core::replay::compare::Subject;
use crate::core::replay::{ObjectId, Replay};
use crate::view::pair_view::PairView;

/// The gap of a pair in the other replay.
pub struct OtherGap {
    of: GapKey,
    /// Fractions of the frame of the open level, with the gap in the other replay, metres; empty where the two have no distance.
    pub samples: Vec<[f64; 2]>,
}

#[derive(Clone, Copy, PartialEq)]
struct GapKey {
    /// In the other replay.
    pair: [ObjectId; 2],
    /// The frame of the open level.
    frame: u32,
    /// The shown frame of the other replay.
    shown: u32,
    /// The ends of the frame of the open level, in frames of the other replay.
    ends: [f64; 2],
}

impl Compare {
    /// The gap of the selected pair in the other replay, in this frame of the open level.
    pub fn other_gap(&self, frame: u32) -> Option<&OtherGap> {
        self.gap.as_ref().filter(|gap| gap.of.frame == frame)
    }

    /// Computes the gap of a pair of the open level in the shown frame of the other replay, unless it is known.
    pub(super) fn update_gap(
        &mut self,
        pair: Option<(ObjectId, ObjectId)>,
        replay: &Replay,
        playhead: Playhead,
    ) {
        let key = pair.and_then(|pair| self.gap_key(pair, replay, playhead));
        if key != self.gap.as_ref().map(|gap| gap.of) {
            self.gap = key.and_then(|key| self.gap_of(key, replay, playhead));
        }
    }

    /// `None` where the other replay has ended, or lacks one of the two.
    fn gap_key(
        &self,
        (a, b): (ObjectId, ObjectId),
        replay: &Replay,
        playhead: Playhead,
    ) -> Option<GapKey> {
        let frame = playhead.frame;
        let end = |fraction: f64| {
            let (frame, fraction) = self.position(replay, Playhead { frame, fraction })?;
            Some(f64::from(frame) + fraction)
        };
        let subjects = &self.other()?.subjects;
        let of = |id: ObjectId| {
            let subject = subjects.iter().find(|it| it.a() == Some(id));
            subject.copied().and_then(Subject::b)
        };
        Some(GapKey {
            pair: [of(a)?, of(b)?],
            frame,
            shown: self.frame_at(replay, playhead)?.0.number,
            ends: [end(0.0)?, end(1.0)?],
        })
    }

    /// `None` while the frame is being swept.
    fn gap_of(&self, key: GapKey, replay: &Replay, playhead: Playhead) -> Option<OtherGap> {
        let (other, (shown, _)) = (self.other()?, self.frame_at(replay, playhead)?);
        if !shown.is_swept() {
            return None;
        }
        let [a, b] = key.pair;
        let [from, to] = key.ends;
        let view = PairView::of(&other.replay, shown, a, b);
        let samples = view.curve.samples.iter().map(|[at, gap]| {
            let position = f64::from(shown.number) + at;
            [(position - from) / (to - from), *gap]
        });
        let samples = samples.filter(|[at, _]| (0.0..=1.0).contains(at)).collect();
        Some(OtherGap { of: key, samples })
    }
}
