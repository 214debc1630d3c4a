//! Properties of every pair of shapes, near the origin and 1e7 m from it. The gap of two placed shapes is the oracle of contact and sweep.

use crate::common::random::Random;
use crate::common::samples::{at, ball};
use crate::common::{few_rounds, is_full, rounds};
use glam::{DQuat, DVec3};
use hitstop::core::query::{
    ClosestApproach, Contact, SweepOutcome, closest_approach, contact, gap, overlaps, ray_cast,
    sweep,
};
use hitstop::core::shape::Solid as _;
use hitstop::core::shape::{
    Capsule, Cone, Cylinder, Facing, Mesh, Motion, Placed, Plane, Pose, RoundedBox, Segment, Shape,
    SolidShape, Sphere, Triangle,
};
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use std::mem::discriminant;
use std::sync::Arc;

const KINDS: [&str; 11] = [
    "sphere", "box", "segment", "capsule", "triangle", "cylinder", "cone", "rounded", "plane",
    "mesh", "front",
];

fn shape(kind: &str, random: &mut Random) -> Shape {
    let [a, b, c] = [(); 3].map(|()| random.point(2.0));
    let radius = random.range(0.05, 1.5);
    let facing = match kind {
        "front" => Facing::Front,
        _ => Facing::Both,
    };
    match kind {
        "sphere" => ball(radius),
        "box" => Shape::Box {
            half_extents: a.abs(),
        },
        "segment" => Shape::Segment(Segment { a, b }),
        "capsule" => capsule(a, b, radius),
        "triangle" | "front" => Shape::Triangle(Triangle { a, b, c, facing }),
        "cylinder" => cylinder(random.range(0.05, 1.5), radius),
        "cone" => cone(random.range(0.05, 1.5), radius),
        "rounded" => rounded_box(a.abs(), radius),
        "plane" => Shape::Plane(Plane {
            normal: random.direction(),
            offset: random.range(-1.0, 1.0),
        }),
        _ => Shape::Mesh(Arc::new(mesh(random))),
    }
}

fn capsule(a: DVec3, b: DVec3, radius: f64) -> Shape {
    let segment = Segment { a, b };
    Shape::Capsule(Capsule { segment, radius })
}

fn cylinder(half_height: f64, radius: f64) -> Shape {
    Shape::Solid(SolidShape::Cylinder(Cylinder {
        half_height,
        radius,
    }))
}

fn cone(half_height: f64, radius: f64) -> Shape {
    Shape::Solid(SolidShape::Cone(Cone {
        half_height,
        radius,
    }))
}

fn rounded_box(half_extents: DVec3, radius: f64) -> Shape {
    Shape::Solid(SolidShape::RoundedBox(RoundedBox {
        half_extents,
        radius,
    }))
}

fn mesh(random: &mut Random) -> Mesh {
    let vertices = (0..8).map(|_| random.point(2.0)).collect();
    let triangles = (0..9).map(|i| [i % 8, (i + 1) % 8, (i + 3) % 8]).collect();
    Mesh::new(vertices, triangles, Facing::Both).unwrap()
}

/// A motion without rotation.
fn motion(random: &mut Random, offset: DVec3) -> Motion {
    let mut start = random.pose(4.0);
    start.position += offset;
    if random.below(4) == 0 {
        start.rotation = DQuat::IDENTITY;
    }
    moving(start, random.point(6.0))
}

fn moving(start: Pose, displacement: DVec3) -> Motion {
    let end = Pose {
        position: start.position + displacement,
        ..start
    };
    Motion { start, end }
}

struct Case {
    name: String,
    a: Shape,
    b: Shape,
    motion_a: Motion,
    motion_b: Motion,
    /// Error bound of a result at these coordinates, metres.
    bound: f64,
    /// The same for a point, which along a round surface is only accurate to the square root.
    aside: f64,
    /// The same for a normal, radians.
    turn: f64,
    far: bool,
}

impl Case {
    fn placed(&self, fraction: f64) -> (Placed<'_>, Placed<'_>) {
        let (pose_a, pose_b) = (self.motion_a.pose(fraction), self.motion_b.pose(fraction));
        (self.a.placed(&pose_a), self.b.placed(&pose_b))
    }

    fn gap(&self, fraction: f64) -> Option<f64> {
        let (a, b) = self.placed(fraction);
        gap(&a, &b).map(|gap| gap.distance)
    }

    /// The gap at the start, once the first shape is moved.
    fn gap_after(&self, push: DVec3) -> Option<f64> {
        let moved = moving(self.motion_a.start, push).end;
        let other = self.b.placed(&self.motion_b.start);
        gap(&self.a.placed(&moved), &other).map(|gap| gap.distance)
    }

    fn contact(&self) -> Option<Contact> {
        let (a, b) = self.placed(0.0);
        contact(&a, &b, &mut ())
    }

    fn sweep(&self) -> SweepOutcome {
        sweep(&self.a, &self.motion_a, &self.b, &self.motion_b, &mut ()).outcome
    }

    fn approach(&self) -> Option<ClosestApproach> {
        closest_approach(&self.a, &self.motion_a, &self.b, &self.motion_b, &mut ())
    }

    fn swapped(&self) -> Self {
        Self {
            name: self.name.clone(),
            a: self.b.clone(),
            b: self.a.clone(),
            motion_a: self.motion_b,
            motion_b: self.motion_a,
            ..*self
        }
    }

