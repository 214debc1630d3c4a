//! Kinds of findings.

use serde::{Deserialize, Serialize};

/// Kind of a finding: what happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Kind {
    /// The sweep hits inside the frame, no overlap test at its ends detects it, and the mover ends on the far side.
    Tunnels,
    /// The same, but the mover ends on the side it came from: it cuts a corner or flank.
    Clips,
    /// Overlap at the frame's end, and the shortest push points out on the far side.
    WrongSide,
    /// Overlap already at the first frame it exists, or after a teleport.
    StartsInside,
    /// Overlap or touch when the frame began, and the mover ends on the far side; or a push to the far side after contact in two states.
    Sinks,
    /// The camera's path, probe or near plane passes through a surface.
    CameraCrosses,
    /// A logged push, contact or query answer that the exact result does not support.
    Phantom,
    /// A value that is not finite, a normal that is zero, or a position that single precision cannot change.
    BadNumber,
}

impl Kind {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Self; 8] = [
        Self::Tunnels,
        Self::Clips,
        Self::WrongSide,
        Self::StartsInside,
        Self::Sinks,
        Self::CameraCrosses,
        Self::Phantom,
        Self::BadNumber,
    ];

    /// Its name in files, on the command line and in the window.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tunnels => "Tunnels",
            Self::Clips => "Clips",
            Self::WrongSide => "WrongSide",
            Self::StartsInside => "StartsInside",
            Self::Sinks => "Sinks",
            Self::CameraCrosses => "CameraCrosses",
            Self::Phantom => "Phantom",
            Self::BadNumber => "BadNumber",
        }
    }

    /// Whether a finding of it fails a run by default: all but the two that often are not a fault, a corner cut and a level that starts with
    /// overlaps.
    pub fn fails_by_default(self) -> bool {
        !matches!(self, Self::Clips | Self::StartsInside)
    }

    /// Whether the mover ends on the far side, or is pushed there.
    pub fn passes(self) -> bool {
        matches!(self, Self::Tunnels | Self::WrongSide | Self::Sinks)
    }

    /// The kind of a name, in any case.
    ///
    /// # Errors
    /// Which kinds there are.
    pub fn parse(word: &str) -> Result<Self, String> {
        let mut kinds = Self::ALL.into_iter();
        let found = kinds.find(|kind| kind.name().eq_ignore_ascii_case(word));
        found.ok_or_else(|| {
            let kinds = Self::ALL.map(Self::name).join(", ");
            format!("unknown kind \"{word}\": expected {kinds}")
        })
    }

    /// Its meaning in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Tunnels => {
                "The pair collides within the frame, the overlap tests at both ends find nothing, and the mover ends on the far side."
            }
            Self::Clips => {
                "The pair collides within the frame and no overlap test finds it, but the mover ends on the side it came from: it cut a corner or an edge."
            }
            Self::WrongSide => {
                "The pair overlaps at the end of the frame for the first time, and the smallest push-out leads to the far side."
            }
            Self::StartsInside => {
                "The pair overlaps in its first frame, or right after a teleport."
            }
            Self::Sinks => {
                "The pair was in contact, and the mover then left or was pushed out on the far side: the response let it through."
            }
            Self::CameraCrosses => {
                "The camera's path, its probe or its near plane crosses a surface."
            }
            Self::Phantom => {
                "A push, a logged contact or a logged query that the exact queries do not support, or a contact that they have and the log lacks."
            }
            Self::BadNumber => {
                "A value that is not finite, a direction of zero length, or a position that single precision cannot change."
            }
        }
    }

    /// Whether it depends on where in a frame the pair touches, so that the phases decide it.
    pub(super) fn depends_on_phase(self) -> bool {
        matches!(self, Self::Tunnels | Self::Clips | Self::WrongSide)
    }

    /// Its place in a list of the worst first, from 0: what has no position any more, what is let through, then what overlaps or is reported wrong.
    pub fn rank(self) -> usize {
        let worst_first = [
            Self::BadNumber,
            Self::Tunnels,
            Self::WrongSide,
            Self::Sinks,
            Self::CameraCrosses,
            Self::Clips,
            Self::StartsInside,
            Self::Phantom,
        ];
        let place = worst_first.iter().position(|kind| *kind == self);
        place.unwrap_or(worst_first.len())
    }

    /// By name, exactly as written by [`Kind::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
