//! Two spheres, at rest and swept (Dopertchouk 2000, with the time of impact and the sign of the last comparison corrected).
//!
//! Of swept spheres the squared gap is a parabola, `f(t) = a t^2 + 2 b t + c`, with `a = dd.dd`, `b = dp.dd`, `c = dp.dp - R^2`.

use super::super::closest_point::direction_and_length;
use super::super::operand::{Operand, error_bound};
use super::super::outcome::{Contact, Gap};
use super::super::trace::{Step, Trace};
use super::point::nearest_on_point;
use super::rounded::Swept;
use crate::core::shape::{Feature, Sphere};
use crate::core::tolerance::EARLY_OUT_SHARE;
use glam::DVec3;

/// The contact of two spheres, the same as that of two points with a radius, in half the time. World space; finite numbers.
#[inline]
pub(crate) fn contact(a: &Sphere, b: &Sphere) -> Option<Contact> {
    let point = |sphere: &Sphere| Operand::point(sphere.center, sphere.radius);
    let bound = error_bound(&point(a), &point(b));
    let nearest = nearest_on_point(a.center, b.center);
    let distance = nearest.distance - a.radius - b.radius;
    (distance <= bound).then(|| Contact {
        point: b.center + nearest.normal * b.radius,
        normal: nearest.normal,
        depth: (-distance).max(0.0),
        feature_a: Feature::Round,
        feature_b: Feature::Round,
        triangle: None,
        fallback: nearest.fallback,
    })
}

/// The gap of two spheres, likewise.
#[inline]
pub(crate) fn gap(a: &Sphere, b: &Sphere) -> Gap {
    let nearest = nearest_on_point(a.center, b.center);
    Gap {
        distance: nearest.distance - a.radius - b.radius,
        point_a: a.center - nearest.normal * a.radius,
        point_b: b.center + nearest.normal * b.radius,
        normal: nearest.normal,
    }
}

/// Sweeps two spheres: `between` leads from the second centre to the first at the start, `displacement` is that of the first relative to
/// the second, `radii` the sum of both.
///
/// In this order: `c < 0` is overlapping; `b >= 0` is receding; `a + b <= 0` with `f(1) >= 0` is later; `b^2 - a c` below 0 passes by,
/// at 0 grazes; else they hit at `t = c / (sqrt(b^2 - a c) - b)`. The discriminant is `a R^2 - |dp x dd|^2`: the schoolbook difference
/// cancels for small things that move fast.
#[inline]
pub(crate) fn sweep_spheres(
    between: DVec3,
    displacement: DVec3,
    radii: f64,
    bound: f64,
    trace: &mut impl Trace,
) -> Swept {
    if !trace.is_enabled() && stay_apart(between, displacement, radii) {
        return Swept::Misses;
    }
    let (a, b) = (displacement.length_squared(), between.dot(displacement));
    let c = between.length_squared() - radii * radii;
    let (normal, distance) = direction_and_length(between).unwrap_or((DVec3::Y, 0.0));
    let gap = distance - radii;
    trace.step(Step::Parabola {
        a,
        b,
        c,
        gap,
        radii,
    });
    if gap < -bound {
        return Swept::Overlapping(-gap);
    }
    let approach = -normal.dot(displacement);
    let resting = if gap <= bound { bound } else { 0.0 };
    if approach <= resting {
        trace.step(Step::Receding { approach });
        return Swept::Misses;
    }
    // Over the closest approach, m the squared clearance: `m = |dp x dd|^2 / a - R^2`.
    let across = between.cross(displacement).length_squared();
    let discriminant = a * radii * radii - across;
    let clearance = across.sqrt() / a.sqrt() - radii;
    let nearest = -b / a;
    if clearance >= -bound {
        if clearance <= bound && nearest < 1.0 {
            return Swept::Grazes(nearest.max(0.0));
        }
        trace.step(Step::Discriminant {
            value: discriminant,
        });
        trace.step(Step::PassesBy { fraction: nearest });
        return Swept::Misses;
    }
    trace.step(Step::Discriminant {
        value: discriminant,
    });
    let fraction = c.max(0.0) / (discriminant.sqrt() - b);
    let normal = direction_and_length(between + displacement * fraction).map_or(normal, |(n, _)| n);
    let closing = -normal.dot(displacement);
    if fraction >= 1.0 || (1.0 - fraction) * closing <= bound {
        trace.step(Step::Later {
            fraction: fraction.max(1.0),
        });
        return Swept::Misses;
    }
    Swept::Hits {
        fraction,
        normal,
        features: Some([Feature::Round; 2]),
        point: None,
    }
}

/// True when two spheres surely never touch; arguments as in [`sweep_spheres`].
#[inline]
pub(crate) fn stay_apart(between: DVec3, displacement: DVec3, radii: f64) -> bool {
    let nearest = (-between.dot(displacement) / displacement.length_squared()).clamp(0.0, 1.0);
    // Without a displacement it is no number, and only the start counts.
    let nearest = if nearest.is_nan() { 0.0 } else { nearest };
    let apart = (between + displacement * nearest).length_squared();
    // What rounding may have moved, by far; what is no number compares as false.
    apart > radii * radii + EARLY_OUT_SHARE * (between.length_squared() + radii * radii)
}
