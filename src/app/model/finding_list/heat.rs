//! Where the listed findings are: their numbers by cells of space.

use glam::DVec3;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Most cells; those with the most findings are kept.
const MOST: usize = 600;
/// Cells along the longest side of the box around the findings.
const CELLS: f64 = 24.0;

/// The numbers of findings by place.
#[derive(Debug, Default, PartialEq)]
pub struct HeatMap {
    /// Edge of a cell, metres.
    pub cell: f64,
    /// The most first.
    pub places: Vec<HeatPlace>,
}

/// A cell with findings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatPlace {
    /// The mean of their points, world, metres.
    pub center: DVec3,
    /// The number of findings.
    pub count: usize,
}

impl HeatMap {
    /// The places of findings at some points, world, metres. Points that are not finite are left out.
    pub fn of(points: impl Iterator<Item = DVec3>) -> Self {
        let points: Vec<DVec3> = points.filter(|point| point.is_finite()).collect();
        let bounds =
            |(low, high): (DVec3, DVec3), point: &DVec3| (low.min(*point), high.max(*point));
        let (low, high) = points
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), bounds);
        let extent = (high - low).max_element();
        if !(extent > 0.0 && extent.is_finite()) {
            return Self::default();
        }
        let cell = extent / CELLS;
        let mut sums: HashMap<[i32; 3], (DVec3, usize)> = HashMap::new();
        for point in points {
            let key = ((point - low) / cell).to_array().map(|at| at as i32);
            let (sum, count) = sums.entry(key).or_default();
            *sum += point - low;
            *count += 1;
        }
        let places = sums.into_values().map(|(sum, count)| HeatPlace {
            center: low + sum / count as f64,
            count,
        });
        let mut places: Vec<HeatPlace> = places.collect();
        // The same order in each run.
        places.sort_by(|one, other| {
            let place = one.center.to_array().partial_cmp(&other.center.to_array());
            let most = Reverse(one.count).cmp(&Reverse(other.count));
            most.then(place.unwrap_or(std::cmp::Ordering::Equal))
        });
        places.truncate(MOST);
        Self { cell, places }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_counted_by_place() {
        let near = |x: f64| DVec3::new(x, 2.0, -1.0);
        let points = [near(0.0), near(24.0), near(0.25), near(0.5), DVec3::NAN];
        let heat = HeatMap::of(points.into_iter());
        assert_eq!(heat.cell, 1.0);
        let places: Vec<_> = heat
            .places
            .iter()
            .map(|one| (one.center, one.count))
            .collect();
        assert_eq!(places, [(near(0.25), 3), (near(24.0), 1)]);
        // All in one point: there is no scale.
        assert!(HeatMap::of([near(1.0); 3].into_iter()).places.is_empty());
    }
}
