//! A swept sphere against a mesh: the triangles near its way, the earliest hit wins.

use super::{Path, in_world, noise_of, sweep_point_triangle};
use crate::core::query::nearest::{nearest_on_triangle, on_colliding_side};
use crate::core::query::{Impact, SweepOutcome, Trace};
use crate::core::shape::{Mesh, Pose, Sphere};
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
    let path = Path::relative(sphere, displacement, mesh_displacement).to_local(pose);
    let outcome = sweep_point_mesh(&path, sphere.radius, mesh, trace);
    in_world(outcome, pose, sphere, displacement)
}

/// What the triangles seen so far amount to.
#[derive(Clone, Copy, Default)]
struct Seen {
    tested: u32,
    deepest: Option<(f64, u32)>,
    earliest: Option<Impact>,
    /// Gap, fraction, triangle.
    nearest: Option<(f64, f64, u32)>,
}

impl Seen {
    fn add(&mut self, index: u32, outcome: SweepOutcome, approach: Option<(f64, f64)>) {
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
                if let Some((gap, fraction)) = approach
                    && self.nearest.is_none_or(|(least, _, lowest)| {
                        gap < least || (gap == least && index < lowest)
                    })
                {
                    self.nearest = Some((gap, fraction, index));
                }
            }
        }
    }
}

fn sweep_point_mesh(path: &Path, radius: f64, mesh: &Mesh, trace: &mut impl Trace) -> SweepOutcome {
    let slack = noise_of(&[path.start, path.step, DVec3::splat(radius)]);
    let seen = look(path, radius, mesh, radius + slack);
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
            sweep_point_triangle(path, radius, &mesh.triangle(index), trace);
        }
        return SweepOutcome::Hits(impact);
    }
    let Some((by, fraction, index)) = nearest_of_all(path, radius, mesh, slack, seen) else {
        trace.step("BehindOneSided", &[]);
        return SweepOutcome::Receding;
    };
    let numbers = [
        ("by", by),
        ("fraction", fraction),
        ("triangle", f64::from(index)),
    ];
    if fraction <= 0.0 {
        trace.step("Receding", &numbers);
        SweepOutcome::Receding
    } else if fraction >= 1.0 {
        trace.step("Later", &numbers);
        SweepOutcome::Later
    } else if by > 0.0 {
        trace.step("Misses", &numbers);
        SweepOutcome::Misses { by, fraction }
    } else {
        trace.step("Grazes", &numbers);
        SweepOutcome::Grazes { fraction }
    }
}

/// Sweeps every triangle whose box comes within `margin` of the way.
fn look(path: &Path, radius: f64, mesh: &Mesh, margin: f64) -> Seen {
    let mut seen = Seen::default();
    mesh.for_each_in(&path.aabb().grown(margin), &mut |index| {
        look_at(path, radius, mesh, index, &mut seen);
    });
    seen
}

fn look_at(path: &Path, radius: f64, mesh: &Mesh, index: u32, seen: &mut Seen) {
    let triangle = mesh.triangle(index);
    let outcome = sweep_point_triangle(path, radius, &triangle, &mut ());
    let gap_at = |fraction: f64| {
        let point = path.at(fraction);
        on_colliding_side(point, &triangle).then(|| {
            let distance = nearest_on_triangle(point, &triangle).distance;
            ((distance - radius).max(0.0), fraction)
        })
    };
    let approach = match outcome {
        SweepOutcome::Receding => gap_at(0.0),
        SweepOutcome::Later => gap_at(1.0),
        SweepOutcome::Misses { by, fraction } => Some((by, fraction)),
        SweepOutcome::Grazes { fraction } => Some((0.0, fraction)),
        SweepOutcome::Overlapping { .. } | SweepOutcome::Hits(_) => None,
    };
    seen.add(index, outcome, approach);
}

/// The nearest the way comes to any triangle it does not meet; the tree leaves out what cannot be nearer.
fn nearest_of_all(
    path: &Path,
    radius: f64,
    mesh: &Mesh,
    slack: f64,
    first: Seen,
) -> Option<(f64, f64, u32)> {
    let mut seen = first;
    // Boxes and triangles are measured with different rounding: what is as near must not be left out.
    let limit = |seen: &Seen| {
        seen.nearest
            .map_or(f64::INFINITY, |(gap, ..)| gap + radius + slack)
    };
    mesh.for_each_near(&path.aabb(), limit(&seen), &mut |index| {
        look_at(path, radius, mesh, index, &mut seen);
        limit(&seen)
    });
    seen.nearest
}
