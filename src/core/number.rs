//! Numbers as reports, panels and plots write them.

/// Four significant digits without zeros behind them, whole numbers in full: `6.667`, `0.05`, `12346`, `1.2e-7`; with a power
/// of ten below 1e-5 and from 1e9 on.
pub fn number(value: f64) -> String {
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
    // By the rounded value, so that 9.99996 counts its digits as 10.
    let rounded = format!("{value:.3e}");
    let (digits, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-5..9).contains(&exponent) {
        return format!("{}e{exponent}", trimmed(digits));
    }
    let decimals = (3 - exponent).max(0) as usize;
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

/// Without the zeros behind the point.
fn trimmed(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_four_digits() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (6.66666, "6.667"),
            (0.05, "0.05"),
            (-0.0125, "-0.0125"),
            (61.0, "61"),
            (120.0, "120"),
            (1234.5678, "1235"),
            (123_456.7, "123457"),
            (0.99999, "1"),
            (9.99996, "10"),
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
}
