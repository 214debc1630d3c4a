//! Outlines and sweeps of shapes in a drawing.

use super::svg::Picture;
use super::view::{Area, View, hull};
use crate::core::replay::MotionSegment;
use crate::core::shape::{Aabb, Mesh, Obb, Placed, Pose, Shape};
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// Corners of a circle in an outline.
const CORNERS: u32 = 48;
/// Poses between which a turning body's outline is joined.
const TURN_STEPS: u32 = 12;
/// Triangles of a mesh that are drawn; the nearest to the contact.
const TRIANGLES: usize = 150;
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

/// Draws a shape; `near` is the contact, world.
pub fn draw(
    picture: &mut Picture,
    class: &str,
    shape: &Shape,
    pose: &Pose,
    view: View,
    near: DVec3,
) {
    match shape.placed(pose) {
        Placed::Sphere(sphere) => picture.circle(class, view.point(sphere.center), sphere.radius),
        Placed::Segment(segment) => {
            picture.line(class, view.point(segment.a), view.point(segment.b));
        }
        Placed::Plane(plane) => {
            // The part at the depth of the contact.
            let flat = view.vector(plane.normal);
            let depth = plane.normal - view.right * flat.x - view.up * flat.y;
            half_plane(picture, class, flat, plane.offset - depth.dot(near));
        }
        Placed::Compound(compound, pose) => {
            for part in compound.parts() {
                let pose = pose.then(&part.pose);
                draw(picture, class, &part.shape, &pose, view, near);
            }
        }
        Placed::Mesh(mesh, pose) => triangles(picture, class, (mesh, &pose), view, near),
        Placed::Obb(_) | Placed::Capsule(_) | Placed::Solid(..) | Placed::Triangle(_) => {
            picture.outlines(class, &[hull(points(shape, pose, view))]);
        }
    }
}

/// Everything at or below `offset` along `normal` (not of unit length when the plane leans out of the picture).
fn half_plane(picture: &mut Picture, class: &str, normal: DVec2, offset: f64) {
    let area = picture.area();
    let Some(way) = normal.try_normalize().filter(|_| normal.length() > 1e-6) else {
        return;
    };
    let surface = way * (offset / normal.length());
    let reach = area.size().length() + (area.center() - surface).length();
    let along = way.perp();
    // The surface's point nearest to the picture's centre.
    let middle = surface + along * (area.center() - surface).dot(along);
    let corners = [
        middle - along * reach,
        middle + along * reach,
        middle + along * reach - way * reach,
        middle - along * reach - way * reach,
    ];
    picture.outlines(class, &[corners.into()]);
}

/// What a picture shows of a mesh, however far before and behind: a box in the mesh's local space.
fn region(seen: Area, (mesh, pose): (&Mesh, &Pose), view: View) -> Aabb {
    let bounds = mesh.aabb_at(pose);
    let reach = bounds.min.abs().max(bounds.max.abs()).max_element();
    let (center, half) = (seen.center(), 0.5 * seen.size());
    let ahead = view.right.cross(view.up);
    let in_local = Obb {
        center: pose.point_to_local(view.right * center.x + view.up * center.y),
        half_extents: (view.right * half.x).abs() + (view.up * half.y).abs() + ahead.abs() * reach,
        rotation: pose.rotation.conjugate(),
    };
    in_local.aabb().grown_for_rounding()
}

/// The triangles of a mesh that are in the picture, the nearest to a point first.
fn triangles(
    picture: &mut Picture,
    class: &str,
    (mesh, pose): (&Mesh, &Pose),
    view: View,
    near: DVec3,
) {
    let seen = picture.area();
    let near = pose.point_to_local(near);
    let mut found: Vec<(f64, u32, Vec<DVec2>)> = Vec::new();
    mesh.for_each_in(&region(seen, (mesh, pose), view), &mut |index| {
        let triangle = mesh.triangle(index);
        let corners = [triangle.a, triangle.b, triangle.c];
        let outline: Vec<DVec2> = corners
            .into_iter()
            .map(|corner| view.point(pose.point(corner)))
            .collect();
        let bounds = Area::of(outline.iter().copied());
        if bounds.is_some_and(|bounds| bounds.overlap(seen).is_some()) {
            let middle = (triangle.a + triangle.b + triangle.c) / 3.0;
            found.push((middle.distance_squared(near), index, hull(outline)));
        }
    });
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    found.truncate(TRIANGLES);
    let outlines: Vec<_> = found.into_iter().map(|(.., outline)| outline).collect();
    picture.outlines(class, &outlines);
}
