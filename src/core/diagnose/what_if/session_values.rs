//! Values of a what-if session and their results.

use crate::core::diagnose::facts::change::Parameter;
use crate::core::diagnose::facts::limits::Slab;
use crate::core::diagnose::facts::phase_sweep::Counts;
use crate::core::diagnose::judge::event::PhaseOutcome;
use crate::core::replay::ObjectId;
use crate::core::shape::{Pose, Shape};
use glam::DVec3;

/// Values of the parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Values {
    /// Seconds of a frame, > 0.
    pub dt: f64,
    /// Substeps of a frame, >= 1.
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
    /// The value of a parameter.
    pub fn get(&self, what: Parameter) -> f64 {
        match what {
            Parameter::Dt => self.dt,
            Parameter::Substeps => f64::from(self.substeps),
            Parameter::Speed => self.speed,
            Parameter::Radius => self.radius,
            Parameter::Thickness => self.thickness,
        }
    }

    /// The same with one value changed; substeps to the nearest whole number.
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

/// One object of the pair, with the values applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Ghost {
    /// The object.
    pub object: ObjectId,
    /// Its changed shape, local space.
    pub shape: Shape,
    /// Pose when the frame begins.
    pub start: Pose,
    /// Pose at the first touch.
    pub impact: Pose,
    /// Pose at the deciding test: the first at or past the touch.
    pub test: Pose,
    /// Pose when the frame ends, without a collision.
    pub end: Pose,
}

/// Metrics for the values, metres along the contact normal unless named otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    /// The mover as a ball, the obstacle as a slab.
    pub slab: Slab,
    /// Relative displacement of a whole frame.
    pub displacement: f64,
    /// The same from one test to the next.
    pub step: f64,
    /// Longest step that an overlap test always detects.
    pub limit_seen: f64,
    /// Longest step after which the push always moves the body back.
    pub limit_side: f64,
    /// Fraction of phases without detection.
    pub missed_share: f64,
    /// Fraction of all phases that are pushed out on the wrong side.
    pub wrong_share: f64,
    /// Values that detect at every phase, each by itself.
    pub to_detect: FixValues,
    /// Values that hold at every phase, each by itself.
    pub to_resolve: FixValues,
}

/// Sufficient values, each by itself; `None` where no value is.
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

/// Result for some values.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIfOutcome {
    /// The values.
    pub values: Values,
    /// Result at this phase.
    pub outcome: PhaseOutcome,
    /// Results at all phases.
    pub counts: Counts,
    /// The metrics.
    pub numbers: Numbers,
    /// The body that travels farther, and the other.
    pub ghosts: [Ghost; 2],
    /// The first touch, world, metres.
    pub point: DVec3,
    /// Unit, from the second toward the first.
    pub normal: DVec3,
}
