//! Taking overlapping objects apart by the shortest push, in a fixed order.

use super::narrow::{NOWHERE, rounding, stand};
use super::travel::Travel;
use crate::core::broad_phase::{Entry, candidate_pairs};
use crate::core::query::{Contact, contact};
use crate::core::replay::{ObjectId, Phase};
use crate::core::scene::Scene;
use crate::core::shape::Pose;
use glam::DVec3;

/// One push, as [`Phase::Push`] tells it.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    /// Who is moved.
    pub object: ObjectId,
    /// Away from whom.
    pub against: ObjectId,
    /// World, metres.
    pub push: DVec3,
    /// Position before.
    pub before: DVec3,
    /// As the moved object sees it.
    pub contact: Contact,
}

/// How overlaps are taken apart.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Rounds over all contacts, at most.
    pub rounds: u32,
    /// Overlaps up to this depth (metres, plus rounding) are left alone; `None` pushes out every one, with room for rounding.
    pub slop: Option<f64>,
}

/// Do two objects act on each other at all? Sensors only report, and somebody must be movable.
pub fn acts(scene: &Scene, travels: &[Travel], a: ObjectId, b: ObjectId) -> bool {
    let (a, b) = (a as usize, b as usize);
    let (one, other) = (&scene.objects[a], &scene.objects[b]);
    travels[a].inverse_mass + travels[b].inverse_mass > 0.0
        && !one.sensor
        && !other.sensor
        && one.collides_with(other)
}

/// Pushes until nothing overlaps or the rounds are used up, pairs in order, each push seen by the next (Gauss-Seidel).
///
/// A pair shares its push by inverse mass. `touched` hears of every contact (a, b, contact, whether it is being pushed)
/// before its push.
pub fn push_out(
    scene: &Scene,
    travels: &[Travel],
    poses: &mut [Pose],
    rule: Rule,
    mut touched: impl FnMut(ObjectId, ObjectId, &Contact, bool),
) -> Vec<Push> {
    let mut pushes = Vec::new();
    let mut moved: Vec<bool> = travels.iter().map(|t| t.inverse_mass > 0.0).collect();
    for _ in 0..rule.rounds {
        let pairs = standing_pairs(scene, travels, poses, &moved);
        moved.fill(false);
        let before = pushes.len();
        for (a, b) in pairs {
            push_pair(
                scene,
                travels,
                poses,
                rule,
                (a, b),
                &mut touched,
                &mut pushes,
            );
        }
        if pushes.len() == before {
            break;
        }
        for push in &pushes[before..] {
            moved[push.object as usize] = true;
        }
    }
    pushes
}

/// Pairs whose boxes meet where they stand now, one of which has moved since it was looked at.
fn standing_pairs(
    scene: &Scene,
    travels: &[Travel],
    poses: &[Pose],
    moved: &[bool],
) -> Vec<(ObjectId, ObjectId)> {
    let entries: Vec<Entry> = scene
        .objects
        .iter()
        .enumerate()
        .map(|(index, object)| Entry {
            bounds: if travels[index].is_finite() {
                stand(object, &poses[index])
            } else {
                Some(NOWHERE)
            },
            moves: moved[index],
        })
        .collect();
    let mut pairs = candidate_pairs(&entries);
    pairs.retain(|&(a, b)| acts(scene, travels, a, b));
    pairs
}

fn push_pair(
    scene: &Scene,
    travels: &[Travel],
    poses: &mut [Pose],
    rule: Rule,
    (a, b): (ObjectId, ObjectId),
    touched: &mut impl FnMut(ObjectId, ObjectId, &Contact, bool),
    pushes: &mut Vec<Push>,
) {
    let (ia, ib) = (a as usize, b as usize);
    let placed_a = scene.objects[ia].shape.placed(&poses[ia]);
    let placed_b = scene.objects[ib].shape.placed(&poses[ib]);
    let Some(found) = contact(&placed_a, &placed_b, &mut ()) else {
        return;
    };
    let noise = rounding(poses[ia].position) + rounding(poses[ib].position);
    let (least, extra) = match rule.slop {
        Some(slop) => (slop + noise, 0.0),
        None => (0.0, noise),
    };
    let pushed = found.depth > least;
    touched(a, b, &found, pushed);
    let apart = found.normal * (found.depth + extra);
    if !pushed || !apart.is_finite() {
        return;
    }
    let total = travels[ia].inverse_mass + travels[ib].inverse_mass;
    let sides = [
        (a, b, apart, found),
        (b, a, -apart, seen_from_other_side(&found)),
    ];
    for (object, against, apart, contact) in sides {
        let share = travels[object as usize].inverse_mass / total;
        if share > 0.0 {
            let pose = &mut poses[object as usize];
            let before = pose.position;
            let push = apart * share;
            pose.position += push;
            pushes.push(Push {
                object,
                against,
                push,
                before,
                contact,
            });
        }
    }
}

/// The same contact with the roles exchanged: its point on the surface of what was the first shape.
fn seen_from_other_side(contact: &Contact) -> Contact {
    Contact {
        point: contact.point - contact.normal * contact.depth,
        normal: -contact.normal,
        feature_a: contact.feature_b,
        feature_b: contact.feature_a,
        ..*contact
    }
}

/// The pushes as phases at a fraction of the frame, numbered.
pub fn phases(pushes: &[Push], at: f64) -> impl Iterator<Item = Phase> + '_ {
    let of = pushes.len() as u32;
    pushes
        .iter()
        .zip(1..)
        .map(move |(push, number)| Phase::Push {
            number,
            of,
            at,
            object: push.object,
            against: Some(push.against),
            push: push.push,
            before: push.before,
            after: push.before + push.push,
            contact: Some(push.contact),
        })
}
