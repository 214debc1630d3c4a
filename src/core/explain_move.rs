//! The explanation of a character's move: what the game asked for, what its controller did, and what stopped it, held against the exact
//! shapes. The controller's own limits (slope, step, snap) are those of the log.

mod reason;

pub use reason::MoveReason;

use super::escape::escaped;
use crate::core::query::{self, Gap, SweepOutcome};
use crate::core::replay::{Frame, LoggedMove, MoveHit, MoveSweep, ObjectId, Replay};
use crate::core::scene::Object;
use crate::core::shape::{Aabb, Motion, Plane, Pose, Segment, Shape};
use crate::core::tolerance::{LOG_ROUNDING, NORMAL_COSINE, SLOP_SHARE};
use glam::DVec3;
use reason::name;

/// Length as a share of the character's inner radius below which it is none: a way, how far behind a touch the surface is looked at (no unit).
const SHARE: f64 = 1e-3;

/// Cosine against the way from which on an obstacle is in it; flatter ones are slid along (no unit).
const AGAINST: f64 = 0.3;

/// Downward part of a normal from which on it is a ceiling's (no unit): less is rounding of a wall's.
const CEILING: f64 = 0.1;

/// The steepest floor where a log does not say it, degrees.
const STEEPEST: f64 = 60.0;

/// Share of a way below which a character is stopped, and from which on it goes as asked (no unit).
const STOPPED: f64 = 0.5;
const FULL: f64 = 0.9;

/// How far from the character a logged point may be that it touches, as a share of its inner radius, beside its skin (no unit).
const TOUCH: f64 = 0.1;

/// Obstacles along which a free way is followed (a count).
const SLIDES: usize = 4;

/// How far below a floor is looked for, as a multiple of the snap (no unit).
const BELOW: f64 = 3.0;

/// How high a step may be, as a multiple of the highest one that is climbed; what is higher is a wall (no unit).
const STEPS: f64 = 3.0;

/// A part of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveStep {
    /// The controller's word, how far, and what it met.
    pub text: String,
    /// The place after it, world, metres.
    pub to: DVec3,
    /// What it met.
    pub hit: Option<MoveHit>,
    /// Why that stopped it.
    pub reason: Option<MoveReason>,
}

/// The explanation of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveExplanation {
    /// The character.
    pub object: ObjectId,
    /// What was asked, and what was done.
    pub summary: String,
    /// What its controller did, in order.
    pub steps: Vec<MoveStep>,
    /// What is wrong before or after it.
    pub reasons: Vec<MoveReason>,
}

/// Explains the moves of an object in a frame; none where the log has none.
pub fn explain_moves(replay: &Replay, frame: &Frame, id: ObjectId) -> Vec<MoveExplanation> {
    let state = frame.number + 1;
    let moves = replay.moves_of(id, state);
    if moves.is_empty() {
        return Vec::new();
    }
    let before = replay.moves_of(id, state - 1);
    let mut stood = before.last().and_then(|before| before.grounded);
    let mut explained = Vec::new();
    for made in &moves {
        if let Some(around) = Around::of(replay, frame, id, made) {
            explained.push(around.explain(made, stood == Some(true)));
        }
        stood = made.grounded;
    }
    explained
}

/// The explanations of an object's moves that lead to a state; none where the log has none.
pub fn explain_moves_to(replay: &Replay, id: ObjectId, state: u32) -> Vec<MoveExplanation> {
    let frame = state.checked_sub(1).map(|frame| replay.frame(frame));
    frame.map_or_else(Vec::new, |frame| explain_moves(replay, &frame, id))
}

/// An obstacle on a way.
struct Hit {
    object: ObjectId,
    distance: f64,
    /// Toward the character.
    normal: DVec3,
}

/// The first of some obstacles.
fn nearest(hits: impl Iterator<Item = Hit>) -> Option<Hit> {
    hits.min_by(|x, y| x.distance.total_cmp(&y.distance))
}

/// A character and what is around its move.
struct Around<'r> {
    replay: &'r Replay,
    id: ObjectId,
    object: &'r Object,
    /// As the character stands, at the origin.
    pose: Pose,
    up: DVec3,
    /// Its inner radius, metres.
    size: f64,
    skin: f64,
    /// Obstacles and their places when the frame ends.
    near: Vec<(ObjectId, Pose)>,
}

