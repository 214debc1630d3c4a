//! Pairs that rotate, swept with their rotation.
//!
//! Both objects are tested as the one that passes: the centre of a rotating blade does not move, but in the blade's
//! frame the post's centre passes it.

use super::event::{PairEvent, PhaseOutcome, Turned, comes_out, pushes_back};
use super::overlap_depth;
use super::pair::{Pair, Side, turn_of};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::shape_metrics::{center, is_body, swing};
use crate::core::query::{self, Contact};
use crate::core::replay::{Frame, FrameState, ObjectId};
use crate::core::shape::{Motion, Pose, Segment, Shape};
use crate::core::tolerance::{BACK_COSINE, FAR_SIDE_COSINE};
use glam::{DQuat, DVec3};

/// Straight segments per turn that approximate a centre's path in a rotating frame.
const PIECES: f64 = 96.0;

/// Least number of such segments.
const LEAST_PIECES: f64 = 8.0;

/// Halvings of such a segment where its chord and the arc's tangents do not agree whether they hit.
const MOST_HALVINGS: u32 = 12;

/// Whether one of the two rotates.
pub fn turns(pair: &Pair<'_>) -> bool {
    pair.mover.turn != DVec3::ZERO || pair.obstacle.turn != DVec3::ZERO
}

/// With the rotations by the mean of the spins at the frame's start and end (of one alone, where the other is unknown), where they
/// lead to the poses at its end. Engines turn a body by the one or the other.
pub fn with_spins<'r>(pair: Pair<'r>, frame: &Frame) -> Pair<'r> {
    let seconds = frame.dt * (pair.to - pair.from);
    let spin = |id: ObjectId| {
        let logged = |state: &FrameState| state.body(id).and_then(|body| body.spin);
        match (logged(&frame.start), logged(&frame.end)) {
            (Some(start), Some(end)) => Some(start.midpoint(end)),
            (start, end) => start.or(end),
        }
    };
    pair.map(|side| Side {
        turn: turn_of(
            side.shape,
            &side.motion,
            spin(side.id).map(|spin| spin * seconds),
        ),
        ..*side
    })
}

/// Travel of the outermost point by rotation over the interval, metres; `None` for a rotating plane, which has no bound.
pub fn rim(side: &Side<'_>) -> Option<f64> {
    swing(side.shape, &side.motion.start, side.turn)
}

/// That of both together.
pub fn rims(pair: &Pair<'_>) -> Option<f64> {
    Some(rim(&pair.mover)? + rim(&pair.obstacle)?)
}

/// Displacement that rotation adds at a fraction and a point, world.
pub fn turned_at(pair: &Pair<'_>, held_misses: bool, at: f64, point: DVec3) -> Turned {
    let swing = |side: &Side<'_>| side.turning().swing_at(at, point);
    Turned {
        held_misses,
        swing: swing(&pair.mover) - swing(&pair.obstacle),
    }
}

/// Result of an overlap test of a rotating pair at a fraction `at` of the interval, at or past the first touch at
/// `entry`; motion and rotation continue beyond the interval's end.
pub fn outcome(pair: &Pair<'_>, entry: f64, touch: (DVec3, DVec3), at: f64) -> PhaseOutcome {
    let pose = |side: &Side<'_>, share: f64| Pose {
        position: side.motion.start.position + side.motion.displacement() * share,
        rotation: DQuat::from_scaled_axis(side.turn * share) * side.motion.start.rotation,
    };
    let here = pair.map(|side| {
        let motion = Motion {
            start: pose(side, entry),
            end: pose(side, at),
        };
        side.on(motion, at - entry)
    });
    let side_views = side_views(&here, 0.0, touch);
    let mut side_views = side_views.iter();
    match here.contact_at_end() {
        None if side_views.any(SideView::passes) => PhaseOutcome::Missed,
        None => PhaseOutcome::Clipped,
        Some(end) if !pair.sensor && side_views.any(|view| view.lets_past(&end)) => {
            PhaseOutcome::WrongSide
        }
        Some(_) => PhaseOutcome::Resolved,
    }
}

/// The pair from the side of each object that has a centre, the mover first. The surface entered is given by a point and a normal toward the
/// mover, as they are at a fraction of the interval.
pub fn side_views<'r>(
    pair: &Pair<'r>,
    fraction: f64,
    surface: (DVec3, DVec3),
) -> Vec<SideView<'r>> {
    let mover = SideView::of_mover(pair, fraction, surface);
    let obstacle = SideView::of_obstacle(pair, fraction, surface);
    mover.into_iter().chain(obstacle).collect()
}

