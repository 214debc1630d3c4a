//! Recordings: events between two states, and the data of a log.

use super::*;
use crate::common::levels::change_frames;

/// A ball that bounces inside a frame: its recorded ends are both above the floor, and so is the line between them.
#[test]
fn a_bounce_between_two_states_is_no_finding() {
    let floor = wall("floor", [5.0, 0.01, 5.0], [0.0, -0.01, 0.0]);
    let log = Log::new(vec![ball("ball", 0.1, [0.0; 3], [0.0; 3]), floor])
        .frame(
            DT,
            &[
                moving([0.0, 0.3, 0.0], [60.0, -30.0, 0.0]),
                at([0.0, -0.01, 0.0]),
            ],
        )
        .frame(
            DT,
            &[
                moving([1.0, 0.2, 0.0], [60.0, 24.0, 0.0]),
                at([0.0, -0.01, 0.0]),
            ],
        )
        .frame(
            DT,
            &[
                moving([2.0, 0.6, 0.0], [60.0, 24.0, 0.0]),
                at([0.0, -0.01, 0.0]),
            ],
        );
    assert_eq!(report_of(log.replay()).findings, []);
}

/// A ball of a quarter metre ends 1/32 m past the middle of a wall of half a metre. Where it began in touch with the wall and the engine pushes it
/// back, it is a contact that gives way; from afar it is on the wrong side, whatever the engine does.
#[test]
fn only_what_began_in_touch_is_a_contact_that_gives_way() {
    for (start, pushed, kind) in [
        (-0.5, true, Kind::Sinks),
        (-0.5, false, Kind::WrongSide),
        (-3.0, true, Kind::WrongSide),
        (-3.0, false, Kind::WrongSide),
    ] {
        let objects = vec![
            ball("ball", 0.25, [0.0; 3], [0.0; 3]),
            wall("wall", [0.25, 9.0, 9.0], [0.0; 3]),
        ];
        let mut log = Log::new(objects)
            .frame(DT, &[at([start, 0.0, 0.0]), at([0.0; 3])])
            .frame(DT, &[at([0.03125, 0.0, 0.0]), at([0.0; 3])]);
        change_frames(&mut log.recording, |index, data| {
            if pushed && index == 1 {
                data.contacts.push(LoggedContact {
                    a: 0,
                    b: 1,
                    point: DVec3::ZERO,
                    normal: DVec3::NEG_X,
                    depth: 0.46875,
                });
            }
        });
        let report = report_of(log.replay());
        assert_eq!(single(&report).kind, kind, "from {start}, {pushed}");
    }
}

/// A ball of 0.1 m passes the edge of a cube at 0.05 m, straight from state to state. Velocities that differ by 60 m/s may bend its path by a quarter of
/// a metre, unless one of them is that of the whole step.
#[test]
fn a_cut_edge_is_no_finding_where_the_path_may_bend_around_it() {
    let off = 0.05 * std::f64::consts::FRAC_1_SQRT_2;
    for (aside, count) in [
        (None, 1),
        (Some([30.0, -30.0]), 0),
        (Some([60.0, 0.0]), 1),
        (Some([0.0, 60.0]), 1),
    ] {
        let state = |x: f64, y: f64, index: usize| {
            let velocity = aside.map(|aside| [-120.0, 120.0, aside[index]]);
            Some(([x + off, y + off, 0.0], velocity))
        };
        let objects = vec![
            ball("ball", 0.1, [0.0; 3], [0.0; 3]),
            wall("cube", [1.0; 3], [0.0; 3]),
        ];
        let log = Log::new(objects)
            .frame(DT, &[state(2.0, 0.0, 0), at([0.0; 3])])
            .frame(DT, &[state(0.0, 2.0, 1), at([0.0; 3])]);
        let report = report_of(log.replay());
        assert_eq!(report.findings.len(), count, "{:#?}", report.findings);
        let mut findings = report.findings.iter();
        assert!(findings.all(|found| found.kind == Kind::Clips));
    }
}

