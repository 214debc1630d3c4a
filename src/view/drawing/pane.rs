//! A part of a drawing: metres to points, everything cut at its edge.

use super::clip::{clip_outline, clip_segment};
use super::item::{Ink, Item};
use super::plane::Area;
use glam::DVec2;
use std::f64::consts::{PI, TAU};

/// Corners of a circle on each side of the direction in which they are close together.
const HALF_CORNERS: i32 = 48;
/// Corners of a round pane.
const RIM: u32 = 72;
/// Points of the head of an arrow: its length, and its width on each side.
const HEAD: [f64; 2] = [8.0, 3.5];

/// A part of a drawing, with what is in it so far.
pub struct Pane {
    /// Points per metre.
    pub scale: f64,
    /// Its middle, metres and points.
    center: DVec2,
    middle: DVec2,
    /// Convex, turns to the left where y points down, points.
    edge: Vec<DVec2>,
    /// Its content.
    pub items: Vec<Item>,
}

impl Pane {
    /// A rectangle of points that shows an area of metres in its middle.
    pub fn rectangle(low: DVec2, high: DVec2, shown: Area, margin: DVec2) -> Self {
        let room = (high - low - 2.0 * margin).max(DVec2::ONE);
        let size = shown.size().max(DVec2::splat(1e-12));
        Self {
            scale: (room.x / size.x).min(room.y / size.y),
            center: shown.center(),
            middle: 0.5 * (low + high),
            edge: vec![
                low,
                DVec2::new(high.x, low.y),
                high,
                DVec2::new(low.x, high.y),
            ],
            items: Vec::new(),
        }
    }

    /// A circle of points that shows what is at most `half` metres from a point.
    pub fn lens(middle: DVec2, radius: f64, center: DVec2, half: f64) -> Self {
        let corner =
            |index| middle + radius * DVec2::from_angle(TAU * f64::from(index) / f64::from(RIM));
        Self {
            scale: radius / half,
            center,
            middle,
            edge: (0..RIM).map(corner).collect(),
            items: Vec::new(),
        }
    }

    /// The same without content.
    pub fn like(&self) -> Self {
        Self {
            edge: self.edge.clone(),
            items: Vec::new(),
            ..*self
        }
    }

    /// Whether it is a lens.
    pub fn is_round(&self) -> bool {
        self.edge.len() > 4
    }

    /// Its edge, points.
    pub fn edge(&self) -> &[DVec2] {
        &self.edge
    }

    /// What it shows, metres.
    pub fn area(&self) -> Area {
        let bounds = Area::of(self.edge.iter().copied());
        let Area { low, high } = bounds.unwrap_or(Area::around(self.middle, 0.0));
        Area {
            low: self.metres(DVec2::new(low.x, high.y)),
            high: self.metres(DVec2::new(high.x, low.y)),
        }
    }

    /// A point in points.
    pub fn point(&self, at: DVec2) -> DVec2 {
        self.middle + flipped(at - self.center) * self.scale
    }

    /// A point in metres.
    fn metres(&self, at: DVec2) -> DVec2 {
        self.center + flipped(at - self.middle) / self.scale
    }

    /// Whether a point (metres) is in it.
    pub fn contains(&self, at: DVec2) -> bool {
        let at = self.point(at);
        clip_segment(at, at, &self.edge).is_some()
    }

    /// Whether a part of a segment (metres) is in it.
    pub fn shows(&self, from: DVec2, to: DVec2) -> bool {
        clip_segment(self.point(from), self.point(to), &self.edge).is_some()
    }

    /// Closed outlines of one winding, metres.
    pub fn fill(&mut self, ink: Ink, outlines: &[Vec<DVec2>]) {
        let placed = outlines
            .iter()
            .map(|outline| outline.iter().map(|at| self.point(*at)).collect());
        let placed: Vec<Vec<DVec2>> = placed.collect();
        self.fill_points(ink, placed);
    }

    fn fill_points(&mut self, ink: Ink, outlines: Vec<Vec<DVec2>>) {
        let cut = outlines
            .iter()
            .map(|outline| clip_outline(outline, &self.edge));
        let outlines: Vec<_> = cut.filter(|outline| outline.len() > 1).collect();
        if !outlines.is_empty() {
            self.items.push(Item::Fill { ink, outlines });
        }
    }

    /// Everything at or below `offset` along a normal (metres, not of unit length where the plane leans out of the drawing).
    pub fn fill_half_plane(&mut self, ink: Ink, normal: DVec2, offset: f64) {
        let Some(up) = normal.try_normalize().filter(|_| normal.length() > 1e-6) else {
            return;
        };
        let area = self.area();
        let surface = up * (offset / normal.length());
        let size = area.size().length() + (area.center() - surface).dot(up).abs();
        let middle = surface + up.perp() * (area.center() - surface).dot(up.perp());
        let [left, below] = [up.perp() * size, -up * size];
        self.fill(
            ink,
            &[vec![
                middle + left,
                middle + left + below,
                middle - left + below,
                middle - left,
            ]],
        );
    }

