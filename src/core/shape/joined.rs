//! Boxes side by side that are one larger box, so that no answer depends on how a floor is cut into tiles.

use super::compound::CompoundPart;
use super::{Aabb, BoxTree, Compound, Pose, RoundedBox, Shape, SolidShape};
use crate::core::tolerance::{CONVEX_SHARE, LOG_ROUNDING};
use glam::{DMat3, DQuat, DVec3};
use std::collections::HashMap;
use std::sync::Arc;

/// The box of which a shape is a part.
#[derive(Clone, Debug)]
pub(in crate::core) struct Joined {
    /// The first of its parts: an index of the solids given.
    pub first: usize,
    /// The whole, in the space of the part.
    pub shape: Shape,
}

/// A box along the axes of a rotation, in its space.
struct Block {
    low: DVec3,
    high: DVec3,
    /// Of its edges, metres.
    radius: f64,
    /// Width of a gap or step that is rounding, metres.
    touch: f64,
    /// Indices of the solids given.
    parts: Vec<usize>,
}

/// Share of a box's smallest extent that rounding of its position may take (no unit). Larger, and small steps far from the origin are filled.
const MOST_ROUNDING: f64 = 1e-3;

/// Radius of the edges of boxes that are joined at most, as a share of the least half extent (no unit): the groove between two of them is filled.
const MOST_RADIUS: f64 = 0.25;

/// For each of some solids at rest the box that it is a part of: boxes with the same two extents and radius that touch or overlap along the
/// third are one. `None` for one that stands alone, and for every other shape.
pub(in crate::core) fn joined_boxes(solids: &[(&Shape, Pose)]) -> Vec<Option<Joined>> {
    let mut by_rotation: HashMap<[i64; 4], (DQuat, Vec<Block>)> = HashMap::new();
    for (index, (shape, pose)) in solids.iter().enumerate() {
        let Some((half, radius, local)) = box_of(shape) else {
            continue;
        };
        let least = half.min_element();
        if least <= 0.0 || radius > MOST_RADIUS * least {
            continue;
        }
        let pose = pose.then(&local);
        let axes = pose.axes();
        let (rotation, half) = upright([axes.x_axis, axes.y_axis, axes.z_axis], half);
        if !pose.is_finite() || !half.is_finite() {
            continue;
        }
        let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
        let key = rotation.to_array().map(|part| turn_key(part * sign));
        let (rotation, blocks) = by_rotation.entry(key).or_insert((rotation, Vec::new()));
        let center = rotation.conjugate() * pose.position;
        let rounding = LOG_ROUNDING * pose.position.abs().max_element();
        let size = least;
        blocks.push(Block {
            low: center - half,
            high: center + half,
            radius,
            touch: rounding.clamp(CONVEX_SHARE * size, MOST_ROUNDING * size),
            parts: vec![index],
        });
    }
    let mut joined: Vec<Option<Joined>> = vec![None; solids.len()];
    for (rotation, blocks) in by_rotation.into_values() {
        for block in merged(blocks) {
            let [first, _, ..] = block.parts[..] else {
                continue;
            };
            let half_extents = 0.5 * (block.high - block.low) - block.radius;
            let shape = match block.radius {
                0.0 => Shape::Box { half_extents },
                radius => Shape::Solid(SolidShape::RoundedBox(RoundedBox {
                    half_extents,
                    radius,
                })),
            };
            let whole = Pose {
                position: rotation * block.low.midpoint(block.high),
                rotation,
            };
            for part in block.parts {
                let pose = solids[part].1.to_local(&whole);
                joined[part] = Some(Joined {
                    first,
                    shape: placed_at(&shape, &pose),
                });
            }
        }
    }
    joined
}

/// Joins blocks along one axis after the other until none is left to join; the parts of each ascending.
fn merged(mut blocks: Vec<Block>) -> Vec<Block> {
    loop {
        let before = blocks.len();
        for axis in [0, 2, 1] {
            blocks = merged_along(axis, blocks);
        }
        if blocks.len() == before {
            blocks
                .iter_mut()
                .for_each(|block| block.parts.sort_unstable());
            return blocks;
        }
    }
}

fn merged_along(axis: usize, blocks: Vec<Block>) -> Vec<Block> {
    let grown = |block: &Block| {
        Aabb {
            min: block.low,
            max: block.high,
        }
        .grown(block.touch)
    };
    let tree = BoxTree::new(blocks.iter().map(grown).collect());
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by(|i, j| blocks[*i].low[axis].total_cmp(&blocks[*j].low[axis]));
    let mut blocks: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
    let mut rows = Vec::with_capacity(blocks.len());
    for index in order {
        let Some(mut row) = blocks[index].take() else {
            continue;
        };
        // A longer row has further neighbours.
        loop {
            let mut end = grown(&row);
            end.min[axis] = row.high[axis] - row.touch;
            let near = tree.all_in(&end).into_iter();
            let next = near.map(|near| near as usize).find(|near| {
                let other = blocks[*near].as_ref();
                other.is_some_and(|other| row.goes_on_with(other, axis))
            });
            let Some(next) = next.and_then(|next| blocks[next].take()) else {
                break;
            };
            row.high[axis] = row.high[axis].max(next.high[axis]);
            row.parts.extend(next.parts);
        }
        rows.push(row);
    }
    rows
}

