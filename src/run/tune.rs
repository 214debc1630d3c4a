//! Finds the values of parameters at which the user's own program has a finding no more.

use super::bracket::Bracket;
use super::program::{Failure, Program, Watch};
use super::question::{Pattern, Question, Sighting};
use super::template::Values;
use super::trial::{Batch, First, Runner};
use super::unused::{equal_runs, no_effect};
use super::values::{Parameter, Phase};
use crate::core::diagnose::{Fix, Kind, Quantity};
use serde::Serialize;
use std::collections::BTreeMap;

/// Values that are tried beside the result: the last one, and one notch more and less.
const BESIDE: usize = 3;

/// What is tuned.
#[derive(Clone, Debug)]
pub struct TuneSettings {
    /// The parameters; without one the runs are only counted.
    pub parameters: Vec<Parameter>,
    /// Runs of each value.
    pub runs: usize,
    /// The start that is varied over the runs.
    pub phase: Option<Phase>,
    /// Runs with the finding that are allowed.
    pub want: usize,
    /// The findings looked for; without one, those of the first run that fail a job.
    pub findings: Vec<Pattern>,
}

/// The runs of one value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The value.
    pub value: String,
    /// What the runs say.
    #[serde(flatten)]
    pub batch: Batch,
    /// The upper bound of the rate of runs with the finding, at 95 %.
    pub bound: f64,
    /// Whether at most the allowed runs have the finding, each has a result, and in some the two come near each other.
    pub holds: bool,
}

/// The values that diagnosis names for a parameter, of the findings that are looked for in the first run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// The one that is enough for each of them.
    pub value: String,
    /// The one that is enough for the fewest.
    pub least: String,
    /// Findings for which it names one.
    pub findings: usize,
    /// All findings.
    pub of: usize,
}

/// The search for the value of one parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Search {
    /// Its name.
    pub parameter: String,
    /// Other parameters, which are held at these values for it.
    pub with: Values,
    /// The value that diagnosis named.
    pub suggested: Option<Suggestion>,
    /// The values that were tried, from the one that prevents least.
    pub rows: Vec<Row>,
    /// No value that was tried holds below one that does not; `None` when the search was cancelled.
    pub monotone: Option<bool>,
    /// The row of the value that was found.
    pub found: Option<usize>,
    /// The row one notch less.
    pub below: Option<usize>,
    /// The first value whose runs all reached the time limit: none from it on was tried.
    pub hung: Option<String>,
    /// The runs of all values are equal.
    pub equal: bool,
}

/// The result.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tuned {
    /// What was looked for.
    pub looked_for: Vec<String>,
    /// The first finding of it; `None` where no run has one.
    pub first: Option<Sighting>,
    /// The runs with the first value of each parameter; where no run has a finding, all of them.
    pub base: Option<Row>,
    /// The findings of the first run, each in a line, where none is looked for.
    pub seen: Vec<String>,
    /// What keeps the runs from confirming a value.
    pub notes: Vec<String>,
    /// By parameter, then pairs of parameters that diagnosis names as one fix.
    pub searches: Vec<Search>,
    /// The work was cancelled: the rest is not known.
    pub cancelled: bool,
}

impl Tuned {
    /// Whether a value was found and confirmed.
    pub fn is_found(&self) -> bool {
        let found = self.searches.iter().filter_map(Search::found_row);
        self.base.iter().chain(found).any(Row::is_confirmed)
    }
}

impl Row {
    /// Whether the value holds in runs of which one says more than another.
    pub fn is_confirmed(&self) -> bool {
        self.holds && !self.batch.equal
    }
}

