//! A capsule against a box or a triangle, resting and swept.
//!
//! A core (the capsule's inner segment) S that moves past a solid P is a point that moves past the Minkowski difference
//! P - S; the capsule's radius grows it. That grown body is the union of a few whose entry is known: P grown, as each end of
//! the core sees it, and for each edge of P the parallelogram of its differences with the core, grown. The earliest entry
//! into any of them is the entry into the whole (Ericson 2005, 5.5; the difference: ibid., 9.3).

use super::capsule_one_sided::sweep_core_one_sided;
use super::capsule_pairs::Differences;
use super::closest_point::{slimness, triangle_edges, triangle_normal};
use super::contact::from_nearest;
use super::exact::ExactFrame;
use super::in_range::is_refused;
use super::nearest::{Nearest, on_colliding_side, side_of};
use super::polytope::{Core, Polytope, nearest_to_core};
use super::sweep::{
    Convex, Doubt, Entry, LocalBox, Path, earlier, nearest_of, noise_of, stretched, sweep_rounded,
};
use super::tell::tell_nearest;
use super::{Contact, Gap, Impact, SweepOutcome, Trace};
use crate::core::shape::{Capsule, Facing, Obb, Pose, Segment, Triangle};
use glam::{DQuat, DVec3};
use std::cmp::Ordering;

/// The contact of a capsule and a box.
///
/// Where the core itself touches the box, the push is the least that brings the core out, longer by the radius.
pub fn contact_capsule_obb(
    capsule: &Capsule,
    obb: &Obb,
    trace: &mut impl Trace,
) -> Option<Contact> {
    if is_refused(&[capsule, obb], trace) {
        return None;
    }
    let core = &capsule.segment;
    let size = [
        core.a - obb.center,
        core.b - obb.center,
        obb.half_extents,
        DVec3::splat(capsule.radius),
    ];
    let exact = || {
        let frame = ExactFrame::of(&obb.pose());
        let body = frame.cuboid_past(obb.half_extents, core);
        frame.compare(&body, [capsule.radius, 0.0])
    };
    let body = Polytope::from_obb(obb);
    let noise = noise_of(&size) + stretched(obb.rotation, &size[..2]);
    contact_capsule_polytope(capsule, &body, noise, exact, trace)
}

