//! A swept sphere against a mesh: the triangles near its way, the earliest hit wins.

use super::{Given, Path, in_world, noise_of, stretched, sweep_point_triangle};
use crate::core::query::far_off::stays_off;
use crate::core::query::in_range::is_refused;
use crate::core::query::nearest::{nearest_on_triangle, on_colliding_side};
use crate::core::query::triangle_view::TriangleView;
use crate::core::query::{Impact, SweepOutcome, Trace};
use crate::core::shape::{Mesh, Pose, Sphere, Triangle};
use glam::DVec3;
use smallvec::{SmallVec, smallvec};

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
    if is_refused(
        &[sphere, &displacement, mesh, pose, &mesh_displacement],
        trace,
    ) {
        return SweepOutcome::Receding;
    }
    let ball = Ball::new(sphere, displacement, pose, mesh_displacement);
    let outcome = sweep_ball_mesh(&ball, mesh, trace);
    in_world(outcome, pose, sphere, displacement)
}

/// The outcome of [`sweep_sphere_mesh`] where it is `Overlapping` or `Hits`, with the same bits; `None` otherwise. Several
/// times as fast, as misses are not measured.
pub fn meeting_sphere_mesh(
    sphere: &Sphere,
    displacement: DVec3,
    mesh: &Mesh,
    pose: &Pose,
    mesh_displacement: DVec3,
) -> Option<SweepOutcome> {
    if is_refused(
        &[sphere, &displacement, mesh, pose, &mesh_displacement],
        &mut (),
    ) {
        return None;
    }
    let ball = Ball::new(sphere, displacement, pose, mesh_displacement);
    let outcome = look(&ball, mesh, false).meeting(&ball, mesh, &mut ())?;
    Some(in_world(outcome, pose, sphere, displacement))
}

/// A ball on its way through the mesh's frame.
struct Ball<'a> {
    path: Path,
    given: Given<'a>,
    radius: f64,
}

impl<'a> Ball<'a> {
    fn new(sphere: &Sphere, displacement: DVec3, pose: &'a Pose, mesh_displacement: DVec3) -> Self {
        Self {
            path: Path::relative(sphere, displacement, mesh_displacement).to_local(pose),
            given: Given {
                center: sphere.center,
                steps: [displacement, mesh_displacement],
                pose,
            },
            radius: sphere.radius,
        }
    }

