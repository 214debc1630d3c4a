//! C17: so far out that neighbouring `f32` numbers are more than a hundredth of the radius apart, and the pair computed
//! in `f32` gives another result than the same pair near the origin. Or the body stays inside, as a push out of it is lost in rounding.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::facts::f32_recheck::{
    F32Answer, F32Pair, SINGLE_SHARE, farthest, rounded, spacing,
};
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::judge::event::Inside;
use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::shape_metrics::{are_single, largest, pair_size};
use crate::core::number::{number, percent};
use crate::core::replay::{FrameState, ObjectId};
use crate::core::shape::{Motion, Shape};
use crate::core::tolerance::PUSH_OUT;
use glam::DVec3;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let pair = input.pair;
    let triangle = input.event.triangle;
    let ball = ball_of(pair, triangle);
    let radius = ball.map_or_else(
        || pair_size(pair.mover.shape, pair.obstacle.shape),
        |ball| ball.radius,
    );
    let ends = [&pair.mover.motion, &pair.obstacle.motion]
        .map(|way| [way.start.position, way.end.position]);
    let coordinate = largest(ends.as_flattened());
    // Positions with more digits are not those of an engine that computes in f32.
    if input.facts.recorded && !are_single(ends.as_flattened()) {
        return None;
    }
    let step = spacing(coordinate);
    if step.is_nan() || step <= SINGLE_SHARE * radius || radius <= 0.0 {
        return None;
    }
    let answer = |pair: &Pair<'_>, origin: DVec3| match ball_of(pair, triangle) {
        Some(ball) => ball.answer(origin),
        None => rounded(pair, origin),
    };
    // Near the origin the bodies travel as far as their velocities say, not by the difference of two rounded positions.
    let unrounded = pair.map(|side| side.on(travelled(input, side.id, &side.motion, step), 1.0));
    let far = answer(pair, DVec3::ZERO)?;
    let near = answer(&unrounded, input.event.point)?;
    let why = match far.differs(&near) {
        true => {
            let (when, in_far, in_near) = difference(&far, &near);
            format!("Computed in f32, {when} {in_far}; the same pair near the origin {in_near}.")
        }
        false => {
            let (depth, push) = lost_push(input)?;
            format!(
                "It stays {} deep: a push of {} is lost in rounding.",
                input.units().length(depth),
                input.units().length(push)
            )
        }
    };
    let safe = farthest(SINGLE_SHARE * radius);
    let of_what = match ball {
        Some(_) => "the radius",
        None => "the smaller one's inner radius",
    };
    let text = format!(
        "{} and {} are {} from the origin, where neighbouring f32 numbers are {} apart, {} of {of_what}. {why} Move the origin to within {} of the objects, or keep \
         positions in f64.",
        input.mover.name,
        input.other.name,
        input.units().length(coordinate),
        input.units().length(step),
        percent(step / radius),
        input.units().length(safe),
    );
    Some(CauseMatch {
        cause: Cause::FarFromOrigin,
        evidence: vec![
            (Key::Coordinate, coordinate),
            (Key::F32Step, step),
            (Key::F32GapStart, f64::from(far.start)),
            (Key::F32GapEnd, f64::from(far.end)),
            (Key::NearGapStart, f64::from(near.start)),
            (Key::NearGapEnd, f64::from(near.end)),
        ],
        fixes: Fix::set(Quantity::MaxCoordinate, safe)
            .into_iter()
            .collect(),
        text,
    })
}

/// The depth of a body that stays inside, and the usual push out of it in a frame, metres, where that is below half of the distance of the
/// numbers along it.
fn lost_push(input: &CauseInput<'_>) -> Option<(f64, f64)> {
    let event = input.event;
    let depth = event.start()?.depth;
    let along = event.normal.abs();
    let axis = (0..3).max_by(|one, other| along[*one].total_cmp(&along[*other]))?;
    let place = input.pair.mover.motion.start.position[axis];
    let push = PUSH_OUT * (depth - input.facts.skin).max(0.0);
    let is_lost = event.inside == Some(Inside::Stays) && push < 0.5 * spacing(place);
    is_lost.then_some((depth, push))
}

