//! The recording of a replay page: a text that names everything, then meshes, tracks and parts of frames, compressed.
//!
//! Positions are whole multiples of a quantum, rotations of 1/32767; of each number in a track its change of change is written, which is 0 for what
//! moves evenly. The page's script reads it.

use crate::core::replay::{Frame, ObjectId, Replay};
use crate::core::scene::{Movement, Object};
use crate::core::shape::{Aabb, Pose, Shape, Solid, SolidShape};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use glam::{DQuat, DVec3};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write as _};
use std::ops::RangeInclusive;

/// Poses that a page may hold: 64 bytes each once it is open.
pub const POSES: usize = 8_000_000;
/// Triangles of all meshes in a page; meshes beyond are drawn as boxes.
const TRIANGLES: usize = 400_000;
/// Part of the smallest moving object that positions are rounded to.
const FINENESS: f64 = 1e-3;
/// Steps of a rotation's components from 0 to 1, and of a mesh's vertices over its size.
const ROTATION_STEPS: f64 = 32767.0;
const VERTEX_STEPS: f64 = 65535.0;
/// Share of the positions on each side that the first view leaves out: what flew away.
const FLOWN: f64 = 0.025;

/// A recording for a page.
pub struct Recorded {
    /// Deflate without a header.
    pub bytes: Vec<u8>,
    /// Metres to which positions are rounded.
    pub quantum: f64,
    /// Meshes that are drawn as boxes.
    pub boxes: usize,
}

/// What is written so far.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn whole(&mut self, mut value: u64) {
        while value > 127 {
            self.bytes.push((value & 127) as u8 | 128);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn signed(&mut self, value: i64) {
        self.whole(((value << 1) ^ (value >> 63)).unsigned_abs());
    }
}

/// The recording of some frames, with the page's own data about findings and numbers in `more`.
///
/// # Errors
/// Never but for memory.
pub fn recorded(
    replay: &Replay,
    frames: &RangeInclusive<u32>,
    mut more: Value,
) -> io::Result<Recorded> {
    let states: Vec<_> = (*frames.start()..=*frames.end() + 1)
        .map(|state| replay.state(state))
        .collect();
    let objects: Vec<&Object> = replay.objects().iter().collect();
    let pose = |state: usize, id: usize| {
        Some(states[state].body(id as ObjectId)?.pose).filter(Pose::is_finite)
    };
    let tracks: Vec<Vec<Option<Pose>>> = (0..objects.len())
        .map(|id| (0..states.len()).map(|state| pose(state, id)).collect())
        .collect();
    let seen = bounds(&objects, &tracks);
    let quantum = quantum(&objects, &tracks, seen);
    let mut shapes = Shapes::new(0.5 * (seen.max - seen.min).length());
    let listed: Vec<Value> = objects
        .iter()
        .map(|object| listed(object, &mut shapes))
        .collect();
    let mut tail = shapes.written;
    for track in &tracks {
        write_track(&mut tail, track, quantum);
    }
    let parts = write_parts(&mut tail, replay, frames, &tracks);
    let center = 0.5 * (seen.min + seen.max);
    if let Some(more) = more.as_object_mut() {
        let own = [
            ("states", json!(states.len())),
            ("quantum", json!(quantum)),
            ("center", json!(center.to_array())),
            ("radius", json!(shapes.radius)),
            ("objects", json!(listed)),
            ("meshes", json!(shapes.meshes)),
            ("parts", json!(parts)),
        ];
        more.extend(own.map(|(name, value)| (name.to_owned(), value)));
    }
    let text = more.to_string();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&(text.len() as u32).to_le_bytes())?;
    encoder.write_all(text.as_bytes())?;
    encoder.write_all(&tail.bytes)?;
    Ok(Recorded {
        bytes: encoder.finish()?,
        quantum,
        boxes: shapes.boxes,
    })
}

fn reach(object: &Object) -> f64 {
    object.shape.reach().unwrap_or(0.0)
}

