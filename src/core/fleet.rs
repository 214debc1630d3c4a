//! Counts over the reports of many files. Their size depends on the names in the reports, not on the number of files.

use super::diagnose::{Cause, Finding, Fix, Quantity, Report, name_pattern};
use super::problem::Problem;
use super::schema::UserUnits;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Most errors that are kept with their text.
const ERRORS: usize = 200;

/// What the reports of many files have in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fleet {
    /// Files, those that could not be used included.
    pub files: usize,
    /// Files that could not be used.
    pub unusable: usize,
    /// The first problem of the first of them.
    pub errors: Vec<Problem>,
    /// All findings.
    pub findings: usize,
    /// Findings that the scene expects.
    pub expected: usize,
    /// Others that a baseline or earlier results have.
    pub known: usize,
    /// Expectations that failed.
    pub failed: usize,
    /// By the first cause of a finding. Their files are those with such findings, as for objects.
    pub causes: BTreeMap<Cause, Count>,
    /// By name. A number at the end is a star: `ball *`.
    pub objects: BTreeMap<String, Count>,
    /// By name. Their files are all files of the level, as for builds.
    pub levels: BTreeMap<String, Count>,
    /// By the version of the recorded program; empty where it is unknown.
    pub builds: BTreeMap<String, Count>,
    /// By level and build.
    pub levels_of_builds: BTreeMap<(String, String), Count>,
    /// By what is changed.
    pub fixes: BTreeMap<Quantity, FixValues>,
    /// The comparison with earlier results, if there was one.
    pub earlier: Option<Earlier>,
}

/// Findings of some files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Files.
    pub files: usize,
    /// All findings.
    pub findings: usize,
    /// Those that are neither expected nor known.
    pub new: usize,
}

/// Findings before and now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Earlier {
    /// Earlier findings of the same files that are no longer found.
    pub fixed: usize,
    /// Findings of both.
    pub unchanged: usize,
    /// Files without an earlier result.
    pub new_files: usize,
    /// Files that have only an earlier result.
    pub missing_files: usize,
}

/// The values of a fix that findings need, by their own numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FixValues {
    /// Each value with the number of findings that it is just enough for, ascending.
    values: Vec<(f64, usize)>,
    /// Findings that some value fixes.
    pub findings: usize,
}

impl FixValues {
    fn add(&mut self, value: f64) {
        self.findings += 1;
        let place = self
            .values
            .binary_search_by(|(one, _)| one.total_cmp(&value));
        match place {
            Ok(at) => self.values[at].1 += 1,
            Err(at) => self.values.insert(at, (value, 1)),
        }
    }

    /// The value that fixes a share of the findings, 0 to 1, as text: `9`, `3.3 m/s`. Limits from above start with the largest.
    pub fn enough_for(&self, share: f64, what: Quantity) -> String {
        let needed = (share * self.findings as f64).ceil() as usize;
        let mut values: Vec<_> = self.values.iter().collect();
        if what.is_most() {
            values.reverse();
        }
        let mut sum = 0;
        let found = values.into_iter().find(|(_, number)| {
            sum += number;
            sum >= needed
        });
        let fix = |value| Fix {
            what,
            holds: Some(value),
            detects: None,
            with: None,
            setting: None,
            object: None,
        };
        let text = found.and_then(|(value, _)| fix(*value).held_text(UserUnits::default()));
        text.unwrap_or_default()
    }
}

impl Fleet {
    /// Adds the report of a file.
    ///
    /// # Errors
    /// When findings in a temporary file cannot be read.
    pub fn add(&mut self, report: &Report) -> io::Result<()> {
        self.files += 1;
        if let Some(problem) = report.error.first() {
            self.unusable += 1;
            if self.errors.len() < ERRORS {
                self.errors.push(problem.clone());
            }
            return Ok(());
        }
        let failed = report.expectations.iter().filter(|one| !one.passed);
        self.failed += failed.count();
        let mut all = Count {
            files: 1,
            ..Count::default()
        };
        let (mut causes, mut objects) = (BTreeSet::new(), BTreeSet::new());
        report.findings.for_each(&mut |_, finding| {
            all.add(finding);
            causes.insert(finding.cause);
            objects.extend(object_names(finding));
            self.add_finding(finding);
            Ok(())
        })?;
        self.findings += all.findings;
        for cause in causes {
            self.causes.entry(cause).or_default().files += 1;
        }
        for name in objects {
            self.objects.entry(name).or_default().files += 1;
        }
        let (level, build) = (report.name.clone(), report.build.clone());
        let build = build.unwrap_or_default();
        for count in [
            self.levels.entry(level.clone()).or_default(),
            self.builds.entry(build.clone()).or_default(),
            self.levels_of_builds.entry((level, build)).or_default(),
        ] {
            count.join(all);
        }
        Ok(())
    }

