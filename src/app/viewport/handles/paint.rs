//! Handles drawn over the picture, always in front.

use super::lay::{self, end_knob, lay};
use super::{Grip, Handle, Laid, Speed, Stand};
use crate::app::text;
use crate::app::theme::{Palette, readable};
use crate::app::viewport::ViewportInput;
use crate::app::viewport::view::View;
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, Vec2};
use glam::{DVec2, DVec3};

/// Draws every handle, the one under the pointer or in the hand bright.
pub fn paint(
    painter: &Painter,
    rect: Rect,
    (input, view): (&ViewportInput<'_>, &View),
    (hot, grip): (Option<Handle>, Option<&Grip>),
    palette: &Palette,
) {
    let brush = Brush {
        painter,
        corner: rect.min,
        palette,
        view,
    };
    let stand = Stand::of(input);
    if let Some(speed) = stand
        .as_ref()
        .and_then(|stand| Speed::of(input, view, stand))
    {
        let tool = input.editing.map(|editing| editing.tools.tool);
        if tool == Some(crate::app::authoring::Tool::Move) {
            brush.velocity(&speed, input);
        }
    }
    let mut laid = lay(input, view);
    // What is bright lies on top.
    laid.sort_by_key(|laid| Some(laid.handle) == hot);
    for laid in &laid {
        let held = grip.is_some_and(|grip| grip.handle == laid.handle);
        // While one is in the hand the others stand back.
        let alpha = if grip.is_some() && !held { 0.25 } else { 1.0 };
        brush.handle(laid, Some(laid.handle) == hot, alpha, stand.as_ref());
    }
    if let Some(grip) = grip.filter(|grip| !grip.spent && !grip.readout.is_empty()) {
        let at = painter.ctx().input(|input| input.pointer.latest_pos());
        if let Some(at) = at {
            brush.words(at + Vec2::new(18.0, 22.0), &grip.readout, palette.text);
        }
    }
}

struct Brush<'a> {
    painter: &'a Painter,
    corner: Pos2,
    palette: &'a Palette,
    view: &'a View,
}

