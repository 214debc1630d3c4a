//! A scene's expectations, held against what happened.

mod text;

use self::text::{text, vector};
use super::finding::{ExpectationResult, Finding, Kind};
use super::words::{metres, number};
use crate::core::query::{self, SweepOutcome};
use crate::core::replay::{Frame, ObjectId, Phase, Replay};
use crate::core::scene::Expectation;
use glam::DVec3;
use std::ops::RangeInclusive;

/// The answers, in the scene's order; findings that an expectation asks for are marked.
///
/// `part` are the frames that were looked at, where those are not all. What is expected of another frame is then skipped and
/// counts as held, findings are those of these frames, and touching is asked of the whole level all the same.
pub(super) fn evaluate(
    replay: &Replay,
    part: Option<&RangeInclusive<u32>>,
    findings: &mut [Finding],
) -> Vec<ExpectationResult> {
    let expectations = &replay.scene().expect;
    let touches = first_touches(replay, expectations);
    expectations
        .iter()
        .zip(touches)
        .map(|(expectation, touch)| {
            if let Some(got) = part.and_then(|part| skipped(expectation, part)) {
                return ExpectationResult {
                    text: text(expectation),
                    passed: true,
                    got,
                };
            }
            let (passed, got) = match expectation {
                Expectation::Hit {
                    a,
                    b,
                    frame,
                    fraction,
                    tolerance,
                } => hit(replay, (a, b), *frame, *fraction, *tolerance),
                Expectation::Finds { frame, .. } => {
                    let (found, got) = finds(expectation, findings);
                    match part {
                        // It may be in a frame that nobody looked at.
                        Some(part) if !found && frame.is_none() => {
                            (true, format!("not judged: {got} in {}", only(part)))
                        }
                        _ => (found, got),
                    }
                }
                Expectation::NoFindings { kind } => {
                    let (none, got) = no_findings(kind.as_deref(), findings);
                    match part {
                        Some(part) if none => (true, format!("{got} in {}", only(part))),
                        _ => (none, got),
                    }
                }
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

/// Why an expectation of a single frame is not judged when only some frames are looked at.
fn skipped(expectation: &Expectation, part: &RangeInclusive<u32>) -> Option<String> {
    let (frame, end) = match expectation {
        Expectation::Hit { frame, .. }
        | Expectation::Push { frame, .. }
        | Expectation::CameraPush { frame, .. }
        | Expectation::Finds {
            frame: Some(frame), ..
        } => (*frame, *part.end()),
        // A state: the one after the last frame is known too.
        Expectation::Position { frame, .. } => (*frame, part.end().saturating_add(1)),
        Expectation::Finds { frame: None, .. }
        | Expectation::NoFindings { .. }
        | Expectation::Touches { .. }
        | Expectation::NeverTouches { .. } => return None,
    };
    let inside = (*part.start()..=end).contains(&frame);
    (!inside).then(|| format!("skipped: frame {frame} is not in {}", only(part)))
}

/// "frames 3 to 7, the only ones looked at".
fn only(part: &RangeInclusive<u32>) -> String {
    if part.is_empty() {
        return "no frame, as none was looked at".to_owned();
    }
    format!(
        "frames {} to {}, the only ones looked at",
        part.start(),
        part.end()
    )
}

fn past_the_end(replay: &Replay) -> String {
    match replay.frames().checked_sub(1) {
        Some(last) => format!("the level ends with frame {last}"),
        None => "the level has no frames".to_owned(),
    }
}

fn at(frame: u32, fraction: f64) -> String {
    format!("frame {frame}, fraction {}", number(fraction))
}

fn pair_of(replay: &Replay, a: &str, b: &str) -> Result<(ObjectId, ObjectId), String> {
    let find = |name: &str| {
        replay
            .object_named(name)
            .ok_or(format!("there is no object {name:?}"))
    };
    Ok((find(a)?, find(b)?))
}

/// Every time of impact of a pair in a frame, as fractions of the frame: by sweeping its legs, and from the impacts that ended
/// one, as a leg ends a skin before. What would have been hit had nothing stood in the way is none.
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
        return (false, past_the_end(replay));
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
    if frame >= replay.frames() {
        return (false, past_the_end(replay));
    }
    if replay.recording().is_some() && against.is_some() {
        let why = "the pushes of a log do not say against what; leave `against` out";
        return (false, why.to_owned());
    }
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
    (sum.distance(is) <= tolerance, vector(sum))
}

fn camera_push(replay: &Replay, frame: u32, is: DVec3, tolerance: f64) -> (bool, String) {
    if frame >= replay.frames() {
        return (false, past_the_end(replay));
    }
    let mut sum = DVec3::ZERO;
    for phase in &replay.frame(frame).phases {
        if let Phase::CameraPush { answer } = phase {
            sum += answer.push;
        }
    }
    (sum.distance(is) <= tolerance, vector(sum))
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
