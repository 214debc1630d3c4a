//! Comparison of the open level with another replay: the other replay, the differences, and the growth curve of one object.
//!
//! Reading, comparing and the curve are background jobs; the latest request counts.

pub mod tracks;

use self::tracks::Tracks;
use super::diagnosing::diagnose;
use super::document::FrameLoader;
use super::job::{JobDone, JobKind, Jobs, SessionDone, Stepped};
use super::other_gap::{GapKey, OtherGap};
use super::other_level::{Against, OtherLevel, open_other};
use crate::app::view_state::Playhead;
use crate::core::diagnose::{Changes, Report};
use crate::core::level::Level;
use crate::core::problem::Problem;
use crate::core::replay::compare::{
    self, Alignment, Comparison, GrowthPoint, Matching, Settings, Subject, beside, is_before,
    subjects,
};
use crate::core::replay::{Frame, ObjectId, Replay};
use std::path::PathBuf;
use std::sync::Arc;

/// The other replay.
pub struct Other {
    /// Name to show.
    pub name: String,
    /// The replay.
    pub replay: Arc<Replay>,
    /// Matching of the objects of both replays.
    pub subjects: Vec<Subject>,
    fitting: Alignment,
    frames: FrameLoader,
    /// Its report, once it is diagnosed.
    pub report: Option<Arc<Report>>,
    /// The findings of the open level that are new beside the other's, for a report.
    changes: Option<(Arc<Report>, Changes)>,
}

/// Growth curve of one object's difference.
pub struct Curve {
    /// The object.
    pub subject: Subject,
    /// Points over the frames of the open level.
    pub points: Vec<GrowthPoint>,
}

/// State of the comparison.
#[derive(Default)]
pub struct Compare {
    /// Time alignment and tolerance.
    pub settings: Settings,
    against: Option<Against>,
    tracks: Tracks,
    other: Option<Other>,
    result: Option<Arc<Comparison>>,
    chosen: Option<Subject>,
    /// The object whose curve is being computed.
    growing: Option<Subject>,
    curve: Option<Curve>,
    gap: Option<OtherGap>,
    before: Option<Arc<Replay>>,
    /// The run before has changed since it was last compared with.
    before_changed: bool,
    reloading: bool,
}

impl Compare {
    /// What the level is compared with.
    pub fn against(&self) -> Option<&Against> {
        self.against.as_ref()
    }

    /// The files that the level is compared with.
    pub fn tracks(&self) -> &Tracks {
        &self.tracks
    }

    /// The other replay, once it is read.
    pub fn other(&self) -> Option<&Other> {
        self.other.as_ref()
    }

    /// The differences, once they are computed.
    pub fn result(&self) -> Option<&Arc<Comparison>> {
        self.result.as_ref()
    }

    /// How the findings of the open level differ from those of the other, once both are known.
    pub fn changes(&self) -> Option<&Changes> {
        let (_, changes) = self.other.as_ref()?.changes.as_ref()?;
        Some(changes)
    }

    /// Compares the findings with those of the open level, if either are new.
    pub(super) fn compare_findings(&mut self, report: Option<&Arc<Report>>) {
        let Some((other, report)) = self.other.as_mut().zip(report) else {
            return;
        };
        let known = other.changes.as_ref();
        if known.is_some_and(|(of, _)| Arc::ptr_eq(of, report)) {
            return;
        }
        other.changes = other.report.as_ref().map(|before| {
            let changes = Changes::between(&before.findings, &report.findings);
            (Arc::clone(report), changes)
        });
    }

    /// Stores the report of the other level; `None` when its diagnosis was stopped.
    pub(super) fn take_report(&mut self, report: Option<Report>) {
        if let Some(other) = &mut self.other {
            other.report = report.map(Arc::new);
            other.changes = None;
        }
    }

    /// The object whose difference is drawn.
    pub fn chosen(&self) -> Option<Subject> {
        self.chosen
    }

    /// Growth curve of the chosen object, once it is computed.
    pub fn curve(&self) -> Option<&Curve> {
        let curve = self.curve.as_ref()?;
        (Some(curve.subject) == self.chosen).then_some(curve)
    }

