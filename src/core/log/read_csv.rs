//! The way in for CSV: a row a body, columns by name in any order; rows may come in any order too.

use super::builder::Builder;
use super::columns::{Column, Columns};
use super::json::{Number, special_number};
use super::line::foreign_encoding;
use super::read_json::stem;
use super::space::Space;
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::{Body, Recording};
use crate::core::scene::{Object, Scene};
use crate::core::shape::{Pose, Shape};
use crate::core::tolerance::{DEFAULT_DT, DEFAULT_RADIUS};
use csv::StringRecord;
use glam::DVec3;
use std::collections::BTreeSet;
use std::io::BufRead;

/// Rows between two looks at the progress.
const ROWS_PER_REPORT: u64 = 1024;
/// Names in a list before it says how many more there are.
const NAMES_LISTED: usize = 5;

/// See [`super::read`].
pub(super) fn read(
    mut input: impl BufRead,
    bytes: u64,
    file: &str,
    scene: Option<&Scene>,
    progress: &dyn Progress,
) -> Result<Recording, Problems> {
    let broken = |error: &dyn std::fmt::Display| {
        Problem::new(file, format!("the log cannot be read: {error}"), "")
    };
    let delimiter = {
        let start = input.fill_buf().map_err(|error| broken(&error))?;
        if let Some(encoding) = foreign_encoding(start) {
            let what = format!("this is {encoding}, not UTF-8 text");
            return Err(Problem::new(file, what, "save the log as plain UTF-8 text").into());
        }
        delimiter(start)
    };
    let mut rows = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .delimiter(delimiter)
        .from_reader(input);
    let header = rows.headers().map_err(|error| match error.kind() {
        csv::ErrorKind::Utf8 { .. } => {
            let mend = "begin with a row of column names: frame,time,name,px,py,pz; save the log as plain UTF-8 text";
            Problem::new(file, "the first line is not UTF-8 text", mend).at(1, 1)
        }
        _ => broken(&error),
    })?;
    if header.is_empty() {
        let mend = "begin with a row of column names: frame,time,name,px,py,pz";
        return Err(Problem::new(file, "the log is empty", mend).into());
    }
    let (columns, ignored) =
        Columns::of(header).map_err(|(what, mend)| Problem::new(file, what, mend).at(1, 1))?;
    let mut reader = Reader::new(file, columns, scene);
    if !ignored.is_empty() {
        let what = format!(
            "columns that are not known are ignored: {}",
            ignored.join(", ")
        );
        let mend = format!("known are {}", Column::names());
        reader.builder.notice_at(1, 1, what, &mend);
    }
    let mut record = StringRecord::new();
    let mut count = 0_u64;
    loop {
        count += 1;
        if count.is_multiple_of(ROWS_PER_REPORT) {
            progress.report(rows.position().byte(), bytes);
            if progress.cancelled() {
                return Err(Problem::new(file, "reading was cancelled", "").into());
            }
        }
        let line = rows.position().line() as usize;
        match rows.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {
                let line = record.position().map_or(line, |at| at.line() as usize);
                reader.row(&record, line);
            }
            Err(error) if error.is_io_error() => return Err(broken(&error).at(line, 1).into()),
            Err(_) => reader.leave_out(line, "the row is not UTF-8 text"),
        }
    }
    progress.report(bytes, bytes);
    reader.finish()
}

/// The separator that the first line has most of: comma, semicolon or tab.
fn delimiter(start: &[u8]) -> u8 {
    let header = start.split(|&byte| byte == b'\n').next().unwrap_or(start);
    let count = |wanted: u8| header.iter().filter(|&&byte| byte == wanted).count();
    [b'\t', b';', b',']
        .into_iter()
        .max_by_key(|&separator| count(separator))
        .unwrap_or(b',')
}

/// One body at one moment, before moments are put in order.
struct Row {
    /// Sorts as the frame number, or as the time.
    moment: u64,
    time: Option<f64>,
    line: usize,
    body: Body,
}

struct Reader<'s> {
    builder: Builder,
    columns: Columns,
    scene: Option<&'s Scene>,
    space: Space,
    rows: Vec<Row>,
    /// Moments of rows that were left out.
    lost: Vec<u64>,
    /// Objects without a shape of their own.
    shapeless: Vec<String>,
    /// Objects whose radius was seen to change.
    resized: BTreeSet<u32>,
}

