//! Tables of other programs: the columns of a CSV.

use super::{Table, damaged, name_of};
use crate::core::log::headings::Heading;
use crate::core::log::parquet_columns::{Source, Values};
use crate::core::log::parts::Parts;
use crate::core::log::read_csv;
use crate::core::log::read_options::ReadOptions;
use crate::core::problem::{Problem, Problems};
use crate::core::replay::Recording;
use crate::core::scene::Scene;
use csv::StringRecord;
use parquet::basic::Type;
use parquet::schema::types::ColumnDescPtr;

/// The columns of a table without a header, as those of a CSV.
pub(in crate::core::log) struct TableColumns {
    /// All names, as they are written.
    pub names: StringRecord,
    types: Vec<ColumnType>,
}

/// What of a column can be read.
#[derive(Clone, Copy)]
enum ColumnType {
    /// Its values, with the unit of those that are times.
    Read(Option<&'static str>),
    /// Nothing, as it is in a group or a list.
    Nested,
    /// Nothing, as its values have a fixed number of bytes.
    Fixed,
}

impl TableColumns {
    fn of(table: &Table<'_>) -> Self {
        let columns = table.metadata().file_metadata().schema_descr().columns();
        let kind = |column: &ColumnDescPtr| {
            if column.physical_type() == Type::FIXED_LEN_BYTE_ARRAY {
                return ColumnType::Fixed;
            }
            match table
                .columns
                .contains_key(&name_of(column).to_ascii_lowercase())
            {
                true => ColumnType::Read(table.time_unit(&name_of(column))),
                false => ColumnType::Nested,
            }
        };
        Self {
            names: columns.iter().map(name_of).collect(),
            types: columns.iter().map(kind).collect(),
        }
    }

    /// The places of the columns that are read, and the headings of all, those first.
    ///
    /// # Errors
    /// When the options name a column that is not there, or one that cannot be read is needed.
    pub fn chosen(
        &self,
        file: &str,
        options: &ReadOptions,
    ) -> Result<(Vec<usize>, StringRecord), Problem> {
        let fault = |(what, help): (String, String)| Problem::new(file, what, help);
        let renamed = match options.listed() {
            Some(_) => Err(fault((
                "--columns lists columns by their order, but a Parquet file names them".to_owned(),
                "name each with its own name: --columns \"px=NAME,..\"".to_owned(),
            ))),
            None => options.renamed(self.names.clone()).map_err(fault),
        }?;
        let (mut read, mut headings, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (place, (name, heading)) in self.names.iter().zip(&renamed).enumerate() {
            match (Heading::of(heading), self.types[place]) {
                (Some(_), ColumnType::Fixed) => {
                    let what = format!(
                        "the column `{name}` has values of a fixed number of bytes, which are not read"
                    );
                    return Err(fault((what, "write it as DOUBLE".to_owned())));
                }
                (Some(_), ColumnType::Read(unit)) => {
                    read.push(place);
                    headings.push(match unit {
                        Some(unit) => format!("{heading} ({unit})"),
                        None => heading.to_owned(),
                    });
                }
                _ => others.push(name.to_owned()),
            }
        }
        headings.append(&mut others);
        Ok((read, headings.into()))
    }
}

/// The columns of a table without a header, and the cells of its first rows; `None` for a log of this program.
///
/// # Errors
/// When it is no Parquet file, or damaged.
pub(in crate::core::log) fn head(
    source: Source,
    file: &str,
    rows: usize,
) -> Result<Option<(TableColumns, Vec<StringRecord>)>, Problem> {
    let table = Table::open(source, file, &())?;
    if table.header().is_some() {
        return Ok(None);
    }
    let columns = TableColumns::of(&table);
    let mut cells = Vec::new();
    if table.metadata().num_row_groups() > 0 {
        let rows = rows.min(table.group_rows(0));
        let read = |name: &str| table.values(&name.to_ascii_lowercase(), 0, rows);
        let values: Result<Vec<Values>, String> = columns.names.iter().map(read).collect();
        let values = values.map_err(|what| damaged(file, 0, &what))?;
        cells.extend((0..rows).map(|row| values.iter().map(|one| one.cell(row)).collect()));
    }
    Ok(Some((columns, cells)))
}

/// A table without a header: the columns of a CSV.
pub(super) fn read_rows(
    table: &mut Table<'_>,
    scene: Option<&Scene>,
    options: &ReadOptions,
    parts: &mut Parts<'_>,
) -> Result<Recording, Problems> {
    let all = TableColumns::of(table);
    let (read, headings) = all.chosen(table.file, options)?;
    let name = |place: usize| all.names[place].to_ascii_lowercase();
    let names: Vec<String> = read.into_iter().map(name).collect();
    let opened = read_csv::Reader::open(table.file, (&headings, 1), scene, options);
    let mut reader = opened.map_err(|mut problem| {
        let schema = table.metadata().file_metadata().schema_descr();
        let columns = schema.columns().iter();
        let lists = columns.filter(|column| column.max_rep_level() > 0);
        let lists = lists.filter_map(|it| it.path().parts().first());
        let lists: Vec<&str> = lists.map(String::as_str).collect();
        if !lists.is_empty() {
            problem.what += &format!("; lists are not read: {}", lists.join(", "));
            problem.help = format!("write each number of a list as a column; {}", problem.help);
        }
        problem
    })?;
    let mut line = 1;
    for group in 0..table.metadata().num_row_groups() {
        let rows = table.group_rows(group);
        let columns: Result<Vec<Values>, String> =
            names.iter().map(|name| table.column(name, group)).collect();
        match columns {
            Ok(columns) => {
                for row in 0..rows {
                    let cells: StringRecord =
                        columns.iter().map(|values| values.cell(row)).collect();
                    reader.record(&cells, line + row + 1);
                }
            }
            Err(what) => {
                let mut notice = damaged(table.file, group, &what);
                notice.what += "; its rows are left out";
                reader.left_out(notice);
            }
        }
        line += rows;
        table.report(rows)?;
        reader.check()?;
        reader.offer(parts);
    }
    reader.finish()
}
