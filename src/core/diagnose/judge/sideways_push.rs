//! A body whose centre enters a surface, and whose shortest push leads sideways, to where the surface goes on: in the same mesh, or in
//! the next object of a floor made of several. Each part alone lets the body slip past; together they do not.

use super::event::{Approach, PairEvent, points_out_behind};
use super::pair::Pair;
use super::solids::Solids;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::shape_metrics::{is_body, is_surface};
use crate::core::query::{Contact, RayHit};
use crate::core::replay::Frame;
use crate::core::shape::{Motion, Pose};
use crate::core::tolerance::BACK_COSINE;
use glam::DVec3;

/// An end of a pair's interval.
#[derive(Clone, Copy)]
pub enum At {
    Start,
    End,
}

impl At {
    fn of(self, motion: &Motion) -> Pose {
        match self {
            Self::Start => motion.start,
            Self::End => motion.end,
        }
    }
}

/// The event of a body whose centre crosses a face of a solid, and which ends behind it: clear of it where the push at the start leads on
/// into the surface, or in an overlap whose push points out behind, or leads on into it.
///
/// `toward_mover` is the unit normal of the face in the obstacle's local space, toward where the mover came from. `alone`: a push out behind
/// counts wherever the body began, else only where the push at the start leads on. `goes_on` is whether the surface goes on where a
/// push, which moves the mover, leads from an end of the interval.
pub fn judge(
    pair: &Pair<'_>,
    toward_mover: DVec3,
    alone: bool,
    goes_on: impl Fn(DVec3, At) -> bool,
) -> Option<PairEvent> {
    let start = pair.contact_at(|motion| motion.start);
    let end = pair.contact_at_end();
    let is_fallback = |contact: &Contact| contact.fallback;
    if pair.sensor || start.iter().chain(&end).any(is_fallback) {
        return None;
    }
    let solid = &pair.obstacle.motion;
    let toward_end = solid.end.vector(toward_mover);
    let was_between = || (start.iter()).any(|start| goes_on(start.push(), At::Start));
    let (kind, ends_behind) = match &end {
        None => (Kind::Sinks, was_between()),
        Some(end) if points_out_behind(end, toward_end) => {
            (Kind::WrongSide, alone || was_between())
        }
        Some(end) => {
            let sideways = end.normal.dot(toward_end) <= BACK_COSINE;
            (Kind::WrongSide, sideways && goes_on(end.push(), At::End))
        }
    };
    if !ends_behind {
        return None;
    }
    let (fraction, point, approach) = match start {
        Some(start) => (0.0, start.point, Approach::Overlap(start)),
        None => {
            let impact = *pair.sweep().outcome.impact()?;
            let approach = Approach::Apart { detected: None };
            (impact.fraction, impact.point, approach)
        }
    };
    let normal = solid.pose(fraction).vector(toward_mover);
    Some(PairEvent {
        end,
        ..PairEvent::new(kind, fraction, (point, normal), approach)
    })
}

/// Whether a push of the mover, at an end of the interval, leaves it in the obstacle, deeper than slop. Beside a mesh that ends the body slips
/// past.
pub fn leads_into(pair: &Pair<'_>, push: DVec3, at: At) -> bool {
    let rest = pair.shifted(push).contact_at(|motion| at.of(motion));
    rest.is_some_and(|rest| rest.depth > pair.slop)
}

/// The event of a body that enters one of several immovable solids side by side, and whose push out of it leads into the next.
pub fn into_next(frame: &Frame, pair: &Pair<'_>, solids: &Solids<'_>) -> Option<PairEvent> {
    let (mover, obstacle) = (&pair.mover, &pair.obstacle);
    if solids.contains(mover.id) || !solids.contains(obstacle.id) || !is_body(mover.shape) {
        return None;
    }
    let comes_in = |hit: &RayHit| is_surface(obstacle.shape) || !hit.back;
    let entry = pair.crossing_ray().filter(comes_in)?;
    let goes_on = |push: DVec3, at: At| {
        let state = match at {
            At::Start => &frame.start,
            At::End => &frame.end,
        };
        let pose = at.of(&mover.motion);
        solids.blocks(pair, pose, push, state) || solids.covers_exit(pair, pose, push)
    };
    // What comes out behind without having been between two solids is judged by the pair alone.
    let event = judge(pair, entry.normal, false, goes_on)?;
    // Where they touch may be on a side that faces the next solid.
    Some(PairEvent {
        point: obstacle.motion.pose(event.fraction).point(entry.point),
        ..event
    })
}
