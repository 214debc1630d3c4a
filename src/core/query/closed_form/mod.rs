//! Pairs for which a formula is simpler or faster than the general method: a point with a radius against simple cores, two
//! segments, and flat shapes on their separating axes.

pub(crate) mod axes;
pub(crate) mod point;
pub(crate) mod rounded;
pub(crate) mod segment_triangle;
pub(crate) mod spheres;
