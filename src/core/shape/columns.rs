//! Points in columns, of which a processor compares several at once.

use fearless_simd::{Level, dispatch};
use glam::DVec3;

/// Points that are compared at once.
const LANES: usize = 4;

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
        dispatch!(self.level, _instructions => farthest(&self.handfuls, direction))
    }

    /// Numbers of the points that lie at least so far along a direction.
    pub fn beyond(&self, direction: DVec3, least: f64) -> impl Iterator<Item = usize> {
        let numbers = 0..self.count;
        numbers.filter(move |&number| {
            along(&self.handfuls[number / LANES], number % LANES, direction) >= least
        })
    }
}

#[inline(always)]
fn along([x, y, z]: &[[f64; LANES]; 3], lane: usize, direction: DVec3) -> f64 {
    x[lane] * direction.x + y[lane] * direction.y + z[lane] * direction.z
}

#[inline(always)]
fn farthest(handfuls: &[[[f64; LANES]; 3]], direction: DVec3) -> DVec3 {
    let mut most = [f64::NEG_INFINITY; LANES];
    // Numbers of handfuls, as the lanes of one width hold them.
    let mut found = [0.0; LANES];
    let mut number = 0.0;
    for handful in handfuls {
        for (lane, (most, found)) in most.iter_mut().zip(&mut found).enumerate() {
            let along = along(handful, lane, direction);
            let farther = along > *most;
            *most = if farther { along } else { *most };
            *found = if farther { number } else { *found };
        }
        number += 1.0;
    }
    let best = (1..LANES).fold(0, |best, lane| {
        let first = most[lane] == most[best] && found[lane] < found[best];
        if most[lane] > most[best] || first {
            lane
        } else {
            best
        }
    });
    let [x, y, z] = &handfuls[found[best] as usize];
    DVec3::new(x[best], y[best], z[best])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of any number of points on a sphere each is the farthest along its own direction, and of equal ones the first.
    #[test]
    fn each_point_of_a_sphere_is_farthest_along_itself() {
        let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
        for count in 1..40 {
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
