//! A level as a glTF file with its animation: objects as nodes with their colliders and triangles, findings as nodes without geometry.
//!
//! Colliders are those of `KHR_physics_rigid_bodies` and `KHR_implicit_shapes`, which the importer reads; triangles are what other programs show.

mod surface;
mod track;

use self::surface::{round, surface};
use self::track::Track;
use crate::core::diagnose::{Finding, Options, Report, diagnose};
use crate::core::level::Level;
use crate::core::number::count;
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::Replay;
use crate::core::scene::{Movement, Object};
use crate::core::shape::{Mesh, Pose, Shape, Solid, SolidShape};
use crate::save::save_stream;
use glam::{DQuat, DVec3, Quat};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

/// Component types and targets of buffers in glTF.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
/// Bytes that a file may have: its lengths are 32 bit.
const LARGEST: usize = u32::MAX as usize - (1 << 20);

/// A file that is being made.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    shapes: Vec<Value>,
    /// Numbers of the shapes by their text.
    shape_numbers: HashMap<String, usize>,
    nodes: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
    /// Meshes by the address of the level's own.
    known: HashMap<usize, usize>,
    /// By the count of points and a hash of its numbers: where a mesh begins in the bytes, and its number.
    written: HashMap<(usize, u64), Vec<(usize, usize)>>,
    /// Accessors of times by the states that they have.
    times: HashMap<(u32, usize), usize>,
    /// What is lost, with the names of the objects.
    losses: BTreeMap<&'static str, BTreeSet<String>>,
}

/// Writes a level with its findings for programs that show glTF; returns what the format does not hold, and what was written.
///
/// # Errors
/// If it cannot be diagnosed, is too large or cannot be written.
pub fn save_gltf(
    level: &Level,
    output: &Path,
    progress: &dyn Progress,
) -> Result<(Vec<Problem>, String), Problems> {
    let problem = |path: &Path, what: &str| Problem::new(path.display().to_string(), what, "");
    let cancelled = || problem(&level.file, "the work was cancelled");
    let report = diagnose(level, &Options::default(), progress).ok_or_else(cancelled)?;
    let (parts, losses) = glb(level, &report)?;
    if let Some(problem) = level.lost_frames() {
        return Err(problem.into());
    }
    save_stream(output, |file| {
        parts.iter().try_for_each(|part| file.write_all(part))
    })?;
    let losses = losses.into_iter().map(|what| problem(output, &what));
    let what = format!(
        "{} of {} and {}",
        count(level.replay.frames() as usize, "frame"),
        count(level.replay.objects().len(), "object"),
        count(report.findings.len(), "finding")
    );
    Ok((losses.collect(), what))
}

/// The bytes of a level as `.glb`, in parts, and what the format does not hold, in sentences.
///
/// # Errors
/// If it would be too large.
fn glb(level: &Level, report: &Report) -> Result<([Vec<u8>; 3], Vec<String>), Problem> {
    let replay = &level.replay;
    let fits = |bytes: usize| match bytes > LARGEST {
        true => Err(Problem::new(
            level.file.display().to_string(),
            "it is too large for a file of this format",
            "convert it to .jsonl.zst or .parquet",
        )),
        false => Ok(()),
    };
    let mut out = Writer::default();
    for (object, track) in replay.objects().iter().zip(Track::all(replay, fits)?) {
        match track {
            Some(track) => out.object(replay, object, track),
            None => out.lose("never there, and left out", object),
        }
        fits(out.bytes.len())?;
    }
    let mut roots: Vec<usize> = out.roots();
    for (index, finding) in report.findings.iter().enumerate() {
        roots.push(out.node(finding_node(finding, index)));
    }
    let parts = out.finish(&report.name, &roots, replay);
    fits(parts.iter().map(Vec::len).sum())?;
    let losses = out.losses.iter().map(|(what, names)| {
        let first = names.iter().next().map_or("", String::as_str);
        format!(
            "{}: {what} (\"{first}\"{})",
            count(names.len(), "object"),
            if names.len() > 1 { ", .." } else { "" }
        )
    });
    Ok((parts, losses.collect()))
}

fn finding_node(finding: &Finding, index: usize) -> Value {
    let mut node = json!({
        "name": format!("finding {}: {} {}: {}", index + 1, finding.kind.name(), finding.cause.id(), finding.title()),
        "extras": {
            "kind": finding.kind.name(),
            "cause": finding.cause.id(),
            "frame": finding.number(),
            "fraction": finding.fraction,
            "time": finding.time,
            "a": finding.a,
            "b": finding.b,
            "text": finding.text,
        },
    });
    if DVec3::from_array(finding.point).is_finite() {
        node["translation"] = json!(finding.point);
    }
    node
}

