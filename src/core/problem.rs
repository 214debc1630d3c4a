//! Errors about input: what is wrong, where, and how to fix it.

use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::fmt;

/// A position in a text file, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One thing wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// The file, as given by the user.
    pub file: String,
    /// Position in the file's text, if there is one.
    #[serde(flatten)]
    pub at: Option<Place>,
    /// What is wrong: one sentence without a full stop.
    pub what: String,
    /// How to fix it; empty if `what` already says so.
    pub help: String,
}

impl Problem {
    /// A problem with a file as a whole.
    pub fn new(file: impl Into<String>, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            at: None,
            what: what.into(),
            help: help.into(),
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
        if !self.help.is_empty() {
            write!(f, " ({})", self.help)?;
        }
        Ok(())
    }
}

/// All problems of an input, in the order of its text; never empty.
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

/// The known word most similar to a mistyped one; `None` when none is close.
///
/// Close is an edit distance (swapped neighbours count as one) of at most a third of the word's length, and at least
/// one; letter case is ignored.
pub fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let mut unbounded = usize::MAX;
    nearest_within(&mut unbounded, word, known)
}

/// The same within a budget: each letter visited or pair of letters compared costs one unit of `work`.
fn nearest_within<'w>(
    work: &mut usize,
    word: &str,
    known: impl IntoIterator<Item = &'w str>,
) -> Option<&'w str> {
    let wanted = word.to_lowercase();
    let letters = Letters::of(&wanted);
    let limit = (wanted.chars().count() / 3).max(1);
    let mut best: Option<(usize, &'w str)> = None;
    for candidate in known {
        let most = best.map_or(limit, |(distance, _)| distance - 1);
        *work = work.checked_sub(1)?;
        if letters.lengths_differ_by(candidate) > most {
            continue;
        }
        *work = work.checked_sub(candidate.len())?;
        if letters.distance_at_least(candidate) > most {
            continue;
        }
        *work = work.checked_sub(wanted.len().saturating_mul(candidate.len()))?;
        let distance = strsim::damerau_levenshtein(&wanted, &candidate.to_lowercase());
        if distance <= most {
            best = Some((distance, candidate));
        }
        if distance == 0 {
            break;
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Letter counts of a word.
struct Letters {
    counts: [i16; 128],
    length: usize,
    /// False for words whose counts are not computed.
    is_plain: bool,
}

/// Longer words would not fit the counts.
const LONGEST_WORD: usize = 10_000;

impl Letters {
    fn of(word: &str) -> Self {
        let is_plain = word.is_ascii() && word.len() <= LONGEST_WORD;
        let mut counts = [0; 128];
        for letter in word.bytes().take(LONGEST_WORD) {
            counts[usize::from(letter & 127)] += 1;
        }
        Self {
            counts,
            length: word.len(),
            is_plain,
        }
    }

    /// A lower bound of the edit distance: by how many letters one word is longer; 0 where letters are not bytes.
    fn lengths_differ_by(&self, candidate: &str) -> usize {
        match self.is_plain && candidate.is_ascii() {
            true => candidate.len().abs_diff(self.length),
            false => 0,
        }
    }

    /// A lower bound of the edit distance by letter counts.
    fn distance_at_least(&self, candidate: &str) -> usize {
        if !self.is_plain || !candidate.is_ascii() || candidate.len() > LONGEST_WORD {
            return 0;
        }
        let mut counts = self.counts;
        for letter in candidate.bytes() {
            counts[usize::from(letter.to_ascii_lowercase() & 127)] -= 1;
        }
        // The sum of missing and extra letters; they differ by the difference of lengths.
        let both: i16 = counts.iter().map(|count| count.abs()).sum();
        (both as usize + candidate.len().abs_diff(self.length)) / 2
    }
}

/// Help for a mistyped word: the nearest known one, or else the known words.
pub fn did_you_mean<'w>(word: &str, known: impl IntoIterator<Item = &'w str> + Clone) -> String {
    suggestion(nearest(word, known.clone()), known)
}

fn suggestion<'w>(near: Option<&str>, known: impl IntoIterator<Item = &'w str> + Clone) -> String {
    if let Some(near) = near {
        return format!("did you mean `{near}`?");
    }
    let count = known.clone().into_iter().count();
    let shown = if count <= 24 { count } else { 8 };
    let first: Vec<_> = known
        .into_iter()
        .take(shown)
        .map(|word| format!("`{word}`"))
        .collect();
    match (first.join(", "), count - shown) {
        (_, 0) if count == 0 => String::new(),
        (first, 0) => format!("expected one of {first}"),
        (first, more) => format!("expected one of {first}, and {more} more"),
    }
}

/// Known names with a budget for all suggestions together.
#[derive(Debug)]
pub struct KnownNames<'w> {
    names: Vec<&'w str>,
    work_left: Cell<usize>,
}

impl<'w> KnownNames<'w> {
    /// Names in the order of listing; `work` is the budget of visited letters and compared pairs.
    pub fn new(names: Vec<&'w str>, work: usize) -> Self {
        Self {
            names,
            work_left: Cell::new(work),
        }
    }

    /// The names.
    pub fn names(&self) -> &[&'w str] {
        &self.names
    }

    /// As [`did_you_mean`]; beyond the budget without a suggestion.
    pub fn did_you_mean(&self, word: &str) -> String {
        let names = self.names.iter().copied();
        let mut left = self.work_left.get();
        let near = nearest_within(&mut left, word, names.clone());
        // Once the budget is used up, it stays so.
        self.work_left.set(left);
        suggestion(near, names)
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

    /// Three names of 4 letters are examined for 5 each, and one of them is compared for 16: 31 each time.
    #[test]
    fn suggestions_end_where_their_work_does() {
        let names = KnownNames::new(vec!["ball", "wall", "hall"], 62);
        for _ in 0..2 {
            assert_eq!(names.did_you_mean("bell"), "did you mean `ball`?");
        }
        let known = "expected one of `ball`, `wall`, `hall`";
        assert_eq!(names.did_you_mean("bell"), known);
    }

    /// The bound by letters is never more than the distance, and finds the same word.
    #[test]
    fn the_letters_alone_rule_out_no_near_word() {
        let words = [
            "radius", "raduis", "Radii", "darius", "größe", "grösse", "", "r", "suidar",
        ];
        for word in words {
            let letters = Letters::of(&word.to_lowercase());
            for other in words {
                let distance =
                    strsim::damerau_levenshtein(&word.to_lowercase(), &other.to_lowercase());
                assert!(
                    letters.distance_at_least(other) <= distance,
                    "{word} {other}"
                );
            }
        }
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
