//! Reads Parquet: logs that this program wrote, and tables of other programs with the columns of a CSV.

mod rows;

use super::compression::{EXPANSION, FREE_BYTES};
use super::json::{self, BodyLine, FrameLine, HeaderLine, IS_RESULT, Own};
use super::json_notes::Lenient;
use super::open_fields::Open;
use super::parquet_columns::{
    FINDINGS_COLUMNS, FINDINGS_KEY, FLOATS, HEADER_KEY, OTHERS, Source, Values,
};
use super::parts::Parts;
use super::{ReadContext, read_json};
use crate::core::file::SeekableFile;
use crate::core::number::count;
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::Recording;
use crate::core::scene::Folder;
use crate::core::schema::{LogTurn, Number, Spin, Vec3};
use parquet::basic::{Compression, ConvertedType, LogicalType, TimeUnit, Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{FileReader, Length, SerializedFileReader};
use parquet::schema::types::ColumnDescPtr;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rows::read_rows;
pub(super) use rows::{TableColumns, head};

/// Bytes that a row is counted as: about those of its body in memory.
const ROW_BYTES: u64 = 128;

const DAMAGED: &str = "write it again, or convert the log that it was made of";

/// See [`super::read`].
pub(super) fn read(
    source: Source,
    context: ReadContext<'_, '_>,
    progress: &dyn Progress,
) -> Result<Recording, Problems> {
    let ReadContext {
        file,
        scene,
        options,
        folder,
        mut parts,
    } = context;
    let mut table = Table::open(source, file, progress)?;
    match table.header() {
        Some(header) => read_log(&mut table, header, folder, &mut parts),
        None if table.is_findings() => {
            let help = "query the table as docs/fleet.md shows; open the level that it names";
            Err(Problem::new(file, IS_RESULT, help).into())
        }
        None => read_rows(&mut table, scene, options, &mut parts),
    }
}

/// Whether a file is a table of findings.
pub(super) fn is_findings(file: SeekableFile) -> bool {
    Table::open(Source::Disk(file), "", &()).is_ok_and(|table| table.is_findings())
}

/// An opened file.
struct Table<'f> {
    reader: SerializedFileReader<Source>,
    /// Columns by name.
    columns: HashMap<String, usize>,
    file: &'f str,
    progress: &'f dyn Progress,
    length: u64,
    rows: u64,
    rows_read: u64,
    /// Bytes that texts may still expand to.
    texts: u64,
}

impl<'f> Table<'f> {
    fn open(source: Source, file: &'f str, progress: &'f dyn Progress) -> Result<Self, Problem> {
        let length = source.len();
        let reader = guarded(|| SerializedFileReader::new(source)).map_err(|what| {
            let what = format!("this is not a whole Parquet file: {what}");
            let help = "a Parquet file cannot be read before it is finished; record .jsonl.zst where a program may stop early";
            Problem::new(file, what, help)
        })?;
        let limit = FREE_BYTES.max(length.saturating_mul(EXPANSION));
        let groups = || reader.metadata().row_groups().iter();
        let rows = groups().map(|group| group.num_rows().max(0) as u64);
        let rows = rows.fold(0, u64::saturating_add);
        if rows.saturating_mul(ROW_BYTES) > limit {
            let what =
                format!("the file says that it has {rows} rows, too many for its {length} bytes");
            return Err(Problem::new(file, what, DAMAGED));
        }
        let mut chunks = groups().flat_map(|it| it.columns());
        // The library expects all three to be positive.
        let is_place = |chunk: &ColumnChunkMetaData| {
            let dictionary = chunk.dictionary_page_offset().unwrap_or_default();
            dictionary >= 0 && chunk.data_page_offset() >= 0 && chunk.compressed_size() >= 0
        };
        if !chunks.all(is_place) {
            return Err(Problem::new(
                file,
                "a column lies outside the file",
                DAMAGED,
            ));
        }
        let size = |group: &RowGroupMetaData| {
            let sizes = group
                .columns()
                .iter()
                .map(|it| it.uncompressed_size().max(0));
            sizes.fold(0_u64, |sum, size| sum.saturating_add(size as u64))
        };
        if let Some(size) = groups().map(size).find(|size| *size > limit) {
            let what = format!("rows expand to {size} bytes, too many for a file of {length}");
            return Err(Problem::new(file, what, DAMAGED));
        }
        let mut codecs = groups()
            .flat_map(|it| it.columns())
            .map(ColumnChunkMetaData::compression);
        if let Some(codec) = codecs.find(|codec| !is_read(*codec)) {
            // With its level in brackets.
            let codec = codec.to_string();
            let codec = codec.split('(').next().unwrap_or_default();
            let what = format!("it is compressed with {codec}, which is not read");
            let help = "write it with zstd, snappy, lz4 or gzip";
            return Err(Problem::new(file, what, help));
        }
        let schema = reader.metadata().file_metadata().schema_descr();
        let columns = schema.columns().iter().enumerate();
        let plain = columns.filter(|(_, column)| column.max_rep_level() == 0);
        let columns = plain
            .map(|(at, column)| (name_of(column).to_ascii_lowercase(), at))
            .collect();
        Ok(Self {
            reader,
            columns,
            file,
            progress,
            length,
            rows,
            rows_read: 0,
            texts: limit,
        })
    }

