//! Detectors of findings that do not come from the motion of pairs: pushes, contacts and queries.

pub(super) mod ghost;
pub(super) mod internal_edge;
pub(super) mod log_check;
pub(super) mod next_wall;
pub(super) mod own_query;
