//! Words for the steps of rays, trees and camera probes.

use super::Numbers;

/// `None` where there are no words, or a number they need is missing.
pub(super) fn told(name: &str, numbers: &Numbers<'_>) -> Option<String> {
    let number = |name: &str| numbers.number(name);
    Some(match name {
        "PlaneDistances" => plane_distances(numbers)?,
        "NoCrossing" => "The segment does not cross the plane.".to_owned(),
        "EdgeSigns" => format!(
            "Seen along the segment, the areas opposite the corners are as {}, {} and {}; of one sign, it goes through.",
            number("a")?,
            number("b")?,
            number("c")?
        ),
        "Outside" => "The signs differ: it goes past the triangle.".to_owned(),
        "RayStart" => format!("The segment starts {}.", side(numbers)?),
        "RayEnd" => format!("It ends {}.", side(numbers)?),
        "StaysInside" => "It stays inside and meets no surface.".to_owned(),
        "PassesBy" => "It passes by and meets no surface.".to_owned(),
        "BeyondEnd" => format!(
            "It would meet the surface at {} of its length, beyond its end.",
            number("fraction")?
        ),
        "SegmentHasNoSurface" => "A segment has no surface to meet.".to_owned(),
        "SphereTree" => format!(
            "Of the tree of spheres {} were tested, and {} triangles.",
            number("spheres")?,
            number("triangles")?
        ),
        _ => return probe(name, numbers),
    })
}

/// Of a segment's two ends, or of a capsule's.
fn plane_distances(numbers: &Numbers<'_>) -> Option<String> {
    let ends = |first: &str, second: &str| Some((numbers.number(first)?, numbers.number(second)?));
    let (first, second) = ends("s1", "s2").or_else(|| ends("a", "b"))?;
    Some(format!(
        "Its ends stand at {first} and {second} to the plane; above 0 is in front."
    ))
}

fn side(numbers: &Numbers<'_>) -> Option<String> {
    let distance = numbers.value("distance")?;
    Some(if distance < 0.0 {
        format!("{} inside the surface", super::metres(-distance))
    } else {
        format!("{} outside the surface", super::metres(distance))
    })
}

fn probe(name: &str, numbers: &Numbers<'_>) -> Option<String> {
    let length = |name: &str| numbers.length(name);
    let number = |name: &str| numbers.number(name);
    Some(match name {
        "CameraWay" => format!(
            "The camera goes {}; its probe reaches {}.",
            length("length")?,
            length("reach")?
        ),
        "WayGoesThrough" => format!("Its way goes through triangle {}.", number("triangle")?),
        "WayIsFree" => "Its way goes through no triangle.".to_owned(),
        "BallComesTo" => format!(
            "A ball of {} around it comes to triangle {}.",
            length("radius")?,
            number("triangle")?
        ),
        "BallIsFree" => format!(
            "A ball of {} around it comes to no triangle.",
            length("radius")?
        ),
        "LinesTested" => format!(
            "The probe's {} lines are held against {} triangles.",
            number("lines")?,
            number("triangles")?
        ),
        "LinePokesThrough" => format!(
            "Line {} pokes through triangle {}.",
            number("line")?,
            number("triangle")?
        ),
        "PullsEndBack" | "PullsStartBack" => format!(
            "Its {} is pulled back to the surface: a push of {}, {}.",
            if name == "PullsEndBack" {
                "end"
            } else {
                "start"
            },
            length("length")?,
            numbers.vector()?
        ),
        "NothingPokesThrough" => "No line pokes through anything.".to_owned(),
        "GivesUp" => format!(
            "After {} pushes lines still poke through: the probe gives up.",
            number("max_iterations")?
        ),
        "ProbeEnds" => match numbers.value("pushes")? {
            0.0 => "The probe pushes nothing.".to_owned(),
            1.0 => format!("The probe's one push is {} m.", numbers.vector()?),
            pushes => format!(
                "The probe's {} pushes add up to {} m.",
                super::number(pushes),
                numbers.vector()?
            ),
        },
        _ => return None,
    })
}
