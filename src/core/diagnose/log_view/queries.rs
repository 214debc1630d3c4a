//! Logged queries: the engine's rays and swept balls, cast again against the exact shapes.
//!
//! The log does not say when in its step the engine asked, so that both states around a line may answer. Each query is also
//! asked a tolerance to either side, and a ball that much larger and smaller: where those answers differ, the case is too close
//! to call, and any of them supports the engine. A start inside a shape, and a surface met from behind, are answered in as many
//! ways as there are engines; they support everything.

mod answer;

use self::answer::{Answer, Asked};
use super::View;
use crate::core::diagnose::detect::own_query::{OwnQuery, Wrong};
use crate::core::diagnose::finding::Finding;
use crate::core::replay::{LoggedHit, LoggedQuery, ObjectId};
use crate::core::tolerance::NORMAL_COSINE;

pub(super) fn judge(view: &View<'_>, query: &LoggedQuery) -> Option<Finding> {
    let asked = Asked::new(view, query)?;
    let wrong = wrong(view, query, &asked)?;
    let own = OwnQuery { query, wrong };
    Some(own.finding(view.context, view.frame.number, view.fraction()))
}

/// What is wrong with an engine's answer, if anything.
fn wrong(view: &View<'_>, query: &LoggedQuery, asked: &Asked<'_>) -> Option<Wrong> {
    let own = query.hit.and_then(|hit| wrong_hit(asked, &hit));
    own.or_else(|| missed(view, query, asked))
}

fn wrong_hit(asked: &Asked<'_>, hit: &LoggedHit) -> Option<Wrong> {
    let answer = asked.answer(hit.object)?;
    let share = answer.tolerance / asked.length;
    match answer {
        Answer { unknown: true, .. } => None,
        Answer {
            fractions: None,
            by,
            ..
        } => Some(Wrong::Ghost {
            object: hit.object,
            logged: hit.fraction,
            by,
            tolerance: answer.tolerance,
        }),
        Answer {
            fractions: Some((first, last)),
            ..
        } if hit.fraction < first - share || hit.fraction > last + share => Some(Wrong::Fraction {
            object: hit.object,
            logged: hit.fraction,
            exact: answer.exact?,
            tolerance: share,
        }),
        Answer { exact, normals, .. } => {
            let logged = hit.normal?.try_normalize()?;
            let closest = normals
                .iter()
                .map(|normal| normal.dot(logged))
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

/// The nearest thing that the exact query is sure to hit before what the engine answered.
///
/// Objects are asked from near to far, until none can be hit before the nearest so far.
fn missed(view: &View<'_>, query: &LoggedQuery, asked: &Asked<'_>) -> Option<Wrong> {
    let objects = view.way.objects;
    let asker = query.object.map(|id| &objects[id as usize]);
    let until = query.hit.map_or(1.0, |hit| hit.fraction);
    let mut first: Option<(ObjectId, f64, f64)> = None;
    let ask = |id: ObjectId, first: &mut Option<(ObjectId, f64, f64)>| {
        let object = &objects[id as usize];
        let itself = query.object == Some(id) || query.hit.is_some_and(|hit| hit.object == id);
        let filtered = query.mask.is_some_and(|mask| mask & object.layer == 0)
            || asker.is_some_and(|asker| !asker.collides_with(object));
        if itself || filtered || asked.is_far(id) {
            return;
        }
        let Some(answer) = asked.answer(id).filter(|answer| answer.is_sure()) else {
            return;
        };
        let share = answer.tolerance / asked.length;
        if let (Some((_, last)), Some(exact)) = (answer.fractions, answer.exact)
            && last < until - share
            && first.is_none_or(|(known, least, _)| (exact, id) < (least, known))
        {
            *first = Some((id, exact, share));
        }
    };
    let region = asked.region()?;
    view.nearby()
        .for_each_from(query.from, &region, asked.farthest(until), |id| {
            ask(id, &mut first);
            asked.farthest(first.map_or(until, |(_, exact, _)| exact))
        });
    first.map(|(object, exact, tolerance)| Wrong::Missed {
        object,
        exact,
        logged: query.hit.map(|hit| hit.fraction),
        tolerance,
    })
}
