//! Revisions of a git repository, in a worktree of its own: the user's checkout, index and stash are not touched.

use super::history::{History, Mark, Next};
use super::process::{self, End};
use super::program::{Failure, GIT_VARIABLES, last_lines};
use crate::core::progress::Progress;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Time limit of one command of git.
const LIMIT: Duration = Duration::from_secs(600);
/// Bytes of what git prints that are read.
const PRINTED: usize = 4 << 20;
/// Bytes of what a build printed last that are kept.
const BUILD_PRINTED: usize = 8 << 10;

/// A repository that is bisected.
pub(super) struct Git<'p> {
    /// Has the worktree, and an empty folder of hooks.
    folder: TempDir,
    /// The user's folder, below the top of the repository.
    prefix: PathBuf,
    ends: (String, String),
    build: Option<&'p str>,
    build_limit: Duration,
    progress: &'p dyn Progress,
    /// The revision that is checked out and built.
    built: Option<String>,
    has_started: bool,
}

impl<'p> Git<'p> {
    /// Makes a worktree of the repository of the current folder.
    ///
    /// # Errors
    /// When there is none, or no such revisions.
    pub fn new(
        (good, bad): (&str, &str),
        (build, build_limit): (Option<&'p str>, Duration),
        progress: &'p dyn Progress,
    ) -> Result<Self, Failure> {
        let here = Path::new(".");
        let folder = tempfile::Builder::new().prefix("hitstop-bisect-").tempdir();
        let folder = folder.map_err(|error| failure(format!("no temporary folder: {error}")))?;
        let hooks = folder.path().join("hooks");
        std::fs::create_dir(&hooks).map_err(|error| failure(error.to_string()))?;
        let ask = |arguments: &[&str]| git(here, &hooks, arguments);
        let prefix = ask(&["rev-parse", "--show-prefix"])?;
        let revision = |name: &str| {
            let commit = format!("{name}^{{commit}}");
            let found = ask(&[
                "rev-parse",
                "--verify",
                "--quiet",
                "--end-of-options",
                &commit,
            ]);
            let found = found.map_err(|_| failure(format!("git knows no revision \"{name}\"")))?;
            Ok::<_, Failure>(last_line(&found).to_owned())
        };
        let ends = (revision(good)?, revision(bad)?);
        if ask(&["merge-base", "--is-ancestor", &ends.0, &ends.1]).is_err() || ends.0 == ends.1 {
            let what = format!(
                "--good {good} is not an earlier revision than --bad {bad}: give one from which the other was made"
            );
            return Err(failure(what));
        }
        let tree = folder.path().join("tree").display().to_string();
        ask(&["worktree", "add", "--quiet", "--detach", &tree, &ends.1])?;
        Ok(Self {
            prefix: PathBuf::from(last_line(&prefix)),
            folder,
            ends,
            build,
            build_limit,
            progress,
            built: None,
            has_started: false,
        })
    }

    fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    fn git(&self, arguments: &[&str]) -> Result<String, Failure> {
        git(&self.tree(), &self.folder.path().join("hooks"), arguments)
    }

    /// Removes what a build has changed or added, but for what git ignores, such as a folder of objects.
    fn clean(&self) -> Result<(), Failure> {
        self.git(&["reset", "--quiet", "--hard"])?;
        self.git(&["clean", "--quiet", "-ffd"]).map(drop)
    }
}

impl Drop for Git<'_> {
    fn drop(&mut self) {
        // The folder itself is removed anyway; what is left of a worktree without one, git prunes.
        let tree = self.tree().display().to_string();
        let hooks = self.folder.path().join("hooks");
        let _ = git(
            Path::new("."),
            &hooks,
            &["worktree", "remove", "--force", "--force", &tree],
        );
    }
}

