//! What stands at a pose, in the pose's own frame without rounding.
//!
//! A quaternion q turns by `(w^2 - b.b) v + 2 b (b.v) + 2 w (b x v)`, which also stretches by `|q|^2`. So a frame is left
//! stretched, and what stands in it is stretched along: nothing is divided, and a length of q that rounding spoilt is no fault.

use super::parts::Body;
use super::past::{self, Solid};
use super::{Exact, ExactSweep, ExactVector};
use crate::core::shape::{Pose, Segment, Triangle};
use glam::DVec3;
use std::cmp::Ordering;

/// A pose as seen from inside.
pub(crate) struct ExactFrame {
    position: ExactVector,
    /// The vector part of the quaternion that turns into the frame.
    b: ExactVector,
    w: Exact,
    /// `|q|^2`: what stands in the frame grows by this.
    scale: Exact,
    turns: bool,
}

impl ExactFrame {
    pub fn of(pose: &Pose) -> Self {
        let turn = pose.rotation.conjugate();
        let b = ExactVector::new(DVec3::new(turn.x, turn.y, turn.z));
        let w = Exact::new(turn.w);
        Self {
            position: ExactVector::new(pose.position),
            scale: w.squared().plus(&b.square()),
            turns: b.square().sign().is_ne(),
            b,
            w,
        }
    }

    fn vector(&self, v: &ExactVector) -> ExactVector {
        if !self.turns {
            return v.times(&self.scale);
        }
        let Self { b, w, .. } = self;
        let straight = v.times(&w.squared().minus(&b.square()));
        let along = b.times(&b.dot(v));
        let aside = b.cross(v).times(w);
        let turned = along.plus(&aside);
        straight.plus(&turned).plus(&turned)
    }

    fn point(&self, world: DVec3) -> ExactVector {
        self.vector(&ExactVector::new(world).minus(&self.position))
    }

    fn stretched(&self, local: DVec3) -> ExactVector {
        ExactVector::new(local).times(&self.scale)
    }

    /// A triangle in the frame, as a world point sees it.
    pub fn triangle(&self, center: DVec3, triangle: &Triangle) -> Body {
        let center = self.point(center);
        let corners = [triangle.a, triangle.b, triangle.c];
        Body::triangles([corners.map(|corner| self.stretched(corner).minus(&center))])
    }

    /// A box around the frame's origin, as a world point sees it.
    pub fn cuboid(&self, center: DVec3, half_extents: DVec3) -> Body {
        let zero = ExactVector::new(DVec3::ZERO);
        Body::Box {
            center: zero.minus(&self.point(center)),
            half: self.stretched(half_extents),
        }
    }

    /// A box around the frame's origin, past which a world core moves.
    pub fn cuboid_past(&self, half_extents: DVec3, core: &Segment) -> Body {
        let (center, half) = (ExactVector::new(DVec3::ZERO), self.stretched(half_extents));
        past::body(Solid::Box { center, half }, self.core(core))
    }

    /// A triangle in the frame, past which a world core moves.
    pub fn triangle_past(&self, triangle: &Triangle, core: &Segment) -> Body {
        let corners = [triangle.a, triangle.b, triangle.c].map(|corner| self.stretched(corner));
        past::body(Solid::Face(Box::new(corners)), self.core(core))
    }

    fn core(&self, core: &Segment) -> [ExactVector; 2] {
        [core.a, core.b].map(|end| self.point(end))
    }

    /// A way by world displacements past a body of this frame.
    pub fn sweep(&self, body: Body, steps: [DVec3; 2], radii: [f64; 2]) -> ExactSweep {
        let way = ExactSweep::new(body, steps[0], steps[1], radii);
        ExactSweep {
            step: self.vector(&way.step),
            reach: way.reach.times(&self.scale),
            body: way.body,
        }
    }

    /// The distance of a body of this frame against the summed radii.
    pub fn compare(&self, body: &Body, radii: [f64; 2]) -> Ordering {
        let reach = Exact::new(radii[0]).plus(&Exact::new(radii[1]));
        let zero = ExactVector::new(DVec3::ZERO);
        body.nearest(&zero, &reach.times(&self.scale)).distance
    }

    /// On which side of a triangle's plane a world point lies: Greater in front.
    pub fn side(&self, point: DVec3, triangle: &Triangle) -> Ordering {
        let point = self.point(point);
        let corners = [triangle.a, triangle.b, triangle.c];
        let [a, b, c] = corners.map(|corner| self.stretched(corner).minus(&point));
        let normal = b.minus(&a).cross(&c.minus(&a));
        a.dot(&normal).sign().reverse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    /// A half turn about an axis that no unit quaternion holds exactly comes back to where it began.
    #[test]
    fn a_turn_is_exact_whatever_the_length() {
        for length in [1.0, 0.3, 7.0] {
            let rotation = DQuat::from_xyzw(1.0, 2.0, -2.0, 0.0) * length;
            let pose = Pose {
                position: DVec3::new(1e6, 0.5, -3.0),
                rotation,
            };
            let frame = ExactFrame::of(&pose);
            let there = frame.point(pose.position + DVec3::new(1.0, 2.0, -2.0));
            let axis = frame.stretched(DVec3::new(1.0, 2.0, -2.0));
            assert_eq!(there.minus(&axis).square().sign(), Ordering::Equal);
            let across = frame.vector(&ExactVector::new(DVec3::new(2.0, -1.0, 0.0)));
            let turned = frame.stretched(DVec3::new(-2.0, 1.0, 0.0));
            assert_eq!(across.minus(&turned).square().sign(), Ordering::Equal);
        }
    }
}
