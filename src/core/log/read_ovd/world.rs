//! The objects of a PhysX program as the stream has them at a time, and the lines of a log that follow.

mod actors;
mod lines;

use super::super::json::FrameLine;
use super::super::read_animation::MAX_POSES;
use super::super::read_json::Reader;
use super::super::read_options::ReadOptions;
use super::commands::{Command, Names};
use super::objects::{NAME_LIMIT, Object, Objects, Pose};
use crate::core::problem::{Problem, Problems};
use crate::core::scene::Folder;
use crate::core::schema::MotionWord;
use crate::core::tolerance::MAX_MESH_TRIANGLES;
use glam::{DQuat, DVec3};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Bytes of all values that are held at a time.
const HELD_LIMIT: usize = 512 << 20;

/// What a pair or an object costs of [`MAX_POSES`], as it takes memory for the whole recording.
const PAIR_COST: usize = 200;

/// The same of a joined pair in a frame.
const JOINT_COST: usize = 10;

/// What looking at a shape again costs, as it takes a few bytes for all actors that have it.
const UPDATE_COST: usize = 20;

/// An actor: a body with shapes.
#[derive(Default)]
struct Actor {
    serial: u64,
    /// The scene that it was added to.
    scene: Option<u64>,
    aggregate: Option<u64>,
    /// In the order in which they were added.
    shapes: BTreeMap<u64, u64>,
    /// Its objects in the log, by their shape.
    spawned: BTreeMap<u64, Spawned>,
    /// Set by the program since the last step, and before that step.
    placed: bool,
    placed_before: bool,
}

/// An object of the log: a shape of an actor.
struct Spawned {
    state: State,
    /// `None` for one that the log does not take.
    id: Option<u64>,
    /// Its pose in the actor.
    local: Pose,
    turn: DQuat,
}

/// A change of it makes another object of the log.
#[derive(Clone, PartialEq)]
struct State {
    /// The shape and its version.
    version: (u64, u64),
    motion: MotionWord,
    ccd: bool,
    is_sensor: bool,
    /// One of several shapes.
    is_part: bool,
    /// For a fixed one.
    pose: Option<Pose>,
}

/// What is not read, by what it is: the first, and which ones.
type Tally = BTreeMap<String, (String, HashSet<u64>)>;

/// Why no further frames are read.
pub(super) enum End {
    /// The frames so far can be used.
    Full(Problem),
    Failed(Problems),
}

pub(super) struct World<'f> {
    file: &'f str,
    folder: &'f dyn Folder,
    options: &'f ReadOptions,
    objects: Objects,
    actors: HashMap<u64, Actor>,
    /// The actors of a shape, and the links of an articulation.
    owners: HashMap<u64, BTreeSet<u64>>,
    /// The scenes of articulations.
    articulations: HashMap<u64, u64>,
    joints: BTreeMap<u64, u64>,
    /// The scene that is read: the first that is stepped.
    scene: Option<u64>,
    /// Actors that may be other objects of the log since the last line, by serial.
    changed: BTreeMap<u64, u64>,
    /// Shapes and articulations of which the same is true.
    touched: BTreeSet<u64>,
    /// Actors that have bodies in every line.
    moving: BTreeMap<u64, u64>,
    /// Objects by what their group excludes from collisions: an aggregate or an articulation.
    groups: HashMap<u64, Vec<(u64, u64)>>,
    serial: u64,
    /// Bytes of all values.
    held: usize,
    /// Seconds of the step that is under way.
    step: Option<Option<f64>>,
    up: DVec3,
    /// The log so far, from the first step on.
    pub reader: Option<Reader<'f>>,
    frame: u64,
    ids: u64,
    line: FrameLine,
    names: HashMap<String, u32>,
    /// The two largest distances at which contacts are made.
    margins: [f64; 2],
    /// Triangles and vertices that may still be read.
    room: usize,
    /// Whether the stream has the contacts of its steps.
    has_contacts: bool,
    /// Bodies that were written, and other steps of the reader that a few bytes can bring about.
    cost: usize,
    tally: Tally,
}

impl<'f> World<'f> {
    pub fn new(file: &'f str, folder: &'f dyn Folder, options: &'f ReadOptions) -> Self {
        Self {
            file,
            folder,
            options,
            objects: HashMap::new(),
            actors: HashMap::new(),
            owners: HashMap::new(),
            articulations: HashMap::new(),
            joints: BTreeMap::new(),
            scene: None,
            changed: BTreeMap::new(),
            touched: BTreeSet::new(),
            moving: BTreeMap::new(),
            groups: HashMap::new(),
            serial: 0,
            held: 0,
            step: None,
            up: DVec3::Y,
            reader: None,
            frame: 0,
            ids: 0,
            line: FrameLine::default(),
            names: HashMap::new(),
            margins: [0.0; 2],
            room: MAX_MESH_TRIANGLES,
            has_contacts: false,
            cost: 0,
            tally: Tally::new(),
        }
    }

