//! Planned motion of one frame, before any impact.

use crate::core::replay::{BodyState, FrameState};
use crate::core::scene::{Keyframe, Movement, Object, Scene};
use crate::core::shape::{Motion, Pose};
use glam::{DQuat, DVec3};

/// Planned motion of one object over a frame.
#[derive(Clone, Copy, Debug)]
pub struct PlannedMotion {
    /// Free motion from the start of the frame to its end.
    pub motion: Motion,
    /// Metres per second over the frame, gravity included (semi-implicit Euler).
    pub velocity: DVec3,
    /// Radians per second, world axes.
    pub spin: DVec3,
    /// Inverse mass of objects that are pushed, else 0.
    pub inverse_mass: f64,
}

impl PlannedMotion {
    /// True when all values are finite; other objects take no part.
    pub fn is_finite(&self) -> bool {
        self.motion.start.is_finite() && self.motion.end.is_finite() && self.velocity.is_finite()
    }
}

/// Planned motion of every object from state `number` to the next.
///
/// Semi-implicit Euler: v' = v + g dt, then p' = p + v' dt. It keeps the energy of an orbit bounded, and it is what game
/// engines do.
pub fn plan(scene: &Scene, start: &FrameState, number: u32) -> Vec<PlannedMotion> {
    scene
        .objects
        .iter()
        .zip(0..)
        .map(|(object, id)| match start.body(id) {
            Some(body) => plan_one(scene, object, body, number),
            None => PlannedMotion {
                motion: Motion::still(object.pose),
                velocity: DVec3::ZERO,
                spin: DVec3::ZERO,
                inverse_mass: 0.0,
            },
        })
        .collect()
}

fn plan_one(scene: &Scene, object: &Object, body: &BodyState, number: u32) -> PlannedMotion {
    let dt = scene.dt;
    let spin = body.spin.unwrap_or_default();
    let moved_by = |velocity: DVec3| Motion {
        start: body.pose,
        end: Pose {
            position: body.pose.position + velocity * dt,
            rotation: turned(body.pose.rotation, spin * dt),
        },
    };
    let velocity = body.velocity.unwrap_or_default();
    match &object.movement {
        Movement::Velocity => {
            let velocity = velocity + scene.gravity * dt;
            PlannedMotion {
                motion: moved_by(velocity),
                velocity,
                spin,
                inverse_mass: inverse_mass(object),
            }
        }
        Movement::Kinematic => PlannedMotion {
            motion: moved_by(velocity),
            velocity,
            spin,
            inverse_mass: 0.0,
        },
        Movement::Fixed => PlannedMotion {
            motion: Motion::still(body.pose),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            inverse_mass: 0.0,
        },
        Movement::Keyframes(keyframes) => {
            let end = keyframe_pose(keyframes, number + 1).unwrap_or(body.pose);
            let motion = Motion {
                start: body.pose,
                end,
            };
            PlannedMotion {
                motion,
                velocity: motion.displacement() / dt,
                spin,
                inverse_mass: 0.0,
            }
        }
    }
}

fn inverse_mass(object: &Object) -> f64 {
    let inverse = object.mass.recip();
    if inverse.is_finite() && inverse > 0.0 {
        inverse
    } else {
        0.0
    }
}

/// A rotation turned by a rotation vector (radians, world axes); the same bits when the vector is zero.
fn turned(rotation: DQuat, by: DVec3) -> DQuat {
    if by == DVec3::ZERO {
        rotation
    } else {
        (DQuat::from_scaled_axis(by) * rotation).normalize()
    }
}

/// The pose of keyframes at a frame: exact at a key, straight in between, constant before the first and after the last.
/// `None` without keys.
pub fn keyframe_pose(keyframes: &[Keyframe], frame: u32) -> Option<Pose> {
    let pose = |key: &Keyframe| Pose {
        position: key.position,
        rotation: key.rotation,
    };
    let after = keyframes.partition_point(|key| key.frame <= frame);
    let (Some(before), next) = (
        after.checked_sub(1).map(|i| &keyframes[i]),
        keyframes.get(after),
    ) else {
        return keyframes.first().map(pose);
    };
    let Some(next) = next else {
        return Some(pose(before));
    };
    let fraction = f64::from(frame - before.frame) / f64::from(next.frame - before.frame);
    let motion = Motion {
        start: pose(before),
        end: pose(next),
    };
    Some(motion.pose(fraction))
}

/// The state before the first frame. Velocities are those of the coming interval.
pub fn first_state(scene: &Scene) -> FrameState {
    let bodies = scene.objects.iter().map(|object| {
        let mut body = body_at(object.pose, object.velocity, object.spin);
        match &object.movement {
            Movement::Velocity | Movement::Kinematic => {}
            Movement::Fixed => body = body_at(object.pose, DVec3::ZERO, DVec3::ZERO),
            Movement::Keyframes(keyframes) => {
                body = keyframe_body(keyframes, 0, scene.dt, object.pose);
            }
        }
        body
    });
    (0..).zip(bodies).collect()
}

/// A body driven by keyframes at the start of a frame, with the velocity and spin of the coming interval.
pub fn keyframe_body(keyframes: &[Keyframe], frame: u32, dt: f64, otherwise: Pose) -> BodyState {
    let pose = keyframe_pose(keyframes, frame).unwrap_or(otherwise);
    let next = keyframe_pose(keyframes, frame.saturating_add(1)).unwrap_or(pose);
    let motion = Motion {
        start: pose,
        end: next,
    };
    let spin = if motion.turns() {
        let mut turn = next.rotation * pose.rotation.conjugate();
        if turn.w < 0.0 {
            turn = -turn;
        }
        turn.to_scaled_axis() / dt
    } else {
        DVec3::ZERO
    };
    body_at(pose, motion.displacement() / dt, spin)
}

/// A body with pose, velocity and spin.
pub fn body_at(pose: Pose, velocity: DVec3, spin: DVec3) -> BodyState {
    BodyState {
        pose,
        velocity: Some(velocity),
        spin: Some(spin),
        asleep: false,
        teleported: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(frame: u32, x: f64) -> Keyframe {
        Keyframe {
            frame,
            position: DVec3::new(x, 0.0, 0.0),
            rotation: DQuat::IDENTITY,
        }
    }

    #[test]
    fn keyframes_are_exact_at_keys_and_straight_between() {
        let keys = [key(2, 1.0), key(6, 3.0)];
        let x = |frame| keyframe_pose(&keys, frame).unwrap().position.x;
        assert_eq!(
            [x(0), x(2), x(3), x(4), x(6), x(99)],
            [1.0, 1.0, 1.5, 2.0, 3.0, 3.0]
        );
        assert_eq!(keyframe_pose(&[], 3), None);
    }

    #[test]
    fn keyframe_velocity_is_that_of_the_coming_interval() {
        let keys = [key(0, 0.0), key(2, 1.0)];
        let body = |frame| keyframe_body(&keys, frame, 0.5, Pose::IDENTITY);
        assert_eq!(body(0).velocity, Some(DVec3::X));
        assert_eq!(body(2).velocity, Some(DVec3::ZERO));
    }

    #[test]
    fn a_spin_turns_by_its_angle() {
        let quarter = turned(DQuat::IDENTITY, DVec3::Y * std::f64::consts::FRAC_PI_2);
        assert!((quarter * DVec3::Z).distance(DVec3::X) < 1e-15);
    }
}
