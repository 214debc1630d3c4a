//! Events of single mesh triangles that the result for the whole mesh hides: a body that touches the floor of a mesh
//! passes a wall of the same mesh.
//!
//! Each triangle that the mover's centre crosses is tested separately, with the centre's path as proof. Rolling from
//! one triangle to the next, or cutting the edge of one, is not tested here.

use super::event::{JudgeStats, PairEvent};
use super::pair::Pair;
use super::sideways_push;
use super::{passages, rotating_pair};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::shape_metrics::{center, is_body};
use crate::core::query;
use crate::core::shape::{Aabb, Facing, Mesh, Pose, Shape, Triangle};
use glam::DVec3;

/// The event of two shapes that are no compounds, if any.
///
/// A mesh gives its earliest or deepest triangle; hidden events are searched triangle by triangle.
pub fn judge(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    let whole = passages::judge(pair, stats);
    // What the mover comes to rest on in the end is not the triangle that it passed.
    let lands = |event: &PairEvent| event.end.is_none() && pair.overlap_at_end().is_some();
    match &whole {
        Some(event) if event.kind != Kind::Clips && !lands(event) => whole,
        _ => judge_hidden(pair, stats).or(whole),
    }
}

/// The earliest event of a single triangle, if one of the two is a mesh and the other has a centre.
fn judge_hidden(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    if !is_body(pair.mover.shape) || stays_beside(pair, stats.start_depth) {
        return None;
    }
    let (triangles, count) = match pair.obstacle.shape {
        Shape::Mesh(mesh) => {
            let passed = passed(pair, mesh).into_iter();
            let passed = passed.map(|index| (Some(index), mesh.triangle(index)));
            (passed.collect(), mesh.count())
        }
        Shape::Triangle(triangle) => (vec![(None, *triangle)], 1),
        _ => return None,
    };
    let mut earliest: Option<PairEvent> = None;
    for (index, triangle) in triangles {
        let crosses = index.is_some() || crosses(pair, &triangle);
        if !crosses {
            continue;
        }
        let shape = Shape::Triangle(triangle);
        let alone = pair.with_shape(false, &shape);
        let event = passages::judge(&alone, stats)
            .filter(|event| event.kind != Kind::Clips)
            .or_else(|| {
                let from = pair.center_way()?.a;
                let face = triangle.normal()?;
                let toward_body = face * face.dot(from - triangle.a).signum();
                let has_others = count > 1;
                let goes_on = |push, at| has_others && sideways_push::leads_into(pair, push, at);
                sideways_push::judge(&alone, toward_body, true, goes_on)
            });
        // Of two that it is in when the interval begins, the one that it is deeper in, whichever comes first in the mesh.
        let rank = |event: &PairEvent| {
            let depth = event.start().map_or(0.0, |start| start.depth);
            (event.fraction, -depth)
        };
        if let Some(event) = event
            && earliest
                .as_ref()
                .is_none_or(|known| rank(&event) < rank(known))
        {
            earliest = Some(PairEvent {
                triangle: index,
                alone: true,
                ..event
            });
        }
    }
    earliest
}

/// Whether the mover's centre surely crosses no triangle: a ball around it that is inside the mover is no deeper in one at the start than the
/// mover is, and the centre does not move as far as the rest of its radius.
fn stays_beside(pair: &Pair<'_>, start_depth: f64) -> bool {
    let (mover, obstacle) = (&pair.mover, &pair.obstacle);
    let both_sides = match obstacle.shape {
        Shape::Mesh(mesh) => mesh.facing() == Facing::Both,
        Shape::Triangle(triangle) => triangle.facing == Facing::Both,
        _ => false,
    };
    let Some(off_origin) = center(mover.shape, &Pose::IDENTITY) else {
        return false;
    };
    let way = pair.travel().length() + mover.turn.length() * off_origin.length();
    both_sides
        && obstacle.turn == DVec3::ZERO
        && way + start_depth + pair.slop < mover.shape.inner_radius()
}

/// Whether the mover's centre crosses a triangle.
fn crosses(pair: &Pair<'_>, triangle: &Triangle) -> bool {
    let path = rotating_pair::center_path(pair).into_iter();
    let mut steps = path.filter(|step| query::ray_cast_triangle(step, triangle, &mut ()).is_some());
    steps.next().is_some()
}

/// The pair on which an event was found: parts of compounds, or a single triangle of a mesh.
pub fn on_judged_triangle<T>(
    pair: &Pair<'_>,
    event: &PairEvent,
    ask: impl FnOnce(&Pair<'_>) -> T,
) -> T {
    let pair = &pair.of_parts(event.parts);
    match pair.mesh().zip(event.triangle.filter(|_| event.alone)) {
        Some(((mesh, is_movers), index)) => {
            let shape = Shape::Triangle(mesh.triangle(index));
            ask(&pair.with_shape(is_movers, &shape))
        }
        None => ask(pair),
    }
}

/// The triangles that the mover's centre crosses, lowest first.
pub fn passed(pair: &Pair<'_>, mesh: &Mesh) -> Vec<u32> {
    let mut passed = Vec::new();
    for way in rotating_pair::center_path(pair) {
        if let Some(bounds) = Aabb::of_points([way.a, way.b]) {
            mesh.for_each_in(&bounds, &mut |index| {
                if query::ray_cast_triangle(&way, &mesh.triangle(index), &mut ()).is_some() {
                    passed.push(index);
                }
            });
        }
    }
    // The tree's order is not the mesh's.
    passed.sort_unstable();
    passed.dedup();
    passed
}
