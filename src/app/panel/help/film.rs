//! The moving drawing of a cause: the mover goes along its path again and again, or where the slider is.

use crate::app::widget;
use crate::view::drawing::{Anchor, Film, Ink, Item, Role, Style};
use earcut::Earcut;
use egui::accesskit::Role as Kind;
use egui::epaint::{Mesh, PathShape, PathStroke, Vertex, WHITE_UV};
use egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Sense, Shape, Slider, Stroke, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;
use glam::DVec2;
use std::time::Duration;

/// Seconds in which the frame passes, and for which its end stays.
const PASSES: f64 = 2.4;
const STAYS: f64 = 0.8;
/// Time between two passes of the window while it plays.
const PASS: Duration = Duration::from_millis(33);
/// Points: the height of the title and the meaning above the drawing, and of the slider below it.
const AROUND: f32 = 150.0;
/// Points: the size of texts.
const TEXT: f32 = 11.5;
/// The opacity of what moves, as a multiple of that in the drawing.
const MOVING: f64 = 1.6;

/// What the slider shows.
#[derive(Default)]
pub struct FilmPlayer {
    /// The time in the frame, 0..1.
    at: f64,
    /// Whether the user has paused it.
    paused: bool,
    /// The seconds of the last pass in which it played.
    last: Option<f64>,
    /// Seconds at the end of the frame.
    stayed: f64,
}

impl FilmPlayer {
    /// Draws the film, and its slider.
    pub fn ui(&mut self, ui: &mut Ui, film: &Film) {
        let size = film.drawing.size.as_vec2();
        // With the title and the slider it fits into the page.
        let room = vec2(ui.available_width(), ui.clip_rect().height() - AROUND);
        let scale = (room.x / size.x).min(room.y / size.y).clamp(0.4, 1.0);
        let size = vec2(size.x, size.y) * scale;
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        let title = &film.drawing.title;
        response.widget_info(|| WidgetInfo::labeled(Kind::Image, true, title));
        widget::describe(&response, &film.drawing.text);
        let is_visible = ui.is_rect_visible(rect);
        self.advance(ui, is_visible);
        if is_visible {
            let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
            let sheet = Sheet {
                painter: &painter,
                origin: rect.min,
                scale,
                is_dark: ui.visuals().dark_mode,
            };
            painter.rect_filled(rect, 4.0, sheet.color(Role::Ground, 1.0));
            let (texts, shapes): (Vec<&Item>, Vec<&Item>) =
                (film.drawing.items.iter()).partition(|item| matches!(item, Item::Text { .. }));
            shapes.into_iter().for_each(|item| sheet.paint(item, 1.0));
            let last = film.moments.len().saturating_sub(1);
            let moment = film.moments.get((self.at * last as f64).round() as usize);
            let moving = moment.into_iter().flatten();
            moving.for_each(|item| sheet.paint(item, MOVING));
            // Readable on what moves, too.
            texts.into_iter().for_each(|item| sheet.paint(item, 1.0));
        }
        ui.horizontal(|ui| {
            let (icon, name) = match self.paused {
                true => (icons::ICON_PLAY_ARROW, "Play the drawing"),
                false => (icons::ICON_PAUSE, "Pause the drawing"),
            };
            if widget::icon_button(ui, icon, name, "", false).clicked() {
                self.paused = !self.paused;
            }
            ui.spacing_mut().slider_width = (size.x - 60.0).max(80.0);
            let slider = ui.add(Slider::new(&mut self.at, 0.0..=1.0).show_value(false));
            let at = self.at;
            slider.widget_info(|| {
                let mut info = WidgetInfo::labeled(Kind::Slider, true, "Time in the frame");
                info.value = Some(at);
                info
            });
            if slider.changed() || slider.is_pointer_button_down_on() {
                self.paused = true;
            }
            slider.on_hover_text("The time in the frame, from its start to its end");
        });
        ui.add_space(6.0);
    }

    /// Goes on, and asks for the next pass; nothing while it is paused or out of sight.
    fn advance(&mut self, ui: &Ui, is_visible: bool) {
        if self.paused || !is_visible {
            self.last = None;
            return;
        }
        let now = ui.input(|input| input.time);
        let passed = self.last.replace(now).map_or(0.0, |last| now - last);
        // After a pause of the window it goes on where it was.
        let passed = passed.clamp(0.0, 0.1);
        if self.at < 1.0 {
            self.at = (self.at + passed / PASSES).min(1.0);
        } else if self.stayed < STAYS {
            self.stayed += passed;
        } else {
            (self.at, self.stayed) = (0.0, 0.0);
        }
        ui.ctx().request_repaint_after(PASS);
    }
}

