//! The path of a point against a simple core grown by a radius (a swept sphere against a segment, triangle or box).
//!
//! Against a box the slabs grown by the radius come first, which contain the rounded box: no entry there is a miss, and an entry over
//! a face is the answer. Anywhere else all twelve edge capsules are tried: a path that enters beyond an edge and misses that edge may
//! still hit another one, which the published form (Ericson 2005, 5.5.7) does not find.
//!
//! Balls and cylinders: with `w` the start from the centre and `d` the displacement, `a t^2 + 2 b t + c = 0`, `a = d.d`, `b = w.d`,
//! `c = w.w - R^2`. The discriminant is taken in its perpendicular form, `b^2 - a c = a R^2 - |w x d|^2`: the schoolbook difference of
//! two large near-equal numbers is wrong for small things that move fast. The root is `c / (sqrt(D) - b)`, in which nothing cancels.

use super::super::closest_point::{projects_inside, triangle_edges};
use super::super::operand::{Core, Cuboid, Face};
use super::super::trace::{Step, Trace};
use super::point::{Nearest, nearest};
use crate::core::shape::{Feature, Segment};
use crate::core::tolerance::STEEP_ENOUGH;
use glam::DVec3;

/// A straight path: a start and a displacement over the motion, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Path {
    pub start: DVec3,
    pub displacement: DVec3,
}

impl Path {
    pub fn at(&self, fraction: f64) -> DVec3 {
        self.start + self.displacement * fraction
    }
}

/// What a sweep finds, in the frame it is computed in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Swept {
    /// Overlapping at the start, by this depth.
    Overlapping(f64),
    Hits {
        fraction: f64,
        /// Unit, toward the first shape.
        normal: DVec3,
        /// Of the first and the second shape, where they are known.
        features: Option<[Feature; 2]>,
        /// On the surface of the second core, where it is known with them.
        point: Option<DVec3>,
    },
    /// Touches within the error bound, at this fraction.
    Grazes(f64),
    Misses,
}

impl Swept {
    /// The same with the shapes in the other order.
    pub fn swapped(self) -> Self {
        match self {
            Self::Hits {
                fraction,
                normal,
                features,
                ..
            } => Self::Hits {
                fraction,
                normal: -normal,
                features: features.map(|[a, b]| [b, a]),
                point: None,
            },
            other => other,
        }
    }
}

/// Where a path enters a grown core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    /// >= 0, any size.
    pub fraction: f64,
    /// Toward the point, and the part of the core; `None` on edges and vertices, where the closest point gives it.
    pub face: Option<(DVec3, Feature)>,
}

impl Entry {
    fn round(fraction: f64) -> Self {
        Self {
            fraction,
            face: None,
        }
    }
}

