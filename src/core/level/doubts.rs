//! What in a log is likely in another unit: notices, as what is found depends on it.

use crate::core::number::significant;
use crate::core::problem::Problem;
use crate::core::replay::{Body, FrameData, ObjectId, Recording};
use glam::{DQuat, DVec3};
use std::collections::HashMap;
use std::sync::Arc;

/// Lengths of a frame that need no notice, seconds: from 5 to 100,000 frames a second.
const PLAUSIBLE_DT: std::ops::RangeInclusive<f64> = 1e-5..=0.2;

/// A log's first frames, which are enough to see the unit of its velocities.
const FRAMES: usize = 500;

/// Steps of bodies that are compared with their velocities, and the least number that says something.
const STEPS: std::ops::RangeInclusive<usize> = 8..=4000;

/// Velocities may be this many times what the positions show, either way: a solver adds pushes and limits speeds.
const PLAUSIBLE_SPEED: std::ops::RangeInclusive<f64> = 0.5..=2.0;

/// Relative difference of what counts as the same factor (dimensionless).
const SAME: f64 = 0.05;

/// Share of the steps that must have the same factor (dimensionless).
const MOST: f64 = 0.9;

/// All doubts about a log.
pub(super) fn doubts(recording: &Recording, file: &str) -> impl Iterator<Item = Problem> {
    let doubts = [
        implausible_dt(recording),
        upward_gravity(recording),
        falls_up(recording),
        angles_in_degrees(recording),
        speeds_of_another_unit(recording, "v", linear, &SPEEDS),
        speeds_of_another_unit(recording, "w", angular, &SPINS),
    ];
    let file = file.to_owned();
    let doubts = doubts.into_iter().flatten();
    doubts.map(move |(what, help)| Problem::new(file.clone(), what, help))
}

/// Gravity that leads up.
fn upward_gravity(recording: &Recording) -> Option<(String, String)> {
    let gravity = recording.gravity?;
    if gravity.y <= 0.0 || gravity.y < gravity.abs().max_element() {
        return None;
    }
    let what = "gravity leads up along the axis that `up` names";
    let help =
        "name the axis that points up; where y grows downward, as on screens, that is \"-y\"";
    Some((what.into(), help.into()))
}

/// Bodies that fall against gravity, and none along it.
fn falls_up(recording: &Recording) -> Option<(String, String)> {
    let gravity = recording.gravity.filter(|it| it.length() > 0.0)?;
    let mut against = 0;
    let mut last: HashMap<ObjectId, Step> = HashMap::new();
    for step in steps(recording) {
        let Some(before) = last.insert(step.after.object, step) else {
            continue;
        };
        let is_even = (before.dt - step.dt).abs() <= SAME * step.dt;
        if before.line + 1 != step.line || !is_even {
            continue;
        }
        let fall = gravity.length() * step.dt * step.dt;
        let bend = step.moved() - before.moved();
        // Half a fall is as long as rounding cannot make it.
        let is_free = (bend.length() - fall).abs() <= SAME * fall
            && fall > 1e-5 * step.before.pose.position.length()
            && bend.cross(gravity).length() <= SAME * fall * gravity.length();
        match bend.dot(gravity) > 0.0 {
            _ if !is_free => {}
            true => return None,
            false => against += 1,
        }
    }
    (against >= *STEPS.start()).then(|| {
        let what = "bodies fall against gravity: what is found depends on it";
        let help = "name the axis that points up with `up`, or give gravity the other sign";
        (what.into(), help.into())
    })
}

/// Bodies that turn as far as their spins say if the angles are read as degrees.
fn angles_in_degrees(recording: &Recording) -> Option<(String, String)> {
    const DEGREES: f64 = 180.0 / std::f64::consts::PI;
    let turning = steps(recording).filter_map(|step| {
        let spin = step.before.spin?;
        let is_known = spin.is_finite() && spin.length() * step.dt > 1e-4;
        is_known.then_some((step.turned(), spin * step.dt))
    });
    let (mut all, mut as_degrees) = (0_u32, 0_usize);
    for (turned, spin) in turning.take(*STEPS.end()) {
        let is_near = |times: f64| {
            let wanted = DQuat::from_scaled_axis(spin * times);
            turned.angle_between(wanted) <= 0.05
        };
        all += 1;
        as_degrees += usize::from(is_near(DEGREES) && !is_near(1.0));
    }
    let most = (as_degrees as f64) > MOST * f64::from(all);
    (most && as_degrees >= *STEPS.start()).then(|| {
        let what = "bodies turn 57.3 times as fast as `w` says: what is found depends on it";
        let help = "are the angles in degrees? Write radians, or name the unit of a table's column: `angle (deg)`";
        (what.into(), help.into())
    })
}

/// A body in two lines in a row, which does not teleport between them.
#[derive(Clone, Copy)]
struct Step {
    /// The later one, from 0.
    line: usize,
    /// Seconds between them.
    dt: f64,
    before: Body,
    after: Body,
}

impl Step {
    fn moved(&self) -> DVec3 {
        self.after.pose.position - self.before.pose.position
    }

    fn turned(&self) -> DQuat {
        self.after.pose.rotation * self.before.pose.rotation.inverse()
    }
}

