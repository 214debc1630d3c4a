//! C09: a gap in the mesh or in the engine's broad phase.
//!
//! In the mesh: the mover's centre crosses no triangle, but passes between two boundary edges that face each other, closer together
//! than the mover is wide (the outer border of a sheet faces away), or through triangles so thin that engines drop them. In the broad phase: the exact test
//! overlaps, the log has contacts, and none of this pair.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::{Evidence, Key};
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::{Context, name_of};
use crate::core::diagnose::shape_metrics::center;

use crate::core::query;
use crate::core::query::closest_point::closest_point_on_segment;
use crate::core::replay::{FrameState, ObjectId};
use crate::core::scene::{Movement, Object};
use crate::core::shape::{Aabb, Facing, Mesh, Pose, Segment, Shape, Triangle};
use glam::DVec3;

/// Least number of consecutive states of an overlap without a contact.
pub(in crate::core::diagnose) const LASTING: u32 = 3;

/// What it means that the engine does not test a pair, by what the log says of it.
pub(super) fn untested(pair: [&Object; 2], has_bits: bool) -> &'static str {
    if pair.iter().any(|object| object.one_way.is_some()) {
        return ONE_WAY;
    }
    if has_bits { DISABLED } else { UNTESTED }
}

/// The same of a one-way platform.
const ONE_WAY: &str = "the engine does not test the pair: it still lets the body pass the one-way platform. End that once the body is clear of the platform or stands on it.";

/// The same where layers and masks are logged, and allow the pair.
const DISABLED: &str = "the engine does not test the pair, although layers and masks allow it. Look for a disabled collider, and for a one-way platform or a contact that a callback (pre-solve) disables: log such a platform with `one_way`. Log the pair as `ignore` if the two should pass each other.";

/// What an overlap means of which a log without layers and masks has no contact.
const UNTESTED: &str = "the engine does not test the pair. Look for a wrong layer, mask or group, for a disabled collider, and for a one-way platform or a contact that a callback (pre-solve) disables: log such a platform with `one_way`. Log `layer` and `mask` of both to see which bit is missing; log the pair as `ignore` if the two should pass each other.";

/// The same of two kinematic bodies.
pub(super) const DRIVEN: &str = "engines do not test two kinematic bodies against each other.";

/// The same of a pair that the log has contacts of at other times.
const CHANGES: &str = "Look for a collider, layer or mask that changes then, for a shape that is inside out, and for a one-way platform or a contact that a callback (pre-solve) disables: log such a platform with `one_way`.";

/// What it means of which a log with layers and masks has no contact.
const NOT_DETECTED: &str = "the engine did not test or detect it. Enlarge its broad-phase boxes, and check the mesh for holes.";

/// Cosine above which two open edges run side by side (no unit): within 18 degrees, as the two sides of a crack do.
const SEAM_COSINE: f64 = 0.95;

/// Height of a triangle, as a share of its longest edge and of the body's inner radius, below which it is a sliver that engines may
/// drop (no unit).
const SLIVER_SHARE: f64 = 1e-3;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    in_mesh(input).or_else(|| {
        // The bits allow the pair. No engine tests two bodies of which none can be pushed.
        let is_tested = input.replay.recording()?.has_bits && input.pair.is_pushable();
        is_tested.then(|| unreported(input, Cause::Gap, NOT_DETECTED))?
    })
}

