//! Properties that every pair must have, on seeded random cases; the static gap is the oracle of the sweep.

use crate::common::random::Random;
use glam::DVec3;
use hitstop::core::query::{SweepOutcome, contact, gap, overlaps, sweep};
use hitstop::core::shape::{
    Capsule, Facing, Mesh, Motion, Placed, Plane, Pose, Segment, Shape, Triangle,
};
use std::sync::Arc;

impl Random {
    fn segment(&mut self) -> Segment {
        Segment {
            a: self.point(1.5),
            b: self.point(1.5),
        }
    }
}

const KINDS: [&str; 8] = [
    "sphere", "box", "segment", "capsule", "triangle", "front", "plane", "mesh",
];

fn shape(kind: &str, random: &mut Random) -> Shape {
    match kind {
        "sphere" => Shape::Sphere {
            radius: random.range(0.1, 1.5),
        },
        "box" => Shape::Box {
            half_extents: DVec3::new(
                random.range(0.1, 2.0),
                random.range(0.1, 2.0),
                random.range(0.1, 2.0),
            ),
        },
        "segment" => Shape::Segment(random.segment()),
        "capsule" => Shape::Capsule(Capsule {
            segment: random.segment(),
            radius: random.range(0.1, 1.0),
        }),
        "triangle" | "front" => Shape::Triangle(Triangle {
            a: random.point(2.0),
            b: random.point(2.0),
            c: random.point(2.0),
            facing: if kind == "front" {
                Facing::Front
            } else {
                Facing::Both
            },
        }),
        "plane" => Shape::Plane(Plane {
            normal: random.direction(),
            offset: random.range(-1.0, 1.0),
        }),
        _ => {
            let vertices = (0..8).map(|_| random.point(2.0)).collect();
            let triangles = (0..6).map(|i| [i, (i + 1) % 8, (i + 3) % 8]).collect();
            Shape::Mesh(Arc::new(
                Mesh::new(vertices, triangles, Facing::Both).unwrap(),
            ))
        }
    }
}

/// A motion without turning.
fn motion(random: &mut Random) -> Motion {
    let start = random.pose(4.0);
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
}

impl Case {
    fn distance(&self, fraction: f64) -> Option<f64> {
        let (pose_a, pose_b) = (self.motion_a.pose(fraction), self.motion_b.pose(fraction));
        gap(&self.a.placed(&pose_a), &self.b.placed(&pose_b)).map(|gap| gap.distance)
    }
}

/// Every pair that is answered here, `count` times: a sphere with everything, two capsules, a plane with everything.
fn cases(count: u64, mut check: impl FnMut(&Case, &mut Random)) {
    let with_sphere = KINDS.map(|kind| ("sphere", kind));
    let capsules = [("capsule", "capsule"), ("segment", "capsule")];
    let with_plane = ["box", "segment", "capsule", "triangle", "mesh"].map(|kind| (kind, "plane"));
    let pairs = with_sphere.into_iter().chain(capsules).chain(with_plane);
    for (number, (first, second)) in (0..).zip(pairs) {
        for seed in 0..count {
            let mut random = Random(seed * 8191 + number * 131);
            let case = Case {
                name: format!("{first} against {second}, seed {seed}"),
                a: shape(first, &mut random),
                b: shape(second, &mut random),
                motion_a: motion(&mut random),
                motion_b: motion(&mut random),
            };
            check(&case, &mut random);
        }
    }
}

