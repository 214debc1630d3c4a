//! Step of the level's camera: its movement and its probe.

use super::narrow::stand;
use super::plan::keyframe_pose;
use crate::core::query::probe::{ProbeAnswer, probe};
use crate::core::replay::{CameraState, FrameState, ObjectId, Phase};
use crate::core::scene::{Camera, CameraMovement, Object, Objects};
use crate::core::shape::{Aabb, Facing, Motion, Obb, Plane, Pose, Shape, Solid, Triangle};
use glam::DVec3;

/// The camera before the first frame.
pub fn first(camera: &Camera) -> CameraState {
    let pose = match &camera.movement {
        CameraMovement::Fixed | CameraMovement::Velocity(_) => camera.pose,
        CameraMovement::Keyframes(keyframes) => keyframe_pose(keyframes, 0).unwrap_or(camera.pose),
    };
    CameraState { pose }
}

/// The camera's motion from state `number` to the next, before the probe acts. Pushes of earlier frames stay, except
/// with keyframes.
fn travel(camera: &Camera, state: &CameraState, number: u32, dt: f64) -> Motion {
    let start = state.pose;
    let end = match &camera.movement {
        CameraMovement::Fixed => start,
        CameraMovement::Velocity(velocity) => Pose {
            position: start.position + *velocity * dt,
            ..start
        },
        CameraMovement::Keyframes(keyframes) => {
            keyframe_pose(keyframes, number + 1).unwrap_or(start)
        }
    };
    Motion { start, end }
}

/// One frame of the camera.
#[derive(Clone, Debug)]
pub struct CameraStep {
    /// Before the probe acts.
    pub travel: Motion,
    /// After it.
    pub end: Pose,
    /// What the probe found.
    pub answer: ProbeAnswer,
}

impl CameraStep {
    /// The probe's phase, if it has hits.
    pub fn phase(&self) -> Option<Phase> {
        (!self.answer.hits.is_empty()).then(|| Phase::CameraPush {
            answer: self.answer.clone(),
        })
    }
}

/// Moves the camera from state `number` to the next and runs its probe on the objects at the frame's end.
pub fn step(
    camera: &Camera,
    state: &CameraState,
    number: u32,
    dt: f64,
    objects: &Objects,
    end: &FrameState,
) -> CameraStep {
    let travel = travel(camera, state, number, dt);
    let answer = held(camera, &travel.end, objects, end);
    let mut pushed = travel.end;
    if answer.push.is_finite() {
        pushed.position += answer.push;
    }
    CameraStep {
        travel,
        end: pushed,
        answer,
    }
}

/// Runs the probe at the camera's new pose, against all solid objects at the frame's end.
fn held(camera: &Camera, at: &Pose, objects: &Objects, end: &FrameState) -> ProbeAnswer {
    let lines = camera.probe.lines();
    let length = lines.iter().map(|line| line.length()).fold(0.0, f64::max);
    if lines.is_empty() || !at.is_finite() || !length.is_finite() {
        return ProbeAnswer::default();
    }
    let near = ProbeTriangles::near(at.position, length, objects, end);
    probe(
        at.position,
        lines,
        &near.triangles,
        camera.probe_mode,
        &mut (),
    )
}

/// The triangles within range of a probe, in the order of the objects, with their owners.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProbeTriangles {
    /// World, metres.
    pub triangles: Vec<Triangle>,
    /// Per triangle: the object, and the index among its triangles (of a box and a plane: of their triangulation).
    pub owners: Vec<(ObjectId, u32)>,
}

impl ProbeTriangles {
    /// The triangles within twice a probe's length, as the pushes move it by up to its length.
    pub fn near(center: DVec3, length: f64, objects: &Objects, state: &FrameState) -> Self {
        Self::inside(&reach(center, length), objects, state)
    }

    /// The triangles of one object, solid or not.
    pub fn of(id: ObjectId, object: &Object, pose: &Pose, center: DVec3, length: f64) -> Self {
        let mut found = Self::default();
        found.add(id, &object.shape, pose, &reach(center, length));
        found
    }

    /// The triangles of all solid objects in a region.
    pub fn inside(region: &Aabb, objects: &Objects, state: &FrameState) -> Self {
        let mut found = Self::default();
        for (id, body) in state.present() {
            let object = &objects[id as usize];
            if object.sensor {
                continue;
            }
            if stand(object, &body.pose).is_none_or(|bounds| bounds.overlaps(region)) {
                found.add(id, &object.shape, &body.pose, region);
            }
        }
        found
    }

