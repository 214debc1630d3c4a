//! What "the level" and "the selection" are as boxes.

use super::{Compared, ViewportInput};
use crate::core::replay::{ObjectId, Replay};
use crate::core::shape::{Aabb, Pose, Shape};
use glam::DVec3;

/// Things farther from the middle than this many times the usual distance have flown away.
const FLOWN: f64 = 6.0;

/// The box around most of the level at the playhead: no planes, nothing that is not finite, nothing that has flown away;
/// floors and walls are cut to where the rest is. `None` when nothing is left.
pub fn level_bounds(input: &ViewportInput<'_>) -> Option<Aabb> {
    let all = (0..input.replay.objects().len()).map(|index| index as ObjectId);
    robust(
        &all.filter_map(|id| object_bounds(input, id))
            .collect::<Vec<_>>(),
    )
}

/// The box around most of a level in its first state, as [`level_bounds`].
pub fn start_bounds(replay: &Replay) -> Option<Aabb> {
    let state = replay.state(0);
    let bodies = replay.objects().iter().zip(&state.bodies);
    let placed = bodies.filter_map(|(object, body)| finite_bounds(&object.shape, &(*body)?.pose));
    robust(&placed.collect::<Vec<_>>())
}

/// The box around some objects at the playhead, where present, and around where a compared replay has them.
pub fn bounds_of(input: &ViewportInput<'_>, objects: &[ObjectId]) -> Option<Aabb> {
    let boxes = objects.iter().filter_map(|&id| object_bounds(input, id));
    let others = input.compared.iter().flat_map(|compared| {
        let subjects = compared.subjects.iter();
        subjects
            .filter(|subject| subject.a().is_some_and(|a| objects.contains(&a)))
            .filter_map(|subject| other_bounds(compared, subject.b()?))
    });
    boxes.chain(others).reduce(|one, two| one.union(&two))
}

fn other_bounds(compared: &Compared<'_>, id: ObjectId) -> Option<Aabb> {
    let object = compared.replay.objects().get(id as usize)?;
    let pose = compared.pose(id)?;
    finite_bounds(&object.shape, &pose)
}

fn object_bounds(input: &ViewportInput<'_>, id: ObjectId) -> Option<Aabb> {
    let object = input.replay.objects().get(id as usize)?;
    let pose = input.pose(id)?;
    finite_bounds(&object.shape, &pose)
}

fn finite_bounds(shape: &Shape, pose: &Pose) -> Option<Aabb> {
    let bounds = shape.placed(pose).aabb()?;
    (bounds.min.is_finite() && bounds.max.is_finite()).then_some(bounds)
}

/// The box around the boxes that belong together.
fn robust(boxes: &[Aabb]) -> Option<Aabb> {
    let middle = DVec3::from_array(std::array::from_fn(|axis| {
        quantile(boxes.iter().map(|bounds| bounds.center()[axis]), 0.5).unwrap_or(0.0)
    }));
    let away = |bounds: &Aabb| (bounds.center() - middle).length();
    let usual = quantile(boxes.iter().map(away), 0.8)?;
    let size = quantile(
        boxes.iter().map(|bounds| bounds.half_extents().length()),
        0.5,
    )?;
    // With few objects the far one may be the point of the level: a share of one in five is needed to fly away.
    let reach = if boxes.len() < 5 {
        f64::INFINITY
    } else {
        (usual + size * 2.0) * FLOWN
    };
    let cut = (usual + size * 2.0).max(1e-3) * 2.5;
    boxes
        .iter()
        .filter(|bounds| away(bounds) <= reach)
        .map(|bounds| {
            let half = bounds.half_extents().length();
            if boxes.len() > 1 && half > cut {
                Aabb {
                    min: bounds.min.max(middle - DVec3::splat(cut)).min(bounds.max),
                    max: bounds.max.min(middle + DVec3::splat(cut)).max(bounds.min),
                }
            } else {
                *bounds
            }
        })
        .reduce(|one, two| one.union(&two))
}

fn quantile(values: impl Iterator<Item = f64>, share: f64) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    let last = values.len().checked_sub(1)?;
    let at = ((last as f64 * share).round() as usize).min(last);
    // The order of the others does not matter: no need to sort them all for every picture.
    Some(*values.select_nth_unstable_by(at, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(center: DVec3, half: f64) -> Aabb {
        Aabb {
            min: center - DVec3::splat(half),
            max: center + DVec3::splat(half),
        }
    }

    #[test]
    fn a_ball_that_flew_away_shrinks_nothing() {
        let mut boxes: Vec<Aabb> = (0..20)
            .map(|x| cube(DVec3::X * f64::from(x), 0.5))
            .collect();
        let before = robust(&boxes).expect("boxes");
        boxes.push(cube(DVec3::splat(1e7), 0.5));
        let after = robust(&boxes).expect("boxes");
        assert!(after.contains(before.min) && after.contains(before.max));
        assert!(after.half_extents().max_element() < 12.0);
    }

    #[test]
    fn two_far_things_are_both_the_level() {
        let boxes = [cube(DVec3::ZERO, 0.1), cube(DVec3::X * 500.0, 0.1)];
        let bounds = robust(&boxes).expect("boxes");
        assert!(bounds.contains(DVec3::X * 500.0) && bounds.contains(DVec3::ZERO));
    }

    #[test]
    fn a_huge_floor_is_cut_to_where_the_rest_is() {
        let mut boxes: Vec<Aabb> = (0..10)
            .map(|x| cube(DVec3::X * f64::from(x), 0.5))
            .collect();
        boxes.push(Aabb {
            min: DVec3::new(-1e4, -1.0, -1e4),
            max: DVec3::new(1e4, 0.0, 1e4),
        });
        let bounds = robust(&boxes).expect("boxes");
        assert!(bounds.half_extents().max_element() < 40.0);
        assert!(bounds.contains(DVec3::X * 9.0));
    }

    #[test]
    fn nothing_has_no_bounds() {
        assert_eq!(robust(&[]), None);
    }
}
