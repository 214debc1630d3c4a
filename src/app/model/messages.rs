//! Messages to the user: the log since the window opened, and the notifications that are shown.

use crate::core::problem::Problem;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Length of the log; the oldest messages are removed.
const MOST: usize = 10_000;

/// Severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A requested operation succeeded.
    Done,
    /// Information or warning.
    Notice,
    /// A requested operation failed.
    Error,
}

impl Severity {
    /// All severities, in the order of the log's filter buttons.
    pub const ALL: [Self; 3] = [Self::Error, Self::Notice, Self::Done];

    /// The name in the log.
    pub fn label(self) -> &'static str {
        match self {
            Self::Done => "Done",
            Self::Notice => "Notice",
            Self::Error => "Error",
        }
    }

    /// Returns true for errors, which stay until they are dismissed; others fade.
    pub fn stays(self) -> bool {
        self == Self::Error
    }
}

/// An operation that may fail; its success dismisses its earlier errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Reading a file.
    Read,
    /// Saving the scene to its file.
    Save,
    /// Reloading the file of the open scene after another program changed it.
    Reread,
    /// Autosaving unsaved changes.
    Autosave,
    /// Writing another file: an image, a table, a scene of a frame, a walk.
    Export,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Unique, rising with time.
    pub id: u64,
    /// Time of its last occurrence, since the window opened.
    pub at: Duration,
    /// Severity.
    pub severity: Severity,
    /// What is wrong, where, and how to fix it.
    pub problem: Problem,
    /// Number of occurrences while it was shown.
    pub times: u32,
    /// The failed operation, whose success dismisses the message.
    pub failed: Option<Operation>,
    /// The level that a button of the message opens.
    pub opens: Option<PathBuf>,
}

impl Message {
    /// The message on one line: `error: level.ron:3:1: no objects (add one)`.
    pub fn text(&self) -> String {
        let severity = self.severity.label().to_lowercase();
        let times = match self.times {
            1 => String::new(),
            times => format!(" [{times} times]"),
        };
        if self.problem.file.is_empty() {
            return format!("{severity}: {}{times}", self.problem.what);
        }
        format!("{severity}: {}{times}", self.problem)
    }

    /// The location: `level.ron, line 3, column 1`; empty without a file.
    pub fn location(&self) -> String {
        match self.problem.at {
            Some(at) => format!(
                "{}, line {}, column {}",
                self.problem.file, at.line, at.column
            ),
            None => self.problem.file.clone(),
        }
    }
}

/// The log, and the notifications over the viewport.
#[derive(Clone, Debug)]
pub struct Messages {
    log: VecDeque<Message>,
    shown: Vec<Message>,
    next: u64,
    begun: Instant,
}

impl Default for Messages {
    fn default() -> Self {
        Self {
            log: VecDeque::new(),
            shown: Vec::new(),
            next: 0,
            begun: Instant::now(),
        }
    }
}

impl Messages {
    /// Adds a message to the notifications and the log. One that is shown already is counted instead.
    pub fn add(&mut self, severity: Severity, problem: Problem) {
        let same = |message: &Message| message.severity == severity && message.problem == problem;
        let Some(index) = self.shown.iter().position(same) else {
            let message = self.record(severity, problem);
            self.shown.push(message);
            return;
        };
        // The repeated message becomes the latest.
        let mut known = self.shown.remove(index);
        known.times = known.times.saturating_add(1);
        known.at = self.begun.elapsed();
        if let Some(index) = self.log.iter().rposition(|message| message.id == known.id) {
            self.log.remove(index);
            self.log.push_back(known.clone());
        }
        self.shown.push(known);
    }

    /// Adds an error that is shown until the operation succeeds or the error is dismissed.
    pub fn failed(&mut self, operation: Operation, problem: Problem) {
        self.add(Severity::Error, problem);
        if let Some(message) = self.shown.last_mut() {
            message.failed = Some(operation);
        }
    }

    /// Dismisses the errors of an operation that succeeded; the log keeps them.
    pub fn succeeded(&mut self, operation: Operation) {
        self.shown
            .retain(|message| message.failed != Some(operation));
    }

    /// Adds a message that an operation succeeded; `file` may be empty.
    pub fn done(&mut self, file: &str, what: impl Into<String>) {
        self.add(Severity::Done, Problem::new(file, what, ""));
    }

    /// Adds a message that a file was saved, with a button that opens it if it is a level.
    pub fn saved(&mut self, file: &Path, what: &str, is_level: bool) {
        self.done(&file.display().to_string(), what);
        if let Some(message) = self.shown.last_mut().filter(|_| is_level) {
            message.opens = Some(file.to_owned());
        }
    }

    /// Adds a message to the log only, where the window shows its content already.
    pub fn note(&mut self, file: &str, what: impl Into<String>) {
        self.record(Severity::Done, Problem::new(file, what, ""));
    }

