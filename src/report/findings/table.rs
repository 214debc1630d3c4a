//! Files, findings and margins as one table in Parquet. docs/fleet.md lists the columns.

use crate::core::diagnose::{Finding, Fix, Margin, Report};
use crate::core::log::FINDINGS_KEY;
use crate::core::problem::Problems;
use crate::core::table::{self, io_error, put};
use parquet::basic::{LogicalType, Type};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use std::io::{self, Write};

/// Rows from which on a row group is written: about 20 MB in memory.
const GROUP_ROWS: usize = 1 << 14;

/// A row of a report.
struct Row<'r> {
    report: &'r Report,
    of: Of<'r>,
}

/// What a row is of: the file, or one of its findings or margins with its index.
#[derive(Clone, Copy)]
enum Of<'r> {
    File,
    Finding(usize, &'r Finding),
    Margin(usize, &'r Margin),
}

/// How the values of a column follow from the row.
enum Value {
    Text(fn(&Row<'_>) -> Option<String>),
    Whole(fn(&Row<'_>) -> Option<usize>),
    Number(fn(&Row<'_>) -> Option<f64>),
    Flag(fn(&Row<'_>) -> Option<bool>),
}

use Value::{Flag, Number, Text, Whole};

/// All columns, in their order.
const COLUMNS: [(&str, Value); 39] = [
    ("file", Text(|row| Some(row.report.file.clone()))),
    ("level", Text(|row| filled(&row.report.name))),
    ("build", Text(|row| row.report.build.clone())),
    ("engine", Text(|row| row.report.engine.clone())),
    ("row", Text(|row| Some(row.kind().to_owned()))),
    ("index", Whole(|row| row.index())),
    ("frames", Whole(|row| Some(row.judged()?.frames as usize))),
    ("objects", Whole(|row| Some(row.judged()?.objects))),
    (
        "findings",
        Whole(|row| Some(row.judged()?.findings.total())),
    ),
    ("error", Text(|row| row.error())),
    (
        "kind",
        Text(|row| Some(row.found()?.kind.name().to_owned())),
    ),
    (
        "cause",
        Text(|row| Some(row.found()?.cause.id().to_owned())),
    ),
    ("frame", Whole(|row| row.frame())),
    (
        "last_frame",
        Whole(|row| Some(row.found()?.last_frame as usize)),
    ),
    ("fraction", Number(|row| Some(row.found()?.fraction))),
    ("time", Number(|row| Some(row.found()?.time))),
    ("a", Text(|row| filled(row.names()?[0]))),
    ("b", Text(|row| filled(row.names()?[1]))),
    ("point_x", Number(|row| row.point(0))),
    ("point_y", Number(|row| row.point(1))),
    ("point_z", Number(|row| row.point(2))),
    ("normal_x", Number(|row| row.normal(0))),
    ("normal_y", Number(|row| row.normal(1))),
    ("normal_z", Number(|row| row.normal(2))),
    ("depth", Number(|row| row.found()?.depth())),
    ("expected", Flag(|row| Some(row.found()?.expected))),
    ("known", Flag(|row| Some(row.found()?.known))),
    ("fix", Text(|row| Some(row.fix()?.what.name().to_owned()))),
    ("fix_holds", Number(|row| row.fix()?.holds)),
    ("fix_detects", Number(|row| row.fix()?.detects)),
    (
        "fix_unit",
        Text(|row| Some(row.fix()?.what.unit().to_owned())),
    ),
    ("fixes", Text(|row| row.fixes())),
    ("text", Text(|row| Some(row.found()?.text.clone()))),
    ("seconds", Number(|row| row.judged()?.seconds)),
    (
        "version",
        Text(|_| Some(env!("CARGO_PKG_VERSION").to_owned())),
    ),
    ("share", Number(|row| Some(row.margin()?.share))),
    (
        "displacement",
        Number(|row| Some(row.margin()?.displacement)),
    ),
    ("limit", Number(|row| Some(row.margin()?.limit))),
    ("dt", Number(|row| Some(row.margin()?.dt))),
];

impl<'r> Row<'r> {
    fn kind(&self) -> &'static str {
        match self.of {
            Of::File => "file",
            Of::Finding(..) => "finding",
            Of::Margin(..) => "margin",
        }
    }

    fn index(&self) -> Option<usize> {
        match self.of {
            Of::File => None,
            Of::Finding(index, _) | Of::Margin(index, _) => Some(index),
        }
    }

    fn frame(&self) -> Option<usize> {
        let frame = match self.of {
            Of::File => return None,
            Of::Finding(_, finding) => finding.frame,
            Of::Margin(_, margin) => margin.frame,
        };
        Some(frame as usize)
    }

    fn names(&self) -> Option<[&'r str; 2]> {
        match self.of {
            Of::File => None,
            Of::Finding(_, finding) => Some([&finding.a, &finding.b]),
            Of::Margin(_, margin) => Some([&margin.a, &margin.b]),
        }
    }

    /// The report of a row of a file that was judged.
    fn judged(&self) -> Option<&'r Report> {
        let is_judged = matches!(self.of, Of::File) && self.report.error.is_empty();
        is_judged.then_some(self.report)
    }

    fn found(&self) -> Option<&'r Finding> {
        match self.of {
            Of::Finding(_, finding) => Some(finding),
            Of::File | Of::Margin(..) => None,
        }
    }

    fn margin(&self) -> Option<&'r Margin> {
        match self.of {
            Of::Margin(_, margin) => Some(margin),
            Of::File | Of::Finding(..) => None,
        }
    }

    fn error(&self) -> Option<String> {
        let error = &self.report.error;
        (!error.is_empty()).then(|| Problems(error.clone()).to_string())
    }

    /// A number of the point. Other axes negate numbers: -0 is written as 0.
    fn point(&self, axis: usize) -> Option<f64> {
        Some(self.found()?.point[axis] + 0.0)
    }

    /// A number of the normal, if there is one.
    fn normal(&self, axis: usize) -> Option<f64> {
        let normal = self.found()?.normal;
        (normal != [0.0; 3]).then_some(normal[axis] + 0.0)
    }

    /// The first fix.
    fn fix(&self) -> Option<&Fix> {
        self.found()?.fixes.first()
    }

    /// All fixes as JSON.
    fn fixes(&self) -> Option<String> {
        let fixes = &self.found()?.fixes;
        serde_json::to_string(fixes)
            .ok()
            .filter(|_| !fixes.is_empty())
    }
}

fn filled(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// The values of a column, one for each row.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Text.
    Texts(Vec<Option<String>>),
    /// Whole numbers.
    Wholes(Vec<Option<i64>>),
    /// Other numbers.
    Numbers(Vec<Option<f64>>),
    /// True or false.
    Flags(Vec<Option<bool>>),
}

impl Values {
    fn of(value: &Value) -> Self {
        match value {
            Text(_) => Self::Texts(Vec::new()),
            Whole(_) => Self::Wholes(Vec::new()),
            Number(_) => Self::Numbers(Vec::new()),
            Flag(_) => Self::Flags(Vec::new()),
        }
    }

    fn push(&mut self, value: &Value, row: &Row<'_>) {
        match (self, value) {
            (Self::Texts(all), Text(of)) => all.push(of(row)),
            (Self::Wholes(all), Whole(of)) => all.push(of(row).map(|it| it as i64)),
            (Self::Numbers(all), Number(of)) => all.push(of(row)),
            (Self::Flags(all), Flag(of)) => all.push(of(row)),
            _ => {}
        }
    }
}

/// Adds the rows of a report: that of the file, then those of its findings and of its margins.
fn for_each_row(
    report: &Report,
    add: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut add = |of: Of<'_>| add(&Row { report, of });
    add(Of::File)?;
    let findings = &report.findings;
    findings.for_each(&mut |index, finding| add(Of::Finding(index, finding)))?;
    let margins = report.margins.iter().flat_map(|margins| &margins.pairs);
    let mut margins = margins.enumerate();
    margins.try_for_each(|(index, margin)| add(Of::Margin(index, margin)))
}

/// The table of a report in memory: the name and values of each column.
///
/// # Errors
/// Those of findings in a temporary file.
pub fn table(report: &Report) -> io::Result<Vec<(&'static str, Values)>> {
    let columns = COLUMNS.iter();
    let mut table: Vec<_> = columns
        .map(|(name, value)| (*name, Values::of(value)))
        .collect();
    for_each_row(report, &mut |row| {
        for ((_, values), (_, value)) in table.iter_mut().zip(&COLUMNS) {
            values.push(value, row);
        }
        Ok(())
    })?;
    Ok(table)
}

/// The table, written in row groups.
pub struct FindingsTable<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<Values>,
    rows: usize,
}

impl<W: Write + Send> FindingsTable<W> {
    /// A table without rows.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(output: W) -> io::Result<Self> {
        let columns = COLUMNS.iter().map(|(name, value)| {
            let (physical, logical) = match value {
                Text(_) => (Type::BYTE_ARRAY, Some(LogicalType::String)),
                Whole(_) => (Type::INT64, None),
                Number(_) => (Type::DOUBLE, None),
                Flag(_) => (Type::BOOLEAN, None),
            };
            table::Column {
                name,
                physical,
                logical,
                encoding: None,
            }
        });
        let version = (FINDINGS_KEY, "1".to_owned());
        Ok(Self {
            file: table::create(output, "findings", columns.collect(), version)?,
            columns: COLUMNS.iter().map(|(_, value)| Values::of(value)).collect(),
            rows: 0,
        })
    }

    /// Adds the rows of a file: its own, then those of its findings and margins.
    ///
    /// # Errors
    /// Those of the output, and of findings in a temporary file.
    pub fn add(&mut self, report: &Report) -> io::Result<()> {
        for_each_row(report, &mut |row| self.push(row))
    }

    fn push(&mut self, row: &Row<'_>) -> io::Result<()> {
        for (values, (_, value)) in self.columns.iter_mut().zip(&COLUMNS) {
            values.push(value, row);
        }
        self.rows += 1;
        match self.rows {
            GROUP_ROWS.. => self.write_group().map_err(io_error),
            _ => Ok(()),
        }
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        for (values, (_, value)) in self.columns.iter_mut().zip(&COLUMNS) {
            match std::mem::replace(values, Values::of(value)) {
                Values::Texts(all) => {
                    let bytes = |text: String| ByteArray::from(text.into_bytes());
                    put::<ByteArrayType>(&mut group, all.into_iter().map(|it| it.map(bytes)))?;
                }
                Values::Wholes(all) => put::<Int64Type>(&mut group, all.into_iter())?,
                Values::Numbers(all) => put::<DoubleType>(&mut group, all.into_iter())?,
                Values::Flags(all) => put::<BoolType>(&mut group, all.into_iter())?,
            }
        }
        self.rows = 0;
        group.close().map(drop)
    }

    /// Writes the last rows and the footer.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.write_group().map_err(io_error)?;
        }
        self.file.finish().map(drop).map_err(io_error)
    }
}