impl Brush<'_> {
    fn at(&self, place: DVec2) -> Pos2 {
        self.corner + Vec2::new(place.x as f32, place.y as f32)
    }

    fn world(&self, place: DVec3) -> Option<Pos2> {
        Some(self.at(self.view.project(place)?))
    }

    fn color(&self, handle: Handle) -> Color32 {
        let palette = self.palette;
        match (handle.axis(), handle) {
            (Some(0), _) => palette.axis_x,
            (Some(1), _) => palette.axis_y,
            (Some(_), _) => palette.axis_z,
            (None, Handle::Velocity) => palette.velocity,
            (None, Handle::EndOfFrame) => palette.ghost_end,
            (None, Handle::ProbeEnd(..)) => palette.probe,
            (None, Handle::Corner(_)) => palette.selected,
            (None, _) => palette.text,
        }
    }

    fn handle(&self, laid: &Laid, hot: bool, alpha: f32, stand: Option<&Stand>) {
        let own = self.color(laid.handle);
        let color = if hot { self.palette.selected } else { own }.gamma_multiply(alpha);
        let width = if hot { 3.6 } else { 2.6 };
        let anchor = self.at(laid.anchor);
        match laid.handle {
            Handle::MoveAlong(_) => {
                self.line(&laid.line, color, width);
                self.head(&laid.line, color);
            }
            Handle::ScaleAlong(_) => {
                self.line(&laid.line, color, width);
                self.knob(anchor, 5.5, color, true);
            }
            Handle::MoveAcross(axis) => {
                let corners = stand.and_then(|stand| lay::square(self.view, stand, axis));
                if let Some(corners) = corners {
                    let corners = corners.map(|corner| self.at(corner)).to_vec();
                    let fill = color.gamma_multiply(if hot { 0.55 } else { 0.28 });
                    let edge = Stroke::new(1.2, color);
                    self.painter.add(Shape::convex_polygon(corners, fill, edge));
                }
            }
            Handle::TurnAround(axis) => {
                if let Some(stand) = stand {
                    let all = lay::ring(self.view, stand.pivot, stand.axes[axis], false);
                    let all: Vec<DVec2> =
                        all.iter().filter_map(|p| self.view.project(*p)).collect();
                    self.line(&all, color.gamma_multiply(0.22), 1.4);
                }
                self.line(&laid.line, color, width);
            }
            Handle::TurnFacing => self.line(&laid.line, color.gamma_multiply(0.8), width * 0.7),
            Handle::MoveFreely => {
                self.painter
                    .circle_filled(anchor, 7.0, color.gamma_multiply(0.25));
                self.painter
                    .circle_stroke(anchor, 7.0, Stroke::new(width * 0.6, color));
            }
            Handle::ScaleEvenly => self.knob(anchor, 7.0, color, true),
            Handle::Corner(_) => self.knob(anchor, 4.5, color, true),
            Handle::Velocity | Handle::EndOfFrame | Handle::ProbeEnd(..) => {
                self.knob(anchor, 5.5, color, false);
            }
        }
    }

    fn line(&self, points: &[DVec2], color: Color32, width: f32) {
        let points = points.iter().map(|point| self.at(*point)).collect();
        self.painter
            .add(Shape::line(points, Stroke::new(width, color)));
    }

    fn head(&self, line: &[DVec2], color: Color32) {
        let [from, to] = [line.first(), line.last()].map(|end| end.copied().unwrap_or_default());
        let (from, to) = (self.at(from), self.at(to));
        let way = (to - from).normalized();
        let side = Vec2::new(-way.y, way.x) * 5.5;
        let tip = to + way * 8.0;
        let base = to - way * 6.0;
        let corners = vec![tip, base + side, base - side];
        self.painter
            .add(Shape::convex_polygon(corners, color, Stroke::NONE));
    }

    /// A square or a disc with a rim that lifts it off what is behind.
    fn knob(&self, at: Pos2, half: f32, color: Color32, square: bool) {
        let rim = Stroke::new(1.5, self.palette.sky_bottom.gamma_multiply(0.9));
        if square {
            let rect = Rect::from_center_size(at, Vec2::splat(half * 2.0));
            self.painter.rect_filled(rect, 2.0, color);
            self.painter
                .rect_stroke(rect, 2.0, rim, egui::StrokeKind::Outside);
        } else {
            self.painter.circle(at, half, color, rim);
        }
    }

    /// The arrow of the velocity, with the speed; the way to the end of the frame.
    fn velocity(&self, speed: &Speed, input: &ViewportInput<'_>) {
        let palette = self.palette;
        let (Some(base), Some(tip)) = (self.world(speed.base), self.world(speed.tip)) else {
            return;
        };
        let long = speed.velocity.length() > 0.0;
        let alpha = if long { 1.0 } else { 0.5 };
        let style = Stroke::new(2.2, palette.velocity.gamma_multiply(alpha));
        self.painter.line_segment([base, tip], style);
        let times = (speed.seconds / speed.dt).round();
        let mut words = match long {
            true => text::with_unit(speed.velocity.length(), "m/s"),
            false => "at rest".to_owned(),
        };
        if long && times > 1.0 {
            words = format!("{words}  (arrow × {times})");
        }
        // At rest the knob is small beside the squares of the move tool: the words stand clear of them.
        let beside = if long { 12.0 } else { 26.0 };
        self.words(tip + Vec2::new(beside, -14.0), &words, palette.velocity);
        let object = input
            .editing
            .and_then(|editing| Some((input.selection.objects().last()?, editing.scene)))
            .and_then(|(&id, scene)| scene.objects.get(id as usize));
        let Some(object) = object else {
            return;
        };
        let knob = end_knob(self.view, &object.shape, speed);
        if let (Some(end), Some(knob)) = (self.world(speed.end), self.world(knob)) {
            let style = Stroke::new(1.2, palette.ghost_end.gamma_multiply(0.8));
            self.painter.line_segment([end, knob], style);
        }
    }

    fn words(&self, at: Pos2, words: &str, color: Color32) {
        let ground = self.palette.sky_bottom;
        let font = FontId::proportional(12.0);
        let color = readable(color, ground);
        let galley = self.painter.layout_no_wrap(words.to_owned(), font, color);
        let place = Align2::LEFT_CENTER.anchor_size(at, galley.size());
        let margin = Vec2::new(5.0, 1.5);
        // Whole, also at the edge of the picture.
        let inside = self.painter.clip_rect().shrink2(margin);
        let most = (inside.max - place.size()).max(inside.min);
        let place = Rect::from_min_size(place.min.clamp(inside.min, most), place.size());
        let back = place.expand2(margin);
        self.painter
            .rect_filled(back, 4.0, ground.gamma_multiply(0.92));
        self.painter.galley(place.min, galley, color);
    }
}
