//! Collision filters of `KHR_physics_rigid_bodies`, as layers and masks.

use super::colliders::list;
use super::document::Document;
use crate::core::scene::Object;
use serde_json::Value;
use std::collections::BTreeSet;

/// One bit for each kind of filter; bit 0 is for colliders without one.
const KINDS: usize = 31;

/// The systems that a filter names.
#[derive(Debug, Default, PartialEq, Eq)]
struct Systems<'d> {
    own: BTreeSet<&'d str>,
    /// With these alone; `None`: with all.
    with: Option<BTreeSet<&'d str>>,
    not_with: BTreeSet<&'d str>,
}

impl Systems<'_> {
    /// As the extension defines it: all systems of the other are in `with`, and not all of them in `not_with`. Without systems
    /// it collides.
    fn allow(&self, other: &Self) -> bool {
        let own = &other.own;
        let is_listed = self.with.as_ref().is_none_or(|with| own.is_subset(with));
        own.is_empty() || (is_listed && !own.is_subset(&self.not_with))
    }
}

/// The filters of a document.
pub(super) struct Filters {
    /// By filter: its kind; equal filters have one.
    kinds: Vec<usize>,
    /// By kind, the first [`KINDS`] of them.
    masks: Vec<u32>,
}

impl Filters {
    pub(super) fn of(document: &Document) -> Self {
        let mut distinct: Vec<Systems<'_>> = Vec::new();
        let all = list(
            &document.extensions,
            "KHR_physics_rigid_bodies",
            "collisionFilters",
        );
        let kinds = all
            .iter()
            .map(|filter| {
                let names = |key: &str| {
                    let names = filter.get(key)?.as_array()?.iter();
                    Some(names.filter_map(Value::as_str).collect())
                };
                let systems = Systems {
                    own: names("collisionSystems").unwrap_or_default(),
                    with: names("collideWithSystems"),
                    not_with: names("notCollideWithSystems").unwrap_or_default(),
                };
                let known = distinct.iter().position(|one| *one == systems);
                known.unwrap_or_else(|| {
                    // One more than there are bits is enough to know that it has none.
                    if distinct.len() <= KINDS {
                        distinct.push(systems);
                    }
                    distinct.len() - 1
                })
            })
            .collect();
        distinct.truncate(KINDS);
        let mask = |one: &Systems<'_>| {
            let others = distinct.iter().zip(1_u32..);
            let allowed = others.filter(|(other, _)| one.allow(other));
            // Colliders without a filter, and those whose filter has no bit.
            allowed.fold(1, |mask, (_, bit)| mask | 1 << bit)
        };
        let masks = distinct.iter().map(mask).collect();
        Self { kinds, masks }
    }

    /// Sets an object's layer and mask by a filter.
    pub(super) fn apply(&self, filter: usize, object: &mut Object) -> Result<(), &'static str> {
        let kind = *self
            .kinds
            .get(filter)
            .ok_or("its collision filter is not there, and is left out")?;
        object.mask = *self
            .masks
            .get(kind)
            .ok_or("its collision filter is left out: at most 31 different ones are read")?;
        object.layer = 1 << (kind + 1);
        Ok(())
    }
}
