//! Frames of a level, in any order, and their phases.
//!
//! [`Replay`] returns the state of all objects at frame n and their motion from n to n + 1, for a stepped scene and for a
//! recording alike. A frame is recomputed on demand from its start state, so backward is as exact as forward.

pub mod as_logged;
pub mod compare;
pub mod engine_log;
mod frame;
mod frame_data;
mod frame_store;
mod hash;
pub mod history;
mod logged_contacts;
mod logged_move;
mod logged_note;
pub mod now;
mod pair_motion;
mod player;
mod quantity;
mod recording;
mod recording_frames;
pub mod search;
pub mod search_query;
mod step;
mod stored_frame;
pub mod unswept;

pub use frame::{
    BodyState, CameraState, Frame, FrameMotion, FrameState, MotionSegment, MotionSegments, Phase,
    StartBoxes,
};
pub use frame_data::{FrameData, Totals};
pub use frame_store::FrameStore;
pub use history::Subject;
pub use logged_contacts::LoggedContacts;
pub use logged_move::{LoggedMove, MoveHit, MoveSweep};
pub use logged_note::{LoggedNote, NoteKind, NoteLevel, NoteMark, NoteValue};
pub use pair_motion::{PairMotion, PairTimeline};
pub use recording::{
    Body, Joint, LoggedCamera, LoggedContact, LoggedHit, LoggedImage, LoggedPush, LoggedQuery,
    MOST_VALUE_NAMES, QueryKind, RecordedFrame, Recording, StaticBody, SweptShape,
};
pub use step::camera::ProbeTriangles;

use super::scene::{Detection, Engine, Exemption, Movement, Objects, Scene};
use super::shape::{Facing, Joined, Shape, canonical_in, is_one_sided, joined_in, shell};
use glam::DVec3;
use player::{Player, lock};
use recording_frames::RecordingFrames;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, OnceLock};
use step::OBJECTS_PER_THREAD;

/// An object's place in [`Replay::objects`]: its creation ordinal. Survives any seek.
pub type ObjectId = u32;

/// Number of recent frames and of recent states that are cached, and of objects in all of them: large levels cache fewer.
const RECENT: usize = 8;
const RECENT_OBJECTS: usize = 400_000;

/// The frames of a level. Shared between threads as `Arc<Replay>`.
#[derive(Debug)]
pub struct Replay {
    scene: Arc<Scene>,
    /// Of a recording: its objects with those of the scene. A stepped scene has its own.
    merged: Option<Objects>,
    /// Made when it is first used.
    by_name: OnceLock<HashMap<String, ObjectId>>,
    /// By object: how it is judged; made when it is first used.
    judged: OnceLock<Vec<Judged>>,
    recording: Option<Arc<Recording>>,
    source: Source,
    frames: Mutex<Recent<Frame>>,
    states: Mutex<Recent<FrameState>>,
}

/// How an object is judged, however its shape is written.
#[derive(Debug)]
struct Judged {
    /// Its canonical form, where it is another than the one that is written.
    shape: Option<Shape>,
    /// The surface of a mesh that is judged as a solid, from both sides.
    shell: Option<Shape>,
    one_sided: bool,
    /// The box that it forms with other fixed objects.
    joined: Option<Joined>,
}

/// A state of which single bodies are asked: see [`Replay::at`].
#[derive(Clone, Copy, Debug)]
pub(in crate::core) struct StateAt<'r> {
    replay: &'r Replay,
    number: u32,
}

impl StateAt<'_> {
    /// The body of an object; `None` is absent.
    pub fn body(&self, id: ObjectId) -> Option<BodyState> {
        self.replay.body(self.number, id)
    }
}

/// Source of the states.
#[derive(Debug)]
enum Source {
    Stepped(Player),
    Recorded(RecordingFrames),
}

impl Replay {
    /// Steps a scene by its own detection and response.
    pub fn stepped(scene: Arc<Scene>) -> Self {
        let source = Source::Stepped(Player::new(&scene));
        Self::new(scene, None, None, source)
    }

