//! A folder of files that can be made again.

use super::{DataFile, store};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tempfile::NamedTempFile;

/// A folder of files that can be made again. The ones used least lately are removed beyond a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheFolder {
    folder: PathBuf,
    /// Of all files together, bytes.
    limit: u64,
}

impl CacheFolder {
    /// A folder that may not exist yet. Its files take up to `limit` bytes.
    pub fn new(folder: PathBuf, limit: u64) -> Self {
        Self { folder, limit }
    }

    /// Identifies one state of a file: its path, size and time of change. `None` if it cannot be read.
    pub fn identity(path: &Path) -> Option<String> {
        if store::is_stored(path) {
            return store::identity(path);
        }
        let metadata = path.metadata().ok()?;
        let modified = metadata.modified().ok()?;
        let since = modified.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let whole = path.canonicalize().ok()?;
        let (length, time) = (metadata.len(), since.as_nanos());
        Some(format!("{length} {time} {}", whole.display()))
    }

    /// The path of a name.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The file of a name, which is then the one used last.
    pub fn open(&self, name: &str) -> Option<DataFile> {
        let path = self.path(name);
        let data = DataFile::open(&path).ok()?;
        if let Ok(file) = File::options().append(true).open(&path) {
            // Without it, it is removed earlier.
            let _ = file.set_modified(SystemTime::now());
        }
        Some(data)
    }

    /// Writes the file of a name, in place of the one before; others are removed to make room. False when it would be larger than the
    /// limit, and when `fill` returns false: it is not kept then.
    ///
    /// # Errors
    /// Those of the system and of `fill`; nothing is kept.
    pub fn write(
        &self,
        name: &str,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<bool>,
    ) -> io::Result<bool> {
        fs::create_dir_all(&self.folder)?;
        self.make_room(name, 0)?;
        let (file, is_whole) = self.temporary(fill)?;
        let length = file.as_file().metadata()?.len();
        if !is_whole || length > self.limit {
            return Ok(false);
        }
        self.make_room(name, length)?;
        file.persist(self.path(name)).map_err(|error| error.error)?;
        Ok(true)
    }

    /// Writes the small file of a name, one of many, in place of the one before. It makes no room: see [`trim`](Self::trim).
    ///
    /// # Errors
    /// Those of the system.
    pub fn add(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let (file, _) = self.temporary(|output| output.write_all(bytes).map(|()| true))?;
        let kept = file.persist(self.path(name));
        kept.map(drop).map_err(|error| error.error)
    }

    /// Creates the folder, or removes what is beyond the limit.
    ///
    /// # Errors
    /// Those of the system.
    pub fn trim(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        self.make_room("", 0)
    }

    fn temporary(
        &self,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<bool>,
    ) -> io::Result<(NamedTempFile, bool)> {
        let file = tempfile::Builder::new()
            .suffix(".tmp")
            .tempfile_in(&self.folder)?;
        let mut output = BufWriter::with_capacity(1 << 20, file);
        let is_whole = fill(&mut output)?;
        let file = output.into_inner();
        Ok((file.map_err(io::IntoInnerError::into_error)?, is_whole))
    }

    /// Removes files until there is room for so many bytes, first the one of a name. Other programs may remove some meanwhile.
    fn make_room(&self, name: &str, length: u64) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let is_replaced = entry.file_name() == name;
            if let Ok(data) = entry.metadata()
                && data.is_file()
            {
                files.push((!is_replaced, data.modified()?, entry.path(), data.len()));
            }
        }
        files.sort();
        let mut size: u64 = files.iter().map(|(.., length)| length).sum();
        for (is_other, _, path, file_length) in files {
            if is_other && size.saturating_add(length) <= self.limit {
                break;
            }
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => size -= file_length,
            }
        }
        Ok(())
    }
}
