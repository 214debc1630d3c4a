//! Every number of a finding, worked out by hand, for every cause that a pair, a body or the camera can have.
//!
//! A number that a finding carries and that is not in its table here fails the test: nothing is told that nobody checked.

use glam::DVec3;
use hitstop::core::diagnose::{Cause, Finding, Kind, Options, Report, diagnose};
use hitstop::core::level::Level;
use hitstop::core::query::probe::ProbeMode;
use hitstop::core::replay::{Body, RecordedFrame, Recording, Replay};
use hitstop::core::scene::{Camera, CameraMovement, Movement, Object, Probe, Scene};
use hitstop::core::shape::{Facing, Mesh, Pose, Shape, Triangle};
use std::sync::Arc;

/// A sixteenth of a second, so that most numbers are short.
const DT: f64 = 0.0625;

fn scene(objects: Vec<Object>) -> Scene {
    Scene {
        dt: DT,
        frames: 2,
        ..Scene::new("numbers", objects)
    }
}

fn ball(name: &str, radius: f64, x: f64, speed: f64) -> Object {
    let mut ball = Object::new(name, Shape::Sphere { radius }, DVec3::new(x, 0.0, 0.0));
    ball.velocity.x = speed;
    ball
}

fn slab(half: f64, x: f64) -> Object {
    let half_extents = DVec3::new(half, 50.0, 50.0);
    fixed(Shape::Box { half_extents }, x)
}

fn fixed(shape: Shape, x: f64) -> Object {
    let mut object = Object::new("wall", shape, DVec3::new(x, 0.0, 0.0));
    object.movement = Movement::Fixed;
    object
}

fn report(replay: Replay) -> Report {
    let level = Level {
        file: "numbers.ron".into(),
        replay: Arc::new(replay),
        notices: Vec::new(),
    };
    diagnose(&level, &Options::default(), &()).expect("nobody cancels")
}

/// The only finding of a stepped scene.
fn only(scene: Scene) -> Finding {
    one(&report(Replay::stepped(Arc::new(scene))))
}

fn one(report: &Report) -> Finding {
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    report.findings[0].clone()
}

/// Seconds of a frame, and each body's place along x with its speed if the log says.
type State = (f64, Vec<(f64, Option<f64>)>);

/// A log of positions along x and, where given, speeds; one list a state, with the seconds that lead to it.
fn logged(objects: Vec<Object>, states: &[State]) -> Report {
    let mut recording = Recording {
        name: "log".into(),
        dt: DT,
        objects,
        ..Recording::default()
    };
    for (number, (dt, bodies)) in states.iter().enumerate() {
        let from = recording.bodies.len();
        for (object, (x, speed)) in (0..).zip(bodies) {
            let mut body = Body::new(object, Pose::at(DVec3::new(*x, 0.0, 0.0)));
            body.velocity = speed.map(|speed| DVec3::new(speed, 0.0, 0.0));
            recording.bodies.push(body);
        }
        recording.frames.push(RecordedFrame {
            number: number as u64,
            time: None,
            dt: *dt,
            gap: false,
            bodies: from..recording.bodies.len(),
            contacts: 0..0,
            pushes: 0..0,
            queries: 0..0,
            camera: None,
        });
    }
    let scene = Arc::new(scene(Vec::new()));
    report(Replay::recorded(scene, Arc::new(recording)))
}

