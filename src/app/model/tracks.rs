//! The recordings that the open level is compared with: one is shown, the others have their differences alone.

use super::job::{JobKind, Jobs, SessionDone};
use super::other_level::{Against, open_other};
use crate::core::level::ReadOptions;
use crate::core::replay::Replay;
use crate::core::replay::compare::{self, Comparison, Settings};
use std::path::PathBuf;
use std::sync::Arc;

/// Recordings of a comparison at most.
pub const MOST_TRACKS: usize = 8;

/// A recording that the level is compared with.
pub struct Track {
    path: PathBuf,
    options: ReadOptions,
    /// Its alignment and tolerance.
    pub(super) settings: Settings,
    /// The differences, or why there are none; `None` until they are known.
    pub result: Option<Result<Arc<Comparison>, String>>,
}

impl Track {
    /// The name of its file.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.display().to_string()
    }

    /// What the shown replay is read from.
    pub(super) fn against(&self) -> Against {
        Against::File(self.path.clone(), self.options.clone())
    }
}

/// The recordings of a comparison with files; none of another comparison.
#[derive(Default)]
pub struct Tracks {
    all: Vec<Track>,
    shown: usize,
    /// The one whose differences are being computed.
    running: Option<usize>,
}

impl Tracks {
    /// All of them.
    pub fn all(&self) -> &[Track] {
        &self.all
    }

    /// The index of the one that is shown.
    pub fn shown(&self) -> usize {
        self.shown
    }

    /// The one that is shown.
    pub(super) fn shown_mut(&mut self) -> Option<&mut Track> {
        self.all.get_mut(self.shown)
    }

    /// Adds a file, unless it is there; returns its index, or `None` where there are too many.
    pub(super) fn add(
        &mut self,
        path: PathBuf,
        options: ReadOptions,
        settings: Settings,
    ) -> Option<usize> {
        if let Some(known) = self.all.iter().position(|track| track.path == path) {
            self.all[known].options = options;
            return Some(known);
        }
        if self.all.len() >= MOST_TRACKS {
            return None;
        }
        self.all.push(Track {
            path,
            options,
            settings,
            result: None,
        });
        Some(self.all.len() - 1)
    }

    /// Shows one.
    pub(super) fn show(&mut self, index: usize) -> Option<&Track> {
        self.all.get(index).inspect(|_| self.shown = index)
    }

    /// Leaves the shown one out, as it cannot be read; returns true if others remain.
    pub(super) fn drop_shown(&mut self) -> bool {
        if self.shown < self.all.len() {
            self.all.remove(self.shown);
        }
        self.shown = 0;
        !self.all.is_empty()
    }

    /// Forgets the differences, as the level has changed or those that count have.
    pub(super) fn clear_results(&mut self, jobs: &mut Jobs) {
        self.stopped(jobs);
        for track in &mut self.all {
            track.result = None;
        }
    }

    /// Sets the tolerance of all.
    pub(super) fn set_tolerance(&mut self, tolerance: compare::Tolerance, jobs: &mut Jobs) {
        if self.all.iter().any(|it| it.settings.tolerance != tolerance) {
            self.clear_results(jobs);
        }
        for track in &mut self.all {
            track.settings.tolerance = tolerance;
        }
    }

    /// Ends the job.
    pub(super) fn stopped(&mut self, jobs: &mut Jobs) {
        jobs.drop(JobKind::CompareTrack);
        self.running = None;
    }

    /// Starts comparing the next of those that are not shown. Its replay is in memory until then, and only one at a time.
    pub(super) fn request(&mut self, replay: &Arc<Replay>, jobs: &mut Jobs) {
        let busy = [JobKind::OpenOther, JobKind::Compare, JobKind::CompareTrack];
        if busy.into_iter().any(|kind| jobs.is_running(kind)) {
            return;
        }
        let shown = self.shown;
        let mut waiting = self.all.iter().enumerate();
        let next = waiting.find(|(index, track)| *index != shown && track.result.is_none());
        let Some((index, track)) = next else {
            return;
        };
        self.running = Some(index);
        let (one, against) = (Arc::clone(replay), track.against());
        let settings = track.settings;
        jobs.start(JobKind::CompareTrack, move |job| {
            let found = open_other(&one, against, None, job)
                .map_err(|problems| {
                    problems
                        .0
                        .first()
                        .map_or_else(String::new, |it| it.what.clone())
                })
                .map(|level| {
                    let (this, other) = (("this level", &*one), (&*level.name, &*level.replay));
                    compare::compare(this, other, &settings, job)
                });
            SessionDone::CompareTrack(found.and_then(|found| found.ok_or(STOPPED.to_owned())))
        });
    }

    /// Stores the differences of the one that is being compared.
    pub(super) fn take(&mut self, found: Result<Comparison, String>) {
        let running = self.running.take();
        if let Some(track) = running.and_then(|index| self.all.get_mut(index)) {
            track.result = Some(found.map(Arc::new));
        }
    }
}

/// Why a comparison that was stopped has no result.
const STOPPED: &str = "stopped";
