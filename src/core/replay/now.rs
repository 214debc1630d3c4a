//! Quantities of an object or a pair at one moment.

use super::history::Subject;
use super::history::speed;
use super::pair_motion::PairMotion;
use super::{Frame, ObjectId, Phase, Replay, history};
use crate::core::query;
use glam::DVec3;

/// A pair at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairNow {
    /// Metres; negative when they overlap. `None` where two shapes have no distance.
    pub gap: Option<f64>,

    /// Relative speed over this frame, m/s; `None` when one of them was teleported.
    pub speed: Option<f64>,
    /// First impact, fraction of the frame.
    pub impact: Option<f64>,
    /// Length of this frame's pushes between them, metres.
    pub push: f64,
}

/// An object at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectNow {
    /// World, metres.
    pub position: DVec3,
    /// Travel over the frame's seconds, m/s; `None` when it was teleported.
    pub speed: Option<f64>,
    /// Length of this frame's pushes, metres.
    pub push: f64,
    /// The first impact of this frame: fraction and other object.
    pub impact: Option<(f64, ObjectId)>,
}

/// Quantities of a subject at a moment.
#[derive(Clone, Debug, PartialEq)]
pub enum Now {
    /// These objects are not present at this frame.
    Absent(Vec<ObjectId>),
    /// An object.
    Object(ObjectNow),
    /// A pair.
    Pair(PairNow),
}

/// The quantities of a subject at a fraction of a frame; absent for the level itself.
pub fn now(replay: &Replay, frame: &Frame, fraction: f64, subject: Subject) -> Now {
    let absent: Vec<ObjectId> = subject
        .objects()
        .filter(|&id| frame.pose(id, fraction).is_none())
        .collect();
    match subject {
        _ if !absent.is_empty() => Now::Absent(absent),
        Subject::Level => Now::Absent(absent),
        Subject::Object(id) => of_object(replay, frame, fraction, id),
        Subject::Pair(a, b) => of_pair(replay, frame, fraction, a, b),
    }
}

fn of_object(replay: &Replay, frame: &Frame, fraction: f64, id: ObjectId) -> Now {
    let Some(pose) = frame.pose(id, fraction) else {
        return Now::Absent(vec![id]);
    };
    let partners = history::candidates(frame).filter_map(|(a, b)| match id {
        _ if id == a => Some(b),
        _ if id == b => Some(a),
        _ => None,
    });
    let impacts = partners.filter_map(|other| {
        let pair = PairMotion::of(replay, frame, id, other).filter(|pair| !pair.stay_apart())?;
        let first = pair.timeline().impacts.first().copied()?;
        Some((first, other))
    });
    Now::Object(ObjectNow {
        position: pose.position,
        speed: speed(frame, id),
        push: pushes(frame, |object, _| object == id),
        impact: impacts.min_by(|one, other| one.0.total_cmp(&other.0)),
    })
}

fn of_pair(replay: &Replay, frame: &Frame, fraction: f64, a: ObjectId, b: ObjectId) -> Now {
    let objects = replay.objects();
    let placed = |id: ObjectId| Some((objects.get(id as usize)?, frame.pose(id, fraction)?));
    let (Some((one, pose_a)), Some((other, pose_b))) = (placed(a), placed(b)) else {
        return Now::Absent(vec![a, b]);
    };
    let gap = query::gap(&one.shape.placed(&pose_a), &other.shape.placed(&pose_b));
    let pair_motion = PairMotion::of(replay, frame, a, b);
    Now::Pair(PairNow {
        gap: gap.map(|gap| gap.distance),
        speed: relative_speed(frame, a, b),
        impact: pair_motion.and_then(|pair| pair.timeline().impacts.first().copied()),
        push: pushes(frame, |object, against| {
            (object == a && against == Some(b)) || (object == b && against == Some(a))
        }),
    })
}

fn relative_speed(frame: &Frame, a: ObjectId, b: ObjectId) -> Option<f64> {
    let way = |id: ObjectId| {
        let segments = frame.segments(id);
        let (first, last) = (segments.first()?, segments.last()?);
        Some(last.motion.end.position - first.motion.start.position)
    };
    let speed = (way(a)? - way(b)?).length() / frame.dt;
    speed.is_finite().then_some(speed)
}

fn pushes(frame: &Frame, is_meant: impl Fn(ObjectId, Option<ObjectId>) -> bool) -> f64 {
    let lengths = frame.phases.iter().filter_map(|phase| match phase {
        Phase::Push {
            object,
            against,
            push,
            ..
        } if is_meant(*object, *against) => Some(push.length()),
        _ => None,
    });
    lengths.sum()
}
