//! Comparison of two replays: where each object first differs, by how much, and how the difference grows.
//!
//! Overlap against sweep of one scene, two recordings, a level before and after an edit. One pass over the frames keeps
//! the first and the largest difference of each object; [`growth()`] runs again for one object.

mod align;
mod difference;
mod first;
mod growth;
mod matching;
mod object_difference;
mod text;

pub use align::{Alignment, Matching, beside, is_before};
pub use difference::{PoseDifference, Tolerance};
pub use first::{FirstField, OneSidedContact};
pub use growth::{GrowthPoint, growth};
pub use matching::{Subject, subjects};
pub use object_difference::{DifferenceKind, FirstDifference, LargestDifference, ObjectDifference};

use super::Replay;
use crate::core::progress::Progress;
use crate::core::scene::{Detection, Response, UserUnits};
use align::{Sample, first_other_step};
use serde::Serialize;

/// Settings of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    /// Tolerance.
    pub tolerance: Tolerance,
    /// The alignment; `None` chooses one.
    pub alignment: Option<Alignment>,
    /// How far the second is ahead, in frames, seconds or ticks.
    pub offset: f64,
}

/// Summary of one of two replays.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// Name for the user.
    pub name: String,
    /// Number of intervals.
    pub frames: u32,
    /// Of the whole.
    pub seconds: f64,
    /// Of the first frame.
    pub dt: f64,
    /// All objects of the level.
    pub objects: usize,
    /// True if hits change the motion: not in a scene whose response is to ignore them.
    #[serde(skip)]
    pub responds: bool,
}

impl Side {
    /// A replay under a name.
    fn of(name: &str, replay: &Replay) -> Self {
        Self {
            name: name.to_owned(),
            frames: replay.frames(),
            seconds: replay.time(replay.frames()),
            dt: replay.dt(0),
            objects: replay.objects().len(),
            responds: replay.recording().is_some() || replay.scene().response != Response::Ignore,
        }
    }
}

/// State hashes of two replays with the same objects, state by state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hashes {
    /// Number of states with equal bits.
    pub equal: u32,
    /// The first state with different bits.
    pub first_different: Option<u32>,
    /// By state.
    #[serde(skip)]
    pub same: Vec<bool>,
}

/// Result of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// No difference above the tolerance; [`Comparison::notes`] lists the others.
    pub equal: bool,
    /// The units of the first replay, which texts have.
    #[serde(skip)]
    pub units: UserUnits,
    /// The first replay.
    pub a: Side,
    /// The second.
    pub b: Side,
    /// The alignment.
    pub aligned_by: Alignment,
    /// How far the second is ahead: its moment less that of the first, in frames, seconds or ticks.
    #[serde(skip_serializing_if = "is_zero")]
    pub offset: f64,
    /// The tolerance.
    pub tolerance: Tolerance,
    /// Number of compared states: those of the first replay that the second has too.
    pub states: u32,
    /// The first frame whose dt has different bits.
    pub first_other_dt: Option<u32>,
    /// Whether one is longer than the other, in frames or (aligned by time) in seconds; not asked of ticks, and with an offset.
    pub other_length: bool,
    /// `None` when the objects differ, or for another alignment than by frame.
    pub hashes: Option<Hashes>,
    /// Number of objects with different names that were matched by position in the list.
    pub renamed: usize,
    /// Number of objects (and the camera) without a difference.
    pub same_objects: usize,
    /// The others, sorted by their first difference.
    pub objects: Vec<ObjectDifference>,
    /// The first difference of all, to the field; `None` for an alignment by time.
    pub first: Option<FirstField>,
    /// Whether any object differs, by state of the first replay.
    #[serde(skip)]
    pub differing: Vec<bool>,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// Compares two replays; `None` when cancelled.
