//! Ctrl+C and SIGTERM: the program ends by the signal, and leaves no temporary file behind.

/// Removes temporary files before the program ends by Ctrl+C or SIGTERM. Where signals cannot be handled, they end the program
/// as before, and the next write to the same folder removes what is left.
pub fn remove_temporary_files_on_signals() {
    #[cfg(unix)]
    {
        use crate::save::abandon_writes;
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        use signal_hook::low_level::emulate_default_handler;
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
            return;
        };
        std::thread::spawn(move || {
            for signal in signals.forever() {
                abandon_writes();
                // The shell detects the signal and ends its script too.
                let _ = emulate_default_handler(signal);
            }
        });
    }
}
