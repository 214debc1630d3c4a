//! Lines of a stream with one buffer and a length limit.

use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use std::io::{self, BufRead, ErrorKind, Read};

/// Limit of a line's length in bytes; a longer one is refused without being held in memory.
///
/// A header with a large level's triangles in it stays well below; a file without line ends does not.
pub const LINE_LIMIT: usize = 256 << 20;

/// Bytes between two progress reports, which also allow cancelling.
const REPORT_BYTES: u64 = 256 << 10;

/// Result of reading a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// It is in [`Lines::text`].
    Read,
    /// It is not complete yet, as the input has nothing more at present.
    Waiting,
    /// It was longer than the limit and is skipped.
    TooLong,
    /// The stream ends.
    End,
}

/// A stream read line by line; every [`REPORT_BYTES`] the progress is reported, within a line too.
pub(super) struct Lines<'p, R> {
    input: R,
    /// The file's name in problems.
    pub file: &'p str,
    /// Length of the stream; 0 when unknown.
    total: u64,
    progress: &'p dyn Progress,
    /// Least number of bytes that a whole stream has.
    pub expected: u64,
    /// Bytes of the longest line.
    pub limit: usize,
    /// The current line without its end.
    pub text: Vec<u8>,
    /// Number of the current line, from 1.
    pub number: usize,
    /// Bytes of the current line so far.
    length: u64,
    too_long: bool,
    /// The current line goes on with what is read next.
    is_waiting: bool,
    /// Bytes consumed so far.
    bytes: u64,
    /// Bytes at which the progress is next reported.
    due: u64,
    /// Why the stream ends early, once it did.
    pub broken: Option<Problem>,
}

/// True for the error of a recording that ends early: one that is cut off, damaged in its compressed data, or of a game that was stopped. Any
/// other error says nothing about the rest of the file.
pub(super) fn is_early_end(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::UnexpectedEof
            | ErrorKind::InvalidData
            | ErrorKind::InvalidInput
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
    )
}

