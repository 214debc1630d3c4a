//! Values that people write in more than one way: vectors, colours, bare words.

use serde::Deserialize;
use serde::de::{DeserializeSeed, Visitor};
use serde::de::{Deserializer, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess, VariantAccess};
use std::fmt;

/// Three numbers: `(x, y, z)`, `[x, y, z]` or `(x: .., y: .., z: ..)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Vec3(pub(super) [f64; 3]);

/// Three vertex indices: `(a, b, c)` or `[a, b, c]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Triple(pub(super) [u32; 3]);

/// sRGB: `(r, g, b)`, `[r, g, b]` (0 to 255) or `"#rrggbb"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Color(pub(super) [u8; 3]);

/// An identifier without quotes, such as `Tunnels` or `C01`; which words are known is validation's business.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word(pub(super) String);

/// Layer or mask: 32 bits, also as the negative number that C, C# and GDScript make of them (-1 is all).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::core) struct Bits(pub(in crate::core) u32);

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
                let wrong = serde::de::Unexpected::Signed(number);
                bits.map(Bits).ok_or_else(|| E::invalid_value(wrong, &self))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Bits, E> {
                let wrong = serde::de::Unexpected::Unsigned(number);
                let bits = u32::try_from(number).map(Bits);
                bits.map_err(|_| E::invalid_value(wrong, &self))
            }
        }
        deserializer.deserialize_i64(Form)
    }
}

impl<'de> Deserialize<'de> for Vec3 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Vec3;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("three numbers, as in (1.0, 2.0, 3.0)")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Vec3, A::Error> {
                three(seq, &self).map(Vec3)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec3, A::Error> {
                const AXES: &[&str] = &["x", "y", "z"];
                let mut parts: [Option<f64>; 3] = [None; 3];
                while let Some(key) = map.next_key_seed(Identifier)? {
                    let Some(axis) = AXES.iter().position(|axis| *axis == key) else {
                        return Err(A::Error::unknown_field(&key, AXES));
                    };
                    if parts[axis].is_some() {
                        return Err(A::Error::duplicate_field(AXES[axis]));
                    }
                    parts[axis] = Some(map.next_value()?);
                }
                let mut whole = [0.0; 3];
                for axis in 0..3 {
                    whole[axis] = parts[axis].ok_or_else(|| A::Error::missing_field(AXES[axis]))?;
                }
                Ok(Vec3(whole))
            }
        }
        deserializer.deserialize_any(Form)
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
                    .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
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
