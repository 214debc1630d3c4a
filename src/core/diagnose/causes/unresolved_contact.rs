//! C21: an overlap test detected the contact when the frame began, and the response still let the body through.

use super::{CauseInput, CauseMatch, alternatives};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::finding::Kind;
use crate::core::number::metres;
use crate::core::shape::Shape;

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
        true => (Vec::new(), Vec::new()),
        false => (input.step_fixes(), input.held_steps()),
    };
    let help = if reported {
        "The engine had the contact and let it give way: stiffen it, or use more solver iterations or substeps. A sweep does not help.".to_owned()
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
        Some(log) if log.contacts.is_empty() && !log.has_bits => {
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
