//! The diagnosis of a level frame by frame; it can go on when the level has more frames.

use super::detect::frame_findings::FrameFindings;
use super::detect::judge_frame;

use super::detect::log_check::{behind_notice, opposed, tilted_notice};
use super::detect::starts_inside;
use super::level_facts::context::Context;
use super::level_facts::overlaps::KnownOverlaps;
use super::level_facts::{FactsSoFar, gravity, units};
use super::report::content::{Report, SCHEMA};
use super::report::finding_list::LISTED;
use super::report::margins::ClosestCalls;
use super::report::merge::Merger;
use super::report::outside::Presence;
use super::report::platforms::Platforms;
use super::report::{expect, not_judged, outside};
use crate::core::level::Level;
use crate::core::number::grouped;
use crate::core::progress::Progress;
use crate::core::replay::{Frame, ObjectId, Phase, Recording, Replay};
use crate::core::scene::Detection;
use crate::core::tolerance::{FINDINGS_PER_FRAME, FINDINGS_PER_OBJECT};
use rayon::prelude::*;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Frames diagnosed in parallel before their findings are merged, at most; bounds the memory.
const CHUNK: u32 = 16;
/// Findings in all of them at most, as many as the frames before had; but two frames are always judged at a time.
const CHUNK_FINDINGS: usize = 16_384;
/// Number of objects in all of them: of large levels fewer frames are held in memory.
const CHUNK_OBJECTS: usize = 400_000;

/// The findings of a level's frames so far.
///
/// A level that grows, such as a recording that is being received, is diagnosed as its frames come: each is judged by what is known of
/// the level then. [`diagnose`](diagnose()) judges all of them by the whole level.
#[derive(Clone)]
pub struct Diagnosis {
    first: u32,
    /// The first frame that is not judged yet.
    next: u32,
    facts: FactsSoFar,
    merger: Merger,
    platforms: Platforms,
    /// `None` where nobody asks for them.
    closest_calls: Option<ClosestCalls>,
    tilted_contacts: Vec<f64>,
    queries_behind: Vec<(u32, ObjectId, ObjectId)>,
    pairs_swept: u64,
    unproven: u64,
    left_out: u64,
    more_pushes: Vec<(u32, u32, u32)>,
    /// States with contacts of a pair that push against each other.
    opposed: Vec<(u32, ObjectId, ObjectId)>,
    /// Frames that were finished without all impacts.
    gave_up: Vec<u32>,
    presence: Presence,
}

impl Diagnosis {
    /// No frames yet; the first one to be judged.
    pub fn starting_at(first: u32) -> Self {
        Self::listing(first, LISTED)
    }

    /// The same, with a number of findings to list.
    pub(super) fn listing(first: u32, most: usize) -> Self {
        Self {
            first,
            next: first,
            facts: FactsSoFar::default(),
            merger: Merger::new(most),
            platforms: Platforms::default(),
            closest_calls: None,
            tilted_contacts: Vec::new(),
            queries_behind: Vec::new(),
            pairs_swept: 0,
            unproven: 0,
            left_out: 0,
            more_pushes: Vec::new(),
            opposed: Vec::new(),
            gave_up: Vec::new(),
            presence: Presence::default(),
        }
    }

    /// The same, which also measures the closest calls of pairs without a finding.
    pub fn with_margins(self) -> Self {
        Self {
            closest_calls: Some(ClosestCalls::default()),
            ..self
        }
    }

    /// Number of frames that are judged.
    pub fn frames(&self) -> u32 {
        self.next - self.first
    }

