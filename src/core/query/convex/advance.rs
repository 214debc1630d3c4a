//! Sweeps of any two convex shapes that do not turn (conservative advancement, Mirtich 1996; ray cast on the Minkowski difference,
//! van den Bergen 2004).
//!
//! The distance of two convex shapes is convex in time, and the plane through their closest points bounds it from below: until the
//! motion has closed the distance along that normal, nothing can touch. Stepping to that time and measuring again is Newton's method
//! from the safe side. It ends in a few steps, for flat shapes exactly.

use super::super::closed_form::rounded::Swept;
use super::super::operand::{Core, Operand};
use super::super::{Step, Trace};
use super::{Separation, separation, touch};
use glam::DVec3;

/// Error bounds within which the direction between two sharp cores may be rounding.
const NEAR_BOUNDS: f64 = 1e3;
/// Steps after which shapes that still come nearer, ever more slowly, graze.
const MOST_STEPS: u32 = 64;

/// Sweeps two convex shapes; `displacement` is that of a relative to b, `bound` the error bound of their distance.
pub(crate) fn sweep(
    a: &Operand<'_>,
    b: &Operand<'_>,
    displacement: DVec3,
    bound: f64,
    trace: &mut impl Trace,
) -> Swept {
    let start = separation(a, b, a.center() - b.center(), trace);
    let approach = -start.normal.dot(displacement);
    trace.step(Step::Start {
        gap: start.distance,
        approach,
        bound,
    });
    if start.distance < -bound {
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
            return arrive(a, b, displacement, (fraction, &now), bound, trace);
        }
        if approach <= 0.0 {
            // So near, rounding may have turned the direction between sharp cores: the one before it counts.
            if now.distance <= NEAR_BOUNDS * bound && a.radius + b.radius == 0.0 {
                let near = Separation {
                    normal: before,
                    ..now
                };
                return arrive(a, b, displacement, (fraction, &near), bound, trace);
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
            return arrive(a, b, displacement, (fraction, &now), bound, trace);
        }
        fraction = next;
        before = now.normal;
        now = separation(&a.moved(displacement * fraction), b, now.normal, &mut ());
        approach = -now.normal.dot(displacement);
        trace.step(Step::Advance {
            fraction,
            distance: now.distance,
            approach,
        });
    }
    Swept::Grazes(fraction)
}

/// The shapes touch within the bound: do they go on to overlap?
fn arrive(
    a: &Operand<'_>,
    b: &Operand<'_>,
    displacement: DVec3,
    (fraction, now): (f64, &Separation),
    bound: f64,
    trace: &mut impl Trace,
) -> Swept {
    let radii = a.radius + b.radius;
    let there = a.moved(displacement * fraction);
    let normal = if radii > 0.0 {
        now.normal
    } else if let (Core::Segment(one), Core::Segment(other)) = (&a.core, &b.core) {
        let cross = (one.b - one.a).cross(other.b - other.a).normalize_or_zero();
        cross * -1.0_f64.copysign(cross.dot(displacement))
    } else {
        touch::exact_normal(&there, b, now.normal)
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
        // A grown core bends no more than a ball of its radius: so deep the motion goes before it turns away.
        0.5 * radii * slope * slope <= bound && !is_flat_contact(&there, b, normal)
    } else if let (Core::Segment(_), Core::Segment(_)) = (&a.core, &b.core) {
        // Two lines have no inside: they cross, or slide along each other.
        approach <= bound
    } else {
        // Of a point and a solid the solid's.
        let sizes = [a.bounding_radius(), b.bounding_radius()];
        let size = if sizes[0] > 0.0 && sizes[1] > 0.0 {
            sizes[0].min(sizes[1])
        } else {
            sizes[0].max(sizes[1])
        };
        let deeper = (1e-6 * size / displacement.length()).min(1.0 - fraction);
        let ahead = a.moved(displacement * (fraction + deeper));
        separation(&ahead, b, normal, &mut ()).distance >= -bound
    };
    if grazes {
        return Swept::Grazes(fraction);
    }
    Swept::Hits {
        fraction,
        normal,
        feature: None,
    }
}

/// Does a face touch there, which no motion toward it passes?
fn is_flat_contact(a: &Operand<'_>, b: &Operand<'_>, normal: DVec3) -> bool {
    a.part(-normal).normal.is_some() || b.part(normal).normal.is_some()
}
