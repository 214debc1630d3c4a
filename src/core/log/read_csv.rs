//! Reads CSV: one body per row, columns by name in any order, rows in any order.

mod frames;

use super::builder::Builder;
use super::clock::Clock;
use super::columns::{Columns, Table, mapping, nearest};
use super::csv_header::{CsvHeader, FIX_QUOTE, is_return};
use super::csv_row::{frame_number, sortable, split};
use super::headings::Column;
use super::line::{Line, Lines, TOO_LONG};
use super::parts::Parts;
use super::read_json::stem;
use super::read_options::ReadOptions;
use crate::core::number::count;
use crate::core::problem::{Problem, Problems};
use crate::core::replay::{Body, Recording};
use crate::core::scene::{Object, Scene};
use crate::core::schema::{Axis, LogTurn, Number, Space, UserUnits};
use crate::core::shape::{Pose, Shape};
use crate::core::tolerance::DEFAULT_DT;
use csv::StringRecord;
use glam::DVec3;
use std::collections::BTreeSet;
use std::io::BufRead;

/// Metres: the radius of a CSV's body where neither a scene nor a column gives one. Announced, never silent.
const DEFAULT_RADIUS: f64 = 0.5;

/// Rows that are held in memory when they are not in the order of their frames.
const UNSORTED_ROWS: usize = 4_000_000;

/// See [`super::read`].
pub(super) fn read(
    mut lines: Lines<'_, impl BufRead>,
    scene: Option<&Scene>,
    options: &ReadOptions,
    mut parts: Parts<'_>,
) -> Result<Recording, Problems> {
    let header = CsvHeader::read(&mut lines, options)?;
    let table = (&header.names, header.line);
    let mut reader = Reader::open(lines.file, table, scene, options)?;
    reader.delimiter = header.delimiter;
    if header.skipped > 0 {
        let rows = count(header.skipped, "row");
        let what = format!("{rows} above the names of the columns, not read");
        reader.builder.notice_at(header.line, 1, what, "");
    }
    for (_, columns) in &mut reader.bodies {
        columns.has_decimal_comma = header.delimiter != ',';
    }
    let rows = header.rows.split(is_return);
    rows.for_each(|row| reader.line(row, header.line));
    loop {
        let line = lines.next()?;
        reader.offer(&mut parts);
        reader.check()?;
        match line {
            Line::End => break,
            Line::Waiting => {}
            Line::TooLong => reader.leave_out(lines.number, TOO_LONG, "write one line a row"),
            Line::Read => lines
                .text
                .split(is_return)
                .for_each(|row| reader.line(row, lines.number)),
        }
    }
    reader.builder.broken(lines.broken);
    reader.finish()
}

/// One body at one moment, before it is in a frame.
#[derive(Clone)]
struct Row {
    /// Sorts as the frame number, or as the time.
    moment: u64,
    time: Option<f64>,
    line: usize,
    body: Body,
}

/// Reads a table row by row.
///
/// While moments do not go back, the rows of each become a frame at once. From the first that goes back on, all rows are held, to be sorted.
#[derive(Clone)]
pub(super) struct Reader<'s> {
    builder: Builder,
    /// Those of a row, with their names where no column gives them. Frame and time are the same for all.
    bodies: Vec<(Option<String>, Columns)>,
    /// Rows so far.
    count: u64,
    /// How to name the column of the body, where none does.
    unnamed: Option<String>,
    /// Rows of such a table whose moment has one already.
    doubled: u64,
    clock: Clock,
    delimiter: char,
    /// The cells of the row at hand.
    record: StringRecord,
    scene: Option<&'s Scene>,
    space: Space,
    /// Of the moment at hand; all of them once one went back.
    rows: Vec<Row>,
    is_unsorted: bool,
    /// By frame: its moment, and the line of its first row.
    added: Vec<(u64, usize)>,
    /// Notices of times that do not rise, as far as they are listed, and how many more there are.
    frame_notices: Vec<Problem>,
    more_notices: usize,
    /// True once a row had a time.
    is_timed: bool,
    /// Moments of rows that were left out.
    lost: Vec<u64>,
    /// Objects without a shape of their own.
    shapeless: Vec<String>,
    /// Objects whose radius was seen to change.
    resized: BTreeSet<u32>,
}

