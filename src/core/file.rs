//! Opens regular files, reads them up to a size limit, and keeps large data in temporary ones.

use super::problem::Problem;
use super::progress::Progress;
use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A file, opened as a stream.
pub struct Opened<'f> {
    /// Its bytes.
    pub input: Box<dyn BufRead + 'f>,
    /// How many there are, for progress; it may grow meanwhile.
    pub length: u64,
    /// The file itself, to be read in any order; `None` for one in memory.
    pub file: Option<SeekableFile>,
}

/// A regular file that is read in any order.
pub struct SeekableFile {
    file: File,
    /// Its bytes, when it was opened.
    pub length: u64,
}

impl SeekableFile {
    /// The bytes from a place on. Every other stream of the file moves to that place, too.
    ///
    /// # Errors
    /// Those of the system.
    pub fn stream_from(&self, start: u64) -> io::Result<impl Read + use<>> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(start))?;
        Ok(BufReader::new(file))
    }
}

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
        length,
        file: file
            .try_clone()
            .ok()
            .map(|file| SeekableFile { file, length }),
        input: Box::new(BufReader::with_capacity(1 << 16, file)),
    })
}

/// A regular file that another program goes on writing: its stream ends when the file is replaced or made shorter, when nothing was added for
/// two seconds, or when `progress` is cancelled. While there is nothing more it fails with [`WouldBlock`](io::ErrorKind::WouldBlock) now and then.
///
/// # Errors
/// As [`open_file`].
pub fn open_growing<'p>(path: &Path, progress: &'p dyn Progress) -> Result<Opened<'p>, Problem> {
    open_file(path)?;
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| unreadable(&name, &error))?;
    let growing = GrowingFile {
        file,
        path: path.to_owned(),
        read: 0,
        since: Instant::now(),
        progress,
    };
    Ok(Opened {
        input: Box::new(BufReader::with_capacity(1 << 16, growing)),
        length: 0,
        file: None,
    })
}

/// Time between two looks for more.
const LOOK_AGAIN: Duration = Duration::from_millis(30);
/// Time without anything new after which a file is taken as complete.
const QUIET: Duration = Duration::from_secs(2);

struct GrowingFile<'p> {
    file: File,
    path: PathBuf,
    /// Bytes read so far.
    read: u64,
    /// When something was read last.
    since: Instant,
    progress: &'p dyn Progress,
}

impl Read for GrowingFile<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(bytes)?;
        self.read += count as u64;
        if count > 0 || bytes.is_empty() {
            self.since = Instant::now();
            return Ok(count);
        }
        // One that was replaced is mostly shorter at first; a longer one is found when the level is opened again.
        let is_shorter = !self
            .path
            .metadata()
            .is_ok_and(|data| data.len() >= self.read);
        if is_shorter || self.progress.cancelled() || self.since.elapsed() > QUIET {
            return Ok(0);
        }
        std::thread::sleep(LOOK_AGAIN);
        Err(io::ErrorKind::WouldBlock.into())
    }
}

/// The bytes of a stream; `None` when there are more than `limit`, of which no more than one is read beyond.
///
/// # Errors
/// When it cannot be read.
pub fn read_to_limit(input: impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    input
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// A file without a name, which the system removes when the program ends.
pub struct TemporaryFile {
    /// The file and its length, bytes.
    file: Mutex<(File, u64)>,
}

impl TemporaryFile {
    /// An empty file, in the folder for large temporary files where there is one: the other may be in memory.
    ///
    /// # Errors
    /// When no file can be created.
    pub fn new() -> io::Result<Self> {
        let large = cfg!(unix).then(|| tempfile::tempfile_in("/var/tmp"));
        let file = match large {
            Some(Ok(file)) => file,
            _ => tempfile::tempfile()?,
        };
        Ok(Self {
            file: Mutex::new((file, 0)),
        })
    }

    /// Appends bytes; returns their offset.
    ///
    /// # Errors
    /// When they cannot be written. The file is then as before.
    pub fn append(&self, bytes: &[u8]) -> io::Result<u64> {
        let mut guard = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, end) = &mut *guard;
        file.seek(SeekFrom::Start(*end))?;
        file.write_all(bytes)?;
        let offset = *end;
        *end += bytes.len() as u64;
        Ok(offset)
    }

    /// The bytes at an offset.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn read(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        let mut guard = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        guard.0.seek(SeekFrom::Start(offset))?;
        guard.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// The problem of a file that the system does not allow to be read; `file` names it.
pub fn unreadable(file: &str, error: &io::Error) -> Problem {
    let (what, help) = match error.kind() {
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
    Problem::new(file, what, help)
}

fn no_file(name: &str, metadata: &Metadata) -> Problem {
    let (what, help) = match metadata.is_dir() {
        true => ("a folder", "name a file in it"),
        false => (
            kind_of_special(metadata),
            "write what it gives to a file, and name that",
        ),
    };
    Problem::new(name, format!("this is {what}, not a file"), help)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_read_up_to_its_limit_and_one_byte_beyond() {
        for (length, limit, fits) in [(0, 0, true), (1, 0, false), (8, 8, true), (9, 8, false)] {
            let bytes = vec![7; length];
            let read = read_to_limit(&*bytes, limit).unwrap();
            assert_eq!(read, fits.then_some(bytes), "{length} of {limit}");
        }
        let mut endless = io::repeat(7).take(1000);
        assert_eq!(read_to_limit(&mut endless, 99).unwrap(), None);
        assert_eq!(endless.limit(), 900);
        assert_eq!(read_to_limit(&[7][..], u64::MAX).unwrap(), Some(vec![7]));
    }
}
