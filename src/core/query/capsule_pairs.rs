//! Capsules and segments (capsules of radius 0) against each other, resting and swept.
//!
//! Two segments are as far apart as a point is from the parallelogram of their differences; a swept pair of capsules is the
//! path of a point against that parallelogram grown by both radii.

use super::capsule_mesh::{contact_capsule_mesh, gap_capsule_mesh, sweep_capsule_mesh};
use super::capsule_solid::{
    contact_capsule_obb, contact_capsule_triangle, gap_capsule_obb, gap_capsule_triangle,
    sweep_capsule_obb, sweep_capsule_triangle,
};
use super::closest_point::{
    closest_points_of_segments, closest_points_of_segments_traced, direction_and_length,
    segment_feature, slimness, triangle_edges,
};
use super::contact::decided_depth;
use super::exact::{ExactSweep, compare_distance, exact_differences};
use super::nearest::{Nearest, across, nearest_on_triangle};
use super::sweep::{Convex, Doubt, Entry, Path, earlier, nearest_of, noise_of, sweep_rounded};
use super::{Contact, Feature, Gap, Impact, SweepOutcome, Trace};
use crate::core::shape::{Capsule, Facing, Placed, Segment, Triangle};
use glam::DVec3;

/// A segment is a capsule of radius 0; `None` for everything that is neither.
pub(crate) fn as_capsule(shape: &Placed<'_>) -> Option<Capsule> {
    match shape {
        Placed::Segment(segment) => Some(Capsule {
            segment: *segment,
            radius: 0.0,
        }),
        Placed::Capsule(capsule) => Some(*capsule),
        _ => None,
    }
}

/// The contact of a capsule with a box, a triangle or a mesh; everything else has its own pair.
pub(crate) fn contact_capsule_any(
    capsule: &Capsule,
    other: &Placed<'_>,
    trace: &mut impl Trace,
) -> Option<Contact> {
    match other {
        Placed::Obb(obb) => contact_capsule_obb(capsule, obb, trace),
        Placed::Triangle(triangle) => contact_capsule_triangle(capsule, triangle, trace),
        Placed::Mesh(mesh, pose) => contact_capsule_mesh(capsule, mesh, pose, trace),
        Placed::Sphere(_) | Placed::Plane(_) | Placed::Segment(_) | Placed::Capsule(_) => None,
    }
}

/// The distance of a capsule from a box, a triangle or a mesh; everything else has its own pair.
pub(crate) fn gap_capsule_any(
    capsule: &Capsule,
    other: &Placed<'_>,
    trace: &mut impl Trace,
) -> Option<Gap> {
    match other {
        Placed::Obb(obb) => gap_capsule_obb(capsule, obb, trace),
        Placed::Triangle(triangle) => gap_capsule_triangle(capsule, triangle, trace),
        Placed::Mesh(mesh, pose) => gap_capsule_mesh(capsule, mesh, pose, trace),
        Placed::Sphere(_) | Placed::Plane(_) | Placed::Segment(_) | Placed::Capsule(_) => None,
    }
}

/// Sweeps a capsule against a box, a triangle or a mesh; everything else has its own pair.
pub(crate) fn sweep_capsule_any(
    capsule: &Capsule,
    displacement: DVec3,
    other: &Placed<'_>,
    other_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let (d, e) = (displacement, other_displacement);
    match other {
        Placed::Obb(obb) => sweep_capsule_obb(capsule, d, obb, e, trace),
        Placed::Triangle(triangle) => sweep_capsule_triangle(capsule, d, triangle, e, trace),
        Placed::Mesh(mesh, pose) => sweep_capsule_mesh(capsule, d, mesh, pose, e, trace),
        Placed::Sphere(_) | Placed::Plane(_) | Placed::Segment(_) | Placed::Capsule(_) => {
            SweepOutcome::Receding
        }
    }
}

/// Where two capsules are closest.
struct Closest {
    /// On the second capsule's surface.
    point: DVec3,
    /// Unit, from second to first.
    normal: DVec3,
    /// Metres between the surfaces, negative when they overlap.
    distance: f64,
    feature_a: Feature,
    feature_b: Feature,
    fallback: bool,
}

/// Inner segments that cross are pushed apart along their common perpendicular; ones that overlap along a line, along +Y made
/// perpendicular to it.
fn closest(a: &Capsule, b: &Capsule, trace: &mut impl Trace) -> Closest {
    let (s, t) = closest_points_of_segments_traced(&a.segment, &b.segment, trace);
    let (along_a, along_b) = (a.segment.b - a.segment.a, b.segment.b - b.segment.a);
    let on_b = b.segment.a + along_b * t;
    let between = a.segment.a + along_a * s - on_b;
    let (normal, length, fallback) = match direction_and_length(between) {
        Some((normal, length)) => (normal, length, false),
        None => match direction_and_length(along_a.cross(along_b)) {
            Some((normal, _)) => (normal, 0.0, false),
            None if along_a == DVec3::ZERO => (across(along_b), 0.0, true),
            None => (across(along_a), 0.0, true),
        },
    };
    Closest {
        point: on_b + normal * b.radius,
        normal,
        distance: length - a.radius - b.radius,
        feature_a: segment_feature(s),
        feature_b: segment_feature(t),
        fallback,
    }
}