impl Writer {
    fn lose(&mut self, what: &'static str, object: &Object) {
        self.losses
            .entry(what)
            .or_default()
            .insert(object.name.clone());
    }

    fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// The nodes that are in no other.
    fn roots(&self) -> Vec<usize> {
        let children = self
            .nodes
            .iter()
            .filter_map(|node| node.get("children")?.as_array());
        let inner: BTreeSet<u64> = children.flatten().filter_map(Value::as_u64).collect();
        (0..self.nodes.len())
            .filter(|index| !inner.contains(&(*index as u64)))
            .collect()
    }

    /// An object as a node, with its motion where it has one.
    fn object(&mut self, replay: &Replay, object: &Object, track: Track) {
        if track.partly {
            self.lose("there for a part of the time only; the file has it all the time, still before it appears and after it vanishes", object);
        }
        let mut body = Map::new();
        match object.movement {
            Movement::Fixed => {}
            Movement::Velocity => {
                drop(body.insert("motion".to_owned(), json!({"mass": object.mass})))
            }
            _ => drop(body.insert(
                "motion".to_owned(),
                json!({"isKinematic": true, "mass": object.mass}),
            )),
        }
        let mut node = placed(&track.first);
        node.insert("name".to_owned(), json!(object.name));
        let mut parts = Vec::new();
        self.parts(object, &object.shape, &Pose::IDENTITY, &mut parts);
        let kind = if object.sensor { "trigger" } else { "collider" };
        let with = |mut body: Map<String, Value>, geometry: Value| {
            body.insert(kind.to_owned(), json!({"geometry": geometry}));
            json!({"KHR_physics_rigid_bodies": body})
        };
        if let [(pose, geometry, mesh)] = &parts[..]
            && *pose == Pose::IDENTITY
        {
            node.insert("extensions".to_owned(), with(body, geometry.clone()));
            node.insert("mesh".to_owned(), json!(mesh));
        } else {
            let children = parts.into_iter().map(|(pose, geometry, mesh)| {
                let mut child = placed(&pose);
                child.insert("extensions".to_owned(), with(Map::new(), geometry));
                child.insert("mesh".to_owned(), json!(mesh));
                self.node(Value::Object(child))
            });
            let children: Vec<usize> = children.collect();
            if !body.is_empty() {
                node.insert(
                    "extensions".to_owned(),
                    json!({"KHR_physics_rigid_bodies": body}),
                );
            }
            if !children.is_empty() {
                node.insert("children".to_owned(), json!(children));
            }
        }
        let node = self.node(Value::Object(node));
        if !track.moved.is_empty() {
            self.animate(replay, node, track);
        }
    }

    /// Keys for each state of a track.
    fn animate(&mut self, replay: &Replay, node: usize, track: Track) {
        let key = (track.from, track.count);
        let input = match self.times.get(&key) {
            Some(known) => *known,
            None => {
                let states = (track.from..).take(track.count);
                let times: Vec<[f32; 1]> =
                    states.map(|state| [replay.time(state) as f32]).collect();
                let made = self.floats("SCALAR", &times, None);
                self.times.insert(key, made);
                made
            }
        };
        let (positions, rotations): (Vec<[f32; 3]>, Vec<[f32; 4]>) =
            track.moved.into_iter().unzip();
        let mut last = Quat::IDENTITY;
        let rotations = rotations.into_iter().map(|rotation| {
            let rotation = Quat::from_array(rotation);
            // The shorter way between two keys.
            last = if rotation.dot(last) < 0.0 {
                -rotation
            } else {
                rotation
            };
            last.to_array()
        });
        let rotations: Vec<[f32; 4]> = rotations.collect();
        let outputs = [
            ("translation", self.floats("VEC3", &positions, None)),
            ("rotation", self.floats("VEC4", &rotations, None)),
        ];
        for (path, output) in outputs {
            self.channels.push(
                json!({"sampler": self.samplers.len(), "target": {"node": node, "path": path}}),
            );
            self.samplers
                .push(json!({"input": input, "output": output, "interpolation": "LINEAR"}));
        }
    }