fn in_mesh(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let pair = input.pair;
    input.event.triangle?;
    let Shape::Mesh(mesh) = pair.obstacle.shape else {
        return None;
    };
    let radius = Some(pair.mover.shape.inner_radius())
        .filter(|radius| *radius > 0.0 && radius.is_finite())?;
    if input.event.is_from_behind() || !input.event.kind.passes() {
        return None;
    }
    let way = pair.center_way()?;
    let passed = passed(mesh, &way);
    if passed.is_empty() {
        return seam(input, mesh, &way, radius);
    }
    let heights: Option<Vec<f64>> = passed
        .iter()
        .map(|index| sliver(mesh, *index, radius))
        .collect();
    let height = heights?.into_iter().fold(0.0, f64::max);
    let text = format!(
        "The centre of {} passes {} only where a triangle is {} wide: a sliver that f32 code or mesh cleaning removes. Weld its corners.",
        input.mover.name,
        input.other.name,
        input.units().length(height),
    );
    Some(CauseMatch {
        cause: Cause::Gap,
        evidence: vec![
            (Key::SliverHeight, height),
            (Key::BoundaryEdges, f64::from(mesh.edges().boundary())),
        ],
        fixes: Fix::set(Quantity::WeldDistance, height)
            .into_iter()
            .collect(),
        text,
    })
}

/// Every triangle that a segment through the mesh crosses, from either side (brute force over triangles whose boxes overlap it).
pub(in crate::core::diagnose) fn passed(mesh: &Mesh, way: &Segment) -> Vec<u32> {
    let mut passed = Vec::new();
    if let Some(bounds) = Aabb::of_points([way.a, way.b]) {
        mesh.for_each_in(&bounds, &mut |index| {
            let both = Triangle {
                facing: Facing::Both,
                ..mesh.triangle(index)
            };
            if query::ray_cast_triangle(way, &both, &mut ()).is_some() {
                passed.push(index);
            }
        });
    }
    passed.sort_unstable();
    passed
}

/// The height of a triangle that is thin both in itself and against the mover; otherwise `None`.
fn sliver(mesh: &Mesh, index: u32, radius: f64) -> Option<f64> {
    let longest = (0..3)
        .map(|edge| mesh.edge(index, edge))
        .map(|edge| edge.a.distance(edge.b))
        .fold(0.0, f64::max);
    let Triangle { a, b, c, .. } = mesh.triangle(index);
    let height = if longest > 0.0 {
        (b - a).cross(c - a).length() / longest
    } else {
        0.0
    };
    (height <= SLIVER_SHARE * longest.min(radius)).then_some(height)
}

/// A boundary edge near the path.
struct OpenEdge {
    /// From the path, metres.
    distance: f64,
    /// The point of the edge nearest to the path.
    at: DVec3,
    edge: Segment,
    /// From the edge to the third corner of its triangle.
    inward: DVec3,
}

impl OpenEdge {
    fn of(mesh: &Mesh, (triangle, edge): (u32, u32), way: &Segment) -> Self {
        let segment = mesh.edge(triangle, edge);
        let (s, t) = query::closest_point::closest_points_of_segments(way, &segment);
        let at = segment.a.lerp(segment.b, t);
        let Triangle { a, b, c, .. } = mesh.triangle(triangle);
        Self {
            distance: way.a.lerp(way.b, s).distance(at),
            at,
            inward: a + b + c - 1.5 * (segment.a + segment.b),
            edge: segment,
        }
    }
}

