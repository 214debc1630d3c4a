//! Arrays: many copies of an object.

use crate::core::random::SplitMix64;
use glam::DVec3;

/// How the copies of an array are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayLayout {
    /// Along a line.
    Row,
    /// In a plane grid, along x and z.
    Grid,
    /// On a circle around the original.
    Ring,
    /// Anywhere near the original.
    Random,
}

impl ArrayLayout {
    /// An array of this layout, to begin with.
    pub fn example(self) -> Array {
        match self {
            Self::Row => Array::Row {
                count: 5,
                step: DVec3::X,
            },
            Self::Grid => Array::Grid {
                columns: 3,
                rows: 3,
                spacing: 1.0,
            },
            Self::Ring => Array::Ring {
                count: 8,
                radius: 2.0,
            },
            Self::Random => Array::Random {
                count: 10,
                reach: 3.0,
                seed: 1,
            },
        }
    }
}

/// The number and the positions of the copies of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Array {
    /// Along a line.
    Row {
        /// Objects, with the original.
        count: u32,
        /// From one to the next, metres.
        step: DVec3,
    },
    /// In a plane grid.
    Grid {
        /// Objects along x, at most 100.
        columns: u32,
        /// Objects along z, at most 100.
        rows: u32,
        /// Between neighbours, metres.
        spacing: f64,
    },
    /// On a circle around the original, in the plane of x and z.
    Ring {
        /// Copies.
        count: u32,
        /// Metres.
        radius: f64,
    },
    /// In a cube around the original.
    Random {
        /// Objects, with the original.
        count: u32,
        /// Half the side of the cube, metres.
        reach: f64,
        /// The same seed gives the same positions.
        seed: u64,
    },
}

/// Limit of the objects that one array makes.
const MAX_COPIES: u32 = 10_000;

impl Array {
    /// Its layout.
    pub fn layout(&self) -> ArrayLayout {
        match self {
            Self::Row { .. } => ArrayLayout::Row,
            Self::Grid { .. } => ArrayLayout::Grid,
            Self::Ring { .. } => ArrayLayout::Ring,
            Self::Random { .. } => ArrayLayout::Random,
        }
    }

    /// The positions of the copies, relative to the original.
    pub fn offsets(&self) -> Vec<DVec3> {
        match *self {
            Self::Row { count, step } => (1..count.min(MAX_COPIES))
                .map(|i| step * f64::from(i))
                .collect(),
            Self::Grid {
                columns,
                rows,
                spacing,
            } => {
                let (columns, rows) = (columns.clamp(1, 100), rows.clamp(1, 100));
                let places =
                    (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
                places
                    .skip(1)
                    .map(|(x, z)| DVec3::new(f64::from(x), 0.0, f64::from(z)) * spacing)
                    .collect()
            }
            Self::Ring { count, radius } => (0..count.min(MAX_COPIES))
                .map(|i| {
                    let angle =
                        std::f64::consts::TAU * f64::from(i) / f64::from(count.min(MAX_COPIES));
                    DVec3::new(angle.cos(), 0.0, angle.sin()) * radius
                })
                .collect(),
            Self::Random { count, reach, seed } => {
                let mut random = SplitMix64(seed);
                let mut fraction = || random.fraction();
                (1..count.min(MAX_COPIES))
                    .map(|_| (DVec3::new(fraction(), fraction(), fraction()) * 2.0 - 1.0) * reach)
                    .collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_follow_the_layout() {
        let row = Array::Row {
            count: 3,
            step: DVec3::new(1.0, 2.0, 0.0),
        };
        let two = DVec3::new(2.0, 4.0, 0.0);
        assert_eq!(row.offsets(), [two / 2.0, two]);
        let grid = Array::Grid {
            columns: 3,
            rows: 2,
            spacing: 0.5,
        };
        let places = grid.offsets();
        assert_eq!(places.len(), 5);
        assert_eq!(places[4], DVec3::new(1.0, 0.0, 0.5));
        let ring = Array::Ring {
            count: 7,
            radius: 3.0,
        };
        let places = ring.offsets();
        let side = (places[1] - places[0]).length();
        for (place, next) in places.iter().zip(places.iter().cycle().skip(1)) {
            assert!((place.length() - 3.0).abs() < 1e-12 && place.y == 0.0);
            assert!(((*next - *place).length() - side).abs() < 1e-12);
        }
        let random = |seed| Array::Random {
            count: 100,
            reach: 2.0,
            seed,
        };
        let places = random(1).offsets();
        assert_eq!(places, random(1).offsets());
        assert_ne!(places, random(2).offsets());
        assert!(places.iter().all(|place| place.abs().max_element() <= 2.0));
        let many = Array::Ring {
            count: u32::MAX,
            radius: 1.0,
        };
        assert_eq!(many.offsets().len(), MAX_COPIES as usize);
    }
}
