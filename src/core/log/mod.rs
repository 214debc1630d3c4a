//! Logs of other programs in JSON Lines, CSV and Parquet, read as streams and written, recordings of OmniPVD, and the [`Recorder`] for Rust programs.
//!
//! docs/log-format.md specifies the formats. A bad line is skipped and reported with its number.

mod builder;
mod clock;
mod columns;
mod compression;
mod csv_header;
mod csv_row;
mod headings;
mod json;
mod json_error;
mod json_header;
mod json_notes;
mod kept;
mod line;
mod live_output;
mod object;
mod open_fields;
mod output;
#[cfg(feature = "parquet")]
mod parquet_columns;
mod parts;
mod read_animation;
mod read_csv;
mod read_json;
mod read_options;
mod read_ovd;
#[cfg(feature = "parquet")]
mod read_parquet;
mod recorder;
mod result_file;
mod ring;
mod scan;
mod table_preview;
mod walk;
mod write_csv;
mod write_json;
#[cfg(feature = "parquet")]
mod write_parquet;

use super::file::Opened;
#[cfg(feature = "parquet")]
use super::file::{read_to_limit, unreadable};
use super::problem::{Problem, Problems};
use super::progress::Progress;
use super::replay::Recording;
use super::scene::{Folder, Scene};
#[cfg(feature = "parquet")]
use super::tolerance::MAX_FILE_BYTES;
use compression::CompressedProgress;
use line::Lines;
#[cfg(feature = "parquet")]
use parquet_columns::Source;
use std::io;
use std::path::Path;

pub use super::schema::Scalar;
pub use compression::{Compression, Compressor, copy_log};
pub use headings::{Column, length as unit_of_length};
pub use kept::{keep, reopen};
pub use line::{LINE_LIMIT, is_waiting};
pub use live_output::{LIVE_PORT, LiveOutput};
pub use output::LogOutput;
#[cfg(feature = "parquet")]
pub use parquet_columns::FINDINGS_KEY;
pub use parts::Parts;
pub use read_animation::read_animation;
pub use read_options::{ColumnNames, ReadOptions};
pub use recorder::{RecordError, Recorder};
pub use result_file::is_result;
pub use ring::RingRecorder;
pub use table_preview::TablePreview;
pub use walk::{WalkStep, write_walk};
pub use write_json::{Header, Snapshot};
#[cfg(feature = "parquet")]
pub use write_parquet::ParquetOutput;

/// The formats of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.jsonl`
    JsonLines,
    /// `.csv`
    Csv,
    /// `.ovd`, which is only read.
    Ovd,
    /// `.parquet`
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    /// Of a stream, by its first byte: JSON Lines, or OmniPVD.
    pub fn of_stream(first: Option<u8>) -> Self {
        match first.is_some_and(read_ovd::is_ovd) {
            true => Self::Ovd,
            false => Self::JsonLines,
        }
    }

    /// By the file's ending, case ignored; before that of a [`Compression`] if it has one.
    pub fn of_path(path: &Path) -> Option<Self> {
        match Compression::without_ending(path)
            .extension()?
            .to_str()?
            .to_ascii_lowercase()
            .as_str()
        {
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "csv" => Some(Self::Csv),
            "ovd" => Some(Self::Ovd),
            #[cfg(feature = "parquet")]
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }

    /// The same, of a file to be written.
    pub fn of_output(path: &Path) -> Option<Self> {
        Self::of_path(path).filter(|format| *format != Self::Ovd)
    }
}

/// Reads a log as a stream; `bytes` is its length for progress (0 when unknown). A compressed one is recognised by its first
/// bytes.
///
/// `scene` names the log: a CSV takes shapes, units, gravity and dt from it. Meshes of the log come from `folder`.
///
/// # Errors
/// When it cannot be read to its end, or nothing can be used: no header, no frame, cancelled. Bad lines, and a recording that is cut off, are
/// notices of the recording instead.
pub fn read(
    format: Format,
    mut input: impl io::BufRead,
    bytes: u64,
    file: &str,
    scene: Option<&Scene>,
    folder: &dyn Folder,
    progress: &dyn Progress,
) -> Result<Recording, Problems> {
    let context = ReadContext {
        file,
        scene,
        options: &ReadOptions::default(),
        folder,
        parts: Parts::none(),
    };
    read_stream(format, &mut input, bytes, context, progress)
}

/// Reads a log that was opened, one in Parquet without holding the file in memory, and hands on parts of it meanwhile.
///
/// An input that fails with [`WouldBlock`](io::ErrorKind::WouldBlock) has more to come. It is read again at once, so it must wait a little
/// itself, and end when the progress is cancelled.
///
/// # Errors
/// As [`read`].
pub fn read_in_parts(
    format: Format,
    opened: Opened<'_>,
    context: ReadContext<'_, '_>,
    progress: &dyn Progress,
) -> Result<Recording, Problems> {
    let Opened {
        mut input, length, ..
    } = opened;
    #[cfg(feature = "parquet")]
    if format == Format::Parquet
        && let Some(disk) = opened.file
        && Compression::of_content(input.fill_buf().unwrap_or_default()).is_none()
    {
        let source = Source::Disk(disk);
        return read_parquet::read(source, context, progress);
    }
    read_stream(format, &mut input, length, context, progress)
}

