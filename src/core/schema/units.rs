//! Conversion between a file's units and axes and metres, Y up.

use glam::{DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;

/// Units of lengths and axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Metres per unit, > 0.
    pub length: f64,
    /// Which axis points up.
    pub up: Axis,
}

impl Default for Units {
    fn default() -> Self {
        Self {
            length: 1.0,
            up: Axis::Y,
        }
    }
}

/// An axis of space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Axis {
    /// To the right.
    X,
    /// Up.
    #[default]
    Y,
    /// Toward the viewer.
    Z,
}

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

    /// Half extents in metres, Y up; signs are kept, so that negative ones can be refused.
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

    /// The rotation from written axes to axes with Y up, by which [`Units::rotation`] turns local axes as well.
    pub fn upright(&self) -> DQuat {
        match self.up {
            Axis::X => DQuat::from_rotation_z(FRAC_PI_2),
            Axis::Y => DQuat::IDENTITY,
            Axis::Z => DQuat::from_rotation_x(-FRAC_PI_2),
        }
    }

    /// Inverse of [`Units::direction`].
    pub fn written_direction(self, ours: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = ours;
        match self.up {
            Axis::X => DVec3::new(y, -x, z),
            Axis::Y => ours,
            Axis::Z => DVec3::new(x, -z, y),
        }
    }

    /// Inverse of [`Units::vector`], to the shortest numbers that come back exactly.
    pub fn written_vector(self, ours: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = self.written_direction(ours);
        DVec3::new(
            self.written_length(x),
            self.written_length(y),
            self.written_length(z),
        )
    }

    /// Inverse of [`Units::half_extents`].
    pub fn written_extents(self, ours: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = ours;
        let turned = match self.up {
            Axis::X => DVec3::new(y, x, z),
            Axis::Y => ours,
            Axis::Z => DVec3::new(x, z, y),
        };
        DVec3::new(
            self.written_length(turned.x),
            self.written_length(turned.y),
            self.written_length(turned.z),
        )
    }

    /// Inverse of [`Units::rotation`].
    pub fn written_rotation(self, ours: DQuat) -> DQuat {
        let axis = self.written_direction(DVec3::new(ours.x, ours.y, ours.z));
        DQuat::from_xyzw(axis.x, axis.y, axis.z, ours.w)
    }

    /// The shortest written length that is read as `metres`.
    pub fn written_length(self, metres: f64) -> f64 {
        shortest_inverse(metres, metres / self.length, |written| {
            written * self.length
        })
    }
}

/// The number with the fewest digits near `guess` that `read` turns into exactly `wanted`; `guess` itself when none does.
pub fn shortest_inverse(wanted: f64, guess: f64, read: impl Fn(f64) -> f64) -> f64 {
    if !guess.is_finite() || read(guess) == wanted && guess == wanted {
        return guess;
    }
    // `guess` was rounded after an inverse that was rounded, so that the number may be its neighbour's neighbour.
    let (up, down) = (guess.next_up(), guess.next_down());
    for near in [guess, up, down, up.next_up(), down.next_down()] {
        // 17 significant digits name every `f64`.
        for digits in 0..17 {
            let rounded = format!("{near:.digits$e}").parse::<f64>();
            if let Ok(rounded) = rounded
                && read(rounded) == wanted
            {
                return rounded;
            }
        }
    }
    guess
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
