//! `Detection::Sweep`: steps from impact to impact, so that nothing ever overlaps.
//!
//! Every object moves straight on its current segment. Pairs are swept over the rest of the frame; the earliest impact stops its
//! two objects a skin before contact, changes their velocities and starts new segments; only their pairs are swept again. Paths up
//! to an impact were swept free, so that stopping cannot cause another overlap. Rotating shapes are swept with their current
//! rotation; an overlap that the rotation makes is pushed apart when the next frame starts.

use super::mover::Mover;
use super::narrow::{candidates, reach, rounding, swept};
use super::near::{Near, boxes_overlap};
use super::overlap::end_state;
use super::pending_impact::PendingImpact;
use super::plan::PlannedMotion;
use super::push_out::{PushRule, Pushes, acts, phases, push_out};
use super::respond::{VelocityPair, restitution};
use super::{Stepped, rest_speed};
use crate::core::broad_phase::{Entry, candidate_pairs};
use crate::core::query::{Impact, SweepOutcome, contact, sweep};
use crate::core::replay::{ObjectId, Phase};
use crate::core::scene::{Response, Scene};
use crate::core::shape::{Aabb, Pose, Shape};
use crate::core::tolerance::{IMPACTS_BASE, IMPACTS_SHARE, NEAR_SHARE, SKIN_PATH, SWEEP_SKIN};
use glam::DVec3;
use std::collections::BinaryHeap;

/// Rounds that `Detection::Sweep` makes at a frame's start to take apart what overlaps already.
///
/// A tight rack of balls needs one round for each layer a push has to cross.
const DEPENETRATION_ROUNDS: u32 = 32;

/// One frame. `detail` adds segments and phases.
pub fn step(scene: &Scene, travels: &[PlannedMotion], detail: bool) -> Stepped {
    let mut travels = travels.to_vec();
    let pushes = if scene.response == Response::Ignore {
        Pushes::default()
    } else {
        depenetrate(scene, &mut travels)
    };
    let motion = |id: ObjectId| Some(travels[id as usize].motion);
    let mut sweeper = Sweeper::new(scene, &travels);
    let mut pairs = Vec::new();
    if scene.response != Response::Ignore || detail {
        pairs = candidates(&scene.objects, motion);
    }
    if scene.response != Response::Ignore {
        sweeper.may_touch(&travels, &pairs);
        sweeper.run(&travels, detail);
    }
    let mut stepped = sweeper.finish(&travels, detail);
    if detail {
        let swept = swept(&scene.objects, motion, &pairs);
        let mut all = vec![Phase::Start, Phase::Candidates { pairs }];
        all.extend(phases(&pushes, 0.0));
        all.push(swept);
        all.append(&mut stepped.phases);
        stepped.phases = all;
    }
    stepped
}

/// Separates overlaps at the frame's start; the motions of the pushed objects begin at their new poses.
fn depenetrate(scene: &Scene, travels: &mut [PlannedMotion]) -> Pushes {
    let mut poses: Vec<Pose> = travels.iter().map(|travel| travel.motion.start).collect();
    let rule = PushRule {
        rounds: DEPENETRATION_ROUNDS,
        slop: None,
    };
    let pushes = push_out(scene, travels, &mut poses, rule, |_, _, _, _| {});
    let moved = pushes.moved.iter().zip(travels).zip(&poses);
    for ((_, travel), pose) in moved.filter(|((moved, _), _)| **moved) {
        let displacement = travel.motion.displacement();
        travel.motion.start.position = pose.position;
        travel.motion.end.position = pose.position + displacement;
    }
    pushes
}

struct Sweeper<'s> {
    scene: &'s Scene,
    movers: Vec<Mover>,
    /// Boxes around all segments so far, with a margin.
    near: Near,
    events: BinaryHeap<PendingImpact>,
    phases: Vec<Phase>,
    gave_up: bool,
    /// Impacts so far.
    impacts: usize,
    /// Fraction of the latest impact.
    now: f64,
}

impl<'s> Sweeper<'s> {
    fn new(scene: &'s Scene, travels: &[PlannedMotion]) -> Self {
        let movers = travels.iter().zip(&scene.objects).map(|(travel, object)| {
            let reach = reach(object, travel.is_finite().then_some(&travel.motion));
            Mover::new(travel, reach)
        });
        let movers: Vec<Mover> = movers.collect();
        Self {
            scene,
            near: Near::new(movers.iter().map(with_margin).collect()),
            movers,
            events: BinaryHeap::new(),
            phases: Vec::new(),
            gave_up: false,
            impacts: 0,
            now: 0.0,
        }
    }

