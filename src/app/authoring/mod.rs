//! Authoring: what a person changes in a scene, the steps back, and the forms and text it is done in.
//!
//! [`Authored`] is a scene with its text; a [`Change`] makes another scene, whose text is the same but for the change. The
//! forms draw fields and push changes as commands, as every panel does; `model` carries them out.

pub mod array_form;
pub mod ask;
mod authored;
mod change;
mod expect_form;
mod expression;
mod forms;
mod history;
pub mod history_pane;
pub mod import_form;
pub mod marks;
mod names;
mod new_camera;
mod new_object;
mod number;
pub mod object_form;
mod recovery;
pub mod scene_form;
mod table;
pub mod tag_ask;
mod template;
pub mod text_pane;
mod tools;
pub mod touching;
pub mod transform;

pub use array_form::Order;
pub use authored::Authored;
pub use change::{Array, BookmarkChange, Change, Outcome};
pub use expression::value;
pub use history::{History, Step};
pub use new_camera::with_or_without_camera;
pub use new_object::{NewShape, new_object};
pub use recovery::{Kept, Recovery, forget, left_behind};
pub use template::Template;
pub use tools::{STEPS, Snap, Tool, Tools};
