//! Convex bodies against meshes, through the mesh's tree; meshes against meshes, triangle by triangle: contacts and sweeps.
//!
//! All work is done in the (second) mesh's space.

use super::super::super::shape::{Aabb, Mesh, Pose};
use super::super::in_range::{InRange, is_refused};
use super::super::{Contact, Impact, SweepOutcome, Trace};
use super::Polytope;
use super::contact::contact_polytope_polytope;
use super::sweep::{Approach, Crossing, Step, approach, cross, impact, passing, tell, touching};
use glam::DVec3;

/// The deepest contact with any triangle; ties go to the lowest triangle index. `triangle` is set.
pub fn contact_polytope_mesh(
    a: &Polytope,
    mesh: &Mesh,
    pose: &Pose,
    trace: &mut impl Trace,
) -> Option<Contact> {
    if is_refused(&[a, mesh, pose], trace) {
        return None;
    }
    let local = a.to_local(pose);
    let (contact, tested) = deepest(&local, mesh);
    tell_tested(tested, trace);
    tell_contact(contact.as_ref(), || local, mesh, trace);
    Some(contact_to_world(contact?, pose))
}

fn tell_tested(count: u32, trace: &mut impl Trace) {
    trace.step("TrianglesTested", &[("count", f64::from(count))]);
}

/// The triangle that decided, and the same code again on it, for its steps.
fn tell_contact(
    contact: Option<&Contact>,
    body: impl FnOnce() -> Polytope,
    mesh: &Mesh,
    trace: &mut impl Trace,
) {
    if let Some(index) = contact.and_then(|contact| contact.triangle)
        && trace.is_heard()
    {
        trace.step("DeepestTriangle", &[("index", f64::from(index))]);
        let triangle = Polytope::from_triangle(&mesh.triangle(index));
        contact_polytope_polytope(&body(), &triangle, trace);
    }
}

fn contact_to_world(contact: Contact, pose: &Pose) -> Contact {
    Contact {
        point: pose.point(contact.point),
        normal: pose.vector(contact.normal),
        ..contact
    }
}

/// In the mesh's space, and of how many triangles.
fn deepest(a: &Polytope, mesh: &Mesh) -> (Option<Contact>, u32) {
    let mut best: Option<Contact> = None;
    let mut tested = 0;
    mesh.for_each_in(&a.aabb().grown_for_rounding(), &mut |index| {
        tested += 1;
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
    (best, tested)
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
    if is_refused(&[a, &displacement_a, mesh, pose, &displacement_mesh], trace) {
        return SweepOutcome::Receding;
    }
    let local = a.to_local(pose);
    let relative = pose.vector_to_local(displacement_a - displacement_mesh);
    let mut sweep = MeshSweep::default();
    sweep.add((&local, 0), relative, mesh);
    tell_tested(sweep.tested, trace);
    let to_world = |impact| impact_to_world(impact, pose, displacement_mesh);
    let (outcome, place) = sweep.outcome(to_world, |best| {
        nearest_approach((&local, 0), relative, mesh, best)
    });
    tell_sweep(&outcome, place, |_| local, relative, mesh, trace);
    outcome
}

/// The triangle that decided, and the same code again on it, for its steps; then the outcome.
fn tell_sweep(
    outcome: &SweepOutcome,
    place: Option<Place>,
    body: impl FnOnce(u32) -> Polytope,
    relative: DVec3,
    mesh: &Mesh,
    trace: &mut impl Trace,
) {
    if let Some(place) = place
        && trace.is_heard()
    {
        let index = f64::from(place.triangle);
        match outcome {
            SweepOutcome::Hits(_) => trace.step("EarliestTriangle", &[("triangle", index)]),
            SweepOutcome::Overlapping { .. } => trace.step("DeepestTriangle", &[("index", index)]),
            _ => trace.step("NearestTriangle", &[("index", index)]),
        }
        let triangle = Polytope::from_triangle(&mesh.triangle(place.triangle));
        let step = Step::of(relative, DVec3::ZERO);
        cross(&body(place.other), &triangle, &step, trace);
    }
    tell(outcome, trace);
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
    tested: u32,
    depth: Option<(f64, Place)>,
    hit: Option<(Impact, Place)>,
    touch: Option<(f64, Place)>,
}

/// A triangle of the mesh, and of the body where it is a mesh itself.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) triangle: u32,
    pub(super) other: u32,
}

impl MeshSweep {
    fn add(&mut self, (a, other): (&Polytope, u32), relative: DVec3, mesh: &Mesh) {
        if !(a.is_in_range() && relative.is_in_range()) {
            return;
        }
        let step = Step::of(relative, DVec3::ZERO);
        mesh.for_each_in(&swept_region(a, relative), &mut |index| {
            self.tested += 1;
            let place = Place {
                triangle: index,
                other,
            };
            let b = Polytope::from_triangle(&mesh.triangle(index));
            match cross(a, &b, &step, &mut ()) {
                Crossing::Overlapping { depth } => {
                    if self.depth.is_none_or(|(most, _)| depth > most) {
                        self.depth = Some((depth, place));
                    }
                }
                Crossing::Meets { fraction, normal } => {
                    let triangle = Some(index);
                    let earlier = self.hit.is_none_or(|(hit, _)| {
                        fraction < hit.fraction
                            || fraction == hit.fraction && triangle < hit.triangle
                    });
                    if earlier {
                        let impact = impact(a, &b, relative, DVec3::ZERO, fraction, normal);
                        self.hit = Some((Impact { triangle, ..impact }, place));
                    }
                }
                Crossing::Touches { fraction } => {
                    if self.touch.is_none_or(|(first, _)| fraction < first) {
                        self.touch = Some((fraction, place));
                    }
                }
                Crossing::Ignored | Crossing::Apart => {}
            }
        });
    }

    fn outcome(
        self,
        to_world: impl Fn(Impact) -> Impact,
        nearest: impl FnOnce(Option<Passing>) -> Option<Passing>,
    ) -> (SweepOutcome, Option<Place>) {
        if let Some((depth, place)) = self.depth {
            return (SweepOutcome::Overlapping { depth }, Some(place));
        }
        if let Some((hit, place)) = self.hit {
            return (SweepOutcome::Hits(to_world(hit)), Some(place));
        }
        if let Some((fraction, place)) = self.touch {
            return (touching(fraction), Some(place));
        }
        match nearest(None) {
            Some((approach, place)) => (passing(approach), Some(place)),
            None => (SweepOutcome::Receding, None),
        }
    }
}

fn swept_region(a: &Polytope, relative: DVec3) -> Aabb {
    a.aabb()
        .union(&a.moved(relative).aabb())
        .grown_for_rounding()
}

/// A closest approach, and to which triangle.
type Passing = (Approach, Place);

/// The closest approach to any triangle that is not ignored, or `best` where none comes closer.
fn nearest_approach(
    (a, other): (&Polytope, u32),
    relative: DVec3,
    mesh: &Mesh,
    mut best: Option<Passing>,
) -> Option<Passing> {
    if !(a.is_in_range() && relative.is_in_range()) {
        return best;
    }
    let step = Step::of(relative, DVec3::ZERO);
    let limit = best.map_or(f64::INFINITY, |(best, _)| best.distance);
    mesh.for_each_near(&swept_region(a, relative), limit, &mut |index| {
        let b = Polytope::from_triangle(&mesh.triangle(index));
        if !matches!(cross(a, &b, &step, &mut ()), Crossing::Ignored) {
            let next = approach(a, &b, &step);
            if best.is_none_or(|(best, _)| next.distance < best.distance) {
                let place = Place {
                    triangle: index,
                    other,
                };
                best = Some((next, place));
            }
        }
        best.map_or(f64::INFINITY, |(best, _)| best.distance)
    });
    best
}

/// The triangles of a mesh in another one's space, of those in a region of that space.
fn for_each_polytope_in(
    mesh: &Mesh,
    pose: &Pose,
    space: &Pose,
    region: &Aabb,
    visit: &mut impl FnMut(u32, &Polytope),
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
        visit(index, &placed_triangle(mesh, pose, space, index));
    });
}

