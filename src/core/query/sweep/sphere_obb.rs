//! A swept sphere against a box: a ray against the rounded box, in the box's frame.
//!
//! First the slabs of the box grown by the radius on every side, which contains the rounded box: no entry there is a miss, and
//! an entry over a face is the answer. Anywhere else all twelve edge capsules are tried: a ray that enters beyond an edge and
//! misses that edge may still meet another one, which the published form (Ericson 2005, 5.5.7) does not see.

use super::{
    Convex, Doubt, Entry, Path, earlier, enter_ball, enter_cylinder, in_world, nearest_of,
    noise_of, stretched, sweep_rounded,
};
use crate::core::query::closest_point::closest_points_of_segments;
use crate::core::query::exact::{ExactFrame, ExactSweep, exact_aabb};
use crate::core::query::in_range::is_refused;
use crate::core::query::nearest::{Nearest, nearest_on_box};
use crate::core::query::{Feature, SweepOutcome, Trace};
use crate::core::shape::{Aabb, Obb, Pose, Segment, Sphere};
use glam::DVec3;

/// Sweeps a sphere against a box that does not turn; both move by their displacement over the frame.
///
/// The slabs of the box grown by the radius come first; an entry beyond a face is settled by all twelve edge capsules, of which
/// Ericson 2005, 5.5.7 tries too few.
pub fn sweep_sphere_obb(
    sphere: &Sphere,
    displacement: DVec3,
    obb: &Obb,
    obb_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    if is_refused(&[sphere, &displacement, obb, &obb_displacement], trace) {
        return SweepOutcome::Receding;
    }
    let pose = obb.pose();
    let exact = || {
        let frame = ExactFrame::of(&pose);
        let body = frame.cuboid(sphere.center, obb.half_extents);
        frame.sweep(body, [displacement, obb_displacement], [sphere.radius, 0.0])
    };
    let path = Path::relative(sphere, displacement, obb_displacement).to_local(&pose);
    let doubt = Doubt {
        noise: noise_of(&[
            path.start,
            path.step,
            obb.half_extents,
            DVec3::splat(sphere.radius),
        ]) + stretched(obb.rotation, &[path.start, path.step]),
        exact: &exact,
    };
    let shape = LocalBox {
        half_extents: obb.half_extents,
    };
    let outcome = sweep_rounded(&shape, &path, sphere.radius, &doubt, trace);
    in_world(outcome, &pose, sphere, displacement)
}

/// Sweeps a sphere against an axis-aligned box; both move by their displacement over the frame.
pub fn sweep_sphere_aabb(
    sphere: &Sphere,
    displacement: DVec3,
    aabb: &Aabb,
    aabb_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    if is_refused(&[sphere, &displacement, aabb, &aabb_displacement], trace) {
        return SweepOutcome::Receding;
    }
    let pose = Pose::at(aabb.center());
    let exact = || {
        let body = exact_aabb(sphere.center, aabb);
        let radii = [sphere.radius, 0.0];
        ExactSweep::new(body, displacement, aabb_displacement, radii)
    };
    let path = Path::relative(sphere, displacement, aabb_displacement).to_local(&pose);
    let doubt = Doubt {
        // The middle between two corners is rounded as large as they are.
        noise: noise_of(&[
            aabb.min,
            aabb.max,
            path.start,
            path.step,
            DVec3::splat(sphere.radius),
        ]),
        exact: &exact,
    };
    let shape = LocalBox {
        half_extents: aabb.half_extents(),
    };
    let outcome = sweep_rounded(&shape, &path, sphere.radius, &doubt, trace);
    in_world(outcome, &pose, sphere, displacement)
}

/// A box around the origin in its own frame.
pub(crate) struct LocalBox {
    /// Metres, each >= 0.
    pub half_extents: DVec3,
}

impl Convex for LocalBox {
    fn nearest(&self, point: DVec3) -> Nearest {
        nearest_on_box(point, self.half_extents)
    }

    fn enter(&self, path: &Path, radius: f64) -> Option<Entry> {
        if let Some(face) = self.enter_slabs(path, radius)? {
            return Some(face);
        }
        let mut first = None;
        for edge in self.edges() {
            first = earlier(first, enter_cylinder(path, &edge, radius).map(Entry::round));
        }
        for corner in 0..8 {
            first = earlier(
                first,
                enter_ball(path, self.corner(corner), radius).map(Entry::round),
            );
        }
        first
    }

    fn closest_approach(&self, path: &Path) -> f64 {
        let way = Segment {
            a: path.start,
            b: path.at(1.0),
        };
        let edges = self
            .edges()
            .map(|edge| closest_points_of_segments(&way, &edge).0);
        nearest_of(self, path, [0.0, 1.0].into_iter().chain(edges))
    }
}

impl LocalBox {
    /// Bit 0, 1, 2 choose the positive side of x, y, z.
    fn corner(&self, index: usize) -> DVec3 {
        let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
        self.half_extents * DVec3::new(side(0), side(1), side(2))
    }

    /// In the order of [`Feature::Edge`]: four along x, four along y, four along z.
    pub(crate) fn edges(&self) -> [Segment; 12] {
        std::array::from_fn(|index| {
            let (axis, bits) = (index / 4, index % 4);
            let low = bits & ((1 << axis) - 1);
            let first = low | (bits >> axis) << (axis + 1);
            Segment {
                a: self.corner(first),
                b: self.corner(first | 1 << axis),
            }
        })
    }

    /// The slabs of the box grown on every side: `None` misses them, `Some(None)` enters beyond an edge or corner (or starts
    /// there), `Some(face)` enters over a face.
    fn enter_slabs(&self, path: &Path, radius: f64) -> Option<Option<Entry>> {
        let grown = self.half_extents + DVec3::splat(radius);
        let (mut enter, mut exit, mut axis) = (f64::NEG_INFINITY, f64::INFINITY, 0);
        for k in 0..3 {
            let (start, step) = (path.start[k], path.step[k]);
            if step == 0.0 {
                if start.abs() >= grown[k] {
                    return None;
                }
                continue;
            }
            let near = (-grown[k] * step.signum() - start) / step;
            let far = (grown[k] * step.signum() - start) / step;
            if near > enter {
                (enter, axis) = (near, k);
            }
            exit = exit.min(far);
        }
        if enter >= exit || exit <= 0.0 {
            return None;
        }
        // A start inside the grown box is beyond an edge, or over a face by no more than rounding.
        let enter = enter.max(0.0);
        let at = path.at(enter);
        let over_face = (0..3).all(|k| k == axis || at[k].abs() <= self.half_extents[k]);
        // A box grown by nothing is its own slabs: there is no edge to enter beyond.
        if !over_face && radius > 0.0 {
            return Some(None);
        }
        let positive = path.step[axis] < 0.0;
        let mut normal = DVec3::ZERO;
        normal[axis] = if positive { 1.0 } else { -1.0 };
        Some(Some(Entry {
            fraction: enter,
            normal: Some(normal),
            feature: Feature::Face(2 * axis as u32 + u32::from(positive)),
        }))
    }
}
