//! The ground grid at y = 0, of a flat level that in its plane, with about ten cells across the near field at every scale, fading with distance; the level's axes.

use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use glam::DVec3;

/// Lines on each side of the centre.
const LINES: i64 = 40;
/// Segments of a line, for a round fade.
const SEGMENTS: i64 = 20;
/// Hides the lines behind floors at the same height.
const BEHIND_FLOORS: f32 = -1.0;

/// The two directions of a grid.
type Directions = [DVec3; 2];

pub fn draw(builder: &mut DrawListBuilder) {
    let directions = match builder.units.units.flat {
        true => [DVec3::X, DVec3::Y],
        false => [DVec3::X, DVec3::Z],
    };
    let distance = builder.view.distance();
    if !(distance.is_finite() && builder.view.target.is_finite()) {
        return;
    }
    // Cells are powers of ten; the finer grid fades out as the coarser one fades in.
    let decade = (distance / 8.0).log10();
    let cell = 10.0_f64.powf(decade.floor());
    let fraction = (decade - decade.floor()) as f32;
    lines(builder, directions, (cell, 1.0 - fraction), false);
    lines(builder, directions, (cell * 10.0, 1.0), true);
    axes(builder, directions, cell * 10.0 * LINES as f64 * 0.5);
}

fn lines(
    builder: &mut DrawListBuilder,
    [u, v]: Directions,
    (cell, alpha): (f64, f32),
    major: bool,
) {
    if alpha < 0.02 {
        return;
    }
    let count = if major { LINES / 4 } else { LINES };
    let palette = builder.palette;
    let color = if major {
        palette.grid_major
    } else {
        palette.grid
    };
    let style = LineStyle::new(color, 1.0)
        .alpha(alpha)
        .occluded(BEHIND_FLOORS);
    let target = builder.view.target;
    let nearest = |axis: DVec3| axis * (target.dot(axis) / cell).round() * cell;
    let center = nearest(u) + nearest(v);
    let radius = cell * count as f64;
    // Fades at low elevations of the view, where the lines would be too dense.
    let height = builder.view.eye.dot(u.cross(v)).abs();
    let elevation = ((height / builder.view.distance()) * 8.0).clamp(0.15, 1.0) as f32;
    let fade = |point: DVec3| {
        let distance = ((point - target) * (u + v)).length() / radius;
        (1.0 - distance.min(1.0) as f32).powi(2) * elevation
    };
    for number in -count..=count {
        let offset = number as f64 * cell;
        for (along, across) in [(u, v), (v, u)] {
            let at = |segment: i64| {
                let fraction = segment as f64 / SEGMENTS as f64 * 2.0 - 1.0;
                center + across * offset + along * (radius * fraction)
            };
            for segment in 0..SEGMENTS {
                let (a, b) = (at(segment), at(segment + 1));
                let (at_a, at_b) = (fade(a), fade(b));
                if at_a > 0.004 || at_b > 0.004 {
                    builder.fading_line(a, b, style, at_a, at_b);
                }
            }
        }
    }
}

/// Draws the world's axes in the grid.
fn axes(builder: &mut DrawListBuilder, [u, v]: Directions, radius: f64) {
    let palette = builder.palette;
    let target = builder.view.target;
    let fade = |point: DVec3| (1.0 - ((point - target).length() / radius).min(1.0) as f32).powi(2);
    let color_of = |axis: DVec3| match axis {
        DVec3::X => palette.axis_x,
        DVec3::Y => palette.axis_y,
        _ => palette.axis_z,
    };
    for (axis, color) in [u, v].map(|axis| (axis, color_of(axis))) {
        let style = LineStyle::new(color, 1.2)
            .alpha(0.75)
            .occluded(BEHIND_FLOORS);
        let center = axis * target.dot(axis);
        for segment in -SEGMENTS..SEGMENTS {
            let at = |segment: i64| center + axis * (radius * segment as f64 / SEGMENTS as f64);
            let (a, b) = (at(segment), at(segment + 1));
            builder.fading_line(a, b, style, fade(a), fade(b));
        }
    }
}
