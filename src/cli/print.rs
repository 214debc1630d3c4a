//! Standard output: write errors and safe documents.

use super::{Status, report_problems};
use crate::core::escape::{escaped_with, is_unsafe};
use crate::core::problem::Problem;
use std::borrow::Cow;
use std::io::{ErrorKind, Write};

/// Writes to standard output. A closed pipe (`hitstop check .. | head`) is no error; others are reported.
pub(super) fn write_out(bytes: impl AsRef<[u8]>) -> Status {
    let mut out = anstream::stdout();
    match out.write_all(bytes.as_ref()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let what = format!("could not be written: {}", error.kind());
            let help = "send it somewhere else, or make room";
            report_problems(&[Problem::new("standard output", what, help)], false);
            Status::BadInput
        }
        _ => Status::Clean,
    }
}

/// Escapes characters of a JSON document that a terminal interprets.
pub(super) fn safe_json(json: &str) -> Cow<'_, str> {
    escaped_with(json, is_late, |c| format!("\\u{:04x}", u32::from(c)))
}

/// Escapes characters of an XML document that a terminal interprets.
pub(super) fn safe_xml(xml: &str) -> Cow<'_, str> {
    escaped_with(xml, is_late, |c| format!("&#x{:x};", u32::from(c)))
}

/// The characters that JSON and XML writers do not escape, except whitespace.
fn is_late(c: char) -> bool {
    is_unsafe(c) && (c == '\r' || c >= '\u{7F}')
}
