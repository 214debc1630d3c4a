//! Bodies that stay inside of a solid, at the depth from which on that counts.

use super::*;

/// Where the ball is in each state, in x and y, and the obstacle in x, and the last state for 0.6 s more.
fn report_of_states(objects: Vec<Object>, states: &[([f64; 2], f64)]) -> Report {
    let last = states[states.len() - 1];
    let lasting = std::iter::repeat_n(&last, 36);
    let all = states.iter().chain(lasting);
    let log = all.fold(Log::new(objects), |log, ([x, y], obstacle)| {
        log.frame(DT, &[at([*x, *y, 0.0]), at([*obstacle, 0.0, 0.0])])
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
        let report = report_of_states(objects, &[([0.0; 2], -4.0), ([0.0; 2], depth - 2.5)]);
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
        let report = report_of_states(objects, &[([start, 0.0], 0.0), ([-5.2, 0.0], 0.0)]);
        assert_eq!(single(&report).kind, kind, "{start}");
    }
}

/// A ball comes in through the side of a wall, and goes on to where its top is nearer: the normal is that of the side.
#[test]
fn what_stays_inside_has_the_normal_of_the_face_it_came_through() {
    let objects = vec![
        ball("ball", 0.5, [0.0; 3], [0.0; 3]),
        wall("wall", [5.0; 3], [0.0; 3]),
    ];
    let states = [[-5.8, 4.0], [-5.2, 4.0], [-4.8, 4.9]].map(|ball| (ball, 0.0));
    let report = report_of_states(objects, &states);
    let found = single(&report);
    assert_eq!(found.kind, Kind::Sinks);
    assert_eq!(found.normal, [-1.0, 0.0, 0.0]);
}

/// A ball that the level begins with in a wall goes deeper, until it is wholly inside, after a second: it is still the overlap it begins with.
#[test]
fn what_begins_in_a_wall_is_one_finding_however_long_it_lasts() {
    let objects = vec![
        ball("ball", 0.5, [0.0; 3], [0.0; 3]),
        wall("wall", [5.0; 3], [0.0; 3]),
    ];
    let waits = [([-5.3, 0.0], 0.0); 60];
    let report = report_of_states(objects, &[&waits[..], &[([-4.4, 0.0], 0.0)]].concat());
    let found = single(&report);
    assert_eq!((found.kind, found.frame), (Kind::StartsInside, 0));
}

/// A ball that the level begins with in a wall leaves it, and comes back for good: that is another overlap.
#[test]
fn what_leaves_a_wall_and_stays_in_it_later_is_found_again() {
    let objects = vec![
        ball("ball", 0.5, [0.0; 3], [0.0; 3]),
        wall("wall", [5.0; 3], [0.0; 3]),
    ];
    let out = [-5.4, -5.6, -5.6, -5.6, -5.55].map(|x| ([x, 0.0], 0.0));
    let states = [&out[..], &[([-5.2, 0.0], 0.0); 60]].concat();
    let report = report_of_states(objects, &states);
    let kinds: Vec<Kind> = report.findings.iter().map(|found| found.kind).collect();
    assert_eq!(
        kinds,
        [Kind::StartsInside, Kind::Sinks],
        "{:#?}",
        report.findings
    );
}
