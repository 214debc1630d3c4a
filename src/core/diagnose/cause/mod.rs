//! Why it happened: one small file a cause. Each says when it holds, on which numbers, what mends it, and its sentence.
//!
//! Several may hold at once. [`RANKED`] is the order in which they are asked, the most particular first: what kept the pair
//! from being tested at all (bits), what makes every number wrong (units), what makes the event not a motion at all
//! (teleport), what undoes itself (visual only), what the number format made of it (far from the origin), where the speed came
//! from (hidden speed), what was not looked at (gap), what was seen and not held, what no smaller step would mend (facing),
//! what turned (rotation), the push's side, what is wrong with this frame alone (dt spike), what would have swept and did not,
//! whose motion it was (obstacle, both), the general one, too fast for too thin, and last what only adds to it (a capped
//! speed, an object's scale, a flag that is off).
//!
//! Pushes and contacts are judged apart from the motion of pairs: [`next_wall`] and [`internal_edge`] make findings of their own.

pub(super) mod bits;
mod ccd;
mod dt_spike;
mod facing;
mod far_from_origin;
mod fast_obstacle;
pub(super) mod gap;
pub(super) mod ghost;
mod hidden_speed;
pub(super) mod internal_edge;
mod let_through;
pub(super) mod next_wall;
pub(super) mod own_query;
mod rotation;
mod sensor;
pub(super) mod speed_clamp;
mod swept_alone;
mod teleport;
mod too_fast;
pub(super) mod units;
mod visual_only;
mod wrong_side;

use super::extent::{half_width, is_surface, thickness};
use super::facts::Facts;
use super::finding::{Cause, Fix, Reason};
use super::limits::{self, Slab};
use super::pair::{Event, Pair};
use super::phase_sweep::Passage;
use super::triangle_alone;
use super::turning;
use super::words::{metres, speed};
use crate::core::replay::{Frame, Replay};
use crate::core::scene::Object;
use crate::core::shape::Shape;
use crate::core::tolerance::SAME_SHARE;
use glam::DVec3;

/// An event with everything a cause may ask.
pub(super) struct Case<'r> {
    pub replay: &'r Replay,
    pub facts: &'r Facts,
    pub frame: &'r Frame,
    pub pair: &'r Pair<'r>,
    pub event: &'r Event,
    pub mover: &'r Object,
    pub other: &'r Object,
    pub measures: Measures,
    /// States in a row, up to the start, in which contact was seen; 0 for every kind but `Sinks`.
    pub seen_frames: u32,
}

/// The numbers of an event, SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measures {
    /// Seconds of the stretch.
    pub dt: f64,
    /// Relative displacement along the contact normal, into the surface.
    pub displacement: f64,
    /// Relative displacement as a whole.
    pub travel: f64,
    /// Relative speed as a whole.
    pub speed: f64,
    /// The body against the solid.
    pub slab: Slab,
    /// Longest displacement along the normal that an overlap test is sure to see, on the real geometry.
    pub limit_seen: f64,
    /// Longest displacement along the normal after which the push leads back.
    pub limit_side: f64,
}

