//! What stopped a character, as a value and as a sentence.

use crate::core::escape::escaped;
use crate::core::number::degrees;
use crate::core::replay::{ObjectId, Replay};

/// What stopped a character, or let it leave the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MoveReason {
    /// Nothing that has the controller's normal is in the way; free is how far, metres.
    InnerEdge {
        /// What the controller met.
        object: ObjectId,
        /// The way on which nothing is, metres.
        free: f64,
    },
    /// The surface is too steep, degrees.
    TooSteep {
        /// The surface.
        object: ObjectId,
        /// Its slope.
        slope: f64,
        /// The steepest that is walked on.
        limit: f64,
    },
    /// The step is too high, metres.
    TooHigh {
        /// The step.
        object: ObjectId,
        /// Above the floor.
        height: f64,
        /// The highest that is climbed.
        limit: f64,
    },
    /// The step is low enough, and something above it is in the way.
    NoRoom {
        /// The step.
        object: ObjectId,
        /// What is above it.
        above: ObjectId,
        /// Above the floor, metres.
        height: f64,
        /// How far it would be raised: by the step's height, or as some controllers do, by all of the highest step, metres.
        rise: f64,
    },
    /// A step that is low enough or of which the limit is not known.
    Step {
        /// The step.
        object: ObjectId,
        /// Above the floor, metres.
        height: f64,
        /// The highest that is climbed, metres.
        limit: Option<f64>,
    },
    /// A surface that is too high for a step.
    Wall {
        /// The wall.
        object: ObjectId,
    },
    /// A surface above it, under which it does not get farther.
    Ceiling {
        /// The surface.
        object: ObjectId,
    },
    /// Nothing that it met explains that it stopped, and nothing is in its way, metres.
    Lost {
        /// The way on which nothing is.
        free: f64,
    },
    /// The floor below is farther away than the controller reaches, metres.
    SnapMissed {
        /// The floor.
        object: ObjectId,
        /// How far below it is.
        gap: f64,
        /// How far it reaches.
        limit: f64,
    },
    /// A floor is within reach, and what is first met on the way down to it is too steep to stand on.
    TooSteepBelow {
        /// What is met.
        object: ObjectId,
        /// Of the touch, degrees.
        slope: f64,
        /// The steepest that is walked on.
        limit: f64,
        /// The floor.
        floor: ObjectId,
        /// How far below it is, metres.
        gap: f64,
    },
    /// The controller says that it stands on a floor, and there is none within a distance, metres.
    NoFloor {
        /// As far below was looked.
        within: f64,
    },
    /// It overlaps an obstacle before or after its move, metres.
    Inside {
        /// The obstacle.
        object: ObjectId,
        /// How deep.
        depth: f64,
        /// After the move.
        after: bool,
    },
}

impl MoveReason {
    /// The sentence, without its full stop.
    pub fn text(&self, replay: &Replay) -> String {
        let length = |metres: f64| replay.units().length(metres);
        let angle = |slope: f64| degrees(slope.to_radians());
        let name = |id: ObjectId| name(replay, id);
        match *self {
            Self::InnerEdge { object, free } => format!(
                "nothing is in the way for {}: {} stops it at an inner edge, with a normal that no surface there has",
                length(free),
                name(object),
            ),
            Self::TooSteep {
                object,
                slope,
                limit,
            } => format!(
                "{} rises {}, {} more than the steepest floor of {}",
                name(object),
                angle(slope),
                angle(slope - limit),
                angle(limit),
            ),
            Self::TooHigh {
                object,
                height,
                limit: 0.0,
            } => format!(
                "{} is a step of {}, and the controller climbs none",
                name(object),
                length(height),
            ),
            Self::TooHigh {
                object,
                height,
                limit,
            } => format!(
                "{} is a step of {}, {} more than the highest step of {}",
                name(object),
                length(height),
                length(height - limit),
                length(limit),
            ),
            Self::NoRoom {
                object,
                above,
                height,
                rise,
            } => format!(
                "{} is a step of {}, which is low enough, but {} leaves no room to raise it by {}",
                name(object),
                length(height),
                name(above),
                length(rise),
            ),
            Self::Step {
                object,
                height,
                limit: Some(limit),
            } => format!(
                "{} is a step of {}, low enough for the highest step of {}, with room above it",
                name(object),
                length(height),
                length(limit),
            ),
            Self::Step { object, height, .. } => {
                format!("{} is a step of {}", name(object), length(height))
            }
            Self::Wall { object } => format!("{} is a wall", name(object)),
            Self::Ceiling { object } => format!("{} is in the way above it", name(object)),
            Self::Lost { free } => format!("nothing is in the way for {}", length(free)),
            Self::SnapMissed { object, gap, limit } => format!(
                "the next floor, {}, is {} below, {} more than the snap of {}",
                name(object),
                length(gap),
                length(gap - limit),
                length(limit),
            ),
            Self::TooSteepBelow {
                object,
                slope,
                limit,
                floor,
                gap,
            } => format!(
                "{} is met at {} on the way down, {} more than the steepest floor of {}, so it is not held to {}, {} below",
                name(object),
                angle(slope),
                angle(slope - limit),
                angle(limit),
                name(floor),
                length(gap),
            ),
            Self::NoFloor { within } => {
                format!("there is no floor within {} below", length(within))
            }
            Self::Inside {
                object,
                depth,
                after,
            } => format!(
                "it {} {} inside {}",
                if after { "ends" } else { "begins" },
                length(depth),
                name(object),
            ),
        }
    }
}

/// The name of an object, escaped.
pub(super) fn name(replay: &Replay, id: ObjectId) -> String {
    let object = replay.objects().get(id as usize);
    object.map_or_else(|| "?".to_owned(), |object| escaped(&object.name).into())
}
