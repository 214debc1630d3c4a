//! Writes JSON Lines. Numbers are the shortest text that reads back to the same bits.

use super::builder::derived_dt;
use super::json::{
    BodyLine, CameraLine, ContactLine, FrameLine, HeaderLine, HitLine, LensLine, Own, PushLine,
    QueryLine, QueryWord, Up,
};
use super::json_notes::{
    FullTextLine, Lenient, MarkLine, MoveHitLine, MoveLine, MoveSweepLine, TextLine, ValueLine,
    ValueWord,
};
use super::open_fields::Open;
use super::output::LogOutput;
use crate::core::replay::{
    Body, Joint, LoggedCamera, LoggedContact, LoggedHit, LoggedMove, LoggedNote, LoggedPush,
    LoggedQuery, MoveHit, MoveSweep, NoteKind, NoteLevel, NoteValue, QueryKind, Recording,
};
use crate::core::scene::{Engine, Lens, Movement, Object};
use crate::core::schema::{
    Axis, Bits, BodyName, LengthName, LogTurn, MotionWord, Number, ObjectLine, Scalar, ShapeText,
    Turn, Units,
};
use crate::core::shape::Pose;
use glam::{DQuat, DVec3};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::{io, iter};

/// The header of a log, without the objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Name of the level.
    pub name: String,
    /// Version of the recorded program, by which results are grouped; `None` if unknown.
    pub build: Option<String>,
    /// Seconds per frame, > 0.
    pub dt: f64,
    /// Units and axes of all numbers in the log.
    pub units: Units,
    /// The axis that the recorder negates, as the program's axes are left-handed: results are shown in the program's.
    pub mirrored: Option<Axis>,
    /// In these units and axes, per second squared; `None` if unknown.
    pub gravity: Option<DVec3>,
    /// Precision of the recorded program; `F32` writes shorter numbers.
    pub scalar: Scalar,
    /// The engine, its continuous detection threshold and its margin (in the units above), if known.
    pub engine: Engine,
    /// The lens of the program's camera, its near plane in the units above; a usual one if unknown.
    pub lens: Option<Lens>,
    /// Objects that a joint connects in every frame, by their ids: they are not tested.
    pub joints: Vec<[u32; 2]>,
}

impl Default for Header {
    fn default() -> Self {
        Self {
            name: "level".into(),
            build: None,
            dt: 1.0 / 60.0,
            units: Units::default(),
            mirrored: None,
            gravity: None,
            scalar: Scalar::F64,
            engine: Engine::default(),
            lens: None,
            joints: Vec::new(),
        }
    }
}

/// One frame: the bodies, and the results of the recorded program in the step before.
///
/// All fields are optional: `Snapshot { time: Some(t), bodies: &bodies, ..Snapshot::default() }`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Snapshot<'s> {
    /// Seconds since the start.
    pub time: Option<f64>,
    /// Seconds since the previous frame, if not the header's.
    pub dt: Option<f64>,
    /// Frames are missing before this one.
    pub gap: bool,
    /// An object without a body does not exist in this frame, except a fixed object that never has one.
    pub bodies: &'s [Body],
    /// Pairs of objects that a joint connects: they are not tested.
    pub joints: &'s [[u32; 2]],
    /// Steps of the program since the previous frame.
    pub substeps: Option<u32>,
    /// Contacts the program found.
    pub contacts: &'s [LoggedContact],
    /// These are all that it found; without this, those of a frame that has none are unknown.
    pub lists_contacts: bool,
    /// Pushes it applied.
    pub pushes: &'s [LoggedPush],
    /// Its ray casts and sweeps.
    pub queries: &'s [LoggedQuery],
    /// The impulse of each of them along its normal in the step, mass times length per second, NaN where unknown; empty without any.
    pub impulses: &'s [f64],
    /// Lines of its own log, values, marks and moves: read back in this order, those of a kind together.
    pub notes: &'s [LoggedNote],
    /// A picture of the game: a PNG or JPEG file in the folder of the log.
    pub image: Option<&'s str>,
    /// Its camera.
    pub camera: Option<LoggedCamera>,
}

