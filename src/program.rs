//! The program: parses the arguments, then opens the window or runs the command.

use crate::cli::{self, Arguments, Command, ListenArguments, Status};
use crate::core::escape::{escaped, for_log};
use crate::core::level::{self, Level};
use crate::core::problem::{Problems, nearest};
use crate::interrupt;
use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// Runs the program with its arguments, the first of which is its own name.
pub fn run(arguments: &[OsString]) -> Status {
    let arguments = match parse(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // As the program ends by it, there is nothing to say about output that is gone.
            let _ = error.print();
            let is_wrong = error.use_stderr();
            return if is_wrong {
                Status::BadInput
            } else {
                Status::Clean
            };
        }
    };
    arguments.color.apply();
    interrupt::remove_temporary_files_on_signals();
    // A panic is the program's own fault, and has its own exit status; the message is already printed by then.
    std::panic::catch_unwind(|| run_command(arguments)).unwrap_or(Status::Fault)
}

/// The arguments; what is wrong with them is escaped, as it may be the name of a file from elsewhere.
fn parse(arguments: &[OsString]) -> Result<Arguments, clap::Error> {
    let parsed = Arguments::try_parse_from(arguments);
    let has_command = parsed.as_ref().is_ok_and(|it| it.command.is_some());
    if !has_command && let Some(what) = misspelt_command(arguments) {
        return Err(Arguments::command().error(ErrorKind::InvalidSubcommand, what));
    }
    let safe = |argument: &OsString| for_log(&escaped(&argument.to_string_lossy())).into_owned();
    parsed.or_else(|_| Arguments::try_parse_from(arguments.iter().map(safe)))
}

/// What is wrong where the first word is nearly a command, and not a file.
fn misspelt_command(arguments: &[OsString]) -> Option<String> {
    let word = arguments.get(1)?;
    let (is_file, word) = (Path::new(word).exists(), word.to_str()?.to_owned());
    let command = Arguments::command();
    let names: Vec<&str> = command
        .get_subcommands()
        .map(|one| one.get_name())
        .collect();
    let is_word = word.chars().all(char::is_alphabetic) && !names.contains(&&*word);
    let near = nearest(&word, names).filter(|_| is_word && !is_file)?;
    Some(format!(
        "there is no file or command \"{}\": did you mean `hitstop {near}`?",
        escaped(&word)
    ))
}

fn run_command(arguments: Arguments) -> Status {
    match arguments.command {
        Some(Command::Check(check)) => cli::check::run(&check),
        Some(Command::Merge(merge)) => cli::merge::run(&merge),
        Some(Command::Compare(compare)) => cli::compare::run(&compare),
        Some(Command::Convert(convert)) => cli::convert::run(&convert),
        Some(Command::Report(report)) => cli::report::run(&report),
        Some(Command::Repro(repro)) => cli::repro::run(&repro),
        Some(Command::Leaks(leaks)) => cli::leaks::run(&leaks),
        Some(Command::Why(why)) => cli::why::run(&why),
        #[cfg(feature = "mcp")]
        Some(Command::Mcp(mcp)) => cli::mcp::run(&mcp),
        Some(Command::Completions { shell }) => cli::manual::completions(shell),
        Some(Command::Man) => cli::manual::man(),
        Some(Command::Listen(arguments)) => listen(&arguments),
        Some(Command::Tune(arguments)) => cli::runs::tune(&arguments),
        Some(Command::Determinism(arguments)) => cli::runs::determinism(&arguments),
        Some(Command::Bisect(arguments)) => cli::runs::bisect(&arguments),
        None => open(arguments.file, arguments.compared),
    }
}

/// The window; where there can be none, the findings of the level it would have shown, or the differences of two.
fn open(file: Option<PathBuf>, compared: Vec<PathBuf>) -> Status {
    let first = file.clone().map(|file| Open::File(file, compared.clone()));
    let Err(reason) = open_window(first) else {
        return Status::Clean;
    };
    if let Some(file) = file.clone().filter(|_| !compared.is_empty()) {
        eprintln!(
            "{reason}\nThese are the differences instead, as `hitstop compare` prints them.\n"
        );
        let compare = |other: PathBuf| {
            let arguments = [
                "hitstop".into(),
                "compare".into(),
                file.clone().into(),
                other.into(),
            ];
            parse(&arguments).map_or(Status::BadInput, run_command)
        };
        return compared
            .into_iter()
            .map(compare)
            .max()
            .unwrap_or(Status::Clean);
    }
    eprintln!(
        "{reason}\nThese are the findings of the level instead, as `hitstop check` prints them.\n"
    );
    match open_level(file.as_deref()) {
        Ok(level) => cli::check::print_level(&level),
        Err(problems) => {
            cli::report_problems(&problems.0, false);
            Status::BadInput
        }
    }
}

fn open_level(file: Option<&Path>) -> Result<Level, Problems> {
    match file {
        Some(file) => level::open(file, &()),
        None => level::open_in(&crate::bundled::folder(), crate::bundled::FIRST, &()),
    }
}

/// The window that listens; where there can be none, the findings of what is received.
fn listen(arguments: &ListenArguments) -> Status {
    let address = SocketAddr::new(arguments.host, arguments.port);
    let has_window = !arguments.once && !arguments.no_window;
    if !has_window {
        return cli::listen::run(arguments);
    }
    if let Err(problem) = cli::listen::take_posts(arguments.http, &arguments.origin, address) {
        cli::report_problems(&[problem], false);
        return Status::BadInput;
    }
    match open_window(Some(Open::Live(address))) {
        Ok(()) => Status::Clean,
        Err(reason) => {
            eprintln!("{reason}\nThe findings are printed instead.\n");
            let http = None;
            cli::listen::run(&ListenArguments {
                http,
                ..arguments.clone()
            })
        }
    }
}

/// What the window shows first.
#[cfg_attr(
    not(feature = "gui"),
    expect(dead_code, reason = "only the window reads what it opens")
)]
enum Open {
    /// A file, and those to compare it with.
    File(PathBuf, Vec<PathBuf>),
    Live(SocketAddr),
}

#[cfg(feature = "gui")]
fn open_window(open: Option<Open>) -> Result<(), String> {
    use crate::app::source::Source;
    let (source, compared) = match open {
        Some(Open::File(path, compared)) => (Some(Source::File(path)), compared),
        Some(Open::Live(address)) => (Some(Source::Live(address)), Vec::new()),
        None => (None, Vec::new()),
    };
    crate::app::run(source, compared)
}

#[cfg(not(feature = "gui"))]
fn open_window(_open: Option<Open>) -> Result<(), String> {
    Err("This hitstop was built without its window (feature `gui`).".to_owned())
}
