//! Diagnosis of two shapes as wholes over one interval: passed through, cut a corner, or pushed out on the wrong side.

use super::kind::Kind;
use super::pair::{
    Approach, JudgeStats, Pair, PairEvent, comes_out, crossing_ray, points_out_behind,
};
use super::rotating_pair;
use super::shape_metrics::{inner_radius, is_one_sided};
use super::sweep_hit::{self, Hit};
use crate::core::query::{self, SweepOutcome};
use crate::core::shape::{Facing, Shape, Triangle};
use crate::core::tolerance::FAR_SIDE_COSINE;
use glam::DVec3;

/// The event of two shapes as wholes, if any.
pub(super) fn judge(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    let slop = pair.slop();
    let one_sided = is_one_sided(pair.shape_a) || is_one_sided(pair.shape_b);
    stats.sweeps += 1;
    let sweep = pair.sweep();
    let turns = rotating_pair::can_follow(pair, &sweep);
    match sweep.outcome {
        SweepOutcome::Overlapping { depth } => judge_from_overlap(pair, depth),
        SweepOutcome::Hits(impact) => {
            // Nothing can be deeper than the travel.
            if pair.travel().length() <= slop && !turns {
                return None;
            }
            let start = pair.contact_at(|motion| motion.start);
            if let Some(contact) = start {
                judge_from_overlap(pair, contact.depth)
            } else if turns {
                rotating_pair::judge(pair, false, slop)
            } else {
                sweep_hit::judge(pair, &Hit::of(&sweep, &impact), slop, stats)
            }
        }
        _ if one_sided => {
            judge_from_behind(pair).or_else(|| rotating_pair::judge_from_front(pair, slop))
        }
        _ if turns => rotating_pair::judge(pair, true, slop),
        _ => None,
    }
}

/// The same for a pair that overlaps when the interval begins, without rotation.
fn judge_overlap_without_rotation(pair: &Pair<'_>, depth: f64) -> Option<PairEvent> {
    let held = Pair {
        motion_a: pair.motion_a.with_rotation_held(),
        motion_b: pair.motion_b.with_rotation_held(),
        turn_a: DVec3::ZERO,
        turn_b: DVec3::ZERO,
        ..*pair
    };
    judge_from_overlap(&held, depth)
}

/// Overlap at the start: a finding only if the centre passes the contact plane while the push reverses.
fn judge_from_overlap(pair: &Pair<'_>, depth: f64) -> Option<PairEvent> {
    let turns = rotating_pair::turns(pair);
    let swing = rotating_pair::rims(pair).filter(|_| turns);
    let reach = pair.travel().length() + depth + swing.map_or(0.0, |(a, b)| a + b);
    let body = if pair.mover_is_a() {
        pair.shape_a
    } else {
        pair.shape_b
    };
    // Resting contact ends here: no centre moves so far.
    if pair.sensor || reach < inner_radius(body) {
        return None;
    }
    let start = pair.contact_at(|motion| motion.start)?;
    let event = |kind, end| PairEvent {
        kind,
        fraction: 0.0,
        point: start.point,
        normal: start.normal,
        approach: Approach::Overlap(start),
        end,
        triangle: start.triangle,
        alone: false,
        parts: [None; 2],
        turned: None,
    };
    if start.fallback && pair.pushable {
        return Some(event(Kind::BadNumber, None));
    }
    if swing.is_some() && !start.fallback {
        let (kind, end) = rotating_pair::judge_from_overlap(pair, &start)?;
        let turned = judge_overlap_without_rotation(pair, start.depth).is_none();
        return Some(PairEvent {
            turned: turned.then(|| rotating_pair::turned_at(pair, true, 0.0, start.point)),
            ..event(kind, end)
        });
    }
    let side = pair.side_at_end(start.point, start.normal, start.depth, 0.0)?;
    let Some(end) = pair.contact_at_end() else {
        let exact = !start.fallback;
        let sinks = side < 0.0 && exact && leaves_behind(pair, start.normal);
        return sinks.then(|| event(Kind::Sinks, None));
    };
    let proven = !start.fallback;
    // An overlap past the centre at the start is no new event.
    let wrong = side < 0.0 && proven && !end.fallback && points_out_behind(&end, start.normal);
    wrong.then(|| event(Kind::WrongSide, Some(end)))
}

/// Whether a centre passes through the other and comes out behind a contact plane; not by rolling off an edge or
/// leaving through a flank.
fn leaves_behind(pair: &Pair<'_>, normal: DVec3) -> bool {
    let backward = Pair {
        motion_a: pair.motion_a.reversed(),
        motion_b: pair.motion_b.reversed(),
        ..*pair
    };
    [true, false].into_iter().any(|mover_is_a| {
        let (solid, shape) = if mover_is_a {
            (&pair.motion_b, pair.shape_b)
        } else {
            (&pair.motion_a, pair.shape_a)
        };
        // A plane has no centre, and a mesh's need not be on its surface.
        let toward_body = if mover_is_a { normal } else { -normal };
        pair.has_center(mover_is_a)
            && crossing_ray(&backward, mover_is_a)
                .filter(|hit| comes_out(hit, shape))
                .is_some_and(|hit| solid.end.vector(hit.normal).dot(toward_body) < -FAR_SIDE_COSINE)
    })
}

/// A one-sided surface that was missed by the sweep: whether the other came through from behind.
///
/// It is a crossing in the frame in which the body's centre passes, at any speed: a one-sided test detects nothing
/// before, and afterwards pushes the body out on the far side.
fn judge_from_behind(pair: &Pair<'_>) -> Option<PairEvent> {
    let surface_is_a = !is_one_sided(pair.shape_b);
    let (surface, frame) = if surface_is_a {
        (pair.shape_a, &pair.motion_a)
    } else {
        (pair.shape_b, &pair.motion_b)
    };
    let ray = crossing_ray(pair, !surface_is_a).filter(|hit| hit.back)?;
    let local = match surface {
        Shape::Triangle(triangle) => *triangle,
        Shape::Mesh(mesh) => mesh.triangle(ray.triangle?),
        _ => return None,
    };
    let both = Shape::Triangle(Triangle {
        facing: Facing::Both,
        ..local
    });
    let sweep = if surface_is_a {
        query::sweep(&both, frame, pair.shape_b, &pair.motion_b, &mut ())
    } else {
        query::sweep(pair.shape_a, &pair.motion_a, &both, frame, &mut ())
    };
    let fraction = sweep
        .outcome
        .impact()
        .map_or(ray.fraction, |impact| impact.fraction);
    let pose = frame.pose(fraction);
    // Toward the body's start: behind the triangle.
    let toward_body = -pose.vector(local.normal()?);
    let normal = if surface_is_a {
        -toward_body
    } else {
        toward_body
    };
    Some(PairEvent {
        kind: Kind::Tunnels,
        fraction,
        point: pose.point(ray.point),
        normal,
        approach: Approach::Behind,
        end: pair.contact_at_end(),
        triangle: ray.triangle,
        alone: false,
        parts: [None; 2],
        turned: None,
    })
}
