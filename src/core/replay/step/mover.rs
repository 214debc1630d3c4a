//! State of one object during a sweeping step.

use super::plan::PlannedMotion;
use crate::core::replay::{MotionSegment, MotionSegments, ObjectId};
use crate::core::shape::{Aabb, Motion, Pose};
use crate::core::tolerance::ROUNDING_APPROACH;
use glam::DVec3;

/// Cosine above which an impact counts as being straight against a support: then the support's stiffness is passed on.
const SUPPORT_COSINE: f64 = 0.999;

/// Impacts of one object in one frame after which the sweeping stepper halts it until the frame's end.
///
/// A ball that rattles between two walls of a wedge has infinitely many; a rack of fifteen balls has about ten each.
const IMPACTS_PER_OBJECT: u32 = 64;

/// A support: an immovable obstacle that stopped an object in this frame.
#[derive(Clone, Copy, Debug)]
struct Support {
    /// Unit, toward the object.
    normal: DVec3,
    /// Velocity of the support along the normal, metres per frame.
    rate: f64,
}

/// One object during a sweeping step.
#[derive(Debug)]
pub struct Mover {
    /// The current segment: free motion from the fraction `from` to the frame's end.
    pub plan: Motion,
    /// Fraction of the frame at which the current segment begins.
    pub from: f64,
    /// Metres per second.
    pub velocity: DVec3,
    /// Metres per frame; differs from the velocity where a response blocks the motion but keeps the velocity.
    pub rate: DVec3,
    /// Number of motion changes.
    pub version: u32,
    /// The box of the current segment; `None` is unbounded.
    pub reach: Option<Aabb>,
    /// Neighbours that it may hit.
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

    /// Whether it had too many impacts and stays until the frame's end.
    pub fn is_spent(&self) -> bool {
        self.halted || self.version >= IMPACTS_PER_OBJECT
    }

    /// Makes its next impact the last of the frame, as the frame has too many.
    pub fn halt(&mut self) {
        self.halted = true;
    }

    /// The rest of the current segment after a fraction of the frame.
    pub fn remaining(&self, from: f64) -> Motion {
        self.segment_to(1.0).part(from, 1.0)
    }

    /// The current segment, cut off at a fraction inside it.
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

    /// Whether a support blocks it along this direction (unit).
    pub fn is_held(&self, direction: DVec3) -> bool {
        self.supports.iter().any(|support| {
            let leaving = self.rate.dot(support.normal) - support.rate;
            direction.dot(support.normal) < -SUPPORT_COSINE
                && leaving <= ROUNDING_APPROACH * (self.rate.length() + support.rate.abs())
        })
    }

    /// Adds a support; `rate` is its velocity along the normal, metres per frame.
    pub fn rest_on(&mut self, normal: DVec3, rate: DVec3) {
        self.supports.push(Support {
            normal,
            rate: rate.dot(normal),
        });
    }

    /// Ends the current segment at a fraction of the frame and begins the next one; after the last allowed one it stays.
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

    /// All segments of the frame.
    pub fn segments(self) -> MotionSegments {
        let last = self.segment_to(1.0);
        let mut segments = self.done;
        segments.push(last);
        segments
    }
}
