//! From where an impact is best seen: from the side of the motion, which runs left to right, a little from above, with
//! nothing in between.

use super::ViewportInput;
use super::orbit::Orbit;
use crate::app::view_state::Layer;
use crate::core::bounds::bounding_sphere;
use crate::core::diagnose::Finding;
use crate::core::query::{self, closest_point::closest_point_on_segment};
use crate::core::replay::ObjectId;
use crate::core::shape::{Pose, Segment, Shape};
use glam::{DVec2, DVec3};

/// At most this many of the mover's radii on each side of the impact are shown, or the mover would be a speck.
const SPECK: f64 = 120.0;
/// The way from start to end fills so much of the picture's width, or the second where the mover is small.
const FILLS: (f64, f64) = (0.5, 0.78);
/// Angles downward, radians, and what each costs.
const STEEP: [(f64, f64); 6] = [
    (0.30, 0.0),
    (0.50, 1.0),
    (0.12, 1.5),
    (0.80, 3.0),
    (1.10, 5.0),
    (1.40, 7.0),
];
/// Angles from square to the motion, toward the face that is hit, radians, and what each costs.
const TURNED: [(f64, f64); 6] = [
    (0.30, 0.0),
    (0.10, 0.5),
    (0.55, 1.0),
    (-0.25, 2.0),
    (0.90, 2.5),
    (-0.70, 3.5),
];
/// Shares of the distance from which everything is seen, and what each costs.
const CLOSER: [(f64, f64); 3] = [(1.0, 0.0), (0.65, 5.0), (0.4, 9.0)];
/// What it costs to see the motion run from right to left.
const MIRRORED: f64 = 2.2;
/// What it costs when the mover at the impact, the contact, the start, the end is hidden.
const HIDDEN: [f64; 4] = [40.0, 10.0, 6.0, 4.0];

/// What must be seen of a finding.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The middle of the mover at the impact, at its start, at its end without a collision; world, metres.
    pub stations: [DVec3; 3],
    /// Where they touch, world, metres.
    pub point: DVec3,
    /// Of the mover, metres.
    pub radius: f64,
    /// From the struck surface toward the mover; may be zero.
    pub normal: DVec3,
    /// Half the size of what is hit, metres; zero when it has none.
    pub struck: f64,
}

impl Subject {
    /// Of a finding in the moment's frame; `None` when its numbers are no numbers.
    pub fn of(input: &ViewportInput<'_>, finding: &Finding) -> Option<Self> {
        let middle = |id: ObjectId| {
            let object = input.replay.objects().get(id as usize)?;
            let pose = input.frame.pose(id, finding.fraction)?;
            let bounds = object.shape.placed(&pose).aabb()?;
            Some((pose.position, bounds.half_extents().max_element()))
        };
        let point = DVec3::from_array(finding.point);
        let ways = [finding.object_a, finding.object_b].map(|id| way(input, id));
        // When only what was hit moves, its way is the one to see.
        let [start, end] = ways[0].or(ways[1]).unwrap_or([point; 2]);
        let mover = if ways[0].is_some() || ways[1].is_none() {
            [finding.object_a, finding.object_b]
        } else {
            [finding.object_b, finding.object_a]
        };
        let (at, radius) = match mover[0] {
            Some(id) => middle(id).unwrap_or((point, 0.0)),
            None => (start.lerp(end, finding.fraction), 0.3),
        };
        let struck = mover[1].and_then(middle).map_or(0.0, |(_, half)| half);
        let subject = Self {
            stations: [at, start, end],
            point,
            radius: radius.max(1e-4),
            normal: DVec3::from_array(finding.normal),
            struck,
        };
        let numbers = [radius, struck, subject.normal.length_squared()];
        let mut places = subject.stations.iter().chain([&subject.point]);
        let finite = places.all(|place| place.is_finite())
            && numbers.iter().all(|number| number.is_finite());
        finite.then_some(subject)
    }

    /// The part of the way that is shown: its ends.
    fn ends(&self) -> [DVec3; 2] {
        let [at, start, end] = self.stations;
        [start, end].map(|end| at + (end - at).clamp_length_max(SPECK * self.radius))
    }
}