/// Where a drawing is painted.
struct Sheet<'p> {
    painter: &'p Painter,
    origin: Pos2,
    scale: f32,
    is_dark: bool,
}

impl Sheet<'_> {
    fn color(&self, role: Role, opacity: f64) -> Color32 {
        let [red, green, blue] = role.color(self.is_dark);
        let alpha = (opacity.min(1.0) * 255.0).round() as u8;
        Color32::from_rgba_unmultiplied(red, green, blue, alpha)
    }

    fn point(&self, at: DVec2) -> Pos2 {
        self.origin + vec2(at.x as f32, at.y as f32) * self.scale
    }

    fn fill(&self, ink: Ink, times: f64) -> Option<Color32> {
        let (role, opacity) = ink.style().fill?;
        Some(self.color(role, opacity * times))
    }

    fn stroke(&self, ink: Ink) -> Stroke {
        ink.style().stroke.map_or(Stroke::NONE, |(role, width)| {
            Stroke::new(width as f32, self.color(role, 1.0))
        })
    }

    /// Paints a primitive; the opacity of its inside is multiplied.
    fn paint(&self, item: &Item, times: f64) {
        match item {
            Item::Fill { ink, outlines } => {
                for outline in outlines {
                    if let Some(color) = self.fill(*ink, times) {
                        self.inside(outline, color);
                    }
                    self.line(*ink, outline, true);
                }
            }
            Item::Line { ink, points } => self.line(*ink, points, false),
            Item::Circle {
                ink,
                center,
                radius,
            } => {
                let (center, radius) = (self.point(*center), *radius as f32 * self.scale);
                let fill = self.fill(*ink, times).unwrap_or(Color32::TRANSPARENT);
                self.painter.circle(center, radius, fill, self.stroke(*ink));
            }
            Item::Text {
                ink,
                at,
                anchor,
                text,
            } => self.text(*ink, *at, *anchor, text),
        }
    }

    /// Fills a closed outline, which need not be convex.
    fn inside(&self, outline: &[DVec2], color: Color32) {
        let corners: Vec<[f64; 2]> = outline.iter().map(|at| at.to_array()).collect();
        let mut triangles: Vec<u32> = Vec::new();
        Earcut::new().earcut_slice(&corners, &[], &mut triangles);
        let vertex = |at: &DVec2| Vertex {
            pos: self.point(*at),
            uv: WHITE_UV,
            color,
        };
        self.painter.add(Mesh {
            indices: triangles,
            vertices: outline.iter().map(vertex).collect(),
            ..Mesh::default()
        });
    }

    fn line(&self, ink: Ink, points: &[DVec2], is_closed: bool) {
        let stroke = self.stroke(ink);
        if stroke.is_empty() {
            return;
        }
        let mut points: Vec<Pos2> = points.iter().map(|at| self.point(*at)).collect();
        let Style { dash, .. } = ink.style();
        match dash {
            Some([on, off]) => {
                points.extend(points.first().copied().filter(|_| is_closed));
                let dashes = Shape::dashed_line(&points, stroke, on as f32, off as f32);
                self.painter.extend(dashes);
            }
            None => {
                self.painter.add(PathShape {
                    points,
                    closed: is_closed,
                    fill: Color32::TRANSPARENT,
                    stroke: PathStroke::from(stroke),
                });
            }
        }
    }

    /// Paints a text on its base line, on the ground.
    fn text(&self, ink: Ink, at: DVec2, anchor: Anchor, text: &str) {
        let Some(color) = self.fill(ink, 1.0) else {
            return;
        };
        let font = FontId::proportional(TEXT * self.scale.max(0.8));
        let align = match anchor {
            Anchor::Start => Align2::LEFT_BOTTOM,
            Anchor::Middle => Align2::CENTER_BOTTOM,
            Anchor::End => Align2::RIGHT_BOTTOM,
        };
        let galley = self.painter.layout_no_wrap(text.to_owned(), font, color);
        // Below the base line there are the tails of letters.
        let at = self.point(at) + vec2(0.0, galley.size().y * 0.22);
        let rect = align.anchor_size(at, galley.size());
        let ground = Rect::from_center_size(rect.center(), rect.size() * Vec2::new(1.0, 0.8));
        let halo = self.color(Role::Ground, 0.75);
        self.painter.rect_filled(ground, 2.0, halo);
        self.painter
            .galley(pos2(rect.left(), rect.top()), galley, color);
    }
}
