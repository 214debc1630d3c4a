//! Finds the first revision in which a finding comes up.

use super::build_list::BuildList;
use super::determinism::difference;
use super::git::Git;
use super::history::{History, Mark, Next};
use super::program::{Failure, Judged, Program, Watch};
use super::question::{Pattern, Question, Sighting, seen_text};
use super::statistics::Rate;
use super::template::Values;
use super::trial::{Batch, First, Runner, count};
use super::unused::equal_runs;
use super::values::Phase;
use crate::core::replay::compare::FirstField;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Runs of a revision at least: 3 with the finding differ from 3 without at 95 %, and no fewer do.
const FEWEST: usize = 3;

/// The revisions among which the first bad one is.
#[derive(Clone, Debug)]
pub enum Revisions {
    /// Of the git repository of the current folder.
    Git {
        /// A revision without the finding.
        good: String,
        /// A later one with it.
        bad: String,
        /// A line for the shell that builds a revision.
        build: Option<String>,
        /// Its time limit.
        build_limit: Duration,
    },
    /// Folders with builds, the oldest first.
    Builds(Vec<PathBuf>),
}

/// What is bisected.
#[derive(Clone, Debug)]
pub struct BisectSettings {
    /// The revisions.
    pub revisions: Revisions,
    /// Runs of a revision at most.
    pub runs: usize,
    /// The level at which good and bad differ, such as 0.95.
    pub level: f64,
    /// The start that is varied over the runs.
    pub phase: Option<Phase>,
    /// The findings looked for; without one, those of the first bad run that fail a job.
    pub findings: Vec<Pattern>,
}

/// What a revision is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It has the finding less often than the bad one.
    Good,
    /// It has the finding more often than the good one.
    Bad,
    /// It cannot be built, or no run of it has a result.
    Skipped,
    /// Its runs differ neither from the good nor from the bad ones, as often as they were repeated, or are too few.
    CannotTell,
}

/// A revision that was tested.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Revision {
    /// Its hash, or the index of its folder.
    pub id: String,
    /// Its short hash and subject, or its folder.
    pub title: String,
    /// What it is.
    pub verdict: Verdict,
    /// What its runs say.
    #[serde(flatten)]
    pub batch: Batch,
    /// Why it was skipped.
    pub skipped: Option<Failure>,
}

/// The result.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Bisected {
    /// What was looked for.
    pub looked_for: Vec<String>,
    /// In the order in which they were tested.
    pub tested: Vec<Revision>,
    /// The first bad one, an index of `tested`.
    pub first_bad: Option<usize>,
    /// The last good one, an index of `tested`.
    pub last_good: Option<usize>,
    /// The finding in the first bad one, or in the bad end.
    pub finding: Option<Sighting>,
    /// The first difference between a log of the last good one (A) and of the first bad one (B).
    pub difference: Option<FirstField>,
    /// The same in one sentence.
    pub verdict: Option<String>,
    /// Why there is no first bad one.
    pub unknown: Option<String>,
    /// That all runs of each revision are equal.
    pub notes: Vec<String>,
    /// The revisions that may be the first bad one, where those between were skipped.
    pub candidates: Vec<String>,
    /// The work was cancelled: the rest is not known.
    pub cancelled: bool,
}

/// Finds the first bad revision.
///
/// # Errors
/// When the revisions or the command cannot be used: an end cannot be built, or no run of it has a result.
pub fn bisect(
    program: &Program,
    settings: &BisectSettings,
    watch: Watch<'_>,
) -> Result<Bisected, Failure> {
    let mut history: Box<dyn History + '_> = match &settings.revisions {
        Revisions::Builds(builds) => Box::new(BuildList::new(builds)?),
        Revisions::Git {
            good,
            bad,
            build,
            build_limit,
        } => {
            let build = (build.as_deref(), *build_limit);
            Box::new(Git::new((good, bad), build, watch.progress)?)
        }
    };
    let mut bisection = Bisection {
        runner: Runner::new(program, watch),
        settings,
        history: &mut *history,
        tested: BTreeMap::new(),
        order: Vec::new(),
        left: 0,
    };
    bisection.left = bisection.history.between().max(1).ilog2() as usize + 1;
    let mut bisected = Bisected::default();
    let done = bisection.run(&mut bisected);
    bisected.tested = bisection.revisions();
    let index = |id: &Option<String>| {
        bisection
            .order
            .iter()
            .position(|one| Some(one) == id.as_ref())
    };
    if let Ok(Some((last_good, first_bad))) = &done {
        bisected.last_good = index(last_good);
        bisected.first_bad = index(first_bad);
    }
    let phase = settings.phase.as_ref().map(Phase::name);
    let repeated = bisected.tested.iter().filter(|it| it.batch.runs > 1);
    let mut repeated = repeated.peekable();
    if repeated.peek().is_some() && repeated.all(|it| it.batch.equal) {
        let note = equal_runs(&program.command, "revision", phase);
        bisected.notes.push(note);
    }
    bisected.cancelled = watch.progress.cancelled();
    match done {
        Err(failure) if !bisected.cancelled => Err(failure),
        _ => Ok(bisected),
    }
}

