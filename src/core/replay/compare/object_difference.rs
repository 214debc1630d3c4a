//! Difference of one object between two replays.

use super::super::{BodyState, ObjectId, Replay};
use super::align::Sample;
use super::difference::{PoseDifference, Tolerance, apart, differs, same_bits};
use super::matching::{Subject, subjects};
use crate::core::shape::Pose;
use glam::DVec3;
use serde::Serialize;
use std::collections::HashMap;

/// How an object differs at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum DifferenceKind {
    /// Both have it, in other poses.
    Apart(PoseDifference),
    /// Only the first replay has it then.
    OnlyA,
    /// Only the second has it then.
    OnlyB,
}

/// The first difference of an object.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FirstDifference {
    /// At the start of this frame of the first replay (its number of frames: at its end).
    pub frame: u32,
    /// Seconds from the first replay's start.
    pub time: f64,
    /// Kind of the difference.
    #[serde(flatten)]
    pub kind: DifferenceKind,
}

/// The largest of a number over the frames, and the first frame that has it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LargestDifference {
    /// Metres or radians.
    pub value: f64,
    /// At the start of this frame of the first replay.
    pub frame: u32,
}

/// An object that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObjectDifference {
    /// Name in lists.
    pub name: String,
    /// The object.
    #[serde(flatten)]
    pub subject: Subject,
    /// The first difference of pose or presence; `None` when only motion or shape differ.
    pub first: Option<FirstDifference>,
    /// States at which pose or presence differ.
    pub states: u32,
    /// Largest distance of the positions, metres; `None` when there is none.
    pub largest_position: Option<LargestDifference>,
    /// Largest angle between the rotations, radians; `None` when there is none.
    pub largest_rotation: Option<LargestDifference>,
    /// The first state at which velocity, spin or a flag have different bits. Only compared when equal bits are required.
    pub motion_from: Option<u32>,
    /// Whether the shapes differ.
    pub other_shape: bool,
}

impl ObjectDifference {
    fn new(subject: Subject, a: &Replay, b: &Replay) -> Self {
        let both = subject.a().zip(subject.b());
        let other_shape = both.is_some_and(|(one, other)| {
            a.objects()[one as usize].shape != b.objects()[other as usize].shape
        });
        Self {
            name: String::new(),
            subject,
            first: None,
            states: 0,
            largest_position: None,
            largest_rotation: None,
            motion_from: None,
            other_shape,
        }
    }

    /// Adds a moment of both replays; returns true if the pose or the presence differs.
    fn take(&mut self, at: (u32, f64), [left, right]: [&Sample; 2], tolerance: &Tolerance) -> bool {
        let (a, b) = (self.subject.a(), self.subject.b());
        let of_left = (a.and_then(|a| left.pose(a)), a.and_then(|a| left.body(a)));
        let of_right = (b.and_then(|b| right.pose(b)), b.and_then(|b| right.body(b)));
        self.add(at, [of_left, of_right], tolerance)
    }

    /// Adds a pose of each side, with the full state where there is more than a pose to compare.
    fn add(
        &mut self,
        at: (u32, f64),
        [(left, left_body), (right, right_body)]: [(Option<Pose>, Option<&BodyState>); 2],
        tolerance: &Tolerance,
    ) -> bool {
        let kind = match (left, right) {
            (None, None) => return false,
            (Some(_), None) => DifferenceKind::OnlyA,
            (None, Some(_)) => DifferenceKind::OnlyB,
            (Some(one), Some(other)) => {
                let apart = apart(&one, &other);
                raise(&mut self.largest_position, at.0, apart.position);
                raise(&mut self.largest_rotation, at.0, apart.rotation);
                if tolerance.is_exact()
                    && self.motion_from.is_none()
                    && let (Some(one), Some(other)) = (left_body, right_body)
                    && !same_motion(one, other)
                {
                    self.motion_from = Some(at.0);
                }
                if !differs(&one, &other, &apart, tolerance) {
                    return false;
                }
                DifferenceKind::Apart(apart)
            }
        };
        self.states += 1;
        let (frame, time) = at;
        self.first
            .get_or_insert(FirstDifference { frame, time, kind });
        true
    }

