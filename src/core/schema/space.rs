//! Conversion of a file's numbers to metres, Y up, in `f64`.

use super::angle::about_z;
use super::units::Units;
use super::vector::{LogTurn, Number, Numeric, Spin, Vec3};
use crate::core::tolerance::UNIT_QUATERNION;
use glam::{DQuat, DVec3};

/// Length off 1 by more than this share is no rounding but a mistake, and is said (dimensionless).
///
/// `f16` and four printed digits stay below it.
const QUATERNION_LENGTH_SUSPECT: f64 = 0.01;

/// Precision of the writing program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scalar {
    /// `f32`: every number of the log is the shortest text of one, and is read back to exactly that one.
    F32,
    /// `f64`.
    #[default]
    F64,
}

/// Units and precision of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Space {
    pub units: Units,
    pub scalar: Scalar,
}

impl Space {
    /// The engine's number: the nearest `f32` if that is what it computed in.
    pub fn number(&self, number: impl Into<f64>) -> f64 {
        let value = number.into();
        match self.scalar {
            Scalar::F32 => f64::from(value as f32),
            Scalar::F64 => value,
        }
    }

    /// A length in metres.
    pub fn length(&self, number: impl Into<f64>) -> f64 {
        self.number(number) * self.units.length
    }

    /// The engine's numbers, in the file's units and axes.
    pub fn numbers<N: Numeric>(&self, vector: Vec3<N>) -> Vec3 {
        Vec3 {
            parts: vector.parts.map(|part| self.number(part)),
            is_flat: vector.is_flat,
        }
    }

    /// A point, displacement or velocity in metres.
    ///
    /// # Errors
    /// It has two numbers where the level has three, or a third one where it has two.
    pub fn vector<N: Numeric>(&self, vector: Vec3<N>) -> Result<DVec3, &'static str> {
        let numbers = self.numbers(vector.in_dimensions(self.units.flat)?);
        Ok(self.units.vector(numbers.parts.into()))
    }

    /// A direction: turned, not scaled.
    ///
    /// # Errors
    /// As of [`Self::vector`].
    pub fn direction<N: Numeric>(&self, vector: Vec3<N>) -> Result<DVec3, &'static str> {
        let numbers = self.numbers(vector.in_dimensions(self.units.flat)?);
        Ok(self.units.direction(numbers.parts.into()))
    }

    /// An angular velocity.
    ///
    /// # Errors
    /// It has one number where the level has three, or three where it has one.
    pub fn spin<N: Numeric>(&self, spin: Spin<N>) -> Result<DVec3, &'static str> {
        let numbers = self.numbers(spin.in_dimensions(self.units.flat)?);
        Ok(self.units.direction(numbers.parts.into()))
    }

    /// A rotation, and a notice.
    ///
    /// # Errors
    /// It is an angle where the level has quaternions, or turns out of the plane of a flat level.
    pub fn turn(&self, turn: LogTurn) -> Result<(DQuat, Option<&'static str>), &'static str> {
        match turn {
            LogTurn::Quaternion([Number(x), Number(y), ..])
                if self.units.flat && (x != 0.0 || y != 0.0) =>
            {
                Err("in a flat level a rotation is an angle in radians")
            }
            LogTurn::Quaternion(parts) => Ok(self.rotation(parts)),
            LogTurn::Angle(angle) if self.units.flat => {
                let rotation = about_z(self.number(angle));
                Ok((self.units.rotation(rotation), None))
            }
            LogTurn::Angle(_) => {
                Err("one number is the angle of a flat level; write a quaternion [x, y, z, w]")
            }
        }
    }

    /// A rotation, and a notice.
    pub fn rotation(&self, vector: [impl Into<f64>; 4]) -> (DQuat, Option<&'static str>) {
        let [x, y, z, w] = vector.map(|number| self.number(number));
        let (rotation, odd) = unit_quaternion(DQuat::from_xyzw(x, y, z, w));
        (self.units.rotation(rotation), odd)
    }
}

/// The rotation of a quaternion. One within rounding of unit length keeps its bits, one that is not finite stays so (a
/// finding, not an error), one of length zero is the identity.
fn unit_quaternion(quaternion: DQuat) -> (DQuat, Option<&'static str>) {
    if !quaternion.is_finite() {
        return (quaternion, None);
    }
    let squared = quaternion.length_squared();
    if (squared - 1.0).abs() <= UNIT_QUATERNION {
        return (quaternion, None);
    }
    // Lengths whose square leaves the range of f64 are as meaningless as zero.
    if !squared.is_normal() {
        let odd = "a quaternion of length 0 is not a rotation; the identity is used";
        return (DQuat::IDENTITY, Some(odd));
    }
    let length = squared.sqrt();
    let odd = "a rotation is not of unit length (order is x, y, z, w); it is normalised";
    let far = (length - 1.0).abs() > QUATERNION_LENGTH_SUSPECT;
    (quaternion * (1.0 / length), far.then_some(odd))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_precision_numbers_come_back_as_the_engine_had_them() {
        let space = Space {
            scalar: Scalar::F32,
            ..Space::default()
        };
        assert_eq!(space.number(Number(0.1)), f64::from(0.1_f32));
        assert_eq!(Space::default().number(Number(0.1)), 0.1);
    }

    #[test]
    fn normalising_twice_is_normalising_once() {
        for seed in 1..2000 {
            let component = |k: u32| f64::from((seed * 7919 * k) % 1999) - 999.5;
            let raw = DQuat::from_xyzw(component(1), component(3), component(5), component(11));
            let (once, _) = unit_quaternion(raw);
            assert_eq!(unit_quaternion(once), (once, None), "{raw}");
        }
    }

    #[test]
    fn odd_rotations_give_notices_and_broken_ones_stay() {
        let (zero, odd) = unit_quaternion(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
        assert_eq!(zero, DQuat::IDENTITY);
        assert!(odd.is_some());
        let (_, odd) = unit_quaternion(DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0));
        assert!(odd.is_some());
        let (_, odd) = unit_quaternion(DQuat::from_xyzw(0.0, 0.0, 0.0, 1.0001));
        assert!(odd.is_none());
        let (broken, odd) = unit_quaternion(DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0));
        assert!(broken.is_nan() && odd.is_none());
    }
}
