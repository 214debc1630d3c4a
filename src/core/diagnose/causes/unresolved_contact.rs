//! C21: an overlap test detected the contact when the frame began, and the response still let the body through.

use super::{CauseInput, CauseMatch, alternatives};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::facts::limits;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::judge::event::{Inside, points_out_behind};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::engines::{Preset, Slop, preset, title};
use crate::core::diagnose::level_facts::gravity;
use crate::core::number::seconds;
use crate::core::query::Contact;
use crate::core::replay::{LoggedContact, ObjectId, StateAt};
use crate::core::scene::{Movement, Object};
use crate::core::tolerance::OVERLAP_SLOP;
use glam::DVec3;

/// Depth, as a multiple of the overlap that the engine leaves alone, up to which a body rests by that and not by a soft contact (no unit).
const RESTS: f64 = 3.0;

/// Share of a displacement that the velocity at the start of the frame explains (no unit), below which it does not lead there.
const EXPLAINED: f64 = 0.1;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let contact = input
        .event
        .start()
        .filter(|_| input.event.kind == Kind::Sinks)?;
    let jumps = jumps_from_rest(input, contact.depth);
    (!jumps).then(|| state(input, contact))
}

/// The cause of what only touches when the frame begins, where no other applies and a test at the frame's ends detects it: nothing was missed.
pub(super) fn detected(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let contact = (input.event.start()).filter(|_| input.event.kind == Kind::Sinks)?;
    let (a, b) = (input.pair.mover.id, input.pair.obstacle.id);
    let is_detected = input.event.end.is_some()
        || input.metrics.displacement <= input.metrics.limit_seen
        || input.replay.has_contact(input.frame.number + 1, a, b);
    is_detected.then(|| state(input, contact))
}

fn state(input: &CauseInput<'_>, contact: Contact) -> CauseMatch {
    let seen = match input.contact_frames {
        0 | 1 => "when the frame begins".to_owned(),
        many => format!("and has been for {many} frames"),
    };
    let how = if contact.depth > 0.0 {
        format!("{} deep in", input.units().length(contact.depth))
    } else {
        "in touch with".to_owned()
    };
    let since = (input.frame.number + 1).saturating_sub(input.contact_frames);
    let (a, b) = (input.pair.mover.id, input.pair.obstacle.id);
    let mut states = since..=input.frame.number + 1;
    let reported = states.any(|state| input.replay.has_contact(state, a, b));
    let Remedy { fixes, help } = match kinematic_joint(input) {
        Some(driver) => Remedy::of_joint(input, driver),
        None if !input.pair.is_pushable() => Remedy::of_controller(input),
        None => Remedy::of_contact(input, reported),
    };
    let unknown = match input.replay.recording() {
        Some(log) if !log.logs_contacts() && !log.has_bits && input.pair.is_pushable() => {
            "If the engine does not test the pair, no response helps: log `contacts`, or `layer` and `mask`, to know."
        }
        _ => "",
    };
    let leaves = match input.event.end {
        None => "leaves on the far side",
        Some(end) if points_out_behind(&end, input.event.normal) => {
            "passes the middle, from where the push leads out on the far side"
        }
        Some(end) if end.depth >= 2.0 * input.metrics.slab.radius => "is wholly inside",
        Some(_) => "stays inside",
    };
    let moves = match input.metrics.travel {
        rests if rests <= OVERLAP_SLOP => String::new(),
        travel => format!("moves {} and ", input.units().length(travel)),
    };
    let mut text = format!(
        "{} is {how} {} {seen}, {moves}{leaves}: an overlap test detects the contact, and the response let it through.",
        input.mover.name,
        input.obstacle(),
    );
    for sentence in [&*help, unknown] {
        if !sentence.is_empty() {
            text = format!("{text} {sentence}");
        }
    }
    CauseMatch {
        cause: Cause::LetThrough,
        evidence: vec![
            (Key::Depth, contact.depth),
            (Key::FramesInContact, f64::from(input.contact_frames)),
        ],
        fixes,
        text,
    }
}

/// Whether the two only touch and do not close in when the frame begins, and one of them passes all the same: no response had anything to
/// hold.
fn jumps_from_rest(input: &CauseInput<'_>, depth: f64) -> bool {
    let velocity = |id: ObjectId, object: &Object| match object.movement {
        Movement::Fixed => Some(DVec3::ZERO),
        _ => input.frame.start.body(id)?.velocity,
    };
    let one = velocity(input.pair.mover.id, input.mover);
    let closing = one.zip(velocity(input.pair.obstacle.id, input.other));
    let closing = closing.map(|(one, other)| -(one - other).dot(input.event.normal));
    let m = &input.metrics;
    let is_slow = |closing: f64| closing * m.dt <= EXPLAINED * m.displacement;
    depth <= input.pair.slop && !input.has_no_limit() && closing.is_some_and(is_slow)
}

