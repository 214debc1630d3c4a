//! Texts that do not cover each other, and names that fit.

use super::item::{Anchor, Ink, Item};
use super::plane::Area;
use glam::DVec2;

/// Points of a line of text: its height, its ascent, and the width of a narrow and of a wide character, estimated a little too large.
const LINE: f64 = 14.0;
const ASCENT: f64 = 10.5;
const NARROW: f64 = 6.6;
const WIDE: f64 = 12.0;
/// Distance of a text from what it names, and from the edge, points.
const GAP: f64 = 5.0;
/// Lines by which a text moves away from what it names to be free.
const RINGS: u32 = 6;
/// Characters of a name.
const LONGEST: usize = 28;

/// Where a text is, seen from what it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Centred above it.
    Above,
    /// Centred below it.
    Below,
    /// To its left.
    Left,
    /// To its right.
    Right,
}

/// The texts of a drawing so far.
pub struct Labels {
    size: DVec2,
    taken: Vec<Area>,
}

impl Labels {
    /// None, in a drawing of this size in points.
    pub fn new(size: DVec2) -> Self {
        Self {
            size,
            taken: Vec::new(),
        }
    }

    /// Keeps a place free of texts, points.
    pub fn keep_free(&mut self, area: Area) {
        self.taken.push(area);
    }

    /// Keeps texts away from a line, points.
    pub fn keep_line_free(&mut self, [from, to]: [DVec2; 2]) {
        let steps = (from.distance(to) / LINE).ceil().max(1.0) as u32;
        let at = |step: u32| from.lerp(to, f64::from(step) / f64::from(steps));
        let parts = (0..steps).filter_map(|step| Area::of([at(step), at(step + 1)]));
        self.taken.extend(parts.map(|part| part.grown(1.0)));
    }

    /// A text beside an area (points), at the first free place: on the preferred sides first, also shifted along them, then farther away. Where
    /// none is free it covers as little as it can; inside the drawing in any case.
    pub fn place(&mut self, ink: Ink, text: &str, beside: Area, sides: &[Side]) -> Item {
        let mut best = (f64::INFINITY, (beside.center(), Anchor::Middle));
        for ring in 0..RINGS {
            for side in sides {
                for shift in [0.0, 1.0, -1.0] {
                    let away = f64::from(ring) * (LINE + 1.0);
                    let (place, moved) = self.at(text, beside, *side, (away, shift));
                    let covered = moved + self.covered(bounds(text, place));
                    if covered < best.0 {
                        best = (covered, place);
                    }
                }
            }
            if best.0 == 0.0 {
                break;
            }
        }
        let (_, place) = best;
        self.taken.push(bounds(text, place));
        let (at, anchor) = place;
        Item::Text {
            ink,
            at,
            anchor,
            text: text.to_owned(),
        }
    }

    /// How much of what is taken a box would cover; more than 0 where it touches something.
    fn covered(&self, text: Area) -> f64 {
        let covered = self.taken.iter().filter_map(|taken| taken.overlap(text));
        covered
            .map(|part| part.size().element_product() + 1e-3)
            .sum()
    }

    /// The place on a side, so far away, shifted by a part of its width along a horizontal side; and how far the drawing's edge moves it back
    /// toward what it names.
    fn at(
        &self,
        text: &str,
        beside: Area,
        side: Side,
        (away, shift): (f64, f64),
    ) -> ((DVec2, Anchor), f64) {
        let center = beside.center() + DVec2::X * (0.5 * shift * width_of(text));
        let beside_edge = |x: f64| DVec2::new(x, beside.center().y + 0.5 * ASCENT + shift * away);
        let (at, anchor) = match side {
            Side::Above => (
                DVec2::new(center.x, beside.low.y - GAP - away),
                Anchor::Middle,
            ),
            Side::Below => (
                DVec2::new(center.x, beside.high.y + GAP + ASCENT + away),
                Anchor::Middle,
            ),
            Side::Left => (beside_edge(beside.low.x - GAP), Anchor::End),
            Side::Right => (beside_edge(beside.high.x + GAP), Anchor::Start),
        };
        let (left, right) = anchor.sides(width_of(text));
        let low = DVec2::new(left + GAP, ASCENT + 2.0);
        let high = DVec2::new(self.size.x - right - GAP, self.size.y - GAP);
        let inside = at.min(high).max(low);
        let moved = (inside - at).abs();
        let moved = match side {
            Side::Above | Side::Below => moved.y,
            Side::Left | Side::Right => moved.x,
        };
        ((inside, anchor), moved)
    }
}

