//! Stepped scenes of two bodies: the findings, with the numbers that prove them and the values that fix them.

use super::*;
use crate::common::rounds;

#[test]
fn bullet_through_paper_by_hand() {
    let report = report(bullet(0.05, 400.0, 0.005, DT));
    let found = single(&report);
    assert_eq!((found.kind, found.frame), (Kind::Tunnels, 0));
    assert_eq!(causes(found), [Cause::TooFast]);
    assert_eq!((found.a.as_str(), found.b.as_str()), ("bullet", "paper"));
    // From -5 to -0.055 at 6.667 m a frame.
    let fraction = 4.945 / (400.0 / 60.0);
    close(found.fraction, fraction, 1e-12);
    close(found.time, fraction / 60.0, 1e-12);
    close(found.normal[0], -1.0, 1e-12);
    close(found.point[0], -0.005, 1e-9);
    close(evidence(found, "displacement"), 400.0 / 60.0, 1e-9);
    close(evidence(found, "limit_seen"), 0.11, 1e-9);
    close(evidence(found, "limit_side"), 0.055, 1e-9);
    close(evidence(found, "missed_share"), 0.9835, 1e-9);
    close(evidence(found, "speed"), 400.0, 1e-9);
    close(evidence(found, "thickness"), 0.01, 1e-9);
    close(evidence(found, "radius"), 0.05, 0.0);
    close(fix(found, "substeps"), 122.0, 0.0);
    close(fix(found, "max_speed"), SAFE * 3.3, 1e-9);
    close(fix(found, "max_dt"), SAFE * 0.055 / 400.0, 1e-12);
    let d = 400.0 / 60.0 / SAFE;
    close(fix(found, "min_thickness"), 2.0 * (d - 0.05), 1e-9);
    close(detected(found, "substeps"), 61.0, 0.0);
    close(detected(found, "max_speed"), SAFE * 6.6, 1e-9);
    close(detected(found, "max_dt"), SAFE * 0.11 / 400.0, 1e-12);
    close(detected(found, "min_thickness"), d - 0.1, 1e-9);
    for part in [
        "bullet",
        "paper",
        "6.67 m",
        "0.11 m",
        "400 m/s",
        "Use 122 substeps, at most 3.29 m/s, or a sweep.",
        "From 61 substeps on it is detected, but",
        "0.05 m",
        "0.01 m",
    ] {
        assert!(
            found.text.contains(part),
            "{part} is not in: {}",
            found.text
        );
    }
    assert_eq!((report.frames, report.objects), (2, 2));
    assert!(report.pairs_swept >= 1);
}

/// Every value of a finding's fixes, applied to the scene: at any starting phase the ball is pushed back on its side.
#[test]
fn each_fix_holds() {
    let broken = report(bullet(0.05, 400.0, 0.005, DT));
    let found = &broken.findings[0];
    let substeps = fix(found, "substeps");
    let fixed = [
        ("substeps", bullet(0.05, 400.0, 0.005, DT / substeps)),
        (
            "max_speed",
            bullet(0.05, fix(found, "max_speed") * 0.999, 0.005, DT),
        ),
        (
            "max_dt",
            bullet(0.05, 400.0, 0.005, fix(found, "max_dt") * 0.999),
        ),
        (
            "min_thickness",
            bullet(0.05, 400.0, fix(found, "min_thickness") * 0.5005, DT),
        ),
        (
            "min_radius",
            bullet(fix(found, "min_radius") * 1.001, 400.0, 0.005, DT),
        ),
    ];
    for (what, scene) in fixed {
        let step = scene.dt * scene.objects[0].velocity.x;
        let phases = rounds(40);
        for phase in 0..phases {
            let mut shifted = scene.clone();
            shifted.response = Response::Push;
            // Clear of the wall at the start, even if a body is larger.
            let extent =
                0.05f64.max(fix(found, "min_radius") * 1.001) + fix(found, "min_thickness");
            shifted.objects[0].pose.position.x =
                -extent - step * f64::from(phase) / f64::from(phases);
            shifted.frames = (2.0 * extent / step).ceil() as u32 + 20;
            let report = report(shifted);
            let through = [Kind::Tunnels, Kind::Clips, Kind::WrongSide, Kind::Sinks];
            let mut findings = report.findings.iter();
            let found = findings.find(|found| through.contains(&found.kind));
            assert_eq!(found, None, "{what} at phase {phase}");
        }
    }
}