/// An object's start, and its end without a collision; the camera's when it is none. `None` when it does not move.
fn way(input: &ViewportInput<'_>, id: Option<ObjectId>) -> Option<[DVec3; 2]> {
    let (start, end) = match id {
        Some(id) => {
            let leg = input.frame.segments.get(id as usize)?.first()?;
            let share = leg.to - leg.from;
            let share = if share > 0.0 { share } else { 1.0 };
            let start = leg.motion.start.position;
            (start, start + leg.motion.displacement() / share)
        }
        None => {
            let motion = input.frame.camera?.0;
            (motion.start.position, motion.end.position)
        }
    };
    (start != end).then_some([start, end])
}

/// The view of a subject from a free side; `hides` says whether something stands between two places.
pub fn viewpoint(
    orbit: &Orbit,
    subject: &Subject,
    picture: DVec2,
    hides: impl Fn(DVec3, DVec3) -> bool,
) -> Orbit {
    let [start, end] = subject.ends();
    let framed = framed(orbit, subject, picture);
    let mut sides: Vec<(f64, DVec3, f64)> = Vec::new();
    let axes = Axes::of(orbit, subject);
    for (steep, cost) in STEEP {
        for (turned, more) in TURNED {
            for (mirror, price) in [(1.0, 0.0), (-1.0, MIRRORED)] {
                for (closer, toll) in CLOSER {
                    let looking = axes.looking(steep, turned, mirror);
                    sides.push((cost + more + price + toll, looking, closer));
                }
            }
        }
    }
    sides.sort_by(|one, two| one.0.total_cmp(&two.0));
    let mut best: Option<(f64, Orbit)> = None;
    for (cost, looking, closer) in sides {
        if best.is_some_and(|(least, _)| cost >= least) {
            break;
        }
        let view = Orbit {
            distance: framed.distance * closer,
            ..framed
        }
        .looking(looking);
        let places = [subject.stations[0], subject.point, start, end];
        let hidden =
            places.iter().zip(HIDDEN).map(
                |(&place, price)| {
                    if hides(view.eye(), place) { price } else { 0.0 }
                },
            );
        let cost = cost + hidden.sum::<f64>();
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, view));
        }
    }
    best.map_or(framed, |(_, view)| view)
}

/// At the middle of the way, far enough that it fills its share of the width.
fn framed(orbit: &Orbit, subject: &Subject, picture: DVec2) -> Orbit {
    let [start, end] = subject.ends();
    let way = (end - start).length();
    let span = way + subject.radius * 2.0;
    // A mover of a thirtieth of its path is small.
    let small = (way / (subject.radius * 30.0)).clamp(0.0, 1.0);
    let fills = FILLS.0 + (FILLS.1 - FILLS.0) * small;
    let wide = span / fills;
    // What is hit is recognised by its size, unless that is a whole level.
    let wide = wide.max((subject.struck * 2.4).min(span * 3.0));
    let high = subject.radius * 6.0;
    Orbit {
        target: start.midpoint(end),
        ..orbit.holding(DVec2::new(wide, high) * 0.5, picture)
    }
}

/// Directions along and across the motion, level.
struct Axes {
    /// Looking along it, the motion runs left to right.
    side: DVec3,
    /// Looking along it, the face that is hit is seen from its front.
    face: DVec3,
}

impl Axes {
    fn of(orbit: &Orbit, subject: &Subject) -> Self {
        let [start, end] = subject.ends();
        let level = |way: DVec3| {
            let flat = DVec3::new(way.x, 0.0, way.z);
            // What falls has no side: only a slope that can be seen counts.
            (flat.length() > 0.25 * way.length())
                .then(|| flat.try_normalize())
                .flatten()
        };
        let way = level(end - start)
            .or_else(|| level(-subject.normal))
            .filter(|way| *way != DVec3::ZERO)
            .unwrap_or_else(|| orbit.looking_level().world_from_view() * DVec3::X);
        let face = if subject.normal.dot(way) > 0.2 {
            -way
        } else {
            way
        };
        Self {
            side: DVec3::Y.cross(way),
            face,
        }
    }

    fn looking(&self, steep: f64, turned: f64, mirror: f64) -> DVec3 {
        let level = self.side * mirror * turned.cos() + self.face * turned.sin();
        level * steep.cos() - DVec3::Y * steep.sin()
    }
}

/// What may stand between the eye and a finding: everything drawn and solid but the mover, where it is at the impact.
pub struct Obstacles<'m> {
    solids: Vec<(&'m Shape, Pose)>,
}