impl<'r> Around<'r> {
    /// `None` where the character is not there, or its numbers are none.
    fn of(replay: &'r Replay, frame: &Frame, id: ObjectId, made: &LoggedMove) -> Option<Self> {
        let objects = replay.objects();
        let object = objects.get(id as usize)?;
        let pose = frame.end.body(id)?.pose;
        let size = object.shape.inner_radius();
        let length = |length: Option<f64>| length.filter(|it| it.is_finite() && *it > 0.0);
        let limits = [made.max_step, made.snap, made.skin].map(|it| length(it).unwrap_or(0.0));
        let places = [made.from, made.to, made.from + made.wish];
        let sweeps = made.sweeps.iter().flat_map(|it| [it.from, it.to]);
        let places: Vec<DVec3> = places.into_iter().chain(sweeps).collect();
        if !pose.is_finite() || !places.iter().all(|it| it.is_finite()) {
            return None;
        }
        let reach = object.shape.reach()? + STEPS * limits.iter().sum::<f64>() + size;
        let region = Aabb::of_points(places)?.grown(2.0 * reach);
        let near = frame.near_at_start(objects, &region).filter(|other| {
            let other = &objects[*other as usize];
            !other.sensor && object.collides_with(other)
        });
        let near = near
            .filter(|other| *other != id && replay.exemption(frame.number, id, *other).is_none());
        let placed = |other| Some((other, frame.end.body(other)?.pose));
        Some(Self {
            replay,
            id,
            object,
            pose,
            up: made.up.unwrap_or(DVec3::Y).try_normalize()?,
            size,
            skin: limits[2],
            near: near.filter_map(placed).collect(),
        })
    }

    fn explain(&self, made: &LoggedMove, stood: bool) -> MoveExplanation {
        // What does not stop it needs no reason.
        let falls_short = self.stays_behind(made, FULL);
        let rest = |number: usize| &made.sweeps[number + 1..];
        let step = |(number, sweep): (usize, &MoveSweep)| MoveStep {
            text: self.step_text(sweep),
            to: sweep.to,
            hit: sweep.hit,
            reason: (sweep.hit)
                .filter(|_| falls_short)
                .and_then(|hit| self.reason(made, sweep, &hit))
                .filter(|reason| !self.is_climbed(reason, sweep, rest(number))),
        };
        let steps: Vec<MoveStep> = made.sweeps.iter().enumerate().map(step).collect();
        let mut reasons = Vec::new();
        if steps.iter().all(|step| step.reason.is_none()) {
            reasons.extend(self.lost(made).or_else(|| self.wedged(made)));
        }
        reasons.extend(self.inside(made.from, false));
        reasons.extend(self.inside(made.to, true));
        reasons.extend(self.floor(made, stood));
        MoveExplanation {
            object: self.id,
            summary: self.summary(made),
            steps,
            reasons,
        }
    }

    fn at(&self, position: DVec3) -> Pose {
        Pose {
            position,
            ..self.pose
        }
    }

    fn shape_of(&self, id: ObjectId) -> Option<(&'r Shape, Pose)> {
        let (_, pose) = self.near.iter().find(|(other, _)| *other == id)?;
        Some((&self.replay.objects()[id as usize].shape, *pose))
    }

    fn gap(&self, at: DVec3, other: ObjectId) -> Option<Gap> {
        let (shape, pose) = self.shape_of(other)?;
        query::gap(
            &self.object.shape.placed(&self.at(at)),
            &shape.placed(&pose),
        )
    }

    /// Returns true for a point that the character touches at a place, as nearly as it keeps its distance.
    fn touches(&self, at: DVec3, point: DVec3) -> bool {
        let radius = SHARE * self.size;
        let placed = self.object.shape.placed(&self.at(at));
        let sphere = Shape::Sphere { radius };
        let gap = query::gap(&placed, &sphere.placed(&self.at(point)));
        gap.is_some_and(|gap| gap.distance <= 2.0 * self.skin + TOUCH * self.size)
    }

    /// The lowest or highest point of the character at a place, as a coordinate along the direction.
    fn extent(&self, at: DVec3, direction: DVec3) -> f64 {
        let plane = Shape::Plane(Plane {
            normal: direction,
            offset: 0.0,
        });
        let placed = self.object.shape.placed(&self.at(at));
        let gap = query::gap(&placed, &plane.placed(&Pose::IDENTITY));
        gap.map_or(0.0, |gap| gap.distance)
    }

