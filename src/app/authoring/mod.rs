//! The forms and the text in which a scene is edited, the tools, and crash recovery.
//!
//! The forms draw fields and push edits as commands, as every panel does; `model` carries them out.

pub mod array_form;
pub mod ask;
mod expect_form;
mod forms;
pub mod history_pane;
pub mod import_form;
pub mod marks;
pub mod object_form;
pub mod scene_form;
mod table;
pub mod tag_ask;
pub mod text_pane;
mod tools;

pub use tools::{STEPS, Snap, Tool, Tools};
