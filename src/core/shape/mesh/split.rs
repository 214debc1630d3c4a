//! How a mesh's triangles are parted into a tree: where the surface area of both sides, each times its triangles, is least
//! (MacDonald and Booth 1990), tried at a few places (Wald 2007).

use super::node::WIDE;
use crate::core::shape::Aabb;
use glam::DVec3;
use smallvec::{SmallVec, smallvec};

/// Places at which a split is tried.
const BINS: usize = 12;

/// Levels after which halves are split off, whatever their surface: no mesh makes the tree much deeper.
const DEEP: u32 = 48;

/// Some triangles in a row of `order`, and the box around them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub from: usize,
    pub to: usize,
    pub bounds: Aabb,
}

impl Part {
    /// All of them.
    pub(super) fn whole(boxes: &[Aabb]) -> Self {
        let bounds = boxes[1..]
            .iter()
            .fold(boxes[0], |bounds, next| bounds.union(next));
        Self {
            from: 0,
            to: boxes.len(),
            bounds,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.to - self.from
    }

    fn of(boxes: &[Aabb], order: &[u32], from: usize, to: usize) -> Self {
        let first = boxes[order[from] as usize];
        let bounds = order[from + 1..to].iter().fold(first, |bounds, &triangle| {
            bounds.union(&boxes[triangle as usize])
        });
        Self { from, to, bounds }
    }

    /// As many parts as a node holds: the largest is split until there are so many, or none has more triangles than a node holds.
    pub(super) fn for_a_node(
        self,
        boxes: &[Aabb],
        order: &mut [u32],
        depth: u32,
    ) -> SmallVec<[Self; WIDE]> {
        let mut parts: SmallVec<[Self; WIDE]> = smallvec![self];
        while parts.len() < WIDE {
            let splittable = |part: &Self| part.len() > WIDE;
            let largest = (0..parts.len())
                .filter(|&at| splittable(&parts[at]))
                .max_by(|&a, &b| area(&parts[a].bounds).total_cmp(&area(&parts[b].bounds)));
            let Some(at) = largest else {
                break;
            };
            let part = parts[at];
            let middle = part.split(boxes, order, depth);
            parts[at] = Self::of(boxes, order, part.from, middle);
            parts.push(Self::of(boxes, order, middle, part.to));
        }
        parts
    }

    /// Puts its triangles in two groups and answers where the second begins; neither is empty.
    fn split(&self, boxes: &[Aabb], order: &mut [u32], depth: u32) -> usize {
        let part = &mut order[self.from..self.to];
        let center = |triangle: u32| boxes[triangle as usize].center();
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &triangle in part.iter() {
            min = min.min(center(triangle));
            max = max.max(center(triangle));
        }
        let axis = (max - min).max_position();
        let per_metre = BINS as f64 / (max[axis] - min[axis]);
        let bin = |triangle: u32| {
            (((center(triangle)[axis] - min[axis]) * per_metre) as usize).min(BINS - 1)
        };
        let middle = if depth < DEEP {
            best_split(boxes, part, &bin).map(|last| {
                let mut middle = 0;
                for at in 0..part.len() {
                    if bin(part[at]) <= last {
                        part.swap(middle, at);
                        middle += 1;
                    }
                }
                middle
            })
        } else {
            None
        };
        let usable = |middle: &usize| *middle > 0 && *middle < part.len();
        let middle = middle.filter(usable).unwrap_or_else(|| {
            let half = part.len() / 2;
            part.select_nth_unstable_by(half, |&a, &b| {
                let by_place = center(a)[axis].total_cmp(&center(b)[axis]);
                by_place.then(a.cmp(&b))
            });
            half
        });
        self.from + middle
    }
}

/// The last bin of the first group, where splitting is cheapest; `None` when all are in one bin.
fn best_split(boxes: &[Aabb], part: &[u32], bin: &impl Fn(u32) -> usize) -> Option<usize> {
    let mut bins: [Option<(Aabb, usize)>; BINS] = [None; BINS];
    for &triangle in part {
        let bounds = boxes[triangle as usize];
        let slot = &mut bins[bin(triangle)];
        *slot = Some(match slot {
            Some((around, count)) => (around.union(&bounds), *count + 1),
            None => (bounds, 1),
        });
    }
    let mut behind = [None; BINS];
    let mut sum = None;
    for at in (1..BINS).rev() {
        sum = join(sum, bins[at]);
        behind[at] = sum;
    }
    let mut before = None;
    let mut best: Option<(f64, usize)> = None;
    for at in 0..BINS - 1 {
        before = join(before, bins[at]);
        if let (Some(one), Some(other)) = (before, behind[at + 1]) {
            let cost = |(bounds, count): (Aabb, usize)| area(&bounds) * count as f64;
            let cost = cost(one) + cost(other);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, at));
            }
        }
    }
    best.map(|(_, at)| at)
}

fn join(a: Option<(Aabb, usize)>, b: Option<(Aabb, usize)>) -> Option<(Aabb, usize)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.union(&b.0), a.1 + b.1)),
        (one, other) => one.or(other),
    }
}

/// Half the surface of a box.
fn area(bounds: &Aabb) -> f64 {
    let size = bounds.max - bounds.min;
    size.x * size.y + size.y * size.z + size.z * size.x
}
