//! The queries on any two shapes, by what both are: convex, a plane, or of many parts.

use super::composite::{Best, Composite};
use super::in_range::is_refused;
use super::operand::{Core, Operand};
use super::outcome::{ClosestApproach, Contact, Gap, Impact, Sweep, SweepOutcome};
use super::trace::{Role, Step, Trace};
use super::view::View;
use super::{closed_form, pair, plane};
use crate::core::shape::{Motion, Placed, Shape, Solid};
use crate::core::tolerance::EARLY_OUT_SHARE;
use glam::DVec3;

/// True when two shapes touch or overlap, exactly where [`contact`] finds one.
pub fn overlaps(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    if are_spheres_apart(a, b) || is_refused((a, b), DVec3::ZERO, &mut ()) {
        return false;
    }
    if let Some((found, bound)) = pair::beside_ball(a, b) {
        return found.features.is_some() && found.distance <= bound;
    }
    let (a, b) = (View::of(a), View::of(b));
    !are_extents_apart(&a, &b) && overlaps_of(&a, &b)
}

fn overlaps_of(a: &View<'_>, b: &View<'_>) -> bool {
    match (a, b) {
        (View::Convex(a), View::Convex(b)) => pair::overlaps(a, b),
        (View::Convex(a), View::Plane(plane)) => plane::contact(a, plane, &mut ()).is_some(),
        (View::Plane(_), View::Plane(_)) => false,
        (other, View::Composite(parts)) if !other.goes_second_to(parts) => {
            let pair = other.composite().and_then(|meshes| {
                parts.nearest_pair(
                    meshes,
                    [f64::INFINITY, 0.0],
                    |one, part, _| pair::overlaps(&one, &part).then_some(()),
                    |()| 0.0,
                )
            });
            match pair {
                Some(best) => best.found.is_some(),
                None => parts.any(other.extent().as_ref(), |part| {
                    overlaps_of(other, &View::Convex(part))
                }),
            }
        }
        _ => overlaps_of(b, a),
    }
}

/// The deepest contact of two shapes, world space, metres, with the push that separates the first. `None` when they are apart, for
/// two planes, for what lies behind everything one-sided, and when a number is not finite or larger than 1e75.
pub fn contact(a: &Placed<'_>, b: &Placed<'_>, trace: &mut impl Trace) -> Option<Contact> {
    // Most candidates are apart by far, and what is refused has no contact either; a trace shows by what.
    if !trace.is_enabled() && are_spheres_apart(a, b) {
        return None;
    }
    if is_refused((a, b), DVec3::ZERO, trace) {
        return None;
    }
    if !trace.is_enabled()
        && let Some((found, bound)) = pair::beside_ball(a, b)
    {
        let features = found.features.filter(|_| found.distance <= bound)?;
        return Some(found.contact(found.points[1], features));
    }
    let (a, b) = (View::of(a), View::of(b));
    if !trace.is_enabled() && are_extents_apart(&a, &b) {
        return None;
    }
    contact_of(&a, &b, trace)
}

#[inline]
fn are_spheres_apart(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    if let (Placed::Sphere(a), Placed::Sphere(b)) = (a, b) {
        return are_apart((a.center, a.radius), (b.center, b.radius));
    }
    let around = sphere_around(a).zip(sphere_around(b));
    around.is_some_and(|(a, b)| are_apart(a, b))
}

/// Around the centroid of a solid, a sphere may be smaller than [`sphere_around`] gives, and shapes of many parts have none there.
#[inline]
fn are_extents_apart(a: &View<'_>, b: &View<'_>) -> bool {
    let is_known = |view: &View<'_>| match view {
        View::Convex(operand) => !matches!(operand.core, Core::Solid(_)),
        View::Plane(_) | View::Composite(_) => false,
    };
    let around = || a.sphere().zip(b.sphere());
    !(is_known(a) && is_known(b)) && around().is_some_and(|(a, b)| are_apart(a, b))
}

/// A sphere around a shape, where it takes next to no time.
#[inline(always)]
fn sphere_around(placed: &Placed<'_>) -> Option<(DVec3, f64)> {
    match placed {
        Placed::Sphere(sphere) => Some((sphere.center, sphere.radius)),
        Placed::Obb(obb) => Some((obb.center, obb.half_extents.length())),
        Placed::Solid(solid, pose) => Some((pose.position, solid.bounding_radius())),
        Placed::Segment(segment) => Some(segment.sphere()),
        Placed::Capsule(capsule) => {
            let (center, radius) = capsule.segment.sphere();
            Some((center, radius + capsule.radius))
        }
        Placed::Triangle(triangle) => Some(triangle.sphere()),
        Placed::Plane(_) | Placed::Mesh(..) | Placed::Compound(..) => None,
    }
}

