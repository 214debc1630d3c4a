//! The keys of a property of a node of a glTF file, and the values between them.

use super::animation::{SAME, SAME_TIME};
use super::buffers::Buffers;
use super::document::{Channel, FLOAT, Sampler};
use super::fault;
use crate::core::problem::Problem;
use crate::core::tolerance::MAX_MAGNITUDE;
use glam::DQuat;

/// Lengths of a frame that uneven keys may give, seconds; where their usual distance is another, they are no frames.
const KEY_DT: std::ops::RangeInclusive<f64> = 1e-4..=0.05;

/// Number of intervals between keys from which on even keys of any rate are frames. Fewer are set by hand.
const EVEN_INTERVALS: usize = 3;

/// Limit of the keys of all tracks together.
const MAX_KEYS: u64 = 8_000_000;

/// The values of a property over time.
#[derive(Clone, Debug)]
pub(super) struct Track {
    /// Seconds, rising; at least one.
    pub(super) times: Vec<f64>,
    /// One a key; with tangents before and after it, three.
    values: Vec<[f64; 4]>,
    interpolation: Interpolation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interpolation {
    Step,
    Linear,
    Cubic,
}

/// The keys of an animation.
pub(super) struct Clip<'d> {
    pub(super) number: usize,
    pub(super) samplers: &'d [Sampler],
}

/// Refuses more keys than are read.
pub(super) fn check_keys(path: &str, keys: u64) -> Result<(), Problem> {
    if keys <= MAX_KEYS {
        return Ok(());
    }
    let what = format!("its animations have more than {MAX_KEYS} keys");
    Err(Problem::new(path, what, "export a shorter part"))
}

impl Clip<'_> {
    /// The keys of a channel with so many parts a value; `keys` counts those of all.
    pub(super) fn track(
        &self,
        buffers: &mut Buffers<'_>,
        channel: &Channel,
        parts: usize,
        keys: &mut u64,
    ) -> Result<Track, Problem> {
        let (path, document) = (buffers.path, buffers.document);
        let wrong = |what: &str| fault(path, format!("animation {}: {what}", self.number));
        let sampler = self.samplers.get(channel.sampler);
        let sampler = sampler.ok_or_else(|| wrong("a channel has no sampler"))?;
        let interpolation = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::Cubic,
            Some(other) => {
                return Err(wrong(&format!(
                    "its interpolation \"{other}\" is not known"
                )));
            }
        };
        let (is_turn, is_cubic) = (parts == 4, interpolation == Interpolation::Cubic);
        for (accessor, may_be_whole) in [(sampler.input, false), (sampler.output, is_turn)] {
            if let Some(accessor) = document.accessors.get(accessor) {
                if accessor.component_type != FLOAT && !(may_be_whole && accessor.normalized) {
                    return Err(wrong(
                        "its numbers must be floats, or normalized for a rotation",
                    ));
                }
                *keys = keys.saturating_add(accessor.count);
            }
        }
        check_keys(path, *keys)?;
        let times = buffers.numbers(sampler.input, "SCALAR", 1)?;
        let kind = if is_turn { "VEC4" } else { "VEC3" };
        let numbers = buffers.numbers(sampler.output, kind, parts as u64)?;
        let is_rising = times.windows(2).all(|pair| pair[0] < pair[1]);
        if times.is_empty() || !is_rising || !times.iter().all(|time| time.is_finite()) {
            return Err(wrong("the times of its keys must rise"));
        }
        if numbers.len() != times.len() * parts * if is_cubic { 3 } else { 1 } {
            return Err(wrong("it has not one value for each key"));
        }
        if !numbers.iter().all(|number| number.abs() <= MAX_MAGNITUDE) {
            return Err(wrong("a value is not finite, or too large"));
        }
        let values = numbers.chunks_exact(parts).map(|one| {
            let mut value = [0.0; 4];
            value[..parts].copy_from_slice(one);
            value
        });
        let track = Track {
            times,
            values: values.collect(),
            interpolation,
        };
        let no_turn = |key: usize| DQuat::from_array(*track.at_key(key)).length() < SAME;
        if is_turn && (0..track.times.len()).any(no_turn) {
            return Err(wrong("a rotation has no length: no rotation is 0, 0, 0, 1"));
        }
        Ok(track)
    }
}

impl Track {
    /// The value at a key.
    fn at_key(&self, key: usize) -> &[f64; 4] {
        match self.interpolation {
            Interpolation::Cubic => &self.values[3 * key + 1],
            _ => &self.values[key],
        }
    }

