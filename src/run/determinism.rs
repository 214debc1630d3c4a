//! Whether the user's program does the same each time.

use super::program::{Failure, Judged, Program, Watch};
use super::template::Values;
use super::trial::Runner;
use super::unused::no_effect;
use super::values::Parameter;
use crate::core::replay::compare::{Alignment, Comparison, FirstField, Settings, compare};
use serde::Serialize;

/// How a run differs from the first one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Number of the run, from 1.
    pub run: usize,
    /// Values of the parameters in it.
    pub values: Values,
    /// Whether anything differs, in one sentence.
    pub verdict: String,
    /// The first frame, object and field that differ; `None` where only the lengths, the steps or the shapes do.
    pub first: Option<FirstField>,
}

/// The result.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Determined {
    /// Values of the parameters in the first run, with which the others are compared.
    pub values: Values,
    /// Runs that were compared, the first one counted too.
    pub runs: usize,
    /// Those that differ from the first.
    pub differences: Vec<Difference>,
    /// Runs without a result.
    pub errors: usize,
    /// The first of them.
    pub failures: Vec<Failure>,
    /// Parameters that the program does not seem to get, each in a sentence.
    pub notes: Vec<String>,
    /// The work was cancelled: the rest is not known.
    pub cancelled: bool,
}

/// Runs the program with each combination of values, each `runs` times, and compares the logs to the bit with that of the first run.
///
/// # Errors
/// When the first run has no result.
pub fn determinism(
    program: &Program,
    parameters: &[Parameter],
    runs: usize,
    watch: Watch<'_>,
) -> Result<Determined, Failure> {
    let runner = Runner::new(program, watch);
    let cases: Vec<Values> = combinations(parameters)
        .into_iter()
        .flat_map(|values| std::iter::repeat_n(values, runs))
        .collect();
    let mut determined = Determined {
        values: cases[0].clone(),
        ..Determined::default()
    };
    runner.expect("first run", cases.len());
    let mut first = None;
    let done = runner.each(None, &cases[..1], &mut |_, ran| {
        first = Some(ran);
        true
    });
    let (Some(()), Some(first)) = (done, first) else {
        determined.cancelled = true;
        return Ok(determined);
    };
    let first = first?;
    determined.runs = 1;
    runner.expect("comparing", cases.len() - 1);
    let done = runner.each(None, &cases[1..], &mut |index, ran| {
        match ran {
            Ok(ran) => {
                determined.runs += 1;
                let (comparison, field) = difference(&first, &ran);
                if !comparison.equal {
                    determined.differences.push(Difference {
                        run: index + 2,
                        values: cases[index + 1].clone(),
                        verdict: comparison.verdict(),
                        first: field,
                    });
                }
            }
            Err(failure) => {
                determined.errors += 1;
                determined.failures.push(failure);
            }
        }
        true
    });
    let command = &program.command;
    let varied = parameters.iter().filter(|it| it.values.len() > 1);
    let unknown = varied.filter(|it| !command.has(&it.name));
    if determined.differences.is_empty() {
        let note = |it: &Parameter| no_effect(command, &it.name);
        determined.notes = unknown.map(note).collect();
    }
    determined.failures.truncate(3);
    determined.differences.sort_by_key(|one| one.run);
    determined.cancelled = done.is_none();
    Ok(determined)
}

/// Compares two runs by frame, to the bit.
pub(super) fn difference(one: &Judged, other: &Judged) -> (Comparison, Option<FirstField>) {
    let (a, b) = (&one.level.replay, &other.level.replay);
    let settings = Settings {
        alignment: Some(Alignment::Frame),
        ..Settings::default()
    };
    let comparison = compare(("A", a), ("B", b), &settings, &());
    let comparison = comparison.unwrap_or_else(|| unreachable!("nothing here cancels"));
    let first = comparison.first.clone();
    (comparison, first)
}

/// Each combination of the parameters' values, the last parameter varied first.
fn combinations(parameters: &[Parameter]) -> Vec<Values> {
    parameters.iter().fold(vec![Vec::new()], |all, parameter| {
        let with = |values: &Values| {
            let values = values.clone();
            parameter.values.iter().map(move |value| {
                let mut values = values.clone();
                values.push((parameter.name.clone(), value.clone()));
                values
            })
        };
        all.iter().flat_map(with).collect()
    })
}
