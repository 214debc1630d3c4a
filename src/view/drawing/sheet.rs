//! Dimensions, marks and names in a drawing that is being made.

use super::item::{Anchor, Ink, Item};
use super::labels::{Labels, Side};
use super::pane::{Pane, arrow, head};
use super::plane::Area;
use super::subject::Subject;
use crate::view::lengths::{length, round_below};
use glam::DVec2;

/// Points: a dimension from which its arrows are inside.
const INSIDE: f64 = 44.0;

/// A drawing that is being made.
pub struct Sheet<'s, 'r> {
    /// What it shows.
    pub subject: &'s Subject<'r>,
    /// Short ones.
    pub names: [String; 2],
    /// Its texts.
    pub labels: Labels,
    /// In the order of painting.
    pub items: Vec<Item>,
    /// The parts of the drawing, without content.
    pub panes: Vec<Pane>,
    /// Triangles of meshes.
    pub left_out: usize,
}

impl Sheet<'_, '_> {
    /// Keeps texts away from rings and the contact.
    pub fn keep_marks_free(&mut self, items: &[Item]) {
        for item in items {
            if let Item::Circle {
                ink: Ink::Missed | Ink::Detected | Ink::Contact,
                center,
                radius,
            } = item
            {
                self.labels.keep_free(Area::around(*center, *radius));
            }
        }
    }

    /// An area of metres in points.
    pub fn points(&self, pane: &Pane, area: Area) -> Area {
        let (a, b) = (pane.point(area.low), pane.point(area.high));
        Area {
            low: a.min(b),
            high: a.max(b),
        }
    }

    /// A line with arrows at both ends, or toward them where it is short, and its text.
    pub fn dimension(&mut self, pane: &Pane, ends: [DVec2; 2], text: &str) {
        let ink = Ink::Dimension;
        let [a, b] = ends.map(|end| pane.point(end));
        let Some(along) = (b - a).try_normalize() else {
            return;
        };
        let across = along.perp() * 5.0;
        for end in [a, b] {
            self.items.push(Item::Line {
                ink,
                points: vec![end - across, end + across],
            });
        }
        if a.distance(b) >= INSIDE {
            self.items.push(Item::Line {
                ink,
                points: vec![a, b],
            });
            self.items
                .extend([head(ink, a, -along), head(ink, b, along)]);
        } else {
            for (end, out) in [(a, -along), (b, along)] {
                self.items.extend(arrow(ink, end + out * 18.0, -out, 18.0));
            }
        }
        // Beside its middle, and beside the arrows where they are outside.
        let (out, half) = match a.distance(b) >= INSIDE {
            true => (DVec2::ZERO, 0.0),
            false => (along * 18.0, 5.0),
        };
        self.labels.keep_line_free([a - out, b + out]);
        let beside = Area::around(a.midpoint(b), half);
        let sides = if along.x.abs() > along.y.abs() {
            [Side::Below, Side::Above, Side::Right]
        } else {
            [Side::Right, Side::Left, Side::Below]
        };
        let item = self.labels.place(Ink::Note, text, beside, &sides);
        self.items.push(item);
    }

    /// The travel that the response holds: a line with ticks toward the mover.
    pub fn bracket(&mut self, pane: &Pane, ends: [DVec2; 2], toward: DVec2, text: &str) {
        let [from, to] = ends;
        if !pane.shows(from, to) {
            return;
        }
        let tick = toward * (9.0 / pane.scale);
        let mut marked = pane.like();
        marked.line(Ink::Allowed, from, to);
        for end in ends {
            marked.line(Ink::Allowed, end, end + tick);
        }
        let lines = marked.items.iter().filter_map(|item| match item {
            Item::Line { points, .. } => Some([*points.first()?, *points.last()?]),
            _ => None,
        });
        let lines: Vec<[DVec2; 2]> = lines.collect();
        self.items.append(&mut marked.items);
        for line in &lines {
            self.labels.keep_line_free(*line);
        }
        if let Some([a, b]) = lines.first() {
            let sides = [Side::Above, Side::Right, Side::Left, Side::Below];
            let beside = Area::around(a.midpoint(*b), 0.0);
            let item = self.labels.place(Ink::AllowedNote, text, beside, &sides);
            self.items.push(item);
        }
    }

