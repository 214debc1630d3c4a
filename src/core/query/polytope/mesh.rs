//! Convex bodies against meshes, through the mesh's tree; meshes against meshes, triangle by triangle.
//!
//! All work is done in the (second) mesh's space.

use super::super::super::shape::{Aabb, Mesh, Pose};
use super::super::{Contact, Gap, Impact, SweepOutcome, Trace};
use super::Polytope;
use super::contact::contact_polytope_polytope;
use super::gap::gap_polytope_polytope;
use super::sweep::{Approach, Crossing, Step, approach, cross, impact, passing, touching};
use glam::DVec3;

/// The deepest contact with any triangle; ties go to the lowest triangle index. `triangle` is set.
pub fn contact_polytope_mesh(
    a: &Polytope,
    mesh: &Mesh,
    pose: &Pose,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let contact = deepest(&a.to_local(pose), mesh)?;
    trace.step(
        "deepest triangle",
        &[
            ("triangle", contact.triangle.map_or(-1.0, f64::from)),
            ("depth", contact.depth),
        ],
    );
    Some(contact_to_world(contact, pose))
}

fn contact_to_world(contact: Contact, pose: &Pose) -> Contact {
    Contact {
        point: pose.point(contact.point),
        normal: pose.vector(contact.normal),
        ..contact
    }
}

/// In the mesh's space.
fn deepest(a: &Polytope, mesh: &Mesh) -> Option<Contact> {
    let mut best: Option<Contact> = None;
    mesh.for_each_in(&a.aabb().grown_for_rounding(), &mut |index| {
        let b = Polytope::from_triangle(&mesh.triangle(index));
        if let Some(contact) = contact_polytope_polytope(a, &b, &mut ()) {
            let triangle = Some(index);
            let better = best.is_none_or(|best| {
                contact.depth > best.depth
                    || contact.depth == best.depth && triangle < best.triangle
            });
            if better {
                best = Some(Contact {
                    triangle,
                    ..contact
                });
            }
        }
    });
    best
}

/// The earliest hit with any triangle; ties go to the lowest triangle index. `pose` is the mesh's at the start.
///
/// Overlapping any triangle at the start is `Overlapping`, with the deepest. Otherwise, where nothing is hit, the closest
/// approach to any triangle names the outcome.
pub fn sweep_polytope_mesh(
    a: &Polytope,
    displacement_a: DVec3,
    mesh: &Mesh,
    pose: &Pose,
    displacement_mesh: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let local = a.to_local(pose);
    let relative = pose.vector_to_local(displacement_a - displacement_mesh);
    let mut sweep = MeshSweep::default();
    sweep.add(&local, relative, mesh);
    let to_world = |impact| impact_to_world(impact, pose, displacement_mesh);
    let outcome = sweep.outcome(to_world, |best| {
        nearest_approach(&local, relative, mesh, best)
    });
    trace.step(outcome.name(), &[]);
    outcome
}

fn impact_to_world(impact: Impact, pose: &Pose, displacement: DVec3) -> Impact {
    Impact {
        point: pose.point(impact.point) + displacement * impact.fraction,
        normal: pose.vector(impact.normal),
        ..impact
    }
}

/// What the triangles seen so far have given, in the mesh's space.
#[derive(Default)]
struct MeshSweep {
    depth: Option<f64>,
    hit: Option<Impact>,
    touch: Option<f64>,
}

impl MeshSweep {
    fn add(&mut self, a: &Polytope, relative: DVec3, mesh: &Mesh) {
        if !(a.is_finite() && relative.is_finite()) {
            return;
        }
        let step = Step::of(relative, DVec3::ZERO);
        mesh.for_each_in(&swept_region(a, relative), &mut |index| {
            let b = Polytope::from_triangle(&mesh.triangle(index));
            match cross(a, &b, &step, &mut ()) {
                Crossing::Overlapping { depth } => {
                    self.depth = Some(self.depth.map_or(depth, |most| most.max(depth)));
                }
                Crossing::Meets { fraction, normal } => {
                    let triangle = Some(index);
                    let earlier = self.hit.is_none_or(|hit| {
                        fraction < hit.fraction
                            || fraction == hit.fraction && triangle < hit.triangle
                    });
                    if earlier {
                        let impact = impact(a, &b, relative, DVec3::ZERO, fraction, normal);
                        self.hit = Some(Impact { triangle, ..impact });
                    }
                }
                Crossing::Touches { fraction } => {
                    self.touch = Some(self.touch.map_or(fraction, |first| first.min(fraction)));
                }
                Crossing::Ignored | Crossing::Apart => {}
            }
        });
    }

    fn outcome(
        self,
        to_world: impl Fn(Impact) -> Impact,
        nearest: impl FnOnce(Option<Approach>) -> Option<Approach>,
    ) -> SweepOutcome {
        if let Some(depth) = self.depth {
            return SweepOutcome::Overlapping { depth };
        }
        if let Some(hit) = self.hit {
            return SweepOutcome::Hits(to_world(hit));
        }
        if let Some(fraction) = self.touch {
            return touching(fraction);
        }
        nearest(None).map_or(SweepOutcome::Receding, passing)
    }
}

fn swept_region(a: &Polytope, relative: DVec3) -> Aabb {
    a.aabb()
        .union(&a.moved(relative).aabb())
        .grown_for_rounding()
}

