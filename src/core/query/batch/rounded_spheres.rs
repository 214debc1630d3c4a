//! Two swept spheres by numbers rounded to `f32`: the outcomes of [`Parabola::quick`], in its order, with wider error bounds.
//!
//! With u = 2^-24 and S, D the sums of the sizes of all coordinates and radii, and of all steps, the differences of centres and
//! steps are off by at most 2 u S and 2 u D, their own rounding included. So a is off by at most 7 u D^2, b by 7 u S D,
//! c by 13 u S^2; their sums by 17 u (S + D)^2 and 9 u D (S + D); b^2 - a c by 39 u S^2 D^2. One bound for
//! all but the last holds the largest.
//!
//! Of [`Parabola::surely_apart`] a times the least squared gap, `t (t + 2 b) + a c`, is off by 35 u S D^3 (14 as t ends at a, 14 by
//! b, 7 by what rounds) and 22 u S^2 D^2 by a and c: less than 35 u S D^2 (S + D), and 64 are allowed.

use crate::core::query::SweepKind;
use crate::core::query::sweep::Parabola;

/// 32 u, and twice that of the discriminant.
const NOISE: f32 = 16.0 * f32::EPSILON;

/// More than underflow takes off a few products. `a c` may lose more where D is below some 1e-7 of S; then c is not sure, nor b,
/// and what follows does not count.
const LOST: f32 = 1e-30;

/// Sizes above this are left to `f64`: below, no product overflows.
const LARGEST: f32 = 1e9;

/// The error bounds of two blocks of pairs, endless where some numbers are too large.
#[derive(Clone, Copy)]
pub(super) struct Noise {
    /// Of all but the discriminant.
    sums: f32,
    /// Of the discriminant.
    miss: f32,
    /// Of a times the least squared gap.
    least: f32,
}

impl Noise {
    /// By S and D of both blocks together.
    #[inline(always)]
    pub fn of([near, fast]: [f32; 2]) -> Self {
        let (all, product) = (near + fast, near * fast);
        if all < LARGEST {
            Self {
                sums: NOISE * (all * all) + LOST,
                miss: 2.0 * NOISE * (product * product) + LOST,
                least: 2.0 * NOISE * (near * all * (fast * fast)) + LOST,
            }
        } else {
            Self {
                sums: f32::INFINITY,
                miss: f32::INFINITY,
                least: f32::INFINITY,
            }
        }
    }
}

/// The three numbers of a parabola.
struct Rounded {
    a: f32,
    b: f32,
    c: f32,
}

impl Rounded {
    #[inline(always)]
    fn of(first: [f32; 7], second: [f32; 7]) -> Self {
        let [ax, ay, az, a_radius, adx, ady, adz] = first;
        let [bx, by, bz, b_radius, bdx, bdy, bdz] = second;
        let (px, py, pz) = (bx - ax, by - ay, bz - az);
        let (dx, dy, dz) = (bdx - adx, bdy - ady, bdz - adz);
        let reach = a_radius + b_radius;
        Self {
            a: dx * dx + dy * dy + dz * dz,
            b: px * dx + py * dy + pz * dz,
            c: px * px + py * py + pz * pz - reach * reach,
        }
    }
}

/// Do two surely not meet? Of centre, radius and displacement of either.
#[inline(always)]
pub(super) fn surely_apart(first: [f32; 7], second: [f32; 7], noise: Noise) -> bool {
    let Rounded { a, b, c } = Rounded::of(first, second);
    let towards = if -b > 0.0 { -b } else { 0.0 };
    let nearest = if towards < a { towards } else { a };
    let least = nearest * (nearest + b + b) + a * c;
    (c > noise.sums) & (least > noise.least)
}

/// The outcome's code, or [`Parabola::DOUBT`]; of centre, radius and displacement of either.
#[inline(always)]
pub(super) fn outcome(first: [f32; 7], second: [f32; 7], noise: Noise) -> u32 {
    let Rounded { a, b, c } = Rounded::of(first, second);
    let (along, at_end, discriminant) = (a + b, a + b + (b + c), b * b - a * c);
    let sure_c = c.abs() > noise.sums;
    let sure_b = b.abs() > noise.sums;
    let sure_end = at_end.abs() > noise.sums;
    let sure_along = along.abs() > noise.sums;
    let sure_miss = discriminant.abs() > noise.miss;

    let (overlapping, receding) = (c < 0.0, b >= 0.0);
    let (inside, later) = (at_end < 0.0, along <= 0.0);
    let at_last = sure_end & (inside | (sure_along & (later | sure_miss)));
    let sure = sure_c & (overlapping | (sure_b & (receding | at_last)));
    let passing = select(later, LATER, MISSES);
    let hits = inside | ((discriminant > 0.0) & !later);
    let apart = select(hits, HITS, passing);
    let moving = select(receding, RECEDING, apart);
    let outcome = select(overlapping, OVERLAPPING, moving);
    select(sure, outcome, Parabola::DOUBT as u32)
}

const OVERLAPPING: u32 = SweepKind::Overlapping as u32;
const RECEDING: u32 = SweepKind::Receding as u32;
const LATER: u32 = SweepKind::Later as u32;
const MISSES: u32 = SweepKind::Misses as u32;
const HITS: u32 = SweepKind::Hits as u32;

#[inline(always)]
fn select(condition: bool, yes: u32, no: u32) -> u32 {
    if condition { yes } else { no }
}