    /// Returns true if there is an earlier run of the open level.
    pub fn has_run_before(&self) -> bool {
        self.before.is_some()
    }

    /// Time alignment of the two replays.
    pub fn alignment(&self) -> Option<Alignment> {
        let other = self.other.as_ref()?;
        Some(self.settings.alignment.unwrap_or(other.fitting))
    }

    fn matching(&self) -> Option<Matching> {
        Some(Matching {
            alignment: self.alignment()?,
            offset: self.settings.offset,
        })
    }

    /// The other replay's frame and fraction at the playhead of the open level; the frame shown before while that is being
    /// stepped. `None` after the end of the other.
    pub fn frame_at(&self, replay: &Replay, playhead: Playhead) -> Option<(&Arc<Frame>, f64)> {
        let other = self.other.as_ref()?;
        let (number, fraction) = self.position(replay, playhead)?;
        let shown = other.frames.shown();
        if shown.number == number {
            return Some((shown, fraction));
        }
        Some((shown, f64::from(u8::from(shown.number < number))))
    }

    /// Returns false while the other replay has not begun at the playhead.
    pub fn has_begun(&self, replay: &Replay, playhead: Playhead) -> bool {
        let both = self.other.as_ref().zip(self.matching());
        let at = (playhead.frame, playhead.fraction);
        both.is_none_or(|(other, matching)| !is_before(replay, &other.replay, matching, at))
    }

    /// Frame and fraction of the other replay at the playhead; its last state is the end of its last frame.
    fn position(&self, replay: &Replay, playhead: Playhead) -> Option<(u32, f64)> {
        let other = &self.other.as_ref()?.replay;
        let at = (playhead.frame, playhead.fraction);
        let (frame, fraction) = beside(replay, other, self.matching()?, at)?;
        Some(match other.frames().checked_sub(1) {
            Some(last) if frame > last => (last, 1.0),
            _ => (frame, fraction),
        })
    }

    /// The gap of the selected pair in the other replay, in this frame of the open level.
    pub fn other_gap(&self, frame: u32) -> Option<&OtherGap> {
        self.gap.as_ref().filter(|gap| gap.of.frame == frame)
    }

    /// Computes the gap of a pair of the open level in the shown frame of the other replay, unless it is known.
    pub(super) fn update_gap(
        &mut self,
        pair: Option<(ObjectId, ObjectId)>,
        replay: &Replay,
        playhead: Playhead,
    ) {
        let key = pair.and_then(|pair| self.gap_key(pair, replay, playhead));
        if key != self.gap.as_ref().map(|gap| gap.of) {
            let other = self.other.as_ref();
            let gap = key
                .zip(other)
                .map(|(key, other)| OtherGap::of(key, &other.replay, other.frames.shown()));
            self.gap = gap.flatten();
        }
    }

    /// `None` where the other replay has ended, or lacks one of the two.
    fn gap_key(
        &self,
        (a, b): (ObjectId, ObjectId),
        replay: &Replay,
        playhead: Playhead,
    ) -> Option<GapKey> {
        let frame = playhead.frame;
        let end = |fraction: f64| {
            let (frame, fraction) = self.position(replay, Playhead { frame, fraction })?;
            Some(f64::from(frame) + fraction)
        };
        let other = self.other.as_ref()?;
        let of = |id: ObjectId| {
            let subject = other.subjects.iter().find(|it| it.a() == Some(id));
            subject.copied().and_then(Subject::b)
        };
        Some(GapKey {
            pair: [of(a)?, of(b)?],
            frame,
            ends: [end(0.0)?, end(1.0)?],
            shown: other.frames.shown().number,
        })
    }

    fn begin(&mut self, against: Against, replay: &Arc<Replay>, jobs: &mut Jobs) {
        self.end(jobs);
        let (one, before) = (Arc::clone(replay), self.before.clone());
        let wanted = against.clone();
        self.against = Some(against);
        jobs.start(JobKind::OpenOther, move |job| {
            JobDone::OpenOther(open_other(&one, wanted, before, job))
        });
    }