    fn has_mesh(&self) -> bool {
        [&self.a, &self.b]
            .iter()
            .any(|shape| matches!(shape, Shape::Mesh(_)))
    }
}

/// Every pair of kinds, each so many times, alternately near the origin and far from it. A one-sided triangle only with a sphere, whose
/// side is that of its centre.
fn cases(count: u64, mut check: impl FnMut(&Case, &mut Random)) {
    for (i, first) in (0..).zip(KINDS) {
        for (j, second) in (0..).zip(KINDS) {
            let pair = [first, second];
            if pair == ["plane", "plane"] || pair.contains(&"front") && !pair.contains(&"sphere") {
                continue;
            }
            for seed in 0..rounds(count) {
                let mut random = Random(seed * 8191 + i * 131 + j);
                let far = seed % 2 == 1;
                let offset = if far { at(1e7, -1e7, 1e7) } else { DVec3::ZERO };
                let curved = pair.iter().any(|kind| ["cylinder", "cone"].contains(kind));
                let rounding = 64.0 * f64::EPSILON * if far { 1e7 } else { 20.0 };
                let case = Case {
                    name: format!("{first} against {second}, seed {seed}"),
                    a: shape(first, &mut random),
                    b: shape(second, &mut random),
                    motion_a: motion(&mut random, offset),
                    motion_b: motion(&mut random, offset),
                    bound: rounding + if curved { 1e-9 } else { 0.0 },
                    aside: if curved { 1e-5 } else { 4.0 * rounding },
                    turn: if curved { 1e-4 } else { 1e3 * rounding },
                    far,
                };
                check(&case, &mut random);
            }
        }
    }
}

/// Distance of a point from a shape's surface; `None` from the back of a one-sided triangle.
fn off(point: DVec3, shape: &Placed<'_>) -> f64 {
    let point = Placed::Sphere(Sphere {
        center: point,
        radius: 0.0,
    });
    gap(&point, shape).map_or(0.0, |gap| gap.distance.abs())
}

#[test]
fn a_sweep_agrees_with_samples_of_the_gap() {
    let all_cuts: u32 = if is_full() { 100 } else { 30 };
    let mut detected = BTreeMap::new();
    cases(100, |case, _| {
        let outcome = case.sweep();
        let name = format!("{}: {outcome:?}", case.name);
        let Some(start) = case.gap(0.0) else { return };
        let cuts = (0..=all_cuts).map(|cut| f64::from(cut) / f64::from(all_cuts));
        let samples: Vec<(f64, f64)> = cuts.filter_map(|t| Some((t, case.gap(t)?))).collect();
        let gaps = samples.iter().map(|cut| cut.1);
        let least = gaps.fold(f64::INFINITY, f64::min);
        let relative = case.motion_a.displacement() - case.motion_b.displacement();
        let kind = match outcome {
            SweepOutcome::Overlapping { depth } => {
                assert!((start + depth).abs() < case.bound, "{name} {start}");
                "overlapping"
            }
            SweepOutcome::Misses => {
                assert!(least > -case.bound, "{name} {least}");
                "misses"
            }
            SweepOutcome::Grazes { fraction } => {
                assert!(least > -case.bound, "{name} {least}");
                assert!(case.gap(fraction).unwrap().abs() < case.bound, "{name}");
                "grazes"
            }
            SweepOutcome::Hits(impact) => {
                let t = impact.fraction;
                assert!((0.0..1.0).contains(&t), "{name}");
                let there = case.gap(t).unwrap();
                assert!(there.abs() < case.bound, "{name}: gap {there} at the hit");
                for cut in samples.iter().filter(|cut| cut.0 < t) {
                    assert!(cut.1 > -case.bound, "{name}: gap {} at {}", cut.1, cut.0);
                }
                assert!((impact.normal.length() - 1.0).abs() < 1e-12, "{name}");
                assert!(impact.normal.dot(relative) < case.bound, "{name}: parting");
                let (a, b) = case.placed(t);
                let away = off(impact.point, &a).max(off(impact.point, &b));
                assert!(away < case.aside, "{name}: the point is {away} off");
                "hits"
            }
        };
        *detected.entry((kind, case.far)).or_insert(0) += 1;
        // Behind a one-sided triangle there are no gaps to compare with.
        if samples.len() as u32 != all_cuts + 1 {
            return;
        }
        let approach = case.approach().unwrap();
        let name = format!("{name} {approach:?}");
        // Between two samples the gap is at most half a step less than at the nearer one.
        let between = 0.5 * relative.length() / f64::from(all_cuts) + case.bound;
        let expected = least.max(0.0);
        assert!(
            (expected - between..expected + case.bound).contains(&approach.distance),
            "{name} {least}"
        );
        let there = case.gap(approach.fraction).unwrap();
        if start > 0.0 {
            let apart = (there - approach.distance).abs();
            let found_to = 1e-13 * (start + relative.length());
            assert!(apart < case.bound + found_to, "{name} {there}");
        } else {
            assert_eq!((approach.distance, approach.fraction), (0.0, 0.0), "{name}");
        }
    });
    for outcome in ["overlapping", "misses", "hits"] {
        for far in [false, true] {
            let count = detected.get(&(outcome, far)).copied().unwrap_or(0);
            assert!(count > rounds(200), "{outcome}, far: {far}: {detected:?}");
        }
    }
}

