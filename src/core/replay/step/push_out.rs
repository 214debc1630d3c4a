//! Push-out: separates overlapping objects by the shortest push, in a fixed order.

use super::narrow::{rounding, stand};
use super::plan::PlannedMotion;
use crate::core::broad_phase::{Entry, candidate_pairs};
use crate::core::query::{Contact, contact};
use crate::core::replay::{ObjectId, Phase};
use crate::core::scene::Scene;
use crate::core::shape::{Aabb, Pose};
use crate::core::tolerance::NEAR_SHARE;
use glam::DVec3;

/// Pushes of one frame that are listed, besides, for each object.
const PUSHES_SHARE: usize = 32;

/// Pushes of one frame that are listed with all their numbers, at least; the further ones are counted.
///
/// Some 30 MB. A heap that rests has three or four contacts a body, each pushed in every round; only piles come here.
const PUSHES_BASE: usize = 65_536;

/// One push, as in [`Phase::Push`].
#[derive(Clone, Copy, Debug)]
pub struct Push {
    /// The object that is moved.
    pub object: ObjectId,
    /// The other object.
    pub against: ObjectId,
    /// World, metres.
    pub push: DVec3,
    /// Position before.
    pub before: DVec3,
    /// The contact, with its normal toward the moved object.
    pub contact: Contact,
}

/// Settings of the push-out.
#[derive(Clone, Copy, Debug)]
pub struct PushRule {
    /// Rounds over all contacts, at most.
    pub rounds: u32,
    /// Overlaps up to this depth (metres, plus rounding) are left alone; `None` pushes out every one, with a margin for rounding.
    pub slop: Option<f64>,
}

/// Whether two objects push each other: no sensor, and one of them movable.
pub fn acts(scene: &Scene, travels: &[PlannedMotion], a: ObjectId, b: ObjectId) -> bool {
    let (a, b) = (a as usize, b as usize);
    let (one, other) = (&scene.objects[a], &scene.objects[b]);
    travels[a].inverse_mass + travels[b].inverse_mass > 0.0
        && !one.sensor
        && !other.sensor
        && one.collides_with(other)
}

/// Result of [`push_out`].
#[derive(Debug, Default)]
pub struct Pushes {
    /// The first pushes, in order; the rest is only counted, to bound the memory.
    pub first: Vec<Push>,
    /// Total number of pushes.
    pub count: u32,
    /// By object: whether it was pushed. Empty without a push.
    pub moved: Vec<bool>,
}

impl Pushes {
    fn add(&mut self, most: usize, push: Push) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < most {
            self.first.push(push);
        }
    }
}

/// Pushes until nothing overlaps or the rounds are used up, pairs in order, each push with the result of the last (Gauss-Seidel).
///
/// A push is divided by inverse mass. `touched` is called with every contact (a, b, contact, whether it is pushed) before its push.
pub fn push_out(
    scene: &Scene,
    travels: &[PlannedMotion],
    poses: &mut [Pose],
    rule: PushRule,
    mut touched: impl FnMut(ObjectId, ObjectId, &Contact, bool),
) -> Pushes {
    let most = PUSHES_BASE + PUSHES_SHARE * poses.len();
    let mut pushes = Pushes::default();
    let mut search = OverlapSearch::new(scene, travels, poses);
    for _ in 0..rule.rounds {
        let before = pushes.count;
        let mut moved = vec![false; poses.len()];
        for pair in search.pairs() {
            push_pair(scene, travels, poses, rule, pair, &mut touched, |push| {
                moved[push.object as usize] = true;
                pushes.add(most, push);
            });
        }
        if pushes.count == before {
            break;
        }
        search.follow(poses, &moved);
        pushes.moved.resize(moved.len(), false);
        for (all, now) in pushes.moved.iter_mut().zip(moved) {
            *all |= now;
        }
    }
    pushes
}

