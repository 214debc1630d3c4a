//! Bounding volumes: the box the broad phase sees over this frame, and the sphere around each object.

use super::super::Moment;
use super::super::canvas::{Canvas, Pen};
use super::super::outline::aabb_corners;
use crate::app::view_state::Layer;
use crate::core::bounds::{bounding_sphere, swept_aabb};
use crate::core::shape::{Motion, Pose, Sphere};
use glam::DVec3;

pub fn draw(canvas: &mut Canvas, moment: &Moment<'_>) {
    let color = canvas.palette.bounds;
    for (id, object, pose) in super::shown(moment, Layer::Boxes) {
        let legs = moment.frame.segments.get(id as usize);
        let boxes = legs
            .into_iter()
            .flatten()
            .filter_map(|leg| swept_aabb(&object.shape, &leg.motion));
        let swept = boxes
            .reduce(|one, two| one.union(&two))
            .or_else(|| swept_aabb(&object.shape, &Motion::still(pose)));
        if let Some(aabb) = swept {
            canvas.box_edges(
                &aabb_corners(&aabb),
                Pen::new(color, 1.2).alpha(0.85).through(0.3),
            );
        }
    }
    for (_, object, pose) in super::shown(moment, Layer::Spheres) {
        if let Some(sphere) = bounding_sphere(&object.shape) {
            draw_sphere(canvas, &sphere, &pose, sphere_pen(canvas));
        }
    }
}

pub fn sphere_pen(canvas: &Canvas) -> Pen {
    Pen::new(canvas.palette.bounds, 1.2)
        .alpha(0.85)
        .through(0.4)
}

/// The rim of a sphere in an object's local space, and a circle in each plane of its axes.
pub fn draw_sphere(canvas: &mut Canvas, sphere: &Sphere, pose: &Pose, pen: Pen) {
    let center = pose.point(sphere.center);
    canvas.rim(center, sphere.radius, pen);
    let [x, y, z] = DVec3::AXES.map(|axis| pose.vector(axis));
    for (u, v) in [(x, y), (y, z), (z, x)] {
        let pen = pen.alpha(pen.alpha * 0.35).through(0.3);
        canvas.circle(center, u, v, sphere.radius, pen);
    }
}
