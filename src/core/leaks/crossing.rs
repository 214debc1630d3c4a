//! One shot: along how much of its way an overlap test detects the mover.

use super::fixed::{Fixed, Solid, is_clear};
use super::targets::{Class, Target, across};
use crate::core::bounds::swept_aabb;
use crate::core::diagnose::half_width;
use crate::core::query;
use crate::core::shape::{Motion, Placed, Pose, Segment, Shape};
use crate::core::tolerance::FAR_SIDE_COSINE;
use glam::DVec3;
use rayon::prelude::*;

/// Tests along the mover's half width (a count): a free place that is narrower is not seen.
const TESTS: f64 = 8.0;

/// How far before and after its crossing a shot begins and ends, as a share of the crossing's length (no unit).
const ROOM: f64 = 0.005;

/// Places along a crossing where the push is looked at (a count).
const PUSHES: u32 = 16;

/// Cosine between a push and the way of a random shot above which it leads on and not aside (no unit): a little below that of the steepest shots.
const ONWARD: f64 = 0.45;

/// Halvings of the interval in which a touch begins or ends (a count).
const HALVINGS: u32 = 40;

/// Cosine between the normals of two faces up to which one is opposite to the other (no unit).
const OPPOSED: f64 = -0.5;

/// How near to the middle of a gap is sought, as a share of the mover's half width (no unit).
const NEAREST: f64 = 1e-3;

/// Directions into which the mover is moved aside (a count).
const ASIDE: u32 = 8;

/// A way of the mover through a surface: free before, touching between, free after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    pub target: Target,
    /// The mover where it begins to touch; where no test detects it, with its centre on the surface.
    pub enters: Pose,
    /// How far it goes on until it touches nothing, metres; 0 where no test detects it.
    pub length: f64,
    /// How far it goes on until the shortest push leads on, metres.
    pub resolved: f64,
    /// How far before and after it is free for certain, metres.
    pub room: f64,
}

impl Crossing {
    /// The mover some way after it begins to touch, metres.
    pub fn pose(&self, way: f64) -> Pose {
        Pose {
            position: self.enters.position + self.target.along * way,
            ..self.enters
        }
    }
}

/// How far shots are followed, metres.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest crossing.
    pub most: f64,
    /// The longest step: a crossing whose push leads back so far in is none.
    pub step: f64,
    /// Whether pushes are looked at; else half of a crossing is taken to be resolved.
    pub pushes: bool,
}

/// The crossing of a mover that is aimed at a place, if it is free before and again after. `None` where it cuts a corner or
/// passes an edge, and could go round.
pub fn crossing(
    fixed: &Fixed<'_>,
    (shape, rotation): (&Shape, &Pose),
    target: &Target,
    limits: Limits,
) -> Option<Crossing> {
    let Limits { most, step, .. } = limits;
    let half = half_width(shape, rotation, target.along);
    if !(half > 0.0 && half.is_finite()) {
        return None;
    }
    let stride = half / TESTS;
    let center = rotation.vector(shape.centroid());
    let at = |way: f64| Pose {
        position: target.point + target.along * way - center,
        ..*rotation
    };
    let ends = Motion {
        start: at(-4.0 * half),
        end: at(most + 4.0 * half),
    };
    // With room to be moved aside.
    let width = 2.0 * shape.reach()?;
    let near = fixed.near(&swept_aabb(shape, &ends)?.grown(width));
    let is_clear_at = |way: f64| is_clear(&shape.placed(&at(way)), &near);
    // In front of the surface, as near as there is room.
    let before = (0..8).map(|step| -half * (1.0 + 1e-6 + 0.4 * f64::from(step)));
    let before = before.into_iter().find(|way| is_clear_at(*way))?;
    if target.unseen {
        let after = half * (1.0 + 1e-6);
        let touches_nothing = is_clear_at(-0.5 * half) && is_clear_at(after);
        return touches_nothing.then(|| Crossing {
            target: *target,
            enters: at(0.0),
            length: 0.0,
            resolved: 0.0,
            room: half,
        });
    }
    let steps = |from: f64| (1..).map(move |step| from + stride * f64::from(step));
    let touching = steps(before)
        .take_while(|way| *way <= half)
        .find(|way| !is_clear_at(*way))?;
    let leads_on = |way: f64| pushes_on(&shape.placed(&at(way)), target, &near);
    let first_free = |from: f64, to: f64| {
        let mut ways = steps(from).take_while(|way| *way <= to);
        ways.find(|way| is_clear_at(*way))
    };
    let within = first_free(touching, touching + step.min(most));
    // In no step deeper than where the push leads back.
    if within.is_none() && step < most && !leads_on(touching - stride + step) {
        return None;
    }
    let free = within.or_else(|| first_free(touching, touching + most))?;
    let enters = halved(touching - stride, touching, &is_clear_at);
    let leaves = halved(free, free - stride, &is_clear_at);
    let length = leaves - enters;
    let is_through = length <= most
        && is_opposite(
            &near,
            target,
            [enters, leaves].map(|way| at(way).position + center),
        )
        && !can_go_round(shape, &at(0.5 * (enters + leaves)), target.along, &near);
    if !is_through {
        return None;
    }
    let room = ROOM * length;
    let has_room = is_clear_at(enters - room) && is_clear_at(leaves + room);
    let is_resolved = |way: f64| !leads_on(way);
    let samples = (1..PUSHES).map(|sample| length * f64::from(sample) / f64::from(PUSHES));
    let resolved = match limits.pushes {
        true => {
            let reversed = samples.into_iter().find(|way| leads_on(enters + way));
            reversed.map_or(length, |way| {
                let before = way - length / f64::from(PUSHES);
                halved(enters + before, enters + way, &is_resolved) - enters
            })
        }
        false => 0.5 * length,
    };
    Some(Crossing {
        target: *target,
        enters: at(enters),
        length,
        resolved,
        room: if has_room { room } else { 0.0 },
    })
}

