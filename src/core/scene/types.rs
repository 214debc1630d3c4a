//! A scene after validation: metres, Y up, radians, unique names, finite numbers.

use super::shared_list::SharedList;
use crate::core::query::probe::{ProbeMode, STANDARD_PROBE};
use crate::core::schema::{MeshSource, Units};
use crate::core::shape::{Pose, Shape};
use crate::core::tolerance::DEFAULT_DT;
use glam::{DQuat, DVec3};
use std::collections::HashMap;

/// A level: its objects, how it is stepped, its expectations.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Shown as the title.
    pub name: String,
    /// Free text, shown when the scene opens.
    pub notes: String,
    /// Units of the text; already applied to everything below.
    pub units: Units,
    /// Seconds per frame, > 0.
    pub dt: f64,
    /// Number of intervals on the timeline, >= 1: states 0 to `frames`.
    pub frames: u32,
    /// Metres per second squared.
    pub gravity: DVec3,
    /// Detection of the stepped world.
    pub detection: Detection,
    /// Response of the stepped world.
    pub response: Response,
    /// Settings of the level's engine, as far as known.
    pub engine: Engine,
    /// In the order of the text; the index is the object's identity.
    pub objects: Objects,
    /// Names of pairs that are not tested.
    pub ignore: Vec<(String, String)>,
    /// The level's camera (not the window's view).
    pub camera: Option<Camera>,
    /// A log that gives the poses, relative to the scene's folder; objects named in both keep the scene's shape.
    pub recording: Option<String>,
    /// Bookmarked moments.
    pub bookmarks: Vec<Bookmark>,
    /// Expectations, checked by `check` and the tests.
    pub expect: Vec<Expected>,
}

impl Scene {
    /// A scene of one frame of 1/60 s, without gravity, with overlap tests and no response.
    pub fn new(name: impl Into<String>, objects: Vec<Object>) -> Self {
        let ignored = objects.iter().flat_map(|object| {
            let others = object.ignores.iter().cloned();
            others.map(|other| (object.name.clone(), other))
        });
        Self {
            name: name.into(),
            notes: String::new(),
            units: Units::default(),
            dt: DEFAULT_DT,
            frames: 1,
            gravity: DVec3::ZERO,
            detection: Detection::Overlap,
            response: Response::Ignore,
            engine: Engine::default(),
            ignore: ignored.collect(),
            objects: objects.into(),
            camera: None,
            recording: None,
            bookmarks: Vec::new(),
            expect: Vec::new(),
        }
    }
}

/// Settings of an engine: contact margin and sweep threshold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Engine {
    /// Name as in the file: `jolt`, `physx`, `godot`, or any other.
    pub name: Option<String>,
    /// Its version, if not in the name: `4.0`.
    pub version: Option<String>,
    /// Fraction of a body's size that it must move in a step before the engine sweeps it, > 0; `None` takes the engine's default.
    pub ccd_threshold: Option<f64>,
    /// Contact margin or skin, metres, >= 0.
    pub margin: Option<f64>,
}

impl Engine {
    /// This file's settings, completed by another's.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self {
            name: self.name.clone().or_else(|| other.name.clone()),
            version: self.version.clone().or_else(|| other.version.clone()),
            ccd_threshold: self.ccd_threshold.or(other.ccd_threshold),
            margin: self.margin.or(other.margin),
        }
    }
}

/// Collision detection of the stepped world.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Detection {
    /// Overlap tests at the ends of frames (discrete).
    #[default]
    Overlap,
    /// Sweeps inside the frame (continuous).
    Sweep,
}

/// Collision response of the stepped world.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Response {
    /// Nothing.
    Ignore,
    /// Push out along the shortest push; velocity is kept.
    #[default]
    Push,
    /// Push out, and lose the velocity into the surface.
    Slide,
    /// Push out, and lose all velocity.
    Stop,
    /// Push out, and reflect the relative velocity along the normal; momentum is divided by mass.
    Bounce {
        /// 0 loses the normal velocity, 1 keeps all of it.
        restitution: f64,
    },
}

/// The objects of a level, each with its index as its identity. Versions of a scene share those that an edit has left.
pub type Objects = SharedList<Object>;

