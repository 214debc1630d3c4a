//! A box with three extents, as separating axes see it: its place, its axes and how far it reaches.

use super::super::Feature;
use super::{Kind, Polytope, Support};
use crate::core::shape::Obb;
use crate::core::tolerance::{AXIS_ROUNDING, FEATURE_ANGLE};
use glam::{DQuat, DVec3};

/// A box; its extents may be zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cuboid {
    /// World, metres.
    pub center: DVec3,
    /// Unit.
    pub axes: [DVec3; 3],
    pub half: DVec3,
    /// Radians by which the axes are not square to each other, and the share by which they are not unit, at most.
    pub skew: f64,
}

/// Radians that the axes of a box may be off a right angle: rounding, and a quaternion that is not quite unit.
#[inline]
pub(super) fn skew(obb: &Obb) -> f64 {
    let skew = AXIS_ROUNDING + 4.0 * (obb.rotation.length_squared() - 1.0).abs();
    if obb.rotation == DQuat::IDENTITY {
        0.0
    } else {
        skew
    }
}

impl Cuboid {
    /// The part that reaches farthest along a unit direction.
    #[inline]
    pub fn support(&self, direction: DVec3) -> Support {
        let along = self.axes.map(|axis| axis.dot(direction));
        let free = along.map(|along| along.abs() <= FEATURE_ANGLE);
        let bit = |axis: usize| u32::from(along[axis] > 0.0 && !free[axis]) << axis;
        let base = bit(0) | bit(1) | bit(2);
        match free {
            [false, false, false] => Support {
                feature: Feature::Vertex(base),
                points: [self.corner(base); 4],
                count: 1,
            },
            [true, false, false] => self.edge(base, 0),
            [false, true, false] => self.edge(base, 1),
            [false, false, true] => self.edge(base, 2),
            [false, ..] => self.face(base, 0),
            [_, false, _] => self.face(base, 1),
            [_, _, _] => self.face(base, 2),
        }
    }

    /// Relative to the center; the bits of the index choose the positive sides.
    #[inline]
    pub fn corner(&self, index: u32) -> DVec3 {
        let reach = |axis: usize| {
            let half = self.half[axis];
            self.axes[axis] * if index >> axis & 1 == 1 { half } else { -half }
        };
        reach(0) + reach(1) + reach(2)
    }

    fn edge(&self, base: u32, axis: usize) -> Support {
        let ends = [self.corner(base), self.corner(base | 1 << axis)];
        Support {
            feature: Feature::Edge(edge_number(axis, base)),
            points: [ends[0], ends[1], ends[1], ends[1]],
            count: 2,
        }
    }

    fn face(&self, base: u32, axis: usize) -> Support {
        let (first, second) = match axis {
            0 => (2, 4),
            1 => (1, 4),
            _ => (1, 2),
        };
        let around = [base, base | first, base | first | second, base | second];
        Support {
            feature: Feature::Face(2 * axis as u32 + (base >> axis & 1)),
            points: around.map(|index| self.corner(index)),
            count: 4,
        }
    }

    /// How far it reaches along a direction from its center.
    #[inline]
    pub fn reach(&self, direction: DVec3) -> f64 {
        let [x, y, z] = self.axes.map(|axis| axis.dot(direction).abs());
        self.half.x * x + self.half.y * y + self.half.z * z
    }

    /// The point of the box closest to a point; both relative to the center.
    #[inline]
    pub fn clamped(&self, point: DVec3) -> DVec3 {
        let mut closest = DVec3::ZERO;
        for axis in 0..3 {
            let (direction, half) = (self.axes[axis], self.half[axis]);
            closest += direction * direction.dot(point).max(-half).min(half);
        }
        closest
    }

    /// Is a point, relative to the center, inside by more than a margin?
    pub fn holds(&self, point: DVec3, margin: f64) -> bool {
        (0..3).all(|axis| self.axes[axis].dot(point).abs() < self.half[axis] - margin)
    }
}

impl Polytope {
    /// A box with three extents.
    #[inline]
    pub(super) fn as_solid(&self) -> Option<Cuboid> {
        let solid = |cuboid: &Cuboid| cuboid.half.cmpgt(DVec3::ZERO).all();
        self.as_cuboid().filter(solid)
    }

    /// A box that has at least two extents.
    #[inline]
    pub(super) fn as_cuboid(&self) -> Option<Cuboid> {
        match self.kind {
            Kind::Box { half } => Some(Cuboid {
                center: self.origin,
                axes: self.normals,
                half,
                skew: self.skew,
            }),
            Kind::Triangle | Kind::Segment { .. } | Kind::Point { .. } => None,
        }
    }
}

/// `4 * axis`, plus the bits of the other two axes in their order.
pub(super) fn edge_number(axis: usize, corner: u32) -> u32 {
    let low = corner & ((1 << axis) - 1);
    let high = corner >> (axis + 1) << axis;
    4 * axis as u32 + (low | high)
}
