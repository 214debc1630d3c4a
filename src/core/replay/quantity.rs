//! What a history is of: the level, an object or a pair, and the quantities of each.

use super::{ObjectId, Replay};
use glam::DVec3;

/// Subject of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// The level itself: its frames.
    Level,
    /// One object.
    Object(ObjectId),
    /// Two objects.
    Pair(ObjectId, ObjectId),
}

impl Subject {
    /// Its objects.
    pub fn objects(self) -> impl Iterator<Item = ObjectId> {
        let (a, b) = match self {
            Self::Level => (None, None),
            Self::Object(id) => (Some(id), None),
            Self::Pair(a, b) => (Some(a), Some(b)),
        };
        a.into_iter().chain(b)
    }

    /// The same pair in the other order is the same subject.
    #[must_use]
    pub fn sorted(self) -> Self {
        match self {
            Self::Pair(a, b) if a > b => Self::Pair(b, a),
            other => other,
        }
    }
}

/// A quantity over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// Distance of a pair, metres; below zero they overlap.
    Gap,
    /// Depth of a pair's overlap, before any push, metres.
    Depth,
    /// Travel of an object in a frame, over the frame's seconds, m/s.
    Speed,
    /// Length of all pushes of a frame together, metres.
    Push,
    /// Seconds of each frame.
    Dt,
    /// Position at each frame's start, world, metres.
    PositionX,
    /// The same along y.
    PositionY,
    /// The same along z.
    PositionZ,
    /// Velocity at each frame's start, world, m/s.
    VelocityX,
    /// The same along y.
    VelocityY,
    /// The same along z.
    VelocityZ,
    /// Angular speed at each frame's start, rad/s.
    Spin,
    /// The deepest logged contact in a frame, metres.
    LoggedDepth,
    /// Length of the logged pushes in a frame, metres.
    LoggedPush,
    /// A value of the program, by its number in [`Recording::value_names`](super::Recording::value_names).
    Value(u8),
}

impl Quantity {
    /// All but the values of a program.
    pub const ALL: [Self; 14] = [
        Self::Gap,
        Self::Depth,
        Self::Speed,
        Self::Push,
        Self::Dt,
        Self::PositionX,
        Self::PositionY,
        Self::PositionZ,
        Self::VelocityX,
        Self::VelocityY,
        Self::VelocityZ,
        Self::Spin,
        Self::LoggedDepth,
        Self::LoggedPush,
    ];

    /// A short name; see [`Replay::quantity_name`].
    pub fn name(self) -> &'static str {
        match self {
            Self::Gap => "gap",
            Self::Depth => "depth",
            Self::Speed => "speed",
            Self::Push => "push",
            Self::Dt => "dt",
            Self::PositionX => "x",
            Self::PositionY => "y",
            Self::PositionZ => "z",
            Self::VelocityX => "velocity x",
            Self::VelocityY => "velocity y",
            Self::VelocityZ => "velocity z",
            Self::Spin => "spin",
            Self::LoggedDepth => "logged depth",
            Self::LoggedPush => "logged push",
            Self::Value(_) => "value",
        }
    }

    /// The quantity that has the values of a component along one of the user's axes, and the sign to give them; `ours` is the direction of such an
    /// axis, of which each is along one of ours. Others are the same.
    pub fn along(self, ours: impl Fn(DVec3) -> DVec3) -> (Self, f64) {
        const POSITION: [Quantity; 3] = [
            Quantity::PositionX,
            Quantity::PositionY,
            Quantity::PositionZ,
        ];
        const VELOCITY: [Quantity; 3] = [
            Quantity::VelocityX,
            Quantity::VelocityY,
            Quantity::VelocityZ,
        ];
        for components in [POSITION, VELOCITY] {
            if let Some(axis) = components.iter().position(|one| *one == self) {
                let direction = ours(DVec3::AXES[axis]);
                let along = direction.abs().max_position();
                return (components[along], direction[along]);
            }
        }
        (self, 1.0)
    }

    /// In SI.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Speed | Self::VelocityX | Self::VelocityY | Self::VelocityZ => "m/s",
            Self::Dt => "s",
            Self::Spin => "rad/s",
            Self::Value(_) => "",
            _ => "m",
        }
    }

    /// Its meaning in a sentence.
    pub fn help(self) -> &'static str {
        match self {
            Self::Gap => "Distance of a pair; below zero they overlap",
            Self::Depth => "How deep a pair overlaps, before any push",
            Self::Speed => "Travel of an object in a frame, over the frame's seconds",
            Self::Push => "Length of all pushes of a frame together",
            Self::Dt => "Seconds of each frame",
            Self::PositionX | Self::PositionY | Self::PositionZ => {
                "Position of an object at each frame's start, world"
            }
            Self::VelocityX | Self::VelocityY | Self::VelocityZ => {
                "Velocity of an object at each frame's start, as the log or the stepping has it"
            }
            Self::Spin => "Angular speed at each frame's start, as the log or the stepping has it",
            Self::LoggedDepth => "The deepest contact that the log itself reports in a frame",
            Self::LoggedPush => "Length of the pushes that the log itself reports in a frame",
            Self::Value(_) => "A value that the program logged of an object or of the level",
        }
    }

    /// Whether it applies to this kind of subject.
    pub fn is_of(self, subject: Subject) -> bool {
        match (self, subject) {
            (Self::Dt, Subject::Level) => true,
            (Self::Value(_), subject) => !matches!(subject, Subject::Pair(..)),
            (Self::Dt, _) | (_, Subject::Level) => false,
            (Self::Gap | Self::Depth, subject) => matches!(subject, Subject::Pair(..)),
            (Self::Push | Self::LoggedDepth, _) => true,
            (_, subject) => matches!(subject, Subject::Object(_)),
        }
    }
}

impl Replay {
    /// The quantities that a level may have, those of its program last.
    pub fn quantities(&self) -> impl Iterator<Item = Quantity> {
        let recording = self.recording();
        let is_known = move |quantity: &Quantity| {
            let of_log = matches!(quantity, Quantity::LoggedDepth | Quantity::LoggedPush);
            !of_log || recording.is_some()
        };
        let names = recording.map_or(&[][..], |recording| &recording.value_names);
        let values = (0..).take(names.len()).map(Quantity::Value);
        Quantity::ALL.into_iter().filter(is_known).chain(values)
    }

    /// The name of a quantity: that of a value is the program's own. Empty for a value that the level does not have.
    pub fn quantity_name(&self, quantity: Quantity) -> &str {
        let Quantity::Value(number) = quantity else {
            return quantity.name();
        };
        let names = self.recording().map(|recording| &recording.value_names);
        let name = names.and_then(|names| names.get(usize::from(number)));
        name.map_or("", String::as_str)
    }
}