fn moves(track: &[Option<Pose>]) -> bool {
    let mut there = track.iter().flatten();
    there
        .next()
        .is_some_and(|first| there.any(|pose| pose.position != first.position))
}

/// What the first view shows: where most of what moves is, and the fixed objects that are not far larger.
fn bounds(objects: &[&Object], tracks: &[Vec<Option<Pose>>]) -> Aabb {
    let moving = || objects.iter().zip(tracks).filter(|(_, track)| moves(track));
    let positions: Vec<DVec3> = moving()
        .flat_map(|(_, track)| track.iter().flatten())
        .map(|pose| pose.position)
        .collect();
    let most = moving()
        .map(|(object, _)| reach(object))
        .fold(0.0, f64::max);
    let ends = |share: f64| {
        DVec3::from_array([0, 1, 2].map(|axis| {
            let mut values: Vec<f64> = positions.iter().map(|position| position[axis]).collect();
            values.sort_by(f64::total_cmp);
            let place = share * values.len().saturating_sub(1) as f64;
            values.get(place.round() as usize).copied().unwrap_or(0.0)
        }))
    };
    let placed = |object: &Object, track: &[Option<Pose>]| {
        object.shape.placed(track.iter().flatten().next()?).aabb()
    };
    let fixed = objects
        .iter()
        .zip(tracks)
        .filter(|(_, track)| !moves(track));
    let fixed: Vec<Aabb> = fixed
        .filter_map(|(object, track)| placed(object, track))
        .collect();
    let mut seen = match positions.is_empty() {
        true => fixed
            .iter()
            .copied()
            .reduce(|a, b| a.union(&b))
            .unwrap_or(Aabb {
                min: -DVec3::ONE,
                max: DVec3::ONE,
            }),
        false => Aabb {
            min: ends(FLOWN),
            max: ends(1.0 - FLOWN),
        }
        .grown(most),
    };
    let size = (seen.max - seen.min).length();
    for one in fixed {
        let cut = Aabb {
            min: one.min.max(seen.min - 0.5 * size),
            max: one.max.min(seen.max + 0.5 * size),
        };
        if cut.min.cmple(cut.max).all() && (one.max - one.min).length() < 3.0 * size {
            seen = seen.union(&cut);
        }
    }
    seen
}

/// A power of two: a thousandth of the smallest moving object, or of the whole, but so that all positions are whole numbers in a double.
fn quantum(objects: &[&Object], tracks: &[Vec<Option<Pose>>], seen: Aabb) -> f64 {
    let sizes = objects
        .iter()
        .zip(tracks)
        .filter(|(_, track)| moves(track))
        .map(|(object, _)| reach(object));
    let whole = (seen.max - seen.min).length();
    let smallest = sizes.filter(|size| *size > 0.0).fold(whole, f64::min);
    let positions = tracks
        .iter()
        .flatten()
        .flatten()
        .map(|pose| pose.position.abs().max_element());
    let farthest = positions.fold(0.0, f64::max);
    let least = (farthest * 2.0_f64.powi(-48)).max(f64::MIN_POSITIVE);
    2.0_f64.powf((smallest * FINENESS).max(least).log2().floor())
}

/// The shapes of a page.
struct Shapes {
    /// Metres: of the first view.
    radius: f64,
    written: Writer,
    /// Vertices, triangles, and the size of a step.
    meshes: Vec<Value>,
    /// Meshes that are written, by their address.
    known: HashMap<usize, (usize, DVec3)>,
    triangles: usize,
    boxes: usize,
}

impl Shapes {
    fn new(radius: f64) -> Self {
        Self {
            radius: if radius > 0.0 { radius } else { 1.0 },
            written: Writer::default(),
            meshes: Vec::new(),
            known: HashMap::new(),
            triangles: 0,
            boxes: 0,
        }
    }

