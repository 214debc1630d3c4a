//! Diagnosis on whole levels: what each kind and cause is reported for, with numbers by hand, and what is never reported.

mod common;

use common::findings::{close, evidence, fix};
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Finding, Kind, Options, Report, diagnose};
use hitstop::core::level::Level;
use hitstop::core::progress::Progress;
use hitstop::core::query::probe::ProbeMode;
use hitstop::core::replay::{
    Body, LoggedCamera, LoggedContact, LoggedHit, LoggedPush, LoggedQuery, QueryKind,
    RecordedFrame, Recording, Replay,
};
use hitstop::core::scene::{
    Camera, CameraMovement, Detection, Expectation, Expected, Movement, Object, Probe, Response,
    Scene,
};
use hitstop::core::shape::{Facing, Mesh, Plane, Pose, Shape, Triangle};
use std::sync::Arc;

const DT: f64 = 1.0 / 60.0;

fn scene(frames: u32, objects: Vec<Object>) -> Scene {
    Scene {
        frames,
        ..Scene::new("test", objects)
    }
}

fn ball(name: &str, radius: f64, at: [f64; 3], velocity: [f64; 3]) -> Object {
    let mut object = Object::new(name, Shape::Sphere { radius }, DVec3::from_array(at));
    object.velocity = DVec3::from_array(velocity);
    object
}

fn fixed(name: &str, shape: Shape, at: [f64; 3]) -> Object {
    let mut object = Object::new(name, shape, DVec3::from_array(at));
    object.movement = Movement::Fixed;
    object
}

fn wall(name: &str, half: [f64; 3], at: [f64; 3]) -> Object {
    let half_extents = DVec3::from_array(half);
    fixed(name, Shape::Box { half_extents }, at)
}

fn level(replay: Replay) -> Level {
    Level {
        file: "test.ron".into(),
        replay: Arc::new(replay),
        notices: Vec::new(),
    }
}

fn report_of(replay: Replay) -> Report {
    diagnose(&level(replay), &Options::default(), &()).expect("nobody cancels")
}

fn report(scene: Scene) -> Report {
    report_of(Replay::stepped(Arc::new(scene)))
}

fn causes(finding: &Finding) -> Vec<Cause> {
    std::iter::once(finding.cause)
        .chain(finding.also.iter().copied())
        .collect()
}

/// The only finding of a report.
fn single(report: &Report) -> &Finding {
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    &report.findings[0]
}

fn bullet(radius: f64, speed: f64, half_thickness: f64, dt: f64) -> Scene {
    let objects = vec![
        ball("bullet", radius, [-5.0, 1.0, 0.0], [speed, 0.0, 0.0]),
        wall("paper", [half_thickness, 1.0, 1.0], [0.0, 1.0, 0.0]),
    ];
    let frames = (7.0 / (speed * dt)).ceil() as u32;
    Scene {
        dt,
        ..scene(frames, objects)
    }
}

