//! C21: an overlap test detected the contact when the frame began, and the response still let the body through.

use super::{CauseInput, CauseMatch, alternatives};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::gravity;
use crate::core::diagnose::limits;
use crate::core::number::{metres, seconds, speed};
use crate::core::replay::{FrameState, LoggedContact, ObjectId};
use crate::core::scene::{Movement, Object};
use crate::core::shape::Shape;
use glam::DVec3;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let contact = input
        .event
        .start()
        .filter(|_| input.event.kind == Kind::Sinks)?;
    let m = &input.metrics;
    let seen = match input.contact_frames {
        0 | 1 => "when the frame begins".to_owned(),
        many => format!("and has been for {many} frames"),
    };
    let how = if contact.depth > 0.0 {
        format!("{} deep in", metres(contact.depth))
    } else {
        "in touch with".to_owned()
    };
    // The engine's own contact gave way: smaller steps with the same contact do, too.
    let reported = input.facts.is_logged_pair(input.pair.a, input.pair.b);
    let (fixes, mut ways) = match reported {
        true => (contact_time(input).into_iter().collect(), Vec::new()),
        false => (input.step_fixes(), input.held_steps()),
    };
    let help = if reported {
        let enough = fixes
            .first()
            .map_or_else(String::new, |fix| stiff_enough(input, fix));
        format!(
            "The engine had the contact and let it give way: stiffen it, or use more solver iterations or substeps.{enough} A sweep does not help."
        )
    } else if ways.is_empty() {
        "Remove the velocity into the surface, and push out by the whole depth every frame."
            .to_owned()
    } else {
        ways.push("a stiffer response".to_owned());
        format!(
            "A push moves it back only up to {} per frame. Use {}.",
            metres(m.limit_side),
            alternatives(&ways),
        )
    };
    let unknown = match input.replay.recording() {
        Some(log) if log.data.totals().contacts == 0 && !log.has_bits => {
            " If the engine does not test the pair, no response helps: log `contacts`, or `layer` and `mask`, to know."
        }
        _ => "",
    };
    let shapes = [input.pair.shape_a, input.pair.shape_b];
    let leaves = match input.event.end {
        None => "leaves on the far side",
        Some(_) if shapes.iter().any(|shape| matches!(shape, Shape::Plane(_))) => {
            "ends wholly behind the surface"
        }
        Some(_) => "passes the middle, from where the push leads out on the far side",
    };
    let text = format!(
        "{} is {how} {} {seen}, moves {} and {leaves}: an overlap test detects the contact, and the response let it through. {help}{unknown}",
        input.mover.name,
        input.obstacle(),
        metres(m.travel),
    );
    Some(CauseMatch {
        cause: Cause::LetThrough,
        evidence: vec![
            (Key::Depth, contact.depth),
            (Key::FramesInContact, f64::from(input.contact_frames)),
        ],
        fixes,
        text,
    })
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
        speed(speed_into(input)),
    )
}

/// Acceleration into the surface by gravity, metres per second squared; `None` where the mover has other contacts, whose load is
/// unknown.
fn load(input: &CauseInput<'_>) -> Option<f64> {
    let pair = input.pair;
    let log = input.replay.recording()?;
    let states = [input.frame.number, input.frame.number + 1].into_iter();
    let ends = [pair.a, pair.b];
    let loads = |contact: &LoggedContact| {
        let of = [contact.a, contact.b];
        let touches =
            |id: &ObjectId| input.replay.objects()[*id as usize].is_pushable() && of.contains(id);
        ends.iter().any(touches) && !ends.iter().all(|id| of.contains(id))
    };
    let mut lines = states.map(|state| log.data.events(state as usize));
    let loaded = lines.any(|data| data.contacts.iter().any(loads));
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
    let into = |state: &FrameState| {
        let velocity = |id: ObjectId| state.body(id)?.velocity;
        let relative = velocity(pair.a)? - velocity(pair.b)?;
        Some(-relative.dot(input.event.normal))
    };
    let first = (input.frame.number + 1).saturating_sub(input.contact_frames);
    let logged = (first..=input.frame.number).filter_map(|state| into(&input.replay.state(state)));
    let moved = input.metrics.displacement / input.metrics.dt;
    logged
        .filter(|speed| speed.is_finite())
        .fold(moved, f64::max)
}