    /// The colliders of a shape: pose in the object, geometry, and the mesh that shows it.
    fn parts(
        &mut self,
        object: &Object,
        shape: &Shape,
        pose: &Pose,
        parts: &mut Vec<(Pose, Value, usize)>,
    ) {
        let along = |a: DVec3, b: DVec3| Pose {
            position: a.midpoint(b),
            rotation: (b - a).try_normalize().map_or(DQuat::IDENTITY, |axis| {
                DQuat::from_rotation_arc(DVec3::Y, axis)
            }),
        };
        let (local, kind, numbers) = match shape {
            Shape::Sphere { radius } => (Pose::IDENTITY, "sphere", json!({"radius": radius})),
            Shape::Box { half_extents } => (
                Pose::IDENTITY,
                "box",
                json!({"size": (*half_extents * 2.0).to_array()}),
            ),
            Shape::Capsule(it) => {
                let (a, b) = (it.segment.a, it.segment.b);
                (
                    along(a, b),
                    "capsule",
                    json!({"height": a.distance(b), "radiusBottom": it.radius, "radiusTop": it.radius}),
                )
            }
            Shape::Solid(SolidShape::Cylinder(it)) => (
                Pose::IDENTITY,
                "cylinder",
                json!({"height": 2.0 * it.half_height, "radiusBottom": it.radius, "radiusTop": it.radius}),
            ),
            Shape::Solid(SolidShape::Cone(it)) => (
                Pose::IDENTITY,
                "cylinder",
                json!({"height": 2.0 * it.half_height, "radiusBottom": it.radius, "radiusTop": 0.0}),
            ),
            Shape::Solid(solid) => {
                if solid.radius() > 0.0 {
                    self.lose("its rounded corners are sharp in the file", object);
                }
                let mesh = self.triangles(&surface(shape));
                return parts.push((*pose, json!({"mesh": mesh, "convexHull": true}), mesh));
            }
            Shape::Mesh(mesh) => {
                let mesh = self.mesh(mesh);
                return parts.push((*pose, json!({"mesh": mesh}), mesh));
            }
            Shape::Triangle(_) => {
                let mesh = self.triangles(&surface(shape));
                return parts.push((*pose, json!({"mesh": mesh}), mesh));
            }
            Shape::Compound(compound) => {
                for part in compound.parts() {
                    self.parts(object, &part.shape, &pose.then(&part.pose), parts);
                }
                return;
            }
            Shape::Plane(_) | Shape::Segment(_) => {
                return self.lose("its shape has no form in glTF, and is left out", object);
            }
        };
        let written = json!({"type": kind, kind: numbers});
        let next = self.shapes.len();
        let index = *self
            .shape_numbers
            .entry(written.to_string())
            .or_insert(next);
        if index == next {
            self.shapes.push(written);
        }
        let geometry = json!({"shape": index});
        let shown = match shape {
            Shape::Capsule(it) => {
                let half = DVec3::Y * (0.5 * it.segment.a.distance(it.segment.b));
                round(-half, half, it.radius)
            }
            _ => surface(shape),
        };
        let mesh = self.triangles(&shown);
        parts.push((pose.then(&local), geometry, mesh));
    }

    fn mesh(&mut self, mesh: &Arc<Mesh>) -> usize {
        let key = Arc::as_ptr(mesh) as usize;
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let points: Vec<DVec3> = mesh.vertices().collect();
        let corners: Vec<u32> = mesh.triangles().flatten().collect();
        let made = self.indexed(&points, &corners);
        self.known.insert(key, made);
        made
    }

    fn triangles(&mut self, triangles: &[[DVec3; 3]]) -> usize {
        let points: Vec<DVec3> = triangles.iter().flatten().copied().collect();
        let corners: Vec<u32> = (0..points.len() as u32).collect();
        self.indexed(&points, &corners)
    }

