//! A swept sphere against a mesh: the triangles near its way, the earliest hit wins.

use super::{Given, Path, in_world, noise_of, sweep_point_triangle};
use crate::core::query::nearest::{nearest_on_triangle, on_colliding_side};
use crate::core::query::{Impact, SweepOutcome, Trace};
use crate::core::shape::{Mesh, Pose, Sphere, Triangle};
use crate::core::tolerance::NOISE_ULPS;
use glam::DVec3;

/// Sweeps a sphere against a mesh that stands at `pose` and moves by its displacement without turning.
///
/// Overlapping any triangle at the start, it is `Overlapping` by the deepest. Equal fractions go to the lowest triangle index.
/// Without a hit, the nearest it comes to any triangle decides: at the start `Receding`, at the end `Later`.
pub fn sweep_sphere_mesh(
    sphere: &Sphere,
    displacement: DVec3,
    mesh: &Mesh,
    pose: &Pose,
    mesh_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let ball = Ball {
        path: Path::relative(sphere, displacement, mesh_displacement).to_local(pose),
        given: Given {
            center: sphere.center,
            steps: [displacement, mesh_displacement],
            pose,
        },
        radius: sphere.radius,
    };
    let outcome = sweep_ball_mesh(&ball, mesh, trace);
    in_world(outcome, pose, sphere, displacement)
}

/// A ball on its way through the mesh's frame.
struct Ball<'a> {
    path: Path,
    given: Given<'a>,
    radius: f64,
}

impl Ball<'_> {
    fn sweep(&self, triangle: &Triangle, trace: &mut impl Trace) -> SweepOutcome {
        sweep_point_triangle(&self.path, &self.given, self.radius, triangle, trace)
    }
}

/// A triangle that is not met.
#[derive(Clone, Copy)]
struct Missed {
    /// The least over the frame, metres.
    gap: f64,
    outcome: SweepOutcome,
    index: u32,
}

/// What the triangles seen so far amount to.
#[derive(Clone, Copy, Default)]
struct Seen {
    tested: u32,
    deepest: Option<(f64, u32)>,
    earliest: Option<Impact>,
    nearest: Option<Missed>,
}

impl Seen {
    fn add(&mut self, index: u32, outcome: SweepOutcome, gap: Option<f64>) {
        self.tested += 1;
        match outcome {
            SweepOutcome::Overlapping { depth } => {
                if self.deepest.is_none_or(|(deepest, lowest)| {
                    depth > deepest || (depth == deepest && index < lowest)
                }) {
                    self.deepest = Some((depth, index));
                }
            }
            SweepOutcome::Hits(impact) => {
                if self.earliest.is_none_or(|earliest| {
                    impact.fraction < earliest.fraction
                        || (impact.fraction == earliest.fraction && Some(index) < earliest.triangle)
                }) {
                    self.earliest = Some(Impact {
                        triangle: Some(index),
                        ..impact
                    });
                }
            }
            _ => {
                if let Some(gap) = gap
                    && self.nearest.is_none_or(|nearest| {
                        gap < nearest.gap || (gap == nearest.gap && index < nearest.index)
                    })
                {
                    self.nearest = Some(Missed {
                        gap,
                        outcome,
                        index,
                    });
                }
            }
        }
    }
}