/// The way nearest to where something ends, between one at which it holds and one at which it does not.
fn halved(mut good: f64, mut bad: f64, holds: &impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = good.midpoint(bad);
        match holds(middle) {
            true => good = middle,
            false => bad = middle,
        }
    }
    good
}

/// Whether the centre goes through the object that was aimed at, and out of it, or of what stands behind, on the opposite side; or between solids.
fn is_opposite(near: &[&Solid<'_>], target: &Target, [from, to]: [DVec3; 2]) -> bool {
    let first = |a: DVec3, b: DVec3| {
        let hits = near.iter().filter_map(|solid| {
            let way = Segment { a, b };
            let hit = query::ray_cast(&way, solid.shape, &solid.pose)?;
            Some((hit, solid.id))
        });
        hits.min_by(|(one, _), (other, _)| one.fraction.total_cmp(&other.fraction))
    };
    let ends = first(from, to).zip(first(to, from));
    ends.is_none_or(|((enters, object), (leaves, last))| {
        // A tilted shot past where solids meet enters one and leaves another.
        let is_one = target.class != Class::Random || last == object;
        object == target.object && is_one && enters.normal.dot(leaves.normal) <= OPPOSED
    })
}

/// Whether the deepest contact of a body pushes it on its way: one that pushes it aside does not.
fn pushes_on(body: &Placed<'_>, target: &Target, solids: &[&Solid<'_>]) -> bool {
    let least = match target.class {
        Class::Random => ONWARD,
        Class::Straight | Class::Beside => FAR_SIDE_COSINE,
    };
    let contacts = solids
        .iter()
        .filter_map(|solid| query::contact(body, &solid.placed(), &mut ()));
    let deepest = contacts.max_by(|one, other| one.depth.total_cmp(&other.depth));
    deepest.is_some_and(|contact| contact.normal.dot(target.along) > least)
}

/// Whether the mover, moved aside by a part of its own width or by all of it, touches nothing.
fn can_go_round(shape: &Shape, middle: &Pose, along: DVec3, near: &[&Solid<'_>]) -> bool {
    let [one, other] = across(along);
    (0..ASIDE).any(|step| {
        let turn = std::f64::consts::TAU * f64::from(step) / f64::from(ASIDE);
        let aside = one * turn.cos() + other * turn.sin();
        let width = 2.0 * half_width(shape, middle, aside);
        [0.25, 0.5, 1.0].iter().any(|share| {
            let moved = Pose {
                position: middle.position + aside * (width * share),
                ..*middle
            };
            is_clear(&shape.placed(&moved), near)
        })
    })
}

/// The weakest crossing near another one: the target is moved aside as long as that makes it weaker.
pub fn weakest_near(
    fixed: &Fixed<'_>,
    body: (&Shape, &Pose),
    first: Crossing,
    limits: Limits,
) -> Crossing {
    let [one, other] = across(first.target.along);
    let half = half_width(body.0, body.1, one).min(half_width(body.0, body.1, other));
    let quick = Limits {
        pushes: false,
        ..limits
    };
    let (mut best, mut stride) = (first, 0.5 * half);
    // Not farther than to the next gap.
    while stride > NEAREST * half && best.target.point.distance(first.target.point) < 4.0 * half {
        let sides = [one, -one, other, -other].into_par_iter();
        let moved = sides.filter_map(|side| {
            let target = Target {
                point: best.target.point + side * stride,
                ..best.target
            };
            crossing(fixed, body, &target, quick)
        });
        let moved: Vec<Crossing> = moved.collect();
        let weakest = moved
            .into_iter()
            .min_by(|one, other| one.length.total_cmp(&other.length));
        match weakest.filter(|weakest| weakest.length < best.length * (1.0 - 1e-6)) {
            Some(weakest) => best = weakest,
            None => stride *= 0.5,
        }
    }
    crossing(fixed, body, &best.target, limits).unwrap_or(first)
}