/// Shares against counting on the real stepper: 200 phases of a ball through a slab.
#[test]
fn missed_and_wrong_fractions_agree_with_shifted_starts() {
    let (radius, half, d) = (0.2, 0.1, 1.5);
    let phases = 200;
    let (mut missed, mut wrong) = (0, 0);
    let mut told = None;
    for phase in 0..phases {
        let start = -half - radius - d * (f64::from(phase) + 0.5) / f64::from(phases);
        let objects = vec![
            ball("ball", radius, [start, 0.0, 0.0], [d / DT, 0.0, 0.0]),
            wall("wall", [half, 5.0, 5.0], [0.0; 3]),
        ];
        let report = report(scene(1, objects));
        missed += report
            .findings
            .iter()
            .filter(|found| found.kind == Kind::Tunnels)
            .count();
        wrong += report
            .findings
            .iter()
            .filter(|found| found.kind == Kind::WrongSide)
            .count();
        told = report.findings.first().cloned().or(told);
    }
    let told = told.expect("some phase is missed");
    let share = |count: usize| count as f64 / f64::from(phases);
    close(
        share(missed),
        evidence(&told, "missed_share"),
        1.5 / f64::from(phases),
    );
    close(
        share(wrong),
        evidence(&told, "wrong_side_share"),
        1.5 / f64::from(phases),
    );
}

#[test]
fn two_movers_are_tested_in_relative_motion() {
    let pair = |second: f64| {
        let objects = vec![
            ball("left", 0.5, [-1.0, 0.0, 0.0], [120.0, 0.0, 0.0]),
            ball("right", 0.5, [second, 0.0, 0.0], [-120.0, 0.0, 0.0]),
        ];
        report(scene(1, objects))
    };
    let hits = pair(1.0);
    let found = single(&hits);
    close(found.fraction, 0.25, 1e-12);
    assert_eq!(found.kind, Kind::Tunnels);
    assert_eq!(found.cause, Cause::SweptAlone);
    assert!(found.also.contains(&Cause::TooFast));
    // Equal travels: the lower number is the mover.
    assert_eq!(found.a, "left");
}

#[test]
fn crossing_shots_at_60_and_at_64_hertz() {
    let shots = |dt: f64| {
        let objects = vec![
            ball("east", 0.5, [-9.0, 0.0, 0.0], [150.0, 0.0, 0.0]),
            ball("north", 0.5, [0.0, -9.0, 0.0], [0.0, 150.0, 0.0]),
        ];
        report(Scene {
            dt,
            ..scene(6, objects)
        })
    };
    let missed = shots(DT);
    let found = single(&missed);
    // The gap is sqrt(2) (9 - 150 t) - 1, zero at 9 - 1/sqrt(2) of 2.5 m a frame: frame 3 (the fourth), 0.3172.
    let frames = (9.0 - 0.5f64.sqrt()) / 2.5;
    assert_eq!((found.kind, found.frame), (Kind::Tunnels, 3));
    close(found.fraction, frames - 3.0, 1e-9);
    assert!(causes(found).contains(&Cause::SweptAlone));
    let late = shots(1.0 / 64.0);
    let found = single(&late);
    assert_eq!((found.kind, found.frame), (Kind::WrongSide, 3));
    assert!(causes(found).contains(&Cause::WrongSide));
}

#[test]
fn wall_row_misses_two_and_hits_the_third_from_behind() {
    let mut objects = vec![ball("ball", 1.0, [-20.0, 0.0, 0.0], [1000.0, 0.0, 0.0])];
    for (number, x) in [0.0, 6.0, 12.0, 18.0, 24.0].into_iter().enumerate() {
        objects.push(wall(
            &format!("wall {}", number + 1),
            [0.5, 0.5, 1.0],
            [x, 0.0, 0.0],
        ));
    }
    let report = report(scene(2, objects));
    let told: Vec<_> = report
        .findings
        .iter()
        .map(|found| (found.kind, found.frame, found.b.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (Kind::Tunnels, 1, "wall 1"),
            (Kind::Tunnels, 1, "wall 2"),
            (Kind::WrongSide, 1, "wall 3"),
        ]
    );
    close(report.findings[0].fraction, 0.11, 1e-9);
}

