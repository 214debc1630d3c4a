//! What holds for every pair of shapes, also 1e7 m from the origin; and a mesh as the sum of its triangles.

use super::exact::random;
use crate::common::random::Random;
use glam::{DQuat, DVec3};
use hitstop::core::query::{SweepOutcome, contact, gap, meeting, ray_cast, sweep};
use hitstop::core::shape::{Capsule, Facing, Mesh, Motion, Plane, Pose, Segment, Shape, Triangle};
use std::sync::Arc;

const KINDS: [&str; 7] = [
    "sphere", "box", "segment", "capsule", "triangle", "plane", "mesh",
];

fn shape(kind: &str, random: &mut Random) -> Shape {
    let segment = Segment {
        a: random.point(1.5),
        b: random.point(1.5),
    };
    match kind {
        "sphere" => Shape::Sphere {
            radius: random.range(0.1, 1.5),
        },
        "box" => Shape::Box {
            half_extents: DVec3::splat(1.1) + random.point(1.0),
        },
        "segment" => Shape::Segment(segment),
        "capsule" => Shape::Capsule(Capsule {
            segment,
            radius: random.range(0.1, 1.0),
        }),
        "triangle" => Shape::Triangle(triangle(random)),
        "plane" => Shape::Plane(Plane {
            normal: random.direction(),
            offset: random.range(-1.0, 1.0),
        }),
        _ => Shape::Mesh(Arc::new(mesh(random))),
    }
}

fn triangle(random: &mut Random) -> Triangle {
    Triangle {
        a: random.point(2.0),
        b: random.point(2.0),
        c: random.point(2.0),
        facing: Facing::Both,
    }
}

fn mesh(random: &mut Random) -> Mesh {
    let vertices = (0..8).map(|_| random.point(2.0)).collect();
    let triangles = (0..9).map(|i| [i % 8, (i + 1) % 8, (i + 3) % 8]).collect();
    Mesh::new(vertices, triangles, Facing::Both).unwrap()
}

fn motion(random: &mut Random, offset: DVec3) -> Motion {
    let start = Pose {
        position: offset + random.point(4.0),
        rotation: DQuat::from_axis_angle(random.direction(), random.range(-3.0, 3.0)),
    };
    Motion {
        start,
        end: Pose {
            position: start.position + random.point(6.0),
            ..start
        },
    }
}

struct Case {
    name: String,
    a: Shape,
    motion_a: Motion,
    b: Shape,
    motion_b: Motion,
    /// Metres of rounding at these coordinates.
    noise: f64,
    far: bool,
}

impl Case {
    fn gap(&self, fraction: f64) -> Option<f64> {
        let (a, b) = (self.motion_a.pose(fraction), self.motion_b.pose(fraction));
        gap(&self.a.placed(&a), &self.b.placed(&b)).map(|gap| gap.distance)
    }
}

/// Every pair of kinds near the origin and 1e7 m from it.
fn cases(count: u64, mut check: impl FnMut(&Case, &mut Random)) {
    for (i, first) in KINDS.into_iter().enumerate() {
        for (j, second) in KINDS.into_iter().enumerate() {
            if first == "plane" && second == "plane" {
                continue;
            }
            for seed in 0..count {
                let mut random = Random(seed * 8191 + (i * 7 + j) as u64);
                let far = seed % 2 == 1;
                let offset = if far {
                    DVec3::new(1e7, -1e7, 1e7)
                } else {
                    DVec3::ZERO
                };
                let name = format!("{first} against {second}, seed {seed}");
                let (a, b) = (shape(first, &mut random), shape(second, &mut random));
                let (motion_a, motion_b) =
                    (motion(&mut random, offset), motion(&mut random, offset));
                let noise = if far { 1e-6 } else { 1e-9 };
                let case = Case {
                    name,
                    a,
                    motion_a,
                    b,
                    motion_b,
                    noise,
                    far,
                };
                let replaced = sweep(&case.a, &case.motion_a, &case.b, &case.motion_b, &mut ())
                    .via_bounding_sphere;
                if !replaced {
                    check(&case, &mut random);
                }
            }
        }
    }
}

