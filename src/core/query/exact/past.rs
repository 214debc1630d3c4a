//! A convex solid minus a capsule's core, the body that the core moves past as a point does; without rounding.

use super::parts::{Body, box_corner, box_edges, crosses, stretch};
use super::{Exact, ExactVector};
use std::cmp::Ordering;

/// What the core may be inside of, seen from where the coordinates begin.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it lives for one question, and exact numbers stay off the heap"
)]
pub(crate) enum Solid {
    /// Along the axes.
    Box {
        center: ExactVector,
        half: ExactVector,
    },
    Face(Box<[ExactVector; 3]>),
}

/// A solid and the two ends of the core that moves past it.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    solid: Solid,
    core: [ExactVector; 2],
}

impl Past {
    /// Does the core, moved by `by`, meet the solid?
    pub fn meets(&self, by: &ExactVector) -> bool {
        let [a, b] = &self.core;
        let (from, step) = (a.plus(by), b.minus(a));
        match &self.solid {
            Solid::Box { center, half } => {
                stretch(&step, &center.minus(&from), half, [0, 1, 2]).is_some()
            }
            Solid::Face(face) => crosses(&step, &face.each_ref().map(|corner| corner.minus(&from))),
        }
    }
}

/// The solid as both ends of the core see it, and each of its edges minus the core: its surface, and some of its inside.
pub(super) fn body(solid: Solid, core: [ExactVector; 2]) -> Body {
    let (corners, edges, faces) = solid.parts();
    let [a, b] = &core;
    let (from_a, from_b) = (|p: &ExactVector| p.minus(a), |p: &ExactVector| p.minus(b));
    let mut all_edges: Vec<[ExactVector; 2]> = Vec::new();
    let mut all_faces: Vec<[ExactVector; 3]> = Vec::new();
    for corner in &corners {
        all_edges.push([from_a(corner), from_b(corner)]);
    }
    for [p, q] in &edges {
        let [pa, qa, qb, pb] = [from_a(p), from_a(q), from_b(q), from_b(p)];
        all_faces.push([pa.clone(), qa.clone(), qb.clone()]);
        all_faces.push([pa.clone(), qb.clone(), pb.clone()]);
        all_edges.push([pa, qa]);
        all_edges.push([pb, qb]);
    }
    for face in &faces {
        all_faces.push(face.each_ref().map(from_a));
        all_faces.push(face.each_ref().map(from_b));
    }
    Body::Flat {
        edges: all_edges,
        faces: all_faces,
        past: Some(Box::new(Past { solid, core })),
    }
}

/// Corners, edges and faces cut in triangles.
type Parts = (
    Vec<ExactVector>,
    Vec<[ExactVector; 2]>,
    Vec<[ExactVector; 3]>,
);

impl Solid {
    fn parts(&self) -> Parts {
        match self {
            Self::Face(face) => {
                let [a, b, c] = &**face;
                let edges = [[a, b], [b, c], [c, a]].map(|edge| edge.map(ExactVector::clone));
                (face.to_vec(), edges.to_vec(), vec![*face.clone()])
            }
            Self::Box { center, half } => {
                let corner = |bits| box_corner(center, half, bits);
                let mut faces = Vec::new();
                for axis in 0..3 {
                    let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
                    for side in [0, 1 << axis] {
                        let [a, b, c, d] = [side, side | u, side | u | v, side | v].map(corner);
                        faces.push([a.clone(), b, c.clone()]);
                        faces.push([a, c, d]);
                    }
                }
                let corners = (0..8).map(corner).collect();
                (corners, box_edges(center, half), faces)
            }
        }
    }
}

/// `0 <= over / under <= 1` and the like: an exact time.
pub(super) type Time = (Exact, Exact);

/// Is one time before another? Both have a denominator above zero.
pub(super) fn before(x: &Time, y: &Time) -> bool {
    x.0.times(&y.1).compare(&y.0.times(&x.1)) == Ordering::Less
}
