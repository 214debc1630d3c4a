//! What is true of a level as a whole and costs one look at it.

use super::causes::units::{self, UnitMismatch};
use super::causes::{bits, speed_clamp};
use crate::core::replay::{LoggedContact, ObjectId, Replay};
use crate::core::scene::Engine;
use glam::DVec3;
use std::collections::BTreeSet;

/// More kinds of layers and masks than this are not asked two by two; it only costs candidates.
const KINDS_OF_BITS: usize = 256;

/// Metres per second squared: the log's, unless there is none.
pub(super) fn gravity(replay: &Replay) -> DVec3 {
    let logged = replay.recording().map(|recording| recording.gravity);
    logged
        .filter(|gravity| *gravity != DVec3::ZERO)
        .unwrap_or(replay.scene().gravity)
}

/// Layers and masks come in few kinds; each two kinds are asked once.
fn one_sided_bits(replay: &Replay) -> bool {
    let kinds: BTreeSet<(u32, u32)> = replay
        .objects()
        .iter()
        .map(|object| (object.layer, object.mask))
        .collect();
    let one_sided = |a: &(u32, u32)| kinds.iter().any(|b| bits::excludes(*a, *b));
    kinds.len() > KINDS_OF_BITS || kinds.iter().any(one_sided)
}

/// Facts that causes hold single frames against.
#[derive(Clone, Debug, Default)]
pub(super) struct LevelFacts {
    /// The middle one of all frames' lengths, seconds.
    pub median_dt: f64,
    /// By object: the log gives it velocities, and they are zero in every frame. Empty for a stepped scene.
    pub never_has_speed: Vec<bool>,
    /// The poses come from a log: between them the path is not known, only assumed straight.
    pub recorded: bool,
    /// What the level says of its engine.
    pub engine: Engine,
    /// The level's unit is doubtful.
    pub unit_mismatch: Option<UnitMismatch>,
    /// By object: the speed that its engine caps it at, metres per second. Empty for a stepped scene.
    pub caps: Vec<Option<f64>>,
    /// Pairs, the lower number first, that the log has a contact of in some frame. Empty for a stepped scene.
    pub told_pairs: BTreeSet<(ObjectId, ObjectId)>,
    /// Objects that the log has contacts of. Some bodies are not asked to report theirs.
    pub tells_contacts: BTreeSet<ObjectId>,
    /// Some object excludes another by its bits, and that one does not exclude it.
    pub one_sided_bits: bool,
}

impl LevelFacts {
    pub(super) fn of(replay: &Replay) -> Self {
        let mut dts: Vec<f64> = (0..replay.frames()).map(|frame| replay.dt(frame)).collect();
        dts.sort_by(f64::total_cmp);
        let mut facts = Self {
            median_dt: dts.get(dts.len() / 2).copied().unwrap_or(0.0),
            engine: replay.engine(),
            unit_mismatch: units::mismatch(replay, gravity(replay).length()),
            one_sided_bits: one_sided_bits(replay),
            ..Self::default()
        };
        let Some(recording) = replay.recording() else {
            return facts;
        };
        let pair = |contact: &LoggedContact| (contact.a.min(contact.b), contact.a.max(contact.b));
        facts.tells_contacts = (recording.contacts.iter())
            .flat_map(|contact| [contact.a, contact.b])
            .collect();
        facts.told_pairs = recording.contacts.iter().map(pair).collect();
        facts.recorded = true;
        facts.caps = speed_clamp::caps(replay);
        let count = replay.objects().len();
        let (mut has_velocity, mut fast) = (vec![false; count], vec![false; count]);
        // By state, as a replay may number the objects otherwise than its log does.
        for frame in 0..=replay.frames() {
            for (id, body) in replay.state(frame).bodies.iter().enumerate() {
                if let Some(velocity) = body.as_ref().and_then(|body| body.velocity) {
                    has_velocity[id] = true;
                    fast[id] |= velocity != DVec3::ZERO;
                }
            }
        }
        facts.never_has_speed = (0..count).map(|id| has_velocity[id] && !fast[id]).collect();
        facts
    }

    pub(super) fn is_driven_by_position(&self, object: u32) -> bool {
        self.never_has_speed
            .get(object as usize)
            .copied()
            .unwrap_or(false)
    }
}
