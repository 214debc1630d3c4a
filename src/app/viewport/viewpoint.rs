//! The view that shows an impact best: along the contact plane, across the motion, which runs left to right. What covers the impact
//! then is cut open.

use super::ViewportInput;
use super::orbit::Orbit;
use super::section::has_inside;
use crate::core::bounds::bounding_sphere;
use crate::core::diagnose::{Finding, Source};
use crate::core::query::{self, closest_point::closest_point_on_segment};
use crate::core::replay::ObjectId;
use crate::core::shape::{Pose, Segment, Shape};
use glam::{DVec2, DVec3};

/// Longest part of the path on each side of the impact that is shown, in radii of the mover. With more the mover is too small.
const MAX_PATH_RADII: f64 = 100.0;
/// Fraction of the viewport's width that the path fills: for a large mover, and for a small one.
const FILL_FRACTION: (f64, f64) = (0.5, 0.78);
/// Height of the view, in radii of the mover.
const HEIGHT_RADII: f64 = 3.6;
/// Pitch angle downward, radians, where the contact plane leaves it free.
const PITCH: f64 = 0.3;
/// Sine of the angle between the motion and the contact normal from which on the two have a plane.
const OBLIQUE: f64 = 0.26;
/// Sine of the pitch from which on a view is from above, and from which on it is straight down.
const STEEP: f64 = 0.03;
const STRAIGHT_DOWN: f64 = 0.9;
/// Length of a ray, in the radii of the mover that it is seen as.
const RAY_LENGTHS: f64 = 12.0;
/// Size of an obstacle, in radii of the mover, from which on it is cut open.
const LARGE_OBSTACLE: f64 = 1.5;

/// The parts of a finding that the view must show.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The mover's position at the impact, at its start, at its end without a collision; of one that only turns, those of its point at
    /// the contact; world, metres.
    pub positions: [DVec3; 3],
    /// The contact point, world, metres.
    pub point: DVec3,
    /// The mover's radius, metres; of one that only turns, how much of it is shown around the contact.
    pub radius: f64,
    /// The motion of the mover at the contact over the frame; may be zero.
    pub travel: DVec3,
    /// Normal of the plane in which a turning mover moves at the contact; zero for a straight motion.
    pub across: DVec3,
    /// From the surface of the obstacle toward the mover; may be zero.
    pub normal: DVec3,
    /// Half the size of the obstacle, metres; zero when it has none.
    pub obstacle: f64,
    /// The mover and the obstacle.
    pub pair: [Option<ObjectId>; 2],
}