    /// Starts the same comparison for a changed scene: the chosen alignment stays.
    fn restart(&mut self, against: Against, replay: &Arc<Replay>, jobs: &mut Jobs) {
        let settings = self.settings;
        self.tracks.clear_results(jobs);
        self.begin(against, replay, jobs);
        self.settings = settings;
    }

    /// Closes the other replays; the run before stays.
    pub fn stop(&mut self, jobs: &mut Jobs) {
        self.end(jobs);
        self.tracks = Tracks::default();
    }

    /// Closes the shown replay.
    fn end(&mut self, jobs: &mut Jobs) {
        self.tracks.stopped(jobs);
        jobs.drop_where(|kind| Self::JOBS.contains(&kind));
        *self = Self {
            settings: Settings {
                alignment: None,
                offset: 0.0,
                ..self.settings
            },
            tracks: std::mem::take(&mut self.tracks),
            before: self.before.take(),
            before_changed: self.before_changed,
            reloading: self.reloading,
            ..Self::default()
        };
    }

    const JOBS: [JobKind; 5] = [
        JobKind::OpenOther,
        JobKind::OtherFrame,
        JobKind::Compare,
        JobKind::DiagnoseOther,
        JobKind::Growth,
    ];

    /// Called before a reload: the present run becomes the run before.
    pub fn begin_reload(&mut self) {
        self.reloading = true;
    }

    /// Stores the run before: called at the first edit since the last save.
    pub(super) fn store_run(&mut self, replay: &Arc<Replay>) {
        self.before = Some(Arc::clone(replay));
        self.before_changed = true;
    }

    /// Called when the open scene was edited: compares it again with a replay that does not depend on it, else prepares anew.
    pub(super) fn scene_changed(&mut self, now: &Arc<Replay>, jobs: &mut Jobs) {
        let before_changed = std::mem::take(&mut self.before_changed);
        let Some(against) = self.against.clone() else {
            return;
        };
        let depends = match against {
            Against::OtherDetection => true,
            Against::RunBefore => before_changed,
            Against::File(..) => false,
        };
        self.tracks.clear_results(jobs);
        match &mut self.other {
            Some(other) if !depends => {
                other.subjects = subjects(now, &other.replay);
                other.fitting = Alignment::fitting(now, &other.replay);
                self.chosen
                    .take_if(|chosen| !other.subjects.contains(chosen));
                self.clear_curve(jobs);
                self.compare(now, jobs);
            }
            _ => {
                self.restart(against, now, jobs);
            }
        }
    }

    /// Called when another level replaces `old`, or the same one was reloaded (`again`).
    pub fn level_changed(
        &mut self,
        old: &Arc<Replay>,
        now: &Arc<Replay>,
        again: bool,
        jobs: &mut Jobs,
    ) {
        let checked = std::mem::take(&mut self.reloading);
        if !again {
            let tolerance = self.settings.tolerance;
            self.stop(jobs);
            *self = Self::default();
            self.settings.tolerance = tolerance;
            return;
        }
        // An unchanged reload keeps the older run, as there is nothing new to compare.
        let recorded = old.recording().is_some() || now.recording().is_some();
        let the_same = !recorded && old.scene() == now.scene();
        if checked && (self.before.is_none() || !the_same) {
            self.before = Some(Arc::clone(old));
        }
        if let Some(against) = self.against.clone() {
            self.restart(against, now, jobs);
        }
    }

    /// Compares with other settings.
    pub fn set(&mut self, settings: Settings, replay: &Arc<Replay>, jobs: &mut Jobs) {
        let matching = |it: &Settings| (it.alignment, it.offset);
        if matching(&self.settings) != matching(&settings) {
            self.clear_curve(jobs);
        }
        self.settings = settings;
        self.tracks.set_tolerance(settings.tolerance, jobs);
        if let Some(track) = self.tracks.shown_mut() {
            track.settings = settings;
        }
        self.compare(replay, jobs);
    }

    fn clear_curve(&mut self, jobs: &mut Jobs) {
        jobs.drop(JobKind::Growth);
        self.curve = None;
        self.growing = None;
    }

