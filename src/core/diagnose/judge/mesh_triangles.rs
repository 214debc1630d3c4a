//! Events of single mesh triangles that the result for the whole mesh hides: a body that touches the floor of a mesh
//! passes a wall of the same mesh.
//!
//! Each triangle that the mover's centre crosses is tested separately, with the centre's path as proof. Rolling from
//! one triangle to the next, or cutting the edge of one, is not tested here.

use super::pair::{JudgeStats, Pair, PairEvent};
use super::sideways_push;
use super::{passages, rotating_pair};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::shape_metrics::{center, is_body, is_surface};
use crate::core::query;
use crate::core::shape::{Aabb, Mesh, Pose, Segment, Shape, Triangle};

/// The event of two shapes that are no compounds, if any.
///
/// A mesh gives its earliest or deepest triangle; hidden events are searched triangle by triangle.
pub fn judge(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    let whole = passages::judge(pair, stats);
    match &whole {
        Some(event) if event.kind != Kind::Clips => whole,
        _ => judge_hidden(pair, stats).or(whole),
    }
}

/// The earliest event of a single triangle, if one of the two is a mesh and the other has a centre.
fn judge_hidden(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    let (surface, surface_is_a) = match (pair.shape_a, pair.shape_b) {
        (body, surface) if is_body(body) && is_surface(surface) => (surface, false),
        (surface, body) if is_body(body) && is_surface(surface) => (surface, true),
        _ => return None,
    };
    let (triangles, count) = match surface {
        Shape::Mesh(mesh) => {
            let passed = passed(pair, mesh, surface_is_a).into_iter();
            let passed = passed.map(|index| (Some(index), mesh.triangle(index)));
            (passed.collect(), mesh.triangles().len())
        }
        Shape::Triangle(triangle) => (vec![(None, *triangle)], 1),
        _ => return None,
    };
    let mesh_is_a = surface_is_a;
    let mut earliest: Option<PairEvent> = None;
    for (index, triangle) in triangles {
        let crosses = index.is_some() || crosses(pair, &triangle, mesh_is_a);
        if !crosses {
            continue;
        }
        let shape = Shape::Triangle(triangle);
        let alone = pair.with_shape(mesh_is_a, &shape);
        let event = passages::judge(&alone, stats)
            .filter(|event| event.kind != Kind::Clips)
            .or_else(|| {
                let from = center_path(pair, mesh_is_a)?.a;
                let face = triangle.normal()?;
                let toward_body = face * face.dot(from - triangle.a).signum();
                let has_others = count > 1;
                let goes_on = |push, at| has_others && sideways_push::leads_into(pair, push, at);
                sideways_push::judge(&alone, (mesh_is_a, toward_body), true, goes_on)
            });
        if let Some(event) = event
            && earliest
                .as_ref()
                .is_none_or(|known| event.fraction < known.fraction)
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

/// Whether the mover's centre crosses a triangle.
fn crosses(pair: &Pair<'_>, triangle: &Triangle, surface_is_a: bool) -> bool {
    let path = rotating_pair::center_path(pair, !surface_is_a).into_iter();
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
    let (mesh, mesh_is_a) = match (pair.shape_a, pair.shape_b) {
        (_, Shape::Mesh(mesh)) => (mesh, false),
        (Shape::Mesh(mesh), _) => (mesh, true),
        _ => return ask(pair),
    };
    match event.triangle.filter(|_| event.alone) {
        Some(index) => {
            let shape = Shape::Triangle(mesh.triangle(index));
            ask(&pair.with_shape(mesh_is_a, &shape))
        }
        None => ask(pair),
    }
}

/// The triangles that the mover's centre crosses, lowest first.
pub fn passed(pair: &Pair<'_>, mesh: &Mesh, mesh_is_a: bool) -> Vec<u32> {
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

/// The path of the body's centre in the mesh's own space.
pub fn center_path(pair: &Pair<'_>, mesh_is_a: bool) -> Option<Segment> {
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
