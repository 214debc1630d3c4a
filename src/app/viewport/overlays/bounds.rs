//! Bounding volumes: the broad phase's box around the motion of this frame, and the bounding sphere of each object.

use super::super::ViewportInput;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use crate::app::view_state::Layer;
use crate::core::bounds::{bounding_circle, bounding_sphere, swept_aabb};
use crate::core::shape::{Motion, Pose, Sphere};
use glam::DVec3;

pub fn draw_boxes(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let color = builder.palette.bounds;
    for (id, object, pose) in super::shown(input, Layer::Boxes) {
        let segments = input.frame.segments(id);
        let boxes = segments
            .iter()
            .filter_map(|segment| swept_aabb(&object.shape, &segment.motion));
        let swept = boxes
            .reduce(|one, two| one.union(&two))
            .or_else(|| swept_aabb(&object.shape, &Motion::still(pose)));
        if let Some(aabb) = swept {
            builder.box_edges(
                &aabb.corners(),
                LineStyle::new(color, 1.2).alpha(0.85).occluded(0.3),
            );
        }
    }
}

pub fn draw_spheres(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    for (_, object, pose) in super::shown(input, Layer::Spheres) {
        if input.is_flat() {
            if let Some(circle) = bounding_circle(&object.shape) {
                builder.silhouette(
                    pose.point(circle.center),
                    circle.radius,
                    sphere_style(builder),
                );
            }
            continue;
        }
        if let Some(sphere) = bounding_sphere(&object.shape) {
            draw_sphere(builder, &sphere, &pose, sphere_style(builder));
        }
    }
}

pub fn sphere_style(builder: &DrawListBuilder) -> LineStyle {
    LineStyle::new(builder.palette.bounds, 1.2)
        .alpha(0.85)
        .occluded(0.4)
}

/// Draws the silhouette of a sphere in an object's local space, and a circle in each plane of its axes.
pub fn draw_sphere(builder: &mut DrawListBuilder, sphere: &Sphere, pose: &Pose, style: LineStyle) {
    let center = pose.point(sphere.center);
    builder.silhouette(center, sphere.radius, style);
    let [x, y, z] = DVec3::AXES.map(|axis| pose.vector(axis));
    for (u, v) in [(x, y), (y, z), (z, x)] {
        let style = style.alpha(style.alpha * 0.35).occluded(0.3);
        builder.circle(center, u, v, sphere.radius, style);
    }
}
