//! The intervals of time during which two moving bodies overlap along their axes, and what is sure about them in `f64`.

use super::super::super::tolerance;
use super::super::Trace;
use super::Polytope;
use super::axes::{Axes, MOST, Overlap};
use super::box_axes::{BoxAxis, Frames, PARALLEL, is_exactly_parallel};
use super::boxes::noise;
use super::contact::{length_sum, rounding};
use super::cuboid::Cuboid;
use glam::DVec3;

/// One axis: how far the bodies overlap along it at the start, and how fast that changes.
///
/// All three are times the length of the axis, which need not be 1.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Track {
    /// What the first has to go along the axis to be beyond; negative when it is.
    forward: f64,
    /// The same against the axis.
    backward: f64,
    /// Of the first along the axis, over the frame.
    speed: f64,
    /// How far the axis itself may be off, as metres of overlap.
    blur: f64,
    of_face: bool,
    /// Its place in the list of directions.
    place: u32,
}

impl Track {
    /// How far they overlap at a time; negative apart.
    fn overlap(&self, time: f64) -> f64 {
        (self.forward - self.speed * time).min(self.backward + self.speed * time)
    }

    /// What they must be apart by. A triangle's normal is held to be square to it, which it is up to rounding.
    fn margin(&self, noise: f64) -> f64 {
        if self.of_face {
            noise + self.blur
        } else {
            noise
        }
    }

    /// Apart at a time, and at all times before it, by more than rounding.
    fn is_ahead(&self, time: f64, noise: f64) -> bool {
        let margin = self.margin(noise);
        let forward = self.speed <= 0.0 && self.forward - self.speed * time < -margin;
        let backward = self.speed >= 0.0 && self.backward + self.speed * time < -margin;
        forward || backward
    }

    /// Apart at a time, and at all times after it.
    fn is_over(&self, time: f64, noise: f64) -> bool {
        let margin = self.margin(noise);
        let forward = self.speed >= 0.0 && self.forward - self.speed * time < -margin;
        let backward = self.speed <= 0.0 && self.backward + self.speed * time < -margin;
        forward || backward
    }
}

/// All axes of a moving pair.
pub(super) struct Tracks {
    list: [Track; MOST],
    count: usize,
    directions: Directions,
    /// None is missing but those that say what another says.
    complete: bool,
    /// Metres within which rounding could turn a verdict.
    pub(super) noise: f64,
    /// A speed along an axis of at most this is none.
    standstill: f64,
    /// The latest beginning and the earliest end.
    begin: f64,
    end: f64,
    /// The axis that begins last, and when; faces go before edges that begin as late.
    last: Option<(f64, usize)>,
}

#[expect(
    clippy::large_enum_variant,
    reason = "lives on the stack, and is made once a query"
)]
enum Directions {
    Boxes(Cuboid, Cuboid),
    Listed(Axes),
}

/// What cannot be otherwise, however the numbers were rounded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sure {
    /// Overlapping at the start.
    Inside,
    /// At all times of the frame.
    Apart,
    /// Apart at the start, overlapping in the frame.
    Meets { fraction: f64, normal: DVec3 },
}

impl Tracks {
    pub(super) fn of(a: &Polytope, b: &Polytope, relative: DVec3) -> Self {
        let between = a.origin - b.origin;
        match (a.as_solid(), b.as_solid()) {
            (Some(a), Some(b)) => Self::of_boxes(a, b, between, relative),
            _ => Self::of_any(a, b, between, relative),
        }
    }

    fn empty(directions: Directions, noise: f64, complete: bool, relative: DVec3) -> Self {
        Self {
            list: [Track::default(); MOST],
            count: 0,
            directions,
            complete,
            noise,
            standstill: tolerance::STANDSTILL * relative.length(),
            begin: f64::NEG_INFINITY,
            end: f64::INFINITY,
            last: None,
        }
    }

    fn of_any(a: &Polytope, b: &Polytope, between: DVec3, relative: DVec3) -> Self {
        let still = relative == DVec3::ZERO;
        let axes = Axes::of(a, b, if still { between } else { relative });
        let size = axes.size(between) + length_sum(relative);
        let (noise, complete) = (rounding(size), axes.are_all());
        let mut tracks = Self::empty(Directions::Listed(axes), noise, complete, relative);
        for place in 0..MOST {
            let Directions::Listed(axes) = &tracks.directions else {
                break;
            };
            let Some(axis) = axes.iter().nth(place) else {
                break;
            };
            let overlap = Overlap::on(axis.direction, a, b, between);
            let track = Track {
                forward: overlap.forward,
                backward: overlap.backward,
                speed: relative.dot(axis.direction),
                blur: axis.error * size,
                of_face: axis.of_face,
                place: place as u32,
            };
            tracks.add(track);
        }
        tracks
    }