/// Writes a whole recording, in metres with Y up, and returns the output.
pub(super) fn write<W: LogOutput>(recording: &Recording, output: W) -> io::Result<W> {
    let header = Header {
        name: recording.name.clone(),
        build: recording.build.clone(),
        dt: recording.dt,
        units: Units {
            flat: recording.units.units.flat,
            ..Units::default()
        },
        mirrored: None,
        gravity: recording.gravity,
        scalar: Scalar::F64,
        engine: recording.engine.clone(),
        lens: recording.lens,
        joints: recording
            .joints
            .iter()
            .filter(|joint| joint.is_always())
            .map(|joint| [joint.a, joint.b])
            .collect(),
    };
    let mut writer = Writer::new(output, header.scalar, header.units.flat);
    // Fixed objects that were spawned later are written then.
    let mut late: BTreeMap<usize, Vec<(usize, &Object)>> = BTreeMap::new();
    for fixed in recording
        .static_bodies
        .iter()
        .filter(|fixed| fixed.from > 0)
    {
        let object = fixed.object as usize;
        let spawned = late.entry(fixed.from).or_default();
        spawned.push((object, &recording.objects[object]));
    }
    let mut removed: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for fixed in &recording.static_bodies {
        if let Some(until) = fixed.until {
            removed.entry(until).or_default().push(fixed.object.into());
        }
    }
    let ids: HashSet<usize> = late.values().flatten().map(|(id, _)| *id).collect();
    let is_late = |id: usize| ids.contains(&id);
    let known = recording.objects.iter().enumerate();
    let ignored = ignored(&recording.objects);
    writer.header(&header, known.filter(|(id, _)| !is_late(*id)), ignored)?;
    let mut before = None;
    let mut begins: Vec<Joint> = recording.joints.clone();
    begins.retain(|joint| !joint.is_always());
    begins.sort_unstable_by_key(|joint| joint.from);
    let mut images = recording.images.iter().peekable();
    let (mut begins, mut joined) = (begins.into_iter().peekable(), Vec::new());
    for (index, frame) in recording.frames.iter().enumerate() {
        let derived = derived_dt(Some(recording.dt), before, frame.number, frame.time);
        let same = derived.to_bits() == frame.dt.to_bits();
        joined.retain(|(until, _)| *until > index);
        let kept = joined.len();
        while let Some(joint) = begins.next_if(|joint| joint.from <= index) {
            joined.push((joint.until, [joint.a, joint.b]));
        }
        if joined.len() > kept {
            joined.sort_unstable_by_key(|(_, pair)| *pair);
        }
        let joints: Vec<_> = joined.iter().map(|(_, pair)| *pair).collect();
        let substeps = recording
            .substeps
            .binary_search_by_key(&index, |steps| steps.0);
        let data = recording.data.at(index);
        let snapshot = Snapshot {
            joints: &joints,
            substeps: substeps.ok().map(|at| recording.substeps[at].1),
            time: frame.time,
            dt: (!same).then_some(frame.dt),
            bodies: &data.bodies,
            contacts: &data.contacts,
            impulses: data.contacts.impulses(),
            lists_contacts: recording.has_empty_contacts,
            gap: false,
            pushes: &data.pushes,
            queries: &data.queries,
            notes: &data.notes,
            image: images
                .next_if(|image| image.state as usize == index)
                .map(|image| &*image.file),
            camera: frame.camera,
        };
        let skips = before.is_some_and(|(before, _)| frame.number > before + 1);
        let gap = (skips || frame.gap).then_some(frame.gap);
        let (spawned, removed) = (late.remove(&index), removed.remove(&index));
        if spawned.is_some() || removed.is_some() {
            let spawned = spawned.unwrap_or_default();
            writer.spawn(spawned, removed.unwrap_or_default(), Vec::new())?;
        }
        writer.frame(frame.number, gap, &snapshot)?;
        before = Some((frame.number, frame.time));
    }
    Ok(writer.output)
}

/// Writes lines.
#[derive(Debug)]
pub(super) struct Writer<W> {
    pub output: W,
    scalar: Scalar,
    /// Shapes, vectors and rotations are written as they are; only whether the level is flat counts.
    units: Units,
}

