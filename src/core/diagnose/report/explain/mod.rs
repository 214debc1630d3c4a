//! Explanation of a pair in a frame: broad phase, filters, each step of the narrow phase with its numbers, the outcome,
//! and the overlap tests at both ends.
//!
//! Every number is traced from the code that steps and diagnoses. The explanation is data; [`Explanation::sentences`] is its text.

mod camera;
mod candidates;
mod presence;
mod rotation_sweep;
mod sentences;
mod steps;
mod summary;
mod tree_sweep;

pub use camera::{CameraExplanation, ProbeResult, explain_camera};
pub use candidates::{Candidate, candidates_of};
pub use presence::Presence;
pub use rotation_sweep::RotationSweep;
pub use steps::sentence_of;
pub use summary::{Severity, Summary};
pub use tree_sweep::tree_sweep;

use crate::core::bounds::swept_aabb;
use crate::core::broad_phase::{self, Entry, Verdict};
use crate::core::diagnose::detect::judge_frame::entry;
use crate::core::diagnose::detect::pair_finding;
use crate::core::diagnose::facts::phase_sweep::PhaseSweep;
use crate::core::diagnose::judge::own_push::as_logged;
use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::shape_metrics::pair_size;
use crate::core::query::{
    self, ClosestApproach, Contact, Impact, Step, Steps, Sweep, SweepOutcome,
};
use crate::core::replay::{Frame, ObjectId, Phase, Replay};
use crate::core::scene::{Detection, Exemption, Object};
use crate::core::schema::UserUnits;
use crate::core::shape::{Motion, Pose, Shape};
use crate::core::tolerance::SLOP_SHARE;
use glam::DVec3;

/// Which layer or mask of a pair excludes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The first's mask has none of the second's layers.
    pub a_ignores_b: bool,
    /// The second's mask has none of the first's layers.
    pub b_ignores_a: bool,
    /// The pair is exempt, whatever its layers and masks.
    pub exemption: Option<Exemption>,
}

impl Filter {
    fn of(replay: &Replay, frame: &Frame, (id_a, id_b): (ObjectId, ObjectId)) -> Self {
        let objects = replay.objects();
        let (a, b) = (&objects[id_a as usize], &objects[id_b as usize]);
        Self {
            exemption: replay.exemption(frame.number, id_a, id_b),
            a_ignores_b: a.mask & b.layer == 0,
            b_ignores_a: b.mask & a.layer == 0,
        }
    }

    /// True when the pair may collide.
    pub fn lets_pass(&self) -> bool {
        !(self.a_ignores_b || self.b_ignores_a) && self.exemption.is_none()
    }
}

/// An interval of the frame in which both move straight, with its sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptInterval {
    /// Fraction of the frame at which it begins.
    pub from: f64,
    /// Fraction of the frame at which it ends.
    pub to: f64,
    /// Of the first relative to the second, over this interval, metres.
    pub displacement: DVec3,
    /// The outcome; its fractions are of this interval.
    pub sweep: Sweep,
    /// Of a miss: the least distance, and when, as a fraction of this interval.
    pub nearest: Option<ClosestApproach>,
    /// How it was found.
    pub steps: Steps,
    /// Of a convex shape against a mesh: what the same sweep skips of the mesh's tree of spheres; else empty.
    pub tree_steps: Steps,
    /// The sweep with rotation, where the exact sweep ignored it.
    pub followed: Option<RotationSweep>,
}

impl SweptInterval {
    /// The outcome with fractions of the frame.
    pub fn outcome_in_frame(&self) -> Outcome {
        let in_frame = |share: f64| self.from + share * (self.to - self.from);
        Outcome::of(&self.sweep.outcome, self.nearest, in_frame)
    }
}

/// Outcome of a sweep, with the closest approach of a miss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// Overlapping at the start.
    Overlapping {
        /// Metres, > 0.
        depth: f64,
    },
    /// Not closing at the start: separating, sliding, or at rest. Also where there is no distance.
    Receding,
    /// Closing, but still apart at the end of the motion.
    Later,
    /// A miss.
    Misses {
        /// Metres between them at the closest approach.
        by: f64,
        /// When.
        fraction: f64,
    },
    /// Grazing: a touch without overlap, which is a miss.
    Grazes {
        /// When.
        fraction: f64,
    },
    /// They hit.
    Hits(Impact),
}

