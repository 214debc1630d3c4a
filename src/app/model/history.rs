//! Histories for lanes and plots, computed by background jobs and shown as they grow.

use super::document::new_revision;
use super::job::{HistoryPart, JobContext, JobKind, Jobs, SessionDone};
use crate::core::progress::Progress as _;
use crate::core::replay::history::History;
use crate::core::replay::{Replay, Subject};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Interval at which partial results are shown.
const REFRESH: Duration = Duration::from_millis(60);
/// Number of histories that stay cached while no panel shows them.
const CACHED: usize = 16;

/// A history that may still grow.
#[derive(Clone, Debug)]
pub struct Track {
    /// Values of the frames before `upto`.
    pub history: Arc<History>,
    /// Number of frames computed.
    pub upto: u32,
}

/// A job, which steps each frame once for all of its histories.
struct Work {
    number: u64,
    subjects: Vec<Subject>,
    /// Number of frames done.
    upto: u32,
}

/// All cached histories.
#[derive(Default)]
pub struct Histories {
    tracks: BTreeMap<Subject, Track>,
    works: Vec<Work>,
    started: u64,
    frames: u32,
    version: u64,
    /// True after a failure: no job is started again for this scene.
    has_failed: bool,
}

impl Histories {
    /// The history of a subject; `None` before its first frames.
    pub fn get(&self, subject: Subject) -> Option<&Track> {
        self.tracks.get(&subject)
    }

    /// Unique for every change of any history.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Progress of the jobs, 0..1; `None` when none is running.
    pub fn progress(&self) -> Option<f32> {
        let shares = self.works.iter().map(|work| work.upto as f32);
        let least = shares.reduce(f32::min)?;
        Some(least / self.frames.max(1) as f32)
    }

    /// Starts jobs for missing histories, and stops jobs that are not needed any more.
    pub(super) fn request(
        &mut self,
        replay: &Arc<Replay>,
        wanted: &BTreeSet<Subject>,
        jobs: &mut Jobs,
    ) {
        if self.has_failed {
            return;
        }
        let frames = replay.frames();
        self.frames = frames;
        self.works.retain(|work| {
            let kind = JobKind::History(work.number);
            let is_wanted = work.subjects.iter().any(|one| wanted.contains(one));
            if !is_wanted {
                jobs.drop(kind);
            }
            is_wanted && jobs.is_running(kind)
        });
        let works = &self.works;
        let in_work = |subject: &Subject| works.iter().any(|work| work.subjects.contains(subject));
        // Those that are partly known go on together. The level's own history needs no stepping, and a job of its own is faster.
        let mut new: BTreeMap<(u32, bool), Vec<Subject>> = BTreeMap::new();
        for &subject in wanted {
            let from = self.tracks.get(&subject).map_or(0, |track| track.upto);
            if from < frames && !in_work(&subject) {
                let group = (from, subject == Subject::Level);
                new.entry(group).or_default().push(subject);
            }
        }
        for ((from, _), subjects) in new {
            self.start(replay, subjects, from, jobs);
        }
        self.drop_unused(wanted);
    }

    fn start(&mut self, replay: &Arc<Replay>, subjects: Vec<Subject>, from: u32, jobs: &mut Jobs) {
        self.started += 1;
        let (number, replay, of) = (self.started, Arc::clone(replay), subjects.clone());
        jobs.start(JobKind::History(number), move |job| {
            SessionDone::History(work(&replay, &of, from, number, job))
        });
        self.works.push(Work {
            number,
            subjects,
            upto: from,
        });
    }

    /// Stores that stepping failed.
    pub(super) fn failed(&mut self) {
        self.has_failed = true;
        self.works.clear();
    }

