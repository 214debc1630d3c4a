//! State of a level at a moment, and the inside of one frame.

use super::ObjectId;
use crate::core::query::{Contact, Impact, probe::ProbeAnswer};
use crate::core::scene::Objects;
use crate::core::shape::{Aabb, Motion, Pose};
use glam::DVec3;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// One object at the start of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// World.
    pub pose: Pose,
    /// Metres per second; `None` when a log does not give it.
    pub velocity: Option<DVec3>,
    /// Radians per second, world axes; `None` when a log does not give it.
    pub spin: Option<DVec3>,
    /// The log's flag.
    pub asleep: bool,
    /// The log's flag: teleported here.
    pub teleported: bool,
}

/// Every present object at the start of a frame. Of one that is gone it has four bytes at most: a long level has many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameState {
    /// The present objects, ascending.
    ids: Vec<ObjectId>,
    /// Their states, in the same order.
    bodies: Vec<BodyState>,
    /// By [`ObjectId`], up to the last present one: its place, or `ABSENT`. Empty where all ids are their places.
    places: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl FrameState {
    /// State of an object, if present.
    #[inline]
    pub fn body(&self, id: ObjectId) -> Option<&BodyState> {
        self.bodies.get(self.place(id)?)
    }

    #[inline]
    fn place(&self, id: ObjectId) -> Option<usize> {
        let place = match self.places.is_empty() {
            true => id,
            false => *self.places.get(id as usize)?,
        };
        Some(place as usize)
    }

    /// The present objects, ascending.
    pub fn ids(&self) -> &[ObjectId] {
        &self.ids
    }

    /// The present objects with their states, ascending.
    pub fn present(&self) -> impl ExactSizeIterator<Item = (ObjectId, &BodyState)> {
        self.ids.iter().copied().zip(&self.bodies)
    }

    /// Replaces the state of an object that is present.
    pub fn body_mut(&mut self, id: ObjectId) -> Option<&mut BodyState> {
        let place = self.place(id)?;
        self.bodies.get_mut(place)
    }
}

/// Of objects in any order; of one that is there twice the last state counts.
impl FromIterator<(ObjectId, BodyState)> for FrameState {
    fn from_iter<I: IntoIterator<Item = (ObjectId, BodyState)>>(all: I) -> Self {
        let all = all.into_iter();
        let mut state = Self::default();
        let count = all.size_hint().0;
        state.ids.reserve(count);
        state.bodies.reserve(count);
        let mut in_order = true;
        for (id, body) in all {
            in_order &= state.ids.last().is_none_or(|last| *last < id);
            state.ids.push(id);
            state.bodies.push(body);
        }
        if !in_order {
            let mut order: Vec<usize> = (0..state.ids.len()).collect();
            order.sort_by_key(|&place| state.ids[place]);
            order.dedup_by(|next, kept| {
                let is_same = state.ids[*next] == state.ids[*kept];
                if is_same {
                    *kept = *next;
                }
                is_same
            });
            state = Self {
                ids: order.iter().map(|&place| state.ids[place]).collect(),
                bodies: order.iter().map(|&place| state.bodies[place]).collect(),
                places: Vec::new(),
            };
        }
        let last = state.ids.last().map_or(0, |last| *last as usize + 1);
        if last > state.ids.len() {
            state.places = vec![ABSENT; last];
            for (place, id) in (0..).zip(&state.ids) {
                state.places[*id as usize] = place;
            }
        }
        state
    }
}

/// Straight motion of an object over part of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionSegment {
    /// Fraction of the frame at which it begins.
    pub from: f64,
    /// Fraction of the frame at which it ends.
    pub to: f64,
    /// The motion, before any push at its end.
    pub motion: Motion,
}

impl MotionSegment {
    /// The pose at a fraction of the frame (clamped to the segment).
    pub fn pose(&self, fraction: f64) -> Pose {
        self.motion
            .pose((fraction - self.from) / (self.to - self.from))
    }

    /// The motion between two fractions of the frame, both inside the segment; the ends of the segment are exact.
    pub fn part(&self, from: f64, to: f64) -> Motion {
        let end = if to >= self.to {
            self.motion.end
        } else {
            self.pose(to)
        };
        let start = if from <= self.from {
            self.motion.start
        } else {
            self.pose(from)
        };
        Motion { start, end }
    }
}

/// The motion segments of an object in a frame, in order: nearly always one, without allocation.
pub type MotionSegments = SmallVec<[MotionSegment; 1]>;

/// One segment over a whole frame.
pub fn whole_segment(motion: Motion) -> MotionSegments {
    MotionSegments::from_buf([MotionSegment {
        from: 0.0,
        to: 1.0,
        motion,
    }])
}

/// The motion of all objects over a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum FrameMotion {
    /// The segments of each object, by [`ObjectId`].
    Segments(Vec<MotionSegments>),
    /// One segment of each object that is present at both ends and is not teleported, between its two states: as a recording
    /// has it. At its end it lacks these pushes.
    BetweenStates(PushesByObject),
}