    fn metadata(&self) -> &ParquetMetaData {
        self.reader.metadata()
    }

    /// The header line of a log.
    fn header(&self) -> Option<String> {
        let values = self.metadata().file_metadata().key_value_metadata()?;
        let header = values.iter().find(|value| value.key == HEADER_KEY)?;
        header.value.clone()
    }

    /// Whether it is a table of findings.
    fn is_findings(&self) -> bool {
        let metadata = self.metadata().file_metadata().key_value_metadata();
        let mut keys = metadata.into_iter().flatten().map(|value| &value.key);
        let has = |name: &&str| self.columns.contains_key(*name);
        keys.any(|key| key == FINDINGS_KEY) || FINDINGS_COLUMNS.iter().all(has)
    }

    /// The columns of a log whose values are of a type that is not read, each with what it is.
    fn unread(&self) -> Vec<(&'static str, String)> {
        let schema = self.metadata().file_metadata().schema_descr();
        let kind = |name: &'static str| {
            let Some(&at) = self.columns.get(name) else {
                let group = format!("{name}.");
                let is_in =
                    |it: &ColumnDescPtr| name_of(it).to_ascii_lowercase().starts_with(&group);
                let is_group = schema.columns().iter().any(is_in);
                return is_group.then(|| "a group or a list".to_owned());
            };
            let kind = schema.column(at).physical_type();
            let is_read = match kind {
                Type::BYTE_ARRAY => name == "rest",
                Type::FIXED_LEN_BYTE_ARRAY => false,
                Type::BOOLEAN => matches!(name, "teleported" | "asleep"),
                _ => name != "rest",
            };
            (!is_read).then(|| kind.to_string())
        };
        let all = OTHERS.into_iter().chain(FLOATS);
        all.filter_map(|name| Some((name, kind(name)?))).collect()
    }

    fn group_rows(&self, group: usize) -> usize {
        self.metadata().row_group(group).num_rows().max(0) as usize
    }

    /// The unit of a column of times.
    fn time_unit(&self, name: &str) -> Option<&'static str> {
        let schema = self.metadata().file_metadata().schema_descr();
        let column = *self.columns.get(&name.to_ascii_lowercase())?;
        let column = schema.column(column);
        match (column.logical_type_ref(), column.converted_type()) {
            (Some(LogicalType::Timestamp(kind) | LogicalType::Time(kind)), _) => {
                Some(match kind.unit {
                    TimeUnit::MILLIS => "ms",
                    TimeUnit::MICROS => "us",
                    TimeUnit::NANOS => "ns",
                })
            }
            // Older writers.
            (_, ConvertedType::TIMESTAMP_MILLIS | ConvertedType::TIME_MILLIS) => Some("ms"),
            (_, ConvertedType::TIMESTAMP_MICROS | ConvertedType::TIME_MICROS) => Some("us"),
            _ => (column.physical_type() == Type::INT96).then_some("ns"),
        }
    }

    fn column(&self, name: &str, group: usize) -> Result<Values, String> {
        self.values(name, group, self.group_rows(group))
    }

    /// The first rows of a column in a row group.
    fn values(&self, name: &str, group: usize, rows: usize) -> Result<Values, String> {
        let Some(&column) = self.columns.get(name) else {
            return Ok(Values::Absent);
        };
        let schema = self.metadata().file_metadata().schema_descr();
        let described = schema.column(column);
        let values = guarded(|| {
            let reader = self.reader.get_row_group(group)?;
            Values::read(
                reader.get_column_reader(column)?,
                rows,
                described.max_def_level(),
            )
        })?;
        Ok(match described.converted_type() {
            ConvertedType::DECIMAL => values.with_decimals(described.type_scale()),
            _ => values,
        })
    }

    /// The named columns of some row groups, one after the other.
    fn columns<const N: usize>(
        &self,
        names: [&str; N],
        groups: &[usize],
    ) -> Result<[Values; N], String> {
        let mut all = [const { Values::Absent }; N];
        for &group in groups {
            for (values, name) in all.iter_mut().zip(names) {
                values.append(self.column(name, group)?);
            }
        }
        Ok(all)
    }

    /// Reports the progress after more rows were read.
    fn report(&mut self, rows: usize) -> Result<(), Problem> {
        self.rows_read += rows as u64;
        let share = self.rows_read as f64 / self.rows.max(1) as f64;
        let done = (share * self.length as f64) as u64;
        self.progress.report(done, self.length);
        match self.progress.cancelled() {
            true => Err(Problem::new(self.file, "reading was cancelled", "")),
            false => Ok(()),
        }
    }

    /// Row groups in the order of their frames; those that share frames are read together.
    fn batches(&self) -> Result<Vec<Vec<usize>>, Problem> {
        let mut spans: Vec<(RangeInclusive<i64>, usize)> = Vec::new();
        for group in 0..self.metadata().num_row_groups() {
            let rows = self.group_rows(group);
            let frames = self.column("frame", group);
            let frames = frames.map_err(|what| damaged(self.file, group, &what))?;
            let numbers = || (0..rows).filter_map(|row| frames.whole(row));
            if let (Some(first), Some(last)) = (numbers().min(), numbers().max()) {
                spans.push((first..=last, group));
            }
        }
        spans.sort_by_key(|(frames, _)| *frames.start());
        let mut batches: Vec<Vec<usize>> = Vec::new();
        let mut end = None;
        for (frames, group) in spans {
            match batches.last_mut() {
                Some(batch) if end >= Some(*frames.start()) => batch.push(group),
                _ => batches.push(vec![group]),
            }
            end = end.max(Some(*frames.end()));
        }
        Ok(batches)
    }
}

