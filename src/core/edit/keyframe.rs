//! Keyframes set at the playhead.

use crate::core::scene::{Keyframe, Movement, Object};
use crate::core::shape::Pose;

/// The object with a keyframe at a frame, in place of one there. An object without keyframes gets one at frame 0, too.
pub fn with_keyframe(object: &Object, frame: u32, pose: &Pose) -> Object {
    let key = |frame: u32, pose: &Pose| Keyframe {
        frame,
        position: pose.position,
        rotation: pose.rotation,
    };
    let mut keys = match &object.movement {
        Movement::Keyframes(keys) => keys.clone(),
        _ if frame > 0 => vec![key(0, &object.pose)],
        _ => Vec::new(),
    };
    match keys.binary_search_by_key(&frame, |key| key.frame) {
        Ok(index) => keys[index] = key(frame, pose),
        Err(index) => keys.insert(index, key(frame, pose)),
    }
    Object {
        movement: Movement::Keyframes(keys),
        ..object.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Shape;
    use glam::DVec3;

    #[test]
    fn keyframes_are_sorted_and_unique() {
        let ball = Object::new("ball", Shape::Sphere { radius: 1.0 }, DVec3::X);
        let at = |y: f64| Pose::at(DVec3::Y * y);
        let late = with_keyframe(&ball, 9, &at(9.0));
        let both = with_keyframe(&late, 4, &at(4.0));
        let again = with_keyframe(&both, 4, &at(5.0));
        let Movement::Keyframes(keys) = &again.movement else {
            panic!("it is moved by keyframes");
        };
        let frames: Vec<_> = keys.iter().map(|key| (key.frame, key.position)).collect();
        let places = [(0, DVec3::X), (4, DVec3::Y * 5.0), (9, DVec3::Y * 9.0)];
        assert_eq!(frames, places);
    }
}
