//! Triangles that show shapes in other programs.

use crate::core::shape::{RoundedBox, Shape, Solid};
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Strips of a ball from pole to pole, and corners around it.
const STRIPS: u32 = 12;
const AROUND: u32 = 24;

/// The triangles that show a shape, local, counter-clockwise from outside; of a plane, a segment or a compound none.
pub fn surface(shape: &Shape) -> Vec<[DVec3; 3]> {
    match shape {
        Shape::Sphere { radius } => round(DVec3::ZERO, DVec3::ZERO, *radius),
        Shape::Box { half_extents } => RoundedBox {
            half_extents: *half_extents,
            radius: 0.0,
        }
        .surface(),
        Shape::Solid(solid) => solid.surface(),
        Shape::Triangle(it) => vec![[it.a, it.b, it.c]],
        _ => Vec::new(),
    }
}

/// A ball around `a`, drawn out upward to one around `b`.
pub fn round(a: DVec3, b: DVec3, radius: f64) -> Vec<[DVec3; 3]> {
    let at = |strip: u32, corner: u32, center: DVec3| {
        let high = PI * (f64::from(strip) / f64::from(STRIPS) - 0.5);
        let angle = TAU * f64::from(corner % AROUND) / f64::from(AROUND);
        center
            + radius
                * DVec3::new(
                    high.cos() * angle.cos(),
                    high.sin(),
                    -high.cos() * angle.sin(),
                )
    };
    let mut out = Vec::new();
    let mut quad = |[a, b, c, d]: [DVec3; 4]| {
        out.extend(
            [[a, b, c], [a, c, d]]
                .into_iter()
                .filter(|[a, b, c]| (*b - *a).cross(*c - *a) != DVec3::ZERO),
        )
    };
    for corner in 0..AROUND {
        for strip in 0..STRIPS {
            let center = if strip < STRIPS / 2 { a } else { b };
            quad([
                at(strip, corner, center),
                at(strip, corner + 1, center),
                at(strip + 1, corner + 1, center),
                at(strip + 1, corner, center),
            ]);
        }
        let middle = STRIPS / 2;
        quad([
            at(middle, corner, a),
            at(middle, corner + 1, a),
            at(middle, corner + 1, b),
            at(middle, corner, b),
        ]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::{Cylinder, SolidShape};

    /// The volume that triangles enclose: positive only if they are closed and face outward.
    fn volume(triangles: &[[DVec3; 3]]) -> f64 {
        triangles
            .iter()
            .map(|[a, b, c]| a.cross(*b).dot(*c) / 6.0)
            .sum()
    }

    #[test]
    fn surfaces_are_closed_and_face_outward() {
        let half_extents = DVec3::new(1.0, 2.0, 3.0);
        assert!((volume(&surface(&Shape::Box { half_extents })) - 48.0).abs() < 1e-9);
        let ball = volume(&surface(&Shape::Sphere { radius: 1.0 })) / (4.0 / 3.0 * PI);
        assert!((0.95..1.0).contains(&ball), "{ball}");
        let capsule = volume(&round(-DVec3::Y, DVec3::Y, 1.0)) / (10.0 / 3.0 * PI);
        assert!((0.95..1.0).contains(&capsule), "{capsule}");
        let (half_height, radius) = (1.0, 1.0);
        let cylinder = SolidShape::Cylinder(Cylinder {
            half_height,
            radius,
        });
        assert!(volume(&surface(&Shape::Solid(cylinder))) > 5.5);
    }
}
