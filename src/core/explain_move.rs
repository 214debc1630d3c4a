//! The explanation of a character's move: what the game asked for, what its controller did, and what stopped it, held against the exact
//! shapes. The controller's own limits (slope, step, snap) are those of the log.

use super::escape::escaped;
use crate::core::diagnose::inner_radius;
use crate::core::number::degrees;
use crate::core::query::{self, Gap, SweepOutcome};
use crate::core::replay::{Frame, LoggedMove, MoveHit, MoveSweep, ObjectId, Replay};
use crate::core::scene::Object;
use crate::core::shape::{Aabb, Motion, Plane, Pose, Segment, Shape};
use crate::core::tolerance::{LOG_ROUNDING, NORMAL_COSINE, SLOP_SHARE};
use glam::DVec3;

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

/// Obstacles along which a free way is followed (a count).
const SLIDES: usize = 4;

/// How far below a floor is looked for, as a multiple of the snap (no unit).
const BELOW: f64 = 3.0;

/// How high a step may be, as a multiple of the highest one that is climbed; what is higher is a wall (no unit).
const STEPS: f64 = 3.0;

/// What stopped a character, or let it leave the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MoveReason {
    /// Nothing that has the controller's normal is in the way; free is how far, metres.
    InnerEdge {
        /// What the controller met.
        object: ObjectId,
        /// The way on which nothing is, metres.
        free: f64,
    },
    /// The surface is too steep, degrees.
    TooSteep {
        /// The surface.
        object: ObjectId,
        /// Its slope.
        slope: f64,
        /// The steepest that is walked on.
        limit: f64,
    },
    /// The step is too high, metres.
    TooHigh {
        /// The step.
        object: ObjectId,
        /// Above the floor.
        height: f64,
        /// The highest that is climbed.
        limit: f64,
    },
    /// The step is low enough, and something above it is in the way.
    NoRoom {
        /// The step.
        object: ObjectId,
        /// What is above it.
        above: ObjectId,
        /// Above the floor, metres.
        height: f64,
        /// How far it would be raised: by the step's height, or as some controllers do, by all of the highest step, metres.
        rise: f64,
    },
    /// A step that is low enough or of which the limit is not known.
    Step {
        /// The step.
        object: ObjectId,
        /// Above the floor, metres.
        height: f64,
        /// The highest that is climbed, metres.
        limit: Option<f64>,
    },
    /// A surface that is too high for a step.
    Wall {
        /// The wall.
        object: ObjectId,
    },
    /// A surface above it, under which it does not get farther.
    Ceiling {
        /// The surface.
        object: ObjectId,
    },
    /// Nothing that it met explains that it stopped, and nothing is in its way, metres.
    Lost {
        /// The way on which nothing is.
        free: f64,
    },
    /// The floor below is farther away than the controller reaches, metres.
    SnapMissed {
        /// The floor.
        object: ObjectId,
        /// How far below it is.
        gap: f64,
        /// How far it reaches.
        limit: f64,
    },
    /// The controller says that it stands on a floor, and there is none within a distance, metres.
    NoFloor {
        /// As far below was looked.
        within: f64,
    },
    /// It overlaps an obstacle before or after its move, metres.
    Inside {
        /// The obstacle.
        object: ObjectId,
        /// How deep.
        depth: f64,
        /// After the move.
        after: bool,
    },
}

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
        let size = inner_radius(&object.shape);
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
            reasons.extend(self.lost(made));
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

    /// The obstacles on a way, how far each is, and its normal. One that is overlapped is met at once where the way leads into it.
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
                    let normal = self.gap(from, object)?.normal;
                    let leads_in = normal.dot(way) < -AGAINST * way.length();
                    leads_in.then_some(Hit {
                        object,
                        distance: 0.0,
                        normal,
                    })
                }
                _ => None,
            }
        })
    }

    /// The first obstacle on a way.
    fn first_hit(&self, from: DVec3, way: DVec3) -> Option<Hit> {
        let hits = self.hits(from, way);
        hits.min_by(|x, y| x.distance.total_cmp(&y.distance))
    }

    /// The first floor below a place, within a distance.
    fn floor_below(&self, made: &LoggedMove, from: DVec3, within: f64) -> Option<Hit> {
        let steepest = made.max_slope.unwrap_or(STEEPEST).to_radians().cos();
        let hits = self.hits(from, -self.up * within);
        let floors = hits.filter(|hit| hit.normal.dot(self.up) >= steepest - SHARE);
        floors.min_by(|x, y| x.distance.total_cmp(&y.distance))
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
        let point = hit.point.unwrap_or(gap.point_b) + inward * (SHARE * self.size);
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
        let floor = self.floor_below(made, sweep.to, 2.0 * self.skin + self.size);
        let base = feet - floor.map_or(0.0, |floor| floor.distance);
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
        (gap > snap + rounding).then_some(MoveReason::SnapMissed {
            object,
            gap,
            limit: snap,
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
            None => format!("asks for no way, goes {}", units.length(went.length())),
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

fn name(replay: &Replay, id: ObjectId) -> String {
    let object = replay.objects().get(id as usize);
    object.map_or_else(|| "?".to_owned(), |object| escaped(&object.name).into())
}

impl MoveReason {
    /// The sentence, without its full stop.
    pub fn text(&self, replay: &Replay) -> String {
        let length = |metres: f64| replay.units().length(metres);
        let angle = |slope: f64| degrees(slope.to_radians());
        let name = |id: ObjectId| name(replay, id);
        match *self {
            Self::InnerEdge { object, free } => format!(
                "nothing is in the way for {}: {} stops it at an inner edge, with a normal that no surface there has",
                length(free),
                name(object),
            ),
            Self::TooSteep {
                object,
                slope,
                limit,
            } => format!(
                "{} rises {}, {} more than the steepest floor of {}",
                name(object),
                angle(slope),
                angle(slope - limit),
                angle(limit),
            ),
            Self::TooHigh {
                object,
                height,
                limit: 0.0,
            } => format!(
                "{} is a step of {}, and the controller climbs none",
                name(object),
                length(height),
            ),
            Self::TooHigh {
                object,
                height,
                limit,
            } => format!(
                "{} is a step of {}, {} more than the highest step of {}",
                name(object),
                length(height),
                length(height - limit),
                length(limit),
            ),
            Self::NoRoom {
                object,
                above,
                height,
                rise,
            } => format!(
                "{} is a step of {}, which is low enough, but {} leaves no room to raise it by {}",
                name(object),
                length(height),
                name(above),
                length(rise),
            ),
            Self::Step {
                object,
                height,
                limit: Some(limit),
            } => format!(
                "{} is a step of {}, low enough for the highest step of {}, with room above it",
                name(object),
                length(height),
                length(limit),
            ),
            Self::Step { object, height, .. } => {
                format!("{} is a step of {}", name(object), length(height))
            }
            Self::Wall { object } => format!("{} is a wall", name(object)),
            Self::Ceiling { object } => format!("{} is in the way above it", name(object)),
            Self::Lost { free } => format!("nothing is in the way for {}", length(free)),
            Self::SnapMissed { object, gap, limit } => format!(
                "the next floor, {}, is {} below, {} more than the snap of {}",
                name(object),
                length(gap),
                length(gap - limit),
                length(limit),
            ),
            Self::NoFloor { within } => {
                format!("there is no floor within {} below", length(within))
            }
            Self::Inside {
                object,
                depth,
                after,
            } => format!(
                "it {} {} inside {}",
                if after { "ends" } else { "begins" },
                length(depth),
                name(object),
            ),
        }
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
