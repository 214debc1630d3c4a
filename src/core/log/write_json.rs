//! The way out to JSON Lines. Numbers are the shortest text that reads back to the same bits.

use super::builder::derived_dt;
use super::json::Scalar;
use crate::core::replay::{
    Body, LoggedCamera, LoggedContact, LoggedPush, LoggedQuery, QueryKind, Recording,
};
use crate::core::scene::{Axis, Engine, Movement, Object, Units};
use crate::core::shape::{Facing, Pose, Shape};
use glam::{DQuat, DVec3};
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

/// What the first line says, but for the objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Of the level.
    pub name: String,
    /// Seconds per frame, > 0.
    pub dt: f64,
    /// Units and axes that every number of the log is written in.
    pub units: Units,
    /// In those units and axes, per second squared.
    pub gravity: DVec3,
    /// What the program computes in: `F32` writes its numbers short.
    pub scalar: Scalar,
    /// The engine, its sweep threshold and its margin (in the units above), as far as they are known.
    pub engine: Engine,
}

impl Default for Header {
    fn default() -> Self {
        Self {
            name: "level".into(),
            dt: 1.0 / 60.0,
            units: Units::default(),
            gravity: DVec3::ZERO,
            scalar: Scalar::F64,
            engine: Engine::default(),
        }
    }
}

/// One frame: where everything is, and what the program itself saw on the way to it.
///
/// `Snapshot { time: Some(t), bodies: &bodies, ..Snapshot::default() }` names what there is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Snapshot<'s> {
    /// Seconds since the start.
    pub time: Option<f64>,
    /// Seconds since the frame before, where it is not the header's.
    pub dt: Option<f64>,
    /// What is not among them does not exist in this frame (but for fixed objects that are never among them).
    pub bodies: &'s [Body],
    /// Contacts the program found.
    pub contacts: &'s [LoggedContact],
    /// Pushes it applied.
    pub pushes: &'s [LoggedPush],
    /// Rays and sweeps it asked for.
    pub queries: &'s [LoggedQuery],
    /// Its camera.
    pub camera: Option<LoggedCamera>,
}

/// Writes a whole recording, in metres with Y up.
pub(super) fn write(recording: &Recording, output: &mut impl Write) -> io::Result<()> {
    let header = Header {
        name: recording.name.clone(),
        dt: recording.dt,
        units: Units::default(),
        gravity: recording.gravity,
        scalar: Scalar::F64,
        engine: recording.engine.clone(),
    };
    let mut writer = Writer::new(output, header.scalar);
    // Fixed objects that came late come late again; all else may be known from the start.
    let mut late: BTreeMap<usize, Vec<(usize, &Object)>> = BTreeMap::new();
    for still in recording.still.iter().filter(|still| still.from > 0) {
        let object = still.object as usize;
        let spawned = late.entry(still.from).or_default();
        spawned.push((object, &recording.objects[object]));
    }
    let ids: HashSet<usize> = late.values().flatten().map(|(id, _)| *id).collect();
    let is_late = |id: usize| ids.contains(&id);
    let known = recording.objects.iter().enumerate();
    writer.header(&header, known.filter(|(id, _)| !is_late(*id)))?;
    let mut before = None;
    for (index, frame) in recording.frames.iter().enumerate() {
        let derived = derived_dt(Some(recording.dt), before, frame.number, frame.time);
        let same = derived.to_bits() == frame.dt.to_bits();
        let snapshot = Snapshot {
            time: frame.time,
            dt: (!same).then_some(frame.dt),
            bodies: &recording.bodies[frame.bodies.clone()],
            contacts: &recording.contacts[frame.contacts.clone()],
            pushes: &recording.pushes[frame.pushes.clone()],
            queries: &recording.queries[frame.queries.clone()],
            camera: frame.camera,
        };
        let skips = before.is_some_and(|(before, _)| frame.number > before + 1);
        let gap = (skips || frame.gap).then_some(frame.gap);
        let spawned = late.get(&index).map_or(&[][..], Vec::as_slice);
        writer.frame(frame.number, gap, &snapshot, spawned)?;
        before = Some((frame.number, frame.time));
    }
    Ok(())
}

