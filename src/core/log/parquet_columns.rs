//! The columns of a log in Parquet, and the values of a file's columns.

use crate::core::file::SeekableFile;
use bytes::{Buf, Bytes};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};
use std::borrow::Cow;
use std::io::Read;

/// Key of the header in the file's metadata.
pub(super) const HEADER_KEY: &str = "hitstop";

/// Key of the schema's version in the metadata of a table of findings.
pub const FINDINGS_KEY: &str = "hitstop_findings";

/// Columns that together only a table of findings has, also one that another program wrote again without its metadata.
pub(super) const FINDINGS_COLUMNS: [&str; 6] =
    ["file", "level", "row", "findings", "cause", "last_frame"];

/// The numbers of a body.
pub(super) const FLOATS: [&str; 13] = [
    "px", "py", "pz", "qx", "qy", "qz", "qw", "vx", "vy", "vz", "wx", "wy", "wz",
];

/// The other columns of a log that are read.
pub(super) const OTHERS: [&str; 7] = [
    "frame",
    "time",
    "id",
    "teleported",
    "asleep",
    "island",
    "rest",
];

/// How many of [`FLOATS`] are of the position, the rotation, the velocity and the angular velocity.
pub(super) const GROUPS: [usize; 4] = [3, 4, 3, 3];

/// Records that are read in one go.
const BATCH: usize = 1 << 14;

/// The bytes of a Parquet file, read in any order.
pub(super) enum Source {
    Disk(SeekableFile),
    Memory(Bytes),
}

impl Length for Source {
    fn len(&self) -> u64 {
        match self {
            Self::Disk(file) => file.length,
            Self::Memory(bytes) => bytes.len() as u64,
        }
    }
}

/// Ranges come from the file: one beyond its end is refused before memory for it is reserved.
impl ChunkReader for Source {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        match self {
            Self::Disk(file) => Ok(Box::new(file.stream_from(start)?)),
            Self::Memory(bytes) => {
                let start = start.min(bytes.len() as u64) as usize;
                Ok(Box::new(bytes.slice(start..).reader()))
            }
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let end = start.checked_add(length as u64);
        let Some(end) = end.filter(|end| *end <= self.len()) else {
            let what = "a range lies outside the file".to_owned();
            return Err(ParquetError::General(what));
        };
        match self {
            Self::Disk(file) => {
                let mut bytes = vec![0; length];
                file.stream_from(start)?.read_exact(&mut bytes)?;
                Ok(bytes.into())
            }
            Self::Memory(bytes) => Ok(bytes.slice(start as usize..end as usize)),
        }
    }
}

/// The values of a column in some rows; a row without a value has none.
#[derive(Default)]
pub(super) enum Values {
    /// The file has no such column.
    #[default]
    Absent,
    Flags(Vec<Option<bool>>),
    Whole(Vec<Option<i64>>),
    Singles(Vec<Option<f32>>),
    Doubles(Vec<Option<f64>>),
    Texts(Vec<Option<ByteArray>>),
}

impl Values {
    /// The next `rows` values of a column that has no lists in it; those of the level `full` are there.
    pub fn read(column: ColumnReader, rows: usize, full: i16) -> Result<Self, ParquetError> {
        let rows = (rows, full);
        Ok(match column {
            ColumnReader::BoolColumnReader(column) => Self::Flags(read(column, rows, |it| it)?),
            ColumnReader::Int32ColumnReader(column) => Self::Whole(read(column, rows, i64::from)?),
            ColumnReader::Int64ColumnReader(column) => Self::Whole(read(column, rows, |it| it)?),
            ColumnReader::FloatColumnReader(column) => Self::Singles(read(column, rows, |it| it)?),
            ColumnReader::DoubleColumnReader(column) => Self::Doubles(read(column, rows, |it| it)?),
            ColumnReader::ByteArrayColumnReader(column) => {
                Self::Texts(read(column, rows, |it| it)?)
            }
            // Always a timestamp.
            ColumnReader::Int96ColumnReader(column) => {
                Self::Whole(read(column, rows, |it| it.to_nanos())?)
            }
            ColumnReader::FixedLenByteArrayColumnReader(_) => Self::Absent,
        })
    }

