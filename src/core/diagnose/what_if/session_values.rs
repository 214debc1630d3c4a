//! What is tried of a finding, and what comes of it: plain values.

use super::super::limits::Slab;
use super::super::phase_sweep::{Counts, PhaseOutcome};
use super::Parameter;
use crate::core::replay::ObjectId;
use crate::core::shape::{Pose, Shape};
use glam::DVec3;

/// The numbers that are changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Values {
    /// Seconds of a frame, > 0.
    pub dt: f64,
    /// Steps that a frame is cut in, >= 1.
    pub substeps: u32,
    /// Relative speed of the two, metres per second, > 0.
    pub speed: f64,
    /// As [`Parameter::Radius`] measures it, metres.
    pub radius: f64,
    /// As [`Parameter::Thickness`] measures it, metres; infinite for a half space, 0 for a surface.
    pub thickness: f64,
    /// Fraction of the frame at which they first touch, in [0, 1).
    pub phase: f64,
}

impl Values {
    /// One of them by its name.
    pub fn get(&self, what: Parameter) -> f64 {
        match what {
            Parameter::Dt => self.dt,
            Parameter::Substeps => f64::from(self.substeps),
            Parameter::Speed => self.speed,
            Parameter::Radius => self.radius,
            Parameter::Thickness => self.thickness,
        }
    }

    /// The same with one changed; substeps to the nearest whole number.
    #[must_use]
    pub fn with(mut self, what: Parameter, value: f64) -> Self {
        match what {
            Parameter::Dt => self.dt = value,
            // Saturates, and NaN is 0: `WhatIfSession::checked` sees to both.
            Parameter::Substeps => self.substeps = value.round() as u32,
            Parameter::Speed => self.speed = value,
            Parameter::Radius => self.radius = value,
            Parameter::Thickness => self.thickness = value,
        }
        self
    }
}

/// One of the two, as it would stand with the numbers changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Ghost {
    /// Whose.
    pub object: ObjectId,
    /// Its changed shape, local space.
    pub shape: Shape,
    /// Where the frame begins.
    pub start: Pose,
    /// Where they first touch.
    pub impact: Pose,
    /// Where the test stands that decides: the first at or past the touch.
    pub test: Pose,
    /// Where the frame ends, without a collision.
    pub end: Pose,
}

/// The numbers at the changed values, metres along the contact normal unless named otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    /// The body against the solid.
    pub slab: Slab,
    /// Relative displacement of a whole frame.
    pub displacement: f64,
    /// The same from one test to the next.
    pub step: f64,
    /// Longest step that an overlap test is sure to see.
    pub limit_seen: f64,
    /// Longest step after which the push is sure to lead back.
    pub limit_side: f64,
    /// Share of all phases that are missed.
    pub missed_share: f64,
    /// Share of all phases that are pushed out on the wrong side.
    pub wrong_share: f64,
    /// What it takes to be seen at every phase, everything else as it is.
    pub to_detect: FixValues,
    /// What it takes to be pushed back at every phase.
    pub to_resolve: FixValues,
}

/// What is enough, each by itself; `None` where no number is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixValues {
    /// Substeps of the frame.
    pub substeps: Option<f64>,
    /// Greatest relative speed, metres per second.
    pub speed: Option<f64>,
    /// Longest frame, seconds.
    pub dt: Option<f64>,
    /// Least thickness, metres.
    pub thickness: Option<f64>,
}

/// What becomes of the event at some values.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIfOutcome {
    /// The values.
    pub values: Values,
    /// What the test says at this phase.
    pub outcome: PhaseOutcome,
    /// What it says at every phase.
    pub counts: Counts,
    /// The limits and what follows from them.
    pub numbers: Numbers,
    /// The body that travels farther, and the other.
    pub ghosts: [Ghost; 2],
    /// Where they first touch, world, metres.
    pub point: DVec3,
    /// Unit, from the second toward the first.
    pub normal: DVec3,
}
