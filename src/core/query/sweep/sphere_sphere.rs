//! Two swept spheres (Dopertchouk 2000, with the time of impact, the sign mended and the discriminant made exact).
//!
//! The squared gap is a parabola, `f(t) = a t^2 + 2 b t + c`, with `a = dd.dd`, `b = dp.dd`, `c = dp.dp - R^2`.

use super::touch_of_sphere;
use crate::core::query::exact::discriminant_sign;
use crate::core::query::nearest::nearest_on_point;
use crate::core::query::{Feature, Impact, SweepOutcome, Trace};
use crate::core::shape::Sphere;
use crate::core::tolerance::STEEP_ENOUGH;
use glam::DVec3;
use std::cmp::Ordering;

/// Sweeps two spheres; both move by their displacement over the frame (metres, not a velocity).
///
/// The impact's normal points from the second toward the first; its point is on both.
pub fn sweep_sphere_sphere(
    first: &Sphere,
    displacement: DVec3,
    second: &Sphere,
    second_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let touch = touch_of_sphere(first, displacement, &[second.center]);
    let reach = first.radius + second.radius;
    let between = second.center - first.center;
    let step = second_displacement - displacement;
    let (a, b) = (step.length_squared(), between.dot(step));
    let c = between.length_squared() - reach * reach;
    let gap = nearest_on_point(between, DVec3::ZERO).distance - reach;
    trace.step(
        "Parabola",
        &[
            ("a", a),
            ("b", b),
            ("c", c),
            ("gap", gap),
            ("radii", reach),
            ("touch", touch),
        ],
    );
    if gap < -touch {
        trace.step("Overlapping", &[("depth", -gap)]);
        return SweepOutcome::Overlapping { depth: -gap };
    }
    // Touching, an approach that stays within rounding over the whole frame is none: b is the approach times the distance.
    let resting = if gap <= touch { touch * reach } else { 0.0 };
    if b >= -resting {
        trace.step("Receding", &[("b", b)]);
        return SweepOutcome::Receding;
    }
    let end = (between + step).length_squared() - reach * reach;
    if a + b <= 0.0 && end >= 0.0 {
        trace.step("Later", &[("a + b", a + b), ("f(1)", end)]);
        return SweepOutcome::Later;
    }
    let across = between.cross(step).length_squared();
    let discriminant = a * reach * reach - across;
    let sign = discriminant_sign(
        discriminant,
        first,
        displacement,
        second,
        second_displacement,
    );
    if gap > 0.0 && sign != Ordering::Greater {
        let fraction = -b / a;
        return passes((across / a).sqrt() - reach, sign, fraction, trace);
    }
    let entry = if gap > 0.0 {
        c.max(0.0) / (discriminant.max(0.0).sqrt() - b)
    } else {
        0.0
    };
    let (fraction, normal) = refined(entry, between, step, reach);
    if fraction >= 1.0 {
        trace.step("Later", &[("fraction", fraction)]);
        return SweepOutcome::Later;
    }
    trace.step(
        "Hits",
        &[("discriminant", discriminant), ("fraction", fraction)],
    );
    SweepOutcome::Hits(Impact {
        fraction,
        point: first.center + displacement * fraction - normal * first.radius,
        normal,
        feature_a: Feature::Round,
        feature_b: Feature::Round,
        triangle: None,
    })
}

fn passes(by: f64, sign: Ordering, fraction: f64, trace: &mut impl Trace) -> SweepOutcome {
    if sign == Ordering::Equal || by <= 0.0 {
        trace.step("Grazes", &[("by", by), ("fraction", fraction)]);
        SweepOutcome::Grazes { fraction }
    } else {
        trace.step("Misses", &[("by", by), ("fraction", fraction)]);
        SweepOutcome::Misses { by, fraction }
    }
}

/// One Newton step on the gap, which undoes the rounding of a long way; and the normal there, from second to first.
fn refined(entry: f64, between: DVec3, step: DVec3, reach: f64) -> (f64, DVec3) {
    let nearest = nearest_on_point(-(between + step * entry), DVec3::ZERO);
    let rate = -nearest.normal.dot(step);
    if entry > 0.0 && rate < -STEEP_ENOUGH * step.length() && nearest.distance > 0.0 {
        let fraction = entry - (nearest.distance - reach) / rate;
        (fraction.max(0.0), nearest.normal)
    } else {
        (entry, nearest.normal)
    }
}
