//! Writes a level as a Hitstop log, in JSON Lines. Rust 1.70 or newer, no dependencies: copy this file beside your `main.rs`.
//!
//! ```ignore
//! mod hitstop_log;
//! use hitstop_log::{Header, Motion, Object, Recorder, Scalar, Shape};
//!
//! let header = Header::new("rapier 0.35", Scalar::F32).gravity([0.0, -9.81, 0.0]);
//! let mut log = Recorder::open("run.jsonl", header)?;    // or "tcp:127.0.0.1:9740"; Recorder::keep(10.0, header): the last ten seconds
//! let ball = log.add(Object::new("ball", Shape::sphere(0.1)));
//! let wall = log.add(Object::new("wall", Shape::cuboid([0.05, 2.0, 2.0])).motion(Motion::Fixed));
//! loop {
//!     world.step();
//!     log.body(ball, position).q(rotation).v(velocity).w(spin);
//!     log.contact(ball, wall, point, normal, depth);     // also push, query, joint, camera, substeps; message, value, mark, moved
//!     log.frame(time)?;                                  // writes what was given since the frame before
//! }
//! ```
//!
//! Points are `[x, y, z]`, rotations `[x, y, z, w]`, of `f32` or `f64`; in a flat level (2D, `Header::flat`) points are `[x, y]`, and `q` and `w` are a
//! number. They are in the units and axes of the header, right-handed. Format: docs/log-format.md.
#![allow(dead_code)]

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::mem::take;
use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// What a field can be: a number, true or false, a text, or a list of these, such as a point.
pub trait Json {
    /// Whether it is a text.
    const IS_TEXT: bool = false;

    /// Appends it.
    fn append(&self, text: &mut String);
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Json for $type {
            /// The shortest text that is read back as this number.
            fn append(&self, text: &mut String) {
                let size = self.abs();
                let is_plain = size == 0.0 || (1e-5..1e16).contains(&size);
                let _ = if is_plain { write!(text, "{self}") } else { write!(text, "{self:e}") };
            }
        }
    )*};
}

numbers!(f32 f64);

macro_rules! plain {
    ($($type:ty)*) => {$(
        impl Json for $type {
            fn append(&self, text: &mut String) {
                let _ = write!(text, "{self}");
            }
        }
    )*};
}

plain!(bool u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl Json for str {
    const IS_TEXT: bool = true;

    fn append(&self, text: &mut String) {
        text.push('"');
        for letter in self.chars() {
            match letter {
                '"' | '\\' => text.extend(['\\', letter]),
                '\0'..='\x1f' => {
                    let _ = write!(text, "\\u{:04x}", u32::from(letter));
                }
                _ => text.push(letter),
            }
        }
        text.push('"');
    }
}

impl Json for String {
    const IS_TEXT: bool = true;

    fn append(&self, text: &mut String) {
        self.as_str().append(text);
    }
}

impl<T: Json + ?Sized> Json for &T {
    const IS_TEXT: bool = T::IS_TEXT;

    fn append(&self, text: &mut String) {
        (**self).append(text);
    }
}

impl<T: Json> Json for [T] {
    fn append(&self, text: &mut String) {
        text.push('[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            item.append(text);
        }
        text.push(']');
    }
}

impl<T: Json, const N: usize> Json for [T; N] {
    fn append(&self, text: &mut String) {
        self.as_slice().append(text);
    }
}

impl<T: Json> Json for Vec<T> {
    fn append(&self, text: &mut String) {
        self.as_slice().append(text);
    }
}

/// A value that is JSON already.
struct Raw<'a>(&'a str);

impl Json for Raw<'_> {
    fn append(&self, text: &mut String) {
        text.push_str(self.0);
    }
}