#[test]
fn a_push_separates_and_no_shorter_one_does() {
    let mut pushed = [0; 2];
    cases(150, |case, random| {
        let name = &case.name;
        let distance = case.gap(0.0);
        let Some(found) = case.contact() else {
            assert!(
                distance.is_none_or(|gap| gap > -case.bound),
                "{name}: {distance:?}"
            );
            return;
        };
        let depth = -distance.unwrap();
        assert!(
            (found.depth - depth).abs() < case.bound,
            "{name}: {found:?} {depth}"
        );
        if case.has_mesh() {
            return; // The push out of the deepest triangle may leave another one.
        }
        pushed[usize::from(case.far)] += 1;
        let after = case.gap_after(found.push()).unwrap();
        assert!(after.abs() < case.bound, "{name}: {after} after the push");
        let moved = moving(case.motion_a.start, found.push()).end;
        let away =
            off(found.point, &case.placed(0.0).1).max(off(found.point, &case.a.placed(&moved)));
        assert!(away < case.aside, "{name}: the point is {away} off");
        for _ in 0..20 {
            // Moved to the back of a one-sided triangle, there is no gap.
            let shorter = case.gap_after(random.direction() * (found.depth * 0.999));
            assert!(
                shorter.is_none_or(|gap| gap < case.bound),
                "{name}: {shorter:?}"
            );
        }
    });
    assert!(
        pushed.iter().all(|&count| count > rounds(500)),
        "{pushed:?}"
    );
}

#[test]
fn swapped_shapes_give_the_same_result_with_the_normal_reversed() {
    cases(100, |case, _| {
        let (name, back) = (&case.name, case.swapped());
        let bound = case.bound;
        let (a, b) = case.placed(0.0);
        match (case.contact(), back.contact()) {
            (Some(one), Some(other)) => {
                assert!((one.depth - other.depth).abs() < bound, "{name}");
                let other = other.swapped();
                let same = one.normal.distance(other.normal) < case.turn
                    && one.feature_a == other.feature_a;
                assert!(
                    same || one.fallback || case.far,
                    "{name}: {one:?} {other:?}"
                );
            }
            (one, other) => assert_eq!((one, other), (None, None), "{name}"),
        }
        assert_eq!(overlaps(&a, &b), case.contact().is_some(), "{name}");
        assert_eq!(overlaps(&b, &a), case.contact().is_some(), "{name}");
        match (case.gap(0.0), back.gap(0.0)) {
            (Some(one), Some(other)) => assert!((one - other).abs() < bound, "{name}"),
            (one, other) => assert_eq!(one, other, "{name}"),
        }
        let (one, other) = (case.sweep(), back.sweep().swapped());
        let name = format!("{name}: {one:?} {other:?}");
        assert_eq!(discriminant(&one), discriminant(&other), "{name}");
        if let (Some(one), Some(other)) = (one.impact(), other.impact()) {
            assert!(
                (one.fraction - other.fraction).abs() < 1e3 * bound,
                "{name}"
            );
            assert!(one.normal.distance(other.normal) < case.turn, "{name}");
        }
        match (case.approach(), back.approach()) {
            (Some(one), Some(other)) => {
                assert!((one.distance - other.distance).abs() < bound, "{name}");
            }
            (one, other) => assert_eq!(one, other, "{name}"),
        }
    });
}

/// Mirrored in x, scaled by two, then rotated and moved.
fn carried(shape: &Shape, motion: &Motion, frame: &Pose) -> (Shape, Motion) {
    let mirrored = |v: DVec3| 2.0 * v * at(-1.0, 1.0, 1.0);
    let segment = |segment: Segment| Segment {
        a: mirrored(segment.a),
        b: mirrored(segment.b),
    };
    let shape = match shape {
        Shape::Sphere { radius } => ball(2.0 * radius),
        Shape::Box { half_extents } => Shape::Box {
            half_extents: 2.0 * half_extents,
        },
        Shape::Segment(core) => Shape::Segment(segment(*core)),
        Shape::Capsule(Capsule {
            segment: core,
            radius,
        }) => Shape::Capsule(Capsule {
            segment: segment(*core),
            radius: 2.0 * radius,
        }),
        // A mirror reverses the order of the corners.
        Shape::Triangle(triangle) => Shape::Triangle(Triangle {
            a: mirrored(triangle.a),
            b: mirrored(triangle.c),
            c: mirrored(triangle.b),
            facing: triangle.facing,
        }),
        // Not among the kinds of this file.
        Shape::Solid(SolidShape::Hull(_)) | Shape::Compound(_) => shape.clone(),
        Shape::Plane(plane) => Shape::Plane(Plane {
            normal: 0.5 * mirrored(plane.normal),
            offset: 2.0 * plane.offset,
        }),
        // Their axes are mirrored as well.
        Shape::Solid(SolidShape::Cylinder(solid)) => {
            cylinder(2.0 * solid.half_height, 2.0 * solid.radius)
        }
        Shape::Solid(SolidShape::Cone(solid)) => cone(2.0 * solid.half_height, 2.0 * solid.radius),
        Shape::Solid(SolidShape::RoundedBox(solid)) => {
            rounded_box(2.0 * solid.half_extents, 2.0 * solid.radius)
        }
        Shape::Mesh(mesh) => {
            let vertices = mesh.vertices().map(mirrored).collect();
            let triangles = mesh.triangles().collect();
            Shape::Mesh(Arc::new(
                Mesh::new(vertices, triangles, Facing::Both).unwrap(),
            ))
        }
        _ => unreachable!("a new shape is carried here too"),
    };
    let pose = |pose: &Pose| {
        let DQuat { x, y, z, w } = pose.rotation;
        Pose {
            position: frame.point(mirrored(pose.position)),
            rotation: frame.rotation * DQuat::from_xyzw(x, -y, -z, w),
        }
    };
    let start = pose(&motion.start);
    let end = pose(&motion.end).position;
    (shape, moving(start, end - start.position))
}

