//! Checks the expectations of a scene.

mod finds;
mod judge;
mod make;
mod text;

pub use self::make::{expected_finding, expected_hit, expected_position, expected_push};
pub use self::text::text as expectation_text;

use self::finds::{finds, margin, no_findings};
use self::judge::{at, camera_push, first_touches, hit, position, push};
use self::text::{text, wanted};
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::report::content::{ExpectationResult, Verdict};
use crate::core::diagnose::report::margins::Margins;
use crate::core::replay::Replay;
use crate::core::scene::{Expectation, Expected};
use std::ops::RangeInclusive;

/// The first frame and fraction at which a pair touches.
type Touch = Option<(u32, f64)>;

/// The results in the scene's order; findings that an expectation matches are marked.
///
/// `margins` are the closest calls, measured where an expectation is about them. `part` is the range of diagnosed frames, if not all. Expectations about other frames are skipped and count as
/// passed; `Touches` and `NeverTouches` always use the whole level.
pub(in crate::core::diagnose) fn evaluate(
    replay: &Replay,
    part: Option<&RangeInclusive<u32>>,
    findings: &mut [Finding],
    margins: Option<&Margins>,
) -> Vec<ExpectationResult> {
    let expectations = &replay.scene().expect;
    let touches = first_touches(replay, expectations);
    let units = replay.units();
    expectations
        .iter()
        .zip(touches)
        .map(|(expected, touch)| {
            let (verdict, got) = verdict(replay, part, expected, touch, (findings, margins));
            ExpectationResult {
                text: text(expected, units),
                passed: verdict.passes(),
                verdict,
                wanted: wanted(&expected.expectation, units),
                got,
                expected_to_fail: expected.expected_to_fail.clone(),
                objects: names(&expected.expectation),
            }
        })
        .collect()
}

/// The names of objects in an expectation.
fn names(expectation: &Expectation) -> Vec<String> {
    match expectation {
        Expectation::Hit { a, b, .. }
        | Expectation::Touches { a, b }
        | Expectation::NeverTouches { a, b } => vec![a.clone(), b.clone()],
        Expectation::Finds { a, b, .. } => a.iter().chain(b).cloned().collect(),
        Expectation::Push {
            object, against, ..
        } => std::iter::once(object).chain(against).cloned().collect(),
        Expectation::Position { object, .. } => vec![object.clone()],
        Expectation::NoFindings { .. }
        | Expectation::Margin { .. }
        | Expectation::CameraPush { .. } => Vec::new(),
    }
}

fn verdict(
    replay: &Replay,
    part: Option<&RangeInclusive<u32>>,
    expected: &Expected,
    touch: Touch,
    found: (&mut [Finding], Option<&Margins>),
) -> (Verdict, String) {
    if let Some(got) = part.and_then(|part| skipped(&expected.expectation, part)) {
        return (Verdict::NotJudged, got);
    }
    let known = expected.expected_to_fail.is_some();
    let (holds, got) = judge(replay, &expected.expectation, known, touch, found);
    match (part, &expected.expectation) {
        // The finding may be in another frame.
        (Some(part), Expectation::Finds { frame: None, .. }) if !holds => (
            Verdict::NotJudged,
            format!("not judged: {got} in {}", only(part)),
        ),
        // There may be one in another frame.
        (Some(part), Expectation::NoFindings { .. } | Expectation::Margin { .. }) if holds => {
            let verdict = if known {
                Verdict::NotJudged
            } else {
                Verdict::Held
            };
            (verdict, format!("{got} in {}", only(part)))
        }
        _ => (Verdict::of(holds, known), got),
    }
}

/// Whether an expectation of a level needs the closest calls.
pub(in crate::core::diagnose) fn needs_margins(replay: &Replay) -> bool {
    let expected = replay.scene().expect.iter();
    let mut expected = expected.map(|one| &one.expectation);
    expected.any(|one| matches!(one, Expectation::Margin { .. }))
}

/// Whether the expectation holds, and what was found instead.
fn judge(
    replay: &Replay,
    expectation: &Expectation,
    known: bool,
    touch: Touch,
    (findings, margins): (&mut [Finding], Option<&Margins>),
) -> (bool, String) {
    match expectation {
        Expectation::Hit {
            a,
            b,
            frame,
            fraction,
            tolerance,
        } => hit(replay, (a, b), *frame, *fraction, *tolerance),
        Expectation::Finds { .. } => finds(replay, expectation, findings),
        Expectation::NoFindings { kind } => no_findings(kind.as_deref(), known, findings),
        Expectation::Margin { below } => margin(*below, findings, margins, replay.units()),
        Expectation::Position {
            object,
            frame,
            is,
            tolerance,
        } => position(replay, object, *frame, *is, *tolerance),
        Expectation::Push {
            object,
            against,
            frame,
            is,
            tolerance,
        } => {
            let pair = (object.as_str(), against.as_deref());
            push(replay, pair, *frame, *is, *tolerance)
        }
        Expectation::CameraPush {
            frame,
            is,
            tolerance,
        } => camera_push(replay, *frame, *is, *tolerance),
        Expectation::Touches { .. } => match touch {
            Some((frame, fraction)) => (true, format!("they touch in {}", at(frame, fraction))),
            None => (false, "they never touch".to_owned()),
        },
        Expectation::NeverTouches { .. } => match touch {
            Some((frame, fraction)) => (false, format!("they touch in {}", at(frame, fraction))),
            None => (true, "they never touch".to_owned()),
        },
    }
}

/// Why an expectation of a single frame is not judged when only some frames are examined.
fn skipped(expectation: &Expectation, part: &RangeInclusive<u32>) -> Option<String> {
    let (frame, end) = match expectation {
        Expectation::Hit { frame, .. }
        | Expectation::Push { frame, .. }
        | Expectation::CameraPush { frame, .. }
        | Expectation::Finds {
            frame: Some(frame), ..
        } => (*frame, *part.end()),
        // A state: there is one after the last frame too.
        Expectation::Position { frame, .. } => (*frame, part.end().saturating_add(1)),
        Expectation::Finds { frame: None, .. }
        | Expectation::NoFindings { .. }
        | Expectation::Margin { .. }
        | Expectation::Touches { .. }
        | Expectation::NeverTouches { .. } => return None,
    };
    let inside = (*part.start()..=end).contains(&frame);
    (!inside).then(|| format!("skipped: frame {frame} is not in {}", only(part)))
}

/// "frames 3 to 7, the only ones examined".
fn only(part: &RangeInclusive<u32>) -> String {
    if part.is_empty() {
        return "no frame".to_owned();
    }
    format!(
        "frames {} to {}, the diagnosed range",
        part.start(),
        part.end()
    )
}
