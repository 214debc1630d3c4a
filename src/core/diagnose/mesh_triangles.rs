//! What the one answer for a whole mesh hides: a body that touches the floor of a room passes a wall of the same mesh.
//!
//! Judged by itself is each triangle that the body's middle passes. The middle's way is the proof; that a body rolls from
//! one triangle to the next, or cuts the edge of one, is not looked at here.

use super::finding::Kind;
use super::pair::{self, JudgeStats, Pair, PairEvent};
use super::shape_metrics::{center, is_body};
use super::{compound_parts, rotating_pair};
use crate::core::query;
use crate::core::shape::{Aabb, Mesh, Pose, Segment, Shape};

/// The earliest event of a single triangle, if one of the two is a mesh and the other a body.
pub(super) fn judge(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    let (mesh, mesh_is_a) = match (pair.shape_a, pair.shape_b) {
        (body, Shape::Mesh(mesh)) if is_body(body) => (mesh, false),
        (Shape::Mesh(mesh), body) if is_body(body) => (mesh, true),
        _ => return None,
    };
    let mut earliest: Option<PairEvent> = None;
    for index in passed(pair, mesh, mesh_is_a) {
        let shape = Shape::Triangle(mesh.triangle(index));
        let alone = pair.with_triangle(mesh_is_a, &shape);
        let event = pair::judge_whole(&alone, stats).filter(|event| event.kind != Kind::Clips);
        if let Some(event) = event
            && earliest
                .as_ref()
                .is_none_or(|known| event.fraction < known.fraction)
        {
            earliest = Some(PairEvent {
                triangle: Some(index),
                alone: true,
                ..event
            });
        }
    }
    earliest
}

/// The pair as its event was judged: with the parts of its compounds, and with the single triangle in the place of its mesh,
/// where it was found on that alone.
pub(super) fn on_judged_triangle<T>(
    pair: &Pair<'_>,
    event: &PairEvent,
    ask: impl FnOnce(&Pair<'_>) -> T,
) -> T {
    let pair = &compound_parts::of(pair, event.parts);
    let (mesh, mesh_is_a) = match (pair.shape_a, pair.shape_b) {
        (_, Shape::Mesh(mesh)) => (mesh, false),
        (Shape::Mesh(mesh), _) => (mesh, true),
        _ => return ask(pair),
    };
    match event.triangle.filter(|_| event.alone) {
        Some(index) => {
            let shape = Shape::Triangle(mesh.triangle(index));
            ask(&pair.with_triangle(mesh_is_a, &shape))
        }
        None => ask(pair),
    }
}

/// The triangles that the body's middle passes, lowest first.
pub(super) fn passed(pair: &Pair<'_>, mesh: &Mesh, mesh_is_a: bool) -> Vec<u32> {
    let mut passed = Vec::new();
    for way in rotating_pair::center_path(pair, !mesh_is_a) {
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

/// The way of the body's middle in the mesh's own space.
pub(super) fn center_path(pair: &Pair<'_>, mesh_is_a: bool) -> Option<Segment> {
    let (body, travel, frame) = if mesh_is_a {
        (pair.shape_b, &pair.motion_b, &pair.motion_a)
    } else {
        (pair.shape_a, &pair.motion_a, &pair.motion_b)
    };
    let local = |frame: &Pose, pose: &Pose| Some(frame.point_to_local(center(body, pose)?));
    Some(Segment {
        a: local(&frame.start, &travel.start)?,
        b: local(&frame.end, &travel.end)?,
    })
}