    /// Applies a command.
    ///
    /// # Errors
    /// When no further frames can be read.
    pub fn apply(&mut self, command: Command, names: &Names, at: u64) -> Result<(), End> {
        match command {
            Command::Create { object, class } => self.create(object, class),
            Command::Destroy { object } => self.destroy(object),
            Command::Set {
                object,
                name,
                value,
            } => self.set(object, (name, value), names, at)?,
            Command::Member {
                object,
                name,
                member,
                is_added,
            } => self.member(object, name, member, is_added),
            Command::Stop { scene } if Some(scene) == self.scene => {
                if let Some(dt) = self.step.take() {
                    self.write_line(Some(dt), names);
                }
            }
            Command::Stop { .. } | Command::Other => {}
            Command::Message(text) => {
                let short = text.chars().take(NAME_LIMIT).collect();
                self.serial += 1;
                self.note(
                    "PhysX wrote messages into the recording",
                    short,
                    self.serial,
                );
            }
        }
        if self.cost <= MAX_POSES {
            return Ok(());
        }
        let what = format!(
            "the recording has more than {MAX_POSES} bodies in all frames, of which joints and changes of shapes count as some; those from frame {} on are not read",
            self.frame
        );
        let help = "record a shorter part";
        Err(End::Full(Problem::new(self.file, what, help)))
    }

    /// Notes what is not read.
    fn note(&mut self, what: impl Into<String>, first: String, which: u64) {
        let entry = self.tally.entry(what.into());
        entry.or_insert((first, HashSet::new())).1.insert(which);
    }

    /// The notices of what is not read.
    pub fn notices(&mut self) -> Vec<Problem> {
        // OmniPVD writes only the bodies of an aggregate.
        let is_unknown = |(handle, object): &(&u64, &Object)| {
            &*object.class == "PxAggregate"
                && object.value("selfCollision") == [0]
                && !self.groups.contains_key(handle)
        };
        let unknown = self.objects.iter().filter(is_unknown).count() as u64;
        for which in 0..unknown {
            let what = "an aggregate takes its members out of collisions with each other, but the recording does not have them: their pairs are judged";
            self.note(what, "aggregates of articulations".to_owned(), which);
        }
        let notice = |(what, (first, which)): (&String, &(String, HashSet<u64>))| {
            let count = match which.len() {
                1 => String::new(),
                count => format!(", and {} more", count - 1),
            };
            Problem::new(self.file, format!("{what}: {first}{count}"), "")
        };
        self.tally.iter().map(notice).collect()
    }

    fn create(&mut self, handle: u64, class: Arc<str>) {
        self.destroy(handle);
        self.serial += 1;
        let serial = self.serial;
        if matches!(
            &*class,
            "PxRigidStatic" | "PxRigidDynamic" | "PxArticulationLink"
        ) {
            let actor = Actor {
                serial,
                ..Actor::default()
            };
            self.actors.insert(handle, actor);
            self.changed.insert(serial, handle);
        }
        let object = Object {
            class,
            serial,
            version: serial,
            values: BTreeMap::new(),
        };
        self.objects.insert(handle, object);
    }

    fn destroy(&mut self, handle: u64) {
        let Some(object) = self.objects.remove(&handle) else {
            return;
        };
        self.held -= object.values.values().map(Vec::len).sum::<usize>();
        self.joints.remove(&object.serial);
        self.articulations.remove(&handle);
        if let Some(mut actor) = self.actors.remove(&handle) {
            self.changed.remove(&actor.serial);
            self.moving.remove(&actor.serial);
            self.remove(std::mem::take(&mut actor.spawned).into_values());
            self.cost += actor.shapes.len();
            for owned in actor
                .shapes
                .values()
                .copied()
                .chain(object.handle("articulation"))
            {
                if let Some(owners) = self.owners.get_mut(&owned) {
                    owners.remove(&handle);
                }
            }
        } else {
            // Its actors lose it.
            for owner in self.owners.remove(&handle).into_iter().flatten() {
                if let Some(actor) = self.actors.get_mut(&owner) {
                    self.cost += actor.shapes.len();
                    actor.shapes.retain(|_, shape| *shape != handle);
                    self.changed.insert(actor.serial, owner);
                }
            }
        }
    }