/// Writes lines.
#[derive(Debug)]
pub(super) struct Writer<W> {
    pub output: W,
    scalar: Scalar,
}

impl<W: Write> Writer<W> {
    pub fn new(output: W, scalar: Scalar) -> Self {
        Self { output, scalar }
    }

    /// The first line, with objects and their ids.
    pub fn header<'o>(
        &mut self,
        header: &Header,
        objects: impl IntoIterator<Item = (usize, &'o Object)>,
    ) -> io::Result<()> {
        self.text("{\"hitstop\":1,\"name\":")?;
        self.string(&header.name)?;
        // Seconds and units keep f64: they are ours, not the engine's.
        write!(self.output, ",\"dt\":{}", short(header.dt))?;
        match header.units.up {
            Axis::X => self.text(",\"up\":\"x\"")?,
            Axis::Y => {}
            Axis::Z => self.text(",\"up\":\"z\"")?,
        }
        if header.units.length != 1.0 {
            write!(self.output, ",\"length\":{}", short(header.units.length))?;
        }
        if header.scalar == Scalar::F32 {
            self.text(",\"scalar\":\"f32\"")?;
        }
        if header.gravity.to_array().map(f64::to_bits) != [0; 3] {
            self.text(",\"gravity\":")?;
            self.vector(header.gravity)?;
        }
        if let Some(engine) = &header.engine.name {
            self.text(",\"engine\":")?;
            self.string(engine)?;
        }
        if let Some(threshold) = header.engine.ccd_threshold {
            self.text(",\"ccd_threshold\":")?;
            self.number(threshold)?;
        }
        if let Some(margin) = header.engine.margin {
            self.text(",\"margin\":")?;
            self.number(margin)?;
        }
        self.text(",\"objects\":")?;
        self.list(objects, |writer, (id, object)| writer.object(id, object))?;
        self.text("}\n")
    }

    /// One frame; `spawned` are objects that first appear in it, with their ids.
    pub fn frame(
        &mut self,
        number: u64,
        gap: Option<bool>,
        snapshot: &Snapshot<'_>,
        spawned: &[(usize, &Object)],
    ) -> io::Result<()> {
        write!(self.output, "{{\"frame\":{number}")?;
        if let Some(time) = snapshot.time {
            write!(self.output, ",\"t\":{}", short(time))?;
        }
        if let Some(dt) = snapshot.dt {
            write!(self.output, ",\"dt\":{}", short(dt))?;
        }
        if let Some(gap) = gap {
            write!(self.output, ",\"gap\":{gap}")?;
        }
        if !spawned.is_empty() {
            self.text(",\"spawn\":")?;
            self.list(spawned, |writer, (id, object)| writer.object(*id, object))?;
        }
        self.text(",\"bodies\":")?;
        self.list(snapshot.bodies, Self::body)?;
        self.optional_list(",\"contacts\":", snapshot.contacts, Self::contact)?;
        self.optional_list(",\"pushes\":", snapshot.pushes, Self::push)?;
        self.optional_list(",\"queries\":", snapshot.queries, Self::query)?;
        if let Some(camera) = &snapshot.camera {
            self.text(",\"camera\":{\"p\":")?;
            self.vector(camera.pose.position)?;
            self.rotation(",\"q\":", camera.pose.rotation)?;
            if let Some(push) = camera.push {
                self.field(",\"push\":", push)?;
            }
            if camera.teleported {
                self.text(",\"teleported\":true")?;
            }
            self.text("}")?;
        }
        self.text("}\n")
    }

    fn body(&mut self, body: &Body) -> io::Result<()> {
        write!(self.output, "{{\"id\":{},\"p\":", body.object)?;
        self.vector(body.pose.position)?;
        self.rotation(",\"q\":", body.pose.rotation)?;
        if let Some(velocity) = body.velocity {
            self.field(",\"v\":", velocity)?;
        }
        if let Some(spin) = body.spin {
            self.field(",\"w\":", spin)?;
        }
        if body.teleported {
            self.text(",\"teleported\":true")?;
        }
        if body.asleep {
            self.text(",\"asleep\":true")?;
        }
        self.text("}")
    }

