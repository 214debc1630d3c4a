//! A hierarchy of bounding spheres over a mesh: a shape broken into parts, each bounded, and the parts into parts
//! (Dopertchouk 2000). A swept sphere or capsule goes down only where its swept test against the parents' sphere hits.

use super::bounding_sphere_ritter;
use crate::core::query::{Impact, Role, Step, SweepOutcome, Trace, sweep_placed};
use crate::core::shape::{Mesh, Placed, Pose, Sphere};
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

/// What a swept sphere or capsule found in a tree, and how much of it was looked at.
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

/// Sweeps a convex shape against a mesh through its tree of spheres: the same hits and overlaps as
/// [`sweep`](crate::core::query::sweep). Neither turns; the mesh stands at `pose`, and the shape moves by `displacement` relative to it.
/// The hit's point is where the mesh stands at the start.
pub fn sweep_tree(
    shape: &Placed<'_>,
    displacement: DVec3,
    (mesh, tree): (&Mesh, &SphereTree),
    pose: &Pose,
    trace: &mut impl Trace,
) -> TreeSweep {
    let mut found = TreeSweep::default();
    let Some(bounds) = shape.aabb() else {
        return found;
    };
    let mover = Sphere {
        center: bounds.center(),
        radius: bounds.half_extents().length(),
    };
    let far = mover.center.abs().max_element() + displacement.abs().max_element();
    let triangle = |index: u32| Placed::Triangle(mesh.triangle(index).transformed(pose));
    let mut open = vec![0_u32];
    while let Some(index) = open.pop() {
        let node = &tree.nodes[index as usize];
        found.spheres += 1;
        let center = pose.point(node.sphere.center);
        let size = far + node.sphere.radius + center.abs().max_element();
        let grown = Sphere {
            center,
            radius: node.sphere.radius + size * SPHERE_TREE_MARGIN,
        };
        let outcome = sweep_placed(
            &Placed::Sphere(mover),
            &Placed::Sphere(grown),
            displacement,
            &mut (),
        );
        // Equals are tested, as the lowest triangle wins.
        let known = found.hit.map_or(1.0, |hit| hit.fraction);
        let reached = match outcome {
            SweepOutcome::Overlapping { .. } => true,
            SweepOutcome::Hits(impact) => impact.fraction <= known,
            SweepOutcome::Grazes { fraction } => fraction <= known,
            SweepOutcome::Misses => false,
        };
        if !reached {
            continue;
        }
        for &index in &node.triangles {
            found.triangles += 1;
            found.add(
                index,
                sweep_placed(shape, &triangle(index), displacement, &mut ()),
            );
        }
        if let Some([first, second]) = node.children {
            open.extend([second, first]);
        }
    }
    trace.step(Step::SphereTree {
        spheres: found.spheres,
        triangles: found.triangles,
    });
    if let Some(depth) = found.overlap {
        trace.step(Step::Overlapping { depth });
    } else if let Some(index) = found.hit.and_then(|hit| hit.triangle) {
        trace.step(Step::Part {
            index,
            kind: "Triangle",
            role: Role::Earliest,
        });
        if trace.is_enabled() {
            sweep_placed(shape, &triangle(index), displacement, trace);
        }
    }
    found
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
