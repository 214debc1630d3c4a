//! Problems on standard error, drawn at their place in the text.

use crate::core::problem::{Place, Problem};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};

/// Lines longer than this are not drawn: nobody reads them, and a terminal would choke.
const LONGEST_LINE: usize = 400;

/// Prints what is wrong, where and how to mend it. `warning` when the input could be used all the same.
pub fn complain(problems: &[Problem], warning: bool) {
    let mut error = anstream::stderr().lock();
    for problem in problems {
        // A closed standard error leaves nobody to tell.
        let _ = writeln!(error, "{}", drawn(problem, warning));
    }
}

fn drawn(problem: &Problem, warning: bool) -> String {
    let level = if warning {
        Level::WARNING
    } else {
        Level::ERROR
    };
    let renderer = Renderer::styled();
    let title = match problem.at {
        Some(_) => problem.what.clone(),
        None => format!("{}: {}", problem.file, problem.what),
    };
    let mut group = Group::with_title(level.primary_title(title.as_str()));
    let line = problem
        .at
        .and_then(|place| Some((place, line_of(&problem.file, place)?)));
    if let Some((place, line)) = &line {
        let start = line
            .char_indices()
            .nth(place.column.saturating_sub(1))
            .map_or(line.len(), |(index, _)| index);
        let end = word_end(line, start);
        let annotation = AnnotationKind::Primary.span(start..end).label("here");
        let snippet = Snippet::source(line.as_str())
            .line_start(place.line)
            .path(problem.file.as_str());
        group = group.element(snippet.annotation(annotation));
    } else if let Some(Place { line, column }) = problem.at {
        let origin = annotate_snippets::Origin::path(problem.file.as_str())
            .line(line)
            .char_column(column);
        group = group.element(origin);
    }
    if !problem.mend.is_empty() {
        group = group.element(Level::HELP.message(problem.mend.as_str()));
    }
    renderer.render(&[group])
}

/// One line of a file, read as a stream; `None` when it is not there, too long or not text.
fn line_of(file: &str, place: Place) -> Option<String> {
    let reader = BufReader::new(File::open(file).ok()?);
    let line = reader.lines().nth(place.line.checked_sub(1)?)?.ok()?;
    (line.len() <= LONGEST_LINE).then_some(line)
}

/// The end of the word or number that begins at `start`, at least one character on.
fn word_end(line: &str, start: usize) -> usize {
    let rest = &line[start..];
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let word = rest
        .find(|c: char| !c.is_alphanumeric() && !"_.-+".contains(c))
        .unwrap_or(rest.len());
    start + word.max(first)
}
