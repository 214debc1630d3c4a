//! Queries on any two shapes: overlap, distance, contact, sweep, closest approach, ray and probe.
//!
//! | query | result |
//! |---|---|
//! | [`overlaps`] | whether they touch or overlap |
//! | [`contact`] | the deepest contact, and the push that separates them |
//! | [`gap`] | the signed distance and the closest points |
//! | [`sweep`] | the first touch while both move straight |
//! | [`closest_approach`] | the least distance while both move straight, and its time |
//! | [`turning::sweep_turning`] | as `sweep`, for shapes that rotate |
//! | [`ray_cast`] | the first surface that a segment hits |
//! | [`probe`], [`ruler`] | a camera's line probe; a ruler between shapes |
//!
//! Convex pairs use a formula where one is clearly better (`closed_form`), else support points (`convex`); shapes of many convex
//! parts are queried part by part (`composite`).
//!
//! Both shapes are in world space, metres. Displacements are metres per frame, never velocities. Static tests and rays are inclusive
//! at both ends; sweeps are half-open, `0 <= fraction < 1`. A **push** (minimum translation vector) separates the first argument
//! from the second, a **normal** points from the second toward the first, a **depth** (penetration) is >= 0.
//!
//! **Precision.** Queries compute in `f64`. Their error bound is 8 units in the last place ([`BOUND_ULPS`]) of the largest
//! coordinate; shapes closer than the bound touch, and a sweep that comes no deeper than the bound grazes, which is a miss. The side
//! of a triangle on which a point lies, and the triangle of a mesh that a segment crosses, are decided exactly. Where more may be off:
//!
//! | of | at most |
//! |---|---|
//! | spheres, capsules, boxes rounded or not, triangles, planes; distances of hulls | the bound |
//! | the depth of two sharp shapes, whose push prefers a face to two edges | 1e-9 of both sizes longer than the shortest |
//! | the distance and depth of cylinders and cones | measured, 1e-12 of both sizes; near a touch or slivers 1e-9 |
//! | the depth up to which a sweep of hulls, cylinders or cones calls a touch at corners or edges a graze | 1e-12 of both sizes |
//! | the least distance over a motion | 1e-13 of the distance at the start and the displacement |
//!
//! Numbers that are not finite are never in contact and have no distance. Numbers beyond 1e75 may be refused in the same way.
//!
//! A query reports its steps to a [`Trace`], its last argument ([`gap`] and [`ray_cast`] have a `_traced` form): `&mut ()` drops
//! them at no cost, [`Steps`] keeps them.

mod closed_form;
pub mod closest_point;
mod composite;
mod convex;
mod dispatch;
mod in_range;
mod operand;
mod outcome;
mod pair;
mod plane;
mod predicates;
pub mod probe;
mod probe_sweep;
mod ray;
pub mod ruler;
mod trace;
pub mod turning;
mod view;

pub use crate::core::shape::Feature;
pub use crate::core::tolerance::BOUND_ULPS;
pub use closed_form::segment_triangle::ray_cast_triangle;
pub use dispatch::{closest_approach, contact, gap, gap_traced, overlaps, sweep};
pub(in crate::core) use dispatch::{
    closest_approach_until, spheres_stay_apart, sweep_placed, sweep_to,
};
pub use outcome::{ClosestApproach, Contact, Gap, Impact, RayHit, Sweep, SweepOutcome};
pub use probe_sweep::{ProbeSweep, sweep_probe};
pub use ray::{ray_cast, ray_cast_traced};
pub use trace::{Role, SkipReason, Step, Steps, Trace};
