//! Every verdict against arithmetic without rounding, on seeded tables in which everything that can be close is close; and
//! times of impact to 1e-9 where they are well conditioned.
//!
//! A time is well conditioned where neither the gap at the start nor the steepness of the impact is nearly nothing: the bound
//! asked here is the one that the docs of `hitstop::core::query::sweep` state.

use super::oracle::{Way, Whole, determinant, dot, minus, power_of, sign, whole, whole_vector};
use super::random::{Case, Random, case};
use super::tally::{MIX, Tally, size_of, sphere_of, to_f64, way_of};
use crate::common::rounds;
use glam::DVec3;
use hitstop::core::query::contact::{
    contact_sphere_capsule, contact_sphere_plane, contact_sphere_segment, contact_sphere_sphere,
    contact_sphere_triangle, overlaps_sphere_sphere,
};
use hitstop::core::query::sweep::{
    sweep_sphere_capsule, sweep_sphere_plane, sweep_sphere_segment, sweep_sphere_sphere,
    sweep_sphere_triangle,
};
use hitstop::core::query::{Contact, Steps, SweepOutcome, ray_cast_triangle};
use hitstop::core::shape::{
    Capsule, Facing, Motion, Plane, Pose, Segment, Shape, Sphere, Triangle,
};
use num_bigint::BigInt;
use std::cmp::Ordering;

/// One table: `query` answers sweep, contact and the distance at the start of one case.
fn table(
    count: u64,
    corners: usize,
    times: u32,
    query: impl Fn(&Case) -> (SweepOutcome, Option<Contact>),
) {
    let mut tally = Tally::default();
    for seed in 0..rounds(count) {
        let mut case = case(seed, corners);
        if corners == 3 || corners == 2 && seed % 2 == 0 {
            case.radii[1] = 0.0;
        }
        let way = way_of(&case);
        let what = format!("seed {seed}, {}", case.kind);
        let (swept, contact) = query(&case);
        let expected = way.outcome();
        tally.outcome(&what, &swept, expected);
        tally.contact(&what, contact, way.start());
        if expected == "Hits" && swept.name() == "Hits" {
            let step = case.displacement - case.other;
            let sizes = [case.radii[0] + case.radii[1], size_of(&case)];
            tally.way_time(&what, &swept, &way, step, sizes);
        }
    }
    tally.check(&MIX, times);
}

#[test]
fn pairs_of_spheres() {
    table(6000, 1, 200, |case| {
        let (ball, other) = (
            sphere_of(case),
            Sphere {
                center: case.corners[0],
                radius: case.radii[1],
            },
        );
        let contact = contact_sphere_sphere(&ball, &other, &mut ());
        assert_eq!(
            contact.is_some(),
            overlaps_sphere_sphere(&ball, &other, &mut ()),
            "{case:?}"
        );
        (
            sweep_sphere_sphere(&ball, case.displacement, &other, case.other, &mut ()),
            contact,
        )
    });
}

#[test]
fn spheres_and_segments_and_capsules() {
    table(4000, 2, 300, |case| {
        let ball = sphere_of(case);
        let segment = Segment {
            a: case.corners[0],
            b: case.corners[1],
        };
        if case.radii[1] == 0.0 {
            let swept =
                sweep_sphere_segment(&ball, case.displacement, &segment, case.other, &mut ());
            return (swept, contact_sphere_segment(&ball, &segment, &mut ()));
        }
        let capsule = Capsule {
            segment,
            radius: case.radii[1],
        };
        let swept = sweep_sphere_capsule(&ball, case.displacement, &capsule, case.other, &mut ());
        (swept, contact_sphere_capsule(&ball, &capsule, &mut ()))
    });
}

#[test]
fn spheres_and_triangles() {
    table(3000, 3, 200, |case| {
        let ball = sphere_of(case);
        let [a, b, c] = [0, 1, 2].map(|k| case.corners[k]);
        let triangle = Triangle {
            a,
            b,
            c,
            facing: Facing::Both,
        };
        let swept = sweep_sphere_triangle(&ball, case.displacement, &triangle, case.other, &mut ());
        (swept, contact_sphere_triangle(&ball, &triangle, &mut ()))
    });
}

