//! Findings of a level: what collision detection missed, the cause, the evidence, and the values that fix it.
//!
//! Frames are judged in parallel and independently: swept boxes give the candidate pairs, a sweep of the relative motion and the overlap
//! tests at both ends give the kind, and each cause is tested. Then events that continue over frames are merged, findings are
//! sorted, and the scene's expectations are checked.
//!
//! Resting and rolling contact is not a finding. A pair that overlaps when the frame begins is reported only if a centre
//! passes a surface during the frame; a corner cut less deep than 2 % of the smaller body is not reported.

mod cause;
mod causes;
mod changes;
mod compound_parts;
mod contact_history;
mod context;
mod detect;
mod detected_interval;
mod engine_preset;
mod event_metrics;
mod evidence;
mod expect;
pub mod explain;
mod f32_recheck;
mod finding;
mod fix;
mod group;
mod judge_frame;
mod judged_event;
mod kind;
mod level_facts;
mod level_fix;
mod level_fixes;
pub(crate) mod limits;
mod merge;
mod mesh_triangles;
mod minimal_scene;
mod not_judged;
mod overlap_depth;
mod pair;
pub mod phase_sweep;
mod piles;
mod platforms;
mod rotating_pair;
mod shape_metrics;
mod sideways_push;
mod substeps;
mod sweep_hit;
mod threshold_search;
mod two_segment_path;
pub mod what_if;
mod whole_pair;

pub use cause::{Cause, Family};
pub use causes::{Help, RelevantFields, SceneField};
pub use changes::{Changes, Identity, NEAR_FRAMES, same_findings};
pub use evidence::{Evidence, Key};
pub use expect::{expected_finding, expected_hit, expected_position, expected_push};
pub use finding::{
    ExpectationResult, Finding, Group, NotJudged, Pile, PileState, Reason, Report, Source, Verdict,
};
pub use fix::{Fix, Quantity};
pub use group::group_of_each;
pub use kind::Kind;
pub use level_fix::LevelFix;
pub use level_fixes::{causes_that_stay, level_fixes, name_pattern, stay_with_each};
pub use minimal_scene::{SceneSelection, inline_meshes, minimal_scene};

use self::context::{Context, FrameFindings};
use self::level_facts::LevelFacts;
use self::merge::Merger;
use self::platforms::Platforms;
use super::level::Level;
use super::progress::Progress;
use super::replay::{Frame, Phase, Recording, Replay};
use super::scene::Detection;
use super::tolerance::FINDINGS_PER_OBJECT;
use rayon::prelude::*;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Frames diagnosed in parallel before their findings are merged; bounds the memory.
const CHUNK: u32 = 16;
/// Number of objects in all of them: of large levels fewer frames are held in memory.
const CHUNK_OBJECTS: usize = 400_000;

/// Version of the report's form, `docs/report.schema.json`. 2: `fixes` and `what_if.changes` have `holds` and `detects`. 3: the cause of what was
/// not judged may be null. 4: `level_fixes`.
const SCHEMA: u32 = 4;

/// What to diagnose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Frames to look at; all when `None`.
    pub frames: Option<RangeInclusive<u32>>,
    /// Overrides the detection of a stepped scene.
    pub detection: Option<Detection>,
}

/// Diagnoses a level and checks its expectations. The same level gives the same report, whatever the number of threads.
///
/// `None` when cancelled. [`Report::seconds`] is `None`; the caller may fill it in.
///
/// ```
/// use hitstop::core::{diagnose, level};
///
/// let level = level::open("scenes/bullet_through_paper.ron".as_ref(), &())?;
/// let options = diagnose::Options { frames: Some(0..=2), ..Default::default() };
/// let report = diagnose::diagnose(&level, &options, &()).expect("not cancelled");
/// for finding in &report.findings {
///     println!("frame {}, {}: {}", finding.frame, finding.cause.id(), finding.text);
/// }
/// # assert_eq!(report.findings.len(), 1);
/// # Ok::<(), hitstop::core::problem::Problems>(())
/// ```
pub fn diagnose(level: &Level, options: &Options, progress: &dyn Progress) -> Option<Report> {
    let replay = with_detection(&level.replay, options.detection);
    let last_of_level = replay.frames().saturating_sub(1);
    let (first, last) = match &options.frames {
        Some(range) => (*range.start(), (*range.end()).min(last_of_level)),
        None => (0, last_of_level),
    };
    let whole = first == 0 && last == last_of_level;
    let part = (!whole).then_some(first..=last);
    let mut report = Report {
        schema: SCHEMA,
        file: level.file.display().to_string(),
        name: replay.scene().name.clone(),
        frames: if first <= last { last - first + 1 } else { 0 },
        objects: replay.objects().len(),
        not_judged: not_judged::not_judged(&replay),
        notices: level.notices.iter().map(ToString::to_string).collect(),
        ..Report::default()
    };
    let any_frame = replay.frames() > 0 && first <= last;
    if !any_frame {
        report.frames = 0;
        report.notices.push(match options.frames {
            Some(_) if replay.frames() > 0 => {
                format!("no frame was diagnosed: the level ends with frame {last_of_level}")
            }
            _ => "no frame was diagnosed: the level has a single state".to_owned(),
        });
    }
    if any_frame {
        find(&replay, first..=last, progress, &mut report)?;
    }
    let lost = |recording: &Arc<Recording>| recording.data.has_failed();
    if replay.recording().is_some_and(lost) {
        let what = "the temporary file of this long recording failed, so frames may be missing: free some space, then open it again";
        report.notices.push(what.to_owned());
    }
    report.groups = group::groups(&report.findings);
    report.expectations = expect::evaluate(&replay, part.as_ref(), &mut report.findings);
    (!progress.cancelled()).then_some(report)
}

