//! A finding is data: sorted, stable, serialisable.

use super::fix::Fix;
use super::group::Group;
use super::piles::PileState;
use super::what_if::WhatIf;
use crate::core::replay::ObjectId;
use serde::{Serialize, Serializer};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Kind {
    /// The sweep hits inside the frame, an overlap test sees nothing at either end, and the mover ends on the far side.
    Tunnels,
    /// The same, but it ends on the side it came from: a corner or flank cut that no overlap test saw.
    Clips,
    /// Overlap at the frame's end, and the shortest push points out on the far side.
    WrongSide,
    /// Overlap already at the first frame it exists, or after a teleport.
    StartsInside,
    /// Overlap or touch was seen when the frame began, and it left on the far side.
    Sinks,
    /// The camera's path, probe or near plane passes through a surface.
    CameraCrosses,
    /// What an engine logged (a push, a contact, the answer of a query) that the exact answer does not support.
    Phantom,
    /// A value that is not finite, or a normal that is zero.
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

    /// As files, the command line and the window write it.
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

    /// By name, exactly as written by [`Kind::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Why it happened: a stable identifier, C01 to C25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cause(u8);

impl Cause {
    /// C01: too fast for too thin.
    pub const TOO_FAST: Self = Self(1);
    /// C02: both move, each swept alone.
    pub const SWEPT_ALONE: Self = Self(2);
    /// C03: slow body, fast obstacle.
    pub const FAST_OBSTACLE: Self = Self(3);
    /// C04: rotation ignored.
    pub const ROTATION: Self = Self(4);
    /// C05: pushed out on the wrong side.
    pub const WRONG_SIDE: Self = Self(5);
    /// C06: pushed into the next wall.
    pub const NEXT_WALL: Self = Self(6);
    /// C07: hidden speed while blocked.
    pub const HIDDEN_SPEED: Self = Self(7);
    /// C08: back face or winding.
    pub const FACING: Self = Self(8);
    /// C09: gap in mesh or broad phase.
    pub const GAP: Self = Self(9);
    /// C10: internal edge.
    pub const INTERNAL_EDGE: Self = Self(10);
    /// C11: speculative ghost.
    pub const GHOST: Self = Self(11);
    /// C12: initial overlap.
    pub const INITIAL_OVERLAP: Self = Self(12);
    /// C13: teleport, or driven by position.
    pub const TELEPORT: Self = Self(13);
    /// C14: dt spike.
    pub const DT_SPIKE: Self = Self(14);
    /// C15: speed clamp.
    pub const SPEED_CLAMP: Self = Self(15);
    /// C16: units or scale.
    pub const UNITS: Self = Self(16);
    /// C17: f32 at large coordinates.
    pub const FAR_FROM_ORIGIN: Self = Self(17);
    /// C18: layers and masks.
    pub const BITS: Self = Self(18);
    /// C19: CCD not really on.
    pub const CCD: Self = Self(19);
    /// C20: sensor missed.
    pub const SENSOR: Self = Self(20);
    /// C21: contact existed, the solver let it through.
    pub const LET_THROUGH: Self = Self(21);
    /// C22: the engine's own query is wrong.
    pub const OWN_QUERY: Self = Self(22);
    /// C23: camera.
    pub const CAMERA: Self = Self(23);
    /// C24: not a number, zero normal.
    pub const NOT_A_NUMBER: Self = Self(24);
    /// C25: visual only.
    pub const VISUAL_ONLY: Self = Self(25);

    /// Every cause, in the order of their identifiers.
    pub const ALL: [Self; 25] = [
        Self::TOO_FAST,
        Self::SWEPT_ALONE,
        Self::FAST_OBSTACLE,
        Self::ROTATION,
        Self::WRONG_SIDE,
        Self::NEXT_WALL,
        Self::HIDDEN_SPEED,
        Self::FACING,
        Self::GAP,
        Self::INTERNAL_EDGE,
        Self::GHOST,
        Self::INITIAL_OVERLAP,
        Self::TELEPORT,
        Self::DT_SPIKE,
        Self::SPEED_CLAMP,
        Self::UNITS,
        Self::FAR_FROM_ORIGIN,
        Self::BITS,
        Self::CCD,
        Self::SENSOR,
        Self::LET_THROUGH,
        Self::OWN_QUERY,
        Self::CAMERA,
        Self::NOT_A_NUMBER,
        Self::VISUAL_ONLY,
    ];

    /// `C01` to `C25`.
    pub fn id(self) -> String {
        format!("C{:02}", self.0)
    }

    /// By identifier, `C01` to `C25`.
    pub fn from_id(id: &str) -> Option<Self> {
        let number: u8 = id
            .strip_prefix('C')
            .filter(|digits| digits.len() == 2)?
            .parse()
            .ok()?;
        (1..=25).contains(&number).then_some(Self(number))
    }

    /// A few words a person understands.
    pub fn title(self) -> &'static str {
        match self.0 {
            1 => "too fast for too thin",
            2 => "both move, each swept alone",
            3 => "slow body, fast obstacle",
            4 => "rotation ignored",
            5 => "pushed out on the wrong side",
            6 => "pushed into the next wall",
            7 => "hidden speed while blocked",
            8 => "back face or winding",
            9 => "gap in mesh or broad phase",
            10 => "internal edge",
            11 => "speculative ghost",
            12 => "initial overlap",
            13 => "teleport, or driven by position",
            14 => "dt spike",
            15 => "speed clamp",
            16 => "units or scale",
            17 => "f32 at large coordinates",
            18 => "layers and masks",
            19 => "CCD not really on",
            20 => "sensor missed",
            21 => "contact existed, the solver let it through",
            22 => "the engine's own query is wrong",
            23 => "camera",
            24 => "not a number, zero normal",
            _ => "visual only",
        }
    }
}

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.id())
    }
}

