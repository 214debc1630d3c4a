//! A height field as a mesh: its triangles follow from the numbers of its rows and columns, and its tree is a pyramid of the least
//! and the greatest height over blocks of cells.

use super::grid_way::{GridWay, distance_of_boxes};
use super::walks::{Children, Tree, walk, walk_near};
use crate::core::shape::{Aabb, Diagonal};
use glam::DVec3;
use smallvec::SmallVec;

/// Children of a block along an axis; each takes two bits of a number.
const SIDE_BITS: u32 = 2;
const SIDE: u32 = 1 << SIDE_BITS;

/// Part of a cell by which the place of a point among the cells may be off: many roundings beside a billion cells.
const OFF: f64 = 1e-6;

/// Metres: with smaller cells, the areas of triangles leave the range of `f64`.
const SMALLEST_CELL: f64 = 1e-100;

/// Heights above the local origin on a regular grid, centred on it; immutable once made.
#[derive(Debug, PartialEq)]
pub struct HeightGrid {
    /// Row after row, from the least z; each from the least x.
    heights: Vec<f64>,
    /// Cells along x and z.
    cells: [u32; 2],
    cell: [f64; 2],
    diagonal: Diagonal,
    /// Blocks of 4 x 4 cells, blocks of 4 x 4 of these, up to one.
    levels: Vec<Level>,
}

/// The blocks of one size.
#[derive(Debug, PartialEq)]
struct Level {
    /// Blocks along x and z.
    blocks: [u32; 2],
    /// The least and the greatest height of each, row after row.
    spans: Vec<[f64; 2]>,
}

/// A square of cells: one cell on level 0, 4 x 4 as many on the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    level: u32,
    /// Along x and z, among the blocks of its level.
    at: [u32; 2],
}

/// Cells from the first to the last along x and z, inclusively.
#[derive(Clone, Copy, Debug)]
struct Cells {
    first: [u32; 2],
    last: [u32; 2],
}

impl HeightGrid {
    /// # Errors
    /// A sentence, when there are fewer than two rows or columns, or a number is not finite or a cell too small.
    pub(in crate::core) fn new(
        heights: Vec<f64>,
        columns: usize,
        cell: [f64; 2],
        diagonal: Diagonal,
    ) -> Result<Self, String> {
        let rows = heights.len().checked_div(columns).unwrap_or(0);
        if rows < 2 || columns < 2 {
            return Err("a height field has at least two rows of two heights".into());
        }
        if let Some(index) = heights.iter().position(|height| !height.is_finite()) {
            let (row, column) = (index / columns, index % columns);
            return Err(format!(
                "height {column} of row {row} is not a finite number: {}",
                heights[index]
            ));
        }
        if !cell.iter().all(|size| *size >= SMALLEST_CELL) {
            let [x, z] = cell;
            return Err(format!(
                "a cell is {x} by {z} m: both sizes are {SMALLEST_CELL:e} m or more"
            ));
        }
        let mut grid = Self {
            heights,
            cells: [columns as u32 - 1, rows as u32 - 1],
            cell,
            diagonal,
            levels: Vec::new(),
        };
        if !grid.vertex(0).is_finite() {
            return Err("the height field is too large: its corners are not finite".into());
        }
        while grid.blocks(grid.levels.len() as u32) != [1, 1] {
            grid.levels.push(grid.next_level());
        }
        Ok(grid)
    }

