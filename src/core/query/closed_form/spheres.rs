//! Two swept spheres (Dopertchouk 2000, with the time of impact and the sign of the last comparison corrected).
//!
//! Of swept spheres the squared gap is a parabola, `f(t) = a t^2 + 2 b t + c`, with `a = dd.dd`, `b = dp.dd`, `c = dp.dp - R^2`.

use super::super::closest_point::direction_and_length;
use super::super::trace::{Step, Trace};
use super::rounded::Swept;
use crate::core::shape::Feature;
use crate::core::tolerance::EARLY_OUT_SHARE;
use glam::DVec3;

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
    if trace.is_enabled() {
        let gap = between.length() - radii;
        trace.step(Step::Parabola {
            a,
            b,
            c,
            gap,
            radii,
        });
    }
    let (start, distance) = direction_and_length(between).unwrap_or((DVec3::Y, 0.0));
    if distance - radii < -bound {
        return Swept::Overlapping(radii - distance);
    }
    let approach = -start.dot(displacement);
    let resting = if distance - radii <= bound {
        bound
    } else {
        0.0
    };
    if approach <= resting {
        trace.step(Step::Receding { approach });
        return Swept::Misses;
    }
    // Over the closest approach: `|dp x dd|^2 / a` is its square.
    let across = between.cross(displacement).length_squared();
    let discriminant = a * radii * radii - across;
    let nearest = -b / a;
    if !(radii > bound && across < a * (radii - bound) * (radii - bound)) {
        if across <= a * (radii + bound) * (radii + bound) && nearest < 1.0 {
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
    let normal = direction_and_length(between + displacement * fraction).map_or(start, |(n, _)| n);
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
