//! What is written over the picture: labels with a backing, the axes in the corner.

use super::draw_list::Label;
use super::labels;
use super::overlays::Reading;
use super::view::View;
use super::viewport_input::{Compared, ViewportInput};
use crate::app::theme::{Palette, readable};
use egui::accesskit::Role;
use egui::{
    Align, Align2, Color32, FontId, Frame, Layout, Painter, Pos2, Rect, RichText, Stroke, Ui,
    UiBuilder, Vec2, WidgetInfo,
};
use glam::DVec3;

/// Length of an axis in the corner, points.
const AXIS: f32 = 26.0;
/// Width of what the ruler shows, points.
const RULER: f32 = 190.0;
/// Around words, points.
const MARGIN: Vec2 = Vec2::new(5.0, 1.5);

/// Writes the labels, each with a thin line to its thing where it had to stand apart.
pub fn labels(
    painter: &Painter,
    rect: Rect,
    view: &View,
    labels: &[Label],
    keep_clear: &[Rect],
    palette: &Palette,
) {
    let ground = palette.sky_bottom;
    let words: Vec<_> = labels
        .iter()
        .map(|label| {
            let color = readable(label.color, ground);
            let font = FontId::proportional(12.0);
            (
                painter.layout_no_wrap(label.text.clone(), font, color),
                color,
            )
        })
        .collect();
    let sizes: Vec<Vec2> = words
        .iter()
        .map(|(words, _)| words.size() + MARGIN * 2.0)
        .collect();
    let corner = Rect::from_min_max(
        Pos2::new(0.0, rect.height() - 2.0 * AXIS - 36.0),
        Pos2::new(2.0 * AXIS + 36.0, rect.height()),
    );
    let mut keep_clear = keep_clear.to_vec();
    keep_clear.push(corner);
    let placed = labels::place(view, labels, &sizes, &keep_clear);
    let offset = rect.min.to_vec2();
    for label in &placed {
        if let Some(line) = label.leader {
            let color = words[label.index].1.gamma_multiply(0.7);
            painter.line_segment(line.map(|end| end + offset), Stroke::new(1.0, color));
        }
    }
    for label in &placed {
        let (words, color) = words[label.index].clone();
        let back = label.rect.translate(offset);
        painter.rect_filled(back, 4.0, ground.gamma_multiply(0.92));
        painter.galley(back.min + MARGIN, words, color);
    }
}

/// Why there is no picture, and what helps.
pub fn fault(ui: &mut Ui, rect: Rect, what: &str) {
    let palette = Palette::of(ui.visuals());
    ui.painter().rect_filled(rect, 0.0, palette.sky_bottom);
    let color = readable(palette.bad, palette.sky_bottom);
    let builder = UiBuilder::new().max_rect(rect.shrink(40.0));
    ui.scope_builder(builder, |ui| {
        ui.label(RichText::new("The view cannot be drawn: the graphics device failed.").color(color));
        ui.label(RichText::new(what).color(color).monospace());
        ui.label("help: save your work and start hitstop again; if it happens again, update the graphics driver");
    });
}

/// How to walk, while somebody does, and where they look.
pub fn walk(painter: &Painter, rect: Rect, palette: &Palette) {
    let text = "Walking:  W A S D  and  E Q  move  ·  the mouse looks  ·  Shift runs  ·  Esc ends";
    let color = readable(palette.text, palette.sky_bottom);
    let words = painter.layout_no_wrap(text.to_owned(), FontId::proportional(13.0), color);
    let at = rect.center_top() + Vec2::new(-0.5 * words.size().x, 12.0);
    let back = Rect::from_min_size(at, words.size()).expand2(MARGIN * 2.0);
    painter.rect_filled(back, 6.0, palette.sky_bottom.gamma_multiply(0.92));
    painter.galley(at, words, color);
    let middle = rect.center();
    let style = Stroke::new(1.5, color.gamma_multiply(0.8));
    for way in [Vec2::X, Vec2::Y] {
        painter.line_segment([middle - way * 7.0, middle - way * 2.5], style);
        painter.line_segment([middle + way * 2.5, middle + way * 7.0], style);
    }
}

