//! Bodies that stay inside of a solid, at the depth from which on that counts.

use super::*;

/// The ball and the obstacle of each state, both on the x axis, and the last state for 0.6 s more.
fn report_of_states(objects: Vec<Object>, states: &[[f64; 2]]) -> Report {
    let last = states[states.len() - 1];
    let lasting = std::iter::repeat_n(&last, 36);
    let all = states.iter().chain(lasting);
    let log = all.fold(Log::new(objects), |log, [ball, obstacle]| {
        log.frame(DT, &[at([*ball, 0.0, 0.0]), at([*obstacle, 0.0, 0.0])])
    });
    report_of(log.replay())
}

/// A thick plate that is moved over a ball of 0.5 m and stays over it: what counts is the ball, whose radius it takes 0.055 m of, not the plate,
/// which is moved farther and whose own share is 0.22 m.
#[test]
fn a_plate_over_a_ball_is_as_deep_as_the_ball_allows() {
    for (depth, kinds) in [
        (0.05, &[][..]),
        (0.1, &[Kind::Sinks]),
        (0.2, &[Kind::Sinks]),
    ] {
        let mut plate = wall("plate", [2.0, 9.0, 9.0], [0.0; 3]);
        plate.movement = Movement::Kinematic;
        let objects = vec![ball("ball", 0.5, [0.0; 3], [0.0; 3]), plate];
        let report = report_of_states(objects, &[[0.0, -4.0], [0.0, depth - 2.5]]);
        let found: Vec<Kind> = report.findings.iter().map(|found| found.kind).collect();
        assert_eq!(found, kinds, "{depth}: {:#?}", report.findings);
    }
}

/// A ball that the level begins with in a wall, and that goes deeper, is the one finding of where it begins; one that begins outside stays inside.
#[test]
fn what_begins_in_a_wall_and_goes_deeper_is_one_finding() {
    for (start, kind) in [(-5.47, Kind::StartsInside), (-5.8, Kind::Sinks)] {
        let objects = vec![
            ball("ball", 0.5, [0.0; 3], [0.0; 3]),
            wall("wall", [5.0; 3], [0.0; 3]),
        ];
        let report = report_of_states(objects, &[[start, 0.0], [-5.2, 0.0]]);
        assert_eq!(single(&report).kind, kind, "{start}");
    }
}
