//! Bodies that end outside of the fixed world, and the finding that let each out.

use super::finding_list::FindingList;
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::level_facts::gravity;
use crate::core::number;
use crate::core::query;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::{Movement, Object};
use crate::core::shape::{Aabb, Shape};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Cosine between a contact's normal and the direction to a wall from which on the contact presses a body toward it (no unit): 60 degrees. Smaller, and
/// the floor below a body that slides to the wall would press it there.
const TOWARD: f64 = 0.5;

/// A body that began within the fixed world and ends below or beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outside {
    /// Its name.
    pub object: String,
    /// Its number in the level; `None` in a report that was read from a file.
    #[serde(skip)]
    pub id: Option<ObjectId>,
    /// The last state at which it is present; 0 in a report that was read from a file.
    #[serde(skip)]
    pub last_state: u32,
    /// The index of the last finding in which it passes a fixed object; `None` where it left without one, over an edge or through an opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<usize>,
    /// The name of the fixed object that it passes in the finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall: Option<String>,
    /// The name of the object whose contact of the log pushes it toward the wall in the finding's frames; of several the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressed_by: Option<String>,
}

impl Outside {
    /// How it left: `through thin wall (finding 3), pressed by crate 4`. Findings are counted from 1.
    pub fn how(&self) -> String {
        let Some(finding) = self.finding else {
            return "over an edge or through an opening".to_owned();
        };
        let mut text = match &self.wall {
            Some(wall) => format!("through {wall} (finding {})", finding + 1),
            None => format!("by finding {}", finding + 1),
        };
        if let Some(presser) = &self.pressed_by {
            text += &format!(", pressed by {presser}");
        }
        text
    }
}

/// The first and the last state at which each object is present, by its number.
#[derive(Clone, Debug, Default)]
pub struct Presence(Vec<Option<[u32; 2]>>);

impl Presence {
    /// Adds the objects of a state, which comes after those before.
    pub fn add(&mut self, state: u32, present: &[ObjectId]) {
        let count = present.last().map_or(0, |last| *last as usize + 1);
        if self.0.len() < count {
            self.0.resize(count, None);
        }
        for id in present {
            let [_, last] = self.0[*id as usize].get_or_insert([state, state]);
            *last = state;
        }
    }
}

/// The space that fixed objects enclose, less what is above it.
struct World {
    bounds: Option<Aabb>,
    /// Of planes: a point and the unit normal.
    planes: Vec<(DVec3, DVec3)>,
    up: DVec3,
}

impl World {
    /// Of the first state.
    fn of(replay: &Replay) -> Self {
        let objects = replay.objects().iter().zip(0..);
        let (mut boxes, mut planes) = (Vec::new(), Vec::new());
        for (object, id) in objects.filter(|(object, _)| is_wall(object)) {
            let Some(body) = replay.at(0).body(id) else {
                continue;
            };
            let pose = body.pose;
            match &object.shape {
                Shape::Plane(plane) => {
                    let normal = pose.vector(plane.normal);
                    planes.push((pose.point(plane.normal * plane.offset), normal));
                }
                shape => boxes.extend(shape.placed(&pose).aabb()),
            }
        }
        Self {
            bounds: boxes.into_iter().reduce(|one, other| one.union(&other)),
            planes,
            up: (-gravity(replay)).try_normalize().unwrap_or(DVec3::Y),
        }
    }

    /// Whether a body of this reach at a place is wholly beside or below. What is above may come down again.
    fn is_outside(&self, at: DVec3, reach: f64) -> bool {
        let behind = |(point, normal): &(DVec3, DVec3)| (at - *point).dot(*normal) < -reach;
        let beyond = |bounds: &Aabb| {
            let (below, above) = (bounds.min - at, at - bounds.max);
            let leaves =
                |distance: f64, outward: DVec3| distance > reach && outward.dot(self.up) < 0.5;
            DVec3::AXES.into_iter().enumerate().any(|(axis, outward)| {
                leaves(below[axis], -outward) || leaves(above[axis], outward)
            })
        };
        self.planes.iter().any(behind) || self.bounds.as_ref().is_some_and(beyond)
    }
}

fn is_wall(object: &Object) -> bool {
    object.movement == Movement::Fixed && !object.sensor
}

