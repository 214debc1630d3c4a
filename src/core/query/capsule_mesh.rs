//! A capsule against a mesh: its triangles near the capsule, resting and swept.

use super::capsule_solid::{
    contact_capsule_triangle, gap_capsule_triangle, in_world, sweep_core_triangle, to_local,
};
use super::contact::{contact_to_world, deepest_of_mesh};
use super::in_range::is_refused;
use super::sweep::noise_of;
use super::{Contact, Gap, Impact, SweepOutcome, Trace};
use crate::core::shape::{Aabb, Capsule, Mesh, Pose, Segment, Triangle};
use glam::DVec3;

/// The deepest contact of a capsule and a mesh at a pose; equal depths go to the lowest triangle index.
pub fn contact_capsule_mesh(
    capsule: &Capsule,
    mesh: &Mesh,
    pose: &Pose,
    trace: &mut impl Trace,
) -> Option<Contact> {
    if is_refused(&[capsule, mesh, pose], trace) {
        return None;
    }
    let local = local_capsule(capsule, pose);
    let region = local.aabb().grown(slack_of(&local, DVec3::ZERO));
    let (contact, tested) = deepest_of_mesh(mesh, &region, |triangle| {
        contact_capsule_triangle(&local, triangle, &mut ())
    });
    trace.step("TrianglesTested", &[("count", f64::from(tested))]);
    let contact = contact?;
    let index = contact.triangle?;
    trace.step("DeepestTriangle", &[("index", f64::from(index))]);
    // The same code again on the one that decided, for its steps.
    contact_capsule_triangle(&local, &mesh.triangle(index), trace);
    Some(contact_to_world(contact, pose))
}

fn local_capsule(capsule: &Capsule, pose: &Pose) -> Capsule {
    Capsule {
        segment: to_local(&capsule.segment, pose),
        radius: capsule.radius,
    }
}

/// Metres by which a region is larger than a capsule, as boxes and triangles are measured with different rounding.
fn slack_of(capsule: &Capsule, step: DVec3) -> f64 {
    let Segment { a, b } = capsule.segment;
    noise_of(&[a, b, a + step, b + step, DVec3::splat(capsule.radius)])
}

/// The least distance of a capsule and any triangle of a mesh; `None` behind all of its one-sided triangles.
pub fn gap_capsule_mesh(
    capsule: &Capsule,
    mesh: &Mesh,
    pose: &Pose,
    trace: &mut impl Trace,
) -> Option<Gap> {
    if is_refused(&[capsule, mesh, pose], trace) {
        return None;
    }
    let local = local_capsule(capsule, pose);
    let mut best: Option<(Gap, u32)> = None;
    // Overlapping triangles have boxes at distance 0: the limit must not fall below it.
    let slack = slack_of(&local, DVec3::ZERO);
    mesh.for_each_near(&local.aabb(), f64::INFINITY, &mut |index| {
        if let Some(gap) = gap_capsule_triangle(&local, &mesh.triangle(index), &mut ())
            && best.is_none_or(|(known, lowest)| {
                gap.distance < known.distance || (gap.distance == known.distance && index < lowest)
            })
        {
            best = Some((gap, index));
        }
        best.map_or(f64::INFINITY, |(gap, _)| gap.distance.max(0.0) + slack)
    });
    let Some((gap, index)) = best else {
        trace.step("BehindOneSided", &[]);
        return None;
    };
    trace.step("NearestTriangle", &[("index", f64::from(index))]);
    if trace.is_heard() {
        // The same code again on the one that decided, for its steps.
        gap_capsule_triangle(&local, &mesh.triangle(index), trace);
    }
    Some(Gap {
        point_a: pose.point(gap.point_a),
        point_b: pose.point(gap.point_b),
        ..gap
    })
}

/// Sweeps a capsule against a mesh that stands at `pose`; neither turns, both move by their displacement over the frame.
///
/// Overlapping any triangle at the start, it is `Overlapping` by the deepest. Equal fractions go to the lowest triangle index.
/// Without a hit, the nearest it comes to any triangle decides: at the start `Receding`, at the end `Later`.
pub fn sweep_capsule_mesh(
    capsule: &Capsule,
    displacement: DVec3,
    mesh: &Mesh,
    pose: &Pose,
    mesh_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    if is_refused(
        &[capsule, &displacement, mesh, pose, &mesh_displacement],
        trace,
    ) {
        return SweepOutcome::Receding;
    }
    let local = local_capsule(capsule, pose);
    let step = pose.vector_to_local(displacement - mesh_displacement);
    let moving = Moving {
        capsule: local,
        step,
        slack: slack_of(&local, step),
    };
    in_world(moving.sweep(mesh, trace), pose, mesh_displacement)
}