    /// Replays a recording; `scene` gives shapes, camera and expectations for objects of the same names.
    ///
    /// The recording's objects come first. Objects that only the scene has stay at their pose, or follow their keyframes.
    pub fn recorded(scene: Arc<Scene>, recording: Arc<Recording>) -> Self {
        let source = Source::Recorded(RecordingFrames::new(&scene, Arc::clone(&recording)));
        let objects = recording_frames::merge(&scene, &recording);
        Self::new(scene, Some(objects.into()), Some(recording), source)
    }

    fn new(
        scene: Arc<Scene>,
        merged: Option<Objects>,
        recording: Option<Arc<Recording>>,
        source: Source,
    ) -> Self {
        Self {
            scene,
            merged,
            by_name: OnceLock::new(),
            judged: OnceLock::new(),
            recording,
            source,
            frames: Mutex::default(),
            states: Mutex::default(),
        }
    }

    /// The same level stepped with another detection; a recording is unchanged.
    #[must_use]
    pub fn with_detection(&self, detection: Detection) -> Self {
        match &self.recording {
            Some(recording) => Self::recorded(Arc::clone(&self.scene), Arc::clone(recording)),
            None => Self::stepped(Arc::new(Scene {
                detection,
                ..Scene::clone(&self.scene)
            })),
        }
    }

    /// The scene (for a log without one: made from its header).
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// The recording, if it is one.
    pub fn recording(&self) -> Option<&Arc<Recording>> {
        self.recording.as_ref()
    }

    /// The scene's engine settings and, where it has none, the recording's.
    pub fn engine(&self) -> Engine {
        let scene = &self.scene.engine;
        match &self.recording {
            Some(recording) => scene.or(&recording.engine),
            None => scene.clone(),
        }
    }

    /// The margin around shapes that the scene gives or, where it gives none, the recording, metres.
    pub(in crate::core) fn margin(&self) -> Option<f64> {
        let logged = || self.recording.as_ref()?.engine.margin;
        self.scene.engine.margin.or_else(logged)
    }

    /// All objects, by [`ObjectId`].
    pub fn objects(&self) -> &Objects {
        self.merged.as_ref().unwrap_or(&self.scene.objects)
    }

    /// The shape of an object as it is judged, meshes and triangles from both sides; `None` without such an object.
    pub(in crate::core) fn judged_shape(&self, id: ObjectId) -> Option<&Shape> {
        let judged = self.judged(id)?;
        let joined = judged.joined.as_ref().map(|joined| &joined.shape);
        joined.or_else(|| self.own_shape(id))
    }

    /// The same, without the fixed boxes beside it that form one box with it.
    pub(in crate::core) fn own_shape(&self, id: ObjectId) -> Option<&Shape> {
        let own = &self.objects().get(id as usize)?.shape;
        Some(self.judged(id)?.shape.as_ref().unwrap_or(own))
    }

    /// The normal of a logged contact from `b` toward `a`, where it is of these two or of other parts of their solids.
    fn normal_of(&self, contact: &LoggedContact, a: ObjectId, b: ObjectId) -> Option<DVec3> {
        let [a, b] = [a, b].map(|id| self.solid_of(id));
        match (self.solid_of(contact.a), self.solid_of(contact.b)) {
            ends if ends == (a, b) => Some(contact.normal),
            ends if ends == (b, a) => Some(-contact.normal),
            _ => None,
        }
    }

    /// Whether the log has a contact of two objects at a state, or of other parts of their solids.
    pub(in crate::core) fn has_contact(&self, state: u32, a: ObjectId, b: ObjectId) -> bool {
        !self.contacts_between(state, a, b).is_empty()
    }

    /// The contacts of two objects at a state, or of other parts of their solids, with their normals toward the first.
    pub(in crate::core) fn contacts_between(
        &self,
        state: u32,
        a: ObjectId,
        b: ObjectId,
    ) -> Vec<(LoggedContact, DVec3)> {
        let Some(log) = &self.recording else {
            return Vec::new();
        };
        let data = log.data.events(state as usize);
        let of_pair = |it: &LoggedContact| Some((*it, self.normal_of(it, a, b)?));
        match [a, b].into_iter().find(|id| !self.is_part(*id)) {
            Some(id) => data
                .contacts
                .of(id)
                .filter_map(|(_, it)| of_pair(it))
                .collect(),
            None => data.contacts.iter().filter_map(of_pair).collect(),
        }
    }

