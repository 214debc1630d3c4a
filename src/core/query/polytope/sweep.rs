//! When do two convex bodies meet that move straight and do not turn?
//!
//! On each axis the two overlap during one interval of time. They meet when all intervals have begun and none has ended:
//! at the latest beginning, if it comes before the earliest end (Ericson 2005, 5.5.2). The axis that begins last is the
//! normal. What rounding could decide is decided by exact arithmetic.

use super::super::super::shape::Obb;
use super::super::super::tolerance;
use super::super::exact::ExactVector;
use super::super::in_range::is_refused;
use super::super::{Impact, SweepOutcome, Trace};
use super::Polytope;
use super::axes::{Axes, LeastPush, Overlap};
use super::boxes::contact_cuboids;
use super::contact::{is_behind_one_sided, length_sum, rounding};
use super::exact_pair::{ExactCrossing, ExactPair, Relation, exact_rate, shortest_way};
use super::gap::closest;
use super::tracks::{Sure, Tracks};
use super::witness::meeting;
use glam::DVec3;
use std::cmp::Ordering;

/// Sweeps two boxes that do not turn: separating axes over time (Ericson 2005, 5.5.2), 15 of them, or 3 where the boxes are
/// parallel. Axis-aligned boxes have no rotation. For touching and bad input see [`sweep_polytope_polytope`].
pub fn sweep_obb_obb(
    a: &Obb,
    displacement_a: DVec3,
    b: &Obb,
    displacement_b: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let (a, b) = (Polytope::from_obb(a), Polytope::from_obb(b));
    sweep_polytope_polytope(&a, displacement_a, &b, displacement_b, trace)
}

/// Sweeps two bodies along their displacements of the same frame.
///
/// Bodies that touch at the start meet at fraction 0 if they close, and are `Receding` if they part or slide. A body
/// without thickness that is crossed is met. A one-sided triangle that is approached from behind, or along its plane, is
/// ignored and answers `Receding`, as does input that is not finite.
pub fn sweep_polytope_polytope(
    a: &Polytope,
    displacement_a: DVec3,
    b: &Polytope,
    displacement_b: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let step = Step::of(displacement_a, displacement_b);
    let relative = step.relative;
    let outcome = match cross(a, b, &step, trace) {
        Crossing::Overlapping { depth } => SweepOutcome::Overlapping { depth },
        Crossing::Ignored => SweepOutcome::Receding,
        Crossing::Meets { fraction, normal } => {
            SweepOutcome::Hits(impact(a, b, relative, displacement_b, fraction, normal))
        }
        Crossing::Touches { fraction } => touching(fraction),
        Crossing::Apart => passing(approach(a, b, &step)),
    };
    tell(&outcome, trace);
    outcome
}

pub(super) fn tell(outcome: &SweepOutcome, trace: &mut impl Trace) {
    match outcome {
        SweepOutcome::Hits(impact) => trace.step(
            "Hits",
            &[
                ("fraction", impact.fraction),
                ("x", impact.normal.x),
                ("y", impact.normal.y),
                ("z", impact.normal.z),
            ],
        ),
        SweepOutcome::Misses { by, fraction } => {
            trace.step("Misses", &[("by", *by), ("fraction", *fraction)]);
        }
        SweepOutcome::Overlapping { depth } => trace.step("Overlapping", &[("depth", *depth)]),
        SweepOutcome::Grazes { fraction } => trace.step("Grazes", &[("fraction", *fraction)]),
        SweepOutcome::Receding | SweepOutcome::Later => trace.step(outcome.name(), &[]),
    }
}

/// How the first body moves, seen from the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Metres over the frame, rounded.
    pub(super) relative: DVec3,
    /// What it is the difference of.
    displacements: [DVec3; 2],
}

impl Step {
    pub(super) fn of(displacement_a: DVec3, displacement_b: DVec3) -> Self {
        Self {
            relative: displacement_a - displacement_b,
            displacements: [displacement_a, displacement_b],
        }
    }

    fn is_none(&self) -> bool {
        self.displacements[0] == self.displacements[1]
    }

    pub(super) fn exact(&self) -> ExactVector {
        let [a, b] = self.displacements;
        ExactVector::difference(a, b)
    }
}

/// What the separating axes say, before anything is said about a miss.
#[derive(Clone, Copy, Debug)]
pub(super) enum Crossing {
    /// At the start.
    Overlapping { depth: f64 },
    /// Behind a one-sided triangle, or not a number.
    Ignored,
    /// Within the frame.
    Meets { fraction: f64, normal: DVec3 },
    /// Without overlapping, or not within the frame.
    Touches { fraction: f64 },
    /// Never, or not yet.
    Apart,
}