#[test]
fn the_gap_is_zero_at_the_impact_and_positive_before() {
    let mut hits = [0; 2];
    cases(120, |case, _| {
        let name = &case.name;
        let outcome = sweep(&case.a, &case.motion_a, &case.b, &case.motion_b, &mut ()).outcome;
        let until = match outcome {
            SweepOutcome::Hits(impact) => {
                hits[usize::from(case.far)] += 1;
                let there = case.gap(impact.fraction).unwrap();
                assert!(
                    there.abs() < case.noise,
                    "{name}: gap {there} at the impact"
                );
                impact.fraction
            }
            SweepOutcome::Overlapping { depth } => {
                let start = case.gap(0.0).unwrap();
                assert!(
                    (start + depth).abs() < case.noise,
                    "{name}: {start} and {depth}"
                );
                return;
            }
            _ => 1.0,
        };
        for cut in 0..200 {
            let t = until * f64::from(cut) / 200.0;
            let gap = case.gap(t).unwrap();
            assert!(gap > -case.noise, "{name}: {outcome:?}, but {gap} at {t}");
        }
    });
    assert!(hits[0] > 100 && hits[1] > 100, "{hits:?}");
}

#[test]
fn a_push_separates_and_nothing_shorter_does() {
    let mut pushed = [0; 2];
    cases(60, |case, random| {
        let name = &case.name;
        let (start, other) = (case.motion_a.start, case.b.placed(&case.motion_b.start));
        let found = contact(&case.a.placed(&start), &other, &mut ());
        let distance = case.gap(0.0).unwrap();
        let Some(found) = found else {
            assert!(distance > -case.noise, "{name}: {distance}");
            return;
        };
        assert!(
            (found.depth + distance).abs() < case.noise,
            "{name}: {} {distance}",
            found.depth
        );
        if matches!(case.a, Shape::Mesh(_)) || matches!(case.b, Shape::Mesh(_)) {
            return; // Out of one triangle is not out of all.
        }
        pushed[usize::from(case.far)] += 1;
        let moved = |by: DVec3| {
            let pose = Pose {
                position: start.position + by,
                ..start
            };
            gap(&case.a.placed(&pose), &other).unwrap().distance
        };
        let after = moved(found.push());
        assert!(after.abs() < case.noise, "{name}: {after} after the push");
        for _ in 0..30 {
            let shorter = moved(random.direction() * (found.depth * 0.999));
            assert!(shorter < case.noise, "{name}: {shorter} by a shorter push");
        }
    });
    assert!(pushed[0] > 100 && pushed[1] > 100, "{pushed:?}");
}

#[test]
fn swapping_the_shapes_flips_the_answer() {
    cases(40, |case, _| {
        let name = &case.name;
        let there = sweep(&case.a, &case.motion_a, &case.b, &case.motion_b, &mut ()).outcome;
        let back = sweep(&case.b, &case.motion_b, &case.a, &case.motion_a, &mut ()).outcome;
        assert_eq!(there.name(), back.name(), "{name}");
        if let (Some(there), Some(back)) = (there.impact(), back.impact()) {
            assert!(
                (there.fraction - back.fraction).abs() < case.noise,
                "{name}"
            );
            assert!(
                (there.normal + back.normal).length() < 1e3 * case.noise,
                "{name}"
            );
        }
        let (a, b) = (
            case.a.placed(&case.motion_a.start),
            case.b.placed(&case.motion_b.start),
        );
        let (there, back) = (contact(&a, &b, &mut ()), contact(&b, &a, &mut ()));
        assert_eq!(there.is_some(), back.is_some(), "{name}");
        if let (Some(there), Some(back)) = (there, back) {
            assert!((there.depth - back.depth).abs() < case.noise, "{name}");
        }
    });
}

