//! Folders with builds, oldest first.

use super::history::{History, Mark, Next};
use super::program::Failure;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A list that is bisected. A build goes by its index.
pub(super) struct BuildList {
    builds: Vec<PathBuf>,
    /// The last that is good.
    good: usize,
    /// The first that is bad.
    bad: usize,
    skipped: BTreeSet<usize>,
}

impl BuildList {
    /// Of at least two folders.
    ///
    /// # Errors
    /// For fewer, or one that is not there.
    pub fn new(builds: &[PathBuf]) -> Result<Self, Failure> {
        let mut folders = builds.iter();
        let what = match folders.find(|folder| !folder.is_dir()) {
            _ if builds.len() < 2 => {
                "--builds needs two folders at least, the oldest first".to_owned()
            }
            Some(folder) => format!("--builds: {} is not a folder", folder.display()),
            None => {
                return Ok(Self {
                    good: 0,
                    bad: builds.len() - 1,
                    builds: builds.to_vec(),
                    skipped: BTreeSet::new(),
                });
            }
        };
        Err(Failure {
            what,
            timed_out: false,
            last_lines: Vec::new(),
        })
    }

    fn index(&self, revision: &str) -> usize {
        revision.parse().unwrap_or_default()
    }
}

impl History for BuildList {
    fn ends(&self) -> (String, String) {
        ("0".to_owned(), (self.builds.len() - 1).to_string())
    }

    fn between(&self) -> usize {
        self.builds.len() - 2
    }

    fn title(&self, revision: &str) -> String {
        self.builds[self.index(revision)].display().to_string()
    }

    fn is_parent(&self, revision: &str, child: &str) -> bool {
        self.index(revision) + 1 == self.index(child)
    }

    fn prepare(&mut self, revision: &str) -> Result<Option<PathBuf>, Failure> {
        Ok(Some(self.builds[self.index(revision)].clone()))
    }

    /// The one in the middle that was not skipped.
    fn next(&mut self, marked: Option<(&str, Mark)>) -> Result<Next, Failure> {
        if let Some((revision, mark)) = marked {
            let index = self.index(revision);
            match mark {
                Mark::Good => self.good = index,
                Mark::Bad => self.bad = index,
                Mark::Skip => drop(self.skipped.insert(index)),
            }
        }
        let between = self.good + 1..self.bad;
        let middle = self.good.midpoint(self.bad);
        let open = between
            .clone()
            .filter(|index| !self.skipped.contains(index));
        Ok(match open.min_by_key(|index| index.abs_diff(middle)) {
            Some(index) => Next::Test(index.to_string()),
            None if between.is_empty() => Next::FirstBad(self.bad.to_string()),
            None => Next::OneOf(
                (self.good + 1..=self.bad)
                    .map(|it| it.to_string())
                    .collect(),
            ),
        })
    }
}