impl Subject {
    /// The subject of a finding in the shown frame; `None` when a number of it is not finite.
    pub fn of(input: &ViewportInput<'_>, finding: &Finding) -> Option<Self> {
        let position_and_radius = |id: ObjectId| {
            let object = input.replay.objects().get(id as usize)?;
            let pose = input.frame.pose(id, finding.fraction)?;
            let bounds = object.shape.placed(&pose).aabb()?;
            let half = bounds.half_extents();
            let half = if input.is_flat() {
                half.with_z(0.0)
            } else {
                half
            };
            Some((pose.position, half.max_element()))
        };
        let point = DVec3::from_array(finding.point);
        let paths = [finding.object_a, finding.object_b].map(|id| path(input, id));
        let turns = |id: Option<ObjectId>| turn_of(input, id?, (finding.fraction, point));
        let [a, b] = [finding.object_a, finding.object_b];
        // When only the second object moves, it is the mover.
        let is_second = match paths {
            [None, Some(_)] => true,
            [None, None] => turns(a).is_none() && turns(b).is_some(),
            [Some(_), _] => false,
        };
        let pair = if is_second { [b, a] } else { [a, b] };
        let query = query_of(input, finding);
        let path = query.map(|(path, _)| path).or(paths[0]).or(paths[1]);
        let turn = turns(pair[0]).filter(|_| path.is_none());
        let obstacle = pair[1]
            .and_then(position_and_radius)
            .map_or(0.0, |(_, half)| half);
        let (at, radius) = match (pair[0], path) {
            _ if let Some(([from, to], radius)) = query => (from.midpoint(to), radius),
            (Some(id), None)
                if let Some((
                    Turn {
                        path: [from, to], ..
                    },
                    (_, size),
                )) = turn.as_ref().zip(position_and_radius(id)) =>
            {
                (point, size.min(obstacle.max(from.distance(*to) * 0.5)))
            }
            (Some(id), _) => position_and_radius(id).unwrap_or((point, 0.0)),
            (None, Some([start, end])) => (start.lerp(end, finding.fraction), 0.3),
            (None, None) => (point, 0.3),
        };
        let path = path.or(turn.as_ref().map(|turn| turn.path));
        let [start, end] = path.unwrap_or([at; 2]);
        let across = turn.map_or(DVec3::ZERO, |turn| turn.across);
        let subject = Self {
            positions: [at, start, end],
            point,
            travel: end - start,
            across,
            radius: radius.max(1e-6),
            normal: DVec3::from_array(finding.normal),
            obstacle,
            pair,
        };
        let numbers = [radius, obstacle, subject.normal.length_squared()];
        let vectors = [&subject.point, &subject.travel, &subject.across];
        let mut points = subject.positions.iter().chain(vectors);
        let finite = points.all(|point| point.is_finite())
            && numbers.iter().all(|number| number.is_finite());
        finite.then_some(subject)
    }

    /// The ends of the part of the path that is shown.
    fn ends(&self) -> [DVec3; 2] {
        let [at, start, end] = self.positions;
        [start, end].map(|end| at + (end - at).clamp_length_max(MAX_PATH_RADII * self.radius))
    }
}

/// The path of a wrong query, and its radius: at least a part of its length, as a ray has none.
fn query_of(input: &ViewportInput<'_>, finding: &Finding) -> Option<([DVec3; 2], f64)> {
    let Source::Query(number) = finding.source else {
        return None;
    };
    let query = input.replay.recording()?.query(number)?;
    let length = query.from.distance(query.to);
    let path = [query.from, query.to];
    (length > 0.0).then(|| (path, query.radius.max(length / RAY_LENGTHS)))
}

/// The start of an object, or of the camera for `None`, and its end without a collision. `None` when it does not move.
fn path(input: &ViewportInput<'_>, id: Option<ObjectId>) -> Option<[DVec3; 2]> {
    let (start, end) = match id {
        Some(id) => {
            let segment = *input.frame.segments(id).first()?;
            let fraction = segment.to - segment.from;
            let fraction = if fraction > 0.0 { fraction } else { 1.0 };
            let start = segment.motion.start.position;
            (start, start + segment.motion.displacement() / fraction)
        }
        None => {
            let motion = input.frame.camera?.0;
            (motion.start.position, motion.end.position)
        }
    };
    (start != end).then_some([start, end])
}

/// The motion of a point of a turning object.
struct Turn {
    /// Where the point is at the start and at the end of the frame.
    path: [DVec3; 2],
    /// Normal of the plane in which it moves.
    across: DVec3,
}

/// The motion of the point of a turning object that is here at a fraction of the frame. `None` when it moves straight.
fn turn_of(
    input: &ViewportInput<'_>,
    id: ObjectId,
    (fraction, point): (f64, DVec3),
) -> Option<Turn> {
    let local = input.frame.pose(id, fraction)?.point_to_local(point);
    let at = |fraction| Some(input.frame.pose(id, fraction)?.point(local));
    let (start, middle, end) = (at(0.0)?, at(0.5)?, at(1.0)?);
    Some(Turn {
        path: [start, end],
        across: (middle - start).cross(end - middle).try_normalize()?,
    })
}

