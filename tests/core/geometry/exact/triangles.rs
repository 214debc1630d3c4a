//! Triangles against arithmetic without rounding: one-sided ones, meshes at poses, and capsules on their way past.

use super::oracle::{
    Turn, Way, determinant, dot, minus, power_of, sign, times, whole, whole_vector,
};
use super::random::{Random, case};
use super::tally::{MIX, Tally, size_of, sphere_of, way_of};
use crate::common::rounds;
use glam::{DQuat, DVec3};
use hitstop::core::query::contact::{contact_sphere_mesh, contact_sphere_triangle};
use hitstop::core::query::sweep::{sweep_sphere_mesh, sweep_sphere_triangle};
use hitstop::core::query::{contact, contact_capsule_triangle, sweep, sweep_capsule_triangle};
use hitstop::core::shape::{Capsule, Facing, Mesh, Motion, Plane, Pose, Segment, Shape, Triangle};
use std::cmp::Ordering;

#[test]
fn spheres_and_one_sided_triangles() {
    let mut tally = Tally::default();
    for seed in 0..rounds(6000) {
        let mut random = Random(seed ^ 0x51de);
        let mut case = case(seed, 3);
        case.radii[1] = 0.0;
        let (d, e) = (case.displacement, case.other);
        // Now and then the centre begins, ends or turns in the plane, as nearly as rounding allows.
        let in_plane =
            case.corners[0] + (case.corners[1] - case.corners[2]) * random.range(-1.0, 1.0);
        match random.below(8) {
            0 => case.center = in_plane,
            1 => case.center = in_plane - (d - e),
            2 => case.center = in_plane - (d - e) * 0.5,
            _ => {}
        }
        let [a, b, c] = [0, 1, 2].map(|k| case.corners[k]);
        let triangle = Triangle {
            a,
            b,
            c,
            facing: Facing::Front,
        };
        let way = way_of(&case);
        // What has no area has no sides, and what has next to none acts as its longest edge.
        let [p, q, r] = [b - a, c - b, a - c];
        let longest = p
            .length_squared()
            .max(q.length_squared())
            .max(r.length_squared());
        if p.cross(q).length() <= 1e-12 * longest {
            continue;
        }
        let what = format!("seed {seed}, {}", case.kind);
        let ball = sphere_of(&case);
        let swept = sweep_sphere_triangle(&ball, d, &triangle, e, &mut ());
        tally.outcome(&what, &swept, way.front_outcome());
        let [x, y, z] = [&way.corners[0], &way.corners[1], &way.corners[2]];
        // Seen from the centre: behind, the corners go round with the clock.
        let distance = match sign(&determinant(x, y, z)) {
            Ordering::Greater => Ordering::Greater,
            _ => way.start(),
        };
        tally.contact(
            &what,
            contact_sphere_triangle(&ball, &triangle, &mut ()),
            distance,
        );
    }
    tally.check(&MIX, 0);
}