macro_rules! words {
    ($($(#[$doc:meta])* $type:ident { $($word:ident = $text:literal),* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum $type { $($word),* }

        impl Json for $type {
            fn append(&self, text: &mut String) {
                match self { $(Self::$word => $text),* }.append(text);
            }
        }
    )*};
}

words! {
    /// Precision of the engine.
    Scalar { F32 = "f32", F64 = "f64" }
    /// How an object moves. One that the engine moves is dynamic, one that the program moves kinematic.
    Motion { Dynamic = "dynamic", Fixed = "fixed", Kinematic = "kinematic" }
    /// Of a line of the program's own log.
    Level { Debug = "debug", Info = "info", Warning = "warning", Error = "error" }
}

/// Adds a field to the object with which `text` ends.
fn field(text: &mut String, name: &str, value: impl Json) {
    text.pop();
    let comma = if text.ends_with('{') { "" } else { "," };
    let _ = write!(text, "{comma}\"{name}\":");
    value.append(text);
    text.push('}');
}

/// Methods that add a field each.
macro_rules! fields {
    ($type:ty { $($(#[$doc:meta])* $name:ident: $value:ty,)* }) => {
        impl $type {
            $(
                $(#[$doc])*
                pub fn $name(mut self, $name: $value) -> Self {
                    field(&mut self.0, stringify!($name), $name);
                    self
                }
            )*
        }
    };
}

/// A shape, in the object's local space. In a flat level: circle, cuboid, capsule, polygon, segment, chain, plane and compound.
#[derive(Clone, Debug)]
pub struct Shape(String);

impl Shape {
    fn new(kind: &str, name: &str, value: impl Json) -> Self {
        let mut text = String::from("{}");
        field(&mut text, name, value);
        Self(format!("{{\"{kind}\":{text}}}"))
    }

    fn with(mut self, name: &str, value: impl Json) -> Self {
        self.0.pop();
        field(&mut self.0, name, value);
        self.0.push('}');
        self
    }

    /// In space.
    pub fn sphere(radius: impl Json) -> Self {
        Self::new("sphere", "radius", radius)
    }

    /// In a flat level.
    pub fn circle(radius: impl Json) -> Self {
        Self::new("circle", "radius", radius)
    }

    /// A box.
    pub fn cuboid(half_extents: impl Json) -> Self {
        Self::new("box", "half_extents", half_extents)
    }

    /// Around the line from `a` to `b`.
    pub fn capsule(a: impl Json, b: impl Json, radius: impl Json) -> Self {
        Self::new("capsule", "a", a)
            .with("b", b)
            .with("radius", radius)
    }

    /// Along the up axis; half the height is that of the line, without the round ends.
    pub fn upright_capsule(half_height: impl Json, radius: impl Json) -> Self {
        Self::new("capsule", "half_height", half_height).with("radius", radius)
    }

    /// Along the up axis.
    pub fn cylinder(half_height: impl Json, radius: impl Json) -> Self {
        Self::new("cylinder", "half_height", half_height).with("radius", radius)
    }

    /// Along the up axis, its tip above.
    pub fn cone(half_height: impl Json, radius: impl Json) -> Self {
        Self::new("cone", "half_height", half_height).with("radius", radius)
    }

    /// Of 4 to 1,024 points, in space.
    pub fn convex_hull(points: impl Json) -> Self {
        Self::new("convex_hull", "points", points)
    }

    /// In a flat level; may be concave.
    pub fn polygon(points: impl Json) -> Self {
        Self::new("polygon", "points", points)
    }

    /// From `a` to `b`.
    pub fn segment(a: impl Json, b: impl Json) -> Self {
        Self::new("segment", "a", a).with("b", b)
    }

    /// Of segments from point to point, in a flat level.
    pub fn chain(points: impl Json) -> Self {
        Self::new("chain", "points", points)
    }

    /// Of three corners.
    pub fn triangle(a: impl Json, b: impl Json, c: impl Json) -> Self {
        Self::new("triangle", "a", a).with("b", b).with("c", c)
    }

    /// Solid behind its surface, where `dot(normal, point) < offset`.
    pub fn plane(normal: impl Json, offset: impl Json) -> Self {
        Self::new("plane", "normal", normal).with("offset", offset)
    }

    /// A triangle is three indices: `&[[0, 1, 2]]`.
    pub fn mesh(vertices: impl Json, triangles: impl Json) -> Self {
        Self::new("mesh", "vertices", vertices).with("triangles", triangles)
    }

    /// A list of rows along z, each of the heights along x, centred; `cell` is the distance of two columns and of two rows. With `up` of z rows run along -y.
    pub fn height_field(heights: impl Json, cell: impl Json) -> Self {
        Self::new("height_field", "heights", heights).with("cell", cell)
    }

    /// Of convex parts, each with its position and rotation.
    pub fn compound<P: Json, R: Json>(parts: &[(Self, P, R)]) -> Self {
        let parts = parts.iter().map(|(shape, position, rotation)| {
            let mut part = String::from("{}");
            field(&mut part, "shape", shape);
            field(&mut part, "position", position);
            field(&mut part, "rotation", rotation);
            part
        });
        let parts = parts.collect::<Vec<_>>().join(",");
        Self(format!("{{\"compound\":[{parts}]}}"))
    }

    /// A radius that is added outside: of a box, hull or polygon.
    pub fn rounded(self, radius: impl Json) -> Self {
        self.with("radius", radius)
    }

    /// Side that collides: `"front"` of a triangle or mesh, from which the corners run counter-clockwise; `"left"` or `"right"` of a chain.
    pub fn facing(self, side: &str) -> Self {
        self.with("facing", side)
    }

    /// A chain whose last point is joined to its first.
    pub fn closed(self) -> Self {
        self.with("loop", true)
    }

    /// A height field whose cells are split along their other diagonal, not from the corner of least x and z.
    pub fn anti_diagonal(self) -> Self {
        self.with("diagonal", "anti")
    }
}

/// The first line of a log.
#[derive(Clone, Debug)]
pub struct Header(String);

impl Header {
    /// `engine` with its version, `"rapier 0.35"`: findings name its settings. In `f32` the numbers are read back as such.
    pub fn new(engine: &str, scalar: Scalar) -> Self {
        let mut text = String::from("{\"hitstop\":1}");
        if !engine.is_empty() {
            field(&mut text, "engine", engine);
        }
        field(&mut text, "scalar", scalar);
        Self(text)
    }

    /// Near plane of the camera, vertical field of view in degrees, width over height.
    pub fn lens(mut self, near: f64, fov: f64, aspect: f64) -> Self {
        let mut lens = String::from("{}");
        field(&mut lens, "near", near);
        field(&mut lens, "fov", fov);
        field(&mut lens, "aspect", aspect);
        field(&mut self.0, "lens", Raw(&lens));
        self
    }
}

fields!(Header {
    /// Of the level.
    name: &str,
    /// Seconds of a step; without it, from the times of the frames.
    dt: f64,
    /// A level in two dimensions.
    flat: bool,
    /// `"x"`, `"y"` (the default) or `"z"`; `"-y"` where y leads down.
    up: &str,
    /// Name of the unit, `"px"` or `"cm"`; without it, metres.
    unit: &str,
    /// Metres per unit, where the unit's name does not say it.
    length: f64,
    /// The axis that you negate, `"x"`, `"y"` or `"z"`, as the program's axes are left-handed.
    mirrored: &str,
    /// Units per second squared.
    gravity: impl Json,
    /// Distance at which the engine makes contacts.
    margin: impl Json,
    /// Threshold of the engine's continuous detection, if it was changed.
    ccd_threshold: impl Json,
    /// Version of the game, by which results are counted.
    build: &str,
    /// Pairs of objects that a joint connects in every frame: `&[[5, 6]]`. They are not tested.
    joints: impl Json,
});

/// An object of the level, for `Recorder::add`.
#[derive(Clone, Debug)]
pub struct Object(String);

impl Object {
    /// It is dynamic unless it is given another motion.
    pub fn new(name: &str, shape: Shape) -> Self {
        let mut text = String::from("{}");
        field(&mut text, "name", name);
        field(&mut text, "shape", shape);
        Self(text)
    }
}

fields!(Object {
    /// Dynamic, fixed or kinematic.
    motion: Motion,
    /// Of a fixed object; of others the frames have it.
    position: impl Json,
    /// As the position.
    rotation: impl Json,
    /// Kilograms.
    mass: impl Json,
    /// Whether continuous detection is on.
    ccd: bool,
    /// 32 bits: a pair collides if each one's layer shares a bit with the other's mask. Of an engine without filters write 1.
    layer: u32,
    /// As the layer. Of an engine without filters write `u32::MAX`: what is not filtered must collide.
    mask: u32,
    /// Number or name of the body: objects of one body are not tested against each other.
    body: impl Json,
    /// By which the engine scales the shape, which is given scaled.
    scale: impl Json,
    /// Reports overlaps, but does not push.
    sensor: bool,
    /// A character that is not a sphere or a capsule.
    character: bool,
    /// Direction in which others pass a one-way platform.
    one_way: impl Json,
    /// Red, green, blue from 0 to 255.
    color: impl Json,
    /// A list of words.
    tags: impl Json,
});

/// What a query or a sweep met.
#[derive(Clone, Debug)]
pub struct Hit(String);

impl Hit {
    /// The object's number. Of a query, give the fraction too.
    pub fn new(id: u32) -> Self {
        Self(format!("{{\"id\":{id}}}"))
    }
}

fields!(Hit {
    /// Of the path from `from` to `to`.
    fraction: impl Json,
    /// Of the surface that was hit.
    normal: impl Json,
    /// Where a sweep met it.
    point: impl Json,
});

/// A part of a character's move.
#[derive(Clone, Debug)]
pub struct Sweep(String);

impl Sweep {
    /// `kind`: move, slide, step_up, step_forward, step_down, snap, floor, push_out or another word.
    pub fn new(kind: &str, from: impl Json, to: impl Json) -> Self {
        let mut text = String::from("{}");
        field(&mut text, "kind", kind);
        field(&mut text, "from", from);
        field(&mut text, "to", to);
        Self(text)
    }
}

fields!(Sweep {
    /// The displacement that it was asked for, if that is not the one that it made.
    wish: impl Json,
    /// What it met, with the normal toward the character.
    hit: Hit,
});

macro_rules! raw {
    ($($type:ident)*) => {$(
        impl Json for $type {
            fn append(&self, text: &mut String) {
                text.push_str(&self.0);
            }
        }
    )*};
}

raw!(Shape Hit Sweep);

/// More of a body in a frame.
pub struct Body<'a>(&'a mut String);

fields!(Body<'_> {
    /// Rotation: a quaternion x y z w, or an angle in a flat level.
    q: impl Json,
    /// Velocity.
    v: impl Json,
    /// Angular velocity about world axes, or a number in a flat level.
    w: impl Json,
    /// List sleeping bodies, too.
    asleep: bool,
    /// It was placed, not moved.
    teleported: bool,
    /// The number of the engine's island that it is in.
    island: u32,
});

/// More of a contact.
pub struct Contact<'a>(&'a mut String);

fields!(Contact<'_> {
    /// What the engine applied along the normal in this step.
    impulse: impl Json,
});

/// More of a query. A sweep has a radius, or a shape and its rotation.
pub struct Query<'a>(&'a mut String);

