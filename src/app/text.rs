//! The texts of numbers and findings in the window.

use crate::core::diagnose::Finding;
use crate::core::escape;
pub use crate::core::number::{
    count, count_of, degrees, grouped, metres, number, significant, vector, with_unit, words,
};
use crate::core::replay::Replay;
use crate::core::scene::UserUnits;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write as _;

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

/// A name for the picture: at most 32 letters.
pub fn short_name(name: &str) -> Cow<'_, str> {
    middle_ellipsis(name, |part| part.chars().count() <= 32)
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

/// A text of the core without its back-ticks.
pub fn prose(text: &str) -> String {
    escape::parts(text).map(|(part, _)| part).collect()
}

/// The natural order of two names: `ball 2` before `ball 10`.
pub fn by_name(one: &str, other: &str) -> Ordering {
    alphanumeric_sort::compare_str(one, other)
}

/// A finding with its numbers, for the clipboard.
pub fn finding(finding: &Finding, units: UserUnits) -> String {
    let mut text = format!(
        "{} ({} {}): {} -> {}, frame {}, fraction {:.4}, {:.4} s\n{}\n",
        finding.kind.name(),
        finding.cause.id(),
        finding.cause.title(),
        finding.a,
        finding.b,
        finding.number(),
        finding.fraction,
        finding.time,
        finding.text,
    );
    for (key, value) in &finding.evidence {
        let value = key.text(*value, units);
        let _ = writeln!(text, "  {}: {value}", words(key.name()));
    }
    for fix in &finding.fixes {
        let _ = writeln!(text, "  fix: {}", fix.text(units));
    }
    text
}

/// A position in frames at a mark of an axis, by the log's own number.
pub fn frame_mark(replay: &Replay, position: f64) -> String {
    match position >= 0.0 && position.fract() == 0.0 {
        true => replay.number(position as u32).to_string(),
        false => {
            let number = replay.number(position.max(0.0) as u32) as f64;
            significant(number + position.fract(), 6)
        }
    }
}

/// The text of a position in frames, by the log's own number: `frame 12 + 0.4219`.
pub fn moment_text(replay: &Replay, position: f64) -> String {
    let frame = position.floor();
    let number = replay.number(frame as u32);
    format!("frame {number} + {:.4}", position - frame)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
