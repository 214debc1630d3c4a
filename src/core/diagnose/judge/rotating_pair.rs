//! Pairs that rotate, swept with their rotation.
//!
//! Both objects are tested as the one that passes: the centre of a rotating blade does not move, but in the blade's
//! frame the post's centre passes it.

use super::overlap_depth;
use super::pair::{Pair, PairEvent, PhaseOutcome, Turned, comes_out, pushes_back, turn_of};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::shape_metrics::{center, swing};
use crate::core::query::turning::Turning;
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
    pair.turn_a != DVec3::ZERO || pair.turn_b != DVec3::ZERO
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
    let turn = |id: ObjectId, shape: &Shape, motion: &Motion, known: DVec3| match spin(id) {
        Some(spin) if spin != DVec3::ZERO => turn_of(shape, motion, Some(spin * seconds)),
        _ => known,
    };
    Pair {
        turn_a: turn(pair.a, pair.shape_a, &pair.motion_a, pair.turn_a),
        turn_b: turn(pair.b, pair.shape_b, &pair.motion_b, pair.turn_b),
        ..pair
    }
}

/// Travel of the outermost points by rotation over the interval, metres; `None` for a rotating plane, which has no bound.
pub fn rims(pair: &Pair<'_>) -> Option<(f64, f64)> {
    Some((
        swing(pair.shape_a, &pair.motion_a.start, pair.turn_a)?,
        swing(pair.shape_b, &pair.motion_b.start, pair.turn_b)?,
    ))
}

/// Displacement that rotation adds at a fraction and a point, world.
pub fn turned_at(pair: &Pair<'_>, held_misses: bool, at: f64, point: DVec3) -> Turned {
    let (a, b) = pair.turnings();
    Turned {
        held_misses,
        swing: a.swing_at(at, point) - b.swing_at(at, point),
    }
}

/// Result of an overlap test of a rotating pair at a fraction `at` of the interval, at or past the first touch at
/// `entry`; motion and rotation continue beyond the interval's end.
pub fn outcome(pair: &Pair<'_>, entry: f64, touch: (DVec3, DVec3), at: f64) -> PhaseOutcome {
    let (a, b) = pair.turnings();
    let pose = |turning: &Turning, share: f64| Pose {
        position: turning.motion.start.position + turning.motion.displacement() * share,
        rotation: DQuat::from_scaled_axis(turning.turn * share) * turning.motion.start.rotation,
    };
    let past = |turning: &Turning| Motion {
        start: pose(turning, entry),
        end: pose(turning, at),
    };
    let here = Pair {
        motion_a: past(&a),
        motion_b: past(&b),
        turn_a: a.turn * (at - entry),
        turn_b: b.turn * (at - entry),
        ..*pair
    };
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

/// The pair from the side of each object, the mover first. The surface entered is given by a point and a normal from `b` toward `a`, as they
/// are at a fraction of the interval.
pub fn side_views<'r>(
    pair: &Pair<'r>,
    fraction: f64,
    surface: (DVec3, DVec3),
) -> Vec<SideView<'r>> {
    [pair.mover_is_a(), !pair.mover_is_a()]
        .into_iter()
        .filter_map(|mover_is_a| SideView::new(pair, fraction, surface, mover_is_a))
        .collect()
}

/// Whether a push that points out behind the surface entered is that of a body on its way through: two bodies that both give way may as well
/// roll around each other, and no centre is in the other then.
pub fn went_through(pair: &Pair<'_>, views: &[SideView<'_>]) -> bool {
    pair.pushable != [true; 2] || views.iter().any(SideView::went_in)
}

/// The path of the body's centre in the frame of the other, which may rotate: straight segments, in order.
pub fn center_path(pair: &Pair<'_>, mover_is_a: bool) -> Vec<Segment> {
    let (a, b) = pair.turnings();
    if mover_is_a {
        way_in((pair.shape_a, &a), (pair.shape_b, &b))
    } else {
        way_in((pair.shape_b, &b), (pair.shape_a, &a))
    }
}

