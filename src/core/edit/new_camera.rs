//! A camera for a scene that has none.

use super::scene_edit::{Change, head_of};
use crate::core::scene::{Camera, Probe, Scene};
use crate::core::shape::Pose;
use glam::DVec3;

/// At the height of eyes, four metres before the middle of the scene.
pub fn new_camera() -> Camera {
    Camera::at(Pose::at(DVec3::new(0.0, 1.6, 4.0)), Probe::Standard)
}

/// The change that gives a scene a camera, or takes it away, and what it is called.
pub fn with_or_without_camera(scene: &Scene) -> (&'static str, Change) {
    let mut head = head_of(scene);
    let (text, camera) = match head.camera {
        Some(_) => ("No camera plays in this scene", None),
        None => ("A camera plays in this scene", Some(new_camera())),
    };
    head.camera = camera;
    (text, Change::Head(Box::new(head)))
}