/// A cause that holds besides the headline, with what proves it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// Why.
    pub cause: Cause,
    /// The numbers that prove it, by name; SI units.
    #[serde(serialize_with = "as_map")]
    pub evidence: Vec<(&'static str, f64)>,
    /// The changes that fix it, each by itself.
    pub fixes: Vec<Fix>,
    /// One sentence a person understands.
    pub text: String,
}

/// Many bodies that overlap in one place, which one finding stands for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pile {
    /// How many bodies.
    pub bodies: usize,
    /// The middle of the box around their positions, world, metres.
    pub place: [f64; 3],
    /// The names of the first few.
    pub names: Vec<String>,
    /// How they came to be there.
    pub how: PileState,
    /// All of them, ascending.
    #[serde(skip)]
    pub members: Vec<ObjectId>,
}

impl Pile {
    /// `b0, b1, b2 and 997 more`.
    pub fn title(&self) -> String {
        let names = self.names.join(", ");
        match self.bodies - self.names.len() {
            0 => names,
            more => format!("{names} and {more} more"),
        }
    }
}

/// One thing that went wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// What happened.
    pub kind: Kind,
    /// Why: the headline.
    pub cause: Cause,
    /// Other causes that hold too, strongest first.
    pub also: Vec<Cause>,
    /// The causes of `also` that have numbers of their own, in that order.
    pub reasons: Vec<Reason>,
    /// The frame it is seen in.
    pub frame: u32,
    /// The last frame of a continuing event; equal to `frame` for a single one.
    pub last_frame: u32,
    /// Time of impact inside the frame, 0 to 1.
    pub fraction: f64,
    /// Seconds from the level's start to the impact.
    pub time: f64,
    /// The mover (or `camera`).
    pub a: String,
    /// What it met; empty when there is no other (BadNumber).
    pub b: String,
    /// The mover's identity; `None` is the camera.
    #[serde(skip)]
    pub object_a: Option<ObjectId>,
    /// The other's identity.
    #[serde(skip)]
    pub object_b: Option<ObjectId>,
    /// World, metres.
    pub point: [f64; 3],
    /// Unit, of the surface hit, toward the mover; zero when there is none (BadNumber).
    pub normal: [f64; 3],
    /// The numbers that prove it, by name; SI units.
    #[serde(serialize_with = "as_map")]
    pub evidence: Vec<(&'static str, f64)>,
    /// The changes that fix it, each by itself.
    pub fixes: Vec<Fix>,
    /// One sentence a person understands.
    pub text: String,
    /// True when an expectation of the scene asks for this finding.
    pub expected: bool,
    /// True when a list of known findings holds it; filled in by the caller, who reads such lists.
    pub known: bool,
    /// True when a shape was replaced by its bounding sphere on the way to this.
    pub via_bounding_sphere: bool,
    /// True when the pair overlapped already as the frame began: what lasts from frame to frame is one event.
    #[serde(skip)]
    pub from_contact: bool,
    /// The bodies of a pile, of which `a` and `b` are two that overlap; `None` for a finding of a pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pile: Option<Pile>,
    /// The smallest changes that fix it; `None` where they were not asked for ([`what_if`](super::what_if::what_if)).
    pub what_if: Option<WhatIf>,
}