pub(super) fn cross(a: &Polytope, b: &Polytope, step: &Step, trace: &mut impl Trace) -> Crossing {
    let relative = step.relative;
    if is_refused(&[a, b, &relative], trace) {
        return Crossing::Ignored;
    }
    if is_behind_one_sided(a, b) && leaves_front(a, b, step) {
        trace.step("BehindOneSided", &[]);
        return Crossing::Ignored;
    }
    let tracks = Tracks::of(a, b, relative);
    for track in tracks.iter() {
        tracks.tell(track, trace);
    }
    match tracks.sure() {
        Some(Sure::Inside) => {
            if let Some(depth) = overlap_depth(a, b, relative) {
                return Crossing::Overlapping { depth };
            }
        }
        Some(_) if leaves_front(a, b, step) => {}
        Some(Sure::Apart) => return Crossing::Apart,
        Some(Sure::Meets { fraction, normal }) => return Crossing::Meets { fraction, normal },
        None => return cross_exactly(a, b, step, &tracks, trace),
    }
    if leaves_front(a, b, step) {
        trace.step("not toward the front of a one-sided triangle", &[]);
        return Crossing::Ignored;
    }
    cross_exactly(a, b, step, &tracks, trace)
}

/// Where rounding could decide.
fn cross_exactly(
    a: &Polytope,
    b: &Polytope,
    step: &Step,
    tracks: &Tracks,
    trace: &mut impl Trace,
) -> Crossing {
    trace.step("DecidedExactly", &[("noise", tracks.noise)]);
    let pair = ExactPair::of(a, b);
    if pair.relation() == Relation::Overlapping
        && !is_behind_one_sided(a, b)
        && let Some(depth) = overlap_depth(a, b, step.relative)
    {
        return Crossing::Overlapping { depth };
    }
    if leaves_front(a, b, step) {
        trace.step("not toward the front of a one-sided triangle", &[]);
        return Crossing::Ignored;
    }
    match pair.crossing(&step.exact()) {
        ExactCrossing::Never => Crossing::Apart,
        ExactCrossing::Touches(time) => Crossing::Touches {
            fraction: time.fraction().max(0.0),
        },
        ExactCrossing::Meets(time, _) if time.is_before() => Crossing::Apart,
        ExactCrossing::Meets(time, _) if time.is_after() => Crossing::Touches {
            fraction: time.fraction(),
        },
        ExactCrossing::Meets(time, toward) => {
            let fraction = time.fraction();
            let near =
                |(begin, _): &(f64, DVec3)| (begin - fraction).abs() <= tolerance::FACE_PREFERENCE;
            let normal = tracks
                .last()
                .filter(near)
                .map_or(toward, |(_, normal)| normal);
            Crossing::Meets { fraction, normal }
        }
    }
}

/// The least push of two bodies that overlap; `None` where the facing allows none.
fn overlap_depth(a: &Polytope, b: &Polytope, relative: DVec3) -> Option<f64> {
    let between = a.origin - b.origin;
    let depth = match (a.as_solid(), b.as_solid()) {
        (Some(a), Some(b)) => contact_cuboids(&a, &b, &mut ())?.depth,
        _ => {
            let hint = if relative == DVec3::ZERO {
                between
            } else {
                relative
            };
            let mut least = LeastPush::new(a, b);
            for axis in Axes::of(a, b, hint).iter() {
                least.offer(axis, &Overlap::on(axis.direction, a, b, between));
            }
            least.depth
        }
    };
    depth.is_finite().then(|| depth.max(f64::MIN_POSITIVE))
}

/// Is one of them a one-sided triangle that the other does not move toward from its front?
fn leaves_front(a: &Polytope, b: &Polytope, step: &Step) -> bool {
    let leaves = |sided: &Polytope, sign: f64| {
        sided.front.is_some_and(|front| {
            let rate = front.dot(step.relative) * sign;
            let noise = (sided.skew + tolerance::PLACE_ROUNDING) * length_sum(step.relative);
            if rate.abs() > noise + f64::MIN_POSITIVE {
                return rate > 0.0;
            }
            let rate = exact_rate(sided, &step.exact());
            if sign < 0.0 {
                rate.is_le()
            } else {
                rate.is_ge()
            }
        })
    };
    leaves(b, 1.0) || leaves(a, -1.0)
}

/// The name of a touch that is not a hit.
pub(super) fn touching(fraction: f64) -> SweepOutcome {
    if fraction >= 1.0 {
        SweepOutcome::Later
    } else if fraction > 0.0 {
        SweepOutcome::Grazes { fraction }
    } else {
        SweepOutcome::Receding
    }
}

/// `displacement_b` carries the point of contact along.
pub(super) fn impact(
    a: &Polytope,
    b: &Polytope,
    relative: DVec3,
    displacement_b: DVec3,
    fraction: f64,
    normal: DVec3,
) -> Impact {
    let between = a.origin - b.origin + relative * fraction;
    let meeting = meeting(a, b, between, normal);
    Impact {
        fraction,
        point: b.origin + displacement_b * fraction + meeting.point,
        normal,
        feature_a: meeting.feature_a,
        feature_b: meeting.feature_b,
        triangle: None,
    }
}

