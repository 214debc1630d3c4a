//! The closest calls of a level: pairs that stayed below their limit, and how far.

use crate::core::diagnose::detect::margins::{PairMargin, is_swept_against};
use crate::core::diagnose::level_facts::engines::preset;
use crate::core::number::{count, significant};
use crate::core::replay::as_logged::frames_text;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::{Movement, Object};
use crate::core::schema::UserUnits;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Pairs that a report keeps at most; twice as many are held on the way.
const KEPT: usize = 10_000;

/// The closest call of each pair, of the pairs with the closest ones.
#[derive(Clone, Debug, Default)]
pub struct ClosestCalls(HashMap<(ObjectId, ObjectId), PairMargin>);

impl ClosestCalls {
    /// Takes the margins of a frame; frames come in their order, and of equal ones the first stays.
    pub fn add(&mut self, margins: Vec<PairMargin>) {
        for margin in margins {
            let known = self.0.entry((margin.a, margin.b)).or_insert(margin);
            if margin.share() > known.share() {
                *known = margin;
            }
        }
        if self.0.len() > 2 * KEPT {
            self.0 = self
                .worst()
                .into_iter()
                .map(|one| ((one.a, one.b), one))
                .collect();
        }
    }

    fn worst(&self) -> Vec<PairMargin> {
        let mut all: Vec<PairMargin> = self.0.values().copied().collect();
        all.sort_by(|one, other| {
            let by_share = other.share().total_cmp(&one.share());
            by_share.then((one.a, one.b).cmp(&(other.a, other.b)))
        });
        all.truncate(KEPT);
        all
    }

    /// With the names of the objects.
    pub fn finish(&self, replay: &Replay) -> Margins {
        let name = |id: ObjectId| replay.objects()[id as usize].name.clone();
        let pairs = self.worst().into_iter().map(|one| Margin {
            a: name(one.a),
            b: name(one.b),
            objects: Some([one.a, one.b]),
            frame: one.frame,
            log_frame: replay.log_frame(one.frame),
            share: one.share(),
            displacement: one.displacement,
            limit: one.limit,
            dt: one.dt,
        });
        let row = preset(&replay.engine());
        let moving = replay.objects().iter();
        let moving = moving.filter(|object| object.movement != Movement::Fixed);
        let swept = |object: &&Object| is_swept_against(replay, row, object, &Movement::Fixed);
        Margins {
            pairs: pairs.collect(),
            swept: moving.filter(swept).count(),
        }
    }
}

/// The closest calls of a level without those that became findings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Margins {
    /// The closest first; at most 10,000 pairs.
    pub pairs: Vec<Margin>,
    /// Objects that the engine sweeps against fixed ones: such pairs have no limit and are left out.
    pub swept: usize,
}

/// The closest call of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Margin {
    /// The object that moves.
    pub a: String,
    /// The other one.
    pub b: String,
    /// Both; `None` in a report that was read from a file.
    #[serde(skip)]
    pub objects: Option<[ObjectId; 2]>,
    /// The frame of its longest step.
    pub frame: u32,
    /// The log's own number of the frame, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_frame: Option<u64>,
    /// The part of the limit that the step takes (no unit).
    pub share: f64,
    /// Step toward the surface, along its normal, metres.
    pub displacement: f64,
    /// The longest such step that an overlap test holds wherever it begins, metres.
    pub limit: f64,
    /// Seconds of the step.
    pub dt: f64,
}

impl Margin {
    /// The part of the limit that its step takes where it lasts so many seconds, at a multiple of the speed (no unit).
    pub fn share_at(&self, dt: f64, speed: f64) -> f64 {
        self.share * speed * dt / self.dt
    }

    /// `bullet at fence, 71 % of the limit in frame 212: 0.24 of 0.34 m`.
    pub fn sentence(&self, units: UserUnits) -> String {
        format!(
            "{} at {}, {} % of the limit in {}: {} of {}",
            self.a,
            self.b,
            significant(100.0 * self.share, 2),
            frames_text(self.frame, self.frame, self.log_frame),
            units.length(self.displacement),
            units.length(self.limit),
        )
    }
}

impl Margins {
    /// The greatest share of a limit; 0 without a pair.
    pub fn closest(&self) -> f64 {
        self.pairs.first().map_or(0.0, |margin| margin.share)
    }

    /// How many pairs would not hold if every step lasted this many seconds.
    pub fn lost_at(&self, dt: f64) -> usize {
        let pairs = self.pairs.iter();
        pairs.filter(|pair| pair.share_at(dt, 1.0) > 1.0).count()
    }

    /// One line for the level.
    pub fn sentence(&self, units: UserUnits) -> String {
        let left_out = match self.swept {
            0 => String::new(),
            swept => format!(
                "; without the pairs of {} that the engine sweeps",
                count(swept, "object")
            ),
        };
        let Some(first) = self.pairs.first() else {
            return format!("no step toward a surface took a twentieth of its limit{left_out}");
        };
        let half = 2.0 * first.dt;
        let lost = match self.lost_at(half) {
            0 => "all pairs would hold".to_owned(),
            lost => format!("{} would not hold", count(lost, "pair")),
        };
        format!(
            "the closest call is {}; at {} Hz {lost}{left_out}",
            first.sentence(units),
            significant(1.0 / half, 3),
        )
    }
}
