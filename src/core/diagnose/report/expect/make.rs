//! Expectations made from what happened in a level.

use crate::core::diagnose::finding::Finding;
use crate::core::scene::Expectation;
use crate::core::tolerance::{EXPECT_FRACTION, EXPECT_LENGTH};
use glam::DVec3;

/// Expects this finding: its kind, headline cause, objects and first frame.
pub fn expected_finding(finding: &Finding) -> Expectation {
    let name = |name: &String| (!name.is_empty()).then(|| name.clone());
    Expectation::Finds {
        kind: finding.kind.name().to_owned(),
        cause: Some(finding.cause.id().to_owned()),
        a: name(&finding.a),
        b: name(&finding.b),
        frame: Some(finding.frame),
    }
}

/// Expects a hit at this fraction of a frame, in [0, 1).
pub fn expected_hit(a: &str, b: &str, frame: u32, fraction: f64) -> Expectation {
    Expectation::Hit {
        a: a.to_owned(),
        b: b.to_owned(),
        frame,
        fraction,
        tolerance: EXPECT_FRACTION,
    }
}

/// Expects an object's position (metres, world) when a frame begins.
pub fn expected_position(object: &str, frame: u32, is: DVec3) -> Expectation {
    Expectation::Position {
        object: object.to_owned(),
        frame,
        is,
        tolerance: EXPECT_LENGTH,
    }
}

/// Expects an object's summed push (metres, world) in a frame.
pub fn expected_push(object: &str, frame: u32, is: DVec3) -> Expectation {
    Expectation::Push {
        object: object.to_owned(),
        against: None,
        frame,
        is,
        tolerance: EXPECT_LENGTH,
    }
}
