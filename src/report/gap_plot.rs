//! Plot of a pair's gap over the frame.

use super::html::escaped;
use super::svg::short;
use crate::core::number::number;
use crate::core::scene::UserUnits;
use crate::view::gap_curve::MarkKind;
use crate::view::lengths::{length, round_below};
use crate::view::pair_view::PairView;
use std::fmt::Write as _;

/// Pixels.
const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 210.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 34.0;

/// Fractions and metres to pixels.
struct Axes {
    low: f64,
    high: f64,
}

impl Axes {
    /// The axes for these gaps: zero is always visible, with a tenth of margin above and below.
    fn of(gaps: impl Iterator<Item = f64>) -> Option<Self> {
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for gap in gaps {
            (low, high) = (low.min(gap), high.max(gap));
        }
        let room = 0.1 * (high - low);
        (room > 0.0 && room.is_finite()).then_some(Self {
            low: low - room,
            high: high + room,
        })
    }

    fn x(fraction: f64) -> f64 {
        LEFT + fraction * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, gap: f64) -> f64 {
        let share = (gap - self.low) / (self.high - self.low);
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }

    /// Round gaps, about five.
    fn levels(&self) -> Vec<f64> {
        let step = round_below((self.high - self.low) / 3.5);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last.min(first + 12))
            .map(|index| index as f64 * step)
            .collect()
    }
}

/// The left, right, upper and lower edge of the plot's inside, points.
pub fn inner() -> (f64, f64, f64, f64) {
    (Axes::x(0.0), Axes::x(1.0), TOP, HEIGHT - BOTTOM)
}

/// The plot as an HTML figure; nothing for a pair without a gap in this frame. `id` is unique in the page.
pub fn gap_plot(pair: &PairView, names: (&str, &str), frame_name: &str, id: &str) -> String {
    let gaps = pair.curve.samples.iter().map(|sample| sample[1]);
    let Some(axes) = Axes::of(gaps).filter(|_| pair.curve.samples.len() > 1) else {
        return String::new();
    };
    let mut body = grid(&axes, pair.explanation.units);
    let mut path = String::new();
    for (index, [fraction, gap]) in pair.curve.samples.iter().enumerate() {
        let letter = if index == 0 { 'M' } else { 'L' };
        let (x, y) = (short(Axes::x(*fraction)), short(axes.y(*gap)));
        // Writing to a String cannot fail, here and below.
        let _ = write!(path, "{letter}{x} {y}");
    }
    let _ = write!(body, "<path class=\"curve\" d=\"{path}\"/>");
    body += &marks(pair, &axes);
    body += &ends(pair, &axes);
    let title = format!("Gap of {} and {} over {frame_name}", names.0, names.1);
    let description = told(pair);
    format!(
        "<figure><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" aria-labelledby=\"{id}t {id}d\">\
         <title id=\"{id}t\">{}</title><desc id=\"{id}d\">{}</desc>{body}</svg>\
         <figcaption>The distance of the two over the frame; below zero they overlap. Dots at the ends: what an overlap test \
         sees.</figcaption></figure>",
        escaped(&title),
        escaped(&description),
    )
}

fn grid(axes: &Axes, units: UserUnits) -> String {
    let mut out = String::new();
    let (left, right) = (Axes::x(0.0), Axes::x(1.0));
    for level in axes.levels() {
        let y = short(axes.y(level));
        let class = if level == 0.0 { "zero" } else { "grid" };
        let _ = write!(
            out,
            "<line class=\"{class}\" x1=\"{left}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\"/>\
             <text class=\"note\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            left - 6.0,
            short(axes.y(level) + 4.0),
            escaped(&length(level, units))
        );
    }
    let foot = HEIGHT - BOTTOM;
    for fifth in 0..=5 {
        let fraction = 0.2 * f64::from(fifth);
        let x = short(Axes::x(fraction));
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{x}\" y1=\"{TOP}\" x2=\"{x}\" y2=\"{foot}\"/>\
             <text class=\"note\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            foot + 14.0,
            number(fraction)
        );
    }
    let _ = write!(
        out,
        "<text class=\"note\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">fraction of the frame</text>",
        short(0.5 * (left + right)),
        HEIGHT - 5.0
    );
    out
}

