//! Metrics of an event that causes and what-if compare with limits.

use super::limits::{self, Slab};
use super::phase_sweep::Crossing;
use super::threshold_search::{Criterion, ThresholdSearch};
use crate::core::diagnose::judge::event::PairEvent;
use crate::core::diagnose::judge::mesh_triangles;
use crate::core::diagnose::judge::pair::{Pair, Side};
use crate::core::diagnose::judge::rotating_pair;
use crate::core::diagnose::shape_metrics::{half_width, is_surface, thickness};
use crate::core::shape::Shape;
use crate::core::tolerance::SAME_SHARE;
use glam::DVec3;

/// Metrics of an event, SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventMetrics {
    /// Seconds of the interval.
    pub dt: f64,
    /// Relative displacement along the contact normal, into the surface.
    pub displacement: f64,
    /// Length of the relative displacement.
    pub travel: f64,
    /// Relative speed.
    pub speed: f64,
    /// The mover as a ball, the obstacle as a slab.
    pub slab: Slab,
    /// Longest displacement along the normal that an overlap test always detects, for the real shapes.
    pub limit_seen: f64,
    /// Longest displacement along the normal after which the push moves the body back to its side.
    pub limit_side: f64,
}

impl EventMetrics {
    pub fn of(pair: &Pair<'_>, event: &PairEvent, frame_dt: f64) -> Self {
        // The travel of the touching point: displacement plus what rotation adds.
        let travel = pair.travel() + event.turned.map_or(DVec3::ZERO, |turned| turned.swing);
        let dt = frame_dt * (pair.to - pair.from);
        let displacement = -travel.dot(event.normal);
        let slab = slab(pair, event.fraction, (event.point, event.normal));
        // The closed form, unless the real overlap (a corner, a grazing ball) ends sooner.
        let exact = event
            .detected_for()
            .map_or(f64::INFINITY, |share| share * displacement);
        let limit_seen = if exact < slab.detection_limit() * (1.0 - SAME_SHARE) {
            exact
        } else {
            slab.detection_limit()
        };
        let verified = |limit, criterion| verified(pair, event, displacement, limit, criterion);
        let limit_seen = verified(limit_seen, Criterion::Detected);
        // A sensor pushes nothing; detection is enough.
        let limit_side = match pair.sensor {
            true => limit_seen,
            false => {
                let side = real_side(pair, event, displacement, slab.right_side());
                verified(side.min(limit_seen), Criterion::Resolved)
            }
        };
        let [limit_seen, limit_side] =
            [limit_seen, limit_side].map(|limit| limit * rim_share(pair, event, displacement));
        Self {
            dt,
            displacement,
            travel: travel.length(),
            speed: if dt > 0.0 { travel.length() / dt } else { 0.0 },
            slab,
            limit_seen,
            limit_side,
        }
    }

    /// The limit along the normal as a relative speed, m/s.
    pub fn max_speed(&self, limit: f64) -> Option<f64> {
        let along_normal = limits::max_speed(limit, self.dt)?;
        (self.displacement > 0.0).then(|| along_normal * self.travel / self.displacement)
    }

    pub fn max_dt(&self, limit: f64) -> Option<f64> {
        let closing = self.displacement / self.dt;
        limits::max_dt(limit, if closing.is_finite() { closing } else { 0.0 })
    }
}

/// A limit that the real shapes confirm at every starting phase, or the longest displacement that they do.
fn verified(
    pair: &Pair<'_>,
    event: &PairEvent,
    displacement: f64,
    limit: f64,
    criterion: Criterion,
) -> f64 {
    if displacement <= limit || limit <= 0.0 || event.is_from_behind() {
        return limit;
    }
    let found = mesh_triangles::on_judged_triangle(pair, event, |pair| {
        let search = ThresholdSearch {
            crossing: Crossing::of(pair, event)?,
            event,
            progress: &(),
        };
        // At the limit rounding would decide.
        let share = limit / displacement * (1.0 - SAME_SHARE);
        match search.meets(share, criterion) {
            true => None,
            false => search.step(criterion),
        }
    });
    found.map_or(limit, |found| limit.min(found.good * displacement))
}

/// Displacement at the touching point, as a share of that of the rim: another phase of a rotation may touch there (no unit).
fn rim_share(pair: &Pair<'_>, event: &PairEvent, displacement: f64) -> f64 {
    let rims = event.turned.and_then(|_| rotating_pair::rims(pair));
    let rim = rims.map_or(0.0, |rims| rims - pair.travel().dot(event.normal));
    if rim > displacement {
        displacement / rim
    } else {
        1.0
    }
}

/// The closed form of the side limit, unless the push of the real shapes reverses sooner.
fn real_side(pair: &Pair<'_>, event: &PairEvent, displacement: f64, closed: f64) -> f64 {
    if event.start().is_some()
        || event.is_from_behind()
        || displacement <= 0.0
        || !closed.is_finite()
    {
        return closed;
    }
    let measured = mesh_triangles::on_judged_triangle(pair, event, |pair| {
        Crossing::of(pair, event)?.pushed_back(closed / displacement)
    });
    match measured.map(|share| share * displacement) {
        Some(real) if real < closed * (1.0 - SAME_SHARE) => real,
        _ => closed,
    }
}

/// The mover as a ball and the obstacle as a slab along a normal at a point, at a fraction of the interval.
pub fn slab(pair: &Pair<'_>, fraction: f64, (point, normal): (DVec3, DVec3)) -> Slab {
    let (mover, obstacle) = (&pair.mover, &pair.obstacle);
    let pose = |side: &Side<'_>| side.turning().pose(fraction);
    let radius = half_width(mover.shape, &pose(mover), normal);
    let solid = obstacle.shape;
    let thick = thickness(solid, &pose(obstacle), point, normal);
    // Between the two surfaces of a mesh that is wider than the mover, an overlap test detects nothing.
    let hollow = matches!(solid, Shape::Mesh(_)) && thick > 2.0 * radius;
    Slab {
        radius,
        thickness: if hollow { 0.0 } else { thick },
        surface: is_surface(solid),
    }
}
