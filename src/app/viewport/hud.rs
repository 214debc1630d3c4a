//! Text over the viewport: labels, the axes in the corner, the ruler, messages, the legend.

use super::draw_list::Label;
use super::labels::LabelPlaces;
use super::overlays::Reading;
use super::view::View;
use super::viewport_input::{Compared, ViewportInput};
use crate::app::text::{moment_text, short_name};
use crate::app::theme::{Palette, readable};
use crate::app::view_options::CompareView;
use crate::app::view_state::Side;
use crate::app::widget::shortened;
use crate::core::diagnose::Finding;
use crate::core::scene::UserUnits;
use egui::accesskit::Role;
use egui::{
    Align, Align2, Color32, FontId, Frame, Layout, Painter, Pos2, Rect, RichText, Sense, Stroke,
    Ui, UiBuilder, Vec2, WidgetInfo,
};

/// Length of an axis in the corner, points.
const AXIS: f32 = 26.0;
/// Width of the ruler's table, points.
const RULER: f32 = 190.0;
/// Margin around text, points.
const MARGIN: Vec2 = Vec2::new(5.0, 1.5);

/// Paints the labels, each with a leader line where it is not next to its object.
pub fn labels(
    painter: &Painter,
    rect: Rect,
    view: &View,
    (labels, places): (&[Label], &mut LabelPlaces),
    keep_clear: &[Rect],
    palette: &Palette,
) {
    let background = palette.background;
    let texts: Vec<_> = labels
        .iter()
        .map(|label| {
            let color = readable(label.color, background);
            let font = FontId::proportional(12.0);
            (
                painter.layout_no_wrap(label.text.clone(), font, color),
                color,
            )
        })
        .collect();
    let sizes: Vec<Vec2> = texts
        .iter()
        .map(|(galley, _)| galley.size() + MARGIN * 2.0)
        .collect();
    let axes = Rect::from_min_max(
        Pos2::new(0.0, rect.height() - 2.0 * AXIS - 36.0),
        Pos2::new(2.0 * AXIS + 36.0, rect.height()),
    );
    let mut keep_clear = keep_clear.to_vec();
    keep_clear.push(axes);
    let offset = rect.min.to_vec2();
    // In a wipe the other part of the picture is clipped.
    let area = rect.intersect(painter.clip_rect()).translate(-offset);
    let placed = places.of((view, area), labels, sizes, &keep_clear);
    for label in placed {
        if let Some(line) = label.leader {
            let color = texts[label.index].1.gamma_multiply(0.7);
            painter.line_segment(line.map(|end| end + offset), Stroke::new(1.0, color));
        }
    }
    for label in placed {
        let (galley, color) = texts[label.index].clone();
        let back = label.rect.translate(offset);
        painter.rect_filled(back, 4.0, background.gamma_multiply(0.92));
        painter.galley(back.min + MARGIN, galley, color);
    }
}

/// Shows the error of the graphics device instead of the level.
pub fn device_error(ui: &mut Ui, rect: Rect, error: &str) {
    let palette = Palette::of(ui.visuals());
    ui.painter().rect_filled(rect, 0.0, palette.background);
    let color = readable(palette.bad, palette.background);
    let builder = UiBuilder::new().max_rect(rect.shrink(40.0));
    ui.scope_builder(builder, |ui| {
        ui.label(RichText::new("The graphics device failed: the view cannot be drawn").color(color));
        ui.label(RichText::new(error).color(color).monospace());
        ui.label("help: save your work and restart Hitstop; if it happens again, update the graphics driver");
    });
}

/// Paints the keys of the walk mode, and a crosshair.
pub fn walk(painter: &Painter, rect: Rect, palette: &Palette) {
    let text = "Walk mode:  W A S D E Q move  ·  Mouse looks  ·  Shift runs  ·  Esc ends";
    let color = readable(palette.text, palette.background);
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(13.0), color);
    let at = rect.center_top() + Vec2::new(-0.5 * galley.size().x, 12.0);
    let back = Rect::from_min_size(at, galley.size()).expand2(MARGIN * 2.0);
    painter.rect_filled(back, 6.0, palette.background.gamma_multiply(0.92));
    painter.galley(at, galley, color);
    let center = rect.center();
    let style = Stroke::new(1.5, color.gamma_multiply(0.8));
    for axis in [Vec2::X, Vec2::Y] {
        painter.line_segment([center - axis * 7.0, center - axis * 2.5], style);
        painter.line_segment([center + axis * 2.5, center + axis * 7.0], style);
    }
}

