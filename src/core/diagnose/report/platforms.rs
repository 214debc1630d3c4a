//! Kinematic objects that the level moves through its fixed objects on purpose: platforms, lifts, doors.
//!
//! No engine tests a kinematic object against a fixed one. A character that is driven by its position must not pass a wall all the
//! same, and a lift must pass its shaft. A kinematic object is taken for a platform when it passes a fixed object in both directions, or
//! is inside fixed objects at [`PLATFORM_STATES`] states in a row and not a character. Two kinematic objects are judged where one of them is
//! a character. Each pass that is left out is counted.

use super::content::NotJudged;
use super::finding_list::Brief;
use crate::core::diagnose::detect::driven::driven_and_other;
use crate::core::diagnose::finding::Source;
use crate::core::number::count;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::{Movement, Objects};
use glam::DVec3;
use std::collections::{BTreeMap, BTreeSet};

/// States in a row inside fixed objects that make a kinematic object a platform.
///
/// A character that hits a wall is inside it for a frame or two. Smaller, and characters are platforms; larger, and doors are findings.
const PLATFORM_STATES: u32 = 3;

/// Cosine below which two passes lead through opposite faces (no unit): within 50 degrees.
///
/// A character that turns a corner passes two faces that are square to each other up to rounding, which must not decide.
const OPPOSITE: f64 = -0.65;

/// Names of objects that are written out.
const PLATFORM_NAMES: usize = 3;

/// Which kinematic objects are platforms, by the frames seen so far.
#[derive(Clone, Debug, Default)]
pub(in crate::core::diagnose) struct Platforms {
    /// By object: the last frame that ended inside a fixed object, and how many did so in a row.
    runs: BTreeMap<ObjectId, (u32, u32)>,
    found: BTreeSet<ObjectId>,
}

impl Platforms {
    /// Adds a frame; frames must not go back. `inside`: kinematic objects that are inside a fixed one at its end.
    pub(in crate::core::diagnose) fn add(&mut self, frame: u32, inside: &[ObjectId]) {
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

    /// Removes the findings of platforms against fixed objects, and of kinematic objects of which neither is a character; the passes that
    /// are left out, by the reason.
    pub(in crate::core::diagnose) fn leave_out(
        mut self,
        replay: &Replay,
        findings: &mut Vec<Brief>,
    ) -> Vec<NotJudged> {
        let objects = replay.objects();
        self.found.extend(both_ways(replay, findings));
        let is_marked = |id: &ObjectId| objects[*id as usize].character;
        self.found.retain(|id| !is_marked(id));
        let (mut of_platforms, mut of_driven) = (Passes::default(), Passes::default());
        findings.retain(|finding| {
            let Some((id, other)) = driven(objects, finding) else {
                return true;
            };
            let [one, by] = [id, other].map(|id| &objects[id as usize]);
            let passes = match by.movement == Movement::Fixed {
                true if self.found.contains(&id) => &mut of_platforms,
                false if !one.is_character() && !by.is_character() => &mut of_driven,
                _ => return true,
            };
            passes.add(id, &by.name);
            false
        });
        let both =
            "a kinematic object that passes a fixed one both ways or stays inside it is a platform";
        let neither = "both are kinematic, and neither is a character";
        let reasons = [(of_platforms, both), (of_driven, neither)];
        reasons
            .into_iter()
            .filter_map(|(passes, reason)| passes.not_judged(objects, reason))
            .collect()
    }
}

/// Passes that are not judged, by the object that passes: how many, and what it passes.
#[derive(Default)]
struct Passes(BTreeMap<ObjectId, (usize, BTreeSet<String>)>);

impl Passes {
    fn add(&mut self, id: ObjectId, other: &str) {
        let (count, others) = self.0.entry(id).or_default();
        *count += 1;
        others.insert(other.to_owned());
    }

