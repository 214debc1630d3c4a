//! The camera's way, swept: what its line probe cannot see when it moves farther than the probe reaches.
//!
//! Two things are swept from one place of the camera to the next: its own path, as a segment, and a ball of the probe's
//! reach around it. The segment finds what the camera passes through; the ball meets it earlier, by up to the reach.

use super::closed_form::segment_triangle::ray_cast_triangle;
use super::convex::advance;
use super::operand::Operand;
use super::outcome::{Impact, RayHit, SweepOutcome};
use super::pair;
use super::probe::{ProbeMode, probe};
use super::trace::{Step, Trace};
use crate::core::shape::{Segment, Triangle};
use glam::DVec3;

/// What each saw on the camera's way. World, metres; fractions of the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbeSweep {
    /// The longest of the probe's lines, from the camera to its end; the ball's radius.
    pub reach: f64,
    /// The first triangle the camera's own path goes through; its `triangle` is the place in the slice.
    pub path: Option<RayHit>,
    /// The ball's earliest outcome: an overlap at the start by the deepest, else its first hit, whose `triangle` is the place
    /// in the slice; `None` when it comes to no triangle.
    pub ball: Option<SweepOutcome>,
    /// Does any line of the probe meet a triangle where the way ends? Then the probe would have acted.
    pub probe_sees: bool,
}

/// Sweeps a camera with a probe along its way. Numbers that are not finite see nothing; equals go to the first triangle.
/// The path meets triangles from both sides; the ball passes one-sided ones from behind.
pub fn sweep_probe(
    from: DVec3,
    to: DVec3,
    lines: &[DVec3],
    triangles: &[Triangle],
    trace: &mut impl Trace,
) -> ProbeSweep {
    let reach = lines.iter().map(|line| line.length()).fold(0.0, f64::max);
    let mut seen = ProbeSweep {
        reach,
        path: None,
        ball: None,
        probe_sees: false,
    };
    if !(from.is_finite() && to.is_finite() && reach.is_finite()) {
        trace.step(Step::BadNumber);
        return seen;
    }
    let length = from.distance(to);
    trace.step(Step::CameraPath { length, reach });
    seen.path = sweep_path(&Segment { a: from, b: to }, triangles, trace);
    seen.ball = sweep_ball(from, to, reach, triangles, trace);
    let at_end = probe(to, lines, triangles, ProbeMode::Deepest, trace);
    seen.probe_sees = !at_end.hits.is_empty();
    seen
}

/// The first triangle that the camera itself goes through.
fn sweep_path(way: &Segment, triangles: &[Triangle], trace: &mut impl Trace) -> Option<RayHit> {
    let mut earliest: Option<RayHit> = None;
    for (index, triangle) in (0..).zip(triangles) {
        if let Some(hit) = ray_cast_triangle(way, triangle, &mut ())
            && earliest.is_none_or(|known| hit.fraction < known.fraction)
        {
            earliest = Some(RayHit {
                triangle: Some(index),
                ..hit
            });
        }
    }
    match earliest.and_then(|hit| hit.triangle) {
        Some(index) => {
            trace.step(Step::PathGoesThrough { triangle: index });
            if trace.is_enabled() {
                // The same code again on the one that decided, for its steps.
                ray_cast_triangle(way, &triangles[index as usize], trace);
            }
        }
        None => trace.step(Step::PathIsFree),
    }
    earliest
}

fn sweep_ball(
    from: DVec3,
    to: DVec3,
    radius: f64,
    triangles: &[Triangle],
    trace: &mut impl Trace,
) -> Option<SweepOutcome> {
    let ball = Operand::point(from, radius);
    let mut deepest: Option<(f64, u32)> = None;
    let mut earliest: Option<Impact> = None;
    for (index, triangle) in (0..).zip(triangles) {
        match pair::sweep(
            &ball,
            &Operand::triangle(*triangle),
            (to - from, advance::WHOLE),
            &mut (),
        ) {
            SweepOutcome::Overlapping { depth }
                if deepest.is_none_or(|(known, _)| depth > known) =>
            {
                deepest = Some((depth, index));
            }
            SweepOutcome::Hits(impact)
                if earliest.is_none_or(|known| impact.fraction < known.fraction) =>
            {
                earliest = Some(Impact {
                    triangle: Some(index),
                    ..impact
                });
            }
            _ => {}
        }
    }
    let decides = deepest
        .map(|(_, index)| index)
        .or(earliest.and_then(|impact| impact.triangle));
    match decides {
        Some(index) => {
            trace.step(Step::SphereHits {
                triangle: index,
                radius,
            });
            if trace.is_enabled() {
                // The same code again on the one that decided, for its steps.
                let triangle = Operand::triangle(triangles[index as usize]);
                pair::sweep(&ball, &triangle, (to - from, advance::WHOLE), trace);
            }
        }
        None => trace.step(Step::SphereIsFree { radius }),
    }
    deepest
        .map(|(depth, _)| SweepOutcome::Overlapping { depth })
        .or(earliest.map(SweepOutcome::Hits))
}
