//! Logged queries: the engine's ray casts and sphere sweeps, repeated against the exact shapes.
//!
//! The log does not give the moment of the query within the step, so the states at both ends are accepted. Each query is also
//! shifted by a tolerance to either side, with a larger and a smaller sphere: where the results differ, any of them is accepted.
//! Starts inside a shape, and hits from behind, are accepted always, as engines treat them differently.

mod exact_answer;

use self::exact_answer::{ExactAnswer, RepeatedQuery};
use super::LogLine;
use crate::core::diagnose::detect::own_query::{OwnQuery, Wrong};
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::shape_metrics::center;
use crate::core::number;
use crate::core::query::ray_cast;
use crate::core::replay::{LoggedHit, LoggedQuery, ObjectId, Replay};
use crate::core::shape::{Aabb, Pose, Segment};
use crate::core::tolerance::NORMAL_COSINE;
use glam::DVec3;
use smallvec::SmallVec;

pub(super) fn judge(log: &LogLine<'_>, query: &LoggedQuery) -> Option<Finding> {
    let repeated = RepeatedQuery::new(log, query)?;
    let wrong = wrong(log, query, &repeated)?;
    let own = OwnQuery { query, wrong };
    Some(own.finding(log.context, log.frame.number, log.fraction()))
}

/// The body whose query begins behind a surface of another object, seen from that body's centre, and that object: a shot through a wall, a
/// wheel's ray below the floor. Such a query may be right, and is not a finding but a notice.
pub(super) fn starts_behind(
    log: &LogLine<'_>,
    query: &LoggedQuery,
) -> Option<(ObjectId, ObjectId)> {
    let id = query.object?;
    let objects = log.paths.objects;
    let body = &objects[id as usize];
    let to = query.from.is_finite().then_some(query.from)?;
    let centers = [log.paths.end(id), log.paths.start(id)]
        .into_iter()
        .flatten();
    let ways: SmallVec<[Segment; 2]> = centers
        .filter_map(|state| {
            Some(Segment {
                a: center(&body.shape, &state.pose)?,
                b: to,
            })
        })
        .collect();
    let region = Aabb::of_points(ways.iter().flat_map(|way| [way.a, way.b]))?;
    let is_between = |other: &ObjectId| {
        let object = &objects[*other as usize];
        let pose = log.paths.end(*other).or_else(|| log.paths.start(*other));
        let is_filtered = query.mask.is_some_and(|mask| mask & object.layer == 0);
        let tested =
            *other != id && !object.is_pushable() && !is_filtered && body.collides_with(object);
        let slack = log.slack(id, *other) + log.margin();
        let hides = |way: &Segment, pose: &Pose| {
            let hit = ray_cast(way, &object.shape, pose).filter(|hit| !hit.back);
            hit.is_some_and(|hit| (1.0 - hit.fraction) * way.a.distance(way.b) > slack)
        };
        // The log does not say when in the step it was asked.
        tested && pose.is_some_and(|body| ways.iter().all(|way| hides(way, &body.pose)))
    };
    let other = log
        .nearby()
        .all_in(Some(&region))
        .into_iter()
        .find(is_between)?;
    Some((id, other))
}

/// The message about such queries, each with its state, its body and the object between.
pub fn behind_notice(replay: &Replay, found: &[(u32, ObjectId, ObjectId)]) -> Option<String> {
    let &(state, body, surface) = found.first()?;
    let name = |id: ObjectId| &replay.objects()[id as usize].name;
    let begin = if found.len() == 1 { "begins" } else { "begin" };
    Some(format!(
        "{} {begin} behind a surface that separates it from its own body, first that of {} in frame {state}, with {} between: cast from inside the body, or from its centre first",
        number::count_of(found.len(), "query", "queries"),
        name(body),
        name(surface),
    ))
}

/// What is wrong with the engine's answer, if anything.
fn wrong(log: &LogLine<'_>, query: &LoggedQuery, repeated: &RepeatedQuery<'_>) -> Option<Wrong> {
    let own = query.hit.and_then(|hit| wrong_hit(repeated, &hit));
    own.or_else(|| missed(log, query, repeated))
}