/// True for the error of an input that has nothing more at present.
pub fn is_waiting(error: &io::Error) -> bool {
    // Sockets with a time limit give either of the two, depending on the system.
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

impl<'p, R: BufRead> Lines<'p, R> {
    /// The lines of a file; `total` is its length in bytes, 0 when unknown.
    pub fn new(input: R, total: u64, file: &'p str, progress: &'p dyn Progress) -> Self {
        Self {
            input,
            file,
            total,
            progress,
            expected: 0,
            limit: LINE_LIMIT,
            text: Vec::new(),
            number: 0,
            length: 0,
            too_long: false,
            is_waiting: false,
            bytes: 0,
            due: 0,
            broken: None,
        }
    }

    /// Reads the next line; a byte order mark before the first is dropped. An input that is cut off later ends there: see
    /// [`Lines::broken`].
    ///
    /// # Errors
    /// When the input cannot be read, is cut off in the first line, has fewer bytes than [`Lines::expected`], expands beyond all bounds, or the reading is cancelled.
    pub fn next(&mut self) -> Result<Line, Problems> {
        if !std::mem::take(&mut self.is_waiting) {
            self.text.clear();
            (self.length, self.too_long) = (0, false);
        }
        loop {
            self.report()?;
            let before = self.text.len();
            let mut part = (&mut self.input).take(REPORT_BYTES);
            let read = part.read_until(b'\n', &mut self.text);
            // What comes before an error is read, too.
            let count = (self.text.len() - before) as u64;
            self.bytes += count;
            self.length += count;
            let ended = self.text.last() == Some(&b'\n');
            if self.length - u64::from(ended) > self.limit as u64 {
                self.too_long = true;
                self.text = Vec::new();
            }
            match read {
                Ok(_) if count == 0 || ended => break,
                Ok(_) => {}
                Err(error) if is_waiting(&error) => {
                    self.is_waiting = true;
                    return Ok(Line::Waiting);
                }
                Err(error) => {
                    let mut problem = self.unreadable(&error);
                    if self.number == 0 || !is_early_end(&error) {
                        return Err(problem.into());
                    }
                    problem.what += "; the frames before are kept";
                    self.broken = Some(problem);
                    return Ok(Line::End);
                }
            }
        }
        if self.length == 0 {
            self.progress.report(self.bytes, self.total);
            if self.bytes < self.expected {
                let (read, all) = (self.bytes, self.expected);
                let what = format!("the log cannot be read: {read} of its {all} bytes are there");
                let help = "copy it to a disk that can be read, and wait until it is written";
                return Err(Problem::new(self.file, what, help).into());
            }
            return Ok(Line::End);
        }
        self.number += 1;
        if self.too_long {
            return Ok(Line::TooLong);
        }
        if self.number == 1 && self.text.starts_with(b"\xEF\xBB\xBF") {
            self.text.drain(..3);
        }
        for end in [b'\n', b'\r'] {
            if self.text.last() == Some(&end) {
                self.text.pop();
            }
        }
        Ok(Line::Read)
    }

    /// Reads to the first line that is not blank: the header.
    ///
    /// # Errors
    /// When there is none, or it is not text.
    pub fn header(&mut self, help: &str) -> Result<(), Problems> {
        let file = self.file;
        let fault = |what: &str| Problem::new(file, what, help);
        loop {
            match self.next()? {
                Line::End => return Err(fault("the log is empty").into()),
                Line::Waiting => {}
                Line::TooLong => {
                    let what = "the first line is too long to be a header";
                    return Err(fault(what).at(self.number, 1).into());
                }
                Line::Read if self.is_blank() => {}
                Line::Read => break,
            }
        }
        if let Some(encoding) = foreign_encoding(&self.text) {
            let what = format!("this is {encoding}, not UTF-8 text");
            let help = "save the log as plain UTF-8 text";
            return Err(Problem::new(self.file, what, help).into());
        }
        Ok(())
    }

    /// True when the current line holds nothing but blanks.
    pub fn is_blank(&self) -> bool {
        self.text.iter().all(u8::is_ascii_whitespace)
    }

    /// The problem of an input that fails in the line after the current one.
    fn unreadable(&self, error: &io::Error) -> Problem {
        let help = "copy it to a disk that can be read, or record it again";
        let cut_off = "copy the whole file again; a program that was stopped loses up to a second";
        let (what, help) = match error.kind() {
            ErrorKind::FileTooLarge => (
                error.to_string(),
                "decompress it first, and open the result",
            ),
            ErrorKind::UnexpectedEof => ("the file is cut off here".to_owned(), cut_off),
            ErrorKind::InvalidData | ErrorKind::InvalidInput => (
                format!("the compressed data is damaged here: {error}"),
                help,
            ),
            _ => (format!("the log cannot be read: {error}"), help),
        };
        Problem::new(self.file, what, help).at(self.number + 1, 1)
    }

    fn report(&mut self) -> Result<(), Problem> {
        if self.bytes < self.due {
            return Ok(());
        }
        self.due = self.bytes + REPORT_BYTES;
        self.progress.report(self.bytes, self.total);
        match self.progress.cancelled() {
            true => Err(Problem::new(self.file, "reading was cancelled", "")),
            false => Ok(()),
        }
    }
}

/// What is wrong with a line that is [`Line::TooLong`].
pub(super) const TOO_LONG: &str = "the line is longer than 256 MiB";

/// The encoding a text is in when it is not UTF-8 but begins with the mark of another.
fn foreign_encoding(start: &[u8]) -> Option<&'static str> {
    if start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF") {
        Some("UTF-16")
    } else if start.starts_with(b"PK\x03\x04") {
        Some("a zip archive")
    } else if start.starts_with(b"\x1F\x8B") {
        Some("gzip")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, limit: usize) -> Vec<(usize, Line, String)> {
        let mut lines = Lines::new(text.as_bytes(), 0, "a", &());
        lines.limit = limit;
        let mut seen = Vec::new();
        loop {
            let line = lines.next().unwrap();
            if line == Line::End {
                assert_eq!(lines.bytes, text.len() as u64);
                return seen;
            }
            let text = String::from_utf8(lines.text.clone()).unwrap();
            seen.push((lines.number, line, text));
        }
    }

    #[test]
    fn ends_marks_and_the_last_line_without_an_end() {
        assert_eq!(
            all("\u{feff}a\r\n\nbc", 10),
            [
                (1, Line::Read, "a".into()),
                (2, Line::Read, String::new()),
                (3, Line::Read, "bc".into()),
            ]
        );
        assert_eq!(all("", 10), []);
    }

    #[test]
    fn a_line_at_the_limit_is_read_and_a_longer_one_is_skipped() {
        assert_eq!(
            all("abcd\nabcde\nabcdefghijkl\nx\n", 4),
            [
                (1, Line::Read, "abcd".into()),
                (2, Line::TooLong, String::new()),
                (3, Line::TooLong, String::new()),
                (4, Line::Read, "x".into()),
            ]
        );
        assert_eq!(all("abcdefghij", 4), [(1, Line::TooLong, String::new())]);
    }
}
