//! Detectors of findings that do not come from the motion of a pair alone: initial overlaps, the camera, bad numbers, and what a log
//! states.

pub mod bad_number;
pub mod camera;
pub mod driven;
pub mod frame_findings;
pub mod ghost;
pub mod internal_edge;
pub mod judge_frame;
pub mod log_check;
mod logged_bad_number;
pub mod margins;
pub mod next_wall;
pub mod own_query;
pub mod pair_finding;
pub mod piles;
pub mod starts_inside;