/// Two boundary edges on both sides of the path, closer to each other than the mover is wide.
fn seam(input: &CauseInput<'_>, mesh: &Mesh, way: &Segment, radius: f64) -> Option<CauseMatch> {
    let mut near: Vec<OpenEdge> = Vec::new();
    let bounds = Aabb::of_points([way.a, way.b])?.grown(radius);
    mesh.for_each_in(&bounds, &mut |triangle| {
        let open = (0..3).filter(|edge| mesh.edges().is_boundary(triangle, *edge));
        let edges = open.map(|edge| OpenEdge::of(mesh, (triangle, edge), way));
        near.extend(edges.filter(|edge| edge.distance < radius));
    });
    // Sorted by distance, ties by position, as the tree's order is not the mesh's.
    near.sort_by(|x, y| {
        let place = |edge: &OpenEdge| edge.at.to_array();
        x.distance.total_cmp(&y.distance).then_with(|| {
            place(x)
                .partial_cmp(&place(y))
                .unwrap_or(std::cmp::Ordering::Equal)
        })
    });
    let first = near.first()?;
    let along = (first.edge.b - first.edge.a).try_normalize()?;
    let across = |other: &OpenEdge| closest_point_on_segment(first.at, &other.edge).0 - first.at;
    let opposite = near.iter().skip(1).find(|other| {
        let direction = (other.edge.b - other.edge.a).try_normalize();
        let across = across(other);
        let beyond = closest_point_on_segment(first.at, way).0 - first.at;
        // At the outer border of a sheet the triangles lie between the two edges.
        let faces = first.inward.dot(across) < 0.0 && other.inward.dot(across) > 0.0;
        direction.is_some_and(|direction| direction.dot(along).abs() >= SEAM_COSINE)
            && faces
            && across.dot(beyond) > 0.0
            && across.length() < 2.0 * radius
    })?;
    let width = across(opposite).length();
    let boundary = mesh.edges().boundary();
    let text = format!(
        "The centre of {} passes no triangle of {}: it passes between two boundary edges {} apart, of {boundary} in the mesh. A ray or a face-only test detects nothing there. Weld corners up to {}.",
        input.mover.name,
        input.other.name,
        input.units().length(width),
        input.units().length(width),
    );
    Some(CauseMatch {
        cause: Cause::Gap,
        evidence: vec![
            (Key::GapWidth, width),
            (Key::BoundaryEdges, f64::from(boundary)),
        ],
        fixes: Fix::set(Quantity::WeldDistance, width)
            .into_iter()
            .collect(),
        text,
    })
}

/// An overlap that the engine had to report, of a pair of which a log with contacts has none around it. `advice` is for a pair that is
/// never logged.
pub(super) fn unreported(input: &CauseInput<'_>, cause: Cause, advice: &str) -> Option<CauseMatch> {
    let recording = input.replay.recording()?;
    let contacts = recording.data.totals().contacts;
    // Objects that only the scene has, the engine need not have had.
    let known = |id: u32| (id as usize) < recording.objects.len();
    let pair = input.pair;
    // No engine makes contacts of a kinematic body with a fixed one: they are not missing.
    let is_fixed = |object: &Object| object.movement == Movement::Fixed;
    let meets = pair.is_pushable() || ![input.mover, input.other].into_iter().any(is_fixed);
    if !recording.logs_contacts() || !meets || !known(pair.mover.id) || !known(pair.obstacle.id) {
        return None;
    }
    let (overlap, state) = match input.event.kind {
        Kind::Sinks => (input.event.start()?, &input.frame.start),
        Kind::WrongSide => (input.event.end?, &input.frame.end),
        _ => return None,
    };
    if touches_backs_only(input, state) {
        return None;
    }
    let first = input.frame.number;
    let is_logged = |state: &u32| {
        input
            .replay
            .has_contact(*state, pair.mover.id, pair.obstacle.id)
    };
    let has_none = |from: u32, to: u32| !(from..=to).any(|state| is_logged(&state));
    // A contact is logged with the state it led to, or with the next; one that comes later does not explain an overlap that has lasted.
    let lasts = recording.has_empty_contacts
        && input.contact_frames >= LASTING
        && has_none((first + 1).saturating_sub(input.contact_frames), first);
    if overlap.depth <= pair.slop || !(lasts || has_none(first, first + 2)) {
        return None;
    }
    let is_known = input
        .facts
        .is_logged_pair(input.replay, pair.mover.id, pair.obstacle.id);
    let last = is_known.then(|| (0..first).rev().find(is_logged)).flatten();
    let missing = match last {
        Some(last) => format!(
            "the log has no contact of this pair after {}: the engine stopped testing or detecting it. {CHANGES}",
            input.replay.frame_name(last)
        ),
        None if is_known => format!(
            "the log has no contact of this pair up to then: the engine did not test or detect it. {CHANGES}"
        ),
        None => never_logged(contacts, advice),
    };
    let text = format!(
        "{} and {} overlap by {}, but {missing}",
        input.mover.name,
        input.other.name,
        input.units().length(overlap.depth),
    );
    Some(CauseMatch {
        cause,
        evidence: unreported_evidence(overlap.depth, contacts),
        fixes: Vec::new(),
        text,
    })
}