/// The contact of a capsule and a triangle.
///
/// Of a core that reaches behind a one-sided triangle only the part in front counts, as for spheres along it; a core that
/// pierces the triangle is pushed toward the front or along the plane.
pub fn contact_capsule_triangle(
    capsule: &Capsule,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> Option<Contact> {
    if is_refused(&[capsule, triangle], trace) {
        return None;
    }
    if triangle_normal(triangle).is_none() {
        trace.step("DegenerateTriangle", &[]);
    }
    let core = &capsule.segment;
    let ends = [core.a, core.b];
    let whole = ends.iter().all(|&end| on_colliding_side(end, triangle));
    // What is cut off a core at the plane rounds, and is compared as it came out.
    let noise = if whole {
        noise_of_core(core, DVec3::ZERO, capsule.radius, triangle)
    } else {
        0.0
    };
    let exact = || {
        if !whole {
            return Ordering::Equal;
        }
        let frame = ExactFrame::of(&Pose::IDENTITY);
        let body = frame.triangle_past(triangle, core);
        frame.compare(&body, [capsule.radius, 0.0])
    };
    let body = Polytope::from_triangle(triangle);
    contact_capsule_polytope(capsule, &body, noise, exact, trace)
}

fn contact_capsule_polytope(
    capsule: &Capsule,
    body: &Polytope,
    noise: f64,
    distance: impl FnOnce() -> Ordering,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let core = nearest_to_core(&capsule.segment, body, trace)?;
    let nearest = Nearest {
        point: core.point,
        normal: core.normal,
        distance: core.distance,
        feature: core.feature_body,
        fallback: core.fallback,
    };
    let contact = from_nearest(nearest, capsule.radius, noise, distance, trace)?;
    Some(Contact {
        feature_a: core.feature_core,
        ..contact
    })
}

/// The distance of a capsule and a box, negative when they overlap.
pub fn gap_capsule_obb(capsule: &Capsule, obb: &Obb, trace: &mut impl Trace) -> Option<Gap> {
    if is_refused(&[capsule, obb], trace) {
        return None;
    }
    gap_capsule_polytope(capsule, &Polytope::from_obb(obb), trace)
}

/// The distance of a capsule and a triangle; `None` behind a one-sided one.
pub fn gap_capsule_triangle(
    capsule: &Capsule,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> Option<Gap> {
    if is_refused(&[capsule, triangle], trace) {
        return None;
    }
    gap_capsule_polytope(capsule, &Polytope::from_triangle(triangle), trace)
}

fn gap_capsule_polytope(capsule: &Capsule, body: &Polytope, trace: &mut impl Trace) -> Option<Gap> {
    let core = nearest_to_core(&capsule.segment, body, trace)?;
    tell_nearest(core.feature_body, core.distance, trace);
    let distance = core.distance - capsule.radius;
    Some(Gap {
        distance,
        point_a: core.point + core.normal * distance,
        point_b: core.point,
        via_bounding_sphere: false,
    })
}

/// Sweeps a capsule against a box; neither turns, both move by their displacement over the frame.
pub fn sweep_capsule_obb(
    capsule: &Capsule,
    displacement: DVec3,
    obb: &Obb,
    obb_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    if is_refused(&[capsule, &displacement, obb, &obb_displacement], trace) {
        return SweepOutcome::Receding;
    }
    let pose = obb.pose();
    let core = to_local(&capsule.segment, &pose);
    let step = pose.vector_to_local(displacement - obb_displacement);
    let shape = LocalBox {
        half_extents: obb.half_extents,
    };
    let exact = || {
        let frame = ExactFrame::of(&pose);
        let body = frame.cuboid_past(obb.half_extents, &capsule.segment);
        let steps = [displacement, obb_displacement];
        frame.sweep(body, steps, [capsule.radius, 0.0])
    };
    let doubt = Doubt {
        noise: noise_of(&[
            core.a,
            core.b,
            step,
            obb.half_extents,
            DVec3::splat(capsule.radius),
        ]) + stretched(obb.rotation, &[core.a, core.b, step]),
        exact: &exact,
    };
    let past = Past::new(&shape, core);
    in_world(
        past.sweep(step, capsule.radius, &doubt, trace),
        &pose,
        obb_displacement,
    )
}

/// Sweeps a capsule against a triangle; neither turns, both move by their displacement over the frame.
///
/// A one-sided triangle is met only by what of the core is in front of its plane (or in it).
pub fn sweep_capsule_triangle(
    capsule: &Capsule,
    displacement: DVec3,
    triangle: &Triangle,
    triangle_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    if is_refused(
        &[capsule, &displacement, triangle, &triangle_displacement],
        trace,
    ) {
        return SweepOutcome::Receding;
    }
    let steps = [displacement, triangle_displacement];
    let outcome = sweep_core_triangle(&capsule.segment, steps, capsule.radius, triangle, trace);
    in_world(outcome, &Pose::IDENTITY, triangle_displacement)
}

/// The same for a core with a radius; the impact is where they meet in the triangle's frame. `steps` are the displacements
/// of the core and of the triangle.
pub(crate) fn sweep_core_triangle(
    core: &Segment,
    steps: [DVec3; 2],
    radius: f64,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let step = steps[0] - steps[1];
    let exact = || {
        let frame = ExactFrame::of(&Pose::IDENTITY);
        frame.sweep(frame.triangle_past(triangle, core), steps, [radius, 0.0])
    };
    let doubt = Doubt {
        noise: noise_of_core(core, step, radius, triangle),
        exact: &exact,
    };
    let sides = [core.a, core.b].map(|end| side_of(end, triangle));
    // Seen from one end of the core, as large coordinates cost digits.
    let origin = Pose::at(core.a);
    let core = to_local(core, &origin);
    let shifted = Triangle {
        a: origin.point_to_local(triangle.a),
        b: origin.point_to_local(triangle.b),
        c: origin.point_to_local(triangle.c),
        facing: Facing::Both,
    };
    let past = Past::new(&shifted, core);
    let outcome = match (triangle.facing, triangle_normal(&shifted)) {
        (Facing::Front, Some(normal)) => {
            sweep_core_one_sided(&past, step, radius, (normal, sides), &doubt, trace)
        }
        (_, Some(_)) => past.sweep(step, radius, &doubt, trace),
        (_, None) => {
            trace.step("DegenerateTriangle", &[]);
            past.sweep(step, radius, &doubt, trace)
        }
    };
    in_world(outcome, &origin, DVec3::ZERO)
}

/// Metres of rounding in the distance of a core that moves by `step` from a triangle.
fn noise_of_core(core: &Segment, step: DVec3, radius: f64, triangle: &Triangle) -> f64 {
    let seen = Triangle {
        a: triangle.a - core.a,
        b: triangle.b - core.a,
        c: triangle.c - core.a,
        facing: triangle.facing,
    };
    let along = core.b - core.a;
    let size = [seen.a, seen.b, seen.c, along, step, DVec3::splat(radius)];
    noise_of(&size) * slimness(&seen)
}

/// Seen from a pose's frame.
pub(crate) fn to_local(segment: &Segment, pose: &Pose) -> Segment {
    Segment {
        a: pose.point_to_local(segment.a),
        b: pose.point_to_local(segment.b),
    }
}

/// Brings a hit from the frame of `pose` into the world; `displacement` carries the frame along.
pub(crate) fn in_world(outcome: SweepOutcome, pose: &Pose, displacement: DVec3) -> SweepOutcome {
    match outcome {
        SweepOutcome::Hits(impact) => SweepOutcome::Hits(Impact {
            point: pose.point(impact.point) + displacement * impact.fraction,
            normal: pose.vector(impact.normal),
            ..impact
        }),
        other => other,
    }
}

/// A convex solid that has edges.
pub(crate) trait Edged: Convex {
    /// In no order that means anything.
    fn edges(&self) -> impl Iterator<Item = Segment>;
    /// The same solid on separating axes, two-sided.
    fn body(&self) -> Polytope;
}

impl Edged for LocalBox {
    fn edges(&self) -> impl Iterator<Item = Segment> {
        LocalBox::edges(self).into_iter()
    }

    fn body(&self) -> Polytope {
        Polytope::from_obb(&Obb {
            center: DVec3::ZERO,
            half_extents: self.half_extents,
            rotation: DQuat::IDENTITY,
        })
    }
}

impl Edged for Triangle {
    fn edges(&self) -> impl Iterator<Item = Segment> {
        triangle_edges(self).into_iter()
    }

    fn body(&self) -> Polytope {
        Polytope::from_triangle(&Triangle {
            facing: Facing::Both,
            ..*self
        })
    }
}

/// A solid minus a core: what the way of the core, as a point, moves past.
pub(crate) struct Past<'s, S: Edged> {
    pub(crate) solid: &'s S,
    pub(crate) core: Segment,
    body: Polytope,
}

impl<'s, S: Edged> Past<'s, S> {
    pub(crate) fn new(solid: &'s S, core: Segment) -> Self {
        Self {
            solid,
            core,
            body: solid.body(),
        }
    }

    /// The core after it has moved.
    pub(crate) fn core_at(&self, moved: DVec3) -> Segment {
        Segment {
            a: self.core.a + moved,
            b: self.core.b + moved,
        }
    }

    /// The solid as the moved core sees it; `None` never, as the solid is two-sided here.
    pub(crate) fn seen(&self, moved: DVec3) -> Option<Core> {
        nearest_to_core(&self.core_at(moved), &self.body, &mut ())
    }

    /// The outcome in the solid's frame; the impact is on the solid.
    pub(crate) fn sweep(
        &self,
        step: DVec3,
        radius: f64,
        doubt: &Doubt<'_>,
        trace: &mut impl Trace,
    ) -> SweepOutcome {
        let path = Path {
            start: DVec3::ZERO,
            step,
        };
        let outcome = sweep_rounded(self, &path, radius, doubt, trace);
        let SweepOutcome::Hits(impact) = outcome else {
            return outcome;
        };
        let Some(core) = self.seen(path.at(impact.fraction)) else {
            return outcome;
        };
        SweepOutcome::Hits(Impact {
            point: core.point,
            feature_a: core.feature_core,
            feature_b: core.feature_body,
            ..impact
        })
    }

    /// The way as each end of the core goes it.
    fn ways(&self, path: &Path) -> [Path; 2] {
        [self.core.a, self.core.b].map(|end| Path {
            start: path.start + end,
            step: path.step,
        })
    }

    fn parallelograms(&self) -> impl Iterator<Item = Differences> {
        self.solid
            .edges()
            .map(|edge| Differences::of(&edge, &self.core))
    }
}

impl<S: Edged> Convex for Past<'_, S> {
    fn nearest(&self, point: DVec3) -> Nearest {
        // A two-sided solid is never behind anything.
        let Some(core) = self.seen(point) else {
            return self.solid.nearest(point + self.core.a);
        };
        Nearest {
            point: point - core.normal * core.distance,
            normal: core.normal,
            distance: core.distance,
            feature: core.feature_body,
            fallback: core.fallback,
        }
    }

    fn enter(&self, path: &Path, radius: f64) -> Option<Entry> {
        let mut first = None;
        for way in self.ways(path) {
            first = earlier(first, self.solid.enter(&way, radius));
        }
        for parallelogram in self.parallelograms() {
            first = earlier(first, parallelogram.enter(path, radius));
        }
        first
    }

    fn closest_approach(&self, path: &Path) -> f64 {
        let ends = self
            .ways(path)
            .into_iter()
            .map(|way| self.solid.closest_approach(&way));
        let between = self
            .parallelograms()
            .map(|parallelogram| parallelogram.closest_approach(path));
        nearest_of(self, path, ends.chain(between))
    }
}