/// A capsule on its way, in the mesh's space.
struct Moving {
    capsule: Capsule,
    step: DVec3,
    /// Metres of rounding.
    slack: f64,
}

impl Moving {
    fn sweep_triangle(&self, triangle: &Triangle, trace: &mut impl Trace) -> SweepOutcome {
        let Capsule { segment, radius } = &self.capsule;
        sweep_core_triangle(segment, [self.step, DVec3::ZERO], *radius, triangle, trace)
    }

    fn at(&self, fraction: f64) -> Capsule {
        let Segment { a, b } = self.capsule.segment;
        Capsule {
            segment: Segment {
                a: a + self.step * fraction,
                b: b + self.step * fraction,
            },
            radius: self.capsule.radius,
        }
    }

    fn aabb(&self) -> Aabb {
        self.capsule
            .aabb()
            .union(&self.at(1.0).aabb())
            .grown(self.slack)
    }

    fn sweep(&self, mesh: &Mesh, trace: &mut impl Trace) -> SweepOutcome {
        let mut tested = 0;
        let mut deepest: Option<f64> = None;
        let mut earliest: Option<(Impact, u32)> = None;
        mesh.for_each_in(&self.aabb(), &mut |index| {
            tested += 1;
            match self.sweep_triangle(&mesh.triangle(index), &mut ()) {
                SweepOutcome::Overlapping { depth } => {
                    deepest = Some(deepest.map_or(depth, |known| known.max(depth)));
                }
                SweepOutcome::Hits(impact)
                    if earliest.is_none_or(|(known, lowest)| {
                        impact.fraction < known.fraction
                            || (impact.fraction == known.fraction && index < lowest)
                    }) =>
                {
                    earliest = Some((impact, index));
                }
                _ => {}
            }
        });
        trace.step("TrianglesTested", &[("count", f64::from(tested))]);
        if let Some(depth) = deepest {
            trace.step("Overlapping", &[("depth", depth)]);
            return SweepOutcome::Overlapping { depth };
        }
        if let Some((impact, index)) = earliest {
            trace.step("EarliestTriangle", &[("triangle", f64::from(index))]);
            // The same code again on the one that decided, for its steps.
            self.sweep_triangle(&mesh.triangle(index), trace);
            return SweepOutcome::Hits(Impact {
                triangle: Some(index),
                ..impact
            });
        }
        self.passes(mesh, trace)
    }

    /// Names a miss by the nearest the capsule comes to any triangle.
    fn passes(&self, mesh: &Mesh, trace: &mut impl Trace) -> SweepOutcome {
        let mut nearest: Option<(f64, f64, u32)> = None;
        mesh.for_each_near(&self.aabb(), f64::INFINITY, &mut |index| {
            if let Some((by, fraction)) = self.approach(&mesh.triangle(index))
                && nearest
                    .is_none_or(|(least, _, lowest)| by < least || (by == least && index < lowest))
            {
                nearest = Some((by, fraction, index));
            }
            nearest.map_or(f64::INFINITY, |(by, ..)| by.max(0.0) + self.slack)
        });
        let Some((by, fraction, index)) = nearest else {
            trace.step("BehindOneSided", &[]);
            return SweepOutcome::Receding;
        };
        let outcome = if fraction <= 0.0 {
            SweepOutcome::Receding
        } else if fraction >= 1.0 {
            SweepOutcome::Later
        } else if by > 0.0 {
            SweepOutcome::Misses { by, fraction }
        } else {
            SweepOutcome::Grazes { fraction }
        };
        let numbers = [
            ("by", by),
            ("fraction", fraction),
            ("triangle", f64::from(index)),
        ];
        trace.step(outcome.name(), &numbers);
        outcome
    }

    /// The least gap to a triangle that is not met, and when; `None` behind it.
    fn approach(&self, triangle: &Triangle) -> Option<(f64, f64)> {
        let gap_at = |fraction: f64| {
            let gap = gap_capsule_triangle(&self.at(fraction), triangle, &mut ())?;
            Some((gap.distance, fraction))
        };
        match self.sweep_triangle(triangle, &mut ()) {
            SweepOutcome::Receding => gap_at(0.0),
            SweepOutcome::Later => gap_at(1.0),
            SweepOutcome::Misses { by, fraction } => Some((by, fraction)),
            SweepOutcome::Grazes { fraction } => Some((0.0, fraction)),
            SweepOutcome::Overlapping { .. } | SweepOutcome::Hits(_) => None,
        }
    }
}
