//! The queries against results known from other sources: closed forms, and the engines' own regression suites.

use super::exact::placed::contact_placed;
use crate::common::random::Random;
use crate::common::rounds;
use glam::{DMat3, DQuat, DVec3};
use hitstop::core::query::closest_point::closest_point_on_segment;
use hitstop::core::query::{
    BOUND_ULPS, Contact, Feature, Impact, SweepOutcome, contact, gap, overlaps, sweep,
};
use hitstop::core::shape::{
    Capsule, Facing, Mesh, Motion, Obb, Placed, Plane, Pose, Segment, Shape, Sphere, Triangle,
};
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
    let result = sweep(a.0, &a.1, b.0, &b.1, &mut ());
    match result.outcome {
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
fn two_balls_that_swap_positions_hit_at_a_quarter() {
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

/// However near to an end the nearest point is, it lies between both ends.
#[test]
fn the_nearest_point_of_a_segment_is_within_its_ends() {
    for seed in 0..rounds(10_000) {
        let random = &mut Random(seed);
        let (a, b) = (random.point(9.0), random.point(9.0));
        let share = 10.0_f64.powf(random.range(-17.0, 0.0));
        let aside = random.direction().cross(b - a);
        let ends = [(a, b), (b, a)];
        for (a, b) in ends {
            let point = a + (b - a) * share + aside;
            let (nearest, _) = closest_point_on_segment(point, &Segment { a, b });
            let within = nearest.cmpge(a.min(b)) & nearest.cmple(a.max(b));
            assert!(within.all(), "seed {seed}: {nearest} of {a} to {b}");
        }
    }
}

#[test]
fn the_corridor_s_fifth_triangle_is_hit_at_a_quarter() {
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
fn a_ball_drops_onto_a_box() {
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
fn a_ball_hits_a_cube_at_its_corner() {
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

/// A ball beyond each corner, edge and face of a box, and one with its centre inside, nearest to each face: bits of a corner and of an edge choose the
/// positive sides, of a face the last one.
#[test]
fn a_ball_touches_the_feature_of_a_box_that_its_centre_is_beyond() {
    let features = |side: [i32; 3]| {
        let bit = |axis: usize| u32::from(side[axis] > 0);
        let open: Vec<usize> = (0..3).filter(|&axis| side[axis] == 0).collect();
        match open[..] {
            [] => Feature::Vertex(bit(0) | bit(1) << 1 | bit(2) << 2),
            [axis] => {
                let [low, high] = [[1, 2], [0, 2], [0, 1]][axis];
                Feature::Edge(4 * axis as u32 + (bit(low) | bit(high) << 1))
            }
            _ => {
                let axis = (0..3).find(|&axis| side[axis] != 0).unwrap();
                Feature::Face(2 * axis as u32 + bit(axis))
            }
        }
    };
    let target = cuboid(1.0, 2.0, 3.0);
    let target = target.placed(&Pose::IDENTITY);
    let touched = |center: DVec3| {
        let ball = ball(2.0);
        contact(&ball.placed(&Pose::at(center)), &target, &mut ()).unwrap()
    };
    for code in 0..27 {
        let side = [code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1];
        if side == [0; 3] {
            continue;
        }
        let side_of = DVec3::from_array(side.map(f64::from));
        let found = touched(side_of * at(2.0, 3.0, 4.0));
        assert_eq!(found.feature_b, features(side), "{side:?}");
        let distance = side_of.length();
        close(found.depth, 2.0 - distance, 1e-12);
        close(found.normal.distance(side_of / distance), 0.0, 1e-12);
        if distance == 1.0 {
            let found = touched(side_of * at(0.75, 1.75, 2.75));
            assert_eq!(found.feature_b, features(side), "inside, {side:?}");
            close(found.depth, 2.25, 1e-12);
            assert_eq!(found.normal, side_of);
        }
    }
}

#[test]
fn fast_bodies_hit_in_the_frame_of_the_table() {
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
fn crossing_shots_hit_in_the_fourth_frame() {
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
        let shape = Shape::Plane(Plane {
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
fn a_rotated_box_is_hit_on_its_rotated_face() {
    let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
    let place = Pose {
        position: DVec3::ZERO,
        rotation: quarter,
    };
    // Along the face normal (1, 1) / sqrt 2, from 3 away, 4 long: (3 - 1 - 0.5) / 4.
    let direction = at(1.0, 1.0, 0.0) / 2.0_f64.sqrt();
    let motion = Motion {
        start: Pose::at(direction * 3.0),
        end: Pose::at(-direction),
    };
    let impact = hit(
        (&ball(0.5), motion),
        (&cuboid(1.0, 1.0, 1.0), Motion::still(place)),
    );
    close(impact.fraction, 1.5 / 4.0, 1e-14);
    close(impact.normal.dot(direction), 1.0, 1e-14);
}

#[test]
fn boxes_hit_at_the_exact_time() {
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
            let gap = gap(&square.placed(&pose), &platform.placed(&still.start));
            least = least.min(gap.unwrap().distance);
        }
    }
    // 0.03 along each axis from the corner is 0.03 / sqrt 2 across the path.
    close(least, 0.03 / 2.0_f64.sqrt(), 1e-9);
}

const FAR: [f64; 3] = [0.0, 3000.0, 1e6];

/// A few error bounds at this distance from the origin.
fn bound(far: f64) -> f64 {
    4.0 * BOUND_ULPS * f64::EPSILON * (far + 10.0)
}

fn along_x(far: f64) -> DVec3 {
    DVec3::X * far
}

/// The distance is exactly 1; it was computed as 1 + 1e-13, which was no contact.
#[test]
fn a_ball_touches_a_segment_far_from_the_origin() {
    for far in FAR {
        let ball = Placed::Sphere(Sphere {
            center: at(2.0, 1.0, 0.0) + along_x(far),
            radius: 1.0,
        });
        let segment = Placed::Segment(Segment {
            a: along_x(far),
            b: at(3.0, 4.0, 0.0) + along_x(far),
        });
        for (a, b) in [(&ball, &segment), (&segment, &ball)] {
            let touching = contact_placed(a, b).unwrap();
            assert!(touching.depth <= bound(far), "{touching:?}");
            assert!(overlaps(a, b));
        }
    }
}

/// The pair had different results as two triangles and as a triangle and a mesh.
#[test]
fn a_triangle_that_touches_a_wall_with_a_corner_touches_a_mesh_of_the_wall() {
    let corners = [at(3.0, -5.0, -5.0), at(3.0, 5.0, -5.0), at(3.0, 0.0, 5.0)];
    let triangle = |[a, b, c]: [DVec3; 3]| Triangle {
        a,
        b,
        c,
        facing: Facing::Both,
    };
    let mesh = Mesh::new(corners.to_vec(), vec![[0, 1, 2]], Facing::Both).unwrap();
    let walls = [
        Shape::Triangle(triangle(corners)),
        Shape::Mesh(Arc::new(mesh)),
    ];
    let still = Motion::still(Pose::IDENTITY);
    for start in [0.0, -1.0, -1.5, 0.5, 2.0] {
        let by = along_x(start);
        let points = [at(0.1, 0.0, 0.0), at(0.1, 1.0, 0.0), at(3.0, 0.0, 0.0)];
        let moved = Shape::Triangle(triangle(points.map(|point| point + by)));
        let placed = moved.placed(&Pose::IDENTITY);
        let [one, other] = [0, 1].map(|wall| {
            let contact = contact_placed(&placed, &walls[wall].placed(&Pose::IDENTITY));
            contact.map(|contact| Contact {
                triangle: None,
                ..contact
            })
        });
        assert_eq!(one, other, "{start}");
        assert_eq!(one.is_some(), (0.0..=2.9).contains(&start), "{start}");
        for displacement in [2.0, -2.0, 6.0] {
            let moves = Motion {
                start: Pose::IDENTITY,
                end: Pose::at(along_x(displacement)),
            };
            let [one, other] = [0, 1]
                .map(|wall| sweep(&moved, &moves, &walls[wall], &still, &mut ()).outcome)
                .map(|outcome| match outcome {
                    SweepOutcome::Hits(impact) => SweepOutcome::Hits(Impact {
                        triangle: None,
                        ..impact
                    }),
                    other => other,
                });
            assert_eq!(one, other, "{start} {displacement}");
            // The tip reaches x = 3.
            let reached = -start / displacement;
            if start <= 0.0 && (0.0..1.0).contains(&reached) && displacement > 0.0 {
                close(one.impact().unwrap().fraction, reached, 1e-12);
            } else if start < 0.0 {
                assert_eq!(one, SweepOutcome::Misses);
            }
        }
    }
}

/// Between edges parallel to 1e-8 the direction was rounding error, and the distance 1e-8 off.
#[test]
fn boxes_with_nearly_parallel_edges_that_touch_have_no_gap() {
    let half = at(0.5, 0.5, 0.5);
    for angle in [0.0, 1e-12, 1e-8, 1e-6, 1e-4] {
        // Rotated about y, its edges along z extend outward by this much at their ends.
        let rotation = DQuat::from_rotation_y(angle);
        let extent = 0.5 * (angle.cos() + angle.sin());
        for height in [0.0, 0.5, 1.0] {
            let turned = Placed::Obb(Obb {
                center: at(0.5 + extent, height, 0.0),
                half_extents: half,
                rotation,
            });
            let upright = Placed::Obb(Obb {
                center: DVec3::ZERO,
                half_extents: half,
                rotation: DQuat::IDENTITY,
            });
            for (a, b) in [(&turned, &upright), (&upright, &turned)] {
                let distance = gap(a, b).unwrap().distance;
                close(distance, 0.0, bound(0.0));
                assert!(overlaps(a, b), "{angle} {height}");
            }
        }
    }
}

/// One box lies on another, deep by little and turned by little: the axes square to two edges are upright as well, but for rounding.
#[test]
fn boxes_turned_slightly_on_each_other_are_as_deep_as_their_faces() {
    let half_extents = at(0.5, 0.5, 0.5);
    for seed in 0..rounds(1000) {
        let random = &mut Random(seed);
        let angle = 10.0_f64.powf(random.range(-11.0, -2.0));
        let depth = 10.0_f64.powf(random.range(-12.0, -3.0));
        let center = at(
            random.range(-0.4, 0.4),
            1.0 - depth,
            random.range(-0.4, 0.4),
        );
        let [upper, lower] = [(center, angle), (DVec3::ZERO, 0.0)].map(|(center, angle)| {
            Placed::Obb(Obb {
                center,
                half_extents,
                rotation: DQuat::from_rotation_y(angle),
            })
        });
        for (a, b) in [(&upper, &lower), (&lower, &upper)] {
            assert!(overlaps(a, b), "seed {seed}: {depth} {angle}");
            let found = contact(a, b, &mut ()).unwrap();
            close(found.depth, depth, bound(0.0));
            close(found.normal.y.abs(), 1.0, 1e-12);
        }
    }
}

#[test]
fn boxes_hit_at_a_half_also_when_rotated_slightly() {
    let (cube, wall) = (cuboid(0.5, 0.5, 0.5), cuboid(0.5, 2.0, 2.0));
    for angle in [0.0, 1e-15, 1e-12, 1e-9, 1e-8, 1e-6] {
        for axis in [
            DVec3::X,
            DVec3::Y,
            DVec3::Z,
            DVec3::ONE.try_normalize().unwrap(),
        ] {
            let rotation = DQuat::from_axis_angle(axis, angle);
            let axes = DMat3::from_quat(rotation);
            let extent = 0.5
                * DVec3::AXES
                    .map(|of| (axes * of).x.abs())
                    .iter()
                    .sum::<f64>();
            // The farthest point of the cube is 1 from the wall at the start.
            let pose = |x: f64| Pose {
                position: at(x, 0.25, 0.125),
                rotation,
            };
            let motion = Motion {
                start: pose(-1.5 - extent),
                end: pose(0.5 - extent),
            };
            let still = Motion::still(Pose::IDENTITY);
            let impact = hit((&cube, motion), (&wall, still));
            close(impact.fraction, 0.5, 1e-12);
            let impact = hit((&wall, still), (&cube, motion));
            close(impact.fraction, 0.5, 1e-12);
        }
    }
}

#[test]
fn a_contact_is_the_same_far_from_the_origin() {
    let quarter = DQuat::from_rotation_y(0.25);
    let triangle = |by: DVec3| {
        Placed::Triangle(Triangle {
            a: at(-2.0, 0.0, -2.0) + by,
            b: at(0.0, 0.0, 3.0) + by,
            c: at(2.0, 0.0, -2.0) + by,
            facing: Facing::Both,
        })
    };
    let shapes = |by: DVec3| {
        let center = at(0.25, 0.375, 0.125) + by;
        let segment = Segment {
            a: center - at(0.5, 0.25, 0.0),
            b: center + at(0.5, 0.25, 0.0),
        };
        [
            Placed::Sphere(Sphere {
                center,
                radius: 0.5,
            }),
            Placed::Capsule(Capsule {
                segment,
                radius: 0.25,
            }),
            Placed::Obb(Obb {
                center,
                half_extents: at(0.5, 0.625, 0.75),
                rotation: quarter,
            }),
            triangle(by),
        ]
    };
    let cube = |by: DVec3| {
        Placed::Obb(Obb {
            center: by - DVec3::Y * 0.25,
            half_extents: DVec3::splat(0.5),
            rotation: DQuat::IDENTITY,
        })
    };
    let far = DVec3::new(1e6, -1e6, 1e6);
    for index in 0..4 {
        for other in [cube, triangle] {
            let near = contact_placed(&shapes(DVec3::ZERO)[index], &other(DVec3::ZERO));
            let there = contact_placed(&shapes(far)[index], &other(far));
            let (Some(near), Some(there)) = (near, there) else {
                panic!("{index}: {near:?} {there:?}");
            };
            let tolerance = bound(1e6);
            close(there.depth, near.depth, tolerance);
            close(there.normal.distance(near.normal), 0.0, tolerance);
            close(there.point.distance(near.point + far), 0.0, tolerance);
            assert_eq!(
                (there.feature_a, there.feature_b),
                (near.feature_a, near.feature_b)
            );
        }
    }
}

/// Such a shallow path was treated as a graze of the surface, however deep it goes below it: 1e-7 m here.
#[test]
fn a_shallow_path_along_a_capsule_hits() {
    let rod = |center: DVec3, half: f64| Segment {
        a: center - DVec3::X * half,
        b: center + DVec3::X * half,
    };
    let capsule = Shape::Capsule(Capsule {
        segment: rod(DVec3::ZERO, 8.0),
        radius: 0.5,
    });
    let movers = [
        ball(0.5),
        Shape::Capsule(Capsule {
            segment: rod(DVec3::ZERO, 0.5),
            radius: 0.5,
        }),
        Shape::Capsule(Capsule {
            segment: Segment {
                a: DVec3::ZERO,
                b: DVec3::new(0.5, 0.25, 0.5),
            },
            radius: 0.5,
        }),
    ];
    for mover in movers {
        let motion = Motion {
            start: Pose::at(at(-5.0, 1.0 + 1e-8, 0.0)),
            end: Pose::at(at(5.0, 1.0 - 9e-8, 0.0)),
        };
        let still = Motion::still(Pose::IDENTITY);
        let impact = hit((&mover, motion), (&capsule, still));
        close(impact.fraction, 0.1, 1e-6);
        let impact = hit((&capsule, still), (&mover, motion));
        close(impact.fraction, 0.1, 1e-6);
    }
}

/// The overlap was searched only 1e-6 of the size ahead, which is less than the error bound far from the origin.
#[test]
fn a_segment_that_enters_a_box_at_a_shallow_angle_hits() {
    for far in FAR {
        let wall = Motion::still(Pose::at(along_x(far)));
        for end in [DVec3::Z, DVec3::ZERO] {
            let segment = Shape::Segment(Segment {
                a: DVec3::ZERO,
                b: end,
            });
            // Down by 1 cm over 10 m, from 1 mm above the top.
            let start = at(-2.0, 0.501, 0.0) + along_x(far);
            let motion = Motion {
                start: Pose::at(start),
                end: Pose::at(start + at(10.0, -0.01, 0.0)),
            };
            let impact = hit((&segment, motion), (&cuboid(5.0, 0.5, 5.0), wall));
            close(impact.fraction, 0.1, 1e-9 + bound(far) / 0.01);
            close(impact.normal.y, 1.0, 1e-9);
        }
    }
}

/// A ball of half a metre over the edge of a cube at -1, and over a rod from -1 to 1 whose radius makes the same height: one unit in the last place
/// above touching is within the error bound, and is no miss; a nanometre above is one.
#[test]
fn a_ball_that_passes_within_rounding_grazes() {
    let rod = Shape::Capsule(Capsule {
        segment: Segment {
            a: DVec3::NEG_X,
            b: DVec3::X,
        },
        radius: 1.0,
    });
    let ball = ball(0.5);
    let over = |other: &Shape, height: f64| {
        let path = Motion {
            start: Pose::at(at(-4.0, height, 0.0)),
            end: Pose::at(at(4.0, height, 0.0)),
        };
        let still = Motion::still(Pose::IDENTITY);
        sweep(&ball, &path, other, &still, &mut ()).outcome
    };
    for other in [cuboid(1.0, 1.0, 1.0), rod] {
        match over(&other, 1.5_f64.next_up()) {
            SweepOutcome::Grazes { fraction } => close(fraction, 0.375, 1e-6),
            outcome => panic!("{other:?}: {outcome:?}"),
        }
        assert_eq!(over(&other, 1.5 + 1e-9), SweepOutcome::Misses, "{other:?}");
    }
}

/// On a plane a triangle stands on one edge, or lies on its face where it is tilted by less than a logged rotation is good to, 1e-6 rad, however
/// large it is.
#[test]
fn the_part_that_touches_goes_by_the_angle_and_not_by_the_size() {
    let ground = Plane {
        normal: DVec3::Y,
        offset: 0.0,
    };
    for size in [0.01, 1.0, 100.0] {
        for (tilt, feature) in [(5e-7, Feature::Face(0)), (2e-6, Feature::Edge(0))] {
            let triangle = Triangle {
                a: DVec3::ZERO,
                b: at(size, 0.0, 0.0),
                c: at(0.0, tilt * size, size),
                facing: Facing::Both,
            };
            let contact = contact(&Placed::Triangle(triangle), &Placed::Plane(ground), &mut ());
            assert_eq!(contact.unwrap().feature_a, feature, "{size} m, {tilt} rad");
        }
    }
}

/// The normal of a gap is from the second toward the first, in either order: a ball 1 m above a plane, a cube, a triangle, a mesh and a hull.
#[test]
fn the_normal_of_a_gap_turns_with_the_order() {
    let triangle = Triangle {
        a: at(-4.0, 0.0, -4.0),
        b: at(0.0, 0.0, 6.0),
        c: at(4.0, 0.0, -4.0),
        facing: Facing::Both,
    };
    let vertices = vec![triangle.a, triangle.b, triangle.c];
    let mesh = Mesh::new(vertices, vec![[0, 1, 2]], Facing::Both).unwrap();
    let plane = Plane {
        normal: DVec3::Y,
        offset: 0.0,
    };
    let ball = ball(0.5);
    let ball = ball.placed(&Pose::at(at(0.0, 1.5, 0.0)));
    for (other, y) in [
        (Shape::Plane(plane), 0.0),
        (cuboid(1.0, 1.0, 1.0), -1.0),
        (Shape::Triangle(triangle), 0.0),
        (Shape::Mesh(Arc::new(mesh)), 0.0),
    ] {
        let pose = Pose::at(DVec3::Y * y);
        let placed = other.placed(&pose);
        let (one, two) = (gap(&ball, &placed).unwrap(), gap(&placed, &ball).unwrap());
        for (found, normal) in [(one, DVec3::Y), (two, DVec3::NEG_Y)] {
            close(found.distance, 1.0, 1e-12);
            assert!(found.normal.distance(normal) < 1e-12, "{other:?}");
        }
        assert!(one.point_a.distance(DVec3::Y) < 1e-12, "{other:?}");
        assert!(one.point_b.distance(DVec3::ZERO) < 1e-12, "{other:?}");
        assert_eq!((one.point_a, one.point_b), (two.point_b, two.point_a));
    }
}

/// A triangle without area acts as its longest edge: a ball whose centre is on it is pushed square to that edge, also away from the origin.
#[test]
fn a_ball_on_a_triangle_without_area_is_pushed_square_to_its_longest_edge() {
    let along = at(1.0, 2.0, 3.0);
    for (a, b, c) in [
        (0.0, 0.0, 2.0),
        (0.0, 2.0, 2.0),
        (2.0, 0.0, 2.0),
        (0.0, 1.0, 2.0),
    ] {
        let triangle = Shape::Triangle(Triangle {
            a: along * a,
            b: along * b,
            c: along * c,
            facing: Facing::Both,
        });
        for origin in [DVec3::ZERO, at(16.0, -8.0, 4.0)] {
            let ball = ball(0.5);
            let (ball, triangle) = (
                ball.placed(&Pose::at(origin + along)),
                triangle.placed(&Pose::at(origin)),
            );
            let found = contact(&ball, &triangle, &mut ()).unwrap();
            close(found.depth, 0.5, 1e-12);
            close(found.normal.dot(along), 0.0, 1e-12);
            assert!(found.fallback);
        }
    }
}

/// A line and a triangle without thickness fall by 2 m on others that cross or face them a metre below, away from the origin.
#[test]
fn what_has_no_thickness_meets_away_from_the_origin_as_well() {
    let line = |a: [f64; 3], b: [f64; 3]| {
        let [a, b] = [a, b].map(DVec3::from_array);
        Shape::Segment(Segment { a, b })
    };
    let face = |size: f64| {
        Shape::Triangle(Triangle {
            a: DVec3::new(-size, 0.0, -size),
            b: DVec3::new(0.0, 0.0, size),
            c: DVec3::new(size, 0.0, -size),
            facing: Facing::Both,
        })
    };
    for (one, other) in [
        (
            line([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
            line([0.5, 0.0, -2.0], [0.5, 0.0, 1.0]),
        ),
        (face(1.0), face(3.0)),
    ] {
        let at = |y: f64| Pose::at(DVec3::new(7.0, y, -3.0));
        let falls = Motion {
            start: at(6.0),
            end: at(4.0),
        };
        let swept = sweep(&one, &falls, &other, &Motion::still(at(5.0)), &mut ());
        let impact = swept.outcome.impact().expect("they meet");
        assert!((impact.fraction - 0.5).abs() < 1e-12, "{impact:?}");
        assert!(impact.normal.distance(DVec3::Y) < 1e-12, "{impact:?}");
    }
}
