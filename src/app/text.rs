//! The texts of numbers and findings in the window.

use crate::core::diagnose::Finding;
use crate::core::number::{DIGITS, trimmed, without_noise};
pub use crate::core::number::{
    count, count_of, degrees, grouped, metres, number, significant, vector, with_unit, words,
};
use glam::DVec3;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write as _;

/// The position of something of this size, metres, with as many digits as resolve the size.
pub fn place(at: DVec3, size: f64) -> String {
    let [x, y, z] = without_noise(at)
        .to_array()
        .map(|value| number_beside(value, size));
    format!("({x}, {y}, {z})")
}

/// A coordinate of something of this size, in the same unit: at least as many digits as [`number`], and as many decimals as a
/// thousandth of the size has, at most 17 digits: `1000039.94` for a size of 0.2.
fn number_beside(value: f64, size: f64) -> String {
    let plain = number(value);
    let has_digits = size > 0.0 && size.is_finite() && value.is_finite() && value != 0.0;
    if !has_digits {
        return plain;
    }
    // The first digit of a thousandth of the size.
    let wanted = 3 - size.log10().floor() as i32;
    let before = value.abs().log10().floor() as i32;
    let decimals = wanted.min(16 - before).max(0);
    if decimals < DIGITS - before || before >= 17 || !(-5..9).contains(&before) && decimals == 0 {
        return plain;
    }
    trimmed(&format!("{value:.prec$}", prec = decimals as usize)).to_owned()
}

/// Between the two names of a pair.
const ARROWS: [&str; 2] = [" → ", " ↔ "];

/// Letters that two names begin with and that are left out, if there are so many.
const PREFIX: usize = 4;

/// The text, shortened in its middle until it fits: names that begin alike differ at their ends. Each name of a pair is shortened by itself,
/// without the letters that both begin with.
pub fn middle_ellipsis(text: &str, fits: impl Fn(&str) -> bool) -> Cow<'_, str> {
    if fits(text) {
        return Cow::Borrowed(text);
    }
    let mut pairs = ARROWS.into_iter();
    let pair = pairs.find_map(|arrow| text.split_once(arrow).map(|pair| (pair, arrow)));
    let ((first, second), arrow) = pair.unwrap_or(((text, ""), ""));
    let letters = [first, second].map(|name| name.chars().collect::<Vec<char>>());
    let both = letters[0].iter().zip(&letters[1]);
    let alike = both.take_while(|(one, other)| one == other).count();
    let shorter = letters[0].len().min(letters[1].len());
    let alike = if (PREFIX..shorter).contains(&alike) {
        alike
    } else {
        0
    };
    let shortened = |kept: usize| match second {
        "" => within(&letters[0], 0, kept),
        _ => [
            within(&letters[0], alike, kept),
            within(&letters[1], alike, kept),
        ]
        .join(arrow),
    };
    // The most letters that fit, by bisection.
    let (mut fitting, mut too_many) = (0, letters[0].len().max(letters[1].len()));
    while too_many - fitting > 1 {
        let kept = fitting.midpoint(too_many);
        if fits(&shortened(kept)) {
            fitting = kept;
        } else {
            too_many = kept;
        }
    }
    Cow::Owned(shortened(fitting))
}

/// At most so many letters of a name, without the first ones.
fn within(letters: &[char], without: usize, kept: usize) -> String {
    if letters.len() <= kept {
        return letters.iter().collect();
    }
    let rest = &letters[without..];
    let (head, tail) = match rest.len() <= kept {
        true => (0, rest.len()),
        false => (kept.div_ceil(2), kept / 2),
    };
    let tail = &rest[rest.len() - tail..];
    (rest[..head].iter().chain(['…'].iter()))
        .chain(tail)
        .collect()
}

/// The natural order of two names: `ball 2` before `ball 10`.
pub fn by_name(one: &str, other: &str) -> Ordering {
    alphanumeric_sort::compare_str(one, other)
}

/// A finding with its numbers, for the clipboard.
pub fn finding(finding: &Finding) -> String {
    let mut text = format!(
        "{} ({} {}): {} -> {}, frame {}, fraction {:.4}, {} s\n{}\n",
        finding.kind.name(),
        finding.cause.id(),
        finding.cause.title(),
        finding.a,
        finding.b,
        finding.frame,
        finding.fraction,
        number(finding.time),
        finding.text,
    );
    for (key, value) in &finding.evidence {
        let value = key.text(*value);
        let _ = writeln!(text, "  {}: {value}", words(key.name()));
    }
    for fix in &finding.fixes {
        let _ = writeln!(text, "  fix: {fix}");
    }
    text
}

/// The text of a position in frames: `frame 12 + 0.4219`.
pub fn moment_text(position: f64) -> String {
    let frame = position.floor();
    format!("frame {frame:.0} + {:.4}", position - frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_has_the_digits_that_its_size_needs() {
        for (value, size, text) in [
            (1_000_039.94, 0.2, "1000039.94"),
            (1e6 + 0.8125, 0.4, "1000000.8125"),
            (-1e6, 0.2, "-1000000"),
            (1.0 / 3.0, 1.0, "0.333"),
            (61.25, 1000.0, "61.2"),
            (2e12 + 0.25, 0.5, "2000000000000.25"),
            // There is no more in it.
            (1e17, 1e-3, "1e17"),
            (f64::NAN, 0.2, "not a number"),
            (0.0, 0.2, "0"),
            (5.0, 0.0, "5"),
            (5.0, f64::INFINITY, "5"),
        ] {
            assert_eq!(number_beside(value, size), text);
        }
        // Two ends of a ball have different texts wherever it is.
        for power in -6..15 {
            let (at, size) = (10_f64.powi(power), 0.2);
            let ends = [at - 0.1, at + 0.1].map(|end| number_beside(end, size));
            assert_ne!(ends[0], ends[1]);
        }
    }

    #[test]
    fn a_long_name_keeps_both_ends() {
        let at_most = |count: usize| move |text: &str| text.chars().count() <= count;
        let name = "wall_SM_Concrete_01";
        assert_eq!(middle_ellipsis(name, at_most(19)), name);
        assert_eq!(middle_ellipsis(name, at_most(9)), "wall…e_01");
        assert_eq!(middle_ellipsis(name, at_most(8)), "wall…_01");
        assert_eq!(middle_ellipsis("äöü", at_most(2)), "ä…");
        assert_eq!(middle_ellipsis(name, at_most(0)), "…");
        assert_eq!(middle_ellipsis("", at_most(0)), "");
    }

    /// Of two long names there was one ellipsis from the first into the second.
    #[test]
    fn both_names_of_a_pair_are_shortened() {
        let at_most = |count: usize| move |text: &str| text.chars().count() <= count;
        let pair = "SM_Environment_ball → SM_Environment_WALL";
        assert_eq!(middle_ellipsis(pair, at_most(41)), pair);
        assert_eq!(middle_ellipsis(pair, at_most(30)), "…ball → …WALL");
        assert_eq!(middle_ellipsis(pair, at_most(11)), "ba…l → WA…L");
        let pair = "bullet 1 → thin wall behind";
        assert_eq!(middle_ellipsis(pair, at_most(20)), "bullet 1 → thin…hind");
        assert_eq!(middle_ellipsis(pair, at_most(0)), "… → …");
    }

    #[test]
    fn a_moment_is_a_frame_and_a_fraction() {
        assert_eq!(moment_text(3.25), "frame 3 + 0.2500");
    }
}
