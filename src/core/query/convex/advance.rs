//! Sweeps of any two convex shapes that do not turn (conservative advancement, Mirtich 1996).
//!
//! The distance of two convex shapes is convex in time, and the plane through their closest points bounds it from below: until the
//! motion has closed the distance along that normal, nothing can touch. Stepping to that time and measuring again is Newton's method
//! from the safe side. It ends in a few steps, for flat shapes exactly. It is for what touches at the start, grazes, or has a formula for its
//! distance; all else the line of the motion decides (`entry`).

use super::super::closed_form::point;
use super::super::closed_form::rounded::Swept;
use super::super::operand::{Core, Operand};
use super::super::trace::{Step, Trace};
use super::approach;
use super::entry::{self, Arrival, Entry};
use super::line::AGREES;
use super::separation::{separation, separation_until};
use super::touch::{Meeting, Touch};
use crate::core::shape::UnitOrZero;
use crate::core::tolerance::{DIRECTION_BOUNDS, FIRST_LOOK_AHEAD, POLYTOPE_GAIN};
use glam::DVec3;

/// Distance of two unit directions that differ by rounding (no unit).
const LEVEL: f64 = 16.0 * f64::EPSILON;
/// Steps after which shapes that still come nearer, ever more slowly, graze.
const MOST_STEPS: u32 = 64;

/// A sweep to the end of the motion, with depths that are exact.
pub(crate) const WHOLE: [f64; 2] = [1.0, 0.0];

/// Sweeps two convex shapes; `displacement` is that of a relative to b, `bound` the error bound of their distance. Touches later than a
/// fraction may be missed, and of overlaps up to `shallow` the depth may be a greater one up to it.
pub(crate) fn sweep(
    a: &Operand<'_>,
    b: &Operand<'_>,
    (displacement, [until, shallow]): (DVec3, [f64; 2]),
    bound: f64,
    trace: &mut impl Trace,
) -> Swept {
    let toward = a.center() - b.center();
    let entry = if has_formula(a, b) {
        Entry::Unclear
    } else {
        entry::of(a, b, (displacement, until), bound)
    };
    match entry {
        // A trace shows by what.
        _ if trace.is_enabled() => {}
        Entry::Misses => return Swept::Misses,
        Entry::Touches(arrival) => return arrive(a, b, displacement, arrival, bound, trace),
        Entry::Unclear => {}
    }
    let is_enough = |[least, most]: [f64; 2]| most < -bound && least >= -shallow;
    let start = separation_until(a, b, toward, f64::INFINITY, &is_enough, trace);
    let approach = -start.normal.dot(displacement);
    trace.step(Step::Start {
        gap: start.distance,
        approach,
        bound,
    });
    if let Entry::Touches(arrival) = entry {
        let there = a.moved(displacement * arrival.fraction);
        trace.step(Step::Advance {
            fraction: arrival.fraction,
            distance: separation(&there, b, arrival.normal, f64::INFINITY, &mut ()).distance,
            approach: -arrival.normal.dot(displacement),
        });
        return arrive(a, b, displacement, arrival, bound, trace);
    }
    if start.distance < -bound - start.slack {
        return Swept::Overlapping(-start.distance);
    }
    let resting = if start.distance <= bound { bound } else { 0.0 };
    if approach <= resting {
        trace.step(Step::Receding { approach });
        return Swept::Misses;
    }
    let (mut fraction, mut now, mut approach) = (0.0, start, approach);
    let mut before = start.normal;
    for _ in 0..MOST_STEPS {
        if now.distance <= bound {
            return arrive(
                a,
                b,
                displacement,
                Arrival::new(fraction, now.normal),
                bound,
                trace,
            );
        }
        if approach <= 0.0 {
            // So near, rounding may have turned the direction between sharp cores: the one before it counts.
            if now.distance <= DIRECTION_BOUNDS * bound && a.radius + b.radius == 0.0 {
                let arrival = Arrival::new(fraction, before);
                let arrived = arrive(a, b, displacement, arrival, bound, trace);
                if !matches!(arrived, Swept::Grazes(_)) {
                    return arrived;
                }
            }
            trace.step(Step::PassesBy { fraction });
            return Swept::Misses;
        }
        let next = fraction + now.distance / approach;
        if next >= 1.0 {
            trace.step(Step::Later { fraction: next });
            return Swept::Misses;
        }
        if next == fraction {
            return arrive(
                a,
                b,
                displacement,
                Arrival::new(fraction, now.normal),
                bound,
                trace,
            );
        }
        fraction = next;
        before = now.normal;
        let there = a.moved(displacement * fraction);
        now = separation(&there, b, now.normal, f64::INFINITY, &mut ());
        approach = -now.normal.dot(displacement);
        trace.step(Step::Advance {
            fraction,
            distance: now.distance,
            approach,
        });
    }
    Swept::Grazes(fraction)
}

