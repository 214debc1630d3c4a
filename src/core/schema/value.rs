//! Values with several spellings: colours, words, bits.

use super::rotation::{Rotation, Turn};
use super::vector::{Identifier, LogTurn, Number, Numeric};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, IntoDeserializer, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A number type of a format, which also selects its other spellings.
pub trait Written: Numeric {
    /// How a rotation is written.
    type Turn: Turn;
}

impl Written for f64 {
    type Turn = Rotation;
}

impl Written for Number {
    type Turn = LogTurn;
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
