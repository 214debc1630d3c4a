//! C13: a displacement that the logged speed does not explain: teleported, or driven by position.
//!
//! Only for logs. A body that is driven by position has no velocity for the response to work with: smaller steps help
//! it only together with a velocity. Solvers that push bodies out by their positions leave the velocity as it is, too: what lies along the
//! normals of contacts is no teleport.

use super::touch::{self, Touch};
use super::unresolved_contact::joined;
use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::shape_metrics::{half_width, spacing};

use crate::core::query::closest_point::closest_point_on_segment;
use crate::core::replay::{BodyState, Frame, FrameState, ObjectId};
use crate::core::scene::Object;
use crate::core::shape::{Motion, Segment};
use crate::core::tolerance::{CONTACT_FRAMES, SLOP_SHARE};
use glam::DVec3;

/// A travel this many times what the speed explains was not travelled but set (no unit).
///
/// Integrators and bounces within a frame stay below 1; 2 leaves room for logs whose velocities lag a frame behind.
const TELEPORT_RATIO: f64 = 2.0;

/// Share of a push beside the normals of all contacts, below which they explain it (no unit): 17 degrees.
const ASIDE: f64 = 0.3;

/// Times that the contacts of a body are asked what they explain of a push (a count): solvers go over them a few times.
const ROUNDS: usize = 8;

/// A displacement and the logged speed; metres and metres per second.
pub(super) struct Jump {
    id: ObjectId,
    travelled: f64,
    logged: f64,
    explained: f64,
    /// Its speed is 0 while it moves.
    driven: bool,
    /// The speed that would explain it.
    needed: f64,
    /// The frame, where it is an earlier one, in which the overlap began.
    since: Option<u32>,
}

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let jump = jump(input)?;
    let fixes = match (input.step_fixes(), jump.driven) {
        (_, false) => Vec::new(),
        // Within the limits, the velocity alone is enough.
        (none, true) if none.is_empty() => Fix::set(Quantity::DriveSpeed, jump.needed)
            .into_iter()
            .collect(),
        (steps, true) => steps,
    };
    let advice = match (jump.driven, input.advice(&[], &[])) {
        (false, _) => {
            "If it was teleported, flag the frame `teleported`; if it should travel, drive it by velocity.".to_owned()
        }
        (true, advice) => {
            let advice = match advice.is_empty() {
                true => format!("Drive it by velocity ({} here).", input.units().speed(jump.needed)),
                false => advice,
            };
            let alone = match input.pair.sensor {
                true => " Smaller steps help only if the game moves it in each of them.",
                false => "",
            };
            format!(
                "Its velocity is 0 while it moves: it is driven by position, so that nothing that uses velocities detects it. {advice}{alone}"
            )
        }
    };
    let when = match jump.since {
        Some(frame) => format!(
            "{}, in which this overlap begins",
            input.replay.frame_name(frame)
        ),
        None => format!("this {}", input.step()),
    };
    let text = format!(
        "{} moves {} in {when}, but its speed of {} explains only {}. {advice}",
        input.replay.objects()[jump.id as usize].name,
        input.units().length(jump.travelled),
        input.units().speed(jump.logged),
        input.units().length(jump.explained),
    );
    Some(CauseMatch {
        cause: Cause::Teleport,
        evidence: vec![
            (Key::LoggedSpeed, jump.logged),
            (Key::Explained, jump.explained),
            (Key::Unexplained, jump.travelled - jump.explained),
        ],
        fixes,
        text,
    })
}

/// The speed of a body that is driven by position, m/s, where one of the two is. A sensor pushes nothing, and needs no velocity.
pub(super) fn driven_speed(input: &CauseInput<'_>) -> Option<f64> {
    let jump = jump(input).filter(|jump| jump.driven && !input.pair.sensor)?;
    Some(jump.needed).filter(|speed| speed.is_finite())
}

fn jump(input: &CauseInput<'_>) -> Option<Jump> {
    if !input.facts.recorded {
        return None;
    }
    let pair = input.pair;
    unexplained(input, pair.mover.id, &pair.mover.motion)
        .or_else(|| unexplained(input, pair.obstacle.id, &pair.obstacle.motion))
        .or_else(|| jump_into(input))
}

