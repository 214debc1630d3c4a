//! Writes Parquet: one row for each body of a frame. docs/log-format.md lists the columns.

use super::json::{BodyLine, FrameLine, HeaderLine, Own};
use super::json_notes::Lenient;
use super::open_fields::Open;
use super::output::{LogOutput, line_text};
use super::parquet_columns::{FLOATS, GROUPS, HEADER_KEY};
use super::write_json;
use crate::core::replay::Recording;
use crate::core::schema::{LogTurn, Number, ObjectLine, Scalar};
use crate::core::table::{Column, create, io_error, put};
use parquet::basic::{Encoding, LogicalType, Type};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, FloatType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use std::collections::HashMap;
use std::io::{self, Write};

/// Most frames of a row group, which is read as a whole.
const GROUP_FRAMES: usize = 1024;

/// Rows from which on a row group ends with the frame: about 40 MB in memory.
const GROUP_ROWS: usize = 1 << 18;

/// Writes a whole recording.
pub(super) fn write(recording: &Recording, output: &mut (dyn Write + Send)) -> io::Result<()> {
    let mut table = ParquetOutput::new(output);
    table.narrow = [true; GROUPS.len()];
    for data in recording.data.iter() {
        for body in &data.bodies {
            let groups = [
                is_narrow(body.pose.position.as_ref()),
                is_narrow(&body.pose.rotation.to_array()),
                body.velocity.is_none_or(|v| is_narrow(v.as_ref())),
                body.spin.is_none_or(|w| is_narrow(w.as_ref())),
            ];
            for (all, narrow) in table.narrow.iter_mut().zip(groups) {
                *all &= narrow;
            }
        }
    }
    write_json::write(recording, table)?.finish().map(drop)
}

/// Whether `f32` holds all of these numbers exactly.
fn is_narrow(numbers: &[f64]) -> bool {
    let mut numbers = numbers.iter();
    numbers.all(|&number| number.is_nan() || f64::from(number as f32) == number)
}

/// A Parquet file as the output of a [`Recorder`](super::Recorder).
///
/// ```
/// use hitstop::core::log::{Header, ParquetOutput, Recorder};
///
/// let recorder = Recorder::new(ParquetOutput::new(Vec::new()), Header::default())?;
/// let bytes = recorder.finish()?.finish()?;
/// assert_eq!(bytes[..4], *b"PAR1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The file can be read once it is finished, and not before: a program that may crash records compressed JSON Lines instead.
pub struct ParquetOutput<W: Write + Send> {
    file: File<W>,
    /// Whether the columns of a group have 32 bits.
    narrow: [bool; GROUPS.len()],
    /// Names by id.
    names: HashMap<u64, ByteArray>,
    /// The line of the objects that the next frame adds.
    spawned: FrameLine,
    /// Of the row group.
    rows: Vec<Row>,
    frames: usize,
}

/// A Parquet file's state.
enum File<W: Write + Send> {
    /// No header yet.
    Empty(W),
    Open(SerializedFileWriter<W>),
    /// It failed.
    Lost,
}

/// A body in a frame, or a frame without bodies.
struct Row {
    frame: i64,
    time: Option<f64>,
    id: Option<i64>,
    name: Option<ByteArray>,
    floats: [Option<f64>; FLOATS.len()],
    teleported: Option<bool>,
    asleep: Option<bool>,
    island: Option<i64>,
    /// The frame's other fields, in its first row.
    rest: Option<ByteArray>,
}

impl<W: Write + Send> ParquetOutput<W> {
    /// Over an output. Nothing is written before the first frame.
    pub fn new(output: W) -> Self {
        Self {
            file: File::Empty(output),
            narrow: [false; GROUPS.len()],
            names: HashMap::new(),
            spawned: FrameLine::default(),
            rows: Vec::new(),
            frames: 0,
        }
    }

    /// Writes the last rows and the footer, and returns the output.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_group()?;
        match self.file {
            File::Empty(output) => Ok(output),
            File::Open(file) => file.into_inner().map_err(io_error),
            File::Lost => Err(lost()),
        }
    }

    /// Writes the collected rows, those of a body together.
    fn write_group(&mut self) -> io::Result<()> {
        let mut rows = std::mem::take(&mut self.rows);
        self.frames = 0;
        if rows.is_empty() {
            return Ok(());
        }
        rows.sort_by_key(|row| row.id);
        let File::Open(file) = &mut self.file else {
            return Err(lost());
        };
        let mut group = file.next_row_group().map_err(io_error)?;
        write_columns(&rows, self.narrow, &mut group).map_err(io_error)?;
        group.close().map(drop).map_err(io_error)
    }

    fn add_names(&mut self, objects: &[Open<ObjectLine>]) {
        for Open { value, .. } in objects {
            let name = value.name.as_deref().unwrap_or_default();
            self.names.insert(value.id, ByteArray::from(name));
        }
    }

    fn row_of(&self, frame: i64, time: Option<f64>, body: &BodyLine) -> Row {
        // The columns are those of space: what is flat has a third coordinate of 0.
        let rotation = body.q.map(LogTurn::quaternion);
        let groups = [
            Some(&body.p.parts[..]),
            rotation.as_ref().map(|q| &q[..]),
            body.v.as_ref().map(|v| &v.parts[..]),
            body.w.as_ref().map(|w| &w.0.parts[..]),
        ];
        let mut floats = [None; FLOATS.len()];
        let mut at = 0;
        for (group, length) in groups.into_iter().zip(GROUPS) {
            let numbers = group.into_iter().flatten();
            for (float, Number(number)) in floats[at..].iter_mut().zip(numbers) {
                *float = Some(*number);
            }
            at += length;
        }
        Row {
            frame,
            time,
            id: Some(body.id as i64),
            name: self.names.get(&body.id).cloned(),
            floats,
            teleported: Some(body.teleported),
            asleep: Some(body.asleep),
            island: body.island.as_ref().and_then(Lenient::value).map(i64::from),
            rest: None,
        }
    }
}

