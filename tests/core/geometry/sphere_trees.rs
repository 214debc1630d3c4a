//! Sweeps through a tree of bounding spheres, against the sweep of the whole mesh.

use crate::common::random::Random;
use crate::common::rounds;
use crate::common::steps::{step, traced};
use glam::DVec3;
use hitstop::core::bounds::{TreeSweep, sphere_tree, sweep_tree};
use hitstop::core::query::{SkipReason, Step, SweepOutcome, sweep};
use hitstop::core::shape::{
    Capsule, Compound, CompoundPart, Cone, Cylinder, Facing, Mesh, Motion, Pose, RoundedBox,
    Segment, Shape, SolidShape, SphereTree, Triangle,
};
use std::sync::Arc;

/// A hilly ground of `count` by `count` squares.
fn ground(random: &mut Random, count: u32) -> Mesh {
    let mut vertices = Vec::new();
    for z in 0..=count {
        for x in 0..=count {
            vertices.push(DVec3::new(f64::from(x), random.unit(), f64::from(z)));
        }
    }
    let at = |x: u32, z: u32| z * (count + 1) + x;
    let squares = (0..count).flat_map(|z| (0..count).map(move |x| (x, z)));
    let triangles = squares.flat_map(|(x, z)| {
        [
            [at(x, z), at(x, z + 1), at(x + 1, z)],
            [at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)],
        ]
    });
    Mesh::new(vertices, triangles.collect(), Facing::Both).unwrap()
}

#[test]
fn every_sphere_contains_its_triangles_and_every_triangle_is_in_one_leaf() {
    let mesh = ground(&mut Random(5), 9);
    let tree = sphere_tree(&mesh).unwrap();
    for node in tree.nodes() {
        for &triangle in tree.triangles(node) {
            let triangle = mesh.triangle(triangle);
            for corner in [triangle.a, triangle.b, triangle.c] {
                assert!(corner.distance(node.sphere.center) <= node.sphere.radius);
            }
        }
        for child in node.children.into_iter().flatten() {
            assert_eq!(tree.nodes()[child as usize].level, node.level + 1);
        }
    }
    // 162 triangles: 41 leaves at least, so six levels below the root.
    let deepest = tree.nodes().iter().map(|node| node.level).max();
    assert_eq!(deepest, Some(6));
    assert_eq!(SphereTree::deepest_level(162), 6);
    for level in 0..=7 {
        let mut detected = vec![0; mesh.count()];
        for (_, node) in tree.cut(level) {
            for &triangle in tree.triangles(node) {
                detected[triangle as usize] += 1;
            }
        }
        assert!(detected.iter().all(|&count| count == 1), "level {level}");
    }
}

#[test]
fn the_deepest_level_follows_from_the_number_of_triangles() {
    for count in 1..=40 {
        let mesh = ground(&mut Random(5), count);
        let deepest = sphere_tree(&mesh)
            .unwrap()
            .nodes()
            .iter()
            .map(|node| node.level);
        let triangles = mesh.count();
        assert_eq!(
            deepest.max(),
            Some(SphereTree::deepest_level(triangles)),
            "{triangles}"
        );
    }
}

/// Number of each outcome, and of tested triangles.
#[derive(Default)]
struct Count {
    hits: u32,
    overlaps: u32,
    tested: u32,
}

impl Count {
    /// Compares the tree's result with the mesh's.
    #[track_caller]
    fn add(&mut self, round: u32, exact: &SweepOutcome, found: &TreeSweep) {
        self.tested += found.triangles;
        match exact {
            SweepOutcome::Overlapping { depth } => {
                self.overlaps += 1;
                let overlap = found.overlap.unwrap();
                assert!((overlap - depth).abs() < 1e-12, "{round}");
            }
            SweepOutcome::Hits(impact) => {
                self.hits += 1;
                assert_eq!(found.overlap, None, "{round}");
                let hit = found.hit.unwrap();
                assert_eq!(hit.triangle, impact.triangle, "{round}");
                assert!((hit.fraction - impact.fraction).abs() < 1e-12, "{round}");
                assert!(hit.point.distance(impact.point) < 1e-9, "{round}");
                assert!(hit.normal.distance(impact.normal) < 1e-9, "{round}");
            }
            _ => assert_eq!((found.overlap, found.hit), (None, None), "{round}"),
        }
    }

