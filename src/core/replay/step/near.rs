//! The boxes around the paths of a step's objects, and which of them overlap.

use crate::core::replay::ObjectId;
use crate::core::shape::{Aabb, BoxTree};

/// By object: a box around all of its segments so far, `None` for an unbounded one. Objects whose boxes overlap are neighbours.
pub struct Near {
    boxes: Vec<Option<Aabb>>,
    /// Over the finite boxes as they were when it was built, with their objects; `None` until a box grows.
    tree: Option<(BoxTree, Vec<ObjectId>)>,
    /// Those that are not in the tree, or have grown since.
    others: Vec<ObjectId>,
}

impl Near {
    pub fn new(boxes: Vec<Option<Aabb>>) -> Self {
        Self {
            boxes,
            tree: None,
            others: Vec::new(),
        }
    }

    pub fn boxes(&self) -> &[Option<Aabb>] {
        &self.boxes
    }

    /// Grows an object's box to hold another one, and returns the objects whose boxes overlap it then, ascending; `None` where it held that
    /// before.
    pub fn grow(&mut self, object: ObjectId, by: &Aabb) -> Option<Vec<ObjectId>> {
        let known = self.boxes[object as usize]?;
        if known.contains(by.min) && known.contains(by.max) {
            return None;
        }
        // A tree that knows all but the square root of the boxes: building it again and looking through the others cost about the same.
        if self.tree.is_none() || self.others.len().pow(2) > self.boxes.len() {
            self.build();
        }
        let grown = Some(known.union(by));
        self.boxes[object as usize] = grown;
        self.others.push(object);
        let mut found = self.others.clone();
        if let (Some((tree, ids)), Some(grown)) = (&self.tree, &grown) {
            let places = tree.all_in(grown).into_iter();
            found.extend(places.map(|place| ids[place as usize]));
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|other| {
            *other != object && boxes_overlap(&grown, &self.boxes[*other as usize])
        });
        Some(found)
    }

    fn build(&mut self) {
        let is_finite = |bounds: &Aabb| bounds.min.is_finite() && bounds.max.is_finite();
        let finite = |bounds: &Option<Aabb>| bounds.as_ref().copied().filter(is_finite);
        let all = (0..).zip(&self.boxes);
        let (known, others): (Vec<_>, Vec<_>) = all
            .map(|(id, bounds)| (id, finite(bounds)))
            .partition(|(_, bounds)| bounds.is_some());
        self.others = others.into_iter().map(|(id, _)| id).collect();
        let ids = known.iter().map(|(id, _)| *id).collect();
        let boxes = known.into_iter().filter_map(|(_, bounds)| bounds).collect();
        self.tree = Some((BoxTree::new(boxes), ids));
    }
}

/// Inclusive; unbounded overlaps everything except [`Aabb::NOWHERE`].
pub fn boxes_overlap(a: &Option<Aabb>, b: &Option<Aabb>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.overlaps(b),
        (Some(bounded), None) | (None, Some(bounded)) => !bounded.min.is_nan(),
        (None, None) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Random, rounds};
    use glam::DVec3;

    /// Every box against every other, after each growth.
    #[test]
    fn a_grown_box_has_the_neighbours_of_a_search_through_all() {
        for seed in 0..rounds(20) {
            let mut random = Random(seed);
            let mut point =
                |size: f64| DVec3::from_array([(); 3].map(|()| random.range(-size, size)));
            let mut boxes: Vec<Option<Aabb>> = (0..60)
                .map(|_| Aabb::of_points([point(10.0)]).map(|at| at.grown(0.5)))
                .collect();
            boxes[7] = None;
            boxes[8] = Some(Aabb::NOWHERE);
            let mut near = Near::new(boxes.clone());
            for step in 0..80_u32 {
                let object = (step * 37 + 11) % 60;
                let reach = Aabb::of_points([point(10.0), point(1.0)]).unwrap();
                let Some(known) = boxes[object as usize].filter(|_| object != 8) else {
                    continue;
                };
                let found = near.grow(object, &reach);
                let grown = Some(known.union(&reach));
                let is_new = grown != Some(known);
                boxes[object as usize] = grown;
                let all: Vec<ObjectId> = (0..60)
                    .filter(|other| *other != object)
                    .filter(|other| boxes_overlap(&grown, &boxes[*other as usize]))
                    .collect();
                assert_eq!(found, is_new.then_some(all), "{seed} {step}");
            }
        }
    }
}
