//! The points of a mesh that its convex hull needs.

use crate::core::shape::{ConvexHull, HULL_POINTS, Mesh};
use glam::DVec3;
use std::cmp::Ordering;

/// Limit of the points that are reduced to the corners of their hull.
const MAX_POINTS: usize = 200_000;

/// The convex hull of a mesh; more points than a hull may have are reduced to its corners.
///
/// # Errors
/// A sentence, when it is flat or has too many corners.
pub(super) fn hull_of(mesh: &Mesh) -> Result<ConvexHull, &'static str> {
    let used = mesh.triangles().flatten();
    let mut points: Vec<DVec3> = used.map(|vertex| mesh.vertex(vertex as usize)).collect();
    sort_distinct(&mut points);
    let limit = *HULL_POINTS.end();
    while points.len() > limit {
        let before = points.len();
        points = corners_of_parts(&points);
        if before > MAX_POINTS || (points.len() > limit && points.len() > before - before / 10) {
            return Err(
                "its marker asks for a convex hull, which has at most 1,024 corners; its triangles are taken",
            );
        }
    }
    ConvexHull::new(points, 0.0)
        .map_err(|_| "its marker asks for a convex hull, but it is flat; its triangles are taken")
}

/// The corners of the hulls of parts of the points, each a sample of all of them: the corners of the whole are among them.
fn corners_of_parts(points: &[DVec3]) -> Vec<DVec3> {
    let parts = points.len().div_ceil(*HULL_POINTS.end()).min(points.len());
    if points.len() > MAX_POINTS {
        return points.to_vec();
    }
    let mut corners = Vec::new();
    for part in 0..parts {
        let own: Vec<DVec3> = points.iter().skip(part).step_by(parts).copied().collect();
        match ConvexHull::new(own.clone(), 0.0) {
            Ok(hull) => {
                let faces = hull.faces().iter().flat_map(|face| &face.corners);
                corners.extend(faces.map(|&corner| own[corner as usize]));
            }
            // Flat.
            Err(_) => corners.extend(own),
        }
    }
    sort_distinct(&mut corners);
    corners
}

/// Sorts points by x, y, z, and removes repeated ones.
pub(super) fn sort_distinct(points: &mut Vec<DVec3>) {
    points.sort_by(|one, other| {
        let [one, other] = [one, other].map(|point| point.to_array());
        let parts = one.iter().zip(&other);
        parts.fold(Ordering::Equal, |order, (a, b)| order.then(a.total_cmp(b)))
    });
    points.dedup();
}
