//! The longest line of a log.

use std::io::{self, Write};

/// An output that refuses lines which could not be read again.
pub struct LineLimit<W> {
    /// What is written to.
    pub output: W,
    /// Bytes.
    pub limit: usize,
    /// Bytes of the line that is being written.
    pub length: usize,
    /// Whether a line was longer.
    pub is_exceeded: bool,
}

impl<W: Write> Write for LineLimit<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        for (index, part) in bytes[..written].split(|byte| *byte == b'\n').enumerate() {
            self.length = match index {
                0 => self.length + part.len(),
                _ => part.len(),
            };
            self.is_exceeded |= self.length > self.limit;
        }
        match self.is_exceeded {
            true => Err(io::ErrorKind::FileTooLarge.into()),
            false => Ok(written),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
