//! Where surfaces are the matter: turned, holed, flat with an edge in it, too far out, pushed against.

use super::{
    DT, ball, check, fixed, headed, logged, one, only, report, scene, slab, through, through_fixes,
};
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Finding, Kind};
use hitstop::core::replay::Replay;
use hitstop::core::scene::{Movement, Object, Response, Scene};
use hitstop::core::shape::{Facing, Mesh, Shape, Triangle};
use std::sync::Arc;

/// The finding of a cause in one frame whose overlaps are pushed out.
fn pushed(objects: Vec<Object>, cause: Cause) -> Finding {
    let scene = Scene {
        frames: 1,
        response: Response::Push,
        ..scene(objects)
    };
    headed(&report(Replay::stepped(Arc::new(scene))), cause)
}

fn mesh(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Object {
    let vertices = vertices.iter().map(|at| DVec3::from_array(*at)).collect();
    let mesh = Mesh::new(vertices, triangles.to_vec(), Facing::Both).unwrap();
    fixed(Shape::Mesh(Arc::new(mesh)), 0.0)
}

/// A blade of half (1.5, 0.1, 0.02) turns by a radian, 16 rad/s; a ball of 0.1 m hangs 1 m from the hub, half a radian ahead.
/// They touch where the ball's middle is 0.02 + 0.1 off the blade's middle plane, asin(0.12) before that; the point is then
/// sqrt(1 - 0.12^2) out along the blade and 0.02 off its plane. Along the normal it moves as far as it is out.
#[test]
pub fn c04_a_blade_that_turns() {
    let half_extents = DVec3::new(1.5, 0.1, 0.02);
    let mut blade = Object::new("blade", Shape::Box { half_extents }, DVec3::ZERO);
    blade.movement = Movement::Kinematic;
    blade.spin.y = 16.0;
    let (sine, cosine) = 0.5_f64.sin_cos();
    let mut ball = ball("ball", 0.1, 0.0, 0.0);
    ball.pose.position = DVec3::new(cosine, 0.0, -sine);
    let found = only(Scene {
        frames: 1,
        ..scene(vec![blade, ball])
    });
    let (half, out) = (0.12_f64.asin(), (1.0 - 0.12_f64 * 0.12).sqrt());
    let reach = (1.5_f64 * 1.5 + 0.1 * 0.1 + 0.02 * 0.02).sqrt();
    let travel = out.hypot(0.02);
    // From asin(0.12) before to asin(0.12) behind; less than the 0.04 + 0.2 of a slab.
    let seen = 2.0 * half * out;
    // The push turns round where the ball's middle is in the blade's middle plane; less than the 0.12 of a slab.
    let side = half * out;
    check(
        &found,
        (Kind::Tunnels, Cause::ROTATION, &[Cause::TOO_FAST]),
        &[
            ("displacement", out),
            ("limit_seen", seen),
            ("limit_side", side),
            ("missed_share", 1.0 - 2.0 * half),
            ("wrong_side_share", (seen - side) / out),
            ("travel", travel),
            ("speed", travel / DT),
            ("half_width", 0.02),
            ("thickness", 0.2),
            ("dt", DT),
            ("turn", 1.0),
            ("reach", reach),
            ("swing", reach),
        ],
        &[
            // A frame of asin(0.12) is held, one of twice that is detected: 8.3 and 4.2 in a radian.
            ("substeps", 9.0, Some(5.0), ""),
            ("max_spin", 16.0 * half, Some(32.0 * half), "rad/s"),
            ("max_dt", DT * half, Some(2.0 * DT * half), "s"),
        ],
    );
}

/// The ball ends 1/16 m past the middle of the wall and is pushed out of its back, to 0.5. There it is past the middle of a
/// sheet from 27/64 to 29/64, which pushes it on, to 29/64 + 1/4. Before the pushes it was 27/64 - (1/16 + 1/4) from the sheet.
#[test]
pub fn c06_pushed_through_the_next_wall() {
    let mut sheet = slab(0.015625, 0.4375);
    sheet.name = "sheet".into();
    let walls = vec![ball("ball", 0.25, -3.9375, 64.0), slab(0.25, 0.0), sheet];
    let found = pushed(walls, Cause::NEXT_WALL);
    assert_eq!(found.b, "sheet");
    check(
        &found,
        (Kind::Tunnels, Cause::NEXT_WALL, &[]),
        &[
            ("push", 0.453125 + 0.25 - 0.0625),
            ("room", 0.421875 - 0.3125),
        ],
        &[("max_push", 0.109375, None, "m")],
    );
}

/// The same with a sheet that is one mesh with the floor that the ball stands in, 1/64 m deep, all the time. Past the sheet at
/// 7/16 it is put, and pushed on by it as far as to 7/16 + 1/4, 5/8 m from its place behind the wall's middle; and it met the
/// sheet after 7/16 - 5/16.
#[test]
pub fn c06_pushed_through_another_wall_of_the_same_mesh() {
    let (floor, sheet) = (-0.25 + 0.015625, 0.4375);
    let room = mesh(
        &[
            [-9.0, floor, -9.0],
            [9.0, floor, -9.0],
            [9.0, floor, 9.0],
            [-9.0, floor, 9.0],
            [sheet, -9.0, -9.0],
            [sheet, 9.0, -9.0],
            [sheet, 9.0, 9.0],
            [sheet, -9.0, 9.0],
        ],
        &[[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7]],
    );
    let mut room = room;
    room.name = "room".into();
    let objects = vec![ball("ball", 0.25, -3.9375, 64.0), slab(0.25, 0.0), room];
    let found = pushed(objects, Cause::NEXT_WALL);
    assert_eq!(found.b, "room");
    // The floor's push, 1/64 m up, is part of it.
    let push = 0.625_f64.hypot(0.015625);
    let room = push * (0.125 / 0.625);
    check(
        &found,
        (Kind::Tunnels, Cause::NEXT_WALL, &[]),
        &[("push", push), ("room", room)],
        &[("max_push", room, None, "m")],
    );
}

/// In touch with the wall for five states while its speed grows from 32 to 64 m/s; then 4 m on, out behind the wall.
#[test]
pub fn c07_hidden_speed() {
    let states = [
        (-0.5, 32.0),
        (-0.5, 40.0),
        (-0.5, 48.0),
        (-0.5, 56.0),
        (-0.5, 64.0),
        (3.5, 64.0),
    ];
    let states = states.map(|(x, speed)| (DT, vec![(x, Some(speed)), (0.0, Some(0.0))]));
    let objects = vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, 0.0)];
    let found = one(&logged(objects, &states));
    assert_eq!(found.frame, 4);
    check(
        &found,
        (Kind::Sinks, Cause::HIDDEN_SPEED, &[Cause::LET_THROUGH]),
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
            ("blocked_frames", 4.0),
            ("hidden_speed", 64.0),
            ("hidden_speed_before", 32.0),
            ("depth", 0.0),
            ("frames_in_contact", 5.0),
        ],
        &[
            ("speed_on_contact", 0.0, None, "m/s"),
            ("substeps", 8.0, Some(4.0), ""),
            ("max_speed", 8.0, Some(16.0), "m/s"),
            ("max_dt", 0.5 / 64.0, Some(1.0 / 64.0), "s"),
        ],
    );
}