/// The closest approach to any triangle that is not ignored, or `best` where none comes closer.
fn nearest_approach(
    a: &Polytope,
    relative: DVec3,
    mesh: &Mesh,
    mut best: Option<Approach>,
) -> Option<Approach> {
    if !(a.is_finite() && relative.is_finite()) {
        return best;
    }
    let step = Step::of(relative, DVec3::ZERO);
    let limit = best.map_or(f64::INFINITY, |best| best.distance);
    mesh.for_each_near(&swept_region(a, relative), limit, &mut |index| {
        let b = Polytope::from_triangle(&mesh.triangle(index));
        if !matches!(cross(a, &b, &step, &mut ()), Crossing::Ignored) {
            let next = approach(a, &b, &step);
            if best.is_none_or(|best| next.distance < best.distance) {
                best = Some(next);
            }
        }
        best.map_or(f64::INFINITY, |best| best.distance)
    });
    best
}

/// The least signed distance to any triangle; `None` where the body lies behind all that are one-sided.
pub fn gap_polytope_mesh(a: &Polytope, mesh: &Mesh, pose: &Pose) -> Option<Gap> {
    if !pose.is_finite() {
        return None;
    }
    nearest(&a.to_local(pose), mesh, None).map(|gap| gap_to_world(gap, pose))
}

fn gap_to_world(gap: Gap, pose: &Pose) -> Gap {
    Gap {
        point_a: pose.point(gap.point_a),
        point_b: pose.point(gap.point_b),
        ..gap
    }
}

/// In the mesh's space; `best` where no triangle is nearer.
fn nearest(a: &Polytope, mesh: &Mesh, mut best: Option<Gap>) -> Option<Gap> {
    if !a.is_finite() {
        return best;
    }
    // Overlapping triangles have boxes at distance 0: the limit must not fall below it.
    let limit = |best: Option<Gap>| best.map_or(f64::INFINITY, |best| best.distance.max(0.0));
    mesh.for_each_near(&a.aabb().grown_for_rounding(), limit(best), &mut |index| {
        let b = Polytope::from_triangle(&mesh.triangle(index));
        if let Some(gap) = gap_polytope_polytope(a, &b)
            && best.is_none_or(|best| gap.distance < best.distance)
        {
            best = Some(gap);
        }
        limit(best)
    });
    best
}

/// The triangles of a mesh in another one's space, of those in a region of that space.
fn for_each_polytope_in(
    mesh: &Mesh,
    pose: &Pose,
    space: &Pose,
    region: &Aabb,
    visit: &mut impl FnMut(&Polytope),
) {
    let corners = (0..8).map(|index| {
        let side = |bit: usize| {
            if index >> bit & 1 == 1 {
                region.max
            } else {
                region.min
            }
        };
        let corner = DVec3::new(side(0).x, side(1).y, side(2).z);
        pose.point_to_local(space.point(corner))
    });
    let Some(own_region) = Aabb::of_points(corners) else {
        return;
    };
    mesh.for_each_in(&own_region.grown_for_rounding(), &mut |index| {
        visit(&placed_triangle(mesh, pose, space, index));
    });
}

fn placed_triangle(mesh: &Mesh, pose: &Pose, space: &Pose, index: u32) -> Polytope {
    let triangle = mesh.triangle(index).transformed(pose);
    Polytope::from_triangle(&triangle).to_local(space)
}

/// The deepest contact of any two triangles; `triangle` is the second mesh's.
pub fn contact_mesh_mesh(
    mesh_a: &Mesh,
    pose_a: &Pose,
    mesh_b: &Mesh,
    pose_b: &Pose,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let mut best: Option<Contact> = None;
    let region = mesh_b.aabb();
    for_each_polytope_in(mesh_a, pose_a, pose_b, &region, &mut |a| {
        if let Some(contact) = deepest(a, mesh_b)
            && best.is_none_or(|best| {
                contact.depth > best.depth
                    || contact.depth == best.depth && contact.triangle < best.triangle
            })
        {
            best = Some(contact);
        }
    });
    let contact = best?;
    trace.step("deepest triangles", &[("depth", contact.depth)]);
    Some(contact_to_world(contact, pose_b))
}

/// The earliest hit of any two triangles; `triangle` is the second mesh's. Poses are those at the start.
pub fn sweep_mesh_mesh(
    mesh_a: &Mesh,
    pose_a: &Pose,
    displacement_a: DVec3,
    mesh_b: &Mesh,
    pose_b: &Pose,
    displacement_b: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    if !(pose_a.is_finite() && pose_b.is_finite()) {
        return SweepOutcome::Receding;
    }
    let relative = pose_b.vector_to_local(displacement_a - displacement_b);
    // Where b would come from, seen from a.
    let there = Aabb {
        min: mesh_b.aabb().min - relative,
        max: mesh_b.aabb().max - relative,
    };
    let region = mesh_b.aabb().union(&there);
    let mut sweep = MeshSweep::default();
    for_each_polytope_in(mesh_a, pose_a, pose_b, &region, &mut |a| {
        sweep.add(a, relative, mesh_b);
    });
    let to_world = |impact| impact_to_world(impact, pose_b, displacement_b);
    let outcome = sweep.outcome(to_world, |mut best| {
        for index in 0..mesh_a.triangles().len() as u32 {
            let a = placed_triangle(mesh_a, pose_a, pose_b, index);
            best = nearest_approach(&a, relative, mesh_b, best);
        }
        best
    });
    trace.step(outcome.name(), &[]);
    outcome
}

/// The least signed distance of any two triangles.
pub fn gap_mesh_mesh(mesh_a: &Mesh, pose_a: &Pose, mesh_b: &Mesh, pose_b: &Pose) -> Option<Gap> {
    if !(pose_a.is_finite() && pose_b.is_finite()) {
        return None;
    }
    let mut best = None;
    for index in 0..mesh_a.triangles().len() as u32 {
        best = nearest(
            &placed_triangle(mesh_a, pose_a, pose_b, index),
            mesh_b,
            best,
        );
    }
    best.map(|gap| gap_to_world(gap, pose_b))
}