    fn record(&mut self, severity: Severity, problem: Problem) -> Message {
        let message = Message {
            id: self.next,
            at: self.begun.elapsed(),
            severity,
            problem,
            times: 1,
            failed: None,
            opens: None,
        };
        self.next += 1;
        if self.log.len() == MOST {
            self.log.pop_front();
        }
        self.log.push_back(message.clone());
        message
    }

    /// The notifications, oldest first.
    pub fn shown(&self) -> &[Message] {
        &self.shown
    }

    /// The log, oldest first.
    pub fn log(&self) -> &VecDeque<Message> {
        &self.log
    }

    /// Changes with every message: a key for caches.
    pub fn count(&self) -> (u64, u32) {
        let times = self.log.iter().rev().take(64).map(|message| message.times);
        (self.next, times.fold(0, u32::wrapping_add))
    }

    /// Dismisses a notification; the log keeps it.
    pub fn dismiss(&mut self, id: u64) {
        self.shown.retain(|message| message.id != id);
    }

    /// Dismisses all notifications.
    pub fn dismiss_all(&mut self) {
        self.shown.clear();
    }

    /// Clears the log; the notifications stay.
    pub fn clear_log(&mut self) {
        self.log.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem() -> Problem {
        Problem::new("a.ron", "no objects", "add one").at(3, 1)
    }

    #[test]
    fn a_message_is_shown_once_until_dismissed() {
        let mut messages = Messages::default();
        messages.add(Severity::Error, problem());
        messages.add(Severity::Error, problem());
        assert_eq!(messages.shown().len(), 1);
        messages.dismiss(messages.shown()[0].id);
        assert!(messages.shown().is_empty());
        messages.add(Severity::Error, problem());
        assert_eq!(messages.shown().len(), 1);
    }

    #[test]
    fn the_log_keeps_dismissed_messages_and_counts_repeated_ones() {
        let mut messages = Messages::default();
        for _ in 0..3 {
            messages.add(Severity::Error, problem());
        }
        messages.done("b.ron", "saved");
        messages.note("c.ron", "opened");
        assert_eq!(messages.shown().len(), 2, "a note is in the log only");
        messages.dismiss_all();
        assert!(messages.shown().is_empty());
        let log: Vec<String> = messages.log().iter().map(Message::text).collect();
        assert_eq!(
            log,
            [
                "error: a.ron:3:1: no objects (add one) [3 times]",
                "done: b.ron: saved",
                "done: c.ron: opened",
            ]
        );
        assert!(
            messages
                .log()
                .iter()
                .zip(messages.log().iter().skip(1))
                .all(|(one, next)| one.id < next.id)
        );
        messages.clear_log();
        assert!(messages.log().is_empty());
    }

    #[test]
    fn a_repeated_message_becomes_the_latest() {
        let mut messages = Messages::default();
        messages.add(Severity::Error, problem());
        messages.done("b.ron", "saved");
        messages.note("c.ron", "opened");
        messages.add(Severity::Error, problem());
        let what = |message: &Message| message.problem.what.clone();
        let log: Vec<String> = messages.log().iter().map(what).collect();
        assert_eq!(log, ["saved", "opened", "no objects"]);
        let shown: Vec<String> = messages.shown().iter().map(what).collect();
        assert_eq!(shown, ["saved", "no objects"]);
        assert_eq!(messages.log()[2].times, 2);
    }

    #[test]
    fn the_log_is_bounded_and_drops_the_oldest() {
        let mut messages = Messages::default();
        for number in 0..MOST + 5 {
            messages.note("a.ron", number.to_string());
        }
        assert_eq!(messages.log().len(), MOST);
        assert_eq!(messages.log()[0].problem.what, "5");
        assert_eq!(messages.log()[0].id, 5);
    }

    #[test]
    fn a_success_dismisses_the_errors_of_its_operation_only() {
        let mut messages = Messages::default();
        messages.failed(Operation::Save, problem());
        messages.failed(Operation::Save, problem());
        messages.failed(Operation::Read, Problem::new("b.ron", "no file", ""));
        messages.add(Severity::Error, Problem::new("c.ron", "other", ""));
        messages.succeeded(Operation::Save);
        let shown = messages.shown().iter();
        let shown: Vec<&str> = shown.map(|message| message.problem.file.as_str()).collect();
        assert_eq!(shown, ["b.ron", "c.ron"]);
        assert_eq!(messages.log().len(), 3, "the log keeps them");
    }

    #[test]
    fn only_errors_stay() {
        let stays: Vec<Severity> = Severity::ALL
            .into_iter()
            .filter(|severity| severity.stays())
            .collect();
        assert_eq!(stays, [Severity::Error]);
    }
}