    fn add(&mut self, id: ObjectId, shape: &Shape, pose: &Pose, region: &Aabb) {
        if let Shape::Compound(compound) = shape {
            let first = self.owners.len();
            for part in compound.parts() {
                self.add(id, &part.shape, &pose.then(&part.pose), region);
            }
            let added = self.owners[first..].iter_mut();
            added
                .zip(0..)
                .for_each(|((_, number), count)| *number = count);
            return;
        }
        let mut add = |number: u32, triangle: Triangle| {
            self.triangles.push(triangle);
            self.owners.push((id, number));
        };
        match shape {
            Shape::Sphere { .. } | Shape::Segment(_) | Shape::Capsule(_) | Shape::Compound(_) => {}
            Shape::Solid(solid) if solid.radius() > 0.0 => {}
            Shape::Solid(solid) => {
                for (number, [a, b, c]) in (0..).zip(solid.surface()) {
                    let facing = Facing::Both;
                    add(number, Triangle { a, b, c, facing }.transformed(pose));
                }
            }
            Shape::Triangle(triangle) => add(0, triangle.transformed(pose)),
            Shape::Box { half_extents } => {
                let obb = Obb {
                    center: pose.position,
                    half_extents: *half_extents,
                    rotation: pose.rotation,
                };
                let numbered = (0..).zip(box_triangles(&obb));
                numbered.for_each(|(number, triangle)| add(number, triangle));
            }
            Shape::Plane(plane) => {
                let half = region.half_extents().max_element() * 4.0;
                let quad = plane_quad(&plane.transformed(pose), region.center(), half);
                let numbered = (0..).zip(quad);
                numbered.for_each(|(number, triangle)| add(number, triangle));
            }
            Shape::Mesh(mesh) => {
                let local = Obb {
                    center: pose.point_to_local(region.center()),
                    half_extents: region.half_extents(),
                    rotation: pose.rotation.conjugate(),
                };
                let mut found = Vec::new();
                mesh.for_each_in(&local.aabb(), &mut |index| found.push(index));
                // The published probe moves after each hit, so the order is the mesh's, not the tree's.
                found.sort_unstable();
                for index in found {
                    add(index, mesh.triangle(index).transformed(pose));
                }
            }
        }
    }
}

/// Region that a probe of this length may reach, metres: the pushes move it by up to its length.
fn reach(center: DVec3, length: f64) -> Aabb {
    let here = Aabb {
        min: center,
        max: center,
    };
    here.grown(2.0 * length)
}

/// The twelve triangles of a box, counter-clockwise seen from outside.
fn box_triangles(obb: &Obb) -> [Triangle; 12] {
    let corners = obb.corners();
    std::array::from_fn(|index| {
        let [a, b, c, d] = Obb::FACES[index / 2].map(|corner| corners[corner]);
        let (b, c) = if index % 2 == 0 { (b, c) } else { (c, d) };
        Triangle {
            a,
            b,
            c,
            facing: Facing::Both,
        }
    })
}

/// A square of a plane around the point nearest to `center`, as two triangles.
fn plane_quad(plane: &Plane, center: DVec3, half: f64) -> [Triangle; 2] {
    let middle = center - plane.normal * plane.distance(center);
    let (u, v) = plane.normal.any_orthonormal_pair();
    let corner = |x: f64, y: f64| middle + u * (x * half) + v * (y * half);
    let triangle = |a, b, c| Triangle {
        a,
        b,
        c,
        facing: Facing::Both,
    };
    let (a, b) = (corner(-1.0, -1.0), corner(1.0, -1.0));
    let (c, d) = (corner(1.0, 1.0), corner(-1.0, 1.0));
    [triangle(a, b, c), triangle(a, c, d)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    #[test]
    fn the_triangles_of_a_box_face_out_and_cover_it() {
        let obb = Obb {
            center: DVec3::new(1.0, 2.0, 3.0),
            half_extents: DVec3::new(1.0, 2.0, 3.0),
            rotation: DQuat::from_rotation_x(0.3),
        };
        let mut area = 0.0;
        for triangle in box_triangles(&obb) {
            let middle = triangle.centroid();
            assert!(triangle.normal().unwrap().dot(middle - obb.center) > 0.0);
            area += (triangle.b - triangle.a)
                .cross(triangle.c - triangle.a)
                .length()
                / 2.0;
        }
        assert!((area - 8.0 * (2.0 + 3.0 + 6.0)).abs() < 1e-12);
    }

    #[test]
    fn the_square_of_a_plane_lies_in_it_around_the_camera() {
        let plane = Plane {
            normal: DVec3::Y,
            offset: 0.5,
        };
        let [one, other] = plane_quad(&plane, DVec3::new(7.0, 1.0, -3.0), 2.0);
        for point in [one.a, one.b, one.c, other.a, other.b, other.c] {
            assert!((point.y - 0.5).abs() < 1e-15);
            assert!((point - DVec3::new(7.0, 0.5, -3.0)).length() < 3.0);
        }
    }
}
