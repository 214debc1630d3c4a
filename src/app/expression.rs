//! Numbers as people type them: `400/60`, `2*pi`, `1,5`, `5 cm`.

/// Units that are read in a field with a unit of the same group: name, and what one of it is in the group's first.
const UNITS: &[&[(&str, f64)]] = &[
    &[
        ("m", 1.0),
        ("mm", 1e-3),
        ("cm", 1e-2),
        ("km", 1e3),
        ("in", 0.0254),
        ("ft", 0.3048),
    ],
    &[
        ("m/s", 1.0),
        ("km/h", 1.0 / 3.6),
        ("cm/s", 1e-2),
        ("mm/s", 1e-3),
        ("km/s", 1e3),
        ("in/s", 0.0254),
        ("ft/s", 0.3048),
    ],
    &[("s", 1.0), ("ms", 1e-3)],
    &[("kg", 1.0), ("g", 1e-3), ("t", 1e3)],
    &[
        ("°", 1.0),
        ("deg", 1.0),
        ("rad", 180.0 / std::f64::consts::PI),
    ],
    &[
        ("rad/s", 1.0),
        ("deg/s", std::f64::consts::PI / 180.0),
        ("rpm", std::f64::consts::PI / 30.0),
    ],
];

/// What an expression comes to in a field with a unit; the text may end with that unit, or one like it.
pub fn value_in(text: &str, unit: &str) -> Option<f64> {
    if let Some(number) = value(text) {
        return Some(number);
    }
    let text = text.trim();
    if let (Some(rate), "s") = (text.strip_suffix("Hz"), unit) {
        return value(rate)
            .map(f64::recip)
            .filter(|number| number.is_finite());
    }
    if let Some(number) = text.strip_suffix(unit).filter(|_| !unit.is_empty())
        && let Some(number) = value(number)
    {
        return Some(number);
    }
    let (like, own) = UNITS.iter().find_map(|group| {
        let (_, own) = group.iter().find(|(name, _)| *name == unit)?;
        Some((group, own))
    })?;
    let read = |(name, one): &(&str, f64)| Some(value(text.strip_suffix(name)?)? * one / own);
    like.iter().find_map(read)
}

/// What an expression comes to; `None` for what is not a number.
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
        None => nanoexpr::evaluate(text).ok(),
    };
    found.filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::{value, value_in};

    #[test]
    fn a_unit_may_stand_behind() {
        for (text, unit, wanted) in [
            ("5 cm", "m", 0.05),
            ("5m", "m", 5.0),
            ("2*250 mm", "m", 0.5),
            ("36 km/h", "m/s", 10.0),
            ("2 m", "cm", 200.0),
            ("400/60 m/s", "m/s", 400.0 / 60.0),
            ("64 Hz", "s", 1.0 / 64.0),
            ("90°", "°", 90.0),
            ("60 rpm", "rad/s", std::f64::consts::TAU),
            ("9.81 m/s²", "m/s²", 9.81),
        ] {
            let found = value_in(text, unit).unwrap_or(f64::NAN);
            assert!((found - wanted).abs() < 1e-12, "{text}: {found}");
        }
        for (text, unit) in [
            ("5 s", "m"),
            ("5 m", ""),
            ("0 Hz", "s"),
            ("m", "m"),
            ("5 cm", "kg"),
        ] {
            assert_eq!(value_in(text, unit), None, "{text}");
        }
    }

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
            ("2*1e-3", 2e-3),
            ("-2^2", -4.0),
            ("max(1/3, 1/4)", 1.0 / 3.0),
        ] {
            assert_eq!(value(text), Some(wanted), "{text}");
        }
        for text in [
            "", "x", "1/0", "abc", "1+", "NaN", "inf", "(((", "1,2,3", "*5",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
        assert_eq!(value(&"(".repeat(100_000)), None);
    }
}
