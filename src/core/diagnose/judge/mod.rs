//! The kind of a pair in a frame: its passages, what its neighbours change, and the overlaps before the frame.

pub mod compound_parts;
pub mod contact_history;
pub mod detected_interval;
pub mod event;
pub mod judged_event;
pub mod mesh_triangles;
pub mod one_sided;
pub mod overlap_depth;
pub mod own_push;
pub mod pair;
pub mod passages;
pub mod rotating_pair;
pub mod sideways_push;
pub mod solids;
pub mod substeps;
pub mod two_segment_path;
