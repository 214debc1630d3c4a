//! The program that is run, and one run of it with what it recorded.

use super::process::{self, End, GAP};
use super::template::{Template, Values};
use crate::core::diagnose::{Options, Report, diagnose};
use crate::core::level::{self, Level, LevelParts, ReadOptions};
use crate::core::live::Listener;
use crate::core::problem::Problems;
use crate::core::progress::Progress;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::DiskFolder;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Bytes of what a program printed first that are kept, and of what it printed last.
const PRINTED: usize = 8 << 10;
/// Lines of the start that are shown: some print the message first, and then where it arose.
const FIRST_LINES: usize = 5;
/// Lines of the end that are shown.
const LINES: usize = 12;
/// Longest time in which the rest of what a run has sent is read, once it has ended.
const TO_RECEIVE: Duration = Duration::from_secs(10);
/// Variables by which git would be led to another repository than that of the folder.
pub(super) const GIT_VARIABLES: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
];

/// Receives the progress of the work, and can cancel it.
#[derive(Clone, Copy)]
pub struct Watch<'w> {
    /// Runs that are done, of all as far as is known.
    pub progress: &'w dyn Progress,
    /// Is called with the current activity, in a few words.
    pub say: &'w (dyn Fn(&str) + Sync),
}

/// A program of the user.
#[derive(Clone, Debug)]
pub struct Program {
    /// The command.
    pub command: Template,
    /// The folder in which it is run; `None` for that of this program.
    pub folder: Option<PathBuf>,
    /// Time limit of a run.
    pub limit: Duration,
    /// Number of runs at a time.
    pub jobs: usize,
    /// Name of the log, `{log}`; its ending gives the format.
    pub log: String,
    /// What the logs do not say.
    pub read: ReadOptions,
}

/// What a run has recorded, judged whole.
#[derive(Debug)]
pub struct Judged {
    /// The level.
    pub level: Level,
    /// Its findings.
    pub report: Report,
    /// Seconds of the run.
    pub seconds: f64,
    /// A number of all its states, to the bit.
    pub states: u64,
    /// The last lines that the program printed.
    pub last_lines: Vec<String>,
    /// The folder of the log, from which meshes may still be read.
    _folder: TempDir,
}

/// Why a run says nothing.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Failure {
    /// What happened.
    pub what: String,
    /// It was ended at the time limit.
    #[serde(skip)]
    pub timed_out: bool,
    /// The first and the last lines that the program printed.
    pub last_lines: Vec<String>,
}