/// Holds all numbers of a finding against a table: evidence, then fixes.
fn check(
    finding: &Finding,
    what: (Kind, Cause, &[Cause]),
    evidence: &[(&str, f64)],
    fixes: &[(&str, f64, &str)],
) {
    assert_eq!((finding.kind, finding.cause), (what.0, what.1));
    assert_eq!(finding.also, what.2, "also");
    let near = |got: f64, want: f64| (got - want).abs() <= 1e-9 * want.abs().max(1.0);
    for (name, got) in &finding.evidence {
        let hand = evidence.iter().find(|(known, _)| known == name);
        let (_, want) = hand.unwrap_or_else(|| panic!("{name} = {got} was not checked by hand"));
        assert!(near(*got, *want), "{name}: got {got}, by hand {want}");
    }
    assert_eq!(finding.evidence.len(), evidence.len(), "{finding:#?}");
    for fix in &finding.fixes {
        let hand = fixes.iter().find(|(known, ..)| *known == fix.what);
        let (_, want, unit) = hand.unwrap_or_else(|| panic!("{fix:?} was not checked by hand"));
        assert!(near(fix.value, *want), "{fix:?}: by hand {want}");
        assert_eq!(fix.unit, *unit);
    }
    assert_eq!(finding.fixes.len(), fixes.len(), "{:?}", finding.fixes);
}

/// Ball of 0.25 m at 64 m/s against 0.5 m: 4 m a frame, touched at -0.5, which is 2 1/32 m from the start.
/// Seen over 0.5 + 0.5 = 1 m, held over 0.25 + 0.25 = 0.5 m. The frame ends of the 64 phases are 1/32 m past the touch and
/// every sixteenth of a metre after it, up to 3 31/32; 48 lie beyond 1 m, 8 in (0.5, 1].
#[test]
fn c01_too_fast_for_too_thin() {
    let wall = slab(0.25, 0.0);
    let found = only(scene(vec![ball("ball", 0.25, -2.53125, 64.0), wall]));
    assert_eq!(found.fraction, 2.03125 / 4.0);
    assert_eq!(found.time, 2.03125 / 64.0);
    assert_eq!(found.point, [-0.25, 0.0, 0.0]);
    assert_eq!(found.normal, [-1.0, 0.0, 0.0]);
    check(
        &found,
        (Kind::Tunnels, Cause::TOO_FAST, &[]),
        &[
            ("displacement", 4.0),
            ("limit_seen", 1.0),
            ("limit_side", 0.5),
            ("missed_share", 0.75),
            ("wrong_side_share", 0.125),
            ("travel", 4.0),
            ("speed", 64.0),
            ("radius", 0.25),
            ("thickness", 0.5),
            ("dt", DT),
            ("phases", 64.0),
            ("phase_missed_share", 48.0 / 64.0),
            ("phase_wrong_side_share", 8.0 / 64.0),
            ("closed_missed_share", 0.75),
            ("closed_wrong_side_share", 0.125),
        ],
        &[
            ("substeps", 4.0, ""),
            ("max_speed", 16.0, "m/s"),
            ("max_dt", 1.0 / 64.0, "s"),
            ("min_thickness", 3.5, "m"),
            ("min_radius", 1.75, "m"),
        ],
    );
}

/// Two balls of 0.5 m head on, 2 m a frame each, from 3 m apart: 2 m to the touch, at half of 4 m a frame. Against the other
/// standing still at its start the touch is after 2 m, the frame's end; at its end (1 m apart) after 0: they touch at once.
#[test]
fn c02_each_swept_alone() {
    let found = only(Scene {
        frames: 1,
        ..scene(vec![
            ball("left", 0.5, -1.5, 48.0),
            ball("right", 0.5, 1.5, -48.0),
        ])
    });
    // 3 m a frame each: 6 m together, 2 m to the touch. Alone 2 m of 3 to the other's start; past its end, 0 m away, never.
    assert!((found.fraction - 1.0 / 3.0).abs() < 1e-15);
    // The frame ends of the phases are 4 m past the touch and 0.09375 on: 0.0625 + 0.09375 k and so on; by counting below.
    let (mut missed, mut wrong) = (0.0, 0.0);
    for number in 0..64 {
        let past = (-2.0 + 6.0 * f64::from(number) / 64.0).rem_euclid(6.0);
        missed += f64::from(u8::from(past > 2.0));
        wrong += f64::from(u8::from(past > 1.0 && past <= 2.0));
    }
    check(
        &found,
        (Kind::Tunnels, Cause::SWEPT_ALONE, &[Cause::TOO_FAST]),
        &[
            ("displacement", 6.0),
            ("limit_seen", 2.0),
            ("limit_side", 1.0),
            ("missed_share", 2.0 / 3.0),
            ("wrong_side_share", 1.0 / 6.0),
            ("travel", 6.0),
            ("speed", 96.0),
            ("radius", 0.5),
            ("thickness", 1.0),
            ("dt", DT),
            ("phases", 64.0),
            ("phase_missed_share", missed / 64.0),
            ("phase_wrong_side_share", wrong / 64.0),
            ("closed_missed_share", 2.0 / 3.0),
            ("closed_wrong_side_share", 1.0 / 6.0),
            ("travel_a", 3.0),
            ("travel_b", 3.0),
            ("alone_misses", 2.0),
            ("alone_fraction_a", 2.0 / 3.0),
            ("alone_fraction_b", 2.0 / 3.0),
        ],
        &[
            ("substeps", 3.0, ""),
            ("max_speed", 32.0, "m/s"),
            ("max_dt", 2.0 / 96.0, "s"),
            ("min_radius", 2.5, "m"),
        ],
    );
}