impl<'s> Reader<'s> {
    /// Of the names of the columns, on a line.
    ///
    /// # Errors
    /// The columns that are missing.
    pub fn open(
        file: &str,
        (names, line): (&StringRecord, usize),
        scene: Option<&'s Scene>,
        options: &ReadOptions,
    ) -> Result<Self, Problem> {
        let mut units = options.units(scene.map(|scene| scene.units).unwrap_or_default());
        let Table {
            mut bodies,
            mut ignored,
            assumed,
        } = Table::of(names, units.length)
            .map_err(|fault| Problem::new(file, fault.what, fault.help).at(line, 1))?;
        let has_z = |(_, columns): &(Option<String>, Columns)| {
            columns.has(Column::Pz) || !columns.has(Column::Px) || !columns.has(Column::Py)
        };
        units.flat |= scene.is_none() && units.up != Axis::Z && !bodies.iter().any(has_z);
        let in_use = |column: &Column| bodies.iter().any(|(_, columns)| columns.has(*column));
        let unread = Column::ALL
            .map(|(column, _)| column)
            .into_iter()
            .filter(|column| !column.is_in(units.flat) && *column != Column::Pz);
        ignored.extend(
            unread
                .filter(in_use)
                .map(|column| format!("`{}`", column.name())),
        );
        let mut builder = Builder::new(file, scene.map(|scene| scene.dt));
        builder.recording.name = stem(file);
        builder.recording.gravity = scene.map(|scene| scene.gravity);
        builder.recording.units = UserUnits {
            units,
            mirrored: None,
        };
        let mut unnamed = None;
        for (name, _) in &mut bodies {
            if name.as_ref().is_some_and(String::is_empty) {
                *name = Some(builder.recording.name.clone());
                let there: Vec<&str> = names.iter().collect();
                unnamed = Some(mapping(&nearest(&["name"], &there), |_| true, &there));
            }
        }
        for (what, help) in assumed {
            let what = match units.flat {
                true => what.replace("which is taken as 0", "so the level is flat"),
                false => what,
            };
            builder.notice_at(line, 1, what, &help);
        }
        if !ignored.is_empty() {
            let what = format!("unknown columns are ignored: {}", ignored.join(", "));
            let help = format!(
                "known are {}; name another: --columns \"px=NAME\"",
                Column::names()
            );
            builder.notice_at(line, 1, what, &help);
        }
        let clock = Clock::new(bodies[0].1.has_time_unit);
        Ok(Self {
            builder,
            bodies,
            count: 0,
            unnamed,
            doubled: 0,
            clock,
            delimiter: ',',
            record: StringRecord::new(),
            scene,
            space: Space {
                units,
                ..Space::default()
            },
            rows: Vec::new(),
            is_unsorted: false,
            added: Vec::new(),
            frame_notices: Vec::new(),
            more_notices: 0,
            is_timed: false,
            lost: Vec::new(),
            shapeless: Vec::new(),
            resized: BTreeSet::new(),
        })
    }

    /// Adds the notice of rows that cannot be read.
    #[cfg(feature = "parquet")]
    pub fn left_out(&mut self, notice: Problem) {
        self.builder.notice(notice);
        self.builder.unread_row();
    }

    fn leave_out(&mut self, line: usize, what: &str, help: &str) {
        self.builder.unread_row();
        self.builder
            .notice_at(line, 1, format!("{what}; the row is left out"), help);
    }

