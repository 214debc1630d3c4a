//! Validation of rotations and movements.

use super::super::raw;
use super::super::types::{CameraMovement, Keyframe, Movement};
use crate::core::schema::{
    self, Check, Motion, ObjectText, Path, Rotation, Space, Turn, Units, Vec3,
};
use crate::core::shape::Pose;
use glam::{DQuat, DVec3};

/// A written rotation, or none.
pub(super) fn rotation(
    check: &mut Check,
    at: &Path<'_>,
    raw: Option<Rotation>,
    units: Units,
) -> DQuat {
    let space = Space {
        units,
        ..Space::default()
    };
    raw.map_or(DQuat::IDENTITY, |raw| raw.read(check, at, &space))
}

/// An object's movement and its pose at frame 0: keyframes inherit missing values from the object, and an object
/// without a position starts at its first keyframe.
pub(super) fn movement(
    check: &mut Check,
    at: &Path<'_>,
    raw: &ObjectText,
    units: Units,
) -> (Movement, Pose) {
    let position = raw.position.map(|position| {
        units.vector(check.vector(&at.field("position"), position, "the position"))
    });
    let rotation = rotation(check, &at.field("rotation"), raw.rotation, units);
    let mut pose = Pose {
        position: position.unwrap_or(DVec3::ZERO),
        rotation,
    };
    let movement = match &raw.motion {
        Motion::Velocity => Movement::Velocity,
        Motion::Kinematic => Movement::Kinematic,
        Motion::Fixed => Movement::Fixed,
        Motion::Keyframes(raw) => {
            let keyframes = keyframes(check, at, raw, position, rotation, units);
            if let (None, Some(first)) = (position, keyframes.first()) {
                pose.position = first.position;
            }
            Movement::Keyframes(keyframes)
        }
    };
    (movement, pose)
}

pub(super) fn camera_movement(
    check: &mut Check,
    at: &Path<'_>,
    raw: &raw::CameraMotion,
    pose: &Pose,
    units: Units,
) -> CameraMovement {
    match raw {
        raw::CameraMotion::Fixed => CameraMovement::Fixed,
        raw::CameraMotion::Velocity(velocity) => {
            let motion = at.field("motion");
            let velocity = check.vector(&motion.index(0), *velocity, "the camera's velocity");
            CameraMovement::Velocity(units.vector(velocity))
        }
        raw::CameraMotion::Keyframes(raw) => CameraMovement::Keyframes(keyframes(
            check,
            at,
            raw,
            Some(pose.position),
            pose.rotation,
            units,
        )),
    }
}

fn keyframes(
    check: &mut Check,
    owner: &Path<'_>,
    raw: &[schema::Keyframe],
    position: Option<DVec3>,
    rotation: DQuat,
    units: Units,
) -> Vec<Keyframe> {
    let motion = owner.field("motion");
    let list = motion.index(0);
    if raw.is_empty() {
        check.problem(
            &motion,
            "there is no keyframe",
            "add one, or write motion: Fixed",
        );
    }
    let mut keyframes: Vec<Keyframe> = Vec::with_capacity(raw.len());
    for (index, raw) in raw.iter().enumerate() {
        let at = list.index(index);
        if let Some(before) = keyframes.last()
            && before.frame >= raw.frame
        {
            let what = match before.frame == raw.frame {
                true => format!("there are two keyframes at frame {}", raw.frame),
                false => format!("frame {} comes after frame {}", raw.frame, before.frame),
            };
            check.problem(
                &at.field("frame"),
                what,
                "sort keyframes by frame, one for each",
            );
        }
        keyframes.push(Keyframe {
            frame: raw.frame,
            position: keyframe_position(check, &at, raw.position, position, units),
            rotation: match raw.rotation {
                None => rotation,
                own => self::rotation(check, &at.field("rotation"), own, units),
            },
        });
    }
    keyframes
}

fn keyframe_position(
    check: &mut Check,
    at: &Path<'_>,
    own: Option<Vec3>,
    owners: Option<DVec3>,
    units: Units,
) -> DVec3 {
    match (own, owners) {
        (Some(own), _) => {
            units.vector(check.vector(&at.field("position"), own, "the keyframe's position"))
        }
        (None, Some(owners)) => owners,
        (None, None) => {
            check.problem(
                at,
                "neither the keyframe nor its object has a position",
                "add `position: (x, y, z)`",
            );
            DVec3::ZERO
        }
    }
}
