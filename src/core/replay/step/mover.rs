//! One object on its way through a frame, from leg to leg.

use super::plan::PlannedMotion;
use crate::core::replay::{MotionSegment, MotionSegments, ObjectId};
use crate::core::shape::{Aabb, Motion, Pose};
use crate::core::tolerance::{IMPACTS_PER_OBJECT, ROUNDING_APPROACH, SUPPORT_COSINE};
use glam::DVec3;

/// Something that halted an object for good in this frame, and would again.
#[derive(Clone, Copy, Debug)]
struct Support {
    /// Unit, toward the object.
    normal: DVec3,
    /// How fast the support itself moves along the normal, metres per frame.
    rate: f64,
}

/// One object on its way through the frame.
#[derive(Debug)]
pub struct Mover {
    /// The current leg: from the fraction `from` to the frame's end, unhindered.
    pub plan: Motion,
    /// Fraction of the frame at which the current leg begins.
    pub from: f64,
    /// Metres per second.
    pub velocity: DVec3,
    /// Metres per frame; differs from the velocity where a response blocks the way but keeps the velocity.
    pub rate: DVec3,
    /// How often it has changed its motion.
    pub version: u32,
    /// The box of the current leg; `None` is unbounded.
    pub reach: Option<Aabb>,
    /// Objects it may meet.
    pub near: Vec<ObjectId>,
    inverse_mass: f64,
    halted: bool,
    supports: Vec<Support>,
    /// Legs that are over.
    done: MotionSegments,
}

impl Mover {
    /// At the frame's start.
    pub fn new(travel: &PlannedMotion, reach: Option<Aabb>) -> Self {
        Self {
            plan: travel.motion,
            from: 0.0,
            velocity: travel.velocity,
            rate: travel.motion.displacement(),
            version: 0,
            reach,
            near: Vec::new(),
            inverse_mass: travel.inverse_mass,
            halted: false,
            supports: Vec::new(),
            done: MotionSegments::new(),
        }
    }

    /// One over the mass, 0 once it cannot be moved any more.
    pub fn yielding(&self) -> f64 {
        if self.is_spent() {
            0.0
        } else {
            self.inverse_mass
        }
    }

    /// Has it had too many impacts, so that it stays where it is until the frame's end?
    pub fn is_spent(&self) -> bool {
        self.halted || self.version >= IMPACTS_PER_OBJECT
    }

    /// Its next impact is its last in this frame, however few it has had: the frame as a whole has had too many.
    pub fn halt(&mut self) {
        self.halted = true;
    }

    /// What is left of the current leg at a fraction of the frame inside it.
    pub fn remaining(&self, from: f64) -> Motion {
        self.segment_to(1.0).part(from, 1.0)
    }

    /// The current leg, cut off at a fraction inside it.
    pub fn segment_to(&self, to: f64) -> MotionSegment {
        let whole = MotionSegment {
            from: self.from,
            to: 1.0,
            motion: self.plan,
        };
        MotionSegment {
            from: self.from,
            to,
            motion: whole.part(self.from, to),
        }
    }

    /// Can it not give way along this direction (unit), because a support holds it there?
    pub fn is_held(&self, direction: DVec3) -> bool {
        self.supports.iter().any(|support| {
            let leaving = self.rate.dot(support.normal) - support.rate;
            direction.dot(support.normal) < -SUPPORT_COSINE
                && leaving <= ROUNDING_APPROACH * (self.rate.length() + support.rate.abs())
        })
    }

    /// Remembers that something it cannot move stopped it; `rate` is how fast that thing moves, metres per frame.
    pub fn rest_on(&mut self, normal: DVec3, rate: DVec3) {
        self.supports.push(Support {
            normal,
            rate: rate.dot(normal),
        });
    }

    /// Ends the current leg at a fraction of the frame and begins the next one; the last one it may have stands still.
    pub fn redirect(&mut self, stop: f64, velocity: DVec3, rate: DVec3) {
        let finished = self.segment_to(stop);
        let start = finished.motion.end;
        if stop > self.from {
            self.done.push(finished);
        }
        self.version += 1;
        self.from = stop;
        self.velocity = velocity;
        self.rate = rate;
        let mut rotation = self.plan.end.rotation;
        if self.is_spent() {
            self.rate = DVec3::ZERO;
            rotation = start.rotation;
        }
        self.plan = Motion {
            start,
            end: Pose {
                position: start.position + self.rate * (1.0 - stop),
                rotation,
            },
        };
    }

    /// Every leg of the frame.
    pub fn segments(self) -> MotionSegments {
        let last = self.segment_to(1.0);
        let mut segments = self.done;
        segments.push(last);
        segments
    }
}