    /// Judges the frames up to `last`, one of the level's; `on_part` is called after some of them. `replay` is that of the call before,
    /// or one of the same objects and frames with more after them.
    ///
    /// `None` when cancelled; it can go on later.
    pub fn advance(
        &mut self,
        replay: &Replay,
        last: u32,
        progress: &dyn Progress,
        on_part: &mut dyn FnMut(&Self),
    ) -> Option<()> {
        self.facts.extend(replay);
        let facts = self.facts.facts(replay);
        let context = Context {
            replay,
            facts: &facts,
            last,
            margins: self.closest_calls.is_some(),
            overlaps: KnownOverlaps::default(),
        };
        if self.next == self.first {
            let mut initial = FrameFindings::default();
            starts_inside::at_first(&context, self.first, &mut initial);
            self.left_out += initial.stats.left_out;
            self.merger = self.merger.restarted();
            let initial = initial.findings.into_iter();
            initial.for_each(|finding| self.merger.add(replay, finding));
        }
        let done = AtomicU64::new(u64::from(self.frames()));
        let total = u64::from(last - self.first) + 1;
        let objects = replay.objects().len().max(1);
        let largest = (CHUNK_OBJECTS / objects).clamp(2, CHUNK as usize);
        let mut chunk = 2;
        while self.next <= last {
            let to = last.min(self.next.saturating_add(chunk as u32 - 1));
            let frames = fetch(replay, self.next..=to);
            let judged: Option<Vec<FrameFindings>> = frames
                .par_iter()
                .map(|frame| {
                    let judged =
                        (!progress.cancelled()).then(|| judge_frame::judge(&context, frame));
                    progress.report(done.fetch_add(1, Ordering::Relaxed) + 1, total);
                    judged
                })
                .collect();
            let judged = judged?;
            let found: usize = judged.iter().map(|frame| frame.findings.len()).sum();
            let fit = CHUNK_FINDINGS * frames.len() / found.max(1);
            chunk = fit.min(2 * chunk).clamp(2, largest);
            self.take(&context, &frames, judged);
            self.next = to + 1;
            self.merger.store_settled(replay.objects(), self.next);
            on_part(self);
        }
        Some(())
    }

    /// Adds the findings of frames.
    fn take(&mut self, context: &Context<'_>, frames: &[Arc<Frame>], judged: Vec<FrameFindings>) {
        for (frame, judged) in frames.iter().zip(judged) {
            self.pairs_swept += judged.stats.sweeps;
            self.unproven += judged.stats.unproven;
            self.left_out += judged.stats.left_out;
            self.platforms.add(frame.number, &judged.driven_inside);
            if let Some(calls) = &mut self.closest_calls {
                calls.add(judged.margins);
            }
            self.tilted_contacts.extend(judged.tilted_contacts);
            self.queries_behind.extend(judged.queries_behind);
            let findings = judged.findings.into_iter();
            findings.for_each(|finding| self.merger.add(context.replay, finding));
            self.gave_up.extend(frame.gave_up.then_some(frame.number));
            if frame.number == self.first {
                self.presence.add(frame.number, frame.start.ids());
            }
            self.presence.add(frame.number + 1, frame.end.ids());
        }
        if let Some(recording) = context.replay.recording() {
            let states = frames.iter().flat_map(|frame| {
                let first = (frame.number == self.first).then_some(frame.number);
                first.into_iter().chain([frame.number + 1])
            });
            self.opposed.extend(states.filter_map(|state| {
                let data = recording.data.events(state as usize);
                let (a, b) = opposed::pair(context.replay, &data.contacts)?;
                Some((state, a, b))
            }));
        }
        let unlisted = frames.iter().filter_map(|frame| unlisted_pushes(frame));
        self.more_pushes.extend(unlisted);
        self.merger.follow(context, frames);
    }

    /// The report so far, without the level's notices, its expectations, and the causes that were not checked. `file` is the name of the
    /// level's file.
    pub fn report(&self, replay: &Replay, file: &Path) -> Report {
        self.clone().finish(replay, file)
    }

    /// The same of all frames.
    pub(super) fn finish(self, replay: &Replay, file: &Path) -> Report {
        let mut notices = self.notices(replay);
        let mut report = Report {
            schema: SCHEMA,
            file: file.display().to_string(),
            name: replay.scene().name.clone(),
            build: replay.recording().and_then(|it| it.build.clone()),
            engine: replay.engine().name,
            units: replay.units(),
            frames: self.frames(),
            objects: replay.objects().len(),
            pairs_swept: self.pairs_swept,
            margins: self
                .closest_calls
                .as_ref()
                .map(|calls| calls.finish(replay)),
            ..Report::default()
        };
        match self.merger.finish(replay, self.platforms) {
            Ok(merged) => {
                report.findings = merged.findings;
                report.groups = merged.groups;
                report.put_in_order();
                report.not_judged.extend(merged.platforms);
                notices.extend(merged.notices);
            }
            Err(error) => notices.push(format!(
                "no finding is listed, as the temporary file of many findings failed: {error}; free some space, then try again"
            )),
        }
        if let Some(frame) = report.findings.first_beyond() {
            let more = grouped(report.findings.total() - report.findings.len());
            let listed = grouped(report.findings.len());
            notices.push(format!(
                "{more} more findings, from frame {frame} on: only the first {listed} are listed and compared with changes; `hitstop check --format json` writes all"
            ));
        }
        report.notices = notices;
        report
    }

