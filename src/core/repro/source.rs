//! A shrunk finding as a program of an engine: what the templates are given. Numbers are text already, so that every language reads them:
//! with a point or an exponent, and seven digits at most. Words from a log are in comments alone.

use super::fix::{Before, Change, changes};
use super::outcome::{Measure, Outcome, Start, VelocityFrom, is_round, motion_at, outcome};
use super::shrink::{Shrunk, shrink};
use super::templates::Engine;
use super::values::{number, rotation, shape, vector};
use crate::core::diagnose::Finding;
use crate::core::escape::escaped;
use crate::core::level::Level;
use crate::core::progress::Progress;
use crate::core::scene::{Movement, Object};
use crate::core::shape::Shape;
use glam::{DQuat, DVec3};
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value, context};

/// Columns of a comment.
const COLUMNS: usize = 110;
/// Most lines of a program.
const LINES: usize = 80;

/// Phases of a step at which a program starts (no unit).
pub const PHASES: u32 = 64;

/// What a program is made with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'w> {
    /// Name of the level's file.
    pub origin: &'w str,
    /// Of the fixes the one of this number, from 1; without it the first, if there is one.
    pub fix: Option<usize>,
    /// With the fix.
    pub set: bool,
    /// How it ran here.
    pub ran: Option<Ran>,
}

/// The numbers of phases in which a program failed, of [`PHASES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// As it is.
    pub failed: u32,
    /// With its fix, where it has one.
    pub fixed: Option<u32>,
}

impl Ran {
    /// Whether it fails, and does not with its fix.
    pub fn is_right(&self) -> bool {
        self.failed > 0 && self.fixed.is_none_or(|failed| failed == 0)
    }

    /// What it means that a program ran otherwise than it should, and what to try.
    pub fn advice(&self) -> Option<&'static str> {
        match (self.failed, self.fixed) {
            (0, _) => Some(
                "the engine holds the body in this program, so the finding needs something that the program leaves out, such as friction, restitution, a joint or other bodies; send the log of --for log to the engine's maintainers",
            ),
            (failed, Some(fixed)) if fixed >= failed => Some(
                "the fix changes nothing in this program: it shows the fault, and not that the fix holds; try another fix with --fix 2, or send the file as it is to the engine's maintainers",
            ),
            (_, Some(1..)) => Some(
                "the fix is too weak in this engine: the program still fails with it, in fewer phases; try another fix with --fix 2, or a stronger value in the file",
            ),
            _ => None,
        }
    }
}

/// `Reproduces here: 57 of 64 phases, with the fix 0`
impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.failed {
            0 => write!(f, "Does not reproduce here: 0 of {PHASES} phases")?,
            failed => write!(f, "Reproduces here: {failed} of {PHASES} phases")?,
        }
        match self.fixed {
            Some(failed) => write!(f, ", with the fix {failed}"),
            None => Ok(()),
        }
    }
}

/// A program of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its text.
    pub text: String,
    /// Whether it has a fix.
    pub has_fix: bool,
}

/// The program of an engine with a finding of a level, of the smallest log that has it.
///
/// # Errors
/// As [`shrink`] and [`source`].
pub fn program_of(
    level: &Level,
    finding: &Finding,
    engine: &Engine,
    progress: &dyn Progress,
) -> Result<Program, String> {
    let origin = level.file.file_name().unwrap_or_default().to_string_lossy();
    let wanted = Wanted {
        origin: &origin,
        ..Wanted::default()
    };
    source(&shrink(level, finding, progress)?, engine, &wanted)
}

