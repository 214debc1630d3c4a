//! Properties of every pair of shapes, near the origin and 1e7 m from it. The gap of two placed shapes is the oracle of contact and sweep.

use super::exact::random;
use crate::common::random::Random;
use crate::common::rounds;
use crate::common::samples::{at, ball};
use glam::{DQuat, DVec3};
use hitstop::core::query::{
    Contact, SweepOutcome, contact, gap, meeting, overlaps, ray_cast, sweep,
};
use hitstop::core::shape::{
    Capsule, Facing, Mesh, Motion, Placed, Plane, Pose, Segment, Shape, Sphere, Triangle,
};
use std::collections::BTreeMap;
use std::sync::Arc;

const KINDS: [&str; 8] = [
    "sphere", "box", "segment", "capsule", "triangle", "plane", "mesh", "front",
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
    /// Metres by which rounding may change an answer at these coordinates.
    noise: f64,
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
                let case = Case {
                    name: format!("{first} against {second}, seed {seed}"),
                    a: shape(first, &mut random),
                    b: shape(second, &mut random),
                    motion_a: motion(&mut random, offset),
                    motion_b: motion(&mut random, offset),
                    noise: if far { 1e-6 } else { 1e-9 },
                    far,
                };
                check(&case, &mut random);
            }
        }
    }
}

/// How far a point is from a shape's surface; none from the back of a one-sided triangle.
fn off(point: DVec3, shape: &Placed<'_>) -> f64 {
    let point = Placed::Sphere(Sphere {
        center: point,
        radius: 0.0,
    });
    gap(&point, shape).map_or(0.0, |gap| gap.distance.abs())
}

#[test]
fn a_sweep_agrees_with_samples_of_the_gap() {
    let steps = rounds(1000_u32);
    let mut seen = BTreeMap::new();
    cases(200, |case, _| {
        let outcome = case.sweep();
        let name = format!("{}: {outcome:?}", case.name);
        let expected = outcome.kind().meets().then_some(outcome);
        let found = meeting(&case.a, &case.motion_a, &case.b, &case.motion_b);
        assert_eq!(found, expected, "{name}");
        let Some(start) = case.gap(0.0) else { return };
        *seen.entry((outcome.name(), case.far)).or_insert(0) += 1;
        let cuts = (0..=steps).map(|cut| f64::from(cut) / f64::from(steps));
        let samples: Vec<(f64, f64)> = cuts.filter_map(|t| Some((t, case.gap(t)?))).collect();
        let least = samples
            .iter()
            .map(|cut| cut.1)
            .fold(f64::INFINITY, f64::min);
        let relative = case.motion_a.displacement() - case.motion_b.displacement();
        match outcome {
            SweepOutcome::Overlapping { depth } => {
                assert!((start + depth).abs() < case.noise, "{name} {start}");
            }
            SweepOutcome::Receding => {
                assert!(
                    start > -case.noise && least > start - case.noise,
                    "{name} {least}"
                );
            }
            SweepOutcome::Later => {
                let last = samples[samples.len() - 1].1;
                assert!(
                    last > -case.noise && least > last - case.noise,
                    "{name} {least}"
                );
            }
            SweepOutcome::Misses { by, fraction } => {
                assert!(by > 0.0 && (0.0..=1.0).contains(&fraction), "{name}");
                let slack = relative.length() / f64::from(steps);
                assert!(
                    (by - case.noise..=by + slack).contains(&least),
                    "{name} {least}"
                );
                let there = case.gap(fraction).unwrap_or(by);
                assert!((there - by).abs() < case.noise, "{name} {there}");
            }
            SweepOutcome::Grazes { fraction } => {
                assert!(least > -case.noise, "{name} {least}");
                assert!(case.gap(fraction).unwrap().abs() < case.noise, "{name}");
            }
            SweepOutcome::Hits(impact) => {
                let t = impact.fraction;
                assert!((0.0..1.0).contains(&t), "{name}");
                let there = case.gap(t).unwrap();
                assert!(
                    there.abs() < case.noise,
                    "{name}: gap {there} at the impact"
                );
                for cut in samples.iter().filter(|cut| cut.0 < t) {
                    assert!(cut.1 > -case.noise, "{name}: gap {} at {}", cut.1, cut.0);
                }
                assert!((impact.normal.length() - 1.0).abs() < 1e-12, "{name}");
                assert!(impact.normal.dot(relative) < case.noise, "{name}: parting");
                let (a, b) = case.placed(t);
                let away = off(impact.point, &a).max(off(impact.point, &b));
                assert!(away < case.noise, "{name}: the point is {away} off");
            }
        }
    });
    for outcome in ["Overlapping", "Receding", "Later", "Misses", "Hits"] {
        for far in [false, true] {
            let count = seen.get(&(outcome, far)).copied().unwrap_or(0);
            assert!(count > rounds(100), "{outcome}, far: {far}: {seen:?}");
        }
    }
}