    /// Whether an object is one of several fixed boxes that form one box.
    pub(in crate::core) fn is_part(&self, id: ObjectId) -> bool {
        self.judged(id)
            .is_some_and(|judged| judged.joined.is_some())
    }

    /// The first object of the solid that an object is a part of: its own number, but for fixed boxes side by side that form one box.
    pub(in crate::core) fn solid_of(&self, id: ObjectId) -> ObjectId {
        let joined = self.judged(id).and_then(|judged| judged.joined.as_ref());
        joined.map_or(id, |joined| joined.first as ObjectId)
    }

    /// The solids of two objects, the lower number first: the same for all parts of two solids.
    pub(in crate::core) fn solids_of(&self, a: ObjectId, b: ObjectId) -> (ObjectId, ObjectId) {
        let (a, b) = (self.solid_of(a), self.solid_of(b));
        (a.min(b), a.max(b))
    }

    /// The same as [`Self::own_shape`], with the sides from which it collides.
    pub(in crate::core) fn colliding_shape(&self, id: ObjectId) -> Option<&Shape> {
        match self.is_one_sided(id) {
            true => Some(&self.objects().get(id as usize)?.shape),
            false => self.own_shape(id),
        }
    }

    /// The shape of the solid that an object is or is a part of, with the sides from which it collides.
    pub(in crate::core) fn solid_shape(&self, id: ObjectId) -> Option<&Shape> {
        match self.is_one_sided(id) {
            true => self.colliding_shape(id),
            false => self.judged_shape(id),
        }
    }

    /// The surface of a closed mesh that is judged as a solid, from both sides.
    pub(in crate::core) fn shell(&self, id: ObjectId) -> Option<&Shape> {
        self.judged(id)?.shell.as_ref()
    }

    /// The same of a mesh that collides from its front only: what is within it falls out.
    pub(in crate::core) fn front_shell(&self, id: ObjectId) -> Option<&Shape> {
        let is_front = match &self.objects().get(id as usize)?.shape {
            Shape::Mesh(mesh) => mesh.facing() == Facing::Front,
            _ => false,
        };
        self.shell(id).filter(|_| is_front)
    }

    /// Whether an object collides from its front only, and is not a closed solid.
    pub(in crate::core) fn is_one_sided(&self, id: ObjectId) -> bool {
        self.judged(id).is_some_and(|judged| judged.one_sided)
    }

    fn judged(&self, id: ObjectId) -> Option<&Judged> {
        let judged = self.judged.get_or_init(|| {
            let is_flat = self.units().units.flat;
            let objects = self.objects().iter();
            let judged = objects.map(|object| Judged {
                shape: canonical_in(&object.shape, is_flat),
                shell: shell(&object.shape),
                one_sided: is_one_sided(&object.shape),
                joined: None,
            });
            let mut judged: Vec<Judged> = judged.collect();
            self.join_boxes(&mut judged);
            judged
        });
        judged.get(id as usize)
    }