/// Whether a push that points out behind the surface entered is that of a body on its way through: two bodies that both give way may as well
/// roll around each other, and no centre is in the other then.
pub fn went_through(pair: &Pair<'_>, views: &[SideView<'_>]) -> bool {
    !pair.both_pushable() || views.iter().any(SideView::passes)
}

/// The path of the mover's centre in the frame of the obstacle, which may rotate: straight segments, in order.
pub fn center_path(pair: &Pair<'_>) -> Vec<Segment> {
    let (body, solid) = (pair.mover.turning(), pair.obstacle.turning());
    let turns = (body.turn.length() + solid.turn.length()) / std::f64::consts::TAU;
    let count = match turns {
        0.0 => 1,
        turns => (LEAST_PIECES + PIECES * turns).min(1e4).ceil() as u32,
    };
    let at = |share: f64| {
        let center = center(pair.mover.shape, &body.pose(share))?;
        Some(solid.pose(share).point_to_local(center))
    };
    let share = |piece: u32| f64::from(piece) / f64::from(count);
    let mut path = Vec::new();
    for piece in 0..count {
        let span = [share(piece), share(piece + 1)];
        if add_arc(&mut path, &at, span, pair.obstacle.shape, MOST_HALVINGS).is_none() {
            break;
        }
    }
    path
}

/// Adds an arc of a path as its chord, or as chords of its halves where the arc bulges to or from the solid's surface.
fn add_arc(
    path: &mut Vec<Segment>,
    at: &impl Fn(f64) -> Option<DVec3>,
    [from, to]: [f64; 2],
    solid: &Shape,
    halvings: u32,
) -> Option<()> {
    let (a, b) = (at(from)?, at(to)?);
    let half = from.midpoint(to);
    let middle = at(half)?;
    // Where the tangents at both ends meet, the arc bulges twice as far.
    let apex = middle + (middle - a.midpoint(b));
    let hits =
        |a: DVec3, b: DVec3| query::ray_cast(&Segment { a, b }, solid, &Pose::IDENTITY).is_some();
    if halvings > 0 && apex != middle && hits(a, b) != (hits(a, apex) || hits(apex, b)) {
        add_arc(path, at, [from, half], solid, halvings - 1)?;
        return add_arc(path, at, [half, to], solid, halvings - 1);
    }
    path.push(Segment { a, b });
    Some(())
}

/// Whether an event is more than an artefact of the assumed straight path: a body that rolls over an edge moves its centre on an
/// arc, which the straight path misses by up to `reach (1 - cos(turn / 2))` and by the arc's sagitta, `travel / 2 tan(turn / 4)`, and one that bounces bends its path by up to `bend`, metres. A
/// centre that passed is proof.
pub fn proven(pair: &Pair<'_>, event: &PairEvent, bend: f64) -> bool {
    if event.kind != Kind::Clips || event.turned.is_none() && bend == 0.0 {
        return true;
    }
    let sag = |side: &Side<'_>| {
        let half = 0.5 * side.turn.length().min(std::f64::consts::PI);
        let axis = side.motion.start.vector_to_local(side.turn);
        let sagitta = 0.5 * side.motion.displacement().length() * (0.5 * half).tan();
        sagitta.min(side.shape.reach_about(axis).unwrap_or(0.0) * (1.0 - half.cos()))
    };
    let allowed = bend + sag(&pair.mover) + sag(&pair.obstacle);
    let exit = event
        .detected_for()
        .map_or(1.0, |detected| event.fraction + detected);
    overlap_depth::exceeds(pair, (event.fraction, exit), allowed)
}

/// The pair from the side of one object: a body with a centre, and the solid that carries the contact plane.
pub struct SideView<'r> {
    /// With the body as its mover.
    pair: Pair<'r>,
    /// 1, or -1 where the body is the obstacle: contacts of the pair point the other way.
    sign: f64,
    /// Of the solid at the end, unit, toward the body when they hit.
    normal: DVec3,
    /// The centre ends behind the plane.
    pub far: bool,
}

impl<'r> SideView<'r> {
    pub fn of_mover(pair: &Pair<'r>, fraction: f64, surface: (DVec3, DVec3)) -> Option<Self> {
        Self::new(*pair, fraction, surface, 1.0)
    }

    /// `None` where only the mover has a centre.
    pub fn of_obstacle(
        pair: &Pair<'r>,
        fraction: f64,
        (point, normal): (DVec3, DVec3),
    ) -> Option<Self> {
        let has_center = is_body(pair.obstacle.shape) || !is_body(pair.mover.shape);
        let view = || Self::new(pair.swapped(), fraction, (point, -normal), -1.0);
        has_center.then(view).flatten()
    }

