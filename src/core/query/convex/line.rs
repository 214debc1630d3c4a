//! The line along which the Minkowski difference of two shapes is met while one of them moves.

use super::super::operand::Operand;
use super::simplex::Vertex;
use crate::core::shape::UnitOrZero;
use crate::core::tolerance::EARLY_OUT_SHARE;
use glam::{DVec2, DVec3};

/// Bounds within which a point of the difference and the line agree (no unit), as both are rounded.
pub(super) const AGREES: f64 = 4.0;

/// Two shapes, of which the first moves.
pub(super) struct Line<'o> {
    pub a: &'o Operand<'o>,
    pub b: &'o Operand<'o>,
    pub displacement: DVec3,
    /// The fraction of it that counts.
    until: f64,
    /// Unit: of the displacement, and two square to it, right-handed.
    pub along: DVec3,
    pub across: [DVec3; 2],
    pub radii: f64,
    pub bound: f64,
}

/// A point of the difference.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    pub vertex: Vertex,
    /// With the radii.
    pub at: DVec3,
    /// As seen along the motion.
    pub seen: DVec2,
}

impl<'o> Line<'o> {
    /// `None` without a displacement.
    pub fn new(
        a: &'o Operand<'o>,
        b: &'o Operand<'o>,
        (displacement, until): (DVec3, f64),
        bound: f64,
    ) -> Option<Self> {
        let along = displacement.unit_or_zero();
        let one = (along != DVec3::ZERO).then(|| along.any_orthonormal_vector())?;
        Some(Self {
            a,
            b,
            displacement,
            until: (until + EARLY_OUT_SHARE).min(1.0),
            along,
            across: [one, along.cross(one)],
            radii: a.radius + b.radius,
            bound,
        })
    }

    #[inline]
    pub fn farthest(&self, outward: DVec3) -> Corner {
        let vertex = Vertex::along(self.a, self.b, outward);
        let at = if self.radii > 0.0 {
            vertex.difference + outward.unit_or_zero() * self.radii
        } else {
            vertex.difference
        };
        Corner {
            vertex,
            at,
            seen: DVec2::new(at.dot(self.across[0]), at.dot(self.across[1])),
        }
    }

    /// True when the plane through a support point keeps the motion more than the bound outside.
    #[inline]
    pub fn stays_outside(&self, outward: DVec3, farthest: DVec3) -> bool {
        let approach = outward.dot(self.displacement).max(0.0) * self.until;
        let limit = self.bound * outward.length();
        -outward.dot(farthest) - approach > limit
    }

    /// Weights of three corners at the line.
    pub fn weights(&self, [p, q, r]: &[Corner; 3]) -> [f64; 3] {
        let areas = [
            q.seen.perp_dot(r.seen),
            r.seen.perp_dot(p.seen),
            p.seen.perp_dot(q.seen),
        ];
        let sum: f64 = areas.iter().sum();
        areas.map(|area| area / sum)
    }
}
