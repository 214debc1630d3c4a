//! Shapes as columns: every coordinate of a block of pairs side by side, so that a loop reads whole vectors.

use super::BLOCK;
use crate::core::shape::{Facing, Obb, Segment, Sphere, Triangle};
use glam::{DQuat, DVec3};
use prefetch_index::prefetch_index;

/// A block of `N` columns. Blocks follow each other in memory, so that a batch is one stream and not one for each column.
pub(super) type Block<const N: usize, T = f64> = [[T; BLOCK]; N];

/// Rows of `N` numbers: as they are, and rounded to `f32` in blocks of columns, the last one filled up with zeros.
///
/// The rounded ones are half as much to read and decide most pairs; of the others a row is one place in memory.
#[derive(Clone, Debug)]
pub(super) struct Rows<const N: usize, const SIZES: usize> {
    rows: Vec<[f64; N]>,
    rounded: Vec<Block<N, f32>>,
    /// Of each block the largest of the sizes its rows were given, which rounding is measured by; endless where one is not finite.
    sizes: Vec<[f32; SIZES]>,
}

impl<const N: usize, const SIZES: usize> Default for Rows<N, SIZES> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            rounded: Vec::new(),
            sizes: Vec::new(),
        }
    }
}

impl<const N: usize, const SIZES: usize> Rows<N, SIZES> {
    fn push(&mut self, row: [f64; N], sizes: [f64; SIZES]) {
        let place = self.rows.len() % BLOCK;
        if place == 0 {
            self.rounded.push([[0.0; BLOCK]; N]);
            self.sizes.push([0.0; SIZES]);
        }
        if let (Some(block), Some(most)) = (self.rounded.last_mut(), self.sizes.last_mut()) {
            for (column, number) in block.iter_mut().zip(row) {
                column[place] = number as f32;
            }
            for (most, size) in most.iter_mut().zip(sizes) {
                let size = if size.is_finite() {
                    size as f32
                } else {
                    f32::INFINITY
                };
                *most = most.max(size);
            }
        }
        self.rows.push(row);
    }

    fn get(&self, index: usize) -> [f64; N] {
        self.rows[index]
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.rounded.clear();
        self.sizes.clear();
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Has a row brought near: whoever gathers it later need not wait for it.
    #[inline(always)]
    pub fn fetch(&self, pair: u32) {
        /// Numbers in a line of the cache.
        const LINE: usize = 8;
        let (numbers, first) = (self.rows.as_flattened(), pair as usize * N);
        for start in (0..N).step_by(LINE) {
            prefetch_index(numbers, first + start);
        }
        // A row may begin anywhere in a line.
        prefetch_index(numbers, first + N - 1);
    }

    /// Some rows as columns; what was in the block beyond them stays.
    #[inline(always)]
    pub fn gather(&self, pairs: &[u32], block: &mut Block<N>) {
        for (place, &pair) in pairs.iter().enumerate().take(BLOCK) {
            let row = &self.rows[pair as usize];
            for (column, number) in block.iter_mut().zip(row) {
                column[place] = *number;
            }
        }
    }

    /// A block by its number, with its sizes.
    #[inline(always)]
    pub fn rounded(&self, number: usize) -> (&Block<N, f32>, [f32; SIZES]) {
        (&self.rounded[number], self.sizes[number])
    }
}

/// The largest size of some coordinates; endless where one is not finite.
fn largest(coordinates: &[f64]) -> f64 {
    if coordinates.iter().all(|number| number.is_finite()) {
        coordinates
            .iter()
            .fold(0.0, |most: f64, number| most.max(number.abs()))
    } else {
        f64::INFINITY
    }
}

/// The vector in three columns of a block from `first` on.
#[inline(always)]
pub(super) fn vector<const N: usize>(block: &Block<N>, first: usize, place: usize) -> DVec3 {
    DVec3 {
        x: block[first][place],
        y: block[first + 1][place],
        z: block[first + 2][place],
    }
}

/// The same of rounded columns.
#[inline(always)]
pub(super) fn point<const N: usize>(block: &Block<N, f32>, first: usize, place: usize) -> [f32; 3] {
    [
        block[first][place],
        block[first + 1][place],
        block[first + 2][place],
    ]
}

/// The corners of a triangle, in the first nine columns of a block.
#[inline(always)]
pub(super) fn corners(block: &Block<9>, place: usize) -> [DVec3; 3] {
    [
        vector(block, 0, place),
        vector(block, 3, place),
        vector(block, 6, place),
    ]
}

/// Room for one vector of each pair of a block.
pub(super) struct VectorRoom([[f64; BLOCK]; 3]);

impl VectorRoom {
    pub const EMPTY: Self = Self([[0.0; BLOCK]; 3]);

