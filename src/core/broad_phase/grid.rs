//! Whole numbers for coordinates, and the columns that space is cut into.
//!
//! The higher coordinate never has the lower number, so boxes that overlap overlap in numbers too; what overlaps in numbers
//! alone is sorted out exactly afterwards. Few numbers lie outside the crowd: beyond its ends all have the first or the last.

use super::Entry;
use glam::DVec3;

/// Numbers of an axis are below 2 to this power: what an `i16` holds from 0 on.
const BITS: u32 = i16::BITS - 1;

/// The highest number; one more is beyond all of them.
pub(super) const LAST: i16 = i16::MAX - 1;

/// Columns side by side are at most 2 to this power; more would cost memory and save nothing.
const COLUMN_BITS: u32 = 8;

/// Most and least boxes that are looked at for where and how large the others are.
const SAMPLED: (usize, usize) = (16, 128);

/// Numbers for one axis.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scale {
    from: f64,
    /// Zero gives every coordinate the number 0.
    per_metre: f64,
}

impl Scale {
    /// Numbers that rise with finite coordinates, from 0 to [`LAST`].
    #[inline(always)]
    pub(super) fn number(&self, coordinate: f64) -> i16 {
        let most = f64::from(LAST);
        let number = (coordinate - self.from) * self.per_metre;
        // Written so that each is one instruction.
        let number = if number > 0.0 { number } else { 0.0 };
        let number = if number < most { number } else { most };
        // Added to 2^52 a number stands in the lowest bits, rounded: quicker than a conversion, and as much in order.
        (number + 4_503_599_627_370_496.0).to_bits() as i16
    }

    /// `numbers` of them over each `metres`, starting `from`; a single number where that makes no sense.
    fn new(from: f64, numbers: f64, metres: f64) -> Self {
        let per_metre = numbers / metres;
        if per_metre.is_normal() && from.is_finite() {
            return Self { from, per_metre };
        }
        Self {
            from: 0.0,
            per_metre: 0.0,
        }
    }
}

/// How an axis is cut into columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// Numbers of each, as a power of 2.
    pub shift: u32,
}

impl Cut {
    /// How many of them there are.
    pub(super) fn count(&self) -> usize {
        1 << (BITS - self.shift)
    }

    /// Twice as wide, as far as there are several.
    pub(super) fn coarser(&mut self) {
        self.shift = (self.shift + 1).min(BITS);
    }
}

/// The axis to sweep along, and the two that are cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// 0, 1, 2 for x, y, z: the one swept first.
    pub axes: [usize; 3],
    /// For x, y, z.
    scales: [Scale; 3],
    /// Of the other two axes.
    pub cuts: [Cut; 2],
}

impl Grid {
    /// The numbers of a point, on the axes in their order.
    #[inline(always)]
    pub(super) fn numbers(&self, point: DVec3) -> [i16; 3] {
        let [x, y, z] = self.scales;
        let numbers = [x.number(point.x), y.number(point.y), z.number(point.z)];
        self.axes.map(|axis| numbers[axis])
    }

    /// How many columns there are.
    pub(super) fn columns(&self) -> usize {
        self.cuts[0].count() * self.cuts[1].count()
    }

    /// Cuts space as some of the boxes suggest, into columns of `worth` boxes or more, which changes the time taken and nothing
    /// else.
    pub(super) fn of(entries: &[Entry], worth: usize) -> Self {
        let crowds = crowds(entries);
        let mut axes = [0, 1, 2];
        axes.sort_by(|&a, &b| crowds[b].worth().total_cmp(&crowds[a].worth()));
        let along = crowds[axes[0]];
        let side = (entries.len() / worth).isqrt().max(1) as f64;
        let cuts = [axes[1], axes[2]].map(|axis| crowds[axis].cut(side));
        let mut scales = [Scale::default(); 3];
        scales[axes[0]] = Scale::new(along.from, f64::from(1_u32 << BITS), along.width);
        scales[axes[1]] = cuts[0].0;
        scales[axes[2]] = cuts[1].0;
        Self {
            axes,
            scales,
            cuts: cuts.map(|(_, cut)| cut),
        }
    }
}

/// Where most boxes are on one axis, and how large.
#[derive(Clone, Copy, Debug, Default)]
struct Crowd {
    from: f64,
    width: f64,
    usual_size: f64,
}

impl Crowd {
    /// Sorts both. Seven of eight centres and a margin beyond either end.
    fn of(centers: &mut [f64], sizes: &mut [f64]) -> Self {
        centers.sort_unstable_by(f64::total_cmp);
        sizes.sort_unstable_by(f64::total_cmp);
        let count = centers.len();
        let (Some(first), Some(last)) = (
            centers.get(count / 16),
            centers.get((count * 15 / 16).min(count.saturating_sub(1))),
        ) else {
            return Self::default();
        };
        let usual_size = sizes[count / 2].max(0.0);
        let margin = (last - first) * 0.25 + usual_size;
        Self {
            from: first - margin,
            width: last - first + 2.0 * margin,
            usual_size,
        }
    }

    /// How far they are scattered, in sizes of theirs: the more, the fewer meet on this axis.
    fn worth(&self) -> f64 {
        let worth = self.width / self.usual_size;
        if worth.is_nan() { 0.0 } else { worth }
    }

    /// Columns of twice the usual size, or so wide that there are no more than `side`.
    fn cut(&self, side: f64) -> (Scale, Cut) {
        let wide = (2.0 * self.usual_size).max(self.width / side);
        let columns = (self.width / wide).ceil();
        // Not a number where nothing has any width: then one column.
        let columns = if columns.is_nan() { 1.0 } else { columns };
        let bits = (0..COLUMN_BITS)
            .find(|&bits| columns <= f64::from(1_u32 << bits))
            .unwrap_or(COLUMN_BITS);
        let wide = wide.max(self.width / f64::from(1_u32 << bits));
        let shift = BITS - bits;
        let scale = Scale::new(self.from, f64::from(1_u32 << shift), wide);
        (scale, Cut { shift })
    }
}

fn crowds(entries: &[Entry]) -> [Crowd; 3] {
    let wanted = entries.len().isqrt().clamp(SAMPLED.0, SAMPLED.1);
    let step = entries.len() / wanted + 1;
    let sample = || {
        let some = entries.iter().step_by(step);
        some.filter_map(|entry| entry.bounds.filter(|_| entry.can_meet()))
    };
    std::array::from_fn(|axis| {
        let (mut centers, mut sizes): (Vec<f64>, Vec<f64>) = sample()
            .map(|bounds| {
                let (min, max) = (bounds.min[axis], bounds.max[axis]);
                (min * 0.5 + max * 0.5, max - min)
            })
            .unzip();
        Crowd::of(&mut centers, &mut sizes)
    })
}
