//! C06: a push out of one obstacle leads into or through the next one, as pushes are not swept.
//!
//! Tested is the sum of a frame's pushes, from the end of the body's own travel to the start of the next frame, so that a detour
//! which later rounds correct is no finding. Only obstacles that cannot move count. The next wall may belong to the same mesh.

use crate::core::bounds;
use crate::core::broad_phase::{self, Entry};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::causes::gap;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::judge::compound_parts;
use crate::core::diagnose::judge::event::JudgeStats;
use crate::core::diagnose::judge::mesh_triangles;
use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::{Context, name_of};
use crate::core::diagnose::shape_metrics::pair_size;

use crate::core::query;
use crate::core::replay::{Frame, ObjectId, Phase};
use crate::core::shape::{Aabb, Mesh, Motion, Pose, Segment, Shape};
use crate::core::tolerance::SLOP_SHARE;
use glam::DVec3;
use std::collections::BTreeMap;

/// Judges the pushes of a frame.
pub fn judge(context: &Context<'_>, frame: &Frame, findings: &mut Vec<Finding>) {
    let pushed = pushed(context, frame);
    if pushed.is_empty() {
        return;
    }
    let objects = context.replay.objects();
    let nowhere = Entry {
        bounds: Some(Aabb::NOWHERE),
        moves: false,
    };
    let ids = frame.end.ids();
    let entries: Vec<Entry> = (ids.iter())
        .map(|&id| {
            let object = &objects[id as usize];
            let still =
                || Some(Motion::still(end_pose(frame, id)?)).filter(|_| !object.is_pushable());
            let push = pushed.get(&id).map(|pushed| pushed.motion);
            let Some(motion) = push.or_else(still).filter(|motion| motion.end.is_finite()) else {
                return nowhere;
            };
            Entry {
                bounds: bounds::swept_aabb(&object.shape, &motion),
                moves: push.is_some(),
            }
        })
        .collect();
    for (i, j) in broad_phase::candidate_pairs(&entries) {
        let (i, j) = (ids[i as usize], ids[j as usize]);
        let (body, wall) = if pushed.contains_key(&i) {
            (i, j)
        } else {
            (j, i)
        };
        let Some(pushed) = pushed.get(&body) else {
            continue;
        };
        let (one, other) = (&objects[body as usize], &objects[wall as usize]);
        let exempt = context.replay.exemption(frame.number, body, wall).is_some();
        if exempt || one.sensor || other.sensor || !one.collides_with(other) || other.is_pushable()
        {
            continue;
        }
        findings.extend(finding(context, frame, (body, pushed), wall));
    }
}

/// Sum of a frame's pushes on one body.
struct TotalPush {
    motion: Motion,
    /// The immovable object that pushed it; `None` where a log does not give it.
    from: Option<ObjectId>,
}

/// By body: those that an immovable or unknown object pushed.
fn pushed(context: &Context<'_>, frame: &Frame) -> BTreeMap<ObjectId, TotalPush> {
    let mut all = BTreeMap::new();
    for phase in &frame.phases {
        let Phase::Push {
            object, against, ..
        } = phase
        else {
            continue;
        };
        let unyielding = |id: &ObjectId| !context.replay.objects()[*id as usize].is_pushable();
        if against.as_ref().is_some_and(|id| !unyielding(id)) || all.contains_key(object) {
            continue;
        }
        let segments = frame.segments(*object);
        let ends = segments
            .last()
            .map(|segment| segment.motion.end)
            .zip(end_pose(frame, *object));
        let Some((start, end)) = ends.filter(|(start, end)| start.is_finite() && end.is_finite())
        else {
            continue;
        };
        // A sweeping stepper pushes before the segments, not after them.
        if start.position != end.position {
            let motion = Motion { start, end };
            all.insert(
                *object,
                TotalPush {
                    motion,
                    from: *against,
                },
            );
        }
    }
    all
}

fn end_pose(frame: &Frame, id: ObjectId) -> Option<Pose> {
    Some(frame.end.body(id)?.pose)
}

fn finding(
    context: &Context<'_>,
    frame: &Frame,
    (body, pushed): (ObjectId, &TotalPush),
    wall: ObjectId,
) -> Option<Finding> {
    let objects = context.replay.objects();
    let (one, other) = (&objects[body as usize], &objects[wall as usize]);
    let still = Motion::still(end_pose(frame, wall)?);
    let slop = SLOP_SHARE * pair_size(&one.shape, &other.shape);
    let push = pushed.motion.displacement();
    if push.length() <= slop {
        return None;
    }
    let pair = Pair::new(
        context.replay,
        (body, wall),
        (0.0, 1.0, pushed.motion, still),
    )?;
    let push_hit = match pair.obstacle.shape {
        // The start position overlaps the obstacle itself; but a mesh has other walls.
        Shape::Mesh(mesh) if touches(&pair, &pushed.motion.start) => {
            within_mesh(&pair, mesh, slop)?
        }
        _ if touches(&pair, &pushed.motion.start) => return None,
        _ => PushHit::of(&pair, slop)?,
    };
    Some(push_hit.finding(context, frame.number, (body, pushed), wall))
}

