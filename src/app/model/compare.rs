//! The open level held against another replay: the other one, what differs, and how one object's difference grows.
//!
//! Reading, comparing and the curve are background jobs; the latest request counts.

use super::document::{FrameLoader, Stepped};
use super::job::{JobDone, JobKind, Jobs, SessionDone};
use crate::app::view_state::Playhead;
use crate::core::level;
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::compare::{
    self, Alignment, Comparison, GrowthPoint, Settings, Subject, beside, subjects,
    with_other_detection,
};
use crate::core::replay::{Frame, Replay};
use std::path::PathBuf;
use std::sync::Arc;

/// What the open level is held against.
#[derive(Clone, Debug, PartialEq)]
pub enum Against {
    /// Itself, stepped with the detection that it does not have.
    OtherDetection,
    /// Another scene or log.
    File(PathBuf),
    /// Itself as it was before it was checked again.
    RunBefore,
}

/// The other replay.
pub struct Other {
    /// As the person knows it.
    pub name: String,
    /// What happens in it.
    pub replay: Arc<Replay>,
    /// Who is who.
    pub subjects: Vec<Subject>,
    fitting: Alignment,
    frames: FrameLoader,
}

/// The other replay, as it was read.
pub struct Prepared {
    name: String,
    replay: Arc<Replay>,
    first: Arc<Frame>,
    subjects: Vec<Subject>,
    fitting: Alignment,
    notices: Vec<Problem>,
}

/// How one object's difference grows.
pub struct Curve {
    /// Whose.
    pub subject: Subject,
    /// Over the frames of the open level.
    pub points: Vec<GrowthPoint>,
}

/// Everything about comparing.
#[derive(Default)]
pub struct Compare {
    /// How moments are put beside each other, and what counts as the same.
    pub settings: Settings,
    against: Option<Against>,
    other: Option<Other>,
    result: Option<Arc<Comparison>>,
    chosen: Option<Subject>,
    /// The object whose curve is being measured.
    growing: Option<Subject>,
    curve: Option<Curve>,
    before: Option<Arc<Replay>>,
    /// The run before is another since it was last compared with.
    is_kept_anew: bool,
    checks_again: bool,
}

impl Compare {
    /// What the level is held against.
    pub fn against(&self) -> Option<&Against> {
        self.against.as_ref()
    }

    /// The other replay, once it is there.
    pub fn other(&self) -> Option<&Other> {
        self.other.as_ref()
    }

    /// What differs, once it is known; kept (shared) while the panel lists it.
    pub fn result(&self) -> Option<&Arc<Comparison>> {
        self.result.as_ref()
    }

    /// The object whose difference is drawn.
    pub fn chosen(&self) -> Option<Subject> {
        self.chosen
    }

    /// How the chosen object's difference grows, once it is known.
    pub fn curve(&self) -> Option<&Curve> {
        let curve = self.curve.as_ref()?;
        (Some(curve.subject) == self.chosen).then_some(curve)
    }

    /// Is there an earlier run of the open level?
    pub fn has_run_before(&self) -> bool {
        self.before.is_some()
    }

    /// How moments stand beside each other.
    pub fn alignment(&self) -> Option<Alignment> {
        let other = self.other.as_ref()?;
        Some(self.settings.alignment.unwrap_or(other.fitting))
    }

    /// The other replay's frame at a moment of the open level, and the fraction inside it; one shown shortly before while that
    /// is being stepped, `None` where the other has ended.
    pub fn moment(&self, replay: &Replay, playhead: Playhead) -> Option<(&Arc<Frame>, f64)> {
        let other = self.other.as_ref()?;
        let (number, fraction) = self.place(replay, playhead)?;
        let shown = other.frames.shown();
        if shown.number == number {
            return Some((shown, fraction));
        }
        Some((shown, f64::from(u8::from(shown.number < number))))
    }

    /// Frame and fraction of the other replay; its last state is the end of its last frame.
    fn place(&self, replay: &Replay, playhead: Playhead) -> Option<(u32, f64)> {
        let other = &self.other.as_ref()?.replay;
        let at = (playhead.frame, playhead.fraction);
        let (frame, fraction) = beside(replay, other, self.alignment()?, at)?;
        Some(match other.frames().checked_sub(1) {
            Some(last) if frame > last => (last, 1.0),
            _ => (frame, fraction),
        })
    }

