//! Small levels for tests of the window.

use crate::app::model::Model;
use crate::core::replay::Replay;
use crate::core::scene::{Movement, Object, Scene};
use crate::core::shape::Shape;
use glam::DVec3;
use std::sync::Arc;
use std::time::{Duration, Instant};

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

/// Polls a model until a condition holds.
pub fn until(model: &mut Model, is: impl Fn(&Model) -> bool) {
    let begun = Instant::now();
    while !is(model) {
        assert!(begun.elapsed() < Duration::from_secs(60));
        model.poll();
        std::thread::sleep(Duration::from_millis(1));
    }
}
