//! The holes of a level, before a player finds them: where a stated mover passes the surfaces that stay.
//!
//! Shots are aimed at each surface: straight into its faces and beside their edges, and at seeded random places and angles. Along each the mover
//! is tested for overlap. The way along which it touches something is the longest step that a test at the ends of steps always detects; the way
//! along which the shortest push leads back is the longest that is always held. Where the mover could go round, moved aside by its own width,
//! nothing leaks. The weakest shot of each place is then a frame of a recording, and [`diagnose`] judges it as any other.

mod crossing;
mod fixed;
mod mover;
mod reach;
mod shots;
mod targets;

pub use mover::{Mover, movers_of};
pub use reach::Reachability;

use crate::core::diagnose::{self, Finding, half_width};
use crate::core::level::Level;
use crate::core::number::{self, count_of};
use crate::core::progress::Progress;
use crate::core::random::SplitMix64;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::Movement;
use crate::core::shape::Shape;
use crossing::{Crossing, Limits, crossing};
use fixed::Fixed;
use glam::DVec3;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use targets::{Class, Faces, Target, flipped_triangles};

/// Places whose ways differ by less than this are one: a share of the way (no unit).
const ALIKE: f64 = 0.1;

/// Shots of a place that are judged until one is a finding (a count).
const TRIED: usize = 4;

/// Targets that are tried before progress is reported.
const CHUNK: usize = 4096;

/// What to look for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The movers, each with the same shots.
    pub movers: Vec<Mover>,
    /// Seconds of a frame; that of the level's first frame when `None`.
    pub dt: Option<f64>,
    /// Steps of the engine in a frame, >= 1.
    pub substeps: u32,
    /// Random shots of each mover.
    pub trials: u32,
    /// Of the random shots.
    pub seed: u64,
    /// A free place of the movers: what they reach from there comes first. World, metres.
    pub start: Option<DVec3>,
}

/// A place where a mover passes.
#[derive(Clone, Debug)]
pub struct Leak {
    /// Into [`Leaks::movers`].
    pub mover: usize,
    /// The object that it passes.
    pub object: String,
    /// Its number in the level.
    pub object_id: ObjectId,
    /// Faces of the object where the way through is about as long: triangles of a mesh, directions of another shape; ascending.
    pub faces: Vec<u32>,
    /// Where the weakest shot meets the surface, world.
    pub point: DVec3,
    /// Its direction, unit, world.
    pub along: DVec3,
    /// Greatest speed at which the shortest push always leads back, m/s.
    pub holds: f64,
    /// Greatest speed at which an overlap test always detects the mover, m/s, of all shots of the place.
    pub detects: f64,
    /// The speed of the shot that shows it, m/s.
    pub shot: f64,
    /// Whether the mover comes here, and gets out through it; `None` without a start.
    pub reach: Option<Reachability>,
    /// The frame of the shot in [`Leaks::level`].
    pub frame: u32,
    /// What diagnosis finds there.
    pub finding: Finding,
}

/// The result.
#[derive(Debug)]
pub struct Leaks {
    /// The movers that were searched with.
    pub movers: Vec<Mover>,
    /// Seconds of a step of the engine.
    pub step: f64,
    /// The worst first: reached places that lead out, reached ones, the others; then by [`Leak::holds`].
    pub places: Vec<Leak>,
    /// By mover: the shots that were tried.
    pub shots: Vec<usize>,
    /// Weakest shots that diagnosis does not confirm: they are not listed.
    pub unconfirmed: usize,
    /// Objects that were left out, and why.
    pub left_out: Vec<String>,
    /// What is wrong with the meshes themselves.
    pub meshes: Vec<String>,
    /// A recording with the shots, each in a frame of its own; `None` without a place.
    pub level: Option<Level>,
}

impl Leaks {
    /// Greatest speed at which every place that a mover comes to holds it, m/s: at most the stated one.
    pub fn holds(&self, mover: usize) -> f64 {
        let of_mover = self.reached().filter(|place| place.mover == mover);
        of_mover
            .map(|place| place.holds)
            .fold(self.movers[mover].speed, f64::min)
    }

    /// The reached place with the lowest [`Leak::holds`].
    pub fn weakest(&self) -> Option<&Leak> {
        self.reached()
            .min_by(|one, other| one.holds.total_cmp(&other.holds))
    }

