//! Everything that was said since the window opened, and what of it still stands before their eyes.

use crate::core::problem::Problem;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Of more messages than this the oldest are forgotten.
const MOST: usize = 10_000;

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something asked for was done.
    Done,
    /// Worth knowing.
    Notice,
    /// Something asked for was not done.
    Error,
}

impl Severity {
    /// In the order of the log's switches.
    pub const ALL: [Self; 3] = [Self::Error, Self::Notice, Self::Done];

    /// As the log writes it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Done => "Done",
            Self::Notice => "Notice",
            Self::Error => "Error",
        }
    }

    /// Errors stand until they are dismissed; the others pass by themselves.
    pub fn stays(self) -> bool {
        self == Self::Error
    }
}

/// What was tried: once it succeeds, what was said of it when it failed is old.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// A file was read.
    Read,
    /// The scene was saved to its file.
    Save,
    /// The file of the open scene was read again after another program changed it.
    Reread,
    /// Unsaved changes were kept for the case of a crash.
    Autosave,
    /// Something else was written: a picture, a table, a scene of a frame, a walk.
    Export,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// To dismiss it by; rises with time.
    pub id: u64,
    /// Since the window was opened, when it was said last.
    pub at: Duration,
    /// How much it matters.
    pub severity: Severity,
    /// What, where and how to fix it.
    pub problem: Problem,
    /// How often it was said while it stood.
    pub times: u32,
    /// What failed, if it is to go once that succeeds.
    pub failed: Option<Deed>,
}

impl Message {
    /// On one line: `error: level.ron:3:1: no objects (add one)`.
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

    /// The file, with the place in it: `level.ron, line 3, column 1`; empty where no file is meant.
    pub fn place(&self) -> String {
        match self.problem.at {
            Some(at) => format!(
                "{}, line {}, column {}",
                self.problem.file, at.line, at.column
            ),
            None => self.problem.file.clone(),
        }
    }
}

/// All messages since the window opened, and which of them stand over the picture.
#[derive(Clone, Debug)]
pub struct Messages {
    said: VecDeque<Message>,
    standing: Vec<Message>,
    next: u64,
    begun: Instant,
}

impl Default for Messages {
    fn default() -> Self {
        Self {
            said: VecDeque::new(),
            standing: Vec::new(),
            next: 0,
            begun: Instant::now(),
        }
    }
}

impl Messages {
    /// Says something: over the picture and in the log. What stands already is not said twice, but counted.
    pub fn add(&mut self, severity: Severity, problem: Problem) {
        let same = |said: &Message| said.severity == severity && said.problem == problem;
        let Some(index) = self.standing.iter().position(same) else {
            let message = self.record(severity, problem);
            self.standing.push(message);
            return;
        };
        // It is the latest again, over the picture and in the log.
        let mut known = self.standing.remove(index);
        known.times = known.times.saturating_add(1);
        known.at = self.begun.elapsed();
        if let Some(index) = self.said.iter().rposition(|said| said.id == known.id) {
            self.said.remove(index);
            self.said.push_back(known.clone());
        }
        self.standing.push(known);
    }

    /// Something that was tried failed: stands until it succeeds, or is dismissed.
    pub fn failed(&mut self, deed: Deed, problem: Problem) {
        self.add(Severity::Error, problem);
        if let Some(message) = self.standing.last_mut() {
            message.failed = Some(deed);
        }
    }

    /// It was tried again and succeeded: what was said of it passes; the log keeps it.
    pub fn succeeded(&mut self, deed: Deed) {
        self.standing.retain(|said| said.failed != Some(deed));
    }

    /// Something asked for was done; `file` is where, or empty.
    pub fn done(&mut self, file: &str, what: impl Into<String>) {
        self.add(Severity::Done, Problem::new(file, what, ""));
    }

    /// Keeps something in the log alone: the window shows it already.
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
        };
        self.next += 1;
        if self.said.len() == MOST {
            self.said.pop_front();
        }
        self.said.push_back(message.clone());
        message
    }

    /// What stands over the picture, oldest first.
    pub fn shown(&self) -> &[Message] {
        &self.standing
    }

    /// Everything that was said, oldest first.
    pub fn said(&self) -> &VecDeque<Message> {
        &self.said
    }

    /// Changes whenever something is said, for whoever keeps a list of it.
    pub fn count(&self) -> (u64, u32) {
        let times = self.said.iter().rev().take(64).map(|said| said.times);
        (self.next, times.fold(0, u32::wrapping_add))
    }

    /// It was read, or its time has passed; the log keeps it.
    pub fn dismiss(&mut self, id: u64) {
        self.standing.retain(|message| message.id != id);
    }

    /// All were read.
    pub fn dismiss_all(&mut self) {
        self.standing.clear();
    }

    /// The log begins anew; what stands goes on standing.
    pub fn clear_log(&mut self) {
        self.said.clear();
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
    fn the_log_keeps_what_was_dismissed_and_counts_what_was_repeated() {
        let mut messages = Messages::default();
        for _ in 0..3 {
            messages.add(Severity::Error, problem());
        }
        messages.done("b.ron", "saved");
        messages.note("c.ron", "opened");
        assert_eq!(messages.shown().len(), 2, "a note stands nowhere");
        messages.dismiss_all();
        assert!(messages.shown().is_empty());
        let said: Vec<String> = messages.said().iter().map(Message::text).collect();
        assert_eq!(
            said,
            [
                "error: a.ron:3:1: no objects (add one) [3 times]",
                "done: b.ron: saved",
                "done: c.ron: opened",
            ]
        );
        assert!(
            messages
                .said()
                .iter()
                .zip(messages.said().iter().skip(1))
                .all(|(one, next)| one.id < next.id)
        );
        messages.clear_log();
        assert!(messages.said().is_empty());
    }

    #[test]
    fn what_is_said_again_is_the_latest() {
        let mut messages = Messages::default();
        messages.add(Severity::Error, problem());
        messages.done("b.ron", "saved");
        messages.note("c.ron", "opened");
        messages.add(Severity::Error, problem());
        let what = |message: &Message| message.problem.what.clone();
        let said: Vec<String> = messages.said().iter().map(what).collect();
        assert_eq!(said, ["saved", "opened", "no objects"]);
        let shown: Vec<String> = messages.shown().iter().map(what).collect();
        assert_eq!(shown, ["saved", "no objects"]);
        assert_eq!(messages.said()[2].times, 2);
    }

    #[test]
    fn the_log_is_bounded_and_forgets_the_oldest() {
        let mut messages = Messages::default();
        for number in 0..MOST + 5 {
            messages.note("a.ron", number.to_string());
        }
        assert_eq!(messages.said().len(), MOST);
        assert_eq!(messages.said()[0].problem.what, "5");
        assert_eq!(messages.said()[0].id, 5);
    }

    #[test]
    fn what_succeeds_takes_its_own_errors_away_and_no_others() {
        let mut messages = Messages::default();
        messages.failed(Deed::Save, problem());
        messages.failed(Deed::Save, problem());
        messages.failed(Deed::Read, Problem::new("b.ron", "no file", ""));
        messages.add(Severity::Error, Problem::new("c.ron", "other", ""));
        messages.succeeded(Deed::Save);
        let shown = messages.shown().iter();
        let shown: Vec<&str> = shown.map(|said| said.problem.file.as_str()).collect();
        assert_eq!(shown, ["b.ron", "c.ron"]);
        assert_eq!(messages.said().len(), 3, "the log keeps them");
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
