//! A swept sphere against a triangle: its two offset faces, three edge cylinders, three vertex balls; the earliest wins.

use super::one_sided::{Heights, in_front};
use super::{
    Convex, Doubt, Entry, Path, earlier, enter_ball, enter_cylinder, in_world, nearest_of,
    noise_of, rounding_at, sweep_rounded,
};
use crate::core::query::closest_point::{
    closest_points_of_segments, projects_inside, slimness, triangle_edges, triangle_normal,
};
use crate::core::query::exact::ExactFrame;
use crate::core::query::in_range::is_refused;
use crate::core::query::nearest::{Nearest, nearest_on_triangle};
use crate::core::query::{Feature, SweepOutcome, Trace};
use crate::core::shape::{Facing, Pose, Segment, Sphere, Triangle};
use glam::DVec3;

/// Sweeps a sphere against a triangle; both move by their displacement over the frame. The earliest of two offset faces, three
/// edge cylinders and three vertex balls decides.
///
/// A one-sided triangle is met only while the centre is in front of its plane (or in it). A degenerate triangle acts as its
/// longest edge.
pub fn sweep_sphere_triangle(
    sphere: &Sphere,
    displacement: DVec3,
    triangle: &Triangle,
    triangle_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    if is_refused(
        &[sphere, &displacement, triangle, &triangle_displacement],
        trace,
    ) {
        return SweepOutcome::Receding;
    }
    let path = Path::relative(sphere, displacement, triangle_displacement);
    let given = Given {
        center: sphere.center,
        steps: [displacement, triangle_displacement],
        pose: &Pose::IDENTITY,
    };
    let outcome = sweep_point_triangle(&path, &given, sphere.radius, triangle, trace);
    in_world(outcome, &Pose::IDENTITY, sphere, displacement)
}

/// A ball's way as it was given, in the world, for the exact form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'a> {
    pub center: DVec3,
    /// The displacements of the ball and of the triangle.
    pub steps: [DVec3; 2],
    /// Where the triangle stands.
    pub pose: &'a Pose,
}

impl Given<'_> {
    /// Given in the triangle's own frame.
    pub fn local(path: &Path) -> Self {
        Self {
            center: path.start,
            steps: [path.step, DVec3::ZERO],
            pose: &Pose::IDENTITY,
        }
    }
}

/// The same for a point with a radius, whose path is that of `given` in the triangle's frame; the impact is in that frame.
pub(crate) fn sweep_point_triangle(
    path: &Path,
    given: &Given<'_>,
    radius: f64,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> SweepOutcome {
    // Seen from the path's start, as large coordinates cost digits.
    let origin = path.start;
    let shifted = Triangle {
        a: triangle.a - origin,
        b: triangle.b - origin,
        c: triangle.c - origin,
        facing: triangle.facing,
    };
    let size = [
        shifted.a,
        shifted.b,
        shifted.c,
        path.step,
        DVec3::splat(radius),
    ];
    let exact = || {
        let frame = ExactFrame::of(given.pose);
        let body = frame.triangle(given.center, triangle);
        frame.sweep(body, given.steps, [radius, 0.0])
    };
    let doubt = Doubt {
        noise: noise_of(&size).max(rounding_at(path.start, given.pose)) * slimness(&shifted),
        exact: &exact,
    };
    let path = path.seen_from(origin);
    let normal = triangle_normal(&shifted);
    if normal.is_none() {
        trace.step("DegenerateTriangle", &[]);
    }
    let Some(normal) = normal.filter(|_| triangle.facing == Facing::Front) else {
        return sweep_rounded(&shifted, &path, radius, &doubt, trace);
    };
    let plane = Heights::of(&path, &shifted, normal);
    let numbers = [("distance", plane.height), ("rate", plane.rate)];
    trace.step("PlaneDistance", &numbers);
    if plane.stays_behind(&doubt) {
        trace.step("BehindOneSided", &[]);
        return SweepOutcome::Receding;
    }
    let outcome = sweep_rounded(&shifted, &path, radius, &doubt, trace);
    in_front(outcome, &path, radius, &shifted, plane, &doubt, trace)
}

impl Convex for Triangle {
    fn nearest(&self, point: DVec3) -> Nearest {
        nearest_on_triangle(point, self)
    }

    fn enter(&self, path: &Path, radius: f64) -> Option<Entry> {
        // Nothing is met before the plane through the face: an edge would be met there later, or at once at best.
        let face = enter_face(self, path, radius);
        if face.is_some() {
            return face;
        }
        let mut first = None;
        for edge in triangle_edges(self) {
            let round = [
                enter_cylinder(path, &edge, radius),
                enter_ball(path, edge.a, radius),
            ];
            for fraction in round {
                first = earlier(first, fraction.map(Entry::round));
            }
        }
        first
    }

    fn closest_approach(&self, path: &Path) -> f64 {
        let way = Segment {
            a: path.start,
            b: path.at(1.0),
        };
        // A way that does not cross the triangle is nearest to it on an edge, or at one of its own ends.
        let ends = [0.0, 1.0];
        let edges = triangle_edges(self).map(|edge| closest_points_of_segments(&way, &edge).0);
        nearest_of(self, path, ends.into_iter().chain(edges))
    }
}

/// Onto the face offset toward the side the path starts on; a start within the offset can only enter elsewhere.
fn enter_face(triangle: &Triangle, path: &Path, radius: f64) -> Option<Entry> {
    let front = triangle_normal(triangle)?;
    let height = (path.start - triangle.a).dot(front);
    let normal = if height < 0.0 { -front } else { front };
    let beyond = height.abs() - radius;
    let approach = -normal.dot(path.step);
    if !(beyond >= 0.0 && approach > 0.0) {
        return None;
    }
    let fraction = beyond / approach;
    projects_inside(path.at(fraction), triangle, front).then_some(Entry {
        fraction,
        normal: Some(normal),
        feature: Feature::Face(0),
    })
}