/// The outcome for shapes that touch within the bound: they go on to overlap, graze, or touch as the motion ends.
fn arrive(
    a: &Operand<'_>,
    b: &Operand<'_>,
    displacement: DVec3,
    Arrival {
        fraction,
        normal,
        deep,
    }: Arrival,
    bound: f64,
    trace: &mut impl Trace,
) -> Swept {
    let radii = a.radius + b.radius;
    let there = a.moved(displacement * fraction);
    let meeting = Meeting::along(&there, b, normal);
    let normal = if radii > 0.0 {
        leveled(&there, b, normal, meeting.exact_normal(), bound)
    } else if let (Core::Segment(one), Core::Segment(other)) = (&a.core, &b.core) {
        (one.b - one.a).cross(other.b - other.a).unit_or_zero()
    } else {
        meeting.exact_normal()
    };
    // Two lines, or what is flat along the normal, have no inside: they cross, or slide along each other.
    let thin = radii == 0.0 && !deep && thickness(a, normal) + thickness(b, normal) <= bound;
    let normal = if thin {
        normal * -1.0_f64.copysign(normal.dot(displacement))
    } else {
        normal
    };
    let approach = -normal.dot(displacement);
    // The time at which the distance along the exact normal is closed.
    let gap = a.support(-normal).dot(normal) - b.support(normal).dot(normal) - radii;
    let exact = gap / approach;
    let better = approach > 0.0 && (exact - fraction).abs() * approach <= 64.0 * bound;
    let fraction = if better { exact.max(0.0) } else { fraction };
    if fraction >= 1.0 || (1.0 - fraction) * approach <= bound && approach > 0.0 {
        trace.step(Step::Later {
            fraction: fraction.max(1.0),
        });
        return Swept::Misses;
    }
    let slope = approach / displacement.length();
    let grazes = if radii > 0.0 {
        // A grown core bends no more than a ball of its radius: at least so deep the motion goes before it turns away.
        0.5 * radii * slope * slope <= bound
            && !meeting.is_flat()
            && !comes_deeper(&there, b, displacement * (1.0 - fraction), radii - bound)
    } else if thin {
        approach <= bound
    } else {
        !deep && !overlaps_ahead(a, b, displacement, (fraction, normal), bound)
    };
    if grazes {
        return Swept::Grazes(fraction);
    }
    let Touch { point, features } = meeting.touch(&there, b, normal);
    Swept::Hits {
        fraction,
        normal,
        features: Some(features),
        point: Some(point),
    }
}

/// The normal of round shapes; where it is that of a face, to rounding, the face's own.
fn leveled(a: &Operand<'_>, b: &Operand<'_>, normal: DVec3, exact: DVec3, bound: f64) -> DVec3 {
    // A plane within the bound of the smaller shape may be turned by so much.
    let size = a.bounding_radius().min(b.bounding_radius());
    let level = LEVEL.max(AGREES * bound / size);
    let is_same = exact.distance_squared(normal) <= level * level;
    if is_same { exact } else { normal }
}

/// True when the cores come nearer than a distance.
fn comes_deeper(a: &Operand<'_>, b: &Operand<'_>, displacement: DVec3, distance: f64) -> bool {
    let [a, b] = [a, b].map(|shape| Operand {
        radius: 0.0,
        ..*shape
    });
    approach::closest(&a, &b, displacement, [f64::NEG_INFINITY, f64::INFINITY]).distance < distance
}

/// Share of the sizes of two shapes below which a depth may be rounding of the search for it (no unit): some [`POLYTOPE_GAIN`].
///
/// Smaller, and shapes that slide along each other hit; larger, and a short overlap is passed over.
const LEAST_LOOK: f64 = 16.0 * POLYTOPE_GAIN;

/// True when sharp shapes that touch at a fraction overlap by more than the bound later. The depth is concave in time: at a quarter of the
/// time to the deepest overlap it is at least a quarter, and the deepest is no earlier than the first look, as no overlap is deeper than
/// it is along the normal.
fn overlaps_ahead(
    a: &Operand<'_>,
    b: &Operand<'_>,
    displacement: DVec3,
    (fraction, normal): (f64, DVec3),
    bound: f64,
) -> bool {
    let size = a.bounding_radius() + b.bounding_radius();
    let across = 2.0 * size / displacement.length();
    let last = across.min(1.0 - fraction);
    // Until then they are no deeper along the normal than a search can tell from a touch.
    let least = bound.max(LEAST_LOOK * size) / -normal.dot(displacement);
    let mut ahead = FIRST_LOOK_AHEAD * across;
    if least > 0.0 {
        ahead = ahead.min(2.0 * least);
    }
    loop {
        ahead = ahead.min(last);
        let there = a.moved(displacement * (fraction + ahead));
        let is_enough = |[_, most]: [f64; 2]| most < -bound;
        let found = separation_until(&there, b, normal, 0.0, &is_enough, &mut ());
        if found.distance < -bound - found.slack {
            return true;
        }
        if ahead >= last || ahead <= 0.0 {
            return false;
        }
        ahead *= 4.0;
    }
}

/// Size of a core along a unit direction, metres.
fn thickness(operand: &Operand<'_>, along: DVec3) -> f64 {
    (operand.support(along) - operand.support(-along)).dot(along)
}

/// True for a pair whose closest points have a formula, by which it is advanced in less time.
fn has_formula(a: &Operand<'_>, b: &Operand<'_>) -> bool {
    let of_point = |one: &Operand<'_>, other: &Operand<'_>| match &one.core {
        Core::Point(center) => point::nearest(*center, &other.core).is_some(),
        _ => false,
    };
    let lines = matches!((&a.core, &b.core), (Core::Segment(_), Core::Segment(_)));
    lines || of_point(a, b) || of_point(b, a)
}
