//! The signed distance of any two convex shapes.

use super::super::closed_form::axes::{self, Overlap};
use super::super::closed_form::point::{self, Nearest};
use super::super::closest_point::{closest_points_of_segments, segment_feature};
use super::super::operand::{Core, Operand};
use super::super::outcome::{Contact, Gap};
use super::super::trace::{Step, Trace};
use super::epa;
use super::gjk::{self, Cores};
use super::polish::polished;
use super::simplex::Simplex;
use super::touch::{Meeting, Touch, touch};
use crate::core::shape::{Feature, UnitOrZero};
use crate::core::tolerance::{FACE_PREFERENCE, FEATURE_ANGLE, ON_AXIS};
use glam::{DQuat, DVec3};

/// The signed distance of two convex shapes, and where it is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separation {
    /// Metres; negative when they overlap.
    pub distance: f64,
    /// Unit, from b toward a.
    pub normal: DVec3,
    /// On the surface of a, and of b.
    pub points: [DVec3; 2],
    /// Features of a and b, where the closest points name them.
    pub features: Option<[Feature; 2]>,
    /// Metres by which an overlap may be shallower than found, where the search for the least one was cut short.
    pub slack: f64,
    /// True when a continuum of directions is equally short and a fixed one was taken.
    pub fallback: bool,
}

impl Separation {
    #[inline]
    pub fn swapped(self) -> Self {
        Self {
            normal: -self.normal,
            points: [self.points[1], self.points[0]],
            features: self.features.map(|[a, b]| [b, a]),
            ..self
        }
    }

    /// As a contact, with the point on the second shape and the features that touch there.
    #[inline]
    pub fn contact(&self, point: DVec3, [feature_a, feature_b]: [Feature; 2]) -> Contact {
        Contact {
            point,
            normal: self.normal,
            depth: (-self.distance).max(0.0),
            feature_a,
            feature_b,
            triangle: None,
            fallback: self.fallback,
        }
    }

    #[inline]
    pub fn gap(&self) -> Gap {
        Gap {
            distance: self.distance,
            point_a: self.points[0],
            point_b: self.points[1],
            normal: self.normal,
        }
    }

    /// Of two cores, moved out to the surfaces.
    #[inline]
    fn of_cores(
        a: &Operand<'_>,
        b: &Operand<'_>,
        distance: f64,
        normal: DVec3,
        points: [DVec3; 2],
    ) -> Self {
        Self {
            distance: distance - a.radius - b.radius,
            normal,
            points: [points[0] - normal * a.radius, points[1] + normal * b.radius],
            features: None,
            slack: 0.0,
            fallback: false,
        }
    }

    /// Of a point and the surface nearest to it, both with a radius.
    #[inline]
    pub fn of_point(center: DVec3, radii: [f64; 2], nearest: &Nearest) -> Self {
        let normal = nearest.normal;
        Self {
            distance: nearest.distance - radii[0] - radii[1],
            normal,
            points: [
                center - normal * radii[0],
                nearest.point + normal * radii[1],
            ],
            features: Some([Feature::Round, nearest.feature]),
            slack: 0.0,
            fallback: nearest.fallback,
        }
    }

    /// With the distance and the closest points of the features, where those are better; the cores are apart.
    fn polished(self, a: &Operand<'_>, b: &Operand<'_>, simplex: &Simplex, distance: f64) -> Self {
        let Some((points, normal)) = polished(a, b, simplex, distance) else {
            return self;
        };
        let distance = points[0].distance(points[1]);
        Self::of_cores(a, b, distance, normal.unwrap_or(self.normal), points)
    }
}

/// Share of the sizes of two shapes by which cores may be apart that the search for the closest points takes to touch (no unit): far more
/// than its rounding. Larger, and the depths of more shapes with a small radius are searched for.
const NEARLY_TOUCHING: f64 = 1e-9;

/// The signed distance of two convex shapes, relative to an origin near them.
///
/// `toward` guesses the direction from b to a, or is zero. Distances that are surely more than `limit` are not refined.
pub(crate) fn separation(
    a: &Operand<'_>,
    b: &Operand<'_>,
    toward: DVec3,
    limit: f64,
    trace: &mut impl Trace,
) -> Separation {
    separation_until(a, b, toward, limit, &|_| false, trace)
}

/// The same where distances below `enough` need not be exact either.
pub(crate) fn separation_within(
    a: &Operand<'_>,
    b: &Operand<'_>,
    toward: DVec3,
    [enough, limit]: [f64; 2],
    trace: &mut impl Trace,
) -> Separation {
    separation_until(a, b, toward, limit, &|[_, most]| most < enough, trace)
}

