//! Draws shapes as outlines and as translucent bodies, for ghosts, selections and hints.

use super::draw_list::rgba;
use super::draw_list_builder::{DrawListBuilder, LineStyle, plane_patch};
use crate::core::shape::{Mesh, Obb, Pose, Shape, Solid};
use egui::Color32;
use glam::DVec3;
use std::sync::Arc;

/// Meshes with more triangles than this have no translucent faces.
const MAX_FACES: usize = 4000;
/// Meshes with more sharp edges than this show no hidden ones.
const MAX_SEEN_THROUGH: usize = 200;
/// Half the edge of a plane's patch, metres.
const PATCH: f64 = 10.0;

/// Draws the edges of a shape, or the silhouette of a round one.
pub fn outline(builder: &mut DrawListBuilder, shape: &Shape, pose: &Pose, style: LineStyle) {
    if let Some((ends, radius)) = shape.as_stadium() {
        let [a, b] = ends.map(|end| pose.point(end.extend(0.0)));
        return capsule_silhouette(builder, a, b, radius, style);
    }
    match shape {
        Shape::Sphere { radius } => builder.silhouette(pose.position, *radius, style),
        Shape::Box { half_extents } => {
            let obb = Obb {
                center: pose.position,
                half_extents: *half_extents,
                rotation: pose.rotation,
            };
            builder.box_edges(&obb.corners(), style);
        }
        Shape::Segment(segment) => {
            builder.line(pose.point(segment.a), pose.point(segment.b), style);
        }
        Shape::Capsule(capsule) => {
            let [a, b] = [capsule.segment.a, capsule.segment.b].map(|end| pose.point(end));
            capsule_silhouette(builder, a, b, capsule.radius, style);
        }
        Shape::Solid(solid) => {
            for [a, b] in solid.outline() {
                builder.line(pose.point(a), pose.point(b), style);
            }
        }
        Shape::Compound(compound) => {
            for part in compound.parts() {
                outline(builder, &part.shape, &pose.then(&part.pose), style);
            }
        }
        Shape::Triangle(triangle) => {
            let corners = [triangle.a, triangle.b, triangle.c];
            builder.loop_line(&corners.map(|corner| pose.point(corner)), style);
        }
        Shape::Plane(plane) => {
            let target = builder.view.target;
            if let Some(corners) = plane_patch(&plane.transformed(pose), target, PATCH) {
                builder.loop_line(&corners, style);
            }
        }
        Shape::Mesh(mesh) => mesh_outline(builder, mesh, pose, style),
    }
}

/// Draws the sharp edges of a mesh, or its box where there are too many.
fn mesh_outline(builder: &mut DrawListBuilder, mesh: &Arc<Mesh>, pose: &Pose, style: LineStyle) {
    let geometry = builder.geometries.mesh(mesh);
    match geometry.built().map(|built| &built.outline[..]) {
        None | Some([]) => {
            let local = mesh.aabb();
            let obb = Obb {
                center: pose.point(local.center()),
                half_extents: local.half_extents(),
                rotation: pose.rotation,
            };
            builder.box_edges(&obb.corners(), style);
        }
        Some(outline) => {
            // Of a terrain those behind its hills would cover the view.
            let style = match outline.len() > MAX_SEEN_THROUGH {
                true => style.occluded(0.0),
                false => style,
            };
            for &[a, b] in outline {
                builder.line(pose.point(a), pose.point(b), style);
            }
        }
    }
}

/// Draws the silhouette of a capsule: two half circles, and the two tangents between them.
pub fn capsule_silhouette(
    builder: &mut DrawListBuilder,
    a: DVec3,
    b: DVec3,
    radius: f64,
    style: LineStyle,
) {
    let axis = b - a;
    let toward = |at: DVec3| (builder.view.eye - at).try_normalize().unwrap_or(DVec3::Z);
    let Some(side) = axis.cross(toward((a + b) * 0.5)).try_normalize() else {
        let nearer = if toward(a).dot(axis) > 0.0 { b } else { a };
        builder.silhouette(nearer, radius, style);
        return;
    };
    let Some(up) = toward((a + b) * 0.5).cross(side).try_normalize() else {
        return;
    };
    let out = if up.dot(axis) < 0.0 { up } else { -up };
    let count = 16;
    let arc = |center: DVec3, out: DVec3| -> Vec<DVec3> {
        (0..=count)
            .map(|step| {
                let angle = std::f64::consts::PI * f64::from(step) / f64::from(count);
                center + (side * angle.cos() + out * angle.sin()) * radius
            })
            .collect()
    };
    let mut points = arc(a, out);
    points.extend(arc(b, -out).into_iter().rev());
    builder.loop_line(&points, style);
}

/// Draws a translucent body with its outline.
pub fn ghost(
    builder: &mut DrawListBuilder,
    shape: &Shape,
    pose: &Pose,
    (color, alpha): (Color32, f32),
) {
    if let Shape::Compound(compound) = shape {
        for part in compound.parts() {
            ghost(builder, &part.shape, &pose.then(&part.pose), (color, alpha));
        }
        return;
    }
    if alpha > 0.0 {
        translucent_body(builder, shape, pose, (color, alpha));
    }
    let style = LineStyle::new(color, 1.4).alpha(0.9).occluded(0.35);
    outline(builder, shape, pose, style);
}

fn translucent_body(
    builder: &mut DrawListBuilder,
    shape: &Shape,
    pose: &Pose,
    (color, alpha): (Color32, f32),
) {
    let fill = rgba(color, alpha);
    match shape {
        Shape::Sphere { radius } => {
            builder.translucent_capsule(pose.position, pose.position, *radius, fill);
        }
        Shape::Capsule(capsule) => {
            let [a, b] = [capsule.segment.a, capsule.segment.b].map(|end| pose.point(end));
            builder.translucent_capsule(a, b, capsule.radius, fill);
        }
        Shape::Triangle(triangle) => {
            let corners = [triangle.a, triangle.b, triangle.c];
            builder.double_sided_triangle(corners.map(|corner| pose.point(corner)), fill);
        }
        Shape::Mesh(mesh) if mesh.count() <= MAX_FACES => {
            builder.translucent_shape(shape, pose, rgba(color, alpha * 0.5));
        }
        Shape::Box { .. } | Shape::Solid(_) => builder.translucent_shape(shape, pose, fill),
        Shape::Segment(_) | Shape::Plane(_) | Shape::Mesh(_) | Shape::Compound(_) => {}
    }
}
