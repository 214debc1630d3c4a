//! What is found apart from the motion of pairs, each with findings of its own: pushes, contacts and queries.

pub(super) mod ghost;
pub(super) mod internal_edge;
pub(super) mod next_wall;
pub(super) mod own_query;