    /// A disc; one that is smaller than a point is drawn as large as one.
    pub fn circle(&mut self, ink: Ink, center: DVec2, radius: f64) {
        let (at, radius) = (self.point(center), (radius * self.scale).max(0.8));
        let area = Area::around(at, radius);
        let corners = [
            area.low,
            area.high,
            DVec2::new(area.low.x, area.high.y),
            DVec2::new(area.high.x, area.low.y),
        ];
        if corners
            .iter()
            .all(|corner| clip_segment(*corner, *corner, &self.edge).is_some())
        {
            self.items.push(Item::Circle {
                ink,
                center: at,
                radius,
            });
        } else {
            self.fill_points(ink, vec![circle(at, radius, self.middle)]);
        }
    }

    /// A disc of a size in points, where its centre (metres) is in the pane.
    pub fn dot(&mut self, ink: Ink, center: DVec2, radius: f64) {
        if self.contains(center) {
            let center = self.point(center);
            self.items.push(Item::Circle {
                ink,
                center,
                radius,
            });
        }
    }

    /// A line between two points, metres.
    pub fn line(&mut self, ink: Ink, from: DVec2, to: DVec2) {
        self.line_points(ink, self.point(from), self.point(to));
    }

    fn line_points(&mut self, ink: Ink, from: DVec2, to: DVec2) {
        if let Some(points) = clip_segment(from, to, &self.edge) {
            self.items.push(Item::Line {
                ink,
                points: points.into(),
            });
        }
    }

    /// An arrow from a point (metres) along a direction, of a length in points; nothing where the direction is zero or the point outside.
    pub fn arrow(&mut self, ink: Ink, from: DVec2, direction: DVec2, length: f64) {
        if !self.contains(from) {
            return;
        }
        let from = self.point(from);
        self.items
            .extend(arrow(ink, from, flipped(direction), length));
    }
}

/// An arrow in points.
pub fn arrow(ink: Ink, from: DVec2, direction: DVec2, length: f64) -> Vec<Item> {
    let Some(along) = direction.try_normalize() else {
        return Vec::new();
    };
    let tip = from + along * length;
    let neck = tip - along * HEAD[0].min(length);
    vec![
        Item::Line {
            ink,
            points: vec![from, neck],
        },
        head(ink, tip, along),
    ]
}

/// The head of an arrow at its tip, points; `along` has unit length.
pub fn head(ink: Ink, tip: DVec2, along: DVec2) -> Item {
    let (neck, side) = (tip - along * HEAD[0], along.perp() * HEAD[1]);
    Item::Fill {
        ink,
        outlines: vec![vec![tip, neck + side, neck - side]],
    }
}

/// From y up to y down, or back.
fn flipped(vector: DVec2) -> DVec2 {
    DVec2::new(vector.x, -vector.y)
}

/// A circle whose corners are close together toward a point, so that its part near there is round however large it is. Turns to the left where y
/// points down, as the edges of panes.
pub fn circle(center: DVec2, radius: f64, toward: DVec2) -> Vec<DVec2> {
    let middle = (toward - center).to_angle();
    let corner = |index: i32| {
        let share = f64::from(index) / f64::from(HALF_CORNERS);
        let angle = middle + PI * share.powi(3) * share.abs();
        center + radius * DVec2::from_angle(angle)
    };
    (-HALF_CORNERS..HALF_CORNERS).map(corner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> Area {
        Area {
            low: DVec2::new(-1.0, 0.0),
            high: DVec2::new(3.0, 1.0),
        }
    }

    #[test]
    fn a_pane_keeps_its_proportions() {
        let pane = Pane::rectangle(DVec2::ZERO, DVec2::new(400.0, 300.0), unit(), DVec2::ZERO);
        assert_eq!(pane.scale, 100.0);
        assert_eq!(pane.point(DVec2::new(-1.0, 0.5)), DVec2::new(0.0, 150.0));
        assert_eq!(pane.point(DVec2::new(3.0, 1.0)), DVec2::new(400.0, 100.0));
        let area = pane.area();
        assert_eq!(
            (area.low, area.high),
            (DVec2::new(-1.0, -1.0), DVec2::new(3.0, 2.0))
        );
    }

    /// A circle of 1e6 m whose lowest point is in the middle: within a hundredth of a point of its parabola everywhere in the pane.
    #[test]
    fn a_huge_circle_is_round_in_the_pane() {
        let mut pane = Pane::rectangle(DVec2::ZERO, DVec2::new(400.0, 300.0), unit(), DVec2::ZERO);
        let radius = 1e6;
        pane.circle(Ink::Mover, DVec2::new(1.0, 0.5 + radius), radius);
        let Some(Item::Fill { outlines, .. }) = pane.items.first() else {
            panic!("{:?}", pane.items);
        };
        let low = outlines[0].iter().map(|at| at.y).fold(0.0, f64::max);
        assert!((low - 150.0).abs() < 0.01, "{low}");
        assert!(
            outlines[0]
                .iter()
                .all(|at| (-1e-6..=400.0 + 1e-6).contains(&at.x))
        );
    }
}