/// The steps of a log's first lines.
fn steps(recording: &Recording) -> impl Iterator<Item = Step> {
    let mut last: Option<Arc<FrameData>> = None;
    let lines = recording.frames.iter().zip(recording.data.iter());
    let lines = lines.take(FRAMES).enumerate();
    lines.flat_map(move |(line, (frame, data))| {
        let before = last.replace(data.clone()).filter(|_| !frame.gap);
        let of_body = |before: &Body| {
            let bodies = &data.bodies;
            let later = bodies.binary_search_by_key(&before.object, |it| it.object);
            let after = bodies[later.ok()?];
            (!after.teleported).then_some(Step {
                line,
                dt: frame.dt,
                before: *before,
                after,
            })
        };
        let bodies = before.iter().flat_map(|before| &before.bodies);
        bodies.filter_map(of_body).collect::<Vec<_>>()
    })
}

/// The middle of the frames' lengths, seconds.
fn usual_dt(recording: &Recording) -> f64 {
    let later = recording.frames.iter().skip(1);
    median(later.map(|frame| frame.dt).collect()).unwrap_or(recording.dt)
}

fn median(mut all: Vec<f64>) -> Option<f64> {
    let middle = all.len() / 2;
    (!all.is_empty()).then(|| *all.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// Frames that are too long or too short for a simulation.
fn implausible_dt(recording: &Recording) -> Option<(String, String)> {
    // Times in milliseconds beside a header's `dt` in seconds: each frame is a thousand times as long as it says.
    let usual = usual_dt(recording);
    let dt = match PLAUSIBLE_DT.contains(&recording.dt) && usual > 500.0 * recording.dt {
        true => usual,
        false => recording.dt,
    };
    if PLAUSIBLE_DT.contains(&dt) || recording.frames.len() < 2 {
        return None;
    }
    let units = [
        ("milliseconds", 1e-3),
        ("microseconds", 1e-6),
        ("nanoseconds", 1e-9),
    ];
    let is_usual = |unit: f64| (2e-3..=0.1).contains(&(dt * unit));
    let help = match units.iter().find(|(_, unit)| is_usual(*unit)) {
        Some((unit, _)) => format!(
            "are the times in {unit}? Write seconds, or name the unit of a table's column: `time (ms)`, `time (us)`, `time (ns)`"
        ),
        None => "write dt and times in seconds".to_owned(),
    };
    let what = format!(
        "a frame lasts {} s, which is not plausible: what is found depends on it",
        significant(dt, 4)
    );
    Some((what, help))
}

/// How many times as fast a velocity of another unit is, and what it is then.
const SPEEDS: [(f64, &str); 5] = [
    (
        100.0,
        "in centimetres per second beside positions in metres",
    ),
    (
        1000.0,
        "in millimetres per second beside positions in metres",
    ),
    (1e-3, "lengths per millisecond"),
    (3.6, "in kilometres per hour"),
    (2.236_94, "in miles per hour"),
];

/// The same of spins.
const SPINS: [(f64, &str); 4] = [
    (180.0 / std::f64::consts::PI, "in degrees per second"),
    (0.5 / std::f64::consts::PI, "in turns per second"),
    (30.0 / std::f64::consts::PI, "in turns per minute"),
    (1e-3, "angles per millisecond"),
];

/// The velocities of the two states of a step, and what the body moved between them; `None` where rounding may have made that.
type Moves = fn(&Step) -> Option<[DVec3; 3]>;

fn linear(step: &Step) -> Option<[DVec3; 3]> {
    let moved = step.moved();
    let rounding = 1e-5 * step.after.pose.position.length();
    let has_moved = moved.length() > rounding;
    has_moved.then_some([step.before.velocity?, step.after.velocity?, moved])
}

fn angular(step: &Step) -> Option<[DVec3; 3]> {
    let turned = step.turned().to_scaled_axis();
    // Of a larger angle the log may have lost whole turns.
    let is_known = (1e-4..1.0).contains(&turned.length());
    is_known.then_some([step.before.spin?, step.after.spin?, turned])
}

/// Velocities that are as many times as fast as the bodies move in nearly every step: of another unit.
fn speeds_of_another_unit(
    recording: &Recording,
    field: &str,
    moves: Moves,
    units: &[(f64, &str)],
) -> Option<(String, String)> {
    let factors = steps(recording).filter_map(|step| factor(moves(&step)?, step.dt));
    let factors: Vec<f64> = factors.take(*STEPS.end()).collect();
    if factors.len() < *STEPS.start() {
        return None;
    }
    let all = factors.len() as f64;
    let usual = median(factors.clone())?;
    let is_usual = |factor: f64| (factor - usual).abs() <= SAME * usual;
    let same = factors.into_iter().filter(|factor| is_usual(*factor));
    if PLAUSIBLE_SPEED.contains(&usual) || (same.count() as f64) < MOST * all {
        return None;
    }
    let known = units.iter().find(|(factor, _)| is_usual(*factor));
    let help = match known {
        _ if is_usual(usual_dt(recording)) => {
            "they look like steps: divide them by the time of one"
        }
        Some((_, unit)) => &format!("they look like values {unit}"),
        None => "log them per second, in the units of the poses",
    };
    let what = format!(
        "the values of `{field}` are {} times as fast as the bodies move: what is found depends on them",
        significant(usual, 3)
    );
    Some((what, help.into()))
}

/// How many times as fast as its motion a body's velocity is, where it is steady and along the motion.
fn factor([before, after, moved]: [DVec3; 3], dt: f64) -> Option<f64> {
    let (speed, length) = (after.length(), moved.length());
    let steady = (after - before).length() <= SAME * speed;
    let along = after.dot(moved) >= 0.999 * speed * length;
    let factor = speed * dt / length;
    (steady && along && factor > 0.0 && factor.is_finite()).then_some(factor)
}
