//! Collects everything that is wrong, each with the way to it; places are looked up only when there is something to say.

use super::super::places::{Path, Places, Step};
use super::super::raw_value::Vec3;
use crate::core::problem::{Place, Problem, Problems};
use crate::core::tolerance::{MAX_MAGNITUDE, MAX_PROBLEMS, UNIT_QUATERNION};
use glam::{DQuat, DVec3};

pub(super) struct Check {
    found: Vec<Found>,
    /// Problems that bring their own file and place.
    elsewhere: Vec<Problem>,
}

struct Found {
    at: Vec<Step>,
    what: String,
    mend: String,
    /// Another place to name.
    first: Option<Vec<Step>>,
}

impl Check {
    pub(super) fn new() -> Self {
        Self {
            found: Vec::new(),
            elsewhere: Vec::new(),
        }
    }

    pub(super) fn problem(
        &mut self,
        at: &Path<'_>,
        what: impl Into<String>,
        mend: impl Into<String>,
    ) {
        self.add(at, None, what.into(), mend.into());
    }

    /// Are there as many problems as are listed? Then the help of another one is not worth its work.
    pub(super) fn is_full(&self) -> bool {
        self.found.len() > MAX_PROBLEMS
    }

    fn add(&mut self, at: &Path<'_>, first: Option<&Path<'_>>, what: String, mend: String) {
        // What would not be listed is not kept either: a mesh may have a million bad vertices.
        if !self.is_full() {
            self.found.push(Found {
                at: at.steps(),
                what,
                mend,
                first: first.map(Path::steps),
            });
        }
    }

    /// A problem that has to do with an earlier place too.
    pub(super) fn clash(
        &mut self,
        at: &Path<'_>,
        first: &Path<'_>,
        what: impl Into<String>,
        mend: impl Into<String>,
    ) {
        self.add(at, Some(first), what.into(), mend.into());
    }

    /// A problem in another file.
    pub(super) fn elsewhere(&mut self, problem: Problem) {
        self.elsewhere.push(problem);
    }

    /// A finite number that arithmetic can bear; `name` says what it is.
    pub(super) fn number(&mut self, at: &Path<'_>, value: f64, name: &str) -> bool {
        let what = if value.is_nan() {
            format!("{name} is not a number")
        } else if value.is_infinite() {
            format!("{name} is infinite")
        } else if value.abs() > MAX_MAGNITUDE {
            format!("{name} is too large: {value:e}")
        } else {
            return true;
        };
        self.problem(at, what, "write a finite number below 1e15");
        false
    }

    /// A finite number above zero.
    pub(super) fn positive(&mut self, at: &Path<'_>, value: f64, name: &str, mend: &str) -> bool {
        if !self.number(at, value, name) {
            return false;
        }
        if value <= 0.0 {
            self.problem(
                at,
                format!("{name} must be above zero, here it is {value}"),
                mend,
            );
        }
        value > 0.0
    }

    /// A finite number, zero or above.
    pub(super) fn not_negative(&mut self, at: &Path<'_>, value: f64, name: &str) {
        if self.number(at, value, name) && value < 0.0 {
            let what = format!("{name} must not be negative, here it is {value}");
            self.problem(at, what, "write zero or more");
        }
    }

    /// Three finite numbers.
    pub(super) fn vector(&mut self, at: &Path<'_>, value: Vec3, name: &str) -> DVec3 {
        for (axis, part) in value.0.into_iter().enumerate() {
            // `(x, y, z)` and `(x: .., y: .., z: ..)` have their parts in any order; the scanner finds a name or a place.
            let name = format!("{} of {name}", ["x", "y", "z"][axis]);
            if !self.number(&at.index(axis), part, &name) {
                return DVec3::ZERO;
            }
        }
        DVec3::from_array(value.0)
    }

    /// A unit quaternion; normalised for the person unless it already is one.
    pub(super) fn unit_quat(&mut self, at: &Path<'_>, parts: [f64; 4]) -> DQuat {
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
                "a quaternion of zeros is no rotation",
                "no rotation is Quat(0.0, 0.0, 0.0, 1.0), or leave it out",
            );
            return DQuat::IDENTITY;
        }
        // Scaled first, so that tiny parts do not vanish when squared.
        (written / largest).normalize()
    }

    /// A unit direction; normalised for the person unless it already is one.
    pub(super) fn unit_vector(&mut self, at: &Path<'_>, value: Vec3, name: &str) -> DVec3 {
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

    /// All problems in the order of the text, with those already known; `Ok` when there are none.
    pub(super) fn finish(
        self,
        mut problems: Vec<Problem>,
        text: &str,
        file: &str,
    ) -> Result<(), Problems> {
        if !self.found.is_empty() {
            let places = Places::new(text);
            for found in self.found {
                let Place { line, column } = places.of(&found.at);
                let mut what = found.what;
                if let Some(first) = found.first {
                    what = format!("{what} in line {}", places.of(&first).line);
                }
                problems.push(Problem::new(file, what, found.mend).at(line, column));
            }
        }
        problems.sort_by_key(|problem| problem.at);
        problems.extend(self.elsewhere);
        if problems.len() > MAX_PROBLEMS {
            problems.truncate(MAX_PROBLEMS);
            problems
                .push(Problem::new(file, "there are more problems", "mend these first").at(1, 1));
        }
        match problems.is_empty() {
            true => Ok(()),
            false => Err(Problems(problems)),
        }
    }
}
