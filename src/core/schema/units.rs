//! Conversion between a file's units and axes and metres, Y up.

use super::vector::{Numeric, Spin, Vec3};
use glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, PI};

/// Units of lengths and axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Metres per unit, > 0.
    pub length: f64,
    /// Which axis points up.
    pub up: Axis,
    /// The name of the unit of length, where the file gives one.
    pub name: Option<LengthName>,
    /// Whether the level is in the plane z = 0, and points are written as two numbers.
    pub flat: bool,
}

impl Default for Units {
    fn default() -> Self {
        Self {
            length: 1.0,
            up: Axis::Y,
            name: None,
            flat: false,
        }
    }
}

/// Units of length by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LengthName {
    /// Metres.
    M,
    /// Centimetres.
    Cm,
    /// Millimetres.
    Mm,
    /// Kilometres.
    Km,
    /// Inches.
    In,
    /// Feet.
    Ft,
    /// Pixels, of which a metre has 100 where the file does not say otherwise: gravity is then 981.
    Px,
}

impl LengthName {
    /// All.
    pub const ALL: [Self; 7] = [
        Self::M,
        Self::Cm,
        Self::Mm,
        Self::Km,
        Self::In,
        Self::Ft,
        Self::Px,
    ];

    /// Its usual metres.
    pub fn metres(self) -> f64 {
        match self {
            Self::M => 1.0,
            Self::Cm | Self::Px => 0.01,
            Self::Mm => 0.001,
            Self::Km => 1000.0,
            Self::In => 0.0254,
            Self::Ft => 0.3048,
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
    /// Down: y grows downward, as on screens.
    MinusY,
}

impl Units {
    /// The same direction in axes with Y up; its length is kept.
    ///
    /// X up turns a quarter about Z, Z up a quarter and -Y up a half about X: all keep right-handed axes right-handed. So angles about Z
    /// turn the other way with -Y up, as they do on screens.
    pub fn direction(&self, written: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = written;
        match self.up {
            Axis::X => DVec3::new(0.0 - y, x, z),
            Axis::Y => written,
            Axis::Z => DVec3::new(x, z, 0.0 - y),
            Axis::MinusY => DVec3::new(x, 0.0 - y, 0.0 - z),
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
            Axis::Y | Axis::MinusY => written,
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
            Axis::MinusY => DQuat::from_rotation_x(PI),
        }
    }

    /// Inverse of [`Units::direction`].
    pub fn written_direction(self, ours: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = ours;
        match self.up {
            Axis::X => DVec3::new(y, 0.0 - x, z),
            Axis::Y => ours,
            Axis::Z => DVec3::new(x, 0.0 - z, y),
            Axis::MinusY => DVec3::new(x, 0.0 - y, 0.0 - z),
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

    /// A point or the like as files write it.
    pub fn written<N: Numeric>(self, ours: DVec3) -> Vec3<N> {
        self.dimensioned(self.written_vector(ours))
    }

    /// A direction as files write it.
    pub fn written_way<N: Numeric>(self, ours: DVec3) -> Vec3<N> {
        self.dimensioned(self.written_direction(ours))
    }

    /// An angular velocity as files write it.
    pub fn written_spin<N: Numeric>(self, ours: DVec3) -> Spin<N> {
        let written = self.written_direction(ours);
        match self.flat {
            true => Spin::flat(N::from(written.z)),
            false => Spin(written.into()),
        }
    }

    /// A scale along the file's axes as files write it.
    pub fn written_scale<N: Numeric>(self, scale: DVec3) -> Vec3<N> {
        self.dimensioned(scale)
    }

    fn dimensioned<N: Numeric>(self, written: DVec3) -> Vec3<N> {
        match self.flat {
            true => Vec3::flat([written.x, written.y].map(N::from)),
            false => written.into(),
        }
    }

    /// Inverse of [`Units::half_extents`].
    pub fn written_extents(self, ours: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = ours;
        let turned = match self.up {
            Axis::X => DVec3::new(y, x, z),
            Axis::Y | Axis::MinusY => ours,
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
            (Axis::MinusY, DVec3::NEG_Y),
        ] {
            let units = Units {
                up,
                ..Units::default()
            };
            assert_eq!(units.direction(written), DVec3::Y, "{up:?}");
            let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| units.direction(axis));
            assert_eq!(x.cross(y), z, "{up:?}");
        }
    }

    #[test]
    fn a_turned_point_is_the_turn_of_the_point() {
        let rotation = DQuat::from_xyzw(0.1, -0.7, 0.3, 0.2).normalize();
        let point = DVec3::new(1.0, 2.0, -3.0);
        for up in [Axis::X, Axis::Y, Axis::Z, Axis::MinusY] {
            let units = Units {
                length: 0.01,
                up,
                ..Units::default()
            };
            let turned_first = units.vector(rotation * point);
            let turned_after = units.rotation(rotation) * units.vector(point);
            assert!((turned_first - turned_after).length() < 1e-15, "{up:?}");
        }
    }

    #[test]
    fn a_length_is_written_with_the_digits_it_was_read_from() {
        let units = Units {
            length: 0.01,
            ..Units::default()
        };
        for written in 1..=1000 {
            let written = f64::from(written);
            assert_eq!(units.written_length(written * 0.01), written);
        }
    }

    #[test]
    fn half_extents_keep_their_sign() {
        let units = Units {
            length: 2.0,
            up: Axis::Z,
            ..Units::default()
        };
        assert_eq!(
            units.half_extents(DVec3::new(1.0, 2.0, -3.0)),
            DVec3::new(2.0, -6.0, 4.0)
        );
    }
}
