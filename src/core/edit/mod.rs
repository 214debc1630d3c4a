//! Editing of scenes: edits, transforms, snapping, names, arrays, templates, and the undo history.
//!
//! An [`EditableScene`] is a scene with its text; an [`Edit`] makes another scene; [`History`] is for undo.

mod array;
mod editable_scene;
mod history;
mod keyframe;
mod matching;
mod names;
mod new_object;
mod scene_edit;
pub mod snapping;
mod template;
pub mod transform;

pub use array::{Array, ArrayLayout};
pub use editable_scene::{EditableScene, Rewrite, Rewritten};
pub use history::History;
pub use keyframe::with_keyframe;
pub use matching::ObjectMatching;
pub use new_object::{NewShape, new_camera, new_object, position_beside};
pub use scene_edit::{BookmarkEdit, Edit, Edited, flatten, properties_of, toggle_camera};
pub use template::Template;