    /// What the places that diagnosis does not confirm are; `None` without one.
    pub fn unconfirmed_text(&self) -> Option<String> {
        let places = number::count(self.unconfirmed, "more place");
        (self.unconfirmed > 0).then(|| {
            format!("{places}: shots pass an overlap test there, and diagnosis has no finding with that object")
        })
    }

    fn reached(&self) -> impl Iterator<Item = &Leak> {
        let places = self.places.iter();
        places.filter(|place| place.reach != Some(Reachability::Apart))
    }
}

/// The weakest shots of some faces of an object.
struct Weakest {
    object: ObjectId,
    alike: i64,
    reach: Option<Reachability>,
    faces: Vec<u32>,
    /// The weakest first.
    crossings: Vec<Crossing>,
}

/// Looks for the places where movers pass the fixed surfaces of a level as it is in its first state. The same level gives the same places, whatever
/// the number of threads. `None` when cancelled.
///
/// # Errors
/// A sentence, when there is nothing to look at: no mover, no fixed object, no dt, or the start is not free.
pub fn find(
    level: &Level,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Option<Leaks>, String> {
    let replay = &level.replay;
    if options.movers.is_empty() {
        return Err("there is no mover: name one with its shape and its speed".into());
    }
    let frame = options.dt.unwrap_or_else(|| replay.dt(0));
    let step = frame / f64::from(options.substeps.max(1));
    if !(step > 0.0 && step.is_finite()) {
        return Err("a step takes no time: give dt".into());
    }
    let mut found = Leaks {
        movers: options.movers.clone(),
        step,
        places: Vec::new(),
        shots: Vec::new(),
        unconfirmed: 0,
        left_out: left_out(replay, options.start.is_some()),
        meshes: meshes(replay),
        level: None,
    };
    let mut weakest = Vec::new();
    for (index, mover) in options.movers.iter().enumerate() {
        let fixed = Fixed::of(replay, &mover.object());
        if fixed.solids.is_empty() {
            return Err(format!(
                "{} collides with no fixed object, so there is nothing to pass",
                mover.name
            ));
        }
        let reached = options
            .start
            .map(|start| reach::Reached::from(&fixed, mover, start, progress))
            .transpose()?;
        let targets = targets_of(&fixed, mover, options);
        found.shots.push(targets.len());
        let Some(faces) = weakest_of(&fixed, mover, step, &targets, progress) else {
            return Ok(None);
        };
        let reach = |crossing: &Crossing| reached.as_ref().map(|reached| reached.of(crossing));
        let mut shots = grouped(faces, reach);
        let body = (&mover.shape, &mover.pose());
        let wide = beside(mover, step);
        shots.par_iter_mut().for_each(|place| {
            for crossing in &mut place.crossings {
                if crossing.target.class != Class::Straight && !crossing.target.unseen {
                    *crossing = crossing::weakest_near(&fixed, body, *crossing, wide);
                }
            }
            let crossings = &mut place.crossings;
            crossings.retain(|crossing| crossing.resolved < mover.speed * step);
            crossings.sort_by(|one, other| one.resolved.total_cmp(&other.resolved));
        });
        shots.retain(|place| !place.crossings.is_empty());
        weakest.extend(shots.into_iter().map(|shot| (index, shot)));
    }
    // Nothing to judge.
    if weakest.is_empty() {
        return Ok(Some(found));
    }
    judge(level, options, weakest, &mut found, progress);
    Ok((!progress.cancelled()).then_some(found))
}

/// All targets of a mover.
fn targets_of(fixed: &Fixed<'_>, mover: &Mover, options: &Options) -> Vec<Target> {
    let width = DVec3::AXES.map(|axis| half_width(&mover.shape, &mover.pose(), axis));
    let width = width.into_iter().fold(f64::INFINITY, f64::min);
    // From behind a one-sided surface a mover comes only where it can be.
    let faces = Faces::of(fixed, options.start.is_some());
    let mut all = targets::straight(fixed, &faces, width);
    let mut random = SplitMix64(options.seed);
    let random = targets::random(fixed, &faces, width, &mut random, options.trials);
    all.extend(random);
    all
}

/// Of crossings that may let a mover through at its speed: the push turns not long before their middle.
fn limits(mover: &Mover, step: f64) -> Limits {
    let step = mover.speed * step;
    Limits {
        most: 3.0 * step,
        step,
        pushes: true,
    }
}

/// Of crossings beside an edge, from which the middle of a gap is sought: gaps are no wider than the mover.
fn beside(mover: &Mover, step: f64) -> Limits {
    let most = limits(mover, step).most;
    let most = most.max(3.0 * mover.shape.reach().unwrap_or(0.0));
    Limits {
        most,
        step: most,
        pushes: true,
    }
}

/// The weakest crossing of a mover through each face of each object, of each class. `None` when cancelled.
fn weakest_of(
    fixed: &Fixed<'_>,
    mover: &Mover,
    step: f64,
    targets: &[Target],
    progress: &dyn Progress,
) -> Option<BTreeMap<(ObjectId, Class, u32), Crossing>> {
    let limits = limits(mover, step);
    let wide = beside(mover, step);
    let body = (&mover.shape, &mover.pose());
    let mut faces: BTreeMap<(ObjectId, Class, u32), Crossing> = BTreeMap::new();
    for (done, chunk) in targets.chunks(CHUNK).enumerate() {
        let crossings: Vec<Option<Crossing>> = chunk
            .par_iter()
            .map(|target| match target.class {
                Class::Beside => crossing(fixed, body, target, wide),
                Class::Straight | Class::Random => crossing(fixed, body, target, limits),
            })
            .collect();
        // Beside an edge the weakest is still to be found.
        let leaks = |crossing: &Crossing| {
            crossing.target.class == Class::Beside || crossing.resolved < mover.speed * step
        };
        for crossing in crossings.into_iter().flatten().filter(leaks) {
            let known = faces
                .entry((
                    crossing.target.object,
                    crossing.target.class,
                    crossing.target.face,
                ))
                .or_insert(crossing);
            if crossing.resolved < known.resolved {
                *known = crossing;
            }
        }
        progress.report(((done + 1) * CHUNK) as u64, targets.len() as u64);
        if progress.cancelled() {
            return None;
        }
    }
    Some(faces)
}

/// The faces of an object through which the way is about as long, and that lie alike to the start, as one place.
fn grouped(
    faces: BTreeMap<(ObjectId, Class, u32), Crossing>,
    reach: impl Fn(&Crossing) -> Option<Reachability>,
) -> Vec<Weakest> {
    let mut places: BTreeMap<_, Weakest> = BTreeMap::new();
    for ((object, class, face), crossing) in faces {
        let alike = match crossing.resolved > 0.0 {
            true => (crossing.resolved.ln() / ALIKE).round() as i64,
            false => i64::MIN,
        };
        let reach = reach(&crossing);
        let unseen = crossing.target.unseen;
        // Behind a one-sided surface nobody is, unless the mover comes there.
        if unseen && reach == Some(Reachability::Apart) {
            continue;
        }
        let place = places
            .entry((object, class, alike, reach))
            .or_insert_with(|| Weakest {
                object,
                alike,
                reach,
                faces: Vec::new(),
                crossings: Vec::new(),
            });
        place.faces.push(face);
        let at = place
            .crossings
            .partition_point(|known| known.resolved <= crossing.resolved);
        place.crossings.insert(at, crossing);
        place.crossings.truncate(TRIED);
    }
    places.into_values().collect()
}

/// Judges the weakest shots as frames of a recording, and lists for each place the weakest that is a finding.
fn judge(
    level: &Level,
    options: &Options,
    weakest: Vec<(usize, Weakest)>,
    found: &mut Leaks,
    progress: &dyn Progress,
) {
    let step = found.step;
    let shots = weakest.iter().flat_map(|(mover, place)| {
        let longest = options.movers[*mover].speed * step;
        let crossings = place.crossings.iter();
        crossings.map(move |crossing| shots::Shot::of(*mover, crossing, longest))
    });
    let shots: Vec<shots::Shot> = shots.collect();
    let recorded = shots::recording(level, &options.movers, &shots, step);
    let all = diagnose::Options {
        list_all: true,
        ..diagnose::Options::default()
    };
    let Some(report) = diagnose::diagnose(&recorded, &all, progress) else {
        return;
    };
    let mut findings: BTreeMap<(u32, &str), &Finding> = BTreeMap::new();
    for finding in &report.findings {
        let place = (finding.frame, &*finding.b);
        findings.entry(place).or_insert(finding);
    }
    let objects = level.replay.objects();
    let mut places: BTreeMap<_, Leak> = BTreeMap::new();
    let mut missing = BTreeSet::new();
    let mut frame = 0;
    for (mover, place) in weakest {
        let object = &objects[place.object as usize].name;
        let first = frame;
        frame += 2 * place.crossings.len() as u32;
        let frames = (first..).step_by(2).zip(&place.crossings);
        let confirmed = frames.filter_map(|(frame, crossing)| {
            let finding = findings.get(&(frame, &**object))?;
            Some((frame, crossing, *finding))
        });
        let confirmed: Vec<(u32, &Crossing, &Finding)> = confirmed.collect();
        let lengths = confirmed.iter().map(|(_, crossing, _)| crossing.length);
        let shortest = lengths.fold(f64::INFINITY, f64::min);
        let key = (mover, place.object, place.alike, place.reach);
        // The weakest comes first.
        let weakest = confirmed.first().copied();
        let Some((frame, crossing, finding)) = weakest else {
            missing.insert(key);
            continue;
        };
        let made = Leak {
            mover,
            object: object.clone(),
            object_id: place.object,
            faces: place.faces,
            point: crossing.target.point,
            along: crossing.target.along,
            holds: crossing.resolved / step,
            detects: shortest / step,
            shot: shots[frame as usize / 2].length() / step,
            reach: place.reach,
            frame,
            finding: finding.clone(),
        };
        match places.get_mut(&key) {
            None => {
                places.insert(key, made);
            }
            Some(known) => {
                let mut faces = [&*known.faces, &*made.faces].concat();
                faces.sort_unstable();
                faces.dedup();
                let detects = known.detects.min(made.detects);
                if made.holds < known.holds {
                    *known = made;
                }
                (known.faces, known.detects) = (faces, detects);
            }
        }
    }
    missing.retain(|key| !places.contains_key(key));
    found.unconfirmed = missing.len();
    found.places = places.into_values().collect();
    found.places.sort_by(|one, other| {
        let by_reach = one.reach.cmp(&other.reach);
        by_reach
            .then(one.holds.total_cmp(&other.holds))
            .then(one.frame.cmp(&other.frame))
    });
    found.level = (!found.places.is_empty()).then_some(recorded);
}

/// Objects that no shot is aimed at.
fn left_out(replay: &Replay, has_start: bool) -> Vec<String> {
    let objects = || replay.objects().iter();
    let moving =
        objects().filter(|object| object.movement != Movement::Fixed && !object.is_pushable());
    let moving = moving.count();
    let planes = objects().filter(|object| matches!(object.shape, Shape::Plane(_)));
    let planes = planes.count();
    let fixed = || {
        objects()
            .zip(0..)
            .filter(|(object, _)| object.movement == Movement::Fixed)
    };
    let absent = fixed()
        .filter(|(_, id)| replay.body(0, *id).is_none())
        .count();
    let backs = fixed()
        .filter(|(_, id)| !has_start && replay.is_one_sided(*id))
        .count();
    let text = |count: usize, what: &str, why: &str| {
        let what = number::count(count, what);
        (count > 0).then(|| format!("{what}: {why}"))
    };
    [
        text(moving, "moving obstacle", "only what is fixed is shot at"),
        text(planes, "half space", "nothing passes through one"),
        text(absent, "fixed object", "not there in the first state"),
        text(
            backs,
            "one-sided object",
            "shot at from the front; a start says who comes from behind",
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What is wrong with the meshes of fixed objects: triangles that face the other way, open edges, triangles without an area, doubled ones.
fn meshes(replay: &Replay) -> Vec<String> {
    let objects = replay
        .objects()
        .iter()
        .filter(|object| object.movement == Movement::Fixed);
    let lines = objects.filter_map(|object| {
        let Shape::Mesh(mesh) = &object.shape else {
            return None;
        };
        let flipped = flipped_triangles(mesh).into_iter();
        let flipped = flipped.filter(|flipped| *flipped).count();
        let dirt = mesh.dirt();
        let boundary = mesh.edges().boundary();
        let counts = [
            (
                flipped,
                "triangle that faces",
                "triangles that face",
                " the other way",
            ),
            (boundary as usize, "open edge", "open edges", ""),
            (
                dirt.degenerate as usize,
                "triangle",
                "triangles",
                " without an area",
            ),
            (
                dirt.duplicate as usize,
                "doubled triangle",
                "doubled triangles",
                "",
            ),
        ];
        let counts = counts.iter().filter(|(count, ..)| *count > 0);
        let counts = counts.map(|(count, one, many, more)| count_of(*count, one, many) + more);
        let counts: Vec<String> = counts.collect();
        (!counts.is_empty()).then(|| format!("{}: {}", object.name, counts.join(", ")))
    });
    lines.collect()
}