fields!(Query<'_> {
    /// The object that casts.
    id: u32,
    /// Of a sphere that is swept.
    radius: impl Json,
    /// That is swept.
    shape: Shape,
    /// Rotation of the shape.
    q: impl Json,
    /// Layers that are tested.
    mask: u32,
    /// What the program calls it: `"ground"`.
    tag: &str,
});

/// More of the camera.
pub struct Camera<'a>(&'a mut String);

fields!(Camera<'_> {
    /// The correction that the program made.
    push: impl Json,
    /// After a cut.
    teleported: bool,
});

/// More of a line of the program's own log, which starts at a place in the text.
pub struct Line<'a>(&'a mut String, usize);

impl Line<'_> {
    fn with(self, name: &str, value: impl Json) -> Self {
        if self.0[self.1..].starts_with('"') {
            self.0.insert_str(self.1, "{\"text\":");
            self.0.push('}');
        }
        field(self.0, name, value);
        self
    }

    /// The object that it is about.
    pub fn id(self, id: u32) -> Self {
        self.with("id", id)
    }

    /// Info if it is not given.
    pub fn level(self, level: Level) -> Self {
        self.with("level", level)
    }
}

/// More of a value of the program.
pub struct Value<'a>(&'a mut String);

fields!(Value<'_> {
    /// The object that has it.
    id: u32,
});

