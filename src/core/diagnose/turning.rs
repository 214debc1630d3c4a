//! Pairs of which one turns: judged along the way they turn, not as they stand at the start.
//!
//! Who passes whom is asked from both sides. A blade around its own middle goes nowhere; seen from the blade it is the post whose
//! middle passes it.

use super::extent::{center, is_body};
use super::finding::Kind;
use super::pair::{Event, Pair, Turned, points_out_behind};
use crate::core::query::turning::{Turning, TurningHit, sweep_turning};
use crate::core::query::{self, Contact};
use crate::core::replay::{Frame, ObjectId};
use crate::core::shape::{Motion, Pose, Segment, Shape};
use glam::DVec3;

/// Straight pieces in which a middle's way in a turning frame is followed: for each turn, as many.
const PIECES: f64 = 96.0;

/// The turn of a shape over a stretch; zero for a ball, to which it does nothing. `spun` is what its spin tells, if known.
pub(super) fn turn_of(shape: &Shape, motion: &Motion, spun: Option<DVec3>) -> DVec3 {
    match (shape, spun) {
        (Shape::Sphere { .. }, _) => DVec3::ZERO,
        (_, Some(spun)) => Turning::with_turn(motion, spun).turn,
        (_, None) => Turning::of(motion).turn,
    }
}

/// With the turns that the spins at the frame's start tell, where they lead to the poses at its end.
pub(super) fn with_spins<'r>(pair: Pair<'r>, frame: &Frame) -> Pair<'r> {
    let seconds = frame.dt * (pair.to - pair.from);
    let turn = |id: ObjectId, shape: &Shape, motion: &Motion, known: DVec3| {
        let body = frame.start.bodies.get(id as usize).copied().flatten();
        match body.and_then(|body| body.spin) {
            Some(spin) if spin != DVec3::ZERO => turn_of(shape, motion, Some(spin * seconds)),
            _ => known,
        }
    };
    Pair {
        turn_a: turn(pair.a, pair.shape_a, &pair.motion_a, pair.turn_a),
        turn_b: turn(pair.b, pair.shape_b, &pair.motion_b, pair.turn_b),
        ..pair
    }
}

/// Both motions as they turn.
pub(super) fn turnings(pair: &Pair<'_>) -> (Turning, Turning) {
    let turning = |motion, turn| Turning { motion, turn };
    (
        turning(pair.motion_a, pair.turn_a),
        turning(pair.motion_b, pair.turn_b),
    )
}

/// How far the outermost points of both swing over the stretch, metres; `None` for a plane that turns, which has no rim.
pub(super) fn rims(pair: &Pair<'_>) -> Option<(f64, f64)> {
    let rim = |shape: &Shape, turn: DVec3| {
        if turn == DVec3::ZERO {
            return Some(0.0);
        }
        Some(turn.length() * shape.reach()?)
    };
    Some((
        rim(pair.shape_a, pair.turn_a)?,
        rim(pair.shape_b, pair.turn_b)?,
    ))
}

/// What a stretch holds that begins with the two apart. Overlaps up to `slop` metres are none.
pub(super) fn judge(pair: &Pair<'_>, held_misses: bool, slop: f64) -> Option<Event> {
    let (a, b) = turnings(pair);
    let (rim_a, rim_b) = rims(pair)?;
    let rate = pair.travel().length() + rim_a + rim_b;
    // From apart to apart they come half as deep at most, and a middle that is passed takes more.
    if rate <= 2.0 * slop {
        return None;
    }
    let hit = sweep_turning(pair.shape_a, &a, pair.shape_b, &b, slop)?;
    let end = pair.contact_at_end();
    let views =
        [pair.body_is_a(), !pair.body_is_a()].map(|body_is_a| View::new(pair, &hit, body_is_a));
    let mut views = views.iter().flatten();
    let kind = match &end {
        Some(end) if pair.sensor || !views.any(|view| view.leads_on(end)) => return None,
        Some(_) => Kind::WrongSide,
        None if views.any(|view| view.passes()) => Kind::Tunnels,
        None => Kind::Clips,
    };
    let point = hit.contact.point;
    Some(Event {
        kind,
        fraction: hit.fraction,
        point,
        normal: hit.contact.normal,
        start: None,
        end,
        from_behind: false,
        triangle: hit.contact.triangle,
        seen: match end {
            Some(_) => None,
            None => hit.exit.map(|exit| exit - hit.fraction),
        },
        via_bounding_sphere: false,
        alone: false,
        turned: Some(Turned {
            held_misses,
            swing: a.swing_at(hit.fraction, point) - b.swing_at(hit.fraction, point),
        }),
    })
}

