//! A table without a header of this program: its rows are those of a CSV.

use super::{Table, damaged, name_of};
use crate::core::log::headings::Heading;
use crate::core::log::parquet_columns::Values;
use crate::core::log::parts::Parts;
use crate::core::log::read_csv;
use crate::core::log::read_options::ReadOptions;
use crate::core::problem::{Problem, Problems};
use crate::core::replay::Recording;
use crate::core::scene::Scene;
use csv::StringRecord;
use parquet::basic::Type;
use parquet::schema::types::ColumnDescPtr;

/// See [`super::read`].
pub(super) fn read(
    table: &mut Table<'_>,
    scene: Option<&Scene>,
    options: &ReadOptions,
    parts: &mut Parts<'_>,
) -> Result<Recording, Problems> {
    let schema = table.metadata().file_metadata().schema_descr();
    let columns = schema.columns().iter();
    let all: StringRecord = columns.map(name_of).collect();
    let fault = |(what, help): (String, String)| Problem::new(table.file, what, help);
    let renamed = match options.listed() {
        Some(_) => Err(fault((
            "--columns lists columns by their order, but a Parquet file names them".to_owned(),
            "name each with its own name: --columns \"px=NAME,..\"".to_owned(),
        ))),
        None => options.renamed(all.clone()).map_err(fault),
    }?;
    let is_read = |(name, heading): &(&str, &str)| {
        Heading::of(heading).is_some() && table.columns.contains_key(&name.to_ascii_lowercase())
    };
    let is_fixed = |(column, heading): &(&ColumnDescPtr, &str)| {
        column.physical_type() == Type::FIXED_LEN_BYTE_ARRAY && Heading::of(heading).is_some()
    };
    if let Some((column, _)) = schema.columns().iter().zip(&renamed).find(is_fixed) {
        let what = format!(
            "the column `{}` has values of a fixed number of bytes, which are not read",
            name_of(column)
        );
        return Err(fault((what, "write it as DOUBLE".to_owned())).into());
    }
    let (names, others): (Vec<_>, Vec<_>) = all.iter().zip(&renamed).partition(is_read);
    let with_unit = |(name, heading): &(&str, &str)| match table.time_unit(name) {
        Some(unit) => format!("{heading} ({unit})"),
        None => (*heading).to_owned(),
    };
    let others = others.iter().map(|(name, _)| (*name).to_owned());
    let record: StringRecord = names.iter().map(with_unit).chain(others).collect();
    let names: Vec<String> = names
        .iter()
        .map(|(name, _)| name.to_ascii_lowercase())
        .collect();
    let opened = read_csv::Reader::open(table.file, (&record, 1), scene, options);
    let mut reader = opened.map_err(|mut problem| {
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
