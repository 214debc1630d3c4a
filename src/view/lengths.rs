//! Lengths in plots and drawings.

use crate::core::number::number;
use crate::core::scene::UserUnits;

/// A length in the unit that reads best; of a level in another unit than metres in that.
pub fn length(metres: f64, units: UserUnits) -> String {
    if units.metres() != 1.0 {
        return units.length(metres);
    }
    let (value, unit) = match metres.abs() {
        size if size == 0.0 || (1000.0..1e6).contains(&size) => (metres, "m"),
        size if size >= 1e6 => (metres / 1000.0, "km"),
        size if size >= 0.1 => (metres, "m"),
        size if size >= 1e-3 => (metres * 1e3, "mm"),
        size if size >= 1e-6 => (metres * 1e6, "µm"),
        _ => (metres, "m"),
    };
    format!("{} {unit}", number(value))
}

/// The largest of 1, 2 and 5 times a power of ten that is not above this.
pub fn round_below(value: f64) -> f64 {
    let power = 10_f64.powf(value.max(1e-300).log10().floor());
    [5.0, 2.0, 1.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|round| *round <= value)
        .unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_bars_are_round() {
        assert_eq!(length(0.05, UserUnits::default()), "50 mm");
        assert_eq!(length(2.0, UserUnits::default()), "2 m");
        assert_eq!(length(0.0, UserUnits::default()), "0 m");
        for (value, wanted) in [(7.3, 5.0), (0.019, 0.01), (2.0, 2.0), (4999.0, 2000.0)] {
            assert!((round_below(value) - wanted).abs() < 1e-9 * wanted);
        }
    }
}
