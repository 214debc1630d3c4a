//! The unit of a level's lengths, by its gravity and the size of its bodies.
use crate::core::number::{metres, number};
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
const EARTH_GRAVITY: f64 = 9.81;

/// Units that gravity is mistaken in: name, metres.
const UNITS: [(&str, f64); 3] = [("centimetres", 0.01), ("inches", 0.0254), ("feet", 0.3048)];

/// The notice of a level whose gravity or bodies look like those of another unit.
pub fn notice(replay: &Replay, gravity: f64) -> Option<String> {
    let is =
        |metres: f64| (gravity * metres - EARTH_GRAVITY).abs() <= GRAVITY_SHARE * EARTH_GRAVITY;
    if let Some((unit, length)) = UNITS.into_iter().find(|(_, length)| is(*length)) {
        return Some(format!(
            "gravity is {} m/s², which is the Earth's in {unit}: if the level is in {unit}, set `length: {length}`, so that its numbers are in metres",
            number(gravity),
        ));
    }
    let mut sizes: Vec<f64> = replay
        .objects()
        .iter()
        .filter(|object| object.is_pushable())
        .map(|object| 2.0 * object.shape.inner_radius())
        .filter(|size| *size > 0.0 && size.is_finite())
        .collect();
    sizes.sort_by(f64::total_cmp);
    let size = *sizes.get(sizes.len() / 2)?;
    let odd = !(SMALL_BODIES..=LARGE_BODIES).contains(&size);
    (is(1.0) && odd).then(|| {
        format!(
            "gravity is {} m/s², the Earth's in metres, but the bodies of this level are {} across: if one of the two is in another unit, set the `length` of the unit, or scale gravity with the bodies",
            number(gravity),
            metres(size),
        )
    })
}
