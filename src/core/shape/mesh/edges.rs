//! Which triangles of a mesh meet at which edge, by position: exporters split vertices along seams of texture and normals, and
//! that is not a gap. In a height field, neighbours follow from the numbers.

use super::grid::HeightGrid;
use crate::core::shape::Diagonal;

/// One side of an edge: a triangle, and which of its edges (0 is ab, 1 is bc, 2 is ca).
pub type EdgeOf = (u32, u32);

/// Every edge of every triangle, with those that share both its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshEdges(Source);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    Listed {
        /// Sorted by the two ends, so that the sides of one edge stand together.
        sides: Vec<([u32; 2], EdgeOf)>,
        /// Where each edge's ends are among `sides`, by `3 * triangle + edge`.
        ends: Vec<[u32; 2]>,
        boundary: u32,
    },
    Grid {
        /// Cells along x and z.
        cells: [u32; 2],
        diagonal: Diagonal,
    },
}

impl MeshEdges {
    /// `places` numbers the vertices by position. Edges whose ends are one place belong to nobody.
    pub(super) fn new(places: &[u32], triangles: &[[u32; 3]]) -> Self {
        let mut sides = Vec::with_capacity(3 * triangles.len());
        let mut ends = Vec::with_capacity(3 * triangles.len());
        for (corners, triangle) in triangles.iter().zip(0..) {
            for edge in 0..3 {
                let corner = |index: u32| places[corners[index as usize % 3] as usize];
                let (a, b) = (corner(edge), corner(edge + 1));
                let both = [a.min(b), a.max(b)];
                ends.push(both);
                if a != b {
                    sides.push((both, (triangle, edge)));
                }
            }
        }
        sides.sort_unstable();
        let boundary = sides
            .chunk_by(|x, y| x.0 == y.0)
            .filter(|one| one.len() == 1);
        Self(Source::Listed {
            boundary: boundary.count() as u32,
            ends,
            sides,
        })
    }

    pub(super) fn of_grid(grid: &HeightGrid) -> Self {
        Self(Source::Grid {
            cells: grid.cells(),
            diagonal: grid.diagonal(),
        })
    }

    /// Every `(triangle, edge)` that shares both ends with this edge, itself included; edge 0 is ab, 1 is bc, 2 is ca, and
    /// vertices in one place count as one. None for an edge without length.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn sides(&self, triangle: u32, edge: u32) -> impl Iterator<Item = EdgeOf> + '_ {
        let (listed, of_grid) = match &self.0 {
            Source::Listed { sides, ends, .. } => {
                let ends = ends[3 * triangle as usize + edge as usize % 3];
                let first = sides.partition_point(|(known, _)| *known < ends);
                let listed = sides[first..]
                    .iter()
                    .take_while(move |(known, _)| *known == ends)
                    .map(|(_, side)| *side);
                (Some(listed), [None; 2])
            }
            Source::Grid { cells, diagonal } => {
                let (own, other) = (
                    (triangle, edge % 3),
                    across(*cells, *diagonal, triangle, edge % 3),
                );
                let first = other.filter(|other| *other < own);
                let second = other.filter(|other| *other > own);
                (
                    None,
                    match first {
                        Some(_) => [first, Some(own)],
                        None => [Some(own), second],
                    },
                )
            }
        };
        listed
            .into_iter()
            .flatten()
            .chain(of_grid.into_iter().flatten())
    }

    /// Does only one triangle have this edge?
    pub fn is_boundary(&self, triangle: u32, edge: u32) -> bool {
        self.sides(triangle, edge).take(2).count() == 1
    }

    /// How many edges only one triangle has: 0 for a closed mesh.
    pub fn boundary(&self) -> u32 {
        match self.0 {
            Source::Listed { boundary, .. } => boundary,
            Source::Grid { cells: [x, z], .. } => 2 * (x + z),
        }
    }
}

/// The other side of an edge of a height field; `None` at its border.
///
/// # Panics
/// When there is no such triangle.
fn across(cells: [u32; 2], diagonal: Diagonal, triangle: u32, edge: u32) -> Option<EdgeOf> {
    let (cell, half) = (triangle / 2, triangle % 2);
    let (column, row) = (cell % cells[0], cell / cells[0]);
    assert!(row < cells[1], "there is no triangle {triangle}");
    let (left, right) = (column > 0, column + 1 < cells[0]);
    let (above, below) = (row > 0, row + 1 < cells[1]);
    // Each side of a cell is an edge of one of its triangles: that of the cell beyond is named.
    let (is_inside, cell, half, edge) = match (diagonal, half, edge) {
        (Diagonal::Main, 0, 0) => (left, cell.wrapping_sub(1), 1, 1),
        (Diagonal::Main, 0, 1) => (below, cell + cells[0], 1, 2),
        (Diagonal::Main, 0, _) => (true, cell, 1, 0),
        (Diagonal::Main, _, 0) => (true, cell, 0, 2),
        (Diagonal::Main, _, 1) => (right, cell + 1, 0, 0),
        (Diagonal::Main, _, _) => (above, cell.wrapping_sub(cells[0]), 0, 1),
        (Diagonal::Anti, 0, 0) => (left, cell.wrapping_sub(1), 1, 2),
        (Diagonal::Anti, 0, 1) => (true, cell, 1, 0),
        (Diagonal::Anti, 0, _) => (above, cell.wrapping_sub(cells[0]), 1, 1),
        (Diagonal::Anti, _, 0) => (true, cell, 0, 1),
        (Diagonal::Anti, _, 1) => (below, cell + cells[0], 0, 2),
        (Diagonal::Anti, _, _) => (right, cell + 1, 0, 0),
    };
    is_inside.then(|| (2 * cell + half, edge))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles over a square, and the same with the shared corners written twice.
    #[test]
    fn edges_are_shared_by_place() {
        let shared = MeshEdges::new(&[0, 1, 2, 3], &[[0, 1, 2], [2, 1, 3]]);
        let split = MeshEdges::new(&[0, 1, 2, 1, 3, 2], &[[0, 1, 2], [5, 3, 4]]);
        for edges in [shared, split] {
            assert_eq!(edges.boundary(), 4);
            // 1-2 is the second edge of the first triangle and the first of the other.
            assert_eq!(edges.sides(0, 1).collect::<Vec<_>>(), [(0, 1), (1, 0)]);
            assert!(!edges.is_boundary(1, 0));
            assert!(edges.is_boundary(0, 0));
        }
    }

    #[test]
    fn edges_without_length_belong_to_nobody() {
        let edges = MeshEdges::new(&[0, 0, 1], &[[0, 1, 2]]);
        assert_eq!(edges.sides(0, 0).count(), 0);
        assert_eq!(edges.sides(0, 1).count(), 2);
        assert_eq!(edges.boundary(), 0);
        assert!(!edges.is_boundary(0, 0));
    }
}
