//! What is true of a level as a whole and costs one look at it.

use crate::core::replay::Replay;
use glam::DVec3;

/// Facts that causes hold single frames against.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// The middle one of all frames' lengths, seconds.
    pub median_dt: f64,
    /// By object: the log gives it velocities, and they are zero in every frame. Empty for a stepped scene.
    pub never_has_speed: Vec<bool>,
    /// The poses come from a log: between them the path is not known, only assumed straight.
    pub recorded: bool,
}

impl Facts {
    pub(super) fn of(replay: &Replay) -> Self {
        let mut dts: Vec<f64> = (0..replay.frames()).map(|frame| replay.dt(frame)).collect();
        dts.sort_by(f64::total_cmp);
        let mut facts = Self {
            median_dt: dts.get(dts.len() / 2).copied().unwrap_or(0.0),
            ..Self::default()
        };
        if replay.recording().is_none() {
            return facts;
        }
        facts.recorded = true;
        let count = replay.objects().len();
        let (mut told, mut fast) = (vec![false; count], vec![false; count]);
        // By state, as a replay may number the objects otherwise than its log does.
        for frame in 0..=replay.frames() {
            for (id, body) in replay.state(frame).bodies.iter().enumerate() {
                if let Some(velocity) = body.as_ref().and_then(|body| body.velocity) {
                    told[id] = true;
                    fast[id] |= velocity != DVec3::ZERO;
                }
            }
        }
        facts.never_has_speed = (0..count).map(|id| told[id] && !fast[id]).collect();
        facts
    }

    pub(super) fn is_driven_by_position(&self, object: u32) -> bool {
        self.never_has_speed
            .get(object as usize)
            .copied()
            .unwrap_or(false)
    }
}