impl<W: LogOutput> Writer<W> {
    pub fn new(output: W, scalar: Scalar, flat: bool) -> Self {
        let units = Units {
            flat,
            ..Units::default()
        };
        Self {
            output,
            scalar,
            units,
        }
    }

    /// The first line, with objects and their ids.
    pub fn header<'o>(
        &mut self,
        header: &Header,
        objects: impl IntoIterator<Item = (usize, &'o Object)>,
        ignored: Vec<[u64; 2]>,
    ) -> io::Result<()> {
        let Units {
            length,
            up,
            name,
            flat,
        } = header.units;
        let usual = name.map_or(1.0, LengthName::metres);
        let engine = &header.engine;
        let line = HeaderLine {
            version: 1,
            name: Some(header.name.clone()),
            build: header.build.clone(),
            dt: Some(own(header.dt)),
            flat,
            up: (up != Axis::Y).then_some(up.into()),
            length: (length != usual).then_some(own(length)),
            unit: name,
            mirrored: header.mirrored.map(Up::from),
            scalar: (header.scalar == Scalar::F32).then_some(Scalar::F32),
            gravity: header
                .gravity
                .map(|gravity| self.units.written_way(gravity)),
            engine: engine.name.clone(),
            engine_version: engine.version.clone(),
            ccd_threshold: engine.ccd_threshold.map(Number),
            margin: engine.margin.map(Number),
            lens: header.lens.map(lens),
            objects: objects.into_iter().map(|it| self.object(it)).collect(),
            ignore: ignored,
            joints: joined(&header.joints),
            _own: None,
        };
        self.output.header(&line, self.scalar)
    }

    /// Objects that first appear in the next frame, with their ids, those that are gone in it, and pairs that are never tested.
    pub fn spawn<'o>(
        &mut self,
        spawned: impl IntoIterator<Item = (usize, &'o Object)>,
        removed: Vec<u64>,
        ignored: Vec<[u64; 2]>,
    ) -> io::Result<()> {
        let line = FrameLine {
            spawn: spawned.into_iter().map(|it| self.object(it)).collect(),
            remove: removed,
            ignore: ignored,
            ..FrameLine::default()
        };
        self.output.line(line, self.scalar)
    }

    /// One frame.
    pub fn frame(
        &mut self,
        number: u64,
        gap: Option<bool>,
        snapshot: &Snapshot<'_>,
    ) -> io::Result<()> {
        let lists_contacts = snapshot.lists_contacts || !snapshot.contacts.is_empty();
        let mut line = FrameLine {
            frame: Some(number),
            t: snapshot.time.map(own),
            dt: snapshot.dt.map(own),
            gap,
            joints: joined(snapshot.joints),
            substeps: snapshot.substeps,
            bodies: Some(snapshot.bodies.iter().map(|it| self.body(it)).collect()),
            contacts: lists_contacts.then(|| {
                let impulses = snapshot.impulses.iter().copied();
                let impulses = impulses.map(Some).chain(iter::repeat(None));
                let contacts = snapshot.contacts.iter().zip(impulses);
                contacts.map(|(it, by)| self.contact(it, by)).collect()
            }),
            pushes: snapshot.pushes.iter().map(|it| self.push(it)).collect(),
            queries: snapshot.queries.iter().map(|it| self.query(it)).collect(),
            image: snapshot.image.map(|file| Lenient::Read(file.to_owned())),
            camera: snapshot.camera.as_ref().map(|it| self.camera(it)),
            ..FrameLine::default()
        };
        for note in snapshot.notes {
            self.note(note, &mut line);
        }
        self.output.line(line, self.scalar)
    }
}

fn joined(joints: &[[u32; 2]]) -> Vec<[u64; 2]> {
    joints.iter().map(|pair| pair.map(u64::from)).collect()
}