#[test]
fn a_mirrored_rotated_and_scaled_world_gives_the_same_results() {
    cases(200, |case, random| {
        if case.far {
            return; // Turning it there rounds more than is compared.
        }
        let (name, frame) = (&case.name, random.pose(20.0));
        let (a, motion_a) = carried(&case.a, &case.motion_a, &frame);
        let (b, motion_b) = carried(&case.b, &case.motion_b, &frame);
        let there = Case {
            name: name.clone(),
            a,
            b,
            motion_a,
            motion_b,
            ..*case
        };
        match (case.gap(0.0), there.gap(0.0)) {
            (Some(one), Some(other)) => assert!((2.0 * one - other).abs() < 1e-8, "{name}"),
            (one, other) => assert_eq!(one, other, "{name}"),
        }
        let depth = |case: &Case| case.contact().map_or(-1.0, |contact| contact.depth);
        let (one, other) = (depth(case), depth(&there));
        assert!(
            (2.0 * one - other).abs() < 1e-8 || one == other,
            "{name}: {one} {other}"
        );
        let (one, other) = (case.sweep(), there.sweep());
        assert_eq!(discriminant(&one), discriminant(&other), "{name}");
        if let (Some(one), Some(other)) = (one.impact(), other.impact()) {
            assert!((one.fraction - other.fraction).abs() < 1e-7, "{name}");
            let normal = frame.vector(one.normal * at(-1.0, 1.0, 1.0));
            assert!(normal.distance(other.normal) < 1e-5, "{name}");
        }
        match (case.approach(), there.approach()) {
            (Some(one), Some(other)) => {
                let apart = (2.0 * one.distance - other.distance).abs();
                assert!(apart < 1e-8, "{name}: {one:?} {other:?}");
            }
            (one, other) => assert_eq!(one, other, "{name}"),
        }
    });
}

/// A point of a shape in its local space.
fn inside(shape: &Shape, random: &mut Random) -> DVec3 {
    let ends = |random: &mut Random, segment: &Segment| segment.a.lerp(segment.b, random.unit());
    match shape {
        Shape::Sphere { radius } => random.direction() * (radius * random.unit()),
        Shape::Box { half_extents } => random.point(1.0) * half_extents,
        Shape::Segment(segment) => ends(random, segment),
        Shape::Capsule(Capsule { segment, radius }) => {
            ends(random, segment) + random.direction() * (radius * random.unit())
        }
        Shape::Triangle(Triangle { a, b, c, .. }) => {
            let (s, t) = (random.unit(), random.unit());
            let (s, t) = if s + t > 1.0 {
                (1.0 - s, 1.0 - t)
            } else {
                (s, t)
            };
            a + (b - a) * s + (c - a) * t
        }
        Shape::Solid(solid) => {
            let [one, other] = [(); 2].map(|()| solid.support(random.direction()));
            let grown = random.direction() * (solid.radius() * random.unit());
            one.lerp(other, random.unit()) + grown
        }
        Shape::Compound(compound) => {
            let parts = compound.parts();
            let part = &parts[random.index(parts.len())];
            part.pose.point(inside(&part.shape, random))
        }
        Shape::Plane(plane) => {
            let point = random.point(9.0);
            point - plane.normal * (point.dot(plane.normal) - plane.offset).max(0.0)
        }
        Shape::Mesh(mesh) => {
            let triangle = mesh.triangle(random.below(mesh.count() as u64) as u32);
            inside(&Shape::Triangle(triangle), random)
        }
        _ => unreachable!("a new shape has its points here too"),
    }
}

#[test]
fn a_gap_is_the_distance_of_its_points_and_no_sampled_points_are_nearer() {
    cases(200, |case, random| {
        let (a, b) = case.placed(0.0);
        let Some(found) = gap(&a, &b) else { return };
        let between = found.point_a.distance(found.point_b);
        if found.distance <= 0.0 {
            return;
        }
        assert!(
            (between - found.distance).abs() < case.bound,
            "{}: {found:?}",
            case.name
        );
        let away = off(found.point_a, &a).max(off(found.point_b, &b));
        assert!(away < case.aside, "{}: {found:?} is {away} off", case.name);
        for _ in 0..50 {
            let points = [(&case.a, case.motion_a), (&case.b, case.motion_b)];
            let [p, q] = points.map(|(shape, motion)| motion.start.point(inside(shape, random)));
            let sampled = p.distance(q);
            assert!(
                sampled > found.distance - case.bound,
                "{}: {sampled}",
                case.name
            );
        }
    });
}