/// An object of the level.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Unique in the level.
    pub name: String,
    /// In local space.
    pub shape: Shape,
    /// Source of a mesh, to write it back; `None` for other shapes.
    pub mesh: Option<MeshSource>,
    /// At frame 0 (or when it appears).
    pub pose: Pose,
    /// Metres per second at frame 0.
    pub velocity: DVec3,
    /// Radians per second, world axes.
    pub spin: DVec3,
    /// Its movement.
    pub movement: Movement,
    /// Kilograms, > 0.
    pub mass: f64,
    /// Layer bits.
    pub layer: u32,
    /// Mask bits: a pair collides when each one's layer matches the other's mask.
    pub mask: u32,
    /// The body that it is a part of: parts of one body are not tested.
    pub body: Option<String>,
    /// Names of objects that it is not tested with; one of a pair has the other's.
    pub ignores: Vec<String>,
    /// A sensor reports but is not pushed and does not push.
    pub sensor: bool,
    /// A character: it is judged against kinematic objects, and is not a platform, whatever its shape.
    pub character: bool,
    /// The direction in which others pass a one-way platform, world, of any length but 0; `None` where they do not pass.
    pub one_way: Option<DVec3>,
    /// The engine's continuous detection flag; `None` when unknown.
    pub ccd: Option<bool>,
    /// The engine's scale along the file's axes; the shape here is already scaled. `None` when unknown.
    pub scale: Option<DVec3>,
    /// sRGB, 0 to 255; `None` takes the theme's.
    pub color: Option<[u8; 3]>,
    /// Tags for groups.
    pub tags: Vec<String>,
}

impl Object {
    /// An object with every optional field at its default.
    pub fn new(name: impl Into<String>, shape: Shape, position: DVec3) -> Self {
        Self {
            name: name.into(),
            shape,
            mesh: None,
            pose: Pose::at(position),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            movement: Movement::Velocity,
            mass: 1.0,
            layer: 1,
            mask: u32::MAX,
            body: None,
            ignores: Vec::new(),
            sensor: false,
            character: false,
            one_way: None,
            ccd: None,
            scale: None,
            color: None,
            tags: Vec::new(),
        }
    }

    /// Whether a collision moves it: not fixed, kinematic or keyframed objects.
    pub fn is_pushable(&self) -> bool {
        self.movement == Movement::Velocity
    }

    /// Whether a displacement relative to it passes it on purpose: along the direction of a one-way platform.
    pub fn lets_pass(&self, displacement: DVec3) -> bool {
        let along = |way: DVec3| displacement.dot(way) > 0.0;
        self.one_way.is_some_and(along)
    }

    /// Whether it moves as a character does: it is marked as one, or has the shape of one.
    pub fn is_character(&self) -> bool {
        self.character
            || matches!(self.shape, Shape::Sphere { .. } | Shape::Capsule(_))
            || self.shape.as_stadium().is_some()
    }

    /// Whether layers, masks and exemptions allow a pair.
    pub fn collides_with(&self, other: &Self) -> bool {
        self.layer & other.mask != 0
            && other.layer & self.mask != 0
            && self.exemption(other).is_none()
    }

    /// Why a pair is never tested, whatever its bits.
    pub fn exemption(&self, other: &Self) -> Option<Exemption> {
        if self.body.is_some() && self.body == other.body {
            return Some(Exemption::SameBody);
        }
        let is_ignored = self.ignores.contains(&other.name) || other.ignores.contains(&self.name);
        is_ignored.then_some(Exemption::Ignored)
    }
}

/// Whether a vector has a direction: it is finite and not 0.
pub(in crate::core) fn is_direction(vector: DVec3) -> bool {
    vector.is_finite() && vector != DVec3::ZERO
}

/// Why a pair is not tested, whatever its layers and masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exemption {
    /// Both are parts of one body.
    SameBody,
    /// The pair is on the ignore list.
    Ignored,
    /// A joint connects them in this frame.
    Joined,
}

impl Exemption {
    /// A short text.
    pub fn reason(self) -> &'static str {
        match self {
            Self::SameBody => "parts of one body",
            Self::Ignored => "on the ignore list",
            Self::Joined => "joined",
        }
    }
}

/// Stores in objects which others they are not tested with.
pub(in crate::core) fn ignore_pairs<'o>(
    objects: impl Iterator<Item = &'o mut Object>,
    pairs: &[(String, String)],
) {
    let mut by_name: HashMap<&str, Vec<&String>> = HashMap::new();
    for (a, b) in pairs {
        by_name.entry(a).or_default().push(b);
    }
    for object in objects {
        for other in by_name.get(&*object.name).into_iter().flatten() {
            if !object.ignores.contains(other) {
                object.ignores.push((*other).clone());
            }
        }
    }
}

/// Movement of an object (`motion` in files).
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Movement {
    /// Velocity, gravity and response; `dynamic` in logs.
    #[default]
    Velocity,
    /// Velocity alone; never pushed.
    Kinematic,
    /// Nothing.
    Fixed,
    /// Poses at given frames, straight in between; sorted by frame, at least one.
    Keyframes(Vec<Keyframe>),
}

