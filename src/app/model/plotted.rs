//! Plotted quantities, and their export as a table.

use super::job::{JobDone, JobKind};
use super::messages::{Operation, Severity};
use super::{Model, Session};
use crate::app::export::{csv_of, pair_csv};
use crate::core::problem::Problem;
use crate::core::replay::Subject;
use crate::core::replay::history::Quantity;
use crate::save::save_atomic;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The reason why values are not saved yet, and the help.
const INCOMPLETE: (&str, &str) = (
    "the values are still being computed",
    "save them when they are complete",
);

/// The plotted quantities.
pub struct Plotted {
    /// Quantities; each has a plot.
    pub quantities: BTreeSet<Quantity>,
}

impl Default for Plotted {
    fn default() -> Self {
        Self {
            quantities: BTreeSet::from([Quantity::Gap, Quantity::Speed]),
        }
    }
}

impl Model {
    /// Subjects with a line in the plot of a quantity.
    pub fn plotted_subjects(&self, quantity: Quantity) -> Vec<Subject> {
        let lanes = self.lanes().into_iter();
        std::iter::once(Subject::Level)
            .chain(lanes)
            .filter(|subject| quantity.is_of(*subject))
            .collect()
    }

    /// Saves the plotted values as a table; refused while they are still being computed.
    pub(in crate::app) fn save_plots_as_csv(&mut self, path: PathBuf) {
        let Some(Session {
            document, derived, ..
        }) = &self.session
        else {
            return;
        };
        let frames = document.replay().frames();
        let mut columns = Vec::new();
        let mut whole = true;
        for &quantity in &self.plotted.quantities {
            for subject in self.plotted_subjects(quantity) {
                match derived.histories.get(subject) {
                    Some(track) if track.upto >= frames => {
                        let name = self.subject_name(subject);
                        columns.push((name, quantity, track.history.clone()));
                    }
                    _ => whole = false,
                }
            }
        }
        let refused = if !whole {
            Some(INCOMPLETE)
        } else if columns.is_empty() {
            Some((
                "nothing is plotted",
                "select or pin an object, and choose a quantity",
            ))
        } else {
            None
        };
        let replay = document.replay().clone();
        self.save_table(path, refused, move |path| csv_of(&replay, &columns, path));
    }

    /// Saves every frame of the selected pair as a table; refused while they are still being computed.
    pub(in crate::app) fn save_pair_history(&mut self, path: PathBuf) {
        let track = self.selected_pair().and_then(|pair| self.track(pair));
        let whole = track.filter(|track| track.upto >= self.playback.frames());
        let (history, replay) = (
            whole.map(|track| track.history.clone()),
            self.document().map(|document| document.replay().clone()),
        );
        let Some((history, replay)) = history.zip(replay) else {
            return self.save_table(path, Some(INCOMPLETE), |_| Ok(Vec::new()));
        };
        self.save_table(path, None, move |path| {
            pair_csv(&replay, &history.pair_frames, path)
        });
    }

    /// Makes and saves a table in the background, unless it is refused with this text and help.
    fn save_table(
        &mut self,
        path: PathBuf,
        refused: Option<(&str, &str)>,
        table: impl FnOnce(&Path) -> Result<Vec<u8>, Problem> + Send + 'static,
    ) {
        if let Some((what, help)) = refused {
            let problem = Problem::new(path.display().to_string(), what, help);
            return self.messages.add(Severity::Notice, problem);
        }
        self.jobs.start(JobKind::SavePlots, move |_| {
            let saved = table(&path).and_then(|bytes| save_atomic(&path, &bytes));
            JobDone::SavePlots(path, saved)
        });
    }

    /// Shows the result of saving a table.
    pub(super) fn take_plots(&mut self, path: &Path, outcome: Result<(), Problem>) {
        match outcome {
            Ok(()) => {
                self.messages.succeeded(Operation::Export);
                let file = path.display().to_string();
                self.messages.done(&file, "the table is saved");
            }
            Err(problem) => self.messages.failed(Operation::Export, problem),
        }
    }
}