/// Contact, gap, sweep and ray are the best of the triangles' results, and have the index of one that gives it.
#[test]
fn a_mesh_has_the_results_of_its_triangles() {
    let mut detected = [0; 4];
    for kind in &KINDS[..10] {
        for seed in 0..rounds(500) {
            let mut random = Random(seed * 31 + 7);
            let name = format!("{kind}, seed {seed}");
            let body = shape(kind, &mut random);
            let (fast, slow) = (
                motion(&mut random, DVec3::ZERO),
                motion(&mut random, DVec3::ZERO),
            );
            let mesh = Arc::new(mesh(&mut random));
            let whole = Shape::Mesh(Arc::clone(&mesh));
            let parts: Vec<Shape> = (0..9)
                .map(|index| Shape::Triangle(mesh.triangle(index)))
                .collect();
            let placed = body.placed(&fast.start);
            let distance =
                |shape: &Shape| gap(&placed, &shape.placed(&slow.start)).unwrap().distance;
            let nearest = parts.iter().map(distance).fold(f64::INFINITY, f64::min);
            assert!(
                (distance(&whole) - nearest).abs() < 1e-9,
                "{name}: {nearest}"
            );

            let touch = |shape: &Shape| contact(&placed, &shape.placed(&slow.start), &mut ());
            let deepest = parts
                .iter()
                .filter_map(touch)
                .map(|c| c.depth)
                .reduce(f64::max);
            let found = touch(&whole);
            assert_eq!(found.is_some(), deepest.is_some(), "{name}");
            if let (Some(found), Some(deepest)) = (found, deepest) {
                detected[0] += 1;
                let named = touch(&parts[found.triangle.unwrap() as usize]).unwrap();
                assert!(
                    (found.depth - deepest).abs() < 1e-9,
                    "{name}: {found:?} {deepest}"
                );
                assert!(
                    (named.depth - deepest).abs() < 1e-9,
                    "{name}: {found:?} {named:?}"
                );
            }

            let swept = |shape: &Shape| sweep(&body, &fast, shape, &slow, &mut ()).outcome;
            let outcomes: Vec<SweepOutcome> = parts.iter().map(swept).collect();
            let overlapping = |one: &SweepOutcome| matches!(one, SweepOutcome::Overlapping { .. });
            let overlaps = outcomes.iter().any(overlapping);
            let fraction = |one: &SweepOutcome| one.impact().map(|impact| impact.fraction);
            let earliest = outcomes.iter().filter_map(fraction).reduce(f64::min);
            match (swept(&whole), earliest) {
                (SweepOutcome::Overlapping { .. }, _) => {
                    detected[1] += 1;
                    assert!(overlaps, "{name}");
                }
                (SweepOutcome::Hits(impact), Some(earliest)) => {
                    detected[2] += 1;
                    let named = fraction(&outcomes[impact.triangle.unwrap() as usize]);
                    let late = (impact.fraction - earliest).max(named.unwrap() - earliest);
                    assert!(!overlaps && late.abs() < 1e-9, "{name}: {late}");
                }
                (outcome, earliest) => {
                    assert!(!overlaps && earliest.is_none(), "{name}: {outcome:?}");
                }
            }

            let (a, b) = (fast.start.position, fast.end.position);
            let hit = |shape: &Shape| {
                ray_cast(&Segment { a, b }, shape, &slow.start).map(|hit| hit.fraction)
            };
            let first = parts.iter().filter_map(hit).reduce(f64::min);
            assert_eq!(hit(&whole), first, "{name}");
            detected[3] += usize::from(first.is_some());
        }
    }
    assert!(
        detected.iter().all(|&count| count >= rounds(40)),
        "{detected:?}"
    );
}

/// A closed box of twelve outward triangles is the same obstacle as the box, from outside.
#[test]
fn a_box_of_one_sided_triangles_is_hit_like_the_box() {
    let mut hits = 0;
    for seed in 0..rounds(2000) {
        let mut random = Random(seed);
        let half = at(1.05, 1.05, 1.05) + random.point(0.95);
        let side = |bits: u32, axis: u32| if bits >> axis & 1 == 1 { 1.0 } else { -1.0 };
        let corner = |bits: u32| half * at(side(bits, 0), side(bits, 1), side(bits, 2));
        let quads = [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ];
        let halves = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
        let triangles = quads.into_iter().flat_map(halves).collect();
        let mesh = Mesh::new((0..8).map(corner).collect(), triangles, Facing::Front).unwrap();
        let mover = shape("sphere", &mut random);
        let (fast, slow) = (
            motion(&mut random, DVec3::ZERO),
            motion(&mut random, DVec3::ZERO),
        );
        let swept = |other: Shape| sweep(&mover, &fast, &other, &slow, &mut ()).outcome;
        let by_mesh = swept(Shape::Mesh(Arc::new(mesh)));
        match swept(Shape::Box { half_extents: half }) {
            SweepOutcome::Hits(by_box) => {
                hits += 1;
                let by_mesh = by_mesh
                    .impact()
                    .unwrap_or_else(|| panic!("seed {seed}: {by_mesh:?}"));
                assert!(
                    (by_mesh.fraction - by_box.fraction).abs() < 1e-11,
                    "seed {seed}"
                );
                assert!(by_mesh.normal.distance(by_box.normal) < 1e-6, "seed {seed}");
            }
            SweepOutcome::Overlapping { .. } => {}
            _ => assert!(by_mesh.impact().is_none(), "seed {seed}: {by_mesh:?}"),
        }
    }
    assert!(hits > rounds(100), "{hits}");
}

