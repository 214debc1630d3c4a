//! The explanation of a motion: what changed its motion, step by step, back to where it begins or to a change that nothing explains.
//!
//! Each step is held against gravity, the pushes, contacts and joints of the log, and the exact contacts of the shapes. Steps in a row with the same
//! reason are one link of the chain.

mod reason;

use self::reason::{reason, velocity};
use super::escape::escaped;
use crate::core::diagnose::Finding;
use crate::core::number::{listed, significant};
use crate::core::progress::Progress;
use crate::core::replay::as_logged::frames_text;
use crate::core::replay::{BodyState, ObjectId, Replay};
use crate::core::scene::UserUnits;
use glam::DVec3;
use serde::Serialize;

/// Links of a chain at most (a count).
const LINKS: usize = 64;

/// Steps that an explanation goes back at most (a count).
const STEPS: u32 = 100_000;

/// Change of the displacement of a body between two steps that is noise: as a share of the displacement (no unit).
const OF_SPEED: f64 = 0.01;

/// Change of the displacement of a moved body between two steps that is the jitter of its controller, as a share of its size (no unit).
const OF_SIZE_STILL: f64 = 1e-4;

/// What changed the motion of an object in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MotionReason {
    /// It is not there before.
    Begins,
    /// The log says that it was placed.
    Teleported,
    /// Fixed, or it does not move.
    Rests,
    /// Its own velocity, which nothing changes.
    Flies,
    /// Gravity alone.
    Falls,
    /// Gravity acts, but its velocity does not change, and nothing in the log carries it.
    AgainstGravity,
    /// It is moved by the level: keyframes, or a kinematic body.
    Driven,
    /// It is moved by its controller, of which the log has the move.
    Controlled,
    /// The contacts with these objects, ascending.
    Contact(Vec<ObjectId>),
    /// A push of the log.
    Pushed,
    /// A joint to these objects, ascending.
    Joint(Vec<ObjectId>),
    /// Nothing of the above.
    Unexplained,
}

/// Steps in a row with the same reason.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionLink {
    /// What changed the motion.
    pub reason: MotionReason,
    /// The first of its frames.
    pub frame: u32,
    /// The last of its frames.
    pub last_frame: u32,
    /// Displacement over its frames, world, metres.
    pub moved: DVec3,
    /// Velocity before it, world, m/s.
    pub before: DVec3,
    /// Velocity after it.
    pub after: DVec3,
    /// Indices of the findings of the object in its frames.
    pub findings: Vec<usize>,
}

/// The chain of an object up to a state, the newest link first.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionExplanation {
    /// The object.
    pub object: String,
    /// Its number in the level.
    pub id: ObjectId,
    /// The state.
    pub state: u32,
    /// Its place there, world, metres.
    pub at: DVec3,
    /// The newest first.
    pub links: Vec<MotionLink>,
    /// It goes on before the first link, which was not followed.
    pub cut: bool,
}

/// The latest change of an object's motion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MotionChange {
    /// What changed it.
    pub reason: MotionReason,
    /// Its frame: the last one of a change that is over, the first one of a change that goes on, such as of a body that slides or is moved
    /// at one velocity.
    pub frame: u32,
}

/// Since when an object moves as it does at a state: the latest step that is explained neither by gravity nor by its own velocity nor by rest.
/// `None` where there is none, or the object is not there, and when the work was cancelled.
pub fn last_change(
    replay: &Replay,
    id: ObjectId,
    state: u32,
    progress: &dyn Progress,
) -> Option<MotionChange> {
    let state = state.min(replay.frames());
    let body = replay.at(state).body(id)?;
    let reported = |step: &Step| {
        progress.report((state - step.state).into(), state.min(STEPS).into());
        !progress.cancelled()
    };
    let steps = steps(replay, id, state, body).take(STEPS as usize);
    let mut changes = steps
        .take_while(reported)
        .skip_while(|step| !step.reason.is_change());
    let newest = changes.next()?;
    let mut frame = newest.state;
    if frame + 1 == state {
        let noise = OF_SIZE_STILL * replay.objects()[id as usize].shape.reach().unwrap_or(0.0);
        let mut later = velocity_of(replay, &newest);
        let is_moved = matches!(
            newest.reason,
            MotionReason::Driven | MotionReason::Controlled
        );
        let same = changes.take_while(|step| {
            let now = velocity_of(replay, step);
            // What moves it is a cause of its motion where that becomes another one.
            let goes_on = !is_moved
                || (later - now).length()
                    <= OF_SPEED * later.length() + noise / replay.dt(step.state);
            later = now;
            step.reason == newest.reason && goes_on
        });
        frame = same.last().map_or(frame, |step| step.state);
    }
    (!progress.cancelled()).then_some(MotionChange {
        reason: newest.reason,
        frame,
    })
}