impl History for Git<'_> {
    fn ends(&self) -> (String, String) {
        self.ends.clone()
    }

    fn between(&self) -> usize {
        let (good, bad) = &self.ends;
        let count = self.git(&["rev-list", "--count", bad, "--not", good]);
        let count = count
            .ok()
            .and_then(|it| last_line(&it).parse::<usize>().ok());
        count.unwrap_or_default().saturating_sub(1)
    }

    fn title(&self, revision: &str) -> String {
        let title = self.git(&["log", "-1", "--format=%h %s", revision]);
        title.map_or_else(|_| revision.to_owned(), |it| last_line(&it).to_owned())
    }

    fn is_parent(&self, revision: &str, child: &str) -> bool {
        let parents = self.git(&["log", "-1", "--format=%P", child]);
        parents.is_ok_and(|all| last_line(&all).split(' ').any(|one| one == revision))
    }

    fn prepare(&mut self, revision: &str) -> Result<Option<PathBuf>, Failure> {
        let tree = self.tree();
        let folder = tree.join(&self.prefix);
        if self.built.as_deref() != Some(revision) {
            self.built = None;
            self.clean()?;
            self.git(&["checkout", "--quiet", "--detach", revision])?;
            if let Some(build) = self.build {
                let mut command = shell(build);
                let at = if folder.is_dir() { &folder } else { &tree };
                command.current_dir(at);
                without_git_variables(&mut command);
                let ran = process::run(command, self.build_limit, BUILD_PRINTED, self.progress);
                let ran =
                    ran.map_err(|error| failure(format!("the build did not start: {error}")))?;
                let what = match ran.end {
                    End::Cancelled => return Ok(None),
                    End::Exited(status) if status.success() => None,
                    End::Exited(status) => Some(format!("the build failed ({status})")),
                    End::TimedOut => Some("the build was ended at its time limit".to_owned()),
                };
                if let Some(what) = what {
                    return Err(Failure {
                        what,
                        timed_out: false,
                        last_lines: last_lines(&ran.printed),
                    });
                }
            }
            self.built = Some(revision.to_owned());
        }
        match folder.is_dir() {
            true => Ok(Some(folder)),
            false => Err(failure(format!(
                "it has no folder {}",
                self.prefix.display()
            ))),
        }
    }

    fn next(&mut self, marked: Option<(&str, Mark)>) -> Result<Next, Failure> {
        self.clean()?;
        self.built = None;
        let (good, bad) = self.ends.clone();
        if !self.has_started {
            self.has_started = true;
            self.git(&["bisect", "start", &bad, &good, "--"])?;
        }
        if let Some((revision, mark)) = marked {
            let word = match mark {
                Mark::Good => "good",
                Mark::Bad => "bad",
                Mark::Skip => "skip",
            };
            // It ends with an error where only skipped revisions are left, which its log says too.
            if let Err(failure) = self.git(&["bisect", word, revision])
                && !self.git(&["bisect", "log"])?.contains("\n# only skipped")
            {
                return Err(failure);
            }
        }
        let log = self.git(&["bisect", "log"])?;
        let named = |start: &str| {
            let lines = log.lines().filter_map(|line| line.strip_prefix(start));
            let names = lines.filter_map(|rest| Some(rest.split_once(']')?.0.to_owned()));
            names.collect::<Vec<_>>()
        };
        if let Some(first) = named("# first bad commit: [").pop() {
            return Ok(Next::FirstBad(first));
        }
        let possible = named("# possible first bad commit: [");
        match possible.is_empty() {
            false => Ok(Next::OneOf(possible)),
            true => {
                let head = self.git(&["rev-parse", "HEAD"])?;
                Ok(Next::Test(last_line(&head).to_owned()))
            }
        }
    }
}

fn failure(what: String) -> Failure {
    Failure {
        what,
        timed_out: false,
        last_lines: Vec::new(),
    }
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

/// A line for the shell of the system.
#[cfg(not(windows))]
fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", line]);
    command
}

/// A line for the shell of the system, which has its own rules for quotation marks.
#[cfg(windows)]
fn shell(line: &str) -> Command {
    use std::os::windows::process::CommandExt as _;
    let mut command = Command::new("cmd");
    command.arg("/C").raw_arg(line);
    command
}

fn without_git_variables(command: &mut Command) {
    GIT_VARIABLES.iter().for_each(|name| {
        command.env_remove(name);
    });
}

/// Runs git without the user's hooks, which would run in the worktree too; returns what it prints. It is in a group of its own, so that Ctrl+C does
/// not end it halfway.
fn git(folder: &Path, hooks: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let mut command = Command::new("git");
    let hooks = format!("core.hooksPath={}", hooks.display());
    let settings = [
        &*hooks,
        "gc.auto=0",
        "advice.detachedHead=false",
        "submodule.recurse=false",
    ];
    settings.iter().for_each(|setting| {
        command.args(["-c", setting]);
    });
    command
        .args(arguments)
        .current_dir(folder)
        .env("LC_ALL", "C");
    without_git_variables(&mut command);
    let name = arguments.first().copied().unwrap_or_default();
    let ran = process::run(command, LIMIT, PRINTED, &());
    let ran = ran.map_err(|error| failure(format!("git cannot be run: {error}")))?;
    match ran.end {
        End::Exited(status) if status.success() => Ok(ran.printed),
        _ => Err(Failure {
            what: format!("git {name} failed"),
            timed_out: false,
            last_lines: last_lines(&ran.printed),
        }),
    }
}
