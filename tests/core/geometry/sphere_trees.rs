//! Sweeps through a tree of bounding spheres, against the sweep of the whole mesh.

use crate::common::random::Random;
use crate::common::rounds;
use crate::common::steps::{close, names, number};
use glam::DVec3;
use hitstop::core::bounds::{SphereTree, TreeSweep, sweep_capsule_tree, sweep_sphere_tree};
use hitstop::core::query::sweep::sweep_sphere_mesh;
use hitstop::core::query::{Steps, SweepOutcome, sweep_capsule_mesh};
use hitstop::core::shape::{Capsule, Facing, Mesh, Pose, Segment, Sphere};

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

    /// Of 512 triangles, a few near the way are looked at.
    fn is_telling(&self, rounds: u32) {
        let Self {
            hits,
            overlaps,
            tested,
        } = self;
        assert!(
            *hits > rounds / 10 && *overlaps >= rounds / 100,
            "{hits} {overlaps}"
        );
        assert!(tested / rounds < 100, "{}", tested / rounds);
    }
}

fn somewhere(random: &mut Random) -> Pose {
    Pose {
        position: DVec3::new(3.0, -2.0, 40.0),
        rotation: random.rotation(),
    }
}

#[test]
fn a_sphere_is_answered_as_by_the_exact_sweep_of_the_mesh() {
    let mut random = Random(20_000_411);
    let mesh = ground(&mut random, 16);
    let (tree, pose) = (SphereTree::new(&mesh), somewhere(&mut random));
    let mut count = Count::default();
    for round in 0..rounds(1000) {
        let sphere = Sphere {
            center: pose.point(random.point(10.0) + DVec3::new(8.0, 0.0, 8.0)),
            radius: random.unit() * 0.4,
        };
        let (step, drift) = (random.point(12.0), random.point(1.0));
        let exact = sweep_sphere_mesh(&sphere, step, &mesh, &pose, drift, &mut ());
        let found = sweep_sphere_tree(&sphere, step, (&mesh, &tree), &pose, drift, &mut ());
        count.add(round, &exact, &found);
    }
    count.is_telling(rounds(1000));
}

#[test]
fn a_capsule_is_answered_as_by_the_exact_sweep_of_the_mesh() {
    let mut random = Random(20_000_412);
    let mesh = ground(&mut random, 16);
    let (tree, pose) = (SphereTree::new(&mesh), somewhere(&mut random));
    let mut count = Count::default();
    for round in 0..rounds(100) {
        let middle = pose.point(random.point(10.0) + DVec3::new(8.0, 0.0, 8.0));
        let half = random.point(0.5);
        let capsule = Capsule {
            segment: Segment {
                a: middle - half,
                b: middle + half,
            },
            radius: random.unit() * 0.3,
        };
        let (step, drift) = (random.point(12.0), random.point(1.0));
        let exact = sweep_capsule_mesh(&capsule, step, &mesh, &pose, drift, &mut ());
        let found = sweep_capsule_tree(&capsule, step, (&mesh, &tree), &pose, drift, &mut ());
        count.add(round, &exact, &found);
    }
    count.is_telling(rounds(100));
}

/// Down on the middle of a square of two triangles, 2 above and 4 down: a ball of 0.5 and an upright rod of 0.25 + 0.25.
#[test]
fn the_one_that_decided_is_told() {
    let corner = |x: f64, z: f64| DVec3::new(x, 0.0, z);
    let corners = vec![
        corner(0.0, 0.0),
        corner(0.0, 4.0),
        corner(4.0, 0.0),
        corner(4.0, 4.0),
    ];
    let mesh = Mesh::new(corners, vec![[0, 1, 2], [2, 1, 3]], Facing::Both).unwrap();
    let (tree, pose) = (SphereTree::new(&mesh), Pose::IDENTITY);
    let center = DVec3::new(3.0, 2.0, 3.0);
    let sphere = Sphere {
        center,
        radius: 0.5,
    };
    let capsule = Capsule {
        segment: Segment {
            a: center - DVec3::Y * 0.25,
            b: center + DVec3::Y * 0.25,
        },
        radius: 0.25,
    };
    let (down, still) = (DVec3::Y * -4.0, DVec3::ZERO);
    let (mut of_sphere, mut of_capsule) = (Steps::default(), Steps::default());
    sweep_sphere_tree(&sphere, down, (&mesh, &tree), &pose, still, &mut of_sphere);
    sweep_capsule_tree(
        &capsule,
        down,
        (&mesh, &tree),
        &pose,
        still,
        &mut of_capsule,
    );
    for steps in [of_sphere, of_capsule] {
        assert_eq!(
            names(&steps)[..3],
            ["SphereTree", "EarliestTriangle", "Start"]
        );
        close(number(&steps, "EarliestTriangle", "triangle"), 1.0);
        close(number(&steps, "Start", "gap"), 1.5);
        close(number(&steps, "Hits", "fraction"), 0.375);
    }
}