/// Two balls in a row; at half of the frame the first is struck aside, out of the second's path. The straight lines cross,
/// the paths from their velocities do not, also where the first ends half a metre off.
#[test]
fn a_path_bent_by_a_collision_is_not_taken_for_straight() {
    let objects = || {
        vec![
            ball("a", 0.1, [0.0; 3], [0.0; 3]),
            ball("b", 0.1, [0.0; 3], [0.0; 3]),
        ]
    };
    let log = |told: bool, off: f64| {
        let v = |velocity: [f64; 3]| told.then_some(velocity);
        // a rests at x = 0 until half of the frame, then leaves at 240 m/s; b passes x = 0.5 at a quarter of it.
        Log::new(objects())
            .frame(
                DT,
                &[
                    Some(([0.0, 0.0, 0.0], v([0.0; 3]))),
                    Some(([0.5, 1.0, 0.0], v([0.0, -240.0, 0.0]))),
                ],
            )
            .frame(
                DT,
                &[
                    Some(([2.0, off, 0.0], v([240.0, 0.0, 0.0]))),
                    Some(([0.5, -3.0, 0.0], v([0.0, -240.0, 0.0]))),
                ],
            )
    };
    for off in [0.0, 0.5] {
        assert_eq!(report_of(log(true, off).replay()).findings, []);
        // Without velocities only the straight line is known.
        assert_eq!(report_of(log(false, off).replay()).findings.len(), 1);
    }
}

/// Balls in rows and layers, each touching its neighbours by 0.5 % of a radius, jittering like a solver.
#[test]
fn a_pile_at_rest_has_no_findings() {
    let radius = 0.5;
    let spacing = 2.0 * radius * 0.995;
    let mut objects = Vec::new();
    for index in 0..1000 {
        objects.push(ball(&format!("ball {index}"), radius, [0.0; 3], [0.0; 3]));
    }
    let ground = Plane {
        normal: DVec3::Y,
        offset: 0.0,
    };
    objects.push(fixed("ground", Shape::Plane(ground), [0.0; 3]));
    let mut log = Log::new(objects);
    let mut seed = 7u64;
    let mut jitter = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5) * 0.002
    };
    for _ in 0..8 {
        let mut states: Vec<State> = Vec::new();
        for index in 0..1000 {
            let [x, y, z] = [index % 10, index / 100, index / 10 % 10].map(f64::from);
            let position = [
                x * spacing + jitter(),
                radius * 0.995 + y * spacing + jitter(),
                z * spacing + jitter(),
            ];
            states.push(at(position));
        }
        states.push(at([0.0; 3]));
        log = log.frame(DT, &states);
    }
    let report = report_of(log.replay());
    assert_eq!(report.findings, []);
    assert!(report.pairs_swept > 2000, "the pairs were looked at");
}

/// Boxes on a floor with a solver's slop, stepped with gravity.
#[test]
fn a_stack_under_gravity_has_no_findings() {
    let half_extents = DVec3::splat(0.5);
    let mut objects = vec![wall("floor", [10.0, 0.5, 10.0], [0.0, -0.5, 0.0])];
    for level in 0..4 {
        let y = 0.5 + f64::from(level) * 0.998 - 0.002;
        objects.push(Object::new(
            format!("crate {level}"),
            Shape::Box { half_extents },
            DVec3::new(0.0, y, 0.0),
        ));
    }
    let stack = Scene {
        gravity: DVec3::new(0.0, -9.81, 0.0),
        response: Response::Slide,
        ..scene(60, objects)
    };
    assert_eq!(report(stack).findings, []);
}