/// Small, fast and far: the gap at the time of impact is within a few roundings of the coordinates.
#[test]
fn the_impact_is_exact_to_some_ulps_of_the_coordinates() {
    const TRAVEL: f64 = 1e3;
    for seed in 0..rounds(2000) {
        let mut random = Random(seed);
        let offset = [0.0, 1e3, 1e7][seed as usize % 3];
        let radius = 10.0_f64.powf(random.range(-3.0, 0.0));
        let target = DVec3::splat(offset) + random.point(1.0);
        let direction = random.direction();
        // Aimed past the centre by less than the sum of the radii.
        let aside = direction.any_orthonormal_vector() * radius * random.range(0.0, 1.9);
        let start = target + aside - direction * TRAVEL * random.unit();
        let flight = moving(Pose::at(start), direction * TRAVEL * 2.0);
        let rest = Motion::still(Pose::at(target));
        match sweep(&ball(radius), &flight, &ball(radius), &rest, &mut ()).outcome {
            SweepOutcome::Hits(impact) => {
                let center = start + flight.displacement() * impact.fraction;
                let gap = center.distance(target) - 2.0 * radius;
                assert!(
                    gap.abs() < 16.0 * f64::EPSILON * (offset + TRAVEL),
                    "seed {seed}: {gap}"
                );
            }
            SweepOutcome::Overlapping { .. } => {
                assert!(start.distance(target) < 2.0 * radius, "seed {seed}");
            }
            other => panic!("seed {seed}: {other:?}"),
        }
    }
}

/// Moved along the normal until the gap is some error bounds above or below zero: they touch or not, from both sides.
#[test]
fn outside_the_error_bound_no_verdict_is_wrong() {
    let mut count = 0;
    cases(60, |case, _| {
        let (a, b) = case.placed(0.0);
        let Some(found) = gap(&a, &b).filter(|found| found.distance > 0.1) else {
            return;
        };
        let normal = (found.point_a - found.point_b) / found.distance;
        for (hair, touches) in [(4.0, false), (-4.0, true)] {
            let step = -normal * (found.distance - hair * case.bound);
            let moved = Case {
                name: case.name.clone(),
                a: case.a.clone(),
                b: case.b.clone(),
                motion_a: moving(moving(case.motion_a.start, step).end, DVec3::ZERO),
                ..*case
            };
            // A sharp corner may pass another one.
            if touches && moved.gap(0.0).is_none_or(|gap| gap > -case.bound) {
                continue;
            }
            for case in [&moved, &moved.swapped()] {
                let (a, b) = case.placed(0.0);
                assert_eq!(overlaps(&a, &b), touches, "{}: {hair}", case.name);
            }
            let swept = Case {
                motion_a: moving(case.motion_a.start, step),
                motion_b: Motion::still(case.motion_b.start),
                ..moved
            };
            for case in [&swept, &swept.swapped()] {
                let outcome = case.sweep();
                assert_eq!(
                    outcome.impact().is_some(),
                    touches,
                    "{}: {outcome:?}",
                    case.name
                );
            }
            count += 1;
        }
    });
    assert!(count > rounds(2000), "{count}");
}

