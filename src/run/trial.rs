//! Several runs, some at a time, and what they say together.

use super::program::{Failure, Judged, Program, Watch};
use super::question::{Answer, Pattern, Question, lines_of, unknown_name};
use super::statistics::{Rate, upper_bound};
use super::template::Values;
use super::time_left::progress_text;
use crate::core::diagnose::Kind;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Runs without a result after which no more are made with the same values, if none has one.
const HOPELESS: usize = 3;
/// Runs that are equal after which no more are made with the same values: a program that does not do the same each time shows it by then.
const REPEATS: usize = 3;
/// Failures of a batch that are kept with their last lines.
const SHOWN: usize = 3;

/// What several runs with the same values say.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Batch {
    /// Runs that were judged whole.
    pub runs: usize,
    /// Those that have a finding that is looked for.
    pub with_finding: usize,
    /// Those in which no two that are looked for came near each other: that they have no finding says nothing.
    pub apart: usize,
    /// Runs without a result; they are not among `runs`.
    pub errors: usize,
    /// Those of them that reached the time limit.
    pub timed_out: usize,
    /// The first of them.
    pub failures: Vec<Failure>,
    /// The logs of all runs are equal, to the bit of their states: they say as much as one run.
    pub equal: bool,
    /// Kinds of finding that the first run did not have, and in how many runs.
    pub new_kinds: BTreeMap<Kind, usize>,
    /// The median time of a run, seconds; `None` without one.
    pub seconds: Option<f64>,
    #[serde(skip)]
    times: Vec<f64>,
    /// [`Judged::states`] of the first run.
    #[serde(skip)]
    states: Option<u64>,
}

impl Batch {
    /// The runs that say something: those in which two that are looked for came near each other.
    pub fn met(&self) -> usize {
        self.runs - self.apart
    }

    /// The upper bound of the rate of runs with the finding, at 95 %.
    pub fn bound(&self) -> f64 {
        match self.equal {
            true => upper_bound(self.with_finding.min(1), self.met().min(1)),
            false => upper_bound(self.with_finding, self.met()),
        }
    }

    /// Whether the runs are equal, and so many that more would be too.
    pub(super) fn repeats(&self) -> bool {
        self.equal && self.runs >= REPEATS && self.errors == 0
    }

    /// Whether all runs of both are equal.
    pub(super) fn equals(&self, other: &Self) -> bool {
        let alone = |batch: &Self| batch.equal || batch.runs == 1;
        alone(self) && alone(other) && self.states == other.states
    }

    pub(super) fn rate(&self) -> Rate {
        Rate {
            events: self.with_finding,
            runs: self.runs,
        }
    }

    /// Whether no run of several has a result.
    pub(super) fn is_hopeless(&self) -> bool {
        self.runs == 0 && self.errors >= HOPELESS
    }

    /// Whether no run has a result, as each reached the time limit.
    pub(super) fn hangs(&self) -> bool {
        self.runs == 0 && self.errors > 0 && self.timed_out == self.errors
    }

    fn add(&mut self, (seconds, states): (f64, u64), answer: &Answer) {
        let first = *self.states.get_or_insert(states);
        self.equal = first == states && (self.equal || self.runs == 1);
        self.runs += 1;
        self.with_finding += usize::from(answer.found.is_some());
        self.apart += usize::from(!answer.near && answer.found.is_none());
        for kind in &answer.new_kinds {
            *self.new_kinds.entry(*kind).or_default() += 1;
        }
        let at = self.times.partition_point(|time| *time < seconds);
        self.times.insert(at, seconds);
        self.seconds = self.times.get(self.times.len() / 2).copied();
    }

    /// Adds the runs of another batch.
    pub(super) fn join(&mut self, other: Self) {
        let answer = Answer::none();
        let equal = match (self.runs, other.runs) {
            (0, _) => other.equal,
            (_, 0) => self.equal,
            _ => self.equals(&other),
        };
        let states = other.states.unwrap_or_default();
        let times = other.times.iter();
        times.for_each(|seconds| self.add((*seconds, states), &answer));
        self.equal = equal;
        let errors = self.errors + other.errors;
        let timed_out = self.timed_out + other.timed_out;
        other
            .failures
            .into_iter()
            .for_each(|failure| self.fail(failure));
        self.errors = errors;
        self.timed_out = timed_out;
    }

    fn fail(&mut self, failure: Failure) {
        self.errors += 1;
        self.timed_out += usize::from(failure.timed_out);
        if self.failures.len() < SHOWN {
            self.failures.push(failure);
        }
    }
}

/// What the first runs say.
#[derive(Default)]
pub(super) struct First {
    /// Of the first run that has the findings; `None` if none has, or when cancelled.
    pub question: Option<Question>,
    /// All of them.
    pub batch: Batch,
    /// The findings of the first run, each in a line.
    pub seen: Vec<String>,
}

/// ` with substeps 1 and start 0.3`.
fn with_values(values: &Values) -> String {
    let all = values.iter().map(|(name, value)| format!("{name} {value}"));
    let all: Vec<String> = all.collect();
    match all.is_empty() {
        true => String::new(),
        false => format!(" with {}", all.join(" and ")),
    }
}

/// Makes the runs and counts them.
pub(super) struct Runner<'r> {
    pub program: &'r Program,
    pub watch: Watch<'r>,
    begun: Instant,
    done: AtomicUsize,
    expected: AtomicUsize,
    /// The activity.
    now: Mutex<String>,
}