#[test]
fn bullet_through_paper_by_hand() {
    let report = report(bullet(0.05, 400.0, 0.005, DT));
    let found = single(&report);
    assert_eq!((found.kind, found.frame), (Kind::Tunnels, 0));
    assert_eq!(causes(found), [Cause::TOO_FAST]);
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
    close(fix(found, "substeps"), 61.0, 0.0);
    close(fix(found, "max_speed"), 6.6, 1e-9);
    close(fix(found, "max_dt"), 0.11 / 400.0, 1e-12);
    close(fix(found, "min_thickness"), 400.0 / 60.0 - 0.1, 1e-9);
    for part in [
        "bullet",
        "paper",
        "6.67 m",
        "0.11 m",
        "400 m/s",
        "61 substeps",
        "6.6 m/s",
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

/// Every number a finding offers, applied to the scene: at any starting phase nothing gets through unseen.
#[test]
fn each_mend_mends() {
    let broken = report(bullet(0.05, 400.0, 0.005, DT));
    let found = &broken.findings[0];
    let substeps = fix(found, "substeps");
    let mended = [
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
    for (what, scene) in mended {
        let step = scene.dt * scene.objects[0].velocity.x;
        for phase in 0..16 {
            let mut shifted = scene.clone();
            shifted.frames += 2;
            // Clear of the wall at the start, whatever was made larger.
            let reach = 0.05f64.max(fix(found, "min_radius") * 1.001) + fix(found, "min_thickness");
            shifted.objects[0].pose.position.x = -reach - step * f64::from(phase) / 16.0;
            shifted.frames = (2.0 * reach / step).ceil() as u32 + 20;
            let report = report(shifted);
            let tunnels = report
                .findings
                .iter()
                .filter(|found| found.kind == Kind::Tunnels);
            assert_eq!(
                tunnels.count(),
                0,
                "{what} at phase {phase}: {:#?}",
                report.findings
            );
        }
    }
}

/// Shares against counting on the real stepper: 200 phases of a ball through a slab.
#[test]
fn missed_and_wrong_shares_agree_with_shifted_starts() {
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
fn two_movers_are_judged_in_relative_motion() {
    let pair = |second: f64| {
        let objects = vec![
            ball("left", 0.5, [-1.0, 0.0, 0.0], [120.0, 0.0, 0.0]),
            ball("right", 0.5, [second, 0.0, 0.0], [-120.0, 0.0, 0.0]),
        ];
        report(scene(1, objects))
    };
    let met = pair(1.0);
    let found = single(&met);
    close(found.fraction, 0.25, 1e-12);
    assert_eq!(found.kind, Kind::Tunnels);
    assert_eq!(found.cause, Cause::SWEPT_ALONE);
    assert!(found.also.contains(&Cause::TOO_FAST));
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
    assert!(causes(found).contains(&Cause::SWEPT_ALONE));
    let late = shots(1.0 / 64.0);
    let found = single(&late);
    assert_eq!((found.kind, found.frame), (Kind::WrongSide, 3));
    assert!(causes(found).contains(&Cause::WRONG_SIDE));
}

#[test]
fn wall_row_misses_two_and_sees_the_third_from_behind() {
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
fn past_the_middle_is_pushed_out_of_the_back() {
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
        (Kind::WrongSide, Cause::WRONG_SIDE)
    );
    close(evidence(found, "limit_side"), 0.2, 1e-12);
    close(evidence(found, "push"), 0.18, 1e-9);
    // 1.02 m a frame against 0.2: six substeps.
    close(fix(found, "substeps"), 6.0, 0.0);
    close(fix(found, "min_thickness"), 2.0 * (1.02 - 0.1), 1e-9);
}

#[test]
fn ending_before_the_middle_is_nothing() {
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
fn sweeping_finds_nothing_to_report() {
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
fn a_cut_corner_is_a_clip_and_a_graze_is_nothing() {
    // Along the diagonal past the edge of a box at (1, 1): the ball's middle passes `miss` from the edge.
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
    assert_eq!((found.kind, found.cause), (Kind::Clips, Cause::TOO_FAST));
    // Seen from the first touch to the last: twice sqrt(0.5^2 - 0.45^2) of 1.8 m, told along the normal.
    let chord = 2.0 * (0.25f64 - 0.45 * 0.45).sqrt();
    close(evidence(found, "missed_share"), 1.0 - chord / 1.8, 1e-9);
    assert_eq!(
        past(0.495).findings,
        [],
        "1 % deep is the slop of a rolling path"
    );
    assert_eq!(past(0.51).findings, []);
}

fn triangle(facing: Facing) -> Shape {
    // Its front looks toward +z.
    Shape::Triangle(Triangle {
        a: DVec3::new(-2.0, -2.0, 0.0),
        b: DVec3::new(2.0, -2.0, 0.0),
        c: DVec3::new(0.0, 4.0, 0.0),
        facing,
    })
}

#[test]
fn from_behind_a_one_sided_wall() {
    for speed in [3.0, 12.0, 100.0] {
        let objects = vec![
            ball("ball", 0.2, [0.0, 0.0, -2.0], [0.0, 0.0, speed]),
            fixed("wall", triangle(Facing::Front), [0.0; 3]),
        ];
        let report = report(Scene {
            response: Response::Push,
            ..scene(60, objects)
        });
        let found = single(&report);
        assert_eq!(
            (found.kind, found.cause),
            (Kind::Tunnels, Cause::FACING),
            "{speed} m/s"
        );
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

/// A triangle has no thickness: seen up to the diameter, pushed back up to the radius; a mesh of them likewise.
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
        close(fix(found, "substeps"), 5.0, 0.0);
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
        (Kind::Tunnels, Cause::FAST_OBSTACLE)
    );
    close(evidence(found, "obstacle_share"), 150.0 / 151.0, 1e-9);
}

// Recordings.

/// A log of bodies by frame: position and velocity of each object; `None` is absent.
struct Log {
    recording: Recording,
}

type State = Option<([f64; 3], Option<[f64; 3]>)>;

impl Log {
    fn new(objects: Vec<Object>) -> Self {
        let recording = Recording {
            name: "log".into(),
            dt: DT,
            objects,
            ..Recording::default()
        };
        Self { recording }
    }

    fn frame(mut self, dt: f64, states: &[State]) -> Self {
        let recording = &mut self.recording;
        let first = recording.bodies.len();
        for (object, state) in states.iter().enumerate() {
            if let Some((position, velocity)) = state {
                recording.bodies.push(Body {
                    object: object as u32,
                    pose: Pose::at(DVec3::from_array(*position)),
                    velocity: velocity.map(DVec3::from_array),
                    spin: None,
                    teleported: false,
                    asleep: false,
                });
            }
        }
        recording.frames.push(RecordedFrame {
            number: recording.frames.len() as u64,
            time: None,
            dt,
            gap: false,
            bodies: first..recording.bodies.len(),
            contacts: 0..0,
            pushes: 0..0,
            queries: 0..0,
            camera: None,
        });
        self
    }

    fn replay(self) -> Replay {
        let scene = scene(1, Vec::new());
        Replay::recorded(Arc::new(scene), Arc::new(self.recording))
    }
}

fn at(position: [f64; 3]) -> State {
    Some((position, None))
}

fn moving(position: [f64; 3], velocity: [f64; 3]) -> State {
    Some((position, Some(velocity)))
}

/// A ball that bounces inside a frame: its recorded ends are both above the floor, and so is the line between them.
#[test]
fn a_bounce_between_two_states_is_nothing() {
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

/// Two balls in a row; in the middle of the frame the first is struck aside, out of the second's way. The straight lines cross,
/// the way their velocities tell does not.
#[test]
fn a_path_bent_by_a_collision_is_not_taken_for_straight() {
    let objects = || {
        vec![
            ball("a", 0.1, [0.0; 3], [0.0; 3]),
            ball("b", 0.1, [0.0; 3], [0.0; 3]),
        ]
    };
    let log = |told: bool| {
        let v = |velocity: [f64; 3]| told.then_some(velocity);
        // a stands at x = 0 until half of the frame, then leaves at 240 m/s; b passes x = 0.5 at a quarter of it.
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
                    Some(([2.0, 0.0, 0.0], v([240.0, 0.0, 0.0]))),
                    Some(([0.5, -3.0, 0.0], v([0.0, -240.0, 0.0]))),
                ],
            )
    };
    assert_eq!(report_of(log(true).replay()).findings, []);
    // Without velocities the straight line is all there is.
    assert_eq!(report_of(log(false).replay()).findings.len(), 1);
}

/// Balls in rows and layers, each touching its neighbours by 0.5 % of a radius, jittering like a solver.
#[test]
fn a_pile_at_rest_reports_nothing() {
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
fn a_stack_under_gravity_reports_nothing() {
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
    // 12 m/s: 0.2 m a frame, seen up to 0.4; one frame lasts a quarter of a second.
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
        (Kind::Tunnels, Cause::DT_SPIKE, 4)
    );
    close(fix(found, "max_dt"), 0.4 / 12.0, 1e-9);
    close(evidence(found, "median_dt"), DT, 1e-12);
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
    assert_eq!((found.kind, found.cause), (Kind::Tunnels, Cause::TELEPORT));
    close(evidence(found, "explained"), 0.1, 1e-12);
    let driven = report_of(log(0.0).replay());
    assert_eq!(single(&driven).cause, Cause::TELEPORT);
    close(fix(single(&driven), "drive_speed"), 240.0, 1e-9);
    let honest = report_of(log(240.0).replay());
    assert_eq!(single(&honest).cause, Cause::TOO_FAST);
    let mut flagged = log(6.0);
    flagged.recording.bodies[2].teleported = true;
    assert_eq!(report_of(flagged.replay()).findings, []);
}

#[test]
fn starting_inside_is_told_once_with_its_last_frame() {
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
        (Kind::StartsInside, Cause::INITIAL_OVERLAP, 0)
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
        (Kind::BadNumber, Cause::NOT_A_NUMBER)
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
fn coincident_middles_have_no_direction() {
    let objects = vec![
        ball("one", 0.5, [0.0; 3], [0.0; 3]),
        ball("two", 0.5, [0.0; 3], [0.0; 3]),
    ];
    let report = report(scene(2, objects));
    let found = single(&report);
    assert_eq!(found.kind, Kind::StartsInside);
    assert_eq!(causes(found), [Cause::INITIAL_OVERLAP, Cause::NOT_A_NUMBER]);
}

// The camera.

fn corridor(speed: f64, probe: Probe) -> Scene {
    let camera = Camera {
        pose: Pose::at(DVec3::new(0.0, 0.0, 0.0)),
        movement: CameraMovement::Velocity(DVec3::new(0.0, 0.0, -speed)),
        probe,
        probe_mode: ProbeMode::InOrder,
        near: 0.1,
        fov: 60f64.to_radians(),
        aspect: 16.0 / 9.0,
    };
    let end = fixed("end", triangle(Facing::Both), [0.0, 0.0, -5.0]);
    Scene {
        camera: Some(camera),
        ..scene(240, vec![end])
    }
}

#[test]
fn a_held_camera_is_nothing_and_a_fast_one_crosses() {
    assert_eq!(report(corridor(2.0, Probe::Standard)).findings, []);
    let crossed = report(corridor(160.0, Probe::Standard));
    let path = &crossed.findings[0];
    assert_eq!(
        (path.kind, path.cause),
        (Kind::CameraCrosses, Cause::TOO_FAST)
    );
    assert_eq!(
        (path.a.as_str(), path.b.as_str(), path.frame),
        ("camera", "end", 1)
    );
    // 5 m at 8/3 m a frame.
    close(path.fraction, 0.875, 1e-9);
    assert_eq!(path.object_a, None);
    close(fix(path, "max_speed"), 30.0, 1e-9);
    close(fix(path, "substeps"), 6.0, 0.0);
    assert_eq!(crossed.findings.len(), 1);
}

#[test]
fn a_camera_without_a_probe_is_found_by_its_near_plane_first() {
    let report = report(corridor(2.0, Probe::Off));
    let found = single(&report);
    assert_eq!(
        (found.kind, found.cause),
        (Kind::CameraCrosses, Cause::CAMERA)
    );
    // The near plane is 0.1 m ahead; the camera walks 1/30 m a frame from 5 m: past 4.9 m after 148 steps.
    assert_eq!(found.frame, 147);
    assert!(found.last_frame > found.frame);
    close(fix(found, "camera_radius"), 0.154_494, 5e-7);
}

// The report as a whole.

fn busy() -> Scene {
    let mut objects = Vec::new();
    for index in 0..60 {
        let at = f64::from(index);
        objects.push(ball(
            &format!("ball {index}"),
            0.2,
            [at * 0.7 - 20.0, 0.3 * (at % 5.0), 0.0],
            [200.0 - 3.0 * at, 0.0, 0.0],
        ));
    }
    for index in 0..20 {
        objects.push(wall(
            &format!("wall {index}"),
            [0.05, 3.0, 3.0],
            [f64::from(index) * 3.0, 0.0, 0.0],
        ));
    }
    scene(50, objects)
}

#[test]
fn any_number_of_threads_gives_the_same_report() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| serde_json::to_string(&report(busy())).unwrap())
    };
    let one = with(1);
    assert!(one.len() > 10_000, "there is something to compare");
    assert_eq!(one, with(4));
    assert_eq!(one, with(7));
}

#[test]
fn findings_are_sorted_and_a_range_is_a_part_of_the_whole() {
    let level = level(Replay::stepped(Arc::new(busy())));
    let whole = diagnose(&level, &Options::default(), &()).unwrap();
    let key = |found: &Finding| {
        (
            found.frame,
            found.fraction,
            found.a.clone(),
            found.b.clone(),
        )
    };
    assert!(
        whole
            .findings
            .windows(2)
            .all(|two| key(&two[0]) <= key(&two[1]))
    );
    let options = Options {
        frames: Some(10..=19),
        ..Options::default()
    };
    let part = diagnose(&level, &options, &()).unwrap();
    let inside = whole
        .findings
        .iter()
        .filter(|found| (10..=19).contains(&found.frame));
    assert_eq!(part.findings, inside.cloned().collect::<Vec<_>>());
    assert_eq!(part.frames, 10);
    let beyond = Options {
        frames: Some(100..=200),
        ..Options::default()
    };
    assert_eq!(diagnose(&level, &beyond, &()).unwrap().frames, 0);
}

struct GivesUp;

impl Progress for GivesUp {
    fn report(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn cancelling_gives_no_report() {
    let level = level(Replay::stepped(Arc::new(busy())));
    assert!(diagnose(&level, &Options::default(), &GivesUp).is_none());
}

#[test]
fn layers_and_sensors_are_heeded() {
    let mut layered = bullet(0.05, 400.0, 0.005, DT);
    layered.objects[0].mask = 2;
    // One side alone excludes the other: they cross untested, which is a finding; two that exclude each other are not.
    assert_eq!(single(&report(layered.clone())).cause, Cause::BITS);
    layered.objects[1].mask = 2;
    assert_eq!(report(layered).findings, []);
    let mut sensors = bullet(0.05, 400.0, 0.005, DT);
    sensors.objects[0].sensor = true;
    assert_eq!(
        report(sensors.clone()).findings.len(),
        1,
        "a trigger was missed"
    );
    sensors.objects[1].sensor = true;
    assert_eq!(report(sensors).findings, []);
}

// Expectations.

fn outcomes(mut scene: Scene, expect: Vec<Expectation>) -> (Report, Vec<bool>) {
    scene.expect = expect.into_iter().map(Into::into).collect();
    let report = report(scene);
    let passed = report
        .expectations
        .iter()
        .map(|result| result.passed)
        .collect();
    (report, passed)
}

fn name(text: &str) -> String {
    text.to_owned()
}

#[test]
fn expectations_about_hits_and_findings() {
    let hit = |fraction: f64, frame: u32| Expectation::Hit {
        a: name("paper"),
        b: name("bullet"),
        frame,
        fraction,
        tolerance: 1e-3,
    };
    let finds =
        |kind: &str, cause: Option<&str>, a: Option<&str>, frame: Option<u32>| Expectation::Finds {
            kind: name(kind),
            cause: cause.map(name),
            a: a.map(name),
            b: None,
            frame,
        };
    let expect = vec![
        hit(0.7417, 0),
        hit(0.7, 0),
        hit(0.7417, 1),
        hit(0.7417, 99),
        finds("Tunnels", Some("C01"), Some("bullet"), Some(0)),
        finds("Tunnels", Some("C05"), None, None),
        finds("Clips", None, None, None),
        finds("Tunnels", None, Some("paper"), None),
        Expectation::NoFindings { kind: None },
        Expectation::NoFindings {
            kind: Some(name("WrongSide")),
        },
        Expectation::NoFindings {
            kind: Some(name("Tunnels")),
        },
        Expectation::Touches {
            a: name("bullet"),
            b: name("paper"),
        },
        Expectation::NeverTouches {
            a: name("bullet"),
            b: name("paper"),
        },
    ];
    let (report, passed) = outcomes(bullet(0.05, 400.0, 0.005, DT), expect);
    let wanted = [
        true, false, false, false, true, false, false, true, false, true, false, true, false,
    ];
    assert_eq!(passed, wanted, "{:#?}", report.expectations);
    assert!(report.findings[0].expected);
    assert_eq!(
        report.expectations[0].text,
        "Hit(a: \"paper\", b: \"bullet\", frame: 0, fraction: 0.7417, tolerance: 0.001)"
    );
    assert_eq!(
        report.expectations[4].text,
        "Finds(kind: Tunnels, cause: C01, a: \"bullet\", frame: 0)"
    );
}

#[test]
fn expectations_about_places_and_pushes() {
    let objects = vec![
        ball("ball", 0.1, [-1.0, 0.0, 0.0], [61.2, 0.0, 0.0]),
        wall("wall", [0.1, 1.0, 1.0], [0.0; 3]),
        ball("far", 0.1, [0.0, 9.0, 0.0], [0.0; 3]),
    ];
    let pushed = Scene {
        response: Response::Push,
        ..scene(1, objects)
    };
    let position = |x: f64, frame: u32| Expectation::Position {
        object: name("ball"),
        frame,
        is: DVec3::new(x, 0.0, 0.0),
        tolerance: 1e-6,
    };
    let push = |x: f64, against: Option<&str>| Expectation::Push {
        object: name("ball"),
        against: against.map(name),
        frame: 0,
        is: DVec3::new(x, 0.0, 0.0),
        tolerance: 1e-6,
    };
    let never = Expectation::NeverTouches {
        a: name("far"),
        b: name("ball"),
    };
    let touches = Expectation::Touches {
        a: name("far"),
        b: name("ball"),
    };
    let camera = Expectation::CameraPush {
        frame: 0,
        is: DVec3::ZERO,
        tolerance: 1e-9,
    };
    let expect = vec![
        position(0.2, 1),
        position(-1.0, 0),
        position(0.3, 1),
        position(0.2, 7),
        push(0.18, Some("wall")),
        push(0.18, None),
        push(0.18, Some("far")),
        never,
        touches,
        camera,
    ];
    let (report, passed) = outcomes(pushed, expect);
    let wanted = [
        true, true, false, false, true, true, false, true, false, true,
    ];
    assert_eq!(passed, wanted, "{:#?}", report.expectations);
}

// Meshes of more than one wall, and contacts that were seen and not held.

/// A square floor at y = 0 and a wall at x = 0 of one mesh, each of two triangles; their fronts look up and toward -x.
fn room(facing: Facing) -> Object {
    let vertices = vec![
        DVec3::new(-9.0, 0.0, -9.0),
        DVec3::new(-9.0, 0.0, 9.0),
        DVec3::new(9.0, 0.0, 9.0),
        DVec3::new(9.0, 0.0, -9.0),
        DVec3::new(0.0, 0.0, -9.0),
        DVec3::new(0.0, 0.0, 9.0),
        DVec3::new(0.0, 5.0, 9.0),
        DVec3::new(0.0, 5.0, -9.0),
    ];
    let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let mesh = Mesh::new(vertices, triangles, facing).unwrap();
    fixed("room", Shape::Mesh(Arc::new(mesh)), [0.0; 3])
}

/// A ball that rolls on a room's floor through its wall: the floor must not hide the wall, at the start or at the end.
#[test]
fn a_floor_does_not_hide_the_wall_of_its_mesh() {
    for facing in [Facing::Both, Facing::Front] {
        for (from, to) in [(0.199, 0.199), (0.199, 0.5), (0.5, 0.199)] {
            let mut rolling = ball("ball", 0.2, [-1.0, from, 0.1], [0.0; 3]);
            rolling.velocity = DVec3::new(2.0, to - from, 0.0) / DT;
            let report = report(scene(1, vec![rolling, room(facing)]));
            let found = single(&report);
            assert_eq!(found.kind, Kind::Tunnels, "{facing:?} from {from} to {to}");
            close(found.fraction, 0.4, 1e-9);
            close(found.normal[0], -1.0, 1e-9);
            // A front sees a ball no longer than its middle is before it.
            let seen = if facing == Facing::Both { 0.4 } else { 0.2 };
            close(evidence(found, "limit_seen"), seen, 1e-9);
        }
    }
}

/// From the far side the same wall of a one-sided room is passed from behind.
#[test]
fn a_floor_does_not_hide_the_back_of_a_wall() {
    let rolling = ball("ball", 0.2, [1.0, 0.199, 0.1], [-2.0 / DT, 0.0, 0.0]);
    let report = report(scene(1, vec![rolling, room(Facing::Front)]));
    let found = single(&report);
    assert_eq!((found.kind, found.cause), (Kind::Tunnels, Cause::FACING));
    assert_eq!(found.fixes, []);
}

/// The clean neighbour: a floor of many small triangles, rolled over fast and slow, a little deep or just touching.
#[test]
fn rolling_over_internal_edges_is_nothing() {
    let side = 24;
    let mut vertices = Vec::new();
    for z in 0..=side {
        for x in 0..=side {
            vertices.push(DVec3::new(f64::from(x), 0.0, f64::from(z)) * 0.25);
        }
    }
    let mut triangles = Vec::new();
    for z in 0..side as u32 {
        for x in 0..side as u32 {
            let row = side as u32 + 1;
            let at = z * row + x;
            triangles.push([at, at + row, at + 1]);
            triangles.push([at + 1, at + row, at + row + 1]);
        }
    }
    for facing in [Facing::Both, Facing::Front] {
        let mesh = Mesh::new(vertices.clone(), triangles.clone(), facing).unwrap();
        let floor = fixed("floor", Shape::Mesh(Arc::new(mesh)), [0.0; 3]);
        for step in [0.03, 0.25, 0.9, 3.7] {
            for height in [0.2, 0.199, 0.1999] {
                let mut rolling = ball("ball", 0.2, [0.4, height, 0.3], [0.0; 3]);
                rolling.velocity = DVec3::new(step, 0.0, 0.31 * step) / DT;
                let frames = (4.0 / step) as u32;
                let report = report(scene(frames, vec![rolling, floor.clone()]));
                assert_eq!(
                    report.findings,
                    [],
                    "{facing:?}, {step} m a frame at {height}"
                );
            }
        }
    }
}

/// Rests for three states, then falls through a thin floor in one frame.
fn let_through(floor: Object, end: [f64; 3]) -> Report {
    let objects = vec![ball("ball", 0.2, [0.0; 3], [0.0; 3]), floor];
    let mut log = Log::new(objects);
    for y in [0.2, 0.199, 0.199] {
        log = log.frame(DT, &[at([0.0, y, 0.1]), at([0.0; 3])]);
    }
    let log = log.frame(DT, &[at(end), at([0.0; 3])]);
    report_of(log.replay())
}

#[test]
fn a_ball_that_rests_and_falls_through_sinks() {
    let mesh = Mesh::new(
        vec![
            DVec3::new(-3.0, 0.0, -3.0),
            DVec3::new(0.0, 0.0, 9.0),
            DVec3::new(3.0, 0.0, -3.0),
        ],
        vec![[0, 1, 2]],
        Facing::Front,
    );
    let mesh = Shape::Mesh(Arc::new(mesh.unwrap()));
    for floor in [thin_floor_at_origin(), fixed("floor", mesh, [0.0; 3])] {
        let report = let_through(floor, [0.0, -0.6, 0.1]);
        let found = single(&report);
        assert_eq!((found.kind, found.cause), (Kind::Sinks, Cause::LET_THROUGH));
        assert_eq!((found.frame, found.a.as_str()), (2, "ball"));
        assert_eq!(found.also, []);
        close(evidence(found, "frames_in_contact"), 3.0, 0.0);
        close(evidence(found, "displacement"), 0.799, 1e-9);
        assert!(
            found.text.contains("the response let it through"),
            "{}",
            found.text
        );
    }
}

/// The number it offers, by hand: 0.8 m a frame, and a push leads back up to radius and half the thickness, 0.21 m.
#[test]
fn what_holds_a_sinking_ball() {
    let mut falling = ball("ball", 0.2, [0.0, 0.2, 0.1], [0.0, -0.8 / DT, 0.0]);
    falling.mass = 2.0;
    let report = report(scene(
        1,
        vec![falling, wall("floor", [3.0, 0.01, 3.0], [0.0, -0.01, 0.0])],
    ));
    let found = single(&report);
    assert_eq!((found.kind, found.cause), (Kind::Sinks, Cause::LET_THROUGH));
    close(evidence(found, "depth"), 0.0, 0.0);
    close(fix(found, "substeps"), 4.0, 0.0);
    close(fix(found, "max_speed"), 0.21 / DT, 1e-9);
}

#[test]
fn leaving_on_its_own_side_is_no_sinking() {
    let y = |height: f64| [0.0, height, 0.1];
    for end in [y(0.6), y(0.2), y(0.19), [5.0, -0.1, 0.1], [30.0, -0.6, 0.1]] {
        assert_eq!(
            let_through(thin_floor_at_origin(), end).findings,
            [],
            "ends at {end:?}"
        );
    }
}

/// Its top is at y = 0, its own origin in the middle of the top.
fn thin_floor_at_origin() -> Object {
    let vertices: Vec<DVec3> = (0..8)
        .map(|corner: i32| {
            let side = |bit: i32| f64::from((corner >> bit & 1) * 2 - 1);
            DVec3::new(3.0 * side(0), 0.01 * side(1) - 0.01, 3.0 * side(2))
        })
        .collect();
    let triangles = vec![
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
        [0, 1, 5],
        [0, 5, 4],
        [2, 6, 7],
        [2, 7, 3],
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
    ];
    let mesh = Mesh::new(vertices, triangles, Facing::Both).unwrap();
    fixed("floor", Shape::Mesh(Arc::new(mesh)), [0.0; 3])
}

/// Up through a one-sided platform, and down onto it: it is passed from behind, and then it holds.
#[test]
fn a_one_sided_platform_passed_from_below_is_no_sinking() {
    let vertices = vec![
        DVec3::new(-3.0, 1.0, -3.0),
        DVec3::new(0.0, 1.0, 9.0),
        DVec3::new(3.0, 1.0, -3.0),
    ];
    let mesh = Mesh::new(vertices, vec![[0, 1, 2]], Facing::Front).unwrap();
    let platform = fixed("platform", Shape::Mesh(Arc::new(mesh)), [0.0; 3]);
    let jumping = ball("ball", 0.2, [0.0, 0.2, 0.1], [0.0, 6.0, 0.0]);
    let report = report(Scene {
        gravity: DVec3::new(0.0, -9.81, 0.0),
        response: Response::Slide,
        ..scene(90, vec![jumping, platform])
    });
    let found = single(&report);
    assert_eq!((found.kind, found.cause), (Kind::Tunnels, Cause::FACING));
}

/// A lift on keyframes passes a slab of the building, and a kinematic one: nobody is pushed, and nobody is a trigger.
#[test]
fn what_nothing_pushes_is_not_judged_against_its_like() {
    let mut lift = wall("lift", [1.0, 0.1, 1.0], [0.0, -1.0, 0.0]);
    lift.movement = Movement::Kinematic;
    lift.velocity = DVec3::new(0.0, 2.0 / DT, 0.0);
    let slab = wall("slab", [1.0, 0.1, 1.0], [0.5, 0.0, 0.0]);
    assert_eq!(
        report(scene(1, vec![lift.clone(), slab.clone()])).findings,
        []
    );
    let mut trigger = slab.clone();
    trigger.sensor = true;
    assert_eq!(
        report(scene(1, vec![lift.clone(), trigger])).findings.len(),
        1
    );
    let mut loose = slab;
    loose.movement = Movement::Velocity;
    assert_eq!(report(scene(1, vec![lift, loose])).findings.len(), 1);
}

/// A turning rod that meets a wall off its middle may or may not pass it: that is said, not guessed.
#[test]
fn crossings_without_proof_are_counted() {
    let rod = || {
        let half_extents = DVec3::new(0.1, 1.0, 0.1);
        let mut rod = Object::new(
            "rod",
            Shape::Box { half_extents },
            DVec3::new(-1.0, 1.8, 0.0),
        );
        rod.velocity = DVec3::new(2.0, 0.0, 0.0) / DT;
        rod.spin = DVec3::Z * 30.0;
        rod
    };
    // Behind a surface that has a front only there is no gap to follow, and the rod's middle passes over its top.
    let triangle = Triangle {
        a: DVec3::new(0.0, -3.0, -3.0),
        b: DVec3::new(0.0, -3.0, 3.0),
        c: DVec3::Y,
        facing: Facing::Front,
    };
    let one_sided = fixed("wall", Shape::Triangle(triangle), [0.0; 3]);
    let report_one_sided = report(scene(1, vec![rod(), one_sided]));
    assert_eq!(report_one_sided.findings, []);
    let notices = report_one_sided.notices;
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(
        notices[0].starts_with("1 possible crossing is not listed"),
        "{notices:?}"
    );
    // A box is followed as it is turned past: half-way, a quarter of a radian on, its lower corner is at
    // 1.8 - cos(0.25) - 0.1 sin(0.25) = 0.806, below the wall's top.
    let report = report(scene(
        1,
        vec![rod(), wall("wall", [0.1, 1.0, 1.0], [0.0; 3])],
    ));
    assert_eq!(single(&report).kind, Kind::Clips);
    assert_eq!(report.notices, [""; 0]);
}

/// Over a wall and back against its far face: the straight line ends behind the wall, the path that is told does not cross it.
#[test]
fn a_bounce_over_a_wall_is_not_the_wrong_side() {
    let objects = || {
        vec![
            ball("ball", 0.2, [0.0; 3], [0.0; 3]),
            wall("wall", [0.1, 1.0, 5.0], [0.0, 1.0, 0.0]),
        ]
    };
    let log = |told: bool| {
        let v = |velocity: [f64; 3]| told.then_some(velocity);
        // From (-1, 1.9) up over the wall to (1, 3.1) in half of the frame, struck there, and down to (0.28, 1.5).
        Log::new(objects())
            .frame(
                DT,
                &[
                    Some(([-1.0, 1.9, 0.0], v([4.0 / DT, 2.4 / DT, 0.0]))),
                    at([0.0, 1.0, 0.0]),
                ],
            )
            .frame(
                DT,
                &[
                    Some(([0.28, 1.5, 0.0], v([-1.44 / DT, -3.2 / DT, 0.0]))),
                    at([0.0, 1.0, 0.0]),
                ],
            )
    };
    assert_eq!(
        single(&report_of(log(false).replay())).kind,
        Kind::WrongSide
    );
    assert_eq!(report_of(log(true).replay()).findings, []);
}

// What is expected of a part, of what was prevented, and of what cannot be.

/// Stopped by the first wall, the ball never meets the second, whatever its unhindered way would lead through.
#[test]
fn what_a_sweep_prevented_is_no_touch() {
    let objects = vec![
        ball("ball", 0.1, [-1.0, 0.0, 0.0], [6.0 / DT, 0.0, 0.0]),
        wall("one", [0.1, 2.0, 2.0], [0.5, 0.0, 0.0]),
        wall("two", [0.1, 2.0, 2.0], [2.0, 0.0, 0.0]),
    ];
    let stopped = Scene {
        detection: Detection::Sweep,
        response: Response::Stop,
        ..scene(2, objects)
    };
    let hit = |b: &str, fraction: f64| Expectation::Hit {
        a: name("ball"),
        b: name(b),
        frame: 0,
        fraction,
        tolerance: 1e-9,
    };
    let expect = vec![
        hit("one", 1.3 / 6.0),
        hit("two", 2.8 / 6.0),
        Expectation::Touches {
            a: name("ball"),
            b: name("one"),
        },
        Expectation::Touches {
            a: name("ball"),
            b: name("two"),
        },
        Expectation::NeverTouches {
            a: name("ball"),
            b: name("two"),
        },
    ];
    let (report, passed) = outcomes(stopped, expect);
    assert_eq!(
        passed,
        [true, false, true, false, true],
        "{:#?}",
        report.expectations
    );
}

#[test]
fn frames_that_were_not_looked_at_are_not_judged() {
    let hit = |frame: u32| Expectation::Hit {
        a: name("bullet"),
        b: name("paper"),
        frame,
        fraction: 0.7417,
        tolerance: 1e-3,
    };
    let position = |frame: u32| Expectation::Position {
        object: name("bullet"),
        frame,
        is: DVec3::ZERO,
        tolerance: 1e-9,
    };
    let tunnels = |frame: Option<u32>| Expectation::Finds {
        kind: name("Tunnels"),
        cause: None,
        a: None,
        b: None,
        frame,
    };
    let mut shot = bullet(0.05, 400.0, 0.005, DT);
    shot.frames = 9;
    shot.expect = [
        hit(0),
        hit(3),
        position(0),
        position(6),
        tunnels(Some(0)),
        tunnels(Some(3)),
        tunnels(None),
        Expectation::NoFindings { kind: None },
    ]
    .map(Expected::from)
    .into();
    let level = level(Replay::stepped(Arc::new(shot)));
    let looking_at = |frames: std::ops::RangeInclusive<u32>| {
        let options = Options {
            frames: Some(frames),
            ..Options::default()
        };
        diagnose(&level, &options, &()).unwrap()
    };
    let part = looking_at(2..=5);
    let told: Vec<(bool, &str)> = part
        .expectations
        .iter()
        .map(|result| (result.passed, result.got.split(':').next().unwrap()))
        .collect();
    assert_eq!(told[0], (true, "skipped"));
    assert!(!told[1].0);
    assert_eq!(told[2], (true, "skipped"));
    assert!(!told[3].0, "the state after the last frame is known");
    assert_eq!(told[4], (true, "skipped"));
    assert!(!told[5].0);
    assert_eq!(told[6], (true, "not judged"));
    assert_eq!(
        told[7],
        (true, "none in frames 2 to 5, the only ones looked at")
    );
    assert!(part.notices.is_empty());
    let nothing = looking_at(20..=30);
    assert_eq!(nothing.frames, 0);
    assert_eq!(
        nothing.notices,
        ["no frame was looked at: the level ends with frame 8"]
    );
    let whole = looking_at(0..=99);
    assert!(whole.expectations[0].passed && !whole.expectations[7].passed);
}

#[test]
fn pushes_past_the_end_and_of_logs_are_explained() {
    let push = |frame: u32, against: Option<&str>| Expectation::Push {
        object: name("ball"),
        against: against.map(name),
        frame,
        is: DVec3::ZERO,
        tolerance: 1e-9,
    };
    let log = Log::new(vec![ball("ball", 0.1, [0.0; 3], [0.0; 3])])
        .frame(DT, &[at([0.0; 3])])
        .frame(DT, &[at([0.0; 3])]);
    let expecting = Scene {
        expect: [push(0, None), push(0, Some("ball")), push(7, None)]
            .map(Expected::from)
            .into(),
        ..scene(1, Vec::new())
    };
    let report = report_of(Replay::recorded(
        Arc::new(expecting),
        Arc::new(log.recording),
    ));
    let passed: Vec<bool> = report
        .expectations
        .iter()
        .map(|result| result.passed)
        .collect();
    assert_eq!(passed, [true, false, false]);
    assert!(
        report.expectations[1]
            .got
            .contains("do not say against what")
    );
    assert_eq!(report.expectations[2].got, "the level ends with frame 0");
    assert!(
        report.expectations[0].text.ends_with("tolerance: 1e-9)"),
        "{}",
        report.expectations[0].text
    );
}

// Bad numbers beside the bodies, and events that last.

#[test]
fn bad_numbers_in_what_a_log_says_are_found() {
    let normal = |normal: DVec3| LoggedContact {
        a: 0,
        b: 1,
        point: DVec3::ZERO,
        normal,
        depth: 0.0,
    };
    let query = |normal: Option<DVec3>, to: DVec3| LoggedQuery {
        kind: QueryKind::Ray,
        object: None,
        from: DVec3::ZERO,
        to,
        radius: 0.0,
        mask: None,
        hit: Some(LoggedHit {
            object: 1,
            fraction: 0.5,
            normal,
        }),
    };
    type Change = Box<dyn Fn(&mut Recording)>;
    let cases: Vec<(&str, Change)> = vec![
        (
            "normal of the logged contact is zero",
            Box::new(move |r| r.contacts.push(normal(DVec3::ZERO))),
        ),
        (
            "normal of the logged contact is not a number",
            Box::new(move |r| r.contacts.push(normal(DVec3::NAN))),
        ),
        (
            "logged push is infinite",
            Box::new(|r| {
                r.pushes.push(LoggedPush {
                    object: 0,
                    push: DVec3::INFINITY,
                });
            }),
        ),
        (
            "normal of a logged query is zero",
            Box::new(move |r| r.queries.push(query(Some(DVec3::ZERO), DVec3::X))),
        ),
        (
            "end of a logged query is not a number",
            Box::new(move |r| r.queries.push(query(None, DVec3::NAN))),
        ),
        (
            "camera: the position is not a number",
            Box::new(|r| {
                let pose = Pose::at(DVec3::NAN);
                r.frames[1].camera = Some(LoggedCamera {
                    pose,
                    push: None,
                    teleported: false,
                });
            }),
        ),
        (
            "",
            Box::new(move |r| {
                r.contacts.push(normal(DVec3::Y));
                r.queries.push(query(Some(DVec3::X), DVec3::X));
                r.pushes.push(LoggedPush {
                    object: 0,
                    push: DVec3::ZERO,
                });
            }),
        ),
    ];
    for (wanted, change) in cases {
        let objects = vec![
            ball("one", 0.1, [0.0; 3], [0.0; 3]),
            ball("two", 0.1, [0.0; 3], [0.0; 3]),
        ];
        let still = [at([0.0; 3]), at([9.0, 0.0, 0.0])];
        let mut log = Log::new(objects)
            .frame(DT, &still)
            .frame(DT, &still)
            .frame(DT, &still);
        change(&mut log.recording);
        let recording = &mut log.recording;
        let line = &mut recording.frames[1];
        line.contacts = 0..recording.contacts.len();
        line.pushes = 0..recording.pushes.len();
        line.queries = 0..recording.queries.len();
        let mut report = report_of(log.replay());
        // What is a number and yet wrong is another finding.
        report
            .findings
            .retain(|found| found.kind == Kind::BadNumber);
        if wanted.is_empty() {
            assert_eq!(report.findings, []);
            continue;
        }
        let found = single(&report);
        assert_eq!((found.kind, found.frame), (Kind::BadNumber, 0), "{wanted}");
        assert!(found.text.contains(wanted), "{wanted}: {}", found.text);
        close(evidence(found, "state"), 1.0, 0.0);
    }
}

/// A body that is put into a wall anew in every frame is inside it once, for long.
#[test]
fn a_body_teleported_every_frame_is_one_finding() {
    let objects = vec![
        ball("ball", 0.5, [0.0; 3], [0.0; 3]),
        wall("floor", [5.0, 0.5, 5.0], [0.0, -0.5, 0.0]),
    ];
    let mut log = Log::new(objects);
    for _ in 0..40 {
        log = log.frame(DT, &[at([0.0, 0.2, 0.0]), at([0.0, -0.5, 0.0])]);
    }
    for body in log
        .recording
        .bodies
        .iter_mut()
        .filter(|body| body.object == 0)
    {
        body.teleported = true;
    }
    let report = report_of(log.replay());
    let found = single(&report);
    assert_eq!(
        (found.kind, found.frame, found.last_frame),
        (Kind::StartsInside, 0, 38)
    );
}

/// Two balls whose middles come to coincide are each pushed away from the other: one finding.
#[test]
fn coincident_movers_are_told_once() {
    let objects = vec![
        ball("left", 0.5, [-2.0, 0.0, 0.0], [2.0 / DT, 0.0, 0.0]),
        ball("right", 0.5, [2.0, 0.0, 0.0], [-2.0 / DT, 0.0, 0.0]),
    ];
    let report = report(Scene {
        response: Response::Push,
        ..scene(1, objects)
    });
    let bad = report
        .findings
        .iter()
        .filter(|found| found.kind == Kind::BadNumber);
    assert_eq!(bad.count(), 1, "{:#?}", report.findings);
}
