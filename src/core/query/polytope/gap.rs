//! How far apart are two convex bodies, and where are they closest?

use super::super::Gap;
use super::Polytope;

/// The exact signed distance: minus the depth of the contact, else the least distance, with both closest points.
pub fn gap_polytope_polytope(a: &Polytope, b: &Polytope) -> Option<Gap> {
    let _ = (a, b);
    todo!("helper polytopes")
}
