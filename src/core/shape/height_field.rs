//! A grid of heights, which is a mesh: two triangles a cell.

use super::{Facing, Mesh};
use glam::DVec3;

/// Heights above the object's position on a regular grid, centred on it: rows along z, columns along x.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    /// Row after row, from the least z; each from the least x. Metres.
    pub heights: Vec<Vec<f64>>,
    /// Size of a cell along x and z, metres, each > 0.
    pub cell: [f64; 2],
}

/// The diagonal that splits each cell of a height field. Engines differ.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Diagonal {
    /// From the corner of least x and least z to the opposite one, as in a matrix.
    #[default]
    Main,
    /// From the corner of greatest x and least z to the opposite one.
    Anti,
}

impl HeightField {
    /// The surface, split along the main diagonals; see [`HeightField::split`].
    ///
    /// # Errors
    /// As [`HeightField::split`].
    pub fn mesh(&self, most: usize) -> Result<Mesh, String> {
        self.split(Diagonal::Main, most)
    }

    /// The surface, collided with from both sides, each cell split along a diagonal.
    ///
    /// # Errors
    /// A sentence, when there are fewer than two rows or columns, more than `most` triangles, rows of different lengths, or a number that
    /// is not finite.
    pub fn split(&self, diagonal: Diagonal, most: usize) -> Result<Mesh, String> {
        let rows = self.heights.len();
        let columns = self.heights.first().map_or(0, Vec::len);
        if rows < 2 || columns < 2 {
            return Err("a height field has at least two rows of two heights".into());
        }
        if let Some(row) = self.heights.iter().position(|row| row.len() != columns) {
            return Err(format!(
                "row {row} has {} heights, and row 0 has {columns}: all rows are of one length",
                self.heights[row].len()
            ));
        }
        let triangles = 2 * (rows - 1) * (columns - 1);
        if triangles > most {
            return Err(format!(
                "the height field has {triangles} triangles (limit {most})"
            ));
        }
        let [x, z] = self.cell;
        let middle = |count: usize| 0.5 * (count as f64 - 1.0);
        let at = |row: usize, column: usize| {
            DVec3::new(
                (column as f64 - middle(columns)) * x,
                self.heights[row][column],
                (row as f64 - middle(rows)) * z,
            )
        };
        let vertices = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let vertices = vertices.map(|(row, column)| at(row, column)).collect();
        let number = |row: usize, column: usize| (row * columns + column) as u32;
        let cells = (0..rows - 1).flat_map(|row| (0..columns - 1).map(move |column| (row, column)));
        let triangles = cells.flat_map(|(row, column)| {
            let (near, far) = (number(row, column), number(row + 1, column + 1));
            let (below, beside) = (number(row + 1, column), number(row, column + 1));
            match diagonal {
                Diagonal::Main => [[near, below, far], [near, far, beside]],
                Diagonal::Anti => [[near, below, beside], [beside, below, far]],
            }
        });
        Mesh::new(vertices, triangles.collect(), Facing::Both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rows of three heights: four triangles, all facing up, centred, split along the diagonal from the least corner.
    #[test]
    fn a_grid_is_two_triangles_a_cell() {
        let field = HeightField {
            heights: vec![vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 2.0]],
            cell: [2.0, 4.0],
        };
        let mesh = field.mesh(100).unwrap();
        assert_eq!(mesh.triangles().len(), 4);
        assert_eq!(mesh.vertices()[1], DVec3::new(0.0, 1.0, -2.0));
        assert_eq!(mesh.vertices()[5], DVec3::new(2.0, 2.0, 2.0));
        assert_eq!(mesh.triangles()[0], [0, 3, 4]);
        for index in 0..4 {
            assert!(mesh.triangle(index).normal().unwrap().y > 0.0);
        }
    }

    #[test]
    fn broken_grids_are_refused_with_a_reason() {
        let mesh = |heights: Vec<Vec<f64>>| {
            HeightField {
                heights,
                cell: [1.0; 2],
            }
            .mesh(4)
        };
        assert!(mesh(vec![vec![0.0, 0.0]]).unwrap_err().contains("two rows"));
        assert!(
            mesh(vec![vec![0.0; 2], vec![0.0; 3]])
                .unwrap_err()
                .contains("row 1")
        );
        assert!(mesh(vec![vec![0.0; 3]; 3]).unwrap_err().contains("limit 4"));
        assert!(
            mesh(vec![vec![f64::NAN; 2]; 2])
                .unwrap_err()
                .contains("finite")
        );
    }
}