impl<'s> Reader<'s> {
    fn new(file: &str, columns: Columns, scene: Option<&'s Scene>) -> Self {
        let mut builder = Builder::new(file, scene.map(|scene| scene.dt));
        builder.recording.name = stem(file);
        builder.recording.gravity = scene.map_or(DVec3::ZERO, |scene| scene.gravity);
        Self {
            builder,
            columns,
            scene,
            space: Space {
                units: scene.map(|scene| scene.units).unwrap_or_default(),
                ..Space::default()
            },
            rows: Vec::new(),
            lost: Vec::new(),
            shapeless: Vec::new(),
            resized: BTreeSet::new(),
        }
    }

    fn leave_out(&mut self, line: usize, what: &str) {
        self.builder
            .notice_at(line, 1, format!("{what}; the row is left out"), "");
    }

    fn row(&mut self, record: &StringRecord, line: usize) {
        if record.iter().all(str::is_empty) {
            return;
        }
        match self.read_row(record, line) {
            Ok(row) => self.rows.push(row),
            Err(what) => {
                let time = self.columns.number(record, Column::Time);
                let time = time.ok().flatten().map(|Number(time)| time);
                self.lost.extend(self.moment(record, time).ok());
                self.leave_out(line, &what);
            }
        }
    }

    fn read_row(&mut self, record: &StringRecord, line: usize) -> Result<Row, String> {
        let columns = &self.columns;
        let name = columns.text(record, Column::Name).ok_or("it has no name")?;
        let time = columns.number(record, Column::Time)?;
        let time = time.map(|Number(time)| time);
        let moment = self.moment(record, time)?;
        let position = columns.group(record, [Column::Px, Column::Py, Column::Pz])?;
        let position = position.ok_or("it has no position")?;
        let rotation = columns.group(record, [Column::Qx, Column::Qy, Column::Qz, Column::Qw])?;
        let velocity = columns.group(record, [Column::Vx, Column::Vy, Column::Vz])?;
        let spin = columns.group(record, [Column::Wx, Column::Wy, Column::Wz])?;
        let teleported = columns.flag(record, Column::Teleported)?;
        let asleep = columns.flag(record, Column::Asleep)?;
        let radius = columns.number(record, Column::Radius)?;
        let radius = radius.map(|radius| self.space.length(radius));
        if let Some(radius) = radius.filter(|radius| !(*radius > 0.0 && radius.is_finite())) {
            return Err(format!("its radius is {radius}, and must be above 0"));
        }
        let (rotation, odd) = rotation.map_or((Pose::IDENTITY.rotation, None), |rotation| {
            self.space.rotation(rotation)
        });
        let object = self.object(name, radius, line);
        if let Some(odd) = odd {
            self.builder.notice_at(line, 1, odd, "");
        }
        Ok(Row {
            moment,
            time: time.filter(|time| time.is_finite()),
            line,
            body: Body {
                object,
                pose: Pose {
                    position: self.space.vector(position),
                    rotation,
                },
                velocity: velocity.map(|velocity| self.space.vector(velocity)),
                spin: spin.map(|spin| self.space.direction(spin)),
                teleported,
                asleep,
            },
        })
    }

    /// What a row is sorted by.
    fn moment(&self, record: &StringRecord, time: Option<f64>) -> Result<u64, String> {
        if self.columns.has(Column::Frame) {
            let text = self.columns.text(record, Column::Frame);
            let text = text.ok_or("it has no frame")?;
            return frame_number(text)
                .ok_or_else(|| format!("its frame is `{text}`, not a whole number from 0 up"));
        }
        match time {
            Some(time) if time.is_finite() => Ok(sortable(time)),
            Some(time) => Err(format!("its time is {time}")),
            None => Err("it has no time".into()),
        }
    }

    fn object(&mut self, name: &str, radius: Option<f64>, line: usize) -> u32 {
        if let Some(index) = self.builder.object_named(name) {
            let object = &self.builder.recording.objects[index as usize];
            let changed = match (&object.shape, radius) {
                (Shape::Sphere { radius: first }, Some(radius)) => *first != radius,
                _ => false,
            };
            if changed && self.is_ours(name) && self.resized.insert(index) {
                let what = format!("the radius of \"{name}\" changes; its first one is kept");
                self.builder.notice_at(line, 1, what, "");
            }
            return index;
        }
        let known = self
            .scene
            .and_then(|scene| scene.objects.iter().find(|o| o.name == name));
        let object = known.cloned().unwrap_or_else(|| {
            if radius.is_none() {
                self.shapeless.push(name.to_string());
            }
            let radius = radius.unwrap_or(DEFAULT_RADIUS);
            Object::new(name, Shape::Sphere { radius }, DVec3::ZERO)
        });
        self.builder.add_object(object).0
    }

