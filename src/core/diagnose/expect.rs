//! A scene's expectations, held against what happened.

use super::finding::{ExpectationResult, Finding, Kind};
use super::words::{metres, number};
use crate::core::query::{self, SweepOutcome};
use crate::core::replay::{Frame, ObjectId, Phase, Replay};
use crate::core::scene::Expectation;
use glam::DVec3;

/// The answers, in the scene's order; findings that an expectation asks for are marked.
///
/// Touching is asked of every frame of the level, whichever frames the findings come from.
pub(super) fn evaluate(replay: &Replay, findings: &mut [Finding]) -> Vec<ExpectationResult> {
    let expectations = &replay.scene().expect;
    let touches = first_touches(replay, expectations);
    expectations
        .iter()
        .zip(touches)
        .map(|(expectation, touch)| {
            let (passed, got) = match expectation {
                Expectation::Hit {
                    a,
                    b,
                    frame,
                    fraction,
                    tolerance,
                } => hit(replay, (a, b), *frame, *fraction, *tolerance),
                Expectation::Finds { .. } => finds(expectation, findings),
                Expectation::NoFindings { kind } => no_findings(kind.as_deref(), findings),
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
                } => push(
                    replay,
                    (object, against.as_deref()),
                    *frame,
                    *is,
                    *tolerance,
                ),
                Expectation::CameraPush {
                    frame,
                    is,
                    tolerance,
                } => camera_push(replay, *frame, *is, *tolerance),
                Expectation::Touches { .. } => match touch {
                    Some((frame, fraction)) => (true, at(frame, fraction)),
                    None => (false, "they never touch".to_owned()),
                },
                Expectation::NeverTouches { .. } => match touch {
                    Some((frame, fraction)) => {
                        (false, format!("they touch in {}", at(frame, fraction)))
                    }
                    None => (true, "they never touch".to_owned()),
                },
            };
            ExpectationResult {
                text: text(expectation),
                passed,
                got,
            }
        })
        .collect()
}

fn at(frame: u32, fraction: f64) -> String {
    format!("frame {frame}, fraction {}", number(fraction))
}

fn vector(v: DVec3) -> String {
    format!("({}, {}, {})", v.x, v.y, v.z)
}

fn pair_of(replay: &Replay, a: &str, b: &str) -> Result<(ObjectId, ObjectId), String> {
    let find = |name: &str| {
        replay
            .object_named(name)
            .ok_or(format!("there is no object {name:?}"))
    };
    Ok((find(a)?, find(b)?))
}

/// Every time of impact of a pair in a frame, as fractions of the frame: by sweeping its legs, and from the stepper's phases,
/// whose legs end where it stopped them.
fn impacts(replay: &Replay, frame: &Frame, (a, b): (ObjectId, ObjectId)) -> Vec<f64> {
    let objects = replay.objects();
    let (shape_a, shape_b) = (&objects[a as usize].shape, &objects[b as usize].shape);
    let mut fractions = Vec::new();
    for (from, to, motion_a, motion_b) in frame.legs_together(a, b) {
        let sweep = query::sweep(shape_a, &motion_a, shape_b, &motion_b, &mut ());
        fractions.extend(
            sweep
                .outcome
                .impact()
                .map(|hit| from + hit.fraction * (to - from)),
        );
    }
    let ours = |i: &ObjectId, j: &ObjectId| (*i, *j) == (a, b) || (*i, *j) == (b, a);
    // The first sweep of a frame is of unhindered motion: what it meets behind the first impact is never touched.
    fractions.extend(frame.phases.iter().filter_map(|phase| match phase {
        Phase::Advance {
            impact: Some((i, j, impact)),
            ..
        } if ours(i, j) => Some(impact.fraction),
        _ => None,
    }));
    fractions.sort_by(f64::total_cmp);
    fractions
}

fn hit(
    replay: &Replay,
    (a, b): (&str, &str),
    number: u32,
    fraction: f64,
    tolerance: f64,
) -> (bool, String) {
    let pair = match pair_of(replay, a, b) {
        Ok(pair) => pair,
        Err(why) => return (false, why),
    };
    if number >= replay.frames() {
        return (
            false,
            format!(
                "the level ends with frame {}",
                replay.frames().saturating_sub(1)
            ),
        );
    }
    let frame = replay.frame(number);
    let found = impacts(replay, &frame, pair);
    let off = |found: &f64| (found - fraction).abs();
    match found.iter().min_by(|x, y| off(x).total_cmp(&off(y))) {
        Some(nearest) => (off(nearest) <= tolerance, format!("fraction {nearest}")),
        None => (
            false,
            format!(
                "no hit in frame {number}: {}",
                outcome(replay, &frame, pair)
            ),
        ),
    }
}

