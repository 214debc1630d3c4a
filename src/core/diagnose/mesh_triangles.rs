//! Events of single mesh triangles that the result for the whole mesh hides: a body that touches the floor of a mesh
//! passes a wall of the same mesh.
//!
//! Each triangle that the mover's centre crosses is tested separately, with the centre's path as proof. Rolling from
//! one triangle to the next, or cutting the edge of one, is not tested here.

use super::finding::Kind;
use super::pair::{Approach, JudgeStats, Pair, PairEvent, points_out_behind};
use super::shape_metrics::{center, is_body};
use super::{rotating_pair, whole_pair};
use crate::core::query::{self, Contact};
use crate::core::shape::{Aabb, Mesh, Motion, Pose, Segment, Shape, Triangle};
use glam::DVec3;

/// Cosine of the angle to a triangle's normal up to which a push leads back through it, and not sideways (no unit): 60 degrees.
const BACK_COSINE: f64 = 0.5;

/// The event of two shapes that are no compounds, if any.
///
/// A mesh gives its earliest or deepest triangle; hidden events are searched triangle by triangle.
pub(super) fn judge(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    let whole = whole_pair::judge(pair, stats);
    match &whole {
        Some(event) if event.kind != Kind::Clips => whole,
        _ => judge_hidden(pair, stats).or(whole),
    }
}

/// The earliest event of a single triangle, if one of the two is a mesh and the other has a centre.
fn judge_hidden(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    let (mesh, mesh_is_a) = match (pair.shape_a, pair.shape_b) {
        (body, Shape::Mesh(mesh)) if is_body(body) => (mesh, false),
        (Shape::Mesh(mesh), body) if is_body(body) => (mesh, true),
        _ => return None,
    };
    let mut earliest: Option<PairEvent> = None;
    for index in passed(pair, mesh, mesh_is_a) {
        let triangle = mesh.triangle(index);
        let shape = Shape::Triangle(triangle);
        let alone = pair.with_triangle(mesh_is_a, &shape);
        let event = whole_pair::judge(&alone, stats)
            .filter(|event| event.kind != Kind::Clips)
            .or_else(|| {
                let goes_on = mesh.triangles().len() > 1;
                goes_on.then(|| passes_through(pair, &alone, &triangle, mesh_is_a))?
            });
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

/// The event of a body whose centre crosses one triangle of a mesh, and which ends behind it: clear of it, or in an overlap whose push does
/// not lead back in front.
///
/// The shortest push of a body out of one triangle is often sideways, off an edge, although the mesh goes on there.
fn passes_through(
    pair: &Pair<'_>,
    alone: &Pair<'_>,
    triangle: &Triangle,
    mesh_is_a: bool,
) -> Option<PairEvent> {
    let start = alone.contact_at(|motion| motion.start);
    let end = alone.contact_at_end();
    let is_fallback = |contact: &Contact| contact.fallback;
    if pair.sensor || start.iter().chain(&end).any(is_fallback) {
        return None;
    }
    let from = center_path(pair, mesh_is_a)?.a;
    let face = triangle.normal()?;
    let toward_body = face * face.dot(from - triangle.a).signum();
    // From `b` toward `a`.
    let toward_a = if mesh_is_a { -toward_body } else { toward_body };
    let solid = match mesh_is_a {
        true => &pair.motion_a,
        false => &pair.motion_b,
    };
    let toward_end = solid.end.vector(toward_a);
    let (kind, ends_behind) = match (&start, &end) {
        (Some(start), None) => (
            Kind::Sinks,
            goes_on(pair, start.push(), |motion| motion.start),
        ),
        (_, Some(end)) => {
            let sideways = end.normal.dot(toward_end) <= BACK_COSINE;
            let stays = || sideways && goes_on(pair, end.push(), |motion| motion.end);
            let behind = points_out_behind(end, toward_end);
            (Kind::WrongSide, behind || stays())
        }
        (None, None) => return None,
    };
    if !ends_behind {
        return None;
    }
    let (fraction, point, approach) = match start {
        Some(start) => (0.0, start.point, Approach::Overlap(start)),
        None => {
            let impact = *alone.sweep().outcome.impact()?;
            let approach = Approach::Apart { detected: None };
            (impact.fraction, impact.point, approach)
        }
    };
    Some(PairEvent {
        kind,
        fraction,
        point,
        normal: solid.pose(fraction).vector(toward_a),
        approach,
        end,
        triangle: None,
        alone: false,
        parts: [None; 2],
        turned: None,
    })
}

/// Whether the push out of one triangle leaves the body in the mesh, as the mesh goes on there. Beside a mesh that ends the body slips past.
fn goes_on(pair: &Pair<'_>, push: DVec3, pose: impl Fn(&Motion) -> Pose) -> bool {
    let pushed = Pose {
        position: pose(&pair.motion_a).position + push,
        ..pose(&pair.motion_a)
    };
    let rest = Pair {
        motion_a: Motion::still(pushed),
        motion_b: Motion::still(pose(&pair.motion_b)),
        ..*pair
    };
    rest.contact_at_end()
        .is_some_and(|rest| rest.depth > pair.slop())
}

/// The pair on which an event was found: parts of compounds, or a single triangle of a mesh.
pub(super) fn on_judged_triangle<T>(
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
            ask(&pair.with_triangle(mesh_is_a, &shape))
        }
        None => ask(pair),
    }
}

/// The triangles that the mover's centre crosses, lowest first.
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

/// The path of the body's centre in the mesh's own space.
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