/// Some triangles around the case's, at a pose: the deepest and the earliest count.
#[test]
fn spheres_and_meshes() {
    let mut tally = Tally::default();
    for seed in 0..rounds(3000) {
        let mut random = Random(seed ^ 0x3e54);
        let mut case = case(seed, 3);
        case.radii[1] = 0.0;
        let far = case.corners[0] - random.grid(8);
        let vertices: Vec<DVec3> = [0, 1, 2]
            .map(|k| case.corners[k])
            .into_iter()
            .chain([far])
            .collect();
        // The case's triangle twice, one beside it, one without area.
        let triangles = vec![[0, 1, 2], [1, 2, 0], [0, 2, 3], [1, 1, 3]];
        let rotation = match seed % 3 {
            0 => DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), random.range(-3.0, 3.0)),
            _ => DQuat::IDENTITY,
        };
        let pose = Pose {
            position: random.point(1.0) * [0.0, 1.0, 1e3][random.below(3) as usize],
            rotation,
        };
        let ball_at = pose.point(case.center);
        let steps = [case.displacement, case.other].map(|step| pose.vector(step));
        let mesh = Mesh::new(vertices.clone(), triangles.clone(), Facing::Both).unwrap();

        let numbers = [pose.position, ball_at, steps[0], steps[1]];
        let all = vertices.iter().chain(&numbers).flat_map(|v| v.to_array());
        let power = power_of(all.chain([case.radii[0]]));
        let [position, center, d, e] = numbers.map(|v| whole_vector(v, power));
        let turn = Turn::of(rotation);
        let center = turn.back(&minus(&center, &position));
        let corner = |index: u32| {
            let vertex = whole_vector(vertices[index as usize], power);
            minus(&times(&vertex, &turn.square), &center)
        };
        let ways: Vec<Way> = triangles
            .iter()
            .map(|corners| Way {
                corners: corners.map(corner).to_vec(),
                step: turn.back(&minus(&d, &e)),
                reach: whole(case.radii[0], power) * &turn.square,
            })
            .collect();
        let outcomes: Vec<&str> = ways.iter().map(Way::outcome).collect();
        let what = format!("seed {seed}, {}, {outcomes:?}", case.kind);
        let ball = hitstop::core::shape::Sphere {
            center: ball_at,
            radius: case.radii[0],
        };
        let swept = sweep_sphere_mesh(&ball, steps[0], &mesh, &pose, steps[1], &mut ());
        let met = ["Overlapping", "Hits"]
            .into_iter()
            .find(|name| outcomes.contains(name));
        match met {
            Some(name) => tally.outcome(&what, &swept, name),
            None => {
                let name = swept.name();
                tally.yes(&what, matches!(name, "Overlapping" | "Hits"), false);
                // It is the outcome of one of the triangles.
                tally.yes(&what, outcomes.contains(&name), true);
            }
        }
        let start = ways.iter().map(Way::start).min().unwrap();
        tally.contact(
            &what,
            contact_sphere_mesh(&ball, &mesh, &pose, &mut ()),
            start,
        );
        if met == Some("Hits") && swept.name() == "Hits" && seed % 4 == 0 {
            let first = ways.iter().filter_map(Way::time).reduce(f64::min);
            let gaps = triangles.iter().map(|corners| {
                let [a, b, c] = corners.map(|k| vertices[k as usize]);
                let triangle = Triangle {
                    a,
                    b,
                    c,
                    facing: Facing::Both,
                };
                let (nearest, _) = hitstop::core::query::closest_point::closest_point_on_triangle(
                    case.center,
                    &triangle,
                );
                (case.center - nearest).length() - case.radii[0]
            });
            let gap = gaps.reduce(f64::min).unwrap();
            let size = size_of(&case)
                .max(ball_at.length())
                .max((far - case.center).length());
            tally.time(&what, &swept, steps[0] - steps[1], gap, size, first);
        }
    }
    tally.check(&[("Overlapping", 200), ("Hits", 200)], 20);
}

/// The core begins where the case's sphere is.
#[test]
fn capsules_and_triangles() {
    let mut tally = Tally::default();
    for seed in 0..rounds(2100) {
        let mut random = Random(seed ^ 0xca97);
        let mut case = case(seed, 3);
        case.radii[1] = 0.0;
        let away = case.center - case.corners[0];
        let along = [away, random.grid(3), random.point(4.0)][random.below(3) as usize];
        let core = Segment {
            a: case.center,
            b: case.center + along,
        };
        let [a, b, c] = [0, 1, 2].map(|k| case.corners[k]);
        let triangle = Triangle {
            a,
            b,
            c,
            facing: Facing::Both,
        };
        let (d, e) = (case.displacement, case.other);
        let numbers = [a, b, c, core.a, core.b, d, e];
        let all = numbers.iter().flat_map(|v| v.to_array());
        let power = power_of(all.chain([case.radii[0]]));
        let [a, b, c, first, last, step, other] = numbers.map(|v| whole_vector(v, power));
        let corners = [&a, &b, &c];
        let way = Way {
            corners: [&first, &last]
                .into_iter()
                .flat_map(|end| corners.map(|corner| minus(corner, end)))
                .collect(),
            step: minus(&step, &other),
            reach: whole(case.radii[0], power),
        };
        let what = format!("seed {seed}, {}", case.kind);
        let capsule = Capsule {
            segment: core,
            radius: case.radii[0],
        };
        let swept = sweep_capsule_triangle(&capsule, d, &triangle, e, &mut ());
        let expected = way.outcome();
        tally.outcome(&what, &swept, expected);
        let contact = contact_capsule_triangle(&capsule, &triangle, &mut ());
        tally.contact(&what, contact, way.start());
        if expected == "Hits" && swept.name() == "Hits" && seed % 4 == 0 {
            let sizes = [case.radii[0], size_of(&case).max(along.length())];
            tally.way_time(&what, &swept, &way, d - e, sizes);
        }
    }
    tally.check(&MIX[..4], 20);
}

