//! Words for the steps of closest points, distances, gaps, overlap tests, and of what turns.

use super::Numbers;

/// `None` where there are no words, or a number they need is missing.
pub(super) fn told(name: &str, numbers: &Numbers<'_>) -> Option<String> {
    let length = |name: &str| numbers.length(name);
    let number = |name: &str| numbers.number(name);
    Some(match name {
        "ClosestOnSegment" => format!(
            "The closest point lies at {} of the segment.",
            number("share")?
        ),
        "SegmentIsPoint" => "The segment has no length: it acts as a point.".to_owned(),
        "ClosestOfSegments" => format!(
            "The two segments are closest at {} of the first and {} of the second, {} apart.",
            number("s")?,
            number("t")?,
            length("distance")?
        ),
        "NearestVertex" | "NearestEdge" | "NearestFace" => format!(
            "The nearest is {} {}, {}.",
            name.trim_start_matches("Nearest").to_lowercase(),
            number("number")?,
            away(numbers)?
        ),
        "NearestPoint" => format!("The nearest is a round surface, {}.", away(numbers)?),
        "NearestTriangle" => format!("Triangle {} is the nearest.", number("index")?),
        "OwnTriangle" => format!("Of the first mesh it is triangle {}.", number("index")?),
        "AxisEarlyOut" => format!(
            "In the box's frame the centre lies beyond the faces by {} m; below 0 it is between them. The radius is {}.",
            numbers.vector()?,
            length("radius")?
        ),
        "BeyondFaces" => format!(
            "Beyond the faces it is by {} m; below 0 it is between them.",
            numbers.vector()?
        ),
        "SeparatedOnAxis" => format!(
            "One axis alone keeps them {} apart: no more is asked.",
            length("distance")?
        ),
        "OverlapPerAxis" => format!("They overlap by {} m along the axes.", numbers.vector()?),
        "LeastOverlap" => format!(
            "The least overlap, {}, is along {}: the way out.",
            length("depth")?,
            super::super::sentences::AXES.get(numbers.value("axis")? as usize)?
        ),
        "SpheresApart" => format!(
            "The spheres around both are apart: {} between their centres, their radii add up to {}.",
            length("distance")?,
            length("radii")?
        ),
        "FallbackNormal" => format!(
            "The geometry gives no direction: the fixed {} is taken.",
            numbers.vector()?
        ),
        "Gap" => format!("The gap between them is {}.", length("distance")?),
        "TwoPlanes" => "Two planes have no gap.".to_owned(),
        "Differences" => differences(numbers)?,
        "Squared" => format!("The squares add up to {} m^2.", number("squared")?),
        "Distance" => format!("The distance is {}.", length("distance")?),
        "BeyondRadius" => format!(
            "Less the radius of {}, {} is left.",
            length("radius")?,
            length("distance")?
        ),
        "InPlanes" => format!(
            "Seen in the plane of x and y it is {}, of y and z {}, of z and x {}.",
            length("xy")?,
            length("yz")?,
            length("zx")?
        ),
        "Squares" => format!(
            "The squared distance is {} m^2, the squared reach {} m^2.",
            number("squared")?,
            number("limit")?
        ),
        "Overlaps" => "So they touch or overlap.".to_owned(),
        "Apart" => "So they are apart.".to_owned(),
        "separated by less than rounding" => {
            "They are apart by less than rounding could tell.".to_owned()
        }
        "no push that the facing allows" => {
            "The one-sided triangle allows no push: nothing collides.".to_owned()
        }
        "not toward the front of a one-sided triangle" => {
            "The motion does not lead toward the front of the one-sided triangle, which is not there then."
                .to_owned()
        }
        _ => return turning(name, numbers),
    })
}

fn away(numbers: &Numbers<'_>) -> Option<String> {
    let distance = numbers.value("distance")?;
    Some(if distance < 0.0 {
        format!("{} inside it", super::metres(-distance))
    } else {
        format!("{} away", super::metres(distance))
    })
}

/// In two dimensions or three.
fn differences(numbers: &Numbers<'_>) -> Option<String> {
    let all = match numbers.vector() {
        Some(all) => all,
        None => format!("({}, {})", numbers.number("x")?, numbers.number("y")?),
    };
    Some(format!("From the one to the other it is {all} m."))
}

fn turning(name: &str, numbers: &Numbers<'_>) -> Option<String> {
    Some(match name {
        "NoBoundOnTheGap" => {
            "Nothing bounds how fast the gap changes while they turn: no answer.".to_owned()
        }
        "FastestGap" => format!(
            "Over the motion the gap changes by at most {}; sought is an overlap deeper than {}.",
            numbers.length("rate")?,
            numbers.length("depth")?
        ),
        "NeverDeeper" => format!(
            "At no time do they overlap by more than {}, unless for less than {} of the motion.",
            numbers.length("depth")?,
            numbers.number("shortest")?
        ),
        "DeeperAt" => format!(
            "At {} of the motion they overlap by more than that.",
            numbers.number("fraction")?
        ),
        "FirstTouch" => format!(
            "Before that they first touch, at {} of the motion.",
            numbers.number("apart")?
        ),
        "PartsAt" => format!(
            "They part at {} of the motion.",
            numbers.number("fraction")?
        ),
        "OverlapsUntilTheEnd" => "They overlap until the motion ends.".to_owned(),
        _ => return None,
    })
}
