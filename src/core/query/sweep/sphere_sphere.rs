//! Two swept spheres (Dopertchouk 2000, with the time of impact, the sign mended and the discriminant made exact).
//!
//! The squared gap is a parabola, `f(t) = a t^2 + 2 b t + c`, with `a = dd.dd`, `b = dp.dd`, `c = dp.dp - R^2`.

use super::sphere_sphere_double::decided_with_twice_the_digits;
use crate::core::query::closest_point::quick_direction;
use crate::core::query::exact::{ExactSweep, Verdict, exact_point};
use crate::core::query::in_range::is_refused;
use crate::core::query::look::{greater, lesser};
use crate::core::query::nearest::nearest_on_point;
use crate::core::query::triangle_view::pick;
use crate::core::query::{Feature, Impact, SweepKind, SweepOutcome, Trace};
use crate::core::shape::Sphere;
use crate::core::tolerance::{SMALLEST_QUICK, STEEP_ENOUGH};
use glam::DVec3;

/// Sweeps two spheres; both move by their displacement over the frame (metres, not a velocity). Seconds are `fraction * dt`.
///
/// With `dp = p2 - p1`, `dd = d2 - d1`, `R = r1 + r2` the squared gap is `f(t) = a t^2 + 2 b t + c`, where `a = dd.dd`,
/// `b = dp.dd`, `c = dp.dp - R^2` (Dopertchouk 2000, whose last comparison is inverted). In this order: `c < 0` is
/// `Overlapping`; `b >= 0` is `Receding`; `a + b <= 0` with `f(1) >= 0` is `Later`; `b^2 - a c` below 0 is `Misses`, equal to 0
/// `Grazes`; else it `Hits` at `t = c / (sqrt(b^2 - a c) - b)`.
///
/// The impact's point is on both; its normal points from the second toward the first.
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
    let gap = || nearest_on_point(between, DVec3::ZERO).distance - reach;
    let noise = ROUNDINGS * (between.length() + step.length() + reach);
    trace.step(
        "Parabola",
        &[
            ("a", parabola.a),
            ("b", parabola.b),
            ("c", parabola.c),
            ("gap", gap()),
            ("radii", reach),
            ("noise", noise),
        ],
    );
    let quick = match parabola.quick() {
        Parabola::OVERLAPPING => Some(Verdict::Overlapping),
        Parabola::RECEDING => Some(Verdict::Receding),
        Parabola::LATER => Some(Verdict::Later),
        Parabola::MISSES => {
            let square = between.cross(step).length_squared() / parabola.a;
            Some(Verdict::Misses(square.sqrt() - reach))
        }
        Parabola::HITS => Some(Verdict::Hits(entry(between, step, reach, &parabola))),
        _ => None,
    };
    // The quick form's numbers are told only where they decide.
    let told = |numbers: usize| if quick.is_some() { numbers } else { 0 };
    let verdict = match quick {
        Some(verdict) => verdict,
        // Only here, as the quick form is never sure of a number that is none.
        None if is_refused(&[first, &displacement, second, &second_displacement], trace) => {
            return SweepOutcome::Receding;
        }
        None => {
            trace.step("DecidedExactly", &[("noise", noise)]);
            let pair = [(first, displacement), (second, second_displacement)];
            decided_exactly(pair, parabola.in_range())
        }
    };
    match verdict {
        Verdict::Overlapping => {
            let depth = (-gap()).max(f64::MIN_POSITIVE);
            trace.step("Overlapping", &[("depth", depth)]);
            SweepOutcome::Overlapping { depth }
        }
        Verdict::Receding => {
            trace.step("Receding", &[("b", parabola.b)][..told(1)]);
            SweepOutcome::Receding
        }
        Verdict::Later => {
            let end = (between + step).length_squared() - reach * reach;
            let along = parabola.a + parabola.b;
            trace.step("Later", &[("a + b", along), ("f(1)", end)][..told(2)]);
            SweepOutcome::Later
        }
        Verdict::Misses(by) => {
            let fraction = parabola.nearest_share();
            trace.step("Misses", &[("by", by), ("fraction", fraction)]);
            SweepOutcome::Misses { by, fraction }
        }
        Verdict::Grazes => {
            let fraction = parabola.nearest_share();
            trace.step("Grazes", &[("fraction", fraction)]);
            SweepOutcome::Grazes { fraction }
        }
        Verdict::Hits(fraction) => {
            let discriminant = perpendicular(between, step, reach);
            let numbers = [("fraction", fraction), ("discriminant", discriminant)];
            trace.step("Hits", &numbers[..1 + told(1)]);
            let then = between + step * fraction;
            SweepOutcome::Hits(impact(first, displacement, fraction, then))
        }
    }
}

/// The outcome of [`sweep_sphere_sphere`] where it is `Overlapping` or `Hits`, with the same bits; `None` otherwise. Several
/// times as fast, as misses are not measured.
#[inline]
pub fn meeting_sphere_sphere(
    first: &Sphere,
    displacement: DVec3,
    second: &Sphere,
    second_displacement: DVec3,
) -> Option<SweepOutcome> {
    let between = second.center - first.center;
    let step = second_displacement - displacement;
    if Parabola::new(between, step, first.radius + second.radius).surely_apart() {
        return None;
    }
    meeting_of([(first, displacement), (second, second_displacement)])
}

