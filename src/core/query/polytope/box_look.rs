//! All fifteen axes of two boxes at once, three to a row: no processor guesses which of them parts a pair, or is its push.

use super::box_axes::{BoxAxis, PARALLEL, is_exactly_parallel};
use super::row::Row;
use glam::DVec3;

/// A box's axes, coordinate by coordinate, and its half extents.
pub(super) struct Frame {
    x: Row,
    y: Row,
    z: Row,
    pub half: Row,
}

impl Frame {
    #[inline(always)]
    pub fn new([i, j, k]: [DVec3; 3], half: DVec3) -> Self {
        Self {
            x: Row::new([i.x, j.x, k.x]),
            y: Row::new([i.y, j.y, k.y]),
            z: Row::new([i.z, j.z, k.z]),
            half: Row::new([half.x, half.y, half.z]),
        }
    }

    /// One of its axes in the world.
    #[inline(always)]
    pub fn axis(&self, number: usize) -> DVec3 {
        let [x, y, z] = [&self.x, &self.y, &self.z];
        DVec3::new(x.at(number), y.at(number), z.at(number))
    }

    #[inline(always)]
    pub fn axes(&self) -> [DVec3; 3] {
        [self.axis(0), self.axis(1), self.axis(2)]
    }

    #[inline(always)]
    pub fn halves(&self) -> DVec3 {
        DVec3::new(self.half.at(0), self.half.at(1), self.half.at(2))
    }

    /// A vector of the world along each axis.
    #[inline(always)]
    fn see(&self, vector: DVec3) -> Row {
        Row::weighted([self.x, self.y, self.z], vector)
    }

    /// Another box's axes along each axis.
    #[inline(always)]
    fn see_axes(&self, other: &Self) -> [Row; 3] {
        let [i, j, k] = other.axes();
        [self.see(i), self.see(j), self.see(k)]
    }
}

/// What both boxes' frames say of the other box, and how they lie on each axis.
///
/// On the cross product of two edges every length is times the sine between them. The rows are b's faces, a's faces, and the
/// edges of each of a's axes with all of b's: the places of [`BoxAxis::place`].
pub(super) struct BoxLook {
    /// Of a, and of b.
    pub frames: [Frame; 2],
    /// Of each of a's axes with b's.
    pub cosine: [Row; 3],
    /// From b's center to a's, along b's axes, a's axes, and the cross products.
    pub center: [Row; 5],
    /// Squared sines between each axis of a and those of b.
    pub square: [Row; 3],
    /// Both reaches less the distance.
    pub overlap: [Row; 5],
}

impl BoxLook {
    /// `between` leads from b's center to a's.
    #[inline(always)]
    pub fn new(a: Frame, b: Frame, between: DVec3) -> Self {
        let cosine = b.see_axes(&a);
        let size = [cosine[0].abs(), cosine[1].abs(), cosine[2].abs()];
        let of_b = Row::weighted(size, a.halves());
        let of_a = Row::weighted(Row::columns(size), b.halves());
        let centers = [b.see(between), a.see(between)];
        let edges = Edges {
            cosine,
            size,
            center: centers[1],
            half_a: a.half,
            half_b: [b.half.turned(), b.half.turned().turned()],
        };
        let (first, second, third) = (edges.of(0, 1, 2), edges.of(1, 2, 0), edges.of(2, 0, 1));
        let square = [first.square, second.square, third.square];
        let overlap = [
            b.half + of_b - centers[0].abs(),
            a.half + of_a - centers[1].abs(),
            first.reach - first.center.abs(),
            second.reach - second.center.abs(),
            third.reach - third.center.abs(),
        ];
        Self {
            cosine,
            center: [
                centers[0],
                centers[1],
                first.center,
                second.center,
                third.center,
            ],
            square,
            overlap,
            frames: [a, b],
        }
    }

    /// The least overlap on any axis.
    #[inline(always)]
    pub fn least(&self) -> f64 {
        let [face_b, face_a, edges @ ..] = self.overlap;
        let edges = edges[0].min(edges[1]).min(edges[2]);
        face_b.min(face_a).min(edges).least()
    }