/// The last leg's outcome, in words.
fn outcome(replay: &Replay, frame: &Frame, (a, b): (ObjectId, ObjectId)) -> String {
    let objects = replay.objects();
    let Some((_, _, motion_a, motion_b)) = frame.legs_together(a, b).pop() else {
        return "not both are present".to_owned();
    };
    let (shape_a, shape_b) = (&objects[a as usize].shape, &objects[b as usize].shape);
    match query::sweep(shape_a, &motion_a, shape_b, &motion_b, &mut ()).outcome {
        SweepOutcome::Misses { by, .. } => format!("misses by {}", metres(by)),
        SweepOutcome::Overlapping { depth } => format!("overlapping by {} already", metres(depth)),
        other => other.name().to_lowercase(),
    }
}

fn finds(expectation: &Expectation, findings: &mut [Finding]) -> (bool, String) {
    let mut matched: Option<String> = None;
    let mut count = 0;
    for finding in findings
        .iter_mut()
        .filter(|finding| is_asked_for(expectation, finding))
    {
        finding.expected = true;
        count += 1;
        matched.get_or_insert_with(|| brief(finding));
    }
    match matched {
        Some(first) if count > 1 => (true, format!("{first}, and {} more", count - 1)),
        Some(first) => (true, first),
        None => {
            let nearest = findings
                .iter()
                .max_by_key(|finding| likeness(expectation, finding));
            (
                false,
                nearest.map_or("no findings".to_owned(), |near| {
                    format!("nearest is {}", brief(near))
                }),
            )
        }
    }
}

/// The parts of a `Finds` that agree with a finding: kind, cause (any that holds), objects in either order, frame.
fn agreements(expectation: &Expectation, finding: &Finding) -> [bool; 4] {
    let Expectation::Finds {
        kind,
        cause,
        a,
        b,
        frame,
    } = expectation
    else {
        return [false; 4];
    };
    let has_cause =
        |id: &str| finding.cause.id() == id || finding.also.iter().any(|also| also.id() == id);
    let is =
        |wanted: &Option<String>, name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    [
        finding.kind.name() == kind,
        cause.as_deref().is_none_or(has_cause),
        (is(a, &finding.a) && is(b, &finding.b)) || (is(a, &finding.b) && is(b, &finding.a)),
        frame.is_none_or(|frame| (finding.frame..=finding.last_frame).contains(&frame)),
    ]
}

fn is_asked_for(expectation: &Expectation, finding: &Finding) -> bool {
    agreements(expectation, finding)
        .into_iter()
        .all(|agrees| agrees)
}

/// Earlier findings win ties, so that the answer is stable.
fn likeness(expectation: &Expectation, finding: &Finding) -> (usize, std::cmp::Reverse<u32>) {
    let agrees = agreements(expectation, finding)
        .into_iter()
        .filter(|agrees| *agrees)
        .count();
    (agrees, std::cmp::Reverse(finding.frame))
}

fn brief(finding: &Finding) -> String {
    let causes: Vec<String> = std::iter::once(&finding.cause)
        .chain(&finding.also)
        .map(|cause| cause.id())
        .collect();
    let other = if finding.b.is_empty() {
        String::new()
    } else {
        format!(" and {}", finding.b)
    };
    format!(
        "{} ({}) of {}{other} in {}",
        finding.kind.name(),
        causes.join(", "),
        finding.a,
        at(finding.frame, finding.fraction)
    )
}

fn no_findings(kind: Option<&str>, findings: &[Finding]) -> (bool, String) {
    let wanted = kind.and_then(Kind::from_name);
    let mut found = findings
        .iter()
        .filter(|finding| kind.is_none() || Some(finding.kind) == wanted);
    match found.next() {
        None => (true, "none".to_owned()),
        Some(first) => {
            let more = found.count();
            let rest = if more > 0 {
                format!(", and {more} more")
            } else {
                String::new()
            };
            (false, format!("{}{rest}", brief(first)))
        }
    }
}

fn position(
    replay: &Replay,
    object: &str,
    frame: u32,
    is: DVec3,
    tolerance: f64,
) -> (bool, String) {
    let Some(id) = replay.object_named(object) else {
        return (false, format!("there is no object {object:?}"));
    };
    if frame > replay.frames() {
        return (
            false,
            format!("the level ends with state {}", replay.frames()),
        );
    }
    match replay
        .state(frame)
        .bodies
        .get(id as usize)
        .copied()
        .flatten()
    {
        Some(body) => {
            let at = body.pose.position;
            (at.distance(is) <= tolerance, vector(at))
        }
        None => (false, format!("{object} is not present at frame {frame}")),
    }
}

