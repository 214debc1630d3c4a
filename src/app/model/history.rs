//! The histories that lanes and plots show: worked out beside the window, shown as far as they have come, kept while wanted.

use crate::app::jobs::{Job, Wake};
use crate::core::progress::Progress as _;
use crate::core::replay::history::History;
use crate::core::replay::{Replay, Subject};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

/// How often what there is so far is shown.
const REFRESH: Duration = Duration::from_millis(60);
/// Histories that nobody wants at the moment and that are kept all the same.
const SPARE: usize = 16;

/// A history, and how far it has come.
#[derive(Clone, Debug)]
pub struct Track {
    /// Of the frames before `upto`.
    pub history: Arc<History>,
    /// Number of frames looked at.
    pub upto: u32,
}

/// Parts of some histories, and the frame after them.
type Parts = (Vec<History>, u32);

/// Some histories being worked out together: each frame is stepped once for all of them.
struct Work {
    subjects: Vec<Subject>,
    job: Job<()>,
    parts: Receiver<Parts>,
}

/// All histories at hand.
#[derive(Default)]
pub struct Histories {
    tracks: BTreeMap<Subject, Track>,
    works: Vec<Work>,
    version: u64,
}

impl Histories {
    /// As far as it has come; `None` before its first frames.
    pub fn get(&self, subject: Subject) -> Option<&Track> {
        self.tracks.get(&subject)
    }

    /// Rises with every change of any history.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Share done of what is being worked out; `None` when nothing is.
    pub fn working(&self) -> Option<f32> {
        let shares = self.works.iter().map(|work| work.job.share());
        shares.map(|share| share.unwrap_or(0.0)).reduce(f32::min)
    }

    /// Nothing is known any more.
    pub fn clear(&mut self) {
        self.tracks.clear();
        self.works.clear();
        self.version += 1;
    }

    /// Takes what has come, begins what is wanted and not at hand, stops what nobody wants any more.
    ///
    /// # Errors
    /// When stepping a frame failed, which is internal error.
    pub fn want(
        &mut self,
        replay: &Arc<Replay>,
        wanted: &BTreeSet<Subject>,
        wake: &Wake,
    ) -> Result<(), String> {
        let outcome = self.take();
        let frames = replay.frames();
        self.works
            .retain(|work| work.subjects.iter().any(|one| wanted.contains(one)));
        let works = &self.works;
        let in_work = |subject: &Subject| works.iter().any(|work| work.subjects.contains(subject));
        // A part that nobody goes on with is begun anew when it is wanted again.
        self.tracks
            .retain(|subject, track| track.upto >= frames || in_work(subject));
        let new: Vec<Subject> = wanted
            .iter()
            .copied()
            .filter(|subject| !self.tracks.contains_key(subject) && !in_work(subject))
            .collect();
        // The level's own history steps nothing, and waits for no stepping.
        let (level, stepped): (Vec<_>, Vec<_>) =
            new.into_iter().partition(|one| *one == Subject::Level);
        for subjects in [level, stepped] {
            if !subjects.is_empty() && frames > 0 && outcome.is_ok() {
                self.works.push(start(replay, subjects, wake));
            }
        }
        self.drop_spare(wanted);
        outcome
    }

    fn take(&mut self) -> Result<(), String> {
        let mut outcome = Ok(());
        let mut done = Vec::new();
        for (index, work) in self.works.iter().enumerate() {
            // The end is asked for first: what was sent before it is then surely there.
            let end = work.job.poll();
            while let Ok((parts, upto)) = work.parts.try_recv() {
                self.version += 1;
                for part in parts {
                    match self.tracks.get_mut(&part.subject) {
                        Some(track) => {
                            Arc::make_mut(&mut track.history).append(part);
                            track.upto = upto;
                        }
                        None => {
                            let history = Arc::new(part);
                            let subject = history.subject;
                            self.tracks.insert(subject, Track { history, upto });
                        }
                    }
                }
            }
            if let Some(end) = end {
                done.push(index);
                outcome = outcome.and(end);
            }
        }
        for index in done.into_iter().rev() {
            self.works.remove(index);
        }
        outcome
    }

    fn drop_spare(&mut self, wanted: &BTreeSet<Subject>) {
        let unwanted = self.tracks.keys().filter(|one| !wanted.contains(one));
        let spare: Vec<Subject> = unwanted.copied().collect();
        for subject in spare.iter().skip(SPARE) {
            self.tracks.remove(subject);
        }
    }
}

fn start(replay: &Arc<Replay>, subjects: Vec<Subject>, wake: &Wake) -> Work {
    let (sender, parts) = mpsc::channel();
    let (replay, of, tell) = (Arc::clone(replay), subjects.clone(), wake.clone());
    let job = Job::start(wake.clone(), move |watch| {
        work(&replay, &of, &sender, &tell, watch);
    });
    Work {
        subjects,
        job,
        parts,
    }
}

fn work(
    replay: &Replay,
    subjects: &[Subject],
    sender: &Sender<Parts>,
    wake: &Wake,
    watch: &crate::app::jobs::Watch,
) {
    let frames = replay.frames();
    let steps = subjects.iter().any(|one| *one != Subject::Level);
    let new = || subjects.iter().copied().map(History::new).collect();
    let mut parts: Vec<History> = new();
    let mut shown = Instant::now();
    for number in 0..frames {
        if watch.cancelled() {
            return;
        }
        if steps {
            let frame = replay.frame(number);
            parts.iter_mut().for_each(|part| part.add(replay, &frame));
        } else {
            let parts = parts.iter_mut();
            parts.for_each(|part| part.add_level(replay, number));
        }
        watch.report(u64::from(number) + 1, u64::from(frames));
        if number + 1 == frames || shown.elapsed() >= REFRESH {
            shown = Instant::now();
            let ready = std::mem::replace(&mut parts, new());
            if sender.send((ready, number + 1)).is_err() {
                return;
            }
            wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_levels::{level, sphere, wall};
    use glam::DVec3;

    #[test]
    fn what_is_wanted_arrives_whole_and_is_kept() {
        let replay = level(
            1.0,
            [
                sphere("ball", 0.5, DVec3::new(-5.0, 0.0, 0.0), DVec3::X * 10.0),
                wall("wall", DVec3::ONE, DVec3::ZERO),
            ],
        );
        let wake: Wake = Arc::new(|| {});
        let pair = Subject::Pair(0, 1);
        let wanted = BTreeSet::from([Subject::Level, Subject::Object(0), pair]);
        let mut histories = Histories::default();
        let whole = |histories: &Histories, subject: &Subject| {
            histories.get(*subject).is_some_and(|track| track.upto == 2)
        };
        while !wanted.iter().all(|subject| whole(&histories, subject)) {
            histories.want(&replay, &wanted, &wake).unwrap();
            std::thread::yield_now();
        }
        // 3.5 m to the near face at 10 m a frame.
        let impacts = &histories.get(pair).unwrap().history.impacts;
        assert_eq!(impacts.len(), 1);
        assert!((impacts[0] - 0.35).abs() < 1e-12);
        histories.want(&replay, &BTreeSet::new(), &wake).unwrap();
        assert!(whole(&histories, &pair), "kept for later");
        histories.clear();
        assert!(histories.get(pair).is_none() && histories.working().is_none());
    }
}