#[test]
fn a_push_separates_and_no_shorter_one_does() {
    let mut pushed = [0; 2];
    cases(300, |case, random| {
        let name = &case.name;
        let distance = case.gap(0.0);
        let Some(found) = case.contact() else {
            assert!(
                distance.is_none_or(|gap| gap > -case.noise),
                "{name}: {distance:?}"
            );
            return;
        };
        let depth = -distance.unwrap();
        assert!(
            (found.depth - depth).abs() < case.noise,
            "{name}: {found:?} {depth}"
        );
        if case.has_mesh() {
            return; // The push out of the deepest triangle may leave another one.
        }
        pushed[usize::from(case.far)] += 1;
        let after = case.gap_after(found.push()).unwrap();
        assert!(after.abs() < case.noise, "{name}: {after} after the push");
        let moved = moving(case.motion_a.start, found.push()).end;
        let away =
            off(found.point, &case.placed(0.0).1).max(off(found.point, &case.a.placed(&moved)));
        assert!(away < case.noise, "{name}: the point is {away} off");
        for _ in 0..40 {
            // Moved to the back of a one-sided triangle, there is no gap.
            let shorter = case.gap_after(random.direction() * (found.depth * 0.999));
            assert!(
                shorter.is_none_or(|gap| gap < case.noise),
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
fn swapped_shapes_get_the_same_answer_with_the_normal_reversed() {
    cases(100, |case, _| {
        let (name, back) = (&case.name, case.swapped());
        let noise = if case.far { case.noise } else { 1e-12 };
        let (a, b) = case.placed(0.0);
        match (case.contact(), back.contact()) {
            (Some(one), Some(other)) => {
                assert!((one.depth - other.depth).abs() < noise, "{name}");
                let other = other.swapped();
                let same = one.normal.distance(other.normal) < 1e3 * noise
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
            (Some(one), Some(other)) => assert!((one - other).abs() < noise, "{name}"),
            (one, other) => assert_eq!(one, other, "{name}"),
        }
        same_sweep(&case.sweep(), &back.sweep().swapped(), 1e3 * noise, name);
    });
}

/// The same outcome by name; of two hits, time and normal.
#[track_caller]
fn same_sweep(one: &SweepOutcome, other: &SweepOutcome, tolerance: f64, name: &str) {
    assert_eq!(one.name(), other.name(), "{name}");
    if let (Some(one), Some(other)) = (one.impact(), other.impact()) {
        assert!((one.fraction - other.fraction).abs() < tolerance, "{name}");
        assert!(one.normal.distance(other.normal) < tolerance, "{name}");
    }
}

/// Mirrored in x, twice as large, and then turned and moved.
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
        Shape::Plane(plane) => Shape::Plane(Plane {
            normal: 0.5 * mirrored(plane.normal),
            offset: 2.0 * plane.offset,
        }),
        Shape::Mesh(mesh) => {
            let vertices = mesh.vertices().iter().copied().map(mirrored).collect();
            let triangles = mesh.triangles().to_vec();
            Shape::Mesh(Arc::new(
                Mesh::new(vertices, triangles, Facing::Both).unwrap(),
            ))
        }
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
fn a_mirrored_turned_and_scaled_world_gives_the_same_answers() {
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
        assert_eq!(one.name(), other.name(), "{name}");
        match (one, other) {
            (SweepOutcome::Hits(one), SweepOutcome::Hits(other)) => {
                assert!((one.fraction - other.fraction).abs() < 1e-7, "{name}");
                let normal = frame.vector(one.normal * at(-1.0, 1.0, 1.0));
                assert!(normal.distance(other.normal) < 1e-5, "{name}");
            }
            (SweepOutcome::Misses { by: one, .. }, SweepOutcome::Misses { by: other, .. }) => {
                assert!((2.0 * one - other).abs() < 1e-6, "{name}: {one} {other}");
            }
            _ => {}
        }
    });
}

/// Some point of a shape, in its own space.
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
        Shape::Plane(plane) => {
            let point = random.point(9.0);
            point - plane.normal * (point.dot(plane.normal) - plane.offset).max(0.0)
        }
        Shape::Mesh(mesh) => {
            let triangle = mesh.triangle(random.below(mesh.triangles().len() as u64) as u32);
            inside(&Shape::Triangle(triangle), random)
        }
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
            (between - found.distance).abs() < case.noise,
            "{}: {found:?}",
            case.name
        );
        let away = off(found.point_a, &a).max(off(found.point_b, &b));
        assert!(away < case.noise, "{}: {found:?} is {away} off", case.name);
        for _ in 0..50 {
            let points = [(&case.a, case.motion_a), (&case.b, case.motion_b)];
            let [p, q] = points.map(|(shape, motion)| motion.start.point(inside(shape, random)));
            let sampled = p.distance(q);
            assert!(
                sampled > found.distance - case.noise,
                "{}: {sampled}",
                case.name
            );
        }
    });
}

