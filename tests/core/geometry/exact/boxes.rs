//! Boxes and round shapes against arithmetic without rounding: aligned to the axes and rotated.

use super::box_oracle::{CapsuleBoxPath, SphereBoxPath};
use super::oracle::{Truth, WholeRotation, minus, power_of, times, unit, whole, whole_vector};
use super::placed::{contact_placed, sweep_placed};
use super::random::{Case, Random, case};
use super::stats::{MIX, Stats, sphere_of, tolerance_of};
use crate::common::rounds;
use glam::{DQuat, DVec3};
use hitstop::core::shape::{Capsule, Obb, Placed, Segment, Sphere};

/// A box of the case: its first corner is the box's corner next to the sphere where they touch (or, now and then, any corner).
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

#[test]
fn spheres_and_boxes_along_the_axes() {
    let mut stats = Stats::default();
    for seed in 0..rounds(4000) {
        let mut case = case(seed, 1);
        case.radii[1] = 0.0;
        let (center, half) = box_of(&case, &mut Random(seed ^ 0xb0b5));
        let numbers = [center, half, case.center, case.displacement, case.other];
        let all = numbers.iter().flat_map(|v| v.to_array());
        let power = power_of(all.chain([case.radii[0]]));
        let [middle, whole_half, start, step, other] = numbers.map(|v| whole_vector(v, power));
        let path = SphereBoxPath {
            half: whole_half,
            start: minus(&start, &middle),
            step: minus(&step, &other),
            radius_sum: whole(case.radii[0], power),
            unit: unit(power),
        };
        let obb = Obb {
            center,
            half_extents: half,
            rotation: DQuat::IDENTITY,
        };
        let what = format!("seed {seed}, {}", case.kind);
        let ball = Placed::Sphere(sphere_of(&case));
        let truth = path.truth();
        let moves = (&ball, case.displacement);
        check(
            &mut stats,
            &what,
            (&truth, || path.time()),
            moves,
            (obb, case.other),
        );
    }
    stats.check(&MIX, 200, 0.25);
}

/// One shape and one box.
fn check(
    stats: &mut Stats,
    what: &str,
    (truth, time): (&Truth, impl FnOnce() -> Option<f64>),
    (shape, d): (&Placed<'_>, DVec3),
    (obb, e): (Obb, DVec3),
) {
    let ends = match shape {
        Placed::Capsule(capsule) => vec![capsule.segment.a, capsule.segment.b],
        Placed::Sphere(ball) => vec![ball.center],
        _ => unreachable!("round shapes only"),
    };
    let size = obb.center.abs() + obb.half_extents;
    let tolerance = tolerance_of(ends.into_iter().chain([size, d, e]), 2.0);
    let obb = Placed::Obb(obb);
    let swept = sweep_placed(shape, d, &obb, e);
    stats.sweep(what, &swept, truth, tolerance, (d - e, time));
    let contact = contact_placed(shape, &obb);
    stats.contact(what, contact, truth.start, tolerance);
}

/// A sphere on its path past a box, and that box's centre and half extents.
fn case_of_box(seed: u64, random: &mut Random) -> (Case, DVec3, DVec3) {
    let mut case = case(seed, 1);
    case.radii[1] = 0.0;
    let (center, half) = box_of(&case, random);
    (case, center, half)
}

fn rotation(random: &mut Random) -> DQuat {
    let angle = [1e-9, 0.25 * std::f64::consts::PI, random.range(-3.0, 3.0)];
    let axis = [DVec3::Y, random.point(1.0)][random.below(2) as usize];
    let axis = axis.try_normalize().unwrap_or(DVec3::Z);
    DQuat::from_axis_angle(axis, angle[random.below(3) as usize])
}

/// Rotated about its centre with everything near it: still close within rounding, on either side.
#[test]
fn spheres_and_rotated_boxes() {
    let mut stats = Stats::default();
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
        let into_frame = WholeRotation::of(rotation);
        let path = SphereBoxPath {
            half: times(&whole_half, &into_frame.square),
            start: into_frame.back(&minus(&start, &middle)),
            step: into_frame.back(&minus(&step, &other)),
            radius_sum: whole(case.radii[0], power) * &into_frame.square,
            unit: unit(power) * &into_frame.square,
        };
        let obb = Obb {
            center,
            half_extents: half,
            rotation,
        };
        let what = format!("seed {seed}, {}", case.kind);
        let ball = Placed::Sphere(sphere_of(&case));
        let truth = path.truth();
        let moves = (&ball, case.displacement);
        check(
            &mut stats,
            &what,
            (&truth, || path.time()),
            moves,
            (obb, case.other),
        );
    }
    stats.check(&MIX, 200, 0.25);
}

/// A capsule whose core begins at the centre of the case's sphere and extends away from the box or past it.
#[test]
fn capsules_and_boxes() {
    let mut stats = Stats::default();
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
        let into_frame = WholeRotation::of(rotation);
        let path = CapsuleBoxPath {
            half: times(&whole_half, &into_frame.square),
            core: [a, b].map(|end| into_frame.back(&minus(&end, &middle))),
            step: into_frame.back(&minus(&step, &other)),
            radius_sum: whole(case.radii[0], power) * &into_frame.square,
            unit: unit(power) * &into_frame.square,
        };
        let obb = Obb {
            center,
            half_extents: half,
            rotation,
        };
        let capsule = Placed::Capsule(Capsule {
            segment: core,
            radius: case.radii[0],
        });
        let what = format!("seed {seed}, {}", case.kind);
        let truth = path.truth();
        // Bisection takes long.
        let time = || (seed % 8 == 0).then(|| path.time()).flatten();
        check(&mut stats, &what, (&truth, time), (&capsule, d), (obb, e));
    }
    stats.check(&MIX, 5, 0.25);
}

/// A quaternion rotates by its direction, whatever its length: one that is kept although it is 4e-13 off unit does not scale.
#[test]
fn a_nearly_unit_quaternion_does_not_scale() {
    for length in [1.0 - 4e-13, 1.0 + 4e-13] {
        let solid = Obb {
            center: DVec3::ZERO,
            half_extents: DVec3::ONE,
            rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, length),
        };
        for (x, touches) in [(1.5, true), (1.5 + 1e-14, false)] {
            let center = DVec3::new(x, 0.25, 0.0);
            let radius = 0.5;
            let segment = Segment {
                a: center,
                b: center + DVec3::Y * 0.25,
            };
            for shape in [
                Placed::Sphere(Sphere { center, radius }),
                Placed::Capsule(Capsule { segment, radius }),
            ] {
                let contact = contact_placed(&shape, &Placed::Obb(solid));
                assert_eq!(contact.is_some(), touches, "{shape:?}");
                // Along the face it touches, which is no hit.
                let by = DVec3::Y * 0.25;
                let beside = sweep_placed(&shape, by, &Placed::Obb(solid), DVec3::ZERO);
                assert!(!beside.touches(), "{beside:?}");
            }
        }
    }
}