    /// Begins to compare; what was compared before is let go.
    pub fn start(&mut self, against: Against, replay: &Arc<Replay>, jobs: &mut Jobs) {
        self.stop(jobs);
        let (one, before) = (Arc::clone(replay), self.before.clone());
        let wanted = against.clone();
        self.against = Some(against);
        jobs.start(JobKind::OpenOther, move |job| {
            JobDone::OpenOther(prepare(&one, wanted, before, job))
        });
    }

    /// The same for the same comparison of another scene: the alignment that was chosen stays.
    fn start_again(&mut self, against: Against, replay: &Arc<Replay>, jobs: &mut Jobs) {
        let alignment = self.settings.alignment;
        self.start(against, replay, jobs);
        self.settings.alignment = alignment;
    }

    /// Lets go of the other replay; an earlier run stays.
    pub fn stop(&mut self, jobs: &mut Jobs) {
        jobs.drop_where(|kind| Self::JOBS.contains(&kind));
        *self = Self {
            settings: Settings {
                alignment: None,
                ..self.settings
            },
            before: self.before.take(),
            is_kept_anew: self.is_kept_anew,
            checks_again: self.checks_again,
            ..Self::default()
        };
    }

    const JOBS: [JobKind; 4] = [
        JobKind::OpenOther,
        JobKind::OtherFrame,
        JobKind::Compare,
        JobKind::Growth,
    ];

    /// The level is read anew: what it is now is the run before.
    pub fn check_again(&mut self) {
        self.checks_again = true;
    }

    /// The open level is about to be changed for the first time since it was saved: this is the run before.
    pub(super) fn keep_run(&mut self, replay: &Arc<Replay>) {
        self.before = Some(Arc::clone(replay));
        self.is_kept_anew = true;
    }

    /// The open scene was changed: what does not depend on it stays, and is held against it anew.
    pub(super) fn scene_changed(&mut self, now: &Arc<Replay>, jobs: &mut Jobs) {
        let kept_anew = std::mem::take(&mut self.is_kept_anew);
        let Some(against) = self.against.clone() else {
            return;
        };
        let depends = match against {
            Against::OtherDetection => true,
            Against::RunBefore => kept_anew,
            Against::File(_) => false,
        };
        match &mut self.other {
            Some(other) if !depends => {
                other.subjects = subjects(now, &other.replay);
                other.fitting = Alignment::fitting(now, &other.replay);
                self.chosen
                    .take_if(|chosen| !other.subjects.contains(chosen));
                self.forget_curve(jobs);
                self.compare(now, jobs);
            }
            _ => {
                self.start_again(against, now, jobs);
            }
        }
    }

    /// Another level is shown in place of `old`, or the same one once more.
    pub fn level_changed(
        &mut self,
        old: &Arc<Replay>,
        now: &Arc<Replay>,
        again: bool,
        jobs: &mut Jobs,
    ) {
        let checked = std::mem::take(&mut self.checks_again);
        if !again {
            let tolerance = self.settings.tolerance;
            self.stop(jobs);
            *self = Self::default();
            self.settings.tolerance = tolerance;
            return;
        }
        // A scene that was checked again as it was says nothing new: what it was before stays to compare with.
        let recorded = old.recording().is_some() || now.recording().is_some();
        let the_same = !recorded && old.scene() == now.scene();
        if checked && (self.before.is_none() || !the_same) {
            self.before = Some(Arc::clone(old));
        }
        if let Some(against) = self.against.clone() {
            self.start_again(against, now, jobs);
        }
    }

    /// Compares by other settings.
    pub fn set(&mut self, settings: Settings, replay: &Arc<Replay>, jobs: &mut Jobs) {
        if self.settings.alignment != settings.alignment {
            self.forget_curve(jobs);
        }
        self.settings = settings;
        self.compare(replay, jobs);
    }