impl<W: Write + Send> LogOutput for ParquetOutput<W> {
    fn header(&mut self, line: &HeaderLine, scalar: Scalar) -> io::Result<()> {
        if scalar == Scalar::F32 {
            self.narrow = [true; GROUPS.len()];
        }
        self.add_names(&line.objects);
        let metadata = (HEADER_KEY, json_text(line, scalar)?);
        let File::Empty(output) = std::mem::replace(&mut self.file, File::Lost) else {
            return Err(lost());
        };
        self.file = File::Open(create(output, "level", columns(self.narrow), metadata)?);
        Ok(())
    }

    fn line(&mut self, mut line: FrameLine, scalar: Scalar) -> io::Result<()> {
        let Some(frame) = line.frame.take() else {
            self.add_names(&line.spawn);
            self.spawned = line;
            return Ok(());
        };
        line.spawn.append(&mut self.spawned.spawn);
        line.remove.append(&mut self.spawned.remove);
        line.ignore.append(&mut self.spawned.ignore);
        let frame = frame as i64;
        let time = line.t.take().map(|Own(Number(time))| time);
        let bodies = line.bodies.take().unwrap_or_default();
        let first = self.rows.len();
        let rows = bodies
            .iter()
            .map(|body| self.row_of(frame, time, &body.value));
        let rows: Vec<Row> = rows.collect();
        self.rows.extend(rows);
        if self.rows.len() == first {
            self.rows.push(Row {
                frame,
                time,
                id: None,
                name: None,
                floats: [None; FLOATS.len()],
                teleported: None,
                asleep: None,
                island: None,
                rest: None,
            });
        }
        let rest = json_text(&line, scalar)?;
        self.rows[first].rest = (rest != "{}").then(|| ByteArray::from(rest.into_bytes()));
        self.frames += 1;
        if self.frames >= GROUP_FRAMES || self.rows.len() >= GROUP_ROWS {
            self.write_group()?;
        }
        Ok(())
    }

    /// A row group cannot be written in parts.
    fn flush_lines(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn json_text(line: &impl serde::Serialize, scalar: Scalar) -> io::Result<String> {
    let mut text = line_text(line, scalar)?;
    text.pop();
    String::from_utf8(text).map_err(io::Error::other)
}

fn columns(narrow: [bool; GROUPS.len()]) -> Vec<Column> {
    let mut floats = is_narrow_by_float(narrow);
    let names = ["frame", "time", "id", "name"].into_iter();
    let names = names
        .chain(FLOATS)
        .chain(["teleported", "asleep", "island", "rest"]);
    let column = names.map(|name| {
        let (physical, logical, encoding) = match name {
            "frame" | "id" => (Type::INT64, None, Some(Encoding::DELTA_BINARY_PACKED)),
            "name" => (Type::BYTE_ARRAY, Some(LogicalType::String), None),
            "rest" => (
                Type::BYTE_ARRAY,
                Some(LogicalType::Json),
                Some(Encoding::PLAIN),
            ),
            "teleported" | "asleep" => (Type::BOOLEAN, None, None),
            "island" => (Type::INT64, None, None),
            "time" => (Type::DOUBLE, None, Some(Encoding::BYTE_STREAM_SPLIT)),
            _ => {
                let narrow = floats.next().unwrap_or_default();
                let float = if narrow { Type::FLOAT } else { Type::DOUBLE };
                (float, None, Some(Encoding::BYTE_STREAM_SPLIT))
            }
        };
        Column {
            name,
            physical,
            logical,
            encoding,
        }
    });
    column.collect()
}

/// For each of [`FLOATS`], whether it has 32 bits.
fn is_narrow_by_float(narrow: [bool; GROUPS.len()]) -> impl Iterator<Item = bool> {
    let groups = narrow.into_iter().zip(GROUPS);
    groups.flat_map(|(narrow, length)| std::iter::repeat_n(narrow, length))
}

/// In the order of [`columns`].
fn write_columns<W: Write + Send>(
    rows: &[Row],
    narrow: [bool; GROUPS.len()],
    group: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<(), ParquetError> {
    put::<Int64Type>(group, rows.iter().map(|row| Some(row.frame)))?;
    put::<DoubleType>(group, rows.iter().map(|row| row.time))?;
    put::<Int64Type>(group, rows.iter().map(|row| row.id))?;
    put::<ByteArrayType>(group, rows.iter().map(|row| row.name.clone()))?;
    for (float, narrow) in is_narrow_by_float(narrow).enumerate() {
        let numbers = rows.iter().map(|row| row.floats[float]);
        if narrow {
            let numbers = numbers.map(|number| number.map(|number| number as f32));
            put::<FloatType>(group, numbers)?;
        } else {
            put::<DoubleType>(group, numbers)?;
        }
    }
    put::<BoolType>(group, rows.iter().map(|row| row.teleported))?;
    put::<BoolType>(group, rows.iter().map(|row| row.asleep))?;
    put::<Int64Type>(group, rows.iter().map(|row| row.island))?;
    put::<ByteArrayType>(group, rows.iter().map(|row| row.rest.clone()))
}

fn lost() -> io::Error {
    io::Error::other("the file failed before")
}
