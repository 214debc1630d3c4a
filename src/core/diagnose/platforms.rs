//! Kinematic objects that the level moves through its fixed objects on purpose: platforms, lifts, doors.
//!
//! No engine tests a kinematic object against a fixed one. A character that is driven by its position must not pass a wall all the
//! same, and a lift must pass its shaft. A kinematic object is taken for a platform when it passes a fixed object in both directions, or
//! is inside fixed objects at [`PLATFORM_STATES`] states in a row and no sphere or capsule, which are the shapes of characters.

use super::context::Context;
use super::finding::Source;
use super::finding_list::Brief;
use super::piles;
use super::report::NotJudged;
use crate::core::replay::{FrameState, ObjectId, Replay};
use crate::core::scene::{Movement, Object};
use crate::core::shape::Shape;
use glam::DVec3;
use std::collections::{BTreeMap, BTreeSet};

/// States in a row inside fixed objects that make a kinematic object a platform.
///
/// A character that hits a wall is inside it for a frame or two. Smaller, and characters are platforms; larger, and doors are findings.
const PLATFORM_STATES: u32 = 3;

/// Names of platforms that are written out.
const PLATFORM_NAMES: usize = 3;

/// Which kinematic objects are platforms, by the frames seen so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Platforms {
    /// By object: the last frame that ended inside a fixed object, and how many did so in a row.
    runs: BTreeMap<ObjectId, (u32, u32)>,
    found: BTreeSet<ObjectId>,
}

/// The kinematic object of a pair with a fixed one, if it is inside the fixed one and not shaped like a character.
pub(super) fn inside(
    context: &Context<'_>,
    state: &FrameState,
    (a, b): (ObjectId, ObjectId),
) -> Option<ObjectId> {
    let objects = context.replay.objects();
    let (driven, _) = driven_and_fixed(objects, (a, b))?;
    let shape = &objects[driven as usize].shape;
    let is_character = matches!(shape, Shape::Sphere { .. } | Shape::Capsule(_));
    (!is_character && piles::too_deep(context, state, a, b).is_some()).then_some(driven)
}

impl Platforms {
    /// Adds a frame; frames must not go back. `inside`: kinematic objects that are inside a fixed one at its end.
    pub(super) fn add(&mut self, frame: u32, inside: &[ObjectId]) {
        for &id in inside {
            let (last, count) = self.runs.get(&id).copied().unwrap_or((frame, 0));
            let count = match frame - last {
                0 => count.max(1),
                1 => count + 1,
                _ => 1,
            };
            self.runs.insert(id, (frame, count));
            if count >= PLATFORM_STATES {
                self.found.insert(id);
            }
        }
    }

    /// Removes the findings of platforms against fixed objects; what is left out, if anything.
    pub(super) fn leave_out(
        mut self,
        replay: &Replay,
        findings: &mut Vec<Brief>,
    ) -> Option<NotJudged> {
        let objects = replay.objects();
        self.found.extend(both_ways(objects, findings));
        findings.retain(|finding| {
            driven(objects, finding).is_none_or(|(id, _)| !self.found.contains(&id))
        });
        let mut names: Vec<&str> = (self.found.iter().take(PLATFORM_NAMES))
            .map(|id| &*objects[*id as usize].name)
            .collect();
        let more = format!("{} more", self.found.len().saturating_sub(names.len()));
        if self.found.len() > names.len() {
            names.push(&more);
        }
        (!names.is_empty()).then(|| NotJudged {
            cause: None,
            why: format!(
                "{} against fixed objects: a kinematic object that passes a fixed one both ways or stays inside it is a platform",
                names.join(", "),
            )
            .into(),
            log: "`motion: \"dynamic\"` for what must not pass".into(),
        })
    }
}

/// The kinematic object of a pair, and the fixed one.
fn driven_and_fixed(
    objects: &[Object],
    (a, b): (ObjectId, ObjectId),
) -> Option<(ObjectId, ObjectId)> {
    let is_fixed = |id: ObjectId| objects[id as usize].movement == Movement::Fixed;
    let is_driven = |id: ObjectId| !objects[id as usize].is_pushable() && !is_fixed(id);
    let mut orders = [(a, b), (b, a)].into_iter();
    orders.find(|(one, other)| is_driven(*one) && is_fixed(*other))
}

/// The same for the pair of a finding.
fn driven(objects: &[Object], finding: &Brief) -> Option<(ObjectId, ObjectId)> {
    let [a, b] = finding.objects;
    let pair = a.zip(b)?;
    let is_pair = matches!(finding.source, Source::Pair(_));
    driven_and_fixed(objects, pair).filter(|_| is_pair)
}

/// Kinematic objects that pass a fixed object in opposite directions.
fn both_ways(objects: &[Object], findings: &[Brief]) -> Vec<ObjectId> {
    let mut normals: BTreeMap<(ObjectId, ObjectId), Vec<DVec3>> = BTreeMap::new();
    for finding in findings {
        if let Some(pair) = driven(objects, finding) {
            let toward_a = DVec3::from_array(finding.normal);
            let from_fixed = finding.objects[0] == Some(pair.0);
            let normal = if from_fixed { toward_a } else { -toward_a };
            normals.entry(pair).or_default().push(normal);
        }
    }
    let opposite = |normals: &Vec<DVec3>| {
        let first = normals[0];
        normals.iter().any(|normal| normal.dot(first) < 0.0)
    };
    let pairs = normals.into_iter().filter(|(_, normals)| opposite(normals));
    pairs.map(|((id, _), _)| id).collect()
}
