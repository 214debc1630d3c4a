//! The ground grid at y = 0: ten cells across the near field whatever the scale, fading with distance; the level's axes.

use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use glam::DVec3;

/// Lines to each side of the middle.
const LINES: i64 = 40;
/// Pieces of a line, so that it can fade round.
const PIECES: i64 = 20;

pub fn draw(builder: &mut DrawListBuilder) {
    let distance = builder.view.distance();
    if !(distance.is_finite() && builder.view.target.is_finite()) {
        return;
    }
    // Cells of a power of ten; the finer grid fades out as the next coarser one takes over.
    let decade = (distance / 8.0).log10();
    let cell = 10.0_f64.powf(decade.floor());
    let share = (decade - decade.floor()) as f32;
    lines(builder, cell, 1.0 - share, false);
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
    let style = LineStyle::new(color, 1.0).alpha(alpha);
    let target = builder.view.target;
    let middle = DVec3::new((target.x / cell).round(), 0.0, (target.z / cell).round()) * cell;
    let reach = cell * count as f64;
    // A grid seen from its edge would be a wall of lines: it fades with the steepness of the view.
    let lift = ((builder.view.eye.y.abs() / builder.view.distance()) * 8.0).clamp(0.15, 1.0) as f32;
    let fade = |point: DVec3| {
        let off = ((point - target) * DVec3::new(1.0, 0.0, 1.0)).length() / reach;
        (1.0 - off.min(1.0) as f32).powi(2) * lift
    };
    for number in -count..=count {
        let off = number as f64 * cell;
        for (along, across) in [(DVec3::X, DVec3::Z), (DVec3::Z, DVec3::X)] {
            let at = |piece: i64| {
                middle + across * off + along * (reach * (piece as f64 / PIECES as f64 * 2.0 - 1.0))
            };
            for piece in 0..PIECES {
                let (a, b) = (at(piece), at(piece + 1));
                let (at_a, at_b) = (fade(a), fade(b));
                if at_a > 0.004 || at_b > 0.004 {
                    builder.fading_line(a, b, style, at_a, at_b);
                }
            }
        }
    }
}

/// The x and z axes on the ground and a short y axis, through the world's origin.
fn axes(builder: &mut DrawListBuilder, reach: f64) {
    let palette = builder.palette;
    let target = builder.view.target;
    let fade = |point: DVec3| (1.0 - ((point - target).length() / reach).min(1.0) as f32).powi(2);
    for (axis, color) in [(DVec3::X, palette.axis_x), (DVec3::Z, palette.axis_z)] {
        let style = LineStyle::new(color, 1.2).alpha(0.75);
        let middle = axis * target.dot(axis);
        for piece in -PIECES..PIECES {
            let at = |piece: i64| middle + axis * (reach * piece as f64 / PIECES as f64);
            let (a, b) = (at(piece), at(piece + 1));
            builder.fading_line(a, b, style, fade(a), fade(b));
        }
    }
}