    /// Whether it has this value at every time.
    pub(super) fn is_constant(&self, value: [f64; 4]) -> bool {
        let largest = value
            .iter()
            .fold(1.0_f64, |most, part| most.max(part.abs()));
        let near = |one: &[f64; 4], other: [f64; 4]| {
            one.iter()
                .zip(other)
                .all(|(a, b)| (a - b).abs() <= SAME * largest)
        };
        let keys = 0..self.times.len();
        keys.clone().all(|key| near(self.at_key(key), value))
            && (self.interpolation != Interpolation::Cubic
                || keys.into_iter().all(|key| {
                    near(&self.values[3 * key], [0.0; 4])
                        && near(&self.values[3 * key + 2], [0.0; 4])
                }))
    }

    /// The usual time between two keys, seconds; `None` if it is no frame's.
    pub(super) fn frame_length(&self) -> Option<f64> {
        let intervals = self.times.windows(2).map(|pair| pair[1] - pair[0]);
        let mut sorted: Vec<f64> = intervals.collect();
        sorted.sort_by(f64::total_cmp);
        let middle = *sorted.get(sorted.len() / 2)?;
        // Exporters leave keys out where nothing changes.
        let is_whole = |interval: &f64| {
            let frames = (interval / middle).round();
            frames >= 1.0 && (interval / middle - frames).abs() <= SAME_TIME
        };
        let is_even = sorted.len() >= EVEN_INTERVALS && sorted.iter().all(is_whole);
        if !is_even && !KEY_DT.contains(&middle) {
            return None;
        }
        let near = sorted
            .iter()
            .filter(|one| (*one - middle).abs() <= SAME_TIME * middle);
        let (sum, count) = near.fold((0.0, 0.0), |(sum, count), one| (sum + one, count + 1.0));
        Some(sum / count)
    }

    /// Whether a value that was held for more than a frame of `dt` changes between two times at once.
    pub(super) fn jumps(&self, before: f64, time: f64, dt: f64) -> bool {
        let key = |time| self.around(time).0;
        let (from, to) = (key(before), key(time));
        self.interpolation == Interpolation::Step
            && from < to
            && self.times[to] - self.times[to - 1] > 1.5 * dt
    }

    /// The keys around a time, and the share of the way from one to the other.
    fn around(&self, time: f64) -> (usize, usize, f64) {
        let next = self.times.partition_point(|key| *key <= time);
        let (Some(from), true) = (next.checked_sub(1), next < self.times.len()) else {
            let end = next.saturating_sub(1);
            return (end, end, 0.0);
        };
        let share = (time - self.times[from]) / (self.times[next] - self.times[from]);
        (from, next, share)
    }

    /// The value at a time, in parts; before the first key and after the last it is theirs.
    pub(super) fn value(&self, time: f64) -> [f64; 4] {
        let (from, to, share) = self.around(time);
        let mix = |of: &dyn Fn(usize) -> f64| std::array::from_fn(of);
        match self.interpolation {
            Interpolation::Step => self.values[from],
            Interpolation::Linear => {
                let (a, b) = (self.values[from], self.values[to]);
                mix(&|part| a[part] + (b[part] - a[part]) * share)
            }
            Interpolation::Cubic => {
                let (t, length) = (share, self.times[to] - self.times[from]);
                let (a, out) = (self.values[3 * from + 1], self.values[3 * from + 2]);
                let (into, b) = (self.values[3 * to], self.values[3 * to + 1]);
                let (t2, t3) = (t * t, t * t * t);
                mix(&|part| {
                    (2.0 * t3 - 3.0 * t2 + 1.0) * a[part]
                        + (t3 - 2.0 * t2 + t) * length * out[part]
                        + (3.0 * t2 - 2.0 * t3) * b[part]
                        + (t3 - t2) * length * into[part]
                })
            }
        }
    }

    /// The value at a time as a rotation: between linear keys at a constant rate, the shorter way.
    pub(super) fn rotation(&self, time: f64) -> DQuat {
        // No key has no length; the middle of a spline may.
        let unit = |value: [f64; 4]| {
            let turn = DQuat::from_array(value);
            match turn.length() > 0.0 {
                true => turn.normalize(),
                false => DQuat::IDENTITY,
            }
        };
        if self.interpolation != Interpolation::Linear {
            return unit(self.value(time));
        }
        let (from, to, share) = self.around(time);
        let (a, b) = (unit(self.values[from]), unit(self.values[to]));
        a.slerp(b, share).normalize()
    }
}
