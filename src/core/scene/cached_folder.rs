//! A folder that caches its meshes, so that parsing a scene again while it is edited does not touch the disk.

use super::folder::Folder;
use crate::core::file::Opened;
use crate::core::problem::Problem;
use crate::core::schema::Units;
use crate::core::shape::{Facing, Mesh};
use std::sync::{Arc, Mutex, PoisonError};

/// A mesh file with its settings: path, facing, units, mesh.
type CachedMesh = (String, Facing, Units, Arc<Mesh>);

/// A folder with a mesh cache.
pub struct CachedFolder {
    of: Box<dyn Folder>,
    meshes: Mutex<Vec<CachedMesh>>,
}

impl CachedFolder {
    /// Caches the meshes of a folder; files that change later are not read again.
    pub fn new(of: Box<dyn Folder>) -> Self {
        Self {
            of,
            meshes: Mutex::default(),
        }
    }
}

impl Folder for CachedFolder {
    fn open(&self, path: &str) -> Result<Opened<'_>, Problem> {
        self.of.open(path)
    }

    fn shown(&self, path: &str) -> String {
        self.of.shown(path)
    }

    fn cached_mesh(&self, path: &str, facing: Facing, units: Units) -> Option<Arc<Mesh>> {
        let meshes = self.meshes.lock().unwrap_or_else(PoisonError::into_inner);
        let found = meshes.iter().find(|cached| {
            let same = (cached.0.as_str(), cached.1, cached.2);
            same == (path, facing, units)
        });
        found.map(|cached| Arc::clone(&cached.3))
    }

    fn cache_mesh(&self, path: &str, facing: Facing, units: Units, mesh: &Arc<Mesh>) {
        let mut meshes = self.meshes.lock().unwrap_or_else(PoisonError::into_inner);
        meshes.push((path.to_owned(), facing, units, Arc::clone(mesh)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MemoryFolder, parse};
    use super::*;
    use crate::core::shape::Shape;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Counts how often it is read from.
    struct Counted(MemoryFolder, Arc<AtomicU32>);

    impl Folder for Counted {
        fn open(&self, path: &str) -> Result<Opened<'_>, Problem> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.open(path)
        }
    }

    #[test]
    fn a_mesh_is_read_once_per_setting() {
        let mut files = MemoryFolder::default();
        let obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_vec();
        files.files.insert("a.obj".into(), obj);
        let count = Arc::new(AtomicU32::new(0));
        let folder = CachedFolder::new(Box::new(Counted(files, Arc::clone(&count))));
        let text = |length: &str| {
            format!(
                "Scene(version: 1, name: \"x\", units: (length: {length}), dt: 1, frames: 1, objects: [
                    (name: \"a\", shape: Mesh(file: \"a.obj\"), motion: Fixed)])"
            )
        };
        let width = |length: &str| {
            let scene = parse(&text(length), "x", &folder).unwrap();
            match &scene.objects[0].shape {
                Shape::Mesh(mesh) => mesh.vertex(1).x,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!((width("1"), width("1"), width("1")), (1.0, 1.0, 1.0));
        assert_eq!(count.load(Ordering::Relaxed), 1);
        assert_eq!((width("0.5"), width("0.5")), (0.5, 0.5));
        assert_eq!(
            count.load(Ordering::Relaxed),
            2,
            "in other units it is another mesh"
        );
        let missing = text("1").replace("a.obj", "b.obj");
        assert!(parse(&missing, "x", &folder).is_err());
    }
}
