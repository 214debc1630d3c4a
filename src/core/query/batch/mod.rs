//! The same questions, asked of many pairs at once: columns in, answers of the pairs that meet out.
//!
//! | question | function |
//! |---|---|
//! | how two swept spheres fare, by name | [`sweep_sphere_pairs`] |
//! | which swept spheres meet, with all numbers | [`meeting_sphere_pairs`] |
//! | contact of a sphere and a triangle, with the push | [`contact_sphere_triangle_pairs`] |
//! | contact of a sphere and a rotated box, with the push | [`contact_sphere_obb_pairs`] |
//! | where a segment meets a triangle, with the weights | [`ray_cast_triangle_pairs`] |
//!
//! **No answer depends on being asked in a batch.** Each pair's answer (the name of a sweep's outcome; every number of a
//! contact or a hit) is bit for bit that of the function that takes one pair. Both run one and the same formula, free of
//! branches, here over stretches of columns and there over a single pair; a pair for which that formula lies within its error
//! bound, or whose numbers leave its range, is handed to the function that takes one. A test in `f32` comes first and discards pairs
//! that are apart beyond its own, wider error bounds. The instructions are chosen at run time ([`Lanes`]), and every set of them
//! gives the same bits: nothing is fused, reassociated or approximated.
//!
//! Pairs go by place, `first[i]` with `second[i]`; the columns keep their memory when they are emptied, so that a caller who
//! gathers candidates frame by frame allocates once.

mod columns;
mod contacts;
mod far_box;
mod far_triangle;
mod lanes;
mod rounded_spheres;
mod segment_triangle;
mod sift;
mod sphere_obb;
mod sphere_triangle;
mod spheres_apart;
mod swept_spheres;

pub use columns::{Boxes, MovingSpheres, Segments, Spheres, Triangles};
pub use contacts::Contacts;
pub use lanes::Lanes;
pub use segment_triangle::{RayHits, ray_cast_triangle_pairs};
pub use sphere_obb::contact_sphere_obb_pairs;
pub use sphere_triangle::contact_sphere_triangle_pairs;
pub use spheres_apart::SpheresApart;
pub use swept_spheres::{Meetings, SweepKinds, meeting_sphere_pairs, sweep_sphere_pairs};

/// Pairs that are worked on at a time: a few vectors of the widest instructions, small enough that what is found of them stays
/// in the nearest cache.
const BLOCK: usize = 32;
