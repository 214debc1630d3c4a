//! Findings of a level: what collision detection missed, the cause, the evidence, and the values that fix it.
//!
//! Frames are judged in parallel and independently: swept boxes give the candidate pairs, the passages of a pair (`judge`), what its
//! neighbours change (`solids`) and the overlaps before the frame (`contact_history`) give the kind, and each cause is tested. Then events that continue over frames are merged, findings are
//! sorted, and the scene's expectations are checked.
//!
//! Resting and rolling contact is not a finding. A passage less deep than the slop is not reported: 2 % of the smaller body, or
//! more where the margin, the skin of the engine or the spacing of the recorded numbers is wider.

mod cause;
mod causes;
mod changes;
mod compound_parts;
mod contact_history;
mod context;
mod detect;
mod detected_interval;
mod diagnosis;
mod engine_preset;
mod event_metrics;
mod evidence;
mod expect;
pub mod explain;
mod f32_recheck;
mod finding;
mod finding_list;
mod fix;
mod group;
mod judge;
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
mod report;
mod rotating_pair;
mod shape_metrics;
mod sideways_push;
mod solids;
mod substeps;
mod threshold_search;
mod two_segment_path;
pub mod what_if;

pub use cause::{Cause, Family};
pub use causes::{Help, RelevantFields, SceneField};
pub use changes::{Changes, Identity, NEAR_FRAMES, same_findings};
pub use diagnosis::Diagnosis;
pub use evidence::{Evidence, Key};
pub use expect::{expected_finding, expected_hit, expected_position, expected_push};
pub use finding::{Finding, Pile, PileState, Reason, Source};
pub use finding_list::{FindingList, LISTED};
pub use fix::{Fix, Quantity};
pub use group::group_of_each;
pub use kind::Kind;
pub use level_fix::LevelFix;
pub use level_fixes::{causes_that_stay, level_fixes, name_pattern, stay_with_each};
pub use minimal_scene::{SceneSelection, inline_meshes, minimal_scene};

pub use report::{ExpectationResult, Group, NotJudged, Report, Verdict};

use super::level::Level;
use super::progress::Progress;
use super::replay::{Recording, Replay};
use super::scene::Detection;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Version of the report's form, `docs/report.schema.json`. 2: `fixes` and `what_if.changes` have `holds` and `detects`. 3: the cause of what was
/// not judged may be null. 4: `level_fixes`. 5: a file that cannot be used has a report with `error`; `build` and `engine`.
pub const SCHEMA: u32 = 5;

/// What to diagnose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Frames to look at; all when `None`.
    pub frames: Option<RangeInclusive<u32>>,
    /// Overrides the detection of a stepped scene.
    pub detection: Option<Detection>,
    /// Lists every finding. Without it, those after the first [`LISTED`] are in a temporary file, unless the scene has expectations.
    pub list_all: bool,
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
    diagnose_in_parts(level, options, progress, &mut |_| ())
}

/// The same; `on_part` is called after some frames, and may take the [report so far](Diagnosis::report).
///
/// `None` when cancelled.
pub fn diagnose_in_parts(
    level: &Level,
    options: &Options,
    progress: &dyn Progress,
    on_part: &mut dyn FnMut(&Diagnosis),
) -> Option<Report> {
    let replay = with_detection(&level.replay, options.detection);
    let last_of_level = replay.frames().saturating_sub(1);
    let (first, last) = match &options.frames {
        Some(range) => (*range.start(), (*range.end()).min(last_of_level)),
        None => (0, last_of_level),
    };
    let any_frame = replay.frames() > 0 && first <= last;
    let list_all = options.list_all || !replay.scene().expect.is_empty();
    let most = if list_all { usize::MAX } else { LISTED };
    let mut diagnosis = Diagnosis::listing(first, most);
    if any_frame {
        diagnosis.advance(&replay, last, progress, on_part)?;
    }
    let mut report = diagnosis.finish(&replay, &level.file);
    let whole = first == 0 && last == last_of_level;
    let part = (!whole).then_some(first..=last);
    report
        .not_judged
        .splice(0..0, not_judged::not_judged(&replay));
    let notices = level.notices.iter().map(ToString::to_string);
    report.notices.splice(0..0, notices);
    if !any_frame {
        report.notices.push(match options.frames {
            Some(_) if replay.frames() > 0 => {
                format!("no frame was diagnosed: the level ends with frame {last_of_level}")
            }
            _ => "no frame was diagnosed: the level has a single state".to_owned(),
        });
    }
    let lost = |recording: &Arc<Recording>| recording.data.has_failed();
    if replay.recording().is_some_and(lost) {
        let what = "the temporary file of this long recording failed, so frames may be missing: free some space, then open it again";
        report.notices.push(what.to_owned());
    }
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
