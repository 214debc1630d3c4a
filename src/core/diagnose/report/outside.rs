//! Bodies that end outside of the fixed world, and the finding that let each out.

use super::finding_list::FindingList;
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::gravity;
use crate::core::number;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::{Movement, Object};
use crate::core::shape::{Aabb, Shape};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A body that began within the fixed world and ends below or beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outside {
    /// Its name.
    pub object: String,
    /// Its number in the level; `None` in a report that was read from a file.
    #[serde(skip)]
    pub id: Option<ObjectId>,
    /// The index of the last finding in which it passes a fixed object; `None` where it left without one, over an edge or through an opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<usize>,
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

/// The bodies that were within the fixed world at the first state and are outside at the last, by their number. None of a level without a fixed object.
pub fn outside(replay: &Replay, findings: &FindingList) -> Vec<Outside> {
    let last = replay.frames();
    let world = World::of(replay);
    let mut passes: HashMap<ObjectId, usize> = HashMap::new();
    for (index, finding) in findings.iter().enumerate() {
        if let Some(id) = passer(replay, finding) {
            passes.insert(id, index);
        }
    }
    let objects = replay.objects().iter().zip(0..);
    let bodies = objects.filter(|(object, _)| object.is_pushable() && !object.sensor);
    let outside = bodies.filter_map(|(object, id)| {
        let reach = object.shape.reach()?;
        let is_outside_at = |state: u32| {
            let at = replay.at(state).body(id)?.pose.position;
            at.is_finite().then(|| world.is_outside(at, reach))
        };
        let left = is_outside_at(last)? && !is_outside_at(0)?;
        left.then(|| Outside {
            object: object.name.clone(),
            id: Some(id),
            finding: passes.get(&id).copied(),
        })
    });
    outside.collect()
}

/// The body that passes a fixed object in a finding.
fn passer(replay: &Replay, finding: &Finding) -> Option<ObjectId> {
    let passes = matches!(finding.kind, Kind::Tunnels | Kind::WrongSide | Kind::Sinks);
    let (a, b) = (finding.object_a?, finding.object_b?);
    let is_fixed = |id: ObjectId| replay.objects().get(id as usize).is_some_and(is_wall);
    match passes {
        true if is_fixed(b) => Some(a),
        true if is_fixed(a) => Some(b),
        _ => None,
    }
}

/// `2 bodies ended outside of the fixed world: ball 4 by finding 3; without a finding, over an edge or through an opening: ball 9`; `None` without a
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
    let found =
        by(true).map(|one| format!("{} by finding {}", one.object, one.finding.unwrap_or(0) + 1));
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