/// More of a drawing.
pub struct Mark<'a>(&'a mut String);

fields!(Mark<'_> {
    /// What it is.
    name: &str,
    /// The object that it is about.
    id: u32,
    /// Of a sphere at each point.
    radius: impl Json,
    /// Red, green, blue from 0 to 255.
    color: impl Json,
});

/// More of a character's move.
pub struct Move<'a>(&'a mut String);

fields!(Move<'_> {
    /// Whether it stands on a floor after the move.
    grounded: bool,
    /// Against gravity, if not that of the level.
    up: impl Json,
    /// Degrees of the steepest floor.
    max_slope: impl Json,
    /// The highest step that it climbs.
    max_step: impl Json,
    /// How far down it is held to the floor.
    snap: impl Json,
    /// The distance that it keeps.
    skin: impl Json,
    /// In the order in which they were made.
    sweeps: &[Sweep],
});

/// The items of lists, by the name of the list.
type Lists = BTreeMap<&'static str, String>;

/// The end of a list, for another item.
fn next<'a>(lists: &'a mut Lists, name: &'static str) -> &'a mut String {
    let items = lists.entry(name).or_default();
    if !items.is_empty() {
        items.push(',');
    }
    items
}

/// Adds lists to an object, and leaves none.
fn add_lists(text: &mut String, lists: &mut Lists) {
    for (name, items) in take(lists) {
        field(text, name, Raw(&format!("[{items}]")));
    }
}

