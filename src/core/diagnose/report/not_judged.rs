//! Causes that were not checked, as the log lacks their data (a stepped scene has all of it), and pairs that were not judged.

use super::content::NotJudged;
use crate::core::diagnose::cause::{Cause, Needs};
use crate::core::diagnose::level_facts::engines::{self, Continuous};
use crate::core::diagnose::level_facts::gravity;
use crate::core::number::count;
use crate::core::replay::{Body, Recording, Replay};
use crate::core::scene::Movement;
use glam::DVec3;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

impl Needs {
    const ALL: [Self; 6] = [
        Self::Velocities,
        Self::ContactsOrPushes,
        Self::Queries,
        Self::Gravity,
        Self::Bits,
        Self::CcdFlags,
    ];

    fn is_missing(self, replay: &Replay, recording: &Recording) -> bool {
        let objects = replay.objects();
        let moving = |body: &Body| objects[body.object as usize].movement != Movement::Fixed;
        match self {
            Self::Velocities => {
                let given = |body: &Body| body.velocity.is_some() && moving(body);
                !recording
                    .data
                    .iter()
                    .any(|data| data.bodies.iter().any(given))
            }
            Self::ContactsOrPushes => {
                !recording.logs_contacts() && recording.data.totals().pushes == 0
            }
            Self::Queries => recording.data.totals().queries == 0,
            Self::Gravity => recording.gravity.is_none() && gravity(replay) == DVec3::ZERO,
            Self::Bits => {
                let mut objects = objects.iter();
                let plain = objects.all(|object| object.layer == 1 && object.mask == u32::MAX);
                !recording.has_bits && plain
            }
            Self::CcdFlags => {
                // What an engine has not got or does unasked needs no flag: recorders give one to the bodies that differ.
                let engine = engines::preset(&recording.engine);
                let needs_none = engine.is_some_and(|row| {
                    row.continuous == Continuous::Absent
                        || row.sweeps_by_default(None, &Movement::Fixed)
                });
                !needs_none && objects.iter().all(|object| object.ccd.is_none())
            }
        }
    }

    /// What is missing (without a full stop), and what to log.
    fn words(self, recording: &Recording) -> (&'static str, &'static str) {
        match self {
            Self::Velocities => ("the log carries no velocities", "`v` per body"),
            Self::ContactsOrPushes => (
                "the log carries no contacts and no pushes",
                "`contacts` or `pushes` per frame",
            ),
            Self::Queries if recording.data.totals().contacts == 0 => (
                "the log carries none of the engine's queries",
                "`queries` per frame",
            ),
            Self::Queries => (
                "the log carries none of the engine's queries; the normals of its contacts were judged",
                "`queries` per frame",
            ),
            Self::Gravity => ("the log carries no gravity", "`gravity` in the header"),
            Self::Bits => (
                "the log carries no layers or masks",
                "`layer` and `mask` per object",
            ),
            Self::CcdFlags if recording.engine.name.is_some() => (
                "the log carries no flags of continuous detection",
                "`ccd` per object",
            ),
            Self::CcdFlags => (
                "the log carries no flags of continuous detection",
                "`ccd` per object, and `engine` in the header",
            ),
        }
    }
}

/// All causes that were not checked, in the order of the missing data, and the pairs that the level takes out.
pub(in crate::core::diagnose) fn not_judged(replay: &Replay) -> Vec<NotJudged> {
    let mut list = causes(replay);
    list.extend(taken_out(replay));
    list
}

/// Pairs that are never tested, by the reason that the level gives.
fn taken_out(replay: &Replay) -> impl Iterator<Item = NotJudged> {
    let objects = replay.objects();
    let mut parts = BTreeMap::new();
    for body in objects.iter().filter_map(|object| object.body.as_ref()) {
        *parts.entry(body).or_insert(0) += 1;
    }
    let of_one_body: u64 = parts.values().map(|count| count * (count - 1) / 2).sum();
    let ignored: BTreeSet<[&String; 2]> = objects
        .iter()
        .flat_map(|object| object.ignores.iter().map(|other| [&object.name, other]))
        .map(|[one, other]| [one.min(other), one.max(other)])
        .collect();
    let joined: BTreeSet<(u32, u32)> = replay
        .recording()
        .iter()
        .flat_map(|recording| &recording.joints)
        .map(|joint| (joint.a, joint.b))
        .collect();
    let sensors = objects.iter().filter(|object| object.sensor);
    let (fixed, moving): (Vec<_>, Vec<_>) =
        sensors.partition(|object| object.movement == Movement::Fixed);
    let (fixed, moving) = (fixed.len() as u64, moving.len() as u64);
    let reasons: [(u64, &str, &str); 4] = [
        (
            moving * fixed + moving * moving.saturating_sub(1) / 2,
            "of two sensors",
            "one of the two without `sensor`",
        ),
        (
            of_one_body,
            "of parts of one body",
            "another `body` for each",
        ),
        (
            joined.len() as u64,
            "that a joint connects",
            "them without the joint",
        ),
        (
            ignored.len() as u64,
            "on the ignore list",
            "them without `ignore`",
        ),
    ];
    let some = reasons.into_iter().filter(|(count, ..)| *count > 0);
    some.map(|(pairs, which, log)| NotJudged {
        cause: None,
        why: format!("{} {which}", count(pairs as usize, "pair")).into(),
        log: log.into(),
        passing: Vec::new(),
    })
}

/// Causes whose data the log lacks.
fn causes(replay: &Replay) -> Vec<NotJudged> {
    let Some(recording) = replay.recording() else {
        return Vec::new();
    };
    let missing = |needs: &Needs| needs.is_missing(replay, recording);
    let of = |needs: Needs| {
        let (why, log) = needs.words(recording);
        let (why, log) = (Cow::Borrowed(why), Cow::Borrowed(log));
        let causes = Cause::ALL.into_iter();
        let causes = causes.filter(move |cause| cause.needs() == Some(needs));
        causes.map(move |cause| NotJudged {
            cause: Some(cause),
            why: why.clone(),
            log: log.clone(),
            passing: Vec::new(),
        })
    };
    Needs::ALL
        .into_iter()
        .filter(missing)
        .flat_map(of)
        .collect()
}