/// The contact of two capsules.
pub(crate) fn contact_capsule_capsule(
    a: &Capsule,
    b: &Capsule,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let closest = closest(a, b, trace);
    let size = [a.segment.a - b.segment.a, a.segment.b - b.segment.b];
    let noise = noise_of(&size).max(noise_of(&[DVec3::splat(a.radius + b.radius)]));
    let body = || exact_differences(&b.segment, &a.segment);
    let radii = [a.radius, b.radius];
    let depth = decided_depth(
        -closest.distance,
        noise,
        || compare_distance(&body(), radii),
        trace,
    );
    let name = match depth {
        Some(depth) if depth > 0.0 => "Overlapping",
        Some(_) => "Touching",
        None => "Separated",
    };
    let numbers = [
        ("distance", closest.distance + a.radius + b.radius),
        ("radius", a.radius + b.radius),
        ("depth", depth.unwrap_or(-closest.distance)),
    ];
    trace.step(name, &numbers);
    depth.map(|depth| Contact {
        point: closest.point,
        normal: closest.normal,
        depth,
        feature_a: closest.feature_a,
        feature_b: closest.feature_b,
        triangle: None,
        fallback: closest.fallback,
        via_bounding_sphere: false,
    })
}

/// The distance of two capsules.
pub(crate) fn gap_capsule_capsule(a: &Capsule, b: &Capsule, trace: &mut impl Trace) -> Gap {
    let closest = closest(a, b, trace);
    Gap {
        distance: closest.distance,
        point_a: closest.point + closest.normal * closest.distance,
        point_b: closest.point,
        via_bounding_sphere: false,
    }
}

/// Sweeps two capsules that do not turn; both move by their displacement over the frame.
pub(crate) fn sweep_capsule_capsule(
    a: &Capsule,
    displacement: DVec3,
    b: &Capsule,
    other_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let path = Path {
        start: DVec3::ZERO,
        step: displacement - other_displacement,
    };
    let differences = Differences::of(&b.segment, &a.segment);
    let reach = a.radius + b.radius;
    let corners = differences.0.map(|half| [half.a, half.b, half.c]);
    let slim = differences.0.map(|half| slimness(&half));
    let body = || exact_differences(&b.segment, &a.segment);
    let doubt = Doubt {
        noise: noise_of(corners.as_flattened()).max(noise_of(&[path.step, DVec3::splat(reach)]))
            * slim[0].max(slim[1]),
        exact: &|| {
            ExactSweep::new(
                body(),
                displacement,
                other_displacement,
                [a.radius, b.radius],
            )
        },
    };
    match sweep_rounded(&differences, &path, reach, &doubt, trace) {
        SweepOutcome::Hits(impact) => {
            let moved = |capsule: &Capsule, by: DVec3| Capsule {
                segment: Segment {
                    a: capsule.segment.a + by * impact.fraction,
                    b: capsule.segment.b + by * impact.fraction,
                },
                radius: capsule.radius,
            };
            let closest = closest(
                &moved(a, displacement),
                &moved(b, other_displacement),
                &mut (),
            );
            SweepOutcome::Hits(Impact {
                point: closest.point,
                feature_a: closest.feature_a,
                feature_b: closest.feature_b,
                ..impact
            })
        }
        other => other,
    }
}

/// The parallelogram of all differences of two segments' points, as its two halves.
pub(crate) struct Differences([Triangle; 2]);

impl Differences {
    /// All of the first minus all of the second.
    pub(crate) fn of(first: &Segment, second: &Segment) -> Self {
        let [a, b, c, d] = [
            first.a - second.a,
            first.b - second.a,
            first.b - second.b,
            first.a - second.b,
        ];
        let half = |b, c| Triangle {
            a,
            b,
            c,
            facing: Facing::Both,
        };
        Self([half(b, c), half(c, d)])
    }
}

impl Convex for Differences {
    fn nearest(&self, point: DVec3) -> Nearest {
        let [first, second] = self.0.map(|half| nearest_on_triangle(point, &half));
        if second.distance < first.distance {
            second
        } else {
            first
        }
    }

    fn enter(&self, path: &Path, radius: f64) -> Option<Entry> {
        let [first, second] = &self.0;
        earlier(first.enter(path, radius), second.enter(path, radius))
    }

    fn closest_approach(&self, path: &Path) -> f64 {
        let way = Segment {
            a: path.start,
            b: path.at(1.0),
        };
        let edges = self.0.iter().flat_map(triangle_edges);
        let on_edges = edges.map(|edge| closest_points_of_segments(&way, &edge).0);
        nearest_of(self, path, [0.0, 1.0].into_iter().chain(on_edges))
    }
}