#[test]
fn a_dt_spike_is_named() {
    let objects = || {
        vec![
            ball("ball", 0.1, [0.0; 3], [0.0; 3]),
            wall("wall", [0.1, 2.0, 2.0], [2.0, 0.0, 0.0]),
        ]
    };
    // 12 m/s: 0.2 m a frame, detected up to 0.4; one frame lasts a quarter of a second.
    let v = [12.0, 0.0, 0.0];
    let mut log = Log::new(objects());
    for x in [0.0, 0.2, 0.4, 0.6, 0.8] {
        log = log.frame(DT, &[moving([x, 0.0, 0.0], v), at([2.0, 0.0, 0.0])]);
    }
    log = log.frame(0.25, &[moving([3.8, 0.0, 0.0], v), at([2.0, 0.0, 0.0])]);
    log = log.frame(DT, &[moving([4.0, 0.0, 0.0], v), at([2.0, 0.0, 0.0])]);
    let report = report_of(log.replay());
    let found = single(&report);
    assert_eq!(
        (found.kind, found.cause, found.frame),
        (Kind::Tunnels, Cause::DtSpike, 4)
    );
    // Held up to 0.2 m.
    close(fix(found, "max_dt"), SAFE * 0.2 / 12.0, 1e-9);
    close(detected(found, "max_dt"), SAFE * 0.4 / 12.0, 1e-9);
    assert!(
        found.text.contains("Clamp dt to 16.6 ms. Up to 33.3 ms"),
        "{}",
        found.text
    );
    close(evidence(found, "median_dt"), DT, 1e-12);
}

/// A ball of 0.1 m, 0.28 m deep in a wall: a percentage would exceed 100.
#[test]
fn a_depth_beyond_the_radius_has_no_percentage() {
    let objects = vec![
        ball("ball", 0.1, [-0.82, 0.0, 0.0], [0.0; 3]),
        wall("wall", [1.0, 5.0, 5.0], [0.0; 3]),
    ];
    let report = report(scene(1, objects));
    let found = single(&report);
    assert_eq!(found.kind, Kind::StartsInside);
    let text = "0.28 m deep (more than the smaller one's inner radius)";
    assert!(found.text.contains(text), "{}", found.text);
}

#[test]
fn teleports_and_bodies_driven_by_position() {
    let objects = || {
        vec![
            ball("ball", 0.1, [0.0; 3], [0.0; 3]),
            wall("wall", [0.1, 2.0, 2.0], [2.0, 0.0, 0.0]),
        ]
    };
    let log = |speed: f64| {
        Log::new(objects())
            .frame(
                DT,
                &[moving([0.0; 3], [speed, 0.0, 0.0]), at([2.0, 0.0, 0.0])],
            )
            .frame(
                DT,
                &[
                    moving([4.0, 0.0, 0.0], [speed, 0.0, 0.0]),
                    at([2.0, 0.0, 0.0]),
                ],
            )
    };
    let jumped = report_of(log(6.0).replay());
    let found = single(&jumped);
    assert_eq!((found.kind, found.cause), (Kind::Tunnels, Cause::Teleport));
    close(evidence(found, "explained"), 0.1, 1e-12);
    let driven = report_of(log(0.0).replay());
    assert_eq!(single(&driven).cause, Cause::Teleport);
    // 4 m a frame and pushed back up to less than 0.2 m: 21 substeps, and only with a velocity.
    let fixes = &single(&driven).fixes;
    assert_eq!(fixes.len(), 1, "{fixes:?}");
    close(fix(single(&driven), "drive_speed"), 240.0, 1e-9);
    let with = fixes[0].with.as_ref().map(|with| (with.what, with.holds));
    assert_eq!(with, Some((Quantity::Substeps, Some(21.0))));
    let both = "Use a velocity of 240 m/s together with 21 substeps.";
    assert!(
        single(&driven).text.contains(both),
        "{}",
        single(&driven).text
    );
    let honest = report_of(log(240.0).replay());
    assert_eq!(single(&honest).cause, Cause::TooFast);
    let mut flagged = log(6.0);
    change_frames(&mut flagged.recording, |index, data| {
        data.bodies[0].teleported = index == 1;
    });
    assert_eq!(report_of(flagged.replay()).findings, []);
}

#[test]
fn starting_inside_is_one_finding_with_its_last_frame() {
    let start = |velocity: f64| {
        let objects = vec![
            ball("ball", 0.5, [0.0, 0.3, 0.0], [0.0, velocity, 0.0]),
            wall("floor", [5.0, 0.5, 5.0], [0.0, -0.5, 0.0]),
        ];
        report(scene(10, objects))
    };
    let receding = start(6.0);
    let found = single(&receding);
    assert_eq!(
        (found.kind, found.cause, found.frame),
        (Kind::StartsInside, Cause::InitialOverlap, 0)
    );
    // 0.2 m deep, leaving at 0.1 m a frame: below the slop of 0.01 m at state 2.
    assert_eq!(found.last_frame, 1);
    close(evidence(found, "depth"), 0.2, 1e-12);
    close(evidence(found, "closing_speed"), -6.0, 1e-12);
    assert!(found.text.contains("recedes at 6 m/s"), "{}", found.text);
    let resting = start(0.0);
    assert_eq!(single(&resting).last_frame, 9);
    assert!(single(&resting).text.contains("at rest"));
    let approaching = start(-0.6);
    assert!(
        approaching.findings[0]
            .text
            .contains("approaches at 0.6 m/s")
    );
}

