//! `hitstop leaks`: where a stated mover passes the fixed surfaces of a level.

use super::print::{say, write_out};
use super::progress::Bar;
use super::{PlainFormat, ReadArguments, Status, report_problems};
use crate::convert::{self, Part};
use crate::core::escape::{escaped, for_log};
use crate::core::leaks::{self, Leak, Leaks, Mover, Reachability};
use crate::core::level::{self, Level};
use crate::core::number::{count, grouped, positive, significant};
use crate::core::problem::{Problem, Problems};
use crate::core::scene::DiskFolder;
use crate::core::scene::UserUnits;
use crate::report::safe_json;
use crate::save::reason;
use clap::Args;
use glam::DVec3;
use serde::Serialize;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Places that the text lists.
const LISTED: usize = 10;

/// Arguments of `hitstop leaks`.
#[derive(Debug, Args)]
pub struct LeaksArguments {
    /// A scene (.ron), a log (.jsonl, .csv, .parquet, .ovd) or a mesh (.obj, .gltf, .glb)
    pub input: PathBuf,

    /// A shape and its greatest speed, as in "player: capsule 0.3 0.9, up to 12 m/s", in the level's unit; may be given several times [default: the level's own moving bodies, as fast as they get]
    ///
    /// Shapes: sphere R, capsule R HALF_HEIGHT, box X Y Z (half extents), cylinder R HALF_HEIGHT.
    #[arg(long = "mover", value_name = "MOVER")]
    pub movers: Vec<String>,

    /// Seconds of a frame, as in 0.0166 or 1/60 [default: that of the level]
    #[arg(long, value_name = "SECONDS", value_parser = parse_dt)]
    pub dt: Option<f64>,

    /// Steps of the engine in a frame
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub substeps: u32,

    /// Random shots of each mover, beside those straight into each face
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub trials: u32,

    /// Seed of the random shots
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// A free place of the movers, in the level's axes and unit: what they reach from there comes first
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point, allow_hyphen_values = true)]
    pub start: Option<DVec3>,

    /// Exit with 1 only where a mover is not held at this speed, in the level's unit [default: at its stated speed]
    #[arg(long, value_name = "SPEED", value_parser = parse_speed)]
    pub at_least: Option<f64>,

    /// Write the shots: into a log (.jsonl, .csv, .parquet), a frame each, to open and to check; or into a folder, a scene each
    #[arg(long, value_name = "FILE|DIR")]
    pub out: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub format: PlainFormat,

    /// Show no progress bar
    #[arg(long)]
    pub no_progress: bool,

    /// What the files do not say
    #[command(flatten)]
    pub read: ReadArguments,
}

fn parse_dt(text: &str) -> Result<f64, String> {
    let value = match text.split_once('/') {
        Some((over, under)) => positive(over).zip(positive(under)).map(|(a, b)| a / b),
        None => positive(text),
    };
    let value = value.filter(|value| *value > 0.0 && value.is_finite());
    value.ok_or_else(|| {
        format!("invalid time \"{text}\": expected seconds above 0, as in 0.0166 or 1/60")
    })
}

fn parse_speed(text: &str) -> Result<f64, String> {
    positive(text).ok_or_else(|| format!("invalid speed \"{text}\": expected a number above 0"))
}

fn parse_point(text: &str) -> Result<DVec3, String> {
    let values: Option<Vec<f64>> = text.split(',').map(|one| one.trim().parse().ok()).collect();
    let point = match values.as_deref() {
        Some([x, y, z]) => Some(DVec3::new(*x, *y, *z)),
        Some([x, y]) => Some(DVec3::new(*x, *y, 0.0)),
        _ => None,
    };
    point
        .filter(|point| point.is_finite())
        .ok_or_else(|| format!("invalid place \"{text}\": expected X,Y,Z"))
}

