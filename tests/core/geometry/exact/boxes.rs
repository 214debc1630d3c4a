//! Boxes and round things against arithmetic without rounding: along the axes, by corners, turned; and points in them.

use super::box_oracle::{BoxWay, CoreWay};
use super::oracle::{Turn, Whole, dot, minus, plus, power_of, times, whole, whole_vector};
use super::random::{Case, Random, case};
use super::tally::{MIX, Tally, sphere_of};
use crate::common::rounds;
use glam::{DQuat, DVec3};
use hitstop::core::query::contact::{contact_sphere_aabb, contact_sphere_obb};
use hitstop::core::query::overlap::{
    overlaps_point_aabb, overlaps_point_obb, overlaps_point_sphere, overlaps_sphere_aabb,
    overlaps_sphere_obb,
};
use hitstop::core::query::sweep::{sweep_sphere_aabb, sweep_sphere_obb};
use hitstop::core::query::{contact_capsule_obb, sweep_capsule_obb};
use hitstop::core::shape::{Aabb, Capsule, Obb, Segment, Sphere};
use num_bigint::BigInt;
use std::cmp::Ordering;

/// A box of the case: its first corner is the box's corner next to the sphere where they touch (or any, now and then).
fn box_of(case: &Case, random: &mut Random) -> (DVec3, DVec3) {
    let middle = match case.kind {
        "exact graze" => 0.5,
        _ => 0.0,
    };
    let away = case.center + (case.displacement - case.other) * middle - case.corners[0];
    let half = DVec3::new(1.0, 0.5, 2.0) * [0.25, 1.0, 4.0][random.below(3) as usize];
    let behind = DVec3::select(away.cmplt(DVec3::ZERO), DVec3::ONE, -DVec3::ONE);
    let behind = if random.below(4) == 0 {
        DVec3::ONE
    } else {
        behind
    };
    (case.corners[0] + behind * half, half)
}

/// Metres, of the pair; and the gap at the start.
fn size_and_gap(case: &Case, center: DVec3, half: DVec3, rotation: DQuat) -> (f64, f64) {
    let local = rotation.conjugate() * (case.center - center);
    let outside = (local.abs() - half).max(DVec3::ZERO);
    let step = (case.displacement - case.other).length();
    let size = local.length().max(step).max(case.radii[0]);
    (
        size.max(half.max_element()),
        outside.length() - case.radii[0],
    )
}

#[test]
fn spheres_and_boxes_along_the_axes() {
    let mut tally = Tally::default();
    for seed in 0..rounds(4000) {
        let mut case = case(seed, 1);
        case.radii[1] = 0.0;
        let (center, half) = box_of(&case, &mut Random(seed ^ 0xb0b5));
        let numbers = [center, half, case.center, case.displacement, case.other];
        let all = numbers.iter().flat_map(|v| v.to_array());
        let power = power_of(all.chain([case.radii[0]]));
        let [middle, whole_half, start, step, other] = numbers.map(|v| whole_vector(v, power));
        let way = BoxWay {
            half: whole_half,
            start: minus(&start, &middle),
            step: minus(&step, &other),
            reach: whole(case.radii[0], power),
        };
        let obb = Obb {
            center,
            half_extents: half,
            rotation: DQuat::IDENTITY,
        };
        hold(&mut tally, seed, &case, &way, &obb);
    }
    tally.check(&MIX, 200);
}

/// One sphere and one turned box, or one that is not.
fn hold(tally: &mut Tally, seed: u64, case: &Case, way: &BoxWay, obb: &Obb) {
    let what = format!("seed {seed}, {}", case.kind);
    let ball = sphere_of(case);
    let (d, e) = (case.displacement, case.other);
    let swept = sweep_sphere_obb(&ball, d, obb, e, &mut ());
    let expected = way.outcome();
    tally.outcome(&what, &swept, expected);
    let start = way.start();
    tally.contact(&what, contact_sphere_obb(&ball, obb, &mut ()), start);
    tally.yes(
        &what,
        overlaps_sphere_obb(&ball, obb, &mut ()),
        start != Ordering::Greater,
    );
    if expected == "Hits" && swept.name() == "Hits" {
        let (size, gap) = size_and_gap(case, obb.center, obb.half_extents, obb.rotation);
        tally.time(&what, &swept, d - e, gap, size, way.time());
    }
}

