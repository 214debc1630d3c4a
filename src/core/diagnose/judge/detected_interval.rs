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
