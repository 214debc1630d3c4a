//! Recordings of other programs: JSON Lines and CSV, read as streams and written; and the recorder other programs link.
//!
//! Both formats are contracts (docs/log-format.md). A bad line is reported by its number and left out; the frames around it
//! are kept.

mod builder;
mod json;
mod line;
mod object;
mod read_json;
mod space;

use super::problem::{Problem, Problems};
use super::progress::Progress;
use super::replay::Recording;
use super::scene::{Folder, Object};
use std::io;

pub use json::Scalar;

/// The two formats of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.jsonl`
    JsonLines,
    /// `.csv`
    Csv,
}

impl Format {
    /// By the file's ending, case ignored.
    pub fn of_path(path: &std::path::Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }
}

/// Reads a log as a stream; `bytes` is its length for progress (0 when unknown).
///
/// `known` are the objects of a scene that names the log: a CSV takes its shapes from them. Meshes come from `folder`.
///
/// # Errors
/// When nothing can be used: no header, no frame, cancelled. Bad lines are notices of the recording instead.
pub fn read(
    format: Format,
    input: impl io::BufRead,
    bytes: u64,
    file: &str,
    known: &[Object],
    folder: &dyn Folder,
    progress: &dyn Progress,
) -> Result<Recording, Problems> {
    match format {
        Format::JsonLines => read_json::read(input, bytes, file, folder, progress),
        Format::Csv => {
            let _ = known;
            todo!("helper log")
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
    output: &mut impl io::Write,
) -> io::Result<Vec<Problem>> {
    let _ = (format, recording, output);
    todo!("helper log")
}
