//! What a sweep's hit from a clear start leads to: passed through, pushed to the wrong side, or a corner cut.

use super::kind::Kind;
use super::pair::{Approach, JudgeStats, Pair, PairEvent, center_passes, points_out_behind};
use super::{detected_interval, overlap_depth};
use crate::core::query;
use crate::core::shape::Shape;
use crate::core::tolerance::SEEN_STEP;
use glam::DVec3;

/// Corners of one mesh, each cut less deep than is reported, after which a stretch is looked at no further (a count).
///
/// Fewer, and a deep cut after many shallow ones is not reported; more only costs time on rough ground.
const CORNERS_FOLLOWED: u32 = 64;

/// A hit of a sweep that starts clear.
pub(super) struct Hit {
    fraction: f64,
    point: DVec3,
    normal: DVec3,
    triangle: Option<u32>,
    turns: bool,
}

impl Hit {
    pub(super) fn of(sweep: &query::Sweep, impact: &query::Impact) -> Self {
        Self {
            fraction: impact.fraction,
            point: impact.point,
            normal: impact.normal,
            triangle: impact.triangle,
            turns: sweep.rotation_ignored,
        }
    }
}

/// The result of a hit.
#[expect(
    clippy::large_enum_variant,
    reason = "a short-lived value on the stack"
)]
enum HitEnds {
    Quiet,
    PairEvent(PairEvent),
    /// A corner cut below the reporting threshold, and the fraction of the interval at which it ends.
    Shallow {
        exit: f64,
    },
}

/// A mesh with an insignificant first cut may have a deeper one later.
pub(super) fn judge(
    pair: &Pair<'_>,
    hit: &Hit,
    slop: f64,
    stats: &mut JudgeStats,
) -> Option<PairEvent> {
    let mut exit = match judge_one_hit(pair, hit, slop, stats) {
        HitEnds::PairEvent(event) => return Some(event),
        HitEnds::Quiet => return None,
        HitEnds::Shallow { exit } => exit,
    };
    let is_mesh = |shape: &Shape| matches!(shape, Shape::Mesh(_));
    if hit.turns || !(is_mesh(pair.shape_a) || is_mesh(pair.shape_b)) {
        return None;
    }
    for _ in 0..CORNERS_FOLLOWED {
        let from = exit + SEEN_STEP;
        let rest = pair.rest(from)?;
        stats.sweeps += 1;
        let sweep = rest.sweep();
        let next = Hit::of(&sweep, sweep.outcome.impact()?);
        let in_whole = |share: f64| from + share * (1.0 - from);
        exit = match judge_one_hit(&rest, &next, slop, stats) {
            HitEnds::PairEvent(event) if event.kind == Kind::Clips => {
                return Some(PairEvent {
                    fraction: in_whole(event.fraction),
                    approach: Approach::Apart {
                        detected: event.detected_for().map(|detected| detected * (1.0 - from)),
                    },
                    ..event
                });
            }
            HitEnds::Shallow { exit } => in_whole(exit),
            // A surface that it ends behind is tested by its own triangles.
            _ => return None,
        };
    }
    None
}

fn judge_one_hit(pair: &Pair<'_>, hit: &Hit, slop: f64, stats: &mut JudgeStats) -> HitEnds {
    let Some(side) = pair.side_at_end(hit.point, hit.normal, 0.0, hit.fraction) else {
        return HitEnds::Quiet;
    };
    let end = pair.contact_at_end();
    let mut event = PairEvent {
        kind: Kind::Tunnels,
        fraction: hit.fraction,
        point: hit.point,
        normal: hit.normal,
        approach: Approach::Apart { detected: None },
        end,
        triangle: hit.triangle,
        alone: false,
        parts: [None; 2],
        turned: None,
    };
    if let Some(contact) = end {
        event.kind = Kind::WrongSide;
        let wrong = side < 0.0 && !pair.sensor && points_out_behind(&contact, hit.normal);
        return if wrong {
            HitEnds::PairEvent(event)
        } else {
            HitEnds::Quiet
        };
    }
    let detected = detected_interval::share(pair, hit.fraction, hit.triangle);
    event.approach = Approach::Apart { detected };
    if side >= 0.0 {
        event.kind = Kind::Clips;
        // Rounding, solver slop and the sag of a rolling path are not reported.
        let exit = detected.map_or(1.0, |detected| hit.fraction + detected);
        if !overlap_depth::exceeds(pair, (hit.fraction, exit), slop) {
            return HitEnds::Shallow { exit };
        }
    }
    // The centre's path is proof; for a cut that only the starting rotation makes there is none.
    let proven = !hit.turns || (side < 0.0 && center_passes(pair));
    stats.unproven += u64::from(!proven);
    if proven {
        HitEnds::PairEvent(event)
    } else {
        HitEnds::Quiet
    }
}