/// A log gives poses, not the way between them: a body that rolls over an edge moves its middle on an arc, and the straight way
/// cuts the corner by up to `reach (1 - cos(turn / 2))`. Is the event more than that? A middle that passed is.
pub(super) fn proven(pair: &Pair<'_>, event: &Event) -> bool {
    if event.turned.is_none() || event.kind != Kind::Clips {
        return true;
    }
    let (a, b) = turnings(pair);
    let sag = |shape: &Shape, turn: DVec3| {
        let half = 0.5 * turn.length().min(std::f64::consts::PI);
        shape.reach().unwrap_or(0.0) * (1.0 - half.cos())
    };
    let allowed = sag(pair.shape_a, pair.turn_a) + sag(pair.shape_b, pair.turn_b);
    let middle = event.fraction + 0.5 * event.seen.unwrap_or(0.0);
    let placed = pair.shape_a.placed(&a.pose(middle));
    query::contact(&placed, &pair.shape_b.placed(&b.pose(middle)), &mut ())
        .is_some_and(|contact| contact.depth > allowed)
}

/// The pair as one of the two sees it: a body whose middle has sides, and the solid that carries the contact plane along.
struct View<'r> {
    body_is_a: bool,
    body: Turning,
    solid: Turning,
    body_shape: &'r Shape,
    solid_shape: &'r Shape,
    /// Of the solid at the end, unit, toward the body when they met.
    normal: DVec3,
    /// The middle ends behind the plane.
    far: bool,
}

impl<'r> View<'r> {
    fn new(pair: &Pair<'r>, hit: &TurningHit, body_is_a: bool) -> Option<Self> {
        let (a, b) = turnings(pair);
        let contact = &hit.contact;
        let (body, body_shape, solid, solid_shape, point, normal) = if body_is_a {
            (
                a,
                pair.shape_a,
                b,
                pair.shape_b,
                contact.point,
                contact.normal,
            )
        } else {
            let on_a = contact.point - contact.push();
            (b, pair.shape_b, a, pair.shape_a, on_a, -contact.normal)
        };
        if !is_body(body_shape) {
            return None;
        }
        let met = solid.pose(hit.fraction);
        let end = solid.motion.end;
        let plane = end.point(met.point_to_local(point));
        let normal = end.vector(met.vector_to_local(normal));
        let far = (center(body_shape, &body.motion.end)? - plane).dot(normal) < 0.0;
        Some(Self {
            body_is_a,
            body,
            solid,
            body_shape,
            solid_shape,
            normal,
            far,
        })
    }

    /// Does the push of an overlap at the end lead on, out on the far side?
    fn leads_on(&self, end: &Contact) -> bool {
        let toward_body = if self.body_is_a {
            self.normal
        } else {
            -self.normal
        };
        self.far && points_out_behind(end, toward_body)
    }

    /// Does the body's middle, on its way in the solid's frame, pass through the solid and end behind the plane?
    fn passes(&self) -> bool {
        if !self.far {
            return false;
        }
        let turns = (self.body.turn.length() + self.solid.turn.length()) / std::f64::consts::TAU;
        let pieces = (PIECES * (1.0 + turns)).min(1e4).ceil() as u32;
        let at = |piece: u32| {
            let share = f64::from(piece) / f64::from(pieces);
            let middle = center(self.body_shape, &self.body.pose(share))?;
            Some(self.solid.pose(share).point_to_local(middle))
        };
        (0..pieces).any(|piece| {
            let ends = at(piece).zip(at(piece + 1));
            ends.is_some_and(|(a, b)| {
                query::ray_cast(&Segment { a, b }, self.solid_shape, &Pose::IDENTITY).is_some()
            })
        })
    }
}
