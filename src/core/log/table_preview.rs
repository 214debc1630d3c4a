//! The first rows of a table, to choose what its columns are before the whole is read.

use super::Format;
use super::columns::Table;
use super::compression::{CompressedProgress, Compression};
use super::csv_header::{CsvHeader, FirstRow, is_return};
use super::csv_row::split;
use super::headings::{Column, Heading};
use super::line::{Line, Lines};
#[cfg(feature = "parquet")]
use super::parquet_columns::Source;
use super::parts::Parts;
use super::read_csv;
use super::read_options::{ColumnNames, ReadOptions};
#[cfg(feature = "parquet")]
use super::read_parquet::{self, TableColumns};
use crate::core::file::Opened;
use crate::core::problem::{Problem, Problems};
use crate::core::replay::Recording;
use csv::StringRecord;
use std::io::{self, Read};

/// Rows of a preview.
const ROWS: usize = 10;

/// Bytes of a CSV of which its first rows are taken.
const HEAD_BYTES: u64 = 4 << 20;

/// The first rows of a table.
pub struct TablePreview {
    file: String,
    headings: Option<StringRecord>,
    rows: Vec<StringRecord>,
    content: Content,
}

/// What the rows are read from.
enum Content {
    /// The first lines, whole.
    Csv(Vec<u8>),
    #[cfg(feature = "parquet")]
    Parquet(TableColumns),
}

impl TablePreview {
    /// Of a file; `None` where nothing can be chosen: it is not a table, cannot be read, or is a Parquet file inside another compression.
    pub(in crate::core) fn of(format: Format, opened: Opened<'_>, file: &str) -> Option<Self> {
        match format {
            Format::JsonLines | Format::Ovd => None,
            Format::Csv => Self::of_csv(head(opened)?, file),
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let source = Source::Disk(opened.file?);
                let (columns, rows) = read_parquet::head(source, file, ROWS).ok()??;
                Some(Self {
                    file: file.to_owned(),
                    headings: Some(columns.names.clone()),
                    rows,
                    content: Content::Parquet(columns),
                })
            }
        }
    }

    fn of_csv(head: Vec<u8>, file: &str) -> Option<Self> {
        let mut lines = Lines::new(head.as_slice(), 0, file, &());
        let first = FirstRow::read(&mut lines).ok()?;
        let numbers = first.numbers();
        // A row with some numbers has names only if they are known.
        let has_names =
            numbers == 0 || (numbers < first.cells.len() && Table::of(&first.cells, 1.0).is_ok());
        let mut rows = Vec::new();
        let mut add = |text: &[u8]| {
            for row in text.split(is_return) {
                let mut cells = StringRecord::new();
                let row = String::from_utf8_lossy(row);
                // The cells before a fault are shown.
                let _ = split(&row, first.delimiter, &mut cells);
                if !row.trim().is_empty() && rows.len() < ROWS {
                    rows.push(cells);
                }
            }
        };
        add(first.rows(has_names));
        while let Ok(Line::Read) = lines.next() {
            add(&lines.text);
        }
        Some(Self {
            file: file.to_owned(),
            headings: has_names.then_some(first.cells),
            rows,
            content: Content::Csv(shortened(head, ROWS + usize::from(has_names))),
        })
    }

    /// The heading of each column; `None` for a table without.
    pub fn headings(&self) -> Option<impl Iterator<Item = &str>> {
        self.headings.as_ref().map(StringRecord::iter)
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        let first = self.headings.as_ref().or(self.rows.first());
        first.map_or(0, StringRecord::len)
    }

    /// The cells of the first rows, ten at most.
    pub fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = &str>> {
        self.rows.iter().map(StringRecord::iter)
    }

    /// What the heading of a column says that it is.
    pub fn known(&self, column: usize) -> Option<Column> {
        Some(Heading::of(self.headings.as_ref()?.get(column)?)?.column)
    }

    /// What the options take each column for; `None` for one that is left to its heading.
    pub fn chosen(&self, options: &ReadOptions) -> Vec<Option<Column>> {
        let (count, headings) = (self.columns(), self.headings.as_ref());
        let names = options.columns.as_ref();
        names.map_or_else(|| vec![None; count], |names| names.chosen(count, headings))
    }

    /// The option that takes each column for what was chosen.
    pub fn names(&self, chosen: &[Option<Column>]) -> Option<ColumnNames> {
        ColumnNames::of(chosen, self.headings.as_ref())
    }

    /// The options to start with: for each column that is missing, the one with the heading that is most like it.
    pub fn guess(&self) -> ReadOptions {
        let mut chosen = vec![None; self.columns()];
        if let Some(headings) = &self.headings
            && let Err(fault) = Table::of(headings, 1.0)
        {
            for (column, place) in fault.nearest {
                chosen[place] = Some(column);
            }
        }
        ReadOptions {
            columns: self.names(&chosen),
            ..ReadOptions::default()
        }
    }

    /// Returns true if the file names the columns that are needed, with these options.
    pub fn is_recognised(&self, options: &ReadOptions) -> bool {
        match &self.content {
            Content::Csv(head) => {
                let mut lines = Lines::new(head.as_slice(), 0, &self.file, &());
                let header = CsvHeader::read(&mut lines, options);
                header.is_ok_and(|header| self.open(&header.names, header.line, options).is_ok())
            }
            #[cfg(feature = "parquet")]
            Content::Parquet(columns) => {
                let chosen = columns.chosen(&self.file, options);
                chosen.is_ok_and(|(_, names)| self.open(&names, 1, options).is_ok())
            }
        }
    }

    /// The recording of the first rows alone.
    ///
    /// # Errors
    /// Those of the whole that show in these rows.
    pub fn read(&self, options: &ReadOptions) -> Result<Recording, Problems> {
        match &self.content {
            Content::Csv(head) => {
                let lines = Lines::new(head.as_slice(), 0, &self.file, &());
                read_csv::read(lines, None, options, Parts::none())
            }
            #[cfg(feature = "parquet")]
            Content::Parquet(columns) => {
                let (read, names) = columns.chosen(&self.file, options)?;
                let mut reader = self.open(&names, 1, options)?;
                for (index, row) in self.rows.iter().enumerate() {
                    let cells = read.iter().map(|place| row.get(*place).unwrap_or_default());
                    reader.record(&cells.collect(), index + 2);
                }
                reader.finish()
            }
        }
    }

    fn open(
        &self,
        names: &StringRecord,
        line: usize,
        options: &ReadOptions,
    ) -> Result<read_csv::Reader<'_>, Problem> {
        read_csv::Reader::open(&self.file, (names, line), None, options)
    }
}

