//! A hierarchy of bounding spheres over a mesh: a shape broken into parts, each bounded, and the parts into parts
//! (Dopertchouk 2000). A swept sphere or capsule goes down only where its swept test against the parents' sphere hits.

use super::bounding_sphere_ritter;
use crate::core::query::sweep::{sweep_sphere_capsule, sweep_sphere_sphere, sweep_sphere_triangle};
use crate::core::query::{Impact, SweepOutcome, Trace, sweep_capsule_triangle};
use crate::core::shape::{Capsule, Mesh, Pose, Segment, Sphere, Triangle};
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

/// Sweeps a sphere against a mesh through its tree of spheres: the same hits and overlaps as
/// [`sweep_sphere_mesh`](crate::core::query::sweep::sweep_sphere_mesh). The mesh stands at `pose` and does not turn; both
/// move by their displacement over the frame.
pub fn sweep_sphere_tree(
    sphere: &Sphere,
    displacement: DVec3,
    of: (&Mesh, &SphereTree),
    pose: &Pose,
    mesh_displacement: DVec3,
    trace: &mut impl Trace,
) -> TreeSweep {
    let local = Sphere {
        center: pose.point_to_local(sphere.center),
        radius: sphere.radius,
    };
    let step = pose.vector_to_local(displacement - mesh_displacement);
    let far = local.center.abs().max_element() + step.abs().max_element();
    let mover = Mover {
        far,
        to_sphere: |node: &Sphere| sweep_sphere_sphere(&local, step, node, DVec3::ZERO, &mut ()),
    };
    let sweep =
        |triangle: &Triangle| sweep_sphere_triangle(&local, step, triangle, DVec3::ZERO, &mut ());
    let mut found = mover.descend(of, sweep);
    if let Some(triangle) = found.tell(of.0, trace) {
        sweep_sphere_triangle(&local, step, &triangle, DVec3::ZERO, trace);
    }
    if let Some(impact) = &mut found.hit {
        impact.normal = pose.vector(impact.normal);
        impact.point =
            sphere.center + displacement * impact.fraction - impact.normal * sphere.radius;
    }
    found
}

/// The same for a capsule, which does not turn: the hits and overlaps of
/// [`sweep_capsule_mesh`](crate::core::query::sweep_capsule_mesh).
pub fn sweep_capsule_tree(
    capsule: &Capsule,
    displacement: DVec3,
    of: (&Mesh, &SphereTree),
    pose: &Pose,
    mesh_displacement: DVec3,
    trace: &mut impl Trace,
) -> TreeSweep {
    let Segment { a, b } = capsule.segment;
    let local = Capsule {
        segment: Segment {
            a: pose.point_to_local(a),
            b: pose.point_to_local(b),
        },
        radius: capsule.radius,
    };
    let step = pose.vector_to_local(displacement - mesh_displacement);
    let core = &local.segment;
    let far = core.a.abs().max(core.b.abs()).max_element() + step.abs().max_element();
    let mover = Mover {
        far,
        // Seen from the capsule, the node comes the other way.
        to_sphere: |node: &Sphere| sweep_sphere_capsule(node, -step, &local, DVec3::ZERO, &mut ()),
    };
    let sweep =
        |triangle: &Triangle| sweep_capsule_triangle(&local, step, triangle, DVec3::ZERO, &mut ());
    let mut found = mover.descend(of, sweep);
    if let Some(triangle) = found.tell(of.0, trace) {
        sweep_capsule_triangle(&local, step, &triangle, DVec3::ZERO, trace);
    }
    if let Some(impact) = &mut found.hit {
        impact.normal = pose.vector(impact.normal);
        impact.point = pose.point(impact.point) + mesh_displacement * impact.fraction;
    }
    found
}

/// What moves, in the mesh's space.
struct Mover<S> {
    /// Its farthest coordinate on the way, metres.
    far: f64,
    /// Its sweep against a node's sphere.
    to_sphere: S,
}

impl<S: Fn(&Sphere) -> SweepOutcome> Mover<S> {
    fn descend(
        &self,
        (mesh, tree): (&Mesh, &SphereTree),
        sweep: impl Fn(&Triangle) -> SweepOutcome,
    ) -> TreeSweep {
        let mut found = TreeSweep::default();
        let mut open = vec![0_u32];
        while let Some(index) = open.pop() {
            let node = &tree.nodes[index as usize];
            found.spheres += 1;
            if !self.reaches(&node.sphere, found.hit.as_ref()) {
                continue;
            }
            for &index in &node.triangles {
                found.triangles += 1;
                found.add(index, sweep(&mesh.triangle(index)));
            }
            if let Some([first, second]) = node.children {
                open.extend([second, first]);
            }
        }
        found
    }

    /// Can it touch anything inside a node before the hit that is known?
    fn reaches(&self, node: &Sphere, known: Option<&Impact>) -> bool {
        let size = self.far + node.radius + node.center.abs().max_element();
        let grown = Sphere {
            center: node.center,
            radius: node.radius + size * SPHERE_TREE_MARGIN,
        };
        match (self.to_sphere)(&grown) {
            SweepOutcome::Overlapping { .. } => true,
            // Equals are looked at, as the lowest triangle wins.
            SweepOutcome::Hits(impact) => {
                known.is_none_or(|known| impact.fraction <= known.fraction)
            }
            _ => false,
        }
    }
}

impl TreeSweep {
    /// Answers with the triangle that decided, where somebody hears its sweep once more, by the same code.
    fn tell(&self, mesh: &Mesh, trace: &mut impl Trace) -> Option<Triangle> {
        let looked_at = [
            ("spheres", f64::from(self.spheres)),
            ("triangles", f64::from(self.triangles)),
        ];
        trace.step("SphereTree", &looked_at);
        if let Some(depth) = self.overlap {
            trace.step("Overlapping", &[("depth", depth)]);
            return None;
        }
        let index = self.hit.and_then(|hit| hit.triangle)?;
        trace.step("EarliestTriangle", &[("triangle", f64::from(index))]);
        trace.is_heard().then(|| mesh.triangle(index))
    }

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
