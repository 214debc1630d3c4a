//! A swept capsule against a triangle that collides on its front only.
//!
//! Every centre along the core that is strictly behind the plane is rejected, as for spheres. What is left of the core
//! begins where it crosses the plane; that crossing moves straight, as the core does not turn. So the triangle is met either
//! where the two-sided triangle is, if that is in front, or by the crossing, as a ball that moves in the plane.

use super::capsule_solid::Past;
use super::closest_point::closest_point_on_segment;
use super::nearest::nearest_on_triangle;
use super::polytope::{Polytope, nearest_to_core};
use super::sweep::{Doubt, Given, Path, sweep_point_triangle};
use super::{Feature, Impact, SweepOutcome, Trace};
use crate::core::shape::{Facing, Segment, Triangle};
use glam::DVec3;
use std::cmp::Ordering;

/// How the core lies over the plane.
struct Heights {
    /// Of both ends at the start, metres.
    ends: [f64; 2],
    /// Metres over the frame.
    rate: f64,
}

/// Sweeps a core with a radius; everything in the frame of the triangle, whose unit normal is `normal`; `sides` are those
/// of both ends at the start.
///
/// A core wholly in front at the start is decided as exactly as by a two-sided triangle; where the plane cuts it, within rounding.
pub(crate) fn sweep_core_one_sided(
    past: &Past<'_, Triangle>,
    step: DVec3,
    radius: f64,
    (normal, sides): (DVec3, [Ordering; 2]),
    doubt: &Doubt<'_>,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let touch = doubt.noise;
    let height = |point: DVec3| (point - past.solid.a).dot(normal);
    let heights = Heights {
        ends: [height(past.core.a), height(past.core.b)],
        rate: step.dot(normal),
    };
    let [a, b] = heights.ends;
    trace.step(
        "PlaneDistances",
        &[("a", a), ("b", b), ("rate", heights.rate)],
    );
    let highest = a.max(b);
    if highest < 0.0 && highest + heights.rate < 0.0 {
        trace.step("BehindOneSided", &[("distance", highest)]);
        return SweepOutcome::Receding;
    }
    let one_sided = Polytope::from_triangle(&Triangle {
        facing: Facing::Front,
        ..*past.solid
    });
    let gap_at = |fraction: f64| {
        let core = past.core_at(step * fraction);
        nearest_to_core(&core, &one_sided, &mut ()).map(|seen| seen.distance - radius)
    };
    let whole = !sides.contains(&Ordering::Less);
    if !whole
        && let Some(gap) = gap_at(0.0)
        && gap < -touch
    {
        trace.step("Overlapping", &[("depth", -gap)]);
        return SweepOutcome::Overlapping { depth: -gap };
    }
    let two_sided = past.sweep(step, radius, doubt, trace);
    match two_sided {
        SweepOutcome::Hits(impact) => {
            let at = past.core_at(step * impact.fraction);
            let (on_core, _) = closest_point_on_segment(impact.point, &at);
            if height(on_core) >= -touch {
                return two_sided;
            }
        }
        SweepOutcome::Receding | SweepOutcome::Later => return two_sided,
        SweepOutcome::Misses { by, fraction } => {
            if gap_at(fraction).is_some_and(|gap| gap <= by + touch) {
                return two_sided;
            }
        }
        SweepOutcome::Grazes { fraction } => {
            if gap_at(fraction).is_some_and(|gap| gap <= touch) {
                return two_sided;
            }
        }
        SweepOutcome::Overlapping { .. } if whole => return two_sided,
        SweepOutcome::Overlapping { .. } => {}
    }
    let crossing = match two_sided {
        // Nothing comes within reach at all.
        SweepOutcome::Misses { .. } | SweepOutcome::Grazes { .. } => None,
        _ => heights.crossing(&past.core, step),
    };
    let hit = crossing.and_then(|crossing| crossing.hit(past.solid, radius, trace));
    match hit {
        Some(impact) => SweepOutcome::Hits(impact),
        // As for spheres: what starts behind and meets nothing in front was never there.
        None if highest < 0.0 => {
            trace.step("BehindOneSided", &[("distance", highest)]);
            SweepOutcome::Receding
        }
        None => {
            let ends = heights.ends_in_plane(past, step, radius);
            passes(ends, gap_at, two_sided, touch, trace)
        }
    }
}

