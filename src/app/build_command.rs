//! The command with which a finding is tuned in the user's own build, as it is asked for and kept.

use crate::core::diagnose::{Finding, Fix};
use crate::core::scene::UserUnits;
use crate::run::{
    Parameter, Pattern, Phase, Program, RESERVED, Template, TuneSettings, proposed_values,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// A command, and how often it is run. The parameters are the names in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BuildCommand {
    /// The program and its arguments, quoted as in a shell.
    pub line: String,
    /// The folder in which it is run.
    pub folder: String,
    /// The values to try, by the name of the parameter, as typed.
    pub values: BTreeMap<String, String>,
    /// The parameter that is the start of a run, and is not tuned.
    pub start: Option<String>,
    /// Runs of each value.
    pub runs: u32,
    /// Runs at a time.
    pub at_once: u32,
    /// Time limit of a run, seconds.
    pub seconds: u32,
}

impl Default for BuildCommand {
    fn default() -> Self {
        Self {
            line: String::new(),
            folder: String::new(),
            values: BTreeMap::new(),
            start: None,
            runs: 16,
            at_once: 1,
            seconds: 60,
        }
    }
}

/// A field of the form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is named after its field")]
pub enum Field {
    Line,
    Folder,
    Values(String),
}

/// Why a command cannot be run, by the field.
pub type Faults = BTreeMap<Field, String>;

impl BuildCommand {
    /// The words of the line. Of one that cannot be divided, why.
    ///
    /// # Errors
    /// What is to be written.
    pub fn words(&self) -> Result<Vec<String>, String> {
        match shlex::split(&self.line) {
            None => Err("a quotation mark is not closed".to_owned()),
            Some(words) if words.is_empty() => Err("write the program that is run".to_owned()),
            Some(words) => Ok(words),
        }
    }

    /// The parameters in the line.
    pub fn names(&self) -> Vec<String> {
        let template = Template::new(&self.words().unwrap_or_default());
        let names = template.names().into_iter();
        let names = names.filter(|name| !RESERVED.contains(name));
        names.map(str::to_owned).collect()
    }

    /// Completes the values of the names in the line by those that a finding's fixes propose.
    pub fn propose(&mut self, finding: &Finding, units: UserUnits) {
        for name in self.names() {
            let fix = fix_of(&name, finding);
            let proposed = || proposed_values(fix?, &finding.fixes, units);
            let values = self.values.entry(name);
            values.or_insert_with(|| proposed().unwrap_or_default());
        }
    }

    /// Forgets values of another finding, without the one that diagnosis names for this one.
    pub fn forget_others(&mut self, finding: &Finding, units: UserUnits) {
        self.values.retain(|name, typed| {
            fix_of(name, finding).is_none_or(|fix| has_within(name, typed, fix, units))
        });
    }

    /// What is run for a finding; `log` is the name of the log.
    ///
    /// # Errors
    /// The fields that cannot be used.
    pub fn read(&self, finding: &Finding, log: String) -> Result<(Program, TuneSettings), Faults> {
        let mut faults = Faults::new();
        let words = self.words().unwrap_or_else(|why| {
            faults.insert(Field::Line, why);
            Vec::new()
        });
        let command = Template::new(&words);
        let names = self.names();
        let given: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Err(why) = command.check(&[&given[..], &RESERVED].concat()) {
            faults.insert(Field::Line, why);
        }
        let folder = PathBuf::from(&self.folder);
        if !folder.is_dir() {
            faults.insert(Field::Folder, "this is not a folder".to_owned());
        }
        let (mut parameters, mut phase) = (Vec::new(), None);
        for name in names {
            let values = self.values.get(&name).map_or("", String::as_str);
            let text = format!("{name}={values}");
            let read = match self.start.as_ref() == Some(&name) {
                true => Phase::parse(&text).map(|one| phase = Some(one)),
                false => Parameter::parse(&text).map(|one| parameters.push(one)),
            };
            if let Err(why) = read {
                faults.insert(Field::Values(name), why);
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let program = Program {
            command,
            folder: Some(folder),
            limit: Duration::from_secs(u64::from(self.seconds)),
            jobs: self.at_once as usize,
            log,
            read: Default::default(),
        };
        let settings = TuneSettings {
            parameters,
            runs: self.runs as usize,
            phase,
            want: 0,
            findings: vec![Pattern::of(finding)],
        };
        Ok((program, settings))
    }
}

/// The fixes of a finding that are numbers to vary, each with those that belong to it.
pub fn all_fixes(finding: &Finding) -> impl Iterator<Item = &Fix> {
    finding.fixes.iter().flat_map(Fix::together)
}

/// The fix of the quantity that a parameter is named after.
fn fix_of<'f>(name: &str, finding: &'f Finding) -> Option<&'f Fix> {
    let quantity = crate::core::diagnose::Quantity::named(name)?;
    all_fixes(finding).find(|fix| fix.what == quantity)
}

/// Whether the value that a fix names is within the typed values.
fn has_within(name: &str, typed: &str, fix: &Fix, units: UserUnits) -> bool {
    let Ok(parameter) = Parameter::parse(&format!("{name}={typed}")) else {
        return false;
    };
    let (Some(numbers), Some(value)) = (parameter.numbers(), fix.held()) else {
        return true;
    };
    let value = units.value(value, fix.what.unit());
    let ends = numbers
        .iter()
        .fold((f64::MAX, f64::MIN), |(low, high), one| {
            (low.min(*one), high.max(*one))
        });
    (ends.0..=ends.1).contains(&value)
}