pub(super) fn placed_triangle(mesh: &Mesh, pose: &Pose, space: &Pose, index: u32) -> Polytope {
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
    if is_refused(&[mesh_a, pose_a, mesh_b, pose_b], trace) {
        return None;
    }
    let mut best: Option<(Contact, u32)> = None;
    let mut tested = 0;
    let region = mesh_b.aabb();
    for_each_polytope_in(mesh_a, pose_a, pose_b, &region, &mut |other, a| {
        let (contact, tested_by_one) = deepest(a, mesh_b);
        tested += tested_by_one;
        if let Some(contact) = contact
            && best.is_none_or(|(best, _)| {
                contact.depth > best.depth
                    || contact.depth == best.depth && contact.triangle < best.triangle
            })
        {
            best = Some((contact, other));
        }
    });
    tell_tested(tested, trace);
    let (contact, other) = best?;
    trace.step("OwnTriangle", &[("index", f64::from(other))]);
    let body = || placed_triangle(mesh_a, pose_a, pose_b, other);
    tell_contact(Some(&contact), body, mesh_b, trace);
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
    if is_refused(
        &[
            mesh_a,
            pose_a,
            &displacement_a,
            mesh_b,
            pose_b,
            &displacement_b,
        ],
        trace,
    ) {
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
    for_each_polytope_in(mesh_a, pose_a, pose_b, &region, &mut |other, a| {
        sweep.add((a, other), relative, mesh_b);
    });
    tell_tested(sweep.tested, trace);
    let to_world = |impact| impact_to_world(impact, pose_b, displacement_b);
    let place = |other| placed_triangle(mesh_a, pose_a, pose_b, other);
    let (outcome, decided) = sweep.outcome(to_world, |mut best| {
        for other in 0..mesh_a.triangles().len() as u32 {
            best = nearest_approach((&place(other), other), relative, mesh_b, best);
        }
        best
    });
    if let Some(Place { other, .. }) = decided {
        trace.step("OwnTriangle", &[("index", f64::from(other))]);
    }
    tell_sweep(&outcome, decided, place, relative, mesh_b, trace);
    outcome
}
