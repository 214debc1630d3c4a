//! The substep of a recorded frame in which an event happens: an engine tests for overlap at the ends of its substeps.

use super::compound_parts;
use super::event::{JudgeStats, PairEvent};
use super::pair::Pair;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::engines::preset;
use crate::core::replay::Replay;
use crate::core::shape::Motion;

/// Most substeps of a frame; a log with more counts as having these.
///
/// Bounds the work of one event; no engine makes nearly as many.
const MOST: u32 = 1_000;

/// Steps of the engine in a frame at whose ends it tests for contacts: those that the log gives, else 1.
pub fn count(replay: &Replay, frame: u32) -> u32 {
    let substeps = || preset(&replay.engine())?.substeps.as_ref();
    let solve_only = || substeps().is_some_and(|substeps| !substeps.detect);
    let logged = replay.recording().and_then(|log| {
        let steps = &log.substeps;
        let at = steps.binary_search_by_key(&(frame as usize + 1), |(state, _)| *state);
        Some(steps[at.ok()?].1)
    });
    match logged {
        Some(count) if count > 1 && !solve_only() => count.min(MOST),
        _ => 1,
    }
}

/// The first substep of a frame in which a pair with an event has one, and that event; `None` where the tests at the ends of
/// the substeps detect the pair in time. `count` is the number of substeps.
pub fn of_event<'r>(count: u32, pair: Pair<'r>, event: PairEvent) -> Option<(Pair<'r>, PairEvent)> {
    if count == 1 || event.kind == Kind::BadNumber {
        return Some((pair, event));
    }
    let parts = f64::from(count);
    // Nothing touches before.
    let first = (event.fraction * parts) as u32;
    (first.saturating_sub(1)..count).find_map(|number| {
        let part = part(
            &pair,
            f64::from(number) / parts,
            f64::from(number + 1) / parts,
        );
        let event = compound_parts::judge(&part, &mut JudgeStats::default())?;
        Some((part, event))
    })
}

/// The pair between two fractions of its interval.
fn part<'r>(pair: &Pair<'r>, from: f64, to: f64) -> Pair<'r> {
    let motion = |motion: &Motion| Motion {
        start: motion.pose(from),
        end: motion.pose(to),
    };
    let at = |share: f64| pair.from + share * (pair.to - pair.from);
    Pair {
        from: at(from),
        to: at(to),
        own_push: pair.own_push && to == 1.0,
        ..pair.map(|side| side.on(motion(&side.motion), to - from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::diagnose::judge::tests::cube_and_ball;
    use crate::core::shape::Pose;
    use glam::{DQuat, DVec3};

    /// The second quarter of the second half of a frame, in which a cube goes 8 m and turns by a radian.
    #[test]
    fn a_part_has_its_share_of_the_way_and_of_the_turn() {
        let replay = cube_and_ball();
        let way = Motion {
            start: Pose::IDENTITY,
            end: Pose {
                position: DVec3::X * 8.0,
                rotation: DQuat::from_rotation_y(1.0),
            },
        };
        let interval = (0.5, 1.0, way, Motion::still(Pose::at(DVec3::Y * 9.0)));
        let whole = Pair::new(&replay, (0, 1), interval).unwrap();
        let part = part(&whole, 0.25, 0.5);
        assert_eq!((part.from, part.to), (0.625, 0.75));
        assert_eq!(part.travel(), DVec3::X * 2.0);
        assert!(
            (part.mover.turn - DVec3::Y * 0.25).length() < 1e-12,
            "{:?}",
            part.mover
        );
    }
}
