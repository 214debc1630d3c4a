//! `hitstop listen` without a window: receives recordings and prints their findings as they happen.

use super::check::print_level;
use super::print::say;
use super::{ListenArguments, Status, report_problems};
use crate::convert::{Part, convert_level, output_format};
use crate::core::diagnose::{Diagnosis, Finding, Kind};
use crate::core::level::{Level, LevelParts};
use crate::core::live::{Client, Listener, refused};
use crate::core::number::count;
use crate::core::problem::{Problem, Problems};
use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;

/// Least time between two looks at the frames so far.
const EVERY: Duration = Duration::from_millis(100);

/// Runs the command until it is interrupted, or with `--once` until the first recording ends.
pub fn run(arguments: &ListenArguments) -> Status {
    // Before a recording is received that could not be saved.
    let save = arguments.save.as_deref().map_or(Ok(None), output_format);
    let listener = save.and_then(|_| Listener::new(arguments.host, arguments.port));
    let listener = match listener {
        Ok(mut listener) => {
            listener.options = arguments.read.options();
            listener
        }
        Err(problem) => {
            report_problems(&[problem], false);
            return Status::BadInput;
        }
    };
    say(&format!("listening on {}", listener.address()));
    if let Err(problem) = take_posts(arguments.http, &arguments.origin, listener.address()) {
        report_problems(&[problem], false);
        return Status::BadInput;
    }
    loop {
        let status = match listener.accept(&()) {
            Ok(Some(client)) => received(client, arguments),
            Ok(None) => return Status::Clean,
            Err(problem) => {
                report_problems(&[problem], false);
                return Status::BadInput;
            }
        };
        if arguments.once {
            return status;
        }
    }
}

/// Takes recordings of web pages on a port, if there is one, for the listener at an address.
///
/// # Errors
/// When the port is in use.
pub fn take_posts(
    port: Option<u16>,
    origins: &[String],
    listener: SocketAddr,
) -> Result<(), Problem> {
    if let Some(port) = port {
        let address = super::listen_http::start(port, listener, origins, say)?;
        say(&format!("listening on http://{address} for web pages"));
    }
    Ok(())
}

/// Receives one recording, and prints its report at the end.
fn received(client: Client<'_>, arguments: &ListenArguments) -> Status {
    say(&format!("a recorder has connected from {}", client.from()));
    let level = thread::scope(|scope| {
        // A part that comes while the one before is judged is left out: the next has its frames, too.
        let (parts, next) = sync_channel(1);
        scope.spawn(move || print_findings(&next));
        let mut take = |level| {
            let _ = parts.try_send(level);
        };
        let parts = LevelParts {
            every: EVERY,
            take: &mut take,
        };
        client.receive(parts, &mut |from| say(&refused(from)))
    });
    finished(level, arguments).unwrap_or_else(|Problems(problems)| {
        report_problems(&problems, false);
        Status::BadInput
    })
}

fn finished(
    level: Result<Level, Problems>,
    arguments: &ListenArguments,
) -> Result<Status, Problems> {
    let level = level?;
    let frames = count(level.replay.frames() as usize, "frame");
    say(&format!("the recording has ended after {frames}"));
    let notices = match &arguments.save {
        Some(file) => convert_level(&level, file, &Part::Whole, &())?.notices,
        None => level.notices.clone(),
    };
    report_problems(&notices, true);
    if let Some(file) = &arguments.save {
        say(&format!("saved as {}", file.display()));
    }
    level.require_content()?;
    Ok(print_level(&level))
}

/// Prints the findings of a level that grows, each once.
fn print_findings(parts: &Receiver<Level>) {
    let mut diagnosis = Diagnosis::starting_at(0);
    let mut printed: HashSet<(u32, Kind, String, String)> = HashSet::new();
    let mut is_full = false;
    for level in parts {
        let replay = &level.replay;
        let Some(last) = replay.frames().checked_sub(1) else {
            continue;
        };
        if diagnosis.advance(replay, last, &(), &mut |_| ()).is_none() {
            return;
        }
        let findings = diagnosis.report(replay, &level.file).findings;
        if findings.total() > findings.len() && !std::mem::replace(&mut is_full, true) {
            say(&format!(
                "there are more than {}: from here on they are counted, and the report at the end has the sums",
                count(findings.len(), "finding")
            ));
        }
        for finding in findings {
            let Finding { frame, kind, .. } = finding;
            if printed.insert((frame, kind, finding.a, finding.b)) {
                say(&format!("frame {frame}: {}", finding.text));
            }
        }
    }
}
