//! Findings: plain data, serialisable.

use super::cause::Cause;
use super::evidence::{self, Evidence};
use super::facts::change::WhatIf;
use super::fix::Fix;
use super::judge::judged_event::JudgedEvent;
use super::kind::Kind;
use crate::core::replay::ObjectId;
use crate::core::replay::as_logged::frames_text;
use crate::core::tolerance::SLOP_SHARE;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::sync::Arc;

/// Share of the bodies' size, or of the starting phases, below which a finding does little harm (dimensionless).
const SMALL_SHARE: f64 = 0.1;

/// In the sentence of a finding, what moved the body besides its speed.
pub(super) const PUSHED: &str = "the rest by a push";

/// A cause besides the headline, with its evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// Why.
    pub cause: Cause,
    /// Its evidence; SI units.
    #[serde(with = "evidence")]
    pub evidence: Evidence,
    /// The changes that fix it, each by itself.
    pub fixes: Vec<Fix>,
    /// One sentence.
    pub text: String,
}

/// Many bodies that overlap in one place: one finding for all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pile {
    /// How many bodies.
    pub bodies: usize,
    /// Centre of the box around their positions, world, metres.
    pub place: [f64; 3],
    /// The names of the first few.
    pub names: Vec<String>,
    /// How they came there.
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

/// Source of a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// States of bodies, or a report that was read from a file.
    #[default]
    State,
    /// A pair in an interval of the frame, by its number.
    Pair(usize),
    /// A push of a stepped scene: the number of its phase in the frame.
    Phase(usize),
    /// The camera.
    Camera,
    /// A contact of the log, by its place in the recording.
    Contact(usize),
    /// A push of the log, by its place in the recording.
    Push(usize),
    /// A query of the log, by its place in the recording.
    Query(usize),
}

/// An event that collision detection or response got wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// Kind of the event.
    pub kind: Kind,
    /// The first cause.
    pub cause: Cause,
    /// Other causes that apply, strongest first.
    pub also: Vec<Cause>,
    /// The causes of `also` with their evidence, in the same order.
    pub reasons: Vec<Reason>,
    /// The first frame of the event.
    pub frame: u32,
    /// The last frame of a continuing event; equal to `frame` for a single one.
    pub last_frame: u32,
    /// The log's own number of `frame`; `None` if it is the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_frame: Option<u64>,
    /// Time of impact inside the frame, 0 to 1.
    pub fraction: f64,
    /// Seconds of the impact: as the log counts them, else from the level's start.
    pub time: f64,
    /// The mover (or `camera`).
    pub a: String,
    /// The obstacle; empty if there is none (BadNumber).
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
    /// Named values that prove it; SI units.
    #[serde(with = "evidence")]
    pub evidence: Evidence,
    /// Changes that fix it, each on its own.
    pub fixes: Vec<Fix>,
    /// One sentence of explanation.
    pub text: String,
    /// True if the scene expects this finding.
    pub expected: bool,
    /// True if a baseline lists it; set by the caller.
    pub known: bool,

    /// True when the pair overlapped when the frame began: a lasting event over several frames.
    #[serde(skip)]
    pub from_contact: bool,
    /// True when the pair overlaps when the frame ends: the body does not pass.
    #[serde(skip)]
    pub(super) still_inside: bool,
    /// The first state of the overlap with which its frame began.
    #[serde(skip)]
    pub(super) since: Option<u32>,
    /// What it comes from.
    #[serde(skip)]
    pub source: Source,
    /// Its event, where other numbers can be tried on it; see [`applies_to`](super::what_if::applies_to).
    #[serde(skip)]
    pub(super) judged: Option<Arc<JudgedEvent>>,
    /// The bodies of a pile, of which `a` and `b` are two that overlap; `None` for a finding of a pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pile: Option<Pile>,
    /// The smallest changes that fix it; `None` unless computed by [`what_if`](super::what_if::what_if).
    pub what_if: Option<WhatIf>,
}

impl Finding {
    /// Whether the scene expects it or a baseline lists it; such a finding does not fail a run.
    pub fn is_accepted(&self) -> bool {
        self.expected || self.known
    }

    /// The value of an evidence, if it has one.
    pub fn value(&self, key: evidence::Key) -> Option<f64> {
        let mut all = self.evidence.iter();
        all.find_map(|(known, value)| (*known == key).then_some(*value))
    }

    /// Whether the sentence states that a push moved the body besides its speed.
    pub(in crate::core) fn is_pushed(&self) -> bool {
        self.text.contains(PUSHED)
    }

