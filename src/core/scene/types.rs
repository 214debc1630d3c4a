//! What a scene holds, after validation: metres, Y up, radians, names unique, every number finite.

use crate::core::query::probe::{ProbeMode, STANDARD_PROBE};
use crate::core::schema::{MeshSource, Units};
use crate::core::shape::{Pose, Shape};
use crate::core::tolerance::DEFAULT_DT;
use glam::{DQuat, DVec3};
use std::collections::HashMap;

/// A level: what is in it, how it is stepped, what is expected of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Shown as the title.
    pub name: String,
    /// Free text, shown when the scene opens.
    pub notes: String,
    /// What the text's lengths were written in; already applied to everything below.
    pub units: Units,
    /// Seconds per frame, > 0.
    pub dt: f64,
    /// Number of intervals on the timeline, >= 1: states 0 to `frames`.
    pub frames: u32,
    /// Metres per second squared.
    pub gravity: DVec3,
    /// What the stepped world uses to find collisions.
    pub detection: Detection,
    /// What it does about them.
    pub response: Response,
    /// What is known of the engine whose level it is.
    pub engine: Engine,
    /// In the order of the text; the index is the object's identity.
    pub objects: Vec<Object>,
    /// Names of pairs that never touch.
    pub ignore: Vec<(String, String)>,
    /// The camera that plays in the level (not the one that looks at it).
    pub camera: Option<Camera>,
    /// A log that gives the poses, relative to the scene's folder; objects named in both keep the scene's shape.
    pub recording: Option<String>,
    /// Moments worth coming back to.
    pub bookmarks: Vec<Bookmark>,
    /// What must be true; run by `check` and the tests.
    pub expect: Vec<Expected>,
}

impl Scene {
    /// One frame of a sixtieth of a second, without gravity, in which overlap tests look and nothing is done about what they see.
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
            objects,
            camera: None,
            recording: None,
            bookmarks: Vec::new(),
            expect: Vec::new(),
        }
    }
}

/// What is known of an engine: what it looks ahead by, and from which speed on it sweeps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Engine {
    /// As the file says it: `jolt`, `physx`, `godot`, or any other.
    pub name: Option<String>,
    /// Fraction of a body's size that it must move in a step before the engine sweeps it, > 0; `None` takes the engine's own.
    pub ccd_threshold: Option<f64>,
    /// Metres, >= 0: how far apart bodies may be while the engine makes contacts of them or holds them (its margin or skin).
    pub margin: Option<f64>,
}

impl Engine {
    /// What one file says, and where it is silent another.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self {
            name: self.name.clone().or_else(|| other.name.clone()),
            ccd_threshold: self.ccd_threshold.or(other.ccd_threshold),
            margin: self.margin.or(other.margin),
        }
    }
}

/// How the stepped world finds collisions.
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

/// What the stepped world does about a collision.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Response {
    /// Nothing.
    Ignore,
    /// Move out along the shortest push; velocity is kept.
    #[default]
    Push,
    /// Move out, and lose the velocity into the surface.
    Slide,
    /// Move out, and lose all velocity.
    Stop,
    /// Move out, and reflect the relative velocity along the normal; momentum is shared by mass.
    Bounce {
        /// 0 loses the normal velocity, 1 keeps all of it.
        restitution: f64,
    },
}

/// One thing in the level.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Unique in the level.
    pub name: String,
    /// In local space.
    pub shape: Shape,
    /// Where a mesh came from, to write it back; `None` for the other shapes.
    pub mesh: Option<MeshSource>,
    /// At frame 0 (or when it appears).
    pub pose: Pose,
    /// Metres per second at frame 0.
    pub velocity: DVec3,
    /// Radians per second, world axes.
    pub spin: DVec3,
    /// What moves it.
    pub movement: Movement,
    /// Kilograms, > 0.
    pub mass: f64,
    /// Bits this object is in.
    pub layer: u32,
    /// Bits this object collides with: a pair collides when each one's layer touches the other's mask.
    pub mask: u32,
    /// The body that it is a part of: parts of one body never touch.
    pub body: Option<String>,
    /// Names of objects that it never touches; one of a pair has the other's.
    pub ignores: Vec<String>,
    /// Reports but is not pushed and does not push.
    pub sensor: bool,
    /// What the recorded engine was told about continuous detection; `None` when unknown.
    pub ccd: Option<bool>,
    /// What the engine scales its shape by along the file's axes; the shape given here is scaled already. `None` when unknown.
    pub scale: Option<DVec3>,
    /// sRGB, 0 to 255; `None` takes the theme's.
    pub color: Option<[u8; 3]>,
    /// Free words, for groups.
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
            ccd: None,
            scale: None,
            color: None,
            tags: Vec::new(),
        }
    }

    /// Does a collision move it? Fixed, kinematic and keyframed objects give way to nothing.
    pub fn is_pushable(&self) -> bool {
        self.movement == Movement::Velocity
    }

    /// Do the layer and mask bits of two objects let them collide, and no exemption keeps them apart?
    pub fn collides_with(&self, other: &Self) -> bool {
        self.layer & other.mask != 0
            && other.layer & self.mask != 0
            && self.exemption(other).is_none()
    }

    /// Why two objects never touch, whatever their bits.
    pub fn exemption(&self, other: &Self) -> Option<Exemption> {
        if self.body.is_some() && self.body == other.body {
            return Some(Exemption::SameBody);
        }
        let is_ignored = self.ignores.contains(&other.name) || other.ignores.contains(&self.name);
        is_ignored.then_some(Exemption::Ignored)
    }
}

/// Why a pair is not tested, whatever its layers and masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exemption {
    /// Both are parts of one body.
    SameBody,
    /// The pair is on the ignore list.
    Ignored,
    /// A joint holds them together in this frame.
    Joined,
}

impl Exemption {
    /// In a few words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::SameBody => "parts of one body",
            Self::Ignored => "on the ignore list",
            Self::Joined => "joined",
        }
    }
}

/// Tells objects which others they never touch.
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

/// What moves an object (`motion` in files).
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Movement {
    /// Velocity, gravity and response.
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

/// The camera that plays in the level.
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
    /// One that stands still, with a lens as most games have it.
    pub fn at(pose: Pose, probe: Probe) -> Self {
        Self {
            pose,
            movement: CameraMovement::Fixed,
            probe,
            probe_mode: ProbeMode::InOrder,
            near: 0.1,
            fov: 60_f64.to_radians(),
            aspect: 16.0 / 9.0,
        }
    }
}

/// What moves a camera (`motion` in files).
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
    /// None: the camera is not held by anything.
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

/// A moment worth coming back to.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Bookmark {
    /// Which frame.
    pub frame: u32,
    /// Where inside it, 0 to 1.
    pub fraction: f64,
    /// Why.
    pub note: String,
}

/// What a scene expects, and whether it is known not to hold yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// What must be true.
    pub expectation: Expectation,
    /// Why it is not true yet, where the scene says so (a known bug). Such a claim must fail: when it holds, that is reported.
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

/// Something that must be true of a level. Objects are named; kinds and causes are their identifiers in files.
///
/// Kinds and causes stay text here, as the scene is read before diagnosis exists; validation knows the allowed words.
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
