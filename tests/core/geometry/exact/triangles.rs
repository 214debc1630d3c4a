//! Triangles against arithmetic without rounding: one-sided ones, meshes at poses, capsules that move past; and points over planes.

use super::oracle::{
    SpherePath, Truth, WholeRotation, dot, minus, power_of, ratio, times, unit, whole, whole_vector,
};
use super::placed::{contact_placed, sweep_against, sweep_placed};
use super::random::{Random, case};
use super::stats::{MIX, Stats, bound_of, path_of, sphere_of, tolerance_of, tolerance_of_case};
use crate::common::rounds;
use glam::{DQuat, DVec3};
use hitstop::core::shape::{
    Capsule, Facing, Mesh, Placed, Plane, Pose, Segment, Shape, Sphere, Triangle,
};
use std::sync::Arc;

#[test]
fn spheres_and_one_sided_triangles() {
    let mut stats = Stats::default();
    for seed in 0..rounds(6000) {
        let mut random = Random(seed ^ 0x51de);
        let mut case = case(seed, 3);
        case.radii[1] = 0.0;
        let (d, e) = (case.displacement, case.other);
        // Now and then the centre starts, ends or reverses in the plane, as nearly as rounding allows.
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
        let path = path_of(&case);
        // Without area there are no sides, and with hardly any the triangle acts as its longest edge.
        let [p, q, r] = [b - a, c - b, a - c];
        let longest = p
            .length_squared()
            .max(q.length_squared())
            .max(r.length_squared());
        if p.cross(q).length() <= 1e-12 * longest {
            continue;
        }
        let what = format!("seed {seed}, {}", case.kind);
        let (ball, triangle) = (Placed::Sphere(sphere_of(&case)), Placed::Triangle(triangle));
        let tolerance = tolerance_of_case(&case);
        let truth = in_front(&path, tolerance);
        let swept = sweep_placed(&ball, d, &triangle, e);
        stats.sweep(&what, &swept, &truth, tolerance, (d - e, || path.time()));
        // The side of the centre is exact.
        let distance = if path.heights()[0] < 0.0 {
            f64::INFINITY
        } else {
            truth.start
        };
        stats.contact(&what, contact_placed(&ball, &triangle), distance, tolerance);
    }
    stats.check(&MIX, 0, 0.35);
}

/// The same sphere against the triangle's front only: a sphere that touches while its centre is behind passes, at any distance.
fn in_front(path: &SpherePath, tolerance: f64) -> Truth {
    const PASSES: Truth = Truth {
        start: f64::INFINITY,
        least: f64::INFINITY,
    };
    const UNDECIDED: Truth = Truth {
        start: 0.0,
        least: 0.0,
    };
    let (truth, [from, to]) = (path.truth(), path.heights());
    match truth.verdict(tolerance) {
        "Overlapping" if from < 0.0 => PASSES,
        "Hits" => {
            let Some(time) = path.time() else {
                return UNDECIDED;
            };
            let height = from + (to - from) * time;
            // The time of a shallow hit is no more accurate than this.
            let unsure = tolerance + 1e-9 * (to - from).abs() + shallow(path, &truth, tolerance);
            if height < -unsure {
                PASSES
            } else if height > unsure {
                truth
            } else {
                UNDECIDED
            }
        }
        "Overlapping" | "Misses" => truth,
        _ => UNDECIDED,
    }
}

/// Distance that the centre may travel within the tolerance of touching, metres.
fn shallow(path: &SpherePath, truth: &Truth, tolerance: f64) -> f64 {
    let step = ratio(&dot(&path.step, &path.step), &(&path.unit * &path.unit)).sqrt();
    // At worst a parabola of the radius around the minimum.
    let radius_sum = ratio(&path.radius_sum, &path.unit);
    let near =
        (2.0 * (radius_sum + tolerance) * tolerance * (1.0 + tolerance / truth.least.abs())).sqrt();
    near.min(step)
}

