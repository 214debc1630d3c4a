//! Standard output: what to do when it cannot be written, and documents that are safe to print.

use super::{Status, report_problems};
use crate::core::escape::{escaped_with, is_unsafe};
use crate::core::problem::Problem;
use std::borrow::Cow;
use std::io::{ErrorKind, Write};

/// Prints. A reader that has gone (`hitstop check .. | head`) is no fault; anything else that is in the path is said.
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

/// A JSON document without characters that a terminal acts on; its strings mean the same.
pub(super) fn safe_json(json: &str) -> Cow<'_, str> {
    escaped_with(json, is_late, |c| format!("\\u{:04x}", u32::from(c)))
}

/// An XML document without characters that a terminal acts on; its texts mean the same.
pub(super) fn safe_xml(xml: &str) -> Cow<'_, str> {
    escaped_with(xml, is_late, |c| format!("&#x{:x};", u32::from(c)))
}

/// Those that writers of JSON and XML leave as they are, but for the blanks that lay the document out.
fn is_late(c: char) -> bool {
    is_unsafe(c) && (c == '\r' || c >= '\u{7F}')
}