    fn contact(&mut self, contact: &LoggedContact) -> io::Result<()> {
        write!(self.output, "{{\"a\":{},\"b\":{}", contact.a, contact.b)?;
        self.field(",\"point\":", contact.point)?;
        self.field(",\"normal\":", contact.normal)?;
        self.text(",\"depth\":")?;
        self.number(contact.depth)?;
        self.text("}")
    }

    fn push(&mut self, push: &LoggedPush) -> io::Result<()> {
        write!(self.output, "{{\"id\":{}", push.object)?;
        self.field(",\"push\":", push.push)?;
        self.text("}")
    }

    fn query(&mut self, query: &LoggedQuery) -> io::Result<()> {
        self.text(match query.kind {
            QueryKind::Ray => "{\"kind\":\"ray\"",
            QueryKind::Sweep => "{\"kind\":\"sweep\"",
        })?;
        if let Some(object) = query.object {
            write!(self.output, ",\"id\":{object}")?;
        }
        self.field(",\"from\":", query.from)?;
        self.field(",\"to\":", query.to)?;
        self.text(",\"radius\":")?;
        self.number(query.radius)?;
        if let Some(mask) = query.mask {
            write!(self.output, ",\"mask\":{mask}")?;
        }
        match &query.hit {
            None => self.text(",\"hit\":null}"),
            Some(hit) => {
                write!(
                    self.output,
                    ",\"hit\":{{\"id\":{},\"fraction\":",
                    hit.object
                )?;
                self.number(hit.fraction)?;
                if let Some(normal) = hit.normal {
                    self.field(",\"normal\":", normal)?;
                }
                self.text("}}")
            }
        }
    }

    fn object(&mut self, id: usize, object: &Object) -> io::Result<()> {
        write!(self.output, "{{\"id\":{id},\"name\":")?;
        self.string(&object.name)?;
        self.text(",\"shape\":")?;
        self.shape(&object.shape)?;
        self.text(match object.movement {
            Movement::Velocity => ",\"motion\":\"dynamic\"",
            Movement::Fixed => ",\"motion\":\"fixed\"",
            Movement::Kinematic | Movement::Keyframes(_) => ",\"motion\":\"kinematic\"",
        })?;
        // A broken first pose is in the frames; a header must be sound.
        let pose = object.pose;
        if pose.is_finite() && pose.position.to_array().map(f64::to_bits) != [0; 3] {
            self.field(",\"position\":", pose.position)?;
        }
        if pose.is_finite() {
            self.rotation(",\"rotation\":", pose.rotation)?;
        }
        if let Some(ccd) = object.ccd {
            write!(self.output, ",\"ccd\":{ccd}")?;
        }
        if let Some(scale) = object.scale {
            self.field(",\"scale\":", scale)?;
        }
        if object.layer != 1 {
            write!(self.output, ",\"layer\":{}", object.layer)?;
        }
        if object.mask != u32::MAX {
            write!(self.output, ",\"mask\":{}", object.mask)?;
        }
        if object.sensor {
            self.text(",\"sensor\":true")?;
        }
        if object.mass != 1.0 {
            self.text(",\"mass\":")?;
            self.number(object.mass)?;
        }
        if let Some([red, green, blue]) = object.color {
            write!(self.output, ",\"color\":[{red},{green},{blue}]")?;
        }
        if !object.tags.is_empty() {
            self.text(",\"tags\":")?;
            self.list(&object.tags, |writer, tag| writer.string(tag))?;
        }
        self.text("}")
    }