/// A sphere on its way past a box: the middle and half the size of that box.
fn case_of_box(seed: u64, random: &mut Random) -> (Case, DVec3, DVec3) {
    let mut case = case(seed, 1);
    case.radii[1] = 0.0;
    let (center, half) = box_of(&case, random);
    (case, center, half)
}

/// By corners, whose middle no `f64` may hold.
#[test]
fn spheres_and_boxes_by_their_corners() {
    let mut tally = Tally::default();
    for seed in 0..rounds(4000) {
        let mut random = Random(seed ^ 0xaabb);
        let (case, center, half) = case_of_box(seed, &mut random);
        // The corner next to the sphere stays, the one across goes anywhere.
        let odd = random.point(1.0).abs() * half;
        let keeps_low = center.cmpge(case.corners[0]);
        let (low, high) = (center - half, center + half);
        let aabb = Aabb {
            min: DVec3::select(keeps_low, low, low - odd),
            max: DVec3::select(keeps_low, high + odd, high),
        };
        let numbers = [
            aabb.min,
            aabb.max,
            case.center,
            case.displacement,
            case.other,
        ];
        let all = numbers.iter().flat_map(|v| v.to_array());
        let power = power_of(all.chain([case.radii[0]])) + 1;
        let [min, max, start, step, other] = numbers.map(|v| whole_vector(v, power));
        let halved = |v: Whole| v.map(|part| part >> 1);
        let way = BoxWay {
            half: halved(minus(&max, &min)),
            start: minus(&start, &halved(plus(&max, &min))),
            step: minus(&step, &other),
            reach: whole(case.radii[0], power),
        };
        let what = format!("seed {seed}, {}", case.kind);
        let ball = sphere_of(&case);
        let (d, e) = (case.displacement, case.other);
        let swept = sweep_sphere_aabb(&ball, d, &aabb, e, &mut ());
        let expected = way.outcome();
        tally.outcome(&what, &swept, expected);
        let start = way.start();
        tally.contact(&what, contact_sphere_aabb(&ball, &aabb, &mut ()), start);
        tally.yes(
            &what,
            overlaps_sphere_aabb(&ball, &aabb, &mut ()),
            start != Ordering::Greater,
        );
        if expected == "Hits" && swept.name() == "Hits" {
            let center = aabb.center();
            let (size, gap) = size_and_gap(&case, center, aabb.half_extents(), DQuat::IDENTITY);
            // The corners' coordinates count, as the docs say.
            let size = size.max(aabb.min.abs().max(aabb.max.abs()).max_element());
            tally.time(&what, &swept, d - e, gap, size, way.time());
        }
    }
    tally.check(&MIX, 50);
}

fn rotation(random: &mut Random) -> DQuat {
    let angle = [1e-9, 0.25 * std::f64::consts::PI, random.range(-3.0, 3.0)];
    let axis = [DVec3::Y, random.point(1.0)][random.below(2) as usize];
    let axis = axis.try_normalize().unwrap_or(DVec3::Z);
    DQuat::from_axis_angle(axis, angle[random.below(3) as usize])
}

