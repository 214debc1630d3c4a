//! Saving without ever leaving half a file.

use crate::core::file::folder_of;
use crate::core::problem::Problem;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::NamedTempFile;

/// Temporary files are named `.hitstop-XXXXXX.tmp`, with letters and digits for the X.
const PREFIX: &str = ".hitstop-";
const SUFFIX: &str = ".tmp";
const RANDOM: usize = 6;

/// Age from which a temporary file belongs to a run that was killed: writing one takes seconds.
const OLD: Duration = Duration::from_secs(60 * 60);

/// Links that are followed one after another, as systems do (a count).
const MOST_LINKS: usize = 40;

/// The temporary files that are being written now.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all writes that go on, for a program that ends at once, by a signal; the files that they
/// were to replace stay whole. From then on no write begins or ends.
pub fn abandon_writes() {
    let unfinished = unfinished();
    for file in &*unfinished {
        // There is nothing left to do about a file that cannot be removed.
        let _ = fs::remove_file(file);
    }
    std::mem::forget(unfinished);
}

/// Keeps a temporary file in the list for as long as it is written.
struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

/// Creates a temporary file in the list of [`abandon_writes`]. Drop the file first.
fn create_listed(
    builder: &mut tempfile::Builder<'_, '_>,
    folder: &Path,
) -> io::Result<(Listed, NamedTempFile)> {
    let mut unfinished = unfinished();
    let file = builder.tempfile_in(folder)?;
    unfinished.insert(file.path().to_path_buf());
    Ok((Listed(file.path().to_path_buf()), file))
}

/// Removes the temporary files that killed runs left in a folder.
fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !is_temporary(&entry.file_name()) {
            continue;
        }
        // Of a link this is the link itself.
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        let age = metadata.modified().ok().and_then(|at| at.elapsed().ok());
        if metadata.is_file() && age.is_some_and(|age| age > OLD) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns true for the name of a temporary file of this module.
fn is_temporary(name: &OsStr) -> bool {
    let name = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
    name.and_then(|name| name.strip_suffix(SUFFIX))
        .is_some_and(|name| name.len() == RANDOM && name.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// What a saved content is written to.
pub type Output = dyn Write + Send;

/// An output that remembers how writing failed: what writes to it may hide that, or fail for a reason of its own.
pub struct Watched<W> {
    output: W,
    failed: Option<io::Error>,
}

impl<W: Write> Watched<W> {
    pub fn new(output: W) -> Self {
        Self {
            output,
            failed: None,
        }
    }

    fn noted<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &done
            && error.kind() != ErrorKind::Interrupted
        {
            self.failed = Some(match error.raw_os_error() {
                Some(code) => io::Error::from_raw_os_error(code),
                None => error.kind().into(),
            });
        }
        done
    }

    /// What is wrong and how to fix it, after writing has ended with an error.
    pub fn problem(self, name: &str, error: &io::Error) -> Problem {
        match self.failed {
            Some(failed) => cannot_save(name, &failed, ""),
            None => {
                let what = format!("could not be made: {error}");
                let help =
                    "check that its input can be read, and that there is room for temporary files";
                Problem::new(name, what, help)
            }
        }
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes);
        self.noted(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.output.flush();
        self.noted(flushed)
    }
}

/// The problem of an output that the system does not allow to be written. `place` is why, where that is known.
fn cannot_save(name: &str, error: &io::Error, place: &'static str) -> Problem {
    let (what, help) = match error.kind() {
        _ if !place.is_empty() => (place.into(), "save in another folder"),
        ErrorKind::NotFound => ("the folder does not exist".into(), "create it first"),
        ErrorKind::PermissionDenied => {
            let what = "writing here is not allowed";
            (what.into(), "save where you may write")
        }
        ErrorKind::ReadOnlyFilesystem => ("this place is read-only".into(), "save somewhere else"),
        ErrorKind::StorageFull => (
            "the disk is full".into(),
            "make room, or save somewhere else",
        ),
        ErrorKind::FileTooLarge => {
            let what = "it is larger than a file may be here";
            (
                what.into(),
                "raise the limit (`ulimit -f`), or save somewhere else",
            )
        }
        _ => (reason(error), "save somewhere else"),
    };
    Problem::new(name, format!("could not be saved: {what}"), help)
}

/// The words of the system for an error. Where it has its own, as those of temporary files that nobody chose, the words of its kind.
pub fn reason(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code).to_string(),
        None => {
            let (kind, text) = (error.kind().to_string(), error.to_string());
            let has_no_words =
                kind.starts_with("uncategorized") || error.kind() == ErrorKind::Other;
            match has_no_words {
                true => text.split(" at path ").next().unwrap_or(&text).to_owned(),
                false => kind,
            }
        }
    }
}

