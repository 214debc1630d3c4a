//! C13: a displacement that the logged speed does not explain: teleported, or driven by position.
//!
//! Only for logs. A body that is driven by position has no velocity for the response to work with: smaller steps help
//! it only together with a velocity. Solvers that push bodies out by their positions leave the velocity as it is, too: what lies along the
//! normals of contacts is no teleport.

use super::touch::{self, Touch};
use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::shape_metrics::{half_width, inner_radius};
use crate::core::number::{metres, speed};
use crate::core::replay::{FrameState, ObjectId};
use crate::core::scene::Object;
use crate::core::shape::Motion;
use crate::core::tolerance::SLOP_SHARE;
use glam::DVec3;

/// A travel this many times what the speed explains was not travelled but set (no unit).
///
/// Integrators and bounces within a frame stay below 1; 2 leaves room for logs whose velocities lag a frame behind.
const TELEPORT_RATIO: f64 = 2.0;

/// Share of a push beside the normals of all contacts, below which they explain it (no unit): 17 degrees.
const ASIDE: f64 = 0.3;

/// A displacement and the logged speed; metres and metres per second.
pub(super) struct Jump<'r> {
    object: &'r Object,
    travelled: f64,
    logged: f64,
    explained: f64,
    /// Its speed is 0 in every frame.
    driven: bool,
    /// The speed that would explain it.
    needed: f64,
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
                true => format!("Drive it by velocity ({} here).", speed(jump.needed)),
                false => advice,
            };
            format!(
                "Its velocity is 0 in every frame: it is driven by position, so that nothing that uses velocities detects it. {advice}"
            )
        }
    };
    let text = format!(
        "{} moves {} in this {}, but its speed of {} explains only {}. {advice}",
        jump.object.name,
        metres(jump.travelled),
        input.step(),
        speed(jump.logged),
        metres(jump.explained),
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

fn jump<'r>(input: &CauseInput<'r>) -> Option<Jump<'r>> {
    if !input.facts.recorded {
        return None;
    }
    let pair = input.pair;
    unexplained(input, pair.a, &pair.motion_a)
        .or_else(|| unexplained(input, pair.b, &pair.motion_b))
}

/// The displacement of a body that neither its velocities nor its contacts explain.
pub(super) fn unexplained<'r>(
    input: &CauseInput<'r>,
    id: ObjectId,
    motion: &Motion,
) -> Option<Jump<'r>> {
    let object = &input.replay.objects()[id as usize];
    let velocity = |state: &FrameState| state.body(id)?.velocity;
    let start = velocity(&input.frame.start);
    let end = velocity(&input.frame.end);
    let velocities: Vec<DVec3> = [start, end].into_iter().flatten().collect();
    let dt = input.metrics.dt;
    let driven = input.facts.is_driven_by_position(id);
    let jump = |moved: DVec3| {
        let direction = moved.try_normalize()?;
        let along = |velocity: &DVec3| velocity.dot(direction);
        let fastest = velocities
            .iter()
            .max_by(|one, other| along(one).total_cmp(&along(other)))?;
        let (travelled, logged) = (moved.length(), fastest.length());
        let explained = along(fastest).max(0.0) * dt;
        let noise = SLOP_SHARE * inner_radius(&object.shape).min(travelled);
        if !explained.is_finite() || travelled <= TELEPORT_RATIO * explained + noise {
            return None;
        }
        let jump = Jump {
            object,
            travelled,
            logged,
            explained,
            driven,
            needed: if dt > 0.0 { travelled / dt } else { 0.0 },
        };
        Some((jump, *fastest * dt))
    };
    let moved = motion.displacement();
    let (found, explained) = jump(moved)?;
    let before_pushes = input.frame.whole_motion(id)?.end.position;
    let pushed = input.frame.end.body(id)?.pose.position - before_pushes;
    // What pushes take back is no way of a body that rests, but is one of a body that is driven against something.
    let is_held = !driven && jump(moved + pushed).is_none();
    let is_pushed = || is_pushed_out(input, (id, object), motion, explained);
    let is_explained = is_held || object.is_pushable() && is_pushed();
    (!is_explained).then_some(found)
}

/// Whether what a velocity leaves of a displacement is a push along the normals of contacts, no longer than it takes to be out of them.
fn is_pushed_out(
    input: &CauseInput<'_>,
    (id, object): (ObjectId, &Object),
    motion: &Motion,
    explained: DVec3,
) -> bool {
    let push = motion.displacement() - explained;
    let approach = |touch: &Touch| {
        let motion = input.frame.whole_motion(touch.other);
        let toward = motion.map_or(0.0, |motion| motion.displacement().dot(touch.normal));
        toward.max(0.0)
    };
    let mut left = push;
    let mut longest = 0.0_f64;
    for touch in touch::of(input, id) {
        left -= left.dot(touch.normal).max(0.0) * touch.normal;
        let width = 2.0 * half_width(&object.shape, &motion.start, touch.normal);
        longest = longest.max(touch.depth + approach(&touch) + width);
    }
    left.length() <= ASIDE * push.length() && push.length() <= longest
}
