//! Reloading of the scene's mesh files when another program changes one.

use super::disk::{MeshCheck, check_meshes};
use super::file_watch::FileWatch;
use super::job::{JobDone, JobKind, Jobs};
use super::messages::Operation;
use super::{Model, Session};
use crate::app::source::Source;
use crate::core::scene::{self, MeshSource, Objects, Scene};
use std::path::Path;
use std::sync::Arc;

/// State of watching the mesh files.
#[derive(Default)]
pub(super) struct MeshFiles {
    /// The scene that refers to the watched files.
    scene: Option<Arc<Scene>>,
    watch: FileWatch,
    /// True if the undo history has meshes of files that have changed since.
    changed: bool,
}

impl MeshFiles {
    fn watch(&mut self, scene: &Arc<Scene>, root: &Path, jobs: &mut Jobs) {
        if self.scene.as_ref().is_some_and(|of| Arc::ptr_eq(of, scene)) {
            return;
        }
        let before = self.scene.replace(Arc::clone(scene));
        if before.is_some_and(|before| has_same_meshes(&before.objects, &scene.objects)) {
            return;
        }
        let named = scene
            .objects
            .iter()
            .filter_map(|object| match &object.mesh {
                Some(MeshSource::File(file)) => Some(root.join(file)),
                _ => None,
            });
        if self.watch.set(named.collect(), jobs.request_repaint()) {
            jobs.drop(JobKind::CheckMeshes);
        }
    }
}

/// Whether an edit has left all meshes and their order.
fn has_same_meshes(before: &Objects, now: &Objects) -> bool {
    let mut changed = now.changed_from(before).into_iter();
    let same = |id: u32| before[id as usize].mesh == now[id as usize].mesh;
    before.len() == now.len() && changed.all(same)
}

impl Model {
    /// Starts a check of the scene's mesh files when another program may have changed one.
    pub(super) fn watch_mesh_files(&mut self) {
        let Some(Session {
            document, meshes, ..
        }) = &mut self.session
        else {
            return;
        };
        let (Source::File(path), Some(scene_doc)) = (&document.source, &document.scene_doc) else {
            return;
        };
        let root = path.parent().unwrap_or(Path::new("."));
        meshes.watch(&scene_doc.scene, root, &mut self.jobs);
        let busy = [JobKind::CheckMeshes, JobKind::Open];
        let Some(text) = scene_doc.text() else {
            return;
        };
        if self.jobs.is_any_running(busy) || !meshes.watch.take_changed() {
            return;
        }
        let (files, seen) = (meshes.watch.files().clone(), meshes.watch.seen.clone());
        let (text, source) = (Arc::clone(text), document.source.clone());
        self.jobs.start(JobKind::CheckMeshes, move |_| {
            JobDone::CheckMeshes(check_meshes(&files, seen.as_ref(), text, &source))
        });
    }

    /// Handles a check of the mesh files.
    pub(super) fn take_mesh_check(&mut self, (seen, read): MeshCheck) {
        let Some(session) = &mut self.session else {
            return;
        };
        session.meshes.watch.seen = Some(seen);
        let Some((text, scene)) = read else {
            return;
        };
        let document = &mut session.document;
        let Some(scene_doc) = &mut document.scene_doc else {
            return;
        };
        let name = document.source.name();
        match scene {
            Ok(_) if scene_doc.text() != Some(&text) => {
                // The scene was edited meanwhile: check again with its present text.
                session.meshes.watch.seen = Some(Vec::new());
                session.meshes.watch.check_soon();
            }
            Ok(scene) if scene.recording.is_some() => self.reload_unless_edited("a mesh file"),
            Ok(scene) => {
                scene_doc.set_reparsed(scene);
                session.meshes.changed = true;
                document.clear_mesh_cache();
                self.messages.succeeded(Operation::Read);
                self.messages
                    .note(&name, "a mesh file has changed and was reloaded");
                self.restep();
            }
            Err(problems) => {
                for problem in problems.0.into_iter().take(1) {
                    self.messages.failed(Operation::Read, problem);
                }
            }
        }
    }

    /// Reloads the meshes of a scene of the undo history if their files have changed since.
    pub(super) fn reload_meshes(&mut self) {
        let Some(Session {
            document, meshes, ..
        }) = &mut self.session
        else {
            return;
        };
        if !meshes.changed {
            return;
        }
        let (name, folder) = (document.source.name(), document.meshes());
        if let Some(scene_doc) = &mut document.scene_doc
            && let Some(text) = scene_doc.text()
            && let Ok(scene) = scene::parse(text, &name, &*folder)
        {
            scene_doc.set_reparsed(Arc::new(scene));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::files::Settings;
    use crate::app::test_levels::until;
    use crate::core::shape::Shape;

    fn width(model: &Model) -> f64 {
        match &model.scene_doc().unwrap().scene.objects[0].shape {
            Shape::Mesh(mesh) => mesh.vertex(1).x,
            other => panic!("{other:?}"),
        }
    }

    fn obj(width: u32) -> String {
        format!("v 0 0 0\nv {width} 0 0\nv 0 1 0\nf 1 2 3\n")
    }

    #[test]
    fn a_changed_mesh_file_is_reloaded() {
        let folder = tempfile::tempdir().unwrap();
        let (path, mesh) = (
            folder.path().join("scene.ron"),
            folder.path().join("meshes/a.obj"),
        );
        std::fs::create_dir(mesh.parent().unwrap()).unwrap();
        std::fs::write(&mesh, obj(1)).unwrap();
        let text = "Scene(version: 1, name: \"x\", dt: 0.1, frames: 2, objects: [
            (name: \"a\", shape: Mesh(file: \"meshes/a.obj\"), motion: Fixed)])";
        std::fs::write(&path, text).unwrap();
        let mut model = Model::new(Settings::default(), Arc::new(|| ()));
        model.open(Source::File(path));
        until(&mut model, |model| {
            let session = model.session.as_ref();
            session.is_some_and(|session| session.meshes.watch.seen.is_some())
        });
        assert_eq!(width(&model), 1.0);
        model.edit_text(text.replace("\"x\"", "\"y\""));
        std::fs::write(&mesh, obj(20)).unwrap();
        until(&mut model, |model| width(model) == 20.0);
        assert!(model.has_unsaved(), "the edit stays");
        model.undo();
        let scene = &model.scene_doc().unwrap().scene;
        assert_eq!((width(&model), &*scene.name), (20.0, "x"));

        std::fs::write(&mesh, "f 1 2 3\n").unwrap();
        until(&mut model, |model| !model.messages.shown().is_empty());
        assert_eq!(width(&model), 20.0, "an invalid file changes nothing");
        std::fs::write(&mesh, obj(300)).unwrap();
        until(&mut model, |model| width(model) == 300.0);
    }
}