/// Two halves of a wall with 0.14 m between them. The ball's middle goes between; it touches both edges when it is
/// sqrt(0.25^2 - 0.07^2) = 0.24 m before them, along a normal that has 0.24 / 0.25 of the way in it.
#[test]
pub fn c09_an_open_seam() {
    let wall = mesh(
        &[
            [0.0, -9.0, -9.0],
            [0.0, 9.0, -9.0],
            [0.0, 9.0, -0.07],
            [0.0, -9.0, -0.07],
            [0.0, -9.0, 0.07],
            [0.0, 9.0, 0.07],
            [0.0, 9.0, 9.0],
            [0.0, -9.0, 9.0],
        ],
        &[[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]],
    );
    // Ends 1.03125 m past the touch, of sixteenths.
    let mover = ball("ball", 0.25, -0.24 + 1.03125 - 4.0, 64.0);
    let found = only(Scene {
        frames: 1,
        ..scene(vec![mover, wall])
    });
    let along = 0.96;
    // Seen for 0.48 m of the way, 0.96 of that along the normal. Pushed back until the middle is in the plane of the contact, which
    // is the radius along the normal.
    check(
        &found,
        (Kind::Tunnels, Cause::GAP, &[Cause::TOO_FAST]),
        &[
            ("displacement", 4.0 * along),
            ("limit_seen", 0.48 * along),
            ("limit_side", 0.25),
            ("missed_share", 1.0 - 0.48 / 4.0),
            ("wrong_side_share", (0.48 * along - 0.25) / (4.0 * along)),
            ("travel", 4.0),
            ("speed", 64.0),
            ("radius", 0.25),
            ("thickness", 0.0),
            ("dt", DT),
            ("phases", 64.0),
            // 1/32 m past the touch and every sixteenth after it: 8 up to 0.48, 4 of them up to 0.25 / 0.96.
            ("phase_missed_share", 56.0 / 64.0),
            ("phase_wrong_side_share", 4.0 / 64.0),
            // Of a sheet without a hole: 0.5 m is seen.
            ("gap_width", 0.14),
            ("boundary_edges", 8.0),
        ],
        &[
            ("weld_distance", 0.14, None, "m"),
            // 3.84 m along the normal, in steps of 0.25 and of 0.4608.
            ("substeps", 16.0, Some(9.0), ""),
            ("max_speed", 0.25 / along / DT, Some(0.48 / DT), "m/s"),
            ("max_dt", 0.25 / along / 64.0, Some(0.48 / 64.0), "s"),
        ],
    );
}