/// Lists selected objects that are not drawn because their pose is not finite, at most three.
pub fn invalid_poses(ui: &mut Ui, rect: Rect, input: &ViewportInput<'_>) {
    let palette = Palette::of(ui.visuals());
    let fraction = input.playhead.fraction;
    let of_finding = input.finding.and_then(|finding| finding.object_a);
    let selected = input.selection.objects().iter().copied();
    let others = selected.filter(|&id| Some(id) != of_finding);
    let messages = of_finding.into_iter().chain(others).filter_map(|id| {
        let pose = input.frame.pose(id, fraction)?;
        let object = input.replay.objects().get(id as usize)?;
        let numbers = pose.position.to_array();
        let value = match pose.is_finite() {
            true => return None,
            false if numbers.iter().any(|number| number.is_infinite()) => "infinite",
            false => "not a number",
        };
        let field = if pose.position.is_finite() {
            "rotation"
        } else {
            "position"
        };
        Some(format!("The {field} of {} is {value}", object.name))
    });
    for (row, text) in (0..).zip(messages.take(3)) {
        let color = readable(palette.bad, palette.background);
        let font = egui::TextStyle::Body.resolve(ui.style());
        let galley = ui.painter().layout_no_wrap(text.clone(), font, color);
        let text = RichText::new(text).color(color);
        let at = rect.center_bottom() - Vec2::new(0.0, 26.0 + 24.0 * row as f32);
        // No wider than its text, so that it covers as little as possible.
        let width = (galley.size().x + 12.0).min(rect.width() - 24.0);
        let area = Rect::from_center_size(at, Vec2::new(width, 22.0));
        let builder = UiBuilder::new()
            .max_rect(area.intersect(rect))
            .layout(Layout::top_down(Align::Center));
        ui.scope_builder(builder, |ui| {
            let back = Frame::new().fill(palette.background.gamma_multiply(0.92));
            back.corner_radius(4).inner_margin(4).show(ui, |ui| {
                ui.add(egui::Label::new(text).truncate().selectable(false));
            });
        });
    }
}

/// The rectangle of the ruler's table in a viewport.
pub fn ruler_rect(rect: Rect, reading: &Reading) -> Rect {
    let size = Vec2::new(RULER, 36.0 + 17.0 * reading.rows.len() as f32);
    Rect::from_min_size(rect.right_top() + Vec2::new(-RULER - 8.0, 8.0), size)
}

