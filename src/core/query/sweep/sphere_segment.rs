//! A swept sphere against a segment or a capsule: a ray against a capsule, its cylinder and its two end balls.

use super::{
    Convex, Doubt, Entry, Path, earlier, enter_ball, enter_cylinder, in_world, noise_of,
    sweep_rounded,
};
use crate::core::query::closest_point::closest_points_of_segments;
use crate::core::query::exact::{ExactSweep, exact_segment};
use crate::core::query::in_range::is_refused;
use crate::core::query::nearest::{Nearest, nearest_on_segment};
use crate::core::query::{SweepOutcome, Trace};
use crate::core::shape::{Capsule, Pose, Segment, Sphere};
use glam::DVec3;

/// Sweeps a sphere against a segment; both move by their displacement over the frame.
pub fn sweep_sphere_segment(
    sphere: &Sphere,
    displacement: DVec3,
    segment: &Segment,
    segment_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let capsule = Capsule {
        segment: *segment,
        radius: 0.0,
    };
    sweep_sphere_capsule(sphere, displacement, &capsule, segment_displacement, trace)
}

/// Sweeps a sphere against a capsule: as against its segment, with both radii summed.
pub fn sweep_sphere_capsule(
    sphere: &Sphere,
    displacement: DVec3,
    capsule: &Capsule,
    capsule_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    if is_refused(
        &[sphere, &displacement, capsule, &capsule_displacement],
        trace,
    ) {
        return SweepOutcome::Receding;
    }
    let Segment { a, b } = capsule.segment;
    // Seen from the sphere's start, as large coordinates cost digits.
    let origin = sphere.center;
    let segment = Segment {
        a: a - origin,
        b: b - origin,
    };
    let path = Path::relative(sphere, displacement, capsule_displacement).seen_from(origin);
    let reach = sphere.radius + capsule.radius;
    let radii = [sphere.radius, capsule.radius];
    let body = || exact_segment(origin, &capsule.segment);
    let doubt = Doubt {
        noise: noise_of(&[segment.a, segment.b, path.step, DVec3::splat(reach)]),
        exact: &|| ExactSweep::new(body(), displacement, capsule_displacement, radii),
    };
    let outcome = sweep_rounded(&segment, &path, reach, &doubt, trace);
    in_world(outcome, &Pose::IDENTITY, sphere, displacement)
}

impl Convex for Segment {
    fn nearest(&self, point: DVec3) -> Nearest {
        nearest_on_segment(point, self)
    }

    fn enter(&self, path: &Path, radius: f64) -> Option<Entry> {
        [
            enter_cylinder(path, self, radius),
            enter_ball(path, self.a, radius),
            enter_ball(path, self.b, radius),
        ]
        .into_iter()
        .map(|fraction| fraction.map(Entry::round))
        .fold(None, earlier)
    }

    fn closest_approach(&self, path: &Path) -> f64 {
        let way = Segment {
            a: path.start,
            b: path.at(1.0),
        };
        closest_points_of_segments(&way, self).0
    }
}