/// Replaces a file in one step: a temporary file beside it, written, synced to disk, renamed over it.
///
/// At every moment the name holds the old content or the new, never a part. A link is followed, and the permissions of an
/// existing file are kept. What is no file (a device, a pipe) is written into, and stays what it is. Temporary files that
/// killed runs left in the folder an hour ago or earlier are removed.
///
/// # Errors
/// What went wrong and how to fix it; the old file is then untouched.
pub fn save_atomic(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    save_stream(path, |output| output.write_all(bytes))
}

/// The same for a content that is written piece by piece. If `fill` fails the old file is untouched.
///
/// # Errors
/// As [`save_atomic`], and those of `fill`.
pub fn save_stream(
    path: &Path,
    fill: impl FnOnce(&mut Output) -> io::Result<()>,
) -> Result<(), Problem> {
    let name = path.display().to_string();
    if path.is_dir() {
        return Err(Problem::new(name, "this is a folder", "choose a file name"));
    }
    let existing = fs::metadata(path).ok();
    if let Some(existing) = &existing
        && existing.permissions().readonly()
    {
        return Err(Problem::new(
            name,
            "the file is read-only",
            "save under another name, or allow writing to it",
        ));
    }
    let target = target_of(path);
    let mut content = None;
    let fill = |file: fs::File| {
        let mut output = Watched::new(file);
        let filled = fill(&mut output);
        filled.inspect_err(|error| content = Some(output.problem(&name, error)))
    };
    let saved = match &existing {
        Some(existing) if !existing.is_file() => fs::File::create(path).and_then(fill),
        _ => replace(&target, fill, existing),
    };
    saved.map_err(|error| {
        let takes_none = error.kind() == ErrorKind::NotFound && folder_of(&target).is_dir();
        let place = match takes_none {
            true => "this place takes no new files",
            false => "",
        };
        content.unwrap_or_else(|| cannot_save(&name, &error, place))
    })
}

/// The file that a path leads to; links are followed also where it is not there yet.
fn target_of(path: &Path) -> PathBuf {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&target) else {
            break;
        };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    target
}