/// Some triangles around the case's, at a pose: the deepest and the earliest count.
#[test]
fn spheres_and_meshes() {
    let mut stats = Stats::default();
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
        let into_frame = WholeRotation::of(rotation);
        let center = into_frame.back(&minus(&center, &position));
        let corner = |index: u32| {
            let vertex = whole_vector(vertices[index as usize], power);
            minus(&times(&vertex, &into_frame.square), &center)
        };
        let paths: Vec<SpherePath> = triangles
            .iter()
            .map(|corners| SpherePath {
                corners: corners.map(corner).to_vec(),
                step: into_frame.back(&minus(&d, &e)),
                radius_sum: whole(case.radii[0], power) * &into_frame.square,
                unit: unit(power) * &into_frame.square,
            })
            .collect();
        let truths: Vec<Truth> = paths.iter().map(SpherePath::truth).collect();
        let least = |of: fn(&Truth) -> f64| truths.iter().map(of).fold(f64::INFINITY, f64::min);
        let truth = Truth {
            start: least(|truth| truth.start),
            least: least(|truth| truth.least),
        };
        let what = format!("seed {seed}, {}", case.kind);
        let ball = Placed::Sphere(Sphere {
            center: ball_at,
            radius: case.radii[0],
        });
        let corners = mesh.vertices().map(|vertex| pose.point(vertex));
        let local = vertices.iter().copied();
        let all = corners.chain(local).chain(numbers).chain([case.center]);
        let tolerance = tolerance_of(all, case.radii[0]);
        let mesh = Shape::Mesh(Arc::new(mesh));
        let swept = sweep_against(&ball, steps[0], (&mesh, &pose), steps[1]);
        let time = || paths.iter().filter_map(SpherePath::time).reduce(f64::min);
        let step = steps[0] - steps[1];
        stats.sweep(&what, &swept, &truth, tolerance, (step, time));
        let contact = contact_placed(&ball, &mesh.placed(&pose));
        stats.contact(&what, contact, truth.start, tolerance);
    }
    stats.check(&MIX, 20, 0.25);
}

/// The core begins at the centre of the case's sphere.
#[test]
fn capsules_and_triangles() {
    let mut stats = Stats::default();
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
        let points = [a, b, c, core.a, core.b, d, e];
        let all = points.iter().flat_map(|v| v.to_array());
        let power = power_of(all.chain([case.radii[0]]));
        let [a, b, c, first, last, step, other] = points.map(|v| whole_vector(v, power));
        let corners = [&a, &b, &c];
        let path = SpherePath {
            corners: [&first, &last]
                .into_iter()
                .flat_map(|end| corners.map(|corner| minus(corner, end)))
                .collect(),
            step: minus(&step, &other),
            radius_sum: whole(case.radii[0], power),
            unit: unit(power),
        };
        let what = format!("seed {seed}, {}", case.kind);
        let capsule = Placed::Capsule(Capsule {
            segment: core,
            radius: case.radii[0],
        });
        let triangle = Placed::Triangle(triangle);
        let (truth, tolerance) = (path.truth(), tolerance_of(points, case.radii[0]));
        let swept = sweep_placed(&capsule, d, &triangle, e);
        stats.sweep(&what, &swept, &truth, tolerance, (d - e, || path.time()));
        let contact = contact_placed(&capsule, &triangle);
        stats.contact(&what, contact, truth.start, tolerance);
    }
    stats.check(&MIX, 20, 0.25);
}

/// Capsules, segments and triangles over a half space: the deepest of their points, less the radius, decides.
#[test]
fn pointed_shapes_and_planes() {
    let mut stats = Stats::default();
    for seed in 0..rounds(3000) {
        let mut random = Random(seed ^ 0x91a3);
        let mut case = case(seed, 3);
        let [a, b, c] = [0, 1, 2].map(|k| case.corners[k]);
        let segment = Segment { a, b };
        let (shape, points) = match seed % 3 {
            0 => (
                Placed::Capsule(Capsule {
                    segment,
                    radius: case.radii[0],
                }),
                vec![a, b],
            ),
            1 => (Placed::Segment(segment), vec![a, b]),
            _ => (
                Placed::Triangle(Triangle {
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
        // Nearly touching at the start, or at the end.
        let lowest = points
            .iter()
            .map(|&point| normal.dot(point))
            .fold(f64::INFINITY, f64::min);
        let touching = lowest - case.radii[0];
        let bound = bound_of(points[0].abs().max_element());
        let offset = match random.below(3) {
            0 => touching + random.range(-1.0, 0.1),
            1 => random.near(touching, bound),
            _ => random.near(touching + normal.dot(case.displacement), bound),
        };
        let plane = Placed::Plane(Plane { normal, offset });
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
        let metre = unit(2 * power);
        let (gap, approach) = (ratio(&apart, &metre), ratio(&closing, &metre));
        let truth = Truth {
            start: gap,
            least: gap.min(gap + approach),
        };
        let what = format!("seed {seed}, {}", case.kind);
        let others = [case.displacement, DVec3::splat(offset)];
        let tolerance = tolerance_of(points.iter().copied().chain(others), case.radii[0]);
        let swept = sweep_placed(&shape, case.displacement, &plane, DVec3::ZERO);
        let time = || Some(gap / -approach);
        stats.sweep(&what, &swept, &truth, tolerance, (case.displacement, time));
        stats.contact(&what, contact_placed(&shape, &plane), gap, tolerance);
    }
    stats.check(&MIX[..2], 50, 0.25);
}
