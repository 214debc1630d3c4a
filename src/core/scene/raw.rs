//! A scene as written, before validation and conversion.
//!
//! Objects, bookmarks and expectations are first kept as text and parsed one by one, so that an error in one does not
//! hide those in others.

use super::types::{Detection, Response};
use crate::core::query::probe::ProbeMode;
use crate::core::schema::{Axis, Keyframe, Keyword, LengthName, Rotation, Vec3, Word};
use ron::value::RawValue;
use serde::Deserialize;

/// The version alone; every other field is skipped.
#[derive(Deserialize)]
#[serde(rename = "Scene")]
pub(super) struct Header {
    pub(super) version: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename = "Scene", deny_unknown_fields)]
pub(super) struct SceneText<'t> {
    #[serde(rename = "version")]
    pub(super) _version: u64,
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) notes: String,
    #[serde(default)]
    pub(super) flat: bool,
    #[serde(default)]
    pub(super) units: Units,
    pub(super) dt: Option<f64>,
    pub(super) frames: Option<u32>,
    #[serde(default)]
    pub(super) gravity: Vec3,
    #[serde(default)]
    pub(super) detection: Detection,
    #[serde(default)]
    pub(super) response: Response,
    pub(super) engine: Option<String>,
    pub(super) engine_version: Option<String>,
    pub(super) ccd_threshold: Option<f64>,
    pub(super) margin: Option<f64>,
    #[serde(borrow)]
    pub(super) objects: Option<Vec<&'t RawValue>>,
    #[serde(default)]
    pub(super) ignore: Vec<(String, String)>,
    pub(super) camera: Option<Camera>,
    pub(super) recording: Option<String>,
    #[serde(borrow, default)]
    pub(super) bookmarks: Vec<&'t RawValue>,
    #[serde(borrow, default)]
    pub(super) expect: Vec<&'t RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Units {
    pub(super) length: Option<f64>,
    #[serde(default)]
    pub(super) up: Axis,
    pub(super) name: Option<Keyword<f64, LengthName>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Camera {
    pub(super) position: Vec3,
    pub(super) look_at: Option<Vec3>,
    pub(super) rotation: Option<Rotation>,
    #[serde(default)]
    pub(super) motion: CameraMotion,
    #[serde(default)]
    pub(super) probe: Probe,
    #[serde(default)]
    pub(super) probe_mode: ProbeMode,
    #[serde(default = "near")]
    pub(super) near: f64,
    /// Degrees.
    #[serde(default = "fov")]
    pub(super) fov: f64,
    #[serde(default = "aspect")]
    pub(super) aspect: f64,
}

#[derive(Default, Deserialize)]
pub(super) enum CameraMotion {
    #[default]
    Fixed,
    Velocity(Vec3),
    Keyframes(Vec<Keyframe>),
}

#[derive(Default, Deserialize)]
pub(super) enum Probe {
    #[default]
    Standard,
    Lines(Vec<Vec3>),
    Off,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bookmark {
    pub(super) frame: u32,
    #[serde(default)]
    pub(super) fraction: f64,
    #[serde(default)]
    pub(super) note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Expectation {
    Hit {
        a: String,
        b: String,
        frame: u32,
        fraction: f64,
        tolerance: Option<f64>,
        expected_to_fail: Option<String>,
    },
    Finds {
        kind: Word,
        cause: Option<Word>,
        a: Option<String>,
        b: Option<String>,
        frame: Option<u32>,
        expected_to_fail: Option<String>,
    },
    NoFindings {
        kind: Option<Word>,
        expected_to_fail: Option<String>,
    },
    Margin {
        below: f64,
        expected_to_fail: Option<String>,
    },
    Position {
        object: String,
        frame: u32,
        is: Vec3,
        tolerance: Option<f64>,
        expected_to_fail: Option<String>,
    },
    Push {
        object: String,
        against: Option<String>,
        frame: u32,
        is: Vec3,
        tolerance: Option<f64>,
        expected_to_fail: Option<String>,
    },
    CameraPush {
        frame: u32,
        is: Vec3,
        tolerance: Option<f64>,
        expected_to_fail: Option<String>,
    },
    Touches {
        a: String,
        b: String,
        expected_to_fail: Option<String>,
    },
    NeverTouches {
        a: String,
        b: String,
        expected_to_fail: Option<String>,
    },
}

impl Expectation {
    /// The reason of a known failure.
    pub(super) fn expected_to_fail(&mut self) -> Option<String> {
        match self {
            Self::Hit {
                expected_to_fail, ..
            }
            | Self::Finds {
                expected_to_fail, ..
            }
            | Self::NoFindings {
                expected_to_fail, ..
            }
            | Self::Margin {
                expected_to_fail, ..
            }
            | Self::Position {
                expected_to_fail, ..
            }
            | Self::Push {
                expected_to_fail, ..
            }
            | Self::CameraPush {
                expected_to_fail, ..
            }
            | Self::Touches {
                expected_to_fail, ..
            }
            | Self::NeverTouches {
                expected_to_fail, ..
            } => expected_to_fail.take(),
        }
    }
}

/// Default near plane, metres.
pub(super) const NEAR: f64 = 0.1;
/// Default vertical field of view, degrees.
pub(super) const FOV: f64 = 60.0;
/// Default width over height.
pub(super) const ASPECT: f64 = 16.0 / 9.0;

fn near() -> f64 {
    NEAR
}

fn fov() -> f64 {
    FOV
}

fn aspect() -> f64 {
    ASPECT
}
