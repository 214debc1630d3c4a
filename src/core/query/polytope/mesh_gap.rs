//! How far convex bodies and meshes are from meshes.
//!
//! All work is done in the (second) mesh's space.

use super::super::super::shape::{Mesh, Pose};
use super::super::in_range::{InRange, is_refused};
use super::super::{Gap, Trace};
use super::Polytope;
use super::gap::gap_polytope_polytope;
use super::mesh::{Place, placed_triangle};

/// The least signed distance to any triangle; `None` where the body lies behind all that are one-sided.
pub fn gap_polytope_mesh(
    a: &Polytope,
    mesh: &Mesh,
    pose: &Pose,
    trace: &mut impl Trace,
) -> Option<Gap> {
    if is_refused(&[a, mesh, pose], trace) {
        return None;
    }
    let local = a.to_local(pose);
    tell_gap_triangle(nearest(&local, 0, mesh, None), |_| local, mesh, pose, trace)
}

/// The nearest triangle of a mesh, and of the body against it again, for its steps; the gap in the world.
fn tell_gap_triangle(
    nearest: Option<Facing>,
    body: impl FnOnce(&Facing) -> Polytope,
    mesh: &Mesh,
    pose: &Pose,
    trace: &mut impl Trace,
) -> Option<Gap> {
    let Some(found) = nearest else {
        trace.step("BehindOneSided", &[]);
        return None;
    };
    if trace.is_heard() {
        trace.step(
            "NearestTriangle",
            &[("index", f64::from(found.place.triangle))],
        );
        let triangle = Polytope::from_triangle(&mesh.triangle(found.place.triangle));
        gap_polytope_polytope(&body(&found), &triangle, trace);
    }
    Some(gap_to_world(found.gap, pose))
}

/// The nearest gap so far.
#[derive(Clone, Copy)]
struct Facing {
    gap: Gap,
    place: Place,
}

fn gap_to_world(gap: Gap, pose: &Pose) -> Gap {
    Gap {
        point_a: pose.point(gap.point_a),
        point_b: pose.point(gap.point_b),
        ..gap
    }
}

/// In the mesh's space; `best` where no triangle is nearer.
fn nearest(a: &Polytope, other: u32, mesh: &Mesh, mut best: Option<Facing>) -> Option<Facing> {
    if !a.is_in_range() {
        return best;
    }
    // Overlapping triangles have boxes at distance 0: the limit must not fall below it.
    let limit =
        |best: Option<Facing>| best.map_or(f64::INFINITY, |best| best.gap.distance.max(0.0));
    mesh.for_each_near(&a.aabb().grown_for_rounding(), limit(best), &mut |index| {
        let b = Polytope::from_triangle(&mesh.triangle(index));
        if let Some(gap) = gap_polytope_polytope(a, &b, &mut ())
            && best.is_none_or(|best| gap.distance < best.gap.distance)
        {
            let place = Place {
                triangle: index,
                other,
            };
            best = Some(Facing { gap, place });
        }
        limit(best)
    });
    best
}

/// The least signed distance of any two triangles.
pub fn gap_mesh_mesh(
    mesh_a: &Mesh,
    pose_a: &Pose,
    mesh_b: &Mesh,
    pose_b: &Pose,
    trace: &mut impl Trace,
) -> Option<Gap> {
    if is_refused(&[mesh_a, pose_a, mesh_b, pose_b], trace) {
        return None;
    }
    let place = |index| placed_triangle(mesh_a, pose_a, pose_b, index);
    let mut best: Option<Facing> = None;
    for other in 0..mesh_a.triangles().len() as u32 {
        best = nearest(&place(other), other, mesh_b, best);
    }
    if let Some(found) = best {
        trace.step("OwnTriangle", &[("index", f64::from(found.place.other))]);
    }
    tell_gap_triangle(
        best,
        |found| place(found.place.other),
        mesh_b,
        pose_b,
        trace,
    )
}
