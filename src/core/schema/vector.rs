//! Numbers and vectors with several spellings.

use super::angle::about_z;
use glam::DVec3;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use serde::ser::SerializeTupleStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A number of a format: `f64` in scenes, [`Number`] in logs.
pub trait Numeric: Copy + Into<f64> + From<f64> + Serialize + DeserializeOwned {
    /// Words are `ConvexHull`, vectors have any of the forms of [`Vec3`], and what is default is left out.
    const SCENE: bool;
}

impl Numeric for f64 {
    const SCENE: bool = true;
}

impl Numeric for Number {
    const SCENE: bool = false;
}

/// A number as engines write it: also `NaN`, `Infinity`, `-Infinity`, `null` (not a number), bare or quoted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Self(value)
    }
}

impl From<Number> for f64 {
    fn from(Number(value): Number) -> Self {
        value
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl Visitor<'_> for Form {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
                Ok(Number(value))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }
            fn visit_unit<E: Error>(self) -> Result<Number, E> {
                Ok(Number(f64::NAN))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
                special_number(text)
                    .map(Number)
                    .ok_or_else(|| E::invalid_type(Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(Form)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // JSON has no literals for these; quoted, every reader keeps the line.
        match self.0 {
            value if value.is_nan() => serializer.serialize_str("NaN"),
            f64::INFINITY => serializer.serialize_str("Infinity"),
            f64::NEG_INFINITY => serializer.serialize_str("-Infinity"),
            value => serializer.serialize_f64(value),
        }
    }
}

/// The value of a word that C, C++, C#, Python or JavaScript print for a float that is not a number.
pub fn special_number(text: &str) -> Option<f64> {
    let word = text.trim();
    let (sign, word) = match word.as_bytes().first()? {
        b'-' => (-1.0, &word[1..]),
        b'+' => (1.0, &word[1..]),
        _ => (1.0, word),
    };
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "n" | "nan" | "nan(ind)" | "nan(snan)" | "1.#qnan" | "1.#ind" => Some(f64::NAN),
        "i" | "inf" | "infinity" | "1.#inf" => Some(sign * f64::INFINITY),
        _ => None,
    }
}

/// A rotation in a log: a quaternion x, y, z, w, or the angle in a flat level, radians.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(
    untagged,
    expecting = "a rotation is a quaternion [x, y, z, w], or an angle in a flat level"
)]
pub enum LogTurn {
    Quaternion([Number; 4]),
    Angle(Number),
}

impl LogTurn {
    /// The parts of the quaternion, of an angle that about z.
    pub fn quaternion(self) -> [Number; 4] {
        match self {
            Self::Quaternion(parts) => parts,
            Self::Angle(Number(angle)) => about_z(angle).to_array().map(Number),
        }
    }
}

/// Three numbers, or two in a flat level: in a scene `(x, y, z)`, `[x, y, z]` or `(x: .., y: .., z: ..)`, in a log `[x, y, z]`.
#[derive(Clone, Copy, Debug)]
pub struct Vec3<N = f64> {
    /// Of two numbers the third is 0.
    pub parts: [N; 3],
    /// Whether it is written as two numbers.
    pub is_flat: bool,
}

impl<N: Numeric> Vec3<N> {
    /// Written as three numbers.
    pub const fn deep(parts: [N; 3]) -> Self {
        Self {
            parts,
            is_flat: false,
        }
    }

    /// Written as two numbers.
    pub fn flat([x, y]: [N; 2]) -> Self {
        Self {
            parts: [x, y, N::from(0.0)],
            is_flat: true,
        }
    }

    /// The numbers of a scale: 1 where there is none.
    pub fn scale(self) -> [f64; 3] {
        let [x, y, z] = self.parts.map(Into::into);
        [x, y, if self.is_flat { 1.0 } else { z }]
    }

    /// As a level has it that is flat or not: with two numbers or three.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn in_dimensions(self, flat: bool) -> Result<Self, &'static str> {
        let third: f64 = self.parts[2].into();
        match (flat, self.is_flat) {
            (false, true) => Err(TWO_NUMBERS),
            (true, false) if third != 0.0 => Err(THIRD_NUMBER),
            _ => Ok(self),
        }
    }
}

/// What is wrong with two numbers where there should be three.
pub const TWO_NUMBERS: &str = "two numbers are a point of a flat level; write `flat: true` at the top of the level, or a third number";
/// What is wrong with a third number.
pub const THIRD_NUMBER: &str = "in a flat level the third number of a point is 0, or left out";

impl<N: Numeric> PartialEq for Vec3<N> {
    fn eq(&self, other: &Self) -> bool {
        let numbers = |vector: &Self| vector.parts.map(Into::<f64>::into);
        numbers(self) == numbers(other)
    }
}

impl<N: Numeric> Default for Vec3<N> {
    fn default() -> Self {
        Self::deep([N::from(0.0); 3])
    }
}

impl<N: Numeric> From<DVec3> for Vec3<N> {
    fn from(vector: DVec3) -> Self {
        Self::deep(vector.to_array().map(N::from))
    }
}

