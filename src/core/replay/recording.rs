//! A recorded level: the content of a log, immutable.

use super::frame_data::{FrameData, Totals};
use super::frame_store::FrameStore;
use crate::core::problem::Problem;
use crate::core::scene::{Engine, Lens, Object};
use crate::core::schema::UserUnits;
use crate::core::shape::{Pose, Shape};
use glam::{DQuat, DVec3};
use std::ops::Range;
use std::sync::Arc;

/// Names of a log's numbers and flags that can be plotted at most (a count).
pub const MOST_VALUE_NAMES: usize = 64;

/// The content of a log: metres, Y up, objects in order of first appearance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Name from the header, else the file's name.
    pub name: String,
    /// Version of the recorded program, from the header.
    pub build: Option<String>,
    /// The header's seconds per frame.
    pub dt: f64,
    /// Metres per second squared; `None` where the log does not give it.
    pub gravity: Option<DVec3>,
    /// The engine settings of the header.
    pub engine: Engine,
    /// The units and axes of the file.
    pub units: UserUnits,
    /// The lens of the engine's camera, if the header has one.
    pub lens: Option<Lens>,
    /// Whether any object has a layer or mask, so that missing ones are defaults and not unknown.
    pub has_bits: bool,
    /// Whether a line has an empty list of contacts, so that its missing ones are not just left out.
    pub has_empty_contacts: bool,
    /// All objects in the order of their first line; shapes of a CSV may be defaults.
    pub objects: Vec<Object>,
    /// Fixed objects without bodies, sorted by object; they are not repeated in every frame. [`Recording::visit_bodies`]
    /// includes them.
    pub static_bodies: Vec<StaticBody>,
    /// In order of frame number, strictly rising.
    pub frames: Vec<RecordedFrame>,
    /// Bodies, contacts, pushes and queries, by index of [`Recording::frames`].
    pub data: FrameStore,
    /// The names of numbers and flags of the program, in the order in which they come; at most [`MOST_VALUE_NAMES`].
    pub value_names: Vec<String>,
    /// Pictures of the game, by state.
    pub images: Vec<LoggedImage>,
    /// Joints, sorted; those of one pair are apart.
    pub joints: Vec<Joint>,
    /// Steps of frames whose line gives them: index into [`Recording::frames`], and the steps.
    pub substeps: Vec<(usize, u32)>,
    /// Number of lines or rows that could not be read; an end that is cut off counts as one.
    pub unread: usize,
    /// Skipped lines and assumed defaults, to be shown.
    pub notices: Vec<Problem>,
}

impl Recording {
    /// Whether a joint connects two objects in the state at an index of [`Recording::frames`], or the next.
    pub fn are_joined(&self, frame: usize, a: u32, b: u32) -> bool {
        // Of one pair they are apart, so that the last one that begins by then ends last.
        let after = Joint::between(a, b, frame + 2..0);
        let place = self.joints.partition_point(|joint| *joint < after);
        let joint = place.checked_sub(1).map(|place| self.joints[place]);
        joint.is_some_and(|joint| (joint.a, joint.b) == (after.a, after.b) && joint.holds_at(frame))
    }

    /// The objects that joints tie an object to in the state at an index of [`Recording::frames`], or the next.
    pub fn joined_to(&self, frame: usize, object: u32) -> impl Iterator<Item = u32> {
        let holds = move |joint: &&Joint| joint.holds_at(frame);
        let partner = move |joint: &Joint| match object {
            object if joint.a == object => Some(joint.b),
            object if joint.b == object => Some(joint.a),
            _ => None,
        };
        self.joints.iter().filter(holds).filter_map(partner)
    }

    /// The joints of a state.
    pub fn joints_at(&self, state: usize) -> impl Iterator<Item = &Joint> {
        let is_there = move |joint: &&Joint| (joint.from..joint.until).contains(&state);
        self.joints.iter().filter(is_there)
    }

    /// Whether the log has contacts, or an empty list of them: a contact that it lacks is one that the engine did not make.
    pub fn logs_contacts(&self) -> bool {
        self.has_empty_contacts || self.data.totals().contacts > 0
    }

