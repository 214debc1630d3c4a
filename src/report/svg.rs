//! SVG writer: metres to pixels, shapes, arrows, labels, a scale bar.

use super::html::escaped;
use super::view::Area;
use crate::core::number::number;
use crate::core::scene::UserUnits;
use glam::DVec2;
use std::fmt::Write as _;

/// A drawing under construction.
pub struct Picture {
    /// Pixels.
    width: f64,
    height: f64,
    /// Pixels per metre.
    pub scale: f64,
    /// The picture's centre, metres.
    center: DVec2,
    body: String,
}

impl Picture {
    /// A drawing of an area with this width, and the needed height within limits; the rest is clipped.
    pub fn of(area: Area, width: f64, heights: (f64, f64)) -> Self {
        let size = area.size().max(DVec2::splat(1e-12));
        let height = (width * size.y / size.x).clamp(heights.0, heights.1);
        Self {
            width,
            height,
            scale: (width / size.x).min(height / size.y),
            center: area.center(),
            body: String::new(),
        }
    }

    /// The area that it shows, metres.
    pub fn area(&self) -> Area {
        let half = 0.5 * DVec2::new(self.width, self.height) / self.scale;
        Area {
            low: self.center - half,
            high: self.center + half,
        }
    }

    /// A point in pixels, from the upper left corner.
    pub fn pixel(&self, point: DVec2) -> DVec2 {
        let from_middle = (point - self.center) * self.scale;
        DVec2::new(
            0.5 * self.width + from_middle.x,
            0.5 * self.height - from_middle.y,
        )
    }

    /// Clamped to the range that renderers support.
    fn bounded(&self, point: DVec2) -> DVec2 {
        let limit = DVec2::splat(1e5);
        self.pixel(point).clamp(-limit, limit)
    }

    /// A filled circle; `class` is its style.
    pub fn circle(&mut self, class: &str, center: DVec2, radius: f64) {
        let at = self.bounded(center);
        let radius = (radius * self.scale).clamp(0.6, 1e5);
        self.add(&format!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            short(at.x),
            short(at.y),
            short(radius)
        ));
    }

    /// One shape of several closed outlines, filled as their union when all have the same winding.
    pub fn outlines(&mut self, class: &str, outlines: &[Vec<DVec2>]) {
        let mut path = String::new();
        for outline in outlines {
            for (index, point) in outline.iter().enumerate() {
                let at = self.bounded(*point);
                let letter = if index == 0 { 'M' } else { 'L' };
                // Writing to a String cannot fail.
                let _ = write!(path, "{letter}{} {}", short(at.x), short(at.y));
            }
            path.push('Z');
        }
        if path.len() > 1 {
            self.add(&format!("<path class=\"{class}\" d=\"{path}\"/>"));
        }
    }

    /// A line between two points.
    pub fn line(&mut self, class: &str, from: DVec2, to: DVec2) {
        let (a, b) = (self.bounded(from), self.bounded(to));
        self.add(&format!(
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            short(a.x),
            short(a.y),
            short(b.x),
            short(b.y)
        ));
    }

    /// An arrow from a point (metres) along a direction, in pixels; nothing for a zero direction.
    pub fn arrow(&mut self, class: &str, from: DVec2, direction: DVec2, pixels: f64) {
        let Some(way) = direction.try_normalize() else {
            return;
        };
        let (way, start) = (DVec2::new(way.x, -way.y), self.bounded(from));
        let (tip, side) = (start + way * pixels, way.perp() * 3.5);
        let neck = tip - way * 8.0;
        let [a, b] = [neck + side, neck - side];
        self.add(&format!(
            "<path class=\"{class}\" d=\"M{} {}L{} {}M{} {}L{} {}L{} {}Z\"/>",
            short(start.x),
            short(start.y),
            short(neck.x),
            short(neck.y),
            short(tip.x),
            short(tip.y),
            short(a.x),
            short(a.y),
            short(b.x),
            short(b.y)
        ));
    }

    /// Text at a pixel position, kept inside the drawing; `anchor` is `start`, `middle` or `end`.
    pub fn words(&mut self, class: &str, at: DVec2, anchor: &str, text: &str) {
        // An estimate of the width; too much only moves the text further in.
        let width = 6.6 * text.chars().count().min(60) as f64;
        let (left, right) = match anchor {
            "middle" => (0.5 * width, 0.5 * width),
            "end" => (width, 0.0),
            _ => (0.0, width),
        };
        let room = self.width - 4.0 - right;
        let x = at.x.min(room).max(4.0 + left);
        let y = at.y.clamp(12.0, self.height - 5.0);
        self.add(&format!(
            "<text class=\"{class}\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{}</text>",
            short(x),
            short(y),
            escaped(text)
        ));
    }

    /// A bar of a round length in the lower left corner.
    pub fn scale_bar(&mut self, units: UserUnits) {
        let metres = units.metres() * round_below(0.28 * self.width / self.scale / units.metres());
        let (x, y) = (10.0, self.height - 10.0);
        let end = x + metres * self.scale;
        self.add(&format!(
            "<path class=\"bar\" d=\"M{x} {}V{y}H{}V{}\"/>",
            short(y - 5.0),
            short(end),
            short(y - 5.0)
        ));
        self.words(
            "note",
            DVec2::new(x + 3.0, y - 5.0),
            "start",
            &length(metres, units),
        );
    }

    fn add(&mut self, text: &str) {
        self.body += text;
    }

    /// The element, with title and description for screen readers. `id` is unique in the page.
    pub fn finish(self, id: &str, title: &str, description: &str) -> String {
        let (width, height) = (short(self.width), short(self.height));
        format!(
            "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"{id}t {id}d\">\
             <title id=\"{id}t\">{}</title><desc id=\"{id}d\">{}</desc>\
             <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>{}</svg>",
            escaped(title),
            escaped(description),
            self.body
        )
    }
}

