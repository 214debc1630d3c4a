//! Candidates of a frame and their exact sweeps, for stepped scenes and recordings.

use crate::core::bounds::swept_aabb;
use crate::core::broad_phase::{Entry, candidate_pairs};
use crate::core::query::{Impact, SweepOutcome, sweep};
use crate::core::replay::{ObjectId, Phase};
use crate::core::scene::Object;
use crate::core::shape::{Aabb, Motion, Pose};
use glam::DVec3;

/// Motion of each object; `None` takes no part.
pub trait Motions<'m>: Fn(usize) -> Option<&'m Motion> + Copy {}

impl<'m, F: Fn(usize) -> Option<&'m Motion> + Copy> Motions<'m> for F {}

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
pub fn candidates<'m>(objects: &[Object], motion: impl Motions<'m>) -> Vec<(ObjectId, ObjectId)> {
    let entries: Vec<Entry> = objects
        .iter()
        .enumerate()
        .map(|(id, object)| Entry {
            bounds: reach(object, motion(id)),
            moves: motion(id).is_some_and(|motion| motion.start != motion.end),
        })
        .collect();
    let mut pairs = candidate_pairs(&entries);
    pairs.retain(|&(a, b)| objects[a as usize].collides_with(&objects[b as usize]));
    pairs
}

/// The phases of a frame without intermediate impacts, up to the pushes. `are_joined` tells which pairs a joint connects.
pub fn whole_step<'m>(
    objects: &[Object],
    motion: impl Motions<'m>,
    are_joined: impl Fn(ObjectId, ObjectId) -> bool,
) -> Vec<Phase> {
    let mut pairs = candidates(objects, motion);
    pairs.retain(|&(a, b)| !are_joined(a, b));
    let swept = swept(objects, motion, &pairs);
    vec![
        Phase::Start,
        Phase::Candidates { pairs },
        swept,
        Phase::Advance {
            to: 1.0,
            impact: None,
        },
    ]
}

/// The phase of an exact sweep over a whole frame.
pub fn swept<'m>(
    objects: &[Object],
    motion: impl Motions<'m>,
    pairs: &[(ObjectId, ObjectId)],
) -> Phase {
    let moving = |id: ObjectId| Some((&objects[id as usize].shape, motion(id as usize)?));
    let moving_pair = |&(a, b): &(ObjectId, ObjectId)| Some([moving(a)?, moving(b)?]);
    let mut impacts = Vec::new();
    let mut overlaps = Vec::new();
    for pair in pairs {
        let Some([(shape_a, motion_a), (shape_b, motion_b)]) = moving_pair(pair) else {
            continue;
        };
        match sweep(shape_a, motion_a, shape_b, motion_b, &mut ()).outcome {
            SweepOutcome::Hits(impact) => impacts.push((pair.0, pair.1, impact)),
            SweepOutcome::Overlapping { .. } => overlaps.push(*pair),
            SweepOutcome::Misses | SweepOutcome::Grazes { .. } => {}
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
