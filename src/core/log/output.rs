//! Where the lines of a log are written.

use super::json::{FrameLine, HeaderLine};
use crate::core::schema::Scalar;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter};
use std::io::{self, Write};

/// An output of a log, line by line: text by default, as JSON Lines.
pub trait LogOutput {
    /// Writes the first line; its numbers, as those of all others, are written with the precision of `scalar`.
    ///
    /// # Errors
    /// Those of the output.
    fn header(&mut self, line: &HeaderLine, scalar: Scalar) -> io::Result<()>;

    /// Writes a later line.
    ///
    /// # Errors
    /// Those of the output.
    fn line(&mut self, line: FrameLine, scalar: Scalar) -> io::Result<()>;

    /// Writes what is buffered.
    ///
    /// # Errors
    /// Those of the output.
    fn flush_lines(&mut self) -> io::Result<()>;
}

impl<W: Write> LogOutput for W {
    fn header(&mut self, line: &HeaderLine, scalar: Scalar) -> io::Result<()> {
        self.write_all(&line_text(line, scalar)?)
    }

    fn line(&mut self, line: FrameLine, scalar: Scalar) -> io::Result<()> {
        self.write_all(&line_text(&line, scalar)?)
    }

    fn flush_lines(&mut self) -> io::Result<()> {
        self.flush()
    }
}

/// A value as one line of JSON, with the line's end. Made in memory, so that it is compiled for one output and not for each.
pub(super) fn line_text(line: &impl Serialize, scalar: Scalar) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let number = Vec::new();
    line.serialize(&mut Serializer::with_formatter(
        &mut text,
        Short { scalar, number },
    ))?;
    text.push(b'\n');
    Ok(text)
}

/// Writes the engine's numbers as short as they read back to the same value.
struct Short {
    scalar: Scalar,
    number: Vec<u8>,
}

impl Formatter for Short {
    fn write_f64<W: Write + ?Sized>(&mut self, output: &mut W, value: f64) -> io::Result<()> {
        self.number.clear();
        let narrow = value as f32;
        match self.scalar {
            Scalar::F32 if narrow.is_finite() => {
                CompactFormatter.write_f32(&mut self.number, narrow)?;
            }
            _ => CompactFormatter.write_f64(&mut self.number, value)?,
        }
        let whole = self.number.strip_suffix(b".0");
        let whole = whole.filter(|number| *number != b"-0");
        output.write_all(whole.unwrap_or(&self.number))
    }
}