/// Tunes parameters.
///
/// # Errors
/// When the command cannot be used: no run of the first value has a result.
pub fn tune(
    program: &Program,
    settings: &TuneSettings,
    watch: Watch<'_>,
) -> Result<Tuned, Failure> {
    let runner = Runner::new(program, watch);
    let mut tuned = Tuned::default();
    let (parameters, question) = match first_run(&runner, settings)? {
        Ok(found) => found,
        Err(First { batch, seen, .. }) => {
            tuned.seen = seen;
            tuned.notes.extend(notes(program, settings, &batch, &[]));
            tuned.base = (batch.runs + batch.errors > 0).then(|| Row {
                value: String::new(),
                bound: batch.bound(),
                holds: false,
                batch,
            });
            tuned.cancelled = watch.progress.cancelled();
            return Ok(tuned);
        }
    };
    tuned.looked_for = question.texts();
    tuned.first = Some(question.first.clone());
    let mut tuner = Tuner {
        runner: &runner,
        settings,
        parameters: &parameters,
        question: &question,
        tried: BTreeMap::new(),
        later: runs_of_searches(settings),
    };
    let base = vec![0; parameters.len()];
    let done = tuner.measure(&base, "first value", 0, true);
    tuned.base = tuner.row(&base, 0);
    let holds = tuned.base.as_ref().is_some_and(|row| row.holds);
    if done.is_some() && !holds {
        for at in 0..parameters.len() {
            tuned.searches.extend(tuner.search(&base, at));
        }
        let pairs = tuner.pairs();
        let of_pair = |(at, ..): &(usize, usize, usize)| runs_of(&parameters[*at], settings.runs);
        tuner.later = pairs.iter().map(of_pair).sum();
        for (at, other, value) in pairs {
            let mut base = base.clone();
            base[other] = value;
            tuned.searches.extend(tuner.search(&base, at));
        }
    }
    tuned.cancelled = watch.progress.cancelled();
    if let Some(base) = &tuned.base {
        let notes = notes(program, settings, &base.batch, &tuned.searches);
        tuned.notes.extend(notes);
    }
    Ok(tuned)
}

/// What keeps equal runs from confirming a value, of the runs of the first value and of all searches.
fn notes(
    program: &Program,
    settings: &TuneSettings,
    base: &Batch,
    searches: &[Search],
) -> Option<String> {
    let command = &program.command;
    if let Some(search) = searches.iter().find(|search| search.equal) {
        return Some(no_effect(command, &search.parameter));
    }
    let found = searches.iter().filter_map(Search::found_row);
    let mut all = found.map(|row| &row.batch).chain([base]);
    let phase = settings.phase.as_ref().map(Phase::name);
    all.any(|batch| batch.equal)
        .then(|| equal_runs(command, "value", phase))
}

/// Runs that a search takes, about: each step halves the values, the last and two beside the result are tried too.
fn runs_of(parameter: &Parameter, runs: usize) -> usize {
    let steps = parameter.values.len().max(1).ilog2() as usize + 1;
    runs_of_values(steps + BESIDE, runs)
}

/// Runs of so many values, about: those of one that does not hold end early.
fn runs_of_values(values: usize, runs: usize) -> usize {
    (2 * values * runs).div_ceil(3)
}

/// Runs of all searches of single parameters, about.
fn runs_of_searches(settings: &TuneSettings) -> usize {
    let parameters = settings.parameters.iter();
    parameters.map(|it| runs_of(it, settings.runs)).sum()
}

/// Runs that tuning takes, about: the first one, those of the first value, and those of the searches.
pub fn expected_runs(settings: &TuneSettings) -> usize {
    1 + settings.runs + runs_of_searches(settings)
}