fn way_in(body: (&Shape, &Turning), solid: (&Shape, &Turning)) -> Vec<Segment> {
    let turns = (body.1.turn.length() + solid.1.turn.length()) / std::f64::consts::TAU;
    let count = match turns {
        0.0 => 1,
        turns => (LEAST_PIECES + PIECES * turns).min(1e4).ceil() as u32,
    };
    let at = |share: f64| {
        let local_center = center(body.0, &body.1.pose(share))?;
        Some(solid.1.pose(share).point_to_local(local_center))
    };
    let share = |piece: u32| f64::from(piece) / f64::from(count);
    let mut path = Vec::new();
    for piece in 0..count {
        let span = [share(piece), share(piece + 1)];
        if add_arc(&mut path, &at, span, solid.0, MOST_HALVINGS).is_none() {
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
    let sag = |shape: &Shape, motion: &Motion, turn: DVec3| {
        let half = 0.5 * turn.length().min(std::f64::consts::PI);
        let reach = shape.reach_about(motion.start.vector_to_local(turn));
        let sagitta = 0.5 * motion.displacement().length() * (0.5 * half).tan();
        sagitta.min(reach.unwrap_or(0.0) * (1.0 - half.cos()))
    };
    let allowed = bend
        + sag(pair.shape_a, &pair.motion_a, pair.turn_a)
        + sag(pair.shape_b, &pair.motion_b, pair.turn_b);
    let exit = event
        .detected_for()
        .map_or(1.0, |detected| event.fraction + detected);
    overlap_depth::exceeds(pair, (event.fraction, exit), allowed)
}

/// The pair from the side of one object: a body with a centre, and the obstacle that carries the contact plane.
pub struct SideView<'r> {
    mover_is_a: bool,
    body: Turning,
    solid: Turning,
    body_shape: &'r Shape,
    solid_shape: &'r Shape,
    /// Of the solid at the end, unit, toward the body when they hit.
    normal: DVec3,
    /// The centre ends behind the plane.
    pub far: bool,
    /// The normal where the body's centre came out of the solid before the interval, in the solid's space.
    left: Option<DVec3>,
}

impl<'r> SideView<'r> {
    pub fn new(
        pair: &Pair<'r>,
        fraction: f64,
        (point, normal): (DVec3, DVec3),
        mover_is_a: bool,
    ) -> Option<Self> {
        let (a, b) = pair.turnings();
        let (body, body_shape, solid, solid_shape, normal) = if mover_is_a {
            (a, pair.shape_a, b, pair.shape_b, normal)
        } else {
            (b, pair.shape_b, a, pair.shape_a, -normal)
        };
        if !pair.has_center(mover_is_a) && pair.has_center(!mover_is_a) {
            return None;
        }
        let carried = solid.pose(fraction);
        let end = solid.motion.end;
        let plane = end.point(carried.point_to_local(point));
        let normal = end.vector(carried.vector_to_local(normal));
        let far = (center(body_shape, &body.motion.end)? - plane).dot(normal) < 0.0;
        Some(Self {
            mover_is_a,
            body,
            solid,
            body_shape,
            solid_shape,
            normal,
            far,
            left: pair
                .entered
                .filter(|_| mover_is_a == pair.mover_is_a())
                .and_then(|entry| Some(solid.motion.start.vector_to_local(entry.exit?))),
        })
    }

    /// Whether the push at the end points out behind the surface entered: one that is nearly sideways only if the centre is there already.
    pub fn points_out_behind(&self, end: &Contact) -> bool {
        let along = end.normal.dot(self.toward_body());
        along < -BACK_COSINE || self.far && along < -FAR_SIDE_COSINE
    }

    /// Whether the push at the end points out on the far side of an obstacle that the centre went into.
    pub fn leads_on(&self, end: &Contact) -> bool {
        let turns = self.solid.turn != DVec3::ZERO;
        self.points_out_behind(end) && (!turns || self.went_in())
    }

    /// Whether the push at the end does not point back out of an obstacle that the centre went into.
    fn lets_past(&self, end: &Contact) -> bool {
        !pushes_back(end, self.toward_body()) && self.went_in()
    }

    /// Of the contact at the end, unit, from b toward a.
    fn toward_body(&self) -> DVec3 {
        if self.mover_is_a {
            self.normal
        } else {
            -self.normal
        }
    }

    /// A body on a rolling log moves around it in its frame, and never into it.
    fn went_in(&self) -> bool {
        self.far && (self.begins_inside() || self.passes())
    }

    /// Whether the body's centre, in the obstacle's frame, crosses its surface and ends behind the plane.
    pub fn passes(&self) -> bool {
        self.far && self.crosses()
    }

    /// Whether the body's centre, in the obstacle's frame, crosses its surface.
    pub fn crosses(&self) -> bool {
        let solid = self.solid_shape.placed(&Pose::IDENTITY);
        let hit = |step| query::overlaps(&Shape::Segment(step).placed(&Pose::IDENTITY), &solid);
        self.way_in().into_iter().any(hit)
    }

    /// Whether the body's centre leaves the obstacle behind the plane.
    pub fn leaves_behind(&self) -> bool {
        let normal = self.solid.motion.end.vector_to_local(self.normal);
        let path = self.way_in();
        let mut backward = path.into_iter().rev().filter_map(|segment| {
            let back = Segment {
                a: segment.b,
                b: segment.a,
            };
            query::ray_cast(&back, self.solid_shape, &Pose::IDENTITY)
        });
        let out = match backward.next() {
            Some(hit) => comes_out(&hit, self.solid_shape).then_some(hit.normal),
            None => self.left,
        };
        out.is_some_and(|out| out.dot(normal) < -FAR_SIDE_COSINE)
    }

    fn way_in(&self) -> Vec<Segment> {
        way_in(
            (self.body_shape, &self.body),
            (self.solid_shape, &self.solid),
        )
    }

    fn begins_inside(&self) -> bool {
        let point = Shape::Sphere { radius: 0.0 };
        let start = center(self.body_shape, &self.body.motion.start);
        let gap = start.and_then(|at| {
            let solid = self.solid_shape.placed(&self.solid.motion.start);
            query::gap(&point.placed(&Pose::at(at)), &solid)
        });
        gap.is_some_and(|gap| gap.distance < 0.0)
    }
}