/// A step of an object: what changed its motion between a state and the next.
struct Step {
    /// The state that it begins at.
    state: u32,
    reason: MotionReason,
    /// At the state, or where it begins, at the next.
    before: BodyState,
    /// At the next state.
    after: BodyState,
}

/// The velocity of a step by its displacement, m/s.
fn velocity_of(replay: &Replay, step: &Step) -> DVec3 {
    (step.after.pose.position - step.before.pose.position) / replay.dt(step.state)
}

/// The steps that lead an object to a state, the newest first, back to where it begins.
fn steps(replay: &Replay, id: ObjectId, state: u32, body: BodyState) -> impl Iterator<Item = Step> {
    let mut next = Some(body);
    (0..state).rev().map_while(move |state| {
        let after = next?;
        next = replay.at(state).body(id);
        let reason = match &next {
            None => MotionReason::Begins,
            Some(before) => reason(replay, id, state, [before, &after]),
        };
        Some(Step {
            state,
            reason,
            before: next.unwrap_or(after),
            after,
        })
    })
}

/// Why an object is where it is at a state, without findings. `None` where it is not there, and when the work was cancelled.
pub fn explain_motion(
    replay: &Replay,
    id: ObjectId,
    state: u32,
    progress: &dyn Progress,
) -> Option<MotionExplanation> {
    let state = state.min(replay.frames());
    let body = replay.at(state).body(id)?;
    let velocity = |body: &BodyState, state: u32| velocity(replay, id, body, state);
    let mut links: Vec<MotionLink> = Vec::new();
    let mut cut = false;
    for step in steps(replay, id, state, body) {
        let done = state - step.state;
        progress.report(done.into(), state.min(STEPS).into());
        if progress.cancelled() {
            return None;
        }
        if done > STEPS {
            cut = true;
            break;
        }
        let Step { before, after, .. } = step;
        let moved = after.pose.position - before.pose.position;
        let count = links.len();
        match links.last_mut().filter(|link| link.reason == step.reason) {
            Some(link) => {
                link.frame = step.state;
                link.moved += moved;
                link.before = velocity(&before, step.state);
            }
            None if count == LINKS => {
                cut = true;
                break;
            }
            None => links.push(MotionLink {
                reason: step.reason,
                frame: step.state,
                last_frame: step.state,
                moved,
                before: velocity(&before, step.state),
                after: velocity(&after, step.state + 1),
                findings: Vec::new(),
            }),
        }
    }
    Some(MotionExplanation {
        object: replay.objects()[id as usize].name.clone(),
        id,
        state,
        at: body.pose.position,
        links,
        cut,
    })
}

impl MotionReason {
    /// What it is, without the names of other objects: `in contact with`.
    pub fn text(&self) -> &'static str {
        match self {
            Self::Begins => "appears",
            Self::Teleported => "is placed",
            Self::Rests => "rests",
            Self::Flies => "moves on",
            Self::Falls => "falls or flies",
            Self::AgainstGravity => "keeps its speed against gravity",
            Self::Driven => "is moved by the level",
            Self::Controlled => "is moved by its controller",
            Self::Contact(_) => "in contact with",
            Self::Pushed => "is pushed by the log's own push",
            Self::Joint(_) => "is held by a joint to",
            Self::Unexplained => "changes without a reason in the log",
        }
    }

    /// Returns false for gravity, its own velocity and rest.
    pub fn is_change(&self) -> bool {
        !matches!(self, Self::Falls | Self::Flies | Self::Rests)
    }

    /// The other objects of a contact or a joint, ascending.
    pub fn others(&self) -> &[ObjectId] {
        match self {
            Self::Contact(others) | Self::Joint(others) => others,
            _ => &[],
        }
    }

    /// With the names of other objects: `in contact with crate 4, wall`.
    pub fn sentence(&self, replay: &Replay) -> String {
        let names = names(replay, self.others());
        match names.is_empty() {
            true => self.text().to_owned(),
            false => format!("{} {}", self.text(), listed(&names, 3)),
        }
    }
}

