//! The first rows of a CSV: comments, then the names of the columns, unless these are known without.

use super::columns::Table;
use super::csv_row::{delimiter, split};
use super::line::{Line, Lines};
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
    /// Rows above that are not read: the title of a table, the name of its body.
    pub skipped: usize,
}

/// Rows without the names of columns that may be above them.
const MOST_ABOVE: usize = 10;

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
                let named = columns_of(cells, options).map_err(|(what, help)| fault(what, &help));
                match named {
                    Ok(names) => names,
                    Err(problem) => return Self::below(lines, options).ok_or(problem.into()),
                }
            }
            // A trajectory of the TUM tools has no other mark.
            None if first.delimiter == ' ' && count == TUM.len() => TUM.to_vec().into(),
            None => {
                let what = "the first row has numbers and no names of columns".to_owned();
                let help = format!(
                    "name its {count} columns in their order, without a name for those that are not read: --columns \"{}\"; or {HEADER_EXAMPLE}",
                    listed_example(count)
                );
                return Err(fault(what, &help).into());
            }
        };
        Ok(Self {
            names,
            delimiter: first.delimiter,
            line,
            rows: first.rows(has_names).to_vec(),
            skipped: 0,
        })
    }

    /// The names of columns in one of the next rows.
    fn below(lines: &mut Lines<'_, impl BufRead>, options: &ReadOptions) -> Option<Self> {
        let first = lines.number;
        for _ in 0..MOST_ABOVE {
            let Ok(Line::Read) = lines.next() else {
                return None;
            };
            let text = &lines.text;
            let end = text.iter().position(is_return).unwrap_or(text.len());
            let Some((cells, delimiter)) = cells_of(&text[..end]) else {
                continue;
            };
            if let Ok(names) = columns_of(cells, options) {
                return Some(Self {
                    names,
                    delimiter,
                    line: lines.number,
                    rows: text[end..].to_vec(),
                    skipped: lines.number - first,
                });
            }
        }
        None
    }
}

/// The names of columns, as the options name them.
fn columns_of(
    cells: StringRecord,
    options: &ReadOptions,
) -> Result<StringRecord, (String, String)> {
    let names = options.renamed(cells)?;
    match Table::of(&names, 1.0) {
        Ok(_) => Ok(names),
        Err(fault) => Err((fault.what, fault.help)),
    }
}

/// The cells of a line, and what separates them.
fn cells_of(line: &[u8]) -> Option<(StringRecord, char)> {
    let line = std::str::from_utf8(line).ok()?;
    let line = line.trim_start_matches(['#', ' ']).trim_end();
    let (mut cells, delimiter) = (StringRecord::new(), delimiter(line));
    split(line, delimiter, &mut cells).ok()?;
    Some((cells, delimiter))
}

/// Names of so many columns, of which the last are not read.
fn listed_example(count: usize) -> String {
    match count {
        ..4 => "px,py,pz"[..(3 * count).saturating_sub(1)].to_owned(),
        _ => "time,px,py,pz".to_owned() + &",".repeat(count - 4),
    }
}

/// Whether a line is the names of columns.
fn has_columns(line: &[u8]) -> bool {
    cells_of(line).is_some_and(|(cells, _)| Table::of(&cells, 1.0).is_ok())
}

/// True for the end of a row within a line: a carriage return alone ends one, too.
pub(super) fn is_return(byte: &u8) -> bool {
    *byte == b'\r'
}
