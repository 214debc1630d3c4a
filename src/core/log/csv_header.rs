//! The first rows of a CSV: comments, then the names of the columns, unless these are known without.

use super::columns::Table;
use super::csv_row::{delimiter, split};
use super::line::Lines;
use super::read_options::ReadOptions;
use crate::core::problem::{Problem, Problems};
use csv::StringRecord;
use std::io::BufRead;

const HEADER_EXAMPLE: &str = "begin with a row of column names: frame,time,name,px,py,pz";
pub(super) const FIX_QUOTE: &str =
    "write a quote inside a cell as \"\", and no line break; a name without commas needs no quotes";

/// Columns of a trajectory of the TUM tools.
const TUM: [&str; 8] = ["time", "px", "py", "pz", "qx", "qy", "qz", "qw"];

/// The names of the columns of a CSV.
pub(super) struct CsvHeader {
    pub names: StringRecord,
    pub delimiter: char,
    /// Number of its line.
    pub line: usize,
    /// Rows of the same line that are not the header.
    pub rows: Vec<u8>,
}

/// The first row of a CSV that is not a comment.
pub(super) struct FirstRow {
    pub cells: StringRecord,
    pub delimiter: char,
    /// Number of its line.
    pub line: usize,
    /// Its line, and where it ends in it.
    text: Vec<u8>,
    end: usize,
}

impl FirstRow {
    /// Reads up to it.
    ///
    /// # Errors
    /// When there is none, or it is not text.
    pub fn read(lines: &mut Lines<'_, impl BufRead>) -> Result<Self, Problems> {
        lines.header(HEADER_EXAMPLE)?;
        // Comments of trajectory files; the last may be the names of the columns.
        while lines.text.starts_with(b"#") && !has_columns(&lines.text) {
            lines.header(HEADER_EXAMPLE)?;
        }
        let (file, line) = (lines.file, lines.number);
        let fault = |what: &str, help: &str| Problem::new(file, what, help).at(line, 1);
        let text = std::mem::take(&mut lines.text);
        let end = text.iter().position(is_return).unwrap_or(text.len());
        let Ok(first) = std::str::from_utf8(&text[..end]) else {
            let help = format!("{HEADER_EXAMPLE}; save the log as plain UTF-8 text");
            return Err(fault("the first line is not UTF-8 text", &help).into());
        };
        let first = first.trim_start_matches(['#', ' ']);
        let delimiter = delimiter(first);
        let mut cells = StringRecord::new();
        split(first, delimiter, &mut cells).map_err(|what| fault(what, FIX_QUOTE))?;
        Ok(Self {
            cells,
            delimiter,
            line,
            text,
            end,
        })
    }

    /// How many of its cells are numbers.
    pub fn numbers(&self) -> usize {
        let is_number = |cell: &&str| cell.replacen(',', ".", 1).parse::<f64>().is_ok();
        self.cells.iter().filter(is_number).count()
    }

    /// The rows of its line that have data.
    pub fn rows(&self, has_names: bool) -> &[u8] {
        &self.text[if has_names { self.end } else { 0 }..]
    }
}

impl CsvHeader {
    /// Reads up to the names of the columns, or to the first row of numbers.
    ///
    /// # Errors
    /// When there is none, or it does not name the columns.
    pub fn read(
        lines: &mut Lines<'_, impl BufRead>,
        options: &ReadOptions,
    ) -> Result<Self, Problems> {
        let first = FirstRow::read(lines)?;
        let (cells, line, count) = (first.cells.clone(), first.line, first.cells.len());
        let fault = |what: String, help: &str| Problem::new(lines.file, what, help).at(line, 1);
        let listed = options.listed();
        // With the names known, a row with any number has data.
        let has_names = match listed {
            Some(_) => first.numbers() == 0,
            None => first.numbers() < count,
        };
        let names = match listed {
            Some(names) if names.len() == count => names,
            Some(names) => {
                let what = format!(
                    "--columns names {} columns, and the first row has {count}",
                    names.len(),
                );
                let help = "name each of them; leave the name of one that is not read empty: \"time,,px,py,pz\"";
                return Err(fault(what, help).into());
            }
            None if has_names => {
                let renamed = options.renamed(cells);
                renamed.map_err(|(what, help)| fault(what, &help))?
            }
            // A trajectory of the TUM tools has no other mark.
            None if first.delimiter == ' ' && count == TUM.len() => TUM.to_vec().into(),
            None => {
                let what = "the first row has numbers and no names of columns".to_owned();
                let help = format!(
                    "name its {count} columns: --columns \"time,px,py,pz\"; or {HEADER_EXAMPLE}"
                );
                return Err(fault(what, &help).into());
            }
        };
        Ok(Self {
            names,
            delimiter: first.delimiter,
            line,
            rows: first.rows(has_names).to_vec(),
        })
    }
}

/// Whether a line is the names of columns.
fn has_columns(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else {
        return false;
    };
    let line = line.trim_start_matches(['#', ' ']).trim_end();
    let mut record = StringRecord::new();
    split(line, delimiter(line), &mut record).is_ok() && Table::of(&record, 1.0).is_ok()
}

/// True for the end of a row within a line: a carriage return alone ends one, too.
pub(super) fn is_return(byte: &u8) -> bool {
    *byte == b'\r'
}