impl Outcome {
    /// Of a sweep and the closest approach of a miss; `at` maps fractions.
    pub fn of(
        outcome: &SweepOutcome,
        nearest: Option<ClosestApproach>,
        at: impl Fn(f64) -> f64,
    ) -> Self {
        match *outcome {
            SweepOutcome::Overlapping { depth } => Self::Overlapping { depth },
            SweepOutcome::Grazes { fraction } => Self::Grazes {
                fraction: at(fraction),
            },
            SweepOutcome::Hits(impact) => Self::Hits(Impact {
                fraction: at(impact.fraction),
                ..impact
            }),
            SweepOutcome::Misses => match nearest {
                Some(nearest) if nearest.fraction >= 1.0 => Self::Later,
                Some(nearest) if nearest.fraction > 0.0 => Self::Misses {
                    by: nearest.distance,
                    fraction: at(nearest.fraction),
                },
                _ => Self::Receding,
            },
        }
    }

    /// The hit, if it is one.
    pub fn impact(&self) -> Option<&Impact> {
        match self {
            Self::Hits(impact) => Some(impact),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Overlapping { .. } => "Overlapping",
            Self::Receding => "Receding",
            Self::Later => "Later",
            Self::Misses { .. } => "Misses",
            Self::Grazes { .. } => "Grazes",
            Self::Hits(_) => "Hits",
        }
    }
}

/// Sweeps two shapes, and computes the closest approach of a miss.
pub(in crate::core::diagnose) fn outcome_of(
    a: &Shape,
    motion_a: &Motion,
    b: &Shape,
    motion_b: &Motion,
    steps: &mut Steps,
) -> Outcome {
    let (sweep, nearest) = sweep_measured(a, motion_a, b, motion_b, steps);
    Outcome::of(&sweep.outcome, nearest, |fraction| fraction)
}

/// A sweep, and the closest approach where it misses.
fn sweep_measured(
    a: &Shape,
    motion_a: &Motion,
    b: &Shape,
    motion_b: &Motion,
    steps: &mut Steps,
) -> (Sweep, Option<ClosestApproach>) {
    let sweep = query::sweep(a, motion_a, b, motion_b, steps);
    let nearest = match sweep.outcome {
        SweepOutcome::Misses => query::closest_approach(a, motion_a, b, motion_b, steps),
        _ => None,
    };
    (sweep, nearest)
}

/// Overlap test at one end of the frame.
#[derive(Clone, Debug, PartialEq)]
pub struct OverlapTest {
    /// Signed distance, metres, negative in overlap; `None` behind a one-sided surface.
    pub gap: Option<f64>,
    /// The contact; `None` when they are apart.
    pub contact: Option<Contact>,
    /// How it was found.
    pub steps: Steps,
}

/// A push of the frame between the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairPush {
    /// The object that is moved.
    pub object: ObjectId,
    /// Fraction of the frame.
    pub at: f64,
    /// World, metres.
    pub push: DVec3,
}

/// Result of an explanation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// The two are one object, or one does not exist.
    NoPair,
    /// One of them is absent for part of the frame, or was teleported (the first's state, the second's).
    Absent(bool, bool),
    /// Excluded by layers and masks, or by an exemption.
    Masked,
    /// Culled by the broad phase: apart, both at rest, or not finite.
    LeftOut,
    /// The sweep's outcome, fractions of the frame: the first hit, else the overlap at the start, else the nearest miss.
    Swept(Outcome),
}

/// Two objects in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The first.
    pub a: ObjectId,
    /// The second.
    pub b: ObjectId,
    /// Both names.
    pub names: [String; 2],
    /// Both shapes' names.
    pub kinds: [&'static str; 2],
    /// Overlaps up to this depth during the motion are no finding, metres: `SLOP_SHARE` of the smaller object.
    pub slop: f64,
    /// Which frame.
    pub frame: u32,
    /// Its number as the user counts.
    pub number: u64,
    /// Seconds.
    pub dt: f64,
    /// Units and axes of the text.
    pub units: UserUnits,
    /// Detection of a stepped scene; `None` for a recording.
    pub detection: Option<Detection>,
    /// Presence of each in this frame.
    pub presence: [Presence; 2],
    /// Result of the broad phase for their swept boxes.
    pub broad: Option<Verdict>,
    /// Whether the pair was among the frame's candidates.
    pub listed: bool,
    /// Layers and masks.
    pub filter: Filter,
    /// Which of the two are sensors.
    pub sensors: [bool; 2],
    /// The sweep of each straight interval, in order; also where a filter excludes the pair.
    pub intervals: Vec<SweptInterval>,
    /// Impacts of the pair that the stepper responded to.
    pub acted: Vec<Impact>,
    /// Overlap tests at the start, and at the end before any push.
    pub end_tests: [Option<OverlapTest>; 2],
    /// The frame's pushes between the two.
    pub pushes: Vec<PairPush>,
    /// Signed distance at the frame's end after all pushes, where those change it, metres.
    pub after_pushes: Option<f64>,
    /// The phase sweep of the pair's finding; `None` where the result does not depend on the phase.
    pub phases: Option<PhaseSweep>,
    /// Result.
    pub ending: Ending,
}