    /// The obstacles on a way, how far each is, and its normal. One that is overlapped is met before its begin, by the depth, where the way
    /// leads into it.
    fn hits(&self, from: DVec3, way: DVec3) -> impl Iterator<Item = Hit> + '_ {
        let motion = Motion {
            start: self.at(from),
            end: self.at(from + way),
        };
        self.near.iter().filter_map(move |&(object, pose)| {
            let shape = &self.replay.objects()[object as usize].shape;
            let still = Motion::still(pose);
            let sweep = query::sweep(&self.object.shape, &motion, shape, &still, &mut ());
            match sweep.outcome {
                SweepOutcome::Hits(impact) => Some(Hit {
                    object,
                    distance: impact.fraction * way.length(),
                    normal: impact.normal,
                }),
                SweepOutcome::Overlapping { .. } => {
                    let Gap {
                        distance, normal, ..
                    } = self.gap(from, object)?;
                    let against = -normal.dot(way) / way.length();
                    (against > AGAINST).then_some(Hit {
                        object,
                        distance: distance / against,
                        normal,
                    })
                }
                _ => None,
            }
        })
    }

    /// The first obstacle on a way.
    fn first_hit(&self, from: DVec3, way: DVec3) -> Option<Hit> {
        nearest(self.hits(from, way))
    }

    /// The floors below a place, within a distance.
    fn floors_below(
        &self,
        made: &LoggedMove,
        from: DVec3,
        within: f64,
    ) -> impl Iterator<Item = Hit> + '_ {
        let steepest = made.max_slope.unwrap_or(STEEPEST).to_radians().cos();
        let hits = self.hits(from, -self.up * within);
        hits.filter(move |hit| hit.normal.dot(self.up) >= steepest - SHARE)
    }

    /// The first of them.
    fn floor_below(&self, made: &LoggedMove, from: DVec3, within: f64) -> Option<Hit> {
        nearest(self.floors_below(made, from, within))
    }

    /// How far the floor before a step is below the character, metres. The edge of the step, over which a round foot slides, is no floor.
    fn floor_before(&self, made: &LoggedMove, at: DVec3, step: ObjectId, inward: DVec3) -> f64 {
        let within = 2.0 * self.skin + self.size;
        let floors = self.floors_below(made, at, within);
        let beside = nearest(floors.filter(|floor| floor.object != step));
        let back = || self.floor_below(made, at - inward * (2.0 * self.size), within);
        beside.or_else(back).map_or(0.0, |floor| floor.distance)
    }

    /// Why a hit of a sweep stopped the character; `None` for a floor.
    fn reason(&self, made: &LoggedMove, sweep: &MoveSweep, hit: &MoveHit) -> Option<MoveReason> {
        let object = hit.object;
        let (shape, pose) = self.shape_of(object)?;
        let gap = self.gap(sweep.to, object)?;
        let normal = hit.normal.and_then(DVec3::try_normalize);
        let normal = normal.unwrap_or(gap.normal);
        if normal.dot(self.up) < -CEILING {
            return self
                .is_stopped(made)
                .then_some(MoveReason::Ceiling { object });
        }
        let slope = self.up.angle_between(normal).to_degrees();
        // What it leaves is not in its way.
        let asked = made.wish.reject_from_normalized(self.up);
        let leaves = normal.dot(asked) > -SHARE * asked.length();
        if slope <= made.max_slope.unwrap_or(0.0) || leaves {
            return None;
        }
        if let Some(free) = self.free(made, sweep, normal) {
            return Some(MoveReason::InnerEdge { object, free });
        }
        // The surface behind the touch, seen from above.
        let inward = -normal.reject_from_normalized(self.up).try_normalize()?;
        let feet = self.extent(sweep.to, self.up);
        let tall = -self.extent(sweep.to, -self.up) - feet;
        let high = (STEPS * made.max_step.unwrap_or(0.0)).max(0.5 * tall);
        // Some engines log a point that is somewhere else.
        let point = hit.point.filter(|point| self.touches(sweep.to, *point));
        let point = point.unwrap_or(gap.point_b) + inward * (SHARE * self.size);
        let on_floor = point.reject_from_normalized(self.up);
        let from_above = Segment {
            a: on_floor + self.up * (feet + high),
            b: on_floor + self.up * (feet - self.size),
        };
        let top = query::ray_cast(&from_above, shape, &pose).filter(|top| !top.back);
        let Some(top) = top else {
            return Some(MoveReason::Wall { object });
        };
        if top.normal.dot(normal) > NORMAL_COSINE {
            let limit = made.max_slope?;
            let slope = self.up.angle_between(top.normal).to_degrees();
            return (slope > limit).then_some(MoveReason::TooSteep {
                object,
                slope,
                limit,
            });
        }
        let base = feet - self.floor_before(made, sweep.to, object, inward);
        let height = top.point.dot(self.up) - base;
        let limit = made.max_step;
        let rounding = LOG_ROUNDING * sweep.to.abs().max_element().max(height);
        if let Some(limit) = limit.filter(|limit| height > *limit + rounding) {
            return Some(MoveReason::TooHigh {
                object,
                height,
                limit,
            });
        }
        let above = |rise: f64| {
            let over = sweep.to + self.up * (rise + self.skin);
            let above = self.first_hit(sweep.to, over - sweep.to);
            let above = above.or_else(|| self.first_hit(over, inward * (self.size + self.skin)));
            above
                .filter(|above| above.object != object)
                .map(|above| (above.object, rise))
        };
        Some(match above(height).or_else(|| above(limit?)) {
            Some((above, rise)) => MoveReason::NoRoom {
                object,
                above,
                height,
                rise,
            },
            None => MoveReason::Step {
                object,
                height,
                limit,
            },
        })
    }

    /// Returns true for a step that the character is raised over after it met it.
    fn is_climbed(&self, reason: &MoveReason, sweep: &MoveSweep, rest: &[MoveSweep]) -> bool {
        let height = match reason {
            MoveReason::TooHigh { height, .. } | MoveReason::Step { height, .. } => *height,
            _ => return false,
        };
        let raised = |later: &MoveSweep| (later.to - sweep.to).dot(self.up);
        rest.iter().any(|later| raised(later) > 0.1 * height)
    }

    /// The direction of the way that was asked for, and how far it did not go of it.
    fn rest(&self, made: &LoggedMove) -> Option<(DVec3, f64)> {
        let asked = made.wish.reject_from_normalized(self.up);
        let along = asked.try_normalize()?;
        Some((along, asked.length() - (made.to - made.from).dot(along)))
    }

    fn is_stopped(&self, made: &LoggedMove) -> bool {
        self.stays_behind(made, STOPPED)
    }

    /// Returns true if it goes less than a share of the way that was asked for.
    fn stays_behind(&self, made: &LoggedMove, share: f64) -> bool {
        let asked = made.wish.reject_from_normalized(self.up).length();
        let least = ((1.0 - share) * asked).max(SHARE * self.size);
        self.rest(made).is_some_and(|(_, rest)| rest >= least)
    }

    /// How far the rest of a way is free of a character that stopped.
    fn lost(&self, made: &LoggedMove) -> Option<MoveReason> {
        if !self.is_stopped(made) {
            return None;
        }
        let (along, rest) = self.rest(made)?;
        // It keeps a distance to what is in its way.
        let way = along * (rest + 2.0 * self.skin);
        let free = self.first_hit(made.to, way).is_none();
        free.then_some(MoveReason::Lost { free: rest })
    }

    /// The ceiling that a stopped character would hit if it slid on over what blocks it.
    fn wedged(&self, made: &LoggedMove) -> Option<MoveReason> {
        if !self.is_stopped(made) {
            return None;
        }
        let (along, rest) = self.rest(made)?;
        let mut way = along * (rest + 2.0 * self.skin);
        if let Some(Hit { normal, .. }) = self.first_hit(made.to, way) {
            way -= normal * way.dot(normal).min(0.0);
        }
        let over = self.hits(made.to, way + self.up * (2.0 * self.skin));
        let ceiling = nearest(over.filter(|hit| hit.normal.dot(self.up) < -CEILING))?;
        Some(MoveReason::Ceiling {
            object: ceiling.object,
        })
    }

    /// How far the rest of a way is free although the controller met something with a normal; `None` where something is in it.
    fn free(&self, made: &LoggedMove, sweep: &MoveSweep, normal: DVec3) -> Option<f64> {
        let done = sweep.to - sweep.from;
        let rest = sweep.wish.unwrap_or(made.wish) - done;
        let rest = rest.reject_from_normalized(self.up);
        let along = rest.try_normalize()?;
        let against = -normal.dot(along);
        if against < AGAINST || rest.length() < SHARE * self.size {
            return None;
        }
        // It keeps a distance: what is really there comes within twice that.
        let mut way = along * rest.length().max(2.0 * self.skin / against);
        for _ in 0..SLIDES {
            let Some(Hit { normal, .. }) = self.first_hit(sweep.to, way) else {
                let length = way.length();
                return (length > 0.5 * rest.length()).then_some(length);
            };
            if normal.dot(along) < -AGAINST {
                return None;
            }
            way -= normal * way.dot(normal).min(0.0);
        }
        None
    }

    /// The obstacle in which the character is deepest.
    fn inside(&self, at: DVec3, after: bool) -> Option<MoveReason> {
        let slack = SLOP_SHARE * self.size + LOG_ROUNDING * at.abs().max_element();
        let depth = |&(object, _): &(ObjectId, Pose)| {
            let depth = -self.gap(at, object)?.distance;
            (depth > slack).then_some((object, depth))
        };
        let depths = self.near.iter().filter_map(depth);
        let (object, depth) = depths.max_by(|x, y| x.1.total_cmp(&y.1))?;
        Some(MoveReason::Inside {
            object,
            depth,
            after,
        })
    }

    /// What is wrong with what the controller says of the floor after its move.
    fn floor(&self, made: &LoggedMove, stood: bool) -> Option<MoveReason> {
        let rounding = SHARE * self.size;
        let snap = made.snap.unwrap_or(0.0);
        if made.grounded? {
            let within = snap.max(self.skin) + self.skin + self.size;
            let floor = self.floor_below(made, made.to, within);
            let stands = |(object, _): &(ObjectId, Pose)| {
                let gap = self.gap(made.to, *object);
                gap.is_some_and(|gap| gap.distance <= 2.0 * self.skin + rounding)
            };
            let has_floor = floor.is_some() || self.near.iter().any(stands);
            return (!has_floor).then_some(MoveReason::NoFloor { within });
        }
        let rises = made.wish.dot(self.up) > rounding;
        if !stood || rises || snap <= 0.0 {
            return None;
        }
        let below = BELOW * snap + self.size;
        let Hit {
            object,
            distance: gap,
            ..
        } = self.floor_below(made, made.to, below)?;
        if gap > snap + rounding {
            return Some(MoveReason::SnapMissed {
                object,
                gap,
                limit: snap,
            });
        }
        let limit = made.max_slope?;
        let met = self.first_hit(made.to, -self.up * snap)?;
        let slope = self.up.angle_between(met.normal).to_degrees();
        (slope > limit).then_some(MoveReason::TooSteepBelow {
            object: met.object,
            slope,
            limit,
            floor: object,
            gap,
        })
    }

    /// `asks for 0.1 m along (1, 0, 0), goes 0.02 m of it, and stands on a floor`.
    fn summary(&self, made: &LoggedMove) -> String {
        let units = self.replay.units();
        let level = made.wish.reject_from_normalized(self.up);
        let asked = if level.length() > SHARE * self.size {
            level
        } else {
            made.wish
        };
        let went = made.to - made.from;
        let mut text = match asked.try_normalize() {
            Some(along) => format!(
                "asks for {} along {}, goes {} of it",
                units.length(asked.length()),
                units.unit_vector(along),
                units.length(went.dot(along)),
            ),
            None => format!(
                "asks for no displacement, goes {}",
                units.length(went.length())
            ),
        };
        text += match made.grounded {
            Some(true) => ", and stands on a floor",
            Some(false) => ", and is in the air",
            None => "",
        };
        text
    }

    /// `slide 0.02 m of 0.1 m: meets step with normal (-1, 0, 0)`.
    fn step_text(&self, sweep: &MoveSweep) -> String {
        let units = self.replay.units();
        let mut text = escaped(&sweep.kind).into_owned();
        text += &format!(" {}", units.length(sweep.from.distance(sweep.to)));
        if let Some(wish) = sweep.wish {
            text += &format!(" of {}", units.length(wish.length()));
        }
        let Some(hit) = sweep.hit else {
            return text + ": meets nothing";
        };
        text += &format!(": meets {}", name(self.replay, hit.object));
        if let Some(normal) = hit.normal {
            text += &format!(" with normal {}", units.unit_vector(normal));
        }
        text
    }
}

impl MoveExplanation {
    /// Why it was stopped, or left the floor: a reason of a step each, then those before and after it.
    pub fn all_reasons(&self) -> impl Iterator<Item = &MoveReason> {
        let of_steps = self.steps.iter().filter_map(|step| step.reason.as_ref());
        of_steps.chain(&self.reasons)
    }

    /// The whole explanation as lines of text.
    pub fn text(&self, replay: &Replay) -> String {
        let mut text = format!("{} {}\n", name(replay, self.object), self.summary);
        for (number, step) in (1..).zip(&self.steps) {
            text += &format!("  {number} {}\n", step.text);
            if let Some(reason) = &step.reason {
                text += &format!("    {}\n", reason.text(replay));
            }
        }
        for reason in &self.reasons {
            text += &format!("  {}\n", reason.text(replay));
        }
        text
    }
}