    #[inline(always)]
    pub fn set(&mut self, place: usize, vector: DVec3) {
        self.0[0][place] = vector.x;
        self.0[1][place] = vector.y;
        self.0[2][place] = vector.z;
    }

    #[inline(always)]
    pub fn at(&self, place: usize) -> DVec3 {
        vector(&self.0, 0, place)
    }
}

/// What all batches can do.
macro_rules! batch_of {
    ($name:ident, $columns:literal, $sizes:literal) => {
        impl $name {
            /// The number of them.
            pub fn len(&self) -> usize {
                self.rows.len()
            }

            /// Is it empty?
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            #[inline(always)]
            pub(super) fn rows(&self) -> &Rows<$columns, $sizes> {
                &self.rows
            }
        }
    };
}

/// Resting spheres. Metres, one common space. Numbers that are not finite may be pushed, and are answered as
/// one at a time would be.
#[derive(Clone, Debug, Default)]
pub struct Spheres {
    /// Centre, radius; the largest coordinate of the centre.
    rows: Rows<4, 1>,
}

batch_of!(Spheres, 4, 1);

impl Spheres {
    /// Appends one.
    pub fn push(&mut self, sphere: &Sphere) {
        let Sphere { center, radius } = *sphere;
        let row = [center.x, center.y, center.z, radius];
        self.rows.push(row, [largest(&row[..3])]);
    }

    /// As it was pushed.
    ///
    /// # Panics
    /// When `index` is not below `len`.
    pub fn get(&self, index: usize) -> Sphere {
        let [x, y, z, radius] = self.rows.get(index);
        Sphere {
            center: DVec3::new(x, y, z),
            radius,
        }
    }

    /// Empties it and keeps its memory.
    pub fn clear(&mut self) {
        self.rows.clear();
    }
}

impl<'s> FromIterator<&'s Sphere> for Spheres {
    fn from_iter<T: IntoIterator<Item = &'s Sphere>>(spheres: T) -> Self {
        let mut batch = Self::default();
        spheres.into_iter().for_each(|sphere| batch.push(sphere));
        batch
    }
}

/// Spheres with their displacement over the frame. Metres, one common space. Numbers that are not finite may be pushed, and are answered as
/// one at a time would be.
#[derive(Clone, Debug, Default)]
pub struct MovingSpheres {
    /// Centre, radius, displacement; the size of centre and radius, and that of the displacement.
    rows: Rows<7, 2>,
}

batch_of!(MovingSpheres, 7, 2);

impl MovingSpheres {
    /// Appends one; the displacement is that of the whole frame, not a velocity.
    pub fn push(&mut self, sphere: &Sphere, displacement: DVec3) {
        let Sphere { center: c, radius } = *sphere;
        let d = displacement;
        self.rows.push(
            [c.x, c.y, c.z, radius, d.x, d.y, d.z],
            [c.abs().element_sum() + radius.abs(), d.abs().element_sum()],
        );
    }

    /// As it was pushed.
    ///
    /// # Panics
    /// When `index` is not below `len`.
    pub fn get(&self, index: usize) -> (Sphere, DVec3) {
        let [x, y, z, radius, dx, dy, dz] = self.rows.get(index);
        let center = DVec3::new(x, y, z);
        (Sphere { center, radius }, DVec3::new(dx, dy, dz))
    }

    /// Empties it and keeps its memory.
    pub fn clear(&mut self) {
        self.rows.clear();
    }
}

/// Triangles. Metres, one common space. Numbers that are not finite may be pushed, and are answered as
/// one at a time would be.
#[derive(Clone, Debug, Default)]
pub struct Triangles {
    /// a, b, c; the largest coordinate.
    rows: Rows<9, 1>,
    pub(super) facing: Vec<Facing>,
}