    /// The heights, row after row from the least z, each from the least x; metres.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.heights.chunks_exact(self.columns())
    }

    /// Size of a cell along x and z, metres.
    pub fn cell(&self) -> [f64; 2] {
        self.cell
    }

    /// How each cell is split.
    pub fn diagonal(&self) -> Diagonal {
        self.diagonal
    }

    /// Heights along x and z: columns and rows.
    pub fn size(&self) -> [usize; 2] {
        self.cells.map(|cells| cells as usize + 1)
    }

    fn columns(&self) -> usize {
        self.cells[0] as usize + 1
    }

    /// Cells along x and z.
    pub(super) fn cells(&self) -> [u32; 2] {
        self.cells
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.heights.len()
    }

    pub(super) fn count(&self) -> usize {
        2 * self.cells[0] as usize * self.cells[1] as usize
    }

    /// The least box around all heights.
    pub(super) fn aabb(&self) -> Aabb {
        self.box_of(self.root())
    }

    #[inline]
    fn coordinate(&self, axis: usize, index: u32) -> f64 {
        (f64::from(index) - 0.5 * f64::from(self.cells[axis])) * self.cell[axis]
    }

    #[inline]
    fn height(&self, [column, row]: [u32; 2]) -> f64 {
        self.heights[row as usize * self.columns() + column as usize]
    }

    #[inline]
    fn place(&self, [column, row]: [u32; 2]) -> DVec3 {
        DVec3::new(
            self.coordinate(0, column),
            self.height([column, row]),
            self.coordinate(1, row),
        )
    }

    pub(super) fn vertices(&self) -> impl Iterator<Item = DVec3> {
        (0..self.vertex_count()).map(|index| self.vertex(index))
    }

    pub(super) fn vertex(&self, index: usize) -> DVec3 {
        let columns = self.columns();
        self.place([(index % columns) as u32, (index / columns) as u32])
    }

    /// Column and row of a triangle's corners. Half the number is that of its cell.
    #[inline]
    fn corners_of(&self, triangle: u32) -> [[u32; 2]; 3] {
        let cell = triangle / 2;
        let (column, row) = (cell % self.cells[0], cell / self.cells[0]);
        let (near, far) = ([column, row], [column + 1, row + 1]);
        let (below, beside) = ([column, row + 1], [column + 1, row]);
        match (self.diagonal, triangle % 2) {
            (Diagonal::Main, 0) => [near, below, far],
            (Diagonal::Main, _) => [near, far, beside],
            (Diagonal::Anti, 0) => [near, below, beside],
            (Diagonal::Anti, _) => [beside, below, far],
        }
    }

    /// The numbers of a triangle's vertices.
    pub(super) fn corners(&self, triangle: u32) -> [u32; 3] {
        let columns = self.cells[0] + 1;
        self.corners_of(triangle)
            .map(|[column, row]| row * columns + column)
    }

    #[inline]
    pub(super) fn places(&self, triangle: u32) -> [DVec3; 3] {
        self.corners_of(triangle).map(|place| self.place(place))
    }

    /// The number of a cell's triangle.
    #[inline]
    fn number(&self, cell: Block, half: u32) -> u32 {
        2 * (cell.at[1] * self.cells[0] + cell.at[0]) + half
    }

    /// How many blocks of a level there are along x and z.
    #[inline]
    fn blocks(&self, level: u32) -> [u32; 2] {
        match level.checked_sub(1) {
            None => self.cells,
            Some(above) => self.levels[above as usize].blocks,
        }
    }

    fn next_level(&self) -> Level {
        let level = self.levels.len() as u32 + 1;
        let blocks = self.blocks(level - 1).map(|count| count.div_ceil(SIDE));
        let spans = (0..blocks[1]).flat_map(|row| {
            (0..blocks[0]).map(move |column| {
                let at = [column, row];
                let spans = self
                    .below(Block { level, at })
                    .map(|(_, block)| self.span(block));
                spans.fold(NO_SPAN, joined)
            })
        });
        Level {
            spans: spans.collect(),
            blocks,
        }
    }

    /// The least and the greatest height of a block.
    #[inline]
    fn span(&self, block: Block) -> [f64; 2] {
        let [column, row] = block.at;
        match block.level.checked_sub(1) {
            None => {
                let first = row as usize * self.columns() + column as usize;
                let second = first + self.columns();
                let [a, b] = [self.heights[first], self.heights[first + 1]];
                let [c, d] = [self.heights[second], self.heights[second + 1]];
                [a.min(b).min(c.min(d)), a.max(b).max(c.max(d))]
            }
            Some(above) => {
                let level = &self.levels[above as usize];
                level.spans[row as usize * level.blocks[0] as usize + column as usize]
            }
        }
    }

    #[inline]
    fn box_of(&self, block: Block) -> Aabb {
        let span = self.span(block);
        let bits = SIDE_BITS * block.level;
        let end = |axis: usize, side: u32| {
            let cells = u64::from(block.at[axis] + side) << bits;
            self.coordinate(axis, cells.min(u64::from(self.cells[axis])) as u32)
        };
        Aabb {
            min: DVec3::new(end(0, 0), span[0], end(1, 0)),
            max: DVec3::new(end(0, 1), span[1], end(1, 1)),
        }
    }

    #[inline]
    fn box_of_triangle(&self, triangle: u32) -> Aabb {
        let [a, b, c] = self.places(triangle);
        Aabb {
            min: a.min(b).min(c),
            max: a.max(b).max(c),
        }
    }

    /// The blocks that a block is made of, and their numbers in it; none of a cell.
    #[inline]
    fn below(&self, block: Block) -> impl Iterator<Item = (u32, Block)> + use<> {
        let all = Cells {
            first: [0; 2],
            last: self.cells.map(|cells| cells - 1),
        };
        all.below(block)
    }

    /// The cells that a region may reach, by its columns and rows; `None` where it lies beside them.
    fn cells_in(&self, region: &Aabb) -> Option<Cells> {
        let ends = |axis: usize, from: f64, to: f64| {
            let cells = f64::from(self.cells[axis]);
            let place = |at: f64| at / self.cell[axis] + 0.5 * cells;
            let (first, last) = (place(from) - OFF, place(to) + OFF);
            let meets = first < cells && last >= 0.0;
            let last = last.min(cells - 1.0);
            let ends = [first.max(0.0) as u32, last as u32];
            (meets && ends[0] <= ends[1]).then_some(ends)
        };
        let x = ends(0, region.min.x, region.max.x)?;
        let z = ends(1, region.min.z, region.max.z)?;
        Some(Cells {
            first: [x[0], z[0]],
            last: [x[1], z[1]],
        })
    }

    /// Visits every triangle whose box overlaps the region.
    pub(super) fn for_each_in(&self, region: &Aabb, visit: &mut impl FnMut(u32)) {
        let Some(cells) = self.cells_in(region) else {
            return;
        };
        let enter = |block: Block| match block.level {
            0 => 0b11,
            _ => bits(cells.below(block).filter(|(_, block)| {
                let [least, greatest] = self.span(*block);
                least <= region.max.y && region.min.y <= greatest
            })),
        };
        walk(self, cells.block(), enter, |cell, half| {
            let triangle = self.number(cell, half);
            if self.box_of_triangle(triangle).overlaps(region) {
                visit(triangle);
            }
        });
    }

    /// Visits every triangle whose box comes within `radius` of a straight way, and a few more.
    pub(super) fn for_each_along(
        &self,
        [from, to]: [DVec3; 2],
        radius: f64,
        visit: &mut impl FnMut(u32),
    ) {
        let way = GridWay::new(from, to, radius, &self.aabb());
        let Some(cells) = self.cells_in(&way.bounds()) else {
            return;
        };
        let enter = |block: Block| match block.level {
            0 => 0b11,
            _ => bits(
                cells
                    .below(block)
                    .filter(|(_, block)| way.meets(&self.box_of(*block))),
            ),
        };
        walk(self, cells.block(), enter, |cell, half| {
            let triangle = self.number(cell, half);
            if way.meets(&self.box_of_triangle(triangle)) {
                visit(triangle);
            }
        });
    }

    /// Visits triangles from near to far while their box is no farther from a straight way than the limit; `visit` answers with
    /// the new limit.
    pub(super) fn for_each_near_way(
        &self,
        from: DVec3,
        to: DVec3,
        limit: f64,
        visit: &mut impl FnMut(u32) -> f64,
    ) {
        let is_limited = limit.is_finite();
        let radius = if is_limited { limit.max(0.0) } else { 0.0 };
        let way = GridWay::new(from, to, radius, &self.aabb());
        let start = match is_limited {
            true => self.cells_in(&way.bounds()).map(|cells| cells.block()),
            false => Some(self.root()),
        };
        let Some(start) = start else {
            return;
        };
        let distances = |block: Block| -> Children<f64> {
            let boxes = self.boxes(block).into_iter();
            boxes
                .map(|(child, bounds)| (child, way.distance(&bounds)))
                .collect()
        };
        walk_near(self, start, &distances, limit, visit);
    }
}