impl<'r> Runner<'r> {
    pub fn new(program: &'r Program, watch: Watch<'r>) -> Self {
        Self {
            program,
            watch,
            begun: Instant::now(),
            done: AtomicUsize::new(0),
            expected: AtomicUsize::new(0),
            now: Mutex::default(),
        }
    }

    /// Shows the activity, and how many runs are expected until the end.
    pub fn expect(&self, what: &str, more: usize) {
        let done = self.done();
        self.expected.store(done + more, Ordering::Relaxed);
        what.clone_into(&mut lock(&self.now));
        self.report(done);
    }

    /// Runs that are done.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// Shows the activity with the runs that are done and the time left: what is between runs, such as a build, takes its share.
    fn report(&self, done: usize) {
        let expected = self.expected.load(Ordering::Relaxed).max(done);
        self.watch.progress.report(done as u64, expected as u64);
        let elapsed = self.begun.elapsed().as_secs_f64();
        (self.watch.say)(&progress_text(&lock(&self.now), done, expected, elapsed));
    }

    /// Runs the program with each of the values, `jobs` at a time, and hands on what each says with its index. Ends early where `take` returns
    /// false, once the runs under way have ended. `None` when cancelled.
    pub fn each(
        &self,
        folder: Option<&Path>,
        cases: &[Values],
        take: &mut (dyn FnMut(usize, Result<Judged, Failure>) -> bool + Send),
    ) -> Option<()> {
        let next = AtomicUsize::new(0);
        let take = Mutex::new(take);
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(values) = cases.get(index) else {
                    return Some(());
                };
                let ran = self.program.run(folder, values, self.watch.progress)?;
                self.report(self.done.fetch_add(1, Ordering::Relaxed) + 1);
                let mut take = take.lock().unwrap_or_else(PoisonError::into_inner);
                if !take(index, ran) {
                    next.store(cases.len(), Ordering::Relaxed);
                }
            }
        };
        let threads = self.program.jobs.clamp(1, cases.len().max(1));
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut all = work();
            for other in others {
                // A panic in a run is a fault of this program: it goes on here.
                all = all.and(
                    other
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                );
            }
            all
        })
    }

    /// Runs the program until a run has the findings, and asks for them.
    ///
    /// # Errors
    /// When no run has a result, or the first one has no object of a name that is looked for.
    pub fn ask_first(
        &self,
        folder: Option<&Path>,
        cases: &[Values],
        findings: &[Pattern],
        stops: bool,
    ) -> Result<First, Failure> {
        let mut batch = Batch::default();
        let mut seen = None;
        let mut unknown = None;
        let mut failed: Option<Values> = None;
        // Of several at a time that of the earliest run, whichever ends first.
        let mut question: Option<(usize, Question)> = None;
        let done = self.each(folder, cases, &mut |index, ran| {
            let asked = ran.and_then(|ran| {
                if seen.is_none() {
                    unknown = unknown_name(&ran, findings)?;
                    seen = Some(lines_of(&ran)?);
                }
                let said = (ran.seconds, ran.states);
                Ok((said, Question::of(&ran, findings)?))
            });
            match asked {
                Ok((said, asked)) => {
                    batch.add(said, &Answer::none());
                    let earlier = asked.filter(|_| {
                        let known = question.as_ref();
                        known.is_none_or(|(known, _)| index < *known)
                    });
                    question = earlier.map(|asked| (index, asked)).or(question.take());
                }
                Err(failure) => {
                    failed.get_or_insert_with(|| cases[index].clone());
                    batch.fail(failure);
                }
            }
            let is_over = batch.is_hopeless() || stops && batch.repeats();
            question.is_none() && unknown.is_none() && !is_over
        });
        if let Some(failure) = unknown {
            return Err(failure);
        }
        match (batch.failures.first(), failed) {
            (Some(failure), Some(values)) if batch.runs == 0 && done.is_some() => Err(Failure {
                what: format!(
                    "no run has a result; of the first{}, {}",
                    with_values(&values),
                    failure.what
                ),
                ..failure.clone()
            }),
            _ => Ok(First {
                question: question.map(|(_, question)| question),
                batch,
                seen: seen.unwrap_or_default(),
            }),
        }
    }

    /// Runs the program with each of the values, and counts with what is counted already. Ends early where no run has a result, and once it is `enough`.
    /// False when cancelled.
    pub fn batch(
        &self,
        batch: &mut Batch,
        cases: &[Values],
        question: &Question,
        enough: impl Fn(&Batch) -> bool + Sync,
    ) -> bool {
        let done = self.each(None, cases, &mut |_, ran| {
            count(batch, ran, question);
            !batch.is_hopeless() && !enough(batch)
        });
        done.is_some()
    }
}

fn lock(text: &Mutex<String>) -> MutexGuard<'_, String> {
    text.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds what a run says; returns the run, if it says something.
pub(super) fn count(
    batch: &mut Batch,
    ran: Result<Judged, Failure>,
    question: &Question,
) -> Option<Judged> {
    let answered = ran.and_then(|judged| Ok((question.ask(&judged)?, judged)));
    match answered {
        Ok((answer, judged)) => {
            batch.add((judged.seconds, judged.states), &answer);
            Some(judged)
        }
        Err(failure) => {
            batch.fail(failure);
            None
        }
    }
}