/// The bodies that were within the fixed world at their first state and are outside at their last, by their number: also those that appear late, or
/// that the game removes once they are out. None of a level without a fixed object.
pub fn outside(replay: &Replay, findings: &FindingList, presence: &Presence) -> Vec<Outside> {
    let world = World::of(replay);
    let mut passes: HashMap<ObjectId, Pass> = HashMap::new();
    for (index, finding) in findings.iter().enumerate() {
        if let Some((body, wall)) = passer(replay, finding) {
            let frames = [finding.frame, finding.last_frame];
            let pass = Pass {
                index,
                wall,
                frames,
            };
            passes.insert(body, pass);
        }
    }
    let name = |id: ObjectId| replay.objects()[id as usize].name.clone();
    let objects = replay.objects().iter().zip(0..);
    let bodies = objects.filter(|(object, _)| object.is_pushable() && !object.sensor);
    let outside = bodies.filter_map(|(object, id)| {
        let reach = object.shape.reach()?;
        let is_outside_at = |state: u32| {
            let at = replay.at(state).body(id)?.pose.position;
            at.is_finite().then(|| world.is_outside(at, reach))
        };
        let [first, last] = (*presence.0.get(id as usize)?)?;
        let left = is_outside_at(last)? && !is_outside_at(first)?;
        let pass = passes.get(&id);
        left.then(|| Outside {
            object: object.name.clone(),
            id: Some(id),
            last_state: last,
            finding: pass.map(|pass| pass.index),
            wall: pass.map(|pass| name(pass.wall)),
            pressed_by: pass.and_then(|pass| presser(replay, id, pass)).map(name),
        })
    });
    outside.collect()
}

/// The last finding in which a body passes a fixed object.
struct Pass {
    index: usize,
    wall: ObjectId,
    /// The first and the last of its frames.
    frames: [u32; 2],
}

/// The object whose contact of the log pushes a body toward the wall that it passes, in the frames of the finding: the first, of a state the one that
/// pushes most nearly so.
fn presser(replay: &Replay, id: ObjectId, pass: &Pass) -> Option<ObjectId> {
    let log = replay.recording()?;
    let [first, last] = pass.frames;
    let toward = toward(replay, [id, pass.wall], first)?;
    (first..=last + 1).find_map(|state| {
        let data = log.data.events(state as usize);
        let others = data.contacts.of(id).filter_map(|(_, it)| it.seen_from(id));
        let along = |normal: DVec3| Some(normal.try_normalize()?.dot(toward));
        let pressing = others
            .filter(|(other, _)| *other != pass.wall)
            .filter_map(|(other, normal)| Some((other, along(normal)?)))
            .filter(|(_, along)| *along >= TOWARD);
        let most = pressing.max_by(|(_, one), (_, other)| one.total_cmp(other));
        most.map(|(other, _)| other)
    })
}

/// The unit direction from a body to a wall at the start of a frame; where they overlap, that in which the body moves on.
fn toward(replay: &Replay, [id, wall]: [ObjectId; 2], frame: u32) -> Option<DVec3> {
    let (from, to) = (replay.at(frame).body(id)?, replay.at(frame + 1).body(id)?);
    let placed = |id: ObjectId| {
        let pose = replay.at(frame).body(id)?.pose;
        Some((&replay.objects()[id as usize].shape, pose))
    };
    let ((own, pose), (its, at)) = (placed(id)?, placed(wall)?);
    let gap = query::gap(&own.placed(&pose), &its.placed(&at));
    match gap.filter(|gap| gap.distance > 0.0) {
        Some(gap) => Some(-gap.normal),
        None => (to.pose.position - from.pose.position).try_normalize(),
    }
}

/// The body that passes a fixed object in a finding, and that object.
fn passer(replay: &Replay, finding: &Finding) -> Option<(ObjectId, ObjectId)> {
    let passes = finding.kind.passes();
    let (a, b) = (finding.object_a?, finding.object_b?);
    let is_fixed = |id: ObjectId| replay.objects().get(id as usize).is_some_and(is_wall);
    match passes {
        true if is_fixed(b) => Some((a, b)),
        true if is_fixed(a) => Some((b, a)),
        _ => None,
    }
}

/// `2 bodies ended outside of the fixed world: ball 4 through thin wall (finding 3); without a finding, over an edge or through an opening: ball 9`; `None` without a
/// body. Findings are counted from 1.
pub fn sentence(outside: &[Outside]) -> Option<String> {
    const NAMED: usize = 6;
    if outside.is_empty() {
        return None;
    }
    let listed = |items: Vec<String>| number::listed(&items, NAMED);
    let by = |is_by: bool| {
        outside
            .iter()
            .filter(move |one| one.finding.is_some() == is_by)
    };
    let found = by(true).map(|one| format!("{} {}", one.object, one.how()));
    let found: Vec<String> = found.collect();
    let others: Vec<String> = by(false).map(|one| one.object.clone()).collect();
    let mut parts = Vec::new();
    if !found.is_empty() {
        parts.push(listed(found));
    }
    if !others.is_empty() {
        parts.push(format!(
            "without a finding, over an edge or through an opening: {}",
            listed(others)
        ));
    }
    let bodies = number::count_of(outside.len(), "body", "bodies");
    Some(format!(
        "{bodies} ended outside of the fixed world: {}",
        parts.join("; ")
    ))
}
