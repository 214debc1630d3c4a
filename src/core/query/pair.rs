//! Queries on two convex shapes in world space.

use super::closed_form::axes;
use super::closed_form::point;
use super::closed_form::rounded::{self, Path, Swept};
use super::closed_form::segment_triangle::ray_cast_triangle;
use super::closed_form::spheres;
use super::convex::{self, Separation, advance, approach};
use super::operand::{Core, Operand, error_bound};
use super::outcome::{ClosestApproach, Contact, Impact, SweepOutcome};
use super::predicates;
use super::trace::{Step, Trace};
use crate::core::shape::{Placed, Solid, Sphere};
use crate::core::tolerance::{BOUND_ULPS, FEATURE_ANGLE};
use glam::DVec3;

/// Asks about both shapes as they collide: of one that faces a one-sided triangle, the part of its core in front of the triangle's
/// plane. `None` when nothing is in front. Sides of points and segments are exact.
#[inline]
fn colliding<T: Trace, R>(
    a: &Operand<'_>,
    b: &Operand<'_>,
    trace: &mut T,
    query: impl FnOnce(&Operand<'_>, &Operand<'_>, &mut T) -> Option<R>,
) -> Option<R> {
    if !is_one_sided(a, b) {
        return query(a, b, trace);
    }
    let Some((a, b)) = front_parts(a, b) else {
        trace.step(Step::BehindOneSided);
        return None;
    };
    query(&a, &b, trace)
}

#[inline]
fn is_one_sided(a: &Operand<'_>, b: &Operand<'_>) -> bool {
    a.front().is_some() || b.front().is_some()
}

fn front_parts<'s>(a: &Operand<'s>, b: &Operand<'s>) -> Option<(Operand<'s>, Operand<'s>)> {
    front_part(a, b).zip(front_part(b, a))
}

/// The part of a shape's core that is in front of a one-sided triangle, or lies in its plane.
fn front_part<'s>(shape: &Operand<'s>, triangle: &Operand<'_>) -> Option<Operand<'s>> {
    let Some((face, front)) = triangle.face().zip(triangle.front()) else {
        return Some(*shape);
    };
    let face = &face.triangle;
    let height = |point: DVec3| predicates::height(point, face);
    match &shape.core {
        Core::Segment(segment) => {
            let (at_a, at_b) = (height(segment.a), height(segment.b));
            let crossing = || segment.a.lerp(segment.b, at_a / (at_a - at_b));
            let mut part = *segment;
            match (at_a < 0.0, at_b < 0.0) {
                (true, true) => return None,
                (false, false) => return Some(*shape),
                // What goes through the triangle is pushed out of its front as a whole.
                _ if ray_cast_triangle(segment, face, &mut ()).is_some() => return Some(*shape),
                (true, false) => part.a = crossing(),
                (false, true) => part.b = crossing(),
            }
            Some(Operand::segment(part, shape.radius))
        }
        // What only touches the plane from behind is behind.
        _ => {
            let ahead = height(shape.support(front)) > 0.0;
            (ahead || height(shape.support(-front)) >= 0.0).then_some(*shape)
        }
    }
}

/// Asks about both shapes relative to the second's centre, which keeps digits where coordinates are large; the query's first argument is
/// that centre. Formulas for points take differences of coordinates alone, and need none of it.
#[inline]
fn near<R>(
    a: &Operand<'_>,
    b: &Operand<'_>,
    query: impl FnOnce(DVec3, &Operand<'_>, &Operand<'_>) -> R,
) -> R {
    let is_point = |operand: &Operand<'_>| matches!(operand.core, Core::Point(_));
    let has_formula = |operand: &Operand<'_>| match &operand.core {
        Core::Solid(posed) => posed.solid.axis().is_some(),
        _ => true,
    };
    if is_point(a) && has_formula(b) || is_point(b) && has_formula(a) {
        return query(DVec3::ZERO, a, b);
    }
    let origin = b.center();
    query(origin, &a.moved(-origin), &b.moved(-origin))
}

pub(super) fn contact(a: &Operand<'_>, b: &Operand<'_>, trace: &mut impl Trace) -> Option<Contact> {
    colliding(a, b, trace, |a, b, trace| {
        let bound = error_bound(a, b);
        near(a, b, |origin, a, b| {
            contact_near(origin, a, b, bound, trace)
        })
    })
}

/// Whether [`contact`] finds one.
pub(super) fn overlaps(a: &Operand<'_>, b: &Operand<'_>) -> bool {
    let found = colliding(a, b, &mut (), |a, b, trace| {
        let bound = error_bound(a, b);
        near(a, b, |_, a, b| {
            if axes::decide(a, b) {
                return axes::overlap(a, b, bound, trace).map(|_| ());
            }
            let found = convex::separation_within(a, b, a.center(), [bound; 2], trace);
            (in_front(a, b, found).distance <= bound).then_some(())
        })
    });
    found.is_some()
}

