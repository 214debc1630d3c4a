//! An error a person can act on: what is wrong, where, and how to mend it.

use std::cell::Cell;
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

/// The known word that a mistyped one most likely meant; `None` when nothing is near.
///
/// Near is an edit distance (swapped neighbours count as one) of at most a third of the word's length, and at least one; letter
/// case is ignored.
pub fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let wanted = word.to_lowercase();
    let length = wanted.chars().count();
    let limit = (length / 3).max(1);
    known
        .into_iter()
        .filter_map(|candidate| {
            let lower = candidate.to_lowercase();
            // No less than the distance of their lengths.
            let alike = lower.chars().count().abs_diff(length) <= limit;
            alike.then(|| (strsim::damerau_levenshtein(&wanted, &lower), candidate))
        })
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How to mend a mistyped word: the nearest known one, or else all that are known.
pub fn did_you_mean<'w>(word: &str, known: impl IntoIterator<Item = &'w str> + Clone) -> String {
    match nearest(word, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let count = known.clone().into_iter().count();
            let shown = if count <= 24 { count } else { 8 };
            let first: Vec<_> = known
                .into_iter()
                .take(shown)
                .map(|word| format!("`{word}`"))
                .collect();
            match (first.join(", "), count - shown) {
                (_, 0) if count == 0 => String::new(),
                (first, 0) => format!("known are {first}"),
                (first, more) => format!("known are {first}, and {more} more"),
            }
        }
    }
}

/// Names that may be mistyped. Help is given within a bound on the work of all of it: a name is compared with all the others.
#[derive(Debug)]
pub struct KnownNames<'w> {
    names: Vec<&'w str>,
    /// Of all names together, bytes.
    length: usize,
    /// Pairs of characters that may still be compared.
    work_left: Cell<usize>,
}

impl<'w> KnownNames<'w> {
    /// Names in the order in which they are listed; `work` is how many pairs of characters may be compared.
    pub fn new(names: Vec<&'w str>, work: usize) -> Self {
        Self {
            length: names.iter().map(|name| name.len()).sum(),
            names,
            work_left: Cell::new(work),
        }
    }

    /// The names.
    pub fn names(&self) -> &[&'w str] {
        &self.names
    }

    /// As [`did_you_mean`] has it; beyond the bound the number of names alone.
    pub fn did_you_mean(&self, word: &str) -> String {
        let work = self.length.saturating_mul(word.len());
        match self.work_left.get().checked_sub(work) {
            Some(left) => {
                self.work_left.set(left);
                did_you_mean(word, self.names.iter().copied())
            }
            None => format!("name one of the {} objects", self.names.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_forgives_a_slip_and_no_more() {
        let known = ["radius", "half_extents", "offset"];
        assert_eq!(nearest("raduis", known), Some("radius"), "swapped letters");
        assert_eq!(nearest("Radius", known), Some("radius"), "letter case");
        assert_eq!(nearest("half_extends", known), Some("half_extents"));
        assert_eq!(nearest("mass", known), None, "another word altogether");
        assert_eq!(nearest("x", ["y"]), Some("y"), "one letter may be wrong");
    }

    /// Three names of 4 letters against one of 4: 48 pairs of characters a time.
    #[test]
    fn suggestions_end_where_their_work_does() {
        let names = KnownNames::new(vec!["ball", "wall", "hall"], 100);
        for _ in 0..2 {
            assert_eq!(names.did_you_mean("bell"), "did you mean `ball`?");
        }
        assert_eq!(names.did_you_mean("bell"), "name one of the 3 objects");
    }

    #[test]
    fn a_problem_prints_as_file_line_column() {
        let problem = Problem::new("a.ron", "dt must be above zero", "use 1/60").at(3, 9);
        assert_eq!(
            problem.to_string(),
            "a.ron:3:9: dt must be above zero (use 1/60)"
        );
    }
}
