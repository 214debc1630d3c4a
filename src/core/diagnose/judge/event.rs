//! An event of a pair in an interval, and the results of overlap tests.

use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::shape_metrics::is_surface;
use crate::core::query::{Contact, RayHit};
use crate::core::shape::Shape;
use crate::core::tolerance::FAR_SIDE_COSINE;
use glam::DVec3;

/// The part numbers of mover and obstacle, `None` for a shape that is not a compound.
pub type Parts = [Option<u32>; 2];

/// The surface through which a mover came into an obstacle, as that carries it to the start of an interval; world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    pub point: DVec3,
    /// Unit, from the obstacle toward the mover.
    pub normal: DVec3,
    /// The unit normal of the obstacle where the mover's centre came out of it since then; `None` if it did not.
    pub exit: Option<DVec3>,
}

/// An event of a pair, with all that its causes need.
#[derive(Clone, Debug, PartialEq)]
pub struct PairEvent {
    pub kind: Kind,
    /// Time of impact, fraction of the interval.
    pub fraction: f64,
    /// World, metres.
    pub point: DVec3,
    /// Unit, from the obstacle toward the mover at the impact.
    pub normal: DVec3,
    pub approach: Approach,
    /// Overlap at its end.
    pub end: Option<Contact>,
    /// The mesh triangle that was hit.
    pub triangle: Option<u32>,
    /// Found on that triangle alone.
    pub alone: bool,
    /// The parts of compounds that it was found on.
    pub parts: Parts,
    /// The rotation of the pair; `None` where the shapes were swept without it.
    pub turned: Option<Turned>,
    /// The first touch is on a round part of the obstacle: its plane is passed wherever the mover's centre goes.
    pub round: bool,
    /// How the mover is inside, where it neither passes nor is pushed on.
    pub inside: Option<Inside>,
}

/// A mover that sinks without passing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// For the first time wholly inside the obstacle.
    Wholly,
    /// Deeper than it rests for [`STAYS_INSIDE`](crate::core::tolerance::STAYS_INSIDE).
    Stays,
}

/// How the pair came to touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Approach {
    /// Apart when the interval began. `detected`: the fraction of the interval during which an overlap test detects the
    /// pair; `None` when the frame ends in overlap, and when the exit is not found.
    Apart { detected: Option<f64> },
    /// From behind a one-sided surface, where no test detects it.
    Behind,
    /// They overlapped when the interval began.
    Overlap(Contact),
}

impl PairEvent {
    /// An event of whole shapes, without an overlap at its end.
    pub fn new(
        kind: Kind,
        fraction: f64,
        (point, normal): (DVec3, DVec3),
        approach: Approach,
    ) -> Self {
        Self {
            kind,
            fraction,
            point,
            normal,
            approach,
            end: None,
            triangle: None,
            alone: false,
            parts: [None; 2],
            turned: None,
            round: false,
            inside: None,
        }
    }

    /// The event of an overlap in which the interval begins.
    pub fn overlapping(kind: Kind, start: Contact) -> Self {
        let approach = Approach::Overlap(start);
        Self {
            triangle: start.triangle,
            ..Self::new(kind, 0.0, (start.point, start.normal), approach)
        }
    }

    /// Overlap at the start of the interval.
    pub fn start(&self) -> Option<Contact> {
        match self.approach {
            Approach::Overlap(contact) => Some(contact),
            Approach::Apart { .. } | Approach::Behind => None,
        }
    }

    pub fn is_from_behind(&self) -> bool {
        matches!(self.approach, Approach::Behind)
    }

    /// Fraction of the interval during which an overlap test detects the pair, where known.
    pub fn detected_for(&self) -> Option<f64> {
        match self.approach {
            Approach::Apart { detected } => detected,
            Approach::Behind => Some(0.0),
            Approach::Overlap(_) => None,
        }
    }
}

/// The rotation of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turned {
    /// Without rotation they miss, or it leads to no event.
    pub held_misses: bool,
    /// Displacement that rotation adds at the touching point, at the rate of that moment, metres.
    pub swing: DVec3,
}

/// Result of an overlap test at one frame end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PhaseOutcome {
    /// Not detected, and the body is on the far side.
    Missed,
    /// Not detected, and the body is on the side it came from.
    Clipped,
    /// Detected past the contact plane, and not pushed back: out on the far side, or sideways.
    WrongSide,
    /// Detected, and pushed back.
    Resolved,
}

impl PhaseOutcome {
    /// From the best to the worst.
    pub const ALL: [Self; 4] = [Self::Resolved, Self::Clipped, Self::WrongSide, Self::Missed];

    /// A few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missed => "tunnels",
            Self::Clipped => "clips",
            Self::WrongSide => "wrong side",
            Self::Resolved => "held",
        }
    }

    /// A sentence without its full stop.
    pub fn help(self) -> &'static str {
        match self {
            Self::Missed => "No test detects the overlap, and the body is on the far side",
            Self::Clipped => {
                "No test detects the overlap; the body crosses a corner and is on its own side again"
            }
            Self::WrongSide => "A test detects the overlap, and the push ends on the far side",
            Self::Resolved => "A test detects the overlap, and the push moves the body back",
        }
    }

    /// The worse of two, in the order of [`PhaseOutcome::ALL`].
    #[must_use]
    pub fn worse(self, other: Self) -> Self {
        let rank = |one: Self| Self::ALL.iter().position(|known| *known == one);
        if rank(other) > rank(self) {
            other
        } else {
            self
        }
    }
}

/// Counts of the diagnosis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JudgeStats {
    /// Sweeps made.
    pub sweeps: u64,
    /// Crossings of rotating or bounding shapes that no centre's path proves.
    pub unproven: u64,
    /// Depth of the overlap with which the last pair began, metres; 0 where it was apart.
    pub start_depth: f64,
    /// Pairs that were skipped, as both objects have
    /// [`FINDINGS_PER_OBJECT`](crate::core::tolerance::FINDINGS_PER_OBJECT) findings in the frame already.
    pub left_out: u64,
}

/// Whether the push of an overlap points out behind a contact plane, and not merely sideways.
pub fn points_out_behind(contact: &Contact, normal: DVec3) -> bool {
    contact.normal.dot(normal) < -FAR_SIDE_COSINE
}

/// Whether the push of an overlap points back in front of a contact plane. One that points sideways lets the body slip past.
pub fn pushes_back(contact: &Contact, normal: DVec3) -> bool {
    contact.normal.dot(normal) > FAR_SIDE_COSINE
}

/// Whether a hit of the reversed path is an exit of a solid: not if it hits from inside.
pub fn comes_out(hit: &RayHit, solid: &Shape) -> bool {
    is_surface(solid) || !hit.back
}