/// True when the spheres around two shapes are apart by more than any rounding.
#[inline]
fn are_apart((one, first): (DVec3, f64), (other, second): (DVec3, f64)) -> bool {
    let largest = one.abs().max(other.abs()).max_element();
    let apart = (first + second) * (1.0 + EARLY_OUT_SHARE) + 64.0 * f64::EPSILON * largest;
    one.distance_squared(other) > apart * apart
}

#[inline]
fn contact_of(a: &View<'_>, b: &View<'_>, trace: &mut impl Trace) -> Option<Contact> {
    match (a, b) {
        (View::Convex(a), View::Convex(b)) => pair::contact(a, b, trace),
        (View::Convex(a), View::Plane(plane)) => plane::contact(a, plane, trace),
        (View::Plane(_), View::Plane(_)) => {
            trace.step(Step::TwoPlanes);
            None
        }
        (other, View::Composite(parts)) if !other.goes_second_to(parts) => {
            let pair = other.composite().and_then(|meshes| {
                parts.nearest_pair(
                    meshes,
                    [f64::NEG_INFINITY, 0.0],
                    |one, part, _| pair::contact(&one, &part, &mut ()),
                    |contact| -contact.depth,
                )
            });
            let best = pair.unwrap_or_else(|| {
                parts.deepest(other.extent().as_ref(), |part| {
                    contact_of(other, &View::Convex(part), &mut ())
                })
            });
            let (contact, index) = deciding(
                parts,
                best,
                |_| Role::Deepest,
                trace,
                |part, trace| {
                    contact_of(other, &View::Convex(part), trace);
                },
            )?;
            Some(Contact {
                triangle: parts.triangle(index).or(contact.triangle),
                ..contact
            })
        }
        _ => contact_of(b, a, trace).map(Contact::swapped),
    }
}