/// The box around a text.
fn bounds(text: &str, (at, anchor): (DVec2, Anchor)) -> Area {
    let (left, right) = anchor.sides(width_of(text));
    Area {
        low: at - DVec2::new(left, ASCENT),
        high: at + DVec2::new(right, LINE - ASCENT),
    }
}

fn width_of(text: &str) -> f64 {
    let width = |c: char| {
        if c >= '\u{1100}' && !('\u{2000}'..'\u{2600}').contains(&c) {
            WIDE
        } else {
            NARROW
        }
    };
    text.chars().map(width).sum()
}

/// The names of a pair, short enough for labels: what long ones have in common at the start is left out, then the middle.
pub fn short_names(a: &str, b: &str) -> [String; 2] {
    let is_long = |name: &str| name.chars().count() > LONGEST;
    let common = a
        .char_indices()
        .zip(b.chars())
        .take_while(|((_, one), other)| one == other);
    // Up to the end of a word.
    let common = common
        .filter(|((_, c), _)| "_/.: -".contains(*c))
        .last()
        .map_or(0, |((at, c), _)| at + c.len_utf8());
    let cut = |name: &str| match is_long(name) && common > 0 && common < name.len() {
        true => format!("…{}", &name[common..]),
        false => name.to_owned(),
    };
    [a, b].map(|name| shortened(&cut(name)))
}

/// A name without its middle.
fn shortened(name: &str) -> String {
    let count = name.chars().count();
    if count <= LONGEST {
        return name.to_owned();
    }
    let (head, tail) = (LONGEST / 2, LONGEST - LONGEST / 2 - 1);
    let start: String = name.chars().take(head).collect();
    let end: String = name.chars().skip(count - tail).collect();
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_do_not_cover_each_other_and_stay_inside() {
        let size = DVec2::new(300.0, 120.0);
        let mut labels = Labels::new(size);
        let beside = Area::around(DVec2::new(290.0, 20.0), 4.0);
        let sides = [Side::Above, Side::Below];
        let placed: Vec<Area> = (0..5)
            .map(
                |_| match labels.place(Ink::Label, "start: 4.95 m apart", beside, &sides) {
                    Item::Text {
                        at, anchor, text, ..
                    } => bounds(&text, (at, anchor)),
                    other => panic!("{other:?}"),
                },
            )
            .collect();
        for (index, one) in placed.iter().enumerate() {
            assert!(
                one.low.cmpge(DVec2::ZERO).all() && one.high.cmple(size).all(),
                "{one:?}"
            );
            assert!(
                placed[..index]
                    .iter()
                    .all(|other| other.overlap(*one).is_none()),
                "{placed:?}"
            );
        }
    }

    #[test]
    fn long_names_lose_what_they_have_in_common() {
        assert_eq!(short_names("ball", "wall"), ["ball", "wall"]);
        let long = "SM_Environment_Warehouse_Level_2_Building_";
        let names = short_names(&format!("{long}Crate_7"), &format!("{long}Wall"));
        assert_eq!(names, ["…Crate_7", "…Wall"]);
        let [name, _] = short_names(&"x".repeat(500), "wall");
        assert_eq!(name.chars().count(), LONGEST);
    }
}
