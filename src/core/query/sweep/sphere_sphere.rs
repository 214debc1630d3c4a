//! Two swept spheres (Dopertchouk 2000, with the time of impact, the sign mended and the discriminant made exact).
//!
//! The squared gap is a parabola, `f(t) = a t^2 + 2 b t + c`, with `a = dd.dd`, `b = dp.dd`, `c = dp.dp - R^2`.

use crate::core::query::closest_point::closest_point_on_segment;
use crate::core::query::exact::{ExactSweep, Verdict, exact_point};
use crate::core::query::nearest::nearest_on_point;
use crate::core::query::{Feature, Impact, SweepOutcome, Trace};
use crate::core::shape::{Segment, Sphere};
use crate::core::tolerance::{SMALLEST_QUICK, STEEP_ENOUGH};
use glam::DVec3;

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
    let reach = first.radius + second.radius;
    let between = second.center - first.center;
    let step = second_displacement - displacement;
    let parabola = Parabola::new(between, step, reach);
    let Parabola { a, b, c, .. } = parabola;
    let gap = nearest_on_point(between, DVec3::ZERO).distance - reach;
    trace.step(
        "Parabola",
        &[
            ("a", a),
            ("b", b),
            ("c", c),
            ("gap", gap),
            ("radii", reach),
            ("noise", parabola.noise()),
        ],
    );
    let quick = parabola.verdict();
    // The quick form's numbers are told only where they decide.
    let told = |numbers: usize| if quick.is_some() { numbers } else { 0 };
    let verdict = quick.unwrap_or_else(|| {
        trace.step("DecidedExactly", &[("noise", parabola.noise())]);
        let body = exact_point(first.center, second.center);
        let radii = [first.radius, second.radius];
        ExactSweep::new(body, displacement, second_displacement, radii).verdict()
    });
    match verdict {
        Verdict::Overlapping => {
            let depth = (-gap).max(f64::MIN_POSITIVE);
            trace.step("Overlapping", &[("depth", depth)]);
            SweepOutcome::Overlapping { depth }
        }
        Verdict::Receding => {
            trace.step("Receding", &[("b", b)][..told(1)]);
            SweepOutcome::Receding
        }
        Verdict::Later => {
            let end = (between + step).length_squared() - reach * reach;
            trace.step("Later", &[("a + b", a + b), ("f(1)", end)][..told(2)]);
            SweepOutcome::Later
        }
        Verdict::Misses(by) => {
            let fraction = nearest_share(between, step);
            trace.step("Misses", &[("by", by), ("fraction", fraction)]);
            SweepOutcome::Misses { by, fraction }
        }
        Verdict::Grazes => {
            let fraction = nearest_share(between, step);
            trace.step("Grazes", &[("fraction", fraction)]);
            SweepOutcome::Grazes { fraction }
        }
        Verdict::Hits(fraction) => {
            let numbers = [
                ("fraction", fraction),
                ("discriminant", parabola.discriminant),
            ];
            trace.step("Hits", &numbers[..1 + told(1)]);
            let normal = nearest_on_point(-(between + step * fraction), DVec3::ZERO).normal;
            SweepOutcome::Hits(Impact {
                fraction,
                point: first.center + displacement * fraction - normal * first.radius,
                normal,
                feature_a: Feature::Round,
                feature_b: Feature::Round,
                triangle: None,
            })
        }
    }
}

/// When two points that move by `step` are nearest, in [0, 1].
fn nearest_share(between: DVec3, step: DVec3) -> f64 {
    let way = Segment {
        a: DVec3::ZERO,
        b: step,
    };
    closest_point_on_segment(-between, &way).1
}

/// Each term of a sum is off by a few roundings of its own size, those of the differences included: by less than this share.
const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// The numbers of the quick form, with what bounds their error.
struct Parabola {
    between: DVec3,
    step: DVec3,
    reach: f64,
    a: f64,
    b: f64,
    c: f64,
    /// `b^2 - a c` in its perpendicular form, `a R^2 - |dp x dd|^2`.
    discriminant: f64,
}

impl Parabola {
    fn new(between: DVec3, step: DVec3, reach: f64) -> Self {
        let a = step.length_squared();
        Self {
            between,
            step,
            reach,
            a,
            b: between.dot(step),
            c: between.length_squared() - reach * reach,
            discriminant: a * reach * reach - between.cross(step).length_squared(),
        }
    }

    /// Metres: how far off the gap may be at any time of the frame.
    fn noise(&self) -> f64 {
        ROUNDINGS * (self.between.length() + self.step.length() + self.reach)
    }

    /// The outcome; `None` where one of the decisions lies inside its error bound, or its numbers leave the range of `f64`.
    fn verdict(&self) -> Option<Verdict> {
        let Self { a, b, c, reach, .. } = *self;
        let (far, fast) = (self.between.length(), self.step.length());
        let odd = |length: f64| !(SMALLEST_QUICK..1.0 / SMALLEST_QUICK).contains(&length);
        if far > 1.0 / SMALLEST_QUICK || odd(reach) || (odd(fast) && self.step != DVec3::ZERO) {
            return None;
        }
        let sure = |value: f64, size: f64| (value.abs() > ROUNDINGS * size).then_some(value);
        if sure(c, far * far + reach * reach)? < 0.0 {
            return Some(Verdict::Overlapping);
        }
        if self.step == DVec3::ZERO || sure(b, far * fast)? >= 0.0 {
            return Some(Verdict::Receding);
        }
        let last = far + fast;
        let end = sure(
            (self.between + self.step).length_squared() - reach * reach,
            last * last,
        )?;
        if end < 0.0 {
            return Some(Verdict::Hits(self.entry()));
        }
        if sure(a + b, fast * last)? <= 0.0 {
            return Some(Verdict::Later);
        }
        // The cross product is off by a few roundings of |dp| |dd|, its square by twice that.
        let rounding = ROUNDINGS * far * fast;
        let across = reach * fast;
        let bound = 2.0 * rounding * (2.0 * across + rounding) + ROUNDINGS * across * across;
        if self.discriminant.abs() <= bound {
            return None;
        }
        if self.discriminant > 0.0 {
            return Some(Verdict::Hits(self.entry()));
        }
        let by = self.between.cross(self.step).length() / fast - reach;
        Some(if by > 0.0 {
            Verdict::Misses(by)
        } else {
            return None;
        })
    }

    /// The time of impact, `c / (sqrt(D) - b)`, in which nothing cancels, and one Newton step.
    fn entry(&self) -> f64 {
        let entry = self.c / (self.discriminant.max(0.0).sqrt() - self.b);
        refined(entry, self.between, self.step, self.reach).clamp(0.0, 1.0_f64.next_down())
    }
}

/// One Newton step on the gap, which undoes the rounding of a long way.
fn refined(entry: f64, between: DVec3, step: DVec3, reach: f64) -> f64 {
    let nearest = nearest_on_point(-(between + step * entry), DVec3::ZERO);
    let rate = -nearest.normal.dot(step);
    if rate < -STEEP_ENOUGH * step.length() && nearest.distance > 0.0 {
        entry - (nearest.distance - reach) / rate
    } else {
        entry
    }
}