    fn new(
        pair: Pair<'r>,
        fraction: f64,
        (point, normal): (DVec3, DVec3),
        sign: f64,
    ) -> Option<Self> {
        let carried = pair.obstacle.turning().pose(fraction);
        let end = pair.obstacle.motion.end;
        let plane = end.point(carried.point_to_local(point));
        let normal = end.vector(carried.vector_to_local(normal));
        let center = center(pair.mover.shape, &pair.mover.motion.end)?;
        Some(Self {
            pair,
            sign,
            normal,
            far: (center - plane).dot(normal) < 0.0,
        })
    }

    /// Whether the push at the end points out behind the surface entered: one that is nearly sideways only if the centre is there already.
    pub fn points_out_behind(&self, end: &Contact) -> bool {
        let along = end.normal.dot(self.normal * self.sign);
        along < -BACK_COSINE || self.far && along < -FAR_SIDE_COSINE
    }

    /// Whether the push at the end points out on the far side of a solid that the centre went into.
    pub fn leads_on(&self, end: &Contact) -> bool {
        let turns = self.pair.obstacle.turn != DVec3::ZERO;
        self.points_out_behind(end) && (!turns || self.passes())
    }

    /// Whether the push at the end does not point back out of a solid that the centre went into.
    fn lets_past(&self, end: &Contact) -> bool {
        !pushes_back(end, self.normal * self.sign) && self.passes()
    }

    /// Whether the body's centre, in the solid's frame, is in it or comes into it, and ends behind the plane. A body on a rolling log moves around it
    /// in its frame, and never into it.
    pub fn passes(&self) -> bool {
        self.far && self.crosses()
    }

    /// Whether the body's centre, in the solid's frame, is in it or comes into it.
    pub fn crosses(&self) -> bool {
        let solid = self.pair.obstacle.shape.placed(&Pose::IDENTITY);
        let hit = |step| query::overlaps(&Shape::Segment(step).placed(&Pose::IDENTITY), &solid);
        center_path(&self.pair).into_iter().any(hit)
    }

    /// Whether the body's centre leaves the solid behind the plane.
    pub fn leaves_behind(&self) -> bool {
        let solid = &self.pair.obstacle;
        let path = center_path(&self.pair);
        let mut backward = path.into_iter().rev().filter_map(|segment| {
            let back = Segment {
                a: segment.b,
                b: segment.a,
            };
            query::ray_cast(&back, solid.shape, &Pose::IDENTITY)
        });
        let out = match backward.next() {
            Some(hit) => comes_out(&hit, solid.shape).then_some(hit.normal),
            // Before the interval.
            None => (self.pair.entered.and_then(|entry| entry.exit))
                .map(|exit| solid.motion.start.vector_to_local(exit)),
        };
        let normal = solid.motion.end.vector_to_local(self.normal);
        out.is_some_and(|out| out.dot(normal) < -FAR_SIDE_COSINE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::diagnose::judge::tests::cube_and_ball;
    use crate::core::replay::{BodyState, FrameMotion, StartBoxes};
    use std::sync::Arc;

    /// A cube turns by a radian in a second. A spin that leads there by a turn more is followed; without one, or with one of 0, the angle was set.
    #[test]
    fn a_spin_of_zero_does_not_stop_a_turn() {
        let replay = cube_and_ball();
        let turned = Pose {
            position: DVec3::ZERO,
            rotation: DQuat::from_rotation_y(1.0),
        };
        let whole_turn = 1.0 + std::f64::consts::TAU;
        for (spin, turn) in [
            (None, 1.0),
            (Some(DVec3::ZERO), 1.0),
            (Some(DVec3::Y), 1.0),
            (Some(DVec3::Y * whole_turn), whole_turn),
        ] {
            let state = |pose: Pose| -> Arc<FrameState> {
                let body = BodyState {
                    pose,
                    velocity: None,
                    spin,
                    asleep: false,
                    teleported: false,
                };
                Arc::new([(0, body)].into_iter().collect())
            };
            let frame = Frame {
                number: 0,
                dt: 1.0,
                start: state(Pose::IDENTITY),
                end: state(turned),
                motion: FrameMotion::Segments(Vec::new()),
                phases: Vec::new(),
                camera: None,
                gave_up: false,
                start_boxes: StartBoxes::default(),
            };
            let way = Motion {
                start: Pose::IDENTITY,
                end: turned,
            };
            let interval = (0.0, 1.0, way, Motion::still(Pose::at(DVec3::Y * 9.0)));
            let pair = with_spins(Pair::new(&replay, (0, 1), interval).unwrap(), &frame);
            let cube = [pair.mover, pair.obstacle]
                .into_iter()
                .find(|side| side.id == 0);
            let got = cube.expect("it is one of them").turn;
            assert!((got - DVec3::Y * turn).length() < 1e-9, "{spin:?}: {got}");
        }
    }
}