/// The same of a pair that may meet; out of line, as most do not come here.
#[inline(never)]
fn meeting_of([(a, d), (b, e)]: [(&Sphere, DVec3); 2]) -> Option<SweepOutcome> {
    let meeting = Meeting::of([a.center, b.center], [a.radius, b.radius], [d, e]);
    match meeting.kind {
        Parabola::HITS | Parabola::OVERLAPPING => Some(meeting.outcome()),
        Parabola::DOUBT => {
            let outcome = sweep_sphere_sphere(a, d, b, e, &mut ());
            outcome.kind().meets().then_some(outcome)
        }
        _ => None,
    }
}

/// The quick outcome of two swept spheres with the numbers of their meeting; branch-free, so that lanes run it too.
#[derive(Clone, Copy)]
pub(crate) struct Meeting {
    /// As [`Parabola::quick`] has it; in doubt also where there is no usable normal.
    pub kind: u64,
    /// Of a hit.
    pub fraction: f64,
    pub point: DVec3,
    pub normal: DVec3,
    /// Of an overlap, metres.
    pub depth: f64,
}

impl Meeting {
    /// Of the centres, the radii and the displacements of both.
    #[inline(always)]
    pub fn of(centers: [DVec3; 2], radii: [f64; 2], displacements: [DVec3; 2]) -> Self {
        let between = centers[1] - centers[0];
        let step = displacements[1] - displacements[0];
        let reach = radii[0] + radii[1];
        let parabola = Parabola::new(between, step, reach);
        let quick = parabola.quick();
        let fraction = entry(between, step, reach, &parabola);
        let then = pick(quick == Parabola::HITS, between + step * fraction, between);
        let (normal, distance, clear) = quick_direction(-then);
        let point = centers[0] + displacements[0] * fraction - normal * radii[0];
        Self {
            kind: select(clear, quick, Parabola::DOUBT),
            fraction,
            point,
            normal,
            depth: greater(reach - distance, f64::MIN_POSITIVE),
        }
    }

    /// Where it is sure that they meet.
    #[inline(always)]
    pub fn outcome(&self) -> SweepOutcome {
        if self.kind == Parabola::OVERLAPPING {
            return SweepOutcome::Overlapping { depth: self.depth };
        }
        SweepOutcome::Hits(Impact {
            fraction: self.fraction,
            point: self.point,
            normal: self.normal,
            feature_a: Feature::Round,
            feature_b: Feature::Round,
            triangle: None,
        })
    }
}

/// Where two meet whose centres are `then` apart; both on their way.
#[inline]
fn impact(first: &Sphere, displacement: DVec3, fraction: f64, then: DVec3) -> Impact {
    let normal = nearest_on_point(-then, DVec3::ZERO).normal;
    Impact {
        fraction,
        point: first.center + displacement * fraction - normal * first.radius,
        normal,
        feature_a: Feature::Round,
        feature_b: Feature::Round,
        triangle: None,
    }
}

/// Out of line, as hardly any pair comes here.
#[cold]
#[inline(never)]
fn decided_exactly([first, second]: [(&Sphere, DVec3); 2], in_range: bool) -> Verdict {
    if in_range && let Some(verdict) = decided_with_twice_the_digits(first, second) {
        return verdict;
    }
    let body = exact_point(first.0.center, second.0.center);
    let radii = [first.0.radius, second.0.radius];
    ExactSweep::new(body, first.1, second.1, radii).verdict()
}

/// Each term of a sum is off by a few roundings of its own size, those of the differences included: by less than this share.
const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// More than underflow takes off a few products; of one that loses more, c or b could not be sure before.
const LOST: f64 = 1e-280;

/// The numbers of the quick form, all of them squares or products: no root, no division.
#[derive(Clone, Copy)]
pub(crate) struct Parabola {
    a: f64,
    b: f64,
    c: f64,
    /// `|dp|^2`, and with `R^2` added.
    far: f64,
    size: f64,
    /// `R^2`
    square: f64,
    /// No relative motion at all; a step whose square underflows is one.
    still: bool,
}

/// The quick outcomes, as numbers that lanes can choose among; [`Parabola::DOUBT`] where exact arithmetic must decide.
impl Parabola {
    pub const DOUBT: u64 = 0xff;
    pub const OVERLAPPING: u64 = SweepKind::Overlapping as u64;
    const RECEDING: u64 = SweepKind::Receding as u64;
    const LATER: u64 = SweepKind::Later as u64;
    const MISSES: u64 = SweepKind::Misses as u64;
    pub const HITS: u64 = SweepKind::Hits as u64;

    #[inline(always)]
    pub fn new(between: DVec3, step: DVec3, reach: f64) -> Self {
        let (far, square) = (between.length_squared(), reach * reach);
        Self {
            a: step.length_squared(),
            b: between.dot(step),
            c: far - square,
            far,
            size: far + square,
            square,
            still: (step.x == 0.0) & (step.y == 0.0) & (step.z == 0.0),
        }
    }