    /// Of 512 triangles, a few near the path are tested.
    #[track_caller]
    fn check(&self, rounds: u32) {
        let Self {
            hits,
            overlaps,
            tested,
        } = self;
        assert!(*hits > rounds / 20 && *overlaps > 0, "{hits} {overlaps}");
        assert!(tested / rounds < 100, "{}", tested / rounds);
    }
}

/// One shape of every kind that is swept through a tree, around its origin.
fn movers(random: &mut Random) -> Vec<Shape> {
    let size = |random: &mut Random| random.range(0.05, 0.4);
    let (half_height, radius) = (size(random), size(random));
    let half = random.point(0.5);
    let segment = Segment { a: -half, b: half };
    let [a, b, c] = [(); 3].map(|()| random.point(0.5));
    let facing = Facing::Both;
    vec![
        Shape::Sphere { radius },
        Shape::Box {
            half_extents: half.abs(),
        },
        Shape::Segment(segment),
        Shape::Capsule(Capsule { segment, radius }),
        Shape::Triangle(Triangle { a, b, c, facing }),
        Shape::Solid(SolidShape::Cylinder(Cylinder {
            half_height,
            radius,
        })),
        Shape::Solid(SolidShape::Cone(Cone {
            half_height,
            radius,
        })),
        Shape::Solid(SolidShape::RoundedBox(RoundedBox {
            half_extents: half.abs(),
            radius,
        })),
        two_balls(half, radius),
        tetrahedron(random),
    ]
}

/// A closed mesh of four triangles around its origin.
fn tetrahedron(random: &mut Random) -> Shape {
    let corners = (0..4).map(|_| random.point(0.5)).collect();
    let faces = vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
    Shape::Mesh(Arc::new(Mesh::new(corners, faces, Facing::Both).unwrap()))
}

/// A compound of a ball on each side of its origin.
fn two_balls(offset: DVec3, radius: f64) -> Shape {
    let part = |position| CompoundPart {
        shape: Shape::Sphere { radius },
        pose: Pose {
            position,
            ..Pose::IDENTITY
        },
    };
    Shape::Compound(Arc::new(
        Compound::new(vec![part(offset), part(-offset)]).unwrap(),
    ))
}

#[test]
fn every_mover_has_the_result_of_the_mesh_sweep() {
    let mut random = Random(20_000_411);
    let mesh = Arc::new(ground(&mut random, 16));
    let whole = Shape::Mesh(Arc::clone(&mesh));
    let still = Motion::still(Pose {
        position: DVec3::new(3.0, -2.0, 40.0),
        rotation: random.rotation(),
    });
    let pose = still.start;
    let mut count = Count::default();
    for kind in 0..10 {
        for round in 0..rounds(400) {
            let shape = movers(&mut random).swap_remove(kind);
            let start = Pose {
                position: pose.point(random.point(10.0) + DVec3::new(8.0, 0.0, 8.0)),
                rotation: random.rotation(),
            };
            let displacement = random.point(12.0);
            let end = Pose {
                position: start.position + displacement,
                ..start
            };
            let motion = Motion { start, end };
            let exact = sweep(&shape, &motion, &whole, &still, &mut ()).outcome;
            let found = sweep_tree(
                (&shape, &start),
                motion.displacement(),
                (&mesh, &pose),
                &mut (),
            )
            .unwrap();
            count.add(round, &exact, &found);
        }
    }
    count.check(10 * rounds(400));
}

/// A row of `count` quads along x, each 1 wide and 10 from the last, in the plane y = 0.
fn row(count: u32) -> Mesh {
    let corner = |x: f64, z: f64| DVec3::new(x, 0.0, z);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for quad in 0..count {
        let (x, first) = (10.0 * f64::from(quad), 4 * quad);
        vertices.extend([
            corner(x, 0.0),
            corner(x, 1.0),
            corner(x + 1.0, 0.0),
            corner(x + 1.0, 1.0),
        ]);
        triangles.push([first, first + 1, first + 2]);
        triangles.push([first + 2, first + 1, first + 3]);
    }
    Mesh::new(vertices, triangles, Facing::Both).unwrap()
}