/// A cause that could not be judged, and what to log so that it can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct NotJudged {
    /// Which.
    pub cause: Cause,
    /// What is missing, half a sentence.
    pub why: &'static str,
    /// What to log.
    pub log: &'static str,
}

impl Finding {
    /// Does the scene expect it, or a list of known findings hold it? Such a finding fails nothing.
    pub fn is_foreseen(&self) -> bool {
        self.expected || self.known
    }

    /// `ball → wall`, the only name, or the first names of a pile.
    pub fn title(&self) -> String {
        match (&self.pile, self.b.as_str()) {
            (Some(pile), _) => pile.title(),
            (None, "") => self.a.clone(),
            (None, b) => format!("{} → {b}", self.a),
        }
    }

    /// Is the finding about an object: one of the two, or a member of its pile?
    pub fn is_about(&self, id: ObjectId) -> bool {
        let in_pile = |pile: &Pile| pile.members.binary_search(&id).is_ok();
        [self.object_a, self.object_b].contains(&Some(id))
            || self.pile.as_ref().is_some_and(in_pile)
    }
}

/// How an expectation and what happened stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It holds, as it should.
    Held,
    /// It does not hold.
    Failed,
    /// It does not hold, and the scene says so: a known bug.
    FailedAsExpected,
    /// It holds, though the scene says that it does not: the known bug is gone, and the scene should no longer say so.
    HeldUnexpectedly,
    /// It is about frames that were not looked at.
    NotJudged,
}

impl Verdict {
    /// Of a claim that holds or not, and is `known` not to.
    pub fn of(holds: bool, known: bool) -> Self {
        match (holds, known) {
            (true, false) => Self::Held,
            (false, false) => Self::Failed,
            (false, true) => Self::FailedAsExpected,
            (true, true) => Self::HeldUnexpectedly,
        }
    }

    /// Is it as the scene says?
    pub fn passes(self) -> bool {
        !matches!(self, Self::Failed | Self::HeldUnexpectedly)
    }
}

/// What became of one expectation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectationResult {
    /// As the scene writes it.
    pub text: String,
    /// Is it as the scene says: it holds, or fails where it is expected to?
    pub passed: bool,
    /// The same, told apart.
    pub verdict: Verdict,
    /// What was wanted, in words.
    pub wanted: String,
    /// What was seen instead, or what fulfilled it.
    pub got: String,
    /// Why the scene says that it does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_to_fail: Option<String>,
    /// The objects it names.
    #[serde(skip)]
    pub objects: Vec<String>,
}

/// Everything diagnosis says about one level: what `check` prints and the window lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Version of this form.
    pub schema: u32,
    /// As the person named it.
    pub file: String,
    /// The level's.
    pub name: String,
    /// Frames looked at.
    pub frames: u32,
    /// Objects in the level.
    pub objects: usize,
    /// Narrow-phase sweeps made.
    pub pairs_swept: u64,
    /// Wall-clock time, filled in by a caller that wants it: the only number that differs between runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Sorted by frame, fraction, a, b, kind.
    pub findings: Vec<Finding>,
    /// Findings that say the same, where they are many; sorted by their first member.
    pub groups: Vec<Group>,
    /// In the scene's order.
    pub expectations: Vec<ExpectationResult>,
    /// Causes that could not be judged for want of something the log does not carry; empty for a stepped scene.
    pub not_judged: Vec<NotJudged>,
    /// Oddities of the input, one line each.
    pub notices: Vec<String>,
}

fn as_map<S: Serializer>(pairs: &[(&'static str, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().copied())
}