    fn forget_curve(&mut self, jobs: &mut Jobs) {
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

    /// The object whose difference is to be drawn.
    pub fn choose(&mut self, subject: Subject) {
        self.chosen = Some(subject);
    }

    /// Follows the selection and the playhead: the selected object's curve, and the other replay's frame.
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
        self.grow(replay, jobs);
        if let Some((number, _)) = self.place(replay, playhead)
            && let Some(other) = &mut self.other
        {
            other.frames.show(number, false, jobs);
        }
    }

    /// Takes the other replay and compares; returns what its file had to be read with.
    pub(super) fn take_other(
        &mut self,
        prepared: Prepared,
        replay: &Arc<Replay>,
        jobs: &mut Jobs,
    ) -> Vec<Problem> {
        let first = prepared.first;
        self.other = Some(Other {
            frames: FrameLoader::new(JobKind::OtherFrame, Arc::clone(&prepared.replay), first),
            name: prepared.name,
            replay: prepared.replay,
            subjects: prepared.subjects,
            fitting: prepared.fitting,
        });
        self.compare(replay, jobs);
        prepared.notices
    }

    /// Takes a frame of the other replay.
    pub(super) fn take_frame(&mut self, stepped: Stepped) {
        if let Some(other) = &mut self.other {
            other.frames.take(stepped);
        }
    }

    /// Stepping the other replay failed.
    pub(super) fn frame_failed(&mut self) {
        if let Some(other) = &mut self.other {
            other.frames.failed();
        }
    }

    /// Takes what differs; `None` when comparing was stopped.
    pub(super) fn take_result(&mut self, found: Option<Comparison>) {
        if let Some(found) = found {
            let first = found.objects.first().map(|row| row.subject);
            self.chosen = self.chosen.or(first);
            self.result = Some(Arc::new(found));
        }
    }

    /// Takes the curve of an object.
    pub(super) fn take_growth(&mut self, subject: Subject, points: Option<Vec<GrowthPoint>>) {
        self.curve = points.map(|points| Curve { subject, points });
    }

    /// Measures the curve of the chosen object; once what differs is known, so that both do not step the same scenes at once.
    fn grow(&mut self, replay: &Arc<Replay>, jobs: &mut Jobs) {
        let (Some(wanted), Some(other), Some(alignment)) =
            (self.chosen, &self.other, self.alignment())
        else {
            return;
        };
        if jobs.is_running(JobKind::Compare) || self.growing == Some(wanted) {
            return;
        }
        self.growing = Some(wanted);
        let (one, two) = (Arc::clone(replay), Arc::clone(&other.replay));
        jobs.start(JobKind::Growth, move |job| {
            let points = compare::growth(&one, &two, alignment, wanted, job);
            SessionDone::Growth(wanted, points)
        });
    }
}

/// Reads or makes the replay to compare with.
fn prepare(
    one: &Replay,
    against: Against,
    before: Option<Arc<Replay>>,
    progress: &dyn Progress,
) -> Result<Prepared, Problems> {
    let mut notices = Vec::new();
    let (name, other) = match against {
        Against::OtherDetection => match with_other_detection(one) {
            Some((other, detection)) => (format!("{detection:?}"), Arc::new(other)),
            None => return Err(no_other_detection(one).into()),
        },
        Against::RunBefore => match before {
            Some(before) => ("the run before".to_owned(), before),
            None => return Err(no_run_before(one).into()),
        },
        Against::File(path) => {
            let level = level::open(&path, progress)?;
            notices = level.notices;
            let name = path.file_name().unwrap_or(path.as_os_str());
            (name.display().to_string(), level.replay)
        }
    };
    Ok(Prepared {
        name,
        first: other.frame(0),
        subjects: subjects(one, &other),
        fitting: Alignment::fitting(one, &other),
        replay: other,
        notices,
    })
}

fn no_other_detection(replay: &Replay) -> Problem {
    let what = "a recording cannot be re-run; only scenes have a detection mode";
    Problem::new(&replay.scene().name, what, "compare it with a file")
}

fn no_run_before(replay: &Replay) -> Problem {
    let what = "there is no earlier run of this level";
    let help = "change the scene, or reload its file (F5)";
    Problem::new(&replay.scene().name, what, help)
}
