//! The tree of a mesh over boxes of anything else.

use super::tree::MeshTree;
use crate::core::shape::Aabb;
use glam::DVec3;

/// Finite boxes, and the tree that finds the few near a place.
#[derive(Debug)]
pub struct BoxTree {
    /// `None` over no boxes.
    tree: Option<MeshTree>,
    boxes: Vec<Aabb>,
}

impl BoxTree {
    /// Over boxes of finite numbers.
    pub fn new(boxes: Vec<Aabb>) -> Self {
        // Its leaves hold the numbers of the boxes and of one vertex that is not read.
        let tree = (!boxes.is_empty())
            .then(|| MeshTree::new(&boxes, &[DVec3::ZERO], &vec![[0; 3]; boxes.len()]).0);
        Self { tree, boxes }
    }

    /// The numbers of the boxes that overlap a region, inclusively, ascending.
    pub fn all_in(&self, region: &Aabb) -> Vec<u32> {
        let mut found = Vec::new();
        if let Some(tree) = &self.tree {
            tree.for_each_in(region, &mut |leaf| {
                if self.boxes[leaf.triangle as usize].overlaps(region) {
                    found.push(leaf.triangle);
                }
            });
        }
        found.sort_unstable();
        found
    }

    /// As [`BoxTree::for_each_near`], of the boxes that overlap `within`; the limit must be finite.
    pub fn for_each_near_within(
        &self,
        region: &Aabb,
        within: &Aabb,
        limit: f64,
        visit: &mut impl FnMut(u32) -> f64,
    ) {
        if let Some(tree) = &self.tree {
            let mut limit = limit;
            tree.for_each_near_within(region, within, limit, &mut |index| {
                if self.boxes[index as usize].overlaps(within) {
                    limit = visit(index);
                }
                limit
            });
        }
    }

    /// Visits boxes roughly from near to far around a region, leaving out what lies farther away than the limit, metres. `visit`
    /// gets a number and answers with the limit from there on.
    pub fn for_each_near(&self, region: &Aabb, limit: f64, visit: &mut impl FnMut(u32) -> f64) {
        if let Some(tree) = &self.tree {
            tree.for_each_near(region, limit, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Random, rounds};

    /// A box with whole corners.
    fn bounds(random: &mut Random) -> Aabb {
        let mut whole = |least: f64, count| least + random.below(count) as f64;
        let min = DVec3::from_array(std::array::from_fn(|_| whole(-9.0, 18)));
        let size = DVec3::from_array(std::array::from_fn(|_| whole(0.0, 4)));
        Aabb {
            min,
            max: min + size,
        }
    }

    /// Between two boxes, metres.
    fn distance(a: &Aabb, b: &Aabb) -> f64 {
        (a.min - b.max).max(b.min - a.max).max(DVec3::ZERO).length()
    }

    #[test]
    fn every_query_finds_what_a_loop_over_all_boxes_finds() {
        for seed in 0..rounds(2560) {
            let mut random = Random(seed);
            let boxes: Vec<Aabb> = (0..random.index(60)).map(|_| bounds(&mut random)).collect();
            let region = bounds(&mut random);
            let tree = BoxTree::new(boxes.clone());
            let overlapping = (0..).zip(&boxes).filter(|(_, one)| one.overlaps(&region));
            let expected: Vec<u32> = overlapping.map(|(index, _)| index).collect();
            assert_eq!(tree.all_in(&region), expected, "seed {seed}");
            let mut least = f64::INFINITY;
            tree.for_each_near(&region, f64::INFINITY, &mut |index| {
                least = least.min(distance(&boxes[index as usize], &region));
                least
            });
            let distances = boxes.iter().map(|one| distance(one, &region));
            assert_eq!(
                least,
                distances.fold(f64::INFINITY, f64::min),
                "seed {seed}"
            );
            // From a corner of the region, within 5 m and inside it.
            let corner = Aabb {
                min: region.min,
                max: region.min,
            };
            let mut visited = Vec::new();
            tree.for_each_near_within(&corner, &region, 5.0, &mut |index| {
                visited.push(index);
                5.0
            });
            for (index, one) in (0..).zip(&boxes) {
                if one.overlaps(&region) && distance(one, &corner) <= 5.0 {
                    assert!(visited.contains(&index), "seed {seed}");
                }
            }
            let inside = |index: &u32| boxes[*index as usize].overlaps(&region);
            assert!(visited.iter().all(inside), "seed {seed}");
        }
    }
}