pub fn compare(
    (name_a, a): (&str, &Replay),
    (name_b, b): (&str, &Replay),
    settings: &Settings,
    progress: &(impl Progress + ?Sized),
) -> Option<Comparison> {
    let alignment = settings.alignment;
    let alignment = alignment.unwrap_or_else(|| Alignment::fitting(a, b));
    let offset = settings.offset;
    let matching = Matching { alignment, offset };
    let mut pass = Pass::new(a, b, settings.tolerance, matching);
    let total = a.frames().saturating_add(1);
    let (mut states, mut differing) = (0, Vec::new());
    for frame in 0..total {
        if progress.cancelled() {
            return None;
        }
        progress.report(u64::from(frame), u64::from(total));
        let Some(at) = beside(a, b, matching, (frame, 0.0)) else {
            // The second has not begun, or has ended.
            match states {
                0 => differing.push(false),
                _ => break,
            }
            continue;
        };
        differing.push(pass.state(frame, at));
        states += 1;
    }
    let (side_a, side_b) = (Side::of(name_a, a), Side::of(name_b, b));
    let first_other_dt = match alignment {
        Alignment::Tick => (0..a.frames()).find(|frame| {
            let at = beside(a, b, matching, (*frame, 0.0));
            at.is_some_and(|at| at.0 < b.frames() && a.dt(*frame) != b.dt(at.0))
        }),
        _ => first_other_step(a, b, 0.0),
    };
    let other_length = match alignment {
        Alignment::Tick => false,
        _ if offset != 0.0 => false,
        Alignment::Frame => side_a.frames != side_b.frames,
        // The last states correspond to each other.
        Alignment::Time => states < total || beside(b, a, matching, (side_b.frames, 0.0)).is_none(),
    };
    let tolerance = settings.tolerance;
    let renamed = pass.rows.renamed();
    let (objects, same_objects) = pass.rows.finish();
    let has_states = alignment != Alignment::Time;
    let first = has_states.then(|| FirstField::of(&objects, [a, b], matching, progress));
    let first = first.flatten();
    if progress.cancelled() {
        return None;
    }
    let other_clock =
        tolerance.is_exact() && first_other_dt.is_some() && alignment != Alignment::Tick;
    Some(Comparison {
        equal: objects.is_empty() && !other_length && !other_clock,
        units: a.units(),
        a: side_a,
        b: side_b,
        aligned_by: alignment,
        offset,
        tolerance,
        states,
        first_other_dt,
        other_length,
        hashes: pass.hashes,
        renamed,
        same_objects,
        objects,
        first,
        differing,
    })
}

/// A scene stepped with the other detection; `None` for a recording.
pub fn with_other_detection(replay: &Replay) -> Option<(Replay, Detection)> {
    if replay.recording().is_some() {
        return None;
    }
    let other = match replay.scene().detection {
        Detection::Overlap => Detection::Sweep,
        Detection::Sweep => Detection::Overlap,
    };
    Some((replay.with_detection(other), other))
}

/// One walk over the frames of both.
struct Pass<'r> {
    a: &'r Replay,
    b: &'r Replay,
    rows: object_difference::DifferenceTable,
    hashes: Option<Hashes>,
}

impl<'r> Pass<'r> {
    fn new(a: &'r Replay, b: &'r Replay, tolerance: Tolerance, matching: Matching) -> Self {
        let names = |replay: &'r Replay| replay.objects().iter().map(|object| &object.name);
        let same_objects = matching == Alignment::Frame.exact() && names(a).eq(names(b));
        Self {
            a,
            b,
            rows: object_difference::DifferenceTable::new(a, b, tolerance),
            hashes: same_objects.then_some(Hashes {
                equal: 0,
                first_different: None,
                same: Vec::new(),
            }),
        }
    }

    /// Compares state `frame` of the first with a moment of the second; returns true if an object differs.
    fn state(&mut self, frame: u32, at: (u32, f64)) -> bool {
        let (a, b) = (self.a, self.b);
        let (left, right) = (Sample::of(a, (frame, 0.0)), Sample::of(b, at));
        if let Some(hashes) = &mut self.hashes {
            let same = a.state_hash(frame) == b.state_hash(frame);
            hashes.same.push(same);
            hashes.equal += u32::from(same);
            if !same && hashes.first_different.is_none() {
                hashes.first_different = Some(frame);
            }
        }
        let time = a.time(frame);
        let cameras = [left.camera(a, frame), right.camera(b, at.0)];
        self.rows.each((frame, time), [&left, &right], cameras)
    }
}