fn contact_near(
    origin: DVec3,
    a: &Operand<'_>,
    b: &Operand<'_>,
    bound: f64,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let found = if axes::decide(a, b) {
        convex::flat_overlap(a, b, bound, trace)?
    } else {
        let limit = if trace.is_enabled() {
            f64::INFINITY
        } else {
            bound
        };
        in_front(a, b, convex::separation(a, b, a.center(), limit, trace))
    };
    if found.distance > bound {
        trace.step(Step::Separated {
            distance: found.distance,
        });
        return None;
    }
    let (point, features) = match found.features {
        Some(features) => (found.points[1], features),
        None => {
            let touch = convex::touch(a, b, found.normal);
            (touch.point + found.normal * b.radius, touch.features)
        }
    };
    let depth = -found.distance;
    trace.step(if depth > bound + found.slack {
        Step::Overlapping { depth }
    } else {
        Step::Touching {
            distance: -depth,
            bound: bound + found.slack,
        }
    });
    Some(found.contact(origin + point, features))
}

/// The separation of a ball from a shape with a formula for its nearest point, and the error bound: as that of any two, without the way there.
#[inline]
pub(super) fn beside_ball(a: &Placed<'_>, b: &Placed<'_>) -> Option<(Separation, f64)> {
    let of = |ball: &Sphere, other: &Placed<'_>| {
        let (nearest, radius, largest) = point::nearest_placed(ball.center, other)?;
        let largest = largest.max(ball.center.abs().max_element() + ball.radius);
        let found = Separation::of_point(ball.center, [ball.radius, radius], &nearest);
        Some((found, BOUND_ULPS * f64::EPSILON * largest))
    };
    match (a, b) {
        (Placed::Sphere(ball), other) => of(ball, other),
        (other, Placed::Sphere(ball)) => {
            of(ball, other).map(|(found, bound)| (found.swapped(), bound))
        }
        _ => None,
    }
}

/// The same overlap pushed out of the front of a one-sided triangle, where the shortest way leads out of its back.
#[inline]
fn in_front(a: &Operand<'_>, b: &Operand<'_>, found: Separation) -> Separation {
    if is_one_sided(a, b) {
        out_of_front(a, b, found)
    } else {
        found
    }
}

fn out_of_front(a: &Operand<'_>, b: &Operand<'_>, found: Separation) -> Separation {
    let out = match (b.front(), a.front()) {
        (Some(front), _) => front,
        (None, Some(front)) => -front,
        (None, None) => return found,
    };
    // Straight sideways is no way out of the back, whatever rounding makes of it.
    if found.distance >= 0.0 || out.dot(found.normal) >= -FEATURE_ANGLE {
        return found;
    }
    let (on_a, on_b) = (
        a.support(-out) - out * a.radius,
        b.support(out) + out * b.radius,
    );
    Separation {
        distance: (on_a - on_b).dot(out),
        normal: out,
        points: [on_a, on_a - out * (on_a - on_b).dot(out)],
        features: None,
        ..found
    }
}

/// All distances matter.
pub(super) const EXACT: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// The signed distance, and the closest points; `None` behind a one-sided triangle. Distances outside of a range need not be exact.
pub(super) fn separation(
    a: &Operand<'_>,
    b: &Operand<'_>,
    range: [f64; 2],
    trace: &mut impl Trace,
) -> Option<Separation> {
    colliding(a, b, trace, |a, b, trace| {
        near(a, b, |origin, a, b| {
            let found = convex::separation_within(a, b, a.center(), range, trace);
            let found = in_front(a, b, found);
            Some(Separation {
                points: found.points.map(|point| origin + point),
                ..found
            })
        })
    })
}

/// Sweeps a, which moves by `displacement` relative to b. The impact's point is where b was at the start. Touches later than a fraction
/// may be missed, and of overlaps up to `shallow` the depth may be a greater one up to it.
pub(super) fn sweep(
    a: &Operand<'_>,
    b: &Operand<'_>,
    (displacement, [until, shallow]): (DVec3, [f64; 2]),
    trace: &mut impl Trace,
) -> SweepOutcome {
    let found = sweep_both_sides(a, b, (displacement, [until, shallow]), trace);
    if !is_one_sided(a, b) {
        return found;
    }
    let mut counts = |outcome: &SweepOutcome| match outcome {
        SweepOutcome::Hits(impact) => !is_from_behind(a, b, displacement, impact, trace),
        SweepOutcome::Overlapping { .. } => false,
        _ => true,
    };
    if counts(&found) {
        return found;
    }
    sweep_front_part(a, b, displacement, trace)
}