/// The pairs of these objects that never touch; ids are their places.
pub(super) fn ignored(objects: &[Object]) -> Vec<[u64; 2]> {
    if objects.iter().all(|object| object.ignores.is_empty()) {
        return Vec::new();
    }
    let names = objects.iter().map(|object| object.name.as_str());
    let ids: HashMap<&str, u64> = names.zip(0..).collect();
    let of_one = |(id, object): (u64, &Object)| {
        let others: Vec<_> = object
            .ignores
            .iter()
            .filter_map(|name| ids.get(&**name))
            .collect();
        others.into_iter().map(move |other| [id, *other])
    };
    (0..).zip(objects).flat_map(of_one).collect()
}

fn own(value: f64) -> Own {
    Own(Number(value))
}

impl<W> Writer<W> {
    /// `None` when not rotated, to the bit.
    fn rotation(&self, rotation: DQuat) -> Option<LogTurn> {
        let bits = |rotation: DQuat| rotation.to_array().map(f64::to_bits);
        let is_rotated = bits(rotation) != bits(Pose::IDENTITY.rotation);
        is_rotated.then(|| LogTurn::new(rotation, self.units))
    }

    fn object(&self, (id, object): (usize, &Object)) -> Open<ObjectLine> {
        let vector = |at: DVec3| self.units.written_way(at);
        // Broken poses are in the frames; the header must be valid.
        let pose = Some(object.pose).filter(Pose::is_finite);
        let is_moved = |position: &DVec3| position.to_array().map(f64::to_bits) != [0; 3];
        let line = ObjectLine {
            id: id as u64,
            name: Some(object.name.clone()),
            // Meshes are always written out, as their file may be in other units or elsewhere.
            shape: ShapeText::new(&object.shape, None, self.units),
            motion: Some(match object.movement {
                Movement::Velocity => MotionWord::Dynamic,
                Movement::Fixed => MotionWord::Fixed,
                Movement::Kinematic | Movement::Keyframes(_) => MotionWord::Kinematic,
            }),
            position: pose.map(|pose| pose.position).filter(is_moved).map(vector),
            rotation: pose.and_then(|pose| self.rotation(pose.rotation)),
            ccd: object.ccd,
            scale: object.scale.map(|scale| self.units.written_scale(scale)),
            layer: (object.layer != 1).then_some(Bits(object.layer)),
            mask: (object.mask != u32::MAX).then_some(Bits(object.mask)),
            body: object.body.as_ref().map(BodyName::from),
            sensor: object.sensor,
            character: object.character,
            one_way: object.one_way.map(vector),
            mass: (object.mass != 1.0).then_some(Number(object.mass)),
            color: object.color,
            tags: object.tags.clone(),
        };
        line.into()
    }

    fn body(&self, body: &Body) -> Open<BodyLine> {
        let line = BodyLine {
            id: body.object.into(),
            p: self.units.written_way(body.pose.position),
            q: self.rotation(body.pose.rotation),
            v: body.velocity.map(|v| self.units.written_way(v)),
            w: body.spin.map(|w| self.units.written_spin(w)),
            teleported: body.teleported,
            asleep: body.asleep,
            island: body.island.map(Lenient::Read),
        };
        line.into()
    }

    fn contact(&self, contact: &LoggedContact, impulse: Option<f64>) -> Open<ContactLine> {
        let line = ContactLine {
            a: contact.a.into(),
            b: contact.b.into(),
            point: self.units.written_way(contact.point),
            normal: self.units.written_way(contact.normal),
            depth: Number(contact.depth),
            impulse: impulse
                .filter(|impulse| !impulse.is_nan())
                .map(|impulse| Lenient::Read(Number(impulse))),
        };
        line.into()
    }

    fn push(&self, push: &LoggedPush) -> Open<PushLine> {
        let line = PushLine {
            id: push.object.into(),
            push: self.units.written_way(push.push),
        };
        line.into()
    }