/// Writes a log.
pub struct Recorder {
    out: Output,
    header: String,
    objects: u32,
    frames: u64,
    /// For the line before the next frame: spawn, ignore, remove.
    before: Lists,
    /// Of the next frame.
    lists: Lists,
    rest: String,
    camera: String,
}

enum Output {
    /// With the time of the last flush.
    Write(Box<dyn Write + Send + Sync>, Instant),
    Live(Live),
    Keep(Kept),
}

/// The last seconds.
struct Kept {
    seconds: f64,
    /// The header, and the objects that were added before the first frame that is kept.
    objects: String,
    /// Times, the objects before a frame, and the frame.
    frames: VecDeque<(f64, String, String)>,
}

impl Recorder {
    /// Writes to a file, `run.jsonl`, or sends to a Hitstop that listens, `tcp:127.0.0.1:9740`.
    pub fn open(path: impl AsRef<Path>, header: Header) -> io::Result<Self> {
        let path = path.as_ref();
        let name = path.to_string_lossy();
        if let Some(address) = name.strip_prefix("tcp:") {
            return Ok(Self::with(Output::Live(Live::new(address)), header));
        }
        if !name.ends_with(".jsonl") {
            let text = format!(
                "{name} must end in .jsonl; `hitstop convert` makes .jsonl.zst and .parquet of it"
            );
            return Err(io::Error::new(ErrorKind::InvalidInput, text));
        }
        Ok(Self::new(BufWriter::new(File::create(path)?), header))
    }

    /// Writes to `out`, which is flushed once a second, so that a program that crashes loses no more.
    pub fn new(out: impl Write + Send + Sync + 'static, header: Header) -> Self {
        Self::with(Output::Write(Box::new(out), Instant::now()), header)
    }

    /// Keeps the frames of the last `seconds` in memory, for `save`.
    pub fn keep(seconds: f64, header: Header) -> Self {
        let kept = Kept {
            seconds,
            objects: String::new(),
            frames: VecDeque::new(),
        };
        Self::with(Output::Keep(kept), header)
    }

    fn with(out: Output, header: Header) -> Self {
        Self {
            out,
            header: header.0,
            objects: 0,
            frames: 0,
            before: Lists::new(),
            lists: Lists::new(),
            rest: String::from("{}"),
            camera: String::new(),
        }
    }

    /// The object's number, from 0. One that is added after the first frame appears in the next.
    pub fn add(&mut self, object: Object) -> u32 {
        let id = self.objects;
        let _ = write!(
            next(&mut self.before, "spawn"),
            "{{\"id\":{id},{}",
            &object.0[1..]
        );
        self.objects += 1;
        id
    }