    /// When the two are nearest, in [0, 1].
    fn nearest_share(&self) -> f64 {
        if self.a > 0.0 {
            (-self.b / self.a).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    /// Do products of these numbers neither overflow nor lose digits to underflow?
    #[inline(always)]
    fn in_range(&self) -> bool {
        let least = SMALLEST_QUICK * SMALLEST_QUICK;
        let moves = (self.a >= least) | self.still;
        moves & (self.square >= least) & (self.size + self.a <= 1.0 / least)
    }

    /// The outcome outside the error bounds of all its decisions, in their order; branch-free, so that lanes run it too.
    ///
    /// Each of a, b and c is off by at most 3 units of 2^-52 of `|dd|^2`, `|dp| |dd|` and `|dp|^2 + R^2`, the rounding of
    /// the differences included; 16 are allowed, and 32 for what is summed or multiplied from them. Bounds that hold a
    /// length are compared as squares. `b^2 - a c` is enough here: where it cancels it lies inside its bound.
    #[inline(always)]
    pub fn quick(&self) -> u64 {
        let Self { a, b, c, still, .. } = *self;
        let few = ROUNDINGS;
        let in_range = self.in_range();
        let (at_end, along, square) = (a + b + (b + c), a + b, b * b);
        let discriminant = square - a * c;
        let small = few * a;
        let last = 2.0 * few * (self.size + a);
        let sure_c = c.abs() > few * self.size;
        let sure_b = (square > small * (few * self.far)) | still;
        let sure_end = at_end.abs() > last;
        let sure_along = along * along > small * last;
        let sure_miss = discriminant.abs() > 2.0 * small * self.size;
        let (overlapping, receding) = (c < 0.0, b >= 0.0);
        let (inside, later) = (at_end < 0.0, along <= 0.0);
        let at_last = sure_end & (inside | (sure_along & (later | sure_miss)));
        let sure = in_range & sure_c & (overlapping | (sure_b & (receding | at_last)));
        let passing = select(later, Self::LATER, Self::MISSES);
        let hits = inside | ((discriminant > 0.0) & !later);
        let apart = select(hits, Self::HITS, passing);
        let moving = select(receding, Self::RECEDING, apart);
        let outcome = select(overlapping, Self::OVERLAPPING, moving);
        select(sure, outcome, Self::DOUBT)
    }
}

impl Parabola {
    /// Do the two surely not meet: apart at the start, and at the nearest of the whole frame?
    ///
    /// With `t = clamp(-b, 0, a)`, which is a times the nearest share, a times the least squared gap is `t (t + 2 b) + a c`: no
    /// division, and receding, later and passing by are one question. In units of 2^-53, with `size = |dp|^2 + R^2` and
    /// `|dp| |dd| <= (size + a) / 2`: c is off by 7 of size; t is the nearest up to 12 of a (size + a), as it leaves the edge of
    /// the frame or the parabola's lowest point by 6 of its size only; t times 2 b takes 6, the sum and the product 10, a times c
    /// 14, the last sum 2: 44 of a (size + a) at most, and 64 are allowed, with what is lost to underflow. A product that overflows
    /// makes its bound endless. Without any motion the start decides.
    #[inline(always)]
    pub fn surely_apart(&self) -> bool {
        let Self { a, b, c, size, .. } = *self;
        let size = size + a;
        let nearest = lesser(greater(-b, 0.0), a);
        let least = nearest * (nearest + (b + b)) + a * c;
        let apart = least > 2.0 * ROUNDINGS * (a * size) + LOST;
        (c > 2.0 * ROUNDINGS * size + LOST) & (apart | (a == 0.0))
    }
}

#[inline(always)]
fn select(condition: bool, yes: u64, no: u64) -> u64 {
    if condition { yes } else { no }
}

/// The time of impact, `c / (sqrt(D) - b)`, in which nothing cancels, and one Newton step; branch-free.
#[inline(always)]
fn entry(between: DVec3, step: DVec3, reach: f64, parabola: &Parabola) -> f64 {
    let discriminant = greater(perpendicular(between, step, reach), 0.0);
    let entry = parabola.c / (discriminant.sqrt() - parabola.b);
    let refined = refined(entry, between, step, reach);
    lesser(greater(refined, 0.0), 1.0_f64.next_down())
}

/// `b^2 - a c` in its perpendicular form, `a R^2 - |dp x dd|^2`, which keeps its digits where small things move fast.
#[inline(always)]
fn perpendicular(between: DVec3, step: DVec3, reach: f64) -> f64 {
    step.length_squared() * reach * reach - between.cross(step).length_squared()
}

/// One Newton step on the squared gap, which undoes the rounding of a long way.
#[inline(always)]
fn refined(entry: f64, between: DVec3, step: DVec3, reach: f64) -> f64 {
    let then = between + step * entry;
    let (square, rate) = (then.length_squared(), then.dot(step));
    let steep = rate * rate > STEEP_ENOUGH * STEEP_ENOUGH * (square * step.length_squared());
    let better = entry - (square - reach * reach) / (rate + rate);
    if (rate < 0.0) & steep { better } else { entry }
}