    /// A mesh of triangles: one that the file has already, where it has the same numbers.
    fn indexed(&mut self, points: &[DVec3], corners: &[u32]) -> usize {
        let numbers: Vec<[f32; 3]> = points
            .iter()
            .map(|point| point.as_vec3().to_array())
            .collect();
        let positions = numbers
            .as_flattened()
            .iter()
            .flat_map(|it| it.to_le_bytes());
        let indices = corners.iter().flat_map(|corner| corner.to_le_bytes());
        let bytes: Vec<u8> = positions.chain(indices).collect();
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let key = (numbers.len(), hasher.finish());
        let begin = self.bytes.len();
        let alike = self.written.get(&key).map_or(&[][..], Vec::as_slice);
        let is_it = |at: usize| self.bytes.get(at..at + bytes.len()) == Some(&bytes[..]);
        if let Some((_, known)) = alike.iter().find(|(at, _)| is_it(*at)) {
            return *known;
        }
        let ends = |pick: fn(f32, f32) -> f32, start: f32| {
            let all = numbers.iter().fold([start; 3], |ends, point| {
                [0, 1, 2].map(|axis| pick(ends[axis], point[axis]))
            });
            json!(all)
        };
        let bounds = Some((
            ends(f32::min, f32::INFINITY),
            ends(f32::max, f32::NEG_INFINITY),
        ));
        let position = self.floats("VEC3", &numbers, bounds);
        let view = self.view(corners.iter().flat_map(|corner| corner.to_le_bytes()));
        self.accessors.push(json!({"bufferView": view, "componentType": UNSIGNED_INT, "count": corners.len(), "type": "SCALAR"}));
        let indices = self.accessors.len() - 1;
        self.meshes.push(
            json!({"primitives": [{"attributes": {"POSITION": position}, "indices": indices}]}),
        );
        let mesh = self.meshes.len() - 1;
        self.written.entry(key).or_default().push((begin, mesh));
        mesh
    }

    fn view(&mut self, bytes: impl Iterator<Item = u8>) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        self.views.push(
            json!({"buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start}),
        );
        self.views.len() - 1
    }

    fn floats<const N: usize>(
        &mut self,
        kind: &str,
        numbers: &[[f32; N]],
        bounds: Option<(Value, Value)>,
    ) -> usize {
        let view = self.view(
            numbers
                .iter()
                .flatten()
                .flat_map(|number| number.to_le_bytes()),
        );
        let mut accessor = json!({"bufferView": view, "componentType": FLOAT, "count": numbers.len(), "type": kind});
        // Times must have bounds, too.
        let times = || {
            (
                json!(numbers.first().map(|it| &it[..])),
                json!(numbers.last().map(|it| &it[..])),
            )
        };
        if let Some((min, max)) = bounds.or_else(|| (kind == "SCALAR").then(times)) {
            (accessor["min"], accessor["max"]) = (min, max);
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Header, text and numbers (glTF 2.0, section 4).
    fn finish(&mut self, name: &str, roots: &[usize], replay: &Replay) -> [Vec<u8>; 3] {
        let mut document = json!({
            "asset": {"version": "2.0", "generator": format!("Hitstop {}", env!("CARGO_PKG_VERSION"))},
            "scene": 0,
            "scenes": [{"name": name, "nodes": roots, "extras": {"gravity": replay.scene().gravity.to_array()}}],
            "nodes": std::mem::take(&mut self.nodes),
            "extensionsUsed": ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"],
            "extensions": {"KHR_implicit_shapes": {"shapes": std::mem::take(&mut self.shapes)}},
        });
        // Empty lists are not valid.
        let animations = match self.channels.is_empty() {
            true => Vec::new(),
            false => vec![
                json!({"name": name, "channels": std::mem::take(&mut self.channels), "samplers": std::mem::take(&mut self.samplers)}),
            ],
        };
        let buffers = vec![json!({"byteLength": self.bytes.len()})];
        for (key, list) in [
            ("meshes", std::mem::take(&mut self.meshes)),
            ("accessors", std::mem::take(&mut self.accessors)),
            ("bufferViews", std::mem::take(&mut self.views)),
            ("animations", animations),
            (
                "buffers",
                if self.bytes.is_empty() {
                    Vec::new()
                } else {
                    buffers
                },
            ),
        ] {
            if !list.is_empty() {
                document[key] = Value::Array(list);
            }
        }
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let length = 12
            + 8
            + text.len()
            + if self.bytes.is_empty() {
                0
            } else {
                8 + self.bytes.len()
            };
        let mut head = Vec::new();
        head.extend(b"glTF");
        head.extend(2_u32.to_le_bytes());
        head.extend((length as u32).to_le_bytes());
        head.extend((text.len() as u32).to_le_bytes());
        head.extend(b"JSON");
        head.extend(text);
        let mut between = Vec::new();
        if !self.bytes.is_empty() {
            between.extend((self.bytes.len() as u32).to_le_bytes());
            between.extend(b"BIN\0");
        }
        [head, between, std::mem::take(&mut self.bytes)]
    }
}

fn placed(pose: &Pose) -> Map<String, Value> {
    let mut node = Map::new();
    if pose.position != DVec3::ZERO {
        node.insert("translation".to_owned(), json!(pose.position.to_array()));
    }
    if pose.rotation != DQuat::IDENTITY {
        node.insert("rotation".to_owned(), json!(pose.rotation.to_array()));
    }
    node
}
