//! Facts about a level as a whole, computed once.

pub mod context;
pub mod engines;
pub mod overlaps;
pub mod speed_caps;
pub mod units;

use self::engines::Preset;
use self::speed_caps::SpeedCaps;

use crate::core::replay::{FrameState, LoggedContact, ObjectId, Replay};
use crate::core::scene::{Engine, Movement, Object};
use glam::DVec3;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Limit of distinct layer and mask pairs that are tested two by two; beyond it there are only more candidates.
const KINDS_OF_BITS: usize = 256;

/// Gravity, metres per second squared: the log's, else the scene's.
pub(in crate::core) fn gravity(replay: &Replay) -> DVec3 {
    let logged = replay.recording().and_then(|recording| recording.gravity);
    logged.unwrap_or(replay.scene().gravity)
}

/// How two objects are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// Not at all.
    None,
    /// One of the two can be pushed, or is a sensor that must detect the other.
    Pushed,
    /// A kinematic object against a fixed or kinematic one, which no engine tests: unless the level moves it through on purpose
    /// (`platforms.rs`).
    Driven,
}

impl Meeting {
    /// Of pairs that their bits exclude, those whose exclusion is likely a mistake: of a fixed object, or by one side alone.
    pub fn of(a: &Object, b: &Object) -> Self {
        let sensor = a.sensor || b.sensor;
        let pushed = a.is_pushable() || b.is_pushable();
        if a.sensor && b.sensor || a.exemption(b).is_some() {
            return Self::None;
        }
        let is_fixed = |object: &Object| object.movement == Movement::Fixed;
        if !a.collides_with(b) {
            let one_sided = (a.layer & b.mask == 0) != (b.layer & a.mask == 0);
            let doubtful = pushed && !sensor && (one_sided || is_fixed(a) || is_fixed(b));
            return if doubtful { Self::Pushed } else { Self::None };
        }
        match pushed || sensor {
            true => Self::Pushed,
            false if is_fixed(a) && is_fixed(b) => Self::None,
            false => Self::Driven,
        }
    }
}

/// Whether any two distinct layer and mask pairs exclude each other; each two are tested once.
fn excluding_bits(replay: &Replay) -> bool {
    let kinds: BTreeSet<(u32, u32)> = replay
        .objects()
        .iter()
        .map(|object| (object.layer, object.mask))
        .collect();
    let excludes = |a: &(u32, u32)| kinds.iter().any(|b| a.0 & b.1 == 0 || b.0 & a.1 == 0);
    kinds.len() > KINDS_OF_BITS || kinds.iter().any(excludes)
}

/// Facts about a level that causes compare frames with.
#[derive(Clone, Debug, Default)]
pub(super) struct LevelFacts {
    /// Median frame length, seconds.
    pub median_dt: f64,
    /// The poses come from a log: the paths between them are only assumed straight.
    pub recorded: bool,
    /// The level's engine settings.
    pub engine: Engine,
    /// What the table says of that engine; `None` if it is not named or not known.
    pub row: Option<&'static Preset>,
    /// The overlap that the engine leaves alone, metres: the level's margin, else that of a known engine; 0 without either.
    pub skin: f64,
    /// By object: its speed cap, metres per second. Empty for a stepped scene.
    pub caps: Vec<Option<f64>>,
    /// By object: those of a higher number with which it has a logged contact in any frame, ascending. Empty for a stepped scene.
    pub logged_partners: Vec<Vec<ObjectId>>,
    /// By object: it has logged contacts. Engines do not report those of every body. Empty for a stepped scene.
    pub has_contacts: Vec<bool>,
    /// Objects that a joint holds in any frame. Empty for a stepped scene.
    pub has_joint: BTreeSet<ObjectId>,
    /// The bits of some object exclude another.
    pub excluding_bits: bool,
}

/// Facts about the frames of a level that were added so far.
#[derive(Clone, Default)]
pub(super) struct FactsSoFar {
    /// Of the frames so far, seconds.
    dts: Vec<f64>,
    /// Number of states of the log so far.
    states: u32,
    last: Option<Arc<FrameState>>,
    caps: SpeedCaps,
    logged_partners: Vec<Vec<ObjectId>>,
    has_contacts: Vec<bool>,
}