/// Runs the command: 0 when every mover is held, 1 when one is not, 2 when something cannot be used.
pub fn run(arguments: &LeaksArguments) -> Status {
    let bar = Bar::new(!arguments.no_progress);
    bar.say("reading");
    let outcome = look(arguments, &bar);
    bar.clear();
    let status = outcome.map(|(level, found)| {
        report_problems(&level.notices, true);
        let units = level.replay.units();
        let text = match arguments.format {
            PlainFormat::Text => for_log(&text(&level, &found, units)).into_owned(),
            PlainFormat::Json => json(&level, &found, units),
        };
        let wanted = arguments.at_least.map(|speed| units.si(speed, "m/s"));
        let held = found.movers.iter().enumerate().all(|(index, mover)| {
            let wanted = wanted.map_or(mover.speed, |wanted| wanted.min(mover.speed));
            found.holds(index) >= wanted
        });
        let status = write_out(text).max(if held {
            Status::Clean
        } else {
            Status::Findings
        });
        let written = arguments
            .out
            .as_ref()
            .map(|out| write_shots(&found, out, &bar));
        match written {
            Some(Err(Problems(problems))) => {
                report_problems(&problems, false);
                Status::BadInput
            }
            _ => status,
        }
    });
    status.unwrap_or_else(|Problems(problems)| {
        report_problems(&problems, false);
        Status::BadInput
    })
}

fn look(arguments: &LeaksArguments, bar: &Bar) -> Result<(Level, Leaks), Problems> {
    let input = arguments.input.as_path();
    let problem = |what: String, help: &str| {
        Problems::from(Problem::new(input.display().to_string(), what, help))
    };
    let options = arguments.read.options();
    let level = level::open_with(input, &options, &DiskFolder::of(input), bar)?;
    let units = level.replay.units();
    let stated = arguments
        .movers
        .iter()
        .map(|text| Mover::parse(text, units));
    let stated: Result<Vec<Mover>, String> = stated.collect();
    let stated = stated.map_err(|what| Problem::new("--mover", what, ""))?;
    let movers = match stated.is_empty() {
        false => stated,
        true => leaks::movers_of(&level.replay).map_err(|what| problem(what, "use --mover"))?,
    };
    let options = leaks::Options {
        movers,
        dt: arguments.dt,
        substeps: arguments.substeps,
        trials: arguments.trials,
        seed: arguments.seed,
        start: arguments.start.map(|start| units.our_vector(start)),
    };
    bar.say("shooting");
    let found = leaks::find(&level, &options, bar).map_err(|what| problem(what, ""))?;
    let found = found.ok_or_else(|| problem("the work was cancelled".into(), ""))?;
    Ok((level, found))
}

fn write_shots(found: &Leaks, out: &Path, bar: &Bar) -> Result<(), Problems> {
    let Some(shots) = &found.level else {
        say("no shot passes, so nothing is written");
        return Ok(());
    };
    let wrong = |what: &str| {
        let help = "name a .jsonl, .csv or .parquet file, or a new folder for a scene each";
        Problems::from(Problem::new(out.display().to_string(), what, help))
    };
    if out.extension().is_some() && !out.is_dir() {
        if convert::output_format(out)?.is_none() {
            return Err(wrong("the shots are frames of a log, not of a scene"));
        }
        let made = convert::convert_level(shots, out, &Part::Whole, bar)?;
        report_problems(&made.notices, true);
        say(&format!("wrote {}: {}", out.display(), made.what));
        return Ok(());
    }
    if fs::read_dir(out).is_ok_and(|mut files| files.next().is_some()) {
        return Err(wrong("the folder is not empty"));
    }
    let failed = |error: std::io::Error| {
        let what = format!("could not be made: {}", reason(&error));
        Problem::new(
            out.display().to_string(),
            what,
            "name a folder that can be written",
        )
    };
    fs::create_dir_all(out).map_err(failed)?;
    for (number, place) in (1..).zip(&found.places) {
        let file = out.join(format!("leak_{number:03}.ron"));
        convert::convert_level(shots, &file, &Part::Frame(place.frame), bar)?;
    }
    say(&format!(
        "wrote {} to {}",
        count(found.places.len(), "scene"),
        out.display()
    ));
    Ok(())
}