/// Runs with the first value of each parameter until one has a finding that is looked for. Where none has, it may be the last value that prevents
/// least: of a parameter whose name says nothing. Returns the parameters in their direction, or what the runs say where none has a finding.
fn first_run(
    runner: &Runner<'_>,
    settings: &TuneSettings,
) -> Result<Result<(Vec<Parameter>, Question), First>, Failure> {
    let mut all = First::default();
    let mut parameters: Vec<Parameter> = settings.parameters.iter().map(directed).collect();
    let unnamed = (0..parameters.len()).filter(|at| parameters[*at].quantity().is_none());
    let turns: Vec<Option<usize>> = std::iter::once(None).chain(unnamed.map(Some)).collect();
    for turn in turns {
        if let Some(at) = turn {
            parameters[at].values.reverse();
        }
        let first = parameters
            .iter()
            .map(|it| (it.name.clone(), it.values[0].clone()));
        let cases = cases(&first.collect(), settings);
        runner.expect("first run", expected_runs(settings));
        let first = runner.ask_first(None, &cases, &settings.findings, settings.phase.is_none())?;
        if let Some(question) = first.question {
            return Ok(Ok((parameters, question)));
        }
        all.batch.join(first.batch);
        if all.seen.is_empty() {
            all.seen = first.seen;
        }
        if let Some(at) = turn {
            parameters[at].values.reverse();
        }
    }
    Ok(Err(all))
}

/// A parameter with the value first that prevents least, as far as its name says.
fn directed(parameter: &Parameter) -> Parameter {
    let mut parameter = parameter.clone();
    if let (Some(quantity), Some(numbers)) = (parameter.quantity(), parameter.numbers()) {
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by(|one, other| numbers[*one].total_cmp(&numbers[*other]));
        if quantity.is_most() {
            order.reverse();
        }
        let values = order.into_iter().map(|at| parameter.values[at].clone());
        parameter.values = values.collect();
    }
    parameter
}

/// The values of each run.
fn cases(values: &Values, settings: &TuneSettings) -> Vec<Values> {
    let case = |index| {
        let mut values = values.clone();
        let phase = settings.phase.as_ref();
        values.extend(phase.map(|phase| phase.value(index, settings.runs)));
        values
    };
    (0..settings.runs).map(case).collect()
}

struct Tuner<'t> {
    runner: &'t Runner<'t>,
    settings: &'t TuneSettings,
    parameters: &'t [Parameter],
    question: &'t Question,
    /// By the index of each parameter's value.
    tried: BTreeMap<Vec<usize>, Batch>,
    /// Runs of the searches that are not begun, about.
    later: usize,
}

