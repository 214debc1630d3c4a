//! Logged contacts of one pair that push against each other. No side is certain to be wrong: a body may be wedged between two walls of a mesh.

use crate::core::number;
use crate::core::replay::{LoggedContact, ObjectId, Replay};
use glam::DVec3;
use std::collections::HashMap;

/// Cosine of the angle between two normals from which on their contacts push against each other (no unit): 150 degrees.
const OPPOSED: f64 = -0.866;

/// The first pair of a state whose touching contacts push against each other, the lower number first; all parts of a solid are one.
pub fn pair(replay: &Replay, contacts: &[LoggedContact]) -> Option<(ObjectId, ObjectId)> {
    let solids = |contact: &LoggedContact| [contact.a, contact.b].map(|id| replay.solid_of(id));
    // The first normal of each pair, from the higher number to the lower. Looked up only, never iterated.
    let mut normals: HashMap<[ObjectId; 2], DVec3> = HashMap::new();
    let opposed = contacts
        .iter()
        .filter(|contact| contact.depth >= 0.0)
        .find(|contact| {
            let [a, b] = solids(contact);
            let normal = if a < b {
                contact.normal
            } else {
                -contact.normal
            };
            let first = *normals.entry([a.min(b), a.max(b)]).or_insert(normal);
            first.dot(normal) < OPPOSED * first.length() * normal.length()
        });
    let [a, b] = solids(opposed?);
    Some((a.min(b), a.max(b)))
}

/// The message about such states, each with its pair.
pub fn notice(replay: &Replay, found: &[(u32, ObjectId, ObjectId)]) -> Option<String> {
    let &(state, a, b) = found.first()?;
    let name = |id: ObjectId| &replay.objects()[id as usize].name;
    Some(format!(
        "contacts of one pair push against each other in {}, first those of {} and {} in frame {state}: the body is wedged in the surface, or some of its faces are flipped",
        number::count(found.len(), "line"),
        name(a),
        name(b),
    ))
}