/// Whether the pushed body touches the wall at a pose.
fn touches(pair: &Pair<'_>, at: &Pose) -> bool {
    let wall = pair.obstacle.shape.placed(&pair.obstacle.motion.start);
    query::contact(&pair.mover.shape.placed(at), &wall, &mut ()).is_some()
}

/// What a push hit: a wall that it went through or into.
struct PushHit {
    kind: Kind,
    /// World, metres.
    point: DVec3,
    /// Unit, toward the body.
    normal: DVec3,
    /// Depth at the end of the push, metres; 0 behind the wall.
    depth: f64,
    /// Fraction of the push that was free.
    free_fraction: f64,
}

impl PushHit {
    /// For a body that begins apart from the wall.
    fn of(pair: &Pair<'_>, slop: f64) -> Option<Self> {
        let left = pair.contact_at_end().filter(|left| left.depth > slop);
        // A push out of the far side ends in touch with it.
        let through =
            |kind: Kind| kind == Kind::Tunnels || (kind == Kind::WrongSide && left.is_none());
        let crossed = compound_parts::judge(pair, &mut JudgeStats::default());
        if let Some(event) = crossed.filter(|event| through(event.kind)) {
            return Some(Self {
                kind: Kind::Tunnels,
                point: event.point,
                normal: event.normal,
                depth: 0.0,
                free_fraction: event.fraction,
            });
        }
        let left = left.filter(|left| !left.fallback)?;
        let (a, b) = (&pair.mover.motion, &pair.obstacle.motion);
        let sweep = query::sweep(pair.mover.shape, a, pair.obstacle.shape, b, &mut ());
        Some(Self {
            kind: Kind::Phantom,
            point: left.point,
            normal: left.normal,
            depth: left.depth,
            free_fraction: sweep.outcome.impact()?.fraction,
        })
    }

    fn finding(
        &self,
        context: &Context<'_>,
        frame: u32,
        (body, pushed): (ObjectId, &TotalPush),
        wall: ObjectId,
    ) -> Finding {
        let (one, other) = (name_of(context, body), name_of(context, wall));
        let units = context.replay.units();
        let push = pushed.motion.displacement().length();
        let free_fraction = push * self.free_fraction;
        let from = match pushed.from {
            Some(from) if from == wall => " out of one wall of it".to_owned(),
            Some(from) => format!(" out of {}", name_of(context, from)),
            None => String::new(),
        };
        let push_hit = match self.kind {
            Kind::Tunnels => format!("right through {other}"),
            _ => format!("{} deep into {other}", units.length(self.depth)),
        };
        let text = format!(
            "{one} is pushed {}{from}, and that push leads {push_hit}, which is {} away: push-outs are not swept. Sweep the correction, stop it after {}, and resolve the contacts again.",
            units.length(push),
            units.length(free_fraction),
            units.length(free_fraction),
        );
        let mut evidence = vec![(Key::Push, push), (Key::Room, free_fraction)];
        if self.kind == Kind::Phantom {
            evidence.push((Key::DepthAfter, self.depth));
        }
        Finding {
            a: one,
            b: other,
            object_a: Some(body),
            object_b: Some(wall),
            point: self.point.to_array(),
            normal: self.normal.to_array(),
            evidence,
            fixes: Fix::set(Quantity::MaxPush, free_fraction)
                .into_iter()
                .collect(),
            text,
            ..context.blank(self.kind, Cause::NextWall, frame, 1.0)
        }
    }
}

/// A push out of one wall of a mesh through another wall of it: the earliest triangle that the body's centre crosses
/// and did not touch before. Leaving a solid through its surface does not count.
fn within_mesh(pair: &Pair<'_>, mesh: &Mesh, slop: f64) -> Option<PushHit> {
    let way = pair.center_way()?;
    if mesh.edges().boundary() == 0 && is_inside(mesh, way.a) {
        return None;
    }
    let mut earliest: Option<PushHit> = None;
    for index in mesh_triangles::passed(pair, mesh) {
        let triangle = Shape::Triangle(mesh.triangle(index));
        let alone = pair.with_shape(false, &triangle);
        if touches(&alone, &pair.mover.motion.start) {
            continue;
        }
        let push_hit = PushHit::of(&alone, slop).filter(|push_hit| push_hit.kind == Kind::Tunnels);
        if let Some(push_hit) = push_hit
            && earliest
                .as_ref()
                .is_none_or(|known| push_hit.free_fraction < known.free_fraction)
        {
            earliest = Some(push_hit);
        }
    }
    earliest
}

/// Whether a local point is inside a closed mesh: a ray crosses an odd number of triangles.
fn is_inside(mesh: &Mesh, point: DVec3) -> bool {
    let bounds = mesh.aabb();
    let away = bounds.max - bounds.min;
    // Not along an axis or diagonal, where the edges of levels lie.
    let out = point + (away + DVec3::ONE) * DVec3::new(1.0, 1.173, 1.389);
    gap::passed(mesh, &Segment { a: point, b: out }).len() % 2 == 1
}
