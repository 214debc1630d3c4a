//! Queries on any two shapes: overlap, distance, contact, sweep, closest approach, ray and probe.
//!
//! | query | result |
//! |---|---|
//! | [`overlaps`] | whether they touch or overlap |
//! | [`contact`] | the deepest contact, and the push that separates them |
//! | [`gap`] | the signed distance and the closest points |
//! | [`sweep`] | the first touch while both move straight |
//! | [`closest_approach`] | the least distance while both move straight, and its time |
//! | [`turning::sweep_turning`] | as `sweep`, for shapes that rotate |
//! | [`ray_cast`] | the first surface that a segment hits |
//! | [`probe`], [`ruler`] | a camera's line probe; a ruler between shapes |
//!
//! Convex pairs use a formula where one is clearly better (`closed_form`), else support points (`convex`); shapes of many convex
//! parts are queried part by part (`composite`).
//!
//! Both shapes are in world space, metres. Displacements are metres per frame, never velocities. Static tests and rays are inclusive
//! at both ends; sweeps are half-open, `0 <= fraction < 1`. A **push** (minimum translation vector) separates the first argument
//! from the second, a **normal** points from the second toward the first, a **depth** (penetration) is >= 0.
//!
//! **Precision.** Queries compute in `f64` with an error bound of 8 units in the last place ([`BOUND_ULPS`]) of the largest
//! coordinate; shapes closer than the bound touch, and a sweep that comes no deeper than the bound grazes, which is a miss. The side
//! of a triangle on which a point lies, and the triangle of a mesh that a segment crosses, are decided exactly.
//!
//! Numbers that are not finite are never in contact and have no distance. Numbers beyond 1e75 may be refused in the same way.
//!
//! A query reports its steps to a [`Trace`], its last argument ([`gap`] and [`ray_cast`] have a `_traced` form): `&mut ()` drops
//! them at no cost, [`Steps`] keeps them.

mod closed_form;
pub mod closest_point;
mod composite;
mod convex;
mod in_range;
mod operand;
mod pair;
mod plane;
mod predicates;
pub mod probe;
mod probe_sweep;
mod ray;
pub mod ruler;
mod trace;
pub mod turning;

pub use crate::core::shape::Feature;
pub use crate::core::tolerance::BOUND_ULPS;
pub use probe_sweep::{ProbeSweep, sweep_probe};
pub use ray::{ray_cast, ray_cast_traced, ray_cast_triangle};
pub use trace::{Role, Step, Steps, Trace};

use crate::core::shape::{Aabb, Motion, Placed, Plane, Shape};
use composite::Composite;
use glam::DVec3;
use in_range::is_refused;
use operand::Operand;
use smallvec::SmallVec;

/// Two shapes that touch or overlap, resting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// On the surface of the second shape (world, metres).
    pub point: DVec3,
    /// Unit, from the second toward the first.
    pub normal: DVec3,
    /// Metres, >= 0; `push = normal * depth` separates the first from the second.
    #[doc(alias = "penetration")]
    pub depth: f64,
    /// The part of the first shape.
    pub feature_a: Feature,
    /// The part of the second shape.
    pub feature_b: Feature,
    /// The triangle of the mesh that decided; of two meshes the second's (the first's after [`Self::swapped`]). Features of that
    /// mesh are numbers within it.
    pub triangle: Option<u32>,
    /// True when the direction is not defined by the geometry (coincident centres) and a fixed axis was taken.
    pub fallback: bool,
}

impl Contact {
    /// The shortest translation of the first shape that separates it from the second (minimum translation vector), metres.
    #[doc(alias = "mtv")]
    pub fn push(&self) -> DVec3 {
        self.normal * self.depth
    }

    /// The same contact with the shapes in the other order: the normal flips, the point moves to the other surface.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            point: self.point - self.push(),
            normal: -self.normal,
            feature_a: self.feature_b,
            feature_b: self.feature_a,
            ..self
        }
    }
}

/// How far apart two shapes are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Metres; negative when they overlap (minus the depth).
    pub distance: f64,
    /// On the first shape, world.
    pub point_a: DVec3,
    /// On the second shape, world.
    pub point_b: DVec3,
}

impl Gap {
    /// The same gap with the shapes in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            point_a: self.point_b,
            point_b: self.point_a,
            ..self
        }
    }
}