/// Each query on a mesh is the best of the same query on its triangles.
#[test]
fn a_meeting_is_what_the_sweep_sees_of_those_that_meet() {
    let mut met = 0;
    cases(300, |case, _| {
        let (a, b) = (&case.motion_a, &case.motion_b);
        let swept = sweep(&case.a, a, &case.b, b, &mut ()).outcome;
        let expected = swept.kind().meets().then_some(swept);
        let found = meeting(&case.a, a, &case.b, b);
        assert_eq!(found, expected, "{}", case.name);
        met += u32::from(found.is_some());
    });
    assert!(met > 300, "{met}");
}

#[test]
fn a_mesh_is_the_sum_of_its_triangles() {
    let mut seen = [0; 4];
    for kind in KINDS {
        for seed in 0..600 {
            let mut random = Random(seed * 31 + 7);
            let name = format!("{kind}, seed {seed}");
            let body = shape(kind, &mut random);
            let (fast, still) = (
                motion(&mut random, DVec3::ZERO),
                motion(&mut random, DVec3::ZERO),
            );
            let mesh = Arc::new(mesh(&mut random));
            let whole = Shape::Mesh(Arc::clone(&mesh));
            let parts: Vec<Shape> = (0..9)
                .map(|index| Shape::Triangle(mesh.triangle(index)))
                .collect();
            let swept = sweep(&body, &fast, &whole, &still, &mut ());
            if swept.via_bounding_sphere || kind == "mesh" || kind == "plane" {
                continue; // Meshes against meshes have their own oracle; a half space is no sum of triangles.
            }
            let placed = body.placed(&fast.start);
            let at = |shape: &Shape| gap(&placed, &shape.placed(&still.start)).unwrap().distance;
            let nearest = parts.iter().map(at).fold(f64::INFINITY, f64::min);
            assert!(
                (at(&whole) - nearest).abs() < 1e-9,
                "{name}: {} {nearest}",
                at(&whole)
            );

            let depth = |shape: &Shape| {
                contact(&placed, &shape.placed(&still.start), &mut ()).map(|c| c.depth)
            };
            let deepest = parts.iter().filter_map(depth).reduce(f64::max);
            match (depth(&whole), deepest) {
                (Some(depth), Some(deepest)) => {
                    seen[0] += 1;
                    assert!((depth - deepest).abs() < 1e-9, "{name}: {depth} {deepest}");
                }
                (whole, parts) => assert_eq!(whole, parts, "{name}"),
            }

            let outcomes = parts
                .iter()
                .map(|part| sweep(&body, &fast, part, &still, &mut ()).outcome);
            let outcomes: Vec<SweepOutcome> = outcomes.collect();
            let overlaps = outcomes
                .iter()
                .any(|o| matches!(o, SweepOutcome::Overlapping { .. }));
            let earliest = outcomes
                .iter()
                .filter_map(|o| Some(o.impact()?.fraction))
                .reduce(f64::min);
            match (swept.outcome, earliest) {
                (SweepOutcome::Overlapping { .. }, _) => {
                    seen[1] += 1;
                    assert!(overlaps, "{name}");
                }
                (SweepOutcome::Hits(impact), Some(fraction)) => {
                    seen[2] += 1;
                    assert!(
                        !overlaps && (impact.fraction - fraction).abs() < 1e-12,
                        "{name}"
                    );
                }
                (outcome, earliest) => {
                    assert!(!overlaps && earliest.is_none(), "{name}: {outcome:?}")
                }
            }

            let ray = Segment {
                a: fast.start.position,
                b: fast.end.position,
            };
            let hits = parts
                .iter()
                .filter_map(|part| ray_cast(&ray, part, &still.start));
            let first = hits.map(|hit| hit.fraction).reduce(f64::min);
            let hit = ray_cast(&ray, &whole, &still.start).map(|hit| hit.fraction);
            assert_eq!(hit, first, "{name}");
            seen[3] += usize::from(hit.is_some());
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

/// Mirrors, quarter turns and swaps round nothing, so that what is close by an ulp must come out the same: the outcome by
/// name, and whether there is contact.
#[test]
fn a_close_decision_is_the_same_from_every_side() {
    type View = fn(DVec3) -> DVec3;
    let views: [(&str, View); 4] = [
        ("mirrored", |v| v * DVec3::new(-1.0, 1.0, 1.0)),
        ("turned about x", |v| DVec3::new(v.x, -v.z, v.y)),
        ("turned about all", |v| DVec3::new(v.y, v.z, v.x)),
        ("twice as large", |v| v * 2.0),
    ];
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..3000 {
        for corners in 1..=3 {
            let case = random::case(seed, corners);
            let what = format!("seed {seed}, {}, {corners} corners", case.kind);
            let here = answers(&case, |v| v, 1.0);
            *seen.entry(here[0].0).or_insert(0) += 1;
            assert!(
                here.iter().all(|answer| *answer == here[0]),
                "{what}: {here:?}"
            );
            for (name, view) in views {
                let scale = if name == "twice as large" { 2.0 } else { 1.0 };
                let there = answers(&case, view, scale);
                assert_eq!(here, there, "{what}, {name}");
            }
        }
    }
    assert!(
        seen.len() == 6 && seen.values().all(|&count| count > 200),
        "{seen:?}"
    );
}

/// Name and contact of a case as seen by `view`, in both orders and with the corners in other orders.
fn answers(
    case: &random::Case,
    view: impl Fn(DVec3) -> DVec3,
    scale: f64,
) -> Vec<(&'static str, bool)> {
    let corners: Vec<DVec3> = case.corners.iter().map(|&corner| view(corner)).collect();
    let radius = case.radii[1] * scale;
    let triangle = |a: usize, b: usize, c: usize| {
        Shape::Triangle(Triangle {
            a: corners[a],
            b: corners[b],
            c: corners[c],
            facing: Facing::Both,
        })
    };
    let capsule = |a: usize, b: usize| {
        let segment = Segment {
            a: corners[a],
            b: corners[b],
        };
        Shape::Capsule(Capsule { segment, radius })
    };
    let mut others = match corners.len() {
        1 => vec![Shape::Sphere { radius }],
        2 => vec![capsule(0, 1), capsule(1, 0)],
        _ => vec![triangle(0, 1, 2), triangle(2, 0, 1), triangle(1, 0, 2)],
    };
    let place = if corners.len() == 1 {
        corners[0]
    } else {
        DVec3::ZERO
    };
    let travel = |from: DVec3, by: DVec3| Motion {
        start: Pose::at(from),
        end: Pose::at(from + by),
    };
    let ball = Shape::Sphere {
        radius: case.radii[0] * scale,
    };
    // One motion for both, taken as it comes out of its two poses: from zero, which rounds nothing.
    let way = view(case.displacement - case.other);
    let center = view(case.center);
    let (moves, still) = (
        travel(DVec3::ZERO, way),
        Motion::still(Pose::at(place - center)),
    );
    let mut all = vec![];
    for other in others.drain(..) {
        let shifted = match other {
            Shape::Sphere { .. } => other,
            Shape::Capsule(Capsule { segment, radius }) => Shape::Capsule(Capsule {
                segment: Segment {
                    a: segment.a - center,
                    b: segment.b - center,
                },
                radius,
            }),
            Shape::Triangle(triangle) => Shape::Triangle(Triangle {
                a: triangle.a - center,
                b: triangle.b - center,
                c: triangle.c - center,
                ..triangle
            }),
            other => other,
        };
        let still = match shifted {
            Shape::Sphere { .. } => still,
            _ => Motion::still(Pose::IDENTITY),
        };
        let (there, back) = (
            sweep(&ball, &moves, &shifted, &still, &mut ()),
            sweep(&shifted, &still, &ball, &moves, &mut ()),
        );
        let (a, b) = (ball.placed(&moves.start), shifted.placed(&still.start));
        all.push((there.outcome.name(), contact(&a, &b, &mut ()).is_some()));
        all.push((back.outcome.name(), contact(&b, &a, &mut ()).is_some()));
    }
    all
}