/// A paddle of 0.5 m comes at 60 m/s to a ball of 0.25 m at -4 m/s: 4 m a frame together, 3.75 of them the paddle's.
#[test]
fn c03_a_fast_obstacle() {
    let mut paddle = slab(0.25, -2.53125);
    paddle.name = "paddle".into();
    paddle.movement = Movement::Kinematic;
    paddle.velocity.x = 60.0;
    let found = only(Scene {
        frames: 1,
        ..scene(vec![ball("ball", 0.25, 0.0, -4.0), paddle])
    });
    // 2 1/32 m to the touch. The paddle (half 0.25) is the mover, the ball 0.5 m thick: the same limits as C01.
    assert_eq!(found.a, "paddle");
    assert_eq!(found.fraction, 2.03125 / 4.0);
    check(
        &found,
        (
            Kind::Tunnels,
            Cause::FAST_OBSTACLE,
            &[Cause::SWEPT_ALONE, Cause::TOO_FAST],
        ),
        &[
            ("displacement", 4.0),
            ("limit_seen", 1.0),
            ("limit_side", 0.5),
            ("missed_share", 0.75),
            ("wrong_side_share", 0.125),
            ("travel", 4.0),
            ("speed", 64.0),
            ("half_width", 0.25),
            ("thickness", 0.5),
            ("dt", DT),
            ("phases", 64.0),
            ("phase_missed_share", 48.0 / 64.0),
            ("phase_wrong_side_share", 8.0 / 64.0),
            ("closed_missed_share", 0.75),
            ("closed_wrong_side_share", 0.125),
            ("obstacle_share", 60.0 / 64.0),
            ("travel_a", 3.75),
            ("travel_b", 0.25),
            // The paddle alone meets the ball at its start and at its end; the ball alone, 2 m away and then behind, never.
            ("alone_misses", 2.0),
            ("alone_fraction_a", 2.03125 / 3.75),
        ],
        &[
            ("substeps", 4.0, ""),
            ("max_speed", 16.0, "m/s"),
            ("max_dt", 1.0 / 64.0, "s"),
            ("min_radius", 1.75, "m"),
        ],
    );
}

/// The wall of C01, ended 25/32 m past the touch: out of the back it is 1 m less that.
#[test]
fn c05_pushed_out_on_the_wrong_side() {
    let found = only(Scene {
        frames: 1,
        ..scene(vec![ball("ball", 0.25, -3.71875, 64.0), slab(0.25, 0.0)])
    });
    assert_eq!(found.fraction, 3.21875 / 4.0);
    check(
        &found,
        (Kind::WrongSide, Cause::WRONG_SIDE, &[]),
        &[
            ("displacement", 4.0),
            ("limit_seen", 1.0),
            ("limit_side", 0.5),
            ("missed_share", 0.75),
            ("wrong_side_share", 0.125),
            ("travel", 4.0),
            ("speed", 64.0),
            ("radius", 0.25),
            ("thickness", 0.5),
            ("dt", DT),
            ("phases", 64.0),
            ("phase_missed_share", 48.0 / 64.0),
            ("phase_wrong_side_share", 8.0 / 64.0),
            ("closed_missed_share", 0.75),
            ("closed_wrong_side_share", 0.125),
            ("push", 0.21875),
            ("push_cosine", -1.0),
        ],
        &[
            ("substeps", 8.0, ""),
            ("max_speed", 8.0, "m/s"),
            ("max_dt", 0.5 / 64.0, "s"),
            ("min_thickness", 7.5, "m"),
        ],
    );
}

