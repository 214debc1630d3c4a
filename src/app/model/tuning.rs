//! Tuning a finding in the user's own build: the command that is asked for, its runs as a job, and what they say of each finding.

use super::job::{JobDone, JobKind};
use super::messages::Severity;
use super::{FindingKey, Model};
use crate::app::build_command::BuildCommand;
use crate::app::source::Source;
use crate::core::diagnose::Finding;
use crate::core::problem::Problem;
use crate::core::progress::Progress;
use crate::interrupt;
use crate::run::{Failure, Tuned, Watch, tune};

/// The runs for one finding.
pub struct Tuning {
    /// The level.
    source: Source,
    finding: FindingKey,
    /// The command that was run.
    pub command: BuildCommand,
    /// What is being tried, with the runs that are done and the time left.
    now: String,
    /// What the runs say; `None` while they are made.
    pub outcome: Option<Result<Tuned, Failure>>,
}

impl Model {
    /// The command that is asked for.
    pub fn build_command(&self) -> Option<&BuildCommand> {
        self.build_command.as_ref()
    }

    /// Asks for the command to tune the selected finding with: the last one, with values for this finding.
    pub(in crate::app) fn ask_build_command(&mut self) {
        let kept = self.settings.build_commands.first().cloned();
        let mut command = kept.unwrap_or_else(|| {
            let folder = self.document().and_then(|document| document.folder());
            // The folder of a file that is named alone is empty.
            let folder = std::path::absolute(folder.unwrap_or_default().join("."));
            BuildCommand {
                folder: folder.map_or_else(|_| String::new(), |path| path.display().to_string()),
                ..BuildCommand::default()
            }
        });
        if let Some(finding) = self.selected_finding() {
            command.forget_others(finding, self.units());
        }
        self.set_build_command(command);
    }

    /// The commands with which findings were tuned before, latest first, but for the one that is asked for.
    pub fn earlier_build_commands(&self) -> impl Iterator<Item = &BuildCommand> {
        let asked = self.build_command.as_ref();
        let all = self.settings.build_commands.iter();
        all.filter(move |one| asked.is_none_or(|asked| asked.line != one.line))
    }

    /// Changes the command that is asked for.
    pub(in crate::app) fn set_build_command(&mut self, mut command: BuildCommand) {
        let Some(finding) = self.selected_finding() else {
            return;
        };
        command.propose(finding, self.units());
        self.build_command = Some(command);
    }

    /// Closes the form; true keeps the command and runs it.
    pub(in crate::app) fn end_build_command(&mut self, runs: bool) {
        let Some(command) = self.build_command.take().filter(|_| runs) else {
            return;
        };
        self.settings.remember_build_command(command.clone());
        self.save_settings();
        self.tune(command);
    }

    fn tune(&mut self, command: BuildCommand) {
        let Some((document, finding)) = self.document().zip(self.selected_finding()) else {
            return;
        };
        let source = document.source.clone();
        let Ok((mut program, settings)) = command.read(finding, log_name(&source)) else {
            return;
        };
        if let Source::File(path) = &source {
            program.read = self.answer(path).unwrap_or_default();
        }
        let finding = FindingKey::from(finding);
        let is_other = |one: &Tuning| !one.is_of(&source, &finding);
        self.tunings.retain(is_other);
        self.tunings.push(Tuning {
            source,
            finding,
            command,
            now: String::new(),
            outcome: None,
        });
        self.jobs.start(JobKind::Tune, move |job| {
            interrupt::cancel_on_first_signal();
            let watch = Watch {
                progress: &UntilSignal(job),
                say: &|what| job.send(JobDone::TuneStep(what.to_owned())),
            };
            let tuned = tune(&program, &settings, watch);
            interrupt::end_if_cancelled();
            interrupt::end_on_next_signal();
            JobDone::Tune(tuned)
        });
    }

    /// The runs for a finding of the open level.
    pub fn tuning_of(&self, finding: &Finding) -> Option<&Tuning> {
        let source = &self.document()?.source;
        let key = FindingKey::from(finding);
        self.tunings.iter().find(|one| one.is_of(source, &key))
    }

    /// What is being tried, with the runs that are done and the time left; `None` while nothing is tuned.
    pub fn tuning_text(&self) -> Option<String> {
        let running = self.tunings.iter().find(|one| one.outcome.is_none())?;
        Some(running.now.clone())
    }

    pub(super) fn take_tune_step(&mut self, what: String) {
        if let Some(tuning) = self.running_mut() {
            tuning.now = what;
        }
    }

    pub(super) fn take_tuned(&mut self, outcome: Result<Tuned, Failure>) {
        let Some(tuning) = self.running_mut() else {
            return;
        };
        let (severity, what) = match &outcome {
            Ok(tuned) if tuned.cancelled => (Severity::Notice, "the runs were stopped".to_owned()),
            Ok(tuned) => {
                let found = tuned.searches.iter().find_map(|search| {
                    Some(format!(
                        "{} {}",
                        search.parameter,
                        search.found_row().filter(|row| row.is_confirmed())?.text()
                    ))
                });
                let severity = match found {
                    Some(_) => Severity::Done,
                    None => Severity::Notice,
                };
                let none = "no value was confirmed in your build";
                (severity, found.unwrap_or_else(|| none.to_owned()))
            }
            Err(failure) => (Severity::Error, failure.what.clone()),
        };
        let title = tuning.finding.title();
        tuning.outcome = Some(outcome);
        self.messages.add(severity, Problem::new(title, what, ""));
    }

    /// The job panicked.
    pub(super) fn tuning_failed(&mut self) {
        interrupt::end_on_next_signal();
        self.tunings.retain(|one| one.outcome.is_some());
    }

    fn running_mut(&mut self) -> Option<&mut Tuning> {
        self.tunings.iter_mut().find(|one| one.outcome.is_none())
    }
}

impl Tuning {
    fn is_of(&self, source: &Source, finding: &FindingKey) -> bool {
        self.source == *source && self.finding.is_same_pair(finding)
    }
}

/// The name of the log of a run: of the format of the open level, if that is a log.
fn log_name(source: &Source) -> String {
    const FORMATS: [&str; 3] = ["csv", "jsonl", "parquet"];
    const PACKED: [&str; 3] = ["", ".gz", ".zst"];
    let name = match source {
        Source::File(path) => path.display().to_string().to_ascii_lowercase(),
        _ => String::new(),
    };
    let endings = FORMATS
        .into_iter()
        .flat_map(|format| PACKED.map(|packed| format!(".{format}{packed}")));
    let mut endings = endings.filter(|ending| name.ends_with(ending));
    format!("log{}", endings.next().as_deref().unwrap_or(".jsonl"))
}

/// Ctrl+C in the terminal from which the window was started ends the programs too.
struct UntilSignal<'p>(&'p dyn Progress);

impl Progress for UntilSignal<'_> {
    fn report(&self, done: u64, total: u64) {
        self.0.report(done, total);
    }

    fn cancelled(&self) -> bool {
        self.0.cancelled() || interrupt::is_cancelled()
    }
}
