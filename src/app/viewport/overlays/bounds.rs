//! Bounding volumes: the box the broad phase sees over this frame, and the sphere around each object.

use super::super::Moment;
use super::super::canvas::{Canvas, Pen};
use super::super::outline::aabb_corners;
use crate::app::view_state::Layer;
use crate::core::bounds::{bounding_sphere, swept_aabb};
use crate::core::shape::Motion;

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
            let center = pose.point(sphere.center);
            let pen = Pen::new(color, 1.2).alpha(0.85).through(0.4);
            canvas.rim(center, sphere.radius, pen);
            let [x, y, z] =
                [glam::DVec3::X, glam::DVec3::Y, glam::DVec3::Z].map(|axis| pose.vector(axis));
            for (u, v) in [(x, y), (y, z), (z, x)] {
                canvas.circle(center, u, v, sphere.radius, pen.alpha(0.3).through(0.3));
            }
        }
    }
}
