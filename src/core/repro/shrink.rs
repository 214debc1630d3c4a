//! Takes away what a finding does not need: frames, objects, triangles, digits, and the details of shapes. What is left is judged
//! after each step, and must have the finding with the same kind, cause and pair.

use super::excerpt::{Choice, excerpt};
use super::simpler;
use crate::core::diagnose::{
    Finding, Fix, Key, Kind, Options, Quantity, SceneSelection, diagnose, minimal_scene,
};
use crate::core::level::{Level, recorded};
use crate::core::number::{count, grouped};
use crate::core::progress::Progress;
use crate::core::replay::{ObjectId, Recording};
use crate::core::shape::Shape;

/// Most objects of a neighbourhood that are left out one by one.
const ONE_BY_ONE: usize = 64;

/// Share by which a motion, a depth or a speed of the finding may change with fewer digits and simpler shapes.
const SAME_FACT: f64 = 0.05;
/// Share by which the value of a fix may change: the notch by which the tables of docs/accuracy.md go below one.
const SAME_NOTCH: f64 = 0.1;

/// What the finding's sentence states of the motion and of the overlap.
const FACTS: [Key; 7] = [
    Key::ClosingSpeed,
    Key::Depth,
    Key::Displacement,
    Key::Speed,
    Key::Travel,
    Key::TravelA,
    Key::TravelB,
];

/// How much a level has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Intervals between states.
    pub frames: usize,
    /// Objects.
    pub objects: usize,
    /// Triangles of their meshes.
    pub triangles: usize,
}

impl Size {
    fn of(frames: usize, shapes: &mut dyn Iterator<Item = &Shape>) -> Self {
        let (mut objects, mut triangles) = (0, 0);
        for shape in shapes {
            objects += 1;
            if let Shape::Mesh(mesh) = shape {
                triangles += mesh.count();
            }
        }
        Self {
            frames,
            objects,
            triangles,
        }
    }

    fn of_level(level: &Level) -> Self {
        let objects = level.replay.objects().iter();
        Self::of(
            level.replay.frames() as usize,
            &mut objects.map(|object| &object.shape),
        )
    }

    fn of_recording(recording: &Recording) -> Self {
        let objects = recording.objects.iter();
        Self::of(
            recording.frames.len().saturating_sub(1),
            &mut objects.map(|object| &object.shape),
        )
    }
}

/// `1 frame of 2 objects, 2 triangles`
impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (frames, objects) = (count(self.frames, "frame"), count(self.objects, "object"));
        write!(f, "{frames} of {objects}")?;
        match self.triangles {
            0 => Ok(()),
            1 => write!(f, ", 1 triangle"),
            many => write!(f, ", {} triangles", grouped(many)),
        }
    }
}

/// The smallest log that was found with a finding.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The log.
    pub recording: Recording,
    /// The finding as it is in the log.
    pub finding: Finding,
    /// How much the level had.
    pub before: Size,
    /// How much the log has.
    pub after: Size,
}

impl Shrunk {
    /// The log as a level.
    pub fn level(&self) -> Level {
        recorded(&self.recording.name, self.recording.clone())
    }
}

/// Shrinks a level to a finding of it.
///
/// # Errors
/// A sentence, when the finding does not stay in a log of any part of the level, or the work was cancelled.
pub fn shrink(level: &Level, finding: &Finding, progress: &dyn Progress) -> Result<Shrunk, String> {
    let judge = Judge {
        finding,
        file: level.file.display().to_string(),
        progress,
    };
    let (recording, found) = smallest_part(level, &judge)?;
    let mut best = (recording, found);
    // A contact that the engine gave does not come from the shapes of the log: others would not get it from the engine.
    let steps: &[Step] = match finding.kind {
        Kind::Phantom => &[simpler::triangles],
        _ => &[simpler::triangles, simpler::digits, simpler::shapes],
    };
    for step in steps {
        let (recording, found) = &best;
        let mut next = None;
        let mut other_facts = None;
        for candidate in step(recording, found) {
            let Some(again) = judge.find(&candidate)? else {
                continue;
            };
            if keeps_facts(found, &again) {
                next = Some((candidate, again));
                break;
            }
            // Few templates write a compound: rather a program of a plain shape with the fix that this one needs than none.
            if has_compound(recording) && !has_compound(&candidate) {
                other_facts = other_facts.or(Some((candidate, again)));
            }
        }
        best = next.or(other_facts).unwrap_or(best);
    }
    let (recording, finding) = best;
    Ok(Shrunk {
        before: Size::of_level(level),
        after: Size::of_recording(&recording),
        recording,
        finding,
    })
}

