//! What is written over the picture: labels with a backing, the axes in the corner.

use super::picture::Label;
use super::view::View;
use crate::app::theme::Palette;
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, Vec2};
use glam::DVec3;

/// Length of an axis in the corner, points.
const AXIS: f32 = 26.0;

/// Writes the labels; those nearer than a few points to an earlier one are pushed down so that both can be read.
pub fn labels(painter: &Painter, rect: Rect, view: &View, labels: &[Label], palette: &Palette) {
    let mut taken: Vec<Rect> = Vec::new();
    for label in labels {
        let Some(at) = view.project(label.at) else {
            continue;
        };
        let at = rect.min + Vec2::new(at.x as f32 + label.offset[0], at.y as f32 + label.offset[1]);
        if !rect.expand(20.0).contains(at) {
            continue;
        }
        let font = FontId::proportional(12.0);
        let words = painter.layout_no_wrap(label.text.clone(), font, label.color);
        let mut back = Align2::CENTER_CENTER
            .anchor_size(at, words.size())
            .expand2(Vec2::new(5.0, 1.5));
        for _ in 0..6 {
            let Some(other) = taken.iter().find(|other| other.intersects(back)) else {
                break;
            };
            back = back.translate(Vec2::new(0.0, other.max.y - back.min.y + 1.0));
        }
        taken.push(back);
        let ground = palette.sky_bottom.gamma_multiply(0.82);
        painter.rect_filled(back, 4.0, ground);
        painter.galley(back.min + Vec2::new(5.0, 1.5), words, label.color);
    }
}

/// The world's axes as they lie in this view, in the lower left corner; those that point away are drawn first.
pub fn axes(painter: &Painter, rect: Rect, view: &View, palette: &Palette) {
    let center = rect.left_bottom() + Vec2::new(AXIS + 20.0, -AXIS - 20.0);
    let turned = |axis: DVec3| view.world_from_view.conjugate() * axis;
    let mut axes = [
        (turned(DVec3::X), "X", palette.axis_x),
        (turned(DVec3::Y), "Y", palette.axis_y),
        (turned(DVec3::Z), "Z", palette.axis_z),
    ];
    axes.sort_by(|one, two| one.0.z.total_cmp(&two.0.z));
    painter.circle_filled(center, AXIS + 14.0, palette.sky_bottom.gamma_multiply(0.45));
    for (axis, name, color) in axes {
        let way = Vec2::new(axis.x as f32, -axis.y as f32);
        let tip: Pos2 = center + way * AXIS;
        let strength = if axis.z < -0.2 { 0.55 } else { 1.0 };
        let color: Color32 = color.gamma_multiply(strength);
        painter.line_segment([center, tip], Stroke::new(2.2, color));
        painter.circle_filled(tip, 7.5, color);
        let font = FontId::proportional(10.5);
        painter.text(tip, Align2::CENTER_CENTER, name, font, palette.sky_bottom);
    }
}
