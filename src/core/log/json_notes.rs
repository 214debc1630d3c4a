//! What the program says for itself in a line of a JSON Lines log, field by field.

use super::open_fields::Open;
use crate::core::schema::{Number, Vec3};
use serde::de::IgnoredAny;
use serde::ser::Serializer;

/// A value that no judgement depends on: another form of it costs no frame.
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(untagged)]
pub enum Lenient<T> {
    Read(T),
    Other(#[serde(serialize_with = "as_null")] IgnoredAny),
}

fn as_null<S: Serializer>(_: &IgnoredAny, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_unit()
}

impl<T> Lenient<T> {
    pub fn read(self) -> Option<T> {
        match self {
            Self::Read(value) => Some(value),
            Self::Other(_) => None,
        }
    }

    pub fn value(&self) -> Option<T>
    where
        T: Copy,
    {
        match self {
            Self::Read(value) => Some(*value),
            Self::Other(_) => None,
        }
    }
}

/// What the program says for itself.
pub type Entries<T> = Lenient<Vec<Lenient<T>>>;

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self::Read(Vec::new())
    }
}

impl<T> Entries<T> {
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Read(entries) if entries.is_empty())
    }

    pub fn push(&mut self, entry: T) {
        if let Self::Read(entries) = self {
            entries.push(Lenient::Read(entry));
        }
    }
}

/// A line of the program's log: with its fields, or its text alone.
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(untagged)]
pub enum TextLine {
    Plain(String),
    Full(Open<FullTextLine>),
}

#[derive(serde::Deserialize, serde::Serialize)]
pub struct FullTextLine {
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
}

/// A number or a flag as `value`, or a `text`.
#[derive(serde::Deserialize, serde::Serialize)]
pub struct ValueLine {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueWord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

#[derive(serde::Deserialize, serde::Serialize)]
#[serde(untagged)]
pub enum ValueWord {
    Flag(bool),
    Number(Number),
}

#[derive(serde::Deserialize, serde::Serialize)]
pub struct MarkLine {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    pub points: Vec<Vec3<Number>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Lenient<[u8; 3]>>,
}

/// A move of a character.
#[derive(serde::Deserialize, serde::Serialize)]
pub struct MoveLine {
    pub id: u64,
    pub from: Vec3<Number>,
    pub wish: Vec3<Number>,
    pub to: Vec3<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grounded: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up: Option<Vec3<Number>>,
    /// Degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_slope: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_step: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snap: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<Number>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sweeps: Vec<Open<MoveSweepLine>>,
}

#[derive(serde::Deserialize, serde::Serialize)]
pub struct MoveSweepLine {
    pub kind: String,
    pub from: Vec3<Number>,
    pub to: Vec3<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wish: Option<Vec3<Number>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit: Option<Open<MoveHitLine>>,
}

#[derive(serde::Deserialize, serde::Serialize)]
pub struct MoveHitLine {
    pub id: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<Vec3<Number>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<Vec3<Number>>,
}