#[test]
fn past_the_centre_is_pushed_out_of_the_back() {
    let report = report(Scene {
        response: Response::Push,
        ..scene(
            1,
            vec![
                ball("ball", 0.1, [-1.0, 0.0, 0.0], [61.2, 0.0, 0.0]),
                wall("wall", [0.1, 1.0, 1.0], [0.0; 3]),
            ],
        )
    });
    let found = single(&report);
    assert_eq!(
        (found.kind, found.cause),
        (Kind::WrongSide, Cause::WrongSide)
    );
    close(evidence(found, "limit_side"), 0.2, 1e-12);
    close(evidence(found, "push"), 0.18, 1e-9);
    // 1.02 m a frame against 0.2: six substeps.
    close(fix(found, "substeps"), 6.0, 0.0);
    close(fix(found, "min_thickness"), 2.0 * (1.02 / SAFE - 0.1), 1e-9);
}

/// A ball that is pushed back until it touches, and moves by the limit again: at the limit itself its centre would end in the middle of
/// the wall, whatever its starting phase. At the suggested speed and number of substeps it stays on its side.
#[test]
fn suggested_values_hold_a_body_that_touches_when_the_step_begins() {
    let level = |x: f64, speed: f64, frames: u32, dt: f64| Scene {
        dt,
        response: Response::Push,
        ..scene(
            frames,
            vec![
                ball("ball", 0.25, [x, 0.0, 0.0], [speed, 0.0, 0.0]),
                wall("wall", [0.025, 1.0, 1.0], [0.0; 3]),
            ],
        )
    };
    // 1.65 m a frame is six times the limit of 0.275 m.
    let found = report(level(-0.975, 1.65 / DT, 1, DT));
    let found = single(&found);
    let (speed, substeps) = (fix(found, "max_speed"), fix(found, "substeps"));
    close(substeps, 7.0, 0.0);
    for (speed, dt) in [(speed, DT), (1.65 / DT, DT / substeps)] {
        let scene = level(-0.275, speed, 60, dt);
        assert_eq!(report(scene.clone()).findings, []);
        let replay = Replay::stepped(Arc::new(scene));
        let x = replay.state(60).body(0).unwrap().pose.position.x;
        close(x, -0.275, 1e-9);
    }
}

#[test]
fn ending_before_the_centre_is_no_finding() {
    let objects = vec![
        ball("ball", 0.1, [-1.0, 0.0, 0.0], [58.8, 0.0, 0.0]),
        wall("wall", [0.1, 1.0, 1.0], [0.0; 3]),
    ];
    let report = report(Scene {
        response: Response::Push,
        ..scene(1, objects)
    });
    assert_eq!(report.findings, []);
}

/// Stepped with sweeps, the same levels hold.
#[test]
fn swept_scenes_have_no_findings() {
    for (speed, half) in [(400.0, 0.005), (61.2, 0.1), (5000.0, 0.0005)] {
        let swept = Scene {
            detection: Detection::Sweep,
            response: Response::Bounce { restitution: 1.0 },
            frames: 30,
            ..bullet(0.05, speed, half, DT)
        };
        let report = report(swept);
        assert_eq!(report.findings, [], "at {speed} m/s");
    }
    let options = Options {
        detection: Some(Detection::Sweep),
        ..Options::default()
    };
    let overlap = Scene {
        response: Response::Stop,
        ..bullet(0.05, 400.0, 0.005, DT)
    };
    let level = level(Replay::stepped(Arc::new(overlap)));
    assert_eq!(diagnose(&level, &options, &()).unwrap().findings, []);
    assert_eq!(
        diagnose(&level, &Options::default(), &())
            .unwrap()
            .findings
            .len(),
        1
    );
}

