//! Logs of other programs in JSON Lines and CSV, read as streams and written, and the [`Recorder`] for Rust programs.
//!
//! docs/log-format.md specifies both formats. A bad line is skipped and reported with its number.

mod builder;
mod columns;
mod compression;
mod json;
mod json_header;
mod line;
mod object;
mod open_fields;
mod read_csv;
mod read_json;
mod recorder;
mod ring;
mod walk;
mod write_csv;
mod write_json;

use super::problem::{Problem, Problems};
use super::progress::Progress;
use super::replay::Recording;
use super::scene::{Folder, Scene};
use compression::CompressedProgress;
use line::Lines;
use std::io;
use std::path::Path;

pub use super::schema::Scalar;
pub use compression::{Compression, Compressor};
pub use line::LINE_LIMIT;
pub use recorder::{RecordError, Recorder};
pub use ring::RingRecorder;
pub use walk::{WalkStep, write_walk};
pub use write_json::{Header, Snapshot};

/// The two formats of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.jsonl`
    JsonLines,
    /// `.csv`
    Csv,
}

impl Format {
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
            _ => None,
        }
    }
}

/// Reads a log as a stream; `bytes` is its length for progress (0 when unknown). A compressed one is recognised by its first
/// bytes.
///
/// `scene` names the log: a CSV takes shapes, units, gravity and dt from it. Meshes of the log come from `folder`.
///
/// # Errors
/// When nothing can be used: no header, no frame, cancelled. Bad lines, and an end in the middle, are notices of the recording
/// instead.
pub fn read(
    format: Format,
    mut input: impl io::BufRead,
    bytes: u64,
    file: &str,
    scene: Option<&Scene>,
    folder: &dyn Folder,
    progress: &dyn Progress,
) -> Result<Recording, Problems> {
    let start = input.fill_buf().unwrap_or_default();
    let Some(compression) = Compression::of_content(start) else {
        // An error of the input comes again with the first line.
        let lines = Lines::new(input, bytes, file, progress);
        return read_lines(format, lines, scene, folder);
    };
    let progress = CompressedProgress::new(progress, bytes);
    let input = compression.decoded(input, &progress).map_err(|error| {
        let what = format!("the log cannot be decompressed: {error}");
        Problem::new(file, what, "record it again")
    })?;
    read_lines(
        format,
        Lines::new(input, bytes, file, &progress),
        scene,
        folder,
    )
}

fn read_lines(
    format: Format,
    lines: Lines<'_, impl io::BufRead>,
    scene: Option<&Scene>,
    folder: &dyn Folder,
) -> Result<Recording, Problems> {
    match format {
        Format::JsonLines => read_json::read(lines, folder),
        Format::Csv => read_csv::read(lines, scene),
    }
}

/// Writes a recording; what the format cannot hold is named in the result (CSV holds no shapes but radii, no contacts, ..).
///
/// # Errors
/// Those of the output.
pub fn write(
    format: Format,
    recording: &Recording,
    output: &mut impl io::Write,
) -> io::Result<Vec<Problem>> {
    match format {
        Format::JsonLines => write_json::write(recording, output).map(|()| Vec::new()),
        Format::Csv => write_csv::write(recording, output),
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
        let object = r#"{"hitstop":1,"dt":1,"objects":[{"id":1,"shape":{"sphere":{"radius":1}}}]}"#;
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
                    "1,1,a,0,0,0,1".to_owned(),
                ],
            ),
        ] {
            let text = lines.join("\n");
            let mut lines = Lines::new(text.as_bytes(), 0, "a", &());
            lines.limit = 200;
            let folder = MemoryFolder::default();
            let recording = read_lines(format, lines, None, &folder).unwrap();
            assert_eq!(recording.frames.len(), 2, "{format:?}");
            let [notice] = &recording.notices[..] else {
                panic!("{format:?}: {:?}", recording.notices);
            };
            assert_eq!(notice.at.unwrap().line, 3, "{format:?}");
            assert!(notice.what.contains("longer than"), "{notice}");
        }
    }
}