/// The first whole lines of a CSV, which may be compressed.
fn head(opened: Opened<'_>) -> Option<Vec<u8>> {
    let mut input = opened.input;
    let compression = Compression::of_content(input.fill_buf().ok()?);
    let progress = CompressedProgress::new(&(), opened.length);
    let mut bytes = Vec::new();
    let is_whole = match compression {
        None => read_head(input, &mut bytes),
        Some(compression) => read_head(compression.decoded(input, &progress).ok()?, &mut bytes),
    };
    // The last line may go on, but for the last of the file.
    if !is_whole.ok()? {
        let end = bytes
            .iter()
            .rposition(|byte| *byte == b'\n' || is_return(byte))?;
        bytes.truncate(end + 1);
    }
    Some(bytes)
}

/// The text up to this number of lines, beside comments and blank ones.
fn shortened(mut text: Vec<u8>, lines: usize) -> Vec<u8> {
    let is_comment =
        |line: &[u8]| line.starts_with(b"#") || line.iter().all(u8::is_ascii_whitespace);
    let (mut left, mut end) = (lines, 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if left == 0 {
            break;
        }
        left -= usize::from(!is_comment(line));
        end += line.len();
    }
    text.truncate(end);
    text
}

/// Reads the first bytes; true if there are no more.
fn read_head(input: impl Read, bytes: &mut Vec<u8>) -> io::Result<bool> {
    input.take(HEAD_BYTES).read_to_end(bytes)?;
    Ok((bytes.len() as u64) < HEAD_BYTES)
}