fn push(
    replay: &Replay,
    (object, against): (&str, Option<&str>),
    frame: u32,
    is: DVec3,
    tolerance: f64,
) -> (bool, String) {
    let (id, other) = match pair_of(replay, object, against.unwrap_or(object)) {
        Ok(pair) => pair,
        Err(why) => return (false, why),
    };
    let mut sum = DVec3::ZERO;
    for phase in &replay.frame(frame).phases {
        if let Phase::Push {
            object,
            against: by,
            push,
            ..
        } = phase
            && *object == id
            && (against.is_none() || *by == Some(other))
        {
            sum += *push;
        }
    }
    (
        frame < replay.frames() && sum.distance(is) <= tolerance,
        vector(sum),
    )
}

fn camera_push(replay: &Replay, frame: u32, is: DVec3, tolerance: f64) -> (bool, String) {
    let mut sum = DVec3::ZERO;
    for phase in &replay.frame(frame).phases {
        if let Phase::CameraPush { answer } = phase {
            sum += answer.push;
        }
    }
    (
        frame < replay.frames() && sum.distance(is) <= tolerance,
        vector(sum),
    )
}

/// For each `Touches` and `NeverTouches`: the first frame and fraction at which the pair touches. One walk over the frames.
fn first_touches(replay: &Replay, expectations: &[Expectation]) -> Vec<Option<(u32, f64)>> {
    let mut touches = vec![None; expectations.len()];
    let mut open: Vec<(usize, (ObjectId, ObjectId))> = expectations
        .iter()
        .enumerate()
        .filter_map(|(index, expectation)| match expectation {
            Expectation::Touches { a, b } | Expectation::NeverTouches { a, b } => {
                Some((index, pair_of(replay, a, b).ok()?))
            }
            _ => None,
        })
        .collect();
    for number in 0..replay.frames() {
        if open.is_empty() {
            break;
        }
        let frame = replay.frame(number);
        open.retain(|(index, pair)| {
            touches[*index] = touch(replay, &frame, *pair).map(|fraction| (number, fraction));
            touches[*index].is_none()
        });
    }
    touches
}

/// The first fraction of a frame at which a pair touches, sweep included.
fn touch(replay: &Replay, frame: &Frame, pair: (ObjectId, ObjectId)) -> Option<f64> {
    let objects = replay.objects();
    let touching = |state: &crate::core::replay::FrameState| {
        let placed = |id: ObjectId| {
            let pose = state.bodies.get(id as usize)?.as_ref()?.pose;
            Some(objects[id as usize].shape.placed(&pose))
        };
        placed(pair.0)
            .zip(placed(pair.1))
            .is_some_and(|(a, b)| query::overlaps(&a, &b))
    };
    if touching(&frame.start) {
        return Some(0.0);
    }
    let swept = impacts(replay, frame, pair).first().copied();
    swept.or_else(|| touching(&frame.end).then_some(1.0))
}

/// As the scene writes it.
fn text(expectation: &Expectation) -> String {
    let named = |name: &str, value: &Option<String>, quoted: bool| match value {
        Some(value) if quoted => format!(", {name}: {value:?}"),
        Some(value) => format!(", {name}: {value}"),
        None => String::new(),
    };
    match expectation {
        Expectation::Hit {
            a,
            b,
            frame,
            fraction,
            tolerance,
        } => format!(
            "Hit(a: {a:?}, b: {b:?}, frame: {frame}, fraction: {fraction}, tolerance: {tolerance})"
        ),
        Expectation::Finds {
            kind,
            cause,
            a,
            b,
            frame,
        } => {
            let frame = frame.map(|frame| frame.to_string());
            let parts = [
                named("cause", cause, false),
                named("a", a, true),
                named("b", b, true),
                named("frame", &frame, false),
            ];
            format!("Finds(kind: {kind}{})", parts.concat())
        }
        Expectation::NoFindings { kind: None } => "NoFindings()".to_owned(),
        Expectation::NoFindings { kind: Some(kind) } => format!("NoFindings(kind: {kind})"),
        Expectation::Position {
            object,
            frame,
            is,
            tolerance,
        } => format!(
            "Position(object: {object:?}, frame: {frame}, is: {}, tolerance: {tolerance})",
            vector(*is)
        ),
        Expectation::Push {
            object,
            against,
            frame,
            is,
            tolerance,
        } => format!(
            "Push(object: {object:?}{}, frame: {frame}, is: {}, tolerance: {tolerance})",
            named("against", against, true),
            vector(*is)
        ),
        Expectation::CameraPush {
            frame,
            is,
            tolerance,
        } => {
            format!(
                "CameraPush(frame: {frame}, is: {}, tolerance: {tolerance})",
                vector(*is)
            )
        }
        Expectation::Touches { a, b } => format!("Touches(a: {a:?}, b: {b:?})"),
        Expectation::NeverTouches { a, b } => format!("NeverTouches(a: {a:?}, b: {b:?})"),
    }
}
