//! C21: an overlap test saw the contact when the frame began, and the response let the body through all the same.

use super::{Case, Claim, alternatives};
use crate::core::diagnose::causes::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::finding::Kind;
use crate::core::number::metres;

pub(super) fn claim(case: &Case<'_>) -> Option<Claim> {
    let contact = case
        .event
        .start()
        .filter(|_| case.event.kind == Kind::Sinks)?;
    let m = &case.measures;
    let seen = match case.seen_frames {
        0 | 1 => "when the frame begins".to_owned(),
        many => format!("and has been for {many} frames"),
    };
    let how = if contact.depth > 0.0 {
        format!("{} deep in", metres(contact.depth))
    } else {
        "in touch with".to_owned()
    };
    let mut ways = case.held_steps();
    let help = if ways.is_empty() {
        "Take the velocity into the surface away, and push out by the whole depth every frame."
            .to_owned()
    } else {
        ways.push("a stiffer response".to_owned());
        format!(
            "A push leads back only up to {} a frame. Use {}.",
            metres(m.limit_side),
            alternatives(&ways),
        )
    };
    let text = format!(
        "{} is {how} {} {seen}, moves {} and leaves on the far side: the contact was detected, the response let it through. {help}",
        case.mover.name,
        case.obstacle(),
        metres(m.travel),
    );
    Some(Claim {
        cause: Cause::LetThrough,
        evidence: vec![
            (Key::Depth, contact.depth),
            (Key::FramesInContact, f64::from(case.seen_frames)),
        ],
        fixes: case.step_fixes(),
        text,
    })
}
