//! The row of a list: an icon, one or two lines of text, and further texts at the right.

use super::style::{self, ROW};
use super::theme::{Palette, readable};
use super::widget;
use egui::accesskit::Role;
use egui::{
    Align2, Color32, FontId, Id, Painter, Rect, Response, Sense, Stroke, TextStyle, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};
use egui_material_icons::MaterialIcon;

/// Height of a row with two lines, points.
pub const TALL_ROW: f32 = 40.0;

/// Width of a level of a tree, points.
const INDENT: f32 = 12.0;

/// Size of a histogram, points.
const HISTOGRAM: Vec2 = vec2(72.0, 13.0);

/// A text with its colour; `None` for that of secondary text.
type Colored<'a> = (&'a str, Option<Color32>);

/// A row of a list, with the width of the list. Painted only where it is visible.
#[derive(Clone, Copy, Default)]
pub struct ListRow<'a> {
    /// The text.
    pub text: &'a str,
    /// The text is a sentence, cut at its end where it is too long, and not in its middle as a name is.
    pub sentence: bool,
    /// The accessible label, if not the text.
    pub name: Option<&'a str>,
    /// The row is the selected one, or one of them.
    pub selected: bool,
    /// The text is less visible.
    pub dimmed: bool,
    /// A click has no effect.
    pub disabled: bool,
    /// The colour of a bar at the left edge; such a row has a background.
    pub bar: Option<Color32>,
    /// A time at the left.
    pub time: Option<&'a str>,
    /// The colour of a dot before the icon.
    pub dot: Option<Color32>,
    /// The icon, and its colour if not that of secondary text.
    pub icon: Option<(MaterialIcon, Option<Color32>)>,
    /// A text at the right.
    pub aside: Colored<'a>,
    /// The second line, if any, and a text at its right.
    pub below: Option<[Colored<'a>; 2]>,
    /// Columns over time at the right of the second line, in place of its text.
    pub histogram: &'a [u32],
    /// An id of its own, so that its menu stays open when rows above it come and go.
    pub id: Option<Id>,
    /// The number of groups that the row is inside of.
    pub depth: usize,
}

impl ListRow<'_> {
    /// Adds the row.
    pub fn show(self, ui: &mut Ui) -> Response {
        let height = self.below.map_or(ROW, |_| TALL_ROW);
        let size = vec2(ui.available_width(), height);
        let (mut rect, response) = match self.id {
            Some(id) => {
                let (_, rect) = ui.allocate_space(size);
                (rect, ui.interact(rect, id, Sense::click()))
            }
            None => ui.allocate_exact_size(size, Sense::click()),
        };
        rect.min.x += self.depth as f32 * INDENT;
        let name = self.name.unwrap_or(self.text);
        response.widget_info(|| {
            WidgetInfo::selected(Role::ListItem, !self.disabled, self.selected, name)
        });
        if ui.is_rect_visible(rect) {
            self.paint(ui, rect, &response);
        }
        response
    }

    fn paint(self, ui: &Ui, rect: Rect, response: &Response) {
        let visuals = ui.visuals();
        let palette = Palette::of(visuals);
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let background = match self.bar {
            _ if self.selected => visuals.selection.bg_fill,
            Some(_) if response.hovered() => visuals.widgets.hovered.bg_fill,
            None if !response.hovered() => Color32::TRANSPARENT,
            _ => visuals.faint_bg_color,
        };
        painter.rect_filled(rect, 4.0, background);
        let mut left = rect.left() + 8.0;
        if let Some(color) = self.bar {
            let bar = Rect::from_min_size(rect.min, vec2(4.0, rect.height()));
            painter.rect_filled(bar, 2.0, color);
            left += 4.0;
        }
        // Colours on the background of a selected row.
        let on_row = |color| match self.selected {
            true => readable(color, visuals.selection.bg_fill),
            false => color,
        };
        let (strong, weak) = match (self.selected, self.dimmed) {
            (true, _) => (
                visuals.selection.stroke.color,
                visuals.selection.stroke.color,
            ),
            (false, true) => (palette.text_weak, palette.text_weak),
            (false, false) => (palette.text, palette.text_weak),
        };
        let y = rect.center().y;
        if let Some(time) = self.time {
            left += 36.0;
            let at = pos2(left, y);
            painter.text(at, Align2::RIGHT_CENTER, time, style::mono(), weak);
            left += 8.0;
        }
        let fade = if self.dimmed { 0.35 } else { 1.0 };
        if let Some(color) = self.dot {
            painter.circle_filled(pos2(left + 3.0, y), 4.5, color.gamma_multiply(fade));
            left += 12.0;
        }
        if let Some((icon, color)) = self.icon {
            let color = color.map_or(weak, on_row).gamma_multiply(fade);
            let font = FontId::new(15.0, icon.font_family());
            let at = pos2(left + 8.0, y);
            painter.text(at, Align2::CENTER_CENTER, icon.codepoint, font, color);
            left += 22.0;
        }
        let body = TextStyle::Body.resolve(ui.style());
        let line = |y: f32, is_name: bool, (text, color, font), aside: Colored<'_>| {
            let (aside, aside_color) = aside;
            let end = pos2(rect.right() - 8.0, y);
            let color_at_right = aside_color.map_or(weak, on_row);
            let right = painter
                .text(
                    end,
                    Align2::RIGHT_CENTER,
                    aside,
                    style::small(),
                    color_at_right,
                )
                .left();
            let width = right - 10.0 - left;
            let paint = if is_name {
                widget::name_line
            } else {
                widget::line
            };
            paint(&painter, pos2(left, y), width, text, font, color);
        };
        match self.below {
            None => line(y, !self.sentence, (self.text, strong, body), self.aside),
            Some([(below, color), below_aside]) => {
                line(
                    rect.top() + 12.0,
                    true,
                    (self.text, strong, body),
                    self.aside,
                );
                let below = (below, color.unwrap_or(weak), style::small());
                if self.histogram.is_empty() {
                    line(rect.bottom() - 11.0, false, below, below_aside);
                } else {
                    let corner = rect.max - vec2(8.0, 5.0);
                    let area = Rect::from_min_max(corner - HISTOGRAM, corner);
                    histogram(&painter, area, self.histogram, self.bar.unwrap_or(weak));
                    let width = area.left() - 10.0 - left;
                    let (text, color, font) = below;
                    let at = pos2(left, rect.bottom() - 11.0);
                    widget::line(&painter, at, width, text, font, color);
                }
            }
        }
    }
}

/// Draws columns over a line; the highest fills the area.
fn histogram(painter: &Painter, area: Rect, columns: &[u32], color: Color32) {
    let highest = columns.iter().copied().max().unwrap_or(0).max(1) as f32;
    let width = area.width() / columns.len() as f32;
    let baseline = Stroke::new(1.0, color.gamma_multiply(0.4));
    painter.hline(area.x_range(), area.bottom(), baseline);
    for (place, &column) in columns
        .iter()
        .enumerate()
        .filter(|(_, column)| **column > 0)
    {
        // Also a single one beside thousands is seen.
        let height = (area.height() * column as f32 / highest).max(2.0);
        let corner = pos2(area.left() + place as f32 * width, area.bottom() - height);
        let column = Rect::from_min_size(corner, vec2((width - 0.5).max(1.0), height));
        painter.rect_filled(column, 0.0, color);
    }
}
