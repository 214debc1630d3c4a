//! Just touching: how far something goes until it meets another, by the core's own sweeps and gaps.

use crate::core::query::{SweepOutcome, contact, gap, sweep};
use crate::core::replay::ObjectId;
use crate::core::scene::Object;
use crate::core::shape::{Motion, Pose, Shape};
use crate::core::tolerance::ROUNDING_STEPS;
use glam::DVec3;

/// Somebody in the level, where they stand.
pub type Standing<'a> = (ObjectId, &'a Object, Pose);

/// The share of a way, in [0, 1], after which a shape first touches one of the others; `None` when nothing is in its way.
///
/// What it overlaps or rests on at the start without closing in does not hold it.
pub fn first_touch<'a>(
    shape: &Shape,
    from: &Pose,
    way: DVec3,
    others: impl IntoIterator<Item = Standing<'a>>,
) -> Option<f64> {
    let end = Pose {
        position: from.position + way,
        rotation: from.rotation,
    };
    let motion = Motion { start: *from, end };
    let fractions = others.into_iter().filter_map(|(_, other, pose)| {
        let found = sweep(shape, &motion, &other.shape, &Motion::still(pose), &mut ());
        match found.outcome {
            SweepOutcome::Hits(impact) => Some(impact.fraction),
            _ => None,
        }
    });
    fractions.min_by(f64::total_cmp)
}

/// The move, metres, after which a shape just touches the nearest of the others: toward it, or out of it. `None` when there is
/// none to be measured, or it touches already.
pub fn to_nearest<'a>(
    shape: &Shape,
    at: &Pose,
    others: impl IntoIterator<Item = Standing<'a>>,
) -> Option<DVec3> {
    let placed = shape.placed(at);
    let measured = others.into_iter().filter_map(|(_, other, pose)| {
        let gap = gap(&placed, &other.shape.placed(&pose))?;
        Some((gap, other, pose))
    });
    let (gap, other, pose) = measured.min_by(|a, b| a.0.distance.total_cmp(&b.0.distance))?;
    let largest = at.position.abs().max(pose.position.abs()).max_element();
    if gap.distance.abs() <= ROUNDING_STEPS * f64::EPSILON * largest.max(1.0) {
        return None;
    }
    if gap.distance < 0.0 {
        return Some(contact(&placed, &other.shape.placed(&pose), &mut ())?.push());
    }
    let way = gap.point_b - gap.point_a;
    // A little farther than the gap, so that the sweep ends in a hit.
    let reach = way * 2.0;
    let share = first_touch(shape, at, reach, [(0, other, pose)]);
    Some(share.map_or(way, |share| reach * share))
}

/// Where a shape stands when it is put onto a surface, metres: over the point, touching, as the surface's normal (unit) says.
/// `middle` is the point of the shape that stands on the normal, in the world as the shape stands now.
pub fn onto_surface(
    shape: &Shape,
    at: &Pose,
    middle: DVec3,
    (point, normal): (DVec3, DVec3),
    other: &Standing<'_>,
) -> Option<DVec3> {
    let reach = shape.reach()? * 2.0 + 1.0;
    let away = point + normal * reach - middle;
    let from = Pose {
        position: at.position + away,
        rotation: at.rotation,
    };
    let way = normal * (-reach * 2.0);
    let share = first_touch(shape, &from, way, [*other])?;
    Some(away + way * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    fn wall(x: f64) -> Object {
        let half_extents = DVec3::new(0.25, 4.0, 4.0);
        Object::new("wall", Shape::Box { half_extents }, DVec3::X * x)
    }

    fn gap_after(shape: &Shape, at: Pose, by: DVec3, wall: &Object) -> f64 {
        let there = Pose {
            position: at.position + by,
            ..at
        };
        let placed = (shape.placed(&there), wall.shape.placed(&wall.pose));
        gap(&placed.0, &placed.1).unwrap().distance
    }

    #[test]
    fn the_first_thing_in_the_way_is_touched_and_no_other() {
        let (near, far) = (wall(4.0), wall(6.0));
        let ball = Shape::Sphere { radius: 0.5 };
        let start = Pose::at(DVec3::ZERO);
        let others = || [(1, &far, far.pose), (0, &near, near.pose)];
        // Its surface at 3.75 m, the ball's at 0.5: 3.25 of 8 m.
        let share = first_touch(&ball, &start, DVec3::X * 8.0, others()).unwrap();
        assert_eq!(share, 3.25 / 8.0);
        assert_eq!(
            gap_after(&ball, start, DVec3::X * (8.0 * share), &near),
            0.0
        );
        assert_eq!(first_touch(&ball, &start, DVec3::Y * 8.0, others()), None);
        assert_eq!(first_touch(&ball, &start, DVec3::X * 3.0, others()), None);
    }

    #[test]
    fn put_just_touching_leaves_no_gap_from_either_side() {
        let wall = wall(4.0);
        let turned = DQuat::from_rotation_z(0.3);
        let box_ = Shape::Box {
            half_extents: DVec3::new(0.5, 0.25, 1.0),
        };
        for (shape, at) in [
            (Shape::Sphere { radius: 0.5 }, Pose::at(DVec3::ZERO)),
            (Shape::Sphere { radius: 0.5 }, Pose::at(DVec3::X * 3.5)),
            (box_.clone(), Pose::at(DVec3::new(0.0, 0.5, 0.25))),
            (
                box_,
                Pose {
                    position: DVec3::ZERO,
                    rotation: turned,
                },
            ),
        ] {
            let by = to_nearest(&shape, &at, [(0, &wall, wall.pose)]).unwrap();
            let gap = gap_after(&shape, at, by, &wall);
            assert!(gap.abs() < 1e-14, "{shape:?} is left with {gap}");
        }
        let ball = Shape::Sphere { radius: 0.5 };
        let rests = Pose::at(DVec3::X * 3.25);
        assert_eq!(to_nearest(&ball, &rests, [(0, &wall, wall.pose)]), None);
    }

    #[test]
    fn what_is_put_onto_a_surface_touches_it() {
        let wall = wall(4.0);
        let standing = (0, &wall, wall.pose);
        let point = DVec3::new(3.75, 1.5, -2.0);
        let ball = Shape::Sphere { radius: 0.5 };
        let at = Pose::at(DVec3::new(-7.0, 3.0, 0.0));
        let by = onto_surface(&ball, &at, at.position, (point, DVec3::NEG_X), &standing).unwrap();
        let there = at.position + by;
        assert!((there - DVec3::new(3.25, 1.5, -2.0)).length() < 1e-12);
        assert!(gap_after(&ball, at, by, &wall).abs() < 1e-14);
    }
}
