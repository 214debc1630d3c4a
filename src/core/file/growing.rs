//! Files that another program goes on writing.

use super::{OnDisk, Opened, open_file, unreadable};
use crate::core::problem::Problem;
use crate::core::progress::Progress;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A regular file that another program goes on writing: its stream ends when the file is replaced or made shorter, when nothing was added for
/// two seconds, or when `progress` is cancelled. While there is nothing more it fails with [`WouldBlock`](io::ErrorKind::WouldBlock) now and then.
/// `read` counts its bytes.
///
/// # Errors
/// As [`open_file`].
pub fn open_growing<'p>(
    path: &Path,
    read: &'p AtomicU64,
    progress: &'p dyn Progress,
) -> Result<Opened<'p>, Problem> {
    open_file(path)?;
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| unreadable(&name, &error))?;
    let growing = GrowingFile {
        file: OnDisk(file),
        path: path.to_owned(),
        read,
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
    file: OnDisk<File>,
    path: PathBuf,
    read: &'p AtomicU64,
    /// When something was read last.
    since: Instant,
    progress: &'p dyn Progress,
}

impl Read for GrowingFile<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(bytes)?;
        let read = self.read.fetch_add(count as u64, Ordering::Relaxed) + count as u64;
        if count > 0 || bytes.is_empty() {
            self.since = Instant::now();
            return Ok(count);
        }
        // One that was replaced is mostly shorter at first; a longer one is found when the level is opened again.
        let is_shorter = !self.path.metadata().is_ok_and(|data| data.len() >= read);
        if is_shorter || self.progress.cancelled() || self.since.elapsed() > QUIET {
            return Ok(0);
        }
        std::thread::sleep(LOOK_AGAIN);
        Err(io::ErrorKind::WouldBlock.into())
    }
}