/// The same two halves 0.2 mm apart, and a strip of two thin triangles between them that the ball's middle passes. The
/// height of each over its long side of 18 m is the strip's width, to six more digits than are asked.
#[test]
pub fn c09_a_sliver() {
    let h = 0.0001;
    let wall = mesh(
        &[
            [0.0, -9.0, -9.0],
            [0.0, 9.0, -9.0],
            [0.0, 9.0, -h],
            [0.0, -9.0, -h],
            [0.0, -9.0, h],
            [0.0, 9.0, h],
            [0.0, 9.0, 9.0],
            [0.0, -9.0, 9.0],
        ],
        &[
            [0, 1, 2],
            [0, 2, 3],
            [4, 5, 6],
            [4, 6, 7],
            [3, 2, 5],
            [3, 5, 4],
        ],
    );
    let mut mover = ball("ball", 0.25, -0.25 + 1.03125 - 4.0, 64.0);
    // Not where the strip's two triangles meet.
    mover.pose.position += DVec3::new(0.0, 3.0, 0.0);
    let found = only(Scene {
        frames: 1,
        ..scene(vec![mover, wall])
    });
    let diagonal = 18.0_f64.hypot(2.0 * h);
    check(
        &found,
        (Kind::Tunnels, Cause::GAP, &[Cause::TOO_FAST]),
        &[
            ("displacement", 4.0),
            ("limit_seen", 0.5),
            ("limit_side", 0.25),
            ("missed_share", 1.0 - 0.5 / 4.0),
            ("wrong_side_share", 0.25 / 4.0),
            ("travel", 4.0),
            ("speed", 64.0),
            ("radius", 0.25),
            ("thickness", 0.0),
            ("dt", DT),
            ("phases", 64.0),
            ("phase_missed_share", 56.0 / 64.0),
            ("phase_wrong_side_share", 4.0 / 64.0),
            // Twice the area over the longest side.
            ("sliver_height", 18.0 * 2.0 * h / diagonal),
            // Two along each border in y, and the two borders in z; the strip's short ends.
            ("boundary_edges", 8.0),
        ],
        &[
            ("weld_distance", 2.0 * h, None, "m"),
            ("substeps", 16.0, Some(8.0), ""),
            ("max_speed", 4.0, Some(8.0), "m/s"),
            ("max_dt", 0.25 / 64.0, Some(0.5 / 64.0), "s"),
            ("min_thickness", 7.5, Some(3.5), "m"),
        ],
    );
}

