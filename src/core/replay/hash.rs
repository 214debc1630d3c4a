//! Hash of a state, to compare runs.

use super::{BodyState, CameraState, FrameState};
use crate::core::shape::Pose;
use glam::DVec3;

/// FNV-1a over 64-bit words (Fowler, Noll, Vo; the offset and prime of the 64-bit form).
struct Fnv(u64);

impl Fnv {
    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        // The product only carries upward; the high half is folded down, so that every bit reaches every other.
        self.0 ^= self.0 >> 32;
    }

    fn vector(&mut self, vector: DVec3) {
        for component in vector.to_array() {
            self.word(component.to_bits());
        }
    }

    fn maybe(&mut self, vector: Option<DVec3>) {
        self.word(u64::from(vector.is_some()));
        self.vector(vector.unwrap_or_default());
    }

    fn pose(&mut self, pose: &Pose) {
        self.vector(pose.position);
        for component in pose.rotation.to_array() {
            self.word(component.to_bits());
        }
    }

    fn body(&mut self, body: &BodyState) {
        self.pose(&body.pose);
        self.maybe(body.velocity);
        self.maybe(body.spin);
        self.word(u64::from(body.asleep) | u64::from(body.teleported) << 1);
    }
}

/// Every bit of a state, the camera's included. Each step of it is a bijection, so one changed word changes the number.
pub fn state_hash(state: &FrameState, camera: Option<&CameraState>) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for (id, body) in state.present() {
        hash.word(1 + u64::from(id));
        hash.body(body);
    }
    if let Some(camera) = camera {
        hash.pose(&camera.pose);
    }
    hash.0
}