    /// Metres of rounding between the frames: the mesh's, in which triangles are looked for, and the world's, in which they
    /// are judged.
    fn slack(&self) -> f64 {
        let Given { center, pose, .. } = self.given;
        let local = [self.path.start, self.path.step, DVec3::splat(self.radius)];
        noise_of(&local).max(noise_of(&[center, pose.position]))
            + stretched(pose.rotation, &local[..2])
    }

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

impl Seen {
    /// What it amounts to where the two meet.
    fn meeting(
        &self,
        ball: &Ball<'_>,
        mesh: &Mesh,
        trace: &mut impl Trace,
    ) -> Option<SweepOutcome> {
        if let Some((depth, index)) = self.deepest {
            let numbers = [("depth", depth), ("triangle", f64::from(index))];
            trace.step("Overlapping", &numbers);
            return Some(SweepOutcome::Overlapping { depth });
        }
        let impact = self.earliest?;
        if let Some(index) = impact.triangle.filter(|_| trace.is_heard()) {
            trace.step("EarliestTriangle", &[("triangle", f64::from(index))]);
            // The same code again on the one that decided, for its steps.
            ball.sweep(&mesh.triangle(index), trace);
        }
        Some(SweepOutcome::Hits(impact))
    }
}

fn sweep_ball_mesh(ball: &Ball<'_>, mesh: &Mesh, trace: &mut impl Trace) -> SweepOutcome {
    let seen = look(ball, mesh, true);
    trace.step("TrianglesTested", &[("count", f64::from(seen.tested))]);
    if let Some(outcome) = seen.meeting(ball, mesh, trace) {
        return outcome;
    }
    let Some(missed) = nearest_of_all(ball, mesh, seen) else {
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

/// Sweeps triangles in the order in which they could be met, until one is met before the next could be; with `near`, all of them
/// where none is met, for how near it comes.
fn look(ball: &Ball<'_>, mesh: &Mesh, near: bool) -> Seen {
    let mut seen = Seen::default();
    let slack = ball.slack();
    let margin = ball.radius + slack;
    let path = &ball.path;
    let way = [path.start, path.at(1.0)];
    let found = mesh.all_along(way[0], way[1], margin);
    // By when they could be met, and by their number.
    let mut ahead: SmallVec<[(f64, u32, &Triangle); 16]> = smallvec![];
    for (index, triangle) in &found {
        if stays_off(way, triangle, margin) {
            continue;
        }
        let first = not_before(ball, triangle, slack, 0.0);
        if near || first <= 1.0 {
            ahead.push((first, *index, triangle));
        }
    }
    ahead.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (first, index, triangle) in ahead {
        // What happens after the earliest hit so far does not count; once it overlaps, only what overlaps from the start does.
        let until = match (seen.deepest, seen.earliest) {
            (Some(_), _) => 0.0,
            (None, Some(hit)) => hit.fraction,
            (None, None) if near => f64::INFINITY,
            (None, None) => 1.0,
        };
        let at_once = first <= 0.0 || until.is_infinite();
        if at_once || (first <= until && not_before(ball, triangle, slack, first) <= until) {
            look_at(ball, (index, triangle), near, &mut seen);
        }
    }
    seen
}

/// A fraction before which the ball surely does not meet a triangle that it does not meet before `after`; endless where it never
/// does.
///
/// As a point sees a convex shape, all of it lies behind the plane through its nearest point: until the way has come so near
/// to that plane nothing is met, and from there it may be asked again (conservative advancement, Mirtich 1996). The distance is
/// off by the noise, the plane turned by its share of the distance, and with it the triangle and the way seen against it.
fn not_before(ball: &Ball<'_>, triangle: &Triangle, slack: f64, after: f64) -> f64 {
    let Ball { path, radius, .. } = ball;
    let length = path.step.length();
    let view = TriangleView::of(path.at(after), triangle);
    let noise = 4.0 * (view.noise(radius + length) + slack * view.slimness);
    let turn = noise / view.distance;
    let gap = view.distance - radius - noise - turn * view.size;
    if !(view.clear && gap > 0.0) {
        return after;
    }
    let approach = turn * length - view.normal.dot(path.step);
    let fraction = after + gap / approach;
    if approach <= 0.0 || fraction > 1.0 {
        return f64::INFINITY;
    }
    fraction
}

fn look_at(ball: &Ball<'_>, (index, triangle): (u32, &Triangle), near: bool, seen: &mut Seen) {
    let outcome = ball.sweep(triangle, &mut ());
    let gap_at = |fraction: f64| {
        let point = ball.path.at(fraction);
        on_colliding_side(point, triangle).then(|| {
            let distance = nearest_on_triangle(point, triangle).distance;
            (distance - ball.radius).max(0.0)
        })
    };
    let gap = match outcome {
        _ if !near => None,
        SweepOutcome::Receding => gap_at(0.0),
        SweepOutcome::Later => gap_at(1.0),
        SweepOutcome::Misses { by, .. } => Some(by),
        SweepOutcome::Grazes { .. } => Some(0.0),
        SweepOutcome::Overlapping { .. } | SweepOutcome::Hits(_) => None,
    };
    seen.add(index, outcome, gap);
}

/// The nearest the way comes to any triangle it does not meet; the tree leaves out what cannot be nearer.
fn nearest_of_all(ball: &Ball<'_>, mesh: &Mesh, first: Seen) -> Option<Missed> {
    let (mut seen, slack) = (first, ball.slack());
    // Boxes and triangles are measured with different rounding: what is as near must not be left out.
    let limit = |seen: &Seen| {
        seen.nearest
            .map_or(f64::INFINITY, |nearest| nearest.gap + ball.radius + slack)
    };
    let path = &ball.path;
    let (from, to) = (path.start, path.at(1.0));
    mesh.for_each_near_way(from, to, limit(&seen), &mut |index| {
        let triangle = mesh.triangle(index);
        if !stays_off([from, to], &triangle, limit(&seen)) {
            look_at(ball, (index, &triangle), true, &mut seen);
        }
        limit(&seen)
    });
    seen.nearest
}
