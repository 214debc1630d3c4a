//! Compounds against the oracle: the best result of their parts, each as a shape of its own at its pose.

use crate::common::random::{Random, few_rounds, rounds};
use glam::DVec3;
use hitstop::core::query::turning::{Turning, sweep_turning};
use hitstop::core::query::{self, SweepOutcome};
use hitstop::core::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cylinder, Facing, Mesh, Motion, Placed,
    Plane, Pose, RoundedBox, Segment, Shape, SolidShape, Triangle,
};
use std::sync::Arc;

fn convex(random: &mut Random) -> Shape {
    let radius = random.range(0.05, 1.0);
    let half_height = random.range(0.05, 1.0);
    let half_extents = random.point(1.0).abs() + DVec3::splat(0.02);
    match random.below(8) {
        0 => Shape::Sphere { radius },
        1 => Shape::Box { half_extents },
        2 => Shape::Capsule(Capsule {
            segment: Segment {
                a: random.point(1.0),
                b: random.point(1.0),
            },
            radius,
        }),
        3 => Shape::Segment(Segment {
            a: random.point(1.0),
            b: random.point(1.0),
        }),
        4 => Shape::Solid(SolidShape::Cylinder(Cylinder {
            half_height,
            radius,
        })),
        5 => Shape::Solid(SolidShape::Cone(Cone {
            half_height,
            radius,
        })),
        6 => Shape::Solid(SolidShape::RoundedBox(RoundedBox {
            half_extents,
            radius: 0.1 * radius,
        })),
        _ => {
            let points = (0..8).map(|_| random.point(1.0)).collect();
            Shape::Solid(SolidShape::Hull(Arc::new(
                ConvexHull::new(points, 0.0).unwrap(),
            )))
        }
    }
}

fn part(shape: Shape, pose: Pose) -> CompoundPart {
    CompoundPart { shape, pose }
}

fn compound_of(parts: Vec<CompoundPart>) -> Shape {
    Shape::Compound(Arc::new(Compound::new(parts).unwrap()))
}

fn compound(random: &mut Random) -> Shape {
    let count = 1 + random.index(5);
    let parts = (0..count).map(|_| part(convex(random), random.pose(1.5)));
    compound_of(parts.collect())
}

/// The shapes that compounds are tested against.
fn other(random: &mut Random) -> Shape {
    match random.below(6) {
        0 => compound(random),
        1 => Shape::Plane(Plane {
            normal: random.direction(),
            offset: random.range(-1.0, 1.0),
        }),
        2 => {
            let vertices = (0..9).map(|_| random.point(2.0)).collect();
            let triangles = vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]];
            Shape::Mesh(Arc::new(
                Mesh::new(vertices, triangles, Facing::Both).unwrap(),
            ))
        }
        _ => convex(random),
    }
}

/// The parts as shapes of their own, each with its pose in the world.
fn parts(shape: &Shape, pose: &Pose) -> Vec<(Shape, Pose)> {
    match shape {
        Shape::Compound(compound) => {
            let parts = compound.parts().iter();
            parts
                .map(|part| (part.shape.clone(), pose.then(&part.pose)))
                .collect()
        }
        _ => vec![(shape.clone(), *pose)],
    }
}

/// Every part of one with every part of the other.
fn pairs<'p>(
    a: &'p [(Shape, Pose)],
    b: &'p [(Shape, Pose)],
) -> impl Iterator<Item = (Placed<'p>, Placed<'p>)> {
    let placed = |(shape, pose): &'p (Shape, Pose)| shape.placed(pose);
    a.iter()
        .flat_map(move |one| b.iter().map(move |other| (placed(one), placed(other))))
}

/// Of a part's pose in the world and of the same pose put together differently, answers around curved shapes are each off by 1e-9 and more.
fn close(value: f64, expected: f64) -> bool {
    (value - expected).abs() <= 1e-9
}