batch_of!(Triangles, 9, 1);

impl Triangles {
    /// Appends one.
    pub fn push(&mut self, triangle: &Triangle) {
        let Triangle { a, b, c, facing } = *triangle;
        let row = [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z];
        self.rows.push(row, [largest(&row)]);
        self.facing.push(facing);
    }

    /// As it was pushed.
    ///
    /// # Panics
    /// When `index` is not below `len`.
    pub fn get(&self, index: usize) -> Triangle {
        let row = self.rows.get(index);
        let corner = |first: usize| DVec3::new(row[first], row[first + 1], row[first + 2]);
        Triangle {
            a: corner(0),
            b: corner(3),
            c: corner(6),
            facing: self.facing[index],
        }
    }

    /// Empties it and keeps its memory.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.facing.clear();
    }
}

impl<'t> FromIterator<&'t Triangle> for Triangles {
    fn from_iter<T: IntoIterator<Item = &'t Triangle>>(triangles: T) -> Self {
        let mut batch = Self::default();
        triangles
            .into_iter()
            .for_each(|triangle| batch.push(triangle));
        batch
    }
}

/// Rotated boxes. Metres, one common space. Numbers that are not finite may be pushed, and are answered as
/// one at a time would be.
#[derive(Clone, Debug, Default)]
pub struct Boxes {
    /// Centre, half extents, the quaternion; the largest coordinate of the centre.
    rows: Rows<10, 1>,
}

batch_of!(Boxes, 10, 1);

impl Boxes {
    /// Appends one.
    pub fn push(&mut self, obb: &Obb) {
        let (c, h, q) = (obb.center, obb.half_extents, obb.rotation);
        let row = [c.x, c.y, c.z, h.x, h.y, h.z, q.x, q.y, q.z, q.w];
        self.rows.push(row, [largest(&row[..3])]);
    }

    /// As it was pushed.
    ///
    /// # Panics
    /// When `index` is not below `len`.
    pub fn get(&self, index: usize) -> Obb {
        let row = self.rows.get(index);
        Obb {
            center: DVec3::new(row[0], row[1], row[2]),
            half_extents: DVec3::new(row[3], row[4], row[5]),
            rotation: DQuat::from_xyzw(row[6], row[7], row[8], row[9]),
        }
    }

    /// Empties it and keeps its memory.
    pub fn clear(&mut self) {
        self.rows.clear();
    }
}

impl<'b> FromIterator<&'b Obb> for Boxes {
    fn from_iter<T: IntoIterator<Item = &'b Obb>>(boxes: T) -> Self {
        let mut batch = Self::default();
        boxes.into_iter().for_each(|obb| batch.push(obb));
        batch
    }
}

/// Segments. Metres, one common space. Numbers that are not finite may be pushed, and are answered as
/// one at a time would be.
#[derive(Clone, Debug, Default)]
pub struct Segments {
    /// a, b; the largest coordinate.
    rows: Rows<6, 1>,
}

batch_of!(Segments, 6, 1);

impl Segments {
    /// Appends one.
    pub fn push(&mut self, segment: &Segment) {
        let (a, b) = (segment.a, segment.b);
        let row = [a.x, a.y, a.z, b.x, b.y, b.z];
        self.rows.push(row, [largest(&row)]);
    }

    /// As it was pushed.
    ///
    /// # Panics
    /// When `index` is not below `len`.
    pub fn get(&self, index: usize) -> Segment {
        let [ax, ay, az, bx, by, bz] = self.rows.get(index);
        Segment {
            a: DVec3::new(ax, ay, az),
            b: DVec3::new(bx, by, bz),
        }
    }

    /// Empties it and keeps its memory.
    pub fn clear(&mut self) {
        self.rows.clear();
    }
}

impl<'s> FromIterator<&'s Segment> for Segments {
    fn from_iter<T: IntoIterator<Item = &'s Segment>>(segments: T) -> Self {
        let mut batch = Self::default();
        segments.into_iter().for_each(|segment| batch.push(segment));
        batch
    }
}
