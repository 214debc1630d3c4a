//! When do two convex bodies meet that move straight and do not turn?

use super::super::{SweepOutcome, Trace};
use super::Polytope;
use glam::DVec3;

/// Sweeps two bodies along their displacements of the same frame. A one-sided triangle that is approached from behind,
/// or along its plane, is ignored and answers `Receding`.
pub fn sweep_polytope_polytope(
    a: &Polytope,
    displacement_a: DVec3,
    b: &Polytope,
    displacement_b: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let _ = (a, displacement_a, b, displacement_b, trace);
    todo!("helper polytopes")
}