impl FactsSoFar {
    /// Adds the frames of a replay after those that were added already.
    pub fn extend(&mut self, replay: &Replay) {
        let known = self.dts.len() as u32;
        self.dts
            .extend((known..replay.frames()).map(|frame| replay.dt(frame)));
        let Some(recording) = replay.recording() else {
            return;
        };
        let count = replay.objects().len();
        self.logged_partners.resize(count, Vec::new());
        self.has_contacts.resize(count, false);
        self.caps.resize(count);
        for number in self.states..=replay.frames() {
            for LoggedContact { a, b, .. } in &recording.data.events(number as usize).contacts {
                let partners = &mut self.logged_partners[*a.min(b) as usize];
                if let Err(place) = partners.binary_search(a.max(b)) {
                    partners.insert(place, *a.max(b));
                    self.has_contacts[*a as usize] = true;
                    self.has_contacts[*b as usize] = true;
                }
            }
            // By state, as a replay may number the objects differently from its log.
            let state = replay.state(number);
            if let Some(before) = &self.last {
                self.caps.add(before, &state, replay.dt(number - 1));
            }
            self.last = Some(state);
        }
        self.states = replay.frames() + 1;
    }

    /// The facts about a level, of which all frames were added.
    pub fn facts(&self, replay: &Replay) -> LevelFacts {
        let mut dts = self.dts.clone();
        dts.sort_by(f64::total_cmp);
        let recording = replay.recording();
        let joints = recording.map_or(&[][..], |recording| &recording.joints);
        let engine = replay.engine();
        LevelFacts {
            median_dt: dts.get(dts.len() / 2).copied().unwrap_or(0.0),
            recorded: recording.is_some(),
            skin: engines::slop(&engine).unwrap_or(0.0),
            row: engines::preset(&engine),
            engine,
            caps: self.caps.caps(),
            logged_partners: by_solid(replay, &self.logged_partners),
            has_contacts: self.has_contacts.clone(),
            has_joint: joints.iter().flat_map(|joint| [joint.a, joint.b]).collect(),
            excluding_bits: excluding_bits(replay),
        }
    }
}

/// The partners of each solid, from those of each object.
fn by_solid(replay: &Replay, partners: &[Vec<ObjectId>]) -> Vec<Vec<ObjectId>> {
    let mut of_solids = vec![Vec::new(); partners.len()];
    for (id, others) in (0..).zip(partners) {
        let one = replay.solid_of(id);
        for other in others.iter().map(|other| replay.solid_of(*other)) {
            of_solids[one.min(other) as usize].push(one.max(other));
        }
    }
    for partners in &mut of_solids {
        partners.sort_unstable();
        partners.dedup();
    }
    of_solids
}

impl LevelFacts {
    /// Whether the log has a contact of two objects or of other parts of their solids, in either order, in any frame.
    pub(super) fn is_logged_pair(&self, replay: &Replay, a: ObjectId, b: ObjectId) -> bool {
        let [a, b] = [a, b].map(|id| replay.solid_of(id));
        let partners = self.logged_partners.get(a.min(b) as usize);
        partners.is_some_and(|partners| partners.binary_search(&a.max(b)).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Shape;

    /// Both are of layer 1, which a mask of 2 lacks.
    #[test]
    fn who_meets_whom() {
        use Movement::{Fixed, Kinematic, Velocity};
        let object = |(movement, mask): (&Movement, u32)| Object {
            movement: movement.clone(),
            mask,
            ..Object::new("x", Shape::Sphere { radius: 1.0 }, DVec3::ZERO)
        };
        for (one, other, expected) in [
            ((&Velocity, 1), (&Velocity, 1), Meeting::Pushed),
            ((&Velocity, 1), (&Fixed, 1), Meeting::Pushed),
            ((&Kinematic, 1), (&Fixed, 1), Meeting::Driven),
            ((&Kinematic, 1), (&Kinematic, 1), Meeting::Driven),
            ((&Fixed, 1), (&Fixed, 1), Meeting::None),
            // By one side alone, by both, and of a fixed one.
            ((&Velocity, 2), (&Velocity, 1), Meeting::Pushed),
            ((&Velocity, 2), (&Velocity, 2), Meeting::None),
            ((&Velocity, 2), (&Fixed, 2), Meeting::Pushed),
            ((&Kinematic, 2), (&Fixed, 1), Meeting::None),
        ] {
            let pair = [one, other].map(object);
            for [a, b] in [[0, 1], [1, 0]] {
                let meeting = Meeting::of(&pair[a], &pair[b]);
                assert_eq!(meeting, expected, "{one:?} {other:?}");
            }
        }
    }
}
