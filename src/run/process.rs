//! One run of a program in a group of its own, which ends as a whole.

use crate::core::progress::Progress;
use process_wrap::std::CommandWrap;
use std::collections::VecDeque;
use std::io::{self, PipeReader, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Longest time between two looks at a process.
const LOOK_AGAIN: Duration = Duration::from_millis(10);
/// Time for what a process printed last to arrive, once its group has ended. One that left its group may hold the pipe open for longer.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Stands for what is left out.
pub(super) const GAP: &str = "..";

/// How a process ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// By itself, or by a signal.
    Exited(ExitStatus),
    /// At the time limit.
    TimedOut,
    /// As the work was cancelled.
    Cancelled,
}

/// A process that has ended.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub end: End,
    pub seconds: f64,
    /// What it printed on both streams: its start and its end, with a line `..` between where that is not all.
    pub printed: String,
}

/// Runs a command to its end, and ends what is left of its group. Of what it prints, the first and the last `keep` bytes are kept.
///
/// # Errors
/// When it cannot be started.
pub(super) fn run(
    mut command: Command,
    limit: Duration,
    keep: usize,
    progress: &dyn Progress,
) -> io::Result<Ended> {
    let (output, input) = io::pipe()?;
    command.stdin(Stdio::null());
    command.stdout(input.try_clone()?).stderr(input);
    let mut group = CommandWrap::from(command);
    #[cfg(unix)]
    group.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    group.wrap(process_wrap::std::JobObject);
    let begun = Instant::now();
    let mut child = group.spawn()?;
    // It has ends of the pipe, which would never be at its end.
    drop(group);
    let printed = Printed::read(output, keep);
    let mut pause = Duration::from_millis(1);
    let end = loop {
        match child.try_wait() {
            Ok(Some(status)) => break End::Exited(status),
            Ok(None) => {}
            Err(error) => {
                // Its group would go on.
                let _ = child.start_kill();
                return Err(error);
            }
        }
        if progress.cancelled() {
            break End::Cancelled;
        }
        let left = limit.saturating_sub(begun.elapsed());
        if left.is_zero() {
            break End::TimedOut;
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(LOOK_AGAIN);
    };
    let seconds = begun.elapsed().as_secs_f64();
    // An empty group cannot be ended.
    let _ = child.start_kill();
    if !matches!(end, End::Exited(_)) {
        child.wait()?;
    }
    Ok(Ended {
        end,
        seconds,
        printed: printed.text(LAST_WORDS),
    })
}

/// The first and the last bytes of a stream, which a thread reads.
struct Printed(Arc<(Mutex<Bytes>, Condvar)>);

#[derive(Default)]
struct Bytes {
    first: Vec<u8>,
    last: VecDeque<u8>,
    /// Some between were left out.
    has_gap: bool,
    at_end: bool,
}

impl Printed {
    fn read(mut stream: PipeReader, keep: usize) -> Self {
        let shared: Arc<(Mutex<Bytes>, Condvar)> = Arc::default();
        let own = Arc::clone(&shared);
        std::thread::spawn(move || {
            let mut chunk = vec![0; 1 << 16];
            let (bytes, ended) = &*own;
            loop {
                let count = match stream.read(&mut chunk) {
                    Ok(count) => count,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(_) => 0,
                };
                let mut bytes = lock(bytes);
                let room = keep.saturating_sub(bytes.first.len()).min(count);
                let (first, rest) = chunk[..count].split_at(room);
                bytes.first.extend(first);
                let new = &rest[rest.len().saturating_sub(keep)..];
                let much = (bytes.last.len() + new.len()).saturating_sub(keep);
                bytes.last.drain(..much);
                bytes.last.extend(new);
                bytes.has_gap |= much > 0 || new.len() < rest.len();
                if count == 0 {
                    bytes.at_end = true;
                    ended.notify_all();
                    return;
                }
            }
        });
        Self(shared)
    }

    /// The text, once the stream is at its end, or after so long.
    fn text(&self, longest: Duration) -> String {
        let (bytes, ended) = &*self.0;
        let is_open = |bytes: &mut Bytes| !bytes.at_end;
        let waited = ended.wait_timeout_while(lock(bytes), longest, is_open);
        let (mut bytes, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let mut all = std::mem::take(&mut bytes.first);
        if bytes.has_gap {
            all.extend(format!("\n{GAP}\n").bytes());
        }
        all.extend(&bytes.last);
        String::from_utf8_lossy(&all).into_owned()
    }
}

fn lock(bytes: &Mutex<Bytes>) -> MutexGuard<'_, Bytes> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}
