//! Convex bodies and meshes against a half space: only the lowest part matters.
//!
//! With `n` the plane's normal and `low` the least of `n . p - offset` over the body: in contact when `low <= 0`, with
//! depth `-low`; swept, the lowest part meets the plane at `low / -(d . n)`. It never passes by.

use super::super::super::shape::{Mesh, Plane, Pose};
use super::super::super::tolerance;
use super::super::{Contact, Feature, Gap, Impact, SweepOutcome, Trace};
use super::{Polytope, Support};
use glam::DVec3;

/// The lowest part of something over a plane.
struct Lowest {
    /// Signed distance, metres.
    distance: f64,
    /// In the middle of the lowest part.
    point: DVec3,
    feature: Feature,
    triangle: Option<u32>,
}

/// The contact of a body with a half space, pushed along the plane's normal.
pub fn contact_polytope_plane(
    a: &Polytope,
    plane: &Plane,
    trace: &mut impl Trace,
) -> Option<Contact> {
    contact(lowest_of_polytope(a, plane)?, plane, trace)
}

/// Sweeps a body against a half space that may itself be displaced.
pub fn sweep_polytope_plane(
    a: &Polytope,
    displacement_a: DVec3,
    plane: &Plane,
    displacement_plane: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let lowest = lowest_of_polytope(a, plane);
    sweep(lowest, displacement_a, plane, displacement_plane, trace)
}

/// The signed distance of a body from a half space.
pub fn gap_polytope_plane(a: &Polytope, plane: &Plane) -> Option<Gap> {
    lowest_of_polytope(a, plane).map(|lowest| gap(&lowest, plane))
}

/// The contact of a mesh, at a pose, with a half space.
pub fn contact_mesh_plane(
    mesh: &Mesh,
    pose: &Pose,
    plane: &Plane,
    trace: &mut impl Trace,
) -> Option<Contact> {
    contact(lowest_of_mesh(mesh, pose, plane)?, plane, trace)
}

/// Sweeps a mesh, from the pose at its start, against a half space that may itself be displaced.
pub fn sweep_mesh_plane(
    mesh: &Mesh,
    pose: &Pose,
    displacement_mesh: DVec3,
    plane: &Plane,
    displacement_plane: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let lowest = lowest_of_mesh(mesh, pose, plane);
    sweep(lowest, displacement_mesh, plane, displacement_plane, trace)
}

/// The signed distance of a mesh from a half space.
pub fn gap_mesh_plane(mesh: &Mesh, pose: &Pose, plane: &Plane) -> Option<Gap> {
    lowest_of_mesh(mesh, pose, plane).map(|lowest| gap(&lowest, plane))
}

fn lowest_of_polytope(a: &Polytope, plane: &Plane) -> Option<Lowest> {
    let Support {
        feature,
        points,
        count,
    } = a.support(-plane.normal);
    let distance = plane.distance(a.origin) + a.interval(plane.normal).0;
    let middle = points[..count].iter().sum::<DVec3>() / count as f64;
    let lowest = Lowest {
        distance,
        point: a.origin + middle,
        feature,
        triangle: None,
    };
    (a.is_finite() && distance.is_finite()).then_some(lowest)
}

/// Of several vertices at the same depth, the middle; the feature is the first one, and the first triangle that has it.
fn lowest_of_mesh(mesh: &Mesh, pose: &Pose, plane: &Plane) -> Option<Lowest> {
    let normal = pose.vector_to_local(plane.normal);
    let base = plane.distance(pose.position);
    let mut least = f64::INFINITY;
    for vertex in mesh.triangles().iter().flatten() {
        least = least.min(normal.dot(mesh.vertices()[*vertex as usize]));
    }
    let slack = tolerance::FEATURE_ANGLE * mesh.reach();
    let mut found: Option<(u32, u32)> = None;
    let (mut sum, mut count) = (DVec3::ZERO, 0.0);
    for (triangle, corners) in mesh.triangles().iter().enumerate() {
        for (corner, vertex) in corners.iter().enumerate() {
            let point = mesh.vertices()[*vertex as usize];
            if normal.dot(point) <= least + slack {
                found.get_or_insert((triangle as u32, corner as u32));
                sum += point;
                count += 1.0;
            }
        }
    }
    let (triangle, corner) = found?;
    let distance = base + least;
    let lowest = Lowest {
        distance,
        point: pose.point(sum / count),
        feature: Feature::Vertex(corner),
        triangle: Some(triangle),
    };
    (pose.is_finite() && distance.is_finite()).then_some(lowest)
}

fn on_plane(point: DVec3, plane: &Plane) -> DVec3 {
    point - plane.normal * plane.distance(point)
}

fn contact(lowest: Lowest, plane: &Plane, trace: &mut impl Trace) -> Option<Contact> {
    trace.step(
        "lowest part over the plane",
        &[("distance", lowest.distance)],
    );
    (lowest.distance <= 0.0).then(|| Contact {
        point: on_plane(lowest.point, plane),
        normal: plane.normal,
        depth: -lowest.distance + 0.0,
        feature_a: lowest.feature,
        feature_b: Feature::Face(0),
        triangle: lowest.triangle,
        fallback: false,
        via_bounding_sphere: false,
    })
}

fn gap(lowest: &Lowest, plane: &Plane) -> Gap {
    let point_b = on_plane(lowest.point, plane);
    Gap {
        distance: lowest.distance,
        point_a: point_b + plane.normal * lowest.distance,
        point_b,
        via_bounding_sphere: false,
    }
}

fn sweep(
    lowest: Option<Lowest>,
    displacement_a: DVec3,
    plane: &Plane,
    displacement_plane: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let Some(lowest) = lowest else {
        return SweepOutcome::Receding;
    };
    let closing = -(displacement_a - displacement_plane).dot(plane.normal);
    let numbers = [("distance", lowest.distance), ("closing", closing)];
    let outcome = if lowest.distance < 0.0 {
        SweepOutcome::Overlapping {
            depth: -lowest.distance,
        }
    } else if closing > lowest.distance && closing.is_finite() {
        let fraction = lowest.distance / closing;
        let plane_then = displacement_plane * fraction;
        let point = lowest.point + displacement_a * fraction - plane_then;
        SweepOutcome::Hits(Impact {
            fraction,
            point: on_plane(point, plane) + plane_then,
            normal: plane.normal,
            feature_a: lowest.feature,
            feature_b: Feature::Face(0),
            triangle: lowest.triangle,
        })
    } else if closing > 0.0 && closing.is_finite() {
        SweepOutcome::Later
    } else {
        SweepOutcome::Receding
    };
    trace.step(outcome.name(), &numbers);
    outcome
}
