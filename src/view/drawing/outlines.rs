//! Outlines and sweeps of shapes in a drawing.

use super::item::Ink;
use super::pane::Pane;
use super::plane::{Area, View, hull};
use crate::core::replay::MotionSegment;
use crate::core::shape::{Aabb, CompoundPart, Facing, Mesh, Obb, Placed, Pose, Shape, Solid};
use glam::{DMat3, DQuat, DVec2, DVec3};
use std::f64::consts::TAU;

/// Corners of a circle in an outline.
const CORNERS: u32 = 48;
/// Poses between which a turning body's outline is joined.
const TURN_STEPS: u32 = 12;
/// Triangles of a mesh that are drawn; the nearest to the contact.
const TRIANGLES: usize = 150;
/// Lines of a cut through a mesh that are drawn.
const CUT_LINES: usize = 2000;
/// Ticks on the front of a one-sided surface, points.
const TICK: f64 = 5.0;
/// Share of a size by which the depth of a part may be rounded (no unit).
const DEPTH_ROUNDING: f64 = 1e-9;
/// Vertices from which a mesh's outline is that of its box.
const MANY_VERTICES: usize = 2000;

/// Points whose convex hull is the outline of a convex shape; empty for a plane.
pub fn points(shape: &Shape, pose: &Pose, view: View) -> Vec<DVec2> {
    let circle = |center: DVec3, radius: f64| {
        let center = view.point(center);
        (0..CORNERS).map(move |corner| {
            let angle = TAU * f64::from(corner) / f64::from(CORNERS);
            center + radius * DVec2::from_angle(angle)
        })
    };
    match shape.placed(pose) {
        Placed::Sphere(sphere) => circle(sphere.center, sphere.radius).collect(),
        Placed::Capsule(capsule) => circle(capsule.segment.a, capsule.radius)
            .chain(circle(capsule.segment.b, capsule.radius))
            .collect(),
        Placed::Obb(obb) => obb.corners().map(|corner| view.point(corner)).into(),
        Placed::Segment(segment) => [segment.a, segment.b].map(|end| view.point(end)).into(),
        Placed::Triangle(triangle) => [triangle.a, triangle.b, triangle.c]
            .map(|corner| view.point(corner))
            .into(),
        Placed::Solid(solid, pose) => {
            let corners = solid
                .surface()
                .into_iter()
                .flatten()
                .map(|corner| pose.point(corner));
            match solid.radius() {
                0.0 => corners.map(|corner| view.point(corner)).collect(),
                radius => corners.flat_map(|corner| circle(corner, radius)).collect(),
            }
        }
        Placed::Plane(_) => Vec::new(),
        Placed::Mesh(mesh, pose) => mesh_points(mesh, &pose, view),
        Placed::Compound(compound, pose) => {
            let parts = compound.parts().iter();
            parts
                .flat_map(|part| points(&part.shape, &pose.then(&part.pose), view))
                .collect()
        }
    }
}

fn mesh_points(mesh: &Mesh, pose: &Pose, view: View) -> Vec<DVec2> {
    if mesh.vertices().len() <= MANY_VERTICES {
        let points = mesh.vertices().map(|vertex| view.point(pose.point(vertex)));
        return points.collect();
    }
    let bounds = mesh.aabb_at(pose);
    [bounds.min, bounds.max]
        .into_iter()
        .flat_map(|x| [bounds.min, bounds.max].map(|y| (x, y)))
        .flat_map(|(x, y)| [bounds.min, bounds.max].map(|z| DVec3::new(x.x, y.y, z.z)))
        .map(|corner| view.point(corner))
        .collect()
}

/// The bounds of a shape in the picture.
pub fn area(shape: &Shape, pose: &Pose, view: View) -> Option<Area> {
    Area::of(points(shape, pose, view)).filter(|area| area.size().is_finite())
}

/// Swept outlines of a body, one per straight segment; exact for convex shapes without rotation.
pub fn swept(shape: &Shape, segments: &[MotionSegment], view: View) -> Vec<Vec<DVec2>> {
    if let Shape::Compound(compound) = shape {
        let parts = compound.parts().iter();
        return parts
            .flat_map(|part| {
                let pose = |pose: Pose| pose.then(&part.pose);
                swept_by(&part.shape, segments, view, pose)
            })
            .collect();
    }
    swept_by(shape, segments, view, |pose| pose)
}