/// The least distance of two bodies over the frame, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach {
    pub(super) distance: f64,
    pub(super) fraction: f64,
}

/// Named as the outcome of a sweep that does not meet.
pub(super) fn passing(approach: Approach) -> SweepOutcome {
    let Approach { distance, fraction } = approach;
    if fraction <= 0.0 {
        SweepOutcome::Receding
    } else if fraction >= 1.0 {
        SweepOutcome::Later
    } else {
        // Apart by less than the least number is apart.
        let by = distance.max(f64::MIN_POSITIVE);
        SweepOutcome::Misses { by, fraction }
    }
}

/// Are two bodies that do not overlap closing (less) or parting (more), where one is moved to a share of the frame?
///
/// `slope` is the product of the shortest way between them and the displacement, as rounded; near zero it is decided
/// exactly. An error of the distance turns the way by the root of twice its share.
fn closing(
    a: &Polytope,
    b: &Polytope,
    step: &Step,
    [way, rounded]: [DVec3; 2],
    at_end: bool,
) -> Ordering {
    let slope = way.dot(rounded);
    let (distance, speed) = (way.length(), rounded.length());
    let size = a.size() + b.size() + length_sum(a.origin - b.origin) + speed;
    let noise = rounding(size);
    let turned = (8.0 * noise * (distance + noise)).sqrt() + noise;
    if slope.abs() > turned * speed + f64::MIN_POSITIVE {
        return slope.total_cmp(&0.0);
    }
    let step = step.exact();
    let moved = if at_end { Some(&step) } else { None };
    match shortest_way(a, b, moved, way) {
        Some(way) => way.dot(&step).sign(),
        None => slope.total_cmp(&0.0),
    }
}

/// The closest approach of two bodies that never overlap during the frame.
///
/// The squared distance is convex and piecewise quadratic in time, so half its slope, `way . displacement`, is a rising
/// chain of straight pieces: its root is found by false position with the Illinois rule (Dowell and Jarratt 1971), exactly once both ends
/// lie on one piece. Whether it lies at an end is decided exactly.
pub(super) fn approach(a: &Polytope, b: &Polytope, step: &Step) -> Approach {
    let relative = step.relative;
    let between = a.origin - b.origin;
    let way = |fraction: f64| closest(a, b, between + relative * fraction).way();
    let first = way(0.0);
    if step.is_none() || closing(a, b, step, [first, relative], false).is_ge() {
        let (distance, fraction) = (first.length(), 0.0);
        return Approach { distance, fraction };
    }
    let last = way(1.0);
    if closing(a, b, step, [last, relative], true).is_le() {
        let (distance, fraction) = (last.length(), 1.0);
        return Approach { distance, fraction };
    }
    let slopes = [first, last].map(|way| way.dot(relative));
    let slopes = [
        slopes[0].min(-f64::MIN_POSITIVE),
        slopes[1].max(f64::MIN_POSITIVE),
    ];
    let at = |fraction: f64| {
        let way = way(fraction);
        (way.length(), way.dot(relative))
    };
    let best = least_between(slopes, relative, at);
    let inside = best.fraction.clamp(f64::MIN_POSITIVE, 1.0_f64.next_down());
    Approach {
        fraction: inside,
        ..best
    }
}

/// Where the slope changes its sign, from the slopes at both ends of the frame.
fn least_between(
    [mut slope_low, mut slope_high]: [f64; 2],
    relative: DVec3,
    at: impl Fn(f64) -> (f64, f64),
) -> Approach {
    let (mut low, mut high) = (0.0, 1.0);
    let flat = tolerance::STANDSTILL * relative.length_squared();
    let mut best = Approach {
        distance: f64::INFINITY,
        fraction: high,
    };
    let mut last_moved = 0;
    for _ in 0..tolerance::APPROACH_STEPS {
        let fraction: f64 = (low * slope_high - high * slope_low) / (slope_high - slope_low);
        let fraction = fraction.clamp(low, high);
        let (distance, slope) = at(fraction);
        if distance < best.distance {
            best = Approach { distance, fraction };
        }
        if slope.abs() <= flat || high - low <= f64::EPSILON {
            break;
        }
        let moved = if slope < 0.0 { -1 } else { 1 };
        if slope < 0.0 {
            (low, slope_low) = (fraction, slope);
        } else {
            (high, slope_high) = (fraction, slope);
        }
        if moved == last_moved {
            let other = if moved < 0 {
                &mut slope_high
            } else {
                &mut slope_low
            };
            *other *= 0.5;
        }
        last_moved = moved;
    }
    best
}