    fn add_finding(&mut self, finding: &Finding) {
        self.expected += usize::from(finding.expected);
        self.known += usize::from(finding.known && !finding.expected);
        self.causes.entry(finding.cause).or_default().add(finding);
        for name in object_names(finding) {
            self.objects.entry(name).or_default().add(finding);
        }
        self.add_fixes(finding);
    }

    /// Counts each quantity that fixes a finding by itself.
    fn add_fixes(&mut self, finding: &Finding) {
        let mut counted = BTreeSet::new();
        for fix in finding.fixes.iter().filter(|fix| fix.with.is_none()) {
            if let Some(value) = fix.held()
                && counted.insert(fix.what)
            {
                self.fixes.entry(fix.what).or_default().add(value);
            }
        }
    }

    /// Findings that are neither expected nor known.
    pub fn new_findings(&self) -> usize {
        self.findings - self.expected - self.known
    }

    /// The quantities that fix most findings, the best first.
    pub fn best_fixes(&self) -> Vec<(Quantity, &FixValues)> {
        let mut all: Vec<_> = self.fixes.iter().map(|(what, it)| (*what, it)).collect();
        all.sort_by_key(|(_, values)| std::cmp::Reverse(values.findings));
        all
    }
}

/// The names of both objects of a finding, with a star for a number; each once.
fn object_names(finding: &Finding) -> BTreeSet<String> {
    let names = [&finding.a, &finding.b].into_iter();
    let names = names.filter(|name| !name.is_empty());
    names.map(|name| name_pattern(name)).collect()
}

impl Count {
    fn add(&mut self, finding: &Finding) {
        self.findings += 1;
        self.new += usize::from(!finding.is_accepted());
    }

    fn join(&mut self, other: Self) {
        self.files += other.files;
        self.findings += other.findings;
        self.new += other.new;
    }

    /// Findings of a file on average.
    pub fn per_file(&self) -> f64 {
        self.findings as f64 / self.files.max(1) as f64
    }
}

/// The entries with findings, those with most new ones first.
pub fn most_first<K: Ord>(counts: &BTreeMap<K, Count>) -> Vec<(&K, &Count)> {
    let with_findings = counts.iter().filter(|(_, count)| count.findings > 0);
    let mut all: Vec<_> = with_findings.collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse((count.new, count.findings)));
    all
}

/// The builds in their natural order: `1.9` before `1.10`. Those that are unknown come first.
pub fn in_order(builds: &BTreeMap<String, Count>) -> Vec<(&String, &Count)> {
    let mut all: Vec<_> = builds.iter().collect();
    all.sort_by(|(one, _), (other, _)| alphanumeric_sort::compare_str(one, other));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_findings_needs_a_value_from_the_right_end() {
        let mut values = FixValues::default();
        for value in [8.0, 2.0, 4.0, 2.0] {
            values.add(value);
        }
        let enough = |share, what| values.enough_for(share, what);
        assert_eq!(enough(0.5, Quantity::Substeps), "2");
        assert_eq!(enough(0.51, Quantity::Substeps), "4");
        assert_eq!(enough(1.0, Quantity::Substeps), "8");
        assert_eq!(enough(0.25, Quantity::MaxSpeed), "8 m/s");
        assert_eq!(enough(1.0, Quantity::MaxSpeed), "2 m/s");
    }

    #[test]
    fn builds_are_in_natural_order() {
        let names = ["1.10", "1.9", "", "1.10-rc1"];
        let builds = names.map(|name| (name.to_owned(), Count::default()));
        let builds = BTreeMap::from(builds);
        let order: Vec<&str> = in_order(&builds).iter().map(|(name, _)| &***name).collect();
        assert_eq!(order, ["", "1.9", "1.10", "1.10-rc1"]);
    }
}
