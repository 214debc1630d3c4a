//! C16: a body that is smaller than the overlap which the engine leaves alone, or a scale that does not fit its shape.
//!
//! Evidence of a body: its inner radius is below the engine's slop, and it stayed in overlap deeper than that radius, which the engine takes
//! for rest. Evidence of an object: a negative scale, an uneven scale of a round shape. A level whose gravity is that of another unit has a
//! notice, and no cause (`level_facts/units.rs`).

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::level_facts::engines::{preset, slop};
use crate::core::number::number;
use crate::core::scene::Object;
use crate::core::shape::Shape;

/// Relative difference above which a scale is uneven (no unit); editors round to three digits.
const SCALE_EVEN: f64 = 0.001;

/// Share of its inner radius that the slop may be of (no unit): half of it keeps the centre of a resting body well outside.
const FITTING_SLOP: f64 = 0.5;

/// States in contact, from which on a body that the engine left in overlap rests in it: at the first it only arrives.
const RESTING_STATES: u32 = 2;

/// The body rests deeper than its radius, and the engine leaves such an overlap alone.
pub(super) fn below_slop(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let slop = slop(&input.facts.engine)?;
    let contact = input.event.start()?;
    let bodies = [input.mover, input.other].into_iter();
    let (object, radius) = bodies
        .filter(|object| object.is_pushable())
        .map(|object| (object, object.shape.inner_radius()))
        .find(|(_, radius)| *radius > 0.0 && *radius < contact.depth.min(slop))?;
    if input.contact_frames < RESTING_STATES || input.pair.sensor {
        return None;
    }
    let setting = preset(&input.facts.engine)
        .and_then(|engine| engine.slop.as_ref())
        .map_or_else(String::new, |slop| format!(" ({})", slop.name));
    let fits = FITTING_SLOP * radius;
    Some(CauseMatch {
        cause: Cause::Units,
        evidence: vec![
            (Key::Depth, contact.depth),
            (Key::Margin, slop),
            (Key::InnerRadius, radius),
        ],
        fixes: Fix::set(Quantity::MaxMargin, fits).into_iter().collect(),
        text: format!(
            "{} is {} deep in {}, more than its inner radius ({}), and the engine leaves overlaps of up to {}{setting} alone: the body is too small for it. Set it to {} or less, or scale the level up.",
            object.name,
            input.units().length(contact.depth),
            if object.name == input.mover.name {
                &input.other.name
            } else {
                &input.mover.name
            },
            input.units().length(radius),
            input.units().length(slop),
            input.units().length(fits),
        ),
    })
}

/// One of the two has a scale that does not fit its shape.
pub(super) fn of_object(input: &CauseInput<'_>) -> Option<CauseMatch> {
    [input.mover, input.other].into_iter().find_map(scale)
}

fn scale(object: &Object) -> Option<CauseMatch> {
    let scale = object.scale.filter(|scale| scale.is_finite())?;
    let round = matches!(object.shape, Shape::Sphere { .. } | Shape::Capsule(_))
        || object.shape.as_stadium().is_some();
    let (least, most) = (scale.abs().min_element(), scale.abs().max_element());
    let why = if scale.min_element() <= 0.0 {
        "a scale that is negative or 0 turns its surface inside out, or flattens it"
    } else if round && most - least > SCALE_EVEN * most {
        "an uneven scale does not keep a shape round; engines collide with one of the three factors, and draw all of them"
    } else {
        return None;
    };
    let [x, y, z] = scale.to_array();
    Some(CauseMatch {
        cause: Cause::Units,
        evidence: vec![(Key::ScaleX, x), (Key::ScaleY, y), (Key::ScaleZ, z)],
        fixes: Vec::new(),
        text: format!(
            "{} is scaled by ({}, {}, {}): {why}. Scale the shape itself, evenly.",
            object.name,
            number(x),
            number(y),
            number(z)
        ),
    })
}