/// Shows the ruler's table in the upper right corner.
pub fn ruler(ui: &mut Ui, rect: Rect, reading: &Reading) {
    let area = ruler_rect(rect, reading);
    ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
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

/// Shows the world's axes in this view in the lower left corner, the farthest first. A click on an end views the level from it.
pub fn axes(
    ui: &mut Ui,
    rect: Rect,
    view: &View,
    units: UserUnits,
    clickable: bool,
) -> Option<Side> {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter_at(rect);
    let center = rect.left_bottom() + Vec2::new(AXIS + 20.0, -AXIS - 20.0);
    let mut ends = Side::ALL.map(|side| (view.world_from_view.conjugate() * side.axis(), side));
    ends.sort_by(|one, two| one.0.z.total_cmp(&two.0.z));
    painter.circle_filled(center, AXIS + 14.0, palette.background.gamma_multiply(0.45));
    let mut clicked = None;
    for (axis, side) in ends {
        let name = side.axis_name(units);
        let color = match &name[1..] {
            "X" => palette.axis_x,
            "Y" => palette.axis_y,
            _ => palette.axis_z,
        };
        let tip: Pos2 = center + Vec2::new(axis.x as f32, -axis.y as f32) * AXIS;
        let strength = if axis.z < -0.2 { 0.55 } else { 1.0 };
        let mut color: Color32 = color.gamma_multiply(strength);
        if clickable {
            let area = Rect::from_center_size(tip, Vec2::splat(17.0));
            let response = ui.interact(area, ui.scope_id().with(("axis", name)), Sense::click());
            let label = format!("View from {name}");
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
            if response.hovered() || response.has_focus() {
                color = palette.text;
            }
            if response.on_hover_text(&label).clicked() {
                clicked = Some(side);
            }
        }
        match name.strip_prefix('+') {
            Some(letter) => {
                painter.line_segment([center, tip], Stroke::new(2.2, color));
                painter.circle_filled(tip, 7.5, color);
                let font = FontId::proportional(10.5);
                painter.text(tip, Align2::CENTER_CENTER, letter, font, palette.background);
            }
            None => {
                painter.circle_filled(tip, 5.0, palette.background);
                painter.circle_stroke(tip, 5.0, Stroke::new(1.5, color));
            }
        }
    }
    clicked
}

/// The legend of a comparison: the colour of each replay, or the level's name and the mark of what differs.
pub fn legend_of_comparison(
    compared: &Compared<'_>,
    input: &ViewportInput<'_>,
    palette: &Palette,
) -> Vec<(Color32, String)> {
    if input.layers.compare_view == CompareView::Overlaid {
        let this = (palette.moving, "A  This level".to_owned());
        let note = match compared.at {
            Some(_) => " (where it differs)",
            None if compared.has_begun => " (ended)",
            None => " (not begun)",
        };
        return vec![this, other_name(compared, note, palette)];
    }
    let name = match compared.own_name {
        "" => "This level",
        name => name,
    };
    let mut rows = vec![(palette.moving, format!("A  {}", short_name(name)))];
    if compared.at.is_some() {
        let differing = match input.differing.len() {
            0 => "No object differs at this time".to_owned(),
            1 => "1 object differs at this time".to_owned(),
            count => format!("{count} objects differ at this time"),
        };
        rows.push((palette.other, differing));
    }
    rows
}

/// Paints the name of the other replay in the corner of its viewport.
pub fn caption_of_other(ui: &mut Ui, rect: Rect, compared: &Compared<'_>) {
    let palette = Palette::of(ui.visuals());
    legend(ui, rect, &[other_name(compared, "", palette)], palette);
}

fn other_name(compared: &Compared<'_>, note: &str, palette: &Palette) -> (Color32, String) {
    (
        palette.other,
        format!("B  {}{note}", short_name(compared.name)),
    )
}

/// Paints below a saved picture what it shows: the level, the time, and the finding of this frame.
pub fn caption(ui: &Ui, rect: Rect, input: &ViewportInput<'_>) {
    let palette = Palette::of(ui.visuals());
    let position = input.playhead.position();
    let name = &input.replay.scene().name;
    let moment = moment_text(input.replay, position);
    let here = |finding: &&Finding| finding.frame == input.playhead.frame;
    let finding = input.finding.filter(here).map(|finding| {
        let (kind, cause) = (finding.kind.name(), finding.cause.title());
        format!("{kind}, {}, {}: {cause}", finding.a, finding.b)
    });
    let parts = [name.clone(), moment].into_iter().chain(finding);
    let text: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    let color = readable(palette.text, palette.background);
    let font = FontId::proportional(12.0);
    let text = text.join("  ·  ");
    let text = shortened(ui.painter(), &text, &font, rect.width() - 24.0);
    let galley = ui.painter().layout_no_wrap(text, font, color);
    let size = galley.size() + MARGIN * 2.0;
    let center = rect.center_bottom() - Vec2::new(0.0, 8.0 + 0.5 * size.y);
    let back = Rect::from_center_size(center, size);
    let fill = palette.background.gamma_multiply(0.92);
    ui.painter().rect_filled(back, 4.0, fill);
    ui.painter().galley(back.min + MARGIN, galley, color);
}

/// Fills the viewport of a replay that has ended, or not begun.
pub fn absent(ui: &Ui, rect: Rect, has_begun: bool) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, palette.background);
    let color = readable(palette.text_weak, palette.background);
    let font = FontId::proportional(13.0);
    painter.text(
        rect.center(),
        Align2::CENTER_CENTER,
        match has_begun {
            true => "B has ended",
            false => "B has not begun",
        },
        font,
        color,
    );
}

/// Shows a legend of colours in the upper left corner.
pub fn legend(ui: &Ui, rect: Rect, rows: &[(Color32, String)], palette: &Palette) {
    let painter = ui.painter_at(rect);
    let font = FontId::proportional(12.0);
    let layout = |text: &String| painter.layout_no_wrap(text.clone(), font.clone(), palette.text);
    let texts: Vec<_> = rows.iter().map(|(_, text)| layout(text)).collect();
    let widths = texts.iter().map(|galley| galley.size().x);
    let width = widths.fold(0.0, f32::max);
    let (row_height, swatch) = (18.0, 9.0);
    let size = Vec2::new(width + swatch + 26.0, row_height * rows.len() as f32 + 8.0);
    let back = Rect::from_min_size(rect.min + Vec2::splat(10.0), size);
    painter.rect_filled(back, 5.0, palette.background.gamma_multiply(0.92));
    for (index, ((color, text), galley)) in rows.iter().zip(texts).enumerate() {
        let y = back.top() + 4.0 + row_height * (index as f32 + 0.5);
        let at = Pos2::new(back.left() + 9.0 + swatch * 0.5, y);
        painter.rect_filled(Rect::from_center_size(at, Vec2::splat(swatch)), 2.0, *color);
        let left = Pos2::new(at.x + swatch * 0.5 + 8.0, y - galley.size().y * 0.5);
        let row = Rect::from_min_size(left, galley.size());
        let id = ui.scope_id().with(("legend", index));
        let response = ui.interact(row, id, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
        painter.galley(left, galley, palette.text);
    }
}
