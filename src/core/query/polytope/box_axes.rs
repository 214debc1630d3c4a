//! The fifteen axes of two boxes, and both reaches on them, in the boxes' own frames (Gottschalk et al. 1996).

use super::cuboid::Cuboid;
use crate::core::tolerance::PARALLEL_SINE;
use glam::DVec3;

/// What both boxes' frames say of the other box.
pub(super) struct Frames {
    /// `cosine[i][j]` of a's axis i and b's axis j.
    pub cosine: [[f64; 3]; 3],
    pub size: [[f64; 3]; 3],
    /// From b's center to a's, along a's axes and along b's.
    pub of_a: [f64; 3],
    pub of_b: [f64; 3],
}

impl Frames {
    #[inline(always)]
    pub fn of(a: &Cuboid, b: &Cuboid, between: DVec3) -> Self {
        let cosine = a.axes.map(|of_a| b.axes.map(|of_b| of_a.dot(of_b)));
        Self {
            cosine,
            size: cosine.map(|row| row.map(f64::abs)),
            of_a: a.axes.map(|axis| axis.dot(between)),
            of_b: b.axes.map(|axis| axis.dot(between)),
        }
    }

    /// Both reaches on a's axis.
    #[inline(always)]
    pub fn reach_on_a(&self, a: &Cuboid, b: &Cuboid, i: usize) -> f64 {
        let [x, y, z] = self.size[i];
        a.half[i] + (b.half.x * x + b.half.y * y + b.half.z * z)
    }

    #[inline(always)]
    pub fn reach_on_b(&self, a: &Cuboid, b: &Cuboid, j: usize) -> f64 {
        let [x, y, z] = [self.size[0][j], self.size[1][j], self.size[2][j]];
        b.half[j] + (a.half.x * x + a.half.y * y + a.half.z * z)
    }

    /// Both reaches on the cross product of two axes, times the sine between them.
    #[inline(always)]
    pub fn reach_on_edges(&self, a: &Cuboid, b: &Cuboid, i: usize, j: usize) -> f64 {
        let [(i1, i2), (j1, j2)] = [i, j].map(others);
        let of_a = a.half[i1] * self.size[i2][j] + a.half[i2] * self.size[i1][j];
        let of_b = b.half[j1] * self.size[i][j2] + b.half[j2] * self.size[i][j1];
        of_a + of_b
    }

    /// A vector that is `of_a` in a's frame, along the cross product of two axes.
    #[inline(always)]
    pub fn along_edges(&self, of_a: &[f64; 3], i: usize, j: usize) -> f64 {
        let (i1, i2) = others(i);
        of_a[i2] * self.cosine[i1][j] - of_a[i1] * self.cosine[i2][j]
    }

    /// Squared sine between two axes.
    #[inline(always)]
    pub fn square(&self, i: usize, j: usize) -> f64 {
        let (i1, i2) = others(i);
        let (x, y) = (self.cosine[i1][j], self.cosine[i2][j]);
        x * x + y * y
    }
}

#[inline(always)]
fn others(axis: usize) -> (usize, usize) {
    match axis {
        0 => (1, 2),
        1 => (2, 0),
        _ => (0, 1),
    }
}

/// Squared sine below which two axes are one.
pub(super) const PARALLEL: f64 = PARALLEL_SINE * PARALLEL_SINE;

/// An axis of two boxes by the numbers of what spans it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BoxAxis {
    FaceOfA(usize),
    FaceOfB(usize),
    Edges(usize, usize),
}

impl BoxAxis {
    /// Unit.
    pub fn direction(self, a: &Cuboid, b: &Cuboid) -> DVec3 {
        match self {
            Self::FaceOfA(i) => a.axes[i],
            Self::FaceOfB(j) => b.axes[j],
            Self::Edges(i, j) => {
                let cross = a.axes[i].cross(b.axes[j]);
                cross / cross.length()
            }
        }
    }

    /// Its row and its lane where the fifteen stand side by side: b's faces, a's, and the edges of each of a's axes.
    pub fn place(self) -> (usize, usize) {
        match self {
            Self::FaceOfB(j) => (0, j),
            Self::FaceOfA(i) => (1, i),
            Self::Edges(i, j) => (2 + i, j),
        }
    }

    /// Its place among the fifteen.
    pub fn bit(self) -> u32 {
        match self {
            Self::FaceOfB(j) => 1 << j,
            Self::FaceOfA(i) => 8 << i,
            Self::Edges(i, j) => 64 << (3 * i + j),
        }
    }

    /// Those whose places are set.
    pub fn all_in(bits: u32) -> impl Iterator<Item = Self> {
        let faces = (0..3).map(Self::FaceOfB).chain((0..3).map(Self::FaceOfA));
        let edges = (0..9).map(|pair| Self::Edges(pair / 3, pair % 3));
        faces
            .chain(edges)
            .filter(move |axis| axis.bit() & bits != 0)
    }
}

/// Without rounding, as far as the same bits show it.
pub(super) fn is_exactly_parallel(a: DVec3, b: DVec3) -> bool {
    a == b || a == -b
}