/// Whether one of the two is a closed mesh of which the other touches only triangles that its centre is behind, at a state: engines that collide from the
/// front have no contact.
fn touches_backs_only(input: &CauseInput<'_>, state: &FrameState) -> bool {
    let placed = |id: ObjectId| {
        let pose = state.body(id)?.pose;
        Some((&input.replay.objects()[id as usize].shape, pose))
    };
    let backs_only = |(mesh, at): (&Shape, Pose), (body, pose): (&Shape, Pose)| {
        let closed = match mesh {
            Shape::Mesh(mesh) => Some(mesh).filter(|mesh| mesh.edges().boundary() == 0),
            _ => None,
        };
        let Some(mesh) = closed else {
            return false;
        };
        let here = Pose {
            position: at.point_to_local(pose.position),
            rotation: at.rotation.inverse() * pose.rotation,
        };
        let placed = body.placed(&here);
        let (Some(bounds), Some(center)) = (placed.aabb(), center(body, &here)) else {
            return false;
        };
        let mut fronts = 0;
        mesh.for_each_in(&bounds, &mut |index| {
            let triangle = Triangle {
                facing: Facing::Both,
                ..mesh.triangle(index)
            };
            let normal = triangle.normal().unwrap_or(DVec3::ZERO);
            let is_ahead = (center - triangle.a).dot(normal) > 0.0;
            let triangle = Shape::Triangle(triangle);
            let triangle = triangle.placed(&Pose::IDENTITY);
            fronts += u32::from(is_ahead && query::overlaps(&placed, &triangle));
        });
        fronts == 0
    };
    let both = placed(input.pair.mover.id).zip(placed(input.pair.obstacle.id));
    both.is_some_and(|(a, b)| backs_only(a, b) || backs_only(b, a))
}

/// A pair without a contact in a log with so many.
fn never_logged(contacts: usize, advice: &str) -> String {
    match contacts {
        0 => format!("the log lists contacts and has none: {advice}"),
        _ => format!("none of the {contacts} contacts in the log is of this pair: {advice}"),
    }
}

/// The evidence of such an overlap in a log with so many contacts.
fn unreported_evidence(depth: f64, contacts: usize) -> Evidence {
    vec![
        (Key::UnreportedDepth, depth),
        (Key::LoggedContacts, contacts as f64),
    ]
}

/// A pair that overlaps for several frames without a logged contact.
pub(in crate::core::diagnose) fn undetected(
    context: &Context<'_>,
    frame: u32,
    (a, b): (ObjectId, ObjectId),
    depth: f64,
) -> Finding {
    let (one, other) = (name_of(context, a), name_of(context, b));
    let recording = context.replay.recording();
    let contacts = recording.map_or(0, |recording| recording.data.totals().contacts);
    let (cause, advice) = match recording.is_some_and(|recording| recording.has_bits) {
        true => (
            Cause::Gap,
            "the engine did not test or detect it, although the bits allow it. Enlarge its broad-phase boxes.",
        ),
        false => {
            let objects = context.replay.objects();
            let pair = [a, b].map(|id| &objects[id as usize]);
            (Cause::Bits, untested(pair, false))
        }
    };
    let text = format!(
        "{one} and {other} overlap for {LASTING} states, by up to {}, but {}",
        context.replay.units().length(depth),
        never_logged(contacts, advice),
    );
    Finding {
        a: one,
        b: other,
        object_a: Some(a),
        object_b: Some(b),
        evidence: unreported_evidence(depth, contacts),
        text,
        ..context.blank(Kind::Phantom, cause, frame, 1.0)
    }
}
