//! The pairs of a frame, and what an exact sweep of them sees: shared by stepped scenes and recordings.

use crate::core::bounds::swept_aabb;
use crate::core::broad_phase::{Entry, candidate_pairs};
use crate::core::query::batch::SpheresApart;
use crate::core::query::{Impact, sweep};
use crate::core::replay::{ObjectId, Phase};
use crate::core::scene::Object;
use crate::core::shape::{Aabb, Motion, Pose};
use glam::DVec3;

/// The box an object sweeps in a frame; unbounded (`None`) for planes, [`Aabb::NOWHERE`] without a finite motion.
pub fn reach(object: &Object, motion: Option<&Motion>) -> Option<Aabb> {
    match motion {
        Some(motion) if motion.start.is_finite() && motion.end.is_finite() => {
            swept_aabb(&object.shape, motion)
        }
        _ => Some(Aabb::NOWHERE),
    }
}

/// The box an object stands in; unbounded (`None`) for planes, [`Aabb::NOWHERE`] when its pose is not finite.
pub fn stand(object: &Object, pose: &Pose) -> Option<Aabb> {
    if pose.is_finite() {
        object.shape.placed(pose).aabb()
    } else {
        Some(Aabb::NOWHERE)
    }
}

/// Pairs whose swept boxes meet, of which one moves, and whose layers and masks let them collide; sorted, `i < j`.
/// Sensors are among them: they report. `None` takes no part.
pub fn candidates(objects: &[Object], motions: &[Option<Motion>]) -> Vec<(ObjectId, ObjectId)> {
    let entries: Vec<Entry> = objects
        .iter()
        .zip(motions)
        .map(|(object, motion)| Entry {
            bounds: reach(object, motion.as_ref()),
            moves: motion.is_some_and(|motion| motion.start != motion.end),
        })
        .collect();
    let mut pairs = candidate_pairs(&entries);
    pairs.retain(|&(a, b)| objects[a as usize].collides_with(&objects[b as usize]));
    pairs
}

/// The phases of a frame that travels whole before anything is pushed, up to the pushes.
pub fn whole_step(objects: &[Object], motions: &[Option<Motion>]) -> Vec<Phase> {
    let pairs = candidates(objects, motions);
    let impacts = impacts(objects, motions, &pairs);
    vec![
        Phase::Start,
        Phase::Candidates { pairs },
        Phase::Sweep { impacts },
        Phase::Advance {
            to: 1.0,
            impact: None,
        },
    ]
}

/// The hits of an exact sweep over a whole frame, sorted by fraction, then pair.
pub fn impacts(
    objects: &[Object],
    motions: &[Option<Motion>],
    pairs: &[(ObjectId, ObjectId)],
) -> Vec<(ObjectId, ObjectId, Impact)> {
    let moving = |id: ObjectId| {
        let motion = motions[id as usize].as_ref()?;
        Some((&objects[id as usize].shape, motion))
    };
    let moving_pair = |&(a, b): &(ObjectId, ObjectId)| Some([moving(a)?, moving(b)?]);
    let mut spheres = SpheresApart::default();
    let mut hits = Vec::new();
    for pairs in pairs.chunks(SpheresApart::STRETCH) {
        let apart = spheres.find(pairs.iter().map(moving_pair));
        for (pair, _) in pairs.iter().zip(apart).filter(|(_, apart)| !**apart) {
            let Some([(shape_a, motion_a), (shape_b, motion_b)]) = moving_pair(pair) else {
                continue;
            };
            let found = sweep(shape_a, motion_a, shape_b, motion_b, &mut ());
            hits.extend(found.outcome.impact().map(|hit| (pair.0, pair.1, *hit)));
        }
    }
    // The pairs are sorted, and a stable sort keeps their order among equal fractions.
    hits.sort_by(|(.., one), (.., other)| one.fraction.total_cmp(&other.fraction));
    hits
}

/// Units of rounding at the largest coordinate of a position, metres.
pub fn rounding(position: DVec3) -> f64 {
    position.abs().max_element() * f64::EPSILON * crate::core::tolerance::ROUNDING_STEPS
}
