//! A hierarchy of bounding spheres over a mesh: a shape broken into parts, each bounded, and the parts into parts
//! (Dopertchouk 2000). A swept sphere goes down only where its swept test against the parents' sphere hits.

use super::bounding_sphere_ritter;
use crate::core::query::sweep::{sweep_sphere_sphere, sweep_sphere_triangle};
use crate::core::query::{Impact, SweepOutcome, Trace};
use crate::core::shape::{Mesh, Pose, Sphere};
use crate::core::tolerance::SPHERE_TREE_MARGIN;
use glam::DVec3;

/// Triangles in one leaf at most.
const LEAF: usize = 4;

/// A part of the mesh and the sphere around it.
#[derive(Clone, Debug, PartialEq)]
pub struct SphereNode {
    /// Around all vertices of the part, not around its children's spheres, which would grow with every level. Local space.
    pub sphere: Sphere,
    /// Both halves, by their place in [`SphereTree::nodes`]; `None` for a leaf.
    pub children: Option<[u32; 2]>,
    /// The triangles of a leaf; empty for a part with halves.
    pub triangles: Vec<u32>,
}

/// A binary tree of spheres, split at the median of the longest axis. The root is the first node.
#[derive(Clone, Debug, PartialEq)]
pub struct SphereTree {
    nodes: Vec<SphereNode>,
}

/// What a swept sphere found in a tree, and how much of it was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TreeSweep {
    /// Metres: the deepest overlap at the start, if there is one; then nothing else counts.
    pub overlap: Option<f64>,
    /// The earliest hit, world; equals go to the lowest triangle.
    pub hit: Option<Impact>,
    /// Spheres tested.
    pub spheres: u32,
    /// Triangles tested.
    pub triangles: u32,
}

impl SphereTree {
    /// Over all triangles of a mesh. The same mesh gives the same tree.
    pub fn new(mesh: &Mesh) -> Self {
        let centers: Vec<DVec3> = (0..mesh.triangles().len() as u32)
            .map(|index| {
                let triangle = mesh.triangle(index);
                (triangle.a + triangle.b + triangle.c) / 3.0
            })
            .collect();
        let mut tree = Self { nodes: Vec::new() };
        let mut part: Vec<u32> = (0..centers.len() as u32).collect();
        tree.add(mesh, &centers, &mut part);
        tree
    }

    /// In depth-first order.
    pub fn nodes(&self) -> &[SphereNode] {
        &self.nodes
    }

    /// Adds a part and everything below it; its depth is the logarithm of the number of triangles.
    fn add(&mut self, mesh: &Mesh, centers: &[DVec3], part: &mut [u32]) -> u32 {
        let index = self.nodes.len();
        self.nodes.push(SphereNode {
            sphere: around(mesh, part),
            children: None,
            triangles: Vec::new(),
        });
        if part.len() <= LEAF {
            self.nodes[index].triangles = part.to_vec();
            return index as u32;
        }
        let axis = longest_axis(centers, part);
        let (first, second) = {
            let middle = part.len() / 2;
            part.select_nth_unstable_by(middle, |&a, &b| {
                let (at_a, at_b) = (centers[a as usize][axis], centers[b as usize][axis]);
                at_a.total_cmp(&at_b).then(a.cmp(&b))
            });
            part.split_at_mut(middle)
        };
        let first = self.add(mesh, centers, first);
        let second = self.add(mesh, centers, second);
        self.nodes[index].children = Some([first, second]);
        index as u32
    }
}

/// Around the vertices of some triangles; Ritter's is near enough to the smallest and takes three passes.
fn around(mesh: &Mesh, part: &[u32]) -> Sphere {
    let corners = part
        .iter()
        .flat_map(|&index| mesh.triangles()[index as usize]);
    let points: Vec<DVec3> = corners
        .map(|vertex| mesh.vertices()[vertex as usize])
        .collect();
    // A mesh has at least one triangle, and its vertices are finite; a sphere too large for a number holds everything.
    bounding_sphere_ritter(&points).unwrap_or(Sphere {
        center: DVec3::ZERO,
        radius: f64::INFINITY,
    })
}

fn longest_axis(centers: &[DVec3], part: &[u32]) -> usize {
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &index in part {
        min = min.min(centers[index as usize]);
        max = max.max(centers[index as usize]);
    }
    (max - min).max_position()
}