/// The name of a column, with those of the groups that it is in: `position.x`.
fn name_of(column: &ColumnDescPtr) -> String {
    column.path().string()
}

fn is_read(codec: Compression) -> bool {
    matches!(
        codec,
        Compression::UNCOMPRESSED
            | Compression::SNAPPY
            | Compression::GZIP(_)
            | Compression::LZ4
            | Compression::LZ4_RAW
            | Compression::ZSTD(_)
    )
}

/// The result of reading a file that may be damaged in ways that the Parquet library does not expect.
fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(read) => read.map_err(|error| error.to_string()),
        Err(_) => Err("its data contradicts itself".to_owned()),
    }
}

fn damaged(file: &str, group: usize, what: &str) -> Problem {
    let what = format!("row group {} cannot be read: {what}", group + 1);
    Problem::new(file, what, DAMAGED)
}

/// A log with its header in the metadata.
fn read_log(
    table: &mut Table<'_>,
    header: String,
    folder: &dyn Folder,
    parts: &mut Parts<'_>,
) -> Result<Recording, Problems> {
    let mut header = header.into_bytes();
    let header: HeaderLine = json::parse(&mut header).map_err(|error| {
        let what = format!("the header in the metadata: {}", error.what);
        Problem::new(table.file, what, error.help)
    })?;
    if header.version != 1 {
        let what = read_json::other_version(header.version);
        let help = "open it with the program that wrote it, or a later one";
        return Err(Problem::new(table.file, what, help).into());
    }
    let mut reader = read_json::Reader::with_header(header, 1, table.file, folder)?;
    for (name, kind) in table.unread() {
        let what = format!("the values of the column `{name}` are not read: it is {kind}");
        let help = match name {
            "rest" => "write it as text (BYTE_ARRAY)",
            "teleported" | "asleep" => "write it as BOOLEAN",
            "frame" | "id" | "island" => "write whole numbers (INT64)",
            _ => "write it as FLOAT or DOUBLE",
        };
        let problem = Problem::new(table.file, what, help);
        match name {
            "frame" | "id" | "px" | "py" | "pz" => return Err(problem.into()),
            _ => reader.notice(problem),
        }
    }
    let mut unnumbered = 0;
    // The number of a frame's line in JSON Lines.
    let mut line = 1;
    for groups in table.batches()? {
        match Batch::read(table, &groups) {
            Ok(batch) => {
                unnumbered += batch.unnumbered();
                batch.frames(table, &mut line, &mut reader)?;
            }
            Err(what) => {
                let mut notice = damaged(table.file, groups[0], &what);
                notice.what += "; its frames are left out";
                reader.left_out(notice);
            }
        }
        let rows = groups.iter().map(|group| table.group_rows(*group)).sum();
        table.report(rows)?;
        reader.offer(parts);
    }
    if unnumbered > 0 {
        let rows = count(unnumbered, "row");
        let what = format!(
            "{rows} without a whole number in `frame` or `id`, left out: a body or a frame may be missing"
        );
        let help = "write both for every row";
        reader.left_out(Problem::new(table.file, what, help));
    }
    reader.finish()
}

