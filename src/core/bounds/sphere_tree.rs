//! Sweeps through a mesh's tree of bounding spheres: they go down only where the swept bounding sphere hits a node's sphere.

use super::{bounding_sphere, bounding_sphere_ritter};
use crate::core::query::{
    Impact, SkipReason, Step, SweepOutcome, Trace, closest_approach, sweep_placed,
};
use crate::core::shape::{Mesh, Motion, Placed, Pose, Shape, Sphere, SphereTree};
use crate::core::tolerance::SPHERE_TREE_MARGIN;
use glam::DVec3;

/// Skipped nodes that a trace lists one by one.
const LISTED: usize = 8;

/// The tree of spheres over a mesh's triangles; built on the first call and kept by the mesh.
///
/// A sphere is Ritter's, near enough to the smallest. `None` for a height field of more than
/// 4 million triangles.
pub fn sphere_tree(mesh: &Mesh) -> Option<&SphereTree> {
    // A part has at least one triangle, and vertices are finite; a sphere too large for a number holds everything.
    mesh.sphere_tree_or(|points| {
        bounding_sphere_ritter(points).unwrap_or(Sphere {
            center: DVec3::ZERO,
            radius: f64::INFINITY,
        })
    })
}

/// A node of a tree that a sweep skipped, with everything below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkippedNode {
    /// Its place in [`SphereTree::nodes`].
    pub node: u32,
    /// Why.
    pub reason: SkipReason,
}

/// What a swept shape found in a tree, and how much of the tree it tested.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreeSweep {
    /// Metres: the deepest overlap at the start, if there is one; then nothing else counts.
    pub overlap: Option<f64>,
    /// The earliest hit, world; equals go to the lowest triangle.
    pub hit: Option<Impact>,
    /// Spheres tested.
    pub spheres: u32,
    /// Triangles tested.
    pub triangles: u32,
    /// The nodes that were skipped, those of the lowest level first.
    pub skipped: Vec<SkippedNode>,
}

/// Sweeps a shape at a pose against a mesh through its tree of spheres: the same hits and overlaps as
/// [`sweep`](crate::core::query::sweep). Neither turns; the shape moves by `displacement` relative to the mesh.
/// The hit's point is where the mesh is at the start. `None` for a mesh without a tree. The trace lists what of the tree was tested and skipped, not the hit.
pub fn sweep_tree(
    (shape, pose): (&Shape, &Pose),
    displacement: DVec3,
    (mesh, at): (&Mesh, &Pose),
    trace: &mut impl Trace,
) -> Option<TreeSweep> {
    let mut found = TreeSweep::default();
    let Some(bounds) = bounding_sphere(shape) else {
        return Some(found);
    };
    let (tree, placed) = (sphere_tree(mesh)?, shape.placed(pose));
    let mover = Sphere {
        center: pose.point(bounds.center),
        radius: bounds.radius,
    };
    let triangle = |index: u32| Placed::Triangle(mesh.triangle(index).transformed(at));
    // Nearest last, so that the next is the nearest.
    let mut open: Vec<(f64, u32)> = Vec::new();
    found.test(&mut open, [0], &mover, displacement, (tree, at));
    while let Some((fraction, index)) = open.pop() {
        // Equals are tested, as the lowest triangle wins.
        if fraction > found.until() {
            found.skip(index, SkipReason::AfterHit { fraction, hit: 0.0 });
            continue;
        }
        let node = &tree.nodes()[index as usize];
        if let Some(children) = node.children {
            found.test(&mut open, children, &mover, displacement, (tree, at));
            continue;
        }
        for &index in tree.triangles(node) {
            found.triangles += 1;
            let outcome = sweep_placed((&placed, &triangle(index)), (displacement, 0.0), &mut ());
            found.add(index, outcome);
        }
    }
    found.finish(tree);
    if trace.is_enabled() {
        found.trace(tree, trace);
    }
    Some(found)
}

impl TreeSweep {
    /// The fraction after which nothing counts.
    fn until(&self) -> f64 {
        match self.overlap {
            Some(_) => 0.0,
            None => self.hit.map_or(1.0, |hit| hit.fraction),
        }
    }

    /// Tests the spheres of some nodes, and opens those that the swept bounding sphere touches.
    fn test<const N: usize>(
        &mut self,
        open: &mut Vec<(f64, u32)>,
        nodes: [u32; N],
        mover: &Sphere,
        displacement: DVec3,
        (tree, at): (&SphereTree, &Pose),
    ) {
        let first = open.len();
        for index in nodes {
            self.spheres += 1;
            let sphere = &tree.nodes()[index as usize].sphere;
            let center = at.point(sphere.center);
            let largest = mover.center.abs().max(center.abs()).max(displacement.abs());
            let size = largest.max_element() + mover.radius + sphere.radius;
            let grown = Sphere {
                center,
                radius: sphere.radius + size * SPHERE_TREE_MARGIN,
            };
            let spheres = (Placed::Sphere(*mover), Placed::Sphere(grown));
            match sweep_placed((&spheres.0, &spheres.1), (displacement, 0.0), &mut ()) {
                SweepOutcome::Overlapping { .. } => open.push((0.0, index)),
                SweepOutcome::Hits(impact) => open.push((impact.fraction, index)),
                SweepOutcome::Grazes { fraction } => open.push((fraction, index)),
                SweepOutcome::Misses => {
                    let by = least_distance(mover, displacement, &grown);
                    self.skip(index, SkipReason::Misses { by });
                }
            }
        }
        open[first..].sort_by(|one, other| other.0.total_cmp(&one.0));
    }

    fn skip(&mut self, node: u32, reason: SkipReason) {
        self.skipped.push(SkippedNode { node, reason });
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

    /// Orders the skipped nodes, and compares them with the hit that was found in the end.
    fn finish(&mut self, tree: &SphereTree) {
        let level = |node: u32| tree.nodes()[node as usize].level;
        self.skipped
            .sort_by_key(|skipped| (level(skipped.node), skipped.node));
        let until = self.until();
        for skipped in &mut self.skipped {
            if let SkipReason::AfterHit { hit, .. } = &mut skipped.reason {
                *hit = until;
            }
        }
    }

    fn trace(&self, tree: &SphereTree, trace: &mut impl Trace) {
        let node = |skipped: &SkippedNode| &tree.nodes()[skipped.node as usize];
        trace.step(Step::SphereTree {
            spheres: self.spheres,
            triangles: self.triangles,
            of: tree.nodes()[0].count(),
        });
        let (listed, rest) = self.skipped.split_at(LISTED.min(self.skipped.len()));
        for skipped in listed {
            trace.step(Step::SkippedSphere {
                level: node(skipped).level,
                triangles: node(skipped).count(),
                reason: skipped.reason,
            });
        }
        if !rest.is_empty() {
            trace.step(Step::MoreSkippedSpheres {
                spheres: rest.len() as u32,
                triangles: rest.iter().map(|skipped| node(skipped).count()).sum(),
            });
        }
    }
}

/// The least distance between two spheres, of which the first moves, metres.
fn least_distance(mover: &Sphere, displacement: DVec3, sphere: &Sphere) -> f64 {
    let [one, other] = [mover, sphere].map(|sphere| Shape::Sphere {
        radius: sphere.radius,
    });
    let motion = Motion {
        start: Pose::at(mover.center),
        end: Pose::at(mover.center + displacement),
    };
    let still = Motion::still(Pose::at(sphere.center));
    closest_approach(&one, &motion, &other, &still, &mut ()).map_or(0.0, |found| found.distance)
}