impl Tree for HeightGrid {
    type Node = Block;

    fn root(&self) -> Block {
        Block {
            level: self.levels.len() as u32,
            at: [0; 2],
        }
    }

    fn holds_triangles(&self, block: Block) -> bool {
        block.level == 0
    }

    fn child(&self, block: Block, child: u32) -> Block {
        let [column, row] = block.at;
        Block {
            level: block.level - 1,
            at: [
                column << SIDE_BITS | child & (SIDE - 1),
                row << SIDE_BITS | child >> SIDE_BITS,
            ],
        }
    }

    fn triangle(&self, cell: Block, half: u32) -> u32 {
        self.number(cell, half)
    }

    fn boxes(&self, block: Block) -> Children<Aabb> {
        if block.level == 0 {
            let triangle = |half| (half, self.box_of_triangle(self.number(block, half)));
            return SmallVec::from_iter([0, 1].map(triangle));
        }
        let below = self.below(block);
        below
            .map(|(child, block)| (child, self.box_of(block)))
            .collect()
    }

    fn distances(&self, block: Block, region: &Aabb) -> Children<f64> {
        let boxes = self.boxes(block).into_iter();
        boxes
            .map(|(child, bounds)| (child, distance_of_boxes(&bounds, region)))
            .collect()
    }
}