/// The skipped nodes: (level, triangles, reason).
fn skipped(steps: &[Step]) -> Vec<(u32, u32, SkipReason)> {
    let skipped = steps.iter().filter_map(|step| match *step {
        Step::SkippedSphere {
            level,
            triangles,
            reason,
        } => Some((level, triangles, reason)),
        _ => None,
    });
    skipped.collect()
}

/// Down onto the first of four quads: the half with the other two, centred at x = 25.5 with a radius of half its diagonal of
/// 11 by 1, is missed.
#[test]
fn a_missed_node_is_traced_with_its_distance() {
    let mesh = row(4);
    let ball = Shape::Sphere { radius: 0.5 };
    let pose = Pose::at(DVec3::new(0.5, 2.0, 0.5));
    let (found, steps) = traced(|trace| {
        let mesh = (&mesh, &Pose::IDENTITY);
        sweep_tree((&ball, &pose), DVec3::Y * -4.0, mesh, trace).unwrap()
    });
    assert_eq!((found.spheres, found.triangles), (3, 4));
    assert_eq!(found.hit.map(|hit| hit.fraction), Some(0.375));
    let counted =
        step!(steps, Step::SphereTree { spheres, triangles, of } => (spheres, triangles, of));
    assert_eq!(counted, (3, 4, 8));
    let [(1, 4, SkipReason::Misses { by })] = skipped(&steps)[..] else {
        panic!("{steps:?}");
    };
    let radius = 0.5 * 122.0_f64.sqrt();
    assert!((by - (25.0 - radius - 0.5)).abs() < 1e-9, "{by}");
}

/// Along the row: it hits the first quad's edge, and reaches the spheres of the others later.
#[test]
fn a_node_behind_the_hit_is_traced_with_both_fractions() {
    let mesh = row(64);
    let ball = Shape::Sphere { radius: 0.5 };
    let pose = Pose::at(DVec3::new(-2.5, 0.0, 0.5));
    let along = DVec3::X * 1000.0;
    let (found, steps) = traced(|trace| {
        let mesh = (&mesh, &Pose::IDENTITY);
        sweep_tree((&ball, &pose), along, mesh, trace).unwrap()
    });
    assert!((found.hit.unwrap().fraction - 0.002).abs() < 1e-12);
    let listed = skipped(&steps);
    // One half a level, the nearer one opened: 64, 32, 16, 8 and 4 of 128 triangles.
    let halves: Vec<_> = listed
        .iter()
        .map(|&(level, count, _)| (level, count))
        .collect();
    assert_eq!(halves, [(1, 64), (2, 32), (3, 16), (4, 8), (5, 4)]);
    for (_, _, reason) in listed {
        let SkipReason::AfterHit { fraction, hit } = reason else {
            panic!("{reason:?}");
        };
        assert!(fraction > hit && (hit - 0.002).abs() < 1e-12);
    }
}

/// At a height of 6.2 a ball of 0.5 misses the leaves, which reach 5.52, of two quads each, and no node above them.
#[test]
fn more_than_eight_skipped_nodes_are_counted() {
    let mesh = row(64);
    let ball = Shape::Sphere { radius: 0.5 };
    let pose = Pose::at(DVec3::new(-2.5, 6.2, 0.5));
    let along = DVec3::X * 1000.0;
    let (found, steps) = traced(|trace| {
        let mesh = (&mesh, &Pose::IDENTITY);
        sweep_tree((&ball, &pose), along, mesh, trace).unwrap()
    });
    assert_eq!(found.hit, None);
    assert_eq!(skipped(&steps).len(), 8);
    let (spheres, triangles) =
        step!(steps, Step::MoreSkippedSpheres { spheres, triangles } => (spheres, triangles));
    assert_eq!(8 + spheres as usize, found.skipped.len());
    let held: u32 = skipped(&steps).iter().map(|&(_, count, _)| count).sum();
    assert_eq!(held + triangles + found.triangles, 128);
}