/// What would have held the body: the values, and the same as text.
struct Remedy {
    fixes: Vec<Fix>,
    help: String,
}

impl Remedy {
    /// A joint to a kinematic body pulls as hard as it must, whatever the step and the contact.
    fn of_joint(input: &CauseInput<'_>, driver: &str) -> Self {
        Self {
            fixes: Vec::new(),
            help: format!(
                "A joint ties {} to {driver}, which is kinematic and does not give way: let the joint give way (softer, or with a greatest force), or sweep {driver} and stop it there.",
                input.mover.name,
            ),
        }
    }

    /// No engine pushes it, so that no setting of its contacts helps.
    fn of_controller(input: &CauseInput<'_>) -> Self {
        let ways = alternatives(&input.held_steps());
        let uses = |ways: String| format!("Use {ways}.");
        Self {
            fixes: input.step_fixes(),
            help: Some(ways)
                .filter(|ways| !ways.is_empty())
                .map_or_else(String::new, uses),
        }
    }

    /// Smaller steps first, as these were shown to help, then a stiffer contact by the engine's own setting.
    fn of_contact(input: &CauseInput<'_>, reported: bool) -> Self {
        let engine = preset(&input.facts.engine);
        let soft = engine.and_then(|engine| engine.soft.as_ref());
        let stiff = soft.filter(|_| reported).and_then(|soft| {
            contact_time(input).filter(|fix| fix.holds.is_some_and(|most| most < soft.usual))
        });
        if let Some(fix) = stiff {
            return Self {
                help: format!(
                    "The engine had the contact and let it give way.{}{}",
                    stiff_enough(input, &fix),
                    settings(input, engine)
                ),
                fixes: vec![fix],
            };
        }
        let steps_help = engine.is_none_or(|engine| engine.smaller_steps.is_some());
        let (fixes, mut ways) = match steps_help {
            true => (input.step_fixes(), input.held_steps()),
            false => (Vec::new(), Vec::new()),
        };
        let limit = input.units().length(input.metrics.limit_side);
        let (what, otherwise) = match reported {
            true => (
                "The engine had the contact and let it give way.".to_owned(),
                "Stiffen it, or use more solver iterations.",
            ),
            false => (
                format!("A push moves it back only up to {limit} per frame."),
                "Remove the velocity into the surface, and push out by the whole depth every frame.",
            ),
        };
        let help = match ways.is_empty() {
            true if reported => format!("{what} {otherwise}{}", settings(input, engine)),
            true => format!("{otherwise}{}", settings(input, engine)),
            false => {
                ways.push("a stiffer response".to_owned());
                let ways = alternatives(&ways);
                format!("{what} Use {ways}.{}", settings(input, engine))
            }
        };
        Self { fixes, help }
    }
}

/// " In Jolt, for smaller steps raise `inCollisionSteps` of `PhysicsSystem::Update`; contacts are stiffer with `mBaumgarte` (0.2)." Of a body that
/// rests about as deep as the engine allows, what allows it.
fn settings(input: &CauseInput<'_>, engine: Option<&Preset>) -> String {
    let Some(engine) = engine else {
        return String::new();
    };
    let steps = engine.smaller_steps.as_ref();
    let steps = steps.map(|steps| format!("for smaller steps {}", steps.say));
    let stays = input.event.inside == Some(Inside::Stays);
    let rests = |slop: &&Slop| {
        let depth = input.event.start().map(|contact| contact.depth);
        stays && depth.is_some_and(|depth| depth <= RESTS * slop.usual)
    };
    let stiffer = match engine.slop.as_ref().filter(rests) {
        Some(slop) => Some(format!(
            "bodies rest as deep as {} ({})",
            slop.name,
            input.units().length(slop.usual)
        )),
        None => Some(engine.stiffer_text())
            .filter(|stiffer| !stiffer.is_empty())
            .map(|stiffer| format!("contacts are stiffer with {stiffer}")),
    };
    let parts: Vec<String> = [steps, stiffer].into_iter().flatten().collect();
    match parts.is_empty() {
        true => String::new(),
        false => {
            let title = title(&input.facts.engine).unwrap_or_default();
            format!(" In {title}, {}.", parts.join("; "))
        }
    }
}