    /// Joins fixed boxes that are the same to every other object, and stay where they are.
    fn join_boxes(&self, judged: &mut [Judged]) {
        let objects = self.objects();
        let still: HashSet<u32> = match &self.recording {
            Some(recording) => {
                let always = recording
                    .static_bodies
                    .iter()
                    .filter(|body| body.from == 0 && body.until.is_none());
                let always = always.map(|body| body.object);
                let logged = recording.objects.len() as u32;
                let of_scene = logged..objects.len() as u32;
                let logged = recording.data.still().into_iter();
                always.chain(logged).chain(of_scene).collect()
            }
            None => (0..objects.len() as u32).collect(),
        };
        let joints = self
            .recording
            .iter()
            .flat_map(|recording| &recording.joints);
        let apart: HashSet<u32> = joints.flat_map(|joint| [joint.a, joint.b]).collect();
        let ignored: HashSet<&String> = objects.iter().flat_map(|one| &one.ignores).collect();
        // Parts of one body do not meet, which says something only of a body with a part that moves.
        let moving = objects
            .iter()
            .filter(|object| object.movement != Movement::Fixed);
        let moving: HashSet<_> = moving.filter_map(|object| object.body.as_ref()).collect();
        // What makes a pair of one of them differ from that of another.
        let mut alike: BTreeMap<_, Vec<u32>> = BTreeMap::new();
        for (object, id) in objects.iter().zip(0..) {
            let stays = object.movement == Movement::Fixed && still.contains(&id);
            let is_plain = object.ignores.is_empty() && object.one_way.is_none();
            if stays && is_plain && !apart.contains(&id) && !ignored.contains(&object.name) {
                let key = (
                    object.layer,
                    object.mask,
                    object.sensor,
                    object.body.as_ref().filter(|body| moving.contains(body)),
                );
                alike.entry(key).or_default().push(id);
            }
        }
        for ids in alike.into_values().filter(|ids| ids.len() > 1) {
            let solids = ids.iter().map(|id| {
                let (own, object) = (&judged[*id as usize], &objects[*id as usize]);
                let pose = self.body(0, *id).map_or(object.pose, |body| body.pose);
                (own.shape.as_ref().unwrap_or(&object.shape), pose)
            });
            let all = joined_in(&solids.collect::<Vec<_>>(), self.units().units.flat);
            for (id, joined) in ids.iter().zip(all) {
                judged[*id as usize].joined = joined.map(|joined| Joined {
                    first: ids[joined.first] as usize,
                    ..joined
                });
            }
        }
    }

    /// Why a pair is not tested in frame `frame`, whatever its layers and masks.
    pub fn exemption(&self, frame: u32, a: ObjectId, b: ObjectId) -> Option<Exemption> {
        let objects = self.objects();
        let (one, other) = (objects.get(a as usize)?, objects.get(b as usize)?);
        let is_joined = |recording: &Arc<Recording>| recording.are_joined(frame as usize, a, b);
        one.exemption(other).or_else(|| {
            let joined = self.recording.as_ref().is_some_and(is_joined);
            joined.then_some(Exemption::Joined)
        })
    }

