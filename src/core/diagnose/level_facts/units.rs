//! The unit of a level's lengths, by its gravity and the size of its bodies.

use crate::core::diagnose::shape_metrics::inner_radius;
use crate::core::replay::Replay;

/// Metres: a level whose middle body is smaller, under the Earth's gravity in metres, is in another unit.
const SMALL_BODIES: f64 = 0.001;

/// Metres: a level whose middle body is larger, under the Earth's gravity in metres, is in another unit.
///
/// Engines are tuned for bodies of 0.1 to 10 m; ships are larger, but not the middle one of most levels.
const LARGE_BODIES: f64 = 20.0;

/// Relative difference below which a gravity is the Earth's (no unit): 9.8, 9.81 and 10 are all written.
const GRAVITY_SHARE: f64 = 0.03;

/// Metres per second squared, at sea level.
pub(in crate::core::diagnose) const EARTH_GRAVITY: f64 = 9.81;

/// What is wrong with a level's units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::core::diagnose) enum UnitMismatch {
    /// Gravity is the Earth's in another unit.
    Gravity {
        /// As read, metres per second squared.
        gravity: f64,
        /// The unit it would be right in.
        unit: &'static str,
        /// Its metres.
        length: f64,
    },
    /// The bodies are of another order than gravity.
    Size {
        gravity: f64,
        /// Median of the bodies' diameters, metres.
        size: f64,
    },
}

/// Units that gravity is mistaken in: name, metres.
const UNITS: [(&str, f64); 3] = [("centimetres", 0.01), ("inches", 0.0254), ("feet", 0.3048)];

/// The mismatch of a level, if any.
pub(in crate::core::diagnose) fn mismatch(replay: &Replay, gravity: f64) -> Option<UnitMismatch> {
    let is =
        |metres: f64| (gravity * metres - EARTH_GRAVITY).abs() <= GRAVITY_SHARE * EARTH_GRAVITY;
    if let Some((unit, length)) = UNITS.into_iter().find(|(_, length)| is(*length)) {
        return Some(UnitMismatch::Gravity {
            gravity,
            unit,
            length,
        });
    }
    let mut sizes: Vec<f64> = replay
        .objects()
        .iter()
        .filter(|object| object.is_pushable())
        .map(|object| 2.0 * inner_radius(&object.shape))
        .filter(|size| *size > 0.0 && size.is_finite())
        .collect();
    sizes.sort_by(f64::total_cmp);
    let size = *sizes.get(sizes.len() / 2)?;
    let odd = !(SMALL_BODIES..=LARGE_BODIES).contains(&size);
    (is(1.0) && odd).then_some(UnitMismatch::Size { gravity, size })
}
