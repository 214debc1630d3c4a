//! Opens regular files, reads them up to a size limit, and keeps large data in files.

mod cache;
mod data;
mod growing;
pub mod store;

use super::problem::Problem;
use serde::de::{DeserializeOwned, Error};
use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

pub use cache::CacheFolder;
pub use data::DataFile;
pub use growing::open_growing;

/// A file, opened as a stream.
pub struct Opened<'f> {
    /// Its bytes.
    pub input: Box<dyn BufRead + 'f>,
    /// How many there are, for progress; it may grow meanwhile.
    pub length: u64,
    /// The file itself, to be read in any order; `None` for one in memory.
    pub file: Option<SeekableFile>,
}

/// A file on a disk. Errors of its system keep their words and lose their kind, which readers take for the end of a recording that is cut off, or
/// for a recorder that waits, as those of sockets and of compressed data are.
struct OnDisk<F>(F);

impl<F: Read> Read for OnDisk<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(bytes) {
                // Not all readers ask again.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read.map_err(|error| io::Error::other(DiskError(error))),
            }
        }
    }
}

/// An error of the system while a file on a disk was read.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct DiskError(io::Error);

/// True for an error of a disk, and not of what was read from it.
pub fn is_of_disk(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<DiskError>())
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
        Ok(BufReader::new(OnDisk(file)))
    }
}

/// The value of JSON in a file. Always read as text: reading bytes as well would compile every type for both.
///
/// # Errors
/// When it is no UTF-8 text, or not JSON of such a value.
pub fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    let text = std::str::from_utf8(bytes).map_err(|_| Error::custom("it is not UTF-8 text"))?;
    serde_json::from_str(text)
}

/// A regular file as a stream, or an object of a [`store`]. A folder, pipe, socket or device is refused, also behind a link.
///
/// The kind is read before the file is opened, as opening a pipe waits for its other end, and again from what was opened, as
/// another program may have replaced it meanwhile.
///
/// # Errors
/// When there is no such file, it is no regular file, or it may not be read.
pub fn open_file(path: &Path) -> Result<Opened<'static>, Problem> {
    if store::is_stored(path) {
        return store::open(path);
    }
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
        input: Box::new(BufReader::with_capacity(1 << 16, OnDisk(file))),
    })
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

/// The text of a stream; `file` names it, and `help` is for one that is no such text.
///
/// # Errors
/// When it cannot be read, is larger than `limit` bytes, or is not UTF-8.
pub fn read_text(input: impl Read, limit: u64, file: &str, help: &str) -> Result<String, Problem> {
    let wrong = |what: String| Problem::new(file, what, help);
    let bytes = read_to_limit(input, limit);
    let bytes = bytes.map_err(|error| wrong(format!("the file cannot be read: {error}")))?;
    let too_large = || wrong(format!("the list is larger than {} MiB", limit >> 20));
    String::from_utf8(bytes.ok_or_else(too_large)?)
        .map_err(|_| wrong("this is not UTF-8 text".to_owned()))
}

/// Bytes of a file, or of an object of a [`store`]; `None` if it cannot be read.
pub fn size_of(path: &Path) -> Option<u64> {
    match store::is_stored(path) {
        true => store::size(path),
        false => path.metadata().ok().map(|data| data.len()),
    }
}

/// The one path of a file, whatever links lead to it, or the address of an object of a [`store`]; `None` for a missing file.
pub fn full_path(path: &Path) -> Option<PathBuf> {
    match store::is_stored(path) {
        true => Some(path.to_path_buf()),
        false => path.canonicalize().ok(),
    }
}

/// The folder of a file, `.` for a name alone.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Hash of a file's content (BLAKE3), the same on every machine; `None` if it cannot be read.
pub fn hash_of_file(path: &Path) -> Option<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(open_file(path).ok()?.input).ok()?;
    Some(hasher.finalize())
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

    /// Disks of networks give the errors of sockets; they were taken for the end of a recording that was cut off.
    #[test]
    fn a_name_alone_is_in_the_folder_of_the_program() {
        for (path, folder) in [("a", "."), ("./a", "."), ("b/a", "b"), ("/a", "/")] {
            assert_eq!(folder_of(Path::new(path)), Path::new(folder));
        }
    }

    #[test]
    fn an_error_of_a_disk_is_of_no_kind_that_ends_a_recording() {
        use io::ErrorKind::*;
        struct Fails(io::ErrorKind);
        impl Read for Fails {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(self.0.into())
            }
        }
        for kind in [
            ConnectionAborted,
            ConnectionReset,
            BrokenPipe,
            InvalidInput,
            InvalidData,
            UnexpectedEof,
            TimedOut,
            WouldBlock,
        ] {
            let error = OnDisk(Fails(kind)).read(&mut [0]).unwrap_err();
            assert_eq!(error.kind(), Other, "{kind}");
            assert!(is_of_disk(&error));
            assert!(error.to_string().contains(&kind.to_string()));
        }
    }

    #[test]
    fn an_interrupted_disk_is_asked_again() {
        struct Interrupted(u32);
        impl Read for Interrupted {
            fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                match self.0 {
                    3 => Ok(bytes.len()),
                    _ => Err(io::ErrorKind::Interrupted.into()),
                }
            }
        }
        assert_eq!(OnDisk(Interrupted(0)).read(&mut [0; 7]).unwrap(), 7);
    }

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
