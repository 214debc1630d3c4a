//! Collector of validation faults, each with the path to its value.

use super::units::Units;
use super::vector::{Spin, Vec3};
use crate::core::problem::Problem;
use crate::core::tolerance::{MAX_PROBLEMS, UNIT_QUATERNION};
use glam::{DQuat, DVec3};

/// One step from a value to one inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Field(&'static str),
    Index(usize),
}

/// The path to a value, from the scene inward; built on the stack during validation.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    inner: Option<(&'p Path<'p>, Step)>,
}

impl<'p> Path<'p> {
    pub const ROOT: Self = Self { inner: None };

    pub fn field(&'p self, name: &'static str) -> Self {
        Self {
            inner: Some((self, Step::Field(name))),
        }
    }

    pub fn index(&'p self, index: usize) -> Self {
        Self {
            inner: Some((self, Step::Index(index))),
        }
    }

    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut path = self;
        while let Some((outer, step)) = path.inner {
            steps.push(step);
            path = outer;
        }
        steps.reverse();
        steps
    }
}

pub struct Check {
    /// The largest accepted number.
    largest: f64,
    /// Of the level: points have two numbers or three.
    pub units: Units,
    pub found: Vec<Fault>,
    /// Problems with their own file and position.
    pub elsewhere: Vec<Problem>,
}

/// A fault of a value.
pub struct Fault {
    /// The path to the value.
    pub at: Vec<Step>,
    pub what: String,
    pub help: String,
    /// A second position to name.
    pub first: Option<Vec<Step>>,
}

impl Check {
    pub fn new(largest: f64) -> Self {
        Self {
            largest,
            units: Units::default(),
            found: Vec::new(),
            elsewhere: Vec::new(),
        }
    }

    /// Number of problems.
    pub fn len(&self) -> usize {
        self.found.len() + self.elsewhere.len()
    }

    pub fn problem(&mut self, at: &Path<'_>, what: impl Into<String>, help: impl Into<String>) {
        self.add(at, None, what.into(), help.into());
    }

    /// Whether the limit of listed problems is reached, so that help for more is not needed.
    pub fn is_full(&self) -> bool {
        self.found.len() > MAX_PROBLEMS
    }

    fn add(&mut self, at: &Path<'_>, first: Option<&Path<'_>>, what: String, help: String) {
        // Not kept beyond the limit: a mesh may have a million bad vertices.
        if !self.is_full() {
            self.found.push(Fault {
                at: at.steps(),
                what,
                help,
                first: first.map(Path::steps),
            });
        }
    }

    /// A problem that refers to an earlier position too.
    pub fn clash(
        &mut self,
        at: &Path<'_>,
        first: &Path<'_>,
        what: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.add(at, Some(first), what.into(), help.into());
    }

    /// A problem in another file.
    pub fn elsewhere(&mut self, problem: Problem) {
        self.elsewhere.push(problem);
    }

    /// A finite number within the limit; `name` describes it.
    pub fn number(&mut self, at: &Path<'_>, value: f64, name: &str) -> bool {
        let what = if value.is_nan() {
            format!("{name} is not a number")
        } else if value.is_infinite() {
            format!("{name} is infinite")
        } else if value.abs() > self.largest {
            format!("{name} is too large: {value:e}")
        } else {
            return true;
        };
        self.problem(at, what, "write a finite number below 1e15");
        false
    }

    /// A finite number above zero.
    pub fn positive(&mut self, at: &Path<'_>, value: f64, name: &str, help: &str) -> bool {
        if !self.number(at, value, name) {
            return false;
        }
        if value <= 0.0 {
            self.problem(
                at,
                format!("{name} must be above zero, here it is {value}"),
                help,
            );
        }
        value > 0.0
    }

    /// A finite number, zero or above.
    pub fn not_negative(&mut self, at: &Path<'_>, value: f64, name: &str) {
        if self.number(at, value, name) && value < 0.0 {
            let what = format!("{name} must not be negative, here it is {value}");
            self.problem(at, what, "write zero or more");
        }
    }

    /// Three finite numbers, or two in a flat level.
    pub fn vector(&mut self, at: &Path<'_>, value: Vec3, name: &str) -> DVec3 {
        if let Err(what) = value.in_dimensions(self.units.flat) {
            let what = format!("{name}: {what}");
            self.problem(at, what, "");
            return DVec3::ZERO;
        }
        self.spatial(at, value.parts, name)
    }

    /// The numbers of an angular velocity.
    pub fn spin(&mut self, at: &Path<'_>, value: Spin, name: &str) -> DVec3 {
        match value.in_dimensions(self.units.flat) {
            Ok(vector) => self.spatial(at, vector.parts, name),
            Err(what) => {
                self.problem(at, format!("{name}: {what}"), "");
                DVec3::ZERO
            }
        }
    }

    /// A scale along the axes, of which a flat level has two.
    pub fn scale(&mut self, at: &Path<'_>, value: Vec3, name: &str) -> DVec3 {
        self.spatial(at, value.scale(), name)
    }

    /// Three finite numbers.
    fn spatial(&mut self, at: &Path<'_>, parts: [f64; 3], name: &str) -> DVec3 {
        for (axis, part) in parts.into_iter().enumerate() {
            // `(x, y, z)` and `(x: .., y: .., z: ..)`: found by name or index.
            let name = format!("{} of {name}", ["x", "y", "z"][axis]);
            if !self.number(&at.index(axis), part, &name) {
                return DVec3::ZERO;
            }
        }
        DVec3::from_array(parts)
    }

    /// A unit quaternion; normalised for the user unless it already is one.
    pub fn unit_quat(&mut self, at: &Path<'_>, parts: [f64; 4]) -> DQuat {
        for (index, part) in parts.into_iter().enumerate() {
            if !self.number(&at.index(index), part, "a part of the quaternion") {
                return DQuat::IDENTITY;
            }
        }
        let written = DQuat::from_array(parts);
        if (written.length_squared() - 1.0).abs() <= UNIT_QUATERNION {
            return written;
        }
        let largest = parts
            .into_iter()
            .fold(0.0, |m: f64, part| m.max(part.abs()));
        if largest == 0.0 {
            self.problem(
                at,
                "a zero quaternion is not a rotation",
                "no rotation is Quat(0.0, 0.0, 0.0, 1.0), or leave it out",
            );
            return DQuat::IDENTITY;
        }
        // Scaled first, so that tiny components do not underflow.
        (written / largest).normalize()
    }

    /// A unit direction; normalised for the user unless it already is one.
    pub fn unit_vector(&mut self, at: &Path<'_>, value: Vec3, name: &str) -> DVec3 {
        let before = self.found.len();
        let written = self.vector(at, value, name);
        if (written.length_squared() - 1.0).abs() <= UNIT_QUATERNION {
            return written;
        }
        let unit = (written / written.abs().max_element()).try_normalize();
        if unit.is_none() && self.found.len() == before {
            self.problem(
                at,
                format!("{name} is zero"),
                "write a direction, as in (0, 1, 0)",
            );
        }
        unit.unwrap_or(DVec3::Y)
    }
}
