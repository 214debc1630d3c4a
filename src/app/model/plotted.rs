//! What the plots show, and their way out as a table.

use super::Model;
use super::messages::{Deed, Severity};
use crate::app::jobs::{self, Job};
use crate::core::problem::Problem;
use crate::core::replay::Subject;
use crate::core::replay::history::Quantity;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What the plots show.
pub struct Plotted {
    /// One plot each.
    pub quantities: BTreeSet<Quantity>,
    /// A table or picture on its way to a file.
    pub(super) exporting: Option<(PathBuf, Job<Result<(), Problem>>)>,
}

impl Default for Plotted {
    fn default() -> Self {
        Self {
            quantities: BTreeSet::from([Quantity::Gap, Quantity::Speed]),
            exporting: None,
        }
    }
}

impl Model {
    /// What has a line in the plot of a quantity.
    pub fn plotted_subjects(&self, quantity: Quantity) -> Vec<Subject> {
        let lanes = self.lanes().into_iter();
        std::iter::once(Subject::Level)
            .chain(lanes)
            .filter(|subject| quantity.is_of(*subject))
            .collect()
    }

    /// Everything that is plotted, as a table; refused while it is still being worked out.
    pub(in crate::app) fn save_plots_as_csv(&mut self, path: PathBuf) {
        let Some(document) = &self.document else {
            return;
        };
        let frames = document.replay().frames();
        let mut columns = Vec::new();
        let mut whole = true;
        for &quantity in &self.plotted.quantities {
            for subject in self.plotted_subjects(quantity) {
                match self.histories.get(subject) {
                    Some(track) if track.upto >= frames => {
                        let name = self.subject_name(subject);
                        columns.push((name, quantity, track.history.clone()));
                    }
                    _ => whole = false,
                }
            }
        }
        let file = path.display().to_string();
        let refused = if !whole {
            Some((
                "the plots are still being worked out",
                "save them again when they are whole",
            ))
        } else if columns.is_empty() {
            Some((
                "nothing is plotted",
                "select or pin an object, and choose a quantity",
            ))
        } else {
            None
        };
        if let Some((what, help)) = refused {
            let problem = Problem::new(file, what, help);
            return self.messages.add(Severity::Notice, problem);
        }
        let replay = document.replay().clone();
        let job = jobs::save_csv(replay, columns, path.clone(), self.wake.clone());
        self.plotted.exporting = Some((path, job));
    }

    /// Takes the end of an export.
    pub(super) fn take_exported(&mut self) {
        let exporting = self.plotted.exporting.as_ref();
        let Some(outcome) = exporting.and_then(|(_, job)| job.poll()) else {
            return;
        };
        let Some((path, _)) = self.plotted.exporting.take() else {
            return;
        };
        self.exported(path, outcome);
    }

    /// Says that a file is saved, or why it is not.
    pub(in crate::app) fn exported(
        &mut self,
        path: PathBuf,
        outcome: Result<Result<(), Problem>, String>,
    ) {
        let file = path.display().to_string();
        match outcome {
            Ok(Ok(())) => {
                self.messages.succeeded(Deed::Export);
                self.messages.done(&file, "the plots are saved");
            }
            Ok(Err(problem)) => self.messages.failed(Deed::Export, problem),
            Err(fault) => self.own_fault(&file, &fault),
        }
    }
}