fn text(level: &Level, found: &Leaks, units: UserUnits) -> String {
    let file = level.file.display().to_string();
    let name = &level.replay.scene().name;
    let mut text = format!("{}  {}\n", escaped(&file), escaped(name));
    let step = significant(1e3 * found.step, 4);
    let _ = writeln!(
        text,
        "  overlap tests at the ends of steps of {step} ms, without continuous detection"
    );
    for (index, (mover, shots)) in found.movers.iter().zip(&found.shots).enumerate() {
        let holds = found.holds(index);
        let verdict = match (holds < mover.speed, found.unconfirmed) {
            (true, _) => format!("held up to {}", units.speed(holds)),
            (false, 0) => "held".to_owned(),
            (false, _) => "held where diagnosis agrees".to_owned(),
        };
        let _ = writeln!(
            text,
            "  {} ({}, up to {}): {verdict}; {} shots",
            escaped(&mover.name),
            mover.shape.kind_name(),
            units.speed(mover.speed),
            grouped(*shots),
        );
    }
    for (number, place) in (1..).zip(found.places.iter().take(LISTED)) {
        let mover = &found.movers[place.mover];
        let lies = place.reach.and_then(Reachability::words);
        let lies = lies.map_or_else(String::new, |words| format!(" · {words}"));
        let _ = write!(
            text,
            "\n  {number}  {} → {}\n     held up to {} · detected up to {} · a step at {} {}\n     at {}, {} · {} {}{}\n",
            escaped(&mover.name),
            escaped(&place.object),
            units.speed(place.holds),
            units.speed(place.detects),
            units.speed(place.shot),
            outcome(place),
            units.place(place.point, 1.0),
            count(place.faces.len(), "face"),
            place.finding.cause.id(),
            place.finding.cause.title(),
            lies,
        );
    }
    if found.places.len() > LISTED {
        let more = count(found.places.len() - LISTED, "place");
        let _ = writeln!(text, "\n  … and {more} more; --format json lists them all");
    }
    let lines = found.meshes.iter().chain(&found.left_out);
    let lines: Vec<String> = lines.map(|line| format!("  {}\n", escaped(line))).collect();
    if !lines.is_empty() {
        text.push('\n');
        text.extend(lines);
    }
    if let Some(unconfirmed) = found.unconfirmed_text() {
        let _ = writeln!(text, "  {unconfirmed}");
    }
    let summary = match found.weakest() {
        Some(place) => format!(
            "held up to {}; weakest: {}",
            units.speed(place.holds),
            escaped(&place.object)
        ),
        None => "no place lets a mover pass at its stated speed".to_owned(),
    };
    let _ = write!(text, "\n  {summary}\n");
    text
}

/// What the shot of a place does.
fn outcome(place: &Leak) -> &'static str {
    match place.shot > place.detects {
        true => "passes",
        false => "is pushed out on the far side",
    }
}

#[derive(Serialize)]
struct Written<'f> {
    schema: u32,
    file: String,
    /// In which all numbers are.
    units: UserUnits,
    step: f64,
    movers: Vec<WrittenMover<'f>>,
    places: Vec<WrittenPlace<'f>>,
    meshes: &'f [String],
    left_out: &'f [String],
    unconfirmed: usize,
}

#[derive(Serialize)]
struct WrittenMover<'f> {
    name: &'f str,
    shape: &'static str,
    speed: f64,
    holds: f64,
    shots: usize,
}

#[derive(Serialize)]
struct WrittenPlace<'f> {
    mover: &'f str,
    object: &'f str,
    faces: &'f [u32],
    point: [f64; 3],
    along: [f64; 3],
    holds: f64,
    detects: f64,
    shot: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    reach: Option<Reachability>,
    frame: u32,
    kind: &'static str,
    cause: &'static str,
    text: &'f str,
}

fn json(level: &Level, found: &Leaks, units: UserUnits) -> String {
    let speed = |value: f64| units.value(value, "m/s");
    let movers = found.movers.iter().zip(&found.shots).enumerate();
    let movers = movers.map(|(index, (mover, shots))| WrittenMover {
        name: &mover.name,
        shape: mover.shape.kind_name(),
        speed: speed(mover.speed),
        holds: speed(found.holds(index)),
        shots: *shots,
    });
    let places = found.places.iter().map(|place| WrittenPlace {
        mover: &found.movers[place.mover].name,
        object: &place.object,
        faces: &place.faces,
        point: units.vector(place.point).to_array(),
        along: units.direction(place.along).to_array(),
        holds: speed(place.holds),
        detects: speed(place.detects),
        shot: speed(place.shot),
        reach: place.reach,
        frame: place.frame,
        kind: place.finding.kind.name(),
        cause: place.finding.cause.id(),
        text: &place.finding.text,
    });
    let written = Written {
        schema: 1,
        file: level.file.display().to_string(),
        units,
        step: found.step,
        movers: movers.collect(),
        places: places.collect(),
        meshes: &found.meshes,
        left_out: &found.left_out,
        unconfirmed: found.unconfirmed,
    };
    let text = serde_json::to_string_pretty(&written).expect("only numbers, strings and lists");
    safe_json(&text).into_owned() + "\n"
}
