//! Scenes, logs and meshes read and written, and replays stepped through: what a level is, before anything is judged.

mod bad_input;
mod bad_log;
mod geometry_import;
mod history;
mod log;
mod new_shapes;
mod regressions;
mod replay;
mod resting;
mod scene_edit;
mod scene_round_trip;
mod untested_pairs;
