//! What would fix most: single changes to a whole level, each with the findings that it fixes and those that stay.
//!
//! A finding counts as fixed by a change only if all of this holds:
//! - Its own fixes name the quantity, without a second change. For continuous detection: the engine sweeps the body at this step, and
//!   nothing in the finding says that a sweep would not act ([`EngineSweep`](crate::core::diagnose::facts::engine_sweep::EngineSweep)).
//! - Its pair, tested again with the row's value, is held at each of 64 starting phases: an overlap test detects it, and the push leads
//!   back. This is the test of what-if. With continuous detection: the sweep hits from each starting phase.
//! - The pair is tested at all, and one of the two can be pushed or is a sensor.
//!
//! All other findings stay, with those of the other kinds (sinking, overlaps at the start, bad numbers, phantoms, the camera), for which there
//! is no such test. The frame of a finding is tested, not the frames after it, and for a scene not what bodies do once they are held.

mod candidates;
mod fix_test;

use self::candidates::Scopes;
pub use self::candidates::name_pattern;
use self::fix_test::FixTest;
use super::content::Report;
use super::level_fix::LevelFix;
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::finding::Finding;
use crate::core::number::grouped;
use crate::core::progress::Progress;
use crate::core::replay::Replay;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Most rows with a value.
///
/// Each costs 64 overlap tests of every finding: with three a check of thousands of findings takes 6 to 14 % longer.
const TESTED: usize = 3;

/// Most rows: two more are of continuous detection, which costs one sweep of a finding unless it rotates.
const MOST: usize = TESTED + 2;

/// Least number of findings that a row fixes: of a single one, its own fixes are the list.
const LEAST: usize = 2;

/// Findings between two reports of progress.
const CHUNK: usize = 64;

/// The causes of the findings that no row fixes, with their numbers, most first.
pub fn causes_that_stay(rows: &[LevelFix], findings: &[Finding]) -> Vec<(Cause, usize)> {
    let is_fixed = |index: &usize| {
        rows.iter()
            .any(|row| row.fixed.binary_search(index).is_ok())
    };
    let mut counts: BTreeMap<Cause, usize> = BTreeMap::new();
    for index in (0..findings.len()).filter(|index| !is_fixed(index)) {
        *counts.entry(findings[index].cause).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// `None of these fixes: C12 initial overlap (2); C18 layers and masks (1)`, with blanks that do not break in an item; `None` where nothing does.
pub fn stay_with_each(rows: &[LevelFix], findings: &[Finding]) -> Option<String> {
    text_of_staying(&causes_that_stay(rows, findings))
}

/// The same of these causes.
pub fn text_of_staying(causes: &[(Cause, usize)]) -> Option<String> {
    let causes = causes.iter().map(|(cause, number)| {
        let item = format!("{} {} ({})", cause.id(), cause.title(), grouped(*number));
        item.replace(' ', "\u{a0}")
    });
    let causes: Vec<_> = causes.collect();
    (!causes.is_empty()).then(|| format!("None of these fixes: {}", causes.join("; ")))
}

impl Report {
    /// Adds the changes that fix most; none when cancelled. `replay` is the one that was diagnosed.
    pub fn add_level_fixes(&mut self, replay: &Replay, progress: &dyn Progress) {
        self.level_fixes = level_fixes(replay, self, progress).unwrap_or_default();
    }
}

/// The changes that fix most findings of a report, the best first; empty where none fixes two. `replay` is the one that was diagnosed.
///
/// `None` when cancelled.
pub fn level_fixes(
    replay: &Replay,
    report: &Report,
    progress: &dyn Progress,
) -> Option<Vec<LevelFix>> {
    let findings = &report.findings;
    let scopes = Scopes::of(replay.objects());
    let tests: Vec<Option<FixTest<'_>>> = findings
        .par_iter()
        .map(|finding| FixTest::of(replay, finding, &scopes))
        .collect();
    let candidates = candidates::choose(tests.iter().flatten().flat_map(|test| &test.possible));
    let (done, total) = (AtomicU64::new(0), findings.len() as u64);
    let results: Option<Vec<Vec<[bool; MOST]>>> = tests
        .par_chunks(CHUNK)
        .map(|tests| {
            let fixed = tests.iter().map(|test| {
                let test = test.as_ref();
                test.map_or([false; MOST], |test| test.fixed_by(&candidates))
            });
            let fixed = (!progress.cancelled()).then(|| fixed.collect());
            let chunk = tests.len() as u64;
            progress.report(done.fetch_add(chunk, Ordering::Relaxed) + chunk, total);
            fixed
        })
        .collect();
    let results = results?.concat();
    let mut rows: Vec<LevelFix> = Vec::new();
    for (number, candidate) in candidates.into_iter().enumerate() {
        let fixed: Vec<usize> = (0..results.len())
            .filter(|index| results[*index][number])
            .collect();
        // The smaller change of a quantity comes first.
        let is_no_better = |row: &LevelFix| {
            let fixes_it = |index: &usize| row.fixed.binary_search(index).is_ok();
            row.what == candidate.what && fixed.iter().all(fixes_it)
        };
        if fixed.len() >= LEAST && !rows.iter().any(is_no_better) {
            let change = (candidate.what, candidate.value);
            let object = scopes.name(&candidate);
            rows.push(LevelFix::new(
                change,
                object,
                fixed,
                findings,
                replay.units(),
            ));
        }
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.fixed.len()));
    Some(rows)
}
