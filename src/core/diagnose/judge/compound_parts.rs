//! Compounds, tested by their parts: each part of one against each part of the other is a pair of convex shapes.
//!
//! The part gives thickness and width. An event of two parts need not be one of the whole: a body that another part
//! still blocks has not passed, and one that goes from one part straight into the next has not left.

use super::event::{Approach, JudgeStats, PairEvent, Parts};
use super::pair::{Pair, Side, parts_alone};
use super::{detected_interval, mesh_triangles};
use crate::core::bounds;
use crate::core::diagnose::kind::Kind;
use crate::core::query::turning::Turning;
use crate::core::query::{self, Contact};
use crate::core::scene::Object;
use crate::core::shape::{Aabb, Compound, Motion, Placed, Pose, Shape};
use crate::core::tolerance::{FAR_SIDE_COSINE, SEEN_STEP};
use glam::DVec3;

/// Share of its depth by which two pushes may differ and still be one (no unit).
const SAME_CONTACT: f64 = 1e-9;
/// Limit of parts that are followed one after another.
const FOLLOWED: usize = 16;

/// A part and its number.
type Part<'s> = (Option<u32>, &'s Shape);

/// Pairs of parts, of all parts or of one alone, whose boxes overlap while both move; in the order of their numbers.
pub fn near<'s>(shapes: [&'s Shape; 2], ways: &[Turning; 2], only: Parts) -> Vec<[Part<'s>; 2]> {
    let boxed = |side: usize| -> Vec<(Part<'s>, Option<Aabb>)> {
        let (shape, way) = (shapes[side], &ways[side]);
        let region = || region(shapes[1 - side], [&ways[1 - side], way]);
        let parts: Vec<Part<'s>> = match (shape, only[side]) {
            (Shape::Compound(compound), only) if !compound.alone().is_empty() => {
                let numbers = match only {
                    Some(number) => vec![number],
                    None => compound.parts_in(region().as_ref()),
                };
                let part = |number| (Some(number), &compound.alone()[number as usize]);
                numbers.into_iter().map(part).collect()
            }
            _ => vec![(None, shape)],
        };
        let with_box = |part: Part<'s>| (part, bounds::turning_aabb(part.1, &way.motion, way.turn));
        parts.into_iter().map(with_box).collect()
    };
    let [first, second] = [boxed(0), boxed(1)];
    let mut pairs = Vec::new();
    for (one, bounds) in first {
        let is_near = |(_, other): &&(Part<'s>, Option<Aabb>)| {
            (bounds.zip(*other)).is_none_or(|(one, other)| one.overlaps(&other))
        };
        let others = second.iter().filter(is_near);
        pairs.extend(others.map(|(other, _)| [one, *other]));
    }
    pairs
}

/// A box around a shape on its way as seen from another, in the other's space; `None` where it has no bounds.
fn region(shape: &Shape, [way, from]: [&Turning; 2]) -> Option<Aabb> {
    let unknown = |way: &Turning| way.turn == DVec3::ZERO && way.motion.turns();
    if unknown(way) || unknown(from) {
        return None;
    }
    let seen = |end: fn(&Motion) -> Pose| {
        let (pose, from) = (end(&way.motion), end(&from.motion));
        match shape.placed(&from.to_local(&pose)) {
            Placed::Compound(compound, pose) => Some(compound.aabb().at(&pose)),
            placed => placed.aabb(),
        }
    };
    let ends = seen(|motion| motion.start)?.union(&seen(|motion| motion.end)?);
    // A point turns on arcs, which lie off the chord between its ends by at most its second derivative over 8.
    let reach = shape.reach()?;
    let (turn, about) = (way.turn.length(), from.turn.length());
    let between = |end: fn(&Motion) -> Pose| end(&way.motion).position - end(&from.motion).position;
    let between = [between(|motion| motion.start), between(|motion| motion.end)];
    let away = between
        .map(DVec3::length)
        .into_iter()
        .fold(reach, |one, other| one.max(other + reach));
    let speed = between[0].distance(between[1]) + turn * reach;
    let bend = turn * turn * reach + 2.0 * about * speed + about * about * away;
    let largest = [&way.motion, &from.motion]
        .map(|motion| motion.start.position.abs().max(motion.end.position.abs()));
    let rounding = 64.0 * f64::EPSILON * (largest[0].max(largest[1]).max_element() + reach);
    Some(ends.grown(bend / 8.0 + rounding).grown_for_rounding())
}

/// Whether one of the two has several parts.
fn are_many(pair: &Pair<'_>) -> bool {
    [pair.mover, pair.obstacle]
        .into_iter()
        .any(|side| !parts_alone(side.shape).is_empty())
}

