//! A sphere's way past a triangle that collides on its front only: what of it happens while the centre is in front, exactly.
//!
//! The centre's height over the plane is linear, so that it is in front (or in the plane) during one part of the frame. The
//! distance is convex, so that what happens in that part is told by the same way cut off where it crosses the plane.

use super::parts::{Body, ratio};
use super::{Exact, ExactSweep, ExactVector, Verdict};
use std::cmp::Ordering;

/// What a two-sided outcome is to a one-sided triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Front {
    /// It happens in front, or nothing does.
    Holds,
    /// It happens behind, or the sphere comes from there.
    Behind,
    /// The centre falls behind first, apart, at this fraction.
    Falls(f64),
}

impl ExactSweep {
    /// The heights of the centre over the first face, at the start and their change, times the length of its normal.
    fn heights(&self) -> Option<(Exact, Exact)> {
        let Body::Flat { faces, .. } = &self.body else {
            return None;
        };
        let [a, b, c] = faces.first()?;
        let normal = b.minus(a).cross(&c.minus(a));
        Some((a.dot(&normal).negated(), self.step.dot(&normal)))
    }

    /// The same way until the share `over / under` of it, all lengths times `under`.
    fn until(&self, over: &Exact, under: &Exact) -> Self {
        let Body::Flat { edges, faces, .. } = &self.body else {
            return self.clone();
        };
        let larger = |point: &ExactVector| point.times(under);
        let edges = edges.iter().map(|edge| edge.each_ref().map(larger));
        let faces = faces.iter().map(|face| face.each_ref().map(larger));
        Self {
            body: Body::flat(edges.collect(), faces.collect()),
            step: self.step.times(over),
            reach: self.reach.times(under),
        }
    }

    /// What `verdict` of the two-sided triangle is to its front.
    pub fn front(&self, verdict: &Verdict) -> Front {
        let Some((height, rate)) = self.heights() else {
            return Front::Holds;
        };
        let behind = |height: &Exact| height.sign() == Ordering::Less;
        let (starts_behind, ends_behind) = (behind(&height), behind(&height.plus(&rate)));
        match (starts_behind, ends_behind, verdict) {
            (true, true, _) => Front::Behind,
            (true, _, Verdict::Overlapping | Verdict::Receding) => Front::Behind,
            (true, _, Verdict::Later) | (false, false, _) => Front::Holds,
            (false, _, Verdict::Overlapping | Verdict::Receding) => Front::Holds,
            (true, false, _) => {
                // The way behind: does it come nearest, or meet, before it comes to the plane?
                match self.until(&height.negated(), &rate).verdict() {
                    Verdict::Later => Front::Holds,
                    _ => Front::Behind,
                }
            }
            (false, true, _) => {
                let under = rate.negated();
                let before = self.until(&height, &under);
                let ends = before.body.nearest(&before.step, &before.reach).distance;
                let first = match before.verdict() {
                    Verdict::Later => ends == Ordering::Equal,
                    // In the plane at once.
                    Verdict::Receding => ends != Ordering::Greater,
                    _ => true,
                };
                if first {
                    Front::Holds
                } else {
                    Front::Falls(ratio(&height, &under).clamp(0.0, 1.0))
                }
            }
        }
    }
}
