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
    /// Out of the surface toward the point (inside: the shortest way out), box's frame; not unit, as a turn need not wait for a root.
    pub out: DVec3,
    /// One over its length.
    pub per_length: f64,
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

    /// By how much it stretches what it turns, as a share of it: a quaternion's length is 1 up to rounding, if not farther off.
    #[inline(always)]
    pub fn stretch(self) -> f64 {
        (self.scalar * self.scalar + self.vector.dot(self.vector) - 1.0).abs()
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
    /// Is a point surely farther than `radius` from a box, by more than twice the noise of a view? Without a root, and by one
    /// comparison. `seen` is the point from the box's centre, turned by `back`.
    ///
    /// The sum of the sizes of the coordinates grows by less than 2 in a turn; taken before it, the bound is there when the square
    /// is. The square and the bound each round a few times, by far less than the second of the two noises: what is beyond here is so
    /// by the distance itself. A square that overflows is above every bound that does not; one that underflows is below.
    #[inline(always)]
    pub fn is_beyond(seen: DVec3, back: Turn, half: DVec3, radius: f64) -> bool {
        let wide = half.abs();
        let size = 2.0 * (seen.x.abs() + seen.y.abs() + seen.z.abs()) + (wide.x + wide.y + wide.z);
        let reach = radius + 2.0 * noise(size, radius, back.stretch());
        let bound = reach * reach + SMALLEST_SQUARE;
        let local = back.apply(seen).abs();
        let out = |beyond: f64| if beyond > 0.0 { beyond } else { 0.0 };
        let (x, y, z) = (
            out(local.x - half.x),
            out(local.y - half.y),
            out(local.z - half.z),
        );
        x * x + y * y + z * z > bound
    }

    #[inline(always)]
    pub fn new(local: DVec3, half: DVec3) -> Self {
        let clamped = clamped(local, half);
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
            out: beyond,
            per_length: if is_outside { 1.0 / length } else { 1.0 },
            distance: if is_outside { length } else { depth },
            size,
            clear: (size < LARGEST_VIEW)
                & ((is_outside & (square > SMALLEST_SQUARE)) | (!is_outside & !tied)),
        }
    }

    /// [`Self::new`] with a branch: the lanes of a vector take both ways, a single point does not.
    #[inline(always)]
    pub fn of_one(local: DVec3, half: DVec3) -> Self {
        let clamped = clamped(local, half);
        let outside = local - clamped;
        let square = outside.dot(outside);
        if square <= SMALLEST_SQUARE {
            return Self::new(local, half);
        }
        let length = square.sqrt();
        let size = local.abs().element_sum() + half.abs().element_sum();
        Self {
            part: part_number(outside, local),
            nearest: clamped,
            out: outside,
            per_length: 1.0 / length,
            distance: length,
            size,
            clear: size < LARGEST_VIEW,
        }
    }

    /// How far off the distance, or its difference from a radius, may be, metres; `stretch` is that of the turn.
    #[inline(always)]
    pub fn noise(&self, radius: f64, stretch: f64) -> f64 {
        noise(self.size, radius, stretch)
    }

    /// In the world.
    #[inline(always)]
    pub fn nearest(&self, obb: &Obb) -> Nearest {
        let turn = Turn::of(obb);
        Nearest {
            point: obb.center + turn.apply(self.nearest),
            normal: turn.apply(self.out) * self.per_length,
            distance: self.distance,
            feature: box_part(self.part),
            fallback: false,
        }
    }
}

/// The point is farther off or nearer by the stretch, and the box is not.
#[inline(always)]
fn noise(size: f64, radius: f64, stretch: f64) -> f64 {
    (NOISE_ULPS * f64::EPSILON + 2.0 * stretch) * (size + radius)
}

#[inline(always)]
fn clamped(local: DVec3, half: DVec3) -> DVec3 {
    DVec3 {
        x: clamp(local.x, half.x),
        y: clamp(local.y, half.y),
        z: clamp(local.z, half.z),
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
