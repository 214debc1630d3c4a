//! Saving without ever leaving half a file.

use crate::core::problem::Problem;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Replaces a file in one step: a temporary file beside it, written, synced to disk, renamed over it.
///
/// At every moment the name holds the old content or the new, never a part. A link is followed, and the permissions of an
/// existing file are kept. What is no file (a device, a pipe) is written into, and stays what it is.
///
/// # Errors
/// What went wrong and how to mend it; the old file is then untouched.
pub fn save_atomic(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
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
    let saved = match &existing {
        Some(existing) if !existing.is_file() => fs::write(path, bytes),
        _ => replace(path, bytes, existing),
    };
    saved.map_err(|error| {
        // The words of the kind alone: the error itself names the temporary file, which nobody chose.
        let (what, mend) = match error.kind() {
            io::ErrorKind::NotFound if path.parent().is_some_and(Path::is_dir) => {
                ("this place takes no new files", "save in another folder")
            }
            io::ErrorKind::NotFound => ("the folder does not exist", "create it first"),
            io::ErrorKind::PermissionDenied => {
                ("writing here is not allowed", "save where you may write")
            }
            io::ErrorKind::ReadOnlyFilesystem => ("this place is read-only", "save somewhere else"),
            io::ErrorKind::StorageFull => ("the disk is full", "make room, or save somewhere else"),
            kind => {
                return Problem::new(
                    name,
                    format!("could not be saved: {kind}"),
                    "save somewhere else",
                );
            }
        };
        Problem::new(name, format!("could not be saved: {what}"), mend)
    })
}

fn replace(path: &Path, bytes: &[u8], existing: Option<fs::Metadata>) -> io::Result<()> {
    let target = match existing {
        Some(_) => path.canonicalize()?,
        None => path.to_path_buf(),
    };
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".hitstop-").suffix(".tmp");
    let permissions = existing.map(|metadata| metadata.permissions());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A new file gets what any other new file gets: the system takes its mask off this.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
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
    }

    #[test]
    fn refuses_folders_read_only_files_and_missing_folders() {
        let folder = tempfile::tempdir().unwrap();
        assert!(save_atomic(folder.path(), b"").is_err());
        assert!(save_atomic(&folder.path().join("none/a.ron"), b"").is_err());
        let path = folder.path().join("locked.ron");
        fs::write(&path, b"old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(save_atomic(&path, b"new").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_stays_a_device() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("null");
        std::os::unix::fs::symlink("/dev/null", &path).unwrap();
        save_atomic(&path, b"into nothing").unwrap();
        assert!(
            fs::metadata("/dev/null")
                .unwrap()
                .file_type()
                .is_char_device()
        );
        assert!(save_atomic(Path::new("/dev/full"), b"no room").is_err());
        assert!(
            fs::metadata("/dev/full")
                .unwrap()
                .file_type()
                .is_char_device()
        );
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
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }
}
