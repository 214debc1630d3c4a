//! Pairs in motion: the steps that are too long, whose they are, and where they led.

use super::{DT, ball, check, fixed, logged, one, only, scene, slab, through_fixes};
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Kind};
use hitstop::core::scene::{Movement, Scene};
use hitstop::core::shape::{Facing, Mesh, Shape};
use std::sync::Arc;

/// Ball of 0.25 m at 64 m/s against 0.5 m: 4 m a frame, touched at -0.5, which is 2 1/32 m from the start.
/// Seen over 0.5 + 0.5 = 1 m, held over 0.25 + 0.25 = 0.5 m. The frame ends of the 64 phases are 1/32 m past the touch and
/// every sixteenth of a metre after it, up to 3 31/32; 48 lie beyond 1 m, 8 in (0.5, 1].
#[test]
pub fn c01_too_fast_for_too_thin() {
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
        ],
        &through_fixes(&[]),
    );
}

/// Two balls of 0.5 m head on, 2 m a frame each, from 3 m apart: 2 m to the touch, at half of 4 m a frame. Against the other
/// standing still at its start the touch is after 2 m, the frame's end; at its end (1 m apart) after 0: they touch at once.
#[test]
pub fn c02_each_swept_alone() {
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
            ("travel_a", 3.0),
            ("travel_b", 3.0),
            ("alone_misses", 2.0),
            ("alone_fraction_a", 2.0 / 3.0),
            ("alone_fraction_b", 2.0 / 3.0),
        ],
        &[
            ("substeps", 6.0, Some(3.0), ""),
            ("max_closing_speed", 16.0, Some(32.0), "m/s"),
            ("max_dt", 1.0 / 96.0, Some(2.0 / 96.0), "s"),
            // 6 - 1 / 2, and (6 - 1) / 2.
            ("min_radius", 5.5, Some(2.5), "m"),
        ],
    );
}

/// A paddle of 0.5 m comes at 60 m/s to a ball of 0.25 m at -4 m/s: 4 m a frame together, 3.75 of them the paddle's.
#[test]
pub fn c03_a_fast_obstacle() {
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
            ("obstacle_share", 60.0 / 64.0),
            ("travel_a", 3.75),
            ("travel_b", 0.25),
            // The paddle alone meets the ball at its start and at its end; the ball alone, 2 m away and then behind, never.
            ("alone_misses", 2.0),
            ("alone_fraction_a", 2.03125 / 3.75),
        ],
        &[
            ("substeps", 8.0, Some(4.0), ""),
            ("max_closing_speed", 8.0, Some(16.0), "m/s"),
            ("max_dt", 0.5 / 64.0, Some(1.0 / 64.0), "s"),
            ("min_radius", 3.75, Some(1.75), "m"),
        ],
    );
}

/// The wall of C01, ended 25/32 m past the touch: out of the back it is 1 m less that.
#[test]
pub fn c05_pushed_out_on_the_wrong_side() {
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
            ("push", 0.21875),
            ("push_cosine", -1.0),
        ],
        &through_fixes(&[]),
    );
}

/// From behind a front that looks along +x, beside a triangle that is wound the other way: nothing of it is ever seen on
/// the way in, at no phase, and no smaller step helps.
#[test]
pub fn c08_from_behind() {
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
            ("flipped_neighbours", 1.0),
        ],
        &[],
    );
}

/// 0.1 m deep in a slab, coming on at 0.5 m/s; a fiftieth of 0.25 m is allowed.
#[test]
pub fn c12_initial_overlap() {
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
        &[("separation", 0.1, None, "m")],
    );
}

/// 4 m in a frame whose logged 16 m/s explain 1 m; and driven by position, at the 64 m/s that it would need.
#[test]
pub fn c13_a_teleport_and_a_body_driven_by_position() {
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
        ];
        evidence.extend(rest);
        evidence
    };
    let what = (Kind::Tunnels, Cause::TELEPORT, &[Cause::TOO_FAST][..]);
    let jumped = one(&logged(objects(), &states(16.0)));
    let told = [
        ("logged_speed", 16.0),
        ("explained", 1.0),
        ("unexplained", 3.0),
    ];
    check(&jumped, what, &of_c01(&told), &through_fixes(&[]));
    let driven = one(&logged(objects(), &states(0.0)));
    let told = [
        ("logged_speed", 0.0),
        ("explained", 0.0),
        ("unexplained", 4.0),
    ];
    // Neither helps alone: one fix.
    assert_eq!(driven.fixes.len(), 1, "{:?}", driven.fixes);
    let fixes = [
        ("drive_speed", 64.0, None, "m/s"),
        ("substeps", 8.0, Some(4.0), ""),
    ];
    check(&driven, what, &of_c01(&told), &fixes);
}

/// 16 m/s: 1 m a frame at the median, just what is seen; 4 m in the one frame of a quarter of a second.
#[test]
pub fn c14_a_dt_spike() {
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
            ("median_dt", DT),
            ("median_displacement", 1.0),
        ],
        &[
            ("substeps", 8.0, Some(4.0), ""),
            ("max_speed", 2.0, Some(4.0), "m/s"),
            ("max_dt", 0.5 * DT, Some(DT), "s"),
            ("min_thickness", 7.5, Some(3.5), "m"),
            ("min_radius", 3.75, Some(1.75), "m"),
        ],
    );
}

/// Seen touching 1/16 m deep in two states, then gone through half a metre of wall in one step of 2 m.
#[test]
pub fn c21_let_through() {
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
            ("substeps", 4.0, Some(2.0), ""),
            ("max_speed", 8.0, Some(16.0), "m/s"),
            ("max_dt", 0.5 / 32.0, Some(1.0 / 32.0), "s"),
        ],
    );
}