/// The box of what has no bounds.
const EVERYWHERE: Aabb = Aabb {
    min: DVec3::NEG_INFINITY,
    max: DVec3::INFINITY,
};

/// Pushes, sorted by object; those of an object in the order of the log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PushesByObject(Vec<(ObjectId, DVec3)>);

impl PushesByObject {
    /// Sorts pushes.
    pub fn new(mut pushes: Vec<(ObjectId, DVec3)>) -> Self {
        pushes.sort_by_key(|(object, _)| *object);
        Self(pushes)
    }

    /// The pushes of an object.
    fn of(&self, id: ObjectId) -> impl Iterator<Item = DVec3> {
        let first = self.0.partition_point(|(object, _)| *object < id);
        let own = self.0[first..]
            .iter()
            .take_while(move |(object, _)| *object == id);
        own.map(|(_, push)| *push)
    }
}

impl FrameMotion {
    /// The motion of an object that is one segment in the frame between two states; `None` if it has none or several.
    #[inline]
    pub fn whole(&self, id: ObjectId, start: &FrameState, end: &FrameState) -> Option<Motion> {
        match self {
            Self::Segments(all) => match &all.get(id as usize)?[..] {
                [segment] => Some(segment.motion),
                _ => None,
            },
            Self::BetweenStates(pushes) => {
                let (start, end) = (start.body(id)?, end.body(id)?);
                if end.teleported {
                    return None;
                }
                let mut motion = Motion {
                    start: start.pose,
                    end: end.pose,
                };
                for push in pushes.of(id) {
                    motion.end.position -= push;
                }
                Some(motion)
            }
        }
    }
}

/// A named moment inside a frame, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    /// The frame begins.
    Start,
    /// The broad phase has found its candidates.
    Candidates {
        /// Sorted, `i < j`.
        pairs: Vec<(ObjectId, ObjectId)>,
    },
    /// The sweep of the candidates (with `Detection::Overlap`, for information), earliest hit first.
    Sweep {
        /// Hits only.
        impacts: Vec<(ObjectId, ObjectId, Impact)>,
        /// Pairs that overlap when the frame begins, sorted. All other candidates miss.
        overlaps: Vec<(ObjectId, ObjectId)>,
    },
    /// All objects have moved to this fraction of the frame.
    Advance {
        /// Fraction of the frame; 1 for a whole step.
        to: f64,
        /// The pair that stopped it, with `Detection::Sweep`.
        impact: Option<(ObjectId, ObjectId, Impact)>,
    },
    /// One push is applied.
    Push {
        /// From 1.
        number: u32,
        /// Number of pushes in this frame; more than are listed in a frame with very many.
        of: u32,
        /// Fraction of the frame.
        at: f64,
        /// The object that is moved.
        object: ObjectId,
        /// The other object; `None` for a logged push without one.
        against: Option<ObjectId>,
        /// World, metres.
        push: DVec3,
        /// Position before.
        before: DVec3,
        /// Position after.
        after: DVec3,
        /// The contact; `None` for a logged push.
        contact: Option<Contact>,
    },
    /// The camera's probe acts.
    CameraPush {
        /// The hits in the order they acted.
        answer: ProbeAnswer,
    },
    /// The frame ends.
    End,
}

impl Phase {
    /// Fraction of the frame that a view of this phase shows.
    pub fn fraction(&self) -> f64 {
        match self {
            Self::Start | Self::Candidates { .. } | Self::Sweep { .. } => 0.0,
            Self::Advance { to, .. } => *to,
            Self::Push { at, .. } => *at,
            Self::CameraPush { .. } | Self::End => 1.0,
        }
    }
}

/// The camera at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraState {
    /// Looks along local -Z.
    pub pose: Pose,
}

/// The inside of one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Which: the interval from state `number` to state `number + 1`.
    pub number: u32,
    /// Seconds.
    pub dt: f64,
    /// State `number`.
    pub start: Arc<FrameState>,
    /// State `number + 1`, pushes included.
    pub end: Arc<FrameState>,
    /// See [`Frame::segments`].
    pub motion: FrameMotion,
    /// Phases in order; begins with `Start`, ends with `End`.
    pub phases: Vec<Phase>,
    /// The camera's travel before the probe's push, and after it; `None` without a camera.
    pub camera: Option<(Motion, Pose)>,
    /// True when the stepper stopped at the limit of impacts and finished the frame without them.
    pub gave_up: bool,
    /// The boxes of the present objects when it begins.
    pub start_boxes: StartBoxes,
}

/// The boxes of the present objects when a frame begins; made when they are first used. All are equal, as they follow from the frame.
#[derive(Clone, Debug, Default)]
pub struct StartBoxes(OnceLock<Vec<Aabb>>);