/// Two shapes, the first at a pose, the second at the origin; the signed distance and the normal toward the first, by hand.
#[test]
fn cylinders_cones_and_rounded_boxes_by_hand() {
    let cube = Shape::Box {
        half_extents: DVec3::ONE,
    };
    let ground = Shape::Plane(Plane {
        normal: DVec3::Y,
        offset: 0.0,
    });
    let up = |y: f64| Pose::at(at(0.0, y, 0.0));
    let turned = |position: DVec3, rotation: DQuat| Pose { position, rotation };
    let pole = || cylinder(1.0, 0.5);
    // A cone 2 high on a base of radius 1.5: its slanted side is 2.5 long, and its normal (2, 1.5) / 2.5.
    let hat = || cone(1.0, 1.5);
    let side = at(0.8, 0.6, 0.0);
    let halfway = at(0.75, 0.0, 0.0);
    let third = DVec3::new(2.0, 1.0, 2.0) / 3.0;
    let sloping = 1.5 / 2.0_f64.sqrt();
    let rows = [
        // Upright, its lower cap 0.25 or 0.1 below the surface.
        (pole(), up(0.75), &ground, -0.25, DVec3::Y),
        (pole(), up(1.9), &cube, -0.1, DVec3::Y),
        (pole(), up(1.9), &cylinder(1.0, 2.0), -0.1, DVec3::Y),
        (hat(), up(0.9), &ground, -0.1, DVec3::Y),
        // Tilted by 45 degrees its lowest point is (1 + 0.5) / sqrt(2) below the centre; the cone's tip 1.
        (
            pole(),
            turned(DVec3::Y, DQuat::from_rotation_z(FRAC_PI_4)),
            &ground,
            1.0 - sloping,
            DVec3::Y,
        ),
        (
            hat(),
            turned(at(0.0, 0.75, 0.0), DQuat::from_rotation_x(PI)),
            &ground,
            -0.25,
            DVec3::Y,
        ),
        // A ball beside a cylinder: distance from the axis less both radii.
        (
            ball(0.25),
            Pose::at(at(2.0, 0.3, 0.0)),
            &pole(),
            1.25,
            DVec3::X,
        ),
        (
            ball(0.25),
            Pose::at(at(0.6, 0.3, 0.0)),
            &pole(),
            -0.15,
            DVec3::X,
        ),
        // Above the rim, 0.3 outside and 0.4 above: 0.5 from the circle.
        (
            ball(0.2),
            Pose::at(at(0.8, 1.4, 0.0)),
            &pole(),
            0.3,
            at(0.6, 0.8, 0.0),
        ),
        (
            ball(0.6),
            Pose::at(at(0.0, 1.4, -0.8)),
            &pole(),
            -0.1,
            at(0.0, 0.8, -0.6),
        ),
        // From half the height of the cone's side, along its normal; from its tip; from its rim.
        (ball(0.25), Pose::at(halfway + side), &hat(), 0.75, side),
        (
            ball(0.3),
            Pose::at(halfway - side * 0.1),
            &hat(),
            -0.4,
            side,
        ),
        (ball(0.5), up(3.0), &hat(), 1.5, DVec3::Y),
        (
            ball(0.2),
            Pose::at(at(1.8, -1.4, 0.0)),
            &hat(),
            0.3,
            at(0.6, -0.8, 0.0),
        ),
        // Two cylinders side by side, and crossed: the distance of the axes less both radii.
        (pole(), Pose::at(at(1.2, 0.5, 0.0)), &pole(), 0.2, DVec3::X),
        (
            cylinder(2.0, 0.25),
            turned(DVec3::Z, DQuat::from_rotation_z(FRAC_PI_2)),
            &pole(),
            0.25,
            DVec3::Z,
        ),
        // A box beside a cylinder, and rotated with an edge toward it.
        (
            cube.clone(),
            Pose::at(at(1.25, 0.5, 0.0)),
            &pole(),
            -0.25,
            DVec3::X,
        ),
        (
            cube.clone(),
            turned(at(2.5, 0.5, 0.0), DQuat::from_rotation_y(FRAC_PI_4)),
            &pole(),
            2.0 - 2.0_f64.sqrt(),
            DVec3::X,
        ),
        // A ball 1.25 from the corner of the core, and beside a face.
        (
            ball(0.5),
            Pose::at(DVec3::ONE + third * 1.25),
            &rounded_box(DVec3::ONE, 0.25),
            0.5,
            third,
        ),
        (
            ball(0.5),
            Pose::at(at(0.2, 1.5, 0.3)),
            &rounded_box(DVec3::ONE, 0.25),
            -0.25,
            DVec3::Y,
        ),
        (
            rounded_box(DVec3::ONE, 0.25),
            up(1.0),
            &ground,
            -0.25,
            DVec3::Y,
        ),
    ];
    for (number, (a, pose, b, distance, normal)) in rows.iter().enumerate() {
        let (a, b) = (a.placed(pose), b.placed(&Pose::IDENTITY));
        let found = gap(&a, &b).unwrap();
        assert!(
            (found.distance - distance).abs() < 1e-12,
            "row {number}: {found:?}"
        );
        let touch = contact(&a, &b, &mut ());
        assert_eq!(touch.is_some(), *distance <= 0.0, "row {number}");
        if let Some(touch) = touch {
            assert!(
                (touch.depth + distance).abs() < 1e-12,
                "row {number}: {touch:?}"
            );
            assert!(
                touch.normal.distance(*normal) < 1e-6,
                "row {number}: {touch:?}"
            );
            let back = contact(&b, &a, &mut ()).unwrap();
            assert!(
                back.normal.distance(-*normal) < 1e-6,
                "row {number}: {back:?}"
            );
        } else {
            let along = (found.point_a - found.point_b) / found.distance;
            assert!(along.distance(*normal) < 1e-6, "row {number}: {found:?}");
        }
    }
}

/// A moving shape, and a fixed one at the origin; the fraction and the normal, by hand.
/// A ball with its centre inside a cylinder or cone, pushed out through the nearest side: by hand, in both orders.
#[test]
fn a_ball_leaves_cylinders_and_cones_by_the_nearest_side() {
    for seed in 0..few_rounds(20_000) {
        let mut random = Random(seed);
        let (half_height, radius) = (random.range(0.1, 1.0), random.range(0.1, 1.0));
        let (ball_radius, pose) = (random.range(0.02, 0.5), random.pose(2.0));
        // Near the axis all sides are equally near, and the search ends early.
        let (y, share) = (
            random.range(-half_height, half_height),
            random.range(0.02, 1.0),
        );
        let (sine, cosine) = random.range(0.0, 2.0 * PI).sin_cos();
        let base = y + half_height;
        let wide = radius * (half_height - y) / (2.0 * half_height);
        let slant = radius.hypot(2.0 * half_height);
        let solids = [
            (
                cylinder(half_height, radius),
                radius,
                (radius * (1.0 - share)).min(half_height - y.abs()),
            ),
            (
                cone(half_height, radius),
                wide,
                (wide * (1.0 - share) * 2.0 * half_height / slant).min(base),
            ),
        ];
        for (solid, wide, inside) in solids {
            let off = wide * share;
            let center = pose.point(DVec3::new(off * cosine, y, off * sine));
            let (ball, there) = (ball(ball_radius), Pose::at(center));
            let (ball, solid) = (ball.placed(&there), solid.placed(&pose));
            for (a, b) in [(&ball, &solid), (&solid, &ball)] {
                let depth = contact(a, b, &mut ()).unwrap().depth;
                let exact = ball_radius + inside;
                assert!(
                    (depth - exact).abs() < 1e-7,
                    "seed {seed}: {depth} {exact} {a:?} {b:?}"
                );
            }
        }
    }
}

