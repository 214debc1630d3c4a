//! A sphere and a mesh: its triangles near the sphere, the deepest decides.

use super::noise_of;
use super::sphere_obb::to_world as nearest_to_world;
use super::sphere_triangle::contact_local;
use crate::core::query::in_range::is_refused;
use crate::core::query::nearest::{Nearest, nearest_on_triangle, on_colliding_side};
use crate::core::query::{Contact, Trace};
use crate::core::shape::{Aabb, Mesh, Pose, Sphere, Triangle};
use glam::DVec3;

/// The deepest contact of a sphere and a mesh at a pose; equal depths go to the lowest triangle index.
pub fn contact_sphere_mesh(
    sphere: &Sphere,
    mesh: &Mesh,
    pose: &Pose,
    trace: &mut impl Trace,
) -> Option<Contact> {
    if is_refused(&[sphere, mesh, pose], trace) {
        return None;
    }
    let local = Sphere {
        center: pose.point_to_local(sphere.center),
        radius: sphere.radius,
    };
    let slack = noise_of(&[local.center, DVec3::splat(local.radius)]);
    let (contact, tested) = deepest_of_mesh(mesh, &local.aabb().grown(slack), |triangle| {
        contact_local(&local, sphere.center, triangle, pose, &mut ())
    });
    trace.step("TrianglesTested", &[("count", f64::from(tested))]);
    let contact = contact?;
    let index = contact.triangle?;
    trace.step("DeepestTriangle", &[("index", f64::from(index))]);
    // The same code again on the one that decided, for its steps.
    contact_local(&local, sphere.center, &mesh.triangle(index), pose, trace);
    Some(to_world(contact, pose))
}

/// The deepest of `contact` over the triangles near `bounds` (local space), and how many were tried.
pub(crate) fn deepest_of_mesh(
    mesh: &Mesh,
    bounds: &Aabb,
    mut contact: impl FnMut(&Triangle) -> Option<Contact>,
) -> (Option<Contact>, u32) {
    let mut deepest: Option<Contact> = None;
    let mut tested = 0;
    mesh.for_each_in(bounds, &mut |index| {
        tested += 1;
        let Some(found) = contact(&mesh.triangle(index)) else {
            return;
        };
        let wins = deepest.is_none_or(|best| {
            found.depth > best.depth || (found.depth == best.depth && Some(index) < best.triangle)
        });
        if wins {
            deepest = Some(Contact {
                triangle: Some(index),
                ..found
            });
        }
    });
    (deepest, tested)
}

/// The surface of a mesh nearest to a world point, looking farther and farther until nothing nearer can be left; `None`
/// behind all of its one-sided triangles. Equal distances go to the lowest triangle index, which is told.
pub(crate) fn nearest_on_mesh(point: DVec3, mesh: &Mesh, pose: &Pose) -> Option<(u32, Nearest)> {
    let local = pose.point_to_local(point);
    let at = Aabb {
        min: local,
        max: local,
    };
    let everything = at.union(&mesh.aabb());
    let reach = (everything.max - everything.min).max_element();
    let mut margin = reach / 64.0;
    loop {
        let mut best: Option<(u32, Nearest)> = None;
        mesh.for_each_in(&at.grown(margin), &mut |index| {
            let triangle = mesh.triangle(index);
            if !on_colliding_side(local, &triangle) {
                return;
            }
            let found = nearest_on_triangle(local, &triangle);
            if best.is_none_or(|(lowest, known)| {
                found.distance < known.distance
                    || (found.distance == known.distance && index < lowest)
            }) {
                best = Some((index, found));
            }
        });
        match best {
            Some((index, nearest)) if nearest.distance <= margin || margin > reach => {
                return Some((index, nearest_to_world(nearest, pose)));
            }
            None if margin > reach => return None,
            Some((_, nearest)) => margin = nearest.distance,
            None => margin = (margin * 4.0).max(f64::MIN_POSITIVE),
        }
    }
}

/// Brings a contact from a mesh's local space into the world.
pub(crate) fn to_world(contact: Contact, pose: &Pose) -> Contact {
    Contact {
        point: pose.point(contact.point),
        normal: pose.vector(contact.normal),
        ..contact
    }
}
