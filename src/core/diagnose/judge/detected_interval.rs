//! The part of a motion during which an overlap test detects a pair: from the impact to the exit.
//!
//! Two convex shapes in straight relative motion overlap during one interval, and its end is the impact of the reversed
//! motion. A mesh is followed from triangle to triangle while the next one touches where the last ends.

use super::pair::Pair;
use crate::core::diagnose::shape_metrics::center;
use crate::core::shape::{Mesh, Motion, Pose, Shape};
use crate::core::tolerance::SEEN_STEP;

/// Limit of mesh triangles that are followed.
const FOLLOWED: usize = 16;

/// Fraction of the interval from the impact at `fraction` until they are apart again.
///
/// At most the rest of the interval; `None` when the exit is not found.
pub fn share(pair: &Pair<'_>, fraction: f64, triangle: Option<u32>) -> Option<f64> {
    let held = held_at(pair, fraction);
    let exit = match (pair.mesh(), triangle) {
        (Some(mesh), Some(first)) => follow(&held, mesh, first, fraction),
        _ => exit_of(&held, fraction),
    };
    exit.map(|exit| (exit.min(1.0) - fraction).max(0.0))
}

/// Where two convex shapes that touch at `fraction` separate, as a fraction of the interval, without rotation from there on.
pub fn exit_at(pair: &Pair<'_>, fraction: f64) -> Option<f64> {
    exit_of(&held_at(pair, fraction), fraction)
}

/// The same interval with both rotations fixed as at the impact.
fn held_at<'r>(pair: &Pair<'r>, fraction: f64) -> Pair<'r> {
    let held = |motion: &Motion| {
        let rotation = motion.pose(fraction).rotation;
        let at = |pose: Pose| Pose { rotation, ..pose };
        Motion {
            start: at(motion.start),
            end: at(motion.end),
        }
    };
    pair.map(|side| side.on(held(&side.motion), 1.0))
}

/// Where two convex shapes separate, as a fraction of the interval: the impact of the reversed motion.
fn exit_of(pair: &Pair<'_>, fraction: f64) -> Option<f64> {
    let reversed = pair.map(|side| side.on(side.motion.reversed(), 1.0));
    let sweep = reversed.sweep();
    let exit = 1.0 - sweep.outcome.impact()?.fraction;
    // A one-sided triangle is not detected once the centre has passed it.
    let one_sided = pair.is_one_sided();
    let hidden = one_sided.then(|| passes_at(pair, fraction)).flatten();
    let hidden = hidden.filter(|hidden| *hidden > fraction);
    Some(hidden.map_or(exit, |hidden| exit.min(hidden)))
}

/// Where the body's centre passes the triangle's plane, as a fraction of the interval.
fn passes_at(pair: &Pair<'_>, fraction: f64) -> Option<f64> {
    let (body, surface) = match (pair.mover.shape, pair.obstacle.shape) {
        (_, Shape::Triangle(_)) => (&pair.mover, &pair.obstacle),
        _ => (&pair.obstacle, &pair.mover),
    };
    let Shape::Triangle(triangle) = surface.shape else {
        return None;
    };
    let (travel, frame) = (&body.motion, &surface.motion);
    let placed = triangle.transformed(&frame.pose(fraction));
    let up = placed.normal()?;
    let height = (center(body.shape, &travel.pose(fraction))? - placed.a).dot(up);
    let rate = (travel.displacement() - frame.displacement()).dot(up);
    (rate < 0.0).then(|| fraction - height / rate)
}

/// Follows a mesh from the triangle that was hit; the mesh is the mover's or the obstacle's.
fn follow(pair: &Pair<'_>, mesh: (&Mesh, bool), first: u32, fraction: f64) -> Option<f64> {
    let exit_of_triangle = |triangle: u32, fraction: f64| {
        let shape = Shape::Triangle(mesh.0.triangle(triangle));
        exit_of(&pair.with_shape(mesh.1, &shape), fraction)
    };
    let mut exit = exit_of_triangle(first, fraction)?;
    for _ in 0..FOLLOWED {
        let at = exit + SEEN_STEP;
        if at >= 1.0 {
            break;
        }
        let contact = pair.contact_at(|motion| motion.pose(at));
        let next = contact.and_then(|contact| contact.triangle);
        let further = next.and_then(|next| exit_of_triangle(next, at));
        match further {
            Some(further) if further > at => exit = further,
            _ => break,
        }
    }
    Some(exit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::replay::Replay;
    use crate::core::scene::{Object, Scene};
    use crate::core::shape::{Facing, Triangle};
    use glam::DVec3;
    use std::sync::Arc;

    /// The share of the way of a ball of 0.5 m along -y, between these heights, from a fraction on.
    fn detected(
        obstacle: Shape,
        [from, to]: [f64; 2],
        fraction: f64,
        triangle: Option<u32>,
    ) -> f64 {
        let at = |y: f64| DVec3::Y * y;
        let objects = vec![
            Object::new("ball", Shape::Sphere { radius: 0.5 }, at(from)),
            Object::new("obstacle", obstacle, DVec3::ZERO),
        ];
        let replay = Replay::stepped(Scene::new("test", objects).into());
        let way = Motion {
            start: Pose::at(at(from)),
            end: Pose::at(at(to)),
        };
        let interval = (0.0, 1.0, way, Motion::still(Pose::IDENTITY));
        let pair = Pair::new(&replay, (0, 1), interval).unwrap();
        share(&pair, fraction, triangle).expect("it comes out")
    }

    fn corners(y: f64) -> [DVec3; 3] {
        [
            DVec3::new(-9.0, y, -9.0),
            DVec3::new(0.0, y, 18.0),
            DVec3::new(9.0, y, -9.0),
        ]
    }

    /// 4 m of way: a triangle is touched from 0.5 m above it to 0.5 m below, a one-sided one until the centre is at it.
    #[test]
    fn a_one_sided_triangle_is_detected_until_the_centre_is_past() {
        for (facing, expected) in [(Facing::Both, 0.25), (Facing::Front, 0.125)] {
            let [a, b, c] = corners(0.0);
            let triangle = Shape::Triangle(Triangle { a, b, c, facing });
            let got = detected(triangle, [2.0, -2.0], 0.375, None);
            assert!((got - expected).abs() < 1e-12, "{facing:?}: {got}");
        }
    }

    /// Two sheets of a mesh below each other, on a way of 8 m: the second is touched before the ball is out of the first, or just then, until 0.5 m below
    /// it.
    #[test]
    fn a_mesh_is_followed_from_sheet_to_sheet() {
        for apart in [0.9, 1.0] {
            let vertices = [corners(0.0), corners(-apart)].concat();
            let mesh = Mesh::new(vertices, vec![[0, 1, 2], [3, 4, 5]], Facing::Both).unwrap();
            let mesh = Shape::Mesh(Arc::new(mesh));
            let got = detected(mesh, [2.0, -6.0], 1.5 / 8.0, Some(0));
            assert!((got - (1.0 + apart) / 8.0).abs() < 1e-9, "{apart}: {got}");
        }
    }
}
