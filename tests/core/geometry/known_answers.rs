//! The queries against answers known from elsewhere: closed forms, and the engines' own regression suites.

use glam::{DQuat, DVec3};
use hitstop::core::query::{Feature, Impact, SweepOutcome, sweep};
use hitstop::core::shape::{Facing, Mesh, Motion, Pose, Shape};
use std::sync::Arc;

const DT: f64 = 1.0 / 60.0;

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// A straight motion over one frame, by velocity.
fn moving(position: DVec3, velocity: DVec3) -> Motion {
    Motion {
        start: Pose::at(position),
        end: Pose::at(position + velocity * DT),
    }
}

fn hit(a: (&Shape, Motion), b: (&Shape, Motion)) -> Impact {
    let answer = sweep(a.0, &a.1, b.0, &b.1, &mut ());
    assert!(!answer.via_bounding_sphere);
    match answer.outcome {
        SweepOutcome::Hits(impact) => impact,
        other => panic!("expected a hit, got {other:?}"),
    }
}

#[track_caller]
fn close(got: f64, expected: f64, tolerance: f64) {
    assert!(
        (got - expected).abs() <= tolerance,
        "got {got}, expected {expected}"
    );
}

fn ball(radius: f64) -> Shape {
    Shape::Sphere { radius }
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box {
        half_extents: at(x, y, z),
    }
}

#[test]
fn two_balls_that_swap_places_meet_a_quarter_in() {
    let half = ball(0.5);
    for (start, fraction) in [(1.0, 0.25), (2.0, 0.5)] {
        // 2 s apart, closing 4 a frame: (2 s - 1) / 4.
        let fraction = if start == 1.0 { fraction } else { 0.75 };
        let impact = hit(
            (&half, moving(at(-start, 0.0, 0.0), at(120.0, 0.0, 0.0))),
            (&half, moving(at(start, 0.0, 0.0), at(-120.0, 0.0, 0.0))),
        );
        close(impact.fraction, fraction, 1e-15);
        assert_eq!(impact.normal, at(-1.0, 0.0, 0.0));
    }
}

#[test]
fn the_corridor_s_fifth_triangle_is_hit_a_quarter_in() {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for x in [0.0, 2.0, 4.0, 6.0, 8.0] {
        for z in [-1.1, 1.1] {
            let first = vertices.len() as u32;
            vertices.extend([at(x - 1.0, 0.0, z), at(x + 1.0, 0.0, z), at(x, 2.0, z)]);
            triangles.push([first, first + 1, first + 2]);
        }
    }
    let mesh = Mesh::new(vertices, triangles, Facing::Both).unwrap();
    let impact = hit(
        (
            &ball(0.1),
            moving(at(9.0, 1.0, 0.0), at(-240.0, 0.0, -240.0)),
        ),
        (&Shape::Mesh(Arc::new(mesh)), Motion::still(Pose::IDENTITY)),
    );
    close(impact.fraction, 0.25, 1e-14);
    assert_eq!(impact.triangle, Some(8));
    assert_eq!(impact.feature_b, Feature::Face(0));
}

#[test]
fn a_ball_drops_onto_a_top() {
    let top = cuboid(1.0, 0.5, 1.0);
    let impact = hit(
        (
            &ball(0.438),
            Motion {
                start: Pose::at(at(0.0, 1.281, 0.0)),
                end: Pose::at(at(0.0, 0.281, 0.0)),
            },
        ),
        (&top, Motion::still(Pose::at(at(0.0, -0.6, 0.0)))),
    );
    close(impact.fraction, 0.943, 1e-14);
}

#[test]
fn a_ball_and_a_cube_meet_corner_first() {
    // Corner (1, 1, 1) and centre (2, 2, 2) are sqrt 3 apart and close along the diagonal by 1.5 sqrt 3.
    let impact = hit(
        (
            &ball(1.0),
            Motion {
                start: Pose::at(at(2.0, 2.0, 2.0)),
                end: Pose::at(at(1.5, 1.5, 1.5)),
            },
        ),
        (
            &cuboid(1.0, 1.0, 1.0),
            Motion {
                start: Pose::at(at(0.0, 0.0, 0.0)),
                end: Pose::at(at(1.0, 1.0, 1.0)),
            },
        ),
    );
    let root3 = 3.0_f64.sqrt();
    close(impact.fraction, (root3 - 1.0) / (1.5 * root3), 1e-14);
    close(impact.fraction, 0.28177, 1e-5);
    assert_eq!(impact.feature_b, Feature::Vertex(7));
}