/// Current boxes and near pairs, so that the cost of a round depends on what has moved.
struct OverlapSearch<'s> {
    scene: &'s Scene,
    travels: &'s [PlannedMotion],
    /// Current boxes; `moves` is whether they have moved since they were tested.
    now: Vec<Entry>,
    /// Larger boxes, valid until an object leaves its own.
    fat: Vec<Entry>,
    /// Interacting pairs whose larger boxes overlap; sorted.
    near: Vec<(ObjectId, ObjectId)>,
}

impl<'s> OverlapSearch<'s> {
    fn new(scene: &'s Scene, travels: &'s [PlannedMotion], poses: &[Pose]) -> Self {
        let entries = travels.iter().enumerate().map(|(index, travel)| Entry {
            bounds: stands(scene, travels, poses, index),
            moves: travel.inverse_mass > 0.0,
        });
        let mut search = Self {
            scene,
            travels,
            now: entries.collect(),
            fat: Vec::new(),
            near: Vec::new(),
        };
        search.choose();
        search
    }

    /// Finds the near pairs.
    fn choose(&mut self) {
        let fat = self
            .now
            .iter()
            .zip(self.travels)
            .map(|(now, travel)| Entry {
                bounds: now.bounds.map(|bounds| {
                    let size = (bounds.max - bounds.min).max_element();
                    bounds.grown(size * NEAR_SHARE)
                }),
                moves: travel.inverse_mass > 0.0,
            });
        self.fat = fat.collect();
        self.near = candidate_pairs(&self.fat);
        let (scene, travels) = (self.scene, self.travels);
        self.near.retain(|&(a, b)| acts(scene, travels, a, b));
    }

    /// Pairs whose current boxes overlap, one of which has moved since its last test; sorted.
    fn pairs(&self) -> impl Iterator<Item = (ObjectId, ObjectId)> {
        let may_touch =
            |(a, b): &(ObjectId, ObjectId)| self.now[*a as usize].meets(&self.now[*b as usize]);
        self.near.iter().copied().filter(may_touch)
    }

    /// Which objects have moved since their last test.
    fn follow(&mut self, poses: &[Pose], moved: &[bool]) {
        let mut left = false;
        for (index, moved) in moved.iter().enumerate() {
            if !moved {
                self.now[index].moves = false;
                continue;
            }
            let bounds = stands(self.scene, self.travels, poses, index);
            self.now[index] = Entry {
                bounds,
                moves: true,
            };
            left |= match (bounds, self.fat[index].bounds) {
                (Some(now), Some(fat)) => !(fat.contains(now.min) && fat.contains(now.max)),
                _ => false,
            };
        }
        if left {
            self.choose();
        }
    }
}

/// Bounding box of an object; [`Aabb::NOWHERE`] when its numbers are not finite.
fn stands(scene: &Scene, travels: &[PlannedMotion], poses: &[Pose], index: usize) -> Option<Aabb> {
    if travels[index].is_finite() {
        stand(&scene.objects[index], &poses[index])
    } else {
        Some(Aabb::NOWHERE)
    }
}

fn push_pair(
    scene: &Scene,
    travels: &[PlannedMotion],
    poses: &mut [Pose],
    rule: PushRule,
    (a, b): (ObjectId, ObjectId),
    touched: &mut impl FnMut(ObjectId, ObjectId, &Contact, bool),
    mut pushed_by: impl FnMut(Push),
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
            pushed_by(Push {
                object,
                against,
                push,
                before,
                contact,
            });
        }
    }
}

/// The contact with the roles exchanged: its point on the surface of what was the first shape.
fn seen_from_other_side(contact: &Contact) -> Contact {
    Contact {
        point: contact.point - contact.normal * contact.depth,
        normal: -contact.normal,
        feature_a: contact.feature_b,
        feature_b: contact.feature_a,
        ..*contact
    }
}

/// The first pushes as phases at a fraction of the frame, numbered.
pub fn phases(pushes: &Pushes, at: f64) -> impl Iterator<Item = Phase> + '_ {
    let of = pushes.count;
    pushes
        .first
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