/// " It is part 1 (Box) of hammer that touches part 0 (Box) of table."; `None` without a compound. `pair` is that of the wholes.
pub fn sentence(pair: &Pair<'_>, event: &PairEvent, objects: [&Object; 2]) -> Option<String> {
    let name = |side: &Side<'_>, part: Option<u32>, object: &Object| {
        let Shape::Compound(compound) = &object.shape else {
            return None;
        };
        let index = own_part(compound, side, (part?, event))?;
        let kind = compound.parts()[index].shape.kind_name();
        Some(format!("part {index} ({kind}) of {}", object.name))
    };
    let [a, b] = objects;
    let [of_mover, of_obstacle] = event.parts;
    match (
        name(&pair.mover, of_mover, a),
        name(&pair.obstacle, of_obstacle, b),
    ) {
        (Some(a), Some(b)) => Some(format!(" It is {a} that hits {b}.")),
        (Some(a), None) => Some(format!(" It is {a} that hits {}.", b.name)),
        (None, Some(b)) => Some(format!(" It hits {b}.")),
        (None, None) => None,
    }
}

/// The number of a part as the compound is written: of boxes that are judged as one part, that which is nearest to the event.
fn own_part(
    compound: &Compound,
    side: &Side<'_>,
    (part, event): (u32, &PairEvent),
) -> Option<usize> {
    if parts_alone(side.shape).len() == compound.parts().len() {
        return Some(part as usize);
    }
    let at = side.turning().pose(event.fraction);
    let at = Shape::Sphere { radius: 0.0 }.placed(&Pose::at(at.point_to_local(event.point)));
    let gaps = compound.placed(&Pose::IDENTITY).map(|part| {
        let gap = query::gap(&at, &part);
        gap.map_or(f64::INFINITY, |gap| gap.distance.max(0.0))
    });
    let nearest = gaps
        .enumerate()
        .min_by(|one, other| one.1.total_cmp(&other.1));
    nearest.map(|(index, _)| index)
}

/// The event of a pair's interval, if any; that of compounds is the earliest event of two parts that applies to the whole, corner cuts
/// last.
pub fn judge(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    if !are_many(pair) {
        return mesh_triangles::judge(pair, stats);
    }
    let mut first: Option<PairEvent> = None;
    let shapes = [pair.mover.shape, pair.obstacle.shape];
    let ways = [pair.mover.turning(), pair.obstacle.turning()];
    for [(number_a, shape_a), (number_b, shape_b)] in near(shapes, &ways, [None, None]) {
        let alone = pair.with_shapes(shape_a, shape_b);
        let event = mesh_triangles::judge(&alone, stats).and_then(|event| {
            settled(
                pair,
                PairEvent {
                    parts: [number_a, number_b],
                    ..event
                },
            )
        });
        let key = |event: &PairEvent| (event.kind == Kind::Clips, event.fraction);
        let comes_first =
            |event: &PairEvent| first.as_ref().is_none_or(|known| key(event) < key(known));
        if let Some(event) = event.filter(comes_first) {
            first = Some(event);
        }
    }
    first
}

/// An event of two parts as an event of the whole.
fn settled(pair: &Pair<'_>, event: PairEvent) -> Option<PairEvent> {
    if event.kind == Kind::BadNumber || event.is_from_behind() {
        return Some(event);
    }
    let start: fn(&Motion) -> Pose = |motion| motion.start;
    let end: fn(&Motion) -> Pose = |motion| motion.end;
    // The contact of the event's own parts was judged with it, and so was that of a part that is where one of them is.
    let own_parts = pair.of_parts(event.parts);
    let is_own = |own: &Option<Contact>, contact: &Contact| {
        own.is_some_and(|own| {
            let difference = (own.push() - contact.push()).length();
            difference <= SAME_CONTACT * own.depth.max(contact.depth)
        })
    };
    // A sensor detects a touch with any of its parts, and a corner cut beside a contact is no event.
    if pair.sensor || event.kind == Kind::Clips {
        let touches = [start, end].into_iter().any(|pose| {
            let own = own_parts.contact_at(pose);
            deepest(pair, [None, None], pose, |contact| !is_own(&own, contact)).is_some()
        });
        return (!touches).then_some(event);
    }
    let normal = normal_at_end(pair, &event);
    let across =
        |contact: &Contact| !contact.fallback && contact.normal.dot(normal).abs() > FAR_SIDE_COSINE;
    let (until, detected) = follow(pair, &event, across);
    // Any part of the body may still be in contact with the part that was passed, or with any part where they were never apart.
    let held_by = [None, event.parts[1].filter(|_| until < 1.0)];
    let event = PairEvent {
        approach: match event.approach {
            Approach::Apart { detected: Some(_) } => Approach::Apart { detected },
            other => other,
        },
        ..event
    };
    let own = own_parts.contact_at(end);
    let counts = |contact: &Contact| across(contact) && !is_own(&own, contact);
    match deepest(pair, held_by, end, counts) {
        None => Some(event),
        Some(contact) if contact.normal.dot(normal) > 0.0 => None,
        Some(contact) => Some(PairEvent {
            kind: Kind::WrongSide,
            approach: match event.approach {
                Approach::Apart { .. } => Approach::Apart { detected: None },
                other => other,
            },
            end: Some(contact),
            ..event
        }),
    }
}