fn wrong_hit(repeated: &RepeatedQuery<'_>, hit: &LoggedHit) -> Option<Wrong> {
    let answer = repeated.answer(hit.object)?;
    let share = answer.tolerance / repeated.length;
    match answer {
        ExactAnswer { unknown: true, .. } => None,
        ExactAnswer {
            fractions: None,
            by,
            ..
        } => Some(Wrong::Ghost {
            object: hit.object,
            logged: hit.fraction,
            by,
            tolerance: answer.tolerance,
        }),
        ExactAnswer {
            fractions: Some((first, last)),
            ..
        } if hit.fraction < first - share || hit.fraction > last + share => Some(Wrong::Fraction {
            object: hit.object,
            logged: hit.fraction,
            exact: answer.exact?,
            tolerance: share,
        }),
        ExactAnswer { exact, normals, .. } => {
            let logged = hit.normal?.try_normalize()?;
            // Near an edge, any normal between those of its faces.
            let ends = normals.iter().zip(0..);
            let closest = ends
                .flat_map(|(one, count)| normals[..=count].iter().map(move |other| (*one, *other)))
                .map(|(one, other)| between(one, other, logged))
                .fold(f64::NEG_INFINITY, f64::max);
            let flat = answer.flat && closest < NORMAL_COSINE;
            flat.then_some(Wrong::Normal {
                object: hit.object,
                logged,
                exact: *normals.first()?,
                fraction: exact?,
            })
        }
    }
}

/// Cosine between a unit vector and the nearest one between two others.
fn between(one: DVec3, other: DVec3, unit: DVec3) -> f64 {
    let ends = one.dot(unit).max(other.dot(unit));
    let inside = one.cross(other).try_normalize().and_then(|axis| {
        let flat = unit.reject_from_normalized(axis);
        let is_between = one.cross(flat).dot(axis) >= 0.0 && flat.cross(other).dot(axis) >= 0.0;
        is_between.then(|| flat.length())
    });
    inside.map_or(ends, |inside| inside.max(ends))
}

/// The nearest object that the exact query certainly hits before the engine's answer.
///
/// Objects are tested from near to far, until none can be nearer.
fn missed(log: &LogLine<'_>, query: &LoggedQuery, repeated: &RepeatedQuery<'_>) -> Option<Wrong> {
    let objects = log.paths.objects;
    let asker = query.object.map(|id| &objects[id as usize]);
    let until = query.hit.map_or(1.0, |hit| hit.fraction);
    let mut first: Option<(ObjectId, f64, f64)> = None;
    let ask = |id: ObjectId, first: &mut Option<(ObjectId, f64, f64)>| {
        let object = &objects[id as usize];
        let itself = query.object == Some(id) || query.hit.is_some_and(|hit| hit.object == id);
        let filtered = query.mask.is_some_and(|mask| mask & object.layer == 0)
            || asker.is_some_and(|asker| !asker.collides_with(object));
        if itself || filtered || repeated.is_far(id) {
            return;
        }
        let Some(answer) = repeated.answer(id).filter(|answer| answer.is_sure()) else {
            return;
        };
        let share = answer.tolerance / repeated.length;
        if let (Some((_, last)), Some(exact)) = (answer.fractions, answer.exact)
            && last < until - share
            && first.is_none_or(|(known, least, _)| (exact, id) < (least, known))
        {
            *first = Some((id, exact, share));
        }
    };
    let region = repeated.region()?;
    log.nearby()
        .for_each_from(query.from, &region, repeated.farthest(until), |id| {
            ask(id, &mut first);
            repeated.farthest(first.map_or(until, |(_, exact, _)| exact))
        });
    first.map(|(object, exact, tolerance)| Wrong::Missed {
        object,
        exact,
        logged: query.hit.map(|hit| hit.fraction),
        tolerance,
    })
}
