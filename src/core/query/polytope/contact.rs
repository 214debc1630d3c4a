//! Do two convex bodies touch, and which push parts them?

use super::super::{Contact, Trace};
use super::Polytope;

/// The contact of two bodies with the least push; `None` when they are apart. Touching counts, with depth 0.
///
/// A one-sided triangle pushes only toward its front or along its plane, and ignores a body that lies wholly behind it.
pub fn contact_polytope_polytope(
    a: &Polytope,
    b: &Polytope,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let _ = (a, b, trace);
    todo!("helper polytopes")
}
