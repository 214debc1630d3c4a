//! Which of the bodies in question a run has, and whether they come near each other.

use super::names::{CAMERA, fits, form};
use crate::core::bounds::swept_aabb;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::Movement;
use crate::core::shape::{Aabb, Motion};
use std::collections::HashMap;

/// The objects of a run.
pub(super) struct Present<'r> {
    replay: &'r Replay,
    /// In the names that are asked for `*` stands for any letters, else for numbers alone.
    is_given: bool,
    by_form: HashMap<String, Vec<ObjectId>>,
}

impl<'r> Present<'r> {
    pub fn of(replay: &'r Replay, is_given: bool) -> Self {
        let mut by_form: HashMap<String, Vec<ObjectId>> = HashMap::new();
        for (object, id) in replay.objects().iter().zip(0..) {
            by_form.entry(form(&object.name)).or_default().push(id);
        }
        Self {
            replay,
            is_given,
            by_form,
        }
    }

    /// The objects of a name, or of the form of one.
    fn all(&self, name: &str) -> Vec<ObjectId> {
        let objects = self.replay.objects();
        if !self.is_given {
            let all = self.by_form.get(&form(name)).into_iter().flatten().copied();
            let is_it = |id: &ObjectId| name.contains('*') || objects[*id as usize].name == name;
            return all.filter(is_it).collect();
        }
        let fit = objects.iter().zip(0..);
        let fit = fit.filter(|(object, _)| fits(name, &object.name));
        fit.map(|(_, id)| id).collect()
    }

    /// Whether two of these can meet: of those that any letters stand for, a floor and a wall cannot.
    fn can_meet(&self, a: ObjectId, b: ObjectId) -> bool {
        let objects = self.replay.objects();
        let moves = |id: ObjectId| objects[id as usize].movement != Movement::Fixed;
        a != b && (!self.is_given || moves(a) || moves(b))
    }

    /// Why a run cannot have a finding of two bodies; `None` where it can.
    pub fn lack(&self, names: &[String; 2]) -> Option<String> {
        let replay = self.replay;
        let is_there =
            |id: &ObjectId| (0..=replay.frames()).any(|at| replay.body(at, *id).is_some());
        // The camera is no object, and a value that is not a number has no second one.
        let named = names
            .iter()
            .filter(|name| !name.is_empty() && *name != CAMERA);
        let mut found = Vec::new();
        for name in named {
            let ids: Vec<ObjectId> = self.all(name).into_iter().filter(is_there).collect();
            if ids.is_empty() {
                return Some(format!("its log has no state of \"{name}\""));
            }
            found.push(ids);
        }
        let [all_a, all_b] = &found[..] else {
            return None;
        };
        let is_tested = |a: ObjectId| {
            let mut others = all_b.iter().filter(|b| self.can_meet(a, **b));
            others.any(|b| replay.exemption(0, a, *b).is_none())
        };
        let [a, b] = names;
        (!all_a.iter().any(|a| is_tested(*a))).then(|| {
            format!(
                "\"{a}\" and \"{b}\" are not tested against each other in its log: one body, a joint or an ignore list"
            )
        })
    }

    /// Whether the boxes around the ways of two of these bodies come near each other in any frame; true where one is not an object, or has no box.
    pub fn come_near(&self, names: &[String; 2]) -> bool {
        let ids = names.each_ref().map(|name| self.all(name));
        if ids.iter().any(Vec::is_empty) {
            return true;
        }
        (0..self.replay.frames()).any(|frame| {
            let [all_a, all_b] = ids.each_ref().map(|ids| {
                let ways = ids.iter().filter_map(|id| self.way(frame, *id));
                ways.collect::<Vec<_>>()
            });
            let is_near = |a: &Way, b: &Way| self.can_meet(a.id, b.id) && a.is_near(b);
            all_a.iter().any(|a| all_b.iter().any(|b| is_near(a, b)))
        })
    }

    fn way(&self, frame: u32, id: ObjectId) -> Option<Way> {
        let pose = |state: u32| Some(self.replay.body(state, id)?.pose);
        let (start, end) = (pose(frame)?, pose(frame + 1)?);
        let shape = &self.replay.objects()[id as usize].shape;
        Some(Way {
            id,
            bounds: swept_aabb(shape, &Motion { start, end }),
            reach: shape.reach().unwrap_or(f64::INFINITY),
        })
    }
}

/// The motion of a body over a frame.
struct Way {
    id: ObjectId,
    /// The box around it; `None` is unbounded.
    bounds: Option<Aabb>,
    /// Radius of the body.
    reach: f64,
}

impl Way {
    fn is_near(&self, other: &Self) -> bool {
        // Engines hold bodies some way off, at most by about their size.
        let off = self.reach.min(other.reach);
        match (&self.bounds, &other.bounds) {
            (Some(a), Some(b)) => a.grown(off).overlaps(b),
            _ => true,
        }
    }
}
