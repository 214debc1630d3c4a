//! Lines of a stream, one buffer for all of them, none longer than a limit.

use std::io::{self, BufRead, Read};

/// Bytes of the longest line that is read; a longer one is refused without being held in memory.
///
/// A header with a large level's triangles in it stays well below; a file without line ends does not.
pub(super) const LINE_LIMIT: usize = 256 << 20;

/// How a line ended up in the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// It is in [`Lines::text`].
    Read,
    /// It was longer than the limit and is skipped.
    TooLong,
    /// The stream ends.
    End,
}

/// A stream read line by line.
pub(super) struct Lines<R> {
    input: R,
    limit: usize,
    /// The current line without its end.
    pub text: Vec<u8>,
    /// Number of the current line, from 1.
    pub number: usize,
    /// Bytes consumed so far.
    pub bytes: u64,
}

impl<R: BufRead> Lines<R> {
    /// Lines of at most `limit` bytes.
    pub fn new(input: R, limit: usize) -> Self {
        Self {
            input,
            limit,
            text: Vec::new(),
            number: 0,
            bytes: 0,
        }
    }

    /// Reads the next line; a byte order mark before the first is dropped.
    pub fn next(&mut self) -> io::Result<Line> {
        self.text.clear();
        let limit = self.limit as u64 + 1;
        let read = (&mut self.input)
            .take(limit)
            .read_until(b'\n', &mut self.text)? as u64;
        if read == 0 {
            return Ok(Line::End);
        }
        self.bytes += read;
        self.number += 1;
        if self.number == 1 && self.text.starts_with(b"\xEF\xBB\xBF") {
            self.text.drain(..3);
        }
        if self.text.last() == Some(&b'\n') {
            self.text.pop();
        } else if read == limit {
            self.text = Vec::new();
            self.skip_line()?;
            return Ok(Line::TooLong);
        }
        if self.text.last() == Some(&b'\r') {
            self.text.pop();
        }
        Ok(Line::Read)
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(());
            }
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.input.consume(used);
            self.bytes += used as u64;
            if end.is_some() {
                return Ok(());
            }
        }
    }
}

/// The encoding a text is in when it is not UTF-8 but begins with the mark of another.
pub(super) fn foreign_encoding(start: &[u8]) -> Option<&'static str> {
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
        let mut lines = Lines::new(text.as_bytes(), limit);
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
