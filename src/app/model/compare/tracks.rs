//! The recordings that the open level is compared with: one is shown, the others have their differences alone.

use super::super::job::{JobKind, Jobs, SessionDone};
use super::super::other_level::{Against, open_other};
use super::Compare;
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
    pub(in crate::app::model) settings: Settings,
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
    pub(in crate::app::model) fn against(&self) -> Against {
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
    pub(in crate::app::model) fn shown_mut(&mut self) -> Option<&mut Track> {
        self.all.get_mut(self.shown)
    }

    /// Adds a file, unless it is there; returns its index, or `None` where there are too many.
    pub(in crate::app::model) fn add(
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
    pub(in crate::app::model) fn show(&mut self, index: usize) -> Option<&Track> {
        self.all.get(index).inspect(|_| self.shown = index)
    }

    /// Leaves the shown one out, as it cannot be read; returns true if others remain.
    pub(in crate::app::model) fn drop_shown(&mut self) -> bool {
        if self.shown < self.all.len() {
            self.all.remove(self.shown);
        }
        self.shown = 0;
        !self.all.is_empty()
    }

    /// Forgets the differences, as the level has changed or those that count have.
    pub(in crate::app::model) fn clear_results(&mut self, jobs: &mut Jobs) {
        self.stopped(jobs);
        for track in &mut self.all {
            track.result = None;
        }
    }

    /// Sets the tolerance of all.
    pub(in crate::app::model) fn set_tolerance(
        &mut self,
        tolerance: compare::Tolerance,
        jobs: &mut Jobs,
    ) {
        if self.all.iter().any(|it| it.settings.tolerance != tolerance) {
            self.clear_results(jobs);
        }
        for track in &mut self.all {
            track.settings.tolerance = tolerance;
        }
    }

    /// Ends the job.
    pub(in crate::app::model) fn stopped(&mut self, jobs: &mut Jobs) {
        jobs.drop(JobKind::CompareTrack);
        self.running = None;
    }

    /// Starts comparing the next of those that are not shown. Its replay is in memory until then, and only one at a time.
    pub(in crate::app::model) fn request(&mut self, replay: &Arc<Replay>, jobs: &mut Jobs) {
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
    pub(in crate::app::model) fn take(&mut self, found: Result<Comparison, String>) {
        let running = self.running.take();
        if let Some(track) = running.and_then(|index| self.all.get_mut(index)) {
            track.result = Some(found.map(Arc::new));
        }
    }
}

/// Why a file is not added: there are [`MOST_TRACKS`].
#[derive(Clone, Copy, Debug)]
pub struct TooMany;

impl Compare {
    /// The differences to each replay, once they are computed, with the name of its file where there are several.
    pub fn differences(&self) -> Vec<(Option<String>, Arc<Comparison>)> {
        let (tracks, shown) = (self.tracks.all(), self.tracks.shown());
        if tracks.len() < 2 {
            return self
                .result
                .iter()
                .map(|found| (None, Arc::clone(found)))
                .collect();
        }
        let found = |(index, track): (usize, &Track)| {
            let of_track = track
                .result
                .as_ref()
                .and_then(|result| result.as_ref().ok());
            let found = match index == shown {
                true => self.result.as_ref().or(of_track),
                false => of_track,
            };
            Some((Some(track.name()), Arc::clone(found?)))
        };
        tracks.iter().enumerate().filter_map(found).collect()
    }

    /// Starts a comparison in place of the previous one; a file comes to the files before.
    ///
    /// # Errors
    /// There are too many files.
    pub fn start(
        &mut self,
        against: Against,
        replay: &Arc<Replay>,
        jobs: &mut Jobs,
    ) -> Result<(), TooMany> {
        let Against::File(path, options) = against else {
            self.tracks = Tracks::default();
            self.begin(against, replay, jobs);
            return Ok(());
        };
        let settings = Settings {
            tolerance: self.settings.tolerance,
            ..Settings::default()
        };
        let index = self.tracks.add(path, options, settings);
        self.show_track(index.ok_or(TooMany)?, replay, jobs);
        Ok(())
    }

    /// Shows another of the files.
    pub(in crate::app::model) fn show_track(
        &mut self,
        index: usize,
        replay: &Arc<Replay>,
        jobs: &mut Jobs,
    ) {
        let Some(track) = self.tracks.show(index) else {
            return;
        };
        let (against, settings) = (track.against(), track.settings);
        self.begin(against, replay, jobs);
        self.settings = settings;
    }

    /// Leaves out the file that cannot be read, and shows the first one; else the comparison ends.
    pub(in crate::app::model) fn drop_track(&mut self, replay: &Arc<Replay>, jobs: &mut Jobs) {
        match self.tracks.drop_shown() {
            true => self.show_track(0, replay, jobs),
            false => self.stop(jobs),
        }
    }

    /// Stores the differences of a file that is not shown.
    pub(in crate::app::model) fn take_track(&mut self, found: Result<Comparison, String>) {
        self.tracks.take(found);
    }
}

/// Why a comparison that was stopped has no result.
const STOPPED: &str = "stopped";