/// Restarts of a sweep from where it touched from behind, after which the last touch counts.
const MOST_RESTARTS: u32 = 100;

/// Sweeps what is in front of a one-sided triangle: less and less of what sinks through the triangle's plane. What touches from behind
/// is left out from then on.
fn sweep_front_part(
    a: &Operand<'_>,
    b: &Operand<'_>,
    displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let sinks = |front: Option<DVec3>, side: f64| {
        front.is_none_or(|front| side * front.dot(displacement) < 0.0)
    };
    let sinks = sinks(b.front(), 1.0) && sinks(a.front(), -1.0);
    let mut begin = 0.0;
    let mut last = SweepOutcome::Misses;
    for _ in 0..MOST_RESTARTS {
        let start = a.moved(displacement * begin);
        let Some((one, other)) = front_parts(&start, b) else {
            trace.step(Step::BehindOneSided);
            return SweepOutcome::Misses;
        };
        let rest = displacement * (1.0 - begin);
        let at = |fraction: f64| begin + fraction * (1.0 - begin);
        let impact = match sweep_both_sides(&one, &other, (rest, advance::WHOLE), trace) {
            SweepOutcome::Hits(impact) => Impact {
                fraction: at(impact.fraction),
                ..impact
            },
            SweepOutcome::Grazes { fraction } => {
                return SweepOutcome::Grazes {
                    fraction: at(fraction),
                };
            }
            SweepOutcome::Overlapping { .. } if begin > 0.0 => return last,
            SweepOutcome::Overlapping { depth } => {
                // Out of the front, as a contact pushes.
                let front = separation(a, b, EXACT, &mut ()).map_or(-depth, |found| found.distance);
                return SweepOutcome::Overlapping {
                    depth: depth.max(-front),
                };
            }
            found => return found,
        };
        if !is_from_behind(a, b, displacement, &impact, trace) {
            return SweepOutcome::Hits(impact);
        }
        if !sinks {
            return SweepOutcome::Misses;
        }
        last = SweepOutcome::Hits(impact);
        if impact.fraction <= begin && begin > 0.0 {
            return last;
        }
        begin = impact.fraction;
    }
    last
}

/// True when the plane of a triangle surely keeps out a shape, up to a fraction of its motion.
pub(super) fn is_kept_out(
    shape: &Operand<'_>,
    triangle: &Operand<'_>,
    displacement: DVec3,
    until: f64,
) -> bool {
    let Some((face, normal)) = triangle.face().and_then(|face| Some((face, face.normal?))) else {
        return false;
    };
    let side = normal * 1.0_f64.copysign((shape.center() - face.triangle.a).dot(normal));
    let gap = (shape.support(-side) - triangle.support(side)).dot(side) - shape.radius;
    let approach = -side.dot(displacement);
    gap - until * approach.max(0.0) > 4.0 * sweep_bound(shape, triangle, displacement)
}

/// The same whichever sides of triangles collide.
fn sweep_both_sides(
    a: &Operand<'_>,
    b: &Operand<'_>,
    (displacement, limits): (DVec3, [f64; 2]),
    trace: &mut impl Trace,
) -> SweepOutcome {
    let bound = sweep_bound(a, b, displacement);
    let found = near(a, b, |origin, a, b| {
        let swept = sweep_cores(a, b, (displacement, limits), bound, trace);
        outcome(origin, a, b, displacement, swept)
    });
    match &found {
        SweepOutcome::Overlapping { depth } => trace.step(Step::Overlapping { depth: *depth }),
        SweepOutcome::Misses => {}
        SweepOutcome::Grazes { fraction } => trace.step(Step::Grazes {
            fraction: *fraction,
        }),
        SweepOutcome::Hits(impact) => {
            trace.step(Step::HitsFeature {
                feature: impact.feature_b,
            });
            trace.step(Step::Hits {
                fraction: impact.fraction,
            });
        }
    }
    found
}

/// Sweeps two spheres; arguments as for any two shapes.
#[inline]
pub(super) fn sweep_spheres(a: &Sphere, b: &Sphere, displacement: DVec3) -> SweepOutcome {
    let [one, other] = [a, b].map(|sphere| Operand::point(sphere.center, sphere.radius));
    let bound = sweep_bound(&one, &other, displacement);
    let (between, radii) = (a.center - b.center, a.radius + b.radius);
    let swept = spheres::sweep_spheres(between, displacement, radii, bound, &mut ());
    outcome(DVec3::ZERO, &one, &other, displacement, swept)
}