#[test]
fn contact_and_gap_are_the_deepest_and_nearest_of_the_parts() {
    let mut touching = 0;
    for seed in 0..few_rounds(20_000) {
        let random = &mut Random(seed);
        let (a, b) = (compound(random), other(random));
        let (at_a, at_b) = (random.pose(2.0), random.pose(2.0));
        let (a_parts, b_parts) = (parts(&a, &at_a), parts(&b, &at_b));
        // For round solids the depth is an upper bound, which depends on the order.
        let depth = |one: &Placed<'_>, other: &Placed<'_>| {
            query::contact(one, other, &mut ()).map(|contact| contact.depth)
        };
        let deepest = pairs(&a_parts, &b_parts)
            .filter_map(|(one, other)| depth(&one, &other))
            .reduce(f64::max);
        let deepest_swapped = pairs(&a_parts, &b_parts)
            .filter_map(|(one, other)| depth(&other, &one))
            .reduce(f64::max);
        for swapped in [false, true] {
            let (one, two) = (a.placed(&at_a), b.placed(&at_b));
            let (one, two) = if swapped { (two, one) } else { (one, two) };
            let found = query::contact(&one, &two, &mut ());
            assert_eq!(found.is_some(), deepest.is_some(), "seed {seed}");
            if let (Some(found), Some(one), Some(other)) = (found, deepest, deepest_swapped) {
                let is_it = close(found.depth, one) || close(found.depth, other);
                assert!(is_it, "seed {seed}: {found:?}, {one}, {other}");
                touching += 1;
            }
            let nearest = pairs(&a_parts, &b_parts)
                .filter_map(|(one, other)| query::gap(&one, &other))
                .map(|gap| gap.distance)
                .reduce(f64::min);
            let gap = query::gap(&one, &two).map(|gap| gap.distance);
            let depths = [deepest, deepest_swapped].map(|depth| depth.unwrap_or(0.0));
            let is_overlap = |gap: f64| depths.iter().any(|depth| close(gap, -depth));
            assert!(
                match (gap, nearest) {
                    (Some(gap), Some(nearest)) => close(gap, nearest) || is_overlap(gap),
                    (gap, nearest) => gap == nearest,
                },
                "seed {seed}: {gap:?}, {nearest:?}"
            );
        }
    }
    assert!(touching > few_rounds(10_000), "{touching}");
}

/// Small triangles in a cloud, enough for a tree of several levels.
fn cloud(random: &mut Random) -> (Shape, Vec<Shape>) {
    let corners: Vec<[DVec3; 3]> = (0..100)
        .map(|_| {
            let middle = random.point(2.0);
            [(); 3].map(|()| middle + random.point(0.2))
        })
        .collect();
    let triangles = corners.iter().map(|&[a, b, c]| {
        let facing = Facing::Both;
        Shape::Triangle(Triangle { a, b, c, facing })
    });
    let numbers = (0..100).map(|index| [3 * index, 3 * index + 1, 3 * index + 2]);
    let mesh = Mesh::new(corners.concat(), numbers.collect(), Facing::Both);
    (Shape::Mesh(Arc::new(mesh.unwrap())), triangles.collect())
}

