//! An error a person can act on: what is wrong, where, and how to mend it.

use std::fmt;

/// A place in a text file, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One thing wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file as the person named it.
    pub file: String,
    /// Where in the file, if it is a place in its text.
    pub at: Option<Place>,
    /// What is wrong, one sentence, no full stop needed.
    pub what: String,
    /// How to mend it; empty when the sentence above already says so.
    pub mend: String,
}

impl Problem {
    /// A problem with a file as a whole.
    pub fn new(file: impl Into<String>, what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            at: None,
            what: what.into(),
            mend: mend.into(),
        }
    }

    /// The same problem, at a line and column (both from 1).
    #[must_use]
    pub fn at(mut self, line: usize, column: usize) -> Self {
        self.at = Some(Place { line, column });
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(Place { line, column }) = self.at {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.what)?;
        if !self.mend.is_empty() {
            write!(f, " ({})", self.mend)?;
        }
        Ok(())
    }
}

/// All that is wrong with an input, in the order of its text; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