fn swept_by(
    shape: &Shape,
    segments: &[MotionSegment],
    view: View,
    placed: impl Fn(Pose) -> Pose,
) -> Vec<Vec<DVec2>> {
    let mut outlines = Vec::new();
    for segment in segments {
        let steps = if segment.motion.turns() {
            TURN_STEPS
        } else {
            1
        };
        for step in 0..steps {
            let at = |step: u32| placed(segment.motion.pose(f64::from(step) / f64::from(steps)));
            let mut all = points(shape, &at(step), view);
            all.extend(points(shape, &at(step + 1), view));
            outlines.push(hull(all));
        }
    }
    outlines
}

/// Draws a shape; `near` is the contact, world. A mesh is cut at the contact's depth; returns how many of its triangles are left out.
pub fn draw(
    pane: &mut Pane,
    ink: Ink,
    shape: &Shape,
    pose: &Pose,
    view: View,
    near: DVec3,
) -> usize {
    match shape.placed(pose) {
        Placed::Sphere(sphere) => pane.circle(ink, view.point(sphere.center), sphere.radius),
        Placed::Segment(segment) => {
            pane.line(edge(ink), view.point(segment.a), view.point(segment.b))
        }
        Placed::Plane(plane) => {
            // The part at the depth of the contact.
            let flat = view.vector(plane.normal);
            let depth = plane.normal - view.right * flat.x - view.up * flat.y;
            pane.fill_half_plane(ink, flat, plane.offset - depth.dot(near));
        }
        Placed::Compound(compound, pose) => {
            let toward = view.right.cross(view.up);
            let at_depth = |part: &&CompoundPart| {
                let bounds = part.shape.placed(&pose.then(&part.pose)).aabb();
                bounds.is_none_or(|bounds| {
                    let reach = bounds.half_extents().dot(toward.abs());
                    (bounds.center() - near).dot(toward).abs() <= reach * (1.0 + DEPTH_ROUNDING)
                })
            };
            // Parts before and behind the contact would hide it; without one there, all of them.
            let cut: Vec<_> = compound.parts().iter().filter(at_depth).collect();
            let all = compound.parts().iter().filter(|_| cut.is_empty());
            return cut
                .iter()
                .copied()
                .chain(all)
                .map(|part| {
                    let pose = pose.then(&part.pose);
                    draw(pane, ink, &part.shape, &pose, view, near)
                })
                .sum();
        }
        Placed::Mesh(mesh, pose) => {
            if ink != Ink::Obstacle {
                pane.fill(ink, &[hull(points(shape, &pose, view))]);
            }
            return mesh_cut(pane, ink, (mesh, &pose), view, near);
        }
        Placed::Triangle(triangle)
            if triangle
                .normal()
                .is_some_and(|normal| view.vector(normal).length() > 1.0 - DEPTH_ROUNDING) =>
        {
            let corners = [triangle.a, triangle.b, triangle.c].map(|corner| view.point(corner));
            for index in 0..3 {
                pane.line(edge(ink), corners[index], corners[(index + 1) % 3]);
            }
        }
        Placed::Obb(_) | Placed::Capsule(_) | Placed::Solid(..) | Placed::Triangle(_) => {
            pane.fill(ink, &[hull(points(shape, pose, view))]);
        }
    }
    0
}

/// The lines of a surface without thickness.
fn edge(ink: Ink) -> Ink {
    match ink {
        Ink::Obstacle => Ink::Surface,
        of_mover => of_mover,
    }
}

/// What a pane shows of a mesh near a depth: a box in the mesh's local space.
fn region(seen: Area, pose: &Pose, view: View, near: DVec3, thickness: f64) -> Aabb {
    let toward = view.right.cross(view.up);
    let (center, half) = (seen.center(), 0.5 * seen.size());
    let center = view.right * center.x + view.up * center.y + toward * toward.dot(near);
    let in_local = Obb {
        center: pose.point_to_local(center),
        half_extents: DVec3::new(half.x, half.y, thickness),
        rotation: pose.rotation.conjugate()
            * DQuat::from_mat3(&DMat3::from_cols(view.right, view.up, toward)),
    };
    in_local.aabb().grown_for_rounding()
}

