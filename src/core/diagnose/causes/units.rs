//! C16: lengths, gravity and scales that do not fit each other: the level is not in metres.
//!
//! Evidence of a level: gravity that is the Earth's in centimetres (981), inches (386) or feet (32.2), or bodies of
//! tens of metres (or less than a millimetre) under gravity in metres. Of an object: a margin over 2 % of its radius, a
//! negative scale, an uneven scale of a round shape. The fix is the length of the unit.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::level_facts::units::{EARTH_GRAVITY, UnitMismatch};
use crate::core::diagnose::shape_metrics::inner_radius;
use crate::core::number::{metres, number};
use crate::core::scene::Object;
use crate::core::shape::Shape;
use crate::core::tolerance::SLOP_SHARE;

/// Relative difference above which a scale is uneven (no unit); editors round to three digits.
const SCALE_EVEN: f64 = 0.001;

/// The whole level is in another unit.
pub(super) fn of_level(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let mismatch = input.facts.unit_mismatch?;
    let (evidence, fixes, text) = match mismatch {
        UnitMismatch::Gravity {
            gravity,
            unit,
            length,
        } => (
            vec![(Key::Gravity, gravity), (Key::EarthGravity, EARTH_GRAVITY)],
            Fix::set(Quantity::Length, length),
            format!(
                "Gravity is {} m/s²: that is the Earth's in {unit}, read as metres. Every length, speed and limit of this level is \
                 off by {}. Set `length: {length}`.",
                number(gravity),
                number(1.0 / length),
            ),
        ),
        UnitMismatch::Size { gravity, size } => (
            vec![(Key::Gravity, gravity), (Key::BodySize, size)],
            None,
            format!(
                "Gravity is {} m/s², the Earth's in metres, but the bodies of this level are {} across: one of the two is in another \
                 unit. Set the `length` of the unit, or scale gravity with the bodies.",
                number(gravity),
                metres(size),
            ),
        ),
    };
    Some(CauseMatch {
        cause: Cause::Units,
        evidence,
        fixes: fixes.into_iter().collect(),
        text,
    })
}

/// One of the two has a scale or margin that does not fit its size.
pub(super) fn of_object(input: &CauseInput<'_>) -> Option<CauseMatch> {
    [input.mover, input.other]
        .into_iter()
        .find_map(scale)
        .or_else(|| {
            [input.mover, input.other]
                .into_iter()
                .find_map(|object| margin(input, object))
        })
}

fn scale(object: &Object) -> Option<CauseMatch> {
    let scale = object.scale.filter(|scale| scale.is_finite())?;
    let round = matches!(object.shape, Shape::Sphere { .. } | Shape::Capsule(_));
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

fn margin(input: &CauseInput<'_>, object: &Object) -> Option<CauseMatch> {
    let margin = input.facts.engine.margin?;
    let radius = inner_radius(&object.shape);
    let fits = SLOP_SHARE * radius;
    let odd = object.is_pushable() && radius > 0.0 && radius.is_finite() && margin > fits;
    odd.then(|| CauseMatch {
        cause: Cause::Units,
        evidence: vec![(Key::Margin, margin), (Key::InnerRadius, radius)],
        fixes: Fix::set(Quantity::MaxMargin, fits).into_iter().collect(),
        text: format!(
            "The engine's margin of {} is {} of {}'s inner radius ({}): sizes and margin are of different units. A margin of {} or \
             less fits it.",
            metres(margin),
            crate::core::number::percent(margin / radius),
            object.name,
            metres(radius),
            metres(fits),
        ),
    })
}
