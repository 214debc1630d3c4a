//! Candidates for a smaller log of the same objects and frames, the smallest first.

use super::shapes::{cut, simpler_shapes};
use crate::core::diagnose::{Finding, swept};
use crate::core::replay::{FrameData, FrameStore, Recording};
use crate::core::scene::Object;
use crate::core::shape::{Aabb, Motion, Pose, Shape};
use glam::{DQuat, DVec3};

/// Sizes of the box in which triangles stay: multiples of the mover's swept box.
const BOXES: [f64; 4] = [0.05, 0.5, 2.0, 8.0];

/// Decimals of metres, and of metres per second, from the fewest on.
const DECIMALS: std::ops::RangeInclusive<i32> = 1..=7;

/// Meshes cut to what the other object comes near to.
pub fn triangles(recording: &Recording, finding: &Finding) -> Vec<Recording> {
    let pair = [&finding.a, &finding.b];
    let place = |name: &String| recording.objects.iter().position(|one| one.name == *name);
    let Some([a, b]) = both(pair.map(place)) else {
        return Vec::new();
    };
    let candidates = BOXES.iter().filter_map(|share| {
        let mut made = recording.clone();
        let mut changed = false;
        for (of, by) in [(a, b), (b, a)] {
            let Some(near) = relative_box(recording, of, by) else {
                continue;
            };
            let near = near.grown(share * 2.0 * near.half_extents().max_element());
            if let Some(shape) = cut(&recording.objects[of].shape, &near) {
                made.objects[of].shape = shape;
                changed = true;
            }
        }
        changed.then_some(made)
    });
    candidates.collect()
}

fn both<T>(pair: [Option<T>; 2]) -> Option<[T; 2]> {
    let [a, b] = pair;
    Some([a?, b?])
}

/// The box that one object sweeps in the space of another, over all frames.
fn relative_box(recording: &Recording, of: usize, by: usize) -> Option<Aabb> {
    let poses = |object: usize| {
        (0..recording.frames.len())
            .map(move |frame| Some(recording.body_at(frame, object as u32)?.pose))
    };
    let seen: Option<Vec<Pose>> = poses(of)
        .zip(poses(by))
        .map(|(space, body)| {
            let (space, body) = (space?, body?);
            Some(space.to_local(&body))
        })
        .collect();
    let object: &Object = &recording.objects[by];
    let boxes = seen?
        .windows(2)
        .map(|pair| {
            swept(
                object,
                &Motion {
                    start: pair[0],
                    end: pair[1],
                },
            )
        })
        .collect::<Option<Vec<_>>>()?;
    boxes.into_iter().reduce(|a, b| a.union(&b))
}

/// All numbers with fewer decimals: metres, metres per second, radians per second.
pub fn digits(recording: &Recording, _: &Finding) -> Vec<Recording> {
    DECIMALS
        .map(|decimals| rounded(recording, decimals))
        .collect()
}

fn rounded(recording: &Recording, decimals: i32) -> Recording {
    let scale = 10_f64.powi(decimals);
    let number = |value: f64| match (value * scale).is_finite() {
        true => (value * scale).round() / scale,
        false => value,
    };
    let vector = |value: DVec3| DVec3::from(value.to_array().map(number));
    let pose = |pose: Pose| Pose {
        position: vector(pose.position),
        rotation: short(pose.rotation, decimals),
    };
    let mut made = recording.clone();
    made.gravity = made.gravity.map(vector);
    for object in &mut made.objects {
        match &mut object.shape {
            Shape::Sphere { radius } => *radius = size(*radius),
            Shape::Box { half_extents } => {
                *half_extents = DVec3::from(half_extents.to_array().map(size))
            }
            Shape::Solid(solid) => solid
                .measures_mut()
                .into_iter()
                .for_each(|(_, measure)| *measure = size(*measure)),
            _ => {}
        }
        object.mass = size(object.mass);
        object.pose = pose(object.pose);
        object.velocity = vector(object.velocity);
        object.spin = vector(object.spin);
    }
    let frames = recording.data.iter().map(|data| {
        let mut data = FrameData::clone(&data);
        for body in &mut data.bodies {
            body.pose = pose(body.pose);
            body.velocity = body.velocity.map(vector);
            body.spin = body.spin.map(vector);
        }
        for contact in data.contacts.iter_mut() {
            contact.point = vector(contact.point);
            contact.depth = number(contact.depth);
        }
        data
    });
    made.data = frames.collect::<FrameStore>();
    made
}

/// A size with the digits that single precision keeps.
fn size(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}

/// A rotation whose parts have few digits where it stays a rotation with them: no turn, and those about an axis by 90 degrees.
fn short(rotation: DQuat, decimals: i32) -> DQuat {
    let scale = 10_f64.powi(decimals + 2);
    let parts = rotation
        .to_array()
        .map(|part| (part * scale).round() / scale);
    let short = DQuat::from_array(parts);
    let length = short.length();
    if length == 1.0 || !length.is_finite() || length == 0.0 {
        short
    } else {
        short.normalize()
    }
}

/// One object with a simpler shape: both first, then each alone.
pub fn shapes(recording: &Recording, finding: &Finding) -> Vec<Recording> {
    let of_pair = |object: &Object| object.name == finding.a || object.name == finding.b;
    let pair: Vec<usize> = (0..recording.objects.len())
        .filter(|place| of_pair(&recording.objects[*place]))
        .collect();
    let is_flat = recording.units.units.flat;
    let options = |place: usize| simpler_shapes(&recording.objects[place].shape, is_flat);
    let with = |recording: &Recording, place: usize, shape: Shape| {
        let mut made = recording.clone();
        made.objects[place].shape = shape;
        made
    };
    let mut candidates = Vec::new();
    if let [a, b] = pair[..] {
        for one in options(a) {
            for other in options(b) {
                candidates.push(with(&with(recording, a, one.clone()), b, other));
            }
        }
    }
    for place in pair {
        candidates.extend(
            options(place)
                .into_iter()
                .map(|shape| with(recording, place, shape)),
        );
    }
    candidates
}