#[test]
fn sweeps_of_cylinders_cones_and_rounded_boxes_by_hand() {
    let cube = || Shape::Box {
        half_extents: DVec3::ONE,
    };
    let pole = || cylinder(1.0, 0.5);
    let third = DVec3::new(2.0, 1.0, 2.0) / 3.0;
    let side = at(0.8, 0.6, 0.0);
    let turned = |position: DVec3, rotation: DQuat| Pose { position, rotation };
    let rows = [
        // Lying along x, onto a ball of the same radius: from 3 above, 2 of 4.
        (
            pole(),
            turned(at(0.0, 3.0, 0.0), DQuat::from_rotation_z(FRAC_PI_2)),
            at(0.0, -4.0, 0.0),
            ball(0.5),
            0.5,
            DVec3::Y,
        ),
        // Face, and then edge, against a cylinder's side: 4 - 1 - 0.5 = 2.5 of 5, and less by sqrt(2) - 1.
        (
            cube(),
            Pose::at(at(4.0, 0.3, 0.0)),
            at(-5.0, 0.0, 0.0),
            pole(),
            0.5,
            DVec3::X,
        ),
        (
            cube(),
            turned(at(4.0, 0.3, 0.0), DQuat::from_rotation_y(FRAC_PI_4)),
            at(-5.0, 0.0, 0.0),
            pole(),
            (3.5 - 2.0_f64.sqrt()) / 5.0,
            DVec3::X,
        ),
        // Caps: from 5 above, 3 of 4.
        (
            pole(),
            Pose::at(at(0.2, 5.0, 0.1)),
            at(0.0, -4.0, 0.0),
            pole(),
            0.75,
            DVec3::Y,
        ),
        // A ball at the rim, along the normal there: 1 less 0.25 of 1.5.
        (
            ball(0.25),
            Pose::at(at(1.1, 1.8, 0.0)),
            at(-0.6, -0.8, 0.0) * 1.5,
            pole(),
            0.5,
            at(0.6, 0.8, 0.0),
        ),
        // A ball against a cone's side, 1.25 from it: 1 of 2; down onto its tip, 1.5 of 3.
        (
            ball(0.25),
            Pose::at(at(0.75, 0.0, 0.0) + side * 1.25),
            side * -2.0,
            cone(1.0, 1.5),
            0.5,
            side,
        ),
        (
            ball(0.5),
            Pose::at(at(0.0, 3.0, 0.0)),
            at(0.0, -3.0, 0.0),
            cone(1.0, 1.5),
            0.5,
            DVec3::Y,
        ),
        // A ball against a rounded corner: 1.25 less both radii is 0.5 of 1.
        (
            ball(0.5),
            Pose::at(DVec3::ONE + third * 1.25),
            -third,
            rounded_box(DVec3::ONE, 0.25),
            0.5,
            third,
        ),
    ];
    for (number, (a, start, step, b, fraction, normal)) in rows.iter().enumerate() {
        let (motion, still) = (moving(*start, *step), Motion::still(Pose::IDENTITY));
        for (outcome, normal) in [
            (sweep(a, &motion, b, &still, &mut ()).outcome, *normal),
            (sweep(b, &still, a, &motion, &mut ()).outcome, -*normal),
        ] {
            let impact = outcome
                .impact()
                .unwrap_or_else(|| panic!("row {number}: {outcome:?}"));
            let late = (impact.fraction - fraction).abs();
            assert!(late < 1e-12, "row {number}: {impact:?}");
            assert!(
                impact.normal.distance(normal) < 1e-6,
                "row {number}: {impact:?}"
            );
        }
    }
}

/// A tangent path: a ball passes a cylinder's rim, and a cone's side, at the offset of its path.
#[test]
fn the_closest_approach_to_a_round_side_is_the_offset_of_the_path() {
    for (off, hits) in [(1e-7, false), (-1e-7, true)] {
        let pass = |other: &Shape, start: DVec3, step: DVec3| {
            let (mover, still) = (ball(0.25), Motion::still(Pose::IDENTITY));
            let motion = moving(Pose::at(start), step);
            let outcome = sweep(&mover, &motion, other, &still, &mut ()).outcome;
            assert_eq!(outcome.impact().is_some(), hits, "{outcome:?}");
            let nearest = closest_approach(&mover, &motion, other, &still, &mut ()).unwrap();
            assert!(
                (nearest.distance - f64::max(off, 0.0)).abs() < 1e-12,
                "{nearest:?}"
            );
        };
        // Beside the cylinder at x = 0.75, along z.
        pass(
            &cylinder(1.0, 0.5),
            at(0.75 + off, 0.2, -3.0),
            at(0.0, 0.0, 6.0),
        );
        // Over its upper cap.
        pass(
            &cylinder(1.0, 0.5),
            at(-3.0, 1.25 + off, 0.1),
            at(6.0, 0.0, 0.0),
        );
        // Along z past half the height of the cone's side, which curves away.
        let side = at(0.8, 0.6, 0.0);
        pass(
            &cone(1.0, 1.5),
            at(0.75, 0.0, -3.0) + side * (0.25 + off),
            at(0.0, 0.0, 6.0),
        );
    }
}