/// Half of the ball is in the floor, no more. A floor of a log has no velocity of its own; of two balls both have.
#[test]
fn a_start_inside_has_the_speed_of_both() {
    let floor = wall("floor", [5.0, 0.5, 5.0], [0.0, -0.5, 0.0]);
    let one = ball("ball", 0.5, [0.0; 3], [0.0; 3]);
    let other = ball("other", 0.5, [0.0; 3], [0.0; 3]);
    for (second, state, depth, closing) in [
        (floor, at([0.0, -0.5, 0.0]), 0.5, 1.0),
        (other, moving([0.0, -0.5, 0.0], [0.0, 2.0, 0.0]), 0.5, 3.0),
    ] {
        let first = moving([0.0, 0.0, 0.0], [0.0, -1.0, 0.0]);
        let log = Log::new(vec![one.clone(), second])
            .frame(DT, &[first, state])
            .frame(DT, &[first, state]);
        let report = report_of(log.replay());
        let found = &report.findings[0];
        assert_eq!(found.kind, Kind::StartsInside);
        close(evidence(found, "depth"), depth, 1e-12);
        close(evidence(found, "closing_speed"), closing, 1e-12);
        let says = format!("approaches at {closing} m/s");
        assert!(found.text.contains(&says), "{}", found.text);
        assert!(
            found
                .text
                .contains("(100 % of the smaller one's inner radius)"),
            "{}",
            found.text
        );
    }
}

#[test]
fn appearing_inside_counts_and_resting_slop_does_not() {
    let objects = || {
        vec![
            ball("ball", 0.5, [0.0; 3], [0.0; 3]),
            wall("floor", [5.0, 0.5, 5.0], [0.0, -0.5, 0.0]),
        ]
    };
    let appears = |y: f64| {
        let floor = at([0.0, -0.5, 0.0]);
        Log::new(objects())
            .frame(DT, &[None, floor])
            .frame(DT, &[None, floor])
            .frame(DT, &[at([0.0, y, 0.0]), floor])
            .frame(DT, &[at([0.0, y, 0.0]), floor])
    };
    let inside = report_of(appears(0.3).replay());
    assert_eq!(
        (single(&inside).kind, single(&inside).frame),
        (Kind::StartsInside, 2)
    );
    assert_eq!(report_of(appears(0.495).replay()).findings, []);
    assert_eq!(report_of(appears(0.5).replay()).findings, []);
}

#[test]
fn the_first_bad_number_is_named_once() {
    let objects = vec![ball("ball", 0.5, [0.0; 3], [0.0; 3])];
    let log = Log::new(objects)
        .frame(DT, &[moving([0.0; 3], [0.0; 3])])
        .frame(DT, &[moving([0.0; 3], [0.0, f64::INFINITY, 0.0])])
        .frame(DT, &[moving([f64::NAN, 0.0, 0.0], [0.0; 3])])
        .frame(DT, &[moving([f64::NAN, 0.0, 0.0], [0.0; 3])]);
    let report = report_of(log.replay());
    let found = single(&report);
    assert_eq!(
        (found.kind, found.cause),
        (Kind::BadNumber, Cause::NotANumber)
    );
    assert_eq!((found.frame, found.last_frame), (1, 2));
    assert!(
        found.text.contains("velocity y is infinite"),
        "{}",
        found.text
    );
    assert!(
        serde_json::to_string(&report)
            .unwrap()
            .contains("BadNumber")
    );
}

