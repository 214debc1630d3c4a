//! Seeded numbers.

use glam::{DQuat, DVec3};
use hitstop::core::shape::Pose;
use std::env::VarError;
use std::ops::Div;
use std::sync::LazyLock;

/// A small generator (SplitMix64): the same numbers on every machine; the seed identifies the case.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, count: u64) -> u64 {
        self.bits() % count
    }
    pub fn index(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
    pub fn point(&mut self, reach: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.range(-reach, reach)))
    }
    pub fn direction(&mut self) -> DVec3 {
        loop {
            if let Some(unit) = self.point(1.0).try_normalize() {
                return unit;
            }
        }
    }
    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), self.range(-3.0, 3.0))
    }
    pub fn pose(&mut self, reach: f64) -> Pose {
        Pose {
            position: self.point(reach),
            rotation: self.rotation(),
        }
    }
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.index(list.len())]
    }
    pub fn yes(&mut self) -> bool {
        self.below(2) == 0
    }
    pub fn maybe<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.yes().then(|| value(self))
    }
    pub fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..self.index(most + 1))
            .map(|_| self.bits() as u8)
            .collect()
    }
    /// Up to so many characters, without control characters.
    pub fn text(&mut self, most: usize) -> String {
        let ranges = [
            (' ', '~'),
            ('¡', '¬'),
            ('®', 'ͷ'),
            ('一', '鿿'),
            ('😀', '🙏'),
        ];
        let length = self.index(most + 1);
        let mut letter = || {
            let (first, last) = self.pick(&ranges);
            let code = self.below(u64::from(last as u32 - first as u32) + 1) as u32;
            char::from_u32(first as u32 + code).unwrap()
        };
        (0..length).map(|_| letter()).collect()
    }
    /// Small whole numbers.
    pub fn grid(&mut self, reach: i64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| {
            (self.below(2 * reach as u64 + 1) as i64 - reach) as f64
        }))
    }
    /// Off by some units in the last place, most often by none or one.
    pub fn nudge(&mut self, value: f64) -> f64 {
        match self.below(6) {
            0 => value.next_up(),
            1 => value.next_down(),
            2 => value.next_up().next_up(),
            3 => value.next_down().next_down(),
            _ => value,
        }
    }
}

/// The number of samples to draw where a full run draws `full`: a tenth, or all of them with `HITSTOP_SAMPLES=full`.
pub fn rounds<T: Div<Output = T> + From<u8>>(full: T) -> T {
    if is_full() { full } else { full / T::from(10) }
}

/// The same of samples that take milliseconds each: a fiftieth.
pub fn few_rounds<T: Div<Output = T> + From<u8>>(full: T) -> T {
    if is_full() { full } else { full / T::from(50) }
}

/// Is every sample to be drawn?
pub fn is_full() -> bool {
    static FULL: LazyLock<bool> = LazyLock::new(|| match std::env::var("HITSTOP_SAMPLES") {
        Ok(samples) if samples == "full" => true,
        Err(VarError::NotPresent) => false,
        other => panic!("HITSTOP_SAMPLES is {other:?}: expected \"full\", or unset for a tenth"),
    });
    *FULL
}
