//! Formats numbers for reports, panels and plots.

use glam::DVec3;

/// Part of a unit direction below which it is rounding (no unit): far below the digits that are printed.
const ROUNDING: f64 = 1e-9;

/// Default number of significant digits.
pub const DIGITS: i32 = 3;

/// Three significant digits without zeros behind them, whole numbers in full: `6.67`, `0.05`, `12346`, `1.2e-7`; with a power
/// of ten below 1e-5 and from 1e9 on.
pub fn number(value: f64) -> String {
    significant(value, DIGITS)
}

/// The same with another number of significant digits, at least one.
pub fn significant(value: f64, digits: i32) -> String {
    if value.is_nan() {
        return "not a number".into();
    }
    if value.is_infinite() {
        return if value > 0.0 {
            "infinite"
        } else {
            "minus infinite"
        }
        .into();
    }
    if value == 0.0 {
        return "0".into();
    }
    // By the rounded value, so that 9.996 counts its digits as 10.
    let rounded = format!("{value:.*e}", (digits - 1) as usize);
    let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-5..9).contains(&exponent) {
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    let decimals = (digits - 1 - exponent).max(0) as usize;
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

/// A vector without components below 1e-12 of the longest, which are rounding.
pub fn without_noise(vector: DVec3) -> DVec3 {
    let longest = vector.abs().max_element();
    let nothing = if longest.is_finite() {
        1e-12 * longest
    } else {
        0.0
    };
    DVec3::from_array(
        vector
            .to_array()
            .map(|value| if value.abs() <= nothing { 0.0 } else { value }),
    )
}

/// A vector: `(1, 0, -0.5)`.
pub fn vector(v: DVec3) -> String {
    components(v, 3)
}

/// The first components of a vector.
pub fn components(v: DVec3, count: usize) -> String {
    let parts = without_noise(v).to_array().map(number);
    format!("({})", parts[..count].join(", "))
}

/// Without the zeros behind the point.
pub fn trimmed(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

/// A number with its unit; a count has none.
pub fn with_unit(value: f64, unit: &str) -> String {
    if unit.is_empty() {
        number(value)
    } else {
        format!("{} {unit}", number(value))
    }
}

/// A set of 32 bits in hexadecimal: `0x1f`.
pub fn bits(value: f64) -> String {
    format!("{:#x}", value as u32)
}

/// A length. One below a nanometre is the rounding of a result, so its digits mean nothing.
pub fn metres(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-9 {
        return "less than 1 nm".to_owned();
    }
    with_unit(value, "m")
}

/// An angle in degrees, from radians. One below a millionth of a degree is the rounding of a result: 0.
pub fn degrees(radians: f64) -> String {
    let degrees = radians.to_degrees();
    match degrees.abs() < 1e-6 {
        true => "0°".to_owned(),
        false => format!("{}°", number(degrees)),
    }
}

/// A time; milliseconds below a tenth of a second.
pub fn seconds(value: f64) -> String {
    match value.abs() < 0.1 {
        true => with_unit(value * 1e3, "ms"),
        false => with_unit(value, "s"),
    }
}

/// A ratio in per cent.
pub fn percent(share: f64) -> String {
    with_unit(share * 100.0, "%")
}

/// A count with its noun: `1 object`, `2 objects`.
pub fn count(number: usize, one: &str) -> String {
    count_of(number, one, &format!("{one}s"))
}

/// The first components of a unit vector: `-0.342, 0.94, 0`. What is rounding of its length is 0.
pub fn direction(unit: DVec3, count: usize) -> String {
    let part = |part: f64| match part.abs() <= ROUNDING {
        true => number(0.0),
        false => number(part),
    };
    unit.to_array().map(part)[..count].join(", ")
}

/// A count with its noun, given the plural: `1 copy`, `2 copies`.
pub fn count_of(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{} {many}", grouped(number)),
    }
}

/// A finite number above 0, as written.
pub fn positive(text: &str) -> Option<f64> {
    let value = text.parse().ok();
    value.filter(|value: &f64| *value > 0.0 && value.is_finite())
}

/// The first names of a list, and how many more there are: `a, b and 3 more`.
pub fn listed<S: AsRef<str>>(names: &[S], most: usize) -> String {
    let shown = &names[..names.len().min(most)];
    let shown: Vec<&str> = shown.iter().map(AsRef::as_ref).collect();
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A number with its thousands separated: `12 345`.
pub fn grouped(number: usize) -> String {
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

/// A name as text: `max speed`.
pub fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// The first coordinates of a point as "(x, y, z)"; millimetres even far from the origin.
pub(crate) fn point(vector: DVec3, count: usize) -> String {
    let coordinate = |value: f64| match value.abs() {
        100.0..1e9 => trimmed(&format!("{value:.3}")).to_owned(),
        _ => number(value),
    };
    let parts = without_noise(vector).to_array().map(coordinate);
    format!("({})", parts[..count].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_below_rounding_are_zero() {
        let (tiny, third) = (1.11e-16, 1.0 / 3.0);
        let told = without_noise(DVec3::new(tiny, -4.0 * tiny, third));
        assert_eq!(told, DVec3::new(0.0, 0.0, third));
        let small = DVec3::new(tiny, 0.0, 3.0 * tiny);
        assert_eq!(without_noise(small), small);
        let endless = DVec3::new(f64::INFINITY, 1.0, tiny);
        assert_eq!(without_noise(endless), endless);
    }

    #[test]
    fn numbers_keep_three_digits() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (6.66666, "6.67"),
            (0.05, "0.05"),
            (-0.0125, "-0.0125"),
            (61.0, "61"),
            (120.0, "120"),
            (1234.5678, "1235"),
            (12.345, "12.3"),
            (123_456.7, "123457"),
            (0.9996, "1"),
            (9.996, "10"),
            (1e-5, "0.00001"),
            (9.999_99e-6, "0.00001"),
            (1.2e-7, "1.2e-7"),
            (-3.0e12, "-3e12"),
            (999_999_999.4, "1e9"),
            (f64::NAN, "not a number"),
            (f64::NEG_INFINITY, "minus infinite"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn units() {
        assert_eq!(metres(3.61e-16), "less than 1 nm");
        assert_eq!(metres(-2e-15), "less than 1 nm");
        assert_eq!(metres(0.0), "0 m");
        assert_eq!(degrees(std::f64::consts::FRAC_PI_6), "30°");
        assert_eq!(vector(DVec3::new(1.0, 0.0, -0.5)), "(1, 0, -0.5)");
        assert_eq!(seconds(0.000_275), "0.275 ms");
        assert_eq!(seconds(1.5), "1.5 s");
        assert_eq!(percent(0.9835), "98.4 %");
    }

    #[test]
    fn counts_are_grouped_with_the_right_plural() {
        assert_eq!(count(1, "object"), "1 object");
        assert_eq!(count(0, "object"), "0 objects");
        assert_eq!(count(12345, "pair"), "12\u{a0}345 pairs");
    }
}