    fn line(&mut self, row: &[u8], line: usize) {
        let Ok(row) = std::str::from_utf8(row) else {
            let help = "save the log as plain UTF-8 text";
            return self.leave_out(line, "the row is not UTF-8 text", help);
        };
        let mut record = std::mem::take(&mut self.record);
        match split(row, self.delimiter, &mut record) {
            Ok(()) => self.record(&record, line),
            Err(what) => self.lose(&record, line, what, FIX_QUOTE),
        }
        self.record = record;
    }

    /// Adds the cells of a row; one without any is no row.
    pub fn record(&mut self, record: &StringRecord, line: usize) {
        if record.iter().all(str::is_empty) {
            return;
        }
        self.count += 1;
        for index in 0..self.bodies.len() {
            match self.read_row(record, index, line) {
                Ok(Some(row)) => {
                    self.reach(row.moment);
                    self.is_timed |= row.time.is_some();
                    self.rows.push(row);
                }
                Ok(None) => {}
                Err(what) => self.lose(record, line, &what, ""),
            }
        }
    }

    /// Leaves a row out, and with it the motion across its moment.
    fn lose(&mut self, record: &StringRecord, line: usize, what: &str, help: &str) {
        let time = self.time(record, line).ok().flatten();
        if let Ok(moment) = self.moment(record, time) {
            self.reach(moment);
            self.lost.push(moment);
        }
        self.leave_out(line, what, help);
    }

    /// Adds the frame at hand once a later moment begins. From a moment that goes back on, all rows are held.
    fn reach(&mut self, moment: u64) {
        let at_hand = self.rows.last().map(|row| row.moment);
        let added = self.added.last().map(|(moment, _)| *moment);
        if self.is_unsorted || at_hand == Some(moment) {
            return;
        }
        if at_hand.max(added) < Some(moment) {
            return self.add_frames();
        }
        self.is_unsorted = true;
        self.frame_notices.clear();
        self.more_notices = 0;
        let current = std::mem::take(&mut self.rows);
        let (frames, data) = self.builder.take_frames();
        let added = std::mem::take(&mut self.added);
        for ((frame, data), (moment, line)) in frames.iter().zip(data.iter()).zip(added) {
            self.rows.extend(data.bodies.iter().map(|&body| Row {
                moment,
                time: frame.time,
                line,
                body,
            }));
        }
        self.rows.extend(current);
    }

    /// The problem of more rows in any order than fit in memory.
    ///
    /// # Errors
    /// That problem.
    pub fn check(&self) -> Result<(), Problem> {
        if !self.is_unsorted || self.rows.len() <= UNSORTED_ROWS {
            return Ok(());
        }
        let what = format!(
            "the rows are not in the order of their frames, and more than {UNSORTED_ROWS} cannot be sorted"
        );
        Err(self.builder.problem(what, "sort the rows by frame"))
    }

    /// Hands on the frames so far, if that is due.
    pub fn offer(&self, parts: &mut Parts<'_>) {
        parts.offer(self.added.len(), || {
            let complete = Self {
                rows: Vec::new(),
                ..self.clone()
            };
            complete.finish().ok()
        });
    }

    /// Columns of the whole row.
    fn columns(&self) -> &Columns {
        &self.bodies[0].1
    }

