//! Paints the handles in front of the level.

use super::layout::{self, end_knob, layout_handles};
use super::{GizmoTarget, Handle, HandleDrag, HandleLayout, VelocityHandle};
use crate::app::text;
use crate::app::theme::{Palette, readable};
use crate::app::viewport::ViewportInput;
use crate::app::viewport::view::View;
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, Vec2};
use glam::{DVec2, DVec3};

/// Paints all handles, the highlighted one bright.
pub fn paint(
    painter: &Painter,
    rect: Rect,
    (input, view): (&ViewportInput<'_>, &View),
    (highlighted, drag): (Option<Handle>, Option<&HandleDrag>),
    palette: &Palette,
) {
    let painting = HandlePainter {
        painter,
        corner: rect.min,
        palette,
        view,
    };
    let target = GizmoTarget::of(input);
    if let Some(velocity) = target
        .as_ref()
        .and_then(|target| VelocityHandle::of(input, view, target))
    {
        let tool = input.editing.map(|editing| editing.tools.tool);
        if tool == Some(crate::app::authoring::Tool::Move) {
            painting.velocity(&velocity, input);
        }
    }
    let mut layouts = layout_handles(input, view);
    // The highlighted handle is on top.
    layouts.sort_by_key(|layout| Some(layout.handle) == highlighted);
    for layout in &layouts {
        let dragged = drag.is_some_and(|drag| drag.handle == layout.handle);
        // The other handles are faint during a drag.
        let alpha = if drag.is_some() && !dragged {
            0.25
        } else {
            1.0
        };
        let highlighted = Some(layout.handle) == highlighted;
        painting.handle(layout, highlighted, alpha, target.as_ref());
    }
    if let Some(drag) = drag.filter(|drag| !drag.cancelled && !drag.readout.is_empty()) {
        let at = painter.ctx().input(|input| input.pointer.latest_pos());
        if let Some(at) = at {
            painting.text(at + Vec2::new(18.0, 22.0), &drag.readout, palette.text);
        }
    }
}

struct HandlePainter<'a> {
    painter: &'a Painter,
    corner: Pos2,
    palette: &'a Palette,
    view: &'a View,
}

