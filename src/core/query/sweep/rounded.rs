//! The path of a point against a convex shape grown by a radius: the outcomes in their order, for every pair alike.

use super::{Doubt, Path};
use crate::core::query::exact::Verdict;
use crate::core::query::nearest::Nearest;
use crate::core::query::tell::tell_feature;
use crate::core::query::{Feature, Impact, SweepOutcome, Trace};
use crate::core::tolerance::{CLOSE_SHARE, STEEP_ENOUGH};
use glam::DVec3;

/// Where a path enters a grown shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    /// >= 0, any size.
    pub fraction: f64,
    /// Unit, toward the point; `None` on edges and vertices, where the closest point gives it.
    pub normal: Option<DVec3>,
    /// The part of the shape, where `normal` is given.
    pub feature: Feature,
}

impl Entry {
    /// Onto a round part.
    pub fn round(fraction: f64) -> Self {
        Self {
            fraction,
            normal: None,
            feature: Feature::Round,
        }
    }
}

/// A convex shape in its own frame, as a point that sweeps past sees it.
pub(crate) trait Convex {
    /// The surface nearest to a point.
    fn nearest(&self, point: DVec3) -> Nearest;
    /// Where a path that starts outside enters the shape grown by `radius`; `None` when it only grazes.
    fn enter(&self, path: &Path, radius: f64) -> Option<Entry>;
    /// The fraction in [0, 1] at which a path is nearest to the shape, which it does not meet.
    fn closest_approach(&self, path: &Path) -> f64;
}