/// The part that decides. For a trace the query is run again on that part.
fn deciding<T: Trace, R>(
    parts: &Composite<'_>,
    best: Best<R>,
    role: impl FnOnce(&R) -> Role,
    trace: &mut T,
    again: impl FnOnce(Operand<'_>, &mut T),
) -> Option<(R, u32)> {
    trace.step(Step::PartsTested { count: best.tested });
    let (found, index) = best.found?;
    if trace.is_enabled() {
        trace.step(parts.decided_by(index, role(&found)));
        again(parts.part(index), trace);
    }
    Some((found, index))
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
    if !trace.is_enabled()
        && let Some((found, _)) = pair::beside_ball(a, b)
    {
        return Some(found.gap());
    }
    let found = gap_of(&View::of(a), &View::of(b), pair::EXACT, trace)?;
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

/// The gap of two shapes, or that of the first parts found whose gap is below `enough`; finite numbers.
pub(super) fn gap_until(a: &Placed<'_>, b: &Placed<'_>, enough: f64) -> Option<Gap> {
    if is_refused((a, b), DVec3::ZERO, &mut ()) {
        return None;
    }
    let range = [enough, f64::INFINITY];
    gap_of(&View::of(a), &View::of(b), range, &mut ())
}

/// Distances outside of a range need not be exact.
pub(super) fn gap_of(
    a: &View<'_>,
    b: &View<'_>,
    range: [f64; 2],
    trace: &mut impl Trace,
) -> Option<Gap> {
    match (a, b) {
        (View::Convex(a), View::Convex(b)) => {
            pair::separation(a, b, range, trace).map(|found| found.gap())
        }
        (View::Convex(a), View::Plane(plane)) => Some(plane::gap(a, plane, trace)),
        (View::Plane(_), View::Plane(_)) => {
            trace.step(Step::TwoPlanes);
            None
        }
        (other, View::Composite(parts)) if !other.goes_second_to(parts) => {
            let pair = other.composite().and_then(|meshes| {
                let query = |one, part, limit| {
                    let range = [range[0], limit];
                    gap_of(&View::Convex(one), &View::Convex(part), range, &mut ())
                };
                parts.nearest_pair(meshes, range, query, |gap| gap.distance)
            });
            let best = pair.unwrap_or_else(|| {
                parts.nearest(
                    other.extent().as_ref(),
                    (DVec3::ZERO, range),
                    |part, limit| gap_of(other, &View::Convex(part), [range[0], limit], &mut ()),
                    |gap| [gap.distance, 0.0],
                )
            });
            let found = deciding(
                parts,
                best,
                |_| Role::Nearest,
                trace,
                |part, trace| {
                    gap_of(other, &View::Convex(part), pair::EXACT, trace);
                },
            );
            found.map(|(gap, _)| gap)
        }
        _ => gap_of(b, a, range, trace).map(Gap::swapped),
    }
}

/// Sweeps two shapes along their motions over one frame, world space: when they first touch, as a fraction of the frame
/// (`0 <= t < 1`).
///
/// Rotations stay as they are at the start; where a shape that is not round turns, `rotation_ignored` is true
/// ([`sweep_turning`](super::turning::sweep_turning) follows the turn). Two planes and numbers that are not finite miss;
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
    sweep_to((a, motion_a), (b, motion_b), 0.0, trace)
}

/// The same, where the depth of an overlap up to `shallow` may be a greater one up to it.
pub(in crate::core) fn sweep_to(
    (a, motion_a): (&Shape, &Motion),
    (b, motion_b): (&Shape, &Motion),
    shallow: f64,
    trace: &mut impl Trace,
) -> Sweep {
    if !trace.is_enabled() && spheres_stay_apart(a, motion_a, b, motion_b) {
        return Sweep {
            outcome: SweepOutcome::Misses,
            rotation_ignored: false,
        };
    }
    let turns = |shape: &Shape, motion: &Motion| motion.turns() && !shape.is_ball();
    let (d, e) = (motion_a.displacement(), motion_b.displacement());
    let placed = (&a.placed(&motion_a.start), &b.placed(&motion_b.start));
    let mut outcome = sweep_placed(placed, (d - e, shallow), trace);
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
    (a, b): (&Placed<'_>, &Placed<'_>),
    (displacement, shallow): (DVec3, f64),
    trace: &mut impl Trace,
) -> SweepOutcome {
    let balls = match (a, b) {
        (Placed::Sphere(a), Placed::Sphere(b)) => Some((a, b)),
        _ => None,
    };
    // Most are never near, and what is refused misses, too.
    if !trace.is_enabled()
        && balls.is_none()
        && let Some(((one, first), (other, second))) = sphere_around(a).zip(sphere_around(b))
    {
        let radii = first + second + 64.0 * f64::EPSILON * one.abs().max(other.abs()).max_element();
        if closed_form::spheres::stay_apart(one - other, displacement, radii) {
            return SweepOutcome::Misses;
        }
    }
    if is_refused((a, b), displacement, trace) {
        return SweepOutcome::Misses;
    }
    if !trace.is_enabled()
        && let Some((a, b)) = balls
    {
        return pair::sweep_spheres(a, b, displacement);
    }
    sweep_of(&View::of(a), &View::of(b), (displacement, shallow), trace)
}

/// The first moves relative to the second, whose place at the start the impact's point is given for.
fn sweep_of(
    a: &View<'_>,
    b: &View<'_>,
    (displacement, shallow): (DVec3, f64),
    trace: &mut impl Trace,
) -> SweepOutcome {
    match (a, b) {
        (View::Convex(a), View::Convex(b)) => {
            pair::sweep(a, b, (displacement, [1.0, shallow]), trace)
        }
        (View::Convex(a), View::Plane(plane)) => plane::sweep(a, plane, displacement, trace),
        (View::Plane(_), View::Plane(_)) => {
            trace.step(Step::TwoPlanes);
            SweepOutcome::Misses
        }
        (other, View::Composite(parts)) if !other.goes_second_to(parts) => {
            let best = parts.earliest(
                other.extent().as_ref(),
                (displacement, shallow),
                |part, until| match other {
                    View::Convex(shape) if pair::is_kept_out(shape, &part, displacement, until) => {
                        SweepOutcome::Misses
                    }
                    View::Convex(shape) => {
                        pair::sweep(shape, &part, (displacement, [until, shallow]), &mut ())
                    }
                    _ => sweep_of(other, &View::Convex(part), (displacement, shallow), &mut ()),
                },
            );
            let role = |outcome: &SweepOutcome| match outcome {
                SweepOutcome::Overlapping { .. } => Role::Deepest,
                _ => Role::Earliest,
            };
            let Some((outcome, index)) = deciding(parts, best, role, trace, |part, trace| {
                sweep_of(other, &View::Convex(part), (displacement, shallow), trace);
            }) else {
                return SweepOutcome::Misses;
            };
            outcome.map(|impact| Impact {
                triangle: parts.triangle(index).or(impact.triangle),
                ..impact
            })
        }
        _ => {
            // There the first is the one that rests.
            sweep_of(b, a, (-displacement, shallow), trace).map(|impact| Impact {
                point: impact.point + displacement * impact.fraction,
                ..impact.swapped()
            })
        }
    }
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
    let found = closest_approach_until((a, motion_a), (b, motion_b), f64::NEG_INFINITY, trace)?;
    trace.step(Step::ClosestApproach {
        distance: found.distance,
        fraction: found.fraction,
    });
    Some(found)
}

/// The same, or some distance up to `enough` that they come to.
pub(in crate::core) fn closest_approach_until(
    (a, motion_a): (&Shape, &Motion),
    (b, motion_b): (&Shape, &Motion),
    enough: f64,
    trace: &mut impl Trace,
) -> Option<ClosestApproach> {
    let displacement = motion_a.displacement() - motion_b.displacement();
    let placed = (a.placed(&motion_a.start), b.placed(&motion_b.start));
    if is_refused((&placed.0, &placed.1), displacement, trace) {
        return None;
    }
    let views = (View::of(&placed.0), View::of(&placed.1));
    let range = [enough, f64::INFINITY];
    approach_of(&views.0, &views.1, displacement, range)
}

/// Distances outside of a range need not be exact.
fn approach_of(
    a: &View<'_>,
    b: &View<'_>,
    displacement: DVec3,
    range: [f64; 2],
) -> Option<ClosestApproach> {
    match (a, b) {
        (View::Convex(a), View::Convex(b)) => pair::closest_approach(a, b, displacement, range),
        (View::Convex(a), View::Plane(plane)) => {
            Some(plane::closest_approach(a, plane, displacement))
        }
        (View::Plane(_), View::Plane(_)) => None,
        (other, View::Composite(parts)) if !other.goes_second_to(parts) => {
            let best = parts.nearest(
                other.extent().as_ref(),
                (displacement, range),
                |part, limit| {
                    approach_of(other, &View::Convex(part), displacement, [range[0], limit])
                },
                |found| [found.distance, found.fraction],
            );
            best.found.map(|(found, _)| found)
        }
        _ => approach_of(b, a, -displacement, range),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::{Compound, CompoundPart, ConvexHull, Cylinder, Pose, SolidShape};
    use crate::random::{Random, rounds};

    fn shape(random: &mut Random) -> Shape {
        match random.index(4) {
            0 => Shape::Box {
                half_extents: DVec3::splat(0.2) + random.point(0.1).abs(),
            },
            1 => Shape::Solid(SolidShape::Cylinder(Cylinder {
                half_height: 0.3,
                radius: 0.2,
            })),
            2 => loop {
                let points = (0..16).map(|_| random.point(0.4)).collect();
                if let Ok(hull) = ConvexHull::new(points, random.below(2) as f64 * 0.05) {
                    return Shape::Solid(SolidShape::Hull(hull.into()));
                }
            },
            _ => {
                let part = |random: &mut Random| CompoundPart {
                    shape: Shape::Sphere { radius: 0.2 },
                    pose: random.pose(0.3),
                };
                let parts = (0..3).map(|_| part(random)).collect();
                Shape::Compound(Compound::new(parts).unwrap().into())
            }
        }
    }

    /// Of what need not be exact the answer is a bound on the right side of the limit; all else is that of the exact query.
    #[test]
    fn answers_that_need_not_be_exact_are_on_the_same_side() {
        let (mut shallow_ones, mut deep_ones, mut near_ones) = (0, 0, 0);
        for seed in 0..rounds(4000) {
            let mut random = Random(seed);
            let (a, b) = (shape(&mut random), shape(&mut random));
            let motion = |random: &mut Random| {
                let start = random.pose(0.5);
                let end = Pose {
                    position: start.position + random.point(0.5),
                    ..start
                };
                Motion { start, end }
            };
            let (motion_a, motion_b) = (motion(&mut random), motion(&mut random));
            let (one, other) = ((&a, &motion_a), (&b, &motion_b));
            let exact = sweep(&a, &motion_a, &b, &motion_b, &mut ()).outcome;
            for shallow in [0.05, 0.2, f64::INFINITY] {
                let found = sweep_to(one, other, shallow, &mut ()).outcome;
                match (exact, found) {
                    (
                        SweepOutcome::Overlapping { depth },
                        SweepOutcome::Overlapping { depth: found },
                    ) if depth <= shallow => {
                        shallow_ones += 1;
                        let is_bound = found >= depth - 1e-12 && found <= shallow;
                        assert!(is_bound || shallow == f64::INFINITY, "seed {seed}");
                    }
                    (
                        SweepOutcome::Overlapping { depth },
                        SweepOutcome::Overlapping { depth: found },
                    ) => {
                        deep_ones += 1;
                        assert!((depth - found).abs() < 1e-12, "seed {seed}");
                    }
                    _ => assert_eq!(exact, found, "seed {seed}"),
                }
            }
            let Some(exact) = closest_approach(&a, &motion_a, &b, &motion_b, &mut ()) else {
                continue;
            };
            for enough in [0.0, 0.01, 0.1] {
                let found = closest_approach_until(one, other, enough, &mut ()).unwrap();
                if exact.distance <= enough {
                    near_ones += 1;
                    assert!(found.distance <= enough, "seed {seed}");
                } else {
                    assert_eq!(exact, found, "seed {seed}");
                }
            }
        }
        assert!(shallow_ones.min(deep_ones).min(near_ones) > 10);
    }
}
