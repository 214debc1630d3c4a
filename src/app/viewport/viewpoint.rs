//! The view that shows an impact best: from the side of the motion, which runs left to right, slightly from above, with nothing in
//! between.

use super::ViewportInput;
use super::orbit::Orbit;
use crate::app::view_state::Layer;
use crate::core::bounds::bounding_sphere;
use crate::core::diagnose::Finding;
use crate::core::query::{self, closest_point::closest_point_on_segment};
use crate::core::replay::ObjectId;
use crate::core::shape::{Pose, Segment, Shape};
use glam::{DVec2, DVec3};

/// Longest part of the path on each side of the impact that is shown, in radii of the mover. With more the mover is too small.
const MAX_PATH_RADII: f64 = 120.0;
/// Fraction of the viewport's width that the path fills: for a large mover, and for a small one.
const FILL_FRACTION: (f64, f64) = (0.5, 0.78);
/// Pitch angles downward, radians, and the cost of each.
const PITCHES: [(f64, f64); 6] = [
    (0.30, 0.0),
    (0.50, 1.0),
    (0.12, 1.5),
    (0.80, 3.0),
    (1.10, 5.0),
    (1.40, 7.0),
];
/// Yaw angles from perpendicular to the motion toward the face that is hit, radians, and the cost of each.
const YAWS: [(f64, f64); 6] = [
    (0.30, 0.0),
    (0.10, 0.5),
    (0.55, 1.0),
    (-0.25, 2.0),
    (0.90, 2.5),
    (-0.70, 3.5),
];
/// Factors on the distance that shows the whole path, and the cost of each.
const DISTANCE_FACTORS: [(f64, f64); 3] = [(1.0, 0.0), (0.65, 5.0), (0.4, 9.0)];
/// Cost of a motion that runs from right to left.
const MIRRORED_COST: f64 = 2.2;
/// Cost of hiding the mover at the impact, the contact, the start, the end.
const HIDDEN_COSTS: [f64; 4] = [40.0, 10.0, 6.0, 4.0];

/// The parts of a finding that the view must show.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The mover's position at the impact, at its start, at its end without a collision; world, metres.
    pub positions: [DVec3; 3],
    /// The contact point, world, metres.
    pub point: DVec3,
    /// The mover's radius, metres.
    pub radius: f64,
    /// From the surface of the obstacle toward the mover; may be zero.
    pub normal: DVec3,
    /// Half the size of the obstacle, metres; zero when it has none.
    pub obstacle: f64,
}