/// From behind a front that looks along +x, beside a triangle that is wound the other way: nothing of it is ever seen on
/// the way in, at no phase, and no smaller step helps.
#[test]
fn c08_from_behind() {
    let at = |y: f64, z: f64| DVec3::new(0.0, y, z);
    let corners = vec![at(-9.0, -9.0), at(9.0, -9.0), at(9.0, 9.0), at(-9.0, 9.0)];
    // (y, z) counted from x: the first triangle's front looks along +x; its neighbour runs along the shared edge likewise.
    let mesh = Mesh::new(corners, vec![[0, 1, 2], [0, 3, 2]], Facing::Front).unwrap();
    let mut mover = ball("ball", 0.25, -2.28125, 64.0);
    mover.pose.position += DVec3::new(0.0, 3.0, -3.0);
    let found = only(Scene {
        frames: 1,
        ..scene(vec![mover, fixed(Shape::Mesh(Arc::new(mesh)), 0.0)])
    });
    check(
        &found,
        (Kind::Tunnels, Cause::FACING, &[]),
        &[
            ("displacement", 4.0),
            ("limit_seen", 0.0),
            ("limit_side", 0.0),
            ("missed_share", 1.0),
            ("wrong_side_share", 0.0),
            ("travel", 4.0),
            ("speed", 64.0),
            ("radius", 0.25),
            ("thickness", 0.0),
            ("dt", DT),
            ("phases", 64.0),
            // Ends in front of it within the radius are seen, and pushed on: 0.25 < past <= 0.5 of 4 m, in sixteenths.
            ("phase_missed_share", 60.0 / 64.0),
            ("phase_wrong_side_share", 4.0 / 64.0),
            ("closed_missed_share", 1.0 - 0.5 / 4.0),
            ("closed_wrong_side_share", 0.25 / 4.0),
            ("flipped_neighbours", 1.0),
        ],
        &[],
    );
}

/// 0.1 m deep in a slab, coming on at 0.5 m/s; a fiftieth of 0.25 m is allowed.
#[test]
fn c12_initial_overlap() {
    let found = only(Scene {
        frames: 1,
        ..scene(vec![ball("ball", 0.25, -0.4, 0.5), slab(0.25, 0.0)])
    });
    check(
        &found,
        (Kind::StartsInside, Cause::INITIAL_OVERLAP, &[]),
        &[
            ("depth", 0.1),
            ("allowed_depth", 0.005),
            ("closing_speed", 0.5),
        ],
        &[("separation", 0.1, "m")],
    );
}