    /// A shape's parts: kind, numbers, position and rotation in the object.
    fn parts(&mut self, shape: &Shape, pose: &Pose, parts: &mut Vec<Value>) {
        let part = |kind: &str, numbers: &[f64], pose: Pose| {
            json!([
                kind,
                numbers,
                pose.position.to_array(),
                pose.rotation.to_array()
            ])
        };
        let capsule = |a: DVec3, b: DVec3, radius: f64| {
            part("c", &[a.x, a.y, a.z, b.x, b.y, b.z, radius], *pose)
        };
        match shape {
            Shape::Sphere { radius } => parts.push(part("s", &[*radius], *pose)),
            Shape::Box { half_extents } => parts.push(part("b", &half_extents.to_array(), *pose)),
            Shape::Capsule(it) => parts.push(capsule(it.segment.a, it.segment.b, it.radius)),
            Shape::Segment(it) => parts.push(capsule(it.a, it.b, 2e-3 * self.radius)),
            Shape::Plane(plane) => {
                let local = Pose {
                    position: plane.normal * (plane.offset - 1e-3 * self.radius),
                    rotation: DQuat::from_rotation_arc(DVec3::Y, plane.normal),
                };
                let size = 6.0 * self.radius;
                parts.push(part(
                    "b",
                    &[size, 1e-3 * self.radius, size],
                    pose.then(&local),
                ));
            }
            Shape::Compound(compound) => {
                for one in compound.parts() {
                    self.parts(&one.shape, &pose.then(&one.pose), parts);
                }
            }
            Shape::Triangle(it) => {
                let (index, low) = self.mesh(&[it.a, it.b, it.c], &[0, 1, 2]);
                parts.push(part("m", &[index as f64], pose.then(&Pose::at(low))));
            }
            Shape::Solid(solid) => {
                let points = surface(solid);
                let corners: Vec<u32> = (0..points.len() as u32).collect();
                let (index, low) = self.mesh(&points, &corners);
                parts.push(part("m", &[index as f64], pose.then(&Pose::at(low))));
            }
            Shape::Mesh(mesh) => {
                let key = std::sync::Arc::as_ptr(mesh) as usize;
                let known = self.known.get(&key).copied();
                let (index, low) = match known {
                    Some(known) => known,
                    None if self.triangles + mesh.count() > TRIANGLES => {
                        self.boxes += 1;
                        let bounds = mesh.aabb();
                        let local = Pose::at(bounds.center());
                        return parts.push(part(
                            "b",
                            &bounds.half_extents().to_array(),
                            pose.then(&local),
                        ));
                    }
                    None => {
                        let points: Vec<DVec3> = mesh.vertices().collect();
                        let corners: Vec<u32> = mesh.triangles().flatten().collect();
                        self.mesh(&points, &corners)
                    }
                };
                self.known.insert(key, (index, low));
                parts.push(part("m", &[index as f64], pose.then(&Pose::at(low))));
            }
        }
    }

    /// Writes a mesh; returns its number and its lowest corner, from which its vertices are counted.
    fn mesh(&mut self, points: &[DVec3], corners: &[u32]) -> (usize, DVec3) {
        let bounds = Aabb::of_points(points.iter().copied()).unwrap_or(Aabb {
            min: DVec3::ZERO,
            max: DVec3::ZERO,
        });
        let step = ((bounds.max - bounds.min).max_element() / VERTEX_STEPS).max(f64::MIN_POSITIVE);
        for axis in 0..3 {
            let mut before = 0;
            for point in points {
                let value = ((point[axis] - bounds.min[axis]) / step).round() as i64;
                self.written.signed(value - before);
                before = value;
            }
        }
        let mut before = 0;
        for corner in corners {
            self.written.signed(i64::from(*corner) - before);
            before = i64::from(*corner);
        }
        self.triangles += corners.len() / 3;
        self.meshes
            .push(json!([points.len(), corners.len() / 3, step]));
        (self.meshes.len() - 1, bounds.min)
    }
}