    /// The share of the starting phases from which the body is not held, 0 to 1; `None` for a finding that does not depend on the phase.
    pub fn lost_share(&self) -> Option<f64> {
        let missed = self.value(evidence::Key::PhaseMissedShare)?;
        Some(
            missed
                + self
                    .value(evidence::Key::PhaseWrongSideShare)
                    .unwrap_or(0.0),
        )
    }

    /// The largest overlap that it reports, metres.
    pub fn depth(&self) -> Option<f64> {
        use evidence::Key::{Deepest, Depth, DepthAfter, ExactDepth, UnreportedDepth};
        let depths = [Deepest, Depth, DepthAfter, ExactDepth, UnreportedDepth];
        let known = depths.into_iter().filter_map(|key| self.value(key));
        known.max_by(f64::total_cmp)
    }

    /// Whether it is doubtful or does little harm: what a log says beside its states, a direction that is not defined, an overlap of a small part
    /// of the bodies, or a hit that nearly every starting phase holds.
    pub fn is_slight(&self) -> bool {
        use evidence::Key::{AllowedDepth, Depth, State};
        let is_small = |depth: f64, allowed: f64| depth < SMALL_SHARE / SLOP_SHARE * allowed;
        match self.kind {
            Kind::Phantom => true,
            Kind::BadNumber => self.value(State).is_none(),
            Kind::StartsInside => {
                let values = self.value(Depth).zip(self.value(AllowedDepth));
                values.is_some_and(|(depth, allowed)| is_small(depth, allowed))
            }
            _ => self.lost_share().is_some_and(|share| share < SMALL_SHARE),
        }
    }

    /// The order of the most harm first: what is certain and not small, by kind, by the share of lost phases, by depth.
    pub fn by_harm(&self, other: &Self) -> Ordering {
        let larger = |of: fn(&Self) -> Option<f64>| {
            let [one, two] = [self, other].map(|finding| of(finding).unwrap_or(0.0));
            two.total_cmp(&one)
        };
        (self.is_slight().cmp(&other.is_slight()))
            .then_with(|| self.kind.rank().cmp(&other.kind.rank()))
            .then_with(|| larger(Self::lost_share))
            .then_with(|| larger(Self::depth))
    }

    /// What it says about a contact that the log lacks; `None` if nothing.
    pub(super) fn missing_contact(&self) -> Option<MissingContact> {
        // From behind, a one-sided surface makes no contact.
        let is_behind = self.cause == Cause::Facing;
        let is_missing = is_behind || self.value(evidence::Key::UnreportedDepth).is_some();
        is_missing.then_some(match self.kind {
            Kind::Phantom => MissingContact::Overlaps,
            _ => MissingContact::Crosses,
        })
    }

    /// `ball → wall`, the only name, or the first names of a pile.
    pub fn title(&self) -> String {
        match (&self.pile, self.b.as_str()) {
            (Some(pile), _) => pile.title(),
            (None, "") => self.a.clone(),
            (None, b) => format!("{} → {b}", self.a),
        }
    }

    /// The number of its frame as the user counts: the log's own.
    pub fn number(&self) -> u64 {
        self.log_frame.unwrap_or(u64::from(self.frame))
    }

    /// "frame 3", "frames 3 to 7 (from 18003 in the log)".
    pub fn frames(&self) -> String {
        frames_text(self.frame, self.last_frame, self.log_frame)
    }

    /// `Tunnels C01: ball → wall, frame 12`.
    pub fn line(&self) -> String {
        let (kind, cause, title) = (self.kind.name(), self.cause.id(), self.title());
        format!("{kind} {cause}: {title}, frame {}", self.number())
    }

    /// Whether the finding is about an object: one of the pair, or a member of its pile.
    pub fn is_about(&self, id: ObjectId) -> bool {
        let in_pile = |pile: &Pile| pile.members.binary_search(&id).is_ok();
        [self.object_a, self.object_b].contains(&Some(id))
            || self.pile.as_ref().is_some_and(in_pile)
    }
}

/// How the bodies of a pile came together, the most relevant last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PileState {
    /// All of them sleep.
    Asleep,
    /// They moved there.
    Moved,
    /// The level begins so, or some of them appear there.
    Placed,
}

/// What a finding says about a contact that the log lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MissingContact {
    /// The pair overlaps without it.
    Overlaps,
    /// The body crosses the other one in such an overlap.
    Crosses,
}