impl HandlePainter<'_> {
    fn at(&self, point: DVec2) -> Pos2 {
        self.corner + Vec2::new(point.x as f32, point.y as f32)
    }

    fn world(&self, point: DVec3) -> Option<Pos2> {
        Some(self.at(self.view.project(point)?))
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

    fn handle(
        &self,
        layout: &HandleLayout,
        highlighted: bool,
        alpha: f32,
        target: Option<&GizmoTarget>,
    ) {
        let color = match highlighted {
            true => self.palette.selected,
            false => self.color(layout.handle),
        };
        let color = color.gamma_multiply(alpha);
        let width = if highlighted { 3.6 } else { 2.6 };
        let anchor = self.at(layout.anchor);
        match layout.handle {
            Handle::MoveAlong(_) => {
                self.line(&layout.line, color, width);
                self.arrow_head(&layout.line, color);
            }
            Handle::ScaleAlong(_) => {
                self.line(&layout.line, color, width);
                self.knob(anchor, 5.5, color, true);
            }
            Handle::MoveAcross(axis) => {
                let corners = target.and_then(|target| layout::square(self.view, target, axis));
                if let Some(corners) = corners {
                    let corners = corners.map(|corner| self.at(corner)).to_vec();
                    let fill = color.gamma_multiply(if highlighted { 0.55 } else { 0.28 });
                    let edge = Stroke::new(1.2, color);
                    self.painter.add(Shape::convex_polygon(corners, fill, edge));
                }
            }
            Handle::RotateAround(axis) => {
                if let Some(target) = target {
                    let ring = layout::ring(self.view, target.pivot, target.axes[axis], false);
                    let ring: Vec<DVec2> =
                        ring.iter().filter_map(|p| self.view.project(*p)).collect();
                    self.line(&ring, color.gamma_multiply(0.22), 1.4);
                }
                self.line(&layout.line, color, width);
            }
            Handle::RotateInView => self.line(&layout.line, color.gamma_multiply(0.8), width * 0.7),
            Handle::MoveFreely => {
                self.painter
                    .circle_filled(anchor, 7.0, color.gamma_multiply(0.25));
                self.painter
                    .circle_stroke(anchor, 7.0, Stroke::new(width * 0.6, color));
            }
            Handle::ScaleUniformly => self.knob(anchor, 7.0, color, true),
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

    fn arrow_head(&self, line: &[DVec2], color: Color32) {
        let [from, to] = [line.first(), line.last()].map(|end| end.copied().unwrap_or_default());
        let (from, to) = (self.at(from), self.at(to));
        let along = (to - from).normalized();
        let side = Vec2::new(-along.y, along.x) * 5.5;
        let tip = to + along * 8.0;
        let base = to - along * 6.0;
        let corners = vec![tip, base + side, base - side];
        self.painter
            .add(Shape::convex_polygon(corners, color, Stroke::NONE));
    }

    /// Paints a square or a disc with a contrasting border.
    fn knob(&self, at: Pos2, half: f32, color: Color32, square: bool) {
        let border = Stroke::new(1.5, self.palette.background.gamma_multiply(0.9));
        if square {
            let rect = Rect::from_center_size(at, Vec2::splat(half * 2.0));
            self.painter.rect_filled(rect, 2.0, color);
            self.painter
                .rect_stroke(rect, 2.0, border, egui::StrokeKind::Outside);
        } else {
            self.painter.circle(at, half, color, border);
        }
    }

    /// Paints the arrow of the velocity with the speed, and the line to the knob at the frame's end.
    fn velocity(&self, velocity: &VelocityHandle, input: &ViewportInput<'_>) {
        let palette = self.palette;
        let (Some(base), Some(tip)) = (self.world(velocity.base), self.world(velocity.tip)) else {
            return;
        };
        let speed = velocity.velocity.length();
        let moves = speed > 0.0;
        let alpha = if moves { 1.0 } else { 0.5 };
        let style = Stroke::new(2.2, palette.velocity.gamma_multiply(alpha));
        self.painter.line_segment([base, tip], style);
        let times = (velocity.seconds / velocity.dt).round();
        let mut label = match moves {
            true => text::with_unit(speed, "m/s"),
            false => "At rest".to_owned(),
        };
        if moves && times > 1.0 {
            label = format!("{label}  (arrow × {times})");
        }
        // At rest the knob is near the squares of the move tool, which the label must not cover.
        let offset = if moves { 12.0 } else { 26.0 };
        self.text(tip + Vec2::new(offset, -14.0), &label, palette.velocity);
        let object = input
            .editing
            .and_then(|editing| Some((input.selection.objects().last()?, editing.scene)))
            .and_then(|(&id, scene)| scene.objects.get(id as usize));
        let Some(object) = object else {
            return;
        };
        let knob = end_knob(self.view, &object.shape, velocity);
        if let (Some(end), Some(knob)) = (self.world(velocity.end), self.world(knob)) {
            let style = Stroke::new(1.2, palette.ghost_end.gamma_multiply(0.8));
            self.painter.line_segment([end, knob], style);
        }
    }

    fn text(&self, at: Pos2, text: &str, color: Color32) {
        let background = self.palette.background;
        let font = FontId::proportional(12.0);
        let color = readable(color, background);
        let galley = self.painter.layout_no_wrap(text.to_owned(), font, color);
        let rect = Align2::LEFT_CENTER.anchor_size(at, galley.size());
        let margin = Vec2::new(5.0, 1.5);
        // Kept inside the viewport.
        let inside = self.painter.clip_rect().shrink2(margin);
        let most = (inside.max - rect.size()).max(inside.min);
        let rect = Rect::from_min_size(rect.min.clamp(inside.min, most), rect.size());
        let back = rect.expand2(margin);
        self.painter
            .rect_filled(back, 4.0, background.gamma_multiply(0.92));
        self.painter.galley(rect.min, galley, color);
    }
}
