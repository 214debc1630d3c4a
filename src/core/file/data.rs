//! Files of binary data.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A file of binary data, read in any order.
pub struct DataFile {
    /// The file and its length, bytes.
    file: Mutex<(File, u64)>,
}

impl DataFile {
    /// An empty file without a name, which the system removes when the program ends, in the folder for large temporary files where there is one: the other may be in memory.
    ///
    /// # Errors
    /// When no file can be created.
    pub fn temporary() -> io::Result<Self> {
        let large = cfg!(unix).then(|| tempfile::tempfile_in("/var/tmp"));
        let file = match large {
            Some(Ok(file)) => file,
            _ => tempfile::tempfile()?,
        };
        Ok(Self {
            file: Mutex::new((file, 0)),
        })
    }

    /// A file that exists, to be read.
    ///
    /// # Errors
    /// When there is no such file, or it may not be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self {
            file: Mutex::new((file, length)),
        })
    }

    /// Its bytes.
    pub fn length(&self) -> u64 {
        self.lock().1
    }

    fn lock(&self) -> MutexGuard<'_, (File, u64)> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends bytes; returns their offset.
    ///
    /// # Errors
    /// When they cannot be written. The file is then as before.
    pub fn append(&self, bytes: &[u8]) -> io::Result<u64> {
        let mut guard = self.lock();
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
        let mut guard = self.lock();
        guard.0.seek(SeekFrom::Start(offset))?;
        guard.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}