    fn compare(&self, replay: &Arc<Replay>, jobs: &mut Jobs) {
        let (Some(other), Some(alignment)) = (&self.other, self.alignment()) else {
            return;
        };
        let settings = Settings {
            alignment: Some(alignment),
            ..self.settings
        };
        let (one, two) = (Arc::clone(replay), Arc::clone(&other.replay));
        let name = other.name.clone();
        jobs.start(JobKind::Compare, move |job| {
            let this = ("this level", &*one);
            SessionDone::Compare(compare::compare(this, (&name, &two), &settings, job))
        });
    }

    /// Chooses the object whose difference is drawn.
    pub fn choose(&mut self, subject: Subject) {
        self.chosen = Some(subject);
    }

    /// Updates the chosen object and the other replay's frame to selection and playhead.
    pub(super) fn follow(
        &mut self,
        selected: Option<u32>,
        replay: &Arc<Replay>,
        playhead: Playhead,
        jobs: &mut Jobs,
    ) {
        let known = self.chosen.and_then(Subject::a);
        if selected.is_some()
            && selected != known
            && let Some(other) = &self.other
        {
            let mut all = other.subjects.iter();
            self.chosen = all.find(|subject| subject.a() == selected).copied();
        }
        self.start_growth(replay, jobs);
        self.tracks.request(replay, jobs);
        if let Some((number, _)) = self.position(replay, playhead)
            && let Some(other) = &mut self.other
        {
            other.frames.show(number, false, jobs);
        }
    }

    /// Stores the other replay and starts the comparison; returns the notices of its file.
    pub(super) fn take_other(
        &mut self,
        level: OtherLevel,
        replay: &Arc<Replay>,
        jobs: &mut Jobs,
    ) -> Vec<Problem> {
        let first = level.first;
        let diagnosed = Level {
            file: PathBuf::from(&level.name),
            replay: Arc::clone(&level.replay),
            notices: Vec::new(),
        };
        jobs.start(JobKind::DiagnoseOther, move |job| {
            SessionDone::DiagnoseOther(diagnose(&diagnosed, job, &mut |_| ()))
        });
        self.other = Some(Other {
            frames: FrameLoader::new(JobKind::OtherFrame, Arc::clone(&level.replay), first),
            name: level.name,
            replay: level.replay,
            subjects: level.subjects,
            fitting: level.fitting,
            report: None,
            changes: None,
        });
        self.compare(replay, jobs);
        level.notices
    }

    /// Stores a frame of the other replay.
    pub(super) fn take_frame(&mut self, stepped: Stepped) {
        if let Some(other) = &mut self.other {
            other.frames.take(stepped);
        }
    }

    /// Stores that stepping the other replay failed.
    pub(super) fn frame_failed(&mut self) {
        if let Some(other) = &mut self.other {
            other.frames.failed();
        }
    }

    /// Stores the differences; `None` when the comparison was stopped.
    pub(super) fn take_result(&mut self, found: Option<Comparison>) {
        if let Some(found) = found {
            let first = found.objects.first().map(|row| row.subject);
            self.chosen = self.chosen.or(first);
            let found = Arc::new(found);
            if let Some(track) = self.tracks.shown_mut() {
                track.result = Some(Ok(Arc::clone(&found)));
            }
            self.result = Some(found);
        }
    }

    /// Stores the curve of an object.
    pub(super) fn take_growth(&mut self, subject: Subject, points: Option<Vec<GrowthPoint>>) {
        self.curve = points.map(|points| Curve { subject, points });
    }

    /// Starts the curve of the chosen object after the comparison, so that the two jobs do not step the same scenes at once.
    fn start_growth(&mut self, replay: &Arc<Replay>, jobs: &mut Jobs) {
        let (Some(wanted), Some(other), Some(matching)) =
            (self.chosen, &self.other, self.matching())
        else {
            return;
        };
        if jobs.is_running(JobKind::Compare) || self.growing == Some(wanted) {
            return;
        }
        self.growing = Some(wanted);
        let (one, two) = (Arc::clone(replay), Arc::clone(&other.replay));
        jobs.start(JobKind::Growth, move |job| {
            let points = compare::growth(&one, &two, matching, wanted, job);
            SessionDone::Growth(wanted, points)
        });
    }
}
