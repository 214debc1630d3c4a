//! A swept sphere against a triangle: its two offset faces, three edge cylinders, three vertex balls; the earliest wins.

use super::{
    Convex, Entry, Path, earlier, enter_ball, enter_cylinder, in_world, nearest_of, sweep_rounded,
    touch_of_sphere,
};
use crate::core::query::closest_point::{
    closest_points_of_segments, projects_inside, triangle_edges, triangle_normal,
};
use crate::core::query::nearest::{Nearest, nearest_on_triangle};
use crate::core::query::{Feature, SweepOutcome, Trace};
use crate::core::shape::{Facing, Pose, Segment, Sphere, Triangle};
use glam::DVec3;

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
    let touch = touch_of_sphere(sphere, displacement, &[triangle.a, triangle.b, triangle.c]);
    let path = Path::relative(sphere, displacement, triangle_displacement);
    let outcome = sweep_point_triangle(&path, sphere.radius, triangle, touch, trace);
    in_world(outcome, &Pose::IDENTITY, sphere, displacement)
}

/// The same for a point with a radius in the triangle's own frame; the impact is in that frame.
pub(crate) fn sweep_point_triangle(
    path: &Path,
    radius: f64,
    triangle: &Triangle,
    touch: f64,
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
    match triangle_normal(&shifted) {
        Some(normal) if shifted.facing == Facing::Front => {
            sweep_one_sided(&path, radius, &shifted, normal, touch, trace)
        }
        Some(_) => sweep_rounded(&shifted, &path, radius, touch, trace),
        None => {
            trace.step("DegenerateTriangle", &[]);
            sweep_rounded(&shifted, &path, radius, touch, trace)
        }
    }
}

/// Keeps of the two-sided answer what happens in front; the path is in front during one interval of the frame.
fn sweep_one_sided(
    path: &Path,
    radius: f64,
    triangle: &Triangle,
    normal: DVec3,
    touch: f64,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let height = -triangle.a.dot(normal);
    let rate = path.step.dot(normal);
    trace.step("PlaneDistance", &[("distance", height), ("rate", rate)]);
    let end_height = height + rate;
    if height < 0.0 && end_height < 0.0 {
        trace.step("BehindOneSided", &[]);
        return SweepOutcome::Receding;
    }
    if height < 0.0 && nearest_on_triangle(path.start, triangle).distance - radius < -touch {
        trace.step("BehindOneSided", &[("distance", height)]);
        return SweepOutcome::Receding;
    }
    let outcome = sweep_rounded(triangle, path, radius, touch, trace);
    let decided_at = match outcome {
        SweepOutcome::Overlapping { .. } | SweepOutcome::Receding => return outcome,
        SweepOutcome::Hits(impact) => {
            if matches!(impact.feature_b, Feature::Face(_)) && rate < 0.0 && height >= 0.0 {
                return outcome;
            }
            impact.fraction
        }
        SweepOutcome::Misses { fraction, .. } | SweepOutcome::Grazes { fraction } => fraction,
        SweepOutcome::Later => 1.0,
    };
    if height + rate * decided_at >= -touch {
        return outcome;
    }
    if height < 0.0 {
        trace.step("BehindOneSided", &[("fraction", decided_at)]);
        return SweepOutcome::Receding;
    }
    // It falls behind the plane before that: the nearest it comes in front is where it crosses the plane.
    let fraction = height / -rate;
    let by = nearest_on_triangle(path.at(fraction), triangle).distance - radius;
    trace.step("FallsBehindOneSided", &[("fraction", fraction), ("by", by)]);
    if by > touch {
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