impl<'m> Obstacles<'m> {
    /// Those near enough to matter.
    pub fn of(input: &'m ViewportInput<'_>, finding: &Finding, middle: DVec3, reach: f64) -> Self {
        let objects = input.replay.objects().iter().enumerate();
        let solids = objects.filter_map(|(index, object)| {
            let id = index as ObjectId;
            let drawn = input
                .layers
                .shows(Layer::Shapes, input.selection.contains(id));
            if !drawn || object.sensor || finding.object_a == Some(id) {
                return None;
            }
            let pose = input.frame.pose(id, finding.fraction)?;
            if let Some(sphere) = bounding_sphere(&object.shape) {
                let away = (pose.point(sphere.center) - middle).length();
                if away.is_nan() || away > reach + sphere.radius {
                    return None;
                }
            }
            Some((&object.shape, pose))
        });
        Self {
            solids: solids.collect(),
        }
    }

    /// Does one of them stand between the eye and a place?
    pub fn hide(&self, eye: DVec3, place: DVec3) -> bool {
        let segment = Segment { a: eye, b: place };
        self.solids.iter().any(|(shape, pose)| {
            let near = bounding_sphere(shape).is_none_or(|sphere| {
                let center = pose.point(sphere.center);
                let (nearest, _) = closest_point_on_segment(center, &segment);
                (nearest - center).length() <= sphere.radius * 1.001
            });
            near && query::ray_cast(&segment, shape, pose).is_some_and(|hit| hit.fraction < 0.999)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: DVec2 = DVec2::new(900.0, 600.0);

    fn subject(way: DVec3) -> Subject {
        Subject {
            stations: [DVec3::ONE, DVec3::ONE - way, DVec3::ONE + way],
            point: DVec3::ONE,
            radius: 0.3,
            normal: -way.try_normalize().unwrap_or(DVec3::ZERO),
            struck: 0.0,
        }
    }

    #[test]
    fn the_motion_runs_left_to_right_over_half_the_picture() {
        for way in [DVec3::X * 2.0, DVec3::NEG_Z, DVec3::new(-1.0, 0.3, 2.0)] {
            let subject = subject(way);
            let view = viewpoint(&Orbit::default(), &subject, PICTURE, |_, _| false).view(PICTURE);
            let [at, start, end] = subject
                .stations
                .map(|place| view.project(place).expect("in front"));
            let wide = (end.x - start.x) / PICTURE.x;
            assert!((0.33..0.8).contains(&wide), "{way}: {wide}");
            assert!((at - PICTURE * 0.5).length() < 1e-6);
            assert!(view.eye.y > 1.0, "from above");
        }
    }

    #[test]
    fn what_falls_is_seen_from_the_side() {
        let view = viewpoint(
            &Orbit::default(),
            &subject(DVec3::NEG_Y),
            PICTURE,
            |_, _| false,
        );
        let looking = view.world_from_view() * DVec3::NEG_Z;
        assert!(looking.is_finite() && looking.y.abs() < 0.5, "{looking}");
    }

    #[test]
    fn a_side_that_is_hidden_is_not_chosen() {
        // A wall beside the motion, between it and whoever looks from +z.
        let wall = |eye: DVec3, _: DVec3| eye.z > 1.5;
        let view = viewpoint(&Orbit::default(), &subject(DVec3::X), PICTURE, wall);
        assert!(view.eye().z <= 1.5);
        // Walls on both sides leave the view from above.
        let walls = |eye: DVec3, _: DVec3| (eye.z - 1.0).abs() > (eye.y - 1.0) * 0.5;
        let view = viewpoint(&Orbit::default(), &subject(DVec3::X), PICTURE, walls);
        let eye = view.eye();
        assert!(
            (eye.z - 1.0).abs() <= (eye.y - 1.0) * 0.5 && eye.y > 1.0,
            "{eye}"
        );
    }

    #[test]
    fn nowhere_free_still_shows_it() {
        let view = viewpoint(&Orbit::default(), &subject(DVec3::X), PICTURE, |_, _| true);
        assert!(view.eye().is_finite());
        let still = viewpoint(&Orbit::default(), &subject(DVec3::ZERO), PICTURE, |_, _| {
            false
        });
        assert!(still.eye().is_finite() && still.distance > 0.0);
    }
}