    /// Appends the values of later rows; columns of other types are left as they are.
    pub fn append(&mut self, other: Self) {
        match (self, other) {
            (slot @ Self::Absent, other) => *slot = other,
            (Self::Flags(values), Self::Flags(mut more)) => values.append(&mut more),
            (Self::Whole(values), Self::Whole(mut more)) => values.append(&mut more),
            (Self::Singles(values), Self::Singles(mut more)) => values.append(&mut more),
            (Self::Doubles(values), Self::Doubles(mut more)) => values.append(&mut more),
            (Self::Texts(values), Self::Texts(mut more)) => values.append(&mut more),
            _ => {}
        }
    }

    /// Whole numbers as decimal ones with so many digits behind the point.
    pub fn with_decimals(self, scale: i32) -> Self {
        match self {
            Self::Whole(values) => {
                let unit = 10_f64.powi(scale);
                let decimal = |value: Option<i64>| value.map(|value| value as f64 / unit);
                Self::Doubles(values.into_iter().map(decimal).collect())
            }
            other => other,
        }
    }

    /// A value as a number.
    pub fn number(&self, row: usize) -> Option<f64> {
        match self {
            Self::Singles(values) => values.get(row).copied()?.map(f64::from),
            Self::Doubles(values) => values.get(row).copied()?,
            Self::Whole(values) => values.get(row).copied()?.map(|value| value as f64),
            Self::Absent | Self::Flags(_) | Self::Texts(_) => None,
        }
    }

    /// A value as a whole number; other programs make numbers with a point of a column with gaps.
    pub fn whole(&self, row: usize) -> Option<i64> {
        match self {
            Self::Whole(values) => values.get(row).copied()?,
            _ => {
                let number = self.number(row)?;
                (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
            }
        }
    }

    /// A value as yes or no; no where there is none.
    pub fn flag(&self, row: usize) -> bool {
        match self {
            Self::Flags(values) => values.get(row).copied().flatten().unwrap_or_default(),
            _ => self.whole(row).is_some_and(|value| value != 0),
        }
    }

    /// A value that is text.
    pub fn text(&self, row: usize) -> Option<&[u8]> {
        match self {
            Self::Texts(values) => values.get(row)?.as_ref().map(ByteArray::data),
            _ => None,
        }
    }

    /// A value as the cell of a CSV, empty where there is none.
    pub fn cell(&self, row: usize) -> Cow<'_, str> {
        let shown = |value: Option<String>| Cow::Owned(value.unwrap_or_default());
        match self {
            Self::Absent => Cow::Borrowed(""),
            Self::Flags(_) => Cow::Borrowed(if self.flag(row) { "true" } else { "" }),
            Self::Texts(_) => String::from_utf8_lossy(self.text(row).unwrap_or_default()),
            Self::Whole(_) => shown(self.whole(row).map(|value| value.to_string())),
            Self::Singles(_) | Self::Doubles(_) => {
                shown(self.number(row).map(|value| value.to_string()))
            }
        }
    }
}

fn read<T: DataType, V>(
    mut column: ColumnReaderImpl<T>,
    (rows, full): (usize, i16),
    convert: impl Fn(T::T) -> V,
) -> Result<Vec<Option<V>>, ParquetError> {
    let mut found = Vec::new();
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    while found.len() < rows {
        levels.clear();
        values.clear();
        let most = BATCH.min(rows - found.len());
        let (read, ..) = column.read_records(most, Some(&mut levels), None, &mut values)?;
        if read == 0 {
            let what = format!("a column ends after {} of {rows} rows", found.len());
            return Err(ParquetError::General(what));
        }
        let mut values = values.drain(..).map(&convert);
        if levels.is_empty() {
            found.extend(values.map(Some));
        } else {
            let value = |level: &i16| if *level == full { values.next() } else { None };
            found.extend(levels.iter().map(value));
        }
    }
    Ok(found)
}