    /// Are there edges as good as parallel?
    #[inline(always)]
    pub fn has_parallel(&self) -> bool {
        Row::least_of(self.square) <= PARALLEL
    }

    /// Takes the axes that are none out of the search: cross products of edges as good as parallel, and faces of a that b has too,
    /// as they would say the same.
    #[cold]
    pub fn leave_parallel_out(&mut self) {
        for (overlap, square) in self.overlap[2..].iter_mut().zip(self.square) {
            *overlap = overlap.where_above(square, PARALLEL);
        }
        let only = |i: usize| self.square[i].least() > PARALLEL;
        let face = |i: usize| {
            if only(i) {
                self.overlap[1].at(i)
            } else {
                f64::INFINITY
            }
        };
        self.overlap[1] = Row::new([face(0), face(1), face(2)]);
    }

    /// The axes on which rounding could decide, bit by bit.
    #[cold]
    pub fn doubts(&self, noise: f64) -> u32 {
        let [a, b] = &self.frames;
        let doubtful = |axis: &BoxAxis| match *axis {
            BoxAxis::Edges(i, j) if self.is_parallel(i, j) => {
                !is_exactly_parallel(a.axis(i), b.axis(j))
            }
            _ => self.overlap(*axis) <= noise,
        };
        let doubts = BoxAxis::all_in(u32::MAX).filter(doubtful);
        doubts.fold(0, |bits, axis| bits | axis.bit())
    }

    pub fn is_parallel(&self, i: usize, j: usize) -> bool {
        self.square(i, j) <= PARALLEL
    }

    pub fn square(&self, i: usize, j: usize) -> f64 {
        self.square[i].at(j)
    }

    pub fn overlap(&self, axis: BoxAxis) -> f64 {
        let (row, lane) = axis.place();
        self.overlap[row].at(lane)
    }

    pub fn center(&self, axis: BoxAxis) -> f64 {
        let (row, lane) = axis.place();
        self.center[row].at(lane)
    }

    /// Both reaches.
    pub fn reach(&self, axis: BoxAxis) -> f64 {
        let [a, b] = &self.frames;
        let size = |i: usize, j: usize| self.cosine[i].at(j).abs();
        match axis {
            BoxAxis::FaceOfB(j) => {
                let of_a = |i: usize| size(i, j) * a.half.at(i);
                b.half.at(j) + (of_a(0) + of_a(1) + of_a(2))
            }
            BoxAxis::FaceOfA(i) => {
                let of_b = |j: usize| size(i, j) * b.half.at(j);
                a.half.at(i) + (of_b(0) + of_b(1) + of_b(2))
            }
            BoxAxis::Edges(i, j) => {
                let [(i1, i2), (j1, j2)] = [i, j].map(|axis| ((axis + 1) % 3, (axis + 2) % 3));
                let of_a = size(i2, j) * a.half.at(i1) + size(i1, j) * a.half.at(i2);
                of_a + (b.half.at(j1) * size(i, j2) + b.half.at(j2) * size(i, j1))
            }
        }
    }
}

/// What the cross products of edges are made of.
struct Edges {
    /// Of a's axes with b's.
    cosine: [Row; 3],
    size: [Row; 3],
    /// From b's center to a's, along a's axes.
    center: Row,
    half_a: Row,
    /// From the second on, and from the third.
    half_b: [Row; 2],
}

/// One axis of a with all of b.
struct EdgeRow {
    center: Row,
    reach: Row,
    square: Row,
}

impl Edges {
    /// Of a's axis i with all of b's; a's others are those that follow it.
    #[inline(always)]
    fn of(&self, i: usize, i1: usize, i2: usize) -> EdgeRow {
        let (cosine, size) = (&self.cosine, &self.size);
        let second = size[i].turned();
        let of_a = size[i2] * self.half_a.at(i1) + size[i1] * self.half_a.at(i2);
        let of_b = self.half_b[0] * second.turned() + self.half_b[1] * second;
        EdgeRow {
            center: cosine[i1] * self.center.at(i2) - cosine[i2] * self.center.at(i1),
            reach: of_a + of_b,
            square: cosine[i1] * cosine[i1] + cosine[i2] * cosine[i2],
        }
    }
}
