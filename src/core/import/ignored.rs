//! Pairs of objects that a file excludes on purpose, as ignore lists: joints, and filters.

use super::{Geometry, MovedObject};
use crate::core::scene::{Movement, Object};
use std::collections::{BTreeMap, BTreeSet};

/// Limit of the pairs of objects on ignore lists, for joints and for filters.
pub(super) const MAX_PAIRS: usize = 100_000;

/// Nodes of the colliders on both sides of a joint.
pub(super) type Sides = [BTreeSet<usize>; 2];

impl Geometry {
    /// Objects that a joint connects ignore each other.
    pub(super) fn ignore_joined(&self, objects: &mut [MovedObject]) {
        for sides in &self.joints {
            let [one, others] = sides.each_ref().map(|side| {
                let is_of = |node: &Option<usize>| node.is_some_and(|node| side.contains(&node));
                let all = objects.iter().enumerate();
                let own = all.filter(|(_, (_, node))| is_of(node));
                own.map(|(index, _)| index).collect::<Vec<usize>>()
            });
            ignore(objects, &one, &others);
        }
    }
}

/// Objects that filters exclude ignore each other where layers and masks alone may be a mistake: beside what is fixed, or where one of the
/// two masks excludes the other. Beyond [`MAX_PAIRS`] the rest have layers and masks alone.
pub(super) fn ignore_filtered(objects: &mut [MovedObject]) {
    let mut kinds: BTreeMap<(u32, u32, bool), Vec<usize>> = BTreeMap::new();
    for (index, (object, _)) in objects.iter().enumerate() {
        let is_fixed = object.movement == Movement::Fixed;
        let kind = (object.layer, object.mask, is_fixed);
        kinds.entry(kind).or_default().push(index);
    }
    let mut pairs = 0;
    for (number, (a, of_a)) in kinds.iter().enumerate() {
        for (b, of_b) in kinds.iter().skip(number) {
            let excludes = [a.0 & b.1 == 0, b.0 & a.1 == 0];
            let is_doubtful = a.2 != b.2 || excludes[0] != excludes[1];
            if !excludes.contains(&true) || !is_doubtful {
                continue;
            }
            pairs += of_a.len() * of_b.len();
            if pairs > MAX_PAIRS {
                return;
            }
            ignore(objects, of_a, of_b);
        }
    }
}

/// Each of one list and each of another ignore each other.
fn ignore(objects: &mut [MovedObject], one: &[usize], others: &[usize]) {
    for &index in one {
        let named = others.iter().filter(|&&other| other != index);
        let names: Vec<String> = named.map(|&other| objects[other].0.name.clone()).collect();
        let object: &mut Object = &mut objects[index].0;
        for name in names {
            if !object.ignores.contains(&name) {
                object.ignores.push(name);
            }
        }
    }
}