/// The view of a subject.
pub fn viewpoint(orbit: &Orbit, subject: &Subject, size: DVec2) -> Orbit {
    let [start, end] = subject.ends();
    let view = looking(orbit, subject);
    let axes = view.world_from_view();
    let [right, up] = [DVec3::X, DVec3::Y].map(|axis| axes * axis);
    let travel = end - start;
    let span = travel.dot(right).abs() + subject.radius * 2.0;
    // 1 for a mover of at most a thirtieth of its path.
    let small = (travel.length() / (subject.radius * 30.0)).clamp(0.0, 1.0);
    let fill = FILL_FRACTION.0 + (FILL_FRACTION.1 - FILL_FRACTION.0) * small;
    // Shows the obstacle too, unless that is larger than the path.
    let width = (span / fill).max((subject.obstacle * 2.4).min(span * 1.5));
    let height = travel.dot(up).abs() / fill + subject.radius * HEIGHT_RADII;
    Orbit {
        target: start.midpoint(end),
        ..view.fitting(DVec2::new(width, height) * 0.5, size)
    }
}

/// The view along the contact plane and across the motion.
fn looking(orbit: &Orbit, subject: &Subject) -> Orbit {
    let unit = |vector: DVec3| vector.try_normalize().unwrap_or(DVec3::ZERO);
    let (travel, normal) = (unit(subject.travel), unit(subject.normal));
    let forward = orbit.world_from_view() * DVec3::NEG_Z;
    let across = match subject.across {
        DVec3::ZERO => travel.cross(normal),
        across => across,
    };
    if across.length() > OBLIQUE {
        let steepness = unit(across).y.abs();
        if steepness > STRAIGHT_DOWN {
            // From above any yaw is possible.
            return Orbit {
                yaw: f64::atan2(-travel.z, travel.x),
                ..orbit.looking(DVec3::NEG_Y)
            };
        }
        // Not from below. The motion runs to the right if the view is on the side of up x motion; a vertical one on the side of the
        // current view.
        let down = DVec3::NEG_Y * f64::from(u8::from(steepness > STEEP));
        let sides = [down, DVec3::Y.cross(travel), forward];
        let signs = sides.map(|side| across.dot(side));
        let sign = signs.into_iter().find(|part| part.abs() > 1e-6);
        let mut direction = across * sign.unwrap_or(1.0).signum();
        // Even from slightly below, a wide floor covers what stands on it.
        direction.y = direction.y.min(0.0);
        return orbit.looking(direction);
    }
    // Along the normal, where there is one: the surface is then seen exactly from its edge.
    let along = [normal * travel.dot(normal).signum(), travel];
    let along = along.into_iter().find(|along| *along != DVec3::ZERO);
    let along = along.unwrap_or_else(|| orbit.looking_level().world_from_view() * DVec3::X);
    match DVec3::Y.cross(along).try_normalize() {
        Some(side) if along.y.abs() < 0.97 => {
            let up = along.cross(side);
            let up = up * up.y.signum();
            orbit.looking(side * PITCH.cos() - up * PITCH.sin())
        }
        // Level, too: from below a floor would cover it.
        Some(side) => orbit.looking(side * forward.dot(side).signum()),
        None => orbit.looking(forward.with_y(0.0)),
    }
}

/// The objects that are cut open in a view of a subject: the obstacle if it is large and has an inside or covers it too, and others
/// that cover the mover at the impact, the contact, the start or the end. All have their poses at the impact.
pub fn covering(
    input: &ViewportInput<'_>,
    finding: &Finding,
    subject: &Subject,
    eye: DVec3,
) -> Vec<ObjectId> {
    let [mover, obstacle] = subject.pair;
    let [start, end] = subject.ends();
    let points = [subject.positions[0], subject.point, start, end];
    let objects = input.replay.objects().iter().enumerate();
    let cut = objects.filter_map(|(index, object)| {
        let id = index as ObjectId;
        if !input.shows_body(id) || object.sensor || mover == Some(id) {
            return None;
        }
        let pose = input.frame.pose(id, finding.fraction)?;
        let is_large = subject.obstacle > LARGE_OBSTACLE * subject.radius;
        let covering = || {
            points
                .iter()
                .any(|&point| covers(&object.shape, &pose, Segment { a: eye, b: point }))
        };
        let cut = match obstacle == Some(id) {
            true => is_large && (has_inside(&object.shape) || covering()),
            false => covering(),
        };
        cut.then_some(id)
    });
    cut.collect()
}

