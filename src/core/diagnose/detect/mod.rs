//! Detectors of findings that do not come from the motion of a pair alone: initial overlaps, the camera, bad numbers, and what a log
//! states.

pub(super) mod bad_number;
pub(super) mod camera;
pub(super) mod ghost;
pub(super) mod internal_edge;
pub(super) mod log_check;
mod logged_bad_number;
pub(super) mod next_wall;
pub(super) mod own_query;
pub(super) mod starts_inside;
