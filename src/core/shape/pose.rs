//! The pose of a shape, and its motion during a frame.

use crate::core::tolerance::SMALLEST_SQUARE;
use glam::{DMat3, DQuat, DVec3};

/// A rigid placement: first rotate, then translate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Metres, world space.
    pub position: DVec3,
    /// Unit quaternion, local to world.
    pub rotation: DQuat,
}

impl Pose {
    /// At the origin, not rotated.
    pub const IDENTITY: Self = Self {
        position: DVec3::ZERO,
        rotation: DQuat::IDENTITY,
    };

    /// At a position, not rotated.
    pub const fn at(position: DVec3) -> Self {
        Self {
            position,
            rotation: DQuat::IDENTITY,
        }
    }

    /// A pose in this one's local space, in world space. What is not turned keeps its bits.
    #[must_use]
    pub fn then(&self, local: &Self) -> Self {
        let rotation = match DQuat::IDENTITY {
            none if local.rotation == none => self.rotation,
            none if self.rotation == none => local.rotation,
            _ => (self.rotation * local.rotation).normalize(),
        };
        Self {
            position: self.point(local.position),
            rotation,
        }
    }

    /// A world pose in this one's local space. The same rotation is exactly none.
    #[must_use]
    pub fn to_local(&self, world: &Self) -> Self {
        Self {
            position: self.point_to_local(world.position),
            rotation: match self.rotation == world.rotation {
                true => DQuat::IDENTITY,
                false => (self.rotation.conjugate() * world.rotation).normalize(),
            },
        }
    }

    /// A local point in world space. Without a rotation nothing but the sum is rounded.
    #[inline]
    pub fn point(&self, local: DVec3) -> DVec3 {
        self.position + self.vector(local)
    }

    /// A local direction in world space.
    #[inline]
    pub fn vector(&self, local: DVec3) -> DVec3 {
        if self.rotation == DQuat::IDENTITY {
            local
        } else {
            self.rotation * local
        }
    }

    /// A world point in local space.
    #[inline]
    pub fn point_to_local(&self, world: DVec3) -> DVec3 {
        self.vector_to_local(world - self.position)
    }

    /// A world direction in local space.
    #[inline]
    pub fn vector_to_local(&self, world: DVec3) -> DVec3 {
        if self.rotation == DQuat::IDENTITY {
            world
        } else {
            self.rotation.conjugate() * world
        }
    }

    /// The local axes in world space, as columns.
    #[inline]
    pub fn axes(&self) -> DMat3 {
        if self.rotation == DQuat::IDENTITY {
            DMat3::IDENTITY
        } else {
            DMat3::from_quat(self.rotation)
        }
    }

    /// True when every component is a finite number.
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.rotation.is_finite()
    }
}

/// The motion over a frame (or a part of it): straight in position, shortest arc in rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// At fraction 0.
    pub start: Pose,
    /// At fraction 1.
    pub end: Pose,
}

impl Motion {
    /// At rest.
    pub const fn still(pose: Pose) -> Self {
        Self {
            start: pose,
            end: pose,
        }
    }

    /// The motion backward.
    pub const fn reversed(&self) -> Self {
        Self {
            start: self.end,
            end: self.start,
        }
    }

    /// The same without rotation.
    pub const fn with_rotation_held(&self) -> Self {
        Self {
            start: self.start,
            end: Pose {
                position: self.end.position,
                rotation: self.start.rotation,
            },
        }
    }

    /// Displacement over the whole frame, metres (not a velocity).
    pub fn displacement(&self) -> DVec3 {
        self.end.position - self.start.position
    }

    /// True if the rotation changes.
    pub fn turns(&self) -> bool {
        self.start.rotation != self.end.rotation
    }

    /// The pose at a fraction in [0, 1]; the ends are exact.
    #[inline]
    pub fn pose(&self, fraction: f64) -> Pose {
        if fraction <= 0.0 {
            return self.start;
        }
        if fraction >= 1.0 {
            return self.end;
        }
        let rotation = if self.turns() {
            self.turned(fraction)
        } else {
            self.start.rotation
        };
        Pose {
            position: self.start.position + self.displacement() * fraction,
            rotation,
        }
    }

    /// Apart from [`Self::pose`], which is short enough to be inlined without it.
    #[inline(never)]
    fn turned(&self, fraction: f64) -> DQuat {
        self.start.rotation.slerp(self.end.rotation, fraction)
    }
}

/// Unit vectors where there may be none.
pub(in crate::core) trait UnitOrZero {
    /// The direction; zero for a vector that has none, which no query takes for a direction.
    fn unit_or_zero(self) -> Self;
}

impl UnitOrZero for DVec3 {
    #[inline]
    fn unit_or_zero(self) -> Self {
        let square = self.length_squared();
        if square > SMALLEST_SQUARE && square.is_finite() {
            self / square.sqrt()
        } else {
            Self::ZERO
        }
    }
}

/// Direction (unit) and length of a vector, right also where its square under- or overflows; `None` for zero.
#[inline]
pub(in crate::core) fn direction_and_length(vector: DVec3) -> Option<(DVec3, f64)> {
    let square = vector.length_squared();
    if square > SMALLEST_SQUARE && square < 1.0 / SMALLEST_SQUARE {
        let length = square.sqrt();
        return Some((vector / length, length));
    }
    scaled_direction_and_length(vector)
}

#[cold]
#[inline(never)]
fn scaled_direction_and_length(vector: DVec3) -> Option<(DVec3, f64)> {
    let largest = vector.abs().max_element();
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let scaled = vector / largest;
    let length = scaled.length();
    Some((scaled / length, length * largest))
}
