//! Recordings of other programs: JSON Lines and CSV, read as streams and written; and the recorder other programs link.
//!
//! Both formats are contracts (docs/log-format.md). A bad line is reported by its number and left out; the frames around it
//! are kept.

mod builder;
mod columns;
mod json;
mod line;
mod object;
mod read_csv;
mod read_json;
mod recorder;
mod space;
mod walk;
mod write_csv;
mod write_json;

use super::problem::{Problem, Problems};
use super::progress::Progress;
use super::replay::Recording;
use super::scene::{Folder, Scene};
use std::io;

pub use json::Scalar;
pub use recorder::{RecordError, Recorder};
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
/// `scene` is one that names the log: a CSV, which says little of itself, takes shapes, units, gravity and dt from it. Meshes of
/// the log come from `folder`.
///
/// # Errors
/// When nothing can be used: no header, no frame, cancelled. Bad lines are notices of the recording instead.
pub fn read(
    format: Format,
    input: impl io::BufRead,
    bytes: u64,
    file: &str,
    scene: Option<&Scene>,
    folder: &dyn Folder,
    progress: &dyn Progress,
) -> Result<Recording, Problems> {
    match format {
        Format::JsonLines => read_json::read(input, bytes, file, folder, progress),
        Format::Csv => read_csv::read(input, bytes, file, scene, progress),
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
