//! Sweeps through a tree of bounding spheres, against the sweep of the whole mesh.

use crate::common::random::Random;
use crate::common::rounds;
use crate::common::steps::{close, step, traced};
use glam::DVec3;
use hitstop::core::bounds::{SphereTree, TreeSweep, sweep_tree};
use hitstop::core::query::{Role, Step, SweepOutcome, sweep};
use hitstop::core::shape::{
    Capsule, Cone, Cylinder, Facing, Mesh, Motion, Pose, RoundedBox, Segment, Shape, SolidShape,
    Triangle,
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
fn every_sphere_holds_its_part_and_every_triangle_is_in_one_leaf() {
    let mesh = ground(&mut Random(5), 9);
    let tree = SphereTree::new(&mesh);
    let mut seen = vec![0; mesh.triangles().len()];
    let mut below = vec![Vec::new(); tree.nodes().len()];
    for (index, node) in tree.nodes().iter().enumerate().rev() {
        below[index] = match node.children {
            Some([first, second]) => {
                let mut both = below[first as usize].clone();
                both.extend(&below[second as usize]);
                both
            }
            None => node.triangles.clone(),
        };
        node.triangles
            .iter()
            .for_each(|&triangle| seen[triangle as usize] += 1);
        for &triangle in &below[index] {
            let triangle = mesh.triangle(triangle);
            for corner in [triangle.a, triangle.b, triangle.c] {
                assert!(corner.distance(node.sphere.center) <= node.sphere.radius);
            }
        }
    }
    assert!(seen.iter().all(|&count| count == 1));
}

/// How often each outcome came up, and how many triangles were looked at.
#[derive(Default)]
struct Count {
    hits: u32,
    overlaps: u32,
    tested: u32,
}

impl Count {
    /// Holds the tree's answer against the mesh's.
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

/// One shape of every convex kind, around its origin.
fn convex_shapes(random: &mut Random) -> Vec<Shape> {
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
    ]
}

#[test]
fn every_convex_shape_is_answered_as_by_the_sweep_of_the_mesh() {
    let mut random = Random(20_000_411);
    let mesh = Arc::new(ground(&mut random, 16));
    let (tree, whole) = (SphereTree::new(&mesh), Shape::Mesh(Arc::clone(&mesh)));
    let still = Motion::still(Pose {
        position: DVec3::new(3.0, -2.0, 40.0),
        rotation: random.rotation(),
    });
    let pose = still.start;
    let mut count = Count::default();
    for kind in 0..8 {
        for round in 0..rounds(400) {
            let shape = convex_shapes(&mut random).swap_remove(kind);
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
                &shape.placed(&start),
                motion.displacement(),
                (&mesh, &tree),
                &pose,
                &mut (),
            );
            count.add(round, &exact, &found);
        }
    }
    count.check(8 * rounds(400));
}

/// Down on the middle of a square of two triangles, 2 above and 4 down: a ball of 0.5 and an upright rod of 0.25 + 0.25.
#[test]
fn the_triangle_that_decided_is_traced() {
    let corner = |x: f64, z: f64| DVec3::new(x, 0.0, z);
    let corners = vec![
        corner(0.0, 0.0),
        corner(0.0, 4.0),
        corner(4.0, 0.0),
        corner(4.0, 4.0),
    ];
    let mesh = Mesh::new(corners, vec![[0, 1, 2], [2, 1, 3]], Facing::Both).unwrap();
    let tree = SphereTree::new(&mesh);
    let segment = Segment {
        a: DVec3::Y * -0.25,
        b: DVec3::Y * 0.25,
    };
    let radius = 0.25;
    for shape in [
        Shape::Sphere { radius: 0.5 },
        Shape::Capsule(Capsule { segment, radius }),
    ] {
        let placed = shape.placed(&Pose::at(DVec3::new(3.0, 2.0, 3.0)));
        let down = DVec3::Y * -4.0;
        let (found, steps) =
            traced(|trace| sweep_tree(&placed, down, (&mesh, &tree), &Pose::IDENTITY, trace));
        assert_eq!((found.spheres, found.triangles), (1, 2));
        let counted = step!(steps, Step::SphereTree { spheres, triangles } => (spheres, triangles));
        assert_eq!(counted, (1, 2));
        assert_eq!(
            step!(steps, Step::Part { index, role, .. } => (index, role)),
            (1, Role::Earliest)
        );
        close(step!(steps, Step::Start { gap, .. } => gap), 1.5);
        close(step!(steps, Step::Hits { fraction } => fraction), 0.375);
    }
}