fn has_compound(recording: &Recording) -> bool {
    let mut shapes = recording.objects.iter().map(|object| &object.shape);
    shapes.any(|shape| matches!(shape, Shape::Compound(_)))
}

/// Whether a finding states what it stated before: the motion and the overlap, no push that there was not, and fixes at the same notch. A body
/// whose rounded places are farther apart than its velocity leads looks pushed, and a rounder shape may be grazed where the first was hit.
fn keeps_facts(before: &Finding, after: &Finding) -> bool {
    let near = |one: f64, other: f64, share: f64| (one - other).abs() <= share * one.abs();
    let fact = |key: &Key| match (before.value(*key), after.value(*key)) {
        (Some(one), Some(other)) => near(one, other, SAME_FACT),
        (one, other) => one.is_some() == other.is_some(),
    };
    let same_value = |one: &Fix, other: &Fix| match (one.what, one.held(), other.held()) {
        (Quantity::Substeps, one, other) => one == other,
        (_, Some(one), Some(other)) => near(one, other, SAME_NOTCH),
        (_, one, other) => one == other,
    };
    let same_fix = |one: &Fix, other: &Fix| {
        one.together().count() == other.together().count()
            && (one.together().zip(other.together()))
                .all(|(one, other)| one.what == other.what && same_value(one, other))
    };
    (before.is_pushed() || !after.is_pushed())
        && FACTS.iter().all(fact)
        && before.fixes.iter().all(|fix| {
            let mut all = after.fixes.iter();
            all.any(|other| same_fix(fix, other))
        })
}

/// Candidates for a smaller log, the smallest first.
type Step = fn(&Recording, &Finding) -> Vec<Recording>;

/// Looks for a finding in other levels.
struct Judge<'j> {
    finding: &'j Finding,
    file: String,
    progress: &'j dyn Progress,
}

impl Judge<'_> {
    /// The finding in a log: of the same kind, cause and pair.
    fn find(&self, recording: &Recording) -> Result<Option<Finding>, String> {
        if self.progress.cancelled() {
            return Err("the work was cancelled".to_owned());
        }
        let level = recorded(&self.file, recording.clone());
        Ok(find_again(&level, self.finding))
    }
}

/// The finding of the same kind, cause and pair in a level.
pub fn find_again(level: &Level, finding: &Finding) -> Option<Finding> {
    let options = Options {
        list_all: true,
        ..Options::default()
    };
    let identity = |one: &Finding| (one.kind, one.cause, one.a.clone(), one.b.clone());
    let report = diagnose(level, &options, &())?;
    let wanted = identity(finding);
    report
        .findings
        .iter()
        .find(|one| identity(one) == wanted)
        .cloned()
}

