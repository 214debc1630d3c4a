//! Numbers as the window writes them.

pub use crate::core::number::number;
use glam::DVec3;

/// A number with its unit; a count has none.
pub fn with_unit(value: f64, unit: &str) -> String {
    if unit.is_empty() {
        number(value)
    } else {
        format!("{} {unit}", number(value))
    }
}

/// A vector: `(1, 0, -0.5)`.
pub fn vector(v: DVec3) -> String {
    format!("({}, {}, {})", number(v.x), number(v.y), number(v.z))
}

/// `max_speed` as a person reads it: `max speed`.
pub fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// A number of the evidence with the unit that its name tells: shares in per cent, the rest in SI.
pub fn evidence(name: &str, value: f64) -> String {
    let is = |part: &str| name.contains(part);
    if is("share") {
        with_unit(value * 100.0, "%")
    } else if is("speed") {
        with_unit(value, "m/s")
    } else if name == "dt" || name.ends_with("_dt") {
        with_unit(value, "s")
    } else if [
        "depth",
        "displacement",
        "distance",
        "limit_",
        "radius",
        "reach",
    ]
    .into_iter()
    .chain(["thickness", "travel", "push"])
    .any(is)
        && !is("cosine")
    {
        with_unit(value, "m")
    } else {
        number(value)
    }
}

/// `1 object`, `2 objects`.
pub fn count(number: usize, one: &str) -> String {
    if number == 1 {
        format!("1 {one}")
    } else {
        format!("{} {one}s", grouped(number as u64))
    }
}

/// Thousands apart: `12 345`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_has_its_unit() {
        for (name, value, text) in [
            ("missed_share", 0.9835, "98.35 %"),
            ("limit_seen", 0.11, "0.11 m"),
            ("closing_speed", 400.0, "400 m/s"),
            ("median_dt", 0.5, "0.5 s"),
            ("push_cosine", -1.0, "-1"),
            ("flipped_neighbours", 2.0, "2"),
        ] {
            assert_eq!(evidence(name, value), text);
        }
    }

    #[test]
    fn counts_are_grouped_and_agree() {
        assert_eq!(count(1, "object"), "1 object");
        assert_eq!(count(0, "object"), "0 objects");
        assert_eq!(count(12345, "pair"), "12\u{a0}345 pairs");
        assert_eq!(vector(DVec3::new(1.0, 0.0, -0.5)), "(1, 0, -0.5)");
    }
}