    fn notices(&self, replay: &Replay) -> Vec<String> {
        let gave_up = |number| {
            format!(
                "frame {number}: too many impacts to step through; it was finished without them"
            )
        };
        let mut notices: Vec<String> = self.gave_up.iter().map(gave_up).collect();
        if self.unproven > 0 {
            let crossings = if self.unproven == 1 {
                "1 possible crossing is"
            } else {
                &format!("{} possible crossings are", self.unproven)
            };
            notices.push(format!(
                "{crossings} not listed: shapes that rotate or have no exact sweep were hit off-centre, which proves nothing"
            ));
        }
        if self.left_out > 0 {
            let pairs = if self.left_out == 1 {
                "1 pair was"
            } else {
                &format!("{} pairs were", self.left_out)
            };
            notices.push(format!(
                "{pairs} not judged: in its frame each of the two objects had {FINDINGS_PER_OBJECT} findings already, or the frame had {}",
                grouped(FINDINGS_PER_FRAME)
            ));
        }
        notices.extend(units::notice(replay, gravity(replay).length()));
        notices.extend(tilted_notice(replay, &self.tilted_contacts));
        notices.extend(behind_notice(replay, &self.queries_behind));
        notices.extend(opposed::notice(replay, &self.opposed));
        if let Some(&(frame, listed, all)) = self.more_pushes.first() {
            notices.push(format!(
                "{}: {all} pushes in frame {frame}, of which the first {listed} are listed",
                match self.more_pushes.len() {
                    1 => "too many pushes to list".to_owned(),
                    frames => format!("too many pushes to list in {frames} frames"),
                }
            ));
        }
        notices
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::replay::{FrameMotion, FrameState, StartBoxes};
    use glam::DVec3;

    #[test]
    fn a_frame_that_lists_some_of_its_pushes_gives_both_counts() {
        let still = Arc::new(FrameState::default());
        let push = |number: u32, of: u32| Phase::Push {
            number,
            of,
            at: 1.0,
            object: 0,
            against: None,
            push: DVec3::X,
            before: DVec3::ZERO,
            after: DVec3::X,
            contact: None,
        };
        for (pushes, unlisted) in [
            (vec![push(1, 3), push(2, 3)], Some((7, 2, 3))),
            (vec![push(1, 2), push(2, 2)], None),
            (Vec::new(), None),
        ] {
            let frame = Frame {
                number: 7,
                dt: 1.0,
                start: Arc::clone(&still),
                end: Arc::clone(&still),
                motion: FrameMotion::Segments(Vec::new()),
                phases: [vec![Phase::Start], pushes, vec![Phase::End]].concat(),
                camera: None,
                gave_up: false,
                start_boxes: StartBoxes::default(),
            };
            assert_eq!(unlisted_pushes(&frame), unlisted);
        }
    }
}

/// What to diagnose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Frames to look at; all when `None`.
    pub frames: Option<RangeInclusive<u32>>,
    /// Overrides the detection of a stepped scene.
    pub detection: Option<Detection>,
    /// Lists every finding. Without it, those after the first [`LISTED`] are in a temporary file, unless the scene has expectations.
    pub list_all: bool,
    /// Measures the closest calls of pairs without a finding ([`Report::margins`]).
    pub margins: bool,
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
    if options.margins || expect::needs_margins(&replay) {
        diagnosis = diagnosis.with_margins();
    }
    if any_frame {
        diagnosis.advance(&replay, last, progress, on_part)?;
    }
    let presence = std::mem::take(&mut diagnosis.presence);
    let mut report = diagnosis.finish(&replay, &level.file);
    let whole = first == 0 && last == last_of_level;
    let part = (!whole).then_some(first..=last);
    if whole && any_frame {
        report.outside = outside::outside(&replay, &report.findings, &presence);
    }
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
        let what = "the temporary file of this long recording cannot be read back, so frames are missing: open it again";
        report.notices.push(what.to_owned());
    }
    report.expectations = expect::evaluate(
        &replay,
        part.as_ref(),
        &mut report.findings,
        report.margins.as_ref(),
    );
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