/// The names of objects.
pub fn names<'r>(replay: &'r Replay, objects: &[ObjectId]) -> Vec<&'r str> {
    let name = |id: &ObjectId| replay.objects().get(*id as usize);
    let names = objects.iter().filter_map(name);
    names.map(|object| &*object.name).collect()
}

impl MotionLink {
    /// `in contact with crate 4: moves 0.2 m, its velocity changes by 2.8 m/s along (1, 0, 0)`.
    pub fn sentence(&self, replay: &Replay) -> String {
        self.reason.sentence(replay) + &self.effect(replay.units())
    }

    /// The end of the sentence: `: moves 0.2 m, its velocity changes by 2.8 m/s along (1, 0, 0)`.
    pub fn effect(&self, units: UserUnits) -> String {
        let moved = units.length(self.moved.length());
        let change = self.after - self.before;
        let changes = match change.try_normalize() {
            Some(along) if change.length() > 1e-3 => format!(
                ", its velocity changes by {} along {}",
                units.speed(change.length()),
                units.unit_vector(along)
            ),
            _ => String::new(),
        };
        match &self.reason {
            MotionReason::Begins | MotionReason::Rests => String::new(),
            MotionReason::Teleported => format!(" {moved} away"),
            MotionReason::Flies => format!(" by {moved}, and nothing changes its velocity"),
            MotionReason::Falls => format!(" {moved}, by gravity alone"),
            MotionReason::AgainstGravity => {
                format!(": moves {moved}, and nothing in the log carries it")
            }
            MotionReason::Driven | MotionReason::Controlled => format!(", {moved}"),
            MotionReason::Pushed => format!(", {moved}{changes}"),
            MotionReason::Contact(_) | MotionReason::Joint(_) | MotionReason::Unexplained => {
                format!(": moves {moved}{changes}")
            }
        }
    }

    /// `frames 12 to 40`.
    pub fn frames(&self, replay: &Replay) -> String {
        frames_text(self.frame, self.last_frame, replay.log_frame(self.frame))
    }
}

impl MotionExplanation {
    /// Adds the findings of the object to the links in whose frames they are.
    #[must_use]
    pub fn with_findings(mut self, findings: &[Finding]) -> Self {
        for (index, finding) in findings.iter().enumerate() {
            if ![finding.object_a, finding.object_b].contains(&Some(self.id)) {
                continue;
            }
            let of_link = self.links.iter_mut().find(|link| {
                let frames = link.frame..=link.last_frame;
                frames.contains(&finding.frame) || frames.contains(&finding.last_frame)
            });
            if let Some(link) = of_link {
                link.findings.push(index);
            }
        }
        self
    }

    /// The chain as lines of text, the newest first.
    pub fn text(&self, replay: &Replay) -> String {
        let at = replay.units().point(self.at);
        let time = significant(replay.time(self.state), 5);
        let mut text = format!("{} is at {at}, {time} s\n", escaped(&self.object));
        for link in &self.links {
            let findings: Vec<String> = link
                .findings
                .iter()
                .map(|index| (index + 1).to_string())
                .collect();
            let findings = match findings.len() {
                0 => String::new(),
                1 => format!(" (finding {})", findings[0]),
                _ => format!(" (findings {})", findings.join(", ")),
            };
            text += &format!(
                "  {}: {}{findings}\n",
                link.frames(replay),
                escaped(&link.sentence(replay))
            );
        }
        text += match self.cut {
            true => "  .. and earlier steps are not listed\n",
            false => "",
        };
        text
    }
}