    /// Two objects that are never tested against each other.
    pub fn ignore(&mut self, a: u32, b: u32) {
        [a, b].append(next(&mut self.before, "ignore"));
    }

    /// A fixed object that is gone from the next frame on.
    pub fn remove(&mut self, id: u32) {
        id.append(next(&mut self.before, "remove"));
    }

    /// A new item of a list of the next frame.
    fn item(&mut self, list: &'static str) -> &mut String {
        let items = next(&mut self.lists, list);
        items.push_str("{}");
        items
    }

    /// A body: `position` is that of the shape's origin.
    pub fn body(&mut self, id: u32, position: impl Json) -> Body<'_> {
        let item = self.item("bodies");
        field(item, "id", id);
        field(item, "p", position);
        Body(item)
    }

    /// One point of a pair; `normal` leads from b to a, `depth` is negative while they are apart.
    pub fn contact(
        &mut self,
        a: u32,
        b: u32,
        point: impl Json,
        normal: impl Json,
        depth: impl Json,
    ) -> Contact<'_> {
        let item = self.item("contacts");
        field(item, "a", a);
        field(item, "b", b);
        field(item, "point", point);
        field(item, "normal", normal);
        field(item, "depth", depth);
        Contact(item)
    }

    /// The contacts of the frame are all that the engine made; without this, those of a frame that has none are unknown.
    pub fn lists_contacts(&mut self) {
        self.lists.entry("contacts").or_default();
    }

    /// A correction of the position by the engine or by the program.
    pub fn push(&mut self, id: u32, push: impl Json) {
        let item = self.item("pushes");
        field(item, "id", id);
        field(item, "push", push);
    }

    /// A cast of the engine: `kind` is `"ray"` or `"sweep"`, `hit` what it met, or `None`.
    pub fn query(
        &mut self,
        kind: &str,
        from: impl Json,
        to: impl Json,
        hit: impl Into<Option<Hit>>,
    ) -> Query<'_> {
        let item = self.item("queries");
        field(item, "kind", kind);
        field(item, "from", from);
        field(item, "to", to);
        field(
            item,
            "hit",
            Raw(hit.into().as_ref().map_or("null", |hit| &hit.0)),
        );
        Query(item)
    }

    /// Two objects that a joint connects in this frame: they are not tested. A joint that stays is one of the header, or `ignore`.
    pub fn joint(&mut self, a: u32, b: u32) {
        [a, b].append(next(&mut self.lists, "joints"));
    }

    /// Steps of the engine since the frame before.
    pub fn substeps(&mut self, count: u32) {
        field(&mut self.rest, "substeps", count);
    }

    /// Frames are missing before this one.
    pub fn gap(&mut self) {
        field(&mut self.rest, "gap", true);
    }

    /// A picture of the game: the path of a PNG or JPEG file in the folder of the log.
    pub fn image(&mut self, path: &str) {
        field(&mut self.rest, "image", path);
    }

    /// Looks along its own -Z, its +Y up.
    pub fn camera(&mut self, position: impl Json, rotation: impl Json) -> Camera<'_> {
        self.camera = String::from("{}");
        field(&mut self.camera, "p", position);
        field(&mut self.camera, "q", rotation);
        Camera(&mut self.camera)
    }

    /// A line of the program's own log.
    pub fn message(&mut self, text: &str) -> Line<'_> {
        let items = next(&mut self.lists, "log");
        let start = items.len();
        text.append(items);
        Line(items, start)
    }

    /// A value of the program: a number, true or false, or a text for the name of a state.
    pub fn value<V: Json>(&mut self, name: &str, value: V) -> Value<'_> {
        let item = self.item("values");
        field(item, "name", name);
        field(item, if V::IS_TEXT { "text" } else { "value" }, value);
        Value(item)
    }

    /// A drawing of the program: a point, a line of two, or a polyline of up to 256: `[[x, y, z], ..]`.
    pub fn mark(&mut self, points: impl Json) -> Mark<'_> {
        let item = self.item("marks");
        field(item, "points", points);
        Mark(item)
    }

    /// The move of a character: where its shape's origin was, the displacement that the game asked for, and where it is then.
    pub fn moved(&mut self, id: u32, from: impl Json, wish: impl Json, to: impl Json) -> Move<'_> {
        let item = self.item("moves");
        field(item, "id", id);
        field(item, "from", from);
        field(item, "wish", wish);
        field(item, "to", to);
        Move(item)
    }

    /// Writes the state after `t` seconds. What the engine did on the way to it (contacts, pushes, queries) is of this frame, too.
    pub fn frame(&mut self, t: f64) -> io::Result<()> {
        let mut objects = String::new();
        if self.frames == 0 {
            for (list, name) in [("ignore", "ignore"), ("spawn", "objects")] {
                let items = self.before.remove(list).unwrap_or_default();
                if !items.is_empty() {
                    field(&mut self.header, name, Raw(&format!("[{items}]")));
                }
            }
            objects = take(&mut self.header) + "\n";
        }
        if !self.before.is_empty() {
            let mut line = String::from("{}");
            add_lists(&mut line, &mut self.before);
            objects += &(line + "\n");
        }
        let mut line = format!("{{\"frame\":{}}}", self.frames);
        field(&mut line, "t", t);
        self.lists.entry("bodies").or_default();
        add_lists(&mut line, &mut self.lists);
        let camera = take(&mut self.camera);
        if !camera.is_empty() {
            field(&mut self.rest, "camera", Raw(&camera));
        }
        if self.rest.len() > 2 {
            line.pop();
            line = line + "," + &self.rest[1..];
            self.rest = String::from("{}");
        }
        line.push('\n');
        self.frames += 1;
        match &mut self.out {
            Output::Write(out, flushed) => {
                out.write_all((objects + &line).as_bytes())?;
                if flushed.elapsed() > Duration::from_secs(1) {
                    out.flush()?;
                    *flushed = Instant::now();
                }
            }
            Output::Live(live) => live.write(objects, line),
            Output::Keep(kept) => {
                kept.frames.push_back((t, objects, line));
                while kept.frames[0].0 < t - kept.seconds - 1e-9 {
                    kept.objects += &kept.frames.pop_front().unwrap_or_default().1;
                }
            }
        }
        Ok(())
    }

    /// Writes the frames that are kept, and goes on keeping them.
    pub fn save(&self, mut out: impl Write) -> io::Result<()> {
        if let Output::Keep(kept) = &self.out {
            out.write_all(kept.objects.as_bytes())?;
            for (_, objects, line) in &kept.frames {
                out.write_all(objects.as_bytes())?;
                out.write_all(line.as_bytes())?;
            }
        }
        out.flush()
    }

    /// Ends the log, and says whether all of it was written. Without it the log ends when the recorder is dropped.
    pub fn close(self) -> io::Result<()> {
        match self.out {
            Output::Write(mut out, _) => out.flush(),
            _ => Ok(()),
        }
    }
}