/// A revision that was tested.
#[derive(Default)]
struct Tested {
    batch: Batch,
    verdict: Option<Verdict>,
    skipped: Option<Failure>,
    /// A run without the finding, and one with it.
    runs: [Option<Judged>; 2],
}

struct Bisection<'b> {
    runner: Runner<'b>,
    settings: &'b BisectSettings,
    history: &'b mut dyn History,
    tested: BTreeMap<String, Tested>,
    order: Vec<String>,
    /// Revisions between the ends that are still to be tested, about.
    left: usize,
}

/// The last good and the first bad revision; `None` where it cannot be told, or when cancelled.
type Ends = Option<(Option<String>, Option<String>)>;

impl Bisection<'_> {
    fn run(&mut self, bisected: &mut Bisected) -> Result<Ends, Failure> {
        let (good, bad) = self.history.ends();
        let Some(first) = self.first_run(&bad)? else {
            return Ok(None);
        };
        let Some(question) = first.question else {
            if !self.is_cancelled() {
                bisected.unknown = Some(format!(
                    "no run of the bad revision has such a finding; of its first run: {}",
                    seen_text(&first.seen)
                ));
            }
            return Ok(None);
        };
        bisected.looked_for = question.texts();
        bisected.finding = Some(question.first.clone());
        if !self.differ((&good, &bad), &question)? {
            if !self.is_cancelled() {
                bisected.unknown = Some(self.no_difference(&good, &bad));
            }
            return Ok(None);
        }
        let rates = (self.rate(&good), self.rate(&bad));
        let mut marked: Option<(String, Mark)> = None;
        loop {
            let mark = marked.as_ref().map(|(id, mark)| (id.as_str(), *mark));
            match self.history.next(mark)? {
                Next::Test(id) => {
                    let Some(mark) = self.test(&id, rates, &question)? else {
                        return Ok(None);
                    };
                    marked = Some((id, mark));
                }
                Next::OneOf(all) => {
                    let what =
                        "those between the last good and the first bad revision were skipped";
                    bisected.unknown = Some(what.to_owned());
                    bisected.candidates = all.iter().map(|id| self.history.title(id)).collect();
                    return Ok(None);
                }
                Next::FirstBad(id) => return self.confirm(id, &question, bisected),
            }
        }
    }

    fn is_cancelled(&self) -> bool {
        self.runner.watch.progress.cancelled()
    }

    fn rate(&self, id: &str) -> Rate {
        let tested = self.tested.get(id);
        tested.map_or_else(Rate::default, |tested| tested.batch.rate())
    }

    fn entry(&mut self, id: &str) -> &mut Tested {
        if !self.tested.contains_key(id) {
            self.order.push(id.to_owned());
        }
        self.tested.entry(id.to_owned()).or_default()
    }

    /// The question, of the first run of the bad revision that has the findings; its runs are made anew. `None` when cancelled.
    fn first_run(&mut self, bad: &str) -> Result<Option<First>, Failure> {
        self.expect("building the bad one", 1 + 2 * FEWEST);
        let prepared = self.history.prepare(bad);
        let Some(folder) = prepared.map_err(|failure| self.named(bad, failure))? else {
            return Ok(None);
        };
        self.expect("first run", 1 + 2 * FEWEST);
        let cases: Vec<Values> = (0..self.settings.runs).map(|it| self.case(it)).collect();
        let settings = self.settings;
        let stops = settings.phase.is_none();
        let first = (self.runner).ask_first(Some(&folder), &cases, &settings.findings, stops);
        let first = first.map_err(|failure| self.named(bad, failure))?;
        if first.question.is_none() {
            self.entry(bad).batch = first.batch.clone();
        }
        Ok(Some(first))
    }

    /// Shows the activity; `more` are the runs of the ends and of this revision that are still to be made.
    fn expect(&self, what: &str, more: usize) {
        // So many as those that were tested took, each.
        let each = self.runner.done().div_ceil(self.order.len().max(1));
        self.runner
            .expect(what, more + self.left * each.max(FEWEST));
    }

    /// A failure of a revision without which there is no result.
    fn named(&self, id: &str, failure: Failure) -> Failure {
        let (good, bad) = self.history.ends();
        let which = match id {
            _ if id == good => "good ",
            _ if id == bad => "bad ",
            _ => "",
        };
        let title = self.history.title(id);
        Failure {
            what: format!(
                "the {which}revision ({title}) cannot be used: {}",
                failure.what
            ),
            ..failure
        }
    }

    fn case(&self, index: usize) -> Values {
        let phase = self.settings.phase.as_ref();
        let value = phase.map(|it| it.value(index % self.settings.runs, self.settings.runs));
        value.into_iter().collect()
    }

    /// Runs two revisions until they differ at the level. False where they do not, as often as they are run, and when cancelled.
    fn differ(&mut self, (good, bad): (&str, &str), question: &Question) -> Result<bool, Failure> {
        let level = self.settings.level;
        let mut repeat = |id: &str, enough: &dyn Fn(Rate) -> bool| {
            if !self.is_cancelled() {
                let done = self.repeat(id, question, enough);
                done.map_err(|failure| self.named(id, failure))?;
            }
            Ok::<_, Failure>((self.rate(good), self.rate(bad)))
        };
        let (_, of_bad) = repeat(bad, &|rate| rate.runs >= FEWEST)?;
        let (of_good, of_bad) = repeat(good, &|rate| of_bad.is_above(rate, level))?;
        if !of_bad.is_above(of_good, level) {
            repeat(bad, &|rate| rate.is_above(of_good, level))?;
        }
        let differ = self.rate(bad).is_above(self.rate(good), level);
        if differ {
            self.decide(good, Verdict::Good);
            self.decide(bad, Verdict::Bad);
        }
        Ok(differ)
    }

    fn no_difference(&self, good: &str, bad: &str) -> String {
        let failure = |id: &str| {
            let batch = &self.tested.get(id)?.batch;
            batch.failures.first().filter(|_| batch.runs == 0)
        };
        for (which, id) in [("good", good), ("bad", bad)] {
            if let Some(failure) = failure(id) {
                return format!(
                    "no run of the {which} revision has a result: {}. Where a later revision has more objects, name one finding that all can have: \
                     --finding 'A:B', where `*` stands for any letters",
                    failure.what
                );
            }
        }
        let text = |id: &str| {
            let rate = self.rate(id);
            format!("{} of {}", rate.events, rate.runs)
        };
        let what = match (self.verdict(good), self.verdict(bad)) {
            (Verdict::Bad, _) => "it is bad too; give an earlier --good".to_owned(),
            (_, Verdict::Good) => {
                "it came in the first run and not again; give --runs more".to_owned()
            }
            _ => format!(
                "they do not differ at {} %; give --runs more",
                self.settings.level * 100.0
            ),
        };
        format!(
            "the good revision has the finding in {} runs and the bad one in {}: {what}",
            text(good),
            text(bad)
        )
    }

    /// What a revision is; of one that was compared with no other, what its own runs say.
    fn verdict(&self, id: &str) -> Verdict {
        let tested = &self.tested[id];
        let rate = tested.batch.rate();
        let without = Rate { events: 0, ..rate };
        match tested.verdict {
            Some(verdict) => verdict,
            None if rate.runs == 0 => Verdict::Skipped,
            None if rate.is_above(without, self.settings.level) => Verdict::Bad,
            None if rate.events == 0 && rate.runs >= FEWEST && tested.batch.errors == 0 => {
                Verdict::Good
            }
            None => Verdict::CannotTell,
        }
    }

    /// Runs a revision until its rate is enough, or as often as is allowed. `None` when cancelled.
    fn repeat(
        &mut self,
        id: &str,
        question: &Question,
        enough: &dyn Fn(Rate) -> bool,
    ) -> Result<Option<()>, Failure> {
        let title = self.history.title(id);
        self.expect(&format!("building {title}"), FEWEST);
        let Some(folder) = self.history.prepare(id)? else {
            return Ok(None);
        };
        let most = self.settings.runs.max(FEWEST);
        loop {
            let jobs = self.runner.program.jobs;
            // More runs would be equal too, as far as all revisions show.
            let mut batches = self.tested.values().map(|it| &it.batch);
            let stops = self.settings.phase.is_none() && batches.all(|it| it.runs < 2 || it.equal);
            let tested = self.entry(id);
            let stops = stops && tested.batch.repeats();
            let (rate, all) = (tested.batch.rate(), tested.batch.runs + tested.batch.errors);
            let is_enough = rate.runs >= FEWEST && enough(rate);
            if is_enough
                || stops
                || rate.runs >= most
                || all >= 2 * most
                || tested.batch.is_hopeless()
            {
                return Ok(Some(()));
            }
            let more = match rate.runs < FEWEST {
                true => FEWEST - rate.runs,
                false => jobs.min(most - rate.runs),
            };
            let cases: Vec<Values> = (all..all + more).map(|it| self.case(it)).collect();
            self.expect(&title, more);
            let mut tested = std::mem::take(self.entry(id));
            let done = self.runner.each(Some(&folder), &cases, &mut |_, ran| {
                let before = tested.batch.with_finding;
                let judged = count(&mut tested.batch, ran, question);
                let side = usize::from(tested.batch.with_finding > before);
                if tested.runs[side].is_none() {
                    tested.runs[side] = judged;
                }
                true
            });
            *self.entry(id) = tested;
            if done.is_none() {
                return Ok(None);
            }
        }
    }

    /// Tests a revision between the ends. `None` when cancelled.
    fn test(
        &mut self,
        id: &str,
        (good, bad): (Rate, Rate),
        question: &Question,
    ) -> Result<Option<Mark>, Failure> {
        let level = self.settings.level;
        let mark = |rate: Rate| match (rate.is_above(good, level), bad.is_above(rate, level)) {
            (true, _) => Some(Mark::Bad),
            (_, true) => Some(Mark::Good),
            _ => None,
        };
        let ran = self.repeat(id, question, &|rate| mark(rate).is_some());
        let is_cancelled = self.is_cancelled();
        let tested = self.entry(id);
        let (verdict, marked) = match ran {
            Ok(None) => return Ok(None),
            Err(_) if is_cancelled => return Ok(None),
            Err(failure) => {
                tested.skipped = Some(failure);
                (Verdict::Skipped, Mark::Skip)
            }
            Ok(Some(())) => match mark(tested.batch.rate()) {
                Some(Mark::Bad) => (Verdict::Bad, Mark::Bad),
                Some(_) => (Verdict::Good, Mark::Good),
                None if tested.batch.runs == 0 => {
                    tested.skipped = tested.batch.failures.first().cloned();
                    (Verdict::Skipped, Mark::Skip)
                }
                None => (Verdict::CannotTell, Mark::Skip),
            },
        };
        self.left = self.left.saturating_sub(1);
        self.decide(id, verdict);
        Ok(Some(marked))
    }

    /// Sets what a revision is. Runs are kept of the last good and the last bad one alone.
    fn decide(&mut self, id: &str, verdict: Verdict) {
        self.entry(id).verdict = Some(verdict);
        let last = |of: Verdict| {
            let mut all = self.order.iter().rev();
            all.find(|id| self.tested[*id].verdict == Some(of)).cloned()
        };
        let kept = [last(Verdict::Good), last(Verdict::Bad)];
        for (id, tested) in &mut self.tested {
            if !kept.iter().flatten().any(|one| one == id) {
                tested.runs = [None, None];
            }
        }
    }

    /// The revision before the first bad one, if both differ at the level: each was compared with the ends alone so far.
    fn confirm(
        &mut self,
        first_bad: String,
        question: &Question,
        bisected: &mut Bisected,
    ) -> Result<Ends, Failure> {
        let is_good = |id: &&String| self.tested[*id].verdict == Some(Verdict::Good);
        let good: Vec<&String> = self.order.iter().filter(is_good).collect();
        let parent = good
            .iter()
            .find(|id| self.history.is_parent(id, &first_bad));
        let Some(last_good) = parent.or(good.last()).map(|id| (*id).clone()) else {
            bisected.unknown = Some("no good revision was tested".to_owned());
            return Ok(None);
        };
        self.left = 0;
        let differ = self.differ((&last_good, &first_bad), question);
        if !matches!(differ, Ok(true)) {
            // What the other revisions say is known, so that it is shown.
            let why = match differ {
                Err(failure) => failure.what,
                Ok(_) => self.no_difference(&last_good, &first_bad),
            };
            bisected.unknown = (!self.is_cancelled()).then_some(why);
            return Ok(None);
        }
        let good_run = self.tested[&last_good].runs[0].as_ref();
        if let Some(run) = &self.tested[&first_bad].runs[1] {
            bisected.finding = question.ask(run)?.found;
            if let Some(good_run) = good_run {
                let (comparison, field) = difference(good_run, run);
                bisected.difference = field;
                bisected.verdict = Some(comparison.verdict());
            }
        }
        Ok(Some((Some(last_good), Some(first_bad))))
    }

    /// All that were tested, in their order.
    fn revisions(&self) -> Vec<Revision> {
        let revision = |id: &String| {
            let tested = &self.tested[id];
            Revision {
                id: id.clone(),
                title: self.history.title(id),
                verdict: self.verdict(id),
                batch: tested.batch.clone(),
                skipped: tested.skipped.clone(),
            }
        };
        self.order.iter().map(revision).collect()
    }
}
