//! The ground grid at y = 0, with about ten cells across the near field at every scale, fading with distance; the level's axes.

use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use glam::DVec3;

/// Lines on each side of the centre.
const LINES: i64 = 40;
/// Segments of a line, for a round fade.
const SEGMENTS: i64 = 20;
/// Hides the lines behind floors at the same height.
const BEHIND_FLOORS: f32 = -1.0;

pub fn draw(builder: &mut DrawListBuilder) {
    let distance = builder.view.distance();
    if !(distance.is_finite() && builder.view.target.is_finite()) {
        return;
    }
    // Cells are powers of ten; the finer grid fades out as the coarser one fades in.
    let decade = (distance / 8.0).log10();
    let cell = 10.0_f64.powf(decade.floor());
    let fraction = (decade - decade.floor()) as f32;
    lines(builder, cell, 1.0 - fraction, false);
    lines(builder, cell * 10.0, 1.0, true);
    axes(builder, cell * 10.0 * LINES as f64 * 0.5);
}

fn lines(builder: &mut DrawListBuilder, cell: f64, alpha: f32, major: bool) {
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
    let center = DVec3::new((target.x / cell).round(), 0.0, (target.z / cell).round()) * cell;
    let radius = cell * count as f64;
    // Fades at low elevations of the view, where the lines would be too dense.
    let elevation =
        ((builder.view.eye.y.abs() / builder.view.distance()) * 8.0).clamp(0.15, 1.0) as f32;
    let fade = |point: DVec3| {
        let distance = ((point - target) * DVec3::new(1.0, 0.0, 1.0)).length() / radius;
        (1.0 - distance.min(1.0) as f32).powi(2) * elevation
    };
    for number in -count..=count {
        let offset = number as f64 * cell;
        for (along, across) in [(DVec3::X, DVec3::Z), (DVec3::Z, DVec3::X)] {
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

/// Draws the world's x and z axes.
fn axes(builder: &mut DrawListBuilder, radius: f64) {
    let palette = builder.palette;
    let target = builder.view.target;
    let fade = |point: DVec3| (1.0 - ((point - target).length() / radius).min(1.0) as f32).powi(2);
    for (axis, color) in [(DVec3::X, palette.axis_x), (DVec3::Z, palette.axis_z)] {
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