impl Cells {
    /// The smallest block that has them all.
    fn block(&self) -> Block {
        let differ = (self.first[0] ^ self.last[0]) | (self.first[1] ^ self.last[1]);
        let level = (u32::BITS - differ.leading_zeros()).div_ceil(SIDE_BITS);
        Block {
            level,
            at: self
                .first
                .map(|at| at.checked_shr(SIDE_BITS * level).unwrap_or(0)),
        }
    }

    /// The blocks that a block is made of, and their numbers in it: those that have any of the cells; none of a cell.
    #[inline]
    fn below(&self, block: Block) -> impl Iterator<Item = (u32, Block)> + use<> {
        let level = block.level.wrapping_sub(1);
        let bits = SIDE_BITS.wrapping_mul(level);
        let ends = |axis: usize| {
            let first = block.at[axis] << SIDE_BITS;
            let known = self.first[axis].wrapping_shr(bits).max(first);
            let last = self.last[axis].wrapping_shr(bits).min(first + SIDE - 1);
            if block.level == 0 {
                first..first
            } else {
                known..last + 1
            }
        };
        let (columns, rows) = (ends(0), ends(1));
        rows.flat_map(move |row| {
            columns.clone().map(move |column| {
                let number = (row & (SIDE - 1)) << SIDE_BITS | column & (SIDE - 1);
                let at = [column, row];
                (number, Block { level, at })
            })
        })
    }
}

const NO_SPAN: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

fn joined(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    [one[0].min(other[0]), one[1].max(other[1])]
}

/// One bit for each child.
#[inline]
fn bits(children: impl Iterator<Item = (u32, Block)>) -> u32 {
    children.fold(0, |bits, (child, _)| bits | 1 << child)
}
