//! Difference of two poses, and tolerance.

use crate::core::shape::Pose;
use glam::DQuat;
use serde::Serialize;

/// Tolerance within which two poses count as equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Tolerance {
    /// Metres; 0 requires equal bits.
    pub position: f64,
    /// Radians; 0 requires equal bits.
    pub rotation: f64,
}

impl Tolerance {
    /// Requires equal bits.
    pub const EXACT: Self = Self {
        position: 0.0,
        rotation: 0.0,
    };

    /// Whether equal bits are required.
    pub fn is_exact(&self) -> bool {
        *self == Self::EXACT
    }

    /// Whether two poses differ by more than it.
    pub fn separates(&self, one: &Pose, other: &Pose) -> bool {
        differs(one, other, &apart(one, other), self)
    }
}

/// Difference of two poses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PoseDifference {
    /// Metres; `None` when one of the two is not finite and they are not the same bits.
    pub position: Option<f64>,
    /// Radians in [0, pi]; `None` likewise.
    pub rotation: Option<f64>,
}

/// Distance of the positions, and the angle of the turn from one rotation to the other.
pub fn apart(one: &Pose, other: &Pose) -> PoseDifference {
    let position = if same_position(one, other) {
        Some(0.0)
    } else {
        Some(one.position.distance(other.position)).filter(|metres| metres.is_finite())
    };
    let rotation = if same_rotation(one, other) {
        Some(0.0)
    } else {
        angle(one.rotation, other.rotation)
    };
    PoseDifference { position, rotation }
}

/// Whether two poses differ by more than a tolerance. At 0 any bit counts, also the sign of a zero.
pub fn differs(one: &Pose, other: &Pose, apart: &PoseDifference, tolerance: &Tolerance) -> bool {
    let beyond = |apart: Option<f64>, limit: f64| apart.is_none_or(|apart| apart > limit);
    let position = !same_position(one, other)
        && (tolerance.position == 0.0 || beyond(apart.position, tolerance.position));
    let rotation = !same_rotation(one, other)
        && (tolerance.rotation == 0.0 || beyond(apart.rotation, tolerance.rotation));
    position || rotation
}

fn same_position(one: &Pose, other: &Pose) -> bool {
    same_bits(one.position.to_array(), other.position.to_array())
}

fn same_rotation(one: &Pose, other: &Pose) -> bool {
    same_bits(one.rotation.to_array(), other.rotation.to_array())
}

pub fn same_bits<const N: usize>(one: [f64; N], other: [f64; N]) -> bool {
    one.map(f64::to_bits) == other.map(f64::to_bits)
}

/// The angle of `one^-1 other`: `2 atan2(|v|, |w|)` of its vector and scalar part, which keeps every digit of a small turn where
/// `2 acos(|w|)` loses half of them. Both signs of a quaternion are the same rotation.
fn angle(one: DQuat, other: DQuat) -> Option<f64> {
    let turn = one.conjugate() * other;
    let angle = 2.0 * turn.xyz().length().atan2(turn.w.abs());
    angle.is_finite().then_some(angle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn turned(angle: f64) -> Pose {
        Pose {
            position: DVec3::ZERO,
            rotation: DQuat::from_rotation_y(angle),
        }
    }

    #[test]
    fn angles_are_kept_however_small() {
        for angle in [1e-12, 1e-6, 0.5, 3.0] {
            let found = apart(&turned(0.0), &turned(angle)).rotation.unwrap();
            assert!((found - angle).abs() <= 1e-12 * angle.max(1e-3), "{angle}");
        }
    }

    #[test]
    fn both_signs_of_a_quaternion_are_one_rotation_and_other_bits() {
        let (one, mut other) = (turned(0.5), turned(0.5));
        other.rotation = -other.rotation;
        let apart = apart(&one, &other);
        assert!(apart.rotation.unwrap() < 1e-15);
        assert!(differs(&one, &other, &apart, &Tolerance::EXACT));
        let loose = Tolerance {
            position: 0.0,
            rotation: 1e-9,
        };
        assert!(!differs(&one, &other, &apart, &loose));
    }

    #[test]
    fn non_finite_values_are_equal_only_bit_for_bit() {
        let broken = Pose::at(DVec3::new(f64::NAN, 0.0, 0.0));
        let whole = Pose::at(DVec3::ZERO);
        assert_eq!(apart(&broken, &broken).position, Some(0.0));
        let gap = apart(&broken, &whole);
        assert_eq!(gap.position, None);
        let loose = Tolerance {
            position: 1e9,
            rotation: 1e9,
        };
        assert!(differs(&broken, &whole, &gap, &loose));
        assert!(!differs(&broken, &broken, &gap, &loose));
    }

    #[test]
    fn a_tolerance_is_still_the_same() {
        let (one, other) = (Pose::at(DVec3::ZERO), Pose::at(DVec3::X * 0.5));
        let gap = apart(&one, &other);
        let within = |position| {
            let tolerance = Tolerance {
                position,
                rotation: 0.0,
            };
            !differs(&one, &other, &gap, &tolerance)
        };
        assert!(within(0.5) && !within(0.499) && !within(0.0));
    }
}