    /// "lift passed shaft 3 times and was not judged: ..".
    fn not_judged(&self, objects: &Objects, reason: &str) -> Option<NotJudged> {
        let times = |count: usize| match count {
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            many => format!("{many} times"),
        };
        let listed = self.0.iter().take(PLATFORM_NAMES);
        let mut parts: Vec<String> = listed
            .map(|(id, (count, others))| {
                let others: Vec<&str> = others.iter().map(String::as_str).collect();
                let name = &objects[*id as usize].name;
                format!("{name} passed {} {}", first_names(&others), times(*count))
            })
            .collect();
        let more = self.0.values().skip(PLATFORM_NAMES);
        let more: usize = more.map(|(count, _)| *count).sum();
        if more > 0 {
            let others = self.0.len() - PLATFORM_NAMES;
            parts.push(format!(
                "{} passed others {}",
                count(others, "more object"),
                times(more)
            ));
        }
        let verb = if self.0.len() == 1 { "was" } else { "were" };
        (!parts.is_empty()).then(|| NotJudged {
            cause: None,
            why: format!("{} and {verb} not judged: {reason}", parts.join(", ")).into(),
            log: "`character: true` for what must not pass".into(),
            passing: (self.0.keys())
                .map(|id| objects[*id as usize].name.clone())
                .collect(),
        })
    }
}

/// "a", "a and b", "a, b, c and 2 more".
fn first_names(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] if names.len() <= PLATFORM_NAMES => {
            format!("{} and {last}", first.join(", "))
        }
        _ => format!(
            "{} and {} more",
            names[..PLATFORM_NAMES].join(", "),
            names.len() - PLATFORM_NAMES
        ),
    }
}

/// The same for the pair of a finding.
fn driven(objects: &Objects, finding: &Brief) -> Option<(ObjectId, ObjectId)> {
    let [a, b] = finding.objects;
    let pair = a.zip(b)?;
    let is_pair = matches!(finding.source, Source::Pair(_));
    driven_and_other(objects, pair).filter(|_| is_pair)
}

/// Kinematic objects that pass a fixed object in opposite directions.
fn both_ways(replay: &Replay, findings: &[Brief]) -> Vec<ObjectId> {
    let objects = replay.objects();
    let mut normals: BTreeMap<(ObjectId, ObjectId), Vec<DVec3>> = BTreeMap::new();
    for finding in findings {
        let fixed =
            |pair: &(ObjectId, ObjectId)| objects[pair.1 as usize].movement == Movement::Fixed;
        if let Some(pair) = driven(objects, finding).filter(fixed) {
            let toward_a = DVec3::from_array(finding.normal);
            let from_fixed = finding.objects[0] == Some(pair.0);
            let normal = if from_fixed { toward_a } else { -toward_a };
            let solid = (pair.0, replay.solid_of(pair.1));
            normals.entry(solid).or_default().push(normal);
        }
    }
    let opposite = |normals: &Vec<DVec3>| {
        let first = normals[0];
        normals.iter().any(|normal| normal.dot(first) < OPPOSITE)
    };
    let pairs = normals.into_iter().filter(|(_, normals)| opposite(normals));
    pairs.map(|((id, _), _)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three states in a row make a platform; two and two with a state between them do not, nor does one state that several frames name.
    #[test]
    fn a_row_of_states_makes_a_platform_and_a_gap_ends_it() {
        for (frames, expected) in [
            (&[4, 5, 6][..], true),
            (&[4, 5, 7, 8], false),
            (&[4, 5, 7, 8, 9], true),
            (&[4, 5], false),
            (&[4, 4, 4], false),
            (&[1, 3, 5, 7], false),
        ] {
            let mut platforms = Platforms::default();
            for frame in frames {
                platforms.add(*frame, &[7]);
            }
            assert_eq!(platforms.found.contains(&7), expected, "{frames:?}");
        }
    }

    #[test]
    fn names_are_counted_after_the_first() {
        let names = ["a", "b", "c", "d", "e"];
        for (count, expected) in [
            (1, "a"),
            (2, "a and b"),
            (3, "a, b and c"),
            (4, "a, b, c and 1 more"),
            (5, "a, b, c and 2 more"),
        ] {
            assert_eq!(first_names(&names[..count]), expected);
        }
    }
}