/// The point in which the core crosses the plane, while it does.
struct Crossing {
    from: f64,
    to: f64,
    path: Path,
}

impl Heights {
    /// `None` for a core along the plane, and when it crosses at no time of the frame.
    fn crossing(&self, core: &Segment, step: DVec3) -> Option<Crossing> {
        let [a, b] = self.ends;
        if a == b {
            return None;
        }
        let [at_a, at_b] = self.ends.map(|height| -height / self.rate);
        let (from, to) = if self.rate == 0.0 {
            (
                0.0,
                if a.min(b) < 0.0 && a.max(b) >= 0.0 {
                    1.0
                } else {
                    -1.0
                },
            )
        } else {
            (at_a.min(at_b).max(0.0), at_a.max(at_b).min(1.0))
        };
        let along = core.b - core.a;
        let at = |fraction: f64| {
            let share = ((a + self.rate * fraction) / (a - b)).clamp(0.0, 1.0);
            core.a + along * share + step * fraction
        };
        (from < to).then(|| Crossing {
            from,
            to,
            path: Path {
                start: at(from),
                step: at(to) - at(from),
            },
        })
    }
}

impl Heights {
    /// The gap of each end, and when, at the moment it lies in the plane: there the part in front begins or ends.
    fn ends_in_plane(
        &self,
        past: &Past<'_, Triangle>,
        step: DVec3,
        radius: f64,
    ) -> [Option<(f64, f64)>; 2] {
        let ends = [past.core.a, past.core.b];
        std::array::from_fn(|end| {
            let fraction = -self.ends[end] / self.rate;
            (0.0..=1.0).contains(&fraction).then(|| {
                let there = ends[end] + step * fraction;
                let nearest = nearest_on_triangle(there, past.solid);
                (nearest.distance - radius, fraction)
            })
        })
    }
}

impl Crossing {
    fn hit(&self, triangle: &Triangle, radius: f64, trace: &mut impl Trace) -> Option<Impact> {
        trace.step("CrossesPlane", &[("from", self.from), ("to", self.to)]);
        match sweep_point_triangle(
            &self.path,
            &Given::local(&self.path),
            radius,
            triangle,
            trace,
        ) {
            SweepOutcome::Hits(impact) => {
                let fraction = self.from + impact.fraction * (self.to - self.from);
                // Only what of the triangle lies around the crossing is met: its outline.
                let center = self.path.at(impact.fraction);
                (fraction < 1.0).then_some(Impact {
                    fraction,
                    point: center - impact.normal * radius,
                    feature_a: Feature::Edge(0),
                    ..impact
                })
            }
            _ => None,
        }
    }
}

/// Names what does not hit, by the nearest that the part in front comes.
fn passes(
    ends_in_plane: [Option<(f64, f64)>; 2],
    gap_at: impl Fn(f64) -> Option<f64>,
    two_sided: SweepOutcome,
    touch: f64,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let known = match two_sided {
        SweepOutcome::Misses { fraction, .. } | SweepOutcome::Grazes { fraction } => fraction,
        SweepOutcome::Hits(impact) => impact.fraction,
        _ => 0.0,
    };
    let mut nearest: Option<(f64, f64)> = None;
    let sampled = [0.0, known, 1.0].map(|fraction| Some((gap_at(fraction)?, fraction)));
    for (gap, fraction) in sampled.into_iter().chain(ends_in_plane).flatten() {
        if nearest.is_none_or(|(least, _)| gap < least) {
            nearest = Some((gap, fraction));
        }
    }
    match nearest {
        Some((by, fraction)) if fraction > 0.0 && by > touch => {
            trace.step("FallsBehindOneSided", &[("by", by), ("fraction", fraction)]);
            if fraction < 1.0 {
                SweepOutcome::Misses { by, fraction }
            } else {
                SweepOutcome::Later
            }
        }
        _ => {
            trace.step("BehindOneSided", &[]);
            SweepOutcome::Receding
        }
    }
}
