//! What the engine's continuous detection would do with a pair: which body it would sweep, by which setting, and whether the sweep hits.

use super::phase_sweep::{Crossing, PHASES};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::judge::event::PairEvent;
use crate::core::diagnose::judge::mesh_triangles::on_judged_triangle;
use crate::core::diagnose::judge::pair::{Pair, Side};
use crate::core::diagnose::judge::rotating_pair;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::engines::{self, BothMove, Preset, Switch};
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::{Detection, Object};
use crate::core::shape::{Motion, Pose};
use glam::{DQuat, DVec3};

/// Causes by which the engine does not test the pair, or tests the wrong side: no sweep, step or size helps.
const UNTESTED: [Cause; 3] = [Cause::Facing, Cause::Gap, Cause::Bits];

/// Whether a smaller step, a sweep or another size can fix an event at all.
pub fn can_help(pair: &Pair<'_>, event: &PairEvent, has: impl Fn(Cause) -> bool) -> bool {
    let responds = pair.is_pushable() || pair.sensor;
    responds && !event.is_from_behind() && !UNTESTED.into_iter().any(has)
}

/// Puts the engine's continuous detection first, where it would hold the body, and gives the other fixes the engine's own settings.
/// `has`: whether a cause applies; seconds of the frame.
pub fn own_settings(
    replay: &Replay,
    (pair, event, dt): (&Pair<'_>, &PairEvent, f64),
    has: impl Fn(Cause) -> bool,
    fixes: &mut Vec<Fix>,
) {
    let engine = replay.engine();
    let Some(row) = engines::preset(&engine) else {
        return;
    };
    // Smaller steps of an engine do not split what the game sets once.
    let is_set = has(Cause::Teleport);
    for fix in fixes.iter_mut() {
        let mut part = Some(fix);
        while let Some(fix) = part {
            let value = fix
                .holds
                .filter(|_| !(is_set && fix.what == Quantity::Substeps));
            let own = value.and_then(|value| row.setting(fix.what, value, dt));
            fix.setting = fix.setting.take().or(own);
            part = fix.with.as_deref_mut();
        }
    }
    let crosses = event.kind.depends_on_phase() && can_help(pair, event, &has);
    let sweep = crosses.then(|| EngineSweep::of(replay, pair, event, has));
    let continuous = sweep.flatten().and_then(|it| it.fix(replay, pair, event));
    fixes.splice(0..0, continuous);
}

/// The body that continuous detection would sweep in an event.
pub struct EngineSweep {
    pub body: ObjectId,
    /// The other moving body, which is swept against as if it rested.
    at_rest: Option<ObjectId>,
    /// The other body needs the setting as well.
    and: Option<ObjectId>,
    follows_rotation: bool,
}

impl EngineSweep {
    /// `None` where it is on already, where the engine has none for this pair, and where the event does not begin with a clear approach that a
    /// sweep could follow.
    pub fn of(
        replay: &Replay,
        pair: &Pair<'_>,
        event: &PairEvent,
        has: impl Fn(Cause) -> bool,
    ) -> Option<Self> {
        let objects = [pair.mover.id, pair.obstacle.id].map(|id| &replay.objects()[id as usize]);
        let engine = replay.engine();
        let row = engines::preset(&engine);
        let moves = |motion: &Motion| motion.displacement() != DVec3::ZERO;
        let both_move = moves(&pair.mover.motion) && moves(&pair.obstacle.motion);
        let movements = objects.map(|object| &object.movement);
        let both = row.and_then(|row| row.both_move(movements));
        let needs_both = both_move && both == Some(BothMove::BothNeeded);
        let flags = objects.map(|object| object.ccd == Some(true) || !object.is_pushable());
        let flagged = objects.iter().any(|object| object.ccd == Some(true));
        let is_on = match needs_both {
            true => flags == [true; 2],
            false => flagged,
        } || replay.recording().is_none()
            && replay.scene().detection == Detection::Sweep;
        let rounded = event.kind == Kind::WrongSide && has(Cause::FarFromOrigin);
        // A body that is driven by position has no velocity to sweep.
        if is_on || rounded || has(Cause::Teleport) || event.start().is_some() {
            return None;
        }
        let coverage = row.and_then(Preset::coverage);
        let sensors = coverage.and_then(|coverage| coverage.sensors) == Some(true);
        if row.is_some() && (coverage.is_none() || pair.sensor && !sensors) {
            return None;
        }
        let follows_rotation = coverage.and_then(|coverage| coverage.rotation) == Some(true);
        let ends = [
            (pair.mover, objects[0], objects[1]),
            (pair.obstacle, objects[1], objects[0]),
        ];
        let is_swept = |(side, object, other): &(Side<'_>, &Object, &Object)| {
            let motion = &side.motion;
            let along = motion.displacement();
            let least = engines::threshold(&engine, &object.shape, &motion.start, along);
            let turns = follows_rotation && side.turn != DVec3::ZERO;
            let is_long = least.is_none_or(|least| along.length() >= least) && moves(motion);
            // A setting of the world sweeps the motion of the other as well.
            let of_world = both == Some(BothMove::OneIsEnough)
                && row.is_some_and(|row| {
                    matches!(row.switch(&other.movement), Some(Switch::World { .. }))
                });
            let known = row.is_none_or(|row| {
                object.is_pushable()
                    && row
                        .switch(&other.movement)
                        .is_some_and(|it| it.set().is_some())
            });
            (is_long || turns || of_world) && known && object.ccd != Some(true)
        };
        let (side, ..) = ends.into_iter().find(is_swept)?;
        let (body, other) = (side.id, pair.other_than(side.id));
        let alone = both_move && row.is_some_and(|row| !row.sweeps_relative(movements));
        let other_lacks = needs_both && !flags[usize::from(other == pair.obstacle.id)];
        Some(Self {
            body,
            at_rest: alone.then_some(other),
            and: Some(other).filter(|_| other_lacks),
            follows_rotation,
        })
    }

    /// The fix that switches it on, where the engine's setting is known and a sweep hits at every starting phase.
    pub fn fix(&self, replay: &Replay, pair: &Pair<'_>, event: &PairEvent) -> Option<Fix> {
        let row = engines::preset(&replay.engine())?;
        let object = |id: ObjectId| &replay.objects()[id as usize];
        let one = |body: ObjectId, other: ObjectId, with: Option<Box<Fix>>| {
            let switch = row.switch(&object(other).movement)?;
            let name = || object(body).name.clone();
            Some(Fix {
                what: Quantity::ContinuousDetection,
                holds: None,
                detects: None,
                with,
                setting: Some(switch.set()?.to_owned()),
                object: matches!(switch, Switch::Body { .. }).then(name),
            })
        };
        let other = pair.other_than(self.body);
        let hits = on_judged_triangle(pair, event, |pair| {
            Crossing::of(pair, event).is_some_and(|crossing| self.hits(&crossing))
        });
        let with = self.and.and_then(|and| one(and, self.body, None));
        one(self.body, other, with.map(Box::new)).filter(|_| hits)
    }

    /// Whether a sweep hits from each starting phase, with the rotation that the bodies have there. Without rotation the paths of all phases
    /// are parts of one straight line around the touch, so that one sweep decides for all.
    pub fn hits(&self, crossing: &Crossing<'_>) -> bool {
        let pair = &crossing.pair;
        let hits = |phase: f64| {
            let from = crossing.entry - phase;
            let part = pair.map(|side| {
                let motion = &side.motion;
                let start = Pose {
                    position: motion.start.position + motion.displacement() * from,
                    rotation: match side.turn == DVec3::ZERO {
                        true => motion.start.rotation,
                        false => DQuat::from_scaled_axis(side.turn * from) * motion.start.rotation,
                    },
                };
                let travel = match self.at_rest == Some(side.id) {
                    true => DVec3::ZERO,
                    false => motion.displacement(),
                };
                let position = start.position + travel;
                let end = Pose { position, ..start };
                side.on(Motion { start, end }, 1.0)
            });
            part.sweep().outcome.impact().is_some()
        };
        let turns = rotating_pair::turns(pair);
        match (self.at_rest, turns) {
            (None, false) => hits(crossing.entry),
            // The event is that of the sweep with rotation.
            (None, true) if self.follows_rotation => true,
            _ => {
                // Not from the touch itself, nor to it.
                let mut phases =
                    (0..PHASES).map(|number| (f64::from(number) + 0.5) / f64::from(PHASES));
                phases.all(hits)
            }
        }
    }
}