/// A pose at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// Which frame.
    pub frame: u32,
    /// Metres, world.
    pub position: DVec3,
    /// Local to world.
    pub rotation: DQuat,
}

/// The level's camera.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// At frame 0; looks along local -Z.
    pub pose: Pose,
    /// What moves it.
    pub movement: CameraMovement,
    /// Its line probe.
    pub probe: Probe,
    /// How the probe acts on several triangles.
    pub probe_mode: ProbeMode,
    /// Near plane, metres, > 0.
    pub near: f64,
    /// Vertical field of view, radians.
    pub fov: f64,
    /// Width over height.
    pub aspect: f64,
}

impl Camera {
    /// A fixed camera with a usual lens.
    pub fn at(pose: Pose, probe: Probe) -> Self {
        Self::with_lens(pose, probe, Lens::default())
    }

    /// A fixed camera.
    pub fn with_lens(pose: Pose, probe: Probe, lens: Lens) -> Self {
        let Lens { near, fov, aspect } = lens;
        Self {
            pose,
            movement: CameraMovement::Fixed,
            probe,
            probe_mode: ProbeMode::InOrder,
            near,
            fov,
            aspect,
        }
    }
}

/// What a camera sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Near plane, metres, > 0.
    pub near: f64,
    /// Vertical field of view, radians.
    pub fov: f64,
    /// Width over height.
    pub aspect: f64,
}

impl Default for Lens {
    /// 0.1 m, 60 degrees, 16 to 9.
    fn default() -> Self {
        Self {
            near: 0.1,
            fov: 60_f64.to_radians(),
            aspect: 16.0 / 9.0,
        }
    }
}

/// Movement of a camera (`motion` in files).
#[derive(Clone, Debug, Default, PartialEq)]
pub enum CameraMovement {
    /// Nothing.
    #[default]
    Fixed,
    /// A constant velocity, metres per second; the probe's pushes act on top.
    Velocity(DVec3),
    /// Poses at given frames.
    Keyframes(Vec<Keyframe>),
}

/// The lines of a camera's probe.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Probe {
    /// The published five.
    #[default]
    Standard,
    /// Each reaches from `+offset` to `-offset` around the camera, metres.
    Lines(Vec<DVec3>),
    /// No probe.
    Off,
}

impl Probe {
    /// Its lines; each reaches from `+offset` to `-offset` around the camera, metres.
    pub fn lines(&self) -> &[DVec3] {
        match self {
            Self::Standard => &STANDARD_PROBE,
            Self::Lines(lines) => lines,
            Self::Off => &[],
        }
    }
}

/// A bookmarked moment.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Bookmark {
    /// Which frame.
    pub frame: u32,
    /// Where inside it, 0 to 1.
    pub fraction: f64,
    /// Note.
    pub note: String,
}

/// An expectation of a scene, and whether it is known to fail.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The expectation.
    pub expectation: Expectation,
    /// The reason of a known failure. Such an expectation must fail: when it holds, that is reported.
    pub expected_to_fail: Option<String>,
}

impl From<Expectation> for Expected {
    fn from(expectation: Expectation) -> Self {
        Self {
            expectation,
            expected_to_fail: None,
        }
    }
}

/// A condition on a level. Objects are named; kinds and causes are their identifiers in files.
///
/// Kinds and causes stay text, as the scene is parsed before diagnosis; validation checks the words.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    missing_docs,
    reason = "the fields repeat the names of the file format, files.md section 1"
)]
pub enum Expectation {
    /// The exact sweep of a pair hits in a frame, at a fraction.
    Hit {
        a: String,
        b: String,
        frame: u32,
        fraction: f64,
        tolerance: f64,
    },
    /// Diagnosis reports a finding; the given parts must agree.
    Finds {
        kind: String,
        cause: Option<String>,
        a: Option<String>,
        b: Option<String>,
        frame: Option<u32>,
    },
    /// Diagnosis reports nothing (of a kind, if given).
    NoFindings { kind: Option<String> },
    /// No pair takes this share of the longest step that an overlap test holds, nor more (no unit).
    Margin { below: f64 },
    /// An object is somewhere at the start of a frame.
    Position {
        object: String,
        frame: u32,
        is: DVec3,
        tolerance: f64,
    },
    /// The summed push on an object in a frame.
    Push {
        object: String,
        against: Option<String>,
        frame: u32,
        is: DVec3,
        tolerance: f64,
    },
    /// The probe's summed push on the camera in a frame.
    CameraPush {
        frame: u32,
        is: DVec3,
        tolerance: f64,
    },
    /// The pair touches in some frame (exactly, sweep included).
    Touches { a: String, b: String },
    /// The pair touches in no frame.
    NeverTouches { a: String, b: String },
}
