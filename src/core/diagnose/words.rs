//! Numbers as a person reads them.

/// Three significant digits, trailing zeros left out; scientific outside 1e-4 .. 1e6.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return if value.is_nan() {
            "not a number"
        } else {
            "unbounded"
        }
        .to_owned();
    }
    let magnitude = value.abs();
    if !(1e-4..1e6).contains(&magnitude) {
        return format!("{value:.2e}");
    }
    // Rounded first, so that 9.999 counts its digits as 10.0.
    let exponent = magnitude.log10().floor() as i32;
    let scale = 10f64.powi(exponent - 2);
    let rounded = (value / scale).round() * scale;
    let decimals = (2 - rounded.abs().log10().floor() as i32).max(0) as usize;
    let text = format!("{rounded:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A length.
pub(super) fn metres(value: f64) -> String {
    format!("{} m", number(value))
}

/// A speed.
pub(super) fn speed(value: f64) -> String {
    format!("{} m/s", number(value))
}

/// A time; milliseconds below a tenth of a second.
pub(super) fn seconds(value: f64) -> String {
    if value.abs() < 0.1 {
        format!("{} ms", number(value * 1e3))
    } else {
        format!("{} s", number(value))
    }
}

/// A share, as a percentage.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", number(share * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_significant_digits() {
        for (value, text) in [
            (6.666_666, "6.67"),
            (0.11, "0.11"),
            (0.055, "0.055"),
            (400.0, "400"),
            (61.0, "61"),
            (9.999, "10"),
            (-0.012_345, "-0.0123"),
            (12_345.0, "12300"),
            (999_999.0, "1000000"),
            (0.000_275, "0.000275"),
            (0.000_099_9, "9.99e-5"),
            (3.2e9, "3.20e9"),
            (0.0, "0"),
            (f64::INFINITY, "unbounded"),
            (f64::NAN, "not a number"),
        ] {
            assert_eq!(number(value), text, "{value:e}");
        }
    }

    #[test]
    fn units() {
        assert_eq!(seconds(0.000_275), "0.275 ms");
        assert_eq!(seconds(1.5), "1.5 s");
        assert_eq!(percent(0.9835), "98.4 %");
    }
}
