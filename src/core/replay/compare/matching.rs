//! Which object of one replay corresponds to which of the other.

use super::super::{ObjectId, Replay};
use crate::core::scene::{Object, Objects};
use serde::Serialize;
use std::collections::{HashMap, VecDeque};

/// Subject of a comparison row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "matched", rename_all = "lowercase")]
pub enum Subject {
    /// In both under one name (of duplicate names, the first in each).
    Name {
        /// Its ordinal in the first replay.
        a: ObjectId,
        /// Its ordinal in the second.
        b: ObjectId,
    },
    /// Different names at the same ordinal and with the same kind of shape: renamed.
    Ordinal {
        /// Its ordinal in the first replay.
        a: ObjectId,
        /// Its ordinal in the second.
        b: ObjectId,
    },
    /// Only in the first replay.
    OnlyA {
        /// Its ordinal there.
        a: ObjectId,
    },
    /// Only in the second replay.
    OnlyB {
        /// Its ordinal there.
        b: ObjectId,
    },
    /// The camera that plays in the level.
    Camera,
}

impl Subject {
    /// Its ordinal in the first replay.
    pub fn a(self) -> Option<ObjectId> {
        match self {
            Self::Name { a, .. } | Self::Ordinal { a, .. } | Self::OnlyA { a } => Some(a),
            Self::OnlyB { .. } | Self::Camera => None,
        }
    }

    /// Its ordinal in the second replay.
    pub fn b(self) -> Option<ObjectId> {
        match self {
            Self::Name { b, .. } | Self::Ordinal { b, .. } | Self::OnlyB { b } => Some(b),
            Self::OnlyA { .. } | Self::Camera => None,
        }
    }

    /// Its name in lists: `ball`, `ball / ball_1`, `the camera`.
    pub fn title(self, a: &Replay, b: &Replay) -> String {
        let name = |objects: &Objects, id: Option<ObjectId>| {
            let object = objects.get(id? as usize)?;
            Some(object.name.clone())
        };
        let (one, other) = (name(a.objects(), self.a()), name(b.objects(), self.b()));
        match (one, other) {
            (Some(one), Some(other)) if one != other => format!("{one} / {other}"),
            (Some(name), _) | (None, Some(name)) => name,
            (None, None) => "the camera".to_owned(),
        }
    }
}

/// Every object of both, and the camera if one of them has any: the first replay's objects in their order, then what only the
/// second has.
pub fn subjects(a: &Replay, b: &Replay) -> Vec<Subject> {
    let mut named: HashMap<&str, VecDeque<ObjectId>> = HashMap::new();
    for (object, id) in b.objects().iter().zip(0..) {
        named.entry(&object.name).or_default().push_back(id);
    }
    let partners: Vec<Option<ObjectId>> = a
        .objects()
        .iter()
        .map(|object| named.get_mut(object.name.as_str())?.pop_front())
        .collect();
    let mut free = vec![true; b.objects().len()];
    for &partner in partners.iter().flatten() {
        free[partner as usize] = false;
    }
    let mut subjects = Vec::with_capacity(partners.len() + 1);
    for ((object, partner), id) in a.objects().iter().zip(partners).zip(0..) {
        subjects.push(match partner {
            Some(b) => Subject::Name { a: id, b },
            None if free.get(id as usize) == Some(&true)
                && same_kind(object, &b.objects()[id as usize]) =>
            {
                free[id as usize] = false;
                Subject::Ordinal { a: id, b: id }
            }
            None => Subject::OnlyA { a: id },
        });
    }
    let only_b = free.iter().zip(0..).filter(|(free, _)| **free);
    subjects.extend(only_b.map(|(_, b)| Subject::OnlyB { b }));
    if a.camera(0).is_some() || b.camera(0).is_some() {
        subjects.push(Subject::Camera);
    }
    subjects
}

fn same_kind(one: &Object, other: &Object) -> bool {
    std::mem::discriminant(&one.shape) == std::mem::discriminant(&other.shape)
}
