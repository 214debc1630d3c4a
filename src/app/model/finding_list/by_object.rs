//! The listed findings of each object.

use crate::core::diagnose::{Cause, Finding};
use crate::core::replay::ObjectId;
use std::collections::HashMap;

/// The listed findings of each object.
#[derive(Debug, Default, PartialEq)]
pub struct FindingsByObject(HashMap<ObjectId, ObjectFindings>);

/// The findings of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectFindings {
    /// How many.
    pub count: usize,
    /// The cause of the worst.
    pub cause: Cause,
}

impl FindingsByObject {
    /// Of findings, the worst first.
    pub fn of<'f>(findings: impl Iterator<Item = &'f Finding>) -> Self {
        let mut by_object: HashMap<ObjectId, ObjectFindings> = HashMap::new();
        for finding in findings {
            for id in [finding.object_a, finding.object_b].into_iter().flatten() {
                let first = ObjectFindings {
                    count: 0,
                    cause: finding.cause,
                };
                by_object.entry(id).or_insert(first).count += 1;
            }
        }
        Self(by_object)
    }

    /// Those of an object; `None` without one.
    pub fn get(&self, id: ObjectId) -> Option<ObjectFindings> {
        self.0.get(&id).copied()
    }

    /// The most of an object.
    pub fn most(&self) -> usize {
        let counts = self.0.values().map(|of_object| of_object.count);
        counts.max().unwrap_or(0)
    }
}