impl Program {
    /// Runs the program once, in this folder or its own, and judges its log. `None` when cancelled; nothing is reported to the progress.
    pub(super) fn run(
        &self,
        folder: Option<&Path>,
        values: &Values,
        progress: &dyn Progress,
    ) -> Option<Result<Judged, Failure>> {
        let progress = &CancelOnly(progress);
        let failed = |what: String| Failure {
            what,
            timed_out: false,
            last_lines: Vec::new(),
        };
        let made = tempfile::Builder::new().prefix("hitstop-run-").tempdir();
        let made = match made {
            Ok(made) => made,
            Err(error) => {
                let what = format!("a temporary folder could not be made: {error}");
                return Some(Err(failed(what)));
            }
        };
        let listener = match Listener::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0) {
            Ok(mut listener) => {
                listener.options = self.read.clone();
                listener
            }
            Err(problem) => return Some(Err(failed(problem.to_string()))),
        };
        // The program may run in another folder than that from which a relative one of TMPDIR leads.
        let log = std::path::absolute(made.path().join(&self.log));
        let log = match log {
            Ok(log) => log,
            Err(error) => return Some(Err(failed(format!("no temporary folder: {error}")))),
        };
        let mut values = values.clone();
        values.push(("log".to_owned(), log.display().to_string()));
        let port = listener.address().port();
        values.push(("port".to_owned(), port.to_string()));
        let state = Receiving::new(progress);
        let (ended, received) = thread::scope(|scope| {
            let received = scope.spawn(|| receive(&listener, &state));
            let ended = process::run(self.start(folder, &values), self.limit, PRINTED, progress);
            let _ = state.ended.set(Instant::now());
            (ended, received.join())
        });
        let ended = match ended {
            Ok(ended) => ended,
            Err(error) => {
                let words = self.command.fill(&values);
                let program = words.first().map_or("", String::as_str);
                return Some(Err(failed(format!("{program} cannot be run: {error}"))));
            }
        };
        let failed = |what: String| Failure {
            what,
            timed_out: matches!(ended.end, End::TimedOut),
            last_lines: last_lines(&ended.printed),
        };
        let what = match ended.end {
            End::Cancelled => return None,
            End::TimedOut => Some(format!(
                "it was ended at the time limit of {} s",
                self.limit.as_secs_f64()
            )),
            End::Exited(status) if !status.success() => Some(status_text(status)),
            End::Exited(_) => None,
        };
        if let Some(what) = what {
            return Some(Err(failed(what)));
        }
        let received =
            received.unwrap_or_else(|_| Some(Err("receiving its log failed".to_owned())));
        let level = match (received, log.exists()) {
            (Some(_), true) => Err("it wrote a log and sent one too: use one of them".to_owned()),
            (Some(level), false) => level,
            (None, true) => self.open(&log, progress),
            (None, false) => Err("it wrote no log: the command writes one to `{log}` or $HITSTOP_LOG, or sends it to `tcp:127.0.0.1:{port}`".to_owned()),
        };
        let judged = level.and_then(|level| judge(level, progress));
        match judged {
            Ok(None) => None,
            Ok(Some((level, report))) => Some(Ok(Judged {
                states: states_of(&level.replay),
                level,
                report,
                seconds: ended.seconds,
                last_lines: last_lines(&ended.printed),
                _folder: made,
            })),
            // A log that is half read, as the work was cancelled.
            Err(_) if progress.cancelled() => None,
            Err(what) => Some(Err(failed(what))),
        }
    }

    fn start(&self, folder: Option<&Path>, values: &Values) -> Command {
        let words = self.command.fill(values);
        let mut words = words.iter();
        let name = words.next().map_or("", String::as_str);
        let folder = folder.or(self.folder.as_deref());
        let mut command = Command::new(in_folder(name, folder));
        command.args(words);
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        for (name, value) in values {
            command.env(format!("HITSTOP_{}", name.to_uppercase()), value);
        }
        GIT_VARIABLES.iter().for_each(|name| {
            command.env_remove(name);
        });
        command
    }

    fn open(&self, log: &Path, progress: &dyn Progress) -> Result<Level, String> {
        let level = level::open_with(log, &self.read, &DiskFolder::of(log), progress);
        level.map_err(|problems| text(&problems))
    }
}

/// The path of a program such as `./game` in the folder in which it is run: Windows would look for it in that of this program. One without a folder is
/// looked for by the system.
fn in_folder(name: &str, folder: Option<&Path>) -> PathBuf {
    let path = Path::new(name);
    let has_folder = path.components().count() > 1;
    let joined = folder.filter(|_| path.is_relative() && has_folder);
    let joined = joined.and_then(|folder| std::path::absolute(folder.join(path)).ok());
    joined.unwrap_or_else(|| path.to_owned())
}

/// The findings of a level that is judged whole; `None` when cancelled.
fn judge(level: Level, progress: &dyn Progress) -> Result<Option<(Level, Report)>, String> {
    level
        .require_content()
        .map_err(|problems| text(&problems))?;
    if let Some(unjudged) = level.unjudged() {
        return Err(format!("its log is not whole: {unjudged}"));
    }
    let Some(report) = diagnose(&level, &Options::default(), progress) else {
        return Ok(None);
    };
    match level.lost_frames() {
        Some(problem) => Err(text(&problem.into())),
        None => Ok(Some((level, report))),
    }
}

/// A number of all states, to the bit: that of another log is another one, but for one of 2^64.
fn states_of(replay: &Replay) -> u64 {
    let mut hash = DefaultHasher::new();
    let objects = replay.objects().len() as ObjectId;
    for at in 0..=replay.frames() {
        for id in 0..objects {
            let Some(body) = replay.body(at, id) else {
                continue;
            };
            let pose = &body.pose;
            let moved = [body.velocity, body.spin].map(|it| it.map(|it| it.to_array()));
            let moved = moved.into_iter().flatten().flatten();
            let placed = pose.position.to_array();
            let all = placed.into_iter().chain(pose.rotation.to_array());
            (at, id).hash(&mut hash);
            all.chain(moved)
                .for_each(|number| number.to_bits().hash(&mut hash));
        }
    }
    hash.finish()
}

/// Problems of a log, without its path, which is a new one in each run.
fn text(problems: &Problems) -> String {
    let all = problems.0.iter().map(|problem| match problem.at {
        Some(at) => format!("its log, line {}: {}", at.line, problem.what),
        None => format!("its log: {}", problem.what),
    });
    all.collect::<Vec<_>>().join("; ")
}

