//! Small levels for tests of the window.

use crate::core::replay::Replay;
use crate::core::scene::{Movement, Object, Scene};
use crate::core::shape::Shape;
use glam::DVec3;
use std::sync::Arc;

/// A level without gravity or response, of two frames.
pub fn level(dt: f64, objects: impl IntoIterator<Item = Object>) -> Arc<Replay> {
    Arc::new(Replay::stepped(Arc::new(Scene {
        dt,
        frames: 2,
        ..Scene::new("test", objects.into_iter().collect())
    })))
}

/// A ball with a velocity.
pub fn sphere(name: &str, radius: f64, position: DVec3, velocity: DVec3) -> Object {
    Object {
        velocity,
        ..Object::new(name, Shape::Sphere { radius }, position)
    }
}

/// A fixed box.
pub fn wall(name: &str, half_extents: DVec3, position: DVec3) -> Object {
    Object {
        movement: Movement::Fixed,
        ..Object::new(name, Shape::Box { half_extents }, position)
    }
}
