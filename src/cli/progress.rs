//! Progress bar on standard error, if that is a terminal.

use crate::core::progress::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar; nothing is drawn when standard error is no terminal.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar, or (when not `shown`) none.
    pub fn new(shown: bool) -> Self {
        Self::styled(shown, "{msg:24!} [{bar:32}] {percent:>3} %  {eta}")
    }

    /// The same for runs, whose text has their number and the time left.
    pub fn of_runs(shown: bool) -> Self {
        Self::styled(shown, "[{bar:12}] {wide_msg}")
    }

    fn styled(shown: bool, template: &str) -> Self {
        let target = if shown {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template(template);
        bar.set_style(
            style
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .progress_chars("=> "),
        );
        Self(bar)
    }

    /// Shows the current activity.
    pub fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }

    /// Hides the bar while something else is printed.
    pub fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.0.suspend(print)
    }

    /// Removes the bar from the terminal.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn report(&self, done: u64, total: u64) {
        self.0.set_length(total);
        self.0.set_position(done);
    }

    fn cancelled(&self) -> bool {
        crate::interrupt::is_cancelled()
    }
}
