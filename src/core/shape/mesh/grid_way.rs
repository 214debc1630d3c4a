//! A straight way as a height field's walks test it against boxes, in `f64`.

use super::way::PLANES;
use crate::core::shape::Aabb;
use glam::DVec3;

/// Share of the largest coordinate by which boxes are larger: many roundings.
const MARGIN: f64 = 1e-13;

/// A way from one point to another, and how near to it things are looked for.
pub(super) struct GridWay {
    ends: Aabb,
    from: DVec3,
    /// One over its length on each axis, which is taken to be a little at least.
    per_way: DVec3,
    /// How near, metres, and a margin.
    wide: f64,
    middle: DVec3,
    /// From the middle to its end.
    half: DVec3,
    /// One over the length of the axis square to the way and to z, x, y; 0 for a way along that one.
    per_axis: [f64; 3],
    /// By how much rounding may have moved it.
    noise: f64,
}

impl GridWay {
    /// Of a way among boxes inside of `bounds`.
    #[inline]
    pub(super) fn new(from: DVec3, to: DVec3, radius: f64, bounds: &Aabb) -> Self {
        let largest = [from, to, bounds.min, bounds.max]
            .into_iter()
            .fold(DVec3::ZERO, |largest, point| largest.max(point.abs()))
            .max_element();
        let least = MARGIN * largest;
        let way = to - from;
        let half = way * 0.5;
        let per_axis = PLANES.map(|(one, other)| {
            let square = half[one] * half[one] + half[other] * half[other];
            match square > SMALLEST_SQUARE && square.is_finite() {
                true => 1.0 / square.sqrt(),
                false => 0.0,
            }
        });
        Self {
            ends: Aabb {
                min: from.min(to),
                max: from.max(to),
            },
            from,
            per_way: DVec3::from_array(
                way.to_array()
                    .map(|length| 1.0 / length.abs().max(least).copysign(length)),
            ),
            wide: radius * (1.0 + 4.0 * MARGIN) + 4.0 * least,
            middle: from * 0.5 + to * 0.5,
            half,
            per_axis,
            noise: 4.0 * least,
        }
    }

    /// What is near enough is in here.
    pub(super) fn bounds(&self) -> Aabb {
        self.ends.grown(self.wide)
    }

    /// Does it come near enough to a box? (slabs, Kay and Kajiya 1986)
    #[inline]
    pub(super) fn meets(&self, bounds: &Aabb) -> bool {
        let one = (bounds.min - self.wide - self.from) * self.per_way;
        let other = (bounds.max + self.wide - self.from) * self.per_way;
        let enters = one.min(other).max_element().max(0.0);
        let leaves = one.max(other).min_element().min(1.0);
        enters <= leaves
    }

    /// How far it is from a box, or less.
    #[inline]
    pub(super) fn distance(&self, bounds: &Aabb) -> f64 {
        let mut most = distance_of_boxes(&self.ends, bounds);
        let middle = (bounds.min + bounds.max) * 0.5 - self.middle;
        let half = (bounds.max - bounds.min) * 0.5 + self.noise;
        // On the axes square to the way and to an axis of space (Ericson 2005, 5.3.3).
        for ((one, other), per_axis) in PLANES.into_iter().zip(self.per_axis) {
            let wide = [self.half[one].abs(), self.half[other].abs()];
            let across = (middle[one] * self.half[other] - middle[other] * self.half[one]).abs();
            let reach = half[one] * wide[1] + half[other] * wide[0];
            let sizes = middle[one].abs() * wide[1] + middle[other].abs() * wide[0];
            most = most.max((across - reach - (sizes + reach) * MARGIN) * per_axis);
        }
        if most.is_finite() { most } else { 0.0 }
    }
}

/// How far two boxes are apart, or less.
#[inline]
pub(super) fn distance_of_boxes(one: &Aabb, other: &Aabb) -> f64 {
    let away = (one.min - other.max).max(other.min - one.max);
    let away = away.max(DVec3::ZERO).length() * (1.0 - MARGIN);
    if away.is_finite() { away } else { 0.0 }
}

/// Square metres; a way that is shorter seen along an axis is not told apart by it, as its square has too few digits.
const SMALLEST_SQUARE: f64 = 1e-280;
