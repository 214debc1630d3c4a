//! From the units and axes a file was written in to metres and Y up, and nothing else.
//!
//! A turn of the axes only swaps components and flips signs, so a file in metres with Y up, and any rotation, keeps its bits.

use super::{Axis, Units};
use glam::{DQuat, DVec3};

impl Units {
    /// The same direction in axes with Y up; its length is kept.
    ///
    /// X up turns a quarter about Z, Z up a quarter about X: both keep right-handed axes right-handed.
    pub fn direction(&self, written: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = written;
        match self.up {
            Axis::X => DVec3::new(-y, x, z),
            Axis::Y => written,
            Axis::Z => DVec3::new(x, z, -y),
        }
    }

    /// A point, displacement, velocity or acceleration in metres, Y up.
    pub fn vector(&self, written: DVec3) -> DVec3 {
        self.direction(written) * self.length
    }

    /// Half extents in metres, Y up; signs are kept as they were written, so that a negative one can be refused.
    pub fn half_extents(&self, written: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = written;
        let turned = match self.up {
            Axis::X => DVec3::new(y, x, z),
            Axis::Y => written,
            Axis::Z => DVec3::new(x, z, y),
        };
        turned * self.length
    }

    /// A rotation, seen in axes with Y up: its axis turns with them, its angle stays.
    pub fn rotation(&self, written: DQuat) -> DQuat {
        let axis = self.direction(DVec3::new(written.x, written.y, written.z));
        DQuat::from_xyzw(axis.x, axis.y, axis.z, written.w)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_becomes_y_and_hands_stay_right() {
        for (up, written) in [
            (Axis::X, DVec3::X),
            (Axis::Y, DVec3::Y),
            (Axis::Z, DVec3::Z),
        ] {
            let units = Units { length: 1.0, up };
            assert_eq!(units.direction(written), DVec3::Y, "{up:?}");
            let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| units.direction(axis));
            assert_eq!(x.cross(y), z, "{up:?}");
        }
    }

    #[test]
    fn a_turned_point_is_the_turn_of_the_point() {
        let rotation = DQuat::from_xyzw(0.1, -0.7, 0.3, 0.2).normalize();
        let point = DVec3::new(1.0, 2.0, -3.0);
        for up in [Axis::X, Axis::Y, Axis::Z] {
            let units = Units { length: 0.01, up };
            let turned_first = units.vector(rotation * point);
            let turned_after = units.rotation(rotation) * units.vector(point);
            assert!((turned_first - turned_after).length() < 1e-15, "{up:?}");
        }
    }

    #[test]
    fn half_extents_keep_their_sign() {
        let units = Units {
            length: 2.0,
            up: Axis::Z,
        };
        assert_eq!(
            units.half_extents(DVec3::new(1.0, 2.0, -3.0)),
            DVec3::new(2.0, -6.0, 4.0)
        );
    }
}