    fn query(&self, query: &LoggedQuery) -> Open<QueryLine> {
        let hit = |hit: LoggedHit| HitLine {
            id: hit.object.into(),
            fraction: Number(hit.fraction),
            normal: hit.normal.map(|normal| self.units.written_way(normal)),
        };
        let swept = query.shape.as_deref();
        let line = QueryLine {
            kind: match query.kind {
                QueryKind::Ray => QueryWord::Ray,
                QueryKind::Sweep => QueryWord::Sweep,
            },
            id: query.object.map(u64::from),
            from: self.units.written_way(query.from),
            to: self.units.written_way(query.to),
            radius: Number(query.radius),
            shape: swept.map(|swept| ShapeText::new(&swept.shape, None, self.units)),
            q: swept.and_then(|swept| self.rotation(swept.rotation)),
            mask: query.mask.map(Bits),
            tag: query
                .tag
                .as_deref()
                .map(|tag| Lenient::Read(tag.to_owned())),
            hit: query.hit.map(|it| hit(it).into()),
        };
        line.into()
    }

    /// Adds a note to its line.
    fn note(&self, note: &LoggedNote, line: &mut FrameLine) {
        let (id, text) = (note.object.map(u64::from), note.text.clone());
        match &note.kind {
            NoteKind::Line(level) => {
                let level = match level {
                    NoteLevel::Debug => Some("debug"),
                    NoteLevel::Info => None,
                    NoteLevel::Warning => Some("warning"),
                    NoteLevel::Error => Some("error"),
                };
                let level = level.map(str::to_owned);
                line.log.push(match (id, &level) {
                    (None, None) => TextLine::Plain(text),
                    _ => TextLine::Full(FullTextLine { text, id, level }.into()),
                });
            }
            NoteKind::Value(value) => {
                let (value, as_text) = match value {
                    NoteValue::Number(value) => (Some(ValueWord::Number(Number(*value))), None),
                    NoteValue::Flag(value) => (Some(ValueWord::Flag(*value)), None),
                    NoteValue::Text(text) => (None, Some(text.clone())),
                };
                let value = ValueLine {
                    name: text,
                    id,
                    value,
                    text: as_text,
                };
                line.values.push(value.into());
            }
            NoteKind::Mark(mark) => {
                let mark = MarkLine {
                    name: text,
                    id,
                    points: mark
                        .points
                        .iter()
                        .map(|point| self.units.written_way(*point))
                        .collect(),
                    radius: (mark.radius != 0.0).then_some(Number(mark.radius)),
                    color: mark.color.map(Lenient::Read),
                };
                line.marks.push(mark.into());
            }
            NoteKind::Move(made) => {
                // One without its object has no shape, and is not read.
                let made = id.map(|id| self.made_move(id, made).into());
                made.into_iter().for_each(|made| line.moves.push(made));
            }
        }
    }

    fn made_move(&self, id: u64, made: &LoggedMove) -> MoveLine {
        let way = |it: DVec3| self.units.written_way(it);
        let hit = |hit: MoveHit| MoveHitLine {
            id: hit.object.into(),
            normal: hit.normal.map(way),
            point: hit.point.map(way),
        };
        let sweep = |sweep: &MoveSweep| MoveSweepLine {
            kind: sweep.kind.clone(),
            from: way(sweep.from),
            to: way(sweep.to),
            wish: sweep.wish.map(way),
            hit: sweep.hit.map(|it| hit(it).into()),
        };
        MoveLine {
            id,
            from: way(made.from),
            wish: way(made.wish),
            to: way(made.to),
            grounded: made.grounded,
            up: made.up.map(way),
            max_slope: made.max_slope.map(Number),
            max_step: made.max_step.map(Number),
            snap: made.snap.map(Number),
            skin: made.skin.map(Number),
            sweeps: made.sweeps.iter().map(|it| sweep(it).into()).collect(),
        }
    }

    fn camera(&self, camera: &LoggedCamera) -> Open<CameraLine> {
        let line = CameraLine {
            p: self.units.written_way(camera.pose.position),
            q: self.rotation(camera.pose.rotation),
            push: camera.push.map(|push| self.units.written_way(push)),
            teleported: camera.teleported,
        };
        line.into()
    }
}

fn lens(lens: Lens) -> LensLine {
    LensLine {
        near: Some(Number(lens.near)),
        fov: Some(Number(lens.fov.to_degrees())),
        aspect: Some(Number(lens.aspect)),
    }
}
