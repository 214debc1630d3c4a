//! The unit of times whose heading names none.

use std::ops::Range;

/// Seconds from 1970: the years 2000 to 2100.
const SINCE_1970: Range<f64> = 9.4e8..4.1e9;
/// Units of times since 1970, seconds, and their short names.
const TICKS: [(&str, f64, &str); 3] = [
    ("milliseconds", 1e-3, "ms"),
    ("microseconds", 1e-6, "us"),
    ("nanoseconds", 1e-9, "ns"),
];

/// Turns the times of a table into seconds.
///
/// Seconds since 1970 have ten digits: times of 13, 16 or 19 digits in such a range count a smaller unit, as they would be years that no clock shows.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    /// Seconds of a unit; known from the first time on.
    tick: Option<f64>,
}

impl Clock {
    pub fn new(has_unit: bool) -> Self {
        Self {
            tick: has_unit.then_some(1.0),
        }
    }

    /// A time in seconds; what is assumed, and how to change it.
    pub fn seconds(&mut self, time: f64) -> (f64, Option<(String, String)>) {
        if let Some(tick) = self.tick {
            return (if tick == 1.0 { time } else { time * tick }, None);
        }
        if !time.is_finite() {
            return (time, None);
        }
        let found = TICKS
            .iter()
            .find(|(_, unit, _)| SINCE_1970.contains(&(time * unit)));
        let Some((name, unit, short)) = found else {
            self.tick = Some(1.0);
            return (time, None);
        };
        self.tick = Some(*unit);
        let what = format!("the times are taken for {name} since 1970");
        let help = format!("name their unit in the heading: `time ({short})`");
        (time * unit, Some((what, help)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same moment in seconds and in each smaller unit.
    #[test]
    fn times_since_1970_are_seconds_in_every_unit() {
        for (time, is_assumed) in [
            (1_403_636_580.0, false),
            (1_403_636_580_000.0, true),
            (1_403_636_580_000_000.0, true),
            (1_403_636_580_000_000_000.0, true),
        ] {
            let (seconds, notice) = Clock::new(false).seconds(time);
            assert!(
                (seconds - 1_403_636_580.0).abs() < 1e-6,
                "{time}: {seconds}"
            );
            assert_eq!(notice.is_some(), is_assumed, "{time}");
            assert_eq!(Clock::new(true).seconds(time), (time, None));
        }
        // The unit is that of the first time.
        let mut clock = Clock::new(false);
        clock.seconds(0.0);
        assert_eq!(clock.seconds(1_403_636_580_000.0).0, 1_403_636_580_000.0);
    }
}
