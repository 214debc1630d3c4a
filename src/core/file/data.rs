//! Files of binary data.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An empty file without a name in the folder for large temporary files, where there is one: the other may be in memory.
pub(super) fn temporary_file() -> io::Result<File> {
    match cfg!(unix).then(|| tempfile::tempfile_in("/var/tmp")) {
        Some(Ok(file)) => Ok(file),
        _ => tempfile::tempfile(),
    }
}

/// A file of binary data, read in any order.
pub struct DataFile {
    file: File,
    /// Its length, bytes. Held while the place in the file matters.
    length: Mutex<u64>,
}

impl DataFile {
    /// An empty file without a name, which the system removes when the program ends.
    ///
    /// # Errors
    /// When no file can be created.
    pub fn temporary() -> io::Result<Self> {
        Ok(Self {
            file: temporary_file()?,
            length: Mutex::new(0),
        })
    }

    /// A file that exists, to be read.
    ///
    /// # Errors
    /// When there is no such file, it is no regular file, or it may not be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Opening a pipe would wait for its other end.
        if !path.metadata()?.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self {
            file,
            length: Mutex::new(length),
        })
    }

    /// Its bytes.
    pub fn length(&self) -> u64 {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.length.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends bytes; returns their offset.
    ///
    /// # Errors
    /// When they cannot be written. The file is then as before.
    pub fn append(&self, bytes: &[u8]) -> io::Result<u64> {
        let mut end = self.lock();
        let mut file = &self.file;
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
        self.fill(offset, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads the bytes at an offset into `bytes`. Several threads can read at once where the system can read at an offset.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn fill(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, offset);
        #[cfg(not(unix))]
        {
            use std::io::Read;
            let _length = self.lock();
            let mut file = &self.file;
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(bytes)
        }
    }
}
