//! What a log does not carry, and which causes could therefore not be judged. A stepped scene carries everything.

use super::finding::{Cause, NotJudged};
use crate::core::replay::{Recording, Replay};
use crate::core::scene::Movement;
use glam::DVec3;

/// Everything that could not be judged, in the order of what is missing.
pub(super) fn not_judged(replay: &Replay) -> Vec<NotJudged> {
    let Some(recording) = replay.recording() else {
        return Vec::new();
    };
    missing(replay, recording)
        .into_iter()
        .filter(|lack| lack.missing)
        .flat_map(|lack| {
            let entry = move |cause: &Cause| NotJudged {
                cause: *cause,
                why: lack.why,
                log: lack.log,
            };
            lack.causes.iter().map(entry)
        })
        .collect()
}

/// Something a log may lack.
struct Lack {
    missing: bool,
    causes: &'static [Cause],
    why: &'static str,
    log: &'static str,
}

fn missing(replay: &Replay, recording: &Recording) -> [Lack; 6] {
    let objects = replay.objects();
    let moving = |object: u32| objects[object as usize].movement != Movement::Fixed;
    let told = |body: &crate::core::replay::Body| body.velocity.is_some() && moving(body.object);
    let bits = objects
        .iter()
        .any(|object| object.layer != 1 || object.mask != u32::MAX);
    let ccd = objects.iter().any(|object| object.ccd.is_some());
    [
        Lack {
            missing: !recording.bodies.iter().any(told),
            causes: &[Cause::HIDDEN_SPEED, Cause::TELEPORT, Cause::SPEED_CLAMP],
            why: "the log carries no velocities",
            log: "`v` per body",
        },
        Lack {
            missing: recording.contacts.is_empty() && recording.pushes.is_empty(),
            causes: &[Cause::GHOST],
            why: "the log carries no contacts and no pushes",
            log: "`contacts` or `pushes` per frame",
        },
        Lack {
            missing: recording.queries.is_empty(),
            causes: &[Cause::OWN_QUERY],
            why: if recording.contacts.is_empty() {
                "the log carries none of the engine's queries"
            } else {
                "the log carries none of the engine's queries; the normals of its contacts were judged"
            },
            log: "`queries` per frame",
        },
        Lack {
            missing: recording.gravity == DVec3::ZERO && replay.scene().gravity == DVec3::ZERO,
            causes: &[Cause::UNITS],
            why: "the log carries no gravity",
            log: "`gravity` in the header",
        },
        Lack {
            missing: !recording.has_bits && !bits,
            causes: &[Cause::BITS],
            why: "the log carries no layers or masks",
            log: "`layer` and `mask` per object",
        },
        Lack {
            missing: !ccd,
            causes: &[Cause::CCD],
            why: "the log carries no flags of continuous detection",
            log: "`ccd` per object, and `engine` in the header",
        },
    ]
}