#[test]
fn fast_bodies_hit_in_the_frame_the_table_says() {
    // (name, mover, start, velocity, target, target position, frame, fraction)
    let rows = [
        (
            "fast chain",
            ball(0.5),
            at(0.0, 10.0, 0.0),
            at(0.0, -200.0, 0.0),
            cuboid(50.0, 1.0, 50.0),
            at(0.0, -6.0, 0.0),
            4,
            0.35,
        ),
        (
            "wall row",
            ball(1.0),
            at(-20.0, 0.0, 0.0),
            at(1000.0, 0.0, 0.0),
            cuboid(0.5, 0.5, 1.0),
            DVec3::ZERO,
            1,
            0.11,
        ),
        (
            "stack shot",
            ball(2.0),
            at(0.0, 0.0, 100.0),
            at(0.0, 0.0, -1000.0),
            cuboid(2.0, 2.0, 2.0),
            at(0.0, 0.0, 10.0),
            5,
            0.16,
        ),
    ];
    for (name, mover, start, velocity, target, place, frame, fraction) in rows {
        let begin = start + velocity * DT * f64::from(frame);
        let impact = hit(
            (&mover, moving(begin, velocity)),
            (&target, Motion::still(Pose::at(place))),
        );
        assert!(
            (impact.fraction - fraction).abs() < 1e-9,
            "{name}: {}",
            impact.fraction
        );
    }
}

#[test]
fn crossing_shots_meet_in_the_fourth_frame() {
    // Centres (-9 + s, 0) and (0, -9 + s): distance (9 - s) sqrt 2 = 1, s = 9 - 1 / sqrt 2, 2.5 a frame.
    let s = 9.0 - 1.0 / 2.0_f64.sqrt();
    let frames = s / 2.5;
    let impact = hit(
        (
            &ball(0.5),
            moving(at(-9.0 + 7.5, 0.0, 0.0), at(150.0, 0.0, 0.0)),
        ),
        (
            &ball(0.5),
            moving(at(0.0, -9.0 + 7.5, 0.0), at(0.0, 150.0, 0.0)),
        ),
    );
    close(impact.fraction, frames - 3.0, 1e-14);
    close(impact.fraction, 0.317, 5e-4);
}

#[test]
fn power_of_two_planes_are_hit_not_passed() {
    for plane in [2.0, 32.0, 512.0, 8192.0, 131072.0] {
        let shape = Shape::Plane(hitstop::core::shape::Plane {
            normal: DVec3::X,
            offset: plane,
        });
        let impact = hit(
            (
                &ball(0.3),
                moving(at(plane + 2.0, 0.0, 0.0), at(-240.0, 0.0, 0.0)),
            ),
            (&shape, Motion::still(Pose::IDENTITY)),
        );
        close(impact.fraction, 1.7 / 4.0, 1e-10);
    }
}

#[test]
fn a_turned_box_is_hit_on_its_turned_face() {
    let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
    let place = Pose {
        position: DVec3::ZERO,
        rotation: quarter,
    };
    // Along the face normal (1, 1) / sqrt 2, from 3 away, 4 long: (3 - 1 - 0.5) / 4.
    let way = at(1.0, 1.0, 0.0) / 2.0_f64.sqrt();
    let motion = Motion {
        start: Pose::at(way * 3.0),
        end: Pose::at(-way),
    };
    let impact = hit(
        (&ball(0.5), motion),
        (&cuboid(1.0, 1.0, 1.0), Motion::still(place)),
    );
    close(impact.fraction, 1.5 / 4.0, 1e-14);
    close(impact.normal.dot(way), 1.0, 1e-14);
}

#[test]
fn boxes_meet_on_time() {
    let cube = cuboid(0.5, 0.5, 0.5);
    // Two cubes 2 apart that close 4 a frame, touching at a distance of 1.
    let impact = hit(
        (&cube, moving(at(-1.0, 0.0, 0.0), at(120.0, 0.0, 0.0))),
        (&cube, moving(at(1.0, 0.0, 0.0), at(-120.0, 0.0, 0.0))),
    );
    close(impact.fraction, 0.25, 1e-14);
    let impact = hit(
        (&cube, moving(at(2.0, 0.0, -2.0), at(-120.0, 0.0, 240.0))),
        (&cube, Motion::still(Pose::IDENTITY)),
    );
    close(impact.fraction, 0.5, 1e-14);
    close(impact.normal.dot(DVec3::X), 1.0, 1e-14);
}

#[test]
fn the_ghost_platform_is_not_touched() {
    let square = cuboid(0.25, 0.25, 0.25);
    let platform = cuboid(1.0, 0.1, 1.0);
    // Past the corner (1, 1): the square's lower left corner travels x + y = 2.53 - 0.5 = 2.03, clear of 2 by 0.03 in x + y.
    let mut least = f64::INFINITY;
    for frame in 0..24 {
        let step = at(0.125, -0.125, 0.0);
        let start = at(0.015, 2.515, 0.0) + step * f64::from(frame);
        let motion = Motion {
            start: Pose::at(start),
            end: Pose::at(start + step),
        };
        let still = Motion::still(Pose::at(at(0.0, 0.9, 0.0)));
        let outcome = sweep(&square, &motion, &platform, &still, &mut ()).outcome;
        assert!(outcome.impact().is_none(), "frame {frame}: {outcome:?}");
        for cut in 0..=100 {
            let pose = motion.pose(f64::from(cut) / 100.0);
            let gap =
                hitstop::core::query::gap(&square.placed(&pose), &platform.placed(&still.start));
            least = least.min(gap.unwrap().distance);
        }
    }
    // 0.03 along each axis from the corner is 0.03 / sqrt 2 across the path.
    close(least, 0.03 / 2.0_f64.sqrt(), 1e-9);
}