    /// The displacement of the mover's centre, below its path.
    pub fn travel(&mut self, pane: &Pane) {
        let subject = self.subject;
        let [from, to] = [
            &subject.moments[0],
            &subject.moments[subject.moments.len() - 1],
        ];
        let centers = [from, to].map(|moment| subject.center(moment));
        let Some(along) = (centers[1] - centers[0]).try_normalize() else {
            return;
        };
        if (centers[1] - centers[0]).length() * pane.scale < INSIDE {
            return;
        }
        let size = [from, to].map(|moment| subject.mover_area(moment).size().max_element());
        let below = if along.x >= 0.0 {
            -along.perp()
        } else {
            along.perp()
        };
        let aside = below * (0.5 * size[0].max(size[1]) + 14.0 / pane.scale);
        let text = format!("{} in the frame", length(subject.travel(), subject.units));
        self.dimension(pane, centers.map(|center| center + aside), &text);
    }

    /// Where the engine's answer to its query is, if that is what the finding is about.
    pub fn answer(&mut self, pane: &Pane) {
        let Some((at, text)) = self.subject.answer() else {
            return;
        };
        let end = self
            .subject
            .center(&self.subject.moments[self.subject.moments.len() - 1]);
        let center = pane.point(at.unwrap_or(end));
        if at.is_some() {
            self.items.push(Item::Circle {
                ink: Ink::Missed,
                center,
                radius: 4.5,
            });
        }
        let beside = match at {
            Some(_) => Area::around(center, 6.0),
            None => self.points(
                pane,
                self.subject
                    .mover_area(&self.subject.moments[self.subject.moments.len() - 1]),
            ),
        };
        let item = self.labels.place(
            Ink::Note,
            &text,
            beside.grown(4.0),
            &[Side::Below, Side::Above],
        );
        self.items.push(item);
    }

    /// The moments by their names, with what the overlap test finds.
    pub fn moments(&mut self, pane: &Pane) {
        let subject = self.subject;
        let last = subject.moments.len() - 1;
        let stays = subject
            .center(&subject.moments[0])
            .distance(subject.center(&subject.moments[last]))
            * pane.scale
            < 1.0;
        for (index, moment) in subject.moments.iter().enumerate() {
            let test = if index == 0 { subject.test_at(0) } else { None };
            let test = test.or_else(|| {
                if index == last {
                    subject.test_at(1)
                } else {
                    None
                }
            });
            let word = match (stays, index == last) {
                (true, true) => continue,
                (true, false) => "start and end",
                _ => moment.word,
            };
            let text = match test {
                Some((test, _)) => format!("{word}: {test}"),
                None => word.to_owned(),
            };
            let ink = if moment.word == "impact" {
                Ink::Label
            } else {
                Ink::Note
            };
            let area = self.points(pane, subject.mover_area(moment)).grown(4.0);
            let item = self
                .labels
                .place(ink, &text, area, &[Side::Above, Side::Below]);
            self.items.push(item);
        }
    }

    /// A bar of a round length in the lower left corner of the whole.
    pub fn scale_bar(&mut self, pane: &Pane) {
        let units = self.subject.units;
        let metres = units.metres() * round_below(120.0 / pane.scale / units.metres());
        let bottom = pane
            .edge()
            .iter()
            .map(|corner| corner.y)
            .fold(0.0, f64::max);
        let from = DVec2::new(10.0, bottom - 10.0);
        let to = from + DVec2::new(metres * pane.scale, 0.0);
        let up = DVec2::new(0.0, -5.0);
        let points = vec![from + up, from, to, to + up];
        self.items.push(Item::Line {
            ink: Ink::Dimension,
            points,
        });
        let beside = Area {
            low: from + up,
            high: to,
        };
        let item = self
            .labels
            .place(Ink::Note, &length(metres, units), beside, &[Side::Right]);
        self.items.push(item);
        self.labels.keep_free(beside);
    }

    /// The user's axes in the lower right corner.
    pub fn compass(&mut self, size: DVec2) {
        let corner = size - DVec2::new(44.0, 40.0);
        self.labels.keep_free(Area::around(corner, 40.0));
        let units = self.subject.units;
        for (axis, name) in units
            .axes()
            .into_iter()
            .zip(["x", "y", "z"])
            .take(units.dimensions())
        {
            let shown = self.subject.view.vector(axis);
            if shown.length() > 0.3 {
                let shown = DVec2::new(shown.x, -shown.y);
                self.items
                    .extend(arrow(Ink::Dimension, corner, shown, 24.0 * shown.length()));
                let at = corner
                    + shown.normalize_or_zero() * (24.0 * shown.length() + 8.0)
                    + DVec2::new(0.0, 4.0);
                self.items.push(Item::Text {
                    ink: Ink::Note,
                    at,
                    anchor: Anchor::Middle,
                    text: name.to_owned(),
                });
            }
        }
    }
}