    fn is_same(&self) -> bool {
        let one_sided = matches!(self.subject, Subject::OnlyA { .. } | Subject::OnlyB { .. });
        self.first.is_none() && self.motion_from.is_none() && !self.other_shape && !one_sided
    }

    /// Pose differences first, then motion, then shape; each by its first moment.
    fn order(&self) -> (u8, u32) {
        match (self.first, self.motion_from) {
            (Some(first), _) => (0, first.frame),
            (None, Some(frame)) => (1, frame),
            (None, None) => (2, 0),
        }
    }
}

fn raise(peak: &mut Option<LargestDifference>, frame: u32, value: Option<f64>) {
    let before = peak.map_or(0.0, |peak| peak.value);
    if let Some(value) = value.filter(|value| *value > before) {
        *peak = Some(LargestDifference { value, frame });
    }
}

/// Whether everything but the pose has equal bits.
fn same_motion(one: &BodyState, other: &BodyState) -> bool {
    let same = |one: Option<DVec3>, other: Option<DVec3>| match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => same_bits(one.to_array(), other.to_array()),
        _ => false,
    };
    same(one.velocity, other.velocity)
        && same(one.spin, other.spin)
        && (one.asleep, one.teleported) == (other.asleep, other.teleported)
}

/// Differences of all objects, collected frame by frame.
pub(super) struct DifferenceTable {
    rows: Vec<ObjectDifference>,
    /// The rows of the objects of both replays, by object.
    places: [HashMap<ObjectId, usize>; 2],
    camera: Option<usize>,
    tolerance: Tolerance,
}

impl DifferenceTable {
    pub(super) fn new(a: &Replay, b: &Replay, tolerance: Tolerance) -> Self {
        let rows = subjects(a, b).into_iter().map(|subject| ObjectDifference {
            name: subject.title(a, b),
            ..ObjectDifference::new(subject, a, b)
        });
        let rows: Vec<ObjectDifference> = rows.collect();
        let places = |of: fn(Subject) -> Option<ObjectId>| {
            let places = rows.iter().zip(0..);
            let places = places.filter_map(|(row, place)| Some((of(row.subject)?, place)));
            places.collect()
        };
        Self {
            places: [places(Subject::a), places(Subject::b)],
            camera: rows.iter().position(|row| row.subject == Subject::Camera),
            rows,
            tolerance,
        }
    }

    /// Adds the states of both sides at a frame of the first replay and its seconds. Objects that neither has then are not visited. Returns
    /// true if one differs.
    pub(super) fn each(
        &mut self,
        at: (u32, f64),
        [left, right]: [&Sample; 2],
        cameras: [Option<Pose>; 2],
    ) -> bool {
        let mut differs = false;
        let (tolerance, [of_a, of_b]) = (&self.tolerance, &self.places);
        let (in_left, in_right) = (left.ids(), right.ids());
        let is_in_left = |subject: Subject| {
            let a = subject.a();
            a.is_some_and(|a| in_left.binary_search(&a).is_ok())
        };
        for place in in_left.iter().filter_map(|id| of_a.get(id)) {
            differs |= self.rows[*place].take(at, [left, right], tolerance);
        }
        for place in in_right.iter().filter_map(|id| of_b.get(id)) {
            let row = &mut self.rows[*place];
            if !is_in_left(row.subject) {
                differs |= row.take(at, [left, right], tolerance);
            }
        }
        if let Some(place) = self.camera {
            let cameras = cameras.map(|pose| (pose, None));
            differs |= self.rows[place].add(at, cameras, tolerance);
        }
        differs
    }

    /// Number of objects that were matched by position alone.
    pub(super) fn renamed(&self) -> usize {
        let renamed = |row: &&ObjectDifference| matches!(row.subject, Subject::Ordinal { .. });
        self.rows.iter().filter(renamed).count()
    }

    /// The objects that differ, sorted, and the number of the others.
    pub(super) fn finish(self) -> (Vec<ObjectDifference>, usize) {
        let all = self.rows.len();
        let mut rows = self.rows;
        rows.retain(|row| !row.is_same());
        // Of equals the lower ordinal first: the sort is stable.
        rows.sort_by_key(ObjectDifference::order);
        let same = all - rows.len();
        (rows, same)
    }
}