/// Turned about its middle, with all that was close to it: close to rounding, on either side.
#[test]
fn spheres_and_turned_boxes() {
    let mut tally = Tally::default();
    for seed in 0..rounds(4000) {
        let mut random = Random(seed ^ 0x7042);
        let (mut case, center, half) = case_of_box(seed, &mut random);
        let rotation = rotation(&mut random);
        case.center = center + rotation * (case.center - center);
        case.displacement = rotation * case.displacement;
        case.other = rotation * case.other;
        let numbers = [center, half, case.center, case.displacement, case.other];
        let all = numbers.iter().flat_map(|v| v.to_array());
        let power = power_of(all.chain([case.radii[0]]));
        let [middle, whole_half, start, step, other] = numbers.map(|v| whole_vector(v, power));
        let turn = Turn::of(rotation);
        let way = BoxWay {
            half: times(&whole_half, &turn.square),
            start: turn.back(&minus(&start, &middle)),
            step: turn.back(&minus(&step, &other)),
            reach: whole(case.radii[0], power) * &turn.square,
        };
        let obb = Obb {
            center,
            half_extents: half,
            rotation,
        };
        hold(&mut tally, seed, &case, &way, &obb);
    }
    let mix = [
        ("Overlapping", 100),
        ("Receding", 100),
        ("Misses", 100),
        ("Hits", 200),
    ];
    tally.check(&mix, 200);
}

/// A capsule whose core begins where the case's sphere is and reaches away from the box or past it.
#[test]
fn capsules_and_boxes() {
    let mut tally = Tally::default();
    for seed in 0..rounds(3000) {
        let mut random = Random(seed ^ 0xca95);
        let mut case = case(seed, 1);
        case.radii[1] = 0.0;
        let (center, half) = box_of(&case, &mut random);
        let rotation = if seed % 3 == 0 {
            rotation(&mut random)
        } else {
            DQuat::IDENTITY
        };
        let away = case.center - case.corners[0];
        let along = [away, random.grid(3), random.point(4.0)][random.below(3) as usize];
        let core = Segment {
            a: center + rotation * (case.center - center),
            b: center + rotation * (case.center + along - center),
        };
        let (d, e) = (rotation * case.displacement, rotation * case.other);
        let numbers = [center, half, core.a, core.b, d, e];
        let all = numbers.iter().flat_map(|v| v.to_array());
        let power = power_of(all.chain([case.radii[0]]));
        let [middle, whole_half, a, b, step, other] = numbers.map(|v| whole_vector(v, power));
        let turn = Turn::of(rotation);
        let way = CoreWay {
            half: times(&whole_half, &turn.square),
            core: [a, b].map(|end| turn.back(&minus(&end, &middle))),
            step: turn.back(&minus(&step, &other)),
            reach: whole(case.radii[0], power) * &turn.square,
        };
        let obb = Obb {
            center,
            half_extents: half,
            rotation,
        };
        let capsule = Capsule {
            segment: core,
            radius: case.radii[0],
        };
        let what = format!("seed {seed}, {}", case.kind);
        let swept = sweep_capsule_obb(&capsule, d, &obb, e, &mut ());
        let expected = way.outcome();
        tally.outcome(&what, &swept, expected);
        let contact = contact_capsule_obb(&capsule, &obb, &mut ());
        tally.contact(&what, contact, way.start());
        if expected == "Hits" && swept.name() == "Hits" && seed % 8 == 0 {
            let (size, gap) = size_and_gap(&case, center, half, DQuat::IDENTITY);
            let size = size.max(along.length());
            // The other end may be nearer than the one the gap was taken from.
            let far = core.b - core.a;
            let gap = gap.min(gap - far.length() + away.length());
            tally.time(&what, &swept, d - e, gap, size, way.time());
        }
    }
    tally.check(&MIX[..4], 5);
}