/// The program of an engine that has the finding.
///
/// # Errors
/// A sentence, where the finding shows in no motion, or the engine has no such shape.
pub fn source(shrunk: &Shrunk, engine: &Engine, wanted: &Wanted<'_>) -> Result<Program, String> {
    let recording = &shrunk.recording;
    let is_flat = recording.units.units.flat;
    if is_flat != engine.flat {
        let (level, other) = match is_flat {
            true => ("flat", "in three dimensions"),
            false => ("in three dimensions", "flat"),
        };
        return Err(format!(
            "the level is {level}, and {} is {other}",
            engine.name
        ));
    }
    let outcome = outcome(recording, &shrunk.finding)?;
    let (mut changes, before) = changes(shrunk, engine.name, engine.edges);
    let change = match wanted.fix {
        None => changes.into_iter().next(),
        Some(number) if number <= changes.len() => Some(changes.swap_remove(number - 1)),
        Some(number) => {
            let texts: Vec<&str> = changes.iter().map(|change| change.text.as_str()).collect();
            return Err(format!(
                "there is no fix {number} that a program of {} can have; it can have: {}",
                engine.name,
                if texts.is_empty() {
                    "none".to_owned()
                } else {
                    texts.join("; ")
                }
            ));
        }
    };
    let moves = recording
        .objects
        .iter()
        .any(|object| object.movement == Movement::Velocity);
    if !moves {
        return Err(
            "neither body is pushed, so that no engine collides them; take --for log".to_owned(),
        );
    }
    let change = change.map(|change| Change {
        text: one_line(&change.text),
        ..change
    });
    let fix = change.clone().unwrap_or_default();
    let swept = |object: &Object| match (before, &fix) {
        (Before::Set(true), _) => object.ccd == Some(true),
        (
            _,
            Change {
                ccd: true, swept, ..
            },
        ) => {
            object.movement != Movement::Fixed
                && swept.as_ref().is_none_or(|name| *name == object.name)
        }
        _ => false,
    };
    let bodies: Result<Vec<Value>, String> = (0..recording.objects.len())
        .map(|object| body(shrunk, object, &outcome, is_flat, &swept))
        .collect();
    let id = |object: usize| identifier(shrunk, object);
    let gravity = recording.gravity.unwrap_or_default();
    let collides = recording
        .objects
        .windows(2)
        .all(|pair| pair[0].collides_with(&pair[1]));
    let (base, point, near) = match outcome.measure {
        Measure::Place { base, point } => (Some(base), Some(point), 0.0),
        Measure::Speed { base, near } => (base, None, near),
    };
    let measure = context! {
        is_place => point.is_some(),
        mover => id(outcome.mover),
        base => base.map(id),
        point => vector(point.unwrap_or_default(), is_flat),
        normal => vector(outcome.normal, is_flat),
        least => number(outcome.least),
        near => number(near),
        fault => match outcome.measure {
            Measure::Place { .. } => "the body ends on the wrong side",
            Measure::Speed { base: Some(_), .. } => "the body is not held back",
            Measure::Speed { base: None, .. } => "the contact changes the speed",
        },
    };
    let values = context! {
        comment => comment(shrunk, engine, change.as_ref(), &outcome, wanted),
        dt => duration(recording.frames[outcome.start + 1].dt),
        steps => outcome.steps,
        phases => PHASES,
        set => wanted.set,
        gravity => vector(gravity, is_flat),
        has_gravity => gravity != DVec3::ZERO,
        bodies => bodies?,
        check => measure,
        collides => collides,
        fixed => change.is_some(),
        fix => context! {
            text => fix.text,
            substeps => fix.substeps.unwrap_or(1),
            speed => fix.speed.map(number),
            drive => fix.drive,
            mask => fix.mask,
            contact_time => fix.contact_time.map(number),
            edges => fix.edges,
        },
        ccd => match (before, fix.ccd) {
            (Before::Default, false) => "default",
            (Before::Default, true) => "default, then on",
            (Before::Set(true), _) => "on",
            (Before::Set(false), false) => "off",
            (Before::Set(false), true) => "off, then on",
        },
    };
    let text = render(engine, &values)?;
    let lines = text.lines().count();
    match lines <= LINES {
        true => Ok(Program {
            text,
            has_fix: change.is_some(),
        }),
        false => Err(format!(
            "the program would have {lines} lines, and a reproduction has {LINES} at most: the finding needs {} objects; take --for log",
            recording.objects.len()
        )),
    }
}

fn render(engine: &Engine, values: &Value) -> Result<String, String> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build();
    environment.set_syntax(syntax.map_err(|error| error.to_string())?);
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    let name = engine.name;
    let fail = move |what: String, shape: Value| -> Result<String, Error> {
        let of = shape.get_attr("of")?;
        let of = of.as_str().map(|of| format!(" ({of})"));
        let text = format!("{name} {what}{}", of.unwrap_or_default());
        Err(Error::new(ErrorKind::InvalidOperation, text))
    };
    environment.add_function("fail", fail);
    let rendered = environment.render_named_str(engine.file, engine.template, values);
    rendered.map_err(|error| match (error.kind(), error.detail()) {
        (ErrorKind::InvalidOperation, Some(detail)) => {
            format!("{detail}; take --for log")
        }
        _ => format!("the template {} is wrong: {error:#}", engine.file),
    })
}

/// `mover`, `obstacle`, or `other2`.
fn identifier(shrunk: &Shrunk, object: usize) -> String {
    let name = &shrunk.recording.objects[object].name;
    match (*name == shrunk.finding.a, *name == shrunk.finding.b) {
        (true, _) => "mover".to_owned(),
        (_, true) => "obstacle".to_owned(),
        _ => format!("other{object}"),
    }
}

