//! Numbers as people type them: `400/60`, `2*pi`, `1,5`.

/// What an expression comes to; `None` for what is no number.
pub fn value(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = text.parse::<f64>().ok().or_else(|| {
        // A comma for a point, as many keyboards have it.
        let one_comma = text.matches(',').count() == 1 && !text.contains('.');
        one_comma
            .then(|| text.replace(',', ".").parse().ok())
            .flatten()
    });
    let found = match plain {
        Some(number) => Some(number),
        // A person types a line, not a program.
        None if text.is_empty() || text.len() > 200 || text.matches('(').count() > 30 => None,
        None => exmex::eval_str::<f64>(&text.replace("pi", "PI")).ok(),
    };
    found.filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn what_people_type_is_a_number() {
        for (text, wanted) in [
            ("12", 12.0),
            (" -0.5 ", -0.5),
            ("400/60", 400.0 / 60.0),
            ("1/60", 1.0 / 60.0),
            ("2*(3+4)", 14.0),
            ("-(1+1)", -2.0),
            ("1,5", 1.5),
            ("1e-3", 1e-3),
            ("2*pi", std::f64::consts::TAU),
            ("sqrt(2)", std::f64::consts::SQRT_2),
        ] {
            assert_eq!(value(text), Some(wanted), "{text}");
        }
        for text in ["", "x", "1/0", "abc", "1+", "NaN", "inf", "(((", "1,2,3"] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