/// Sweeps a sphere against a mesh through its tree of spheres: the same hits and overlaps as
/// [`sweep_sphere_mesh`](crate::core::query::sweep::sweep_sphere_mesh). The mesh stands at `pose` and does not turn; both
/// move by their displacement over the frame.
pub fn sweep_sphere_tree(
    sphere: &Sphere,
    displacement: DVec3,
    (mesh, tree): (&Mesh, &SphereTree),
    pose: &Pose,
    mesh_displacement: DVec3,
    trace: &mut impl Trace,
) -> TreeSweep {
    let local = Sphere {
        center: pose.point_to_local(sphere.center),
        radius: sphere.radius,
    };
    let step = pose.vector_to_local(displacement - mesh_displacement);
    let mut found = TreeSweep::default();
    let mut open = vec![0_u32];
    while let Some(index) = open.pop() {
        let node = &tree.nodes[index as usize];
        found.spheres += 1;
        if !reaches(&local, step, &node.sphere, found.hit.as_ref()) {
            continue;
        }
        for &index in &node.triangles {
            found.triangles += 1;
            let triangle = mesh.triangle(index);
            let outcome = sweep_sphere_triangle(&local, step, &triangle, DVec3::ZERO, &mut ());
            found.add(index, outcome);
        }
        if let Some([first, second]) = node.children {
            open.extend([second, first]);
        }
    }
    trace.step(
        "SphereTree",
        &[
            ("spheres", f64::from(found.spheres)),
            ("triangles", f64::from(found.triangles)),
        ],
    );
    if let Some(impact) = &mut found.hit {
        impact.normal = pose.vector(impact.normal);
        impact.point =
            sphere.center + displacement * impact.fraction - impact.normal * sphere.radius;
    }
    found
}

/// Can the swept sphere touch anything inside a node before the hit that is known?
fn reaches(sphere: &Sphere, step: DVec3, node: &Sphere, known: Option<&Impact>) -> bool {
    let size = sphere.center.abs().max_element() + step.abs().max_element() + node.radius;
    let grown = Sphere {
        center: node.center,
        radius: node.radius + (size + node.center.abs().max_element()) * SPHERE_TREE_MARGIN,
    };
    match sweep_sphere_sphere(sphere, step, &grown, DVec3::ZERO, &mut ()) {
        SweepOutcome::Overlapping { .. } => true,
        // Equals are looked at, as the lowest triangle wins.
        SweepOutcome::Hits(impact) => known.is_none_or(|known| impact.fraction <= known.fraction),
        _ => false,
    }
}

impl TreeSweep {
    fn add(&mut self, index: u32, outcome: SweepOutcome) {
        match outcome {
            SweepOutcome::Overlapping { depth } => {
                self.overlap = Some(self.overlap.map_or(depth, |known| known.max(depth)));
            }
            SweepOutcome::Hits(impact)
                if self.hit.is_none_or(|known| {
                    impact.fraction < known.fraction
                        || (impact.fraction == known.fraction && Some(index) < known.triangle)
                }) =>
            {
                self.hit = Some(Impact {
                    triangle: Some(index),
                    ..impact
                });
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::query::sweep::sweep_sphere_mesh;
    use crate::core::shape::Facing;
    use glam::DQuat;

    struct Random(u64);

    impl Random {
        fn unit(&mut self) -> f64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn vector(&mut self, reach: f64) -> DVec3 {
            let mut component = || (self.unit() * 2.0 - 1.0) * reach;
            DVec3::new(component(), component(), component())
        }
    }

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

    #[test]
    fn it_answers_as_the_exact_sweep_of_the_mesh() {
        let mut random = Random(20_000_411);
        let mesh = ground(&mut random, 16);
        let tree = SphereTree::new(&mesh);
        let pose = Pose {
            position: DVec3::new(3.0, -2.0, 40.0),
            rotation: DQuat::from_scaled_axis(random.vector(2.0)),
        };
        let (mut hits, mut overlaps, mut tested) = (0, 0, 0);
        for round in 0..3000 {
            let sphere = Sphere {
                center: pose.point(random.vector(10.0) + DVec3::new(8.0, 0.0, 8.0)),
                radius: random.unit() * 0.4,
            };
            let (step, drift) = (random.vector(12.0), random.vector(1.0));
            let exact = sweep_sphere_mesh(&sphere, step, &mesh, &pose, drift, &mut ());
            let found = sweep_sphere_tree(&sphere, step, (&mesh, &tree), &pose, drift, &mut ());
            tested += found.triangles;
            match exact {
                SweepOutcome::Overlapping { depth } => {
                    overlaps += 1;
                    let overlap = found.overlap.unwrap();
                    assert!((overlap - depth).abs() < 1e-12, "{round}");
                }
                SweepOutcome::Hits(impact) => {
                    hits += 1;
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
        assert!(hits > 300 && overlaps > 30, "{hits} {overlaps}");
        // Of 512 triangles, a few near the way are looked at.
        assert!(tested / 3000 < 100, "{}", tested / 3000);
    }
}
