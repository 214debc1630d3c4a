//! Presence of an object in a frame: with a path through it, or the reason why there is none.

use crate::core::replay::{Frame, ObjectId};
use crate::core::scene::Objects;
use crate::core::schema::UserUnits;
use glam::DVec3;

/// Presence of an object in a frame. Positions are world, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Presence {
    /// The level has no such object.
    Unknown,
    /// Present at both ends, with a known path.
    Travels,
    /// At neither end.
    Absent,
    /// At the end alone.
    Appears(DVec3),
    /// At the start alone.
    Leaves(DVec3),
    /// Teleported at the end.
    Teleported {
        /// At the start.
        from: DVec3,
        /// At the end.
        to: DVec3,
    },
    /// Frames are missing in the recording: the path is unknown.
    Unrecorded {
        /// At the start.
        from: DVec3,
        /// At the end.
        to: DVec3,
    },
}

impl Presence {
    /// Of one object of a level.
    pub fn of(objects: &Objects, frame: &Frame, id: ObjectId) -> Self {
        if id as usize >= objects.len() {
            return Self::Unknown;
        }
        if !frame.segments(id).is_empty() {
            return Self::Travels;
        }
        match (frame.start.body(id), frame.end.body(id)) {
            (None, None) => Self::Absent,
            (None, Some(end)) => Self::Appears(end.pose.position),
            (Some(start), None) => Self::Leaves(start.pose.position),
            (Some(start), Some(end)) => {
                let (from, to) = (start.pose.position, end.pose.position);
                if end.teleported {
                    Self::Teleported { from, to }
                } else {
                    Self::Unrecorded { from, to }
                }
            }
        }
    }

    /// Why it has no path to sweep; `None` when it has one, or does not exist.
    pub fn sentence(&self, name: &str, units: UserUnits) -> Option<String> {
        Some(match *self {
            Self::Unknown | Self::Travels => return None,
            Self::Absent => format!("`{name}` is absent in this frame."),
            Self::Appears(at) => format!(
                "`{name}` appears at the end of this frame, at {}: it has no path to sweep.",
                units.point(at)
            ),
            Self::Leaves(at) => format!(
                "`{name}` is at {} when this frame starts, and absent when it ends: it has no path to sweep.",
                units.point(at)
            ),
            Self::Teleported { from, to } => format!(
                "`{name}` was teleported by {}, from {} to {}: there is no path to sweep.",
                units.length(from.distance(to)),
                units.point(from),
                units.point(to)
            ),
            Self::Unrecorded { from, to } => format!(
                "Frames are missing here: the path of `{name}` from {} to {}, {} away, is unknown, so nothing is swept.",
                units.point(from),
                units.point(to),
                units.length(from.distance(to))
            ),
        })
    }
}