    /// A query by its number in the log.
    pub fn query(&self, number: usize) -> Option<LoggedQuery> {
        let after = |line: &RecordedFrame| line.first.queries <= number;
        let index = self.frames.partition_point(after).checked_sub(1)?;
        let in_frame = number - self.frames[index].first.queries;
        self.data.events(index).queries.get(in_frame).cloned()
    }

    /// Number of frames that are missing where the log has gaps.
    pub fn missing_frames(&self) -> u64 {
        let pairs = self.frames.windows(2).filter(|pair| pair[1].gap);
        pairs
            .map(|pair| pair[1].number.saturating_sub(pair[0].number + 1))
            .sum()
    }

    /// Appends a frame, whose numbers of first entries are set here.
    pub fn push(&mut self, frame: RecordedFrame, data: FrameData) {
        let first = self.data.totals();
        self.frames.push(RecordedFrame { first, ..frame });
        self.data.push(data);
    }

    /// Visits every body present at a frame (an index of [`Recording::frames`]), those of [`Recording::static_bodies`] last.
    pub fn visit_bodies(&self, frame: usize, mut visit: impl FnMut(&Body)) {
        self.data.visit_bodies(frame, &mut visit);
        let still = self.static_bodies.iter();
        still
            .filter_map(|still| self.static_body(still, frame))
            .for_each(|body| visit(&body));
    }

    /// The body of an object at a frame, as [`Recording::visit_bodies`] has it.
    pub fn body_at(&self, frame: usize, object: u32) -> Option<Body> {
        let still = &self.static_bodies;
        // These are in no frame.
        match still.binary_search_by_key(&object, |still| still.object) {
            Ok(index) => self.static_body(&still[index], frame),
            Err(_) => self.data.body(frame, object),
        }
    }

    fn static_body(&self, still: &StaticBody, frame: usize) -> Option<Body> {
        let pose = self.objects[still.object as usize].pose;
        let is_there = still.from <= frame && still.until.is_none_or(|until| frame < until);
        is_there.then_some(Body {
            velocity: Some(DVec3::ZERO),
            spin: Some(DVec3::ZERO),
            ..Body::new(still.object, pose)
        })
    }
}

/// Two objects that a joint connects in states in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Joint {
    /// Into [`Recording::objects`], the lower of the two.
    pub a: u32,
    /// Into [`Recording::objects`].
    pub b: u32,
    /// Index into [`Recording::frames`] of its first state.
    pub from: usize,
    /// The first state without it; `usize::MAX` without one.
    pub until: usize,
}

impl Joint {
    /// A joint of two objects, given in any order, in these states.
    pub fn between(a: u32, b: u32, states: Range<usize>) -> Self {
        Self {
            a: a.min(b),
            b: a.max(b),
            from: states.start,
            until: states.end,
        }
    }

    /// In all states.
    pub fn always(a: u32, b: u32) -> Self {
        Self::between(a, b, 0..usize::MAX)
    }

    /// Whether it is of all states, as those of the header are.
    pub fn is_always(&self) -> bool {
        self.until == usize::MAX
    }

    /// Whether it is there in a state, or the next.
    fn holds_at(&self, frame: usize) -> bool {
        self.from <= frame + 1 && frame < self.until
    }
}

/// A fixed object that stays at its own pose, from a frame on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StaticBody {
    /// Into [`Recording::objects`].
    pub object: u32,
    /// Index into [`Recording::frames`] of its first frame; 0 for objects of the header.
    pub from: usize,
    /// The first frame without it, for one that is removed.
    pub until: Option<usize>,
}

/// A picture of the game at a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedImage {
    /// Into [`Recording::frames`].
    pub state: u32,
    /// A file in the folder of the log.
    pub file: String,
}

/// One line of a log: a state, with the engine's data on the motion to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedFrame {
    /// The log's own frame number.
    pub number: u64,
    /// The tick of the network: the whole number of the level that the program logs as the value `tick`.
    pub tick: Option<i64>,
    /// Seconds, if logged.
    pub time: Option<f64>,
    /// Seconds from the frame before to this one (the header's dt, unless the line or the times give another).
    pub dt: f64,
    /// Frames are missing before this one: the motion is unknown and not diagnosed.
    pub gap: bool,
    /// The numbers of its first body, contact, push and query, counted over the whole log.
    pub first: Totals,
    /// The engine's camera.
    pub camera: Option<LoggedCamera>,
}