#[test]
fn two_meshes_have_the_results_of_their_triangles() {
    let mut touching = 0;
    for seed in 0..rounds(400) {
        let random = &mut Random(seed);
        let ((a, a_triangles), (b, b_triangles)) = (cloud(random), cloud(random));
        let extent = if seed % 2 == 0 { 1.0 } else { 4.0 };
        let (at_a, at_b) = (random.pose(extent), random.pose(extent));
        let at = |triangles: Vec<Shape>, pose| -> Vec<(Shape, Pose)> {
            triangles.into_iter().map(|one| (one, pose)).collect()
        };
        let (a_triangles, b_triangles) = (at(a_triangles, at_a), at(b_triangles, at_b));
        let pairs = || pairs(&a_triangles, &b_triangles);
        let depths = pairs().filter_map(|(one, two)| query::contact(&one, &two, &mut ()));
        let deepest = depths.map(|contact| contact.depth).reduce(f64::max);
        let (one, two) = (a.placed(&at_a), b.placed(&at_b));
        let found = query::contact(&one, &two, &mut ()).map(|contact| contact.depth);
        assert_eq!(found.is_some(), deepest.is_some(), "seed {seed}");
        if let (Some(found), Some(deepest)) = (found, deepest) {
            assert!(close(found, deepest), "seed {seed}: {found}, {deepest}");
            touching += 1;
        }
        let gaps = pairs().filter_map(|(one, two)| query::gap(&one, &two));
        let nearest = gaps.map(|gap| gap.distance).reduce(f64::min).unwrap();
        let gap = query::gap(&one, &two).unwrap().distance;
        assert!(close(gap, nearest), "seed {seed}: {gap}, {nearest}");
    }
    assert!(
        (5..35).contains(&(40 * touching / rounds(400))),
        "{touching}"
    );
}

#[test]
fn a_sweep_hits_with_its_earliest_part() {
    let mut hits = 0;
    for seed in 0..few_rounds(20_000) {
        let random = &mut Random(seed);
        let (a, b) = (compound(random), other(random));
        let moved = |random: &mut Random| {
            let start = random.pose(3.0);
            Motion {
                start,
                end: Pose {
                    position: start.position + random.point(6.0),
                    ..start
                },
            }
        };
        let (way_a, way_b) = (moved(random), moved(random));
        let mut first: Option<(u8, f64)> = None;
        let mut nearest = f64::INFINITY;
        for (one, at_one) in parts(&a, &way_a.start) {
            for (other, at_other) in parts(&b, &way_b.start) {
                let moving = |at: Pose, way: &Motion| Motion {
                    start: at,
                    end: Pose {
                        position: at.position + way.displacement(),
                        ..at
                    },
                };
                let ways = (moving(at_one, &way_a), moving(at_other, &way_b));
                let found = query::sweep(&one, &ways.0, &other, &ways.1, &mut ());
                let key = key(&found.outcome);
                if first.is_none_or(|known| key < known) {
                    first = Some(key);
                }
                let approach = query::closest_approach(&one, &ways.0, &other, &ways.1, &mut ());
                nearest = nearest.min(approach.map_or(f64::INFINITY, |it| it.distance));
            }
        }
        let (rank, at) = first.unwrap();
        for swapped in [false, true] {
            let found = match swapped {
                false => query::sweep(&a, &way_a, &b, &way_b, &mut ()),
                true => query::sweep(&b, &way_b, &a, &way_a, &mut ()),
            };
            let (found_rank, found_at) = key(&found.outcome);
            assert!(
                rank == found_rank && close(at, found_at),
                "seed {seed}: {found:?} instead of {at}"
            );
            hits += usize::from(rank == 1);
        }
        let approach = query::closest_approach(&a, &way_a, &b, &way_b, &mut ());
        let distance = approach.map_or(f64::INFINITY, |it| it.distance);
        assert!(
            distance == nearest || close(distance, nearest),
            "seed {seed}: {distance}, {nearest}"
        );
    }
    assert!(hits > few_rounds(3000), "{hits}");
}

fn key(outcome: &SweepOutcome) -> (u8, f64) {
    match outcome {
        SweepOutcome::Overlapping { depth } => (0, -depth),
        SweepOutcome::Hits(impact) => (1, impact.fraction),
        SweepOutcome::Grazes { fraction } => (2, *fraction),
        SweepOutcome::Misses => (3, 0.0),
    }
}

