//! C13: a displacement that the logged speed does not explain: put there, or driven by position.
//!
//! Asked of logs only; a stepped scene says what moves each object.

use super::{Case, Claim, fix};
use crate::core::diagnose::finding::Cause;
use crate::core::diagnose::words::{metres, speed};
use crate::core::replay::ObjectId;
use crate::core::scene::Object;
use crate::core::shape::Motion;
use crate::core::tolerance::{SLOP_SHARE, TELEPORT_RATIO};

pub(super) fn claim(case: &Case<'_>) -> Option<Claim> {
    if !case.facts.recorded {
        return None;
    }
    let pair = case.pair;
    unexplained(case, pair.a, case.mover, &pair.motion_a)
        .or_else(|| unexplained(case, pair.b, case.other, &pair.motion_b))
}

fn unexplained(case: &Case<'_>, id: ObjectId, object: &Object, motion: &Motion) -> Option<Claim> {
    let velocity = |state: &crate::core::replay::FrameState| {
        state
            .bodies
            .get(id as usize)?
            .as_ref()?
            .velocity
            .map(|v| v.length())
    };
    let start = velocity(&case.frame.start);
    let end = velocity(&case.frame.end);
    let logged = match (start, end) {
        (Some(start), Some(end)) => start.max(end),
        (only, None) | (None, only) => only?,
    };
    let travelled = motion.displacement().length();
    let explained = logged * case.frame.dt;
    let noise = SLOP_SHARE * super::super::extent::inner_radius(&object.shape).min(travelled);
    if !explained.is_finite() || travelled <= TELEPORT_RATIO * explained + noise {
        return None;
    }
    let driven = case.facts.is_driven_by_position(id);
    let needed = if case.frame.dt > 0.0 {
        travelled / case.frame.dt
    } else {
        0.0
    };
    let advice = if driven {
        format!(
            "Its velocity is 0 in every frame: it is driven by position, so nothing that looks at velocities sees it come. \
             Drive it by velocity ({} here).",
            speed(needed)
        )
    } else {
        "If it was put there, flag the frame `teleported`; if it should travel, drive it by velocity.".to_owned()
    };
    let text = format!(
        "{} moves {} in this frame, but its speed of {} explains only {}. {advice}",
        object.name,
        metres(travelled),
        speed(logged),
        metres(explained),
    );
    Some(Claim {
        cause: Cause::TELEPORT,
        evidence: vec![
            ("logged_speed", logged),
            ("explained", explained),
            ("unexplained", travelled - explained),
        ],
        fixes: fix("drive_speed", Some(needed), "m/s")
            .filter(|_| driven)
            .into_iter()
            .collect(),
        text,
    })
}