/// The displacement in the earlier frame in which an overlap began.
fn jump_into(input: &CauseInput<'_>) -> Option<Jump> {
    let since = input.since?.checked_sub(1)?;
    let replay = input.replay;
    let pushed = replay.recording().is_some_and(|log| {
        let data = log.data.events(since as usize + 1);
        !data.pushes.is_empty()
    });
    let ids = [input.pair.mover.id, input.pair.obstacle.id];
    let may_have = |id: ObjectId| {
        let [from, to] = [since, since + 1].map(|state| replay.at(state).body(id));
        let (from, to) = (from?, to?);
        let motion = Motion {
            start: from.pose,
            end: to.pose,
        };
        let velocities = [from.velocity, to.velocity];
        displaced(input, id, &velocities, &motion, motion.displacement())
    };
    // The whole frame is read only for what may be one.
    if !pushed && ids.iter().all(|id| may_have(*id).is_none()) {
        return None;
    }
    let in_frame = |frame: &Frame| {
        let earlier = CauseInput { frame, ..*input };
        let of = |id: ObjectId| unexplained(&earlier, id, &frame.whole_motion(id)?);
        of(ids[0]).or_else(|| of(ids[1]))
    };
    let found = match replay.frame_without_sweep(since) {
        Some(frame) => in_frame(&frame),
        None => in_frame(&replay.frame(since)),
    };
    // What is shorter is a solver's push, unless the body has no velocity at all.
    let is_jump = |jump: &Jump| {
        let shape = &input.replay.objects()[jump.id as usize].shape;
        jump.logged == 0.0 || jump.travelled - jump.explained > shape.inner_radius()
    };
    let found = found.filter(|jump| !jump.driven && is_jump(jump))?;
    Some(Jump {
        since: Some(since),
        ..found
    })
}

/// The displacement of a body that neither its velocities nor its contacts explain.
pub(super) fn unexplained(input: &CauseInput<'_>, id: ObjectId, motion: &Motion) -> Option<Jump> {
    let object = &input.replay.objects()[id as usize];
    let dt = input.metrics.dt;
    let velocity = |state: &FrameState| state.body(id)?.velocity;
    let logged = [velocity(&input.frame.start), velocity(&input.frame.end)];
    let velocities: Vec<DVec3> = logged.into_iter().flatten().collect();
    let jump = |moved: DVec3| displaced(input, id, &logged, motion, moved);
    let moved = motion.displacement();
    let found = jump(moved)?;
    let is_moved = object.is_pushable()
        && (is_pushed_out(input, (id, object), motion, &velocities)
            || is_pulled(input, id, found.travelled));
    let drive = drive(input, (id, object)).filter(|step| step.is_finite() || !is_moved);
    let matters = least(input, drive.is_some()).max(SLOP_SHARE * input.metrics.travel);
    if found.travelled - found.explained <= matters {
        return None;
    }
    let before_pushes = input.frame.whole_motion(id)?.end.position;
    let pushed = input.frame.end.body(id)?.pose.position - before_pushes;
    // What pushes take back is no way of a body that rests, but is one of a body that is driven against something.
    let is_held = || jump(moved + pushed).is_none();
    match drive {
        None => (!is_moved && !is_held()).then_some(found),
        // The push is not driven.
        Some(step) => Some(Jump {
            driven: true,
            needed: if is_moved { step / dt } else { found.needed },
            ..found
        }),
    }
}

/// A displacement of a body on a motion that its velocities at both ends do not explain.
fn displaced(
    input: &CauseInput<'_>,
    id: ObjectId,
    velocities: &[Option<DVec3>; 2],
    motion: &Motion,
    moved: DVec3,
) -> Option<Jump> {
    let shape = &input.replay.objects()[id as usize].shape;
    let dt = input.metrics.dt;
    // A step of the numbers of the log is no jump.
    let rounding = spacing(&[motion.start.position, motion.end.position]);
    let direction = moved.try_normalize()?;
    let along = |velocity: &DVec3| velocity.dot(direction);
    let known = velocities.iter().flatten();
    let fastest = known.max_by(|one, other| along(one).total_cmp(&along(other)))?;
    let (travelled, logged) = (moved.length(), fastest.length());
    let explained = along(fastest).max(0.0) * dt;
    let noise = SLOP_SHARE * shape.inner_radius().min(travelled) + rounding;
    let is_far = explained.is_finite() && travelled > TELEPORT_RATIO * explained + noise;
    is_far.then_some(Jump {
        id,
        travelled,
        logged,
        explained,
        driven: false,
        needed: if dt > 0.0 { travelled / dt } else { 0.0 },
        since: None,
    })
}