/// A hit inside the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Time of impact as a fraction of the motion, `0 <= fraction < 1`.
    pub fraction: f64,
    /// Where they touch at that time, world, metres.
    pub point: DVec3,
    /// Unit, from the second toward the first.
    pub normal: DVec3,
    /// The part of the first shape.
    pub feature_a: Feature,
    /// The part of the second shape.
    pub feature_b: Feature,
    /// The triangle of the mesh that was hit; of two meshes the second's (the first's after [`Self::swapped`]). Features of that
    /// mesh are numbers within it.
    pub triangle: Option<u32>,
}

impl Impact {
    /// The same hit with the shapes in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            normal: -self.normal,
            feature_a: self.feature_b,
            feature_b: self.feature_a,
            ..self
        }
    }
}

/// What a sweep found. By how much a miss misses is [`closest_approach`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SweepOutcome {
    /// Overlapping at the start, fraction 0.
    Overlapping {
        /// Metres, > 0.
        depth: f64,
    },
    /// Not touching within the motion, or only parting, sliding along each other, or at rest. A touch at exactly 1 belongs to the next
    /// frame. Also what has no answer: two planes, the back of a one-sided surface, numbers that are not finite.
    Misses,
    /// Touches within the error bound without overlapping, which is a miss.
    Grazes {
        /// When, as a fraction of the motion.
        fraction: f64,
    },
    /// Hits.
    Hits(Impact),
}

impl SweepOutcome {
    /// The hit, if it is one.
    pub fn impact(&self) -> Option<&Impact> {
        match self {
            Self::Hits(impact) => Some(impact),
            _ => None,
        }
    }

    /// True when they hit within the motion, or overlap from its start.
    pub fn touches(&self) -> bool {
        matches!(self, Self::Overlapping { .. } | Self::Hits(_))
    }

    /// The same outcome with another impact for a hit.
    #[must_use]
    fn map(self, change: impl FnOnce(Impact) -> Impact) -> Self {
        match self {
            Self::Hits(impact) => Self::Hits(change(impact)),
            other => other,
        }
    }

    /// The same outcome with the shapes in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        self.map(Impact::swapped)
    }
}

/// A sweep's outcome, and what it rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// What was found.
    pub outcome: SweepOutcome,
    /// True when a shape turns during the motion and was swept at its starting rotation.
    pub rotation_ignored: bool,
}

/// The least distance of two shapes over a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestApproach {
    /// Metres, >= 0; 0 when they touch.
    pub distance: f64,
    /// When, as a fraction of the motion: 0 for shapes that part, 1 for shapes that still close at the end.
    pub fraction: f64,
}

/// A ray or segment that met a surface. Unlike a sweep, it counts a hit at exactly 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Fraction of the segment from `a` to `b`, in [0, 1].
    pub fraction: f64,
    /// World, metres.
    pub point: DVec3,
    /// Unit, toward the side the ray came from.
    pub normal: DVec3,
    /// Barycentric weights of the triangle's a, b, c; zero for shapes that have none.
    pub weights: DVec3,
    /// True when the back side was hit.
    pub back: bool,
    /// The triangle of a mesh.
    pub triangle: Option<u32>,
}