    /// The object of a name; the first, if a log gives a name twice.
    pub fn object_named(&self, name: &str) -> Option<ObjectId> {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name = HashMap::with_capacity(self.objects().len());
            for (object, id) in self.objects().iter().zip(0..) {
                by_name.entry(object.name.clone()).or_insert(id);
            }
            by_name
        });
        by_name.get(name).copied()
    }

    /// Number of intervals: frames `0..frames`, states `0..=frames`. 0 for a recording of a single state.
    pub fn frames(&self) -> u32 {
        match &self.source {
            Source::Stepped(_) => self.scene.frames,
            Source::Recorded(tracks) => tracks.frames(),
        }
    }

    /// Seconds from state `frame` to the next.
    pub fn dt(&self, frame: u32) -> f64 {
        match &self.source {
            Source::Stepped(_) => self.scene.dt,
            Source::Recorded(tracks) => tracks.dt(frame),
        }
    }

    /// Seconds at state `frame`, from the first (clamped to the last state).
    pub fn time(&self, frame: u32) -> f64 {
        let frame = frame.min(self.frames());
        match &self.source {
            Source::Stepped(_) => f64::from(frame) * self.scene.dt,
            Source::Recorded(tracks) => tracks.time(frame),
        }
    }

    /// The state at the start of a frame (clamped to the last state).
    pub fn state(&self, frame: u32) -> Arc<FrameState> {
        let frame = frame.min(self.frames());
        match &self.source {
            Source::Stepped(player) => player.snapshot(&self.scene, frame).state,
            Source::Recorded(tracks) => {
                let make = || tracks.state(self.objects(), frame);
                Recent::get_or_make(&self.states, self.recent(), frame, make)
            }
        }
    }

    /// The body of an object at the start of a frame (clamped to the last state), found without those of other objects; `None` is absent.
    pub fn body(&self, frame: u32, id: ObjectId) -> Option<BodyState> {
        let frame = frame.min(self.frames());
        match &self.source {
            Source::Stepped(_) => self.state(frame).body(id).copied(),
            Source::Recorded(tracks) => tracks.body(self.objects(), frame, id),
        }
    }

    /// The state at the start of a frame (clamped to the last state), for single bodies: the others are not read.
    pub(in crate::core) fn at(&self, frame: u32) -> StateAt<'_> {
        let number = frame.min(self.frames());
        StateAt {
            replay: self,
            number,
        }
    }

    /// Number of frames that are cached.
    fn recent(&self) -> usize {
        (RECENT_OBJECTS / self.objects().len().max(1)).clamp(2, RECENT)
    }

    /// A frame (clamped to the last), recomputed from its start.
    pub fn frame(&self, frame: u32) -> Arc<Frame> {
        let frame = frame.min(self.frames().saturating_sub(1));
        Recent::get_or_make(&self.frames, self.recent(), frame, || match &self.source {
            Source::Stepped(player) => player.frame(&self.scene, frame),
            Source::Recorded(tracks) => {
                let level = (&*self.scene, self.objects());
                tracks.frame(level, frame, self.states(frame), true)
            }
        })
    }

    /// A frame of a large recording without its candidates and their sweep, which take longer than the rest; `None` where the
    /// whole frame is quick, or known, and of a stepped scene.
    pub fn frame_without_sweep(&self, frame: u32) -> Option<Frame> {
        let frame = frame.min(self.frames().saturating_sub(1));
        let is_known = || Recent::get(&self.frames, frame).is_some();
        match &self.source {
            Source::Recorded(tracks) if self.objects().len() >= LARGE && !is_known() => {
                let level = (&*self.scene, self.objects());
                Some(tracks.frame(level, frame, self.states(frame), false))
            }
            _ => None,
        }
    }

    /// The states at the start and the end of a frame; large ones are read at the same time.
    fn states(&self, frame: u32) -> [Arc<FrameState>; 2] {
        let (start, end) = match self.objects().len() {
            ..OBJECTS_PER_THREAD => (self.state(frame), self.state(frame + 1)),
            _ => rayon::join(|| self.state(frame), || self.state(frame + 1)),
        };
        [start, end]
    }

    /// Whether a camera plays in the level: the log's own, or the scene's.
    pub fn has_camera(&self) -> bool {
        let is_logged = match &self.source {
            Source::Stepped(_) => false,
            Source::Recorded(tracks) => tracks.logs_camera,
        };
        is_logged || self.scene.camera.is_some()
    }

    /// The camera at the start of a frame (clamped to the last state): the log's own, if it has one, else the scene's.
    pub fn camera(&self, frame: u32) -> Option<CameraState> {
        let frame = frame.min(self.frames());
        match &self.source {
            Source::Stepped(player) => player.snapshot(&self.scene, frame).camera,
            Source::Recorded(tracks) => tracks.camera(&self.scene, self.objects(), frame),
        }
    }

    /// Hash of a state: equal in two runs exactly when every bit of the state is, the camera's included (up to a chance
    /// of 1 in 2^64).
    pub fn state_hash(&self, frame: u32) -> u64 {
        hash::state_hash(&self.state(frame), self.camera(frame).as_ref())
    }
}

/// Number of objects from which the sweep of a frame takes longer than a frame of the display.
const LARGE: usize = 16_384;

/// Cache of the last few results, newest last.
#[derive(Debug)]
struct Recent<T>(VecDeque<(u32, Arc<T>)>);

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<T> Recent<T> {
    /// The cached result for a frame.
    fn get(recent: &Mutex<Self>, frame: u32) -> Option<Arc<T>> {
        let recent = lock(recent);
        let found = recent.0.iter().find(|(number, _)| *number == frame);
        found.map(|(_, kept)| Arc::clone(kept))
    }

    /// The cached result for a frame, or a new one, computed without holding the lock.
    fn get_or_make(
        recent: &Mutex<Self>,
        most: usize,
        frame: u32,
        make: impl FnOnce() -> T,
    ) -> Arc<T> {
        if let Some(kept) = Self::get(recent, frame) {
            return kept;
        }
        let made = Arc::new(make());
        let mut recent = lock(recent);
        let oldest = (recent.0.len() >= most).then(|| recent.0.pop_front());
        recent.0.push_back((frame, Arc::clone(&made)));
        // A large frame takes long to free, which other threads need not wait for.
        drop(recent);
        drop(oldest);
        made
    }
}
