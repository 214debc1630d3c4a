//! Bounding boxes of the level and of objects, for framing the view.

use super::{Compared, ViewportInput};
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::Movement;
use crate::core::shape::{Aabb, Pose, Shape};
use glam::DVec3;

/// Share of the moving objects that is framed, those nearest to the fixed ones; the others flew away.
const MOVING: f64 = 0.95;

/// Multiple of the usual distance from the centre beyond which a box is an outlier.
const OUTLIER: f64 = 6.0;

/// The box around most of the level at the playhead: without planes, objects that are hidden or not finite, outliers, and moving ones that left the
/// surroundings of the level's start; large floors and walls are clipped to the area of the rest. `None` when no object is left.
pub fn level_bounds(input: &ViewportInput<'_>) -> Option<Aabb> {
    let objects = input.replay.objects();
    let boxes = visible(input).filter_map(|id| {
        let bounds = object_bounds(input, id)?;
        Some((bounds, objects[id as usize].movement == Movement::Fixed))
    });
    let boxes: Vec<(Aabb, bool)> = boxes.collect();
    let near = near_start(&boxes, start_bounds(input.replay));
    in_plane(input.replay, robust_union(near.into_iter()))
}

/// The boxes without moving ones that are farther from a box than its size; all of them where nothing else is left.
fn near_start(boxes: &[(Aabb, bool)], start: Option<Aabb>) -> Vec<(Aabb, bool)> {
    let around = start.map(|start| start.grown(2.0 * start.half_extents().length()));
    let is_near = |bounds: &Aabb| around.is_none_or(|around| around.overlaps(bounds));
    let boxes = boxes.iter().copied();
    let near: Vec<_> = boxes
        .clone()
        .filter(|(bounds, fixed)| *fixed || is_near(bounds))
        .collect();
    if near.is_empty() {
        boxes.collect()
    } else {
        near
    }
}

/// The part of a box in the plane of a flat level, whose shapes are as deep as they are wide.
fn in_plane(replay: &Replay, bounds: Option<Aabb>) -> Option<Aabb> {
    let mut bounds = bounds?;
    if replay.units().units.flat {
        (bounds.min.z, bounds.max.z) = (0.0, 0.0);
    }
    Some(bounds)
}

/// The box around all objects at the playhead that have one and are not hidden, also those that flew away.
pub fn whole_bounds(input: &ViewportInput<'_>) -> Option<Aabb> {
    let boxes = visible(input).filter_map(|id| object_bounds(input, id));
    in_plane(input.replay, boxes.reduce(|one, two| one.union(&two)))
}

fn visible(input: &ViewportInput<'_>) -> impl Iterator<Item = ObjectId> {
    let all = (0..input.replay.objects().len()).map(|index| index as ObjectId);
    all.filter(|&id| !input.visibility.hides(id))
}

/// The box around most of a level in its first state, as [`level_bounds`].
pub fn start_bounds(replay: &Replay) -> Option<Aabb> {
    let state = replay.state(0);
    let bounds = robust_union(state.present().filter_map(|(id, body)| {
        let object = &replay.objects()[id as usize];
        let bounds = finite_bounds(&object.shape, &body.pose)?;
        Some((bounds, object.movement == Movement::Fixed))
    }));
    in_plane(replay, bounds)
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
    let bounds = boxes.chain(others).reduce(|one, two| one.union(&two));
    in_plane(input.replay, bounds)
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

/// The box around most of the boxes, each with whether it is fixed: skips moving ones far from the others and outliers, clips large boxes.
fn robust_union(boxes: impl Iterator<Item = (Aabb, bool)>) -> Option<Aabb> {
    let (fixed, moving): (Vec<_>, Vec<_>) = boxes.partition(|(_, fixed)| *fixed);
    let [mut boxes, mut moving] = [fixed, moving].map(|list| {
        list.into_iter()
            .map(|(bounds, _)| bounds)
            .collect::<Vec<_>>()
    });
    let around = median(if boxes.is_empty() { &moving } else { &boxes });
    moving.sort_by(|one, other| {
        let distance = |bounds: &Aabb| (bounds.center() - around).length();
        distance(one).total_cmp(&distance(other))
    });
    moving.truncate((MOVING * moving.len() as f64).ceil() as usize);
    boxes.append(&mut moving);
    let median = median(&boxes);
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

fn median(boxes: &[Aabb]) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|axis| {
        quantile(boxes.iter().map(|bounds| bounds.center()[axis]), 0.5).unwrap_or(0.0)
    }))
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

    fn still(boxes: &[Aabb]) -> impl Iterator<Item = (Aabb, bool)> {
        boxes.iter().map(|bounds| (*bounds, true))
    }

    /// Of 41 balls in a row from a wall on, the last flew to x = 200: the two that are farthest are left out.
    #[test]
    fn what_flew_away_is_not_framed() {
        let wall = [cube(DVec3::ZERO, 0.5)];
        let places = (0..40).map(f64::from).chain([200.0]);
        let balls = places.map(|x| (cube(DVec3::X * x, 0.5), false));
        let bounds = robust_union(still(&wall).chain(balls)).expect("boxes");
        assert_eq!((bounds.min.x, bounds.max.x), (-0.5, 38.5));
    }

    #[test]
    fn an_outlier_does_not_enlarge_the_bounds() {
        let mut boxes: Vec<Aabb> = (0..20)
            .map(|x| cube(DVec3::X * f64::from(x), 0.5))
            .collect();
        let before = robust_union(still(&boxes)).expect("boxes");
        boxes.push(cube(DVec3::splat(1e7), 0.5));
        let after = robust_union(still(&boxes)).expect("boxes");
        assert!(after.contains(before.min) && after.contains(before.max));
        assert!(after.half_extents().max_element() < 12.0);
    }

    #[test]
    fn two_distant_objects_are_both_inside() {
        let boxes = [cube(DVec3::ZERO, 0.1), cube(DVec3::X * 500.0, 0.1)];
        let bounds = robust_union(still(&boxes)).expect("boxes");
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
        let bounds = robust_union(still(&boxes)).expect("boxes");
        assert!(bounds.half_extents().max_element() < 40.0);
        assert!(bounds.contains(DVec3::X * 9.0));
    }

    /// Twelve bullets far behind two walls: the walls are framed. Where nothing is fixed, the bullets are.
    #[test]
    fn what_left_the_level_is_not_framed() {
        let start = cube(DVec3::ZERO, 2.0);
        let walls = [cube(DVec3::ZERO, 0.5), cube(DVec3::X, 0.5)];
        let bullets = (0..12).map(|x| (cube(DVec3::X * (100.0 + f64::from(x)), 0.1), false));
        let all: Vec<_> = still(&walls).chain(bullets.clone()).collect();
        let near = robust_union(near_start(&all, Some(start)).into_iter()).expect("boxes");
        assert_eq!((near.min.x, near.max.x), (-0.5, 1.5));
        let bullets: Vec<_> = bullets.collect();
        assert_eq!(near_start(&bullets, Some(start)), bullets);
    }

    #[test]
    fn no_boxes_have_no_bounds() {
        assert_eq!(robust_union(still(&[])), None);
    }
}