/// Capsules, segments and triangles over a half space: the deepest of their points, grown by the radius, decides.
#[test]
fn pointed_shapes_and_planes() {
    let mut tally = Tally::default();
    for seed in 0..rounds(3000) {
        let mut random = Random(seed ^ 0x91a3);
        let mut case = case(seed, 3);
        let [a, b, c] = [0, 1, 2].map(|k| case.corners[k]);
        let segment = Segment { a, b };
        let (shape, points) = match seed % 3 {
            0 => (
                Shape::Capsule(Capsule {
                    segment,
                    radius: case.radii[0],
                }),
                vec![a, b],
            ),
            1 => (Shape::Segment(segment), vec![a, b]),
            _ => (
                Shape::Triangle(Triangle {
                    a,
                    b,
                    c,
                    facing: Facing::Both,
                }),
                vec![a, b, c],
            ),
        };
        if seed % 3 != 0 {
            case.radii[0] = 0.0;
        }
        let normals = [
            DVec3::Y,
            -DVec3::X,
            DVec3::new(0.6, 0.8, 0.0),
            random.point(1.0),
        ];
        let normal = normals[random.below(4) as usize].try_normalize().unwrap();
        // About touching at the start, or at the end.
        let lowest = points
            .iter()
            .map(|&point| normal.dot(point))
            .fold(f64::INFINITY, f64::min);
        let touching = lowest - case.radii[0];
        let offset = match random.below(3) {
            0 => touching + random.range(-1.0, 0.1),
            1 => random.nudge(touching),
            _ => random.nudge(touching + normal.dot(case.displacement)),
        };
        let plane = Shape::Plane(Plane { normal, offset });
        let all = points.iter().chain([&normal, &case.displacement]);
        let power = power_of(
            all.flat_map(|v| v.to_array())
                .chain([offset, case.radii[0]]),
        );
        let n = whole_vector(normal, power);
        // Products of two lengths have twice the power.
        let level = (whole(offset, power) + whole(case.radii[0], power)) << power as usize;
        let apart = points
            .iter()
            .map(|&point| dot(&n, &whole_vector(point, power)) - &level);
        let apart = apart.min().unwrap();
        let closing = dot(&n, &whole_vector(case.displacement, power));
        let expected = match (sign(&apart), sign(&closing), sign(&(&apart + &closing))) {
            (Ordering::Less, ..) => "Overlapping",
            (_, Ordering::Equal | Ordering::Greater, _) => "Receding",
            (_, _, Ordering::Less) => "Hits",
            _ => "Later",
        };
        let what = format!("seed {seed}, {}", case.kind);
        let moves = Motion {
            start: Pose::IDENTITY,
            end: Pose::at(case.displacement),
        };
        let still = Motion::still(Pose::IDENTITY);
        let swept = sweep(&shape, &moves, &plane, &still, &mut ()).outcome;
        tally.outcome(&what, &swept, expected);
        let (one, other) = (shape.placed(&Pose::IDENTITY), plane.placed(&Pose::IDENTITY));
        tally.contact(&what, contact(&one, &other, &mut ()), sign(&apart));
    }
    let mix = [
        ("Overlapping", 100),
        ("Receding", 100),
        ("Later", 50),
        ("Hits", 100),
    ];
    tally.check(&mix, 0);
}
