//! Plots as a table, and as a picture.

use super::viewport::export::png;
use crate::core::problem::Problem;
use crate::core::replay::Replay;
use crate::core::replay::history::{History, Quantity};
use egui::{ColorImage, Rect};
use std::path::Path;
use std::sync::Arc;

/// A line of a plot: whose, of what, and its history.
pub type Column = (String, Quantity, Arc<History>);

/// One row a point: whose, what, unit, frame, fraction, seconds, value; numbers in full.
///
/// # Errors
/// When the table cannot be written, with its file named.
pub fn csv_of(replay: &Replay, columns: &[Column], file: &Path) -> Result<Vec<u8>, Problem> {
    let failed = |error: &dyn std::fmt::Display| {
        let what = format!("the table could not be made: {error}");
        Problem::new(file.display().to_string(), what, "")
    };
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
                let (frame, fraction) = moment(run, index);
                let time = replay.time(frame) + fraction * replay.dt(frame);
                table
                    .write_record([
                        name,
                        quantity.name(),
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

/// The frame and fraction of a point: what closes a frame is its fraction 1, and not the next one's 0.
fn moment(run: &[[f64; 2]], index: usize) -> (u32, f64) {
    let at = run[index][0];
    let frame = at.floor();
    let goes_on = run.get(index + 1).is_some_and(|next| next[0] > at);
    let opened = index > 0 && run[index - 1][0] >= at - 1.0 && run[index - 1][0] < at;
    if at == frame && opened && !goes_on {
        ((frame - 1.0) as u32, 1.0)
    } else {
        (frame as u32, at - frame)
    }
}

/// A part of a picture of the window, in points of so many pixels each.
///
/// # Errors
/// When it cannot be encoded, or the part is empty.
pub fn png_of(
    picture: &ColorImage,
    part: Rect,
    pixels: f32,
    file: &Path,
) -> Result<Vec<u8>, Problem> {
    let failed = |what: String| Problem::new(file.display().to_string(), what, "");
    let [width, height] = picture.size;
    let pixel = |point: f32, most: usize| ((point * pixels).round().max(0.0) as usize).min(most);
    let (left, right) = (pixel(part.left(), width), pixel(part.right(), width));
    let (top, bottom) = (pixel(part.top(), height), pixel(part.bottom(), height));
    if left >= right || top >= bottom {
        return Err(failed("the plots have no place in the window".to_owned()));
    }
    let rows = picture.pixels.chunks(width).take(bottom).skip(top);
    let colors = rows.flat_map(|row| &row[left..right]).copied().collect();
    let cut = ColorImage::new([right - left, bottom - top], colors);
    png(&cut).map_err(|error| failed(format!("the picture could not be made: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_levels::{level, sphere, wall};
    use crate::core::replay::Subject;
    use egui::{Color32, pos2};
    use glam::DVec3;
    use std::io::Cursor;

    #[test]
    fn a_table_holds_every_point_with_its_moment() {
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

    #[test]
    fn a_picture_is_cut_out_to_the_pixel() {
        let size = [40, 30];
        let color = |x: usize, y: usize| Color32::from_rgb(x as u8, y as u8, 7);
        let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| color(x, y)));
        let picture = ColorImage::new(size, pixels.collect());
        let part = Rect::from_min_max(pos2(5.0, 2.0), pos2(15.0, 99.0));
        let bytes = png_of(&picture, part, 2.0, Path::new("x.png")).unwrap();
        let mut read = ::png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        let mut colors = vec![0; read.output_buffer_size().unwrap()];
        let info = read.next_frame(&mut colors).unwrap();
        assert_eq!((info.width, info.height), (20, 26), "cut off at the edge");
        let pixel = |x: usize, y: usize| &colors[(y * 20 + x) * 3..][..3];
        assert_eq!(pixel(0, 0), [10, 4, 7]);
        assert_eq!(pixel(19, 25), [29, 29, 7]);
        let none = Rect::from_min_max(pos2(90.0, 2.0), pos2(99.0, 9.0));
        assert!(png_of(&picture, none, 2.0, Path::new("x.png")).is_err());
    }
}