/// The finding in the fewest objects and frames: first the pair alone, then what is near it, then all of a small level; for each the states of
/// the finding's first frame, then more and more of them on both sides.
fn smallest_part(level: &Level, judge: &Judge<'_>) -> Result<(Recording, Finding), String> {
    let finding = judge.finding;
    let mut pair: Vec<ObjectId> = [finding.object_a, finding.object_b]
        .into_iter()
        .flatten()
        .collect();
    pair.sort_unstable();
    let camera = finding.object_a.is_none();
    let near = near(level, finding, judge.progress)?;
    let all: Vec<ObjectId> = (0..level.replay.objects().len() as ObjectId).collect();
    let mut sets = vec![pair.clone()];
    sets.extend([near, all].into_iter().filter(|set| set.len() > pair.len()));
    for objects in sets {
        let Some(found) = fewest_frames(level, objects, camera, judge)? else {
            continue;
        };
        return fewest_objects(level, found, &pair, judge);
    }
    Err(format!(
        "the finding is not in a log of the level's states, as it depends on what happens inside a frame: {}",
        finding.text
    ))
}

/// A part of a level with the finding.
type Found = (Choice, Recording, Finding);

fn attempt(level: &Level, choice: Choice, judge: &Judge<'_>) -> Result<Option<Found>, String> {
    let recording = excerpt(level, &choice);
    let found = judge.find(&recording)?;
    Ok(found.map(|finding| (choice, recording, finding)))
}

/// The fewest states in which some objects have the finding.
fn fewest_frames(
    level: &Level,
    objects: Vec<ObjectId>,
    camera: bool,
    judge: &Judge<'_>,
) -> Result<Option<Found>, String> {
    let frames = level.replay.frames();
    let event = judge.finding.frame;
    let choice = |before: u32, after: u32| Choice {
        objects: objects.clone(),
        states: event.saturating_sub(before)..=frames.min((event + 1).saturating_add(after)),
        camera,
    };
    let widths = [0].into_iter().chain((0..32).map(|power| 1_u32 << power));
    let mut found = None;
    let mut width = 0;
    for wider in widths {
        width = wider;
        found = attempt(level, choice(width, width), judge)?;
        if found.is_some() || (width > event && width >= frames - event) {
            break;
        }
    }
    let Some(mut found) = found else {
        return Ok(None);
    };
    // Each side by itself: the first that is enough of 0, 1, 2, 4 ..
    let fewer = |most: u32| {
        [0].into_iter()
            .chain((0..32).map(|power| 1_u32 << power))
            .take_while(move |it| *it < most)
    };
    let mut after = width;
    for less in fewer(width) {
        if let Some(smaller) = attempt(level, choice(width, less), judge)? {
            (found, after) = (smaller, less);
            break;
        }
    }
    for less in (0..width).filter(|less| *less < 8 || less.is_power_of_two()) {
        if let Some(smaller) = attempt(level, choice(less, after), judge)? {
            found = smaller;
            break;
        }
    }
    Ok(Some(found))
}

/// Leaves out what is not of the pair, one object after the other.
fn fewest_objects(
    level: &Level,
    found: Found,
    pair: &[ObjectId],
    judge: &Judge<'_>,
) -> Result<(Recording, Finding), String> {
    let mut best = found;
    let others: Vec<ObjectId> = best
        .0
        .objects
        .iter()
        .copied()
        .filter(|id| !pair.contains(id))
        .collect();
    if others.len() <= ONE_BY_ONE {
        for other in others {
            let mut choice = best.0.clone();
            choice.objects.retain(|id| *id != other);
            if let Some(smaller) = attempt(level, choice, judge)? {
                best = smaller;
            }
        }
    }
    let (_, recording, finding) = best;
    Ok((recording, finding))
}

/// The objects near the finding in its frame, as the scene of that frame has them.
fn near(
    level: &Level,
    finding: &Finding,
    progress: &dyn Progress,
) -> Result<Vec<ObjectId>, String> {
    let (scene, _) = minimal_scene(
        level,
        finding.frame,
        SceneSelection::Neighbourhood,
        progress,
    )?;
    let ids = scene
        .objects
        .iter()
        .filter_map(|object| level.replay.object_named(&object.name));
    let mut ids: Vec<ObjectId> = ids.collect();
    ids.extend([finding.object_a, finding.object_b].into_iter().flatten());
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}
