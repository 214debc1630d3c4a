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

/// The known word that a mistyped one most likely meant; `None` when nothing is near.
///
/// Near is an edit distance (swapped neighbours count as one) of at most a third of the word's length, and at least one; letter
/// case is ignored.
pub fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let wanted = word.to_lowercase();
    let limit = (wanted.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| {
            let distance = strsim::damerau_levenshtein(&wanted, &candidate.to_lowercase());
            (distance, candidate)
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
            let all: Vec<_> = known.into_iter().map(|word| format!("`{word}`")).collect();
            match all.len() {
                0 => String::new(),
                1..=24 => format!("known are {}", all.join(", ")),
                more => format!("known are {}, and {} more", all[..8].join(", "), more - 8),
            }
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

    #[test]
    fn a_problem_prints_as_file_line_column() {
        let problem = Problem::new("a.ron", "dt must be above zero", "use 1/60").at(3, 9);
        assert_eq!(
            problem.to_string(),
            "a.ron:3:9: dt must be above zero (use 1/60)"
        );
    }
}