/// Returns true if a shape is between the ends of a segment.
fn covers(shape: &Shape, pose: &Pose, segment: Segment) -> bool {
    let near = bounding_sphere(shape).is_none_or(|sphere| {
        let center = pose.point(sphere.center);
        let (nearest, _) = closest_point_on_segment(center, &segment);
        (nearest - center).length() <= sphere.radius * 1.001
    });
    near && query::ray_cast(&segment, shape, pose).is_some_and(|hit| hit.fraction < 0.999)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::selection::Selection;
    use crate::app::test_levels::{level, sphere, wall};
    use crate::app::view_state::Layers;
    use crate::core::diagnose::{Options, diagnose};
    use crate::core::level::Level;
    use crate::core::scene::{Movement, Object};
    use std::sync::Arc;

    const SIZE: DVec2 = DVec2::new(900.0, 600.0);

    fn subject(path: DVec3, normal: DVec3) -> Subject {
        Subject {
            positions: [DVec3::ONE, DVec3::ONE - path, DVec3::ONE + path],
            point: DVec3::ONE,
            travel: path * 2.0,
            across: DVec3::ZERO,
            radius: 0.3,
            normal,
            obstacle: 0.0,
            pair: [Some(0), Some(1)],
        }
    }

    /// The plane of motion and normal is tilted by a degree, either way: the view is level, not from below.
    #[test]
    fn no_view_is_from_below() {
        for tilt in [-0.02, 0.02] {
            for motion in [DVec3::X, DVec3::NEG_X, DVec3::NEG_Y] {
                let normal =
                    DVec3::new(0.3, 1.0, 0.0).cross(motion).cross(motion) + DVec3::Z * tilt;
                let view = viewpoint(&Orbit::default(), &subject(motion, normal), SIZE);
                let forward = view.world_from_view() * DVec3::NEG_Z;
                assert!(forward.y <= 1e-12, "{motion} {normal}: {forward}");
            }
            // Straight onto a ball below, nearly.
            let motion = DVec3::new(tilt, -1.0, 3.0 * tilt);
            let view = viewpoint(&Orbit::default(), &subject(motion, -motion), SIZE);
            let forward = view.world_from_view() * DVec3::NEG_Z;
            assert!(
                forward.y <= 1e-12 && forward.dot(motion).abs() < 1e-12,
                "{forward}"
            );
        }
    }

    #[test]
    fn the_view_is_across_the_motion_and_along_the_contact_plane() {
        for (path, normal) in [
            (DVec3::X * 2.0, DVec3::NEG_X),
            (DVec3::NEG_Z, DVec3::Z),
            // Down a slope onto a floor, sideways onto a wall, and from below onto a slanted ceiling.
            (DVec3::new(2.0, -1.0, 0.5), DVec3::Y),
            (DVec3::new(1.0, 0.0, 1.0), DVec3::NEG_X),
            (DVec3::new(0.0, 1.0, 0.0), DVec3::new(0.6, -0.8, 0.0)),
            (DVec3::NEG_Y, DVec3::Y),
        ] {
            let subject = subject(path, normal);
            let view = viewpoint(&Orbit::default(), &subject, SIZE).view(SIZE);
            let forward = view.world_from_view * DVec3::NEG_Z;
            // A pitch of a right angle is not quite reached.
            assert!(forward.dot(path).abs() < 2e-4 * path.length(), "{path}");
            assert!(forward.dot(normal).abs() < 2e-4, "{path}: {forward}");
            let [at, start, end] = subject
                .positions
                .map(|point| view.project(point).expect("in front"));
            assert!((at - SIZE * 0.5).length() < 1e-6);
            if path.x != 0.0 || path.z != 0.0 {
                assert!(end.x > start.x, "{path} runs to the right");
            }
            for point in [start, end] {
                assert!(point.cmpge(DVec2::ZERO).all() && point.cmple(SIZE).all());
            }
            let mover = 0.6 / view.metres_per_point(DVec3::ONE);
            assert!(mover > 0.08 * SIZE.x, "{path}: {mover} points");
        }
    }

    #[test]
    fn a_steep_view_is_from_above() {
        // Upward onto walls: the two directions along the contact plane are almost vertical, and at 45 degrees.
        for path in [DVec3::new(2.0, 0.1, 1.0), DVec3::new(1.0, 1.0, 1.0)] {
            let subject = subject(path, DVec3::NEG_X);
            let view = viewpoint(&Orbit::default(), &subject, SIZE);
            assert!(view.eye().y > view.target.y, "{path}");
            let forward = view.world_from_view() * DVec3::NEG_Z;
            assert!(forward.dot(subject.normal).abs() < 2e-4);
        }
    }

    #[test]
    fn a_head_on_impact_is_seen_from_slightly_above() {
        let subject = subject(DVec3::X, DVec3::NEG_X);
        let view = viewpoint(&Orbit::default(), &subject, SIZE);
        assert!((view.pitch + PITCH).abs() < 1e-9, "{}", view.pitch);
    }

    #[test]
    fn a_turning_mover_is_seen_along_its_axis() {
        let subject = Subject {
            travel: DVec3::Z,
            across: DVec3::Y,
            ..subject(DVec3::ZERO, DVec3::NEG_Z)
        };
        let view = viewpoint(&Orbit::default(), &subject, SIZE);
        let axes = view.world_from_view();
        assert!((axes * DVec3::NEG_Z).distance(DVec3::NEG_Y) < 2e-4);
        assert!((axes * DVec3::X).distance(DVec3::Z) < 1e-9, "to the right");
    }

    /// It was as close as to a finding of the ball alone.
    #[test]
    fn a_blade_that_passes_a_resting_ball_is_the_mover() {
        let blade = Object {
            spin: DVec3::Y,
            movement: Movement::Kinematic,
            ..wall("blade", DVec3::new(1.5, 0.1, 0.02), DVec3::ZERO)
        };
        let at = DVec3::new(0.5_f64.cos(), 0.0, -(0.5_f64.sin()));
        let replay = level(1.0, [blade, sphere("ball", 0.1, at, DVec3::ZERO)]);
        let frame = replay.frame(0);
        let (selection, layers) = (Selection::default(), Layers::default());
        let input = ViewportInput::of_level(&replay, &frame, &selection, &layers);
        let level = Level {
            file: "test".into(),
            replay: Arc::clone(&replay),
            notices: Vec::new(),
        };
        let report = diagnose(&level, &Options::default(), &()).unwrap();
        let subject = Subject::of(&input, &report.findings[0]).unwrap();
        assert_eq!(subject.pair, [Some(0), Some(1)]);
        // The flank turns by a radian, 1 m from the hub.
        let chord = 2.0 * 0.5_f64.sin();
        assert!((subject.travel.length() - chord).abs() < 0.02);
        let view = viewpoint(&Orbit::default(), &subject, SIZE).view(SIZE);
        let width = view.metres_per_point(view.target) * SIZE.x;
        assert!((2.0 * chord..5.0 * chord).contains(&width), "{width} m");
    }

    #[test]
    fn a_mover_that_stands_still_has_a_view() {
        for normal in [DVec3::ZERO, DVec3::Y, DVec3::X] {
            let still = viewpoint(&Orbit::default(), &subject(DVec3::ZERO, normal), SIZE);
            assert!(still.eye().is_finite() && still.distance > 0.0);
            let forward = still.world_from_view() * DVec3::NEG_Z;
            assert!(forward.dot(normal).abs() < 1e-9);
        }
    }
}
