//! Any frame of a level, in either direction, and its inside.
//!
//! [`Replay`] answers "where is everything at frame n" and "how did it get from n to n + 1", for a stepped scene and for a
//! recording alike; nothing downstream knows which it is. A frame's inside is recomputed on demand from its start, so going
//! backward is as exact as going forward.

mod recording;

pub use recording::{
    Body, LoggedCamera, LoggedContact, LoggedHit, LoggedPush, LoggedQuery, QueryKind,
    RecordedFrame, Recording,
};

use super::query::{Contact, Impact, probe::ProbeAnswer};
use super::scene::{Object, Scene};
use super::shape::{Motion, Pose};
use glam::DVec3;
use std::sync::Arc;

/// An object's place in [`Replay::objects`]: its creation ordinal. Survives any seek.
pub type ObjectId = u32;

/// One object at the start of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// World.
    pub pose: Pose,
    /// Metres per second; from the log, or from the stepper. `None` when a log does not say.
    pub velocity: Option<DVec3>,
    /// Radians per second, world axes; `None` when a log does not say.
    pub spin: Option<DVec3>,
    /// The log's flag.
    pub asleep: bool,
    /// The log's flag: it did not travel here, it was put here.
    pub teleported: bool,
}

/// Every object at the start of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameState {
    /// By [`ObjectId`]; `None` is not present at this frame.
    pub bodies: Vec<Option<BodyState>>,
}

/// A stretch of a frame in which an object moves straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Fraction of the frame at which it begins.
    pub from: f64,
    /// Fraction of the frame at which it ends.
    pub to: f64,
    /// The travel, before any push at its end.
    pub motion: Motion,
}

/// A named moment inside a frame, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    /// The frame begins.
    Start,
    /// The broad phase has chosen its pairs.
    Candidates {
        /// Sorted, `i < j`.
        pairs: Vec<(ObjectId, ObjectId)>,
    },
    /// The sweep (or, with `Detection::Overlap`, what a sweep would have seen) of the candidates, earliest first.
    Sweep {
        /// Hits only; every other pair's outcome is recomputed on demand.
        impacts: Vec<(ObjectId, ObjectId, Impact)>,
    },
    /// Everything has moved to this fraction of the frame.
    Advance {
        /// Fraction of the frame; 1 for a whole step.
        to: f64,
        /// The pair that stopped it, with `Detection::Sweep`.
        impact: Option<(ObjectId, ObjectId, Impact)>,
    },
    /// One push is applied.
    Push {
        /// From 1.
        number: u32,
        /// How many this frame has.
        of: u32,
        /// Fraction of the frame at which it acts.
        at: f64,
        /// Who is moved.
        object: ObjectId,
        /// Away from whom; `None` for a logged push that does not say.
        against: Option<ObjectId>,
        /// World, metres.
        push: DVec3,
        /// Position before.
        before: DVec3,
        /// Position after.
        after: DVec3,
        /// What was seen; `None` for a logged push.
        contact: Option<Contact>,
    },
    /// The camera's probe acts.
    CameraPush {
        /// The hits in the order they acted.
        answer: ProbeAnswer,
    },
    /// The frame ends.
    End,
}

impl Phase {
    /// Fraction of the frame at which the picture stands in this phase.
    pub fn fraction(&self) -> f64 {
        match self {
            Self::Start | Self::Candidates { .. } | Self::Sweep { .. } => 0.0,
            Self::Advance { to, .. } => *to,
            Self::Push { at, .. } => *at,
            Self::CameraPush { .. } | Self::End => 1.0,
        }
    }
}

/// The camera at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraState {
    /// Looks along local -Z.
    pub pose: Pose,
}

/// The inside of one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Which: the interval from state `number` to state `number + 1`.
    pub number: u32,
    /// Seconds.
    pub dt: f64,
    /// State `number`.
    pub start: Arc<FrameState>,
    /// State `number + 1`, pushes included.
    pub end: Arc<FrameState>,
    /// How each object travelled, in order, without gaps from 0 to 1; empty when it is not present at both ends or was
    /// teleported. With `Detection::Overlap` and in recordings one leg, to where it was before this frame's pushes.
    pub legs: Vec<Vec<Leg>>,
    /// What happened, in order; begins with `Start`, finishes with `End`.
    pub phases: Vec<Phase>,
    /// The camera's travel before the probe's push, and after it; `None` without a camera.
    pub camera: Option<(Motion, Pose)>,
    /// True when the stepper gave up on this frame's impacts (too many), and finished it without them.
    pub gave_up: bool,
}

impl Frame {
    /// An object's pose at a fraction in [0, 1] of the frame; the end state (pushes included) at 1. `None` when absent.
    pub fn pose(&self, object: ObjectId, fraction: f64) -> Option<Pose> {
        let _ = (object, fraction);
        todo!("helper replay")
    }

    /// The stretches over which both objects move straight: (from, to, travel of a, travel of b), in order.
    pub fn legs_together(&self, a: ObjectId, b: ObjectId) -> Vec<(f64, f64, Motion, Motion)> {
        let _ = (a, b);
        todo!("helper replay")
    }
}

/// A level that can be asked for any frame. Cheap to share between threads (`Arc<Replay>`).
#[derive(Debug)]
pub struct Replay {
    scene: Arc<Scene>,
    objects: Vec<Object>,
    recording: Option<Arc<Recording>>,
}

impl Replay {
    /// Steps a scene by its own detection and response.
    pub fn stepped(scene: Arc<Scene>) -> Self {
        let objects = scene.objects.clone();
        Self {
            scene,
            objects,
            recording: None,
        }
    }

    /// Replays a recording; `scene` gives shapes, camera and expectations where it names the same objects.
    pub fn recorded(scene: Arc<Scene>, recording: Arc<Recording>) -> Self {
        let _ = (scene, recording);
        todo!("helper replay")
    }

    /// The scene it came from (for a bare log: one made from its header).
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// The recording, if it is one.
    pub fn recording(&self) -> Option<&Arc<Recording>> {
        self.recording.as_ref()
    }

    /// Every object that ever exists, by [`ObjectId`].
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The object of a name.
    pub fn object_named(&self, name: &str) -> Option<ObjectId> {
        self.objects
            .iter()
            .position(|object| object.name == name)
            .map(|index| index as ObjectId)
    }

    /// Number of intervals: frames `0..frames`, states `0..=frames`.
    pub fn frames(&self) -> u32 {
        todo!("helper replay")
    }

    /// Seconds from state `frame` to the next.
    pub fn dt(&self, frame: u32) -> f64 {
        let _ = frame;
        todo!("helper replay")
    }

    /// Seconds at state `frame`, from the first.
    pub fn time(&self, frame: u32) -> f64 {
        let _ = frame;
        todo!("helper replay")
    }

    /// Everything at the start of a frame (clamped to the last state).
    pub fn state(&self, frame: u32) -> Arc<FrameState> {
        let _ = frame;
        todo!("helper replay")
    }

    /// The inside of a frame (clamped to the last), recomputed from its start.
    pub fn frame(&self, frame: u32) -> Arc<Frame> {
        let _ = frame;
        todo!("helper replay")
    }

    /// The camera at the start of a frame.
    pub fn camera(&self, frame: u32) -> Option<CameraState> {
        let _ = frame;
        todo!("helper replay")
    }

    /// A number that two runs share exactly when every bit of the state is the same.
    pub fn state_hash(&self, frame: u32) -> u64 {
        let _ = frame;
        todo!("helper replay")
    }
}