/// The rows of some row groups.
struct Batch {
    rows: usize,
    frame: Values,
    time: Values,
    id: Values,
    floats: [Values; FLOATS.len()],
    teleported: Values,
    asleep: Values,
    island: Values,
    rest: Values,
}

impl Batch {
    fn read(table: &Table<'_>, groups: &[usize]) -> Result<Self, String> {
        let [frame, time, id, teleported, asleep, island, rest] = table.columns(OTHERS, groups)?;
        Ok(Self {
            rows: groups.iter().map(|group| table.group_rows(*group)).sum(),
            frame,
            time,
            id,
            floats: table.columns(FLOATS, groups)?,
            teleported,
            asleep,
            island,
            rest,
        })
    }

    /// Rows that belong to no frame, or have a position and belong to no body. A frame without bodies has one row without an `id`.
    fn unnumbered(&self) -> usize {
        let is_lost = |row: &usize| {
            let is_body = self.floats[0].number(*row).is_some();
            self.frame.whole(*row).is_none() || (is_body && self.id.whole(*row).is_none())
        };
        (0..self.rows).filter(is_lost).count()
    }

    /// Hands the frames to a reader, in order.
    fn frames(
        &self,
        table: &mut Table<'_>,
        line: &mut usize,
        reader: &mut read_json::Reader<'_>,
    ) -> Result<(), Problem> {
        let with_frame = (0..self.rows)
            .filter_map(|row| Some((self.frame.whole(row)?, self.id.whole(row), row)));
        let mut rows: Vec<(i64, Option<i64>, usize)> = with_frame.collect();
        rows.sort_unstable();
        for rows in rows.chunk_by(|a, b| a.0 == b.0) {
            *line += 1;
            let rest = rows.iter().find_map(|(.., row)| self.rest.text(*row));
            let rest = rest.unwrap_or(b"{}");
            table.texts = table.texts.saturating_sub(rest.len() as u64);
            if table.texts == 0 {
                let what = "its texts expand to far more than its size";
                return Err(Problem::new(table.file, what, DAMAGED));
            }
            let parsed = json::parse::<Open<FrameLine>>(&mut rest.to_vec());
            reader.parsed(*line, parsed.map(|rest| self.line(rows, rest)));
        }
        Ok(())
    }

    /// The line of a frame's rows.
    fn line(
        &self,
        rows: &[(i64, Option<i64>, usize)],
        mut rest: Open<FrameLine>,
    ) -> Open<FrameLine> {
        let value = &mut rest.value;
        value.frame = rows
            .first()
            .and_then(|(frame, ..)| u64::try_from(*frame).ok());
        let time = rows.iter().find_map(|(.., row)| self.time.number(*row));
        value.t = time.map(|time| Own(Number(time)));
        let bodies = rows.iter().filter_map(|(_, id, row)| {
            let id = u64::try_from((*id)?).ok()?;
            Some(self.body(id, *row).into())
        });
        value.bodies = Some(bodies.collect());
        rest
    }

    fn body(&self, id: u64, row: usize) -> BodyLine {
        let group = |from: usize| {
            let number = |at: usize| Some(Number(self.floats[from + at].number(row)?));
            Some([number(0)?, number(1)?, number(2)?])
        };
        let rotation = || {
            let [x, y, z] = group(3)?;
            let w = Number(self.floats[6].number(row)?);
            Some(LogTurn::Quaternion([x, y, z, w]))
        };
        BodyLine {
            id,
            // A missing position is as one that is not finite: a finding.
            p: Vec3::deep(group(0).unwrap_or([Number(f64::NAN); 3])),
            q: rotation(),
            v: group(7).map(Vec3::deep),
            w: group(10).map(|spin| Spin(Vec3::deep(spin))),
            teleported: self.teleported.flag(row),
            asleep: self.asleep.flag(row),
            island: (self.island.whole(row))
                .and_then(|island| u32::try_from(island).ok())
                .map(Lenient::Read),
        }
    }
}
