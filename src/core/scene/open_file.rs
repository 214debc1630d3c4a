//! Files on disk, opened only when they are files.

use super::folder::Opened;
use super::parse::too_large;
use crate::core::problem::Problem;
use crate::core::tolerance::MAX_SCENE_BYTES;
use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read};
use std::path::Path;

/// A regular file as a stream. A folder, pipe, socket or device is refused, also behind a link.
///
/// The kind is read before the file is opened, as opening a pipe waits for its other end, and again from what was opened, as
/// another program may have replaced it meanwhile.
///
/// # Errors
/// When there is no such file, it is no regular file, or it may not be read.
pub fn open_file(path: &Path) -> Result<Opened<'static>, Problem> {
    let name = path.display().to_string();
    let checked = |metadata: io::Result<Metadata>| {
        let metadata = metadata.map_err(|error| unreadable(&name, &error))?;
        match metadata.is_file() {
            true => Ok(metadata.len()),
            false => Err(no_file(&name, &metadata)),
        }
    };
    checked(path.metadata())?;
    let file = File::open(path).map_err(|error| unreadable(&name, &error))?;
    let length = checked(file.metadata())?;
    Ok(Opened {
        input: Box::new(BufReader::with_capacity(1 << 16, file)),
        length,
    })
}

/// The text of a scene file.
///
/// # Errors
/// As [`open_file`], and when the file is larger than [`MAX_SCENE_BYTES`] or no UTF-8 text.
pub fn open_scene_text(path: &Path) -> Result<String, Problem> {
    scene_text(open_file(path)?.input, &path.display().to_string())
}

/// The text of a scene; `file` names it in problems.
///
/// # Errors
/// When it cannot be read, is larger than [`MAX_SCENE_BYTES`], or no UTF-8 text.
pub fn scene_text(input: impl Read, file: &str) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    input
        .take(MAX_SCENE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(file, &error))?;
    if bytes.len() > MAX_SCENE_BYTES {
        return Err(too_large(file));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = good
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&good[start..]).chars().count() + 1;
        Problem::new(file, "this is not UTF-8 text", "save it as UTF-8").at(line, column)
    })
}

/// The problem of a file that the system does not let read.
pub(super) fn unreadable(file: &str, error: &io::Error) -> Problem {
    let (what, mend) = match error.kind() {
        io::ErrorKind::NotFound => ("there is no such file".to_owned(), "check the path"),
        io::ErrorKind::PermissionDenied => (
            "this file may not be read".to_owned(),
            "check its permissions",
        ),
        _ => (
            format!("the file cannot be read: {error}"),
            "copy it to a disk that can be read",
        ),
    };
    Problem::new(file, what, mend)
}

fn no_file(name: &str, metadata: &Metadata) -> Problem {
    let (what, mend) = match metadata.is_dir() {
        true => ("a folder", "name a file in it"),
        false => (
            kind_of_special(metadata),
            "write what it gives to a file, and name that",
        ),
    };
    Problem::new(name, format!("this is {what}, not a file"), mend)
}

#[cfg(unix)]
fn kind_of_special(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn kind_of_special(_: &Metadata) -> &'static str {
    "a device"
}