    fn shape(&mut self, shape: &Shape) -> io::Result<()> {
        match shape {
            Shape::Sphere { radius } => {
                self.text("{\"sphere\":{\"radius\":")?;
                self.number(*radius)?;
            }
            Shape::Box { half_extents } => {
                self.field("{\"box\":{\"half_extents\":", *half_extents)?;
            }
            Shape::Segment(segment) => {
                self.field("{\"segment\":{\"a\":", segment.a)?;
                self.field(",\"b\":", segment.b)?;
            }
            Shape::Capsule(capsule) => {
                self.field("{\"capsule\":{\"a\":", capsule.segment.a)?;
                self.field(",\"b\":", capsule.segment.b)?;
                self.text(",\"radius\":")?;
                self.number(capsule.radius)?;
            }
            Shape::Solid(_) => {}
            Shape::Triangle(triangle) => {
                self.field("{\"triangle\":{\"a\":", triangle.a)?;
                self.field(",\"b\":", triangle.b)?;
                self.field(",\"c\":", triangle.c)?;
                self.facing(triangle.facing)?;
            }
            Shape::Plane(plane) => {
                self.field("{\"plane\":{\"normal\":", plane.normal)?;
                self.text(",\"offset\":")?;
                self.number(plane.offset)?;
            }
            // Written out even when it came from a file: the file may be in other units, and elsewhere.
            Shape::Mesh(mesh) => {
                self.text("{\"mesh\":{\"vertices\":")?;
                self.list(mesh.vertices(), |writer, vertex| writer.vector(*vertex))?;
                self.text(",\"triangles\":")?;
                self.list(mesh.triangles(), |writer, [a, b, c]| {
                    write!(writer.output, "[{a},{b},{c}]")
                })?;
                self.facing(mesh.facing())?;
            }
        }
        self.text("}}")
    }

    fn facing(&mut self, facing: Facing) -> io::Result<()> {
        match facing {
            Facing::Both => Ok(()),
            Facing::Front => self.text(",\"facing\":\"front\""),
        }
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())
    }

    fn string(&mut self, text: &str) -> io::Result<()> {
        serde_json::to_writer(&mut self.output, text).map_err(io::Error::from)
    }

    fn number(&mut self, value: f64) -> io::Result<()> {
        // JSON has no words for these; quoted, every reader at least keeps the line.
        if value.is_nan() {
            return self.text("\"NaN\"");
        }
        if value.is_infinite() {
            return self.text(if value > 0.0 {
                "\"Infinity\""
            } else {
                "\"-Infinity\""
            });
        }
        match self.scalar {
            Scalar::F32 if (value as f32).is_finite() => {
                let text = format!("{:?}", value as f32);
                self.text(
                    text.strip_suffix(".0")
                        .filter(|t| *t != "-0")
                        .unwrap_or(&text),
                )
            }
            _ => self.text(&short(value)),
        }
    }

    fn vector(&mut self, vector: DVec3) -> io::Result<()> {
        self.numbers(&vector.to_array())
    }

    fn numbers(&mut self, numbers: &[f64]) -> io::Result<()> {
        self.list(numbers, |writer, number| writer.number(*number))
    }

    fn field(&mut self, key: &str, vector: DVec3) -> io::Result<()> {
        self.text(key)?;
        self.vector(vector)
    }

    /// Nothing when not rotated, to the bit.
    fn rotation(&mut self, key: &str, rotation: DQuat) -> io::Result<()> {
        let bits = |rotation: DQuat| rotation.to_array().map(f64::to_bits);
        if bits(rotation) == bits(Pose::IDENTITY.rotation) {
            return Ok(());
        }
        self.text(key)?;
        self.numbers(&rotation.to_array())
    }

    fn optional_list<T>(
        &mut self,
        key: &str,
        items: &[T],
        write: impl FnMut(&mut Self, &T) -> io::Result<()>,
    ) -> io::Result<()> {
        if items.is_empty() {
            return Ok(());
        }
        self.text(key)?;
        self.list(items, write)
    }

    fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.text("[")?;
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.text(",")?;
            }
            write(self, item)?;
        }
        self.text("]")
    }
}

/// The shortest text that reads back to the same bits; whole numbers without `.0`, but for minus zero.
pub(super) fn short(value: f64) -> String {
    let mut text = format!("{value:?}");
    if text.ends_with(".0") && text != "-0.0" {
        text.truncate(text.len() - 2);
    }
    text
}