/// The earlier of two entries; the first of equals.
pub(crate) fn earlier(first: Option<Entry>, second: Option<Entry>) -> Option<Entry> {
    match (first, second) {
        (Some(a), Some(b)) => Some(if b.fraction < a.fraction { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// The fraction among some at which the path is nearest to the shape; the first of equals.
pub(crate) fn nearest_of(
    shape: &impl Convex,
    path: &Path,
    fractions: impl IntoIterator<Item = f64>,
) -> f64 {
    let mut best = (0.0, f64::INFINITY);
    for fraction in fractions {
        let distance = shape.nearest(path.at(fraction)).distance;
        if distance < best.1 {
            best = (fraction, distance);
        }
    }
    best.0
}

/// Sweeps a point with a radius against a convex shape; `doubt` decides where rounding could.
///
/// The impact's point and normal are in the shape's frame at the start of the motion. A radius of zero has no inside to
/// decide on: its quick answer stands, and a way that touches within rounding and stays there is `Receding`.
pub(crate) fn sweep_rounded(
    shape: &impl Convex,
    path: &Path,
    radius: f64,
    doubt: &Doubt<'_>,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let start = shape.nearest(path.start);
    let gap = start.distance - radius;
    // The distance to a convex shape changes with the step's share along the normal.
    let rate = start.normal.dot(path.step);
    trace.step(
        "Start",
        &[
            ("gap", gap),
            ("approach", -rate),
            ("radius", radius),
            ("noise", doubt.noise),
        ],
    );
    let touch = if radius > 0.0 { 0.0 } else { doubt.noise };
    if radius > 0.0 && doubt.at_start(path, radius, &start, gap, rate) {
        return decided(shape, path, radius, doubt, trace);
    }
    if gap < -touch {
        trace.step("Overlapping", &[("depth", -gap)]);
        return SweepOutcome::Overlapping { depth: -gap };
    }
    // A touching point whose approach stays within rounding over the whole frame does not approach.
    let resting = if gap <= touch { touch } else { 0.0 };
    if rate >= -resting {
        trace.step("Receding", &[("approach", -rate)]);
        return SweepOutcome::Receding;
    }
    if gap <= 0.0 {
        trace.step("Hits", &[("fraction", 0.0)]);
        return hit(0.0, path.start, radius, start.normal, start.feature);
    }
    match shape.enter(path, radius) {
        Some(entry) if entry.fraction < 1.0 => enters(shape, path, radius, &entry, doubt, trace),
        Some(entry) => {
            if radius > 0.0 && !ends_before(shape, path, radius, doubt) {
                return decided(shape, path, radius, doubt, trace);
            }
            trace.step("Later", &[("fraction", entry.fraction)]);
            SweepOutcome::Later
        }
        None => passes(shape, path, radius, doubt, trace),
    }
}

/// Is the end of the way surely still apart and still closing in?
fn ends_before(shape: &impl Convex, path: &Path, radius: f64, doubt: &Doubt<'_>) -> bool {
    let end = shape.nearest(path.at(1.0));
    let rate = end.normal.dot(path.step);
    end.distance - radius > doubt.noise && rate < 0.0 && doubt.is_sure(path, &end, rate)
}

/// Refines an entry by one Newton step on the gap, which undoes the rounding of a long way, and names the part that is hit.
fn enters(
    shape: &impl Convex,
    path: &Path,
    radius: f64,
    entry: &Entry,
    doubt: &Doubt<'_>,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let nearest = shape.nearest(path.at(entry.fraction));
    let (normal, feature) = match entry.normal {
        Some(normal) => (normal, entry.feature),
        None => (nearest.normal, nearest.feature),
    };
    let rate = normal.dot(path.step);
    let length = path.step.length();
    let mut fraction = entry.fraction;
    if rate < -STEEP_ENOUGH * length && nearest.distance > 0.0 {
        fraction = (fraction - (nearest.distance - radius) / rate).max(0.0);
    }
    // A surface bends no more than a ball of this radius: so deep the way goes below it before it turns away.
    let slope = (rate / length).min(0.0);
    let deep = 0.25 * radius * slope * slope;
    let in_frame = (1.0 - fraction) * -rate;
    if radius > 0.0 && (deep <= doubt.noise || in_frame <= 2.0 * doubt.noise) {
        return decided(shape, path, radius, doubt, trace);
    }
    if fraction >= 1.0 {
        trace.step("Later", &[("fraction", fraction)]);
        return SweepOutcome::Later;
    }
    tell_feature(feature, trace);
    trace.step("Hits", &[("fraction", fraction), ("approach", -rate)]);
    hit(fraction, path.at(fraction), radius, normal, feature)
}

/// Names the miss of a path that approaches at first.
fn passes(
    shape: &impl Convex,
    path: &Path,
    radius: f64,
    doubt: &Doubt<'_>,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let end = shape.nearest(path.at(1.0));
    let rate = end.normal.dot(path.step);
    let length = path.start.abs().max(path.step.abs()).max_element();
    let close = doubt
        .noise
        .max(CLOSE_SHARE * (length + end.distance + radius));
    let gap = end.distance - radius;
    if radius > 0.0 && (gap <= doubt.noise || !doubt.is_sure(path, &end, rate)) {
        return decided(shape, path, radius, doubt, trace);
    }
    if rate <= 0.0 {
        trace.step("Later", &[("gap", gap)]);
        return SweepOutcome::Later;
    }
    let fraction = shape.closest_approach(path);
    let by = shape.nearest(path.at(fraction)).distance - radius;
    if radius > 0.0 && by <= close {
        return decided(shape, path, radius, doubt, trace);
    }
    if by > doubt.noise {
        trace.step("Misses", &[("by", by), ("fraction", fraction)]);
        SweepOutcome::Misses { by, fraction }
    } else {
        trace.step("Grazes", &[("by", by), ("fraction", fraction)]);
        SweepOutcome::Grazes { fraction }
    }
}

/// The outcome without rounding; only its place is told by the quick form.
fn decided(
    shape: &impl Convex,
    path: &Path,
    radius: f64,
    doubt: &Doubt<'_>,
    trace: &mut impl Trace,
) -> SweepOutcome {
    trace.step("DecidedExactly", &[("noise", doubt.noise)]);
    let verdict = (doubt.exact)().verdict();
    let outcome = match verdict {
        Verdict::Overlapping => {
            let depth = radius - shape.nearest(path.start).distance;
            SweepOutcome::Overlapping {
                depth: depth.max(f64::MIN_POSITIVE),
            }
        }
        Verdict::Receding => SweepOutcome::Receding,
        Verdict::Later => SweepOutcome::Later,
        Verdict::Misses(by) => SweepOutcome::Misses {
            by,
            fraction: shape.closest_approach(path),
        },
        Verdict::Grazes => SweepOutcome::Grazes {
            fraction: shape.closest_approach(path),
        },
        Verdict::Hits(fraction) => {
            let center = path.at(fraction);
            let nearest = shape.nearest(center);
            tell_feature(nearest.feature, trace);
            hit(fraction, center, radius, nearest.normal, nearest.feature)
        }
    };
    match outcome {
        SweepOutcome::Overlapping { depth } => trace.step("Overlapping", &[("depth", depth)]),
        SweepOutcome::Misses { by, fraction } => {
            trace.step("Misses", &[("by", by), ("fraction", fraction)]);
        }
        SweepOutcome::Grazes { fraction } => trace.step("Grazes", &[("fraction", fraction)]),
        SweepOutcome::Hits(impact) => trace.step("Hits", &[("fraction", impact.fraction)]),
        SweepOutcome::Receding | SweepOutcome::Later => trace.step(outcome.name(), &[]),
    }
    outcome
}

fn hit(fraction: f64, center: DVec3, radius: f64, normal: DVec3, feature: Feature) -> SweepOutcome {
    SweepOutcome::Hits(Impact {
        fraction,
        point: center - normal * radius,
        normal,
        feature_a: Feature::Round,
        feature_b: feature,
        triangle: None,
    })
}