#[test]
fn capsules_and_capsules() {
    // A case's third corner and its centre are the other segment's ends: the differences are four corners around the origin.
    let mut tally = Tally::default();
    for seed in 0..rounds(2000) {
        let case = case(seed, 3);
        let what = format!("seed {seed}, {}", case.kind);
        let one = Segment {
            a: case.center,
            b: case.center + DVec3::new(1.0, 0.5, -0.25),
        };
        let two = Segment {
            a: case.corners[0],
            b: case.corners[1],
        };
        let ends = [one.a, one.b, two.a, two.b, case.displacement, case.other];
        let power = power_of(ends.iter().flat_map(|v| v.to_array()).chain(case.radii));
        let [a, b, c, d, step, other] = ends.map(|v| whole_vector(v, power));
        let way = Way {
            corners: vec![minus(&c, &a), minus(&d, &a), minus(&d, &b), minus(&c, &b)],
            step: minus(&step, &other),
            reach: whole(case.radii[0], power) + whole(case.radii[1], power),
        };
        let capsule = |segment, radius| Shape::Capsule(Capsule { segment, radius });
        let (first, second) = (capsule(one, case.radii[0]), capsule(two, case.radii[1]));
        let motion = |displacement| Motion {
            start: Pose::IDENTITY,
            end: Pose::at(displacement),
        };
        let (fast, still) = (motion(case.displacement), motion(case.other));
        let swept = hitstop::core::query::sweep(&first, &fast, &second, &still, &mut ()).outcome;
        let expected = way.outcome();
        tally.outcome(&what, &swept, expected);
        let contact = hitstop::core::query::contact(
            &first.placed(&Pose::IDENTITY),
            &second.placed(&Pose::IDENTITY),
            &mut (),
        );
        tally.contact(&what, contact, way.start());
        if expected == "Hits" && swept.name() == "Hits" {
            let size = size_of(&case).max((one.b - two.a).length());
            let sizes = [case.radii[0] + case.radii[1], size];
            tally.way_time(&what, &swept, &way, case.displacement - case.other, sizes);
        }
    }
    tally.check(
        &[
            ("Overlapping", 100),
            ("Receding", 100),
            ("Misses", 100),
            ("Hits", 200),
        ],
        100,
    );
}

#[test]
fn spheres_and_planes() {
    let mut tally = Tally::default();
    for seed in 0..rounds(3000) {
        let mut random = Random(seed ^ 0x91a7);
        let case = case(seed, 1);
        let normals = [
            DVec3::Y,
            -DVec3::X,
            DVec3::new(0.6, 0.8, 0.0),
            random.point(1.0),
        ];
        let normal = normals[random.below(4) as usize].try_normalize().unwrap();
        // Through the case's corner as nearly as rounding allows, or so that the start (or the end) about touches.
        let touching = normal.dot(case.center) - case.radii[0];
        let offset = match random.below(3) {
            0 => normal.dot(case.corners[0]),
            1 => random.nudge(touching),
            _ => random.nudge(touching + normal.dot(case.displacement - case.other)),
        };
        let plane = Plane { normal, offset };
        let numbers = [normal, case.center, case.displacement, case.other];
        let all = numbers.iter().flat_map(|v| v.to_array());
        let power = power_of(all.chain([offset, case.radii[0]]));
        let [n, center, d, e] = numbers.map(|v| whole_vector(v, power));
        // Products of two lengths have twice the power.
        let apart = dot(&n, &center)
            - ((whole(offset, power) + whole(case.radii[0], power)) << power as usize);
        let closing = dot(&n, &minus(&d, &e));
        let expected = match (sign(&apart), sign(&closing), sign(&(&apart + &closing))) {
            (Ordering::Less, ..) => "Overlapping",
            (_, Ordering::Equal | Ordering::Greater, _) => "Receding",
            (_, _, Ordering::Less) => "Hits",
            _ => "Later",
        };
        let what = format!("seed {seed}, {}", case.kind);
        let ball = sphere_of(&case);
        let swept = sweep_sphere_plane(&ball, case.displacement, &plane, case.other, &mut ());
        tally.outcome(&what, &swept, expected);
        tally.contact(
            &what,
            contact_sphere_plane(&ball, &plane, &mut ()),
            sign(&apart),
        );
        if expected == "Hits" {
            let step = case.displacement - case.other;
            let size = case
                .center
                .abs()
                .max_element()
                .max(step.length())
                .max(offset.abs());
            let exact = to_f64(&apart) / -to_f64(&closing);
            let gap = exact * -normal.dot(step);
            tally.time(&what, &swept, step, gap, size, Some(exact));
        }
    }
    tally.check(
        &[
            ("Overlapping", 100),
            ("Receding", 100),
            ("Later", 100),
            ("Hits", 100),
        ],
        100,
    );
}

