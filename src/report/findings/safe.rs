//! Documents without characters that a terminal interprets.

use crate::core::escape::{HASHES, escaped_with, is_unsafe};
use std::borrow::Cow;
use std::io::{self, Write};

/// A document without characters that a terminal interprets, and without what a service of continuous integration does, which are escaped.
fn safe(document: &str, escape: fn(char) -> String) -> Cow<'_, str> {
    let safe = escaped_with(document, is_late, escape);
    match safe.contains(HASHES) {
        true => Cow::Owned(safe.replace(HASHES, &format!("#{}[", escape('#')))),
        false => safe,
    }
}

/// The same JSON, safe to print.
pub fn safe_json(json: &str) -> Cow<'_, str> {
    safe(json, |c| format!("\\u{:04x}", u32::from(c)))
}

/// Writes JSON with the characters escaped that a terminal interprets.
pub struct SafeJson<W>(pub W);

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

/// The same XML, safe to print.
pub fn safe_xml(xml: &str) -> Cow<'_, str> {
    safe(xml, |c| format!("&#x{:x};", u32::from(c)))
}

/// The characters that JSON and XML writers do not escape, except whitespace.
fn is_late(c: char) -> bool {
    is_unsafe(c) && (c == '\r' || c >= '\u{7F}')
}
