//! Snapping: the displacements after which an object touches others.

use crate::core::query::{SweepOutcome, contact, gap, sweep};
use crate::core::replay::ObjectId;
use crate::core::scene::Object;
use crate::core::shape::{Motion, Pose, Shape};
use crate::core::tolerance::ROUNDING_STEPS;
use glam::DVec3;

/// An object with its id and current pose.
pub type PlacedObject<'a> = (ObjectId, &'a Object, Pose);

/// The fraction of a displacement after which a shape first touches one of the others; `None` without an impact.
///
/// An object that it overlaps or touches at the start and does not approach is ignored.
pub fn first_contact<'a>(
    shape: &Shape,
    from: &Pose,
    displacement: DVec3,
    others: impl IntoIterator<Item = PlacedObject<'a>>,
) -> Option<f64> {
    let end = Pose {
        position: from.position + displacement,
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

/// The displacement, metres, after which a shape touches the nearest of the others, towards it or out of it. `None` without one at a
/// measurable distance, and when they touch already.
pub fn move_to_contact<'a>(
    shape: &Shape,
    at: &Pose,
    others: impl IntoIterator<Item = PlacedObject<'a>>,
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
    let towards = gap.point_b - gap.point_a;
    // Beyond the gap, so that the sweep hits.
    let path = towards * 2.0;
    let fraction = first_contact(shape, at, path, [(0, other, pose)]);
    Some(fraction.map_or(towards, |fraction| path * fraction))
}

/// The displacement, metres, after which a shape touches a surface at a point with this unit normal. `center` is the point of the
/// shape, world space, that comes to lie on the normal.
pub fn move_onto_surface(
    shape: &Shape,
    at: &Pose,
    center: DVec3,
    (point, normal): (DVec3, DVec3),
    other: &PlacedObject<'_>,
) -> Option<DVec3> {
    let reach = shape.reach()? * 2.0 + 1.0;
    let away = point + normal * reach - center;
    let from = Pose {
        position: at.position + away,
        rotation: at.rotation,
    };
    let back = normal * (-reach * 2.0);
    let fraction = first_contact(shape, &from, back, [*other])?;
    Some(away + back * fraction)
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
    fn first_contact_is_with_the_nearest_object() {
        let (near, far) = (wall(4.0), wall(6.0));
        let ball = Shape::Sphere { radius: 0.5 };
        let start = Pose::at(DVec3::ZERO);
        let others = || [(1, &far, far.pose), (0, &near, near.pose)];
        // Its surface at 3.75 m, the ball's at 0.5: 3.25 of 8 m.
        let fraction = first_contact(&ball, &start, DVec3::X * 8.0, others()).unwrap();
        assert_eq!(fraction, 3.25 / 8.0);
        assert_eq!(
            gap_after(&ball, start, DVec3::X * (8.0 * fraction), &near),
            0.0
        );
        assert_eq!(first_contact(&ball, &start, DVec3::Y * 8.0, others()), None);
        assert_eq!(first_contact(&ball, &start, DVec3::X * 3.0, others()), None);
    }

    #[test]
    fn move_to_contact_leaves_no_gap() {
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
            let by = move_to_contact(&shape, &at, [(0, &wall, wall.pose)]).unwrap();
            let gap = gap_after(&shape, at, by, &wall);
            assert!(gap.abs() < 1e-14, "{shape:?} is left with {gap}");
        }
        let ball = Shape::Sphere { radius: 0.5 };
        let rests = Pose::at(DVec3::X * 3.25);
        assert_eq!(
            move_to_contact(&ball, &rests, [(0, &wall, wall.pose)]),
            None
        );
    }

    #[test]
    fn move_onto_surface_ends_in_contact() {
        let wall = wall(4.0);
        let placed = (0, &wall, wall.pose);
        let point = DVec3::new(3.75, 1.5, -2.0);
        let ball = Shape::Sphere { radius: 0.5 };
        let at = Pose::at(DVec3::new(-7.0, 3.0, 0.0));
        let by =
            move_onto_surface(&ball, &at, at.position, (point, DVec3::NEG_X), &placed).unwrap();
        let there = at.position + by;
        assert!((there - DVec3::new(3.25, 1.5, -2.0)).length() < 1e-12);
        assert!(gap_after(&ball, at, by, &wall).abs() < 1e-14);
    }
}
