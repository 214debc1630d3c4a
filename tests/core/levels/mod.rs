//! Scenes, logs and meshes read and written, and replays stepped: levels before diagnosis.

mod animated_models;
mod animation;
mod bad_input;
mod bad_log;
mod compressed_log;
mod convert_mesh;
mod files;
mod flat;
mod geometry_import;
mod history;
mod kept_log;
mod live;
mod live_output;
mod log;
mod log_values;
mod moves;
mod new_shapes;
mod notes;
mod ovd;
#[cfg(feature = "parquet")]
mod parquet_log;
mod read_options;
mod regressions;
mod replay;
mod resting;
mod ring_recorder;
mod scene_edit;
mod scene_round_trip;
mod slow_input;
mod untested_pairs;
