//! Expectations as text, as a scene writes them.

use crate::core::number::{number, significant};
use crate::core::scene::{Expectation, Expected, UserUnits};
use glam::DVec3;

/// Every digit of a number; as a power of ten where that is shorter to read.
pub(in crate::core::diagnose) fn plain(value: f64) -> String {
    let readable = value == 0.0 || !value.is_finite() || (1e-4..1e15).contains(&value.abs());
    if readable {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// A point, displacement or push with every digit, in the user's numbers.
pub(in crate::core::diagnose) fn vector(ours: DVec3, units: UserUnits) -> String {
    let parts = (units.vector(ours) + DVec3::ZERO).to_array().map(plain);
    format!("({})", parts[..units.dimensions()].join(", "))
}

/// As the scene writes it.
pub fn text(expected: &Expected, units: UserUnits) -> String {
    let text = expectation_text(&expected.expectation, units);
    match &expected.expected_to_fail {
        None => text,
        Some(why) => {
            let open = text.strip_suffix(')').unwrap_or(&text);
            let comma = if open.ends_with('(') { "" } else { ", " };
            format!("{open}{comma}expected_to_fail: {why:?})")
        }
    }
}

fn expectation_text(expectation: &Expectation, units: UserUnits) -> String {
    let length = |metres: f64| plain(units.value(metres, "m"));
    let named = |name: &str, value: &Option<String>, quoted: bool| match value {
        Some(value) if quoted => format!(", {name}: {value:?}"),
        Some(value) => format!(", {name}: {value}"),
        None => String::new(),
    };
    match expectation {
        Expectation::Hit {
            a,
            b,
            frame,
            fraction,
            tolerance,
        } => format!(
            "Hit(a: {a:?}, b: {b:?}, frame: {frame}, fraction: {}, tolerance: {})",
            plain(*fraction),
            plain(*tolerance)
        ),
        Expectation::Finds {
            kind,
            cause,
            a,
            b,
            frame,
        } => {
            let frame = frame.map(|frame| frame.to_string());
            let parts = [
                named("cause", cause, false),
                named("a", a, true),
                named("b", b, true),
                named("frame", &frame, false),
            ];
            format!("Finds(kind: {kind}{})", parts.concat())
        }
        Expectation::NoFindings { kind: None } => "NoFindings()".to_owned(),
        Expectation::NoFindings { kind: Some(kind) } => format!("NoFindings(kind: {kind})"),
        Expectation::Margin { below } => format!("Margin(below: {})", plain(*below)),
        Expectation::Position {
            object,
            frame,
            is,
            tolerance,
        } => format!(
            "Position(object: {object:?}, frame: {frame}, is: {}, tolerance: {})",
            vector(*is, units),
            length(*tolerance)
        ),
        Expectation::Push {
            object,
            against,
            frame,
            is,
            tolerance,
        } => format!(
            "Push(object: {object:?}{}, frame: {frame}, is: {}, tolerance: {})",
            named("against", against, true),
            vector(*is, units),
            length(*tolerance)
        ),
        Expectation::CameraPush {
            frame,
            is,
            tolerance,
        } => {
            format!(
                "CameraPush(frame: {frame}, is: {}, tolerance: {})",
                vector(*is, units),
                length(*tolerance)
            )
        }
        Expectation::Touches { a, b } => format!("Touches(a: {a:?}, b: {b:?})"),
        Expectation::NeverTouches { a, b } => format!("NeverTouches(a: {a:?}, b: {b:?})"),
    }
}

/// The deviation as text; empty within the tolerance.
pub(in crate::core::diagnose) fn apart(
    off: f64,
    tolerance: f64,
    unit: impl Fn(f64) -> String,
) -> String {
    if off <= tolerance {
        return String::new();
    }
    format!(", {} away where {} is allowed", unit(off), unit(tolerance))
}

/// The expectation in words.
pub(in crate::core::diagnose) fn wanted(expectation: &Expectation, units: UserUnits) -> String {
    match expectation {
        Expectation::Hit {
            a,
            b,
            frame,
            fraction,
            tolerance,
        } => format!(
            "{a} hits {b} in frame {frame} at fraction {} ± {}",
            significant(*fraction, 6),
            number(*tolerance)
        ),
        Expectation::Finds { .. } => wanted_finding(expectation),
        Expectation::NoFindings { kind: None } => "no finding".to_owned(),
        Expectation::NoFindings { kind: Some(kind) } => format!("no finding of kind {kind}"),
        Expectation::Margin { below } => {
            format!(
                "every step is below {} % of its limit",
                significant(100.0 * below, 6)
            )
        }
        Expectation::Position {
            object,
            frame,
            is,
            tolerance,
        } => format!(
            "{object} is at {} ± {} when frame {frame} begins",
            vector(*is, units),
            units.length(*tolerance)
        ),
        Expectation::Push {
            object,
            against,
            frame,
            is,
            tolerance,
        } => {
            let from = against
                .as_ref()
                .map_or(String::new(), |by| format!(" out of {by}"));
            format!(
                "{object} is pushed{from} by {} ± {} in frame {frame}",
                vector(*is, units),
                units.length(*tolerance)
            )
        }
        Expectation::CameraPush {
            frame,
            is,
            tolerance,
        } => format!(
            "the camera is pushed by {} ± {} in frame {frame}",
            vector(*is, units),
            units.length(*tolerance)
        ),
        Expectation::Touches { a, b } => format!("{a} touches {b} at some time"),
        Expectation::NeverTouches { a, b } => format!("{a} never touches {b}"),
    }
}

fn wanted_finding(expectation: &Expectation) -> String {
    let Expectation::Finds {
        kind,
        cause,
        a,
        b,
        frame,
    } = expectation
    else {
        return String::new();
    };
    let mut text = format!("a finding of kind {kind}");
    for (before, part) in [(" with cause ", cause), (" of ", a), (" and ", b)] {
        if let Some(part) = part {
            text += before;
            text += part;
        }
    }
    if let Some(frame) = frame {
        text += &format!(" in frame {frame}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_short_and_exact() {
        for (value, text) in [
            (1e-9, "1e-9"),
            (0.0, "0"),
            (-0.25, "-0.25"),
            (0.7417, "0.7417"),
            (-1.5e-7, "-1.5e-7"),
            (1e-4, "0.0001"),
            (2e20, "2e20"),
        ] {
            assert_eq!(plain(value), text);
            assert_eq!(text.parse::<f64>(), Ok(value));
        }
    }
}
