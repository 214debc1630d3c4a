//! Points in columns, of which a processor compares several at once.

use fearless_simd::{Level, Simd, dispatch, f64x8};
use glam::DVec3;
use smallvec::SmallVec;

/// Points that are compared at once.
const LANES: usize = 8;
/// The numbers of the first points.
const FIRST: [f64; LANES] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// The coordinates of points, by the handful.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    handfuls: Vec<[[f64; LANES]; 3]>,
    count: usize,
    level: Level,
}

impl PartialEq for Columns {
    fn eq(&self, other: &Self) -> bool {
        self.handfuls == other.handfuls
    }
}

impl Columns {
    /// At least one point; the last fills the last handful.
    pub fn new(points: &[DVec3]) -> Self {
        let handful = |points: &[DVec3]| {
            let at = |lane: usize| points[lane.min(points.len() - 1)];
            [0, 1, 2].map(|axis| std::array::from_fn(|lane| at(lane)[axis]))
        };
        Self {
            handfuls: points.chunks(LANES).map(handful).collect(),
            count: points.len(),
            level: Level::new(),
        }
    }

    /// The point farthest along a direction, of equals the first.
    #[inline]
    pub fn farthest(&self, direction: DVec3) -> DVec3 {
        dispatch!(self.level, simd => farthest(simd, &self.handfuls, direction))
    }

    /// Numbers of the points that lie at most `slack` behind the one farthest along a direction, in order.
    pub fn near_farthest(&self, direction: DVec3, slack: f64) -> SmallVec<[u32; 8]> {
        let mut near = SmallVec::new();
        dispatch!(self.level, simd => near_farthest(simd, &self.handfuls, direction, slack, &mut near));
        // The last point stands for those that the last handful lacks.
        while near.last().is_some_and(|&last| last as usize >= self.count) {
            near.pop();
        }
        near
    }
}

/// A direction, each coordinate in all lanes.
struct Along<S: Simd>([f64x8<S>; 3]);

impl<S: Simd> Along<S> {
    #[inline(always)]
    fn new(simd: S, direction: DVec3) -> Self {
        let DVec3 { x, y, z } = direction;
        Self([
            simd.splat_f64x8(x),
            simd.splat_f64x8(y),
            simd.splat_f64x8(z),
        ])
    }

    /// How far the points of a handful lie along it.
    #[inline(always)]
    fn of(&self, simd: S, [x, y, z]: &[[f64; LANES]; 3]) -> f64x8<S> {
        let [along_x, along_y, along_z] = self.0;
        simd.load_array_ref_f64x8(x) * along_x
            + simd.load_array_ref_f64x8(y) * along_y
            + simd.load_array_ref_f64x8(z) * along_z
    }
}

#[inline(always)]
fn farthest<S: Simd>(simd: S, handfuls: &[[[f64; LANES]; 3]], direction: DVec3) -> DVec3 {
    let direction = Along::new(simd, direction);
    let mut most = simd.splat_f64x8(f64::NEG_INFINITY);
    // Numbers of points, as the lanes of one width hold them.
    let mut number = simd.load_array_ref_f64x8(&FIRST);
    let mut found = number;
    for handful in handfuls {
        let along = direction.of(simd, handful);
        let farther = simd.simd_gt_f64x8(along, most);
        most = simd.select_f64x8(farther, along, most);
        found = simd.select_f64x8(farther, number, found);
        number += LANES as f64;
    }
    let largest = extreme(simd.as_array_f64x8(most), |one, other| one > other);
    let is_largest = simd.simd_eq_f64x8(most, simd.splat_f64x8(largest));
    let numbers = simd.select_f64x8(is_largest, found, simd.splat_f64x8(f64::INFINITY));
    let first = extreme(simd.as_array_f64x8(numbers), |one, other| one < other) as usize;
    let [x, y, z] = &handfuls[first / LANES];
    let lane = first % LANES;
    DVec3::new(x[lane], y[lane], z[lane])
}

/// The value that comes before all others.
#[inline(always)]
fn extreme(lanes: [f64; LANES], comes_before: impl Fn(f64, f64) -> bool) -> f64 {
    let first = |one: f64, other: f64| if comes_before(one, other) { one } else { other };
    let [a, b, c, d, e, f, g, h] = lanes;
    let half = |a, b, c, d| first(first(a, b), first(c, d));
    first(half(a, b, c, d), half(e, f, g, h))
}

#[inline(always)]
fn near_farthest<S: Simd>(
    simd: S,
    handfuls: &[[[f64; LANES]; 3]],
    direction: DVec3,
    slack: f64,
    near: &mut SmallVec<[u32; 8]>,
) {
    let direction = Along::new(simd, direction);
    let mut most = simd.splat_f64x8(f64::NEG_INFINITY);
    for handful in handfuls {
        most = simd.max_f64x8(direction.of(simd, handful), most);
    }
    let least = extreme(simd.as_array_f64x8(most), |one, other| one > other) - slack;
    for (first, handful) in (0..).step_by(LANES).zip(handfuls) {
        let along = direction.of(simd, handful);
        if simd.any_true_mask64x8(simd.simd_ge_f64x8(along, simd.splat_f64x8(least))) {
            let mut numbers = [0; LANES];
            let mut count = 0;
            for (number, along) in (first..).zip(simd.as_array_f64x8(along)) {
                numbers[count] = number;
                count += usize::from(along >= least);
            }
            near.extend_from_slice(&numbers[..count]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of any number of points on a sphere each is the farthest along its own direction, and of equal ones the first.
    #[test]
    fn each_point_of_a_sphere_is_farthest_along_itself() {
        let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
        for count in 1..50 {
            let point = |index: usize| {
                let y = 1.0 - 2.0 * (index as f64 + 0.5) / count as f64;
                let (sine, cosine) = (golden * index as f64).sin_cos();
                DVec3::new(sine, 0.0, cosine) * (1.0 - y * y).sqrt() + DVec3::Y * y
            };
            let points: Vec<DVec3> = (0..count).map(point).collect();
            let columns = Columns::new(&points);
            for point in points {
                assert_eq!(columns.farthest(point), point);
            }
            let level: Vec<DVec3> = (0..count).map(|x| DVec3::X * x as f64).collect();
            assert_eq!(Columns::new(&level).farthest(DVec3::Y), DVec3::ZERO);
        }
    }
}
