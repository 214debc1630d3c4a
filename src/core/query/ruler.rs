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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Sphere;

    #[test]
    fn reads_each_plane() {
        // 3, 4, 12: 5 in xy, 13 in all.
        let ruler = measure_point_point(DVec3::ONE, DVec3::new(4.0, 5.0, 13.0), &mut ());
        assert_eq!(ruler.along, DVec3::new(3.0, 4.0, 12.0));
        assert!((ruler.distance - 13.0).abs() < 1e-14);
        assert!((ruler.in_xy - 5.0).abs() < 1e-14);
        assert!((ruler.in_yz - 160.0_f64.sqrt()).abs() < 1e-14);
        assert!((ruler.in_zx - 153.0_f64.sqrt()).abs() < 1e-14);
    }

    #[test]
    fn between_shapes_it_lies_on_their_surfaces() {
        let ball = |x: f64, radius: f64| {
            Placed::Sphere(Sphere {
                center: DVec3::new(x, 2.0, 0.0),
                radius,
            })
        };
        let ruler = measure_shapes(&ball(0.0, 1.0), &ball(5.0, 1.5), &mut ()).unwrap();
        assert_eq!(ruler.distance, 2.5);
        assert_eq!(ruler.along, DVec3::X * 2.5);
        assert_eq!((ruler.in_xy, ruler.in_yz, ruler.in_zx), (2.5, 0.0, 2.5));
        let inside = measure_shapes(&ball(0.0, 1.0), &ball(1.0, 1.5), &mut ()).unwrap();
        assert_eq!(inside.distance, -1.5);
        assert_eq!(
            measure_shapes(&ball(f64::NAN, 1.0), &ball(0.0, 1.0), &mut ()),
            None
        );
    }
}
