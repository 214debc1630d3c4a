//! The convex parts of two shapes, each shape at a moment of its motion.

use crate::core::query::composite::Composite;
use crate::core::query::dispatch::gap_of;
use crate::core::query::operand::Operand;
use crate::core::query::outcome::Gap;
use crate::core::query::view::View;
use crate::core::shape::{Aabb, Facing, Triangle};
use glam::DVec3;
use smallvec::SmallVec;

/// Parts of a shape by their number; a convex shape is its own part 0.
pub(super) type Indices = SmallVec<[u32; 16]>;

/// Both shapes at a moment.
pub(super) type Views<'s> = [View<'s>; 2];

/// True when a direction, from b toward a, leads out of the front of all one-sided triangles among some parts.
pub(super) fn leads_out_of_fronts(views: &Views<'_>, near: &[Indices; 2], normal: DVec3) -> bool {
    let leads_out = |view: &View<'_>, parts: &Indices, normal: DVec3| {
        if let View::Composite(Composite::Mesh(mesh, _)) = view
            && mesh.facing() == Facing::Both
        {
            return true;
        }
        parts.iter().all(|&index| match part(view, index) {
            View::Convex(operand) => operand.front().is_none_or(|front| front.dot(normal) >= 0.0),
            _ => true,
        })
    };
    leads_out(&views[1], &near[1], normal) && leads_out(&views[0], &near[0], -normal)
}

/// A convex part of a shape, or a plane.
pub(super) fn part<'s>(view: &View<'s>, index: u32) -> View<'s> {
    match view {
        View::Composite(parts) => View::Convex(parts.part(index)),
        _ => *view,
    }
}

/// World bounds of a part; `None` of a plane.
pub(super) fn bounds_of(view: &View<'_>, index: u32) -> Option<Aabb> {
    match view {
        View::Convex(operand) => Some(operand.aabb()),
        View::Plane(_) => None,
        View::Composite(parts) => Some(parts.bounds_of(index)),
    }
}

/// How deep a point lies inside a part, metres; negative outside.
pub(super) fn depth_in(point: DVec3, view: &View<'_>) -> f64 {
    let point = View::Convex(Operand::point(point, 0.0));
    separated(&[point, *view], 0.0).map_or(f64::NEG_INFINITY, |gap| -gap.distance)
}

/// How far some parts of a shape reach along a unit direction, metres from the origin; infinitely for a plane that does not face it.
pub(super) fn farthest(view: &View<'_>, parts: &Indices, along: DVec3) -> f64 {
    let of_part = |part: &Operand<'_>| part.support(along).dot(along) + part.radius;
    let reaches = parts.iter().map(|&index| match view {
        View::Convex(operand) => of_part(operand),
        View::Plane(plane) if plane.normal == along => plane.offset,
        View::Plane(_) => f64::INFINITY,
        // Without the normal that a part takes.
        View::Composite(Composite::Mesh(mesh, pose)) => {
            let Triangle { a, b, c, .. } = mesh.triangle(index).transformed(pose);
            a.dot(along).max(b.dot(along)).max(c.dot(along))
        }
        View::Composite(parts) => of_part(&parts.part(index)),
    });
    reaches.fold(f64::NEG_INFINITY, f64::max)
}

pub(super) fn parts<'s>(views: &Views<'s>, pair: &[u32; 2]) -> Views<'s> {
    [part(&views[0], pair[0]), part(&views[1], pair[1])]
}

/// The gap of two parts; one of `limit` or more need not be exact.
pub(super) fn separated([a, b]: &[View<'_>; 2], limit: f64) -> Option<Gap> {
    gap_of(a, b, [f64::NEG_INFINITY, limit], &mut ())
}