/// Where they touch, part or are closest.
fn marks(pair: &PairView, axes: &Axes) -> String {
    let mut out = String::new();
    let mut last = f64::NEG_INFINITY;
    for mark in &pair.curve.marks {
        let (x, y) = (Axes::x(mark.fraction), axes.y(mark.gap));
        let (class, word) = match mark.kind {
            MarkKind::Impact => ("impact", "touch"),
            MarkKind::Leaves => ("leaves", "part"),
            MarkKind::Closest => ("leaves", "closest"),
        };
        if mark.kind == MarkKind::Impact {
            let _ = write!(
                out,
                "<line class=\"moment\" x1=\"{0}\" y1=\"{TOP}\" x2=\"{0}\" y2=\"{1}\"/>",
                short(x),
                HEIGHT - BOTTOM
            );
        }
        let _ = write!(
            out,
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>",
            short(x),
            short(y)
        );
        // Overlapping labels are left out; the description has both.
        if x - last > 20.0 {
            // On the side away from the curve.
            let (x, anchor) = match (mark.kind, x > WIDTH - 120.0) {
                (MarkKind::Impact, _) if x > LEFT + 110.0 => (x - 7.0, "end"),
                (_, true) => (x - 7.0, "end"),
                _ => (x + 7.0, "start"),
            };
            let above = match mark.kind {
                MarkKind::Impact => 16.0,
                _ if y - TOP > 26.0 => -8.0,
                _ => 18.0,
            };
            let _ = write!(
                out,
                "<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{word} at {:.4}</text>",
                short(x),
                short(y + above),
                mark.fraction
            );
            last = x;
        }
    }
    out
}

/// Overlap tests at both ends.
fn ends(pair: &PairView, axes: &Axes) -> String {
    let mut out = String::new();
    for (fraction, end) in [0.0, 1.0].into_iter().zip(pair.ends()) {
        if let Some(end) = end {
            let class = if end.contact.is_some() {
                "seen"
            } else {
                "unseen"
            };
            let _ = write!(
                out,
                "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"5\"/>",
                short(Axes::x(fraction)),
                short(axes.y(end.gap))
            );
        }
    }
    out
}

/// Description of the curve.
fn told(pair: &PairView) -> String {
    let mut parts = Vec::new();
    for (word, end) in ["start", "end"].into_iter().zip(pair.ends()) {
        if let Some(end) = end {
            let seen = if end.contact.is_some() {
                "an overlap test detects a contact"
            } else {
                "an overlap test detects nothing"
            };
            parts.push(format!(
                "{} at the {word}, {seen}",
                length(end.gap, pair.explanation.units)
            ));
        }
    }
    for mark in &pair.curve.marks {
        let word = match mark.kind {
            MarkKind::Impact => "they touch",
            MarkKind::Leaves => "they part",
            MarkKind::Closest => "they are closest",
        };
        parts.push(format!("{word} at {:.4}", mark.fraction));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_few_and_round_and_hold_zero() {
        for (low, high) in [(-0.05, 4.9), (0.0, 1e-7), (-3.0, 0.0), (12.0, 9000.0)] {
            let axes = Axes::of([low, high].into_iter()).unwrap();
            let levels = axes.levels();
            assert!((3..=9).contains(&levels.len()), "{levels:?}");
            assert!(levels.contains(&0.0), "{levels:?}");
            assert!(axes.y(high) >= TOP && axes.y(low) <= HEIGHT - BOTTOM);
        }
        assert!(Axes::of([0.0, 0.0].into_iter()).is_none());
    }
}
