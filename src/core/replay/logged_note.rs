//! What the recorded program itself says in a frame: lines of its own log, values, marks in the level, and moves of its characters. No
//! result depends on them.

use super::{LoggedMove, ObjectId};
use crate::core::escape::escaped;
use crate::core::number::significant;
use glam::DVec3;
use std::fmt;

/// A line of the program's log, a value, a mark or a move.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedNote {
    /// The object that it is about, if logged: into [`Recording::objects`](super::Recording::objects).
    pub object: Option<u32>,
    /// The line; of a value or a mark, its name; of a move, nothing.
    pub text: String,
    /// What it is.
    pub kind: NoteKind,
}

/// What a note is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoteKind {
    /// A line of the program's log.
    Line(NoteLevel),
    /// A value that has a name.
    Value(NoteValue),
    /// A place in the level.
    Mark(NoteMark),
    /// A move of the object, a character.
    Move(Box<LoggedMove>),
}

/// How important a line of a log is.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    serde::Deserialize,
    serde::Serialize,
)]
#[serde(rename_all = "lowercase")]
pub enum NoteLevel {
    /// For the programmer alone.
    Debug,
    /// The usual one.
    #[default]
    Info,
    /// Something that may be wrong.
    Warning,
    /// Something that is wrong.
    Error,
}

/// A value of the recorded program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoteValue {
    /// In the program's own unit.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// Such as the name of a state.
    Text(String),
}

/// What the program marks: a point, or the line through several.
#[derive(Clone, Debug, PartialEq)]
pub struct NoteMark {
    /// At least one, world, metres.
    pub points: Vec<DVec3>,
    /// Of a sphere around each point, metres; 0 without one.
    pub radius: f64,
    /// Red, green, blue.
    pub color: Option<[u8; 3]>,
}

impl fmt::Display for NoteValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => f.write_str(&significant(*value, 6)),
            Self::Flag(value) => write!(f, "{value}"),
            Self::Text(text) => f.write_str(&escaped(text)),
        }
    }
}

impl LoggedNote {
    /// The objects that it names: the one that it is about, and those that a move met.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let made = match &self.kind {
            NoteKind::Move(made) => Some(made),
            _ => None,
        };
        let met = made.into_iter().flat_map(|made| made.met());
        self.object.into_iter().chain(met)
    }

    /// Its size in memory beside the struct, bytes.
    pub(super) fn heap_size(&self) -> usize {
        let inner = match &self.kind {
            NoteKind::Value(NoteValue::Text(text)) => text.len(),
            NoteKind::Mark(mark) => size_of_val(&*mark.points),
            NoteKind::Move(made) => made.size(),
            _ => 0,
        };
        self.text.len() + inner
    }
}