    /// Appends frames to histories.
    pub(super) fn take(&mut self, part: HistoryPart) {
        self.version = new_revision();
        let upto = part.upto;
        for history in part.histories {
            match self.tracks.get_mut(&history.subject) {
                Some(track) => {
                    Arc::make_mut(&mut track.history).append(history);
                    track.upto = upto;
                }
                None => {
                    let history = Arc::new(history);
                    let subject = history.subject;
                    self.tracks.insert(subject, Track { history, upto });
                }
            }
        }
        let frames = self.frames;
        self.works.retain_mut(|work| {
            if work.number == part.work {
                work.upto = upto;
            }
            work.upto < frames
        });
    }

    fn drop_unused(&mut self, wanted: &BTreeSet<Subject>) {
        let unwanted = self.tracks.keys().filter(|one| !wanted.contains(one));
        let spare: Vec<Subject> = unwanted.copied().collect();
        for subject in spare.iter().skip(CACHED) {
            self.tracks.remove(subject);
        }
    }
}

/// Computes histories from a frame on; sends them part by part and returns the last part.
fn work(
    replay: &Replay,
    subjects: &[Subject],
    from: u32,
    number: u64,
    job: &JobContext,
) -> HistoryPart {
    let frames = replay.frames();
    let steps = subjects.iter().any(|one| *one != Subject::Level);
    let new = |upto| HistoryPart {
        work: number,
        histories: subjects.iter().copied().map(History::new).collect(),
        upto,
    };
    let mut part = new(from);
    let mut shown = Instant::now();
    for at in from..frames {
        if job.cancelled() {
            return part;
        }
        job.give_way();
        let histories = part.histories.iter_mut();
        if steps {
            let frame = replay.frame(at);
            histories.for_each(|one| one.add(replay, &frame));
        } else {
            histories.for_each(|one| one.add_level(replay, at));
        }
        part.upto = at + 1;
        if part.upto < frames && shown.elapsed() >= REFRESH {
            shown = Instant::now();
            let next = new(part.upto);
            job.send(SessionDone::History(std::mem::replace(&mut part, next)));
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::super::job::JobDone;
    use super::*;
    use crate::app::test_levels::{level, sphere, wall};
    use glam::DVec3;

    #[test]
    fn wanted_histories_are_completed_and_cached() {
        let replay = level(
            1.0,
            [
                sphere("ball", 0.5, DVec3::new(-5.0, 0.0, 0.0), DVec3::X * 10.0),
                wall("wall", DVec3::ONE, DVec3::ZERO),
            ],
        );
        let mut jobs = Jobs::new(Arc::new(|| ()));
        let pair = Subject::Pair(0, 1);
        let wanted = BTreeSet::from([Subject::Level, Subject::Object(0), pair]);
        let mut histories = Histories::default();
        let whole = |histories: &Histories, subject: &Subject| {
            histories.get(*subject).is_some_and(|track| track.upto == 2)
        };
        while !wanted.iter().all(|subject| whole(&histories, subject)) {
            histories.request(&replay, &wanted, &mut jobs);
            if let Some(JobDone::OfSession(SessionDone::History(part))) =
                jobs.receive().and_then(|one| one.result.ok())
            {
                histories.take(part);
            }
            std::thread::yield_now();
        }
        // 3.5 m to the near face at 10 m a frame.
        let impacts = &histories.get(pair).unwrap().history.impacts;
        assert_eq!(impacts.len(), 1);
        assert!((impacts[0] - 0.35).abs() < 1e-12);
        histories.request(&replay, &BTreeSet::new(), &mut jobs);
        assert!(whole(&histories, &pair), "cached");
    }

    #[test]
    fn a_failed_job_is_not_started_again() {
        let replay = level(1.0, [sphere("ball", 0.5, DVec3::ZERO, DVec3::X)]);
        let mut jobs = Jobs::new(Arc::new(|| ()));
        let mut histories = Histories::default();
        let wanted = BTreeSet::from([Subject::Object(0)]);
        histories.request(&replay, &wanted, &mut jobs);
        assert!(histories.progress().is_some());
        histories.failed();
        histories.request(&replay, &wanted, &mut jobs);
        assert!(histories.progress().is_none());
    }
}