impl Tuner<'_> {
    /// Makes the runs of some values, if they are not made yet, and returns whether they hold. Where not `all` of them are wanted, they end once they
    /// cannot hold. `after` are the runs of other values of the search, about. `None` when cancelled.
    fn measure(&mut self, at: &[usize], what: &str, after: usize, all: bool) -> Option<bool> {
        let mut batch = self.tried.get(at).cloned().unwrap_or_default();
        let made = batch.runs + batch.errors;
        let fails = |batch: &Batch| batch.with_finding > self.settings.want;
        let is_known = made == self.settings.runs || batch.is_hopeless() || self.stops(&batch);
        if is_known || made > 0 && !all && fails(&batch) {
            return Some(self.holds(&batch));
        }
        let cases = cases(&self.values(at), self.settings);
        let enough = |batch: &Batch| !all && fails(batch) || self.stops(batch);
        let rest = cases.get(made..).unwrap_or_default();
        self.runner.expect(what, rest.len() + after + self.later);
        let is_done = self.runner.batch(&mut batch, rest, self.question, enough);
        let holds = self.holds(&batch);
        if batch.runs + batch.errors > 0 {
            self.tried.insert(at.to_vec(), batch);
        }
        is_done.then_some(holds)
    }

    /// Whether the runs of each value are equal, as far as it is known: a program that does not do the same each time shows it with the first one.
    fn is_one_run(&self) -> bool {
        let mut all = self.tried.values();
        all.all(|batch| batch.runs < 2 || batch.equal)
    }

    /// Whether more runs would be equal too.
    fn stops(&self, batch: &Batch) -> bool {
        self.settings.phase.is_none() && batch.repeats() && self.is_one_run()
    }

    fn holds(&self, batch: &Batch) -> bool {
        let all = batch.runs == self.settings.runs || self.stops(batch);
        all && batch.errors == 0 && batch.met() > 0 && batch.with_finding <= self.settings.want
    }

    /// Whether the runs of several values are equal.
    fn all_equal(&self, values: impl Iterator<Item = Vec<usize>>) -> bool {
        let all: Vec<&Batch> = values.filter_map(|at| self.tried.get(&at)).collect();
        all.len() > 1 && all.windows(2).all(|pair| pair[0].equals(pair[1]))
    }

    fn values(&self, at: &[usize]) -> Values {
        let values = self.parameters.iter().zip(at);
        let value = |(it, at): (&Parameter, &usize)| (it.name.clone(), it.values[*at].clone());
        values.map(value).collect()
    }

    /// The runs of some values, under the value of one of the parameters.
    fn row(&self, at: &[usize], parameter: usize) -> Option<Row> {
        let mut batch = self.tried.get(at)?.clone();
        // What comes now and then with the first value too is not brought by another one.
        let is_base = |at: &[usize]| at.iter().all(|index| *index == 0);
        let base = self.tried.iter().find(|(other, _)| is_base(other));
        if let Some((_, base)) = base.filter(|_| !is_base(at)) {
            let is_new = |kind: &Kind| !base.new_kinds.contains_key(kind);
            batch.new_kinds.retain(|kind, _| is_new(kind));
        }
        batch.equal &= self.is_one_run();
        let value = self.parameters.get(parameter);
        Some(Row {
            value: value.map_or_else(String::new, |it| it.values[at[parameter]].clone()),
            bound: batch.bound(),
            holds: self.holds(&batch),
            batch,
        })
    }

    /// Searches the value of one parameter, the others as in `base`. `None` when cancelled before a run.
    fn search(&mut self, base: &[usize], at: usize) -> Option<Search> {
        let parameter = &self.parameters[at];
        let last = parameter.values.len() - 1;
        let suggested = self.suggested(at);
        self.later = self
            .later
            .saturating_sub(runs_of(parameter, self.settings.runs));
        let of = |value: usize| {
            let mut all = base.to_vec();
            all[at] = value;
            all
        };
        let first = self.measure(base, &parameter.name, 0, true)?;
        let runs = self.settings.runs;
        // The last value that is tried: none from the first on whose runs reach the time limit.
        let mut end = last;
        let mut start = suggested.as_ref().map_or(last / 2, |(index, _)| *index);
        let found = loop {
            if first {
                break None;
            }
            let mut hung = None;
            let mut ask = |value: usize, (low, high): (usize, usize), left: usize| {
                let what = [low, high].map(|index| parameter.values[index].as_str());
                let what = format!("{} {}", parameter.name, what.join(".."));
                // One notch less is tried after all of them.
                let holds = self.measure(&of(value), &what, runs_of_values(left, runs), false)?;
                let batch = self.tried.get(&of(value));
                hung = batch.filter(|batch| batch.hangs()).map(|_| value);
                hung.is_none().then_some(holds)
            };
            let found = Bracket::new(end, &mut ask).search(start);
            match hung {
                None => break Some(found),
                Some(value) => (end, start) = (value - 1, value / 2),
            }
        };
        let from = match found {
            None => Some(0),
            Some(found) => found.and_then(|found| found.from),
        };
        // The value before it is shown beside it: how often it fails matters.
        if let Some(below) = from.and_then(|from| from.checked_sub(1)) {
            let what = format!("{} {}", parameter.name, parameter.values[below]);
            self.measure(&of(below), &what, 0, true);
        }
        let tried = (0..=last).filter(|value| self.tried.contains_key(&of(*value)));
        let tried: Vec<usize> = tried.collect();
        let row_of = |value: usize| tried.iter().position(|one| *one == value);
        let with = self.values(base).into_iter().enumerate();
        let with = with.filter(|(index, _)| *index != at && base[*index] != 0);
        Some(Search {
            parameter: parameter.name.clone(),
            with: with.map(|(_, value)| value).collect(),
            suggested: suggested.map(|(_, suggestion)| suggestion),
            monotone: match found {
                None => Some(true),
                Some(found) => found.map(|found| found.is_monotone),
            },
            found: from.and_then(row_of),
            below: from.and_then(|from| row_of(from.checked_sub(1)?)),
            hung: (end < last).then(|| parameter.values[end + 1].clone()),
            equal: self.all_equal(tried.iter().map(|value| of(*value))),
            rows: tried
                .iter()
                .filter_map(|value| self.row(&of(*value), at))
                .collect(),
        })
    }

    /// The fixes that diagnosis names for a parameter, as values in the units of the level.
    fn suggestions(&self, at: usize) -> impl Iterator<Item = (&Fix, f64)> {
        let fixes = self.question.fixes.iter();
        fixes.flat_map(move |fixes| self.suggestions_of(fixes, at))
    }

    /// The same of one finding.
    fn suggestions_of<'f>(
        &self,
        fixes: &'f [Fix],
        at: usize,
    ) -> impl Iterator<Item = (&'f Fix, f64)> {
        let quantity = self.parameters[at].quantity();
        let units = self.question.units;
        fixes.iter().filter_map(move |fix| {
            let value = fix.held().filter(|_| Some(fix.what) == quantity)?;
            Some((fix, units.value(value, fix.what.unit())))
        })
    }

    /// The values that diagnosis names, and the index of the next one toward the safe side: of several findings the one that prevents most.
    fn suggested(&self, at: usize) -> Option<(usize, Suggestion)> {
        // The first run is made with the first value: more steps of it are another number where it is not one step.
        let parameter = &self.parameters[at];
        let first = parameter.numbers().and_then(|all| all.first().copied());
        if parameter.quantity() == Some(Quantity::Substeps) && first != Some(1.0) {
            return None;
        }
        let is_most = parameter.quantity()?.is_most();
        let mut values: Vec<f64> = self.suggestions(at).map(|(_, value)| value).collect();
        values.sort_by(f64::total_cmp);
        if is_most {
            values.reverse();
        }
        let (least, value) = (*values.first()?, *values.last()?);
        let all = &self.question.fixes;
        let names = |fixes: &&Vec<Fix>| self.suggestions_of(fixes, at).next().is_some();
        let text = crate::core::number::number;
        let suggestion = Suggestion {
            value: text(value),
            least: text(least),
            findings: all.iter().filter(names).count(),
            of: all.len(),
        };
        Some((self.index(at, value)?, suggestion))
    }

    /// The index of the first value that prevents as much as this one; the last where none does.
    fn index(&self, at: usize, value: f64) -> Option<usize> {
        let numbers = self.parameters[at].numbers()?;
        let is_most = self.parameters[at].quantity()?.is_most();
        let enough = |one: &f64| match is_most {
            true => *one <= value,
            false => *one >= value,
        };
        Some(numbers.iter().position(enough).unwrap_or(numbers.len() - 1))
    }

    /// Pairs of parameters that diagnosis names as one fix: the one that is searched, the other, and the index of its value.
    fn pairs(&self) -> Vec<(usize, usize, usize)> {
        let mut pairs = Vec::new();
        for at in 0..self.parameters.len() {
            for (fix, _) in self.suggestions(at) {
                let Some(with) = &fix.with else { continue };
                let mut others = 0..self.parameters.len();
                let is_it = |it: &usize| self.parameters[*it].quantity() == Some(with.what);
                let found = others.find(is_it).and_then(|other| {
                    let value = self.question.units.value(with.held()?, with.what.unit());
                    Some((at, other, self.index(other, value)?))
                });
                pairs.extend(found.filter(|one| !pairs.contains(one)));
            }
        }
        pairs
    }
}
