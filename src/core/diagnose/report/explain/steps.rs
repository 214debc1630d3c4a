//! Sentences of query steps.

use crate::core::number::{count, number, vector};
use crate::core::query::{Feature, Role, SkipReason, Step};
use crate::core::schema::UserUnits;
use glam::DVec3;

/// A step with its numbers and their units.
pub fn sentence_of(step: &Step, units: UserUnits) -> String {
    match *step {
        Step::BadNumber => "A number is not finite, or too large to compute with.".into(),

        Step::Nearest { feature, distance } => {
            format!(
                "The nearest is {}, {}.",
                name_of(feature),
                away(distance, units)
            )
        }
        Step::PlaneDistance { distance } => format!(
            "The centre is {} from the triangle's plane, positive in front.",
            units.length(distance)
        ),
        Step::DegenerateTriangle => "The triangle has no area: it acts as its longest edge.".into(),
        Step::BehindOneSided => {
            "The centre is behind a one-sided triangle, which does not collide from there.".into()
        }
        Step::BeyondFaces { by, radius } => format!(
            "In the box's frame the centre lies beyond the faces by {}, negative between them; the radius is {}.",
            units.displacement(by),
            units.length(radius)
        ),
        Step::ClosestOfSegments { s, t, distance } => format!(
            "The two segments are closest at {} and at {}, {} apart.",
            share(s, "the first"),
            share(t, "the second"),
            units.length(distance)
        ),
        Step::ClosestPoints {
            iterations,
            distance,
            normal,
        } => format!(
            "After {iterations} support points the closest points are {} apart, along {}.",
            units.length(distance),
            units.unit_vector(normal)
        ),
        Step::Penetration {
            faces,
            depth,
            normal,
        } => format!(
            "The cores overlap. Of {faces} faces of their difference the nearest gives a depth of {} along {}.",
            units.length(depth),
            units.unit_vector(normal)
        ),
        Step::Radii { sum } => format!("The radii add up to {}.", units.length(sum)),
        Step::Axis {
            edges,
            axis,
            overlap,
        } => format!(
            "Along {}, {}, they overlap by {}.",
            axis_of(edges),
            units.unit_vector(axis),
            units.length(overlap)
        ),
        Step::SeparatingAxis { axis, gap } => {
            format!(
                "The axis {} separates them by {}.",
                units.unit_vector(axis),
                units.length(gap)
            )
        }
        Step::LeastOverlap { axis, depth } => format!(
            "The least overlap is {}, along {}: the shortest way out.",
            units.length(depth),
            units.unit_vector(axis)
        ),
        Step::FallbackNormal { normal } => format!(
            "The geometry gives no direction: the fixed {} is taken.",
            units.unit_vector(normal)
        ),
        Step::Separated { distance } => format!("They are {} apart.", units.length(distance)),
        Step::Touching { distance, bound } => format!(
            "The distance {} is within its error bound of {}: they touch.",
            units.length(distance),
            units.text(bound, "m")
        ),
        Step::Overlapping { depth } => format!("They overlap by {}.", units.length(depth)),
        Step::TwoPlanes => "Two planes have no distance.".into(),

        Step::Start {
            gap,
            approach,
            bound,
        } => format!(
            "At the start they {}; {}. The error bound is {}.",
            if gap < 0.0 {
                format!("overlap by {}", units.length(-gap))
            } else {
                format!("are {} apart", units.length(gap))
            },
            along_the_normal(approach, units),
            units.text(bound, "m")
        ),
        Step::Parabola {
            a,
            b,
            c,
            gap,
            radii,
        } => format!(
            "The squared gap is {} t^2 + 2 ({}) t + {}; at the start the surfaces are {} apart, the radii add up to {}.",
            number(a),
            number(b),
            number(c),
            units.length(gap),
            units.length(radii)
        ),
        Step::Discriminant { value } => format!(
            "The discriminant is {}: {}.",
            number(value),
            if value > 0.0 {
                "they hit"
            } else {
                "they pass each other by"
            }
        ),
        Step::Advance {
            fraction,
            distance,
            approach,
        } => format!(
            "Until {} they cannot touch; there they are {} apart, and {}.",
            share(fraction, "the motion"),
            units.length(distance),
            along_the_normal(approach, units)
        ),
        Step::SweptAxis {
            edges,
            axis,
            begin,
            end,
        } => {
            let of = format!("Along {}, {}", axis_of(edges), units.unit_vector(axis));
            match (begin.is_finite(), begin < end) {
                (false, true) => format!("{of}, nothing moves, and they overlap."),
                (false, false) => format!("{of}, nothing moves, and they are apart."),
                _ => format!(
                    "{of}, they overlap from {} to {}.",
                    number(begin),
                    share(end, "the motion")
                ),
            }
        }
        Step::FallsBehindOneSided { fraction } => format!(
            "At {} it would touch the one-sided triangle from behind, where it does not collide.",
            share(fraction, "the motion")
        ),
        Step::Receding { approach } => {
            format!(
                "They do not approach: {}.",
                along_the_normal(approach, units)
            )
        }
        Step::Later { fraction } if fraction > 1.0 => format!(
            "Nothing can touch before {}, after its end.",
            share(fraction, "the motion")
        ),
        Step::Later { .. } => {
            "They touch at the end of the motion, which belongs to the next.".into()
        }
        Step::PassesBy { fraction } => format!(
            "They pass each other by; from {} they part.",
            share(fraction, "the motion")
        ),
        Step::Grazes { fraction } => format!(
            "At {} they touch without overlapping by more than the error bound: a graze, not a hit.",
            share(fraction, "the motion")
        ),
        Step::Hits { fraction } => format!("They hit at {}.", share(fraction, "the motion")),
        Step::HitsFeature { feature } => format!("The hit is on {}.", name_of(feature)),
        Step::ClosestApproach { distance, fraction } => format!(
            "The closest approach is {}, at {}.",
            units.length(distance),
            share(fraction, "the motion")
        ),

        Step::PartsTested { count: 1 } => "One part is near enough to be tested.".into(),
        Step::PartsTested { count } => format!("{count} parts are near enough to be tested."),
        Step::Part { index, kind, role } => format!(
            "The {} is part {index}, a {kind}.",
            match role {
                Role::Earliest => "first to be hit",
                Role::Deepest => "deepest",
                Role::Nearest => "nearest",
            }
        ),
        Step::SphereTree {
            spheres,
            triangles,
            of,
        } => format!(
            "Through the mesh's tree of bounding spheres, the same sweep tests {} and {} of {}.",
            count(spheres as usize, "sphere"),
            match triangles {
                0 => "none".to_owned(),
                some => some.to_string(),
            },
            count(of as usize, "triangle")
        ),
        Step::SkippedSphere {
            level,
            triangles,
            reason,
        } => {
            let node = format!(
                "Skipped on level {level}: a sphere of {}, which the swept bounding sphere",
                count(triangles as usize, "triangle")
            );
            match reason {
                SkipReason::Misses { by } => format!("{node} misses by {}.", units.length(by)),
                SkipReason::AfterHit { fraction, hit } => format!(
                    "{node} touches at {}, after the hit at {}.",
                    number(fraction),
                    share(hit, "the motion")
                ),
            }
        }
        Step::MoreSkippedSpheres { spheres, triangles } => format!(
            "Also skipped: {} with {}.",
            count(spheres as usize, "sphere"),
            count(triangles as usize, "triangle")
        ),

        Step::NoBoundOnTheGap => {
            "The rate of the gap is unbounded while they rotate: no result.".into()
        }
        Step::FastestGap { rate, depth } => format!(
            "Over the motion the gap changes by at most {}; the search is for an overlap deeper than {}.",
            units.length(rate),
            units.length(depth)
        ),
        Step::NeverDeeper { depth, shortest } => format!(
            "At no time do they overlap by more than {}, unless for less than {} of the motion.",
            units.length(depth),
            number(shortest)
        ),
        Step::DeeperAt { fraction } => format!(
            "At {} they overlap by more than that.",
            share(fraction, "the motion")
        ),
        Step::FirstTouch { fraction } => format!(
            "Before that they first touch, at {}.",
            share(fraction, "the motion")
        ),
        Step::PartsAt { fraction } => format!("They part at {}.", share(fraction, "the motion")),
        Step::OverlapsUntilTheEnd => "They overlap until the motion ends.".into(),

        Step::PlaneDistances { from, to } => format!(
            "Times a length, its ends are {} and {} from the plane, positive in front.",
            number(from),
            number(to)
        ),
        Step::NoCrossing => "The segment does not cross the plane.".into(),
        Step::EdgeSigns { volumes } => format!(
            "Along the segment, the volumes opposite the corners are {}; of one sign, it goes through.",
            vector(volumes)
        ),
        Step::Outside => "The signs differ: it goes past the triangle.".into(),
        Step::RayStart { distance } if distance < 0.0 => {
            format!(
                "The segment starts {} inside the surface.",
                units.length(-distance)
            )
        }
        Step::RayStart { distance } => {
            format!(
                "The segment starts {} outside the surface.",
                units.length(distance)
            )
        }
        Step::StaysInside => "It stays inside and hits no surface.".into(),
        Step::RayPasses => "It hits no surface.".into(),
        Step::NoSurface => "A segment has no surface to hit.".into(),
        Step::RayHit { fraction, back } => format!(
            "It hits the surface at {}, from {}.",
            share(fraction, "its length"),
            if back { "behind" } else { "the front" }
        ),

        Step::CameraPath { length, reach } => format!(
            "The camera moves {}; its probe is {} long.",
            units.length(length),
            units.length(reach)
        ),
        Step::PathGoesThrough { triangle } => {
            format!("Its path goes through triangle {triangle}.")
        }
        Step::PathIsFree => "Its path goes through no triangle.".into(),
        Step::SphereHits { triangle, radius } => format!(
            "A sphere of radius {} around it hits triangle {triangle}.",
            units.length(radius)
        ),
        Step::SphereIsFree { radius } => format!(
            "A sphere of radius {} around it hits no triangle.",
            units.length(radius)
        ),
        Step::LinesTested { lines, triangles } => {
            format!("The probe's {lines} lines are tested against {triangles} triangles.")
        }
        Step::LineCrosses { line, triangle } => {
            format!("Line {line} crosses triangle {triangle}.")
        }
        Step::LinePush { end, push } => format!(
            "Its {} is pulled back to the surface: a push of {}, {}.",
            if end { "end" } else { "start" },
            units.length(push.length()),
            units.point(push)
        ),
        Step::NothingCrosses => "No line crosses anything.".into(),
        Step::GivesUp { pushes } => {
            format!("After {pushes} pushes lines still cross: the probe gives up.")
        }
        Step::ProbeEnds { pushes: 0, .. } => "The probe pushes nothing.".into(),
        Step::ProbeEnds { pushes: 1, push } => {
            format!("The probe's one push is {}.", units.displacement(push))
        }
        Step::ProbeEnds { pushes, push } => {
            format!(
                "The probe's {pushes} pushes add up to {}.",
                units.displacement(push)
            )
        }

        Step::Differences { along } => {
            format!("From one to the other it is {}.", units.displacement(along))
        }
        Step::Distance { distance } => format!("The distance is {}.", units.length(distance)),
        Step::InPlanes { xy, yz, zx } => {
            // By the axis that is normal to each.
            let [yz, zx, xy] = units.along_axes(DVec3::new(yz, zx, xy));
            match units.units.flat {
                true => format!("All of it is in the plane: {xy}."),
                false => {
                    format!("In the plane of x and y it is {xy}, of y and z {yz}, of z and x {zx}.")
                }
            }
        }
    }
}