    /// True for an object whose shape comes from this file.
    fn is_ours(&self, name: &str) -> bool {
        let of_scene = |scene: &Scene| scene.objects.iter().any(|object| object.name == name);
        !self.scene.is_some_and(of_scene)
    }

    fn finish(mut self) -> Result<Recording, Problems> {
        let by_frame = self.columns.has(Column::Frame);
        let mut rows = std::mem::take(&mut self.rows);
        rows.sort_by_key(|row| (row.moment, row.body.object));
        let timed = rows.iter().any(|row| row.time.is_some());
        if !timed && self.scene.is_none() {
            let what = format!("there is no time, so a frame is taken to last {DEFAULT_DT} s");
            let mend = "add a column `time` in seconds, or a scene with a dt that names this log";
            self.builder.notice_at(1, 1, what, mend);
        }
        self.lost.sort_unstable();
        let mut before = u64::MAX;
        for (ordinal, rows) in rows.chunk_by(|a, b| a.moment == b.moment).enumerate() {
            let number = if by_frame {
                rows[0].moment
            } else {
                ordinal as u64
            };
            let moment = rows[0].moment;
            let lost = self.lost.partition_point(|lost| *lost <= before);
            let lost = self.lost.get(lost).is_some_and(|lost| *lost < moment);
            self.frame(number, rows, lost.then_some(true));
            before = moment;
        }
        self.announce_shapeless();
        self.builder
            .finish("after the column names, write one row for every body of every frame")
    }

    fn frame(&mut self, number: u64, rows: &[Row], gap: Option<bool>) {
        let mark = self.builder.mark();
        for (index, row) in rows.iter().enumerate() {
            if index > 0 && rows[index - 1].body.object == row.body.object {
                self.leave_out(row.line, "the body is in this frame already");
                continue;
            }
            self.builder.recording.bodies.push(row.body);
        }
        let time = rows.iter().find_map(|row| row.time);
        let before = self.builder.recording.frames.last();
        if let (Some(time), Some(before)) = (time, before.and_then(|frame| frame.time))
            && time <= before
        {
            let what = format!("time is {time} s after {before} s; dt is taken instead");
            self.builder
                .notice_at(rows[0].line, 1, what, "times must rise");
        }
        let added = self.builder.add_frame(mark, number, (time, None), gap);
        debug_assert!(added.is_ok(), "double bodies were left out above");
    }

    fn announce_shapeless(&mut self) {
        let Some(more) = self.shapeless.len().checked_sub(1) else {
            return;
        };
        let listed = &self.shapeless[..self.shapeless.len().min(NAMES_LISTED)];
        let mut names = listed.join(", ");
        if more >= NAMES_LISTED {
            names += &format!(" and {} more", self.shapeless.len() - NAMES_LISTED);
        }
        let what =
            format!("no shape is given for {names}: a ball of radius {DEFAULT_RADIUS} m is taken");
        let mend = "add a column `radius`, or a scene that names this log and its objects";
        self.builder.notice_at(1, 1, what, mend);
    }
}

/// Also `12.0`, as spreadsheets write whole numbers.
fn frame_number(text: &str) -> Option<u64> {
    let whole = |value: &f64| value.fract() == 0.0 && (0.0..9e15).contains(value);
    text.parse().ok().or_else(|| {
        text.parse()
            .ok()
            .filter(whole)
            .map(|value: f64| value as u64)
    })
}

/// Bits that sort as the finite number does; both zeros are one.
fn sortable(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    }
}

/// A cell as a number, also in the spellings of C and C++ for what is none.
pub(super) fn cell_number(text: &str) -> Option<Number> {
    let value = text.parse().ok().or_else(|| special_number(text))?;
    Some(Number(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_sort_as_numbers_do() {
        let ordered = [-1e300, -2.0, -1e-300, 0.0, 1e-300, 1.0, 1e300];
        for pair in ordered.windows(2) {
            assert!(sortable(pair[0]) < sortable(pair[1]), "{pair:?}");
        }
        assert_eq!(sortable(-0.0), sortable(0.0));
    }

    #[test]
    fn frame_numbers_as_spreadsheets_write_them() {
        assert_eq!(frame_number("12"), Some(12));
        assert_eq!(frame_number("12.0"), Some(12));
        for bad in ["12.5", "-1", "NaN", "", "x", "1e300"] {
            assert_eq!(frame_number(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_separator_is_seen() {
        assert_eq!(delimiter(b"frame,name\n1;2"), b',');
        assert_eq!(delimiter(b"frame;name;px\n1,5;2"), b';');
        assert_eq!(delimiter(b"frame\tname\n"), b'\t');
        assert_eq!(delimiter(b"frame\n"), b',');
    }
}
