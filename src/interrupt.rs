//! Ctrl+C and SIGTERM: the program ends by the signal, and leaves no temporary file behind.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
#[cfg(unix)]
use std::time::{Duration, Instant};

/// The first signal cancels the work; the program then ends it, prints what it knows and ends by the signal.
static IS_ANSWERED: AtomicBool = AtomicBool::new(false);
/// The signal that has cancelled the work; 0 for none.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Signals closer than this are one.
#[cfg(unix)]
const ONE_SIGNAL: Duration = Duration::from_millis(200);

/// Removes temporary files before the program ends by Ctrl+C or SIGTERM. Where signals cannot be handled, they end the program
/// as before, and the next write to the same folder removes what is left.
pub fn remove_temporary_files_on_signals() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
        use signal_hook::iterator::Signals;
        use std::sync::Arc;
        // Beyond the largest size of a file (`ulimit -f`) writing fails, and that is told, instead of ending the program.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
            return;
        };
        std::thread::spawn(move || {
            let mut first: Option<Instant> = None;
            for signal in signals.forever() {
                // `timeout` and shells send one to the program and one to its group, which are one.
                if first.is_some_and(|first| first.elapsed() < ONE_SIGNAL) {
                    continue;
                }
                first = Some(Instant::now());
                let is_answered = IS_ANSWERED.load(Ordering::Relaxed)
                    && SIGNAL.swap(signal, Ordering::Relaxed) == 0;
                if !is_answered {
                    end(signal);
                }
            }
        });
    }
}

/// From now on the first signal only cancels the work; a second one ends the program. For work that runs other programs, which would go on alone.
pub fn cancel_on_first_signal() {
    IS_ANSWERED.store(true, Ordering::Relaxed);
}

/// From now on a signal ends the program again.
pub fn end_on_next_signal() {
    IS_ANSWERED.store(false, Ordering::Relaxed);
}

/// Whether a signal has cancelled the work.
pub fn is_cancelled() -> bool {
    SIGNAL.load(Ordering::Relaxed) != 0
}

/// Ends the program by the signal that has cancelled the work, if one has.
pub fn end_if_cancelled() {
    #[cfg(unix)]
    if is_cancelled() {
        end(SIGNAL.load(Ordering::Relaxed));
    }
}

/// The shell detects the signal and ends its script too.
#[cfg(unix)]
fn end(signal: i32) {
    crate::save::abandon_writes();
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}
