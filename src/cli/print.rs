//! Standard output: write errors and safe documents.

use super::{Status, report_problems};
use crate::core::escape::{escaped_with, is_unsafe};
use crate::core::problem::Problem;
use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};

/// Writes to standard output. A closed pipe (`hitstop check .. | head`) is no error; others are reported.
pub(super) fn write_out(bytes: impl AsRef<[u8]>) -> Status {
    write_out_with(&mut |out| out.write_all(bytes.as_ref()))
}

/// The same with a function that writes.
pub(super) fn write_out_with(write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> Status {
    let mut out = anstream::stdout();
    match write(&mut out).and_then(|()| out.flush()) {
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

/// Writes JSON with the characters escaped that a terminal interprets.
pub(super) struct SafeJson<W>(pub W);

impl<W: Write> Write for SafeJson<W> {
    /// serde_json writes whole characters.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.0.write_all(safe_json(text).as_bytes())?,
            Err(_) => self.0.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Escapes characters of an XML document that a terminal interprets.
pub(super) fn safe_xml(xml: &str) -> Cow<'_, str> {
    escaped_with(xml, is_late, |c| format!("&#x{:x};", u32::from(c)))
}

/// The characters that JSON and XML writers do not escape, except whitespace.
fn is_late(c: char) -> bool {
    is_unsafe(c) && (c == '\r' || c >= '\u{7F}')
}