impl<N: Numeric> Serialize for Vec3<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let count = if self.is_flat { 2 } else { 3 };
        let mut parts = serializer.serialize_tuple_struct("Vec3", count)?;
        for part in &self.parts[..count] {
            parts.serialize_field(part)?;
        }
        parts.end()
    }
}

/// An angular velocity: a vector, or one number in a flat level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spin<N: Numeric = f64>(pub Vec3<N>);

impl<N: Numeric> Spin<N> {
    /// About the axis that points out of a flat level.
    pub fn flat(number: N) -> Self {
        let zero = N::from(0.0);
        Self(Vec3 {
            parts: [zero, zero, number],
            is_flat: true,
        })
    }

    /// As a level has it that is flat or not.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn in_dimensions(self, flat: bool) -> Result<Vec3<N>, &'static str> {
        let Self(vector) = self;
        let [x, y, _] = vector.parts.map(Into::<f64>::into);
        match (flat, vector.is_flat) {
            (false, true) => Err("one number is the angular velocity of a flat level; write three"),
            (true, false) if x != 0.0 || y != 0.0 => {
                Err("in a flat level an angular velocity is one number")
            }
            _ => Ok(vector),
        }
    }
}

impl<N: Numeric> Default for Spin<N> {
    fn default() -> Self {
        Self(Vec3::default())
    }
}

impl<'de, N: Numeric> Deserialize<'de> for Spin<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = VectorForm {
            is_spin: true,
            number: PhantomData,
        };
        deserializer.deserialize_any(form).map(Self)
    }
}

impl<N: Numeric> Serialize for Spin<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(vector) = self;
        match vector.is_flat {
            true => vector.parts[2].serialize(serializer),
            false => vector.serialize(serializer),
        }
    }
}

/// Reads a vector, of a spin also one number.
struct VectorForm<N> {
    is_spin: bool,
    number: PhantomData<N>,
}

impl<'de, N: Numeric> Visitor<'de> for VectorForm<N> {
    type Value = Vec3<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("three numbers, as in (1.0, 2.0, 3.0), or ")?;
        f.write_str(if self.is_spin { "one" } else { "two" })?;
        f.write_str(" in a flat level")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Vec3<N>, E> {
        match self.is_spin {
            true => Ok(Spin::flat(N::from(value)).0),
            false => Err(E::invalid_type(Unexpected::Float(value), &self)),
        }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Vec3<N>, E> {
        match self.is_spin {
            true => self.visit_f64(value as f64),
            false => Err(E::invalid_type(Unexpected::Signed(value), &self)),
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Vec3<N>, E> {
        match self.is_spin {
            true => self.visit_f64(value as f64),
            false => Err(E::invalid_type(Unexpected::Unsigned(value), &self)),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec3<N>, E> {
        match special_number(text).filter(|_| self.is_spin && !N::SCENE) {
            Some(value) => self.visit_f64(value),
            None => Err(E::invalid_type(Unexpected::Str(text), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec3<N>, A::Error> {
        let mut parts = [N::from(0.0); 3];
        let mut have = 0;
        while have < 3
            && let Some(part) = seq.next_element()?
        {
            parts[have] = part;
            have += 1;
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {
            have += 1;
        }
        match have {
            3 => Ok(Vec3::deep(parts)),
            2 if !self.is_spin => Ok(Vec3::flat([parts[0], parts[1]])),
            _ => Err(A::Error::invalid_length(have, &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec3<N>, A::Error> {
        const AXES: &[&str] = &["x", "y", "z"];
        let mut parts: [Option<N>; 3] = [None; 3];
        while let Some(key) = map.next_key_seed(Identifier)? {
            let Some(axis) = AXES.iter().position(|axis| *axis == key) else {
                return Err(A::Error::unknown_field(&key, AXES));
            };
            if parts[axis].is_some() {
                return Err(A::Error::duplicate_field(AXES[axis]));
            }
            parts[axis] = Some(map.next_value()?);
        }
        let part = |axis: usize| parts[axis].ok_or_else(|| A::Error::missing_field(AXES[axis]));
        Ok(match parts[2] {
            None if !self.is_spin => Vec3::flat([part(0)?, part(1)?]),
            _ => Vec3::deep([part(0)?, part(1)?, part(2)?]),
        })
    }
}

impl<'de, N: Numeric> Deserialize<'de> for Vec3<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = VectorForm {
            is_spin: false,
            number: PhantomData,
        };
        match N::SCENE {
            true => deserializer.deserialize_any(form),
            false => deserializer.deserialize_seq(form),
        }
    }
}

/// Reads any identifier as its text.
pub struct Identifier;

impl<'de> DeserializeSeed<'de> for Identifier {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        struct Form;
        impl Visitor<'_> for Form {
            type Value = String;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an identifier")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
                Ok(text.to_owned())
            }
        }
        deserializer.deserialize_identifier(Form)
    }
}
