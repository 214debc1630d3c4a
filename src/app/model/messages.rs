//! Errors and notices, kept until they are dismissed.

use crate::core::problem::Problem;

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Notice,
    /// Something asked for was not done.
    Error,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// To dismiss it by.
    pub id: u64,
    /// How much it matters.
    pub severity: Severity,
    /// What, where and how to mend it.
    pub problem: Problem,
}

/// All messages that were not dismissed, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    shown: Vec<Message>,
    next: u64,
}

impl Messages {
    /// Shows a message, unless the same one is already there.
    pub fn add(&mut self, severity: Severity, problem: Problem) {
        let known = self
            .shown
            .iter()
            .any(|message| message.severity == severity && message.problem == problem);
        if !known {
            self.shown.push(Message {
                id: self.next,
                severity,
                problem,
            });
            self.next += 1;
        }
    }

    /// Oldest first.
    pub fn shown(&self) -> &[Message] {
        &self.shown
    }

    /// It was read.
    pub fn dismiss(&mut self, id: u64) {
        self.shown.retain(|message| message.id != id);
    }

    /// All were read.
    pub fn dismiss_all(&mut self) {
        self.shown.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_shown_once_until_dismissed() {
        let problem = Problem::new("a.ron", "no objects", "add one").at(3, 1);
        let mut messages = Messages::default();
        messages.add(Severity::Error, problem.clone());
        messages.add(Severity::Error, problem.clone());
        assert_eq!(messages.shown().len(), 1);
        messages.dismiss(messages.shown()[0].id);
        assert!(messages.shown().is_empty());
        messages.add(Severity::Error, problem);
        assert_eq!(messages.shown().len(), 1);
    }
}
