//! Parts of shapes by their names.

use glam::DVec3;
use smallvec::SmallVec;

/// Which part of a shape was closest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// A vertex by its number (segment: 0, 1; triangle: 0, 1, 2; box: bits 0, 1, 2 choose the positive side of x, y, z).
    Vertex(u32),
    /// An edge by its number (triangle: 0 is ab, 1 is bc, 2 is ca; segment: 0; box: 4 * axis + bits of the other two axes).
    Edge(u32),
    /// A face by its number (triangle and plane: 0; box: 2 * axis, + 1 on the positive side).
    Face(u32),
    /// A round surface, which has no parts.
    Round,
}

/// The part of a box around the origin that touches a plane coming from a direction, in the box's frame, and its points: a loop
/// of four for a face. Axes along which the direction's component is at most `slack` span the part.
pub(in crate::core) fn box_feature(
    direction: DVec3,
    half_extents: DVec3,
    slack: f64,
) -> (Feature, SmallVec<[DVec3; 8]>) {
    let corner = half_extents.copysign(direction);
    let positive = |axis: usize| u32::from(direction[axis] > 0.0);
    let open: SmallVec<[usize; 3]> = (0..3)
        .filter(|&axis| direction[axis].abs() <= slack)
        .collect();
    let flipped = |mut point: DVec3, axis: usize| {
        point[axis] = -point[axis];
        point
    };
    match open[..] {
        [] => {
            let number = positive(0) | positive(1) << 1 | positive(2) << 2;
            (Feature::Vertex(number), SmallVec::from_slice(&[corner]))
        }
        [axis] => {
            let others = [(1, 2), (0, 2), (0, 1)][axis];
            let number = 4 * axis as u32 + (positive(others.0) | positive(others.1) << 1);
            let mut start = corner;
            start[axis] = -half_extents[axis];
            let ends = [start, flipped(start, axis)];
            (Feature::Edge(number), SmallVec::from_slice(&ends))
        }
        [first, second, ..] => {
            let axis = 3 - first - second;
            let number = 2 * axis as u32 + positive(axis);
            let across = flipped(corner, first);
            let ring = [
                corner,
                across,
                flipped(across, second),
                flipped(corner, second),
            ];
            (Feature::Face(number), SmallVec::from_slice(&ring))
        }
    }
}