/// The contact plane's normal at the end, moved with the solid.
fn normal_at_end(pair: &Pair<'_>, event: &PairEvent) -> DVec3 {
    // The rotation of a spherical part has no effect.
    let solid = pair.of_parts(event.parts).obstacle.turning();
    let carried = solid.pose(event.fraction);
    solid
        .motion
        .end
        .vector(carried.vector_to_local(event.normal))
}

/// Until when they stay in contact after the event, from part to part, fraction of the interval; and for how long, where known.
fn follow(
    pair: &Pair<'_>,
    event: &PairEvent,
    across: impl Fn(&Contact) -> bool,
) -> (f64, Option<f64>) {
    let Some(detected) = event.detected_for() else {
        return (event.fraction, None);
    };
    let mut exit = event.fraction + detected;
    for _ in 0..FOLLOWED {
        let at = exit + SEEN_STEP;
        if at >= 1.0 {
            break;
        }
        let Some(next) = deepest_parts(pair, [None, None], |motion| motion.pose(at), &across)
        else {
            break;
        };
        let next = pair.of_parts(next.1);
        let further = match next.contact_at_end() {
            Some(_) => Some(1.0),
            None => detected_interval::exit_at(&next, at),
        };
        match further {
            Some(further) if further > at => exit = further,
            _ => break,
        }
    }
    (exit, Some(exit.min(1.0) - event.fraction))
}

fn deepest(
    pair: &Pair<'_>,
    only: Parts,
    pose: impl Fn(&Motion) -> Pose,
    counts: impl Fn(&Contact) -> bool,
) -> Option<Contact> {
    deepest_parts(pair, only, pose, counts).map(|(contact, _)| contact)
}

/// The deepest contact of two parts, of all parts or of one alone, with their numbers.
fn deepest_parts(
    pair: &Pair<'_>,
    only: Parts,
    pose: impl Fn(&Motion) -> Pose,
    counts: impl Fn(&Contact) -> bool,
) -> Option<(Contact, Parts)> {
    let shapes = [pair.mover.shape, pair.obstacle.shape];
    let ways = [&pair.mover, &pair.obstacle].map(|side| Turning::still(pose(&side.motion)));
    let mut best: Option<(Contact, Parts)> = None;
    for [(a, _), (b, _)] in near(shapes, &ways, only) {
        let part = pair.of_parts([a, b]);
        if let Some(contact) = part.contact_at(&pose).filter(&counts)
            && best.is_none_or(|(known, _)| contact.depth > known.depth)
        {
            best = Some((contact, [a, b]));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Segment;
    use crate::random::{Random, rounds};
    use glam::DQuat;

    /// The corners of a small box far from what it turns about, beside another that turns, at many times.
    #[test]
    fn the_region_of_a_shape_holds_it_all_the_way() {
        for seed in 0..rounds(4000) {
            let mut random = Random(seed);
            let amid = random.point(3.0);
            let corners = [amid, amid + random.point(0.01)];
            let shape = Shape::Segment(Segment {
                a: corners[0],
                b: corners[1],
            });
            // At rest, one of them turning, or both.
            let [way, from] = [seed & 1, seed >> 1 & 1].map(|turns| {
                let turn = random.point(2.0) * turns as f64;
                let start = random.pose(3.0);
                let turned = DQuat::from_scaled_axis(turn);
                let end = Pose {
                    position: start.position + random.point(2.0),
                    rotation: match turns {
                        0 => start.rotation,
                        _ => turned * start.rotation,
                    },
                };
                Turning::with_turn(&Motion { start, end }, turn)
            });
            let region = region(&shape, [&way, &from]).unwrap();
            for step in 0..=32 {
                let [at, seen_at] = [way, from].map(|way| way.pose(f64::from(step) / 32.0));
                for corner in corners {
                    let seen = seen_at.point_to_local(at.point(corner));
                    assert!(region.contains(seen), "seed {seed}, {step}: {seen}");
                }
            }
        }
    }
}