/// Two halves of a floor along x = 0, the right one first. The ball of 0.5 m ends at (-0.12, 0.35): 0.37 m from the edge, of
/// which 0.12 sideways; 0.13 deep.
#[test]
pub fn c10_an_internal_edge() {
    let half = |name: &str, side: f64| {
        let triangle = Triangle {
            a: DVec3::new(0.0, 0.0, 9.0 * side),
            b: DVec3::new(9.0 * side, 0.0, 0.0),
            c: DVec3::new(0.0, 0.0, -9.0 * side),
            facing: Facing::Both,
        };
        let mut half = fixed(Shape::Triangle(triangle), 0.0);
        half.name = name.into();
        half
    };
    let mut mover = ball("ball", 0.5, -0.12, 0.0);
    mover.pose.position.y = 0.6;
    mover.velocity.y = -4.0;
    let halves = vec![mover, half("right", 1.0), half("left", -1.0)];
    let found = pushed(halves, Cause::INTERNAL_EDGE);
    check(
        &found,
        (Kind::Phantom, Cause::INTERNAL_EDGE, &[]),
        &[
            ("tilt", (0.12_f64 / 0.35).atan()),
            ("bend", 0.0),
            ("depth", 0.13),
            ("sideways", 0.13 * 0.12 / 0.37),
        ],
        &[],
    );
}

/// The usual wall at 2^20 m. Before it the numbers of f32 are 1/16 apart, behind it 1/8: the ball from 111/32 m before it is
/// put 3.5 m before it (a tie goes to the even one), and that 17/32 m behind it half a metre, in touch. A hundredth of 0.25 m
/// is more than 2^-9, the spacing below 2^15.
#[test]
pub fn c17_far_from_the_origin() {
    let far = 1_048_576.0;
    let found = only(Scene {
        frames: 1,
        ..scene(vec![
            ball("ball", 0.25, far - 3.46875, 64.0),
            slab(0.25, far),
        ])
    });
    check(
        &found,
        (Kind::Tunnels, Cause::FAR_FROM_ORIGIN, &[Cause::TOO_FAST]),
        &through(&[
            ("coordinate", far + 0.53125),
            ("f32_step", 0.125),
            ("f32_gap_start", 3.5 - 0.5),
            ("f32_gap_end", 0.0),
            ("near_gap_start", 3.46875 - 0.5),
            ("near_gap_end", 0.03125),
        ]),
        &through_fixes(&[("max_coordinate", 32768.0, None, "m")]),
    );
}

/// The same of a box of the ball's width: its positions are rounded alike.
#[test]
pub fn c17_of_what_is_no_ball() {
    let far = 1_048_576.0;
    let mut mover = ball("box", 0.25, far - 3.46875, 64.0);
    mover.shape = Shape::Box {
        half_extents: DVec3::splat(0.25),
    };
    let found = only(Scene {
        frames: 1,
        ..scene(vec![mover, slab(0.25, far)])
    });
    let mut evidence = through(&[
        ("coordinate", far + 0.53125),
        ("f32_step", 0.125),
        ("f32_gap_start", 3.5 - 0.5),
        ("f32_gap_end", 0.0),
        ("near_gap_start", 3.46875 - 0.5),
        ("near_gap_end", 0.03125),
    ]);
    for (name, _) in &mut evidence {
        *name = if *name == "radius" {
            "half_width"
        } else {
            *name
        };
    }
    check(
        &found,
        (Kind::Tunnels, Cause::FAR_FROM_ORIGIN, &[Cause::TOO_FAST]),
        &evidence,
        &through_fixes(&[("max_coordinate", 32768.0, None, "m")]),
    );
}

/// 1/32 m past the middle of the wall, 0.25 + 0.25 - 1/32 deep; a quarter deep in the next state, and out of it in the third.
#[test]
pub fn c25_seen_and_not_suffered() {
    let states = [-3.96875, 0.03125, -0.25, -0.75].map(|x| (DT, vec![(x, None), (0.0, None)]));
    let objects = vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, 0.0)];
    let found = one(&logged(objects, &states));
    check(
        &found,
        (Kind::WrongSide, Cause::VISUAL_ONLY, &[Cause::WRONG_SIDE]),
        &through(&[
            ("resolved_frames", 3.0),
            ("deepest", 0.46875),
            ("push", 0.46875),
            ("push_cosine", -1.0),
        ]),
        &through_fixes(&[]),
    );
}