fn earlier(first: Option<Entry>, second: Option<Entry>) -> Option<Entry> {
    match (first, second) {
        (Some(a), Some(b)) => Some(if b.fraction < a.fraction { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// Sweeps a point with a radius against a core; `bound` is the error bound of their distance. `None` for a core without a formula.
pub(crate) fn sweep_point(
    core: &Core<'_>,
    path: &Path,
    radius: f64,
    bound: f64,
    trace: &mut impl Trace,
) -> Option<Swept> {
    // Some solids have a nearest point, but none a formula for where a path enters it.
    if matches!(core, Core::Solid(_)) {
        return None;
    }
    let start = nearest(path.start, core)?;
    let gap = start.distance - radius;
    // The distance to a convex shape changes with the displacement's part along the normal.
    let rate = start.normal.dot(path.displacement);
    trace.step(Step::Start {
        gap,
        approach: -rate,
        bound,
    });
    if gap < -bound {
        return Some(Swept::Overlapping(-gap));
    }
    // What touches and approaches by no more than rounding over the whole motion does not approach.
    let resting = if gap <= bound { bound } else { 0.0 };
    if rate >= -resting {
        trace.step(Step::Receding { approach: -rate });
        return Some(Swept::Misses);
    }
    if gap <= bound {
        return Some(settle(
            core,
            path,
            radius,
            (0.0, &start, None),
            bound,
            trace,
        ));
    }
    let Some(entry) = enter(core, path, radius) else {
        if let Some(near) = enter(core, path, radius + bound).filter(|near| near.fraction < 1.0) {
            return Some(Swept::Grazes(near.fraction));
        }
        trace.step(Step::PassesBy { fraction: 1.0 });
        return Some(Swept::Misses);
    };
    let fraction = refined(core, path, radius, &entry);
    let Some(at_entry) = nearest(path.at(fraction), core) else {
        return Some(Swept::Misses);
    };
    let touch = (fraction, &at_entry, entry.face);
    Some(settle(core, path, radius, touch, bound, trace))
}

/// One Newton step on the distance, which undoes the rounding of a long path.
fn refined(core: &Core<'_>, path: &Path, radius: f64, entry: &Entry) -> f64 {
    let Some(at_entry) = nearest(path.at(entry.fraction), core) else {
        return entry.fraction;
    };
    let normal = entry.face.map_or(at_entry.normal, |(normal, _)| normal);
    let rate = normal.dot(path.displacement);
    if rate < -STEEP_ENOUGH * path.displacement.length() && at_entry.distance > 0.0 {
        (entry.fraction - (at_entry.distance - radius) / rate).max(0.0)
    } else {
        entry.fraction
    }
}

/// Names what an entry is: a hit, a graze, or a touch that belongs to the next frame.
fn settle(
    core: &Core<'_>,
    path: &Path,
    radius: f64,
    (fraction, at_entry, face): (f64, &Nearest, Option<(DVec3, Feature)>),
    bound: f64,
    trace: &mut impl Trace,
) -> Swept {
    let (normal, feature) = face.unwrap_or((at_entry.normal, at_entry.feature));
    let approach = -normal.dot(path.displacement);
    if fraction >= 1.0 || (1.0 - fraction) * approach <= bound {
        trace.step(Step::Later {
            fraction: fraction.max(1.0),
        });
        return Swept::Misses;
    }
    // A grown core bends no more than a ball of its radius: at least so deep the path goes below its surface.
    let slope = approach / path.displacement.length();
    if face.is_none() && 0.5 * radius * slope * slope <= bound {
        let deeper = enter(core, path, (radius - bound).max(0.0));
        if deeper.is_none_or(|deeper| deeper.fraction >= 1.0) {
            return Swept::Grazes(fraction);
        }
    }
    Swept::Hits {
        fraction,
        normal,
        features: Some([Feature::Round, feature]),
        point: None,
    }
}

/// Where a path that starts outside enters a core grown by `radius`; `None` when it misses.
pub(crate) fn enter(core: &Core<'_>, path: &Path, radius: f64) -> Option<Entry> {
    match core {
        Core::Point(center) => enter_ball(path, *center, radius).map(Entry::round),
        Core::Segment(segment) => enter_capsule(path, segment, radius),
        Core::Triangle(face) => enter_face(path, face, radius),
        Core::Cuboid(cuboid) => enter_cuboid(path, cuboid, radius),
        Core::Solid(_) => None,
    }
}

fn enter_capsule(path: &Path, segment: &Segment, radius: f64) -> Option<Entry> {
    let round = [
        enter_cylinder(path, segment, radius),
        enter_ball(path, segment.a, radius),
        enter_ball(path, segment.b, radius),
    ];
    round
        .into_iter()
        .map(|fraction| fraction.map(Entry::round))
        .fold(None, earlier)
}

fn enter_face(path: &Path, Face { triangle, normal }: &Face, radius: f64) -> Option<Entry> {
    if let Some(front) = *normal {
        let height = (path.start - triangle.a).dot(front);
        let normal = if height < 0.0 { -front } else { front };
        let (beyond, approach) = (height.abs() - radius, -normal.dot(path.displacement));
        if beyond >= 0.0 {
            // Nothing is hit before the plane offset toward the start.
            if approach <= 0.0 {
                return None;
            }
            let fraction = beyond / approach;
            if projects_inside(path.at(fraction), triangle, front) {
                return Some(Entry {
                    fraction,
                    face: Some((normal, Feature::Face(0))),
                });
            }
        }
    }
    let round = triangle_edges(triangle).map(|edge| {
        [
            enter_cylinder(path, &edge, radius),
            enter_ball(path, edge.a, radius),
        ]
    });
    round
        .into_iter()
        .flatten()
        .map(|fraction| fraction.map(Entry::round))
        .fold(None, earlier)
}

fn enter_cuboid(path: &Path, cuboid: &Cuboid, radius: f64) -> Option<Entry> {
    let to_local = cuboid.axes.transpose();
    let local = Path {
        start: to_local * (path.start - cuboid.center),
        displacement: to_local * path.displacement,
    };
    let half = cuboid.half_extents;
    if let Some(face) = enter_slabs(&local, half, radius)? {
        return Some(Entry {
            face: face
                .face
                .map(|(normal, feature)| (cuboid.axes * normal, feature)),
            ..face
        });
    }
    let corner = |index: usize| {
        let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
        half * DVec3::new(side(0), side(1), side(2))
    };
    let mut first = None;
    for start in 0..8 {
        let ball = enter_ball(&local, corner(start), radius);
        first = earlier(first, ball.map(Entry::round));
        for axis in (0..3).filter(|axis| start >> axis & 1 == 0) {
            let edge = Segment {
                a: corner(start),
                b: corner(start | 1 << axis),
            };
            first = earlier(
                first,
                enter_cylinder(&local, &edge, radius).map(Entry::round),
            );
        }
    }
    first
}

/// The slabs of a box grown on every side: `None` misses them, `Some(None)` enters beyond an edge or corner (or starts
/// there), `Some(face)` enters over a face.
fn enter_slabs(path: &Path, half_extents: DVec3, radius: f64) -> Option<Option<Entry>> {
    let grown = half_extents + DVec3::splat(radius);
    let (mut enter, mut exit, mut axis) = (f64::NEG_INFINITY, f64::INFINITY, 0);
    for k in 0..3 {
        let (start, along) = (path.start[k], path.displacement[k]);
        if along == 0.0 {
            if start.abs() >= grown[k] {
                return None;
            }
            continue;
        }
        let near = (-grown[k] * along.signum() - start) / along;
        let far = (grown[k] * along.signum() - start) / along;
        if near > enter {
            (enter, axis) = (near, k);
        }
        exit = exit.min(far);
    }
    if enter >= exit || exit <= 0.0 {
        return None;
    }
    // A start inside the grown box is beyond an edge, or over a face by no more than rounding.
    let enter = enter.max(0.0);
    let at = path.at(enter);
    let over_face = (0..3).all(|k| k == axis || at[k].abs() <= half_extents[k]);
    // A box grown by nothing is its own slabs: there is no edge to enter beyond.
    if !over_face && radius > 0.0 {
        return Some(None);
    }
    let positive = path.displacement[axis] < 0.0;
    let mut normal = DVec3::ZERO;
    normal[axis] = if positive { 1.0 } else { -1.0 };
    Some(Some(Entry {
        fraction: enter,
        face: Some((normal, Feature::Face(2 * axis as u32 + u32::from(positive)))),
    }))
}

/// The fraction (>= 0, any size) at which a path enters a ball; `None` when it moves away, passes or only grazes.
/// A start inside answers 0.
fn enter_ball(path: &Path, center: DVec3, radius: f64) -> Option<f64> {
    let from_center = path.start - center;
    root(
        path.displacement.length_squared(),
        from_center.dot(path.displacement),
        from_center.length_squared() - radius * radius,
        from_center.cross(path.displacement).length_squared(),
        radius,
    )
}

/// The fraction (>= 0) at which a path enters a cylinder through its round side, between the two end planes.
/// `None` for a zero-length axis, whose ends are balls.
fn enter_cylinder(path: &Path, axis: &Segment, radius: f64) -> Option<f64> {
    let along = axis.b - axis.a;
    let square = along.length_squared();
    if square <= 0.0 {
        return None;
    }
    let unit = along / square.sqrt();
    let from_axis = path.start - axis.a;
    // Crossed with the axis, only what is perpendicular to it remains, turned by a right angle.
    let (across, step) = (from_axis.cross(unit), path.displacement.cross(unit));
    let fraction = root(
        step.length_squared(),
        across.dot(step),
        across.length_squared() - radius * radius,
        across.cross(step).length_squared(),
        radius,
    )?;
    let s = (from_axis + path.displacement * fraction).dot(along);
    (0.0..=square).contains(&s).then_some(fraction)
}

fn root(a: f64, b: f64, c: f64, perpendicular_square: f64, radius: f64) -> Option<f64> {
    if b >= 0.0 {
        return None;
    }
    let discriminant = a * radius * radius - perpendicular_square;
    (discriminant > 0.0).then(|| c.max(0.0) / (discriminant.sqrt() - b))
}
