//! A swept sphere against a half space: one division.

use super::{Convex, Doubt, Entry, Path, in_world, noise_of, sweep_rounded};
use crate::core::query::exact::{ExactSweep, exact_plane};
use crate::core::query::in_range::is_refused;
use crate::core::query::nearest::{Nearest, nearest_on_plane};
use crate::core::query::{Feature, SweepOutcome, Trace};
use crate::core::shape::{Plane, Pose, Sphere};
use glam::DVec3;

/// Sweeps a sphere against a half space; both move by their displacement over the frame.
pub fn sweep_sphere_plane(
    sphere: &Sphere,
    displacement: DVec3,
    plane: &Plane,
    plane_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    if is_refused(&[sphere, &displacement, plane, &plane_displacement], trace) {
        return SweepOutcome::Receding;
    }
    let path = Path::relative(sphere, displacement, plane_displacement);
    let body = || exact_plane(sphere.center, plane);
    let radii = [sphere.radius, 0.0];
    let doubt = Doubt {
        // Not shifted: the normal meets the coordinates as they are.
        noise: noise_of(&[
            sphere.center,
            path.step,
            DVec3::splat(plane.offset),
            DVec3::splat(sphere.radius),
        ]),
        exact: &|| ExactSweep::new(body(), displacement, plane_displacement, radii),
    };
    let outcome = sweep_rounded(plane, &path, sphere.radius, &doubt, trace);
    in_world(outcome, &Pose::IDENTITY, sphere, displacement)
}

impl Convex for Plane {
    fn nearest(&self, point: DVec3) -> Nearest {
        nearest_on_plane(point, self)
    }

    fn enter(&self, path: &Path, radius: f64) -> Option<Entry> {
        let approach = -self.normal.dot(path.step);
        (approach > 0.0).then(|| Entry {
            fraction: (self.distance(path.start) - radius).max(0.0) / approach,
            normal: Some(self.normal),
            feature: Feature::Face(0),
        })
    }

    fn closest_approach(&self, path: &Path) -> f64 {
        // The distance is linear: nearest at an end.
        if self.normal.dot(path.step) < 0.0 {
            1.0
        } else {
            0.0
        }
    }
}
