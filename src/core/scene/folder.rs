//! Where a scene's other files come from: a folder that no path can leave.

use crate::core::problem::Problem;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Files beside a scene, by path relative to its folder, `/` between names.
pub trait Folder: Send + Sync {
    /// The bytes of a file.
    ///
    /// # Errors
    /// When it is not there, too large, or its path leaves the folder.
    fn read(&self, path: &str) -> Result<Vec<u8>, Problem>;
}

/// A folder on disk. Absolute paths, `..` and links that lead out are refused.
#[derive(Clone, Debug)]
pub struct DiskFolder {
    /// The folder that holds the scene.
    pub root: PathBuf,
}

/// Files held in memory: bundled scenes, tests.
#[derive(Clone, Debug, Default)]
pub struct MemoryFolder {
    /// Bytes by relative path.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Folder for DiskFolder {
    fn read(&self, path: &str) -> Result<Vec<u8>, Problem> {
        let _ = path;
        todo!("helper scene")
    }
}

impl Folder for MemoryFolder {
    fn read(&self, path: &str) -> Result<Vec<u8>, Problem> {
        let _ = path;
        todo!("helper scene")
    }
}