    /// Finds the neighbours, and sweeps the candidates.
    fn may_touch(&mut self, travels: &[PlannedMotion], pairs: &[(ObjectId, ObjectId)]) {
        let entries = self
            .near
            .boxes()
            .iter()
            .zip(travels)
            .map(|(fat, travel)| Entry {
                bounds: *fat,
                moves: travel.inverse_mass > 0.0,
            });
        let entries: Vec<Entry> = entries.collect();
        for (a, b) in candidate_pairs(&entries) {
            if acts(self.scene, travels, a, b) {
                self.movers[a as usize].near.push(b);
                self.movers[b as usize].near.push(a);
            }
        }
        for &(a, b) in pairs {
            if acts(self.scene, travels, a, b) {
                self.sweep_pair(a, b);
            }
        }
    }

    fn run(&mut self, travels: &[PlannedMotion], detail: bool) {
        while let Some(event) = self.events.pop() {
            let current = self.movers[event.a as usize].version == event.version_a
                && self.movers[event.b as usize].version == event.version_b;
            if current {
                self.collide(travels, &event, detail);
            }
        }
    }

    /// Sweeps a pair over the rest of the frame, and queues its impact.
    fn sweep_pair(&mut self, a: ObjectId, b: ObjectId) {
        let (a, b) = (a.min(b), a.max(b));
        let (one, other) = (&self.movers[a as usize], &self.movers[b as usize]);
        if !boxes_overlap(&one.reach, &other.reach) {
            return;
        }
        let from = one.from.max(other.from);
        let Some(impact) = self.first_impact(a, b, from) else {
            return;
        };
        let closing = (other.rate - one.rate).dot(impact.normal);
        let back = (self.skin(a, b) / closing).min(SKIN_PATH / (other.rate - one.rate).length());
        let fraction = from + impact.fraction * (1.0 - from);
        let stop = (fraction - back).max(from);
        if stop < 1.0 {
            self.events.push(PendingImpact {
                stop,
                a,
                b,
                version_a: one.version,
                version_b: other.version,
                impact: Impact { fraction, ..impact },
            });
        }
    }

    /// The first closing impact of a pair after `from`; its fraction is of the time left.
    ///
    /// A pair that touches or (by rounding) overlaps without closing is swept again from a skin further apart, so that
    /// the touch does not hide a later hit (another triangle of the same mesh).
    fn first_impact(&self, a: ObjectId, b: ObjectId, from: f64) -> Option<Impact> {
        let (one, other) = (&self.movers[a as usize], &self.movers[b as usize]);
        let (shape_a, shape_b) = (self.shape(a), self.shape(b));
        let mut motion_a = one.remaining(from);
        let motion_b = other.remaining(from);
        let rates = self.rates(a, b);
        for _ in 0..2 {
            let apart = match sweep(shape_a, &motion_a, shape_b, &motion_b, &mut ()).outcome {
                SweepOutcome::Hits(impact) if rates.closes(impact.normal) => return Some(impact),
                SweepOutcome::Hits(impact) => impact.normal * self.skin(a, b),
                SweepOutcome::Overlapping { .. } => {
                    let placed_a = shape_a.placed(&motion_a.start);
                    let placed_b = shape_b.placed(&motion_b.start);
                    let found = contact(&placed_a, &placed_b, &mut ())?;
                    if rates.closes(found.normal) {
                        return Some(Impact {
                            fraction: 0.0,
                            point: found.point,
                            normal: found.normal,
                            feature_a: found.feature_a,
                            feature_b: found.feature_b,
                            triangle: found.triangle,
                        });
                    }
                    found.normal * (found.depth + self.skin(a, b))
                }
                _ => return None,
            };
            motion_a.start.position += apart;
            motion_a.end.position += apart;
        }
        None
    }

    fn collide(&mut self, travels: &[PlannedMotion], event: &PendingImpact, detail: bool) {
        let stop = self.clear_stop(event);
        self.now = self.now.max(stop);
        if detail {
            self.phases.push(Phase::Advance {
                to: self.now,
                impact: Some((event.a, event.b, event.impact)),
            });
        }
        let (velocities, rates) = self.respond(event);
        let sides = [
            (event.a, velocities.a, rates.a, rates.inverse_a),
            (event.b, velocities.b, rates.b, rates.inverse_b),
        ];
        self.impacts += 1;
        let too_many = self.impacts > IMPACTS_BASE + IMPACTS_SHARE * self.movers.len();
        let gives_way = |side: &&(ObjectId, DVec3, DVec3, f64)| side.3 > 0.0;
        for &(object, velocity, rate, _) in sides.iter().filter(gives_way) {
            let mover = &mut self.movers[object as usize];
            if too_many {
                mover.halt();
            }
            mover.redirect(stop, velocity, rate);
            self.gave_up |= mover.is_spent();
        }
        for &(object, ..) in sides.iter().filter(gives_way) {
            self.widen(travels, object);
            for index in 0..self.movers[object as usize].near.len() {
                self.sweep_pair(object, self.movers[object as usize].near[index]);
            }
        }
    }

