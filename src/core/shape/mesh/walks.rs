//! The walks through a tree of boxes, whatever it is stored as.

use crate::core::shape::Aabb;
use smallvec::{SmallVec, smallvec};

/// Children of a node, at most, and what is asked of each: its number among them, and a box or a distance.
pub(super) type Children<T> = SmallVec<[(u32, T); 16]>;

/// A tree over triangles. The children of a node are nodes or triangles, numbered from 0 and fewer than 32.
pub(super) trait Tree {
    type Node: Copy + Ord;

    /// The node above all.
    fn root(&self) -> Self::Node;

    fn holds_triangles(&self, node: Self::Node) -> bool;

    /// A child that is a node.
    fn child(&self, node: Self::Node, child: u32) -> Self::Node;

    /// The number of a child that is a triangle.
    fn triangle(&self, node: Self::Node, child: u32) -> u32;

    /// The boxes of a node's children, metres.
    fn boxes(&self, node: Self::Node) -> Children<Aabb>;

    /// How far each child's box is from a region, metres, or less; 0 where it is not known.
    fn distances(&self, node: Self::Node, region: &Aabb) -> Children<f64>;

    /// Has a node brought near, before it is tested.
    #[inline(always)]
    fn fetch(&self, _: Self::Node) {}
}

/// Visits the triangles among the children that `enter` picks, one bit each.
#[inline(always)]
pub(super) fn walk<T: Tree>(
    tree: &T,
    start: T::Node,
    enter: impl Fn(T::Node) -> u32,
    mut visit: impl FnMut(T::Node, u32),
) {
    let mut open: SmallVec<[T::Node; 64]> = smallvec![start];
    while let Some(node) = open.pop() {
        let mut entered = enter(node);
        while entered != 0 {
            let child = entered.trailing_zeros();
            entered &= entered - 1;
            if tree.holds_triangles(node) {
                visit(node, child);
            } else {
                let below = tree.child(node, child);
                tree.fetch(below);
                open.push(below);
            }
        }
    }
}

/// Visits triangles from near to far while their box is no farther away than the limit; `visit` answers with the new limit.
pub(super) fn walk_near<T: Tree>(
    tree: &T,
    start: T::Node,
    distances: &impl Fn(T::Node) -> Children<f64>,
    mut limit: f64,
    visit: &mut impl FnMut(u32) -> f64,
) {
    let mut open: SmallVec<[(T::Node, u32, f64); 64]> = smallvec![];
    let push = |open: &mut SmallVec<[(T::Node, u32, f64); 64]>, node: T::Node, limit: f64| {
        let first = open.len();
        for (child, away) in distances(node) {
            if away <= limit {
                open.push((node, child, away));
            }
        }
        open[first..].sort_unstable_by(|a, b| b.2.total_cmp(&a.2).then(b.1.cmp(&a.1)));
    };
    push(&mut open, start, limit);
    while let Some((node, child, away)) = open.pop() {
        if away > limit {
            continue;
        }
        if tree.holds_triangles(node) {
            limit = visit(tree.triangle(node, child));
        } else {
            push(&mut open, tree.child(node, child), limit);
        }
    }
}

/// Visits pairs of a triangle of one tree and one of another roughly from near to far while their boxes are no farther apart than
/// the limit; `visit` answers with the new limit. `to_first` brings a box of the second's space into the first's.
pub(super) fn walk_pairs<T: Tree, U: Tree>(
    (one, two): (&T, &U),
    to_first: &impl Fn(&Aabb) -> Aabb,
    mut limit: f64,
    visit: &mut impl FnMut(u32, u32) -> f64,
) {
    let mut open = vec![((one.root(), two.root()), 0.0)];
    let mut pairs: SmallVec<[([u32; 2], f64); 64]> = smallvec![];
    while let Some(((first, second), away)) = open.pop() {
        if away > limit {
            continue;
        }
        pairs.clear();
        for (of_second, bounds) in two.boxes(second) {
            let near = one.distances(first, &to_first(&bounds)).into_iter();
            pairs.extend(near.map(|(of_first, away)| ([of_first, of_second], away)));
        }
        pairs.retain(|(_, away)| *away <= limit);
        pairs.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        let are_triangles = (one.holds_triangles(first), two.holds_triangles(second));
        if are_triangles == (true, true) {
            for &([of_first, of_second], away) in &pairs {
                if away <= limit {
                    limit = visit(
                        one.triangle(first, of_first),
                        two.triangle(second, of_second),
                    );
                }
            }
            continue;
        }
        // A node of triangles waits until the other's are triangles, too: of its children the nearest stands for all.
        let first_open = open.len();
        for &([of_first, of_second], away) in &pairs {
            let below = (
                match are_triangles.0 {
                    true => first,
                    false => one.child(first, of_first),
                },
                match are_triangles.1 {
                    true => second,
                    false => two.child(second, of_second),
                },
            );
            if open[first_open..].iter().all(|(known, _)| *known != below) {
                open.push((below, away));
            }
        }
        open[first_open..].reverse();
    }
}
