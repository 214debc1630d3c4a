//! Surfaces that collide from their front only.

use super::event::{Approach, PairEvent};
use super::pair::Pair;
use super::rotating_pair;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::shape_metrics::height_over;
use crate::core::query;
use crate::core::shape::Pose;

/// The event of a mover whose centre comes through a one-sided surface from behind, at any speed: a one-sided test detects nothing before, and
/// pushes out of the front afterwards. `Some(None)` where nothing else of the interval counts either.
#[expect(clippy::option_option, reason = "whether it is decided, and how")]
pub fn from_behind(pair: &Pair<'_>) -> Option<Option<PairEvent>> {
    let obstacle = &pair.obstacle;
    if !obstacle.one_sided {
        return None;
    }
    let path = rotating_pair::center_path(pair);
    let segments = path.len() as f64;
    let crossing = path.iter().zip(0..).find_map(|(segment, number)| {
        let hit = query::ray_cast(segment, obstacle.shape, &Pose::IDENTITY)?;
        Some((hit, (f64::from(number) + hit.fraction) / segments))
    });
    let event = |hit: &query::RayHit, crossed: f64| {
        let touch = pair.sweep().outcome.impact().map(|impact| impact.fraction);
        let fraction = touch.filter(|_| pair.contact_at(|motion| motion.start).is_none());
        let fraction = fraction.unwrap_or(crossed);
        let pose = obstacle.turning().pose(fraction);
        let place = (pose.point(hit.point), pose.vector(hit.normal));
        PairEvent {
            end: pair.contact_at_end(),
            triangle: hit.triangle,
            ..PairEvent::new(Kind::Tunnels, fraction, place, Approach::Behind)
        }
    };
    match crossing {
        Some((hit, crossed)) if hit.back => Some(Some(event(&hit, crossed))),
        Some(_) => None,
        // Beside or behind the surface: from behind there is nothing to touch.
        None => (!came_from_front(pair)).then_some(None),
    }
}

/// Whether the mover came in through the front of a one-sided surface, or its centre begins in front of the part that is nearest to it.
pub fn came_from_front(pair: &Pair<'_>) -> bool {
    let before = pair.entered.map(|entry| {
        let ahead = entry.point + entry.normal * pair.slop;
        pair.obstacle.motion.start.point_to_local(ahead)
    });
    let path = rotating_pair::center_path(pair);
    let from = before.or_else(|| path.first().map(|start| start.a));
    let height = from.and_then(|from| height_over(pair.obstacle.shape, from));
    height.is_none_or(|height| height > 0.0)
}