/// What is known of a log beside its content.
pub struct ReadContext<'c, 'p> {
    /// Its name in errors.
    pub file: &'c str,
    /// The scene that names it.
    pub scene: Option<&'c Scene>,
    /// What the user says about it.
    pub options: &'c ReadOptions,
    /// Where its meshes are.
    pub folder: &'c dyn Folder,
    /// Takes parts of it meanwhile.
    pub parts: Parts<'p>,
}

fn read_stream(
    format: Format,
    input: &mut impl io::BufRead,
    bytes: u64,
    context: ReadContext<'_, '_>,
    progress: &dyn Progress,
) -> Result<Recording, Problems> {
    // Any other error of the input comes again when it is read.
    let start = loop {
        match input.fill_buf() {
            Err(error) if is_waiting(&error) || error.kind() == io::ErrorKind::Interrupted => {}
            _ => break input.fill_buf().unwrap_or_default(),
        }
    };
    let Some(compression) = Compression::of_content(start) else {
        let expected = bytes;
        return read_plain(format, input, (bytes, expected), context, progress);
    };
    let progress = CompressedProgress::new(progress, bytes);
    let input = compression.decoded(input, &progress).map_err(|error| {
        let what = format!("the log cannot be decompressed: {error}");
        Problem::new(context.file, what, "record it again")
    })?;
    read_plain(format, input, (bytes, 0), context, &progress)
}

fn read_plain(
    format: Format,
    input: impl io::BufRead,
    (bytes, expected): (u64, u64),
    context: ReadContext<'_, '_>,
    progress: &dyn Progress,
) -> Result<Recording, Problems> {
    let file = context.file;
    let lines = |input| {
        let mut lines = Lines::new(input, bytes, file, progress);
        lines.expected = expected;
        lines
    };
    match format {
        Format::JsonLines => read_json::read(lines(input), context.folder, context.parts),
        Format::Csv => {
            let ReadContext {
                scene,
                options,
                parts,
                ..
            } = context;
            read_csv::read(lines(input), scene, options, parts)
        }
        Format::Ovd => read_ovd::read(input, (bytes, expected), context, progress),
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            let read = read_to_limit(input, MAX_FILE_BYTES);
            let bytes = read.map_err(|error| unreadable(file, &error))?;
            let bytes = bytes.ok_or_else(|| {
                let what = format!("larger than {} MiB in memory", MAX_FILE_BYTES >> 20);
                Problem::new(file, what, "decompress it first")
            })?;
            let source = Source::Memory(bytes.into());
            read_parquet::read(source, context, progress)
        }
    }
}

/// Writes a recording; what the format cannot hold is named in the result (CSV holds no shapes but radii, no contacts, ..).
///
/// # Errors
/// Those of the output.
pub fn write(
    format: Format,
    recording: &Recording,
    output: &mut (dyn io::Write + Send),
) -> io::Result<Vec<Problem>> {
    match format {
        Format::JsonLines => write_json::write(recording, output).map(|_| Vec::new()),
        #[cfg(feature = "parquet")]
        Format::Parquet => write_parquet::write(recording, output).map(|()| Vec::new()),
        Format::Csv => write_csv::write(recording, output),
        Format::Ovd => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "recordings of OmniPVD are only read",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::scene::MemoryFolder;

    /// A CSV had no limit once: a line without end took all memory.
    #[test]
    fn a_line_above_the_limit_is_left_out_with_its_number_in_both_formats() {
        let long = "x".repeat(300);
        let json = |frame: u32| format!(r#"{{"frame":{frame},"bodies":[{{"id":1,"p":[0,0,0]}}]}}"#);
        let object =
            r#"{"hitstop":1,"dt":0.1,"objects":[{"id":1,"shape":{"sphere":{"radius":1}}}]}"#;
        for (format, lines) in [
            (
                Format::JsonLines,
                [object.to_owned(), json(0), long.clone(), json(1)],
            ),
            (
                Format::Csv,
                [
                    "frame,time,name,px,py,pz,radius".to_owned(),
                    "0,0,a,0,0,0,1".to_owned(),
                    format!("\"{long}"),
                    "1,0.1,a,0,0,0,1".to_owned(),
                ],
            ),
        ] {
            let text = lines.join("\n");
            let mut lines = Lines::new(text.as_bytes(), 0, "a", &());
            lines.limit = 200;
            let folder = MemoryFolder::default();
            let recording = match format {
                Format::JsonLines => read_json::read(lines, &folder, Parts::none()),
                _ => read_csv::read(lines, None, &ReadOptions::default(), Parts::none()),
            };
            let recording = recording.unwrap();
            assert_eq!(recording.frames.len(), 2, "{format:?}");
            let [notice] = &recording.notices[..] else {
                panic!("{format:?}: {:?}", recording.notices);
            };
            assert_eq!(notice.at.unwrap().line, 3, "{format:?}");
            assert!(notice.what.contains("longer than"), "{notice}");
        }
    }
}