/// Says why a selected object is not drawn: where it is is no place. At most three are named.
pub fn placeless(ui: &mut Ui, rect: Rect, input: &ViewportInput<'_>) {
    let palette = Palette::of(ui.visuals());
    let fraction = input.playhead.fraction;
    let of_finding = input.finding.and_then(|finding| finding.object_a);
    let selected = input.selection.objects().iter().copied();
    let others = selected.filter(|&id| Some(id) != of_finding);
    let lost = of_finding.into_iter().chain(others).filter_map(|id| {
        let pose = input.frame.pose(id, fraction)?;
        let object = input.replay.objects().get(id as usize)?;
        let numbers = pose.position.to_array();
        let what = match pose.is_finite() {
            true => return None,
            false if numbers.iter().any(|number| number.is_infinite()) => "infinite",
            false => "not a number",
        };
        let field = if pose.position.is_finite() {
            "rotation"
        } else {
            "position"
        };
        Some(format!("{} has no {field} here: {what}", object.name))
    });
    for (row, text) in (0..).zip(lost.take(3)) {
        let color = readable(palette.bad, palette.sky_bottom);
        let font = egui::TextStyle::Body.resolve(ui.style());
        let words = ui.painter().layout_no_wrap(text.clone(), font, color);
        let text = RichText::new(text).color(color);
        let at = rect.center_bottom() - Vec2::new(0.0, 26.0 + 24.0 * row as f32);
        // As wide as its words, so that it covers nothing else.
        let wide = (words.size().x + 12.0).min(rect.width() - 24.0);
        let place = Rect::from_center_size(at, Vec2::new(wide, 22.0));
        let builder = UiBuilder::new()
            .max_rect(place.intersect(rect))
            .layout(Layout::top_down(Align::Center));
        ui.scope_builder(builder, |ui| {
            let back = Frame::new().fill(palette.sky_bottom.gamma_multiply(0.92));
            back.corner_radius(4).inner_margin(4).show(ui, |ui| {
                ui.add(egui::Label::new(text).truncate().selectable(false));
            });
        });
    }
}

/// Where the ruler's numbers stand in a picture.
pub fn ruler_place(rect: Rect, reading: &Reading) -> Rect {
    let size = Vec2::new(RULER, 36.0 + 17.0 * reading.rows.len() as f32);
    Rect::from_min_size(rect.right_top() + Vec2::new(-RULER - 8.0, 8.0), size)
}

/// What the ruler shows, in the upper right corner.
pub fn ruler(ui: &mut Ui, rect: Rect, reading: &Reading) {
    let place = ruler_place(rect, reading);
    ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
        let fill = ui.visuals().panel_fill.gamma_multiply(0.92);
        let frame = Frame::new().fill(fill).corner_radius(6).inner_margin(8);
        frame.show(ui, |ui| {
            let label = |text: RichText| egui::Label::new(text).truncate().selectable(false);
            ui.set_width(RULER - 16.0);
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.add(label(RichText::new(&reading.title).strong()));
            for (name, length) in &reading.rows {
                ui.columns_const(|[left, right]| {
                    left.add(label(RichText::new(*name).weak()));
                    let response = right.add(label(RichText::new(length)));
                    response.widget_info(|| {
                        let text = format!("Ruler, {name}: {length}");
                        WidgetInfo::labeled(Role::Label, true, text)
                    });
                });
            }
        });
    });
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

/// Which colour is which replay, in the upper left corner.
pub fn legend(painter: &Painter, rect: Rect, compared: &Compared<'_>, palette: &Palette) {
    let other = match compared.at {
        Some(_) => format!("B  {}, where it is elsewhere", compared.name),
        None => format!("B  {}, which has ended", compared.name),
    };
    let ground = palette.sky_bottom;
    let rows = [
        (palette.moving, "A  this level".to_owned()),
        (palette.other, other),
    ];
    let font = FontId::proportional(12.0);
    let words = rows.map(|(color, text)| {
        let galley = painter.layout_no_wrap(text, font.clone(), palette.text);
        (color, galley)
    });
    let wide = words
        .iter()
        .map(|(_, words)| words.size().x)
        .fold(0.0, f32::max);
    let (row, swatch) = (18.0, 9.0);
    let size = Vec2::new(wide + swatch + 26.0, row * 2.0 + 8.0);
    let back = Rect::from_min_size(rect.min + Vec2::splat(10.0), size);
    painter.rect_filled(back, 5.0, ground.gamma_multiply(0.92));
    for (index, (color, words)) in words.into_iter().enumerate() {
        let y = back.top() + 4.0 + row * (index as f32 + 0.5);
        let at = Pos2::new(back.left() + 9.0 + swatch * 0.5, y);
        painter.rect_filled(Rect::from_center_size(at, Vec2::splat(swatch)), 2.0, color);
        let left = Pos2::new(at.x + swatch * 0.5 + 8.0, y - words.size().y * 0.5);
        painter.galley(left, words, palette.text);
    }
}