/// At most this many bytes wait for a viewer.
const LIMIT: usize = 16 << 20;
/// After which a viewer is looked for again.
const AGAIN: Duration = Duration::from_secs(1);
/// How long the end waits for what is not sent yet.
const LAST: Duration = Duration::from_secs(2);

/// Sends a log to a viewer, which may come and go, without ever waiting for it: a thread looks for one every second, and one that connects gets the objects
/// and the latest frames. For one that is too slow the oldest frames are dropped, and it shows a gap. That, and each new error of a viewer, is printed to the
/// error output.
struct Live(Arc<Shared>);

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// The header and the objects that were sent, for the next viewer.
    objects: String,
    /// The objects before a frame, and the frame.
    frames: VecDeque<(String, String)>,
    size: usize,
    is_connected: bool,
    dropped: u64,
    error: String,
    ended: Option<Instant>,
    is_done: bool,
}

impl Queue {
    /// The oldest frame, with the objects before it, which are kept.
    fn take(&mut self) -> String {
        let (objects, line) = self.frames.pop_front().unwrap_or_default();
        self.size -= objects.len() + line.len();
        self.objects += &objects;
        objects + &line
    }
}

impl Live {
    fn new(address: &str) -> Self {
        let shared = Arc::new(Shared::default());
        let (sender, address) = (Arc::clone(&shared), address.to_string());
        thread::spawn(move || sender.run(&address));
        Self(shared)
    }