/// The corners of a solid's triangles; a radius around its core moves them away from the centre.
fn surface(solid: &SolidShape) -> Vec<DVec3> {
    let (center, radius) = (solid.centroid(), solid.radius());
    let grown =
        |point: DVec3| point + (point - center).try_normalize().unwrap_or(DVec3::ZERO) * radius;
    solid.surface().into_iter().flatten().map(grown).collect()
}

fn listed(object: &Object, shapes: &mut Shapes) -> Value {
    let mut parts = Vec::new();
    shapes.parts(&object.shape, &Pose::IDENTITY, &mut parts);
    let color = object
        .color
        .map(|color| color.map(|part| f64::from(part) / 255.0));
    json!({
        "n": object.name,
        "f": u8::from(object.movement == Movement::Fixed),
        "s": u8::from(object.sensor),
        "c": color,
        "r": reach(object),
        "p": parts,
    })
}

/// Runs in which the object is absent and present in turn, then each component.
fn write_track(out: &mut Writer, track: &[Option<Pose>], quantum: f64) {
    for run in track.chunk_by(|a, b| a.is_some() == b.is_some()) {
        if run[0].is_some() && std::ptr::eq(run.as_ptr(), track.as_ptr()) {
            out.whole(0);
        }
        out.whole(run.len() as u64);
    }
    let mut before: Option<DQuat> = None;
    let rows: Vec<[i64; 7]> = track
        .iter()
        .flatten()
        .map(|pose| {
            // Of the two quaternions of a rotation the one that continues the last.
            let rotation = if before.is_some_and(|last| last.dot(pose.rotation) < 0.0) {
                -pose.rotation
            } else {
                pose.rotation
            };
            before = Some(rotation);
            let position = (pose.position / quantum).round().to_array();
            let turned = (rotation.normalize() * ROTATION_STEPS)
                .to_array()
                .map(f64::round);
            let [x, y, z] = position.map(|value| value as i64);
            let [i, j, k, w] = turned.map(|value| value as i64);
            [x, y, z, i, j, k, w]
        })
        .collect();
    let is_still = rows.iter().all(|row| *row == rows[0]);
    out.whole(u64::from(is_still));
    for part in 0..7 {
        let (mut last, mut change) = (0, 0);
        for (place, row) in rows
            .iter()
            .take(if is_still { 1 } else { rows.len() })
            .enumerate()
        {
            out.signed(row[part] - last - change);
            change = if place > 0 { row[part] - last } else { 0 };
            last = row[part];
        }
    }
}

/// The parts of frames in which an object does not move straight from one state to the next; returns how many.
fn write_parts(
    out: &mut Writer,
    replay: &Replay,
    frames: &RangeInclusive<u32>,
    tracks: &[Vec<Option<Pose>>],
) -> usize {
    let mut count = 0;
    for (local, number) in frames.clone().enumerate() {
        let frame: &Frame = &replay.frame(number);
        for (id, track) in tracks.iter().enumerate() {
            let (Some(start), Some(end)) = (track[local], track[local + 1]) else {
                continue;
            };
            let segments = frame.segments(id as ObjectId);
            let is_straight = segments.len() == 1
                && segments[0].motion.start == start
                && segments[0].motion.end == end;
            if is_straight || (start == end && segments.is_empty()) {
                continue;
            }
            // A body that is put elsewhere stays until the end.
            let stays = segments.is_empty().then_some((0.0, 1.0, start, start));
            let parts = segments.iter().map(|segment| {
                (
                    segment.from,
                    segment.to,
                    segment.motion.start,
                    segment.motion.end,
                )
            });
            for (from, to, start, end) in parts.chain(stays) {
                out.whole(id as u64);
                out.whole(local as u64);
                let numbers = [from, to]
                    .into_iter()
                    .chain([start, end].into_iter().flat_map(|pose| {
                        pose.position
                            .to_array()
                            .into_iter()
                            .chain(pose.rotation.to_array())
                    }));
                numbers.for_each(|number| out.bytes.extend(number.to_le_bytes()));
                count += 1;
            }
        }
    }
    count
}