#[test]
fn a_sweep_agrees_with_a_thousand_cuts() {
    let mut seen = [0u32; 6];
    cases(400, |case, _| {
        let name = &case.name;
        let cuts: Vec<(f64, f64)> = (0..=1000)
            .map(|cut| f64::from(cut) / 1000.0)
            .filter_map(|t| case.distance(t).map(|distance| (t, distance)))
            .collect();
        if cuts.first().is_none_or(|cut| cut.0 != 0.0) {
            return; // Starts behind a one-sided triangle, where the gap has no meaning.
        }
        let least = cuts.iter().map(|cut| cut.1).fold(f64::INFINITY, f64::min);
        let relative = case.motion_a.displacement() - case.motion_b.displacement();
        let slack = relative.length() / 1000.0;
        let answer = sweep(&case.a, &case.motion_a, &case.b, &case.motion_b, &mut ());
        assert!(!answer.via_bounding_sphere, "{name}");
        match answer.outcome {
            SweepOutcome::Overlapping { depth } => {
                seen[0] += 1;
                assert!((cuts[0].1 + depth).abs() < 1e-9, "{name}: {depth}");
            }
            SweepOutcome::Receding => {
                seen[1] += 1;
                assert!(cuts[0].1 > -1e-9 && least > cuts[0].1 - 1e-9, "{name}");
            }
            SweepOutcome::Later => {
                seen[2] += 1;
                let last = cuts[cuts.len() - 1].1;
                assert!(
                    last > -1e-9 && least > last - 1e-9,
                    "{name}: {last} {least}"
                );
            }
            SweepOutcome::Misses { by, fraction } => {
                seen[3] += 1;
                assert!(by > 0.0 && (0.0..=1.0).contains(&fraction), "{name}");
                assert!(least >= by - 1e-9, "{name}: {least} under {by}");
                assert!(least <= by + slack, "{name}: {least} over {by}");
                assert!(
                    (case.distance(fraction).unwrap_or(by) - by).abs() < 1e-9,
                    "{name}"
                );
            }
            SweepOutcome::Grazes { .. } => {
                seen[4] += 1;
                assert!(least > -1e-9 && least < slack, "{name}: {least}");
            }
            SweepOutcome::Hits(impact) => {
                seen[5] += 1;
                let t = impact.fraction;
                assert!((0.0..1.0).contains(&t), "{name}: {t}");
                let there = case.distance(t).unwrap_or(f64::NAN);
                assert!(there.abs() < 1e-9, "{name}: gap {there} at the impact");
                for cut in cuts.iter().filter(|cut| cut.0 < t) {
                    assert!(cut.1 > -1e-9, "{name}: {} at {} before {t}", cut.1, cut.0);
                }
                assert!((impact.normal.length() - 1.0).abs() < 1e-12, "{name}");
                assert!(
                    impact.normal.dot(relative) < 1e-9,
                    "{name}: not approaching"
                );
                // The point lies on both at that time.
                for (shape, motion) in [(&case.a, &case.motion_a), (&case.b, &case.motion_b)] {
                    let pose = motion.pose(t);
                    let point = Placed::Sphere(hitstop::core::shape::Sphere {
                        center: impact.point,
                        radius: 0.0,
                    });
                    let away = gap(&point, &shape.placed(&pose)).map_or(0.0, |gap| gap.distance);
                    assert!(away.abs() < 1e-9, "{name}: point {away} off");
                }
            }
        }
    });
    for (outcome, count) in seen.iter().enumerate() {
        assert!(
            *count > 50 || outcome == 4,
            "outcome {outcome} seen {count} times"
        );
    }
}

#[test]
fn swapping_the_shapes_flips_the_answer() {
    cases(100, |case, _| {
        let name = &case.name;
        let (a, b) = (
            case.a.placed(&case.motion_a.start),
            case.b.placed(&case.motion_b.start),
        );
        let there = contact(&a, &b, &mut ());
        let back = contact(&b, &a, &mut ());
        assert_eq!(overlaps(&a, &b), there.is_some(), "{name}");
        assert_eq!(overlaps(&b, &a), there.is_some(), "{name}");
        match (there, back) {
            (Some(there), Some(back)) => {
                assert!(
                    (there.normal + back.normal).length() < 1e-12 || there.fallback,
                    "{name}"
                );
                assert!((there.depth - back.depth).abs() < 1e-12, "{name}");
                assert_eq!(there.feature_a, back.feature_b, "{name}");
                assert!(
                    (there.point - there.push() - back.point).length() < 1e-9 || there.fallback,
                    "{name}"
                );
            }
            (None, None) => {}
            _ => panic!("{name}: one order sees contact, the other not"),
        }
        let there = sweep(&case.a, &case.motion_a, &case.b, &case.motion_b, &mut ());
        let back = sweep(&case.b, &case.motion_b, &case.a, &case.motion_a, &mut ());
        match (there.outcome, back.outcome) {
            (SweepOutcome::Hits(there), SweepOutcome::Hits(back)) => {
                assert!((there.fraction - back.fraction).abs() < 1e-12, "{name}");
                assert!((there.normal + back.normal).length() < 1e-9, "{name}");
                assert!((there.point - back.point).length() < 1e-9, "{name}");
            }
            (there, back) => assert_eq!(there.name(), back.name(), "{name}"),
        }
    });
}

