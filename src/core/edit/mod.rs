//! Editing of scenes: edits, transforms, snapping, names, arrays, templates, and the undo history.
//!
//! An [`EditableScene`] is a scene with its text; an [`Edit`] makes another scene. Undo goes back in its [`History`].

mod editable_scene;
mod history;
mod names;
mod new_camera;
mod new_object;
mod scene_edit;
mod template;
pub mod touching;
pub mod transform;

pub use editable_scene::Authored;
pub use history::{History, Step};
pub use new_camera::{new_camera, with_or_without_camera};
pub use new_object::{NewShape, new_object};
pub use scene_edit::{Array, BookmarkChange, Change, Outcome, head_of};
pub use template::Template;