#[test]
fn a_ray_hits_the_first_surface_of_any_part() {
    let mut met = 0;
    for seed in 0..few_rounds(20_000) {
        let random = &mut Random(seed);
        let (shape, pose) = (compound(random), random.pose(1.0));
        let ray = Segment {
            a: random.point(4.0),
            b: random.point(4.0),
        };
        let first = parts(&shape, &pose)
            .iter()
            .filter_map(|(part, pose)| query::ray_cast(&ray, part, pose))
            .map(|hit| hit.fraction)
            .reduce(f64::min);
        let found = query::ray_cast(&ray, &shape, &pose).map(|hit| hit.fraction);
        assert_eq!(found, first, "seed {seed}");
        met += usize::from(found.is_some());
    }
    assert!(met > few_rounds(1500), "{met}");
}

/// A single part is a compound of one: it rotates about the origin of the whole.
#[test]
fn a_rotating_compound_touches_with_its_first_part() {
    let mut hits = 0;
    for seed in 0..few_rounds(2000) {
        let random = &mut Random(seed);
        let (a, b) = (compound(random), convex(random));
        let way = Motion {
            start: random.pose(3.0),
            end: random.pose(3.0),
        };
        let (turning, still) = (
            Turning::of(&way),
            Turning::of(&Motion::still(random.pose(1.0))),
        );
        let touch = |shape: &Shape| {
            let start = shape.placed(&way.start);
            let apart = !query::overlaps(&start, &b.placed(&still.motion.start));
            apart.then(|| sweep_turning(shape, &turning, &b, &still, 0.0, &mut ()))
        };
        let Shape::Compound(compound) = &a else {
            unreachable!()
        };
        let singles = compound.parts().iter().cloned();
        let alone: Option<Vec<_>> = singles
            .map(|part| touch(&compound_of(vec![part])))
            .collect();
        let Some(alone) = alone else { continue };
        let first = alone.iter().flatten().map(|hit| hit.fraction);
        let first = first.reduce(f64::min);
        let found = touch(&a).unwrap().map(|hit| hit.fraction);
        match (found, first) {
            (Some(found), Some(first)) => {
                assert!(
                    (found - first).abs() < 1e-6,
                    "seed {seed}: {found}, {first}"
                );
                hits += 1;
            }
            (found, first) => assert_eq!(found, first, "seed {seed}"),
        }
    }
    assert!(hits > few_rounds(200), "{hits}");
}

#[test]
fn a_compound_of_one_ball_at_its_origin_is_the_ball() {
    let ball = Shape::Sphere { radius: 0.5 };
    let one = compound_of(vec![part(ball.clone(), Pose::IDENTITY)]);
    for seed in 0..rounds(5000) {
        let random = &mut Random(seed);
        let other = other(random);
        let way = |random: &mut Random| Motion {
            start: random.pose(2.0),
            end: random.pose(2.0),
        };
        let (mine, theirs) = (way(random), way(random));
        let sweep = |shape: &Shape| query::sweep(shape, &mine, &other, &theirs, &mut ());
        assert_eq!(sweep(&ball), sweep(&one), "seed {seed}");
        let contact = |shape: &Shape| {
            let placed = (shape.placed(&mine.start), other.placed(&theirs.start));
            query::contact(&placed.0, &placed.1, &mut ())
        };
        assert_eq!(contact(&ball), contact(&one), "seed {seed}");
    }
}

#[test]
fn a_compound_accepts_only_convex_parts() {
    let ball = part(Shape::Sphere { radius: 1.0 }, Pose::IDENTITY);
    let plane = Shape::Plane(Plane {
        normal: DVec3::Y,
        offset: 0.0,
    });
    let nested = compound_of(vec![ball.clone(), ball.clone()]);
    for (parts, reason) in [
        (vec![], "1 to 256 parts"),
        (vec![ball.clone(); 257], "1 to 256 parts"),
        (vec![ball.clone(), part(plane, Pose::IDENTITY)], "Plane"),
        (vec![part(nested, Pose::IDENTITY)], "Compound"),
    ] {
        let refused = Compound::new(parts).unwrap_err();
        assert!(refused.contains(reason), "{refused}");
    }
    assert!(Compound::new(vec![ball; 256]).is_ok());
}
