//! Plots and the history of a pair as CSV tables.

use crate::core::problem::Problem;
use crate::core::replay::Replay;
use crate::core::replay::history::{History, PairFrame, Quantity};
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

/// A line of a plot: the name of its subject, the quantity and the history.
pub type Column = (String, Quantity, Arc<History>);

/// A CSV table with one row for each point: subject, quantity, unit, frame, fraction, time in seconds, value. Numbers have all
/// their digits.
///
/// # Errors
/// If the table cannot be written.
pub fn csv_of(replay: &Replay, columns: &[Column], file: &Path) -> Result<Vec<u8>, Problem> {
    let failed = |error: &dyn Display| failed(error, file);
    let mut table = csv::Writer::from_writer(Vec::new());
    table
        .write_record([
            "subject", "quantity", "unit", "frame", "fraction", "time", "value",
        ])
        .map_err(|error| failed(&error))?;
    for (name, quantity, history) in columns {
        let runs = history.series(*quantity).map_or(&[][..], |one| &one.runs);
        for run in runs {
            for (index, [_, value]) in run.iter().enumerate() {
                let (frame, fraction) = frame_and_fraction(run, index);
                let time = replay.time(frame) + fraction * replay.dt(frame);
                table
                    .write_record([
                        name,
                        replay.quantity_name(*quantity),
                        quantity.unit(),
                        &frame.to_string(),
                        &fraction.to_string(),
                        &time.to_string(),
                        &value.to_string(),
                    ])
                    .map_err(|error| failed(&error))?;
            }
        }
    }
    table.into_inner().map_err(|error| failed(&error))
}

/// A CSV table with one row for each frame of a pair. Numbers have all their digits; what is not known is empty.
///
/// # Errors
/// If the table cannot be written.
pub fn pair_csv(replay: &Replay, frames: &[PairFrame], file: &Path) -> Result<Vec<u8>, Problem> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let header = [
        "frame",
        "time_s",
        "gap_m",
        "depth_m",
        "relative_speed_m_per_s",
        "exact_contact",
        "logged_contact",
        "push_m",
    ];
    let known = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let rows = frames.iter().map(|row| {
        [
            row.frame.to_string(),
            replay.time(row.frame).to_string(),
            known(row.gap),
            row.depth.to_string(),
            known(row.speed),
            row.touches.to_string(),
            row.logged.to_string(),
            row.push.to_string(),
        ]
    });
    for row in std::iter::once(header.map(str::to_owned)).chain(rows) {
        table
            .write_record(row)
            .map_err(|error| failed(&error, file))?;
    }
    table.into_inner().map_err(|error| failed(&error, file))
}

fn failed(error: &dyn Display, file: &Path) -> Problem {
    let what = format!("the table could not be written: {error}");
    Problem::new(file.display().to_string(), what, "")
}

/// The frame and fraction of a point. The last point of a frame has the fraction 1, not the fraction 0 of the next frame.
fn frame_and_fraction(run: &[[f64; 2]], index: usize) -> (u32, f64) {
    let at = run[index][0];
    let frame = at.floor();
    let continues = run.get(index + 1).is_some_and(|next| next[0] > at);
    let ends_frame = index > 0 && run[index - 1][0] >= at - 1.0 && run[index - 1][0] < at;
    if at == frame && ends_frame && !continues {
        ((frame - 1.0) as u32, 1.0)
    } else {
        (frame as u32, at - frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_levels::{level, sphere, wall};
    use crate::core::replay::Subject;
    use glam::DVec3;

    #[test]
    fn a_table_has_every_point_with_its_time() {
        // 10 m a second in frames of half a second.
        let objects = [
            sphere("ball, \"red\"", 0.5, DVec3::X * -20.0, DVec3::X * 10.0),
            wall("wall", DVec3::ONE, DVec3::ZERO),
        ];
        let replay = level(0.5, objects);
        let mut history = History::new(Subject::Object(0));
        for number in 0..2 {
            history.add(&replay, &replay.frame(number));
        }
        let history = Arc::new(history);
        let name = "ball, \"red\"".to_owned();
        let columns = [
            (name.clone(), Quantity::Speed, history.clone()),
            (name, Quantity::PositionX, history),
        ];
        let bytes = csv_of(&replay, &columns, Path::new("x.csv")).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let ball = "\"ball, \"\"red\"\"\"";
        let wanted = [
            "subject,quantity,unit,frame,fraction,time,value".to_owned(),
            format!("{ball},speed,m/s,0,0,0,10"),
            format!("{ball},speed,m/s,0,1,0.5,10"),
            format!("{ball},speed,m/s,1,0,0.5,10"),
            format!("{ball},speed,m/s,1,1,1,10"),
            format!("{ball},x,m,0,0,0,-20"),
            format!("{ball},x,m,1,0,0.5,-15"),
            format!("{ball},x,m,1,1,1,-10"),
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), wanted);
    }
}
