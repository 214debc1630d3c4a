//! One run of a reproduction, which prints in how many of its starting phases it fails.

use super::process::{self, End};
use super::program::{Failure, last_lines};
use super::template::Template;
use crate::core::progress::Progress;
use crate::core::repro::PHASES;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Bytes of what a program printed last that are kept.
const PRINTED: usize = 8 << 10;

/// The number of phases, of [`PHASES`], in which a reproduction fails; `{file}` of the command is its file. `None` when cancelled.
pub fn failing_phases(
    command: &Template,
    file: &Path,
    limit: Duration,
    progress: &dyn Progress,
) -> Option<Result<u32, Failure>> {
    let file = file.display().to_string();
    let words = command.fill(&vec![("file".to_owned(), file.clone())]);
    let name = words.first().map_or("", String::as_str);
    let mut started = Command::new(name);
    started.args(&words[words.len().min(1)..]);
    started.env("HITSTOP_FILE", &file);
    let ended = match process::run(started, limit, PRINTED, progress) {
        Ok(ended) => ended,
        Err(error) => {
            return Some(Err(Failure {
                what: format!("{name} cannot be run: {error}"),
                timed_out: false,
                last_lines: Vec::new(),
            }));
        }
    };
    let failed = |what: String| {
        Some(Err(Failure {
            what,
            timed_out: false,
            last_lines: last_lines(&ended.printed),
        }))
    };
    let status = match ended.end {
        End::Cancelled => return None,
        End::TimedOut => {
            let seconds = limit.as_secs_f64();
            return failed(format!("it was ended at the time limit of {seconds} s"));
        }
        End::Exited(status) => status,
    };
    match phases(&ended.printed) {
        None => failed(format!(
            "it did not print `N of {PHASES} phases`; it ended with {status}"
        )),
        // One that crashed after it printed, or whose command hides its status.
        Some(count) if status.success() != (count == 0) => failed(format!(
            "it fails in {count} of {PHASES} phases, and ended with {status}"
        )),
        Some(count) => Some(Ok(count)),
    }
}

/// The last count that a program printed.
fn phases(printed: &str) -> Option<u32> {
    let end = format!(" of {PHASES} phases");
    let counts = printed.lines().rev().filter_map(|line| {
        let count: u32 = line.trim().strip_suffix(&end)?.parse().ok()?;
        (count <= PHASES).then_some(count)
    });
    counts.into_iter().next()
}