/// 4 m in a frame whose logged 16 m/s explain 1 m; and driven by position, at the 64 m/s that it would need.
#[test]
fn c13_a_teleport_and_a_body_driven_by_position() {
    let objects = || vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, 2.53125)];
    let states =
        |speed: f64| [0.0, 4.0, 4.0].map(|x| (DT, vec![(x, Some(speed)), (2.53125, Some(0.0))]));
    let of_c01 = |rest: &[(&'static str, f64)]| {
        let mut evidence = vec![
            ("displacement", 4.0),
            ("limit_seen", 1.0),
            ("limit_side", 0.5),
            ("missed_share", 0.75),
            ("wrong_side_share", 0.125),
            ("travel", 4.0),
            ("speed", 64.0),
            ("radius", 0.25),
            ("thickness", 0.5),
            ("dt", DT),
            ("phases", 64.0),
            ("phase_missed_share", 48.0 / 64.0),
            ("phase_wrong_side_share", 8.0 / 64.0),
            ("closed_missed_share", 0.75),
            ("closed_wrong_side_share", 0.125),
        ];
        evidence.extend(rest);
        evidence
    };
    let mut fixes = vec![
        ("substeps", 4.0, ""),
        ("max_speed", 16.0, "m/s"),
        ("max_dt", 1.0 / 64.0, "s"),
        ("min_thickness", 3.5, "m"),
        ("min_radius", 1.75, "m"),
    ];
    let what = (Kind::Tunnels, Cause::TELEPORT, &[Cause::TOO_FAST][..]);
    let jumped = one(&logged(objects(), &states(16.0)));
    let told = [
        ("logged_speed", 16.0),
        ("explained", 1.0),
        ("unexplained", 3.0),
    ];
    check(&jumped, what, &of_c01(&told), &fixes);
    let driven = one(&logged(objects(), &states(0.0)));
    let told = [
        ("logged_speed", 0.0),
        ("explained", 0.0),
        ("unexplained", 4.0),
    ];
    fixes.push(("drive_speed", 64.0, "m/s"));
    check(&driven, what, &of_c01(&told), &fixes);
}

/// 16 m/s: 1 m a frame at the median, just what is seen; 4 m in the one frame of a quarter of a second.
#[test]
fn c14_a_dt_spike() {
    let xs = [
        (DT, -4.53125),
        (DT, -3.53125),
        (DT, -2.53125),
        (0.25, 1.46875),
        (DT, 2.46875),
        (DT, 3.46875),
    ];
    let states = xs.map(|(dt, x)| (dt, vec![(x, Some(16.0)), (0.0, Some(0.0))]));
    let objects = vec![ball("ball", 0.25, 0.0, 16.0), slab(0.25, 0.0)];
    let found = one(&logged(objects, &states));
    assert_eq!((found.frame, found.fraction), (2, 2.03125 / 4.0));
    assert_eq!(found.time, 2.0 * DT + 2.03125 / 16.0);
    check(
        &found,
        (Kind::Tunnels, Cause::DT_SPIKE, &[Cause::TOO_FAST]),
        &[
            ("displacement", 4.0),
            ("limit_seen", 1.0),
            ("limit_side", 0.5),
            ("missed_share", 0.75),
            ("wrong_side_share", 0.125),
            ("travel", 4.0),
            ("speed", 16.0),
            ("radius", 0.25),
            ("thickness", 0.5),
            ("dt", 0.25),
            ("phases", 64.0),
            ("phase_missed_share", 48.0 / 64.0),
            ("phase_wrong_side_share", 8.0 / 64.0),
            ("closed_missed_share", 0.75),
            ("closed_wrong_side_share", 0.125),
            ("median_dt", DT),
            ("median_displacement", 1.0),
        ],
        &[
            ("substeps", 4.0, ""),
            ("max_speed", 4.0, "m/s"),
            ("max_dt", DT, "s"),
            ("min_thickness", 3.5, "m"),
            ("min_radius", 1.75, "m"),
        ],
    );
}

/// Seen touching 1/16 m deep in two states, then gone through half a metre of wall in one step of 2 m.
#[test]
fn c21_let_through() {
    let xs = [-0.4375, -0.4375, 1.5625];
    let states = xs.map(|x| (DT, vec![(x, None), (0.0, None)]));
    let objects = vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, 0.0)];
    let report = logged(objects, &states);
    let sinks = report
        .findings
        .iter()
        .find(|found| found.kind == Kind::Sinks);
    check(
        sinks.expect("it sinks"),
        (Kind::Sinks, Cause::LET_THROUGH, &[]),
        &[
            ("displacement", 2.0),
            ("limit_seen", 1.0),
            ("limit_side", 0.5),
            ("missed_share", 0.5),
            ("wrong_side_share", 0.25),
            ("travel", 2.0),
            ("speed", 32.0),
            ("radius", 0.25),
            ("thickness", 0.5),
            ("dt", DT),
            ("depth", 0.0625),
            ("frames_in_contact", 2.0),
        ],
        &[
            ("substeps", 4.0, ""),
            ("max_speed", 8.0, "m/s"),
            ("max_dt", 0.5 / 32.0, "s"),
        ],
    );
}