    fn write(&self, objects: String, line: String) {
        let mut queue = self.0.lock();
        queue.size += objects.len() + line.len();
        queue.frames.push_back((objects, line));
        let before = queue.dropped;
        while queue.size > LIMIT && queue.frames.len() > 1 {
            queue.take();
            queue.dropped += u64::from(queue.is_connected);
        }
        if before == 0 && queue.dropped > 0 {
            eprintln!(
                "hitstop: the viewer is too slow, so frames are dropped; to keep all of them, record to a file"
            );
        }
        self.0.changed.notify_all();
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        queue.ended = Some(Instant::now());
        self.0.changed.notify_all();
        let done = self
            .0
            .changed
            .wait_timeout_while(queue, LAST + AGAIN, |queue| !queue.is_done);
        let dropped = done.map_or(0, |(queue, _)| queue.dropped);
        if dropped > 0 {
            eprintln!(
                "hitstop: {dropped} frames were dropped, as the viewer was too slow; to keep all of them, record to a file"
            );
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap()
    }

    fn run(&self, address: &str) {
        loop {
            let begun = Instant::now();
            let connect = |to| TcpStream::connect_timeout(&to, AGAIN).ok();
            let viewer = address
                .to_socket_addrs()
                .ok()
                .and_then(|mut all| all.find_map(connect));
            let is_sent = viewer.is_some_and(|viewer| self.send_all(viewer).is_ok());
            let mut queue = self.lock();
            queue.is_connected = false;
            while queue.ended.is_none() && begun.elapsed() < AGAIN {
                let rest = AGAIN.saturating_sub(begun.elapsed());
                queue = self.changed.wait_timeout(queue, rest).unwrap().0;
            }
            if is_sent || queue.ended.is_some() {
                queue.is_done = true;
                return self.changed.notify_all();
            }
        }
    }

    fn send_all(&self, mut viewer: TcpStream) -> io::Result<()> {
        viewer.set_nodelay(true)?;
        viewer.set_nonblocking(true)?;
        let mut queue = self.lock();
        queue.is_connected = true;
        let mut text = queue.objects.clone();
        let mut sent = text.len();
        drop(queue);
        loop {
            self.send(&mut viewer, text.as_bytes())?;
            let is_waiting = |queue: &mut Queue| queue.frames.is_empty() && queue.ended.is_none();
            let mut queue = self.changed.wait_while(self.lock(), is_waiting).unwrap();
            if queue.frames.is_empty() {
                return Ok(());
            }
            // Objects of frames that were dropped meanwhile.
            text = queue.objects[sent..].to_string();
            text += &queue.take();
            sent = queue.objects.len();
        }
    }

    fn send(&self, viewer: &mut TcpStream, mut bytes: &[u8]) -> io::Result<()> {
        let passing = |error: &io::Error| {
            matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
        };
        while !bytes.is_empty() {
            if self.lock().ended.is_some_and(|at| at.elapsed() > LAST) {
                return Err(ErrorKind::TimedOut.into());
            }
            let mut answer = [0; 1024];
            match viewer.read(&mut answer) {
                // The error of a viewer, after which it closes the connection.
                Ok(size) => {
                    self.report(&String::from_utf8_lossy(&answer[..size]));
                    return Err(ErrorKind::ConnectionAborted.into());
                }
                Err(error) if passing(&error) => {}
                Err(error) => return Err(error),
            }
            match viewer.write(bytes) {
                Ok(size) => bytes = &bytes[size..],
                Err(error) if passing(&error) => thread::sleep(Duration::from_millis(5)),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Prints the answer of a viewer once.
    fn report(&self, answer: &str) {
        let mut queue = self.lock();
        if !answer.is_empty() && queue.error != answer {
            let error = answer.split('"').nth(3).unwrap_or(answer);
            eprintln!("hitstop: the viewer answers: {error}");
            queue.error = answer.to_string();
        }
    }
}