    /// The stop fraction of an impact, earlier where rounding would leave an overlap there.
    fn clear_stop(&self, event: &PendingImpact) -> f64 {
        let (one, other) = (
            &self.movers[event.a as usize],
            &self.movers[event.b as usize],
        );
        let from = one.from.max(other.from);
        let mut stop = event.stop;
        while stop > from {
            let placed_a = self.shape(event.a).placed(&one.segment_to(stop).motion.end);
            let placed_b = self
                .shape(event.b)
                .placed(&other.segment_to(stop).motion.end);
            let overlap = contact(&placed_a, &placed_b, &mut ()).is_some_and(|c| c.depth > 0.0);
            if !overlap {
                break;
            }
            let back = (event.impact.fraction - stop).max(f64::EPSILON) * 8.0;
            stop = (event.impact.fraction - back).max(from);
        }
        stop
    }

    /// The velocities and rates after an impact, and new supports.
    fn respond(&mut self, event: &PendingImpact) -> (VelocityPair, VelocityPair) {
        let normal = event.impact.normal;
        let response = self.scene.response;
        let mut rates = self.rates(event.a, event.b);
        let mut velocities = VelocityPair {
            a: self.movers[event.a as usize].velocity,
            b: self.movers[event.b as usize].velocity,
            ..rates
        };
        let bounce = restitution(response, velocities.closing(normal), rest_speed(self.scene));
        if bounce == 0.0 {
            let held_a = self.movers[event.a as usize].is_held(normal);
            let held_b = self.movers[event.b as usize].is_held(-normal);
            let inverse_a = if held_a { 0.0 } else { rates.inverse_a };
            let inverse_b = if held_b { 0.0 } else { rates.inverse_b };
            if inverse_a + inverse_b > 0.0 {
                (rates.inverse_a, rates.inverse_b) = (inverse_a, inverse_b);
                (velocities.inverse_a, velocities.inverse_b) = (inverse_a, inverse_b);
            }
        }
        match response {
            Response::Stop => {
                velocities.stop();
                rates.stop();
            }
            Response::Slide | Response::Bounce { .. } => velocities.separate(normal, bounce),
            Response::Ignore | Response::Push => {}
        }
        rates.separate(normal, bounce);
        if bounce == 0.0 && rates.inverse_b == 0.0 {
            self.movers[event.a as usize].rest_on(normal, rates.b);
        }
        if bounce == 0.0 && rates.inverse_a == 0.0 {
            self.movers[event.b as usize].rest_on(-normal, rates.a);
        }
        (velocities, rates)
    }

    /// Adds the neighbours of an object's new segment.
    fn widen(&mut self, travels: &[PlannedMotion], object: ObjectId) {
        let index = object as usize;
        let reach = reach(&self.scene.objects[index], Some(&self.movers[index].plan));
        self.movers[index].reach = reach;
        let grown = reach.and_then(|reach| self.near.grow(object, &reach));
        for id in grown.into_iter().flatten() {
            let other = id as usize;
            if acts(self.scene, travels, object, id) && !self.movers[index].near.contains(&id) {
                self.movers[index].near.push(id);
                self.movers[other].near.push(object);
            }
        }
    }

    fn finish(mut self, travels: &[PlannedMotion], detail: bool) -> Stepped {
        let poses: Vec<Pose> = self.movers.iter().map(|mover| mover.plan.end).collect();
        let velocities: Vec<DVec3> = self.movers.iter().map(|mover| mover.velocity).collect();
        let mut segments = Vec::new();
        if detail {
            self.phases.push(Phase::Advance {
                to: 1.0,
                impact: None,
            });
            segments = self.movers.into_iter().map(Mover::segments).collect();
        }
        Stepped {
            end: end_state(travels, &poses, &velocities),
            segments,
            phases: self.phases,
            gave_up: self.gave_up,
        }
    }

    fn shape(&self, object: ObjectId) -> &'s Shape {
        &self.scene.objects[object as usize].shape
    }

    fn rates(&self, a: ObjectId, b: ObjectId) -> VelocityPair {
        let (one, other) = (&self.movers[a as usize], &self.movers[b as usize]);
        VelocityPair {
            a: one.rate,
            b: other.rate,
            inverse_a: one.yielding(),
            inverse_b: other.yielding(),
        }
    }

    /// Separation that two objects keep, metres.
    fn skin(&self, a: ObjectId, b: ObjectId) -> f64 {
        let noise = |object: ObjectId| rounding(self.movers[object as usize].plan.start.position);
        SWEEP_SKIN + noise(a) + noise(b)
    }
}

/// The box of a mover's first segment; with a margin for impacts if it may be pushed.
fn with_margin(mover: &Mover) -> Option<Aabb> {
    let reach = mover.reach?;
    if mover.yielding() == 0.0 {
        return Some(reach);
    }
    let way = mover.rate.abs();
    let size = ((reach.max - reach.min) - way).max_element().max(0.0);
    Some(reach.grown(way.max_element().min(size) * 0.5 + size * NEAR_SHARE))
}