/// The same where overlaps need not be exact of which `is_enough` says so: of the least and the most that the distance may be.
pub(crate) fn separation_until(
    a: &Operand<'_>,
    b: &Operand<'_>,
    toward: DVec3,
    limit: f64,
    is_enough: &dyn Fn([f64; 2]) -> bool,
    trace: &mut impl Trace,
) -> Separation {
    if let Some(found) = of_point(a, b, trace) {
        return found;
    }
    if let Some(found) = of_point(b, a, trace) {
        return found.swapped();
    }
    if let (Core::Segment(one), Core::Segment(other)) = (&a.core, &b.core) {
        return of_segments(a, b, [one, other], trace);
    }
    // The search for the closest points is sure of what is apart, the axes of what overlaps.
    if axes::decide(a, b)
        && let Some(found) = flat_overlap(a, b, 0.0, &mut ())
    {
        trace.step(Step::LeastOverlap {
            axis: found.normal,
            depth: -found.distance,
        });
        return found;
    }
    match gjk::closest(a, b, toward, limit + a.radius + b.radius) {
        Cores::Apart(closest) => {
            trace.step(Step::ClosestPoints {
                iterations: closest.iterations,
                distance: closest.distance,
                normal: closest.normal,
            });
            let found =
                Separation::of_cores(a, b, closest.distance, closest.normal, closest.points);
            if closest.least > limit + a.radius + b.radius {
                return found;
            }
            found.polished(a, b, &closest.simplex, closest.distance)
        }
        Cores::Touching(simplex) => {
            let size = a.bounding_radius() + b.bounding_radius();
            let most = NEARLY_TOUCHING * size - a.radius - b.radius;
            if is_enough([f64::NEG_INFINITY, most]) {
                return Separation::of_cores(a, b, 0.0, DVec3::ZERO, [b.center(); 2]);
            }
            overlapping(a, b, &simplex, is_enough, trace)
        }
    }
}

/// Two flat shapes on their axes; `None` when they are apart by more than `bound`.
pub(crate) fn flat_overlap(
    a: &Operand<'_>,
    b: &Operand<'_>,
    bound: f64,
    trace: &mut impl Trace,
) -> Option<Separation> {
    let Overlap { depth, normal } = axes::overlap(a, b, bound, trace)?;
    let touch = touch(a, b, normal);
    Some(Separation {
        distance: -depth,
        normal,
        points: [touch.point - normal * depth, touch.point],
        features: Some(touch.features),
        slack: 0.0,
        fallback: false,
    })
}

/// A point with a radius against a core that has a formula.
#[inline]
fn of_point(a: &Operand<'_>, b: &Operand<'_>, trace: &mut impl Trace) -> Option<Separation> {
    let Core::Point(center) = a.core else {
        return None;
    };
    let nearest = point::nearest(center, &b.core)?;
    if trace.is_enabled() {
        match &b.core {
            Core::Cuboid(cuboid) => trace.step(Step::BeyondFaces {
                by: cuboid.to_local(center).abs() - cuboid.half_extents,
                radius: a.radius + b.radius,
            }),
            Core::Triangle(face) => trace.step(match face.normal {
                Some(normal) => Step::PlaneDistance {
                    distance: (center - face.triangle.a).dot(normal),
                },
                None => Step::DegenerateTriangle,
            }),
            _ => {}
        }
        let (feature, distance) = (nearest.feature, nearest.distance);
        trace.step(Step::Nearest { feature, distance });
        trace.step(Step::Radii {
            sum: a.radius + b.radius,
        });
        if nearest.fallback {
            let normal = nearest.normal;
            trace.step(Step::FallbackNormal { normal });
        }
    }
    Some(Separation::of_point(center, [a.radius, b.radius], &nearest))
}

fn of_segments(
    a: &Operand<'_>,
    b: &Operand<'_>,
    [one, other]: [&crate::core::shape::Segment; 2],
    trace: &mut impl Trace,
) -> Separation {
    let (s, t) = closest_points_of_segments(one, other);
    let points = [one.a.lerp(one.b, s), other.a.lerp(other.b, t)];
    let apart = point::nearest_on_point(points[0], points[1]);
    trace.step(Step::ClosestOfSegments {
        s,
        t,
        distance: apart.distance,
    });
    let mut found = Separation {
        features: Some([segment_feature(s), segment_feature(t)]),
        ..Separation::of_cores(a, b, apart.distance, apart.normal, points)
    };
    if point::is_rounding(apart.distance, [one.a, one.b, other.a, other.b]) {
        // They cross: square to both is the shortest way out, to either side.
        let along = [one, other].map(|segment| (segment.b - segment.a).unit_or_zero());
        let cross = axes::square_to(along[0], along[1]);
        let longer = if one.a.distance(one.b) >= other.a.distance(other.b) {
            one
        } else {
            other
        };
        let normal = cross.unwrap_or_else(|| point::across(longer.b - longer.a));
        if cross.is_none() {
            trace.step(Step::FallbackNormal { normal });
        }
        found = Separation {
            features: found.features,
            fallback: cross.is_none(),
            ..Separation::of_cores(a, b, apart.distance, normal, points)
        };
    }
    found
}