#[test]
fn a_push_separates_and_nothing_shorter_does() {
    let mut pushed = 0;
    cases(400, |case, random| {
        let name = &case.name;
        let (start_a, start_b) = (case.motion_a.start, case.motion_b.start);
        let (a, b) = (case.a.placed(&start_a), case.b.placed(&start_b));
        let distance = gap(&a, &b).map(|gap| gap.distance);
        let Some(contact) = contact(&a, &b, &mut ()) else {
            assert!(distance.is_none_or(|distance| distance > 0.0), "{name}");
            return;
        };
        assert!(
            (contact.depth + distance.unwrap_or(f64::NAN)).abs() < 1e-9,
            "{name}"
        );
        if matches!(case.b, Shape::Mesh(_)) {
            return; // Out of one triangle is not out of all.
        }
        pushed += 1;
        let moved = |by: DVec3| {
            let pose = Pose {
                position: start_a.position + by,
                ..start_a
            };
            gap(&case.a.placed(&pose), &b).map(|gap| gap.distance)
        };
        let after = moved(contact.push()).unwrap_or(f64::NAN);
        assert!(after.abs() < 1e-9, "{name}: {after} after the push");
        for _ in 0..50 {
            let shorter = random.direction() * (contact.depth * 0.999);
            // Through a one-sided triangle to its back is no separation that counts.
            assert!(moved(shorter).is_none_or(|gap| gap < 0.0), "{name}");
        }
    });
    assert!(pushed > 250, "{pushed}");
}

#[test]
fn answers_turn_and_move_with_the_world() {
    cases(100, |case, random| {
        let name = &case.name;
        let frame = random.pose(20.0);
        let carried = |motion: &Motion| {
            let carry = |pose: &Pose| Pose {
                position: frame.point(pose.position),
                rotation: frame.rotation * pose.rotation,
            };
            let start = carry(&motion.start);
            Motion {
                start,
                end: Pose {
                    position: frame.point(motion.end.position),
                    ..start
                },
            }
        };
        let here = sweep(&case.a, &case.motion_a, &case.b, &case.motion_b, &mut ()).outcome;
        let (motion_a, motion_b) = (carried(&case.motion_a), carried(&case.motion_b));
        let there = sweep(&case.a, &motion_a, &case.b, &motion_b, &mut ()).outcome;
        match (here, there) {
            (SweepOutcome::Hits(here), SweepOutcome::Hits(there)) => {
                assert!((here.fraction - there.fraction).abs() < 1e-7, "{name}");
                assert!(
                    (frame.vector(here.normal) - there.normal).length() < 1e-5,
                    "{name}"
                );
            }
            (here, there) => assert_eq!(here.name(), there.name(), "{name}"),
        }
    });
}

/// A closed box of twelve outward triangles is the same obstacle as the box, from outside.
#[test]
fn a_box_of_one_sided_triangles_is_hit_like_the_box() {
    let mut hits = 0;
    for seed in 0..2000 {
        let mut random = Random(seed);
        let half = DVec3::new(
            random.range(0.1, 2.0),
            random.range(0.1, 2.0),
            random.range(0.1, 2.0),
        );
        let corner = |i: u32| {
            let side = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            half * DVec3::new(side(0), side(1), side(2))
        };
        let quads = [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ];
        let triangles = quads
            .iter()
            .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
            .collect();
        let mesh = Mesh::new((0..8).map(corner).collect(), triangles, Facing::Front).unwrap();
        let mesh = Shape::Mesh(Arc::new(mesh));
        let solid = Shape::Box { half_extents: half };
        let ball = shape("sphere", &mut random);
        let (fast, still) = (motion(&mut random), motion(&mut random));
        let by_mesh = sweep(&ball, &fast, &mesh, &still, &mut ()).outcome;
        match sweep(&ball, &fast, &solid, &still, &mut ()).outcome {
            SweepOutcome::Hits(by_box) => {
                hits += 1;
                let by_mesh = by_mesh
                    .impact()
                    .unwrap_or_else(|| panic!("seed {seed}: {by_mesh:?}"));
                assert!(
                    (by_mesh.fraction - by_box.fraction).abs() < 1e-11,
                    "seed {seed}"
                );
                assert!(
                    (by_mesh.normal - by_box.normal).length() < 1e-6,
                    "seed {seed}"
                );
            }
            SweepOutcome::Overlapping { .. } => {}
            _ => assert!(by_mesh.impact().is_none(), "seed {seed}: {by_mesh:?}"),
        }
    }
    assert!(hits > 100, "{hits}");
}