/// Displacement in a frame from which on it is a jump, metres. What is driven goes on with it.
fn least(input: &CauseInput<'_>, driven: bool) -> f64 {
    let frames = if driven { CONTACT_FRAMES } else { 1 };
    input.pair.slop / f64::from(frames)
}

/// The longest displacement in a frame of a body that is driven by its position, metres: without a velocity it moves now, and in the last
/// frame before in which it moved it was not pushed. Nothing is known of one that is new.
fn drive(input: &CauseInput<'_>, (id, object): (ObjectId, &Object)) -> Option<f64> {
    let rests = |body: &BodyState| body.velocity == Some(DVec3::ZERO);
    let (start, end) = (input.frame.start.body(id)?, input.frame.end.body(id)?);
    if !rests(start) || !rests(end) {
        return None;
    }
    let last = input.frame.number;
    let mut longest: Option<f64> = None;
    let mut to = *start;
    for number in (last.saturating_sub(CONTACT_FRAMES)..last).rev() {
        let Some(from) = input.replay.body(number, id).filter(rests) else {
            break;
        };
        let motion = Motion {
            start: from.pose,
            end: to.pose,
        };
        let moved = motion.displacement().length();
        if to.teleported {
            break;
        }
        if moved > least(input, true) {
            let earlier = |frame: &Frame| {
                let input = CauseInput { frame, ..*input };
                is_pushed_out(&input, (id, object), &motion, &[])
            };
            let is_pushed = || match input.replay.frame_without_sweep(number) {
                Some(frame) => earlier(&frame),
                None => earlier(&input.replay.frame(number)),
            };
            if longest.is_none() && object.is_pushable() && is_pushed() {
                return None;
            }
            longest = Some(longest.map_or(moved, |known| known.max(moved)));
        }
        to = from;
    }
    let is_new = || last == 0 || input.replay.body(last - 1, id).is_none();
    longest.or_else(|| is_new().then_some(f64::INFINITY))
}

/// Whether a joint may have moved a body: it pulls no farther than to the other.
fn is_pulled(input: &CauseInput<'_>, id: ObjectId, travelled: f64) -> bool {
    let place = |id: ObjectId| Some(input.frame.start.body(id)?.pose.position);
    joined(input, id).any(|other| {
        let ends = place(id).zip(place(other));
        ends.is_some_and(|(one, other)| one.distance(other) >= travelled)
    })
}

/// Whether what velocities leave of a displacement is a push along the normals of contacts, no longer than it takes to be out of them.
fn is_pushed_out(
    input: &CauseInput<'_>,
    (id, object): (ObjectId, &Object),
    motion: &Motion,
    velocities: &[DVec3],
) -> bool {
    let approach = |touch: &Touch| {
        let motion = input.frame.whole_motion(touch.other);
        let toward = motion.map_or(0.0, |motion| motion.displacement().dot(touch.normal));
        toward.max(0.0)
    };
    let touches = touch::of(input, id, 0.0);
    let longest = touches.iter().map(|touch| {
        let width = 2.0 * half_width(&object.shape, &motion.start, touch.normal);
        touch.depth + approach(touch) + width
    });
    let longest = longest.fold(0.0, f64::max);
    let is_push = |push: &DVec3| {
        let mut left = *push;
        // Each contact may push again what another one turned aside.
        for touch in std::iter::repeat_n(&touches, ROUNDS).flatten() {
            left -= left.dot(touch.normal).max(0.0) * touch.normal;
        }
        left.length() <= ASIDE * push.length() && push.length() <= longest
    };
    let moved = motion.displacement();
    // A body goes on with a velocity of its own, or is stopped on its way.
    let pushes = |velocity: &DVec3| {
        let (a, b) = (DVec3::ZERO, *velocity * input.metrics.dt);
        let stopped = closest_point_on_segment(moved, &Segment { a, b }).0;
        [moved - b, moved - stopped]
    };
    match velocities {
        [] => is_push(&moved),
        all => all.iter().flat_map(pushes).any(|push| is_push(&push)),
    }
}