    /// Ends objects of the log.
    fn remove(&mut self, spawned: impl IntoIterator<Item = Spawned>) {
        let fixed = spawned
            .into_iter()
            .filter(|it| it.state.motion == MotionWord::Fixed);
        self.line.remove.extend(fixed.filter_map(|it| it.id));
    }

    /// Notes that an actor, or those of a shape or an articulation, may have changed.
    fn mark(&mut self, handle: u64) {
        match self.actors.get(&handle) {
            Some(actor) => drop(self.changed.insert(actor.serial, handle)),
            None => drop(self.touched.insert(handle)),
        }
    }

    fn set(
        &mut self,
        handle: u64,
        (name, value): (&'static str, Vec<u8>),
        names: &Names,
        at: u64,
    ) -> Result<(), End> {
        let Some(object) = self.objects.get_mut(&handle) else {
            let what = "values of objects that the recording does not create are left out";
            self.note(what, format!("`{name}` before byte {at}"), self.serial);
            return Ok(());
        };
        let serial = object.serial;
        let is_same = object.value(name) == value;
        self.held += value.len();
        self.held -= object
            .values
            .insert(name, value)
            .map_or(0, |before| before.len());
        if self.held > HELD_LIMIT {
            let what = format!(
                "the recording holds more than {} MiB of values at a time; the frames from byte {at} on are not read",
                HELD_LIMIT >> 20
            );
            return Err(End::Full(Problem::new(
                self.file,
                what,
                "record fewer objects",
            )));
        }
        if name == "elapsedTime" {
            return self.begin_step(handle, names);
        }
        if is_same {
            return Ok(());
        }
        match name {
            "geom" | "restOffset" | "shapeFlags" => {
                self.serial += 1;
                object.version = self.serial;
                self.mark(handle);
            }
            "localPose" | "rigidBodyFlags" | "articulationFlags" | "flags" => self.mark(handle),
            "globalPose" | "translation" | "rotation" => {
                let is_moving = self.moving.contains_key(&serial);
                if let Some(actor) = self.actors.get_mut(&handle).filter(|_| is_moving) {
                    actor.placed |= self.step.is_none();
                } else {
                    self.mark(handle);
                }
            }
            "articulation" => {
                if let Some(articulation) = object.handle(name) {
                    self.owners.entry(articulation).or_default().insert(handle);
                    self.mark(handle);
                }
            }
            "actor0" | "parentLink" => {
                self.joints.insert(serial, handle);
            }
            "gravity" if self.reader.is_some() && Some(handle) == self.scene => {
                let what = "gravity changes, and the first one is taken for all frames";
                self.note(what, format!("frame {}", self.frame), at);
            }
            _ => {}
        }
        Ok(())
    }

    fn member(&mut self, handle: u64, name: &str, member: u64, is_added: bool) {
        let Some(list) = self.objects.get(&handle) else {
            return;
        };
        let of = is_added.then_some(handle);
        match (name, &*list.class) {
            // Other actors that have this shape are not changed.
            ("shapes", _) => return self.attach(handle, member, is_added),
            ("actors", "PxScene") => match self.actors.get_mut(&member) {
                Some(actor) => actor.scene = of,
                None => {
                    let class = self
                        .objects
                        .get(&member)
                        .map(|actor| actor.class.to_string());
                    let what = "actors that are not rigid bodies are not read";
                    self.note(what, class.unwrap_or_default(), member);
                }
            },
            ("actors", "PxAggregate") => {
                if let Some(actor) = self.actors.get_mut(&member) {
                    actor.aggregate = of;
                }
            }
            ("articulations", "PxScene") => match of {
                Some(scene) => drop(self.articulations.insert(member, scene)),
                None => drop(self.articulations.remove(&member)),
            },
            _ => return,
        }
        self.mark(member);
    }

    /// Adds a shape to an actor, or removes it.
    fn attach(&mut self, handle: u64, shape: u64, is_added: bool) {
        let Some(actor) = self.actors.get_mut(&handle) else {
            return;
        };
        let owners = self.owners.entry(shape).or_default();
        if is_added && owners.insert(handle) {
            self.serial += 1;
            actor.shapes.insert(self.serial, shape);
        } else if !is_added && owners.remove(&handle) {
            self.cost += actor.shapes.len();
            actor.shapes.retain(|_, other| *other != shape);
        }
        self.changed.insert(actor.serial, handle);
    }
}
