//! Rotations as users write them.

use super::angle::{about_z, angle_of, exact};
use super::check::{Check, Path};
use super::space::Space;
use super::units::Units;
use super::vector::{LogTurn, Number};
use glam::{DMat3, DQuat, DVec3, EulerRot};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A rotation as a format writes it.
pub trait Turn: Copy + fmt::Debug + Serialize + DeserializeOwned {
    /// A rotation in written units.
    fn new(rotation: DQuat, units: Units) -> Self;

    /// The rotation with Y up; what is wrong with it goes to `check`.
    fn read(self, check: &mut Check, at: &Path<'_>, space: &Space) -> DQuat;
}

/// A rotation in the text of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Rotation {
    Quat(f64, f64, f64, f64),
    /// Degrees, of a flat level.
    Angle(f64),
    /// Degrees.
    Euler {
        #[serde(default, skip_serializing_if = "is_zero")]
        x: f64,
        #[serde(default, skip_serializing_if = "is_zero")]
        y: f64,
        #[serde(default, skip_serializing_if = "is_zero")]
        z: f64,
    },
}

fn is_zero(degrees: &f64) -> bool {
    *degrees == 0.0
}

impl Turn for Rotation {
    /// Short angles where they give exactly this rotation, else the quaternion.
    fn new(rotation: DQuat, units: Units) -> Self {
        let written = units.written_rotation(rotation);
        if let Some(degrees) = units.flat.then(|| exact_degrees(written)).flatten() {
            return Self::Angle(degrees);
        }
        match short_euler(written) {
            Some(DVec3 { x, y, z }) => Self::Euler { x, y, z },
            None => {
                let [x, y, z, w] = written.to_array().map(|part| part + 0.0);
                Self::Quat(x, y, z, w)
            }
        }
    }

    fn read(self, check: &mut Check, at: &Path<'_>, space: &Space) -> DQuat {
        let written = match self {
            Self::Quat(x, y, z, w) => check.unit_quat(at, [x, y, z, w]),
            Self::Angle(_) if !space.units.flat => {
                let help = "write Euler(x: .., y: .., z: ..), in degrees";
                check.problem(at, "one angle is the rotation of a flat level", help);
                DQuat::IDENTITY
            }
            Self::Angle(degrees) => match check.number(at, degrees, "an angle") {
                true => about_z(degrees.to_radians()),
                false => DQuat::IDENTITY,
            },
            Self::Euler { x, y, z } => {
                let mut good = true;
                for (name, degrees) in [("x", x), ("y", y), ("z", z)] {
                    good &= check.number(&at.field(name), degrees, "an angle");
                }
                match good {
                    true => rotation_from_euler(DVec3::new(x, y, z)),
                    false => DQuat::IDENTITY,
                }
            }
        };
        if space.units.flat && (written.x != 0.0 || written.y != 0.0) {
            let help = "write Angle(degrees)";
            check.problem(at, "the rotation leaves the plane of a flat level", help);
        }
        space.units.rotation(written)
    }
}

/// The inverse of [`about_z`] to the bit, degrees: whole thousandths if some give it.
fn exact_degrees(rotation: DQuat) -> Option<f64> {
    let of_degrees = |degrees: f64| about_z(degrees.to_radians());
    let degrees = angle_of(rotation).to_degrees();
    let rounded = (degrees * 1000.0).round() / 1000.0 + 0.0;
    let is_short = of_degrees(rounded) == rotation;
    is_short
        .then_some(rounded)
        .or_else(|| exact(rotation, degrees, of_degrees))
}

impl Turn for LogTurn {
    fn new(rotation: DQuat, units: Units) -> Self {
        let written = units.written_rotation(rotation);
        let angle = angle_of(written);
        match units.flat && about_z(angle) == written {
            true => Self::Angle(Number(angle)),
            false => Self::Quaternion(written.to_array().map(Number)),
        }
    }

    fn read(self, check: &mut Check, at: &Path<'_>, space: &Space) -> DQuat {
        let parts = match self {
            Self::Quaternion(parts) => parts.to_vec(),
            Self::Angle(angle) => vec![angle],
        };
        for (index, part) in parts.into_iter().enumerate() {
            if !check.number(&at.index(index), part.0, "a part of the rotation") {
                return DQuat::IDENTITY;
            }
        }
        match space.turn(self) {
            Ok((rotation, _)) => rotation,
            Err(what) => {
                check.problem(at, what, "");
                DQuat::IDENTITY
            }
        }
    }
}

/// The rotation by angles about x, y and z, degrees: first about the world's z, then x, then y (which is: yaw about y, then pitch
/// about the turned x, then roll about the turned z; the order of Unity and Godot).
pub fn rotation_from_euler(degrees: DVec3) -> DQuat {
    let DVec3 { x, y, z } = degrees;
    DQuat::from_euler(
        EulerRot::YXZ,
        y.to_radians(),
        x.to_radians(),
        z.to_radians(),
    )
}

/// Angles about x, y and z, degrees, that [`rotation_from_euler`] turns into this rotation, to rounding.
pub fn euler_from_rotation(rotation: DQuat) -> DVec3 {
    let (y, x, z) = rotation.to_euler(EulerRot::YXZ);
    DVec3::new(x.to_degrees(), y.to_degrees(), z.to_degrees())
}

/// Short angles that give exactly this rotation, if there are any: whole thousandths of a degree.
fn short_euler(rotation: DQuat) -> Option<DVec3> {
    let rounded = (euler_from_rotation(rotation) * 1000.0).round() / 1000.0;
    (rotation_from_euler(rounded) == rotation).then_some(rounded)
}

/// The rotation of a camera (looking along its -Z, its +Y up) that looks in a direction; `None` for no direction.
///
/// Looking straight up or down, the camera's right stays +X.
pub fn looking_along(direction: DVec3) -> Option<DQuat> {
    let forward = direction.try_normalize()?;
    let right = forward.cross(DVec3::Y);
    // Below the rounding of the direction the cross product is noise.
    let right = if right.length() < 1e-12 {
        DVec3::X
    } else {
        right.try_normalize()?
    };
    let up = right.cross(forward);
    let rotation = DQuat::from_mat3(&DMat3::from_cols(right, up, -forward));
    rotation.is_finite().then(|| rotation.normalize())
}
