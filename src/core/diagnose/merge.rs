//! One continuing event over many frames is one finding.
//!
//! A crossing is over with its frame, and the next is another event. What lasts is merged: an overlap past the middle, a phantom and
//! a camera in a surface while the frames follow each other, a bad number for good (only its first frame and field matter), an initial overlap until the
//! pair is clear for the first time.

use super::finding::{Cause, Finding, Kind};
use super::frame::Context;
use super::starts_inside;
use crate::core::replay::{Frame, ObjectId};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// Kind, the pair in ascending order, and the name of what is no object (the camera, a query).
type Key = (Kind, [Option<ObjectId>; 2], Option<String>);

/// Both orders of a pair are one event: each of two coincident bodies is pushed away from the other.
fn key(kind: Kind, finding: &Finding) -> Key {
    let mut pair = [finding.object_a, finding.object_b];
    pair.sort_unstable();
    let other = finding.object_a.is_none().then(|| finding.a.clone());
    (kind, pair, other)
}

/// Takes in the findings of frames in their order.
#[derive(Default)]
pub(super) struct Merger {
    findings: Vec<Finding>,
    /// Looked up only, never walked.
    latest: HashMap<Key, usize>,
    /// Initial overlaps that were not clear yet, by place in `findings`.
    open: Vec<usize>,
}

impl Merger {
    /// Takes one finding; frames must not go back.
    pub(super) fn add(&mut self, finding: Finding) {
        let key = key(finding.kind, &finding);
        if let Some(known) = self.latest.get(&key).map(|at| &mut self.findings[*at])
            && continues(known, &finding)
        {
            known.last_frame = known.last_frame.max(finding.frame);
            return;
        }
        if self.said_by_start(&finding) {
            return;
        }
        if finding.kind == Kind::StartsInside {
            self.open.push(self.findings.len());
        }
        self.latest.insert(key, self.findings.len());
        self.findings.push(finding);
    }

    /// A pair without a direction that was reported as starting inside each other: once is enough.
    fn said_by_start(&self, finding: &Finding) -> bool {
        let start = key(Kind::StartsInside, finding);
        finding.kind == Kind::BadNumber
            && finding.object_b.is_some()
            && self
                .latest
                .get(&start)
                .map(|at| &self.findings[*at])
                .is_some_and(|start| {
                    start.also.contains(&Cause::NOT_A_NUMBER)
                        && finding.frame <= start.last_frame + 1
                })
    }

    /// Follows the open initial overlaps through the ends of these frames.
    pub(super) fn follow(&mut self, context: &Context<'_>, frames: &[Arc<Frame>]) {
        let lasts: Vec<(u32, bool)> = self
            .open
            .par_iter()
            .map(|at| follow_one(context, &self.findings[*at], frames))
            .collect();
        let mut still_open = Vec::new();
        for (at, (last, lasting)) in self.open.drain(..).zip(lasts) {
            self.findings[at].last_frame = last;
            if lasting {
                still_open.push(at);
            }
        }
        self.open = still_open;
    }

    /// Sorted by frame, fraction, a, b, kind.
    pub(super) fn finish(self) -> Vec<Finding> {
        let mut findings = self.findings;
        findings.sort_by(|x, y| {
            (x.frame.cmp(&y.frame))
                .then(x.fraction.total_cmp(&y.fraction))
                .then_with(|| x.a.cmp(&y.a))
                .then_with(|| x.b.cmp(&y.b))
                .then(x.kind.cmp(&y.kind))
        });
        findings
    }
}

fn continues(known: &Finding, next: &Finding) -> bool {
    match next.kind {
        // A body put into the same place again, frame after frame, is still inside.
        Kind::CameraCrosses | Kind::StartsInside => next.frame <= known.last_frame + 1,
        // Past the middle and back, in one and the same overlap.
        Kind::WrongSide => next.from_contact && next.frame <= known.last_frame + 1,
        Kind::Phantom => next.cause == known.cause && next.frame <= known.last_frame + 1,
        Kind::BadNumber => next.object_b.is_none() || next.frame <= known.last_frame + 1,
        _ => false,
    }
}

/// The last frame of an initial overlap as far as these frames go, and whether it lasts beyond them.
fn follow_one(context: &Context<'_>, finding: &Finding, frames: &[Arc<Frame>]) -> (u32, bool) {
    let (Some(a), Some(b)) = (finding.object_a, finding.object_b) else {
        return (finding.last_frame, false);
    };
    let mut last = finding.last_frame;
    // The state at a frame's end is the start of the next.
    for frame in frames.iter().filter(|frame| frame.number >= finding.frame) {
        if starts_inside::too_deep(context, &frame.end, a, b).is_none() {
            return (last, false);
        }
        last = last.max((frame.number + 1).min(context.last));
    }
    (last, true)
}