/// Contact, gap, sweep and ray are the best of those of the triangles, and name one that has it.
#[test]
fn a_mesh_is_the_sum_of_its_triangles() {
    let mut seen = [0; 4];
    for kind in &KINDS[..7] {
        for seed in 0..rounds(600) {
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
                seen[0] += 1;
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
            let overlaps = outcomes.iter().any(|one| one.name() == "Overlapping");
            let fraction = |one: &SweepOutcome| one.impact().map(|impact| impact.fraction);
            let earliest = outcomes.iter().filter_map(fraction).reduce(f64::min);
            match (swept(&whole), earliest) {
                (SweepOutcome::Overlapping { .. }, _) => {
                    seen[1] += 1;
                    assert!(overlaps, "{name}");
                }
                (SweepOutcome::Hits(impact), Some(earliest)) => {
                    seen[2] += 1;
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
            seen[3] += usize::from(first.is_some());
        }
    }
    assert!(seen.iter().all(|&count| count > rounds(40)), "{seen:?}");
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

/// Mirrors, quarter turns, doubling and swaps round nothing, so that what is close by an ulp must come out the same: the outcome by
/// name, and whether there is contact.
#[test]
fn a_close_decision_is_the_same_from_every_side() {
    type View = fn(DVec3) -> DVec3;
    let views: [(f64, View); 4] = [
        (1.0, |v| v * at(-1.0, 1.0, 1.0)),
        (1.0, |v| at(v.x, -v.z, v.y)),
        (1.0, |v| at(v.y, v.z, v.x)),
        (2.0, |v| v * 2.0),
    ];
    let mut seen = BTreeMap::new();
    for seed in 0..rounds(3000) {
        for corners in 1..=3 {
            let case = random::case(seed, corners);
            let what = format!("seed {seed}, {}, {corners} corners", case.kind);
            let here = answers(&case, |v| v, 1.0);
            *seen.entry(here[0].0).or_insert(0) += 1;
            assert!(
                here.iter().all(|answer| *answer == here[0]),
                "{what}: {here:?}"
            );
            for (number, (scale, view)) in views.into_iter().enumerate() {
                assert_eq!(here, answers(&case, view, scale), "{what}, view {number}");
            }
        }
    }
    let enough = |&count: &i32| count > rounds(200);
    assert!(seen.len() == 6 && seen.values().all(enough), "{seen:?}");
}

/// Outcome and contact of a case as seen by `view`, in both orders and with the corners in other orders. The motion begins at zero, so
/// that its two poses round nothing.
fn answers(case: &random::Case, view: fn(DVec3) -> DVec3, scale: f64) -> Vec<(&'static str, bool)> {
    let [radius_a, radius_b] = case.radii.map(|radius| radius * scale);
    let center = view(case.center);
    let corners: Vec<DVec3> = case
        .corners
        .iter()
        .map(|&corner| view(corner) - center)
        .collect();
    let mut place = DVec3::ZERO;
    let triangle = |a: usize, b: usize, c: usize| {
        let [a, b, c] = [corners[a], corners[b], corners[c]];
        let facing = Facing::Both;
        Shape::Triangle(Triangle { a, b, c, facing })
    };
    let others = match corners[..] {
        [corner] => {
            place = corner;
            vec![ball(radius_b)]
        }
        [a, b] => vec![capsule(a, b, radius_b), capsule(b, a, radius_b)],
        _ => vec![triangle(0, 1, 2), triangle(2, 0, 1), triangle(1, 0, 2)],
    };
    let mover = ball(radius_a);
    let moves = moving(Pose::IDENTITY, view(case.displacement - case.other));
    let still = Motion::still(Pose::at(place));
    let answer = |a: &Shape, motion_a: &Motion, b: &Shape, motion_b: &Motion| {
        let touch = contact(
            &a.placed(&motion_a.start),
            &b.placed(&motion_b.start),
            &mut (),
        );
        let swept = sweep(a, motion_a, b, motion_b, &mut ());
        (swept.outcome.name(), touch.is_some())
    };
    let both = |other| {
        [
            answer(&mover, &moves, other, &still),
            answer(other, &still, &mover, &moves),
        ]
    };
    others.iter().flat_map(both).collect()
}
