//! Candidates of a frame and their exact sweeps, for stepped scenes and recordings.

use crate::core::bounds::swept_aabb;
use crate::core::broad_phase::{Entry, candidate_pairs, candidate_pairs_in_parallel};
use crate::core::query::{Impact, SweepOutcome, sweep_to};
use crate::core::replay::{ObjectId, Phase};
use crate::core::scene::{Object, Objects};
use crate::core::shape::{Aabb, Motion, Pose};
use glam::DVec3;
use rayon::prelude::*;

/// Motion of each object; `None` takes no part.
pub trait Motions: Fn(ObjectId) -> Option<Motion> + Copy + Send + Sync {}

impl<F: Fn(ObjectId) -> Option<Motion> + Copy + Send + Sync> Motions for F {}

/// Fewer objects than this are not shared between threads.
pub const OBJECTS_PER_THREAD: usize = 4096;
/// Fewer pairs than this are not shared between threads.
const PAIRS_PER_THREAD: usize = 64;

/// The box an object sweeps in a frame; unbounded (`None`) for planes, [`Aabb::NOWHERE`] without a finite motion.
#[inline]
pub fn reach(object: &Object, motion: Option<&Motion>) -> Option<Aabb> {
    match motion {
        Some(motion) if motion.start.is_finite() && motion.end.is_finite() => {
            swept_aabb(&object.shape, motion)
        }
        _ => Some(Aabb::NOWHERE),
    }
}

/// Bounding box of an object at rest; unbounded (`None`) for planes, [`Aabb::NOWHERE`] when its pose is not finite.
pub fn stand(object: &Object, pose: &Pose) -> Option<Aabb> {
    if pose.is_finite() {
        object.shape.placed(pose).aabb()
    } else {
        Some(Aabb::NOWHERE)
    }
}

/// Pairs whose swept boxes overlap, one of which moves, and which layers, masks and exemptions allow; sorted, `i < j`.
/// Sensors are included.
pub fn candidates(objects: &Objects, motion: impl Motions) -> Vec<(ObjectId, ObjectId)> {
    let entries = objects.iter().zip(0..);
    let entries: Vec<Entry> = entries
        .map(|(object, id)| entry(object, motion(id)))
        .collect();
    allowed(objects, candidate_pairs(&entries))
}

#[inline]
fn entry(object: &Object, motion: Option<Motion>) -> Entry {
    Entry {
        bounds: reach(object, motion.as_ref()),
        moves: motion.is_some_and(|motion| motion.start != motion.end),
    }
}

fn allowed(objects: &Objects, mut pairs: Vec<(ObjectId, ObjectId)>) -> Vec<(ObjectId, ObjectId)> {
    pairs.retain(|&(a, b)| objects[a as usize].collides_with(&objects[b as usize]));
    pairs
}

/// All objects move to the end of the frame.
pub const WHOLE_ADVANCE: Phase = Phase::Advance {
    to: 1.0,
    impact: None,
};

/// The phases of a frame of these objects (ascending) without intermediate impacts, up to the pushes. `are_joined` is true of
/// pairs that a joint connects.
///
/// Large frames are shared between the threads of the pool, so the caller may hold no lock.
pub fn whole_step(
    objects: &Objects,
    ids: &[ObjectId],
    motion: impl Motions,
    are_joined: impl Fn(ObjectId, ObjectId) -> bool,
) -> Vec<Phase> {
    let entries: Vec<Entry> = ids
        .par_iter()
        .with_min_len(OBJECTS_PER_THREAD)
        .map(|&id| entry(&objects[id as usize], motion(id)))
        .collect();
    let mut pairs = candidate_pairs_in_parallel(&entries);
    for (a, b) in &mut pairs {
        (*a, *b) = (ids[*a as usize], ids[*b as usize]);
    }
    let mut pairs = allowed(objects, pairs);
    pairs.retain(|&(a, b)| !are_joined(a, b));
    let swept = swept(objects, motion, &pairs);
    vec![
        Phase::Start,
        Phase::Candidates { pairs },
        swept,
        WHOLE_ADVANCE,
    ]
}

/// The phase of an exact sweep over a whole frame. Many pairs are shared between the threads of the pool, so the caller may
/// hold no lock.
pub fn swept(objects: &Objects, motion: impl Motions, pairs: &[(ObjectId, ObjectId)]) -> Phase {
    let moving = |id: ObjectId| Some((&objects[id as usize].shape, motion(id)?));
    let outcome = |&(a, b): &(ObjectId, ObjectId)| {
        let ((shape_a, motion_a), (shape_b, motion_b)) = (moving(a)?, moving(b)?);
        let (a, b) = ((shape_a, &motion_a), (shape_b, &motion_b));
        Some(sweep_to(a, b, f64::INFINITY, &mut ()).outcome)
    };
    let outcomes: Vec<Option<SweepOutcome>> = pairs
        .par_iter()
        .with_min_len(PAIRS_PER_THREAD)
        .map(outcome)
        .collect();
    let mut impacts = Vec::new();
    let mut overlaps = Vec::new();
    for (pair, outcome) in pairs.iter().zip(outcomes) {
        match outcome {
            Some(SweepOutcome::Hits(impact)) => impacts.push((pair.0, pair.1, impact)),
            Some(SweepOutcome::Overlapping { .. }) => overlaps.push(*pair),
            Some(SweepOutcome::Misses | SweepOutcome::Grazes { .. }) | None => {}
        }
    }
    // A stable sort keeps the order of pairs at equal fractions.
    impacts.sort_by(|(.., one): &(ObjectId, ObjectId, Impact), (.., other)| {
        one.fraction.total_cmp(&other.fraction)
    });
    Phase::Sweep { impacts, overlaps }
}

/// Units of rounding at the largest coordinate of a position, metres.
pub fn rounding(position: DVec3) -> f64 {
    position.abs().max_element() * f64::EPSILON * crate::core::tolerance::ROUNDING_STEPS
}
