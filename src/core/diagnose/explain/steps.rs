//! One step of a query as a sentence.

use super::super::words::{metres, number};
use crate::core::query::Step;

/// A step told with its numbers. A step without words of its own is told by its name.
pub(super) fn sentence_of(step: &Step) -> String {
    let value = |name: &str| {
        let found = step.numbers.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value)
    };
    let length = |name: &str| value(name).map(metres);
    told(step.name, &value, &length).unwrap_or_else(|| by_name(step))
}

/// `None` where there are no words, or a number they need is missing.
fn told(
    name: &str,
    value: &dyn Fn(&str) -> Option<f64>,
    length: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    Some(match name {
        "Start" => format!(
            "At the start the gap is {}, and the motion closes {} of it along the shortest way.",
            length("gap")?,
            length("approach")?
        ),
        "Parabola" => format!(
            "The squared gap is {} t^2 + 2 ({}) t + {}; the gap at the start is {} between surfaces, the radii add up to {}.",
            number(value("a")?),
            number(value("b")?),
            number(value("c")?),
            length("gap")?,
            length("radii")?
        ),
        "DecidedExactly" => match length("noise") {
            Some(noise) => format!(
                "Rounding, up to {noise} here, could decide the next step: arithmetic without rounding decides it."
            ),
            None => "Rounding could decide the next step: arithmetic without rounding decides it."
                .to_owned(),
        },
        "Overlapping" => format!("They overlap by {}.", length("depth")?),
        "Touching" => format!(
            "The distance {} is exactly the radius: they touch.",
            length("distance")?
        ),
        "Separated" => format!(
            "The distance {} is more than the radius {}: apart.",
            length("distance")?,
            length("radius")?
        ),
        "Receding" => match (value("b"), length("approach")) {
            (Some(b), _) => format!("b = {} is not below 0: they move apart.", number(b)),
            (_, Some(approach)) => format!("They close {approach}: they do not approach."),
            _ => "They do not approach.".to_owned(),
        },
        "Later" => match (value("fraction"), length("gap"), value("f(1)")) {
            (Some(fraction), ..) => format!(
                "They would meet at {} of the motion, after its end.",
                number(fraction)
            ),
            (_, Some(gap), _) => format!("At the end they are still {gap} apart, and approaching."),
            (.., Some(end)) => format!(
                "At the end the squared gap is still {}, and falling.",
                number(end)
            ),
            _ => "They are still apart at the end, and approaching.".to_owned(),
        },
        "Misses" => format!(
            "The closest approach, at {} of the motion, leaves {} between them.",
            number(value("fraction")?),
            length("by")?
        ),
        "Grazes" => format!(
            "The closest approach, at {} of the motion, touches without going in: a graze, not a hit.",
            number(value("fraction")?)
        ),
        "Hits" => match value("discriminant") {
            Some(discriminant) => format!(
                "The discriminant {} is positive: they meet at {} of the motion.",
                number(discriminant),
                number(value("fraction")?)
            ),
            None => format!("They meet at {} of the motion.", number(value("fraction")?)),
        },
        "OnVertex" => format!("A vertex is met, number {}.", number(value("number")?)),
        "OnEdge" => format!("An edge is met, number {}.", number(value("number")?)),
        "OnFace" => format!("A face is met, number {}.", number(value("number")?)),
        "OnRound" => "The round surface is met.".to_owned(),
        "TrianglesTested" => match value("count")? {
            1.0 => "One triangle is near enough to be tested.".to_owned(),
            count => format!("{} triangles are near enough to be tested.", number(count)),
        },
        "EarliestTriangle" => format!("Triangle {} is met first.", number(value("triangle")?)),
        "DeepestTriangle" => format!("Triangle {} is the deepest.", number(value("index")?)),
        "DegenerateTriangle" => "The triangle has no area: it acts as its longest edge.".to_owned(),
        "BehindOneSided" => {
            "It is behind a one-sided triangle, which is not there from behind.".to_owned()
        }
        "FallsBehindOneSided" => format!(
            "It falls behind the plane of the one-sided triangle at {} of the motion, {} away from it.",
            number(value("fraction")?),
            length("by")?
        ),
        "PlaneDistance" => format!(
            "It is {} from the triangle's plane, counted toward its front.",
            length("distance")?
        ),
        "CrossesPlane" => format!(
            "It reaches through the plane of the triangle from {} to {} of the motion.",
            number(value("from")?),
            number(value("to")?)
        ),
        "DeepestVertex" => format!(
            "The deepest point is {} from the plane.",
            length("gap").or(length("distance"))?
        ),
        "face axis" | "edge axis" => axis(name, value, length)?,
        "no motion along the axis" => format!(
            "Along one axis there is no motion; to part there takes {} one way, {} the other.",
            length("forward")?,
            length("backward")?
        ),
        "separating axis" => {
            let least = value("forward")?.min(value("backward")?);
            format!(
                "The axis {} separates them by {}.",
                direction(value)?,
                metres(-least)
            )
        }
        "least push" => format!(
            "The shortest way out is {} long, along {}.",
            length("depth")?,
            direction(value)?
        ),
        "BadNumber" => "A number is not finite, or too large to work with.".to_owned(),
        _ => return None,
    })
}

fn axis(
    name: &str,
    value: &dyn Fn(&str) -> Option<f64>,
    length: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    let of = if name == "face axis" {
        "a face's normal"
    } else {
        "the cross product of two edges"
    };
    Some(match (value("begin"), value("end")) {
        (Some(begin), Some(end)) => format!(
            "Along {of}, {}, they overlap from {} to {} of the motion.",
            direction(value)?,
            number(begin),
            number(end)
        ),
        _ => format!(
            "Along {of}, {}, it takes {} to part them one way, {} the other.",
            direction(value)?,
            length("forward")?,
            length("backward")?
        ),
    })
}

/// The direction of an axis, as (x, y, z).
fn direction(value: &dyn Fn(&str) -> Option<f64>) -> Option<String> {
    let [x, y, z] = [value("x")?, value("y")?, value("z")?].map(number);
    Some(format!("({x}, {y}, {z})"))
}

/// `TouchesEdge` with `share` 0.5 is "Touches edge: share 0.5."
fn by_name(step: &Step) -> String {
    let mut text = String::new();
    for letter in step.name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push(' ');
            text.extend(letter.to_lowercase());
        } else if text.is_empty() {
            text.extend(letter.to_uppercase());
        } else {
            text.push(letter);
        }
    }
    let numbers: Vec<String> = step
        .numbers
        .iter()
        .map(|(name, value)| format!("{name} {}", number(*value)))
        .collect();
    if !numbers.is_empty() {
        text.push_str(": ");
        text.push_str(&numbers.join(", "));
    }
    text.push('.');
    text
}
