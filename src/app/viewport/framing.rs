//! Bounding boxes of the level and of objects, for framing the view.

use super::{Compared, ViewportInput};
use crate::core::replay::{ObjectId, Replay};
use crate::core::shape::{Aabb, Pose, Shape};
use glam::DVec3;

/// Multiple of the usual distance from the centre beyond which a box is an outlier.
const OUTLIER: f64 = 6.0;

/// The box around most of the level at the playhead: without planes, objects that are hidden or not finite, and outliers; large floors
/// and walls are clipped to the area of the rest. `None` when no object is left.
pub fn level_bounds(input: &ViewportInput<'_>) -> Option<Aabb> {
    let all = (0..input.replay.objects().len()).map(|index| index as ObjectId);
    let visible = all.filter(|&id| !input.visibility.hides(id));
    robust_union(
        &visible
            .filter_map(|id| object_bounds(input, id))
            .collect::<Vec<_>>(),
    )
}

/// The box around most of a level in its first state, as [`level_bounds`].
pub fn start_bounds(replay: &Replay) -> Option<Aabb> {
    let state = replay.state(0);
    let bodies = replay.objects().iter().zip(&state.bodies);
    let placed = bodies.filter_map(|(object, body)| finite_bounds(&object.shape, &(*body)?.pose));
    robust_union(&placed.collect::<Vec<_>>())
}

/// The box around some objects at the playhead, where present, including their poses in a compared replay.
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

/// The box around most of the boxes: skips outliers, clips large boxes.
fn robust_union(boxes: &[Aabb]) -> Option<Aabb> {
    let median = DVec3::from_array(std::array::from_fn(|axis| {
        quantile(boxes.iter().map(|bounds| bounds.center()[axis]), 0.5).unwrap_or(0.0)
    }));
    let distance = |bounds: &Aabb| (bounds.center() - median).length();
    let usual = quantile(boxes.iter().map(distance), 0.8)?;
    let size = quantile(
        boxes.iter().map(|bounds| bounds.half_extents().length()),
        0.5,
    )?;
    // With fewer than five objects a far one may be the purpose of the level, and none is an outlier.
    let limit = if boxes.len() < 5 {
        f64::INFINITY
    } else {
        (usual + size * 2.0) * OUTLIER
    };
    let clip = (usual + size * 2.0).max(1e-3) * 2.5;
    boxes
        .iter()
        .filter(|bounds| distance(bounds) <= limit)
        .map(|bounds| {
            let half = bounds.half_extents().length();
            if boxes.len() > 1 && half > clip {
                Aabb {
                    min: bounds.min.max(median - DVec3::splat(clip)).min(bounds.max),
                    max: bounds.max.min(median + DVec3::splat(clip)).max(bounds.min),
                }
            } else {
                *bounds
            }
        })
        .reduce(|one, two| one.union(&two))
}

fn quantile(values: impl Iterator<Item = f64>, fraction: f64) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    let last = values.len().checked_sub(1)?;
    let at = ((last as f64 * fraction).round() as usize).min(last);
    // Cheaper than a full sort.
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
    fn an_outlier_does_not_enlarge_the_bounds() {
        let mut boxes: Vec<Aabb> = (0..20)
            .map(|x| cube(DVec3::X * f64::from(x), 0.5))
            .collect();
        let before = robust_union(&boxes).expect("boxes");
        boxes.push(cube(DVec3::splat(1e7), 0.5));
        let after = robust_union(&boxes).expect("boxes");
        assert!(after.contains(before.min) && after.contains(before.max));
        assert!(after.half_extents().max_element() < 12.0);
    }

    #[test]
    fn two_distant_objects_are_both_inside() {
        let boxes = [cube(DVec3::ZERO, 0.1), cube(DVec3::X * 500.0, 0.1)];
        let bounds = robust_union(&boxes).expect("boxes");
        assert!(bounds.contains(DVec3::X * 500.0) && bounds.contains(DVec3::ZERO));
    }

    #[test]
    fn a_huge_floor_is_clipped_to_the_area_of_the_rest() {
        let mut boxes: Vec<Aabb> = (0..10)
            .map(|x| cube(DVec3::X * f64::from(x), 0.5))
            .collect();
        boxes.push(Aabb {
            min: DVec3::new(-1e4, -1.0, -1e4),
            max: DVec3::new(1e4, 0.0, 1e4),
        });
        let bounds = robust_union(&boxes).expect("boxes");
        assert!(bounds.half_extents().max_element() < 40.0);
        assert!(bounds.contains(DVec3::X * 9.0));
    }

    #[test]
    fn no_boxes_have_no_bounds() {
        assert_eq!(robust_union(&[]), None);
    }
}