    fn of_boxes(a: Cuboid, b: Cuboid, between: DVec3, relative: DVec3) -> Self {
        let frames = Frames::of(&a, &b, between);
        let (to_a, to_b) = (
            a.axes.map(|axis| axis.dot(relative)),
            b.axes.map(|axis| axis.dot(relative)),
        );
        let reach = a.half.length() + b.half.length() + length_sum(relative);
        let noise = noise(between, reach, a.skew + b.skew);
        let mut tracks = Self::empty(Directions::Boxes(a, b), noise, true, relative);
        for axis in BoxAxis::all_in(u32::MAX) {
            let (center, reach, speed) = match axis {
                BoxAxis::FaceOfB(j) => (frames.of_b[j], frames.reach_on_b(&a, &b, j), to_b[j]),
                BoxAxis::FaceOfA(i) => (frames.of_a[i], frames.reach_on_a(&a, &b, i), to_a[i]),
                BoxAxis::Edges(i, j) => {
                    if frames.square(i, j) <= PARALLEL {
                        tracks.complete &= is_exactly_parallel(a.axes[i], b.axes[j]);
                        continue;
                    }
                    (
                        frames.along_edges(&frames.of_a, i, j),
                        frames.reach_on_edges(&a, &b, i, j),
                        frames.along_edges(&to_a, i, j),
                    )
                }
            };
            let track = Track {
                forward: reach - center,
                backward: reach + center,
                speed,
                blur: 0.0,
                of_face: !matches!(axis, BoxAxis::Edges(..)),
                place: axis.bit().trailing_zeros(),
            };
            tracks.add(track);
            if track.is_ahead(1.0, noise) || track.is_over(0.0, noise) {
                break; // Apart for all of the frame.
            }
        }
        tracks
    }

    fn add(&mut self, track: Track) {
        if self.count == MOST {
            self.complete = false;
            return;
        }
        let index = self.count;
        self.list[index] = track;
        self.count += 1;
        if let Some((begin, end)) = self.times(&track) {
            self.begin = self.begin.max(begin);
            self.end = self.end.min(end);
            let slack = if track.of_face {
                0.0
            } else {
                tolerance::FACE_PREFERENCE
            };
            if self.last.is_none_or(|(last, _)| begin > last + slack) {
                self.last = Some((begin, index));
            }
        }
    }

    /// When they begin and end to overlap along an axis; `None` without motion along it.
    fn times(&self, track: &Track) -> Option<(f64, f64)> {
        let Track {
            forward,
            backward,
            speed,
            ..
        } = *track;
        if speed.abs() <= self.standstill {
            return None;
        }
        let times = if speed < 0.0 {
            (forward / speed, backward / -speed)
        } else {
            (-backward / speed, forward / speed)
        };
        Some(times)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Track> {
        self.list[..self.count].iter()
    }

    fn direction(&self, track: &Track) -> DVec3 {
        match &self.directions {
            Directions::Boxes(a, b) => BoxAxis::all_in(1 << track.place)
                .next()
                .map_or(DVec3::Y, |axis| axis.direction(a, b)),
            Directions::Listed(axes) => axes
                .iter()
                .nth(track.place as usize)
                .map_or(DVec3::Y, |axis| axis.direction),
        }
    }

    /// The axis that begins last and when: a unit vector toward the first body.
    pub(super) fn last(&self) -> Option<(f64, DVec3)> {
        let (begin, index) = self.last?;
        let track = &self.list[index];
        let direction = self.direction(track);
        let normal = if track.speed < 0.0 {
            direction
        } else {
            -direction
        };
        Some((begin, normal))
    }

    /// What is so beyond rounding, if anything.
    pub(super) fn sure(&self) -> Option<Sure> {
        let inside = |time: f64| {
            let overlaps = |track: &Track| track.overlap(time) > self.noise + track.blur;
            self.complete && self.iter().all(overlaps)
        };
        let ahead = |time: f64| self.iter().any(|track| track.is_ahead(time, self.noise));
        let over = |time: f64| self.iter().any(|track| track.is_over(time, self.noise));
        if ahead(1.0) || over(0.0) {
            return Some(Sure::Apart);
        }
        let parting = self.begin.midpoint(self.end).clamp(0.0, 1.0);
        if self.begin > self.end && ahead(parting) && over(parting) {
            return Some(Sure::Apart);
        }
        if inside(0.0) {
            return Some(Sure::Inside);
        }
        let middle = self.begin.midpoint(self.end.min(1.0));
        if ahead(0.0) && (0.0..1.0).contains(&middle) && inside(middle) {
            let (_, normal) = self.last()?;
            let fraction = self.begin.clamp(0.0, 1.0_f64.next_down());
            return Some(Sure::Meets { fraction, normal });
        }
        None
    }

    pub(super) fn tell(&self, track: &Track, trace: &mut impl Trace) {
        let direction = self.direction(track);
        let Some((begin, end)) = self.times(track) else {
            let numbers = [("forward", track.forward), ("backward", track.backward)];
            trace.step("no motion along the axis", &numbers);
            return;
        };
        trace.step(
            if track.of_face {
                "face axis"
            } else {
                "edge axis"
            },
            &[
                ("begin", begin),
                ("end", end),
                ("x", direction.x),
                ("y", direction.y),
                ("z", direction.z),
            ],
        );
    }
}