/// The lines along which a mesh is cut at the depth of a point, with ticks on the front of a one-sided one. Where nothing is cut, the triangles that
/// are nearest to the point. Returns how many are left out.
fn mesh_cut(
    pane: &mut Pane,
    ink: Ink,
    (mesh, pose): (&Mesh, &Pose),
    view: View,
    near: DVec3,
) -> usize {
    let seen = pane.area();
    let toward = view.right.cross(view.up);
    let (mut lines, mut cut) = (0, 0);
    mesh.for_each_in(&region(seen, pose, view, near, 0.0), &mut |index| {
        let triangle = mesh.triangle(index);
        let corners = [triangle.a, triangle.b, triangle.c].map(|corner| pose.point(corner));
        let Some([a, b]) =
            cut_of(corners, near, toward).map(|ends| ends.map(|end| view.point(end)))
        else {
            return;
        };
        cut += 1;
        if lines == CUT_LINES || !pane.shows(a, b) {
            return;
        }
        lines += 1;
        pane.line(edge(ink), a, b);
        if mesh.facing() == Facing::Front
            && let Some(normal) = triangle.normal()
        {
            let (middle, front) = (0.5 * (a + b), view.vector(pose.vector(normal)));
            pane.line(
                Ink::Dimension,
                middle,
                middle + front.normalize_or_zero() * (TICK / pane.scale),
            );
        }
    });
    match cut {
        0 if ink == Ink::Obstacle => nearest_triangles(pane, ink, (mesh, pose), view, near),
        _ => 0,
    }
}

/// Where a triangle is cut by the plane through a point.
fn cut_of(corners: [DVec3; 3], near: DVec3, normal: DVec3) -> Option<[DVec3; 2]> {
    let heights = corners.map(|corner| (corner - near).dot(normal));
    let edges = [(0, 1), (1, 2), (2, 0)].into_iter();
    let crossed = edges.filter(|(a, b)| (heights[*a] >= 0.0) != (heights[*b] >= 0.0));
    let mut ends = crossed.map(|(a, b)| {
        corners[a] + (corners[b] - corners[a]) * (heights[a] / (heights[a] - heights[b]))
    });
    Some([ends.next()?, ends.next()?])
}

/// The triangles of a mesh that are in a pane, the nearest to a point first.
fn nearest_triangles(
    pane: &mut Pane,
    ink: Ink,
    (mesh, pose): (&Mesh, &Pose),
    view: View,
    near: DVec3,
) -> usize {
    let seen = pane.area();
    let bounds = mesh.aabb_at(pose);
    let deep = bounds.min.abs().max(bounds.max.abs()).length() + near.length();
    let near_local = pose.point_to_local(near);
    let mut found: Vec<(f64, u32, Vec<DVec2>)> = Vec::new();
    mesh.for_each_in(&region(seen, pose, view, near, deep), &mut |index| {
        let triangle = mesh.triangle(index);
        let corners = [triangle.a, triangle.b, triangle.c];
        let outline: Vec<DVec2> = corners.map(|corner| view.point(pose.point(corner))).into();
        let bounds = Area::of(outline.iter().copied());
        if bounds.is_some_and(|bounds| bounds.overlap(seen).is_some()) {
            let middle = triangle.centroid();
            found.push((middle.distance_squared(near_local), index, hull(outline)));
        }
    });
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let left_out = found.len().saturating_sub(TRIANGLES);
    found.truncate(TRIANGLES);
    let outlines: Vec<_> = found.into_iter().map(|(.., outline)| outline).collect();
    pane.fill(ink, &outlines);
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle in the plane z = x is cut at z = 1/2 from (1/2, 0) to (1/2, 1/2).
    #[test]
    fn a_triangle_is_cut_at_a_depth() {
        let corners = [
            DVec3::ZERO,
            DVec3::new(1.0, 0.0, 1.0),
            DVec3::new(0.0, 1.0, 0.0),
        ];
        let near = DVec3::new(9.0, 9.0, 0.5);
        let mut ends = cut_of(corners, near, DVec3::Z).unwrap();
        ends.sort_by(|a, b| a.y.total_cmp(&b.y));
        assert_eq!(ends, [DVec3::new(0.5, 0.0, 0.5), DVec3::new(0.5, 0.5, 0.5)]);
        assert_eq!(cut_of(corners, DVec3::Z * 2.0, DVec3::Z), None);
    }
}
