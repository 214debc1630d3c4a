//! JSON objects with unknown fields.

use super::json_error::INSTEAD;
use crate::core::schema::meant;
use serde::de::value::StrDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, IgnoredAny, IntoDeserializer, MapAccess,
    Visitor,
};
use serde::forward_to_deserialize_any;
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// The field for a log's own data, in every object.
const OWN: &str = "x";

/// An object with the fields of `T`; the values of other fields are skipped.
pub struct Open<T> {
    pub value: T,
    pub unknown: Unknown,
}

/// Names of fields that were skipped.
#[derive(Default)]
pub struct Unknown {
    /// Without [`OWN`].
    pub names: Vec<String>,
    /// The fields that are read.
    pub known: &'static [&'static str],
}

impl Unknown {
    /// Names the unknown field that stands where another is missing.
    fn instead<E: de::Error>(&self, error: E) -> E {
        let text = error.to_string();
        let named = text.strip_prefix("missing field `").and_then(|rest| {
            let (missing, place) = rest.split_once('`')?;
            let is_it = |name: &&String| meant(name, self.known.iter().copied()) == Some(missing);
            let other = self.names.iter().find(is_it)?;
            Some(format!(
                "missing field `{missing}`{INSTEAD}`{other}`{place}"
            ))
        });
        named.map_or(error, E::custom)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Open<T> {
    fn deserialize<D: Deserializer<'de>>(inner: D) -> Result<Self, D::Error> {
        let mut unknown = Unknown::default();
        let value = T::deserialize(Struct {
            inner,
            unknown: &mut unknown,
        });
        let value = value.map_err(|error| unknown.instead(error))?;
        Ok(Self { value, unknown })
    }
}

impl<T> From<T> for Open<T> {
    fn from(value: T) -> Self {
        let unknown = Unknown::default();
        Self { value, unknown }
    }
}

impl<T: Serialize> Serialize for Open<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// A deserializer of one struct.
struct Struct<'u, D> {
    inner: D,
    unknown: &'u mut Unknown,
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Struct<'_, D> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let Self { inner, unknown } = self;
        unknown.known = fields;
        inner.deserialize_struct(name, fields, Fields { visitor, unknown })
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// The visitor of the struct, given its known fields alone.
struct Fields<'u, V> {
    visitor: V,
    unknown: &'u mut Unknown,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Fields<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        let unknown = self.unknown;
        self.visitor.visit_map(KnownFields { inner, unknown })
    }
}

struct KnownFields<'u, A> {
    inner: A,
    unknown: &'u mut Unknown,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for KnownFields<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(name) = self.inner.next_key_seed(Name(self.unknown.known))? {
            match name {
                Ok(known) => {
                    let key: StrDeserializer<'_, A::Error> = known.into_deserializer();
                    return seed.deserialize(key).map(Some);
                }
                Err(name) => {
                    self.inner.next_value::<IgnoredAny>()?;
                    if name != OWN {
                        self.unknown.names.push(name);
                    }
                }
            }
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.next_value_seed(seed)
    }
}

/// Reads a field's name: one of the known, or another.
struct Name(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Result<&'static str, String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Result<&'static str, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Self::Value, E> {
        let known = self.0.iter().find(|known| **known == name);
        Ok(known.copied().ok_or_else(|| name.to_owned()))
    }
}