/// Cores that overlap, or are near to touching.
fn overlapping(
    a: &Operand<'_>,
    b: &Operand<'_>,
    simplex: &Simplex,
    is_enough: &dyn Fn([f64; 2]) -> bool,
    trace: &mut impl Trace,
) -> Separation {
    let radii = a.radius + b.radius;
    let is_enough = |[least, most]: [f64; 2]| is_enough([-most - radii, -least - radii]);
    let Least {
        depth,
        normal,
        meeting,
        slack,
        fallback,
    } = least_overlap(a, b, simplex, &is_enough, trace);
    if is_enough([depth - slack, depth]) {
        let found = Separation::of_cores(a, b, -depth, normal, [b.center(); 2]);
        return Separation { slack, ..found };
    }
    let Touch { point, features } = match meeting {
        Some(meeting) => meeting.touch(a, b, normal),
        None => touch(a, b, normal),
    };
    let found = Separation {
        slack,
        fallback,
        features: Some(features),
        ..Separation::of_cores(a, b, -depth, normal, [point - normal * depth, point])
    };
    // The plane that was found between them is not quite that of the closest points.
    if depth < 0.0 {
        found.polished(a, b, simplex, -depth)
    } else {
        found
    }
}

/// The least overlap of two cores.
struct Least {
    depth: f64,
    normal: DVec3,
    /// Along the normal, or one near it.
    meeting: Option<Meeting>,
    slack: f64,
    fallback: bool,
}

fn least_overlap(
    a: &Operand<'_>,
    b: &Operand<'_>,
    simplex: &Simplex,
    is_enough: &dyn Fn([f64; 2]) -> bool,
    trace: &mut impl Trace,
) -> Least {
    let sure = |depth: f64, normal: DVec3| Least {
        depth,
        normal,
        meeting: None,
        slack: 0.0,
        fallback: false,
    };
    let simple =
        |operand: &Operand<'_>| operand.is_flat() || matches!(operand.core, Core::Segment(_));
    if simple(a)
        && simple(b)
        && let Some(found) = axes::overlap(a, b, f64::INFINITY, trace)
    {
        return sure(found.depth, found.normal);
    }
    let Some(found) = epa::penetration(a, b, simplex, is_enough) else {
        trace.step(Step::FallbackNormal { normal: DVec3::Y });
        return Least {
            fallback: true,
            ..sure(0.0, DVec3::Y)
        };
    };
    trace.step(Step::Penetration {
        faces: found.faces,
        depth: found.depth,
        normal: found.normal,
    });
    if is_enough([found.depth - found.slack, found.depth]) {
        return Least {
            slack: found.slack,
            ..sure(found.depth, found.normal)
        };
    }
    let meeting = Meeting::along(a, b, found.normal);
    let normal = meeting.exact_normal();
    let depth = b.support(normal).dot(normal) - a.support(-normal).dot(normal);
    // A feature's normal must not make the push longer than the search found it, but for rounding.
    let size = a.bounding_radius() + b.bounding_radius();
    let (depth, normal) = if depth <= found.depth + FACE_PREFERENCE * size {
        (depth, normal)
    } else {
        (found.depth, found.normal)
    };
    let fixed = fixed_around_axis(a, b, depth, normal);
    if let Some(normal) = fixed {
        trace.step(Step::FallbackNormal { normal });
    }
    Least {
        meeting: Some(meeting),
        slack: found.slack,
        fallback: fixed.is_some(),
        ..sure(depth, fixed.unwrap_or(normal))
    }
}

/// Angles by which a direction is turned about an axis to find out whether the overlap stays the same, radians: no parts of a turn that
/// a prism repeats after.
const AROUND: [f64; 2] = [0.5, 1.7];

/// Of coaxial round cores, which overlap by the same depth all around: a fixed direction in place of the one found.
fn fixed_around_axis(a: &Operand<'_>, b: &Operand<'_>, depth: f64, normal: DVec3) -> Option<DVec3> {
    let axis = a.axis().or(b.axis())?;
    let (along, across) = (axis * axis.dot(normal), axis.cross(normal).length());
    if across <= FEATURE_ANGLE {
        return None;
    }
    let least = depth + ON_AXIS * (a.bounding_radius() + b.bounding_radius());
    let is_same = |normal: DVec3| (b.support(normal) - a.support(-normal)).dot(normal) <= least;
    let fixed = (along + point::across(axis) * across).unit_or_zero();
    let turned = AROUND.map(|angle| DQuat::from_axis_angle(axis, angle) * normal);
    // Around a corner that just touches, some directions of a turn are as short, and not the fixed one.
    (turned.into_iter().all(is_same) && is_same(fixed)).then_some(fixed)
}