/// One body of one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Into [`Recording::objects`].
    pub object: u32,
    /// World. Components may be NaN or infinite, which is a finding and no error.
    pub pose: Pose,
    /// Metres per second.
    pub velocity: Option<DVec3>,
    /// Radians per second, world axes.
    pub spin: Option<DVec3>,
    /// Placed here instead of moved here.
    pub teleported: bool,
    /// Sleeping in the engine.
    pub asleep: bool,
    /// The island of the engine that it is in: its number among those of the frame.
    pub island: Option<u32>,
}

impl Body {
    /// A body with only a pose.
    pub const fn new(object: u32, pose: Pose) -> Self {
        Self {
            object,
            pose,
            velocity: None,
            spin: None,
            teleported: false,
            asleep: false,
            island: None,
        }
    }
}

/// A contact of the recorded engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoggedContact {
    /// Into [`Recording::objects`].
    pub a: u32,
    /// Into [`Recording::objects`].
    pub b: u32,
    /// World, metres.
    pub point: DVec3,
    /// From b toward a.
    pub normal: DVec3,
    /// Metres.
    pub depth: f64,
}

impl LoggedContact {
    /// The other object of one of the two, and the normal toward that one; `None` for any other object.
    pub fn seen_from(&self, object: u32) -> Option<(u32, DVec3)> {
        match object {
            object if object == self.a => Some((self.b, self.normal)),
            object if object == self.b => Some((self.a, -self.normal)),
            _ => None,
        }
    }
}

/// A push applied by the recorded engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoggedPush {
    /// Into [`Recording::objects`].
    pub object: u32,
    /// World, metres.
    pub push: DVec3,
}

/// Kind of a logged query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryKind {
    /// A ray cast along a segment.
    Ray,
    /// A swept sphere.
    Sweep,
}

/// The shape of a logged sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptShape {
    /// No plane and no mesh.
    pub shape: Shape,
    /// Held during the sweep.
    pub rotation: DQuat,
}

/// A query of the recorded engine, and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedQuery {
    /// Ray or sweep.
    pub kind: QueryKind,
    /// The object that casts, if logged.
    pub object: Option<u32>,
    /// World, metres.
    pub from: DVec3,
    /// World, metres.
    pub to: DVec3,
    /// Of the sphere that is swept, metres; 0 for a ray.
    pub radius: f64,
    /// The shape that is swept, if it is no sphere.
    pub shape: Option<Arc<SweptShape>>,
    /// Layers that were tested; `None` if not logged.
    pub mask: Option<u32>,
    /// What the program calls it, such as `ground` or `slide`; `None` if not logged.
    pub tag: Option<Arc<str>>,
    /// The hit; `None` for a miss.
    pub hit: Option<LoggedHit>,
}

impl LoggedQuery {
    /// What is swept; `None` for a ray.
    pub fn swept_shape(&self) -> Option<SweptShape> {
        match (self.kind, &self.shape) {
            (QueryKind::Sweep, Some(swept)) => Some((**swept).clone()),
            (QueryKind::Sweep, None) if self.radius > 0.0 => Some(SweptShape {
                shape: Shape::Sphere {
                    radius: self.radius,
                },
                rotation: DQuat::IDENTITY,
            }),
            _ => None,
        }
    }
}

/// The hit of a logged query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoggedHit {
    /// Into [`Recording::objects`].
    pub object: u32,
    /// Fraction of the segment from `from` to `to`.
    pub fraction: f64,
    /// As the engine gave it.
    pub normal: Option<DVec3>,
}

/// The camera of the recorded engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoggedCamera {
    /// Looks along local -Z.
    pub pose: Pose,
    /// Correction by its collision, metres.
    pub push: Option<DVec3>,
    /// True after a cut.
    pub teleported: bool,
}