/// A cause that holds.
pub(super) struct Claim {
    pub cause: Cause,
    pub evidence: Vec<(&'static str, f64)>,
    pub fixes: Vec<Fix>,
    pub text: String,
}

impl Claim {
    /// As a finding lists it behind its headline.
    pub(super) fn into_reason(self) -> Reason {
        let finite = |(_, value): &(&str, f64)| value.is_finite();
        Reason {
            cause: self.cause,
            evidence: self.evidence.into_iter().filter(finite).collect(),
            fixes: self.fixes,
            text: self.text,
        }
    }
}

/// Asked in this order; the first that holds is the headline.
const RANKED: [fn(&Case<'_>) -> Option<Claim>; 20] = [
    bits::claim,
    units::of_level,
    teleport::claim,
    visual_only::claim,
    far_from_origin::claim,
    hidden_speed::claim,
    gap::claim,
    let_through::claim,
    facing::claim,
    rotation::claim,
    wrong_side::claim,
    dt_spike::claim,
    sensor::claim,
    ccd::below_threshold,
    fast_obstacle::claim,
    swept_alone::claim,
    too_fast::claim,
    speed_clamp::claim,
    units::of_object,
    ccd::off,
];

/// Every cause that holds, the headline first; never empty.
pub(super) fn claims(case: &Case<'_>) -> Vec<Claim> {
    let mut claims: Vec<Claim> = RANKED.iter().filter_map(|claim| claim(case)).collect();
    if claims.is_empty() {
        claims.push(too_fast::state(case));
    }
    claims
}

impl Measures {
    pub(super) fn of(pair: &Pair<'_>, event: &Event, frame_dt: f64) -> Self {
        // Of the point where they touch: its shapes' travel, and what their turning adds.
        let travel = pair.travel() + event.turned.map_or(DVec3::ZERO, |turned| turned.swing);
        let dt = frame_dt * (pair.to - pair.from);
        let displacement = -travel.dot(event.normal);
        let slab = slab(pair, event);
        // The closed form, unless the real thing is smaller (a corner, a glancing ball) and overlap ends sooner.
        let exact = event
            .seen
            .map_or(f64::INFINITY, |share| share * displacement);
        let limit_seen = if exact < slab.seen() * (1.0 - SAME_SHARE) {
            exact
        } else {
            slab.seen()
        };
        Self {
            dt,
            displacement,
            travel: travel.length(),
            speed: if dt > 0.0 { travel.length() / dt } else { 0.0 },
            slab,
            limit_seen,
            limit_side: real_side(pair, event, displacement, slab.right_side()).min(limit_seen),
        }
    }

    /// Scales a limit along the normal to one along the way: the greatest safe relative speed, m/s.
    fn max_speed(&self, limit: f64) -> Option<f64> {
        let along_normal = limits::max_speed(limit, self.dt)?;
        (self.displacement > 0.0).then(|| along_normal * self.travel / self.displacement)
    }

    fn max_dt(&self, limit: f64) -> Option<f64> {
        let closing = self.displacement / self.dt;
        limits::max_dt(limit, if closing.is_finite() { closing } else { 0.0 })
    }
}

/// The closed form of the side limit, unless the push turns round sooner on the real shapes.
fn real_side(pair: &Pair<'_>, event: &Event, displacement: f64, closed: f64) -> f64 {
    if event.turned.is_some()
        || event.start.is_some()
        || event.from_behind
        || displacement <= 0.0
        || !closed.is_finite()
    {
        return closed;
    }
    let measured = triangle_alone::as_judged(pair, event, |pair| {
        Passage::of(pair, event)?.led_back(closed / displacement)
    });
    match measured.map(|share| share * displacement) {
        Some(real) if real < closed * (1.0 - SAME_SHARE) => real,
        _ => closed,
    }
}

/// The body as a ball, the solid as a slab, along the contact normal.
fn slab(pair: &Pair<'_>, event: &Event) -> Slab {
    let (a, b) = turning::turnings(pair);
    let (pose_a, pose_b) = (a.pose(event.fraction), b.pose(event.fraction));
    let n = event.normal;
    let (radius, solid, thick) = if pair.body_is_a() {
        let radius = half_width(pair.shape_a, &pose_a, n);
        let thick = thickness(pair.shape_b, &pose_b, event.point, n);
        (radius, pair.shape_b, thick)
    } else {
        let radius = half_width(pair.shape_b, &pose_b, n);
        let thick = thickness(pair.shape_a, &pose_a, event.point, -n);
        (radius, pair.shape_a, thick)
    };
    // Between the two skins of a mesh that is wider than the body, an overlap test sees nothing.
    let hollow = matches!(solid, Shape::Mesh(_)) && thick > 2.0 * radius;
    Slab {
        radius,
        thickness: if hollow { 0.0 } else { thick },
        surface: is_surface(solid),
    }
}

impl Case<'_> {
    /// The limit that decides this kind of event.
    fn limit(&self) -> f64 {
        // Where a test saw the pair, its push has to lead back.
        if self.event.start.is_some() || self.event.end.is_some() {
            self.measures.limit_side
        } else {
            self.measures.limit_seen
        }
    }

    /// The evidence every event of a pair carries, whatever its cause.
    pub(super) fn evidence(&self) -> Vec<(&'static str, f64)> {
        let m = &self.measures;
        let body = if self.pair.body_is_a() {
            self.pair.shape_a
        } else {
            self.pair.shape_b
        };
        let radius = match body {
            Shape::Sphere { .. } => "radius",
            _ => "half_width",
        };
        let wrong = limits::wrong_share(m.displacement, m.limit_seen, m.limit_side);
        vec![
            ("displacement", m.displacement),
            ("limit_seen", m.limit_seen),
            ("limit_side", m.limit_side),
            (
                "missed_share",
                limits::missed_share(m.displacement, m.limit_seen),
            ),
            ("wrong_side_share", wrong),
            ("travel", m.travel),
            ("speed", m.speed),
            (radius, m.slab.radius),
            ("thickness", m.slab.thickness),
            ("dt", self.frame.dt),
        ]
    }

    /// Substeps, speed and time that keep within a limit along the normal; none where the frame does so already.
    fn step_fixes(&self, limit: f64) -> Vec<Fix> {
        let m = &self.measures;
        if m.displacement <= limit {
            return Vec::new();
        }
        [
            fix("substeps", limits::substeps(m.displacement, limit), ""),
            fix("max_speed", m.max_speed(limit), "m/s"),
            fix("max_dt", m.max_dt(limit), "s"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// "61 substeps, at most 6.6 m/s, or a sweep", as far as the numbers exist.
    fn mend(&self, limit: f64) -> String {
        let steps = self.smaller_steps(limit);
        if steps.is_empty() {
            "a sweep".to_owned()
        } else {
            format!("{steps}, or a sweep")
        }
    }

    /// "61 substeps, at most 6.6 m/s"; empty where the frame keeps within the limit already, and where no number does.
    fn smaller_steps(&self, limit: f64) -> String {
        let m = &self.measures;
        if m.displacement <= limit {
            return String::new();
        }
        let substeps = limits::substeps(m.displacement, limit).map(|n| format!("{n:.0} substeps"));
        let relative = if self.pair.motion_b.displacement() == DVec3::ZERO {
            ""
        } else {
            " between them"
        };
        let slower = m
            .max_speed(limit)
            .map(|most| format!("at most {}{relative}", speed(most)));
        let parts: Vec<String> = [substeps, slower].into_iter().flatten().collect();
        parts.join(", ")
    }

    /// "bullet (radius 0.05 m) moves 6.67 m relative to paper (0.01 m thick) in this frame, at 400 m/s".
    fn motion(&self) -> String {
        let m = &self.measures;
        let size = |radius: f64| metres(radius);
        let mover = match &self.mover.shape {
            Shape::Sphere { radius } => format!(" (radius {})", size(*radius)),
            _ => String::new(),
        };
        let both = if self.pair.motion_b.displacement().length_squared() > 0.0 {
            format!("{} relative to {}", metres(m.travel), self.other.name)
        } else {
            metres(m.travel)
        };
        format!(
            "{}{mover} moves {both} in this frame ({})",
            self.mover.name,
            speed(m.speed)
        )
    }

    /// "paper (0.01 m thick)"; the words for what was hit.
    fn obstacle(&self) -> String {
        let thick = match &self.other.shape {
            Shape::Sphere { radius } => format!(" (radius {})", metres(*radius)),
            Shape::Triangle(_) => " (a triangle, without thickness)".to_owned(),
            _ if !self.pair.body_is_a() => String::new(),
            _ if self.measures.slab.thickness == 0.0 => " (a surface without thickness)".to_owned(),
            _ => format!(" ({} thick)", metres(self.measures.slab.thickness)),
        };
        format!("{}{thick}", self.other.name)
    }
}

/// A fix, if its number exists.
fn fix(what: &'static str, value: Option<f64>, unit: &'static str) -> Option<Fix> {
    let value = value.filter(|value| value.is_finite())?;
    Some(Fix { what, value, unit })
}
