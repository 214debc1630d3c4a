//! Why a ray or a sphere sweep of a log met nothing, where the exact answer is none either: what it stops before, passes, or filters.

use super::escape::escaped;
use crate::core::query::{self, ray_cast};
use crate::core::replay::{LoggedQuery, ObjectId, Replay};
use crate::core::scene::Object;
use crate::core::shape::{Pose, Segment, Shape};

/// How far beyond its end an obstacle is looked for, as a multiple of its length (no unit).
const BEYOND: f64 = 1.0;

/// Why a query met nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MissReason {
    /// The object is in its way, and its layer is not in the mask of the query.
    Filtered {
        /// The object.
        object: ObjectId,
    },
    /// The object is on its line, beyond its end, metres.
    TooShort {
        /// The object.
        object: ObjectId,
        /// From the end to the object.
        rest: f64,
    },
    /// The nearest object beside it, metres.
    Beside {
        /// The object.
        object: ObjectId,
        /// From the query, its radius left out.
        distance: f64,
    },
}

/// Why a query of a state met nothing, the most telling reason first. None where it has a hit, where something that it tests is in its way, and for
/// sweeps of other shapes than a sphere.
pub fn explain_miss(replay: &Replay, state: u32, asked: &LoggedQuery) -> Vec<MissReason> {
    let finite = asked.from.is_finite() && asked.to.is_finite() && asked.radius.is_finite();
    if asked.hit.is_some() || asked.shape.is_some() || !finite {
        return Vec::new();
    }
    let bodies = replay.at(state);
    let caster = asked
        .object
        .and_then(|id| replay.objects().get(id as usize));
    let objects = (0..).zip(replay.objects());
    let others = objects.filter(|(id, object)| {
        let tested = caster.is_none_or(|caster| caster.collides_with(object));
        Some(*id) != asked.object && !object.sensor && tested
    });
    let placed = others.filter_map(|(id, object)| {
        let pose = bodies.body(id)?.pose;
        pose.is_finite().then_some((id, object, pose))
    });
    let line = Segment {
        a: asked.from,
        b: asked.to,
    };
    let shape = Shape::Segment(line);
    let of_line = shape.placed(&Pose::IDENTITY);
    let (mut filtered, mut beside): (Option<(ObjectId, f64)>, _) = (None, None);
    let mut beyond = None;
    for (id, object, pose) in placed {
        let Some(gap) = query::gap(&of_line, &object.shape.placed(&pose)) else {
            continue;
        };
        let distance = gap.distance - asked.radius;
        if asked.mask.is_some_and(|mask| mask & object.layer == 0) {
            if distance <= 0.0 {
                keep_nearest(&mut filtered, id, asked.from.distance(gap.point_a));
            }
            continue;
        }
        if distance <= 0.0 {
            return Vec::new();
        }
        keep_nearest(&mut beside, id, distance);
        if let Some(rest) = rest(&line, object, &pose) {
            keep_nearest(&mut beyond, id, rest - asked.radius);
        }
    }
    let filtered = filtered.map(|(object, _)| MissReason::Filtered { object });
    let short = beyond.map(|(object, rest)| MissReason::TooShort { object, rest });
    // The object beyond its end is not said twice.
    let other = beside.filter(|(id, _)| beyond.is_none_or(|(beyond, _)| beyond != *id));
    let beside = other.map(|(object, distance)| MissReason::Beside { object, distance });
    filtered.into_iter().chain(short).chain(beside).collect()
}

fn keep_nearest(nearest: &mut Option<(ObjectId, f64)>, id: ObjectId, distance: f64) {
    if nearest.is_none_or(|(_, known)| distance < known) {
        *nearest = Some((id, distance));
    }
}

/// How far beyond the end of a line its continuation meets an object.
fn rest(line: &Segment, object: &Object, pose: &Pose) -> Option<f64> {
    let further = Segment {
        a: line.b,
        b: line.b + (line.b - line.a) * BEYOND,
    };
    let hit = ray_cast(&further, &object.shape, pose).filter(|hit| !hit.back)?;
    Some(hit.fraction * further.a.distance(further.b))
}

impl MissReason {
    /// The sentence, without its full stop.
    pub fn text(&self, replay: &Replay) -> String {
        let length = |metres: f64| replay.units().length(metres);
        let name = |id: ObjectId| escaped(&replay.objects()[id as usize].name).into_owned();
        match *self {
            Self::Filtered { object } => {
                let layer = replay.objects()[object as usize].layer;
                format!(
                    "{} is in its way, but its layer {layer:#x} is not in the mask of the query",
                    name(object),
                )
            }
            Self::TooShort { object, rest } => {
                format!("it ends {} before {}", length(rest), name(object))
            }
            Self::Beside { object, distance } => {
                format!("it passes {} beside {}", length(distance), name(object))
            }
        }
    }
}