impl PartialEq for StartBoxes {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Frame {
    /// The objects whose boxes overlap a region when the frame begins, ascending; with those that have none, such as planes.
    pub(in crate::core) fn near_at_start(
        &self,
        objects: &Objects,
        region: &Aabb,
    ) -> impl Iterator<Item = ObjectId> {
        let boxes = self.start_boxes.0.get_or_init(|| {
            let placed = |(id, body): (ObjectId, &BodyState)| {
                let shape = &objects[id as usize].shape;
                shape.placed(&body.pose).aabb().unwrap_or(EVERYWHERE)
            };
            self.start.present().map(placed).collect()
        });
        let all = self.start.ids().iter().zip(boxes);
        let near = all.filter(|(_, bounds)| bounds.overlaps(region));
        near.map(|(id, _)| *id)
    }

    /// The objects that are present at one of its ends, ascending.
    pub fn ids(&self) -> Cow<'_, [ObjectId]> {
        let (start, end) = (self.start.ids(), self.end.ids());
        if start == end {
            return Cow::Borrowed(start);
        }
        let mut all = [start, end].concat();
        all.sort_unstable();
        all.dedup();
        Cow::Owned(all)
    }

    /// Returns false for a frame without its candidates and their sweep.
    pub fn is_swept(&self) -> bool {
        let is_sweep = |phase: &Phase| matches!(phase, Phase::Sweep { .. });
        self.phases.iter().any(is_sweep)
    }

    /// Motion segments of an object, in order, without gaps from 0 to 1; empty when it is not present at both ends or
    /// was teleported. With `Detection::Overlap` and in recordings one segment, to the pose before this frame's pushes.
    pub fn segments(&self, id: ObjectId) -> MotionSegments {
        match &self.motion {
            FrameMotion::Segments(all) => all.get(id as usize).cloned().unwrap_or_default(),
            FrameMotion::BetweenStates(_) => {
                self.whole_motion(id).map(whole_segment).unwrap_or_default()
            }
        }
    }

    /// The motion of an object that has a single segment.
    #[inline]
    pub fn whole_motion(&self, id: ObjectId) -> Option<Motion> {
        self.motion.whole(id, &self.start, &self.end)
    }

    /// An object's pose at a fraction in [0, 1] of the frame; the start state at 0, the end state (pushes included) at 1.
    ///
    /// An object without segments that is present at the start stays until the frame's end. `None` when absent.
    #[inline]
    pub fn pose(&self, object: ObjectId, fraction: f64) -> Option<Pose> {
        let at = |state: &FrameState| Some(state.body(object)?.pose);
        if fraction >= 1.0 {
            return at(&self.end);
        }
        if fraction <= 0.0 {
            return at(&self.start);
        }
        let moved = match &self.motion {
            FrameMotion::Segments(all) => {
                let mut segments = all.get(object as usize).into_iter().flatten();
                let segment = segments.find(|segment| fraction <= segment.to);
                segment.map(|segment| segment.pose(fraction))
            }
            FrameMotion::BetweenStates(_) => {
                let motion = self.whole_motion(object);
                motion.map(|motion| motion.pose(fraction))
            }
        };
        moved.or_else(|| at(&self.start))
    }

    /// Intervals over which both objects move straight: (from, to, motion of a, motion of b), in order.
    ///
    /// Empty when one of them has no segments. A whole segment keeps its bits.
    pub fn straight_intervals(&self, a: ObjectId, b: ObjectId) -> Vec<(f64, f64, Motion, Motion)> {
        let (segments_a, segments_b) = (self.segments(a), self.segments(b));
        let (mut a, mut b) = (0, 0);
        let mut intervals = Vec::with_capacity(segments_a.len().max(segments_b.len()));
        while let (Some(segment_a), Some(segment_b)) = (segments_a.get(a), segments_b.get(b)) {
            let from = segment_a.from.max(segment_b.from);
            let to = segment_a.to.min(segment_b.to);
            if from < to {
                intervals.push((from, to, segment_a.part(from, to), segment_b.part(from, to)));
            }
            if segment_a.to <= segment_b.to {
                a += 1;
            }
            if segment_b.to <= segment_a.to {
                b += 1;
            }
        }
        intervals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Against a map, for ids in any order, with gaps and twice.
    #[test]
    fn a_state_finds_what_is_present() {
        let body = |x: u32| BodyState {
            pose: Pose::at(DVec3::X * f64::from(x)),
            velocity: None,
            spin: None,
            asleep: false,
            teleported: false,
        };
        for ids in [
            &[][..],
            &[0, 1, 2],
            &[4],
            &[1, 3, 9],
            &[9, 3, 1],
            &[2, 7, 2, 0, 7, 5],
        ] {
            let all = || ids.iter().zip(0..).map(|(id, value)| (*id, body(value)));
            let (mut state, map) = (
                all().collect::<FrameState>(),
                all().collect::<BTreeMap<_, _>>(),
            );
            assert!(state.present().eq(map.iter().map(|(id, body)| (*id, body))));
            assert!(state.ids().iter().eq(map.keys()), "{ids:?}");
            for id in 0..12 {
                assert_eq!(state.body(id), map.get(&id), "{id} of {ids:?}");
                assert_eq!(state.body_mut(id).copied(), map.get(&id).copied());
            }
            assert_eq!(state.body(ObjectId::MAX), None);
        }
    }
}