/// Points on surfaces, an ulp inside and an ulp outside.
#[test]
fn points_in_boxes_and_spheres() {
    let mut seen = [0; 2];
    for seed in 0..rounds(12_000) {
        let mut random = Random(seed ^ 0x9017);
        let case = case(seed, 1);
        let (center, half) = box_of(&case, &mut random);
        let what = format!("seed {seed}, {}", case.kind);
        // Somewhere on the surface, as nearly as the coordinates allow.
        let mut point = center + random.point(1.1) * half;
        let axis = random.below(3) as usize;
        let side = [1.0, -1.0][random.below(2) as usize];
        point[axis] = random.nudge(center[axis] + side * half[axis]);
        let turned = if seed % 2 == 0 {
            DQuat::IDENTITY
        } else {
            rotation(&mut random)
        };
        let obb = Obb {
            center,
            half_extents: half,
            rotation: turned,
        };
        let place = center + turned * (point - center);
        let numbers = [center, half, place];
        let power = power_of(numbers.iter().flat_map(|v| v.to_array()));
        let [middle, whole_half, whole_place] = numbers.map(|v| whole_vector(v, power));
        let turn = Turn::of(turned);
        let inside = |local: &Whole, half: &Whole| {
            (0..3).all(|k| local[k] <= half[k] && -&local[k] <= half[k])
        };
        let local = turn.back(&minus(&whole_place, &middle));
        let expected = inside(&local, &times(&whole_half, &turn.square));
        assert_eq!(overlaps_point_obb(place, &obb, &mut ()), expected, "{what}");
        seen[usize::from(expected)] += 1;

        let aabb = Aabb {
            min: center - half,
            max: center + half,
        };
        // Comparisons round nothing: `f64` is its own oracle.
        let within = |k: usize| (aabb.min[k]..=aabb.max[k]).contains(&point[k]);
        assert_eq!(
            overlaps_point_aabb(point, &aabb, &mut ()),
            (0..3).all(within),
            "{what}"
        );

        let ball = Sphere {
            center: case.center,
            radius: case.radii[0],
        };
        let on = match seed % 3 {
            0 => case.corners[0],
            1 => {
                let away = (case.corners[0] - ball.center).try_normalize();
                ball.center + away.unwrap_or(DVec3::X) * ball.radius
            }
            _ => ball.center + DVec3::new(0.0, random.nudge(ball.radius), 0.0),
        };
        let power = power_of(
            [ball.center, on]
                .iter()
                .flat_map(|v| v.to_array())
                .chain([ball.radius]),
        );
        let [c, p] = [ball.center, on].map(|v| whole_vector(v, power));
        let (away, radius): (Whole, BigInt) = (minus(&p, &c), whole(ball.radius, power));
        let expected = dot(&away, &away) <= &radius * &radius;
        assert_eq!(
            overlaps_point_sphere(on, &ball, &mut ()),
            expected,
            "{what}"
        );
        seen[usize::from(expected)] += 1;
    }
    assert!(seen.iter().all(|&count| count > rounds(4000)), "{seen:?}");
}

/// A quaternion turns by its direction, whatever its length: one that is kept though it is 4e-13 off unit stretches nothing.
#[test]
fn a_quaternion_that_is_not_quite_unit_stretches_nothing() {
    for length in [1.0 - 4e-13, 1.0 + 4e-13] {
        let solid = Obb {
            center: DVec3::ZERO,
            half_extents: DVec3::ONE,
            rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, length),
        };
        for (x, touches) in [(1.5_f64, true), (1.5_f64.next_up(), false)] {
            let center = DVec3::new(x, 0.25, 0.0);
            let ball = Sphere {
                center,
                radius: 0.5,
            };
            let contact = contact_sphere_obb(&ball, &solid, &mut ());
            assert_eq!(contact.map(|contact| contact.depth), touches.then_some(0.0));
            let capsule = Capsule {
                segment: Segment {
                    a: center,
                    b: center + DVec3::Y * 0.25,
                },
                radius: 0.5,
            };
            let contact = contact_capsule_obb(&capsule, &solid, &mut ());
            assert_eq!(contact.map(|contact| contact.depth), touches.then_some(0.0));
            // Along the face it touches, which is no hit; an ulp nearer it overlaps.
            let by = DVec3::Y * 0.25;
            let beside = sweep_sphere_obb(&ball, by, &solid, DVec3::ZERO, &mut ());
            let past = sweep_capsule_obb(&capsule, by, &solid, DVec3::ZERO, &mut ());
            assert!(!beside.kind().meets() && !past.kind().meets());
            let ball = Sphere {
                center: DVec3::new(1.5_f64.next_down(), 0.25, 0.0),
                ..ball
            };
            let within = sweep_sphere_obb(&ball, by, &solid, DVec3::ZERO, &mut ());
            assert!(within.kind().meets());
        }
    }
}
