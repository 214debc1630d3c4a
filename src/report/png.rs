//! Drawings as PNG, with a font of the program's own: no display and no fonts of the system.

use crate::view::drawing::{Anchor, Drawing, Ink, Item, Role, Style};
use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};
use glam::DVec2;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, MetadataProvider};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash,
    Transform,
};

/// Pixels per point: sharp on screens with small pixels.
const SCALE: f32 = 2.0;
/// Points: the size of texts, the ground around them, and what makes labels bolder than this light font is.
const TEXT: f32 = 11.5;
const HALO: f32 = 3.0;
const BOLD: f32 = 0.55;
const REGULAR: f32 = 0.2;
/// Wide and high, points.
const LARGEST: f64 = 8000.0;

/// A drawing on a light ground as a PNG file; `None` for one that is too large.
pub fn png(drawing: &Drawing) -> Option<Vec<u8>> {
    if drawing.size.max_element() > LARGEST {
        return None;
    }
    let [width, height] = drawing
        .size
        .to_array()
        .map(|size| (size * f64::from(SCALE)).ceil() as u32);
    let mut canvas = Canvas {
        pixels: Pixmap::new(width, height)?,
        fonts: [UBUNTU_LIGHT, HACK_REGULAR]
            .into_iter()
            .filter_map(|font| FontRef::new(font).ok())
            .collect(),
    };
    canvas.pixels.fill(color(Role::Ground, 1.0));
    for item in &drawing.items {
        canvas.paint(item);
    }
    canvas.pixels.encode_png().ok()
}

fn color(role: Role, opacity: f64) -> Color {
    let [red, green, blue] = role.color(false);
    Color::from_rgba8(red, green, blue, (opacity * 255.0).round() as u8)
}

struct Canvas<'f> {
    pixels: Pixmap,
    /// In the order in which a character is looked for.
    fonts: Vec<FontRef<'f>>,
}

impl Canvas<'_> {
    fn paint(&mut self, item: &Item) {
        match item {
            Item::Fill { ink, outlines } => self.shape(
                *ink,
                of_points(outlines.iter().map(Vec::as_slice), true),
                true,
            ),
            Item::Line { ink, points } => {
                self.shape(*ink, of_points([points.as_slice()], false), false)
            }
            Item::Circle {
                ink,
                center,
                radius,
            } => {
                let circle =
                    PathBuilder::from_circle(center.x as f32, center.y as f32, *radius as f32);
                self.shape(*ink, circle, true);
            }
            Item::Text {
                ink,
                at,
                anchor,
                text,
            } => self.text(*ink, *at, *anchor, text),
        }
    }

    /// Paints a path in a style; nothing for an empty one.
    fn shape(&mut self, ink: Ink, path: Option<Path>, is_filled: bool) {
        let (Some(path), Style { fill, stroke, dash }) = (path, ink.style()) else {
            return;
        };
        if let Some((role, opacity)) = fill.filter(|_| is_filled) {
            self.fill(&path, color(role, opacity));
        }
        if let Some((role, width)) = stroke {
            let dash =
                dash.and_then(|dash| StrokeDash::new(dash.map(|part| part as f32).into(), 0.0));
            self.stroke(&path, color(role, 1.0), width as f32, dash);
        }
    }

    fn fill(&mut self, path: &Path, color: Color) {
        let transform = Transform::from_scale(SCALE, SCALE);
        self.pixels
            .fill_path(path, &paint(color), FillRule::Winding, transform, None);
    }

    fn stroke(&mut self, path: &Path, color: Color, width: f32, dash: Option<StrokeDash>) {
        let stroke = Stroke {
            width,
            dash,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        let transform = Transform::from_scale(SCALE, SCALE);
        self.pixels
            .stroke_path(path, &paint(color), &stroke, transform, None);
    }

    /// Paints a text with the ground around it, so that lines do not cross it.
    fn text(&mut self, ink: Ink, at: DVec2, anchor: Anchor, text: &str) {
        let (_, width) = self.glyphs(text, DVec2::ZERO);
        let (left, _) = anchor.sides(width);
        let (Some(path), _) = self.glyphs(text, at - DVec2::new(left, 0.0)) else {
            return;
        };
        let role = ink.style().fill.map_or(Role::Text, |(role, _)| role);
        self.stroke(&path, color(Role::Ground, 1.0), HALO, None);
        self.fill(&path, color(role, 1.0));
        let bold = if ink == Ink::Label { BOLD } else { REGULAR };
        self.stroke(&path, color(role, 1.0), bold, None);
    }

    /// The outlines of a text from a point on, and its width in points.
    fn glyphs(&self, text: &str, from: DVec2) -> (Option<Path>, f64) {
        let (size, location) = (Size::new(TEXT), LocationRef::default());
        let mut pen = Pen {
            path: PathBuilder::new(),
            x: from.x as f32,
            y: from.y as f32,
        };
        for c in crate::core::escape::escaped(text).chars() {
            let known = self
                .fonts
                .iter()
                .find_map(|font| Some((font, font.charmap().map(c)?)));
            let missing = self
                .fonts
                .first()
                .map(|font| (font, skrifa::GlyphId::NOTDEF));
            let Some((font, glyph)) = known.or(missing) else {
                continue;
            };
            if let Some(outline) = font.outline_glyphs().get(glyph) {
                // A glyph that cannot be drawn leaves its room.
                let _ = outline.draw(DrawSettings::unhinted(size, location), &mut pen);
            }
            pen.x += font
                .glyph_metrics(size, location)
                .advance_width(glyph)
                .unwrap_or(0.0);
        }
        let width = f64::from(pen.x) - from.x;
        (pen.path.finish(), width)
    }
}

fn paint(color: Color) -> Paint<'static> {
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color(color);
    paint
}

fn of_points<'p>(outlines: impl IntoIterator<Item = &'p [DVec2]>, is_closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for outline in outlines {
        for (index, at) in outline.iter().enumerate() {
            match index {
                0 => path.move_to(at.x as f32, at.y as f32),
                _ => path.line_to(at.x as f32, at.y as f32),
            }
        }
        if is_closed && !outline.is_empty() {
            path.close();
        }
    }
    path.finish()
}

/// Glyphs have y up, from a point on the base line.
struct Pen {
    path: PathBuilder,
    x: f32,
    y: f32,
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x + x, self.y - y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x + x, self.y - y);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.path
            .quad_to(self.x + cx, self.y - cy, self.x + x, self.y - y);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let (ox, oy) = (self.x, self.y);
        self.path
            .cubic_to(ox + ax, oy - ay, ox + bx, oy - by, ox + x, oy - y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
