//! Standard output and its write errors.

use super::{Status, report_problems};
use crate::core::escape::{escaped, for_log};
use crate::save::{Output, Watched, save_stream};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Writes to standard output. A closed pipe (`hitstop check .. | head`) is no error; others are reported.
pub(super) fn write_out(bytes: impl AsRef<[u8]>) -> Status {
    write_to(None, &mut |out| {
        out.write_all(bytes.as_ref()).map(|()| Status::Clean)
    })
}

/// Writes to a file, atomically, or to standard output, where a closed pipe is no error. Returns the status of `write`, or that of an output
/// that cannot be written, which is reported.
pub(super) fn write_to(
    path: Option<&Path>,
    write: &mut dyn FnMut(&mut Output) -> io::Result<Status>,
) -> Status {
    let mut status = Status::Clean;
    let mut fill = |out: &mut Output| {
        status = write(out)?;
        out.flush()
    };
    let written = match path {
        Some(path) => save_stream(path, fill),
        None => {
            let mut out = Watched::new(UntilClosed(anstream::stdout()));
            fill(&mut out).map_err(|error| out.problem("standard output", &error))
        }
    };
    match written {
        Ok(()) => status,
        Err(problem) => {
            report_problems(&[problem], false);
            Status::BadInput
        }
    }
}

/// Drops what is written to a closed pipe.
struct UntilClosed<W>(W);

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}

/// Prints a note on standard error.
pub(super) fn print_note(text: &str) {
    // A closed standard error is ignored.
    let _ = writeln!(anstream::stderr(), "note: {}", for_log(&escaped(text)));
}

/// Prints a line of what goes on.
pub(super) fn say(text: &str) {
    // A closed standard error is ignored.
    let _ = writeln!(anstream::stderr(), "{}", for_log(&escaped(text)));
}