/// Small, fast and far: the gap at the time of impact is within a few roundings of the coordinates.
#[test]
fn the_impact_holds_where_digits_are_scarce() {
    for seed in 0..2000 {
        let mut random = Random(seed);
        let offset = [0.0, 1e3, 1e7][seed as usize % 3];
        let radius = 10.0_f64.powf(random.range(-3.0, 0.0));
        let reach = 1e3;
        let target = DVec3::splat(offset) + random.point(1.0);
        let way = random.direction();
        // Aimed past the centre by less than the radii's sum.
        let aside = way.any_orthonormal_vector() * radius * random.range(0.0, 1.9);
        let start = target + aside - way * reach * random.unit();
        let (ball, other) = (Shape::Sphere { radius }, Shape::Sphere { radius });
        let flight = Motion {
            start: Pose::at(start),
            end: Pose::at(start + way * reach * 2.0),
        };
        let rest = Motion::still(Pose::at(target));
        let answer = sweep(&ball, &flight, &other, &rest, &mut ()).outcome;
        let ulp = f64::EPSILON * (offset + reach);
        match answer {
            SweepOutcome::Hits(impact) => {
                let center = start + flight.displacement() * impact.fraction;
                let gap = (center - target).length() - 2.0 * radius;
                assert!(gap.abs() < 16.0 * ulp, "seed {seed}: {gap}");
            }
            SweepOutcome::Overlapping { .. } => {
                assert!((start - target).length() < 2.0 * radius, "seed {seed}");
            }
            other => panic!("seed {seed}: {other:?}"),
        }
    }
}

/// Nothing is NaN, nothing panics, whatever comes.
#[test]
fn bad_input_is_harmless() {
    let odd = [
        0.0,
        -0.0,
        1.0,
        f64::MIN_POSITIVE,
        5e-324,
        1e-160,
        1e74,
        1e300,
        f64::INFINITY,
        f64::NAN,
    ];
    let mut random = Random(7);
    for round in 0..20_000 {
        let mut number = || odd[(random.bits() % odd.len() as u64) as usize];
        let mut point = || DVec3::new(number(), number(), number());
        let (a, b, c, d) = (point(), point(), point(), point());
        let (start, step, from) = (point(), point(), point());
        let size = number();
        let shapes = [
            Shape::Sphere { radius: size },
            Shape::Box { half_extents: a },
            Shape::Segment(Segment { a, b }),
            Shape::Capsule(Capsule {
                segment: Segment { a, b: a },
                radius: size,
            }),
            Shape::Triangle(Triangle {
                a,
                b,
                c,
                facing: Facing::Front,
            }),
            Shape::Triangle(Triangle {
                a,
                b: a,
                c: a,
                facing: Facing::Both,
            }),
            Shape::Plane(Plane {
                normal: DVec3::Y,
                offset: size,
            }),
        ];
        let flight = Motion {
            start: Pose::at(start),
            end: Pose::at(start + step),
        };
        let rest = Motion::still(Pose::at(from));
        let ray = Segment { a: d, b: start };
        for first in &shapes {
            for second in &shapes {
                let (placed, other) = (first.placed(&flight.start), second.placed(&rest.start));
                if let Some(contact) = contact(&placed, &other, &mut ()) {
                    assert!(
                        !contact.depth.is_nan() && contact.normal.is_finite(),
                        "round {round} {first:?} {second:?}: {contact:?}"
                    );
                    assert!(
                        (contact.normal.length() - 1.0).abs() < 1e-9,
                        "round {round} {contact:?}"
                    );
                }
                if let Some(gap) = gap(&placed, &other) {
                    assert!(!gap.distance.is_nan(), "round {round}");
                }
                match sweep(first, &flight, second, &rest, &mut ()).outcome {
                    SweepOutcome::Hits(impact) => {
                        assert!((0.0..1.0).contains(&impact.fraction), "round {round}");
                        assert!(
                            (impact.normal.length() - 1.0).abs() < 1e-9,
                            "round {round} {first:?} {second:?} {flight:?} {rest:?}: {impact:?}"
                        );
                    }
                    SweepOutcome::Misses { by, fraction } => {
                        assert!(by > 0.0 && !fraction.is_nan(), "round {round}");
                    }
                    SweepOutcome::Overlapping { depth } => assert!(depth > 0.0, "round {round}"),
                    SweepOutcome::Grazes { fraction } => assert!(!fraction.is_nan()),
                    _ => {}
                }
            }
            if let Some(hit) = hitstop::core::query::ray_cast(&ray, first, &rest.start) {
                assert!((0.0..=1.0).contains(&hit.fraction), "round {round} {hit:?}");
            }
        }
    }
}
