//! C06: the push out of one thing leads into the next, or right through it. Pushes are no motion that anybody sweeps.
//!
//! Judged is what all pushes of a frame come to, from where the body's own travel ended to where the next frame finds it: what
//! later rounds mend is no finding. Only things that cannot give way count, on both sides.

use crate::core::bounds;
use crate::core::broad_phase::{self, Entry};
use crate::core::diagnose::extent::pair_size;
use crate::core::diagnose::finding::{Cause, Finding, Fix, Kind};
use crate::core::diagnose::frame::{Context, name_of};
use crate::core::diagnose::pair::{self, Pair, Tally};
use crate::core::diagnose::words::metres;
use crate::core::query;
use crate::core::replay::{Frame, ObjectId, Phase};
use crate::core::shape::{Aabb, Motion, Pose};
use crate::core::tolerance::SLOP_SHARE;
use std::collections::BTreeMap;

/// Judges the pushes of a frame.
pub(in crate::core::diagnose) fn judge(
    context: &Context<'_>,
    frame: &Frame,
    findings: &mut Vec<Finding>,
) {
    let pushed = pushed(context, frame);
    if pushed.is_empty() {
        return;
    }
    let objects = context.replay.objects();
    let nowhere = Entry {
        bounds: Some(Aabb::NOWHERE),
        moves: false,
    };
    let entries: Vec<Entry> = (0..objects.len() as u32)
        .map(|id| {
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
        let (body, wall) = if pushed.contains_key(&i) {
            (i, j)
        } else {
            (j, i)
        };
        let Some(pushed) = pushed.get(&body) else {
            continue;
        };
        let (one, other) = (&objects[body as usize], &objects[wall as usize]);
        if one.sensor || other.sensor || !one.collides_with(other) || other.is_pushable() {
            continue;
        }
        findings.extend(finding(context, frame, (body, pushed), wall));
    }
}

/// What a frame's pushes come to for one body.
struct Pushed {
    motion: Motion,
    /// What cannot give way and pushed it; `None` where a log does not say.
    from: Option<ObjectId>,
}

/// By body: those that something unyielding pushed, or something unknown.
fn pushed(context: &Context<'_>, frame: &Frame) -> BTreeMap<ObjectId, Pushed> {
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
        let leg = frame
            .legs
            .get(*object as usize)
            .and_then(|legs| legs.last());
        let ends = leg.map(|leg| leg.motion.end).zip(end_pose(frame, *object));
        let Some((start, end)) = ends.filter(|(start, end)| start.is_finite() && end.is_finite())
        else {
            continue;
        };
        // A sweeping stepper pushes before the legs, not after them.
        if start.position != end.position {
            let motion = Motion { start, end };
            all.insert(
                *object,
                Pushed {
                    motion,
                    from: *against,
                },
            );
        }
    }
    all
}

fn end_pose(frame: &Frame, id: ObjectId) -> Option<Pose> {
    Some(frame.end.bodies.get(id as usize)?.as_ref()?.pose)
}

fn finding(
    context: &Context<'_>,
    frame: &Frame,
    (body, pushed): (ObjectId, &Pushed),
    wall: ObjectId,
) -> Option<Finding> {
    let objects = context.replay.objects();
    let (one, other) = (&objects[body as usize], &objects[wall as usize]);
    let still = Motion::still(end_pose(frame, wall)?);
    let slop = SLOP_SHARE * pair_size(&one.shape, &other.shape);
    let at_wall = other.shape.placed(&still.start);
    let contact = |pose: &Pose| query::contact(&one.shape.placed(pose), &at_wall, &mut ());
    let push = pushed.motion.displacement();
    // Where it was pushed from is where it overlapped before.
    if push.length() <= slop || contact(&pushed.motion.start).is_some() {
        return None;
    }
    let pair = Pair::new((body, wall), (one, other), (0.0, 1.0, pushed.motion, still));
    let left = contact(&pushed.motion.end).filter(|contact| contact.depth > slop);
    // A push out of the far side ends in touch with it.
    let through = |kind: Kind| kind == Kind::Tunnels || (kind == Kind::WrongSide && left.is_none());
    let crossed = pair::judge(&pair, &mut Tally::default()).filter(|event| through(event.kind));
    let (kind, point, normal, depth) = match (&crossed, &left) {
        (Some(event), _) => (Kind::Tunnels, event.point, event.normal, 0.0),
        (None, Some(contact)) if !contact.fallback && !contact.via_bounding_sphere => {
            (Kind::Phantom, contact.point, contact.normal, contact.depth)
        }
        _ => return None,
    };
    let sweep = query::sweep(&one.shape, &pushed.motion, &other.shape, &still, &mut ());
    let room = push.length() * sweep.outcome.impact()?.fraction;
    let from = pushed.from.map_or(String::new(), |from| {
        format!(" out of {}", name_of(context, from))
    });
    let led = match kind {
        Kind::Tunnels => format!("right through {}", other.name),
        _ => format!("{} deep into {}", metres(depth), other.name),
    };
    let text = format!(
        "{} is pushed {}{from}, and that push leads {led}, which is {} away: a push is travel that nobody swept. Sweep the \
         correction, stop it after {}, and go over the contacts again.",
        one.name,
        metres(push.length()),
        metres(room),
        metres(room),
    );
    let mut evidence = vec![("push", push.length()), ("room", room)];
    if kind == Kind::Phantom {
        evidence.push(("depth_after", depth));
    }
    Some(Finding {
        a: one.name.clone(),
        b: other.name.clone(),
        object_a: Some(body),
        object_b: Some(wall),
        point: point.to_array(),
        normal: normal.to_array(),
        evidence,
        fixes: vec![Fix {
            what: "max_push",
            value: room,
            unit: "m",
        }],
        text,
        ..context.blank(kind, Cause::NEXT_WALL, frame.number, 1.0)
    })
}