#[inline]
fn sweep_bound(a: &Operand<'_>, b: &Operand<'_>, displacement: DVec3) -> f64 {
    error_bound(a, b) + BOUND_ULPS * f64::EPSILON * displacement.abs().max_element()
}

fn sweep_cores(
    a: &Operand<'_>,
    b: &Operand<'_>,
    (displacement, limits): (DVec3, [f64; 2]),
    bound: f64,
    trace: &mut impl Trace,
) -> Swept {
    let radii = a.radius + b.radius;
    if let (Core::Point(first), Core::Point(second)) = (&a.core, &b.core) {
        return spheres::sweep_spheres(first - second, displacement, radii, bound, trace);
    }
    // Most are never near; a trace shows by what.
    if !trace.is_enabled() {
        let around = a.bounding_radius() + b.bounding_radius() + 2.0 * bound;
        if spheres::stay_apart(a.center() - b.center(), displacement, around) {
            return Swept::Misses;
        }
    }
    if axes::decide(a, b) {
        return axes::sweep(a, b, displacement, bound, trace);
    }
    let point_path = |operand: &Operand<'_>, displacement| match operand.core {
        Core::Point(start) => Some(Path {
            start,
            displacement,
        }),
        _ => None,
    };
    if let Some(path) = point_path(a, displacement)
        && let Some(swept) = rounded::sweep_point(&b.core, &path, radii, bound, trace)
    {
        return swept;
    }
    if let Some(path) = point_path(b, -displacement)
        && let Some(swept) = rounded::sweep_point(&a.core, &path, radii, bound, trace)
    {
        return swept.swapped();
    }
    advance::sweep(a, b, (displacement, limits), bound, trace)
}

/// What a sweep relative to an origin found, in the world.
fn outcome(
    origin: DVec3,
    a: &Operand<'_>,
    b: &Operand<'_>,
    displacement: DVec3,
    swept: Swept,
) -> SweepOutcome {
    let (fraction, normal, features, point) = match swept {
        Swept::Overlapping(depth) => return SweepOutcome::Overlapping { depth },
        Swept::Misses => return SweepOutcome::Misses,
        Swept::Grazes(fraction) => return SweepOutcome::Grazes { fraction },
        Swept::Hits {
            fraction,
            normal,
            features,
            point,
        } => (fraction, normal, features, point),
    };
    let moved = displacement * fraction;
    let (point, [feature_a, feature_b]) = match (features, point, &a.core, &b.core) {
        (Some(features), Some(point), ..) => (point + normal * b.radius, features),
        (Some(features), _, Core::Point(center), _) => {
            (center + moved - normal * a.radius, features)
        }
        (Some(features), _, _, Core::Point(center)) => (center + normal * b.radius, features),
        _ => {
            let touch = convex::touch(&a.moved(moved), b, normal);
            (touch.point + normal * b.radius, touch.features)
        }
    };
    SweepOutcome::Hits(Impact {
        fraction,
        point: origin + point,
        normal,
        feature_a,
        feature_b,
        triangle: None,
    })
}

/// True when a hit on a one-sided triangle comes from what has fallen behind it by then; of shapes without a radius also when they do
/// not move toward its front.
fn is_from_behind(
    a: &Operand<'_>,
    b: &Operand<'_>,
    displacement: DVec3,
    impact: &Impact,
    trace: &mut impl Trace,
) -> bool {
    let bound = sweep_bound(a, b, displacement);
    let moved = displacement * impact.fraction;
    // The touching point of the core, relative to the triangle where it stands.
    let on_a = impact.point + impact.normal * a.radius - moved;
    let on_b = impact.point - impact.normal * b.radius;
    let sharp = a.radius + b.radius == 0.0;
    let behind = |triangle: &Operand<'_>, displacement: DVec3, point: DVec3| {
        let Some((face, front)) = triangle.face().zip(triangle.front()) else {
            return false;
        };
        let approach = -front.dot(displacement);
        let height = (point - face.triangle.a).dot(front) - approach * impact.fraction;
        sharp && approach <= 0.0 || height < -bound
    };
    let found = behind(b, displacement, on_a) || behind(a, -displacement, on_b);
    if found {
        trace.step(Step::FallsBehindOneSided {
            fraction: impact.fraction,
        });
    }
    found
}

/// The least distance of a, which moves by `displacement` relative to b, and when; 0 from where they touch. `None` behind a
/// one-sided triangle. Distances outside of a range need not be exact.
pub(super) fn closest_approach(
    a: &Operand<'_>,
    b: &Operand<'_>,
    displacement: DVec3,
    range: [f64; 2],
) -> Option<ClosestApproach> {
    colliding(a, b, &mut (), |a, b, _| {
        near(a, b, |_, a, b| {
            Some(approach::closest(a, b, displacement, range))
        })
    })
}
