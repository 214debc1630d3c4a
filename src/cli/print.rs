//! Standard output, and what to do when it cannot be written.

use super::{Status, complain};
use crate::core::problem::Problem;
use std::io::{ErrorKind, Write};

/// Prints. A reader that has gone (`hitstop check .. | head`) is no fault; anything else that is in the way is said.
pub(super) fn write_out(bytes: impl AsRef<[u8]>) -> Status {
    let mut out = anstream::stdout();
    match out.write_all(bytes.as_ref()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let what = format!("could not be written: {}", error.kind());
            let mend = "send it somewhere else, or make room";
            complain(&[Problem::new("standard output", what, mend)], false);
            Status::BadInput
        }
        _ => Status::Clean,
    }
}