impl Subject {
    /// The subject of a finding in the shown frame; `None` when a number of it is not finite.
    pub fn of(input: &ViewportInput<'_>, finding: &Finding) -> Option<Self> {
        let position_and_radius = |id: ObjectId| {
            let object = input.replay.objects().get(id as usize)?;
            let pose = input.frame.pose(id, finding.fraction)?;
            let bounds = object.shape.placed(&pose).aabb()?;
            Some((pose.position, bounds.half_extents().max_element()))
        };
        let point = DVec3::from_array(finding.point);
        let paths = [finding.object_a, finding.object_b].map(|id| path(input, id));
        // When only the second object moves, it is the mover.
        let [start, end] = paths[0].or(paths[1]).unwrap_or([point; 2]);
        let pair = if paths[0].is_some() || paths[1].is_none() {
            [finding.object_a, finding.object_b]
        } else {
            [finding.object_b, finding.object_a]
        };
        let (at, radius) = match pair[0] {
            Some(id) => position_and_radius(id).unwrap_or((point, 0.0)),
            None => (start.lerp(end, finding.fraction), 0.3),
        };
        let obstacle = pair[1]
            .and_then(position_and_radius)
            .map_or(0.0, |(_, half)| half);
        let subject = Self {
            positions: [at, start, end],
            point,
            radius: radius.max(1e-4),
            normal: DVec3::from_array(finding.normal),
            obstacle,
        };
        let numbers = [radius, obstacle, subject.normal.length_squared()];
        let mut points = subject.positions.iter().chain([&subject.point]);
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

/// The start of an object, or of the camera for `None`, and its end without a collision. `None` when it does not move.
fn path(input: &ViewportInput<'_>, id: Option<ObjectId>) -> Option<[DVec3; 2]> {
    let (start, end) = match id {
        Some(id) => {
            let segment = input.frame.segments.get(id as usize)?.first()?;
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

/// The view of a subject from an unobstructed side. `hides` returns whether something is between the eye and a point.
pub fn viewpoint(
    orbit: &Orbit,
    subject: &Subject,
    size: DVec2,
    hides: impl Fn(DVec3, DVec3) -> bool,
) -> Orbit {
    let [start, end] = subject.ends();
    let framed = framed(orbit, subject, size);
    let mut candidates: Vec<(f64, DVec3, f64)> = Vec::new();
    let axes = Axes::of(orbit, subject);
    for (pitch, pitch_cost) in PITCHES {
        for (yaw, yaw_cost) in YAWS {
            for (mirror, mirror_cost) in [(1.0, 0.0), (-1.0, MIRRORED_COST)] {
                for (factor, distance_cost) in DISTANCE_FACTORS {
                    let direction = axes.direction(pitch, yaw, mirror);
                    let cost = pitch_cost + yaw_cost + mirror_cost + distance_cost;
                    candidates.push((cost, direction, factor));
                }
            }
        }
    }
    candidates.sort_by(|one, two| one.0.total_cmp(&two.0));
    let mut best: Option<(f64, Orbit)> = None;
    for (cost, direction, factor) in candidates {
        if best.is_some_and(|(least, _)| cost >= least) {
            break;
        }
        let view = Orbit {
            distance: framed.distance * factor,
            ..framed
        }
        .looking(direction);
        let points = [subject.positions[0], subject.point, start, end];
        let hidden =
            points.iter().zip(HIDDEN_COSTS).map(
                |(&point, cost)| {
                    if hides(view.eye(), point) { cost } else { 0.0 }
                },
            );
        let cost = cost + hidden.sum::<f64>();
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, view));
        }
    }
    best.map_or(framed, |(_, view)| view)
}

/// The view centred on the path, at the distance where the path fills its fraction of the width.
fn framed(orbit: &Orbit, subject: &Subject, size: DVec2) -> Orbit {
    let [start, end] = subject.ends();
    let travel = (end - start).length();
    let span = travel + subject.radius * 2.0;
    // 1 for a mover of at most a thirtieth of its path.
    let small = (travel / (subject.radius * 30.0)).clamp(0.0, 1.0);
    let fill = FILL_FRACTION.0 + (FILL_FRACTION.1 - FILL_FRACTION.0) * small;
    let width = span / fill;
    // Shows the obstacle too, unless that is as large as the level.
    let width = width.max((subject.obstacle * 2.4).min(span * 3.0));
    let height = subject.radius * 6.0;
    Orbit {
        target: start.midpoint(end),
        ..orbit.fitting(DVec2::new(width, height) * 0.5, size)
    }
}

/// Horizontal view directions across and along the motion.
struct Axes {
    /// In this direction the motion runs left to right.
    side: DVec3,
    /// In this direction the face that is hit is seen from its front.
    face: DVec3,
}

impl Axes {
    fn of(orbit: &Orbit, subject: &Subject) -> Self {
        let [start, end] = subject.ends();
        let horizontal = |vector: DVec3| {
            let flat = DVec3::new(vector.x, 0.0, vector.z);
            // A nearly vertical motion has no horizontal direction.
            (flat.length() > 0.25 * vector.length())
                .then(|| flat.try_normalize())
                .flatten()
        };
        let along = horizontal(end - start)
            .or_else(|| horizontal(-subject.normal))
            .filter(|along| *along != DVec3::ZERO)
            .unwrap_or_else(|| orbit.looking_level().world_from_view() * DVec3::X);
        let face = if subject.normal.dot(along) > 0.2 {
            -along
        } else {
            along
        };
        Self {
            side: DVec3::Y.cross(along),
            face,
        }
    }

    fn direction(&self, pitch: f64, yaw: f64, mirror: f64) -> DVec3 {
        let horizontal = self.side * mirror * yaw.cos() + self.face * yaw.sin();
        horizontal * pitch.cos() - DVec3::Y * pitch.sin()
    }
}

/// The objects that may hide a finding: all that are drawn, except sensors and the mover, at their poses at the impact.
pub struct Obstacles<'m> {
    solids: Vec<(&'m Shape, Pose)>,
}

impl<'m> Obstacles<'m> {
    /// The objects within `radius` metres of `center`.
    pub fn of(input: &'m ViewportInput<'_>, finding: &Finding, center: DVec3, radius: f64) -> Self {
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
                let distance = (pose.point(sphere.center) - center).length();
                if distance.is_nan() || distance > radius + sphere.radius {
                    return None;
                }
            }
            Some((&object.shape, pose))
        });
        Self {
            solids: solids.collect(),
        }
    }

    /// Returns true if one of them is between the eye and a point.
    pub fn hide(&self, eye: DVec3, point: DVec3) -> bool {
        let segment = Segment { a: eye, b: point };
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

    const SIZE: DVec2 = DVec2::new(900.0, 600.0);

    fn subject(path: DVec3) -> Subject {
        Subject {
            positions: [DVec3::ONE, DVec3::ONE - path, DVec3::ONE + path],
            point: DVec3::ONE,
            radius: 0.3,
            normal: -path.try_normalize().unwrap_or(DVec3::ZERO),
            obstacle: 0.0,
        }
    }

    #[test]
    fn the_motion_runs_left_to_right_over_half_the_width() {
        for path in [DVec3::X * 2.0, DVec3::NEG_Z, DVec3::new(-1.0, 0.3, 2.0)] {
            let subject = subject(path);
            let view = viewpoint(&Orbit::default(), &subject, SIZE, |_, _| false).view(SIZE);
            let [at, start, end] = subject
                .positions
                .map(|point| view.project(point).expect("in front"));
            let width = (end.x - start.x) / SIZE.x;
            assert!((0.33..0.8).contains(&width), "{path}: {width}");
            assert!((at - SIZE * 0.5).length() < 1e-6);
            assert!(view.eye.y > 1.0, "from above");
        }
    }

    #[test]
    fn a_falling_mover_is_seen_from_the_side() {
        let view = viewpoint(&Orbit::default(), &subject(DVec3::NEG_Y), SIZE, |_, _| {
            false
        });
        let direction = view.world_from_view() * DVec3::NEG_Z;
        assert!(
            direction.is_finite() && direction.y.abs() < 0.5,
            "{direction}"
        );
    }

    #[test]
    fn an_obstructed_side_is_not_chosen() {
        // A wall beside the motion, toward +z.
        let wall = |eye: DVec3, _: DVec3| eye.z > 1.5;
        let view = viewpoint(&Orbit::default(), &subject(DVec3::X), SIZE, wall);
        assert!(view.eye().z <= 1.5);
        // Walls on both sides leave the view from above.
        let walls = |eye: DVec3, _: DVec3| (eye.z - 1.0).abs() > (eye.y - 1.0) * 0.5;
        let view = viewpoint(&Orbit::default(), &subject(DVec3::X), SIZE, walls);
        let eye = view.eye();
        assert!(
            (eye.z - 1.0).abs() <= (eye.y - 1.0) * 0.5 && eye.y > 1.0,
            "{eye}"
        );
    }

    #[test]
    fn without_an_unobstructed_side_there_is_still_a_view() {
        let view = viewpoint(&Orbit::default(), &subject(DVec3::X), SIZE, |_, _| true);
        assert!(view.eye().is_finite());
        let still = viewpoint(&Orbit::default(), &subject(DVec3::ZERO), SIZE, |_, _| false);
        assert!(still.eye().is_finite() && still.distance > 0.0);
    }
}
