//! Values with several spellings: numbers, vectors, colours, identifiers.

use super::check::{Check, Path};
use super::rotation::{Rotation, Turn, about_z, angle_of};
use super::space::Space;
use super::units::Units;
use glam::{DQuat, DVec3};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny,
    IntoDeserializer, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::ser::{SerializeTuple, SerializeTupleStruct};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A number type of a format, which also selects its other spellings: `f64` for scenes, [`Number`] for logs.
pub trait Written: Copy + Into<f64> + From<f64> + Serialize + DeserializeOwned {
    /// Words are `ConvexHull`, vectors have any of the forms of [`Vec3`], and what is default is left out.
    const SCENE: bool;

    /// How a rotation is written.
    type Turn: Turn;
}

impl Written for f64 {
    const SCENE: bool = true;

    type Turn = Rotation;
}

/// A number as engines write it: also `NaN`, `Infinity`, `-Infinity`, `null` (not a number), bare or quoted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl Written for Number {
    const SCENE: bool = false;

    type Turn = LogTurn;
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

impl Turn for LogTurn {
    fn new(rotation: DQuat, units: Units) -> Self {
        let written = units.written_rotation(rotation);
        let angle = angle_of(written);
        match units.flat && about_z(angle) == written {
            true => Self::Angle(Number(angle)),
            false => Self::Quaternion(written.to_array().map(Number)),
        }
    }

    fn read(self, check: &mut Check, at: &Path<'_>, space: &Space) -> DQuat {
        let parts = match self {
            Self::Quaternion(parts) => parts.to_vec(),
            Self::Angle(angle) => vec![angle],
        };
        for (index, part) in parts.into_iter().enumerate() {
            if !check.number(&at.index(index), part.0, "a part of the rotation") {
                return DQuat::IDENTITY;
            }
        }
        match space.turn(self) {
            Ok((rotation, _)) => rotation,
            Err(what) => {
                check.problem(at, what, "");
                DQuat::IDENTITY
            }
        }
    }
}

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

/// The value of a word that C, C++, C#, Python or JavaScript print for a float that is no number.
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

/// Three numbers, or two in a flat level: in a scene `(x, y, z)`, `[x, y, z]` or `(x: .., y: .., z: ..)`, in a log `[x, y, z]`.
#[derive(Clone, Copy, Debug)]
pub struct Vec3<N = f64> {
    /// Of two numbers the third is 0.
    pub parts: [N; 3],
    /// Whether it is written as two numbers.
    pub is_flat: bool,
}

impl<N: Written> Vec3<N> {
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

    /// As a level of these units has it: with two numbers or three.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn in_dimensions(self, units: Units) -> Result<Self, &'static str> {
        let third: f64 = self.parts[2].into();
        match (units.flat, self.is_flat) {
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

impl<N: Written> PartialEq for Vec3<N> {
    fn eq(&self, other: &Self) -> bool {
        let numbers = |vector: &Self| vector.parts.map(Into::<f64>::into);
        numbers(self) == numbers(other)
    }
}

impl<N: Written> Default for Vec3<N> {
    fn default() -> Self {
        Self::deep([N::from(0.0); 3])
    }
}

impl<N: Written> From<DVec3> for Vec3<N> {
    fn from(vector: DVec3) -> Self {
        Self::deep(vector.to_array().map(N::from))
    }
}

impl<N: Written> From<Vec3<N>> for [f64; 3] {
    fn from(vector: Vec3<N>) -> Self {
        vector.parts.map(Into::into)
    }
}

impl<N: Written> Serialize for Vec3<N> {
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
pub struct Spin<N: Written = f64>(pub Vec3<N>);

impl<N: Written> Spin<N> {
    /// About the axis that points out of a flat level.
    pub fn flat(number: N) -> Self {
        let zero = N::from(0.0);
        Self(Vec3 {
            parts: [zero, zero, number],
            is_flat: true,
        })
    }

    /// As a level of these units has it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn in_dimensions(self, units: Units) -> Result<Vec3<N>, &'static str> {
        let Self(vector) = self;
        let [x, y, _] = vector.parts.map(Into::<f64>::into);
        match (units.flat, vector.is_flat) {
            (false, true) => Err("one number is the angular velocity of a flat level; write three"),
            (true, false) if x != 0.0 || y != 0.0 => {
                Err("in a flat level an angular velocity is one number")
            }
            _ => Ok(vector),
        }
    }
}

impl<N: Written> Default for Spin<N> {
    fn default() -> Self {
        Self(Vec3::default())
    }
}

impl<'de, N: Written> Deserialize<'de> for Spin<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = VectorForm {
            is_spin: true,
            number: PhantomData,
        };
        deserializer.deserialize_any(form).map(Self)
    }
}

impl<N: Written> Serialize for Spin<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(vector) = self;
        match vector.is_flat {
            true => vector.parts[2].serialize(serializer),
            false => vector.serialize(serializer),
        }
    }
}

/// Three vertex indices: `(a, b, c)` or `[a, b, c]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triple(pub [u32; 3]);

/// sRGB: `(r, g, b)`, `[r, g, b]` (0 to 255) or `"#rrggbb"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color(pub [u8; 3]);

/// An identifier without quotes, such as `Tunnels` or `C01`; validation checks the words.
#[derive(Clone, Debug, PartialEq)]
pub struct Word(pub String);

/// Layer or mask: 32 bits, also as the negative number that C, C# and GDScript make of them (-1 is all).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bits(pub u32);

impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl Visitor<'_> for Form {
            type Value = Bits;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("32 bits: 0 to 4294967295, or -1 for all")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Bits, E> {
                let unsigned = u32::try_from(number).ok();
                let bits = unsigned.or_else(|| i32::try_from(number).ok().map(i32::cast_unsigned));
                let wrong = Unexpected::Signed(number);
                bits.map(Bits).ok_or_else(|| E::invalid_value(wrong, &self))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Bits, E> {
                let wrong = Unexpected::Unsigned(number);
                let bits = u32::try_from(number).map(Bits);
                bits.map_err(|_| E::invalid_value(wrong, &self))
            }
        }
        deserializer.deserialize_i64(Form)
    }
}

/// Reads a vector, of a spin also one number.
struct VectorForm<N> {
    is_spin: bool,
    number: PhantomData<N>,
}

impl<'de, N: Written> Visitor<'de> for VectorForm<N> {
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

impl<'de, N: Written> Deserialize<'de> for Vec3<N> {
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

impl<'de> Deserialize<'de> for Triple {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Triple;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("three vertex indices, as in (0, 1, 2)")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Triple, A::Error> {
                three(seq, &self).map(Triple)
            }
        }
        deserializer.deserialize_any(Form)
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Color;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a colour, as in (255, 128, 0) or \"#ff8000\"")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Color, A::Error> {
                three(seq, &self).map(Color)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Color, E> {
                hex_color(text)
                    .map(Color)
                    .ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(Form)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Word;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word without quotes")
            }

            fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Word, A::Error> {
                let (word, rest) = access.variant_seed(Identifier)?;
                rest.unit_variant()?;
                Ok(Word(word))
            }
        }
        deserializer.deserialize_enum("", &[], Form)
    }
}

/// Reads any identifier as its text.
struct Identifier;

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

impl Serialize for Bits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct("Bits", &self.0)
    }
}

/// Never broken over lines.
fn tuple<S: Serializer>(parts: [impl Serialize; 3], serializer: S) -> Result<S::Ok, S::Error> {
    let mut tuple = serializer.serialize_tuple(3)?;
    for part in &parts {
        tuple.serialize_element(part)?;
    }
    tuple.end()
}

impl Serialize for Triple {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        tuple(self.0, serializer)
    }
}

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        tuple(self.0, serializer)
    }
}

/// A word of a closed set: `Front` in a scene, `front` in a log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyword<N, T>(pub T, PhantomData<N>);

impl<N, T: Default> Default for Keyword<N, T> {
    fn default() -> Self {
        Self(T::default(), PhantomData)
    }
}

impl<N, T: Default + PartialEq> Keyword<N, T> {
    pub fn new(word: T) -> Self {
        Self(word, PhantomData)
    }

    pub fn is_default(&self) -> bool {
        self.0 == T::default()
    }
}

impl<'de, N: Written, T: Deserialize<'de>> Deserialize<'de> for Keyword<N, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = match N::SCENE {
            true => T::deserialize(Camel(deserializer)),
            false => T::deserialize(deserializer),
        };
        word.map(|word| Self(word, PhantomData))
    }
}

impl<N, T: Serialize> Serialize for Keyword<N, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// `convex_hull` as scenes write it: `ConvexHull`.
pub fn camel(word: &str) -> String {
    let parts = word.split('_').map(|part| {
        let (first, rest) = part.split_at_checked(1).unwrap_or(("", part));
        first.to_ascii_uppercase() + rest
    });
    parts.collect()
}

/// Reads an enum whose variants the type calls `like_this` and the text `LikeThis`.
pub struct Camel<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Camel<D> {
    type Error = D::Error;

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0
            .deserialize_enum(name, variants, CamelEnum { variants, visitor })
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// What is read of the enum: first its visitor, then its variant.
struct CamelEnum<V> {
    variants: &'static [&'static str],
    visitor: V,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for CamelEnum<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let variants = self.variants;
        self.visitor.visit_enum(CamelAccess { variants, access })
    }
}

struct CamelAccess<A> {
    variants: &'static [&'static str],
    access: A,
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for CamelAccess<A> {
    type Error = A::Error;
    type Variant = A::Variant;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, A::Variant), A::Error> {
        let (word, rest) = self.access.variant_seed(Identifier)?;
        let Some(variant) = self.variants.iter().find(|it| camel(it) == word) else {
            return Err(A::Error::unknown_variant(&word, self.variants));
        };
        let name: serde::de::value::StrDeserializer<'_, A::Error> = variant.into_deserializer();
        Ok((seed.deserialize(name)?, rest))
    }
}

/// Exactly three elements.
fn three<'de, T, A, V>(mut seq: A, form: &V) -> Result<[T; 3], A::Error>
where
    T: Deserialize<'de>,
    A: SeqAccess<'de>,
    V: Visitor<'de>,
{
    let mut next = |have: usize| {
        seq.next_element::<T>()?
            .ok_or_else(|| A::Error::invalid_length(have, form))
    };
    let whole = [next(0)?, next(1)?, next(2)?];
    let mut have = 3;
    while seq.next_element::<IgnoredAny>()?.is_some() {
        have += 1;
    }
    if have > 3 {
        return Err(A::Error::invalid_length(have, form));
    }
    Ok(whole)
}

/// `#rrggbb`.
fn hex_color(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#')?;
    if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    Some([part(0)?, part(2)?, part(4)?])
}