/// Explains two objects over a frame of a level.
pub fn explain(replay: &Replay, frame: &Frame, a: ObjectId, b: ObjectId) -> Explanation {
    let objects = replay.objects();
    let mut explanation = Explanation::empty(replay, frame, a, b);
    let (Some(one), Some(other)) = (objects.get(a as usize), objects.get(b as usize)) else {
        return explanation;
    };
    explanation.filter = Filter::of(replay, frame, (a, b));
    explanation.sensors = [one.sensor, other.sensor];
    if a == b {
        return explanation;
    }
    explanation.test_ends(frame, &one.shape, &other.shape);
    let [absent_a, absent_b] = explanation
        .presence
        .map(|presence| presence != Presence::Travels);
    if absent_a || absent_b {
        explanation.ending = Ending::Absent(absent_a, absent_b);
        return explanation;
    }
    let verdict = broad_phase::judge(&entry_of(frame, a, one), &entry_of(frame, b, other));
    explanation.broad = Some(verdict);
    let segments = frame.straight_intervals(a, b);
    explanation.intervals = segments
        .iter()
        .map(|segment| swept(replay, frame, (a, b), segment))
        .collect();
    explanation.add_phases(frame);
    explanation.ending = explanation.end(verdict);
    if let Ending::Swept(_) = explanation.ending {
        let mut pairs = segments
            .iter()
            .filter_map(|interval| Pair::new(replay, (a, b), *interval));
        explanation.phases = pairs.find_map(|pair| pair_finding::phase_sweep_of(&pair, frame.dt));
    }
    explanation
}

/// The swept box of an object in the broad phase of the diagnosis.
fn entry_of(frame: &Frame, id: ObjectId, object: &Object) -> Entry {
    entry(&frame.segments(id), |motion| {
        swept_aabb(&object.shape, motion)
    })
}

/// An interval of two that exist.
fn swept(
    replay: &Replay,
    frame: &Frame,
    (a, b): (ObjectId, ObjectId),
    segment: &(f64, f64, Motion, Motion),
) -> SweptInterval {
    let [one, other] = [a, b].map(|id| &replay.objects()[id as usize].shape);
    let (from, to, motion_a, motion_b) = segment;
    let mut steps = Steps::default();
    let (sweep, nearest) = sweep_measured(one, motion_a, other, motion_b, &mut steps);
    let pair = Pair::new(replay, (a, b), *segment).map(|pair| as_logged(pair, frame));
    let mut tree_steps = Steps::default();
    if !steps.0.contains(&Step::BadNumber) {
        tree_sweep((one, motion_a), (other, motion_b), &mut tree_steps);
    }
    SweptInterval {
        followed: pair.and_then(|pair| RotationSweep::of(&pair, a, &sweep)),
        from: *from,
        to: *to,
        displacement: motion_a.displacement() - motion_b.displacement(),
        sweep,
        nearest,
        steps,
        tree_steps,
    }
}

impl Explanation {
    fn empty(replay: &Replay, frame: &Frame, a: ObjectId, b: ObjectId) -> Self {
        let objects = replay.objects();
        let object = |id: ObjectId| objects.get(id as usize);
        Self {
            a,
            b,
            names: [a, b].map(|id| {
                object(id).map_or_else(|| format!("object {id}"), |object| object.name.clone())
            }),
            kinds: [a, b].map(|id| object(id).map_or("nothing", |o| o.shape.kind_name())),
            slop: match (object(a), object(b)) {
                (Some(one), Some(other)) => SLOP_SHARE * pair_size(&one.shape, &other.shape),
                _ => 0.0,
            },
            frame: frame.number,
            dt: frame.dt,
            units: replay.units(),
            number: replay.number(frame.number),
            detection: replay
                .recording()
                .is_none()
                .then(|| replay.scene().detection),
            presence: [a, b].map(|id| Presence::of(replay.objects(), frame, id)),
            broad: None,
            listed: false,
            filter: Filter::default(),
            sensors: [false; 2],
            intervals: Vec::new(),
            acted: Vec::new(),
            end_tests: [None, None],
            pushes: Vec::new(),
            after_pushes: None,
            phases: None,
            ending: Ending::NoPair,
        }
    }

