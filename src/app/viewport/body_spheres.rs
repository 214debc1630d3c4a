//! The bounding spheres of all bodies at the playhead: what is near the pointer is found among them, and only that is tested.

use super::ViewportInput;
use super::view::{Projection, View};
use crate::app::view_state::Playhead;
use crate::core::bounds::bounding_sphere;
use crate::core::replay::{FrameState, ObjectId, Replay};
use glam::{DVec3, Vec3, Vec4};
use std::sync::{Arc, Weak};

/// Error of a coordinate in `f32`, and of what is computed with it, as a share of the coordinate.
const ROUNDING: f32 = 4e-6;

/// Factor on the radius: a point of the screen covers less on the near side of a sphere than at its centre.
const NEAR_SIDE: f32 = 1.1;

/// The spheres of a level at a time.
pub struct BodySpheres {
    replay: Weak<Replay>,
    start: Weak<FrameState>,
    time: (Playhead, Option<usize>),
    /// World, metres.
    origin: DVec3,
    /// By object: the centre relative to the origin, and the radius. Infinite for what is unbounded, not a number for what is absent.
    spheres: Vec<Vec4>,
}

impl BodySpheres {
    /// The spheres at the time of an input.
    pub fn of(input: &ViewportInput<'_>) -> Self {
        let objects = input.replay.objects();
        let ids = || 0..objects.len() as ObjectId;
        let first = ids().find_map(|id| input.pose(id));
        let origin = first.map_or(DVec3::ZERO, |pose| pose.position);
        let spheres = ids().zip(objects).map(|(id, object)| {
            let Some(pose) = input.pose(id) else {
                return Vec4::NAN;
            };
            match bounding_sphere(&object.shape) {
                Some(sphere) => {
                    let center = (pose.point(sphere.center) - origin).as_vec3();
                    center.extend(sphere.radius as f32)
                }
                None => Vec3::ZERO.extend(f32::INFINITY),
            }
        });
        Self {
            replay: Arc::downgrade(input.replay),
            start: Arc::downgrade(&input.frame.start),
            time: (input.playhead, input.phase),
            origin,
            spheres: spheres.collect(),
        }
    }

    /// With which every object is near every ray.
    #[cfg(test)]
    pub fn unbounded(input: &ViewportInput<'_>) -> Self {
        let mut spheres = Self::of(input);
        spheres.spheres.fill(Vec3::ZERO.extend(f32::INFINITY));
        spheres
    }

    /// Whether they are those of an input.
    pub fn is_of(&self, input: &ViewportInput<'_>) -> bool {
        // A weak reference holds its address, so that nothing else can have it.
        std::ptr::eq(self.replay.as_ptr(), Arc::as_ptr(input.replay))
            && std::ptr::eq(self.start.as_ptr(), Arc::as_ptr(&input.frame.start))
            && self.time == (input.playhead, input.phase)
    }

    /// The objects whose spheres come within so many points of the ray from a point in a direction (unit), world, in order; and a few
    /// more.
    pub fn near(
        &self,
        view: &View,
        (from, along): (DVec3, DVec3),
        points: f64,
    ) -> impl Iterator<Item = ObjectId> {
        // An orthographic ray begins far away, where `f32` is coarse.
        let from = from - self.origin;
        let from = (from - along * from.dot(along)).as_vec3();
        let along = along.as_vec3();
        let eye = (view.eye - self.origin).as_vec3();
        let forward = -view.axes().z_axis.as_vec3();
        // Metres of the points by depth, and at least.
        let metres = points * 2.0 / view.size.y;
        let (by_depth, least) = match view.projection {
            Projection::Perspective { tangent } => {
                let by_depth = tangent * metres;
                (by_depth as f32, (by_depth * view.near()) as f32)
            }
            Projection::Orthographic { half_height } => (0.0, (half_height * metres) as f32),
        };
        let is_near = move |sphere: &Vec4| {
            let (center, radius) = (sphere.truncate(), sphere.w);
            let off = (center - from).cross(along).length_squared();
            let wide = (by_depth * (center - eye).dot(forward)).max(least);
            let rounding = ROUNDING * (center.abs() + from.abs() + eye.abs()).element_sum();
            let limit = radius * NEAR_SIDE + wide + rounding;
            off <= limit * limit
        };
        let near = (0..)
            .zip(&self.spheres)
            .filter(move |(_, one)| is_near(one));
        near.map(|(id, _)| id)
    }
}
