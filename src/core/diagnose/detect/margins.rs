//! How close a pair without a finding came to one: its step toward a surface, as a share of the longest that an overlap test holds.

use crate::core::diagnose::facts::event_metrics::slab;
use crate::core::diagnose::judge::one_sided::came_from_front;
use crate::core::diagnose::judge::pair::{Pair, Side};
use crate::core::diagnose::level_facts::context::Context;
use crate::core::diagnose::level_facts::engines::Preset;
use crate::core::query;
use crate::core::replay::{Frame, ObjectId, Replay};
use crate::core::scene::{Detection, Movement, Object};
use glam::DVec3;

/// Least share of its limit that a step must take to be noted (no unit): most bodies rest or roll.
const LEAST: f64 = 0.05;

/// A pair's step of a frame toward a surface, and the longest that holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairMargin {
    pub a: ObjectId,
    pub b: ObjectId,
    pub frame: u32,
    /// Seconds of the step.
    pub dt: f64,
    /// Along the normal, metres.
    pub displacement: f64,
    /// Longest displacement along the normal after which an overlap test pushes back, metres; above 0.
    pub limit: f64,
}

impl PairMargin {
    /// The part of the limit that the step takes (no unit).
    pub fn share(&self) -> f64 {
        self.displacement / self.limit
    }
}

/// The closest that a pair comes to its limit in a frame.
pub fn of(
    context: &Context<'_>,
    frame: &Frame,
    (i, j): (ObjectId, ObjectId),
) -> Option<PairMargin> {
    let intervals = frame.straight_intervals(i, j).into_iter();
    let pairs = intervals.filter_map(|interval| Pair::new(context.replay, (i, j), interval));
    let margins = pairs.filter_map(|pair| over(context, frame, &pair));
    margins.max_by(|one, other| one.share().total_cmp(&other.share()))
}

/// The margin of a pair over an interval. `None` where it takes less than a twentieth of its limit, cannot reach the surface in this step, is inside already, or is swept.
fn over(context: &Context<'_>, frame: &Frame, pair: &Pair<'_>) -> Option<PairMargin> {
    let sides = [&pair.mover, &pair.obstacle];
    let dt = context.replay.dt(frame.number) * (pair.to - pair.from);
    let steps = [Some(pair.travel()), velocity_step(frame, pair, dt)];
    let steps = steps.into_iter().flatten();
    let longest = steps.clone().map(DVec3::length).fold(0.0, f64::max);
    // No limit is below half of the mover's least width.
    if longest <= LEAST * pair.mover.shape.inner_radius() || is_swept(context, pair) {
        return None;
    }
    let [mover, obstacle] = sides.map(|side| side.placed(&side.motion.start));
    let gap = query::gap(&mover, &obstacle)?;
    let normal = gap.normal;
    let displacement = steps.map(|step| -step.dot(normal)).fold(0.0, f64::max);
    let is_inside = gap.distance < -pair.slop;
    if is_inside
        || displacement < gap.distance
        || is_behind(pair)
        || lets_pass(context, pair, normal)
    {
        return None;
    }
    let slab = slab(pair, 0.0, (gap.point_b, normal));
    let limit = match pair.sensor {
        true => slab.detection_limit(),
        false => slab.right_side().min(slab.detection_limit()),
    };
    let margin = PairMargin {
        a: pair.mover.id,
        b: pair.obstacle.id,
        frame: frame.number,
        dt,
        displacement,
        limit,
    };
    (limit > 0.0 && margin.share() >= LEAST).then_some(margin)
}

/// Whether the engine sweeps a body of a pair, so that no step is too long.
fn is_swept(context: &Context<'_>, pair: &Pair<'_>) -> bool {
    let [a, b] = [pair.mover.id, pair.obstacle.id].map(|id| &context.replay.objects()[id as usize]);
    let row = context.facts.row;
    is_swept_against(context.replay, row, a, &b.movement)
        || is_swept_against(context.replay, row, b, &a.movement)
}

/// Whether the engine, of this row of the table, sweeps an object against one of this movement.
pub fn is_swept_against(
    replay: &Replay,
    row: Option<&Preset>,
    object: &Object,
    other: &Movement,
) -> bool {
    if replay.recording().is_none() {
        return replay.scene().detection == Detection::Sweep;
    }
    let by_default = || row.is_some_and(|row| row.sweeps_by_default(object.ccd, other));
    object.ccd == Some(true) || object.is_pushable() && by_default()
}

/// The step that the velocities at the start lead to: a body that the engine stopped on its way has moved less.
fn velocity_step(frame: &Frame, pair: &Pair<'_>, dt: f64) -> Option<DVec3> {
    let velocity = |side: &Side<'_>| frame.start.body(side.id)?.velocity;
    let own = velocity(&pair.mover).filter(|_| pair.from == 0.0)?;
    let step = (own - velocity(&pair.obstacle).unwrap_or_default()) * dt;
    step.is_finite().then_some(step)
}

/// Behind a one-sided surface there is nothing to touch.
fn is_behind(pair: &Pair<'_>) -> bool {
    pair.obstacle.one_sided && !came_from_front(pair)
}

/// Whether one of the two lets bodies pass in this direction on purpose.
fn lets_pass(context: &Context<'_>, pair: &Pair<'_>, normal: DVec3) -> bool {
    let objects = context.replay.objects();
    let of = |side: &Side<'_>, along| objects[side.id as usize].lets_pass(along);
    of(&pair.obstacle, -normal) || of(&pair.mover, normal)
}