    /// Adds what the frame's phases hold about the pair.
    fn add_phases(&mut self, frame: &Frame) {
        let ids = (self.a.min(self.b), self.a.max(self.b));
        for phase in &frame.phases {
            match phase {
                Phase::Candidates { pairs } => self.listed = pairs.binary_search(&ids).is_ok(),
                Phase::Advance {
                    impact: Some((a, b, impact)),
                    ..
                } if (*a.min(b), *a.max(b)) == ids => {
                    let impact = if *a == self.a {
                        *impact
                    } else {
                        impact.swapped()
                    };
                    self.acted.push(impact);
                }
                Phase::Push {
                    object,
                    against: Some(against),
                    at,
                    push,
                    ..
                } if (*object.min(against), *object.max(against)) == ids => {
                    self.pushes.push(PairPush {
                        object: *object,
                        at: *at,
                        push: *push,
                    });
                }
                _ => {}
            }
        }
    }

    /// Tests the pair at the start, and at the end before any push.
    fn test_ends(&mut self, frame: &Frame, shape_a: &Shape, shape_b: &Shape) {
        let test = |a: &Pose, b: &Pose| {
            let (a, b) = (shape_a.placed(a), shape_b.placed(b));
            let mut steps = Steps::default();
            let contact = query::contact(&a, &b, &mut steps);
            let gap = query::gap(&a, &b).map(|gap| gap.distance);
            OverlapTest {
                gap,
                contact,
                steps,
            }
        };
        let arrives = |id: ObjectId| match frame.segments(id).last() {
            Some(segment) => Some(segment.motion.end),
            None => frame.pose(id, 1.0),
        };
        let both = |a: Option<Pose>, b: Option<Pose>| Some(test(&a?, &b?));
        self.end_tests = [
            both(frame.pose(self.a, 0.0), frame.pose(self.b, 0.0)),
            both(arrives(self.a), arrives(self.b)),
        ];
        if let (Some(a), Some(b)) = (frame.pose(self.a, 1.0), frame.pose(self.b, 1.0)) {
            let after = test(&a, &b).gap;
            let before = self.end_tests[1].as_ref().and_then(|test| test.gap);
            self.after_pushes = after.filter(|_| after != before);
        }
    }

    fn end(&self, verdict: Verdict) -> Ending {
        if !self.filter.lets_pass() {
            return Ending::Masked;
        }
        if !verdict.is_kept() {
            return Ending::LeftOut;
        }
        self.swept().map_or(Ending::LeftOut, Ending::Swept)
    }

    /// The first touch while rotating, where the sweep ignored rotation; its fraction is of the frame.
    pub fn rotation_touch(&self) -> Option<&RotationSweep> {
        let mut followed = self.intervals.iter().filter_map(|s| s.followed.as_ref());
        followed.find(|followed| followed.touch.is_some())
    }

    /// The outcome over all intervals, fractions of the frame, whatever the filters: the first hit, else an overlap,
    /// else the nearest miss, else that of the last interval.
    pub fn swept(&self) -> Option<Outcome> {
        if let Some(impact) = self.acted.first() {
            return Some(Outcome::Hits(*impact));
        }
        let outcomes = || self.intervals.iter().map(SweptInterval::outcome_in_frame);
        let miss = |outcome: &Outcome| match outcome {
            Outcome::Misses { by, .. } => Some(*by),
            Outcome::Grazes { .. } => Some(0.0),
            _ => None,
        };
        let nearest = || {
            let misses = outcomes().filter_map(|outcome| Some((miss(&outcome)?, outcome)));
            misses.min_by(|(one, _), (other, _)| one.total_cmp(other))
        };
        outcomes()
            .find(|outcome| outcome.impact().is_some())
            .or_else(|| outcomes().find(|o| matches!(o, Outcome::Overlapping { .. })))
            .or_else(|| nearest().map(|(_, outcome)| outcome))
            .or_else(|| outcomes().next_back())
    }
}