/// A length in the unit that reads best; of a level in another unit than metres in that.
pub fn length(metres: f64, units: UserUnits) -> String {
    if units.metres() != 1.0 {
        return units.length(metres);
    }
    let (value, unit) = match metres.abs() {
        size if size == 0.0 || (1000.0..1e6).contains(&size) => (metres, "m"),
        size if size >= 1e6 => (metres / 1000.0, "km"),
        size if size >= 0.1 => (metres, "m"),
        size if size >= 1e-3 => (metres * 1e3, "mm"),
        size if size >= 1e-6 => (metres * 1e6, "µm"),
        _ => (metres, "m"),
    };
    format!("{} {unit}", number(value))
}

/// The largest of 1, 2 and 5 times a power of ten that is not above this.
pub fn round_below(value: f64) -> f64 {
    let power = 10_f64.powf(value.max(1e-300).log10().floor());
    [5.0, 2.0, 1.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|round| *round <= value)
        .unwrap_or(power)
}

/// A pixel, to a tenth.
pub fn short(pixel: f64) -> String {
    let text = format!("{pixel:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_bars_are_round() {
        assert_eq!(length(0.05, UserUnits::default()), "50 mm");
        assert_eq!(length(2.0, UserUnits::default()), "2 m");
        assert_eq!(length(0.0, UserUnits::default()), "0 m");
        for (value, wanted) in [(7.3, 5.0), (0.019, 0.01), (2.0, 2.0), (4999.0, 2000.0)] {
            assert!((round_below(value) - wanted).abs() < 1e-9 * wanted);
        }
    }

    #[test]
    fn a_picture_keeps_its_proportions() {
        let area = Area {
            low: DVec2::new(-1.0, 0.0),
            high: DVec2::new(3.0, 1.0),
        };
        let picture = Picture::of(area, 400.0, (50.0, 300.0));
        assert_eq!((picture.scale, picture.height), (100.0, 100.0));
        assert_eq!(picture.pixel(DVec2::new(-1.0, 1.0)), DVec2::ZERO);
        assert_eq!(
            picture.pixel(DVec2::new(3.0, 0.0)),
            DVec2::new(400.0, 100.0)
        );
        assert_eq!(short(-0.01), "0");
        assert_eq!(short(1.25), "1.2");
    }
}
