//! Where two bodies touch: the middle of what their touching features have in common.

use super::super::Feature;
use super::{Polytope, Support};
use glam::DVec3;

/// A point on the surface of b, relative to b's origin, and the features that meet there.
pub(super) struct Meeting {
    pub(super) point: DVec3,
    pub(super) feature_a: Feature,
    pub(super) feature_b: Feature,
}

/// At most four vertices of one body, cut by at most four sides of the other.
const MOST: usize = 8;

/// Points of a feature: one, two, or a loop.
#[derive(Clone, Copy)]
struct Loop {
    points: [DVec3; MOST],
    count: usize,
}

/// For two bodies that touch (or would, were a pushed along the normal) with `between` leading from b's origin to a's.
pub(super) fn meeting(a: &Polytope, b: &Polytope, between: DVec3, normal: DVec3) -> Meeting {
    let parts = (a.support(-normal), b.support(normal));
    let (_, surface) = b.interval(normal);
    meeting_of(parts, between, normal, surface)
}

/// The same of the parts that meet; `surface` is how far b reaches along the normal.
#[inline]
pub(super) fn meeting_of(
    (part_a, part_b): (Support, Support),
    between: DVec3,
    normal: DVec3,
    surface: f64,
) -> Meeting {
    let middle = match (part_a.count, part_b.count) {
        (_, 1) => part_b.points[0],
        (1, _) => between + part_a.points[0],
        (2, 2) => {
            let a = [between + part_a.points[0], between + part_a.points[1]];
            common_of_edges(a, [part_b.points[0], part_b.points[1]], normal)
        }
        _ => common_of_faces(&part_a, &part_b, between, normal),
    };
    Meeting {
        point: middle + normal * (surface - middle.dot(normal)),
        feature_a: part_a.feature,
        feature_b: part_b.feature,
    }
}

/// At least one of them is a loop.
fn common_of_faces(part_a: &Support, part_b: &Support, between: DVec3, normal: DVec3) -> DVec3 {
    let (loop_a, loop_b) = (Loop::of(part_a, between), Loop::of(part_b, DVec3::ZERO));
    if loop_b.count == 2 {
        clipped(&loop_b, &loop_a, normal).middle()
    } else {
        clipped(&loop_a, &loop_b, normal).middle()
    }
}

impl Loop {
    fn of(support: &Support, shift: DVec3) -> Self {
        let mut points = [DVec3::ZERO; MOST];
        for (point, from) in points.iter_mut().zip(&support.points[..support.count]) {
            *point = *from + shift;
        }
        Self {
            points,
            count: support.count,
        }
    }

    fn one(point: DVec3) -> Self {
        Self {
            points: [point; MOST],
            count: 1,
        }
    }

    fn points(&self) -> &[DVec3] {
        &self.points[..self.count]
    }

    fn push(&mut self, point: DVec3) {
        if self.count < MOST {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    fn middle(&self) -> DVec3 {
        self.points().iter().sum::<DVec3>() / self.count.max(1) as f64
    }
}

/// Seen along the normal, two edges cross in a point, or, when parallel, share a stretch.
fn common_of_edges(a: [DVec3; 2], b: [DVec3; 2], normal: DVec3) -> DVec3 {
    let (from, along) = (b[0], b[1] - b[0]);
    let across = a[1] - a[0];
    let side = normal.cross(across);
    let turn = along.dot(side);
    // Shares of b's edge at which a's edge begins and ends, or crosses.
    let parallel = 1e-18 * along.length_squared() * across.length_squared();
    let (least, most) = if turn * turn > parallel {
        let share = (a[0] - from).dot(side) / turn;
        (share, share)
    } else {
        let share = |point: DVec3| (point - from).dot(along) / along.length_squared();
        let (one, other) = (share(a[0]), share(a[1]));
        (one.min(other), one.max(other))
    };
    let share = least.clamp(0.0, 1.0).midpoint(most.clamp(0.0, 1.0));
    if share.is_finite() {
        from + along * share
    } else {
        from
    }
}

/// What of `subject` lies within the loop `window`, seen along the normal (Sutherland and Hodgman 1974). Where rounding
/// leaves nothing, the vertex nearest to the side that cut it off stays, moved onto that side.
fn clipped(subject: &Loop, window: &Loop, normal: DVec3) -> Loop {
    let middle = window.middle();
    let mut rest = *subject;
    for (index, &corner) in window.points().iter().enumerate() {
        let next = window.points[(index + 1) % window.count];
        let Some(outward) = normal.cross(next - corner).try_normalize() else {
            continue;
        };
        let inward = if outward.dot(middle - corner) < 0.0 {
            -outward
        } else {
            outward
        };
        rest = cut(&rest, corner, inward);
    }
    rest
}

fn cut(subject: &Loop, on_side: DVec3, inward: DVec3) -> Loop {
    let height = |point: DVec3| (point - on_side).dot(inward);
    let mut rest = Loop {
        points: [DVec3::ZERO; MOST],
        count: 0,
    };
    for (index, &point) in subject.points().iter().enumerate() {
        let next = subject.points[(index + 1) % subject.count];
        let (here, there) = (height(point), height(next));
        if here >= 0.0 {
            rest.push(point);
        }
        // An edge alone has no way back.
        let closes = subject.count > 2 || index == 0;
        if closes && (here > 0.0 && there < 0.0 || here < 0.0 && there > 0.0) {
            rest.push(point + (next - point) * (here / (here - there)));
        }
    }
    if rest.count == 0 {
        let nearest = subject
            .points()
            .iter()
            .copied()
            .max_by(|&a, &b| height(a).total_cmp(&height(b)))
            .unwrap_or(on_side);
        return Loop::one(nearest - inward * height(nearest));
    }
    rest
}