fn body(
    shrunk: &Shrunk,
    object: usize,
    outcome: &Outcome,
    is_flat: bool,
    swept: &dyn Fn(&Object) -> bool,
) -> Result<Value, String> {
    let recording = &shrunk.recording;
    let known: &Object = &recording.objects[object];
    let named = format!("\"{}\"", one_line(&known.name));
    let state = recording.body_at(outcome.start, object as u32);
    let state = state.ok_or_else(|| format!("{named} is not there when the frame begins"))?;
    let motion = motion_at(recording, &shrunk.finding, object, outcome.start);
    let Start {
        velocity,
        spin,
        from,
    } = motion.ok_or_else(|| format!("{named} is gone when the frame ends"))?;
    let is_set = from == VelocityFrom::Position;
    // The side of a ball is measured in a space that does not turn.
    let is_frame = matches!(outcome.measure, Measure::Place { base, .. } if base == object);
    let (turn, spin) = match is_frame && is_round(recording, object) {
        true => (DQuat::IDENTITY, DVec3::ZERO),
        false => (state.pose.rotation, spin),
    };
    let shape = shape(&known.shape, is_flat).map_err(|what| format!("{named} {what}"))?;
    let stays = velocity == DVec3::ZERO && spin == DVec3::ZERO;
    let motion = match known.movement {
        Movement::Velocity => "dynamic",
        Movement::Fixed if stays => "fixed",
        _ => "kinematic",
    };
    Ok(context! {
        id => identifier(shrunk, object),
        name => named.clone(),
        swept => swept(known),
        inner => number(inner_radius(&known.shape)),
        motion => motion,
        is_set => is_set && !stays,
        moved => motion == "kinematic" || is_set && !stays,
        p => vector(state.pose.position, is_flat),
        turned => turn != DQuat::IDENTITY,
        v => vector(velocity, is_flat),
        w => if is_flat { number(spin.z) } else { vector(spin, false) },
        spins => spin != DVec3::ZERO,
        mass => number(known.mass),
        shape => context! { of => named.clone(), ..shape },
        ..rotation(turn)
    })
}

/// Radius of a ball inside the shape, metres.
fn inner_radius(shape: &Shape) -> f64 {
    match shape {
        Shape::Compound(compound) => {
            let parts = compound.parts().iter();
            let radii = parts.map(|part| part.shape.inner_radius());
            radii.fold(0.0, f64::max)
        }
        Shape::Plane(_) => 0.0,
        shape => shape.inner_radius(),
    }
}

/// `1.0 / 60.0` where it is that within the digits of a log.
fn duration(seconds: f64) -> String {
    let rate = 1.0 / seconds;
    match (rate - rate.round()).abs() < 1e-4 * rate && rate >= 1.0 {
        true => format!("1.0 / {:?}", rate.round()),
        false => number(seconds),
    }
}

/// Text of a log on one line of a comment, which it cannot leave: a line that ends in a backslash goes on in C.
fn one_line(text: &str) -> String {
    escaped(text).replace('\\', "/").replace("*/", "* /")
}

/// For a body whose velocity is not the logged one, why.
fn unlogged_velocity(shrunk: &Shrunk, object: usize, outcome: &Outcome) -> Option<String> {
    let recording = &shrunk.recording;
    let start = motion_at(recording, &shrunk.finding, object, outcome.start)?;
    let metres = |velocity: DVec3| format!("{} m/s", number(velocity.length()));
    let why = match start.from {
        VelocityFrom::SetFrom(logged) => format!(
            "which the log has after the step: the {} before the step do not explain the displacement, as when a game sets a velocity in between",
            metres(logged)
        ),
        VelocityFrom::Limited(logged) => format!(
            "which is its displacement: the {} of the log are the same before and after, as when an engine limits how far a body moves",
            metres(logged)
        ),
        VelocityFrom::Log | VelocityFrom::Position => return None,
    };
    let name = &recording.objects[object].name;
    Some(format!(
        "{name} starts with {}, {why}.",
        metres(start.velocity)
    ))
}

/// The comment at the top, in lines.
fn comment(
    shrunk: &Shrunk,
    engine: &Engine,
    change: Option<&Change>,
    outcome: &Outcome,
    wanted: &Wanted<'_>,
) -> Vec<String> {
    let (finding, recording) = (&shrunk.finding, &shrunk.recording);
    let of_engine = match (&recording.engine.name, &recording.engine.version) {
        (Some(name), Some(version)) => format!("{name} {version}"),
        (Some(name), None) => name.clone(),
        (None, _) => "an engine that is not named".to_owned(),
    };
    let title = format!(
        "{} {}: {}",
        finding.kind.name(),
        finding.cause.id(),
        finding.cause.title()
    );
    let made = format!(
        "Hitstop {} made this of {} (frame {}, {}; recorded with {of_engine}), shrunk to {}. Metres, seconds, radians, Y up.",
        env!("CARGO_PKG_VERSION"),
        wanted.origin,
        finding.number(),
        shrunk.before,
        shrunk.after,
    );
    let fix = match change {
        Some(change) => format!("Fix: {}. Set FIX to try it.", change.text),
        None => "No value of this program fixes it.".to_owned(),
    };
    let ran = wanted.ran.map(|ran| ran.to_string());
    let run = format!(
        "{}. {} It starts at {PHASES} phases of a step, prints in how many it fails, and ends with a status other than 0 if it fails in any.",
        ran.as_deref().unwrap_or("Not run here"),
        engine.run
    );
    let paragraphs = [title, finding.text.clone(), made];
    let set = (0..recording.objects.len())
        .filter_map(|object| unlogged_velocity(shrunk, object, outcome));
    let paragraphs: Vec<String> = paragraphs
        .into_iter()
        .chain(set)
        .chain([fix, run])
        .collect();
    let lines = paragraphs.iter().flat_map(|text| {
        let text = one_line(text);
        let wrapped = textwrap::wrap(&text, COLUMNS);
        wrapped
            .into_iter()
            .map(std::borrow::Cow::into_owned)
            .collect::<Vec<_>>()
    });
    lines.collect()
}