fn walked(speed: f64, probe: Probe) -> Finding {
    let camera = Camera {
        pose: Pose::IDENTITY,
        movement: CameraMovement::Velocity(DVec3::new(0.0, 0.0, -speed)),
        probe,
        probe_mode: ProbeMode::InOrder,
        near: 0.1,
        fov: 60_f64.to_radians(),
        aspect: 16.0 / 9.0,
    };
    let end = Shape::Triangle(Triangle {
        a: DVec3::new(-9.0, -9.0, -3.0),
        b: DVec3::new(9.0, -9.0, -3.0),
        c: DVec3::new(0.0, 18.0, -3.0),
        facing: Facing::Both,
    });
    only(Scene {
        camera: Some(camera),
        frames: 1,
        ..scene(vec![fixed(end, 0.0)])
    })
}

/// 4 m past a probe of half a metre: eight substeps, 8 m/s. Corner of the near plane: 0.1 sqrt(1 + (1 + (16/9)^2) / 3).
#[test]
fn c23_the_camera() {
    let corner = 0.1 * (1.0 + (1.0 + (16.0_f64 / 9.0).powi(2)) / 3.0).sqrt();
    assert!((corner - 0.1545).abs() < 1e-4);
    check(
        &walked(64.0, Probe::Standard),
        (Kind::CameraCrosses, Cause::TOO_FAST, &[Cause::CAMERA]),
        &[("displacement", 4.0), ("probe_reach", 0.5), ("dt", DT)],
        &[
            ("substeps", 8.0, ""),
            ("max_speed", 8.0, "m/s"),
            ("camera_radius", corner, "m"),
        ],
    );
    check(
        &walked(64.0, Probe::Off),
        (Kind::CameraCrosses, Cause::CAMERA, &[]),
        &[("displacement", 4.0), ("probe_reach", 0.0), ("dt", DT)],
        &[("camera_radius", corner, "m")],
    );
    // 2.95 m on, 5 cm before the wall: a corner of the near plane, 0.1 m ahead, is past it. From the camera to the wall
    // along that ray is half of the corner's distance.
    check(
        &walked(2.95 / DT, Probe::Off),
        (Kind::CameraCrosses, Cause::CAMERA, &[]),
        &[("distance", 0.5 * corner), ("near_plane_reach", corner)],
        &[("camera_radius", corner, "m")],
    );
}

/// A coordinate that is no number from state 1 on; two balls of 0.25 m in one place, half a metre deep.
#[test]
fn c24_not_a_number() {
    let states = [0.0, f64::NAN].map(|x| (DT, vec![(x, None)]));
    let found = one(&logged(vec![ball("ball", 0.25, 0.0, 0.0)], &states));
    check(
        &found,
        (Kind::BadNumber, Cause::NOT_A_NUMBER, &[]),
        &[("state", 1.0)],
        &[],
    );
    let met = [(-2.0, 2.0), (0.0, 0.0), (0.25, -0.25)];
    let states = met.map(|(a, b)| (DT, vec![(a, None), (b, None)]));
    let objects = vec![ball("one", 0.25, 0.0, 0.0), ball("two", 0.25, 0.0, 0.0)];
    let report = logged(objects, &states);
    let bad = report
        .findings
        .iter()
        .find(|found| found.kind == Kind::BadNumber);
    check(
        bad.expect("their middles coincide"),
        (Kind::BadNumber, Cause::NOT_A_NUMBER, &[]),
        &[("depth", 0.5)],
        &[("separation", 0.5, "m")],
    );
}