/// Replaces a file that is no link.
fn replace(
    target: &Path,
    fill: impl FnOnce(fs::File) -> io::Result<()>,
    existing: Option<fs::Metadata>,
) -> io::Result<()> {
    let folder = folder_of(target);
    // First, as it may make room.
    remove_leftovers(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    let permissions = existing.map(|metadata| metadata.permissions());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A new file gets what any other new file gets: the system takes its mask off this.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let (_listed, file) = create_listed(&mut builder, folder)?;
    // The file itself, as errors of the temporary one name its path and lose their number.
    fill(file.as_file().try_clone()?)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    #[cfg(unix)]
    if let Ok(folder) = fs::File::open(folder) {
        // The rename is on disk once its folder is; the content is safe without it.
        let _ = folder.sync_all();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_the_file_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        save_atomic(&path, b"first, and longer").unwrap();
        save_atomic(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let is_here = |file: &PathBuf| file.starts_with(folder.path());
        assert!(!unfinished().iter().any(is_here));
    }

    #[test]
    fn temporary_files_of_killed_runs_are_removed_once_they_are_old() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let age = |name: &str, minutes: u64| {
            let file = fs::File::create(at(name)).unwrap();
            let then = std::time::SystemTime::now() - Duration::from_secs(60 * minutes);
            file.set_modified(then).unwrap();
        };
        age(".hitstop-a1B2c3.tmp", 61);
        let others = [
            (".hitstop-d4E5f6.tmp", 59),
            (".hitstop-notes.tmp", 600),
            (".hitstop-a1B2c3d.tmp", 600),
            (".hitstop-a1B-c3.tmp", 600),
            (".hitstop-a1B2c3.ron", 600),
            ("hitstop-a1B2c3.tmp", 600),
        ];
        others
            .iter()
            .for_each(|&(name, minutes)| age(name, minutes));
        fs::create_dir(at(".hitstop-folder.tmp")).unwrap();
        save_atomic(&at("a.ron"), b"new").unwrap();
        assert!(!at(".hitstop-a1B2c3.tmp").exists());
        for (name, _) in others {
            assert!(at(name).exists(), "{name} is not removed");
        }
        assert!(at(".hitstop-folder.tmp").is_dir());
    }

    #[test]
    fn refuses_folders_read_only_files_and_missing_folders() {
        let folder = tempfile::tempdir().unwrap();
        assert!(save_atomic(folder.path(), b"").is_err());
        let problem = save_atomic(&folder.path().join("none/a.ron"), b"").unwrap_err();
        assert_eq!(
            problem.what,
            "could not be saved: the folder does not exist"
        );
        if cfg!(target_os = "linux") {
            let problem = save_atomic(Path::new("/proc/a.ron"), b"").unwrap_err();
            assert_eq!(
                problem.what,
                "could not be saved: this place takes no new files"
            );
        }
        let path = folder.path().join("locked.ron");
        fs::write(&path, b"old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(save_atomic(&path, b"new").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[test]
    fn a_content_that_breaks_off_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        fs::write(&path, b"old").unwrap();
        let half = |output: &mut Output| {
            output.write_all(b"ne")?;
            Err(io::Error::other("no more"))
        };
        assert!(save_stream(&path, half).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn the_reason_of_an_error_names_no_temporary_file() {
        for (error, words) in [
            (io::Error::other("no luck at path \"/tmp/x\""), "no luck"),
            (io::Error::new(ErrorKind::TimedOut, "/tmp/x"), "timed out"),
        ] {
            assert_eq!(reason(&error), words);
        }
    }

    #[test]
    fn an_input_that_cannot_be_read_is_no_fault_of_the_output() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        let unread = |_: &mut Output| Err(io::Error::other("no disk"));
        let problem = save_stream(&path, unread).unwrap_err();
        assert_eq!(problem.what, "could not be made: no disk");
        // One that hides why writing failed.
        let hidden =
            |output: &mut Output| output.write_all(b"a").map_err(|_| io::Error::other("it"));
        if cfg!(target_os = "linux") {
            let problem = save_stream(Path::new("/dev/full"), hidden).unwrap_err();
            assert!(
                problem.what.contains("the disk is full"),
                "{}",
                problem.what
            );
        }
    }

    /// A pipe of its own: were it replaced by a file, as root, no device of the machine would be.
    #[cfg(unix)]
    #[test]
    fn what_is_not_a_file_is_written_into() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [pipe, link] = ["pipe", "link"].map(|name| folder.path().join(name));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        symlink(&pipe, &link).unwrap();
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe)
        });
        save_atomic(&link, b"into it").unwrap();
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(reader.join().unwrap().unwrap(), b"into it");
    }

    #[cfg(unix)]
    #[test]
    fn keeps_permissions_and_follows_links() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        let link = folder.path().join("link.ron");
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a.ron", &link).unwrap();
        save_atomic(&link, b"new").unwrap();
        let early = folder.path().join("early.ron");
        symlink("next.ron", &early).unwrap();
        symlink("later.ron", folder.path().join("next.ron")).unwrap();
        save_atomic(&early, b"there").unwrap();
        assert!(fs::symlink_metadata(&early).unwrap().is_symlink());
        assert_eq!(fs::read(folder.path().join("later.ron")).unwrap(), b"there");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }
}
