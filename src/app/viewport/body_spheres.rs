//! The bounding spheres of all bodies at the playhead: what is near the pointer is found among them, and only that is tested.

use super::ViewportInput;
use super::view::{Projection, View};
use crate::app::view_state::Playhead;
use crate::core::bounds::bounding_sphere;
use crate::core::replay::{FrameState, ObjectId, Replay};
use glam::{DVec3, Vec3};
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
    /// Of all objects, in order.
    blocks: Vec<Block>,
}

/// An object near a ray.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    pub id: ObjectId,
    /// Distances along the ray before and after which nothing of it is, metres; infinite for what is unbounded.
    pub first: f64,
    pub last: f64,
}

/// Spheres that the processor compares at once.
const LANES: usize = 16;

/// The spheres of objects next to each other: the centres relative to the origin, and the radii. These are infinite for what is unbounded,
/// and not a number for what is absent.
struct Block {
    center: [[f32; LANES]; 3],
    radius: [f32; LANES],
}

/// A block of which no sphere is near anything.
const EMPTY: Block = Block {
    center: [[0.0; LANES]; 3],
    radius: [f32::NAN; LANES],
};

impl BodySpheres {
    /// The spheres at the time of an input.
    pub fn of(input: &ViewportInput<'_>) -> Self {
        let objects = input.replay.objects();
        let ids = || 0..objects.len() as ObjectId;
        let first = ids().find_map(|id| input.pose(id));
        let origin = first.map_or(DVec3::ZERO, |pose| pose.position);
        let mut blocks = Vec::with_capacity(objects.len().div_ceil(LANES));
        for (index, (id, object)) in ids().zip(objects).enumerate() {
            let lane = index % LANES;
            if lane == 0 {
                blocks.push(EMPTY);
            }
            let (Some(block), Some(pose)) = (blocks.last_mut(), input.pose(id)) else {
                continue;
            };
            block.radius[lane] = f32::INFINITY;
            if let Some(sphere) = bounding_sphere(&object.shape) {
                let center = (pose.point(sphere.center) - origin).as_vec3();
                for (axis, part) in center.to_array().into_iter().enumerate() {
                    block.center[axis][lane] = part;
                }
                block.radius[lane] = sphere.radius as f32;
            }
        }
        Self {
            replay: Arc::downgrade(input.replay),
            start: Arc::downgrade(&input.frame.start),
            time: (input.playhead, input.phase),
            origin,
            blocks,
        }
    }

    /// With which every object is near every ray.
    #[cfg(test)]
    pub fn unbounded(input: &ViewportInput<'_>) -> Self {
        let mut spheres = Self::of(input);
        for block in &mut spheres.blocks {
            block.radius.fill(f32::INFINITY);
        }
        spheres
    }

    /// Whether they are those of an input.
    pub fn is_of(&self, input: &ViewportInput<'_>) -> bool {
        // A weak reference holds its address, so that nothing else can have it.
        std::ptr::eq(self.replay.as_ptr(), Arc::as_ptr(input.replay))
            && std::ptr::eq(self.start.as_ptr(), Arc::as_ptr(&input.frame.start))
            && self.time == (input.playhead, input.phase)
    }

    /// The objects whose spheres come within so many points of the ray from a point in a direction (unit), world, and a few more: the nearest
    /// first.
    pub fn near(&self, view: &View, (from, along): (DVec3, DVec3), points: f64) -> Vec<Near> {
        // An orthographic ray begins far away, where `f32` is coarse.
        let from = from - self.origin;
        let start = from.dot(along);
        let from = (from - along * from.dot(along)).as_vec3();
        let eye = (view.eye - self.origin).as_vec3();
        // Metres of the points by depth, and at least.
        let metres = points * 2.0 / view.size.y;
        let (by_depth, least) = match view.projection {
            Projection::Perspective { tangent } => {
                let by_depth = tangent * metres;
                (by_depth as f32, (by_depth * view.near()) as f32)
            }
            Projection::Orthographic { half_height } => (0.0, (half_height * metres) as f32),
        };
        let beam = Beam {
            from,
            along: along.as_vec3(),
            eye,
            forward: -view.axes().z_axis.as_vec3(),
            by_depth,
            least,
            rounding: ROUNDING * (from.abs() + eye.abs()).element_sum(),
        };
        let mut found = Vec::new();
        for (block, first) in self.blocks.iter().zip((0..).step_by(LANES)) {
            let near = beam.meets(block);
            if near.contains(&true) {
                let near = (0..LANES).filter(|lane| near[*lane]);
                found.extend(
                    near.map(|lane| beam.near(block, lane, first + lane as ObjectId, start)),
                );
            }
        }
        found.sort_by(|one, other| {
            one.first
                .total_cmp(&other.first)
                .then(one.id.cmp(&other.id))
        });
        found
    }
}

/// What is near a ray, relative to the origin of the spheres.
struct Beam {
    from: Vec3,
    along: Vec3,
    eye: Vec3,
    forward: Vec3,
    /// Metres around the ray for each metre of depth, and at least.
    by_depth: f32,
    least: f32,
    /// Error of `from` and `eye`, metres.
    rounding: f32,
}

impl Beam {
    /// Which spheres it meets. Without branches, so that the processor takes several at once.
    fn meets(&self, block: &Block) -> [bool; LANES] {
        let mut near = [false; LANES];
        let [x, y, z] = &block.center;
        for lane in 0..LANES {
            let center = Vec3::new(x[lane], y[lane], z[lane]);
            let off = (center - self.from).cross(self.along).length_squared();
            let depth = (center - self.eye).dot(self.forward);
            let wide = (self.by_depth * depth).max(self.least);
            let rounding = ROUNDING * center.abs().element_sum() + self.rounding;
            let limit = block.radius[lane] * NEAR_SIDE + wide + rounding;
            near[lane] = off <= limit * limit;
        }
        near
    }

    /// What is near, where the ray begins at a distance from the origin's foot on it.
    fn near(&self, block: &Block, lane: usize, id: ObjectId, start: f64) -> Near {
        let [x, y, z] = &block.center;
        let center = Vec3::new(x[lane], y[lane], z[lane]);
        let rounding = ROUNDING * center.abs().element_sum() + self.rounding;
        let middle = f64::from(center.dot(self.along)) - start;
        let reach = f64::from(block.radius[lane] * NEAR_SIDE + rounding);
        Near {
            id,
            first: middle - reach,
            last: middle + reach,
        }
    }
}
