//! Objects as scenes and logs write them: fields in the order of writing.

use super::rotation::Rotation;
use super::shape::ShapeText;
use super::value::{Bits, Color};
use super::vector::{LogTurn, Number, Spin, Vec3};
use serde::{Deserialize, Serialize};

/// An object of a scene.
#[derive(Deserialize, Serialize)]
#[serde(rename = "Object", deny_unknown_fields)]
pub struct ObjectText {
    pub name: String,
    pub shape: ShapeText<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub velocity: Vec3,
    #[serde(default, skip_serializing_if = "is_default")]
    pub spin: Spin,
    #[serde(default, skip_serializing_if = "is_default")]
    pub motion: Motion,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub mass: f64,
    #[serde(default = "first_bit", skip_serializing_if = "is_first_bit")]
    pub layer: Bits,
    #[serde(default = "all_bits", skip_serializing_if = "is_all_bits")]
    pub mask: Bits,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub sensor: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub character: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_way: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ccd: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// Movement of a scene's object.
#[derive(Default, PartialEq, Deserialize, Serialize)]
pub enum Motion {
    #[default]
    Velocity,
    Kinematic,
    Fixed,
    Keyframes(Vec<Keyframe>),
}

#[derive(PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Keyframe {
    pub frame: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
}

/// An object of a log, in its header or in `spawn`.
#[derive(Deserialize, Serialize)]
pub struct ObjectLine {
    pub id: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub shape: ShapeText<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<MotionWord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Vec3<Number>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<LogTurn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ccd: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<Vec3<Number>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<Bits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask: Option<Bits>,
    #[serde(alias = "group", skip_serializing_if = "Option::is_none")]
    pub body: Option<BodyName>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub sensor: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub character: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_way: Option<Vec3<Number>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mass: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<[u8; 3]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// Movement of a log's object in its engine.
#[derive(Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MotionWord {
    #[serde(alias = "velocity")]
    Dynamic,
    #[serde(alias = "static")]
    Fixed,
    Kinematic,
}

/// The body of a log's object.
#[derive(Deserialize, Serialize)]
#[serde(untagged, expecting = "a body is a number or a name")]
pub enum BodyName {
    Number(u64),
    Name(String),
}

impl From<BodyName> for String {
    fn from(body: BodyName) -> Self {
        match body {
            BodyName::Number(number) => number.to_string(),
            BodyName::Name(name) => name,
        }
    }
}

impl From<&String> for BodyName {
    fn from(name: &String) -> Self {
        let number = name.parse().ok().map(Self::Number);
        number
            .filter(|_| !name.starts_with(['0', '+']) || name == "0")
            .unwrap_or_else(|| Self::Name(name.clone()))
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn one() -> f64 {
    1.0
}

fn is_one(mass: &f64) -> bool {
    *mass == 1.0
}

fn first_bit() -> Bits {
    Bits(1)
}

fn is_first_bit(layer: &Bits) -> bool {
    *layer == first_bit()
}

fn all_bits() -> Bits {
    Bits(u32::MAX)
}

fn is_all_bits(mask: &Bits) -> bool {
    *mask == all_bits()
}