#[test]
fn coincident_centres_have_no_direction() {
    let objects = vec![
        ball("one", 0.5, [0.0; 3], [0.0; 3]),
        ball("two", 0.5, [0.0; 3], [0.0; 3]),
    ];
    let report = report(scene(2, objects));
    let found = single(&report);
    assert_eq!(found.kind, Kind::StartsInside);
    assert_eq!(causes(found), [Cause::InitialOverlap, Cause::NotANumber]);
}

/// Each finding's kind and frame.
fn kinds(report: &Report) -> Vec<(Kind, u32)> {
    let found = report.findings.iter();
    found.map(|found| (found.kind, found.frame)).collect()
}

/// It is out of the other in a frame and comes back through it in the next: a passage of its own.
#[test]
fn coincident_centres_do_not_cover_a_later_passage() {
    let objects = vec![
        ball("one", 0.5, [0.0; 3], [0.0; 3]),
        fixed("two", Shape::Sphere { radius: 0.5 }, [0.0; 3]),
    ];
    let log = [0.0, 3.0, -3.0].iter().fold(Log::new(objects), |log, x| {
        log.frame(DT, &[at([*x, 0.0, 0.0]), at([0.0; 3])])
    });
    let report = report_of(log.replay());
    assert_eq!(
        kinds(&report),
        [(Kind::StartsInside, 0), (Kind::Tunnels, 1)]
    );
    assert!(report.findings[0].also.contains(&Cause::NotANumber));
}

/// What is not a number explains nothing else of its frame, and is listed last.
#[test]
fn a_bad_number_comes_after_the_others_of_its_frame() {
    let objects = vec![
        ball("a bad one", 0.5, [0.0, 9.0, 0.0], [0.0; 3]),
        ball("ball", 0.25, [-2.0, 0.0, 0.0], [0.0; 3]),
        wall("wall", [0.1, 2.0, 2.0], [0.0; 3]),
    ];
    let [nowhere, still] = [at([f64::NAN, 9.0, 0.0]), at([0.0; 3])];
    let log = Log::new(objects)
        .frame(DT, &[at([0.0, 9.0, 0.0]), at([-2.0, 0.0, 0.0]), still])
        .frame(DT, &[nowhere, at([2.0, 0.0, 0.0]), still]);
    let report = report_of(log.replay());
    assert_eq!(kinds(&report), [(Kind::Tunnels, 0), (Kind::BadNumber, 0)]);
}

/// A ball that walks at 3 m/s through a wall of 1 m, and is exactly at its centre in one state: C21, and C18 where the bits exclude the pair.
/// One that appears there and is pushed out has coincident centres.
#[test]
fn a_body_that_passes_a_centre_exactly_sinks() {
    let walks = |from: i32, bits: [&str; 2]| {
        let ball = format!(
            r#"{{"id":0,"name":"ball","shape":{{"sphere":{{"radius":0.1}}}}{}}}"#,
            bits[0]
        );
        let wall = format!(
            r#"{{"id":1,"name":"wall","motion":"fixed","shape":{{"box":{{"half_extents":[0.5,5,5]}}}}{}}}"#,
            bits[1]
        );
        let line = |step: i32| {
            format!(
                r#""bodies":[{{"id":0,"p":[{},0,0]}}]"#,
                f64::from(step) / 16.0
            )
        };
        let lines: Vec<String> = (from..16).map(line).collect();
        diagnosed(&opened("log.jsonl", log_of("", &[&ball, &wall], &lines)))
    };
    let causes = |report: &Report| -> Vec<(Kind, Cause)> {
        let all = report.findings.iter();
        all.map(|found| (found.kind, found.cause)).collect()
    };
    let sinks = walks(-16, [""; 2]);
    assert_eq!(causes(&sinks), [(Kind::Sinks, Cause::LetThrough)]);
    let json = serde_json::to_value(&sinks.findings[0]).unwrap();
    assert_eq!(json["evidence"]["thickness"], 1.0);
    let bits = [r#","layer":1,"mask":1"#, r#","layer":2,"mask":2"#];
    assert_eq!(causes(&walks(-16, bits)), [(Kind::Sinks, Cause::Bits)]);
    let appears = causes(&walks(0, [""; 2]));
    assert!(
        appears.iter().all(|(kind, _)| *kind == Kind::StartsInside),
        "{appears:?}"
    );
}
