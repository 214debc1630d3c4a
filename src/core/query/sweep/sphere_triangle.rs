//! A swept sphere against a triangle: its two offset faces, three edge cylinders, three vertex balls; the earliest wins.

use super::{
    Convex, Doubt, Entry, Path, earlier, enter_ball, enter_cylinder, in_world, nearest_of,
    noise_of, sweep_rounded,
};
use crate::core::query::closest_point::{
    closest_points_of_segments, projects_inside, slimness, triangle_edges, triangle_normal,
};
use crate::core::query::exact::{ExactSweep, exact_triangle};
use crate::core::query::nearest::{Nearest, nearest_on_triangle, side_of};
use crate::core::query::{Feature, SweepOutcome, Trace};
use crate::core::shape::{Facing, Pose, Segment, Sphere, Triangle};
use glam::DVec3;
use std::cmp::Ordering;

/// Sweeps a sphere against a triangle; both move by their displacement over the frame.
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
    let path = Path::relative(sphere, displacement, triangle_displacement);
    let steps = [displacement, triangle_displacement];
    let outcome = sweep_along(&path, steps, sphere.radius, triangle, trace);
    in_world(outcome, &Pose::IDENTITY, sphere, displacement)
}

/// The same for a point with a radius in the triangle's own frame; the impact is in that frame.
pub(crate) fn sweep_point_triangle(
    path: &Path,
    radius: f64,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> SweepOutcome {
    sweep_along(path, [path.step, DVec3::ZERO], radius, triangle, trace)
}

/// `steps` are the two displacements whose difference is the path's step, for the exact form.
fn sweep_along(
    path: &Path,
    steps: [DVec3; 2],
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
    let path = path.seen_from(origin);
    let size = [shifted.a, shifted.b, shifted.c, path.step];
    let body = || exact_triangle(origin, triangle);
    let doubt = Doubt {
        noise: noise_of(&size).max(noise_of(&[DVec3::splat(radius)])) * slimness(&shifted),
        exact: &|| ExactSweep::new(body(), steps[0], steps[1], [radius, 0.0]),
    };
    let normal = triangle_normal(&shifted);
    if normal.is_none() {
        trace.step("DegenerateTriangle", &[]);
    }
    match normal {
        Some(normal) if shifted.facing == Facing::Front => {
            let side = side_of(origin, triangle);
            sweep_one_sided(&path, radius, &shifted, (normal, side), &doubt, trace)
        }
        _ => sweep_rounded(&shifted, &path, radius, &doubt, trace),
    }
}

/// Keeps of the two-sided answer what happens in front; the path is in front during one interval of the frame.
///
/// The side at the start is exact; a centre within rounding of the plane at the time of impact counts as in front.
fn sweep_one_sided(
    path: &Path,
    radius: f64,
    triangle: &Triangle,
    (normal, side): (DVec3, Ordering),
    doubt: &Doubt<'_>,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let height = -triangle.a.dot(normal);
    let rate = path.step.dot(normal);
    trace.step("PlaneDistance", &[("distance", height), ("rate", rate)]);
    let end_height = height + rate;
    let behind = side == Ordering::Less;
    if behind && end_height < 0.0 {
        trace.step("BehindOneSided", &[]);
        return SweepOutcome::Receding;
    }
    if behind && nearest_on_triangle(path.start, triangle).distance < radius {
        trace.step("BehindOneSided", &[("distance", height)]);
        return SweepOutcome::Receding;
    }
    let outcome = sweep_rounded(triangle, path, radius, doubt, trace);
    let decided_at = match outcome {
        SweepOutcome::Overlapping { .. } | SweepOutcome::Receding => return outcome,
        SweepOutcome::Hits(impact) => {
            if matches!(impact.feature_b, Feature::Face(_)) && rate < 0.0 && !behind {
                return outcome;
            }
            impact.fraction
        }
        SweepOutcome::Misses { fraction, .. } | SweepOutcome::Grazes { fraction } => fraction,
        SweepOutcome::Later => 1.0,
    };
    if height + rate * decided_at >= -doubt.noise {
        return outcome;
    }
    if behind {
        trace.step("BehindOneSided", &[("fraction", decided_at)]);
        return SweepOutcome::Receding;
    }
    // It falls behind the plane before that: the nearest it comes in front is where it crosses the plane.
    let fraction = (height / -rate).max(0.0);
    let by = nearest_on_triangle(path.at(fraction), triangle).distance - radius;
    trace.step("FallsBehindOneSided", &[("fraction", fraction), ("by", by)]);
    if by > doubt.noise {
        SweepOutcome::Misses { by, fraction }
    } else {
        SweepOutcome::Grazes { fraction }
    }
}

impl Convex for Triangle {
    fn nearest(&self, point: DVec3) -> Nearest {
        nearest_on_triangle(point, self)
    }

    fn enter(&self, path: &Path, radius: f64) -> Option<Entry> {
        let mut first = enter_face(self, path, radius);
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