/// The first difference: which result, its value far out, its value near the origin.
fn difference(far: &F32Answer, near: &F32Answer) -> (&'static str, String, String) {
    let summary = |gap: f32| {
        if gap <= 0.0 {
            format!("overlaps by {} m", number(f64::from(-gap)))
        } else {
            format!("is {} m apart", number(f64::from(gap)))
        }
    };
    let swept = |hits: bool| if hits { "hits" } else { "misses" }.to_owned();
    if (far.start <= 0.0) != (near.start <= 0.0) {
        (
            "it",
            format!("{} when the frame begins", summary(far.start)),
            summary(near.start),
        )
    } else if (far.end <= 0.0) != (near.end <= 0.0) {
        (
            "it",
            format!("{} when the frame ends", summary(far.end)),
            summary(near.end),
        )
    } else if far.hits != near.hits {
        ("its sweep", swept(far.hits), swept(near.hits))
    } else {
        let side = |past: bool| {
            let side = if past { "at or past" } else { "before" };
            format!("ends {side} the other's centre")
        };
        ("it", side(far.past), side(near.past))
    }
}

/// A motion with the displacement of the logged velocity, where that differs by no more than rounded positions do.
fn travelled(input: &CauseInput<'_>, id: ObjectId, motion: &Motion, spacing: f64) -> Motion {
    let velocity = |state: &FrameState| state.body(id)?.velocity;
    let whole = input.pair.from == 0.0 && input.pair.to == 1.0;
    let by_velocity = [velocity(&input.frame.end), velocity(&input.frame.start)]
        .into_iter()
        .flatten()
        .map(|velocity| velocity * input.metrics.dt)
        .find(|by| (*by - motion.displacement()).abs().max_element() <= spacing);
    let mut motion = *motion;
    if let Some(by) = by_velocity.filter(|_| whole) {
        motion.end.position = motion.start.position + by;
    }
    motion
}

/// The pair with its sphere first; `None` where neither is a sphere, or the other is a segment or capsule.
fn ball_of<'r>(pair: &Pair<'r>, triangle: Option<u32>) -> Option<F32Pair<'r>> {
    let (radius, ball, other, motion) = match (pair.mover.shape, pair.obstacle.shape) {
        (_, Shape::Segment(_) | Shape::Capsule(_)) | (Shape::Segment(_) | Shape::Capsule(_), _) => {
            return None;
        }
        (Shape::Sphere { radius }, other) => {
            (*radius, pair.mover.motion, other, pair.obstacle.motion)
        }
        (other, Shape::Sphere { radius }) => {
            (*radius, pair.obstacle.motion, other, pair.mover.motion)
        }
        _ => return None,
    };
    Some(F32Pair {
        radius,
        ball,
        other,
        motion,
        triangle,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_result_that_differs_is_named() {
        let near = F32Answer {
            start: 1.0,
            end: 2.0,
            hits: false,
            past: false,
        };
        let start = F32Answer {
            start: -0.5,
            ..near
        };
        let end = F32Answer { end: -0.25, ..near };
        let hits = F32Answer { hits: true, ..near };
        let past = F32Answer { past: true, ..near };
        let touch = F32Answer { start: 0.0, ..near };
        for (far, words) in [
            (
                touch,
                [
                    "it",
                    "overlaps by 0 m when the frame begins",
                    "is 1 m apart",
                ],
            ),
            (
                start,
                [
                    "it",
                    "overlaps by 0.5 m when the frame begins",
                    "is 1 m apart",
                ],
            ),
            (
                end,
                [
                    "it",
                    "overlaps by 0.25 m when the frame ends",
                    "is 2 m apart",
                ],
            ),
            (hits, ["its sweep", "hits", "misses"]),
            (
                past,
                [
                    "it",
                    "ends at or past the other's centre",
                    "ends before the other's centre",
                ],
            ),
        ] {
            let (which, of_far, of_near) = difference(&far, &near);
            assert_eq!([which, &of_far, &of_near], words);
        }
        let (which, of_far, of_near) = difference(&near, &hits);
        assert_eq!([which, &of_far, &of_near], ["its sweep", "misses", "hits"]);
    }
}
