//! Whole numbers for coordinates, and the columns that space is cut into.
//!
//! The higher coordinate never has the lower number, so boxes that overlap overlap in numbers too; what overlaps in numbers
//! alone is sorted out exactly afterwards. Few numbers lie outside the crowd: beyond its ends all have the first or the last.

use super::Entry;

/// Numbers of an axis are below 2 to this power: four of them, each with a spare bit, fill 64 bits.
pub(super) const BITS: u32 = 15;

/// Places along the swept axis are at most 2 to this power: the counts of all of them stay near the processor.
pub(super) const PLACE_BITS: u32 = 12;

/// Columns side by side are at most 2 to this power; more would cost memory and save nothing.
const COLUMN_BITS: u32 = 8;

/// Boxes a column should hold at least, or cutting it costs more than it saves.
const COLUMN_WORTH: usize = 8;

/// Most and least boxes that are looked at for where and how large the others are.
const SAMPLED: (usize, usize) = (16, 128);

/// Numbers for one axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    from: f64,
    /// Zero gives every coordinate the number 0.
    per_metre: f64,
}

impl Scale {
    /// Numbers that rise with finite coordinates, below 2^[`BITS`].
    pub(super) fn number(&self, coordinate: f64) -> u64 {
        let most = f64::from((1_u32 << BITS) - 1);
        let number = (coordinate - self.from) * self.per_metre;
        // Written so that each is one instruction.
        let number = if number > 0.0 { number } else { 0.0 };
        let number = if number < most { number } else { most };
        // Added to 2^52 a number stands in the lowest bits, rounded: quicker than a conversion, and as much in order.
        (number + 4_503_599_627_370_496.0).to_bits() & ((1 << BITS) - 1)
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

/// How an axis is cut into columns, or places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub scale: Scale,
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
    /// Cut into places, by which the boxes are sorted.
    pub along: Cut,
    pub cuts: [Cut; 2],
}

impl Grid {
    /// How many columns there are.
    pub(super) fn columns(&self) -> usize {
        self.cuts[0].count() * self.cuts[1].count()
    }

    /// Cuts space as some of the boxes suggest, which changes the time taken and nothing else.
    pub(super) fn of(entries: &[Entry]) -> Self {
        let crowds = crowds(entries);
        let mut axes = [0, 1, 2];
        axes.sort_by(|&a, &b| crowds[b].worth().total_cmp(&crowds[a].worth()));
        let along = crowds[axes[0]];
        let side = (entries.len() / COLUMN_WORTH).isqrt().max(1) as f64;
        Self {
            axes,
            along: Cut {
                scale: Scale::new(along.from, f64::from(1_u32 << BITS), along.width),
                shift: BITS - (entries.len().max(1).ilog2() + 1).clamp(4, PLACE_BITS),
            },
            cuts: [axes[1], axes[2]].map(|axis| crowds[axis].cut(side)),
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
    fn cut(&self, side: f64) -> Cut {
        let wide = (2.0 * self.usual_size).max(self.width / side);
        let columns = (self.width / wide).ceil();
        // Not a number where nothing has any width: then one column.
        let columns = if columns.is_nan() { 1.0 } else { columns };
        let bits = (0..COLUMN_BITS)
            .find(|&bits| columns <= f64::from(1_u32 << bits))
            .unwrap_or(COLUMN_BITS);
        let wide = wide.max(self.width / f64::from(1_u32 << bits));
        let shift = BITS - bits;
        Cut {
            scale: Scale::new(self.from, f64::from(1_u32 << shift), wide),
            shift,
        }
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