/// A segment against a triangle: ends on the plane, and ways through edges and vertices, each also off by an ulp.
#[test]
fn segments_through_triangles() {
    let mut seen = [0; 2];
    let mut weighed = 0;
    let mut wrong = vec![];
    for seed in 0..rounds(20_000) {
        let mut random = Random(seed ^ 0x7a11);
        let offset = DVec3::new(1.0, -0.5, 0.25) * [0.0, 1e5, 1e7][random.below(3) as usize];
        let grid = random.below(2) == 0;
        let mut place = |reach: i64| {
            let at = if grid {
                random.grid(reach)
            } else {
                random.point(reach as f64)
            };
            at + offset
        };
        let (a, b, c) = (place(4), place(4), place(4));
        let target = match seed % 5 {
            0 => a,
            1 => a + (b - a) * 0.5,
            2 => a + (c - a) * 0.25,
            3 => a + (b - a) * 0.25 + (c - a) * 0.25,
            _ => place(3),
        };
        let from = place(6);
        let share = [1.0, 1.5, 2.0, 4.0][random.below(4) as usize];
        let mut to = from + (target - from) * share;
        let axis = random.below(3) as usize;
        to[axis] = random.nudge(to[axis]);
        let triangle = Triangle {
            a,
            b,
            c,
            facing: Facing::Both,
        };
        let segment = Segment { a: from, b: to };
        let hit = ray_cast_triangle(&segment, &triangle, &mut ());

        let power = power_of([a, b, c, from, to].iter().flat_map(|v| v.to_array()));
        let [a, b, c, from, to] = [a, b, c, from, to].map(|v| whole_vector(v, power));
        let volume = |p: &Whole, q: &Whole, r: &Whole, s: &Whole| {
            determinant(&minus(q, p), &minus(r, p), &minus(s, p))
        };
        let (ahead, behind) = (volume(&a, &b, &c, &from), volume(&a, &b, &c, &to));
        let [x, y, z] = [
            volume(&from, &to, &b, &c),
            volume(&from, &to, &c, &a),
            volume(&from, &to, &a, &b),
        ];
        let signs = [&x, &y, &z].map(sign);
        let crosses = sign(&ahead) != sign(&behind);
        let inside = !(signs.contains(&Ordering::Less) && signs.contains(&Ordering::Greater));
        let expected = crosses && inside && sign(&(&x + &y + &z)) != Ordering::Equal;
        seen[usize::from(expected)] += 1;
        if hit.is_some() != expected {
            wrong.push(format!(
                "seed {seed}: {hit:?}, but {expected}: {triangle:?} {segment:?}"
            ));
            continue;
        }
        let Some(hit) = hit else { continue };
        let sum = hit.weights.element_sum();
        assert!(
            (sum - 1.0).abs() < 1e-12 && hit.weights.min_element() >= 0.0,
            "seed {seed}: {hit:?}"
        );
        // Well conditioned: seen from the segment the triangle is no sliver, and the way no shallow one.
        let edges =
            [minus(&b, &a), minus(&c, &a), minus(&to, &from)].map(|v| to_f64(&dot(&v, &v)).sqrt());
        let total = to_f64(&(&x + &y + &z));
        let size = edges.iter().product::<f64>();
        let far = (triangle.a - segment.a)
            .length()
            .max((triangle.b - segment.a).length());
        let largest = far.max((segment.b - segment.a).length());
        if total.abs() < 1e-3 * size
            || edges[2] < 1e-3 * to_f64(&(BigInt::from(1) << power as usize)) * largest
        {
            continue;
        }
        weighed += 1;
        let weights = [&x, &y, &z].map(|volume| to_f64(volume) / total);
        for (got, exact) in hit.weights.to_array().into_iter().zip(weights) {
            if (got - exact).abs() > 1e-9 {
                wrong.push(format!(
                    "seed {seed}: weights {} instead of {weights:?}",
                    hit.weights
                ));
            }
        }
        let fraction = to_f64(&ahead) / to_f64(&(&ahead - &behind));
        if (hit.fraction - fraction).abs() > 1e-9 {
            wrong.push(format!(
                "seed {seed}: at {} instead of {fraction}",
                hit.fraction
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong, as {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(8)]
    );
    assert!(
        [seen[0], seen[1], weighed]
            .iter()
            .all(|&count| count > rounds(2000)),
        "{seen:?} {weighed}"
    );
}

/// What only exact arithmetic can tell is told so, and nothing else.
#[test]
fn the_trace_says_what_was_decided_exactly() {
    let edge = Segment {
        a: DVec3::new(-1.0, 0.0, 0.0),
        b: DVec3::new(1.0, 0.0, 0.0),
    };
    for (height, name, exactly) in [
        (0.5, "Hits", false),
        (1.0_f64.next_down(), "Hits", true),
        (1.0, "Grazes", true),
        (1.0_f64.next_up(), "Misses", true),
        (1.5, "Misses", false),
    ] {
        let ball = Sphere {
            center: DVec3::new(0.0, height, -1e3),
            radius: 1.0,
        };
        let mut steps = Steps::default();
        let outcome = sweep_sphere_segment(&ball, DVec3::Z * 2e3, &edge, DVec3::ZERO, &mut steps);
        assert_eq!(outcome.name(), name, "{height}");
        let said = steps.0.iter().any(|step| step.name == "DecidedExactly");
        assert_eq!(said, exactly, "{height}: {steps:?}");
    }
}

/// Depths within some ulps of the largest coordinate once counted as touching: 1e-8 m deep, 1e7 m from the origin, was `Hits`.
#[test]
fn an_overlap_of_a_few_ulps_far_from_the_origin_is_an_overlap() {
    let far = DVec3::X * 1e7;
    let ulp = 1e7_f64.next_up() - 1e7;
    let still = Sphere {
        center: far,
        radius: 0.5,
    };
    for (apart, name) in [
        (1.0 - 4.0 * ulp, "Overlapping"),
        (1.0, "Hits"),
        (1.0 + 4.0 * ulp, "Hits"),
    ] {
        let mover = Sphere {
            center: far + DVec3::X * apart,
            radius: 0.5,
        };
        let step = DVec3::X * -1.0;
        let outcome = sweep_sphere_sphere(&mover, step, &still, DVec3::ZERO, &mut ());
        assert_eq!(outcome.name(), name, "{apart}");
    }
}

/// A motion whose square underflows was none, and one that stayed within the band while touching was `Receding`.
#[test]
fn a_touching_ball_approaches_however_slowly() {
    let floor = Plane {
        normal: DVec3::Y,
        offset: 0.0,
    };
    let (ball, other) = (
        Sphere {
            center: DVec3::Y,
            radius: 1.0,
        },
        Sphere {
            center: -DVec3::Y,
            radius: 1.0,
        },
    );
    for slow in [1e-20, 1e-170, 1e-310, 5e-324] {
        for (step, name) in [(-slow, "Hits"), (slow, "Receding"), (0.0, "Receding")] {
            let step = DVec3::Y * step;
            let onto_floor = sweep_sphere_plane(&ball, step, &floor, DVec3::ZERO, &mut ());
            let onto_ball = sweep_sphere_sphere(&ball, step, &other, DVec3::ZERO, &mut ());
            assert_eq!(
                (onto_floor.name(), onto_ball.name()),
                (name, name),
                "{step}"
            );
        }
    }
}
