//! A ruler between two points or shapes: the distance, along the axes and in the planes of two axes.

use super::dispatch::gap_traced;
use super::trace::{Step, Trace};
use crate::core::shape::Placed;
use glam::DVec3;

/// What a ruler reads. World, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ruler {
    /// Where it begins.
    pub from: DVec3,
    /// Where it ends.
    pub to: DVec3,
    /// Between both, >= 0; between shapes negative when they overlap (minus the depth).
    pub distance: f64,
    /// `to - from` along x, y and z, signed.
    pub along: DVec3,
    /// Length of the ruler seen along z: its part in the plane of x and y.
    pub in_xy: f64,
    /// Seen along x: its part in the plane of y and z.
    pub in_yz: f64,
    /// Seen along y: its part in the plane of z and x, which is the ground.
    pub in_zx: f64,
}

/// Measures between two points.
pub fn measure_point_point(from: DVec3, to: DVec3, trace: &mut impl Trace) -> Ruler {
    let along = to - from;
    let ruler = Ruler {
        from,
        to,
        distance: along.length(),
        along,
        in_xy: along.x.hypot(along.y),
        in_yz: along.y.hypot(along.z),
        in_zx: along.z.hypot(along.x),
    };
    trace.step(Step::Differences { along });
    trace.step(Step::Distance {
        distance: ruler.distance,
    });
    trace.step(Step::InPlanes {
        xy: ruler.in_xy,
        yz: ruler.in_yz,
        zx: ruler.in_zx,
    });
    ruler
}

/// Measures between the nearest points of two shapes; `None` where their gap has no meaning (two planes, behind everything
/// one-sided, numbers that are not finite).
pub fn measure_shapes(a: &Placed<'_>, b: &Placed<'_>, trace: &mut impl Trace) -> Option<Ruler> {
    let gap = gap_traced(a, b, trace)?;
    Some(Ruler {
        distance: gap.distance,
        ..measure_point_point(gap.point_a, gap.point_b, trace)
    })
}