#[test]
fn a_cut_corner_is_a_clip_and_a_graze_is_no_finding() {
    // Along the diagonal past the edge of a box at (1, 1): the ball's centre passes `miss` from the edge.
    let past = |miss: f64| {
        let middle = DVec3::new(1.0, 1.0, 0.0) + DVec3::new(1.0, 1.0, 0.0) / 2f64.sqrt() * miss;
        let half = DVec3::new(1.0, -1.0, 0.0) / 2f64.sqrt() * 0.9;
        let mut object = ball("ball", 0.5, (middle - half).to_array(), [0.0; 3]);
        object.velocity = half * 2.0 / DT;
        report(scene(
            1,
            vec![object, wall("box", [1.0, 1.0, 1.0], [0.0; 3])],
        ))
    };
    let cut = past(0.45);
    let found = single(&cut);
    assert_eq!((found.kind, found.cause), (Kind::Clips, Cause::TooFast));
    // Detected from the first touch to the last: twice sqrt(0.5^2 - 0.45^2) of 1.8 m, along the normal.
    let chord = 2.0 * (0.25f64 - 0.45 * 0.45).sqrt();
    close(evidence(found, "missed_share"), 1.0 - chord / 1.8, 1e-9);
    assert_eq!(
        past(0.495).findings,
        [],
        "1 % deep is the slop of a rolling path"
    );
    assert_eq!(past(0.51).findings, []);
}

#[test]
fn from_behind_a_one_sided_wall() {
    for (speed, sensor) in [(3.0, false), (12.0, false), (100.0, false), (100.0, true)] {
        let wall = Object {
            sensor,
            ..fixed("wall", triangle(Facing::Front), [0.0; 3])
        };
        let objects = vec![ball("ball", 0.2, [0.0, 0.0, -2.0], [0.0, 0.0, speed]), wall];
        let report = report(Scene {
            response: Response::Push,
            ..scene(60, objects)
        });
        let found = single(&report);
        assert_eq!(
            (found.kind, found.cause),
            (Kind::Tunnels, Cause::Facing),
            "{speed} m/s"
        );
        assert_eq!(found.also, []);
        close(found.normal[2], -1.0, 1e-12);
    }
    let slow_from_the_front = vec![
        ball("ball", 0.2, [0.0, 0.0, 2.0], [0.0, 0.0, -3.0]),
        fixed("wall", triangle(Facing::Front), [0.0; 3]),
    ];
    let report = report(Scene {
        response: Response::Push,
        ..scene(60, slow_from_the_front)
    });
    assert_eq!(report.findings, []);
}

/// A triangle has no thickness: detected up to the diameter, pushed back up to the radius; a mesh of them likewise.
#[test]
fn sheets_have_no_thickness() {
    let mesh = Mesh::new(
        vec![
            DVec3::new(-2.0, -2.0, 0.0),
            DVec3::new(2.0, -2.0, 0.0),
            DVec3::new(0.0, 4.0, 0.0),
        ],
        vec![[0, 1, 2]],
        Facing::Both,
    );
    for shape in [triangle(Facing::Both), Shape::Mesh(Arc::new(mesh.unwrap()))] {
        let objects = vec![
            ball("ball", 0.2, [0.0, 0.0, -1.0], [0.0, 0.0, 120.0]),
            fixed("wall", shape, [0.0; 3]),
        ];
        let report = report(scene(1, objects));
        let found = single(&report);
        assert_eq!(found.kind, Kind::Tunnels);
        close(found.fraction, 0.4, 1e-12);
        close(evidence(found, "thickness"), 0.0, 0.0);
        close(evidence(found, "limit_seen"), 0.4, 1e-9);
        close(evidence(found, "limit_side"), 0.2, 1e-9);
        // 2 m a frame: ten and five steps are exactly at the limits.
        close(fix(found, "substeps"), 11.0, 0.0);
        close(detected(found, "substeps"), 6.0, 0.0);
    }
}

#[test]
fn a_fast_obstacle_is_named() {
    let mut paddle = wall("paddle", [0.02, 0.5, 0.5], [-1.0, 1.0, 0.0]);
    paddle.movement = Movement::Kinematic;
    paddle.velocity = DVec3::new(150.0, 0.0, 0.0);
    let report = report(scene(
        1,
        vec![ball("ball", 0.1, [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]), paddle],
    ));
    let found = single(&report);
    assert_eq!((found.a.as_str(), found.b.as_str()), ("paddle", "ball"));
    assert_eq!(
        (found.kind, found.cause),
        (Kind::Tunnels, Cause::FastObstacle)
    );
    close(evidence(found, "obstacle_share"), 150.0 / 151.0, 1e-9);
}
