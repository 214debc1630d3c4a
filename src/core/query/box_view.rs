//! What a point sees of a rotated box, without a branch: one sphere or a whole vector of them ask it alike.

use super::nearest::{Nearest, box_part, part_number};
use super::triangle_view::pick;
use crate::core::shape::Obb;
use crate::core::tolerance::{LARGEST_VIEW, NOISE_ULPS, SMALLEST_SQUARE};
use glam::DVec3;

/// The nearest point of a box's surface, in the box's own frame (Millington, ch. 13): the point clamped, or from inside the
/// nearest face; equal faces go to y before x before z.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxView {
    /// The nearest point, metres, box's frame.
    pub nearest: DVec3,
    /// Unit, out of the surface toward the point (inside: the shortest way out), box's frame.
    pub normal: DVec3,
    /// Metres; negative inside.
    pub distance: f64,
    /// The part of the box, by [`box_part`].
    pub part: u64,
    /// The lengths among which the distance was found, metres.
    pub size: f64,
    /// False where the direction is a matter of choice or the numbers leave the range of `f64`: nothing else counts then.
    pub clear: bool,
}

/// A rotation as its quaternion's vector and scalar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub vector: DVec3,
    pub scalar: f64,
}

impl Turn {
    pub fn of(obb: &Obb) -> Self {
        let q = obb.rotation;
        Self {
            vector: DVec3::new(q.x, q.y, q.z),
            scalar: q.w,
        }
    }

    #[inline(always)]
    pub fn back(self) -> Self {
        Self {
            vector: -self.vector,
            scalar: self.scalar,
        }
    }

    /// `v (w^2 - b.b) + b 2 (v.b) + (b x v) 2 w`; not turned, it gives the very numbers back.
    #[inline(always)]
    pub fn apply(self, v: DVec3) -> DVec3 {
        let Self {
            vector: b,
            scalar: w,
        } = self;
        v * (w * w - b.dot(b)) + b * (v.dot(b) * 2.0) + b.cross(v) * (w * 2.0)
    }
}

impl BoxView {
    #[inline(always)]
    pub fn new(local: DVec3, half: DVec3) -> Self {
        let clamped = DVec3 {
            x: clamp(local.x, half.x),
            y: clamp(local.y, half.y),
            z: clamp(local.z, half.z),
        };
        let outside = local - clamped;
        let square = outside.dot(outside);
        let is_outside = square > 0.0;
        let length = square.sqrt();

        let inward = local.abs() - half;
        let x_over_y = inward.x > inward.y;
        let most = if x_over_y { inward.x } else { inward.y };
        let z_over_all = inward.z > most;
        let (x_face, y_face) = (x_over_y & !z_over_all, !x_over_y & !z_over_all);
        let face = DVec3 {
            x: if x_face { sign(local.x) } else { 0.0 },
            y: if y_face { sign(local.y) } else { 0.0 },
            z: if z_over_all { sign(local.z) } else { 0.0 },
        };
        let depth = if z_over_all { inward.z } else { most };
        let on_face = DVec3 {
            x: if x_face { half.x * face.x } else { local.x },
            y: if y_face { half.y * face.y } else { local.y },
            z: if z_over_all { half.z * face.z } else { local.z },
        };
        // Two faces equally near, or a middle between two of them.
        let middle = local.x * face.x + local.y * face.y + local.z * face.z == 0.0;
        let tied = (inward.x == inward.y) | (inward.z == most) | middle;
        let size = local.abs().element_sum() + half.abs().element_sum();
        let (beyond, beside) = (
            pick(is_outside, outside, face),
            pick(is_outside, local, face),
        );
        Self {
            part: part_number(beyond, beside),
            nearest: pick(is_outside, clamped, on_face),
            normal: pick(is_outside, outside * (1.0 / length), face),
            distance: if is_outside { length } else { depth },
            size,
            clear: (size < LARGEST_VIEW)
                & ((is_outside & (square > SMALLEST_SQUARE)) | (!is_outside & !tied)),
        }
    }

    /// How far off the distance, or its difference from a radius, may be, metres.
    #[inline(always)]
    pub fn noise(&self, radius: f64) -> f64 {
        NOISE_ULPS * f64::EPSILON * (self.size + radius)
    }

    /// In the world.
    pub fn nearest(&self, obb: &Obb) -> Nearest {
        let turn = Turn::of(obb);
        Nearest {
            point: obb.center + turn.apply(self.nearest),
            normal: turn.apply(self.normal),
            distance: self.distance,
            feature: box_part(self.part),
            fallback: false,
        }
    }
}

#[inline(always)]
fn clamp(value: f64, half: f64) -> f64 {
    let value = if value > -half { value } else { -half };
    if value < half { value } else { half }
}

#[inline(always)]
fn sign(value: f64) -> f64 {
    if value >= 0.0 { 1.0 } else { -1.0 }
}