    /// A body of a row; `None` where a row of several bodies has no position for it.
    fn read_row(
        &mut self,
        record: &StringRecord,
        index: usize,
        line: usize,
    ) -> Result<Option<Row>, String> {
        let time = self.time(record, line)?;
        let (given, columns) = &self.bodies[index];
        let given = given.clone();
        let name = match &given {
            Some(name) => name.as_str(),
            None => columns.text(record, Column::Name).ok_or("it has no name")?,
        };
        let moment = self.moment(record, time)?;
        let position = columns.group(record, [Column::Px, Column::Py, Column::Pz])?;
        let position = match position {
            Some(position) => position,
            None if self.bodies.len() > 1 => return Ok(None),
            None => return Err("it has no position".into()),
        };
        let is_flat = self.space.units.flat;
        let rotation = columns.group(record, [Column::Qx, Column::Qy, Column::Qz, Column::Qw])?;
        let rotation = rotation.filter(|_| !is_flat);
        let angle = columns.number(record, Column::Angle)?.filter(|_| is_flat);
        let velocity = columns.group(record, [Column::Vx, Column::Vy, Column::Vz])?;
        let spin = match is_flat {
            true => columns
                .number(record, Column::W)?
                .map(|spin| [Number(0.0), Number(0.0), spin]),
            false => columns.group(record, [Column::Wx, Column::Wy, Column::Wz])?,
        };
        let teleported = columns.flag(record, Column::Teleported)?;
        let asleep = columns.flag(record, Column::Asleep)?;
        let island = columns.text(record, Column::Island);
        let island = island.and_then(|island| island.parse().ok());
        let radius = columns.number(record, Column::Radius)?;
        let radius = radius.map(|radius| self.space.length(radius));
        if let Some(radius) = radius.filter(|radius| !(*radius > 0.0 && radius.is_finite())) {
            return Err(format!("its radius is {radius}, and must be above 0"));
        }
        let space = self.space;
        let numbers = |parts: [Number; 3]| DVec3::from_array(parts.map(|part| space.number(part)));
        let turn = angle.map(LogTurn::Angle);
        let turn = turn.or(rotation.map(LogTurn::Quaternion));
        let turn = turn.map(|turn| space.turn(turn)).transpose()?;
        let (rotation, odd) = turn.unwrap_or((Pose::IDENTITY.rotation, None));
        let object = self.object(name, radius, line);
        if let Some(odd) = odd {
            self.builder.notice_at(line, 1, odd, "");
        }
        Ok(Some(Row {
            moment,
            time: time.filter(|time| time.is_finite()),
            line,
            body: Body {
                object,
                pose: Pose {
                    position: self.space.units.vector(numbers(position)),
                    rotation,
                },
                velocity: velocity.map(|velocity| self.space.units.vector(numbers(velocity))),
                spin: spin.map(|spin| self.space.units.direction(numbers(spin))),
                teleported,
                asleep,
                island,
            },
        }))
    }

    /// The time of a row, seconds.
    fn time(&mut self, record: &StringRecord, line: usize) -> Result<Option<f64>, String> {
        let time = self.columns().number(record, Column::Time)?;
        let Some(Number(time)) = time else {
            return Ok(None);
        };
        let (time, notice) = self.clock.seconds(time);
        if let Some((what, help)) = notice {
            self.builder.notice_at(line, 1, what, &help);
        }
        Ok(Some(time))
    }

    /// What a row is sorted by.
    fn moment(&self, record: &StringRecord, time: Option<f64>) -> Result<u64, String> {
        if self.columns().has(Column::Frame) {
            let text = self.columns().text(record, Column::Frame);
            let text = text.ok_or("it has no frame")?;
            return frame_number(text)
                .ok_or_else(|| format!("its frame is `{text}`, not a whole number from 0 up"));
        }
        match time {
            Some(time) if time.is_finite() => Ok(sortable(time)),
            Some(time) => Err(format!("its time is {time}")),
            // One row is one frame.
            None if !self.columns().has(Column::Time) => Ok(self.count),
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

    /// The whole recording.
    ///
    /// # Errors
    /// When it has no frame.
    pub fn finish(mut self) -> Result<Recording, Problems> {
        self.add_frames();
        if !self.is_timed && self.scene.is_none() {
            let what = format!("there is no time, so a frame is assumed to last {DEFAULT_DT} s");
            let help = "add a column `time` in seconds, or a scene with a dt that names this log";
            self.builder.notice_at(1, 1, what, help);
        }
        let notices = std::mem::take(&mut self.frame_notices).into_iter();
        notices.for_each(|notice| self.builder.notice(notice));
        self.builder.suppress(self.more_notices);
        self.check_names()?;
        self.note_default_shapes();
        self.builder
            .finish("after the column names, write one row for every body of every frame")
    }
}