/// The objects that joints tie an object to in this frame.
pub(super) fn joined<'r>(
    input: &CauseInput<'r>,
    id: ObjectId,
) -> impl Iterator<Item = ObjectId> + use<'r> {
    let frame = input.frame.number as usize;
    let log = input.replay.recording().into_iter();
    log.flat_map(move |log| log.joined_to(frame, id))
}

/// The kinematic body that a joint ties the mover to in this frame.
fn kinematic_joint<'r>(input: &CauseInput<'r>) -> Option<&'r str> {
    let objects = input.replay.objects();
    joined(input, input.pair.mover.id)
        .filter_map(|id| objects.get(id as usize))
        .find(|object| !object.is_pushable() && object.movement != Movement::Fixed)
        .map(|object| &*object.name)
}

/// The longest time constant of a contact that stops the mover before its push points out on the far side, with the substeps
/// that it needs. `None` where another contact loads the mover.
///
/// A spring of time constant `t` without damping stops a speed `v` within `v t`, and gives way by `g t^2` under a load `g`; damping
/// makes both shorter. The first step into it is not slowed.
fn contact_time(input: &CauseInput<'_>) -> Option<Fix> {
    let (pair, metrics) = (input.pair, &input.metrics);
    let load = load(input)?;
    let speed = speed_into(input);
    let (step, side) = (speed * metrics.dt, limits::safe(metrics.limit_side));
    let short = 2.0 * step <= side;
    let room = if short { side - step } else { 0.5 * side };
    let stops = 2.0 * room / (speed + (speed * speed + 4.0 * load * room).sqrt());
    let frame = step * f64::from(input.substeps);
    let substeps = Fix::set(
        Quantity::Substeps,
        limits::substeps(frame, 0.5 * side).unwrap_or(f64::INFINITY),
    );
    if pair.sensor || !short && substeps.is_none() {
        return None;
    }
    Fix::set(Quantity::MaxContactTime, stops).map(|fix| Fix {
        with: substeps.filter(|_| !short).map(Box::new),
        ..fix
    })
}

/// " A contact of a time constant of 0.001 s stops 60 m/s in time, together with 20 substeps."
fn stiff_enough(input: &CauseInput<'_>, fix: &Fix) -> String {
    let with = fix.with.as_ref().and_then(|with| with.holds);
    let with = with.map_or_else(String::new, |count| {
        format!(", together with {}", input.steps_text(count))
    });
    format!(
        " A time constant of at most {} (1 / (2 pi frequency)) stops {} in time{with}.",
        seconds(fix.holds.unwrap_or(0.0)),
        input.units().speed(speed_into(input)),
    )
}

/// Acceleration into the surface by gravity, metres per second squared; `None` where the mover has other contacts, whose load is
/// unknown.
fn load(input: &CauseInput<'_>) -> Option<f64> {
    let pair = input.pair;
    let log = input.replay.recording()?;
    let states = [input.frame.number, input.frame.number + 1].into_iter();
    let ends = [pair.mover.id, pair.obstacle.id];
    let pushable = |id: &&ObjectId| input.replay.objects()[**id as usize].is_pushable();
    // With anything but each other.
    let loads = |(_, contact): (usize, &LoggedContact)| {
        !ends.iter().all(|id| [contact.a, contact.b].contains(id))
    };
    let mut lines = states.map(|state| log.data.events(state as usize));
    let loaded = lines.any(|data| {
        let mut pushable = ends.iter().filter(pushable);
        pushable.any(|id| data.contacts.of(*id).any(loads))
    });
    let falls = |object: &Object| match object.movement {
        Movement::Velocity => gravity(input.replay),
        _ => DVec3::ZERO,
    };
    let relative = falls(input.mover) - falls(input.other);
    (!loaded).then(|| (-relative.dot(input.event.normal)).max(0.0))
}

/// The highest speed into the surface since the contact began, metres per second.
fn speed_into(input: &CauseInput<'_>) -> f64 {
    let pair = input.pair;
    let into = |state: StateAt<'_>| {
        let velocity = |id: ObjectId| state.body(id)?.velocity;
        let relative = velocity(pair.mover.id)? - velocity(pair.obstacle.id)?;
        Some(-relative.dot(input.event.normal))
    };
    let first = (input.frame.number + 1).saturating_sub(input.contact_frames);
    let logged = (first..=input.frame.number).filter_map(|state| into(input.replay.at(state)));
    let moved = input.metrics.displacement / input.metrics.dt;
    logged
        .filter(|speed| speed.is_finite())
        .fold(moved, f64::max)
}
