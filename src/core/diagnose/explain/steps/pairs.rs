//! Words for the steps of contacts and sweeps.

use super::Numbers;
use crate::core::number::{metres, number};

/// `None` where there are no words, or a number they need is missing.
pub(super) fn told(name: &str, numbers: &Numbers<'_>) -> Option<String> {
    Some(match name {
        "Start" => {
            let gap = numbers.value("gap")?;
            let lie = match gap < 0.0 {
                true => format!("overlap by {}", metres(-gap)),
                false => format!("are {} apart", metres(gap)),
            };
            format!(
                "At the start they {lie}; {}.",
                brought(numbers.value("approach")?)
            )
        }
        "Parabola" => format!(
            "The squared gap is {} t^2 + 2 ({}) t + {}; the gap at the start is {} between surfaces, the radii add up to {}.",
            numbers.number("a")?,
            numbers.number("b")?,
            numbers.number("c")?,
            numbers.length("gap")?,
            numbers.length("radii")?
        ),
        "DecidedExactly" => match numbers.length("noise") {
            Some(noise) => format!(
                "Rounding, up to {noise} here, could decide the next step: arithmetic without rounding decides it."
            ),
            None => "Rounding could decide the next step: arithmetic without rounding decides it."
                .to_owned(),
        },
        "Overlapping" => format!("They overlap by {}.", numbers.length("depth")?),
        "Touching" => format!(
            "The distance {} is exactly the radius: they touch.",
            numbers.length("distance")?
        ),
        "Separated" => format!(
            "The distance {} is more than the radius {}: apart.",
            numbers.length("distance")?,
            numbers.length("radius")?
        ),
        "Receding" => match (numbers.value("b"), numbers.value("approach")) {
            (Some(b), _) => format!("b = {} is not below 0: they move apart.", number(b)),
            (_, Some(approach)) => format!("They do not approach: {}.", brought(approach)),
            _ => "They do not approach.".to_owned(),
        },
        "Later" => match (
            numbers.value("fraction"),
            numbers.length("gap"),
            numbers.value("f(1)"),
        ) {
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
            numbers.number("fraction")?,
            numbers.length("by")?
        ),
        "Grazes" => format!(
            "The closest approach, at {} of the motion, touches without going in: a graze, not a hit.",
            numbers.number("fraction")?
        ),
        "Hits" => match numbers.value("discriminant") {
            Some(discriminant) => format!(
                "The discriminant {} is positive: they meet at {} of the motion.",
                number(discriminant),
                numbers.number("fraction")?
            ),
            None => format!(
                "They meet at {} of the motion.",
                numbers.number("fraction")?
            ),
        },
        "OnVertex" => format!("Vertex {} is met.", numbers.number("number")?),
        "OnEdge" => format!("Edge {} is met.", numbers.number("number")?),
        "OnFace" => format!("Face {} is met.", numbers.number("number")?),
        "OnRound" => "The round surface is met.".to_owned(),
        "TrianglesTested" => match numbers.value("count")? {
            1.0 => "One triangle is near enough to be tested.".to_owned(),
            count => format!("{} triangles are near enough to be tested.", number(count)),
        },
        "EarliestTriangle" => format!("Triangle {} is met first.", numbers.number("triangle")?),
        "DeepestTriangle" => format!("Triangle {} is the deepest.", numbers.number("index")?),
        "DegenerateTriangle" => "The triangle has no area: it acts as its longest edge.".to_owned(),
        "BehindOneSided" => {
            "It is behind a one-sided triangle, which is not there from behind.".to_owned()
        }
        "FallsBehindOneSided" => format!(
            "It falls behind the plane of the one-sided triangle at {} of the motion, {} away from it.",
            numbers.number("fraction")?,
            numbers.length("by")?
        ),
        "PlaneDistance" => format!(
            "It is {} from the triangle's plane, counted toward its front.",
            numbers.length("distance")?
        ),
        "CrossesPlane" => format!(
            "It reaches through the plane of the triangle from {} to {} of the motion.",
            numbers.number("from")?,
            numbers.number("to")?
        ),
        "DeepestVertex" => format!(
            "The deepest point is {} from the plane.",
            numbers.length("gap").or(numbers.length("distance"))?
        ),
        "face axis" | "edge axis" => axis(name, numbers)?,
        "no motion along the axis" => format!(
            "Along one axis there is no motion; to part there takes {} one way, {} the other.",
            numbers.length("forward")?,
            numbers.length("backward")?
        ),
        "separating axis" => {
            let least = numbers.value("forward")?.min(numbers.value("backward")?);
            format!(
                "The axis {} separates them by {}.",
                numbers.vector()?,
                metres(-least)
            )
        }
        "least push" => format!(
            "The shortest way out is {} long, along {}.",
            numbers.length("depth")?,
            numbers.vector()?
        ),
        "BadNumber" => "A number is not finite, or too large to work with.".to_owned(),
        _ => return None,
    })
}

/// What a motion does along the shortest way between two.
fn brought(approach: f64) -> String {
    match approach {
        closer if closer > 0.0 => format!(
            "along the shortest way the motion brings them {} closer",
            metres(closer)
        ),
        away if away < 0.0 => format!(
            "along the shortest way the motion takes them {} farther apart",
            metres(-away)
        ),
        _ => "along the shortest way nothing moves".to_owned(),
    }
}

fn axis(name: &str, numbers: &Numbers<'_>) -> Option<String> {
    let of = if name == "face axis" {
        "a face's normal"
    } else {
        "the cross product of two edges"
    };
    Some(match (numbers.value("begin"), numbers.value("end")) {
        (Some(begin), Some(end)) => format!(
            "Along {of}, {}, they overlap from {} to {} of the motion.",
            numbers.vector()?,
            number(begin),
            number(end)
        ),
        _ => format!(
            "Along {of}, {}, it takes {} to part them one way, {} the other.",
            numbers.vector()?,
            numbers.length("forward")?,
            numbers.length("backward")?
        ),
    })
}