/// A fraction of something whose ends have names.
fn share(fraction: f64, what: &str) -> String {
    if fraction == 0.0 {
        format!("the start of {what}")
    } else if fraction == 1.0 {
        format!("the end of {what}")
    } else {
        format!("{} of {what}", number(fraction))
    }
}

fn name_of(feature: Feature) -> String {
    match feature {
        Feature::Vertex(number) => format!("vertex {number}"),
        Feature::Edge(number) => format!("edge {number}"),
        Feature::Face(number) => format!("face {number}"),
        Feature::Round => "a round surface".into(),
    }
}

fn away(distance: f64, units: UserUnits) -> String {
    if distance < 0.0 {
        format!("{} inside it", units.length(-distance))
    } else {
        format!("{} away", units.length(distance))
    }
}

fn axis_of(edges: bool) -> &'static str {
    if edges {
        "the cross product of two edges"
    } else {
        "a face's normal"
    }
}

/// Text of a motion along the normal of two shapes.
fn along_the_normal(approach: f64, units: UserUnits) -> String {
    match approach {
        closer if closer > 0.0 => format!(
            "along the normal the motion brings them {} closer",
            units.length(closer)
        ),
        away if away < 0.0 => format!(
            "along the normal the motion takes them {} farther apart",
            units.length(-away)
        ),
        _ => "along the normal nothing moves".into(),
    }
}
