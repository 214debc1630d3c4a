//! A grid of heights, which is a mesh: two triangles a cell.

use super::{HeightGrid, Mesh};

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
    /// A sentence, when there are fewer than two rows or columns, more than `most` heights, rows of different lengths, a number
    /// that is not finite or a cell too small.
    pub fn split(&self, diagonal: Diagonal, most: usize) -> Result<Mesh, String> {
        mesh_of_rows(&self.heights, |height| height, self.cell, diagonal, most)
    }
}

/// As [`HeightField::split`], of rows of numbers; `metres` converts one.
pub(in crate::core) fn mesh_of_rows<N: Copy>(
    rows: &[Vec<N>],
    metres: impl FnMut(N) -> f64,
    cell: [f64; 2],
    diagonal: Diagonal,
    most: usize,
) -> Result<Mesh, String> {
    let columns = rows.first().map_or(0, Vec::len);
    if let Some(row) = rows.iter().position(|row| row.len() != columns) {
        return Err(format!(
            "row {row} has {} heights, and row 0 has {columns}: all rows are of one length",
            rows[row].len()
        ));
    }
    let count = rows.len() * columns;
    if count > most {
        return Err(format!(
            "the height field has {count} heights in {} rows of {columns} (limit {most}): write every other row and height, with \
             cells of twice the size, or cut it into several",
            rows.len()
        ));
    }
    let mut heights = Vec::with_capacity(count);
    heights.extend(rows.iter().flatten().copied().map(metres));
    Ok(Mesh::of_grid(HeightGrid::new(
        heights, columns, cell, diagonal,
    )?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    /// Two rows of three heights: four triangles, all facing up, centred, split along the diagonal from the least corner.
    #[test]
    fn a_grid_is_two_triangles_a_cell() {
        let field = HeightField {
            heights: vec![vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 2.0]],
            cell: [2.0, 4.0],
        };
        let mesh = field.mesh(100).unwrap();
        assert_eq!(mesh.count(), 4);
        assert_eq!(mesh.vertex(1), DVec3::new(0.0, 1.0, -2.0));
        assert_eq!(mesh.vertex(5), DVec3::new(2.0, 2.0, 2.0));
        assert_eq!(mesh.triangles().next(), Some([0, 3, 4]));
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
        let with = |height: f64, size: f64| HeightField {
            heights: vec![vec![height; 2]; 2],
            cell: [1.0, size],
        };
        for (height, size, word) in [
            (f64::NAN, 1.0, "height 0 of row 0"),
            (0.0, 1e-200, "1e-100 m or more"),
            (0.0, f64::NAN, "1e-100 m or more"),
            (0.0, f64::INFINITY, "too large"),
        ] {
            let error = with(height, size).mesh(4).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
    }
}