fn sweep_ball_mesh(ball: &Ball<'_>, mesh: &Mesh, trace: &mut impl Trace) -> SweepOutcome {
    let Ball { path, radius, .. } = ball;
    // Both frames round: the mesh's, in which triangles are looked for, and the world's, in which they are judged.
    let Given { center, pose, .. } = ball.given;
    let local = [path.start, path.step, DVec3::splat(*radius)];
    let slack = noise_of(&local).max(noise_of(&[center, pose.position]));
    let seen = look(ball, mesh, radius + slack);
    trace.step("TrianglesTested", &[("count", f64::from(seen.tested))]);
    if let Some((depth, index)) = seen.deepest {
        trace.step(
            "Overlapping",
            &[("depth", depth), ("triangle", f64::from(index))],
        );
        return SweepOutcome::Overlapping { depth };
    }
    if let Some(impact) = seen.earliest {
        if let Some(index) = impact.triangle {
            trace.step("EarliestTriangle", &[("triangle", f64::from(index))]);
            // The same code again on the one that decided, for its steps.
            ball.sweep(&mesh.triangle(index), trace);
        }
        return SweepOutcome::Hits(impact);
    }
    let Some(missed) = nearest_of_all(ball, mesh, slack, seen) else {
        trace.step("BehindOneSided", &[]);
        return SweepOutcome::Receding;
    };
    let fraction = match missed.outcome {
        SweepOutcome::Misses { fraction, .. } | SweepOutcome::Grazes { fraction } => fraction,
        SweepOutcome::Later => 1.0,
        _ => 0.0,
    };
    let numbers = [
        ("by", missed.gap),
        ("fraction", fraction),
        ("triangle", f64::from(missed.index)),
    ];
    trace.step(missed.outcome.name(), &numbers);
    missed.outcome
}

/// Sweeps every triangle that comes within `margin` of the way, and some more.
fn look(ball: &Ball<'_>, mesh: &Mesh, margin: f64) -> Seen {
    let mut seen = Seen::default();
    let path = &ball.path;
    mesh.for_each_along(path.start, path.at(1.0), margin, &mut |index| {
        if !stays_off(path, &mesh.triangle(index), margin) {
            look_at(ball, mesh, index, &mut seen);
        }
    });
    seen
}

/// Does the whole way stay farther than this from a triangle's plane, on one side of it, whatever rounding does? Quick, and
/// true for most that are looked at.
fn stays_off(path: &Path, triangle: &Triangle, distance: f64) -> bool {
    let (u, v) = (triangle.b - triangle.a, triangle.c - triangle.a);
    let (from, to) = (path.start - triangle.a, path.at(1.0) - triangle.a);
    let normal = u.cross(v);
    let (before, after) = (normal.dot(from), normal.dot(to));
    let size = |vector: DVec3| vector.abs().element_sum();
    let far = size(from).max(size(to)).max(distance);
    let noise = NOISE_ULPS * f64::EPSILON * size(u) * size(v) * far;
    let least = normal.length() * distance + noise;
    before.min(after) > least || before.max(after) < -least
}

fn look_at(ball: &Ball<'_>, mesh: &Mesh, index: u32, seen: &mut Seen) {
    let triangle = mesh.triangle(index);
    let outcome = ball.sweep(&triangle, &mut ());
    let gap_at = |fraction: f64| {
        let point = ball.path.at(fraction);
        on_colliding_side(point, &triangle).then(|| {
            let distance = nearest_on_triangle(point, &triangle).distance;
            (distance - ball.radius).max(0.0)
        })
    };
    let gap = match outcome {
        SweepOutcome::Receding => gap_at(0.0),
        SweepOutcome::Later => gap_at(1.0),
        SweepOutcome::Misses { by, .. } => Some(by),
        SweepOutcome::Grazes { .. } => Some(0.0),
        SweepOutcome::Overlapping { .. } | SweepOutcome::Hits(_) => None,
    };
    seen.add(index, outcome, gap);
}

/// The nearest the way comes to any triangle it does not meet; the tree leaves out what cannot be nearer.
fn nearest_of_all(ball: &Ball<'_>, mesh: &Mesh, slack: f64, first: Seen) -> Option<Missed> {
    let mut seen = first;
    // Boxes and triangles are measured with different rounding: what is as near must not be left out.
    let limit = |seen: &Seen| {
        seen.nearest
            .map_or(f64::INFINITY, |nearest| nearest.gap + ball.radius + slack)
    };
    let path = &ball.path;
    let (from, to) = (path.start, path.at(1.0));
    mesh.for_each_near_way(from, to, limit(&seen), &mut |index| {
        if !stays_off(path, &mesh.triangle(index), limit(&seen)) {
            look_at(ball, mesh, index, &mut seen);
        }
        limit(&seen)
    });
    seen.nearest
}
