//! A ball that flies along x, and an obstacle at the origin.

use glam::DVec3;
use hitstop::core::scene::{Movement, Object, Response, Scene};
use hitstop::core::shape::Shape;

/// Four frames of 1/60 s with push-out.
pub fn scene(objects: Vec<Object>) -> Scene {
    Scene {
        frames: 4,
        response: Response::Push,
        ..Scene::new("test", objects)
    }
}

pub fn ball(radius: f64, x: f64, speed: f64) -> Object {
    let mut object = Object::new("ball", Shape::Sphere { radius }, DVec3::new(x, 0.0, 0.0));
    object.velocity = DVec3::new(speed, 0.0, 0.0);
    object
}

pub fn fixed(shape: Shape) -> Object {
    let mut object = Object::new("wall", shape, DVec3::ZERO);
    object.movement = Movement::Fixed;
    object
}

/// A slab around the origin, so wide that no push-out leads through its flanks.
pub fn slab(thickness: f64) -> Object {
    let half_extents = DVec3::new(0.5 * thickness, 1000.0, 1000.0);
    fixed(Shape::Box { half_extents })
}
