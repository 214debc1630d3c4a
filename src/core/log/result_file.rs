//! Results of `hitstop check`, whose files have the endings of logs.

use super::compression::{CompressedProgress, Compression};
use super::json::Peek;
use super::{Format, line::LINE_LIMIT};
use crate::core::file::open_file;
use std::io::BufRead;
use std::path::Path;

/// Whether a file on disk has the ending of a log and is a result of `hitstop check`. A file that cannot be read is none.
pub fn is_result(path: &Path) -> bool {
    let Some(format) = Format::of_path(path) else {
        return false;
    };
    let Ok(mut opened) = open_file(path) else {
        return false;
    };
    match format {
        Format::JsonLines => {
            let start = opened.input.fill_buf().unwrap_or_default();
            let progress = CompressedProgress::new(&(), opened.length);
            match Compression::of_content(start) {
                None => begins_with_result(opened.input),
                Some(compression) => {
                    let decoded = compression.decoded(opened.input, &progress);
                    decoded.is_ok_and(begins_with_result)
                }
            }
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => opened.file.is_some_and(super::read_parquet::is_findings),
        Format::Csv | Format::Ovd => false,
    }
}

fn begins_with_result(input: impl BufRead) -> bool {
    let input = input.take(LINE_LIMIT as u64);
    let mut lines = serde_json::Deserializer::from_reader(input).into_iter::<Peek>();
    matches!(lines.next(), Some(Ok(peek)) if peek.is_result())
}