impl Block {
    /// Whether another one has the same extents across an axis and the same radius, and touches or overlaps along it.
    fn goes_on_with(&self, other: &Self, axis: usize) -> bool {
        let touch = self.touch.min(other.touch);
        let across = [(axis + 1) % 3, (axis + 2) % 3].into_iter();
        let is_same = across.flat_map(|side| {
            [
                self.low[side] - other.low[side],
                self.high[side] - other.high[side],
            ]
        });
        other.low[axis] <= self.high[axis] + touch
            && (self.radius - other.radius).abs() <= touch
            && is_same.into_iter().all(|by| by.abs() <= touch)
    }
}

/// Equal for parts of rotations that are the same but for rounding.
fn turn_key(part: f64) -> i64 {
    // No rotation that one writes is beside a border.
    (part / (8.0 * CONVEX_SHARE) + 0.236_067_977).floor() as i64
}

/// The rotation and half extents of a box of three axes, in an order in which they are as near to the coordinate axes as they can be: an
/// upright box stays upright.
pub(super) fn upright([x, y, z]: [DVec3; 3], half: DVec3) -> (DQuat, DVec3) {
    let mut rest = vec![(x, half.x), (y, half.y), (z, half.z)];
    let sorted = [0, 1, 2].map(|axis| {
        let along = |index: &usize| rest[*index].0[axis].abs();
        let best = (0..rest.len()).max_by(|i, j| along(i).total_cmp(&along(j)));
        let (direction, half) = rest.remove(best.unwrap_or(0));
        (direction * direction[axis].signum(), half)
    });
    let [x, y, z] = sorted.map(|(direction, _)| direction);
    let half = DVec3::from(sorted.map(|(_, half)| half));
    let is_upright = [x, y, z]
        .iter()
        .zip(DVec3::AXES)
        .all(|(one, axis)| one.distance(axis) <= CONVEX_SHARE);
    if is_upright {
        return (DQuat::IDENTITY, half);
    }
    let z = if x.cross(y).dot(z) < 0.0 { -z } else { z };
    (
        DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize(),
        half,
    )
}

/// The half extents of a box, the radius of its edges, and its pose in the space of the whole; `None` for every other shape.
fn box_of(shape: &Shape) -> Option<(DVec3, f64, Pose)> {
    match shape {
        Shape::Box { half_extents } => Some((*half_extents, 0.0, Pose::IDENTITY)),
        Shape::Solid(SolidShape::RoundedBox(rounded)) => {
            let half = rounded.half_extents + rounded.radius;
            Some((half, rounded.radius, Pose::IDENTITY))
        }
        Shape::Compound(compound) => {
            let part = compound.single()?;
            let (half, radius, pose) = box_of(&part.shape)?;
            Some((half, radius, part.pose.then(&pose)))
        }
        _ => None,
    }
}

/// A shape at a pose in the space of the whole.
pub(super) fn placed_at(shape: &Shape, pose: &Pose) -> Shape {
    if *pose == Pose::IDENTITY {
        return shape.clone();
    }
    let (shape, pose) = match shape {
        Shape::Compound(compound) => match compound.single() {
            Some(part) => (part.shape.clone(), pose.then(&part.pose)),
            None => (shape.clone(), *pose),
        },
        _ => (shape.clone(), *pose),
    };
    let single = Compound::new(vec![CompoundPart {
        shape: shape.clone(),
        pose,
    }]);
    single.map_or(shape, |single| Shape::Compound(Arc::new(single)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_a_floor_are_one_box() {
        let tile = Shape::Box {
            half_extents: DVec3::new(0.5, 0.1, 1.0),
        };
        // Two rows of three, one end apart, and one tile on top.
        let at = |x: f64, y: f64, z: f64| (&tile, Pose::at(DVec3::new(x, y, z)));
        let solids = [
            at(1.0, 0.0, 0.0),
            at(0.0, 0.0, 0.0),
            at(2.0, 0.0, 0.0),
            at(0.0, 0.0, 2.0),
            at(1.0, 0.0, 2.0),
            at(2.0, 0.0, 2.0),
            at(3.01, 0.0, 0.0),
            at(0.5, 0.2, 0.0),
        ];
        let joined = joined_boxes(&solids);
        for (place, of) in solids.iter().zip(&joined).take(6) {
            let joined = of.as_ref().expect("part of the floor");
            assert_eq!(joined.first, 0);
            let (half, radius, local) = box_of(&joined.shape).expect("a box");
            assert_eq!((half, radius), (DVec3::new(1.5, 0.1, 2.0), 0.0));
            assert_eq!(place.1.then(&local).position, DVec3::new(1.0, 0.0, 1.0));
        }
        assert!(joined[6..].iter().all(Option::is_none));
    }

    #[test]
    fn tiles_with_round_edges_are_one_if_they_are_as_round() {
        let tile = |radius: f64| {
            Shape::Solid(SolidShape::RoundedBox(RoundedBox {
                half_extents: DVec3::new(0.5, 0.2, 1.0) - radius,
                radius,
            }))
        };
        let [round, rounder, ball] = [0.02, 0.03, 0.15].map(tile);
        let tiles = [&round, &round, &rounder, &ball, &ball].into_iter();
        let places = (0..).map(|x| Pose::at(DVec3::new(f64::from(x), 0.0, 0.0)));
        let solids: Vec<(&Shape, Pose)> = tiles.zip(places).collect();
        let joined = joined_boxes(&solids);
        let (half, radius, _) = box_of(&joined[1].as_ref().expect("a part").shape).expect("a box");
        assert!(half.distance(DVec3::new(1.0, 0.2, 1.0)) < 1e-15);
        assert_eq!(radius, 0.02);
        assert!(joined[2..].iter().all(Option::is_none));
    }
}
