//! Where two cores touch: the features that face each other along a normal, and the middle of what they have in common.

use super::super::operand::{Operand, Part};
use crate::core::shape::{Feature, UnitOrZero};
use crate::core::tolerance::{FEATURE_ANGLE, PARALLEL_SINE};
use glam::DVec3;
use smallvec::SmallVec;

/// A point on the surface of b's core, and the features of both that touch there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub point: DVec3,
    pub features: [Feature; 2],
}

type Loop = SmallVec<[DVec3; 8]>;

/// The parts of two cores that face each other along a normal.
pub(super) struct Meeting {
    /// Unit, from b toward a.
    normal: DVec3,
    parts: [Part; 2],
}

/// Distance of two unit normals along which the same parts meet (no unit): far below [`FEATURE_ANGLE`], far above rounding.
const SAME_NORMAL: f64 = 1e-10;

impl Meeting {
    pub fn along(a: &Operand<'_>, b: &Operand<'_>, normal: DVec3) -> Self {
        Self {
            normal,
            parts: [a.part(-normal), b.part(normal)],
        }
    }

    /// The normal of a face that meets the other, or square to two edges; else the one along which they were found.
    pub fn exact_normal(&self) -> DVec3 {
        let [on_a, on_b] = &self.parts;
        let found = match (on_a.normal, on_b.normal) {
            (_, Some(face)) => Some(face),
            (Some(face), None) => Some(-face),
            (None, None) if on_a.points.len() == 2 && on_b.points.len() == 2 => {
                let (one, other) = (
                    on_a.points[1] - on_a.points[0],
                    on_b.points[1] - on_b.points[0],
                );
                let cross = one.unit_or_zero().cross(other.unit_or_zero());
                let clear = cross.length_squared() > FEATURE_ANGLE * FEATURE_ANGLE;
                clear.then(|| cross.unit_or_zero() * 1.0_f64.copysign(cross.dot(self.normal)))
            }
            _ => None,
        };
        found
            .filter(|exact| exact.dot(self.normal) > 0.0)
            .unwrap_or(self.normal)
    }

    /// True when a face touches, which no motion toward it passes.
    pub fn is_flat(&self) -> bool {
        self.parts.iter().any(|part| part.normal.is_some())
    }

    /// Where they touch along a normal, which may be another than the one they were found along.
    pub fn touch(self, a: &Operand<'_>, b: &Operand<'_>, normal: DVec3) -> Touch {
        if self.normal.distance_squared(normal) > SAME_NORMAL * SAME_NORMAL {
            return touch(a, b, normal);
        }
        let [on_a, on_b] = &self.parts;
        let middle = match (on_a.points.len(), on_b.points.len()) {
            (_, 1) => on_b.points[0],
            (1, _) => on_a.points[0],
            (2, 2) => common_of_edges(&on_a.points, &on_b.points, normal),
            (_, 2) => center(&clipped(&on_b.points, &on_a.points, normal)),
            _ => center(&clipped(&on_a.points, &on_b.points, normal)),
        };
        let surface = b.support(normal).dot(normal);
        Touch {
            point: middle + normal * (surface - middle.dot(normal)),
            features: [on_a.feature, on_b.feature],
        }
    }
}

/// Of two cores that touch, or would when a were pushed along the unit `normal` from b toward a.
pub(crate) fn touch(a: &Operand<'_>, b: &Operand<'_>, normal: DVec3) -> Touch {
    Meeting::along(a, b, normal).touch(a, b, normal)
}

fn center(points: &[DVec3]) -> DVec3 {
    points.iter().sum::<DVec3>() / points.len().max(1) as f64
}

/// Along the normal, two edges cross in a point, or, when parallel, share a stretch.
fn common_of_edges(a: &[DVec3], b: &[DVec3], normal: DVec3) -> DVec3 {
    let (from, along) = (b[0], b[1] - b[0]);
    let across = a[1] - a[0];
    let side = normal.cross(across);
    let turn = along.dot(side);
    let parallel = PARALLEL_SINE * PARALLEL_SINE * along.length_squared() * across.length_squared();
    // Fractions of b's edge at which a's edge begins and ends, or crosses.
    let (least, most) = if turn * turn > parallel {
        let fraction = (a[0] - from).dot(side) / turn;
        (fraction, fraction)
    } else {
        let fraction = |point: DVec3| (point - from).dot(along) / along.length_squared();
        let (one, other) = (fraction(a[0]), fraction(a[1]));
        (one.min(other), one.max(other))
    };
    let fraction = least.clamp(0.0, 1.0).midpoint(most.clamp(0.0, 1.0));
    if fraction.is_finite() {
        from + along * fraction
    } else {
        from
    }
}

/// What of `subject` lies within the loop `window`, along the normal (Sutherland and Hodgman 1974). Where rounding
/// leaves nothing, the vertex nearest to the side that cut it off stays, moved onto that side.
fn clipped(subject: &Loop, window: &Loop, normal: DVec3) -> Loop {
    let middle = center(window);
    let mut rest = Loop::from_slice(subject);
    for (index, &corner) in window.iter().enumerate() {
        let next = window[(index + 1) % window.len()];
        let outward = normal.cross(next - corner);
        let inward = if outward.dot(middle - corner) < 0.0 {
            -outward
        } else {
            outward
        };
        if inward.length_squared() > 0.0 {
            cut(&mut rest, corner, inward);
        }
    }
    rest
}

fn cut(subject: &mut Loop, on_side: DVec3, inward: DVec3) {
    let height = |point: DVec3| (point - on_side).dot(inward);
    if subject.iter().all(|&point| height(point) >= 0.0) {
        return;
    }
    let mut rest = Loop::new();
    for (index, &point) in subject.iter().enumerate() {
        let next = subject[(index + 1) % subject.len()];
        let (here, there) = (height(point), height(next));
        if here >= 0.0 {
            rest.push(point);
        }
        // An edge alone has no way back.
        let closes = subject.len() > 2 || index == 0;
        if closes && (here > 0.0 && there < 0.0 || here < 0.0 && there > 0.0) {
            rest.push(point + (next - point) * (here / (here - there)));
        }
    }
    if rest.is_empty() {
        let nearest = subject
            .iter()
            .copied()
            .max_by(|&a, &b| height(a).total_cmp(&height(b)));
        let nearest = nearest.unwrap_or(on_side);
        let height = height(nearest) / inward.length_squared();
        rest.push(nearest - inward * height);
    }
    *subject = rest;
}
