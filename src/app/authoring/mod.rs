//! The forms and the text in which a scene is edited, and the tools.
//!
//! The forms draw fields and push edits as commands, as every panel does; `model` carries them out.

pub mod array_form;
mod expect_form;
pub(in crate::app) mod forms;
pub mod history_panel;
pub mod import_form;
pub mod marks;
pub mod object_form;
mod point_list;
pub mod prompt;
pub mod read_form;
pub mod scene_form;
mod shape_form;
pub mod table;
pub mod tag_prompt;
pub mod text_panel;
mod tools;
pub mod tune_form;

pub use tools::{Drawn, STEPS, Snap, Tool, Tools};