fn status_text(status: ExitStatus) -> String {
    // "exit status: 3", "signal: 11 (SIGSEGV) (core dumped)". On Windows a crash has a status of its own, such as 0xC0000005.
    match status.code() {
        Some(code) if cfg!(windows) && code.cast_unsigned() >= 0xC000_0000 => {
            format!("it crashed: exit code {:#X}", code.cast_unsigned())
        }
        Some(code) => format!("it ended with exit status {code}"),
        None => format!("it crashed: {status}"),
    }
}

/// The first and the last lines of a text; of an endless line its last characters.
pub(super) fn last_lines(printed: &str) -> Vec<String> {
    const WIDEST: usize = 400;
    let mut lines: Vec<&str> = printed.lines().collect();
    if lines.len() > FIRST_LINES + LINES {
        let last = lines.len() - LINES;
        lines.splice(FIRST_LINES..last, [GAP]);
    }
    let cut = |line: &str| {
        let skipped = line.chars().count().saturating_sub(WIDEST);
        line.chars().skip(skipped).collect()
    };
    lines.into_iter().map(cut).collect()
}

/// Receives what one run sends; `None` if it sends nothing.
fn receive(listener: &Listener, state: &Receiving<'_>) -> Option<Result<Level, String>> {
    let client = match listener.accept(state) {
        Ok(client) => client?,
        Err(problem) => return Some(Err(problem.to_string())),
    };
    state.is_connected.store(true, Ordering::Relaxed);
    let parts = LevelParts {
        every: Duration::MAX,
        take: &mut |_| {},
    };
    let mut others = false;
    let level = client.receive(parts, &mut |_| others = true);
    if state.is_late() {
        let what = "what it sent was not read in time after its end, or its connection stayed open";
        return Some(Err(what.to_owned()));
    }
    state.is_connected.store(false, Ordering::Relaxed);
    // A second one would be left out without a word.
    others |= matches!(listener.accept(state), Ok(Some(_)));
    Some(match level {
        _ if others => Err("it sent more than one recording".to_owned()),
        Ok(level) => Ok(level),
        Err(problems) => Err(text(&problems)),
    })
}

/// Cancels with another progress, which counts runs and not the bytes of a log.
struct CancelOnly<'p>(&'p dyn Progress);

impl Progress for CancelOnly<'_> {
    fn report(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}

/// Ends the receiving after the program has ended.
struct Receiving<'p> {
    progress: &'p dyn Progress,
    ended: OnceLock<Instant>,
    is_connected: AtomicBool,
    /// A connection was looked for since the end.
    has_looked: AtomicBool,
}

impl<'p> Receiving<'p> {
    fn new(progress: &'p dyn Progress) -> Self {
        Self {
            progress,
            ended: OnceLock::new(),
            is_connected: AtomicBool::new(false),
            has_looked: AtomicBool::new(false),
        }
    }

    /// Whether a connection was open for too long after the end, so that not all may have been read.
    fn is_late(&self) -> bool {
        let ended = self.ended.get();
        let is_connected = self.is_connected.load(Ordering::Relaxed);
        is_connected && ended.is_some_and(|ended| ended.elapsed() > TO_RECEIVE)
    }
}

impl Progress for Receiving<'_> {
    fn report(&self, _done: u64, _total: u64) {}

    /// Between two calls the listener looks for a connection: one more time after the end, for one that was made just before.
    fn cancelled(&self) -> bool {
        if self.progress.cancelled() || self.is_late() {
            return true;
        }
        let waits = !self.is_connected.load(Ordering::Relaxed);
        waits && self.ended.get().is_some() && self.has_looked.swap(true, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_program_is_that_of_the_folder_in_which_it_runs() {
        let here = std::env::current_dir().unwrap();
        let folder = Some(Path::new("build-1"));
        for (name, wanted) in [
            ("./game", here.join("build-1").join("game")),
            ("bin/game", here.join("build-1").join("bin").join("game")),
            ("game", PathBuf::from("game")),
        ] {
            assert_eq!(in_folder(name, folder), wanted);
        }
        let absolute = here.join("game");
        assert_eq!(in_folder(absolute.to_str().unwrap(), folder), absolute);
        assert_eq!(in_folder("./game", None), PathBuf::from("./game"));
    }
}
