//! Shapes of flat levels as they are drawn: seen from the front.

use crate::core::shape::{Cylinder, Pose, Segment, Shape, SolidShape};
use glam::{DQuat, DVec2, DVec3};
use std::f64::consts::{FRAC_PI_2, PI};

/// Length of the ticks of a one-sided chain, as a share of its shortest segment (no unit).
const TICK: f64 = 0.15;

/// Corners of the outline of each end of a capsule of a flat level (a count).
const END_CORNERS: u32 = 16;

/// A circle of a flat level as a thin cylinder along z.
pub(super) fn disc(radius: f64, pose: Pose) -> (Shape, Pose) {
    let disc = Cylinder {
        half_height: radius,
        radius,
    };
    let upright = Pose {
        position: DVec3::ZERO,
        rotation: DQuat::from_rotation_x(FRAC_PI_2),
    };
    (
        Shape::Solid(SolidShape::Cylinder(disc)),
        pose.then(&upright),
    )
}

/// The outline of a capsule of a flat level, counter-clockwise.
pub(super) fn stadium_outline(([a, b], radius): ([DVec2; 2], f64)) -> Vec<DVec2> {
    let right = -(b - a).normalize_or(DVec2::Y).perp();
    let end = |center: DVec2, from: DVec2| {
        (0..=END_CORNERS).map(move |step| {
            let angle = PI * f64::from(step) / f64::from(END_CORNERS);
            center + DVec2::from_angle(angle).rotate(from) * radius
        })
    };
    end(b, right).chain(end(a, -right)).collect()
}

/// The segments of a chain of a flat level, with a tick in the middle of each on the side from which a one-sided one collides.
pub(super) fn chain_lines(shape: &Shape) -> Vec<Segment> {
    let (segments, side) = shape.chain_segments();
    let line = |a: DVec2, b: DVec2| Segment {
        a: a.extend(0.0),
        b: b.extend(0.0),
    };
    let lengths = segments.iter().map(|[a, b]| a.distance(*b));
    let shortest = lengths.fold(f64::INFINITY, f64::min);
    let ticks = segments.iter().filter(|_| side != 0.0).map(|[a, b]| {
        let middle = a.midpoint(*b);
        let out = (*b - *a).normalize_or_zero().perp() * side;
        line(middle, middle + out * shortest * TICK)
    });
    let edges = segments.iter().map(|[a, b]| line(*a, *b));
    edges.chain(ticks).collect()
}