/// The same replay, or the scene stepped with another detection.
pub fn with_detection(replay: &Arc<Replay>, detection: Option<Detection>) -> Arc<Replay> {
    match detection {
        Some(detection)
            if replay.recording().is_none() && detection != replay.scene().detection =>
        {
            Arc::new(replay.with_detection(detection))
        }
        _ => Arc::clone(replay),
    }
}

/// Diagnoses the frames and fills in the report's findings, counts and notices; `None` when cancelled.
fn find(
    replay: &Replay,
    range: RangeInclusive<u32>,
    progress: &dyn Progress,
    report: &mut Report,
) -> Option<()> {
    let facts = LevelFacts::of(replay);
    let (first, last) = range.into_inner();
    let context = Context {
        replay,
        facts: &facts,
        last,
    };
    let mut merger = Merger::default();
    let mut platforms = Platforms::default();
    let mut tilted_contacts = Vec::new();
    let mut initial = Vec::new();
    detect::starts_inside::at_first(&context, first, &mut initial);
    initial.into_iter().for_each(|finding| merger.add(finding));
    let (mut unproven, mut left_out) = (0, 0);
    let mut more_pushes = Vec::new();
    let done = AtomicU64::new(0);
    let total = u64::from(last - first) + 1;
    let mut from = first;
    let objects = replay.objects().len().max(1);
    let chunk = (CHUNK_OBJECTS / objects).clamp(2, CHUNK as usize) as u32;
    loop {
        let to = last.min(from.saturating_add(chunk - 1));
        let frames = fetch(replay, from..=to);
        let judged: Option<Vec<FrameFindings>> = frames
            .par_iter()
            .map(|frame| {
                let judged = (!progress.cancelled()).then(|| judge_frame::judge(&context, frame));
                progress.report(done.fetch_add(1, Ordering::Relaxed) + 1, total);
                judged
            })
            .collect();
        for (frame, judged) in frames.iter().zip(judged?) {
            report.pairs_swept += judged.stats.sweeps;
            unproven += judged.stats.unproven;
            left_out += judged.stats.left_out;
            platforms.add(frame.number, &judged.driven_inside);
            tilted_contacts.extend(judged.tilted_contacts);
            judged
                .findings
                .into_iter()
                .for_each(|finding| merger.add(finding));
            if frame.gave_up {
                report.notices.push(format!(
                    "frame {}: too many impacts to step through; it was finished without them",
                    frame.number
                ));
            }
        }
        more_pushes.extend(frames.iter().filter_map(|frame| unlisted_pushes(frame)));
        merger.follow(&context, &frames);
        if to == last {
            break;
        }
        from = to + 1;
    }
    if unproven > 0 {
        let crossings = if unproven == 1 {
            "1 possible crossing is"
        } else {
            &format!("{unproven} possible crossings are")
        };
        report.notices.push(format!(
            "{crossings} not listed: shapes that rotate or have no exact sweep were hit off-centre, which proves nothing"
        ));
    }
    if left_out > 0 {
        let pairs = if left_out == 1 {
            "1 pair was"
        } else {
            &format!("{left_out} pairs were")
        };
        report.notices.push(format!(
            "{pairs} not judged: in its frame each of the two objects had {FINDINGS_PER_OBJECT} findings already"
        ));
    }
    report
        .notices
        .extend(detect::log_check::tilted_notice(replay, &tilted_contacts));
    let states = first..=last.saturating_add(1);
    report
        .notices
        .extend(detect::log_check::opposed::notice(replay, states));
    if let Some(&(frame, listed, all)) = more_pushes.first() {
        report.notices.push(format!(
            "{}: {all} pushes in frame {frame}, of which the first {listed} are listed",
            match more_pushes.len() {
                1 => "too many pushes to list".to_owned(),
                frames => format!("too many pushes to list in {frames} frames"),
            }
        ));
    }
    let merged = merger.finish();
    report.findings = merged.findings;
    let left_out = platforms.leave_out(replay, &mut report.findings);
    report.not_judged.extend(left_out);
    report.notices.extend(merged.notices);
    Some(())
}

/// A frame's number, its listed pushes and the total, if larger.
fn unlisted_pushes(frame: &Frame) -> Option<(u32, u32, u32)> {
    let last = frame.phases.iter().rev().find_map(|phase| match phase {
        Phase::Push { number, of, .. } => Some((*number, *of)),
        _ => None,
    });
    let (listed, all) = last.filter(|(listed, all)| listed < all)?;
    Some((frame.number, listed, all))
}

/// Some frames of a level: a stepped one in their order, as each costs the step from the one before; a log's side by side.
fn fetch(replay: &Replay, range: RangeInclusive<u32>) -> Vec<Arc<Frame>> {
    if replay.recording().is_some() {
        let (first, last) = range.into_inner();
        (first..=last)
            .into_par_iter()
            .map(|number| replay.frame(number))
            .collect()
    } else {
        range.map(|number| replay.frame(number)).collect()
    }
}