/// A shape as queries take it apart.
#[derive(Clone, Copy, Debug)]
enum View<'s> {
    Convex(Operand<'s>),
    Plane(Plane),
    Composite(Composite<'s>),
}

impl<'s> View<'s> {
    #[inline]
    fn of(placed: &Placed<'s>) -> Self {
        Self::Convex(match placed {
            Placed::Sphere(sphere) => Operand::point(sphere.center, sphere.radius),
            Placed::Obb(obb) => Operand::obb(obb),
            Placed::Segment(segment) => Operand::segment(*segment, 0.0),
            Placed::Capsule(capsule) => Operand::segment(capsule.segment, capsule.radius),
            Placed::Triangle(triangle) => Operand::triangle(*triangle),
            Placed::Solid(solid, pose) => Operand::solid(*solid, pose),
            Placed::Plane(plane) => return Self::Plane(*plane),
            Placed::Mesh(mesh, pose) => return Self::Composite(Composite::Mesh(mesh, *pose)),
            Placed::Compound(compound, pose) => {
                return Self::Composite(Composite::Compound(compound, *pose));
            }
        })
    }

    /// True for a compound beside a mesh.
    fn goes_second_to(&self, other: &Composite<'_>) -> bool {
        matches!(self, Self::Composite(parts) if parts.is_compound() && !other.is_compound())
    }

    fn aabb(&self) -> Option<Aabb> {
        match self {
            Self::Convex(operand) => Some(operand.aabb()),
            Self::Composite(composite) => Some(composite.aabb()),
            Self::Plane(_) => None,
        }
    }

    /// The centre and radius of a sphere around it.
    #[inline]
    fn sphere(&self) -> Option<(DVec3, f64)> {
        match self {
            Self::Convex(operand) => Some((operand.center(), operand.bounding_radius())),
            Self::Composite(composite) => {
                let bounds = composite.aabb();
                Some((bounds.center(), bounds.half_extents().length()))
            }
            Self::Plane(_) => None,
        }
    }
}

/// True when two shapes touch or overlap, exactly where [`contact`] finds one.
pub fn overlaps(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    contact(a, b, &mut ()).is_some()
}

/// The deepest contact of two shapes, world space, metres, with the push that separates the first. `None` when they are apart, for
/// two planes, for what lies behind everything one-sided, and when a number is not finite or larger than 1e75.
pub fn contact(a: &Placed<'_>, b: &Placed<'_>, trace: &mut impl Trace) -> Option<Contact> {
    if is_refused((a, b), DVec3::ZERO, trace) {
        return None;
    }
    let a = View::of(a);
    let b = View::of(b);
    // Most candidates are apart by far; a trace shows by what.
    if !trace.is_enabled() && spheres_are_apart(&a, &b) {
        return None;
    }
    contact_of(&a, &b, trace)
}

/// True when the spheres around two shapes are apart by more than any rounding.
fn spheres_are_apart(a: &View<'_>, b: &View<'_>) -> bool {
    let (Some((one, first)), Some((other, second))) = (a.sphere(), b.sphere()) else {
        return false;
    };
    let largest = one.abs().max(other.abs()).max_element();
    let apart = (first + second) * (1.0 + 1e-9) + 64.0 * f64::EPSILON * largest;
    one.distance_squared(other) > apart * apart
}

fn contact_of(a: &View<'_>, b: &View<'_>, trace: &mut impl Trace) -> Option<Contact> {
    match (a, b) {
        (View::Convex(a), View::Convex(b)) => pair::contact(a, b, trace),
        (View::Convex(a), View::Plane(plane)) => plane::contact(a, plane, trace),
        (View::Plane(_), View::Plane(_)) => {
            trace.step(Step::TwoPlanes);
            None
        }
        (other, View::Composite(parts)) if !other.goes_second_to(parts) => {
            deepest(other, parts, trace)
        }
        _ => contact_of(b, a, trace).map(Contact::swapped),
    }
}

/// The deepest contact with any part.
fn deepest(a: &View<'_>, parts: &Composite<'_>, trace: &mut impl Trace) -> Option<Contact> {
    let mut best: Option<(Contact, u32)> = None;
    let mut tested = 0;
    let around = a.sphere();
    let mut visit = |index: u32| {
        if around.is_some_and(|sphere| parts.is_apart(index, sphere)) {
            return;
        }
        tested += 1;
        let Some(found) = contact_of(a, &View::Convex(parts.part(index)), &mut ()) else {
            return;
        };
        let deeper = best.is_none_or(|(known, number)| {
            found.depth > known.depth || found.depth == known.depth && index < number
        });
        if deeper {
            best = Some((found, index));
        }
    };
    match a.aabb() {
        Some(region) => parts.for_each_in(&region.grown_for_rounding(), &mut visit),
        None => (0..parts.count() as u32).for_each(visit),
    }
    trace.step(Step::PartsTested { count: tested });
    let (contact, index) = best?;
    if trace.is_enabled() {
        trace.step(parts.decided_by(index, Role::Deepest));
        // The same code again on the part that decides, for its steps.
        contact_of(a, &View::Convex(parts.part(index)), trace);
    }
    Some(Contact {
        triangle: parts.triangle(index).or(contact.triangle),
        ..contact
    })
}

/// The signed distance of two shapes and their closest points; `None` where it has no meaning: two planes, behind everything
/// that is one-sided, or a number that is not finite.
pub fn gap(a: &Placed<'_>, b: &Placed<'_>) -> Option<Gap> {
    gap_traced(a, b, &mut ())
}

/// As [`gap`]; its steps go to `trace`.
pub fn gap_traced(a: &Placed<'_>, b: &Placed<'_>, trace: &mut impl Trace) -> Option<Gap> {
    if is_refused((a, b), DVec3::ZERO, trace) {
        return None;
    }
    let found = gap_of(&View::of(a), &View::of(b), f64::INFINITY, trace)?;
    trace.step(if found.distance < 0.0 {
        Step::Overlapping {
            depth: -found.distance,
        }
    } else {
        Step::Separated {
            distance: found.distance,
        }
    });
    Some(found)
}

/// Distances that are `limit` or more need not be exact.
fn gap_of(a: &View<'_>, b: &View<'_>, limit: f64, trace: &mut impl Trace) -> Option<Gap> {
    match (a, b) {
        (View::Convex(a), View::Convex(b)) => {
            let found = pair::separation(a, b, trace)?;
            Some(Gap {
                distance: found.distance,
                point_a: found.points[0],
                point_b: found.points[1],
            })
        }
        (View::Convex(a), View::Plane(plane)) => Some(plane::gap(a, plane, trace)),
        (View::Plane(_), View::Plane(_)) => {
            trace.step(Step::TwoPlanes);
            None
        }
        (View::Composite(one), View::Composite(other)) if one.count() > other.count() => {
            nearest(b, one, limit, trace).map(Gap::swapped)
        }
        (other, View::Composite(parts)) => nearest(other, parts, limit, trace),
        (View::Composite(_) | View::Plane(_), _) => gap_of(b, a, limit, trace).map(Gap::swapped),
    }
}

/// The nearest part.
fn nearest(a: &View<'_>, parts: &Composite<'_>, limit: f64, trace: &mut impl Trace) -> Option<Gap> {
    let mut best: Option<(Gap, u32)> = None;
    let mut tested = 0;
    let mut visit = |index: u32| {
        tested += 1;
        let limit = best.map_or(limit, |(known, _)| known.distance);
        if let Some(found) = gap_of(a, &View::Convex(parts.part(index)), limit, &mut ()) {
            let nearer = best.is_none_or(|(known, number)| {
                found.distance < known.distance
                    || found.distance == known.distance && index < number
            });
            if nearer {
                best = Some((found, index));
            }
        }
        best.map_or(limit, |(known, _)| known.distance.max(0.0))
    };
    match a.sphere() {
        Some((center, radius)) => {
            parts.for_each_near(center, center, limit + radius, &mut |index| {
                visit(index) + radius
            })
        }
        None => (0..parts.count() as u32).for_each(|index| {
            visit(index);
        }),
    }
    trace.step(Step::PartsTested { count: tested });
    let (found, index) = best?;
    if trace.is_enabled() {
        trace.step(parts.decided_by(index, Role::Nearest));
        gap_of(a, &View::Convex(parts.part(index)), f64::INFINITY, trace);
    }
    Some(found)
}

/// Sweeps two shapes along their motions over one frame, world space: when they first touch, as a fraction of the frame
/// (`0 <= t < 1`).
///
/// Rotations stay as they are at the start; where a shape that is not round turns, `rotation_ignored` is true
/// ([`sweep_turning`](turning::sweep_turning) follows the turn). Two planes and numbers that are not finite miss;
/// of the latter the trace says `BadNumber`.
///
/// ```
/// use hitstop::core::query::{self, SweepOutcome};
/// use hitstop::core::shape::{Motion, Pose, Shape};
/// use glam::DVec3;
///
/// let ball = Shape::Sphere { radius: 0.1 };
/// let path = Motion { start: Pose::at(DVec3::NEG_X), end: Pose::at(DVec3::X) };
/// let wall = Shape::Box { half_extents: DVec3::new(0.05, 2.0, 2.0) };
/// let at_rest = Motion::still(Pose::IDENTITY);
/// match query::sweep(&ball, &path, &wall, &at_rest, &mut ()).outcome {
///     SweepOutcome::Hits(impact) => assert!((impact.fraction - 0.85 / 2.0).abs() < 1e-12),
///     other => panic!("{other:?}"),
/// }
/// ```
#[doc(alias = "toi")]
#[doc(alias = "ccd")]
#[doc(alias = "shape_cast")]
pub fn sweep(
    a: &Shape,
    motion_a: &Motion,
    b: &Shape,
    motion_b: &Motion,
    trace: &mut impl Trace,
) -> Sweep {
    let turns = |shape: &Shape, motion: &Motion| motion.turns() && !shape.is_ball();
    let (d, e) = (motion_a.displacement(), motion_b.displacement());
    let placed = (&a.placed(&motion_a.start), &b.placed(&motion_b.start));
    let mut outcome = if is_refused(placed, d - e, trace) {
        SweepOutcome::Misses
    } else {
        sweep_of(&View::of(placed.0), &View::of(placed.1), d - e, trace)
    };
    if let SweepOutcome::Hits(impact) = &mut outcome {
        impact.point += e * impact.fraction;
    }
    Sweep {
        outcome,
        rotation_ignored: turns(a, motion_a) || turns(b, motion_b),
    }
}

/// True for two spheres that surely do not touch over their motions; a quick answer for the most common pair.
#[inline]
pub(in crate::core) fn spheres_stay_apart(
    a: &Shape,
    motion_a: &Motion,
    b: &Shape,
    motion_b: &Motion,
) -> bool {
    let (Shape::Sphere { radius: one }, Shape::Sphere { radius: other }) = (a, b) else {
        return false;
    };
    let between = motion_a.start.position - motion_b.start.position;
    let displacement = motion_a.displacement() - motion_b.displacement();
    closed_form::spheres::stay_apart(between, displacement, one + other)
}

/// The same for shapes at poses, of which the first moves relative to the second; the impact's point is where the second stands.
pub(in crate::core) fn sweep_placed(
    a: &Placed<'_>,
    b: &Placed<'_>,
    displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    if is_refused((a, b), displacement, trace) {
        return SweepOutcome::Misses;
    }
    sweep_of(&View::of(a), &View::of(b), displacement, trace)
}

/// The first moves relative to the second, whose place at the start the impact's point is given for.
fn sweep_of(
    a: &View<'_>,
    b: &View<'_>,
    displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    match (a, b) {
        (View::Convex(a), View::Convex(b)) => pair::sweep(a, b, displacement, trace),
        (View::Convex(a), View::Plane(plane)) => plane::sweep(a, plane, displacement, trace),
        (View::Plane(_), View::Plane(_)) => {
            trace.step(Step::TwoPlanes);
            SweepOutcome::Misses
        }
        (other, View::Composite(parts)) if !other.goes_second_to(parts) => {
            earliest(other, parts, displacement, trace)
        }
        _ => {
            // There the first is the one that rests.
            sweep_of(b, a, -displacement, trace).map(|impact| Impact {
                point: impact.point + displacement * impact.fraction,
                ..impact.swapped()
            })
        }
    }
}

/// The earliest hit of any part; the deepest overlap at the start comes first.
fn earliest(
    a: &View<'_>,
    parts: &Composite<'_>,
    displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let mut ahead: SmallVec<[(f64, u32); 32]> = SmallVec::new();
    let bounds = a.aabb();
    // Until its box could be hit, no part is.
    let mut visit = |index: u32| {
        let entry = bounds.map_or(Some(0.0), |bounds| {
            entry_of_box(&bounds, &parts.bounds_of(index), displacement)
        });
        ahead.extend(entry.map(|entry| (entry, index)));
    };
    match (a, bounds) {
        (View::Convex(operand), _) => {
            let from = operand.center();
            let radius = operand.bounding_radius();
            parts.for_each_along(from, from + displacement, radius, &mut visit);
        }
        (_, Some(bounds)) => {
            let moved = Aabb {
                min: bounds.min + displacement,
                max: bounds.max + displacement,
            };
            parts.for_each_in(&bounds.union(&moved).grown_for_rounding(), &mut visit);
        }
        _ => (0..parts.count() as u32).for_each(visit),
    }
    ahead.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let mut best: Option<(SweepOutcome, u32)> = None;
    let mut tested = 0;
    for (entry, index) in ahead {
        let until = match best {
            Some((SweepOutcome::Overlapping { .. }, _)) => 0.0,
            Some((SweepOutcome::Hits(impact), _)) => impact.fraction,
            _ => 1.0,
        };
        if entry > until {
            break;
        }
        tested += 1;
        let found = sweep_of(a, &View::Convex(parts.part(index)), displacement, &mut ());
        if best.is_none_or(|(known, number)| comes_before(&found, index, &known, number)) {
            best = Some((found, index));
        }
    }
    trace.step(Step::PartsTested { count: tested });
    let Some((outcome, index)) = best.filter(|(outcome, _)| *outcome != SweepOutcome::Misses)
    else {
        return SweepOutcome::Misses;
    };
    if trace.is_enabled() {
        let role = match outcome {
            SweepOutcome::Overlapping { .. } => Role::Deepest,
            _ => Role::Earliest,
        };
        trace.step(parts.decided_by(index, role));
        sweep_of(a, &View::Convex(parts.part(index)), displacement, trace);
    }
    outcome.map(|impact| Impact {
        triangle: parts.triangle(index).or(impact.triangle),
        ..impact
    })
}

/// Overlaps before hits before grazes before misses; the deeper, the earlier, the lower index first.
fn comes_before(found: &SweepOutcome, index: u32, known: &SweepOutcome, number: u32) -> bool {
    let key = |outcome: &SweepOutcome| match *outcome {
        SweepOutcome::Overlapping { depth } => (0, -depth),
        SweepOutcome::Hits(Impact { fraction, .. }) => (1, fraction),
        SweepOutcome::Grazes { fraction } => (2, fraction),
        SweepOutcome::Misses => (3, 0.0),
    };
    let (one, other) = (key(found), key(known));
    let order = one.0.cmp(&other.0).then(one.1.total_cmp(&other.1));
    order.then(index.cmp(&number)).is_lt()
}

/// A fraction before which two boxes do not touch, the first of which moves by `displacement`; `None` when they never do.
fn entry_of_box(a: &Aabb, b: &Aabb, displacement: DVec3) -> Option<f64> {
    let largest = a
        .min
        .abs()
        .max(a.max.abs())
        .max(b.min.abs())
        .max(b.max.abs())
        .max_element();
    let slack = 2.0 * BOUND_ULPS * f64::EPSILON * (largest + displacement.abs().max_element());
    let (mut begin, mut end) = (0.0_f64, 1.0_f64);
    for axis in 0..3 {
        let (below, above) = (
            b.min[axis] - a.max[axis] - slack,
            b.max[axis] - a.min[axis] + slack,
        );
        let along = displacement[axis];
        if along == 0.0 {
            if below > 0.0 || above < 0.0 {
                return None;
            }
            continue;
        }
        let (one, other) = (below / along, above / along);
        begin = begin.max(one.min(other));
        end = end.min(one.max(other));
    }
    (begin <= end).then_some(begin)
}

/// The least distance of two shapes while both move straight, rotations held at the start, and when; world space, metres. It is 0
/// from where they touch. `None` where [`gap`] has no answer.
pub fn closest_approach(
    a: &Shape,
    motion_a: &Motion,
    b: &Shape,
    motion_b: &Motion,
    trace: &mut impl Trace,
) -> Option<ClosestApproach> {
    let (d, e) = (motion_a.displacement(), motion_b.displacement());
    let placed = (a.placed(&motion_a.start), b.placed(&motion_b.start));
    if is_refused((&placed.0, &placed.1), d - e, trace) {
        return None;
    }
    let views = (View::of(&placed.0), View::of(&placed.1));
    let found = approach_of(&views.0, &views.1, d - e, f64::INFINITY)?;
    trace.step(Step::ClosestApproach {
        distance: found.distance,
        fraction: found.fraction,
    });
    Some(found)
}

fn approach_of(
    a: &View<'_>,
    b: &View<'_>,
    displacement: DVec3,
    limit: f64,
) -> Option<ClosestApproach> {
    match (a, b) {
        (View::Convex(a), View::Convex(b)) => pair::closest_approach(a, b, displacement, limit),
        (View::Convex(a), View::Plane(plane)) => {
            Some(plane::closest_approach(a, plane, displacement))
        }
        (View::Plane(_), View::Plane(_)) => None,
        (View::Composite(one), View::Composite(other)) if one.count() > other.count() => {
            approach_of_parts(b, one, -displacement, limit)
        }
        (other, View::Composite(parts)) => approach_of_parts(other, parts, displacement, limit),
        (View::Composite(_) | View::Plane(_), _) => approach_of(b, a, -displacement, limit),
    }
}

fn approach_of_parts(
    a: &View<'_>,
    parts: &Composite<'_>,
    displacement: DVec3,
    limit: f64,
) -> Option<ClosestApproach> {
    let mut best: Option<ClosestApproach> = None;
    let mut visit = |index: u32| {
        let limit = best.map_or(limit, |known| known.distance);
        let part = View::Convex(parts.part(index));
        if let Some(found) = approach_of(a, &part, displacement, limit) {
            let nearer = best.is_none_or(|known| {
                let order = found.distance.total_cmp(&known.distance);
                order
                    .then(found.fraction.total_cmp(&known.fraction))
                    .is_lt()
            });
            if nearer {
                best = Some(found);
            }
        }
        best.map_or(limit, |known| known.distance)
    };
    match a.sphere() {
        Some((center, radius)) => {
            parts.for_each_near(
                center,
                center + displacement,
                limit + radius,
                &mut |index| visit(index) + radius,
            );
        }
        None => (0..parts.count() as u32).for_each(|index| {
            visit(index);
        }),
    }
    best
}
